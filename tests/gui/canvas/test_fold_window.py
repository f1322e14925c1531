"""Folding in the window: by keys and the menu, with the other panels, and what exports show of it."""

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QMenu, QPushButton, QRadioButton, QSpinBox

from gui import theme
from gui.dialogs.asking import FoldDialog
from gui.dialogs.picture_dialog import PictureDialog
from gui.picture.folds import Folds
from tests.gui.acting import do, key, rest
from tests.gui.asked import when_asked
from tests.gui.canvas.trees import texts_of
from tests.gui.canvas.web_pages import BEGIN, data_of
from tests.gui.dialogs.asking_for_pictures import ask, click, export, pick, said

SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(qtbot, grown):
    grown.activateWindow()
    qtbot.waitUntil(grown.isActiveWindow)
    grown.canvas.setFocus()
    return grown


def shown_ids(opened):
    scene = opened.canvas.port.scene
    return set(scene.tree.ids[scene.folded.shown].tolist()) if scene.folded is not None else set(scene.tree.ids)


def below(tree, node):
    i = tree.position(node)
    return set(tree.ids[i + 1 : tree.end[i]].tolist())


def test_f_folds_the_selected_node_and_shift_f_unfolds_all(qtbot, opened):
    document, tree = opened.document, opened.document.tree
    every, node, steps = set(tree.ids.tolist()), document.selected, document.history.stack.count()
    key(opened, Qt.Key.Key_F)
    assert shown_ids(opened) == every - below(tree, node)
    assert opened.actions_made.made["fold"].isChecked()
    assert "hidden below this node" in opened.statusBar().currentMessage()
    assert document.tree is tree and document.history.stack.count() == steps
    key(opened, Qt.Key.Key_F)
    assert shown_ids(opened) == every and not opened.actions_made.made["fold"].isChecked()
    key(opened, Qt.Key.Key_F)
    key(opened, Qt.Key.Key_F, SHIFT)
    assert shown_ids(opened) == every


def test_d_shows_one_level_more_and_shift_d_one_fewer(opened):
    document, tree = opened.document, opened.document.tree
    key(opened, Qt.Key.Key_D, SHIFT)
    assert document.look.folds == Folds(depth=tree.depth - 1)
    assert opened.statusBar().currentMessage() == f"Levels shown: {tree.depth - 1} of {tree.depth}"
    assert opened.actions_made.made["fewer_levels"].isEnabled() == (tree.depth > 2)
    key(opened, Qt.Key.Key_D)
    assert document.look.folds == Folds()
    assert not opened.actions_made.made["more_levels"].isEnabled()
    assert "All levels are shown" in opened.actions_made.made["more_levels"].toolTip()


def test_what_cannot_be_folded_says_why(opened):
    tree = opened.document.tree
    assert opened.actions_made.made["unfold_all"].toolTip() == "Nothing is folded."
    opened.document.select(int(tree.ids[tree.leaves[0]]))
    assert "is a leaf" in opened.actions_made.made["fold"].toolTip()


def test_the_context_menu_folds(qtbot, opened):
    document = opened.document
    opened.canvas.contextMenuRequested.emit(document.selected, opened.canvas.mapToGlobal(opened.rect().center()))
    menu = opened.findChild(QMenu, "node_menu")
    inside = next(action.menu() for action in menu.actions() if action.text() == "&Fold branches")
    assert inside.actions()[0].text() == "Fol&d"
    inside.actions()[0].trigger()
    menu.close()
    assert document.look.folds.folded == {document.selected}


def test_branches_below_a_number_of_rows_are_folded(qtbot, opened):
    tree = opened.document.tree
    inner = np.flatnonzero(tree.n_branches)
    least = int(np.sort(tree.rows_train[inner])[0]) + 1

    def act(dialog):
        field = dialog.findChild(QSpinBox, "fold_rows")
        field.selectAll()
        QTest.keyClicks(field, str(least))
        outcome = dialog.findChild(QLabel, "fold_outcome").text()
        assert re.fullmatch(r"Folded: \d+ (leaf|leaves) hidden", outcome)
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    asked = when_asked(act, FoldDialog)
    do(opened, "fold_small")
    assert asked
    closed = {int(tree.ids[i]) for i in inner if tree.rows_train[i] < least}
    hidden = set().union(*(below(tree, node) for node in closed))
    assert shown_ids(opened) == set(tree.ids.tolist()) - hidden
    assert f"Branches below {least} rows are folded" in opened.canvas.findChild(QLabel, "fold_said").text()


