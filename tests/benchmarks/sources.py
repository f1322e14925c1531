"""`python -m tests.benchmarks.sources [rows [way …]]`: a tree of depth 6 from every source, beside other programs.

A table of so many rows (10⁷ if nothing is said) and 20 columns is made as Parquet; every way of ours grows the same
tree, and each runs in a process of its own, so that its memory is its own, too. What is printed is a table in Markdown.

Other programs run on the same files where they are installed: Spark's own tree (at most 64 bins a column, their ends
drawn from a sample of the rows; neighbouring leaves of one prediction become one), XGBoost from external memory (256
bins a column by a sketch of its quantiles), LightGBM from a text file that it reads twice (255 bins a column, of a
sample of 200,000 rows), scikit-learn in memory (exact; levels are numbers to it). Of the boosters it is the first tree
without any penalty: its gain is Gini's. Accuracy and log loss are those of the leaves: of their largest class and of
their shares of classes, on all rows.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

COLUMNS, DEPTH, RUNS = 20, 6, 3
PART = 10**6  # rows of a file
LEVELS = "abcdefgh"
WAYS = ("memory", "ingest", "codes", "push-down", "kept", "spark")
OTHERS = {"mllib": "pyspark", "xgboost": "xgboost", "lightgbm": "lightgbm", "sklearn": "sklearn"}
HEAP = {"spark": "2g", "mllib": "8g"}  # of Spark: all that its own tree asks for
SHOWN = ("way", "open", "grow", "of codes", "from the files", "MB", "leaves", "accuracy", "log loss", "splits", "load")


def make(folder: Path, n: int) -> None:
    """Writes the Parquet files: ten columns of 100 to 5,000 numbers, five of few, five of levels, and two classes."""
    import numpy as np
    import pandas as pd

    folder.mkdir()
    for part, start in enumerate(range(0, n, PART)):
        random, m = np.random.default_rng(part), min(PART, n - start)
        frame = {f"x{i}": random.integers(0, 100 if i % 2 else 5000, m) / 8 for i in range(10)}
        frame |= {f"n{i}": random.integers(0, 12, m) for i in range(5)}
        frame |= {f"g{i}": np.array(list(LEVELS))[random.integers(0, 8, m)] for i in range(COLUMNS - 15)}
        score = frame["x0"] / 300 + frame["n0"] * (frame["g0"] < "d") / 6 + random.normal(size=m)
        frame["y"] = np.where(score > 1.5, "yes", "no")
        pd.DataFrame(frame).to_parquet(folder / f"{part:04}.parquet")


def run(way: str, folder: Path) -> dict[str, object]:
    """Seconds of one way, its tree, and its memory; a small run before has it compiled."""
    import numpy as np
    import pandas as pd

    import engine

    small = pd.DataFrame({"x": np.arange(200) % 17 / 2, "g": list("ab") * 100, "y": list("aabab") * 40})
    engine.grow(engine.Table.from_frame(small, target="y"), max_depth=2)
    engine.grow_source(engine.open_source(engine.Table.from_frame(small, target="y"), target="y"), max_depth=2)
    rows, store = folder / "rows", folder / "codes"
    if way == "spark":
        few = session(way).read.parquet(str(rows)).limit(1000).repartition(2 * (os.cpu_count() or 1))  # all workers
        engine.grow_source(engine.open_source(few, target="y"), max_depth=2)
    began = perf_counter()
    if way == "memory":
        table = engine.Table.from_frame(pd.read_parquet(rows), target="y")
    elif way == "spark":
        source = engine.open_source(f"spark:{rows}", target="y")
    elif way in ("push-down", "kept"):
        source = engine.open_source(rows, target="y", memory=0 if way == "push-down" else 10**9)
    else:
        source = engine.open_source(rows, target="y", store=store)
    opened = perf_counter() - began
    if way == "ingest":
        return {"open": opened, "MB": resident()}
    if way == "memory":
        grow = partial(engine.grow, table, max_depth=DEPTH)
    else:
        grow = partial(engine.grow_source, source, max_depth=DEPTH)
    tree, seconds = timed(grow, way)
    said = {"open": opened, "grow": seconds, "MB": resident(), "splits": hash_of(tree)}
    return {**said, **measures(tree.train[tree.leaves])}


def run_other(way: str, folder: Path) -> dict[str, object]:
    """The same of another program."""
    files = sorted((folder / "rows").iterdir())
    if way == "mllib":
        mllib(files, few=True)[0]()
    began = perf_counter()
    fit, counts = {"mllib": mllib, "xgboost": xgboost, "lightgbm": lightgbm, "sklearn": sklearn}[way](files)
    opened = perf_counter() - began
    fitted, seconds = timed(fit, way)
    said = {"open": opened, "grow": seconds, "MB": resident()}
    return {**said, **measures(counts(fitted))}


def timed(fit: Callable[[], Any], way: str) -> tuple[Any, float]:
    """What it makes, and the median of its seconds."""
    times = []
    for _ in range(1 if way in ("spark", "mllib", "sklearn") else RUNS):
        began = perf_counter()
        made = fit()
        times.append(perf_counter() - began)
    return made, median(times)


Fitting = tuple[Callable[[], Any], Callable[[Any], Any]]  # makes a tree; of a tree int64[leaves, classes], their rows


def mllib(files: list[Path], few: bool = False) -> Fitting:
    """Spark's own tree of all rows or a few, which are in its memory before it grows."""
    import numpy as np
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    frame = session("mllib").read.parquet(str(files[0].parent))
    frame = frame.limit(1000) if few else frame
    levels = [name for name, kind in frame.dtypes if kind == "string"]
    named = [f"{name}_" if name in levels else name for name in frame.columns if name != "y"]
    indexed = StringIndexer(inputCols=levels, outputCols=[f"{name}_" for name in levels])
    prepared = Pipeline(stages=[indexed, VectorAssembler(inputCols=named, outputCol="x")]).fit(frame).transform(frame)
    rows = prepared.select("x", "y_").cache()
    learner = DecisionTreeClassifier(featuresCol="x", labelCol="y_", maxDepth=DEPTH, maxBins=64)
    rows.count()

    def counts(model: Any) -> Any:
        leaves = model.transform(rows).select("rawPrediction").distinct().collect()
        return np.array([leaf.rawPrediction for leaf in leaves])  # by class; two that have the same answer the same

    return partial(learner.fit, rows), counts


