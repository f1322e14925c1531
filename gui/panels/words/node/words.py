"""What the selected node is, in sentences: its place, its rows, what it says and how wrong that is."""

from __future__ import annotations

import math
from collections.abc import Callable

import engine
from gui.model import tree_figures
from gui.wording import words


def title(tree: engine.Tree, position: int) -> str:
    """What the node is: "Root, split by island", "Leaf 7 at depth 2, says Gentoo"."""
    node = int(tree.ids[position])
    name = "Root" if position == 0 else f"Node {node} at depth {int(tree.level[position])}"
    split = tree.split_at(position)
    if split is None:
        return name if position == 0 else name.replace("Node", "Leaf", 1)
    return f"{name}, split by {tree.title(position)}" + (" (by hand)" if tree.by_hand[position] else "")


def rows_words(tree: engine.Tree, position: int) -> str:
    """How many rows reach the node, and what share of all that is."""
    parts = []
    for name, rows in (("training", tree.rows_train), ("validation", tree.rows_validation)):
        if rows[0] > 0:
            share = f" ({words.percent(float(rows[position]) / float(rows[0]))} of all)" if position else ""
            parts.append(f"{words.count(int(rows[position]))} {name} rows{share}")
    return " · ".join(parts) or "No rows."


def outcome_words(tree: engine.Tree, position: int) -> str:
    """What the node predicts and how wrong that is, with its branches and, for an inner node, without them."""
    said = (
        tree.classes[int(tree.labels[position])] if tree.task == "classes" else words.value(tree.predictions[position])
    )
    line = f"Predicts {said}. {error_name(tree)} as a leaf: {_errors(tree, position, branches=False)}."
    if tree.n_branches[position]:
        line += f" With its branches: {_errors(tree, position, branches=True)}."
    if tree.leaf_rule.priors or tree.leaf_rule.costs:
        losses = _by_part(lambda part: float(tree_figures.leaf_losses(tree, part)[position]), words.value)
        line += f" Expected cost as a leaf: {losses}."
    return line


def error_name(tree: engine.Tree) -> str:
    """What the error of a node is: its kind gives the unit of the figures."""
    if tree.task == "classes":
        return "Error"
    return "Mean absolute error" if tree.predicts_median else "Mean squared error"


def drawn_words(tree: engine.Tree, position: int) -> str:
    """The expected error of Gini's stochastic rule at the node; empty for a numeric target and without rows."""
    if tree.task != "classes" or not tree.train[position].sum() > 0:
        return ""
    errors = _by_part(lambda part: float(tree_figures.drawn_errors(tree, part)[position]), words.percent)
    return f"Expected error of a label drawn at random from the class shares (Gini): {errors}."


def _errors(tree: engine.Tree, position: int, branches: bool) -> str:
    errors = tree_figures.branch_errors if branches else tree_figures.leaf_errors
    return _by_part(
        lambda part: float(errors(tree, part)[position]), words.percent if tree.task == "classes" else words.value
    )


def _by_part(figure: Callable[[str], float], wording: Callable[[float], str]) -> str:
    """A figure of the training rows, and of the validation rows where there are any."""
    figures = [(figure(part), name) for part, name in (("train", "training"), ("validation", "validation"))]
    return ", ".join(f"{wording(x)} {name}" for x, name in figures if not math.isnan(x)) or "unknown (no rows)"
