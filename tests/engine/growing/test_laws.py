"""What must hold of every tree, whatever the criterion and the kinds of split: laws, tried on many small tables.

Another criterion or kind of split comes under all of them by its line in the lists below.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from tests import naive_tree
from tests.effort import examples
from tests.naive_growing import assert_same, grow_by_candidates

CRITERIA = {
    "classes": ["gini", "entropy", "gain_ratio", "error", "sqrt"],
    "number": ["squared_error", "absolute_error", "binned_gini", "binned_error"],
}
NUMERIC = {
    "classes": ["cuts", "boundary_cuts", "bucket_cuts", "bucket_branches"],
    "number": ["cuts", "bucket_cuts", "bucket_branches"],
}
NOMINAL = ["groups", "multiway", "one_vs_rest"]
MISSING = ["direction", "branch"]
BY_ROWS = {"binned_gini", "binned_error"}  # equally many rows, whatever they weigh

CASES = 30  # of each law and criterion
CROWD = 0.3  # multiway columns with so many levels per training row are left out of the guard of the gain ratio

EVERY = [(task, criterion) for task, criteria in CRITERIA.items() for criterion in criteria]
every_criterion = pytest.mark.parametrize(("task", "criterion"), EVERY)
LEVELS = ["fir", "elm", "oak", "ash", "yew"]  # as declared: not in the order of the alphabet
KINDS = {"few": "number", "many": "number"}


@st.composite
def frames(draw, task, *, gaps=True, holdout=True, least_weight=0, most_rows=24):
    """A frame of numbers, levels and booleans with whole weights; sums of whole numbers and halves are exact."""
    n = draw(st.integers(5, most_rows))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    missing = draw(st.sampled_from([0.0, 0.25])) if gaps else 0.0
    n_levels = draw(st.integers(1, len(LEVELS)))
    frame = pd.DataFrame(
        {
            "few": random.integers(0, 4, n).astype(float),
            "many": random.permutation(n) * 0.75 - 4,
            "level": pd.Categorical.from_codes(random.integers(0, n_levels, n), LEVELS),
            "flag": pd.Categorical.from_codes(random.integers(0, 2, n), ["no", "yes"]),
            "size": pd.Categorical.from_codes(random.integers(0, 3, n), ["S", "M", "L"], ordered=True),
        }
    )
    for name in ("few", "many", "level", "size"):
        frame.loc[random.random(n) < missing, name] = None
    y = random.integers(0, draw(st.integers(2, 4)), n)
    y[:3] = 0, 1, 0
    frame["y"] = pd.Categorical.from_codes(y, list("PQRS")) if task == "classes" else y * 0.5
    weights = random.integers(least_weight, 4, n) if draw(st.booleans()) else np.ones(n, int)
    weights[:3] = np.maximum(weights[:3], 1)
    part = np.where(random.random(n) < draw(st.sampled_from([0.0, 0.3])), "validation", "train")
    part[:3] = "train"
    return frame.assign(w=weights, part=part if holdout else "train")


def table_of(frame):
    kinds = KINDS if frame["y"].dtype == "category" else {**KINDS, "y": "number"}
    return engine.Table.from_frame(frame, target="y", kinds=kinds, weights="w", roles={"part": "partition"})


@st.composite
def ways(draw, task, **limits):
    """Options: kinds of split, and limits that differ from the usual ones."""
    options = {
        "numeric": draw(st.sampled_from(NUMERIC[task])),
        "nominal": draw(st.sampled_from(NOMINAL)),
        "missing": draw(st.sampled_from(MISSING)),
        "min_leaf": draw(st.integers(1, 3)),
        "min_rows": draw(st.integers(2, 6)),
        **limits,
    }
    return {name: value for name, value in options.items() if value != getattr(engine.Search, name)}


def exact_merit(table, split, rows, criterion, bins=10):
    """(gain, tie) of a split of some training rows by fractions, and the split information; routed value by value."""
    y, n_classes = table.y, len(table.classes) or None
    if criterion.startswith("binned"):
        y, n_classes, criterion = table.binned(bins).y, len(table.binned(bins).classes), criterion[len("binned_") :]
    branches = [[] for _ in range(split.n_branches)]
    for row in rows:
        branches[branch_of(table, split, row)].append((y[row].item(), table.weights[row].item()))
    return naive_tree.merit(criterion, branches, n_classes)


def training_rows(table, rows):
    return [row for row in rows.tolist() if table.part[row] == engine.TRAIN]


def branch_of(table, split, row):
    """Where a row goes: what `Split` says in its docstring, in plain Python."""
    column = table.column(split.column)
    code = int(column.codes[row])
    if code == 0:
        return split.missing
    value = column.values[code - 1]
    if split.kind == "threshold":
        return sum(value > threshold for threshold in split.thresholds)
    return next((b for b, group in enumerate(split.groups) if value in group), split.unseen)


# -- every node is divided


@examples(CASES)
@every_criterion
@given(data=st.data())
def test_children_partition_their_node(task, criterion, data):
    table = table_of(data.draw(frames(task)))
    tree = engine.grow(table, criterion=criterion, **data.draw(ways(task)))
    at = engine.assign(table, tree)
    assert sorted(at.rows_of(0).tolist()) == list(range(table.n_rows))
    for i in range(tree.n_nodes):
        rows, split = at.rows_of(i).tolist(), tree.split_at(i)
        for part, count, statistic in (
            (engine.TRAIN, tree.rows_train, tree.train),
            (engine.VALIDATION, tree.rows_validation, tree.validation),
        ):
            inside = [row for row in rows if table.part[row] == part]
            assert count[i] == len(inside)
            sums = statistic[i, :2] if task == "number" else statistic[i]
            np.testing.assert_allclose(sums, total(table, inside), atol=1e-12)
        if split:
            expected = [[row for row in rows if branch_of(table, split, row) == b] for b in range(split.n_branches)]
            assert [sorted(at.rows_of(child).tolist()) for child in tree.children(i)] == [*map(sorted, expected)]
            filled = [branch for branch in expected if any(table.part[row] == engine.TRAIN for row in branch)]
            assert len(filled) > 1


def total(table, rows):
    """The weight of each class, or (Σw, Σwy), y from the table's origin."""
    w, y = table.weights[rows], table.y[rows]
    if table.task == "number":
        return [w.sum(), (w * y).sum()]
    return [w[y == k].sum() for k in range(len(table.classes))]


