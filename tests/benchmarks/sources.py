"""`python -m tests.benchmarks.sources [rows]`: a tree of depth 6 from memory, from codes and by DuckDB, in one run.

A table of so many rows (10⁷ if nothing is said) and 20 columns is made as Parquet; every way grows the same tree, and
runs in a process of its own, so that its largest resident size is its own, too.
"""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

COLUMNS, DEPTH, RUNS = 20, 6, 3
PART = 10**6  # rows of a file
WAYS = ("memory", "ingest", "codes", "push-down")


def make(folder: Path, n: int) -> None:
    """Writes the Parquet files: ten columns of 100 to 5,000 numbers, five of few, five of levels, and two classes."""
    import numpy as np
    import pandas as pd

    folder.mkdir()
    for part, start in enumerate(range(0, n, PART)):
        random, m = np.random.default_rng(part), min(PART, n - start)
        frame = {f"x{i}": random.integers(0, 100 if i % 2 else 5000, m) / 8 for i in range(10)}
        frame |= {f"n{i}": random.integers(0, 12, m) for i in range(5)}
        frame |= {f"g{i}": np.array(list("abcdefgh"))[random.integers(0, 8, m)] for i in range(COLUMNS - 15)}
        score = frame["x0"] / 300 + frame["n0"] * (frame["g0"] < "d") / 6 + random.normal(size=m)
        frame["y"] = np.where(score > 1.5, "yes", "no")
        pd.DataFrame(frame).to_parquet(folder / f"{part:04}.parquet")


def run(way: str, folder: Path) -> dict[str, object]:
    """Seconds of one way, its tree, and the largest resident size in MB; a small run before has it compiled."""
    import numpy as np
    import pandas as pd

    import engine

    small = pd.DataFrame({"x": np.arange(200) % 17 / 2, "g": list("ab") * 100, "y": list("aabab") * 40})
    engine.grow(engine.Table.from_frame(small, target="y"), max_depth=2)
    engine.grow_source(engine.open_source(engine.Table.from_frame(small, target="y"), target="y"), max_depth=2)
    rows, store = folder / "rows", folder / "codes"
    began = perf_counter()
    if way == "memory":
        table = engine.Table.from_frame(pd.read_parquet(rows), target="y")
    else:
        source = engine.open_source(rows, target="y", store=None if way == "push-down" else store)
    opened = perf_counter() - began
    times = []
    for _ in range(0 if way == "ingest" else 1 if way == "push-down" else RUNS):
        began = perf_counter()
        tree = engine.grow(table, max_depth=DEPTH) if way == "memory" else engine.grow_source(source, max_depth=DEPTH)
        times.append(perf_counter() - began)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    said = {"way": way, "open": round(opened, 2), "grow": round(median(times), 2) if times else None, "MB": resident}
    return {**said, "leaves": tree.n_leaves if times else None, "splits": hash_of(tree) if times else None}


def hash_of(tree: object) -> str:
    """A digest of the splits and counts of a tree."""
    import hashlib

    told = [(str(tree.split_at(i)), tree.train[i].tolist()) for i in range(tree.n_nodes)]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


def main() -> None:
    """Makes the table, and runs every way in a child."""
    if len(sys.argv) > 2:
        print(json.dumps(run(sys.argv[1], Path(sys.argv[2]))))
        return
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "rows", n)
        for way in WAYS:
            command = [sys.executable, "-m", "tests.benchmarks.sources", way, folder]
            print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
