"""Whether Espalier's tree and scikit-learn's part at ties only.

Both full trees are walked down together from the root. Where both divide the rows alike the walk goes on into both
branches; where they do not, the two gains are compared, in whole numbers where the criterion allows it, and the walk
ends there, because what follows is about other rows.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from tests.benchmarks.cells import Cell
from tests.benchmarks.data import RECIPES, Data
from tests.benchmarks.ours import leaf_of, options
from tests.benchmarks.peers import FULL, PEERS

NEAR = 1e-9  # relative; sums of logarithms in another order differ by less


def compare(cell: Cell, data: Data) -> dict[str, Any]:
    """How many splits are the same, exact ties, near ties, and neither."""
    table = engine.Table.from_frame(data.frame, target="y")
    ours = engine.grow(table, **options(cell))
    kind = DecisionTreeClassifier if data.classes else DecisionTreeRegressor
    judge = kind(**PEERS["scikit-learn"].settings(RECIPES[cell.data], FULL)).fit(data.x, data.y).tree_
    place, node = leaf_of(table, ours), judge.apply(data.x)
    found: Counter[str] = Counter()
    todo = [(0, 0, np.arange(len(data.y)))]
    while todo:
        at, beside, rows = todo.pop()
        leaves = ours.n_branches[at] == 0, judge.children_left[beside] < 0
        if all(leaves):
            continue
        if any(leaves):
            found["neither"] += 1
            continue
        # Both trees number a left branch before the right one, so a row's leaf says on which side it stands.
        right, right_beside = ours.end[at + 1], judge.children_right[beside]
        left, left_beside = place[rows] < right, node[rows] < right_beside
        if (left == left_beside).all():
            found["same"] += 1
            todo.append((at + 1, judge.children_left[beside], rows[left]))
            todo.append((right, right_beside, rows[~left]))
        else:
            found[_verdict(data, RECIPES[cell.data].criterion, rows, left, left_beside)] += 1
    return {"found": {word: found[word] for word in ("same", "tie", "near", "neither")}, "seconds": {}}


def _verdict(data: Data, criterion: str, rows: NDArray, one: NDArray, other: NDArray) -> str:
    gains = [_merit(data, criterion, rows[side], rows[~side]) for side in (one, other)]
    if gains[0] == gains[1]:
        return "tie"
    return "near" if abs(float(gains[0] - gains[1])) <= NEAR * abs(float(gains[0])) else "neither"


def _merit(data: Data, criterion: str, *branches: NDArray) -> Any:
    """What the criterion makes as large as possible, without what all splits of a node share."""
    if not data.classes:  # targets are multiples of 2⁻¹⁰
        return sum(Fraction(int((data.y[rows] * 2**10).sum()) ** 2, rows.size) for rows in branches)
    counts = [np.bincount(data.y[rows], minlength=len(data.classes)) for rows in branches]
    if criterion == "gini":
        return sum(Fraction(sum(int(n) ** 2 for n in count), int(count.sum())) for count in counts)
    return sum(float((n * np.log2(n / count.sum())).sum()) for count in counts for n in [count[count > 0]])
