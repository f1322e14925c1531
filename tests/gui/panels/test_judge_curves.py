"""The panel Curves, through mouse and keys: what is drawn against what the engine says."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.judge.charts import CHARTS, MOST_LEAVES
from gui.panels.judge.curves import CurvesPanel
from gui.wording import words
from tests.gui.acting import put_up, rest
from tests.gui.panels.test_judge_figures import choose, show, table_of


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
    tree = show(qtbot, document, table)
    choose(qtbot, panel.branch, True)
    document.select(int(tree.ids[-1]))
    rest(qtbot, document)
    choose(qtbot, panel.kinds[0], kind)
    qtbot.wait(5)
    assert {*panel.charts[0].curves} == {"train", "validation"}
    assert all(np.isfinite(curve.y).all() for curve in panel.charts[0].curves.values())
