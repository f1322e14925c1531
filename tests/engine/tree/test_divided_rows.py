"""Rows that a split divides among its branches: counts, edits, predictions, files, exports, beside a slow twin."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.ranking.candidates import _by_value as by_value
from engine.ranking.curve import Curve
from engine.ranking.node_search import at_node
from engine.tree.assignment import Assignment, assign
from tests import naive_divided
from tests.effort import examples
from tests.frames import frames, random_one, table_of

SEEDS = st.integers(0, 2**32 - 1)


def divided_split(table, random, column=None):
    """Any split of one column; where it can, it divides rows."""
    place = random.choice(table.features) if column is None else table.index(column)
    split = random_one(table, random, table.columns[place], 3)
    if split.has_missing_branch or random.random() < 0.2:
        return split
    return engine.Split(
        split.column, split.kind, split.thresholds, split.groups, missing=engine.splits.DIVIDED, unseen=split.unseen
    )


def grown_by_hand(table, random, n=4):
    """A tree of some random splits, one after the other."""
    tree = engine.Tree.root(table)
    for _ in range(n):
        leaf = int(random.choice(tree.ids[tree.leaves]))
        tree = tree.split(table, leaf, divided_split(table, random))
    return tree


def rows_of(frame):
    return [
        {name: None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]


@examples(200)
@given(frames(task="classes", weighted=False), SEEDS)
def test_counts_and_predictions_are_those_of_a_slow_twin(frame, seed):
    table, random = table_of(frame), np.random.default_rng(seed)
    tree, rows = grown_by_hand(table, random), rows_of(frame)
    held = naive_divided.parts(tree, rows)
    for i in range(tree.n_nodes):
        wanted = np.zeros(len(table.classes))
        for k, weight in held[i].items():
            wanted[table.classes.index(frame["y"][k])] += weight
        assert tree.train[i] == pytest.approx(wanted, abs=1e-9)
        assert tree.rows_train[i] == len(held[i])
    shares = {i: [sum(held[c].values()) for c in tree.children(i)] for i in range(tree.n_nodes) if tree.children(i)}
    said = tree.predict_proba(frame)
    for k, row in enumerate(rows):
        assert said[k] == pytest.approx(naive_divided.distribution(tree, row, shares), abs=1e-9)
        top = max(said[k])
        assert said[k][table.classes.index(tree.predict(frame)[k])] >= top - 1e-9 or tree.n_leaves == 1


@examples(200)
@given(frames(), SEEDS)
def test_an_assignment_follows_edits(frame, seed):
    table, random = table_of(frame), np.random.default_rng(seed)
    tree, at = engine.Tree.root(table), Assignment.root(table)
    for _ in range(4):
        i = int(random.choice(tree.leaves))
        split = divided_split(table, random)
        tree, at = tree.split(table, int(tree.ids[i]), split, assignment=at), at.split(table, i, split)
        again = assign(table, tree, anew=True)
        for position in range(tree.n_nodes):
            for one, other in zip(at.held(position), again.held(position), strict=True):
                assert (one is None) == (other is None)
                assert one is None or np.sort(one) == pytest.approx(np.sort(other), abs=1e-9)
    inner = int(random.choice(np.flatnonzero(tree.n_branches)))
    end = int(tree.end[inner])
    cut, at = tree.collapse(int(tree.ids[inner])), at.collapse(inner, end)
    again = assign(table, cut, anew=True)
    assert [at.held(k)[0].tolist() for k in range(cut.n_nodes)] == [
        again.held(k)[0].tolist() for k in range(cut.n_nodes)
    ]
    counted = engine.Tree.with_counts(cut, table)
    assert cut.train == pytest.approx(counted.train, abs=1e-8)
    assert (cut.rows_train == counted.rows_train).all()


@examples(60)
@given(frames(), SEEDS)
def test_a_tree_with_divided_rows_goes_through_a_file_and_back(frame, seed):
    table = table_of(frame)
    tree = grown_by_hand(table, np.random.default_rng(seed))
    back = engine.tree_from_text(engine.tree_to_text(tree))
    assert [back.split_at(i) for i in range(back.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]
    if tree.task == "classes":
        assert back.predict_proba(frame) == pytest.approx(tree.predict_proba(frame), abs=1e-12)
    else:
        assert back.predict(frame) == pytest.approx(tree.predict(frame), abs=1e-9)


@examples(100)
@given(frames(task="classes", rows=(8, 40)), SEEDS, st.sampled_from(["gini", "gain_ratio", "entropy"]))
def test_candidates_weigh_what_growing_makes(frame, seed, criterion):
    table = table_of(frame)
    options = {"criterion": criterion, "missing": "fractional", "nominal": "multiway"}
    tree = engine.grow(table, max_depth=2, **options)
    leaf = int(np.random.default_rng(seed).choice(tree.ids[tree.leaves]))
    for one in engine.candidates(table, tree, leaf, **options):
        if one.split is None:
            continue
        again = engine.weigh(table, tree, leaf, one.split, **options)
        assert again.gain == pytest.approx(one.gain, abs=1e-9)
        assert again.scores[criterion] == pytest.approx(one.scores[criterion], abs=1e-9)
        assert np.array(again.train) == pytest.approx(np.array(one.train), abs=1e-9)
        made = tree.split(table, leaf, one.split)
        i = made.position(leaf)
        assert made.train[made.children(i)] == pytest.approx(np.array(one.train), abs=1e-8)
        curve = engine.gain_curve(table, tree, leaf, one.column, **options)
        assert isinstance(curve, Curve)


def with_gaps(n, **more):
    """A frame of classes with gaps in two numbers and a level."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({
        "x": random.normal(size=n).round(1), "z": random.integers(0, 6, n).astype(float),
        "g": random.choice(list("abc"), n),
    })  # fmt: skip
    frame["y"] = np.where((frame.x > 0).astype(int) + (frame.g == "a") + random.integers(0, 2, n) > 1, "yes", "no")
    for name in "xzg":
        frame.loc[random.random(n) < 0.25, name] = None
    return frame.assign(**more)


