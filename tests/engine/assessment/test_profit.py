"""What acting earns: of leaves, trees, reports and thresholds, each against sums over rows written out here."""

import json

import numpy as np
import pandas as pd
import pytest

import engine
from engine.search.options import Search, idle
from engine.tree.leaves import LeafRule, read_currency, read_profits

PROFITS = {"good": 120.0, "bad": (-500.0, 20.0)}
OF_CLASS = {"good": (0.0, 120.0), "bad": (20.0, -500.0)}  # not acting, acting


def loans(n=400, seed=4, **options):
    """(table, tree): two classes, a third of the rows validate."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.normal(size=n).round(1), "z": random.integers(0, 6, n)})
    frame["w"] = random.integers(1, 4, n)
    frame["y"] = np.where(random.random(n) < 0.1 + 0.35 * (frame.x > 0.2) + 0.2 * (frame.z > 3), "bad", "good")
    weights = options.pop("weights", None)
    table = engine.Table.from_frame(frame, target="y", weights=weights).with_partition(validation=0.35, seed=2)
    options = {"min_leaf": 12, "profits": PROFITS, "currency": "EUR", "smoothing": "laplace", **options}
    return table, engine.grow(table, **options)


def by_row(table, tree, part):
    """(weight, probability of each class, {class: …} earned by acting and not) of every row of a part."""
    rows = table.rows({"train": engine.TRAIN, "validation": engine.VALIDATION}[part])
    frame = table.to_frame(rows)
    weight = np.ones(rows.size) if table.weights is None else table.weights[rows]
    if tree.leaf_rule.priors:
        given, train = dict(tree.leaf_rule.priors), tree.train[0]
        factor = {name: given[name] * train.sum() / train[k] for k, name in enumerate(tree.classes)}
        weight = weight * frame["y"].map(factor).to_numpy()
    earned = np.array([OF_CLASS[name] for name in frame["y"]])
    return weight, np.asarray(tree.predict_proba(frame)), earned


@pytest.mark.parametrize("part", ["train", "validation"])
@pytest.mark.parametrize("how", [{}, {"weights": "w"}, {"priors": {"good": 0.9, "bad": 0.1}}])
def test_a_tree_earns_what_its_rows_earn(part, how):
    table, tree = loans(**how)
    weight, probability, earned = by_row(table, tree, part)
    per_class = np.array([OF_CLASS[name] for name in tree.classes])
    act = probability @ per_class[:, 1] > probability @ per_class[:, 0]
    assert 0 < act.sum() < act.size
    expected = np.average(np.where(act, earned[:, 1], earned[:, 0]), weights=weight)
    assert tree.profit(part) == pytest.approx(expected, rel=1e-9)
    assert engine.assess(table, tree, part).mean_profit == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("part", ["train", "validation"])
@pytest.mark.parametrize("how", [{}, {"weights": "w"}, {"priors": {"good": 0.9, "bad": 0.1}}])
@pytest.mark.parametrize("label", ["good", "bad"])
def test_the_curve_has_the_profit_of_every_threshold(label, part, how):
    table, tree = loans(**how)
    fit = engine.assess(table, tree, part)
    curve = fit.profit(label)
    weight, probability, earned = by_row(table, tree, part)
    of_label = probability[:, tree.classes.index(label)]
    assert curve.threshold[0] == np.inf
    assert (np.diff(curve.threshold) < 0).all()
    assert len(curve.threshold) > 4
    for k, threshold in enumerate(curve.threshold):
        act = of_label >= threshold - 1e-9
        assert curve.acted[k] == pytest.approx(weight[act].sum())
        assert curve.total[k] == pytest.approx(weight @ np.where(act, earned[:, 1], earned[:, 0]))
    assert np.allclose(curve.mean, curve.total / weight.sum())
    assert np.allclose(curve.depth, curve.acted / weight.sum())
    assert curve.best == int(np.argmax(curve.total))
    assert curve.currency == "EUR"
    assert curve.mean_decided == pytest.approx(fit.mean_profit)
    if label == "good" and not how.get("priors"):  # of two classes the leaves' own decision is a threshold
        assert any(np.isclose(curve.mean, fit.mean_profit))


def test_the_leaf_report_tells_profits_beside_shares():
    table, tree = loans()
    report = engine.leaf_report(table, tree, focus="good").set_index("node")
    for node, line in report.iterrows():
        i = tree.position(node)
        counts = dict(zip(tree.classes, tree.train[i], strict=True))
        acting = sum(n * OF_CLASS[name][1] for name, n in counts.items())
        otherwise = sum(n * OF_CLASS[name][0] for name, n in counts.items())
        assert line["act"] == tree.acts[i]
        assert line["profit"] == pytest.approx((acting if line["act"] else otherwise) / sum(counts.values()))
    assert report["cumulative_profit"].iloc[-1] == pytest.approx(tree.profit("train") * table.n_train)
    assert report["validation_cumulative_profit"].iloc[-1] == pytest.approx(
        tree.profit("validation") * table.n_validation
    )
    assert "act" not in engine.leaf_report(table, tree.with_leaf_rule(table, LeafRule()))


def test_profits_change_no_split_and_no_label():
    table, tree = loans()
    plain = engine.grow(table, min_leaf=12, smoothing="laplace")
    assert [tree.split_at(i) for i in range(tree.n_nodes)] == [plain.split_at(i) for i in range(plain.n_nodes)]
    assert tree.labels.tolist() == plain.labels.tolist()
    assert not plain.acts.any()
    assert np.isnan(engine.assess(table, plain).mean_profit)


@pytest.mark.parametrize(
    "given_as",
    [
        "good=120, bad=-500:20", PROFITS, [("bad", -500, 20), ("good", 120)], {"good": "120", "bad": "-500 : 20"},
        [["bad", -500.0, 20.0], ["good", 120.0, 0.0]],
    ],
)  # fmt: skip
def test_profits_may_be_given_in_many_ways(given_as):
    assert read_profits(given_as) == (("bad", -500.0, 20.0), ("good", 120.0, 0.0))


@pytest.mark.parametrize(
    "wrong", ["good", "good=1:2:3", "good=much", "good=1,good=2", [5], {"good": (1, 2, 3)}, "good=nan"]
)
def test_what_are_no_profits_is_refused(wrong):
    with pytest.raises(engine.InputError):
        read_profits(wrong)


def test_profits_and_currency_survive_options_and_json(tmp_path):
    table, tree = loans()
    search = Search.make("classes", profits=PROFITS, currency="EUR")
    assert Search.make("classes", **json.loads(json.dumps(search.to_dict()))) == search
    engine.write_tree(tree, tmp_path / "tree.json")
    again = engine.read_tree(tmp_path / "tree.json")
    assert again.leaf_rule == tree.leaf_rule
    assert again.profit("validation") == pytest.approx(tree.profit("validation"))
    assert idle("classes", {}, "currency", {"number"}).startswith("Only for ")
    with pytest.raises(engine.InputError, match="12 characters"):
        read_currency("thirteen chars")
    with pytest.raises(engine.InputError, match="no class"):
        tree.with_leaf_rule(table, LeafRule(profits=(("late", 1.0, 0.0),)))
    with pytest.raises(engine.InputError, match="about classes"):
        Search.make("number", profits=PROFITS)
