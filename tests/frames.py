"""Small random tables for property tests: ties, missing values, levels, weights, every kind of target."""

from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import engine
from engine.tree.assignment import assign


@st.composite
def frames(draw: st.DrawFn, *, rows=(4, 30), task: str | None = None, weighted: bool | None = None) -> pd.DataFrame:
    """A frame with columns a (few integers), b (floats, some missing), c (levels, some missing), d (a boolean),
    the target y (levels, or numbers for task "number"), and perhaps w (whole weights, some 0)."""
    n = draw(st.integers(*rows))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    levels = draw(st.integers(1, 5))
    frame = pd.DataFrame(
        {
            "a": random.integers(0, draw(st.integers(1, 6)), n),
            "b": random.normal(size=n).round(draw(st.integers(0, 2))),
            "c": random.choice(list("pqrst")[:levels], n),
            "d": random.random(n) < 0.5,
        }
    )
    missing = draw(st.sampled_from([0.0, 0.0, 0.3]))
    frame.loc[random.random(n) < missing, "b"] = np.nan
    frame.loc[random.random(n) < missing, "c"] = None
    if (task or draw(st.sampled_from(["classes", "number"]))) == "number":
        frame["y"] = random.normal(10, 3, n).round(1) + 0.05
        frame.loc[0, "y"] += 1.0  # never constant
    else:
        frame["y"] = random.choice(list("uvwx")[: draw(st.integers(2, 4))], n)
        frame.loc[[0, 1, 2], "y"] = ["u", "v", "u"]
    if weighted if weighted is not None else draw(st.booleans()):
        frame["w"] = random.integers(0, 4, n)
        frame.loc[[0, 1, 2], "w"] = 1
    return frame


def table_of(frame: pd.DataFrame) -> engine.Table:
    """The table of such a frame."""
    return engine.Table.from_frame(frame, target="y", weights="w" if "w" in frame else None)


def random_split(table: engine.Table, random: np.random.Generator) -> engine.Split:
    """Any split that binds to this table, sensible or not."""
    if random.random() < 0.25:
        return random_m_of_n(table, random)
    split = random_one(table, random, table.columns[random.choice(table.features)])
    if split.n_branches > 2 or random.random() < 0.5:
        return split
    others = [table.columns[i] for i in random.permutation(table.features) if table.columns[i].name != split.column]
    found = [random_one(table, random, column, 2) for column in others[: random.integers(0, 4)]]
    return replace(split, surrogates=tuple(engine.Surrogate(one, bool(random.integers(2))) for one in found))


def random_one(table: engine.Table, random: np.random.Generator, column: engine.Column, most: int = 4) -> engine.Split:
    """Any split of this column by thresholds or groups, into at most so many branches and one for missing rows."""
    if column.is_numeric and most == 2:
        cut = float(random.choice(column.values)) if column.n_values else 0.0
        return engine.Split(column.name, "threshold", (cut,), missing=int(random.integers(0, 2)))
    if column.is_numeric:
        n_cuts = random.integers(1, 4)
        cuts = sorted({float(random.choice(column.values)) if column.n_values else 0.0 for _ in range(n_cuts)})
        return engine.Split(column.name, "threshold", tuple(cuts), missing=int(random.integers(0, len(cuts) + 2)))
    branches = int(random.integers(2, most)) if most > 2 else 2
    groups: list[list[str]] = [[] for _ in range(branches)]
    for level in column.levels:
        if random.random() < 0.8:
            groups[random.integers(branches)].append(level)
    return engine.Split(
        column.name, "groups", groups=tuple(map(tuple, groups)),
        missing=int(random.integers(branches)), unseen=int(random.integers(branches)),
    )  # fmt: skip


def random_m_of_n(table: engine.Table, random: np.random.Generator) -> engine.Split:
    """Any m-of-n split over one to four literals of columns that have values."""
    features = [table.columns[i] for i in table.features if table.columns[i].n_values]
    literals = []
    for _ in range(random.integers(1, 5)):
        column = features[random.integers(len(features))]
        tests = ("<=", ">") if column.is_numeric else ("==", "!=")
        value = column.values[random.integers(column.n_values)]
        literals.append(
            engine.Literal(column.name, tests[random.integers(2)], float(value) if column.is_numeric else str(value))
        )
    literals = list(dict.fromkeys(literals))
    m = int(random.integers(1, len(literals) + 1))
    return engine.Split(literals[0].column, "m_of_n", m=m, literals=tuple(literals))


def random_tree(table: engine.Table, seed: int, n_splits: int) -> engine.Tree:
    """A tree of random splits made one by one."""
    random = np.random.default_rng(seed)
    tree = engine.Tree.root(table)
    rows = assign(table, tree)  # or each split sends all rows down the whole tree again
    for _ in range(n_splits):
        i = int(random.choice(tree.leaves))
        split = random_split(table, random)
        tree = tree.split(table, int(tree.ids[i]), split, by_hand=bool(random.integers(2)), assignment=rows)
        rows = rows.split(table, i, split)
    return tree


def with_gaps(n=200, seed=0, task="classes"):
    """Three columns that say much the same, one with levels among them, each missing in a fifth of the rows."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=n)
    frame = pd.DataFrame({name: hidden + random.normal(size=n) * 0.5 for name in "abd"})
    frame.insert(2, "c", np.where(hidden > 0, random.choice(list("pq"), n), random.choice(list("rs"), n)))
    frame["y"] = hidden + random.normal(size=n) * 0.3 if task == "number" else np.where(hidden > 0.3, "high", "low")
    for name in "abcd":
        frame.loc[random.random(n) < 0.2, name] = None if name == "c" else np.nan
    return frame
