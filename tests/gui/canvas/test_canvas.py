"""What is drawn: words, colours, sizes, and that nothing overlaps."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import engine
from engine.splits import Split
from gui import theme
from gui.picture import fold_marks, legend
from gui.picture import levels as level_walk
from gui.picture.camera import Camera, fitted
from gui.picture.cards.boxes import BESIDE, SMALLEST_PITCH, SMALLEST_SUBTREE, seen
from gui.picture.cards.frame import FULL, NAME_WIDTH, Frame
from gui.picture.cards.ghosts import Ghosts
from gui.picture.cards.painter import Marks, _Picture, paint
from gui.picture.cards.scene import Scene
from gui.picture.cards.visible_cards import trough
from gui.picture.colours import Colouring
from gui.picture.nodes import tips
from gui.picture.nodes.cards import LABEL_ROOM, row_words
from gui.picture.nodes.figures import rates
from gui.picture.nodes.letters import NAME, PLAIN, SMALL, Letters, stepped
from gui.picture.picture_options import PictureOptions
from gui.wording import words
from tests.effort import examples
from tests.gui.canvas.scenes import KINDS, scene_of
from tests.gui.canvas.trees import agrees, drawn_texts, five_nodes, path, people, random_tree

TARGETS = ("buys", "city", "income")
LARGE = {"n": 2_401}  # beyond what is measured word by word
SIZE = (1_600.0, 940.0)


@pytest.fixture
def letters(qapp):
    return Letters()


def real(target):
    return five_nodes(people(target=target))


def image_of(scene, camera, marks=None, size=SIZE):
    image = QImage(int(size[0]), int(size[1]), QImage.Format.Format_RGB32)
    image.fill(scene.theme.canvas)
    painter = QPainter(image)
    paint(painter, scene, camera, *size, marks)
    painter.end()
    return image


def texts_in(texts, box):
    """The texts that begin inside a box, from top to bottom."""
    return [text for x, y, text in sorted(texts, key=lambda t: t[1]) if box.contains(x, y)]


def natural(scene):
    """A camera that shows everything at its natural size."""
    return Camera(x=40.0, y=40.0)


@pytest.mark.parametrize("target", TARGETS)
def test_every_edge_says_what_the_split_says(letters, target):
    scene = scene_of(real(target), letters)
    frame = Frame(scene, natural(scene))
    texts = drawn_texts(lambda p: paint(p, scene, frame.camera, 4_000, 3_000))
    for i in range(1, scene.tree.n_nodes):
        box = frame.box(i)
        above = QRectF(box.center().x() - 90, box.top() - 24, 180, 20)
        assert any(agrees(text, scene.tree.branch_words(i), scene.tree, i) for text in texts_in(texts, above)), i
    assert scene.tree.branch_words(1) == "≤ 42.5"


@pytest.mark.parametrize("kind", [*KINDS.values(), LARGE])
def test_the_edges_of_large_trees_too(letters, kind):
    scene = scene_of(random_tree(**{"n": 120, **kind}), letters)
    frame = Frame(scene, natural(scene))
    size = (90_000, 20_000)
    drawn = drawn_texts(lambda p: paint(p, scene, frame.camera, *size), *size)
    for i in range(1, scene.tree.n_nodes, 1 + scene.tree.n_nodes // 500):
        whole, shown = scene.tree.branch_words(i), scene.cards.label(i)
        assert agrees(shown, whole, scene.tree, i)
        at = frame.anchor(i)
        x, y = at.x() - letters.width(shown) / 2, at.y() - 14 + 0.36 * 11
        assert any(t == shown and abs(tx - x) < 0.6 and abs(ty - y) < 0.6 for tx, ty, t in drawn), whole


def test_a_card_shows_column_rows_rate_and_validation(letters):
    tree = real("buys")
    scene = scene_of(tree, letters)
    frame = Frame(scene, natural(scene))
    texts = drawn_texts(lambda p: paint(p, scene, frame.camera, 4_000, 3_000))
    rate = tree.train[0, 1] / tree.train[0].sum()
    held_out = tree.validation[0, 1] / tree.validation[0].sum()
    assert texts_in(texts, frame.box(0)) == [
        "age",
        f"{words.rate(rate)} yes · {tree.rows_train[0]} rows",
        f"valid {words.rate(held_out)}",
    ]
    leaf = tree.n_nodes - 1
    share = tree.train[leaf, 1] / tree.train[leaf].sum()
    assert texts_in(texts, frame.box(leaf))[:3] == [
        f"predicts {tree.classes[tree.labels[leaf]]}",
        f"{words.rate(share)} yes · {tree.rows_train[leaf]} rows",
        scene.cards.validation(leaf),
    ]


@pytest.mark.parametrize("focus", [0, 1])
def test_the_rate_of_two_classes_says_whose_it_is(letters, focus):
    tree = real("buys")
    cards = Scene(tree, focus, theme.LIGHT, letters).cards
    name, leaf = tree.classes[focus], tree.n_nodes - 1
    share, rows = words.rate(tree.probabilities[leaf, focus]), tree.rows_train[0]
    assert cards.details(leaf)[0] == f"{share} {name} · {tree.rows_train[leaf]} rows"
    assert cards.details(0)[0] == f"{words.rate(tree.probabilities[0, focus])} {name} · {rows} rows"
    other = Scene(tree, 1 - focus, theme.LIGHT, letters).cards
    for i in range(tree.n_nodes):  # another focus needs no more room
        assert letters.width(other.details(i)[0], PLAIN if cards.is_inner(i) else SMALL) <= cards.widths[i] + 1


def test_a_leaf_says_the_majority_class_or_the_mean(letters):
    for target in ("city", "income"):
        tree = real(target)
        scene = scene_of(tree, letters)
        frame = Frame(scene, natural(scene))
        texts = drawn_texts(lambda p, s=scene, f=frame: paint(p, s, f.camera, 4_000, 3_000))
        leaf = tree.n_nodes - 1
        said = texts_in(texts, frame.box(leaf))
        if target == "city":
            assert said[0] == tree.classes[tree.labels[leaf]]
            share = tree.probabilities[leaf].max()
            assert said[1] == f"{words.rate(share)} · {tree.rows_train[leaf]} rows"
        else:
            assert said[0] == words.value(tree.means[leaf])


def test_a_tree_by_medians_says_them(letters):
    table = people(target="income")
    tree = five_nodes(table).with_leaf_rule(table, engine.LeafRule("median"))
    scene = scene_of(tree, letters)
    leaf = tree.n_nodes - 1
    assert words.value(tree.medians[leaf]) != words.value(tree.means[leaf])
    assert scene.cards.title(leaf) == words.value(tree.medians[leaf])
    assert scene.cards.details(0)[0].startswith(f"median {words.value(tree.medians[0])} · ")


def test_without_holdout_no_validation_figure(letters):
    tree = five_nodes(people(validation=0))
    scene = scene_of(tree, letters)
    texts = drawn_texts(lambda p: paint(p, scene, natural(scene), 4_000, 3_000))
    assert not [text for _, _, text in texts if "valid" in text]


@pytest.mark.parametrize("kind", KINDS)
@given(zoom=st.floats(0.02, 3.0), seed=st.integers(0, 5))
@examples(12)
def test_cards_never_overlap_and_hold_their_words(qapp, kind, zoom, seed):
    scene = scene_of(random_tree(**{"n": 80, "seed": seed, **KINDS[kind]}), Letters())
    camera = scene.fitted(*SIZE)
    frame = Frame(scene, camera.zoomed(zoom / camera.zoom, 500, 300))
    for level in range(scene.tree.depth + 1):
        row = scene.levels.row(level)
        x, top, width, height = frame.boxes(row).T
        if frame.scales[level] * 48 > 1:  # narrower ones are drawn a pixel wide
            assert np.all(x[1:] >= (x + width)[:-1] - 1e-6)
        assert np.all(top + height <= top + frame.pitch + 1e-6)
    for i in range(scene.tree.n_nodes):
        room = scene.cards.widths[i]
        kind_of_detail = PLAIN if scene.cards.is_inner(i) else SMALL
        for text, letter in ((scene.cards.title(i), NAME), (scene.cards.details(i)[0], kind_of_detail)):
            assert scene.cards.letters.width(text, letter) <= room - 8
        assert scene.cards.letters.width(scene.cards.label(i)) <= scene.cards.room[i] - 9


@given(x=st.floats(0, 1600), y=st.floats(0, 940), zoom=st.floats(0.01, 2.5))
def test_a_point_finds_the_card_that_is_drawn_there(qapp, x, y, zoom):
    scene = scene_of(random_tree(n=150), Letters())
    camera = scene.fitted(*SIZE)
    frame = Frame(scene, camera.zoomed(zoom / camera.zoom, 800, 100))
    every = np.arange(scene.tree.n_nodes)
    left, top, width, height = frame.boxes(every).T
    inside = (left <= x) & (x <= left + width) & (top <= y) & (y <= top + height)
    found = frame.node_at(x, y, reach=0.0)
    assert found in (every[inside] if inside.any() else [-1])


@given(x=st.floats(-3000, 3000), y=st.floats(-2000, 2000), zoom=st.floats(0.0005, 2.5))
def test_whatever_lies_in_view_is_drawn(qapp, x, y, zoom):
    scene = scene_of(random_tree(n=400), Letters())
    camera = scene.fitted(*SIZE)
    frame = Frame(scene, camera.zoomed(zoom / camera.zoom, 800, 100).moved(x, y))
    shown = seen(frame, *SIZE)
    drawn = np.zeros(scene.tree.n_nodes, dtype=bool)
    drawn[shown.named] = drawn[shown.boxed] = True
    for block in shown.blocks:
        assert not drawn[block : scene.tree.end[block]].any()
        drawn[block : scene.tree.end[block]] = True
    left, top, width, height = frame.boxes(np.arange(scene.tree.n_nodes)).T
    in_view = (left < SIZE[0]) & (left + width > 0) & (top < SIZE[1]) & (top + height > 0)
    assert not (in_view & ~drawn).any()


def test_nothing_is_shortened_or_overlaps_in_a_large_tree(letters):
    for kind in ({}, {"task": "number"}, {"classes": ("Adelie", "Chinstrap", "Gentoo")}):
        scene = scene_of(random_tree(**{**LARGE, **kind, "lean": 0.2}), letters)
        cards = scene.cards
        for i in range(scene.tree.n_nodes):
            detail = letters.width(cards.details(i)[0], PLAIN if cards.is_inner(i) else SMALL)
            assert max(detail, letters.width(cards.title(i), NAME)) <= cards.widths[i] - 6
        for level in range(scene.tree.depth + 1):
            row = scene.levels.row(level)
            half = cards.room[row] / 2
            assert np.all(np.diff(scene.x[row]) >= half[1:] + half[:-1])


def seen_from_the_root(frame):
    """(nodes, blocks) that are drawn, found by walking down from the root through everything above the view."""
    scene, camera, nodes, blocks = frame.scene, frame.camera, [], []
    waiting = [0]
    while waiting:
        i = waiting.pop()
        level = int(scene.tree.level[i])
        sides = camera.x + np.array((scene.left[i], scene.right[i])) * frame.sx
        bottom = camera.y + scene.deepest[i] * frame.pitch + scene.cards.card_height * frame.scales[level]
        top = camera.y + (level - 1) * frame.pitch
        if sides[0] - BESIDE > SIZE[0] or sides[1] + BESIDE < 0 or bottom < 0 or top > SIZE[1]:
            continue
        tiny = (scene.inner_right[i] - scene.inner_left[i]) * frame.sx < SMALLEST_SUBTREE
        if tiny or frame.pitch < SMALLEST_PITCH:
            blocks.append(i)
        else:
            nodes.append(i)
            waiting += scene.tree.children(i)
    return nodes, blocks


@pytest.mark.parametrize("lean", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("n", [59, 1_501])
def test_beginning_at_the_first_level_in_view_leaves_nothing_out(letters, lean, n):
    scene = scene_of(random_tree(n, lean=lean, seed=n), letters)
    fit = scene.fitted(*SIZE)
    for zoom in (0.2, 1.0, 3.0, 20.0, 1 / fit.zoom):
        for dx, dy in ((0, 0), (300, -900), (-2_000, -6_000), (0, -scene.bottom * 0.7), (0, -scene.bottom * 3)):
            frame = Frame(scene, fit.zoomed(zoom, 700, 400).moved(dx, dy))
            shown, (nodes, blocks) = seen(frame, *SIZE), seen_from_the_root(frame)
            found = {*shown.named.tolist(), *shown.boxed.tolist()}
            assert found <= set(nodes)
            above = [i for i in nodes if i not in found]
            assert all(frame.box(i).bottom() < 0 for i in above)
            assert set(shown.blocks.tolist()) <= set(blocks)
            missing = [i for i in blocks if i not in shown.blocks]
            assert all(frame.camera.y + scene.deepest[i] * frame.pitch + scene.cards.card_height < 0 for i in missing)


def test_the_foot_of_a_long_staircase_is_painted_with_few_items(letters, painted_items):
    scene = scene_of(random_tree(n=4_001, lean=1.0), letters)
    camera = scene.fitted(*SIZE)
    camera = camera.zoomed(1 / camera.zoom, 0, 0)
    last = int(np.argmax(scene.tree.level))
    foot = Camera(700 - scene.x[last] * camera.sx, 500 - scene.bottom * camera.sy, 1.0, camera.spacing)
    assert 0 < painted_items(scene, foot) < 60


def test_the_figures_of_either_focus_class_have_room_in_a_large_tree(letters):
    """One layout serves both."""
    tree = random_tree(**LARGE, lean=0.2)
    one, other = (Scene(tree, focus, theme.LIGHT, letters) for focus in (1, 0))
    assert one.x is other.x
    for i in range(tree.n_nodes):
        detail = letters.width(other.cards.details(i)[0], PLAIN if other.cards.is_inner(i) else SMALL)
        assert max(detail, letters.width(other.cards.title(i), NAME)) <= other.cards.widths[i] - 6


def test_a_huge_tree_is_painted_with_few_items(letters, painted_items):
    """However many nodes there are: what is drawn is bounded by the pixels."""
    scene = scene_of(random_tree(n=40_001, lean=0.0), letters)
    camera = scene.fitted(*SIZE)
    levels = scene.tree.depth + 1
    assert painted_items(scene, camera) <= 2 * SIZE[0] / SMALLEST_SUBTREE * levels
    assert painted_items(scene, camera) < scene.tree.n_nodes / 2
    assert painted_items(scene, camera.zoomed(1 / camera.zoom, SIZE[0] / 2, SIZE[1] / 2)) < 400


@pytest.fixture
def painted_items(monkeypatch):
    """How many rectangles, lines and cards one picture of a scene consists of."""

    def count(scene, camera):
        shown = seen(Frame(scene, camera), *SIZE)
        cards = []
        monkeypatch.setattr(_Picture, "draw", lambda picture, nodes, *others: cards.extend(nodes))
        image = QImage(*SIZE, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint(painter, scene, camera, *SIZE)
        painter.end()
        assert cards == shown.named.tolist()
        return len(cards) + len(shown.boxed) + len(shown.blocks)

    return count


def test_far_away_a_large_tree_is_a_few_blocks(letters):
    scene = scene_of(random_tree(n=3_001, lean=0.0), letters)
    near = seen(Frame(scene, scene.fitted(*SIZE)), *SIZE)
    far = seen(Frame(scene, scene.fitted(*SIZE).zoomed(0.2, 0, 0)), *SIZE)
    assert len(far.blocks) > 0
    assert sum(map(len, (far.named, far.boxed, far.blocks))) < sum(map(len, (near.boxed, near.blocks)))


def test_the_whole_tree_is_in_view_when_fitted(letters):
    for n in (1, 3, 9, 59, 999):
        for kind in KINDS.values():
            scene = scene_of(random_tree(**{**kind, "n": n}), letters)
            for size in ((1_600, 940), (500, 800), (300, 260)):
                frame = Frame(scene, scene.fitted(*size))
                x, top, width, height = frame.boxes(np.arange(scene.tree.n_nodes)).T
                assert x.min() >= 0, (n, size)
                assert (x + width).max() <= size[0]
                assert top.min() >= 0
                assert (top + height).max() <= size[1]
                assert frame.camera.zoom <= 1.0


@pytest.mark.parametrize("height", [360, 420, 600])
@pytest.mark.parametrize("colour", ["class", "lift", "error", "impurity"])
def test_a_small_tree_keeps_its_conditions_whatever_its_cards_say(letters, colour, height):
    tree = random_tree(n=11, lean=0.6)
    usual = PictureOptions().lines
    for lines in (usual, (*usual, "share"), (*usual, "share", "validation", "impurity", "number")):
        scene = Scene(tree, 1, theme.LIGHT, letters, PictureOptions(colour_by=colour, lines=lines))
        camera = scene.fitted(620, height)
        texts = [text for *_, text in drawn_texts(lambda p, s=scene, c=camera: paint(p, s, c, 620, height))]
        assert tree.depth >= 3
        missing = [scene.cards.label(i) for i in range(1, tree.n_nodes) if scene.cards.label(i) not in texts]
        assert not missing, (lines, missing)


def test_the_handle_of_a_low_card_leaves_its_name_free(letters):
    scene = scene_of(random_tree(n=301, lean=0.5), letters)
    for height in (200, 260, 330, 420, 900):
        frame = Frame(scene, scene.fitted(700, height))
        for mark in fold_marks.marks_of(frame, (700, height), (0,)):
            texts = drawn_texts(lambda p, f=frame, h=height: paint(p, scene, f.camera, 700, h))
            feet = [y for x, y, text in texts if text.startswith(scene.cards.title(0)) and mark.card.contains(x, y)]
            assert feet and min(feet) <= mark.box.top() + 0.5, height
            assert mark.box.top() < mark.card.bottom(), "the pointer reaches it without leaving the card"


def test_the_upper_levels_of_a_wide_tree_stay_readable(letters):
    scene = scene_of(random_tree(n=999, lean=0.0), letters)
    frame = Frame(scene, scene.fitted(*SIZE))
    assert frame.camera.zoom < 0.2
    named = frame.are_named(np.arange(scene.tree.n_nodes))
    assert named[scene.tree.level < 3].all()
    assert not named.all()
    texts = drawn_texts(lambda p: paint(p, scene, frame.camera, *SIZE))
    assert scene.cards.title(0) in [text for _, _, text in texts]


@given(st.floats(0.001, 2.9), st.floats(0.2, 5.0))
def test_zooming_in_and_out_again_comes_back(zoom, factor):
    camera = fitted(27_000.0, 2_000.0, 58.0, *SIZE)
    start = camera.zoomed(zoom / camera.zoom, 300, 200)
    there = start.zoomed(factor, 700, 400)
    back = there.zoomed(start.zoom / there.zoom, 700, 400)
    assert (back.x, back.y, back.zoom) == pytest.approx((start.x, start.y, start.zoom), rel=1e-6, abs=1e-3)
    assert start.zoomed(1.001, 0, 0).sx >= start.sx * 0.999


def test_what_is_under_the_pointer_stays_there():
    camera = fitted(27_000.0, 2_000.0, 58.0, *SIZE)
    for factor in (0.7, 1.3, 20.0):
        zoomed = camera.zoomed(factor, 700, 400)
        before = ((700 - camera.x) / camera.sx, (400 - camera.y) / camera.sy)
        after = ((700 - zoomed.x) / zoomed.sx, (400 - zoomed.y) / zoomed.sy)
        assert after == pytest.approx(before)


# -- colours


def test_tiles_tell_the_distance_from_the_roots_rate(letters):
    tree = real("buys")
    scene = scene_of(tree, letters)
    image = image_of(scene, natural(scene))
    frame = Frame(scene, natural(scene))
    for i in tree.leaves:
        box = frame.box(i)
        wanted = theme.LIGHT.diverging(rates(tree, 1, tree.train)[i], rates(tree, 1, tree.train)[0], ribbon=True)
        drawn = image.pixelColor(int(box.left()) + 4, int(box.center().y()) + 2)
        off = np.abs(np.subtract(drawn.getRgb(), wanted.getRgb())).max()
        assert off <= 8  # the canvas draws 24 shades on each side


def test_the_class_bar_shows_the_shares(letters):
    tree = real("buys")
    scene = scene_of(tree, letters)
    camera = natural(scene)
    image = image_of(scene, camera)
    box = Frame(scene, camera).box(0)
    y = int(box.bottom() - 11)
    row = [image.pixelColor(x, y) for x in range(int(box.left()), int(box.right()))]
    positive = sum(c == theme.LIGHT.positive for c in row)
    negative = sum(c == theme.LIGHT.negative for c in row)
    share = tree.train[0, 1] / tree.train[0].sum()
    assert positive / (positive + negative) == pytest.approx(share, abs=0.05)


def test_focusing_the_other_class_swaps_the_colours(letters):
    tree = real("buys")
    one, other = Scene(tree, 1, theme.LIGHT, letters), Scene(tree, 0, theme.LIGHT, letters)
    leaves = [int(i) for i in tree.leaves]
    above = [i for i in leaves if one.cards.rate[i] > one.cards.rate[0]]
    for i in above:
        assert other.cards.rate[i] < other.cards.rate[0]
        assert other.colours.shade[i] != one.colours.shade[i]


def test_a_numeric_target_is_coloured_by_the_mean(letters):
    tree = real("income")
    colours = Colouring(tree, 0, theme.LIGHT)
    low, high = 1, tree.n_nodes - 1
    assert tree.means[low] < tree.means[0] < tree.means[high]
    assert colours.ribbon(0) == theme.LIGHT.ribbon
    assert colours.ribbon(low).blue() > colours.ribbon(low).red()
    assert colours.ribbon(high).red() > colours.ribbon(high).blue()


def test_more_classes_have_the_colour_of_the_majority(letters):
    tree = random_tree(n=31, classes=("a", "b", "c"))
    colours = Colouring(tree, 0, theme.LIGHT)
    certain = np.zeros((1, 3))
    certain[0, 2] = 10.0
    assert colours.tile_of(int(colours.shades(certain, np.argmax(certain, axis=1))[0])) == theme.LIGHT.class_colour(2)
    assert colours.tile_of(int(colours.shades(tree.train[:1], tree.labels[:1])[0])) == theme.LIGHT.ribbon


def test_dark_is_dark(letters):
    scene = scene_of(real("buys"), letters, theme.DARK)
    camera = natural(scene)
    box = Frame(scene, camera).box(0)
    image = image_of(scene, camera)
    assert image.pixelColor(int(box.left()) + 4, int(box.center().y())) == theme.DARK.card


def test_an_edge_is_as_wide_as_its_rows(letters):
    tree = real("buys")
    scene = scene_of(tree, letters)
    assert scene.ribbons[1] + scene.ribbons[4] == pytest.approx(scene.ribbons[0])
    frame = Frame(scene, natural(scene))
    image = image_of(scene, natural(scene))
    box = frame.box(0)
    y = int(box.bottom()) + 2
    middle = int(box.center().x())
    coloured = [x for x in range(middle - 40, middle + 40) if image.pixelColor(x, y) != theme.LIGHT.canvas]
    assert len(coloured) == pytest.approx(44, abs=3)


# -- marks


def has_colour(image, box, colour, tolerance=6):
    for x in range(int(box.left()), int(box.right()) + 1):
        for y in range(int(box.top()), int(box.bottom()) + 1):
            if np.abs(np.subtract(image.pixelColor(x, y).getRgb(), colour.getRgb())).max() <= tolerance:
                return True
    return False


def test_splits_by_hand_carry_a_badge_and_others_do_not(letters):
    table = people()
    tree = five_nodes(table)
    machine = engine.Tree.root(table).split(table, 0, tree.split_at(0), by_hand=False)
    for drawn, expected in ((tree, True), (machine, False)):
        scene = scene_of(drawn, letters)
        camera = natural(scene)
        box = Frame(scene, camera).box(0)
        corner = QRectF(box.right() - 8, box.top() - 5, 12, 12)
        assert has_colour(image_of(scene, camera), corner, theme.LIGHT.accent) is expected


@pytest.mark.parametrize("zoom", [1.0, 0.6, 0.1, 0.01])
def test_the_selection_has_a_ring_at_every_zoom(letters, zoom):
    scene = scene_of(random_tree(n=301), letters)
    camera = scene.fitted(*SIZE).zoomed(zoom / scene.fitted(*SIZE).zoom, 800, 20)
    around = Frame(scene, camera).box(0).adjusted(-8, -8, 8, 8)
    assert has_colour(image_of(scene, camera, Marks(0, -1, True)), around, theme.LIGHT.accent)
    assert image_of(scene, camera, Marks(0, -1, True)) != image_of(scene, camera, Marks(0, -1, False))


def test_the_hovered_path_is_marked_up_to_the_root(letters):
    scene = scene_of(real("buys"), letters)
    camera = natural(scene)
    frame = Frame(scene, camera)
    plain, marked = image_of(scene, camera), image_of(scene, camera, Marks(hovered=2))
    changed = [
        i for i in range(scene.tree.n_nodes) if plain.copy(frame.box(i).toRect()) != marked.copy(frame.box(i).toRect())
    ]
    assert changed == [0, 1, 2]


# -- ghosts and legend


@pytest.mark.parametrize("target", TARGETS)
def test_ghosts_show_the_candidates_branches(letters, target):
    table = people(target=target)
    tree = engine.Tree.root(table)
    column = "income" if target == "city" else "city"
    candidate = next(c for c in engine.candidates(table, tree) if c.column == column)
    scene = scene_of(tree, letters)
    ghosts = Ghosts(scene, candidate)
    leaf, view = QRectF(400, 60, 60, 54), QRectF(0, 0, 900, 700)
    texts = [text for _, _, text in drawn_texts(lambda p: ghosts.paint(p, leaf, view))]
    after = tree.split(table, 0, candidate.split)
    assert column in texts
    for i in after.children(0):
        assert any(agrees(text, after.branch_words(i), after, i) for text in texts)
        assert any(text.endswith(row_words(int(after.rows_train[i]))) for text in texts)
        if target == "buys":
            rate = words.rate(after.train[i, 1] / after.train[i].sum())
            assert any(text.startswith(f"{rate} yes · ") for text in texts)
        elif target == "income":
            assert words.value(float(after.means[i])) in texts


@given(x=st.floats(-100, 900), y=st.floats(-50, 700), width=st.floats(300, 1200), height=st.floats(220, 900))
def test_ghosts_stay_in_view_and_below_or_beside_the_leaf(qapp, x, y, width, height):
    table = people(60)
    tree = engine.Tree.root(table)
    found = [c for c in engine.candidates(table, tree) if c.split is not None]
    ghosts = Ghosts(scene_of(tree, Letters()), found[0])
    leaf = QRectF(min(x, width - 20), min(y, height - 20), 60, 54)
    plate, below = ghosts.place(leaf, QRectF(0, 0, width, height))
    assert plate.left() >= 0
    assert plate.right() <= width or ghosts.width > width - 8
    assert plate.bottom() <= height or ghosts.height > height - 8
    assert not below or plate.top() > leaf.bottom()


def test_many_branches_are_cut_short_and_counted(letters):
    from engine.splits import Split

    frame_levels = tuple(f"level {k}" for k in range(40))
    import pandas as pd

    frame = pd.DataFrame({"code": frame_levels * 4, "y": ["a", "b", "b", "a"] * 40})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    split = Split("code", "groups", groups=tuple((level,) for level in frame_levels))
    after = tree.split(table, 0, split)
    stats = tuple(after.train[i] for i in after.children(0))
    empty = tuple(np.zeros(2) for _ in stats)
    candidate = engine.Candidate("code", split, 0.1, {}, 1.0, 0.1, stats, empty, (4,) * 40, 0)
    ghosts = Ghosts(scene_of(tree, letters), candidate)
    texts = drawn_texts(lambda p: ghosts.paint(p, QRectF(400, 60, 60, 54), QRectF(0, 0, 900, 700)))
    assert "and 28 more branches" in [text for _, _, text in texts]


@pytest.mark.parametrize(
    ("target", "expected"),
    [("buys", "share of yes: less"), ("city", "Berlin"), ("income", "mean of income: below")],
)
def test_the_legend_says_what_the_colours_mean(letters, target, expected):
    scene = scene_of(real(target), letters)
    texts = [t for _, _, t in drawn_texts(lambda p: legend.paint(p, scene, 0, 0, 2_000))]
    assert expected in texts
    assert "split by hand" in texts


def test_of_many_classes_the_legend_names_the_most_frequent_at_the_root(letters):
    names = tuple(f"class {k:02d}" for k in range(12))
    tree = random_tree(n=5, classes=names)
    scene = scene_of(tree, letters)
    order = sorted(range(12), key=lambda k: -tree.train[0, k])
    assert order[:8] != list(range(8))
    items = legend.items(scene)
    named = [(item.text, before.colours) for before, item in pairwise(items) if item.text.startswith("class ")]
    assert [text for text, _ in named] == [names[k] for k in order[:8]]
    assert [colours for _, colours in named] == [(scene.theme.class_colour(k, 12),) for k in order[:8]]
    assert "and 4 more" in [item.text for item in items]


def test_names_of_classes_are_shortened_only_where_there_is_no_room(letters):
    names = ("no", "yes, planned", "yes, unplanned emergency")
    scene = scene_of(random_tree(n=5, classes=names), letters)
    whole, narrow = ({t for *_, t in drawn_texts(lambda p, r=r: legend.paint(p, scene, 0, 0, r))} for r in (900, 240))
    assert set(names) <= whole
    assert {"no", "yes, planned"} <= narrow and any("…" in text and text.endswith("ency") for text in narrow)


def test_few_classes_stand_in_their_own_order(letters):
    scene = scene_of(random_tree(n=5, classes=("a", "b", "c", "d")), letters)
    assert [item.text for item in legend.items(scene)][1:8:2] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("room", [120, 200, 300, 420, 700])
def test_a_narrow_legend_says_how_many_names_it_leaves_out(letters, room):
    scene = scene_of(random_tree(n=5, classes=tuple(f"class number {k}" for k in range(12))), letters)
    drawn = drawn_texts(lambda p: legend.paint(p, scene, 0, 50, room))
    texts = [text for *_, text in drawn]
    named = [text for text in texts if text.startswith("class ")]
    (more,) = (int(text.split()[1]) for text in texts if text.startswith("and "))
    assert len(named) + more == 12
    assert len({y for _, y, _ in drawn}) <= 2
    for x, _, text in drawn:
        assert x + letters.width(text) <= room


def test_a_legend_takes_a_second_line_before_it_drops_anything(letters):
    names = ("back on the shelf", "renewed", "reserved by another reader", "sent to the bindery")
    scene = Scene(random_tree(n=9, classes=names), 0, theme.LIGHT, letters, PictureOptions(part="validation"))
    assert scene.warned is not None
    for room in (620, 480, 400):
        drawn = drawn_texts(lambda p, room=room: legend.paint(p, scene, 0, 50, room))
        words = " ".join(text for *_, text in drawn)
        assert all(name[:4] in words for name in names), words
        assert "unlike" in words
        assert len({y for _, y, _ in drawn}) == 2


def test_letters_are_shortened_in_the_middle(letters):
    name = "a rather long name of a column that nobody wanted to abbreviate"
    short = letters.elided(name, 120.0, NAME)
    head, _, tail = short.partition("…")
    assert name.startswith(head)
    assert name.endswith(tail)
    assert head
    assert letters.width(short, NAME) <= 120.0
    assert letters.elided("age", 120.0) == "age"
    for room in range(20, 160):
        shown = letters.elided("in 3354 of 3962: D942DN …", room)
        assert shown.count("…") <= 1 and letters.width(shown) <= room
        assert "in 3354 of 3962: D942DN …".startswith(shown.removesuffix("…")) and (not shown or shown[-1] == "…")
    assert len(shown) > 8  # in the widest room something is left


def test_of_several_forms_of_figures_one_that_fits_is_shown_whole(letters):
    forms = ("1,234 · 100 %", "1,234")
    whole, short = (letters.width(form) for form in forms)
    assert letters.whole(forms, whole) == forms[0]
    assert letters.whole(forms, whole - 1) == forms[1]
    assert letters.whole(forms, short - 1) == ""


@pytest.mark.parametrize("kind", KINDS)
@given(zoom=st.floats(0.3, 1.0), seed=st.integers(0, 5), narrow=st.floats(0.4, 1.0))
@examples(10)
def test_no_figure_on_a_card_is_ever_cut(qapp, kind, zoom, seed, narrow):
    scene = scene_of(random_tree(**{"n": 40, "seed": seed, **KINDS[kind]}), Letters())
    camera = scene.fitted(*SIZE)
    scene.cards.widths *= narrow  # as little room as there may be
    scene.node_room = np.minimum(scene.node_room, zoom)
    every = range(scene.tree.n_nodes)
    cards = scene.cards
    figures = (
        (*cards.titles(i), *cards.briefs(i), *cards.details(i), cards.validation(i), cards.label(i)) for i in every
    )
    known = {text for texts in figures for text in texts}
    titles = {scene.cards.title(i) for i in every}
    cuts = {scene.cards.label(i + 1) for i in scene.leading()}  # of the name before one any part may be left
    texts = drawn_texts(lambda p: paint(p, scene, camera.zoomed(zoom / camera.zoom, 0, 0), *SIZE), *map(int, SIZE))
    for *_, text in texts:
        if text in known or text in titles or any(text.endswith(f" {cut}") for cut in cuts):
            continue
        assert "…" in text and not any(sign in text for sign in "·%"), text
        assert any(agrees(text, title) for title in titles if not title[0].isdigit()), text


def test_numbers_on_edges_are_not_cut(letters):
    tree = engine.Tree.root(people())
    cuts = (1_234_567_891.0, 1_234_567_892.0, 1_234_567_893.0)
    tree = tree.split(people(), 0, engine.Split("income", "threshold", thresholds=cuts))
    scene = scene_of(tree, letters)
    for i in range(1, tree.n_nodes):
        assert scene.cards.label(i) == tree.branch_words(i)
    assert letters.width(tree.branch_words(2)) > LABEL_ROOM


def test_where_there_is_room_a_fitted_card_shows_its_whole_name(letters):
    scene = scene_of(random_tree(n=21, classes=("Adelie", "Chinstrap", "Gentoo"), seed=3), letters)
    frames = (Frame(scene, scene.fitted(width, 0.5 * width)) for width in range(700, 3_000, 20))
    # Cards that are shown whole, with letters that no longer shrink.
    frame = next(frame for frame in frames if FULL <= frame.scales[-1] < NAME_WIDTH)
    texts = drawn_texts(lambda p: paint(p, scene, frame.camera, 3_000, 1_500))
    wide = [i for i in range(scene.tree.n_nodes) if scene.node_room[i] * frame.sx >= NAME_WIDTH]
    assert wide
    for i in wide:
        said = texts_in(texts, frame.box(i))
        assert said[0] == scene.cards.title(i)
        assert scene.cards.validation(i) in said


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
def test_a_bar_of_the_tiles_own_colour_stands_in_a_trough(qapp, look):
    image = QImage(60, 20, QImage.Format.Format_RGB32)
    tile = look.class_colour(0, 3, 0)
    image.fill(tile)
    painter = QPainter(image)
    trough(painter, QRectF(10, 8, 40, 4), look)
    painter.fillRect(QRectF(10, 8, 40, 4), tile)
    painter.end()
    column = [image.pixelColor(30, y).name() for y in range(20)]
    for inside in (7, 12):
        assert column[inside] == look.card.name()
    assert column[6] not in (tile.name(), look.card.name()), "a thin outline"
    assert column[9] == tile.name()


@pytest.mark.parametrize("kind", KINDS)
@given(zoom=st.floats(0.02, 3.0), x=st.floats(-900, 900), y=st.floats(-900, 900))
@examples(10)
def test_levels_one_by_one_show_the_same(qapp, kind, zoom, x, y):
    """Twin of looking at many levels together."""
    scene = scene_of(random_tree(**{"n": 301, **KINDS[kind]}), Letters())
    camera = scene.fitted(*SIZE)
    frame = Frame(scene, camera.zoomed(zoom / camera.zoom, 800, 100).moved(x, y))
    together = seen(frame, *SIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(level_walk, "TOGETHER", 0)
        alone = seen(frame, *SIZE)
    for part in ("named", "boxed", "blocks"):
        assert sorted(getattr(together, part)) == sorted(getattr(alone, part))


def test_the_way_up_is_known_without_walking_it(letters):
    scene = scene_of(random_tree(301), letters)
    every = np.arange(scene.tree.n_nodes)
    for i in (0, 7, 150, 300):
        assert set(every[scene.on_path(every, i)].tolist()) == set(path(scene.tree, i))
    assert not scene.on_path(every, -1).any()


def test_levels_are_taken_together_up_to_a_number_of_nodes(letters):
    levels = scene_of(random_tree(301), letters).levels
    for most in (0, 1, 5, 60, 1_000):
        rows, after = levels.rows(1, levels.depth, most)
        assert rows.tolist() == [i for level in range(1, after) for i in levels.row(level).tolist()]
        assert after == 2 or rows.size <= most
        assert after > levels.depth or rows.size + levels.row(after).size > most


def test_letters_never_exceed_their_card():
    for scale in (0.64, 0.7, 0.9999, 1.0, 1.51, 3.0):
        assert scale - 1 / 40 < stepped(scale) <= scale
    assert stepped(1.0) == 1.0


def test_a_very_long_rule_is_counted(letters):
    tree = random_tree(201, lean=1.0)
    deep = int(np.argmax(tree.level))
    said = tips.tip(tree, deep)
    assert f"{tree.depth - tips.MOST_CONDITIONS} conditions higher up" in said
    assert said.count("<br>and ") == tips.MOST_CONDITIONS
    assert "higher up" not in tips.tip(tree, int(tree.end[0]) - 1 if tree.level[-1] < 40 else 1)


@pytest.mark.parametrize("n", [36, 90])
def test_of_a_long_list_of_levels_the_tooltip_says_how_many_more_and_where_missing_values_go(letters, n):
    names = [f"Regional history, part {k}" if k % 5 == 0 else f"Ancient history {k}" for k in range(n + 4)]
    subjects = pd.Series(names * 3 + [None] * 3)
    frame = pd.DataFrame({"subject": subjects, "late": np.where(np.arange(len(subjects)) % 2, "no", "yes")})
    table = engine.Table.from_frame(frame, target="late", name="loans")
    split = Split("subject", "groups", groups=(tuple(sorted(names[:n])), tuple(sorted(names[n:]))), missing=0)
    said = tips.tip(engine.Tree.root(table).split(table, 0, split), 1)
    listed = said[said.index("{") + 1 : said.index("}")]
    (more,) = map(int, re.findall(r" and (\d+) more$", listed))
    assert len(re.findall(r"history", listed)) + more == n
    assert "} or missing<" in said
