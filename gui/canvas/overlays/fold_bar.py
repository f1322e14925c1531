"""How much of the tree the canvas shows: a slider of levels below it, and words where something is folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QWidget

from gui import icons, theme
from gui.model.view_state import folding
from gui.picture.shapes import paint_overlay_plate
from gui.widgets import verbatim

if TYPE_CHECKING:
    from gui.model.document import Document

SLIDER, HIGH = 76, 24
BESIDE = 10  # from the side of the canvas, and from the legend
LEAST_LEGEND = 160  # pixels that are left to the legend, which then says the least
LEFT, SPACE, RIGHT = 10, 8, 8
LEAST_DEPTH = 2  # of a lower tree there is nothing to choose


class FoldBar(QWidget):
    """Levels shown, and what is folded, beside the legend. It never has the focus: the keys stay those of the tree."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._document = document
        self._canvas = canvas
        self._legend = 0.0
        self.setObjectName("fold_bar")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.said = verbatim.label(objectName="fold_said")
        self.levels = verbatim.label(objectName="fold_levels_said")
        self.all = QToolButton(objectName="fold_all", autoRaise=True)
        self.all.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.all.setAccessibleName("Unfold all")
        self.all.setToolTip("Unfolds all: shows the whole tree again (Shift+F)")
        self.all.setIconSize(QSize(12, 12))
        self.all.setFixedSize(HIGH - 4, HIGH - 4)
        icons.put(self.all, "close")
        self.slider = QSlider(Qt.Orientation.Horizontal, objectName="fold_levels", minimum=1, pageStep=1)
        self.slider.setFixedWidth(SLIDER)
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.slider.setAccessibleName("Levels shown")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(LEFT, 0, RIGHT, 0)
        layout.setSpacing(SPACE)
        for widget in (
            self.said,
            self.all,
            self.levels,
            self.slider,
        ):  # the slider keeps its place while it is drawn
            layout.addWidget(widget)
        self.slider.valueChanged.connect(lambda levels: folding.show_levels(self._document, levels))
        self.all.clicked.connect(lambda: folding.unfold_all(self._document))
        document.look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self.show_state)
        theme.watcher().changed.connect(self.show_state)
        self.show_state()

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"folds", "presenting"}:
            self.show_state()

    @Slot()
    def show_state(self) -> None:
        """Says how much is shown."""
        tree = self._document.tree
        if tree is None:
            self.hide()
            return
        levels = folding.levels_shown(self._document)
        self.slider.blockSignals(True)
        self.slider.setMaximum(max(tree.depth, 1))
        self.slider.setValue(levels)
        self.slider.blockSignals(False)
        self.slider.setToolTip(
            verbatim.tip(f"Levels shown: {levels} of {tree.depth} (D: one more, Shift+D: one fewer)")
        )
        self.levels.setText(f"{levels} of {tree.depth} levels" if levels < tree.depth else f"{tree.depth} levels")
        self.said.setText(folding.state_words(self._document))
        current = theme.current()
        for label, ink in ((self.levels, current.secondary), (self.said, current.text)):
            label.setStyleSheet(f"color: {ink.name()}")
        self.fit()

    def fit(self, legend: float = 0.0) -> None:
        """Stands beside the legend, which is so many pixels wide when it is whole: the words make way for that, the
        slider only where there is no room for a short one either."""
        tree, folded = self._document.tree, bool(self.said.text())
        self._legend = legend or self._legend
        room = self._canvas.width() - 3 * BESIDE
        shown: list[QWidget] = [self.said, self.all, self.slider, self.levels] if folded else [self.slider, self.levels]
        if self._wide(shown) > room - self._legend:
            shown.remove(self.levels)
        if not folded and self._wide(shown) > room - min(LEAST_LEGEND, self._legend):
            shown.clear()
        for widget in (self.said, self.all, self.levels, self.slider):
            widget.setVisible(widget in shown)
        choosing = tree is not None and tree.depth >= LEAST_DEPTH and not self._document.look.presenting
        self.setVisible(bool(shown) and (folded or choosing))
        wide = self._wide(shown)
        self.setGeometry(self._canvas.width() - BESIDE - wide, self._canvas.height() - HIGH - 6, wide, HIGH)

    def _wide(self, widgets: list[QWidget]) -> int:
        """The pixels that it needs with these widgets."""
        wides = [each.width() if each in (self.slider, self.all) else each.sizeHint().width() for each in widgets]
        return sum(wides) + SPACE * max(len(wides) - 1, 0) + LEFT + RIGHT

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_overlay_plate(painter, QRectF(self.rect()), theme.current())
