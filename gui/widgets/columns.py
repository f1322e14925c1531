"""Columns wherever the window lists them: words of kinds and roles, menus that change these, and dragging."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QMimeData, QRect, QSize, Qt
from PySide6.QtGui import QActionGroup, QFont, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.widgets import verbatim
from gui.widgets.building import entry

LONGEST_NAME, AROUND = 220, 6  # pixels of a name at most, and around it
COLUMN = "application/x-espalier-column"
Choose = Callable[[str], None]


@dataclass(frozen=True)
class Word:
    """How one kind or role is shown; its texts are marked for translation."""

    small: str  # in lists and table cells
    capital: str  # in menus
    icon: str
    explained: str  # one sentence for tool tips

    @property
    def word(self) -> str:
        return tr(self.small)

    @property
    def meaning(self) -> str:
        return tr(self.explained)


KINDS = {
    "number": Word(marked("number"), marked("Number"), "number", marked("A number; splits cut it at a threshold.")),
    "integer": Word(marked("integer"), marked("Integer"), "integer",
                    marked("A whole number; splits cut it at a threshold.")),
    "nominal": Word(marked("category"), marked("Category"), "category",
                    marked("Names without an order; splits sort them into groups.")),
    "ordered": Word(marked("ordered"), marked("Ordered"), "ordered",
                    marked("Names with an order; splits cut it between two levels.")),
    "date": Word(marked("date"), marked("Date"), "date", marked("A day or a point in time; splits cut it at a date.")),
    "boolean": Word(marked("boolean"), marked("Boolean"), "boolean", marked("True or false.")),
}  # fmt: skip
TARGET = Word(marked("target"), marked("Target"), "target", marked("What the tree predicts."))
ROLES = {
    "feature": Word(marked("feature"), marked("Feature"), "feature", marked("Splits may use it.")),
    "ignore": Word(marked("ignore"), marked("Ignore"), "ignore",
                   marked("It stays in the table, and no split uses it.")),
    "weight": Word(marked("weight"), marked("Weight"), "weight", marked(
        "A sampling weight: how much each row counts beside the others; one column at most.")),
    "frequency": Word(marked("frequency"), marked("Frequency"), "weight", marked(
        "How many equal rows each row stands for, a whole number; one column at most.")),
    "partition": Word(marked("partition"), marked("Partition"), "partition", marked(
        "Says which rows train, validate and test; one column at most.")),
    "group": Word(marked("group"), marked("Group"), "group", marked(
        "Rows of one value belong together: folds and test rows do not part them.")),
    "key": Word(marked("key"), marked("Key"), "key", marked(
        "Names a row: the same key is a test row in every file.")),
}  # fmt: skip
LOCKED = Word(marked("locked"), marked("Locked"), "lock", marked(
    "A feature that no search may use; splits that are made by it stay."))  # fmt: skip


def role_word(role: str) -> Word:
    return {**ROLES, "target": TARGET}[role]


def kind_menu(kind: str, choose: Choose, parent: QWidget) -> QMenu:
    return _choices(tr("Kind"), KINDS, kind, choose, parent)


def role_menu(role: str, choose: Choose, parent: QWidget, roles: Collection[str] = ROLES) -> QMenu:
    """The target and other roles; `roles`: which ones are offered."""
    offered = {each: word for each, word in ROLES.items() if each in roles}
    return _choices(tr("Role"), {"target": TARGET, **offered}, role, choose, parent)


def _choices(text: str, choices: Mapping[str, Word], chosen: str, choose: Choose, parent: QWidget) -> QMenu:
    menu = QMenu(text, parent, toolTipsVisible=True)
    group = QActionGroup(menu)
    for key, word in choices.items():
        action = group.addAction(entry(menu, tr(word.capital), partial(choose, key), name=key, ticked=key == chosen))
        action.setIcon(icons.icon(word.icon))
        action.setToolTip(verbatim.tip(word.meaning))
        if key == chosen:
            menu.setActiveAction(action)
    return menu


def column_data(name: str) -> QMimeData:
    data = QMimeData()
    data.setData(COLUMN, name.encode(errors="surrogatepass"))  # all of a name that is no UTF-8
    return data


def dragged_column(data: QMimeData | None) -> str:
    """The name of the column that is dragged; empty when it is something else."""
    return bytes(data.data(COLUMN).data()).decode(errors="surrogatepass") if data and data.hasFormat(COLUMN) else ""


def column_picture(name: str, font: QFont, scale: float) -> QPixmap:
    """The name of a column on a small card; `scale`: pixels of the screen for each of Qt's."""
    metrics, colours = QFontMetrics(font), theme.current()
    text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, LONGEST_NAME)
    size = QSize(metrics.horizontalAdvance(text) + 2 * AROUND, metrics.height() + AROUND)
    picture = QPixmap(size * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    painter.setPen(colours.accent)
    painter.setBrush(colours.card)
    card = QRect(0, 0, size.width() - 1, size.height() - 1)
    painter.drawRoundedRect(card, 4, 4)
    painter.setPen(colours.text)
    painter.drawText(card, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return picture
