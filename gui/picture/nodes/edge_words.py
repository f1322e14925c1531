"""The words on an edge in the room that there is: names are shortened, numbers never, and lists become a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.picture.nodes.letters import Letters

if TYPE_CHECKING:
    from engine.splits import Split
    from engine.tree.tree import Tree

LEAST_LETTERS = 2  # of a name that is shortened; fewer would say nothing
LEAST_LABEL = 44.0  # names on edges are not shortened to less
MOST_KEPT = 20_000  # shorter words that are kept for the next picture


def edge_words(text: str, split: Split, letters: Letters, room: float) -> str:
    """What `engine.splits.branch_words` says of a branch, in so much room.

    A long name is shortened in the middle. Of several names the number and the first remain, "in 3 of 7: Bremen …", or
    the number alone where no other branch has as many, and of several conditions how many of them hold, "at least 5 of
    16": a list without its middle might be any list.
    """
    if split.kind == "threshold" or letters.width(text) <= room:
        return text
    if len(split.literals) > 1:
        quantity = f"{text.partition(' of ')[0]} of {len(split.literals)}"
        shortest = quantity.replace("at least", "≥").replace("fewer than", "<")
        return letters.whole((text, quantity, shortest), room) or shortest
    counted = counted_words(text, split)
    if counted:
        return _counted(counted, split, letters, room)
    found = letters.elided(text, room)
    return found if len(found.removeprefix("=").strip(" …")) >= LEAST_LETTERS else ""


def shortened(text: str, split: Split, letters: Letters, room: float) -> str:
    """The words of an edge in still less room: names shortened further where enough of them is left; of thresholds
    and of several conditions nothing, for half a number is another one. `text` is the whole one: a second gap in what
    has one already might lie in its count."""
    if letters.width(text) <= room:
        return text
    if split.kind == "threshold" or split.literals or room < LEAST_LABEL:
        return ""
    return edge_words(text, split, letters, room)


class ShortLabels(dict[tuple[int, int], str]):
    """The words on the edges of a tree in less room than they want, by node and room in whole pixels: made once."""

    def __init__(self, tree: Tree, letters: Letters) -> None:
        super().__init__()
        self._tree, self._letters = tree, letters

    def __missing__(self, key: tuple[int, int]) -> str:
        i, room = key
        split = self._tree.split_at(int(self._tree.parent[i])) if i else None
        found = shortened(self._tree.branch_words(i), split, self._letters, room) if split is not None else ""
        if len(self) >= MOST_KEPT:
            self.clear()
        self[key] = found
        return found


def counted_words(text: str, split: Split) -> str:
    """Of a branch with several levels how many they are, and the first: "in 3 of 7: Bremen …"; of others empty."""
    if split.kind != "groups" or text.startswith("= "):
        return ""
    if not text.startswith("in {"):
        return text if text.startswith("in ") else ""
    group = next((group for group in split.groups if text == f"in {{{', '.join(group)}}}"), ())
    return f"in {len(group)} of {sum(map(len, split.groups))}: {group[0]} …" if group else ""


def _counted(text: str, split: Split, letters: Letters, room: float) -> str:
    """A count with its name shortened, or alone; nothing where that is too long, or might be another branch."""
    count, _, name = text.partition(": ")
    name = letters.elided(name, room - letters.width(f"{count}: "))
    if len(name) > len("…"):
        return f"{count}: {name}"
    sizes = [f"in {len(group)} of {sum(map(len, split.groups))}" for group in split.groups]
    return count if sizes.count(count) == 1 and letters.width(count) <= room else ""
