"""What lies on the canvas beside the cards and never has the focus (the keys stay those of the tree): the button that
turns the tree, the slider of the levels that are shown, and small plates that say which rows are followed."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QCursor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.canvas.canvas import Canvas
from gui.canvas.overlays.overlay import paint_card
from gui.canvas.viewport import CORNER
from gui.model.document import Document
from gui.model.view_state import folding
from gui.model.view_state.look import Flow, Look
from gui.model.view_state.several import said_of
from gui.picture.emphasis import Way
from gui.picture.shapes import paint_overlay_plate
from gui.widgets import verbatim
from gui.widgets.building import fill, named, picture_button
from gui.widgets.labels import quiet
from gui.widgets.tables import bold
from gui.wording import phrases, words

SIZE, INSET = 30, 8  # of the button
SLIDER, HIGH = 76, 24
BESIDE = 10  # from the side of the canvas, and from the legend
LEAST_LEGEND = 160  # pixels that are left to the legend, which then says the least
ENDS, SPACE = (10, 0, 8, 0), 8
LEAST_DEPTH = 2  # of a lower tree there is nothing to choose


class KindWords(NamedTuple):
    """A kind of picture in words; `text` is that of the menu, with "&" before its letter."""

    text: str
    tip: str
    spoken: str


KIND_WORDS = {  # the names are those of `gui.picture.kinds.KINDS`, and of icons
    "cards": KindWords(marked("Car&ds, from top to bottom"), marked("Shows the tree from top to bottom, in cards"),
                       marked("Cards, from top to bottom")),
    "streams": KindWords(marked("Streams, from left to ri&ght"), marked(
        "Shows the tree from left to right, in streams as wide as their rows"), marked("Streams, from left to right")),
}  # fmt: skip


def other_kind(look: Look) -> str:
    return "streams" if look.kind == "cards" else "cards"


def turn(look: Look) -> None:
    look.set(kind=other_kind(look))


class KindButton(QToolButton):
    """Shows the picture of the kind that a click changes to; in no presentation."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas, autoRaise=True)
        self._document = document
        named(self, "kind_button", iconSize=QSize(18, 18), focusPolicy=Qt.FocusPolicy.NoFocus,
              cursor=QCursor(Qt.CursorShape.ArrowCursor), geometry=QRect(INSET, INSET, SIZE, SIZE))  # fmt: skip
        self.clicked.connect(lambda: turn(document.look))
        for changed in (document.look.changed, document.treeChanged, theme.watcher().changed):
            changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        kind = other_kind(self._document.look)
        said = KIND_WORDS[kind]
        self.setIcon(icons.icon(kind))
        self.setToolTip(verbatim.tip(tr("{does} ({key})", does=tr(said.tip), key="T")))
        self.setAccessibleName(tr(said.spoken))
        self.setVisible(self._document.tree is not None and not self._document.look.presenting)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_plate(self)
        super().paintEvent(event)


