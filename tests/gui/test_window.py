"""The whole path through the window, with mouse and keys, as a person takes it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QTableView,
    QTreeView,
    QWidget,
)

import engine
from engine.export.rules_text import to_rules
from gui import application, messages, theme
from gui.bars.fit_strip import fit_words
from gui.dialogs.grow_dialog import GrowDialog
from gui.dialogs.picture_dialog import PictureDialog
from gui.document import Document
from gui.files.autosave import Autosave, Copy
from gui.settings import Settings
from gui.verbs.actions import keys_of
from gui.verbs.declared import VERBS
from gui.verbs.menus import MENUS, SUBMENUS
from gui.window import Window
from tests.gui.asked import give_up, press, when_asked
from tests.gui.conftest import flower_table

ROOT = Path(__file__).resolve().parents[2]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def make(qtbot, home) -> Callable[[], Window]:
    """Makes a window as a start of the program does; at the end it closes without questions."""

    def make() -> Window:
        document = Document()
        window = Window(document, Settings(), Autosave(document, home / "autosave", seconds=0))
        qtbot.addWidget(window, before_close_func=give_up)
        window.resize(1400, 900)
        window.show()
        qtbot.waitExposed(window)
        return window

    return make


@pytest.fixture
def window(make) -> Window:
    return make()


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    return path


@pytest.fixture
def opened(qtbot, window, flowers) -> Window:
    """A window with the flowers in it."""
    window.document.set_table(flowers)
    rest(qtbot, window)
    return window


def rest(qtbot, window):
    qtbot.waitUntil(lambda: not window.document.jobs.busy, timeout=60_000)


def type_path(path: Path) -> Callable[[QWidget], None]:
    """Types a path into a file dialog and accepts it."""

    def act(dialog: QWidget) -> None:
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(str(path))  # typing would open the completer, whose popup grabs a keyboard that is not there
        dialog.accept()

    return act


def take_as_guessed(qtbot) -> Callable[[QWidget], None]:
    """Opens the table of an import dialog as soon as that is offered: a click before would be lost."""

    def act(dialog: QWidget) -> None:
        button = dialog.findChild(QPushButton, "open_table_button")
        qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=60_000)
        qtbot.mouseClick(button, LEFT)

    return act


def key(window: Window, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window.canvas, key, modifier)


def do(window: Window, name: str) -> None:
    window.actions_made[name].trigger()


def candidate_row(window: Window, row: int) -> tuple[QTreeView, QPoint]:
    table = window.findChild(QTreeView, "candidates_table")
    return table, table.visualRect(table.model().index(row, 0)).center()


# -- the start


def test_the_start_page_stands_alone(window):
    assert window.pages.currentWidget() is window.start_page
    assert not any(dock.isVisible() for dock in window.docks.values())
    assert window.windowTitle() == "Espalier"
    assert [name for name, verb in VERBS.items() if window.actions_made[name].isEnabled()] == [
        "open", "paste", "quit", "whats_this", "shortcuts", "about", "open_log",
    ]  # fmt: skip


def test_the_window_is_there_before_pandas_and_numba(home):
    program = """
import sys
from PySide6.QtWidgets import QApplication
from gui import theme
from gui.document import Document
from gui.settings import Settings
from gui.window import Window
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
    assert all(dock.isVisible() or dock.isVisibleTo(window) for dock in window.docks.values())
    assert window.windowTitle() == "Cats[*] — Espalier" and not window.isWindowModified()
    assert window.document.table.classes[window.document.focus_class] == "True"


# -- opening files


def test_a_file_is_opened_through_the_dialog(qtbot, window, file):
    chosen = when_asked(type_path(file), QFileDialog)
    asked = when_asked(take_as_guessed(qtbot), "import_dialog")
    key(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert chosen and asked
    table = window.document.table
    assert (table.name, table.target, table.n_validation) == ("flowers", "kind", 36)
    assert window.settings.recent == [str(file)]
    assert window.settings.value("last_folder") == str(file.parent)
    assert window.rows.text() == "120 rows: 84 train, 36 validate"


def test_a_cancelled_dialog_changes_nothing(qtbot, opened, file):
    tree = opened.document.tree
    asked = when_asked(press("Cancel"), "import_dialog")
    opened.opening.open(file)
    qtbot.waitUntil(lambda: bool(asked))
    rest(qtbot, opened)
    assert opened.document.tree is tree


def test_a_file_with_its_target_needs_no_dialog(qtbot, window, file):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    assert window.document.table.target == "kind"


def test_a_file_is_dropped_onto_the_window(qtbot, window, file):
    asked = when_asked(take_as_guessed(qtbot), "import_dialog")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    action, button, keys = Qt.DropAction.CopyAction, LEFT, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, data, button, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), action, data, button, keys))
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert asked


