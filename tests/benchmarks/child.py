"""One cell in a process of its own: `python -m tests.benchmarks.child '{"kind": …}'` prints its result as JSON.

Two processors, where the system can give a process a choice of them: the first and the last, which are seldom two
threads of the same core. They are chosen before anything is imported that counts processors.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any


def pin() -> int:
    """Keeps this process and all its children on two processors; how many there are now."""
    if not hasattr(os, "sched_setaffinity"):
        return os.cpu_count() or 1
    free = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {free[0], free[-1]})
    return len(os.sched_getaffinity(0))


def find(cell: Any) -> Callable[[Any, Any], dict[str, Any]]:
    """What measures a cell: (cell, data) → plain values. A peer's process never imports Espalier."""
    from tests.benchmarks.cells import OURS

    if cell.who != OURS:
        from tests.benchmarks import theirs

        return theirs.reading if cell.kind == "file" else theirs.grow
    if cell.kind == "ties":  # needs scikit-learn, as no other cell of Espalier's does
        from tests.benchmarks import ties

        return ties.compare
    from tests.benchmarks import ours

    functions = {
        "grow": ours.grow, "root": ours.root, "changes": ours.changes, "folds": ours.folds, "threads": ours.threads,
        "file": ours.opening, "pruning": ours.pruning,
    }  # fmt: skip
    return functions[cell.kind]


def measure(cell: Any) -> dict[str, Any]:
    """The result of a cell, as plain values."""
    from tests.benchmarks import starting
    from tests.benchmarks.data import RECIPES
    from tests.benchmarks.measuring import Others

    if not cell.data:
        others = Others()
        return {**{"compile": starting.compiling, "window": starting.window}[cell.kind](), "others": others.busy()}
    function, data = find(cell), RECIPES[cell.data].make(cell.rows, cell.columns)
    if data.x.shape != (cell.rows, cell.columns):
        raise AssertionError(f"{cell.name}: the data have shape {data.x.shape}")
    others = Others()
    return {**function(cell, data), "others": others.busy()}


def main() -> None:
    processors = pin()
    from tests.benchmarks.cells import Cell

    result = measure(Cell(**json.loads(sys.argv[1])))
    print("\n" + json.dumps({**result, "processors": processors}))


if __name__ == "__main__":
    main()
