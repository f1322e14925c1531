"""Which kind of column wins at the root of a table of noise: `python -m tests.honesty.root_columns`.

Eight columns of different kinds know nothing of the target, so each should win in an eighth of the tables. The gain of
a split grows with the number of splits that a column offers, so a criterion of gains prefers those with many levels;
LogWorth adjusts for that.
"""

import argparse

import numpy as np
import pandas as pd

import engine

TARGETS = {  # by kind the criterion of the gain, and the one of the adjusted p-value
    "2 classes": ("gini", "logworth"), "3 classes": ("gini", "logworth"), "number": ("squared_error", "f_logworth"),
}  # fmt: skip
WEIGHTS = ("none", "weight")
KINDS = (
    "numbers", "rounded", "five values", "with gaps", "two levels", "5 levels", "30 levels", "five in order",
)  # fmt: skip


def noise(random: np.random.Generator, kind: str, weighted: str, n: int) -> engine.Table:
    """A table with a column of each of `KINDS`, and random weights; none knows of the target."""
    made: dict[str, object] = {
        "numbers": random.normal(size=n), "rounded": np.round(random.normal(size=n), 1),
        "five values": random.integers(0, 5, n).astype(float),
        "with gaps": np.where(random.random(n) < 0.2, np.nan, random.normal(size=n)),
    }  # fmt: skip
    for name, levels in (("two levels", 2), ("5 levels", 5), ("30 levels", 30)):
        made[name] = random.choice([f"v{i}" for i in range(levels)], n)
    made["five in order"] = pd.Categorical(random.choice(list("abcde"), n), list("abcde"), ordered=True)
    frame = pd.DataFrame(made).assign(w=np.exp(random.normal(size=n) / 2))
    classes = kind != "number"
    frame["y"] = random.choice(list("abc")[: int(kind[0])], n) if classes else random.normal(size=n)
    roles = {"w": weighted if weighted != "none" else "ignore"}
    return engine.Table.from_frame(frame, target="y", roles=roles)


def winners(kind: str, weighted: str, tables: int, n: int = 300, seed: int = 0) -> dict[str, np.ndarray]:
    """By criterion int64[8]: in how many tables of `n` rows a column of each of `KINDS` is the best candidate."""
    random = np.random.default_rng([seed, n, list(TARGETS).index(kind), WEIGHTS.index(weighted)])
    found = {criterion: np.zeros(len(KINDS), np.int64) for criterion in TARGETS[kind]}
    for _ in range(tables):
        table = noise(random, kind, weighted, n)
        for criterion, won in found.items():
            best = engine.candidates(table, engine.Tree.root(table), criterion=criterion, threads=1)[0]
            won[KINDS.index(best.column)] += 1
    return found


def main() -> None:
    """Prints the table, one line for each kind of target, weights and criterion."""
    words = argparse.ArgumentParser()
    words.add_argument("--tables", type=int, default=2000)
    words.add_argument("--rows", type=int, nargs="*", default=[300, 2000])
    words.add_argument("--seed", type=int, default=0)
    said = words.parse_args()
    print(f"share of {said.tables} tables of noise in which each kind of column wins; 12.5 % would be fair")
    print(f"{'rows':6}{'target':11}{'weights':9}{'criterion':15}" + "".join(f"{kind:>15}" for kind in KINDS))
    for n in said.rows:
        for kind in TARGETS:
            for weighted in WEIGHTS:
                for criterion, won in winners(kind, weighted, said.tables, n, said.seed).items():
                    shares = "".join(f"{share:15.1%}" for share in won / said.tables)
                    print(f"{n:<6}{kind:11}{weighted:9}{criterion:15}{shares}", flush=True)


if __name__ == "__main__":
    main()
