"""The dialog that takes the tree away as a picture, by mouse and keys."""

import json
import re

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QRadioButton, QSpinBox

from gui import theme
from gui.dialogs.picture_dialog import PictureDialog
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import Letters
from gui.picture.paper.picture import MOST_COPIED, handy, planned
from gui.picture.paper.sheet import View, Wish
from gui.widgets.labels import Notice
from gui.window.bars import fit_words
from tests.gui.acting import key, rest
from tests.gui.asked import when_asked
from tests.gui.canvas.trees import random_tree, texts_of
from tests.gui.dialogs.asking_for_pictures import LEFT, ask, click, export, pick, said


def test_light_by_default_whatever_the_window_is(qtbot, grown, tmp_path):
    theme.set_mode("dark")
    try:
        path = export(qtbot, grown, tmp_path / "tree.png")
    finally:
        theme.set_mode("system")
    assert QImage(str(path)).pixelColor(1, 1) == theme.LIGHT.canvas


def test_the_branch_alone_has_its_texts_alone(qtbot, grown, tmp_path):
    def act(dialog):
        pick(dialog, "picture_kind", "SVG")
        click(dialog, QRadioButton, "picture_branch")

    path = export(qtbot, grown, tmp_path / "branch.svg", act)
    tree = grown.document.tree
    top = tree.position(grown.document.selected)
    texts = [text for *_, text in texts_of(path.read_text("utf-8"))]
    inside = [tree.branch_words(i) for i in range(top + 1, int(tree.end[top]))]
    assert inside and set(inside) <= set(texts)
    assert tree.branch_words(top) not in texts
    outside = {tree.branch_words(i) for i in range(1, tree.n_nodes) if not top <= i < tree.end[top]}
    assert not (outside - set(inside)) & set(texts)


def test_what_the_view_shows_has_the_views_size_and_nothing_else(qtbot, grown, tmp_path):
    for _ in range(8):
        key(grown, Qt.Key.Key_Plus)

    def act(dialog):
        pick(dialog, "picture_kind", "SVG")
        click(dialog, QRadioButton, "picture_view")
        click(dialog, QCheckBox, "picture_titled")
        click(dialog, QCheckBox, "picture_legend")

    shown = grown.canvas.shown()
    svg = export(qtbot, grown, tmp_path / "view.svg", act).read_text("utf-8")
    size = re.search(r'<svg width="(\d+)px" height="(\d+)px"', svg)
    assert size is not None and (int(size[1]), int(size[2])) == (shown.width, shown.height)
    names = [text for *_, text in texts_of(svg)]
    tree = grown.document.tree
    assert 0 < sum(tree.title(i) in names for i in range(tree.n_nodes) if tree.n_branches[i]) < tree.n_nodes


def test_title_figures_and_legend_are_there_as_wished(qtbot, grown, tmp_path):
    def act(dialog):
        pick(dialog, "picture_kind", "SVG")
        title = dialog.findChild(QLineEdit, "picture_title")
        assert title.text() == "flowers: kind"
        title.selectAll()
        QTest.keyClicks(title, "Which flower is it?")
        click(dialog, QCheckBox, "picture_figures")

    path = export(qtbot, grown, tmp_path / "tree.svg", act)
    texts = [text for *_, text in texts_of(path.read_text("utf-8"))]
    assert "Which flower is it?" in texts
    assert fit_words(grown.document.tree, None) in texts
    assert "paler: nearer to its share in all rows" in texts

    def without(dialog):
        for name in ("picture_titled", "picture_figures", "picture_legend"):
            click(dialog, QCheckBox, name)
        assert not dialog.findChild(QLineEdit, "picture_title").isEnabled()

    path = export(qtbot, grown, tmp_path / "bare.svg", without)
    bare = [text for *_, text in texts_of(path.read_text("utf-8"))]
    assert "flowers: kind" not in bare
    assert not [text for text in bare if "depth" in text or "paler" in text]


