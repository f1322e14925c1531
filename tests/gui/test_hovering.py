"""Moving the mouse over the tree and opening a menu cost nothing that grows with the tree or the clipboard."""

from collections import Counter

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from gui.model.editing import hand_edits
from gui.verbs import actions
from tests.gui.acting import SIZE, do, rest


@pytest.fixture
def grown(qtbot, kept_window, flowers):
    window = kept_window
    window.resize(*SIZE)
    window.show()
    qtbot.waitExposed(window)
    window.document.set_table(flowers)
    rest(qtbot, window)
    do(window, "grow_all")
    rest(qtbot, window)
    return window


def test_probe(qtbot, grown, monkeypatch):
    window = grown
    calls = Counter()
    window.document.hand.copy(0)
    rest(qtbot, window)
    for refusal in list(actions.BY_REFUSAL):
        def counted(document, refusal=refusal):
            calls["refusal"] += 1
            return refusal(document)
        actions.BY_REFUSAL[counted] = actions.BY_REFUSAL.pop(refusal)
    canvas = window.canvas
    print("jobs before", window.document.jobs.busy)
    c = canvas
    vp = getattr(c, "viewport", None)
    for x in range(0, c.width(), 40):
        for y in range(0, c.height(), 60):
            QTest.mouseMove(c, QPoint(x, y))
            qtbot.wait(0)
    print("pointed", window.document.look.pointed, calls)
    calls.clear()
    do(window, "go")
    rest(qtbot, window)
    print("edit", calls)
