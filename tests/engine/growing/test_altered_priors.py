"""Altered priors, by which priors and costs decide the splits: beside rpart 4.1.19 node by node
(tests/data/rpart_costs.R), and beside tables that hold every row as often as its class weighs.

Where two columns gain the same, rpart takes the one that rounding prefers: its line has to be such a tie, and what is
below is not compared. rpart has improvements of a root of so many rows as there are, entropies in nats, and finds the
complexities in one pass (see tests/rpart.py).
"""

import json
import math

import numpy as np
import pandas as pd
import pytest

import engine
from engine.growing.general import grow_general
from engine.ranking.arithmetic import arithmetic
from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.tree.assignment import assign
from engine.tree.leaves import LeafRule
from tests.effort import crossed
from tests.rpart import FOLDER, in_one_pass

CASES = {case["name"]: case for case in json.loads((FOLDER / "rpart_costs.json").read_text())}
CRITERIA = ("gini", "entropy", "gain_ratio", "error", "sqrt")
RULES = (
    {"priors": "low=0.2, middle=0.3, high=0.5"},
    {"costs": "low:high=5, high:middle=2.5"},
    {"priors": "low=0.1", "costs": "high:low=7"},
    {"priors": "low=0, middle=0.5, high=0.5"},
)


def grown(case, **options):
    """(table, tree, options) of a case; cp 0 and the preset of rpart."""
    frame = pd.read_csv(FOLDER / case["file"])
    table = engine.Table.from_frame(frame[[*case["columns"], case["target"]]], target=case["target"])
    assert list(table.classes) == case["classes"]
    classes, said = case["classes"], {"criterion": "entropy" if case["split"] == "information" else "gini"}
    if case["prior"]:
        said["priors"] = dict(zip(classes, case["prior"], strict=True))
    if case["loss"]:
        pairs = [(i, j) for i in range(len(classes)) for j in range(len(classes)) if i != j]
        said["costs"] = {(classes[i], classes[j]): case["loss"][i][j] for i, j in pairs}
    tree = engine.grow(table, preset="rpart", **said, **options)
    return table, tree, {**tree.options, "m_of_n": False}


def first_branch(split, line):
    """The branch of the rows that rpart's line calls first; None where it is another split."""
    if split.column != line["column"]:
        return None
    if "levels" in line:
        groups = [set(group) for group in split.groups]
        return groups.index(set(line["levels"])) if set(line["levels"]) in groups else None
    return int(not line["leads"]) if abs(split.thresholds[0] - line["cut"]) < 1e-9 else None


@pytest.mark.parametrize("name", CASES)
def test_the_tree_is_the_one_that_rpart_grows(name):
    case = CASES[name]
    table, tree, options = grown(case, cp=0)
    price, risk, weight = in_one_pass(tree), tree.costs("train"), tree.searched_weight
    unit = table.n_train / weight[0] * (math.log(2.0) if case["split"] == "information" else 1.0)
    waiting, compared, tied, places = [0], 0, False, []
    for line in case["full"]:
        at = waiting.pop()
        if at is None:  # below a tie
            waiting += [None, None] * ("column" in line)
            continue
        compared += 1
        places.append((at, line))
        assert (tree.rows_train[at], tree.classes[tree.labels[at]]) == (line["n"], line["label"])
        assert risk[at] == pytest.approx(line["risk"], rel=1e-9, abs=1e-9)
        split = tree.split_at(at)
        assert (split is not None) == ("column" in line)
        if split is None:
            continue
        found = engine.candidates(table, tree, int(tree.ids[at]), **options)
        of_line = next(one for one in found if one.column == line["column"])
        assert found[0].split == split
        assert of_line.gain == pytest.approx(found[0].gain, rel=1e-9)
        assert of_line.gain * weight[at] * unit == pytest.approx(line["improve"], rel=1e-8)
        first = first_branch(split, line)
        children = tree.children(at) if first is not None else [None, None]
        tied |= first is None
        waiting += [children[1 - (first or 0)], children[first or 0]]
    assert not waiting
    assert compared > 0.7 * len(case["full"])
    if not tied:
        scale = tree.loss_weight("train")[0] / risk[0]
        for at, line in places:
            if "column" in line:
                assert max(price[at], 0.0) * scale == pytest.approx(line["complexity"], abs=1e-9)
        assert np.count_nonzero(price * scale > 0.01 + 1e-12) == case["kept"] - 1  # at cp 0.01


