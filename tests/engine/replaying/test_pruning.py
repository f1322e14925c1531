"""The replay of pruning: its trees are those of the methods, its figures can be recomputed from the trees."""

import math

import numpy as np
import pandas as pd
import pytest

import engine
from engine.pruning import METHODS
from engine.replaying import word_for_word
from engine.replaying.pruning import COLLAPSE, COMPARE, CUT, END, RAISE, Run, replay_pruning
from tests.effort import some

FROM_NODE_TO_NODE = {
    "reduced error": ("reduced_error", {}),
    "C4.5": ("pessimistic", {}),
    "C4.5 without raising": ("pessimistic", {"raising": False}),
    "Quinlan 1987": ("pessimistic", {"rule": "quinlan1987"}),
    "Kearns and Mansour": ("kearns_mansour", {}),
    "description length": ("mdl", {}),
    "bound": ("mdl", {"code": "notes"}),
    "generic": ("generic", {}),
    "generic, counted labels": ("generic", {"leaf_labels": "counted"}),
    "generic, pessimistic": ("generic", {"estimate": "pessimistic"}),
    "generic, bound": ("generic", {"estimate": "mdl_bound"}),
    "by rule": ("by_rule", {"min_leaf": (12,), "same_answer": True}),
}
FROM_TREE_TO_TREE = {
    "cost complexity": ("cost_complexity", {}),
    "cost complexity by folds": ("cost_complexity", {"judge": "folds", "standard_errors": 1.0}),
    "impurity": ("cost_complexity", {"measure": "impurity"}),
    "greedy": ("greedy_validation", {}),
    "growth": ("growth", {}),
    "structural risk": ("srm", {}),
    "structural risk by rows": ("srm", {"judge": "validation"}),
}


def noisy(seed: int, classes: str = "ab", n: int = 300) -> engine.Table:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.integers(0, 12, n) for name in "uvw"})
    frame["level"] = random.choice(list("xyz"), n)
    signal = (frame.u > 5).astype(int) + ((frame.v > 3) & (frame.level == "x"))
    wrong = random.random(n) < 0.25
    frame["t"] = [classes[k] for k in np.where(wrong, random.integers(0, len(classes), n), signal % len(classes))]
    return engine.Table.from_frame(frame, target="t").with_partition(validation=0.4, seed=seed)


@pytest.fixture(scope="module", params=some([("ab", 1), ("abc", 3), ("ab", 2)], 2), ids=str)
def grown(request: pytest.FixtureRequest) -> tuple[engine.Table, engine.Tree]:
    classes, seed = request.param
    table = noisy(seed, classes)
    return table, engine.grow(table)


def told(tree: engine.Tree) -> list[tuple[engine.Split | None, int, int]]:
    """Splits, rows and labels in preorder, labels of leaves only."""
    labels = tree.labels if tree.task == "classes" else np.zeros(tree.n_nodes)
    return [
        (tree.split_at(i), int(tree.rows_train[i]), int(labels[i]) if not tree.n_branches[i] else -1)
        for i in range(tree.n_nodes)
    ]


def acts(replay: Run) -> list[int]:
    return [moment.act for moment in replay.moments]


@pytest.mark.parametrize("way", FROM_NODE_TO_NODE)
def test_walking_from_node_to_node_ends_with_the_pruned_tree(grown: tuple[engine.Table, engine.Tree], way: str) -> None:
    (table, tree), (method, options) = grown, FROM_NODE_TO_NODE[way]
    replay, pruning = replay_pruning(table, tree, method, **options), engine.prune(table, tree, method, **options)
    chosen = pruning.tree(pruning.chosen)
    assert acts(replay)[-1] == END and len(replay.steps) > 2
    assert told(replay.tree(len(replay.steps) - 2)) == told(chosen)  # what the decisions made, not what was looked up
    assert told(replay.tree(len(replay.steps) - 1)) == told(chosen)
    assert replay.tree(0).n_leaves == tree.n_leaves or acts(replay)[0] != COMPARE


@pytest.mark.parametrize("way", FROM_TREE_TO_TREE)
def test_walking_from_tree_to_tree_makes_the_sequence(grown: tuple[engine.Table, engine.Tree], way: str) -> None:
    (table, tree), (method, options) = grown, FROM_TREE_TO_TREE[way]
    replay, pruning = replay_pruning(table, tree, method, **options), engine.prune(table, tree, method, **options)
    sizes = [replay.tree(i).n_leaves for i, act in enumerate(acts(replay)) if act == CUT]
    steps = [step.leaves for step in pruning.steps]
    steps = steps if method == "srm" else steps[1 : pruning.chosen + 1] if method == "greedy_validation" else steps[1:]
    assert sizes == steps
    assert replay.tree(len(replay.steps) - 1).n_leaves == pruning.steps[pruning.chosen].leaves
    choice = replay.account(len(replay.steps) - 2)
    assert choice.figures[choice.chosen][0] == f"{pruning.steps[pruning.chosen].leaves:,}"


