"""An m-of-n split in the making, without a window."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import Literal
from gui.panels.this_node.split.draft import LiteralsDraft, offers
from tests.effort import examples
from tests.gui.panels.splitting import table_of


def draft_of(table: engine.Table) -> tuple[LiteralsDraft, list[engine.Candidate]]:
    found = engine.candidates(table, engine.Tree.root(table), 0, m_of_n=True)
    counted = next(one for one in found if one.split is not None and one.split.kind == "m_of_n")
    kinds = {column.name: column.kind for column in table.columns}
    offered = offers(counted, found, table.task == "classes")
    return LiteralsDraft(counted, None, counted.split, offered, kinds), found


acts = st.lists(st.tuples(st.booleans(), st.integers(0, 20)), max_size=10)


@examples(40)
@given(acts)
def test_whatever_is_done_stays_a_split(done: list[tuple[bool, int]]) -> None:
    draft, _ = draft_of(TABLE)
    for ticks, n in done:
        before = draft
        if ticks:
            literal = draft.offered[n % len(draft.offered)]
            draft = draft.choose(literal, literal not in draft.chosen)
            assert set(draft.chosen) ^ set(before.chosen) == ({literal} if draft is not before else set())
        else:
            draft = draft.set_m(n)
            assert draft.split.m == n or draft is before
        assert 1 <= draft.split.m <= len(draft.chosen)
        assert set(draft.chosen) <= set(draft.offered)
        assert (draft.weighed is None) == draft.edited
    told = engine.weigh(TABLE, engine.Tree.root(TABLE), 0, draft.split)
    assert replace(draft, told=told).weighed is (draft.found if not draft.edited else told)


TABLE = table_of()


def test_the_last_condition_stays() -> None:
    draft, _ = draft_of(TABLE)
    for literal in draft.chosen[1:]:
        draft = draft.choose(literal, False)
    assert len(draft.chosen) == 1
    assert draft.choose(draft.chosen[0], False) is draft


def test_ticking_a_condition_twice_brings_the_split_back() -> None:
    draft, _ = draft_of(TABLE)
    literal = draft.chosen[0]
    assert draft.choose(literal, False).choose(literal, True).set_m(draft.split.m).split == draft.split


def test_other_columns_offer_what_speaks_for_the_same_side() -> None:
    for number in (False, True):
        table = table_of(2, number=number)
        found = engine.candidates(table, engine.Tree.root(table), 0)
        ill = Literal("fever", "==", "yes")
        split = engine.Split("fever", "m_of_n", m=1, literals=(ill,))
        offered = offers(engine.weigh(table, engine.Tree.root(table), 0, split), found, table.task == "classes")
        assert offered[0] == ill
        assert {literal.column for literal in offered} >= {"fever", "age"}
        age = next(literal for literal in offered if literal.column == "age")
        assert age.test == ">"


def test_a_step_of_the_climb_brings_its_conditions_along() -> None:
    draft, _ = draft_of(TABLE)
    climb = engine.m_of_n(TABLE, engine.Tree.root(TABLE), 0)
    assert climb is not None
    for m, literals, _ in climb.steps:
        taken = draft.take(m, literals)
        assert (taken.split.m, set(taken.chosen)) == (m, set(literals))
        assert set(literals) <= set(taken.offered)
