"""A tree as R's package rpart prints it (Therneau and Atkinson 1997): `node), split, n, loss, yval, (yprob)`.

The branches of node k are 2k and 2k + 1; 2k is the one whose rows have the smaller mean of the target, classes counted
in their order, as rpart has it. rpart 4.1.19 under R 4.2.2 judges the lines (`tests/data/rpart_print.R`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    below,
    chosen,
    named,
    number_stats,
    planted,
    target_name,
)
from engine.formats.j48 import NUMBERS, is_one_cut
from engine.formats.printouts import Line, pieces
from engine.formats.questions import LAST_SECOND
from engine.runtime.errors import InputError, one_line, printable
from engine.runtime.sentences import tr
from engine.splits import Split, full_words
from engine.table.words import value_words
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

DIGITS = 7  # that R prints
EQUAL = "# A value equal to a cut goes with the smaller ones."  # which rpart sends the other way
MANY = 5  # from so many classes on their probabilities have two digits


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces."""
    return pieces(tree, "rpart")


def lines(tree: Tree) -> Iterator[Line]:
    """The printout, line by line; InputError where a split has more than two branches."""
    if (tree.n_branches > 2).any():
        i = int(np.argmax(tree.n_branches > 2))
        raise InputError(tr(
            "rpart splits nodes in two: the split of {column} at node {node} has {n} branches.",
            column=tree.title(i), node=int(tree.ids[i]), n=int(tree.n_branches[i])))  # fmt: skip
    numbers = _numbers(tree)
    at, width = list(numbers), len(str(max(numbers.values())))
    losses = r_format([float(f"{loss:.{DIGITS}g}") for loss in tree.costs()[at]])
    said = _predictions(tree, at)
    yield Line(f"n= {int(tree.rows_train[0])} ")
    yield Line("")
    yield Line(f"node), split, n, {'loss, yval, (yprob)' if tree.task == 'classes' else 'deviance, yval'}")
    yield Line("      * denotes terminal node")
    yield Line("")
    for i, loss, predicted in zip(at, losses, said, strict=True):
        head = f"{'  ' * int(tree.level[i])}{numbers[i]:>{width}}) {_condition(tree, i)}"
        leaf = " " if tree.n_branches[i] else "*"
        yield Line(printable(f"{head} {int(tree.rows_train[i])} {loss} {predicted} {leaf}"), int(tree.ids[i]))
    if any(_may_meet(tree, i) for i in at):
        yield Line("")
        yield Line(EQUAL)


def _numbers(tree: Tree) -> dict[int, int]:
    """The number of each node by its position, in the order of the lines."""
    numbers, waiting, means = {}, [(0, 1)], _means(tree)
    while waiting:
        i, number = waiting.pop()
        numbers[i] = number
        below = tree.children(i)
        if below and not means[below[0]] < means[below[1]]:
            below.reverse()
        waiting += [(child, 2 * number + k) for k, child in enumerate(below)][::-1]
    return numbers


def _means(tree: Tree) -> NDArray[np.float64]:
    """float64[n_nodes]: the mean of the target among the training rows of each node; classes count 0, 1, 2 … and weigh
    as in the search."""
    if tree.task == "number":
        return np.asarray(tree.means)
    total = tree.searched_weight
    return np.divide(tree.searched @ np.arange(len(tree.classes)), total, out=np.zeros(total.size), where=total > 0)


def _predictions(tree: Tree, at: list[int]) -> list[str]:
    """What the nodes predict; of classes the label and the probabilities of all."""
    if tree.task == "number":
        return r_format([float(f"{value:.{DIGITS}g}") for value in tree.predictions[at]])
    shares, k = tree.probabilities[at], len(tree.classes)
    figures = r_format(shares.ravel(), least=DIGITS) if k < MANY else [f"{share:.2g}" for share in shares.ravel()]
    return [f"{tree.classes[tree.labels[i]]} ({' '.join(figures[n * k : n * k + k])})" for n, i in enumerate(at)]