def test_a_table_is_pasted(qtbot, window):
    QGuiApplication.clipboard().setText("a,b,y\n1,x,no\n2,x,yes\n3,z,yes\n4,z,no\n")
    pasted = when_asked(lambda dialog: wait_and_accept(qtbot, dialog), "paste_dialog")
    asked = when_asked(take_as_guessed(qtbot), "import_dialog")
    do(window, "paste")
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert pasted and asked
    assert window.document.table.n_rows == 4
    assert window.settings.recent == []


def wait_and_accept(qtbot, dialog):
    qtbot.waitUntil(lambda: not dialog.hindrance, timeout=60_000)
    dialog.accept()


@pytest.mark.parametrize("what", ["gone.csv", "picture.csv", "empty.csv", "folder", "broken.espalier"])
def test_what_cannot_be_opened_is_told_in_its_place(qtbot, opened, tmp_path, what):
    path = tmp_path / what
    if what == "folder":
        path.mkdir()
    elif what != "gone.csv":
        path.write_bytes({"picture.csv": b"\x89PNG\r\n\x1a\n\0\0\0", "empty.csv": b""}.get(what, b"{"))
    tree = opened.document.tree
    opened.opening.open(path)
    rest(qtbot, opened)
    assert len(opened.bar.texts) == 1 and what.split(".")[0] in opened.bar.texts[0]
    assert "Traceback" not in opened.bar.texts[0]
    assert opened.document.tree is tree


def test_a_recent_file_that_is_gone_leaves_the_list(qtbot, window, tmp_path):
    window.settings.add_recent(tmp_path / "gone.csv")
    window.opening.open(tmp_path / "gone.csv")
    rest(qtbot, window)
    assert window.settings.recent == []


def test_what_could_not_be_opened_is_not_among_the_recent_files(qtbot, window, file, tmp_path):
    broken = tmp_path / "broken.espalier"
    broken.write_text("{")
    window.opening.open(broken)
    rest(qtbot, window)
    window.opening.open(file, target="no such column")
    rest(qtbot, window)
    assert len(window.bar.texts) == 2 and window.settings.recent == []
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    assert window.settings.recent == [str(file)]


def test_a_refused_table_is_corrected_in_the_dialog_and_opened(qtbot, window, tmp_path):
    path = tmp_path / "constant.csv"
    path.write_text("a,b,target\n" + "".join(f"{i},{'uv'[i % 2]},no\n" for i in range(12)))
    recent = []

    def act(dialog):
        choose = dialog.findChild(QComboBox, "target_field")
        button = dialog.findChild(QPushButton, "open_table_button")
        error = dialog.findChild(QWidget, "import_error")
        dialog._model.set_target("target")
        qtbot.waitUntil(button.isEnabled, timeout=60_000)
        qtbot.mouseClick(button, LEFT)
        qtbot.waitUntil(error.isVisible, timeout=60_000)
        recent.extend(window.settings.recent)
        dialog._model.set_target("b")
        assert choose.currentText() == "b"
        qtbot.waitUntil(button.isEnabled, timeout=60_000)
        qtbot.mouseClick(button, LEFT)

    asked = when_asked(act, "import_dialog")
    window.opening.open(path)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert asked and window.document.table.target == "b"
    assert (recent, window.settings.recent) == ([], [str(path)])
    assert not any("every row" in text for text in window.bar.texts)


# -- growing by hand and by key


def test_a_candidate_is_accepted_by_a_double_click(qtbot, opened):
    table, place = candidate_row(opened, 0)
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(table.viewport(), LEFT, pos=place)
    rest(qtbot, opened)
    assert opened.document.tree.n_leaves == 2
    assert opened.isWindowModified()
    assert opened.fit_strip.text().startswith("2 leaves · depth 1 · error: train ")
    assert opened.fit_strip.text().endswith("(used once)")


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


