"""Edits by hand, as a person makes them: by the menu, the key and the context menu of the tree, and by dragging."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTableView,
    QTreeView,
    QWidget,
)

import engine
from gui.model.editing import hand_edits
from gui.model.editing.hand_edits import BRANCH, partners
from gui.panels.data.columns import NAME
from gui.widgets.columns import column_data, column_picture
from gui.window.window import Window
from tests.gui.acting import Gate, make_window, rest
from tests.gui.asked import press, when_asked
from tests.gui.editing.hands import WAYS, by_key, pick, step, told, undone, ways
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


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
        assert field.hasFocus() and field.isVisible()
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

    def act(dialog: QWidget) -> None:
        question = dialog.findChild(QLabel, "pick_question")
        assert question.text() == "Replace “length ≤ 6” by that of" and question.isVisible()
        assert dialog.findChild(QPushButton, "pick_accept").text() == "&Replace"
        pick("width")(dialog)

    asked = when_asked(act, "pick_dialog")
    below = when_asked(press("Keep"), "ask_below")
    by_key(window, "split_column")
    rest(qtbot, window)
    assert asked and below
    tree = document.tree
    assert tree.split_at(0).column == "width" and tree.split_at(tree.position(1)).column == "soil"
    assert step(window).startswith("Replace “length ≤ 6” by “width ≤")
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


@pytest.mark.parametrize(("way", "below"), [(0, "Keep"), (1, "Regrow"), (2, "Drop")])
def test_the_split_of_an_inner_node_is_replaced_by_the_candidate(qtbot, window, way, below):
    document, before = window.document, window.document.tree
    assert {candidate.column for candidate in document.candidates} == {"length", "width", "soil"}
    assert document.candidate.split == before.split_at(0), "its own split is looked at first"
    document.ranking.choose(next(c for c in document.candidates if c.column == "width"))
    rest(qtbot, window)
    asked = when_asked(press(below), "ask_below")
    ways(qtbot, window)[way]("replace_split")
    rest(qtbot, window)
    tree = document.tree
    assert asked and tree.split_at(0).column == "width" and tree.by_hand[0]
    assert step(window).startswith("Replace “length ≤ 6” by “width ≤")
    assert {"Keep": tree.n_leaves > 2, "Regrow": tree.n_leaves > 3, "Drop": tree.n_leaves == 2}[below]
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
        "Replace “length ≤ 6” by “width ≤ 5”: what becomes of the 4 leaves below?",
        "Replace “length ≤ 6” by the best split of “width”: what becomes of the 4 leaves below?",
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
    editor = window.panels["split_editor"]
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
    assert other.actions_made.made["paste_branch"].isEnabled()
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
    assert document.tree is before and "Nothing to prune" in window.bar.texts[-1]


# -- races


def test_an_edit_waits_for_the_one_that_is_computed(qtbot, window, monkeypatch):
    document = window.document
    gate = Gate(monkeypatch, hand_edits, "marked")
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
    gate = Gate(monkeypatch, hand_edits, "marked")
    document.hand.mark(0, note="first")
    assert gate.reached.wait(30)
    document.hand.collapse(1)
    document.hand.split_by_column(leaf, "width")
    document.hand.mark(leaf, note="late")
    document.hand.merge(leaf, leaf + 1)
    gate.open.set()
    rest(qtbot, window)
    assert step(window) == "Delete 3 leaves below “length ≤ 6”" and leaf not in document.tree
    assert any("changed in the meantime" in text for text in window.bar.texts)


def test_undo_drops_the_edit_that_is_computed(qtbot, window, monkeypatch):
    document = window.document
    gate = Gate(monkeypatch, hand_edits, "replaced")
    document.hand.replace_split(0, engine.Split("width", "threshold", (5.0,)), "keep")
    assert gate.reached.wait(30)
    document.undo()
    shown = document.tree
    gate.open.set()
    rest(qtbot, window)
    assert document.tree is shown
