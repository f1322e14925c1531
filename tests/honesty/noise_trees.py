"""How often a tree of noise has a split: `python -m tests.honesty.noise_trees`.

None of the columns tells anything of the target, so a tree with a split is wrong. After pruning by significance with
`significance_of="tree"` that happens in at most a share `significance` of the trees, with "split" in most of them;
the preset "ctree" stops growing by the same level.
"""

import argparse

import numpy as np
import pandas as pd

import engine

LEVEL = 0.05
TARGETS = ("2 classes", "3 classes", "number")
WEIGHTS = ("none", "weight")
SIZES: dict[str, dict[str, object]] = {"full": {}, "100 leaves": {"order": "best_first", "max_leaves": 100}}


def noise(random: np.random.Generator, kind: str, weighted: str, n: int = 500) -> engine.Table:
    """Five numeric and two nominal columns, of 4 and of 12 levels, that know nothing of the target.

    Args:
        kind: of the target. weighted: the role of a column of random weights, or "none".
    """
    frame = pd.DataFrame({f"x{i}": random.normal(size=n) for i in range(5)})
    for levels in (4, 12):
        frame[f"of {levels}"] = random.choice([f"v{i}" for i in range(levels)], n)
    frame["w"] = np.exp(random.normal(size=n))
    classes = kind != "number"
    frame["y"] = random.choice(list("abc")[: int(kind[0])], n) if classes else random.normal(size=n)
    roles = {"w": weighted if weighted != "none" else "ignore"}
    return engine.Table.from_frame(frame, target="y", roles=roles)


def kept(
    kind: str, weighted: str, size: str, trees: int, seed: int = 0, of: tuple[str, ...] = ("split", "tree", "ctree")
) -> dict[str, np.ndarray]:
    """By `significance_of`, or the preset, bool[trees]: whether a tree of noise has a split in the end."""
    random = np.random.default_rng([seed, TARGETS.index(kind), WEIGHTS.index(weighted)])
    found: dict[str, list[bool]] = {one: [] for one in of}
    for _ in range(trees):
        table = noise(random, kind, weighted)
        full = engine.grow(table, **SIZES[size])
        for one in of:
            if one == "ctree":
                tree = engine.grow(table, preset=one)
            else:
                tree = engine.prune(table, full, "by_rule", significance=LEVEL, significance_of=one).tree(-1)
            found[one].append(tree.n_leaves > 1)
    return {one: np.array(some) for one, some in found.items()}


def main() -> None:
    """Prints the table, one line for each kind of target, weights and size of tree."""
    words = argparse.ArgumentParser()
    words.add_argument("--trees", type=int, default=400)
    words.add_argument("--seed", type=int, default=0)
    said = words.parse_args()
    print(f"share of {said.trees} trees of noise that have a split at significance {LEVEL}")
    print(f"{'target':12}{'weights':12}{'size':12}{'each split':>12}{'whole tree':>12}{'ctree':>12}", flush=True)
    for kind in TARGETS:
        for weighted in WEIGHTS:
            for size in SIZES:
                shares = [found.mean() for found in kept(kind, weighted, size, said.trees, said.seed).values()]
                print(f"{kind:12}{weighted:12}{size:12}" + "".join(f"{share:12.1%}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
