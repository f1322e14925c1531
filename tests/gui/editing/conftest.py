"""A window whose tree was begun by hand."""

import pytest
from PySide6.QtGui import QGuiApplication

import engine
from gui.window.window import Window
from tests.gui.acting import fill, rest


@pytest.fixture
def window(qtbot, kept_window, flowers) -> Window:
    """The flowers, split by length at 6 and, on the left, by soil into three branches; the root is selected."""
    window = fill(qtbot, kept_window, flowers)
    document = window.document
    document.hand.split_by(0, engine.Split("length", "threshold", (6.0,)))
    rest(qtbot, window)
    document.hand.split_by(1, engine.Split("soil", "groups", groups=(("clay",), ("loam",), ("sand",))))
    rest(qtbot, window)
    document.select(0)
    rest(qtbot, window)
    QGuiApplication.clipboard().clear()
    return window


@pytest.fixture
def numbers(qtbot, kept_window, flowers) -> Window:
    """A numeric target, the root split once."""
    window = fill(qtbot, kept_window, flowers.with_target("length"))
    window.document.hand.split_by(0, engine.Split("width", "threshold", (5.0,)))
    rest(qtbot, window)
    return window
