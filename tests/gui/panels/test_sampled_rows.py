"""With sampling weights, sums of weights are not called rows; frequencies are rows."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

import engine
from gui.panels.prune.table import formula
from gui.window.window import Window
from tests.gui.acting import do, fill, rest
from tests.gui.asked import when_asked

TIP = Qt.ItemDataRole.ToolTipRole


def table(role: str) -> engine.Table:
    """600 rows that weigh 0.75, 1.5 or 2.25, or stand for 1, 2 or 3; “g” decides the target for most, and is turned
    round on validation rows."""
    random = np.random.default_rng(0)
    n = 600
    times, g = random.integers(1, 4, n), random.choice(list("ab"), n)
    held_out = np.arange(n) % 3 == 0
    likely = np.where((g == "a") ^ held_out, 0.8, 0.2)
    frame = pd.DataFrame({"g": g, "x": random.normal(size=n), "w": times * (0.75 if role == "weight" else 1)})
    frame["part"] = np.where(held_out, "validate", "train")
    frame["y"] = np.where(random.random(n) < likely, "yes", "no")
    made = engine.Table.from_frame(frame, target="y", name="sample", roles={"w": role})
    return made.with_partition(column="part")


def said_of(qtbot: QtBot, window: Window, role: str) -> dict[str, str]:
    """What a person reads in some places of a tree of one split."""
    fill(qtbot, window, table(role))
    document = window.document
    split = engine.Split("g", "groups", groups=(("a",), ("b",)))
    document.hand.split_by(0, split)
    rest(qtbot, window)
    document.select(0)
    rest(qtbot, window)
    said = {}
    window.show_panel("figures")
    rest(qtbot, window)
    figures = window.panels["figures"]
    said["cells"] = figures.cells.itemText(0)
    said["cell"] = figures.matrices["train"].model.index(0, 0).data(TIP)
    window.show_panel("leaves")
    rest(qtbot, window)
    leaves = window.panels["leaves"].model
    titles = [column.title for column in leaves.columns]
    said["leaf"] = leaves.index(0, titles.index("yes")).data(TIP)
    candidates = {one.column: one for one in document.candidates}
    model = window.panels["candidates"]._model
    said["candidate"] = model.explanation(candidates["g"])
    window.show_panel("split_editor")
    rest(qtbot, window)
    plot = window.panels["split_editor"].plot
    said["axis"] = plot.getAxis("left").labelText
    said["level"] = window.panels["split_editor"].kind.at(0.0)
    said["pool"] = window.panels["split_editor"].levels_kind.controls.menu.rows.text()
    window.show_panel("why")
    rest(qtbot, window)
    said["why"] = window.panels["why"].text.toPlainText()
    document.select(int(document.tree.ids[document.tree.leaves[0]]))
    rest(qtbot, window)

    def read(dialog: QDialog) -> None:
        said["label"] = dialog.list.topLevelItem(2).text(1)
        dialog.reject()

    asked = when_asked(read, "pick_dialog")
    do(window, "label")
    assert asked
    return said


def test_sampling_weights_are_called_weights(qtbot: QtBot, kept_window: Window) -> None:
    said = said_of(qtbot, kept_window, "weight")
    assert said["cells"] == "Weight"
    assert re.match(r"Weight [\d,]+(\.\d)? of no is predicted no:", said["cell"])
    assert re.fullmatch(r"[\d,.]+ of weight [\d,.]+", said["leaf"])
    assert re.search(r"the validation rows \(weight [\d,.]+\)", said["candidate"])
    assert said["axis"] == "training weight"
    assert re.match(r"[ab]: training weight [\d,.]+, ", said["level"])
    assert re.search(r"[\d,.]+ effective rows", said["why"])
    assert re.fullmatch(r"weight [\d,.]+", said["label"])
    assert re.fullmatch(r"weight \d+", said["pool"])
    assert not any(re.search(r"\d\.\d (training |validation )?rows", text) for text in said.values())


def test_frequencies_are_called_rows(qtbot: QtBot, kept_window: Window) -> None:
    said = said_of(qtbot, kept_window, "frequency")
    weight = int(kept_window.document.tree.weight("train")[0])
    unseen = int(kept_window.document.tree.weight("validation")[0])
    assert said["cells"] == "Rows"
    assert re.match(r"\d+ rows of no are predicted no:", said["cell"])
    n, of = map(int, re.fullmatch(r"(\d+) of (\d+) rows", said["leaf"]).groups())
    assert 0 < n < of < weight
    assert f"the {unseen:,} validation rows" in said["candidate"]
    assert said["axis"] == "training rows"
    assert re.match(r"[ab]: \d+ training rows, ", said["level"])
    assert f"{weight:,} rows" in said["why"]
    assert re.fullmatch(r"\d+ rows", said["label"])
    assert re.fullmatch(r"\d+ rows", said["pool"])


@pytest.mark.parametrize("role", ["weight", "frequency"])
def test_a_report_tells_weights_from_rows(role: str, tmp_path: Path) -> None:
    sample = table(role)
    tree = engine.grow(sample, max_depth=1)
    engine.report(sample, tree, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    of_weight = "Training weight by actual and predicted class"
    assert (of_weight in text, "Training rows by actual and predicted class" in text) == (
        role == "weight", role == "frequency")  # fmt: skip
    engine.hand_out(sample, tree, 0, tmp_path / "node.html")
    text = (tmp_path / "node.html").read_text(encoding="utf-8")
    assert ("What its rows weigh" in text) == (role == "weight")


def test_bounds_count_rows_as_often_as_their_frequency_says() -> None:
    sample = table("frequency")
    tree = engine.grow(sample, max_depth=1)
    found = engine.prune(sample, tree, "mdl", code="notes")
    text = formula(found, 0, {"code": "notes"}, sample)
    step = found.steps[0]
    total = float(text.rpartition(" = ")[2])
    assert total == pytest.approx(engine.theory(sample, tree).description.bound, abs=5e-4)
    assert step.train_error < total < 1
