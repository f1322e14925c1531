"""The icicle below the canvas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from gui import theme
from gui.canvas.overlays import overview
from gui.canvas.overlays.overview import IcicleStrip, icicle_of
from gui.picture.folds import Folds
from tests.benchmarks.shapes import CHAIN, tree_of
from tests.effort import examples
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, shown, wheel
from tests.gui.canvas.trees import Shown, five_nodes, people, random_tree


@pytest.fixture
def document():
    table = people()
    return Shown(table, five_nodes(table))


@pytest.fixture(params=["cards", "streams"])
def pair(qtbot, document, request):
    """The canvas and its icicle."""
    document.look.set(kind=request.param, icicle=True)
    view = shown(qtbot, document)
    strip = IcicleStrip(view)
    qtbot.addWidget(strip)
    strip.resize(900, strip.height())
    strip.show()
    qtbot.waitExposed(strip)
    return view, strip


TREES = st.builds(
    random_tree,
    n=st.integers(1, 90),
    seed=st.integers(0, 9),
    branches=st.integers(2, 5),
    lean=st.sampled_from((0.1, 0.5, 1)),
)


@given(TREES)
@examples(25)
def test_cells_are_as_wide_as_their_rows_and_stand_below_their_parent(tree):
    icicle = icicle_of(tree, "train")
    share = tree.rows_train / max(int(tree.rows_train[0]), 1)
    assert icicle.stops - icicle.starts == pytest.approx(share)
    for i in np.flatnonzero(tree.n_branches):
        at, child = icicle.starts[i], i + 1
        for _ in range(tree.n_branches[i]):
            assert icicle.starts[child] == pytest.approx(at)
            at, child = icicle.stops[child], int(tree.end[child])
        assert at == pytest.approx(icicle.stops[i])


@given(TREES, st.floats(0.0005, 0.3))
@examples(25)
def test_every_node_has_a_cell_or_stands_below_a_narrow_one(tree, least):
    icicle = icicle_of(tree, "train")
    wide, narrow = (set(nodes.tolist()) for nodes in icicle.cells(least))
    for i in range(tree.n_nodes):
        enough = [icicle.stops[k] - icicle.starts[k] >= least for k in _path(tree, i)]
        assert (i in wide) == all(enough)
        assert (i in narrow) == (not enough[0] and all(enough[1:]))


@given(TREES, st.floats(0.0005, 0.3), st.integers(1, 5))
@examples(25)
def test_of_many_levels_every_so_many_are_drawn(tree, least, every):
    icicle = icicle_of(tree, "train")
    for found, some in zip(icicle.cells(least), icicle.cells(least, every), strict=True):
        assert some.tolist() == found[tree.level[found] % every == 0].tolist()


@given(TREES, st.integers(1, 5), st.data())
@examples(25)
def test_what_is_in_view_reaches_as_far_as_its_cells(tree, every, data):
    icicle = icicle_of(tree, "train")
    nodes = np.array(sorted(data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))), np.int64)
    wanted = {}
    for i in nodes.tolist():
        level, here = int(tree.level[i]) // every * every, (icicle.starts[i], icicle.stops[i])
        before = wanted.get(level, here)
        wanted[level] = min(before[0], here[0]), max(before[1], here[1])
    found = zip(*(part.tolist() for part in icicle.covered(nodes, every)), strict=True)
    assert list(found) == [(level, *wanted[level]) for level in sorted(wanted)]


@given(TREES, st.floats(0.0, 1.0))
@examples(25)
def test_a_place_belongs_to_the_cell_around_it(tree, place):
    icicle = icicle_of(tree, "train")
    for level in range(tree.depth + 1):
        row = np.flatnonzero(tree.level == level)
        there = {int(i) for i in row if icicle.starts[i] <= place <= icicle.stops[i]}
        found = icicle.node_at(place, level)
        assert found in there if there else found == -1
    assert icicle.node_at(place, tree.depth + 1) == -1


def _path(tree, i):
    found = [i]
    while i:
        i = int(tree.parent[i])
        found.append(i)
    return found


def test_a_click_selects(pair, document):
    _, strip = pair
    for node in (1, 4, 2, 3, 0):
        QTest.mouseClick(strip, LEFT, NONE, strip.cell(node).center().toPoint())
        assert document.selected == node


def test_cells_have_the_colours_of_the_canvas(pair):
    view, strip = pair
    image = strip.grab().toImage()
    colours = view.port.scene.colours
    for node in (1, 2, 3, 4):
        box = strip.cell(node)
        assert image.pixelColor(box.center().toPoint()) == colours.ribbon(view.port.scene.tree.position(node))


def test_the_frame_is_around_what_the_canvas_shows(pair):
    view, strip = pair
    strip.grab()
    whole = strip._frame.boundingRect()
    assert whole.width() == pytest.approx(strip.width() - 12)
    box = view.node_rect(4)
    for _ in range(5):
        wheel(view, box.center().toPoint(), dy=240, modifiers=CONTROL)
        box = view.node_rect(4)
    for _ in range(12):  # until only the one node is in view
        away = box.center() - QPointF(view.width() / 2, view.height() / 2)
        wheel(view, QPoint(20, 300), dx=int(-away.x()), dy=int(-away.y()))
        box = view.node_rect(4)
    view.grab()
    strip.grab()
    part = strip._frame.boundingRect()
    assert part.width() < whole.width()
    assert part.contains(strip.cell(4).center())


def test_the_selected_cell_is_marked(pair, document):
    _, strip = pair
    before = strip.grab().toImage()
    document.select(2)
    after = strip.grab().toImage()
    box = strip.cell(2)
    edge = QPoint(int(box.center().x()), int(box.bottom()))
    rows = range(edge.y() - 3, edge.y() + 3)
    assert before != after
    assert any(after.pixelColor(edge.x(), y) == theme.current().accent for y in rows)


def test_it_follows_the_tree_and_can_be_put_away(pair, document):
    _, strip = pair
    before = strip.grab().toImage()
    document.show_tree(random_tree(n=61))
    assert strip.grab().toImage() != before
    document.look.set(icicle=False)
    assert not strip.isVisible()
    document.look.set(icicle=True)
    assert strip.isVisible()
    document.show_tree(None)
    assert not strip.isVisible()


def test_a_cell_says_what_its_node_is(pair):
    _, strip = pair
    place = strip.cell(3).center().toPoint()
    QApplication.sendEvent(strip, QHelpEvent(QHelpEvent.Type.ToolTip, place, strip.mapToGlobal(place)))
    assert "city" in QToolTip.text()
    QToolTip.hideText()


def test_below_the_cells_there_is_nothing_to_select(pair, document):
    _, strip = pair
    document.select(1)
    leaf = strip.cell(2)
    QTest.mouseClick(strip, LEFT, NONE, QPoint(int(leaf.center().x()), int(leaf.bottom() + leaf.height() / 2)))
    QTest.mouseClick(strip, Qt.MouseButton.RightButton, NONE, leaf.center().toPoint())
    assert document.selected == 1


def test_a_large_tree_is_few_cells():
    tree = random_tree(n=40_001, lean=0.02)
    wide, narrow = icicle_of(tree, "train").cells(1 / 1_600)
    assert len(wide) + len(narrow) < 2 * 1_600 * (tree.depth + 1)
    assert len(wide) + len(narrow) < tree.n_nodes


def test_of_a_chain_of_levels_no_more_are_drawn_than_there_are_lines(qtbot, monkeypatch):
    document = Shown(None, tree_of(4_001, CHAIN))
    document.look.set(icicle=True)
    strip = IcicleStrip(shown(qtbot, document))
    qtbot.addWidget(strip)
    drawn, draw = [], overview.draw_rectangles
    monkeypatch.setattr(overview, "draw_rectangles", lambda *given: (drawn.append(len(given[1])), draw(*given)))
    strip.resize(900, strip.height())
    picture = strip.grab().toImage()
    assert document.tree.depth == 2_000 and 0 < sum(drawn) < 3 * strip.height()
    empty = picture.pixelColor(1, 1)
    assert all(picture.pixelColor(891, y) != empty for y in range(8, strip.height() - 12))
    outline = strip._outline(strip._icicle, np.arange(4_001))
    assert outline.elementCount() < 5 * strip.height()
    assert outline.boundingRect().height() == pytest.approx(strip.height() - 12, abs=1.0)


def test_what_is_folded_is_paler_and_hatched_and_a_click_there_unfolds(pair, document):
    view, strip = pair
    before = strip.grab().toImage()
    document.look.set(folds=Folds(folded=frozenset({1})))
    view.grab()
    after = strip.grab().toImage()
    for node, changed in ((0, False), (1, False), (2, False), (3, True), (4, True)):
        box = strip.cell(node).adjusted(3, 3, -3, -3).toRect()
        places = [(x, y) for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom())]
        assert any(before.pixelColor(*place) != after.pixelColor(*place) for place in places) == changed, node
        assert len({after.pixel(*place) for place in places}) >= 1 + changed  # a hatch, not a colour alone
    assert set(view.port.in_view().tolist()) <= {0, 1, 4}  # positions: what is hidden is not in view
    QTest.mouseClick(strip, LEFT, NONE, strip.cell(3).center().toPoint())
    assert document.selected == 3 and view.port.scene.folded is None
