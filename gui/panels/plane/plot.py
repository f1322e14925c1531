"""The plot of the plane: two axes, zoom, mouse and keys, and what of a picture is drawn between the axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.model.plane_tasks import LEAVES, Picture
from gui.panels.plane.drawing import SHADES, Drawing, Shapes
from gui.picture.colours import Colouring
from gui.picture.plane_regions import ALL, X, tile_at
from gui.widgets import plotting, scales
from gui.widgets.building import Reaction, claims
from gui.wording import words

LOWEST = 90  # pixels
ROUND = 0.03  # of an axis, free beyond its ends
STEP = 1.25  # one press of + or −
PART = 0.02  # of what is in view: one press of an arrow moves a new point so far
SAME = 1e-12  # of numbers: views that differ by less are the same
NARROWEST = 1e-9  # of a whole axis, the part that can still be looked at
NEAR = 4.0  # pixels from a cut that still mean it
BESIDE = 1e-6  # of what is in view: so far beyond a side its neighbour is looked for
NUMBER, DATE, LOG, LEVELS, NONE = "number", "date", "log", "levels", "none"  # kinds of axes
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
CLOSER, BACK = (Qt.Key.Key_Plus, Qt.Key.Key_Equal), (Qt.Key.Key_Minus,)
WHOLE = (Qt.Key.Key_0, Qt.Key.Key_Home)
MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
DEVIATIONS = 1.5  # a value so many deviations of the root away is drawn in full colour, as on the canvas


@dataclass(frozen=True)
class AxisShown:
    """One axis: a kind, its name, from where to where it goes in values, and the names of its levels."""

    kind: str
    name: str
    ends: tuple[float, float]
    labels: tuple[str, ...] = ()

    @property
    def scale(self) -> scales.Scale:
        return scales.Scale(self.kind == LOG)

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[n] on the axis; −∞ for what a logarithm does not have."""
        if self.kind != LOG:
            return values
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(values > 0, np.log10(values), -np.inf)

    @property
    def whole(self) -> tuple[float, float]:
        """The whole axis in places, with some room at either end."""
        low, high = map(self.scale.place, self.ends)
        if self.kind in (LEVELS, NONE):
            return low, high
        room = ROUND * (high - low)
        return (low - room, high + room) if high - low > scales.NARROWEST else scales.around(low, high)