# -- gains


@examples(CASES)
@every_criterion
@given(data=st.data())
def test_gains_are_exact_and_never_negative(task, criterion, data):
    table = table_of(data.draw(frames(task, most_rows=14)))
    options = data.draw(ways(task))
    tree = engine.grow(table, criterion=criterion, max_depth=1, **options)
    at = engine.assign(table, tree)
    for i in range(tree.n_nodes):
        rows = training_rows(table, at.rows_of(i))
        for one in engine.candidates(table, tree, int(tree.ids[i]), assignment=at, criterion=criterion, **options):
            if one.split:
                exact, _ = exact_merit(table, one.split, rows, criterion)
                assert exact >= (0 if isinstance(exact, Fraction) else -1e-15)
                assert one.gain == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
                assert one.gain >= 0


# -- the order of rows and columns


@examples(CASES)
@every_criterion
@given(data=st.data())
def test_the_order_of_the_rows_changes_nothing(task, criterion, data):
    frame, options = data.draw(frames(task)), data.draw(ways(task))
    moved = frame.iloc[np.random.default_rng(len(frame)).permutation(len(frame))].reset_index(drop=True)
    table, other = table_of(frame), table_of(moved)
    assert_same(*(engine.grow(one, criterion=criterion, **options) for one in (table, other)))
    here, there = (
        engine.candidates(one, engine.Tree.root(one), criterion=criterion, **options) for one in (table, other)
    )
    assert [(one.column, one.split) for one in here] == [(one.column, one.split) for one in there]
    assert [one.gain for one in here] == pytest.approx([one.gain for one in there], rel=1e-12, abs=1e-15, nan_ok=True)


