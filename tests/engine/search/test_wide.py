"""The search of large nodes by counting twice, against the tally of every value and against plain Python."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.criteria import CRITERIA
from engine.criteria.kernels import branches_gain, impurity
from engine.growing.kernels.cells import deal_cells, fill_cells, order_codes
from engine.runtime.threads import Workers
from engine.search import large_nodes as wide_search
from engine.search.column_search import best_split, way
from engine.search.kernels import count, large_nodes
from engine.search.kernels import cut_bounds as judge
from engine.search.kernels.count import Target
from engine.search.kernels.large_nodes import count_sibling, count_words, open_column
from engine.search.kernels.rules import AT, BRANCHES, GAIN, TIE, WAY, Rules
from engine.search.kernels.split_kinds import BUCKET_CUT, CUT, GROUPS, MULTIWAY, ONE_VS_REST
from engine.search.large_nodes import IN_A_WORD, LargeNodeCuts, LargeNodeSearch, base_shift, make_matrix
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.table.column import Column, code_type
from engine.tree.kernels import descend as route
from tests import naive
from tests.effort import examples

NOTHING = np.zeros(0)
EVERY = [("classes", name) for name in naive.CLASS_CRITERIA] + [("number", "squared_error")]


def made_table(task, seed, n, n_classes, values, gaps, weighted, noise=False):
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    signal = 0 * x if noise else x**2 - x
    if task == "classes":
        y = np.clip((signal + random.normal(size=n)).astype(int), 0, n_classes - 1)
        y[:n_classes] = np.arange(n_classes)
        target = pd.Categorical.from_codes(y, [f"c{i}" for i in range(n_classes)])
    else:
        target = signal + random.normal(size=n) ** 3
    if values:
        x = np.round(x * values / 4)
    x = np.where(random.random(n) < gaps, np.nan, x)
    frame = pd.DataFrame({"x": x, "z": random.integers(0, 700, n), "y": target, "w": random.integers(1, 5, n) / 2})
    if not weighted:
        frame = frame.drop(columns="w")
    return engine.Table.from_frame(frame, target="y", weights="w" if weighted else None)


@examples(150, 12)
@pytest.mark.parametrize(("task", "criterion"), EVERY)
@given(
    seed=st.integers(0, 10**6), n=st.integers(20, 700), n_classes=st.integers(2, 5),
    values=st.sampled_from([None, 3, 40]), gaps=st.sampled_from([0.0, 0.3, 1.0]), weighted=st.booleans(),
    noise=st.booleans(), min_leaf=st.sampled_from([1, 2, 40]), part=st.booleans(),
    numeric=st.sampled_from(["cuts", "cuts", "cuts", "bucket_cuts", "boundary_cuts", "bucket_branches"]),
    coarse=st.sampled_from([3, 15, 256]), by_row=st.booleans(),
)  # fmt: skip
def test_counting_twice_finds_what_a_tally_finds(
    task, criterion, seed, n, n_classes, values, gaps, weighted, noise, min_leaf, part, numeric, coarse, by_row
):
    table = made_table(task, seed, n, n_classes, values, gaps, weighted, noise)
    numeric = "cuts" if (task, numeric) == ("number", "boundary_cuts") else numeric
    search = Search.make(task, criterion=criterion, min_leaf=min_leaf, numeric=numeric, buckets=7)
    rows = np.sort(np.random.default_rng(seed).choice(n, n // 2 + 1, replace=False)) if part else np.arange(n)
    inside = NodeRows.of(table, rows).centred()
    _, labels, numbers, weights = inside.gathered
    target = Target(labels, numbers, weights)
    columns = [table.columns[0], table.columns[1]]
    ways = np.array([way(column, search) for column in columns])
    rules = Rules(CRITERIA[criterion].code, 2, min_leaf, 0.0, 0, 7).compiled()
    stat = np.zeros((1, table.n_stats))
    if numbers.size:
        count.sum_numbers(numbers.copy(), weights, np.zeros((1, 3)), stat)
        share = weights if weights.size else np.ones(numbers.size)
        stat[0] = share.sum(), share @ numbers, share @ numbers**2
    else:
        stat[0] = np.bincount(labels, weights if weights.size else None, table.n_stats)
    cut = [column for column, how in zip(columns, ways, strict=True) if how == CUT]
    chosen = inside.rows.astype(np.uint32)
    matrix = make_matrix(cut, chosen, Workers(1)) if by_row and cut else None
    node = wide_search.LargeNode(chosen, target, stat[0], not part, matrix.words if matrix else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wide_search, "COARSE", coarse)
        patch.setattr(wide_search, "ROWS_PER_BIN", 4)
        wide = LargeNodeSearch(node, columns, ways, rules, matrix)
        wide_answers_are_those_of_a_tally(wide, inside, search, task, weighted)


def wide_answers_are_those_of_a_tally(wide, inside, search, task, weighted):
    node, columns, stat, numeric = wide.node, wide.columns, wide.node.stat, search.numeric
    for look in wide.parts:
        wide.look(look)
    reach = wide.reach.copy()
    for j in (0, 1):
        wide.search(j, -1.0)
        found = best_split(inside, j, search)
        answer = wide.answers[:, j]
        if found.split is None:
            assert np.isnan(answer[GAIN])
            continue
        assert answer[GAIN] == pytest.approx(found.gain, rel=1e-9, abs=1e-12)
        assert answer[TIE] == pytest.approx(found.tie, rel=1e-9, abs=1e-12)
        if numeric == "bucket_branches":
            assert answer[BRANCHES] == found.split.n_branches
            continue
        assert answer[WAY] == found.split.missing
        low, high = neighbours_of(columns[j].codes[node.rows], int(answer[AT]))
        threshold = engine.splits.threshold_between(*columns[j].values[[low - 1, high - 1]]) if high else np.inf
        assert (threshold,) == found.split.thresholds
        if numeric == "cuts":  # what the first look said of the column bounds what was found
            score = found.gain * naive_weight(stat, task) + (0.0 if weighted else 0.5 * found.tie)
            assert reach[j].max() >= score * (1 - 1e-9) - 1e-9


def neighbours_of(codes, limit):
    """(the largest code up to the limit, the smallest beyond it), 0 for none."""
    return max(codes[codes <= limit], default=0), min(codes[codes > limit], default=0)


def naive_weight(stat, task):
    return stat[0] if task == "number" else stat.sum()


@examples(200)
@pytest.mark.parametrize(("task", "criterion"), EVERY)
@given(data=st.data())
def test_no_cut_inside_a_cell_scores_more_than_its_ceiling(task, criterion, data):
    """Rows in any order: every way to cut the middle cell is tried."""
    width = data.draw(st.integers(2, 4)) if task == "classes" else 3
    weighted = data.draw(st.booleans())
    sizes = [data.draw(st.integers(0, 6)), data.draw(st.integers(2, 9)), data.draw(st.integers(0, 6))]
    missing = data.draw(st.integers(0, 3))
    seed = data.draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    n = sum(sizes) + missing
    lines = np.zeros((n, width))
    weights = random.integers(1, 4, n) / 2 if weighted else np.ones(n)
    if task == "classes":
        lines[np.arange(n), random.integers(0, width, n)] = weights
    else:
        y = np.round(random.normal(size=n) ** 3, 2)
        lines = np.stack((weights, weights * y, weights * y**2), axis=1)
    bounds = np.cumsum([0, missing, *sizes])
    cells = judge.Cells(*judge.make_cells(4, width))
    for b in range(4):
        cells.stat[b], cells.sizes[b] = lines[bounds[b] : bounds[b + 1]].sum(axis=0), bounds[b + 1] - bounds[b]
    code = CRITERIA[criterion].code
    least = data.draw(st.integers(1, 3))
    judge.judge(cells, 4, least, code, True, not weighted)
    node = lines.sum(axis=0)
    total = naive_weight(node, task)
    scale = total * float(impurity(code, node)) + 1
    left, others = lines[: bounds[2]], lines[bounds[2] : bounds[3]]
    for k in range(1, sizes[1]):
        for gone in ([], range(missing)):
            part = np.delete(left, range(missing), axis=0) if not len(gone) else left
            inner = part.sum(axis=0) + others[:k].sum(axis=0)
            n_left = part.shape[0] + k
            if least <= n_left <= n - least:
                gain, tie = branches_gain(code, np.stack((inner, node - inner)))
                score = gain * total + (0.5 * tie if criterion == "error" and not weighted else 0.0)
                assert cells.ceiling[2] >= score - 1e-9 * scale
    if least <= bounds[3] <= n - least or least <= bounds[3] - missing <= n - least:
        assert cells.score[2] >= 0.0


@given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.integers(0, 3))
def test_bins_are_shifts_of_the_code(codes, shift):
    codes = np.array(codes, np.uint8)
    rows = np.arange(codes.size, dtype=np.uint32)[::2]
    labels = (codes[rows] % 3).astype(np.uint16)
    bins = np.zeros((60, 3))
    large_nodes.add_rows(codes, rows, Target(labels, NOTHING, NOTHING), shift, bins)
    expected = np.zeros((60, 3))
    for row, label in zip(rows, labels, strict=True):
        code = int(codes[row])
        expected[0 if code == 0 else 1 + (code - 1) // 2**shift, label] += 1
    assert bins.tolist() == expected.tolist()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.sets(st.integers(1, 5)))
def test_open_rows_are_found_among_codes_and_in_words(codes, chosen):
    codes = np.array(codes, np.uint8)
    is_open = np.zeros(6, np.uint8)
    is_open[list(chosen)] = 1
    wanted = [k for k, code in enumerate(codes) if code and is_open[(int(code) + 1) // 2]]
    places, by_row = np.zeros((2, len(wanted) + 1), np.int64)
    assert large_nodes.mark_open(codes, 1, 1, is_open, places) == len(wanted)
    assert places[:-1].tolist() == wanted
    lanes = np.repeat(codes, IN_A_WORD).astype(np.uint16) * (np.arange(4 * codes.size) % IN_A_WORD == 1)
    assert large_nodes.mark_open(lanes.astype(np.uint16)[1:], IN_A_WORD, 1, is_open, by_row) == len(wanted)
    assert by_row[:-1].tolist() == wanted


@given(seed=st.integers(0, 10**6), n_columns=st.integers(1, 9), weighted=st.booleans(), numbers=st.booleans())
def test_words_count_what_the_codes_count(seed, n_columns, weighted, numbers):
    """The rows of a node, and after a split those that its words and targets moved to the front with."""
    random = np.random.default_rng(seed)
    n = 1200
    sizes = random.choice([1, 30, 700, 70_000], n_columns)
    columns = [
        Column(
            f"x{j}", "number", np.arange(size).astype(float), random.integers(0, size + 1, n).astype(code_type(size))
        )
        for j, size in enumerate(sizes)
    ]
    rows = np.sort(random.choice(np.arange(n, dtype=np.uint32), n * 2 // 3, replace=False))
    matrix = make_matrix(columns, rows, Workers(2))
    assert [max(column.n_values, 1) - 1 >> base_shift(column) < 65_535 for column in columns] == [True] * n_columns
    line = (n_columns - 1) // IN_A_WORD
    words, start, shift = matrix.words[line], line * IN_A_WORD, 2
    for _ in range(2):
        target = Target(
            np.zeros(0, np.uint16) if numbers else random.integers(0, 3, rows.size).astype(np.uint16),
            random.normal(size=rows.size) if numbers else NOTHING,
            random.integers(1, 4, rows.size) / 2 if weighted else NOTHING,
        )
        counted = np.zeros((IN_A_WORD, 70_000, 3 + weighted))
        count_words(words, target, np.full(IN_A_WORD, shift), counted)
        for j in range(start, n_columns):
            expected = np.zeros((70_000, 3 + weighted))
            large_nodes.add_rows(columns[j].codes, rows, target, shift + int(matrix.shifts[j]), expected)
            assert np.array_equal(counted[j - start], expected)
            if weighted:
                assert expected[:, 3].sum() == rows.size
        sides = random.integers(0, 2, rows.size).astype(np.uint8)
        route.move(rows, sides, rows.copy())
        route.move(words, sides, words.copy())
        rows, words = (array[: np.count_nonzero(sides == 0)] for array in (rows, words))


@given(seed=st.integers(0, 10**6), wider=st.integers(0, 3), n_columns=st.integers(1, 4))
def test_a_sibling_is_what_the_others_leave_of_the_parent(seed, wider, n_columns):
    random = np.random.default_rng(seed)
    words = random.integers(0, 60, size=(300, IN_A_WORD)).astype(np.uint16).view(np.uint64)[:, 0]
    labels, goes_left = random.integers(0, 3, 300).astype(np.uint16), random.random(300) < 0.3

    def counted(rows, shift):
        counts = np.zeros((IN_A_WORD, large_nodes.bin_of(59, shift) + 1, 3))
        shifts = np.full(IN_A_WORD, shift)
        count_words(words[rows].copy(), Target(labels[rows], NOTHING, NOTHING), shifts, counts)
        return counts

    above, left, right = counted(np.ones(300, bool), 1), counted(goes_left, 1 + wider), counted(~goes_left, 1 + wider)
    found = np.zeros_like(left)
    count_sibling(above, np.full(n_columns, above.shape[1]), np.full(IN_A_WORD, wider), left, found)
    assert found[:n_columns].tolist() == right[:n_columns].tolist()


@given(st.lists(st.integers(0, 2**21), min_size=1, max_size=80))
def test_codes_are_sorted_digit_by_digit(codes):
    found, n = np.array(codes, np.int64), len(codes)
    places, spare = np.arange(n), np.empty((2, n), np.int64)
    labels = (found % 2).astype(np.uint16)
    large_nodes.sort_by_code(found, places, n, *spare)
    assert [(code, place) for code, place in zip(found, places, strict=True)] == sorted(
        zip(codes, range(n), strict=True)
    )
    distinct, stat, sizes = large_nodes.count_found(found, places, n, Target(labels, NOTHING, NOTHING), 2)
    assert distinct.tolist() == sorted(set(codes))
    assert sizes.tolist() == [codes.count(code) for code in distinct]
    assert stat[:, 1].tolist() == [codes.count(code) * (code % 2) for code in distinct]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 9), st.integers(0, 1))
def test_rows_are_divided_by_a_cut_and_its_neighbours_named(codes, limit, missing):
    codes = np.array(codes, np.uint8)
    rows = np.flatnonzero(codes != 5).astype(np.uint32)
    goes_left = [(1 <= codes[row] <= limit) or (codes[row] == 0 and missing == 0) for row in rows]
    expected = [*rows[goes_left], *rows[~np.array(goes_left, bool)]]
    low, high = neighbours_of(codes[rows], limit)
    sides, moved = np.empty(rows.size, np.uint8), rows.copy()
    assert route.find_sides(codes, rows, limit, missing, sides) == (sum(goes_left), low, high)
    assert sides.tolist() == [not left for left in goes_left]
    route.move(moved, sides, np.empty_like(rows))
    assert moved.tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=40), st.booleans())
def test_the_rows_of_a_bed_come_in_order_of_a_column(lines, wide):
    lines.sort(key=lambda line: line[0])
    node = np.array([line[0] for line in lines])
    n, step = len(lines), 100_000 if wide else 1
    rows = np.random.default_rng(0).permutation(n).astype(np.uint32)
    codes = np.zeros(n, np.uint32 if wide else np.uint8)
    codes[rows] = [line[1] * step for line in lines]
    shift = int(9 * step).bit_length()
    items, spare = np.empty((2, n), np.uint64)
    cells, original = np.empty((2, n), np.uint32), np.empty((2, n + 1), np.uint32)
    order_codes(codes, rows, node, shift, items)
    fill_cells(items, spare, n, shift + 2, shift, 1, cells, original)
    assert (cells[1] & 0xFFFF).tolist() == sorted(range(n), key=lambda k: (*lines[k], k))
    ranks = (cells[1] >> 16).tolist()
    found = [lines[k] for k in cells[1] & 0xFFFF]
    assert [int(original[1, rank]) for rank in ranks] == [line[1] * step for line in found]
    for (rank, line), (after, other) in pairwise(zip(ranks, found, strict=True)):
        assert other[1] == 0 or (after > rank if line != other else after == rank)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(9, 90))
def test_the_rows_of_one_node_are_dealt_out_by_code(of_place, n_values):
    n, rows = len(of_place), np.random.default_rng(0).permutation(len(of_place)).astype(np.uint32)
    codes = np.zeros(n, np.uint8)
    codes[rows] = of_place
    ranks = {code: rank for rank, code in enumerate(sorted({*of_place, 0}))}
    cells, original = np.zeros((2, n), np.uint32), np.zeros((2, n + 1), np.uint32)
    room = np.empty(n_values + 1, np.uint16), np.empty(n + 1, np.uint16)
    deal_cells(codes, rows, n_values, *room, 1, cells, original)
    order = sorted(range(n), key=lambda place: (of_place[place], place))
    assert cells.tolist() == [[0] * n, [ranks[of_place[place]] << 16 | place for place in order]]
    assert original[1, : len(ranks)].tolist() == list(ranks)
    assert not original[0].any()


def test_the_ceiling_of_errors_holds_where_weights_are_far_apart():
    """The 0.6 that a cut between the two values of the second cell saves are less than 2·10⁻¹² of all weight."""
    bins, values = (judge.Cells(*judge.make_cells(6, 2)) for _ in range(2))
    bins.stat[:4], bins.sizes[:4] = [[0, 0], [5e11, 6e11], [0.2, 1], [0.4, 0]], [0, 4, 2, 1]
    values.stat[:5], values.sizes[:5] = [[0, 0], [5e11, 6e11], [0, 1], [0.2, 0], [0.4, 0]], [0, 4, 1, 1, 1]
    code = CRITERIA["error"].code
    judge.judge(bins, 4, 1, code, True, False)
    judge.judge(values, 5, 1, code, False, False)
    assert values.score[2] == pytest.approx(0.6, abs=1e-3)
    assert bins.ceiling[2] >= values.score[2] - 1e-3


@pytest.mark.parametrize("seed", [2, 10])  # rounding leaves 10⁻¹³ over, or as much too little
def test_a_branch_without_rows_of_a_class_has_none_of_its_weight(seed):
    random = np.random.default_rng(seed)
    x, y = random.random(500), random.choice(list("abcd"), 500)
    y[x > 0.5] = np.where(y[x > 0.5] == "c", "a", y[x > 0.5])
    frame = pd.DataFrame({"x": x, "y": y, "w": random.exponential(size=500) ** 3})
    table = engine.Table.from_frame(frame, target="y", weights="w")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.search.large_nodes.LARGE", 1)
        (found,) = engine.candidates(table, engine.Tree.root(table), criterion="entropy")
    right = y[x > found.split.thresholds[0]]
    assert "c" not in right
    assert found.train[1][2] == 0.0


@pytest.mark.parametrize("way", [GROUPS, MULTIWAY, ONE_VS_REST, BUCKET_CUT])
def test_no_value_of_a_column_that_is_not_cut_is_open(way):
    """Such cells are not judged: their ceilings are whatever stood in the memory, infinity perhaps."""
    counted = np.array([[1.0, 2.0], [3.0, 1.0], [0.0, 2.0], [4.0, 4.0]])
    target = Target(np.zeros(1, np.uint16), NOTHING, NOTHING)
    rules = Rules(CRITERIA["gini"].code, 2, 1, 0.0).compiled()
    cells, n, *_ = open_column(counted, 4, 0, 256, way, wide_search.NO_FLOOR, rules, target, 2)
    assert n == 4
    assert not cells.is_open[:n].any()


def test_cells_melt_between_the_cuts_that_are_kept():
    cells = judge.Cells(*judge.make_cells(6, 2))
    cells.stat[:], cells.sizes[:] = np.arange(12).reshape(6, 2), [0, 1, 2, 3, 4, 5]
    cells.score[:] = [-1, 1, 9, 2, 9, -1]
    cells.ends[:] = [0, 10, 20, 30, 40, 50]
    assert large_nodes.melt(cells, 6, 5.0) == 3
    assert cells.stat[1:4].tolist() == [[6, 8], [14, 16], [10, 11]]
    assert (cells.sizes[1:4].tolist(), cells.ends[1:4].tolist()) == ([3, 7, 5], [20, 40, 50])


@examples(40)
@pytest.mark.parametrize(("task", "criterion"), EVERY)
@given(seed=st.integers(0, 10**6), gaps=st.sampled_from([0.0, 0.3]), weighted=st.booleans(), threads=st.integers(1, 3))
def test_a_tree_of_large_nodes_is_that_of_small_ones(task, criterion, seed, gaps, weighted, threads):
    """With every node counted from the matrix in few, wide bins."""
    table = made_table(task, seed, 400, 3, None, gaps, weighted)
    plain = engine.grow(table, max_depth=4, criterion=criterion)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("SMALL", 3), ("VERY_SMALL", 3)):
            patch.setattr(f"engine.growing.by_kernels.{name}", value)
        for name, value in (("LEAST_ROWS", 1), ("FEW_COLUMNS", 1)):
            patch.setattr(f"engine.growing.large_nodes.{name}", value)
        for name, value in (("COARSE", 3), ("ROWS_PER_BIN", 5), ("KEEPS", 1)):
            patch.setattr(wide_search, name, value)
        wide = engine.grow(table, max_depth=4, criterion=criterion, threads=threads)
    for name in ("column", "threshold", "missing"):
        assert getattr(wide.nodes, name).tolist() == pytest.approx(getattr(plain.nodes, name).tolist(), nan_ok=True)


@examples(40)
@pytest.mark.parametrize("order", [None, "best_first", "level", "depth_first"])
@given(
    seed=st.integers(0, 10**6), depth=st.integers(2, 5), leaves=st.sampled_from([4, 7, 30]),
    criterion=st.sampled_from(["gini", "entropy"]), nominal=st.sampled_from(["groups", "multiway"]),
)  # fmt: skip
def test_siblings_of_large_nodes_tell_what_is_left_of_their_parent(order, seed, depth, leaves, criterion, nominal):
    """All at once, or in turn, when the rows of a sibling may have moved on, the last time without their words."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.normal(size=(400, 6)), columns=list("abcdef"))  # two lines of words
    frame["level"] = random.integers(0, 4, 400).astype("U")
    signal = frame["a"] * frame["f"] + 2 * (frame["level"] == "3") + (frame["level"] == "2") + random.normal(size=400)
    table = engine.Table.from_frame(frame.assign(y=np.digitize(signal, [0.0, 1.0]).astype("U")), target="y")
    options = {"max_depth": depth, "criterion": criterion, "nominal": nominal}
    if order is not None:
        options |= {"order": order, "max_leaves": leaves}
    plain = engine.grow(table, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.growing.by_kernels.ROWS_PER_LEAF", 0)
        for name, value in (("SMALL", 3), ("VERY_SMALL", 3)):
            patch.setattr(f"engine.growing.by_kernels.{name}", value)
        for name, value in (("LEAST_ROWS", 1), ("FEW_COLUMNS", 1)):
            patch.setattr(f"engine.growing.large_nodes.{name}", value)
        for name, value in (("COARSE", 3), ("ROWS_PER_BIN", 5), ("KEEPS", 1)):
            patch.setattr(wide_search, name, value)
        in_turn = engine.grow(table, **options)
    for name in ("column", "threshold", "missing", "rows_train"):
        assert getattr(in_turn.nodes, name).tolist() == pytest.approx(getattr(plain.nodes, name).tolist(), nan_ok=True)


@examples(40)
@pytest.mark.parametrize(("task", "criterion"), EVERY)
@given(seed=st.integers(0, 10**6), gaps=st.sampled_from([0.0, 0.2]), weighted=st.booleans(), unseen=st.booleans())
def test_candidates_of_large_nodes_are_those_of_the_tally(task, criterion, seed, gaps, weighted, unseen):
    table = made_table(task, seed, 400, 3, None, gaps, weighted)
    if unseen:
        table = table.with_partition(validation=0.3)
    tree = engine.Tree.root(table)
    plain = engine.candidates(table, tree, criterion=criterion)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.search.large_nodes.LARGE", 1)
        calls = []
        patch.setattr(
            LargeNodeCuts, "find", lambda *asked, find=LargeNodeCuts.find: calls.append(find(*asked)) or calls[-1]
        )
        wide = engine.candidates(table, tree, criterion=criterion)
    assert any(calls)
    for one, other in zip(plain, wide, strict=True):
        assert (one.column, one.rows, one.missing, one.split) == (other.column, other.rows, other.missing, other.split)
        assert other.gain == pytest.approx(one.gain, rel=1e-9, abs=1e-12)
        assert other.logworth == pytest.approx(one.logworth, rel=1e-9, abs=1e-9)
        assert other.scores == pytest.approx(one.scores, rel=1e-9, abs=1e-12)
        assert other.validation_gain == pytest.approx(one.validation_gain, rel=1e-9, abs=1e-12, nan_ok=True)
        for a, b in zip((*one.train, *one.validation), (*other.train, *other.validation), strict=True):
            assert b == pytest.approx(a, rel=1e-9, abs=1e-6)
