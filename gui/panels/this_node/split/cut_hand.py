"""What mouse and keys do to the cuts on the plot: they say what a person wishes, and change nothing themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

if TYPE_CHECKING:
    from gui.panels.this_node.split.plot import SplitPlot

OUTSIDE = 28  # pixels beyond the axes, from which on a cut is taken out of the plot
ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
CHOOSING = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
REMOVING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class CutHand(QObject):
    """Drags cuts, and moves them by keys.

    Attributes:
        held: the cut that the keys move.
        doomed: the cut that was dragged out of the plot and goes when the mouse lets it go, or None.

    Signals:
        moved: a cut is to stand elsewhere. args: which, the value, the values from one pixel to the next there
        nudged: by an arrow key. args: which, 1 or −1, whether far
        added: a cut more. args: the value, as above
        removed: arg: which
        chosen: another one is held, or one is doomed or no longer.
    """

    KEYS = (*ARROWS, *CHOOSING, *REMOVING)

    moved = Signal(int, float, float)
    nudged = Signal(int, int, bool)
    added = Signal(float, float)
    removed = Signal(int)
    chosen = Signal()

    def __init__(self, plot: SplitPlot) -> None:
        super().__init__(plot)
        self._plot = plot
        self._dragged: int | None = None
        self.n_cuts = 0
        self.held = 0
        self.doomed: int | None = None

    def begin(self, n_cuts: int) -> None:
        """There are so many cuts now."""
        self.n_cuts = n_cuts
        self.held = max(0, min(self.held, n_cuts - 1))

    def let_go(self) -> None:
        """The mouse drags nothing any more, whether its button is down or not."""
        self._dragged = self.doomed = None

    def press(self, event: QMouseEvent) -> bool:
        """Whether the press was on a cut."""
        where = self._plot.mapToScene(event.position().toPoint())
        place = self._plot.cuts.at(where) if self._plot.inside(where) else None
        if place is None:
            return False
        if event.button() == Qt.MouseButton.RightButton:
            self.removed.emit(place)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self.held = place
            self.chosen.emit()
        return True

    def move(self, event: QMouseEvent) -> bool:
        """Whether a cut is dragged; the pointer shows where one could be."""
        where = self._plot.mapToScene(event.position().toPoint())
        if self._dragged is None:
            over = self._plot.inside(where) and self._plot.cuts.at(where) is not None
            self._plot.viewport().setCursor(Qt.CursorShape.SplitHCursor if over else Qt.CursorShape.ArrowCursor)
            return False
        frame = self._plot.getViewBox().sceneBoundingRect()
        out = self.n_cuts > 1 and not frame.adjusted(-OUTSIDE, -OUTSIDE, OUTSIDE, OUTSIDE).contains(where)
        if out != (self.doomed is not None):
            self.doomed = self._dragged if out else None
            self.chosen.emit()
        if not out:
            x = min(max(where.x(), frame.left()), frame.right())
            self.moved.emit(self._dragged, *self._plot.read(QPointF(x, where.y())))
        return True

    def release(self, event: QMouseEvent) -> bool:
        """Whether a cut was dragged."""
        if self._dragged is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        doomed, self._dragged, self.doomed = self.doomed, None, None
        if doomed is not None:
            self.removed.emit(doomed)
        self.chosen.emit()
        return True

    def double(self, event: QMouseEvent) -> bool:
        """Whether a double click adds a cut."""
        where = self._plot.mapToScene(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not self._plot.inside(where):
            return False
        if self._plot.cuts.at(where) is None:
            self.added.emit(*self._plot.read(where))
        return True

    def key(self, event: QKeyEvent) -> bool:
        """Whether the key does something here."""
        key = Qt.Key(event.key())
        if key not in self.KEYS or not self.n_cuts:
            return False
        if key in ARROWS:
            far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.nudged.emit(self.held, ARROWS[key], far)
        elif key in CHOOSING:
            self.held = min(max(self.held + CHOOSING[key], 0), self.n_cuts - 1)
            self.chosen.emit()
        else:
            self.removed.emit(self.held)
        return True
