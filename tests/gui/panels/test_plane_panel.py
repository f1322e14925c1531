"""The panel “Plane” by mouse and keys: what is drawn there is the tree, and the canvas follows."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent
from pytestqt.qtbot import QtBot

import engine
from engine.runtime.progress import Progress
from engine.splits import Split
from gui import theme
from gui.canvas.view import TreeView
from gui.model import plane_tasks
from gui.model.document import Document
from gui.model.history import State
from gui.model.plane_tasks import LEAVES, Asked
from gui.panels.plane import drawing as plane_drawing
from gui.panels.plane import panel as plane_words
from gui.panels.plane import small_tree
from gui.panels.plane.panel import PlanePanel, usual_axes
from gui.panels.plane.plot import can_be_log
from gui.picture.colours import Colouring
from gui.picture.emphasis import NOTHING
from gui.wording import words
from tests import naive
from tests.gui.acting import Gate, put_up
from tests.gui.canvas.hands import move
from tests.gui.panels.splitting import settle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> PlanePanel:
    made = PlanePanel(document)
    put_up(qtbot, made, 900, 460)
    return made


def plane_table(n: int = 200, kind: str = "z") -> engine.Table:
    """x and y from 0 to 10, a level column, a date and a numeric column to predict."""
    random = np.random.default_rng(3)
    x, y = random.uniform(0.5, 10, n).round(2), random.uniform(0.5, 10, n).round(2)
    frame = pd.DataFrame({"x": x, "y": y, "level": random.choice(["p", "q"], n)})
    frame["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n), unit="D")
    frame["z"] = np.where((x > 4) & (y > 6), "in", "out")
    frame["price"] = (10 * x + random.normal(size=n)).round(1)
    return engine.Table.from_frame(frame, kind, name="plane").with_partition(validation=0.25)


def by(column: str, *cuts: float) -> Split:
    return Split(column, "threshold", thresholds=cuts)


def cross(table: engine.Table) -> engine.Tree:
    """x ≤ 4 | (y ≤ 6 | (x ≤ 8 | rest)); three cuts, four leaves."""
    tree = engine.Tree.root(table).split(table, 0, by("x", 4.0))
    tree = tree.split(table, int(tree.ids[tree.children(0)[1]]), by("y", 6.0))
    right = tree.children(tree.children(0)[1])[1]
    return tree.split(table, int(tree.ids[right]), by("x", 8.0))


def show(qtbot: QtBot, panel: PlanePanel, table: engine.Table, tree: engine.Tree | None = None) -> None:
    panel._document.set_table(table, tree)
    drawn(qtbot, panel)


def drawn(qtbot: QtBot, panel: PlanePanel) -> None:
    """Waits until the picture is that of the document."""
    document = panel._document
    settle(qtbot, document)
    qtbot.waitUntil(lambda: panel._picture is not None and panel._picture.tree is document.tree)
    QGuiApplication.processEvents()


def spot(panel: PlanePanel, x: float, y: float) -> QPoint:
    """Where values stand in the plot's viewport."""
    plot = panel.plot
    place = QPointF(plot.across.scale.place(x), plot.up.scale.place(y))
    return plot.mapFromScene(plot.getViewBox().mapViewToScene(place))


def click(qtbot: QtBot, panel: PlanePanel, x: float, y: float) -> None:
    qtbot.mouseClick(panel.plot.viewport(), LEFT, pos=spot(panel, x, y))
    drawn(qtbot, panel)


def choose(qtbot: QtBot, combo: object, text: str) -> None:
    """By the keyboard, as a person would."""
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    while combo.currentText() != text:
        before = combo.currentIndex()
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentIndex() > before, f"there is no {text}"
    combo.activated.emit(combo.currentIndex())


def leaf_at(tree: engine.Tree, table: engine.Table, **values: float) -> int:
    """The id of the leaf that a point falls into, by the splits themselves."""
    i = 0
    while tree.n_branches[i]:
        split = tree.split_at(i)
        i = tree.children(i)[int(np.searchsorted(split.thresholds, values[split.column]))]
    return int(tree.ids[i])


# -- the plane


