"""Shares of training, validation and test rows, with the bar that shows them and the sentence that explains them."""

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from gui import theme
from gui.dialogs.labels import form, quiet
from gui.model.import_choice import Shares
from gui.widgets import verbatim

LEAST_TRAINING = 10  # percent


class SharesBar(QWidget):
    """One bar in three parts: training, validation, test."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._parts = (1.0, 0.0, 0.0)
        theme.watcher().changed.connect(self.update)

    def show_parts(self, training: float, validation: float, test: float) -> None:
        """Shows three numbers of any sum as parts of the whole."""
        whole = (training + validation + test) or 1.0
        self._parts = (training / whole, validation / whole, test / whole)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setClipPath(outline)
        left = 0.0
        for part, colour in zip(self._parts, (current.training, current.validation, current.border), strict=True):
            width = part * self.width()
            painter.fillRect(QRectF(left, 0, width - (1 if part < 1 else 0), self.height()), colour)
            left += width
        painter.end()


class SharesForm(QWidget):
    """Percentages of validation and test rows and the seed of the division; training is the rest.

    Signals:
        changed: a share or the seed is another one
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._validation = self._spin("validation_share", "Validation rows in percent", " %")
        self._test = self._spin("test_share", "Test rows in percent", " %")
        self._seed = self._spin("seed", "Seed of the division into parts", "")
        self._seed.setRange(0, 2**31 - 1)
        self._seed.setToolTip("The same seed divides the same rows in the same way.")
        self._training = verbatim.label()
        self._training.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._training.setContentsMargins(0, 0, 8, 0)
        self._bar = SharesBar()
        self._why = quiet()
        self._why.setObjectName("shares_why")
        rows = QWidget()
        fields = form(rows)
        fields.addRow("Training", self._training)
        fields.addRow("&Validation", self._validation)
        fields.addRow("Te&st", self._test)
        fields.addRow("Seed", self._seed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._bar)
        layout.addWidget(rows)
        layout.addWidget(self._why)
        self._refresh()

    @property
    def validation(self) -> float:
        """The share of validation rows, 0 to 1."""
        return self._validation.value() / 100

    @property
    def test(self) -> float:
        """The share of test rows, 0 to 1."""
        return self._test.value() / 100

    @property
    def seed(self) -> int:
        """The seed of the division."""
        return self._seed.value()

    def propose(self, shares: Shares) -> None:
        """Puts proposed shares up, with the reason."""
        self.set_shares(shares.validation, shares.test, self.seed)
        self.explain(shares.why)

    def set_shares(self, validation: float, test: float, seed: int) -> None:
        """Puts shares (0 to 1) and a seed up without telling anybody."""
        with QSignalBlocker(self):
            self._validation.setMaximum(100)
            self._test.setMaximum(100)
            self._validation.setValue(round(100 * validation))
            self._test.setValue(round(100 * test))
            self._seed.setValue(seed)
        self._refresh()

    def explain(self, why: str) -> None:
        """The sentence below the shares."""
        self._why.setText(why)
        self._why.setVisible(bool(why))

    def _spin(self, name: str, accessible: str, suffix: str) -> QSpinBox:
        box = QSpinBox()
        box.setObjectName(name)
        box.setAccessibleName(accessible)
        box.setSuffix(suffix)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.setSingleStep(5 if suffix else 1)
        box.valueChanged.connect(self._on_value_changed)
        return box

    def _on_value_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        """Keeps at least a tenth of the rows for training, and shows what is left for it."""
        most = 100 - LEAST_TRAINING
        self._validation.setMaximum(most - self._test.value())
        self._test.setMaximum(most - self._validation.value())
        training = 100 - self._validation.value() - self._test.value()
        self._training.setText(f"{training} %")
        self._bar.show_parts(training, self._validation.value(), self._test.value())
