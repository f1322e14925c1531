"""Taking the tree away as a picture: how much of it, in which format, how large, and what stands around it."""

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, QSizeF, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QHBoxLayout, QLineEdit, QRadioButton, QSpinBox, QWidget

from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr
from gui.model.view_state.folding import summary
from gui.picture.cards.frame import FULL, Frame
from gui.picture.cards.scene import Scene
from gui.picture.paper.picture import MOST_AREA, MOST_PIXELS, SLIDE, planned, planned_drawing, planned_page, tiling
from gui.picture.paper.sheet import Sheet, View, Wish
from gui.picture.picture_model import PictureModel
from gui.picture.streams.frame import StreamFrame
from gui.picture.streams.scene import Streams
from gui.widgets import verbatim
from gui.widgets.building import fill, form, named, refuse, scrolling
from gui.widgets.fields import refill
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack
from gui.wording import words

MILLIMETRES = 25.4 / 72  # of a point


def outcome(scene: PictureModel, suffix: str, wish: Wish, top: int, view: View | None) -> str:
    """What will come of a wish, in a sentence; InputError where there would be too many pages."""
    if suffix == ".html":
        n = int(scene.tree.end[top]) - top
        nodes = tr("1 node") if n == 1 else tr("{n} nodes", n=words.count(n))
        some = tr("One file with {nodes}, some folded at first, for any browser; it needs no network.", nodes=nodes)
        none = tr("One file with {nodes}, for any browser; it needs no network.", nodes=nodes)
        return none if scene.folded is None else some
    if suffix == ".pdf" and wish.page and wish.split and wish.page != SLIDE:
        tiles = tiling(scene, wish, top, view)
        said = {"n": tiles.rows * tiles.columns, "rows": tiles.rows, "columns": tiles.columns, "paper": wish.page,
                "detail": _detail(tiles.sheet, view)}  # fmt: skip
        several = tr("{n} pages, {rows} × {columns}, of {paper}: {detail}.", **said)
        return tr("1 page of {paper}: {detail}.", **said) if said["n"] == 1 else several
    if suffix == ".pdf":
        page = planned_page(scene, wish, top, view)
        wide, high = (words.count(round(side * MILLIMETRES)) for side in page.points)
        return tr("1 page of {wide} × {high} mm: {detail}.", wide=wide, high=high, detail=_detail(page.sheet, view))
    plan = (planned if suffix == ".png" else planned_drawing)(scene, wish, top, view)
    wide, high = words.count(plan.width), words.count(plan.height)
    sentence = tr("{wide} × {high} pixels: {detail}.", wide=wide, high=high, detail=_detail(plan.sheet, view))
    limit = _limit(plan.squeezed, plan.scale, wish) if suffix == ".png" else ""
    return f"{sentence} {limit}" if limit else sentence


def _limit(squeezed: bool, scale: float, wish: Wish) -> str:
    """Why a PNG is not what was wished for."""
    said = {"area": f"{MOST_AREA / 1e6:.0f}", "side": words.count(MOST_PIXELS), "scale": f"{scale:.1f}"}
    if squeezed:
        return tr("The tree is drawn closer together, for a PNG holds {area} million pixels, {side} a side: SVG and "
                  "PDF keep it whole.", **said)  # fmt: skip
    smaller = tr("Image scale × {scale}, for a PNG holds {area} million pixels, {side} a side.", **said)
    return smaller if wish.box is None and scale < wish.scale - 0.05 else ""


def _detail(sheet: Sheet, view: View | None) -> str:
    """How much of the tree is not folded away, and for how much of the cards there is room."""
    scene, shown = sheet.scene, tr("as the view shows it") if view is not None else _words_shown(sheet)
    if scene.folded is None:
        return shown
    return tr("{folds}; {words}", folds=summary(scene.tree, scene.folded), words=shown)


def _words_shown(sheet: Sheet) -> str:
    scene = sheet.scene
    nodes = np.arange(sheet.top, int(scene.tree.end[sheet.top]))
    nodes = nodes if scene.folded is None else nodes[~scene.folded.are_hidden(nodes)]
    n = words.count(nodes.size)
    if isinstance(scene, Streams):
        bars = StreamFrame(scene, sheet.camera, QSizeF(sheet.width, sheet.height), sheet.top)
        written = int((bars.tiers(nodes) > 0).sum())
        some = tr("{some} of {n} nodes have room for words, the others are bars", some=words.count(written), n=n)
        return some if written < nodes.size else tr("every node has its words")
    assert isinstance(scene, Scene)
    frame = Frame(scene, sheet.camera)
    written = int(frame.are_named(nodes).sum())
    if written < nodes.size:
        return tr("{some} of {n} nodes have room for words, the others are boxes", some=words.count(written), n=n)
    small = frame.scales[scene.levels.level[nodes]].min() < FULL
    return tr("small cards show their names only") if small else tr("every card is whole")


