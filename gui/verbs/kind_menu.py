"""Choosing among the kinds of picture: in the View menu, by a key, by the button on the canvas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from gui import icons
from gui.widgets import verbatim

if TYPE_CHECKING:
    from gui.model.view_state.view_options import Look


@dataclass(frozen=True)
class KindWords:
    """A kind of picture in words; `text` is that of the menu, with "&" before its letter."""

    text: str
    tip: str
    icon: str


# The names are those of `gui.picture.kinds.KINDS`.
KIND_WORDS = {
    "cards": KindWords("Car&ds, from top to bottom", "Shows the tree from top to bottom, in cards", "cards"),
    "streams": KindWords("Streams, from left to ri&ght", "Shows the tree from left to right, in streams as wide as "
                         "their rows", "streams"),
}  # fmt: skip


def other_kind(look: Look) -> str:
    """The kind that is not shown."""
    return "streams" if look.kind == "cards" else "cards"


def turn(look: Look) -> None:
    """Shows the other kind."""
    look.set(kind=other_kind(look))


def toggle(look: Look, name: str) -> None:
    """Switches one of its attributes on or off, as "icicle"."""
    look.set(**{name: not getattr(look, name)})


def add_kinds(menu: QMenu, look: Look) -> None:
    """Adds an entry for each kind, of which one is chosen."""
    group = QActionGroup(menu)
    for name, words in KIND_WORDS.items():
        action = menu.addAction(words.text, lambda name=name: look.set(kind=name))
        action.setObjectName(f"action_as_{name}")
        action.setCheckable(True)
        action.setData(name)
        action.setToolTip(verbatim.tip(words.tip))
        action.setStatusTip(words.tip)
        icons.put(action, words.icon)
        group.addAction(action)

    def tick() -> None:
        for action in group.actions():
            action.setChecked(action.data() == look.kind)

    menu.aboutToShow.connect(tick)