@examples(CASES)
@every_criterion
@given(data=st.data())
def test_the_order_of_the_columns_only_settles_ties(task, criterion, data):
    frame, options = data.draw(frames(task)), {"criterion": criterion, **data.draw(ways(task))}
    table = table_of(frame)
    moved = table_of(frame[data.draw(st.permutations(list(frame.columns)))])
    tree = engine.grow(table, **options)
    again, at = tree_on(moved, tree), engine.assign(table, tree)
    for i in range(tree.n_nodes):
        here = engine.candidates(table, tree, int(tree.ids[i]), **options)
        there = engine.candidates(moved, again, int(again.ids[i]), **options)
        assert {one.column: (one.split, one.reason) for one in here} == {
            one.column: (one.split, one.reason) for one in there
        }
        rows = training_rows(table, at.rows_of(i))
        for ranked, of in ((here, table), (there, moved)):
            assert_ranked(ranked, of, rows, options)
        if tree.split_at(i):
            assert tree.split_at(i) == here[0].split


def tree_on(table, tree):
    """The same splits, made one by one on a table whose columns stand in another order."""
    made = engine.Tree.root(table)
    for i in range(tree.n_nodes):
        if tree.split_at(i):
            made = made.split(table, int(made.ids[i]), tree.split_at(i))
    return made


def assert_ranked(found, table, rows, options, slack=1e-11):
    """Best first; of equal ones the lower column first; those without a split last, in the table's order."""
    usable = [one for one in found if one.split]
    assert [bool(one.split) for one in found] == [True] * len(usable) + [False] * (len(found) - len(usable))
    bar = guard(usable, table, options)
    keys = [(one.gain >= bar, *merit_of(one, table, rows, options), -table.index(one.column)) for one in usable]
    for better, worse in pairwise(keys):  # whether it passes the guard, merit, tie, the lower column
        gaps = np.subtract(np.array(better, float), np.array(worse, float))
        assert next(gap for gap in gaps if abs(gap) > slack) > 0  # no two columns stand at the same place
    places = [table.index(one.column) for one in found[len(usable) :]]
    assert places == sorted(places)


def guard(usable, table, options):
    """The gain that a column has to reach before ratios are compared (Quinlan 1993, with Weka's slack)."""
    if options["criterion"] != "gain_ratio" or not usable:
        return -np.inf
    columns = {one.column: table.column(one.column) for one in usable}
    least = CROWD * np.count_nonzero(table.part == engine.TRAIN)
    crowded = {
        name for name, column in columns.items()
        if options.get("nominal") == "multiway" and column.kind in ("nominal", "boolean") and column.n_values >= least
    }  # fmt: skip
    counted = [one.gain for one in usable if one.column not in crowded]
    return np.mean(counted or [one.gain for one in usable]) - 1e-3


def merit_of(one, table, rows, options):
    """What candidates are ranked by: (gain or ratio, tie)."""
    if options["criterion"] == "gain_ratio":
        return one.scores["gain_ratio"], 0.0
    return one.gain, exact_merit(table, one.split, rows, options["criterion"])[1]


# -- weights


@examples(CASES)
@every_criterion
@given(data=st.data(), factor=st.sampled_from([0.37, 1e-3, 7.3, 1e6, 2.0**-20]))
def test_scaling_all_weights_changes_nothing(task, criterion, data, factor):
    frame, options = data.draw(frames(task)), {"criterion": criterion, **data.draw(ways(task))}
    table, scaled = table_of(frame), table_of(frame.assign(w=frame["w"] * factor))
    tree, other = engine.grow(table, **options), engine.grow(scaled, **options)
    assert [tree.split_at(i) for i in range(tree.n_nodes)] == [other.split_at(i) for i in range(other.n_nodes)]
    np.testing.assert_allclose(other.train, tree.train * factor, rtol=1e-9, atol=1e-9 * factor)
    said = (tree.probabilities, other.probabilities) if task == "classes" else (tree.means, other.means)
    np.testing.assert_allclose(*said, rtol=1e-12, atol=1e-12)
    for one, two in zip(*(engine.candidates(t, engine.Tree.root(t), **options) for t in (table, scaled)), strict=True):
        assert (one.column, one.split, one.rows) == (two.column, two.split, two.rows)
        assert (one.gain, one.logworth) == pytest.approx((two.gain, two.logworth), rel=1e-9, abs=1e-12, nan_ok=True)


