"""What a person sets a thing with: lists of choices that shorten what has no room, or say each in a sentence, a number
that may be none, a check box, a field that finds."""

import math
from collections.abc import Mapping
from typing import Any, Protocol

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPaintEvent, QStandardItemModel, QValidator, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QStyle, QStyleOptionViewItem

from engine.search.choices import Choice, Option
from gui import icons, theme
from gui.widgets import verbatim
from gui.widgets.building import claims, later, named
from gui.widgets.tables import Index

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
PAUSE = 300  # milliseconds after the last step of a number until it holds
LIST_WIDTH = 400  # of the open list of choices, whose sentences want room
MOST = 2.0**31 - 1
FIRST_STEPS = (0.05, 0.01)  # up from "none", up from 0
SENTENCE = Qt.ItemDataRole.UserRole + 1


class ElidedCombo(QComboBox):
    """As every combo box, but a choice that has no room is shortened, not cut off."""

    MARGIN = 4  # pixels of the text's room that stay free
    WIDEST = 240  # pixels that it asks for at least, however long its choices are

    def __init__(self, letters: int | None = None, **properties: Any) -> None:
        """`letters`: asks for the room of so many only, whatever the choices; `properties` are those of Qt."""
        super().__init__(**properties)
        if letters is not None:
            self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(letters)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(self.WIDEST, self.maximumHeight()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QtWidgets.QStylePainter(self), QtWidgets.QStyleOptionComboBox()
        self.initStyleOption(option)
        kind, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        painter.drawComplexControl(kind, option)
        if self.currentIndex() < 0:
            option.currentText = self.placeholderText()
        room = self.style().subControlRect(kind, option, part, self).width() - self.MARGIN
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # it scrolls what is around: nothing must change in passing


class WholeBox(QtWidgets.QSpinBox):
    """A whole number; turning the wheel scrolls what is around."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def short_list(name: str, spoken: str, tip: str = "", letters: int = 8, **properties: Any) -> ElidedCombo:
    """A list of choices that asks for the room of so many letters only; `properties`: see `named`."""
    return named(ElidedCombo(letters), name, spoken, tip, **properties)


def refill(box: QComboBox, choices: Mapping[Any, str], chosen: Any) -> None:
    """Lists other choices, of which one is chosen; nothing is told."""
    with QSignalBlocker(box):
        box.clear()
        for value, text in choices.items():
            box.addItem(text, value)
        box.setCurrentIndex(list(choices).index(chosen) if chosen in choices else -1)


class FindField(QLineEdit):
    """Esc empties it, unless it is another one's (`empties`); empty it leaves Esc to others."""

    empties = True

    def __init__(self, object_name: str, words: str, name: str, *, lens: bool = True, **properties: Any) -> None:
        """`words` stand in it while it is empty, `name` is for those who hear it, a `lens` before what is typed;
        `properties`: see `named`."""
        super().__init__(clearButtonEnabled=True, placeholderText=words)
        named(self, object_name, name, **properties)
        if lens:
            icons.put(self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition), "search")

    def event(self, event: QEvent) -> bool:
        """While something is typed, Esc is not the window's."""
        escapes = claims(event, Qt.Key.Key_Escape, when=lambda: self.empties and bool(self.text()))
        return escapes or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.empties and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class Holding(Protocol):
    """What an option is now, the choices to be listed, and why it cannot have a value: empty where it can."""

    def value(self, name: str) -> Any: ...
    def choices(self, option: Option) -> list[Choice]: ...
    def refused(self, name: str, value: Any) -> str: ...


class Sentences(QtWidgets.QStyledItemDelegate):
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


class ExplainedList(ElidedCombo):
    """A list of choices, each with a sentence below it; one that cannot be chosen is greyed, and says why there."""

    def __init__(self, letters: int = 10) -> None:
        super().__init__(letters, maxVisibleItems=14)
        self.view().setItemDelegate(Sentences(self))
        self.view().setMinimumWidth(LIST_WIDTH)

    def offer(self, label: str, data: Any, sentence: str, usable: bool = True) -> None:
        self.addItem(label, data)
        self.explain(self.count() - 1, sentence, sentence, usable)

    def explain(self, place: int, sentence: str, tip: str, usable: bool) -> None:
        self.setItemData(place, sentence, SENTENCE)
        self.setItemData(place, verbatim.tip(tip), Qt.ItemDataRole.ToolTipRole)
        self.allow(place, usable)

    def allow(self, place: int, usable: bool) -> None:
        items = self.model()
        assert isinstance(items, QStandardItemModel)
        items.item(place).setEnabled(usable)

    def is_usable(self, place: int) -> bool:
        return bool(self.model().index(place, 0).flags() & Qt.ItemFlag.ItemIsEnabled)


class ChoiceBox(ExplainedList):
    """Chooses one of an option's values; those that do not go are greyed, and say why in the open list."""

    chosen = Signal(object)  # the value

    def __init__(self, option: Option) -> None:
        super().__init__(letters=5)
        self._option = option
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(lambda place: self.chosen.emit(self.itemData(place)))

    def show_setting(self, setting: Holding) -> None:
        value = str(setting.value(self._option.name))
        listed = setting.choices(self._option)
        if [self.itemData(i) for i in range(self.count())] != [choice.name for choice in listed]:
            self.clear()
            for choice in listed:
                self.addItem(choice.label, choice.name)
        for place, choice in enumerate(listed):
            reason = "" if choice.name == value else setting.refused(self._option.name, choice.name)
            tip = "\n".join(filter(None, (choice.sentence, choice.formula, choice.example)))
            self.explain(place, reason or choice.sentence, reason or tip, usable=not reason)
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
