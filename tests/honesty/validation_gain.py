"""`python -m tests.honesty.validation_gain`: what the best splits of shuffled targets seem to gain on validation rows.

Nothing is to be found there, so an honest figure is above 0 in less than half of the tables, as the answers of branches
are noisier than that of the node. Two figures are compared: the fall of the impurity among the validation rows, which
is never negative where the criterion is concave, whatever the branches predict; and `Candidate.validation_gain`, what
the training answers of the branches save there. The table has, for each kind of target and criterion, without and with
weights, the share of the tables where each of them is above 0 and its mean as a share of the mean training gain.
"""

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd

import engine
from engine.criteria import impurity
from engine.search.absolute import impurity as mean_deviation

CLASSES, NUMBERS = ("gini", "entropy", "error", "sqrt"), ("squared_error", "absolute_error")
TARGETS = {"2 classes": (2, CLASSES), "3 classes": (3, CLASSES), "numbers": (0, NUMBERS)}
ROUNDING = 1e-9


class Honesty(NamedTuple):
    """Of the best splits of some tables: the share with a figure above 0, and its mean ÷ the mean training gain."""

    positive_by_impurity: float
    ratio_by_impurity: float
    positive: float
    ratio: float


def table_of(n_classes: int, weighted: bool, n: int, seed: int) -> engine.Table:
    """Half of the n rows validate; two columns of numbers and one of levels, which tell nothing of the target."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.random(n), "z": random.integers(0, 10, n).astype(float)})
    frame["level"] = random.choice(list("abcdef"), n)
    frame["y"] = random.choice(list("pqr")[:n_classes], n) if n_classes else random.normal(size=n)
    frame["w"] = random.integers(1, 4, n) / 2 if weighted else 1.0
    return engine.Table.from_frame(frame, "y", weights="w").with_partition(validation=0.5, seed=seed)


def fall_of_impurity(table: engine.Table, split: engine.Split, criterion: str) -> float:
    """The impurity of the validation rows less the mean of that in the branches."""
    rows = np.flatnonzero(table.part == engine.VALIDATION)
    y, weights, branch = table.y[rows], table.weights[rows], engine.branch_of_rows(split, table, rows)

    def of(part: np.ndarray) -> float:
        """Times the weight."""
        labels, w = y[part], weights[part]
        if criterion == "absolute_error":
            return mean_deviation(labels, w) * w.sum()
        if criterion == "squared_error":
            return float(w @ (labels - np.average(labels, weights=w)) ** 2)
        return float(impurity(criterion, np.bincount(labels.astype(int), w, len(table.classes)))) * w.sum()

    return (of(np.ones(rows.size, bool)) - sum(of(branch == b) for b in np.unique(branch))) / float(weights.sum())


def measured(target: str, criterion: str, weighted: bool, tables: int, n: int, seed: int = 1) -> Honesty:
    """The figures of the best split of each of some tables with n rows."""
    found = np.empty((tables, 3))
    for i in range(tables):
        table = table_of(TARGETS[target][0], weighted, n, seed * 100_000 + i)
        options = {"criterion": criterion, "min_leaf": 10}
        splits = [one for one in engine.candidates(table, engine.Tree.root(table), **options) if one.split is not None]
        best = splits[0]
        found[i] = best.gain, fall_of_impurity(table, best.split, criterion), best.validation_gain
    gain, fall, saved = found.mean(axis=0)
    above = (found > ROUNDING).mean(axis=0)
    return Honesty(float(above[1]), float(fall / gain), float(above[2]), float(saved / gain))


def main() -> None:
    """Prints one line for each kind of target, criterion and kind of weights."""
    words = argparse.ArgumentParser(description=main.__doc__)
    words.add_argument("--tables", type=int, default=300)
    words.add_argument("--rows", type=int, default=400)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    print(f"{'':36}{'fall of impurity':>20}{'saved by the answers':>24}")
    print(f"{'target':12}{'criterion':16}{'weights':8}" + f"{'> 0':>12}{'÷ gain':>8}" * 2)
    for target, (_, criteria) in TARGETS.items():
        for criterion in criteria:
            for weighted in (False, True):
                one = measured(target, criterion, weighted, asked.tables, asked.rows, asked.seed)
                shown = "".join(f"{above:12.0%}{ratio:8.2f}" for above, ratio in ((one[0], one[1]), (one[2], one[3])))
                print(f"{target:12}{criterion:16}{'yes' if weighted else 'no':8}{shown}", flush=True)


if __name__ == "__main__":
    main()
