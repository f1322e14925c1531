"""The columns of a node in order of merit."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.search.kernels.rules import choose_column, rank_columns
from tests.effort import examples
from tests.naive import CODES

NO_CROWD = np.zeros(0, dtype=bool)
ENTROPY, RATIO = CODES["entropy"], CODES["gain_ratio"]


@examples(60)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.1, 0.1 + 1e-15, 0.3, math.nan]), st.sampled_from([0.0, 0.2])), min_size=1
    ),
)
def test_the_chosen_column_is_the_first_within_tolerance_of_the_best(columns):
    gains, ties = np.array([c[0] for c in columns]), np.array([c[1] for c in columns])
    chosen = choose_column(gains, ties, np.zeros(len(columns)), NO_CROWD, 0, 0.5)
    usable = [i for i in range(len(columns)) if not math.isnan(gains[i])]
    near = [i for i in usable if gains[i] >= max(gains[usable]) - 1e-12]
    near = [i for i in near if ties[i] == max(ties[near])]
    assert chosen == (near[0] if near else -1)
    order = rank_columns(gains, ties, np.zeros(len(columns)), NO_CROWD, 0, 0.5, len(columns))
    assert sorted(order) == usable
    assert not usable or order[0] == chosen


def test_gain_ratio_ranks_by_ratio_among_columns_of_average_gain():
    """Column 0 has the largest ratio but a gain below average: it may not win."""
    gains, ratios = np.array([0.02, 0.30, 0.28, np.nan]), np.array([0.9, 0.3, 0.5, 9.0])
    zeros = np.zeros(4)
    assert rank_columns(gains, zeros, ratios, NO_CROWD, RATIO, 0.9, 4).tolist() == [2, 1, 0]
    assert choose_column(gains, zeros, ratios, NO_CROWD, RATIO, 0.9) == 2
    assert choose_column(gains, zeros, ratios, NO_CROWD, ENTROPY, 0.9) == 1


def test_gain_ratio_with_no_gain_anywhere_takes_the_first_column():
    assert choose_column(np.zeros(3), np.zeros(3), np.zeros(3), NO_CROWD, RATIO, 0.5) == 0


def test_columns_of_nearly_a_level_per_row_do_not_raise_the_average_gain():
    """The average with the two names is above the gain of x and z; without them both pass, and x has the best ratio."""
    gains, ratios = np.array([0.9, 0.9, 0.3, 0.3]), np.array([0.2, 0.2, 0.5, 0.4])
    zeros, nobody = np.zeros(4), np.zeros(0, bool)
    some = np.array([True, True, False, False])
    assert rank_columns(gains, zeros, ratios, nobody, RATIO, 0.9, 4).tolist() == [0, 1, 2, 3]
    assert rank_columns(gains, zeros, ratios, some, RATIO, 0.9, 4).tolist() == [2, 3, 0, 1]
    assert rank_columns(gains, zeros, ratios, np.ones(4, bool), RATIO, 0.9, 4).tolist() == [0, 1, 2, 3]
    unusable = np.array([0.9, 0.3, np.nan, np.nan])  # of those that are left all are crowded
    assert choose_column(unusable, zeros, ratios, np.array([True, True, False, False]), 2, 0.9) == 0
