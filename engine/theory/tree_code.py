"""A tree as a word in bits that says where it ends: the prefix-free code of the notes, block by block.

Each node is a block, in preorder, and one block more marks the end. A block is one of d + K + 1 symbols: a column to
split by, a class to say, or the end. Where columns have two values and no row lacks one, that is all, n + 1 blocks of
log₂(d + 3) bits for two classes; otherwise what tells a split from others of its column follows the symbol in the same
block (`theory.split_code`). No word is the beginning of another one, so by Kraft's inequality the trees' 2^−bits add
up to at most 1, on which `engine.theory.bounds.description_bound` rests.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.runtime.errors import InputError
from engine.splits import Split, full_words
from engine.table.table import Table
from engine.table.words import number_words
from engine.theory.split_code import Reader, Writer, canonical, is_plain, read, write
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
        raise InputError(f"“{tree.target}” is numeric: what its leaves say is no symbol among few, so it has no code.")
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
            words = f"split: {_words(split, table)}"
        else:
            label = int(tree.labels[i])
            out.number(d + label, d + k + 1)
            words = f"leaf: {tree.classes[label]}"
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
        raise InputError(f"A code is made of the digits 0 and 1, not of “{(set(bits) - {'0', '1'}).pop()}”.")
    if table.task != "classes":
        raise InputError(f"“{table.target}” is numeric, so trees for it have no code.")
    source, d, k = Reader(bits), len(table.features), len(table.classes)
    nodes: list[Split | int] = []
    open_branches = 1
    while (symbol := source.number(d + k + 1)) != d + k:
        if not open_branches:
            raise InputError(f"Before bit {source.at:,} the tree is complete, but the code goes on.")
        split = read(source, table.columns[table.features[symbol]], table, wide) if symbol < d else None
        nodes.append(symbol - d if split is None else split)
        open_branches += (split.n_branches if split else 0) - 1
    if open_branches or source.at < len(bits):
        more = len(bits) - source.at
        what = "and 1 bit follows" if more == 1 else f"and {more:,} bits follow"
        what = "before all branches are told" if open_branches else what
        raise InputError(f"The code says that it ends at bit {source.at:,}, {what}.")
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
    lines.append(
        f"{len(code.bits):,} bits in {len(code.blocks):,} blocks, {number_words(code.ideal)} if a choice among n could "
        "take log₂ n bits; decoded again they are the same tree"
    )
    return "\n".join(lines)


def _words(split: Split, table: Table) -> str:
    return full_words(split, 0, table.kinds, bool(table.column(split.column).n_missing))


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
