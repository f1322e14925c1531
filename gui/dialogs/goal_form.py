"""What is to be predicted: the target column and the class in focus."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from gui import icons
from gui.dialogs.labels import form, quiet
from gui.model.import_choice import guess_focus
from gui.panels.data.columns.words import KINDS

LATER = "Choose later"


class GoalForm(QWidget):
    """The target and the focus class.

    Signals:
        targetChosen: arg: column name
    """

    targetChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._target = self._box("target_field", "Column to predict")
        self._target.setPlaceholderText("Choose…")
        self._target.activated.connect(lambda i: self.targetChosen.emit(self._target.itemText(i)))
        self._focus = self._box("focus_field", "Class in focus")
        self._focus.setToolTip("The tree is coloured by the rate of this class. It can be changed at any time.")
        self._what = quiet()
        self._what.setObjectName("goal_explained")
        fields = QWidget()
        self._form = form(fields)
        self._form.addRow("&Target", self._target)
        self._form.addRow("&Focus on", self._focus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(fields)
        layout.addWidget(self._what)
        self._seen: tuple[str | None, tuple[str, ...]] = (None, ())

    @property
    def focus(self) -> str | None:
        """The class in focus; None leaves it to the table once it is read."""
        return self._focus.currentData() if self._form.isRowVisible(self._focus) else None

    def show_columns(self, names: Sequence[str], kinds: Mapping[str, str], target: str | None) -> None:
        """Lists the columns, the target chosen among them."""
        with QSignalBlocker(self._target):
            self._target.clear()
            for name in names:
                self._target.addItem(icons.icon(KINDS[kinds[name]].icon), name)
            self._target.setCurrentIndex(-1 if target is None else list(names).index(target))

    def show_classes(self, target: str | None, seen: Sequence[str] | None) -> None:
        """Lists the classes seen in the first rows; None when the target is a number, or none is chosen."""
        self._form.setRowVisible(self._focus, seen is not None)
        if target is None:
            self._explain("The tree will predict this column from the others.")
        elif seen is None:
            self._explain("A number: each leaf predicts a mean.")
        else:
            self._explain("Classes seen in the first rows; there may be more.")
            self._show_seen(target, tuple(seen))

    def _show_seen(self, target: str, seen: tuple[str, ...]) -> None:
        if self._seen == (target, seen):
            return
        keep = self._focus.currentData() if self._seen[0] == target else None
        self._seen = (target, seen)
        chosen = keep if keep in seen else guess_focus(seen)
        with QSignalBlocker(self._focus):
            self._focus.clear()
            self._focus.addItem(LATER, None)
            for name in seen:
                self._focus.addItem(name, name)
            self._focus.setCurrentIndex(0 if chosen is None else 1 + seen.index(chosen))

    def _explain(self, text: str) -> None:
        self._what.setText(text)

    def _box(self, name: str, accessible: str) -> QComboBox:
        box = QComboBox()
        box.setObjectName(name)
        box.setAccessibleName(accessible)
        box.setMinimumContentsLength(8)
        box.setMaxVisibleItems(20)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box
