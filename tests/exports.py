"""Tables with every kind of column, and random trees on them, for what is exported as code.

`python -m tests.exports` runs 300 of them in every format and prints how many rows differ.
"""

import json
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd

import engine
from engine.formats.checking import check_answers, check_content
from engine.formats.files import content_of
from engine.formats.rows_to_check import Answers, rows_to_check
from tests import postgres
from tests.frames import random_split

NAMES = ("size", "whole number", 'day "x"', "it's", "ordered\\", "wet")
TOWNS = ("Ulm", "O'Hara", 'a"b', "x\\", "'); DROP TABLE rows; --", "", "ä漢\U0001f333", "12", "a\nb")


def mixed_table(seed: int, task: str = "classes", n: int = 120) -> engine.Table:
    """Numbers, whole ones, dates, levels with every quote, ordered levels, booleans; a tenth of the cells missing."""
    random = np.random.default_rng(seed)
    days = np.datetime64("2020-02-29", "us") + random.integers(0, 10**15, n).astype("timedelta64[us]")
    frame = pd.DataFrame({
        "size": random.normal(size=n) * 10.0 ** random.integers(-3, 4),
        "whole number": random.integers(-5, 6, n).astype(float),
        'day "x"': days if random.random() < 0.5 else days.astype("datetime64[D]").astype("datetime64[us]"),
        "it's": pd.Categorical(random.choice(np.array(TOWNS, dtype=object), n), categories=list(TOWNS)),
        "ordered\\": pd.Categorical(random.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True),
        "wet": pd.Series(random.random(n) < 0.5, dtype=object),
    })  # fmt: skip
    for name in NAMES:
        frame.loc[random.random(n) < 0.1, name] = None
    frame["target ✓"] = random.normal(size=n) if task == "number" else random.choice(["no", "y'e\"s", "ß"], n)
    return engine.Table.from_frame(frame, target="target ✓")


def mixed_tree(table: engine.Table, seed: int, n_splits: int = 8) -> engine.Tree:
    """A tree of random splits of every kind, with what leaves may say: smoothing, costs, priors, medians, labels."""
    random = np.random.default_rng(seed)
    tree = engine.Tree.root(table)
    for _ in range(n_splits):
        leaf = int(tree.ids[random.choice(tree.leaves)])
        split = random_split(table, random)
        if split.kind == "threshold" and random.random() < 0.1:
            split = engine.Split(split.column, "threshold", (np.inf,), missing=int(random.integers(2)))
        tree = tree.split(table, leaf, split)
    if table.task == "number":
        tree = tree.with_leaf_rule(table, engine.LeafRule(str(random.choice(["mean", "median"]))))
    else:
        no, yes, _ = table.classes
        rules = (
            engine.LeafRule(), engine.LeafRule(smoothing="laplace"), engine.LeafRule(costs=((no, yes, 5.0),)),
            engine.LeafRule(smoothing="m_estimate", priors=((no, 0.7),)),
        )  # fmt: skip
        tree = tree.with_leaf_rule(table, rules[random.integers(4)])
    if random.random() < 0.3:
        node = int(tree.ids[random.choice(tree.leaves)])
        label = table.classes[0] if table.task == "classes" else 0.1 + 0.2
        tree = tree.with_mark(node, table=table, label=label)
    return tree


class Run(NamedTuple):
    """A format as it is run in tests; `most_depth`: up to which depth a tree can be said; `runs`: what runs it if the
    format itself cannot."""

    format: str
    options: Mapping[str, str] = MappingProxyType({})
    program: str | None = None
    most_depth: float = float("inf")
    runs: Callable[..., Answers] | None = None

    def __str__(self) -> str:
        return " ".join((self.format, *self.options.values()))

    def content(self, tree: engine.Tree) -> str | bytes:
        """What is exported."""
        return content_of(tree, self.format, **self.options)

    def check(self, tree: engine.Tree, rows: engine.Table, content: str | bytes | None = None) -> engine.Check:
        """Exports the tree, if that was not done, runs it on these rows, and compares."""
        content = self.content(tree) if content is None else content
        if self.runs is None:
            return check_content(content, tree, rows, self.format, **self.options)
        return check_answers(self.runs(content, tree, rows, **self.options), tree, tree, rows, self.format)


RUN = (
    Run("python"), Run("pandas"),
    Run("sql", {"dialect": "duckdb"}), Run("sql", {"dialect": "sqlite"}),
    Run("sql", {"dialect": "postgres"}, program=postgres.INITDB, runs=postgres.run),
    Run("javascript", program="node"), Run("c", program="cc"), Run("r", program="Rscript"),
    Run("excel", program="soffice"),
    Run("onnx", most_depth=1000), Run("pmml", program="java", most_depth=200),
)  # fmt: skip


def chain(depth: int) -> tuple[engine.Tree, engine.Table]:
    """A tree so deep that each node has a leaf at the left, and a table for it."""
    frame = pd.DataFrame({"a": np.arange(depth + 1.0), "y": np.arange(depth + 1) % 2})
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "nominal"})
    stump = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (0.5,)))
    document = json.loads(engine.tree_to_text(stump))
    (root, leaf, _), nodes = document["nodes"], []
    for k in range(depth):
        above = {"parent": 2 * k - 2, "branch": 1} if k else {}
        nodes.append({**root, **above, "id": 2 * k, "split": {**root["split"], "thresholds": [k + 0.5]}})
        nodes.append({**leaf, "id": 2 * k + 1, "parent": 2 * k})
    nodes.append({**leaf, "id": 2 * depth, "parent": 2 * depth - 2, "branch": 1})
    tree = engine.tree_from_text(json.dumps({**document, "nodes": nodes, "next_id": 2 * depth + 1}))
    return tree.with_counts(table), table


def matrix(n_trees: int) -> None:
    """Prints for each format the program that ran it, the trees, the rows, and how many of these differ."""
    print("| format | run by | trees | rows | rows that differ |\n| --- | --- | ---: | ---: | ---: |")
    for run in RUN:
        programs, n_rows, n_differing = set[str](), 0, 0
        for seed in range(n_trees):
            table = mixed_table(seed, ("classes", "number")[seed % 2])
            try:
                tree = mixed_tree(table, seed)
                checked = run.check(tree, rows_to_check(tree, table, 1000, seed))
            except engine.InputError as error:
                print(f"| {run} | {error} | | | |", flush=True)
                break
            programs.add(checked.ran_by)
            n_rows, n_differing = n_rows + checked.n_rows, n_differing + checked.differing.size
        else:
            print(f"| {run} | {', '.join(programs)} | {n_trees} | {n_rows:,} | {n_differing:,} |", flush=True)


if __name__ == "__main__":
    matrix(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
