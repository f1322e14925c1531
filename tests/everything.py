"""All that a person may ask of a table, on a small one for each task."""

import numpy as np
import pandas as pd

import engine
from engine.pruning import why_not


def tables():
    """One table for each task: numbers with gaps, whole numbers, levels, rows that validate."""
    random = np.random.default_rng(0)
    frame = {"x": random.normal(size=400), "k": random.integers(0, 9, 400), "a": random.choice(list("abcde"), 400)}
    frame["x"][::9] = np.nan
    for y in (random.choice(list("uvw"), 400), random.normal(size=400)):
        yield engine.Table.from_frame(pd.DataFrame({**frame, "y": y}), target="y").with_partition(validation=0.3)


def ask_for_everything(table):
    """Searches, grows and prunes in every way there is."""
    root = engine.Tree.root(table)
    asked = ("numeric", "nominal", "missing", "order")
    ways = [{name: choice.name} for name in asked for choice in engine.OPTIONS[name].choices]
    ways += [{"criterion": criterion.name} for criterion in engine.criteria_for(table.task)]
    ways += [{"lookahead": 2, "nominal": "multiway"}, {"m_of_n": True}, {"pool": 50, "nominal": "multiway"}]
    ways += [{"order": choice.name, "max_leaves": 5} for choice in engine.OPTIONS["order"].choices]
    for how in ways:
        if not engine.refusal(table.task, {}, **how):
            engine.candidates(table, root, **how)
            engine.grow(table, max_depth=2, **how)
    tree = engine.grow(table)
    for method in engine.METHODS:
        if not why_not(method, table):
            pruning = engine.prune(table, tree, method=method)
            pruning.tree(len(pruning.steps) // 2)
    engine.gain_curve(table, root, 0, "x")
    engine.recount(tree, table)
    engine.assess(table, tree, "validation")
    engine.rules(tree)
