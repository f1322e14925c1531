"""LogWorth is calibrated: with a shuffled target the best split of a column is as surprising as it says, for every kind
of column, and no kind is favoured when columns compete.

TABLES tables of ROWS rows for each kind of target; the seeds are fixed.
"""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import engine

TABLES, ROWS = 300, 240
ALPHAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 1.0)
LEVELS = (2, 3, 5, 10, 20, 50)
KINDS = {
    "numbers": ("number", "lacking"),
    "ties": ("ties", "ties lacking"),
    "few levels": ("2 levels", "3 levels", "5 levels"),
    "many levels": ("10 levels", "20 levels", "50 levels"),
    "missing": ("lacking", "ties lacking", "levels lacking"),
}
THREE_SE = 0.00135  # how often a normal number is more than three standard errors too large


def columns(random):
    """Columns of every kind that know nothing of the target."""
    frame = {"number": random.normal(size=ROWS), "ties": random.integers(0, 8, ROWS).astype(float)}
    frame["lacking"] = np.where(random.random(ROWS) < 0.2, np.nan, random.normal(size=ROWS))
    frame["ties lacking"] = np.where(random.random(ROWS) < 0.1, np.nan, random.integers(0, 8, ROWS))
    for k in LEVELS:
        frame[f"{k} levels"] = random.choice([f"v{i}" for i in range(k)], ROWS)
    level = random.choice(list("pqrstu"), ROWS).astype(object)
    level[random.random(ROWS) < 0.15] = None
    frame["levels lacking"] = level
    return frame


def target(kind, random):
    if kind == "numbers":
        return random.normal(size=ROWS)
    classes = ["a"] * (ROWS // 2) + ["b"] * (ROWS // 2) if kind == "halves" else ["a"] * (ROWS // 5) + ["b"] * ROWS
    return random.permutation(classes[:ROWS])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["halves", "one in five", "numbers"])
def test_p_values_of_noise_are_those_of_chance(kind):
    random = np.random.default_rng(11)
    found: dict[str, list[float]] = {}
    for _ in range(TABLES):
        frame = pd.DataFrame(columns(random)).assign(y=target(kind, random))
        roles = dict.fromkeys(frame.columns.drop("y"), "feature")
        table = engine.Table.from_frame(frame, "y", roles=roles)
        for candidate in engine.candidates(table, engine.Tree.root(table), threads=1):
            found.setdefault(candidate.column, []).append(10.0**-candidate.logworth)
    kinds = {kind: np.concatenate([found[column] for column in some]) for kind, some in KINDS.items()}
    for alpha in ALPHAS:
        for kind, p in kinds.items():
            share, least = np.mean(p <= alpha), alpha / 4
            error = math.sqrt(alpha * (1 - alpha) / p.size)
            most = max(alpha + 3 * error, binom.isf(THREE_SE, p.size, alpha) / p.size)  # of few, three SE are too few
            assert share <= most + 1e-12, (kind, alpha, share)
            assert share >= least - 3 * math.sqrt(least * (1 - least) / p.size), (kind, alpha, share)
    _no_kind_is_favoured({column: np.array(p) for column, p in found.items()})


def _no_kind_is_favoured(found):
    """How often a column of each kind wins when all columns compete, as a share of what would be even."""
    names = np.array(list(found))[np.argmin(np.stack(list(found.values())), axis=0)]
    rates = {kind: np.mean(np.isin(names, some)) * len(found) / len(some) for kind, some in KINDS.items()}
    slack = 3 * math.sqrt(len(found) / min(map(len, KINDS.values())) / names.size)  # three SE of the smallest kind
    assert max(rates.values()) <= 1.5 * min(rates.values()) + slack, rates
