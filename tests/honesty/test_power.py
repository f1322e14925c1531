"""The preset ctree finds effects at the root, and keeps its level where there are none."""

from tests.honesty.power import drawn, found_here


def test_a_trend_is_found_more_often_by_the_test_than_by_the_best_cut():
    frames = [drawn("linear", seed) for seed in range(60)]
    ours = sum(found_here(frame) == "x1" for frame in frames)
    assert ours >= 40  # .80 of 500 tables, as partykit
    assert ours > sum(found_here(frame, "f_logworth") == "x1" for frame in frames)


def test_noise_is_split_in_a_twentieth_of_the_tables():
    assert sum(bool(found_here(drawn("noise", seed))) for seed in range(100)) <= 12  # of 5 expected
