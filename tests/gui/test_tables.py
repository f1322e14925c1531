"""Tables of records: what a click on a title and Ctrl+C do to any of them."""

import math
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest

from gui.widgets import tables
from gui.widgets.tables import Column, TableModel, TableView


class Fruit(NamedTuple):
    name: str
    weight: float


FRUITS = (Fruit("pear", 2.0), Fruit("Apple", math.nan), Fruit("cherry", 1.0))
RED = QColor("red")


@pytest.fixture
def view(qtbot):
    columns = [
        Column[Fruit]("Name", lambda fruit: fruit.name, words=True, tip="What it is", explained=lambda fruit: "<b>"),
        Column[Fruit]("Weight", lambda fruit: f"{fruit.weight:g}", key=lambda fruit: fruit.weight, ink=lambda _: RED),
    ]
    made = TableView("fruits", "Fruits", TableModel(None, columns))
    made.model().fill(FRUITS)
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    return made


def click(view: TableView, section: int) -> None:
    header = view.horizontalHeader()
    where = QPoint(header.sectionViewportPosition(section) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)


def names(view: TableView) -> list[str]:
    return [view.model().index(row, 0).data() for row in range(view.model().rowCount())]


def test_a_click_on_a_title_sorts_and_a_third_one_brings_the_order_back(view):
    view.setCurrentIndex(view.model().index(0, 0))
    click(view, 1)
    assert names(view) == ["cherry", "pear", "Apple"], "what is unknown stands last"
    assert view.currentIndex().data() == "pear" and view.model().row_of(0) == 1 and view.model().place(0) == 2
    click(view, 1)
    assert names(view) == ["pear", "cherry", "Apple"]
    click(view, 1)
    assert names(view) == [fruit.name for fruit in FRUITS]
    click(view, 0)
    assert names(view) == ["Apple", "cherry", "pear"], "by the words, whatever their case"
    view.model().fill(FRUITS[:1] + FRUITS[2:])
    assert names(view) == ["cherry", "pear"]


def test_all_rows_can_be_ranked_at_once(view):
    model = view.model()
    model.fill(range(3), [Column[int]("Row", str, ranks=lambda falling: [0, 1, 2] if falling else [2, 1, 0])])
    model.sort(0)
    assert names(view) == ["2", "1", "0"]
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert names(view) == ["0", "1", "2"]


def test_the_selected_rows_are_copied_or_all(view, monkeypatch):
    view.copy()
    assert QGuiApplication.clipboard().text() == "Name\tWeight\npear\t2\nApple\tnan\ncherry\t1\n"
    click(view, 1)
    view.selectRow(0)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Name\tWeight\ncherry\t1\n"
    monkeypatch.setattr(tables, "MOST_COPIED", 1)
    view.copy_rows(range(3))
    assert QGuiApplication.clipboard().text() == "Name\tWeight\ncherry\t1\n… and 2 more rows\n"


def test_words_stand_left_and_numbers_right_and_no_tip_is_markup(view):
    model, role = view.model(), Qt.ItemDataRole
    assert model.headerData(0, Qt.Orientation.Horizontal, role.ToolTipRole) == "What it is"
    sides = [model.index(0, k).data(role.TextAlignmentRole) & Qt.AlignmentFlag.AlignLeft for k in range(2)]
    assert [bool(side) for side in sides] == [True, False]
    assert model.index(0, 0).data(role.ToolTipRole) == "<p>&lt;b&gt;</p>"
    assert model.index(0, 1).data(role.ForegroundRole) == RED and model.index(0, 0).data(role.ForegroundRole) is None
