"""A target of one class in the window: the file opens with a sentence, and every panel shows its tree of one leaf, and
what becomes of a split by hand."""

import re
from pathlib import Path

import pandas as pd
import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QLabel, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

import engine
from engine.pruning import why_not
from gui.model import judging
from gui.panels.prune.panel import PruningPanel
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.window.window import Window
from tests.effort import crossed
from tests.gui.acting import do, fill, open_file, rest, type_path
from tests.gui.asked import when_asked
from tests.gui.dialogs.asking_for_reports import reported
from tests.gui.panels.test_judge_panel import run

ODD = re.compile(r"\b(nan|inf|None)\b", re.IGNORECASE)  # what arithmetic leaves, and no person is to read


def frame(target: str) -> pd.DataFrame:
    """80 rows of numbers with gaps and of levels; the target is the same in each."""
    y = {"one": "yes", "declared": pd.Categorical(["yes"] * 80, ["yes", "no"]), "number": 2.5}[target]
    made = pd.DataFrame({"x": [k * 7 % 31 / 4 for k in range(80)], "a": list("abcd") * 20, "y": y})
    made.loc[::9, "x"] = None
    return made


def texts(part: QWidget) -> list[str]:
    """What a person reads in a part of the window."""
    found = [label.text() for label in part.findChildren(QLabel) if label.isVisible()]
    found += [text.toPlainText() for text in part.findChildren(QTextEdit) if text.isVisible()]
    for view in part.findChildren(QAbstractItemView):
        if view.isVisible():
            model, top = view.model(), QModelIndex()
            columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(top)
            cells = [(row, k) for row in range(min(model.rowCount(top), 50)) for k in range(columns)]
            found += [str(model.index(*cell, top).data() or "") for cell in cells]
    return found


def look_at_every_panel(qtbot: QtBot, window: Window) -> None:
    for name, panel in window.panels.items():
        window.show_panel(name)
        rest(qtbot, window)
        qtbot.wait(20)
        assert panel.isVisible() and not panel.grab().isNull()
        assert [text for text in texts(window) if ODD.search(text)] == [], name


def messages(window: Window) -> list[str]:
    return [row.message.text for row in window.bar.rows]


def test_the_file_opens_and_the_window_says_why_nothing_can_be_split(qtbot: QtBot, kept_window: Window, tmp_path):
    frame("one").to_csv(tmp_path / "one.csv", index=False)
    window = kept_window
    window.resize(1280, 720)
    window.show()
    open_file(window.document, tmp_path / "one.csv", target="y")
    rest(qtbot, window)
    assert any("“yes” in every training row: the tree is a single leaf" in text for text in messages(window))
    assert window.document.tree is not None and window.document.tree.n_leaves == 1
    panel = window.panels["candidates"]
    assert isinstance(panel, CandidatesPanel)
    assert any("This leaf is pure" in text and "“yes”" in text for text in texts(panel))
    do(window, "grow_all")
    rest(qtbot, window)
    assert messages(window)[-1] == "The root cannot be split: all of its rows are “yes”."
    assert window.document.tree.n_leaves == 1


@pytest.mark.parametrize(("target", "validation"), crossed(["one", "declared", "number"], [0.0, 0.3]))
def test_every_panel_shows_the_leaf_and_a_split_by_hand(
    qtbot: QtBot, kept_window: Window, target: str, validation: float
):
    table = engine.Table.from_frame(frame(target), target="y")
    table = table.with_partition(validation=validation) if validation else table
    window = fill(qtbot, kept_window, table)
    document = window.document
    look_at_every_panel(qtbot, window)
    document.hand.split_by(0, engine.Split("x", "threshold", (3.0,)))
    rest(qtbot, window)
    assert document.tree.n_leaves == 2
    look_at_every_panel(qtbot, window)
    panel = window.panels["pruning"]
    assert isinstance(panel, PruningPanel)
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    for method in engine.METHODS:
        if not why_not(method, table) and (method != "generic" or validation):
            document.cutback.prune(method)
            rest(qtbot, window)
            window.show_panel("pruning")
            assert [text for text in texts(panel) if ODD.search(text)] == [], method
    for what in (judging.FOLDS, judging.BOOTSTRAP, judging.FOREST):
        window.show_panel("judge")
        run(qtbot, window.panels["judge"], judging.GROWN, what, 5)
    assert [text for text in texts(window.panels["judge"]) if ODD.search(text)] == []


@pytest.mark.parametrize("target", ["one", "declared", "number"])
def test_pictures_colours_searches_and_what_is_made_of_the_leaf(
    qtbot: QtBot, kept_window: Window, tmp_path: Path, target: str
):
    table = engine.Table.from_frame(frame(target), target="y").with_partition(validation=0.3)
    window = fill(qtbot, kept_window, table)
    document = window.document
    for verb in (
        "turn",
        *["next_colours"] * 8,
        "icicle",
        *["next_colours"] * 8,
        "icicle",
        "fit",
        "best_leaves",
        "minimap",
    ):
        do(window, verb)
        rest(qtbot, window)
        assert not window.canvas.grab().isNull()
    for criterion in (one.name for one in engine.criteria_for(table.task) if not one.name.startswith("binned")):
        document.set_search(criterion=criterion)
        rest(qtbot, window)
        assert not document.candidates_error
        assert [text for text in texts(window) if ODD.search(text)] == [], criterion
    for verb in ("go", "grow_all", "grow_level", "grow_branch", "split_here"):
        do(window, verb)
        rest(qtbot, window)
    for verb, name in (("hand_out", "node.html"), ("export_tree", "tree.json"), ("export_rules", "rules.txt"),
                       ("export_leaves", "leaves.csv")):  # fmt: skip
        seen = when_asked(type_path(tmp_path / name), QFileDialog)
        do(window, verb)
        qtbot.waitUntil(lambda seen=seen: bool(seen))
        rest(qtbot, window)
        assert (tmp_path / name).exists(), name
    assert "The rules" in reported(qtbot, window, tmp_path / "report.html")
