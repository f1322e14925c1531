"""Importance: the gains of splits by hand, permutations by scikit-learn's way on a data frame."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.splits import Literal, Split
from engine.table.folds import by_class, held_out
from engine.table.partition import further_seed, row_hash
from engine.tree.leaves import LeafRule
from tests import naive_surrogates
from tests.engine.assessment import test_figures_of_classes as classes
from tests.engine.assessment import test_residuals as numbers

FIGURES = ["splits", "impurity", "impurity_share", "with_surrogates", "permutation", "permutation_sd"]
RULE = LeafRule(priors=(("h", 3.0), ("l", 1.0)), costs=(("h", "l", 9.0),))


def grown_by_rows(table, frame, tree, name, weights, loss, k):
    """By how much the mean loss grows with the k-th permutation of a column, from predictions of data frames."""
    rows = table.rows(1)
    some = frame.iloc[rows].reset_index(drop=True)
    w = some.w.to_numpy(float) if weights else np.ones(len(rows))
    hashed = row_hash(len(rows), further_seed(7, k))
    order = np.argsort(hashed)
    if weights:  # the row into whose part of all weights a number between 0 and 1 falls
        order = [int(np.argmax(float(one) / 2**64 < np.cumsum(w) / w.sum())) for one in hashed]
    dealt = some.assign(**{name: some[name].to_numpy()[order]})
    after, before = (
        np.average(loss(some.t, tree.predict(each))[0], weights=w * loss(some.t, some.t)[1]) for each in (dealt, some)
    )
    return after - before


def priced(tree):
    """The cost of each prediction, and by what a row of each class counts, as RULE has it."""
    shares = dict(zip(tree.classes, tree.train[0] / tree.train[0].sum(), strict=True))
    priors = {"h": 3.0, "l": 1.0, "m": shares["m"]}

    def loss(truth, guess):
        pairs = list(zip(truth, guess, strict=True))
        costs = np.array([0.0 if t == g else 9.0 if (t, g) == ("h", "l") else 1.0 for t, g in pairs])
        return costs, np.array([priors[t] / shares[t] for t, _ in pairs])

    return loss


def wrong(truth, guess):
    return (np.asarray(truth) != np.asarray(guess)).astype(float), np.ones(len(truth))


def squared(truth, guess):
    return (np.asarray(truth, float) - np.asarray(guess, float)) ** 2, np.ones(len(truth))


@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
@pytest.mark.parametrize("what", ["errors", "costs", "numbers"])
def test_permutations_are_those_of_the_rows(what, weights):
    table, frame, tree = (numbers if what == "numbers" else classes).planted(weights)
    if what == "costs":
        tree = replace(tree, leaf_rule=RULE)
    loss = {"errors": wrong, "costs": priced(tree) if what == "costs" else None, "numbers": squared}[what]
    found = engine.importance(table, tree, permutations=3, seed=7)
    assert set(found.index) == {"a", "b"} and (np.diff(found.permutation) <= 0).all()
    for name in found.index:
        grown = [grown_by_rows(table, frame, tree, name, weights, loss, k) for k in range(3)]
        assert found.permutation[name] == pytest.approx(np.mean(grown), abs=1e-9)
        assert found.permutation_sd[name] == pytest.approx(np.std(grown, ddof=1), abs=1e-9)


def test_permutations_of_counted_rows_are_those_of_the_rows_written_out():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"x": random.normal(size=400), "part": random.integers(0, 2, 400)})
    frame["t"] = np.where(frame.x + random.normal(size=400) > 0, "h", "l")
    frame["n"] = random.integers(1, 9, 400)
    out = frame.loc[frame.index.repeat(frame.n)].reset_index(drop=True)
    roles = {"part": "ignore"}
    counted = engine.Table.from_frame(frame, target="t", frequencies="n", roles=roles).divided(
        frame.part.to_numpy(np.uint8)
    )
    written = engine.Table.from_frame(out, target="t", roles=roles | {"n": "ignore"}).divided(
        out.part.to_numpy(np.uint8)
    )
    found = [engine.importance(each, engine.grow(each, max_depth=2), permutations=200).loc["x"]
             for each in (counted, written)]  # fmt: skip
    error = np.hypot(*(one.permutation_sd / np.sqrt(200) for one in found))
    assert abs(found[0].permutation - found[1].permutation) < 4 * error
    assert found[1].permutation > 0.1


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_impurity_is_what_all_splits_on_a_column_gain(criterion):
    table, _, tree = classes.planted("frequency")
    found = engine.importance(table, tree, criterion=criterion, permutations=1)

    def mixed(i):
        return tree.weight()[i] / tree.weight()[0] * engine.impurity(criterion, tree.train[i])

    for name in "ab":
        splits = [i for i in range(tree.n_nodes) if tree.n_branches[i] and tree.split_at(i).column == name]
        gains = [mixed(i) - sum(mixed(c) for c in tree.children(i)) for i in splits]
        assert (found.splits[name], found.impurity[name]) == (len(splits), pytest.approx(sum(gains)))
    assert found.impurity.sum() == pytest.approx(mixed(0) - sum(mixed(i) for i in tree.leaves))
    assert found.impurity_share.sum() == pytest.approx(1)
    assert found.permutation_sd.isna().all() and found.permutation.notna().all()


def test_conditions_of_one_split_share_its_gain():
    table, _, _ = classes.planted()
    literals = Literal("a", ">", 0.0), Literal("a", ">", 1.0), Literal("b", ">", 0.0)
    tree = engine.Tree.root(table).split(table, 0, Split("a", "m_of_n", m=2, literals=literals))
    found = engine.importance(table, tree, permutations=2)
    assert found.splits.to_dict() == {"a": 1, "b": 1}
    assert found.impurity["a"] == pytest.approx(2 * found.impurity["b"])
    mixed = [tree.weight()[i] / tree.weight()[0] * engine.impurity("gini", tree.train[i]) for i in range(3)]
    assert found.impurity.sum() == pytest.approx(mixed[0] - mixed[1] - mixed[2])


def test_a_column_that_decides_all_stands_before_one_of_noise():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=600), "noise": rng.normal(size=600), "unused": 1.0})
    frame["t"] = np.where((frame.x > 0) ^ (rng.random(600) < 0.05), "y", "n")
    table = engine.Table.from_frame(frame, target="t").with_partition(validation=0.4)
    found = engine.importance(table, engine.grow(table))
    assert list(found.index) == ["x", "noise"]
    assert found.permutation["x"] > 0.3 > 0.06 > abs(found.permutation["noise"])
    again = engine.importance(table, engine.grow(table))
    pd.testing.assert_frame_equal(found, again)


def test_surrogates_count_where_the_column_is_missing():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.normal(size=400)})
    frame["twin"] = frame.x + rng.normal(0, 0.1, 400)
    frame["t"] = np.where(frame.x > 0, "y", "n")
    frame.loc[rng.random(400) < 0.3, "x"] = np.nan
    table = engine.Table.from_frame(frame, target="t").with_partition(validation=0.4)
    tree = engine.grow(table, missing="surrogate", max_depth=1)
    found = engine.importance(table, tree, permutations=5)
    asked = tree.split_at(0).column
    for name in found.index:
        assert found.splits[name] == (name == asked)
    assert (found.permutation > 0).all() and len(found) == 1 + len(tree.split_at(0).surrogates)


@pytest.mark.parametrize("weights", [None, "weight"])
def test_surrogates_have_the_credit_of_their_agreement(weights):
    """Against `tests.naive_surrogates`, which finds them row by row at the root."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"x": rng.normal(size=150).round(2), "w": rng.integers(1, 4, 150)})
    frame["twin"] = (-frame.x + rng.normal(0, 0.3, 150)).round(2)  # its high side is the low one of x
    frame["level"] = np.where(rng.random(150) < 0.8, np.where(frame.x > 0, "h", "l"), "m")
    frame["t"] = np.where(frame.x + rng.normal(0, 0.2, 150) > 0, "y", "n")
    frame.loc[rng.random(150) < 0.2, "x"] = np.nan
    frame.loc[rng.random(150) < 0.2, "twin"] = np.nan
    table = engine.Table.from_frame(frame, target="t", roles={"w": weights or "ignore"})
    tree = engine.grow(table, missing="surrogate", max_depth=1)
    split = tree.split_at(0)
    names = ["x", "twin", "level"]

    def branch_of(row):
        value = frame[split.column].iloc[row]
        return int(value > split.thresholds[0]) if split.thresholds else int(value in split.groups[1])

    rows = frame if weights else frame.drop(columns="w")
    expected = naive_surrogates.surrogates(rows, names, split.column, branch_of, lambda name: name != "level")
    assert len(expected) == len(split.surrogates) == 2
    found = engine.importance(table, tree)
    gain = found.impurity[split.column]
    assert found.with_surrogates[split.column] == pytest.approx(gain) and gain > 0.1
    for agreement, name, *_ in expected:
        assert found.with_surrogates[name] == pytest.approx(gain * float(agreement)) and found.impurity[name] == 0


