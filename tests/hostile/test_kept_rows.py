"""Rows that are kept for the test tell nothing before they are looked at: two tables that differ in nothing but the
targets of their test rows make the same trees, figures, files, messages and windows."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QTextEdit,
    QWidget,
)

import engine
from engine.pruning import METHODS
from gui.window.window import Window
from tests import effort
from tests.engine.command.running import run
from tests.gui.acting import do, rest
from tests.gui.conftest import at_once, compiled, home, make, nothing_left, window, windows  # noqa: F401

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
LOOKED_AT = 400 if effort.full else 100  # rows of a list
TASKS = pytest.mark.parametrize("task", ["classes", "number"])


def frames(task: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two frames whose 300 rows differ in the targets of the test rows alone."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({
        "age": random.integers(18, 80, 300), "income": random.lognormal(10, 1, 300).round(),
        "city": random.choice(["Ulm", "Bonn", "Kiel"], 300), "name": [f"p{i}" for i in range(300)],
    })  # fmt: skip
    score = frame.age / 20 + (frame.city == "Ulm") + random.normal(size=300)
    frame["y"] = np.where(score > 3, "yes", "no") if task == "classes" else score.round(3)
    kept = divided(frame).part == engine.TEST
    assert 30 < kept.sum() < 120
    other = frame.copy()
    other.loc[kept, "y"] = "yes" if task == "classes" else 123456.789
    assert (other.y != frame.y).any() and (other.y == frame.y)[~kept].all()
    return frame, other


def divided(frame: pd.DataFrame) -> engine.Table:
    return engine.Table.from_frame(frame, target="y", roles={"name": "key"}).with_partition(0.25, 0.25, seed=1)


@TASKS
def test_trees_and_figures_are_the_same(task, tmp_path):
    def said(frame: pd.DataFrame) -> list[object]:
        table = divided(frame)
        tree = engine.grow(table)
        one = table.columns[0].name
        recipe = engine.Recipe({"preset": "ctree", "max_depth": 3})
        found: list[object] = [
            "".join(written(tree, tmp_path)),
            [(c.column, c.gain, c.validation_gain, c.logworth, c.reason) for c in engine.candidates(table, tree, 0)],
            engine.gain_curve(table, tree, 0, one).gains.tolist(),
            [engine.assess(table, tree, part).error for part in ("train", "validation")],
            engine.cross_validate(table, recipe, folds=3).mean,
            engine.bootstrap(table, recipe, samples=5).errors.tolist(),
            engine.forest(table, trees=5).out_of_bag_error,
            table.with_partition(0.5, seed=4).part.tolist(), table.notes,
        ]  # fmt: skip
        for name, method in METHODS.items():
            if task == "classes" or not method.classes_only:
                cut = engine.prune(table, tree, name)
                chosen = "".join(written(cut.tree(cut.chosen), tmp_path))
                found.append((name, cut.chosen, [step.leaves for step in cut.steps], chosen))
        return found

    for one, other in zip(*map(said, frames(task)), strict=True):
        assert one == other


def written(tree: engine.Tree, folder: Path) -> Iterator[str]:
    for suffix in (".json", ".txt"):
        engine.export(tree, folder / f"t{suffix}")
        yield (folder / f"t{suffix}").read_text()


@TASKS
def test_the_command_line_says_the_same(task, capsys, tmp_path):
    def said(frame: pd.DataFrame) -> list[str]:
        frame.to_csv(tmp_path / "t.csv", index=False)
        words = [tmp_path / "t.csv", "--target", "y", "--no-window", "--validation", "0.25", "--test", "0.25", "--seed",
                 "1", "--key", "name", "--prune", "reduced-error"]  # fmt: skip
        for suffix in ("json", "svg", "txt", "html"):
            words += ["--export", tmp_path / f"t.{suffix}"]
        code, out, err = run(capsys, *words)
        assert (code, err) == (0, "")
        opened = run(capsys, *words, "--look-at-test")[1]
        looked = re.search("^test .*$", opened, re.MULTILINE)
        assert looked
        told.append(looked[0])
        return [out, *((tmp_path / f"t.{suffix}").read_text() for suffix in ("svg", "txt", "html"))]

    told: list[str] = []
    assert said(frames(task)[0]) == said(frames(task)[1])
    assert told[0] != told[1], "they differ, and the look tells it"


@TASKS
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_window_shows_the_same(qtbot, make, task):  # noqa: F811
    """All panels after growing, pruning, following rows and dividing again; then the look, which differs."""
    shown = [list(walk(qtbot, make(), divided(frame))) for frame in frames(task)]
    assert len(shown[0]) > 10
    for one, other in zip(*(texts[:-1] for texts in shown), strict=True):
        assert one == other
    assert shown[0][-1] != shown[1][-1]


def walk(qtbot, shown: Window, table: engine.Table) -> Iterator[list[str]]:
    document = shown.document
    document.set_table(table)
    rest(qtbot, shown)
    document.tree_edits.grow_all()
    rest(qtbot, shown)
    kept = int(np.flatnonzero(table.part == engine.TEST)[0])

    def follow_row() -> None:
        document.following.follow_row(kept)

    acts = {
        "grown": lambda: None,
        "condition": lambda: document.following.follow_where("age > 20"),
        "wrong": document.following.follow_wrong,
        "here": lambda: document.following.follow_nodes((0,)),
        "row": follow_row,
        "divided": lambda: document.table_edits.set_partition(validation=0.4, seed=9),
        "pruned": lambda: document.cutback.open("cost_complexity"),
        "target": lambda: document.table_edits.set_kind("income", "nominal"),
    }
    for act in acts.values():
        act()
        rest(qtbot, shown)
        yield texts(shown)
        assert document.following.row != kept
    for name, panel in shown.panels.items():
        shown.show_panel(name)
        rest(qtbot, shown)
        yield [name, *texts(panel)]
    yield texts(shown)  # all of them are filled by now
    document.look_at_test()
    rest(qtbot, shown)
    do(shown, "follow_wrong")
    rest(qtbot, shown)
    yield texts(shown)


def texts(shown: QWidget) -> list[str]:
    """Everything that a window or a panel says, in one order, without how long something took and names of copies."""
    QApplication.processEvents()
    found = [of for widget in [shown, *shown.findChildren(QWidget)] for of in said_by(widget)]
    return [text for text in found if text and not re.search(r" ms| s\)|Writing [0-9a-f]+\.espalier", text)]


def said_by(widget: QWidget) -> Iterator[str]:
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
    match widget:
        case QLabel() | QAbstractButton() | QLineEdit():
            yield widget.text()
        case QGroupBox():
            yield widget.title()
        case QTextEdit():
            yield widget.toPlainText()
    if isinstance(widget, QAbstractItemView | QComboBox) and (model := widget.model()) is not None:
        above = [QModelIndex()]
        while above:
            parent = above.pop()
            for row in range(min(model.rowCount(parent), LOOKED_AT)):
                for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
                    index = model.index(row, column, parent)
                    yield from (str(index.data(role) or "") for role in ROLES)
                above.append(model.index(row, 0, parent))
