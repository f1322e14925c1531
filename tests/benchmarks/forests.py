"""Forests beside scikit-learn's with the same settings: `python -m tests.benchmarks.forests`.

Both draw bootstrap samples, search as many columns at each node, grow every tree out and judge it by the rows that its
sample left out. They run in turn in one process, with as many threads each; the ratio is of the least seconds of each,
by the clock and of all processors. A busy machine spoils the clock more than the processors' seconds.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

import engine


def data(rows: int, columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns, of which three tell two classes apart, with noise."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, columns))
    noise = 0.5 * random.normal(size=rows)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] + noise > 0).astype(np.int64)


def seconds(function: Callable[[], Any]) -> tuple[float, float, Any]:
    """(by the clock, of all processors, the function's result)."""
    clock, processors = time.perf_counter(), time.process_time()
    result = function()
    return time.perf_counter() - clock, time.process_time() - processors, result


def compare(rows: int, columns: int, trees: int, drawn: str | None, threads: int, runs: int) -> None:
    """Prints one line for each learner, and the ratios."""
    x, y = data(rows, columns)
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(columns)]).assign(y=y.astype(str))
    table = engine.Table.from_frame(frame, target="y")
    unseen, truth = data(rows, columns, seed=1)
    new = pd.DataFrame(unseen, columns=frame.columns[:-1])
    settings = {"n_estimators": trees, "max_features": drawn, "n_jobs": threads, "oob_score": True}

    def ours() -> Any:
        return engine.forest(table, trees=trees, columns=drawn, threads=threads)

    def theirs() -> Any:
        return RandomForestClassifier(**settings, random_state=0).fit(x, y)

    engine.forest(table, trees=threads, columns=drawn, threads=threads)  # compiles what is not compiled yet
    taken: dict[str, list[tuple[float, float]]] = {"Espalier": [], "scikit-learn": []}
    for _ in range(runs):
        for who, fit in (("Espalier", ours), ("scikit-learn", theirs)):
            clock, processors, made = seconds(fit)
            taken[who].append((clock, processors))
            if who == "Espalier":
                inside, outside = made.out_of_bag_error, np.mean(made.predict(new) != truth.astype(str))
                leaves = np.mean([tree.n_leaves for tree in made.trees])
            else:
                inside, outside = 1 - made.oob_score_, np.mean(made.predict(unseen) != truth)
                leaves = np.mean([tree.get_n_leaves() for tree in made.estimators_])
            print(
                f"{who:14}{clock:8.2f} s clock{processors:8.2f} s processors   {leaves:9,.0f} leaves   "
                f"out-of-bag error {inside:.4f}   error on new rows {outside:.4f}", flush=True,
            )  # fmt: skip
    best = {who: np.min(pairs, axis=0) for who, pairs in taken.items()}
    clock, processors = best["scikit-learn"] / best["Espalier"]
    words = f"{trees} trees of {rows:,} × {columns}, max_features {drawn}, {threads} threads"
    print(f"{words}: {clock:.1f} times as quick by the clock, {processors:.1f} by processors\n", flush=True)


def main() -> None:
    """Measures bagging and a random forest."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("--rows", type=int, default=100_000)
    words.add_argument("--columns", type=int, default=20)
    words.add_argument("--trees", type=int, default=100)
    words.add_argument("--threads", type=int, default=2)
    words.add_argument("--runs", type=int, default=2)
    words.add_argument("--drawn", choices=("sqrt", "all", "both"), default="both")
    said = words.parse_args()
    for drawn in ("sqrt", None):
        if said.drawn in ("both", "sqrt" if drawn else "all"):
            compare(said.rows, said.columns, said.trees, drawn, said.threads, said.runs)


if __name__ == "__main__":
    main()
