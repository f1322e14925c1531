"""Description length: both codes against all prunings of small trees, and their parts by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.growing import grow
from engine.learning_theory.bounds import count_tests, description_bound
from engine.pruning.mdl import leaf_bits, split_bits
from engine.pruning.result import prune
from engine.pruning.sequence import locked
from engine.runtime.errors import InputError
from engine.splits import Literal, Split, Surrogate
from engine.table.table import Table
from engine.tree.tree import Tree
from tests import naive_pruning as naive
from tests.effort import examples
from tests.frames import frames
from tests.marked import table_and_tree, with_random_marks


def of_leaf(counts):
    """Rissanen's bits for these numbers of rows by class, and the bit that says leaf."""
    n, k = sum(counts), len(counts)
    if n == 0:
        return 1.0
    ideal = sum(c * math.log2(n / c) for c in counts if c)
    volume = math.log2(math.pi ** (k / 2) / math.gamma(k / 2))
    return 1 + ideal + max(0.0, (k - 1) / 2 * math.log2(n / 2) + volume)


def of_split(table, split):
    """What tells a split from the others of its column."""
    column = table.column(split.column)
    u, b = max(len(column.values), 1), split.n_branches
    if split.kind == "m_of_n":
        bits = 0.0
        for literal in split.literals:
            asked = table.column(literal.column)
            places = max(len(asked.values) - 1, 1) if asked.is_numeric else len(asked.values)
            bits += math.log2(len(table.features)) + 1 + math.log2(places)
        n = len(split.literals)
        return bits - math.log2(math.factorial(n)) + math.log2(n)
    if split.kind == "threshold":
        bits = math.log2(math.comb(max(u - 1, b - 1), b - 1))
    else:
        bits = 0.0 if b == u else max(0.0, u * math.log2(b) - math.log2(math.factorial(b)))
    return bits + (math.log2(b) if column.n_missing else 0.0)


@examples(400)
@given(frames(task="classes"), st.integers(0, 10**6), st.booleans())
def test_the_shortest_description_of_all_prunings(frame, seed, by_hand):
    table, tree = table_and_tree(frame, seed, 6)
    tree = with_random_marks(tree, seed, ("pinned", "locked"), 0.1)
    children, kept = [tree.children(i) for i in range(tree.n_nodes)], locked(tree, by_hand)
    scale = tree.rows_train[0] / tree.weight("train")[0]
    leaf = [of_leaf((counts * scale).tolist()) for counts in tree.train]
    split = [
        1 + math.log2(len(table.features)) + of_split(table, tree.split_at(i)) if below else 0.0
        for i, below in enumerate(children)
    ]

    def bits(leaves):
        above = set()
        for v in leaves:
            while v > 0:
                v = int(tree.parent[v])
                above.add(v)
        return sum(leaf[v] for v in leaves) + sum(split[v] for v in above)

    every = naive.prunings(children, 0, frozenset(np.flatnonzero(kept).tolist()))
    best = min(map(bits, every))
    cut = prune(table, tree, "mdl", keep_by_hand=by_hand)
    chosen = cut.tree(cut.chosen)
    found = frozenset(tree.position(node) for node in chosen.ids[chosen.leaves].tolist())
    assert bits(found) == pytest.approx(best, rel=1e-12)
    assert len(found) == min(len(leaves) for leaves in every if bits(leaves) < best + 1e-9)
    said = cut.verdicts
    for i in np.flatnonzero(tree.n_branches > 0).tolist():
        assert np.isnan(said.leaf[i]) == kept[i]
        if not kept[i]:
            assert said.leaf[i] == pytest.approx(leaf[i])


