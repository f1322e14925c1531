"""Moving the mouse over the tree and opening a menu cost nothing that grows with the tree or the clipboard."""

from collections import Counter

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

import engine
from gui.model.editing.hand_edits import BRANCH
from gui.verbs.actions import Actions
from tests.gui.acting import SIZE, do, rest
from tests.gui.canvas.hands import middle


@pytest.fixture
def grown(qtbot, kept_window, flowers):
    kept_window.resize(*SIZE)
    kept_window.show()
    qtbot.waitExposed(kept_window)
    kept_window.document.set_table(flowers)
    rest(qtbot, kept_window)
    do(kept_window, "grow_all")
    rest(qtbot, kept_window)
    return kept_window


@pytest.fixture
def asked(monkeypatch, grown):
    """How often the window asks what it refuses, what the clipboard holds, and reads it."""
    counts: Counter[str] = Counter()

    def counted(what, function):
        def call(*args, **kwargs):
            counts[what] += 1
            return function(*args, **kwargs)

        return call

    monkeypatch.setattr(Actions, "_apply", counted("refusal", Actions._apply))
    monkeypatch.setattr(QMimeData, "data", counted("read", QMimeData.data))
    monkeypatch.setattr(engine, "tree_from_text", counted("decoded", engine.tree_from_text))
    return counts


def test_the_mouse_over_nodes_asks_nothing(qtbot, grown, asked):
    grown.document.hand.copy(0)
    rest(qtbot, grown)
    asked.clear()
    view, tree, pointed = grown.canvas, grown.document.tree, set()
    for node in tree.ids.tolist():
        QTest.mouseMove(view, middle(view, node))
        qtbot.wait(1)
        pointed.add(grown.document.look.pointed)
    assert len(pointed) > 1 and not asked


def test_a_menu_opens_by_what_is_known(qtbot, grown, asked):
    grown.document.hand.copy(0)
    rest(qtbot, grown)
    asked.clear()
    for menu in grown.menuBar().findChildren(QMenu):
        menu.aboutToShow.emit()
        menu.aboutToHide.emit()
    assert not asked


def test_a_branch_that_was_copied_here_is_pasted_without_reading_it(qtbot, grown, asked, monkeypatch):
    document = grown.document
    document.hand.copy(int(document.tree.ids[2]) if document.tree.n_branches[2] else 0)
    rest(qtbot, grown)
    read, take, leaf = [], QMimeData.data, int(document.tree.ids[document.tree.leaves[0]])
    monkeypatch.setattr(QMimeData, "data", lambda data, kind: read.append(kind) or take(data, kind))
    document.hand.paste(leaf)
    rest(qtbot, grown)
    assert BRANCH not in read and asked["decoded"] == 0


def test_a_branch_of_another_window_is_decoded_once_and_not_by_the_window(qtbot, grown, asked, monkeypatch):
    document = grown.document
    data = QMimeData()
    data.setData(BRANCH, engine.tree_to_text(document.tree).encode())
    QGuiApplication.clipboard().setMimeData(data)
    asked.clear()
    do(grown, "prune_below")
    rest(qtbot, grown)
    document.hand.paste(0)
    rest(qtbot, grown)
    assert asked["decoded"] == 1 and document.tree.n_leaves > 1
