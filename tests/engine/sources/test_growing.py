"""Sources grow the trees of memory."""

import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from engine.sources import coded, growing
from engine.sources.node import paths_of
from tests.effort import examples
from tests.same_trees import assert_same

NAME = '"; drop table t; --'


def frames(seed, n, lacking, task):
    """A data frame of many kinds of columns, full of ties; and a target that depends on some."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "number": random.normal(size=n).round(2),
        "whole": random.integers(0, 9, n),
        "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 40, n), unit="D"),
        "flag": random.random(n) < 0.4,
        NAME: random.choice(["a", "b", "ä", "it's", ""], n),
        "odd": random.choice([-np.inf, np.inf, -0.0, 0.0, 1e300], n),
    })  # fmt: skip
    signal = frame["number"] + frame["whole"] * (frame[NAME] == "a") + random.normal(size=n)
    if lacking:
        for name in ("number", NAME, "flag"):
            frame[name] = frame[name].astype(object).where(random.random(n) > 0.2, None)
        frame["number"] = frame["number"].astype(float)
    frame["y"] = (
        np.where(signal > 1, "yes", np.where(signal < -1, "no", "so")) if task == "classes" else signal.round(1)
    )
    if lacking:
        frame.loc[random.random(n) < 0.1, "y"] = None if task == "classes" else np.nan
    return frame


OPTIONS = (
    {}, {"max_depth": 4, "criterion": "entropy"}, {"order": "best_first", "max_leaves": 9},
    {"order": "level", "max_leaves": 8, "min_leaf": 3}, {"max_leaves": 7}, {"preset": "c4.5", "missing": "direction"},
    {"missing": "branch", "min_leaf": 4}, {"nominal": "one_vs_rest", "min_rows": 20}, {"numeric": "bucket_branches"},
    {"nominal": "multiway", "min_gain": 0.01, "cp": 0.01},
)  # fmt: skip


def fitting(table, options):
    """The options, or None where they are not for this target."""
    try:
        engine.Search.make(table.task, **options)
    except InputError:
        return None
    return options


def assert_grows(source, table, options):
    """The source grows the tree of the table; or refuses in words what needs rows."""
    if fitting(table, options) is None:
        return
    try:
        found = engine.grow_source(source, **options)
    except InputError as error:
        assert "rows themselves" in str(error)
        return
    expected = engine.grow(table, **options)
    assert_same(found, expected)
    assert found.columns == expected.columns
    if table.task == "classes":
        np.testing.assert_array_equal(found.train, expected.train)
        np.testing.assert_array_equal(found.validation, expected.validation)


def in_memory(frame):
    """The frame as a table, with the kinds that it needs."""
    kinds = {"y": "number"} if frame["y"].dtype.kind == "f" else {}
    return engine.Table.from_frame(frame, target="y", kinds=kinds), kinds


def has_several(table):
    return len(set(table.y[table.part == 0].tolist())) > 1


CASES = given(
    st.integers(0, 10**6), st.sampled_from([8, 60, 300]), st.booleans(), st.sampled_from(["classes", "number"]),
    st.sampled_from(OPTIONS),
)  # fmt: skip


@examples(40)
@CASES
def test_memory_as_a_source_grows_the_same_tree(seed, n, lacking, task, options):
    table, _ = in_memory(frames(seed, n, lacking, task))
    if has_several(table):
        assert_grows(engine.open_source(table, target="y"), table, options)


@examples(15, 5)
@CASES
def test_codes_and_duckdb_grow_the_tree_of_memory(seed, n, lacking, task, options):
    pytest.importorskip("duckdb")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded, "CHUNK", 50)
        patch.setattr("engine.sources.duck.ROWS", 64)
        path = Path(folder) / "rows.parquet"
        frames(seed, n, lacking, task).to_parquet(path, row_group_size=40)
        table, kinds = in_memory(pd.read_parquet(path))
        if has_several(table):
            assert_grows(
                engine.open_source(path, target="y", kinds=kinds, store=Path(folder) / "codes"), table, options
            )
            few = {**options, "max_depth": 3}
            for memory in (0, 10**6):
                assert_grows(engine.open_source(path, target="y", kinds=kinds, memory=memory), table, few)


def test_chunks_and_small_portions_change_nothing(monkeypatch):
    table, _ = in_memory(frames(1, 300, True, "classes"))
    monkeypatch.setattr(coded, "CHUNK", 37)
    monkeypatch.setattr(growing, "MOST_COUNTS", 500)
    assert_grows(engine.open_source(table, target="y"), table, {})


@pytest.mark.parametrize("room", [growing.BYTES_KEPT, 20_000, 0])
def test_the_branch_with_most_rows_is_what_the_others_leave(monkeypatch, room):
    table, _ = in_memory(frames(3, 300, True, "classes"))
    table = table.with_partition(validation=0.3, seed=1)
    source = engine.open_source(table, target="y")
    counted = []

    class Noting:
        head, lacking, rows, extents = source.head, source.lacking, source.rows, source.extents

        def tally(self, paths, columns, centres, progress, grids=growing.NO_GRIDS):
            found = source.tally(paths, columns, centres, progress, grids)
            counted.append(sum(tally.n_train for tally in found[0]))
            return found

    monkeypatch.setattr(growing, "BYTES_KEPT", room)
    assert_grows(Noting(), table, {})
    if room != 20_000:  # which has room for some levels
        assert (max(counted[1:]) <= table.n_train / 2) == (room > 0)


def test_what_needs_rows_is_refused():
    table, _ = in_memory(frames(1, 60, False, "number"))
    with pytest.raises(InputError, match="criterion “absolute_error” needs the rows themselves"):
        engine.grow_source(engine.open_source(table, target="y"), criterion="absolute_error")


def test_a_stopped_scan_leaves_the_tree_so_far():
    table, _ = in_memory(frames(1, 300, False, "classes"))
    progress, heard = Progress(lambda *_: heard.append(1) or (len(heard) == 3 and progress.stop())), []
    tree = engine.grow_source(engine.open_source(table, target="y"), progress=progress)
    assert 1 < tree.n_leaves < engine.grow(table).n_leaves


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("task", ["classes", "number"])
def test_rows_that_were_on_their_way_as_a_scan_ended_start_anew(task, threads, monkeypatch):
    monkeypatch.setattr(coded, "CHUNK", 30)
    table, _ = in_memory(frames(1, 300, True, task))
    tree, source = engine.grow(table, max_depth=3), coded.Coded(table, threads)
    paths = [path for path, n in zip(paths_of(tree), tree.n_branches, strict=True) if n == 0]
    columns, centres = [table.index("whole")], np.zeros(len(paths))

    def asked(own):
        return [
            [getattr(one, name).tolist() for name in ("codes", "train", "validation", "missing_train", "rows_train")]
            for one in own.tally(paths, columns, centres, Progress())[0]
        ]

    expected = asked(coded.Coded(table, threads))
    counted, progress, among = [], Progress(), coded.Chunk.among

    def stop_at_third(chunk, *of):
        counted.append(chunk)
        if len(counted) == 3:
            progress.stop()
        return among(chunk, *of)

    with monkeypatch.context() as stopping, pytest.raises(Stopped):
        stopping.setattr(coded.Chunk, "among", stop_at_third)
        source.tally(paths, columns, centres, progress)
    assert 3 <= len(counted) < 10
    assert asked(source) == expected
    with monkeypatch.context() as broken:
        broken.setattr(coded.Chunk, "among", lambda *_: {}["nothing"])
        with pytest.raises(KeyError):
            coded.Coded.tally(source, [()], columns, np.zeros(1), Progress())
        with pytest.raises(KeyError):
            source.tally(paths, columns, centres, Progress())
    assert asked(source) == expected


def test_two_threads_move_the_same_rows_one_after_the_other(monkeypatch):
    """The second asks while the first has found the way of its rows and not yet scanned them."""
    table, _ = in_memory(frames(1, 300, True, "classes"))
    tree, source = engine.grow(table, max_depth=3), coded.Coded(table, 1)
    leaves = [path for path, n in zip(paths_of(tree), tree.n_branches, strict=True) if n == 0]
    asked, first, finished = threading.Event(), threading.Event(), threading.Event()
    descent, scan = coded.Coded.descent, coded.Coded.scan

    def find(self, paths):
        if first.is_set():
            asked.set()
        return descent(self, paths)

    def move(self, summing, progress):
        if not first.is_set():
            first.set()
            asked.wait(0.5)  # which has to wait for this scan
            scan(self, summing, progress)
            finished.set()
        else:
            assert finished.wait(60)
            scan(self, summing, progress)

    def counted(own, paths):
        found = own.tally(paths, [table.index("whole")], np.zeros(len(paths)), Progress())[0]
        return [(one.codes.tolist(), one.train.tolist(), one.missing_train.tolist()) for one in found]

    expected = [counted(coded.Coded(table, 1), paths) for paths in (leaves, [()])]
    monkeypatch.setattr(coded.Coded, "descent", find)
    monkeypatch.setattr(coded.Coded, "scan", move)
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(counted, source, leaves)
        assert first.wait(60)
        other = pool.submit(counted, source, [()])
        assert [one.result(60), other.result(60)] == expected


def test_rows_of_a_node_are_its_own_and_repeatable():
    table, _ = in_memory(frames(1, 300, True, "classes"))
    source, tree = engine.open_source(table, target="y"), engine.grow(table, max_depth=1)
    path = ((tree.split_at(0), 0),)
    shown = source.rows(path, 10**6, 3)
    rows = np.flatnonzero(tree.apply(table) == 1)
    rows = rows[table.part[rows] == 0]
    for column, mine in zip(shown.columns, table.columns, strict=True):
        assert column.codes.tolist() == mine.codes[rows].tolist()
    few = source.rows(path, 5, 3)
    for column, again in zip(few.columns, source.rows(path, 5, 3).columns, strict=True):
        assert column.codes.tolist() == again.codes.tolist()
    assert few.n_rows == 5 and set(few.column("whole").numbers) <= set(shown.column("whole").numbers)


@pytest.mark.parametrize("after", [1, 2, 3])
def test_rows_that_change_between_two_scans_are_said(after, monkeypatch):
    table, _ = in_memory(frames(2, 300, False, "classes"))
    source, scans = coded.Coded(table), []
    other = coded.Coded(in_memory(frames(2, 300, False, "classes"))[0])
    other.table = replace(table, columns=tuple(
        one if one.name == "y" else replace(one, codes=one.codes[::-1].copy()) for one in table.columns
    ))  # fmt: skip
    tally = source.tally

    def changing(*asked):
        scans.append(asked)
        return (tally if len(scans) <= after else other.tally)(*asked)

    monkeypatch.setattr(source, "tally", changing)
    with pytest.raises(InputError, match="were changed"):
        engine.grow_source(source, max_depth=6)
