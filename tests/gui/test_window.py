"""The whole path through the window, with mouse and keys, as a person takes it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QMessageBox,
    QTreeView,
    QWidget,
)

import engine
from gui import messages, theme
from gui.dialogs.grow_dialog import GrowDialog
from gui.settings import Settings
from gui.verbs.declared import VERBS
from gui.widgets.fields import SENTENCE
from gui.window.window import Window
from tests.gui.acting import do, key, rest
from tests.gui.asked import press, when_asked

ROOT = Path(__file__).resolve().parents[2]


LEFT = Qt.MouseButton.LeftButton


def candidate_row(window: Window, row: int) -> tuple[QTreeView, QPoint]:
    table = window.findChild(QTreeView, "candidates_table")
    return table, table.visualRect(table.model().index(row, 0)).center()


# -- the start


def test_the_start_page_stands_alone(window):
    assert window.pages.currentWidget() is window.start_page
    assert not any(panel.isVisible() for panel in window.panels.values())
    assert window.windowTitle() == "Espalier"
    assert [name for name, verb in VERBS.items() if window.actions_made.made[name].isEnabled()] == [
        "open", "open_folder", "open_database", "paste", "quit", "handbook", "tour", "shares", "whats_this",
        "shortcuts", "about", "open_log",
    ]  # fmt: skip


def test_the_window_is_there_before_pandas_and_numba(home):
    program = """
import sys
from PySide6.QtWidgets import QApplication
from gui import theme
from gui.model.document import Document
from gui.settings import Settings
from gui.window.window import Window
application = QApplication([])
theme.apply(application)
window = Window(Document(), Settings())
window.show()
application.processEvents()
print([name for name in ("pandas", "numba", "scipy", "pyarrow", "llvmlite") if name in sys.modules], window.isVisible())
window.close()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert done.stdout.strip() == "[] True", done.stderr


def test_an_example_opens_by_a_click(qtbot, window):
    card = window.start_page.findChild(QWidget, "example_cats")
    qtbot.mouseClick(card, LEFT)
    rest(qtbot, window)
    assert window.pages.currentWidget() is window.canvas
    shown = {name for name, panel in window.panels.items() if panel.isVisible()}
    assert shown == {"columns", "candidates", "split_editor"}, "the tree, and what is needed for the next step"
    assert window.windowTitle() == "Cats[*] — Espalier" and not window.isWindowModified()
    assert window.document.table.classes[window.document.focus_class] == "True"


# -- growing by hand and by key


def test_a_candidate_is_accepted_by_a_double_click(qtbot, full):
    table, place = candidate_row(full, 0)
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(table.viewport(), LEFT, pos=place)
    rest(qtbot, full)
    assert full.document.tree.n_leaves == 2
    assert full.isWindowModified()
    assert full.fit_strip.text().startswith("2 leaves · depth 1 · error: train ")
    assert full.fit_strip.text().endswith("(not used yet)")  # no validation row chose it


def test_exclusive_or_by_keyboard(qtbot, window, xor):
    window.document.set_table(xor)
    rest(qtbot, window)
    for leaf in (0, 1, 2):
        window.document.select(leaf)
        rest(qtbot, window)
        table, _ = candidate_row(window, 0)
        table.setCurrentIndex(table.model().index(0, 0))
        QTest.keyClick(table, Qt.Key.Key_Return)
        rest(qtbot, window)
    assert window.document.tree.error() == 0
    assert window.fit_strip.text() == "4 leaves · depth 2 · error: train 0.0 %"


