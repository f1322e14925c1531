"""How much of the tree the canvas shows: a slider of levels in its corner, and words where something is folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from gui import folding, theme
from gui.canvas.kind_button import INSET, SIZE

if TYPE_CHECKING:
    from gui.document import Document

SLIDER = 96
LEAST_DEPTH = 2  # of a lower tree there is nothing to choose
NARROW = 0.62  # of the canvas: what takes more of it goes, the slider first


class FoldBar(QWidget):
    """Levels shown, and what is folded. The keys stay those of the tree: it never has the focus."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._document = document
        self._canvas = canvas
        self.setObjectName("fold_bar")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.slider = QSlider(Qt.Orientation.Horizontal, objectName="fold_levels", minimum=1, pageStep=1)
        self.slider.setFixedWidth(SLIDER)
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.slider.setAccessibleName("Levels shown")
        self.slider.setToolTip("How many levels are shown (D: one more, Shift+D: one fewer)")
        self.levels = QLabel(objectName="fold_levels_said")
        self.said = QLabel(objectName="fold_said")
        self.all = QToolButton(objectName="fold_all", text="Unfold all")
        self.all.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.all.setToolTip("Shows the whole tree again (Shift+F)")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 2, 4, 2)
        layout.setSpacing(8)
        for widget in (self.slider, self.levels, self.said, self.all):
            layout.addWidget(widget)
        self.move(2 * INSET + SIZE, INSET)
        self.slider.valueChanged.connect(lambda levels: folding.show_levels(self._document, levels))
        self.all.clicked.connect(lambda: folding.unfold_all(self._document))
        document.look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self.show_state)
        theme.watcher().changed.connect(self.show_state)
        self.show_state()

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if "folds" in names:
            self.show_state()

    @Slot()
    def show_state(self) -> None:
        """Says how much is shown."""
        tree = self._document.tree
        now = folding.folded(self._document)
        self.setVisible(tree is not None and (tree.depth >= LEAST_DEPTH or now is not None))
        if tree is None:
            return
        levels = folding.levels_shown(self._document)
        self.slider.blockSignals(True)
        self.slider.setMaximum(max(tree.depth, 1))
        self.slider.setValue(levels)
        self.slider.blockSignals(False)
        self.levels.setText(f"{levels} of {tree.depth} levels" if levels < tree.depth else f"{tree.depth} levels")
        self.said.setText(folding.state_words(self._document))
        current = theme.current()
        for label, ink in ((self.levels, current.secondary), (self.said, current.text)):
            label.setStyleSheet(f"color: {ink.name()}")
        for widget in (self.said, self.all):
            widget.setVisible(now is not None)
        self.fit()

    def fit(self) -> None:
        """Takes no more of the canvas than it may."""
        self.slider.show()
        self.levels.show()
        room = NARROW * self._canvas.width()
        for widget in (self.slider, self.levels):
            if self.said.isVisibleTo(self) and self.sizeHint().width() > room:
                widget.hide()
        self.resize(self.sizeHint().width(), SIZE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, current = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.mix(current.canvas, current.card, 0.5))
        painter.drawRoundedRect(self.rect(), 8, 8)
