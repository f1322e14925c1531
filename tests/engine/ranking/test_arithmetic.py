"""The arithmetic of a split: every figure recomputed with fractions from the counts of its branches."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.ranking.arithmetic import probability
from tests import naive
from tests.effort import examples
from tests.frames import frames, table_of


@examples(60)
@given(frame=frames(), choice=st.integers(0, 4))
def test_every_figure_is_that_of_the_fractions(frame, choice):
    table = table_of(frame)
    names = ["squared_error"] if table.task == "number" else naive.CLASS_CRITERIA
    name = names[choice % len(names)]
    for candidate in engine.candidates(table, engine.Tree.root(table)):
        if candidate.split is None:
            continue
        said = engine.arithmetic(candidate, name)
        if table.task == "number":
            branches = [[Fraction(w), Fraction(t), Fraction(s) + Fraction(t) ** 2 / Fraction(w) if w else 0]
                        for w, t, s in candidate.train]  # fmt: skip
        else:
            branches = [list(map(Fraction, stat)) for stat in candidate.train]
        node = naive.add(*branches)
        total = naive.weight(name, node)
        assert said.node.impurity == pytest.approx(float(naive.impurity(name, node)), abs=1e-9)
        for part, branch in zip(said.branches, branches, strict=True):
            assert part.share == pytest.approx(float(naive.weight(name, branch) / total))
            assert part.impurity == pytest.approx(float(naive.impurity(name, branch)), abs=1e-9)
        assert said.drop == pytest.approx(float(naive.gain(name, branches)), abs=1e-9)
        assert said.drop == pytest.approx(candidate.scores["entropy" if name == "gain_ratio" else name], abs=1e-9)
        if name == "gain_ratio":
            assert said.ratio == pytest.approx(candidate.scores["gain_ratio"], abs=1e-9)
        assert all(isinstance(line, str) and line for line in said.lines())


def test_the_test_is_recomputed_from_the_counts():
    table = engine.read_example("penguins")
    for candidate in engine.candidates(table, engine.Tree.root(table)):
        proof = engine.arithmetic(candidate, "gini").evidence
        x, p, freedom, _ = stats.chi2_contingency(np.array(candidate.train), correction=False)
        assert (proof.statistic, proof.freedom) == (pytest.approx(x), (freedom,))
        assert proof.log_p == pytest.approx(math.log(p))
        assert proof.logworth == candidate.logworth


def test_the_lines_can_be_read_and_copied():
    counts = (np.array([6.0, 4.0]), np.array([10.0, 0.0]))
    candidate = engine.Candidate(
        "x", engine.Split("x", "threshold", (1.0,)), 0.08, {"gini": 0.08, "entropy": 0.2365}, 1.0, math.nan, counts,
        counts, (10, 10), 0,
    )  # fmt: skip
    assert engine.arithmetic(candidate, "gini").lines() == [
        "Gini: i = 1 − Σ pₖ²",
        "node: share 1, i = 1 − (16/20)² − (4/20)² = 0.32",
        "branch 1: share 0.5, i = 1 − (6/10)² − (4/10)² = 0.48",
        "branch 2: share 0.5, i = 1 − (10/10)² = 0",
        "mean of the branches = 0.5 · 0.48 + 0.5 · 0 = 0.24",
        "drop = 0.32 − 0.24 = 0.08",
        "split information = 1 bits",
    ]


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (math.log(0.03124), "0.03124"), (math.log(2.1) - 400 * math.log(10), "2.1 · 10⁻⁴⁰⁰"),
        (math.log(4096), "4096"), (math.log(4) + 1209 * math.log(10), "4 · 10¹²⁰⁹"),
    ],
)  # fmt: skip
def test_what_no_float_holds_is_written_as_a_power(log, words):
    assert probability(log) == words


def test_what_has_no_arithmetic_is_refused():
    table = engine.read_example("penguins")
    (locked,) = (c for c in engine.candidates(table, engine.Tree.root(table), locked="sex") if c.reason)
    with pytest.raises(engine.InputError, match="“sex” has no split whose arithmetic could be shown: locked"):
        engine.arithmetic(locked, "gini")
    found = engine.candidates(table, engine.Tree.root(table))[0]
    with pytest.raises(engine.InputError, match="“squared_error” is not defined for a class target"):
        engine.arithmetic(found, "squared_error")
    with pytest.raises(engine.InputError, match="“nix”"):
        engine.arithmetic(found, "nix")


def test_the_curves_meet_at_a_half():
    curves = engine.curves_over_q()
    q = curves["q"]
    np.testing.assert_allclose(curves["gini"], 2 * q * (1 - q), atol=1e-12)
    np.testing.assert_allclose(curves["sqrt"], np.sqrt(q * (1 - q)), atol=1e-12)
    np.testing.assert_allclose(curves["error"], np.minimum(q, 1 - q), atol=1e-12)
    for name in ("gini", "entropy", "sqrt", "error"):
        assert curves[name][[0, 100, 200]] == pytest.approx([0, 0.5, 0], abs=1e-12)
        assert engine.scaled_impurity(name, [3, 1]) == pytest.approx(curves[name][50])
    with pytest.raises(engine.InputError):
        engine.curves_over_q(["squared_error"])
