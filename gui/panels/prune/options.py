"""What the chosen pruning method may be told, as a form made from `engine.pruning.OPTIONS`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QHBoxLayout, QLineEdit, QScrollArea, QSlider, QWidget

from engine.pruning import METHODS, OPTIONS, Options
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.choices import Choice, Option
from gui.widgets import verbatim
from gui.widgets.building import fill, later, named
from gui.widgets.fields import PAUSE, ChoiceBox, FlagBox, NumberBox
from gui.widgets.labels import quiet

STEPS = 100  # of a slider
LEAST_SHOWN = {"delta": 1e-6, "confidence": 1e-3}  # at the left end of a slider of powers
NUMBER_WIDTH = 92  # pixels of the number beside a slider


@dataclass(frozen=True)
class Told:
    """What a method is told: what the controls of the search settings ask of a setting."""

    method: str
    options: dict[str, Any] = field(default_factory=dict)

    def value(self, name: str) -> Any:
        return self.options.get(name, getattr(Options(), name))

    def choices(self, option: Option) -> list[Choice]:
        return list(option.choices)

    def refused(self, name: str, value: Any) -> str:
        return ""  # nothing speaks against any of those listed


class SliderBox(QWidget):
    """A number between two limits, by a slider and in digits; small ones by their powers of ten."""

    chosen = Signal(object)  # the number

    def __init__(self, option: Option) -> None:
        super().__init__()
        self._name, self._most = option.name, option.most
        self._least = LEAST_SHOWN.get(option.name, 0.0)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), f"pruning_slider_{option.name}", option.label)
        self.slider.setRange(0, STEPS)
        self.number = NumberBox(option)
        self.number.setFixedWidth(NUMBER_WIDTH)
        self._rest = later(self, lambda: self.chosen.emit(self._of(self.slider.value())), PAUSE)
        self.slider.valueChanged.connect(lambda _: self._rest.start())
        self.number.chosen.connect(self.chosen)
        fill(QHBoxLayout(self), (self.slider, 1), self.number, spacing=-1)
        self.setFocusProxy(self.number)

    def show_setting(self, setting: Told) -> None:
        if self._rest.isActive():
            return
        self.number.show_setting(setting)
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._place(float(setting.value(self._name))))

    def _of(self, place: int) -> float:
        share = place / STEPS
        if self._least:
            return float(f"{self._least * (self._most / self._least) ** share:.2g}")
        return float(f"{self._most * share**2:.3g}")  # small numbers are told apart better than large ones

    def _place(self, value: float) -> int:
        if not self._least:
            return round(STEPS * math.sqrt(max(0.0, value) / self._most))
        return round(STEPS * math.log(max(value, self._least) / self._least) / math.log(self._most / self._least))


class WholesLine(QLineEdit):
    """Several whole numbers, or none."""

    chosen = Signal(object)  # the numbers, or None for none

    def __init__(self, option: Option) -> None:
        super().__init__(placeholderText=option.none)
        self._name = option.name
        self._shown: tuple[int, ...] = ()
        self.editingFinished.connect(self.settle)

    def show_setting(self, setting: Told) -> None:
        self._shown = tuple(setting.value(self._name))
        self.setText(", ".join(map(str, self._shown)))
        self.setToolTip("")

    def settle(self) -> None:
        """Takes what is typed; words that are no numbers stay, and nothing happens."""
        parts = self.text().replace(";", ",").replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and int(part) > 0 for part in parts):
            self.setToolTip(tr("Whole numbers from 1 on, with commas between them."))
            return
        numbers = tuple(map(int, parts))
        if numbers != self._shown:
            self._shown = numbers
            self.chosen.emit(numbers or None)


CONTROLS = {"choice": ChoiceBox, "whole": NumberBox, "number": NumberBox, "flag": FlagBox, "wholes": WholesLine}
SLIDERS = ("factor", "delta", "confidence")


class OptionsForm(QScrollArea):
    """The options of one method."""

    told = Signal(str, str, object)  # method, option, and its value; None for the usual one

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setObjectName("pruning_options")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMinimumWidth(180)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.controls: dict[str, Any] = {}  # each has `show_setting` and `chosen`
        self._setting = Told("")

    def show_method(self, method: str, options: dict[str, Any]) -> None:
        """Shows what a method is told. What is being typed stays while that is what it was."""
        setting = Told(method, dict(options))
        if self.widget() is None or method != self._setting.method:
            self._build(method)
        elif setting == self._setting:
            return
        self._show(setting)

    def _show(self, setting: Told) -> None:
        self._setting = setting
        for control in self.controls.values():
            control.show_setting(setting)

    def _build(self, method: str) -> None:
        page = QWidget()
        form = QFormLayout(page, rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setContentsMargins(8, 0, 8, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.controls, names = {}, METHODS[method].options if method in METHODS else ()
        for name in names:
            option = OPTIONS[name]
            control: Any = SliderBox(option) if name in SLIDERS else CONTROLS[option.kind](option)
            named(control, f"pruning_option_{name}", option.label)
            control.chosen.connect(lambda value, name=name: self._on_chosen(name, value))
            tip = "\n".join(text for text in (option.sentence, option.formula, option.example) if text)
            label = verbatim.label(option.label, toolTip=verbatim.tip(tip))
            label.setBuddy(control)
            form.addRow(label, control)
            self.controls[name] = control
        if not names:
            said = tr("“{method}” has no options.", method=METHODS[method].label) if method in METHODS else ""
            form.addRow(quiet(said))
        self.setWidget(page)

    def _on_chosen(self, name: str, value: Any) -> None:
        method = self._setting.method
        try:
            Options().told({name: value} if value is not None else {}, METHODS[method].options, METHODS[method].label)
        except InputError:
            self._show(self._setting)
            return
        self.told.emit(method, name, None if value == getattr(Options(), name) else value)
