"""The words of edits by hand: the names of their steps, and what they did to the errors."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from gui.wording import words
from gui.wording.phrases import leaves

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.history import HistoryStep

LONGEST = 60  # letters of the name of a node in the name of a step

_UNLOCKING = (  # how the engine asks for it, and with the key that does it
    (r"unlock (?:it|node \d+) first", "unlock it first (Shift+K)"),
    (r"unlock the column first", "unlock the column first (Ctrl+K)"),
    (r"let it in again there first", "let it in again there first (X)"),
)

NO_PARTNER = "This leaf can be merged with no other: its neighbours along the cut are split."
CHANGED = "The tree has changed meanwhile: look at the node again."
OTHER_TREE = "Another tree was opened meanwhile: nothing was done with it."
NOTHING_WEAK = "There is no split to prune: there is none but those that pins and locks keep."


def place(tree: Tree, node: int) -> str:
    """A node by the branch that leads to it: “age ≤ 42.5”, or "the root"."""
    i = tree.position(node)
    if i == 0:
        return "the root"
    text = tree.sentence(i)
    return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}”"


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
    return f"{text} no training rows here and {'was' if n == 1 else 'were'} left out."


def weakest(before: Tree, after: Tree) -> str:
    gone = np.setdiff1d(before.ids[before.n_branches > 0], after.ids[after.n_branches > 0])
    i = before.position(int(gone[0]))
    return f"Prune the weakest split, by “{before.title(i)}”"


def marked(tree: Tree, node: int, changes: dict[str, Any]) -> str:
    """The name of the step that writes something on a node."""
    ((name, value),) = changes.items()
    where, mark = place(tree, node), tree.mark(node)
    if name == "note":
        return f"{'Change' if mark.note else 'Write'} the note of {where}" if value else f"Erase the note of {where}"
    if name == "pinned":
        return f"{'Pin' if value else 'Unpin'} {where}"
    if name == "locked":
        return f"{'Lock' if value else 'Unlock'} {where}"
    if name == "label":
        return f"Say “{label_words(value)}” at {where}" if value is not None else f"Say what was counted at {where}"
    if name == "criterion":
        return f"Search by {criterion_label(value)} below {where}" if value else f"Search as elsewhere below {where}"
    return excluded(mark.excluded, tuple(value), where)


def node_gone(name: str, value: Any) -> str:
    """What is said when a node has gone before something could be written on it; a note is told, to be copied."""
    text = "The tree has changed meanwhile, and the node is gone"
    return f"{text}. Its note was to be: {value}" if name == "note" and value else f"{text}: nothing was changed."


def excluded(before: tuple[str, ...], after: tuple[str, ...], where: str) -> str:
    """Which columns are left out or let in again below a node."""
    out, back = ([name for name in a if name not in b] for a, b in ((after, before), (before, after)))
    parts = [f"leave {_names(out)} out"] * bool(out) + [f"let {_names(back)} in again"] * bool(back)
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
    from engine.criteria import CRITERIA

    return CRITERIA[name].label


def change(before: HistoryStep, after: HistoryStep) -> str:
    """What a step did to the errors: "training error 8.8 % → 9.1 %, validation error 12.6 % → 12.4 %"."""
    if not before.comparable(after):
        return ""
    shares = after.task == "classes" and not after.weighing
    measure = "cost" if after.weighing else "error" if shares else after.measure
    errors = [(step.train_error, step.validation_error) for step in (before, after)]
    old, new = (before.losses, after.losses) if after.weighing else errors
    wording = words.percent if shares else words.value
    parts = []
    for part, was, now in zip(("training", "validation"), old, new, strict=True):
        if not math.isnan(was) and not math.isnan(now):
            first = "stays " if wording(was) == wording(now) else f"{wording(was)} → "
            parts.append(f"{part} {measure} {first}{wording(now)}")
    return ", ".join(parts)


def _names(names: list[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    if len(quoted) > 3:
        return f"{', '.join(quoted[:2])} and {len(quoted) - 2} more columns"
    return " and ".join(quoted) if len(quoted) < 3 else f"{quoted[0]}, {quoted[1]} and {quoted[2]}"


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _them(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"
