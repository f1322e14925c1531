"""The list of the cuts of the plane: their letters, in the order made, and what they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QFrame, QListView

from gui.panels.plane import words as plane_words
from gui.wording import words

if TYPE_CHECKING:
    from gui.model.plane_tasks import Picture

MOST_LISTED = 500  # cuts


class CutList(QListView):
    """A row for each split that cuts the plane; the row of the selected node is current.

    Signals:
        picked: A row was clicked or walked to. arg: the position of its node
        pointedAt: The mouse is over another row. arg: the position of its node, −1 for none
    """

    picked = Signal(int)
    pointedAt = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("plane_cuts")
        self.setAccessibleName("Cuts in the order made")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMouseTracking(True)
        self._nodes: list[int] = []
        self._filling = False
        self._model = QStringListModel(self)
        self.setModel(self._model)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.entered.connect(lambda index: self.pointedAt.emit(self._node_of(index)))

    @property
    def n_listed(self) -> int:
        """How many rows there are."""
        return self._model.rowCount()

    @property
    def texts(self) -> list[str]:
        """What the rows say."""
        return self._model.stringList()

    def show_cuts(self, picture: Picture) -> None:
        """Lists the cuts of a picture, the first ones of very many."""
        named = dict(zip(picture.cuts.node.tolist(), picture.cuts.letters, strict=True))
        self._nodes = list(named)[:MOST_LISTED]
        texts = [plane_words.cut_words(picture.tree, node, named[node]) for node in self._nodes]
        if len(named) > MOST_LISTED:
            texts.append(f"… and {words.count(len(named) - MOST_LISTED)} more")
        self._filling = True
        if texts != self.texts:
            self._model.setStringList(texts)
        node = picture.asked.node
        row = self._nodes.index(node) if node in self._nodes else -1
        self.setCurrentIndex(self._model.index(row) if row >= 0 else QModelIndex())
        self._filling = False

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointedAt.emit(-1)

    def _on_current(self, index: QModelIndex, _: QModelIndex) -> None:
        if not self._filling and self._node_of(index) >= 0:
            self.picked.emit(self._node_of(index))

    def _node_of(self, index: QModelIndex) -> int:
        return self._nodes[index.row()] if index.isValid() and index.row() < len(self._nodes) else -1
