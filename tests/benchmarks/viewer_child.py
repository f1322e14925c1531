"""One viewer and one tree in a process of its own: `python -m tests.benchmarks.viewer_child orange 999`.

Every step is told as a line of JSON when it is done, so that what came before one that takes too long is known.
"""

import ctypes
import gc
import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.viewer_trees import TINY, Viewer, fitted

VIEWERS = {  # by name: module, class
    "cards": ("viewers_ours", "Cards"),
    "streams": ("viewers_ours", "Streams"),
    "orange": ("viewers_theirs", "Orange"),
    "plot_tree": ("viewers_theirs", "PlotTree"),
    "dtreeviz": ("viewers_theirs", "Dtreeviz"),
}
MOST_RUNS, ENOUGH_SECONDS = 9, 10.0


def tell(**what: Any) -> None:
    """A line for the process that waits."""
    print("\n" + json.dumps(what), flush=True)


def timed(function: Callable[[], None]) -> tuple[float, float]:
    """Wall seconds, and seconds of processors, those of its own processes included."""
    gc.collect()
    cpu, wall = processors(), time.perf_counter()
    function()
    return time.perf_counter() - wall, processors() - cpu


def processors() -> float:
    """Seconds that processors have worked for this process and for those that it has waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def memory() -> dict[str, int]:
    """Bytes that this process holds: "rss", and "uss" without what it shares; empty where the system does not tell."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    except (OSError, AttributeError, TypeError):
        return {}
    fields = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines[1:])}
    return {"rss": fields["Rss"], "uss": fields["Private_Clean"] + fields["Private_Dirty"]}


def measure(viewer: Viewer, nodes: int) -> None:
    """All steps of one viewer."""
    tree, tiny = fitted(nodes), fitted(TINY)
    viewer.take(tiny)
    viewer.build()
    if viewer.repaints[0]:
        viewer.fit()
        viewer.repaint()
    viewer.take(tree)
    before = memory()
    tell(step="ready", digest=tree.digest, nodes=int(tree.model.tree_.node_count))
    wall, cpu = timed(viewer.build)
    tell(step="build", wall=wall, cpu=cpu)
    if viewer.repaints[0]:
        viewer.fit()
        tell(step="whole", **repainted(viewer))
    after = memory()
    tell(step="memory", **{kind: after[kind] - before[kind] for kind in after})
    if viewer.repaints[1]:
        found = []
        for place in tree.places:
            viewer.look_at(place)
            found.append(repainted(viewer))
        tell(step="near", **{kind: median(one[kind] for one in found) for kind in ("wall", "cpu")})
    tell(step="end")


def repainted(viewer: Viewer) -> dict[str, float]:
    """Medians of some repaints; the first one, which may measure letters and keep what it found, is not counted where
    there are more."""
    begin, found = time.perf_counter(), []
    while len(found) <= MOST_RUNS and (not found or time.perf_counter() - begin < ENOUGH_SECONDS):
        found.append(timed(viewer.repaint))
    later = found[1:] or found
    return {"wall": median(wall for wall, _ in later), "cpu": median(cpu for _, cpu in later)}


def main(name: str, nodes: int) -> None:
    """Measures, or says what is missing."""
    module, kind = VIEWERS[name]
    viewer = None
    try:
        viewer = getattr(importlib.import_module(f"tests.benchmarks.{module}"), kind)()
        viewer.begin()
    except ImportError as error:
        tell(step="missing", what=str(error))
        return
    tell(step="begun", version=version(viewer.package) if viewer.package else "")
    measure(viewer, nodes)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)  # some libraries fall over one another when they end
