"""What gains are on other rows and how far they scatter, beside slow twins: slopes by differences, many samples."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import noise_of_gain
from engine.criteria import impurity
from engine.criteria.losses import gain_on
from tests import naive
from tests.effort import examples

CLASS_CRITERIA = ["gini", "entropy", "gain_ratio", "error", "sqrt"]
STEP = 1e-6


def weighed(criterion, stat):
    """The impurity times the weight."""
    return impurity(criterion, stat) * stat.sum()


def slope(criterion, stat):
    """∂F/∂k by differences."""
    ends = [stat + sign * STEP * np.eye(stat.size)[k] for k in range(stat.size) for sign in (1, -1)]
    values = [weighed(criterion, end) for end in ends]
    return np.array([values[2 * k] - values[2 * k + 1] for k in range(stat.size)]) / (2 * STEP)


def naive_noise(criterion, branches, rows):
    whole = np.sum(branches, axis=0)
    d = np.concatenate([slope(criterion, whole) - slope(criterion, branch) for branch in branches])
    weights = np.concatenate(branches)
    mean = np.average(d, weights=weights)
    return math.sqrt(np.average((d - mean) ** 2, weights=weights) / rows)


@examples(60)
@given(
    st.sampled_from(CLASS_CRITERIA),
    st.lists(st.lists(st.integers(1, 40), min_size=3, max_size=3), min_size=2, max_size=4),
    st.integers(1, 500),
)
def test_the_noise_of_class_gains_is_that_of_slopes_by_differences(criterion, counts, rows):
    branches = [np.array(row, dtype=float) + np.array([0.0, 0.13, 0.29]) for row in counts]  # no two classes are equal
    expected = naive_noise(criterion, branches, rows)
    assert noise_of_gain(criterion, branches, rows) == pytest.approx(expected, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_a_class_that_is_absent_and_an_empty_branch_say_nothing(criterion):
    branches = [np.array([30.0, 10.0, 0.0]), np.array([5.0, 20.0, 0.0]), np.zeros(3)]
    bare = [branch[:2] for branch in branches[:2]]
    assert noise_of_gain(criterion, branches, 50) == pytest.approx(noise_of_gain(criterion, bare, 50))


def test_samples_scatter_as_foretold():
    random = np.random.default_rng(0)
    branches = np.array([[300.0, 100.0], [50.0, 250.0]])
    shares = branches.ravel() / branches.sum()
    drawn = random.multinomial(400, shares, size=3000).reshape(-1, 2, 2).astype(float)
    gains = [impurity("gini", s.sum(0)) - sum(b.sum() / 400 * impurity("gini", b) for b in s) for s in drawn]
    assert noise_of_gain("gini", branches, 400) == pytest.approx(np.std(gains), rel=0.06)


def test_numbers_scatter_as_foretold():
    random = np.random.default_rng(1)
    branch = random.random(20_000) < 0.3
    y = np.where(branch, 2.0, 0.0) + random.normal(size=20_000)

    def stats(branch, y):
        parts = [y[branch == b] for b in (0, 1)]
        return [np.array([part.size, part.sum(), ((part - part.mean()) ** 2).sum()]) for part in parts]

    def gain(branch, y):
        parts = [y[branch == b] for b in (0, 1)]
        return y.var() - sum(part.size / y.size * part.var() for part in parts)

    gains = []
    for _ in range(2000):
        rows = random.integers(0, y.size, 300)
        gains.append(gain(branch[rows], y[rows]))
    assert noise_of_gain("squared_error", stats(branch, y), 300) == pytest.approx(np.std(gains), rel=0.08)


@pytest.mark.parametrize("criterion", ["absolute_error", "binned_gini", "binned_error"])
def test_where_statistics_do_not_tell_it_there_is_no_number(criterion):
    assert math.isnan(noise_of_gain(criterion, [np.array([2.0, 1.0, 1.0])] * 2, 10))
    assert math.isnan(noise_of_gain("gini", [np.array([2.0, 1.0])] * 2, 0))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "sqrt", "squared_error"])
@given(stats=st.lists(st.lists(st.integers(1, 40), min_size=3, max_size=3), min_size=2, max_size=4))
def test_on_the_rows_that_gave_the_answers_it_is_the_gain(criterion, stats):
    train = np.array(stats, dtype=float)
    if criterion == "squared_error":
        train[:, 2] += train[:, 1] ** 2 / train[:, 0]
    assert gain_on(criterion, train, train, 1e-9) == pytest.approx(
        float(naive.gain(criterion, train.tolist())), abs=1e-6
    )


def test_reversed_branches_lose_what_they_seem_to_gain():
    """130 / 70 | 70 / 130 on training rows, the reverse on validation rows: as impurities both gain .045."""
    train = np.array([[130.0, 70.0], [70.0, 130.0]])
    assert gain_on("gini", train, train, 1.0) == pytest.approx(0.045)
    assert gain_on("gini", train, train[::-1], 1.0) == pytest.approx(-0.135)
    assert gain_on("error", train, train[::-1], 1.0) == pytest.approx(0.5 - 0.65)
    assert math.isnan(gain_on("gini", train, np.zeros((2, 2)), 1.0))


def test_of_classes_that_are_equal_but_for_rounding_the_first_is_the_answer():
    even, other = np.array([1 / 3 + 1 / 3 + 1 / 3, 1.0]), np.array([4.0, 1.0])
    for less in (0.0, 1e-15, -1e-15):
        train = np.array([even - [less, 0.0], other])
        assert gain_on("error", train, np.array([[2.0, 5.0], [0.0, 0.0]]), 1.0) == 0
        assert gain_on("error", train[:, ::-1], np.array([[2.0, 5.0], [0.0, 0.0]]), 1.0) == pytest.approx(-3 / 7)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "error", "squared_error", "absolute_error"])
def test_on_shuffled_targets_a_candidate_gains_nothing_on_validation_rows(criterion):
    """On average over tables it is a little below 0, as the answers of the branches are noisier than that of the node;
    measured as an impurity it would be above 0 in nearly every table."""
    seen = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        y = random.normal(size=400) if "_error" in criterion else random.choice(["a", "b", "c"], 400)
        frame = pd.DataFrame({"x": random.random(400), "y": y})
        table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.5, seed=seed)
        found = engine.candidates(table, engine.Tree.root(table), criterion=criterion, min_leaf=20)[0]
        seen.append((found.gain, found.validation_gain))
    gains, unseen = np.array(seen).T
    assert -1.2 * gains.mean() < unseen.mean() < 0.1 * gains.mean()
    assert np.mean(unseen > 0) < 0.5
