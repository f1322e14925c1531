"""LogWorth ranks columns by the adjusted p-value of their best split, wherever splits are searched."""

import json

import numpy as np
import pandas as pd
import pytest

import engine
from engine.tree.assignment import assign
from tests.engine.command.running import run
from tests.naive_significance import best_of_permutations, partitions

WAYS = (
    {}, {"nominal": "multiway", "min_leaf": 4}, {"missing": "branch"}, {"missing": "surrogate", "min_rows": 20},
    {"nominal": "one_vs_rest"}, {"significance": 0.2}, {"m_of_n": True, "max_depth": 2},
)  # fmt: skip


NAMES = {False: ("logworth", "gini"), True: ("f_logworth", "squared_error")}


def made(weighted="none", n=150, seed=0, number=False):
    """Numbers and levels, some missing; the levels gain much by chance, the numbers tell something."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.normal(size=n), "few": random.integers(0, 4, n).astype(float)})
    frame["many"], frame["two"] = random.choice([f"v{i}" for i in range(25)], n), random.choice(list("pq"), n)
    signal = frame.x + frame.few / 2 + 1.5 * random.normal(size=n)
    frame["y"] = signal if number else [f"k{k}" for k in pd.qcut(signal, 3, labels=False)]
    frame.loc[random.random(n) < 0.1, "x"] = np.nan
    frame["w"] = random.integers(1, 4, n) / 2
    roles = {"w": weighted if weighted != "none" else "ignore"}
    return engine.Table.from_frame(frame, target="y", roles=roles).with_partition(validation=0.2)


def repeated(table, **options):
    """The tree of the best candidate of every leaf, split by hand."""
    tree, waiting = engine.Tree.root(table), [0]
    while waiting:
        node = waiting.pop()
        i = tree.position(node)
        if tree.rows_train[i] < options.get("min_rows", 2) or naive_pure(table, tree, node):
            continue
        if tree.level[i] >= options.get("max_depth", 99):
            continue
        found = [one for one in engine.candidates(table, tree, node, **options) if one.split is not None]
        least = options.get("significance")
        if not found or (least is not None and 10.0 ** -found[0].logworth * len(found) > least):
            continue
        tree = tree.split(table, node, found[0].split)
        waiting += [int(tree.ids[child]) for child in tree.children(tree.position(node))]
    return tree


def naive_pure(table, tree, node):
    """Whether all training rows of a node have one target."""
    rows = assign(table, tree).rows_of(tree.position(node))
    return len({table.y[r] for r in rows if table.part[r] == engine.TRAIN}) < 2


@pytest.mark.parametrize("weighted", ["none", "weight"])
@pytest.mark.parametrize("number", [False, True])
def test_columns_stand_in_the_order_of_their_p_values_each_with_its_best_split(weighted, number):
    table, (name, measures) = made(weighted, number=number), NAMES[number]
    found = engine.candidates(table, engine.Tree.root(table), criterion=name)
    by_gini = {one.column: one for one in engine.candidates(table, engine.Tree.root(table), criterion=measures)}
    assert [one.logworth for one in found] == sorted((one.logworth for one in found), reverse=True)
    assert {one.column: (one.split, one.gain, one.logworth) for one in found} == {
        name: (one.split, one.gain, one.logworth) for name, one in by_gini.items()
    }
    assert all(one.scores[name] == one.logworth and one.scores[measures] == one.gain for one in found)
    ranks = [[one.column for one in ranking].index("many") for ranking in (list(by_gini.values()), found)]
    assert ranks[0] < ranks[1]


@pytest.mark.parametrize("weighted", ["none", "weight"])
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_growing_is_splitting_by_the_best_candidate_again_and_again(weighted, way):
    number = way % 2 == (weighted == "none")
    table, options = made(weighted, seed=way, number=number), WAYS[way] | {"criterion": NAMES[number][0]}
    grown, split = engine.grow(table, **options), repeated(table, **options)
    assert grown.n_nodes == split.n_nodes > 1
    assert [grown.split_at(i) for i in range(grown.n_nodes)] == [split.split_at(i) for i in range(split.n_nodes)]
    by_level = engine.grow(table, order="level", **options)
    assert [by_level.split_at(i) for i in range(split.n_nodes)] == [split.split_at(i) for i in range(split.n_nodes)]


def test_equal_p_values_are_told_apart_by_the_gain_then_by_the_place():
    """Two copies of a column, and one with the branches swapped, are as surprising; two levels of no gain come last."""
    frame = pd.DataFrame(
        {"none": list("uvuv") * 5, "a": list("uuvv") * 5, "b": list("vvuu") * 5, "y": list("ppqq") * 5}
    )
    table = engine.Table.from_frame(frame, target="y")
    found = engine.candidates(table, engine.Tree.root(table), criterion="logworth")
    assert [one.column for one in found] == ["a", "b", "none"]
    assert found[0].logworth == pytest.approx(found[1].logworth, rel=1e-12)


def test_the_order_is_that_of_permutations_of_the_target():
    """The p-values of the twin, which tries every partition of a column on every permutation."""
    random, n = np.random.default_rng(8), 60
    frame = pd.DataFrame({"levels": random.choice(list("abcdef"), n), "cut": random.integers(0, 6, n).astype(float)})
    frame["y"] = np.where(frame.cut + 2 * random.normal(size=n) > 2.5, "p", "q")
    table = engine.Table.from_frame(frame, target="y")
    p, y = {}, np.stack([table.y == 0, table.y == 1], axis=1).astype(float)
    for name, form in (("levels", "groups"), ("cut", "cuts")):
        codes = table.column(name).codes.astype(int) - 1
        order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes).tolist()
        some = partitions(form, len(sizes))
        dealt = best_of_permutations(y, np.ones(n), sizes, some, 4000, 1)
        (found,) = (c for c in engine.candidates(table, engine.Tree.root(table)) if c.column == name)
        share = naive_share(y[order], sizes, some)
        p[name] = float(np.mean(dealt >= share * (1 - 1e-9)))
        assert 10.0**-found.logworth == pytest.approx(p[name], rel=0.4, abs=2e-3)
    best = engine.candidates(table, engine.Tree.root(table), criterion="logworth")[0]
    assert best.column == min(p, key=p.get)


def naive_share(y, sizes, some):
    """What the best partition explains as it is."""
    cell, mean = np.repeat(np.arange(len(sizes)), sizes), y.mean(axis=0)
    best = 0.0
    for groups in some:
        parts = [y[np.isin(cell, group)] for group in groups]
        best = max(best, sum(len(part) * ((part.mean(axis=0) - mean) ** 2).sum() for part in parts) / len(y))
    return best


def test_it_is_written_out_and_kept():
    table = made()
    tree = engine.grow(table, criterion="logworth", max_depth=2)
    found = engine.candidates(table, engine.Tree.root(table), criterion="logworth")[0]
    worked = engine.arithmetic(found, "logworth")
    assert worked.drop == pytest.approx(found.gain) and worked.gain == pytest.approx(found.gain)
    assert worked.lines()[0] == "LogWorth: i = 1 − Σ pₖ²"
    assert worked.lines()[-1].startswith("LogWorth = −log₁₀ p = ")
    again = engine.tree_from_text(engine.tree_to_text(tree))
    assert again.options["criterion"] == "logworth"
    steps = engine.prune(table, tree, measure="impurity").steps
    assert steps[0].leaves == tree.n_leaves
    assert engine.prune(table, tree, "growth").steps[-1].leaves == 1


def test_a_p_value_is_of_one_split_so_two_levels_are_refused():
    table = made()
    with pytest.raises(engine.InputError, match="lookahead 2 cannot go with logworth"):
        engine.grow(table, criterion="logworth", lookahead=2)


def test_the_command_line_knows_it(tmp_path, capsys):
    made().to_frame().to_csv(tmp_path / "a.csv", index=False)
    code, said, wrong = run(
        capsys, tmp_path / "a.csv", "--target", "y", "--ignore", "w", "--no-window", "--criterion", "logworth",
        "--significance", "0.05", "--export", tmp_path / "tree.json",
    )  # fmt: skip
    assert (code, wrong) == (0, "") and "leaves" in said
    assert json.loads((tmp_path / "tree.json").read_text())["options"]["criterion"] == "logworth"


@pytest.mark.parametrize("number", [False, True])
def test_the_preset_ctree_tests_then_cuts(number):
    table = made(number=number, n=400)
    tree = engine.grow(table, preset="ctree")
    name = "number_association" if number else "association"
    said = {"criterion": name, "significance": 0.05, "min_rows": 20, "min_leaf": 7}
    assert {name: tree.options[name] for name in said} == said
    split = repeated(table, **said)
    assert tree.n_nodes > 1
    assert [tree.split_at(i) for i in range(tree.n_nodes)] == [split.split_at(i) for i in range(split.n_nodes)]
    assert engine.grow(table, preset="ctree", criterion=NAMES[number][1]).options["criterion"] == NAMES[number][1]