@pytest.mark.parametrize("way", [*FROM_NODE_TO_NODE, *FROM_TREE_TO_TREE])
def test_every_step_says_something_about_a_node_that_is_there(
    grown: tuple[engine.Table, engine.Tree], way: str
) -> None:
    (table, tree), (method, options) = grown, (FROM_NODE_TO_NODE | FROM_TREE_TO_TREE)[way]
    replay = replay_pruning(table, tree, method, **options)
    for i, step in enumerate(replay.steps):
        account = replay.account(i)
        assert replay.lines[step.line].strip() and account.sentence
        assert step.node in replay.tree(i) and step.node in tree
        assert all(len(line) == len(account.titles) for line in account.figures)


def test_reduced_error_compares_errors_of_the_tree_of_the_moment(grown: tuple[engine.Table, engine.Tree]) -> None:
    table, tree = grown
    replay = replay_pruning(table, tree, "reduced_error")
    for i in range(len(replay.steps)):
        if acts(replay)[i] != COMPARE:
            continue
        now, node = replay.tree(i), replay.steps[i].node
        at = now.position(node)
        below = [k for k in range(at, int(now.end[at])) if not now.n_branches[k]]
        wrong = now.wrong("validation")
        leaf, branch = wrong[at], sum(wrong[k] for k in below)
        account = replay.account(i)
        assert [float(line[1]) for line in account.figures] == [leaf, branch]
        goes = leaf <= branch
        assert account.chosen == (0 if goes else 1)
        assert (acts(replay)[i + 1] == CUT) == goes
        assert account.formula[-1] == f"{leaf:.0f} {'≤' if goes else '>'} {branch:.0f}"


def test_cost_complexity_cuts_the_weakest_link(grown: tuple[engine.Table, engine.Tree]) -> None:
    table, tree = grown
    replay = replay_pruning(table, tree, "cost_complexity")
    for i in range(len(replay.steps)):
        if acts(replay)[i] != COMPARE:
            continue
        now, n = replay.tree(i), tree.weight()[0]
        links = {}
        for k in np.flatnonzero(now.n_branches > 0):
            below = [j for j in range(k, int(now.end[k])) if not now.n_branches[j]]
            saved = now.wrong()[k] - sum(now.wrong()[j] for j in below)
            links[int(now.ids[k])] = saved / n / (len(below) - 1)
        account = replay.account(i)
        assert float(account.figures[0][-1]) == pytest.approx(min(links.values()), rel=1e-3, abs=1e-12)
        assert links[replay.steps[i].node] == pytest.approx(min(links.values()), abs=1e-12)
        assert account.formula[-1].endswith(account.figures[0][-1])


def test_kearns_and_mansour_work_out_their_penalty(grown: tuple[engine.Table, engine.Tree]) -> None:
    table, tree = grown
    replay = replay_pruning(table, tree, "kearns_mansour")
    account = replay.account(0)
    numbers = account.formula[2]
    inside = numbers[numbers.index("((") + 2 : numbers.index(")")].split(" + ")
    rows = float(numbers.split("÷ ")[1].split(")")[0].replace(",", ""))
    assert float(numbers.split(" = ")[1]) == pytest.approx(0.1 * math.sqrt(sum(map(float, inside)) / rows), rel=1e-3)


def test_c45_collapses_first_and_raises_the_largest_branch() -> None:
    seen = set[int]()
    for seed in range(12):
        table = noisy(seed, n=200)
        tree = engine.grow(table, criterion="entropy", min_gain=0.0)
        replay = replay_pruning(table, tree, "pessimistic")
        seen |= set(acts(replay))
        for i, act in enumerate(acts(replay)):
            if act == RAISE:
                before, after, node = replay.tree(i - 1), replay.tree(i), replay.steps[i].node
                children = before.children(before.position(node))
                largest = max(before.rows_train[children])
                assert int(after.rows_train[after.position(node)]) == int(before.rows_train[before.position(node)])
                assert after.n_leaves < before.n_leaves
                assert any(before.rows_train[k] == largest for k in children)
    assert {COLLAPSE, RAISE, CUT} <= seen


def test_every_method_is_shown() -> None:
    table = noisy(4)
    tree = engine.grow(table)
    for method in METHODS:
        options = {"min_leaf": (12,)} if method == "by_rule" else {}
        assert len(replay_pruning(table, tree, method, **options).steps) > 1


def test_a_tree_of_numbers_is_cut_back_step_by_step() -> None:
    table = engine.read_example("concrete").with_partition(validation=0.3, seed=0)
    tree = engine.grow(table, max_depth=5)
    for method in ("reduced_error", "cost_complexity", "greedy_validation", "growth"):
        replay, pruning = replay_pruning(table, tree, method), engine.prune(table, tree, method)
        assert told(replay.tree(len(replay.steps) - 2)) == told(pruning.tree(pruning.chosen))


def test_a_leaf_has_nothing_to_compare() -> None:
    table = noisy(5)
    for method in ("reduced_error", "cost_complexity", "srm", "pessimistic"):
        replay = replay_pruning(table, engine.Tree.root(table), method)
        assert acts(replay)[-1] == END
        assert replay.account(len(replay.steps) - 1).sentence


def test_too_many_trees_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_for_word, "MOST_SPLITS", 3)
    table = noisy(6)
    with pytest.raises(engine.InputError, match="at most 3 splits"):
        replay_pruning(table, engine.grow(table), "generic")