KINDS = {
    ".png": marked("PNG picture"), ".svg": marked("SVG drawing, with real text"), ".pdf": marked("PDF"),
    ".html": marked("Page for browsers that zooms and folds"),
}  # fmt: skip
OTHER = (0, 0)  # a size of one's own
SIZES = {
    None: marked("As large as it needs"), (1920, 1080): "1920 × 1080", (3840, 2160): "3840 × 2160",
    OTHER: marked("Another size"),
}  # fmt: skip
PAPERS = {
    "": marked("One page, as large as the tree"), "A4": "A4", "A3": "A3", "Letter": "Letter",
    SLIDE: marked("Slide, 16:9"),
}  # fmt: skip
COLOURS = {"light": marked("Light"), "white": marked("Light, on white paper"), "dark": marked("Dark")}
LEAST_PIXELS = 320


class PictureForm(QWidget):
    """Shows a wish and lets it be changed."""

    changed = Signal()  # something else is wished for.

    def __init__(self, title: str, figures: str) -> None:
        super().__init__()
        self._figures_text = figures
        self._kind, self._size = self._box("picture_kind", KINDS), self._box("picture_size", SIZES)
        self._paper, self._colours = self._box("picture_paper", PAPERS), self._box("picture_colours", COLOURS)
        self._width = named(QSpinBox(minimum=LEAST_PIXELS, maximum=MOST_PIXELS), "picture_w")
        self._height = named(QSpinBox(minimum=LEAST_PIXELS, maximum=MOST_PIXELS), "picture_h")
        tip = tr("2 is sharp in print and on dense screens")
        self._scale = named(QSpinBox(minimum=1, maximum=4, prefix="× "), "picture_scale", tip=tip)
        self._cards = named(QSpinBox(minimum=25, maximum=200, suffix=" %"), "picture_cards")
        self._split = named(QCheckBox(tr("Split over pa&ges, to be pasted together")), "picture_split")
        self._legend = named(QCheckBox(tr("&Legend")), "picture_legend")
        self._figures = named(QCheckBox(tr("&Fit figures")), "picture_figures")
        self._titled = named(QCheckBox(tr("&Title")), "picture_titled")
        self._title = named(QLineEdit(title), "picture_title", tr("Title"))
        for changed in (
            *(box.currentIndexChanged for box in (self._kind, self._size, self._paper, self._colours)),
            *(spin.valueChanged for spin in (self._width, self._height, self._scale, self._cards)),
            *(check.toggled for check in (self._split, self._legend, self._figures, self._titled)),
            self._title.textChanged,
        ):
            changed.connect(self._show_rows)
            changed.connect(self.changed)
        self._form = form(self)
        self._sides = _row(self._width, verbatim.label("×"), self._height)
        fields: tuple[tuple[str | QWidget, QWidget], ...] = (
            (tr("F&ormat"), self._kind), (tr("Si&ze"), self._size), (tr("Pixels"), self._sides),
            (tr("&Image scale"), self._scale), (tr("&Paper"), self._paper), ("", self._split),
            (tr("Size of the car&ds"), self._cards), (tr("Colou&rs"), self._colours), (self._titled, self._title),
            ("", _row(self._legend, self._figures)),
        )  # fmt: skip
        for label, field in fields:
            self._form.addRow(label, field)

    @property
    def suffix(self) -> str:
        return str(self._kind.currentData())

    @property
    def wish(self) -> Wish:
        size = self._size.currentData()
        box = (self._width.value(), self._height.value()) if size == OTHER else size
        return Wish(
            theme=self._colours.currentData(), legend=self._legend.isChecked(),
            title=self._title.text().strip() if self._titled.isChecked() else "",
            figures=self._figures_text if self._figures.isChecked() else "",
            scale=float(self._scale.value()), box=box,
            page=self._paper.currentData(), split=self._split.isChecked(), cards=self._cards.value() / 100,
        )  # fmt: skip

    @property
    def heading(self) -> list[str]:
        return ["title"] * self._titled.isChecked() + ["figures"] * self._figures.isChecked()

    def show_wish(self, wish: Wish, suffix: str, heading: list[str]) -> None:
        """Shows a wish; nothing is told."""
        chosen = {
            self._kind: suffix, self._size: wish.box if wish.box in SIZES else OTHER, self._paper: wish.page,
            self._colours: wish.theme,
        }  # fmt: skip
        with QSignalBlocker(self):
            for box, data in chosen.items():  # Qt finds no None and no tuple
                box.setCurrentIndex(next((k for k in range(box.count()) if box.itemData(k) == data), 0))
            width, height = wish.box or (1920, 1080)
            for spin, value in ((self._width, width), (self._height, height), (self._scale, wish.scale),
                                (self._cards, 100 * wish.cards)):  # fmt: skip
                spin.setValue(round(value))
            for check, on in ((self._split, wish.split), (self._legend, wish.legend),
                              (self._titled, "title" in heading), (self._figures, "figures" in heading)):  # fmt: skip
                check.setChecked(on)
        self._show_rows()

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

    def _box(self, name: str, choices: dict[Any, str]) -> QComboBox:
        box = named(QComboBox(), name)
        refill(box, {data: tr(text) for data, text in choices.items()}, next(iter(choices)))
        return box


