"""`python -m tests.figures`: draws the figures of the handbook with the program as it is now, into
`resources/help/figures`. It acts on a window without a screen, and takes pictures of its parts.

A picture has two pixels for each pixel of the page, and the 256 colours that are most frequent in it."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ |= {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2", "ESPALIER_HOME": tempfile.mkdtemp()}

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from gui import theme
from gui.help.pages import FOLDER
from gui.model import judging
from gui.model.document import Document
from gui.model.view_state import folding
from gui.panels.this_node.why.figure import Drawing
from gui.settings import Settings
from gui.window.window import Window

SIZE = (1280, 760)
FOLDED_TO = 4  # levels
REPLAYED = 8  # the step of the replay that is shown
NEW_POINT = (36.0, 20.0)  # length and depth of the bill
LOW = 560  # pixels of a window whose panels are taken
PAGE = 680  # pixels: no figure is wider on its page
COLOURS = 256
WAIT = 300.0  # seconds for a job


def until(application: QApplication, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end, "something still runs"
        application.processEvents()
        time.sleep(0.01)
    for _ in range(20):
        application.processEvents()
        time.sleep(0.01)


def few_colours(image: QImage) -> QImage:
    """The picture in its most frequent colours, each other pixel in the nearest of them."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[:, : image.width()]
    colours, counts = np.unique(pixels, return_counts=True)
    table = [int(colour) for colour in colours[np.argsort(-counts)][:COLOURS]]
    return image.convertToFormat(QImage.Format.Format_Indexed8, table, Qt.ImageConversionFlag.AvoidDither)


def take(widget: QWidget, name: str) -> None:
    image = widget.grab().toImage()
    if image.width() > 2 * PAGE:
        image = image.scaledToWidth(2 * PAGE, Qt.TransformationMode.SmoothTransformation)
    image.setDevicePixelRatio(1.0)
    path = FOLDER / "figures" / f"{name}.png"
    assert few_colours(image).save(str(path)), path
    print(f"{path.name:20} {image.width()} × {image.height()} pixels, {path.stat().st_size / 1024:.0f} KB")


def draw(application: QApplication) -> None:
    window = Window(Document(), Settings())
    document, panels, places = window.document, window.panels, window.places
    window.resize(*SIZE)
    window.show()

    def rest() -> None:
        until(application, lambda: not (document.jobs.busy or document.edits.running or document.cutback.comparing))

    def open_example(name: str) -> None:
        document.history.stack.setClean()  # or it would be asked whether to save
        before = document.table
        window.opening.example(name)
        until(application, lambda: document.table is not before)
        rest()

    def split(column: str) -> None:
        document.accept(next(one for one in document.candidates or () if one.column == column))
        rest()

    def large(place: str, panel: str, name: str) -> None:
        window.show_panel(panel)
        places.enlarge(place)
        rest()
        take(panels[panel], name)
        places.enlarge("")

    open_example("penguins")
    take(panels["candidates"], "candidates")
    split("flipper_length_mm")
    split("bill_length_mm")
    take(window, "window")
    window.show_panel("search")
    rest()
    take(places.homes["data"], "search")
    window.show_panel("columns")
    replay = window.show_panel("replay")
    replay.begin.click()
    rest()
    document.replaying.go(REPLAYED)
    rest()
    take(places.middle, "replay")
    document.replaying.end()
    places.open("")
    window.resize(SIZE[0], LOW)
    document.tree_edits.grow_all()
    rest()
    window.prune("cost_complexity")
    rest()
    large("prune", "pruning", "prune")
    large("plane", "plane", "plane")
    plane = window.show_panel("plane")
    plane.together.click()
    plane.drop.click()
    places.enlarge("plane")
    rest()
    plane.plot.placed.emit(*NEW_POINT)  # as the mouse does
    rest()
    take(plane, "together")
    plane.drop.click()
    places.enlarge("")
    judge = window.show_panel("judge")
    for way in (judging.FOLDS, judging.FOREST):
        judge.how.setCurrentIndex(next(k for k in range(judge.how.count()) if judge.how.itemData(k)[0] == way))
        judge.run.click()
        rest()
    large("judge", "judge", "judge")
    places.open("")
    document.look.set(kind="streams")
    rest()
    take(window.canvas, "streams")
    document.following.follow_row(0)
    rest()
    take(window.canvas, "following")
    document.following.end_row()
    document.look.set(kind="cards")
    open_example("concrete")
    document.tree_edits.grow_all()
    rest()
    window.canvas.fit()
    rest()
    take(window.canvas, "large")
    folding.show_levels(document, FOLDED_TO)
    rest()
    window.canvas.fit()
    rest()
    take(window.canvas, "folding")
    open_example("purity")
    large("split", "why", "why")
    figure: QWidget = window.show_panel("why").findChild(Drawing)
    figure.setFixedSize(480, 400)
    rest()
    take(figure, "criteria")
    window.close()


def main() -> int:
    application = QApplication(sys.argv[:1])
    theme.set_mode("light")
    theme.apply(application)
    Path(FOLDER / "figures").mkdir(exist_ok=True)
    draw(application)
    return 0


if __name__ == "__main__":
    sys.exit(main())
