"""The theorems with the numbers of a tree: by hand, against the methods that minimize them, and on rows never seen."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.learning_theory.bounds import count_tests, deviation, log_capacities
from engine.learning_theory.weak_learning import COSTS, next_cost, notes_next_cost
from engine.splits import Split
from engine.tree.tree import Tree
from tests.effort import examples
from tests.frames import frames, table_of
from tests.marked import table_and_tree


def binary(d=3):
    """All rows of d binary columns: whether the first two are alike."""
    frame = pd.DataFrame(product("ab", repeat=d), columns=[f"x{i}" for i in range(d)])
    return engine.Table.from_frame(frame.assign(y=np.where(frame.x0 == frame.x1, "no", "yes")), target="y")


def halves(name):
    return Split(name, "groups", groups=(("a",), ("b",)))


@pytest.fixture(scope="module")
def penguins():
    table = engine.read_example("penguins").with_partition(validation=0.3, seed=0)
    return table, engine.grow(table, max_depth=5)


def test_the_description_by_hand():
    table = binary()
    tree = Tree.root(table).split(table, 0, halves("x0"))
    found = engine.theory(table, tree, delta=0.1).description
    assert (found.n_tests, found.n_labels, found.m, found.error) == (3, 2, 8, 0.5)
    assert found.bits == pytest.approx(4 * math.log2(3 + 3))  # n + 1 blocks of d + 3 symbols
    assert found.code.ideal == pytest.approx(found.bits)
    assert found.bound == pytest.approx(0.5 + math.sqrt((found.bits + math.log(20)) / 16))
    assert found.sharp == pytest.approx(0.5 + math.sqrt((found.bits * math.log(2) + math.log(20)) / 16))
    assert found.by_code == pytest.approx(0.5 + math.sqrt((12 * math.log(2) + math.log(20)) / 16))  # 3 digits a block
    assert found.is_counted
    assert engine.theory(table, tree).is_literal


def test_the_bounds_along_the_prunings_are_those_that_pruning_minimizes(penguins):
    table, tree = penguins
    found = engine.theory(table, tree, delta=0.05).description
    cut = engine.prune(table, tree, "mdl", code="notes")
    assert found.chosen == cut.chosen
    assert found.leaves.tolist() == [step.leaves for step in cut.steps]
    assert found.errors.tolist() == [step.train_error for step in cut.steps]
    assert found.validation.tolist() == [step.validation_error for step in cut.steps]
    assert found.bounds[0] == pytest.approx(found.bound)
    assert not engine.theory(table, tree).is_literal
    for i, bound in enumerate(found.bounds):
        smaller = replace(cut.tree(i), options=tree.options)
        assert engine.theory(table, smaller).description.bound == pytest.approx(bound)


def test_a_split_that_the_bound_does_not_count_is_told():
    table = binary()
    literals = [engine.Literal(name, "==", "a") for name in ("x0", "x1")]
    tree = Tree.root(table).split(table, 0, Split("x0", "m_of_n", m=1, literals=tuple(literals)))
    assert not engine.theory(table, tree).description.is_counted


@given(st.integers(0, 10**6))
@examples(200)
def test_the_promises_hold_on_labels_of_pure_noise(seed):
    """Of such trees no one errs less than half on new rows; with δ = 0.001 no seed of some hundred should fail."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.choice(list("ab"), (60, 4)), columns=list("wxuv"))
    frame["y"] = random.choice(["no", "yes"], 60)
    frame.loc[:1, "y"] = ["no", "yes"]
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, max_depth=int(random.integers(5)))
    theory = engine.theory(table, tree, delta=0.001)
    assert min(theory.description.bound, theory.description.sharp, theory.description.by_code) >= 0.5
    assert np.all(theory.description.bounds >= 0.5)
    nodes = theory.structural_risk.nodes
    assert np.all(np.abs(nodes.branch - 0.5) <= nodes.deviation)  # Lemma 12.2, for all nodes at once


def test_structural_risk_is_what_pruning_minimizes(penguins):
    table, tree = penguins
    found, cut = engine.theory(table, tree).structural_risk, engine.prune(table, tree, "srm")
    assert found.leaves.tolist() == [step.leaves for step in cut.steps]
    assert found.sums.tolist() == [
        pytest.approx(step.train_error + math.sqrt((2 * step.leaves - 1) / found.theorem.m)) for step in cut.steps
    ]
    assert found.chosen == cut.chosen == found.sums.argmin()


