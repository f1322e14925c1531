"""Compiling every kernel before a person needs it, or loading it from the cache."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from engine.assessment import assess
from engine.candidates import candidates, gain_curve
from engine.induction import grow
from engine.pruning import prune
from engine.table import Table
from engine.tree import Tree

WIDE = 70_000  # distinct values beyond two bytes: the widest codes


def warm_up(stopped: Callable[[], bool] = lambda: False) -> None:
    """Runs the engine once on small made-up tables with codes of every width and targets of both tasks.

    What a person needs first comes first: candidates, then growing, then pruning.

    Args:
        stopped: asked between the steps; True ends the call early.
    """
    for step in _steps():
        if stopped():
            return
        step()


def _steps() -> Iterator[Callable[[], object]]:
    tables = [_table("classes"), _table("number")]
    for table in tables:
        root = Tree.root(table)
        yield partial(candidates, table, root)
        yield partial(gain_curve, table, root, 0, "narrow")
        yield partial(candidates, table, root, nominal="multiway")
    for table in tables:
        yield partial(grow, table, max_depth=3, nominal="multiway")
        tree = grow(table, max_depth=3)
        yield partial(prune, table, tree)
        yield partial(assess, table, tree)
        yield partial(tree.with_counts, table)


def _table(task: str) -> Table:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "wide": random.permutation(WIDE) + 0.5,
            "middle": random.integers(0, 1000, WIDE),
            "narrow": random.integers(0, 10, WIDE),
            "level": random.choice(list("abcd"), WIDE),
            "y": random.integers(0, 3, WIDE) if task == "classes" else random.normal(size=WIDE),
        }
    )
    return Table.from_frame(frame, target="y").with_partition(validation=0.2)
