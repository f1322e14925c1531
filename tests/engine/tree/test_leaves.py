"""What leaves say: against formulas by hand, a naive twin in fractions, reweighed tables and scikit-learn."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.pruning.cost_complexity import folds_of
from engine.pruning.options import Options
from engine.runtime.errors import InputError
from engine.search.options import Search
from engine.tree.leaves import LeafRule, read_costs, read_priors
from tests import naive_leaves as naive
from tests.effort import examples
from tests.frames import frames, random_tree, table_of

SEEDS = st.integers(0, 2**32 - 1)
PARTS = {engine.TRAIN: "train", engine.VALIDATION: "validation"}
CUTS = st.sampled_from([0.0, 0.2, 0.25, 0.5, 0.8, 1.0])
SIZES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 5.0, 64.0])


@st.composite
def rules(draw, classes, priors=True, costs=True):
    """Any leaf rule for these classes."""
    named = draw(st.lists(st.sampled_from(classes), unique=True)) if priors else []
    given_priors = {name: draw(SIZES) for name in named}
    if not any(given_priors.values()):
        given_priors = {}
    pairs = [(true, said) for true, said in product(classes, repeat=2) if true != said]
    wrong = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=5)) if costs else []
    return LeafRule(
        smoothing=draw(st.sampled_from(["none", "laplace", "m_estimate", "honest"])),
        smoothing_m=draw(st.sampled_from([0.0, 0.5, 2.0, 10.0])),
        priors=read_priors(given_priors),
        costs=read_costs({pair: draw(SIZES) for pair in wrong}),
        threshold=draw(st.none() | st.tuples(st.sampled_from(classes), CUTS)) if costs and len(classes) == 2 else None,
    )


@st.composite
def ruled(draw, **which):
    """(table, tree): a random tree whose leaves say something by a random rule; some rows validate."""
    table = table_of(draw(frames(task="classes"))).with_partition(validation=0.3, seed=1)
    tree = random_tree(table, draw(SEEDS), draw(st.integers(0, 6)))
    return table, replace(tree, leaf_rule=draw(rules(table.classes, **which)))


def exact(tree, i):
    """(reweighed class weights of the node at position i, those of the root), as fractions."""
    root, rule = tree.train[0], tree.leaf_rule
    return tuple(naive.reweighed(counts, root, tree.classes, rule.priors) for counts in (tree.train[i], root))


# -- by hand


def test_three_of_three_rows_by_hand():
    weights = np.array([[10.0, 10.0], [3.0, 0.0], [1.0, 4.0]])
    counted = LeafRule().probabilities(weights)
    np.testing.assert_allclose(counted, [[0.5, 0.5], [1, 0], [0.2, 0.8]])
    laplace = LeafRule(smoothing="laplace").probabilities(weights)
    np.testing.assert_allclose(laplace, [[0.5, 0.5], [4 / 5, 1 / 5], [2 / 7, 5 / 7]])
    m_estimate = LeafRule(smoothing="m_estimate", smoothing_m=2.0).probabilities(weights)
    np.testing.assert_allclose(m_estimate, [[0.5, 0.5], [4 / 5, 1 / 5], [2 / 7, 5 / 7]])
    skew = np.array([[30.0, 10.0], [3.0, 0.0]])
    np.testing.assert_allclose(
        LeafRule(smoothing="m_estimate", smoothing_m=5.0).probabilities(skew)[1], [6.75 / 8, 1.25 / 8]
    )


def test_priors_and_costs_by_hand():
    """30 fine, 10 bad. A leaf of 6 fine and 3 bad says fine; equal priors, or a cost of 5, make it say bad."""
    weights, root = np.array([[6.0, 3.0]]), np.array([30.0, 10.0])
    classes = ("fine", "bad")

    def said(rule):
        return classes[rule.labels(weights * rule.class_factors(classes, root), rule.cost_matrix(classes))[0]]

    assert said(LeafRule()) == "fine"
    equal = LeafRule(priors=(("bad", 1.0), ("fine", 1.0)))
    np.testing.assert_allclose(equal.class_factors(classes, root), [20 / 30, 20 / 10])
    assert said(equal) == "bad"  # 6 · ⅔ = 4 against 3 · 2 = 6
    assert said(LeafRule(costs=(("bad", "fine", 5.0),))) == "bad"  # 3 · 5 against 6
    assert said(LeafRule(costs=(("bad", "fine", 2.0),))) == "fine"  # a tie: the lower class
    assert said(LeafRule(costs=(("bad", "fine", 5.0), ("fine", "bad", 5.0)))) == "fine"


# -- the naive twin


@examples(40)
@given(ruled())
def test_probabilities_labels_and_costs_are_those_of_the_twin(table_and_tree):
    _, tree = table_and_tree
    rule = tree.leaf_rule
    for i in range(tree.n_nodes):
        weights, root = exact(tree, i)
        m = Fraction(rule.smoothing_m)
        honest = rule.smoothing == "honest"
        expected = deciding = naive.probabilities(weights, root, "m_estimate" if honest else rule.smoothing, m)
        if honest and expected is not None and tree.validation[0].any():
            unseen, of_root = (
                naive.reweighed(tree.validation[j], tree.train[0], tree.classes, rule.priors) for j in (i, 0)
            )
            expected = naive.honest(unseen, of_root, m)
        if expected is None and i:
            above = tree.parent[i]
            assert tree.labels[i] == tree.labels[above]
            np.testing.assert_array_equal(tree.probabilities[i], tree.probabilities[above])
        elif expected is not None:
            np.testing.assert_allclose(tree.probabilities[i], [float(p) for p in expected], rtol=1e-12, atol=1e-15)
            assert tree.labels[i] == naive.label(weights, tree.classes, rule.costs, rule.threshold, deciding)
        said = tree.classes[tree.labels[i]]
        for part, stats in (("train", tree.train), ("validation", tree.validation)):
            weights = naive.reweighed(stats[i], tree.train[0], tree.classes, rule.priors)
            assert tree.costs(part)[i] == pytest.approx(
                float(naive.expected_cost(said, weights, tree.classes, rule.costs)), rel=1e-12, abs=1e-12
            )
            assert tree.loss_weight(part)[i] == pytest.approx(float(sum(weights)), rel=1e-12, abs=1e-12)


def test_a_part_without_rows_has_no_loss():
    table = engine.Table.from_frame(pd.DataFrame({"a": [1.0, 2, 3, 4], "y": list("uvuv")}), target="y")
    tree = engine.Tree.root(table)
    assert tree.loss() == 0.5
    assert np.isnan(tree.loss("validation"))


@examples(40)
@given(ruled())
def test_the_loss_is_the_mean_cost_of_the_leaves(table_and_tree):
    _, tree = table_and_tree
    for part, stats in (("train", tree.train), ("validation", tree.validation)):
        weighed = [
            naive.reweighed(stats[i], tree.train[0], tree.classes, tree.leaf_rule.priors) for i in range(tree.n_nodes)
        ]
        total = sum(weighed[0])
        if total == 0:
            assert np.isnan(tree.loss(part))
            continue
        paid = sum(
            naive.expected_cost(tree.classes[tree.labels[i]], weighed[i], tree.classes, tree.leaf_rule.costs)
            for i in tree.leaves
        )
        assert tree.loss(part) == pytest.approx(float(paid / total), rel=1e-12, abs=1e-12)


@examples(40)
@given(ruled())
def test_what_is_not_asked_for_changes_nothing(table_and_tree):
    _, tree = table_and_tree
    plain = replace(tree, leaf_rule=LeafRule())
    np.testing.assert_array_equal(plain.labels, replace(tree, leaf_rule=LeafRule(smoothing="laplace")).labels)
    assert plain.loss() == plain.error()
    np.testing.assert_array_equal(plain.costs("validation"), plain.wrong("validation"))
    dear = tuple((true, said, 7.0) for true, said in product(tree.classes, repeat=2) if true != said)
    symmetric = replace(tree, leaf_rule=replace(tree.leaf_rule, costs=dear))
    without = replace(tree, leaf_rule=replace(tree.leaf_rule, costs=()))
    np.testing.assert_array_equal(symmetric.labels, without.labels)
    assert symmetric.loss("validation") == pytest.approx(7 * without.loss("validation"), nan_ok=True)
    shares = dict(zip(tree.classes, tree.train[0], strict=True))
    same = replace(tree, leaf_rule=replace(tree.leaf_rule, priors=read_priors(shares), costs=(), threshold=None))
    np.testing.assert_array_equal(same.labels, plain.labels)


@examples(40)
@given(ruled(costs=False))
def test_priors_are_row_weights(table_and_tree):
    """The same splits, counted on a table whose rows weigh prior ÷ share times as much, say the same."""
    table, tree = table_and_tree
    factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    known = table.y >= 0
    frame = pd.DataFrame({c.name: table_values(c) for c in table.columns if c.name != "w"})
    frame["w"] = np.where(known, weights * factors[np.maximum(table.y, 0)], 0.0)
    frame["part"] = [PARTS.get(part) for part in table.part.tolist()]
    heavy = engine.Table.from_frame(frame, target="y", weights="w").with_partition(column="part")
    counted = replace(tree, leaf_rule=LeafRule(smoothing=tree.leaf_rule.smoothing)).with_counts(heavy)
    np.testing.assert_allclose(counted.train, tree.train * factors, rtol=1e-12)
    unsure = near_ties(counted)
    np.testing.assert_array_equal(counted.labels[~unsure], tree.labels[~unsure])
    if not unsure.any():
        for part in ("train", "validation"):
            assert counted.error(part) == pytest.approx(tree.loss(part), rel=1e-9, abs=1e-12, nan_ok=True)


def table_values(column):
    """The values of a column's rows, None where they are missing."""
    values = [None, *column.values.tolist()]
    return pd.Series([values[code] for code in column.codes.astype(int)], dtype=None if column.is_numeric else object)


