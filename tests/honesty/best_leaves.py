"""`python -m tests.honesty.best_leaves`: do the leaves that are listed as the best have what is shown of them?

Trees are grown on rows whose true rates (or means) are known, with noise columns beside those that matter; the rows
that are then listed are chosen by their bounds. Two rules are compared: before, the lower end of Wilson's two-sided
95 % interval (of numbers Student's) of the training rows, each weighted row counted as one; and now the bounds of
`engine.assessment.leaf_bounds` from validation rows, for all leaves at once. The truth of a leaf is that of a large
sample that is sent down the tree. The table has the share of listed leaves whose bound is true, and the share of trees
of which all listed bounds are; and the same for the new rule where the training rows have to do.
"""

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

import engine
from engine.assessment.effective_rows import count_effective_rows
from engine.assessment.intervals import wilson
from engine.assessment.leaf_bounds import bound_means, bound_rates

TARGETS = ("noise", "classes", "normal numbers", "skew to the right", "skew to the left")
WEIGHTS = ("no", "even", "wild")
LISTED, ROUNDING = 5, 1e-12


class Covered(NamedTuple):
    """Shares of listed leaves, and of trees, whose shown bounds are true."""

    leaves_before: float
    trees_before: float
    leaves: float
    trees: float
    leaves_by_training: float


def drawn(target: str, weights: str, n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows, and float64[n], the true rate or mean of each."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.random(n) for name in "abcdef"})
    truth = np.full(n, 0.3) if target == "noise" else 0.1 + 0.5 * (frame.a > 0.5) * frame.b.to_numpy()
    truth = np.asarray(truth)
    if target not in ("noise", "classes"):
        noise = random.normal(size=n)
        if target.startswith("skew"):  # exponential; lower bounds of one side are like upper bounds of the other
            noise = (random.exponential(size=n) - 1) * (1 if target.endswith("right") else -1)
        frame["y"] = truth + noise
    else:
        frame["y"] = np.where(random.random(n) < truth, "yes", "no")
    of_kind = {"no": np.ones(n), "even": random.integers(2, 7, n) / 2, "wild": np.exp(random.normal(size=n))}
    return frame.assign(w=of_kind[weights]), truth


def before(tree: engine.Tree) -> np.ndarray:
    """float64[n_leaves]: the bounds of the rule before."""
    at, rows = tree.leaves, tree.rows_train[tree.leaves]
    if tree.task == "classes":
        shares = tree.train[at, 1] / tree.train[at].sum(axis=1)
        return np.array([wilson(share, n)[0] for share, n in zip(shares.tolist(), rows.tolist(), strict=True)])
    weight, first, squares = tree.train[at].T
    deviation = np.sqrt(squares / weight + tree.train[0, 2] / tree.train[0, 0] / rows)
    return tree.origin + first / weight - student.ppf(0.975, rows) * deviation / np.sqrt(rows)


def measured(target: str, weights: str, trees: int, n: int, leaves: int, seed: int = 1) -> Covered:
    """How often bounds are true in some trees that are grown on n rows, with half as many to validate."""
    right: list[list[bool]] = [[], [], []]
    whole: list[list[bool]] = [[], [], []]
    sample, of_sample = drawn(target, "no", 40_000, seed)
    sample_table = engine.Table.from_frame(sample, "y")
    for i in range(trees):
        frame, _ = drawn(target, weights, n + n // 2, 1 + seed * 100_000 + i)
        frame["part"] = np.where(np.arange(len(frame)) < n, "train", "validation")
        table = engine.Table.from_frame(frame, "y", weights="w").with_partition(column="part")
        tree = engine.grow(table, max_leaves=leaves, min_leaf=5, order="best_first")
        leaf = tree.with_counts(sample_table).apply(sample_table)
        size = np.bincount(leaf, minlength=tree.n_nodes)[tree.leaves]
        true = np.bincount(leaf, of_sample, tree.n_nodes)[tree.leaves] / np.maximum(size, 1)
        effective = count_effective_rows(table, tree)
        numbers = tree.task == "number"
        bounds = [before(tree)]
        for k, part in ((1, "validation"), (0, "train")):
            of_part = effective[:, k]
            bounds.append(bound_means(tree, False, part, of_part) if numbers else bound_rates(tree, 1, part, of_part))
        for rule, bound in enumerate(bounds):
            stats = tree.stats("validation" if rule == 1 else "train")
            rate = stats[:, 1] / np.maximum(stats[:, 0] if numbers else stats.sum(axis=1), 1e-300)
            own = (rate[tree.leaves] > rate[0] + ROUNDING) if rule else np.ones(bound.size, bool)
            places = np.flatnonzero(own & np.isfinite(bound) & (size > 0))
            listed = places[np.argsort(-bound[places], kind="stable")][:LISTED]
            holds = bound[listed] <= true[listed] + ROUNDING
            right[rule] += holds.tolist()
            whole[rule].append(bool(holds.all()))
    of_leaves = [float(np.mean(one)) if one else 1.0 for one in right]
    of_trees = [float(np.mean(one)) for one in whole]
    return Covered(of_leaves[0], of_trees[0], of_leaves[1], of_trees[1], of_leaves[2])


def main() -> None:
    """Prints one line for each kind of target and of weights."""
    words = argparse.ArgumentParser(description=main.__doc__)
    words.add_argument("--trees", type=int, default=400)
    words.add_argument("--rows", type=int, default=1000)
    words.add_argument("--leaves", type=int, default=60)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    print(f"{'':32}{'before':>20}{'validation rows':>20}{'training rows':>16}")
    print(f"{'target':20}{'weights':12}{'leaves':>10}{'trees':>10}{'leaves':>10}{'trees':>10}{'leaves':>16}")
    for target in TARGETS:
        for weights in WEIGHTS:
            one = measured(target, weights, asked.trees, asked.rows, asked.leaves, asked.seed)
            shares = zip(one, (10, 10, 10, 10, 16), strict=True)
            print(f"{target:20}{weights:12}" + "".join(f"{x:{w}.1%}" for x, w in shares), flush=True)


if __name__ == "__main__":
    main()
