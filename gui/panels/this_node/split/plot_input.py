"""Mouse and keys on the plot of the split editor: they say what a person wishes, and change nothing themselves."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from gui.panels.this_node.split.plot import SplitPlot

OUTSIDE = 28  # pixels beyond the axes, from which on a cut is taken out of the plot
ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
CHOOSING = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
REMOVING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
DIGITS = tuple(Qt.Key(Qt.Key.Key_1 + i) for i in range(9))
NEW_KEY, ALL_KEY = Qt.Key.Key_N, Qt.Key.Key_A
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class CutInput(QObject):
    """Drags cuts, and moves them by keys.

    Attributes:
        held: the cut that the keys move.
        leaving: the cut that was dragged out of the plot and goes when the mouse lets it go, or None.

    Signals:
        moved: a cut is to stand elsewhere. args: which, the value, the values from one pixel to the next there
        nudged: by an arrow key. args: which, 1 or −1, whether far
        added: a cut more. args: the value, as above
        removed: arg: which
        chosen: another one is held, or one is leaving or no longer.
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
        self.leaving: int | None = None

    def begin(self, n_cuts: int) -> None:
        """Takes the number of cuts."""
        self.n_cuts = n_cuts
        self.held = max(0, min(self.held, n_cuts - 1))

    def let_go(self) -> None:
        """The mouse drags nothing any more, whether its button is down or not."""
        self._dragged = self.leaving = None

    def press(self, event: QMouseEvent) -> bool:
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
        if out != (self.leaving is not None):
            self.leaving = self._dragged if out else None
            self.chosen.emit()
        if not out:
            x = min(max(where.x(), frame.left()), frame.right())
            self.moved.emit(self._dragged, *self._plot.read(QPointF(x, where.y())))
        return True

    def release(self, event: QMouseEvent) -> bool:
        if self._dragged is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        leaving, self._dragged, self.leaving = self.leaving, None, None
        if leaving is not None:
            self.removed.emit(leaving)
        self.chosen.emit()
        return True

    def double(self, event: QMouseEvent) -> bool:
        where = self._plot.mapToScene(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not self._plot.inside(where):
            return False
        if self._plot.cuts.at(where) is None:
            self.added.emit(*self._plot.read(where))
        return True

    def key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key not in self.KEYS or not self.n_cuts:
            return False
        if key in ARROWS:
            self.nudged.emit(self.held, ARROWS[key], bool(event.modifiers() & SHIFT))
        elif key in CHOOSING:
            self.held = min(max(self.held + CHOOSING[key], 0), self.n_cuts - 1)
            self.chosen.emit()
        else:
            self.removed.emit(self.held)
        return True


class LevelInput(QObject):
    """Chooses bars, drags them, and sends them into branches.

    Attributes:
        n_bars: how many there are.
        current: the bar on which the keys stand.
        chosen: the places of the bars that are chosen.
        dragging: whether the chosen bars hang on the mouse.

    Signals:
        changed: Others are chosen, or the keys stand elsewhere.
        dragged: The chosen bars are above something. arg: where, on the screen
        dropped: They were let go. arg: as above
        sent: The chosen bars are to go into a branch. arg: its place, −1 for a new one
        asked: for the menu. arg: where, on the screen
    """

    KEYS = (*ARROWS, *ENDS, *DIGITS, Qt.Key.Key_Space, NEW_KEY)

    changed = Signal()
    dragged = Signal(QPoint)
    dropped = Signal(QPoint)
    sent = Signal(int)
    asked = Signal(QPoint)

    def __init__(self, plot: SplitPlot) -> None:
        super().__init__(plot)
        self._plot = plot
        self._pressed: QPoint | None = None
        self._narrow = False  # a press on one of several chosen bars chooses it alone, unless they are dragged
        self._anchor = 0
        self.n_bars = 0
        self.current = 0
        self.chosen: set[int] = set()
        self.dragging = False

    def begin(self, n_bars: int, chosen: set[int], current: int) -> None:
        """Takes the number of bars, and which of them are chosen."""
        self.n_bars, self.chosen = n_bars, chosen
        self.current = self._anchor = max(0, min(current, n_bars - 1))

    def let_go(self) -> None:
        """The mouse drags nothing any more, whether its button is down or not."""
        self.dragging, self._pressed = False, None

    def choose(self, chosen: set[int], current: int | None = None) -> None:
        self.chosen = chosen
        if current is not None:
            self.current = self._anchor = current
        self.changed.emit()

    def bar_at(self, where: QPoint) -> int | None:
        """The bar whose column of the plot has a place of the viewport."""
        scene = self._plot.mapToScene(where)
        box = self._plot.getViewBox().sceneBoundingRect()
        if not box.contains(scene):
            return None
        i = round(self._plot.read(scene)[0])
        return i if 0 <= i < self.n_bars else None

    # -- mouse

    def press(self, event: QMouseEvent) -> bool:
        where, keys = event.position().toPoint(), event.modifiers()
        i = self.bar_at(where)
        if i is None or event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            return False
        if event.button() == Qt.MouseButton.RightButton:
            if i not in self.chosen:
                self.choose({i}, i)
            self.asked.emit(event.globalPosition().toPoint())
            return True
        self._pressed, self._narrow = where, False
        if keys & SHIFT:
            self._extend(i)
        elif keys & CONTROL:
            self.choose(self.chosen ^ {i}, i)
        elif i in self.chosen:
            self._narrow, self.current = True, i
        else:
            self.choose({i}, i)
        return True

    def _extend(self, to: int) -> None:
        """Chooses all bars from where it was begun."""
        low, high = sorted((self._anchor, to))
        self.chosen, self.current = set(range(low, high + 1)), to
        self.changed.emit()

    def move(self, event: QMouseEvent) -> bool:
        where = event.position().toPoint()
        if self._pressed is None:
            over = self.bar_at(where) is not None
            self._plot.viewport().setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            return False
        far = (where - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if self.chosen and (far or self.dragging):
            if not self.dragging:
                self.dragging = True
                self._plot.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self.dragged.emit(event.globalPosition().toPoint())
        return True

    def release(self, event: QMouseEvent) -> bool:
        if self._pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        dragging, self.dragging, self._pressed = self.dragging, False, None
        self._plot.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        if dragging:
            self.dropped.emit(event.globalPosition().toPoint())
        elif self._narrow:
            self.choose({self.current}, self.current)
        return True

    def double(self, event: QMouseEvent) -> bool:
        return self.bar_at(event.position().toPoint()) is not None

    # -- keys

    def key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if not self.n_bars:
            return False
        if key == ALL_KEY and event.modifiers() & CONTROL:
            self.choose(set(range(self.n_bars)))
        elif key in ARROWS or key in ENDS:
            step = ARROWS.get(key, -self.n_bars if key == Qt.Key.Key_Home else self.n_bars)
            to = max(0, min(self.current + step, self.n_bars - 1))
            if event.modifiers() & SHIFT:
                self._extend(to)
            else:
                self.choose(self.chosen, to)
        elif key == Qt.Key.Key_Space:
            self.choose(self.chosen ^ {self.current}, self.current)
        elif event.modifiers() & CONTROL:
            return False
        elif key == NEW_KEY or key in DIGITS:
            if not self.chosen:
                self.choose({self.current}, self.current)
            self.sent.emit(-1 if key == NEW_KEY else DIGITS.index(key))
        else:
            return False
        return True
