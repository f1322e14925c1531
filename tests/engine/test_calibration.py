"""LogWorth is calibrated: with a shuffled target the best split of a column is as surprising as it says, for every kind
of column, and no kind is favoured when columns compete.

TABLES tables of ROWS rows, each with a target of every kind; the seed is fixed. The kinds share the columns, which are
most of a table's work: each is judged by itself, so it does not matter that they do.
"""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import engine

TABLES, ROWS, SEED = 1000, 240, 20
ALPHAS = (0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.3, 0.6, 0.9, 1.0)
LEVELS = (2, 3, 5, 10, 20, 50)
TIED = (4, 8, 30)
KINDS = {
    "numbers": ("number 0", "number 1", "number 2"),
    "ties": tuple(f"{k} values" for k in TIED),
    "levels": tuple(f"{k} levels" for k in LEVELS),
    "missing": ("few lacking", "many lacking", "ties lacking", "levels lacking"),
}
TARGETS = {  # and how many tables each kind gets
    "halves": TABLES,
    "one in five": TABLES,
    "four classes": TABLES,
    "normal": TABLES,
    "exponential": TABLES,
    "lognormal": TABLES // 2,
}
FEW = 10  # p-values expected below a level from which the normal law will do
THREE_SE = 0.00135  # how often a normal number is more than three standard errors too large


def columns(random):
    """Columns of every kind that know nothing of the target."""

    def lacking(values, share):
        return np.where(random.random(ROWS) < share, None, values.astype(object))

    frame = {f"number {i}": random.normal(size=ROWS) for i in range(3)}
    frame |= {f"{k} values": random.integers(0, k, ROWS).astype(float) for k in TIED}
    frame |= {f"{k} levels": random.choice([f"v{i}" for i in range(k)], ROWS) for k in LEVELS}
    frame["few lacking"] = lacking(random.normal(size=ROWS), 0.03).astype(float)
    frame["many lacking"] = lacking(random.normal(size=ROWS), 0.2).astype(float)
    frame["ties lacking"] = lacking(random.integers(0, 8, ROWS), 0.1).astype(float)
    frame["levels lacking"] = lacking(random.choice(list("pqrstu"), ROWS), 0.1)
    return frame


def target(kind, random):
    if kind in ("normal", "lognormal"):
        numbers = random.normal(size=ROWS)
        return numbers if kind == "normal" else np.exp(numbers)
    if kind == "exponential":
        return random.exponential(size=ROWS)
    if kind == "four classes":
        return random.permutation(np.repeat(list("abcd"), np.array([4, 3, 2, 1]) * (ROWS // 10)))
    hits = ROWS // {"halves": 2, "one in five": 5}[kind]
    return random.permutation(["a"] * hits + ["b"] * (ROWS - hits))


@pytest.fixture(scope="module")
def found():
    """Adjusted p-values of every kind of target by column, float64[tables] each."""
    random = np.random.default_rng(SEED)
    found = {kind: {} for kind in TARGETS}
    for i in range(TABLES):
        frame = pd.DataFrame(columns(random))
        targets = {kind: target(kind, random) for kind, tables in TARGETS.items() if i < tables}
        roles = dict.fromkeys(frame, "feature") | dict.fromkeys(targets, "ignore")
        table = engine.Table.from_frame(frame.assign(**targets), roles=roles)
        for kind in targets:
            of_kind = table.with_target(kind)
            for candidate in engine.candidates(of_kind, engine.Tree.root(of_kind), threads=1):
                found[kind].setdefault(candidate.column, []).append(10.0**-candidate.logworth)
    return {kind: {column: np.array(p) for column, p in each.items()} for kind, each in found.items()}


def most_and_least(alpha, n):
    """Between which shares of n p-values may be at most alpha: alpha + 3 SE and alpha / 4.

    Of few the normal law is far too narrow (of 3,000 p-values 3 are expected below 0.001): there they are the quantiles
    of the binomial law that a normal number leaves as rarely as by 3 SE.
    """
    if alpha * n / 4 >= FEW:
        return alpha + 3 * math.sqrt(alpha * (1 - alpha) / n), alpha / 4
    return binom.isf(THREE_SE, n, alpha) / n, binom.ppf(THREE_SE, n, alpha / 4) / n


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["halves", "one in five", "four classes", "normal", "exponential"])
def test_p_values_of_noise_are_those_of_chance(found, kind):
    for kind_of_column, names in KINDS.items():
        p = np.concatenate([found[kind][name] for name in names])
        for alpha in ALPHAS:
            share, (most, least) = np.mean(p <= alpha), most_and_least(alpha, p.size)
            assert least <= share <= most, (kind_of_column, alpha, share)
    rates = wins(found[kind])
    assert max(rates.values()) <= 1.5 * min(rates.values()), rates


@pytest.mark.slow
def test_a_skewed_target_makes_no_split_surprising(found):
    """Of long tails p-values may be too large, but not too small."""
    for name, p in found["lognormal"].items():
        assert p.size == TARGETS["lognormal"]
        for alpha in ALPHAS:
            assert np.mean(p <= alpha) <= binom.isf(THREE_SE / 10, p.size, alpha) / p.size, (name, alpha)


def wins(found):
    """How often a column of each kind wins when all columns compete, as a share of what would be even."""
    names = np.array(list(found))[np.argmin(np.stack(list(found.values())), axis=0)]
    return {kind: float(np.mean(np.isin(names, some)) * len(found) / len(some)) for kind, some in KINDS.items()}
