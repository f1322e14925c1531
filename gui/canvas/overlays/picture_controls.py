"""Two controls that lie on the canvas: the button that turns the tree, and the slider of the levels that are shown.
They never have the focus: the keys stay those of the tree."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QWidget

from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.model.document import Document
from gui.model.view_state import folding
from gui.model.view_state.view_options import Look
from gui.picture.shapes import paint_overlay_plate
from gui.widgets import verbatim
from gui.widgets.building import fill, named, tool_button
from gui.widgets.labels import quiet
from gui.wording import words

SIZE, INSET = 30, 8  # of the button
SLIDER, HIGH = 76, 24
BESIDE = 10  # from the side of the canvas, and from the legend
LEAST_LEGEND = 160  # pixels that are left to the legend, which then says the least
ENDS, SPACE = (10, 0, 8, 0), 8
LEAST_DEPTH = 2  # of a lower tree there is nothing to choose


@dataclass(frozen=True)
class KindWords:
    """A kind of picture in words; `text` is that of the menu, with "&" before its letter."""

    text: str
    tip: str
    icon: str
    spoken: str


# The names are those of `gui.picture.kinds.KINDS`.
KIND_WORDS = {
    "cards": KindWords(marked("Car&ds, from top to bottom"), marked("Shows the tree from top to bottom, in cards"),
                       "cards", marked("Cards, from top to bottom")),
    "streams": KindWords(marked("Streams, from left to ri&ght"),
                         marked("Shows the tree from left to right, in streams as wide as their rows"),
                         "streams", marked("Streams, from left to right")),
}  # fmt: skip


def other_kind(look: Look) -> str:
    return "streams" if look.kind == "cards" else "cards"


def turn(look: Look) -> None:
    look.set(kind=other_kind(look))


class KindButton(QToolButton):
    """Shows the picture of the kind that a click changes to; in no presentation."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas)
        self.setAutoRaise(True)
        self.setIconSize(QSize(18, 18))
        self._document = document
        named(self, "kind_button").setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setGeometry(INSET, INSET, SIZE, SIZE)
        self.clicked.connect(lambda: turn(document.look))
        for changed in (document.look.changed, document.treeChanged, theme.watcher().changed):
            changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        said = KIND_WORDS[other_kind(self._document.look)]
        self.setIcon(icons.icon(said.icon))
        self.setToolTip(tr("{does} ({key})", does=tr(said.tip), key="T"))
        self.setAccessibleName(tr(said.spoken))
        self.setVisible(self._document.tree is not None and not self._document.look.presenting)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_plate(self)
        super().paintEvent(event)


class FoldBar(QWidget):
    """Levels shown, and what is folded, beside the legend."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._document, self._canvas, self._legend = document, canvas, 0.0
        self.setObjectName("fold_bar")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.said = verbatim.label(objectName="fold_said")
        self.levels = quiet(name="fold_levels_said", wrap=False)
        tip = tr("Unfolds all: shows the whole tree again (Shift+F)")
        self.all = tool_button("fold_all", spoken=tr("Unfold all"), tip=tip)
        self.all.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.all.setIconSize(QSize(12, 12))
        self.all.setFixedSize(HIGH - 4, HIGH - 4)
        icons.put(self.all, "close")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "fold_levels", tr("Levels shown"))
        self.slider.setMinimum(1)
        self.slider.setPageStep(1)
        self.slider.setFixedWidth(SLIDER)
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._parts = (self.said, self.all, self.levels, self.slider)  # the slider keeps its place while it is drawn
        fill(QHBoxLayout(self), *self._parts, spacing=SPACE, margins=ENDS)
        self.slider.valueChanged.connect(lambda levels: folding.show_levels(self._document, levels))
        self.all.clicked.connect(lambda: folding.unfold_all(self._document))
        document.look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self.show_state)
        self.show_state()

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"folds", "presenting"}:
            self.show_state()

    @Slot()
    def show_state(self) -> None:
        tree = self._document.tree
        if tree is None:
            self.hide()
            return
        levels = folding.levels_shown(self._document)
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(max(tree.depth, 1))
            self.slider.setValue(levels)
        known = {"levels": words.count(levels), "all": words.count(tree.depth)}
        self.slider.setToolTip(tr("Levels shown: {levels} of {all} (D: one more, Shift+D: one fewer)", **known))
        whole = tr("{all} levels", **known)
        self.levels.setText(tr("{levels} of {all} levels", **known) if levels < tree.depth else whole)
        self.said.setText(folding.state_words(self._document))
        self.fit()

    def fit(self, legend: float = 0.0) -> None:
        """Stands beside the legend, which is so many pixels wide when it is whole: the words make way for that, the
        slider only where there is no room for a short one either."""
        tree, folded = self._document.tree, bool(self.said.text())
        self._legend = legend or self._legend
        room = self._canvas.width() - 3 * BESIDE
        shown = set(self._parts) if folded else {self.slider, self.levels}
        if self._wide(shown) > room - self._legend:
            shown.remove(self.levels)
        if not folded and self._wide(shown) > room - min(LEAST_LEGEND, self._legend):
            shown.clear()
        for widget in self._parts:
            widget.setVisible(widget in shown)
        choosing = tree is not None and tree.depth >= LEAST_DEPTH and not self._document.look.presenting
        self.setVisible(bool(shown) and (folded or choosing))
        wide, high = self._wide(shown), max(HIGH, self.levels.sizeHint().height())
        self.setGeometry(self._canvas.width() - BESIDE - wide, self._canvas.height() - high - 6, wide, high)

    def _wide(self, widgets: set[QWidget]) -> int:
        wides = [each.width() if each in (self.slider, self.all) else each.sizeHint().width() for each in widgets]
        return sum(wides) + SPACE * max(len(wides) - 1, 0) + ENDS[0] + ENDS[2]

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_plate(self)


def _paint_plate(widget: QWidget) -> None:
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_overlay_plate(painter, QRectF(widget.rect()), theme.current())
    painter.end()