def test_the_colours_and_lines_are_those_of_the_canvas(qtbot, grown, tmp_path):
    grown.document.look.set(colour_by="impurity", lines=("split", "number"))
    path = export(qtbot, grown, tmp_path / "tree.svg", lambda dialog: pick(dialog, "picture_kind", "SVG"))
    texts = [text for *_, text in texts_of(path.read_text("utf-8"))]
    assert any("impurity" in text.lower() or "gini" in text.lower() for text in texts)
    assert grown.canvas.stage.scene_in(theme.LIGHT).cards.texts(0)[1][0] in texts


def test_a_size_of_ones_own(qtbot, grown, tmp_path):
    def act(dialog):
        pick(dialog, "picture_size", "Another")
        for name, number in (("picture_w", "1500"), ("picture_h", "1000")):
            spin = dialog.findChild(QSpinBox, name)
            spin.selectAll()
            QTest.keyClicks(spin, number)
        assert said(dialog).startswith("1,500 × 1,000 pixels: every card is whole")

    image = QImage(str(export(qtbot, grown, tmp_path / "tree.png", act)))
    assert (image.width(), image.height()) == (1500, 1000)


def test_the_sentence_tells_the_size_that_the_file_has(qtbot, grown, tmp_path):
    told = []

    def act(dialog):
        QTest.keyClick(dialog.findChild(QSpinBox, "picture_scale"), Qt.Key.Key_Up)
        told.append(said(dialog))

    image = QImage(str(export(qtbot, grown, tmp_path / "tree.png", act)))
    assert told[0].startswith(f"{image.width():,} × {image.height():,} pixels")


def test_split_pages_have_names_and_say_where_they_belong(qtbot, grown, tmp_path):
    told = []

    def act(dialog):
        pick(dialog, "picture_kind", "PDF")
        pick(dialog, "picture_paper", "A4")
        click(dialog, QCheckBox, "picture_split")
        spin = dialog.findChild(QSpinBox, "picture_cards")
        spin.selectAll()
        QTest.keyClicks(spin, "200")
        told.append(said(dialog))

    path = export(qtbot, grown, tmp_path / "tree.pdf", act)
    with pypdfium2.PdfDocument(str(path)) as pdf:
        texts = [page.get_textpage().get_text_range() for page in pdf]
    count = re.match(r"(\d+) pages, (\d+) × (\d+), of A4", told[0])
    assert count is not None and int(count[1]) == int(count[2]) * int(count[3]) == len(texts) > 1
    names = [f"{'ABCDEFGH'[k // int(count[3])]}{k % int(count[3]) + 1}" for k in range(len(texts))]
    assert all(name in text for name, text in zip(names, texts, strict=True))


