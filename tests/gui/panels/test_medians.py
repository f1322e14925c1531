"""A tree whose leaves say medians says so wherever the window shows what a node predicts or how much it errs."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

import engine
from gui import theme
from gui.model.history import State
from gui.panels.history.steps import HistoryModel
from gui.panels.words.node import NodeModel, outcome_words
from gui.panels.words.outline import OutlineModel
from gui.picture import legend
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import Letters
from gui.picture.nodes.tips import spoken, tip
from gui.window.bars import fit_words, tooltip
from gui.wording import words
from tests.gui.canvas.trees import five_nodes, people


@pytest.fixture
def shown():
    """(table, the tree by means, the tree by medians)."""
    table = people(target="income")
    tree = five_nodes(table)
    return table, tree, tree.with_leaf_rule(table, engine.LeafRule("median"))


def test_the_words_of_a_node_say_its_median(shown):
    _, tree, by_median = shown
    leaf = tree.n_nodes - 1
    said = words.value(float(by_median.medians[leaf]))
    assert said != words.value(float(tree.means[leaf]))
    assert f"leaf, predicts {said}" in spoken(by_median, leaf)
    assert ">median<" in tip(by_median, leaf).replace("&nbsp;", "")
    assert "median" not in tip(tree, leaf)
    assert outcome_words(by_median, leaf).startswith(f"Predicts {said}. ")


def test_the_outline_is_headed_by_what_the_nodes_say(shown, qapp):
    _, tree, by_median = shown
    for one, head in ((tree, "Mean"), (by_median, "Median")):
        model = OutlineModel()
        model.show(one, 0)
        assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) == head
        index = model.index(0, 1)
        assert model.data(index, Qt.ItemDataRole.DisplayRole) == words.value(float(one.predictions[0]))


def test_errors_are_named_absolute(shown, qapp):
    table, tree, by_median = shown
    assert "R² " in fit_words(tree, 0)
    chosen = engine.Choice(9, 0.0, tree.error("validation"), (0.0, 1.0))
    on_paper = fit_words(tree, None, chosen)
    assert on_paper.endswith(" on rows that did not choose)") and "compared" not in on_paper
    assert "(9 trees compared; " in fit_words(tree, 9, chosen)
    assert "absolute error explained" in fit_words(by_median, 0)
    assert "absolute error" in tooltip(by_median)
    steps = [State(table, one).step("step") for one in (tree, by_median)]
    assert not steps[0].comparable(steps[1])
    model = HistoryModel()
    model.show(steps[1:], 0)
    assert model.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) == "Training MAE"
    model.show(steps, 1)
    text = model.data(model.index(1, 2), Qt.ItemDataRole.DisplayRole)
    assert text == f"MAE {words.value(by_median.error('train'))}"


def test_only_what_compares_stands_side_by_side(shown, qapp):
    table, tree, by_median = shown
    leaf = tree.n_nodes - 1
    scene, plain = (Scene(one, 0, theme.LIGHT, Letters()) for one in (by_median, tree))
    rows = table.rows(engine.table.partition.VALIDATION)
    rows = rows[by_median.apply(table)[rows] == leaf]
    error = np.abs(table.y[rows] + table.origin - by_median.medians[leaf]).mean()
    assert scene.cards.validation(leaf) == f"valid error {words.value(error)}"
    assert "error" not in plain.cards.validation(leaf)
    assert f">{words.value(error)}<" in tip(by_median, leaf).replace("&nbsp;", "")


def test_colours_and_legend_go_by_the_median(shown, qapp):
    _, _, by_median = shown
    skewed = by_median.medians.copy()
    skewed[1] = skewed[0] - 1e6
    by_median.__dict__["medians"] = skewed  # far below the root, whatever the mean is
    scene = Scene(by_median, 0, theme.LIGHT, Letters())
    assert scene.colours.ribbon(0) == theme.LIGHT.ribbon
    assert scene.colours.ribbon(1) == theme.LIGHT.negative
    said = [item.text for item in legend.items(scene)]
    assert "median of income: below" in said
    assert f"middle: {words.value(float(skewed[0]))}, the median of the training rows" in said


def test_the_node_table_has_the_median_in_bold(shown, qapp):
    _, tree, by_median = shown
    model = NodeModel()
    for one, names in ((tree, ["Mean"]), (by_median, ["Median", "Mean"])):
        model.show(one, 0, 0)
        cells = [model.index(row, 0).data() for row in range(model.rowCount())]
        assert cells[: len(names)] == names
        bold = [row for row in range(model.rowCount()) if model.index(row, 0).data(Qt.ItemDataRole.FontRole)]
        assert bold == [0]
    assert [model.index(0, column).data() for column in (1, 2)] == [words.value(by_median.medians[0]), words.NOTHING]
    assert " Mean absolute error as a leaf: " in outcome_words(by_median, 0)
    assert " Mean squared error as a leaf: " in outcome_words(tree, 0)
