"""The find bar: what is typed rings nodes on the canvas, Enter walks through them."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout

from engine.runtime.sentences import marked, tr
from gui.canvas.canvas import Canvas
from gui.canvas.overlays.overlay import Overlay
from gui.widgets.building import fill, picture_button
from gui.widgets.fields import ENTER, FindField
from gui.widgets.labels import quiet, say, stack
from gui.wording import words

TIP = marked(
    "A column finds the nodes that split by it, a level or other words of a condition the nodes that it leads to, a "
    "class the leaves that predict it; conditions may be joined by “and”. #12 is node 12."
)
WIDTH, LEAST = 250, 110  # pixels of the field
BESIDE_TEXT, BESIDE_FIELD = 64, 250  # pixels beside what is typed, and of the canvas beside the field
KEYS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class BarField(FindField):
    empties = False  # the bar hears of Esc, whatever is typed
    walked = Signal(int)  # Enter, Shift and Enter, or an arrow. arg: 1 or −1

    def __init__(self) -> None:
        super().__init__("find_bar_field", tr("Column, level, rule or #node"), tr("Find in the tree"))
        self.setToolTip(tr(TIP))
        self.most = WIDTH  # pixels that it may take
        self.textChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(max(WIDTH, self._due()), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(max(LEAST, self._due()), super().minimumSizeHint().height())

    def _due(self) -> int:
        """What is typed is seen as a whole, as far as there is room on the canvas."""
        return min(self.fontMetrics().horizontalAdvance(self.text()) + BESIDE_TEXT, self.most)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.walked.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() in KEYS:
            self.walked.emit(KEYS[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class FindBar(Overlay):
    """Field, count, two arrows, a cross; below them why nothing was found."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, "find_bar", tr("Find in the tree"), "finding", tr("Closes the find bar (Esc)"))
        self.field = BarField()
        self.count = quiet(name="find_bar_count", wrap=False)
        widest = tr("{place} of {n}", place="88", n="888")
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance(widest))
        self.before = picture_button("find_bar_before", tr("Goes to the one before (Shift+Enter)"), "",
                                     arrowType=Qt.ArrowType.UpArrow, clicked=lambda: self._walk(-1))  # fmt: skip
        self.next = picture_button("find_bar_next", tr("Goes to the next one (Enter)"), "",
                                   arrowType=Qt.ArrowType.DownArrow, clicked=lambda: self._walk(1))  # fmt: skip
        self.said = quiet(name="find_bar_said")
        row = fill(QHBoxLayout(), (self.field, 1), 4, self.count, self.before, self.next, self.cross)
        stack(self, row, self.said, spacing=6, margins=(8, 6, 6, 6))
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(lambda text: self.document.look.set(query=text))
        self.field.walked.connect(self._walk)

    def take_focus(self) -> None:
        """Ready to be typed into; what was looked for last is selected, and typing replaces it."""
        super().take_focus()
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
        for button in (self.before, self.next):
            button.setEnabled(n > 0)
        said = found.why_none if found is not None else ""
        say(self.said, said)
        self.field.setAccessibleDescription(said or self.count.text())

    def _counted(self, n: int) -> str:
        """ "3 of 17" where the third one is selected; "17 found" where none is."""
        look, finding = self.document.look, self.document.finding
        if finding.searching:
            return tr("Looking …")
        if look.found is None or look.found.why_none:
            return ""
        if finding.place < 0:
            return tr("{n} found", n=words.count(n))
        return tr("{place} of {n}", place=words.count(finding.place + 1), n=words.count(n))

    def _walk(self, step: int) -> None:
        self.document.finding.walk(step)
        self.canvas.reveal(self.document.selected)
