"""The panel Theory, through mouse and keys; its figures are those of the engine."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.panels.words.theory import TheoryPanel
from gui.window.window import Window
from gui.wording import words
from tests.gui.acting import fill, put_up, rest
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> TheoryPanel:
    made = TheoryPanel(document)
    put_up(qtbot, made, 1000, 500)
    return made


def put_tree(qtbot: QtBot, panel: TheoryPanel, depth: int = 3) -> engine.Theory:
    """A tree of penguins in the document, and what the engine says of it."""
    table = engine.read_example("penguins").with_partition(validation=0.3, seed=0)
    tree = engine.grow(table, max_depth=depth)
    panel._document.set_table(table, tree)
    rest(qtbot, panel._document)
    return engine.theory(table, tree)


def unfold(qtbot: QtBot, panel: TheoryPanel, part: str) -> None:
    qtbot.mouseClick(panel.folds[part].heading, LEFT)
    rest(qtbot, panel._document)


def type_number(qtbot: QtBot, panel: TheoryPanel, name: str, text: str) -> None:
    box = panel.fields[name]
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    rest(qtbot, panel._document)


def said(panel: TheoryPanel, part: str) -> str:
    return panel.findChild(QLabel, f"theory_said_{part}").text().replace("\u00a0", " ")


def curves(panel: TheoryPanel, part: str) -> list[tuple[np.ndarray, np.ndarray]]:
    chart = panel.folds[part].chart
    return [item.getData() for item in chart.listDataItems()] or [
        item.getData() for item in chart.getPlotItem().items if type(item).__name__ == "PlotCurveItem"
    ]


def test_it_says_how_to_begin(panel: TheoryPanel) -> None:
    assert panel.empty.isVisible()
    assert "Open a table" in panel.empty.text()


def test_a_number_cannot_be_promised_anything(qtbot: QtBot, panel: TheoryPanel) -> None:
    panel._document.set_table(engine.read_example("concrete"))
    rest(qtbot, panel._document)
    assert panel.empty.isVisible()
    assert "target of classes" in panel.empty.text()


def test_the_bound_is_that_of_the_engine(qtbot: QtBot, panel: TheoryPanel) -> None:
    found = put_tree(qtbot, panel).description
    fold = panel.folds["description"]
    assert fold.body.isVisible()
    assert words.percent(found.bound) in fold.summary.text()
    assert words.percent(found.sharp) in said(panel, "description")
    assert "not literal" in fold.notes.text()
    assert fold.model.rowCount() == len(found.code.blocks)
    heights = [y for _, y in curves(panel, "description")]
    assert any(np.allclose(np.sort(y), np.sort(found.bounds)) for y in heights)
    assert not panel.waiting.text()


def test_another_delta_makes_another_promise(qtbot: QtBot, panel: TheoryPanel) -> None:
    theory = put_tree(qtbot, panel)
    type_number(qtbot, panel, "delta", "0.2")
    surer = engine.theory(theory.table, theory.tree, delta=0.2).description
    assert words.percent(surer.bound) in panel.folds["description"].summary.text()
    assert "80 %" in said(panel, "description")


def test_what_is_folded_is_not_computed(qtbot: QtBot, panel: TheoryPanel) -> None:
    put_tree(qtbot, panel)
    assert panel._theory is not None
    assert "structural_risk" not in vars(panel._theory)
    unfold(qtbot, panel, "structural_risk")
    assert "structural_risk" in vars(panel._theory)
    assert panel.folds["structural_risk"].body.isVisible()
    unfold(qtbot, panel, "structural_risk")
    assert not panel.folds["structural_risk"].body.isVisible()


def test_nothing_is_computed_while_nobody_looks(qtbot: QtBot, panel: TheoryPanel) -> None:
    panel.hide()
    put_tree(qtbot, panel)
    assert panel._theory is None
    panel.show()
    rest(qtbot, panel._document)
    assert panel._theory is not None
    assert panel.folds["description"].summary.text()


def test_structural_risk_has_its_sums_and_nodes(qtbot: QtBot, panel: TheoryPanel) -> None:
    found = put_tree(qtbot, panel).structural_risk
    unfold(qtbot, panel, "structural_risk")
    text, fold = said(panel, "structural_risk"), panel.folds["structural_risk"]
    assert words.percent(float(found.sums[found.chosen])) in text
    for figure in (found.theorem.rare, found.theorem.common, *found.theorem.summands):
        assert words.value(figure) in text
    assert fold.model.rowCount() == found.nodes.node.size
    assert any(np.allclose(np.sort(y), np.sort(found.sums)) for _, y in curves(panel, "structural_risk"))


def test_a_click_on_a_split_selects_its_node(qtbot: QtBot, panel: TheoryPanel) -> None:
    found = put_tree(qtbot, panel).structural_risk
    unfold(qtbot, panel, "structural_risk")
    table = panel.folds["structural_risk"].table
    where = table.visualRect(table.model().index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=QPoint(8, where.y()))
    assert panel._document.selected == found.nodes.node[1]


def test_weak_learning_by_each_cost(qtbot: QtBot, panel: TheoryPanel) -> None:
    found = put_tree(qtbot, panel).weak_learning
    unfold(qtbot, panel, "weak_learning")
    fold = panel.folds["weak_learning"]
    assert words.value(found.gamma) in fold.summary.text()
    assert words.count(found.steps["sqrt"].by_recurrence) in said(panel, "weak_learning")
    for name in ("gini", "entropy", "sqrt"):
        drops = [fold.model.text([k]).splitlines()[1].split("\t")[4] for k in range(fold.model.rowCount())]
        assert drops == [words.value(float(drop)) for drop in found.splits.drops[name]]
        assert any(np.allclose(y, found.growth[name].real) for _, y in curves(panel, "weak_learning"))
        fold.views.setFocus()
        qtbot.keyClick(fold.views, Qt.Key.Key_Down)


def test_counting_asks_for_more_rows_where_less_error_is_allowed(qtbot: QtBot, panel: TheoryPanel) -> None:
    theory = put_tree(qtbot, panel)
    unfold(qtbot, panel, "counting")
    fold = panel.folds["counting"]
    assert words.large_count(theory.counting.samples.description) in fold.model.text([0])
    type_number(qtbot, panel, "epsilon", "0.05")
    asked = engine.theory(theory.table, theory.tree, epsilon=0.05).counting.samples
    assert words.large_count(asked.description) in fold.model.text([0])
    assert asked.description == pytest.approx(4 * theory.counting.samples.description, abs=4)
    assert f"2^{theory.counting.shattered}" in said(panel, "counting")


def test_another_tree_is_told_of_in_all_parts_that_are_open(qtbot: QtBot, panel: TheoryPanel) -> None:
    put_tree(qtbot, panel)
    unfold(qtbot, panel, "counting")
    document = panel._document
    document.hand.collapse(0)
    rest(qtbot, document)
    assert "A single leaf shatters 1 training row" in said(panel, "counting")
    assert panel.folds["description"].model.rowCount() == 2  # a leaf, and the end
    unfold(qtbot, panel, "weak_learning")
    assert "no split yet" in said(panel, "weak_learning")


def test_in_a_narrow_panel_the_chart_stands_below(qtbot: QtBot, panel: TheoryPanel) -> None:
    put_tree(qtbot, panel)
    fold = panel.folds["description"]
    assert fold.chart.mapTo(panel, QPoint()).x() > fold.said.mapTo(panel, QPoint()).x()
    panel.resize(480, 220)
    qtbot.waitUntil(lambda: fold.chart.mapTo(panel, QPoint()).x() <= fold.said.mapTo(panel, QPoint()).x() + 16)
    assert fold.table.columnWidth(0) >= 9 * fold.table.fontMetrics().height()


def test_another_theme_draws_anew(qtbot: QtBot, panel: TheoryPanel, system_again: None) -> None:
    put_tree(qtbot, panel)
    before = panel.folds["description"].chart.key.text()
    theme.set_mode("dark")
    assert panel.folds["description"].chart.key.text() != before


def test_a_bound_above_all_errors_says_nothing(qtbot: QtBot, panel: TheoryPanel) -> None:
    table = flower_table()
    tree = engine.grow(table)
    panel._document.set_table(table, tree)
    rest(qtbot, panel._document)
    theory = engine.theory(table, tree)
    assert theory.description.bound > 1 < theory.description.by_code
    summary = panel.folds["description"].summary.text().replace("\u00a0", " ")
    assert summary == "true error at most 100 %: the bound says nothing for a tree of this size"
    text = said(panel, "description")
    above = words.percent(theory.description.bound)
    assert f"= {above}. No error is above 100 %: the bound says nothing for a tree of this size." in text
    assert f"{words.percent(theory.description.by_code)}, which says nothing." in text
    assert "is at most this" not in text
    put_tree(qtbot, panel, depth=1)
    text = said(panel, "description")
    assert "the true error is at most this" in text and "says nothing" not in text


def test_it_stands_among_the_words(qtbot: QtBot, kept_window: Window) -> None:
    window = fill(qtbot, kept_window, engine.read_example("cats"))
    window.places.show_panel("theory")
    rest(qtbot, window)
    panel = window.places.panels["theory"]
    assert panel.isVisible()
    assert "true error at most" in panel.folds["description"].summary.text()
    assert math.isfinite(panel._theory.description.bound)
