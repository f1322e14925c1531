"""The pruning panel, through mouse and keys."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPicture
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import engine
from engine.pruning.result import Step
from gui import theme
from gui.model.document import Document
from gui.model.editing.pruning_choices import SEQUENCE, Point
from gui.panels.prune.chart import LeavesAxis, PruningChart, error_range, stairs
from gui.panels.prune.drawing import CHOSEN, Drawing, Marker
from gui.panels.prune.panel import WITH_TABLE, PruningPanel
from gui.panels.prune.table import ALPHA, CROSS, LEAVES, VALIDATION, Entry, PruningModel, tree_words
from gui.widgets.fields import SENTENCE
from gui.wording import words
from tests.effort import crossed
from tests.frames import random_tree
from tests.gui.acting import rest

SEED, SPLITS = 4, 12


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> PruningPanel:
    made = PruningPanel(document)
    qtbot.addWidget(made)
    made.resize(1000, 320)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def planted(document: Document, panel: PruningPanel, flowers: engine.Table) -> PruningPanel:
    document.set_table(flowers, random_tree(flowers, SEED, SPLITS))
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    return panel


@pytest.fixture
def computed(qtbot: QtBot, document: Document, planted: PruningPanel) -> PruningPanel:
    planted.method.setCurrentIndex(planted.method.findData("cost_complexity"))
    qtbot.mouseClick(planted.compute, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.cutback.sequence is not None, timeout=60_000)
    assert len(document.cutback.sequence.steps) >= 4, "the tree of these tests must have something to cut back"
    return planted


def place(panel: PruningPanel, step: int, method: str = SEQUENCE) -> QPoint:
    return panel.chart.mapFromScene(panel.chart.place_of(Point(method, step)))


def row_of(panel: PruningPanel, step: int, method: str = SEQUENCE) -> int:
    """The row of a tree of the curves."""
    return panel.model.rows_of(Point(method, step))[0]


def drawn(steps: list[Step], chosen: int) -> Drawing:
    """A drawing of a sequence, the full tree first, and of its choice."""
    leaves, train, validation = (np.array([step[k] for step in reversed(steps)], np.float64) for k in range(3))
    nothing, empty = np.full(len(steps), np.nan), (np.zeros(0), np.zeros(0))
    step = steps[chosen]
    marker = Marker((Point(SEQUENCE, chosen),), ("Cost complexity",), step.leaves, step.validation_error, CHOSEN)
    order = np.arange(len(steps) - 1, -1, -1)
    return Drawing(
        SEQUENCE, order, leaves, train, validation, nothing, nothing, nothing, (leaves, train), empty,
        np.zeros(0, np.int64), (marker,), "error", True,
    )  # fmt: skip


def free_step(panel: PruningPanel) -> int:
    """A step of the curves where no method's choice stands."""
    chart, steps = panel.chart, panel._drawing.steps.tolist()
    points = [Point(SEQUENCE, step) for step in steps if step]
    return next(point.step for point in points if chart.point_at(chart.place_of(point)) == point)


def settle(qtbot: QtBot, document: Document) -> None:
    """Until every method has chosen."""
    qtbot.waitUntil(lambda: not document.cutback.choices.pending and not document.jobs.busy, timeout=60_000)


def wait_for_leaves(qtbot: QtBot, document: Document, step: int) -> None:
    leaves = document.cutback.sequence.steps[step].leaves
    qtbot.waitUntil(lambda: document.tree.n_leaves == leaves and not document.edits.running, timeout=60_000)


def test_without_a_table_the_panel_says_what_will_stand_there(panel: PruningPanel) -> None:
    assert panel.pages.currentWidget() is panel.empty
    assert "Open a table" in panel.empty.text()
    assert not panel.compute.isEnabled()


def test_a_single_leaf_cannot_be_pruned(panel: PruningPanel, document: Document, flowers: engine.Table) -> None:
    document.set_table(flowers)
    assert "single leaf" in panel.empty.text()
    assert not panel.compute.isEnabled()


