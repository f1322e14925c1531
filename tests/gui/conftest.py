"""What the window's tests share: a home of their own, no thread and no window left behind, tables of a few rows."""

import gc
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyqtgraph
import pytest
import shiboken6
from PySide6.QtCore import QStandardPaths
from PySide6.QtQml import QJSEngine
from PySide6.QtWidgets import (
    QApplication,
    QWidget,
)
from pytestqt.qtbot import QtBot

import engine
from gui import messages, theme
from gui.canvas import motion
from gui.files.autosave import Autosave
from gui.model.document import Document
from gui.model.jobs import Jobs
from gui.picture import levels
from gui.picture.paper.web_page import SCRIPTS, VIEWER
from gui.settings import Settings
from gui.window.window import Window
from tests.gui.acting import do, fill, put_back, rest
from tests.gui.asked import give_up
from tests.gui.canvas.web_pages import _text
from tests.gui.tables import flower_table

KEPT: list[Window] = []  # the windows that outlive a test


@pytest.fixture(scope="session", autouse=True)
def compiled(pytestconfig: pytest.Config) -> None:
    """With an empty cache the compiler takes a minute, which no test of the window waits for; where processes share
    the tests, this was done before they began."""
    if not hasattr(pytestconfig, "workerinput"):
        engine.warm_up()
        levels.warm_up()
    gc.collect()
    gc.freeze()


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
    gc.disable()  # once more: some tests turn it on
    return QApplication.topLevelWidgets()


@pytest.fixture(scope="module")
def module_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window that the tests of a module share, each by `kept_window`: making one takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ESPALIER_HOME", str(tmp_path_factory.mktemp("home")))
        window = Window(Document(), Settings())
    KEPT.append(window)
    yield window
    KEPT.remove(window)
    window.document.shutdown()
    window.close()
    shiboken6.delete(window)
    shiboken6.delete(window.document)


@pytest.fixture
def kept_window(qtbot: QtBot, module_window: Window, nothing_left: None) -> Iterator[Window]:
    """The window of the module as after a start, without a table and not shown yet; put back after the test."""
    yield module_window
    put_back(qtbot, module_window)


@pytest.fixture(autouse=True)
def nothing_left(home: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends the workers that a test started, and fails it when a thread or a window stays behind."""
    jobs, documents = remembering(monkeypatch, Jobs), remembering(monkeypatch, Document)
    messages.door.take()
    # As in the program (`gui.garbage`): a worker that collects would end Qt objects in its own thread. So would a
    # thread of pytest's between two tests, or the worker of a kept window: from here on what is due follows each test.
    gc.disable()
    # A worker that has to compile a kernel cannot be stopped; on a busy machine that takes longer than a person waits.
    monkeypatch.setattr("gui.model.jobs.JOIN_SECONDS", 60.0)
    yield
    for document in documents:
        if shiboken6.isValid(document):
            document.shutdown()
            shiboken6.delete(document)  # here and now: left to the garbage collector, it may go in another thread
    for made in jobs:
        if shiboken6.isValid(made):
            made.shutdown()
    messages.door.take()
    kept = [window.document.jobs._thread for window in KEPT]
    left = [each.name for each in threading.enumerate() if each.name.startswith("espalier") and each not in kept]
    assert not left, f"threads left behind: {left}"
    shown = [widget for widget in windows() if widget.isVisible() and widget not in KEPT]
    for widget in shown:
        widget.close()
    shown = [widget for widget in shown if widget.objectName() != "qtooltip_label"]  # Qt's own, which ends by a timer
    assert not shown, f"windows left behind: {shown}"


@pytest.fixture
def system_again(qapp: QApplication) -> Iterator[None]:
    """Whatever theme a test chooses, the next one begins with the system's."""
    yield
    theme.set_mode("system")


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
def full(qtbot: QtBot, kept_window: Window, flowers: engine.Table) -> Window:
    """A window with the flowers in it."""
    return fill(qtbot, kept_window, flowers)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The flowers as a file, without a partition."""
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    return path


@pytest.fixture
def script(qapp):
    """The page's script: answers what an expression of its functions is, for a tree of the page."""
    engine = QJSEngine()
    engine.globalObject().setProperty("Path2D", engine.evaluate("(function () {})"))
    whole = "\n".join((VIEWER / name).read_text("utf-8") for name in SCRIPTS)
    assert _text(engine.evaluate(f'"use strict";\n{whole}')) == "undefined"

    def run(program, data=None):
        made = engine.evaluate(f"(function (data) {{ {program} }})")
        return json.loads(_text(made.call([engine.toScriptValue(json.dumps(data))])))

    yield run
    shiboken6.delete(engine)  # here and now, as the fixtures of the window do with what they made


@pytest.fixture
def grown(qtbot, kept_window, flowers):
    """A window with a tree of some levels, the root's first child selected."""
    window = fill(qtbot, kept_window, flowers)
    do(window, "grow_level")
    rest(qtbot, window)
    do(window, "grow_level")
    rest(qtbot, window)
    tree = window.document.tree
    inner = next(i for i in tree.children(0) if tree.n_branches[i])
    window.document.select(int(tree.ids[inner]))
    rest(qtbot, window)
    return window