def xgboost(files: list[Path]) -> Fitting:
    """Of XGBoost, its pages on the disk beside the files."""
    import xgboost as library

    class Pages(library.DataIter):
        def __init__(self) -> None:
            super().__init__(cache_prefix=str(files[0].parent.parent / "pages"))
            self.at = 0

        def next(self, input_data: Callable[..., None]) -> bool:
            if self.at == len(files):
                return False
            x, y, names = coded(files[self.at])
            input_data(data=x, label=y, feature_names=names, feature_types=["c" if k[0] == "g" else "q" for k in names])
            self.at += 1
            return True

        def reset(self) -> None:
            self.at = 0

    made = library.ExtMemQuantileDMatrix(Pages(), max_bin=256, enable_categorical=True)
    asked = {"objective": "binary:logistic", "base_score": 0.5, "max_depth": DEPTH, "reg_lambda": 0.0,
             "min_child_weight": 0.0, "tree_method": "hist"}  # fmt: skip

    def leaves(booster: Any, x: Any, names: list[str]) -> Any:
        kinds = ["c" if name[0] == "g" else "q" for name in names]
        rows = library.DMatrix(x, feature_names=names, feature_types=kinds, enable_categorical=True)
        return booster.predict(rows, pred_leaf=True)

    return partial(library.train, asked, made, 1), partial(counted, files, leaves)


def lightgbm(files: list[Path]) -> Fitting:
    """Of LightGBM, from a text file of numbers, which is all that it reads in two rounds; opening writes it."""
    import lightgbm as library
    import pyarrow as pa
    from pyarrow import csv

    text = files[0].parent.parent / "rows.csv"
    names = coded(files[0])[2]
    schema = pa.schema([(name, pa.float32()) for name in ("y", *names)])
    with csv.CSVWriter(text, schema, write_options=csv.WriteOptions(include_header=False)) as writer:
        for file in files:
            x, y, _ = coded(file)
            writer.write_table(pa.table([y, *x.T], schema=schema))
    asked = {"two_round": True, "label_column": 0, "objective": "binary", "max_depth": DEPTH,
             "num_leaves": 2**DEPTH, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0, "min_data_per_group": 1,
             "cat_l2": 0.0, "cat_smooth": 0.0, "verbosity": -1}  # fmt: skip
    levels = [k for k, name in enumerate(names) if name[0] == "g"]
    made = library.Dataset(str(text), params=asked, categorical_feature=levels).construct()
    leaves = partial(library.Booster.predict, pred_leaf=True)
    return partial(library.train, asked, made, 1), partial(counted, files, lambda booster, x, _: leaves(booster, x))


