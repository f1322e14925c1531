"""Columns of few values are counted together, and every one is told as if it were counted alone."""

from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.runtime.progress import Progress
from engine.sources import coded, counting
from engine.sources.node import paths_of
from engine.splits import bind
from engine.table.partition import TRAIN, VALIDATION
from tests.effort import examples

ROOMS = (0, 300, 2_000, counting.JOINT_BYTES)


@examples(30)
@given(
    seed=st.integers(0, 10**6), n=st.integers(5, 300), widths=st.lists(st.integers(1, 60), min_size=2, max_size=7),
    room=st.sampled_from(ROOMS), threads=st.sampled_from([1, 2]),
)  # fmt: skip
def test_counts_of_columns_that_are_counted_together(seed, n, widths, room, threads):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{i}": random.integers(0, width, n).astype(float) for i, width in enumerate(widths)})
    frame = frame.mask(random.random(frame.shape) < 0.1).assign(y=[*"ab", *random.choice(list("abc"), n - 2)])
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3 if n > 20 else 0.0, seed=seed)
    tree, columns = engine.grow(table, max_depth=2), [table.index(f"x{i}") for i in range(len(widths))]
    paths = [path for path, n in zip(paths_of(tree), tree.n_branches, strict=True) if n == 0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "JOINT_BYTES", room)
        patch.setattr(coded, "CHUNK", 101)
        told = coded.Coded(table, threads).tally(paths, columns, np.zeros(len(paths)), Progress())
    target = table.target_column.codes.astype(int) - 1
    for place, of_column in zip(columns, told, strict=True):
        for path, tally in zip(paths, of_column, strict=True):
            rows, codes = rows_at(table, path), table.columns[place].codes
            for part, missing, by_value in (
                (TRAIN, tally.missing_train, tally.train), (VALIDATION, tally.missing_validation, tally.validation)
            ):  # fmt: skip
                found = dict(zip(tally.codes.tolist(), by_value.tolist(), strict=True)) | {0: missing.tolist()}
                expected = {code: [0] * table.n_stats for code in found}
                for row in rows[table.part[rows] == part].tolist():
                    expected[int(codes[row])][target[row]] += 1
                assert found == expected


def rows_at(table, path):
    """The numbers of the rows that go this way."""
    here = np.arange(table.n_rows)
    for split, branch in path:
        bound = bind(split, table)
        here = here[bound.branches(table.columns[bound.column].codes[here].astype(np.int64)) == branch]
    return here


def test_as_many_columns_share_a_table_as_there_is_room_for():
    groups = counting.together([5001, 9, 101, 13, 9], 4)
    assert sorted(j for some in groups for j in some) == [0, 1, 2, 3, 4]
    assert [0] in groups and len(groups) == 3
    cells = [prod([5001, 9, 101, 13, 9][j] for j in some) for some in groups]
    assert sorted(cells)[:2][-1] <= counting.JOINT_BYTES // 16
    assert counting.together([2, 2, 2], 10**9) == [[0], [1], [2]]
