"""One cell in a process of its own: `python -m tests.benchmarks.child '{"kind": …}'` prints its result as JSON.

Two processors, where the system can give a process a choice of them: the first and the last, which are seldom two
threads of the same core. They are chosen before anything is imported that counts processors.
"""

import json
import os
import sys
from typing import Any


def pin(processors: int = 2) -> int:
    """Keeps this process and all its children on so many processors; how many there are now."""
    if not hasattr(os, "sched_setaffinity"):
        return os.cpu_count() or 1
    free = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {free[0], free[-1], *free[: processors - 2]} if len(free) > 1 else free)
    return len(os.sched_getaffinity(0))


def peer_grow(cell: Any, data: Any) -> dict[str, Any]:
    """One tree of a peer: its own form of the data, and training; a tiny tree first loads its library."""
    from tests.benchmarks.data import RECIPES
    from tests.benchmarks.measuring import Memory, Stopwatch, judged, repeat
    from tests.benchmarks.peers import PEERS

    peer, recipe = PEERS[cell.who], RECIPES[cell.data]
    settings = peer.settings(recipe, cell.tree)
    few = peer.learner(recipe.make(1000, cell.columns), settings)
    few.train(few.prepare() if few.prepare else None)
    learner, watch = peer.learner(data, settings), Stopwatch()
    peaks: dict[str, int | None] = {}

    def once() -> tuple[Any, Any]:
        memory = Memory()
        made = watch.time("prepare", learner.prepare) if learner.prepare else None
        model = watch.time("train", lambda: learner.train(made))
        peaks.setdefault("first", memory.peak())
        return model, made

    model, made = repeat(once)
    return {"seconds": watch.seconds, "cpu": watch.cpu, "peaks": peaks, **judged(learner.leaf_of(model, made), data)}


def _ties(cell: Any, data: Any) -> dict[str, Any]:
    from tests.benchmarks import ties  # needs scikit-learn, as no other cell of Espalier's does

    return ties.compare(cell, data)


def measure(cell: Any) -> dict[str, Any]:
    """The result of a cell, as plain values."""
    from tests.benchmarks import ours, starting
    from tests.benchmarks.cells import OURS
    from tests.benchmarks.data import RECIPES
    from tests.benchmarks.measuring import Others

    if not cell.data:
        others = Others()
        return {**{"compile": starting.compiling, "window": starting.window}[cell.kind](), "others": others.busy()}
    functions = {
        "grow": ours.grow, "root": ours.root, "changes": ours.changes, "folds": ours.folds, "threads": ours.threads,
        "file": ours.opening, "ties": _ties,
    }  # fmt: skip
    function = functions[cell.kind] if cell.who == OURS else ours.reading if cell.kind == "file" else peer_grow
    data = RECIPES[cell.data].make(cell.rows, cell.columns)
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
