"""What a person wrote on a node, in words: for tooltips, for the node panel, for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.wording import hand_phrases

if TYPE_CHECKING:
    from engine.tree.tree import Tree

BY_HAND, PINNED, LOCKED, NOTE, LABEL, EXCLUDED, CRITERION, DISAGREES = (
    "by_hand", "pinned", "locked", "note", "label", "excluded", "criterion", "disagrees",
)  # fmt: skip
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
    """What marks say of the node at position i, those above it included, a sentence each.

    Args:
        note: whether the node's own note is among them.
    """
    if not tree.marks:
        return []
    node = int(tree.ids[i])
    mark, found = tree.mark(node), []
    lock = tree.locked_by(node)
    if lock is not None:
        above = f"Locked, as {hand_phrases.place(tree, lock)} is."
        found.append("Locked: nothing changes at or below this node." if lock == node else above)
    if mark.pinned:
        found.append("Pinned: automatic growing and pruning leave this node alone.")
    if mark.label is not None:
        counted = hand_phrases.label_words(hand_phrases.counted(tree, i))
        said = hand_phrases.label_words(mark.label)
        if mark.label_by_pruning:
            who = f"Pruning chose the label {said}"
        else:
            as_leaf = "as a leaf it " * bool(tree.n_branches[i])
            who = f"Labelled by hand: {as_leaf}predicts {said}"
        found.append(f"{who}; the counts predict {counted}.")
    found += _excluded(tree, node)
    criterion = tree.criterion_at(node)
    if criterion:
        own = "" if mark.criterion else ", as set on a node above"
        found.append(f"Searched by {hand_phrases.criterion_label(criterion)}{own}.")
    if note and mark.note:
        short = mark.note if len(mark.note) <= LONGEST_NOTE else mark.note[: LONGEST_NOTE - 1] + "…"
        found.append(f"Note: {short}")
    return found


def _excluded(tree: Tree, node: int) -> list[str]:
    by: dict[int, list[str]] = {}
    for name, above in tree.excluded_at(node).items():
        by.setdefault(above, []).append(name)
    found = []
    for above, names in by.items():
        listed = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED))
        where = "Excluded at and below this node" if above == node else f"Excluded by {hand_phrases.place(tree, above)}"
        found.append(f"{where}: {listed}.")
    return found
