"""The root's candidates from the target in each column's order, against the tally of every value and plain Python."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.search import ordered_target
from engine.search.kernels import cut_bounds as judge
from engine.search.kernels import ordered
from engine.search.ordered_cuts import OrderedCuts
from engine.table.partition import TRAIN, VALIDATION
from tests import naive
from tests.effort import examples

PART = {"validation": 0.3, "test": 0.1}


def made_table(seed, n, n_classes, gaps, noise=False):
    """A column of distinct values, one of near values, one of few, one with much of one value, one of gaps only."""
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    signal = 0 * x if noise else np.abs(x) * n_classes / 2
    y = np.clip((signal + random.normal(size=n)).astype(int), 0, n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    columns = {
        "x": x, "near": np.round(x + random.normal(size=n), 2), "few": random.integers(0, 4, n),
        "much": np.where(random.random(n) < 0.7, 1.5, x),
    }  # fmt: skip
    frame = pd.DataFrame({name: np.where(random.random(n) < gaps, np.nan, column) for name, column in columns.items()})
    frame["none"] = np.nan
    frame["other"] = random.integers(0, 2, n)
    frame["y"] = pd.Categorical.from_codes(y, [f"c{i}" for i in range(n_classes)])
    frame.loc[random.random(n) < 0.02, "y"] = np.nan
    return engine.Table.from_frame(frame, target="y")


def both_ways(table, **options):
    """The candidates of the root from tallies and from ordered targets."""
    root = engine.Tree.root(table)
    plain = engine.candidates(table, root, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.search.large_cuts.LARGE", 1)
        patch.setattr("engine.search.ordered_target.ROWS_PER_BLOCK", 24)
        found = []
        find = OrderedCuts.find
        patch.setattr(OrderedCuts, "find", lambda self, place: found.append(find(self, place)) or found[-1])
        fast = engine.candidates(table, root, **options)
    assert any(cut is not None for cut in found) or all(one.split is None for one in fast if one.column != "y")
    return plain, fast


def assert_same(plain, fast):
    for one, other in zip(plain, fast, strict=True):
        assert (one.column, one.rows, one.missing, one.split) == (other.column, other.rows, other.missing, other.split)
        assert (one.reason, one.scores) == (other.reason, pytest.approx(other.scores, rel=1e-9, abs=1e-12, nan_ok=True))
        assert other.gain == pytest.approx(one.gain, rel=1e-9, abs=1e-12, nan_ok=True)
        assert other.logworth == pytest.approx(one.logworth, rel=1e-9, abs=1e-9)
        assert other.validation_gain == pytest.approx(one.validation_gain, rel=1e-9, abs=1e-12, nan_ok=True)
        for a, b in zip((*one.train, *one.validation), (*other.train, *other.validation), strict=True):
            assert b.tolist() == a.tolist()


@examples(60)
@pytest.mark.parametrize("criterion", naive.CLASS_CRITERIA)
@given(
    seed=st.integers(0, 10**6), n=st.integers(20, 900), n_classes=st.integers(2, 5), gaps=st.sampled_from([0.0, 0.3]),
    noise=st.booleans(), min_leaf=st.sampled_from([1, 2, 40]), unseen=st.booleans(),
)  # fmt: skip
def test_an_ordered_target_gives_the_candidates_of_the_tally(
    criterion, seed, n, n_classes, gaps, noise, min_leaf, unseen
):
    table = made_table(seed, n, n_classes, gaps, noise)
    table = table.with_partition(**PART) if unseen else table
    assert_same(*both_ways(table, criterion=criterion, min_leaf=min_leaf))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_is_never_of_another_table(seed):
    """Each version of a table is asked after the one before, which has kept its own."""
    table = made_table(seed, 500, 3, 0.1)
    assert_same(*both_ways(table))
    for other in (
        table.with_partition(**PART),
        table.with_partition(**PART, seed=1),
        table.with_target("other"),
        table.with_kind("few", "nominal"),
        table.with_kind("few", "nominal").with_kind("few", "integer"),
        table.take(np.arange(0, 500, 2)),
        table.take(np.repeat(np.arange(100), 3)),
        table.with_roles({"few": "weight"})
        if not table.column("few").n_missing
        else table.with_roles({"few": "ignore"}),
        table,
    ):
        assert other.kept == {} or other is table
        assert_same(*both_ways(other))
        assert_same(*both_ways(other, criterion="entropy"))


def test_one_thread_and_many_find_the_same_in_order():
    table = made_table(0, 20_000, 4, 0.1).with_partition(**PART)
    root = engine.Tree.root(table)
    assert_same(engine.candidates(table, root, threads=1), engine.candidates(table, root, threads=4))
    assert [key for key in table.kept if key[0] == "ordered target"]


def test_only_the_table_that_was_asked_last_keeps_its_targets():
    """The undo history may hold many tables."""
    one = made_table(0, 20_000, 2, 0.0)
    other = one.with_partition(**PART)
    before = engine.candidates(one, engine.Tree.root(one))
    kept = set(one.kept)
    assert ("ordered target", 0) in kept
    engine.candidates(other, engine.Tree.root(other))
    assert (one.kept, set(other.kept)) == ({}, kept)
    assert_same(before, engine.candidates(one, engine.Tree.root(one)))
    assert (set(one.kept), other.kept) == (kept, {})


def test_weights_many_classes_and_bins_keep_no_ordered_target():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": random.normal(size=300), "w": 1 + random.integers(0, 2, 300), "y": random.choice(list("ab"), 300)}
    )
    assert ordered_target.can_be_ordered(engine.Table.from_frame(frame, target="y"))
    assert not ordered_target.can_be_ordered(engine.Table.from_frame(frame, target="y", weights="w"))
    assert not ordered_target.can_be_ordered(engine.Table.from_frame(frame, target="x"))
    frame["y"] = np.arange(300) % (ordered_target.MOST_BYTES + 1)
    frame["y"] = frame["y"].astype(str)
    assert not ordered_target.can_be_ordered(engine.Table.from_frame(frame, target="y"))


@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=200),
    st.sampled_from([1, 3, 64]),
    st.integers(1, 5),
    st.booleans(),
)
def test_blocks_part_where_the_value_changes_and_count_their_rows(codes, most, n_classes, unseen):
    random = np.random.default_rng(len(codes))
    codes = np.array(codes, np.uint8)
    order = np.argsort(codes, kind="stable").astype(np.uint32)
    order.flags.writeable = False
    n, n_missing = codes.size, int((codes == 0).sum())
    assert [ordered.first_beyond(codes, order, limit, 0, n) for limit in range(13)] == [
        int((codes <= limit).sum()) for limit in range(13)
    ]
    ends, single = np.empty(2 * n // most + 3, np.int64), np.empty(2 * n // most + 3, np.bool_)
    n_blocks = ordered.end_blocks(codes, order, n_missing, most, ends, single)
    ends, single = ends[:n_blocks].copy(), single[:n_blocks].copy()
    assert (ends[0], ends[-1]) == (n_missing, n)
    parts = 2 if unseen else 1
    packed = random.integers(0, parts * n_classes + 1, n).astype(np.uint8)
    blocks = ordered.Blocks(
        np.empty(n, np.uint8), ends, single, np.empty((n_blocks, n_classes)), np.empty(n_blocks, np.int64),
        np.empty((n_blocks if unseen else 0, n_classes)),
    )  # fmt: skip
    ordered.count_blocks(order, packed, blocks)
    assert blocks.labels.tolist() == packed[order].tolist()
    low = 0
    for b, high in enumerate(ends):
        values = codes[order[low:high]]
        assert b == 0 or values.size
        assert len(set(values)) <= 1 if single[b] else values.size <= most and len(set(values)) > 1
        assert high in (n, low) or codes[order[high]] > values.max()
        counts = np.bincount(packed[order[low:high]], minlength=2 * n_classes)
        assert blocks.stat[b].tolist() == counts[:n_classes].tolist()
        assert blocks.sizes[b] == counts[:n_classes].sum()
        if unseen:
            assert blocks.unseen[b].tolist() == counts[n_classes : 2 * n_classes].tolist()
        low = high
    for at in range(n_missing, n + 1) if unseen else ():
        counted = np.empty((3, n_classes))
        ordered.count_unseen(blocks, at, counted)
        for rows, line in zip((order[n_missing:at], order[at:], order[:n_missing]), counted, strict=True):
            counts = np.bincount(packed[rows], minlength=2 * n_classes)
            assert line.tolist() == counts[n_classes : 2 * n_classes].tolist()


@pytest.mark.parametrize("n_bytes", [2, 7, 8, 65])
def test_bytes_are_counted_however_many_there_are(n_bytes):
    labels = np.random.default_rng(0).integers(0, n_bytes, 3000).astype(np.uint8)
    labels[:600] = n_bytes - 1  # more than a field holds
    counts = np.full(n_bytes, -1)
    ordered.count_bytes(labels, 10, 2990, counts)
    assert counts.tolist() == np.bincount(labels[10:2990], minlength=n_bytes).tolist()


@examples(300)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=2, max_size=5))
def test_the_divergence_is_no_more_than_its_share_of_chi_square(pairs):
    p, q = np.array(pairs, float).T
    if not p.any():
        return
    p, q = p / p.sum(), q / q.sum()
    divergence = sum(a * np.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)
    share = judge.divergence_share(float((p / q).min()))
    assert 0.5 <= share <= 1.0
    assert divergence <= share * ((p - q) ** 2 / q).sum() + 1e-12


def test_training_rows_are_summed_once_for_the_root():
    table = made_table(1, 400, 3, 0.0).with_partition(**PART)
    from engine.search.tally import NodeRows

    root, again = NodeRows.root(table), NodeRows.of(table, np.arange(400))
    assert root.is_root and again.is_root and not NodeRows.of(table, np.arange(0, 400, 3)).is_root
    assert (
        root.rows.tolist() == again.rows.tolist() == np.flatnonzero(np.isin(table.part, (TRAIN, VALIDATION))).tolist()
    )
    assert root.n_parts == again.n_parts == 2
    assert root.trained.tolist() == np.bincount(table.y[table.part == TRAIN], minlength=3).tolist()
