"""What an option is set with: a list of choices in sentences, a number that may be none, a check box."""

import math
from typing import Any, Protocol

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItemModel, QValidator, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.search.choices import Choice, Option
from gui import theme
from gui.widgets import verbatim
from gui.widgets.building import later
from gui.widgets.fields import ENTER, ElidedCombo, short_list
from gui.widgets.tables import Index

PAUSE = 300  # milliseconds after the last step of a number until it holds
LIST_WIDTH = 400  # of the open list of choices, whose sentences want room
MOST = 2.0**31 - 1
FIRST_STEPS = (0.05, 0.01)  # up from "none", up from 0
SENTENCE = Qt.ItemDataRole.UserRole + 1


class Holding(Protocol):
    """What an option is now, the choices to be listed, and why it cannot have a value: empty where it can."""

    def value(self, name: str) -> Any: ...
    def choices(self, option: Option) -> list[Choice]: ...
    def refused(self, name: str, value: Any) -> str: ...


class Sentences(QStyledItemDelegate):
    """Draws a choice with its sentence below it; where it cannot be chosen, with the reason."""

    MARGIN, GAP = 8, 2
    ROOM = LIST_WIDTH - 2 * MARGIN - 16  # for a sentence, beside a scroll bar

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        chosen = enabled and bool(option.state & QStyle.StateFlag.State_Selected)
        colours = theme.current()
        painter.save()
        painter.fillRect(option.rect, colours.accent if chosen else colours.card)
        box = option.rect.adjusted(self.MARGIN, self.MARGIN - 2, -self.MARGIN, -self.MARGIN + 2)
        faded = theme.mix(colours.secondary, colours.card, 0.35)
        painter.setPen(colours.accent_text if chosen else colours.text if enabled else faded)
        painter.setFont(option.font)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, str(index.data()))
        box.setTop(box.top() + option.fontMetrics.height() + self.GAP)
        painter.setPen(colours.accent_text if chosen else colours.secondary)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        box.setWidth(self.ROOM)  # where it was measured: lines break in the same places
        painter.drawText(box, flags, str(index.data(SENTENCE)))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        room = QRect(0, 0, self.ROOM, 1_000)
        text = option.fontMetrics.boundingRect(room, Qt.TextFlag.TextWordWrap, str(index.data(SENTENCE)))
        height = option.fontMetrics.height() + self.GAP + text.height() + 2 * self.MARGIN - 4
        return QSize(LIST_WIDTH, height)


def explained_list(name: str, spoken: str, letters: int = 10) -> ElidedCombo:
    """A list of choices, each with its `SENTENCE` below it."""
    made = short_list(name, spoken, letters=letters)
    made.setMaxVisibleItems(14)
    made.view().setItemDelegate(Sentences(made))
    made.view().setMinimumWidth(LIST_WIDTH)
    return made


class ChoiceBox(ElidedCombo):
    """Chooses one of an option's values; those that do not go are greyed, and say why in the open list."""

    chosen = Signal(object)  # the value

    def __init__(self, option: Option) -> None:
        short = self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        super().__init__(minimumContentsLength=5, maxVisibleItems=12, sizeAdjustPolicy=short)
        self._option = option
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.view().setItemDelegate(Sentences(self))
        self.view().setMinimumWidth(LIST_WIDTH)
        self.activated.connect(lambda place: self.chosen.emit(self.itemData(place)))

    def show_setting(self, setting: Holding) -> None:
        value = str(setting.value(self._option.name))
        listed = setting.choices(self._option)
        if [self.itemData(i) for i in range(self.count())] != [choice.name for choice in listed]:
            self.clear()
            for choice in listed:
                self.addItem(choice.label, choice.name)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, choice in enumerate(listed):
            reason = "" if choice.name == value else setting.refused(self._option.name, choice.name)
            item = model.item(place)
            item.setEnabled(not reason)
            item.setData(reason or choice.sentence, SENTENCE)
            tip = filter(None, (choice.sentence, choice.formula, choice.example))
            item.setToolTip(verbatim.tip(reason or "\n".join(tip)))
        self.setCurrentIndex(self.findData(value))


