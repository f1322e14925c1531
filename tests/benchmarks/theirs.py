"""The peers' cells: one tree, its data's own form apart; and reading a file."""

import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.cells import Cell
from tests.benchmarks.data import RECIPES, Data
from tests.benchmarks.measuring import Memory, Stopwatch, judged, repeat
from tests.benchmarks.peers import PEERS

FEW = 1000  # rows of the tree that loads a library and starts its threads


def grow(cell: Cell, data: Data) -> dict[str, Any]:
    """One tree of a peer: making its own form of the data, and training."""
    peer, recipe = PEERS[cell.who], RECIPES[cell.data]
    settings = peer.settings(recipe, cell.tree)
    few = peer.learner(recipe.make(FEW, cell.columns), settings)
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


def written(data: Data, folder: str) -> Path:
    """The data as a CSV file."""
    import pyarrow
    from pyarrow import csv

    path = Path(folder) / "data.csv"
    csv.write_csv(pyarrow.Table.from_pandas(data.frame, preserve_index=False), path)
    return path


def reading(cell: Cell, data: Data) -> dict[str, Any]:
    """pyarrow reading the same file."""
    from pyarrow import csv

    watch = Stopwatch()
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        path = written(data, folder)
        csv.read_csv(path)
        repeat(lambda: watch.time("train", lambda: csv.read_csv(path)))
        return {"seconds": watch.seconds, "cpu": watch.cpu, "bytes": path.stat().st_size}
