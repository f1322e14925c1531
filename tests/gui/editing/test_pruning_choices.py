"""What all methods choose, on one chart: found in the background, clicked, walked to, told options, measured anew."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider

import engine
from engine.pruning import METHODS, OPTIONS, chosen_by_validation
from engine.pruning.metrics import curve, figure
from gui import theme
from gui.model.editing.pruning_choices import FRONT, NO_RULE, SEQUENCE, STOPPED, Point, outline
from gui.panels.prune import drawing as pruning_metric
from gui.panels.prune.drawing import CHOSEN
from gui.panels.prune.hover import HEIGHT, WIDTH, picture
from gui.panels.prune.table import CROSS
from gui.panels.words.node import NodePanel
from gui.wording import phrases
from tests.frames import random_tree
from tests.gui.editing.choosing import SEED, SPLITS, chosen, click, open_panel, settle


@pytest.fixture
def panel(qtbot, document, flowers):
    made = open_panel(qtbot, document, flowers)
    QTest.mouseClick(made.compute, Qt.MouseButton.LeftButton)
    settle(qtbot, document)
    return made


def test_every_method_that_can_work_has_a_marker(panel, document):
    marked = {point.method for marker in panel._drawing.markers for point in marker.points}
    assert set(METHODS) <= marked
    for marker in panel._drawing.markers:
        for point in marker.points:
            assert document.cutback.choices.found.get(point.method) is None or marker.leaves > 0
    [current] = [marker for marker in panel._drawing.markers if marker.kind == CHOSEN]
    assert current.points[0].method == document.cutback.method == "reduced_error"


def test_a_click_on_a_marker_shows_that_tree(qtbot, panel, document):
    for marker in panel._drawing.markers:
        method = marker.points[0].method
        click(panel, marker.points[0])
        settle(qtbot, document)
        assert document.tree.n_leaves == marker.leaves, method


def test_a_click_on_the_words_of_a_marker_shows_its_tree(qtbot, panel, document):
    placed = [(name.marker, box) for name, box in panel.chart.markers.placed if name.marker is not None]
    assert placed
    marker, box = placed[-1]
    middle = box.center().toPoint()
    QTest.mouseClick(panel.chart.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    settle(qtbot, document)
    assert document.tree.n_leaves == marker.leaves


def test_a_click_on_a_dot_of_the_front_shows_its_tree(qtbot, panel, document):
    front, chart = document.cutback.choices.found[FRONT], panel.chart
    free = [Point(FRONT, i) for i in range(len(front.steps))]
    free = [point for point in free if chart.point_at(chart.mapToScene(_dot(panel, point))) == point]
    assert free
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, _dot(panel, free[0]))
    settle(qtbot, document)
    assert document.tree.n_leaves == front.steps[free[0].step].leaves
    assert document.tree.error("train") == pytest.approx(front.steps[free[0].step].train_error)


def _dot(panel, point):
    drawn = panel._drawing
    k = int(np.flatnonzero(drawn.front_steps == point.step)[0])
    leaves, errors = drawn.front
    return panel.chart.mapFromScene(panel.chart.getViewBox().mapViewToScene(_at(panel, leaves[k], errors[k])))


def _at(panel, leaves, error):
    from PySide6.QtCore import QPointF

    return QPointF(float(panel.chart._place(np.array([leaves]))[0]), float(error))


def test_no_dot_of_the_front_lies_above_the_cost_complexity_line(panel):
    leaves, errors = panel._drawing.front
    assert (errors >= np.interp(leaves, *panel._drawing.hull) - 1e-9).all()


def test_up_and_down_walk_from_choice_to_choice(qtbot, panel, document):
    panel.chart.setFocus()
    sizes = sorted({marker.leaves for marker in panel._drawing.markers if marker.kind in (CHOSEN, "choice")})
    QTest.keyClick(panel.chart, Qt.Key.Key_Home)
    settle(qtbot, document)
    seen = []
    for _ in range(len(panel._drawing.markers)):
        QTest.keyClick(panel.chart, Qt.Key.Key_Up)
        settle(qtbot, document)
        seen.append(document.tree.n_leaves)
    assert seen == sorted(seen)
    assert set(seen) | {1} >= set(sizes) - {1}
    QTest.keyClick(panel.chart, Qt.Key.Key_Down)
    settle(qtbot, document)
    assert document.tree.n_leaves <= seen[-1]


def test_walking_in_the_chart_is_one_undo_step(qtbot, panel, document):
    before, count = document.tree, document.history.stack.count()
    panel.chart.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Up):
        QTest.keyClick(panel.chart, key)
        settle(qtbot, document)
    assert document.history.stack.count() == count + 1
    document.undo()
    assert document.tree is before
    assert document.cutback.sequence is not None  # the chart stays


@pytest.mark.parametrize("method", list(METHODS))
def test_a_method_uses_the_validation_rows_once_if_it_looks_at_them(qtbot, document, flowers, method):
    document.set_table(flowers, random_tree(flowers, SEED, SPLITS))
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    document.cutback.tell("by_rule", "min_leaf", (30,))
    document.cutback.prune(method)
    qtbot.waitUntil(lambda: document.cutback.sequence is not None, timeout=60_000)
    qtbot.waitUntil(lambda: not document.jobs.busy and not document.edits.running, timeout=60_000)
    made = document.cutback.sequence
    looks = chosen_by_validation(method, document.cutback.options.get(method, {}))
    trees = len(made.steps) if looks else int(document.tree.loss("validation") != made.full.loss("validation"))
    assert document.edits.validation_trees == (trees if made.chosen else 0)
    assert document.history.stack.count() == (1 if made.chosen else 0)
    assert document.tree.n_leaves == made.steps[made.chosen].leaves


def test_the_table_lists_the_choices_first(panel, document):
    rows = panel.model.records[: len(METHODS)]
    assert [row.name for row in rows] == [method.label for method in METHODS.values()]
    for row, name in zip(rows, METHODS, strict=True):
        assert row.step.leaves == chosen(document, name).leaves


def test_methods_that_cannot_work_are_listed_and_say_why(qtbot, document, flowers):
    plain = flowers.with_partition(validation=0.0)
    panel = open_panel(qtbot, document, plain)
    QTest.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    settle(qtbot, document)
    row = list(METHODS).index("reduced_error")
    assert "validation rows" in panel.model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert panel.model.index(row, 0).data(Qt.ItemDataRole.ForegroundRole) == theme.current().secondary
    assert "Reduced error" not in [name for marker in panel._drawing.markers for name in marker.names]


def test_numeric_targets_have_their_own_metrics(qtbot, document, flowers):
    numbers = flowers.with_target("length")
    panel = open_panel(qtbot, document, numbers, engine.grow(numbers, max_leaves=12))
    QTest.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    settle(qtbot, document)
    assert [panel.measure.itemData(i) for i in range(panel.measure.count())] == [
        "squared_error", "r2", "absolute_error",
    ]  # fmt: skip
    assert panel._drawing.axis == "squared error"


@pytest.mark.parametrize("metric", ["log_loss", "gini", "auc"])
def test_another_metric_draws_other_curves(qtbot, panel, document, metric):
    row = panel.measure.findData(metric)
    panel.measure.setCurrentIndex(row)
    panel.measure.activated.emit(row)
    base = document.cutback.base
    qtbot.waitUntil(lambda: np.isfinite(panel._drawing.train).any(), timeout=20_000)
    method, line = document.cutback.line
    drawn, order = panel._drawing, panel._drawing.steps
    assert method == SEQUENCE
    for part, found in (("train", drawn.train), ("validation", drawn.validation)):
        np.testing.assert_allclose(found, curve(line, metric, part, base.table)[order], equal_nan=True)
    [current] = [marker for marker in drawn.markers if marker.kind == CHOSEN]
    made = document.cutback.sequence
    expected = figure(made.tree(made.chosen), metric, "validation", base.table)
    assert current.height == pytest.approx(expected)
    assert not drawn.front[0].size  # its trees are best by errors only
    assert np.isnan(drawn.cv).all()
    label = panel.measure.currentText()
    assert drawn.axis == {"log_loss": "log-loss", "gini": "Gini", "auc": "AUC"}[metric]
    size = phrases.leaves(made.steps[made.chosen].leaves)
    assert panel.readout.text().startswith(f"Chosen: {size} · {label}: training")
    assert f"validation {panel._yardstick.text(expected)}" in panel.readout.text()
    assert panel.table.isColumnHidden(CROSS)  # cross-validation measured errors
    panel.measure.setCurrentIndex(0)
    panel.measure.activated.emit(0)
    assert "%" in panel.readout.text() and not panel.table.isColumnHidden(CROSS)


def test_costs_are_offered_where_mistakes_have_some(flowers):
    assert pruning_metric.offered(engine.Tree.root(flowers)) == ["error", "log_loss", "gini", "auc"]


def test_cross_validation_stands_beside_validation_rows(panel):
    assert np.isfinite(panel._drawing.cv).all() and np.isfinite(panel._drawing.se).all()
    assert np.isfinite(panel._drawing.validation).all()
    assert "cross-validation" in panel.legend.text() and "validation ± SE, 30 rows" in panel.legend.text()


def test_options_are_a_form_and_are_computed_at_once(qtbot, panel, document):
    row = panel.method.findData("kearns_mansour")
    panel.method.setCurrentIndex(row)
    panel.method.activated.emit(row)
    settle(qtbot, document)
    QTest.mouseClick(panel.options, Qt.MouseButton.LeftButton)
    assert panel.side.currentWidget() is panel.form
    assert list(panel.form.controls) == list(METHODS["kearns_mansour"].options)
    before = chosen(document, "kearns_mansour").leaves
    slider = panel.form.controls["factor"].findChild(QSlider)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)  # no penalty: nothing that saves an error is cut
    qtbot.waitUntil(lambda: document.cutback.options.get("kearns_mansour", {}).get("factor") == 0.0, timeout=5_000)
    settle(qtbot, document)
    assert chosen(document, "kearns_mansour").leaves >= before
    expected = engine.prune(
        document.cutback.base.table, document.cutback.base.tree, "kearns_mansour", factor=0.0
    )  # fmt: skip
    assert chosen(document, "kearns_mansour").leaves == expected.steps[expected.chosen].leaves


def test_every_option_of_every_method_has_a_control(qtbot, panel):
    for name, method in METHODS.items():
        panel.form.show_method(name, {})
        assert list(panel.form.controls) == list(method.options)
        for option in method.options:
            assert panel.form.controls[option].accessibleName() == OPTIONS[option].label


def test_without_a_rule_nothing_is_chosen_by_rule(qtbot, panel, document, posted):
    """The tree on the canvas stays, no marker claims the whole tree, and the options are in sight."""
    document.cutback.tell("by_rule", "same_answer", None)
    click(panel, Point("cost_complexity", len(document.cutback.line[1].steps) // 2))
    settle(qtbot, document)
    before, trees = document.tree, document.edits.validation_trees
    posted()
    document.cutback.prune("by_rule")
    settle(qtbot, document)
    assert document.tree is before and document.edits.validation_trees == trees
    assert posted() == [f"info: {NO_RULE}"] and document.cutback.error == NO_RULE
    assert panel.method.currentData() == "by_rule" and panel.side.currentWidget() is panel.form
    assert "By rule" not in [name for marker in panel._drawing.markers for name in marker.names]
    row = list(METHODS).index("by_rule")
    assert panel.model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) == NO_RULE
    line = panel.form.controls["min_leaf"]
    line.setFocus()
    QTest.keyClicks(line, "40")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot, document)
    assert "By rule" in [name for marker in panel._drawing.markers for name in marker.names]
    document.cutback.prune("by_rule")
    settle(qtbot, document)
    assert document.tree.n_leaves == chosen(document, "by_rule").leaves < before.n_leaves


def test_a_method_that_cuts_nothing_brings_the_whole_tree_back(qtbot, panel, document, posted):
    document.cutback.tell("by_rule", "same_answer", None)
    document.cutback.tell("by_rule", "significance", 1.0)
    settle(qtbot, document)
    document.cutback.prune("by_rule")
    settle(qtbot, document)
    assert posted()[-1].startswith("info: Nothing to prune")
    document.cutback.prune("cost_complexity")
    settle(qtbot, document)
    assert document.tree is not document.cutback.base.tree
    document.cutback.prune("by_rule")
    settle(qtbot, document)
    assert document.tree is document.cutback.base.tree
    assert posted()[-1] == "info: By this method the whole tree is the best of its prunings: it is back."


def test_several_least_leaves_are_typed(qtbot, panel, document):
    panel.form.show_method("by_rule", {})
    line = panel.form.controls["min_leaf"]
    told = []
    panel.form.told.connect(lambda *what: told.append(what))
    line.setText("20, x")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert told == []
    line.setText("20; 10 5")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert told[-1] == ("by_rule", "min_leaf", (20, 10, 5))
    settle(qtbot, document)
    assert document.cutback.method == "by_rule"


def test_stop_keeps_what_was_found(qtbot, document, flowers):
    open_panel(qtbot, document, flowers)
    document.cutback.open("reduced_error")
    qtbot.waitUntil(lambda: document.cutback.sequence is not None, timeout=60_000)
    assert document.cutback.comparing
    document.cutback.stop()
    qtbot.waitUntil(lambda: not document.cutback.comparing, timeout=60_000)
    choices = document.cutback.choices
    assert not choices.pending and "reduced_error" in choices.found
    assert all(choices.faults[name] == STOPPED for name in METHODS if name not in choices.found)
    document.cutback.open("cost_complexity")  # asked for by name it is computed
    qtbot.waitUntil(lambda: document.cutback.sequence is not None, timeout=60_000)


def test_nothing_is_computed_behind_a_hidden_panel(qtbot, document, flowers):
    panel = open_panel(qtbot, document, flowers)
    panel.hide()
    document.cutback.open("reduced_error")
    qtbot.waitUntil(lambda: document.cutback.sequence is not None and not document.jobs.busy, timeout=60_000)
    assert set(document.cutback.choices.found) == {"reduced_error"}
    panel.show()
    settle(qtbot, document)
    assert set(METHODS) <= set(document.cutback.choices.found)


def test_a_node_tells_what_pruning_compared(qtbot, document, flowers):
    node = NodePanel(document)
    qtbot.addWidget(node)
    document.set_table(flowers, random_tree(flowers, SEED, SPLITS))
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    full = document.tree
    document.cutback.prune("reduced_error")
    qtbot.waitUntil(lambda: document.tree is not full and not document.jobs.busy, timeout=60_000)
    cut = next(
        int(document.tree.ids[i]) for i in range(document.tree.n_nodes)
        if document.tree.n_branches[i] == 0 and full.n_branches[full.position(int(document.tree.ids[i]))]
    )  # fmt: skip
    document.select(cut)
    assert node.verdict.isVisibleTo(node)
    said = document.cutback.sequence.verdicts.words(full.position(cut))
    assert node.verdict.text() == f"Cut by pruning. {said}"
    assert "errors among the validation rows" in said.lower() and "as a leaf" in said
    document.undo()
    assert not node.verdict.isVisibleTo(node)


# -- outlines


@pytest.mark.parametrize("seed", range(6))
def test_the_outline_of_a_step_is_that_of_its_tree(flowers, seed):
    tree = random_tree(flowers, seed, 20)
    pruning = engine.prune(flowers, tree, "cost_complexity", judge="validation")
    for step in range(len(pruning.steps)):
        made, found = pruning.tree(step), outline(pruning, step)
        assert found.tree.ids[found.nodes].tolist() == made.ids.tolist()
        assert found.leaf.tolist() == (made.n_branches == 0).tolist()
        assert found.parent.tolist() == made.parent.tolist()
        leaves = [made.leaves[(made.leaves >= i) & (made.leaves < made.end[i])] for i in range(made.n_nodes)]
        ranks = {int(leaf): k for k, leaf in enumerate(made.leaves)}
        middles = [(ranks[int(of[0])] + ranks[int(of[-1])] + 1) / 2 / made.n_leaves for of in leaves]
        np.testing.assert_allclose(found.x, middles)


def test_hovering_shows_the_outline_of_that_tree(qtbot, panel, document):
    chart = panel.chart
    point = panel._drawing.markers[0].points[0]
    QTest.mouseMove(chart.viewport(), chart.mapFromScene(chart.place_of(point)))
    panel.hover._chart.underMouse = lambda: True  # no pointer stands anywhere on a display that is none
    panel._on_hovered(point)
    thumbnail = panel.hover.thumbnail
    qtbot.waitUntil(lambda: thumbnail.isVisible() and not thumbnail.picture.isNull())
    assert METHODS[point.method].label in thumbnail.lines[0]
    assert any("leaves" in line or "leaf" in line for line in thumbnail.lines)
    assert any("validation rows" in line for line in thumbnail.lines)
    chart.hovered.emit(None)
    assert not thumbnail.isVisible()


def test_ten_thousand_leaves_fit_into_a_small_picture(qapp, flowers):
    rows = 40_000
    random = np.random.default_rng(0)
    import pandas as pd

    frame = pd.DataFrame({"a": random.normal(size=rows), "b": random.normal(size=rows)})
    frame["t"] = np.where(random.random(rows) < 0.5, "x", "z")
    table = engine.Table.from_frame(frame, target="t")
    tree = engine.grow(table)
    assert tree.n_leaves > 10_000
    pruning = engine.prune(table, tree, "growth")
    found = outline(pruning, 0)
    made = picture(found, 0)
    assert (made.width(), made.height()) == (WIDTH, HEIGHT)
    image = made.toImage()
    card = QColor(theme.current().card)
    inked = sum(image.pixelColor(x, y) != card for x in range(0, WIDTH, 4) for y in range(0, HEIGHT, 4))
    assert inked > 200
