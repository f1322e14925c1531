"""What a folded node says, and how much room that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.picture.folds.folded import leaves_below
from gui.picture.nodes.letters import SMALL
from gui.wording import words

if TYPE_CHECKING:
    from gui.picture.picture_model import Drawn

HIGH, PADDING = 13.0, 5.0  # of the plate behind the words, at scale 1


def fold_words(scene: Drawn, i: int, room: float) -> tuple[str, float]:
    """What the folded node at position i says in so much room at scale 1, and how wide the plate behind it is: "+ 12
    leaves" or shorter, never nothing."""
    letters = scene.cards.letters
    text = letters.whole(_forms(scene, i), room - 2 * PADDING, SMALL) or "+"
    return text, max(letters.width(text, SMALL) + 2 * PADDING, HIGH)


def least_room(scene: Drawn, i: int) -> float:
    """How wide the shortest number and its plate are, at scale 1."""
    return scene.cards.letters.width(_forms(scene, i)[-1], SMALL) + 2 * PADDING


def _forms(scene: Drawn, i: int) -> tuple[str, ...]:
    leaves = leaves_below(scene.tree, i)
    short = words.compact_count(leaves)
    return f"+ {words.count(leaves)} leaves", f"+ {short} leaves", f"+ {short}", f"+{short}"
