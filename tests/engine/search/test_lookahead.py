from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.search import lookahead
from engine.search.tally import NodeRows
from engine.splits import branch_of_rows
from tests import naive
from tests.effort import examples
from tests.frames import frames, table_of
from tests.naive_lookahead import Twin

WAYS = {"groups": "groups", "multiway": "multiway", "one_vs_rest": "single"}


def twin_of(table, criterion, nominal, min_leaf, own):
    columns = {}
    for place in table.features:
        column = table.columns[place]
        codes = column.codes.astype(int)[table.rows(engine.TRAIN)]
        kind = "cut" if column.is_numeric or column.kind == "ordered" else WAYS[nominal]
        columns[column.name] = ([None if code == 0 else code for code in codes.tolist()], kind)
    rows = table.rows(engine.TRAIN)
    weights = [1] * len(rows) if table.weights is None else table.weights[rows].tolist()
    n_classes = len(table.classes) or None
    own_twin = Twin(list(columns.values()), table.y[rows].tolist(), weights, n_classes, criterion, min_leaf, own)
    return own_twin, columns


@examples(70)
@given(
    frames(rows=(4, 12)), st.sampled_from(naive.CLASS_CRITERIA), st.sampled_from(list(WAYS)), st.integers(1, 3),
    st.booleans(),
)  # fmt: skip
def test_every_column_is_judged_as_by_brute_force(frame, criterion, nominal, min_leaf, own):
    table = table_of(frame)
    criterion = criterion if table.task == "classes" else "squared_error"
    by = "entropy" if criterion == "gain_ratio" else criterion
    twin, columns = twin_of(table, by, nominal, min_leaf, own)
    found = engine.candidates(
        table, engine.Tree.root(table), criterion=criterion, nominal=nominal, min_leaf=min_leaf, lookahead=2,
        missing="branch" if own else "direction",
    )  # fmt: skip
    scale = 1e-9 * max(1.0, float(naive.impurity(by, twin.stat(range(len(twin.y))))))
    for candidate in found:
        column = columns[candidate.column]
        best = twin.best_ahead(column) if column[1] != "multiway" else None
        if candidate.split is None:
            assert best is None
            assert candidate.reason
            continue
        branch = branch_of_rows(candidate.split, table, table.rows(engine.TRAIN))
        ahead, gain = twin.judged([np.flatnonzero(branch == b).tolist() for b in range(candidate.split.n_branches)])
        assert candidate.ahead == pytest.approx(float(ahead), abs=scale)  # what it says of its own split is true
        assert candidate.gain == pytest.approx(float(gain), abs=scale)
        if best is not None:
            assert candidate.ahead == pytest.approx(float(best[0]), abs=scale)  # and no split is better
    usable = [candidate for candidate in found if candidate.split is not None]
    for first, second in pairwise(usable):
        assert first.ahead >= second.ahead - scale
        if abs(first.ahead - second.ahead) < scale / 1e3 and criterion != "error":
            assert first.gain >= second.gain - scale


def test_xor_is_seen_by_two_levels_only():
    table = engine.read_example("xor")
    for criterion in naive.CLASS_CRITERIA:
        found = engine.candidates(table, engine.Tree.root(table), lookahead=2, criterion=criterion)
        assert [candidate.gain for candidate in found] == [0, 0]
        whole = float(naive.impurity("entropy" if criterion == "gain_ratio" else criterion, [1, 1]))
        assert [candidate.ahead for candidate in found] == pytest.approx([whole, whole])
        tree = engine.grow(table, lookahead=2, criterion=criterion, min_gain=0.01)
        assert (tree.n_leaves, tree.error()) == (4, 0)
        assert engine.grow(table, criterion=criterion, min_gain=0.01).n_leaves == 1
    assert np.isnan(engine.candidates(table, engine.Tree.root(table))[0].ahead)


def test_the_sign_of_a_product_is_learned_in_two_levels():
    random = np.random.default_rng(5)
    frame = pd.DataFrame(random.uniform(-1, 1, (600, 4)), columns=["x1", "x2", "x3", "x4"])
    frame["y"] = np.where(frame.x1 * frame.x2 > 0, "same", "other")
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, lookahead=2, max_depth=2)
    assert tree.error() < 0.02  # 600 rows have more values than the grid has cells
    assert {tree.split_at(i).column for i in range(tree.n_nodes) if tree.split_at(i)} == {"x1", "x2"}
    assert engine.grow(table, max_depth=2).error() > 0.3
    assert engine.candidates(table, engine.Tree.root(table), lookahead=2)[0].ahead > 0.45


def test_a_split_that_separates_at_once_is_taken_before_one_that_only_puts_it_off():
    frame = pd.DataFrame({"noise": [0, 1, 0, 1, 0, 1], "tells": [1, 2, 3, 4, 5, 6], "y": list("aaabbb")})
    table = engine.Table.from_frame(frame, target="y")
    found = engine.candidates(table, engine.Tree.root(table), lookahead=2)
    assert [candidate.column for candidate in found] == ["tells", "noise"]
    assert found[0].ahead == found[1].ahead == 0.5
    assert engine.grow(table, lookahead=2).n_leaves == 2


