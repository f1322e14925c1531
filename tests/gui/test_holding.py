"""After an edit the node that was acted on stands where it stood, whatever the edit and the kind of picture."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from tests.gui.acting import fill, rest
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, SHIFT, shown
from tests.gui.canvas.trees import Shown, by_age, by_city, five_nodes, people, random_tree
from tests.gui.tables import flower_table

Key = Qt.Key
KINDS = pytest.mark.parametrize("kind", ["cards", "streams"])


@pytest.fixture
def window(qtbot, kept_window):
    made = fill(qtbot, kept_window, flower_table().with_partition(validation=0.25))
    made.document.tree_edits.grow_all()
    rest(qtbot, made)
    return made


def place(window, node):
    """Where a node stands: the middle of the upper side of its card, or of its bar."""
    canvas = window.canvas
    return canvas.port.anchor(canvas.port.scene.tree.position(node))


def away(found, before):
    return (found - before).manhattanLength()


def close_up(window, node):
    """Selects a node by a click, and looks at it from near, off the middle."""
    canvas = window.canvas
    QTest.mouseClick(canvas, LEFT, NONE, canvas.node_rect(node).center().toPoint())
    assert window.document.selected == node
    canvas.actual_size()
    port = canvas.port
    port.camera = port.held(port.camera, port.scene.tree.position(node), QPointF(220.0, 140.0))
    canvas.update()


def inner_nodes(tree, least=3):
    return [int(tree.ids[i]) for i in range(1, tree.n_nodes) if tree.end[i] - i >= least]


@KINDS
@pytest.mark.parametrize("edit", [Key.Key_Delete, Key.Key_K, Key.Key_P])
def test_an_edit_its_undo_and_its_redo_leave_the_node_where_it_is(qtbot, window, kind, edit):
    window.document.look.set(kind=kind)
    node = inner_nodes(window.document.tree)[0]
    close_up(window, node)
    before, tree = place(window, node), window.document.tree
    for key, modifiers in ((edit, NONE), (Key.Key_Z, CONTROL), (Key.Key_Y, CONTROL)):
        QTest.keyClick(window.canvas, key, modifiers)
        rest(qtbot, window)
        if node in window.document.tree:
            assert away(place(window, node), before) < 0.01
        assert not window.canvas.port.fitted
    assert window.document.tree is not tree


@KINDS
def test_growing_a_leaf_by_a_key_leaves_it_where_it_is(qtbot, window, kind):
    document = window.document
    document.look.set(kind=kind)
    node = inner_nodes(document.tree)[-1]
    document.select(node)
    QTest.keyClick(window.canvas, Key.Key_Delete)
    rest(qtbot, window)
    close_up(window, node)
    before = place(window, node)
    for key, modifiers in ((Key.Key_S, SHIFT), (Key.Key_Z, CONTROL), (Key.Key_B, NONE)):
        QTest.keyClick(window.canvas, key, modifiers)
        rest(qtbot, window)
        assert away(place(window, node), before) < 0.01


@KINDS
def test_cutting_by_clicks_leaves_the_clicked_node_where_it_is(qtbot, window, kind):
    document, canvas = window.document, window.canvas
    document.look.set(kind=kind)
    node = inner_nodes(document.tree)[0]
    close_up(window, node)
    QTest.keyClick(canvas, Key.Key_X, SHIFT)
    before, n = place(window, node), document.tree.n_nodes
    for there in (False, True):
        QTest.mouseClick(canvas, LEFT, NONE, canvas.node_rect(node).center().toPoint())
        rest(qtbot, window)
        assert (document.tree.n_nodes == n) == there
        assert away(place(window, node), before) < 0.01


@KINDS
def test_a_node_that_goes_leaves_its_ancestor_where_it_is(qtbot, kind):
    table = people()
    document = Shown(table, five_nodes(table))
    document.look.set(kind=kind)
    view = shown(qtbot, document)
    document.select(3)
    view.zoom_in()
    port, tree = view.port, document.tree
    before = port.anchor(tree.position(1))
    document.show_tree(tree.collapse(1))
    assert away(port.anchor(document.tree.position(1)), before) < 0.01
    document.select(1)
    document.show_tree(tree)
    assert away(port.anchor(tree.position(1)), before) < 0.01


@KINDS
def test_out_of_sight_what_is_in_the_middle_stays(qtbot, kind):
    table = people(n=2_000)
    tree = five_nodes(table).split(table, 2, by_city())
    document = Shown(table, tree)
    document.look.set(kind=kind)
    view = shown(qtbot, document, (500, 400))
    document.select(3)
    for _ in range(7):
        view.zoom_in()
    port = view.port
    port.camera = port.held(port.camera, tree.position(2), QPointF(250.0, 200.0))
    assert not view.rect().intersects(view.node_rect(3).toRect())
    before = port.anchor(tree.position(2))
    after = tree.split(table, 3, by_age(25))
    document.show_tree(after)
    assert away(port.anchor(after.position(2)), before) < 0.01


@KINDS
def test_other_colours_and_other_rows_leave_the_view_where_it_is(qtbot, kind):
    document = Shown(None, random_tree(n=99, seed=2))
    document.look.set(kind=kind)
    view = shown(qtbot, document)
    document.select(int(document.tree.ids[12]))
    view.zoom_in()
    view.zoom_in()
    before, zoom = view.port.anchor(12), view.port.camera.zoom
    document.look.set(colour_by="impurity")
    assert away(view.port.anchor(12), before) < 0.01
    document.look.set(part="validation")
    assert away(view.port.anchor(12), before) < 0.01 and view.port.camera.zoom == zoom


@KINDS
def test_a_fitted_tree_stays_fitted(qtbot, window, kind):
    document, canvas = window.document, window.canvas
    document.look.set(kind=kind)
    canvas.fit()
    node = inner_nodes(document.tree)[0]
    QTest.mouseClick(canvas, LEFT, NONE, canvas.node_rect(node).center().toPoint())
    QTest.keyClick(canvas, Key.Key_Delete)
    rest(qtbot, window)
    size = canvas.port.size
    assert canvas.port.fitted and canvas.port.camera == canvas.port.scene.fitted(size.width(), size.height() - 30)