def test_below_a_divided_row_the_second_level_takes_the_shares_that_splitting_makes():
    table, options = engine.Table.from_frame(with_gaps(300), target="y"), {"preset": "cart", "missing": "fractional"}
    tree = engine.grow(table, max_depth=2, **options)
    for leaf in tree.ids[tree.leaves].tolist():
        best = engine.candidates(table, tree, leaf, **options)[0]
        if best.split is None:
            continue
        made = tree.split(table, leaf, best.split)
        below = made.children(made.position(leaf))
        gains = [max((c.gain for c in engine.candidates(table, made, int(node), **options) if c.split), default=0.0)
                 for node in made.ids[below]]  # fmt: skip
        expected = best.gain + np.average(gains, weights=made.weight()[below])
        assert engine.second_level(table, tree, leaf, best, **options) == pytest.approx(expected, abs=1e-12)


def test_what_a_cut_of_frequencies_pays_is_the_same_by_hand_and_in_the_search():
    frame = with_gaps(240, k=np.arange(240) % 4 + 1)
    table = engine.Table.from_frame(frame, target="y", roles={"k": "frequency"})
    options, n_paid = {"preset": "c4.5", "missing": "fractional"}, 0
    tree = engine.grow(table, max_depth=2, **options)
    for leaf in tree.ids[tree.leaves].tolist():
        for one in engine.candidates(table, tree, leaf, **options):
            if one.split is not None and one.penalty:
                again = engine.weigh(table, tree, leaf, one.split, **options)
                assert again.penalty == pytest.approx(one.penalty, rel=1e-9)
                n_paid += 1
    assert n_paid


@examples(60)
@given(frames(task="classes", rows=(8, 40)), SEEDS)
def test_edits_leave_counts_that_counting_again_confirms(frame, seed):
    table, random = table_of(frame), np.random.default_rng(seed)
    tree = grown_by_hand(table, random)
    inner = tree.ids[np.flatnonzero(tree.n_branches)].tolist()
    node = int(random.choice(inner))
    edits = [
        lambda: tree.replace_split(table, node, divided_split(table, random), "keep"),
        lambda: tree.replace_with_branch(table, node, 0),
        lambda: tree.paste(table, int(random.choice(tree.ids[tree.leaves])), tree),
        lambda: tree.collapse(node),
    ]
    for edit in edits:
        try:
            made = edit()
        except engine.InputError as error:
            assert str(error)
            continue
        again = made.with_counts(table)
        assert made.train == pytest.approx(again.train, abs=1e-8)
        assert made.weight()[made.leaves].sum() == pytest.approx(made.weight()[0])


@examples(40)
@given(frames(task="classes", rows=(10, 40)), SEEDS)
def test_what_else_is_asked_of_such_a_tree_answers_or_refuses_in_words(frame, seed):
    table = table_of(frame)
    if table.n_train > 12:
        table = table.with_partition(validation=0.3, seed=1)
    tree = grown_by_hand(table, np.random.default_rng(seed))
    asked = [
        lambda: engine.assess(table, tree, part="train").error,
        lambda: engine.leaf_report(table, tree),
        lambda: engine.importance(table, tree),
        lambda: engine.theory(table, tree),
        lambda: [tree.rule(int(node)) for node in tree.ids],
        lambda: engine.rules(tree),
        lambda: engine.printout(tree, "j48"),
        *(lambda m=m: engine.prune(table, tree, m) for m in engine.METHODS),
    ]
    for ask in asked:
        try:
            ask()
        except engine.InputError as error:
            assert str(error)


def test_scoring_says_what_the_tree_predicts(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, np.nan, np.nan], "n": range(6), "y": list("aabbab")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, missing="fractional", max_depth=1, locked="n")
    assert tree.split_at(0).divides and tree.train[1] == pytest.approx([2.5, 0.5])  # half of each row without a value
    frame.drop(columns="y").to_csv(tmp_path / "new.csv", index=False)
    engine.score(tree, tmp_path / "new.csv", tmp_path / "out.csv")
    out = pd.read_csv(tmp_path / "out.csv")
    assert out["p_b" if "p_b" in out else out.columns[-1]].to_numpy() == pytest.approx(tree.predict_proba(frame)[:, 1])


@examples(40)
@given(SEEDS)
def test_tests_of_numbers_with_frequencies_deal_out_as_many_rows_as_there_are(seed):
    """Parts of rows are rounded: one row too many would be written beyond the end of an array."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.normal(size=(40, 3)).round(1), columns=list("abc"))
    frame = frame.mask(random.random(frame.shape) < 0.2).assign(y=random.normal(size=40), k=random.integers(1, 4, 40))
    table = engine.Table.from_frame(frame, target="y", frequencies="k")
    options = {"missing": "fractional"}
    tree = engine.grow(table, max_depth=2, **options)
    for node in tree.ids.tolist():
        for one in engine.candidates(table, tree, node, **options):
            if one.evidence is not None:
                assert np.isfinite(one.logworth)
                inside, search = at_node(table, tree, node, None, options)
                made = by_value(inside, table.index(one.column), search).compared(one.split)
                assert int(made.sizes.sum()) + made.lacking == made.target.n
