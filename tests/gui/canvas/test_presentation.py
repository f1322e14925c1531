"""Presentation: what fills the screen, in which size, and that all comes back."""

import re
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from gui.canvas.overlays.overview import IcicleStrip
from gui.canvas.view import TreeView
from tests.gui.acting import fill, make_window, rest
from tests.gui.asked import give_up
from tests.gui.canvas import trees
from tests.gui.canvas.hands import LEFT, NONE
from tests.gui.canvas.trees import Shown, drawn_texts, random_tree
from tests.gui.tables import flower_table

Key = Qt.Key


@pytest.fixture
def window(qtbot, kept_window, flowers):
    made = fill(qtbot, kept_window, flowers)
    made.document.tree_edits.grow_all()
    rest(qtbot, made)
    made.resize(1300, 800)
    QApplication.processEvents()
    return made


def present(qtbot, window, key=Key.Key_F11):
    QTest.keyClick(window.canvas, key)
    qtbot.waitUntil(lambda: window.isFullScreen())
    QApplication.processEvents()


def leave(qtbot, window):
    QTest.keyClick(window.canvas, Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen(), timeout=5_000)
    QApplication.processEvents()


def layout(window):
    """Where everything is."""
    parts = {name: panel.rect() for name, panel in window.panels.items() if panel.isVisible()}
    parts |= {"window": window.geometry(), "canvas": window.canvas.geometry()}
    bars = (window.menuBar(), window.statusBar(), window.toolbar, window.findChild(IcicleStrip))
    return parts | {"bars": [(bar.isVisible(), bar.geometry()) for bar in bars]}


@pytest.mark.parametrize("key", [Key.Key_F11, Key.Key_F5])
def test_nothing_but_the_canvas_fills_the_screen(qtbot, window, key):
    window.document.look.set(icicle=True)
    present(qtbot, window, key)
    others = (window.menuBar(), window.statusBar(), window.toolbar, window.findChild(IcicleStrip))
    assert not any(other.isVisible() for other in (*others, *window.panels.values()))
    assert not window.canvas.findChild(QToolButton, "kind_button").isVisible()
    assert window.canvas.size() == window.centralWidget().size() == window.size() == window.screen().size()
    assert window.findChild(QLabel, "presentation_hint").isVisible()
    leave(qtbot, window)
    assert window.findChild(IcicleStrip).isVisible()
    assert window.canvas.findChild(QToolButton, "kind_button").isVisible()


def test_all_comes_back_as_it_was(qtbot, window):
    window.show_panel("plane")
    window.places.show_side("data", on=False)
    QApplication.processEvents()
    before = layout(window)
    present(qtbot, window)
    assert not window.panels["plane"].isVisible()
    leave(qtbot, window)
    assert layout(window) == before


def test_a_maximised_window_is_maximised_again(qtbot, window):
    window.showMaximized()
    QApplication.processEvents()
    present(qtbot, window)
    leave(qtbot, window)
    assert window.isMaximized()


def test_letters_are_larger_and_every_node_is_where_it_is_pointed_at(qtbot, window):
    window.document.select(0)
    normal = window.canvas.node_rect(0)
    window.canvas.actual_size()
    usual = window.canvas.node_rect(0)
    window.canvas.fit()
    present(qtbot, window)
    window.canvas.actual_size()
    larger = 24 / 8.25 * window.screen().size().height() / 1080
    assert larger > 1.5 and window.canvas.node_rect(0).height() == pytest.approx(larger * usual.height())
    window.canvas.fit()
    tree = window.document.tree
    for node in tree.ids.tolist():
        box = window.canvas.node_rect(node)
        assert QRectF(window.canvas.rect()).contains(box)
        QTest.mouseClick(window.canvas, LEFT, NONE, box.center().toPoint())
        assert window.document.selected == node
    leave(qtbot, window)
    assert window.canvas.node_rect(0) == normal


@pytest.mark.parametrize("kind", ["cards", "streams"])
@pytest.mark.parametrize("n", [1, 5, 59, 999])
def test_a_back_row_reads_every_letter_on_a_screen_of_1080_pixels(qtbot, monkeypatch, kind, n):
    document = Shown(None, random_tree(n))
    document.look.set(kind=kind)
    view = TreeView(document)
    qtbot.addWidget(view)
    view.resize(1920, 1080)
    monkeypatch.setattr(view, "screen", lambda: SimpleNamespace(size=lambda: QSize(1920, 1080)))
    document.look.set(presenting=True)
    view.grab()
    pages = []
    monkeypatch.setattr(trees, "texts_of", pages.append)
    drawn_texts(lambda painter: view._paint_scene(painter, view.scene, 96.0))
    groups = re.findall(r'<g [^>]*matrix\(([\d.]+),[^>]*font-size="([\d.]+)"[^>]*>\s*<text', pages[0])
    assert groups and min(float(scale) * float(size) for scale, size in groups) >= 24 - 0.01