@examples(CASES)
@every_criterion
@given(data=st.data())
def test_weights_equal_repeated_rows(task, criterion, data):
    """With limits that a repeated row does not meet sooner: a single row is a leaf, and so are its repetitions."""
    options = data.draw(ways(task, min_leaf=1, min_rows=2))
    crowds = criterion == "gain_ratio" and options.get("nominal") == "multiway"
    if BY_ROWS & {criterion, options.get("numeric")} or crowds:
        return
    frame = data.draw(frames(task))
    repeated = frame.loc[frame.index.repeat(frame["w"])].reset_index(drop=True).assign(w=1)
    trees = [engine.grow(table_of(one), criterion=criterion, **options) for one in (frame, repeated)]
    one, other = trees
    assert [one.split_at(i) for i in range(one.n_nodes)] == [other.split_at(i) for i in range(other.n_nodes)]
    for part in ("train", "validation"):
        np.testing.assert_allclose(one.weight(part), other.weight(part))
    said = [t.means if task == "number" else [t.classes[k] for k in t.labels] for t in trees]
    assert said[0] == pytest.approx(said[1], rel=1e-12) if task == "number" else said[0] == said[1]
    assert one.error() == pytest.approx(other.error(), rel=1e-9, abs=1e-12)


# -- the values of numbers


@examples(CASES)
@every_criterion
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_a_monotone_transform_changes_thresholds_only(task, criterion, data, seed):
    """Of training rows: others may lie between two neighbouring values, and the middle moves."""
    frame = data.draw(frames(task, holdout=False, least_weight=1))
    options = {"criterion": criterion, **data.draw(ways(task))}
    random, bent = np.random.default_rng(seed), frame.copy()
    for name in KINDS:
        values = np.sort(frame[name].dropna().unique())
        steps = np.exp(3 * random.normal(size=values.size))
        bent[name] = frame[name].map(dict(zip(values, np.cumsum(steps) - 5, strict=True)))
    (table, tree), (other_table, other) = ((t, engine.grow(t, **options)) for t in (table_of(frame), table_of(bent)))
    rows, moved = engine.assign(table, tree), engine.assign(other_table, other)
    assert tree.n_branches.tolist() == other.n_branches.tolist()
    for i in range(tree.n_nodes):
        assert sorted(rows.rows_of(i).tolist()) == sorted(moved.rows_of(i).tolist())
        one, two = tree.split_at(i), other.split_at(i)
        if one and one.kind == "threshold":
            assert (one.column, one.missing, len(one.thresholds)) == (two.column, two.missing, len(two.thresholds))
        else:
            assert one == two


# -- the lecture notes on top-down growing


def counts_table(left, right):
    """A table of one question whose two answers hold these weights of the two classes."""
    frame = pd.DataFrame({"h": ["no", "no", "yes", "yes"], "y": ["0", "1"] * 2, "w": [*left, *right]})
    return engine.Table.from_frame(frame, target="y", weights="w")


def edge(left, right):
    """γ: on the leaf's rows reweighed so that both classes weigh ½, the answer errs with probability ½ − γ."""
    negative, positive = left[0] + right[0], left[1] + right[1]
    wrong = Fraction(left[1], positive) / 2 + Fraction(right[0], negative) / 2  # "yes" says 1
    return abs(Fraction(1, 2) - wrong)


sides = st.tuples(st.integers(0, 40), st.integers(0, 40)).filter(any)


