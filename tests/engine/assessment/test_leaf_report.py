"""The leaf report, row by row against the data frame."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import engine
from engine.assessment.disagreement import adjust_by_holm
from engine.splits import Split
from engine.tree.leaves import LeafRule
from tests.engine.assessment import test_figures_of_classes as classes
from tests.engine.assessment import test_residuals as numbers

PARTS = {"": 0, "validation_": 1}


def rows_of(table, tree, part, node):
    """The rows of a part in a leaf."""
    rows = table.rows(part)
    return rows[tree.ids[tree.apply(table)[rows]] == node]


def weights_of(frame, rows, weights):
    return frame.w[rows].to_numpy(float) if weights else np.ones(len(rows))


@pytest.mark.parametrize("prefix", PARTS)
@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
def test_classes(weights, prefix):
    table, frame, tree = classes.planted(weights)
    tree = replace(tree, leaf_rule=LeafRule(priors=(("h", 3.0), ("l", 1.0)), costs=(("h", "l", 9.0),)))
    report = engine.leaf_report(table, tree, focus="h")
    assert sorted(report.node) == sorted(tree.ids[tree.leaves])
    assert (np.diff(report.probability) <= 0).all()
    part = table.rows(PARTS[prefix])
    total, truth = weights_of(frame, part, weights).sum(), frame.t[part].to_numpy()
    all_h = weights_of(frame, part, weights)[truth == "h"].sum()
    seen = seen_h = 0.0
    shares = dict(zip(tree.classes, tree.train[0] / tree.train[0].sum(), strict=True))
    priors = {"h": 3.0, "l": 1.0, "m": shares["m"]}
    for row in report.to_dict("records"):
        i, rows = tree.position(row["node"]), rows_of(table, tree, PARTS[prefix], row["node"])
        w, true = weights_of(frame, rows, weights), frame.t[rows].to_numpy()
        assert row["prediction"] == tree.classes[tree.labels[i]]
        assert row["probability"] == tree.probabilities[i, 0]
        found = {name: row[prefix + name] for name in (
            "rows", "share", "gain", "index", "cumulative_share", "cumulative_gain", "cumulative_response",
            "cumulative_index", "cost",
        )}  # fmt: skip
        h = w[true == "h"].sum()
        seen, seen_h = seen + w.sum(), seen_h + h
        counts = np.array([priors[t] / shares[t] for t in true]) * w
        price = np.array(
            [0.0 if t == row["prediction"] else 9.0 if (t, row["prediction"]) == ("h", "l") else 1.0 for t in true]
        )
        assert found == pytest.approx({
            "rows": len(rows), "share": w.sum() / total, "gain": h / all_h, "index": h / w.sum() / (all_h / total),
            "cumulative_share": seen / total, "cumulative_gain": seen_h / all_h, "cumulative_response": seen_h / seen,
            "cumulative_index": seen_h / seen / (all_h / total), "cost": np.average(price, weights=counts),
        })  # fmt: skip
        for name in tree.classes:
            assert row[f"{prefix}count: {name}"] == pytest.approx(w[true == name].sum())
            assert row[f"{prefix}share: {name}"] == pytest.approx(np.average(true == name, weights=w))
        assert (f"{prefix}weight" in row) == (weights is not None)
        if weights:
            assert row[f"{prefix}weight"] == w.sum()
    ranked = engine.assess(table, tree, "validation" if prefix else "train").ranking("h")
    assert set(ranked.recall[1:].round(9)) <= set(report[f"{prefix}cumulative_gain"].round(9))


@pytest.mark.parametrize("prefix", PARTS)
@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
def test_numbers(weights, prefix):
    table, frame, tree = numbers.planted(weights)
    report = engine.leaf_report(table, tree)
    assert list(report.prediction) == sorted(tree.predictions[tree.leaves], reverse=True)
    assert "cost" not in report and "gain" not in report
    part = table.rows(PARTS[prefix])
    total, seen, sums = weights_of(frame, part, weights).sum(), 0.0, 0.0
    for row in report.to_dict("records"):
        rows = rows_of(table, tree, PARTS[prefix], row["node"])
        w, y = weights_of(frame, rows, weights), frame.t[rows].to_numpy()
        seen, sums = seen + w.sum(), sums + w @ y
        assert row[f"{prefix}rows"] == len(rows) and row[f"{prefix}share"] == pytest.approx(w.sum() / total)
        assert row[f"{prefix}cumulative_share"] == pytest.approx(seen / total)
        so_far = sums / seen if seen else np.nan
        assert row[f"{prefix}cumulative_mean"] == pytest.approx(so_far, nan_ok=True)
        if not len(rows):
            assert np.isnan([row[f"{prefix}mean"], row[f"{prefix}sd"], row["p"]]).all()
            continue
        mean, n = np.average(y, weights=w), w.sum() ** 2 / (w @ w) if weights == "weight" else w.sum()
        assert row[f"{prefix}mean"] == pytest.approx(mean)
        sd = np.sqrt(np.average((y - mean) ** 2, weights=w) * n / (n - 1)) if n > 1 else np.nan
        assert row[f"{prefix}sd"] == pytest.approx(sd, rel=1e-6, nan_ok=True)


@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
@pytest.mark.parametrize("made", [classes.planted, numbers.planted])
def test_validation_rows_are_tested_as_at_every_node(made, weights):
    table, _, tree = made(weights)
    report = engine.leaf_report(table, tree).set_index("node")
    every = engine.compare_parts(tree, engine.count_effective_rows(table, tree)).p[tree.leaves]
    assert np.allclose(report.p[tree.ids[tree.leaves]], every, equal_nan=True, rtol=1e-9)
    adjusted = report.p_adjusted[tree.ids[tree.leaves]]
    assert np.allclose(adjusted, adjust_by_holm(every), equal_nan=True, rtol=1e-9)


def test_rules_are_those_of_the_tree_in_words():
    table, _, tree = classes.planted()
    report = engine.leaf_report(table, tree).set_index("node")
    told = {path.node: path.text for rule in engine.rules(tree) for path in rule.paths}
    assert report.rule.to_dict() == told
    assert engine.leaf_report(table, tree, rules=False).equals(engine.leaf_report(table, tree).drop(columns="rule"))
    assert engine.leaf_report(table, engine.Tree.root(table)).rule.tolist() == [""]


def test_by_default_the_rarest_class_is_looked_at():
    table, _, tree = classes.planted()
    rarest = table.classes[int(np.argmin(tree.train[0]))]
    assert engine.leaf_report(table, tree).equals(engine.leaf_report(table, tree, focus=rarest))
    with pytest.raises(engine.InputError, match="There is no class “x”; the classes are h, l, m"):
        engine.leaf_report(table, tree, focus="x")


def test_of_classes_that_are_equally_rare_the_last_is_looked_at():
    table = engine.Table.from_frame(pd.DataFrame({"x": range(6), "t": list("aabbcc")}), target="t")
    tree = engine.grow(table)
    assert engine.leaf_report(table, tree).equals(engine.leaf_report(table, tree, focus="c"))


def test_leaves_that_say_the_same_stand_as_in_the_tree():
    """More than the sixteen up to which every way to sort keeps their order."""
    frame = pd.DataFrame({"x": range(80), "t": ["y", "n"] * 40})
    table = engine.Table.from_frame(frame, target="t")
    tree = engine.grow(table)
    ids = tree.ids[tree.leaves]
    label = tree.labels[tree.leaves]
    assert engine.leaf_report(table, tree, focus="y").node.tolist() == [*ids[label == 1], *ids[label == 0]]


def test_a_branch_is_a_whole_of_its_own():
    table, _, tree = classes.planted()
    report = engine.leaf_report(table, tree, node=2, focus="h")
    assert set(report.node) == set(tree.ids[[i for i in tree.leaves if i >= tree.position(2)]])
    assert report.share.sum() == pytest.approx(1) and report.gain.sum() == pytest.approx(1)
    assert report.iloc[-1][["cumulative_share", "cumulative_gain", "cumulative_index"]].tolist() == pytest.approx(
        [1] * 3
    )
    with pytest.raises(engine.InputError, match="no node 77"):
        engine.leaf_report(table, tree, node=77)


@pytest.mark.parametrize("weights", [None, "weight"])
@pytest.mark.parametrize("made", [classes.planted, numbers.planted])
def test_a_tree_that_was_not_counted_on_the_table_has_its_rows_counted(made, weights):
    table, _, tree = made(weights)
    report = engine.leaf_report(table, tree)
    pd.testing.assert_frame_equal(engine.leaf_report(table, replace(tree, counted_on="")), report, rtol=1e-9)
    at = engine.assign(table, tree)
    pd.testing.assert_frame_equal(engine.leaf_report(table, tree, assignment=at), report)


def test_other_rows_of_numbers_count_from_zero_whatever_the_tree_counts_from():
    table, frame, tree = numbers.planted()
    low = np.flatnonzero(frame.t < 1e6).astype(np.uint32)
    other = table.take(low)
    assert other.origin != tree.origin
    report = engine.leaf_report(other, tree)
    leaf = tree.apply(other)
    for row in report.to_dict("records"):
        y = frame.t[low[leaf == tree.position(row["node"])]]
        assert (row["rows"], row["prediction"]) == (len(y), tree.predictions[tree.position(row["node"])])
        assert row["mean"] == pytest.approx(y.mean(), abs=1e-6, nan_ok=True)
    fit = engine.assess(other, tree, "train")
    assert fit.mse == pytest.approx(metrics.mean_squared_error(frame.t[low], tree.predict(frame.iloc[low])), rel=1e-7)


def test_without_validation_rows_there_are_no_columns_of_them():
    table, _, tree = classes.planted()
    alone = table.take(table.rows(0))
    report = engine.leaf_report(alone, tree)
    assert not [name for name in report if name.startswith(("validation", "p_")) or name == "p"]
    assert report.rows.sum() == table.n_train


def test_leaves_and_branches_without_rows_are_nan():
    table, _, tree = classes.planted()
    leaf = int(tree.ids[tree.leaves[-1]])
    tree = tree.split(table, leaf, Split("b", "threshold", (99.0,)))
    lonely = int(tree.ids[tree.children(tree.position(leaf))[1]])
    row = engine.leaf_report(table, tree, focus="h").set_index("node").loc[lonely]
    assert row.rows == 0 and row.gain == 0 and np.isnan([row["share: h"], row["index"], row.p]).all()
    assert row.probability == tree.probabilities[tree.position(lonely), 0]  # as its parent's
    alone = engine.leaf_report(table, tree, node=lonely).iloc[0]
    assert np.isnan([alone.share, alone.gain, alone["index"], alone.cumulative_share, alone.p_adjusted]).all()
    assert alone.rule.endswith("b > 99")
