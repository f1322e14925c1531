"""Tables with every kind of column, and random trees on them, for what is exported as code.

`python -m tests.exports` runs 300 of them in every format and prints how many rows differ; `--large` writes and runs a
tree of 100,000 leaves, and prints the seconds. Names of formats behind the number leave the others out.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import engine
from engine.formats import FORMATS, PRINTOUTS
from engine.formats.checking import check_answers, check_content
from engine.formats.files import content_of
from engine.formats.rows_to_check import Answers, rows_to_check
from tests import pmml4s, postgres, read_back, sas
from tests.frames import random_split

NAMES = ("size", "whole number", 'day "x"', "it's", "ordered\\", "wet")
TOWNS = ("Ulm", "O'Hara", 'a"b', "x\\", "'); DROP TABLE rows; --", "", "ä漢\U0001f333", "12", "a\nb")


class Drawn(NamedTuple):
    """What trees are drawn: `tasks` of their tables, in turn; `towns`, the levels of one column; `most_branches` of a
    split; whether thresholds may be infinite, and a leaf may predict another class than that of most rows."""

    tasks: tuple[str, ...] = ("classes", "number")
    towns: tuple[str, ...] = TOWNS
    most_branches: int = 9
    infinite: bool = True
    other_labels: bool = True


MIXED = Drawn()
ABLE = {  # what formats can have that refuse some mixed trees
    "j48": Drawn(tasks=("classes",)), "rpart": Drawn(most_branches=2),
    "sas": Drawn(towns=tuple(filter(None, TOWNS)), infinite=False), "sklearn": Drawn(other_labels=False),
}  # fmt: skip


def mixed_table(seed: int, task: str = "classes", n: int = 120, drawn: Drawn = MIXED) -> engine.Table:
    """Numbers, whole ones, dates, levels with every quote, ordered levels, booleans; a tenth of the cells missing."""
    random = np.random.default_rng(seed)
    days = np.datetime64("2020-02-29", "us") + random.integers(0, 10**15, n).astype("timedelta64[us]")
    frame = pd.DataFrame({
        "size": random.normal(size=n) * 10.0 ** random.integers(-3, 4),
        "whole number": random.integers(-5, 6, n).astype(float),
        'day "x"': days if random.random() < 0.5 else days.astype("datetime64[D]").astype("datetime64[us]"),
        "it's": pd.Categorical(random.choice(np.array(drawn.towns, dtype=object), n), categories=list(drawn.towns)),
        "ordered\\": pd.Categorical(random.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True),
        "wet": pd.Series(random.random(n) < 0.5, dtype=object),
    })  # fmt: skip
    for name in NAMES:
        frame.loc[random.random(n) < 0.1, name] = None
    frame["target ✓"] = random.normal(size=n) if task == "number" else random.choice(["no", "y'e\"s", "ß"], n)
    return engine.Table.from_frame(frame, target="target ✓")


def mixed_tree(table: engine.Table, seed: int, n_splits: int = 8, drawn: Drawn = MIXED) -> engine.Tree:
    """A tree of random splits of every kind, with what leaves may say: smoothing, costs, priors, medians, labels."""
    random = np.random.default_rng(seed)
    tree = engine.Tree.root(table)
    for _ in range(n_splits):
        leaf = int(tree.ids[random.choice(tree.leaves)])
        split = random_split(table, random)
        while split.n_branches > drawn.most_branches:
            split = random_split(table, random)
        if drawn.infinite and split.kind == "threshold" and random.random() < 0.1:
            split = engine.Split(split.column, "threshold", (np.inf,), missing=int(random.integers(2)))
        tree = tree.split(table, leaf, split)
    if table.task == "number":
        tree = tree.with_leaf_rule(table, engine.LeafRule(str(random.choice(["mean", "median"]))))
    else:
        no, yes, _ = table.classes
        rules = (
            engine.LeafRule(), engine.LeafRule(smoothing="laplace"),
            engine.LeafRule(smoothing="m_estimate", priors=((no, 0.7),)), engine.LeafRule(costs=((no, yes, 5.0),)),
        )  # fmt: skip
        tree = tree.with_leaf_rule(table, rules[random.integers(4 if drawn.other_labels else 3)])
    if drawn.other_labels and random.random() < 0.3:
        node = int(tree.ids[random.choice(tree.leaves)])
        label = table.classes[0] if table.task == "classes" else 0.1 + 0.2
        tree = tree.with_mark(node, table=table, label=label)
    return tree


class Run(NamedTuple):
    """A format as it is run in tests; `most_depth`: up to which depth a tree can be said; `runs`: what runs it if the
    format itself cannot; `same`: bool[n], the rows whose cells its program takes for the same values; None: all."""

    format: str
    options: Mapping[str, str] = MappingProxyType({})
    program: str | None = None
    most_depth: float = float("inf")
    runs: Callable[..., Answers] | None = None
    same: Callable[[engine.Table], NDArray[np.bool_]] | None = None

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
    Run("javascript", program="node"), Run("c", program="cc"), Run("c", {"written": "array"}, program="cc"),
    Run("r", program="Rscript"),
    Run("excel", program="soffice"),
    Run("onnx", most_depth=1000), Run("pmml", program="java", most_depth=200, runs=pmml4s.run),
)  # fmt: skip
OTHERS = (Run("sas", runs=sas.run, same=sas.same), Run("sklearn"))  # which refuse some trees, as tests of their own say


@cache
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


KINDS = ("numbers", "levels", "ordered levels", "dates", "truth values", "missing values", "surrogates",
         "several branches", "m of n", "costs", "smoothing", "numeric targets")  # fmt: skip


def kinds_of(tree: engine.Tree) -> set[str]:
    """Which of `KINDS` a tree has in its splits and its leaves."""
    found = {"numeric targets"} if tree.task == "number" else set[str]()
    found |= {"costs"} if tree.leaf_rule.costs else set()
    found |= {"smoothing"} if tree.leaf_rule.smoothing != "none" else set()
    named = {"number": "numbers", "integer": "numbers", "nominal": "levels", "ordered": "ordered levels",
             "date": "dates", "boolean": "truth values"}  # fmt: skip
    kinds = {column.name: named[column.kind] for column in tree.columns}
    for i in np.flatnonzero(tree.n_branches).tolist():
        split = tree.split_at(i)
        assert split is not None
        found |= {kinds[name] for name in split.columns}
        found |= {"several branches"} if split.n_branches > 2 else set()
        found |= {"surrogates"} if split.surrogates else set()
        found |= {"m of n"} if split.kind == "m_of_n" and len(split.literals) > 1 else {"missing values"}
    return found


class Judged(NamedTuple):
    """What judged a tree, how many rows were compared, and how many of them differ."""

    judge: str
    n_rows: int = 0
    n_differing: int = 0


class Line(NamedTuple):
    """What the matrix says of one format: what judged it; how many trees were written; how many mixed trees it refused,
    in whose place one was written that it can have; the rows that were compared, how many of them differ; and the
    kinds of tree that it never wrote."""

    format: str
    judge: str
    n_trees: int
    n_refused: int
    n_rows: int
    n_differing: int
    lacks: tuple[str, ...]

    def __str__(self) -> str:
        refused = f"{self.n_refused:,}" + (f": {', '.join(self.lacks)}" if self.lacks else "")
        rows = (f"{self.n_rows:,}", f"{self.n_differing:,}") if self.n_rows else ("", "")
        return f"| {self.format} | {self.judge} | {self.n_trees:,} | {refused} | {' | '.join(rows)} |"


def line_of(name: str, n_trees: int, judge: Callable[[engine.Tree, engine.Table, int], Judged]) -> Line:
    """What `judge` finds of so many random trees in a format.

    Raises:
        AssertionError: the format was given no tree of one of `KINDS`, or one that was read back is another tree.
    """
    judges, written, given = dict[str, None](), set[str](), set[str]()
    n_written = n_refused = n_rows = n_differing = 0
    for seed in range(n_trees):
        for drawn in (MIXED, ABLE.get(name)):
            if drawn is None:
                continue
            table = mixed_table(seed, drawn.tasks[seed % len(drawn.tasks)], drawn=drawn).with_partition(validation=0.3)
            tree = mixed_tree(table, seed, drawn=drawn)
            given |= kinds_of(tree)
            try:
                found = judge(tree, table, seed)
            except Refused:
                n_refused += 1
                continue
            written |= kinds_of(tree)
            judges[found.judge] = None
            n_rows, n_differing, n_written = n_rows + found.n_rows, n_differing + found.n_differing, n_written + 1
            break
    assert given == set(KINDS), set(KINDS) - given
    lacks = tuple(kind for kind in KINDS if kind not in written)
    assert not lacks or n_refused, lacks
    return Line(name, ", ".join(judges), n_written, n_refused, n_rows, n_differing, lacks)


class Refused(Exception):
    """A format says that it cannot hold a tree."""


def ran(run: Run, tree: engine.Tree, table: engine.Table, seed: int) -> Judged:
    """What a program answers for a tree, for hard rows most of all."""
    try:
        content = run.content(tree)
    except engine.InputError as error:
        raise Refused from error
    return compared(run, run.check(tree, rows_to_check(tree, table, 1000, seed), content))


def compared(run: Run, checked: engine.Check) -> Judged:
    """What a check found in the rows whose cells the format's program takes for the same values."""
    same = np.ones(checked.n_rows, dtype=bool) if run.same is None else run.same(checked.rows)
    return Judged(checked.ran_by, np.count_nonzero(same), np.count_nonzero(same[checked.differing]))


