"""The kinds of picture that the canvas can show of a tree. The view, its mouse and its keys are the same for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt

from gui.canvas.camera import Camera
from gui.canvas.frame import Frame
from gui.canvas.painter import paint
from gui.canvas.scene import Drawn, Scene
from gui.canvas.streams_frame import StreamFrame
from gui.canvas.streams_painter import paint as paint_streams
from gui.canvas.streams_scene import Streams

Key = Qt.Key


class Placed(Protocol):
    """Where the nodes stand on the screen."""

    def box(self, i: int) -> QRectF:
        """Around what a person takes for node i."""

    def anchor(self, i: int) -> QPointF:
        """The point of node i that an edit leaves where it is."""

    def node_at(self, x: float, y: float) -> int:
        """The position of the node drawn at a point, −1 where there is none."""

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """float64[n_nodes] twice: where all nodes stand."""


@dataclass(frozen=True)
class Kind:
    """One way to draw a tree.

    Attributes:
        scene: makes what is drawn of a tree, its colours, its class in focus; the arguments are those of `Scene`.
        frame: args: the scene, a camera, the size of the screen.
        paint: args as of `gui.canvas.painter.paint`.
        keys: which arrow of the picture from top to bottom an arrow stands for.
    """

    scene: Callable[..., Drawn]
    frame: Callable[[Any, Camera, QSizeF], Placed]
    paint: Callable[..., None]
    keys: Mapping[Any, Any] = field(default_factory=dict)


CARDS = Kind(Scene, lambda scene, camera, size: Frame(scene, camera), paint)
# The tree grows to the right: there are the children, and siblings stand above and below.
TURNED = {Key.Key_Left: Key.Key_Up, Key.Key_Right: Key.Key_Down, Key.Key_Up: Key.Key_Left, Key.Key_Down: Key.Key_Right}
STREAMS = Kind(Streams, StreamFrame, paint_streams, TURNED)
KINDS = {"cards": CARDS, "streams": STREAMS}


def kind_of(scene: Drawn) -> Kind:
    """The kind of picture that a scene was made for."""
    return STREAMS if isinstance(scene, Streams) else CARDS
