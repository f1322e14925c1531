"""The rectangles of the plane against the splits themselves, row by row and box by box."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import Literal, Split, branch_of_rows
from gui.model import plane_tasks as plane_regions
from gui.model.plane_tasks import ALL, LARGER, STOP, X, Y, letter, regions, tile_at

SEEDS = st.integers(0, 2**32 - 1)


def table_of(seed: int, n: int = 60, missing: float = 0.0, others: bool = False) -> engine.Table:
    """Two columns with ties, and if wished two more, which the target depends on, too."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.integers(0, 12, n) / 2, "y": random.normal(size=n).round(1)})
    frame["z"] = np.where((frame["x"] > 2) ^ (frame["y"] > random.normal()), "in", "out")
    frame.loc[:1, "z"] = ["in", "out"]
    if others:
        frame["level"] = random.choice(["p", "q", "r"], n)
        frame["more"] = random.normal(size=n)
        frame["z"] = np.where((frame["level"] == "q") & (frame["more"] > 0), frame["z"], "out")
        frame.loc[:1, "z"] = ["in", "out"]
    frame.loc[random.random(n) < missing, "x"] = np.nan
    frame.loc[:1, "x"] = [0.0, 1.0]
    return engine.Table.from_frame(frame, "z").with_partition(validation=0.25)


def grown(table: engine.Table, **options: object) -> engine.Tree:
    return engine.grow(table, **options)


def slow_boxes(tree: engine.Tree) -> list[list[float]]:
    """The box of every node from the splits as objects, one branch after the other; None where nothing can lie."""
    boxes = [[-np.inf, -np.inf, np.inf, np.inf]]
    for i in range(1, tree.n_nodes):
        parent, branch = int(tree.parent[i]), int(tree.branch[i])
        split, box = tree.split_at(parent), list(boxes[parent])
        if split.kind == "threshold" and split.column in ("x", "y"):
            ends = [-np.inf, *split.thresholds, np.inf]
            side = "xy".index(split.column)
            if branch == len(split.thresholds) + 1:
                box[side] = np.inf
            else:
                box[side], box[side + 2] = max(box[side], ends[branch]), min(box[side + 2], ends[branch + 1])
        boxes.append(box)
    return boxes


def inside(boxes: np.ndarray, x: float, y: float) -> np.ndarray:
    return np.flatnonzero((boxes[:, 0] < x) & (x <= boxes[:, 2]) & (boxes[:, 1] < y) & (y <= boxes[:, 3]))


def points(table: engine.Table) -> np.ndarray:
    return np.column_stack((table.column("x").numbers, table.column("y").numbers))


@given(SEEDS, st.sampled_from([{}, {"numeric": "bucket_branches"}, {"max_leaves": 5}]))
def test_every_row_lies_in_the_rectangle_of_its_leaf_and_in_no_other(seed: int, options: dict[str, object]) -> None:
    table = table_of(seed)
    tree = grown(table, **options)
    found, at = regions(tree, "x", "y"), points(table)
    assert found.tiles.tolist() == tree.leaves.tolist()
    assert found.followed == 0
    rows = engine.assign(table, tree)
    for leaf in tree.leaves.tolist():
        for row in rows.rows_of(leaf).tolist():
            assert found.tiles[inside(found.boxes[found.tiles], *at[row])].tolist() == [leaf]


@given(SEEDS, st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=20))
def test_rectangles_tile_the_plane(seed: int, anywhere: list[tuple[float, float]]) -> None:
    tree = grown(table_of(seed, missing=0.1))
    found = regions(tree, "x", "y")
    boxes = found.boxes[found.tiles]
    cuts = [(value, value) for value in found.cuts.at.tolist()]  # on a line itself, too
    for x, y in (*anywhere, *cuts):
        assert len(inside(boxes, x, y)) == 1
        assert tile_at(boxes, x, y) == inside(boxes, x, y)[0]


@given(
    SEEDS, st.sampled_from(plane_regions.WAYS), st.sampled_from([{}, {"missing": "branch"}, {"missing": "surrogate"}])
)
def test_boxes_are_those_of_the_splits(seed: int, way: str, options: dict[str, object]) -> None:
    tree = grown(table_of(seed, missing=0.2, others=True), **options)
    found = regions(tree, "x", "y", way=way)
    assert found.boxes.tolist() == slow_boxes(tree)


