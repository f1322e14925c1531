"""`python -m tests.benchmarks.wide [rows [way …]]`: a tree on four columns of numbers of which none occurs twice.

In memory; as a source of codes that are counted in bins first, then where the best cut may be ("zoom"); and by their
codes alone, which takes many scans. Each way runs in a process of its own.
"""

import json
import resource
import subprocess
import sys
from time import perf_counter

from tests.benchmarks.sources import DEPTH, hash_of

WAYS = ("memory", "zoom", "codes")


def make(n: int) -> object:
    """Four columns of so many different numbers, and two classes, as a data frame."""
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(0)
    frame = {f"x{i}": random.normal(size=n) for i in range(4)}
    score = frame["x0"] + (frame["x1"] > 0) * frame["x2"] + random.normal(size=n)
    return pd.DataFrame({**frame, "y": np.where(score > 0.5, "yes", "no")})


def run(way: str, n: int) -> dict[str, object]:
    """Seconds and scans of a tree of one of the ways of `WAYS`."""
    import engine
    from engine.sources import growing
    from engine.sources.coded import Coded
    from engine.sources.counted import CountedTable

    most, scans, count = growing.MOST_COUNTS, [], growing.ByCounts._count
    small = engine.Table.from_frame(make(100_000), target="y")
    growing.MOST_COUNTS = 1 << 18
    engine.grow(small, max_depth=2) if way == "memory" else engine.grow_source(small, max_depth=2)
    growing.MOST_COUNTS, growing.SCANS = most, 10**9 if way == "codes" else growing.SCANS
    growing.ByCounts._count = lambda *given: scans.append(1) or count(*given)
    began = perf_counter()
    table = engine.Table.from_frame(make(n), target="y")
    table = table if way == "memory" else CountedTable.of(Coded(table))
    opened, began = perf_counter() - began, perf_counter()
    tree = engine.grow(table, max_depth=DEPTH)
    grown, resident = perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    said = {"way": way, "open": round(opened, 2), "grow": round(grown, 2), "scans": len(scans), "MB": resident}
    return {**said, "leaves": tree.n_leaves, "splits": hash_of(tree)}


def main() -> None:
    """Runs every way in a child."""
    if sys.argv[1:2] == ["--way"]:
        print(json.dumps(run(sys.argv[2], int(sys.argv[3]))))
        return
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    for way in sys.argv[2:] or WAYS:
        subprocess.run([sys.executable, "-m", "tests.benchmarks.wide", "--way", way, str(n)], check=True)


if __name__ == "__main__":
    main()
