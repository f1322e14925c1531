"""Forests: random trees node by node, out-of-bag predictions by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import engine
from engine import InputError, Progress, forest
from engine.growing import by_kernels, large_nodes
from engine.growing.kernels.draw import CLOSED, MASK, key_below, mixed, open_columns
from engine.resampling.samples import draw_sample
from engine.table.partition import further_seed
from tests.engine.resampling.making import noisy_frame, table_of


def draws(key, n_columns, n):
    """The columns that are drawn for a node, batch after batch."""
    ways, order, chosen, drawn = np.zeros(n_columns, np.int64), *np.zeros((2, n_columns), np.int64), 0
    while drawn < n_columns:
        drawn = open_columns(key, drawn, n, ways, order, chosen)
        yield np.flatnonzero(chosen != CLOSED)


def slow_random_tree(table, n, seed, **options):
    """The splits of a random tree in preorder, searched node by node among the columns that are drawn; None: a leaf."""
    found, names = [], [table.columns[i].name for i in table.features]

    def grow(rows, key):
        node = table.take(rows)
        best = None
        if np.unique(node.y).size > 1:
            for batch in draws(key, len(names), n):
                view = node.with_roles({name: "ignore" for j, name in enumerate(names) if j not in batch})
                first = engine.candidates(view, engine.Tree.root(view), **options)[0]
                if first.split is not None:
                    best = first.split
                    break
        found.append(best)
        if best is not None:
            branch = engine.branch_of_rows(best, table, rows)
            for b in range(best.n_branches):
                grow(rows[branch == b], key_below(key, b))

    grow(np.arange(table.n_rows), key_below(mixed(seed & MASK), 0))
    return found


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(("task", "options"), [
    ("classes", {}), ("classes", {"min_leaf": 3, "criterion": "entropy"}), ("number", {"min_leaf": 2}),
])  # fmt: skip
def test_random_trees_are_those_grown_node_by_node(task, options, large, monkeypatch):
    if large:  # the way of large nodes, which so few rows would not take
        monkeypatch.setattr(by_kernels, "most_rows", lambda training, levels: 0)
        monkeypatch.setattr(large_nodes, "LEAST_ROWS", 10)
    for seed in range(3):
        table = table_of(noisy_frame(60, seed, task))
        tree = engine.grow(table, columns_per_node=2, seed=seed, **options)
        assert [tree.split_at(i) for i in range(tree.n_nodes)] == slow_random_tree(table, 2, seed, **options)


def grown_twice(monkeypatch, grow):
    """The trees that are grown with and without cells that several rows share, and how often such cells were made."""
    shared, made = by_kernels.first_of_repeats, []
    monkeypatch.setattr(by_kernels, "first_of_repeats", lambda *given: made.append(given) or shared(*given))
    first, n_made = grow(), len(made)
    monkeypatch.setattr(by_kernels, "LEAST_REPEATS", 2.0)
    second = grow()
    assert len(made) == n_made
    return first, second, n_made


@pytest.mark.parametrize(("options", "shares"), [
    ({}, True), ({"min_leaf": 3, "min_rows": 8}, True), ({"criterion": "entropy"}, False),
])  # fmt: skip
def test_copies_in_a_sample_share_cells_and_change_nothing(options, shares, monkeypatch):
    table = table_of(noisy_frame(300, 1, "classes"))
    first, second, n_made = grown_twice(monkeypatch, lambda: forest(table, trees=3, threads=1, **options))
    assert (n_made > 0) == shares
    for one, two in zip(first.trees, second.trees, strict=True):
        assert one.rows_train.tolist() == two.rows_train.tolist()
        assert [one.split_at(i) for i in range(one.n_nodes)] == [two.split_at(i) for i in range(two.n_nodes)]
    np.testing.assert_array_equal(first.out_of_bag, second.out_of_bag)


def test_rows_that_are_alike_in_what_is_searched_stay_in_their_nodes(monkeypatch):
    frame = pd.DataFrame({"side": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "x": [1.0, 2, 2, 2, 2, 3], "y": list("abbbba")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    split = next(found.split for found in engine.candidates(table, tree) if found.column == "side")
    halves = tree.split(table, 0, split).with_mark(0, excluded=["side"])
    first, second, n_made = grown_twice(monkeypatch, lambda: engine.grow(table, tree=halves))
    assert n_made > 0
    assert first.rows_train.tolist() == second.rows_train.tolist() == [6, 3, 1, 2, 3, 2, 1]


def test_lists_and_large_nodes_meet_in_one_tree():
    """More rows than lists hold, levels that are drawn anew, and any number of threads."""
    random = np.random.default_rng(3)
    frame = noisy_frame(70_000).assign(y=random.integers(0, 2, 70_000).astype(str))
    table = table_of(frame)
    one, two = (engine.grow(table, columns_per_node=1, seed=2, max_depth=6, threads=threads) for threads in (1, 2))
    assert [one.split_at(i) for i in range(one.n_nodes)] == [two.split_at(i) for i in range(two.n_nodes)]
    assert one.nodes.column[0] == next(draws(key_below(mixed(2), 0), 4, 1))[0]


def test_where_no_drawn_column_has_a_split_others_are_drawn():
    frame = noisy_frame(80).assign(b=1.0, c="p", d=np.nan)
    tree = engine.grow(table_of(frame), columns_per_node=1)
    assert tree.error("train") == 0.0
    assert set(tree.nodes.column[tree.n_branches > 0].tolist()) == {0}


def test_columns_are_drawn_equally_often_and_each_once():
    first, pairs = np.zeros(7, int), np.zeros((7, 7), int)
    for key in range(4000):
        batches = list(draws(mixed(key), 7, 2))
        assert np.array_equal(np.sort(np.concatenate(batches)), np.arange(7))
        first[batches[0]] += 1
        pairs[tuple(batches[0])] += 1
    assert chisquare(first).pvalue > 1e-4
    assert chisquare(pairs[np.triu_indices(7, 1)]).pvalue > 1e-4
    keys = {key_below(key_below(mixed(seed), a), b) for seed in range(200) for a in range(10) for b in range(10)}
    assert len(keys) > 19_990


def test_all_columns_drawn_are_the_usual_search():
    table = table_of(noisy_frame())
    usual = engine.grow(table)
    for n in (0, 4, 9):
        tree = engine.grow(table, columns_per_node=n, seed=5)
        assert [tree.split_at(i) for i in range(tree.n_nodes)] == [usual.split_at(i) for i in range(usual.n_nodes)]


@pytest.mark.parametrize("roles", [{}, {"w": "weight"}])
@pytest.mark.parametrize("task", ["classes", "number"])
def test_out_of_bag_predictions_by_hand(task, roles):
    frame = noisy_frame(task=task)
    table = table_of(frame, **roles)
    found = forest(table, trees=12, seed=3, min_leaf=3)
    total, votes = np.zeros((len(frame), len(table.classes) or 1)), np.zeros(len(frame))
    for i, tree in enumerate(found.trees):
        left = draw_sample(table, np.arange(len(frame)), "bootstrap", further_seed(3, i)).left
        votes[left] += 1
        total[left] += tree.predict_proba(frame)[left] if task == "classes" else tree.predict(frame)[left, None]
    known = votes > 0
    assert np.array_equal(np.isnan(found.out_of_bag[:, 0]), ~known)
    mean = total[known] / votes[known, None]
    np.testing.assert_allclose(found.out_of_bag[known], mean)
    weights = frame.w[known] if roles else None
    if task == "number":
        error, log_loss = np.average((mean[:, 0] - frame.y[known]) ** 2, weights=weights), np.nan
        np.testing.assert_allclose(found.predict(frame), np.mean([one.predict(frame) for one in found.trees], axis=0))
    else:
        true = table.y[known]
        error = np.average(mean.argmax(axis=1) != true, weights=weights)
        right = np.maximum(mean[np.arange(true.size), true], 1e-15)
        log_loss = np.average(-np.log(right), weights=weights)
        shares = np.mean([one.predict_proba(frame) for one in found.trees], axis=0)
        np.testing.assert_allclose(found.predict_proba(frame), shares)
        assert np.array_equal(found.predict(frame), np.array(table.classes)[shares.argmax(axis=1)])
    assert found.out_of_bag_error == pytest.approx(error)
    assert found.out_of_bag_log_loss == pytest.approx(log_loss, nan_ok=True)


def test_frequencies_are_votes_of_copies():
    frame = noisy_frame(50)
    found = forest(table_of(frame, f="frequency"), trees=10, min_leaf=5, columns=None)
    every = forest(table_of(frame.loc[frame.index.repeat(frame.f)]), trees=10, columns=None, max_depth=2)
    assert found.out_of_bag_error == pytest.approx(every.out_of_bag_error, abs=0.2)
    assert ((found.out_of_bag >= 0) & (found.out_of_bag <= 1 + 1e-12)).all()


def test_the_out_of_bag_error_is_that_of_new_rows():
    """Without and with a signal, and under weights."""
    for signal in (True, False):
        made = noisy_frame(2400, 5)
        if not signal:
            made["y"] = np.random.default_rng(1).permutation(np.arange(2400) % 2).astype(str)
        for roles in ({}, {"w": "weight"}):
            found = forest(table_of(made[:800], **roles), trees=60, min_leaf=2)
            weights = made.w[800:] if roles else None
            error = np.average(found.predict(made[800:]) != made.y[800:], weights=weights)
            assert found.out_of_bag_error == pytest.approx(error, abs=0.08 if roles else 0.05)


def test_the_number_of_threads_changes_nothing_and_a_stop_keeps_what_is_finished():
    table = table_of(noisy_frame())
    one, two = (forest(table, trees=6, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.out_of_bag, two.out_of_bag, equal_nan=True)
    progress = Progress(lambda done, words: progress.stop() if done >= 0.5 else None)
    assert len(forest(table, trees=6, threads=1, progress=progress).trees) == 3
    none = forest(table, trees=6, progress=progress)
    assert none.trees == ()
    assert np.isnan(none.out_of_bag_error)
    with pytest.raises(InputError, match="stopped before its first tree"):
        none.predict(noisy_frame())


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"trees": 0}, "cannot be 0"),
        ({"columns": 9}, "columns cannot be “9”; it is a whole number from 1 to 4"),
        ({"columns": "log2"}, "columns cannot be “log2”"),
        ({"lookahead": 2}, "columns_per_node cannot go with lookahead"),
        ({"missing": "surrogate"}, "columns_per_node cannot go with missing"),
    ],
)
def test_what_cannot_be_is_said(how, words):
    with pytest.raises(InputError, match=words):
        forest(table_of(noisy_frame()), **how)


def test_bagging_takes_every_option():
    found = forest(table_of(noisy_frame()), trees=3, columns=None, missing="surrogate", max_depth=3)
    assert max(tree.depth for tree in found.trees) <= 3
