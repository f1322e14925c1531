"""The printout panel: the tree as J48 and rpart print it, in step with the canvas; copied, written."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest

import engine
from gui.panels.words import printout
from gui.panels.words.printout import PrintoutPanel
from tests.gui.acting import rest

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, document, flowers):
    made = PrintoutPanel(document)
    qtbot.addWidget(made)
    made.resize(600, 220)
    made.show()
    qtbot.waitExposed(made)
    tree = engine.Tree.root(flowers).split(flowers, 0, engine.Split("length", "threshold", (6.0,)))
    document.set_table(flowers, tree.split(flowers, 2, engine.Split("soil", "groups", groups=(("clay",), ("sand",)))))
    rest(qtbot, document)
    return made


def click_line(qtbot, panel, text):
    """Clicks on the first line that holds a text."""
    block = panel.text.document().begin()
    while text not in block.text():
        block = block.next()
    place = panel.text.cursorRect(QTextCursor(block)).center()
    qtbot.mouseClick(panel.text.viewport(), LEFT, pos=place)


def choose(qtbot, panel, program):
    panel.program.setFocus()
    QTest.keyClick(panel.program, Qt.Key.Key_Down if program == "rpart" else Qt.Key.Key_Up)
    rest(qtbot, panel._document)


def lit_line(panel):
    return [each.cursor.block().text() for each in panel.text.extraSelections()]


def test_it_shows_what_the_engine_prints(qtbot, panel, document):
    assert panel.text.toPlainText() + "\n" == engine.printout(document.tree, "j48")
    choose(qtbot, panel, "rpart")
    assert panel.text.toPlainText() + "\n" == engine.printout(document.tree, "rpart")


def test_a_line_and_the_canvas_select_the_same_node(qtbot, panel, document):
    click_line(qtbot, panel, "soil = clay")
    assert document.selected == 3 and "soil = clay" in lit_line(panel)[0]
    document.select(1)
    assert "length <= 6" in lit_line(panel)[0]
    document.select(0)
    assert lit_line(panel) == []  # J48 has no line for the root
    choose(qtbot, panel, "rpart")
    assert "root" in lit_line(panel)[0]


def test_copy_takes_what_is_selected_or_all(qtbot, panel, document):
    qtbot.mouseClick(panel.copy, LEFT)
    assert QGuiApplication.clipboard().text() == engine.printout(document.tree, "j48")
    panel.text.setFocus()
    panel.text.moveCursor(QTextCursor.MoveOperation.Start)
    for _ in range(2):
        QTest.keyClick(panel.text, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.mouseClick(panel.copy, LEFT)
    assert QGuiApplication.clipboard().text() == "J48 tree\n------------------\n"


def test_what_cannot_be_printed_says_why(qtbot, panel, document, flowers):
    levels = engine.Split("soil", "groups", groups=(("clay",), ("sand",), ("loam",)))
    document.set_table(flowers, engine.Tree.root(flowers).split(flowers, 0, levels))
    rest(qtbot, document)
    assert panel.copy.isEnabled()
    choose(qtbot, panel, "rpart")
    assert panel.nothing.text() == "rpart splits nodes in two: the split of soil at node 0 has 3 branches."
    assert not panel.text.isVisible() and not panel.copy.isEnabled() and not panel.export.isEnabled()


def test_of_a_long_printout_the_first_lines_are_in_sight_and_copy_takes_all(qtbot, panel, document, monkeypatch):
    monkeypatch.setattr(printout, "MOST", 5)
    document.hand.collapse(2)
    rest(qtbot, document)
    assert panel.text.blockCount() == 5 and panel.more.text().startswith("The first 5 lines")
    qtbot.mouseClick(panel.copy, LEFT)
    rest(qtbot, document)
    assert QGuiApplication.clipboard().text() == engine.printout(document.tree, "j48")


def test_out_of_sight_nothing_is_printed(qtbot, panel, document, flowers, monkeypatch):
    panel.hide()
    monkeypatch.setattr(printout, "listed", lambda *_, **__: pytest.fail("nobody sees it"))
    document.set_table(flowers, engine.Tree.root(flowers))
    rest(qtbot, document)


def test_the_program_whose_printout_it_is_is_asked_for(qtbot, panel):
    choose(qtbot, panel, "rpart")
    with qtbot.waitSignal(panel.exportAsked) as asked:
        qtbot.mouseClick(panel.export, LEFT)
    assert asked.args == ["rpart"]
