"""The order of levels: chosen with mouse and keys, one undo step."""

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.data.columns import NAME, ColumnsPanel
from gui.panels.data.order_dialog import ROWS_ROLE, OrderDialog
from gui.wording import words
from tests.gui.acting import press_menu, put_up

# A menu wants the keyboard for itself; the offscreen platform has only one window that could have it.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")

LEFT = Qt.MouseButton.LeftButton
ORDER = ("very bad", "bad", "fair", "good")


@pytest.fixture
def table() -> engine.Table:
    """“asked” is a text of four levels, 10 to 40 rows each; “size” came with an order."""
    asked = [level for i, level in enumerate(ORDER) for _ in range(10 * (i + 1))]
    size = pd.Categorical(["small", "large"] * 50, ["small", "large"], ordered=True)
    frame = pd.DataFrame({"asked": asked, "size": size, "y": ["n"] * 45 + ["y"] * 55})
    return engine.Table.from_frame(frame, target="y")


@pytest.fixture
def dialog(qtbot: QtBot, table: engine.Table) -> OrderDialog:
    dialog = OrderDialog(table.column("asked"))
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


@pytest.fixture
def panel(document: Document, table: engine.Table, qtbot: QtBot) -> Iterator[ColumnsPanel]:
    panel = ColumnsPanel(document)
    qtbot.addWidget(panel)
    panel.resize(560, 400)
    panel.show()
    qtbot.waitExposed(panel)
    document.set_table(table)
    qtbot.waitUntil(lambda: all(panel.model.facts(i) is not None for i in range(3)), timeout=60_000)
    yield panel
    panel.hide()


def press(qtbot: QtBot, dialog: OrderDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, name)
    assert button is not None
    qtbot.mouseClick(button, LEFT)


def choose(qtbot: QtBot, dialog: OrderDialog, level: str) -> None:
    box = dialog.list
    where = box.visualItemRect(box.findItems(level, Qt.MatchFlag.MatchExactly)[0]).center()
    qtbot.mouseClick(box.viewport(), LEFT, pos=where)


def test_levels_stand_with_their_rows(dialog: OrderDialog) -> None:
    box = dialog.findChild(QListWidget, "order_levels")
    assert box is not None
    assert [(box.item(i).text(), box.item(i).data(ROWS_ROLE)) for i in range(box.count())] == [
        ("bad", "20"),
        ("fair", "30"),
        ("good", "40"),
        ("very bad", "10"),
    ]
    assert box.item(3).toolTip() == "very bad: 10 rows"
    assert not dialog.grab().isNull()


