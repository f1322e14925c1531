"""The preset rpart grows the trees of rpart on tables with gaps (tests/data/rpart_surrogates.py): every row goes the
same way, but where a tie in whole numbers or fractions leaves the choice open."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import engine
from tests.data import rpart_surrogates as made

STANDS = json.loads(made.FILE.read_text())  # by table: the number of rpart's node in which each row ends
# Where two cuts gain the same to the last fraction, rounding decides in rpart; here it is the first column and cut.
TWO_CUTS = {"all0": 1, "all1": 1}
# A row that lacks the column and its surrogates goes with the majority of those that have the column. Where as many go
# either way rpart lets it stand at the inner node; here it goes into the first branch.
NO_MAJORITY = {"all0": 1, "all16": 1, "all18": 1}


def impurity(y: np.ndarray) -> Fraction:
    """n times the Gini impurity of rows, without rounding."""
    n, k = y.size, int(y.sum())
    return Fraction(2 * k * (n - k), n)


def cuts(frame: pd.DataFrame, y: np.ndarray, least: int = 7) -> Iterator[tuple[Fraction, np.ndarray, np.ndarray]]:
    """(gain among the rows that have the column, bool[n] left, bool[n] right) of every split in two."""
    for name, column in frame.items():
        known, values = column.notna().to_numpy(), sorted(column.dropna().unique())
        first = [values[: i + 1] for i in range(len(values) - 1)]
        if name == "k":
            first = [some for size in range(1, len(values)) for some in combinations(values, size)]
        for some in first:
            left = column.isin(some).to_numpy()
            right = known & ~left
            if min(left.sum(), right.sum()) >= least:
                yield impurity(y[known]) - impurity(y[left]) - impurity(y[right]), left, right


class Beside:
    """Our tree beside rpart's: from node to node as long as the same rows stand there, and why no further."""

    def __init__(self, frame: pd.DataFrame, number: np.ndarray) -> None:
        table = engine.Table.from_frame(frame, target="y")
        self.tree = engine.grow(table, preset="rpart", cp=0.0)
        self.at = engine.assign(table, self.tree)
        self.frame, self.y, self.number = frame.drop(columns="y"), (frame["y"] == "u").to_numpy(), number
        self.two_cuts = self.no_majority = 0
        self.walk(0, 1)

    def below(self, node: int) -> np.ndarray:
        """bool[n_rows]: the rows that stand at or below rpart's node; the branches of node k are 2k and 2k + 1."""
        up = self.number.copy()
        while (up > node).any():
            up[up > node] //= 2
        return up == node

    def walk(self, i: int, node: int) -> None:
        here = self.below(node)
        assert sorted(self.at.rows_of(i)) == np.flatnonzero(here).tolist()
        ours = [np.isin(np.arange(here.size), self.at.rows_of(k)) for k in self.tree.children(i)]
        theirs = {k: self.below(k) for k in (2 * node, 2 * node + 1)}
        assert bool(ours) == any(rows.any() for rows in theirs.values())
        if not ours:
            return
        if (theirs[2 * node] & ours[0]).sum() < (theirs[2 * node] & ours[1]).sum():
            ours = ours[::-1]
        if all((mine == rows).all() for mine, rows in zip(ours, theirs.values(), strict=True)):
            for mine, k in zip(ours, theirs, strict=True):
                self.walk(next(j for j in self.tree.children(i) if mine[self.at.rows_of(j)].all()), k)
        elif (self.number == node).any():
            stay, known = self.number == node, self.frame[self.tree.split_at(i).column].notna().to_numpy()
            assert all(((mine & ~stay) == rows).all() for mine, rows in zip(ours, theirs.values(), strict=True))
            assert not known[stay].any() and (ours[0] & known).sum() == (ours[1] & known).sum()
            self.no_majority += 1
        else:
            every = list(cuts(self.frame[here], self.y[here]))
            best = [(left, right) for gain, left, right in every if gain == max(gain for gain, _, _ in every)]
            for branches in (ours, list(theirs.values())):
                one, other = (rows[here] for rows in branches)
                ways = [(one[a], other[b]) for left, right in best for a, b in ((left, right), (right, left))]
                assert any(all(some) and all(rest) for some, rest in ways)
            assert len(best) > 1
            self.two_cuts += 1


@pytest.mark.parametrize(("which", "seed"), made.TABLES)
def test_every_row_goes_the_way_that_it_goes_in_rpart(which, seed):
    name = f"{which}{seed}"
    beside = Beside(made.table(which, seed), np.array(STANDS[name]))
    assert (beside.two_cuts, beside.no_majority) == (TWO_CUTS.get(name, 0), NO_MAJORITY.get(name, 0))
    tree = beside.tree
    assert any(tree.split_at(i).surrogates for i in np.flatnonzero(tree.n_branches).tolist())


def test_a_split_that_gains_nothing_is_none():
    """In rpart the best sum of impurities has to be less than that of the node: of an exclusive or nothing is split."""
    frame = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0] * 30, "b": [0.0, 1.0, 0.0, 1.0] * 30, "y": list("uvvu") * 30})
    table = engine.Table.from_frame(frame, target="y")
    assert engine.grow(table, preset="rpart").n_leaves == 1
    assert engine.grow(table, preset="rpart", min_gain=0.0).n_leaves == 4
