"""What is marked on a node, on its card and in words."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

import engine
from gui import theme
from gui.picture.cards.painter import paint
from gui.picture.cards.scene import Scene
from gui.picture.nodes import badges, tips
from gui.picture.nodes.cards import Cards
from gui.picture.nodes.figures import said
from gui.picture.nodes.letters import Letters
from gui.wording import hand_phrases
from tests.gui.canvas.trees import drawn_texts, five_nodes, people, random_tree

ALL = (
    hand_phrases.BY_HAND, hand_phrases.PINNED, hand_phrases.LOCKED, hand_phrases.NOTE, hand_phrases.LABEL,
    hand_phrases.EXCLUDED, hand_phrases.CRITERION,
)  # fmt: skip


@pytest.fixture
def tree() -> engine.Tree:
    table = people()
    tree = five_nodes(table)
    tree = tree.with_mark(1, note="first\nsecond", pinned=True, excluded=("city",), criterion="entropy")
    leaf = int(tree.ids[tree.leaves[0]])
    other = tree.classes[1 - int(tree.labels[tree.leaves[0]])]
    return tree.with_mark(leaf, label=other).with_mark(1, locked=True)


def test_the_badges_of_a_node_are_its_own(tree):
    assert set(hand_phrases.badges(tree, tree.position(1))) - {hand_phrases.BY_HAND} == {
        hand_phrases.PINNED, hand_phrases.LOCKED, hand_phrases.NOTE, hand_phrases.EXCLUDED, hand_phrases.CRITERION,
    }  # fmt: skip
    leaf = int(tree.leaves[0])
    assert hand_phrases.badges(tree, leaf) == (hand_phrases.LABEL,)


def test_marks_are_told_in_words(tree):
    told = hand_phrases.sentences(tree, tree.position(1))
    assert told == [
        "Locked: nothing changes at or below this node.",
        "Pinned: automatic growing and pruning leave this node alone.",
        "Excluded at and below this node: city.",
        "Searched by Entropy.",
        "Note: first\nsecond",
    ]
    leaf, where = int(tree.leaves[0]), f"“{tree.sentence(tree.position(1))}”"
    label, counted = tree.mark(int(tree.ids[leaf])).label, tree.classes[1 - int(tree.labels[leaf])]
    assert hand_phrases.sentences(tree, leaf) == [
        f"Locked, as {where} is.",
        f"Labelled by hand: predicts {label}; the counts predict {counted}.",
        f"Excluded by {where}: city.",
        "Searched by Entropy, as set on a node above.",
    ]
    assert hand_phrases.sentences(tree, 0) == []
    tip = tips.tip(tree, tree.position(1))
    assert "Pinned: " in tip and "first<br>second" in tip
    assert f"Predicts {label}" in tips.tip(tree, leaf)
    assert f"Labelled by hand: predicts {label}" in tips.spoken(tree, leaf)


def test_a_labelled_leaf_of_two_classes_says_whose_rate_it_shows(qapp, tree):
    cards = Cards(tree, 1, Letters())
    leaf, plain = (int(i) for i in tree.leaves[[0, 1]])
    assert all(f" % {tree.classes[1]} · " in cards.details(i)[0] for i in (leaf, plain))
    assert cards.briefs(plain)[-1] == cards.titles(plain)[-1] and cards.briefs(plain)[-1].endswith(" %")
    assert tree.mark(int(tree.ids[leaf])).label == cards.title(leaf) == cards.briefs(leaf)[2]


@pytest.mark.parametrize("width", [150, 300])
def test_a_labelled_leaf_in_little_room_says_its_figure_before_half_a_name(qapp, width):
    tree = random_tree(n=15, classes=("granted without delay", "refused"))
    for i in tree.leaves.tolist():
        tree = tree.with_mark(int(tree.ids[i]), label=tree.classes[1 - int(tree.labels[i])])
    scene = Scene(tree, 1, theme.LIGHT, Letters())
    drawn = drawn_texts(lambda p: paint(p, scene, scene.fitted(width, 300), width, 300))
    texts, figures = {text for *_, text in drawn}, {scene.cards.titles(i)[-1] for i in tree.leaves.tolist()}
    assert figures & texts and "gran……" not in texts


def test_a_labelled_number_is_what_is_coloured():
    table = people().with_target("age")
    tree = engine.grow(table, max_depth=1)
    leaf = int(tree.leaves[0])
    labelled = tree.with_mark(int(tree.ids[leaf]), label=-5.0)
    assert said(labelled, 0)[leaf] == -5.0 and said(tree, 0)[leaf] != -5.0
    assert "Labelled by hand: predicts −5; the counts predict " in tips.tip(labelled, leaf)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_badge_is_another_drawing_inside_its_disc(qapp, mode):
    current, pictures = theme.THEMES[mode], set()
    for name in (*ALL, badges.MORE):
        image = QImage(40, 40, QImage.Format.Format_RGB32)
        image.fill(current.canvas)
        painter = QPainter(image)
        badges.paint(painter, current, QRectF(-100, 20, 128.4, 50), (name,), 2.0, True)
        painter.end()
        pictures.add(bytes(image.constBits()))
        assert badges.drawing(name).boundingRect().width() <= 1.3
        fill, ink = badges.colours(current, name)
        assert theme.contrast(fill, ink) >= 4.5
    assert len(pictures) == len(ALL) + 1


def test_badges_without_room_become_dots():
    assert badges.shown(ALL, 200, 7) == ALL
    assert badges.shown(ALL, 48, 7) == (*ALL[:3], badges.MORE)
    assert badges.shown(ALL, 5, 7) == (badges.MORE,)
    assert badges.shown(ALL[:1], 5, 7) == ALL[:1]


def test_a_small_card_has_one_plain_disc(qapp):
    current = theme.LIGHT
    image = QImage(60, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    badges.paint(painter, current, QRectF(0, 10, 50, 20), ALL, 0.3, False)
    painter.end()
    inked = [x for x in range(60) if any(image.pixelColor(x, y) != QColor("white") for y in range(30))]
    assert inked and max(inked) - min(inked) < 12
