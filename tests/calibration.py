"""How often p-values of noise lie below a level: `python -m tests.calibration` prints P(p ≤ α) ÷ α of every kind of
column, target and weight; `tests/engine/significance/test_calibration.py` asks that they are what chance makes them.

Each table has columns of every kind and targets of every kind, none of which knows of another. The kinds share the
columns, which are most of a table's work: each is judged by itself, so it does not matter that they do.
"""

import argparse
from collections.abc import Iterator

import numpy as np
import pandas as pd

import engine

ALPHAS = (0.05, 0.01, 0.001)
TARGETS = (
    "halves", "rare class", "3 classes", "10 classes", "normal", "t2", "lognormal", "claims", "integers"
)  # fmt: skip
WEIGHTS = ("none", "weight")
LEVELS = (2, 5, 30, 200)
SEARCHES = {  # by the first word of the columns that are searched in this way
    "plain": {}, "multiway": {"nominal": "multiway"}, "apart": {"missing": "branch"}, "one": {"nominal": "one_vs_rest"},
}  # fmt: skip


def columns(random: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    """Columns of every kind."""
    made = {
        "plain float": random.normal(size=n), "plain round": np.round(random.normal(size=n), 1),
        "plain integers": random.integers(0, 20, n).astype(float),
    }  # fmt: skip
    for k in LEVELS:
        levels = random.choice([f"v{i}" for i in range(k)], n).astype(object)
        made[f"plain {k} levels"] = levels
        if k > 2:
            made[f"multiway {k} levels"] = levels
    made["one 30 levels"] = made["plain 30 levels"]
    lacking = random.random(n) < 0.2
    made["plain lacking"] = np.where(lacking, np.nan, random.normal(size=n))
    made["apart float"] = np.where(lacking, np.nan, random.normal(size=n))
    made["apart 5 levels"] = np.where(lacking, None, made["plain 5 levels"])
    return made


def target(kind: str, random: np.random.Generator, n: int) -> np.ndarray:
    """A target of one kind."""
    if kind == "halves":
        return random.permutation(np.arange(n) % 2).astype(str)
    if kind == "rare class":
        return random.permutation(np.arange(n) < max(round(0.02 * n), 1)).astype(str)
    if kind.endswith("classes"):
        return random.permutation(np.arange(n) % int(kind.split()[0])).astype(str)
    if kind == "integers":
        return random.integers(0, 10, n).astype(float)
    numbers = random.normal(size=n) if kind != "t2" else random.standard_t(2, n)
    if kind == "lognormal":
        return np.exp(numbers)
    return np.exp(numbers) * (random.random(n) < 0.1) if kind == "claims" else numbers


def p_values(
    n: int, tables: int, seed: int, kinds: tuple[str, ...] = TARGETS, weighted: str = "none", only: str = ""
) -> dict[tuple[str, str], np.ndarray]:
    """Adjusted p-values float64[tables] by (kind of target, kind of column).

    Args:
        weighted: the role of a column of weights, or "none". only: a part of the names of the columns; all of them.
    """
    random = np.random.default_rng([seed, n])
    found: dict[tuple[str, str], list[float]] = {}
    for _ in range(tables):
        frame = pd.DataFrame({name: values for name, values in columns(random, n).items() if only in name})
        roles = dict.fromkeys(frame, "feature") | dict.fromkeys(kinds, "ignore")
        weights = np.exp(random.normal(size=n))
        frame = frame.assign(**{kind: target(kind, random, n) for kind in kinds}, w=weights)
        roles["w"] = weighted if weighted != "none" else "ignore"
        number = {kind: "number" if frame[kind].dtype == float else "nominal" for kind in kinds}
        table = engine.Table.from_frame(frame, roles=roles, kinds=number)
        for kind, name, p in _judged(table, kinds):
            found.setdefault((kind, name), []).append(p)
    return {cell: np.array(p) for cell, p in found.items()}


def _judged(table: engine.Table, kinds: tuple[str, ...]) -> Iterator[tuple[str, str, float]]:
    for kind in kinds:
        if table.column(kind).n_present < 2:
            continue
        for search, options in SEARCHES.items():
            others = {name: "ignore" for name in table.names if not name.startswith(search) and name not in ("w", kind)}
            if len(others) + 2 < len(table.names):
                one = table.with_roles({**others, kind: "feature"}).with_target(kind)
                for candidate in engine.candidates(one, engine.Tree.root(one), threads=1, **options):
                    if candidate.split is not None:
                        yield kind, candidate.column, 10.0**-candidate.logworth


def main() -> None:
    """Prints the table, one line for each kind of target and column; those out of bounds with --odd only."""
    words = argparse.ArgumentParser()
    words.add_argument("--rows", type=int, nargs="*", default=[30, 200, 2000])
    words.add_argument("--tables", type=int, default=1000)
    words.add_argument("--weighted", nargs="*", default=list(WEIGHTS))
    words.add_argument("--targets", nargs="*", default=list(TARGETS))
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--only", default="", help="a part of the names of the columns")
    said = words.parse_args()
    for weighted in said.weighted:
        for n in said.rows:
            found = p_values(n, said.tables, said.seed, tuple(said.targets), weighted, said.only)
            for (kind, column), p in found.items():
                ratios = "  ".join(f"{np.mean(p <= alpha * (1 + 1e-9)) / alpha:6.2f}" for alpha in ALPHAS)
                print(f"{weighted:10}{n:5}  {kind:12}{column:20}{ratios}", flush=True)


if __name__ == "__main__":
    main()