def test_a_page_for_browsers_has_the_whole_tree(qtbot, grown, tmp_path):
    def act(dialog):
        click(dialog, QRadioButton, "picture_view")
        pick(dialog, "picture_kind", "Page")
        assert not dialog.findChild(QRadioButton, "picture_view").isEnabled()
        assert dialog.findChild(QRadioButton, "picture_whole").isChecked()
        assert not dialog.findChild(QPushButton, "copy_button").isEnabled()
        assert (
            said(dialog) == f"One file with {grown.document.tree.n_nodes} nodes, for any browser; it needs no network."
        )

    page = export(qtbot, grown, tmp_path / "tree.html", act).read_text("utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    assert json.loads(found[1])["id"] == grown.document.tree.ids.tolist()


def test_the_picture_is_copied_from_the_dialog_and_by_its_key(qtbot, grown):
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()

    def act(dialog):
        pick(dialog, "picture_colours", "Dark")
        QTest.mouseClick(dialog.findChild(QPushButton, "copy_button"), LEFT)

    asked = when_asked(act, PictureDialog)
    ask(qtbot, grown)
    first = clipboard.image()
    assert asked and first.pixelColor(1, 1) == theme.DARK.canvas
    assert grown.bar.texts[-1] == f"The picture is on the clipboard, {first.width():,} × {first.height():,} pixels."
    clipboard.clear()
    ask(qtbot, grown, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert clipboard.image() == first


def test_what_is_lit_on_the_canvas_is_lit_in_the_copy(qtbot, grown):
    clipboard = QGuiApplication.clipboard()
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    clipboard.clear()
    ask(qtbot, grown, Qt.Key.Key_C, modifiers)
    plain = clipboard.image()
    grown.document.following.follow_row(0)
    rest(qtbot, grown)
    assert grown.document.look.way is not None
    clipboard.clear()
    ask(qtbot, grown, Qt.Key.Key_C, modifiers)
    lit = clipboard.image()
    assert lit.size() == plain.size() and lit != plain


@pytest.mark.parametrize(("n", "fits"), [(101, True), (161, False)])
def test_a_copy_is_no_larger_than_is_handy_nor_smaller_than_on_the_screen(qapp, n, fits):
    scene = Scene(random_tree(n=n), 1, theme.LIGHT, Letters())
    small, usual = handy(scene, Wish()), planned(scene, Wish())
    plan = planned(scene, small)
    assert 1.0 <= small.scale < 2.0 and plan.sheet.camera == usual.sheet.camera
    assert (plan.width * plan.height <= MOST_COPIED) == (small.scale > 1.0) == fits
    assert handy(Scene(random_tree(n=5), 1, theme.LIGHT, Letters()), Wish()) == Wish()


def test_the_choices_are_there_again_the_next_time(qtbot, grown, tmp_path):
    def act(dialog):
        pick(dialog, "picture_kind", "PDF")
        pick(dialog, "picture_paper", "Slide")
        pick(dialog, "picture_colours", "Dark")
        click(dialog, QCheckBox, "picture_titled")

    export(qtbot, grown, tmp_path / "tree.pdf", act)

    def look(dialog):
        texts = {name: dialog.findChild(QComboBox, name).currentText() for name in ("picture_kind", "picture_paper")}
        assert texts == {"picture_kind": "PDF", "picture_paper": "Slide, 16:9"}
        assert not dialog.findChild(QCheckBox, "picture_titled").isChecked()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    asked = when_asked(look, PictureDialog)
    ask(qtbot, grown)
    assert asked


def test_settings_that_cannot_be_used_do_no_harm(qtbot, grown, tmp_path):
    grown.settings.set("picture", '{"theme": "plaid", "box": [1, "x"], "page": 7, "scale": "much"}')
    path = export(qtbot, grown, tmp_path / "tree.png")
    assert not QImage(str(path)).isNull()


def test_too_many_pages_are_refused_before_they_are_drawn(qtbot):
    scene = Scene(random_tree(n=20_001), 1, theme.LIGHT, Letters())
    dialog = PictureDialog(scene, 0, View(scene.fitted(900, 600), 900, 600), "a title", "figures")
    qtbot.addWidget(dialog)
    dialog.show_wish(Wish(), ".pdf", [])
    dialog.show()
    pick(dialog, "picture_paper", "A4")
    export = dialog.findChild(QPushButton, "export_button")
    assert export.isEnabled()
    click(dialog, QCheckBox, "picture_split")
    assert re.search(r"would take [\d,]+ pages of A4", dialog.findChild(Notice, "picture_error").text)
    assert not export.isEnabled() and not said(dialog)
    click(dialog, QCheckBox, "picture_split")
    assert export.isEnabled() and "nodes have room for words" in said(dialog)


@pytest.mark.parametrize("place", ["root", "leaf"])
def test_at_the_root_and_at_a_leaf_no_branch_is_offered(qtbot, grown, place):
    tree = grown.document.tree
    grown.document.select(0 if place == "root" else int(tree.ids[list(tree.n_branches).index(0)]))

    def act(dialog):
        assert not dialog.findChild(QRadioButton, "picture_branch").isVisible()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    asked = when_asked(act, PictureDialog)
    ask(qtbot, grown)
    assert asked
