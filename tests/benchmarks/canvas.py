"""`python -m tests.benchmarks.canvas`: how long the canvas takes to paint trees, lay them out, fold, follow the mouse.

Every repaint is uncached: 1600 × 1000 pixels, the background, the tree and its legend, each time with another part in
view where the view has parts. Nothing is warmed up beforehand but the kernels, as in the program: the worst repaint is
often the first. Garbage is collected between repaints; the table says how often it was in the midst of one.
"""

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication

import engine
from engine.tree.tree import Tree
from gui import theme
from gui.canvas.view import TreeView
from gui.garbage import GarbageCollector, keep_memory
from gui.model.view_state import folding
from gui.picture import legend
from gui.picture.camera import Camera
from gui.picture.cards.painter import Marks
from gui.picture.cards.scene import GAP
from gui.picture.kinds import KINDS, kind_of, prepare
from gui.picture.levels import layout, levels_of, warm_up
from gui.picture.nodes.letters import PLAIN, Letters, fonts
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import PictureOptions
from gui.picture.tree_cache import book
from tests.benchmarks.shapes import SHAPES, tree_of
from tests.gui.canvas.trees import Shown

SIZE = (1_600, 1_000)
NODES = (500, 10_000, 200_000)
REPEATS, STEPS, MOVES, FOLDED = 30, 240, 60, 10  # repaints of a view, of a sweep, movements of the mouse, branches
MID, DEEP = 0.42, 1.0  # of the natural size of cards

words = argparse.ArgumentParser(prog="python -m tests.benchmarks.canvas", description=__doc__.partition("\n\n")[2])
words.add_argument("--nodes", type=int, action="append", default=[], help="other sizes of trees")
words.add_argument("--kind", choices=sorted(KINDS), action="append", default=[], help="only these kinds of picture")
words.add_argument("--shape", choices=SHAPES, action="append", default=[], help="only these shapes")


@dataclass
class Times:
    """Milliseconds of the same thing done several times: processor of this thread, and wall."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def time(self, once: Callable[[], object]) -> None:
        cpu, wall = time.thread_time(), time.perf_counter()
        once()
        self.wall.append(1e3 * (time.perf_counter() - wall))
        self.cpu.append(1e3 * (time.thread_time() - cpu))

    def __str__(self) -> str:
        return (
            f"{median(self.cpu):8.2f}{max(self.cpu):8.2f}   {median(self.wall):8.2f}{max(self.wall):8.2f}"
            if self.cpu
            else "–"
        )


class Collections:
    """Counts how often Python collects garbage in the midst of something."""

    def __init__(self) -> None:
        self.found = 0
        self.counting = False
        gc.callbacks.append(self._on_collection)

    def _on_collection(self, phase: str, info: dict[str, int]) -> None:
        self.found += self.counting and phase == "start"


def scene_of(kind: str, tree: Tree) -> PictureModel:
    return KINDS[kind].scene(tree, 1, theme.LIGHT, Letters())


def unseen(tree: Tree) -> Tree:
    """The same tree, of which nothing is known but what a worker finds out ahead."""
    again = replace(tree)
    prepare(again, PictureOptions())
    return again


def views(scene: PictureModel) -> dict[str, list[Camera]]:
    """What is looked at: for each kind of view the cameras of its repaints."""
    fitted = scene.fitted(SIZE[0], SIZE[1] - legend.HEIGHT)
    rng = np.random.default_rng(1)
    middle = rng.integers(0, scene.tree.n_nodes, REPEATS).tolist()
    return {
        "fitted": [fitted] * REPEATS,
        "mid zoom": [_at(scene, fitted, MID, i) for i in middle],
        "deep zoom": [_at(scene, fitted, DEEP, i) for i in middle],
        "zoom sweep": list(_sweep(scene, fitted, middle[0])),
    }


def _at(scene: PictureModel, fitted: Camera, zoom: float, i: int) -> Camera:
    """A camera with node i in the middle of the view."""
    camera = fitted.zoomed(zoom / fitted.zoom, 0.0, 0.0)
    place = kind_of(scene).frame(scene, camera, QSizeF(*SIZE)).points()
    return camera.moved(SIZE[0] / 2 - float(place[0][i]), SIZE[1] / 2 - float(place[1][i]))


def _sweep(scene: PictureModel, fitted: Camera, i: int) -> Iterator[Camera]:
    """From the fit to twice the natural size of a node in even steps, and back."""
    for way in (*np.linspace(0.0, 1.0, STEPS // 2), *np.linspace(1.0, 0.0, STEPS // 2)):
        zoom = fitted.zoom * (2.0 / fitted.zoom) ** float(way)
        camera = _at(scene, fitted, zoom, i)
        share = min(1.0, 4 * float(way))  # the fit stands where it stands
        back = fitted.zoomed(zoom / fitted.zoom, SIZE[0] / 2, SIZE[1] / 2)
        yield camera.moved((1 - share) * (back.x - camera.x), (1 - share) * (back.y - camera.y))


def repaints(scene: PictureModel, cameras: list[Camera], collections: Collections) -> Times:
    """Paints as the canvas does, with a selected node and a hovered one."""
    times, collector = Times(), GarbageCollector()
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(scene.theme.canvas)  # a window has its pixels before there is a tree
    rng = np.random.default_rng(2)

    def paint(camera: Camera, marks: Marks) -> None:
        painter = QPainter(image)
        painter.fillRect(image.rect(), scene.theme.canvas)
        kind_of(scene).paint(painter, scene, camera, SIZE[0], SIZE[1], marks)
        legend.paint(painter, scene, 10, SIZE[1] - legend.HEIGHT, SIZE[0] - 20)
        painter.end()

    for camera in cameras:
        marks = Marks(*rng.integers(0, scene.tree.n_nodes, 2).tolist(), focused=True)
        collections.counting = True
        times.time(lambda camera=camera, marks=marks: paint(camera, marks))
        collections.counting = False
        collector.look()
    collector.end()
    return times


def pointing(kind: str, tree: Tree) -> tuple[Times, Times]:
    """(hovering, selecting): what the thread of the window does in the canvas from the mouse's event on, without the
    repaint that follows, over a tree that is fitted and one that is looked at closely."""
    document = Shown(None, tree)
    document.look.set(kind=kind)
    view = TreeView(document)
    view.resize(*SIZE)
    hovering, selecting, rng = Times(), Times(), np.random.default_rng(3)
    for closer in (False, True):
        view.fit()
        if closer:
            view.actual_size()
        places = (rng.random((MOVES, 2)) * SIZE).tolist()
        for x, y in places:
            hovering.time(lambda x=x, y=y: _mouse(view, QEvent.Type.MouseMove, x, y))
        for x, y in places:
            selecting.time(lambda x=x, y=y: _mouse(view, QEvent.Type.MouseButtonPress, x, y))
            _mouse(view, QEvent.Type.MouseButtonRelease, x, y)
        ids = rng.choice(tree.ids, MOVES).tolist()
        for node in ids:
            selecting.time(lambda node=node: document.select(node))
    view.deleteLater()
    return hovering, selecting


def folds(kind: str, tree: Tree) -> Times:
    """Folding branches and unfolding them, and showing a level less, until the canvas is to be repainted."""
    document = Shown(None, tree)
    document.look.set(kind=kind)
    view = TreeView(document)
    view.resize(*SIZE)
    inner, times = np.flatnonzero(tree.n_branches > 0), Times()
    for i in inner[np.linspace(0, inner.size - 1, FOLDED).astype(np.int64)].tolist():
        for _ in range(2):
            times.time(lambda i=i: folding.toggle(document, int(tree.ids[i])))
    for _ in range(FOLDED):
        times.time(lambda: folding.show_more(document, -1))
    view.deleteLater()
    return times


def _mouse(view: TreeView, event: QEvent.Type, x: float, y: float) -> None:
    button = Qt.MouseButton.NoButton if event == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    place = QPointF(x, y)
    QApplication.sendEvent(view, QMouseEvent(event, place, place, button, button, Qt.KeyboardModifier.NoModifier))


def layouts(tree: Tree) -> Times:
    """Laying out cards of different widths, from the levels of the tree on."""
    widths, times = np.random.default_rng(4).uniform(58.0, 190.0, tree.n_nodes), Times()
    levels = levels_of(tree)
    for _ in range(5):
        times.time(lambda: layout(levels, widths, GAP))
    return times


def bytes_per_node(scene: PictureModel) -> float:
    """Of all arrays that a scene needs, those that are kept with its tree among them, without the tree's own."""
    tree = scene.tree
    own, seen, arrays = {id(array) for array in tree.nodes}, set(), {}
    waiting = [scene, book(tree)]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or thing is tree:
            continue
        seen.add(id(thing))
        if isinstance(thing, np.ndarray):
            whole = thing if thing.base is None or not isinstance(thing.base, np.ndarray) else thing.base
            if id(whole) not in own:
                arrays[id(whole)] = whole.nbytes
        elif isinstance(thing, dict):
            waiting += thing.values()
        elif isinstance(thing, (list, tuple)):
            waiting += thing
        elif type(thing).__module__.startswith("gui.canvas"):
            waiting += vars(thing).values()
    return sum(arrays.values()) / tree.n_nodes


