"""A split by levels in the making, without a window: whatever is done, every level stands in one branch."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from gui.panels.this_node.split.bars import ORDERS, level_bars
from gui.panels.this_node.split.draft import LevelsDraft
from gui.wording import words
from tests.effort import examples

LETTERS = "abcdefgh"


def draft_of(seed: int, lacking: bool = True, n: int = 200, number: bool = False) -> tuple[LevelsDraft, engine.Table]:
    """The best groups of up to eight declared levels; some of them may have no row."""
    random = np.random.default_rng(seed)
    place = random.integers(0, random.integers(2, 9), n)
    town = np.array(list(LETTERS))[place].astype(object)
    if lacking:
        town[random.random(n) < 0.1] = None
    y = random.random(n) + place % 3
    target: Any = y if number else np.where(y > 1, "yes", "no")
    frame = pd.DataFrame({"town": pd.Categorical(town, list(LETTERS)), "y": target})
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    tree = engine.Tree.root(table)
    found = engine.candidates(table, tree, 0)[0]
    assert found.split is not None
    return LevelsDraft(found, engine.gain_curve(table, tree, 0, "town"), found.split, not number), table


def check(draft: LevelsDraft, table: engine.Table) -> None:
    """A split that binds, whose every branch takes something, weighed as the rows say."""
    split = draft.split
    assert split.n_branches >= 2
    for branch, group in enumerate(split.groups):
        assert group or branch in (split.missing, split.unseen)
        assert list(group) == sorted(group, key=LETTERS.index)
    told = engine.weigh(table, engine.Tree.root(table), 0, split)
    assert draft.weighed is not None
    assert draft.weighed.rows == told.rows
    assert draft.weighed.gain == pytest.approx(told.gain, abs=1e-9)
    assert sum(told.rows) == int((table.part == engine.TRAIN).sum())


verbs = st.lists(
    st.tuples(
        st.sampled_from(["move", "merge", "one_each", "against_rest", "pool", "set_missing", "set_unseen"]),
        st.sets(st.sampled_from([*LETTERS, None]), max_size=5),
        st.integers(0, 40),
    ),
    max_size=8,
)


@examples(60)
@given(seed=st.integers(0, 10_000), lacking=st.booleans(), number=st.booleans(), done=verbs)
def test_whatever_is_done_stays_a_split(seed: int, lacking: bool, number: bool, done: list[Any]) -> None:
    draft, table = draft_of(seed, lacking, number=number)
    assert set(draft.present) == {level for level in draft.curve.levels if draft._weight_of[level] > 0}
    for verb, levels, n in done:
        here = {level for level in levels if level is None or level in draft.present}
        before = draft
        if verb == "move":
            to = n % (draft.split.n_branches + 1)
            draft = draft.move(here, to)
            if draft is not before:
                assert len({draft.branch_of(level) for level in here}) == 1
                others = [level for level in draft.present if level not in here]
                together = [[d.branch_of(a) == d.branch_of(b) for a in others for b in others] for d in (before, draft)]
                assert together[0] == together[1]  # nobody else moves
        elif verb in ("merge", "against_rest"):
            draft = getattr(draft, verb)(here)
        elif verb == "one_each":
            draft = draft.one_each()
            assert all(len(group) == 1 for group in draft.split.groups if group) or draft is before
        elif verb == "pool":
            draft = draft.pool(n)
            rare = [level for level in draft.present if draft._weight_of[level] < n]
            if rare and len(rare) < len(draft.present):
                assert len({draft.branch_of(level) for level in rare}) == 1
                assert draft.split.unseen == draft.branch_of(rare[0])
                assert all(draft.branch_of(level) != draft.split.unseen for level in set(draft.present) - set(rare))
        else:
            draft = getattr(draft, verb)(n % (draft.split.n_branches + 1))
        check(draft, table)
    assert draft.with_split(draft.found.split).split == draft.found.split


def test_a_level_leaves_and_comes_back() -> None:
    draft, _ = draft_of(3)
    level = draft.split.groups[0][0]
    there = draft.move([level], draft.split.n_branches)
    assert there.split.n_branches == draft.split.n_branches + 1
    assert there.branch_of(level) == draft.split.n_branches
    back = there.move([level], 0)
    assert back.split == draft.split
    assert not back.edited


def test_two_branches_stay() -> None:
    draft, _ = draft_of(4, lacking=False)
    assert draft.merge(draft.present) is draft
    assert draft.move(draft.present, 0) is draft
    assert draft.against_rest(draft.present) is draft


def test_missing_rows_can_stand_alone_and_move_like_a_level() -> None:
    draft, _ = draft_of(5)
    apart = draft.move([None], draft.split.n_branches)
    assert apart.has_own_missing
    assert apart.split.missing == draft.split.n_branches
    assert apart.set_missing(apart.split.n_branches) is apart
    assert apart.set_missing(0).split.n_branches == draft.split.n_branches
    alone = draft.move(draft.present, 0)
    if draft.lacking and draft.split.missing == 1:
        assert alone.has_own_missing and alone.split.n_branches == 2  # present | missing


def test_unseen_levels_follow_the_branch_that_goes() -> None:
    draft, _ = draft_of(6, lacking=False)
    one = draft.one_each()
    level = one.split.groups[one.split.unseen][0]
    to = 0 if one.split.unseen else 1
    other = one.split.groups[to][0]
    moved = one.move([level], to)
    assert moved.split.unseen == moved.branch_of(other)


@given(names=st.lists(st.text("ab19 ", max_size=6), unique=True, min_size=1))
def test_names_with_numbers_have_one_order(names: list[str]) -> None:
    assert sorted(sorted(names), key=words.natural) == sorted(sorted(names), key=lambda name: words.natural(name))
    assert words.natural("item 9") < words.natural("Item 10")


@pytest.mark.parametrize("by", ORDERS)
def test_every_order_shows_the_same_bars(by: str) -> None:
    draft, _ = draft_of(7)
    bars = level_bars(draft.curve, True, 1, draft.split, by=by)
    assert sorted(bars.labels) == sorted([*draft.present, "missing"])
    assert bars.labels[-1] == "missing"
    assert bars.branches.tolist() == [draft.branch_of(None if i == "missing" else i) for i in bars.labels]
    keys = {
        "rate": bars.heights[:-1, 1] / bars.totals[:-1],
        "rows": -bars.totals[:-1],
        "name": np.array([LETTERS.index(name) for name in bars.labels[:-1]]),
        "branch": bars.branches[:-1],
        "declared": np.array([LETTERS.index(name) for name in bars.labels[:-1]]),
    }
    assert (np.diff(keys[by]) >= 0).all()