def read_again(name: str, tree: engine.Tree, table: engine.Table, seed: int) -> Judged:
    """How a format was read back that nothing runs; printouts of a tree with the splits of their program as well."""
    if name in PRINTOUTS and not (name == "j48" and table.task == "number"):
        nominal = {"j48": "multiway", "rpart": "groups"}[name]
        grown = engine.grow(table, max_depth=4, nominal=nominal).with_leaf_rule(table, tree.leaf_rule)
        read_back.READERS[name](grown)
    try:
        content_of(tree, name)
    except engine.InputError as error:
        raise Refused from error
    if name not in read_back.READERS:
        return Judged("only written")
    read_back.READERS[name](tree)
    return Judged("read back the same")


def matrix(n_trees: int, *names: str) -> None:
    """Prints for each format what judged it, the trees, the rows, and how many of these differ; `names`: of these
    formats only."""
    print("| format | run by | trees | refused | rows | rows that differ |\n| --- | --- | ---: | --- | ---: | ---: |")
    judges = {str(run): partial(ran, run) for run in (*RUN, *OTHERS)}
    run_names = {run.format for run in (*RUN, *OTHERS)}
    judges |= {name: partial(read_again, name) for name in FORMATS if name not in run_names}
    for name, judge in judges.items():
        if names and name.split()[0] not in names:
            continue
        try:
            print(line_of(name, n_trees, judge), flush=True)
        except engine.InputError as error:
            print(f"| {name} | {error} | | | | |", flush=True)