def test_the_keys_of_the_tree(qtbot, opened):
    document = opened.document
    key(opened, Qt.Key.Key_S)
    key(opened, Qt.Key.Key_S)
    rest(qtbot, opened)
    assert document.tree.n_leaves == 3
    key(opened, Qt.Key.Key_L)
    rest(qtbot, opened)
    assert document.tree.depth >= 2
    key(opened, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    rest(qtbot, opened)
    full = document.tree.n_leaves
    assert document.tree.error() == 0
    key(opened, Qt.Key.Key_P)
    rest(qtbot, opened)
    assert document.tree.n_leaves < full
    assert opened.docks["pruning"].isVisible()
    key(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == full
    document.select(0)
    key(opened, Qt.Key.Key_Delete)
    rest(qtbot, opened)
    assert document.tree.n_leaves == 1
    key(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == full
    key(opened, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == 1


def test_undo_says_what_it_undoes(qtbot, opened):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    assert opened.actions_made["undo"].text() == f"&Undo “{opened.document.undo_stack.undoText()}”"
    assert opened.actions_made["redo"].text() == "&Redo"
    do(opened, "undo")
    assert not opened.actions_made["undo"].isEnabled() and opened.actions_made["redo"].isEnabled()


def test_actions_apply_to_what_is_selected(qtbot, opened):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    opened.document.select(0)
    enabled = {name: opened.actions_made[name].isEnabled() for name in ("split_here", "prune_below", "prune", "stop")}
    assert enabled == {"split_here": False, "prune_below": True, "prune": True, "stop": False}
    opened.document.select(int(opened.document.tree.ids[1]))
    assert opened.actions_made["split_here"].isEnabled() and not opened.actions_made["prune_below"].isEnabled()


def test_the_focus_class_is_chosen_in_the_menu(qtbot, opened):
    opened.menus.focus.aboutToShow.emit()
    actions = opened.menus.focus.actions()
    assert [(action.text(), action.isChecked()) for action in actions] == [
        ("iris", True), ("lily", False), ("rose", False),
    ]  # fmt: skip
    actions[2].trigger()
    assert opened.document.focus_class == 2
    opened.document.table_edits.set_target("width")
    rest(qtbot, opened)
    assert not opened.menus.focus.isEnabled()


def test_the_context_menu_has_the_verbs_of_the_tree_menu(qtbot, opened):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    leaf = int(opened.document.tree.ids[2])
    opened.canvas.contextMenuRequested.emit(leaf, QPoint(50, 50))
    menu = opened.findChild(QMenu, "node_menu")
    assert menu.isVisible() and opened.document.selected == leaf
    tree_menu = next(action.menu() for action in opened.menuBar().actions() if action.text() == "&Tree")
    assert [action.text() for action in menu.actions()] == [action.text() for action in tree_menu.actions()]
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    rest(qtbot, opened)


def test_the_criterion_is_chosen_in_the_toolbar(qtbot, opened):
    box = opened.criterion
    assert [box.itemText(i) for i in range(box.count())][:2] == ["Gini", "Entropy"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    rest(qtbot, opened)
    assert opened.document.criterion == "entropy"
    assert "log₂" in box.toolTip()
    opened.document.table_edits.set_target("width")
    rest(qtbot, opened)
    assert [box.itemText(i) for i in range(box.count())] == [
        criterion.label for criterion in engine.criteria.criteria_for("number")
    ]
    assert opened.fit_strip.text() == "1 leaf · depth 0 · R² train 0.000, valid 0.000 (not used yet)"


def test_a_preset_is_chosen_in_the_toolbar(qtbot, opened):
    opened.preset.setFocus()
    QTest.keyClick(opened.preset, Qt.Key.Key_Down)
    rest(qtbot, opened)
    assert opened.document.preset == "id3" and opened.criterion.currentText() == "Entropy"
    opened.document.set_criterion("sqrt")
    assert opened.preset.currentIndex() == -1
    rest(qtbot, opened)


def test_stop_is_offered_when_work_takes_long(qtbot, opened, monkeypatch):
    def endless(state, options, progress, **how):
        progress.report(0.25, "Growing: 1,000 leaves")
        while not progress.stopped:
            QTest.qSleep(1)
        return state

    monkeypatch.setattr("gui.tasks.tree_tasks.grown", endless)
    do(opened, "grow_all")
    qtbot.waitUntil(opened.job_status.isVisible)
    assert opened.actions_made["stop"].isEnabled()
    assert opened.job_status.text.text() == "Growing: 1,000 leaves" and opened.job_status.bar.value() == 250
    qtbot.mouseClick(opened.job_status.stop, LEFT)
    rest(qtbot, opened)
    assert not opened.job_status.isVisible() and not opened.actions_made["stop"].isEnabled()
    assert opened.document.tree.n_leaves == 1


@pytest.mark.parametrize(("button", "kept"), [("Keep hand-made splits", True), ("Prune hand-made splits too", False)])
def test_hand_made_splits_are_asked_about(qtbot, opened, button, kept):
    document = opened.document
    document.hand.split_by(0, engine.Split("width", "threshold", (0.2,)))
    document.tree_edits.grow_all()
    rest(qtbot, opened)
    asked = when_asked(press(button), QMessageBox)
    document.cutback.open("cost_complexity")
    rest(qtbot, opened)
    document.cutback.show(len(document.cutback.sequence.steps) - 1)
    rest(qtbot, opened)
    assert len(asked) == 1
    assert bool(document.tree.n_branches[0]) is kept


def test_the_partition_dialog(qtbot, opened):
    asked = when_asked(lambda dialog: dialog.accept(), "partition_dialog")
    do(opened, "partition")
    rest(qtbot, opened)
    assert asked
    assert opened.document.table.partition


# -- saving and leaving


def test_save_and_open_again(qtbot, window, file, tmp_path, make):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    chosen = when_asked(type_path(tmp_path / "mine"), QFileDialog)
    key(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    rest(qtbot, window)
    path = tmp_path / "mine.espalier"
    assert chosen and path.exists()
    assert window.windowTitle() == "mine[*] — Espalier" and not window.isWindowModified()
    assert window.settings.recent[0] == str(path)
    do(window, "split_anywhere")
    rest(qtbot, window)
    do(window, "save")  # no question the second time
    rest(qtbot, window)
    assert not window.isWindowModified()
    window.close()
    again = make()
    again.opening.open(path)
    rest(qtbot, again)
    assert again.document.tree.n_leaves == 3 and not again.isWindowModified()


def test_a_project_whose_table_has_moved(qtbot, window, file, tmp_path):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    window.document.save(tmp_path / "mine.espalier")
    rest(qtbot, window)
    do(window, "close")
    moved = tmp_path / "elsewhere.csv"
    file.rename(moved)
    window.opening.open(tmp_path / "mine.espalier")
    rest(qtbot, window)
    assert window.document.table is None and "flowers.csv" in window.bar.texts[0]
    chosen = when_asked(type_path(moved), QFileDialog)
    press("Choose the file…")(window.bar)
    rest(qtbot, window)
    assert chosen and window.document.tree.n_leaves == 2


@pytest.mark.parametrize(("button", "closed"), [("Cancel", False), ("Discard", True)])
def test_closing_over_unsaved_changes_asks(qtbot, opened, home, button, closed):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    asked = when_asked(press(button), QMessageBox)
    opened.close()
    assert len(asked) == 1
    assert opened.isVisible() is not closed
    if closed:
        assert list((home / "autosave").glob("*.espalier")) == []


def test_save_and_close(qtbot, window, file, tmp_path):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    asked = when_asked(press("Save"), QMessageBox)
    chosen = when_asked(type_path(tmp_path / "mine.espalier"), QFileDialog)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert asked and chosen
    assert (tmp_path / "mine.espalier").exists()


def test_a_save_that_fails_keeps_the_window_open(qtbot, window, file, tmp_path):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    (tmp_path / "folder.espalier").mkdir()
    window.document._path = tmp_path / "folder.espalier"
    asked = when_asked(press("Save"), QMessageBox)
    window.close()
    rest(qtbot, window)
    assert asked and window.isVisible() and window.isWindowModified()
    assert len(window.bar.texts) == 1


def test_opening_over_unsaved_changes_asks(qtbot, opened):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    asked = when_asked(press("Cancel"), QMessageBox)
    opened.opening.example("cats")
    rest(qtbot, opened)
    assert asked and opened.document.name == "flowers"
    asked = when_asked(press("Discard"), QMessageBox)
    opened.opening.example("cats")
    rest(qtbot, opened)
    assert asked and opened.document.name == "Cats"


def test_closing_the_document_shows_the_start_page(qtbot, opened):
    do(opened, "close")
    rest(qtbot, opened)
    assert opened.pages.currentWidget() is opened.start_page
    assert not any(dock.isVisible() for dock in opened.docks.values())


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".html"])
def test_the_picture_is_exported(qtbot, opened, tmp_path, suffix):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    asked = when_asked(press("Export…"), PictureDialog)
    chosen = when_asked(type_path(tmp_path / f"tree{suffix}"), QFileDialog)
    do(opened, "export_picture")
    rest(qtbot, opened)
    assert asked and chosen and (tmp_path / f"tree{suffix}").stat().st_size > 500
    assert opened.settings.value("export_folder") == str(tmp_path)
    assert opened.bar.texts[-1] == f"The picture is in “{tmp_path / f'tree{suffix}'}”."


def test_what_was_written_last_takes_the_place_of_what_was_written_before(qtbot, opened, tmp_path):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    messages.info("Something else.")
    for name, verb in (("one.svg", "export_picture"), ("two.svg", "export_picture"), ("tree.json", "export_tree")):
        if verb == "export_picture":
            when_asked(press("Export…"), PictureDialog)
        when_asked(type_path(tmp_path / name), QFileDialog)
        do(opened, verb)
        rest(qtbot, opened)
    assert opened.bar.texts[-2:] == ["Something else.", f"The tree is in “{tmp_path / 'tree.json'}”."]


def test_the_tree_is_exported_and_opened_again(qtbot, opened, tmp_path):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    chosen = when_asked(type_path(tmp_path / "tree"), QFileDialog)
    do(opened, "export_tree")
    rest(qtbot, opened)
    assert chosen and (tmp_path / "tree.json").exists()
    do(opened, "undo")
    opened.opening.open(tmp_path / "tree.json")
    rest(qtbot, opened)
    assert opened.document.tree.n_leaves == 2


def test_the_rules_are_exported_as_text(qtbot, opened, tmp_path):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    chosen = when_asked(type_path(tmp_path / "rules"), QFileDialog)
    do(opened, "export_rules")
    rest(qtbot, opened)
    assert chosen and (tmp_path / "rules.txt").read_text("utf-8") == "".join(to_rules(opened.document.tree))
    assert opened.bar.texts[-1] == f"The rules are in “{tmp_path / 'rules.txt'}”."


def test_the_columns_are_shown_ready_to_be_looked_for(qtbot, opened):
    assert "…" not in VERBS["columns"].text
    opened.activateWindow()
    opened.canvas.setFocus()
    do(opened, "columns")
    qtbot.waitUntil(lambda: isinstance(opened.focusWidget(), QLineEdit))
    QTest.keyClicks(opened.focusWidget(), "wid")
    view = opened.docks["columns"].findChild(QTableView, "columns_table")
    assert [view.model().index(row, 0).data() for row in range(view.model().rowCount())] == ["width"]


# -- after a crash


def left_copy(home: Path) -> Copy:
    folder = home / "autosave"
    folder.mkdir(exist_ok=True)
    table = engine.read_example("cats")
    from engine import project

    project.save(folder / "left.espalier", table, engine.grow(table), {})
    return Copy(folder / "left.espalier", "cats", None, 0.0)


def test_an_autosaved_copy_is_offered_and_opened(qtbot, window, home):
    copy = left_copy(home)
    application.offer_copies(window, [copy])
    assert window.bar.texts[0].startswith("Espalier ended unexpectedly: open the autosaved copy of “cats” from ")
    press("Open")(window.bar)
    rest(qtbot, window)
    assert window.document.tree.n_leaves > 1 and window.isWindowModified()
    qtbot.waitUntil(lambda: not copy.path.exists())
    assert window.bar.texts == []


def test_an_autosaved_copy_is_discarded(window, home):
    copy = left_copy(home)
    application.offer_copies(window, [copy])
    press("Discard")(window.bar)
    assert not copy.path.exists() and window.document.table is None


# -- layout and looks


def test_the_layout_is_remembered_and_can_be_reset(qtbot, make, flowers):
    first = make()
    first.document.set_table(flowers)
    rest(qtbot, first)
    first.docks["columns"].hide()
    first.resize(1100, 700)
    first.close()
    second = make()
    second.document.set_table(flowers)
    rest(qtbot, second)
    assert not second.docks["columns"].isVisible()
    do(second, "reset_layout")
    assert second.docks["columns"].isVisible()


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800)])
def test_the_canvas_keeps_most_of_the_room(qtbot, opened, size):
    opened.resize(*size)
    do(opened, "reset_layout")
    QApplication.processEvents()
    assert opened.size().toTuple() == size
    canvas = opened.canvas
    assert canvas.width() >= 0.38 * size[0] and canvas.height() >= 0.4 * size[1]
    for name in ("columns", "candidates", "split_editor", "pruning"):
        assert opened.docks[name].isVisible()


def test_the_theme_is_chosen_and_remembered(window):
    window.settings.set("theme", "dark")
    assert theme.current().dark
    window.settings.set("theme", "light")
    assert not theme.current().dark
    window.settings.set("theme", "system")


def test_a_setting_that_was_repaired_is_told(qtbot, home, make):
    (home / "settings.ini").write_text("[General]\ntheme=pink\n", encoding="utf-8")
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


# -- words and names


def test_every_action_explains_itself(window):
    for name in VERBS:
        action = window.actions_made[name]
        assert action.objectName() == f"action_{name}"
        assert len(action.statusTip()) > 10 and action.toolTip().startswith(action.statusTip())


def test_no_key_is_taken_twice(window):
    keys = [each.toString() for verb in VERBS.values() for each in keys_of(verb)]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+O", "Ctrl+S", "Ctrl+Z", "Ctrl+Q", "Ctrl+W", "F1", "S", "G", "P", "Del"} <= set(keys)


def test_every_verb_is_in_one_menu(window):
    listed = [*MENUS.values(), *(inside for _, inside in SUBMENUS.values())]
    named = [name for names in listed for name in names if name and not name.endswith(">")]
    assert sorted(named) == sorted(VERBS)


def test_no_letter_is_marked_twice_in_a_menu(window):
    tops = [top.menu() for top in window.menuBar().actions()]
    for menu in [*tops, *(action.menu() for top in tops for action in top.actions() if action.menu())]:
        letters = [action.text().split("&")[1][0].lower() for action in menu.actions() if "&" in action.text()]
        assert len(letters) == len(set(letters)), (menu.title(), letters)


def test_every_entry_of_the_tree_menu_has_a_letter(window):
    tree = next(top.menu() for top in window.menuBar().actions() if top.text() == "&Tree")
    assert [action.text() for action in tree.actions() if action.text() and "&" not in action.text()] == []


@pytest.mark.parametrize(
    ("uses", "words"),
    [(0, "(not used yet)"), (1, "(used once)"), (23, "(used 23 times)"), (1200, "(used 1,200 times)")],
)
def test_the_fit_strip_says_how_worn_the_validation_rows_are(flowers, uses, words):
    tree = engine.Tree.root(flowers)
    assert fit_words(tree, uses) == f"1 leaf · depth 0 · error: train 66.7 %, valid 66.7 % {words}"


# -- the program


PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui import application

def act():
    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "window")
    if window.document.table is None or window.document.jobs.busy:
        QTimer.singleShot(20, act)
    else:
        texts = [text for text in window.bar.texts if text != application.FIRST_START]
        print(window.document.name, window.start_page.isVisible(), texts)
        window.close()

