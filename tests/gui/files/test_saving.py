"""Saving, leaving, what is written, and what a crash leaves."""

import base64
import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTableView,
    QWidget,
)

import engine
from engine.formats import PICTURES, PROJECT, rules_text
from engine.readers import SUFFIXES
from gui import application, messages
from gui.dialogs.picture_dialog import KINDS, PictureDialog
from gui.files import opening
from gui.files.autosave import Copy
from gui.verbs.declared import VERBS
from tests.gui.acting import do, key, rest, type_path
from tests.gui.asked import press, when_asked
from tests.gui.dialogs.asking_for_reports import reported

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def own(qtbot, window, flowers):
    """A window that no other test gets, with the flowers in it: to be closed, and to write copies."""
    window.document.set_table(flowers)
    rest(qtbot, window)
    return window


def take_as_guessed(qtbot) -> Callable[[QWidget], None]:
    """Opens the table of an import dialog as soon as that is offered: a click before would be lost."""

    def act(dialog: QWidget) -> None:
        button = dialog.findChild(QPushButton, "open_table_button")
        qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=60_000)
        qtbot.mouseClick(button, LEFT)

    return act


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
    window.document.storage.save(tmp_path / "mine.espalier")
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
def test_closing_over_unsaved_changes_asks(qtbot, own, home, button, closed):
    do(own, "split_anywhere")
    rest(qtbot, own)
    asked = when_asked(press(button), QMessageBox)
    own.close()
    assert len(asked) == 1
    assert own.isVisible() is not closed
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
    window.document.path = tmp_path / "folder.espalier"
    asked = when_asked(press("Save"), QMessageBox)
    window.close()
    rest(qtbot, window)
    assert asked and window.isVisible() and window.isWindowModified()
    assert len(window.bar.texts) == 1


def test_opening_over_unsaved_changes_asks(qtbot, full):
    do(full, "split_anywhere")
    rest(qtbot, full)
    asked = when_asked(press("Cancel"), QMessageBox)
    full.opening.example("cats")
    rest(qtbot, full)
    assert asked and full.document.name == "flowers"
    asked = when_asked(press("Discard"), QMessageBox)
    full.opening.example("cats")
    rest(qtbot, full)
    assert asked and full.document.name == "Cats"


def test_closing_the_document_shows_the_start_page(qtbot, full):
    do(full, "close")
    rest(qtbot, full)
    assert full.pages.currentWidget() is full.start_page
    assert not any(panel.isVisible() for panel in full.panels.values())


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".html"])
def test_the_picture_is_exported(qtbot, full, tmp_path, suffix):
    do(full, "split_anywhere")
    rest(qtbot, full)
    asked = when_asked(press("Export…"), PictureDialog)
    chosen = when_asked(type_path(tmp_path / f"tree{suffix}"), QFileDialog)
    do(full, "export_picture")
    rest(qtbot, full)
    assert asked and chosen and (tmp_path / f"tree{suffix}").stat().st_size > 500
    assert full.settings.value("export_folder") == str(tmp_path)
    assert full.bar.texts[-1] == f"The picture is in “{tmp_path / f'tree{suffix}'}”."


def test_what_was_written_last_takes_the_place_of_what_was_written_before(qtbot, full, tmp_path):
    do(full, "split_anywhere")
    rest(qtbot, full)
    messages.info("Something else.")
    for name, verb in (("one.svg", "export_picture"), ("two.svg", "export_picture"), ("tree.json", "export_tree")):
        if verb == "export_picture":
            when_asked(press("Export…"), PictureDialog)
        when_asked(type_path(tmp_path / name), QFileDialog)
        do(full, verb)
        rest(qtbot, full)
    assert full.bar.texts == [f"The tree is in “{tmp_path / 'tree.json'}”."]


def test_the_tree_is_exported_and_opened_again(qtbot, full, tmp_path):
    do(full, "split_anywhere")
    rest(qtbot, full)
    chosen = when_asked(type_path(tmp_path / "tree"), QFileDialog)
    do(full, "export_tree")
    rest(qtbot, full)
    assert chosen and (tmp_path / "tree.json").exists()
    do(full, "undo")
    full.opening.open(tmp_path / "tree.json")
    rest(qtbot, full)
    assert full.document.tree.n_leaves == 2


def test_the_rules_are_exported_as_text(qtbot, full, tmp_path):
    do(full, "split_anywhere")
    rest(qtbot, full)
    chosen = when_asked(type_path(tmp_path / "rules"), QFileDialog)
    do(full, "export_rules")
    rest(qtbot, full)
    assert chosen and (tmp_path / "rules.txt").read_text("utf-8") == "".join(
        rules_text.write(full.document.tree, full.document.table)
    )
    assert full.bar.texts[-1] == f"The rules are in “{tmp_path / 'rules.txt'}”."


