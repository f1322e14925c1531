"""The words of edits of single nodes: the names of their steps (always which node, and by what), and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.criteria import CRITERIA
from engine.table.words import kind_word
from gui.wording import words
from gui.wording.phrases import leaves, split_words

if TYPE_CHECKING:
    from engine.splits import Split
    from engine.table.table import Table
    from engine.tree.tree import Tree

LONGEST = 60  # letters of the name of a node in the name of a step

_UNLOCKING = (  # how the engine asks for it, and with the key that does it
    (r"unlock (?:it|node \d+) first", "unlock it first (Shift+K)"),
    (r"unlock the column first", "unlock the column first (Ctrl+K)"),
    (r"include it again there first", "include it again there first (X)"),
)

NO_PARTNER = "This leaf cannot be merged: the branches beside it are split."
CHANGED = "The tree has changed in the meantime: check the node and try again."
OTHER_TREE = "Another tree was opened in the meantime: nothing was changed."
NOTHING_WEAK = "Nothing to prune: all remaining splits are pinned or locked."


def place(tree: Tree, node: int) -> str:
    """A node by the branch that leads to it: “age ≤ 42.5”, or "the root"."""
    i = tree.position(node)
    if i == 0:
        return "the root"
    return _quoted(tree.sentence(i))


def in_places(text: str, tree: Tree) -> str:
    """A sentence of the engine as a person knows the nodes: by the branch that leads there, and with the key that
    unlocks. Its nodes have numbers, which the canvas does not show; what is quoted stays as it is.

    "Node 2 is locked: unlock it first." becomes "“age > 42.5” is locked: unlock it first (Shift+K)."
    """

    def named(found: re.Match[str]) -> str:
        if found["node"] is None or int(found["node"]) not in tree:
            return found[0]
        name = place(tree, int(found["node"]))
        return name[:1].upper() + name[1:] if found["capital"] == "N" else name

    for words_of_engine, with_key in _UNLOCKING:
        text = re.sub(words_of_engine, with_key, text)
    return re.sub(r"“[^”]*”|\b(?P<capital>[Nn])ode (?P<node>\d+)\b", named, text)


def merged(tree: Tree, node: int, other: int) -> str:
    one, two = (tree.branch_words(tree.position(each)) for each in (node, other))
    name = tree.title(int(tree.parent[tree.position(node)]))
    return f"Merge “{name} {one}” and “{two}”"


def pasted(node: int) -> Any:
    """Names a pasted branch by its size."""

    def named(before: Tree, after: Tree) -> str:
        n = after.n_leaves - before.n_leaves + 1
        return f"Paste a branch of {leaves(n)} at {place(before, node)}"

    return named


def left_out(n: int) -> str:
    """What is said of splits that were copied and did not divide the rows; empty for none."""
    if not n:
        return ""
    text = "1 of the copied splits divides" if n == 1 else f"{words.count(n)} of the copied splits divide"
    return f"{text} no training rows here and {'was' if n == 1 else 'were'} omitted."


def weakest(before: Tree, after: Tree) -> str:
    gone = np.setdiff1d(before.ids[before.n_branches > 0], after.ids[after.n_branches > 0])
    i = before.position(int(gone[0]))
    return f"Prune the weakest split, by “{before.title(i)}”"


def marked(tree: Tree, node: int, changes: dict[str, Any]) -> str:
    """The name of the step that writes something on a node."""
    ((name, value),) = changes.items()
    where, mark = place(tree, node), tree.mark(node)
    if name == "note":
        return f"{'Change' if mark.note else 'Write'} the note of {where}" if value else f"Remove the note of {where}"
    if name == "pinned":
        return f"{'Pin' if value else 'Unpin'} {where}"
    if name == "locked":
        return f"{'Lock' if value else 'Unlock'} {where}"
    if name == "label":
        return f"Reset leaf label at {where}" if value is None else f"Set leaf label “{label_words(value)}” at {where}"
    if name == "criterion":
        return f"Search by {criterion_label(value)} below {where}" if value else f"Reset the criterion below {where}"
    return excluded(mark.excluded, tuple(value), where)


def node_gone(name: str, value: Any) -> str:
    """What is said when a node is gone before something could be written on it; a note is told, to be copied."""
    text = "The tree has changed in the meantime, and the node is gone"
    return f"{text}. Its note would have been: {value}" if name == "note" and value else f"{text}: nothing was changed."


def excluded(before: tuple[str, ...], after: tuple[str, ...], where: str) -> str:
    """Which columns are excluded or included again below a node."""
    out, back = ([name for name in a if name not in b] for a, b in ((after, before), (before, after)))
    parts = [f"exclude {_names(out)}"] * bool(out) + [f"include {_names(back)} again"] * bool(back)
    text = f"{' and '.join(parts)} below {where}"
    return text[:1].upper() + text[1:]


def locked_columns(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """What is said when columns were locked or unlocked."""
    on, off = ([name for name in a if name not in b] for a, b in ((after, before), (before, after)))
    parts = [f"{_names(on)} {_are(on)} locked: no search uses {_them(on)} from now on"] * bool(on)
    parts += [f"{_names(off)} {_are(off)} unlocked"] * bool(off)
    return "; ".join(parts) + "."


def label_words(value: str | float) -> str:
    """A label as it is shown."""
    return value if isinstance(value, str) else words.value(value)


def counted(tree: Tree, i: int) -> str | float:
    """What the node at position i would say if nobody had written a label on it."""
    if tree.task == "number":
        return float((tree.medians if tree.predicts_median else tree.means)[i])
    rule, rows = tree.leaf_rule, tree.train[i : i + 1]
    if i and not rows.sum() > 0:
        return tree.classes[int(tree.labels[tree.parent[i]])]
    weighed = rows * rule.class_factors(tree.classes, tree.train[0])
    return tree.classes[int(rule.labels(weighed, rule.cost_matrix(tree.classes))[0])]


def criterion_label(name: str) -> str:
    return CRITERIA[name].label


def _names(names: list[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    if len(quoted) > 3:
        return f"{', '.join(quoted[:2])} and {len(quoted) - 2} more columns"
    return " and ".join(quoted) if len(quoted) < 3 else f"{quoted[0]}, {quoted[1]} and {quoted[2]}"


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _them(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"


def split_by_hand(tree: Tree, node: int, split: Split, table: Table, read_as: str | None = None) -> str:
    """A leaf that a person splits exactly so; `read_as` is the kind that the column is read as for it."""
    more = f", read as {kind_word(read_as)}" if read_as else ""
    return f"Split {place(tree, node)} by {quoted_split(split, table)} (by hand{more})"


def split_anywhere(before: Tree, after: Tree) -> str:
    return f"Split {_new_splits(before, after)} (best anywhere)"


def split_here(before: Tree, after: Tree) -> str:
    return f"Split {_new_splits(before, after)} (best here)"


def split_by_column(node: int, column: str, below: str = "") -> Callable[[Tree, Tree], str]:
    """Names a split by the best split of a column, from the trees before and after it."""

    def named(before: Tree, after: Tree) -> str:
        i = after.position(node)
        said, how = _by(after, i), f"(best of {column}{_kept(below)})"
        replaces = before.n_branches[before.position(node)] > 0
        return f"{split_anew(after, node, said) if replaces else f'Split {place(after, node)} by {said}'} {how}"

    return named


def split_replaced(tree: Tree, node: int, split: Split, table: Table, below: str) -> str:
    """Another split in the place of an inner node's, and what became of the branches."""
    return f"{split_anew(tree, node, quoted_split(split, table))} (by hand{_kept(below)})"