def near_ties(tree):
    """bool[n_nodes]: where the two heaviest classes weigh the same but for rounding, or the node is empty."""
    ranked = np.sort(tree.train, axis=1)
    return ranked[:, -1] - ranked[:, -2] <= 1e-9 * ranked[:, -1]


# -- judges


@pytest.mark.parametrize("balance", ["balanced", {"good": 1.0, "bad": 4.0}])
def test_class_weights_of_scikit_learn_are_priors(balance):
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"x": random.normal(size=400).astype(np.float32).astype(float)})
    frame["y"] = np.where(random.random(400) < 0.15 + 0.15 * (frame.x > 0.2), "bad", "good")
    table = engine.Table.from_frame(frame, target="y")
    judge = DecisionTreeClassifier(max_depth=1, class_weight=balance, random_state=0).fit(frame[["x"]], frame.y)
    n = frame.y.value_counts()
    priors = {name: (1.0 if balance == "balanced" else balance[name] * n[name]) for name in ("good", "bad")}
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (float(judge.tree_.threshold[0]),)))
    tree = replace(tree, leaf_rule=LeafRule(priors=read_priors(priors)))
    assert list(judge.classes_) == list(table.classes)
    np.testing.assert_array_equal(tree.predict(frame), judge.predict(frame[["x"]]))
    np.testing.assert_allclose(tree.predict_proba(frame), judge.predict_proba(frame[["x"]]), rtol=1e-12)
    assert len(set(judge.predict(frame[["x"]]))) == 2, "the judge should have an opinion"