def test_levels_that_nobody_counted_are_ordered_without_numbers(qtbot: QtBot, table: engine.Table) -> None:
    """As those of a table in a database: its column has all levels and no row."""
    asked = table.column("asked")
    dialog = OrderDialog(replace(asked, codes=asked.codes[:0]))
    put_up(qtbot, dialog, 420, 300)
    qtbot.waitUntil(dialog.isActiveWindow)
    box = dialog.list
    listed = [box.item(i) for i in range(box.count())]
    assert [(item.text(), item.data(ROWS_ROLE), item.toolTip()) for item in listed] == [
        (level, "", level) for level in ("bad", "fair", "good", "very bad")
    ]
    right = box.visualItemRect(listed[0]).adjusted(box.viewport().width() // 2, 0, 0, 0)
    drawn = box.viewport().grab(right).toImage()
    assert len({drawn.pixel(x, y) for x in range(drawn.width()) for y in range(drawn.height())}) == 1, "no number"
    choose(qtbot, dialog, "very bad")
    for _ in range(3):
        qtbot.keyClick(box, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert dialog.levels == ("very bad", "bad", "fair", "good")
    choose(qtbot, dialog, "good")
    press(qtbot, dialog, "order_reverse")
    assert dialog.levels == ("good", "fair", "bad", "very bad")
    assert all(box.item(i).data(ROWS_ROLE) == "" for i in range(box.count()))
    with qtbot.waitSignal(dialog.accepted):
        press(qtbot, dialog, "order_ok")


def test_a_level_is_moved_by_buttons(dialog: OrderDialog, qtbot: QtBot) -> None:
    assert not dialog.up.isEnabled()
    choose(qtbot, dialog, "very bad")
    assert not dialog.down.isEnabled()
    for _ in range(3):
        press(qtbot, dialog, "order_up")
    assert dialog.levels == ORDER
    assert not dialog.up.isEnabled() and dialog.list.currentItem().text() == "very bad"
    press(qtbot, dialog, "order_down")
    assert dialog.levels == ("bad", "very bad", "fair", "good")


def test_a_level_is_moved_by_keys(dialog: OrderDialog, qtbot: QtBot) -> None:
    dialog.activateWindow()
    dialog.list.setFocus()
    qtbot.keyClick(dialog.list, Qt.Key.Key_End)
    for _ in range(5):
        qtbot.keyClick(dialog.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert dialog.levels == ORDER
    qtbot.keyClick(dialog.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert dialog.levels == ("bad", "very bad", "fair", "good")


def test_all_levels_are_turned_round_and_sorted(dialog: OrderDialog, qtbot: QtBot) -> None:
    choose(qtbot, dialog, "good")
    press(qtbot, dialog, "order_reverse")
    assert dialog.levels == ("very bad", "good", "fair", "bad")
    assert dialog.list.currentItem().text() == "good"
    press(qtbot, dialog, "order_sort")
    assert dialog.levels == ("bad", "fair", "good", "very bad")


def test_sorting_knows_numbers_in_texts() -> None:
    assert sorted(["10th", "2nd", "1.5", "b", "A"], key=words.natural) == ["1.5", "2nd", "10th", "A", "b"]


def open_order(panel: ColumnsPanel, qtbot: QtBot, row: int, key: str) -> OrderDialog:
    """Opens the kinds of a column with F2, or its context menu, and chooses an entry that asks for an order."""
    where = panel.view.visualRect(panel.proxy.index(row, NAME)).center()
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=where)
    if key == "ordered":
        qtbot.keyClick(panel.view, Qt.Key.Key_F2)
    else:
        panel.view.customContextMenuRequested.emit(where)
    press_menu(qtbot, key)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), OrderDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, OrderDialog)
    return dialog


def test_who_makes_texts_ordered_is_asked_for_the_order(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    dialog = open_order(panel, qtbot, 0, "ordered")
    choose(qtbot, dialog, "very bad")
    for _ in range(3):
        press(qtbot, dialog, "order_up")
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        press(qtbot, dialog, "order_ok")
    assert document.table is not None and document.tree is not None
    column = document.table.column("asked")
    assert (column.kind, column.levels) == ("ordered", ORDER)
    assert [step.text for step in document.history.steps[1:]] == ["Set order of “asked”"]
    with qtbot.waitSignal(document.tableChanged):
        document.undo()
    assert document.table.column("asked").kind == "nominal"


def test_who_gives_up_leaves_the_kind_as_it_is(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    dialog = open_order(panel, qtbot, 0, "ordered")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    assert document.table is not None
    assert document.table.column("asked").kind == "nominal" and len(document.history.steps) == 1


def test_an_order_is_changed_from_the_context_menu(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    dialog = open_order(panel, qtbot, 1, "Order of &levels…")
    press(qtbot, dialog, "order_reverse")
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        press(qtbot, dialog, "order_ok")
    assert document.table is not None
    assert document.table.column("size").levels == ("large", "small")
    assert len(document.history.steps) == 2


def test_the_same_order_is_no_step(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    dialog = open_order(panel, qtbot, 1, "Order of &levels…")
    press(qtbot, dialog, "order_ok")
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    assert not document.edits.running and len(document.history.steps) == 1


def test_only_ordered_columns_have_an_order_to_change(panel: ColumnsPanel) -> None:
    texts = [[action.text() for action in panel.context_menu(place).actions()] for place in range(3)]
    assert ["Order of &levels…" in each for each in texts] == [False, True, False]


def test_a_level_is_dragged(dialog: OrderDialog, qtbot: QtBot) -> None:
    box = dialog.list
    assert box.dragDropMode() == QListWidget.DragDropMode.InternalMove
    # A drag itself needs a window system: the model's move is what a drop ends in.
    box.setCurrentRow(3)
    box.model().moveRow(box.rootIndex(), 3, box.rootIndex(), 0)
    assert dialog.levels == ORDER
    assert not dialog.up.isEnabled() and box.visualItemRect(box.currentItem()).contains(QPoint(5, 5))


def test_the_class_in_focus_stays_in_focus(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        document.table_edits.set_order("y", ["y", "n"])
    assert document.tree is not None
    assert document.tree.classes == ("y", "n") and document.tree.classes[document.focus_class] == "y"
    document.undo()
    assert document.tree.classes == ("n", "y") and document.tree.classes[document.focus_class] == "y"
    assert document.table is not None
    document.set_table(document.table.with_order("y", ["y", "n"]))
    assert document.tree.classes[document.focus_class] == "n"  # begun anew: as with any table of two classes
