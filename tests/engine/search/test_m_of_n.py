"""The climb to m-of-n splits against its slow twin and against all splits there are."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.search.m_of_n import MOST_LITERALS, climb
from engine.search.tally import NodeRows
from engine.splits import branch_of_rows
from tests.effort import examples
from tests.frames import frames, table_of
from tests.naive_m_of_n import best_of_all, rows_of
from tests.naive_m_of_n import climb as naive_climb

CRITERIA = {"classes": ["gini", "entropy", "gain_ratio", "error", "sqrt"], "number": ["squared_error"]}


def climbed(table, **options):
    return engine.m_of_n(table, engine.Tree.root(table), **options)


def table_from(columns, y):
    return engine.Table.from_frame(pd.DataFrame({**columns, "y": y}), target="y")


def truth_table(n, concept):
    """Every combination of n Boolean columns once, "yes" where the concept holds."""
    rows = list(product([False, True], repeat=n))
    columns = {name: [row[i] for row in rows] for i, name in enumerate("abcdefg"[:n])}
    return table_from(columns, ["yes" if concept(*row) else "no" for row in rows])


def random_booleans(seed, n=3, rows=8):
    random = np.random.default_rng(seed)
    columns = {name: random.random(rows) < 0.5 for name in "abcd"[:n]}
    return table_from(columns, ["u", "v", *random.choice(["u", "v"], rows - 2)])


# -- the twin


@given(frames(rows=(4, 14)), st.integers(1, 3), st.integers(0, 4), st.data())
def test_the_climb_is_that_of_the_slow_twin(frame, min_leaf, pool, data):
    table = table_of(frame)
    name = data.draw(st.sampled_from(CRITERIA[table.task]))
    found = climbed(table, criterion=name, min_leaf=min_leaf, pool=pool)
    expected = naive_climb(rows_of(table, name, min_leaf, pool))
    if not expected:
        assert found is None
        return
    assert [step[:2] for step in found.steps] == [step[:2] for step in expected]
    np.testing.assert_allclose([step[2] for step in found.steps], [float(step[2][0]) for step in expected], atol=1e-9)
    assert found.tie == pytest.approx(float(expected[-1][2][1]), abs=1e-9)


def test_rare_levels_are_no_literals():
    shops = ["a"] * 10 + ["b"] * 10 + ["rare"] * 3
    table = table_from({"shop": shops, "big": [False, True] * 11 + [True]}, ["no"] * 20 + ["yes"] * 3)
    assert climbed(table).split.literals == (engine.Literal("shop", "==", "rare"),)
    asked = climbed(table, pool=4).split.literals
    assert asked
    assert all(literal.value != "rare" for literal in asked)
    assert climbed(table, pool=3).split.literals == (engine.Literal("shop", "==", "rare"),)


@examples(30)
@given(frames(rows=(4, 30)), st.integers(1, 3), st.floats(0.1, 0.4))
def test_the_gain_is_what_the_branches_say_and_rises_with_each_step(frame, min_leaf, share):
    table = table_of(frame).with_partition(validation=share)
    tree = engine.Tree.root(table)
    found = climbed(table, min_leaf=min_leaf)
    if found is None:
        return
    gains = [step[2] for step in found.steps]
    assert all(a < b for a, b in pairwise(gains))
    assert gains[-1] == found.gain
    assert (found.split.m, found.split.literals) == found.steps[-1][:2]
    split = tree.split(table, 0, found.split)
    assert split.rows_train[1:].min() >= min_leaf
    criterion = "gini" if table.task == "classes" else "squared_error"
    weight = split.weight()
    stats = split.train.copy()
    if table.task == "number":  # Σw(y - mean)² to Σwy², as `impurity` wants it
        stats[:, 2] += np.divide(stats[:, 1] ** 2, stats[:, 0], out=np.zeros(3), where=stats[:, 0] > 0)
    mixed = [engine.impurity(criterion, stat) for stat in stats]
    gain = mixed[0] - (weight[1] * mixed[1] + weight[2] * mixed[2]) / weight[0]
    assert found.gain == pytest.approx(gain, abs=1e-9)


# -- against all splits


def test_no_climb_beats_the_best_of_all_and_most_reach_it():
    """Of 60 random Boolean tables the greedy climb finds the best m-of-n split in most; how many is pinned."""
    reached = 0
    for seed in range(60):
        table = random_booleans(seed)
        best, found = best_of_all(rows_of(table, "gini")), climbed(table, criterion="gini")
        assert found.gain <= float(best[0]) + 1e-12
        reached += found.gain >= float(best[0]) - 1e-12
    assert reached == 55


@pytest.mark.parametrize(("m", "n"), [(1, 2), (2, 2), (1, 3), (2, 3), (3, 3), (2, 4), (3, 5), (4, 5)])
def test_m_of_n_concepts_are_found(m, n):
    """With m = 1 the concept is "or", with m = n "and"."""
    table = truth_table(n, lambda *values: sum(values) >= m)
    found = climbed(table, criterion="entropy")
    assert found.split.m == m
    assert {(literal.test, literal.value) for literal in found.split.literals} == {("==", "True")}
    assert found.split.columns == tuple("abcdefg"[:n])
    assert found.gain == pytest.approx(float(best_of_all(rows_of(table, "entropy"))[0]), abs=1e-12)
    tree = engine.Tree.root(table).split(table, 0, found.split)
    assert tree.error() == 0
    assert tree.branch_words(1).startswith("any of" if m == 1 else "all of" if m == n else f"at least {m} of")


def test_where_the_climb_is_stuck():
    """ "At least 2 of {a, b, not c}" parts these rows (Gini gain 0.5), yet no second literal beside "a" gains
    anything, so the climb stays at the single literal with 0.3: 0.2 less."""
    rows = ["TTF", "TTF", "TFF", "FTF", "FFF", "FFF", "FTT", "FFT"]
    table = table_from({c: [row[i] == "T" for row in rows] for i, c in enumerate("abc")}, list("uuuuvvvv"))
    found = climbed(table, criterion="gini")
    assert found.split.literals == (engine.Literal("a", "==", "True"),)
    assert found.gain == pytest.approx(0.3, abs=1e-12)
    assert float(best_of_all(rows_of(table, "gini"))[0]) - found.gain == pytest.approx(0.2, abs=1e-12)


# -- what is asked


def test_a_mixed_concept_over_numbers_levels_and_missing_values():
    random = np.random.default_rng(5)
    n = 600
    age, town = random.integers(20, 80, n).astype(float), random.choice(["Bonn", "Jena", "Ulm"], n)
    fever, noise = random.random(n) < 0.5, random.normal(size=n)
    age[::11] = np.nan
    hits = (age > 60).astype(int) + (town == "Ulm") + fever
    table = table_from({"age": age, "town": town, "fever": fever, "noise": noise}, np.where(hits >= 2, "ill", "well"))
    found = climbed(table, criterion="entropy", min_leaf=5)
    assert found.split.m == 2
    assert {literal[:2] for literal in found.split.literals} == {("age", ">"), ("town", "=="), ("fever", "==")}
    assert found.gain == pytest.approx(engine.impurity("entropy", engine.Tree.root(table).train[0]), abs=1e-12)
    assert (branch_of_rows(found.split, table, np.arange(n)) == (hits < 2)).all()


@pytest.mark.parametrize("task", ["classes", "number"])
def test_every_cut_and_every_level_is_asked_for_however_many_there_are(task):
    """Of 120 values and 90 levels the climb is that of the twin, which knows all; 32 quantiles led it astray."""
    random = np.random.default_rng(3)
    x = np.column_stack([random.permutation(120) for _ in range(3)]).astype(float)
    x[::9, 0] = np.nan
    levels = random.integers(0, 90, 120)
    hits = (x > [80.5, 90.5, 70.5]).sum(axis=1) >= 2
    y = np.where(hits, "u", "v") if task == "classes" else hits + random.normal(size=120) / 20
    table = table_from({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "k": [f"k{i:02}" for i in levels]}, y)
    name = CRITERIA[task][0]
    found, expected = climbed(table, criterion=name), naive_climb(rows_of(table, name), most=3)
    assert [step[:2] for step in found.steps[:3]] == [step[:2] for step in expected]
    assert found.steps[2][2] == pytest.approx(float(expected[2][2][0]), abs=1e-12)


def test_a_climb_ends_at_the_most_literals():
    table = truth_table_of_many(MOST_LITERALS + 2)
    found = climbed(table, criterion="squared_error")
    assert len(found.split.literals) == len(found.steps) == MOST_LITERALS


def truth_table_of_many(n):
    """n Boolean columns, each row with one of them; the target is lower by another little for each."""
    columns = {f"c{i:02}": np.arange(2 * n) == i for i in range(n)}
    return table_from(columns, np.r_[np.full(n, 5.0), np.zeros(n)] + np.arange(2 * n) * 1e-3)


def test_where_nothing_parts_the_rows_there_is_no_climb():
    assert climbed(table_from({"a": np.ones(4), "b": ["k"] * 4}, list("uvuv"))) is None
    assert climbed(table_from({"a": np.arange(4)}, list("uvuv")), min_leaf=3) is None


@pytest.mark.parametrize("task", ["classes", "number"])
def test_a_node_without_weight_or_with_too_much_is_no_reason_to_fail(task):
    y = list("uvuvuv") if task == "classes" else [1.5, 2.0, 3.0, 9e89, -9e89, 9e89]
    frame = pd.DataFrame({"a": np.arange(6), "b": [True, False] * 3, "w": [0.0, 0, 0, 1e100, 1e100, 1e100], "y": y})
    table = engine.Table.from_frame(frame, target="y", weights="w")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (2.5,)))
    for criterion in CRITERIA[task]:
        empty = engine.m_of_n(table, tree, 1, criterion=criterion)
        assert empty is None
        heavy = engine.m_of_n(table, tree, 2, criterion=criterion)
        assert (heavy is None) == (task == "number")  # squares of 9e89 times 1e100 are no number
        assert heavy is None or 0 < heavy.gain < 1


def test_a_stopped_climb_is_where_it_stood_and_a_leaf_can_be_asked():
    table = truth_table(3, lambda *values: sum(values) >= 2)
    progress = engine.Progress()
    progress.stop()
    assert len(climbed(table, progress=progress).steps) == 1
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "groups", groups=(("False",), ("True",))))
    below = engine.m_of_n(table, tree, 2)
    assert set(below.split.columns) == {"b", "c"}
    assert below.split.m == 1


def test_what_cannot_be_climbed_says_so():
    table = table_from({"a": np.arange(6.0)}, np.arange(6.0) + 0.5)
    with pytest.raises(engine.InputError, match="m_of_n cannot go with absolute_error"):
        climbed(table, criterion="absolute_error")
    with pytest.raises(engine.InputError, match="no node 4"):
        engine.m_of_n(table, engine.Tree.root(table), 4)


def test_bins_of_a_number_are_climbed_as_classes():
    table = truth_table(3, lambda *values: sum(values) >= 2)
    inside = NodeRows.of(table, np.arange(table.n_rows))
    for binned, by in (("binned_gini", "gini"), ("binned_error", "error")):
        search = engine.Search.make("number", criterion=binned, m_of_n=True)
        assert climb(inside, search) == climbed(table, criterion=by)


def test_the_rows_of_a_node_are_enough():
    table = truth_table(3, lambda *values: sum(values) >= 2)
    inside = NodeRows.of(table, np.arange(table.n_rows)).centred()
    search = engine.Search.make("classes", criterion="gini", m_of_n=True)
    assert climb(inside, search) == climbed(table, criterion="gini")
