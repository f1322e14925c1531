"""Trees that Weka's J48 and Id3 printed, see `tests/data/j48/make.py`, as trees on our tables."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

import engine
from tests.data.j48 import make

FOLDER = Path(__file__).parent / "data" / "j48"
LINE = re.compile(r"((?:\|   )*)(?:(\S+) (=|<=|>) ([^:]+))?(?:: (\S+) \(([\d.]+)(?:/([\d.]+))?\))?")

ROUNDED = 0.0051  # counts have two decimals
BY_ID3 = re.compile(r"((?:\|  )*)(?:(\S+) = ([^:]+))?(?:: (\S+))?")


class Node(NamedTuple):
    """A printed node.

    Attributes:
        name, test, value: how it is reached: "u", "<=", "2.9"; empty for the root.
        label, n, wrong: of a leaf the class, its rows and those that it labels wrongly.
        below: its branches.
    """

    name: str
    test: str
    value: str
    label: str
    n: float
    wrong: float
    below: tuple["Node", ...] = ()


@cache
def table(name: str) -> engine.Table:
    """One of the tables that J48 was run on."""
    if (FOLDER / f"{name}.arff").exists():
        return engine.read_table(FOLDER / f"{name}.arff", target={"vote": "Class", "labor": "class"}.get(name, "y"))
    saved = FOLDER / f"{name}.csv"
    return engine.Table.from_frame(pd.read_csv(saved) if saved.exists() else make.TABLES[name](), target="y")


@cache
def trees(name: str) -> dict[str, Node]:
    """What J48 printed about a table, by its options."""
    texts = (FOLDER / f"{name}.txt").read_text().split("# J48 ")[1:]
    return {options: read(lines) for options, *lines in (text.strip().split("\n") for text in texts)}


def read(lines: list[str]) -> Node:
    """The tree in printed lines."""
    found = []
    for line in lines:
        match = LINE.fullmatch(line)
        assert match, line
        bars, name, test, value, label, n, wrong = match.groups()
        found.append((len(bars) // 4, Node(name or "", test or "", value or "", label or "", float(n or 0),
                                           float(wrong or 0))))  # fmt: skip
    if len(found) == 1 and not found[0][1].name:
        return found[0][1]
    return Node("", "", "", "", 0, 0, _gather(found, 0, len(found), 0))


def by_id3(name: str) -> Node:
    """What Id3 printed about a table, without counts."""
    found = []
    for line in (FOLDER / f"{name}.id3.txt").read_text().rstrip().split("\n"):
        match = BY_ID3.fullmatch(line)
        assert match, line
        bars, column, value, label = (part or "" for part in match.groups())
        found.append((len(bars) // 3, Node(column, "=" * bool(column), value, label.replace("null", ""), 0, 0)))
    return found[0][1] if not found[0][1].name else Node("", "", "", "", 0, 0, _gather(found, 0, len(found), 0))


def without_counts(top: Node) -> Node:
    """The same tree as Id3 prints it."""
    return top._replace(n=0, wrong=0, below=tuple(map(without_counts, top.below)))


def _gather(found: list[tuple[int, Node]], begin: int, stop: int, depth: int) -> tuple[Node, ...]:
    """The nodes of one depth between two lines, each with what is below it."""
    tops = [i for i in range(begin, stop) if found[i][0] == depth]
    ends = [*tops[1:], stop][: len(tops)]
    return tuple(
        found[i][1]._replace(below=_gather(found, i + 1, j, depth + 1)) for i, j in zip(tops, ends, strict=True)
    )


def replay(name: str, top: Node) -> engine.Tree:
    """The tree with the printed splits."""
    of = table(name)
    tree, waiting = engine.Tree.root(of), [(0, top)]
    while waiting:
        node, printed = waiting.pop()
        if printed.below:
            tree = tree.split(of, node, _split(printed), by_hand=False)
            children = [int(tree.ids[i]) for i in tree.children(tree.position(node))]
            waiting += zip(children, printed.below, strict=True)
    return tree


def _split(printed: Node) -> engine.Split:
    first = printed.below[0]
    if first.test == "<=":
        return engine.Split(first.name, "threshold", (float(first.value),))
    return engine.Split(first.name, "groups", groups=tuple((one.value,) for one in printed.below))


def told(tree: engine.Tree, i: int = 0) -> Node:
    """A tree as J48 prints it."""
    split, parent = tree.split_at(i), int(tree.parent[i])
    name = test = value = ""
    if i:
        above, branch = tree.split_at(parent), int(tree.branch[i])
        name = above.column
        test, value = "<=" if branch == 0 else ">", ""
        if above.kind == "threshold":
            value = f"{above.thresholds[0]:.6f}".rstrip("0").rstrip(".")
        else:
            test, value = "=", above.groups[branch][0]
    below = tuple(told(tree, child) for child in tree.children(i))
    if split is not None:
        return Node(name, test, value, "", 0, 0, below)
    n, wrong = float(tree.train[i].sum()), float(tree.wrong()[i])
    return Node(name, test, value, tree.classes[tree.labels[i]] if n else "", n, wrong)


def same(one: Node, other: Node) -> bool:
    """Whether two trees are printed alike but for the rounding of parts of rows."""
    alike = one._replace(n=0, wrong=0, below=()) == other._replace(n=0, wrong=0, below=())
    near = abs(one.n - other.n) < ROUNDED and abs(one.wrong - other.wrong) < ROUNDED
    return alike and near and len(one.below) == len(other.below) and all(map(same, one.below, other.below))


def without_labels_of_empty_leaves(top: Node) -> Node:
    """J48 prints the first class at a leaf that has no rows."""
    below = tuple(map(without_labels_of_empty_leaves, top.below))
    return top._replace(below=below, label=top.label if top.n else "")
