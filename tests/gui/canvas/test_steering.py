"""Moving the view by mouse and keys: boxes, pages, steps, stretching, the selected branch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QRubberBand

from gui.picture.camera import CLOSEST, Camera, Spacing, fitted
from gui.picture.folds import Folds
from gui.picture.legend import HEIGHT
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, SHIFT, empty_place, shown, wheel
from tests.gui.canvas.trees import Shown, random_tree

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
KINDS = pytest.mark.parametrize("kind", ["cards", "streams"])


def make(qtbot, kind="cards", n=301, size=(900, 700)):
    document = Shown(None, random_tree(n=n, lean=0.3, seed=4))
    document.look.set(kind=kind)
    return shown(qtbot, document, size), document


def move(view, point, modifiers=NONE):
    place = QPointF(view.mapToGlobal(point))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(point), place, Qt.MouseButton.NoButton, LEFT, modifiers)
    QApplication.sendEvent(view, event)


def shift_drag(view, start, stop):
    QTest.mousePress(view, LEFT, SHIFT, start)
    move(view, (start + stop) / 2, SHIFT)
    move(view, stop, SHIFT)


def band(view):
    return view.findChild(QRubberBand, "zoom_box")


def middle_node(view):
    """A node with something below it, away from the border."""
    tree = view.port.scene.tree
    return next(int(tree.ids[i]) for i in range(1, tree.n_nodes) if 6 <= tree.end[i] - i <= 40)


# -- a box


@KINDS
def test_what_is_in_the_box_fills_the_view(qtbot, kind):
    view, document = make(qtbot, kind)
    box = QRectF(300, 200, 180, 120)
    inside = [node for node in document.tree.ids.tolist() if box.contains(view.node_rect(node).center())]
    place = view.port.camera.seen(box.center().x(), box.center().y())
    shift_drag(view, box.topLeft().toPoint(), box.bottomRight().toPoint())
    assert band(view).isVisible() and band(view).geometry().contains(box.center().toPoint())
    assert document.selected == 0
    before = view.port.camera
    QTest.mouseRelease(view, LEFT, SHIFT, box.bottomRight().toPoint())
    assert not band(view).isVisible()
    after = view.port.camera
    assert after.sx > before.sx and after.sy > before.sy and not view.port.fitted
    room = QRectF(0, 0, view.width(), view.height() - HEIGHT)
    assert inside
    assert all(room.adjusted(-4, -40, 4, 60).contains(view.port.anchor(document.tree.position(n))) for n in inside)
    x, y = after.x + place[0] * after.sx, after.y + place[1] * after.sy
    assert abs(x - room.center().x()) < 2 and abs(y - room.center().y()) < 2
    filled = max(box.width() / before.sx * after.sx / room.width(), box.height() / before.sy * after.sy / room.height())
    assert filled > 0.95


def test_a_box_can_be_given_up(qtbot):
    view, _ = make(qtbot)
    before = view.port.camera
    shift_drag(view, QPoint(300, 200), QPoint(500, 400))
    QTest.keyClick(view, Key.Key_Escape)
    assert not band(view).isVisible()
    QTest.mouseRelease(view, LEFT, SHIFT, QPoint(500, 400))
    assert view.port.camera == before


def test_a_box_whose_button_was_let_go_elsewhere_is_given_up(qtbot):
    """A dialog that opened meanwhile got the release: the mouse comes back without a button."""
    view, _ = make(qtbot)
    before = view.port.camera
    shift_drag(view, QPoint(200, 200), QPoint(400, 400))
    place = QPointF(view.mapToGlobal(QPoint(500, 500)))
    none = Qt.MouseButton.NoButton
    QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, QPointF(500, 500), place, none, none, NONE))
    assert not band(view).isVisible() and view.port.camera == before


def test_only_escape_is_kept_from_the_other_keys_while_a_box_is_drawn(qtbot):
    view, _ = make(qtbot)
    shift_drag(view, QPoint(200, 200), QPoint(400, 400))
    kept = []
    for key in (Key.Key_Escape, Key.Key_Z):
        asked = QKeyEvent(QEvent.Type.ShortcutOverride, key, NONE)
        asked.ignore()
        QApplication.sendEvent(view, asked)
        kept.append(asked.isAccepted())
    assert kept == [True, False]


def test_a_box_too_thin_to_be_meant_changes_nothing(qtbot):
    view, _ = make(qtbot)
    before = view.port.camera
    shift_drag(view, QPoint(300, 200), QPoint(600, 203))
    QTest.mouseRelease(view, LEFT, SHIFT, QPoint(600, 203))
    assert view.port.camera == before and not band(view).isVisible()


def test_a_click_with_shift_is_still_a_click(qtbot):
    view, document = make(qtbot, n=7)
    node = int(document.tree.ids[1])
    QTest.mouseClick(view, LEFT, SHIFT, view.node_rect(node).center().toPoint())
    assert document.selected == node


@KINDS
def test_boxes_in_boxes_end_at_the_closest_view(qtbot, kind):
    view, _ = make(qtbot, kind, n=59)
    for _ in range(6):
        shift_drag(view, QPoint(400, 300), QPoint(460, 350))
        QTest.mouseRelease(view, LEFT, SHIFT, QPoint(460, 350))
    assert view.port.camera.zoom <= CLOSEST
    view.grab()


# -- the selected branch


@KINDS
def test_zooming_to_the_selection_shows_the_branch(qtbot, kind):
    view, document = make(qtbot, kind)
    node = middle_node(view)
    document.select(node)
    before = view.port.camera
    view.show_branch()
    tree, room = document.tree, QRectF(0, 0, view.width(), view.height() - HEIGHT)
    i = tree.position(node)
    boxes = [view.node_rect(int(tree.ids[k])) for k in range(i, int(tree.end[i]))]
    assert all(room.contains(box) for box in boxes)
    around = boxes[0]
    for box in boxes[1:]:
        around = around.united(box)
    assert view.port.camera.sx > before.sx and view.port.camera.sy >= before.sy
    assert max(around.width() / room.width(), around.height() / room.height()) > 0.7


@KINDS
def test_zooming_to_the_root_is_fitting(qtbot, kind):
    view, _ = make(qtbot, kind)
    fit = view.port.camera
    view.zoom_in()
    view.show_branch()
    assert view.port.fitted and view.port.camera == fit


def test_a_leaf_is_shown_at_its_natural_size(qtbot):
    view, document = make(qtbot)
    leaf = int(document.tree.ids[-1])
    document.select(leaf)
    view.show_branch()
    assert view.port.camera.zoom == 1.0
    assert QRectF(view.rect()).contains(view.node_rect(leaf))


# -- a double click beside the tree


@KINDS
def test_a_double_click_comes_closer_and_another_shows_all_again(qtbot, kind):
    view, _ = make(qtbot, kind, n=31)
    fit = view.port.camera
    QTest.mouseDClick(view, LEFT, NONE, empty_place(view))
    assert view.port.camera.sx > fit.sx and not view.port.fitted
    QTest.mouseDClick(view, LEFT, NONE, empty_place(view))
    assert view.port.camera == fit and view.port.fitted


# -- keys


@KINDS
@pytest.mark.parametrize(
    ("key", "x", "y"), [(Key.Key_Left, 1, 0), (Key.Key_Right, -1, 0), (Key.Key_Up, 0, 1), (Key.Key_Down, 0, -1)]
)
def test_control_and_arrows_move_the_view_by_a_step(qtbot, kind, key, x, y):
    view, document = make(qtbot, kind)
    for _ in range(4):
        view.zoom_in()
    view.port.centre(view.port.scene.width / 2, view.port.scene.bottom / 2)
    before = view.port.camera
    QTest.keyClick(view, key, CONTROL)
    after = view.port.camera
    assert ((after.x - before.x) / view.width(), (after.y - before.y) / view.height()) == pytest.approx(
        (x * 0.125, y * 0.125)
    )
    assert document.selected == 0


def test_while_nodes_are_held_control_and_arrows_walk_among_them(qtbot):
    view, document = make(qtbot, n=31)
    before = view.port.camera
    QTest.keyClick(view, Key.Key_Space, CONTROL)
    QTest.keyClick(view, Key.Key_Down, CONTROL)
    assert document.selected == int(document.tree.ids[1]) and view.port.camera == before


@KINDS
def test_pages_lead_from_end_to_end_and_back(qtbot, kind):
    view, _ = make(qtbot, kind)
    for _ in range(4):
        view.zoom_in()
    for key, side in ((Key.Key_PageDown, 1), (Key.Key_PageUp, -1)):
        before = view.port.camera.y
        QTest.keyClick(view, key)
        assert (view.port.camera.y - before) * side < 0
    for key, side in ((Key.Key_PageDown, 1), (Key.Key_PageUp, -1)):
        before = view.port.camera.x
        QTest.keyClick(view, key, SHIFT)
        assert (view.port.camera.x - before) * side < 0


@KINDS
@pytest.mark.parametrize(
    ("key", "wider", "higher"),
    [(Key.Key_Right, 1, 0), (Key.Key_Left, -1, 0), (Key.Key_Down, 0, 1), (Key.Key_Up, 0, -1)],
)
def test_control_shift_and_arrows_move_nodes_apart(qtbot, kind, key, wider, higher):
    view, _ = make(qtbot, kind, n=31)
    view.port.stretch(2.0, 2.0, QPointF(0, 0))
    before, zoom, place = view.port.camera, view.port.camera.zoom, view.anchor()
    QTest.keyClick(view, key, CONTROL | SHIFT)
    after = view.port.camera
    assert (after.sx / before.sx, after.sy / before.sy) == pytest.approx((1.2**wider, 1.2**higher))
    assert view.port.camera.zoom == zoom
    assert (view.anchor().x(), view.anchor().y()) == pytest.approx((place.x(), place.y()))


def test_the_wheel_moves_nodes_apart_across_or_down(qtbot):
    view, _ = make(qtbot, n=31)
    before = view.port.camera
    wheel(view, QPoint(300, 300), dy=120, modifiers=CONTROL | SHIFT)
    across = view.port.camera
    assert across.sx > before.sx and across.sy == before.sy and across.zoom == before.zoom
    wheel(view, QPoint(300, 300), dx=120, modifiers=CONTROL | ALT)  # with Alt it is turned
    assert view.port.camera.sy > before.sy and view.port.camera.sx == across.sx
    QTest.keyClick(view, Key.Key_0, CONTROL)
    assert view.port.camera == before


def test_plus_and_minus_keep_the_selected_node_where_it_is(qtbot):
    view, document = make(qtbot)
    node = middle_node(view)
    document.select(node)
    i = view.port.position_of(node)
    place = view.port.anchor(i)
    for key in (Key.Key_Plus, Key.Key_Plus, Key.Key_Minus):
        QTest.keyClick(view, key)
        found = view.port.anchor(i)
        assert (found.x(), found.y()) == pytest.approx((place.x(), place.y()))
        box = view.node_rect(node)
        assert box.left() < found.x() < box.right() and box.top() == pytest.approx(found.y())


def test_shift_f10_asks_for_the_menu_of_the_selected_node(qtbot):
    view, document = make(qtbot, n=7)
    document.select(int(document.tree.ids[2]))
    with qtbot.waitSignal(view.contextMenuRequested) as heard:
        QTest.keyClick(view, Key.Key_F10, SHIFT)
    assert heard.args[0] == document.selected
    assert QRectF(view.node_rect(document.selected)).contains(QPointF(view.mapFromGlobal(heard.args[1])))


def test_the_menu_of_a_node_out_of_view_brings_it_into_view(qtbot):
    view, document = make(qtbot)
    node = int(document.tree.ids[-1])
    view.actual_size()
    document.selected = node  # without being brought into view
    assert not view.rect().intersects(view.node_rect(node).toRect())
    with qtbot.waitSignal(view.contextMenuRequested) as heard:
        QTest.keyClick(view, Key.Key_F10, SHIFT)
    assert view.rect().contains(view.node_rect(node).toRect())
    assert view.node_rect(node).contains(QPointF(view.mapFromGlobal(heard.args[1])))


def test_without_a_tree_nothing_can_be_moved(qtbot):
    view = shown(qtbot, Shown())
    shift_drag(view, QPoint(100, 100), QPoint(300, 300))
    QTest.mouseRelease(view, LEFT, SHIFT, QPoint(300, 300))
    for key, modifiers in ((Key.Key_PageDown, NONE), (Key.Key_Left, CONTROL), (Key.Key_Right, CONTROL | SHIFT)):
        QTest.keyClick(view, key, modifiers)
    QTest.mouseDClick(view, LEFT, NONE, QPoint(100, 100))
    wheel(view, QPoint(5, 5), dy=120, modifiers=CONTROL | SHIFT)
    view.show_branch()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
    QApplication.sendEvent(view, event)
    assert not band(view).isVisible() and view.port.camera == Camera()


# -- the camera


SCALES = st.floats(0.02, 20.0)
PLACES = st.floats(-2_000, 2_000)


@given(SCALES, SCALES, PLACES, PLACES)
def test_stretching_keeps_the_point_and_cards_apart(factor_x, factor_y, x, y):
    camera = fitted(9_000.0, 900.0, 58.0, 900, 700)
    after = camera.stretched(factor_x, factor_y, x, y)
    assert after.seen(x, y) == pytest.approx(camera.seen(x, y), abs=1e-6)
    assert after.zoom == camera.zoom
    assert (
        after.sx >= min(camera.sx, camera.zoom * 1.0) - 1e-12 and after.sy >= min(camera.sy, 0.8 * camera.zoom) - 1e-12
    )
    assert after.sx <= 8.0 * camera.sx + 1e-12 and after.sy <= 8.0 * camera.sy + 1e-12


@given(SCALES, SCALES, st.floats(0.2, 4.0))
def test_zooming_keeps_what_was_stretched(factor_x, factor_y, factor):
    camera = Camera(10.0, 20.0, 0.8, Spacing(0.3, 0.3, 0.9, 1.2, 1.1)).stretched(factor_x, factor_y, 0.0, 0.0)
    there = camera.zoomed(factor, 50.0, 60.0)
    back = there.zoomed(camera.zoom / there.zoom, 50.0, 60.0)
    assert (back.sx, back.sy, back.x, back.y) == pytest.approx((camera.sx, camera.sy, camera.x, camera.y))


def test_a_wide_tree_stands_higher_than_a_narrow_one_of_as_many_levels():
    narrow, wide = fitted(300.0, 128.0, 58.0, 1_600, 1_000), fitted(9_000.0, 128.0, 58.0, 1_600, 1_000)
    assert wide.sy > 1.5 * narrow.sy and 128.0 * wide.sy + 58.0 < 1_000


def test_a_deep_tree_takes_as_much_width_as_a_low_one():
    deep, low = fitted(400.0, 3_000.0, 58.0, 1_600, 1_000), fitted(400.0, 300.0, 58.0, 1_600, 1_000)
    assert deep.sx == low.sx and deep.zoom < low.zoom


@KINDS
def test_while_the_selected_node_is_out_of_view_what_is_in_the_middle_stays_there(qtbot, kind):
    view, document = make(qtbot, kind)
    tree = document.tree
    far = max((int(tree.ids[i]) for i in tree.leaves), key=lambda node: view.node_rect(node).center().manhattanLength())
    document.select(far)
    view.actual_size()
    document.select(0)
    view.port.reveal(tree.position(far))
    middle = QPointF(view.width() / 2, view.height() / 2)
    assert not view.node_rect(0).intersects(QRectF(view.rect()))
    folded = next(
        int(tree.ids[i]) for i in range(1, tree.n_nodes) if tree.end[i] - i > 9 and far not in tree.ids[i : tree.end[i]]
    )
    inside = set(tree.ids[tree.position(folded) : tree.end[tree.position(folded)]].tolist())
    seen = [
        node
        for node in tree.ids.tolist()
        if view.node_rect(node).intersects(QRectF(view.rect())) and node not in inside
    ]
    nearest = min(seen, key=lambda node: (view.port.anchor(tree.position(node)) - middle).manhattanLength())
    before = {node: view.node_rect(node) for node in seen}
    document.look.set(folds=Folds(folded=frozenset({folded})))
    stood = [node for node in seen if (view.node_rect(node).center() - before[node].center()).manhattanLength() < 1.5]
    assert nearest in stood and view.node_rect(0) != QRectF()
