"""Tables whose rows are only counted: what cannot be done there is grey and says why; rows of a node are drawn."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

import engine
from engine.sources.coded import Coded
from engine.sources.counted import CountedTable
from gui.panels.data.columns import NAME
from gui.panels.words import rows
from gui.window.window import Window
from tests.gui.acting import do, fill, press_menu, rest

# A menu wants the keyboard for itself; the offscreen platform has only one window that could have it.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def counted(qtbot: QtBot, kept_window: Window, flowers: engine.Table) -> Window:
    """The flowers, counted where they are."""
    return fill(qtbot, kept_window, CountedTable.of(Coded(flowers)))


def menu_of(qtbot: QtBot, window: Window, column: str) -> QMenu:
    """The menu of a column, opened and closed again, with what its submenus say."""
    panel = window.panels["columns"]
    at = panel.proxy.index(window.document.table.names.index(column), NAME)
    panel.view.customContextMenuRequested.emit(panel.view.visualRect(at).center())
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def greyed(menu: QMenu) -> dict[str, str]:
    """By its words, or its name in a submenu, why an entry cannot be chosen."""
    inside = {action.objectName(): action for sub in menu.findChildren(QMenu) for action in sub.actions()}
    entries = {action.text().replace("&", ""): action for action in menu.actions()} | inside
    assert menu.toolTipsVisible() and all(sub.toolTipsVisible() for sub in menu.findChildren(QMenu))
    return {name: action.toolTip() for name, action in entries.items() if not action.isEnabled()}


def test_what_the_counts_depend_on_is_grey_in_the_menu_of_a_column(qtbot: QtBot, counted: Window) -> None:
    menu = menu_of(qtbot, counted, "length")
    said = greyed(menu)
    menu.close()
    opened_for = "The rows are counted where they are, for the target that they were opened with"
    assert said["Make it the target"].startswith(opened_for) and said["target"].startswith(opened_for)
    assert "choose “length” there" in said["target"]
    assert "“length” cannot be given the role weight now" in said["weight"]
    assert "choose its type there" in said["nominal"]
    assert "divided already, and not by “length”" in said["key"]
    assert not {"Ignore it", "ignore"} & said.keys()
    menu = menu_of(qtbot, counted, "kind")
    said = greyed(menu)
    menu.close()
    assert "“kind” cannot be given the role ignore now" in said["ignore"]


def test_a_column_can_still_be_ignored(qtbot: QtBot, counted: Window) -> None:
    menu_of(qtbot, counted, "length")
    press_menu(qtbot, "&Ignore it")
    rest(qtbot, counted)
    assert counted.document.table.roles["length"] == "ignore"
    assert counted.bar.texts == []


def test_in_memory_all_of_that_can_be_done(qtbot: QtBot, kept_window: Window, flowers: engine.Table) -> None:
    window = fill(qtbot, kept_window, flowers)
    menu = menu_of(qtbot, window, "length")
    assert greyed(menu) == {}
    menu.close()
    menu = menu_of(qtbot, window, "kind")
    assert set(greyed(menu).values()) == {"First make another column the target."}
    menu.close()


def test_folds_of_single_rows_are_grey(qtbot: QtBot, counted: Window) -> None:
    do(counted, "go")
    rest(qtbot, counted)
    counted.show_panel("figures")
    rest(qtbot, counted)
    button = counted.panels["figures"].cross
    assert button.isVisible() and not button.isEnabled()
    assert "counted where they are" in button.toolTip()
    QTest.mouseClick(button, LEFT)
    rest(qtbot, counted)
    assert not any("rows themselves" in text for text in counted.bar.texts)
    assert not counted.document.judging.found


def test_rows_of_the_selected_node_are_drawn(qtbot: QtBot, counted: Window) -> None:
    do(counted, "split_here")
    rest(qtbot, counted)
    tree, panel = counted.document.tree, counted.panels["rows"]
    counted.canvas.fit()
    leaf = int(tree.ids[tree.leaves[0]])
    counted.document.select(0)
    counted.show_panel("rows")
    rest(qtbot, counted)
    assert panel.kinds.itemText(0) == "All rows"
    assert panel.model.rowCount() == min(120, rows.MOST_DRAWN)
    QTest.mouseClick(counted.canvas, LEFT, pos=counted.canvas.node_rect(leaf).center().toPoint())
    rest(qtbot, counted)
    assert counted.document.selected == leaf
    assert panel.kinds.itemText(0) == "All rows of the node"
    position = tree.position(leaf)
    n = int(tree.rows_train[position] + tree.rows_validation[position])
    assert 0 < panel.model.rowCount() == min(n, rows.MOST_DRAWN) < 120
    wrong = next(i for i in range(panel.kinds.count()) if panel.kinds.itemText(i).startswith("Errors · "))
    panel.kinds.setFocus()
    for _ in range(wrong):
        QTest.keyClick(panel.kinds, Qt.Key.Key_Down)
    errors = int(panel.kinds.itemText(wrong).rpartition(" · ")[2])
    assert panel.model.rowCount() == errors
    assert errors == round(float(tree.wrong("train")[position] + tree.wrong("validation")[position]))
    QTest.mouseClick(counted.canvas, LEFT, pos=counted.canvas.node_rect(0).center().toPoint())
    rest(qtbot, counted)
    assert panel.kinds.itemText(0) == "All rows"


def test_rows_cannot_be_followed(qtbot: QtBot, counted: Window) -> None:
    do(counted, "go")
    rest(qtbot, counted)
    for name in ("follow_row", "follow_where", "follow_here", "follow_wrong"):
        action = counted.actions_made.made[name]
        assert not action.isEnabled() and "counted where they are" in action.toolTip(), name
    counted.show_panel("figures")
    rest(qtbot, counted)
    table = counted.panels["figures"].matrices["train"].table
    assert "follows them" not in table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(0, 0)).center())
    counted.show_panel("rows")
    rest(qtbot, counted)
    view = counted.panels["rows"].view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(0, 0)).center())
    rest(qtbot, counted)
    assert not counted.document.following.on
    assert not any("rows themselves" in text for text in counted.bar.texts)


def test_one_edit_after_the_other_brings_no_error(qtbot: QtBot, counted: Window) -> None:
    """Of a tree that was grown, single validation rows would tell what it cost to choose it."""
    for name in ("split_here", "undo", "grow_all", "prune", "prune_weakest"):
        do(counted, name)
        rest(qtbot, counted)
    assert counted.document.tree.n_leaves > 1
    assert not any("rows themselves" in text for text in counted.bar.texts)


def test_figures_of_single_rows_are_grey_among_those_of_candidates(qtbot: QtBot, counted: Window) -> None:
    button = counted.panels["candidates"].show_figures
    QTest.mouseClick(button, LEFT)
    menu = counted.panels["candidates"].figures.menu
    qtbot.waitUntil(menu.isVisible)
    grey = {action.text(): action.toolTip() for action in menu.actions() if action.text() and not action.isEnabled()}
    menu.close()
    names = {"Gain with a second level", "Agreement with the leading split", "Wins in bootstrap samples"}
    assert set(grey) == names and all("counted where they are" in why for why in grey.values())