def split_anew(tree: Tree, node: int, by: str) -> str:
    """An inner node whose split is replaced; `by` is the other split in words."""
    return f"Replace the split of {place(tree, node)} by {by}"


def quoted_split(split: Split, table: Table) -> str:
    """A split in words, within the name of a step."""
    return _words(split, split_words(split, table))


def _kept(below: str) -> str:
    return {"keep": ", branches kept", "regrow": ", branches regrown"}.get(below, "")


def _new_splits(before: Tree, after: Tree) -> str:
    """The node that is split and what by; how many leaves, if there are several."""
    inner = np.flatnonzero(after.n_branches)
    new = inner[~np.isin(after.ids[inner], before.ids[before.n_branches > 0])]
    if len(new) != 1:
        return f"{len(new)} leaves"
    i = int(new[0])
    return f"{place(after, int(after.ids[i]))} by {_by(after, i)}"


def _by(tree: Tree, i: int) -> str:
    """The split at position i."""
    split = tree.split_at(i)
    assert split is not None
    return _words(split, tree.sentence(tree.children(i)[0]))


def _words(split: Split, first: str) -> str:
    """A split by its first branch; of several branches one says little, so they are counted."""
    if split.n_branches == 2:
        return _quoted(first)
    return f"{_quoted(split.column)} into {split.n_branches} branches"


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}”"
