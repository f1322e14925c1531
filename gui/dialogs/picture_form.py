"""The fields of a picture: its format, its size or paper, its colours, what stands around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QSpinBox, QWidget

from gui.dialogs.labels import form
from gui.picture.paper.pages import SLIDE
from gui.picture.paper.picture import MOST_PIXELS
from gui.picture.paper.sheet import Wish
from gui.widgets import verbatim

KINDS = {
    ".png": "PNG picture", ".svg": "SVG drawing, with real text", ".pdf": "PDF",
    ".html": "Page for browsers that zooms and folds",
}  # fmt: skip
OTHER = (0, 0)  # a size of one's own
SIZES = {
    None: "As large as it needs", (1920, 1080): "1920 × 1080", (3840, 2160): "3840 × 2160", OTHER: "Another size",
}  # fmt: skip
PAPERS = {
    "": "One page, as large as the tree", "A4": "A4", "A3": "A3", "Letter": "Letter", SLIDE: "Slide, 16:9",
}  # fmt: skip
COLOURS = {"light": "Light", "white": "Light, on white paper", "dark": "Dark"}
LEAST_PIXELS = 320


class PictureForm(QWidget):
    """Shows a wish and lets it be changed.

    Signals:
        changed: Something else is wished for.
    """

    changed = Signal()

    def __init__(self, title: str, figures: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures_text = figures
        self._kind = self._box("picture_kind", KINDS)
        self._size = self._box("picture_size", SIZES)
        self._width, self._height = (self._spin(f"picture_{side}", LEAST_PIXELS, MOST_PIXELS) for side in ("w", "h"))
        self._scale = self._spin("picture_scale", 1, 4)
        self._scale.setPrefix("× ")
        self._scale.setToolTip("Image scale: 2 is sharp in print and on dense screens")
        self._paper = self._box("picture_paper", PAPERS)
        self._split = self._check("Split over pa&ges, to be pasted together", "picture_split")
        self._cards = self._spin("picture_cards", 25, 200)
        self._cards.setSuffix(" %")
        self._colours = self._box("picture_colours", COLOURS)
        self._legend = self._check("&Legend", "picture_legend")
        self._figures = self._check("&Fit figures", "picture_figures")
        self._titled = self._check("&Title", "picture_titled")
        self._title = QLineEdit(title, objectName="picture_title")
        self._title.setAccessibleName("Title")
        self._title.textChanged.connect(self._on_changed)
        self._lay_out()

    def _lay_out(self) -> None:
        self._form = form(self)
        self._sides = _row(self._width, verbatim.label("×"), self._height)
        self._form.addRow("F&ormat", self._kind)
        self._form.addRow("Si&ze", self._size)
        self._form.addRow("Pixels", self._sides)
        self._form.addRow("S&harpness", self._scale)
        self._form.addRow("&Paper", self._paper)
        self._form.addRow("", self._split)
        self._form.addRow("Size of the car&ds", self._cards)
        self._form.addRow("Colou&rs", self._colours)
        self._form.addRow(self._titled, self._title)
        self._form.addRow("", _row(self._legend, self._figures))

    @property
    def suffix(self) -> str:
        """The format."""
        return str(self._kind.currentData())

    @property
    def wish(self) -> Wish:
        """All that is chosen."""
        size = self._size.currentData()
        box = (self._width.value(), self._height.value()) if size == OTHER else size
        return Wish(
            theme=self._colours.currentData(),
            legend=self._legend.isChecked(),
            title=self._title.text().strip() if self._titled.isChecked() else "",
            figures=self._figures_text if self._figures.isChecked() else "",
            scale=float(self._scale.value()),
            box=box,
            page=self._paper.currentData(),
            split=self._split.isChecked(),
            cards=self._cards.value() / 100,
        )

    @property
    def heading(self) -> list[str]:
        """What stands above the picture."""
        return ["title"] * self._titled.isChecked() + ["figures"] * self._figures.isChecked()

    def show_wish(self, wish: Wish, suffix: str, heading: list[str]) -> None:
        """Shows a wish; nothing is told."""
        with QSignalBlocker(self):
            _choose(self._kind, suffix)
            _choose(self._size, wish.box if wish.box in SIZES else OTHER)
            width, height = wish.box or (1920, 1080)
            self._width.setValue(width)
            self._height.setValue(height)
            self._scale.setValue(round(wish.scale))
            _choose(self._paper, wish.page)
            self._split.setChecked(wish.split)
            self._cards.setValue(round(100 * wish.cards))
            _choose(self._colours, wish.theme)
            self._legend.setChecked(wish.legend)
            self._titled.setChecked("title" in heading)
            self._figures.setChecked("figures" in heading)
        self._show_rows()

    def _on_changed(self) -> None:
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        """Only what counts for the format is there."""
        kind, sized = self.suffix, self.suffix in (".png", ".svg")
        size, paper = self._size.currentData(), self._paper.currentData()
        split = kind == ".pdf" and paper not in ("", SLIDE)
        rows = {
            self._size: sized, self._sides: sized and size == OTHER, self._scale: kind == ".png" and size is None,
            self._paper: kind == ".pdf", self._split: split, self._cards: split and self._split.isChecked(),
        }  # fmt: skip
        for widget, there in rows.items():
            self._form.setRowVisible(widget, there)
        self._title.setEnabled(self._titled.isChecked())

    # -- the makers of fields

    def _box(self, name: str, choices: dict[Any, str]) -> QComboBox:
        box = QComboBox(objectName=name)
        for data, text in choices.items():
            box.addItem(text, data)
        box.currentIndexChanged.connect(self._on_changed)
        return box

    def _spin(self, name: str, low: int, high: int) -> QSpinBox:
        spin = QSpinBox(objectName=name)
        spin.setRange(low, high)
        spin.setKeyboardTracking(True)
        spin.valueChanged.connect(self._on_changed)
        return spin

    def _check(self, text: str, name: str) -> QCheckBox:
        check = QCheckBox(text, objectName=name)
        check.toggled.connect(self._on_changed)
        return check


def usable(wish: Wish) -> Wish:
    """A kept wish without what no field can show."""
    sides = wish.box is None or all(LEAST_PIXELS <= side <= MOST_PIXELS for side in wish.box)
    return replace(
        wish,
        box=wish.box if sides else None,
        page=wish.page if wish.page in PAPERS else "",
        scale=float(min(max(round(wish.scale), 1), 4)),
        cards=min(max(wish.cards, 0.25), 2.0),
    )


def _choose(box: QComboBox, data: Any) -> None:
    index = next((k for k in range(box.count()) if box.itemData(k) == data), 0)
    box.setCurrentIndex(index)


def _row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return row