class PlanePlot(pg.PlotWidget):  # type: ignore[misc]
    """Draws shapes between two axes."""

    picked = Signal(int)  # the position of the node whose rectangle or cut was clicked or walked to
    pointedAt = Signal(int)  # the mouse is over another rectangle or cut: the position of its node, −1 for none
    placed = Signal(float, float)  # a new point was put somewhere: its values
    left = Signal()  # no new point is wanted any more

    KEYS = (*ARROWS, *CLOSER, *BACK, *WHOLE)

    def __init__(self, name: str, spoken: str, rows_alone: bool = False) -> None:
        super().__init__(enableMenu=False)
        plotting.set_up(self, name, spoken)
        self.placing = False  # whether mouse and arrows put a new point somewhere
        self.getViewBox().setMouseEnabled(x=True, y=True)
        self.setMinimumSize(160, LOWEST)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.drawing = Drawing(rows_alone)
        self.addItem(self.drawing, ignoreBounds=True)
        self.across = self.up = AxisShown(NUMBER, "", (0.0, 1.0))
        self._axes: dict[str, dict[str, Any]] = {
            side: {
                NUMBER: plotting.NumberAxis(side), NONE: plotting.NumberAxis(side), DATE: scales.DateAxis(side),
                LOG: scales.LogAxis(side), LEVELS: levels(side),
            }
            for side, levels in (("bottom", plotting.LevelAxis), ("left", plotting.UprightLevels))
        }  # fmt: skip
        self.scene().sigMouseMoved.connect(lambda where: self.pointedAt.emit(self.node_at(where)))
        self.scene().sigMouseClicked.connect(self._on_clicked)
        Reaction(self, lambda: self.pointedAt.emit(-1), QEvent.Type.Leave)

    def show_axes(self, across: AxisShown, up: AxisShown) -> None:
        """Other axes; what of them was in view stays in view where they are the same."""
        for side, shown, before in (("bottom", across, self.across), ("left", up, self.up)):
            axis = self._axes[side][shown.kind]
            if self.getAxis(side) is not axis:
                self.getPlotItem().setAxisItems({side: axis})
            axis.enableAutoSIPrefix(False)
            plotting.style_axis(axis)
            axis.setStyle(showValues=shown.kind != NONE)
            if isinstance(axis, plotting.LevelAxis):
                axis.labels = shown.labels
            plotting.name_axis(axis, shown.name)
            if shown != before:
                self._limit("x" if side == "bottom" else "y", shown)
        self.across, self.up = across, up

    def show_shapes(self, shapes: Shapes | None) -> None:
        self.drawing.shapes = shapes
        self.drawing.pointed = self.drawing.pointed_cut = -1
        self.drawing.placed = []  # until they are painted; letters of other cuts must not be hit
        self.drawing.update()

    def restyle(self) -> None:
        plotting.restyle(self)
        self.drawing.update()

    def place_by_hand(self, on: bool) -> None:
        """Whether the mouse and the arrows put a new point somewhere, instead of moving and picking."""
        self.placing = on
        self.viewport().setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)

    def show_new(self, values: tuple[float, float] | None, said: str = "") -> None:
        """Shows a new point at some values, and what is predicted of it; None takes it away."""
        new = QPointF(self.across.scale.place(values[0]), self.up.scale.place(values[1])) if values else None
        if (new, said) != (self.drawing.new, self.drawing.said):
            self.drawing.new, self.drawing.said = new, said
            self.drawing.update()

    def point_at(self, node: int) -> None:
        """Marks the rectangle and the cut of a node, by its position; −1 marks nothing."""
        drawing, shapes = self.drawing, self.drawing.shapes
        found = [np.flatnonzero(of == node) for of in (shapes.tiles, shapes.cut_nodes)] if shapes is not None else []
        tile, cut = [int(at[0]) if at.size else -1 for at in found] or (-1, -1)
        if (tile, cut) != (drawing.pointed, drawing.pointed_cut):
            drawing.pointed, drawing.pointed_cut = tile, cut
            drawing.update()

    def node_at(self, where: QPointF) -> int:
        """The position of the node whose cut or rectangle is at a point of the scene; −1 where there is none."""
        box, shapes = self.getViewBox(), self.drawing.shapes
        if not box.sceneBoundingRect().contains(where) or shapes is None:
            return -1
        if (cut := self._cut_at(where, shapes)) >= 0:
            return int(shapes.cut_nodes[cut])
        tile = self.tile_at(box.mapSceneToView(where))
        return int(shapes.tiles[tile]) if tile >= 0 else -1

    def tile_at(self, place: QPointF) -> int:
        """Which of the rectangles is at a place on the axes; −1 where there is none."""
        shapes = self.drawing.shapes
        return tile_at(self._finite(shapes.boxes), place.x(), place.y()) if shapes is not None else -1

    def _cut_at(self, where: QPointF, shapes: Shapes) -> int:
        for chip, i in self.drawing.placed:
            if chip.contains(where):
                return i
        x0, y0, x1, y1 = self.drawing.frame().cut_lines(shapes).T
        near = (x0 - NEAR <= where.x()) & (where.x() <= x1 + NEAR)
        near &= (y1 - NEAR <= where.y()) & (where.y() <= y0 + NEAR)
        found = np.flatnonzero(near)
        if not found.size:
            return -1
        away = np.where(shapes.cut_axis[found] == X, np.abs(x0[found] - where.x()), np.abs(y0[found] - where.y()))
        return int(found[np.argmin(away)])

    def _finite(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The boxes as they are seen, float64[n, 4]: cut off at the ends of the axes."""
        (left, right), (bottom, top) = self.across.whole, self.up.whole
        near, far = np.maximum(boxes[:, :2], (left - 1, bottom - 1)), np.minimum(boxes[:, 2:], (right + 1, top + 1))
        return np.column_stack((near, far))

    def _middle(self, box: NDArray[np.float64]) -> tuple[float, float]:
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        return float(max(box[0], left) + min(box[2], right)) / 2, float(max(box[1], bottom) + min(box[3], top)) / 2

    def see(self, x: Sequence[float], y: Sequence[float]) -> None:
        """Looks at a part of the axes, unless it is in view."""
        box = self.getViewBox()
        if not np.allclose(box.viewRange(), (x, y), rtol=SAME, atol=0.0):
            box.setRange(xRange=x, yRange=y, padding=0)

    def see_all(self) -> None:
        self.getViewBox().setRange(xRange=self.across.whole, yRange=self.up.whole, padding=0)

    def _limit(self, axis: str, shown: AxisShown) -> None:
        """All of an axis, "x" or "y", and no more."""
        (low, high), box = shown.whole, self.getViewBox()
        names = f"{axis}Min", f"{axis}Max", f"min{axis.upper()}Range"
        box.setLimits(**dict.fromkeys(names))  # or the former ones would bound the new ones
        box.setLimits(**dict(zip(names, (low, high, NARROWEST * (high - low)), strict=True)))
        box.setRange(**{f"{axis}Range": (low, high)}, padding=0)

    def _on_clicked(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (node := self.node_at(event.scenePos())) >= 0:
            self.picked.emit(node)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._place_under(event):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._place_under(event):
            super().mouseMoveEvent(event)

    def _place_under(self, event: QMouseEvent) -> bool:
        """Puts the new point under a mouse whose left button is held, or as near as the axes go."""
        if not (self.placing and event.buttons() & Qt.MouseButton.LeftButton):
            return False
        box = self.getViewBox()
        where, room = self.mapToScene(event.position().toPoint()), box.sceneBoundingRect()
        x, y = min(max(where.x(), room.left()), room.right()), min(max(where.y(), room.top()), room.bottom())
        self._place(box.mapSceneToView(QPointF(x, y)))
        return True

    def _place(self, place: QPointF) -> None:
        self.placed.emit(self.across.scale.value(place.x()), self.up.scale.value(place.y()))

    def _step(self, right: int, up: int) -> None:
        """Moves the new point by a part of what is in view; at first it stands in the middle of that."""
        box = self.getViewBox().viewRect()
        at = self.drawing.new
        self._place(at + QPointF(right * PART * box.width(), up * PART * box.height()) if at else box.center())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """On an axis it shows all."""
        where = self.mapToScene(event.position().toPoint())
        if any(self.getAxis(side).sceneBoundingRect().contains(where) for side in ("bottom", "left")):
            self.see_all()
        else:
            super().mouseDoubleClickEvent(event)

    def event(self, event: QEvent) -> bool:
        escapes = claims(event, Qt.Key.Key_Escape, when=lambda: self.placing)
        return escapes or claims(event, *self.KEYS, but=MODIFIERS) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk to the neighbouring rectangle or move the new point, + and − zoom, 0 and Home show all; Esc wants
        no new point any more."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self.placing:
            self.left.emit()
        elif key in ARROWS and self.placing:
            self._step(*ARROWS[key])
        elif key in ARROWS:
            self._walk(*ARROWS[key])
        elif key in CLOSER + BACK:
            step = 1 / STEP if key in CLOSER else STEP
            self.getViewBox().scaleBy((step, step))
        elif key in WHOLE:
            self.see_all()
        else:
            event.ignore()

    def _walk(self, right: int, up: int) -> None:
        """Picks the rectangle beside the selected one; the one in its middle where that is no single rectangle."""
        shapes = self.drawing.shapes
        if shapes is None:
            return
        boxes, (x, y) = self._finite(shapes.boxes), self._middle(shapes.selected)
        here = tile_at(boxes, x, y)
        if here >= 0 and np.array_equal(shapes.boxes[here], shapes.selected):
            (left, far), (bottom, top) = self.getViewBox().viewRange()
            box = boxes[here]
            x = x if not right else box[2 if right > 0 else 0] + right * BESIDE * (far - left)
            y = y if not up else box[3 if up > 0 else 1] + up * BESIDE * (top - bottom)
            here = tile_at(boxes, x, y)
        if here >= 0:
            self.picked.emit(int(shapes.tiles[here]))


def axes(picture: Picture, table: "engine.Table", log_across: bool, log_up: bool) -> tuple[AxisShown, AxisShown]:
    """(the horizontal axis, the vertical one) of a picture; logarithmic where that is wished and the column can be."""
    (left, right, bottom, top), asked = picture.ends, picture.asked
    strip = AxisShown(NONE, tr("leaves, as wide as their training rows"), (left, right))
    across = _axis(table, asked.across, (left, right), log_across) if asked.across else strip
    if asked.up == table.target and table.task == "classes":
        if not asked.across:
            return across, AxisShown(NUMBER, tr("share of each class"), (bottom, top))
        return across, AxisShown(LEVELS, asked.up, (bottom, top), table.classes)
    return across, _axis(table, asked.up, (bottom, top), log_up)


def _axis(table: "engine.Table", name: str, ends: tuple[float, float], log: bool) -> AxisShown:
    kind = DATE if table.column(name).kind == "date" else LOG if log and can_be_log(table, name) else NUMBER
    return AxisShown(kind, name, ends)


def can_be_log(table: "engine.Table", name: str) -> bool:
    """Whether the axis of a column, or of `LEAVES`, can be logarithmic."""
    if name == LEAVES or (name == table.target and table.task == "classes"):
        return False
    column = table.column(name)
    if not column.is_numeric or column.kind == "date":
        return False
    present = np.bincount(column.codes[table.unsealed], minlength=column.values.size + 1)[1:] > 0
    return scales.can_be_log(column.values[present])


def shapes(picture: Picture, across: AxisShown, up: AxisShown, focus: int, colouring: Colouring) -> Shapes:
    """What is drawn of a picture, in places on its axes."""
    cuts, strip = picture.cuts, not picture.asked.across
    upright = cuts.axis == X
    at, low, high = (
        np.where(upright, first.places(values), second.places(values))
        for values, first, second in ((cuts.at, across, up), (cuts.low, up, across), (cuts.high, up, across))
    )

    def placed(values: NDArray[np.float64], *axes: AxisShown) -> NDArray[np.float64]:
        return np.column_stack([axis.places(values[:, k]) for k, axis in enumerate(axes)])

    shade, inks = point_colours(picture, focus)
    lines, overlap = picture.lines, picture.asked.way == ALL and not strip and picture.tiles.size > 1
    leaf, node = picture.tiles[picture.tile_of], picture.asked.node
    faint = overlap & ((leaf < node) | (leaf >= picture.tree.end[node]))
    return Shapes(
        picture.tiles, placed(picture.boxes, across, up, across, up), picture.tree.n_branches[picture.tiles] > 0,
        overlap, placed(picture.selected_box[None], across, up, across, up)[0], cuts.node, cuts.axis, at, low, high,
        cuts.letters, tuple(captions(picture)), placed(lines, across, across, up),
        placed(np.column_stack((picture.x, picture.y)), across, up), shade, picture.held_out, inks, faint, colouring,
    )  # fmt: skip


def captions(picture: Picture) -> list[str]:
    """The letter of each cut, with the impurity of the rows that it divides: "a 0.64"."""
    cuts, by_class = picture.cuts, picture.tree.task == "classes"
    found = [picture.impurity.get(node) for node in cuts.node.tolist()]
    said = ["" if one is None else f" {one:.2f}" if by_class else f" {words.value(one)}" for one in found]
    return [letter + text for letter, text in zip(cuts.letters, said, strict=True)]


def point_colours(picture: Picture, focus: int) -> tuple[NDArray[np.int64], tuple[QColor, ...]]:
    """(int64[k]: which colour each point has, the colours): by class, or by how far the value lies from the mean."""
    tree, colours = picture.tree, theme.current()
    if tree.task == "classes":
        n = len(tree.classes)
        return picture.target.astype(np.int64), tuple(colours.class_colour(k, n, focus) for k in range(n))
    weight, total, squares = tree.train[0]
    mean, spread = total / weight + tree.origin, np.sqrt(squares / weight)
    distance = (picture.target - mean) / (DEVIATIONS * spread) if spread > 0 else np.zeros(picture.target.size)
    steps = np.rint(distance.clip(-1, 1) * SHADES).astype(np.int64) + SHADES
    return steps, tuple(colours.scale(step / SHADES, ribbon=True) for step in range(-SHADES, SHADES + 1))
