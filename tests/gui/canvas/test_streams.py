"""The streams: laws of the layout, which nodes are drawn, and that words stand where they belong and never overlap."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QPen

from gui import theme
from gui.picture import legend
from gui.picture import levels as level_walk
from gui.picture.camera import Camera
from gui.picture.cards import painter as cards_painter
from gui.picture.cards.painter import Marks
from gui.picture.levels import Levels, kernels
from gui.picture.nodes.letters import Letters
from gui.picture.paper.sheet import Wish, fit, natural
from gui.picture.picture_options import USUAL, PictureOptions
from gui.picture.streams import painter as streams_painter
from gui.picture.streams import ribbons
from gui.picture.streams.frame import HIDDEN, LEAST_PITCH, SMALLEST_SUBTREE, StreamFrame, seen
from gui.picture.streams.painter import edge_plate, edge_rooms, paint
from gui.picture.streams.ribbons import curve
from gui.picture.streams.scene import GAP, INNER, LEAF, StreamPlaces, Streams, _tile
from tests.effort import examples
from tests.gui.canvas.shapes import SHAPES, arrays, children_of
from tests.gui.canvas.trees import agrees, drawn_texts, five_nodes, path, people, random_tree

KINDS = {
    "two classes": {},
    "three classes": {"classes": ("Adelie", "Chinstrap", "Gentoo"), "branches": 3},
    "number": {"task": "number"},
    "many branches": {"branches": 9},
    "staircase": {"lean": 1.0, "n": 41},
    "no holdout": {"validation": False},
}
SIZE = (1_600.0, 940.0)
ZOOMS = st.floats(0.02, 3.0)


def drawn(shape):
    """Preorder arrays of a tree whose leaves have as many rows as their width, and its places."""
    parent, end, branches, widths, level = arrays(shape)
    own = np.where(branches > 0, 0, widths)
    rows = np.array([own[i : end[i]].sum() for i in range(len(parent))])
    levels = Levels(parent, end, branches.astype(np.int64), level)
    return parent, end, branches, level, rows, StreamPlaces(levels, rows, levels.n_branches > 0)


def scene_of(tree, look=theme.LIGHT, shown=USUAL):
    return Streams(tree, 1 if len(tree.classes) == 2 else 0, look, Letters(), shown)


def frame_of(scene, zoom=None, at=(800, 100), move=(0, 0)):
    camera = scene.fitted(*SIZE)
    if zoom is not None:
        camera = camera.zoomed(zoom / camera.zoom, *at).moved(*move)
    return StreamFrame(scene, camera, QSizeF(*SIZE))


# -- the layout


@given(SHAPES)
def test_bars_stand_apart_in_the_order_of_the_branches(shape):
    _, _, branches, level, _, places = drawn(shape)
    slots = np.maximum(places.heights, np.where(branches > 0, INNER, LEAF))
    for depth in range(level.max() + 1):
        row = np.flatnonzero(level == depth)  # preorder is top to bottom within a level
        space = np.diff(places.y[row]) - (slots[row][1:] + slots[row][:-1]) / 2
        assert np.all(space >= GAP - 1e-6)


@given(SHAPES)
def test_a_parent_stands_at_the_middle_of_its_outer_children(shape):
    parent, _, branches, _, _, places = drawn(shape)
    for i in np.flatnonzero(branches):
        children = children_of(parent, i)
        assert places.y[i] == pytest.approx((places.y[children[0]] + places.y[children[-1]]) / 2, abs=1e-6)


@given(SHAPES)
def test_streams_leave_a_bar_one_below_the_other_and_fill_it(shape):
    parent, _, branches, _, rows, places = drawn(shape)
    assert places.heights == pytest.approx(places.heights[0] * rows / max(rows[0], 1))
    for i in np.flatnonzero(branches):
        at = places.y[i] - places.heights[i] / 2
        for child in children_of(parent, i):
            assert places.begins[child] - places.heights[child] / 2 == pytest.approx(at, abs=1e-6)
            at += places.heights[child]
        assert at == pytest.approx(places.y[i] + places.heights[i] / 2, abs=1e-6)


@given(SHAPES)
def test_neighbours_and_extents_are_those_found_one_by_one(shape):
    _, end, branches, level, _, places = drawn(shape)
    slots = np.maximum(places.heights, np.where(branches > 0, INNER, LEAF))
    for i in range(len(end)):
        row = np.flatnonzero(level == level[i]).tolist()
        k = row.index(i)
        above, below = row[k - 1] if k else i, row[k + 1] if k + 1 < len(row) else i
        assert (places.above[i], places.below[i]) == (above, below)
        assert places.before[i] == (places.y[i] - places.y[above] if above != i else np.inf)
        assert places.after[i] == (places.y[below] - places.y[i] if below != i else np.inf)
        inside = slice(i, end[i])
        assert places.inner_low[i] == (places.y[inside] - slots[inside] / 2).min()
        assert places.inner_high[i] == (places.y[inside] + slots[inside] / 2).max()
        assert places.low[i] <= places.begins[i] - places.heights[i] / 2


def test_one_leaf_alone_and_a_tree_without_rows():
    one = StreamPlaces(Levels(*(np.array([v]) for v in (-1, 1, 0, 0))), np.array([12]), np.zeros(1, bool))
    assert (one.y[0], one.bottom) == (one.heights[0] / 2, one.heights[0])
    empty = StreamPlaces(Levels(*(np.array([v]) for v in (-1, 1, 0, 0))), np.array([0]), np.zeros(1, bool))
    assert empty.heights[0] == 0.0


def test_a_staircase_deeper_than_pythons_stack_is_laid_out():
    scene = scene_of(random_tree(n=20_001, lean=1.0))
    assert np.isfinite(scene.places.y).all()


# -- which nodes are drawn


@given(
    zoom=st.floats(1e-3, 3.0), x=st.floats(-4_000, 1_000), y=st.floats(-6_000, 3_000), lean=st.sampled_from((0, 0.5, 1))
)
@examples(40)
def test_everything_in_view_is_drawn_alone_or_in_a_block(qapp, zoom, x, y, lean):
    scene = scene_of(random_tree(n=400, lean=lean))
    frame = frame_of(scene, zoom, move=(x, y))
    shown, drawn = seen(frame), np.zeros(scene.tree.n_nodes, dtype=bool)
    drawn[shown.nodes] = True
    for block in shown.blocks:
        assert not drawn[block : scene.tree.end[block]].any()
        drawn[block : scene.tree.end[block]] = True
    left, (top, bottom) = frame.left(scene.tree.level), frame.spans(np.arange(scene.tree.n_nodes))
    in_view = (left < SIZE[0]) & (left + frame.bar > 0) & (top < SIZE[1]) & (bottom > 0)
    assert not (in_view & ~drawn).any()


@given(zoom=st.floats(1e-3, 3.0), x=st.floats(-4_000, 1_000), y=st.floats(-6_000, 3_000))
@examples(30)
def test_every_stream_that_crosses_the_view_is_drawn(qapp, zoom, x, y):
    scene = scene_of(random_tree(n=300))
    frame = frame_of(scene, zoom, move=(x, y))
    places, shown = scene.places, seen(frame)
    found = {*shown.nodes.tolist(), *shown.blocks.tolist()}
    for i in range(1, scene.tree.n_nodes):
        ways_up = {i, *path(scene.tree, i)}
        x1 = float(frame.left(int(scene.tree.level[i])))
        ends = frame.camera.y + np.array([places.begins[i], places.y[i]]) * frame.sy
        half = places.heights[i] * frame.sy / 2
        crosses = x1 > 0 and x1 - frame.pitch < SIZE[0] and ends.max() + half > 0 and ends.min() - half < SIZE[1]
        assert not crosses or ways_up & found


def test_far_away_a_large_tree_is_a_few_blocks(qapp):
    scene = scene_of(random_tree(n=3_001, lean=0.0))
    near, far = seen(frame_of(scene)), seen(frame_of(scene, scene.fitted(*SIZE).zoom * 0.05))
    assert len(near.nodes) + len(near.blocks) <= scene.tree.n_nodes
    assert len(far.nodes) + len(far.blocks) < (len(near.nodes) + len(near.blocks)) / 2


def test_the_work_of_a_picture_does_not_grow_with_the_tree(qapp):
    for n in (5_001, 40_001):
        scene = scene_of(random_tree(n=n, lean=0.02))
        rows = SIZE[1] / SMALLEST_SUBTREE
        shown = seen(frame_of(scene))
        assert len(shown.nodes) + len(shown.blocks) < 2 * rows * (scene.tree.depth + 1)


# -- words


def words_in(frame):
    """(node, words, edge label) of everything written, as the painter goes through it."""
    found, said, sides = [], np.zeros(0, int), []
    for level in range(frame.scene.tree.depth + 1):
        here, column = frame.written(level), []
        for k, (i, middle) in enumerate(zip(here.nodes.tolist(), here.middles.tolist(), strict=True)):
            if frame.readable:
                [room_before] = edge_rooms(frame, said, sides, np.array([level]), np.array([middle]))
            else:
                room_before = frame.overview[i].before
            edge = edge_plate(frame, i, middle, room_before) if i else None
            words = frame.words_at(level, k)
            found.append((i, words, edge))
            column += [(words.box.top(), words.box.bottom(), words.box.right())] if words is not None else []
        said, sides = np.full(len(column), level), column
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(500, 380), (700, 520), (1_600, 940)])
def test_no_words_of_a_fitted_tree_reach_over_the_border(qapp, kind, size):
    for n in (5, 15, 25):
        tree = random_tree(**{**KINDS[kind], "n": n})
        scene = scene_of(tree)
        frame = StreamFrame(scene, scene.fitted(*size), QSizeF(*size))
        boxes = [frame.words_box(i) for i in range(tree.n_nodes)]
        assert max(box.right() for box in boxes if not box.isEmpty()) <= size[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("box", [None, (960, 540)])
def test_no_words_of_a_picture_reach_over_its_border(qapp, kind, box):
    """Nor in one of a branch, whose last column may be another."""
    for n in (5, 25):
        tree = random_tree(**{**KINDS[kind], "n": n})
        scene = scene_of(tree)
        for top in np.flatnonzero((tree.n_branches > 0) & (tree.level < 2)).tolist():
            sheet = natural(scene, Wish(), top) if box is None else fit(scene, Wish(), *box, top)
            frame = StreamFrame(scene, sheet.camera, QSizeF(sheet.width, sheet.height), top)
            boxes = [frame.words_box(i) for i in range(top, int(tree.end[top]))]
            assert max(words.right() for words in boxes if not words.isEmpty()) <= sheet.width


def test_paper_as_large_as_it_needs_hides_no_prediction_and_no_condition(qapp) -> None:
    named = random_tree(n=25, classes=("no", "non-responders"))
    for tree in (named, five_nodes(people())):
        sheet = natural(scene_of(tree), Wish())
        texts = [t for *_, t in drawn_texts(lambda p, sheet=sheet: sheet.draw(p, 96), sheet.width, sheet.height)]
        for k, name in enumerate(tree.classes):
            assert texts.count(f"predicts {name}") == (tree.labels[tree.leaves] == k).sum()
        assert not any("…" in text for text in texts if not text.startswith("a rather"))


def test_cuts_beside_words_cover_no_bar_and_not_the_legend(qapp, monkeypatch) -> None:
    plates: list[QRectF] = []
    monkeypatch.setattr(cards_painter, "fill_rounded", lambda painter, plate, *others: plates.append(plate))
    scene, image = scene_of(random_tree(n=15)), QImage(700, 600, QImage.Format.Format_RGB32)
    n_plates = 0
    for width, height in [(500, 300), (640, 350), (640, 590)]:
        plates.clear()
        camera, painter = scene.fitted(width, height - legend.HEIGHT), QPainter(image)
        legend.paint(painter, scene, legend.LEFT, height - legend.HEIGHT, width)
        paint(painter, scene, camera, width, height, Marks(selected=1))
        painter.end()
        frame = StreamFrame(scene, camera, QSizeF(width, height))
        bars = [QRectF(*box) for box in frame.boxes(np.arange(scene.tree.n_nodes)).tolist()]
        taken = [legend.box(scene, legend.LEFT, height - legend.HEIGHT), frame.box(1), *bars]
        assert not any(plate.intersects(box) for plate in plates for box in taken)
        n_plates += len(plates)
    assert n_plates


@given(zoom=ZOOMS, seed=st.integers(0, 5), y=st.floats(-800, 800), first=st.integers(0, 9), more=st.integers(0, 9))
@examples(20)
def test_several_columns_at_once_have_the_words_of_each_of_them(qapp, zoom, seed, y, first, more):
    frame = frame_of(scene_of(random_tree(n=80, seed=seed)), zoom, move=(0, y))
    found, rooms = frame.written_between(first, first + more)
    apart = [frame.written(level) for level in range(first, first + more + 1)]
    for name in ("nodes", "tiers", "middles", "levels"):
        np.testing.assert_array_equal(getattr(found, name), np.concatenate([getattr(one, name) for one in apart]))
    np.testing.assert_array_equal(rooms, np.concatenate([frame.rooms(k) for k in range(first, first + more + 1)]))


@pytest.mark.parametrize("kind", KINDS)
@given(zoom=ZOOMS, seed=st.integers(0, 5), y=st.floats(-800, 800))
@examples(12)
def test_no_words_overlap(qapp, kind, zoom, seed, y):
    scene = scene_of(random_tree(**{"n": 80, "seed": seed, **KINDS[kind]}))
    frame = frame_of(scene, zoom, move=(0, y))
    boxes = []
    for _, words, edge in words_in(frame):
        boxes += [words.box] if words is not None else []
        boxes += [edge[1]] if edge is not None else []
    sides = np.array([(b.left(), b.top(), b.right(), b.bottom()) for b in boxes]).reshape(-1, 4)
    for k, (left, top, right, bottom) in enumerate(sides):
        others = sides[k + 1 :]
        across = (others[:, 0] < right - 0.01) & (others[:, 2] > left + 0.01)
        down = (others[:, 1] < bottom - 0.01) & (others[:, 3] > top + 0.01)
        assert not (across & down).any()


@pytest.mark.parametrize("kind", KINDS)
def test_words_stand_inside_their_box_and_figures_are_whole(qapp, kind):
    scene = scene_of(random_tree(**{"n": 60, **KINDS[kind]}))
    frame = frame_of(scene)
    letters, cards = scene.cards.letters, scene.cards
    for i, words, _ in words_in(frame):
        if words is None:
            continue
        allowed = {form for row in cards.rows(i)[1:] for form in row.forms(i)}
        for line in words.lines:
            width = letters.width(line.text, line.kind) * frame.words
            assert words.box.left() <= line.at.x() <= line.at.x() + width <= words.box.right() + 0.01
            assert words.box.top() <= line.at.y() <= words.box.bottom()
        parts = {part for form in allowed for part in form.split(" · ")}  # the last line of a leaf may say several
        assert all(part in parts for line in words.lines[1:] for part in line.text.split(" · "))


def test_a_leaf_says_its_rows_first_and_names_its_figures(qapp):
    tree = five_nodes(people(target="buys"))
    lines = (*PictureOptions().lines, "share", "validation", "impurity", "number")
    scene = scene_of(tree, shown=PictureOptions(lines=lines))
    for room in range(50, 320, 10):
        for many in range(1, 7):
            for i in tree.leaves.tolist():
                made = _tile(scene, i, many, float(room))
                said = " · ".join(line.text for line in made.lines[1:]).split(" · ") if made else [""]
                assert said[0] in ("", *scene.cards.details(i)), (room, many, said)
                assert scene.cards.impurity(i)[1] not in said
    wide = [line.text for line in _tile(scene, int(tree.leaves[0]), 6, 104.0).lines]
    assert any(text.startswith("Gini ") for text in wide), "below the tile there is room for what a figure is called"


@pytest.mark.parametrize("height", [120.0, 300.0, 700.0])
def test_a_bar_and_its_words_have_one_outline(qapp, height):
    scene, strokes = scene_of(five_nodes(people(target="buys"))), []
    frame = StreamFrame(scene, scene.fitted(900, height), QSizeF(900, height))
    device = QImage(1, 1, QImage.Format.Format_RGB32)
    recorder = SimpleNamespace(
        strokePath=lambda path, pen: strokes.append(path), paintEngine=lambda: None, device=lambda: device
    )
    picture = streams_painter._Picture(recorder, frame, streams_painter.Marks(), 96.0)
    for i in range(scene.tree.n_nodes):
        strokes.clear()
        picture.ring(i, QPen(), 3)
        assert [len(path.toSubpathPolygons()) for path in strokes] == [1]
        assert strokes[0].boundingRect().contains(frame.box(i))
        assert strokes[0].boundingRect().contains(frame.bar_box(i))


@pytest.mark.parametrize("target", ["buys", "city", "income"])
def test_every_stream_says_what_the_split_says(qapp, target):
    scene = scene_of(five_nodes(people(target=target)))
    camera = scene.fitted(*SIZE)
    texts = drawn_texts(lambda p: paint(p, scene, camera, *SIZE))
    frame = StreamFrame(scene, camera, QSizeF(*SIZE))
    for i in range(1, scene.tree.n_nodes):
        bar = frame.bar_box(i)
        beside = [
            t for x, y, t in texts if bar.left() - frame.pitch / 2 < x < bar.left() and bar.top() < y < bar.bottom()
        ]
        assert len(beside) == 1 and agrees(beside[0], scene.tree.branch_words(i), scene.tree, i)


def test_numbers_on_streams_are_never_shortened(qapp):
    scene = scene_of(random_tree(n=120, lean=0.1))
    for zoom in (0.5, 0.8, 1.0, 2.0):
        for i, _, edge in words_in(frame_of(scene, zoom)):
            assert edge is None or edge[0] == scene.tree.branch_words(i)


def test_nearer_means_more_words(qapp):
    """From boxes through names to whole cards."""
    scene = scene_of(random_tree(n=1_001, lean=0.02))
    at = (300, 450)
    lines = [max((len(w.lines) for _, w, _ in words_in(frame_of(scene, z, at)) if w), default=0) for z in (0.005, 1.0)]
    assert lines[0] <= 1 < lines[1]
    fit = scene.fitted(*SIZE)
    assert words_in(StreamFrame(scene, fit, QSizeF(*SIZE)))  # large streams keep their words in an overview


def test_words_of_a_tall_bar_stay_in_view(qapp):
    scene = scene_of(random_tree(n=1_001, lean=0.02))
    bar = frame_of(scene, 1.0).bar_box(0)
    assert bar.height() > 4 * SIZE[1]
    for share in (0.2, 0.5, 0.8):  # which point of the bar is in the middle of the view
        move = (-bar.left(), SIZE[1] / 2 - bar.top() - share * bar.height())
        words = frame_of(scene, 1.0, move=move).words_box(0)
        assert words.top() >= 0 and words.bottom() <= SIZE[1]


def test_lines_are_those_that_a_person_chose(qapp):
    tree = five_nodes(people())
    scene = scene_of(tree, shown=PictureOptions(lines=("split", "share", "number")))
    frame = frame_of(scene)
    words = {i: [line.text for line in found.lines] for i, found, _ in words_in(frame)}
    assert words[0] == ["age", "100 % of all rows", "node 0"]
    assert f"node {int(tree.ids[2])}" in words[2]


def test_validation_rows_flow(qapp):
    tree = random_tree(n=31)
    train, held_out = scene_of(tree), scene_of(tree, shown=PictureOptions(part="validation"))
    share = tree.rows_validation / tree.rows_validation[0]
    assert held_out.places.heights == pytest.approx(held_out.places.heights[0] * share)
    assert train.places is not held_out.places


# -- columns too narrow for words


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(800, 560), (500, 380), (1_600, 940)])
def test_in_an_overview_the_largest_bars_have_words(qapp, kind, size):
    tree = random_tree(**{**KINDS[kind], "n": 301, "lean": 0.85})
    scene = scene_of(tree)
    frame = StreamFrame(scene, scene.fitted(*size), QSizeF(*size))
    found = frame.overview
    if frame.readable or frame.pitch < LEAST_PITCH:
        assert not found
        return
    assert found
    texts = [text for *_, text in drawn_texts(lambda p: paint(p, scene, frame.camera, *size))]
    for i, spot in found.items():
        x = float(frame.beside(int(scene.levels.level[i])))
        named = frame.shape(i, spot.lines, spot.room).placed(x, spot.middle, frame.words)
        title = named.lines[0].text
        forms = scene.cards.texts(i)[0]
        assert title in texts and (len(title) >= min(7, len(forms[0])) or title in forms)
        assert named.box == spot.box and QRectF(0, 0, *size).contains(spot.box)
        others = [other.box for k, other in found.items() if k != i]
        assert not any(spot.box.intersects(other) for other in others)
        for k in range(tree.n_nodes):
            bar = frame.bar_box(k)
            assert k == i or spot.box.intersected(bar).height() <= HIDDEN * bar.height() + 0.01
    assert frame.tiers(np.arange(tree.n_nodes)).astype(bool).nonzero()[0].tolist() == sorted(found)


def test_an_overview_is_kept_for_one_camera_alone(qapp):
    tree = random_tree(n=301, lean=0.85)
    scene = scene_of(tree)
    fitted = scene.fitted(800, 560)
    found = []
    for camera, size in (
        (fitted, (800, 560)),
        (fitted.moved(40, 9), (800, 560)),
        (fitted, (300, 240)),
        (fitted, (800, 560)),
    ):
        frame = StreamFrame(scene, camera, QSizeF(*size))
        assert frame.overview == StreamFrame(scene_of(tree), camera, QSizeF(*size)).overview
        assert StreamFrame(scene, camera, QSizeF(*size)).overview is frame.overview
        found.append(frame.overview)
    assert found[0] == found[3] and found[0] != found[1] and found[0] != found[2]


def test_of_a_thousand_narrow_columns_few_are_looked_at_for_words(qapp):
    frame = frame_of(scene_of(random_tree(n=2_001, lean=1.0)))
    assert frame.scene.levels.depth == 1_000 and not frame.written_between(0, 1_000)[0].nodes.size
    closer = frame_of(frame.scene, frame.camera.zoom * 3 * LEAST_PITCH / frame.pitch, at=(24, 470))
    with_words = [int(frame.scene.levels.level[i]) for i in closer.overview]
    assert with_words and closer.written_between(0, 1_000)[0].levels.tolist() == sorted(with_words)


def test_wider_columns_have_their_own_words(qapp):
    scene = scene_of(random_tree(n=11))
    frame = frame_of(scene, 1.0)
    assert frame.readable and not frame.overview


# -- pointing


@pytest.mark.parametrize("kind", KINDS)
@given(zoom=ZOOMS, seed=st.integers(0, 3))
@examples(8)
def test_a_point_on_a_bar_or_on_words_is_a_point_on_their_node(qapp, kind, zoom, seed):
    scene = scene_of(random_tree(**{"n": 60, "seed": seed, **KINDS[kind]}))
    frame = frame_of(scene, zoom)
    for i in range(scene.tree.n_nodes):
        bar = frame.bar_box(i)
        if bar.height() > 8:
            for point in (QPointF(bar.center().x(), y) for y in (bar.top() + 4, bar.bottom() - 4)):
                over = [k for k, spot in frame.overview.items() if spot.box.contains(point)]
                assert frame.node_at(point.x(), point.y()) == (over or [i])[0]  # what lies on top
        words = frame.words_box(i)
        if not words.isEmpty():
            assert frame.node_at(words.center().x(), words.center().y()) == i
            assert frame.box(i).adjusted(-0.01, -0.01, 0.01, 0.01).contains(words)
    assert frame.node_at(-5_000, 400) == -1
    assert frame.node_at(float(frame.left(0)) + frame.bar / 2, frame.camera.y - 4_000) == -1


@given(st.floats(0.05, 3.0), st.floats(0, 1_600), st.floats(0, 900))
def test_zooming_holds_the_point_and_comes_back(qapp, factor, x, y):
    scene = scene_of(random_tree(n=61))
    camera = scene.fitted(*SIZE)
    there = camera.zoomed(factor, x, y)
    assert (x - there.x) / there.sx == pytest.approx((x - camera.x) / camera.sx, abs=1e-6)
    back = there.zoomed(camera.zoom / there.zoom, x, y)
    assert (back.sx, back.sy) == pytest.approx((camera.sx, camera.sy))


def test_a_fitted_tree_is_in_view_and_fills_it(qapp):
    for n in (1, 5, 61, 1_001):
        scene = scene_of(random_tree(n=n, lean=0.1) if n > 1 else random_tree(n=1))
        frame = frame_of(scene)
        top, bottom = frame.spans(np.arange(scene.tree.n_nodes))
        assert top.min() >= 0 and bottom.max() <= SIZE[1]
        left = frame.left(scene.tree.level)
        assert left.min() >= 0 and left.max() + frame.bar <= SIZE[0]


# -- painting


def image_of(scene, camera):
    image = QImage(*(int(side) for side in SIZE), QImage.Format.Format_RGB32)
    image.fill(scene.theme.canvas)
    painter = QPainter(image)
    paint(painter, scene, camera, *SIZE)
    painter.end()
    return image


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_a_bar_is_divided_by_class_and_a_stream_has_its_colour(qapp, look):
    scene = scene_of(five_nodes(people()), look)
    frame = frame_of(scene)
    image = image_of(scene, frame.camera)
    for i in range(scene.tree.n_nodes):
        bar = frame.bar_box(i)
        share = scene.tree.probabilities[i, 0]
        x = int(bar.center().x())
        assert image.pixelColor(x, int(bar.top() + share * bar.height() / 2)) == look.negative
        assert image.pixelColor(x, int(bar.bottom() - (1 - share) * bar.height() / 2)) == look.positive
        if i:
            y = int(bar.top() + 4)
            assert image.pixelColor(int(bar.left() - 3), y) == scene.colours.ribbon(i)


def test_far_outside_of_the_view_nothing_is_lost(qapp):
    """Coordinates beyond what Qt knows are cut off: in the midst of a large stream all is its colour."""
    scene = scene_of(random_tree(n=40_001, lean=0.02))
    fit = scene.fitted(*SIZE)
    near = fit.zoomed(1.0 / fit.zoom, 100, 450)
    child = 1 if scene.places.heights[1] > scene.places.heights[int(scene.tree.end[1])] else int(scene.tree.end[1])
    frame = StreamFrame(scene, near, QSizeF(*SIZE))
    bar = frame.bar_box(child)
    assert bar.height() > 40_000
    camera = Camera(near.x - bar.left() + 700, near.y - bar.center().y() + 450, near.zoom, near.spacing)
    image = image_of(scene, camera)
    assert image.pixelColor(695, 40) == scene.colours.ribbon(child)


def test_a_thin_stream_is_the_curve_in_pieces():
    x, y = curve(np.array([[0.0, 10.0, 100.0, 50.0]]), 40)
    t = np.linspace(0, 1, 41)
    control = np.array([[0.0, 10.0], [50.0, 10.0], [50.0, 50.0], [100.0, 50.0]])
    weights = np.stack(((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3), axis=1)
    assert np.column_stack((x[0], y[0])) == pytest.approx(weights @ control)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_tree_is_painted_at_every_size(qapp, kind):
    scene = scene_of(random_tree(**{"n": 200, **KINDS[kind]}))
    fit = scene.fitted(*SIZE)
    for zoom in (0.3, 1.0, 5.0, 1 / fit.zoom, 3 / fit.zoom):
        image = image_of(scene, fit.zoomed(zoom, 400, 300))
        assert image.size().width() == SIZE[0]


@given(zoom=ZOOMS, seed=st.integers(0, 3), x=st.floats(-900, 900), y=st.floats(-900, 900))
@examples(10)
def test_what_is_left_out_is_not_in_view(qapp, zoom, seed, x, y):
    scene = scene_of(random_tree(201, seed=seed))
    frame = frame_of(scene, zoom, move=(x, y))
    shown = seen(frame)
    nodes = np.concatenate((shown.nodes, shown.blocks))
    lines, heights, near = ribbons.in_view(frame, nodes)
    every, all_heights = ribbons.ends(frame, nodes), frame.places.heights[nodes] * frame.sy
    assert np.array_equal(lines, every[near]) and np.array_equal(heights, all_heights[near])
    for (x0, y0, x1, y1), height in zip(every[~near].tolist(), all_heights[~near].tolist(), strict=True):
        reach = ribbons.band(frame, x0, y0, x1, y1, height).boundingRect()
        assert not reach.intersects(QRectF(0, 0, *SIZE))


@pytest.mark.parametrize("kind", KINDS)
@given(zoom=ZOOMS, x=st.floats(-900, 900), y=st.floats(-900, 900))
@examples(10)
def test_columns_one_by_one_show_the_same(qapp, kind, zoom, x, y):
    """Twin of looking at many columns together."""
    frame = frame_of(scene_of(random_tree(**{"n": 301, **KINDS[kind]})), zoom, move=(x, y))
    together = seen(frame)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(level_walk, "TOGETHER", 0)
        alone = seen(frame)
    assert sorted(together.nodes) == sorted(alone.nodes) and sorted(together.blocks) == sorted(alone.blocks)


def test_the_kernel_fills_what_qt_draws(qapp):
    """Twin of the kernel: the same streams by Qt, as on paper and before it is compiled."""
    scene = scene_of(random_tree(21))
    frame = frame_of(scene, 0.2)
    nodes = np.arange(1, 21)
    lines, heights, near = ribbons.in_view(frame, nodes)
    order = np.argsort(heights, kind="stable")
    colours = scene.ribbon_colours(nodes[near], np.zeros(near.sum(), bool))
    width, height = (int(side) for side in frame.size.toTuple())
    filled, found = np.zeros((height, width), np.uint32), []
    kernel = kernels().fill_bands
    given = lines[order], heights[order], colours[order], ribbons.DOWN, ribbons.THINNEST
    getattr(kernel, "compiled", kernel)(filled, *given)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene, "paper", True)
        ribbons._paint_bands(painter, frame, lines, heights, colours)
    painter.end()
    for picture in (filled, np.array(image.constBits()).view(np.uint32).reshape(height, width)):
        found.append(np.ascontiguousarray(picture).view(np.uint8).reshape(height, width, 4).astype(int))
    apart = np.abs(found[0] - found[1]).max(axis=2)
    assert (found[1] > 0).mean() > 0.02 and (found[0] == 0).any()
    assert apart.mean() < 1.0 and (apart > 128).mean() < 0.002
