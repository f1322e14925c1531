"""A report from the window: its sections and introduction, its preview, what is written; and the script of a tree."""

import re

import pypdfium2
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFileDialog, QPlainTextEdit

import engine
from engine.scripting.writing import same_tree
from tests.gui.acting import do, rest, type_path
from tests.gui.asked import when_asked
from tests.gui.dialogs.asking_for_reports import reported
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


def tick(name):
    def act(dialog, page):
        box = dialog.findChild(QCheckBox, f"report_{name}")
        QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))

    return act


def introduce(qtbot, text):
    def act(dialog, page):
        field = dialog.findChild(QPlainTextEdit, "report_introduction")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        qtbot.waitUntil(lambda: text in page.toPlainText())

    return act


def test_sections_are_ticked_and_the_page_is_what_was_previewed(qtbot, full, tmp_path):
    document = full.document
    do(full, "split_anywhere")
    rest(qtbot, full)
    document.hand.mark(0, note="The board asked for <this> first.")
    rest(qtbot, full)
    said = reported(qtbot, full, tmp_path / "report.html", tick("versions"), introduce(qtbot, "To the <board>"))
    assert "The board asked for <this> first." in said and "Versions" not in said and "To the <board>" in said
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "To the &lt;board&gt;" in page and "<h2>Versions</h2>" not in page and "<h2>The rules</h2>" in page
    again = reported(qtbot, full, tmp_path / "report.pdf")  # as it was the last time
    assert "Versions" not in again and "To the <board>" in again
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as pdf:
        text, last = "".join(one.get_textpage().get_text_range() for one in pdf), f"{len(pdf)} / {len(pdf)}"
    assert "The board asked for <this> first." in text and "1 / " in text and last in text
    reported(qtbot, full, tmp_path / "other.html", tick("versions"))


def test_a_report_of_a_pruned_tree_has_its_chart(qtbot, full, tmp_path):
    do(full, "grow_all")
    rest(qtbot, full)
    full.document.cutback.prune("reduced_error")
    rest(qtbot, full)
    said = reported(qtbot, full, tmp_path / "report.html")
    leaves = full.document.tree.n_leaves
    assert f"this report is about the one with {leaves} leaves." in said
    assert (tmp_path / "report.html").read_text(encoding="utf-8").count("<img") == 2


@pytest.mark.parametrize(("library", "suffix"), [("docx", "docx"), ("pptx", "pptx")])
def test_a_word_document_and_a_slide(qtbot, full, tmp_path, library, suffix):
    pytest.importorskip(library)
    do(full, "split_anywhere")
    rest(qtbot, full)
    reported(qtbot, full, tmp_path / f"report.{suffix}")
    assert (tmp_path / f"report.{suffix}").read_bytes().startswith(b"PK")


def test_rows_that_are_kept_for_the_test_tell_nothing(qtbot, window, tmp_path):
    window.document.set_table(flower_table().with_partition(validation=0.2, test=0.2))
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    said = reported(qtbot, window, tmp_path / "report.html")
    assert "are kept for the last test" in said and "Test rows by class" not in said


def made_by(text):
    """The tree that a script makes."""
    names = {}
    exec(compile(text, "script.py", "exec"), names)
    return names["tree"]


@pytest.fixture
def opened(qtbot, window, tmp_path):
    """A window with flowers from a file."""
    flower_table().to_frame().to_csv(tmp_path / "flowers.csv", index=False)
    table = engine.read_table(tmp_path / "flowers.csv", target="kind").with_partition(validation=0.3)
    window.document.set_table(table)
    rest(qtbot, window)
    return window


def copied(qtbot, window):
    do(window, "copy_script")
    rest(qtbot, window)
    text = QGuiApplication.clipboard().text()
    assert f"a script of {text.count(chr(10))} lines" in window.bar.texts[-1]
    return text


def test_the_script_repeats_what_was_done(qtbot, opened, tmp_path):
    document = opened.document
    for verb in ("split_anywhere", "grow_level"):
        do(opened, verb)
        rest(qtbot, opened)
    document.hand.mark(0, note='It\'s "so".')
    document.edits.afterwards(lambda: None)
    rest(qtbot, opened)
    do(opened, "grow_all")
    rest(qtbot, opened)
    document.undo()
    do(opened, "grow_all")
    rest(qtbot, opened)
    document.cutback.prune("cost_complexity")
    rest(qtbot, opened)
    text = copied(qtbot, opened)
    assert "one by one" not in text and "engine.grow(" in text and "engine.prune(" in text and "note=" in text
    assert same_tree(made_by(text), document.tree)
    chosen = when_asked(type_path(tmp_path / "tree.py"), QFileDialog)
    do(opened, "export_script")
    rest(qtbot, opened)
    assert chosen and (tmp_path / "tree.py").read_text(encoding="utf-8") == text


