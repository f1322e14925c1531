"""The guided tour: a strip above the window that asks for one act after the other over the penguins, waits until the
person has done it, says what came of it, and points at the place. It can be left at any time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from engine.runtime.sentences import marked, tr
from gui import theme
from gui.verbs.declared import Window
from gui.widgets import verbatim
from gui.widgets.building import fill, flat_button, named
from gui.widgets.labels import quiet

LOOKS = 150  # milliseconds between two looks at what the person has done; what counts as done has no signal in common
EXAMPLE = "penguins"


@dataclass(frozen=True)
class Step:
    """One act that the tour asks for.

    Attributes:
        asks, tells: what to do, and what is seen once it is done.
        place: where that is.
        done: whether it was done; `before` is the tree at the beginning of the step.
    """

    asks: str
    tells: str
    place: Callable[[Any], QWidget | None]
    done: Callable[[Window, Any], bool]


def _panel(name: str) -> Callable[[Any], QWidget | None]:
    return lambda window: window.panels[name]


def _button(name: str) -> Callable[[Any], QWidget | None]:
    return lambda window: window.toolbar.widgetForAction(window.actions_made.made[name])


def _judge(window: Any) -> QWidget:
    """The button that opens the place, then the tab, then the panel."""
    place, panel = window.places.places["judge"], window.panels["judge"]
    return panel if panel.isVisible() else place.words if place.isVisible() else window.places.buttons["judge"]


def _leaves(window: Window) -> int:
    return window.document.tree.n_leaves if window.document.tree is not None else 0


STEPS = (
    Step(
        marked("Click Penguins among the examples: 344 birds of three species, with their measures."),
        marked("One leaf holds all training rows. At the right are the candidates: the best split of every column, "
            "with its gain."),
        lambda window: window.start_page.findChild(QWidget, f"example_{EXAMPLE}"),
        lambda window, before: window.document.table is not None and bool(window.document.candidates),
    ),
    Step(
        marked("Move the mouse over the candidates at the right: the tree shows what each of them would make."),
        marked("The dark bar is the gain on the training rows, which chose the split; the thin one below it is the "
            "gain on validation rows, which did not."),
        _panel("candidates"),
        lambda window, before: window.document.preview is not None or _leaves(window) > 1,
    ),
    Step(
        marked("Double-click the first candidate to split the leaf by it."),
        marked("The leaf became two, and the worse one is selected. Ctrl+Z takes a step back; try a split of your own "
            "whenever you like."),
        _panel("candidates"),
        lambda window, before: _leaves(window) > 1,
    ),
    Step(
        marked("Press Go: the program splits on as long as the validation rows gain by it."),
        marked("Compare the training error with the validation error in the fit of the tree: the second one tells what "
            "to expect of birds that nobody has seen yet."),
        _button("go"),
        lambda window, before: window.document.tree is not before and not window.document.jobs.working,
    ),
    Step(
        marked("Press Prune: it cuts back what does not hold on the validation rows."),
        marked("Every point of the chart is a tree: hover it to see its outline, click it to put it on the canvas."),
        _button("prune"),
        lambda window, before: window.panels["pruning"].isVisible() and not window.document.jobs.working,
    ),
    Step(
        marked("Open Judge ▸ Resampling in the strip below and press Run: other samples of the rows are asked "
            "about the tree."),
        marked("The table says how far the error moves from sample to sample. F1 opens the handbook at the page of the "
            "panel that you work in. That was the tour."),
        _judge,
        lambda window, before: bool(window.document.judging.found) and not window.document.judging.running,
    ),
)  # fmt: skip


class Pointer(QWidget):
    """A frame around the place that a step is about; mouse and keys go through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("tour_pointer")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def point_at(self, place: QWidget | None) -> None:
        if place is None or not place.isVisible():
            return self.hide()
        seen = place.visibleRegion().boundingRect()
        where = QRect(place.mapTo(self._window, seen.topLeft()), seen.size())
        self.setGeometry(where.adjusted(-3, -3, 3, 3).intersected(self._window.rect()))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current().accent, 3))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 6, 6)


class Tour(QWidget):
    """The strip of the tour; hidden while nobody is on it."""

    def __init__(self, window: Any) -> None:
        super().__init__()
        named(self, "tour", tr("Guided tour"))
        self._window = window
        self._at, self._done, self._before = 0, False, None
        self._pointer = Pointer(window)
        self.count = quiet(name="tour_count", wrap=False)
        self.text = verbatim.label(wordWrap=True, objectName="tour_text")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.text.setSizePolicy(policy)
        self.next = flat_button("tour_next", clicked=self._go_on)
        self.leave = flat_button("tour_leave", tr("Leave the tour"), clicked=self.end)
        fill(QHBoxLayout(self), self.count, (self.text, 1), self.next, self.leave, spacing=12, margins=(16, 4, 8, 4))
        self.setAutoFillBackground(True)
        theme.watcher().changed.connect(self._dress)
        self._dress()
        self._timer = QTimer(self, interval=LOOKS)
        self._timer.timeout.connect(self._look)
        self.hide()

    def _dress(self) -> None:
        now, palette = theme.current(), self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.mix(now.window, now.accent, 0.14))
        self.setPalette(palette)

    def begin(self) -> None:
        """Goes to the start page, where the tour begins, once no unsaved change can be lost by it."""
        self._window.when_safe(self._begin)

    def _begin(self) -> None:
        self._window.document.start(None)
        self.show()
        self._timer.start()
        self._enter(0)
        card, page = STEPS[0].place(self._window), self._window.start_page
        QTimer.singleShot(LOOKS, self, lambda: page.ensureWidgetVisible(card))  # once the strip has taken its room

    def end(self) -> None:
        self._timer.stop()
        self._pointer.hide()
        self.hide()

    def _enter(self, step: int) -> None:
        self._at, self._done, self._before = step, False, self._window.document.tree
        self._say()
        self._look()

    def _go_on(self) -> None:
        if self._at + 1 < len(STEPS):
            self._enter(self._at + 1)
        else:
            self.end()

    def _look(self) -> None:
        """Looks whether the step is done, and points at its place as long as it is not."""
        step = STEPS[self._at]
        if not self._done and step.done(self._window, self._before):
            self._done = True
            self._say()
        self._pointer.point_at(step.place(self._window) if not self._done else None)

    def _say(self) -> None:
        step, last = STEPS[self._at], self._at + 1 == len(STEPS)
        self.count.setText(tr("{step} of {steps}", step=self._at + 1, steps=len(STEPS)))
        self.text.setText(tr(step.tells) if self._done else tr(step.asks))
        self.next.setText(tr("Finish") if self._done and last else tr("Next") if self._done else tr("Skip"))
        self.next.setDefault(self._done)