def test_without_validation_rows_the_impurity_orders():
    table, _, tree = classes.planted()
    found = engine.importance(table.take(table.rows(0)), tree)
    assert found[["permutation", "permutation_sd"]].isna().all().all()
    assert (np.diff(found.impurity) <= 0).all()


def test_a_single_leaf_asks_about_nothing():
    table, _, _ = classes.planted()
    found = engine.importance(table, engine.Tree.root(table))
    assert len(found) == 0 and list(found) == FIGURES


def test_a_stop_leaves_whole_permutations():
    table, _, tree = classes.planted()
    progress = engine.Progress(lambda done, _: progress.stop() if done > 0.5 else None)
    found = engine.importance(table, tree, permutations=4, progress=progress)
    pd.testing.assert_frame_equal(found, engine.importance(table, tree, permutations=2))
    with pytest.raises(engine.InputError, match="permutations cannot be -1; it is a number from 0 on"):
        engine.importance(table, tree, permutations=-1)


def test_no_permutation_asks_for_none():
    table, _, tree = classes.planted()
    found = engine.importance(table, tree, permutations=0)
    assert found.permutation.isna().all() and (np.diff(found.impurity) <= 0).all()


@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
@pytest.mark.parametrize("what", [classes, numbers])
@pytest.mark.parametrize("held", [True, False])
def test_dropping_a_column_is_growing_on_a_table_without_it(what, weights, held):
    """On data frames: each part is made, grown and predicted anew, with and without the column."""
    table, frame, _ = what.planted(weights)
    options = {"max_leaves": 7, "order": "best_first", "min_leaf": 5}
    fold = by_class(table, 3, 4) if not held else np.where(table.part == 1, 0, -1)
    if not held:
        table = held_out(table, table.part == 0, np.zeros(len(frame), bool))
        parts = [(np.flatnonzero((fold >= 0) & (fold != k)), np.flatnonzero(fold == k)) for k in range(3)]
    else:
        parts = [(table.rows(0), table.rows(1))]
    found = engine.importance_by_dropping(table, folds=3, seed=4, **options)
    loss = wrong if what is classes else squared
    names = [table.columns[i].name for i in table.features]
    roles = {name: role for name, role in table.roles.items() if role != "partition"}

    def losses(train, judged, features):
        some = frame.iloc[train].reset_index(drop=True)
        others = {name: "feature" if name in features else roles[name] if roles[name] != "feature" else "ignore"
                  for name in roles}  # fmt: skip
        tree = engine.grow(engine.Table.from_frame(some, target=table.target, roles=others), **options)
        return tree, loss(frame[table.target].iloc[judged], tree.predict(frame.iloc[judged]))[0]

    w = np.concatenate([frame.w.to_numpy(float)[judged] if weights else np.ones(len(judged)) for _, judged in parts])
    whole = [losses(*part, names) for part in parts]
    expected, asked = {}, {}
    for name in names:
        of = [losses(*part, [each for each in names if each != name])[1] for part in parts]
        apart = np.concatenate(of) - np.concatenate([each for _, each in whole])
        mean = np.average(apart, weights=w)
        counted = w if weights == "frequency" else w**2  # rows that are written once stand for many, or weigh so much
        expected[name] = mean, np.sqrt((counted * (apart - mean) ** 2).sum()) / w.sum()
        asks = [any(s is not None and s.column == name for s in map(tree.split_at, range(tree.n_nodes)))
                for tree, _ in whole]  # fmt: skip
        asked[name] = sum(asks)
    assert set(found.index) == {name for name in names if asked[name]} and len(found) > 1
    for name, row in found.iterrows():
        assert (row.dropped, row.dropped_se) == pytest.approx(expected[name], rel=1e-7, abs=1e-9)
        assert row.asked == asked[name]
    assert (np.diff(found.dropped) <= 0).all()


def test_a_column_that_another_one_repeats_is_worth_nothing_alone():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=300)})
    frame["twin"], frame["t"] = 2 * frame.x, np.where(frame.x > 0, "a", "b")
    table = engine.Table.from_frame(frame, target="t").with_partition(validation=0.5)
    found = engine.importance_by_dropping(table)
    assert found.index.tolist() == ["x"] and found.dropped.tolist() == [0.0]
    assert engine.importance_by_dropping(table, locked=["twin"]).dropped["x"] > 0.3


def test_dropping_can_be_stopped_and_says_what_it_cannot_do():
    table, _, _ = classes.planted()
    progress = engine.Progress()
    progress.stop()
    assert len(engine.importance_by_dropping(table, progress=progress)) == 0
    seen = []

    def stop_later(done, text):
        seen.append(text)
        if text.startswith(("2 of", "3 of")):
            stopping.stop()

    stopping = engine.Progress(stop_later)
    found = engine.importance_by_dropping(table, progress=stopping, threads=1)
    assert found.dropped.isna().any() and found.dropped.notna().any() and len(seen) > 1
    with pytest.raises(engine.InputError, match="folds cannot be 1"):
        engine.importance_by_dropping(table.take(table.rows(0)), folds=1)
