"""What the window's tests share: a home of their own, no thread and no window left behind, tables of a few rows."""

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyqtgraph
import pytest
import shiboken6
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import engine
from gui import messages
from gui.canvas import motion
from gui.document import Document
from gui.files.autosave import Autosave
from gui.jobs import Jobs
from gui.picture import warming
from gui.settings import Settings
from gui.window import Window
from tests.gui.acting import rest
from tests.gui.asked import give_up


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """With an empty cache the compiler takes a minute, which no test of the window waits for."""
    engine.warm_up()
    warming.warm_up()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The canvas is where it is sent at once; tests of the way there give it a duration. Plots follow every move of
    the mouse, not a hundred a second, or it would be chance which one they see."""
    monkeypatch.setattr(motion, "DURATION", 0.0)
    monkeypatch.setitem(pyqtgraph.CONFIG_OPTIONS, "mouseRateLimit", 0)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the program keeps settings, copies and log during one test."""
    QStandardPaths.setTestModeEnabled(True)
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ESPALIER_HOME", str(folder))
    return folder


def remembering(monkeypatch: pytest.MonkeyPatch, kind: type) -> list[Any]:
    """The objects of a class made from now on."""
    made: list[Any] = []
    make = kind.__init__

    def remember(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        made.append(self)

    monkeypatch.setattr(kind, "__init__", remember)
    return made


def windows() -> list[QWidget]:
    """All windows. Collecting garbage meanwhile could delete one of them, before it stands in the list."""
    gc.disable()
    try:
        return QApplication.topLevelWidgets()
    finally:
        gc.enable()


@pytest.fixture(autouse=True)
def nothing_left(home: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends the workers that a test started, and fails it when a thread or a window stays behind."""
    jobs, documents = remembering(monkeypatch, Jobs), remembering(monkeypatch, Document)
    messages.door.take()
    gc.disable()  # as in the program (`gui.garbage`): a worker that collects would end Qt objects in its own thread
    yield
    for document in documents:
        if shiboken6.isValid(document):
            document.shutdown()
            shiboken6.delete(document)  # here and now: left to the garbage collector, it may go in another thread
    for made in jobs:
        if shiboken6.isValid(made):
            made.shutdown()
    gc.enable()
    messages.door.take()
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("espalier")]
    assert not left, f"threads left behind: {left}"
    shown = [widget for widget in windows() if widget.isVisible()]
    for widget in shown:
        widget.close()
    assert not shown, f"windows left behind: {shown}"


@pytest.fixture
def document(nothing_left: None) -> Document:
    """A document without a table."""
    return Document()


@pytest.fixture
def posted() -> Callable[[], list[str]]:
    """The messages posted since it was asked last, as "level: text"."""
    return lambda: [f"{message.level}: {message.text}" for message in messages.door.take()]


@pytest.fixture
def xor() -> engine.Table:
    """The four rows of exclusive or: no first split gains anything."""
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "z": [0, 1, 0, 1], "y": ["no", "yes", "yes", "no"]})
    return engine.Table.from_frame(frame, target="y", name="xor")


@pytest.fixture
def flowers() -> engine.Table:
    """120 rows, three classes, two numbers, a level column with missing values; every fourth row validates."""
    return flower_table().with_partition(validation=0.25)


def flower_table() -> engine.Table:
    """The rows of `flowers`, all of them training."""
    rows = range(120)
    kinds = ["rose", "iris", "lily"]
    frame = pd.DataFrame(
        {
            "length": [(7 * i) % 40 / 4 + 3 * (i % 3) for i in rows],
            "width": [((11 * i) % 30) / 3 + (i % 5 == 0) for i in rows],
            "soil": [None if i % 17 == 0 else ["clay", "sand", "loam"][(i // 3 + (i % 3 == 1)) % 3] for i in rows],
            "kind": [kinds[i % 3] if i % 10 else kinds[(i + 1) % 3] for i in rows],
        }
    )
    return engine.Table.from_frame(frame, target="kind", name="flowers")


@pytest.fixture
def opened(qtbot: QtBot, document: Document, flowers: engine.Table) -> Document:
    """A document with the flowers."""
    document.set_table(flowers)
    rest(qtbot, document)
    return document


@pytest.fixture
def exclusive(qtbot: QtBot, document: Document, xor: engine.Table) -> Document:
    """A document with the four rows of exclusive or."""
    document.set_table(xor)
    rest(qtbot, document)
    return document


@pytest.fixture
def make(qtbot: QtBot, home: Path) -> Callable[[], Window]:
    """Makes a window as a start of the program does; at the end it closes without questions."""

    def make() -> Window:
        document = Document()
        window = Window(document, Settings(), Autosave(document, home / "autosave", seconds=0))
        qtbot.addWidget(window, before_close_func=give_up)
        window.resize(1400, 900)
        window.show()
        qtbot.waitExposed(window)
        return window

    return make


@pytest.fixture
def window(make: Callable[[], Window]) -> Window:
    """A window without a table."""
    return make()


@pytest.fixture
def full(qtbot: QtBot, window: Window, flowers: engine.Table) -> Window:
    """A window with the flowers in it."""
    window.document.set_table(flowers)
    rest(qtbot, window)
    return window


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The flowers as a file, without a partition."""
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    return path