def large_tree(n_leaves: int) -> tuple[engine.Tree, engine.Table]:
    """A tree of so many leaves, of numbers and levels that say nothing of the classes, and its table."""
    random, n = np.random.default_rng(0), 4 * n_leaves
    frame = pd.DataFrame({f"x{k}": random.integers(0, 1000, n).astype(float) for k in range(6)})
    frame["town"] = random.choice(list("abcdefgh"), n)
    frame["y"] = random.choice(["no", "yes", "so"], n)
    table = engine.Table.from_frame(frame, target="y")
    return engine.grow(table, max_leaves=n_leaves), table


def large(n_leaves: int, *names: str) -> None:
    """Prints for each format how long a large tree takes to be written and to be run, and how large the file is;
    `names`: of these formats only."""
    tree, table = large_tree(n_leaves)
    rows = rows_to_check(tree, table, 1000, most=1000)
    print(f"{tree.n_leaves:,} leaves, {tree.depth} levels\n")
    print("| format | written in s | MB | run in s |\n| --- | ---: | ---: | --- |")
    run_names = {run.format for run in (*RUN, *OTHERS)}
    for run in (*RUN, *OTHERS, *(Run(name) for name in FORMATS if name not in run_names)):
        if names and run.format not in names:
            continue
        began, written, size, ended = time.perf_counter(), "", "", ""
        try:
            content = run.content(tree)
            written, size = f"{time.perf_counter() - began:.1f}", f"{len(content) / 1e6:.1f}"
            began = time.perf_counter()
            if run.format in run_names:
                found = compared(run, run.check(tree, rows, content))
                ended = f"{time.perf_counter() - began:.1f}, {found.n_differing} of {found.n_rows:,} rows differ"
        except (engine.InputError, RuntimeError, subprocess.TimeoutExpired) as error:
            ended = " ".join(str(error).split())[-300:]
        print(f"| {run} | {written} | {size} | {ended} |", flush=True)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--large"]
    given = int(words.pop(0)) if words and words[0].isdigit() else 0
    if "--large" in sys.argv:
        large(given or 100_000, *words)
    else:
        matrix(given or 300, *words)
