"""Splits in the making, without a window: where cuts snap to, what each verb answers, what can be typed."""

import math
from datetime import UTC, datetime
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import cuts_text, read_cuts, without_noise
from engine.table.words import exact_words
from gui.panels.this_node.split.draft import MOST_CUTS, CutDraft, LevelsDraft
from gui.panels.this_node.split.ruler import (
    FREE,
    MIDPOINT,
    QUANTILE,
    ROUND,
    SNAPS,
    Ruler,
)
from gui.widgets import grids


def draft_of(values, target=None, snap: str = MIDPOINT, split: engine.Split | None = None, **how) -> CutDraft:
    """The best split of the column x of a small table, or another one, as a draft."""
    frame = pd.DataFrame(
        {"x": values, "y": target if target is not None else ["ab"[i % 2] for i in range(len(values))]}
    )
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    found = engine.candidates(table, tree, **how)[0]
    curve = engine.gain_curve(table, tree, 0, "x", **how)
    draft = CutDraft(found, curve, found.split, Ruler(curve, table.task == "classes"), snap)
    return draft if split is None else draft.with_split(split)


def threshold(*cuts: float, missing: int = 0) -> engine.Split:
    return engine.Split("x", "threshold", cuts, missing=missing)


NUMBERS = list(range(0, 100, 3))


@cache
def wide(snap: str) -> CutDraft:
    return draft_of(NUMBERS, snap=snap)


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


# -- grids


@given(st.integers(-300, 300), st.sampled_from([1, 2, 5]), st.integers(-9, 9), st.floats(-0.99, 0.99))
def test_steps_are_the_numbers_that_people_write(k: int, digit: int, power: int, between: float) -> None:
    steps = grids.Steps(digit, power)
    place = float(f"{k * digit}e{power}")
    assert steps.has(place)
    assert steps.below(place) == float(f"{(k - 1) * digit}e{power}")
    assert steps.above(place) == float(f"{(k + 1) * digit}e{power}")
    x = place + between * steps.step
    assert steps.below(x) < x < steps.above(x)


@given(st.floats(1e-9, 1e9))
def test_the_least_step_is_not_finer_than_asked_for_and_not_much_coarser(grain: float) -> None:
    step = grids.Steps.at_least(grain).step
    assert grain * (1 - 1e-6) <= step <= 2.5 * grain * (1 + 1e-6)


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)),
    st.floats(1, 1e10),
)
def test_dates_snap_to_the_calendar(moment: datetime, grain: float) -> None:
    x, grid = moment.replace(tzinfo=UTC).timestamp(), grids.dates_at_least(grain)
    before, after = grid.below(x), grid.above(x)
    assert before < x < after
    assert grid.has(before) and grid.has(after)
    assert grid.above(before) in (x, after)
    assert grid.below(after) in (x, before)


def test_months_begin_on_their_first_day() -> None:
    grid = grids.Months(1)
    assert grid.above(seconds("2013-07-14")) == seconds("2013-08-01")
    assert grid.below(seconds("2013-07-01")) == seconds("2013-06-01")
    assert grids.dates_at_least(5 * grids.DAY).above(seconds("2013-07-10")) == seconds("2013-07-15")  # Monday
    assert grids.Months(12).above(seconds("2013-07-14")) == seconds("2014-01-01")


@given(st.lists(st.integers(0, 50), min_size=1, unique=True), st.floats(-5, 55), st.floats(-5, 55), st.floats(-5, 55))
def test_the_nearest_place_is_the_nearest_of_all_inside(at: list[int], x: float, low: float, high: float) -> None:
    grid = grids.Places(np.array(sorted(at), dtype=float))
    found = grids.nearest(grid, x, low, high)
    inside = [place for place in at if low < place < high]
    if not inside:
        assert found is None
    else:
        assert found in inside
        assert abs(found - x) == min(abs(place - x) for place in inside)


# -- where cuts may stand


@pytest.mark.parametrize("snap", SNAPS)
@given(x=st.floats(-50, 150), grain=st.floats(1e-6, 50))
def test_a_cut_always_parts_rows(snap: str, x: float, grain: float) -> None:
    draft = wide(snap).move_cut(0, x, grain)
    assert 0 <= draft.cuts[0] < NUMBERS[-1]
    assert not draft.empty_branches