def test_the_whole_tree_is_presented_and_the_view_comes_back(qtbot, window):
    canvas = window.canvas
    canvas.zoom_in()
    canvas.zoom_in()
    before = canvas.port.camera
    assert not canvas.port.all_in_view()
    present(qtbot, window)
    assert canvas.port.all_in_view()
    leave(qtbot, window)
    assert canvas.port.camera == before and not canvas.port.fitted


@pytest.mark.parametrize("kind", ["cards", "streams"])
def test_what_is_in_the_middle_stays_there(qtbot, window, kind):
    window.document.look.set(kind=kind)
    canvas = window.canvas
    canvas.actual_size()
    size, state = canvas.port.size, window.saveState()
    before = canvas.port.camera.seen(size.width() / 2, size.height() / 2)
    present(qtbot, window)
    leave(qtbot, window)
    assert canvas.port.size == size and window.saveState() == state
    assert canvas.port.camera.seen(size.width() / 2, size.height() / 2) == pytest.approx(before)


def test_the_tree_can_be_worked_with(qtbot, window):
    document = window.document
    document.undo()
    rest(qtbot, window)
    present(qtbot, window)
    QTest.keyClick(window.canvas, Key.Key_S)
    rest(qtbot, window)
    assert document.tree.n_nodes == 3
    QTest.keyClick(window.canvas, Key.Key_Down)
    assert document.selected != 0
    QTest.keyClick(window.canvas, Key.Key_P)
    rest(qtbot, window)
    assert not window.panels["pruning"].isVisible()
    QTest.keyClick(window.canvas, Key.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert window.menuBar().isVisible()


def test_escape_first_ends_what_it_ends_elsewhere(qtbot, window):
    present(qtbot, window)
    QTest.keyClick(window.canvas, Key.Key_X, Qt.KeyboardModifier.ShiftModifier)
    assert window.document.click_cut.on
    QTest.keyClick(window.canvas, Key.Key_Escape)
    assert not window.document.click_cut.on and window.isFullScreen()
    leave(qtbot, window)


def test_closing_the_table_ends_it(qtbot, window):
    before = window.saveState()
    present(qtbot, window)
    window.document.start(None)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert window.start_page.isVisible() and window.menuBar().isVisible()
    assert not any(panel.isVisible() for panel in window.panels.values())
    window.document.set_table(flower_table())
    rest(qtbot, window)
    assert window.panels["columns"].isVisible()
    assert len(window.saveState()) == len(before)


def test_a_window_closed_in_it_begins_as_before(qtbot, home):
    window = make_window(qtbot, flower_table())
    shown = [name for name, panel in window.panels.items() if panel.isVisible()]
    present(qtbot, window)
    give_up(window)
    window.close()
    again = make_window(qtbot, flower_table())
    assert not again.isFullScreen() and again.menuBar().isVisible()
    assert [name for name, panel in again.panels.items() if panel.isVisible()] == shown


def test_without_a_table_there_is_nothing_to_present(qtbot, window):
    window.document.start(None)
    QTest.keyClick(window, Key.Key_F11)
    assert not window.isFullScreen() and not window.actions_made.made["present"].isEnabled()


def test_a_panel_with_the_whole_middle_is_presented_in_large_letters(qtbot, window):
    """The panel alone fills the screen; afterwards it has the middle again, in its usual letters."""
    window.show_panel("plane")
    window.places.enlarge("plane")
    QApplication.processEvents()
    plane, usual = window.panels["plane"], window.panels["plane"].fontMetrics().height()
    QTest.keyClick(window, Key.Key_F11)
    qtbot.waitUntil(window.isFullScreen)
    QApplication.processEvents()
    assert plane.isVisible() and not window.canvas.isVisible()
    assert window.pages.size() == window.size()
    assert plane.fontMetrics().height() > 1.3 * usual
    QTest.keyClick(plane, Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    QApplication.processEvents()
    assert plane.isVisible() and plane.fontMetrics().height() == usual
    window.places.enlarge("")