def test_a_leaf_of_one_class_says_that_nothing_can_be_split(
    qtbot: QtBot, panel: PruningPanel, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers.take(np.flatnonzero(flowers.y == 0)))
    rest(qtbot, document)
    assert panel.empty.text() == "All training rows have the same target value: there is nothing to split."
    same = pd.DataFrame({"x": [1.0] * 20, "y": ["a", "b"] * 10})
    document.set_table(engine.Table.from_frame(same, target="y"))
    rest(qtbot, document)
    assert panel.empty.text() == "No column separates these rows: there is nothing to split."


def test_the_panel_begins_with_the_method_of_the_prune_button(
    document: Document, panel: PruningPanel, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    assert panel.method.currentData() == document.cutback.usual_method == "reduced_error"
    document.set_table(flowers.with_partition())
    assert panel.method.currentData() == document.cutback.usual_method == "cost_complexity"


def test_a_method_that_needs_validation_rows_is_greyed_without_them(
    panel: PruningPanel, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers.with_partition(validation=0.0))
    row = panel.method.findData("reduced_error")
    assert not panel.method.model().item(row).isEnabled()
    assert "validation rows" in panel.method.itemData(row, Qt.ItemDataRole.ToolTipRole)
    assert panel.method.currentData() == "cost_complexity"
    document.set_table(flowers)
    assert panel.method.model().item(panel.method.findData("reduced_error")).isEnabled()


def test_before_computing_the_panel_says_what_to_press(planted: PruningPanel) -> None:
    assert "Press Compute" in planted.empty.text()
    assert planted.compute.isEnabled()


def test_compute_draws_the_steps(computed: PruningPanel, document: Document) -> None:
    assert computed.pages.currentIndex() == 0
    curve = [entry for entry in computed.model.records if not entry.name]
    assert [entry.step.leaves for entry in curve] == [step.leaves for step in document.cutback.sequence.steps]
    assert computed.readout.text().startswith("Chosen: ")
    assert "training, 90 rows" in computed.legend.text()
    assert "validation ± SE, 30 rows" in computed.legend.text()


def test_every_method_that_is_not_greyed_computes(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    planted = computed
    document.cutback.tell("by_rule", "same_answer", True)
    for name in engine.METHODS:
        planted.method.setCurrentIndex(planted.method.findData(name))
        planted.method.activated.emit(planted.method.currentIndex())
        qtbot.waitUntil(lambda: document.cutback.sequence is not None, timeout=60_000)
        assert document.cutback.sequence.method == name == planted.method.currentData()


def test_hovering_tells_the_step_in_words(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    settle(qtbot, document)
    step = free_step(computed)
    qtbot.mouseMove(computed.chart.viewport(), place(computed, step))
    expected = tree_words(computed.model.entry_of(Point(SEQUENCE, step)), words.percent)
    qtbot.waitUntil(lambda: computed.readout.text() == expected)
    assert "training" in computed.readout.text()
    assert "validation" in computed.readout.text()
    computed.chart.hovered.emit(None)
    assert computed.readout.text().startswith("Chosen: ")


def test_a_click_puts_that_tree_on_the_canvas(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    settle(qtbot, document)
    for step in (2, 1):
        qtbot.mouseClick(computed.chart.viewport(), Qt.MouseButton.LeftButton, pos=place(computed, step))
        wait_for_leaves(qtbot, document, step)
    assert document.history.stack.count() == 1


def test_arrow_keys_walk_from_the_tree_on_the_canvas(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    last = len(document.cutback.sequence.steps) - 1
    computed.chart.setFocus()
    for key, step in (
        (Qt.Key.Key_Left, 1), (Qt.Key.Key_Left, 2), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Home, last), (Qt.Key.Key_End, 0),
    ):  # fmt: skip
        qtbot.keyClick(computed.chart, key)
        wait_for_leaves(qtbot, document, step)


def test_the_table_follows_the_walk(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    computed.resize(1000, 190)  # few rows are in view
    qtbot.mouseClick(computed.chart.viewport(), Qt.MouseButton.LeftButton, pos=place(computed, 0))
    computed.chart.setFocus()
    qtbot.keyClick(computed.chart, Qt.Key.Key_Home)
    last = len(document.cutback.sequence.steps) - 1
    wait_for_leaves(qtbot, document, last)
    row = row_of(computed, last)
    assert computed.table.currentIndex().row() == row
    assert computed.table.selectionModel().isRowSelected(row)
    assert computed.table.viewport().rect().contains(computed.table.visualRect(computed.table.currentIndex()).center())


def test_methods_explain_themselves(qtbot: QtBot, computed: PruningPanel) -> None:
    assert computed.method.toolTip() == engine.METHODS["cost_complexity"].explanation
    asked = [computed.method.itemData(row, SENTENCE) for row in range(computed.method.count())]
    assert asked == [method.explanation for method in engine.METHODS.values()]


def test_the_keys_stop_at_both_ends(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    computed.chart.setFocus()
    qtbot.keyClick(computed.chart, Qt.Key.Key_Right)
    assert not document.edits.running
    assert document.history.stack.count() == 0


def test_enter_in_the_table_puts_that_tree_on_the_canvas(
    qtbot: QtBot, computed: PruningPanel, document: Document
) -> None:
    computed.table.setFocus()
    computed.table.setCurrentIndex(computed.model.index(row_of(computed, 3), 0))
    qtbot.keyClick(computed.table, Qt.Key.Key_Return)
    wait_for_leaves(qtbot, document, 3)
    assert computed.model.index(row_of(computed, 3), LEAVES).data().startswith("▸ ")


def test_a_click_in_the_table_puts_that_tree_on_the_canvas(
    qtbot: QtBot, computed: PruningPanel, document: Document
) -> None:
    index = computed.model.index(row_of(computed, 3), 0)
    computed.table.scrollTo(index)
    where = computed.table.visualRect(index).center()
    qtbot.mouseClick(computed.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    wait_for_leaves(qtbot, document, 3)
    assert computed.model.index(row_of(computed, 3), LEAVES).data().startswith("▸ ")


def test_the_table_can_be_copied(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    settle(qtbot, document)
    qtbot.mouseClick(computed.copy, Qt.MouseButton.LeftButton)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[0][:3] == ["tree", "leaves", "training_error"]
    curve = [line for line in lines[1:] if not line[0]]
    assert [int(line[1]) for line in curve] == [step.leaves for step in document.cutback.sequence.steps]
    assert float(curve[0][2]) == document.cutback.sequence.steps[0].train_error
    choices = {line[0]: line[1] for line in lines[1:] if line[0]}
    assert choices.pop("By rule") == ""  # no rule is chosen
    for name, method in engine.METHODS.items():
        if method.label not in choices:
            continue
        made = document.cutback.choices.found[name]
        assert choices[method.label] == str(made.steps[made.chosen].leaves)


def test_a_log_axis_keeps_the_places_clickable(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    qtbot.mouseClick(computed.log, Qt.MouseButton.LeftButton)
    assert computed.log.isChecked()
    for step in range(len(document.cutback.sequence.steps)):
        found = computed.chart.point_at(computed.chart.place_of(Point(SEQUENCE, step)))
        assert found.step == step or found.method != SEQUENCE  # another method's choice may stand there


def test_another_edit_takes_the_chart_away(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    document.hand.collapse(0)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 1)
    assert computed.pages.currentWidget() is computed.empty


def test_another_theme_recolours(computed: PruningPanel) -> None:
    try:
        theme.set_mode("dark")
        assert theme.DARK.validation.name() in computed.legend.text()
    finally:
        theme.set_mode("light")
    assert theme.LIGHT.validation.name() in computed.legend.text()
    theme.set_mode("system")


def test_ten_thousand_steps_are_drawn_with_few_points(computed: PruningPanel) -> None:
    steps = [Step(10_000 - i, i / 10_000, math.sin(i / 1000) / 4 + 0.3, i / 1e6) for i in range(10_000)]
    computed.chart.draw(drawn(steps, 6000), False)
    sizes = [len(item.xData) for item in computed.chart.getPlotItem().items if hasattr(item, "xData")]
    assert len(sizes) == 2
    assert all(size <= 4000 for size in sizes)
    place = computed.chart.place_of(Point(SEQUENCE, 1234))
    assert computed.chart.point_at(place).step in range(1200, 1270)


def test_stairs_keep_each_error_until_the_next_tree() -> None:
    x, y = stairs(np.array([1.0, 2.0, 5.0]), np.array([0.5, 0.3, 0.1]))
    assert x.tolist() == [1, 2, 2, 5, 5]
    assert y.tolist() == [0.5, 0.5, 0.3, 0.3, 0.1]


def test_the_height_is_for_the_errors_that_differ() -> None:
    low, high = error_range(np.array([0.3, 0.25, 0.2]))
    assert 0.18 < low < 0.2 and 0.3 < high < 0.32, "not from 0"
    low, high = error_range(np.array([0.51, 0.12, 0.1, 0.11, 0.115]))
    assert 0.09 < low < 0.1 and 0.12 < high < 0.15, "the root does not flatten the rest"
    assert error_range(np.array([0.51, 0.12, 0.1, 0.11, 0.115]), marked=np.array([0.51]))[1] > 0.51, (
        "unless it is chosen"
    )
    low, high = error_range(np.array([0.9, 0.8, *np.linspace(0.2, 0.22, 60)]))
    assert 0.17 < low < 0.2 < 0.22 < high < 0.3
    low, high = error_range(np.array([0.5, 0.8, 0.82, 0.83, 0.81]))
    assert low > 0.7, "where more is better the root is far below"
    low, high = error_range(np.array([0.3, 0.26, 0.25, 0.27]), np.array([0.3, 0.1, 0.05, 0.01]))
    assert 0.05 < (high - low) < 2.5 * 0.05, "half of the height is for the errors that choose"
    assert error_range(np.array([0.3, 0.15, 0.02]))[0] == 0.0
    assert error_range(np.full(2, 0.4)) == (pytest.approx(0.3968), pytest.approx(0.4032))
    assert error_range(np.zeros(3)) == error_range(np.empty(0)) == (0.0, 1.0)


def test_the_table_says_what_is_chosen_and_leaves_unknown_figures_open(qapp: QApplication) -> None:
    step = Step(3, 0.1, math.nan, 0.0, 0.2, 0.01)
    shown = Entry(Point(SEQUENCE, 0), "Cost complexity", step, 0.1, math.nan, bold=True, priced=True)
    rows = PruningModel()
    rows.show([shown, Entry(None, "Reduced error", None, reason="It needs rows.")], "error", "error", SEQUENCE)
    texts = [rows.index(0, section).data() for section in range(rows.columnCount())]
    assert texts == ["Cost complexity", "3", "10.0 %", "–", "20.0 % ± 1.0 %", "0"]
    assert rows.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "chosen by the method"
    assert rows.index(0, 0).data(Qt.ItemDataRole.FontRole).bold()
    assert rows.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "It needs rows."
    assert rows.index(1, LEAVES).data() == ""


MOST, WIDTHS = (4, 700, 9_000, 62_000, 130_000, 1_300_000), (180, 240, 320, 470, 900)


def test_the_numbers_below_the_chart_never_touch(computed: PruningPanel) -> None:
    chart = computed.chart
    axis = chart.getAxis("bottom")
    ways = [*crossed([False], MOST, WIDTHS), *crossed([True], MOST, WIDTHS)]
    for (by_log, most, width), pixels in itertools.product(ways, (13, 17)):
        steps = [Step(most, 0.1, 0.3, 0.0), Step(most // 2, 0.2, 0.25, 0.1), Step(1, 0.5, 0.5, 0.2)]
        chart.resize(width, 220)
        axis.setTickFont(theme.font(pixels))
        chart.draw(drawn(steps, 1), by_log)
        chart.grab()
        picture = QPicture()
        painter = QPainter(picture)
        texts = sorted(axis.generateDrawSpecs(painter)[2], key=lambda spec: spec[0].left())
        painter.end()
        which = by_log, most, width, pixels, [text for _, _, text in texts]
        assert len(texts) >= (2 if width >= 240 else 1), which
        for (left, _, _), (right, _, _) in itertools.pairwise(texts):
            assert left.right() + 4 <= right.left(), which


def test_where_numbers_have_no_room_there_are_fewer_or_shorter_ones(qapp: QApplication) -> None:
    axis = LeavesAxis("bottom")
    axis.setTickFont(theme.font(13))
    for high, size, expected in (
        (62.0, 300.0, ["20", "40", "60"]),
        (62_000.0, 300.0, ["20,000", "40,000", "60,000"]),
        (82_000.0, 120.0, ["40,000", "80,000"]),
        (62_000.0, 110.0, ["20k", "40k", "60k"]),
        (1_300_000.0, 120.0, ["500k", "1M"]),
    ):
        [(spacing, marks)] = axis.tickValues(0.0, high, size)
        assert axis.tickStrings(marks, 1.0, spacing) == expected
    axis.by_log = True
    assert [round(10**mark) for mark in axis.tickValues(0.0, 1.5, 600.0)[0][1]] == [1, 2, 5, 10, 20]
    assert [round(10**mark) for mark in axis.tickValues(0.0, 4.8, 200.0)[0][1]] == [1, 100, 10_000]


def test_the_legend_says_how_many_trees_were_compared(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    before = document.edits.validation_trees
    for step in (2, 1):
        document.cutback.show(step)
        wait_for_leaves(qtbot, document, step)
        trees = before + len(document.cutback.sequence.steps)
        assert f"{trees} trees compared" in computed.legend.text()


@pytest.mark.parametrize("size", [(420, 300), (620, 300), (1000, 200)])
def test_the_names_of_the_choices_stand_above_the_plot_and_apart(
    qtbot: QtBot, computed: PruningPanel, document: Document, size: tuple[int, int]
) -> None:
    settle(qtbot, document)
    chart = computed.chart
    chart.resize(*size)
    qtbot.wait(1)
    inside = chart.getViewBox().sceneBoundingRect()
    boxes = [box for _, box in chart.markers.placed]
    assert boxes and any(name.marker is not None and name.marker.kind == CHOSEN for name, _ in chart.markers.placed)
    for box in boxes:
        assert box.left() >= -1 and box.right() <= inside.right() + 1
        assert box.top() >= 0 and box.bottom() <= inside.top(), "above the plot"
    for name, box in chart.markers.placed:
        assert box.left() - 1 <= name.pole.x() <= box.right() + 1, "beside its pole"
        assert not any(one.intersects(box) for one in boxes if one is not box)


def test_a_low_chart_keeps_its_lower_axis(qtbot: QtBot) -> None:
    chart = PruningChart()
    qtbot.addWidget(chart)
    chart.draw(drawn([Step(5, 0.1, 0.3, 0.0), Step(2, 0.2, 0.25, 0.1), Step(1, 0.5, 0.5, 0.2)], 1), False)
    chart.show()
    qtbot.waitExposed(chart)
    assert chart.minimumHeight() <= 120
    for height in (chart.minimumHeight(), 320):
        chart.resize(500, height)
        qtbot.wait(1)
        axis, box = chart.getAxis("bottom"), chart.getViewBox()
        assert axis.sceneBoundingRect().bottom() <= height
        assert axis.label.isVisible() == (height >= 150)
        assert box.sceneBoundingRect().height() >= 40


def test_a_small_panel_keeps_its_chart_and_one_line_of_figures(qtbot: QtBot, computed: PruningPanel) -> None:
    computed.resize(440, computed.minimumSizeHint().height())
    qtbot.wait(1)
    assert computed.chart.height() >= computed.chart.minimumHeight()
    assert computed.readout.height() < 2.5 * computed.readout.fontMetrics().height()
    assert computed.readout.shown().startswith("Chosen: ")
    assert re.search(r"\b(1 leaf|\d+ leaves)\b", computed.readout.shown())


def test_a_low_panel_has_one_line_for_the_legend(qtbot: QtBot, computed: PruningPanel, document: Document) -> None:
    settle(qtbot, document)
    assert "what each method chooses" in computed.legend.text() and not computed.legend.toolTip()
    full = computed.legend.text()
    computed.resize(620, 205)  # what a window of 1366 × 768 has for it
    qtbot.waitUntil(lambda: computed.legend.toolTip() == full)
    qtbot.waitUntil(lambda: computed.legend.height() < 1.8 * computed.legend.fontMetrics().height())
    assert "training, 90 rows" in computed.legend.text() and "validation ± SE, 30 rows" in computed.legend.text()
    computed.resize(620, 320)
    qtbot.waitUntil(lambda: computed.legend.text() == full)


def test_growth_shows_drops_and_says_that_nothing_judged_it(
    qtbot: QtBot, document: Document, panel: PruningPanel, flowers: engine.Table
) -> None:
    plain = flowers.with_partition()
    document.set_table(plain, engine.grow(plain))
    panel.method.setCurrentIndex(panel.method.findData("growth"))
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.cutback.sequence is not None)
    horizontal, shown = Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole
    assert panel.model.headerData(ALPHA, horizontal, shown) == "Drop"
    assert sum(not entry.name for entry in panel.model.records) == document.tree.n_leaves
    assert "drop 0" in panel.readout.text()
    assert "no validation rows to choose by" in panel.readout.text()
    document.cutback.open("cost_complexity")
    qtbot.waitUntil(
        lambda: document.cutback.sequence is not None and document.cutback.sequence.method == "cost_complexity"
    )
    assert panel.model.headerData(ALPHA, horizontal, shown) == "Alpha"


def test_costs_are_no_percentages(qtbot: QtBot, document: Document, panel: PruningPanel, flowers: engine.Table) -> None:
    """Neither what is read beside the chart, nor what cross-validation tells; and costs are called so, also where a
    plain tree stood before."""
    document.set_table(flowers, random_tree(flowers, SEED, SPLITS))
    assert panel.measure.currentData() == "error"
    rule = engine.LeafRule(costs=(("iris", "lily", 40.0), ("rose", "iris", 3.0)))
    table = flowers.with_partition(validation=0.0)
    document.set_table(table, random_tree(table, SEED, SPLITS).with_leaf_rule(table, rule))
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    panel.method.setCurrentIndex(panel.method.findData("cost_complexity"))
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.cutback.sequence is not None and not document.jobs.busy, timeout=60_000)
    told = [panel.model.index(row, CROSS).data() for row in range(panel.model.rowCount())]
    assert any("±" in text for text in told) and not any("%" in text for text in told)
    assert "cross-validated" in panel.readout.text() and "%" not in panel.readout.text()
    assert panel.measure.currentText() == "Cost" and not panel.table.isColumnHidden(CROSS)
    header = [panel.model.headerData(CROSS, Qt.Orientation.Horizontal, role) for role in (0, 3)]
    assert header[0] == "Cross-validated cost" and header[1].startswith("Cross-validated cost on the training rows")
    assert "its training cost + alpha" in panel.model.headerData(ALPHA, Qt.Orientation.Horizontal, 3)
    assert "\ttraining_cost\t" in panel.model.text([0]) and "\tcv_cost\t" in panel.model.text([0])
    document.cutback.show_point(Point("cost_complexity", document.cutback.sequence.chosen))
    qtbot.waitUntil(lambda: not document.edits.running and not document.jobs.busy, timeout=60_000)
    why = [document.cutback.why_cut(int(node)) for node in document.cutback.base.tree.ids]
    assert any(why) and all(text.startswith("Training cost") for text in why if text)
    panel.measure.setCurrentIndex(panel.measure.findData("log_loss"))
    panel.measure.activated.emit(panel.measure.currentIndex())
    assert panel.table.isColumnHidden(CROSS)  # it would be of costs, beside the log-loss


def test_profits_are_what_the_chart_begins_with(
    qtbot: QtBot, document: Document, panel: PruningPanel, flowers: engine.Table
) -> None:
    rule = engine.LeafRule(profits=(("iris", 12.0, 0.0), ("rose", -7.0, 1.0)), currency="EUR")
    document.set_table(flowers, random_tree(flowers, SEED, SPLITS).with_leaf_rule(flowers, rule))
    assert panel.measure.currentText() == "Profit"
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.cutback.sequence is not None and not document.jobs.busy, timeout=60_000)
    qtbot.waitUntil(lambda: "EUR" in panel.readout.text(), timeout=60_000)
    document.set_table(flowers, random_tree(flowers, SEED, SPLITS))
    assert panel.measure.currentText() == "Error" and panel.measure.findData("profit") < 0


def test_the_formula_of_the_method_has_the_numbers_of_the_tree(
    qtbot: QtBot, computed: PruningPanel, document: Document
) -> None:
    """Of the chosen one, then of the one that is pointed at."""
    settle(qtbot, document)
    steps = document.cutback.line[1].steps

    def numbers(step: Step) -> str:
        error, alpha = words.value(step.train_error), words.value(step.alpha)
        total = words.value(step.train_error + step.alpha * step.leaves)
        return f"training error + α · leaves = {error} + {alpha} · {step.leaves} = {total}"

    assert computed.formula.text() == numbers(document.cutback.sequence.steps[document.cutback.sequence.chosen])
    step = free_step(computed)
    qtbot.mouseMove(computed.chart.viewport(), place(computed, step))
    qtbot.waitUntil(lambda: computed.formula.text() == numbers(steps[step]))
    assert computed.formula.y() > computed.chart.y(), "below the chart"
    for name in ("reduced_error", "pessimistic", "generic", "mdl", "srm", "kearns_mansour", "greedy_validation"):
        document.cutback.open(name)
        qtbot.waitUntil(lambda: document.cutback.sequence is not None and not document.jobs.busy, timeout=60_000)
        assert re.search(r"\d", computed.formula.text()), name


@pytest.mark.parametrize("text_size", [100, 200])
def test_the_table_of_steps_has_no_horizontal_bar(
    qtbot: QtBot, computed: PruningPanel, document: Document, text_size: int
) -> None:
    settle(qtbot, document)
    try:
        theme.set_text_size(text_size)
        computed.resize(630, 250)  # what a window of 1280 × 720 has for it
        qtbot.wait(1)
        assert computed.table.isVisible() == (text_size == 100), "large letters leave all of the width to the chart"
        if computed.table.isVisible():
            assert computed.table.horizontalScrollBar().maximum() == 0
            for width in (630, WITH_TABLE * computed.fontMetrics().height()):  # in the narrowest one that shows it, too
                computed.resize(width, 250)
                qtbot.wait(1)
                assert computed.table.isVisible()
                assert not computed.table.isColumnHidden(LEAVES) and not computed.table.isColumnHidden(VALIDATION)
            computed.resize(630, 250)
        names = [name.text for name, _ in computed.chart.markers.placed]
        assert any(name.startswith("Cost complexity") for name in names)
        label = computed.chart.getAxis("left").label.document().begin().begin().fragment().charFormat()
        assert label.fontPointSize() == pytest.approx(QGuiApplication.font().pointSizeF(), abs=0.1)
    finally:
        theme.set_text_size(100)
