"""A threshold of two classes: from which probability on one of them is predicted, and where it goes from there."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.runtime.errors import InputError
from engine.search.options import Search
from engine.tree.leaves import LeafRule, read_threshold


def table_of(classes=("no", "yes"), n=400):
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.integers(0, 4, n)})
    frame["y"] = np.array(classes)[(frame.a + frame.b / 3 + random.normal(0, 0.8, n) > 1).astype(int)]
    if len(classes) > 2:
        frame.loc[::7, "y"] = classes[2]
    return engine.Table.from_frame(frame, "y").with_partition(validation=0.3)


@pytest.mark.parametrize("smoothing", ["none", "laplace", "m_estimate", "honest"])
@pytest.mark.parametrize("least", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_a_leaf_says_the_class_from_that_probability_on(smoothing, least):
    table = table_of()
    tree = engine.grow(table, max_depth=4, smoothing=smoothing, threshold=("yes", least), priors={"yes": 0.2})
    deciding = (
        replace(tree, leaf_rule=replace(tree.leaf_rule, smoothing="m_estimate")) if smoothing == "honest" else tree
    )
    said = deciding.probabilities[:, 1] >= least - 1e-12  # validation rows decide nothing
    assert np.array_equal(tree.labels, said.astype(int))
    frame = table.rows(engine.VALIDATION)
    rows = pd.DataFrame({name: table.column(name).numbers[frame] for name in ("a", "b")})
    shares = deciding.predict_proba(rows)[:, 1]
    assert np.array_equal(tree.predict(rows) == "yes", shares >= least - 1e-12)
    plain = engine.grow(table, max_depth=4, smoothing=smoothing, priors={"yes": 0.2})
    assert np.array_equal(plain.probabilities, tree.probabilities)  # it decides labels alone


def test_costs_price_and_the_threshold_decides():
    table = table_of()
    tree = engine.grow(table, max_depth=3, costs={("yes", "no"): 4.0}, threshold="yes=0.35")
    fit = engine.assess(table, tree)
    (right_no, false_yes), (false_no, right_yes) = fit.confusion
    assert fit.loss == pytest.approx((4 * false_no + false_yes) / fit.weight)
    called = tree.probabilities[tree.leaves, 1] >= 0.35
    assert right_yes + false_yes == tree.validation[tree.leaves][called].sum() and right_no >= 0
    ranking = fit.ranking("yes")  # the figures at the threshold are a point of the curve
    at = np.flatnonzero(ranking.threshold >= 0.35 - 1e-12)[-1]
    assert fit.recall[1, 0] == pytest.approx(ranking.recall[at])


def test_half_is_the_majority_but_for_ties():
    table = table_of()
    tree = engine.grow(table, max_depth=4)
    apart = np.abs(tree.probabilities[:, 1] - 0.5) > 1e-9
    cut = tree.with_leaf_rule(table, LeafRule(threshold=("yes", 0.5)))
    assert np.array_equal(tree.labels[apart], cut.labels[apart]) and apart.sum() > 5


@pytest.mark.parametrize("given", ["yes=0.2", " yes = 0.2 ", {"yes": 0.2}, ("yes", 0.2), ["yes", 0.2], [("yes", 0.2)]])
def test_it_may_be_given_in_many_ways(given):
    assert read_threshold(given) == ("yes", 0.2) == Search.make("classes", threshold=given).threshold


@pytest.mark.parametrize("nothing", [None, "", " ", {}])
def test_nothing_is_no_threshold(nothing):
    assert read_threshold(nothing) is None


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("yes", "write class=probability"), ("yes=1.5", "from 0 to 1"), ("yes=-1", "from 0"), ("yes=much", "much"),
        ("yes=0.2, no=0.3", "one threshold"), (0.3, "write class=probability"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_a_sentence(given, fault):
    with pytest.raises(InputError, match=fault):
        Search.make("classes", threshold=given)


def test_it_is_about_two_classes_that_there_are():
    with pytest.raises(InputError, match="two classes; the target has 3"):
        engine.grow(table_of(("a", "b", "c")), threshold="a=0.2")
    with pytest.raises(InputError, match="no class “maybe”"):
        engine.grow(table_of(), threshold="maybe=0.2")
    with pytest.raises(InputError, match="threshold is about classes"):
        Search.make("number", threshold="a=0.2")


def test_it_goes_with_the_tree_and_stays_behind_where_it_has_no_meaning(tmp_path):
    table = table_of()
    tree = engine.grow(table, max_depth=3, threshold="yes=0.2")
    engine.write_tree(tree, tmp_path / "tree.json")
    read = engine.read_tree(tmp_path / "tree.json")
    assert read.leaf_rule == tree.leaf_rule and np.array_equal(read.labels, tree.labels)
    engine.write_tree(replace(tree, leaf_rule=LeafRule(smoothing="laplace")), tmp_path / "plain.json")
    assert '"leaf_rule": {' in (tmp_path / "plain.json").read_text()
    assert engine.read_tree(tmp_path / "plain.json").leaf_rule.threshold is None
    assert LeafRule(threshold=("yes", 0.2)).known_to(("no", "yes")).threshold == ("yes", 0.2)
    for classes in (("no", "yes", "maybe"), ("no", "maybe")):
        assert LeafRule(threshold=("yes", 0.2)).known_to(classes).threshold is None


def test_a_new_leaf_says_what_the_tree_would():
    table = table_of()
    for smoothing in ("none", "laplace", "m_estimate"):
        tree = engine.grow(table, max_depth=4, smoothing=smoothing, threshold="yes=0.3")
        said = tree.leaf_rule.labels_of(tree.classes, tree.train[0], tree.train)
        assert np.array_equal(said, tree.labels)


@pytest.mark.parametrize("method", ["cost_complexity", "reduced_error", "greedy_validation", "pessimistic", "generic"])
def test_pruning_goes_by_what_the_leaves_say(method):
    table = table_of()
    tree = engine.grow(table, min_leaf=4, threshold="yes=0.25", smoothing="laplace")
    pruning = engine.prune(table, tree, method)
    cut = pruning.tree(pruning.chosen)
    assert cut.leaf_rule == tree.leaf_rule
    assert pruning.steps[pruning.chosen].validation_error == pytest.approx(cut.loss("validation"))


def test_no_branch_is_raised_by_honest_probabilities():
    table = table_of()
    tree = engine.grow(table, min_leaf=4, threshold="yes=0.25", smoothing="honest")
    with pytest.raises(InputError, match="no branches can be raised"):
        engine.prune(table, tree, "generic")


def test_rows_that_honest_probabilities_come_from_decide_nothing():
    """Or else they would be judged by what they decided: on coins validation rows would look right."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.normal(size=(600, 4)), columns=list("abcd")).assign(t=random.choice(["no", "yes"], 600))
    table = engine.Table.from_frame(frame, target="t").with_partition(validation=0.5)
    tree = engine.grow(table, max_leaves=60, order="best_first")
    profits = (("no", -1.0, 0.0), ("yes", 1.0, 0.0))
    honest, plain = (
        tree.with_leaf_rule(table, LeafRule(smoothing=smoothing, threshold=("yes", 0.5), profits=profits))
        for smoothing in ("honest", "m_estimate")
    )
    assert honest.labels.tolist() == plain.labels.tolist() and honest.acts.tolist() == plain.acts.tolist()
    assert honest.error("validation") > 0.42 and abs(honest.profit("validation")) < 0.12
    assert (honest.probabilities != plain.probabilities).any()
