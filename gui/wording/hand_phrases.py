"""The words of edits of single nodes: the names of their steps (always which node, and by what), and refusals; and what
a person wrote on a node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import engine
from engine.criteria import CRITERIA
from engine.runtime.sentences import marked, tr
from engine.table.words import kind_word
from gui.wording import words
from gui.wording.phrases import leaves, split_words

LONGEST = 60  # letters of the name of a node in the name of a step
BY_HAND, PINNED, LOCKED, NOTE, LABEL, EXCLUDED, CRITERION, DISAGREES = (
    "by_hand", "pinned", "locked", "note", "label", "excluded", "criterion", "disagrees")  # fmt: skip
LONGEST_NOTE = 300  # letters of it in a tooltip
MOST_NAMED = 8  # columns; of the others the number is told
_UNLOCKING = (  # how the engine asks for it, and with the key that does it
    (marked("unlock it first"), marked("unlock it first (Shift+K)")),
    (marked("unlock the column first"), marked("unlock the column first (Ctrl+K)")),
    (marked("include it again there first"), marked("include it again there first (X)")),
)
NO_PARTNER = marked("This leaf cannot be merged: the branches beside it are split.")
CHANGED = marked("The tree has changed in the meantime: check the node and try again.")
OTHER_TREE = marked("Another tree was opened in the meantime: nothing was changed.")
NOTHING_WEAK = marked("Nothing to prune: all remaining splits are pinned or locked.")
# Steps that replace the split of an inner node: by how it was found, and what became of the branches.
_REPLACED = {
    ("column", "drop"): marked("Replace {old} by {split} (best of {column})"),
    ("column", "keep"): marked("Replace {old} by {split} (best of {column}, branches kept)"),
    ("column", "regrow"): marked("Replace {old} by {split} (best of {column}, branches regrown)"),
    ("hand", "drop"): marked("Replace {old} by {split} (by hand)"),
    ("hand", "keep"): marked("Replace {old} by {split} (by hand, branches kept)"),
    ("hand", "regrow"): marked("Replace {old} by {split} (by hand, branches regrown)"),
}


def place(tree: engine.Tree, node: int) -> str:
    """A node by the branch that leads to it: “age ≤ 42.5”, or "the root"."""
    i = tree.position(node)
    return _quoted(tree.sentence(i)) if i else tr("the root")


def in_places(text: str, tree: engine.Tree) -> str:
    """A sentence of the engine as a person knows the nodes: by the branch that leads there, and with the key that
    unlocks; what is quoted stays as it is. "Node 2 is locked: unlock it first." becomes "“age > 42.5” is locked: unlock
    it first (Shift+K)."; the canvas shows no numbers of nodes."""

    def named(found: re.Match[str]) -> str:
        if found["number"] is None or int(found["number"]) not in tree:
            return found[0]
        node, begins = int(found["number"]), found.start() == 0 or text[: found.start()].endswith(". ")
        return tr("The root") if begins and node == tree.ids[0] else place(tree, node)

    text = re.sub(r"unlock node \d+ first", "unlock it first", text)
    for by_engine, with_key in _UNLOCKING:
        text = text.replace(tr(by_engine), tr(with_key))
    nouns = "|".join(map(re.escape, {tr("Node"), tr("node")}))
    return re.sub(rf"“[^”]*”|„[^“]*“|\b(?:{nouns}) (?P<number>\d+)\b", named, text)


def nothing_grows_below(tree: engine.Tree, locked: int) -> str:
    if locked == tree.ids[0]:
        return tr("The root is locked, so nothing grows at or below it: unlock it first (Shift+K).")
    where = place(tree, locked)
    return tr("{node} is locked, so nothing grows at or below it: unlock it first (Shift+K).", node=where)


def collapse(tree: engine.Tree, node: int) -> str:
    return tr("Delete {leaves} below {node}", **_below(tree, node))


def brought_back(tree: engine.Tree, node: int) -> str:
    """A branch of the full tree is on the canvas again."""
    return tr("Bring back {leaves} below {node}", **_below(tree, node))


def _below(tree: engine.Tree, node: int) -> dict[str, str]:
    i = tree.position(node)
    n_leaves = np.count_nonzero(tree.n_branches[i : tree.end[i]] == 0)
    return {"leaves": leaves(int(n_leaves)), "node": place(tree, node)}


def merged(tree: engine.Tree, node: int, other: int) -> str:
    one, two = (tree.branch_words(tree.position(each)) for each in (node, other))
    name = tree.title(int(tree.parent[tree.position(node)]))
    return tr("Merge “{name} {one}” and “{two}”", name=name, one=one, two=two)


def pasted(node: int) -> Callable[[engine.Tree, engine.Tree], str]:
    def named(before: engine.Tree, after: engine.Tree) -> str:
        size = leaves(after.n_leaves - before.n_leaves + 1)
        return tr("Paste a branch of {leaves} at {node}", leaves=size, node=place(before, node))

    return named