@examples(300)
@given(left=sides, right=sides)
def test_the_drop_of_gini_is_what_the_weak_learner_promises(left, right):
    """Kearns and Mansour 1996: with edge γ the drop is 2τ(1 − τ)δ² = 8γ²[q(1 − q)]² ÷ τ(1 − τ) ≥ 32γ²[q(1 − q)]².

    τ is the share of one branch, δ the difference of the branches' shares of positives, q that of the leaf; for
    τ(1 − τ)δ = 2γ·q(1 − q). As τ(1 − τ) ≤ ¼, it is attained if and only if the branches are equal.
    """
    total, positive = sum(left) + sum(right), left[1] + right[1]
    if positive in (0, total):
        return
    table = counts_table(left, right)
    (found,) = engine.candidates(table, engine.Tree.root(table), criterion="gini")
    q, tau, gamma = Fraction(positive, total), Fraction(sum(left), total), edge(left, right)
    bound = 32 * (gamma * q * (1 - q)) ** 2
    drop = 8 * (gamma * q * (1 - q)) ** 2 / (tau * (1 - tau))
    assert found.gain == pytest.approx(float(drop), rel=1e-12, abs=1e-15)
    assert (drop == bound) == (tau == Fraction(1, 2) or gamma == 0)
    assert found.gain >= float(bound) * (1 - 1e-12)


def test_the_promised_drop_is_attained_by_four_fifths_into_three_fifths_and_pure():
    gamma, q = edge((2, 3), (0, 5)), Fraction(4, 5)
    assert gamma == Fraction(5, 16)
    assert 32 * (gamma * q * (1 - q)) ** 2 == Fraction(8, 100)


NOTES = {
    "gini": lambda q: engine.impurity("gini", [1 - q, q]),
    "entropy ÷ 2": lambda q: engine.impurity("entropy", [1 - q, q]) / 2,
    "sqrt": lambda q: engine.impurity("sqrt", [1 - q, q]),
}
shares = st.floats(0, 1)


@pytest.mark.parametrize("function", NOTES.values(), ids=NOTES)
@examples(200)
@given(p=shares, r=shares, tau=shares)
def test_the_three_functions_of_the_notes(function, p, r, tau):
    """Symmetric, concave, 0 at the ends and ½ in the middle; so never below the error."""
    assert (function(0.0), function(0.5), function(1.0)) == pytest.approx((0, 0.5, 0), abs=1e-15)
    assert function(p) == pytest.approx(function(1 - p), rel=1e-6, abs=1e-7)  # 1 − p has lost the digits of a small p
    assert function(p) >= min(p, 1 - p) - 1e-15
    q = tau * p + (1 - tau) * r
    assert function(q) >= tau * function(p) + (1 - tau) * function(r) - 1e-12


# -- the same on every path


@examples(CASES)
@every_criterion
@given(data=st.data())
def test_growing_takes_the_first_candidate_again_and_again(task, criterion, data):
    table = table_of(data.draw(frames(task)))
    options = {"criterion": criterion, **data.draw(ways(task))}
    assert_same(engine.grow(table, **options), grow_by_candidates(table, engine.Tree.root(table), **options))


@every_criterion
def test_any_number_of_threads_and_any_run_grow_the_same(task, criterion):
    table, nominal = table_of(large(task)), NOMINAL[len(criterion) % len(NOMINAL)]
    options = {"criterion": criterion, "nominal": nominal, "min_leaf": 5, "max_depth": 7}
    trees = [engine.grow(table, threads=threads, **options) for threads in (1, 2, 8, 8)]
    assert trees[0].n_leaves > 20
    for tree in trees[1:]:
        assert_same(tree, trees[0])
        assert tree.train.tobytes() == trees[0].train.tobytes()


def large(task, n=9000):
    """Rows enough to be shared out among threads, of every kind of column."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(n, 2)).round(3), columns=list(KINDS))
    frame["level"] = pd.Categorical.from_codes(random.integers(0, 5, n), LEVELS)
    frame["flag"] = random.random(n) < 0.5
    frame["size"] = pd.Categorical.from_codes(random.integers(0, 3, n), ["S", "M", "L"], ordered=True)
    score = frame["few"] + frame["many"] ** 2 + (frame["level"] == "oak") + random.normal(size=n)
    frame.loc[random.random(n) < 0.1, "few"] = np.nan
    frame["y"] = pd.cut(score, [-np.inf, 0, 2, np.inf], labels=list("PQR")) if task == "classes" else score
    part = np.where(random.random(n) < 0.2, "validation", "train")
    return frame.assign(w=random.integers(0, 4, n), part=part)
