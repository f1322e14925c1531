"""Pruning by rule: the largest of all prunings that obey, found by looking at every one of them."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.growing import grow
from engine.pruning.by_rule import ROUNDING, SplitEvidence
from engine.pruning.result import prune
from engine.ranking.candidates import weigh
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.significance.batch import log_p_single, rows_tested
from engine.splits import Split
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.assignment import assign
from engine.tree.tree import Tree
from tests import naive_pruning as naive
from tests.effort import examples
from tests.engine.pruning.small_trees import children_of, halved, noisy


def made(seed, task, multiway):
    """A small table with weights, rows that validate, and a tree of it whose branches may be empty."""
    rng = np.random.default_rng(seed)
    n = 50
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(list("xyz"), n)})
    frame["w"], frame["t"] = rng.integers(1, 3, n), rng.integers(0, 3, n)
    frame.loc[:2, "t"], frame.loc[:2, "c"] = [0, 1, 2], list("xyz")
    kind = "number" if task == "number" else "nominal"
    table = Table.from_frame(frame, target="t", weights="w", kinds={"t": kind}).with_partition(validation=0.3)
    if not multiway:
        return table, halved(table, ["a", "b"], 3)
    tree = Tree.root(table).split(table, 0, Split("c", "groups", groups=(("x",), ("y",), ("z",))))
    for node in (1, 2, 3):
        tree = tree.split(table, node, Split("a", "threshold", (float(rng.normal()),)))
    return table, tree


def standing(children, leaves):
    """The splits above the leaves of a pruning."""
    found, waiting = set(), [0]
    while waiting:
        v = waiting.pop()
        if v not in leaves:
            found.add(v)
            waiting += children[v]
    return found


def cheapest(children, stands, cost, price, v):
    if v not in stands:
        return cost[v]
    return min(cost[v], price + sum(cheapest(children, stands, cost, price, child) for child in children[v]))


def below(children, stands, v):
    """(splits, leaves) at and below v."""
    if v not in stands:
        return [], [v]
    found = [below(children, stands, child) for child in children[v]]
    return [v, *(s for splits, _ in found for s in splits)], [leaf for _, leaves in found for leaf in leaves]


def varied(table, tree):
    """By node the columns of two values or more among its training rows, a missing value being one."""
    at = assign(table, tree)
    rows = [[r for r in at.rows_of(v) if table.part[r] == TRAIN] for v in range(tree.n_nodes)]
    return [sum(len({*table.columns[place].codes[some]}) > 1 for place in table.features) for some in rows]


def obeys(table, tree, children, stands, asked, p, varied):
    for v in stands:
        splits, leaves = below(children, stands, v)
        least = asked.get("min_leaf", (0,))
        if any(tree.rows_train[child] < least[min(tree.level[v], len(least) - 1)] for child in children[v]):
            return False
        if "min_validation_gain" in asked:
            cost, price = tree.costs("validation"), asked["min_validation_gain"] * tree.weight("validation")[0]
            stay = price + sum(cheapest(children, stands, cost, price, child) for child in children[v])
            if cost[v] <= stay + 1e-9:
                return False
        if "significance" in asked and asked.get("significance_of") == "split":
            if all(p[s] > asked["significance"] for s in splits):
                return False
        elif "significance" in asked and p[v] * varied[v] > asked["significance"]:
            return False
        said = tree.labels if tree.task == "classes" else tree.predictions.round(9)
        if asked.get("same_answer") and len({said[leaf] for leaf in leaves} | {said[v]}) == 1:
            return False
    return True


RULES = st.fixed_dictionaries(
    {},
    optional={
        "min_leaf": st.sampled_from([(3,), (8,), (12, 4), (5, 5, 1)]),
        "min_validation_gain": st.sampled_from([-0.05, 0.0, 0.02]),
        "significance": st.sampled_from([0.05, 0.3, 0.8]),
        "significance_of": st.sampled_from(["tree", "split"]),
        "same_answer": st.just(True),
    },
)


@examples(300)
@given(st.integers(0, 10**6), st.sampled_from(["classes", "number"]), st.booleans(), RULES)
def test_it_is_the_largest_pruning_that_obeys_all_rules(seed, task, multiway, asked):
    table, tree = made(seed, task, multiway)
    children = children_of(tree)
    p = np.ones(tree.n_nodes)
    for v in np.flatnonzero(tree.n_branches):
        p[v] = np.exp(weigh(table, tree, int(tree.ids[v]), tree.split_at(int(v))).evidence.log_adjusted)
    columns = varied(table, tree)
    fair = [standing(children, leaves) for leaves in naive.prunings(children)]
    fair = [stands for stands in fair if obeys(table, tree, children, stands, asked, p, columns)]
    largest = set().union(*fair)
    assert largest in fair
    pruning = prune(table, tree, "by_rule", **asked)
    chosen = pruning.tree(pruning.chosen)
    assert set(chosen.ids[chosen.n_branches > 0].tolist()) == {int(tree.ids[v]) for v in largest}
    assert pruning.full is tree
    if not {*asked} - {"significance_of"}:
        assert pruning.remark == "No rule was given, so nothing was cut."


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from(["classes", "number"]), st.booleans())
def test_a_single_test_is_that_of_the_candidates_and_never_above_the_adjusted_one(seed, task, multiway):
    table, tree = made(seed, task, multiway)
    single = log_p_single(tree, rows_tested(table, tree, assign(table, tree)))
    for v in np.flatnonzero(tree.n_branches):
        proof = weigh(table, tree, int(tree.ids[v]), tree.split_at(int(v))).evidence
        assert single[v] == pytest.approx(proof.log_p, rel=ROUNDING, abs=ROUNDING)
        permuted = proof.deals > 0 and (tree.n_branches[v] > 2 or table.weights is not None)  # those are not asymptotic
        assert proof.log_adjusted >= proof.log_p or permuted


@examples(60)
@given(st.integers(0, 10**6), st.sampled_from(["direction", "branch"]), st.sampled_from([1, 3]), st.booleans())
def test_p_values_of_cuts_are_those_of_the_candidates(seed, missing, min_leaf, weighted):
    rng = np.random.default_rng(seed)
    n = 120
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 6, n).astype(float)})
    frame["t"], frame["w"] = rng.choice(list("uvw"), n), rng.integers(1, 3, n)
    frame.loc[rng.random(n) < 0.2, "a"] = np.nan
    roles = {"w": "weight" if weighted else "ignore"}
    table = Table.from_frame(frame, target="t", roles=roles).with_partition(validation=0.3)
    tree = grow(table, missing=missing, min_leaf=min_leaf)
    evidence = SplitEvidence(table, tree, 1.0, None, Progress())
    for v in np.flatnonzero(tree.n_branches):
        found = weigh(table, tree, int(tree.ids[v]), tree.split_at(int(v)), **tree.options)
        assert evidence.log_p(int(v)) == pytest.approx(found.evidence.log_adjusted, rel=1e-9)


def test_rules_tell_what_they_compared():
    table = noisy(n=400).with_partition(validation=0.4)
    tree = grow(table, min_leaf=2)
    asked = {"min_leaf": (20, 10), "min_validation_gain": 0.0, "significance": 0.05, "same_answer": True}
    words = prune(table, tree, "by_rule", **asked).verdicts.words(0)
    assert "at least 20 are asked for." in words
    assert "Errors among the validation rows: " in words
    assert "training rows" in words
    pure = int(tree.leaves[0])
    assert prune(table, tree, "by_rule", **asked).verdicts.words(pure) == ""
    verdicts = prune(table, tree, "by_rule", significance=0.01).verdicts
    said = [verdicts.words(i) for i in range(tree.n_nodes)]
    first = weigh(table, tree, 0, tree.split_at(0)).evidence
    p = number_words(math.exp(first.log_adjusted))
    assert said[0].startswith(
        f"The p-value adjusted for the search of its column, {p}, times the number of columns, 3, "
    )
    assert said[0].endswith("; at most 0.01 is asked for.")
    assert "Not tested: a split above it is not significant." in said
    alone = prune(table, tree, "by_rule", significance=0.05, significance_of="split").verdicts
    assert "The p-value adjusted for the search of its column is " in " ".join(map(alone.words, range(tree.n_nodes)))
    alike = prune(table, tree, "by_rule", same_answer=True)
    for i in np.flatnonzero(tree.n_branches):
        stays = int(tree.ids[i]) in alike.tree(-1).ids[alike.tree(-1).n_branches > 0]
        assert stays == (alike.verdicts.words(int(i)) == "")


def test_leaves_that_say_the_same_change_no_answer():
    for task in ("classes", "number"):
        table = noisy(n=300, task=task)
        tree = grow(table, min_leaf=5)
        cut = prune(table, tree, "by_rule", same_answer=True).tree(-1)
        assert np.array_equal(cut.predict(table.to_frame()), tree.predict(table.to_frame()))
        assert (cut.n_leaves < tree.n_leaves) == (task == "classes")


def test_a_node_whose_own_label_is_another_stays():
    table = noisy(n=300)
    tree = grow(table, min_leaf=5)
    cut = prune(table, tree, "by_rule", same_answer=True).tree(-1)
    node = next(int(i) for i in cut.ids[cut.leaves] if tree.n_branches[tree.position(int(i))])
    said = tree.classes[tree.labels[tree.position(node)]]
    other = next(name for name in tree.classes if name != said)
    again = prune(table, tree.with_mark(node, label=other), "by_rule", same_answer=True).tree(-1)
    assert again.n_branches[again.position(node)] > 0


def test_kept_splits_stay_whatever_the_rules_say():
    table = noisy(n=300).with_partition(validation=0.4)
    tree = halved(table, ["a", "b"], 4)
    node = int(tree.ids[np.flatnonzero(tree.n_branches)[-1]])
    pinned = tree.with_mark(node, pinned=True)
    smallest = prune(table, pinned, "by_rule", min_leaf=(10_000,)).tree(-1)
    assert smallest.n_branches[smallest.position(node)] > 0
    assert smallest.n_leaves == tree.level[tree.position(node)] + 2


def test_a_stop_leaves_what_was_not_tested():
    rng = np.random.default_rng(3)
    table = Table.from_frame(pd.DataFrame({"a": rng.normal(size=3000), "t": rng.choice(["u", "v"], 3000)}), target="t")
    tree, progress = grow(table, max_depth=1), Progress()
    proof = weigh(table, tree, 0, tree.split_at(0)).evidence
    level = float(np.exp((proof.log_p + proof.log_adjusted) / 2))  # only the test for the search says that it goes
    progress.stop()
    stopped = prune(table, tree, "by_rule", significance=level, progress=progress)
    whole = prune(table, tree, "by_rule", significance=level)
    assert stopped.remark.startswith("The tests were stopped")
    assert set(stopped.tree(-1).ids.tolist()) >= set(whole.tree(-1).ids.tolist())
    assert stopped.tree(-1).n_leaves > whole.tree(-1).n_leaves
    assert whole.remark == ""


@pytest.mark.parametrize("how", [{"criterion": "binned_gini"}, {"missing": "surrogate"}, {"m_of_n": True}])
def test_splits_of_every_kind_are_tested_as_the_candidates_are(how):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300), "c": rng.normal(size=300)})
    number = how.get("criterion") == "binned_gini"
    signal = frame.a + (frame.b > 0) + rng.normal(size=300)
    frame["t"] = signal if number else np.where(signal > 0.5, "yes", "no")
    frame.loc[::7, "a"] = np.nan if "missing" in how else 0.5
    table = Table.from_frame(frame, target="t")
    tree = grow(table, max_depth=4, **how)
    p = {
        int(tree.ids[v]): weigh(table, tree, int(tree.ids[v]), tree.split_at(int(v)), **tree.options).logworth
        for v in np.flatnonzero(tree.n_branches)
    }
    cut = prune(table, tree, "by_rule", significance=0.01, significance_of="split").tree(-1)
    stayed = set(cut.ids[cut.n_branches > 0].tolist())
    significant = {node for node, worth in p.items() if worth >= 2.0}
    assert significant <= stayed
    last = {int(cut.ids[v]) for v in np.flatnonzero(cut.n_branches) if not cut.n_branches[cut.children(int(v))].any()}
    assert last <= significant
    assert 0 < len(stayed) < len(p)
    cut = prune(table, tree, "by_rule", significance=0.01).tree(-1)
    tested = set()
    for v in np.flatnonzero(cut.n_branches):
        node = int(cut.ids[v])
        tested.add(node)
        assert 10.0 ** -p[node] * (3 + ("m_of_n" in how)) <= 0.01 * (1 + 1e-9)
    beside = {int(cut.ids[v]) for v in cut.leaves} & p.keys()
    assert all(10.0 ** -p[node] * (3 + ("m_of_n" in how)) > 0.01 for node in beside)
    assert tested and beside


def test_growing_by_the_same_level_and_cutting_back_agree():
    table = noisy(n=600)
    grown = grow(table, significance=0.05)
    full = prune(table, grow(table), "by_rule", significance=0.05).tree(-1)
    same = prune(table, grown, "by_rule", significance=0.05).tree(-1)
    assert same.ids.tolist() == grown.ids.tolist()
    assert 1 < full.n_leaves <= grown.n_leaves  # growing may take the second best column of a node, cutting cannot


def test_below_a_kept_split_the_others_are_tested():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=400), "b": rng.normal(size=400)})
    frame["t"] = np.where((frame.a > 0) ^ (frame.b > 0), "u", "v")  # no single cut tells anything
    table = Table.from_frame(frame, target="t")
    tree = Tree.root(table).split(table, 0, Split("a", "threshold", (0.0,)))
    for node in (1, 2):
        tree = tree.split(table, node, Split("b", "threshold", (0.0,)))
    assert prune(table, tree, "by_rule", significance=0.05).tree(-1).n_leaves == 1
    pinned = tree.with_mark(0, pinned=True)
    assert prune(table, pinned, "by_rule", significance=0.05).tree(-1).n_leaves == 4
    assert prune(table, tree, "by_rule", significance=0.05, significance_of="split").tree(-1).n_leaves == 4


def test_columns_that_the_search_leaves_out_are_not_counted():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=200) for i in range(6)}).assign(same=1.0)
    frame["t"] = np.where(frame.x0 + rng.normal(size=200) > 0, "u", "v")
    table = Table.from_frame(frame, target="t")
    tree = grow(table, max_depth=1)
    assert SplitEvidence(table, tree, 0.05, None, Progress()).n_columns(0) == 6
    locked = grow(table, max_depth=1, locked=["x5"])
    assert SplitEvidence(table, locked, 0.05, None, Progress()).n_columns(0) == 5
    marked = tree.with_mark(0, excluded=("x4", "x5"))
    assert SplitEvidence(table, marked, 0.05, None, Progress()).n_columns(0) == 4


def test_a_gain_on_validation_rows_needs_some():
    table = noisy()
    with pytest.raises(InputError, match=r"(?i)needs validation rows"):
        prune(table, halved(table, ["a"], 2), "by_rule", min_validation_gain=0.0)


def test_a_validation_gain_of_nothing_is_reduced_error_pruning():
    table = noisy(n=500).with_partition(validation=0.4)
    tree = grow(table)
    by_rule, best = prune(table, tree, "by_rule", min_validation_gain=0.0), prune(table, tree, "reduced_error")
    assert by_rule.tree(-1).ids.tolist() == best.tree(best.chosen).ids.tolist()