def _condition(tree: Tree, i: int) -> str:
    """How a node is reached from its parent; in the words of this program where rpart has no such split."""
    if i == 0:
        return "root"
    split, branch = tree.split_at(int(tree.parent[i])), int(tree.branch[i])
    assert split is not None
    if is_one_cut(split):
        cut, kind = split.thresholds[0], tree.kinds[split.column]
        value = f"{cut:.{DIGITS}g}" if kind in NUMBERS else value_words(cut, kind)
        return f"{split.column}{'>=' if branch else '< '}{value}"
    if split.kind == "groups" and split.groups[branch]:
        order = next(column.levels for column in tree.columns if column.name == split.column)
        return f"{split.column}={','.join(sorted(split.groups[branch], key=order.index))}"
    return full_words(split, branch, tree.kinds, lacking=False)


def _may_meet(tree: Tree, i: int) -> bool:
    """Whether a value may be equal to the cut of a node: then rpart's "<" would be wrong by that value."""
    split = tree.split_at(i)
    if split is None or not is_one_cut(split):
        return False
    kind, cut = tree.kinds[split.column], split.thresholds[0]
    return kind == "number" or (kind == "integer" and cut.is_integer())


def r_format(values: Sequence[float] | NDArray[np.float64], least: int = 0) -> list[str]:
    """Finite numbers as R's `format(values, digits = 7, nsmall = least)` writes them: all with as many decimals as the
    one that needs most for seven digits, right-aligned; with a power of ten where that takes less room.

    Args:
        least: so many decimals at least, unless there are powers of ten.
    """
    parts = [f"{abs(value):.{DIGITS - 1}e}".split("e") for value in values]  # rounded to so many digits
    powers = [int(power) for _, power in parts]
    digits = [len(mantissa.rstrip("0")) - 1 or 1 for mantissa, _ in parts]  # without the point
    decimals = max(max(0, n - power - 1) for n, power in zip(digits, powers, strict=True))
    before = max(max(power, 0) + 1 + (value < 0) for value, power in zip(values, powers, strict=True))
    figures, large = max(digits), any(abs(power) >= 100 for power in powers)
    fixed = before + (decimals > 0) * (decimals + 1)
    scientific = any(value < 0 for value in values) + figures + (figures > 1) + (5 if large else 4)
    if fixed <= scientific:
        written = [f"{value:.{max(decimals, least)}f}" for value in values]
    else:
        written = [f"{value:.{figures - 1}e}" for value in values]
    width = max(map(len, written))
    return [text.rjust(width) for text in written]


# -- reading


FIGURE = r"-?[\d.]+(?:e[-+]?\d+)?"
NODE = re.compile(r"\s*(\d{1,400})\) (.*)")
HEAD = re.compile(r"^node\), split, n, (loss|deviance), yval.*\n", re.MULTILINE)
OF_CLASSES = re.compile(rf"(.*) (\d+) +({FIGURE}) (.*) \(((?:{FIGURE} *)+)\) *\*? *")
OF_NUMBERS = re.compile(rf"(.*) (\d+) +({FIGURE}) +({FIGURE}) *\*? *")
CUT = re.compile(rf"(.+?)(< ?|>=) *({FIGURE})")
LEVELS = re.compile(r"(.+?)=(.*)")
DAY = 86_400.0  # seconds


@dataclass(frozen=True)
class _Line:
    """A printed node; `said` is its label or its mean, `shares` are the probabilities, as text."""

    condition: str
    n: int
    loss: float
    said: str
    shares: tuple[str, ...]


