"""Growing one tree, beside scikit-learn's on the same arrays in the same run.

The values are exact in float32 and stand at least 2⁻²¹ apart where they differ: scikit-learn rounds to float32 and
takes values within 10⁻⁷ for equal. Exact ties between splits may still go either way; below one the trees may differ.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

import engine


@dataclass(frozen=True)
class Case:
    """One line of the report: rows, columns, depth (None: until every leaf is pure), and runs on either side."""

    rows: int
    columns: int
    depth: int | None
    runs: int
    judge_runs: int


CASES = (Case(100_000, 20, 6, 5, 3), Case(100_000, 20, None, 5, 1), Case(1_000_000, 20, 6, 5, 1))
LONG_CASES = (Case(1_000_000, 20, None, 3, 1),)


def made_up(rows: int, columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, pd.DataFrame]:
    """(x float32[rows, columns], y, the frame of both): an effect, an interaction, and as much noise."""
    random = np.random.default_rng(seed)
    x = (np.round(random.normal(size=(rows, columns)) * 2**21) / 2**21).astype(np.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + random.normal(size=rows) > 0).astype(int)
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(columns)])
    return x, y, frame.assign(y=pd.Categorical.from_codes(y, ["no", "yes"]))


def timed(function: Callable[[], Any], runs: int) -> tuple[Any, float]:
    """The last result and the median time in seconds."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - begin)
    return result, median(times)


def measure(case: Case) -> str:
    """Runs one case and puts it in words."""
    x, y, frame = made_up(case.rows, case.columns)
    table, in_table = timed(lambda: engine.Table.from_frame(frame, target="y"), 1)
    begin = time.perf_counter()
    tree = engine.grow(table, max_depth=case.depth)  # sorts the columns as well, which the table keeps
    first = time.perf_counter() - begin
    tree, in_tree = timed(lambda: engine.grow(table, max_depth=case.depth), case.runs)
    judge, judged = timed(
        lambda: DecisionTreeClassifier(max_depth=case.depth, random_state=0).fit(x, y), case.judge_runs
    )
    different = int(np.count_nonzero((tree.predict(frame) == "yes") != judge.predict(x)))
    size = f"{case.rows:>9,} x {case.columns}  {'full' if case.depth is None else case.depth:>4}  {tree.n_leaves:>8,}"
    seconds = f"{in_table:7.2f}  {first:7.2f}  {in_tree:8.3f}  {judged:8.2f}"
    ratios = f"{judged / in_tree:6.1f}x  {judged / (in_table + first):6.1f}x"
    return f"{size}  {seconds}  {ratios}  {different:>9,}"


def report(cases: tuple[Case, ...] = CASES) -> None:
    """Measures the cases and prints a table, seconds and ratios."""
    _, in_compiling = timed(lambda: engine.grow(engine.Table.from_frame(made_up(60_000, 3)[2], target="y")), 1)
    print(f"compiling or loading the kernels: {in_compiling:.1f} s\n")
    print("Seconds, medians. “to table”: from the data frame; “first”: sorting the columns and growing;")
    print("“grow”: growing again. Ratios: scikit-learn by “grow”, and by everything from the frame on.\n")
    print("     rows x cols depth   leaves  to table    first      grow   sklearn    ratio      all  different")
    for case in cases:
        print(measure(case), flush=True)