def test_everything_but_the_canvas_keeps_the_whole_tree(qtbot, opened):
    document, tree = opened.document, opened.document.tree
    document.select(0)
    key(opened, Qt.Key.Key_F)
    rest(qtbot, opened)
    assert shown_ids(opened) == {0}
    assert document.tree is tree
    assert f"{tree.n_leaves} leaves" in opened.fit_strip.text()
    deep = int(tree.ids[int(np.argmax(tree.level))])
    document.select(deep)
    rest(qtbot, opened)
    assert deep in shown_ids(opened)


def test_growing_on_keeps_the_folds(qtbot, opened):
    document = opened.document
    key(opened, Qt.Key.Key_F)
    folded = document.selected
    document.select(0)
    do(opened, "grow_level")
    rest(qtbot, opened)
    assert folded in shown_ids(opened) and not below(document.tree, folded) & shown_ids(opened)
    document.undo()
    rest(qtbot, opened)
    assert not below(document.tree, folded) & shown_ids(opened)


def test_another_table_begins_unfolded(qtbot, opened, xor):
    key(opened, Qt.Key.Key_F)
    assert opened.document.look.folds
    opened.document.set_table(xor)
    rest(qtbot, opened)
    assert not opened.document.look.folds


# -- exports


def test_nobody_is_asked_about_folds_where_nothing_is_folded(qtbot, opened, tmp_path):
    def act(dialog):
        assert not dialog.findChild(QCheckBox, "picture_folded").isVisible()
        pick(dialog, "picture_kind", "SVG")

    export(qtbot, opened, tmp_path / "tree.svg", act)


def texts_in(path):
    return [text for *_, text in texts_of(path.read_text("utf-8"))]


def test_a_picture_shows_the_whole_tree_or_what_is_folded_as_wished(qtbot, opened, tmp_path):
    tree, node = opened.document.tree, opened.document.selected
    hidden = {tree.branch_words(tree.position(each)) for each in below(tree, node)}
    key(opened, Qt.Key.Key_F)

    def whole(dialog):
        pick(dialog, "picture_kind", "SVG")

    assert hidden <= set(texts_in(export(qtbot, opened, tmp_path / "whole.svg", whole)))

    def folded(dialog):
        before = said(dialog)
        click(dialog, QCheckBox, "picture_folded")
        assert said(dialog) != before

    texts = texts_in(export(qtbot, opened, tmp_path / "folded.svg", folded))
    shown = {tree.branch_words(tree.position(each)) for each in shown_ids(opened)}
    assert not (hidden - shown) & set(texts)
    assert any(re.fullmatch(r"\+ \d+ leaves", text) for text in texts)

    def remembered(dialog):
        assert dialog.findChild(QCheckBox, "picture_folded").isChecked()
        click(dialog, QRadioButton, "picture_view")
        assert not dialog.findChild(QCheckBox, "picture_folded").isEnabled()
        QTest.mouseClick(dialog.findChild(QPushButton, "copy_button"), LEFT)

    asked = when_asked(remembered, PictureDialog)
    ask(qtbot, opened)
    assert asked


def test_a_page_begins_folded_if_wished(qtbot, opened, tmp_path, script):
    tree, node = opened.document.tree, opened.document.selected
    key(opened, Qt.Key.Key_F)

    def page(dialog):
        pick(dialog, "picture_kind", "Page")
        if dialog.findChild(QCheckBox, "picture_folded").isChecked() != wished:
            click(dialog, QCheckBox, "picture_folded")

    for wished in (False, True):
        path = export(qtbot, opened, tmp_path / f"tree{wished}.html", page)
        data = data_of(path.read_text("utf-8"))
        assert data["folded"] == [tree.position(node)] * wished
        shown = script(f"{BEGIN} return JSON.stringify(shownNodes(tree));", data)
        assert (set(tree.ids[shown].tolist()) == shown_ids(opened)) == wished


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
@pytest.mark.parametrize("kind", ["cards", "streams"])
def test_scenes_for_exports_are_folded_or_whole(opened, kind, look):
    opened.document.look.set(kind=kind)
    key(opened, Qt.Key.Key_F)
    assert opened.canvas.stage.scene_in(look).folded is not None
    assert opened.canvas.stage.scene_in(look, folded=False).folded is None
