"""Locked columns: no search uses them, a person still sees them."""

import pytest

import engine


@pytest.mark.parametrize(
    "options", [{}, {"missing": "surrogate"}, {"lookahead": 2}, {"m_of_n": True}, {"criterion": "gain_ratio"}]
)
def test_no_search_uses_a_locked_column(options):
    table = engine.read_example("penguins")
    locked = ["flipper_length_mm", "bill_length_mm"]
    found = engine.candidates(table, engine.Tree.root(table), locked=locked, **options)
    assert {c.column: c.reason for c in found[-2:]} == dict.fromkeys(locked, "locked")
    tree = engine.grow(table, locked=locked, max_depth=3, **options)
    asked = [tree.split_at(i) for i in range(tree.n_nodes) if tree.n_branches[i]]
    assert asked and not {name for split in asked for name in split.columns} & set(locked)
    for candidate in found[:-2]:
        assert not set(candidate.split.columns) & set(locked)


@pytest.mark.parametrize("options", [{}, {"lookahead": 2}, {"m_of_n": True}])
def test_with_every_column_locked_nothing_grows(options):
    table = engine.read_example("penguins")
    names = [table.columns[i].name for i in table.features]
    assert engine.grow(table, locked=names, **options).n_leaves == 1
    assert {c.reason for c in engine.candidates(table, engine.Tree.root(table), locked=names, **options)} == {"locked"}
    assert engine.m_of_n(table, engine.Tree.root(table), locked=names) is None


def test_what_cannot_be_locked_is_said():
    table = engine.read_example("penguins")
    with pytest.raises(engine.InputError, match="no column “nix”"):
        engine.candidates(table, engine.Tree.root(table), locked="nix")
    with pytest.raises(engine.InputError, match="locked cannot be 3"):
        engine.grow(table, locked=[3])
    assert engine.Search.make("classes", locked=["a", "b", "a"]).locked == ("a", "b")