def test_the_letters_of_the_tree_count_in_the_ranking(qtbot, window, xor):
    window.document.set_table(xor)
    rest(qtbot, window)
    table, _ = candidate_row(window, 0)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    rest(qtbot, window)
    assert window.document.tree.n_leaves == 2
    QTest.keyClick(table, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    rest(qtbot, window)
    assert window.document.tree.n_leaves == 4


def test_the_keys_of_the_tree(qtbot, full):
    document = full.document
    key(full, Qt.Key.Key_S)
    key(full, Qt.Key.Key_S)
    rest(qtbot, full)
    assert document.tree.n_leaves == 3
    key(full, Qt.Key.Key_L)
    rest(qtbot, full)
    assert document.tree.depth >= 2
    key(full, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    rest(qtbot, full)
    leaves = document.tree.n_leaves
    assert document.tree.error() == 0
    key(full, Qt.Key.Key_P)
    rest(qtbot, full)
    assert document.tree.n_leaves < leaves
    assert full.panels["pruning"].isVisible()
    key(full, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == leaves
    document.select(0)
    key(full, Qt.Key.Key_Delete)
    rest(qtbot, full)
    assert document.tree.n_leaves == 1
    key(full, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == leaves
    key(full, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == 1


def test_undo_says_what_it_undoes(qtbot, full):
    do(full, "split_anywhere")
    rest(qtbot, full)
    assert full.actions_made.made["undo"].text() == f"&Undo “{full.document.history.stack.undoText()}”"
    assert full.actions_made.made["redo"].text() == "&Redo"
    do(full, "undo")
    assert not full.actions_made.made["undo"].isEnabled() and full.actions_made.made["redo"].isEnabled()


def test_actions_apply_to_what_is_selected(qtbot, full):
    do(full, "split_anywhere")
    rest(qtbot, full)
    full.document.select(0)
    enabled = {
        name: full.actions_made.made[name].isEnabled() for name in ("split_here", "prune_below", "prune", "stop")
    }
    assert enabled == {"split_here": False, "prune_below": True, "prune": True, "stop": False}
    full.document.select(int(full.document.tree.ids[1]))
    assert full.actions_made.made["split_here"].isEnabled() and not full.actions_made.made["prune_below"].isEnabled()


def test_the_focus_class_is_chosen_in_the_menu(qtbot, full):
    full.menus.focus.aboutToShow.emit()
    actions = full.menus.focus.actions()
    assert [(action.text(), action.isChecked()) for action in actions] == [
        ("iris", True), ("lily", False), ("rose", False),
    ]  # fmt: skip
    actions[2].trigger()
    assert full.document.focus_class == 2
    full.document.table_edits.set_target("width")
    rest(qtbot, full)
    assert not full.menus.focus.isEnabled()


def test_the_context_menu_has_the_verbs_of_the_tree_menu(qtbot, full):
    do(full, "split_anywhere")
    rest(qtbot, full)
    leaf = int(full.document.tree.ids[2])
    full.canvas.contextMenuRequested.emit(leaf, QPoint(50, 50))
    menu = full.findChild(QMenu, "node_menu")
    assert menu.isVisible() and full.document.selected == leaf
    tree_menu = next(action.menu() for action in full.menuBar().actions() if action.text() == "&Tree")
    assert [action.text() for action in menu.actions()] == [action.text() for action in tree_menu.actions()]
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    rest(qtbot, full)


def test_the_criterion_is_chosen_in_the_toolbar(qtbot, full):
    box = full.criterion
    assert [box.itemText(i) for i in range(box.count())][:2] == ["Gini", "Entropy"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    rest(qtbot, full)
    assert full.document.criterion == "entropy"
    assert "log₂" in box.toolTip()
    full.document.table_edits.set_target("width")
    rest(qtbot, full)
    assert [box.itemText(i) for i in range(box.count())] == [
        criterion.label for criterion in engine.criteria_for("number")
    ]
    assert full.fit_strip.text() == "1 leaf · depth 0 · R² train 0.000, valid 0.000 (not used yet)"


def test_a_preset_is_chosen_in_the_toolbar(qtbot, full):
    full.preset.setFocus()
    QTest.keyClick(full.preset, Qt.Key.Key_Down)
    rest(qtbot, full)
    assert full.document.preset == "id3" and full.criterion.currentText() == "Entropy"
    assert "Quinlan (Induction of Decision Trees, 1986)" in full.preset.toolTip()
    assert [full.preset.itemData(i, SENTENCE) for i in range(full.preset.count())] == [
        preset.sentences for preset in engine.PRESETS.values()
    ]
    full.document.set_search(criterion="sqrt")
    assert full.preset.currentIndex() == -1 and full.preset.placeholderText() == "Own options"
    said = full.preset.grab().toImage()
    full.preset.setPlaceholderText("")
    assert full.preset.grab().toImage() != said
    full.preset.setPlaceholderText("Own options")
    rest(qtbot, full)


def test_stop_is_offered_when_work_takes_long(qtbot, full, monkeypatch):
    def endless(state, options, progress, **how):
        progress.report(0.25, "Growing: 1,000 leaves")
        while not progress.stopped:
            QTest.qSleep(1)
        return state

    monkeypatch.setattr("gui.model.tree_tasks.grown", endless)
    do(full, "grow_all")
    qtbot.waitUntil(full.job_status.isVisible)
    assert full.actions_made.made["stop"].isEnabled()
    assert full.job_status.text.text() == "Growing: 1,000 leaves" and full.job_status.bar.value() == 250
    qtbot.mouseClick(full.job_status.stop, LEFT)
    rest(qtbot, full)
    assert not full.job_status.isVisible() and not full.actions_made.made["stop"].isEnabled()
    assert full.document.tree.n_leaves == 1


@pytest.mark.parametrize(("button", "kept"), [("Keep hand-made splits", True), ("Prune hand-made splits too", False)])
def test_hand_made_splits_are_asked_about(qtbot, full, button, kept):
    document = full.document
    document.hand.split_by(0, engine.Split("width", "threshold", (0.2,)))
    document.tree_edits.grow_all()
    rest(qtbot, full)
    asked = when_asked(press(button), QMessageBox)
    document.cutback.open("cost_complexity")
    rest(qtbot, full)
    document.cutback.show(len(document.cutback.sequence.steps) - 1)
    rest(qtbot, full)
    assert len(asked) == 1
    assert bool(document.tree.n_branches[0]) is kept


def test_the_partition_dialog(qtbot, full):
    asked = when_asked(lambda dialog: dialog.accept(), "partition_dialog")
    do(full, "partition")
    rest(qtbot, full)
    assert asked
    assert full.document.table.partition


# -- layout and looks


def test_the_layout_is_remembered_and_can_be_reset(qtbot, make, flowers):
    first = make()
    first.document.set_table(flowers)
    rest(qtbot, first)
    first.places.show_side("data", on=False)
    first.resize(1100, 700)
    first.close()
    second = make()
    second.document.set_table(flowers)
    rest(qtbot, second)
    assert not second.panels["columns"].isVisible()
    do(second, "reset_layout")
    assert second.panels["columns"].isVisible()


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800)])
def test_the_canvas_keeps_most_of_the_room(qtbot, full, size):
    full.resize(*size)
    do(full, "reset_layout")
    QApplication.processEvents()
    assert full.size().toTuple() == size
    canvas = full.canvas
    assert canvas.width() >= 0.38 * size[0] and canvas.height() >= 0.4 * size[1]
    for name in ("columns", "candidates", "split_editor"):
        assert full.panels[name].isVisible()


def test_the_theme_is_chosen_and_remembered(window):
    window.settings.set("theme", "dark")
    assert theme.current().dark
    window.settings.set("theme", "light")
    assert not theme.current().dark
    window.settings.set("theme", "system")


def test_a_setting_that_was_repaired_is_told(qtbot, home, make):
    (home / "settings.json").write_text('{"theme": "pink"}', encoding="utf-8")
    assert "“theme”" in Settings().repaired[0]


def test_help(qtbot, window):
    for name, dialog in (("shortcuts", "shortcuts_dialog"), ("about", "about_dialog")):
        do(window, name)
        shown = window.findChild(QWidget, dialog)
        assert shown.isVisible()
        shown.close()
    QApplication.sendPostedEvents()


def test_the_log_is_named_when_there_is_none(window, home):
    do(window, "open_log")
    assert window.bar.texts == [f"The log is “{home / 'espalier.log'}”."]


# -- the program


def test_growing_is_asked_about_and_done(qtbot, full, monkeypatch):
    def agree(dialog):
        dialog.form.rows["max_leaves"].chosen.emit("max_leaves", 3)
        return GrowDialog.DialogCode.Accepted

    monkeypatch.setattr(GrowDialog, "exec", agree)
    assert [key.toString() for key in full.actions_made.made["grow"].shortcuts()] == ["Ctrl+G"]
    do(full, "grow")
    rest(qtbot, full)
    assert full.document.tree.n_leaves == 3 and full.document.search == {}


def test_the_search_settings_come_to_the_front_and_the_toolbar_follows_them(qtbot, full):
    panel = full.panels["search"]
    assert panel.visibleRegion().isEmpty()
    do(full, "search")
    qtbot.waitUntil(lambda: not panel.visibleRegion().isEmpty() and panel.form.rows["criterion"].control.count() > 0)
    assert full.document.search == {}  # nothing but coming into sight
    QTest.keyClick(panel.form.rows["criterion"].control, Qt.Key.Key_Down)
    assert full.criterion.currentText() == "Entropy" and full.preset.currentIndex() == -1
    full.criterion.setFocus()
    QTest.keyClick(full.criterion, Qt.Key.Key_Up)
    assert panel.form.rows["criterion"].control.currentText() == "Gini"
    rest(qtbot, full)


def test_a_limit_that_is_still_being_typed_holds_for_go(qtbot, full):
    do(full, "search")
    form = full.panels["search"].form
    form.sections[3].open(True)
    line = form.rows["max_leaves"].control.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "3")
    QTest.mouseClick(full.toolbar.widgetForAction(full.actions_made.made["go"]), Qt.MouseButton.LeftButton)
    rest(qtbot, full)
    assert full.document.cutback.sequence.full.n_leaves == 3 and full.document.search == {"max_leaves": 3}


def test_a_criterion_that_is_refused_does_not_stay_in_the_toolbar(qtbot, full):
    numeric = next(column.name for column in full.document.table.columns if column.kind == "number")
    full.document.table_edits.set_target(numeric)
    rest(qtbot, full)
    full.document.set_search(m_of_n=True)
    rest(qtbot, full)
    full.criterion.setFocus()
    QTest.keyClick(full.criterion, Qt.Key.Key_Down)
    assert full.document.criterion == "squared_error" and full.criterion.currentText() == "Squared error"
    assert any("cannot go with Absolute error" in text for text in full.bar.texts)


def test_rules_behind_another_tab_are_not_made(qtbot, full):
    panel = full.panels["rules"]
    assert not panel.isVisible()
    do(full, "go")
    rest(qtbot, full)
    assert panel.model.tree is None
    full.show_panel("rules")
    qtbot.waitUntil(lambda: panel.model.tree is full.document.tree)
    full.show_panel("node")
    do(full, "undo")
    do(full, "redo")
    qtbot.waitUntil(lambda: panel.model.tree is not full.document.tree)
    full.show_panel("rules")
    qtbot.waitUntil(lambda: panel.model.tree is full.document.tree)
    full.places.arrange()
    full.show_panel("rules")
    qtbot.waitUntil(lambda: panel.model.tree is full.document.tree)
    full.places.enlarge("words")
    qtbot.waitUntil(lambda: panel.model.tree is full.document.tree)


# -- another target, another table


def make_target(window: Window, name: str) -> None:
    """Columns ▸ right click ▸ Make it the target."""
    columns = window.panels["columns"]
    menu = columns.context_menu(window.document.table.names.index(name))
    next(action for action in menu.actions() if "target" in action.text()).trigger()


@pytest.mark.parametrize("answer", ["Start a new tree", "Cancel"])
def test_another_target_is_asked_about_and_the_split_that_is_looked_at_goes(qtbot, full, answer):
    document = full.document
    document.hand.split_by(0, engine.Split("length", "threshold", (5.0,)))
    rest(qtbot, full)
    document.select(0)
    rest(qtbot, full)
    grown = document.tree
    said = []

    def reply(dialog):
        said.append(f"{dialog.text()} {dialog.informativeText()}")
        press(answer)(dialog)

    when_asked(reply, "ask_anew")
    make_target(full, "width")
    rest(qtbot, full)
    assert len(said) == 1 and all(word in said[0] for word in ("“width”", "2 leaves", "“kind”"))
    if answer == "Cancel":
        assert document.tree is grown and document.history.stack.count() == 1
        return
    assert (document.tree.target, document.tree.n_leaves, document.table.task) == ("width", 1, "number")
    document.undo()
    rest(qtbot, full)
    assert document.tree is grown
    document.history.stack.redo()
    rest(qtbot, full)
    assert document.tree.target == "width"


def test_the_target_read_as_another_kind_is_asked_about(qtbot, window):
    table = engine.Table.from_frame(pd.DataFrame({"x": range(40), "y": [i % 3 for i in range(40)]}), target="y")
    window.document.set_table(table)
    rest(qtbot, window)
    make_target(window, "x")  # a single leaf: nothing is asked
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    said = []

    def cancel(dialog):
        said.append(dialog.text())
        press("Cancel")(dialog)

    when_asked(cancel, "ask_anew")
    window.document.table_edits.set_kind("x", "nominal")
    rest(qtbot, window)
    assert said == ["Set the type of the target “x” to category?"] and window.document.tree.n_leaves == 2


def test_an_order_of_the_classes_keeps_the_tree(qtbot, full):
    do(full, "split_anywhere")
    rest(qtbot, full)
    ids = full.document.tree.ids.tolist()
    for kind in ("ordered", "nominal"):
        full.document.table_edits.set_kind("kind", kind)  # a question would wait for ever
        rest(qtbot, full)
        assert full.document.table.column("kind").kind == kind
        assert full.document.tree.ids.tolist() == ids and full.document.tree.n_leaves > 1
    assert full.document.history.steps[-1].text == "Set type of “kind” to category"


def test_what_was_said_of_one_table_does_not_stand_over_the_next(qtbot, full, flowers):
    messages.error("This split is locked.")
    messages.warning("Two rows are damaged.")
    messages.offer("Open the copy?", ("Open", lambda: None))
    assert len(full.bar.texts) == 3
    full.document.set_table(flowers, name="second")
    rest(qtbot, full)
    assert full.bar.texts == ["Open the copy?"]  # a question waits for its answer
    messages.warning("“soil” is gone.")
    full.document.start(None)
    assert full.bar.texts == ["Open the copy?"]


def test_the_gains_stand_over_their_cuts_whatever_table_was_there_before(qtbot, full, flowers):
    editor = full.panels["split_editor"]
    plot, random = editor.plot, np.random.default_rng(0)
    x = random.normal(size=400) * 1e6
    wide = engine.Table.from_frame(pd.DataFrame({"x": x, "y": 100 * x + random.normal(size=400)}), target="y")
    small = engine.Table.from_frame(pd.DataFrame({"x": np.arange(30) / 7, "y": ["a", "b", "b"] * 10}), target="y")
    for table in (wide, small, wide, flowers, wide):
        for hidden in (False, True):
            do(full, "grow_level")
            rest(qtbot, full)
            full.places.show_side("node", on=not hidden)
            full.document.set_table(table)
            rest(qtbot, full)
            full.places.show_side("node")
            plot.repaint()  # its axes get the widths that their words need
            QApplication.processEvents()
            [cut], line = plot.cuts.lines, plot.gains.addedItems[-1]
            place = cut.value()
            assert line.mapToScene(place, 0.0).x() == pytest.approx(cut.mapToScene(0.0, 0.0).x(), abs=0.05)


def test_no_message_covers_the_legend(qtbot, window, flowers):
    window.document.set_table(flowers)
    rest(qtbot, window)
    messages.info("Nothing is left to split.")
    qtbot.waitUntil(lambda: window.bar.isVisible() and window.canvas.legend_height > 20)
    legend = window.canvas.legend_height
    QApplication.processEvents()
    below = window.canvas.mapToGlobal(QPoint(0, window.canvas.height())).y()
    assert window.bar.mapToGlobal(QPoint(0, window.bar.height())).y() == below - legend


def test_a_single_leaf_says_what_to_do_next(qtbot, window, flowers):
    """Below its card, whether it can be split or not."""
    window.document.set_table(flowers)
    rest(qtbot, window)

    def below_card() -> bool:
        box, picture = window.canvas.node_rect(0), window.canvas.grab().toImage()
        scale = picture.devicePixelRatio()
        left, top = int(box.center().x() * scale), int((box.bottom() + 14) * scale)
        colours = {picture.pixel(left + x, top + y) for x in range(-60, 60) for y in range(20)}
        return len(colours) > 3

    assert below_card()
    for name in window.document.table.names:
        if name != window.document.table.target:
            window.document.table_edits.set_role(name, "ignore")
            rest(qtbot, window)
    assert below_card()  # that there is nothing to split
    window.document.undo()
    do(window, "split_here")
    rest(qtbot, window)
    window.canvas.actual_size()
    assert window.document.tree.n_nodes > 1
