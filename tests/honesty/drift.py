"""How often scoring finds a drift where there is none: `python -m tests.honesty.drift`.

The new rows are drawn as the training rows were; `Scored.drift` compares the leaves that they reach, `Scored.leaf_p`
each leaf with all others. The program says "drift" from p = 0.01 on, so that should happen in one of a hundred files,
also of trees of noise, whose leaves are where the training rows happened to differ; and as seldom should any leaf of a
file be said to have moved. Of rows that were sampled with weights there is no test; what it would
find is shown beside.
"""

import argparse

import numpy as np
import pandas as pd

import engine
from engine.scoring import compare_counts, compare_each

LEVEL = 0.01
TARGETS = ("signal", "noise")
WEIGHTS = ("none", "weight")


def frame(random: np.random.Generator, n: int, target: str) -> pd.DataFrame:
    """Six numeric columns and one of five levels; w says how many rows of the population each stands for."""
    rows = pd.DataFrame(random.normal(size=(n, 6)), columns=list("abcdef"))
    rows["g"] = random.choice(list("pqrst"), n)
    score = rows.a + (rows.b > 0) if target == "signal" else np.zeros(n)
    rows["y"] = np.where(random.random(n) < 1 / (1 + np.exp(-score)), "u", "v")
    rows["w"] = np.exp(random.normal(size=n))
    return rows


def p_values(target: str, weighted: str, rows: int, new: int, leaves: int, seed: int) -> tuple[float, float]:
    """Of the shares of all leaves among new rows, and the least of those of single leaves; sampling weights are
    independent of all else, so that the new rows are the population's."""
    random = np.random.default_rng(seed)
    table = engine.Table.from_frame(
        frame(random, rows, target), target="y", weights="w" if weighted == "weight" else None,
        roles=None if weighted == "weight" else {"w": "ignore"},
    )  # fmt: skip
    tree = engine.grow(table, max_leaves=leaves, order="best_first")
    fresh = engine.Table.from_frame(frame(random, new, target), target="y", roles={"w": "ignore"})
    reached = np.bincount(tree.apply(fresh), minlength=tree.n_nodes)[tree.leaves]
    weight, w = tree.weight()[tree.leaves], table.weights if table.weights is not None else np.ones(rows)
    before = weight / weight.sum() * (w.sum() ** 2 / (w @ w))  # Kish's rows
    return compare_counts(before, reached).p, float(np.nanmin(np.append(compare_each(before, reached), 1.0)))


def measured(target: str, weighted: str, rows: int, new: int, leaves: int, tables: int) -> tuple[float, float]:
    """The share of the files in which a drift is found, and of those in which a leaf has moved."""
    found = [p_values(target, weighted, rows, new, leaves, 1000 + seed) for seed in range(tables)]
    drift, moved = (np.array(found) <= LEVEL).mean(axis=0).tolist()
    return drift, moved


def main() -> None:
    """Prints one line for each target, weighting and size."""
    words = argparse.ArgumentParser(description=main.__doc__)
    words.add_argument("--tables", type=int, default=400)
    tables = words.parse_args().tables
    print(f"{'target':8}{'weights':9}{'training':>9}{'new':>7}{'leaves':>8}{'drift found':>13}{'leaf moved':>13}")
    for target in TARGETS:
        for weighted in WEIGHTS:
            for rows, new in ((500, 500), (2000, 500), (2000, 5000)):
                for leaves in (8, 60):
                    drift, moved = measured(target, weighted, rows, new, leaves, tables)
                    case = f"{target:8}{weighted:9}{rows:>9,}{new:>7,}{leaves:>8}"
                    print(f"{case}{drift:>13.1%}{moved:>13.1%}", flush=True)


if __name__ == "__main__":
    main()
