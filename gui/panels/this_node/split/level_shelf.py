"""The branches of a split by levels, side by side: places to drop levels on, and one for a new branch."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import theme
from gui.panels.this_node.split.tones import branch_tone
from gui.wording import words

HIGH = 24  # pixels
NARROWEST, NEW_ROOM = 24, 96  # pixels of a branch, and of the words for a new one
MORE_ROOM = 64  # pixels of the words that there are more branches
APART = 4


class LevelShelf(QWidget):
    """A box for each branch with its number, and how many levels it takes.

    Signals:
        chosen: A box was clicked. arg: the branch; one more than there are for a new one
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_shelf")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Branches")
        self.setToolTip("Drop levels on a branch, or click it to send the chosen levels there (1 … 9, N)")
        self._texts: tuple[str, ...] = ()  # what each branch takes
        self.aimed: int | None = None

    def sizeHint(self) -> QSize:
        return QSize(200, HIGH)

    def show_levels(self, levels: Mapping[int, int], n: int, missing: int) -> None:
        """How many levels each of n branches takes, and which one the rows without a value."""

        def takes(branch: int) -> str:
            if not levels.get(branch, 0):
                return "missing" if branch == missing else "unseen"
            return "1 level" if levels[branch] == 1 else f"{words.count(levels[branch])} levels"

        self._texts = tuple(map(takes, range(n)))
        self.setAccessibleDescription("; ".join(f"branch {b + 1}: {text}" for b, text in enumerate(self._texts)))
        self.update()

    def aim(self, branch: int | None) -> None:
        """The branch on which something is about to be dropped."""
        if branch != self.aimed:
            self.aimed = branch
            self.update()

    def boxes(self) -> list[QRect]:
        """The box of each branch that has room, the last one for a new branch."""
        n = len(self._texts)
        room = self.width() - NEW_ROOM - APART
        if n * (NARROWEST + APART) > room:
            room -= MORE_ROOM
        fits = min(n, max(1, room // (NARROWEST + APART)))
        each = min(130, max(NARROWEST, room // max(fits, 1) - APART))
        made = [QRect(i * (each + APART), 0, each, HIGH) for i in range(fits)]
        end = made[-1].right() + 1 + APART if made else 0
        return [*made, QRect(end + (MORE_ROOM if fits < n else 0), 0, NEW_ROOM, HIGH)]

    def branch_at(self, where: QPoint) -> int | None:
        """The branch whose box has a place of the screen."""
        boxes, here = self.boxes(), self.mapFromGlobal(where)
        found = next((i for i, box in enumerate(boxes) if box.contains(here)), None)
        return len(self._texts) if found == len(boxes) - 1 else found

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        branch = self.branch_at(event.globalPosition().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and branch is not None:
            self.chosen.emit(branch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        *boxes, last = self.boxes()
        n = len(self._texts)
        for branch, box in enumerate(boxes):
            tone, ink = branch_tone(branch, n), theme.ink(branch_tone(branch, n))
            self._box(painter, box, QPen(colours.text, 2) if branch == self.aimed else QPen(Qt.PenStyle.NoPen), tone)
            painter.setPen(ink)
            text = f"{branch + 1}"
            longer = f"{text} · {self._texts[branch]}"
            inner = box.adjusted(6, 0, -6, 0)
            fits = self.fontMetrics().horizontalAdvance(longer) <= inner.width()
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            if fits:
                painter.drawText(inner, left, longer)
            else:
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if len(boxes) < n:
            painter.setPen(colours.secondary)
            more = QRect(last.left() - MORE_ROOM, 0, MORE_ROOM - APART, HIGH)
            painter.drawText(more, Qt.AlignmentFlag.AlignCenter, f"+ {words.count(n - len(boxes))}")
        dashed = QPen(colours.text if self.aimed == n else colours.border, 2 if self.aimed == n else 1)
        if self.aimed != n:
            dashed.setStyle(Qt.PenStyle.DashLine)
        self._box(painter, last, dashed, None)
        painter.setPen(colours.text if self.aimed == n else colours.secondary)
        painter.drawText(last, Qt.AlignmentFlag.AlignCenter, "New branch")

    @staticmethod
    def _box(painter: QPainter, box: QRect, pen: QPen, fill: object) -> None:
        painter.setPen(pen)
        painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)  # type: ignore[call-overload]
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