def test_a_pruning_of_an_earlier_tree_begins_with_that(qtbot, opened):
    document = opened.document
    do(opened, "grow_all")
    rest(qtbot, opened)
    document.cutback.prune("cost_complexity")
    rest(qtbot, opened)
    document.cutback.show(len(document.cutback.sequence.steps) - 2)
    rest(qtbot, opened)
    text = copied(qtbot, opened)
    assert "one by one" not in text and re.search(r"pruning\.tree\(\d+\)", text)
    assert same_tree(made_by(text), document.tree)


def test_go_with_validation_rows_is_one_call(qtbot, opened):
    document = opened.document
    do(opened, "go")
    rest(qtbot, opened)
    text = copied(qtbot, opened)
    assert "one by one" not in text and "engine.grow_while_improving(table, tree" in text and "validation=0.3" in text
    assert same_tree(made_by(text), document.tree)
    sequence = document.cutback.sequence
    other = next(k for k in range(1, len(sequence.steps) - 1) if k != sequence.chosen)
    document.cutback.show(other)
    rest(qtbot, opened)
    text = copied(qtbot, opened)
    assert "one by one" not in text and f"pruning.tree({other})" in text
    assert same_tree(made_by(text), document.tree)
    document.cutback.show(0)
    rest(qtbot, opened)
    text = copied(qtbot, opened)
    assert "one by one" not in text and same_tree(made_by(text), document.tree)


def test_regrown_pasted_cut_and_opened_trees_are_calls(qtbot, opened, tmp_path):
    document = opened.document

    def repeated():
        rest(qtbot, opened)
        text = copied(qtbot, opened)
        assert "one by one" not in text and same_tree(made_by(text), document.tree)
        return text

    do(opened, "grow_level")
    rest(qtbot, opened)
    other = next(one.split for one in document.candidates if one.split not in (None, document.tree.split_at(0)))
    document.hand.replace_split(0, other, "regrow")
    text = repeated()
    assert "tree.replace_split(table, 0" in text and "engine.grow(table, tree=tree, node=0" in text
    document.hand.prune_weakest()
    assert "tree.collapse(" in repeated()
    document.hand.ask_below = lambda tree, node, by: "drop"
    document.hand.split_by_column(0, document.candidates[0].column)
    assert "replace_split(" in repeated()
    document.hand.collapse(0)
    document.hand.split_by(0, engine.Split("length", "threshold", (7.6,)))
    rest(qtbot, opened)
    first, second = (int(document.tree.ids[k]) for k in document.tree.children(0))
    document.hand.split_by(second, engine.Split("width", "threshold", (5.1,)))
    rest(qtbot, opened)
    document.hand.copy(second)
    rest(qtbot, opened)
    before = document.tree
    document.hand.paste(first)
    text = repeated()
    assert document.tree is not before and "tree.paste(table, 1, tree.subtree(2))" in text
    engine.write_tree(engine.grow(document.table, max_depth=2), tmp_path / "tree.json")
    document.table_edits.open_tree(tmp_path / "tree.json")
    rest(qtbot, opened)
    text = repeated()
    assert "engine.read_tree(" in text and "replace_split" not in text


def test_words_at_the_beginning_alone_are_something_to_save(qtbot, opened, tmp_path):
    document, path = opened.document, tmp_path / "flowers.espalier"
    document.storage.save(path)
    rest(qtbot, opened)
    assert not document.modified
    reported(qtbot, opened, tmp_path / "report.html", introduce(qtbot, "For the board"))
    assert document.modified and opened.isWindowModified()
    document.storage.save(path)
    rest(qtbot, opened)
    assert not document.modified
    reported(qtbot, opened, tmp_path / "again.html")  # the same words are no change
    assert not document.modified
    document.storage.load(path)
    rest(qtbot, opened)
    assert document.introduction == "For the board"


def test_where_steps_are_not_known_the_splits_follow(qtbot, opened):
    document = opened.document
    do(opened, "grow_level")
    rest(qtbot, opened)
    document.tree_edits.take_tree(engine.grow(document.table, max_depth=2), "Taken")
    rest(qtbot, opened)
    text = copied(qtbot, opened)
    assert "its splits follow one by one." in text and same_tree(made_by(text), document.tree)
