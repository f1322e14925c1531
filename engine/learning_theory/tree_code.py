"""A tree as a word in bits that says where it ends: the prefix-free code of the notes, block by block.

Each node is a block, in preorder, and one block more marks the end. A block is one of d + K + 1 symbols: a column to
split by, a class to say, or the end. Where columns have two values and no row lacks one, that is all, n + 1 blocks of
log₂(d + 3) bits for two classes; otherwise what tells a split from others of its column follows the symbol in the same
block (below). No word is the beginning of another one, so by Kraft's inequality the trees' 2^−bits add
up to at most 1, on which `engine.learning_theory.bounds.description_bound` rests.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr
from engine.splits import TEST_NAMES, Literal, Split, Surrogate, bind, full_words, threshold_between
from engine.table.column import Column
from engine.table.table import Table
from engine.table.words import kind_word, number_words
from engine.tree.arrays import Mark
from engine.tree.nodes import Nodes, SplitWriter
from engine.tree.tree import Tree


class Block(NamedTuple):
    """One block of a code.

    Attributes:
        bits: its digits.
        words: what it says.
        ideal: how many bits it would take if a choice among n could take log₂ n of them.
        node: the id of its node; None for the end.
    """

    bits: str
    words: str
    ideal: float
    node: int | None


@dataclass(frozen=True)
class TreeCode:
    """The code of a tree.

    Attributes:
        blocks: one for each node in preorder, and the end.
        symbols: how many each block begins with a choice from: columns, classes and the end.
        wide: whether the code is one for splits of all kinds; False: for trees whose splits are single cuts and two
            groups, which then need not say so. Writer and reader have to agree on it, as on the table.
    """

    blocks: tuple[Block, ...]
    symbols: int
    wide: bool

    @property
    def bits(self) -> str:
        """All digits."""
        return "".join(block.bits for block in self.blocks)

    @property
    def ideal(self) -> float:
        """The length that theory counts, in bits; whole digits take a little more."""
        return sum(block.ideal for block in self.blocks)


def encode(table: Table, tree: Tree) -> TreeCode:
    """The code of a tree in the terms of a table.

    Branches of levels are told in the order of their first levels, which may be another one than that of the tree.

    Raises:
        InputError: the target is numeric, or a split does not fit the table.
    """
    if tree.task != "classes":
        raise InputError(tr(
            "“{target}” is numeric: what its leaves say is no symbol among few, so it has no code.", target=tree.target,
        ))  # fmt: skip
    made = {i: canonical(split, table) for i in range(tree.n_nodes) if (split := tree.split_at(i)) is not None}
    wide = not all(is_plain(split, table) for split, _ in made.values())
    d, k = len(table.features), len(tree.classes)
    blocks, waiting = [], [0]
    while waiting:
        i, out = waiting.pop(), Writer()
        if i in made:
            split, order = made[i]
            out.number(table.features.index(table.index(split.column)), d + k + 1)
            write(out, split, table, wide)
            children = tree.children(i)
            waiting += [children[branch] for branch in reversed(order)]
            lacking = bool(table.column(split.column).n_missing)
            words = tr("split: {split}", split=full_words(split, 0, table.kinds, lacking))
        else:
            label = int(tree.labels[i])
            out.number(d + label, d + k + 1)
            words = tr("leaf: {label}", label=tree.classes[label])
        blocks.append(Block("".join(out.bits), words, out.ideal, int(tree.ids[i])))
    out = Writer()
    out.number(d + k, d + k + 1)
    return TreeCode((*blocks, Block(out.bits[0], "end", out.ideal, None)), d + k + 1, wide)


def decode(table: Table, bits: str, wide: bool = False) -> Tree:
    """The tree that a code describes, counted on the table whose terms it uses.

    Its splits divide the table's rows as those of the tree that was encoded did, and its leaves say the same; where
    that is not what was counted, it is marked as a label by hand.

    Args:
        bits: the digits 0 and 1.
        wide: see `TreeCode`.

    Raises:
        InputError: this is no code of a tree, and of one only.
    """
    if set(bits) - {"0", "1"}:
        raise InputError(
            tr("A code is made of the digits 0 and 1, not of “{sign}”.", sign=(set(bits) - {"0", "1"}).pop())
        )
    if table.task != "classes":
        raise InputError(tr("“{target}” is numeric, so trees for it have no code.", target=table.target))
    source, d, k = Reader(bits), len(table.features), len(table.classes)
    nodes: list[Split | int] = []
    open_branches = 1
    while (symbol := source.number(d + k + 1)) != d + k:
        if not open_branches:
            raise InputError(tr("Before bit {at:,} the tree is complete, but the code goes on.", at=source.at))
        split = read(source, table.columns[table.features[symbol]], table, wide) if symbol < d else None
        nodes.append(symbol - d if split is None else split)
        open_branches += (split.n_branches if split else 0) - 1
    if open_branches or source.at < len(bits):
        more = len(bits) - source.at
        fault = tr("The code says that it ends at bit {at:,}, and {n:,} bits follow.", at=source.at, n=more)
        if open_branches:
            fault = tr("The code says that it ends at bit {at:,}, before all branches are told.", at=source.at)
        elif more == 1:
            fault = tr("The code says that it ends at bit {at:,}, and 1 bit follows.", at=source.at)
        raise InputError(fault)
    return _tree(table, nodes)


def told(table: Table, tree: Tree) -> str:
    """The code of a tree for people: a line for each block, how long it is, and that it is read again.

    Raises:
        InputError: as of `encode`.
    """
    code = encode(table, tree)
    again = encode(table, decode(table, code.bits, code.wide))
    assert again.bits == code.bits
    width = max(len(block.bits) for block in code.blocks)
    lines = [f"{block.bits:<{width}}  {block.words}" for block in code.blocks]
    said = {"bits": len(code.bits), "blocks": len(code.blocks), "ideal": number_words(code.ideal)}
    lines.append(tr(
        "{bits:,} bits in {blocks:,} blocks, {ideal} if a choice among n could take log₂ n bits; decoded again they "
        "are the same tree", **said,
    ))  # fmt: skip
    return "\n".join(lines)


def _tree(table: Table, nodes: list[Split | int]) -> Tree:
    """The tree of splits and labels in preorder."""
    root, n = Tree.root(table), len(nodes)
    empty = (np.zeros((n, table.n_stats)),) * 2 + (np.zeros(n, np.int64),) * 2
    made = Nodes.leaves(np.arange(n), empty)
    made = made._replace(**{name: array.copy() for name, array in made._asdict().items()})
    writer = SplitWriter(root.columns)
    for i, node in enumerate(nodes):
        if isinstance(node, Split):
            writer.write(made, i, node, by_hand=False)
    tree = replace(root, nodes=made, payload=writer.payload, next_id=n, counted_on="").with_counts(table)
    told = {i: table.classes[node] for i, node in enumerate(nodes) if not isinstance(node, Split)}
    by_hand = {i: Mark(label=said) for i, said in told.items() if tree.classes[tree.labels[i]] != said}
    return replace(tree, marks=by_hand) if by_hand else tree


# -- the code of a split


FORMS = (
    marked("one cut"), marked("several cuts"), marked("two groups"), marked("one branch per level"),
    marked("several groups"), marked("m of n conditions"),
)  # fmt: skip
CUT, CUTS, PAIR, EACH, GROUPED, CONDITIONS = range(6)


@dataclass
class Writer:
    """Bits as they are written.

    Attributes:
        bits: the digits so far. ideal: how many there would be, could a choice among n take log₂ n bits.
    """

    bits: list[str] = field(default_factory=list)
    ideal: float = 0.0

    def number(self, value: int, n: int) -> None:
        """One of n choices, in ⌈log₂ n⌉ bits."""
        width = (n - 1).bit_length()
        self.bits.append(format(value, f"0{width}b") if width else "")
        self.ideal += math.log2(n)

    def count(self, value: int) -> None:
        """A number from 1 that has no limit: as many zeros as it has further digits, then the digits (Elias 1975)."""
        digits = format(value, "b")
        self.bits.append("0" * (len(digits) - 1) + digits)
        self.ideal += 2 * len(digits) - 1


@dataclass
class Reader:
    """Bits as they are read; InputError where they end too early or say what nobody writes."""

    bits: str
    at: int = 0

    def _take(self, width: int) -> str:
        if self.at + width > len(self.bits):
            raise InputError(tr("The code ends after {bits:,} bits, in the midst of a tree.", bits=len(self.bits)))
        self.at += width
        return self.bits[self.at - width : self.at]

    def number(self, n: int) -> int:
        """See `Writer.number`."""
        value = int(self._take((n - 1).bit_length()) or "0", 2)
        if value >= n:
            raise InputError(tr(
                "Before bit {at:,} the code says choice {choice:,} of {n:,}, which there is not.", at=self.at,
                choice=value, n=n))  # fmt: skip
        return value

    def count(self) -> int:
        """See `Writer.count`. What is counted takes a bit or more each, now or, as a branch, later on."""
        further = 0
        while self._take(1) == "0":
            further += 1
        value = int("1" + self._take(further), 2)
        if value - 1 > len(self.bits) - self.at:  # one is told where there is none, see `write`
            raise InputError(
                tr("Before bit {at:,} the code counts more than the bits that follow can tell.", at=self.at)
            )
        return value


# -- one split for all that divide the rows in the same way


def canonical(split: Split, table: Table) -> tuple[Split, list[int]]:
    """(The split in the table's terms; for each of its branches the one of the old split.)

    Thresholds lie halfway between two values of the table, groups name all its levels, and branches of levels stand in
    the order of their first levels, those without levels last. Rows that are divided stand for rows of the first
    branch. What only concerns rows that the table has not is left
    out: where missing values go of a column that no row lacks, and levels that it does not list.

    Raises:
        InputError: the split does not fit the table.
    """
    split = replace(split, missing=0) if split.divides else split
    column = table.column(split.column)
    binding = bind(split, table)
    if split.kind == "m_of_n":
        return _canonical_literals(split, table), [0, 1]
    if split.kind == "threshold":
        thresholds = _places(column, binding.cuts.tolist())
        goes = split.missing if column.n_missing or split.has_missing_branch else 0
        plain = Split(split.column, "threshold", thresholds, missing=goes)
        order = list(range(split.n_branches))
    else:
        assert binding.lookup is not None
        lookup = binding.lookup[1:].tolist()
        order = list(dict.fromkeys(lookup))
        order += [branch for branch in range(split.n_branches) if branch not in order]
        goes = order.index(split.missing) if column.n_missing else 0
        plain = Split(split.column, "groups", groups=_groups(column, [order.index(b) for b in lookup], len(order)))
        plain = replace(plain, missing=goes)
    others = []
    for surrogate in split.surrogates:
        other, turned = canonical(surrogate.split, table)
        others.append(Surrogate(other, surrogate.flipped ^ (order == [1, 0]) ^ (turned == [1, 0])))
    return replace(plain, surrogates=tuple(others)), order


def _canonical_literals(split: Split, table: Table) -> Split:
    literals: list[Literal] = []
    for literal in split.literals:
        column, value = table.column(literal.column), literal.value
        if literal.by_order:
            value = _places(column, [_cut(column, float(value))])[0]
            while Literal(literal.column, literal.test, value) in literals:  # two that hold for the same rows
                value = float(np.nextafter(value, np.inf))
        elif value not in column.code_of:
            raise InputError(tr(
                "“{column}” has no level “{value}” in this table, so it cannot be coded.", column=literal.column,
                value=value))  # fmt: skip
        literals.append(Literal(literal.column, literal.test, value))
    return Split(split.column, "m_of_n", m=split.m, literals=tuple(literals))


def _cut(column: Column, threshold: float) -> int:
    """How many of its values do not exceed a threshold."""
    return int(np.searchsorted(column.values, threshold, side="right"))


def _places(column: Column, cuts: Sequence[int]) -> tuple[float, ...]:
    """Ascending thresholds that have so many values of the column at or below them."""
    found: list[float] = []
    for cut in cuts:
        if 0 < cut < column.n_values:
            place = threshold_between(float(column.values[cut - 1]), float(column.values[cut]))
        elif column.n_values:
            place = float(column.values[-1]) if cut else float(np.nextafter(column.values[0], -np.inf))
        else:
            place = 0.0
        found.append(place if not found or place > found[-1] else float(np.nextafter(found[-1], np.inf)))
    return tuple(found)


def _groups(column: Column, branches: Sequence[int], n: int) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(level for level, branch in zip(column.levels, branches, strict=True) if branch == which)
        for which in range(n)
    )


def _branches(split: Split, column: Column) -> list[int]:
    """The branch of each level."""
    of = {level: branch for branch, group in enumerate(split.groups) for level in group}
    return [of[level] for level in column.levels]


def is_plain(split: Split, table: Table) -> bool:
    """Whether a canonical split is one of the 2^(L − 1) − 1 or u − 1 into two branches that `count_tests` counts."""
    if split.kind == "m_of_n" or split.surrogates or split.n_branches != 2 or split.has_missing_branch:
        return False
    column = table.column(split.column)
    if split.kind == "threshold":
        return 0 < _cut(column, split.thresholds[0]) < column.n_values
    branches = _branches(split, column)
    return 1 in branches and (column.kind != "ordered" or branches == sorted(branches))


# -- writing and reading


def form_of(split: Split, table: Table) -> int:
    """Which of `FORMS` a canonical split has; ordered levels are cut where they can be."""
    if split.kind == "m_of_n":
        return CONDITIONS
    if split.kind == "threshold":
        return CUT if len(split.thresholds) == 1 else CUTS
    column = table.column(split.column)
    branches = _branches(split, column)
    if len(split.groups) == column.n_values == len(set(branches)) and column.n_values > 2:
        return EACH
    if len(split.groups) == 2 and 1 in branches:
        return CUT if column.kind == "ordered" and branches == sorted(branches) else PAIR
    return GROUPED


def write(out: Writer, split: Split, table: Table, wide: bool) -> None:
    """Writes a canonical split, but for its column. `wide`: as one of all forms, else as a plain one."""
    column, form = table.column(split.column), form_of(split, table)
    if wide:
        out.number(form, len(FORMS))
    if form == CONDITIONS:
        _write_literals(out, split, table)
        return
    if form == CUT and split.kind == "groups":
        out.number(_branches(split, column).index(1) - 1, column.n_values - 1)
    elif form == CUT:
        cut = _cut(column, split.thresholds[0])
        out.number(cut if wide else cut - 1, column.n_values + 1 if wide else column.n_values - 1)
    elif form == CUTS:
        out.count(len(split.thresholds))
        for threshold in split.thresholds:
            out.number(_cut(column, threshold), column.n_values + 1)
    elif form == PAIR:
        digits = "".join(map(str, _branches(split, column)[1:]))
        out.number(int(digits, 2) - 1, 2 ** (column.n_values - 1) - 1)
    elif form == GROUPED:
        out.count(len(split.groups))
        found = 0
        for branch in _branches(split, column):
            out.number(branch, min(found + 1, len(split.groups)))
            found = max(found, branch + 1)
    if wide and split.kind == "threshold":
        out.number(split.missing, len(split.thresholds) + 2)
    elif column.n_missing:
        out.number(split.missing, split.n_branches)
    if wide and split.n_branches == 2 and not split.has_missing_branch:
        out.count(len(split.surrogates) + 1)
        for surrogate in split.surrogates:
            out.number(table.features.index(table.index(surrogate.split.column)), len(table.features))
            write(out, surrogate.split, table, wide)
            out.number(surrogate.flipped, 2)


def read(bits: Reader, column: Column, table: Table, wide: bool, stands_in: bool = False) -> Split:
    """Reads what `write` has written of a split of this column; `stands_in`: of a surrogate, which has none itself."""
    form, kind = bits.number(len(FORMS)) if wide else PAIR, "threshold" if column.is_numeric else "groups"
    if form == CONDITIONS:
        return _read_literals(bits, column, table)
    if not wide and (column.is_numeric or column.kind == "ordered"):
        form = CUT
    if (form == CUTS and kind == "groups") or (form not in (CUT, CUTS) and kind == "threshold"):
        raise InputError(tr(
            "Before bit {at:,} the code says {form} of “{column}”, whose kind is {kind}.", at=bits.at,
            form=tr(FORMS[form]), column=column.name, kind=kind_word(column.kind)))  # fmt: skip
    if kind == "threshold":
        if wide:
            cuts = [bits.number(column.n_values + 1) for _ in range(bits.count() if form == CUTS else 1)]
        else:
            cuts = [bits.number(max(column.n_values - 1, 1)) + 1]
        split = Split(column.name, kind, _places(column, cuts))
        goes = bits.number(len(split.thresholds) + 2) if wide else bits.number(2) if column.n_missing else 0
    else:
        branches, n = _read_branches(bits, form, column.n_values)
        split = Split(column.name, kind, groups=_groups(column, branches, n))
        goes = bits.number(n) if column.n_missing else 0
    split = replace(split, missing=goes)
    if not wide or split.n_branches != 2 or split.has_missing_branch:
        return split
    others, n_others = [], bits.count() - 1
    if stands_in and n_others:
        raise InputError(
            tr("Before bit {at:,} the code names a surrogate of a surrogate, which there is not.", at=bits.at)
        )
    for _ in range(n_others):
        other = table.columns[table.features[bits.number(len(table.features))]]
        others.append(Surrogate(read(bits, other, table, wide, stands_in=True), bool(bits.number(2))))
    return replace(split, surrogates=tuple(others))


def _read_branches(bits: Reader, form: int, n_levels: int) -> tuple[list[int], int]:
    """(The branch of each level, how many branches there are.)"""
    if form == EACH:
        return list(range(n_levels)), n_levels
    if form in (CUT, PAIR) and n_levels < 2:
        raise InputError(tr("Before bit {at:,} the code parts levels where there are fewer than two.", at=bits.at))
    if form == CUT:
        cut = bits.number(n_levels - 1) + 1
        return [int(level >= cut) for level in range(n_levels)], 2
    if form == PAIR:
        number = bits.number(2 ** (n_levels - 1) - 1) + 1
        return [0, *map(int, format(number, f"0{n_levels - 1}b"))], 2
    n, found, branches = bits.count(), 0, []
    for _ in range(n_levels):
        branches.append(bits.number(min(found + 1, n)))
        found = max(found, branches[-1] + 1)
    return branches, n


def _write_literals(out: Writer, split: Split, table: Table) -> None:
    """The number of conditions, m, and each condition: its column (of the first one it is known), test and place."""
    out.count(len(split.literals))
    out.number(split.m - 1, len(split.literals))
    for i, literal in enumerate(split.literals):
        column = table.column(literal.column)
        if i:
            out.number(table.features.index(table.index(literal.column)), len(table.features))
        out.number(TEST_NAMES.index(literal.test) % 2, 2)
        if literal.by_order:
            out.number(_cut(column, float(literal.value)), column.n_values + 1)
        else:
            out.number(column.code_of[str(literal.value)] - 1, max(column.n_values, 1))


def _read_literals(bits: Reader, column: Column, table: Table) -> Split:
    n = bits.count()
    m, literals = bits.number(n) + 1, list[Literal]()
    seen = set[Literal]()
    for i in range(n):
        if i:
            column = table.columns[table.features[bits.number(len(table.features))]]
        test = TEST_NAMES[bits.number(2) + (0 if column.is_numeric else 2)]
        if column.is_numeric:
            place = _places(column, [bits.number(column.n_values + 1)])[0]
            while Literal(column.name, test, place) in seen and place < np.inf:
                place = float(np.nextafter(place, np.inf))
            literals.append(Literal(column.name, test, place))
        else:
            level = bits.number(max(column.n_values, 1))
            if not column.n_values:
                raise InputError(tr(
                    "Before bit {at:,} the code names a level of “{column}”, which has none.", at=bits.at,
                    column=column.name))  # fmt: skip
            literals.append(Literal(column.name, test, column.levels[level]))
        seen.add(literals[-1])
    return Split(literals[0].column, "m_of_n", m=m, literals=tuple(literals))
