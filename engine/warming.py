"""Compiling every kernel before a person needs it, or loading it from the cache."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa

from engine.assessment import assess
from engine.criteria import CRITERIA
from engine.growing import grow
from engine.learning_theory.all_trees import all_trees
from engine.pruning import METHODS, why_not
from engine.pruning.metrics import curve
from engine.pruning.options import metrics_for
from engine.pruning.result import prune
from engine.ranking.candidates import candidates, gain_curve
from engine.readers import read_text
from engine.readers.values import Values
from engine.runtime.compiler import compile_at_once, keep_compiled
from engine.runtime.threads import Workers
from engine.search.absolute import Runs
from engine.search.column_search import search_column
from engine.search.kernels.count import Target
from engine.search.kernels.large_nodes import count_sibling, count_words, mark_open
from engine.search.large_nodes import IN_A_WORD, make_matrix
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.sources.coded import Coded
from engine.sources.counted import grow_source
from engine.sources.zooming import Reach
from engine.splits import Split
from engine.table.encode import order_of
from engine.table.table import Table
from engine.tree.counting import filled
from engine.tree.kernels.descend import find_sides
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree

FEW = 300
WIDE = 70_000  # distinct values beyond two bytes: the widest codes
WARM_ROWS = 100  # enough to compile what looks at rows
WAYS = (
    {"nominal": "multiway"},
    {"nominal": "one_vs_rest"},
    {"nominal": "multiway", "pool": 50},
    {"numeric": "bucket_cuts"},
)
TEXT = "code,number,level\n" + "007,0.5,red\n" * 100_000  # large enough to be read the quick way


def warm_up(stopped: Callable[[], bool] = lambda: False) -> None:
    """Runs the engine once on small made-up tables with codes of every width and targets of both tasks.

    What a person needs first comes first: candidates and growing in a small table, then reading, searching and growing
    large ones, then pruning, then what few ask for. What a step has compiled is kept even if the program is killed.

    Args:
        stopped: asked between the steps and before each kernel is compiled. True ends the call early, at a step; it may
            wait before it answers, while somebody needs the processors.
    """
    with _rare_collections(), compile_at_once(wait=stopped):
        for step in _steps():
            if stopped():
                return
            step()
            keep_compiled()


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Lets Python look for cyclic garbage a fiftieth as often: the compiler makes millions of small objects and hardly
    any cycles, and looking took a twentieth of its time."""
    before = gc.get_threshold()
    gc.set_threshold(before[0] * 50, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _steps() -> Iterator[Callable[[], object]]:
    for small in (_table("classes", FEW), _table("number", FEW)):
        yield partial(candidates, small, Tree.root(small))
        yield partial(gain_curve, small, Tree.root(small), 0, "narrow")
        yield partial(grow, small)
    yield partial(read_text, TEXT)
    yield _values_of_a_database
    tables = [_table("classes", WIDE), _table("number", WIDE)]
    for table in tables:
        root = Tree.root(table)
        yield partial(candidates, table, root)
        yield partial(gain_curve, table, root, 0, "narrow")
        yield partial(candidates, table.with_partition(), root)
        yield from (partial(candidates, table, root, **how) for how in WAYS)
    by_ratio = next(one.name for one in CRITERIA.values() if one.by_ratio)
    yield partial(candidates, tables[0], Tree.root(tables[0]), criterion=by_ratio)
    for table in tables:
        yield partial(grow, table, max_depth=3, nominal="multiway")
        tree = grow(table, max_depth=3)
        yield from (partial(_cut_back, table, tree, method) for method in METHODS if not why_not(method, table))
        yield partial(_figures, table, tree)
        yield partial(assess, table, tree)
        yield partial(tree.with_counts, table)
        by_level = table.with_roles(dict.fromkeys(("wide", "middle", "narrow"), "ignore"))
        yield partial(grow, by_level, max_leaves=3)
        yield partial(grow_source, table, max_depth=2)
        yield from (partial(_ways_down, table, name) for name in ("wide", "middle", "narrow"))
        yield partial(grow_source, table.with_roles({"narrow": "weight"}), max_depth=1)
        yield partial(_reach_of_bins, table)
    yield partial(_from_matrix, tables[0])
    yield partial(_by_rows, tables[1])
    yield from (partial(_by_tests, table) for table in tables)
    for table in tables:
        few = table.take(np.arange(FEW))
        yield partial(grow, few)
        yield partial(grow, few, max_leaves=3)
        yield partial(candidates, few, Tree.root(few), lookahead=2)
        yield partial(candidates, few, Tree.root(few), lookahead=2, nominal="multiway")
        yield partial(candidates, few, Tree.root(few), m_of_n=True)
        yield partial(all_trees, table.take(np.arange(20)), 2)


def _reach_of_bins(table: Table) -> None:
    """What cuts of a column may score that a source counts in bins."""
    Reach.of(NodeRows.root(table).count(table.index("narrow")), Search.make(table.task), table)


def _ways_down(table: Table, name: str) -> None:
    """The way of rows down a split of this column, whose codes are of another width than those of the others."""
    Coded(table).rows(((Split(name, "threshold", (5.0,)), 0),), 1, 0)


def _values_of_a_database() -> None:
    """The codes of values that a database hands out."""
    numbers = pa.array([0.5, 1.5])
    Values.of("x", numbers).codes(numbers)


def _cut_back(table: Table, tree: Tree, method: str) -> None:
    """A pruning, and the tree that it recommends."""
    pruning = prune(table, tree, method)
    pruning.tree(len(pruning.steps) // 2)


def _figures(table: Table, tree: Tree) -> None:
    """The charts of the panel on pruning."""
    pruning = prune(table, tree, "growth")
    for metric in metrics_for(table.task):
        curve(pruning, metric, "validation", table)


def _from_matrix(table: Table) -> None:
    """What searches nodes of larger tables than these: words of bins, and the codes of rows found in them."""
    columns = [table.columns[table.index(name)] for name in ("wide", "middle", "narrow")]
    rows = np.arange(WARM_ROWS, dtype=np.uint32)
    target, wider = Target(np.zeros(WARM_ROWS, np.uint16), np.zeros(0), np.zeros(0)), np.full(IN_A_WORD, 8)
    (words,) = make_matrix(columns, rows, Workers(1)).words
    counted = np.zeros((IN_A_WORD, FEW, 3))
    count_words(words, target, wider, counted)
    count_sibling(counted, np.full(3, FEW), np.zeros(IN_A_WORD, np.int64), counted, counted.copy())
    for column in columns:
        order_of(column.codes, column.n_values + 1)
        mark_open(column.codes[rows], 1, 16, np.zeros(FEW, np.uint8), np.zeros(WARM_ROWS + 1, np.int64))
        find_sides(column.codes, rows, 1, 0, np.zeros(WARM_ROWS, np.uint8))


def _by_tests(table: Table) -> None:
    """The tests of small nodes, and of small branches of two classes."""
    few = table.take(np.arange(WARM_ROWS))
    prune(few, grow(few), "by_rule", significance=0.05, significance_of="split")
    place = np.arange(WARM_ROWS)
    frame = pd.DataFrame({"x": place % 7, "z": place % 5 == 0, "y": np.where(place % 3 == 0, "a", "b")})
    pair = Table.from_frame(frame, target="y")
    candidates(pair, Tree.root(pair))


def _by_rows(table: Table) -> None:
    """What looks at the rows of a numeric target: absolute error, medians, histograms."""
    inside = NodeRows.of(table, np.arange(WARM_ROWS)).centred()
    for name in ("narrow", "level"):
        column, search = table.columns[table.index(name)], Search.make("number", nominal="one_vs_rest")
        search_column(column, Runs.of(column, inside.by_target), search)
    gain_curve(table, Tree.root(table), 0, "narrow", criterion="absolute_error")
    root = Tree.root(table).with_leaf_rule(table, LeafRule("median"))
    filled(replace(root, bin_edges=table.bin_edges(2)), table)


def _table(task: str, n_rows: int) -> Table:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "wide": np.maximum(random.permutation(n_rows), 1) + 0.5,  # one value stands twice: that asks for more
            "middle": random.integers(0, 1000, n_rows),
            "narrow": random.integers(0, 10, n_rows).astype(np.float32),
            "level": random.choice(list("abcd"), n_rows),
            "y": random.integers(0, 3, n_rows) if task == "classes" else random.normal(size=n_rows),
        }
    )
    return Table.from_frame(frame, target="y").with_partition(validation=0.2)