def left_out(n: int) -> str:
    """What is said of splits that were copied and did not divide the rows; empty for none."""
    if n < 2:
        return tr("1 of the copied splits divides no training rows here and was omitted.") if n else ""
    return tr("{n} of the copied splits divide no training rows here and were omitted.", n=words.count(n))


def weakest(before: engine.Tree, after: engine.Tree) -> str:
    gone = np.setdiff1d(before.ids[before.n_branches > 0], after.ids[after.n_branches > 0])
    return tr("Prune the weakest split, by “{column}”", column=before.title(before.position(int(gone[0]))))


def mark_step(tree: engine.Tree, node: int, name: str, value: Any) -> str:
    """The name of the step that writes something on a node: `name` is what, as `Tree.with_mark` has it."""
    where, mark = place(tree, node), tree.mark(node)
    if name == "note":
        if not value:
            return tr("Remove the note of {node}", node=where)
        return tr("Change the note of {node}", node=where) if mark.note else tr("Write the note of {node}", node=where)
    if name == "pinned":
        return tr("Pin {node}", node=where) if value else tr("Unpin {node}", node=where)
    if name == "locked":
        return tr("Lock {node}", node=where) if value else tr("Unlock {node}", node=where)
    if name == "label":
        if value is None:
            return tr("Reset leaf label at {node}", node=where)
        return tr("Set leaf label “{label}” at {node}", label=label_words(value), node=where)
    if name == "criterion":
        if not value:
            return tr("Reset the criterion below {node}", node=where)
        return tr("Search by {criterion} below {node}", criterion=CRITERIA[value].label, node=where)
    return excluded(mark.excluded, tuple(value), where)


def node_gone(name: str, value: Any) -> str:
    """What is said when a node is gone before something could be written on it; a note is told, to be copied."""
    if name == "note" and value:
        said = marked("The tree has changed in the meantime, and the node is gone. Its note would have been: {note}")
        return tr(said, note=value)
    return tr("The tree has changed in the meantime, and the node is gone: nothing was changed.")


def excluded(before: tuple[str, ...], after: tuple[str, ...], where: str) -> str:
    out, back = ([name for name in a if name not in b] for a, b in ((after, before), (before, after)))
    if not back:
        return tr("Exclude {columns} below {node}", columns=_names(out), node=where)
    if not out:
        return tr("Include {columns} again below {node}", columns=_names(back), node=where)
    return tr("Exclude {excluded} and include {included} again below {node}", excluded=_names(out),
              included=_names(back), node=where)  # fmt: skip


