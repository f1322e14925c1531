"""The find bar: what is typed rings nodes on the canvas, Enter walks through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from gui.canvas.overlays.overlay import Overlay, QuietLabel, small_button
from gui.widgets.fields import FindField
from gui.wording import words

if TYPE_CHECKING:
    from gui.canvas.view import TreeView
    from gui.model.document import Document

WORDS = "Column, level, rule or #node"
TIP = (
    "A column finds the nodes that split by it, a level or other words of a condition the nodes that it leads to, a "
    "class the leaves that say it; conditions may be joined by “and”. #12 is node 12."
)
WIDTH, LEAST = 250, 110  # pixels of the field
BESIDE_TEXT, BESIDE_FIELD = 64, 250  # pixels beside what is typed, and of the canvas beside the field
KEYS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class BarField(FindField):
    """Esc is left to the bar.

    Signals:
        walked: Enter, Shift and Enter, or an arrow. arg: 1 or −1
    """

    walked = Signal(int)

    def __init__(self) -> None:
        super().__init__("find_bar_field", WORDS, "Find in the tree")
        self.setToolTip(TIP)
        self.most = WIDTH  # pixels that it may take
        self.textChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(max(WIDTH, self._due()), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(max(LEAST, self._due()), super().minimumSizeHint().height())

    def _due(self) -> int:
        """What is typed is seen as a whole, as far as there is room on the canvas."""
        return min(self.fontMetrics().horizontalAdvance(self.text()) + BESIDE_TEXT, self.most)

    def event(self, event: QEvent) -> bool:
        """The bar hears of Esc, whatever is typed."""
        asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asked and event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.walked.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() in KEYS:
            self.walked.emit(KEYS[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


class FindBar(Overlay):
    """Field, count, two arrows, a cross; below them why nothing was found."""

    def __init__(self, document: Document, canvas: TreeView) -> None:
        super().__init__(document, canvas, "find_bar", "Find in the tree")
        self.field = BarField()
        self.count = QuietLabel("find_bar_count")
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance("88 of 888"))
        self.before = small_button("find_bar_before", "Goes to the one before (Shift+Enter)")
        self.before.setArrowType(Qt.ArrowType.UpArrow)
        self.next = small_button("find_bar_next", "Goes to the next one (Enter)")
        self.next.setArrowType(Qt.ArrowType.DownArrow)
        self.cross = small_button("find_bar_close", "Closes the find bar (Esc)", "close")
        self.said = QuietLabel("find_bar_said", wraps=True)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addSpacing(4)
        for widget in (self.count, self.before, self.next, self.cross):
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 6, 6)
        layout.addLayout(row)
        layout.addWidget(self.said)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(lambda text: document.look.set(query=text))
        self.field.walked.connect(self._walk)
        self.before.clicked.connect(lambda: self._walk(-1))
        self.next.clicked.connect(lambda: self._walk(1))
        self.cross.clicked.connect(self.leave)
        self.refresh()

    @property
    def is_wanted(self) -> bool:
        return self.document.look.finding

    def close_it(self) -> None:
        self.document.look.set(finding=False)

    def take_focus(self) -> None:
        """Ready to be typed into; what was looked for last is selected, and typing replaces it."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def size_in(self, room: int) -> QSize:
        self.field.most = max(self.canvas.width() - BESIDE_FIELD, LEAST)
        return super().size_in(room)

    def refresh(self) -> None:
        look = self.document.look
        if self.field.text() != look.query:
            self.field.setText(look.query)
        found = look.found
        n = found.positions.size if found is not None else 0
        self.count.setText(self._counted(n))
        self.before.setEnabled(n > 0)
        self.next.setEnabled(n > 0)
        said = found.why_none if found is not None else ""
        self.said.setText(said)
        self.said.setVisible(bool(said))
        self.field.setAccessibleDescription(said or self.count.text())

    def _counted(self, n: int) -> str:
        """ "3 of 17" where the third one is selected; "17 found" where none is."""
        look, finding = self.document.look, self.document.finding
        if finding.searching:
            return "Looking …"
        if look.found is None or look.found.why_none:
            return ""
        place = finding.place
        return f"{words.count(place + 1)} of {words.count(n)}" if place >= 0 else f"{words.count(n)} found"

    def _walk(self, step: int) -> None:
        self.document.finding.walk(step)
        self.canvas.reveal(self.document.selected)
