"""A tree whose leaves say medians says so wherever the window shows what a node predicts or how much it errs."""

import pytest
from PySide6.QtCore import Qt

import engine
from gui import words
from gui.canvas.tips import spoken, tip
from gui.fit_strip import fit_words, tooltip
from gui.history import State
from gui.panels.history import HistoryModel
from gui.panels.node import outcome_words
from gui.panels.outline_model import OutlineModel
from tests.gui.canvas_trees import five_nodes, people


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
    assert f"leaf, says {said}" in spoken(by_median, leaf)
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
        assert model.data(index, Qt.ItemDataRole.DisplayRole) == words.value(float(one.answers[0]))


def test_errors_are_named_absolute(shown, qapp):
    table, tree, by_median = shown
    assert "R² " in fit_words(tree, 0)
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