@examples(40)
@given(ruled())
def test_the_stochastic_rule_errs_like_gini_on_training_rows_and_as_expected_on_others(table_and_tree):
    _, tree = table_and_tree
    on_train, on_validation = tree.stochastic_error("train"), tree.stochastic_error("validation")
    for i in range(tree.n_nodes):
        total = sum(map(Fraction, tree.train[i]))
        if total:
            assert on_train[i] == pytest.approx(engine.impurity("gini", tree.train[i]), abs=1e-12)
        else:
            assert np.isnan(on_train[i])
        node = i
        while node and not tree.train[node].sum():
            node = tree.parent[node]
        drawn = [Fraction(n) / sum(map(Fraction, tree.train[node])) for n in tree.train[node]]
        seen = [Fraction(n) for n in tree.validation[i]]
        wrong = sum(n * p for (k, n), (said, p) in product(enumerate(seen), enumerate(drawn)) if k != said)
        if sum(seen):
            assert on_validation[i] == pytest.approx(float(wrong / sum(seen)), abs=1e-12)
        else:
            assert np.isnan(on_validation[i])


# -- grown and pruned trees


def uneven(n=240, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n).round(1), "b": random.integers(0, 5, n)})
    frame["y"] = np.where(random.random(n) < 0.1 + 0.5 * (frame.a > 0.4) * (frame.b > 1), "bad", "good")
    return engine.Table.from_frame(frame, target="y")


ASKED = {"priors": {"bad": 0.02, "good": 0.98}, "costs": {("bad", "good"): 30.0}}


BY_VALIDATION = ("cost_complexity", "reduced_error", "greedy_validation", "growth")  # sequences chosen from by it