class NumberBox(QDoubleSpinBox):
    """A number, perhaps none at all. What is typed holds on Enter or on leaving, steps after a moment of rest."""

    chosen = Signal(object)  # the number, or None

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._option, self._whole = option, option.kind == "whole"
        self._shown: Any = None
        self._rest = later(self, self._commit, PAUSE)
        self.setDecimals(0 if self._whole else 12)
        most = min(option.most, MOST if self._whole else 1e15)
        self.setRange(option.least - (1 if option.none else 0), most)
        self.setSpecialValueText(option.none)
        self._held, self._text = self.value(), self.text()  # what the box makes of the number that holds
        self.valueChanged.connect(lambda _: self._rest.start())
        self.editingFinished.connect(self._commit)

    def show_setting(self, setting: Holding) -> None:
        value = setting.value(self._option.name)
        if self._rest.isActive() and value == self._shown:
            return
        self._shown = value
        self._rest.stop()
        with QSignalBlocker(self):
            self.setValue(self.minimum() if value is None else float(value))
        self._held, self._text = self.value(), self.text()

    @property
    def number(self) -> int | float | None:
        if self._option.none and self.value() < self._option.least:
            return None
        return int(self.value()) if self._whole else self.value()

    def settle(self) -> None:
        if self._rest.isActive() or self.text() != self._text:
            self.interpretText()
            self._commit()

    def _commit(self) -> None:
        self._rest.stop()
        if self.value() != self._held:
            self.chosen.emit(self.number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in ENTER:
            event.accept()  # it ends the number, not the dialog around it

    def stepBy(self, steps: int) -> None:
        """Whole numbers by one, others along 1, 2, 5, 10 …"""
        if self._whole:
            super().stepBy(steps)
            return
        value, up = self.value(), steps > 0
        if up and value <= 0:
            value = FIRST_STEPS[0] if self._option.none and value < self._option.least else FIRST_STEPS[1]
        elif value > 0:
            value = next_round(value, up)
        elif not up:
            value = self.minimum()
        self.setValue(value)

    def textFromValue(self, value: float) -> str:
        return f"{value:.0f}" if self._whole else f"{value:.10g}"

    def valueFromText(self, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            return self.minimum() if not text.strip() or text == self._option.none else self.value()

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Everything may be typed that can become a number; an empty box is none at all, where that is offered."""
        if text == self._option.none or (not text.strip() and self._option.none):
            return QValidator.State.Acceptable, text, place
        try:
            number = float(text)
        except ValueError:
            unfinished = all(sign in "0123456789.e-+" for sign in text)
            return QValidator.State.Intermediate if unfinished else QValidator.State.Invalid, text, place
        if not math.isfinite(number) or number > self.maximum() or (self._whole and number != int(number)):
            return QValidator.State.Invalid, text, place
        usable = number >= self._option.least
        return QValidator.State.Acceptable if usable else QValidator.State.Intermediate, text, place

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FlagBox(QCheckBox):
    chosen = Signal(object)  # whether it is on

    def __init__(self, option: Option) -> None:
        super().__init__()
        self._option = option
        self.clicked.connect(lambda on: self.chosen.emit(on))

    def show_setting(self, setting: Holding) -> None:
        self.setChecked(bool(setting.value(self._option.name)))


def next_round(value: float, up: bool) -> float:
    """The next of … 0.01, 0.02, 0.05, 0.1 … above or below a positive number; 0 below 10⁻⁶."""
    power = math.floor(math.log10(value)) - 1
    rounds = [float(f"{digit}e{power + more}") for more in range(4) for digit in (1, 2, 5)]
    if up:
        return next(number for number in rounds if number > value * (1 + 1e-9))
    below = [number for number in rounds if number < value * (1 - 1e-9)]
    return below[-1] if below[-1] >= 1e-6 else 0.0
