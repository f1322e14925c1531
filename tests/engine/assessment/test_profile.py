"""Profiles against a slow twin, scipy, and figures that can be worked out by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.assessment.profile import profiled_rows
from tests import naive_profile


def planted(weights=None, n=400):
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"x": random.normal(size=n).round(1), "z": random.normal(size=n)})
    frame["city"] = random.choice(list("abcde"), n, p=[0.4, 0.3, 0.1, 0.1, 0.1])
    frame["size"] = pd.Categorical(random.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True)
    frame["name"] = [f"row {i}" for i in range(n)]
    frame["w"] = random.integers(1, 4, n)
    frame["t"] = np.where(frame.x + (frame.city == "a") + random.normal(size=n) > 0.5, "yes", "no")
    frame.loc[random.random(n) < 0.15, ["z"]] = np.nan
    frame.loc[(random.random(n) < 0.3) & (frame.x > 0.5), "city"] = None
    roles = {"w": weights or "ignore", "name": "ignore"}
    table = engine.Table.from_frame(frame, target="t", roles=roles).with_partition(validation=0.4, seed=1)
    return table, frame, engine.grow(table, max_leaves=6, order="best_first", min_leaf=20)


def groups_of(table, tree, nodes, against, part):
    """The rows of the nodes and those that they are compared with, by the leaf that each row reaches."""
    below = {node: {int(i) for i in range(tree.position(node), tree.end[tree.position(node)])} for node in tree.ids}
    leaf, is_in = tree.apply(table), table.part == part
    ours = np.isin(leaf, list(set().union(*(below[node] for node in nodes))))
    if against == "rest":
        theirs = ~ours
    elif against == "sibling":
        above = {int(tree.parent[tree.position(node)]) for node in nodes}
        theirs = np.isin(leaf, list(set().union(*(below[int(tree.ids[i])] for i in above)))) & ~ours
    else:
        theirs = np.isin(leaf, list(below[against]))
    return np.flatnonzero(ours & is_in), np.flatnonzero(theirs & is_in)


@pytest.mark.parametrize("against", ["rest", "sibling", 0, "validation"])
@pytest.mark.parametrize("weights", [None, "weight", "frequency"])
def test_every_column_as_its_slow_twin(weights, against):
    table, frame, tree = planted(weights)
    for nodes in ([int(tree.ids[tree.leaves[2]])], tree.ids[tree.leaves[[0, 3]]].tolist()):
        found = engine.profile(table, tree, nodes if len(nodes) > 1 else nodes[0], against)
        assert set(found.index) == {"x", "z", "city", "size", "name", "t", *(["w"] if weights is None else [])}
        assert (np.diff(found.beyond_chance) <= 1e-12).all()
        if against == "validation":
            ours, theirs = (groups_of(table, tree, nodes, "rest", part)[0] for part in (1, 0))
            assert "validation_share" not in found
        else:
            ours, theirs = groups_of(table, tree, nodes, against, 0)
        w = frame.w.to_numpy(float) if weights else np.ones(len(frame))
        for name, row in found.drop(index="name").iterrows():
            ordered = name in ("x", "z", "size", "w")
            series = frame[name].cat.codes if name == "size" else frame[name]
            p, q = (naive_profile.shares(series.iloc[rows], w[rows]) for rows in (ours, theirs))
            assert row.difference == pytest.approx(naive_profile.largest_difference(p, q, ordered), abs=1e-12)
            assert row.missing == pytest.approx(p.get(None, 0)) and row.other_missing == pytest.approx(q.get(None, 0))
            assert row.share - row.other_share == pytest.approx(row.difference)
            if name in ("x", "z"):
                known = [rows[frame[name].notna().to_numpy()[rows]] for rows in (ours, theirs)]
                means = [np.average(frame[name].iloc[rows], weights=w[rows]) for rows in known]
                assert [row["mean"], row.other_mean] == pytest.approx(means)


def test_without_missing_values_it_is_the_distance_of_kolmogorov_and_smirnov():
    table, frame, tree = planted()
    leaf = int(tree.ids[tree.leaves[1]])
    ours, theirs = groups_of(table, tree, [leaf], "rest", 0)
    row = engine.profile(table, tree, leaf).loc["x"]
    assert row.difference == pytest.approx(stats.ks_2samp(frame.x[ours], frame.x[theirs]).statistic)
    a, b = frame.x[ours], frame.x[theirs]
    pooled = ((a.size - 1) * a.var() + (b.size - 1) * b.var()) / (a.size + b.size - 2)
    assert row.d == pytest.approx((a.mean() - b.mean()) / np.sqrt(pooled), rel=0.02)


@pytest.mark.parametrize("against", ["rest", "sibling"])
def test_the_condition_is_what_it_says_on_both_parts(against):
    table, frame, tree = planted()
    leaf = int(tree.ids[tree.leaves[3]])
    found = engine.profile(table, tree, leaf, against)
    texts = {name: row.condition for name, row in found.iterrows() if row.condition}
    assert {"x", "city"} <= set(texts)
    for part, prefix in ((0, ""), (1, "validation_")):
        rows, others = groups_of(table, tree, [leaf], against, part)
        for name in ("x", "z"):
            text, low = texts[name].removesuffix(" or missing"), -np.inf
            number = float(text.split()[-1].replace("−", "-"))
            low, high = (-np.inf, number) if "≤" in text else (number, np.inf)
            holds = (frame[name] > low) & (frame[name] <= high)
            holds |= frame[name].isna() & texts[name].endswith(" or missing")
            shares = [float(holds.iloc[each].mean()) for each in (rows, others)]
            assert [found.loc[name, f"{prefix}share"], found.loc[name, f"{prefix}other_share"]] == pytest.approx(shares)
    assert np.allclose(found.validation_difference, found.validation_share - found.validation_other_share)


@pytest.mark.parametrize("name", ["city", "name", "x"])
def test_chance_is_what_random_groups_show(name):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"city": random.choice(list("abcd"), 120), "name": [f"row {i}" for i in range(120)]})
    frame["x"], frame["group"] = random.normal(size=120), ["in"] * 40 + ["out"] * 80
    frame["t"] = frame.group
    table = engine.Table.from_frame(frame, target="t", roles={"name": "feature"})
    tree = engine.Tree.root(table).split(table, 0, engine.Split("group", "groups", groups=(("in",), ("out",))))
    row = engine.profile(table, tree, int(tree.ids[1])).loc[name]
    series = frame[name].where(frame[name] != "city")
    if name == "name":
        assert (row.difference, row.chance) == pytest.approx((1, 1))  # every name stands in one group
        return
    expected = naive_profile.mean_by_chance(series, 40, name == "x", 300)
    assert row.chance == pytest.approx(expected, rel=0.15)


def test_a_column_that_says_nothing_comes_last_and_names_no_condition():
    frame = pd.DataFrame({"x": [0.0, 1.0] * 50, "same": 7.0, "t": ["a", "b"] * 50})
    table = engine.Table.from_frame(frame, target="t")
    tree = engine.grow(table)
    found = engine.profile(table, tree, int(tree.ids[1]))
    assert found.index.tolist() == ["x", "t", "same"]
    assert found.condition.tolist() == ["x ≤ 0.5", "t = a", ""]
    assert found.beyond_chance.tolist()[:2] == [1, 1] and found.loc["same", "difference"] == 0
    assert "validation_share" not in found


def test_test_rows_are_not_looked_at():
    table, _, tree = planted()
    held = table.with_partition(validation=0.3, test=0.3, seed=2)
    groups = profiled_rows(held, tree, [int(tree.ids[tree.leaves[0]])], "rest")
    assert not held.sealed[np.concatenate(groups)].any()


def test_what_cannot_be_compared_says_so():
    table, _, tree = planted()
    for against in ("rest", "sibling"):
        with pytest.raises(engine.InputError, match="no rows to compare with"):
            engine.profile(table, tree, 0, against)
    with pytest.raises(engine.InputError, match="“mean” cannot be compared with"):
        engine.profile(table, tree, 1, "mean")
    with pytest.raises(engine.InputError, match="no node 99"):
        engine.profile(table, tree, 1, 99)


def test_a_stop_leaves_what_was_compared():
    table, _, tree = planted()
    progress = engine.Progress(lambda done, text: progress.stop() if done > 0.3 else None)
    assert 0 < len(engine.profile(table, tree, 1, progress=progress)) < 6
