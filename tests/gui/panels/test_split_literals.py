"""Making an m-of-n split in the split editor: conditions ticked, m moved, steps of the climb taken."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.split.readings import BELOW_BEST, GAIN, VALIDATION
from gui.wording import words
from tests.gui.acting import put_up, rest
from tests.gui.panels.splitting import look_at_conditions, table_of, tick

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def table(qtbot: QtBot, editor: SplitEditor, document: Document) -> engine.Table:
    made = table_of()
    document.set_table(made)
    document.set_search(m_of_n=True)
    rest(qtbot, document)
    look_at_conditions(qtbot, document)
    return made


@pytest.fixture
def editor(qtbot: QtBot, document: Document) -> SplitEditor:
    made = SplitEditor(document)
    put_up(qtbot, made, 460, 560)
    return made


def ticked(editor: SplitEditor) -> set[str]:
    rows = editor.literals_kind.body.literals
    items = [rows.item(i) for i in range(rows.count())]
    return {item.text() for item in items if item.checkState() == Qt.CheckState.Checked}


def check_figures(qtbot: QtBot, editor: SplitEditor, table: engine.Table, document: Document) -> None:
    rest(qtbot, document)
    told = engine.weigh(table, engine.Tree.root(table), 0, editor.draft.split)
    assert editor.figures.labels[GAIN].text() == words.gain(told.gain)
    assert editor.figures.labels[VALIDATION].text() == words.gain(told.validation_gain)
    assert [each.rows for each in editor.branches.branches] == [words.count(n) for n in told.rows]


def test_conditions_and_the_climb_are_shown(editor: SplitEditor, document: Document, table: engine.Table) -> None:
    body = editor.literals_kind.body
    assert body.isVisible() and not editor.plot.isVisible()
    chosen = document.candidate.split.literals
    assert ticked(editor) == {engine.splits.literal_words(literal) for literal in chosen}
    climb = engine.m_of_n(table, engine.Tree.root(table), 0)
    assert body.steps.count() == len(climb.steps)
    for i, (m, literals, gain) in enumerate(climb.steps):
        assert body.steps.item(i).text().startswith(f"{m} of {len(literals)}   {words.gain(gain)}")
    assert body.steps.currentRow() == len(climb.steps) - 1
    assert body.words.text().startswith(f"At least {document.candidate.split.m} of {len(chosen)}")


def test_a_condition_is_ticked_and_the_rows_tell(
    qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table
) -> None:
    before = ticked(editor)
    gone = editor.literals_kind.body.literals.item(0).text()
    tick(qtbot, editor, 0)
    assert ticked(editor) == before - {gone}
    check_figures(qtbot, editor, table, document)
    assert editor.figures.labels[BELOW_BEST].text() not in ("nothing", "–")
    tick(qtbot, editor, 0)
    assert ticked(editor) == before


def test_the_slider_says_how_many_have_to_hold(
    qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table
) -> None:
    slider = editor.literals_kind.body.m
    slider.setFocus()
    before = editor.draft.split.m
    key = Qt.Key.Key_Left if before > 1 else Qt.Key.Key_Right
    qtbot.keyClick(slider, key)
    assert abs(editor.draft.split.m - before) == 1
    assert f"At least {editor.draft.split.m} of" in editor.literals_kind.body.words.text()
    check_figures(qtbot, editor, table, document)
    for other in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_End):  # faster than the rows tell
        qtbot.keyClick(slider, other)
    assert editor.draft.split.m == slider.maximum()
    check_figures(qtbot, editor, table, document)


def test_a_step_of_the_climb_is_taken_and_split(
    qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table
) -> None:
    steps = editor.literals_kind.body.steps
    place = steps.visualItemRect(steps.item(0))
    qtbot.mouseClick(steps.viewport(), LEFT, pos=place.center())
    assert len(ticked(editor)) == 1
    check_figures(qtbot, editor, table, document)
    qtbot.mouseClick(editor.best, LEFT)
    assert editor.draft.split == document.candidate.split
    qtbot.mouseClick(steps.viewport(), LEFT, pos=place.center())
    rest(qtbot, document)
    wanted = editor.draft.split
    steps.setFocus()
    qtbot.keyClick(steps, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2, timeout=20_000)
    assert document.tree.split_at(0) == wanted


def test_the_last_condition_stays(qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table) -> None:
    steps = editor.literals_kind.body.steps
    qtbot.mouseClick(steps.viewport(), LEFT, pos=steps.visualItemRect(steps.item(0)).center())
    rest(qtbot, document)
    rows = editor.literals_kind.body.literals
    only = next(i for i in range(rows.count()) if rows.item(i).text() in ticked(editor))
    tick(qtbot, editor, only)
    assert editor.readout.text() == "A split needs at least one condition."
    assert len(ticked(editor)) == 1


def write(qtbot: QtBot, editor: SplitEditor, text: str) -> None:
    field = editor.literals_kind.body.typed
    field.clear()
    field.setFocus()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_condition_is_written_and_counts(
    qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table
) -> None:
    before = ticked(editor)
    write(qtbot, editor, "AGE <= 33.5")
    assert ticked(editor) == before | {"age ≤ 33.5"}
    assert editor.literals_kind.body.typed.text() == ""
    assert editor.literals_kind.body.literals.currentItem().text() == "age ≤ 33.5"
    check_figures(qtbot, editor, table, document)
    write(qtbot, editor, "cough != wet")
    check_figures(qtbot, editor, table, document)
    wanted = editor.draft.split
    assert engine.splits.Literal("cough", "!=", "wet") in wanted.literals
    qtbot.keyClick(editor.literals_kind.body.typed, Qt.Key.Key_Return)  # nothing is written: it splits
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2, timeout=20_000)
    assert document.tree.split_at(0) == wanted


def test_a_condition_that_cannot_be_read_says_why_and_stays(
    qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table
) -> None:
    before = ticked(editor)
    write(qtbot, editor, "weight <= 3")
    assert editor.readout.text().startswith("No feature is called “weight”")
    assert editor.literals_kind.body.typed.text() == "weight <= 3"
    qtbot.mouseClick(editor.split, LEFT)  # what is written has to be settled first
    rest(qtbot, document)
    assert document.tree.n_leaves == 1
    editor.literals_kind.body.typed.setFocus()
    qtbot.keyClick(editor.literals_kind.body.typed, Qt.Key.Key_Escape)
    assert editor.literals_kind.body.typed.text() == "" and ticked(editor) == before
    assert not editor.readout.text().startswith("No feature")
    document.hand.lock_columns(("noise",))
    rest(qtbot, document)
    look_at_conditions(qtbot, document)
    write(qtbot, editor, "noise <= 0.5")
    assert editor.readout.text() == "“noise” is locked: unlock it (Ctrl+K) to split by it."


def test_another_candidate_brings_the_plot_back(
    qtbot: QtBot, editor: SplitEditor, document: Document, table: engine.Table
) -> None:
    document.ranking.choose(next(one for one in document.candidates if one.column == "age"))
    qtbot.waitUntil(lambda: document.curve is not None and not document.jobs.busy, timeout=20_000)
    assert editor.plot.isVisible() and not editor.literals_kind.body.isVisible()
    look_at_conditions(qtbot, document)
    assert editor.literals_kind.body.isVisible() and not editor.plot.isVisible()
