"""How often DeLong's test finds a difference where there is none: `python -m tests.honesty.auc_difference`.

Two trees predict a class, and rows that neither has seen compare the areas under their ROC curves (`engine.compare`).
At 5 % that should find a difference in one of twenty tables:

    twins    each tree is of one of two columns that tell equally much: both areas are the same, above one half
    noise    both trees are of noise: both areas are one half
    nested   of noise as well, but one tree is a part of the other
    chosen   of noise: one tree was cut back by the rows that compare. There it finds too much, so the window shows no
             p-value
"""

import argparse

import numpy as np
import pandas as pd

import engine

LEVEL = 0.05
KINDS = ("twins", "noise", "nested", "chosen")


def table_of(kind: str, rows: int, share: float, seed: int) -> engine.Table:
    """So many training and validation rows; `share` of them are of the class. Twins have enough training rows to put
    their leaves in the right order, or else their areas are not the same."""
    random, train = np.random.default_rng(seed), 5_000 if kind == "twins" else rows
    frame = pd.DataFrame(random.normal(size=(train + rows, 4)), columns=list("abcd"))
    signal = frame.a + frame.b if kind == "twins" else 0.0
    score = signal + random.normal(size=train + rows)
    frame["y"] = np.where(score > np.quantile(score, 1 - share), "yes", "no")
    frame["part"] = np.repeat(["train", "validation"], (train, rows))
    return engine.Table.from_frame(frame, "y").with_partition(column="part")


def trees_of(kind: str, table: engine.Table) -> tuple[engine.Tree, engine.Tree]:
    if kind == "twins":  # of the columns themselves, cut where nothing was looked at
        cuts = (-1.0, -0.3, 0.3, 1.0)
        root = engine.Tree.root(table)
        one, other = (root.split(table, 0, engine.Split(name, "threshold", cuts)) for name in "ab")
        return one, other
    if kind == "noise":
        halves = (table.with_roles(dict.fromkeys(left, "ignore")) for left in ("ab", "cd"))
        one, other = (engine.grow(half, max_leaves=8, order="best_first") for half in halves)
        return one, other
    whole = engine.grow(table, max_leaves=30, order="best_first")
    if kind == "nested":
        return whole, engine.grow(table, max_leaves=6, order="best_first")
    pruning = engine.prune(table, whole, "reduced_error")
    return whole, pruning.tree(pruning.chosen)


def p_value(kind: str, rows: int, share: float, seed: int) -> float:
    """Of one table; NaN where no area could be told from the other, as of a single leaf."""
    table = table_of(kind, rows, share, seed)
    found = engine.compare(table, *trees_of(kind, table), label="yes").auc
    return found.p_value if found is not None else np.nan


def measured(kind: str, rows: int, share: float, tables: int) -> float:
    """The share of the tables in which a difference is found."""
    found = np.array([p_value(kind, rows, share, 1000 + seed) for seed in range(tables)])
    return float(np.mean(found <= LEVEL))


def main() -> None:
    """Prints one line for each kind of trees, number of rows, and share of the class."""
    words = argparse.ArgumentParser(description=main.__doc__)
    words.add_argument("--tables", type=int, default=1000)
    tables = words.parse_args().tables
    print(f"{'trees':8}{'rows':>7}{'class':>8}{'found':>9}")
    for kind in KINDS:
        for rows, share in ((100, 0.5), (100, 0.2), (200, 0.1), (1000, 0.1), (1000, 0.5)):
            found = measured(kind, rows, share, tables)
            print(f"{kind:8}{rows:>7,}{share:>8.0%}{found:>9.1%}", flush=True)


if __name__ == "__main__":
    main()