def test_the_printout_is_exported(qtbot, full, tmp_path):
    do(full, "split_anywhere")
    full.show_panel("printout")
    rest(qtbot, full)
    chosen = when_asked(type_path(tmp_path / "tree"), QFileDialog)
    qtbot.mouseClick(full.panels["printout"].export, LEFT)
    rest(qtbot, full)
    assert chosen and (tmp_path / "tree.j48").read_text("utf-8") == engine.printout(full.document.tree, "j48")


@pytest.mark.parametrize("by_menu", [True, False])
def test_the_leaf_report_is_exported_as_a_table(qtbot, full, tmp_path, by_menu):
    do(full, "split_anywhere")
    rest(qtbot, full)
    seen = []

    def answer(dialog):
        seen.append((dialog.windowTitle(), Path(dialog.selectedFiles()[0]).name))
        return type_path(tmp_path / "leaves")(dialog)

    chosen = when_asked(answer, QFileDialog)
    if by_menu:
        do(full, "export_leaves")
    else:
        full.show_panel("leaves")
        rest(qtbot, full)
        qtbot.mouseClick(full.panels["leaves"].export, LEFT)
    rest(qtbot, full)
    lines = (tmp_path / "leaves.csv").read_text("utf-8").splitlines()
    assert chosen and lines[0].startswith("node,rule,prediction,probability,rows,share,") and len(lines) == 3
    name = full.document.name
    assert seen == [("Export leaves", f"{name} leaves.csv") if by_menu else ("Export table", f"{name} figures.csv")]
    assert full.bar.texts[-1] == f"The table is in “{tmp_path / 'leaves.csv'}”."


def test_a_script_is_a_module_of_another_name_than_the_table(qtbot, full, tmp_path):
    do(full, "split_anywhere")
    rest(qtbot, full)
    seen = []

    def answer(dialog):
        seen.append(Path(dialog.selectedFiles()[0]).name)
        return type_path(tmp_path / "mine")(dialog)

    chosen = when_asked(answer, QFileDialog)
    do(full, "export_script")
    rest(qtbot, full)
    assert chosen and seen == [f"{full.document.name}_tree.py"]


def test_the_columns_are_shown_ready_to_be_looked_for(qtbot, full):
    assert "…" not in VERBS["columns"].text
    full.activateWindow()
    full.canvas.setFocus()
    do(full, "columns")
    qtbot.waitUntil(lambda: isinstance(full.focusWidget(), QLineEdit))
    QTest.keyClicks(full.focusWidget(), "wid")
    view = full.panels["columns"].findChild(QTableView, "columns_table")
    assert [view.model().index(row, 0).data() for row in range(view.model().rowCount())] == ["width"]


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


def test_a_copy_that_was_not_opened_after_all_stays(qtbot, own, home):
    do(own, "split_anywhere")
    rest(qtbot, own)
    copy = left_copy(home)
    application.offer_copies(own, [copy])
    asked = when_asked(press("Cancel"), QMessageBox)
    press("Open")(own.bar)
    assert asked
    do(own, "split_anywhere")
    rest(qtbot, own)
    own.autosave.forget()
    assert copy.path.exists()


def test_json_keeps_how_worn_the_validation_rows_are(qtbot, window, flowers, tmp_path):
    window.document.set_table(flowers)
    rest(qtbot, window)
    do(window, "go")
    rest(qtbot, window)
    chosen = when_asked(type_path(tmp_path / "tree.json"), QFileDialog)
    do(window, "export_tree")
    rest(qtbot, window)
    trees = len(window.document.cutback.sequence.steps)
    assert chosen and window.document.edits.validation_trees == trees > 1
    window.document.set_table(flowers)
    rest(qtbot, window)
    assert window.document.edits.validation_trees == 0
    window.opening.open(tmp_path / "tree.json")
    rest(qtbot, window)
    assert window.document.tree.n_leaves > 1 and window.document.edits.validation_trees == trees + 1


def test_saving_says_so_in_the_status_bar(qtbot, window, file, tmp_path):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    chosen = when_asked(type_path(tmp_path / "mine"), QFileDialog)
    do(window, "save")
    rest(qtbot, window)
    assert chosen and window.statusBar().currentMessage() == "Saved mine.espalier"