def test_numbers_and_bins_are_looked_ahead_too():
    frame = pd.DataFrame({"a": [0, 0, 1, 1] * 5, "b": [0, 1, 0, 1] * 5})
    frame["y"] = np.where(frame.a == frame.b, 10.0, 20.0) + np.arange(20) * 0.001
    table = engine.Table.from_frame(frame, target="y")
    found = engine.candidates(table, engine.Tree.root(table), lookahead=2)
    assert found[0].gain < 1e-4
    assert found[0].ahead == pytest.approx(25, rel=1e-3)
    assert engine.grow(table, lookahead=2, max_depth=2).error() < 1e-3
    for criterion in ("binned_gini", "binned_error"):
        found = engine.candidates(table, engine.Tree.root(table), lookahead=2, criterion=criterion, bins=2)
        assert (found[0].gain, found[0].ahead) == (0, 0.5)
        tree = engine.grow(table, lookahead=2, criterion=criterion, bins=2, min_gain=0.01)
        assert (tree.task, tree.n_leaves) == ("number", 4)
        assert tree.error() < 1e-3


@pytest.mark.parametrize("options", [{"numeric": "bucket_cuts"}, {"numeric": "bucket_branches"}, {"pool": 5}])
def test_every_way_to_split_grows_with_two_levels(options):
    table = engine.read_example("penguins")
    tree = engine.grow(table, lookahead=2, max_depth=3, **options)
    assert tree.n_leaves > 3
    assert tree.error() < 0.1


def test_many_levels_are_searched_with_the_rarest_as_one():
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"shop": random.integers(0, 400, 3000).astype(str), "x": random.random(3000)})
    good = frame.shop.astype(int) % 2 == 0
    frame["y"] = np.where(good ^ (frame.x > 0.5), "a", "b")
    table = engine.Table.from_frame(frame, target="y", kinds={"shop": "nominal"})
    found = engine.candidates(table, engine.Tree.root(table), lookahead=2)
    assert [candidate.split is not None for candidate in found] == [True, True]
    by_x = next(candidate for candidate in found if candidate.column == "x")
    assert by_x.split.thresholds[0] == pytest.approx(0.5, abs=0.01)


def test_a_stop_leaves_the_tree_as_it_was():
    table = engine.read_example("xor")
    progress = engine.Progress()
    progress.stop()
    assert engine.grow(table, lookahead=2, progress=progress).n_leaves == 1
    assert engine.candidates(table, engine.Tree.root(table), lookahead=2, progress=progress) == []


@pytest.mark.parametrize("options", [{}, {"numeric": "bucket_branches"}])
def test_a_stop_is_heard_within_a_column(options):
    """A column of 255 cells beside many levels takes most of a minute."""
    table, search = engine.read_example("penguins"), engine.Search.make("classes", lookahead=2, **options)
    place, progress = table.index("flipper_length_mm"), engine.Progress()
    training = NodeRows.of(table, table.rows(engine.TRAIN)).centred()
    (node, grids), j = lookahead._node(training, table.features, search), table.features.index(place)

    def look():
        if options:
            return lookahead._one_split(training, place, node, search, progress)
        return lookahead._best_root(table.columns[place], grids[j], j, node, search, progress)

    assert look().ahead > 0.5
    progress.stop()
    assert not look().ahead > 0.5


@pytest.mark.parametrize("seed", range(5))
def test_weights_that_left_a_side_leave_no_mixture_behind(seed):
    """Rows move one by one, and √ takes a residue of 1e-17 for an impurity of 1e-9."""
    random, n = np.random.default_rng(seed), 40
    x, w = random.integers(0, 12, n).astype(float), random.random(n) * 1e-6
    frame = pd.DataFrame({"x": x, "z": random.integers(0, 4, n).astype(float), "w": w})
    frame["y"] = np.where(x > 6, random.choice(["a", "b"], n), "c")  # the left side is pure
    table = engine.Table.from_frame(frame, target="y", weights="w")
    root = engine.Tree.root(table)
    two = {c.column: c for c in engine.candidates(table, root, criterion="sqrt", lookahead=2)}
    for name, candidate in two.items():
        again = [
            np.bincount(
                table.y[branch_of_rows(candidate.split, table, np.arange(n, dtype=np.uint32)) == b],
                w[branch_of_rows(candidate.split, table, np.arange(n, dtype=np.uint32)) == b],
                3,
            )
            for b in range(2)
        ]
        whole = sum(again)
        gain = engine.impurity("sqrt", whole) - sum(s.sum() / whole.sum() * engine.impurity("sqrt", s) for s in again)
        assert candidate.gain == pytest.approx(gain, abs=1e-12), name