def usable(wish: Wish) -> Wish:
    """A kept wish without what no field can show."""
    sides = wish.box is None or all(LEAST_PIXELS <= side <= MOST_PIXELS for side in wish.box)
    box, page = wish.box if sides else None, wish.page if wish.page in PAPERS else ""
    scale, cards = float(min(max(round(wish.scale), 1), 4)), min(max(wish.cards, 0.25), 2.0)
    return replace(wish, box=box, page=page, scale=scale, cards=cards)


def _row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    fill(QHBoxLayout(row), *widgets, (QWidget(), 1), spacing=6)
    return row


SHORTEST = 40  # letters of a condition that is shortened


class PictureDialog(QDialog):
    """Asks for a picture of a tree as the canvas shows it in `view`: `scene`, or `whole` where something is folded.
    `selected` is the position of the selected node; `title` and `figures` may stand above the picture."""

    def __init__(self, scene: PictureModel, selected: int, view: View, title: str, figures: str,
                 parent: QWidget | None = None, whole: PictureModel | None = None) -> None:  # fmt: skip
        super().__init__(parent)
        named(self, "picture_dialog").setWindowTitle(tr("Export picture"))
        self._scene, self._whole_scene, self._selected, self._view = scene, whole, selected, view
        self.copies = False  # whether it goes to the clipboard instead of a file
        sentence = scene.tree.sentence(selected)
        short = sentence if len(sentence) <= SHORTEST else sentence[: SHORTEST - 1] + "…"
        below = tr("The &branch below {node}", node=verbatim.verb(f"“{short}”"))
        self._whole = named(QRadioButton(tr("The &whole tree")), "picture_whole")
        self._branch = named(QRadioButton(below), "picture_branch")
        self._seen = named(QRadioButton(tr("What the &view shows")), "picture_view")
        self._whole.setChecked(True)
        self._branch.setVisible(selected > 0 and bool(scene.tree.n_branches[selected]))
        self._folded = named(QCheckBox(tr("Folded branches sta&y folded")), "picture_folded")
        self._folded.setVisible(whole is not None)
        self.form = PictureForm(title, figures)
        self._error, self._outcome = Notice("picture_error"), quiet("", "picture_outcome")
        self._outcome.setMinimumHeight(3 * self.fontMetrics().lineSpacing() + 2)  # nothing moves while it changes
        buttons, self._export = answers(self, tr("&Export…"), "export_button")
        self._copy = buttons.addButton(tr("&Copy"), buttons.ButtonRole.ActionRole)
        tip = tr("Puts the picture on the clipboard")
        named(self._copy, "copy_button", tip=tip, autoDefault=False, clicked=self._on_copy)
        asked = QWidget()
        stack(asked, self._whole, self._branch, self._seen, self._folded, 8, self.form, 0, margins=(0, 0, 8, 0))
        stack(self, (scrolling(asked), 1), self._error, self._outcome, buttons)
        self.setMinimumWidth(480)
        wanted = asked.sizeHint().height() + self._outcome.minimumHeight() + buttons.sizeHint().height() + 70
        self.resize(QSize(max(480, asked.sizeHint().width() + 70), wanted).boundedTo(on_screen(self, 10_000, 10_000)))
        for changed in (self._whole.toggled, self._branch.toggled, self._seen.toggled, self._folded.toggled,
                        self.form.changed):  # fmt: skip
            changed.connect(self._refresh)

    @property
    def top(self) -> int:
        """The position of the node whose branch is wished for; 0 for the whole tree."""
        return self._selected if self._branch.isChecked() else 0

    @property
    def node(self) -> int | None:
        """The node whose branch is wished for; None for the whole tree."""
        return int(self._scene.tree.ids[self._selected]) if self._branch.isChecked() else None

    @property
    def view(self) -> View | None:
        """What the canvas shows, if that is wished for."""
        return self._view if self._seen.isChecked() else None

    @property
    def wish(self) -> Wish:
        return replace(self.form.wish, folded=self._folded.isChecked())

    def show_wish(self, wish: Wish, suffix: str, heading: list[str]) -> None:
        """Begins with a wish, as it was the last time."""
        self._folded.setChecked(wish.folded)
        self.form.show_wish(wish, suffix, heading)
        self._refresh()

    def _on_copy(self) -> None:
        self.copies = True
        self.accept()

    def _refresh(self) -> None:
        """Says what will come of it; a page for browsers has all of a branch and is no picture to be copied."""
        suffix = self.form.suffix
        page = suffix == ".html"
        if page and self._seen.isChecked():
            self._whole.setChecked(True)
        refuse(self._seen, tr("A page for browsers holds the whole tree or a branch.") if page else "")
        refuse(self._folded, tr("The view shows them folded.") if self._seen.isChecked() else "")
        folded = self._folded.isChecked() or self._seen.isChecked()
        scene = self._scene if folded or self._whole_scene is None else self._whole_scene
        try:
            sentence = outcome(scene, suffix, self.wish, self.top, self.view)
        except InputError as problem:
            self._error.say(str(problem), "error")
        else:
            self._error.say("")
            self._outcome.setText(sentence)
        self._outcome.setHidden(bool(self._error.text))
        self._export.setEnabled(not self._error.text)
        self._copy.setEnabled(not page)