def test_midpoints_are_those_of_the_engine() -> None:
    draft = draft_of(NUMBERS)
    for cut in draft.curve.cuts:
        assert draft.move_cut(0, cut + 0.7, 0.1).cuts == (cut,)


def test_round_numbers_are_round() -> None:
    draft = draft_of(NUMBERS, snap=ROUND)
    assert draft.move_cut(0, 41.8, 0.5).cuts == (40.0,)  # a pixel is half a unit: steps of five
    assert draft.move_cut(0, 41.8, 0.1).cuts == (42.0,)


def test_quantiles_part_twentieths_of_the_rows() -> None:
    draft = draft_of(list(range(1000)), snap=QUANTILE)
    places = {draft.move_cut(0, x, 1.0).cuts[0] for x in range(0, 1000, 10)}
    assert places == {50 * k - 0.5 for k in range(1, 20)}


def test_free_cuts_are_written_with_the_digits_that_they_have() -> None:
    draft = draft_of([x / 7 for x in NUMBERS], snap=FREE).move_cut(0, 5.123456789, 0.01)
    assert draft.cuts == (5.12,)


def test_where_no_round_number_has_room_finer_ones_are_taken() -> None:
    draft = draft_of([0.501, 0.502, 0.503, 0.504], snap=ROUND)
    assert draft.move_cut(0, 0.5026, 1.0).cuts[0] in (0.502, 0.5025, 0.503)


# -- several cuts


@given(
    st.sampled_from(SNAPS),
    st.lists(
        st.tuples(st.sampled_from(["add", "remove", "move", "nudge", "missing"]), st.floats(-20, 120), st.booleans()),
        max_size=25,
    ),
    st.integers(0, 2),
)
def test_whatever_is_done_the_cuts_ascend_and_part_the_range(
    snap: str, verbs: list[tuple[str, float, bool]], missing: int
) -> None:
    draft = wide(snap).set_missing(missing)
    for verb, x, flag in verbs:
        before, place = draft, int(abs(x)) % len(draft.cuts)
        if verb == "add":
            draft = draft.add_cut(x, 0.3)
            assert len(draft.cuts) - len(before.cuts) in (0, 1)
        elif verb == "remove":
            draft = draft.remove_cut(place)
            assert len(draft.cuts) == max(1, len(before.cuts) - 1)
        elif verb == "move":
            draft = draft.move_cut(place, x, 0.3)
            assert [c for i, c in enumerate(draft.cuts) if i != place] == [
                c for i, c in enumerate(before.cuts) if i != place
            ]
        elif verb == "nudge":
            draft = draft.nudge_cut(place, 1 if x > 50 else -1, 0.3, large=flag)
            assert (draft.cuts[place] - before.cuts[place]) * (1 if x > 50 else -1) >= 0
        else:
            draft = draft.set_missing(int(abs(x)) % (len(draft.cuts) + 2))
        own = before.split.has_missing_branch
        if verb != "missing":
            assert draft.split.has_missing_branch == own
        assert list(draft.cuts) == sorted(set(draft.cuts))
        assert all(0 <= cut < NUMBERS[-1] for cut in draft.cuts)


def test_missing_rows_stay_where_they_are_when_cuts_come_and_go() -> None:
    draft = draft_of(NUMBERS, split=threshold(40.5, missing=1))
    more = draft.add_cut(20, 0.1)
    assert more.split.missing == 2  # still above 40.5
    assert more.remove_cut(0).split == draft.split
    assert draft.add_cut(70, 0.1).split.missing == 1  # the lower part of the branch above 40.5


def test_the_last_cut_stays() -> None:
    draft = draft_of(NUMBERS)
    assert draft.remove_cut(0) is draft


def test_there_is_an_end_to_cuts() -> None:
    draft = draft_of(list(range(200)))
    for x in range(200):
        draft = draft.add_cut(x, 0.1)
    assert len(draft.cuts) == MOST_CUTS


def test_a_cut_stops_beside_its_neighbour() -> None:
    draft = draft_of(NUMBERS, split=threshold(40.5, 61.5))
    assert draft.move_cut(0, 90, 0.1).cuts == (58.5, 61.5)
    assert draft.move_cut(1, 0, 0.1).cuts == (40.5, 43.5)


