"""What a picture lets a reader read, at any size and on paper."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QSizeF

import engine
from gui import theme
from gui.picture import legend
from gui.picture.cards.painter import CUT_ROOM
from gui.picture.colours import Colouring
from gui.picture.folds import Folds
from gui.picture.kinds import KINDS
from gui.picture.nodes.letters import NAME, PLAIN, Letters, apart
from gui.picture.paper.picture import planned_drawing, write_scene
from gui.picture.paper.sheet import Wish
from gui.picture.picture_options import PictureOptions
from tests.gui.canvas.trees import drawn_texts, five_nodes, people, random_tree, texts_of

SIZE = (1_200, 700)
BOTH = pytest.mark.parametrize("kind", KINDS)


def scene_of(kind, tree, **options):
    focus = 1 if len(tree.classes) == 2 else 0
    return KINDS[kind].scene(tree, focus, theme.LIGHT, Letters(), PictureOptions(**options))


def texts_on(kind, scene, size=SIZE):
    camera = scene.fitted(*size)
    return [text for *_, text in drawn_texts(lambda p: KINDS[kind].paint(p, scene, camera, *size), *size)]


def ends_with_cut(text, scene, i):
    """Whether a text is the split of node i: its name, however short, and all of its cut."""
    name, rest = scene.tree.title(i), scene.tree.branch_words(i + 1)
    return text.endswith(f" {rest}") and text[:3] == name[:3]


@BOTH
@pytest.mark.parametrize("n", [205, 1_201, 40_001])
def test_the_splits_with_most_rows_are_named_with_their_cut_at_any_size(qapp, kind, n):
    scene = scene_of(kind, random_tree(n, seed=3, lean=0.05))
    texts, first = texts_on(kind, scene), scene.leading()
    assert first[0] == 0 and 5 <= len(first) <= 10
    said = [any(ends_with_cut(text, scene, i) for text in texts) for i in first]
    edges = [set(texts) >= {scene.cards.label(j) for j in scene.branches(i)} for i in first]
    mute = [i for i, one, both in zip(first, said, edges, strict=True) if not (one or both)]
    assert 0 not in mute and len(mute) <= 2, mute


def test_a_tree_folded_to_its_root_says_the_cut(qapp):
    scene = scene_of("cards", random_tree(201), folds=Folds(depth=1))
    assert any(ends_with_cut(text, scene, i) for i in scene.leading() for text in texts_on("cards", scene))


@BOTH
@pytest.mark.parametrize("n", [41, 103, 205])
def test_of_two_branches_in_view_both_have_words_or_none(qapp, kind, n):
    scene = scene_of(kind, random_tree(n, seed=1))
    for width in (500, 800, 1_200):
        texts = texts_on(kind, scene, (width, 600))
        for i in np.flatnonzero(scene.tree.n_branches == 2).tolist():
            one, other = (scene.cards.label(j) for j in scene.branches(i))  # every cut of these trees is another one
            assert texts.count(one) == texts.count(other), (width, one, other)


def test_a_leaf_says_its_prediction_its_share_and_its_rows(qapp):
    tree = five_nodes(people(validation=0))
    for kind in KINDS:
        texts = texts_on(kind, scene_of(kind, tree))
        for i in tree.leaves.tolist():
            share, rows = 100 * tree.train[i, 1] / tree.train[i].sum(), int(tree.rows_train[i])
            assert f"predicts {tree.classes[tree.labels[i]]}" in texts
            assert f"{share:.0f} % yes · {rows} rows" in texts


def test_a_class_named_by_a_number_is_told_from_the_figures(qapp):
    frame = pd.DataFrame({"x": range(8), "y": [0, 0, 0, 1, 1, 1, 1, 1]})
    table = engine.Table.from_frame(frame.astype({"y": str}), target="y")
    tree = engine.Tree.root(table)
    texts = texts_on("cards", scene_of("cards", tree))
    assert "predicts 1" in texts and "62 % are 1 · 8 rows" in texts


def test_names_are_shortened_at_the_end_that_does_not_tell_them_apart(qapp):
    names = ("used car", "new car")
    assert [apart(name, names) for name in names] == ["used", "new"]
    assert [apart(name, ("car, red", "car, blue")) for name in ("car, red", "car, blue")] == ["red", "blue"]
    assert apart("on and on", ("on and on", "on and on too")) == "on and on"
    letters = Letters()
    assert letters.told_apart("used car", names, 300.0) == "used car"
    assert letters.told_apart("used car", names, letters.width("used car") - 1) == "used"
    long = tuple(f"{side} of the long road through the valley" for side in ("left side", "right side"))
    short = [letters.told_apart(name, long, 40.0, NAME) for name in long]
    assert short[0] != short[1]
    assert all(name.startswith(text.strip("…")) for name, text in zip(long, short, strict=True))


@BOTH
def test_paper_writes_out_what_it_shortens_and_the_notes(qapp, tmp_path, kind):
    table = people()
    tree = five_nodes(table).with_mark(1, note="ask the branch\nin Berlin")
    scene, path = scene_of(kind, tree), tmp_path / "tree.svg"
    write_scene(scene, path, Wish())
    texts = [text for *_, text in texts_of(path.read_text("utf-8"))]
    assert "[1] city in {Berlin, Copenhagen, Dublin}" in texts and any(text.endswith("[1]") for text in texts)
    assert "Note on age ≤ 42.5: ask the branch in Berlin" in texts
    screen = texts_on(kind, scene_of(kind, tree))
    assert not any("[1]" in text or text.startswith("Note") for text in screen)


@BOTH
def test_every_condition_stands_on_paper_of_the_natural_size(qapp, tmp_path, kind):
    tree = random_tree(61, branches=3)
    scene, path = scene_of(kind, tree), tmp_path / "tree.svg"
    write_scene(scene, path, Wish())
    texts = [text for *_, text in texts_of(path.read_text("utf-8"))]
    for i in range(1, tree.n_nodes):
        assert tree.branch_words(i) in texts or any(tree.rule(int(tree.ids[i]), 1)[-1] in text for text in texts)


def test_a_key_that_is_too_long_says_so(qapp):
    towns = tuple(f"a town with the number {k}" for k in range(200))
    frame = pd.DataFrame({"town": towns * 2, "y": ["a", "b"] * 200})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("town", "groups", groups=(towns[:90], towns[90:])))
    sheet = planned_drawing(scene_of("cards", tree), Wish(box=(500, 400))).sheet
    assert sheet.key.lines[-1].startswith("… and ") and sheet.key.height < 200


def test_classes_of_one_colour_have_letters_and_the_legend_says_so(qapp):
    classes = tuple(f"class {k}" for k in range(30))
    many, few = (scene_of("cards", random_tree(61, classes=names)) for names in (classes, classes[:6]))
    letters = {item.letter for item in legend.items(many) if item.letter}
    assert letters and "letters: classes of one colour" in [item.text for item in legend.items(many)]
    assert not any(item.letter for item in legend.items(few))


def test_a_node_has_one_colour_at_any_size(qapp):
    tree = random_tree(61)
    colours = Colouring(tree, 1, theme.LIGHT)
    assert all(colours.ribbon(i) == colours.tile_of(int(colours.shade[i])) for i in range(tree.n_nodes))
    strip = next(item.colours for item in legend.items(scene_of("cards", tree)) if len(item.colours) > 1)
    assert strip[len(strip) // 2] == colours.tile_of(0) == theme.LIGHT.ribbon


def test_a_cut_without_room_for_its_name_is_not_said(qapp):
    scene = scene_of("cards", five_nodes(people()))
    assert scene.cards.cut(0, CUT_ROOM, PLAIN) == "age ≤ 42.5"
    assert scene.cards.cut(0, 30.0, PLAIN) == ""
    frame = KINDS["streams"].frame(scene_of("streams", random_tree(205)), scene.fitted(*SIZE), QSizeF(*SIZE))
    assert len(frame.scene.leading()) <= 10
