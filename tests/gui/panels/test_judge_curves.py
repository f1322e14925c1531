"""The panel Curves, through mouse and keys: what is drawn against what the engine says."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import engine
from gui.canvas.view import TreeView
from gui.model.document import Document
from gui.panels.judge.charts import CHARTS, MOST_LEAVES
from gui.panels.judge.curves import CurvesPanel
from gui.wording import words
from tests.gui.acting import put_up, rest
from tests.gui.panels.test_judge_figures import choose, show, table_of

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> CurvesPanel:
    made = CurvesPanel(document)
    put_up(qtbot, made, 1100, 600)
    return made


def test_each_chart_draws_what_the_engine_says_of_each_part(qtbot, document, panel):
    table = table_of()
    tree = show(qtbot, document, table)
    wanted = {
        "roc": ("false_positive_rate", "recall"), "precision": ("recall", "precision"), "gains": ("depth", "recall"),
        "lift": ("depth", "lift"),
    }  # fmt: skip
    for kind, (x, y) in wanted.items():
        choose(qtbot, panel.kinds[0], kind)
        for part in ("train", "validation"):
            ranking, curve = engine.assess(table, tree, part).ranking("yes"), panel.charts[0].curves[part]
            known = np.isfinite(getattr(ranking, y))
            assert np.array_equal(curve.x, getattr(ranking, x)[known]), kind
            assert np.array_equal(curve.y, getattr(ranking, y)[known]), kind
    choose(qtbot, panel.kinds[0], "response")
    found = engine.assess(table, tree).ranking("yes").by_percentile(10)
    assert np.array_equal(panel.charts[0].curves["validation"].y, found.response)
    choose(qtbot, panel.kinds[0], "calibration")
    found, curve = engine.assess(table, tree).calibration("yes"), panel.charts[0].curves["validation"]
    there = found.weight > 0
    assert np.array_equal(curve.spans[0], found.interval[there]) and np.array_equal(curve.y, found.seen[there])
    assert not panel.charts[0].curves["train"].spans


def test_an_open_table_is_not_asked_for_while_its_tree_is_judged(qtbot, document, panel):
    assert panel.empty.isVisible() and panel.empty.text().startswith("Open a table")
    document.set_table(table_of())
    assert panel.empty.isVisible() and panel.empty.text() == "The tree is being judged…"
    qtbot.waitUntil(lambda: bool(document.assessing.fits), timeout=60_000)
    assert not panel.empty.isVisible()


def test_the_area_is_said_with_its_error_and_the_class_is_chosen(qtbot, document, panel):
    table = table_of(3)
    tree = show(qtbot, document, table)
    for label in ("c02", "c00"):
        panel.focus.setFocus()
        choose(qtbot, panel.focus, tree.classes.index(label))
        ranking = engine.assess(table, tree).ranking(label)
        said = f"AUC {words.value(ranking.auc)} ± {words.value(ranking.auc_error)}"
        assert said in panel.keys.text().replace("&nbsp;", " ") and document.focus_class == tree.classes.index(label)
        assert label in panel.said[0].text()


def test_profits_have_a_chart_over_the_threshold_in_money(qtbot, document, panel):
    show(qtbot, document, table_of())
    assert panel.kinds[0].findData("profit") < 0  # without profits
    table = table_of()
    tree = show(qtbot, document, table, profits={"yes": 90.0, "no": (-60.0, 5.0)}, currency="EUR")
    choose(qtbot, panel.kinds[0], "profit")
    chart = panel.charts[0]
    earned = np.array([[90.0, 0.0], [-60.0, 5.0]])  # by class, of acting and of not acting
    for part, code in (("train", engine.TRAIN), ("validation", engine.VALIDATION)):
        frame, curve = table.to_frame(np.flatnonzero(table.part == code)), chart.curves[part]
        of_yes = tree.predict_proba(frame)[:, tree.classes.index("yes")]
        is_no = (frame["y"] == "no").to_numpy().astype(int)
        for left, right, y in zip(curve.x, curve.x[1:], curve.y, strict=False):
            if right - left > 1e-9:
                acted = of_yes >= (left + right) / 2
                assert y == pytest.approx(np.where(acted, earned[is_no, 0], earned[is_no, 1]).mean())
    train = chart.curves["train"]
    assert train.y[train.best] == train.y.max() and chart.curves["validation"].best < 0
    best = f"the best threshold is {words.percent(train.x[train.best + 1])}: {words.value(train.y.max())} EUR per row."
    assert best in panel.said[0].text() and "EUR" in chart.getAxis("left").labelText
    middle = QPointF((train.x[0] + train.x[1]) / 2, train.y[0])
    said = chart.text_at(chart.getViewBox().mapViewToScene(middle))
    assert "EUR" in said and "%" not in said.splitlines()[-1]
    before = panel.least.value()
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert panel.least.value() > before and chart.marker.value() == pytest.approx(document.assessing.trial)


def test_numbers_have_two_charts_by_leaf(qtbot, document, panel):
    table = table_of(0)
    tree = show(qtbot, document, table)
    assert [box.itemData(k) for box in panel.kinds[:1] for k in range(box.count())] == ["predicted", "residuals"]
    found = engine.assess(table, tree).residuals
    first, second = (chart.curves["validation"] for chart in panel.charts)
    assert np.array_equal(first.x, found.predicted) and np.array_equal(first.y, found.mean)
    assert np.array_equal(second.spans[1], found.quantiles[:, [1, 3]])


def test_the_second_chart_needs_room(qtbot, document, panel):
    show(qtbot, document, table_of())
    assert panel.charts[1].isVisible() and panel.kinds[1].currentData() == "calibration"
    panel.resize(500, 220)
    qtbot.waitUntil(lambda: not panel.charts[1].isVisible())
    assert panel.charts[0].isVisible() and not panel.said[0].isVisible()


def test_the_mouse_tells_the_point_that_it_is_near(qtbot, document, panel):
    table = table_of()
    tree = show(qtbot, document, table)
    chart, ranking = panel.charts[0], engine.assess(table, tree).ranking("yes")
    qtbot.wait(20)
    at = chart.getViewBox().mapViewToScene(QPointF(ranking.false_positive_rate[1], ranking.recall[1]))
    assert chart.nearest(at, ("validation",)) == ("validation", 1)
    threshold = words.percent(float(chart.curves["validation"].threshold[1]))
    del chart.curves["train"]  # which may be as near
    assert f"yes from {threshold} on" in chart.text_at(at)
    assert chart.text_at(QPointF(-900, -900)) == ""


def test_test_rows_are_drawn_once_they_were_opened(qtbot, document, panel):
    show(qtbot, document, table_of())
    assert {*panel.charts[0].curves} == {"train", "validation"}
    document.look_at_test()
    rest(qtbot, document)
    assert {*panel.charts[0].curves} == {"train", "validation", "test"} and "Test" in panel.keys.text()


def test_of_very_many_leaves_the_largest_are_drawn(qtbot, document, panel):
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"x": np.arange(4000.0), "y": random.choice(["a", "b"], 4000)})
    table = engine.Table.from_frame(frame, "y")
    document.set_table(table, engine.grow(table))
    rest(qtbot, document)
    curve = panel.charts[1].curves["train"]
    assert curve.y.size == MOST_LEAVES < curve.n_leaves and words.count(MOST_LEAVES) in panel.said[1].text()


@pytest.mark.parametrize("kind", CHARTS)
def test_rows_of_one_class_or_number_draw_what_there_is(qtbot, document, panel, kind):
    number = CHARTS[kind].of == "number"
    frame = pd.DataFrame({"x": range(40), "y": [float(k // 20) if number else "ab"[k // 20] for k in range(40)]})
    table = engine.Table.from_frame(frame, "y", roles={}).with_partition(validation=0.25)
    paid = {"profits": {"a": 2.0, "b": -1.0}} if CHARTS[kind].paid else {}
    tree = show(qtbot, document, table, **paid)
    choose(qtbot, panel.branch, True)
    document.select(int(tree.ids[-1]))
    rest(qtbot, document)
    choose(qtbot, panel.kinds[0], kind)
    qtbot.wait(5)
    assert {*panel.charts[0].curves} == {"train", "validation"}
    assert all(np.isfinite(curve.y).all() for curve in panel.charts[0].curves.values())


# -- the threshold of two classes


def marker_at(chart) -> QPoint:
    """Where the line of the threshold stands, in the middle of the chart's height."""
    box = chart.getViewBox()
    middle = box.mapSceneToView(box.sceneBoundingRect().center()).y()
    return chart.mapFromScene(box.mapViewToScene(QPointF(float(chart.marker.value()), middle)))


