"""The split editor in the tests: tables to split, and hands and eyes on its plot."""

import re

import numpy as np
import pandas as pd
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.this_node.split.editor import SplitEditor
from tests.gui.acting import rest

LEFT = Qt.MouseButton.LeftButton


def settle(qtbot: QtBot, document: Document) -> None:
    qtbot.waitUntil(lambda: not document.jobs.busy and document.curve is not None, timeout=60_000)


def look_at(qtbot: QtBot, document: Document, column: str) -> None:
    settle(qtbot, document)
    document.ranking.choose(next(found for found in document.candidates if found.column == column))
    settle(qtbot, document)


def legend_words(editor: SplitEditor) -> str:
    return re.sub("<[^>]*>", "", editor.legend.text()).replace("&nbsp;", " ")


def numbers_table(n: int = 400, missing: bool = True) -> engine.Table:
    """Two classes that part at 60, a number from 1 to 100 with holes, a third of the rows for validation."""
    random = np.random.default_rng(3)
    age = random.integers(1, 101, n).astype(float)
    ill = np.where(random.random(n) < np.where(age > 60, 0.8, 0.2), "ill", "well")
    if missing:
        age[::9] = np.nan
    frame = pd.DataFrame({"age": age, "noise": random.random(n), "state": ill})
    return engine.Table.from_frame(frame, target="state").with_partition(validation=0.3, seed=1)


def spot(editor: SplitEditor, value: float, height: float = 0.5) -> QPoint:
    """Where a value stands in the viewport of the plot; height 0 is the axis, 1 the upper edge."""
    plot = editor.plot
    frame = plot.getViewBox().sceneBoundingRect()
    x = plot.getViewBox().mapViewToScene(QPointF(plot.scale.place(value), 0.0)).x()
    return plot.mapFromScene(QPointF(x, frame.bottom() - height * frame.height()))


def send(editor: SplitEditor, kind: QEvent.Type, where: QPoint, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    """Mouse events with a button held, as `qtbot.mouseMove` cannot send them."""
    port = editor.plot.viewport()
    at = QPointF(where)
    event = QMouseEvent(kind, at, QPointF(port.mapToGlobal(where)), button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(port, event)


def drag(editor: SplitEditor, start: QPoint, *ways: QPoint, drop: bool = True) -> None:
    send(editor, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for where in ways:
        send(editor, QEvent.Type.MouseMove, where, Qt.MouseButton.NoButton, LEFT)
    if drop:
        send(editor, QEvent.Type.MouseButtonRelease, ways[-1], LEFT, Qt.MouseButton.NoButton)


def towns_table(n: int = 900, levels: int = 6) -> engine.Table:
    """Towns whose rate rises with their number, every ninth missing; a third of the rows for validation."""
    random = np.random.default_rng(3)
    place = random.integers(0, levels, n)
    late = np.where(random.random(n) < 0.15 + 0.7 * place / levels, "late", "on time")
    town = np.array([f"town {i:03d}" for i in range(levels)])[place].astype(object)
    town[::9] = None
    frame = pd.DataFrame({"town": town, "rooms": place % 4 + 1, "noise": random.random(n), "state": late})
    return engine.Table.from_frame(frame, target="state").with_partition(validation=0.3, seed=1)


def look_at_conditions(qtbot: QtBot, document: Document) -> None:
    found = next(one for one in document.candidates if one.split is not None and one.split.kind == "m_of_n")
    document.ranking.choose(found)
    rest(qtbot, document)


def tick(qtbot: QtBot, editor: SplitEditor, row: int) -> None:
    rows = editor.literals_kind.body.literals
    place = rows.visualItemRect(rows.item(row))
    qtbot.mouseClick(rows.viewport(), LEFT, pos=QPoint(place.left() + 8, place.center().y()))


def table_of(seed: int = 0, n: int = 300, number: bool = False) -> engine.Table:
    """Ill if two of three signs are there."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "fever": random.choice(["yes", "no"], n), "age": random.integers(20, 90, n).astype(float),
            "cough": random.choice(["dry", "wet", "none"], n), "noise": random.random(n),
        }
    )  # fmt: skip
    signs = (frame.fever == "yes").astype(int) + (frame.age > 60) + (frame.cough == "dry")
    ill = (signs >= 2) ^ (random.random(n) < 0.05)
    frame["state"] = ill * 2.0 + random.random(n) if number else np.where(ill, "ill", "well")
    return engine.Table.from_frame(frame, target="state").with_partition(validation=0.3)
