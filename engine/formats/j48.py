"""A tree as Weka's J48 prints it (Witten and Frank; Quinlan's C4.5): `a = x: yes (12.0/3.0)`.

Behind a leaf's label stands the weight of its training rows and, after a slash, of those that it labels wrongly. Where
missing values go is not printed. Weka 3.6.14 judges the numbers (`tests/data/j48`)."""

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from engine.formats.foreign import Foreign, ForeignNode, Wish, chosen, named, planted, target_name
from engine.formats.printouts import Line, pieces
from engine.runtime.errors import InputError, one_line, printable
from engine.runtime.sentences import tr
from engine.splits import Split, full_words
from engine.table.words import value_words
from engine.tree.nodes import TreeColumn
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
    return full_words(split, branch, tree.kinds, lacking=False)


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


# -- reading


BAR = "|   "
LEAF = re.compile(r"(.*): (.*?) \(([\d.E]+)(?:/([\d.E]+))?\)")
TEST = re.compile(r"(.+?) (<=|>|=|!=) (.*)")
Printed = tuple[int, str, str, float, float]  # the level, the condition, and of a leaf its label, its rows, those wrong


def read(data: bytes, wish: Wish) -> Tree:
    """The tree that J48 or this program printed; InputError in lower case, to follow the file's name.

    Thresholds are as printed. What is not printed is guessed, and the root's note says so: missing values go into the
    branch with more rows, and of several other classes the rows that a leaf labels wrongly are as many of each.
    """
    text = data.decode("utf-8", "replace").replace("\r", "")
    chosen(wish, 1)
    body = re.split(r"^J48.*\n-{8,}\n", text, maxsplit=1, flags=re.MULTILINE)[-1].partition("\nNumber of Leaves")[0]
    rows = [_parsed(line) for line in body.split("\n") if line.strip()]
    classes = tuple(dict.fromkeys(label for _, _, label, _, _ in rows if label))
    if not rows or not classes:
        raise InputError(tr("it holds no leaves"))
    if len(classes) == 1 and any(wrong for *_, wrong in rows):  # of a class that no leaf predicts
        classes += ("?" if classes != ("?",) else "??",)
    if not rows[0][1]:  # a single leaf
        return planted(Foreign([_leaf(rows[0], classes)], "classes", target_name(wish, ()), (), classes))
    below: list[list[int]] = [[] for _ in range(len(rows) + 1)]  # the root stands at 0, line k at k + 1
    path = [0]
    for k, (level, *_) in enumerate(rows):
        if level >= len(path):
            raise InputError(tr("line {k} is too far to the right", k=k + 1))
        below[path[level]].append(k + 1)
        path[level + 1 :] = [k + 1]
    weight = [0.0] * len(below)
    for i in reversed(range(len(below))):
        weight[i] = sum(weight[child] for child in below[i]) if below[i] else rows[i - 1][3]
    columns: dict[str, dict[str, None] | None] = {}
    nodes = [
        _inner([rows[child - 1][1] for child in children], [weight[child] for child in children], children, columns)
        if children else _leaf(rows[i - 1], classes)
        for i, children in enumerate(below)
    ]  # fmt: skip
    names = tuple(columns)
    found = tuple(
        TreeColumn(name, "number" if levels is None else "nominal", tuple(levels or ()), False)
        for name, levels in columns.items()
    )
    if wish.features and wish.features != names:
        raise InputError(tr("it names its features itself: leave their names out"))
    note = tr(
        "As printed by J48: thresholds have the digits printed; missing values go into the branch with more rows; of "
        "several other classes the wrong rows of a leaf are as many of each."
    )
    return planted(
        Foreign(nodes, "classes", target_name(wish, names), found, named(classes, wish.classes, "classes"), note)
    )


def _parsed(line: str) -> Printed:
    level = 0
    while line.startswith(BAR):
        line, level = line.removeprefix(BAR), level + 1
    leaf = LEAF.fullmatch(line)
    if leaf is None:
        return level, line, "", 0.0, 0.0
    condition, label, n, wrong = leaf.groups()
    return level, condition, label, _number(n), _number(wrong or "0")


def _leaf(row: Printed, classes: Sequence[str]) -> ForeignNode:
    _, condition, label, n, wrong = row
    if not label:
        raise InputError(tr("“{condition}” is neither a leaf nor followed by branches", condition=one_line(condition)))
    others = max(len(classes) - 1, 1)
    stats = tuple(max(n - wrong, 0.0) if name == label else wrong / others for name in classes)
    usual = classes[stats.index(max(stats))] if any(stats) else ""  # costs and marks may have made it predict another
    return ForeignNode(stats=stats, rows=round(n), label=label if label != usual else None)


def _inner(
    conditions: list[str], weights: list[float], below: list[int], columns: dict[str, dict[str, None] | None]
) -> ForeignNode:  # fmt: skip
    """The node whose branches have these conditions; its column and levels are added to the known ones."""
    tests = [match.groups() for each in conditions if (match := TEST.fullmatch(each))]
    if len(tests) < len(conditions) or len({name for name, _, _ in tests}) != 1:
        raise InputError(tr("“{condition}” and its siblings are no split of J48", condition=one_line(conditions[0])))
    name, signs, values = tests[0][0], [sign for _, sign, _ in tests], [value for _, _, value in tests]
    missing = weights.index(max(weights))
    if columns.setdefault(name, None if signs[0] in ("<=", ">") else {}) is None:
        if signs != ["<=", ">"] or values[0] != values[1]:
            raise InputError(tr("the branches of “{name}” are not two sides of one number", name=one_line(name)))
        return ForeignNode(Split(name, "threshold", (_number(values[0]),), missing=missing), tuple(below))
    known = columns[name]
    if known is None or not set(signs) <= {"=", "!="} or len(signs) < 2:
        raise InputError(tr("it asks “{name}” for numbers and for categories", name=one_line(name)))
    known.update(dict.fromkeys(values))
    groups = tuple((value,) if sign == "=" else () for sign, value in zip(signs, values, strict=True))
    unseen = signs.index("!=") if "!=" in signs else missing
    return ForeignNode(Split(name, "groups", groups=groups, missing=missing, unseen=unseen), tuple(below))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(tr("“{text}” is no number", text=one_line(text))) from error
