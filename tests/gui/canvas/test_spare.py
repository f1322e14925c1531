"""Words in room that nobody needs: the cards with the most rows take it, and nothing overlaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.picture.cards import frame as label_packing
from gui.picture.cards.frame import MOST_SPARE as MOST
from gui.picture.cards.frame import NAME_WIDTH, OUTSIDE, Frame, spare_of
from gui.picture.cards.frame import SPARE_APART as APART
from gui.picture.cards.frame import SPARE_HIGH as HIGH
from gui.picture.cards.painter import paint
from gui.picture.nodes.letters import NAME, Letters
from tests.effort import examples
from tests.gui.canvas.scenes import KINDS, scene_of
from tests.gui.canvas.trees import drawn_texts, random_tree

SIZE = 1_100, 800


def fitted(tree, size=SIZE):
    scene = scene_of(tree, Letters())
    return Frame(scene, scene.fitted(*size))


def free_room(frame, i, boxes):
    """The room between the boxes beside node i's on its level, as they are drawn in the end."""
    levels = frame.scene.levels
    row = levels.row(int(levels.level[i])).tolist()
    k = row.index(i)
    end = frame.camera.x + frame.scene.width * frame.sx + OUTSIDE
    low = boxes[row[k - 1], 0] + boxes[row[k - 1], 2] + APART if k else frame.camera.x - OUTSIDE
    high = boxes[row[k + 1], 0] - APART if k + 1 < len(row) else end
    return high - low


@pytest.mark.parametrize("kind", KINDS)
@given(n=st.integers(60, 400), seed=st.integers(0, 9), lean=st.sampled_from([0.1, 0.6, 0.9]))
@examples(10)
def test_cards_in_spare_room_overlap_nothing_on_their_level(qapp, kind, n, seed, lean):
    frame = fitted(random_tree(**{**KINDS[kind], "n": n, "seed": seed, "lean": lean}))
    scene, found = frame.scene, spare_of(frame)
    everything = np.arange(scene.tree.n_nodes)
    boxes = frame.cards(everything)
    assert found.nodes.size <= MOST and frame.are_named(found.nodes).all()
    assert set(np.flatnonzero(frame.are_named(everything))) >= set(np.flatnonzero(frame.have_room(everything)))
    x, own = frame.across(everything)
    for i, left, width in zip(found.nodes.tolist(), found.x, found.width, strict=True):
        assert left <= x[i] + 0.01 and left + width >= x[i] + own[i] - 0.01  # around the place that was its own
        row = scene.levels.row(int(scene.levels.level[i]))
        others = boxes[row[row != i]]
        right = boxes[i, 0] + boxes[i, 2]
        assert ((others[:, 0] >= right - 0.01) | (others[:, 0] + others[:, 2] <= boxes[i, 0] + 0.01)).all()
        assert boxes[i, 3] < frame.pitch  # nor does it reach the next level


@pytest.mark.parametrize("task", ["classes", "number"])
def test_whoever_has_no_words_has_no_room_beside_those_with_more_rows(qapp, monkeypatch, task):
    monkeypatch.setattr(label_packing, "MOST_SPARE", 199)
    frame = fitted(random_tree(n=199, task=task, lean=0.8))
    scene, every = frame.scene, np.arange(199)
    assert frame.pitch > HIGH
    boxes, named = frame.cards(every), frame.are_named(every)
    assert named.sum() > frame.have_room(every).sum()
    for i in np.flatnonzero(~named & (scene.inner_right - scene.inner_left >= 1.5 / frame.sx)).tolist():
        name = scene.cards.name_widths[i] * NAME_WIDTH
        assert free_room(frame, i, boxes) < max(frame.least_widths(np.array([i]))[0], name + 12.0, boxes[i, 2])


def test_the_nodes_with_the_most_rows_have_words_in_a_fitted_tree(qapp):
    frame = fitted(random_tree(n=219, lean=0.8, seed=2), (800, 690))
    scene = frame.scene
    first = scene.most_rows[:8]
    assert frame.are_named(first).all() and not frame.have_room(first).all()
    texts = [text for *_, text in drawn_texts(lambda p: paint(p, scene, frame.camera, 800, 690))]
    for i in first.tolist():
        forms = scene.cards.briefs(i) if scene.cards.says_figure(i) else (scene.cards.title(i),)
        begins = {form[:4] for form in forms}
        assert any(text[:4] in begins for text in texts), forms


def test_a_point_on_such_a_card_is_a_point_on_its_node(qapp):
    frame = fitted(random_tree(n=199, lean=0.8))
    nodes = spare_of(frame).nodes
    assert nodes.size
    for i, (x, y, width, height) in zip(nodes.tolist(), frame.cards(nodes).tolist(), strict=True):
        assert frame.node_at(x + 1, y + height / 2, 0.0) == i == frame.node_at(x + width - 1, y + height / 2, 0.0)


def test_moving_the_picture_changes_no_words(qapp):
    frame = fitted(random_tree(n=199, lean=0.8))
    moved = Frame(frame.scene, frame.camera.moved(-300.0, 40.0))
    assert spare_of(moved) is spare_of(frame)
    nodes = spare_of(frame).nodes
    np.testing.assert_allclose(moved.cards(nodes) - frame.cards(nodes), [[-300.0, 40.0, 0.0, 0.0]] * nodes.size)


def test_a_leaf_in_little_room_says_a_short_number(qapp):
    scene = scene_of(random_tree(n=5, task="number"), Letters())
    leaf = int(scene.tree.leaves[0])
    figure, *shorter = scene.cards.briefs(leaf)
    assert shorter and scene.cards.letters.width(shorter[-1], NAME) < scene.cards.letters.width(figure, NAME)
    assert scene.cards.name_room[leaf] == scene.cards.letters.width(shorter[-1], NAME)
