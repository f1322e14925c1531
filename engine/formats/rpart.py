"""A tree as R's package rpart prints it (Therneau and Atkinson 1997): `node), split, n, loss, yval, (yprob)`.

The branches of node k are 2k and 2k + 1; 2k is the one whose rows have the smaller mean of the target, classes counted
in their order, as rpart has it. rpart 4.1.19 under R 4.2.2 judges the lines (`tests/data/rpart_print.R`)."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.formats.j48 import NUMBERS, is_one_cut
from engine.formats.printouts import Line, pieces
from engine.runtime.errors import InputError, printable
from engine.runtime.sentences import tr
from engine.table.words import value_words
from engine.tree.tree import Tree

DIGITS = 7  # that R prints
EQUAL = "# A value equal to a cut goes with the smaller ones."  # which rpart sends the other way
MANY = 5  # from so many classes on their probabilities have two digits


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces."""
    return pieces(tree, "rpart")


def lines(tree: Tree) -> Iterator[Line]:
    """The printout, line by line; InputError where a split has more than two branches."""
    if (tree.n_branches > 2).any():
        i = int(np.argmax(tree.n_branches > 2))
        raise InputError(tr(
            "rpart splits nodes in two: the split of {column} at node {node} has {n} branches.",
            column=tree.title(i), node=int(tree.ids[i]), n=int(tree.n_branches[i])))  # fmt: skip
    numbers = _numbers(tree)
    at, width = list(numbers), len(str(max(numbers.values())))
    losses = r_format([float(f"{loss:.{DIGITS}g}") for loss in tree.costs()[at]])
    said = _predictions(tree, at)
    yield Line(f"n= {int(tree.rows_train[0])} ")
    yield Line("")
    yield Line(f"node), split, n, {'loss, yval, (yprob)' if tree.task == 'classes' else 'deviance, yval'}")
    yield Line("      * denotes terminal node")
    yield Line("")
    for i, loss, predicted in zip(at, losses, said, strict=True):
        head = f"{'  ' * int(tree.level[i])}{numbers[i]:>{width}}) {_condition(tree, i)}"
        leaf = " " if tree.n_branches[i] else "*"
        yield Line(printable(f"{head} {int(tree.rows_train[i])} {loss} {predicted} {leaf}"), int(tree.ids[i]))
    if any(_may_meet(tree, i) for i in at):
        yield Line("")
        yield Line(EQUAL)


def _numbers(tree: Tree) -> dict[int, int]:
    """The number of each node by its position, in the order of the lines."""
    numbers, waiting, means = {}, [(0, 1)], _means(tree)
    while waiting:
        i, number = waiting.pop()
        numbers[i] = number
        below = tree.children(i)
        if below and not means[below[0]] < means[below[1]]:
            below.reverse()
        waiting += [(child, 2 * number + k) for k, child in enumerate(below)][::-1]
    return numbers


def _means(tree: Tree) -> NDArray[np.float64]:
    """float64[n_nodes]: the mean of the target among the training rows of each node; classes count 0, 1, 2 … and weigh
    as in the search."""
    if tree.task == "number":
        return np.asarray(tree.means)
    total = tree.searched_weight
    return np.divide(tree.searched @ np.arange(len(tree.classes)), total, out=np.zeros(total.size), where=total > 0)


def _predictions(tree: Tree, at: list[int]) -> list[str]:
    """What the nodes predict; of classes the label and the probabilities of all."""
    if tree.task == "number":
        return r_format([float(f"{value:.{DIGITS}g}") for value in tree.predictions[at]])
    shares, k = tree.probabilities[at], len(tree.classes)
    figures = r_format(shares.ravel(), least=DIGITS) if k < MANY else [f"{share:.2g}" for share in shares.ravel()]
    return [f"{tree.classes[tree.labels[i]]} ({' '.join(figures[n * k : n * k + k])})" for n, i in enumerate(at)]


def _condition(tree: Tree, i: int) -> str:
    """How a node is reached from its parent; in the words of this program where rpart has no such split."""
    if i == 0:
        return "root"
    split, branch = tree.split_at(int(tree.parent[i])), int(tree.branch[i])
    assert split is not None
    if is_one_cut(split):
        cut, kind = split.thresholds[0], tree.kinds[split.column]
        value = f"{cut:.{DIGITS}g}" if kind in NUMBERS else value_words(cut, kind)
        return f"{split.column}{'>=' if branch else '< '}{value}"
    if split.kind == "groups" and split.groups[branch]:
        order = next(column.levels for column in tree.columns if column.name == split.column)
        return f"{split.column}={','.join(sorted(split.groups[branch], key=order.index))}"
    return tree.sentence(i)


def _may_meet(tree: Tree, i: int) -> bool:
    """Whether a value may be equal to the cut of a node: then rpart's "<" would be wrong by that value."""
    split = tree.split_at(i)
    if split is None or not is_one_cut(split):
        return False
    kind, cut = tree.kinds[split.column], split.thresholds[0]
    return kind == "number" or (kind == "integer" and cut.is_integer())


def r_format(values: Sequence[float] | NDArray[np.float64], least: int = 0) -> list[str]:
    """Finite numbers as R's `format(values, digits = 7, nsmall = least)` writes them: all with as many decimals as the
    one that needs most for seven digits, right-aligned; with a power of ten where that takes less room.

    Args:
        least: so many decimals at least, unless there are powers of ten.
    """
    parts = [f"{abs(value):.{DIGITS - 1}e}".split("e") for value in values]  # rounded to so many digits
    powers = [int(power) for _, power in parts]
    digits = [len(mantissa.rstrip("0")) - 1 or 1 for mantissa, _ in parts]  # without the point
    decimals = max(max(0, n - power - 1) for n, power in zip(digits, powers, strict=True))
    before = max(max(power, 0) + 1 + (value < 0) for value, power in zip(values, powers, strict=True))
    figures, large = max(digits), any(abs(power) >= 100 for power in powers)
    fixed = before + (decimals > 0) * (decimals + 1)
    scientific = any(value < 0 for value in values) + figures + (figures > 1) + (5 if large else 4)
    if fixed <= scientific:
        written = [f"{value:.{max(decimals, least)}f}" for value in values]
    else:
        written = [f"{value:.{figures - 1}e}" for value in values]
    width = max(map(len, written))
    return [text.rjust(width) for text in written]
