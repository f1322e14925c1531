"""The criterion of `tests.engine.cubic`, registered and in no file of the program, through all that asks for one.

Collected by `test_added_criterion` only, in a process of its own: there the kernels know it.
"""

import json
import math

import numba
import numpy as np
import pandas as pd
import pytest

import engine
from engine.criteria import drawn_criteria
from engine.ranking.arithmetic import criteria_of
from engine.search.tally import NodeRows
from engine.significance import kernels
from engine.splits import branch_of_rows
from engine.tree.arrays import weighted_drops
from tests import naive
from tests.engine.command.running import run

AS_PYTHON = numba.config.DISABLE_JIT  # which is slow: fewer rows, fewer tables
ROWS = 40 if AS_PYTHON else 160
CLASSES = (2, 3, 5)
if AS_PYTHON:
    kernels.MOST = kernels.LEAST = 199  # permutations: they are judged by squares, whatever the criterion
EVERY = [(2, False), (3, True)] if AS_PYTHON else [(k, weighted) for k in CLASSES for weighted in (False, True)]


def made(k, weighted, n=ROWS):
    """Numbers, few values, levels, missing values; rows that validate."""
    random = np.random.default_rng(k)
    frame = pd.DataFrame({"x": random.normal(size=n).round(1), "few": random.integers(0, 5, n).astype(float)})
    frame["level"] = random.choice(list("abcdef"), n)
    signal = frame["x"] + frame["few"] / 3 + frame["level"].isin(["b", "e"]) + random.normal(size=n) / 2
    frame["y"] = [f"k{v}" for v in pd.qcut(signal, k, labels=False)]
    frame.loc[random.random(n) < 0.1, "x"] = np.nan
    frame.loc[random.random(n) < 0.1, "level"] = None
    frame["w"] = random.integers(1, 4, n) / 2
    if not weighted:
        frame = frame.drop(columns="w")
    table = engine.Table.from_frame(frame, target="y", weights="w" if weighted else None)
    return table.with_partition(validation=0.25)


def gain(stats):
    return float(naive.gain("cubic", [list(stat) for stat in stats]))


def check_tree(tree):
    """Every split of a tree lowers the criterion by what exact fractions say."""
    assert tree.options["criterion"] == "cubic"
    assert tree.n_leaves > 1
    drops, total = weighted_drops(tree, "cubic"), tree.weight("train")
    for i in np.flatnonzero(tree.n_branches):
        expected = gain(tree.train[tree.children(i)])
        assert expected >= -1e-12
        assert drops[i] == pytest.approx(expected * total[i] / total[0], abs=1e-12)


@pytest.mark.parametrize(("k", "weighted"), EVERY)
@pytest.mark.parametrize(
    "options", [{}, {"nominal": "multiway"}, {"nominal": "one_vs_rest", "min_leaf": 9}, {"numeric": "bucket_cuts"}]
)
def test_candidates_gain_what_fractions_say_and_no_cut_gains_more(k, weighted, options):
    table = made(k, weighted)
    found = engine.candidates(table, engine.Tree.root(table), criterion="cubic", **options)
    assert len(found) == 3
    for one in found:
        assert one.gain == one.scores["cubic"] == pytest.approx(gain(one.train), abs=1e-12)
        assert one.validation_gain == one.validation_gain
        assert engine.noise_of_gain("cubic", one.train, 100) >= 0
    if options.get("numeric"):
        return
    inside = NodeRows.root(table)
    for name in ("x", "few"):
        counted = inside.count(table.index(name))
        rows = counted.rows_train
        stats = [list(stat) for stat, n in zip(counted.train, rows, strict=True) if n]
        lacking = list(counted.missing_train), counted.missing_rows_train
        best = naive.best_cut("cubic", stats, rows[rows > 0].tolist(), *lacking, options.get("min_leaf", 1))
        (one,) = (one for one in found if one.column == name)
        assert one.gain == pytest.approx(float(best[0][0]), abs=1e-12)


@pytest.mark.parametrize(("k", "weighted"), EVERY)
@pytest.mark.parametrize("order", ["depth_first", "best_first", "level"])
def test_growing_in_every_order_and_in_the_general_way(k, weighted, order):
    table = made(k, weighted)
    full = engine.grow(table, criterion="cubic")
    check_tree(full)
    ways = [{}, {"missing": "surrogate"}, {"missing": "branch"}, {"m_of_n": True}]
    for way in ways if order == "best_first" else ways[:1]:
        tree = engine.grow(table, criterion="cubic", order=order, max_leaves=7, **way)
        assert tree.n_leaves <= 7
        check_tree(tree)


@pytest.mark.parametrize(("k", "weighted"), EVERY)
def test_two_levels_gain_what_brute_force_says(k, weighted):
    table = made(k, weighted, 40)
    found = engine.candidates(table, engine.Tree.root(table), criterion="cubic", lookahead=2)
    for one in found:
        assert one.ahead >= one.gain - 1e-12
    tree = engine.grow(table, criterion="cubic", lookahead=2, max_depth=2)
    check_tree(tree)
    assert tree.split_at(0) == found[0].split
    rows = table.rows(engine.TRAIN)
    branch = branch_of_rows(found[0].split, table, rows)
    below = []
    for b in np.unique(branch):
        part = table.take(rows[branch == b])
        best = engine.candidates(part, engine.Tree.root(part), criterion="cubic")
        share = engine.Tree.root(part).weight("train")[0] / engine.Tree.root(table).weight("train")[0]
        below.append(share * max((one.gain for one in best if one.split is not None), default=0.0))
    assert found[0].ahead == pytest.approx(found[0].gain + sum(below), abs=1e-12)