class FoldBar(QWidget):
    """Levels shown, and what is folded, beside the legend."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._document, self._canvas, self._legend = document, canvas, 0.0
        named(self, "fold_bar", cursor=QCursor(Qt.CursorShape.ArrowCursor))
        self.said = verbatim.label(objectName="fold_said")
        self.levels = quiet(name="fold_levels_said", wrap=False)
        self.all = picture_button("fold_all", tr("Unfold all"), "close", Qt.FocusPolicy.NoFocus,
                                  iconSize=QSize(12, 12), clicked=lambda: folding.unfold_all(document))  # fmt: skip
        self.all.setToolTip(verbatim.tip(tr("Unfolds all: shows the whole tree again (Shift+F)")))
        self.all.setFixedSize(HIGH - 4, HIGH - 4)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "fold_levels", tr("Levels shown"), minimum=1,
                            pageStep=1, focusPolicy=Qt.FocusPolicy.NoFocus)  # fmt: skip
        self.slider.setFixedWidth(SLIDER)
        self._parts = (self.said, self.all, self.levels, self.slider)  # the slider keeps its place while it is drawn
        fill(QHBoxLayout(self), *self._parts, spacing=SPACE, margins=ENDS)
        self.slider.valueChanged.connect(lambda levels: folding.show_levels(self._document, levels))
        document.look.changed.connect(lambda names: self.show_state() if names & {"folds", "presenting"} else None)
        document.treeChanged.connect(self.show_state)
        document.replaying.changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        tree = self._document.tree
        if tree is None:
            self.hide()
            return
        levels = folding.levels_shown(self._document)
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(max(tree.depth, 1))
            self.slider.setValue(levels)
        known = {"levels": words.count(levels), "all": words.count(tree.depth)}
        tip = tr("Levels shown: {levels} of {all} (D: one more, Shift+D: one fewer)", **known)
        self.slider.setToolTip(verbatim.tip(tip))
        whole = tr("{all} levels", **known)
        self.levels.setText(tr("{levels} of {all} levels", **known) if levels < tree.depth else whole)
        self.said.setText(folding.state_words(self._document))
        self.fit()

    def fit(self, legend: float = 0.0) -> None:
        """Stands beside the legend, which is so many pixels wide when it is whole: the words make way for that, the
        slider only where there is no room for a short one either."""
        tree, folded = self._document.tree, bool(self.said.text())
        self._legend = legend or self._legend
        room = self._canvas.width() - 3 * BESIDE
        shown = set(self._parts) if folded else {self.slider, self.levels}
        if self._wide(shown) > room - self._legend:
            shown.remove(self.levels)
        if not folded and self._wide(shown) > room - min(LEAST_LEGEND, self._legend):
            shown.clear()
        for widget in self._parts:
            widget.setVisible(widget in shown)
        choosing = tree is not None and tree.depth >= LEAST_DEPTH and not self._document.look.presenting
        lent = self._document.replaying.tree is not None  # a replay folds nothing
        self.setVisible(bool(shown) and (folded or choosing) and not lent)
        wide, high = self._wide(shown), max(HIGH, self.levels.sizeHint().height())
        self.setGeometry(self._canvas.width() - BESIDE - wide, self._canvas.height() - high - 6, wide, high)

    def _wide(self, widgets: set[QWidget]) -> int:
        wides = [each.width() if each in (self.slider, self.all) else each.sizeHint().width() for each in widgets]
        return sum(wides) + SPACE * max(len(wides) - 1, 0) + ENDS[0] + ENDS[2]

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_plate(self)


def _paint_plate(widget: QWidget) -> None:
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_overlay_plate(painter, QRectF(widget.rect()), theme.current())
    painter.end()


LEFT = INSET + SIZE + INSET  # beside the button that turns the tree
ROOT = 60  # pixels left of the middle, where the root of a fitted tree stands
LEAST, RADIUS, STRIPE = 200, 6, 5


class FollowChips(QWidget):
    """One for a replay, which has the canvas then; else one for the row that is followed, one for the rows. Hidden
    while there is nothing to say."""

    def __init__(self, document: Document, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._document, self._canvas = document, canvas
        self.setObjectName("follow_chips")
        self.row = Chip("follow_row_chip", tr("Stop following this row (Esc)"), document.following.end_row)
        self.rows = Chip("follow_rows_chip", tr("Stop following these rows (Esc)"), document.following.end_rows)
        self.replay = Chip("replay_chip", tr("End the replay: back to your own tree"), document.replaying.end)
        self._column = fill(QVBoxLayout(self), self.replay, self.row, self.rows)
        for chip in (self.replay, self.row, self.rows):
            self._column.setAlignment(chip, Qt.AlignmentFlag.AlignLeft)
        document.look.changed.connect(lambda names: self.refresh() if names & {"way", "flow", "part"} else None)
        document.focusChanged.connect(self.refresh)
        document.replaying.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        look, tree, replaying = self._document.look, self._document.tree, self._document.replaying
        lent = replaying.tree is not None
        tree = None if lent else tree  # what is followed goes through the document's tree
        n, every = words.count(replaying.shown_at + 1), words.count(replaying.n_steps)
        step = tr("step {n} of {all} · your own tree stays as it is", n=n, all=every)
        self.replay.say(tr("Replay") if lent else "", step, step.partition(" · ")[0], f"{n} / {every}")
        if look.way is not None and tree is not None and look.way.nodes[-1] in tree:
            self.row.say(*way_words(look.way, tree))
        else:
            self.row.say("")
        if look.flow is None or tree is None:
            self.rows.say("")
        else:
            head, whole = flow_words(look.flow, self._document.focus_class)
            self.rows.say(head, *forms(whole), tip=flow_tip(look.flow))
        self.rows.stripe = "accent" if look.way is None else "flow_beside"
        self.rows.update()
        self.setVisible(lent or look.way is not None or look.flow is not None)
        self.fit()

    def fit(self) -> None:
        """Stands beside the button that turns the tree, as wide as there is room; a fitted tree makes way."""
        width = self._canvas.width()
        room = min(width - LEFT - INSET, max(LEAST, width // 2 - ROOT - LEFT))
        for chip in (self.replay, self.row, self.rows):
            chip.fit(room)
        self._column.activate()
        self.adjustSize()
        self.move(LEFT, INSET)
        port, here = self._canvas.port, self.geometry().adjusted(0, 0, INSET, INSET)
        corner = CORNER if self.isHidden() else (here.right() / port.magnified, here.bottom() / port.magnified)
        if corner != port.corner:
            port.corner = corner
            if port.follows:
                self._canvas.go(port.fit)


class Chip(QWidget):
    """Which rows, how many, a stripe in the colour in which they are followed, and a button that ends it."""

    def __init__(self, name: str, tip: str, end: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName(name)
        self._head, self._forms = "", tuple[str, ...](("",))
        self.stripe = "accent"  # the colour of the theme in which they are followed
        self.head, self.figures = (verbatim.label(objectName=f"{name}_{part}") for part in ("head", "figures"))
        self.head.setFont(bold())
        self.close_button = picture_button(f"{name}_end", tip, "close", Qt.FocusPolicy.NoFocus, clicked=end)
        both = fill(QVBoxLayout(), self.head, self.figures, spacing=0)
        self._line = fill(QHBoxLayout(self), both, self.close_button, margins=(STRIPE + 7, 3, 2, 3))
        self._line.setAlignment(self.close_button, Qt.AlignmentFlag.AlignTop)
        theme.watcher().changed.connect(self.update)

    @property
    def text(self) -> str:
        return f"{self._head}: {self._forms[0]}"

    def say(self, head: str, *figures: str, tip: str = "") -> None:
        """Shows which rows, and their figures, in shorter and shorter forms; hidden while there are none."""
        self._head, self._forms = head, figures or ("",)
        self.setAccessibleName(self.text)
        self.setToolTip(verbatim.tip(tip or self.text))
        self.setVisible(bool(head))

    def fit(self, room: int) -> None:
        """Leaves out what has no room: of the rows the middle, of the figures whole ones."""
        room -= STRIPE + 20 + self.close_button.sizeHint().width()
        width = self.figures.fontMetrics().horizontalAdvance
        figures = next((form for form in self._forms if width(form) <= room), "")
        head = self.head.fontMetrics().elidedText(self._head, Qt.TextElideMode.ElideMiddle, room)
        for label, shown in ((self.head, head), (self.figures, figures)):
            label.setText(shown)
            label.setFixedWidth(label.fontMetrics().horizontalAdvance(shown) + 2)
        self._line.activate()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_card(painter, self.rect(), RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(theme.current(), self.stripe))
        painter.drawRoundedRect(QRectF(4.5, 4.5, STRIPE - 1, self.height() - 9), 2, 2)


def forms(figures: str) -> list[str]:
    """Figures, and the same with less and less of them: half of a figure would be another figure."""
    return [figures, *(figures.partition(end)[0] for end in (" (", " · "))]


def way_words(way: Way, tree: "engine.Tree") -> tuple[str, str, str]:
    """Which row is followed and what it is; how far down it goes and what is predicted there; how far down alone."""
    n, row = len(way.nodes) - 1, words.count(way.row + 1)
    head = tr("Row {row} ({target})", row=row, target=way.target) if way.target else tr("Row {row}", row=row)
    head = head if way.row >= 0 else tr("New row")
    parts = {node: part for node, part in way.parts.items() if node in tree}  # a part of the tree may be drawn
    found = engine.said_of(tree, parts)
    said = tree.classes[found.label] if tree.task == "classes" else words.value(found.prediction)
    n_leaves = sum(not tree.n_branches[tree.position(node)] for node in parts)
    if n_leaves > 1:  # a split divides it
        whole = tr("its parts in {n} leaves predict {prediction}", n=words.count(n_leaves), prediction=said)
        return head, whole, tr("in {n} leaves", n=words.count(n_leaves))
    splits = tr("no split") if n == 0 else tr("1 split") if n == 1 else tr("{n} splits", n=words.count(n))
    whole = tr("after {splits} its leaf predicts {prediction}", splits=splits, prediction=said)
    return head, whole, tr("after {splits}", splits=splits)


def flow_words(flow: Flow, focus: int) -> tuple[str, str]:
    """Which rows are followed; how many they are, and what those are that train and those that validate."""
    tree, n, (n_train, n_validation, _) = flow.tree, flow.chosen.rows.size, flow.n_rows
    rows = phrases.counted_rows(n)
    if flow.chosen.by_error:
        parts = (n_train, int(tree.rows_train[0])), (n_validation, int(tree.rows_validation[0]))
        said, seen = (words.rate(k / total) if total else "" for k, total in parts)
        train, validation = tr("the training rows"), tr("those for validation")
    else:
        said = said_of(tree, flow.train, focus)
        seen = said_of(tree, flow.validation, focus, named=not said)
        train = tr("{n} for training", n=words.count(n_train))
        validation = tr("{n} for validation", n=words.count(n_validation))
    figures = {"rows": rows, "train": said, "training": train, "valid": seen, "validation": validation}
    if not said:
        whole = tr("{rows} · {valid} of {validation}", **figures) if seen else rows
    elif flow.chosen.by_error or n_train < n:
        whole = tr("{rows} · {train} of {training}", **figures)
        whole = tr("{rows} · {train} of {training} ({valid} of {validation})", **figures) if seen else whole
    else:
        whole = tr("{rows} · {train}", **figures)
        whole = tr("{rows} · {train} ({valid} of {validation})", **figures) if seen else whole
    return flow.chosen.words, whole


def flow_tip(flow: Flow) -> str:
    n = flow.chosen.rows.size
    said = marked("{n} training"), marked("{n} validation"), marked("{n} not in the tree")
    parts = [tr(text, n=words.count(k)) for text, k in zip(said, flow.n_rows, strict=True) if k]
    share, total = words.percent(n / flow.n_table), words.count(flow.n_table)
    counted = tr("{n} of {total} rows, {share}", n=words.count(n), total=total, share=share)
    return f"{flow.chosen.words}\n{counted}\n{', '.join(parts)}".strip()