def locked_columns(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    on, off = ([name for name in a if name not in b] for a, b in ((after, before), (before, after)))
    said = (
        (on, marked("{columns} is locked: no search uses it from now on."),
         marked("{columns} are locked: no search uses them from now on.")),
        (off, marked("{columns} is unlocked."), marked("{columns} are unlocked.")),
    )  # fmt: skip
    return " ".join(tr(form[len(names) > 1], columns=_names(names)) for names, *form in said if names)


def label_words(value: str | float) -> str:
    return value if isinstance(value, str) else words.value(value)


def counted(tree: engine.Tree, i: int) -> str | float:
    """What the node at position i would predict if nobody had written a label on it."""
    if tree.task == "number":
        return float((tree.medians if tree.predicts_median else tree.means)[i])
    rule, rows = tree.leaf_rule, tree.train[i : i + 1]
    if i and not rows.sum() > 0:
        return tree.classes[int(tree.labels[tree.parent[i]])]
    if rule.threshold is not None:
        return tree.classes[int(rule.by_threshold(tree.classes, tree.probabilities[i : i + 1])[0])]
    return tree.classes[int(rule.labels_of(tree.classes, tree.train[0], rows)[0])]


def _names(names: list[str]) -> str:
    quoted = [tr("“{text}”", text=name) for name in names]
    if len(quoted) > 3:
        return tr("{columns} and {n} more columns", columns=", ".join(quoted[:2]), n=len(quoted) - 2)
    return tr("{first} and {last}", first=", ".join(quoted[:-1]), last=quoted[-1]) if len(quoted) > 1 else quoted[0]


def split_by_hand(
    tree: engine.Tree, node: int, split: engine.Split, table: engine.Table, read_as: str | None = None
) -> str:
    """A leaf that a person splits exactly so; `read_as` is the kind that the column is read as for it."""
    where, by = place(tree, node), quoted_split(split, table)
    if read_as:
        return tr("Split {node} by {split} (by hand, read as {kind})", node=where, split=by, kind=kind_word(read_as))
    return tr("Split {node} by {split} (by hand)", node=where, split=by)


def _best(several: str, one: str) -> Callable[[engine.Tree, engine.Tree], str]:
    """Names new splits, by two marked texts: how many there are, or the only one."""

    def named(before: engine.Tree, after: engine.Tree) -> str:
        inner = np.flatnonzero(after.n_branches)
        new = inner[~np.isin(after.ids[inner], before.ids[before.n_branches > 0])].tolist()
        if len(new) != 1:
            return tr(several, leaves=leaves(len(new)))
        return tr(one, node=place(after, int(after.ids[new[0]])), split=_by(after, new[0]))

    return named


split_anywhere = _best(marked("Split {leaves} (best anywhere)"), marked("Split {node} by {split} (best anywhere)"))
split_here = _best(marked("Split {leaves} (best here)"), marked("Split {node} by {split} (best here)"))


def split_by_column(node: int, column: str, below: str = "") -> Callable[[engine.Tree, engine.Tree], str]:
    """Names a split by the best split of a column, from the trees before and after it."""

    def named(before: engine.Tree, after: engine.Tree) -> str:
        said = {"split": _by(after, after.position(node)), "column": column}
        if before.n_branches[i := before.position(node)]:
            return tr(_REPLACED["column", below or "drop"], old=_by(before, i), **said)
        return tr("Split {node} by {split} (best of {column})", node=place(after, node), **said)

    return named


def split_replaced(tree: engine.Tree, node: int, split: engine.Split, table: engine.Table, below: str) -> str:
    old = _by(tree, tree.position(node))
    return tr(_REPLACED["hand", below or "drop"], old=old, split=quoted_split(split, table))


def split_anew(tree: engine.Tree, node: int, by: str) -> str:
    """Another split in the place of the one that a node has; `by`: in words."""
    return tr("Replace {old} by {split}", old=_by(tree, tree.position(node)), split=by)


def quoted_split(split: engine.Split, table: engine.Table) -> str:
    return _words(split, split_words(split, table))


def _by(tree: engine.Tree, i: int) -> str:
    split = tree.split_at(i)
    assert split is not None
    return _words(split, tree.sentence(tree.children(i)[0]))


def _words(split: engine.Split, first: str) -> str:
    """A split by its first branch; of several branches one says little, so they are counted."""
    if split.n_branches == 2:
        return _quoted(first)
    return tr("{column} into {n} branches", column=_quoted(split.column), n=split.n_branches)


def _quoted(text: str) -> str:
    return tr("“{text}”", text=text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def badges(tree: engine.Tree, i: int) -> tuple[str, ...]:
    """What is marked on the node at position i itself, the most important first."""
    found = [BY_HAND] * bool(tree.by_hand[i])
    mark = tree.marks.get(int(tree.ids[i])) if tree.marks else None
    if mark is not None:
        written = {
            LOCKED: mark.locked, PINNED: mark.pinned, LABEL: mark.label is not None, NOTE: bool(mark.note),
            EXCLUDED: bool(mark.excluded), CRITERION: bool(mark.criterion),
        }  # fmt: skip
        found += [name for name, there in written.items() if there]
    return tuple(found)


def sentences(tree: engine.Tree, i: int, *, note: bool = True) -> list[str]:
    """What marks say of the node at position i, those above it included, a sentence each; `note`: with its own note."""
    if not tree.marks:
        return []
    node = int(tree.ids[i])
    mark, found = tree.mark(node), []
    lock = tree.locked_by(node)
    if lock == node:
        found.append(tr("Locked: nothing changes at or below this node."))
    elif lock is not None:
        found.append(tr("Locked, as {node} is.", node=place(tree, lock)))
    if mark.pinned:
        found.append(tr("Pinned: automatic growing and pruning leave this node alone."))
    if mark.label is not None:
        said = {"label": label_words(mark.label), "counted": label_words(counted(tree, i))}
        if mark.label_by_pruning:
            found.append(tr("Pruning chose the label {label}; the counts predict {counted}.", **said))
        elif tree.n_branches[i]:
            found.append(tr("Labelled by hand: as a leaf it predicts {label}; the counts predict {counted}.", **said))
        else:
            found.append(tr("Labelled by hand: predicts {label}; the counts predict {counted}.", **said))
    by: dict[int, list[str]] = {}
    for name, above in tree.excluded_at(node).items():
        by.setdefault(above, []).append(name)
    for above, names in by.items():
        listed, more = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
        listed = tr("{columns} and {n} more", columns=listed, n=more) if more > 0 else listed
        found.append(
            tr("Excluded at and below this node: {columns}.", columns=listed) if above == node
            else tr("Excluded by {node}: {columns}.", node=place(tree, above), columns=listed)
        )  # fmt: skip
    criterion = tree.criterion_at(node)
    if criterion:
        label = CRITERIA[criterion].label
        found.append(
            tr("Searched by {criterion}.", criterion=label) if mark.criterion
            else tr("Searched by {criterion}, as set on a node above.", criterion=label)
        )  # fmt: skip
    if note and mark.note:
        short = mark.note if len(mark.note) <= LONGEST_NOTE else mark.note[: LONGEST_NOTE - 1] + "…"
        found.append(tr("Note: {note}", note=short))
    return found
