"""Edits by hand, as a person makes them: by the menu, the key and the context menu of the tree, and by dragging."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QTreeView,
    QTreeWidget,
    QWidget,
)

import engine
from gui.document import Document
from gui.editing.hand_edits import BRANCH, partners
from gui.panels.columns.model import NAME, ROLE
from gui.settings import Settings
from gui.tasks import hand_tasks
from gui.verbs.declared import VERBS
from gui.verbs.menus import SUBMENUS
from gui.widgets.dragged import column_data, column_picture
from gui.window import Window
from gui.wording import hand_phrases
from tests.gui.asked import give_up, press, when_asked
from tests.gui.conftest import flower_table

LEFT = Qt.MouseButton.LeftButton
NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


def make_window(qtbot, table: engine.Table) -> Window:
    window = Window(Document(), Settings())
    qtbot.addWidget(window, before_close_func=give_up)
    window.resize(1400, 900)
    window.show()
    qtbot.waitExposed(window)
    window.document.set_table(table)
    rest(qtbot, window)
    return window


@pytest.fixture
def window(qtbot, home, flowers) -> Window:
    """The flowers, split by length at 6 and, on the left, by soil into three branches; the root is selected."""
    window = make_window(qtbot, flowers)
    document = window.document
    document.hand.split_by(0, engine.Split("length", "threshold", (6.0,)))
    rest(qtbot, window)
    document.hand.split_by(1, engine.Split("soil", "groups", groups=(("clay",), ("loam",), ("sand",))))
    rest(qtbot, window)
    document.select(0)
    rest(qtbot, window)
    QGuiApplication.clipboard().clear()
    return window


@pytest.fixture
def numbers(qtbot, home) -> Window:
    """A numeric target, the root split once."""
    window = make_window(qtbot, flower_table().with_partition(validation=0.25).with_target("length"))
    window.document.hand.split_by(0, engine.Split("width", "threshold", (5.0,)))
    rest(qtbot, window)
    return window


def rest(qtbot, window: Window) -> None:
    qtbot.waitUntil(lambda: not window.document.jobs.busy and not window.document.editing, timeout=60_000)


def pick(*texts: str) -> Callable[[QWidget], None]:
    """Goes to a line of the list with the keyboard and takes it; of several, ticks or unticks each."""

    def act(dialog: QWidget) -> None:
        shown = dialog.findChild(QTreeWidget, "pick_list")
        for text in texts:
            (item,) = shown.findItems(text, Qt.MatchFlag.MatchExactly, 0)
            shown.setCurrentItem(item)
            if item.data(0, Qt.ItemDataRole.CheckStateRole) is not None:
                QTest.keyClick(shown, Qt.Key.Key_Space)
        QTest.mouseClick(dialog.findChild(QPushButton, "pick_accept"), LEFT)

    return act


def by_menu(window: Window, name: str) -> None:
    """Triggers a verb in the Tree menu, in its submenu if it has one."""
    tree_menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Tree")
    found = [action for action in all_actions(tree_menu) if action.objectName() == f"action_{name}"]
    assert len(found) == 1 and found[0].isEnabled()
    found[0].trigger()


def all_actions(menu: QMenu) -> list[Any]:
    found = []
    for action in menu.actions():
        found += all_actions(action.menu()) if action.menu() else [action]
    return found


def by_context_menu(qtbot, window: Window, name: str) -> None:
    """Opens the context menu of the selected node and triggers a verb."""
    place = window.canvas.node_rect(window.document.selected).center().toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, window.canvas.mapToGlobal(place))
    QApplication.sendEvent(window.canvas, event)
    menu = window.findChildren(QMenu, "node_menu")[-1]
    qtbot.waitUntil(menu.isVisible)
    (action,) = [action for action in all_actions(menu) if action.objectName() == f"action_{name}"]
    menu.close()
    action.trigger()


def by_key(window: Window, name: str) -> None:
    """Presses the key of a verb on the canvas."""
    window.activateWindow()  # after a dialog nobody else does it here
    QTest.qWaitForWindowActive(window)
    window.canvas.setFocus()
    keys = window.actions_made[name].shortcut()[0]
    QTest.keyClick(window.canvas, keys.key(), keys.keyboardModifiers())


def ways(qtbot, window: Window) -> list[Callable[[str], None]]:
    return [
        lambda name: by_menu(window, name),
        lambda name: by_context_menu(qtbot, window, name),
        lambda name: by_key(window, name),
    ]


WAYS = pytest.mark.parametrize("way", [0, 1, 2], ids=["menu", "context", "key"])


def step(window: Window) -> str:
    return window.document.steps[window.document.step_index].text


def undone(qtbot, window: Window, before: engine.Tree) -> None:
    """Undo brings the very tree back, in one step."""
    window.actions_made["undo"].trigger()
    rest(qtbot, window)
    assert window.document.tree is before


def told(window: Window) -> str:
    return window.statusBar().currentMessage()


# -- split by a column


@WAYS
def test_a_leaf_is_split_by_a_column_from_the_list(qtbot, window, way):
    document, before = window.document, window.document.tree
    document.select(2)
    rest(qtbot, window)
    asked = when_asked(pick("width"), "pick_dialog")
    ways(qtbot, window)[way]("split_column")
    rest(qtbot, window)
    assert asked and document.tree.split_at(document.tree.position(2)).column == "width"
    assert document.tree.by_hand[document.tree.position(2)]
    assert step(window).startswith("Split “length > 6” by “width ≤") and step(window).endswith("(best of width)")
    assert told(window).startswith(step(window) + ": training error ") and "validation error" in told(window)
    undone(qtbot, window, before)


def test_the_list_is_searched_by_typing_and_taken_by_enter(qtbot, home):
    frame = flower_table().to_frame()
    for k in range(8):
        frame[f"more {k}"] = [(k + 3) * i % 7 for i in range(120)]
    table = engine.Table.from_frame(frame, target="kind", name="wide")
    window = make_window(qtbot, table)

    def act(dialog: QWidget) -> None:
        field = dialog.findChild(QLineEdit, "pick_search")
        assert field.hasFocus() or field.isVisible()
        QTest.keyClicks(field, "more 5")
        QTest.keyClick(field, Qt.Key.Key_Return)

    asked = when_asked(act, "pick_dialog")
    by_key(window, "split_column")
    rest(qtbot, window)
    assert asked and window.document.tree.split_at(0).column == "more 5"


def test_of_several_what_is_typed_is_ticked_by_enter(qtbot, home):
    frame = flower_table().to_frame()
    for k in range(8):
        frame[f"more {k}"] = [(k + 3) * i % 7 for i in range(120)]
    window = make_window(qtbot, engine.Table.from_frame(frame, target="kind", name="wide"))

    def act(dialog: QWidget) -> None:
        field = dialog.findChild(QLineEdit, "pick_search")
        QTest.keyClick(field, Qt.Key.Key_Space)  # the line that is marked: the first
        for name in ("more 5", "more 2", "nothing"):
            QTest.keyClicks(field, name)
            QTest.keyClick(field, Qt.Key.Key_Return)
            assert dialog.isVisible()
        field.clear()
        QTest.keyClick(field, Qt.Key.Key_Return)

    asked = when_asked(act, "pick_dialog")
    by_key(window, "exclude")
    rest(qtbot, window)
    assert asked and window.document.tree.mark(0).excluded == ("length", "more 2", "more 5")


def test_an_inner_node_is_split_anew_by_a_column_and_the_branches_stay(qtbot, window):
    document, before = window.document, window.document.tree
    asked = when_asked(pick("width"), "pick_dialog")
    below = when_asked(press("Keep"), "ask_below")
    by_key(window, "split_column")
    rest(qtbot, window)
    assert asked and below
    tree = document.tree
    assert tree.split_at(0).column == "width" and tree.split_at(tree.position(1)).column == "soil"
    assert step(window).startswith("Split the root anew by “width ≤")
    assert step(window).endswith("(best of width, branches kept)")
    assert document.selected == 0
    undone(qtbot, window, before)


def drag(window: Window, column: str, node: int) -> QDropEvent:
    """Drags a column over a node and drops it there, as Qt tells the canvas of it."""
    canvas, data = window.canvas, column_data(column)
    place = canvas.node_rect(node).center()
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place.toPoint(), copy, data, LEFT, NONE)
    QApplication.sendEvent(canvas, enter)
    assert enter.isAccepted()
    move = QDragMoveEvent(place.toPoint(), copy, data, LEFT, NONE)
    QApplication.sendEvent(canvas, move)
    assert move.isAccepted()
    drop = QDropEvent(place, copy, data, LEFT, NONE)
    QApplication.sendEvent(canvas, drop)
    return drop


def test_a_column_is_dragged_onto_a_leaf(qtbot, window):
    before = window.document.tree
    assert drag(window, "width", 2).isAccepted()
    qtbot.waitUntil(lambda: window.document.tree is not before, timeout=30_000)
    rest(qtbot, window)
    assert window.document.tree.split_at(window.document.tree.position(2)).column == "width"
    undone(qtbot, window, before)


def test_a_column_beside_the_cards_is_not_taken(qtbot, window):
    data = column_data("width")
    QApplication.sendEvent(window.canvas, QDragEnterEvent(QPoint(3, 3), Qt.DropAction.CopyAction, data, LEFT, NONE))
    for place, node in ((QPointF(3, 3), False), (window.canvas.node_rect(0).center(), True)):
        move = QDragMoveEvent(place.toPoint(), Qt.DropAction.CopyAction, data, LEFT, NONE)
        QApplication.sendEvent(window.canvas, move)
        assert move.isAccepted() == node


def test_what_is_dragged_is_a_small_card(qapp):
    small, large = (column_picture(name, qapp.font(), 2.0).deviceIndependentSize() for name in ("width", "w" * 300))
    assert small.width() < 60 and large.width() < 240 and small.height() == large.height() < 40


def test_the_columns_panel_lets_features_be_dragged(qtbot, window):
    table = window.findChild(QTableView, "columns_table")
    model = table.model()
    draggable = {
        model.index(row, NAME).data(): bool(model.flags(model.index(row, NAME)) & Qt.ItemFlag.ItemIsDragEnabled)
        for row in range(model.rowCount())
    }
    assert draggable == {"length": True, "width": True, "soil": True, "kind": False}
    assert table.dragEnabled()
    row = next(row for row in range(model.rowCount()) if model.index(row, NAME).data() == "soil")
    data = model.mimeData([model.index(row, NAME)])
    assert isinstance(data, QMimeData) and data.formats() == column_data("soil").formats()


def test_a_column_without_a_split_says_why(qtbot, window):
    before = window.document.tree
    window.document.set_search(min_leaf=1_000)
    window.document.hand.split_by_column(2, "width")
    rest(qtbot, window)
    assert any("“width” cannot split this node: " in text for text in window.bar.texts)
    assert window.document.tree is before


# -- another split


@pytest.mark.parametrize(("way", "below"), [(0, "Keep"), (1, "Grow anew"), (2, "Drop")])
def test_the_split_of_an_inner_node_is_replaced_by_the_candidate(qtbot, window, way, below):
    document, before = window.document, window.document.tree
    assert {candidate.column for candidate in document.candidates} == {"length", "width", "soil"}
    assert document.candidate.split == before.split_at(0), "its own split is looked at first"
    document.select_candidate(next(c for c in document.candidates if c.column == "width"))
    rest(qtbot, window)
    asked = when_asked(press(below), "ask_below")
    ways(qtbot, window)[way]("replace_split")
    rest(qtbot, window)
    tree = document.tree
    assert asked and tree.split_at(0).column == "width" and tree.by_hand[0]
    assert step(window).startswith("Split the root anew by “width ≤")
    assert {"Keep": tree.n_leaves > 2, "Grow anew": tree.n_leaves > 3, "Drop": tree.n_leaves == 2}[below]
    assert (1 in tree) == (below == "Keep")
    undone(qtbot, window, before)


def test_a_candidate_is_accepted_at_an_inner_node_by_a_double_click(qtbot, window):
    document = window.document
    table = window.findChild(QTreeView, "candidates_table")
    model = table.model()
    row = next(row for row in range(model.rowCount()) if model.index(row, 0).data() == "soil")
    place = table.visualRect(model.index(row, 0)).center()
    asked = when_asked(press("Drop"), "ask_below")
    QTest.mouseClick(table.viewport(), LEFT, NONE, place)
    QTest.mouseDClick(table.viewport(), LEFT, NONE, place)
    rest(qtbot, window)
    assert asked and document.tree.split_at(0).column == "soil"


def test_a_cancelled_question_leaves_the_tree(qtbot, window):
    before, questions = window.document.tree, []

    def read_and_cancel(box: QMessageBox) -> None:
        questions.append(box.text())
        press("Cancel")(box)

    asked = when_asked(read_and_cancel, "ask_below")
    window.document.hand.replace_split(0, engine.Split("width", "threshold", (5.0,)))
    rest(qtbot, window)
    assert asked and window.document.tree is before
    asked = when_asked(read_and_cancel, "ask_below")
    drag(window, "width", 0)
    qtbot.waitUntil(lambda: bool(asked))
    rest(qtbot, window)
    assert window.document.tree is before
    assert questions == [
        "Split the root anew by “width ≤ 5”: what becomes of the 4 leaves below?",
        "Split the root anew by the best split of “width”: what becomes of the 4 leaves below?",
    ]


def test_nobody_is_asked_where_nothing_is_below(qtbot, window):
    document = window.document
    document.select(1)
    rest(qtbot, window)
    document.hand.replace_split(1, engine.Split("width", "threshold", (5.0,)))
    rest(qtbot, window)
    assert document.tree.split_at(document.tree.position(1)).column == "width"


def test_a_drafted_split_replaces_the_one_there(qtbot, window):
    document = window.document
    editor = window.docks["split_editor"].widget()
    window.show_panel("split_editor")
    assert editor.split.text() == "Replace" and editor.split.isEnabled()
    editor.plot.setFocus()
    editor._on_drafted(editor.draft.move_cut(0, 8.0, 0.01))
    asked = when_asked(press("Keep"), "ask_below")
    QTest.mouseClick(editor.split, LEFT)
    rest(qtbot, window)
    assert asked and document.tree.split_at(0).thresholds[0] == pytest.approx(8.0, abs=0.3)


# -- branches


@WAYS
def test_a_leaf_is_merged_with_a_sibling_from_the_list(qtbot, window, way):
    document, before = window.document, window.document.tree
    clay, loam = (int(before.ids[i]) for i in before.children(before.position(1))[:2])
    document.select(clay)
    rest(qtbot, window)
    asked = when_asked(pick("= loam"), "pick_dialog")
    ways(qtbot, window)[way]("merge")
    rest(qtbot, window)
    assert asked and clay in document.tree and loam not in document.tree
    assert document.tree.split_at(document.tree.position(1)).groups == (("clay", "loam"), ("sand",))
    assert step(window) == "Merge “soil = clay” and “= loam”"
    undone(qtbot, window, before)


def test_the_only_sibling_needs_no_question(qtbot, window):
    document = window.document
    document.hand.collapse(1)
    rest(qtbot, window)
    document.select(2)
    by_key(window, "merge")
    rest(qtbot, window)
    assert document.tree.n_leaves == 1


def test_only_neighbours_of_a_cut_can_be_merged(qtbot, window):
    document = window.document
    document.hand.split_by(2, engine.Split("width", "threshold", (3.0, 6.0)))
    rest(qtbot, window)
    low, middle, high = (int(document.tree.ids[i]) for i in document.tree.children(document.tree.position(2)))
    assert partners(document.tree, low) == [middle]
    assert partners(document.tree, middle) == [low, high]
    assert partners(document.tree, 0) == [] == partners(document.tree, 1)


@WAYS
def test_a_branch_is_copied_and_pasted(qtbot, window, way):
    document, before = window.document, window.document.tree
    act = ways(qtbot, window)[way]
    document.select(1)
    act("copy_branch")
    document.select(2)
    act("paste_branch")  # at once: the clipboard may not have it yet
    rest(qtbot, window)
    tree = document.tree
    assert tree.split_at(tree.position(2)) == tree.split_at(tree.position(1))
    assert step(window) == "Paste a branch of 3 leaves at “length > 6”"
    undone(qtbot, window, before)


def test_a_branch_goes_to_another_window_through_the_clipboard(qtbot, window):
    document = window.document
    document.select(0)
    by_key(window, "copy_branch")
    rest(qtbot, window)
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasFormat(BRANCH) and data.text().startswith("{")
    other = make_window(qtbot, flower_table())
    assert other.actions_made["paste_branch"].isEnabled()
    by_key(other, "paste_branch")
    rest(qtbot, other)
    assert other.document.tree.n_leaves == document.tree.n_leaves
    assert other.document.tree.split_at(0) == document.tree.split_at(0)


def test_what_is_no_branch_is_refused(qtbot, window):
    before = window.document.tree
    data = QMimeData()
    data.setData(BRANCH, b"{]")
    QGuiApplication.clipboard().setMimeData(data)
    window.document.select(2)
    by_key(window, "paste_branch")
    rest(qtbot, window)
    assert window.document.tree is before
    assert "What was copied" in window.bar.texts[-1]


@WAYS
def test_everything_below_is_deleted(qtbot, window, way):
    before = window.document.tree
    ways(qtbot, window)[way]("prune_below")
    rest(qtbot, window)
    assert window.document.tree.n_leaves == 1
    assert step(window) == "Delete 4 leaves below the root"
    undone(qtbot, window, before)


@WAYS
def test_the_weakest_split_is_pruned(qtbot, window, way):
    before = window.document.tree
    weakest = before.weakest("gini")
    ways(qtbot, window)[way]("prune_weakest")
    rest(qtbot, window)
    assert window.document.tree.n_branches[window.document.tree.position(weakest)] == 0
    assert step(window) == "Prune the weakest split, by “soil”"
    undone(qtbot, window, before)


def test_without_a_split_that_may_go_it_says_so(qtbot, window):
    document = window.document
    leaf = int(document.tree.ids[document.tree.leaves[0]])
    document.hand.toggle(leaf, "pinned")
    rest(qtbot, window)
    before = document.tree
    by_key(window, "prune_weakest")
    rest(qtbot, window)
    assert document.tree is before and "no split to prune" in window.bar.texts[-1]


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
    assert window.actions_made[verb].isChecked()
    document.select(0)
    assert not window.actions_made[verb].isChecked()
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
    assert step(window) == f"Say “{other}” at “length > 6”"
    assert f"Predicts {other}" in window.docks["node"].widget().outcome.text()
    assert f"By hand it says {other}" in window.docks["node"].widget().marks.text()
    assert f"By hand it says {other}" in window.canvas.accessibleDescription()
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
    assert asked and tree.answers[tree.position(leaf)] == 2.5 and "Say “2.5” at" in step(numbers)
    assert "training MSE" in told(numbers) and "→" in told(numbers)
    assert "2.5" in numbers.docks["node"].widget().outcome.text()
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
    assert step(window) == "Leave “width” out below “length > 6”"
    shut = next(candidate for candidate in document.candidates if candidate.column == "width")
    assert shut.split is None and "left out below “length > 6”" in shut.reason
    document.hand.split_by_column(2, "width")
    assert window.bar.texts[-1] == ("“width” is left out at and below “length > 6”: let it in again there first (X).")
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
    shown = numbers.docks["candidates"].widget().empty
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
    panel = window.docks["columns"].widget()
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
        return {name for name in names if name and window.actions_made[name].isEnabled()}

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
    panel = window.docks["columns"].widget()
    panel.search.setFocus()
    panel.search.setText("soil")
    panel.search.selectAll()
    QTest.keyClick(panel.search, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "soil"
    assert VERBS["copy_branch"].on_canvas and VERBS["paste_branch"].on_canvas


# -- the note in the node panel


def test_a_note_is_written_in_the_node_panel(qtbot, window):
    window.show_panel("node")
    field = window.docks["node"].widget().note
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
    field = window.docks["node"].widget().note
    window.document.select(1)
    field.setFocus()
    QTest.keyClicks(field, "mine")
    window.document.select(2)
    rest(qtbot, window)
    assert window.document.tree.mark(1).note == "mine" and not window.document.tree.mark(2).note
    assert field.text == ""


def test_a_note_in_the_making_outlives_an_edit_elsewhere(qtbot, window):
    window.show_panel("node")
    field = window.docks["node"].widget().note
    window.document.select(2)
    field.setFocus()
    QTest.keyClicks(field, "half a")
    window.document.hand.toggle(1, "pinned")
    rest(qtbot, window)
    assert field.text == "half a" and not window.document.tree.mark(2).note


def test_what_is_typed_for_one_table_is_not_written_on_another(qtbot, window):
    window.show_panel("node")
    field = window.docks["node"].widget().note
    field.setFocus()
    QTest.keyClicks(field, "old")
    window.document.set_table(flower_table())
    rest(qtbot, window)
    assert field.text == "" and not window.document.tree.marks


# -- races


class Gate:
    """Holds a function of `gui.tasks.hand_tasks` until it is let through."""

    def __init__(self, monkeypatch, name: str) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        real = getattr(hand_tasks, name)

        def held(*args: Any, **kwargs: Any) -> Any:
            self.reached.set()
            assert self.open.wait(30)
            return real(*args, **kwargs)

        monkeypatch.setattr(hand_tasks, name, held)


def test_an_edit_waits_for_the_one_that_is_computed(qtbot, window, monkeypatch):
    document = window.document
    gate = Gate(monkeypatch, "marked")
    document.hand.mark(2, note="first")
    assert gate.reached.wait(30)
    document.hand.toggle(2, "pinned")
    document.hand.toggle(2, "locked")
    gate.open.set()
    rest(qtbot, window)
    mark = document.tree.mark(2)
    assert (mark.note, mark.pinned, mark.locked) == ("first", True, True)


def test_an_edit_of_a_node_that_is_gone_meanwhile_does_nothing(qtbot, window, monkeypatch):
    document, leaf = window.document, int(window.document.tree.ids[2])
    gate = Gate(monkeypatch, "marked")
    document.hand.mark(0, note="first")
    assert gate.reached.wait(30)
    document.hand.collapse(1)
    document.hand.split_by_column(leaf, "width")
    document.hand.mark(leaf, note="late")
    document.hand.merge(leaf, leaf + 1)
    gate.open.set()
    rest(qtbot, window)
    assert step(window) == "Delete 3 leaves below “length ≤ 6”" and leaf not in document.tree
    assert any("changed meanwhile" in text for text in window.bar.texts)


def test_undo_drops_the_edit_that_is_computed(qtbot, window, monkeypatch):
    document = window.document
    gate = Gate(monkeypatch, "replaced")
    document.hand.replace_split(0, engine.Split("width", "threshold", (5.0,)), "keep")
    assert gate.reached.wait(30)
    document.undo()
    shown = document.tree
    gate.open.set()
    rest(qtbot, window)
    assert document.tree is shown