def test_the_two_columns_that_the_tree_asks_most_are_the_axes(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    assert (panel.across.currentText(), panel.up.currentText()) == ("x", "y")
    assert (panel.plot.across.name, panel.plot.up.name) == ("x", "y")
    tree = engine.Tree.root(table).split(table, 0, by("day", 1.6e9))
    assert usual_axes(table, tree) == ("day", "x")
    assert usual_axes(table.with_roles({"x": "ignore", "y": "ignore", "price": "ignore"}), tree) == ("day", "z")


def test_a_click_on_a_rectangle_selects_its_leaf_and_outlines_it(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    for x, y in ((2.0, 5.0), (6.0, 3.0), (6.0, 9.0), (9.0, 8.0)):
        click(qtbot, panel, x, y)
        wanted = leaf_at(tree, table, x=x, y=y)
        assert panel._document.selected == wanted
        left, bottom, right, top = panel.plot.drawing.shapes.selected
        assert left < x <= right
        assert bottom < y <= top


def test_selecting_a_node_elsewhere_outlines_its_region(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    panel._document.select(int(tree.ids[tree.children(0)[1]]))
    drawn(qtbot, panel)
    assert panel.plot.drawing.shapes.selected.tolist() == [4.0, -math.inf, math.inf, math.inf]


def test_rectangles_have_the_colours_of_the_canvas(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    colouring = Colouring(tree, panel._document.focus_class, theme.current())
    picture = panel.plot.grab().toImage()
    for tile, box in zip(panel._picture.tiles.tolist(), panel._picture.boxes, strict=True):
        expected = theme.mix(colouring.ribbon(tile), theme.current().card, plane_drawing.PALE)
        left, top, width, height = panel.plot.drawing.frame().rectangles(box[None])[0]
        room = panel.plot.getViewBox().sceneBoundingRect()
        places = [(left + width * a, top + height * b) for a in np.linspace(0, 1, 40) for b in np.linspace(0, 1, 40)]
        inside = [(round(x), round(y)) for x, y in places if room.contains(QPointF(x, y))]
        shown = [picture.pixelColor(x, y).name() for x, y in inside]
        assert shown.count(expected.name()) > len(shown) / 2


def test_hovering_a_rectangle_marks_the_node_on_the_canvas_and_the_other_way(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    canvas = TreeView(panel._document)
    qtbot.addWidget(canvas)
    canvas.resize(700, 500)
    canvas.show()
    qtbot.waitExposed(canvas)
    show(qtbot, panel, table, tree)
    leaf = leaf_at(tree, table, x=2.0, y=5.0)
    qtbot.mouseMove(panel.plot.viewport(), spot(panel, 6.0, 2.0))
    qtbot.mouseMove(panel.plot.viewport(), spot(panel, 2.0, 5.0))
    assert panel._document.look.pointed == leaf
    assert canvas.hovered == tree.position(leaf)
    other = leaf_at(tree, table, x=9.0, y=8.0)
    move(canvas, canvas.node_rect(other).center().toPoint())
    assert panel._document.look.pointed == other
    assert panel._picture.tiles[panel.plot.drawing.pointed] == tree.position(other)


def test_cuts_carry_letters_in_the_order_made_and_select_their_split(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    assert panel.cuts.isVisible()
    nodes = np.flatnonzero(tree.n_branches)
    a, b, c = (f"{float(naive.impurity('gini', tree.train[i].astype(int).tolist())):.2f}" for i in nodes)
    assert panel.cuts.texts == [f"a {a}   x ≤ 4", f"b {b}   y ≤ 6", f"c {c}   x ≤ 8"]
    assert panel.plot.drawing.shapes.captions == (f"a {a}", f"b {b}", f"c {c}")
    assert [panel.plot.drawing.shapes.letters[i] for _, i in panel.plot.drawing.placed] == ["a", "b", "c"]
    click(qtbot, panel, 7.0, 6.0)  # on the line of b
    assert tree.title(tree.position(panel._document.selected)) == "y"
    assert panel.cuts.currentIndex().row() == 1
    chip = panel.plot.drawing.placed[2][0]
    qtbot.mouseClick(panel.plot.viewport(), LEFT, pos=panel.plot.mapFromScene(chip.center()))
    drawn(qtbot, panel)
    assert panel.cuts.currentIndex().row() == 2
    row = panel.cuts.visualRect(panel.cuts.model().index(0, 0))
    qtbot.mouseClick(panel.cuts.viewport(), LEFT, pos=row.center())
    drawn(qtbot, panel)
    assert panel._document.selected == 0
    qtbot.keyClick(panel.cuts, Qt.Key.Key_Down)
    drawn(qtbot, panel)
    assert tree.title(tree.position(panel._document.selected)) == "y"


def test_impurities_are_those_of_the_criterion_of_the_search(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    panel._document.set_search(criterion="entropy")
    drawn(qtbot, panel)
    said = float(naive.impurity("entropy", panel._document.tree.train[0].astype(int).tolist()))
    qtbot.waitUntil(lambda: panel.cuts.texts[0] == f"a {said:.2f}   x ≤ 4")
    prices = plane_table(kind="price")
    show(qtbot, panel, prices, engine.Tree.root(prices).split(prices, 0, by("x", 4.0)))
    y = prices.column("price").values[prices.column("price").codes[prices.part == engine.TRAIN] - 1]
    assert panel.cuts.texts == [f"a {words.value(float(np.var(y)))}   x ≤ 4"]


def test_of_a_short_cut_the_letter_alone_is_shown(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = engine.Tree.root(table).split(table, 0, by("x", 4.0))
    tree = tree.split(table, 1, by("x", 3.6))
    show(qtbot, panel, table, tree.split(table, 4, by("y", 6.0)))  # between 3.6 and 4
    panel.plot.grab()
    widths = {panel.plot.drawing.shapes.letters[i]: chip.width() for chip, i in panel.plot.drawing.placed}
    assert widths["c"] < widths["a"] / 2


def test_nodes_on_the_canvas_carry_the_letters_while_the_plane_is_seen(qtbot: QtBot, panel: PlanePanel) -> None:
    canvas = TreeView(panel._document)
    put_up(qtbot, canvas, 900, 600)
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    inner = np.flatnonzero(tree.n_branches).tolist()
    assert canvas.port.scene.emphasis.letters == dict(zip(inner, "abc", strict=True))
    with_letters = canvas.grab().toImage()
    panel.across.setFocus()
    choose(qtbot, panel.across, "leaves, side by side")
    drawn(qtbot, panel)
    qtbot.waitUntil(lambda: not (canvas.port.scene.emphasis or NOTHING).letters)
    choose(qtbot, panel.across, "x")
    drawn(qtbot, panel)
    qtbot.waitUntil(lambda: bool((canvas.port.scene.emphasis or NOTHING).letters))
    panel.hide()
    assert not (canvas.port.scene.emphasis or NOTHING).letters
    assert canvas.grab().toImage() != with_letters


def test_the_tooltip_names_the_cuts_behind_which_a_leaf_lies(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    said = panel._tip(panel._picture, tree.position(leaf_at(tree, table, x=9.0, y=8.0)))
    assert said.startswith("Behind the cuts a, b, c<br><b>x &gt; 4")


def test_arrows_walk_from_rectangle_to_rectangle(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    click(qtbot, panel, 2.0, 8.0)
    panel.plot.setFocus()
    for key, x, y in (
        (Qt.Key.Key_Right, 6.0, 3.0), (Qt.Key.Key_Up, 7.0, 9.0), (Qt.Key.Key_Right, 9.0, 8.0),
        (Qt.Key.Key_Right, 9.0, 8.0), (Qt.Key.Key_Down, 9.0, 3.0), (Qt.Key.Key_Left, 2.0, 3.0),
    ):  # fmt: skip
        qtbot.keyClick(panel.plot, key)
        drawn(qtbot, panel)
        assert panel._document.selected == leaf_at(tree, table, x=x, y=y)


def test_wheel_and_keys_zoom(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    box, whole = panel.plot.getViewBox(), panel.plot.getViewBox().viewRange()
    at = QPointF(spot(panel, 4.0, 6.0))
    none, up = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(
        at, panel.plot.viewport().mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton, none, up, False
    )
    QGuiApplication.sendEvent(panel.plot.viewport(), wheel)
    near = box.viewRange()
    for axis in (0, 1):
        assert near[axis][1] - near[axis][0] < whole[axis][1] - whole[axis][0]
    assert spot(panel, 4.0, 6.0).x() == pytest.approx(at.x(), abs=2)
    panel.plot.setFocus()
    qtbot.keyClick(panel.plot, Qt.Key.Key_0)
    assert np.allclose(box.viewRange(), whole)
    qtbot.keyClick(panel.plot, Qt.Key.Key_Plus)
    assert box.viewRange()[0][1] - box.viewRange()[0][0] < whole[0][1] - whole[0][0]
    panel._document.select(int(panel._document.tree.ids[1]))
    drawn(qtbot, panel)
    assert box.viewRange()[0][1] - box.viewRange()[0][0] < whole[0][1] - whole[0][0]  # another picture, the same view


def test_dates_stand_as_dates_and_a_logarithm_has_the_numbers_themselves(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    choose(qtbot, panel.up, "day")
    drawn(qtbot, panel)
    axis = panel.plot.getAxis("left")
    low, high = panel.plot.getViewBox().viewRange()[1]
    spacing, marks = axis.tickValues(low, high, 300)[0]
    assert all(text.startswith("20") for text in axis.tickStrings(marks, 1.0, spacing))
    assert not panel.log_up.isEnabled()
    qtbot.mouseClick(panel.log_across, LEFT, pos=QPoint(8, panel.log_across.height() // 2))
    assert panel.log_across.isChecked()
    assert panel.plot.drawing.shapes.boxes[0, 2] == pytest.approx(math.log10(4.0))
    click(qtbot, panel, 2.0, 1.6e9)
    assert panel._document.selected == leaf_at(panel._document.tree, table, x=2.0, y=1.0)


def test_the_same_column_twice_trades_places(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    choose(qtbot, panel.across, "y")
    drawn(qtbot, panel)
    assert (panel.across.currentText(), panel.up.currentText()) == ("y", "x")
    assert set(panel._picture.cuts.axis.tolist()) == {0, 1}


# -- rows, plane and tree together, and a new point


def together(qtbot: QtBot, panel: PlanePanel, table: engine.Table, tree: engine.Tree) -> None:
    show(qtbot, panel, table, tree)
    qtbot.mouseClick(panel.together, LEFT)
    QGuiApplication.processEvents()


def plate(panel: PlanePanel, node: int) -> QPoint:
    """Where a node, by position, stands in the small tree."""
    panel.tree.grab()
    return next(box.center().toPoint() for box, i in panel.tree._plates if i == node)


def test_rows_plane_and_tree_stand_side_by_side(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    assert not panel.rows.isVisible()
    assert not panel.tree.isVisible()
    alone = panel.plot.width()
    together(qtbot, panel, table, tree)
    lefts = [part.mapTo(panel, QPoint()).x() for part in (panel.rows, panel.plot, panel.tree)]
    assert lefts == sorted(lefts) and panel.plot.width() < alone
    assert all(part.isVisible() for part in (panel.rows, panel.plot, panel.tree, *panel.titles))
    ground, seen = theme.current().card.name(), panel.rows.grab().toImage()
    box = panel.rows.getViewBox().sceneBoundingRect()
    inside = [seen.pixelColor(int(x), int(y)).name() for x in np.linspace(box.left() + 2, box.right() - 2, 50)
              for y in np.linspace(box.top() + 2, box.bottom() - 2, 50)]  # fmt: skip
    assert inside.count(ground) > len(inside) / 2  # points on the bare ground
    panel.plot.setFocus()
    qtbot.keyClick(panel.plot, Qt.Key.Key_Plus)
    assert np.allclose(panel.rows.getViewBox().viewRange(), panel.plot.getViewBox().viewRange())
    panel.resize(400, 560)
    QGuiApplication.processEvents()
    assert panel.tree.mapTo(panel, QPoint()).y() > panel.plot.mapTo(panel, QPoint()).y() + panel.plot.height() / 2
    assert not panel.rows.isVisible()  # it has no room
    qtbot.mouseClick(panel.together, LEFT)
    assert panel.plot.isVisible() and not panel.tree.isVisible()


def test_the_small_tree_carries_letters_and_selects(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    together(qtbot, panel, table, tree)
    panel.tree.grab()
    inner = np.flatnonzero(tree.n_branches).tolist()
    assert {i: panel.tree._laid.forms(i)[-1] for i in inner} == dict(zip(inner, "abc", strict=True))
    assert sorted(i for _, i in panel.tree._plates) == list(range(tree.n_nodes))
    boxes = [box for box, _ in panel.tree._plates]
    assert not any(one.intersects(other) for k, one in enumerate(boxes) for other in boxes[:k])
    leaf = int(tree.leaves[-1])
    qtbot.mouseMove(panel.tree, plate(panel, leaf))
    assert panel._document.look.pointed == int(tree.ids[leaf])
    qtbot.mouseClick(panel.tree, LEFT, pos=plate(panel, leaf))
    drawn(qtbot, panel)
    assert panel._document.selected == int(tree.ids[leaf])


def test_of_a_large_tree_the_first_levels_are_drawn(qtbot: QtBot, panel: PlanePanel) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=6_000), "y": random.normal(size=6_000)})
    frame["z"] = random.choice(["p", "q"], 6_000)
    table = engine.Table.from_frame(frame, "z")
    tree = engine.grow(table)
    together(qtbot, panel, table, tree)
    panel.tree.grab()
    shown = {i for _, i in panel.tree._plates}
    level = int(tree.level[list(shown)].max())
    assert tree.n_nodes > small_tree.MOST >= len(shown)
    assert shown == set(np.flatnonzero(tree.level <= level).tolist())
    assert np.count_nonzero(tree.level <= level + 1) > small_tree.MOST


def test_a_new_point_lights_its_way_and_says_what_is_predicted(qtbot: QtBot, panel: PlanePanel) -> None:
    canvas = TreeView(panel._document)
    put_up(qtbot, canvas, 700, 500)
    table = plane_table()
    tree = cross(table)
    together(qtbot, panel, table, tree)
    qtbot.mouseClick(panel.drop, LEFT)
    whole = panel.plot.getViewBox().viewRange()
    for x, y in ((2.0, 5.0), (9.0, 8.0)):
        at = spot(panel, x, y)
        if x == 2.0:
            qtbot.mousePress(panel.plot.viewport(), LEFT, pos=at)
        else:
            drag(panel, at)
        drawn(qtbot, panel)
        leaf = leaf_at(tree, table, x=x, y=y)
        i = tree.position(leaf)
        assert panel._document.look.way.nodes[-1] == leaf
        on_way = [tree.position(node) for node in panel._document.look.way.nodes]
        assert np.flatnonzero(canvas.port.scene.emphasis.lit).tolist() == sorted(on_way) == sorted(panel.tree.way)
        label = int(tree.labels[i])
        said = words.rated(words.rate(float(tree.probabilities[i, label])), tree.classes[label])
        assert panel.plot.drawing.said == said
        assert f"predicted {said}, as in leaf #{leaf}" in panel.sentence.text()
        new = panel.plot.drawing.new
        assert (new.x(), new.y()) == pytest.approx((x, y), abs=0.1)
        assert "other columns" not in panel.sentence.text()
    qtbot.mouseRelease(panel.plot.viewport(), LEFT, pos=at)
    assert panel.plot.getViewBox().viewRange() == whole and panel._document.selected == 0  # nothing else was done
    panel.plot.setFocus()
    qtbot.keyClick(panel.plot, Qt.Key.Key_Escape)
    drawn(qtbot, panel)
    assert panel.plot.drawing.new is None and panel._document.look.way is None and not panel.drop.isChecked()
    assert "New point" not in panel.sentence.text()


def drag(panel: PlanePanel, to: QPoint) -> None:
    """A move of the mouse with its left button held."""
    view = panel.plot.viewport()
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(to), view.mapToGlobal(QPointF(to)), LEFT, LEFT,
                        Qt.KeyboardModifier.NoModifier)  # fmt: skip
    QGuiApplication.sendEvent(view, event)


def test_arrows_move_the_new_point_and_other_columns_are_those_of_the_nearest_row(
    qtbot: QtBot, panel: PlanePanel
) -> None:
    table = plane_table()
    tree = engine.Tree.root(table).split(table, 0, Split("level", "groups", groups=(("p",), ("q",))))
    for i in (0, 1):
        tree = tree.split(table, int(tree.ids[tree.children(0)[i]]), by("x", 4.0))
    show(qtbot, panel, table, tree)
    qtbot.mouseClick(panel.drop, LEFT)
    assert panel.plot.hasFocus()
    qtbot.keyClick(panel.plot, Qt.Key.Key_Left)  # it begins in the middle
    drawn(qtbot, panel)
    first = panel.plot.drawing.new
    qtbot.keyClick(panel.plot, Qt.Key.Key_Left)
    drawn(qtbot, panel)
    new, shown = panel.plot.drawing.new, panel._picture
    assert new.x() < first.x() and new.y() == first.y()
    tile = int(np.flatnonzero(shown.tiles == tree.position(panel._document.look.way.nodes[-1]))[0])
    left, bottom, right, top = shown.boxes[tile]
    assert left < new.x() <= right and bottom < new.y() <= top  # its leaf is the one whose rectangle it stands in
    inside = shown.rows[shown.tile_of == tile]
    away = [math.hypot(*((table.column(name).numbers[row] - at) / 9.5 for name, at in (("x", new.x()), ("y", new.y()))))
            for row in inside]  # fmt: skip
    said = f"In other columns it has the values of row {int(inside[int(np.argmin(away))]) + 1}, the nearest one."
    assert said in panel.sentence.text()
    assert table.part[panel._new.row] != engine.TEST


def test_in_low_room_the_sentence_takes_one_line_and_the_tip_has_all_of_it(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    together(qtbot, panel, table, cross(table))
    qtbot.mouseClick(panel.drop, LEFT)
    click(qtbot, panel, 2.0, 5.0)
    panel.resize(520, 160)
    QGuiApplication.processEvents()
    assert panel.sentence.height() < 2 * panel.fontMetrics().height()
    assert panel.sentence.text().startswith("New point: predicted") and "rows." in panel.sentence.toolTip()
    panel.resize(900, 460)
    QGuiApplication.processEvents()
    assert "●" in panel.sentence.text() and not panel.sentence.toolTip()


def test_the_new_point_stays_through_an_edit_and_goes_with_the_panel(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    qtbot.mouseClick(panel.drop, LEFT)
    click(qtbot, panel, 2.0, 5.0)
    document, before = panel._document, panel._document.look.way.nodes
    document.select(before[-1])
    drawn(qtbot, panel)
    document.make_split(by("y", 3.0))
    drawn(qtbot, panel)
    qtbot.waitUntil(lambda: document.look.way is not None and len(document.look.way.nodes) == len(before) + 1)
    assert panel.plot.drawing.new is not None
    document.following.step_back()  # as Esc does on the canvas
    assert panel.plot.drawing.new is None and panel.drop.isChecked()
    click(qtbot, panel, 2.0, 5.0)
    choose(qtbot, panel.across, "leaves, side by side")
    drawn(qtbot, panel)
    assert document.look.way is None and not panel.drop.isEnabled() and not panel.together.isEnabled()
    assert "choose one across" in panel.drop.toolTip()
    choose(qtbot, panel.across, "x")
    drawn(qtbot, panel)
    qtbot.mouseClick(panel.drop, LEFT)
    click(qtbot, panel, 2.0, 5.0)
    panel.hide()
    qtbot.waitUntil(lambda: document.look.way is None and not panel.drop.isChecked())


# -- what is drawn of the rows


def test_of_many_rows_some_are_drawn_always_the_same_ones(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table(9_000)
    show(qtbot, panel, table, cross(table))
    assert f"{plane_tasks.MOST_DRAWN:,} of 9,000 rows drawn (● training, × validation)" in panel.sentence.text()
    rows = panel._picture.rows
    assert len(rows) == plane_tasks.MOST_DRAWN
    held_out = panel._picture.held_out.mean()
    assert held_out == pytest.approx(0.25, abs=0.03)  # the hash does not prefer a part
    panel._document.select(int(panel._document.tree.ids[1]))
    drawn(qtbot, panel)
    assert set(rows) == set(panel._picture.rows)


@pytest.mark.parametrize("way", list(plane_words.WAYS))
def test_points_stand_where_their_rows_are(document: Document, way: str) -> None:
    table = plane_table(300)
    document.set_table(table, engine.grow(table))
    shown = plane_tasks.drawn(document.state, Asked("x", "y", 0, way), progress=None)
    assert shown.x.tolist() == table.column("x").numbers[shown.rows].tolist()
    assert shown.y.tolist() == table.column("y").numbers[shown.rows].tolist()
    left, bottom, right, top = shown.boxes[shown.tile_of].T
    assert np.all((left < shown.x) & (shown.x <= right) & (bottom < shown.y) & (shown.y <= top))
    assert len(shown.rows) == shown.n_here
    assert shown.n_here + shown.n_lacking + shown.n_elsewhere == table.n_train + table.n_validation
    names = [table.classes[int(k)] for k in shown.target]
    assert names == [table.target_column.levels[code - 1] for code in table.target_column.codes[shown.rows]]


def test_rows_without_a_value_and_rows_that_go_another_way_are_counted(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    frame = table.to_frame()
    frame.loc[:6, "x"] = np.nan
    table = engine.Table.from_frame(frame, "z")
    tree = engine.Tree.root(table).split(table, 0, Split("level", "groups", groups=(("p",), ("q",))))
    for i, column in enumerate("xy"):
        tree = tree.split(table, int(tree.ids[tree.children(0)[i]]), by(column, 4.0))
    show(qtbot, panel, table, tree)
    p = int((frame["level"] == "p").sum())
    larger, smaller = max(p, 200 - p), min(p, 200 - p)
    branch = frame["level"] == ("p" if p == larger else "q")
    lost = int(frame.loc[branch, "x"].isna().sum())
    said = panel.sentence.text()
    assert f"{larger - lost} rows drawn." in said
    assert f"{lost} rows without x or y cannot be drawn." in said
    assert f"1 split on another column: the branch with most rows is shown; {smaller} rows that go another way" in said
    other = next(i for i in tree.children(0) if tree.rows_train[i] == smaller)
    panel._document.select(int(tree.ids[other]))
    drawn(qtbot, panel)
    assert "along the path of the selected node" in panel.sentence.text()
    assert panel._picture.n_elsewhere == larger
    panel._document.select(0)
    drawn(qtbot, panel)
    choose(qtbot, panel.way, plane_words.WAYS["stop"][0])
    drawn(qtbot, panel)
    assert "1 hatched: divided further by “level”." in panel.sentence.text()
    assert panel._picture.tiles.tolist() == [0]
    choose(qtbot, panel.way, plane_words.WAYS["all"][0])
    drawn(qtbot, panel)
    assert "rectangles may overlap" in panel.sentence.text()
    assert panel._picture.tiles.tolist() == tree.leaves.tolist()


@pytest.mark.parametrize("way", list(plane_words.WAYS))
def test_a_divided_row_is_drawn_and_counted_once(document: Document, way: str) -> None:
    frame = engine.read_example("penguins").to_frame()
    frame.loc[::7, "island"] = None
    table = engine.Table.from_frame(frame, "species").with_partition(validation=0.25)
    document.set_table(table, engine.grow(table, preset="c4.5"))
    assert document.state.assigned().share is not None
    asked = Asked("bill_length_mm", "bill_depth_mm", 0, way)
    shown = plane_tasks.drawn(document.state, asked, progress=None)
    assert len(set(shown.rows.tolist())) == len(shown.rows) == shown.n_here
    assert shown.n_here + shown.n_lacking + shown.n_elsewhere == table.n_train + table.n_validation
    assert shown.n_elsewhere >= 0
    left, bottom, right, top = shown.boxes[shown.tile_of].T
    assert np.all((left < shown.x) & (shown.x <= right) & (bottom < shown.y) & (shown.y <= top))


def test_of_a_new_point_that_is_divided_the_mean_of_its_parts_is_told(qtbot: QtBot, panel: PlanePanel) -> None:
    frame = plane_table(300).to_frame().drop(columns=["day", "price"])
    frame["z"] = np.where((frame["level"] == "p") ^ (np.random.default_rng(1).random(300) < 0.1), "in", "out")
    frame.loc[frame["x"] > 8, "level"] = None
    table = engine.Table.from_frame(frame, "z")
    tree = engine.grow(table, preset="c4.5", max_depth=1)
    assert tree.title(0) == "level"
    show(qtbot, panel, table, tree)
    choose(qtbot, panel.across, "x")
    choose(qtbot, panel.up, "y")
    drawn(qtbot, panel)
    qtbot.mouseClick(panel.drop, LEFT)
    click(qtbot, panel, 9.5, 8.0)  # the nearest row lacks the level
    way = panel._document.look.way
    leaves = [node for node in way.parts if not tree.n_branches[tree.position(node)]]
    probability = sum(way.parts[leaf] * tree.probabilities[tree.position(leaf)] for leaf in leaves)
    label = int(np.argmax(probability))
    said = words.rated(words.rate(float(probability[label])), tree.classes[label])
    assert len(leaves) > 1 and panel.plot.drawing.said == said
    assert f"parts of it stand in {len(leaves)} leaves" in panel.sentence.text()
    assert sorted(panel.tree.way) == sorted(map(tree.position, way.parts))


# -- the strip


def test_one_column_is_a_strip_of_points_per_leaf_redrawn_at_each_split(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table(kind="price")
    show(qtbot, panel, table)
    choose(qtbot, panel.across, "leaves, side by side")
    choose(qtbot, panel.up, "price")
    drawn(qtbot, panel)
    assert len(panel._picture.boxes) == 1
    panel._document.make_split(by("x", 4.0))
    drawn(qtbot, panel)
    shown, tree = panel._picture, panel._document.tree
    assert shown.tiles.tolist() == tree.leaves.tolist()
    widths = shown.boxes[:, 2] - shown.boxes[:, 0]
    assert widths.tolist() == pytest.approx((tree.rows_train[tree.leaves] / tree.rows_train[0]).tolist())
    left, _, right, _ = shown.boxes[shown.tile_of].T
    assert np.all((left < shown.x) & (shown.x < right))
    assert shown.y.tolist() == table.column("price").numbers[shown.rows].tolist()
    assert shown.lines[:, 2].tolist() == tree.predictions[tree.leaves].tolist()
    assert not panel.way.isEnabled()
    assert not panel.cuts.isVisible()
    click(qtbot, panel, float(shown.boxes[1, 0]) + 0.1, 50.0)
    assert panel._document.selected == int(tree.ids[tree.leaves[1]])


def test_the_strip_of_classes_stacks_their_shares(document: Document) -> None:
    table = plane_table()
    tree = cross(table)
    document.set_table(table, tree)
    shown = plane_tasks.drawn(document.state, Asked(LEAVES, "z", 0, "larger"), progress=None)
    shares = tree.train[tree.leaves] / tree.train[tree.leaves].sum(axis=1, keepdims=True)
    assert shown.lines[:, 2].tolist() == pytest.approx(shares[:, 0].tolist())
    first = shares[shown.tile_of, 0]
    train = ~shown.held_out
    assert np.all(np.where(shown.target == 0, shown.y <= first, shown.y >= first)[train])


def test_the_strip_of_another_column_has_its_means(document: Document) -> None:
    table = plane_table()
    tree = cross(table)
    document.set_table(table, tree)
    shown = plane_tasks.drawn(document.state, Asked(LEAVES, "price", 0, "larger"), progress=None)
    rows, values = engine.assign(table, tree), table.column("price").numbers
    for leaf, mean in zip(tree.leaves.tolist(), shown.lines[:, 2].tolist(), strict=True):
        train = [row for row in rows.rows_of(leaf).tolist() if table.part[row] == engine.TRAIN]
        assert mean == pytest.approx(values[train].mean())


def test_one_numeric_column_stands_against_the_classes(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table().with_roles({"y": "ignore", "day": "ignore", "price": "ignore"})
    show(qtbot, panel, table, engine.Tree.root(table).split(table, 0, by("x", 4.0)))
    assert (panel.across.currentText(), panel.up.currentText()) == ("x", "z, the classes")
    shown = panel._picture
    assert np.array_equal(np.round(shown.y), shown.target)
    assert panel.plot.getAxis("left").labels == table.classes


# -- nothing to show


def test_without_a_table_it_says_what_would_stand_here(panel: PlanePanel) -> None:
    assert panel.empty.isVisible()
    assert panel.empty.text().startswith("Open a table: the leaves of its tree stand here")


def test_without_numbers_the_strip_stands_for_the_plane_and_says_so(qtbot: QtBot, panel: PlanePanel) -> None:
    frame = pd.DataFrame({"c": ["p", "q", "r"] * 10, "z": ["no", "yes", "yes", "no", "no"] * 6})
    show(qtbot, panel, engine.Table.from_frame(frame, "z"))
    assert panel.across.currentData() == LEAVES
    assert "No column of this table is a number or a date, so there is no plane" in panel.sentence.text()
    assert len(panel._picture.rows) == 30
    panel._document.start(None)
    assert panel.empty.isVisible()


def test_it_asks_nothing_while_it_is_hidden(qtbot: QtBot, panel: PlanePanel) -> None:
    panel.hide()
    table = plane_table()
    panel._document.set_table(table, cross(table))
    settle(qtbot, panel._document)
    assert panel._picture is None
    panel.show()
    drawn(qtbot, panel)
    assert len(panel._picture.tiles) == 4


def test_undo_and_another_target_redraw_it(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table)
    panel._document.make_split(by("x", 4.0))
    drawn(qtbot, panel)
    assert [text.split("   ")[1] for text in panel.cuts.texts] == ["x ≤ 4"]
    panel._document.undo()
    drawn(qtbot, panel)
    assert panel.cuts.texts == []
    panel._document.set_table(replace(table.with_target("price"), name="again"))
    drawn(qtbot, panel)
    assert "above the mean" in panel.sentence.text()


def test_a_theme_that_changes_while_another_table_is_on_its_way_does_no_harm(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    show(qtbot, panel, table, cross(table))
    frame = pd.DataFrame({"one": range(40), "two": [(7 * i) % 40 for i in range(40)], "k": list("abcd") * 10})
    panel._document.set_table(engine.Table.from_frame(frame, "k"))
    panel._document.set_focus(3)
    theme.watcher().changed.emit()
    drawn(qtbot, panel)
    assert (panel.plot.across.name, panel.plot.up.name) == ("one", "two")


# -- pictures that are no longer what is asked for


def test_log_on_an_axis_whose_picture_is_still_on_the_way(
    qtbot: QtBot, panel: PlanePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pd.DataFrame({"x": np.arange(1.0, 41), "from_zero": np.arange(0.0, 40), "z": ["a", "b"] * 20})
    table = engine.Table.from_frame(frame, target="z")
    tree = engine.Tree.root(table).split(table, 0, by("from_zero", 20.5))
    show(qtbot, panel, table, tree)
    assert panel.across.currentText() == "from_zero" and not panel.log_across.isEnabled()
    gate = Gate(monkeypatch, plane_tasks, "drawn")
    choose(qtbot, panel.across, "x")
    assert gate.reached.wait(30)
    qtbot.mouseClick(panel.log_across, LEFT)
    assert np.isfinite(panel.plot.getViewBox().viewRange()).all()
    assert (panel.plot.across.name, panel.plot.across.kind) == ("from_zero", "number")
    gate.open.set()
    drawn(qtbot, panel)
    assert (panel.plot.across.name, panel.plot.across.kind) == ("x", "log")


def test_the_letter_of_a_cut_that_is_gone_cannot_be_hit(qtbot: QtBot, panel: PlanePanel) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    panel.plot.grab()  # letters get their places
    chips = [chip.center() for chip, _ in panel.plot.drawing.placed]
    assert len(chips) == 3
    smaller = State(table, tree.collapse(int(tree.ids[tree.children(0)[1]])))
    asked = plane_tasks.Asked("x", "y", 0, panel.way.currentData())
    panel._on_drawn(plane_tasks.drawn(smaller, asked, Progress()))
    hit = [panel.plot.node_at(chip) for chip in chips]  # before the next painting
    assert all(-1 <= node < smaller.tree.n_nodes for node in hit)


def test_nothing_of_the_table_before_can_be_picked(
    qtbot: QtBot, panel: PlanePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = plane_table()
    tree = cross(table)
    show(qtbot, panel, table, tree)
    place = spot(panel, 9.0, 8.0)
    gate = Gate(monkeypatch, plane_tasks, "drawn")
    other = plane_table(150)
    panel._document.set_table(other, cross(other))
    assert gate.reached.wait(30)
    qtbot.mouseMove(panel.plot.viewport(), place)
    qtbot.mouseClick(panel.plot.viewport(), LEFT, pos=place)
    assert panel._document.selected == 0 and panel.sentence.text() == ""
    gate.open.set()
    drawn(qtbot, panel)
    click(qtbot, panel, 9.0, 8.0)
    assert panel._document.selected == leaf_at(panel._document.tree, other, x=9.0, y=8.0)


def test_the_axis_of_a_target_tells_nothing_of_the_test_rows():
    frame = pd.DataFrame({"x": np.arange(400.0), "y": np.arange(400.0) + 1})
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3, test=0.2)
    kept = np.flatnonzero(table.part == engine.TEST)
    frame.loc[kept[0], "y"] = -5.0
    planted = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3, test=0.2)
    assert can_be_log(table, "y") and can_be_log(planted, "y")
    frame.loc[np.flatnonzero(table.part == engine.TRAIN)[0], "y"] = -5.0
    assert not can_be_log(engine.Table.from_frame(frame, target="y").with_partition(validation=0.3, test=0.2), "y")
