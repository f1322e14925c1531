"""What a person writes on nodes, by every way there is, and what does not apply."""

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from gui.model.editing.hand_edits import BRANCH
from gui.panels.data.columns import ROLE
from gui.verbs.declared import VERBS
from gui.verbs.menus import SUBMENUS
from gui.wording import hand_phrases
from tests.gui.acting import rest
from tests.gui.asked import when_asked
from tests.gui.editing.hands import WAYS, by_key, pick, step, told, undone, ways
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


# -- marks


@WAYS
@pytest.mark.parametrize(
    ("verb", "name", "words"), [("pin", "pinned", ("Pin", "Unpin")), ("lock", "locked", ("Lock", "Unlock"))]
)
def test_a_node_is_pinned_or_locked_and_free_again(qtbot, window, way, verb, name, words):
    document, before = window.document, window.document.tree
    document.select(1)
    act = ways(qtbot, window)[way]
    act(verb)
    rest(qtbot, window)
    assert getattr(document.tree.mark(1), name) and step(window) == f"{words[0]} “length ≤ 6”"
    assert window.actions_made.made[verb].isChecked()
    document.select(0)
    assert not window.actions_made.made[verb].isChecked()
    document.select(1)
    act(verb)
    rest(qtbot, window)
    assert not getattr(document.tree.mark(1), name) and step(window) == f"{words[1]} “length ≤ 6”"
    document.undo()
    undone(qtbot, window, before)


@WAYS
def test_a_note_is_written(qtbot, window, way):
    before = window.document.tree

    def act(dialog: QWidget) -> None:
        field = dialog.findChild(QPlainTextEdit, "note_field")
        QTest.keyClicks(field, "Look here")
        QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)

    asked = when_asked(act, "note_dialog")
    ways(qtbot, window)[way]("note")
    rest(qtbot, window)
    assert asked and window.document.tree.mark(0).note == "Look here"
    assert step(window) == "Write the note of the root"
    undone(qtbot, window, before)


@WAYS
def test_a_leaf_says_another_class(qtbot, window, way):
    document, before = window.document, window.document.tree
    document.select(2)
    rest(qtbot, window)
    other = next(name for k, name in enumerate(before.classes) if k != before.labels[before.position(2)])
    asked = when_asked(pick(other), "pick_dialog")
    ways(qtbot, window)[way]("label")
    rest(qtbot, window)
    tree = document.tree
    assert asked and tree.classes[tree.labels[tree.position(2)]] == other
    assert step(window) == f"Set leaf label “{other}” at “length > 6”"
    assert f"Predicts {other}" in window.panels["node"].outcome.text()
    assert f"Labelled by hand: predicts {other}" in window.panels["node"].marks.text()
    assert f"Labelled by hand: predicts {other}" in window.canvas.accessibleDescription()
    again = when_asked(pick("What was counted"), "pick_dialog")
    by_key(window, "label")
    rest(qtbot, window)
    assert again and document.tree.mark(2).label is None
    document.undo()
    undone(qtbot, window, before)


def test_a_leaf_says_another_number(qtbot, numbers):
    document, before = numbers.document, numbers.document.tree
    leaf = int(before.ids[before.leaves[0]])
    document.select(leaf)
    rest(qtbot, numbers)

    def act(dialog: QWidget) -> None:
        field = dialog.findChild(QLineEdit, "number_field")
        button = dialog.findChild(QPushButton, "number_accept")
        QTest.keyClicks(field, "many")
        assert not button.isEnabled()
        field.clear()
        QTest.keyClicks(field, "2.5")
        QTest.mouseClick(button, LEFT)

    asked = when_asked(act, "number_dialog")
    by_key(numbers, "label")
    rest(qtbot, numbers)
    tree = document.tree
    assert asked and tree.predictions[tree.position(leaf)] == 2.5 and "Set leaf label “2.5” at" in step(numbers)
    assert "training MSE" in told(numbers) and "→" in told(numbers)
    assert "2.5" in numbers.panels["node"].outcome.text()
    undone(qtbot, numbers, before)


