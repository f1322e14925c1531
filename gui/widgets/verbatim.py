"""Text that a file, a name or an error may have written, shown as the text it is.

Qt takes some text for more than text: a tooltip or a label whose first line looks like markup is rendered, pictures and
all; "&" underlines a letter of a menu or a button; "[*]" in a title is the sign of unsaved changes. Every label of the
window is made here, and whatever is not written in the program's own words goes through here."""

import re
from html import escape
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as Guess
from PySide6.QtWidgets import QLabel, QWidget

WIDEST, MOST_HEIGHT = 480, 10_000  # pixels that a label asks for at least
MOST_LINES, MOST_LETTERS = 60, 1_000  # of a tooltip, and of each of its lines
MOST_IN_MENU = 80  # letters
BLANKS = re.compile(r"[\s\x00-\x1f\x7f]")


class _Label(QLabel):
    """Has its text cut off before it widens a window, which one long word would do."""

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(WIDEST, MOST_HEIGHT))


def label(text: str = "", parent: QWidget | None = None, **properties: Any) -> QLabel:
    """A label that shows its text as it is; `properties` are those of Qt."""
    made = _Label(parent, **properties)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text)
    return made


def tip(text: str) -> str:
    """What a tooltip gets, which has no format of its own: Qt guesses. One that is too long for any screen is cut."""
    lines = text.split("\n", MOST_LINES)
    lines = lines[:MOST_LINES] + ["…"] * (len(lines) > MOST_LINES)
    text = "\n".join(line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…" for line in lines)
    return markup(text) if Guess.mightBeRichText(text) else text


def markup(text: str) -> str:
    lines = "<br>".join(map(escape, text.split("\n")))
    return f"<p>{lines}</p>"


def verb(text: str) -> str:
    """The words of a menu entry or a button, long ones cut: no letter is underlined, nothing is taken for its key."""
    line = BLANKS.sub(" ", text)
    return (line if len(line) <= MOST_IN_MENU else f"{line[: MOST_IN_MENU - 1]}…").replace("&", "&&")


def without_mark(text: str) -> str:
    return text.replace("&", "")


def explain_action(action: QAction, text: str) -> None:
    """What a menu entry does, or why it cannot be chosen, in its tooltip and below the window."""
    action.setToolTip(tip(text))
    action.setStatusTip(text)


def name_action(action: QAction, text: str) -> None:
    """Calls a menu entry by a name. Without a tooltip of its own Qt would take the words for one, and guess again."""
    action.setText(verb(text))
    action.setToolTip(tip(text))


def window_title(text: str) -> str:
    return text.replace("[*]", "[*][*]")
