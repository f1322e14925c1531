"""“Grow …”: where, how, what will happen; for this growth only, or from now on."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton

from gui.dialogs.grow_dialog import GrowDialog
from tests.gui.acting import rest

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key


@pytest.fixture
def grown(qtbot, opened):
    opened.set_search(max_depth=2)
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    opened.take_search({})
    opened.select(int(opened.tree.ids[opened.tree.children(0)[0]]))
    rest(qtbot, opened)
    return opened


def ask(qtbot, document):
    dialog = GrowDialog(document.state, document.selected, document.search)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def active(qtbot, document):
    """The dialog with the keyboard, so that Alt and a letter reach its buttons."""
    dialog = ask(qtbot, document)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def find(dialog, name):
    return dialog.findChild(QAbstractButton, name)


def click(button):
    QTest.mouseClick(button, LEFT, pos=QPoint(8, button.height() // 2))


def says(dialog):
    return dialog.findChild(QLabel, "grow_outcome").text()


def open_leaves(tree, top):
    inside = range(top, int(tree.end[top]))
    return sum(tree.n_branches[i] == 0 and (tree.train[i] > 0).sum() > 1 and tree.rows_train[i] > 1 for i in inside)


def test_at_the_root_the_whole_tree_is_grown(qtbot, opened):
    dialog = ask(qtbot, opened)
    assert dialog.whole.isChecked() and not dialog.branch.isVisible()
    assert says(dialog) == "Grows the open leaf until nothing is left to split."
    assert not find(dialog, "grow_anew").isEnabled()
    QTest.keyClick(dialog, KEY.Key_Return)
    assert dialog.result() == GrowDialog.DialogCode.Accepted
    assert (dialog.node, dialog.setting.search, dialog.anew, dialog.keep.isChecked()) == (0, {}, False, False)


def test_a_branch_is_offered_first_and_the_sentence_follows(qtbot, grown):
    dialog = ask(qtbot, grown)
    tree, top = grown.tree, grown.tree.position(grown.selected)
    assert dialog.branch.isChecked() and tree.sentence(top) in dialog.branch.text()
    assert dialog.node == grown.selected
    assert f"the {open_leaves(tree, top)} open leaves below “{tree.sentence(top)}”" in says(dialog)
    click(dialog.whole)
    assert dialog.node == 0
    assert f"the {open_leaves(tree, 0)} open leaves until" in says(dialog)


def test_options_are_chosen_for_this_growth_only(qtbot, grown):
    dialog = ask(qtbot, grown)
    stopping = dialog.form.sections[3]
    qtbot.mouseClick(stopping.heading, LEFT)
    box = dialog.form.rows["max_leaves"].control
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "6")
    QTest.keyClick(box, KEY.Key_Return)
    assert dialog.setting.search == {"max_leaves": 6} and says(dialog).endswith("or the tree has 6 leaves.")
    grown.tree_edits.grow_with(dialog.setting.search, 0, keep=dialog.keep.isChecked())
    rest(qtbot, grown)
    assert grown.tree.n_leaves == 6 and grown.search == {}
    assert grown.history.steps[-1].text == "Grow to 6 leaves"


def test_options_are_kept_when_that_is_checked(qtbot, grown):
    dialog = ask(qtbot, grown)
    dialog.form.rows["criterion"].control.setFocus()
    QTest.keyClick(dialog.form.rows["criterion"].control, KEY.Key_Down)
    click(find(dialog, "grow_keep"))
    assert dialog.keep.isChecked() and dialog.setting.search == {"criterion": "entropy"}
    grown.tree_edits.grow_with(dialog.setting.search, dialog.node, keep=dialog.keep.isChecked())
    rest(qtbot, grown)
    assert grown.criterion == "entropy"


def test_what_has_grown_is_taken_back_first_when_anew_is_checked(qtbot, grown):
    dialog = ask(qtbot, grown)
    click(find(dialog, "grow_anew"))
    assert dialog.anew and says(dialog).startswith("Takes 1 split below “")
    grown.tree_edits.grow_with({"max_leaves": grown.tree.n_leaves - 1}, dialog.node, anew=True)
    rest(qtbot, grown)
    assert grown.tree.n_branches[grown.tree.position(dialog.node)] == 0
    grown.undo()
    assert grown.tree.n_branches[grown.tree.position(dialog.node)] > 0


@pytest.mark.parametrize("steps", ["level", "split"])
def test_one_level_and_one_split_are_choices_of_the_same_sheet(qtbot, opened, steps):
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    opened.select(0)
    rest(qtbot, opened)
    dialog = ask(qtbot, opened)
    click(find(dialog, f"grow_one_{steps}"))
    assert dialog.steps == steps and not find(dialog, "grow_anew").isEnabled()
    said = {
        "level": f"Splits each of the {open_leaves(opened.tree, 0)} open leaves once.",
        "split": "Splits the leaf whose best split gains most, weighted by its rows.",
    }
    assert says(dialog) == said[steps].replace("each of the 1 open leaves", "the open leaf")
    before = opened.tree
    opened.tree_edits.grow_with({"criterion": "entropy"}, dialog.node, dialog.steps)
    rest(qtbot, opened)
    grown = {"level": open_leaves(before, 0), "split": 1}[steps]
    assert opened.tree.n_leaves == before.n_leaves + grown and opened.search == {}


def test_where_nothing_can_grow_it_says_so(qtbot, grown):
    dialog = ask(qtbot, grown)
    qtbot.mouseClick(dialog.form.sections[3].heading, LEFT)
    box = dialog.form.rows["max_depth"].control
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "2")
    QTest.keyClick(box, KEY.Key_Return)
    assert says(dialog).startswith("Nothing to grow below “")
    assert not dialog.findChild(QPushButton, "grow_button").isEnabled()


def test_what_cannot_be_is_said_in_the_dialog(qtbot, opened):
    dialog = ask(qtbot, opened)
    qtbot.mouseClick(dialog.form.sections[3].heading, LEFT)
    box = dialog.form.rows["significance"].control
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "2")
    QTest.keyClick(box, KEY.Key_Return)
    assert dialog.error.text == "Significance cannot be 2; it is a p-value, at most 1."
    assert dialog.setting.search == {} and box.text() == "no test"
    assert dialog.isVisible()


def test_a_number_that_is_still_being_typed_counts(qtbot, opened):
    dialog = active(qtbot, opened)
    qtbot.mouseClick(dialog.form.sections[3].heading, LEFT)
    box = dialog.form.rows["max_leaves"].control
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "6")
    assert dialog.setting.search == {}
    QTest.keyClick(box.lineEdit(), KEY.Key_G, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: dialog.result() == GrowDialog.DialogCode.Accepted)
    assert dialog.setting.search == {"max_leaves": 6}


def test_what_is_typed_last_and_cannot_be_keeps_the_dialog_open(qtbot, opened):
    dialog = active(qtbot, opened)
    qtbot.mouseClick(dialog.form.sections[4].heading, LEFT)
    line = dialog.form.rows["priors"].control.line
    line.setFocus()
    QTest.keyClicks(line, "rose=much")
    QTest.keyClick(line, KEY.Key_G, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: bool(dialog.error.text))
    assert dialog.isVisible() and "much" in dialog.error.text and line.text() == "rose=much"
    QTest.keyClick(line, KEY.Key_G, Qt.KeyboardModifier.AltModifier)
    QApplication.processEvents()
    assert dialog.isVisible() and "much" in dialog.error.text
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, KEY.Key_Delete)
    QTest.keyClick(line, KEY.Key_G, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert dialog.setting.search == {}


def test_it_is_no_higher_than_the_screen(qtbot, opened, monkeypatch):
    low = type("Low", (), {"availableGeometry": lambda self: QRect(0, 0, 960, 540)})()
    monkeypatch.setattr(GrowDialog, "screen", lambda self: low)
    dialog = ask(qtbot, opened)
    assert dialog.height() < 540 and find(dialog, "grow_button").geometry().bottom() < dialog.height()
