"""The candidates panel, through mouse and keys."""

import math

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.document import Document
from gui.panels import candidate_model as model
from gui.panels.candidates import CandidatesPanel


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> CandidatesPanel:
    made = CandidatesPanel(document)
    qtbot.addWidget(made)
    made.resize(640, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def filled(qtbot: QtBot, document: Document, panel: CandidatesPanel, flowers: engine.Table) -> CandidatesPanel:
    document.set_table(flowers)
    settle(qtbot, document)
    return panel


def settle(qtbot: QtBot, document: Document) -> None:
    qtbot.waitUntil(lambda: not document.jobs.busy and document.candidates is not None, timeout=60_000)


def cell(panel: CandidatesPanel, row: int, section: int) -> str:
    return str(panel.view.model().index(row, section).data() or "")


def column(panel: CandidatesPanel, section: int) -> list[str]:
    return [cell(panel, row, section) for row in range(panel.view.model().rowCount())]


def middle(panel: CandidatesPanel, row: int) -> QPoint:
    return panel.view.visualRect(panel.view.model().index(row, 0)).center()


def double_click(qtbot: QtBot, panel: CandidatesPanel, row: int) -> None:
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, row))
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, row))


def candidate(split: engine.Split | None = None, *, gain: float = 0.25, unseen: float = math.nan, reason: str = ""):
    split = split or (None if reason else engine.Split("age", "threshold", (42.5,)))
    stats = (np.array([3.0, 1.0]), np.array([1.0, 3.0]))
    return engine.Candidate(
        column="age", split=split, gain=gain, scores={}, logworth=1.5, validation_gain=unseen, train=stats,
        validation=stats, rows=(4, 4), missing=0, reason=reason,
    )  # fmt: skip


def test_without_a_table_the_panel_says_what_will_stand_there(panel: CandidatesPanel) -> None:
    assert panel.pages.currentWidget() is panel.empty
    assert "Open a table" in panel.empty.text()
    assert not panel.search.isVisible()


def test_candidates_stand_best_first(filled: CandidatesPanel, document: Document) -> None:
    assert column(filled, model.COLUMN) == [found.column for found in document.candidates]
    gains = [found.gain for found in document.candidates if found.split]
    assert gains == sorted(gains, reverse=True)
    assert filled.headline.text() == "Best split of every column at the root · Gini"


