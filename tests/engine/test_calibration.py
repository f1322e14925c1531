"""LogWorth is calibrated: with a shuffled target the best split of a column is as surprising as it says, for every kind
of column, and no kind is favoured when columns compete.

TABLES tables of ROWS rows for each kind of target; the seeds are fixed.
"""

import math

import numpy as np
import pandas as pd
import pytest

import engine

TABLES, ROWS = 300, 240
ALPHAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 1.0)
LEVELS = (2, 3, 5, 10, 20, 50)


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
    for alpha in ALPHAS:
        of_all = np.concatenate([np.array(p) <= alpha for p in found.values()])
        for column, p in found.items():
            share, error = np.mean(np.array(p) <= alpha), math.sqrt(alpha * (1 - alpha) / len(p))
            assert share <= alpha + 3 * error + 1e-12, (column, alpha, share)
            assert share >= alpha / 4 - 3 * math.sqrt(alpha / 4 * (1 - alpha / 4) / len(p)), (column, alpha, share)
        error = math.sqrt(alpha * (1 - alpha) / of_all.size)
        assert alpha / 4 <= of_all.mean() <= alpha + 3 * error + 1e-12, (alpha, of_all.mean())
    _no_kind_is_favoured({column: np.array(p) for column, p in found.items()})


def _no_kind_is_favoured(found):
    """Columns of the same make compete: by the chance that each reaches the winner's p-value."""
    kinds = {
        "numbers": [c for c in found if c in ("number", "lacking")],
        "ties": [c for c in found if c in ("ties", "ties lacking")],
        "few levels": [c for c in found if c in ("2 levels", "3 levels", "5 levels")],
        "many levels": [c for c in found if c in ("10 levels", "20 levels", "50 levels", "levels lacking")],
    }
    winners = np.argmin(np.stack(list(found.values())), axis=0)
    names = np.array(list(found))[winners]
    rates = {kind: np.mean(np.isin(names, some)) / len(some) for kind, some in kinds.items()}
    least, most = min(rates.values()), max(rates.values())
    error = math.sqrt(1 / len(found) / 2 / len(names))  # of the rate of two columns
    assert most <= 1.5 * least + 3 * error, rates
