"""A field for a limit: a number, or nothing where nothing is asked."""

from __future__ import annotations

import re

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox

from gui.widgets import verbatim

GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
ALLOWED = re.compile(r"[\d., ]*")


class LimitBox(QDoubleSpinBox):
    """Empty it stands for 0, which asks nothing; the arrows go on from there."""

    def __init__(self, name: str, spoken: str, most: float, decimals: int) -> None:
        super().__init__(objectName=name, maximum=most, decimals=decimals)
        self.setAccessibleName(spoken)
        self.setToolTip(verbatim.tip(f"{spoken}; leave empty for no limit"))
        self.lineEdit().setPlaceholderText("any")
        self.setMinimumWidth(90)

    def textFromValue(self, value: float) -> str:
        if value == 0:
            return ""
        text = f"{value:,.{self.decimals()}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def valueFromText(self, text: str) -> float:
        text = text.replace(" ", "")
        text = text.replace(",", "" if GROUPED.fullmatch(text) or "." in text else ".")
        try:
            return float(text)
        except ValueError:  # empty, or a lone point
            return 0.0

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        if not ALLOWED.fullmatch(text):
            return QValidator.State.Invalid, text, place
        fits = self.valueFromText(text) <= self.maximum()
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid, text, place
