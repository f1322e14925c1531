"""`python -m tests.honesty.disagreement`: how often nodes seem to differ on validation rows that are drawn as the
training rows are.

A tree is grown on rows of its own; then its training and validation rows are drawn, both alike, so a disc that marks a
node is wrong. Two rules are compared: before, Pearson's test with Yates's correction (of numbers Student's) at 1 % for
each node, where each weighted row counted as one row; and `engine.assessment.disagreement`, at 1 % for the whole tree.
The table has for both the share of the nodes and of the trees that are marked; and the share of the trees that the new
rule marks where the same training rows also chose the splits: these look purer than others do, which it is to find.
"""

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import betainc, erfc

import engine
from engine.assessment.disagreement import LEVEL, compare_parts
from engine.assessment.effective_rows import count_effective_rows

TARGETS = {"2 classes": 2, "3 classes": 3, "numbers": 0, "skew numbers": 0}
WEIGHTS = ("no", "even", "wild")


class Marked(NamedTuple):
    """Shares of nodes and trees that are marked: by the rule before, by the new one; and of trees that their training
    rows chose."""

    nodes_before: float
    trees_before: float
    nodes: float
    trees: float
    trees_chosen: float


def drawn(target: str, weights: str, n: int, seed: int) -> pd.DataFrame:
    """Rows whose target depends on two columns; weights that do not depend on it: even ones lie between 1 and 3, wild
    ones are log-normal, with n ÷ e effective rows."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.random(n), "z": random.integers(0, 10, n).astype(float), "q": random.random(n)})
    signal = 2 * frame.x + (frame.z > 6)
    noise = random.exponential(size=n) if target == "skew numbers" else random.normal(size=n)
    n_classes = TARGETS[target]
    frame["y"] = np.array(list("pqr"))[np.digitize(signal + noise, [1.3, 2.2][: n_classes - 1])] if n_classes else (
        signal + noise)  # fmt: skip
    of_kind = {"no": np.ones(n), "even": random.integers(2, 7, n) / 2, "wild": np.exp(random.normal(size=n))}
    return frame.assign(w=of_kind[weights])


def parted(frame: pd.DataFrame, seed: int) -> engine.Table:
    """Half of the rows validate, whatever their target."""
    part = np.random.default_rng(seed).permutation(np.arange(len(frame)) % 2)
    frame = frame.assign(part=np.array(["train", "validation"])[part])
    return engine.Table.from_frame(frame, "y", weights="w").with_partition(column="part")


def before(tree: engine.Tree) -> np.ndarray:
    """float64[n_nodes]: the p-values of the rule before; NaN where a part has no rows."""
    rows = np.column_stack((tree.rows_train, tree.rows_validation)).astype(float)
    weight = np.column_stack((tree.weight("train"), tree.weight("validation")))
    with np.errstate(all="ignore"):
        if tree.task == "number":
            parts = np.stack((tree.train, tree.validation), axis=1)
            means, within = parts[:, :, 1] / weight, (parts[:, :, 2] / weight * rows).sum(axis=1)
            between = rows.prod(axis=1) / rows.sum(axis=1) * (means[:, 0] - means[:, 1]) ** 2
            freedom, left = rows.sum(axis=1) - 2, within / (within + between)
            p = np.where(freedom > 0, betainc(np.maximum(freedom, 1) / 2, 0.5, left), 1.0)
        else:
            at = np.arange(tree.n_nodes), tree.labels
            right = np.column_stack((tree.train[at], tree.validation[at])) / weight * rows
            n, both = rows.sum(axis=1), right.sum(axis=1)
            apart = np.abs(right[:, 0] * (rows[:, 1] - right[:, 1]) - right[:, 1] * (rows[:, 0] - right[:, 0]))
            statistic = n * np.maximum(apart - n / 2, 0) ** 2 / (rows.prod(axis=1) * both * (n - both))
            p = erfc(np.sqrt(np.nan_to_num(statistic) / 2))
    return np.where((rows > 0).all(axis=1), p, np.nan)


def measured(target: str, weights: str, trees: int, n: int, leaves: int, seed: int = 1) -> Marked:
    """The shares that are marked in some trees with n rows in both parts together."""
    found = np.zeros((trees, 5))
    grow = {"max_leaves": leaves, "min_leaf": 5, "order": "best_first"}
    for i in range(trees):
        at = 10 * (seed * 100_000 + i)
        grower = engine.Table.from_frame(drawn(target, "no", n, at), "y", weights="w")
        table = parted(drawn(target, weights, n, at + 1), at)
        tree = engine.grow(grower, **grow).with_counts(table)
        old, new = before(tree), compare_parts(tree, count_effective_rows(table, tree))
        chosen = engine.grow(table, **grow)
        tested = np.isfinite(new.p)
        marks = old[tested] < LEVEL, new.p[tested] < LEVEL
        flattering = compare_parts(chosen, count_effective_rows(table, chosen)).adjusted
        found[i] = (marks[0].mean(), marks[0].any(), marks[1].mean(), (new.adjusted[tested] < LEVEL).any(),
                    (flattering < LEVEL).any())  # fmt: skip
    return Marked(*found.mean(axis=0).tolist())


def main() -> None:
    """Prints one line for each kind of target and of weights."""
    words = argparse.ArgumentParser(description=main.__doc__)
    words.add_argument("--trees", type=int, default=2000)
    words.add_argument("--rows", type=int, default=1000)
    words.add_argument("--leaves", type=int, default=30)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    print(f"{'':26}{'before':>22}{'now':>40}")
    print(f"{'target':14}{'weights':12}{'nodes p<1%':>12}{'trees':>10}{'nodes p<1%':>14}{'trees':>10}{'own rows':>16}")
    for target in TARGETS:
        for weights in WEIGHTS:
            one = measured(target, weights, asked.trees, asked.rows, asked.leaves, asked.seed)
            shares = zip(one, (12, 10, 14, 10, 16), strict=True)
            print(f"{target:14}{weights:12}" + "".join(f"{x:{w}.2%}" for x, w in shares), flush=True)


if __name__ == "__main__":
    main()
