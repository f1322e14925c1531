"""Turning the tree in the window: by its key, in the View menu, and the icicle that stands below."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget

from gui import theme
from gui.canvas.overlays.overview import IcicleStrip
from gui.picture import legend
from tests.gui.acting import fill, make_window, rest
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot, kept_window, flowers):
    made = fill(qtbot, kept_window, flowers)
    made.document.tree_edits.grow_all()
    rest(qtbot, made)
    made.canvas.fit()
    return made


def view_menu(window):
    menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&View")
    menu.aboutToShow.emit()
    return {action.objectName(): action for action in menu.actions()}


def grows_to_the_right(window):
    tree = window.document.tree
    root, child = (window.canvas.node_rect(int(tree.ids[i])) for i in (0, 1))
    return child.left() > root.left()  # among cards the first child stands to the left


def test_the_key_turns_the_tree_wherever_the_focus_is(window):
    QTest.keyClick(window.canvas, Qt.Key.Key_T)
    assert window.document.look.kind == "streams" and grows_to_the_right(window)
    QTest.keyClick(window, Qt.Key.Key_T)
    assert window.document.look.kind == "cards" and not grows_to_the_right(window)


def test_the_menu_chooses_one_of_two(window):
    for kind, other in (("streams", "cards"), ("cards", "streams")):
        view_menu(window)[f"action_as_{kind}"].trigger()
        assert window.document.look.kind == kind
        entries = view_menu(window)
        assert entries[f"action_as_{kind}"].isChecked() and not entries[f"action_as_{other}"].isChecked()


def test_the_kind_of_the_last_start_is_shown_again(qtbot, home):
    window = make_window(qtbot, flower_table())
    QTest.mouseClick(window.canvas.findChild(QToolButton, "kind_button"), LEFT)
    assert window.settings.value("canvas_kind") == "streams"
    again = make_window(qtbot, flower_table())
    assert again.document.look.kind == "streams"


def test_the_icicle_comes_and_goes_by_its_key_and_selects(qtbot, window):
    strip = window.findChild(IcicleStrip, "icicle")
    assert not strip.isVisible()
    QTest.keyClick(window.canvas, Qt.Key.Key_I)
    qtbot.waitUntil(strip.isVisible)
    assert window.actions_made.made["icicle"].isChecked()
    tree = window.document.tree
    node = int(tree.ids[2])
    QTest.mouseClick(strip, LEFT, pos=strip.cell(node).center().toPoint())
    assert window.document.selected == node
    rest(qtbot, window)
    QTest.keyClick(window.canvas, Qt.Key.Key_I)
    assert not strip.isVisible()


def test_an_edit_and_undo_keep_the_streams(qtbot, window):
    QTest.keyClick(window.canvas, Qt.Key.Key_T)
    window.document.select(int(window.document.tree.ids[1]))
    before = window.document.tree.n_nodes
    QTest.keyClick(window.canvas, Qt.Key.Key_Delete)
    rest(qtbot, window)
    assert window.document.tree.n_nodes < before
    assert window.document.look.kind == "streams" and window.canvas.port.scene.sideways
    window.document.undo()
    assert window.document.tree.n_nodes == before and window.canvas.port.scene.sideways


def test_the_button_stands_on_a_plate_over_cards(window):
    button, card = window.canvas.findChild(QToolButton, "kind_button"), window.canvas.node_rect(0)
    window.canvas.pan(
        button.geometry().center().x() - card.center().x(), button.geometry().center().y() - card.center().y()
    )
    image, now = window.canvas.grab().toImage(), theme.current()
    ratio = image.devicePixelRatio()
    corner = button.geometry().topLeft() + QPoint(4, 4)
    seen = image.pixelColor(round(corner.x() * ratio), round(corner.y() * ratio))
    assert seen == theme.mix(now.canvas, now.card, 0.5)


def test_what_lies_on_the_canvas_has_an_edge_that_tells_it_from_cards(window):
    canvas, now = window.canvas, theme.current()
    image = canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    plates = [canvas.findChild(QWidget, name).geometry() for name in ("kind_button", "fold_bar")]
    legend_left = QPoint(10, round(canvas.height() - legend.HEIGHT / 2 - 3))
    for place in (*(QPoint(plate.left(), plate.center().y()) for plate in plates), legend_left):
        seen = image.pixelColor(round(place.x() * ratio), round(place.y() * ratio))
        assert seen == theme.mix(now.canvas, now.border, 0.7)