def read(data: bytes, wish: Wish) -> Tree:
    """The tree that rpart or this program printed; InputError in lower case, to follow the file's name.

    Figures have the digits printed. What is not printed is guessed, and the root's note says so: missing values go into
    the branch with more rows; the probabilities are those of the classes in the order that fits the labels best. The
    columns of a table, where the wish names them, tell levels with commas apart and say that a number is a date: in
    days since 1970, as R's Date, where the table's dates are days, else in seconds, as its POSIXct.
    """
    text = data.decode("utf-8", "replace").replace("\r", "")
    chosen(wish, 1)
    head = HEAD.search(text)
    if head is None:
        raise InputError(tr("the line “node), split, n, …” is not there"))
    by_classes = head[1] == "loss"
    found: dict[int, _Line] = {}
    for written in text[head.end() :].split("\n"):
        match = NODE.fullmatch(written)
        if match is None:
            if found and written.strip():
                break  # what follows the tree
            continue
        number = int(match[1])
        if number in found or (number > 1 and number // 2 not in found):
            raise InputError(tr("node {node} is printed twice, or before its parent", node=number))
        found[number] = _line(match[2], by_classes)
    if 1 not in found:
        raise InputError(tr("it holds no tree"))
    classes = _classes(list(found.values()), wish) if by_classes else ()
    of_table = {column.name: column for column in wish.columns}
    columns, place = dict[str, set[str] | None](), {number: i for i, number in enumerate(found)}
    nodes = []
    for number, line in found.items():
        both = 2 * number, 2 * number + 1
        if both[0] in found and both[1] in found:
            split, turned = _split(found[both[0]], found[both[1]], EQUAL in text, columns, of_table)
            nodes.append(ForeignNode(split, tuple(place[one] for one in (both[::-1] if turned else both))))
        elif both[0] in found or both[1] in found:
            raise InputError(tr("node {node} has one branch", node=number))
        else:
            nodes.append(_leaf(line, classes))
    names = tuple(columns)
    if wish.features and wish.features != names:
        raise InputError(tr("it names its features itself: leave their names out"))
    dates = {name for name, levels in columns.items() if levels is None and _is_date(of_table.get(name))}
    kinds = tuple(
        TreeColumn(name, "date", (), False, of_table[name].days) if name in dates
        else TreeColumn(name, "number" if levels is None else "nominal", tuple(sorted(levels or ())), False)
        for name, levels in columns.items()
    )  # fmt: skip
    note = tr(
        "As printed by rpart: figures have the digits printed, levels end at commas, and missing values go into the "
        "branch with more rows, for surrogates are not printed."
    )
    if wish.columns:
        note = tr(
            "As printed by rpart: figures have the digits printed, and missing values go into the branch with more "
            "rows, for surrogates are not printed. Levels with commas are told apart by those of the table."
        )
    if by_classes and not wish.classes:
        note = f"{note} " + tr("Which class each probability is of is not printed: the labels show it.")
    return planted(Foreign(nodes, "classes" if classes else "number", target_name(wish, names), kinds, classes, note))


def _line(text: str, by_classes: bool) -> _Line:
    match = (OF_CLASSES if by_classes else OF_NUMBERS).fullmatch(text)
    if match is None:
        raise InputError(tr("“{line}” is no node of rpart", line=one_line(text)))
    condition, n, loss, said, *shares = match.groups()
    return _Line(condition, int(n[:400]), _figure(loss), said.strip(), tuple(shares[0].split()) if shares else ())


def _classes(lines: Sequence[_Line], wish: Wish) -> tuple[str, ...]:
    """The names of the classes in the order of their probabilities: each label has a place of its own, so that the
    probabilities of what is predicted are largest in all; "?" for what no node predicts."""
    n = len(lines[0].shares)
    if any(len(line.shares) != n for line in lines):
        raise InputError(tr("its nodes have not equally many probabilities"))
    labels = sorted({line.said for line in lines})
    if wish.classes:
        return named([""] * n, wish.classes, "classes")
    if len(labels) > n:
        raise InputError(tr("it predicts {labels} classes and has {n} probabilities", labels=len(labels), n=n))
    fits = np.zeros((len(labels), n))
    for line in lines:
        shares = [_figure(share) for share in line.shares]
        if not all(0 <= share <= 1 for share in shares):
            raise InputError(tr("“{line}” holds what is no probability", line=one_line(" ".join(line.shares))))
        fits[labels.index(line.said)] += shares
    from scipy.optimize import linear_sum_assignment  # late: it takes long to load

    rows, at = linear_sum_assignment(fits, maximize=True)
    names = ["?" * (1 + sum(k > place for place in range(n))) for k in range(n)]
    for row, place in zip(rows.tolist(), at.tolist(), strict=True):
        names[place] = labels[row]
    return tuple(names)


def _leaf(line: _Line, classes: tuple[str, ...]) -> ForeignNode:
    if not classes:
        value = _figure(line.said)
        return ForeignNode(
            stats=number_stats(value, float(line.n), line.loss), rows=line.n, label=None if line.n else value
        )
    counts = []
    for share in line.shares:
        decimals = len(share.partition("e")[0].partition(".")[2])
        count = line.n * _figure(share)
        near = "e" not in share and abs(count - round(count)) <= line.n * 0.5001 * 10.0**-decimals < 0.5
        counts.append(float(round(count)) if near else count)  # a whole number, unless rows are weighted
    if line.said not in classes:
        raise InputError(tr("it predicts “{label}”, which is none of the classes", label=one_line(line.said)))
    usual = classes[counts.index(max(counts))] if any(counts) else ""
    return ForeignNode(stats=tuple(counts), rows=line.n, label=line.said if line.said != usual else None)


def _split(
    first: _Line, second: _Line, with_equal: bool, columns: dict[str, set[str] | None],
    of_table: Mapping[str, TreeColumn],
) -> tuple[Split, bool]:  # fmt: skip
    """The split of two branches, and whether they are the other way round; its column and levels are added to the known
    ones. `with_equal`: whether a value equal to the cut goes with the smaller ones. `of_table`: columns of the table by
    their names."""
    fewer = int(second.n > first.n)
    cuts = [CUT.fullmatch(line.condition) for line in (first, second)]
    if cuts[0] and cuts[1] and cuts[0][1] == cuts[1][1]:
        (name, sign, value), (_, other, same) = cuts[0].groups(), cuts[1].groups()
        if {sign.strip(), other.strip()} != {"<", ">="} or value != same or columns.setdefault(name, None) is not None:
            raise InputError(tr("the branches of “{name}” are not two sides of one number", name=one_line(name)))
        turned, cut = sign == ">=", _figure(value)
        column = of_table.get(name)
        if column is not None and _is_date(column) and column.days and abs(cut) * DAY <= LAST_SECOND:
            cut *= DAY
        return Split(name, "threshold", (cut if with_equal else below(cut),), missing=fewer ^ turned), turned
    sides = [LEVELS.fullmatch(line.condition) for line in (first, second)]
    if not sides[0] or not sides[1] or sides[0][1] != sides[1][1]:
        raise InputError(tr("“{condition}” and its sibling are no split of rpart", condition=one_line(first.condition)))
    name, known = sides[0][1], columns.setdefault(sides[0][1], set())
    if known is None:
        raise InputError(tr("it asks “{name}” for numbers and for categories", name=one_line(name)))
    levels = of_table[name].levels if name in of_table else ()
    groups = tuple(tuple(dict.fromkeys(_listed(side[2], name, levels))) for side in sides if side)
    known.update(*groups)
    return Split(name, "groups", groups=groups, missing=fewer, unseen=fewer), False


def _is_date(column: TreeColumn | None) -> bool:
    return column is not None and column.kind == "date"


def _listed(text: str, name: str, levels: Sequence[str]) -> list[str]:
    """The levels of a list that commas divide, which may stand in a level, too: as few as can be that the table lacks.
    InputError where the table's levels make two lists of it."""
    pieces = text.split(",")
    if not any("," in level for level in levels):
        return pieces
    known, most = set(levels), 1 + max(level.count(",") for level in levels)
    best: list[tuple[int, int, list[str]]] = [(0, 1, [])]  # unknown ones, ways, the list, of the first pieces
    for stop in range(1, len(pieces) + 1):
        fewest, ways, found = len(pieces) + 1, 0, list[str]()
        for start in range(max(0, stop - most), stop):
            level, (unknown, n, before) = ",".join(pieces[start:stop]), best[start]
            if level not in known and stop - start > 1:
                continue
            unknown += level not in known
            if unknown < fewest:
                fewest, ways, found = unknown, n, [*before, level]
            elif unknown == fewest:
                ways += n
        best.append((fewest, ways, found))
    if best[-1][1] > 1:
        raise InputError(tr(
            "“{text}” may be several lists of categories of “{name}”, for some have commas in their names: rename "
            "these, and print the tree again", text=one_line(text), name=one_line(name)))  # fmt: skip
    return best[-1][2]


def _figure(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(tr("“{text}” is no number", text=one_line(text))) from error