@examples(200)
@given(frames(task="classes"), st.integers(0, 10**6))
def test_the_nodes_say_what_the_pass_compares(frame, seed):
    table, tree = table_and_tree(frame, seed, 6)
    nodes, delta = engine.theory(table, tree, delta=0.2).structural_risk.nodes, 0.2
    pruning = engine.prune(table, tree, "kearns_mansour", delta=delta)
    paths, trees = log_capacities(table, "size", tree.depth, tree.n_nodes, max(2, int(tree.n_branches.max())))
    m = int(tree.rows_train[0])
    for k, node in enumerate(nodes.node.tolist()):
        i = tree.position(node)
        rich = paths[nodes.depth[k]] + trees[nodes.size[k]]
        assert nodes.depth[k] == tree.level[i]
        assert nodes.penalty[k] == pytest.approx(0.1 * math.sqrt((rich + math.log(m / delta)) / nodes.rows[k]))
        assert nodes.deviation[k] == pytest.approx(float(deviation(rich, nodes.rows[k], delta)))
        assert nodes.leaf[k] == pytest.approx(pruning.verdicts.leaf[i])
        assert nodes.branch[k] == pytest.approx(pruning.verdicts.branch[i])
        assert nodes.cut[k] == (nodes.branch[k] + nodes.penalty[k] >= nodes.leaf[k] - 1e-12)


def test_the_terms_of_the_theorem(penguins):
    table, tree = penguins
    found = engine.theory(table, tree, delta=0.05).structural_risk.theorem
    best = engine.prune(table, tree, "reduced_error")
    opt = best.tree(best.chosen)
    m, n = int(tree.rows_train[0]), count_tests(table)
    assert found.by_validation
    assert (found.size, found.depth, found.m) == (opt.n_nodes, opt.depth, m)
    assert found.log_tests == pytest.approx(math.log(2 * n))
    assert found.rare == pytest.approx(12 * opt.n_nodes * math.log(opt.n_nodes / 0.05) / m)
    inner = (1 + opt.depth) * math.log(2 * n) + math.log(m / 0.05)
    assert found.common == pytest.approx(3 * 2 / m * math.sqrt(opt.n_nodes * inner * m * opt.depth))
    pruning = engine.prune(table, replace(opt, options=tree.options), "kearns_mansour", factor=math.sqrt(2))
    assert set(found.cut.tolist()) >= set(opt.ids.tolist()) - set(pruning.tree(pruning.chosen).ids.tolist()) - {
        int(opt.ids[i]) for i in opt.leaves
    }
    assert all(summand > 0 for summand in found.summands)
    no_rows_aside = table.with_partition(validation=0.0)
    risk = engine.theory(no_rows_aside, engine.grow(no_rows_aside, max_depth=4)).structural_risk
    assert not risk.theorem.by_validation
    assert risk.theorem.size == 2 * risk.leaves[risk.chosen] - 1


def test_one_leaf_loses_nothing_but_rare_nodes():
    table = binary()
    theory = engine.theory(table, Tree.root(table))
    found = theory.structural_risk.theorem
    assert (found.size, found.depth, found.common, found.summands) == (1, 0, 0.0, (0.0, 0.0, 0.0))
    assert theory.weak_learning.steps == {}
    assert theory.weak_learning.weakest is None
    assert math.isnan(theory.weak_learning.gamma)
    assert theory.weak_learning.leaf == 0
    assert [growth.real.tolist() for growth in theory.weak_learning.growth.values()] == [[0.5]] * 3


def test_the_split_of_the_notes_from_four_fifths():
    """0.8 → 0.6 and 1.0: drops 0.08, 0.118226 (half of the bits) and 0.155051."""
    table = engine.read_example("purity")
    tree = engine.grow(table, max_depth=1)
    found = engine.theory(table, tree).weak_learning
    drops = {name: float(found.splits.drops[name][0]) for name in COSTS}
    assert drops == pytest.approx({"gini": 0.08, "entropy": 0.118226, "sqrt": 0.155051}, abs=1e-6)
    assert found.gamma == pytest.approx(0.5 * 0.5 * 0.4 / (2 * 0.8 * 0.2))  # τ(1 − τ)d = 2γq(1 − q)
    assert found.splits.least["gini"][0] == pytest.approx(0.08)  # both branches hold half of the rows
    assert found.splits.notes[0] == pytest.approx(0.04)
    assert (found.error, found.leaf_error, found.leaf_share) == (pytest.approx(0.2), pytest.approx(0.4), 0.5)


@examples(150)
@given(frames(task="classes", weighted=False), st.sampled_from(["gini", "entropy", "sqrt"]), st.sampled_from("uv"))
def test_trees_that_are_grown_to_the_end_grow_as_fast_as_promised(frame, criterion, positive):
    """Where every leaf is pure or split further, the hypothesis holds with the least γ of the splits."""
    frame = frame.drop_duplicates(["a", "b"]).dropna().drop(columns=["c", "d"])
    frame["y"] = np.where(frame.y == positive, "yes", "no")
    if frame.y.nunique() < 2:
        return
    table = table_of(frame)
    found = engine.theory(table, engine.grow(table, criterion=criterion), positive="yes").weak_learning
    assert found.error == pytest.approx(0)
    for name, growth in found.growth.items():
        assert growth.real[-1] == pytest.approx(0, abs=1e-9)
        for t, (now, then) in enumerate(zip(growth.real, growth.real[1:], strict=False)):
            assert then <= next_cost(name, now, t + 1, found.gamma) + 1e-9
            if name == "gini" and t:
                assert then <= notes_next_cost(now, t, found.gamma) + 1e-9
        assert np.all(growth.real <= growth.bounded + 1e-9)
    assert np.all(found.growth["gini"].real <= found.growth["gini"].notes + 1e-9)
    assert np.all(found.growth["gini"].bounded <= found.growth["gini"].notes + 1e-9)