@pytest.mark.parametrize("method", BY_VALIDATION)
def test_pruning_minimises_the_loss(method):
    table = uneven().with_partition(validation=0.4, seed=2)
    tree = engine.grow(table, min_leaf=8, **ASKED)
    assert tree.leaf_rule.costs and tree.leaf_rule.priors
    pruning = engine.prune(table, tree, method)
    for i, step in enumerate(pruning.steps):
        cut = pruning.tree(i)
        assert cut.leaf_rule == tree.leaf_rule
        assert step.train_error == pytest.approx(cut.loss("train"), rel=1e-9, abs=1e-12)
        assert step.validation_error == pytest.approx(cut.loss("validation"), rel=1e-9, abs=1e-12)
    losses = [step.validation_error for step in pruning.steps]
    assert losses[pruning.chosen] == pytest.approx(min(losses))
    assert len({round(loss, 12) for loss in losses}) > 2, "the losses should differ"
    plain = engine.prune(table, replace(tree, leaf_rule=LeafRule()), method)
    assert [s.validation_error for s in plain.steps] != losses


def test_cross_validation_judges_by_the_same_rule_in_every_fold():
    table = uneven()
    tree = engine.grow(table, min_leaf=15, **ASKED)
    pruning = engine.prune(table, tree, folds=4, seed=5)
    [fold] = folds_of(table, Options(folds=4, seed=5))
    paid = weight = 0.0
    for k in range(4):
        frame = pd.DataFrame({c.name: table_values(c) for c in table.columns})
        frame["part"] = np.where(fold == k, "validation", "train")
        divided = engine.Table.from_frame(frame, target="y").with_partition(column="part")
        grown = engine.grow(divided, min_leaf=15, **ASKED)
        assert grown.leaf_rule == tree.leaf_rule
        paid += grown.collapse(0).costs("validation")[0]
        weight += grown.loss_weight("validation")[0]
    assert pruning.steps[-1].leaves == 1
    assert pruning.steps[-1].cv_error == pytest.approx(paid / weight)


# -- options and texts


def test_a_rule_survives_the_options_and_json():
    search = Search.make("classes", priors="fraud=0.01, fine=0.99", costs="fraud:fine=50", smoothing="laplace")
    assert search.priors == (("fine", 0.99), ("fraud", 0.01))
    assert search.costs == (("fraud", "fine", 50.0),)
    assert Search.make("classes", **search.to_dict()) == search
    assert Search.make("classes", **json.loads(json.dumps(search.to_dict()))) == search
    assert search.leaf_rule == LeafRule("mode", "laplace", 2.0, search.priors, search.costs)


@pytest.mark.parametrize(
    "given_as",
    ["b=2, a=1", {"a": 1, "b": 2.0}, [["b", 2], ["a", 1]], (("a", "1"), ("b", " 2 ")), "a=1,,b=2,"],
)
def test_priors_may_be_given_in_many_ways(given_as):
    assert read_priors(given_as) == (("a", 1.0), ("b", 2.0))


@pytest.mark.parametrize("given_as", ["b:a=2", {("b", "a"): 2}, [["b", "a", 2]], " b : a = 2 ,"])
def test_costs_may_be_given_in_many_ways(given_as):
    assert read_costs(given_as) == (("b", "a", 2.0),)


def test_nothing_given_is_no_rule():
    assert read_priors(None) == read_priors("") == read_priors({}) == ()
    assert read_costs(None) == read_costs(" ") == read_costs([]) == ()


def test_priors_and_costs_may_be_series():
    assert read_priors(pd.Series([0.25, 0.75], index=["fraud", "fine"])) == (("fine", 0.75), ("fraud", 0.25))
    pairs = pd.MultiIndex.from_tuples([("bad", "good"), ("good", "bad")])
    assert read_costs(pd.Series([5, 1], index=pairs)) == (("bad", "good", 5.0), ("good", "bad", 1.0))
    table = engine.read_example("cats")
    shares = pd.Series(0.5, index=list(table.classes))
    assert engine.grow(table, priors=shares).leaf_rule.priors == tuple((name, 0.5) for name in sorted(table.classes))


@pytest.mark.parametrize("given_as", [np.arange(100.0), np.eye(30), pd.Series([[1, 2]] * 40), pd.DataFrame(np.eye(9))])
@pytest.mark.parametrize("option", ["priors", "costs", "min_leaf", "criterion", "numeric", "m_of_n", "significance"])
def test_arrays_are_refused_in_one_line(option, given_as):
    with pytest.raises(InputError) as told:
        Search.make("classes", **{option: given_as})
    assert "\n" not in str(told.value) and len(str(told.value)) < 300


def test_whole_numbers_choose_however_they_are_written():
    for two in (2.0, np.float64(2), np.int8(2), "2"):
        search = Search.make("classes", lookahead=two, bins=2.0)
        assert (search.lookahead, type(search.lookahead)) == (2, int)
    for odd in (1.5, True, 3.0):
        with pytest.raises(InputError, match="lookahead cannot be “"):
            Search.make("classes", lookahead=odd)