def test_arrow_keys_go_from_place_to_place() -> None:
    draft = draft_of(NUMBERS, split=threshold(40.5))
    assert draft.nudge_cut(0, 1, 0.1).cuts == (43.5,)
    assert draft.nudge_cut(0, -1, 0.1).cuts == (37.5,)
    assert draft.nudge_cut(0, 1, 0.1, large=True).cuts == (70.5,)
    assert draft.nudge_cut(0, 1, 3.0, large=True).cuts == (97.5,)  # as far as there are places
    assert draft.nudge_cut(0, 1, 2.0, large=True).cuts == (79.5,)  # twenty pixels are further than ten places


def test_present_or_missing_becomes_a_cut_with_a_branch_for_the_missing_rows() -> None:
    draft = draft_of([*NUMBERS, None], split=threshold(math.inf, missing=1))
    assert draft.cuts == ()
    cut = draft.add_cut(40, 0.1).split
    assert len(cut.thresholds) == 1 and math.isfinite(cut.thresholds[0])


def test_another_snap_moves_the_cuts_that_there_are() -> None:
    draft = draft_of(NUMBERS, split=threshold(40.5, 61.5))
    assert draft.set_snap(ROUND, 0.5).cuts == (40.0, 60.0)
    assert draft.set_snap(FREE, 0.5).cuts == (40.5, 61.5)


def test_a_changed_split_has_no_surrogates() -> None:
    surrogate = engine.splits.Surrogate(engine.Split("z", "threshold", (1.0,)))
    split = engine.Split("x", "threshold", (40.5,), surrogates=(surrogate,))
    draft = draft_of(NUMBERS, split=split)
    assert draft.set_missing(1).split == threshold(40.5, missing=1)


# -- the way back, and what is given up


def test_the_way_back() -> None:
    draft = draft_of(NUMBERS, ["a"] * 12 + ["b"] * 22)
    assert not draft.edited and draft.below_best == 0.0
    moved = draft.nudge_cut(0, 1, 0.1)
    assert moved.edited and 0 < moved.below_best < 1
    assert moved.found.split == moved.best[0] == draft.split


@given(st.lists(st.sampled_from("abc"), min_size=34, max_size=34).filter(lambda kinds: len(set(kinds)) > 1))
def test_a_cut_that_divides_the_rows_alike_gives_up_nothing(kinds: list[str]) -> None:
    draft = draft_of(NUMBERS, kinds)
    alike = draft.with_split(threshold(draft.cuts[0] - 0.5, missing=draft.split.missing))
    assert alike.edited and alike.below_best == 0.0


def test_what_is_given_up_is_the_share_of_the_best_gain() -> None:
    draft = draft_of(NUMBERS, ["a"] * 12 + ["b"] * 22).nudge_cut(0, 1, 0.1, large=True)
    assert draft.below_best == pytest.approx(1 - draft.weighed.gain / draft.found.gain)


def test_more_cuts_can_gain_more_than_the_best_one() -> None:
    draft = draft_of(NUMBERS, ["a"] * 12 + ["b"] * 10 + ["a"] * 12)
    more = draft.add_cut(64.5, 0.1).add_cut(34.5, 0.1)
    assert more.below_best < 0


@pytest.mark.parametrize("how", [{}, {"numeric": "bucket_branches", "buckets": 3}, {"missing": "branch"}])
def test_a_split_that_is_opened_again_reads_as_it_did_when_it_was_made(how) -> None:
    """What is looked at is no measure: a split of three branches gains as much beyond the best one as before."""
    draft = draft_of([*NUMBERS[:-4], *[None] * 4], ["a"] * 12 + ["b"] * 10 + ["a"] * 12, **how)
    made = draft.with_split(threshold(34.5, 64.5))
    again = CutDraft(made.weighed, made.curve, made.split, made.ruler)
    assert not again.edited
    assert again.below_best == made.below_best != 0
    assert again.best[0] == draft.split


