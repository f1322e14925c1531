"""The slow twin of `engine.profile`, written from its docstring: every condition that a column allows is tried."""

from itertools import combinations

import numpy as np
import pandas as pd


def shares(series: pd.Series, weights: np.ndarray) -> dict[object, float]:
    """The weighted share of each value; None stands for the missing one."""
    found: dict[object, float] = {}
    for value, weight in zip(series, weights, strict=True):
        key = None if pd.isna(value) else value
        found[key] = found.get(key, 0.0) + weight / weights.sum()
    return found


def largest_difference(ours: dict[object, float], theirs: dict[object, float], ordered: bool) -> float:
    """The largest share of ours less that of theirs over all thresholds, or over all sets of levels; missing values on
    either side."""
    values = sorted({value for value in (*ours, *theirs) if value is not None})
    sets = (
        [chosen for k in range(len(values) + 1) for chosen in (values[:k], values[k:])] if ordered
        else [chosen for k in range(len(values) + 1) for chosen in combinations(values, k)]
    )  # fmt: skip
    return max(
        sum(ours.get(value, 0.0) - theirs.get(value, 0.0) for value in (*chosen, *missing))
        for chosen in sets for missing in ((), (None,))
    )  # fmt: skip


def mean_by_chance(frame: pd.Series, n: int, ordered: bool, draws: int, seed: int = 0) -> float:
    """The mean of the largest difference over random groups of n rows and of all others."""
    random, found, ones = np.random.default_rng(seed), [], np.ones(len(frame))
    for _ in range(draws):
        order = random.permutation(len(frame))
        first, rest = frame.iloc[order[:n]], frame.iloc[order[n:]]
        found.append(largest_difference(shares(first, ones[:n]), shares(rest, ones[n:]), ordered))
    return float(np.mean(found))
