"""How large a picture will be and how much of the tree it shows, in one sentence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSizeF

from gui.model.view_state.folding import summary
from gui.picture.cards.frame import FULL, Frame
from gui.picture.cards.scene import Scene
from gui.picture.paper.pages import SLIDE, planned_page, tiling
from gui.picture.paper.picture import MOST_AREA, MOST_PIXELS, Planned, planned, planned_drawing
from gui.picture.paper.sheet import Sheet, View, Wish
from gui.picture.picture_model import Drawn
from gui.picture.streams.frame import StreamFrame
from gui.picture.streams.scene import Streams
from gui.wording import words

MILLIMETRES = 25.4 / 72  # of a point
MOST_TOLD = f"a PNG holds {MOST_AREA / 1e6:.0f} million pixels, {words.count(MOST_PIXELS)} a side"


def outcome(scene: Drawn, suffix: str, wish: Wish, top: int, view: View | None) -> str:
    """The sentence.

    Raises:
        InputError: there would be too many pages.
    """
    if suffix == ".html":
        n = int(scene.tree.end[top]) - top
        folds = ", some folded at first" * (scene.folded is not None)
        nodes = f"{words.count(n)} {'node' if n == 1 else 'nodes'}{folds}"
        return f"One file with {nodes}, for any browser; it needs no network."
    if suffix == ".pdf" and wish.page and wish.split and wish.page != SLIDE:
        tiles = tiling(scene, wish, top, view)
        n = tiles.rows * tiles.columns
        pages = "1 page" if n == 1 else f"{n} pages, {tiles.rows} × {tiles.columns},"
        return f"{pages} of {wish.page}: {_detail(tiles.sheet, view)}."
    if suffix == ".pdf":
        page = planned_page(scene, wish, top, view)
        sides = " × ".join(words.count(round(side * MILLIMETRES)) for side in page.points)
        return f"1 page of {sides} mm: {_detail(page.sheet, view)}."
    plan = (planned if suffix == ".png" else planned_drawing)(scene, wish, top, view)
    size = f"{words.count(plan.width)} × {words.count(plan.height)} pixels"
    return f"{size}: {_detail(plan.sheet, view)}.{_limit(plan, wish) if suffix == '.png' else ''}"


def _limit(plan: Planned, wish: Wish) -> str:
    """Why a PNG is not what was wished for."""
    if plan.squeezed:
        return f" The tree is drawn closer together, for {MOST_TOLD}: SVG and PDF keep it whole."
    if wish.box is None and plan.scale < wish.scale - 0.05:
        return f" Sharpness × {plan.scale:.1f}, for {MOST_TOLD}."
    return ""


def _detail(sheet: Sheet, view: View | None) -> str:
    """How much of the tree is not folded away, and for how much of the cards there is room."""
    scene = sheet.scene
    unfolded = "" if scene.folded is None else f"{summary(scene.tree, scene.folded)}; "
    return unfolded + _words_shown(sheet, view)


def _words_shown(sheet: Sheet, view: View | None) -> str:
    if view is not None:
        return "as the view shows it"
    if isinstance(sheet.scene, Streams):
        return _streams_detail(sheet, sheet.scene)
    assert isinstance(sheet.scene, Scene)
    frame = Frame(sheet.scene, sheet.camera)
    nodes = _drawn(sheet)
    named = int(frame.are_named(nodes).sum())
    if named < nodes.size:
        return f"{words.count(named)} of {words.count(nodes.size)} nodes have room for words, the others are boxes"
    small = frame.scales[sheet.scene.levels.level[nodes]].min() < FULL
    return "small cards show their names only" if small else "every card is whole"


def _drawn(sheet: Sheet) -> NDArray[np.intp]:
    """The positions of the nodes that are not folded away."""
    scene = sheet.scene
    nodes = np.arange(sheet.top, int(scene.tree.end[sheet.top]))
    return nodes if scene.folded is None else nodes[~scene.folded.are_hidden(nodes)]


def _streams_detail(sheet: Sheet, scene: Streams) -> str:
    """How many bars have words beside them."""
    frame = StreamFrame(scene, sheet.camera, QSizeF(sheet.width, sheet.height), sheet.top)
    nodes = _drawn(sheet)
    written = int((frame.tiers(nodes) > 0).sum())
    if written < nodes.size:
        return f"{words.count(written)} of {words.count(nodes.size)} nodes have room for words, the others are bars"
    return "every node has its words"
