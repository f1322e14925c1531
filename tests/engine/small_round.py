"""A small round through everything that kernels do, as one line of JSON: `python -m tests.engine.small_round`.

With NUMBA_DISABLE_JIT=1 the kernels are plain Python: an index beyond its array is an IndexError, and with -W error so
is an unsigned sum that does not fit. Compiled, with the checks of indices that numba leaves out otherwise, it takes two
minutes, and a cache of its own:

    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(mktemp -d) python -W error -m tests.engine.small_round

The figures are the same each time; `test_plain_python.py` compares the first way with the compiled kernels.
"""

import json

import numpy as np
import pandas as pd

import engine
from engine.pruning import why_not

ROWS = 60
WIDE = 300  # distinct values: two bytes


def table(task: str, rows: int = ROWS) -> engine.Table:
    """Numbers with gaps, whole numbers, levels, weights; every fourth row validates.

    The noise hides the signal: a permutation test of a strong one draws thousands of times.
    """
    random = np.random.default_rng(3)
    x = random.integers(0, 40, rows) / 4.0
    x[::11] = np.nan
    frame = pd.DataFrame({"x": x, "k": random.integers(0, 5, rows), "a": random.choice(list("abcd"), rows)})
    frame["w"] = random.integers(1, 4, rows).astype(float)
    signal = np.nan_to_num(x) + 2.0 * (frame["a"] == "b") + 9.0 * random.normal(size=rows)
    frame["y"] = signal if task == "number" else np.array(list("uvw"))[np.digitize(signal, [4.0, 8.0])]
    return engine.Table.from_frame(frame, target="y", roles={"w": "weight"}).with_partition(validation=0.25)


def told(tree: engine.Tree) -> list[float]:
    """A tree as a few figures."""
    splits = np.nan_to_num(tree.nodes.threshold, posinf=-1.0).sum(), np.abs(tree.payload).sum(), tree.branch.sum()
    figures = [tree.n_leaves, tree.depth, tree.error("train"), tree.error("validation"), tree.train.sum(), *splits]
    return [round(float(figure), 9) for figure in figures]


def ways(task: str) -> list[dict[str, object]]:
    """The searches of the round."""
    asked = [{}, {"criterion": "gain_ratio"}, {"criterion": "entropy", "nominal": "multiway"}, {"criterion": "sqrt"}]
    if task == "number":
        asked = [{}, {"criterion": "absolute_error"}, {"criterion": "binned_gini", "bins": 3}, {"summary": "median"}]
    asked += [{"numeric": "bucket_cuts"}, {"nominal": "one_vs_rest", "missing": "branch"}, {"missing": "surrogate"}]
    return [*asked, {"max_leaves": 4}, {"lookahead": 2, "max_depth": 1}, {"m_of_n": True, "max_depth": 1}]


def figures() -> dict[str, list[float]]:
    """Everything, by what was asked for."""
    found: dict[str, list[float]] = {}
    for task in ("classes", "number"):
        of = table(task)
        root = engine.Tree.root(of)
        for how in ways(task):
            found[f"{task} {how}"] = told(engine.grow(of, **{"max_depth": 3, **how}))
            best = engine.candidates(of, root, **{k: v for k, v in how.items() if k not in ("max_depth", "max_leaves")})
            shown = [(candidate.gain, candidate.logworth) for candidate in best if candidate.split]
            found[f"{task} {how} candidates"] = np.round(shown, 9).ravel().tolist()
        tree = engine.grow(of)
        for method in (method for method in engine.METHODS if not why_not(method, of)):
            cut = engine.prune(of, tree, method=method)
            found[f"{task} {method}"] = [cut.chosen, *told(cut.tree(len(cut.steps) // 2))]
        curve = engine.gain_curve(of, root, 0, "x")
        found[f"{task} curve"] = [round(float(gain), 9) for gain in curve.gains]
        few = of.take(np.arange(12)).with_roles({"w": "ignore"})
        found[f"{task} all trees"] = told(engine.all_trees(few, 2).tree)
    wide = engine.Table.from_frame(pd.DataFrame({"x": np.arange(WIDE), "y": np.arange(WIDE) % 7 // 3}), target="y",
                                   kinds={"y": "nominal"})  # fmt: skip
    found["wide"] = told(engine.grow(wide, max_depth=2))
    return found


if __name__ == "__main__":
    print(json.dumps(figures()))
