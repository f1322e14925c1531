"""Making a split by levels in the split editor: levels dragged, sent by keys, merged, found, read as numbers."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

import engine
from engine.search.tally import NodeRows
from gui.model.document import Document
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.split.levels import LevelsKind
from gui.panels.this_node.split.readings import BELOW_BEST, GAIN, LOGWORTH, VALIDATION
from gui.wording import words
from tests.gui.acting import put_up
from tests.gui.panels.splitting import look_at, settle, towns_table

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
CONTROL, SHIFT, PLAIN = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


@pytest.fixture
def editor(qtbot: QtBot, document: Document) -> SplitEditor:
    made = SplitEditor(document)
    put_up(qtbot, made, 460, 520)
    return made


@pytest.fixture
def towns(qtbot: QtBot, editor: SplitEditor, document: Document) -> engine.Table:
    table = towns_table()
    document.set_table(table)
    look_at(qtbot, document, "town")
    return table


# -- hands and eyes


def bar(editor: SplitEditor, name: str) -> QPoint:
    """The middle of a level's column, on the screen."""
    QApplication.processEvents()  # a person sees the layout settled
    i = editor.plot.bars.labels.index(name)
    box = editor.plot.getViewBox()
    frame = box.sceneBoundingRect()
    x = box.mapViewToScene(QPointF(i, 0.0)).x()
    return editor.plot.viewport().mapToGlobal(editor.plot.mapFromScene(QPointF(x, frame.center().y())))


def shelf(editor: SplitEditor, branch: int) -> QPoint:
    """A branch's box, on the screen; one more than there are is the new one."""
    QApplication.processEvents()
    box = editor.levels_kind.controls.boxes.boxes()[branch]
    return editor.levels_kind.controls.boxes.mapToGlobal(box.center())


def send(
    editor: SplitEditor, kind: QEvent.Type, where: QPoint, held: Qt.MouseButton, keys: Qt.KeyboardModifier = PLAIN
) -> None:
    port = editor.plot.viewport()
    button = NONE if kind == QEvent.Type.MouseMove else LEFT
    here = QPointF(port.mapFromGlobal(where))
    QApplication.sendEvent(port, QMouseEvent(kind, here, QPointF(where), button, held, keys))


def drag(editor: SplitEditor, start: QPoint, end: QPoint, drop: bool = True) -> None:
    send(editor, QEvent.Type.MouseButtonPress, start, LEFT)
    for share in (0.3, 0.7, 1.0):
        send(editor, QEvent.Type.MouseMove, start + (end - start) * share, LEFT)
    if drop:
        send(editor, QEvent.Type.MouseButtonRelease, end, NONE)


def click(editor: SplitEditor, name: str, keys: Qt.KeyboardModifier = PLAIN) -> None:
    send(editor, QEvent.Type.MouseButtonPress, bar(editor, name), LEFT, keys)
    send(editor, QEvent.Type.MouseButtonRelease, bar(editor, name), NONE, keys)


def strip(editor: SplitEditor) -> dict[str, int]:
    """The branch that the strip gives each bar, counted from one."""
    marks = editor.plot.levels
    return {label: int(b) + 1 for label, b in zip(editor.plot.bars.labels, marks._branches, strict=True)}


def branch(editor: SplitEditor, level: str) -> int:
    return strip(editor)[level]


def figure(editor: SplitEditor, which: int) -> str:
    return editor.figures.labels[which].text()


def trigger(qtbot: QtBot, editor: SplitEditor, verb: str) -> None:
    """Chooses from the menu of groups by the mouse."""
    controls = editor.levels_kind.controls
    menu = controls.menu
    menu.popup(controls.groups.mapToGlobal(QPoint(0, 0)))
    qtbot.waitUntil(menu.isVisible)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.verbs[verb]).center())
    qtbot.waitUntil(lambda: not menu.isVisible())


def choose(qtbot: QtBot, box: QComboBox, text: str) -> None:
    """Chooses by the keys, as a person does."""
    place = [box.itemText(i) for i in range(box.count())].index(text)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(place):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def check_figures(editor: SplitEditor, table: engine.Table) -> None:
    """What stands on the screen is what counting says."""
    told = engine.weigh(table, engine.Tree.root(table), 0, editor.draft.split)
    assert figure(editor, GAIN) == words.gain(told.gain)
    assert figure(editor, VALIDATION) == words.gain(told.validation_gain)
    assert figure(editor, LOGWORTH) == f"{told.logworth:,.2f}"
    assert [each.rows for each in editor.branches.branches] == [words.count(n) for n in told.rows]
    share = 1 - told.gain / editor.draft.found.gain
    if abs(share) > 1e-9:
        assert figure(editor, BELOW_BEST) == words.percent(abs(share))


# -- levels go elsewhere