@WAYS
def test_a_column_is_left_out_below_a_node(qtbot, window, way):
    document, before = window.document, window.document.tree
    document.select(2)
    rest(qtbot, window)
    asked = when_asked(pick("width"), "pick_dialog")
    ways(qtbot, window)[way]("exclude")
    rest(qtbot, window)
    assert asked and document.tree.mark(2).excluded == ("width",)
    assert step(window) == "Exclude “width” below “length > 6”"
    shut = next(candidate for candidate in document.candidates if candidate.column == "width")
    assert shut.split is None and "left out below “length > 6”" in shut.reason
    document.hand.split_by_column(2, "width")
    assert window.bar.texts[-1] == ("“width” is excluded at and below “length > 6”: include it again there first (X).")
    undone(qtbot, window, before)
    rest(qtbot, window)
    assert all(candidate.split for candidate in document.candidates)


@WAYS
def test_a_node_is_searched_by_a_criterion_of_its_own(qtbot, window, way):
    document, before = window.document, window.document.tree
    asked = when_asked(pick("Entropy"), "pick_dialog")
    gains = [candidate.gain for candidate in document.candidates]
    ways(qtbot, window)[way]("node_criterion")
    rest(qtbot, window)
    assert asked and document.tree.mark(0).criterion == "entropy" == document.criterion_here
    assert step(window) == "Search by Entropy below the root"
    assert [candidate.gain for candidate in document.candidates] != gains
    own = next(candidate for candidate in document.candidates if candidate.column == "length")
    assert document.candidate.gain == pytest.approx(own.scores["entropy"], abs=0.2)
    undone(qtbot, window, before)


def test_a_criterion_that_does_not_go_with_the_search_is_told_by_name(qtbot, numbers):
    document = numbers.document
    document.hand.mark(1, criterion="absolute_error")
    rest(qtbot, numbers)
    document.set_search(m_of_n=True)
    document.select(1)
    rest(qtbot, numbers)
    said = "“width ≤ 5” is searched by Absolute error, but m-of-n cannot go with"
    shown = numbers.panels["candidates"].empty
    assert shown.text().startswith(said) and shown.isVisible()
    by_key(numbers, "grow_branch")
    rest(qtbot, numbers)
    assert numbers.bar.texts[-1].startswith(said)


@WAYS
def test_columns_are_locked(qtbot, window, way):
    document = window.document
    asked = when_asked(pick("width"), "pick_dialog")
    ways(qtbot, window)[way]("lock_columns")
    rest(qtbot, window)
    assert asked and document.search["locked"] == ("width",)
    assert told(window) == "“width” is locked: no search uses it from now on."
    shut = next(candidate for candidate in document.candidates if candidate.column == "width")
    assert shut.split is None
    document.set_preset("id3")
    assert document.search["locked"] == ("width",) and document.preset == "id3"
    document.hand.split_by_column(2, "width")
    assert "“width” is locked" in window.bar.texts[-1]


def test_a_column_is_locked_in_the_columns_panel(qtbot, window):
    panel = window.panels["columns"]
    place = [column.name for column in window.document.table.columns].index("soil")
    for before, now in (("Lock it", ("soil",)), ("Unlock it", ())):
        menu = panel.context_menu(place)
        (action,) = [action for action in menu.actions() if action.text().replace("&", "") == before]
        action.trigger()
        rest(qtbot, window)
        assert window.document.hand.locked_columns == now
        said = panel.model.index(place, ROLE).data()
        assert said == ("locked" if now else "feature")
        menu.deleteLater()


def test_locked_nodes_refuse_in_words(qtbot, window):
    document = window.document
    document.select(1)
    by_key(window, "lock")
    rest(qtbot, window)
    before, leaf = document.tree, int(document.tree.ids[2])
    document.select(leaf)
    rest(qtbot, window)
    said = "“soil = clay” stands below “length ≤ 6”, which is locked: unlock it first (Shift+K)."
    for act in (
        lambda: document.hand.split_by_column(leaf, "width"),
        lambda: document.hand.mark(leaf, label="iris"),
        lambda: by_key(window, "split_here"),
        lambda: document.accept(document.candidates[0]),
    ):
        while window.bar.rows:
            window.bar.dismiss(window.bar.rows[0])
        act()
        rest(qtbot, window)
        assert document.tree is before and window.bar.texts == [said]
    document.select(0)
    by_key(window, "prune_below")
    rest(qtbot, window)
    said = "“length ≤ 6” below the root is locked: unlock it first (Shift+K)."
    assert document.tree is before and window.bar.texts[-1] == document.why_no_split() == said
    document.select(1)
    by_key(window, "grow_branch")
    assert window.bar.texts[-1].startswith("“length ≤ 6” is locked, so nothing grows at or below it")


