"""Growing, pruning and candidates honour marks; against brute force and against growing without them."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.pruning import METHODS, why_not
from engine.search.options import Search
from tests import marked
from tests import naive_pruning as naive
from tests.effort import examples
from tests.frames import frames

SEEDS = st.integers(0, 10**6)
OPTIONS = st.sampled_from(
    [
        {},
        {"order": "best_first", "max_leaves": 6},
        {"order": "level", "max_leaves": 5},
        {"max_leaves": 4},
        {"nominal": "multiway", "max_leaves": 9, "order": "best_first"},
        {"m_of_n": True, "max_depth": 3},
        {"missing": "surrogate", "max_depth": 4},
        {"lookahead": 2, "max_depth": 3},
        {"cp": 0.05},
    ]
)


# -- growing


@examples(60)
@given(frames(rows=(6, 40)), SEEDS, st.integers(0, 4), OPTIONS)
def test_growing_leaves_pins_and_locks_alone_and_columns_out(frame, seed, n_splits, options):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    kinds = ("pinned", "locked", "excluded") if options.get("m_of_n") or options.get("lookahead") else marked.MARKS
    tree = marked.with_random_marks(tree, seed, kinds)
    grown = engine.grow(table, tree=tree, **options)
    assert grown.marks == tree.marks
    for i, node in enumerate(tree.ids.tolist()):
        here = grown.position(node)
        if tree.n_branches[i] or marked.left_alone(tree, i):
            assert grown.split_at(here) == tree.split_at(i)
            continue
        for k in range(here, int(grown.end[here])):
            split = grown.split_at(k)
            assert split is None or not set(split.columns) & marked.excluded(tree, i)
    most = options.get("max_leaves")
    assert most is None or grown.n_leaves <= max(most, tree.n_leaves)
    counted = grown.with_counts(table)
    np.testing.assert_allclose(grown.train, counted.train, atol=1e-9)
    np.testing.assert_allclose(grown.validation, counted.validation, atol=1e-9)
    np.testing.assert_array_equal(grown.rows_validation, counted.rows_validation)


@examples(60)
@given(frames(rows=(6, 40), task="classes", weighted=False), SEEDS, st.integers(0, 4))
def test_every_leaf_grows_as_it_would_alone(frame, seed, n_splits):
    """Each leaf against a table of its training rows only, without the columns that are left out."""
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("excluded", "criterion"))
    grown = engine.grow(table, tree=tree)
    at = engine.assign(table, tree)
    for i in tree.leaves.tolist():
        here = grown.position(int(tree.ids[i]))
        found = [grown.split_at(k) for k in range(here, int(grown.end[here]))]
        rows = at.rows_of(i)
        rows = rows[table.part[rows] == engine.TRAIN]
        left = [table.columns[k].name for k in table.features if table.columns[k].name not in marked.excluded(tree, i)]
        if len(set(table.y[rows].tolist())) < 2 or not left:
            assert found == [None]
            continue
        if len(set(table.y[rows].tolist())) == len(rows) > 2:  # no table of its own may be like this
            continue
        alone = table.take(rows).with_roles(dict.fromkeys(marked.excluded(tree, i), "ignore"))
        expected = engine.grow(alone, criterion=marked.criterion(tree, i, "gini"))
        assert found == [expected.split_at(k) for k in range(expected.n_nodes)]


@examples(60)
@given(frames(rows=(6, 40), task="classes"), SEEDS, st.integers(1, 4), st.integers(2, 9), st.sampled_from(["best_first",
       "level", "depth_first"]))  # fmt: skip
def test_a_limit_of_leaves_takes_the_first_splits_of_all_leaves(frame, seed, n_splits, most, order):
    """Against taking the splits of the tree without a limit one after the other."""
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("excluded",), 0.6)
    options = {"order": order, "nominal": "groups"}
    limited = engine.grow(table, tree=tree, max_leaves=most, **options)
    full = engine.grow(table, tree=tree, **options)
    at = {int(full.ids[i]): i for i in range(full.n_nodes)}

    def drop(i):
        weights, total = full.weight(), full.weight()[0]
        value = weights[i] * engine.impurity("gini", full.train[i]) if weights[i] > 0 else 0.0
        for k in full.children(i):
            value -= weights[k] * engine.impurity("gini", full.train[k]) if weights[k] > 0 else 0.0
        return round(value / total, 9)

    waiting, made, n_leaves, found = [], set(), tree.n_leaves, 0
    fresh = [at[int(tree.ids[i])] for i in tree.leaves]
    while True:
        for i in reversed(fresh) if order == "depth_first" else fresh:
            found += 1
            if full.n_branches[i]:
                key = {"best_first": -drop(i), "level": float(full.level[i]), "depth_first": -found}[order]
                waiting.append((key, found, i))
        if not waiting or n_leaves >= most:
            break
        waiting.sort()
        _, _, i = waiting.pop(0)
        fresh = full.children(i)
        made.add(i)
        n_leaves += 1
    gone = [int(full.ids[i]) for i in np.flatnonzero(full.n_branches).tolist()
            if i not in made and int(full.ids[i]) not in set(tree.ids[tree.n_branches > 0].tolist())]  # fmt: skip
    expected = full.collapse(*gone) if gone else full
    assert [limited.split_at(k) for k in range(limited.n_nodes)] == [
        expected.split_at(k) for k in range(expected.n_nodes)
    ]


@pytest.mark.parametrize("criterion", ["absolute_error", "binned_gini", "squared_error"])
def test_criteria_of_a_numeric_target_on_one_node(criterion):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=200), "b": random.normal(size=200)})
    frame["y"] = frame.a.round() + frame.b * (frame.a > 0) + random.normal(size=200)
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (0.0,)))
    tree = tree.with_mark(2, criterion=criterion, label=1.0).with_mark(1, pinned=True)
    grown = engine.grow(table, tree=tree, max_depth=3)
    plain = engine.grow(table, tree=tree.with_mark(2, criterion="", label=None), max_depth=3, criterion=criterion)
    assert [grown.split_at(k) for k in range(grown.n_nodes)] == [plain.split_at(k) for k in range(plain.n_nodes)]
    assert grown.n_branches[grown.position(1)] == 0
    assert grown.marks == tree.marks
    assert grown.predictions[grown.position(2)] == 1.0
    np.testing.assert_allclose(grown.train, grown.with_counts(table).train)


def test_a_criterion_that_does_not_go_with_the_search_names_its_node():
    frame = pd.DataFrame({"a": np.arange(30), "y": np.arange(30) + 0.5})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).with_mark(0, criterion="absolute_error")
    with pytest.raises(engine.InputError, match="Node 0 is searched by absolute_error, but m_of_n cannot go with"):
        engine.grow(table, tree=tree, m_of_n=True)
    with pytest.raises(engine.InputError, match="Node 0 is searched by absolute_error, but lookahead cannot go with"):
        engine.candidates(table, tree, lookahead=2)


def test_a_stop_between_the_groups_leaves_a_whole_tree():
    table = engine.read_example("cats")
    tree = engine.grow(table, max_depth=1).with_mark(1, criterion="entropy")
    progress = engine.Progress()
    progress.stop()
    assert engine.grow(table, tree=tree, progress=progress).n_leaves == tree.n_leaves
    told = []
    engine.grow(table, tree=tree, progress=engine.Progress(lambda done, text: told.append(done)))
    assert all(0 <= done <= 1 for done in told) and told == sorted(told)


# -- candidates


@examples(40)
@given(frames(), SEEDS, st.integers(0, 4))
def test_candidates_leave_columns_out_and_say_why(frame, seed, n_splits):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("excluded", "criterion"))
    usual = Search.make(table.task).criterion
    for i, node in enumerate(tree.ids.tolist()):
        if not tree.weight()[i] > 0:
            continue
        out, criterion = marked.excluded(tree, i), marked.criterion(tree, i, usual)
        found = engine.candidates(table, tree, node)
        bare = engine.candidates(table, engine.Tree.with_mark(tree, node), node) if not tree.marks else found
        assert [c.column for c in found] == [c.column for c in bare]
        names = [table.columns[k].name for k in table.features]
        assert sorted(c.column for c in found) == sorted(names)
        last = found[len(found) - len(out) :]
        assert [c.column for c in last] == [name for name in names if name in out]
        for candidate in last:
            said_by = tree.excluded_at(node)[candidate.column]
            assert candidate.split is None and candidate.reason == f"left out below node {said_by}"
        import dataclasses

        plain = engine.candidates(table, dataclasses.replace(tree, marks={}), node, criterion=criterion)
        expected = [(c.column, c.split, c.gain) for c in plain if c.column not in out]
        np.testing.assert_array_equal(
            [str(entry) for entry in expected], [str((c.column, c.split, c.gain)) for c in found[: len(expected)]]
        )


def test_curves_are_by_the_criterion_of_the_node():
    table = engine.read_example("cats")
    tree = engine.Tree.root(table)
    column = next(c for c in engine.candidates(table, tree) if c.split is not None).column
    marked_tree = tree.with_mark(0, criterion="entropy", excluded=[column])
    by_mark = engine.gain_curve(table, marked_tree, 0, column)
    np.testing.assert_array_equal(by_mark.gains, engine.gain_curve(table, tree, 0, column, criterion="entropy").gains)


def test_the_climb_to_m_of_n_leaves_columns_out_and_goes_by_the_criterion_of_the_node():
    table = engine.read_example("cats")
    tree = engine.Tree.root(table)
    split = engine.m_of_n(table, tree).split
    out = split.columns[0]
    marked_tree = tree.with_mark(0, excluded=[out], criterion="entropy")
    found = engine.m_of_n(table, marked_tree)
    expected = engine.m_of_n(table.with_roles({out: "ignore"}), tree, criterion="entropy")
    assert (found.split, found.gain) == (expected.split, expected.gain)
    assert out not in found.split.columns


def test_with_everything_left_out_there_is_nothing_to_search():
    table = engine.read_example("cats")
    tree = engine.Tree.root(table)
    tree = tree.with_mark(0, excluded=[column.name for column in tree.columns])
    assert engine.m_of_n(table, tree) is None
    for options in ({}, {"m_of_n": True}, {"lookahead": 2}, {"missing": "branch"}):
        assert engine.grow(table, tree=tree, **options).n_leaves == 1
        assert all(c.split is None for c in engine.candidates(table, tree, **options))


# -- pruning


def children_of(tree):
    return [tree.children(i) for i in range(tree.n_nodes)]


SEQUENCES = ("cost_complexity", "reduced_error", "greedy_validation", "growth")  # their last step is what has to stay
BY_VALIDATION = ("reduced_error", "greedy_validation", "generic")
RAISING = ("pessimistic", "generic")


@examples(80)
@given(frames(rows=(8, 30)), SEEDS, st.integers(1, 5))
def test_pruning_keeps_what_is_pinned_or_locked(frame, seed, n_splits):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("pinned", "locked", "label"), 0.3)
    kept = marked.kept_splits(tree)
    validated = tree.loss_weight("validation")[0] > 0
    for method in METHODS:
        if why_not(method, table) or (method in BY_VALIDATION and not validated):
            continue
        cut = engine.prune(table, tree, method, **({"min_leaf": 10**6} if method == "by_rule" else {}))
        for i in range(len(cut.steps)):
            step = cut.tree(i)
            for k in range(tree.n_nodes):
                if k in kept or marked.left_alone(tree, k):
                    assert step.split_at(step.position(int(tree.ids[k]))) == tree.split_at(k)
            if method not in RAISING:  # what takes the place of a node brings its mark along
                assert step.marks == {node: mark for node, mark in tree.marks.items() if node in step}
        smallest = cut.tree(-1)
        if method not in SEQUENCES:
            continue
        assert {tree.position(int(node)) for node in smallest.ids[smallest.n_branches > 0]} == kept


@examples(80)
@given(frames(rows=(8, 30)), SEEDS, st.integers(1, 5))
def test_pruned_trees_are_the_cheapest_of_those_that_keep_what_must_stay(frame, seed, n_splits):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("pinned", "locked", "label"), 0.3)
    kept, children = marked.kept_splits(tree), children_of(tree)

    def exact(part):
        return [Fraction(cost).limit_denominator(10**7) for cost in tree.costs(part).tolist()]

    if tree.loss_weight("validation")[0] > 0:
        cut = engine.prune(table, tree, "reduced_error")
        chosen = cut.tree(cut.chosen)
        best = naive.cheapest(children, exact("validation"), Fraction(0), kept)
        assert {tree.position(int(node)) for node in chosen.ids[chosen.leaves]} == best
    cut = engine.prune(table, tree, "cost_complexity")
    weight = tree.loss_weight()[0]
    for i, step in enumerate(cut.steps[1:], start=1):
        following = cut.steps[i + 1].alpha if i + 1 < len(cut.steps) else step.alpha + 1.0
        price = Fraction((step.alpha + following) / 2 * weight)
        pruned = cut.tree(i)
        best = naive.cheapest(children, exact("train"), price, kept)
        assert {tree.position(int(node)) for node in pruned.ids[pruned.leaves]} == best


def test_folds_leave_out_what_the_root_does_and_the_rest_is_told():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=120), "b": random.normal(size=120)})
    frame["y"] = np.where(frame.a + random.normal(size=120) > 0, "u", "v")
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, tree=engine.Tree.root(table).with_mark(0, excluded=["a"]), max_depth=4)
    without = table.with_roles({"a": "ignore"})
    expected = engine.prune(without, engine.grow(without, max_depth=4))
    found = engine.prune(table, tree)
    np.testing.assert_allclose([s.cv_error for s in found.steps], [s.cv_error for s in expected.steps])
    assert found.remark == ""
    node = int(tree.ids[1])
    assert (
        "pins, locks and what else is written on single nodes"
        in engine.prune(table, tree.with_mark(node, pinned=True)).remark
    )
