"""The toolbar of the window, with the criterion and the preset."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QComboBox, QToolBar, QWidget

from gui.model.document import Document
from gui.widgets import verbatim

PRESETS = {
    "cart": ("CART", "Binary splits by Gini or squared error, as in Breiman, Friedman, Olshen and Stone (1984)."),
    "id3": ("ID3", "Entropy, one branch for each level, as in Quinlan (1986)."),
    "kearns_mansour": ("Kearns–Mansour", "The √ criterion, best leaf first, as in Kearns and Mansour (1996)."),
    "rpart": (
        "rpart",
        "Binary splits with surrogates, stopped at cp = 0.01, as in Therneau and Atkinson's rpart.",
    ),
}


class CriterionBox(QComboBox):
    """Chooses the criterion by which splits are ranked; only those that are defined for the target."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("criterion_box")
        self.setAccessibleName("Criterion")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._document = document
        self._task = ""
        self.activated.connect(self._on_activated)
        document.tableChanged.connect(self.refresh)
        document.searchChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Lists the criteria of the target and shows the one in use."""
        table = self._document.table
        self.setEnabled(table is not None)
        if table is None:
            self.setToolTip("The criterion by which splits are ranked: open a table first")
            return
        from engine.criteria import CRITERIA, criteria_for

        if table.task != self._task:
            self._task = table.task
            self.clear()
            for criterion in criteria_for(table.task):
                self.addItem(criterion.label, criterion.name)
                tip = f"{criterion.formula}\n{criterion.explanation}"
                self.setItemData(self.count() - 1, verbatim.tip(tip), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(self.findData(self._document.criterion))
        used = CRITERIA[self._document.criterion]
        self.setToolTip(verbatim.tip(f"Splits are ranked by {used.label}: {used.formula}\n{used.explanation}"))

    def _on_activated(self, index: int) -> None:
        self._document.set_search(criterion=str(self.itemData(index)))
        self.refresh()  # what was refused goes back to what holds


class PresetBox(QComboBox):
    """Sets all search options to those of a known method."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preset_box")
        self.setAccessibleName("Preset of the search options")
        self.setToolTip("Sets all options of the search to those of a known method")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setPlaceholderText("Own options")
        self._document = document
        for name, (label, explanation) in PRESETS.items():
            self.addItem(label, name)
            self.setItemData(self.count() - 1, verbatim.tip(explanation), Qt.ItemDataRole.ToolTipRole)
        self.activated.connect(lambda index: document.set_preset(str(self.itemData(index))))
        document.tableChanged.connect(self.refresh)
        document.searchChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Shows the preset in use; none after single options were changed."""
        document = self._document
        self.setEnabled(document.table is not None)
        name = document.preset or ("" if document.search else "cart")
        self.setCurrentIndex(self.findData(name))


class ToolBar(QToolBar):
    """A press that misses its buttons takes the keys off the canvas, as one on a panel does. A button does
    not: who has pressed Undo goes on with the tree. Hence no focus policy, which would hold for both."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Not to the toolbar itself: the letters of the actions on it would act there.
        self.window().setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)