@given(SEEDS, st.sampled_from((LARGER, STOP)), st.integers(0, 10**6))
def test_with_other_columns_the_rows_shown_still_lie_in_their_rectangles_which_tile_the_plane(
    seed: int, way: str, place: int
) -> None:
    table = table_of(seed, others=True)
    tree = grown(table)
    node = place % tree.n_nodes
    found, rows, at = regions(tree, "x", "y", node, way), engine.assign(table, tree), points(table)
    boxes = found.boxes[found.tiles]
    for tile in found.tiles.tolist():
        for row in rows.rows_of(tile).tolist():
            assert found.tiles[inside(boxes, *at[row])].tolist() == [tile]
    assert any(tree.position(int(tree.ids[node])) in path_of(tree, tile) for tile in found.tiles.tolist())
    if way == LARGER:
        assert set(found.tiles.tolist()) <= set(tree.leaves.tolist())
    else:
        leaves = set(tree.leaves.tolist())
        stopped = [tile for tile in found.tiles.tolist() if tile not in leaves]
        assert all(tree.split_at(tile).column not in ("x", "y") for tile in stopped)


def path_of(tree: engine.Tree, i: int) -> list[int]:
    found = [i]
    while found[-1] > 0:
        found.append(int(tree.parent[found[-1]]))
    return found


@given(SEEDS)
def test_all_ways_show_every_leaf(seed: int) -> None:
    tree = grown(table_of(seed, others=True))
    assert regions(tree, "x", "y", way=ALL).tiles.tolist() == tree.leaves.tolist()


@given(SEEDS)
def test_cuts_part_the_rectangles_of_their_branches_and_are_lettered_in_the_order_made(seed: int) -> None:
    tree = grown(table_of(seed, others=True))
    found = regions(tree, "x", "y")
    cuts = found.cuts
    made = [int(tree.ids[node + 1]) for node in cuts.node]
    assert made == sorted(made)
    cutting = [i for i in range(tree.n_nodes) if plane_regions.asked_axis(tree, "x", "y")[i] >= 0]
    names = {i: letter(rank) for rank, i in enumerate(sorted(cutting, key=lambda i: tree.ids[i + 1]))}
    for node, axis, at, low, high, name in zip(
        cuts.node, cuts.axis, cuts.at, cuts.low, cuts.high, cuts.letters, strict=True
    ):
        split = tree.split_at(int(node))
        assert split.column == ("x", "y")[axis]
        assert at in split.thresholds
        assert name == names[int(node)]
        assert [low, high] == found.boxes[node][[1 - axis, 3 - axis]].tolist()
        assert found.boxes[node][axis] < at < found.boxes[node][axis + 2]


def test_letters_go_on_after_z() -> None:
    assert [letter(i) for i in (0, 1, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip


def test_letters_follow_the_hand_not_the_place_in_the_tree() -> None:
    table = table_of(1)
    tree = engine.Tree.root(table).split(table, 0, Split("x", "threshold", thresholds=(2.75,)))
    left, right = (int(tree.ids[i]) for i in tree.children(0))
    tree = tree.split(table, right, Split("y", "threshold", thresholds=(0.05,)))
    tree = tree.split(table, left, Split("y", "threshold", thresholds=(-0.05, 0.55)))
    cuts = regions(tree, "x", "y").cuts
    assert list(zip(cuts.letters, cuts.axis.tolist(), cuts.at.tolist(), strict=True)) == [
        ("a", X, 2.75), ("b", Y, 0.05), ("c", Y, -0.05), ("c", Y, 0.55),
    ]  # fmt: skip
    assert cuts.low.tolist() == [-np.inf, 2.75, -np.inf, -np.inf]


def test_conditions_on_several_columns_cut_nothing() -> None:
    table = table_of(2)
    both = Split("x", "m_of_n", m=2, literals=(Literal("x", "<=", 2.0), Literal("y", ">", 0.0)))
    tree = engine.Tree.root(table).split(table, 0, both)
    found = regions(tree, "x", "y")
    assert found.tiles.size == 1
    assert (found.followed, found.on_path) == (1, 0)
    smaller = min(tree.children(0), key=lambda i: tree.rows_train[i])
    found = regions(tree, "x", "y", smaller)
    assert found.tiles.tolist() == [smaller]
    assert (found.followed, found.on_path) == (1, 1)
    assert set(branch_of_rows(both, table, np.arange(table.n_rows)).tolist()) == {0, 1}


@pytest.mark.parametrize("way", plane_regions.WAYS)
def test_a_tree_of_one_leaf_is_the_whole_plane(way: str) -> None:
    found = regions(engine.Tree.root(table_of(3)), "x", "y", way=way)
    assert found.boxes[found.tiles].tolist() == [[-np.inf, -np.inf, np.inf, np.inf]]
    assert found.cuts.letters == ()
    assert plane_regions.most_asked(engine.Tree.root(table_of(3))) == []
