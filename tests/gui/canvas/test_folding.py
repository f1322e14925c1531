"""Folded branches: which nodes are shown, where they stand, and what a person does to fold and unfold."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSlider, QToolButton

from gui import theme
from gui.canvas.overlays.picture_controls import FoldBar
from gui.model.view_state.folding import standing
from gui.picture.cards.scene import Scene
from gui.picture.emphasis import Emphasis
from gui.picture.folds import Folds, folded_of, leaves_below, leaves_shown
from gui.picture.levels import levels_of
from gui.picture.nodes.cards import Cards
from gui.picture.nodes.letters import Letters
from gui.picture.picture_options import PictureOptions
from gui.picture.streams.scene import Streams
from tests.effort import examples
from tests.gui.canvas.hands import LEFT, NONE, move
from tests.gui.canvas.hands import shown as canvas
from tests.gui.canvas.trees import Shown, by_city, drawn_texts, five_nodes, people, random_tree

KINDS = pytest.mark.parametrize("kind", [Scene, Streams])
BY_NODE = {
    Scene: ("x", "top", "heights", "node_room", "inner_left", "inner_right", "deepest", "left", "right"),
    Streams: ("y", "heights", "begins", "before", "after", "inner_low", "inner_high", "deepest", "low", "high"),
}

TREES = st.builds(
    random_tree,
    n=st.integers(1, 90),
    seed=st.integers(0, 9),
    branches=st.integers(2, 5),
    lean=st.sampled_from((0.1, 0.5, 1)),
)
IDS = st.frozensets(st.integers(0, 95), max_size=12)
FOLDS = st.builds(Folds, st.integers(0, 6), st.sampled_from((0, 3, 300, 10_000)), IDS, IDS)


def scene(kind, tree, folds=None, focus=1):
    return kind(tree, focus, theme.LIGHT, Letters(), PictureOptions(folds=folds or Folds()))


# -- which nodes are shown


def shown_naively(tree, folds):
    """(positions shown, positions folded and shown), node by node from the root."""
    shown, tops, stack = [], [], [0]
    while stack:
        i = stack.pop()
        shown.append(i)
        node = int(tree.ids[i])
        by_level = bool(folds.depth) and tree.level[i] >= folds.depth
        ruled = by_level or tree.rows_train[i] < folds.least_rows
        closed = tree.n_branches[i] > 0 and (node in folds.folded or (ruled and node not in folds.unfolded))
        if closed:
            tops.append(i)
        else:
            stack += tree.children(i)
    return sorted(shown), sorted(tops)


@given(TREES, FOLDS)
@examples(150)
def test_shown_are_the_nodes_that_no_folded_one_stands_above(tree, folds):
    shown, tops = shown_naively(tree, folds)
    found = folded_of(tree, folds)
    if found is None:
        assert not tops
        return
    assert found.shown.tolist() == shown
    assert found.tops.tolist() == tops
    for i in range(tree.n_nodes):
        above = i
        while above not in shown:
            above = int(tree.parent[above])
        assert found.standing(i) == above
        assert found.is_hidden(i) == (above != i)
        assert found.is_top(i) == (i in tops)
    hidden = sum(leaves_below(tree, i) for i in tops)
    assert leaves_shown(tree, found) == tree.n_leaves - hidden


@given(TREES, FOLDS)
@examples(100)
def test_levels_are_those_of_the_tree_with_leaves_where_it_is_folded(tree, folds):
    found = folded_of(tree, folds)
    if found is None:
        return
    cut = tree.collapse(*tree.ids[found.tops].tolist())
    assert cut.ids.tolist() == tree.ids[found.shown].tolist()
    ours, theirs = found.levels, levels_of(cut)
    for name in ("parent", "end", "n_branches", "level", "order", "place", "start", "above", "child", "branches"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name


def test_opening_and_shutting_come_back_to_the_same_picture():
    tree = random_tree(n=61, lean=0.3)
    ruled = Folds(depth=2)
    top = int(tree.ids[folded_of(tree, ruled).tops[0]])
    opened = ruled.opened(tree, top)
    assert opened.unfolded == {top}
    assert opened.shut(tree, top) == ruled
    one = Folds().shut(tree, top)
    assert one == Folds(folded=frozenset({top}))
    assert one.opened(tree, top) == Folds()


# -- where they stand


@KINDS
@given(TREES, FOLDS)
@examples(40)
def test_what_is_shown_stands_apart_and_what_is_hidden_stands_with_its_branch(kind, tree, folds):
    found = folded_of(tree, folds)
    if found is None:
        return
    drawn = scene(kind, tree, folds)
    places = drawn if kind is Scene else drawn.places
    for name in BY_NODE[kind]:
        values = getattr(places, name)
        assert values.shape == (tree.n_nodes,)
        for i in range(tree.n_nodes):
            assert values[i] == values[found.standing(i)]
    sizes = drawn.cards.room / 2 if kind is Scene else np.maximum(drawn.places.heights, 22.0) / 2
    centres = drawn.x if kind is Scene else drawn.places.y
    for level in range(drawn.levels.depth + 1):
        row = drawn.levels.row(level)
        assert set(row.tolist()) == {i for i in found.shown.tolist() if tree.level[i] == level}
        assert (np.diff(centres[row]) >= (sizes[row][1:] + sizes[row][:-1]) - 1e-6).all()


@KINDS
def test_the_whole_tree_is_laid_out_once_whatever_is_folded_meanwhile(kind):
    tree = random_tree(n=61)
    before = scene(kind, tree)
    scene(kind, tree, Folds(depth=2))
    after = scene(kind, tree)
    ours = (lambda drawn: drawn.x) if kind is Scene else (lambda drawn: drawn.places)
    assert ours(before) is ours(after)


def test_the_words_of_cards_are_measured_once_whatever_is_folded_meanwhile(qtbot, monkeypatch):
    measured, width = [], Cards._width
    monkeypatch.setattr(Cards, "_width", lambda cards, i: measured.append(i) or width(cards, i))
    document = Shown(None, random_tree(59))
    view = canvas(qtbot, document)
    assert len(measured) == 59
    room, texts = view.port.scene.cards.room, view.port.scene.cards.texts(0)
    document.look.set(folds=Folds(depth=2))
    theme.set_mode("dark")
    assert len(measured) == 59 and view.port.scene.cards.room is room and view.port.scene.cards.texts(0) == texts
    document.look.set(lines=("split",))
    assert len(measured) == 2 * 59 and view.port.scene.cards.texts(0) != texts
    document.look.set(colour_by="impurity", lines=("split", "rows"))
    assert len(measured) == 3 * 59 and "Gini" in str(view.port.scene.cards.texts(0))
    document.show_tree(random_tree(31))
    assert len(measured) == 3 * 59 + 31


@KINDS
def test_figures_and_colours_are_those_of_the_whole_tree(kind):
    tree = random_tree(n=61)
    whole, part = scene(kind, tree), scene(kind, tree, Folds(depth=2))
    assert part.tree is tree
    assert part.colours.shade is whole.colours.shade
    assert part.bar_ends is whole.bar_ends
    top = int(part.folded.tops[0])
    assert part.cards.is_inner(top)
    assert part.cards.texts(top) == whole.cards.texts(top)


@KINDS
def test_a_large_tree_is_folded_as_the_same_nodes_alone(kind):
    tree = random_tree(n=20_001, lean=0.02)
    drawn = scene(kind, tree, Folds(depth=6))
    assert drawn.levels.depth == 6
    assert drawn.levels.n == int((tree.level <= 6).sum())
    assert drawn.width < scene(kind, tree).width or kind is Streams


# -- what a person does


@pytest.fixture(params=["cards", "streams"])
def document(request):
    found = Shown(None, random_tree(n=59, seed=3, lean=0.3))
    found.look.set(kind=request.param)
    return found


@pytest.fixture
def view(qtbot, document):
    return canvas(qtbot, document, size=(1_300, 800))


def ids_shown(view):
    folded = view.port.scene.folded
    tree = view.port.scene.tree
    return set(tree.ids.tolist() if folded is None else tree.ids[folded.shown].tolist())


def below(tree, node):
    i = tree.position(node)
    return set(tree.ids[i + 1 : tree.end[i]].tolist())


def mark(view, node):
    """The handle or the plate of a node, as painted last."""
    view.grab()
    i = view.port.scene.tree.position(node)
    return next(each for each in view.handles.marks if each.i == i)


def click_mark(view, node):
    QTest.mouseClick(view, LEFT, NONE, mark(view, node).box.center().toPoint())


def inner_below(tree, node):
    return next(int(tree.ids[i]) for i in tree.children(tree.position(node)) if tree.n_branches[i])


def test_a_click_on_the_handle_folds_and_one_on_what_it_says_unfolds(view, document):
    tree, every = document.tree, set(document.tree.ids.tolist())
    node = inner_below(tree, 0)
    move(view, view.node_rect(node).center().toPoint())  # only now it has a handle
    click_mark(view, node)
    assert ids_shown(view) == every - below(tree, node)
    assert document.selected == 0
    assert mark(view, node).text.startswith(f"+ {leaves_below(tree, tree.position(node))}")
    click_mark(view, node)
    assert ids_shown(view) == every


def test_leaves_and_open_cards_far_from_the_mouse_have_no_handle(view, document):
    view.grab()
    assert [each.i for each in view.handles.marks] == [0]  # the selected one
    tree = document.tree
    leaf = int(tree.ids[tree.leaves[0]])
    document.select(leaf)
    view.grab()
    assert not view.handles.marks


def test_the_mouse_may_go_from_a_card_to_its_handle(view, document):
    node = inner_below(document.tree, 0)
    move(view, view.node_rect(node).center().toPoint())
    handle = mark(view, node).box
    outside = QPoint(int(handle.center().x()), int(handle.bottom() - 1))
    move(view, outside)
    assert view.hovered == document.tree.position(node)
    QTest.mouseClick(view, LEFT, NONE, outside)
    assert not below(document.tree, node) & ids_shown(view)


def test_two_quick_clicks_on_a_handle_fold_and_unfold(qtbot, view, document):
    every = set(document.tree.ids.tolist())
    point = mark(view, 0).box.center().toPoint()
    with qtbot.assertNotEmitted(view.activated):
        QTest.mouseClick(view, LEFT, NONE, point)
        assert ids_shown(view) == {0}
        QTest.mouseDClick(view, LEFT, NONE, mark(view, 0).box.center().toPoint())
    assert ids_shown(view) in ({0}, every)


def test_folding_around_the_selected_node_selects_the_folded_one(view, document):
    tree = document.tree
    node = inner_below(tree, 0)
    leaf = max(below(tree, node))
    document.select(leaf)
    move(view, view.node_rect(node).center().toPoint())
    click_mark(view, node)
    assert document.selected == node


def test_selecting_a_hidden_node_unfolds_just_the_way_to_it(view, document):
    tree = document.tree
    document.look.set(folds=Folds(depth=1))
    deep = int(tree.ids[int(np.argmax(tree.level))])
    document.select(deep)
    way = {int(tree.ids[i]) for i in path_of(tree, tree.position(deep))}
    beside = {int(tree.ids[k]) for i in path_of(tree, tree.position(deep))[1:] for k in tree.children(i)}
    assert ids_shown(view) == way | beside
    assert not view.node_rect(deep).isEmpty()


def path_of(tree, i):
    found = [i]
    while i:
        i = int(tree.parent[i])
        found.append(i)
    return found


def test_arrows_walk_past_what_is_folded(view, document):
    tree = document.tree
    document.look.set(folds=Folds(depth=1))
    keys = {"cards": (Qt.Key.Key_Down, Qt.Key.Key_Right), "streams": (Qt.Key.Key_Right, Qt.Key.Key_Down)}
    down, beside = keys[document.look.kind]
    QTest.keyClick(view, down)
    child = document.selected
    assert tree.parent[tree.position(child)] == 0
    QTest.keyClick(view, down)
    assert document.selected == child  # it is folded: there is nothing below
    QTest.keyClick(view, beside)
    assert tree.parent[tree.position(document.selected)] == 0
    assert document.look.folds == Folds(depth=1)


def test_the_folded_node_stays_where_it_is(view, document):
    node = inner_below(document.tree, 0)
    view.zoom_in()
    view.reveal(node)
    before = view.node_rect(node)
    move(view, before.center().toPoint())
    click_mark(view, node)
    after = view.node_rect(node)
    assert after.center().x() == pytest.approx(before.center().x(), abs=0.5) or document.look.kind == "streams"
    assert after.top() == pytest.approx(before.top(), abs=1.0) or document.look.kind == "streams"


def test_a_hidden_node_that_a_panel_points_at_marks_its_branch(view, document):
    tree = document.tree
    node = inner_below(tree, 0)
    document.look.set(folds=Folds(folded=frozenset({node})))
    hidden = max(below(tree, node))
    document.look.set(pointed=hidden)
    assert view.hovered == tree.position(node)
    assert document.look.pointed == hidden


def test_a_folded_card_is_no_leaf_that_says_something(view, document):
    tree = document.tree
    node = inner_below(tree, 0)
    document.look.set(folds=Folds(folded=frozenset({node})))
    texts = [text for _, _, text in drawn_texts(lambda painter: view.render(painter, QPoint()), 1_300, 800)]
    i = tree.position(node)
    assert any(text.startswith(f"+ {leaves_below(tree, i)}") for text in texts)
    assert sum(text.startswith("says ") for text in texts) <= leaves_shown(tree, view.port.scene.folded)


def test_the_slider_folds_by_level(view, document):
    tree, slider = document.tree, view.findChild(QSlider, "fold_levels")
    assert slider.isVisible() and slider.maximum() == slider.value() == tree.depth
    slider.setSliderPosition(2)
    assert ids_shown(view) == set(tree.ids[tree.level <= 2].tolist())
    said = view.findChild(QLabel, "fold_said")
    shown = int(((tree.level <= 2) & (tree.n_branches == 0)).sum())
    assert said.isVisible() and said.text() == f"Folded: {tree.n_leaves - shown} leaves hidden"
    QTest.mouseClick(view.findChild(QToolButton, "fold_all"), LEFT)
    assert ids_shown(view) == set(tree.ids.tolist())
    assert not said.isVisible() and slider.value() == tree.depth


def test_the_slider_makes_way_for_the_legend(qtbot, document):
    view = canvas(qtbot, document, size=(260, 400))
    assert not view.findChild(QSlider, "fold_levels").isVisible()
    document.look.set(folds=Folds(depth=1))
    bar = view.findChild(FoldBar)
    assert bar.isVisible() and view.findChild(QLabel, "fold_said").isVisible()
    assert bar.geometry().right() <= view.width()


def test_an_edit_keeps_the_folds_of_nodes_that_stay(qtbot):
    table = people()
    tree = five_nodes(table)
    document = Shown(table, tree)
    view = canvas(qtbot, document)
    document.look.set(folds=Folds(folded=frozenset({1})))
    document.show_tree(tree.split(table, 2, by_city()))
    assert ids_shown(view) == {0, 1, 2} | {int(node) for node in document.tree.ids if node > 4}
    document.show_tree(document.tree.collapse(1))
    assert document.look.folds == Folds()  # it is a leaf now
    document.show_tree(tree)
    assert ids_shown(view) == {0, 1, 2, 3, 4}


def test_a_leaf_that_is_split_where_levels_are_folded_shows_its_branches(qtbot):
    table = people()
    tree = five_nodes(table)
    document = Shown(table, tree)
    view = canvas(qtbot, document)
    document.look.set(folds=Folds(depth=1))
    document.select(2)
    document.show_tree(tree.split(table, 2, by_city()))
    assert ids_shown(view) == {0, 1, 2} | {int(node) for node in document.tree.ids if node > 4}


def test_another_target_begins_unfolded(qtbot):
    table = people()
    document = Shown(table, five_nodes(table))
    canvas(qtbot, document)
    document.look.set(folds=Folds(depth=1))
    other = people(target="city")
    document.show_tree(five_nodes(other), other)
    assert document.look.folds == Folds()


@pytest.mark.parametrize("kind", ["cards", "streams"])
@pytest.mark.parametrize("lean", [0.02, 1])
def test_a_large_tree_folds_and_is_painted(qtbot, kind, lean):
    document = Shown(None, random_tree(n=20_001 if lean < 1 else 2_001, lean=lean))
    document.look.set(kind=kind)
    view = canvas(qtbot, document)
    for depth in (6, 12, 40):
        document.look.set(folds=Folds(depth=depth))
        view.grab()
        assert view.port.scene.levels.depth == min(depth, document.tree.depth)


def test_a_hidden_node_that_stands_out_makes_its_branch_stand_out(view, document):
    tree = document.tree
    node = inner_below(tree, 0)
    document.look.set(folds=Folds(folded=frozenset({node})))
    lit, hidden = np.zeros(tree.n_nodes, bool), tree.position(max(below(tree, node)))
    lit[hidden] = True
    found = standing(Emphasis(lit=lit, ringed=np.array([hidden])), view.port.scene)
    assert found.lit[tree.position(node)] and not found.lit[0]
    assert found.ringed.tolist() == [tree.position(node)]
    assert standing(None, view.port.scene) is None


@pytest.mark.parametrize("kind", ["cards", "streams"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_in_a_fitted_picture_all_that_is_said_of_folds_is_in_view_and_nothing_overlaps(qtbot, kind, depth):
    document = Shown(None, random_tree(n=2_401, lean=0.05))
    document.look.set(kind=kind, folds=Folds(depth=depth), motion=False)
    view = canvas(qtbot, document, size=(1_200, 800))
    view.grab()
    marks = [each for each in view.handles.marks if each.text]
    assert marks
    legend = view.height() - 30
    for each in marks:
        assert each.card.left() >= 0 and max(each.card.right(), each.box.right()) <= view.width()
        assert each.box.bottom() <= legend
    for one, other in combinations(marks, 2):
        assert not one.box.intersects(other.box)
        assert not one.box.intersects(other.card)