@pytest.mark.parametrize(("k", "weighted"), EVERY)
def test_impurity_is_paid_for_and_growth_is_taken_back(k, weighted):
    table = made(k, weighted)
    tree = engine.grow(table, criterion="cubic")
    total = tree.weight("train")
    drops = {i: gain(tree.train[tree.children(i)]) * total[i] / total[0] for i in np.flatnonzero(tree.n_branches)}
    growth = engine.prune(table, tree, method="growth")
    assert sum(step.alpha for step in growth.steps) == pytest.approx(sum(drops.values()), abs=1e-12)
    for i in (len(growth.steps) // 2, len(growth.steps) - 3):
        grown = engine.grow(table, criterion="cubic", order="best_first", max_leaves=growth.steps[i].leaves)
        assert growth.tree(i).nodes.rows_train.tolist() == grown.nodes.rows_train.tolist()
    paid = engine.prune(table, tree, method="cost_complexity", measure="impurity")
    weakest = min(
        sum(drops[j] for j in drops if i <= j < tree.end[i]) / (tree.n_branches[i : tree.end[i]] > 0).sum()
        for i in drops
        if tree.n_branches[i] == 2
    )
    alphas = [step.alpha for step in paid.steps]
    assert alphas == sorted(alphas)
    assert min(alpha for alpha in alphas if alpha > 0) == pytest.approx(weakest, abs=1e-12)


@pytest.mark.parametrize(("k", "weighted"), EVERY)
def test_significance_stops_growing_and_prunes(k, weighted):
    table = made(k, weighted)
    tree = engine.grow(table, criterion="cubic", significance=0.05)
    check_tree(tree)
    full = engine.grow(table, criterion="cubic")
    assert tree.n_leaves < full.n_leaves
    pruned = engine.prune(table, full, method="by_rule", significance=0.01)
    assert pruned.tree(pruned.chosen).n_leaves < full.n_leaves


@pytest.mark.parametrize(("k", "weighted"), EVERY)
def test_the_canvas_and_why_show_its_figures(k, weighted):
    from gui.panels.this_node.candidates.figures import FIGURES
    from gui.panels.this_node.why.figure import geometry
    from gui.picture.nodes import figures

    table = made(k, weighted)
    tree = engine.grow(table, criterion="cubic", max_depth=3)
    assert figures.impurity_name(tree) == "cubic"
    for i, shown in enumerate(figures.part_impurities(tree, "train")):
        assert shown == pytest.approx(float(naive.impurity("cubic", tree.train[i].tolist())), abs=1e-12)
    found = engine.candidates(table, engine.Tree.root(table), criterion="cubic")[0]
    worked = engine.arithmetic(found, "cubic")
    assert "cubic" in criteria_of(found)
    assert worked.drop == pytest.approx(gain(found.train), abs=1e-12)
    assert worked.lines()[0] == "Cubic: i = ½(1 − Σ pₖ³)"
    terms = worked.node.terms.replace("½ · ", "0.5*").replace("−", "-").replace("³", "**3").replace(",", "")
    assert eval(terms) == pytest.approx(worked.node.impurity, abs=1e-6)
    drawn = geometry(found, "cubic", tree, 0)
    assert set(drawn.curves) == set(drawn_criteria()) and "cubic" in drawn.curves
    _, y = drawn.curves["cubic"]
    assert y[100] == pytest.approx(0.5)
    assert y[20] == pytest.approx(float(naive.impurity("cubic", [0.1, 0.9])) / 0.375 * 0.5, abs=1e-12)
    two = found.train if k == 2 else [np.array([stat[0], stat.sum() - stat[0]]) for stat in found.train]
    assert drawn.drop == pytest.approx(gain(two), abs=1e-12)
    assert "cubic" in [figure.name for figure in FIGURES]


@pytest.mark.parametrize("weighted", [False, True])
def test_the_command_line_and_json_know_it(tmp_path, capsys, weighted):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=90), "w": random.integers(1, 3, 90)})
    frame["y"] = np.where(frame["x"] + random.normal(size=90) > 0, "p", np.where(frame["x"] > 1, "q", "r"))
    frame.to_csv(tmp_path / "a.csv", index=False)
    more = ("--weights", "w") if weighted else ("--ignore", "w")
    code, said, wrong = run(
        capsys, tmp_path / "a.csv", "--target", "y", "--no-window", "--criterion", "cubic", "--order", "best-first",
        "--max-leaves", "6", "--prune", "cost-complexity", *more, "--export", tmp_path / "tree.json",
    )  # fmt: skip
    assert (code, wrong) == (0, "")
    assert "leaves" in said
    assert json.loads((tmp_path / "tree.json").read_text())["options"]["criterion"] == "cubic"
    tree = engine.read_tree(tmp_path / "tree.json")
    assert engine.tree_to_text(tree) == engine.tree_to_text(engine.tree_from_text(engine.tree_to_text(tree)))
    assert engine.impurity("cubic", tree.train[0]) == pytest.approx(
        float(naive.impurity("cubic", tree.train[0].tolist()))
    )
    assert math.isfinite(engine.scaled_impurity("cubic", tree.train[0]))
