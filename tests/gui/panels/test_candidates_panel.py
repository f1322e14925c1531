"""The candidates panel, through mouse and keys."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QCursor, QFocusEvent, QFontMetrics, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.panels.this_node import words as say
from gui.panels.this_node.candidates import model
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.widgets.labels import readings, telling
from tests.gui.panels.ranked import candidate, cell, column, double_click, middle, settle


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


def test_without_a_table_the_panel_says_what_will_stand_there(panel: CandidatesPanel) -> None:
    assert panel.pages.currentWidget() is panel.empty
    assert "Open a table" in panel.empty.text()
    assert not panel.search.isVisible()


def test_candidates_stand_best_first(filled: CandidatesPanel, document: Document) -> None:
    assert column(filled, model.COLUMN) == [found.column for found in document.candidates]
    gains = [found.gain for found in document.candidates if found.split]
    assert gains == sorted(gains, reverse=True)
    assert filled.headline.text() == "Best splits · Gini"


def test_another_criterion_ranks_anew(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    before = column(filled, model.GAIN)
    document.set_search(criterion="entropy")
    settle(qtbot, document)
    assert filled.headline.text().endswith("· Entropy")
    assert column(filled, model.GAIN) != before


def test_the_best_is_looked_at_but_not_previewed_at_first(filled: CandidatesPanel, document: Document) -> None:
    assert filled.view.currentIndex().row() == 0
    assert document.candidate is document.candidates[0]
    assert document.preview is None


def test_a_candidate_chosen_elsewhere_is_selected(filled: CandidatesPanel, document: Document) -> None:
    document.ranking.choose(document.candidates[1])
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


def test_hovering_previews_and_leaving_takes_the_preview_away(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    qtbot.mouseClick(filled.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(filled, 0))
    qtbot.mouseMove(filled.view.viewport(), middle(filled, 1))
    qtbot.mouseMove(filled.view.viewport(), middle(filled, 1) + QPoint(3, 1))
    qtbot.waitUntil(lambda: document.preview is document.candidates[1])
    QApplication.sendEvent(filled.view, QEvent(QEvent.Type.Leave))
    assert document.preview is None
    assert document.candidate is document.candidates[0]


def test_the_preview_goes_when_a_menu_takes_the_event_that_the_mouse_left(
    qtbot: QtBot, filled: CandidatesPanel, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewport = filled.view.viewport()
    places = [viewport.mapToGlobal(middle(filled, 1))]
    monkeypatch.setattr(QCursor, "pos", staticmethod(lambda: places[-1]))
    filled.view.entered.emit(filled.view.model().index(1, 0))
    assert document.preview is document.candidates[1]
    closed = QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.PopupFocusReason)
    QApplication.sendEvent(filled.view, closed)
    assert document.preview is document.candidates[1]
    places.append(viewport.mapToGlobal(QPoint(-30, 20)))
    QApplication.sendEvent(filled.view, closed)
    assert document.preview is None


def test_the_preview_goes_when_the_candidates_change(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    document.set_preview(document.candidates[1])
    document.set_search(criterion="entropy")
    assert document.preview is None
    settle(qtbot, document)
    assert document.preview is None
    document.set_preview(document.candidates[1])
    document.set_search(criterion="gini")  # these are known already, and come at once
    assert document.preview is None


def tip_at(panel: CandidatesPanel, row: int, section: int) -> str:
    where = panel.view.visualRect(panel.view.model().index(row, section)).center()
    event = QHelpEvent(QEvent.Type.ToolTip, where, panel.view.viewport().mapToGlobal(where))
    QApplication.sendEvent(panel.view.viewport(), event)
    return QToolTip.text()


def test_a_tooltip_belongs_to_the_name_and_stands_above_the_row(filled: CandidatesPanel) -> None:
    assert tip_at(filled, 1, model.GAIN) == ""
    text = tip_at(filled, 1, model.COLUMN)
    whole = filled.view.model().index(1, model.COLUMN).data(Qt.ItemDataRole.ToolTipRole)
    assert text.split() == whole.split()
    tip = next(widget for widget in QApplication.topLevelWidgets() if widget.objectName() == "qtooltip_label")
    row = filled.view.visualRect(filled.view.model().index(1, 0))
    assert tip.geometry().bottom() <= filled.view.viewport().mapToGlobal(row.bottomLeft()).y()
    assert tip.width() <= filled.view.viewport().width()
    QToolTip.hideText()
    tip.hide()


def test_names_get_the_room_and_stay_apart(filled: CandidatesPanel, document: Document) -> None:
    names = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm")
    metrics = QFontMetrics(filled.view.font())
    filled.view.names.names = names
    filled.resize(428, 400)
    filled._share_width()
    room = filled.view.columnWidth(model.COLUMN)
    assert all(metrics.horizontalAdvance(name) + 8 <= room for name in names)


@pytest.mark.parametrize("room", range(44, 130, 3))
def test_shortened_names_are_not_the_same(qapp: QApplication, room: int) -> None:
    names = ("bill_length_mm", "bill_depth_mm", "body_mass_g", "year")
    metrics = QFontMetrics(qapp.font())
    shown = [telling(name, names, room, metrics) for name in names]
    if room >= 70:
        assert len(set(shown)) == len(names)
    for name, short in zip(names, shown, strict=True):
        assert metrics.horizontalAdvance(short) <= max(room, metrics.horizontalAdvance("…"))
        assert short == name or "…" in short


def test_names_that_differ_at_the_end_are_cut_at_the_front(qapp: QApplication) -> None:
    names = tuple(f"measurement_{i:04}" for i in range(2000))
    metrics = QFontMetrics(qapp.font())
    room = metrics.horizontalAdvance("measure_0000")
    assert readings(telling(names[1001], names, room, metrics), names, names[1001]) == 0


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
    said = [action.text() for action in filled.view.actions()]
    assert said == ["Split here", "Why this split?", "", "Exclude column below", "Lock column"]
    filled.verbs.split_here.trigger()
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert document.tree.split_at(0) == chosen


def choose_verb(qtbot: QtBot, panel: CandidatesPanel, document: Document, name: str, words: str) -> None:
    """Opens the context menu of the row of a column, and triggers what it offers in these words."""
    row = column(panel, model.COLUMN).index(name)
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.RightButton, pos=middle(panel, row))
    (action,) = [action for action in panel.view.actions() if action.text() == words]
    assert action.isEnabled()
    action.trigger()
    qtbot.waitUntil(lambda: not document.edits.running)
    settle(qtbot, document)


def test_the_context_menu_asks_why(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    with qtbot.waitSignal(filled.whyAsked):
        choose_verb(qtbot, filled, document, column(filled, model.COLUMN)[1], "Why this split?")
    assert document.candidate is document.candidates[1], "which the panel “Why” explains"


def test_the_context_menu_leaves_a_column_out_and_lets_it_in_again(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    document.accept(document.candidates[0])
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    settle(qtbot, document)
    document.select(0)
    settle(qtbot, document)
    choose_verb(qtbot, filled, document, "width", "Exclude column below")
    assert document.tree.mark(0).excluded == ("width",)
    assert document.history.steps[-1].text == "Exclude “width” below the root"
    document.select(1)
    settle(qtbot, document)
    row = column(filled, model.COLUMN).index("width")
    assert "left out below the root" in cell(filled, row, model.SPLIT)
    qtbot.mouseClick(filled.view.viewport(), Qt.MouseButton.RightButton, pos=middle(filled, row))
    assert not filled.verbs.split_here.isEnabled() and not filled.verbs.why.isEnabled()
    choose_verb(qtbot, filled, document, "width", "Include column again below the root")
    assert document.tree.mark(0).excluded == () and all(found.split for found in document.candidates)


def test_the_context_menu_locks_and_unlocks_a_column(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    choose_verb(qtbot, filled, document, "width", "Lock column")
    assert document.hand.locked_columns == ("width",)
    choose_verb(qtbot, filled, document, "width", "Unlock column")
    assert document.hand.locked_columns == ()


def test_a_node_that_is_split_shows_what_may_replace_its_split(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    made = document.candidates[0].split
    document.accept(document.candidates[0])
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    document.select(0)
    settle(qtbot, document)
    assert filled.headline.text().endswith(" · choosing one replaces length")
    assert filled.view.currentIndex().data(model.CANDIDATE).split == made
    assert filled.verbs.split_here.text() == "Replace the split"
    other = document.candidates[1].split
    double_click(qtbot, filled, 1)
    qtbot.waitUntil(lambda: document.tree.split_at(0) == other)


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
    assert not document.edits.running


def test_the_search_box_filters_by_name(qtbot: QtBot, filled: CandidatesPanel) -> None:
    qtbot.keyClicks(filled.search, "WID")
    assert column(filled, model.COLUMN) == ["width"]
    qtbot.keyClick(filled.search, Qt.Key.Key_Escape)
    assert not filled.search.text() and len(column(filled, model.COLUMN)) == 3


def test_what_was_looked_for_does_not_hide_the_list_of_another_node(
    qtbot: QtBot, filled: CandidatesPanel, document: Document
) -> None:
    qtbot.keyClicks(filled.search, "wid")
    double_click(qtbot, filled, 0)
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    settle(qtbot, document)
    assert document.selected != 0 and not filled.search.text()
    assert len(column(filled, model.COLUMN)) == 3


def test_a_split_that_is_not_listed_has_no_row(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    assert filled.view.currentIndex().isValid()
    best = document.candidates[0]
    other = replace(best, split=replace(best.split, thresholds=(best.split.thresholds[0] + 0.01,)))
    document.ranking.choose(other)
    assert not filled.view.currentIndex().isValid()
    assert not filled.remark.text()


def test_headers_sort_and_a_third_click_goes_back(qtbot: QtBot, filled: CandidatesPanel, document: Document) -> None:
    ranked = [found.column for found in document.candidates]
    header = filled.view.header()
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
    assert not document.edits.running
    assert document.preview is None


def test_many_branches_without_anything_to_find_do_not_gain_on_validation_rows() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"site": rng.integers(0, 90, 900), "y": rng.choice(["a", "b", "c"], 900)}).astype(str)
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    tree, levels = engine.Tree.root(table), table.column("site").levels
    each = engine.weigh(table, tree, 0, engine.Split("site", "groups", groups=tuple((one,) for one in levels)))
    assert each.gain > 0 > each.validation_gain
    assert "does not survive on the" in say.verdict(each, "gini")


def test_a_split_that_stands_the_other_way_round_on_validation_rows_says_so() -> None:
    def said(y: list[str] | list[float], kind: str, criterion: str) -> str:
        frame = pd.DataFrame({"x": [0] * 200 + [1] * 200 + [0] * 200 + [1] * 200, "y": y})
        frame["part"] = ["train"] * 400 + ["validation"] * 400
        table = engine.Table.from_frame(frame, "y", roles={"part": "ignore"}, kinds={"y": kind})
        table = table.with_partition(column="part")
        found = engine.candidates(table, engine.Tree.root(table), criterion=criterion)[0]
        return say.verdict(found, criterion, table.classes)

    there, reverse = ["a"] * 130 + ["b"] * 70 + ["a"] * 70 + ["b"] * 130, ["a"] * 70 + ["b"] * 130
    reverse += ["a"] * 130 + ["b"] * 70
    told = said(there + reverse, "nominal", "gini")
    assert told == "Reversed on the 400 validation rows: share of a 65.0 % | 35.0 % → 35.0 % | 65.0 %."
    assert said(there + there, "nominal", "gini") == ""
    numbers = [{"a": 1.0, "b": 3.0}[label] for label in there + reverse]
    assert "difference of the means 0.6 → −0.6" in said(numbers, "number", "squared_error")


def test_a_gain_that_does_not_survive_says_so() -> None:
    many = (np.array([300.0, 100.0]), np.array([100.0, 300.0]))

    def said(unseen: float, validation: tuple[np.ndarray, ...] = many, gain: float = 0.125) -> str:
        return say.verdict(replace(candidate(gain=gain, unseen=unseen), train=many, validation=validation), "gini")

    assert said(0.0).startswith("The gain does not survive on the")
    assert "Only 16.0 % of the gain survives" in said(0.02) and ": 0.02000; 0.1250" in said(0.02)
    assert said(0.04) == ""  # a third of it
    few = (np.array([1.0, 1.0]), np.array([2.0, 2.0]))
    assert "No gain on the 6 validation rows; too few to be sure" in said(0.0, few)
    assert said(math.nan) == ""
    assert "No gain yet" in said(0.0, gain=0.0)


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
    assert say.split_words(split, "number") == expected


@pytest.mark.parametrize("width", [330, 430, 640])
def test_training_and_validation_gain_are_in_view_at_every_width(
    qtbot: QtBot, filled: CandidatesPanel, width: int
) -> None:
    filled.resize(width, 400)
    for section in (model.COLUMN, model.SPLIT, model.GAIN, model.VALIDATION):
        place = filled.view.visualRect(filled.view.model().index(0, section))
        assert place.left() >= 0
        assert place.right() <= filled.view.viewport().width()


def test_lookahead_ranks_by_two_levels_and_shows_them(qtbot, document, panel, xor):
    document.set_table(xor)
    settle(qtbot, document)
    assert panel.view.isColumnHidden(model.AHEAD)
    document.set_search(lookahead=2)
    settle(qtbot, document)
    assert not panel.view.isColumnHidden(model.AHEAD)
    assert [cell(panel, 0, section) for section in (model.GAIN, model.AHEAD)] == ["no gain yet", "0.5000"]
    tip = panel.view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "No gain by itself, but the splits below its branches gain." in tip
    document.set_search(lookahead=None)
    settle(qtbot, document)
    assert panel.view.isColumnHidden(model.AHEAD)


def test_the_bars_draw_what_ranks(qtbot, document, panel, xor):
    document.set_table(xor)
    document.set_search(lookahead=2)
    settle(qtbot, document)
    index = panel.view.model().index(0, model.AHEAD)
    bar = panel.view.visualRect(index).adjusted(8, 0, -panel.view.bars.beside, 0)
    qtbot.waitUntil(lambda: ink_in(panel, bar) == QColor(theme.current().accent_text).rgb())
    plain = panel.view.visualRect(panel.view.model().index(0, model.GAIN))
    assert ink_in(panel, plain) != QColor(theme.current().accent_text).rgb()  # no gain by itself: no bar


def ink_in(panel, room):
    """The colour just right of the left edge, on the line of the bar."""
    picture = panel.view.viewport().grab().toImage()
    return picture.pixelColor(room.left() + 1, room.center().y() - 2).rgb()


def test_what_is_not_significant_is_grey_and_says_so(qtbot, document, panel):
    random = np.random.default_rng(3)
    y = random.random(200) < 0.5
    frame = pd.DataFrame({"noise": random.random(200), "told": y + random.random(200), "y": np.where(y, "a", "b")})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    document.set_search(significance=0.05)
    settle(qtbot, document)
    assert panel.headline.text().endswith("· significant: LogWorth of at least 1.60 (0.05 over 2 columns)")
    assert column(panel, model.COLUMN) == ["told", "noise"]
    cells = [panel.view.model().index(row, model.LOGWORTH) for row in range(2)]
    spoken = [str(index.data(Qt.ItemDataRole.AccessibleTextRole)) for index in cells]
    assert [text.endswith(", not significant") for text in spoken] == [False, True]
    assert cells[0].data(Qt.ItemDataRole.ForegroundRole) is None
    assert cells[1].data(Qt.ItemDataRole.ForegroundRole) == QColor(theme.current().secondary)
    assert "Not significant" in cells[1].data(Qt.ItemDataRole.ToolTipRole)
    panel.resize(425, 400)
    assert panel.view.visualRect(cells[0]).right() <= panel.view.viewport().width()
    document.set_search(significance=0.0)
    settle(qtbot, document)
    assert panel.headline.text().endswith("· no split is significant at 0")


def test_conditions_that_are_counted_stand_among_the_columns(qtbot, filled, document):
    document.set_search(m_of_n=True)
    settle(qtbot, document)
    row = column(filled, model.COLUMN).index("m of n")
    assert cell(filled, row, model.SPLIT).startswith(("any of {", "all of {", "at least "))
    double_click(qtbot, filled, row)
    qtbot.waitUntil(lambda: not document.jobs.busy and document.tree.n_leaves == 2)
    assert document.tree.split_at(0).kind == "m_of_n"
    document.select(0)
    settle(qtbot, document)
    assert " · choosing one replaces " in filled.headline.text()


def test_one_condition_alone_is_no_second_split_that_gains_as_much(qtbot, panel, document):
    frame = pd.DataFrame({"x": range(40), "z": [i * 7 % 11 for i in range(40)], "y": ["a"] * 21 + ["b"] * 19})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    settle(qtbot, document)
    alone = panel.plot.caption()
    document.set_search(m_of_n=True)
    settle(qtbot, document)
    row = column(panel, model.COLUMN).index("m of n")
    assert cell(panel, row, model.SPLIT) == "x ≤ 20.5" and row < 2
    tip = panel.view.model().index(row, model.SPLIT).data(Qt.ItemDataRole.ToolTipRole)
    assert "No further condition gained anything" in tip
    assert panel.plot.caption() == alone and "× the next" in alone
    assert "m of n" not in panel.plot.words() and len(panel.plot.gains) == 3


@pytest.mark.parametrize("unit", [1.0, 1e-9])
def test_what_is_nothing_but_rounding_is_shown_as_no_gain(qtbot, panel, document, unit):
    train = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]
    # On each side their mean is halfway between that of the branch, 3.5 or 13.5, and that of the node, 8.5.
    unseen = [5.9, 6.1, 5.7, 6.3, *[10.1, 11.4, 10.3, 12.2] * 2]
    frame = pd.DataFrame(
        {
            "x": [0] * 6 + [1] * 6 + [0] * 4 + [1] * 8,
            "y": np.array(train + unseen) * unit,
            "part": ["train"] * 12 + ["validation"] * 12,
        }
    )
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    assert unit < 1 or engine.candidates(table, engine.Tree.root(table))[0].validation_gain != 0
    document.set_table(table)
    settle(qtbot, document)
    assert cell(panel, 0, model.VALIDATION) == "0"
    assert cell(panel, 0, model.GAIN) != "no gain yet"  # however small the target's unit is
    assert document.candidate.validation_gain == 0
