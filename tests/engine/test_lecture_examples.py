"""The worked examples of the lecture notes: their figures, on the tables that come with the program."""

import numpy as np
import pytest

import engine
import main
from tests import naive

NOTES = ["cats", "weather", "quadrants", "stuck", "purity"]


def gains(table, **options):
    """What each column's best split gains at the root."""
    return {one.column: one.gain for one in engine.candidates(table, engine.Tree.root(table), **options)}


def by_hand(table, *splits):
    """The tree of splits made at the first leaf each: the root, its left branch, and so on in preorder."""
    tree = engine.Tree.root(table)
    for node, split in splits:
        tree = tree.split(table, node, split)
    return tree


@pytest.mark.parametrize("id", NOTES)
def test_the_command_line_opens_each_of_them(id, capsys):
    assert main.main([f"example:{id}", "--no-window", "--max-depth", "2"]) == 0
    table = engine.read_example(id)
    tree = engine.grow(table, max_depth=2)
    first, grown, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{table.name}: {table.n_rows} rows")
    assert f"{tree.n_leaves} leaves · depth {tree.depth} · training error {100 * tree.error():.1f} %" in grown


# -- six cats


def test_owner_home_tells_something_about_a_cat_and_the_other_questions_nothing():
    assert gains(engine.read_example("cats"), criterion="entropy") == pytest.approx(
        {"owner home": 0.081704166, "kitten": 0.0, "spayed": 0.0}, abs=1e-9
    )


def test_owner_home_then_kitten_knows_every_cat():
    table = engine.read_example("cats")
    tree = engine.grow(table, preset="id3", max_depth=2)
    assert [tree.split_at(i).column for i in np.flatnonzero(tree.n_branches)] == ["owner home", "kitten", "kitten"]
    assert (tree.n_leaves, tree.error()) == (4, 0)
    assert engine.grow(table, max_depth=1).error() == pytest.approx(2 / 6)  # the best single rule of the notes


# -- fourteen Saturdays


def test_weather_gains_are_those_of_quinlan():
    found = gains(engine.read_example("weather"), preset="id3")
    known = {"outlook": 0.247, "humidity": 0.152, "windy": 0.048, "temperature": 0.029}
    assert {name: round(gain, 3) for name, gain in found.items()} == known
    assert list(found) == list(known)


def test_weather_gain_ratios_are_the_known_ones():
    table = engine.read_example("weather")
    found = engine.candidates(table, engine.Tree.root(table), preset="id3")
    ratios = {one.column: round(one.scores["gain_ratio"], 4) for one in found}
    assert ratios == {"outlook": 0.1564, "humidity": 0.1518, "windy": 0.0488, "temperature": 0.0188}


def test_the_weather_tree_of_id3_is_that_of_quinlan():
    table = engine.read_example("weather")
    tree = engine.grow(table, preset="id3")
    said = {" and ".join(tree.rule(int(tree.ids[i]))): table.classes[tree.labels[i]] for i in tree.leaves}
    assert said == {
        "outlook = overcast": "yes",
        "outlook = rainy and windy = False": "yes",
        "outlook = rainy and windy = True": "no",
        "outlook = sunny and humidity = high": "no",
        "outlook = sunny and humidity = normal": "yes",
    }
    assert tree.error() == 0


# -- 0.8 into 0.6 and 1.0


@pytest.mark.parametrize(
    ("criterion", "unit", "drop"),
    [("error", 1, 0.0), ("gini", 1, 0.08), ("entropy", 2, 0.118226), ("sqrt", 1, 0.155051)],
)
def test_what_each_criterion_sees_of_a_split_into_three_fifths_and_pure(criterion, unit, drop):
    """The notes halve the entropy, so that all criteria are ½ at ½."""
    table = engine.read_example("purity")
    (found,) = engine.candidates(table, engine.Tree.root(table), criterion=criterion)
    assert found.gain / unit == pytest.approx(drop, abs=1e-6)
    assert {tuple(stat) for stat in found.train} == {(2.0, 3.0), (0.0, 5.0)}
    assert found.scores[criterion] == found.gain
    stuck = engine.grow(table, criterion=criterion, min_gain=1e-9)
    assert stuck.n_leaves == (1 if criterion == "error" else 2)


