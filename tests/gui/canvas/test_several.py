"""Several nodes at once, and the way in words: by mouse and by keys, in the window."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

import engine
from gui import theme
from gui.model.document import Document
from gui.model.view_state.several import together, together_words
from gui.verbs import declared
from gui.window.bars import LEFT_OUT, MOST_NAMED, PathLabel, conditions
from tests.effort import examples
from tests.frames import frames, random_tree, table_of
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, SHIFT, drag, empty_place, middle, move, shown
from tests.gui.canvas.trees import Shown, by_age, by_city, five_nodes, people
from tests.gui.canvas.trees import random_tree as random_staircase

KEY = Qt.Key


def seven_nodes(table):
    """root -> [1: age ≤ 42.5 -> [3: Amsterdam | 4: others] | 2: age > 42.5 -> [5: age ≤ 60 | 6: above]]."""
    return five_nodes(table).split(table, 2, by_age(60))


@pytest.fixture
def table():
    return people()


@pytest.fixture
def document(table):
    document = Document()
    document.set_table(table, seven_nodes(table))
    return document


@pytest.fixture
def view(qtbot, document):
    view = shown(qtbot, document)
    view.setFocus()
    return view


def click(view, node, modifiers=NONE, button=LEFT):
    QTest.mouseClick(view, button, modifiers, middle(view, node))


def ringed(view):
    """The ids of the nodes that the painters ring."""
    emphasis = view.port.scene.emphasis
    return set() if emphasis is None else {int(view.port.scene.tree.ids[i]) for i in emphasis.ringed}


# -- by mouse


def test_what_another_panel_selects_is_selected_alone(view, document):
    click(view, 3)
    click(view, 5, CONTROL)
    document.select(2)  # as the outline, the rules and the find bar do
    assert document.several.nodes == (2,) and not document.several.on and ringed(view) == set()


def test_stopping_ends_cutting_by_clicks_before_several_nodes(view, document):
    click(view, 3)
    click(view, 5, CONTROL)
    document.click_cut.toggle("Esc")
    declared.stop(document)
    assert not document.click_cut.on and document.several.on
    declared.stop(document)
    assert not document.several.on


def test_control_and_a_click_adds_a_node_and_takes_it_out(view, document):
    click(view, 3)
    click(view, 5, CONTROL)
    click(view, 6, CONTROL)
    assert (document.several.nodes, document.selected) == ((3, 5, 6), 6)
    assert ringed(view) == {3, 5}
    click(view, 5, CONTROL)
    assert document.several.nodes == (3, 6)
    click(view, 6, CONTROL)
    assert (document.several.nodes, document.selected) == ((3,), 3)
    click(view, 3, CONTROL)  # the last one stays
    assert document.several.nodes == (3,)
    assert not document.several.on


def test_shift_and_a_click_does_the_same(view, document):
    click(view, 3)
    click(view, 5, SHIFT)
    assert document.several.nodes == (3, 5)


def test_a_click_alone_selects_one_even_the_main_one(view, document):
    for node in (4, 5):
        click(view, 3)
        click(view, 5, CONTROL)
        click(view, node)
        assert document.several.nodes == (node,)
        assert ringed(view) == set()


def test_a_menu_about_one_of_several_leaves_them_selected(view, document):
    click(view, 3)
    click(view, 5, CONTROL)
    QTest.mousePress(view, Qt.MouseButton.RightButton, NONE, middle(view, 3))
    assert (set(document.several.nodes), document.selected) == ({3, 5}, 3)
    QTest.mousePress(view, Qt.MouseButton.RightButton, NONE, middle(view, 6))
    assert document.several.nodes == (6,)


def test_panning_keeps_them(view, document):
    click(view, 3)
    click(view, 5, CONTROL)
    start = empty_place(view)
    drag(view, LEFT, start, start + QPoint(30, 20))
    assert document.several.nodes == (3, 5)


# -- by keys


def test_shift_and_arrows_go_on_and_back(view, document):
    click(view, 3)
    QTest.keyClick(view, KEY.Key_Right, SHIFT)
    QTest.keyClick(view, KEY.Key_Right, SHIFT)
    assert document.several.nodes == (3, 4, 5)
    QTest.keyClick(view, KEY.Key_Left, SHIFT)
    assert document.several.nodes == (3, 4)
    QTest.keyClick(view, KEY.Key_Up, SHIFT)
    assert document.several.nodes == (3, 4, 1)
    QTest.keyClick(view, KEY.Key_Right)
    assert document.several.nodes == (2,)


def test_nodes_apart_are_held_and_walked_past_by_keys_alone(view, document):
    click(view, 3)
    QTest.keyClick(view, KEY.Key_Space, CONTROL)
    QTest.keyClick(view, KEY.Key_Right, CONTROL)
    assert document.several.nodes == (3, 4)
    QTest.keyClick(view, KEY.Key_Right, CONTROL)
    assert document.several.nodes == (3, 5)
    QTest.keyClick(view, KEY.Key_Space, CONTROL)
    QTest.keyClick(view, KEY.Key_Left, CONTROL)
    assert document.several.nodes == (3, 5, 4)
    QTest.keyClick(view, KEY.Key_Right, CONTROL)
    QTest.keyClick(view, KEY.Key_Space, CONTROL)  # lets it go
    QTest.keyClick(view, KEY.Key_Right, CONTROL)
    assert document.several.nodes == (3, 6)
    QTest.keyClick(view, KEY.Key_Home)
    assert document.several.nodes == (0,)


def test_space_alone_pans_as_ever(view, document):
    click(view, 3)
    QTest.keyPress(view, KEY.Key_Space)
    assert view.cursor().shape() == Qt.CursorShape.OpenHandCursor
    QTest.keyRelease(view, KEY.Key_Space)
    assert not document.several.on


# -- when the tree changes


def test_nodes_that_are_gone_are_selected_no_longer(qtbot, view, document):
    click(view, 5)
    click(view, 3, CONTROL)
    document.hand.collapse(2)
    qtbot.waitUntil(lambda: 5 not in document.tree, timeout=10_000)
    assert document.several.nodes == (document.selected,)


def test_another_table_begins_with_one_node(view, document, table):
    click(view, 3)
    click(view, 5, CONTROL)
    document.set_table(people(200))
    assert document.look.also == ()


# -- both kinds of picture, light and dark


@pytest.mark.parametrize("kind", ["cards", "streams"])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_ring_is_painted_around_each(qtbot, view, document, kind, mode):
    theme.set_mode(mode)
    document.look.set(kind=kind)
    click(view, 3)
    before = view.grab().toImage()
    document.look.set(also=(5, 6))
    after = view.grab().toImage()
    ratio = after.devicePixelRatio()
    for node in (5, 6):
        box = view.node_rect(node).adjusted(-8, -8, 8, 8).toRect()
        spots = [(x, y) for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom())]
        dots = [(int(x * ratio), int(y * ratio)) for x, y in spots]
        changed = [dot for dot in dots if after.valid(*dot) and before.pixel(*dot) != after.pixel(*dot)]
        assert len(changed) > 20
    theme.set_mode("system")


# -- what they are together


def slow_together(table, tree, nodes):
    """By the rows themselves: how many leaves, rows of both parts, and the weight of each class or (w, Σwy)."""
    at = engine.assign(table, tree)
    leaves = {
        i for node in nodes for i in range(tree.position(node), int(tree.end[tree.position(node)]))
        if tree.n_branches[i] == 0
    }  # fmt: skip
    rows = np.array(sorted({int(r) for i in leaves for r in at.rows_of(i)}), dtype=int)
    found = []
    for part in (engine.TRAIN, engine.VALIDATION):
        mine = rows[table.part[rows] == part]
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        if tree.task == "classes":
            stats = [weights[mine][table.y[mine] == k].sum() for k in range(len(tree.classes))]
        else:
            stats = [weights[mine].sum(), (weights[mine] * table.y[mine]).sum()]
        found.append((mine.size, stats))
    return len(leaves), found


@examples(30)
@given(frames(rows=(8, 30)), st.integers(0, 2**32 - 1), st.data())
def test_nothing_is_counted_twice(frame, seed, data):
    table = table_of(frame).with_partition(validation=0.3, seed=1)
    tree = random_tree(table, seed, 6)
    nodes = tuple(data.draw(st.lists(st.sampled_from(tree.ids.tolist()), min_size=1, max_size=5, unique=True)))
    found = together(tree, nodes)
    n_leaves, (train, validation) = slow_together(table, tree, nodes)
    assert (found.n_nodes, found.n_leaves) == (len(nodes), n_leaves)
    assert (found.rows, found.rows_validation) == (train[0], validation[0])
    k = len(tree.classes) or 2
    assert np.allclose(found.train[:k], train[1])
    assert np.allclose(found.validation[:k], validation[1])


def test_the_words():
    frame = pd.DataFrame({"x": range(12), "y": ["good", "bad", "good", "good"] * 3})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (3.5, 7.5)))
    good = tree.classes.index("good")
    assert together_words(tree, (1, 2), good) == "these 2 leaves: 8 rows, 75 % good"
    assert together_words(tree, (1,), good) == "this leaf: 4 rows, 75 % good"
    assert together_words(tree, (0, 2), good) == "these 2 nodes (3 leaves): 12 rows, 75 % good"
    numbers = engine.Table.from_frame(pd.DataFrame({"x": range(40), "y": [i + 0.5 for i in range(40)]}), target="y")
    tree = engine.Tree.root(numbers).split(numbers, 0, engine.Split("x", "threshold", (9.5, 19.5)))
    assert together_words(tree, (1, 2), 0) == "these 2 leaves: 20 rows, mean 10"


# -- the status bar, the panel, the clipboard


@pytest.fixture
def label(qtbot, document):
    label = PathLabel(document)
    qtbot.addWidget(label)
    label.resize(2_000, 24)
    return label


def test_the_status_bar_says_the_way_to_what_is_pointed_at(view, document, label):
    click(view, 3)
    assert label.text() == " and ".join(document.tree.rule(3))
    move(view, middle(view, 6))
    assert label.text() == " and ".join(document.tree.rule(6))
    move(view, empty_place(view))
    assert label.text() == " and ".join(document.tree.rule(3))


def test_several_nodes_stand_there_as_a_sum(view, document, label):
    click(view, 3)
    click(view, 5, CONTROL)
    move(view, empty_place(view))
    assert label.text() == together_words(document.tree, (3, 5), document.focus_class)
    assert label.text().startswith("these 2 leaves: ")
    assert "(validation " in label.text()
    move(view, middle(view, 1))
    assert label.text() == " and ".join(document.tree.rule(1))


def test_a_long_way_is_left_out_in_its_middle(qtbot, table):
    tree = engine.Tree.root(table)
    node = 0
    for cut in range(75, 35, -5):
        tree = tree.split(table, node, by_age(cut))
        node = int(tree.ids[tree.position(node) + 1])
    tree = tree.split(table, node, by_city())
    last = int(tree.ids[tree.position(node) + 1])
    document = Shown(table, tree)
    document.select(last)
    label = PathLabel(document)
    qtbot.addWidget(label)
    label.resize(360, 24)
    label.refresh()
    shown_text = label.shown()
    assert shown_text.startswith("age ≤ 75 and ")
    assert shown_text.endswith(" and city = Amsterdam")
    assert f" and {LEFT_OUT} and " in shown_text
    assert label.fontMetrics().horizontalAdvance(shown_text) <= 360
    label.resize(40, 24)
    assert label.fontMetrics().horizontalAdvance(label.shown()) <= 40


def test_long_conditions_are_shortened_and_none_vanishes_unsaid(qtbot):
    many = [f"a ward with a long name {k}" for k in range(12)]
    frame = pd.DataFrame({"ward": many * 4, "age": range(48), "y": list("ab") * 24})
    table = engine.Table.from_frame(frame, target="y")
    by_ward = engine.Split("ward", "groups", groups=(tuple(many[:10]), tuple(many[10:])))
    tree = engine.Tree.root(table).split(table, 0, by_ward)
    tree = tree.split(table, 1, by_age(20))
    tree = tree.split(table, 3, by_age(10))
    document = Shown(table, tree)
    document.select(5)
    label = PathLabel(document)
    qtbot.addWidget(label)
    label.refresh()
    for width in (1_000, 700, 300, 200):
        label.resize(width, 24)
        said = label.shown().split(" and ")
        assert label.fontMetrics().horizontalAdvance(label.shown()) <= width
        assert said[-1] == "age ≤ 10"
        assert len(said) == 3 or LEFT_OUT in said
        if width >= 700:
            assert said[0].startswith("ward in {a ward with")
            assert "…" in said[0]
            assert said[1] == "age ≤ 20"


def test_of_a_very_long_way_the_first_and_the_last_conditions_are_named():
    tree = random_staircase(n=401, lean=1)
    deepest = int(np.argmax(tree.level))
    found, rule = conditions(tree, deepest), tree.rule(int(tree.ids[deepest]))
    assert len(rule) > MOST_NAMED
    assert found == [*rule[: MOST_NAMED // 2], LEFT_OUT, *rule[-MOST_NAMED // 2 :]]
    for i in range(30):
        assert conditions(tree, i) == tree.rule(int(tree.ids[i]))


def test_the_node_panel_says_what_several_are_together(qtbot, view, document):
    from gui.panels.words.node import NodePanel

    panel = NodePanel(document)
    qtbot.addWidget(panel)
    click(view, 3)
    assert not panel.together.isVisibleTo(panel)
    click(view, 5, CONTROL)
    assert panel.together.isVisibleTo(panel)
    assert panel.together.text().startswith("These 2 leaves: ")
    click(view, 4)
    assert not panel.together.isVisibleTo(panel)


def test_the_way_is_copied_in_words_and_as_a_query(view, document):
    from gui.verbs.declared import copy_path, copy_query

    click(view, 3)
    copy_path(document)
    assert QGuiApplication.clipboard().text() == " and ".join(document.tree.rule(3))
    copy_query(document)
    assert QGuiApplication.clipboard().text() == engine.query(document.tree, 3)
    click(view, 5, CONTROL)
    copy_path(document)
    assert QGuiApplication.clipboard().text().splitlines() == [" and ".join(document.tree.rule(n)) for n in (3, 5)]
    copy_query(document)
    assert QGuiApplication.clipboard().text() == engine.query(document.tree, 3, 5)


def test_a_copied_path_says_what_belongs_together(qtbot):
    from gui.picture.matching import find
    from gui.verbs.declared import copy_path

    towns = ["Ulm", "Bonn, Rhein", "Köln", None]
    table = engine.Table.from_frame(
        pd.DataFrame({"town": towns * 10, "age": range(40), "y": list("ab") * 20}), target="y"
    )
    by_town = engine.Split("town", "groups", groups=(("Ulm", "Bonn, Rhein"), ("Köln",)))
    tree = engine.Tree.root(table).split(table, 0, by_town).split(table, 1, by_age(20))
    document = Shown(table, tree)
    document.select(3)
    copy_path(document)
    assert QGuiApplication.clipboard().text() == "(town in {Ulm, “Bonn, Rhein”} or missing) and age ≤ 20"
    label = PathLabel(document)
    qtbot.addWidget(label)
    label.refresh()
    assert label.text() == QGuiApplication.clipboard().text()
    assert find(tree, QGuiApplication.clipboard().text()).positions.tolist() == [tree.position(3)]
    for typed in ("Bonn, Rh", "rhein"):
        assert find(tree, typed).positions.tolist() == [tree.position(1)]
    document.select(1)
    copy_path(document)
    assert QGuiApplication.clipboard().text() == "town in {Ulm, “Bonn, Rhein”} or missing"
