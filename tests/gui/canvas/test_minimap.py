"""The minimap: when it is there, what its frame says, what mouse and keys do with it."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from gui import theme
from gui.picture.legend import HEIGHT
from tests.gui.acting import make_window, rest
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, shown
from tests.gui.canvas.trees import Shown, by_city, five_nodes, people, random_tree
from tests.gui.tables import flower_table

KINDS = pytest.mark.parametrize("kind", ["cards", "streams"])


pytestmark = pytest.mark.usefixtures("system_again")


def make(qtbot, kind="cards", n=301, size=(900, 700)):
    document = Shown(None, random_tree(n=n, lean=0.3, seed=4))
    document.look.set(kind=kind)
    return shown(qtbot, document, size), document


def settle(view):
    view.grab()
    QApplication.processEvents()
    view.minimap.grab()


def near(view, times=4):
    """Comes so close that only a part of the tree is in view."""
    for _ in range(times):
        view.zoom_in()
    settle(view)


def drag(widget, start, stop, buttons=LEFT):
    QTest.mousePress(widget, LEFT, NONE, start)
    place = QPointF(widget.mapToGlobal(stop))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(stop), place, Qt.MouseButton.NoButton, buttons, NONE)
    QApplication.sendEvent(widget, event)
    QTest.mouseRelease(widget, LEFT, NONE, stop)


def in_view(view):
    """Left, top, right and bottom of what is in view, in the drawing."""
    port = view.port
    return (*port.camera.seen(0, 0), *port.camera.seen(port.size.width(), port.size.height() - HEIGHT))


# -- when it is there


@KINDS
def test_it_is_there_while_only_a_part_is_in_view(qtbot, kind):
    view, _ = make(qtbot, kind)
    settle(view)
    assert not view.minimap.isVisible()
    near(view)
    assert view.minimap.isVisible()
    view.fit()
    settle(view)
    assert not view.minimap.isVisible()


def test_a_small_tree_that_is_moved_a_little_needs_none(qtbot):
    view, _ = make(qtbot, n=5)
    view.port.pan(20, 10)
    settle(view)
    assert not view.port.fitted and not view.minimap.isVisible()


def test_a_small_canvas_has_no_room_for_it(qtbot):
    view, _ = make(qtbot, size=(360, 300))
    near(view)
    assert not view.minimap.isVisible()
    view.resize(900, 700)
    settle(view)
    assert view.minimap.isVisible()


@KINDS
@pytest.mark.parametrize("seed", range(4))
def test_it_stands_where_the_fewest_nodes_are(qtbot, kind, seed):
    view, document = make(qtbot, kind)
    near(view)
    view.pan(-300 + 200 * seed, 150 - 100 * seed)
    settle(view)
    here, size = view.minimap.geometry(), view.minimap.size()
    assert view.rect().contains(here) and here.bottom() < view.height() - HEIGHT
    assert not QRectF(here).intersects(view.node_rect(document.selected))
    ways = [(x, y) for x in (here.x(), view.width() - here.x() - size.width()) for y in (here.y(), 10, 524)]
    lying = [each.geometry() for each in view.children() if each.isWidgetType() and each.isVisible()]
    others = [QRect(QPoint(x, y), size) for x, y in ways]
    free = [box for box in others if sum(box.intersects(each) for each in lying if each != here) == 0]
    free = [box for box in free if not QRectF(box).intersects(view.node_rect(document.selected))]
    assert view.port.n_below(QRectF(here)) == min(view.port.n_below(QRectF(box)) for box in free)


def test_it_stays_where_it_is_while_nothing_is_below_it(qtbot):
    view, _ = make(qtbot, n=5)
    near(view, times=8)
    corner = view.minimap.geometry()
    assert view.port.n_below(QRectF(corner)) == 0
    view.pan(30, 0)
    settle(view)
    assert view.port.n_below(QRectF(corner)) > 0 or view.minimap.geometry() == corner


def test_it_gives_way_to_the_selected_card(qtbot):
    view, document = make(qtbot)
    near(view)
    corner, tree = QRectF(view.minimap.geometry()), view.port.scene.tree
    node = int(tree.ids[40])
    view.port.camera = view.port.held(view.port.camera, 40, corner.center())
    document.selected = node  # without being brought into view
    view.update()
    settle(view)
    assert corner.intersects(view.node_rect(node))
    assert not QRectF(view.minimap.geometry()).intersects(view.node_rect(node)) and view.minimap.isVisible()


# -- what it shows


@KINDS
def test_the_frame_is_around_what_is_in_view(qtbot, kind):
    view, document = make(qtbot, kind)
    near(view, 5)
    view.port.pan(-130, -40)
    settle(view)
    frame, tree = view.minimap.frame(), document.tree
    room = QRectF(0, 0, view.width(), view.height() - HEIGHT)
    camera = view.port.camera
    for i in range(tree.n_nodes):
        anchor = view.port.anchor(i)
        place = view.minimap.place(*camera.seen(anchor.x(), anchor.y()))
        assert view.minimap.rect().contains(place.toPoint())
        if room.adjusted(3, 3, -3, -3).contains(anchor):
            assert frame.contains(place)
        elif not room.adjusted(-3, -3, 3, 3).contains(anchor):
            assert not frame.adjusted(0.5, 0.5, -0.5, -0.5).contains(place)


@KINDS
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_shows_the_tree_in_the_colours_of_the_canvas(qtbot, kind, mode):
    theme.set_mode(mode)
    view, _ = make(qtbot, kind)
    near(view)
    image = view.minimap.grab().toImage()
    blank = theme.current().canvas.rgb() & 0xFFFFFF
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1) & 0xFFFFFF
    assert pixels[4, -6] == blank
    assert np.count_nonzero(pixels != blank) > 0.02 * pixels.size
    assert len(np.unique(pixels)) > 40


def test_the_tree_is_painted_once_until_it_or_its_colours_change(qtbot, monkeypatch):
    table = people()
    document = Shown(table, five_nodes(table))
    view = shown(qtbot, document)
    made, paint = [], view.minimap._paint_tree
    monkeypatch.setattr(view.minimap, "_paint_tree", lambda scene: made.append(scene) or paint(scene))
    near(view, 8)
    for _ in range(3):
        view.port.pan(-15, -5)
        view.update()
        settle(view)
    assert len(made) == 1
    document.look.set(colour_by="impurity")
    settle(view)
    assert len(made) == 2
    document.show_tree(document.tree.split(table, 2, by_city()))
    settle(view)
    assert len(made) == 3


def test_200_000_nodes_have_one(qtbot):
    view, _ = make(qtbot, n=200_001)
    near(view, 20)
    assert view.minimap.isVisible()
    assert view.minimap.frame().width() >= 8 and view.minimap.frame().height() >= 8
    drag(view.minimap, QPoint(108, 60), QPoint(120, 60))
    left, _, right, _ = in_view(view)
    assert 0.4 < (left + right) / 2 / view.port.scene.width < 0.7


# -- what one does with it


@KINDS
def test_a_click_looks_there(qtbot, kind):
    view, _ = make(qtbot, kind)
    near(view)
    scene, zoom = view.port.scene, view.port.camera.zoom
    place = view.minimap.place(scene.width * 0.6, scene.bottom * 0.6)
    QTest.mouseClick(view.minimap, LEFT, NONE, place.toPoint())
    left, top, right, bottom = in_view(view)
    pixel = view.minimap._camera
    assert (left + right) / 2 == pytest.approx(scene.width * 0.6, abs=1 / pixel.sx)
    assert (top + bottom) / 2 == pytest.approx(scene.bottom * 0.6, abs=1 / pixel.sy)
    assert view.port.camera.zoom == zoom


@KINDS
def test_dragging_the_frame_takes_the_view_along(qtbot, kind):
    view, _ = make(qtbot, kind)
    near(view)
    view.port.centre(view.port.scene.width * 0.45, view.port.scene.bottom * 0.5)
    settle(view)
    before, frame = in_view(view), view.minimap.frame()
    start = (frame.center() + QPointF(frame.width(), frame.height()) / 4).toPoint()  # not where the middle is
    drag(view.minimap, start, start + QPoint(12, 7))
    pixel, after = view.minimap._camera, in_view(view)
    assert after[0] - before[0] == pytest.approx(12 / pixel.sx, rel=0.01)
    assert after[1] - before[1] == pytest.approx(7 / pixel.sy, rel=0.01)
    moved = view.minimap.frame().topLeft() - frame.topLeft()
    assert (moved.x(), moved.y()) == pytest.approx((12, 7), abs=0.2)


def test_it_takes_neither_the_keys_nor_the_selection(qtbot):
    view, document = make(qtbot)
    near(view)
    view.setFocus()
    document.selected = 5
    QTest.mouseClick(view.minimap, LEFT, NONE, QPoint(50, 50))
    assert document.selected == 5 and view.minimap.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_its_menu_hides_it(qtbot):
    view, document = make(qtbot)
    near(view)
    place = QPoint(20, 20)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.minimap.mapToGlobal(place))
    QApplication.sendEvent(view.minimap, event)
    menu = view.minimap.findChild(QMenu, "minimap_menu")
    menu.actions()[0].trigger()
    menu.close()
    assert not view.minimap.isVisible() and not document.look.minimap


# -- in the window


def test_its_key_and_its_menu_entry_hide_it_for_good(qtbot, home):
    window = make_window(qtbot, flower_table().with_partition(validation=0.25))
    window.document.tree_edits.grow_all()
    rest(qtbot, window)
    window.resize(1500, 1000)
    for _ in range(10):
        QTest.keyClick(window.canvas, Qt.Key.Key_Plus)
    settle(window.canvas)
    action = window.actions_made.made["minimap"]
    assert window.canvas.minimap.isVisible() and action.isChecked()
    assert not QRect(window.canvas.minimap.geometry()).isEmpty()
    window.activateWindow()  # a window that was resized without a window manager may have lost it
    window.canvas.setFocus()
    QApplication.processEvents()
    QTest.keyClick(window.canvas, Qt.Key.Key_O)
    settle(window.canvas)
    assert not window.canvas.minimap.isVisible() and not action.isChecked()
    assert window.settings.value("canvas_minimap") is False
    action.trigger()
    settle(window.canvas)
    assert window.canvas.minimap.isVisible()
    QTest.keyClick(window.canvas, Qt.Key.Key_0, CONTROL)
    settle(window.canvas)
    assert not window.canvas.minimap.isVisible()
    assert action in next(a.menu() for a in window.menuBar().actions() if a.text() == "&View").actions()
