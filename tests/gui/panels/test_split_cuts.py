"""Making a split by hand in the split editor: cuts dragged, moved by keys, typed, snapped, added and removed."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel
from pytestqt.qtbot import QtBot

import engine
from engine.search.tally import NodeRows
from gui.model.document import Document
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.split.readings import BELOW_BEST, GAIN, LOGWORTH, VALIDATION, P
from gui.wording import words
from tests import naive_losses
from tests.gui.acting import put_up
from tests.gui.panels.splitting import drag, legend_words, look_at, numbers_table, send, settle, spot
from tests.gui.tables import flower_table

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def editor(qtbot: QtBot, document: Document) -> SplitEditor:
    made = SplitEditor(document)
    put_up(qtbot, made, 420, 420)
    return made


@pytest.fixture
def numbers(qtbot: QtBot, editor: SplitEditor, document: Document) -> engine.Table:
    table = numbers_table()
    document.set_table(table)
    look_at(qtbot, document, "age")
    return table


# -- hands and eyes


def shown_cuts(editor: SplitEditor) -> list[float]:
    """The cuts as the lines on the plot say them."""
    return [float(line.label.toPlainText().replace("−", "-")) for line in editor.plot.cuts.lines]


def figure(editor: SplitEditor, which: int) -> str:
    return editor.figures.labels[which].text()


def gini_gain(table: engine.Table, split: engine.Split) -> tuple[float, list[int]]:
    """The gain and the training rows of every branch, counted row by row."""
    rows = np.flatnonzero(table.part == engine.TRAIN)
    branch = engine.splits.branch_of_rows(split, table, rows)
    target = table.columns[table.index(table.target)].codes[rows]

    def impurity(codes: np.ndarray) -> float:
        return 1.0 - sum((codes == code).mean() ** 2 for code in set(codes.tolist()))

    parts = [target[branch == b] for b in range(split.n_branches)]
    return impurity(target) - sum(p.size * impurity(p) for p in parts if p.size) / target.size, [p.size for p in parts]


def check_figures(editor: SplitEditor, table: engine.Table) -> None:
    """What stands on the screen is what counting says."""
    split = editor.draft.split
    gain, rows = gini_gain(table, split)
    trained, judged = (np.flatnonzero(table.part == part) for part in (engine.TRAIN, engine.VALIDATION))
    unseen = naive_losses.of_table(table, split, trained, judged, "gini")
    weighed = engine.weigh(table, engine.Tree.root(table), 0, split)
    assert figure(editor, LOGWORTH) == f"{weighed.logworth:,.2f}"
    assert figure(editor, GAIN) == words.gain(gain)
    assert figure(editor, VALIDATION) == words.gain(unseen)
    assert [branch.rows for branch in editor.branches.branches] == [words.count(n) for n in rows]
    best = max(gini_gain(table, engine.Split("age", "threshold", (cut,), missing=m))[0]
               for cut in np.arange(1.5, 100) for m in (0, 1))  # fmt: skip
    if len(split.thresholds) == 1 and not split.has_missing_branch:
        share = 1 - gain / best
        assert figure(editor, BELOW_BEST) == ("nothing" if share < 1e-9 else words.percent(share))


# -- moving a cut


def test_a_cut_is_dragged_and_the_figures_follow(
    editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    before = [figure(editor, which) for which in (GAIN, VALIDATION, LOGWORTH, P, BELOW_BEST)]
    start = spot(editor, document.candidate.split.thresholds[0])
    seen = []
    send(editor, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for value in (50, 40, 30):
        send(editor, QEvent.Type.MouseMove, spot(editor, value), Qt.MouseButton.NoButton, LEFT)
        check_figures(editor, numbers)
        seen.append((shown_cuts(editor)[0], figure(editor, GAIN)))
        assert editor.title.text() == f"age ≤ {editor.draft.split.thresholds[0]:g}"
    send(editor, QEvent.Type.MouseButtonRelease, spot(editor, 30), LEFT, Qt.MouseButton.NoButton)
    assert [round(cut) for cut, _ in seen] == pytest.approx([50, 40, 30], abs=1)
    assert len({gain for _, gain in seen}) == 3
    after = [figure(editor, which) for which in (GAIN, VALIDATION, LOGWORTH, P, BELOW_BEST)]
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert document.tree.n_leaves == 1  # nothing is split before it is asked for


def test_dragging_looks_at_no_row(
    editor: SplitEditor, document: Document, numbers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("rows were counted")

    monkeypatch.setattr(NodeRows, "count", refuse)
    monkeypatch.setattr(NodeRows, "of", refuse)
    ran = []
    monkeypatch.setattr(document.jobs, "run", lambda *args, **how: ran.append(args))
    start = spot(editor, document.candidate.split.thresholds[0])
    drag(editor, start, spot(editor, 50), spot(editor, 20))
    assert round(editor.draft.split.thresholds[0]) == pytest.approx(20, abs=1)
    assert not ran


def test_arrow_keys_move_the_cut(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    editor.plot.setFocus()
    start = editor.draft.split.thresholds[0]
    qtbot.keyClick(editor.plot, Qt.Key.Key_Right)
    cuts = editor.draft.curve.cuts
    i = int(np.searchsorted(cuts, start))
    assert editor.draft.split.thresholds == (cuts[i + 1],)
    check_figures(editor, numbers)
    qtbot.keyClick(editor.plot, Qt.Key.Key_Left)
    assert editor.draft.split.thresholds == (start,)
    qtbot.keyClick(editor.plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert editor.draft.split.thresholds[0] <= cuts[i - 10]


def choose(qtbot: QtBot, box: QComboBox, place: int) -> None:
    """Chooses by the keys, as a person does."""
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(place):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentIndex() == place


@pytest.mark.parametrize("place", [1, 2, 3])
def test_what_a_cut_snaps_to_is_chosen(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table, place: int) -> None:
    choose(qtbot, editor.cuts_kind.controls.snap, place)
    drag(editor, spot(editor, editor.draft.split.thresholds[0]), spot(editor, 50), spot(editor, 33.3))
    cut = editor.draft.split.thresholds[0]
    ages = numbers.columns[numbers.index("age")]
    train = ages.values[ages.codes[(numbers.part == engine.TRAIN) & (ages.codes > 0)].astype(int) - 1]
    if place == 1:
        assert cut == 35 or cut % 2 == 0
    elif place == 2:
        share = (train <= cut).mean() * 20
        assert share == pytest.approx(round(share), abs=0.2)
    else:
        assert cut == pytest.approx(33.3, abs=0.3)
    check_figures(editor, numbers)


# -- several cuts


def test_cuts_are_typed(qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table) -> None:
    edit = editor.cuts_kind.controls.cuts
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "20, 60 40")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.text() == "20, 40, 60"
    assert shown_cuts(editor) == [20, 40, 60]
    assert len(editor.branches.branches) == 4
    check_figures(editor, numbers)
    assert document.tree.n_leaves == 1
    assert "gain of a single cut" in legend_words(editor)


def test_several_cuts_by_the_absolute_error_are_weighed_by_the_worker(
    qtbot: QtBot, editor: SplitEditor, document: Document
) -> None:
    random = np.random.default_rng(3)
    age = random.integers(1, 101, 300).astype(float)
    frame = pd.DataFrame({"age": age, "cost": np.abs(age - 50) + random.normal(size=300)})
    table = engine.Table.from_frame(frame, target="cost").with_partition(validation=0.3, seed=1)
    document.set_table(table)
    document.set_search(criterion="absolute_error")
    look_at(qtbot, document, "age")
    edit = editor.cuts_kind.controls.cuts
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "25, 75")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    split = editor.draft.split
    assert split.thresholds == (25, 75)
    qtbot.waitUntil(lambda: editor.draft.weighed is not None)
    weighed = engine.weigh(table, document.tree, 0, split, **document.search)
    assert figure(editor, 0) == words.gain(weighed.gain) and figure(editor, 1) == words.gain(weighed.validation_gain)
    assert len(editor.branches.branches) == 3 and not editor.readout.isVisible()
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert editor.draft.weighed is editor.draft.found


def test_what_cannot_be_read_is_told_and_changes_nothing(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    edit, before = editor.cuts_kind.controls.cuts, editor.draft
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "20, forty")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert editor.readout.isVisible()
    assert editor.readout.text() == "“forty” is not a number: write cuts such as 5, 10, 20 or 0.5."
    assert editor.draft is before
    qtbot.mouseClick(editor.split, LEFT)  # what is typed is not what would be split
    assert document.tree.n_leaves == 1 and not document.edits.running
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == f"{before.split.thresholds[0]:g}"
    assert not editor.readout.isVisible() and editor.legend.isVisible()


def test_a_branch_without_rows_is_told(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    edit = editor.cuts_kind.controls.cuts
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "50, 500")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert editor.readout.text() == "No training row is > 500."
    assert shown_cuts(editor) == [50, 500]
    assert editor.plot.getViewBox().viewRange()[0][1] > 500


def test_a_double_click_adds_a_cut(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    port = editor.plot.viewport()
    qtbot.mouseDClick(port, LEFT, pos=spot(editor, 20))
    assert len(shown_cuts(editor)) == 2
    assert shown_cuts(editor)[0] == pytest.approx(20, abs=1)
    check_figures(editor, numbers)


def with_three_cuts(qtbot: QtBot, editor: SplitEditor) -> None:
    edit = editor.cuts_kind.controls.cuts
    edit.setText("20, 40, 60")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert shown_cuts(editor) == [20, 40, 60]


def test_a_right_click_removes_a_cut(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    with_three_cuts(qtbot, editor)
    qtbot.mouseClick(editor.plot.viewport(), RIGHT, pos=spot(editor, 40))
    assert shown_cuts(editor) == [20, 60]
    check_figures(editor, numbers)


def test_del_removes_the_cut_that_the_keys_move(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    with_three_cuts(qtbot, editor)
    editor.plot.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Delete):
        qtbot.keyClick(editor.plot, key)
    assert shown_cuts(editor) == [20, 40]
    for _ in range(3):
        qtbot.keyClick(editor.plot, Qt.Key.Key_Delete)
    assert len(shown_cuts(editor)) == 1  # the last one stays


def test_a_cut_is_dragged_out_of_the_plot(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    with_three_cuts(qtbot, editor)
    out = spot(editor, 40, -1.5)
    drag(editor, spot(editor, 40), spot(editor, 42), out, drop=False)
    assert len(shown_cuts(editor)) == 3  # not before the mouse lets it go
    drag(editor, spot(editor, 41.5), spot(editor, 44), spot(editor, 44))  # brought back
    assert len(shown_cuts(editor)) == 3
    drag(editor, spot(editor, shown_cuts(editor)[1]), out)
    assert shown_cuts(editor) == [20, 60]
    check_figures(editor, numbers)


def test_the_only_cut_cannot_be_dragged_out(editor: SplitEditor, numbers: engine.Table) -> None:
    drag(editor, spot(editor, editor.draft.split.thresholds[0]), spot(editor, 30), spot(editor, 30, -2))
    assert len(shown_cuts(editor)) == 1


def test_the_best_cut_comes_back(qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table) -> None:
    assert not editor.best.isEnabled()
    with_three_cuts(qtbot, editor)
    qtbot.mouseClick(editor.best, LEFT)
    assert editor.draft.split == document.candidate.split
    assert figure(editor, BELOW_BEST) == "nothing"
    assert not editor.best.isEnabled()


# -- missing values


@pytest.mark.parametrize("branch", [0, 1, 2])
def test_missing_values_go_where_they_are_sent(
    qtbot: QtBot, editor: SplitEditor, numbers: engine.Table, branch: int
) -> None:
    choose(qtbot, editor.cuts_kind.controls.missing, branch)
    split = editor.draft.split
    assert split.missing == branch
    assert split.n_branches == (3 if branch == 2 else 2)
    if branch == 2:
        assert editor.branches.branches[2].words == "missing"
    check_figures(editor, numbers)


def test_the_box_for_missing_values_names_the_branches(
    qtbot: QtBot, editor: SplitEditor, numbers: engine.Table
) -> None:
    with_three_cuts(qtbot, editor)
    box = editor.cuts_kind.controls.missing
    assert [box.itemText(i) for i in range(box.count())] == [
        "Missing: ≤ 20", "Missing: in (20, 40]", "Missing: in (40, 60]", "Missing: > 60", "Missing: own branch",
        "Missing: all branches, in part",
    ]  # fmt: skip


# -- zoom and the log axis


def wheel(editor: SplitEditor, where: QPoint, notches: int) -> None:
    port = editor.plot.viewport()
    none = Qt.KeyboardModifier.NoModifier
    for _ in range(notches):
        event = QWheelEvent(
            QPointF(where), QPointF(port.mapToGlobal(where)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, none,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(port, event)


def test_the_wheel_zooms_and_a_double_click_on_the_axis_shows_all(
    qtbot: QtBot, editor: SplitEditor, numbers: engine.Table
) -> None:
    box, see_all = editor.plot.getViewBox(), editor.cuts_kind.controls.all
    whole, rows = box.viewRange()[0], editor.plot.bars.totals.sum()
    assert not see_all.isEnabled()
    wheel(editor, spot(editor, 60), 10)
    qtbot.waitUntil(see_all.isEnabled)
    low, high = box.viewRange()[0]
    assert high - low < 0.7 * (whole[1] - whole[0])
    assert low < 60 < high
    inside = editor.plot.bars
    assert inside.totals[: -1 if inside.has_missing else None].sum() < rows
    axis = editor.plot.getAxis("bottom").sceneBoundingRect().center()
    qtbot.mouseDClick(editor.plot.viewport(), LEFT, pos=editor.plot.mapFromScene(axis))
    qtbot.waitUntil(lambda: not see_all.isEnabled())
    assert box.viewRange()[0] == pytest.approx(whole)
    wheel(editor, spot(editor, 60), 10)
    qtbot.waitUntil(see_all.isEnabled)
    qtbot.mouseClick(see_all, LEFT)
    qtbot.waitUntil(lambda: not see_all.isEnabled())
    assert editor.plot.bars.totals.sum() == rows


def test_the_zoom_stays_while_the_split_is_edited(qtbot: QtBot, editor: SplitEditor, numbers: engine.Table) -> None:
    wheel(editor, spot(editor, editor.draft.split.thresholds[0]), 10)
    qtbot.waitUntil(editor.cuts_kind.controls.all.isEnabled)
    before = editor.plot.getViewBox().viewRange()[0]
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Left)
    assert editor.plot.getViewBox().viewRange()[0] == before


def test_a_log_axis_for_positive_columns(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    log = editor.cuts_kind.controls.log
    rows = editor.plot.bars.totals.sum()
    qtbot.mouseClick(log, LEFT)
    assert editor.plot.bars.totals.sum() == rows
    assert editor.plot.bars.left[0] == 0.0  # log₁₀ of 1
    drag(editor, spot(editor, editor.draft.split.thresholds[0]), spot(editor, 30), spot(editor, 10))
    assert shown_cuts(editor)[0] == pytest.approx(10, abs=1.5)
    check_figures(editor, numbers)
    edit = editor.cuts_kind.controls.cuts
    edit.setText("-5, 10")
    edit.settle()
    assert editor.draft.split.thresholds == (-5, 10)
    assert not log.isVisible()  # a logarithm has no place for it
    assert editor.plot.bars.left[0] >= 0.5


def test_no_log_axis_for_other_columns(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    document.set_table(flower_table())
    look_at(qtbot, document, "length")  # from 0 on
    assert not editor.cuts_kind.controls.log.isVisible()


# -- making the split


def test_the_button_makes_exactly_the_split_on_the_plot(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    with_three_cuts(qtbot, editor)
    choose(qtbot, editor.cuts_kind.controls.missing, 4)
    split, rows = editor.draft.split, [branch.rows for branch in editor.branches.branches]
    qtbot.mouseClick(editor.split, LEFT)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 5)
    tree = document.tree
    assert tree.split_at(0) == split
    assert [words.count(int(tree.rows_train[k])) for k in tree.children(0)] == rows
    assert document.history.steps[-1].text.startswith("Split the root by “age")
    assert len(document.history.steps) == 2
    document.undo()
    assert document.tree.n_leaves == 1


def test_enter_makes_the_split(qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table) -> None:
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Right)
    split = editor.draft.split
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    assert document.tree.split_at(0) == split


def test_the_second_enter_in_the_text_makes_the_split(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    edit = editor.cuts_kind.controls.cuts
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "33")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert document.tree.n_leaves == 1 and not document.edits.running
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    assert document.tree.split_at(0).thresholds == (33.0,)


def test_esc_withdraws(qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table) -> None:
    drag(editor, spot(editor, editor.draft.split.thresholds[0]), spot(editor, 30), spot(editor, 20))
    qtbot.waitUntil(lambda: document.preview is not None)
    assert document.preview.split == editor.draft.split
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Escape)
    assert editor.draft.split == document.candidate.split
    assert document.preview is None


def test_the_branches_are_shown_on_the_canvas_while_a_cut_moves(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    told = []
    document.previewChanged.connect(told.append)
    start = spot(editor, editor.draft.split.thresholds[0])
    drag(editor, start, *(spot(editor, value) for value in range(50, 20, -1)))
    assert not told  # not at every move of the mouse
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1].split == editor.draft.split
    assert [words.count(n) for n in told[-1].rows] == [branch.rows for branch in editor.branches.branches]


def test_another_candidate_takes_the_place_of_the_edit(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: document.preview is not None)
    look_at(qtbot, document, "noise")
    assert document.preview is None
    assert editor.title.text().startswith("noise ≤ ")
    assert not editor.draft.edited


def test_another_focus_and_another_theme_keep_the_edit(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    with_three_cuts(qtbot, editor)
    document.set_focus(1 - document.focus_class)
    assert shown_cuts(editor) == [20, 40, 60]


def test_an_inner_node_shows_its_split_which_can_be_replaced(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    document.make_split(engine.Split("age", "threshold", (33.0,)))
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    document.select(0)
    settle(qtbot, document)
    assert shown_cuts(editor) == [33]
    check_figures(editor, numbers)
    assert editor.split.text() == "Replace"
    drag(editor, spot(editor, 33), spot(editor, 50), spot(editor, 60))
    (moved,) = shown_cuts(editor)
    assert moved == pytest.approx(60, abs=2)
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    settle(qtbot, document)
    assert document.tree.split_at(0).thresholds == (moved,)


def test_a_locked_node_says_why_its_split_stays(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table
) -> None:
    document.make_split(engine.Split("age", "threshold", (33.0,)))
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    document.hand.toggle(0, "locked")
    qtbot.waitUntil(lambda: document.tree.mark(0).locked)
    document.select(0)
    settle(qtbot, document)
    assert "The root is locked: unlock it first (Shift+K)." in editor.readout.text()
    assert not editor.split.isEnabled()
    assert not editor.cuts_kind.controls.isVisible()
    drag(editor, spot(editor, 33), spot(editor, 50), spot(editor, 60))
    assert shown_cuts(editor) == [33]
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    assert not document.edits.running


# -- other columns


def test_dates_are_typed_as_dates(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    days = pd.date_range("2013-01-01", periods=365)
    frame = pd.DataFrame({"day": days, "y": ["ab"[int(day.month > 6)] for day in days]})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    look_at(qtbot, document, "day")
    edit = editor.cuts_kind.controls.cuts
    assert editor.title.text() == "day ≤ 2013-06-30" and edit.text() == "2013-06-30", "the last day, not noon after it"
    assert editor.plot.cuts.lines[0].label.format == "2013-06-30"
    assert document.candidates[0].split.thresholds[0] % 86_400 == 43_200
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "2013-04-01, 2013-10")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.text() == "2013-04-01, 2013-10-01"
    assert editor.title.text() == "day at 2013-04-01, 2013-10-01"
    assert [branch.rows for branch in editor.branches.branches] == ["91", "183", "91"]


def test_a_numeric_target_tells_the_means(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    frame = pd.DataFrame({"x": np.arange(60.0), "y": [100.3 + (i > 20) * 50 + i / 7 for i in range(60)]})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    look_at(qtbot, document, "x")
    edit = editor.cuts_kind.controls.cuts
    edit.setText("39.5")
    edit.settle()
    left, right = frame.y[:40], frame.y[40:]
    assert [branch.says for branch in editor.branches.branches] == [words.value(left.mean()), words.value(right.mean())]
    gain = frame.y.var(ddof=0) - (40 * left.var(ddof=0) + 20 * right.var(ddof=0)) / 60
    assert figure(editor, GAIN) == words.gain(gain)


def test_a_long_name_gives_way_and_the_cut_stays(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    name = "share of households with more than two vehicles in the year before the last census"
    frame = pd.DataFrame({name: np.arange(40.0), "y": ["a"] * 17 + ["b"] * 23})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    look_at(qtbot, document, name)
    editor.resize(390, 300)
    title = editor.title
    shown = title.shortened(title.fontMetrics(), title.width())
    assert shown.startswith("share of") and shown.endswith("≤ 16.5")
    assert all(title.fontMetrics().horizontalAdvance(line) <= title.width() for line in shown.split("\n"))
    assert editor.width() == 390


@pytest.mark.parametrize(("width", "height"), [(390, 300), (300, 260), (700, 500)])
def test_nothing_is_cut_off(
    qtbot: QtBot, editor: SplitEditor, document: Document, numbers: engine.Table, width: int, height: int
) -> None:
    with_three_cuts(qtbot, editor)
    editor.resize(width, height)
    qtbot.waitUntil(lambda: editor.width() == width)
    assert editor.height() <= max(height, 330)
    for label in filter(QLabel.isVisible, editor.figures.labels):
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
    assert editor.branches.height() >= editor.branches.sizeHint().height()
    assert editor.plot.height() >= 72


def test_gains_above_0_keep_most_of_the_height(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"x": random.random(400), "y": random.standard_t(3, 400)})  # nothing to find
    document.set_table(engine.Table.from_frame(frame, "y").with_partition(validation=0.5))
    look_at(qtbot, document, "x")
    (low, high), curve = editor.plot.gains.viewRange()[1], document.curve
    assert np.nanmin(curve.validation_gains) < low < 0 < np.max(curve.gains) < high
    assert high > 0.55 * (high - low)