def drag(qtbot: QtBot, chart, to: float, let_go: bool = True) -> None:
    """Pulls the line to a place of the axis."""
    box = chart.getViewBox()
    start, middle = marker_at(chart), box.mapSceneToView(box.sceneBoundingRect().center()).y()
    end = chart.mapFromScene(box.mapViewToScene(QPointF(to, middle)))
    view = chart.viewport()
    qtbot.mouseMove(view, start)
    qtbot.mousePress(view, LEFT, pos=start)
    for part in (0.3, 0.6, 1.0):
        at = QPoint(round(start.x() + part * (end.x() - start.x())), start.y())
        send_move(view, at)
    if let_go:
        qtbot.mouseRelease(view, LEFT, pos=end)


def send_move(view, at: QPoint) -> None:
    """A move of the mouse with its left button held, which qtbot has none for."""
    where = QPointF(at)
    event = QMouseEvent(
        QEvent.Type.MouseMove, where, view.mapToGlobal(where), Qt.MouseButton.NoButton, LEFT,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def test_the_threshold_is_dragged_on_a_chart_and_is_one_step(qtbot, document, panel):
    tree = show(qtbot, document, table_of())
    ranking = engine.assess(document.table, tree).ranking("yes")
    chart, steps = panel.charts[0], len(document.history.steps)
    assert document.assessing.threshold == 0.5 and chart.marker.isVisible() and not panel.reset.isEnabled()
    qtbot.wait(20)
    drag(qtbot, chart, float(ranking.false_positive_rate[-2]), let_go=False)
    wanted = ranking.threshold[-2]
    assert document.assessing.trial == pytest.approx(wanted) and document.tree is tree  # the figures follow at once
    fit = document.assessing.tried_fits["validation"]
    assert fit.recall[1, 0] == pytest.approx(ranking.recall[-2])
    assert panel.charts[1].marker.value() == pytest.approx(wanted)  # and so does the other chart
    at = marker_at(chart)
    qtbot.mouseRelease(chart.viewport(), LEFT, pos=at)
    rest(qtbot, document)
    assert document.tree.leaf_rule.threshold == ("yes", pytest.approx(wanted))
    assert document.search["threshold"] == document.tree.leaf_rule.threshold
    assert len(document.history.steps) == steps + 1 and "Predict yes from" in document.history.steps[-1].text
    document.undo()
    rest(qtbot, document)
    assert document.tree.leaf_rule.threshold is None and document.assessing.threshold == 0.5
    assert "threshold" not in document.search


def test_the_canvas_follows_a_dragged_threshold_and_its_tree_stays(qtbot, document, panel):
    canvas = TreeView(document)
    put_up(qtbot, canvas, 900, 600)
    tree = show(qtbot, document, table_of())
    ranking = engine.assess(document.table, tree).ranking("yes")
    before = canvas.grab().toImage()
    qtbot.wait(20)
    drag(qtbot, panel.charts[0], float(ranking.false_positive_rate[-2]), let_go=False)
    assert document.tree is tree and canvas.scene.tree is tree
    dragged = canvas.grab().toImage()
    assert dragged != before
    qtbot.mouseRelease(panel.charts[0].viewport(), LEFT, pos=marker_at(panel.charts[0]))
    rest(qtbot, document)
    assert document.tree.leaf_rule.threshold is not None
    assert canvas.grab().toImage() == dragged
    document.undo()
    rest(qtbot, document)
    assert canvas.grab().toImage() == before


def test_the_threshold_is_typed_moved_by_keys_and_reset(qtbot, document, panel):
    tree = show(qtbot, document, table_of())
    line = panel.least.lineEdit()
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "20")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    rest(qtbot, document)
    assert document.tree.leaf_rule.threshold == ("yes", 0.2)
    assert np.array_equal(document.tree.labels, (tree.probabilities[:, 1] >= 0.2).astype(int))
    chart = panel.charts[1]
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    said = chart.curves["validation"].x
    qtbot.waitUntil(lambda: document.tree.leaf_rule.threshold[1] == pytest.approx(min(said[said > 0.2])))
    rest(qtbot, document)
    qtbot.mouseClick(panel.reset, LEFT)
    rest(qtbot, document)
    assert document.tree.leaf_rule.threshold is None and not panel.reset.isEnabled()


def test_the_other_class_has_the_rest_and_costs_say_where_it_stands(qtbot, document, panel):
    show(qtbot, document, table_of(), threshold=("yes", 0.3))
    document.set_focus(0)
    assert document.assessing.threshold == pytest.approx(0.7) and panel.least.value() == 70
    document.set_search(threshold=None, costs={("yes", "no"): 4.0})
    rest(qtbot, document)
    document.set_focus(1)
    assert document.assessing.threshold == pytest.approx(0.2)  # 1 ÷ (1 + 4)


@pytest.mark.parametrize("classes", [0, 3])
def test_other_targets_have_no_threshold(qtbot, document, panel, classes):
    show(qtbot, document, table_of(classes))
    assert document.assessing.threshold is None and not panel.threshold.isVisible()
    assert not panel.charts[0].marker.isVisible()