def yardstick() -> Times:
    """A thousand short texts in a fixed place: says how quick the machine is, and how busy with other things."""
    image, letters, times = QImage(*SIZE, QImage.Format.Format_RGB32), fonts(1.0)[PLAIN], Times()

    def write() -> None:
        painter = QPainter(image)
        painter.fillRect(image.rect(), theme.LIGHT.canvas)  # as an empty canvas does before there is a tree
        painter.setFont(letters)
        for k in range(1_000):
            painter.drawText(QPointF(40.0, 40.0), f"{k:,} · 18 %")
        painter.end()

    for _ in range(REPEATS):
        times.time(write)
    return times


def report(what: str, times: Times, more: str = "") -> None:
    print(f"{what:<46}{times}{more}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    chosen = words.parse_args(arguments)
    _application = QApplication.instance() or QApplication([])
    collections = Collections()
    keep_memory()  # as the program does
    engine.warm_up()  # where nobody waits for it
    warm_up()
    print(f"{'ms':<46}{'cpu: median   worst':>16}   {'wall: median  worst':>16}")
    report("a thousand texts, as a yardstick", yardstick())
    for shape in chosen.shape or SHAPES:
        for n in chosen.nodes or NODES:
            tree = tree_of(n, shape)
            report(f"layout · {shape} · {n:,}", layouts(tree))
            for kind in chosen.kind or sorted(KINDS):
                name = f"{kind} · {shape} · {n:,}"
                scene = scene_of(kind, tree)
                for view, cameras in views(scene).items():
                    collections.found = 0
                    times = repaints(scene_of(kind, unseen(tree)), cameras, collections)
                    report(f"{name} · {view}", times, f"   {collections.found} collections" * bool(collections.found))
                for what, times in zip(("hovering", "selecting"), pointing(kind, tree), strict=True):
                    report(f"{name} · {what}", times)
                print(f"{name} · {bytes_per_node(scene):.0f} bytes for each node", flush=True)
                report(f"{name} · folding", folds(kind, tree))
    report("a thousand texts, again", yardstick())
    return 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