def test_a_level_is_dragged_onto_another_branch_and_the_figures_follow(
    editor: SplitEditor, document: Document, towns: engine.Table
) -> None:
    assert isinstance(editor.kind, LevelsKind)
    assert figure(editor, BELOW_BEST) == "nothing"
    level = "town 000"
    before = branch(editor, level)
    other = 3 - before
    drag(editor, bar(editor, level), shelf(editor, other - 1), drop=False)
    assert editor.levels_kind.controls.boxes.aimed == other - 1
    assert editor.readout.text() == f"town 000 → branch {other}"
    assert branch(editor, level) == before
    send(editor, QEvent.Type.MouseButtonRelease, shelf(editor, other - 1), NONE)
    assert branch(editor, level) == other
    assert figure(editor, BELOW_BEST) not in ("nothing", "–")
    check_figures(editor, towns)
    assert document.tree.n_leaves == 1  # nothing is split before it is asked for


def test_a_level_is_dropped_on_a_bar_of_another_branch(editor: SplitEditor, towns: engine.Table) -> None:
    there = next(name for name in editor.plot.bars.labels if branch(editor, name) != branch(editor, "town 000"))
    drag(editor, bar(editor, "town 000"), bar(editor, there))
    assert branch(editor, "town 000") == branch(editor, there)
    check_figures(editor, towns)


def test_several_levels_are_dragged_into_a_new_branch_and_split(
    qtbot: QtBot, editor: SplitEditor, document: Document, towns: engine.Table
) -> None:
    click(editor, "town 000")
    click(editor, "town 005", CONTROL)
    drag(editor, bar(editor, "town 005"), shelf(editor, 2))
    assert branch(editor, "town 000") == branch(editor, "town 005") == 3
    assert "2 levels" in editor.levels_kind.controls.boxes.accessibleDescription()
    check_figures(editor, towns)
    qtbot.waitUntil(lambda: document.preview is not None)  # the canvas shows the branches
    wanted = editor.draft.split
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 3, timeout=20_000)
    assert document.tree.split_at(0) == wanted


def test_no_cut_of_another_column_stays(
    qtbot: QtBot, editor: SplitEditor, document: Document, towns: engine.Table
) -> None:
    look_at(qtbot, document, "noise")
    look_at(qtbot, document, "town")
    editor.plot.setFocus()
    click(editor, "town 000")
    assert not editor.plot.cuts.lines


def test_a_level_let_go_in_the_void_stays(editor: SplitEditor, towns: engine.Table) -> None:
    before = strip(editor)
    drag(editor, bar(editor, "town 000"), editor.mapToGlobal(QPoint(3, 3)))
    assert strip(editor) == before
    assert not editor.draft.edited


def test_levels_are_chosen_and_sent_by_keys(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    plot = editor.plot
    plot.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_N):
        qtbot.keyClick(plot, key)
    names = plot.bars.labels
    assert [branch(editor, names[i]) for i in (0, 2)] == [3, 3]
    check_figures(editor, towns)
    qtbot.keyClick(plot, Qt.Key.Key_2)
    assert [branch(editor, names[i]) for i in (0, 2)] == [2, 2]
    qtbot.keyClick(plot, Qt.Key.Key_9)
    assert "There is no branch 9" in editor.readout.text()
    qtbot.keyClick(plot, Qt.Key.Key_Left, SHIFT)
    assert len(editor.levels_kind.chosen) > 1
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.draft.edited


def test_the_last_two_branches_cannot_become_one(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_A, CONTROL)
    qtbot.keyClick(editor.plot, Qt.Key.Key_1)
    assert "at least two branches" in editor.readout.text()
    assert not editor.draft.edited


# -- groups at once


def test_groups_at_once(qtbot: QtBot, editor: SplitEditor, document: Document, towns: engine.Table) -> None:
    trigger(qtbot, editor, "one_each")
    assert sorted(strip(editor).values()) == [1, 2, 3, 4, 5, 6, 7]
    check_figures(editor, towns)
    click(editor, "town 001")
    click(editor, "town 003", CONTROL)
    trigger(qtbot, editor, "merge")
    assert branch(editor, "town 001") == branch(editor, "town 003")
    assert editor.draft.split.n_branches == 6
    check_figures(editor, towns)
    trigger(qtbot, editor, "split_off")
    assert editor.draft.split.n_branches == 6
    click(editor, "town 001")
    trigger(qtbot, editor, "against_rest")
    assert [level for level, b in strip(editor).items() if b == 1] == ["town 001"]
    check_figures(editor, towns)
    trigger(qtbot, editor, "best_two")
    qtbot.waitUntil(lambda: not editor.draft.edited, timeout=20_000)
    assert figure(editor, BELOW_BEST) == "nothing"