def of_three(n=260, weights=None):
    """A table of three classes, with missing values, levels and validation rows."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({
        "x": rng.normal(size=n).round(1), "z": rng.integers(0, 9, n), "c": rng.choice(list("abcdef"), n)
    })  # fmt: skip
    frame.loc[rng.random(n) < 0.1, "x"] = np.nan
    score = frame["x"].fillna(0.0) + 0.3 * frame["z"] + (frame["c"] > "c") + rng.normal(size=n)
    frame["y"] = np.where(score < 1, "low", np.where(score < 2.5, "middle", "high"))
    if weights is not None:
        frame["w"] = frame["y"].map(weights)
    roles = {} if weights is None else {"weights": "w"}
    return engine.Table.from_frame(frame, target="y", **roles).with_partition(validation=0.3, seed=1)


def factors_by_hand(table, priors="", costs=""):
    """{class: prior × Σ of its costs ÷ its rows}, from the texts."""
    train = table.y[table.rows(engine.TRAIN)]
    rows = {name: float((train == k).sum()) for k, name in enumerate(table.classes)}
    given = {name.strip(): float(value) for name, value in (one.split("=") for one in priors.split(",") if one)}
    pairs = (one.split("=") for one in costs.split(",") if one)
    paid = {tuple(pair.strip().split(":")): float(value) for pair, value in pairs}
    found = {}
    for name in table.classes:
        mistakes = sum(paid.get((name, other), 1.0) for other in table.classes if other != name)
        prior = given.get(name, rows[name] / train.size)
        found[name] = prior * mistakes / rows[name]
    return found


def splits_of(tree):
    return [tree.split_at(i) for i in range(tree.n_nodes)]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("rule", RULES)
def test_kernels_and_the_general_way_grow_the_same_tree(rule, criterion):
    table, options = of_three(), {"criterion": criterion, "min_leaf": 4, "altered_priors": True, **rule}
    root = engine.Tree.root(table)
    tree = engine.grow(table, **options)
    search, at = Search.make("classes", **options), assign(table, root)
    slow = grow_general(table, root, np.array([0]), np.array([99]), search, at, Progress())
    assert tree.n_leaves > 10
    assert splits_of(tree) == splits_of(slow)
    assert np.array_equal(tree.train, slow.train)
    assert np.array_equal(tree.train, engine.grow(table, tree=tree, **options).train)
    assert tree.train[0].sum() == table.n_train  # rows are counted as they are


@pytest.mark.parametrize(("rule", "order"), crossed(RULES[:3], ["depth_first", "best_first", "level"]))
def test_the_splits_are_those_of_rows_that_weigh_so(rule, order):
    """A column of weights takes the place of the factors."""
    plain = of_three()
    weighing = of_three(weights=factors_by_hand(plain, **rule))
    for options in ({}, {"max_leaves": 9}, {"lookahead": 2, "max_depth": 3}, {"missing": "branch"}, {"m_of_n": True}):
        how = {"min_leaf": 5, "order": order, "max_depth": 5, **options}
        tree = engine.grow(plain, altered_priors=True, **how, **rule)
        assert splits_of(tree) == splits_of(engine.grow(weighing, **how)), options
        assert splits_of(tree) != splits_of(engine.grow(plain, **how, **rule)), options


@pytest.mark.parametrize("rule", RULES[:3])
def test_the_candidates_gain_by_altered_priors_and_count_rows_as_they_are(rule):
    plain = of_three()
    weighing = of_three(weights=factors_by_hand(plain, **rule))
    root, heavy = engine.Tree.root(plain), engine.Tree.root(weighing)
    how = {"altered_priors": True, "min_leaf": 5, **rule}
    found, expected = engine.candidates(plain, root, **how), engine.candidates(weighing, heavy, min_leaf=5)
    unsteered = {one.column: one for one in engine.candidates(plain, root, min_leaf=5)}
    assert [one.split for one in found] == [one.split for one in expected]
    for one, other in zip(found, expected, strict=True):
        assert one.gain == pytest.approx(other.gain, rel=1e-9)
        assert one.scores["entropy"] == pytest.approx(other.scores["entropy"], rel=1e-9)
        assert one.validation_gain == pytest.approx(other.validation_gain, rel=1e-9)
        assert sum(one.train).sum() == plain.n_train
        again = engine.weigh(plain, root, 0, one.split, **how)
        assert again.gain == pytest.approx(one.gain, rel=1e-12)
        assert again.logworth == pytest.approx(one.logworth, rel=1e-9)
        assert again.logworth == pytest.approx(engine.weigh(plain, root, 0, one.split, min_leaf=5).logworth, rel=1e-9)
        sums = arithmetic(one, "gini")
        assert sums.drop == pytest.approx(one.scores["gini"], rel=1e-9)
        assert sums.reweighed
        assert unsteered[one.column].evidence.rows == one.evidence.rows
    curve = engine.gain_curve(plain, root, 0, "z", **how)
    assert np.allclose(curve.gains, engine.gain_curve(weighing, heavy, 0, "z", min_leaf=5).gains, equal_nan=True)
    assert curve.train.sum() + curve.missing_train.sum() == plain.n_train


def test_tests_count_rows_as_they_are():
    """What is significant does not depend on what mistakes cost, where one column alone is there to split."""
    table = of_three()
    locked = ["z", "c"]
    for criterion in ("logworth", "association"):
        how = {"criterion": criterion, "locked": locked, "significance": 0.05, "max_depth": 1}
        tree = engine.grow(table, altered_priors=True, costs="low:high=9", **how)
        assert tree.n_leaves == engine.grow(table, **how).n_leaves


def test_without_priors_and_costs_nothing_changes():
    table = of_three()
    for costs in ("", "low:high=3, low:middle=3, middle:low=3, middle:high=3, high:low=3, high:middle=3"):
        assert table.reweighed(LeafRule(costs=()).altered_factors(table.classes, table.class_weights)) is table
        tree = engine.grow(table, altered_priors=True, costs=costs, max_depth=4)
        assert splits_of(tree) == splits_of(engine.grow(table, max_depth=4))


def test_a_tree_that_grows_on_is_steered_by_the_rule_of_its_leaves():
    table = of_three()
    begun = engine.grow(table, altered_priors=True, costs="low:high=9", max_depth=2)
    whole = engine.grow(table, altered_priors=True, costs="low:high=9", max_depth=4)
    assert splits_of(engine.grow(table, tree=begun, altered_priors=True, max_depth=4)) == splits_of(whole)


def test_the_importance_is_of_the_impurity_that_was_searched():
    plain = of_three()
    rule = RULES[2]
    tree = engine.grow(plain, altered_priors=True, min_leaf=5, **rule)
    weighing = of_three(weights=factors_by_hand(plain, **rule))
    heavy = engine.grow(weighing, min_leaf=5)
    found, expected = (
        engine.importance(*pair, permutations=1)["impurity"].sort_index() for pair in ((plain, tree), (weighing, heavy))
    )
    assert np.allclose(found, expected)