@pytest.mark.parametrize(
    ("given_as", "sentence"),
    [
        ("fraud", "“fraud” cannot be used for priors; write class=weight, such as fraud=0.01, fine=0.99."),
        ("fraud=", "“fraud=” cannot be used for priors"),
        ("=1", "“=1” cannot be used for priors"),
        ("fraud=much", "The prior of “fraud” cannot be much; it is a number from 0 to 1e+100."),
        ("fraud=-1", "The prior of “fraud” cannot be -1; it is a number from 0 to 1e+100."),
        ({"fraud": float("nan")}, "The prior of “fraud” cannot be nan"),
        ({"fraud": float("inf")}, "The prior of “fraud” cannot be inf"),
        ({"fraud": None}, "The prior of “fraud” cannot be None"),
        ("a=1, a=2", "The class “a” is named twice among the priors."),
        ("a=0, b=0", "The priors are all 0; give at least one class a weight above 0."),
        (5, "priors cannot be 5; write class=weight"),
        ([["a", "b", 1]], "priors cannot be"),
        (["ab"], "priors cannot be"),
    ],
)
def test_priors_that_cannot_be_used_say_why(given_as, sentence):
    with pytest.raises(InputError) as error:
        read_priors(given_as)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("given_as", "sentence"),
    [
        ("bad=5", "“bad=5” cannot be used for costs; write true:predicted=cost, such as bad:good=5."),
        ("bad:=5", "“bad:=5” cannot be used for costs"),
        ("bad:bad=5", "To call “bad” by its name costs nothing; a cost is of a mistake."),
        ("bad:good=x", "The cost of “bad:good” cannot be x; it is a number from 0 to 1e+100."),
        ("bad:good=-2", "The cost of “bad:good” cannot be -2"),
        ("bad:good=1, bad:good=2", "The mistake “bad:good” is named twice among the costs."),
        ({"bad": 5}, "costs cannot be"),
        (True, "costs cannot be True"),
    ],
)
def test_costs_that_cannot_be_used_say_why(given_as, sentence):
    with pytest.raises(InputError) as error:
        read_costs(given_as)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("asked", [{"priors": "ugly=1"}, {"costs": "ugly:bad=2"}, {"costs": "bad:ugly=2"}])
def test_an_unknown_class_is_answered_with_the_classes(asked):
    with pytest.raises(InputError, match=r"There is no class “ugly”; the classes are bad, good\."):
        engine.grow(uneven(40), **asked)


def test_a_numeric_target_has_no_classes_to_weigh():
    for asked in ({"priors": "a=1"}, {"costs": "a:b=1"}, {"smoothing": "laplace"}):
        with pytest.raises(InputError, match="is about classes; the target is numeric"):
            Search.make("number", **asked)


def test_sums_of_fractions_do_not_part_a_tie():
    weights = np.array([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3], [0.3, 0.31]])
    assert LeafRule().labels(weights, 1.0 - np.eye(2)).tolist() == [0, 0, 1]


def test_a_class_that_is_gone_takes_its_priors_and_costs_along(tmp_path):
    frame = pd.DataFrame({"a": range(9), "y": list("uvwuvwuvw")})
    whole = engine.Table.from_frame(frame, target="y")
    less = engine.Table.from_frame(frame[frame.y != "w"], target="y")
    rule = {"costs": {("u", "w"): 5, ("u", "v"): 2}, "priors": {"u": 0, "w": 1}}
    tree = engine.grow(whole, **rule).with_counts(less)
    assert tree.leaf_rule == LeafRule(costs=(("u", "v", 2.0),))
    engine.write_tree(tree, tmp_path / "tree.json")
    assert engine.read_tree(tmp_path / "tree.json").leaf_rule == tree.leaf_rule
    assert engine.prune(less, tree, folds=2).steps


def test_a_rule_made_by_hand_is_checked():
    table = engine.read_example("penguins")
    root = engine.Tree.root(table)
    for wrong in (
        {"smoothing": "kneser"}, {"smoothing_m": -1.0}, {"smoothing_m": float("nan")}, {"priors": (("Adelie", -1.0),)},
        {"costs": (("Adelie", "Gentoo", float("nan")),)},
    ):  # fmt: skip
        with pytest.raises(InputError, match="cannot be"):
            root.with_leaf_rule(table, LeafRule(**wrong))


def test_mistakes_of_classes_with_colons_are_told_apart():
    costs = {("a:b", "c"): 2.0, ("a", "b:c"): 3.0}
    assert read_costs(costs) == (("a", "b:c", 3.0), ("a:b", "c", 2.0))
