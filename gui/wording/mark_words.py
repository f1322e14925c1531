"""What a person wrote on a node, in words: for tooltips, for the node panel, for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.criteria import CRITERIA
from engine.runtime.sentences import tr
from gui.wording import hand_phrases

if TYPE_CHECKING:
    from engine.tree.tree import Tree

BY_HAND, PINNED, LOCKED, NOTE, LABEL, EXCLUDED, CRITERION, DISAGREES = (
    "by_hand", "pinned", "locked", "note", "label", "excluded", "criterion", "disagrees")  # fmt: skip
LONGEST_NOTE = 300  # letters of it in a tooltip
MOST_NAMED = 8  # columns; of the others the number is told


def badges(tree: Tree, i: int) -> tuple[str, ...]:
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


def sentences(tree: Tree, i: int, *, note: bool = True) -> list[str]:
    """What marks say of the node at position i, those above it included, a sentence each; `note`: whether the node's
    own note is among them."""
    if not tree.marks:
        return []
    node = int(tree.ids[i])
    mark, found = tree.mark(node), []
    lock = tree.locked_by(node)
    if lock == node:
        found.append(tr("Locked: nothing changes at or below this node."))
    elif lock is not None:
        found.append(tr("Locked, as {node} is.", node=hand_phrases.place(tree, lock)))
    if mark.pinned:
        found.append(tr("Pinned: automatic growing and pruning leave this node alone."))
    if mark.label is not None:
        said = {
            "label": hand_phrases.label_words(mark.label),
            "counted": hand_phrases.label_words(hand_phrases.counted(tree, i)),
        }
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
            else tr("Excluded by {node}: {columns}.", node=hand_phrases.place(tree, above), columns=listed)
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
