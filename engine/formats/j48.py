"""A tree as Weka's J48 prints it (Witten and Frank; Quinlan's C4.5): `a = x: yes (12.0/3.0)`.

Behind a leaf's label stands the weight of its training rows and, after a slash, of those that it labels wrongly. Where
missing values go is not printed. Weka 3.6.14 judges the numbers (`tests/data/j48`)."""

import math
from collections.abc import Iterator
from decimal import Decimal

from engine.formats.printouts import Line, pieces
from engine.runtime.errors import InputError, printable
from engine.runtime.sentences import tr
from engine.splits import Split
from engine.table.words import value_words
from engine.tree.tree import Tree

LARGEST = 2**63  # from here on Weka leaves a number to Java
TAB = "\t"
NUMBERS = ("number", "integer")  # kinds of columns whose values are printed as numbers


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces."""
    return pieces(tree, "j48")


def lines(tree: Tree) -> Iterator[Line]:
    """The printout, line by line; InputError for a numeric target."""
    if tree.task != "classes":
        raise InputError(tr("J48 predicts classes: “{target}” is a number.", target=tree.target))
    yield Line("J48 tree")
    yield Line("------------------")
    leaf = tree.n_branches == 0
    if not leaf[0]:
        yield Line("")
    weight, wrong = tree.weight(), tree.wrong()
    for i in range(0 if leaf[0] else 1, tree.n_nodes):
        said = ""
        if leaf[i]:
            mistakes = f"/{java_number(wrong[i])}" if wrong[i] > 1e-6 else ""  # Weka calls less than that equal
            said = f": {tree.classes[tree.labels[i]]} ({java_number(weight[i])}{mistakes})"
        asked = "|   " * (int(tree.level[i]) - 1) + _condition(tree, i) if i else ""
        yield Line(printable(asked + said), int(tree.ids[i]))
    yield Line("")
    yield Line(f"Number of Leaves  : {TAB}{tree.n_leaves}")
    yield Line("")
    yield Line(f"Size of the tree : {TAB}{tree.n_nodes}")


def _condition(tree: Tree, i: int) -> str:
    """How a node is reached from its parent; in the words of this program where J48 has no such split."""
    split, branch = tree.split_at(int(tree.parent[i])), int(tree.branch[i])
    assert split is not None
    if is_one_cut(split):
        cut, kind = split.thresholds[0], tree.kinds[split.column]
        value = six_places(cut) if kind in NUMBERS else value_words(cut, kind)
        return f"{split.column} {'>' if branch else '<='} {value}"
    if split.kind == "groups" and len(split.groups[branch]) == 1:
        return f"{split.column} = {split.groups[branch][0]}"
    if split.kind == "groups" and len(split.groups) == 2 and len(split.groups[1 - branch]) == 1:
        return f"{split.column} != {split.groups[1 - branch][0]}"
    return tree.sentence(i)


def is_one_cut(split: Split) -> bool:
    """Whether a split is by one finite threshold, and nothing else."""
    return split.kind == "threshold" and split.n_branches == 2 and math.isfinite(split.thresholds[0])


def six_places(value: float) -> str:
    """A threshold rounded to six decimals, halves away from zero, without zeros at the end."""
    scaled = abs(value) * 1e6
    if scaled >= LARGEST:
        return java_double(value)
    whole = int(scaled + 0.5)
    digits = f"{whole // 10**6}.{whole % 10**6:06d}".rstrip("0").rstrip(".")
    return f"-{digits}" if value < 0 and whole else digits


def java_number(value: float) -> str:
    """A count rounded to two decimals, as Java writes a double: 12.0, 3.25, 1.0E7."""
    return java_double(math.floor(value * 100 + 0.5) / 100)


def java_double(value: float) -> str:
    """A finite double as Java writes it: at least one decimal, and a power of ten from 10⁷ on and below 10⁻³."""
    shortest = repr(float(value))
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return shortest
    exact = Decimal(shortest)
    figures = "".join(map(str, exact.as_tuple().digits)).rstrip("0")
    return f"{'-' if value < 0 else ''}{figures[0]}.{figures[1:] or '0'}E{exact.adjusted()}"
