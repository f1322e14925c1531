"""Which figures the candidates show, and which measure stands beside the criterion: one menu of check marks."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from engine.criteria import CRITERIA
from gui.panels.this_node.candidates.columns import COMPARABLE, FIGURES, USUAL, Figure, offered
from gui.widgets import verbatim


class StayingMenu(QMenu):
    """Stays open while check marks are set, by a click or the space bar: several are chosen at once."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._tick(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._tick(self.activeAction()):
            super().keyPressEvent(event)

    def _tick(self, action: QAction | None) -> bool:
        ticked = action is not None and action.isCheckable() and action.isEnabled()
        if action is not None and ticked:
            action.toggle()
        return ticked


class FigureMenu(QObject):
    """What is chosen, as the names of figures; what does not fit the target stays chosen and is not shown.

    Signals:
        changed: other figures are to be shown.
    """

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.chosen: list[str] = list(USUAL)
        self.beside_chosen = ""
        self._offered: list[str] = [figure.name for figure in FIGURES if figure.name not in CRITERIA]
        self._criterion, self._validates = "", False
        self.menu = StayingMenu("Figures", parent)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)

    @property
    def shown(self) -> list[str]:
        """The figures that are chosen and make sense for the target."""
        return [name for name in self.chosen if name in self._offered]

    @property
    def beside(self) -> str:
        """The measure beside the criterion; empty for none."""
        return self.beside_chosen if self.beside_chosen in self._comparable() else ""

    def choose(self, figures: list[str], beside: str) -> None:
        """Takes what was remembered; names that nobody knows are left out."""
        known = {figure.name for figure in FIGURES}
        self.chosen = [name for name in figures if name in known]
        self.beside_chosen = beside if beside in known else ""

    def offer(self, task: str, criterion: str, validates: bool) -> None:
        """Offers what makes sense for a target, a criterion, and a table with or without validation rows."""
        before = self.shown, self.beside
        self._offered, self._criterion, self._validates = offered(task, criterion), criterion, validates
        if (self.shown, self.beside) != before:
            self.changed.emit()

    def _comparable(self) -> list[str]:
        usable = [name for name in COMPARABLE if name in self._offered and name != self._criterion]
        return [name for name in usable if name != "validation" or self._validates]

    def _fill(self) -> None:
        self.menu.clear()
        for figure in FIGURES:
            if figure.name in self._offered:
                action = self._action(self.menu, figure, figure.title, figure.name in self.chosen)
                action.toggled.connect(lambda on, name=figure.name: self._toggle(name, on))
        self.menu.addSeparator()
        compare = self.menu.addMenu("Compare with")
        group = QActionGroup(compare)
        nothing = compare.addAction("Nothing")
        nothing.setCheckable(True)
        nothing.setChecked(not self.beside)
        nothing.triggered.connect(lambda: self._compare(""))
        group.addAction(nothing)
        for figure in FIGURES:
            if figure.name in self._comparable():
                title = CRITERIA[figure.name].label if figure.name in CRITERIA else figure.title
                action = self._action(compare, figure, title, figure.name == self.beside)
                action.triggered.connect(lambda _=False, name=figure.name: self._compare(name))
                group.addAction(action)

    def _action(self, menu: QMenu, figure: Figure, title: str, on: bool) -> QAction:
        action = menu.addAction(title)
        action.setObjectName(f"figure_{figure.name}")
        action.setToolTip(verbatim.tip(figure.explained))
        action.setCheckable(True)
        action.setChecked(on)
        return action

    def _toggle(self, name: str, on: bool) -> None:
        self.chosen = [
            figure.name
            for figure in FIGURES
            if (figure.name in self.chosen and figure.name != name) or (figure.name == name and on)
        ]
        self.changed.emit()

    def _compare(self, name: str) -> None:
        self.beside_chosen = name
        self.changed.emit()
