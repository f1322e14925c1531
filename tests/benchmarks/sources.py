"""`python -m tests.benchmarks.sources [rows [way …]]`: a tree of depth 6 from every source, beside other programs.

A table of so many rows (10⁷ if nothing is said) and 20 columns is made as Parquet; every way of ours grows the same
tree, and each runs in a process of its own, so that its largest resident size is its own, too. Spark, its own tree and
other learners run where they are installed; these bin or approximate, and their trees are not compared.

`python -m tests.benchmarks.sources 1e7 wide-memory wide-zoom wide-codes` is about four columns of numbers of which none
occurs twice, as a source of codes in memory: counted in bins first, and by their codes alone, which takes many scans.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

COLUMNS, DEPTH, RUNS = 20, 6, 3
PART = 10**6  # rows of a file
WAYS = ("memory", "ingest", "codes", "push-down", "kept")
WIDE = ("wide-memory", "wide-zoom", "wide-codes")  # when they are asked for
OTHERS = {"spark": "pyspark", "mllib": "pyspark", "sklearn": "sklearn", "lightgbm": "lightgbm", "xgboost": "xgboost"}


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


def make_wide(n: int) -> object:
    """Four columns of so many different numbers, and two classes, as a data frame."""
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(0)
    frame = {f"x{i}": random.normal(size=n) for i in range(4)}
    score = frame["x0"] + (frame["x1"] > 0) * frame["x2"] + random.normal(size=n)
    return pd.DataFrame({**frame, "y": np.where(score > 0.5, "yes", "no")})


def run_wide(way: str, n: int) -> dict[str, object]:
    """Seconds and scans of a tree of one of the ways of `WIDE`."""
    import engine
    from engine.sources import growing
    from engine.sources.coded import Coded
    from engine.sources.counted import CountedTable

    most, scans, count = growing.MOST_COUNTS, [], growing.ByCounts._count
    small = engine.Table.from_frame(make_wide(100_000), target="y")
    growing.MOST_COUNTS = 1 << 18
    engine.grow(small, max_depth=2) if way == "wide-memory" else engine.grow_source(small, max_depth=2)
    growing.MOST_COUNTS, growing.SCANS = most, 10**9 if way == "wide-codes" else growing.SCANS
    growing.ByCounts._count = lambda *given: scans.append(1) or count(*given)
    began = perf_counter()
    table = engine.Table.from_frame(make_wide(n), target="y")
    table = table if way == "wide-memory" else CountedTable.of(Coded(table))
    opened, began = perf_counter() - began, perf_counter()
    tree = engine.grow(table, max_depth=DEPTH)
    grown, resident = perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    said = {"way": way, "open": round(opened, 2), "grow": round(grown, 2), "scans": len(scans), "MB": resident}
    return {**said, "leaves": tree.n_leaves, "splits": hash_of(tree)}


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
    elif way == "spark":
        session()
        source = engine.open_source(f"spark:{rows}", target="y")
    elif way in ("push-down", "kept"):
        source = engine.open_source(rows, target="y", memory=0 if way == "push-down" else 10**9)
    else:
        source = engine.open_source(rows, target="y", store=store)
    opened = perf_counter() - began
    times = []
    for _ in range(0 if way == "ingest" else 1 if way == "spark" else RUNS):
        began = perf_counter()
        tree = engine.grow(table, max_depth=DEPTH) if way == "memory" else engine.grow_source(source, max_depth=DEPTH)
        times.append(perf_counter() - began)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    said = {"way": way, "open": round(opened, 2), "grow": round(median(times), 2) if times else None, "MB": resident}
    return {**said, "leaves": tree.n_leaves if times else None, "splits": hash_of(tree) if times else None}


def session() -> object:
    """Of Spark, on this machine."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[*]")
    return builder.config("spark.driver.memory", "2g").config("spark.ui.enabled", "false").getOrCreate()


def run_other(way: str, folder: Path) -> dict[str, object]:
    """The same of another program, from the files to its tree of depth 6."""
    import pandas as pd

    rows, began = str(folder / "rows"), perf_counter()
    if way == "mllib":
        from pyspark.ml.classification import DecisionTreeClassifier
        from pyspark.ml.feature import StringIndexer, VectorAssembler

        frame = session().read.parquet(rows)
        levels = [name for name, kind in frame.dtypes if kind == "string"]
        frame = StringIndexer(inputCols=levels, outputCols=[f"{name}_" for name in levels]).fit(frame).transform(frame)
        named = [f"{name}_" if name in levels else name for name in frame.columns if name != "y" and name[-1] != "_"]
        frame = VectorAssembler(inputCols=named, outputCol="x").transform(frame).select("x", "y_").cache()
        frame.count()
        learner = DecisionTreeClassifier(featuresCol="x", labelCol="y_", maxDepth=DEPTH, maxBins=64)
        fit = partial(learner.fit, frame)
    else:
        frame = pd.read_parquet(rows)
        x, y = frame.drop(columns="y"), (frame["y"] == "yes").to_numpy().astype(int)
        for name in x.columns[x.dtypes.map(lambda kind: kind.kind not in "if")]:
            x[name] = x[name].astype("category") if way != "sklearn" else x[name].astype("category").cat.codes
        if way == "sklearn":
            from sklearn.tree import DecisionTreeClassifier as Learner

            fit = partial(Learner(max_depth=DEPTH).fit, x, y)
        elif way == "lightgbm":
            import lightgbm

            settings = {"objective": "binary", "max_depth": DEPTH, "num_leaves": 2**DEPTH, "verbosity": -1}
            fit = partial(lightgbm.train, settings, lightgbm.Dataset(x, y).construct(), 1)
        else:
            import xgboost

            made = xgboost.QuantileDMatrix(x, y, enable_categorical=True)
            fit = partial(xgboost.train, {"objective": "binary:logistic", "max_depth": DEPTH}, made, 1)
    opened, times = perf_counter() - began, []
    for _ in range(1 if way in ("mllib", "sklearn") else RUNS):
        began = perf_counter()
        fit()
        times.append(perf_counter() - began)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"way": way, "open": round(opened, 2), "grow": round(median(times), 2), "MB": resident}


def hash_of(tree: object) -> str:
    """A digest of the splits and counts of a tree."""
    import hashlib

    told = [(str(tree.split_at(i)), tree.train[i].tolist()) for i in range(tree.n_nodes)]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


def main() -> None:
    """Makes the table, and runs every way in a child."""
    if sys.argv[1:2] == ["--way"]:
        way, folder, n_rows = sys.argv[2:]
        if way in WIDE:
            print(json.dumps(run_wide(way, int(n_rows))))
            return
        print(json.dumps((run if way in (*WAYS, "spark") else run_other)(way, Path(folder))))
        return
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    with tempfile.TemporaryDirectory() as folder:
        if not sys.argv[2:] or set(sys.argv[2:]) - set(WIDE):
            make(Path(folder) / "rows", n)
        said: dict[str, float] = {}
        for way in sys.argv[2:] or [*WAYS, *(way for way, needed in OTHERS.items() if find_spec(needed))]:
            command = [sys.executable, "-m", "tests.benchmarks.sources", "--way", way, folder, str(n)]
            line = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            said[way] = line["grow"] or 0.0
            if said[way] and said.get("codes"):
                line["of codes"] = round(said[way] / said["codes"], 2)
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
