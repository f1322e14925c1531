"""The replay of growing: its trees are those that a limited growth makes, its figures those of a plain search."""

import numpy as np
import pytest

import engine
from engine.replaying import growing, record
from engine.replaying.growing import CHOOSE, CUT, END, LEAF, NONE, SEARCH, SPLIT, Growth, replay_growth
from tests.same_trees import assert_same

WAYS = {
    "depth first": {"max_depth": 3},
    "by level": {"order": "level", "criterion": "gain_ratio", "nominal": "multiway", "min_leaf": 5},
    "best first": {"order": "best_first", "max_leaves": 6},
    "rpart": {"preset": "rpart"},
    "ctree": {"preset": "ctree"},
}


@pytest.fixture(scope="module")
def penguins() -> engine.Table:
    return engine.read_example("penguins").with_partition(validation=0.3, seed=0)


def shape(tree: engine.Tree) -> list[tuple[engine.Split | None, int]]:
    """Splits and rows in preorder, whatever the nodes are called."""
    return [(tree.split_at(i), int(tree.rows_train[i])) for i in range(tree.n_nodes)]


def every(replay: Growth, act: int) -> list[int]:
    return [i for i, one in enumerate(replay.acts) if one == act]


@pytest.mark.parametrize("way", WAYS)
def test_the_last_tree_is_the_one_that_grows(penguins: engine.Table, way: str) -> None:
    replay, grown = replay_growth(penguins, **WAYS[way]), engine.grow(penguins, **WAYS[way])
    last = replay.tree(len(replay.steps) - 1)
    assert_same(last, grown)
    assert last.options == grown.options
    assert replay.tree(0).n_leaves == 1
    assert replay.acts[-1] == END


@pytest.mark.parametrize("order", ["depth_first", "level", "best_first"])
@pytest.mark.parametrize("example", ["penguins", "concrete"])
def test_each_tree_is_that_of_a_growth_with_so_many_leaves(example: str, order: str) -> None:
    table = engine.read_example(example)
    replay = replay_growth(table, order=order, max_leaves=9)
    for i in every(replay, SPLIT):
        tree = replay.tree(i)
        assert shape(tree) == shape(engine.grow(table, order=order, max_leaves=tree.n_leaves))
        assert replay.tree(i - 1).n_leaves == tree.n_leaves - 1


def test_every_node_is_met_once_in_preorder_depth_first(penguins: engine.Table) -> None:
    replay = replay_growth(penguins)
    tree = replay.tree(len(replay.steps) - 1)
    met = [replay.steps[i].node for i in range(len(replay.steps)) if replay.acts[i] in (LEAF, SEARCH)]
    assert met == tree.ids.tolist()


@pytest.mark.parametrize("way", WAYS)
def test_what_is_compared_is_what_a_search_finds(penguins: engine.Table, way: str) -> None:
    replay, options = replay_growth(penguins, **WAYS[way]), WAYS[way]
    for i in every(replay, SEARCH)[:4]:
        before, node, account = replay.tree(i), replay.steps[i].node, replay.account(i)
        found = [one for one in engine.candidates(penguins, before, node, **options) if one.split is not None]
        assert len(account.figures) == len(found)
        for one, line in zip(found, account.figures, strict=True):
            assert one.column in line[0]
            assert record.figure(one.gain) in line or record.figure(one.logworth) in line
        made = replay.full.split_at(replay.full.position(node))
        assert (account.chosen >= 0) == (made is not None)
        if made is not None:
            assert found[account.chosen].split == made
            assert account.figures[account.chosen][-1] in account.sentence


def test_the_formula_has_the_numbers_of_the_step(penguins: engine.Table) -> None:
    replay = replay_growth(penguins)
    formula = replay.account(0).formula
    counts = replay.full.train[0]
    gini = 1 - float(((counts / counts.sum()) ** 2).sum())
    assert formula[1].endswith(f"= {gini:.4g}")
    assert f"({counts[0]:.0f}/{counts.sum():.0f})²" in formula[1]
    left, right = replay.full.train[replay.full.children(0)]
    after = sum(part.sum() / counts.sum() * (1 - ((part / part.sum()) ** 2).sum()) for part in (left, right))
    assert formula[-1].endswith(f"= {gini - after:.4g}")


