"""Kearns and Mansour's pass against its definition, node by node."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.growing import grow
from engine.learning_theory.bounds import CAPACITIES, count_tests, log_capacities
from engine.pruning.result import prune
from engine.pruning.sequence import locked
from engine.runtime.errors import InputError
from engine.table.table import Table
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree
from tests.effort import examples
from tests.frames import frames
from tests.marked import table_and_tree, with_random_marks


def twin(table, tree, capacity, factor, delta, by_hand):
    """The leaves that the pass leaves, branch by branch: (errors, nodes, leaves) of what remains."""
    most = max(2, max(len(tree.children(i)) for i in range(tree.n_nodes)))
    paths, trees = log_capacities(table, capacity, tree.depth, tree.n_nodes, most)
    kept, wrong, weight = locked(tree, by_hand), tree.wrong("train"), tree.weight("train")

    def below(i):
        children = tree.children(i)
        if not children:
            return wrong[i], 1, [i]
        parts = [below(child) for child in children]
        errors, size = sum(part[0] for part in parts), 1 + sum(part[1] for part in parts)
        rows = int(tree.rows_train[i])
        if not kept[i]:
            if rows == 0 or weight[i] == 0:
                return wrong[i], 1, [i]
            rich = paths[tree.level[i]] + trees[size] + math.log(int(tree.rows_train[0]) / delta)
            alpha = factor * math.sqrt(rich / rows)
            if errors / weight[i] + alpha >= wrong[i] / weight[i] - 1e-12:
                return wrong[i], 1, [i]
        return errors, size, [leaf for part in parts for leaf in part[2]]

    return below(0)[2]


@examples(400)
@given(
    frames(task="classes"), st.integers(0, 10**6), st.sampled_from(CAPACITIES), st.floats(0, 0.3), st.booleans(),
    st.sampled_from([1e-6, 0.05, 1.0]),
)  # fmt: skip
def test_it_is_the_pass_of_the_notes(frame, seed, capacity, factor, by_hand, delta):
    table, tree = table_and_tree(frame, seed, 6)
    tree = with_random_marks(tree, seed, ("pinned", "locked"), 0.1)
    cut = prune(table, tree, "kearns_mansour", capacity=capacity, factor=factor, delta=delta, keep_by_hand=by_hand)
    chosen = cut.tree(cut.chosen)
    leaves = twin(table, tree, capacity, factor, delta, by_hand)
    assert chosen.ids[chosen.leaves].tolist() == tree.ids[leaves].tolist()
    assert cut.steps[0].leaves == tree.n_leaves
    assert cut.steps[cut.chosen].leaves == chosen.n_leaves


def noisy(n=2000, classes=2, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "c": random.choice(list("xyz"), n)})
    signal = (frame.a > 0) * 2.0 + (frame.c == "x") + random.normal(size=n)
    frame["y"] = np.digitize(signal, np.linspace(0.5, 2, classes - 1)).astype(str)
    return Table.from_frame(frame, target="y")


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_a_tree_that_knows_its_rows_by_heart_is_cut_to_what_holds(capacity):
    table = noisy()
    tree = grow(table)
    cut = prune(table, tree, "kearns_mansour", capacity=capacity, factor=0.3)
    chosen = cut.tree(cut.chosen)
    assert 2 <= chosen.n_leaves <= 4
    assert chosen.title(0) == "a"
    held = noisy(seed=1).to_frame()
    wrong = [float(np.mean(one.predict(held) != held.y)) for one in (chosen, tree)]
    assert wrong[0] < wrong[1] - 0.01


def test_without_a_penalty_only_what_saves_no_error_goes():
    table = noisy(300)
    tree = grow(table)
    cut = prune(table, tree, "kearns_mansour", factor=0)
    chosen = cut.tree(cut.chosen)
    assert chosen.error("train") == tree.error("train") == 0.0
    worst = prune(table, tree, "kearns_mansour", factor=10)
    assert worst.tree(worst.chosen).n_leaves == 1


def test_the_verdicts_are_the_two_numbers_and_alpha():
    table = noisy(400)
    tree = grow(table, max_depth=2)
    cut = prune(table, tree, "kearns_mansour", factor=0.1, delta=0.1)
    said, i = cut.verdicts, 1
    assert said.leaf[i] == pytest.approx(tree.wrong("train")[i] / tree.weight("train")[i])
    assert said.branch[i] == pytest.approx(tree.wrong("train")[2 : tree.end[1]].sum() / tree.weight("train")[i])
    m, rows = 400, int(tree.rows_train[i])
    rich = math.log(2 * count_tests(table)) + 3 * math.log(count_tests(table) + 3) + math.log(m / 0.1)
    assert said.allowance[i] == pytest.approx(0.1 * math.sqrt(rich / rows))
    assert "(a leaf may be " in said.words(i)
    assert said.words(2) == ""  # a leaf


def test_weights_and_priors_of_one_scale_change_nothing():
    frame = noisy(300).to_frame().assign(w=0.01)
    table, plain = (
        Table.from_frame(frame, target="y", weights="w"),
        Table.from_frame(frame.drop(columns="w"), target="y"),
    )
    trees = [grow(one, max_depth=5) for one in (table, plain)]
    cuts = [prune(one, tree, "kearns_mansour", factor=0.05) for one, tree in zip((table, plain), trees, strict=True)]
    assert cuts[0].tree(-1).ids.tolist() == cuts[1].tree(-1).ids.tolist()
    dear = trees[1].with_leaf_rule(plain, LeafRule(costs=(("0", "1", 50.0), ("1", "0", 50.0))))
    cut = prune(plain, dear, "kearns_mansour", factor=0.05)
    assert cut.tree(-1).ids.tolist() == cuts[1].tree(-1).ids.tolist()


def test_more_classes_and_branches_say_what_was_proved():
    table = noisy()
    assert prune(table, grow(table, max_depth=2), "kearns_mansour").remark == ""
    three = noisy(classes=3)
    assert "two classes" in prune(three, grow(three, max_depth=2), "kearns_mansour").remark
    wide = grow(table, max_depth=3, nominal="multiway")
    assert "two branches" in prune(table, wide, "kearns_mansour").remark


def test_a_numeric_target_is_refused():
    frame = noisy(100).to_frame().assign(y=range(100))
    table = Table.from_frame(frame, target="y")
    with pytest.raises(InputError, match="shares between 0 and 1"):
        prune(table, Tree.root(table), "kearns_mansour")


def test_a_tree_without_rows_is_cut_to_its_root():
    table = noisy(100)
    tree = grow(table, max_depth=2)
    empty = replace(tree, nodes=tree.nodes._replace(train=tree.train * 0, rows_train=tree.rows_train * 0))
    from engine.pruning.options import Options
    from engine.pruning.pessimistic import kearns_mansour

    cut = kearns_mansour(table, empty, Options(), None)
    assert cut.tree(-1).n_leaves == 1
    assert cut.verdicts.words(0) == ""


@pytest.mark.parametrize(("beside", "leaves"), [(0.995, 2), (1.005, 1)])
def test_a_branch_stays_by_however_little_it_saves_more_than_alpha(beside, leaves):
    """The factor is chosen so that α lies half a percent below, or above, what the split saves."""
    table = noisy()
    tree = grow(table, max_leaves=2)
    free = prune(table, tree, "kearns_mansour", factor=1e-9).verdicts
    saved, alpha = free.leaf[0] - free.branch[0], free.allowance[0]
    cut = prune(table, tree, "kearns_mansour", factor=beside * 1e-9 * saved / alpha)
    assert cut.tree(cut.chosen).n_leaves == leaves
