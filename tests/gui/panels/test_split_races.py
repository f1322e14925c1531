"""What was meant for one split must not be done to another: answers, typed cuts and drags that come too late."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import engine
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.search import guessing
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.split.levels import CHOOSE_FIRST, TWO_BRANCHES
from gui.panels.this_node.split.literals import NO_WAY
from tests.gui.acting import Gate, put_up, rest
from tests.gui.panels.splitting import (
    drag,
    look_at,
    look_at_conditions,
    numbers_table,
    send,
    settle,
    spot,
    table_of,
    tick,
    towns_table,
)

NONE = Qt.MouseButton.NoButton


@pytest.fixture
def editor(qtbot: QtBot, document: Document) -> SplitEditor:
    made = SplitEditor(document)
    put_up(qtbot, made, 460, 560)
    return made


@pytest.fixture
def conditions(qtbot: QtBot, editor: SplitEditor, document: Document) -> engine.Table:
    """An m-of-n split is looked at; the curve of the first column with cuts is known."""
    made = table_of()
    document.set_table(made)
    document.set_search(m_of_n=True)
    rest(qtbot, document)
    document.ranking.choose(other_column(document))
    rest(qtbot, document)
    look_at_conditions(qtbot, document)
    return made


def other_column(document: Document) -> engine.Candidate:
    return next(one for one in document.candidates if one.split is not None and one.split.kind == "threshold")


def test_what_conditions_are_worth_is_not_shown_on_another_column(
    qtbot: QtBot,
    editor: SplitEditor,
    document: Document,
    conditions: engine.Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, gate = other_column(document), Gate(monkeypatch, tree_tasks, "weighed")
    tick(qtbot, editor, 0)
    assert gate.reached.wait(30)
    document.ranking.choose(other)
    assert editor.kind is editor.cuts_kind
    gate.open.set()
    rest(qtbot, document)
    assert editor.kind is editor.cuts_kind
    assert editor.draft.found is other and not editor.draft.edited
    assert document.draft is None
    assert editor.branches.branches[0].rows == f"{other.rows[0]:,}"


def test_what_conditions_are_worth_is_not_shown_once_the_table_is_closed(
    qtbot: QtBot,
    editor: SplitEditor,
    document: Document,
    conditions: engine.Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate(monkeypatch, tree_tasks, "weighed")
    tick(qtbot, editor, 0)
    assert gate.reached.wait(30)
    document.start(None)
    gate.open.set()
    rest(qtbot, document)
    assert editor.draft is None and document.draft is None


def test_a_climb_that_leads_nowhere_says_so(
    qtbot: QtBot, editor: SplitEditor, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_tasks, "climb", lambda *args, **how: None)
    document.set_table(table_of())
    document.set_search(m_of_n=True)
    rest(qtbot, document)
    look_at_conditions(qtbot, document)
    steps = editor.literals_kind.body.steps
    assert [steps.item(i).text() for i in range(steps.count())] == [NO_WAY]


def test_groups_that_are_found_late_are_not_shown_on_another_column(
    qtbot: QtBot, editor: SplitEditor, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    document.set_table(towns_table())
    look_at(qtbot, document, "noise")
    look_at(qtbot, document, "town")
    editor.levels_kind.controls.menu.verbs["one_each"].trigger()
    gate = Gate(monkeypatch, tree_tasks, "best_groups")
    editor.levels_kind.controls.menu.verbs["best_two"].trigger()
    assert gate.reached.wait(30)
    noise = next(found for found in document.candidates if found.column == "noise")
    document.ranking.choose(noise)
    assert editor.kind is editor.cuts_kind
    gate.open.set()
    rest(qtbot, document)
    assert editor.draft.found is noise and not editor.draft.edited and document.draft is None


@pytest.fixture
def numbers(qtbot: QtBot, editor: SplitEditor, document: Document) -> engine.Table:
    table = numbers_table()
    document.set_table(table)
    look_at(qtbot, document, "noise")
    look_at(qtbot, document, "age")
    return table


def test_cuts_that_are_typed_and_do_not_hold_yet_are_not_taken_for_another_column(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    cuts = editor.cuts_kind.controls.cuts
    cuts.setFocus()
    cuts.selectAll()
    QTest.keyClicks(cuts, "0.5")
    noise = next(found for found in document.candidates if found.column == "noise")
    document.ranking.choose(noise)
    settle(qtbot, document)
    assert cuts.hasFocus() and not cuts.pending
    QTest.keyClick(cuts, Qt.Key.Key_Tab)
    assert editor.draft.split == noise.split


def test_a_cut_that_is_dragged_does_not_take_a_cut_of_another_column_along(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    held = editor.draft.cuts[0]
    drag(editor, spot(editor, held), spot(editor, held + 10), drop=False)
    assert editor.draft.edited
    noise = next(found for found in document.candidates if found.column == "noise")
    document.ranking.choose(noise)
    settle(qtbot, document)
    send(editor, QEvent.Type.MouseMove, spot(editor, 0.9), NONE, Qt.MouseButton.LeftButton)
    assert editor.draft.split == noise.split and document.draft is None
    send(editor, QEvent.Type.MouseMove, spot(editor, 0.2), NONE, NONE)  # let go somewhere else
    assert editor.draft.split == noise.split


def test_control_and_a_digit_are_the_window_s(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    document.set_table(towns_table())
    look_at(qtbot, document, "town")
    before, pressed = editor.draft, []
    shortcut = QShortcut(QKeySequence("Ctrl+1"), editor)
    shortcut.activated.connect(lambda: pressed.append(True))
    editor.plot.setFocus()
    QTest.keyClick(editor.plot, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert pressed and editor.draft is before
    QTest.keyClick(editor.plot, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert editor.draft is before


def test_a_column_that_is_read_as_another_kind_is_what_others_hear_of(
    qtbot: QtBot, editor: SplitEditor, document: Document
) -> None:
    document.set_table(towns_table())
    look_at(qtbot, document, "rooms")
    assert document.draft is None
    QTest.mouseClick(editor.cuts_kind.controls.levels, Qt.MouseButton.LeftButton)
    rest(qtbot, document)
    assert document.draft is not None and document.draft.split == editor.draft.split
    assert document.draft.split.kind == "groups" != document.candidate.split.kind
    QTest.keyClick(editor.plot, Qt.Key.Key_Escape)
    assert document.draft is None and editor.draft.split == document.candidate.split


def test_what_is_grey_in_the_menu_of_levels_says_why(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    document.set_table(towns_table())
    look_at(qtbot, document, "town")
    menu = editor.levels_kind.controls.menu
    menu.aboutToShow.emit()
    verbs = menu.verbs
    assert not verbs["split_off"].isEnabled() and verbs["split_off"].toolTip() == CHOOSE_FIRST
    assert not verbs["merge"].isEnabled() and verbs["merge"].toolTip() == TWO_BRANCHES
    verbs["one_each"].trigger()
    editor.levels_kind._choose({0, 1}, 0)
    menu.aboutToShow.emit()
    assert verbs["split_off"].isEnabled() and verbs["merge"].isEnabled()
    assert verbs["split_off"].toolTip() != CHOOSE_FIRST and verbs["merge"].toolTip() != TWO_BRANCHES


def test_while_a_guess_is_asked_for_the_editor_says_why_it_does_not_split(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    document.guess.begin()
    document.guess.take_column("age")
    settle(qtbot, document)
    assert not editor.split.isEnabled() and editor.split.toolTip() == guessing.HIDDEN
    editor.plot.setFocus()
    QTest.keyClick(editor.plot, Qt.Key.Key_Return)
    assert editor.readout.text() == guessing.HIDDEN and document.tree.n_leaves == 1
    document.guess.give_up()
    settle(qtbot, document)
    assert editor.split.isEnabled() and editor.readout.text() != guessing.HIDDEN