def test_the_best_level_against_the_rest(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    trigger(qtbot, editor, "against_rest")
    qtbot.waitUntil(lambda: editor.draft.edited, timeout=20_000)
    tree = engine.Tree.root(towns)
    best = next(one for one in engine.candidates(towns, tree, 0, nominal="one_vs_rest") if one.column == "town")
    assert editor.draft.split == best.split
    check_figures(editor, towns)


def test_rare_levels_are_pooled(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    controls = editor.levels_kind.controls
    controls.menu.popup(editor.mapToGlobal(QPoint(0, 0)))
    qtbot.waitUntil(controls.menu.isVisible)
    sizes = dict(zip(editor.draft.curve.levels, editor.draft.weights.tolist(), strict=True))
    limit = int(sorted(sizes.values())[2])
    controls.menu.rows.selectAll()
    qtbot.keyClicks(controls.menu.rows, str(limit))
    qtbot.mouseClick(controls.menu.pool, LEFT)
    pooled = {level for level, b in strip(editor).items() if b == editor.draft.split.n_branches}
    assert pooled == {level for level, rows in sizes.items() if rows < limit}
    assert controls.unseen.currentText() == f"Unseen: branch {editor.draft.split.n_branches}"
    check_figures(editor, towns)


def test_missing_and_unseen_go_into_any_branch(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    controls = editor.levels_kind.controls
    choose(qtbot, controls.missing, "Missing: own branch")
    assert branch(editor, "missing") == 3
    assert editor.branches.branches[2].words == "missing"
    assert "branch 3: missing" in controls.boxes.accessibleDescription()
    check_figures(editor, towns)
    choose(qtbot, controls.missing, "Missing: branch 2")
    assert branch(editor, "missing") == 2
    other = 3 - (editor.draft.split.unseen + 1)
    choose(qtbot, controls.unseen, f"Unseen: branch {other}")
    assert editor.draft.split.unseen == other - 1
    drag(editor, bar(editor, "missing"), shelf(editor, 0))
    assert branch(editor, "missing") == 1
    check_figures(editor, towns)


def test_all_branches_share_the_rows_without_a_value(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    controls = editor.levels_kind.controls
    choose(qtbot, controls.missing, "Missing: all branches, in part")
    assert editor.draft.split.divides and controls.missing.currentText() == "Missing: all branches, in part"
    check_figures(editor, towns)
    drag(editor, bar(editor, "town 000"), shelf(editor, 2))
    assert editor.draft.split.divides and editor.draft.split.n_branches == 3
    check_figures(editor, towns)
    choose(qtbot, controls.missing, "Missing: branch 2")
    assert branch(editor, "missing") == 2


# -- many levels


def test_levels_are_sorted_as_one_likes(qtbot: QtBot, editor: SplitEditor, towns: engine.Table) -> None:
    order = editor.levels_kind.controls.order
    bars = editor.plot.bars
    rates = (bars.heights[:, 1] / bars.totals)[:-1]
    assert (np.diff(rates) >= 0).all()
    choose(qtbot, order, "By name")
    assert list(editor.plot.bars.labels) == [*(f"town {i:03d}" for i in range(6)), "missing"]
    choose(qtbot, order, "By rows")
    assert (np.diff(editor.plot.bars.totals[:-1]) <= 0).all()
    choose(qtbot, order, "By branch")
    assert list(strip(editor).values())[:-1] == sorted(list(strip(editor).values())[:-1])
    drag(editor, bar(editor, "town 000"), shelf(editor, 2))
    assert list(strip(editor).values())[:-1] == sorted(list(strip(editor).values())[:-1])


def test_three_hundred_levels_can_be_found_and_sent(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    table = towns_table(6000, 300)
    document.set_table(table)
    look_at(qtbot, document, "town")
    controls, plot = editor.levels_kind.controls, editor.plot
    assert plot.seen is None and not controls.scroll_bar.isVisible()
    controls.find_field.setFocus()
    qtbot.keyClicks(controls.find_field, "017")
    qtbot.waitUntil(controls.scroll_bar.isVisible)
    assert plot.seen is not None
    i = plot.bars.labels.index("town 017")
    low, high = plot.seen
    assert low < i < high
    axis = plot.getAxis("bottom")
    width = plot.getViewBox().width()
    ticks = axis.tickValues(low, high, width)[0][1]
    assert "017" in axis.tickStrings(ticks, 1.0, 1.0)  # what all names begin with is left out
    qtbot.keyClick(controls.find_field, Qt.Key.Key_Return)
    assert plot.hasFocus()
    qtbot.keyClick(plot, Qt.Key.Key_N)
    assert branch(editor, "town 017") == 3
    check_figures(editor, table)
    qtbot.mouseClick(controls.all, LEFT)
    qtbot.waitUntil(lambda: not controls.scroll_bar.isVisible())
    controls.find_field.setFocus()
    controls.find_field.clear()
    qtbot.keyClicks(controls.find_field, "nowhere")
    assert editor.readout.text() == "No level here contains “nowhere”."


def test_an_edit_of_levels_looks_at_no_row(
    editor: SplitEditor, document: Document, towns: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("rows were counted, or a job was started")

    monkeypatch.setattr(NodeRows, "count", refuse)
    monkeypatch.setattr(NodeRows, "of", refuse)
    monkeypatch.setattr(document.jobs, "run", refuse)
    other = 3 - branch(editor, "town 000")
    drag(editor, bar(editor, "town 000"), shelf(editor, other - 1))
    drag(editor, bar(editor, "missing"), shelf(editor, 2))
    assert branch(editor, "missing") == 3


def test_a_split_that_is_made_is_edited_to_be_replaced(
    qtbot: QtBot, editor: SplitEditor, document: Document, towns: engine.Table
) -> None:
    document.make_split(editor.draft.split)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2, timeout=20_000)
    document.select(0)
    settle(qtbot, document)
    assert editor.levels_kind.controls.isVisible()
    target = 3 - branch(editor, "town 000")
    drag(editor, bar(editor, "town 000"), shelf(editor, target - 1))
    assert branch(editor, "town 000") == target
    assert editor.split.text() == "Replace"
    wanted = editor.draft.split
    qtbot.mouseClick(editor.split, LEFT)
    qtbot.waitUntil(lambda: document.tree.split_at(0) == wanted, timeout=20_000)
    assert document.tree.n_leaves == 2


# -- numbers and levels


def shown(widget: QWidget) -> bool:
    return widget.isVisible()


def test_a_number_is_taken_for_levels_in_one_step(
    qtbot: QtBot, editor: SplitEditor, document: Document, towns: engine.Table
) -> None:
    look_at(qtbot, document, "rooms")
    assert shown(editor.cuts_kind.controls.levels) and editor.cuts_kind.controls.levels.isEnabled()
    qtbot.mouseClick(editor.cuts_kind.controls.levels, LEFT)
    qtbot.waitUntil(lambda: editor.kind is editor.levels_kind, timeout=20_000)
    assert set(editor.plot.bars.labels) == {"1", "2", "3", "4"}
    assert "Read as category for this split" in editor.readout.text()
    assert document.table.column("rooms").kind == "integer"
    drag(editor, bar(editor, "2"), shelf(editor, 2))
    split = editor.draft.split
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 3, timeout=20_000)
    assert document.tree.split_at(0) == split
    assert document.table.column("rooms").kind == "nominal"
    assert "read as category" in document.history.steps[-1].text
    document.undo()
    assert document.tree.n_leaves == 1
    assert document.table.column("rooms").kind == "integer"


def test_esc_reads_the_column_as_it_is_again(
    qtbot: QtBot, editor: SplitEditor, document: Document, towns: engine.Table
) -> None:
    look_at(qtbot, document, "rooms")
    qtbot.mouseClick(editor.cuts_kind.controls.levels, LEFT)
    qtbot.waitUntil(lambda: editor.kind is editor.levels_kind, timeout=20_000)
    qtbot.keyClick(editor.plot, Qt.Key.Key_Escape)
    assert editor.kind is editor.cuts_kind
    assert shown(editor.cuts_kind.controls)


def test_what_cannot_be_read_otherwise_is_greyed_and_says_why(
    qtbot: QtBot, editor: SplitEditor, document: Document
) -> None:
    frame = pd.DataFrame({"x": np.arange(80.0), "town": ["Ulm", "Trier"] * 40, "y": ["a"] * 30 + ["b"] * 50})
    frame["day"] = pd.date_range("2024-01-01", periods=80)
    document.set_table(engine.Table.from_frame(frame, target="y"))
    levels = editor.cuts_kind.controls.levels
    for column, why in (
        ("x", "There are 80 values: at most 60 can be taken for levels."),
        ("day", "Dates cannot be taken for levels."),
    ):
        look_at(qtbot, document, column)
        assert shown(levels) and not levels.isEnabled() and levels.toolTip() == why
    look_at(qtbot, document, "town")
    menu = editor.levels_kind.controls.menu
    menu.aboutToShow.emit()
    numbers = menu.verbs["as_numbers"]
    assert numbers.isVisible() and not numbers.isEnabled() and numbers.toolTip() == "“Trier” is not a number."


def test_levels_that_are_numbers_can_be_cut(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    table = towns_table().with_kind("rooms", "nominal")
    document.set_table(table)
    look_at(qtbot, document, "rooms")
    assert editor.kind is editor.levels_kind
    trigger(qtbot, editor, "as_numbers")
    qtbot.waitUntil(lambda: editor.kind is editor.cuts_kind, timeout=20_000)
    assert "≤" in editor.title.text()
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2, timeout=20_000)
    assert document.table.column("rooms").is_numeric