@examples(400)
@given(frames(task="classes"), st.integers(0, 10**6), st.booleans(), st.sampled_from([1e-6, 0.05, 1.0]))
def test_the_least_bound_of_all_prunings(frame, seed, by_hand, delta):
    table, tree = table_and_tree(frame, seed, 6)
    tree = with_random_marks(tree, seed, ("pinned", "locked"), 0.1)
    children, kept = [tree.children(i) for i in range(tree.n_nodes)], locked(tree, by_hand)
    wrong, weight, rows = tree.wrong("train"), tree.weight("train")[0], int(tree.rows_train[0])

    def n_nodes(leaves):
        shown = set(leaves)
        for v in leaves:
            while v > 0:
                v = int(tree.parent[v])
                shown.add(v)
        return len(shown)

    def bound(leaves):
        error = sum(wrong[v] for v in leaves) / weight
        return float(description_bound(error, rows, n_nodes(leaves), count_tests(table), delta, len(table.classes)))

    every = naive.prunings(children, 0, frozenset(np.flatnonzero(kept).tolist()))
    best = min(map(bound, every))
    cut = prune(table, tree, "mdl", code="notes", delta=delta, keep_by_hand=by_hand)
    chosen = cut.tree(cut.chosen)
    found = frozenset(tree.position(node) for node in chosen.ids[chosen.leaves].tolist())
    assert bound(found) == pytest.approx(best, rel=1e-12)
    assert cut.steps[cut.chosen].leaves == len(found)
    for i in np.flatnonzero(tree.n_branches > 0).tolist():
        if i and int(tree.ids[tree.parent[i]]) not in chosen.ids[chosen.n_branches > 0]:
            continue
        if not kept[i]:
            apart = cut.verdicts.branch[i] - cut.verdicts.leaf[i]
            stays = int(tree.ids[i]) in chosen.ids[chosen.n_branches > 0]
            assert (apart < 1e-9) if stays else (apart > -1e-9)


def test_the_classes_of_a_leaf_by_hand():
    """8 yes, 2 no: 10 · H(0.2) + ½ log₂ 5 + log₂ π."""
    frame = pd.DataFrame({"x": range(10), "y": ["yes"] * 8 + ["no"] * 2})
    table = Table.from_frame(frame, target="y")
    tree = Tree.root(table)
    entropy = -(0.8 * math.log2(0.8) + 0.2 * math.log2(0.2))
    assert leaf_bits(table, tree)[0] == pytest.approx(1 + 10 * entropy + 0.5 * math.log2(5) + math.log2(math.pi))


def test_splits_of_every_kind_by_hand():
    frame = pd.DataFrame({"x": range(12), "c": list("pqrs") * 3, "z": [None, *range(11)], "y": ["a", "b"] * 6})
    table = Table.from_frame(frame, target="y")
    root = Tree.root(table)

    def bits(split):
        return split_bits(table, root.split(table, 0, split))[0]

    assert bits(Split("x", "threshold", (3.5,))) == pytest.approx(math.log2(11))
    assert bits(Split("x", "threshold", (3.5, 7.5))) == pytest.approx(math.log2(55))
    assert bits(Split("z", "threshold", (3.5,))) == pytest.approx(math.log2(10) + 1)
    assert bits(Split("c", "groups", groups=(("p", "q"), ("r", "s")))) == pytest.approx(3)
    assert bits(Split("c", "groups", groups=(("p",), ("q",), ("r",), ("s",)))) == 0
    assert bits(Split("c", "groups", groups=(("p",), ("q",), ("r", "s")))) == pytest.approx(math.log2(81 / 6))
    literals = (Literal("x", "<=", 3.5), Literal("c", "==", "p"))
    either = Split("x", "m_of_n", m=1, literals=literals)
    assert bits(either) == pytest.approx(math.log2(3 * 2 * 11) + math.log2(3 * 2 * 4) - 1 + 1)
    other = Surrogate(Split("x", "threshold", (5.5,)))
    assert bits(Split("z", "threshold", (3.5,), surrogates=(other,))) == pytest.approx(math.log2(10) + 1)


def noisy(n=2000, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "c": random.choice(list("xyz"), n)})
    signal = (frame.a > 0) * 2.0 + (frame.c == "x") + random.normal(size=n)
    frame["y"] = np.where(signal > 1.2, "yes", "no")
    return Table.from_frame(frame, target="y")


@pytest.mark.parametrize("code", ["rissanen", "notes"])
def test_a_tree_that_knows_its_rows_by_heart_is_cut_to_what_holds(code):
    table = noisy()
    tree = grow(table)
    cut = prune(table, tree, "mdl", code=code)
    chosen = cut.tree(cut.chosen)
    assert 2 <= chosen.n_leaves < 12
    held = noisy(seed=1).to_frame()
    assert np.mean(chosen.predict(held) != held.y) < np.mean(tree.predict(held) != held.y) - 0.02


def test_scaling_all_weights_changes_nothing():
    frame = noisy(300).to_frame().assign(w=0.01)
    weighted, plain = Table.from_frame(frame, target="y", weights="w"), noisy(300)
    cuts = [prune(table, grow(table), "mdl") for table in (weighted, plain)]
    assert cuts[0].tree(-1).ids.tolist() == cuts[1].tree(-1).ids.tolist()


def test_a_numeric_target_is_refused():
    table = Table.from_frame(noisy(100).to_frame().assign(y=range(100)), target="y")
    with pytest.raises(InputError, match="as many digits as one likes"):
        prune(table, Tree.root(table), "mdl")
