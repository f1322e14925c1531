"""The form of the panel What if: the values of one row, each to be typed, pulled or chosen, or to be missing."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.words import DAY, exact_date, exact_words
from gui import icons, theme
from gui.model.what_if_tasks import Field, Offer, Value, Values
from gui.widgets import verbatim
from gui.widgets.building import Reaction, claims, fill, named, scrolling, tool_button
from gui.widgets.fields import ElidedCombo
from gui.widgets.grids import Steps
from gui.widgets.labels import PartsLabel, folding_heading
from gui.wording import words

FIELD, NAME = 9, 0.36  # letters of a number field; the share of the width for names
NARROW = 16  # lines; a narrower form has no room for sliders
STEPS = 200  # of a slider from end to end, about
MOST_FIELDS = 200  # of the columns that the tree does not ask
ANOTHER = "\x00another"  # stands for a level that no training row has
MISSING = None
KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
        Qt.Key.Key_PageDown: -10, Qt.Key.Key_PageUp: 10}  # fmt: skip


def number_text(value: Value, kind: str) -> str:
    """A number or a date with every digit of it; empty for a missing one."""
    if not isinstance(value, float | int):
        return ""
    return exact_date(value) if kind == "date" else exact_words(value)


def read_number(text: str, kind: str) -> float | None:
    """What is typed; None of an empty text. InputError: it is neither a number nor a date."""
    if not text.strip():
        return None
    if kind == "date":
        from engine.splits.typed import read_cuts  # late: it brings pandas

        return read_cuts(text, "date")[0]
    try:
        number = float(words.typed(text))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(tr("“{text}” is not a number.", text=text))
    return number


class Slider(QWidget):
    """How many training rows have about which number, and the one that is set, which can be pulled."""

    pulled = Signal(float)

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field, self._value = field, field.typical
        low, high = field.ends
        grain = max((high - low) / STEPS, DAY if field.kind == "date" and high - low > STEPS * DAY else 0.0)
        grain = max(grain, 1.0) if field.kind == "integer" else grain
        self._step = DAY * math.ceil(grain / DAY) if field.kind == "date" and grain >= DAY else 0.0
        self._step = self._step or (Steps.at_least(grain).step if grain > 0 else 1.0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_value(self, value: Value) -> None:
        self._value = value
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().height())

    @property
    def _room(self) -> QRectF:
        return QRectF(self.rect()).adjusted(3, 1, -3, -2)

    def place(self, value: float) -> float:
        """Where a number stands, in pixels."""
        (low, high), room = self._field.ends, self._room
        share = (value - low) / (high - low) if high > low else 0.5
        return room.left() + min(max(share, 0.0), 1.0) * room.width()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, room, bars, painter = theme.current(), self._room, self._field.bars, QPainter(self)
        width, tallest = room.width() / max(bars.size, 1), bars.max(initial=1.0)
        for k, bar in enumerate(bars.tolist()):
            if bar > 0:
                height = max(bar / tallest * (room.height() - 2), 1.0)
                painter.fillRect(
                    QRectF(room.left() + k * width, room.bottom() - height, max(width - 1, 1), height), colours.ribbon
                )
        painter.fillRect(QRectF(room.left(), room.bottom(), room.width(), 1), colours.secondary)
        if isinstance(self._value, float | int):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.accent)
            at, thick = self.place(self._value), 5.0 if self.hasFocus() else 3.0
            painter.drawRoundedRect(QRectF(at - thick / 2, room.top(), thick, room.height() + 1), 1.5, 1.5)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pull(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pull(event.position().x())

    def event(self, event: QEvent) -> bool:
        return claims(event, *KEYS) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (steps := KEYS.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
            return
        from_value = self._value if isinstance(self._value, float | int) else self._field.typical
        if isinstance(from_value, float | int):
            self._set(from_value + steps * self._step)

    def _pull(self, x: float) -> None:
        (low, high), room = self._field.ends, self._room
        self._set(low + (high - low) * (x - room.left()) / max(room.width(), 1.0))

    def _set(self, value: float) -> None:
        low, high = self._field.ends
        rounded = float(f"{round(value / self._step) * self._step:.12g}")
        rounded = min(max(rounded, low), high)
        if rounded != self._value:
            self._value = rounded
            self.update()
            self.pulled.emit(rounded)


class Name(PartsLabel):
    """The name of a column, whose middle is left out where there is no room."""

    def shown(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.contentsRect().width())


class RowForm(QWidget):
    """A field for every column, those that the tree asks first; a lock keeps a value from being changed by advice."""

    edited = Signal(str, object)  # args: the column and its new value, None for missing
    lockChanged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("what_if_form")
        self.offer: Offer | None = None
        self.values: dict[str, Value] = {}
        self.locked: set[str] = set()
        self.editors: dict[str, QLineEdit | ElidedCombo] = {}
        self.sliders: dict[str, Slider] = {}
        self.locks: dict[str, QToolButton] = {}
        self.more = folding_heading("what_if_more")
        self.more.setToolTip(verbatim.tip(tr("Columns that the tree does not ask: their values change nothing")))
        self.more.clicked.connect(self._unfold)
        self._grids = QWidget(), QWidget()
        self._names: dict[str, Name] = {}
        theme.watcher().changed.connect(self._tint)
        inner = QWidget()
        self._inner = fill(
            QVBoxLayout(inner), self._grids[0], self.more, self._grids[1], 0, spacing=2, margins=(0, 0, 6, 0)
        )
        area = scrolling(inner)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        fill(QVBoxLayout(self), area)
        Reaction(self, self._fit, QEvent.Type.Resize, QEvent.Type.FontChange)

    def show_offer(self, offer: Offer) -> None:
        """Makes the fields of a tree; those that stay where they are are kept."""
        before, self.offer = self.offer, offer
        if before is not None and before.fields is offer.fields and before.asked == offer.asked:
            return
        if before is None or before.fields is not offer.fields:
            self.locked.clear()
        for widgets in self._by_name:
            widgets.clear()
        others = [name for name in offer.fields if name not in offer.asked]
        self.more.setVisible(bool(others))
        self.more.setText(tr("Other columns: {n}", n=words.count(len(others))))
        self.more.setArrowType(Qt.ArrowType.RightArrow)
        self._fill(0, list(offer.asked))
        self._fill(1, [])

    @property
    def _by_name(self) -> tuple[dict[str, Any], ...]:
        return self.editors, self.sliders, self.locks, self._names

    def _fit(self) -> None:
        """Shortens names to their room; in a narrow form the fields have the room of the sliders."""
        metrics, width = self.fontMetrics(), self.width()
        narrow = width < NARROW * metrics.height()
        for grid in (each.layout() for each in self._grids):
            if isinstance(grid, QGridLayout):
                grid.setColumnStretch(3, 0 if narrow else 2)
        for name, label in self._names.items():
            label.setMaximumWidth(round(NAME * width))
            self.locks[name].setVisible(not narrow)
        for name, slider in self.sliders.items():
            slider.setVisible(not narrow)
            letters = FIELD + (4 if self.offer is not None and self.offer.fields[name].kind == "date" else 0)
            self.editors[name].setMaximumWidth(width if narrow else letters * metrics.averageCharWidth() + 12)

    def _unfold(self) -> None:
        """Makes the fields of the columns that are not asked, or takes them away."""
        if self.offer is None:
            return
        others = [name for name in self.offer.fields if name not in self.offer.asked][:MOST_FIELDS]
        folded = self.more.arrowType() == Qt.ArrowType.RightArrow
        self.more.setArrowType(Qt.ArrowType.DownArrow if folded else Qt.ArrowType.RightArrow)
        for name in others:
            for widgets in self._by_name:
                widgets.pop(name, None)
        self._fill(1, others if folded else [])
        self.show_values(self.values)

    def _fill(self, which: int, names: list[str]) -> None:
        old, new = self._grids[which], QWidget()
        grid = QGridLayout(new)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(2, 1)
        for row, name in enumerate(names):
            self._add(grid, row, name)
        new.setVisible(bool(names))
        self._fit()
        self._inner.replaceWidget(old, new)
        old.hide()
        old.deleteLater()
        self._grids = (new, self._grids[1]) if which == 0 else (self._grids[0], new)

    def _add(self, grid: QGridLayout, row: int, name: str) -> None:
        assert self.offer is not None
        field = self.offer.fields[name]
        label = self._names[name] = named(Name(""), f"what_if_name_{name}", tip=name)
        label.setText(name)
        tip = tr("Keeps this value: no change of it is proposed")
        lock = tool_button(f"what_if_lock_{name}", spoken=tr("Keep {column}", column=name), tip=tip, checkable=True)
        lock.setChecked(name in self.locked)
        lock.toggled.connect(lambda on: self._on_locked(name, on))
        self.locks[name] = lock
        self._tint()
        grid.addWidget(label, row, 0)
        grid.addWidget(lock, row, 1)
        if field.is_numeric:
            edit = named(QLineEdit(placeholderText=tr("missing")), f"what_if_{name}", name,
                         tr("Type a value and press Enter; leave it empty for a missing one"))  # fmt: skip
            edit.editingFinished.connect(lambda: self._on_typed(name))
            slider = named(Slider(field), f"what_if_slider_{name}", name, tr("Pull, or press an arrow key"))
            slider.pulled.connect(lambda value: self._set(name, value))
            self.editors[name], self.sliders[name] = edit, slider
            grid.addWidget(edit, row, 2)
            grid.addWidget(slider, row, 3)
        else:
            box = named(ElidedCombo(4), f"what_if_{name}", name)
            for level in field.levels:
                box.addItem(level, level)
            if field.kind != "boolean":
                box.addItem(tr("another level"), ANOTHER)
            box.addItem(tr("missing"), MISSING)
            box.activated.connect(lambda at: self._set(name, box.itemData(at)))
            self.editors[name] = box
            grid.addWidget(box, row, 2, 1, 2)

    def show_values(self, values: Values) -> None:
        self.values = dict(values)
        for name, editor in self.editors.items():
            value = self.values.get(name)
            if isinstance(editor, QLineEdit):
                assert self.offer is not None
                text = number_text(value, self.offer.fields[name].kind)
                if editor.text() != text:
                    editor.setText(text)
                self._mark(editor, "")
                self.sliders[name].show_value(value)
                continue
            with QSignalBlocker(editor):
                if editor.findData(value) < 0:
                    editor.insertItem(0, str(value), value)
                editor.setCurrentIndex(editor.findData(value))

    def _set(self, name: str, value: Value) -> None:
        if value != self.values.get(name):
            self.show_values({**self.values, name: value})
            self.edited.emit(name, value)

    def _on_typed(self, name: str) -> None:
        editor = self.editors[name]
        assert self.offer is not None and isinstance(editor, QLineEdit)
        kind = self.offer.fields[name].kind
        if editor.text() == number_text(self.values.get(name), kind):
            return
        try:
            value = read_number(editor.text(), kind)
        except InputError as error:
            self._mark(editor, str(error))
        else:
            self._mark(editor, "")
            self._set(name, value)

    def _mark(self, editor: QLineEdit, fault: str) -> None:
        """Shows that what is typed cannot be used."""
        usual = tr("Type a value and press Enter; leave it empty for a missing one")
        editor.setToolTip(verbatim.tip(fault or usual))
        editor.setStyleSheet(f"color: {theme.current().error.name()}" if fault else "")

    def _tint(self) -> None:
        """What is not locked has a lock that can hardly be seen."""
        colours = theme.current()
        for lock in self.locks.values():
            lock.setIcon(icons.icon("lock", colours.accent if lock.isChecked() else colours.border))

    def _on_locked(self, name: str, on: bool) -> None:
        (self.locked.add if on else self.locked.discard)(name)
        self._tint()
        self.lockChanged.emit()