def test_sentences_about_nodes_name_them_by_their_branch(window):
    tree = window.document.tree
    say = hand_phrases.in_places
    assert say("Node 0 is split already: collapse it first.", tree) == "The root is split already: collapse it first."
    assert say("The label “v” of node 1 was taken back.", tree) == "The label “v” of “length ≤ 6” was taken back."
    kept = "“node 1” is no feature, and node 99 is none of this tree: Nodes 1 and 2."
    assert say(kept, tree) == kept


def test_a_pinned_leaf_is_left_alone_by_its_best_split(qtbot, window):
    document = window.document
    document.hand.toggle(2, "pinned")
    rest(qtbot, window)
    document.select(2)
    before = document.tree
    by_key(window, "split_here")
    rest(qtbot, window)
    assert document.tree is before and "pinned" in window.bar.texts[-1]


# -- what applies


def test_verbs_that_do_not_apply_are_grey(qtbot, window):
    def enabled() -> set[str]:
        names = [*SUBMENUS["branch>"][1], *SUBMENUS["mark>"][1], "replace_split", "prune_below"]
        return {name for name in names if name and window.actions_made.made[name].isEnabled()}

    always = {"note", "pin", "lock", "exclude", "node_criterion", "lock_columns"}
    assert enabled() == always | {"copy_branch", "replace_split", "prune_below"}
    window.document.select(2)  # its sibling is split
    assert enabled() == always | {"label"}
    window.document.select(int(window.document.tree.ids[2]))
    assert enabled() == always | {"label", "merge"}
    QGuiApplication.clipboard().setMimeData(branch_data())
    assert enabled() == always | {"label", "merge", "paste_branch"}


def branch_data() -> QMimeData:
    data = QMimeData()
    data.setData(BRANCH, b"{}")
    return data


def test_copying_text_elsewhere_is_not_copying_a_branch(qtbot, window):
    panel = window.panels["columns"]
    panel.search.setFocus()
    panel.search.setText("soil")
    panel.search.selectAll()
    QTest.keyClick(panel.search, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "soil"
    assert VERBS["copy_branch"].on_canvas and VERBS["paste_branch"].on_canvas


# -- the note in the node panel


def test_a_note_is_written_in_the_node_panel(qtbot, window):
    window.show_panel("node")
    field = window.panels["node"].note
    window.document.select(1)
    field.setFocus()
    QTest.keyClicks(field, "why so few")
    QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)
    rest(qtbot, window)
    assert window.document.tree.mark(1).note == "why so few"
    assert step(window) == "Write the note of “length ≤ 6”"
    QTest.keyClicks(field, "?")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text == "why so few"
    window.document.undo()
    assert field.text == ""


def test_a_note_that_is_typed_is_written_on_its_own_node_when_another_is_selected(qtbot, window):
    window.show_panel("node")
    field = window.panels["node"].note
    window.document.select(1)
    field.setFocus()
    QTest.keyClicks(field, "mine")
    window.document.select(2)
    rest(qtbot, window)
    assert window.document.tree.mark(1).note == "mine" and not window.document.tree.mark(2).note
    assert field.text == ""


def test_a_note_in_the_making_outlives_an_edit_elsewhere(qtbot, window):
    window.show_panel("node")
    field = window.panels["node"].note
    window.document.select(2)
    field.setFocus()
    QTest.keyClicks(field, "half a")
    window.document.hand.toggle(1, "pinned")
    rest(qtbot, window)
    assert field.text == "half a" and not window.document.tree.mark(2).note


def test_what_is_typed_for_one_table_is_not_written_on_another(qtbot, window):
    window.show_panel("node")
    field = window.panels["node"].note
    field.setFocus()
    QTest.keyClicks(field, "old")
    window.document.set_table(flower_table())
    rest(qtbot, window)
    assert field.text == "" and not window.document.tree.marks