def test_leaves_say_why_they_are_leaves(penguins: engine.Table) -> None:
    replay = replay_growth(penguins, min_rows=20, max_depth=3)
    full, seen = replay.full, set[str]()
    for i in every(replay, LEAF):
        at, said = full.position(replay.steps[i].node), replay.account(i).sentence
        n, depth = int(full.rows_train[at]), int(full.level[at])
        if (full.train[at] > 0).sum() == 1:
            assert f"All {n} training rows are" in said or n == 1
            seen.add("pure")
        elif n < 20:
            assert f"Training rows: {n}. A split needs at least 20" in said
            seen.add("small")
        else:
            assert depth == 3 and "Maximum depth is 3" in said
            seen.add("deep")
        assert f"It predicts “{full.classes[full.labels[at]]}”." in said
    assert seen == {"pure", "small", "deep"}


def test_a_search_in_vain_says_what_was_missing(penguins: engine.Table) -> None:
    replay = replay_growth(penguins, min_gain=0.1)
    said = [replay.account(i).sentence for i in every(replay, NONE)]
    assert said and all("is below Minimum gain, 0.1" in one for one in said)
    replay = replay_growth(penguins, preset="ctree")
    said = [replay.account(i).sentence for i in every(replay, NONE)]
    assert said and all("No split is significant" in one for one in said)
    constant = engine.read_text("x,y\n1,a\n1,b\n1,a\n", target="y")
    replay = replay_growth(constant)
    assert [replay.acts[i] for i in range(3)] == [SEARCH, NONE, END]
    assert "No column separates these rows" in replay.account(0).sentence


def test_the_best_leaf_comes_first_and_says_by_how_much(penguins: engine.Table) -> None:
    replay = replay_growth(penguins, order="best_first", max_leaves=5)
    for i in every(replay, CHOOSE):
        account, before, after = replay.account(i), replay.tree(i), replay.tree(i + 1)
        assert account.figures[0][0].split()[0] == f"#{replay.steps[i].node}"
        drop = fall(before) - fall(after)
        assert float(account.figures[0][-1]) == pytest.approx(drop, rel=1e-3)
        drops = [float(line[-1]) for line in account.figures if line[-1]]
        assert drops == sorted(drops, reverse=True)
    assert "at most 5 leaves" in replay.account(len(replay.steps) - 1).sentence


def fall(tree: engine.Tree) -> float:
    """The mean Gini impurity of the leaves."""
    counts = tree.train[tree.leaves]
    sizes = counts.sum(axis=1)
    return float((sizes * (1 - ((counts / sizes[:, None]) ** 2).sum(axis=1))).sum() / sizes.sum())


def test_what_cp_takes_back_is_a_step(penguins: engine.Table) -> None:
    replay = replay_growth(penguins, cp=0.05)
    i = replay.acts.index(CUT)
    assert replay.tree(i - 1).n_leaves > replay.tree(i).n_leaves == engine.grow(penguins, cp=0.05).n_leaves
    n = replay.tree(i - 1).n_leaves - replay.tree(i).n_leaves
    assert f"{n} leaves fewer" in replay.account(i).sentence


def test_a_long_replay_ends_with_the_whole_tree(penguins: engine.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MOST_STEPS", 6)
    replay, grown = replay_growth(penguins), engine.grow(penguins)
    assert len(replay.steps) == 7
    assert_same(replay.tree(6), grown)
    made = int(np.count_nonzero(grown.n_branches)) - replay.steps[5].done
    assert f"The other {made} splits are found in the same way." in replay.account(6).sentence


@pytest.mark.parametrize("order", ["depth_first", "level", "best_first"])
def test_every_step_lights_a_line(penguins: engine.Table, order: str) -> None:
    replay = replay_growth(penguins, order=order, max_leaves=7, cp=0.001, min_gain=0.01)
    for i, step in enumerate(replay.steps):
        assert replay.lines[step.line].strip()
        assert replay.account(i).sentence
        assert step.node in replay.tree(i)