def test_another_criterion_ranks_anew(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    before = column(filled, model.GAIN)
    document.set_criterion("entropy")
    settle(qtbot, document)
    assert filled.headline.text().endswith("· Entropy")
    assert column(filled, model.GAIN) != before


def test_the_best_is_looked_at_but_not_previewed_at_first(filled: CandidatesPanel, document: Document) -> None:
    assert filled.view.currentIndex().row() == 0
    assert document.candidate is document.candidates[0]
    assert document.preview is None


def test_a_candidate_chosen_elsewhere_is_selected(filled: CandidatesPanel, document: Document) -> None:
    document.select_candidate(document.candidates[1])
    assert filled.view.currentIndex().row() == 1
    assert document.preview is None


def test_a_click_selects_and_previews_and_escape_withdraws(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    qtbot.mouseClick(filled.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(filled, 1))
    assert document.candidate is document.candidates[1]
    assert document.preview is document.candidates[1]
    qtbot.keyClick(filled.view, Qt.Key.Key_Escape)
    assert document.preview is None
    assert document.candidate is document.candidates[1]


def test_arrow_keys_walk_through_the_previews(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    filled.view.setFocus()
    qtbot.keyClick(filled.view, Qt.Key.Key_Down)
    assert document.preview is document.candidates[1]
    qtbot.keyClick(filled.view, Qt.Key.Key_Up)
    assert document.preview is document.candidates[0]


def test_hovering_previews_and_leaving_goes_back_to_what_was_chosen(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    qtbot.mouseClick(filled.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(filled, 0))
    qtbot.mouseMove(filled.view.viewport(), middle(filled, 1))
    qtbot.mouseMove(filled.view.viewport(), middle(filled, 1) + QPoint(3, 1))
    qtbot.waitUntil(lambda: document.preview is document.candidates[1])
    filled.view.left.emit()
    assert document.preview is document.candidates[0]


def test_a_double_click_splits(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    chosen = document.candidates[0].split
    double_click(qtbot, filled, 0)
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert document.tree.split_at(0) == chosen
    assert document.preview is None


def test_enter_splits_by_the_row_with_the_focus(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    chosen = document.candidates[1].split
    filled.view.setFocus()
    qtbot.keyClick(filled.view, Qt.Key.Key_Down)
    qtbot.keyClick(filled.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert document.tree.split_at(0) == chosen


def test_the_context_menu_splits(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    chosen = document.candidates[1].split
    qtbot.mouseClick(filled.view.viewport(), Qt.MouseButton.RightButton, pos=middle(filled, 1))
    assert [action.text() for action in filled.view.actions()] == ["Split here"]
    filled.split_here.trigger()
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert document.tree.split_at(0) == chosen


def test_a_node_that_is_split_says_so(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    document.accept(document.candidates[0])
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    document.select(0)
    settle(qtbot, document)
    assert filled.pages.currentWidget() is filled.empty
    assert "split already" in filled.empty.text()


def test_a_pure_leaf_says_so(qtbot: QtBot, panel: CandidatesPanel, document: Document) -> None:
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "y": ["no", "no", "yes", "yes"]})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    settle(qtbot, document)
    document.accept(document.candidates[0])
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    document.select(int(document.tree.ids[1]))
    settle(qtbot, document)
    assert "nothing to gain" in panel.empty.text()
    assert "“no”" in panel.empty.text()


def test_zero_gain_may_be_chosen(qtbot: QtBot, panel: CandidatesPanel, document: Document, xor: engine.Table) -> None:
    document.set_table(xor)
    settle(qtbot, document)
    assert column(panel, model.GAIN) == ["no gain yet", "no gain yet"]
    double_click(qtbot, panel, 0)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)


def test_an_unusable_column_stands_last_with_its_reason(
    qtbot: QtBot, panel: CandidatesPanel, document: Document
) -> None:
    frame = pd.DataFrame({"same": [1.0] * 6, "x": range(6), "y": list("aabbab")})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    settle(qtbot, document)
    last = document.candidates[-1]
    assert column(panel, model.COLUMN) == ["x", "same"]
    assert last.split is None
    assert cell(panel, 1, model.SPLIT) == last.reason != ""
    index = panel.view.model().index(1, model.SPLIT)
    assert last.reason in index.data(Qt.ItemDataRole.ToolTipRole)
    assert index.data(Qt.ItemDataRole.ForegroundRole) == QColor(theme.current().secondary)
    double_click(qtbot, panel, 1)
    assert not document.editing


def test_the_search_box_filters_by_name(qtbot: QtBot, filled: CandidatesPanel) -> None:
    qtbot.keyClicks(filled.search, "WID")
    assert column(filled, model.COLUMN) == ["width"]
    filled.search.clear()
    assert len(column(filled, model.COLUMN)) == 3


def test_headers_sort_and_a_third_click_goes_back(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    ranked = [found.column for found in document.candidates]
    header = filled.view.horizontalHeader()
    where = QPoint(header.sectionViewportPosition(model.COLUMN) + 12, header.height() // 2)
    seen = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
        seen.append(column(filled, model.COLUMN))
    assert sorted(ranked) in seen
    assert sorted(ranked, reverse=True) in seen
    assert seen[2] == ranked


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_unusable_ones_stay_last_however_it_is_sorted(qapp: object, order: Qt.SortOrder) -> None:
    rows, sorted_rows = model.CandidateModel(), model.CandidateOrder()
    sorted_rows.setSourceModel(rows)
    rows.show([candidate(gain=0.5), candidate(gain=0.1), candidate(reason="one value only", gain=math.nan)], {})
    for section in range(len(model.HEADERS)):
        sorted_rows.sort(section, order)
        assert sorted_rows.index(2, 0).data(model.CANDIDATE).split is None


def test_while_searching_the_old_rows_are_greyed_and_do_nothing(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    filled._model.set_stale(True)
    index = filled.view.model().index(0, model.GAIN)
    assert index.data(Qt.ItemDataRole.ForegroundRole) == QColor(theme.current().secondary)
    double_click(qtbot, filled, 0)
    assert not document.editing
    assert document.preview is None


def test_a_gain_that_does_not_survive_says_so() -> None:
    assert "does not survive" in model.verdict(candidate(unseen=-0.01))
    assert "Only 20.0 %" in model.verdict(candidate(unseen=0.05))
    assert model.verdict(candidate(unseen=0.24)) == ""
    assert model.verdict(candidate()) == ""
    assert "No gain yet" in model.verdict(candidate(gain=0.0))


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (engine.Split("a", "threshold", (42.5,)), "≤ 42.5"),
        (engine.Split("a", "threshold", (math.inf,), missing=1), "present | missing"),
        (engine.Split("a", "threshold", (1.0, 2.0)), "≤ 1 | in (1, 2] | > 2"),
        (engine.Split("a", "groups", groups=(("Biscoe",), ("Dream", "Torgersen"))), "{Biscoe} | {Dream, Torgersen}"),
        (engine.Split("a", "groups", groups=(("p",), ("q",), ("r",))), "each of p, q, r"),
        (engine.Split("a", "groups", groups=(("p", "q"), ()), missing=1), "{p, q} | missing"),
        (engine.Split("a", "groups", groups=(tuple("abcdef"), ("z",))), "{a, b, c, … (6 levels)} | {z}"),
    ],
)
def test_splits_in_words(split: engine.Split, expected: str) -> None:
    assert model.split_words(split, "number") == expected


@pytest.mark.parametrize("width", [330, 430, 640])
def test_training_and_validation_gain_are_in_view_at_every_width(
    qtbot: QtBot, filled: CandidatesPanel, width: int
) -> None:
    filled.resize(width, 400)
    for section in (model.COLUMN, model.SPLIT, model.GAIN, model.VALIDATION):
        place = filled.view.visualRect(filled.view.model().index(0, section))
        assert place.left() >= 0
        assert place.right() <= filled.view.viewport().width()