@examples(200)
@given(frames(task="classes"), st.integers(0, 10**6))
def test_every_split_of_any_tree_drops_by_what_it_has_to(frame, seed):
    table, tree = table_and_tree(frame, seed, 6)
    for positive in tree.classes:
        found = engine.theory(table, tree, positive=positive).weak_learning
        for name in COSTS:
            assert np.all(found.splits.drops[name] >= found.splits.least[name] - 1e-9)
            assert np.all(found.splits.drops[name] >= found.splits.notes - 1e-9)
        assert found.error <= found.growth["gini"].real[-1] + 1e-9  # ε ≤ G ≤ 2ε
        assert found.growth["gini"].real[-1] <= 2 * found.error + 1e-9
        if found.leaf is not None:
            assert found.leaf_share * 3 * max(tree.n_leaves - 1, 1) >= found.error - 1e-9
            assert 3 * found.leaf_error >= found.error - 1e-9


@examples(60)
@given(frames(task="classes", rows=(4, 12), weighted=False), st.integers(0, 10**6))
def test_one_row_of_each_leaf_is_shattered_and_not_one_more(frame, seed):
    table, tree = table_and_tree(frame, seed, 3)
    of_row = tree.apply(table)[table.rows(engine.TRAIN)]
    found = engine.theory(table, tree).counting
    assert found.shattered == len(set(of_row.tolist()))  # rows of one leaf are labelled alike, those of several freely


def test_a_tree_with_a_leaf_for_each_row_shatters_them():
    rows = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": list("abab")})
    for labels in product(["no", "yes"], repeat=4):
        if len(set(labels)) < 2:
            continue
        table = engine.Table.from_frame(rows.assign(y=labels), target="y")
        tree = engine.grow(table)
        assert tree.error() == 0
        assert tree.n_leaves <= engine.theory(table, tree).counting.kinds == 4


def test_counting_of_binary_features():
    table = binary(4)
    tree = engine.grow(table)
    found = engine.theory(table, tree, delta=0.05, epsilon=0.1).counting
    assert (found.binary, found.cells, found.kinds, found.n_tests) == (4, 16, 16, 4)
    assert found.layers == tree.depth + 1
    assert tree.n_leaves <= 2 ** (found.layers - 1)
    assert found.by_depth == {1: 2 + 4 * 2**2, 2: 2 + 4 * 18**2, 3: 2 + 4 * (2 + 4 * 18**2) ** 2}
    bits = (tree.n_nodes + 1) * math.log2(4 + 3)
    assert found.samples.description == math.ceil((bits + math.log(40)) / 0.02)
    assert found.samples.consistent <= found.samples.counted <= found.samples.description
    assert found.vc_trees >= tree.n_leaves


def test_so_many_rows_make_the_bound_as_near_as_was_asked_for(penguins):
    table, tree = penguins
    theory = engine.theory(table, tree, epsilon=0.07, delta=0.01)
    slack = theory.description.bound - theory.description.error
    m = theory.counting.samples.description
    assert slack * math.sqrt(theory.description.m / m) <= 0.07 < slack * math.sqrt(theory.description.m / (m - 1))


def test_more_trees_than_can_be_written_down_are_not():
    frame = pd.DataFrame({"x": [f"level {i}" for i in range(3000)], "y": ["a", "b", "c"] * 1000})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, preset="id3")
    assert set(engine.theory(table, tree).counting.by_depth) <= {1, 2}


def test_what_cannot_be_promised_is_refused(penguins):
    table, tree = penguins
    with pytest.raises(engine.InputError, match="δ cannot be 0"):
        engine.theory(table, tree, delta=0)
    with pytest.raises(engine.InputError, match=r"ε cannot be 1\.5"):
        engine.theory(table, tree, epsilon=1.5)
    with pytest.raises(engine.InputError, match="no class “Emperor”"):
        engine.theory(table, tree, positive="Emperor")
    concrete = engine.read_example("concrete")
    with pytest.raises(engine.InputError, match="is numeric"):
        engine.theory(concrete, engine.grow(concrete, max_depth=2))


def test_parts_are_made_when_they_are_asked_for_and_kept(penguins):
    theory = engine.theory(*penguins)
    assert set(vars(theory)) == {"table", "tree", "delta", "epsilon", "positive"}
    assert theory.weak_learning is theory.weak_learning
    assert theory.positive == "Adelie"  # the most frequent of three
    assert "counting" not in vars(theory)


def test_a_tree_of_other_rows_is_counted_again(penguins):
    table, tree = penguins
    other = table.with_partition(validation=0.5, seed=1)
    assert engine.theory(other, tree).description.m == other.n_train
