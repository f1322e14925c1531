"""The kinds of picture that the canvas can show of a tree. The view, its mouse and its keys are the same for all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import QGuiApplication

import engine
from gui.picture.camera import Camera
from gui.picture.cards.frame import Frame
from gui.picture.cards.painter import paint
from gui.picture.cards.scene import Scene
from gui.picture.fold_marks import Placed
from gui.picture.folds import folded_of
from gui.picture.nodes.cards import MOST_MEASURED
from gui.picture.nodes.letters import Letters
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import PictureOptions
from gui.picture.streams import scene as streams_places
from gui.picture.streams.frame import StreamFrame
from gui.picture.streams.painter import paint as paint_streams
from gui.picture.streams.scene import Streams
from gui.theme import LIGHT

Key = Qt.Key
SAID_AHEAD = 120  # nodes of a large tree whose words are made before it is shown


@dataclass(frozen=True)
class Kind:
    """One way to draw a tree."""

    scene: type[PictureModel]  # what is drawn of a tree
    frame: Callable[[Any, Camera, QSizeF], Placed]  # args: the scene, a camera, the size of the screen
    paint: Callable[..., None]  # args as of `gui.picture.cards.painter.paint`
    keys: Mapping[Any, Any] = field(default_factory=dict)  # for which arrow of cards an arrow stands


CARDS = Kind(Scene, lambda scene, camera, size: Frame(scene, camera), paint)
# The tree grows to the right: there are the children, and siblings stand above and below.
TURNED = {Key.Key_Left: Key.Key_Up, Key.Key_Right: Key.Key_Down, Key.Key_Up: Key.Key_Left, Key.Key_Down: Key.Key_Right}
STREAMS = Kind(Streams, StreamFrame, paint_streams, TURNED)
KINDS = {"cards": CARDS, "streams": STREAMS}


def kind_of(scene: PictureModel) -> Kind:
    return next(kind for kind in KINDS.values() if isinstance(scene, kind.scene))


def prepare(tree: "engine.Tree", options: PictureOptions) -> None:
    """Computes ahead what is kept with a large tree: its layout, its colours, the words of the largest nodes."""
    if tree.n_nodes > MOST_MEASURED and QGuiApplication.instance() is not None:  # which fonts need
        cards = Scene(tree, 1 if len(tree.classes) == 2 else 0, LIGHT, Letters(), options).cards
        folded = folded_of(tree, options.folds)
        streams_places.places_of(tree, options.part_of(tree), folded)  # the tree may be turned at any time
        for i in np.argsort(-tree.rows_train, kind="stable")[:SAID_AHEAD].tolist():
            cards.texts(i)
            cards.label(i)
