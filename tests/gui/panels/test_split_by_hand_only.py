"""Columns for which the search has no split: the editor shows them, says why, and lets a person cut where that is
no more than a limit of the search."""

import math

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.this_node.candidates import model
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.split.draft import start
from gui.panels.this_node.split.editor import SplitEditor
from tests.gui.panels.splitting import drag, settle, spot

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bench(qtbot: QtBot, document: Document) -> QSplitter:
    """List and editor, side by side."""
    made = QSplitter()
    made.addWidget(CandidatesPanel(document))
    made.addWidget(SplitEditor(document))
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    qtbot.waitExposed(made)
    return made


def scarce() -> engine.Table:
    """Forty rows: a number that differs in three rows only, levels of which one is rare, one value, no value."""
    rows = np.arange(40)
    frame = pd.DataFrame(
        {
            "rest": rows,
            "rare": np.where(rows < 3, rows, 50.0),
            "colour": np.where(rows < 2, "red", "blue"),
            "same": 1.0,
            "void": np.full(40, np.nan),
            "y": np.where(rows < 12, "yes", "no"),
        }
    )
    return engine.Table.from_frame(frame, target="y")


def open_scarce(qtbot: QtBot, document: Document) -> None:
    document.set_table(scarce())
    document.set_search(min_leaf=5)
    settle(qtbot, document)


def click(qtbot: QtBot, bench: QSplitter, document: Document, column: str) -> SplitEditor:
    """Clicks the row of a column in the list; the editor that shows it."""
    panel, editor = bench.widget(0), bench.widget(1)
    rows = panel.view.model()
    index = next(rows.index(i, 0) for i in range(rows.rowCount()) if rows.index(i, 0).data() == column)
    place = panel.view.visualRect(index.siblingAtColumn(model.SPLIT)).center()
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=place)
    assert document.candidate.column == column
    settle(qtbot, document)
    return editor


def test_a_cut_that_a_limit_forbids_the_search_is_shown_and_made_by_hand(qtbot, bench, document) -> None:
    open_scarce(qtbot, document)
    editor = click(qtbot, bench, document, "rare")
    assert document.candidate.split is None and document.preview is None
    assert "fewer than 5: the search may not make it, you may." in editor.readout.text()
    assert np.isfinite(editor.draft.curve.gains).all()  # the curve of the cuts that are forbidden
    assert editor.title.text() == "rare ≤ 26"
    drag(editor, spot(editor, 26), spot(editor, 1.4), spot(editor, 0.6))
    assert editor.title.text() == "rare ≤ 0.5"
    assert editor.readout.text().startswith("A branch has 1 row, fewer than 5:")
    qtbot.keyClick(editor.plot, Qt.Key.Key_Escape)
    assert editor.title.text() == "rare ≤ 26"
    qtbot.mouseClick(editor.split, LEFT)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    assert document.tree.split_at(0).thresholds == (26.0,)
    assert sorted(document.tree.rows_train[1:].tolist()) == [3, 37]


def test_levels_that_a_limit_forbids_the_search_are_grouped_by_hand(qtbot, bench, document) -> None:
    open_scarce(qtbot, document)
    editor = click(qtbot, bench, document, "colour")
    assert editor.readout.text() == "A branch has 2 rows, fewer than 5: the search may not make it, you may."
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    assert sorted(document.tree.rows_train[1:].tolist()) == [2, 38]


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ("same", "Only one value here: nothing separates the rows."),
        ("void", "All values are missing here: nothing separates the rows."),
    ],
)
def test_a_column_that_parts_nothing_is_drawn_and_says_so(qtbot, bench, document, column, why) -> None:
    open_scarce(qtbot, document)
    editor = click(qtbot, bench, document, column)
    assert editor.pages.currentIndex() == 0 and editor.plot.bars.totals.sum() == 40
    assert editor.readout.text() == why
    assert editor.draft is None and not editor.split.isVisible()
    click(qtbot, bench, document, "rest")  # and back to what can be split
    assert editor.split.isVisible() and editor.readout.text() == ""


def test_a_locked_column_is_shown_and_stays_locked(qtbot, bench, document) -> None:
    open_scarce(qtbot, document)
    document.hand.lock_columns(("rest",))
    qtbot.waitUntil(lambda: bool(document.candidates) and any(one.reason == "locked" for one in document.candidates))
    editor = click(qtbot, bench, document, "rest")
    assert editor.readout.text() == "“rest” is locked: unlock it (Ctrl+K) to split by it."
    assert editor.draft is None and not editor.split.isVisible()
    assert len(editor.plot.gains.addedItems) > 0  # the curve


def test_words_do_not_make_the_plot_scroll(qtbot, bench, document) -> None:
    open_scarce(qtbot, document)
    editor = click(qtbot, bench, document, "rare")
    bench.resize(1000, 385)
    page = editor.pages.currentWidget()
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() == 0)
    editor.resize(300, editor.height())
    assert editor.readout.isVisible() and editor.readout.height() >= editor.readout.heightForWidth(300)
    assert page.verticalScrollBar().maximum() == 0


def test_the_arrow_keys_come_to_what_cannot_be_used(qtbot, bench, document) -> None:
    open_scarce(qtbot, document)
    panel = bench.widget(0)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    assert document.candidate.split is None
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)  # nothing to accept
    settle(qtbot, document)
    assert document.tree.n_leaves == 1


@pytest.mark.parametrize("criterion", ["gini", "gain_ratio", "absolute_error", "squared_error"])
@pytest.mark.parametrize("column", ["rare", "colour"])
def test_the_first_split_by_hand_is_the_best_without_limits(criterion, column) -> None:
    rows = np.arange(40)
    frame = pd.DataFrame({"rare": np.where(rows < 3, rows, 50.0), "colour": np.where(rows < 2, "red", "blue")})
    by_class = criterion in ("gini", "gain_ratio")
    target = np.where(rows < 12, "yes", "no") if by_class else rows**2 / 7
    table = engine.Table.from_frame(frame.assign(y=target), target="y")
    root = engine.Tree.root(table)
    curve = engine.gain_curve(table, root, 0, column, criterion=criterion, min_leaf=1)
    begun = start(curve)
    best = next(one for one in engine.candidates(table, root, criterion=criterion) if one.column == column)
    if criterion == "absolute_error" and column == "colour":  # only the rows know the gain of groups
        assert math.isnan(begun.gain) and set(begun.split.groups) == set(best.split.groups)
        return
    assert begun.gain == pytest.approx(best.gain)
    assert set(begun.rows) == set(best.rows)