QTimer.singleShot(0, act)
print(application.run(sys.argv[1], "kind"))
"""


def test_the_program_opens_its_argument_and_ends_with_its_window(home, file):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, file], cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == ["flowers False []", "0"], done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in home.iterdir()) == ["espalier.log", "fatal.log", "settings.ini"]


def test_the_program_warms_up_and_ends(qtbot):
    warm = application.WarmUp()
    warm.start()
    qtbot.waitUntil(warm.end, timeout=120_000)


def test_a_program_that_ends_before_it_began_to_warm_up():
    assert application.WarmUp().end()


def test_what_old_versions_compiled_goes_when_it_is_warm(qtbot, monkeypatch):
    done = []
    monkeypatch.setattr("engine.warm_up", lambda stopped: done.append("warm"))
    monkeypatch.setattr("engine.kernels.remove_old_caches", lambda: done.append("old ones removed"))
    warm = application.WarmUp()
    warm.start()
    qtbot.waitUntil(lambda: done == ["warm", "old ones removed"])
    assert warm.end()


def test_a_copy_that_was_not_opened_after_all_stays(qtbot, opened, home):
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    copy = left_copy(home)
    application.offer_copies(opened, [copy])
    asked = when_asked(press("Cancel"), QMessageBox)
    press("Open")(opened.bar)
    assert asked
    do(opened, "split_anywhere")
    rest(qtbot, opened)
    opened.autosave.forget()
    assert copy.path.exists()


def test_growing_is_asked_about_and_done(qtbot, opened, monkeypatch):
    def agree(dialog):
        dialog.form.rows["max_leaves"].chosen.emit("max_leaves", 3)
        return GrowDialog.DialogCode.Accepted

    monkeypatch.setattr(GrowDialog, "exec", agree)
    assert [key.toString() for key in opened.actions_made["grow"].shortcuts()] == ["Ctrl+G"]
    do(opened, "grow")
    rest(qtbot, opened)
    assert opened.document.tree.n_leaves == 3 and opened.document.search == {}


def test_the_search_settings_come_to_the_front_and_the_toolbar_follows_them(qtbot, opened):
    panel = opened.docks["search"].widget()
    assert panel.visibleRegion().isEmpty()
    do(opened, "search")
    qtbot.waitUntil(lambda: not panel.visibleRegion().isEmpty() and panel.form.rows["criterion"].control.count() > 0)
    assert opened.document.search == {}  # nothing but coming into sight
    QTest.keyClick(panel.form.rows["criterion"].control, Qt.Key.Key_Down)
    assert opened.criterion.currentText() == "Entropy" and opened.preset.currentIndex() == -1
    opened.criterion.setFocus()
    QTest.keyClick(opened.criterion, Qt.Key.Key_Up)
    assert panel.form.rows["criterion"].control.currentText() == "Gini"
    rest(qtbot, opened)


def test_a_limit_that_is_still_being_typed_holds_for_go(qtbot, opened):
    do(opened, "search")
    form = opened.docks["search"].widget().form
    form.sections[3].open(True)
    line = form.rows["max_leaves"].control.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "3")
    QTest.mouseClick(opened.toolbar.widgetForAction(opened.actions_made["go"]), Qt.MouseButton.LeftButton)
    rest(qtbot, opened)
    assert opened.document.cutback.sequence.full.n_leaves == 3 and opened.document.search == {"max_leaves": 3}


def test_a_criterion_that_is_refused_does_not_stay_in_the_toolbar(qtbot, opened):
    numeric = next(column.name for column in opened.document.table.columns if column.kind == "number")
    opened.document.table_edits.set_target(numeric)
    rest(qtbot, opened)
    opened.document.set_search(m_of_n=True)
    rest(qtbot, opened)
    opened.criterion.setFocus()
    QTest.keyClick(opened.criterion, Qt.Key.Key_Down)
    assert opened.document.criterion == "squared_error" and opened.criterion.currentText() == "Squared error"
    assert any("cannot go with Absolute error" in text for text in opened.bar.texts)


def test_rules_behind_another_tab_are_not_made(qtbot, opened):
    panel = opened.docks["rules"].widget()
    assert panel.isVisible() and panel.visibleRegion().isEmpty()
    do(opened, "go")
    rest(qtbot, opened)
    assert panel.model.tree is None
    opened.show_panel("rules")
    qtbot.waitUntil(lambda: panel.model.tree is opened.document.tree)
    opened.show_panel("node")
    do(opened, "undo")
    do(opened, "redo")
    qtbot.waitUntil(lambda: panel.model.tree is not opened.document.tree)
    opened.show_panel("rules")
    qtbot.waitUntil(lambda: panel.model.tree is opened.document.tree)
    opened.reset_layout()
    opened.show_panel("rules")
    qtbot.waitUntil(lambda: panel.model.tree is opened.document.tree)
    opened.docks["rules"].setFloating(True)
    qtbot.waitUntil(lambda: panel.model.tree is opened.document.tree)
    opened.docks["rules"].setFloating(False)
