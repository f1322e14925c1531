"""Small trees to prune: as shapes with costs, and grown on noisy tables."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from engine.splits import Split
from engine.table.table import Table
from engine.tree.tree import Tree


@st.composite
def shapes(draw, most_splits=4):
    """children of a small tree in preorder: two or three branches for each split."""
    children = [[]]
    for _ in range(draw(st.integers(0, most_splits))):
        leaves = [v for v, below in enumerate(children) if not below]
        v = draw(st.sampled_from(leaves))
        for _ in range(draw(st.integers(2, 3))):
            children.append([])
            children[v].append(len(children) - 1)
    order, waiting = [], [0]
    while waiting:
        v = waiting.pop()
        order.append(v)
        waiting += children[v][::-1]
    place = {v: i for i, v in enumerate(order)}
    return [[place[child] for child in children[v]] for v in order]


@st.composite
def costed(draw):
    """A shape with any costs at all, as validation rows give them."""
    children = draw(shapes())
    return children, draw(st.lists(st.integers(0, 6), min_size=len(children), max_size=len(children)))


def arrays(children):
    parent = np.full(len(children), -1, np.int32)
    for v, below in enumerate(children):
        parent[below] = v
    return parent, np.array([len(below) for below in children], np.int32)


def with_ancestors(children, chosen):
    parent, _ = arrays(children)
    locked = set()
    for v in chosen:
        while v >= 0:
            locked.add(int(v))
            v = parent[v]
    return frozenset(locked)


def staircase(depth):
    """Preorder arrays of a tree in which every right branch splits again."""
    n = 2 * depth + 1
    parent, n_branches = np.full(n, -1, np.int32), np.zeros(n, np.int32)
    splits = np.arange(0, n - 1, 2)
    n_branches[splits] = 2
    parent[splits + 1] = parent[splits + 2] = splits
    return parent, n_branches


def noisy(n=400, seed=0, task="classes"):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(list("xyz"), n)})
    signal = (frame.a > 0) * 2.0 + (frame.c == "x") + rng.normal(size=n)
    frame["t"] = signal if task == "number" else np.where(signal > 1.2, "yes", "no")
    return Table.from_frame(frame, target="t")


def halved(table, columns, depth, by_hand=False):
    """A full binary tree that cuts at the medians of the columns, in turn."""
    tree, waiting = Tree.root(table), [(0, 0)]
    while waiting:
        node, level = waiting.pop()
        if level == depth:
            continue
        i = tree.position(node)
        column = columns[level % len(columns)]
        values = table.column(column).values
        cut = float(values[(node * 7919 + 13) % (len(values) - 1)])
        tree = tree.split(table, node, Split(column, "threshold", (cut,)), by_hand=by_hand)
        waiting += [(int(tree.ids[child]), level + 1) for child in tree.children(i)]
    return tree


def children_of(tree):
    return [tree.children(i) for i in range(tree.n_nodes)]
