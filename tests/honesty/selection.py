"""`python -m tests.honesty.selection`: how far figures of chosen trees are from the truth, before and after correction.

Tables of a fair coin, whose error is 50 % whatever a tree says, and of a signal, where 4,000 further rows tell it. Of
each choice:

    error − truth       of the error shown, and of that by `engine.cross_fitted` or `engine.best_of`, whose rows did not
                        choose, in points; where folds of the training rows choose, with `Pruning.optimism` added
    95 % holds truth    Wilson's interval of the tree, as if it had not been chosen, and that of the `Choice`
    p < .05             of the chosen tree against the whole one: McNemar's test, and `engine.compare` with the choice;
                        of coins there is no difference, of signals mostly one
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

import engine
from engine.assessment.intervals import wilson
from engine.assessment.selection import losses_of

FRESH = 4000  # rows of the signal that tell the truth
KINDS = ("coin", "signal")
SETTINGS = [(c, m) for c in ("gini", "entropy", "sqrt", "error") for m in (1, 2, 3, 5, 7, 10, 15, 20, 30, 40)]
PRUNED_SETTINGS = [("gini", 1), ("gini", 5), ("entropy", 1), ("entropy", 5), ("sqrt", 3), ("error", 3)]


class Figures(NamedTuple):
    """Means over tables: the error shown less the true one, the corrected one less that, the share of the intervals
    around them that hold the truth, and of the tests that find a difference."""

    shown: float
    honest: float
    shown_covers: float
    honest_covers: float
    mcnemar: float
    fresh: float


def table_of(kind: str, train: int, validation: int, seed: int) -> engine.Table:
    """Six columns of normal numbers; in a signal four of them say how probable class 1 is: 10, 35, 70 or 90 %."""
    random = np.random.default_rng(seed)
    sizes = (train, validation, FRESH if kind == "signal" else 0)
    frame = pd.DataFrame(random.normal(size=(sum(sizes), 6)), columns=list("abcdef"))
    rate = np.full(len(frame), 0.5)
    if kind == "signal":
        steps = (frame.a > 0).astype(int) + (frame.b > frame.c / 2) + (frame.d > 0.5)
        rate = np.array([0.1, 0.35, 0.7, 0.9])[steps]
    frame["y"] = (random.random(len(frame)) < rate).astype(int)
    frame["part"] = np.repeat(["train", "validation", "test"], sizes)
    table = engine.Table.from_frame(frame, "y", kinds={"y": "nominal"})
    return table.with_partition(column="part")


def truth(table: engine.Table, tree: engine.Tree) -> float:
    """The error on rows without end; a coin's is that of the tree that always says the same."""
    return engine.assess(table, tree, "test").error if table.n_test else 0.5


def of_pruning(table: engine.Table, method: str, seed: int) -> tuple[float, ...]:
    """A `Figures` of one table whose validation rows chose the pruning."""
    whole = engine.grow(table)
    pruning = engine.prune(table, whole, method)
    chosen, choice = pruning.tree(pruning.chosen), engine.cross_fitted(table, pruning, seed=seed)
    tests = [engine.compare(table, whole, chosen, choices=one).p_value for one in ((None, None), (None, choice))]
    return _figures(choice, truth(table, chosen), table.n_validation, *(p < 0.05 for p in tests))


def of_settings(table: engine.Table, seed: int) -> tuple[float, ...]:
    """A `Figures` of one table whose validation rows chose among 40 settings of growth; of the tests there is none."""
    rows = table.rows(engine.VALIDATION)
    trees = [engine.grow(table, criterion=criterion, min_leaf=least) for criterion, least in SETTINGS]
    losses = np.column_stack([losses_of(table, tree, rows)[0] for tree in trees])
    errors = losses.mean(axis=0)
    best = trees[np.flatnonzero(errors == errors.min())[-1]]
    return _figures(engine.best_of([*losses.T], shares=True, seed=seed), truth(table, best), rows.size, np.nan, np.nan)


def of_pruned_settings(table: engine.Table, seed: int) -> tuple[float, ...]:
    """A `Figures` of one table whose validation rows chose a pruning at each of six settings, and then among these."""
    prunings = [
        engine.prune(table, engine.grow(table, criterion=criterion, min_leaf=least), "reduced_error")
        for criterion, least in PRUNED_SETTINGS
    ]
    choices = [engine.cross_fitted(table, pruning, seed=seed) for pruning in prunings]
    best = min(reversed(range(len(choices))), key=lambda i: choices[i].shown)
    choice, tree = engine.best_of(choices, shares=True, seed=seed), prunings[best].tree(prunings[best].chosen)
    return _figures(choice, truth(table, tree), table.n_validation, np.nan, np.nan)


def of_folds(table: engine.Table, seed: int) -> tuple[float, ...]:
    """A `Figures` of one table whose training rows chose the pruning by folds; neither intervals nor tests."""
    pruning = engine.prune(table, engine.grow(table), "cost_complexity", judge="folds", seed=seed)
    shown, true = pruning.steps[pruning.chosen].cv_error, truth(table, pruning.tree(pruning.chosen))
    return (shown - true, shown + pruning.optimism - true, *[np.nan] * 4)


def _figures(choice: engine.Choice, true: float, n: int, *tests: float) -> tuple[float, ...]:
    covers = [low <= true <= high for low, high in (wilson(choice.shown, n), choice.interval)]
    return (choice.shown - true, choice.error - true, *covers, *tests)


CHOICES: dict[str, Callable[[engine.Table, int], tuple[float, ...]]] = {
    "reduced error": lambda table, seed: of_pruning(table, "reduced_error", seed),
    "cost complexity": lambda table, seed: of_pruning(table, "cost_complexity", seed),
    "40 settings": of_settings,
    "6 pruned settings": of_pruned_settings,
    "folds": of_folds,
}


def measured(choice: str, kind: str, rows: int, tables: int, seed: int = 1) -> Figures:
    """The figures over some tables with `rows` training and as many validation rows; of folds all rows train."""
    sizes = (2 * rows, 0) if choice == "folds" else (rows, rows)
    found = [CHOICES[choice](table_of(kind, *sizes, seed * 100_000 + i), i) for i in range(tables)]
    return Figures(*np.mean(np.array(found, np.float64), axis=0).tolist())


def main() -> None:
    """Prints one line for each way to choose, kind of table and number of rows."""
    words = argparse.ArgumentParser(description=main.__doc__)
    words.add_argument("--tables", type=int, default=400)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    print(f"{'':32}{'error − truth':>20}{'95 % holds truth':>20}{'p < .05':>20}")
    print(f"{'chosen by':17}{'table':8}{'rows':>7}" + f"{'shown':>10}{'honest':>10}" * 3)
    for choice in CHOICES:
        for kind in KINDS:
            for rows in (100, 300):
                one = measured(choice, kind, rows, asked.tables, asked.seed)
                points = "".join(f"{100 * value:+10.1f}" for value in one[:2])
                shares = "".join(f"{'' if np.isnan(value) else f'{value:.1%}':>10}" for value in one[2:])
                print(f"{choice:17}{kind:8}{rows:>7}{points}{shares}", flush=True)


if __name__ == "__main__":
    main()