def sklearn(files: list[Path]) -> Fitting:
    """Of scikit-learn, all rows in memory."""
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier as Learner

    parts = [coded(file) for file in files]
    x, y = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    return partial(Learner(max_depth=DEPTH).fit, x, y), partial(counted, files, lambda tree, x, _: tree.apply(x))


def coded(file: Path) -> tuple[Any, Any, list[str]]:
    """(float32[n, columns], of levels their numbers; float32[n], the target; names) of the rows of a file."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import parquet

    rows = parquet.read_table(file)
    names, levels = [name for name in rows.column_names if name != "y"], pa.array(list(LEVELS))
    columns = [pc.index_in(rows[name], levels) if name[0] == "g" else rows[name] for name in names]
    y = pc.equal(rows["y"], "yes").to_numpy().astype(np.float32)
    return np.stack([column.to_numpy() for column in columns], axis=1, dtype=np.float32, casting="unsafe"), y, names


def counted(files: list[Path], leaves: Callable[[Any, Any, list[str]], Any], fitted: Any) -> Any:
    """int64[leaves, classes]: how many rows of each class stand in each leaf, all files together."""
    import numpy as np

    counts = np.zeros(1, np.int64)
    for file in files:
        x, y, names = coded(file)
        counted = np.bincount(2 * np.asarray(leaves(fitted, x, names)).ravel().astype(np.int64) + (y > 0))
        counts = np.pad(counts, (0, max(counted.size - counts.size, 0)))
        counts[: counted.size] += counted
    by_leaf = np.pad(counts, (0, counts.size % 2)).reshape(-1, 2)
    return by_leaf[by_leaf.sum(axis=1) > 0]


def measures(counts: Any) -> dict[str, object]:
    """Of a tree by the rows of each class in its leaves; log loss in nats."""
    import numpy as np

    n = counts.sum(axis=1, keepdims=True)
    loss = -(counts * np.log(counts / n, where=counts > 0, out=np.zeros(counts.shape))).sum() / n.sum()
    return {"leaves": len(counts), "accuracy": float(counts.max(axis=1).sum() / n.sum()), "log loss": float(loss)}


def session(way: str) -> Any:
    """Of Spark, on this machine."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[*]").config("spark.driver.memory", HEAP[way])
    return builder.config("spark.ui.enabled", "false").getOrCreate()


def resident() -> int:
    """MB: the largest resident size of this process and of all below it, of Spark's that is, added up."""
    found: dict[int, tuple[int, int]] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        said = status.read_text()
        parent, peak = (re.search(rf"{name}:\s+(\d+)", said) for name in ("PPid", "VmHWM"))
        if parent and peak:
            found[int(status.parent.name)] = int(parent[1]), int(peak[1])
    own, total = [os.getpid()], 0
    for process in own:
        total += found[process][1]
        own += [other for other, (parent, _) in found.items() if parent == process]
    return total // 1024


def hash_of(tree: object) -> str:
    """A digest of the splits and counts of a tree."""
    import hashlib

    told = [(str(tree.split_at(i)), tree.train[i].tolist()) for i in range(tree.n_nodes)]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


def main() -> None:
    """Makes the table, and runs every way in a child."""
    if sys.argv[1:2] == ["--way"]:
        way, folder = sys.argv[2:]
        print(json.dumps((run if way in WAYS else run_other)(way, Path(folder))))
        return
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "rows", n)
        said: dict[str, dict[str, Any]] = {}
        print(f"{n:,} rows\n\n| {' | '.join(SHOWN)} |\n|{' --- |' * len(SHOWN)}")
        needed = {"spark": "pyspark", **OTHERS}
        for way in sys.argv[2:] or [way for way in (*WAYS, *OTHERS) if find_spec(needed.get(way, "duckdb"))]:
            load = os.getloadavg()[0]
            command = [sys.executable, "-m", "tests.benchmarks.sources", "--way", way, folder]
            line = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            said[way] = {"way": way, "load": load, **line}
            if "codes" in said and way != "ingest":
                codes, total = said["codes"]["grow"], line["open"] + line["grow"]
                said[way]["of codes"] = line["grow"] / codes
                if way != "codes" and "ingest" in said:
                    said[way]["from the files"] = total / (said["ingest"]["open"] + codes)
            cells = [said[way].get(name, "") for name in SHOWN]
            print(f"| {' | '.join(f'{c:.4g}' if isinstance(c, float) else str(c) for c in cells)} |", flush=True)


if __name__ == "__main__":
    main()
