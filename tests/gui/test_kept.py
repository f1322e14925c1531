"""What is kept with the trees that were looked at last."""

import gc
import weakref

import numpy as np

from gui.model import tree_figures
from gui.picture import tree_cache
from tests.gui.canvas.trees import random_tree


def test_the_same_question_is_answered_once():
    asked = []

    @tree_cache.kept
    def answer(tree, part):
        asked.append(part)
        return tree.n_nodes

    tree = random_tree(9)
    assert [answer(tree, part) for part in ("train", "validation", "train")] == [9, 9, 9]
    assert asked == ["train", "validation"]
    assert answer(random_tree(5), "train") == 5


def test_notes_on_older_trees_are_forgotten(monkeypatch):
    monkeypatch.setattr(tree_cache, "NODES_KEPT", 20)
    trees = [random_tree(9, seed=seed) for seed in range(3)]
    first, second = tree_cache.book(trees[0]), tree_cache.book(trees[1])
    assert tree_cache.book(trees[0]) is first  # asked for again: the other one is the oldest now
    tree_cache.book(trees[2])
    assert tree_cache.book(trees[0]) is first
    assert tree_cache.book(trees[1]) is not second


def test_notes_on_a_huge_tree_are_kept_too(monkeypatch):
    monkeypatch.setattr(tree_cache, "NODES_KEPT", 5)
    tree = random_tree(9)
    assert tree_cache.book(tree) is tree_cache.book(tree)


def test_a_tree_is_not_kept_alive():
    tree = random_tree(5)
    tree_figures.prepare(tree)
    gone = weakref.ref(tree)
    del tree
    gc.collect()
    assert gone() is None


def test_figures_are_those_of_the_tree():
    for kind in ({}, {"task": "number"}, {"classes": ("a", "b", "c")}):
        tree = random_tree(41, **kind)
        tree_figures.prepare(tree)
        for part in tree_figures.PARTS:
            costs = tree.wrong(part) if tree.task == "classes" else tree.costs(part)
            assert tree_figures.error(tree, part) == tree.error(part)
            weight, errors = tree.weight(part), tree_figures.leaf_errors(tree, part)
            np.testing.assert_allclose((errors * weight)[weight > 0], costs[weight > 0])
            assert np.isnan(errors[weight == 0]).all()
            np.testing.assert_allclose(tree_figures.branch_errors(tree, part)[0], tree.error(part))