def test_another_project_says_nothing_of_the_node_that_was_pointed_at(qtbot, window, file, tmp_path):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    do(window, "grow_all")
    rest(qtbot, window)
    window.document.storage.save(tmp_path / "mine.espalier")
    rest(qtbot, window)
    window.document.look.set(pointed=int(window.document.tree.ids[-1]))
    assert window.rule.text()
    window.opening.open(tmp_path / "mine.espalier")
    rest(qtbot, window)
    assert window.rule.text() == "" and window.document.look.pointed == -1


def test_formats_are_named_in_one_place():
    """The dialogs offer what the readers and the writers know."""
    offered = opening.filters().split(";;")
    for suffix in SUFFIXES:
        assert f"*{suffix}" in offered[0] and f"*{suffix}" in offered[1]
    assert f"*{PROJECT}" in offered[0] and list(KINDS) == list(PICTURES)


def test_a_report_holds_the_steps_the_picture_and_no_test_rows_unasked(qtbot, full, tmp_path):
    full.document.table_edits.set_partition(validation=0.2, test=0.2)
    do(full, "split_anywhere")
    rest(qtbot, full)
    do(full, "split_anywhere")
    rest(qtbot, full)
    full.document.undo()
    rest(qtbot, full)
    reported(qtbot, full, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    steps = full.document.history.steps
    assert "data:image/svg+xml;base64," in page and all(escape(step.text) in page for step in steps[:3])
    assert len(steps) == 4
    reported(qtbot, full, tmp_path / "report.json")
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [part["part"] for part in found["assessment"]] == ["train", "validation"]
    assert found["tree"]["made"] == [step.text for step in steps[:3]]
    assert found["tree"]["focus"] == full.document.tree.classes[full.document.focus_class]
    full.document.look_at_test()
    rest(qtbot, full)
    reported(qtbot, full, tmp_path / "again.json")
    found = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert [part["part"] for part in found["assessment"]] == ["train", "validation", "test"]
    assert found["tree"]["test_looks"] == 1
    reported(qtbot, full, tmp_path / "leaves.csv")
    assert len((tmp_path / "leaves.csv").read_text(encoding="utf-8").splitlines()) == full.document.tree.n_leaves + 1


def test_a_step_of_a_replay_is_handed_out_on_one_page(qtbot, full, tmp_path):
    document = full.document
    do(full, "grow_level")
    rest(qtbot, full)
    do(full, "grow_level")
    rest(qtbot, full)
    replay = full.show_panel("replay")
    document.replaying.start("reduced_error")
    rest(qtbot, full)
    QTest.mouseClick(replay.buttons["forward"], Qt.MouseButton.LeftButton)
    rest(qtbot, full)
    told = document.replaying.seen[1]
    for name in ("step.html", "step.pdf"):
        chosen = when_asked(type_path(tmp_path / name), QFileDialog)
        QTest.mouseClick(replay.hand_out, Qt.MouseButton.LeftButton)
        rest(qtbot, full)
        assert chosen and str(tmp_path / name) in full.bar.texts[-1]
    page = (tmp_path / "step.html").read_text(encoding="utf-8")
    picture = base64.b64decode(re.search('svg[+]xml;base64,([^"]*)', page).group(1)).decode()
    assert escape(told.sentence) in page and all(text in picture for node, text in told.notes if node)
    with pypdfium2.PdfDocument(tmp_path / "step.pdf") as pdf:
        assert len(pdf) == 1
        assert f"step 2 of {document.replaying.n_steps}" in pdf[0].get_textpage().get_text_range()


def test_a_node_is_handed_out_as_a_page_and_as_a_pdf(qtbot, full, tmp_path):
    document = full.document
    do(full, "split_anywhere")
    rest(qtbot, full)
    document.cutback.prune("reduced_error")
    rest(qtbot, full)
    document.undo()
    rest(qtbot, full)
    for name in ("node.html", "node.pdf"):
        chosen = when_asked(type_path(tmp_path / name), QFileDialog)
        do(full, "hand_out")
        rest(qtbot, full)
        assert chosen and str(tmp_path / name) in full.bar.texts[-1]
    page = (tmp_path / "node.html").read_text(encoding="utf-8")
    assert "data:image/svg+xml;base64," in page and "LogWorth" in page
    with pypdfium2.PdfDocument(tmp_path / "node.pdf") as pdf:
        width, height = pdf[0].get_size()
        text = "".join(one.get_textpage().get_text_range() for one in pdf)
    assert (round(width), round(height)) == (595, 842)  # A4
    assert "LogWorth" in text and "Validation gain" in text
