"""Compiling every kernel before a person needs it, or loading it from the cache."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from engine.assessment import assess
from engine.candidates import candidates, gain_curve
from engine.induction import grow
from engine.pruning import prune
from engine.table import Table

WIDE = 70_000  # distinct values beyond two bytes: the widest codes


def warm_up(stopped: Callable[[], bool] = lambda: False) -> None:
    """Runs the engine once on small made-up tables with codes of every width and targets of both tasks.

    Args:
        stopped: asked between the steps; True ends the call early.
    """
    for task in ("classes", "number"):
        table = _table(task)
        for nominal in ("groups", "multiway"):
            if stopped():
                return
            tree = grow(table, max_depth=3, nominal=nominal)
        for step in (
            lambda table, tree: candidates(table, tree, int(tree.ids[-1])),
            lambda table, tree: gain_curve(table, tree, int(tree.ids[-1]), "narrow"),
            prune,
            assess,
            lambda table, tree: tree.with_counts(table),
        ):
            if stopped():
                return
            step(table, tree)


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