# -- the a/b table


@pytest.mark.parametrize("criterion", naive.CLASS_CRITERIA)
def test_stopping_early_gets_stuck(criterion):
    table = engine.read_example("stuck")
    assert gains(table, criterion=criterion) == {"a": 0.0, "b": 0.0}
    assert engine.grow(table, criterion=criterion, min_gain=0.01).error() == 0.5
    whole = engine.grow(table, criterion=criterion, min_gain=0)
    assert (whole.error(), whole.depth, whole.n_leaves) == (0, 2, 4)


def test_the_a_b_table_is_that_of_the_notes():
    table = engine.read_example("stuck")
    assert table.names == ["a", "b", "label"]
    assert table.to_frame().to_numpy().tolist() == [
        ["yes", "no", "yes"],
        ["yes", "yes", "no"],
        ["no", "no", "no"],
        ["no", "yes", "yes"],
    ]


# -- x₁·x₂ > 0


def test_the_quadrants_hold_fifty_points_each_and_lie_apart():
    frame = engine.read_example("quadrants").to_frame()
    points = frame[["x1", "x2"]].to_numpy()
    assert np.abs(points).max() <= 1 and np.abs(points).min() >= 0.02
    assert np.unique(np.sign(points), axis=0, return_counts=True)[1].tolist() == [50] * 4
    assert (frame["y"] == np.where(points.prod(axis=1) > 0, "c1", "c2")).all()


@pytest.mark.parametrize("column", ["x1", "x2"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "sqrt"])
def test_one_split_down_the_middle_changes_nothing(column, criterion):
    table = engine.read_example("quadrants")
    curve = engine.gain_curve(table, engine.Tree.root(table), 0, column, criterion=criterion)
    middle = int(np.argmin(np.abs(curve.cuts)))
    assert curve.gains[middle] == pytest.approx(0, abs=1e-15)
    assert by_hand(table, (0, engine.Split(column, "threshold", (0.0,)))).error() == 0.5


def test_two_right_splits_leave_no_error_where_greed_sees_nothing():
    table = engine.read_example("quadrants")
    middle = {name: engine.Split(name, "threshold", (0.0,)) for name in ("x1", "x2")}
    tree = by_hand(table, (0, middle["x1"]), (1, middle["x2"]), (2, middle["x2"]))
    assert (tree.error(), tree.n_leaves) == (0, 4)
    greedy = engine.grow(table, max_depth=2)
    assert greedy.error() > 0.4
    assert abs(greedy.split_at(0).thresholds[0]) > 0.5  # it nibbles at the rim
    assert engine.grow(table).error() == 0  # and gets there all the same, with more leaves
    assert engine.grow(table).n_leaves > 4


@pytest.mark.parametrize("criterion", ["sqrt", "gini", "entropy"])
def test_each_step_splits_the_leaf_whose_best_split_lowers_the_cost_of_the_tree_most(criterion):
    """The top-down algorithm of note 004: of all pairs (leaf, split) the one of the largest drop G(T) − G(T(l, h))."""
    table = engine.read_example("penguins").with_partition(validation=0.3)
    tree = engine.Tree.root(table)
    for t in range(1, 8):
        leaves = [int(leaf) for leaf in tree.ids[tree.leaves] if tree.costs()[tree.position(leaf)] > 0]
        found = [(leaf, engine.candidates(table, tree, leaf, criterion=criterion)[0]) for leaf in leaves]
        usable = [(leaf, one) for leaf, one in found if one.split is not None]
        leaf, best = max(usable, key=lambda pair: tree.weight()[tree.position(pair[0])] * pair[1].gain)
        tree = tree.split(table, leaf, best.split)
        grown = engine.grow(table, preset="kearns_mansour", criterion=criterion, max_leaves=t + 1)
        assert grown.n_leaves == tree.n_leaves
        assert [grown.split_at(i) for i in range(grown.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]
    assert tree.n_leaves >= 6
