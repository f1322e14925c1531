"""`python -m tests.honesty.probabilities`: what are the probabilities of leaves worth on fresh rows?

Trees of one of two classes, the rarer in a given share of the rows, whose probability depends on one column beside
noise. The log loss and the Brier score on 20,000 fresh rows, with the probability of the true class at least 10⁻¹⁵, by
what leaves say: as counted, smoothed (Laplace, m-estimate), and honest: half of the rows grow the tree, the other half
says its probabilities. The last column is the loss of the true probabilities, which nothing can beat for long.
"""

import argparse

import numpy as np
import pandas as pd

import engine

RULES = ("none", "laplace", "m_estimate", "honest")
LEAST = 1e-15


def drawn(n: int, share: float, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows, and float64[n], the true probability of “yes” of each: half or one and a half of the share."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.random(n) for name in "abcd"})
    truth = np.where(frame.a > 0.5, 1.5, 0.5) * share
    return frame.assign(y=np.where(random.random(n) < truth, "yes", "no")), truth


def scores(yes: np.ndarray, is_yes: np.ndarray) -> tuple[float, float]:
    """(log loss, Brier score) of the probabilities of “yes”."""
    right = np.where(is_yes, yes, 1 - yes)
    return float(-np.log(np.maximum(right, LEAST)).mean()), float(((yes - is_yes) ** 2).mean())


def simulate(n: int, share: float, min_leaf: int, tables: int) -> dict[str, tuple[float, float]]:
    """The mean scores of each rule, and of the truth."""
    found: dict[str, list[tuple[float, float]]] = {rule: [] for rule in (*RULES, "truth")}
    for seed in range(tables):
        frame, _ = drawn(n, share, seed)
        fresh, truth = drawn(20_000, share, 10_000 + seed)
        is_yes = (fresh.y == "yes").to_numpy()
        table = engine.Table.from_frame(frame, target="y")
        for rule in RULES:
            of = table.with_partition(validation=0.5, seed=seed) if rule == "honest" else table
            tree = engine.grow(of, min_leaf=min_leaf, smoothing=rule)
            found[rule].append(scores(tree.predict_proba(fresh)[:, 1], is_yes))
        found["truth"].append(scores(truth, is_yes))
    return {rule: tuple(np.mean(each, axis=0).tolist()) for rule, each in found.items()}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--tables", type=int, default=40)
    tables = words.parse_args().tables
    print(f"{tables} tables of 1,000 rows · log loss (Brier score) on 20,000 fresh rows")
    print(f"{'share':>5} {'min_leaf':>8}  " + "  ".join(f"{rule:>14}" for rule in (*RULES, "truth")))
    for share in (0.05, 0.3):
        for min_leaf in (1, 20):
            found = simulate(1000, share, min_leaf, tables)
            cells = (f"{log:6.3f} ({brier:.3f})" for log, brier in found.values())
            print(f"{share:>5} {min_leaf:>8}  " + "  ".join(f"{cell:>14}" for cell in cells))


if __name__ == "__main__":
    main()