def test_levels_that_are_opened_again_read_as_they_did_when_they_were_made() -> None:
    frame = pd.DataFrame({"k": list("aaabbbcccddd") * 3, "y": list("uuuuvvvvvvuv") * 3})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    found, curve = engine.candidates(table, tree)[0], engine.gain_curve(table, tree, 0, "k")
    made = LevelsDraft(found, curve, found.split, True).against_rest(["c"])
    again = LevelsDraft(made.weighed, curve, made.split, True)
    assert again.below_best == made.below_best > 0.01
    assert again.best[0] == found.split


# -- what is typed


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=8))
def test_cuts_are_read_back_as_they_are_written(cuts: list[float]) -> None:
    cuts = sorted({cut + 0.0 for cut in cuts})
    assert list(read_cuts(cuts_text(cuts, "number"), "number")) == cuts


@given(st.lists(st.integers(-9999, 9999), min_size=2, max_size=40, unique=True), st.integers(0, 4), st.data())
def test_a_cut_without_noise_is_short_and_divides_alike(numbers: list[int], digits: int, data: st.DataObject) -> None:
    values = np.sort(np.array(numbers) / 10**digits)
    i = data.draw(st.integers(0, len(values) - 2))
    middle = values[i] + (values[i + 1] - values[i]) / 2
    for cut in (middle, np.nextafter(middle, -np.inf), np.nextafter(values[i + 1], -np.inf), float(values[i])):
        plain = without_noise(cut, values)
        assert [v <= plain for v in values] == [v <= cut for v in values]
    assert len(exact_words(without_noise(middle, values)).lstrip("-").replace(".", "")) <= 12


@given(st.lists(st.datetimes(datetime(1, 1, 2), datetime(9999, 1, 1)), min_size=1, max_size=5))
def test_dates_are_read_back_as_they_are_written(moments: list[datetime]) -> None:
    cuts = sorted({round((m - datetime(1970, 1, 1)).total_seconds(), 6) for m in moments})
    assert list(read_cuts(cuts_text(cuts, "date"), "date")) == pytest.approx(cuts, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "cuts"),
    [("5, 10, 20", (5, 10, 20)), ("20;5 10", (5, 10, 20)), ("−3, 0.5", (-3, 0.5)), ("5,5", (5,)), ("1e3", (1000,))],
)
def test_numbers_are_read(text: str, cuts: tuple[float, ...]) -> None:
    assert read_cuts(text, "number") == cuts


@pytest.mark.parametrize(
    ("text", "first"),
    [("2013-07-01", "2013-07-01"), ("2013", "2013-01-01"), ("2013-7", "2013-07-01"), ("14.7.2013", "2013-07-14"),
     ("2013-07-01 14:30; 2014", "2013-07-01T14:30")],
)  # fmt: skip
def test_dates_are_read(text: str, first: str) -> None:
    assert read_cuts(text, "date")[0] == seconds(first)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("5, ten", "number", "“ten” is not a number"),
        ("", "number", "Write one cut"),
        ("10,000", "number", "“10,000” can be one number or several: write 10000"),
        ("1, inf", "number", "“inf” is not a finite number"),
        ("nan", "number", "“nan” is not a finite number"),
        ("soon", "date", "“soon” is not a date"),
        ("3/4/2013", "date", "“3/4/2013” could be day/month or month/day"),
        ("2013-13-01", "date", "“2013-13-01” is not a date"),
        (" ", "date", "2013-07-01"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, kind: str, words: str) -> None:
    with pytest.raises(engine.InputError, match=words):
        read_cuts(text, kind)


def test_typed_cuts_take_the_place_of_the_others() -> None:
    draft = draft_of(NUMBERS, split=threshold(40.5, missing=1)).type_cuts("10, 20, 30")
    assert draft.split == threshold(10, 20, 30, missing=1)
    assert draft.type_cuts("50").split == threshold(50, missing=1)
    own = draft_of(NUMBERS, split=threshold(40.5, missing=2)).type_cuts("10, 20")
    assert own.split.has_missing_branch


def test_too_many_typed_cuts_are_refused() -> None:
    with pytest.raises(engine.InputError, match="at most 40"):
        draft_of(NUMBERS).type_cuts(" ".join(map(str, range(41))))


def test_a_typed_cut_without_rows_beyond_it_is_told() -> None:
    assert draft_of(NUMBERS).type_cuts("50, 500").empty_branches == (2,)
