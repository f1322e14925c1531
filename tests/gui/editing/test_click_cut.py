"""Cutting by clicks: one makes a leaf of a node, the next brings its branches back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

import engine
from gui import messages
from tests.gui.acting import fill, rest
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot, kept_window):
    made = fill(qtbot, kept_window, flower_table().with_partition(validation=0.25))
    made.document.tree_edits.grow_all()
    rest(qtbot, made)
    made.canvas.fit()
    QTest.keyClick(made.canvas, Qt.Key.Key_X, Qt.KeyboardModifier.ShiftModifier)
    assert made.actions_made.made["click_cut"].isChecked()
    return made


def click(qtbot, window, node):
    window.canvas.reveal(node)
    QTest.mouseClick(window.canvas, LEFT, pos=window.canvas.node_rect(node).center().toPoint())
    rest(qtbot, window)


def inner(tree, level):
    return next(int(tree.ids[i]) for i in range(tree.n_nodes) if tree.n_branches[i] and tree.level[i] == level)


def test_a_click_cuts_and_another_restores(qtbot, window):
    full = window.document.tree
    node = inner(full, 1)
    click(qtbot, window, node)
    assert window.document.tree.ids.tolist() == full.collapse(node).ids.tolist()
    click(qtbot, window, node)
    assert window.document.tree is full


def test_escape_ends_it_once_nothing_runs(qtbot, window):
    document, full = window.document, window.document.tree
    document.cutback.open("reduced_error")
    assert document.jobs.working
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert document.click_cut.on  # the work was stopped, the cutting goes on
    rest(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not document.click_cut.on and not window.actions_made.made["click_cut"].isChecked()
    assert not window.actions_made.made["stop"].isEnabled()
    click(qtbot, window, inner(full, 1))
    assert document.tree is full


def test_it_stands_in_the_menu_of_the_prune_button(window):
    menu = window.findChild(QMenu, "prune_menu")
    assert menu.actions()[-1] is window.actions_made.made["click_cut"]


def test_clicks_in_a_row_are_one_step(qtbot, window):
    full, steps = window.document.tree, len(window.document.history.steps)
    first, second = inner(full, 2), inner(full, 1)
    click(qtbot, window, first)
    click(qtbot, window, second)
    assert len(window.document.history.steps) == steps + 1
    window.document.undo()
    rest(qtbot, window)
    assert window.document.tree is full


def test_the_root_can_be_cut_and_brought_back(qtbot, window):
    full = window.document.tree
    click(qtbot, window, 0)
    assert window.document.tree.n_leaves == 1
    click(qtbot, window, 0)
    assert window.document.tree is full


def test_what_a_pruning_cut_comes_back(qtbot, window):
    document, full = window.document, window.document.tree
    QTest.keyClick(window.canvas, Qt.Key.Key_P)
    rest(qtbot, window)
    pruned = document.tree
    assert pruned.n_leaves < full.n_leaves
    cut = next(int(n) for n in pruned.ids[pruned.leaves] if full.n_branches[full.position(int(n))])
    click(qtbot, window, cut)
    assert document.tree.n_leaves > pruned.n_leaves
    assert document.cutback.sequence is not None  # the chart stays
    back = full.position(cut)
    assert document.tree.n_branches[document.tree.position(cut)] == full.n_branches[back]


def test_leaves_of_the_full_tree_say_so(qtbot, window):
    full = window.document.tree
    click(qtbot, window, int(full.ids[full.leaves[0]]))
    assert window.document.tree is full
    assert any("Nothing stands below" in text for text in window.bar.texts)


def test_a_locked_node_is_not_cut(qtbot, window):
    node = inner(window.document.tree, 1)
    window.document.select(node)
    window.document.hand.toggle(node, "locked")
    rest(qtbot, window)
    locked = window.document.tree
    click(qtbot, window, 0)
    assert window.document.tree is locked
    assert any("locked" in text for text in window.bar.texts)


def test_after_another_split_the_tree_on_the_canvas_is_what_comes_back(qtbot, window):
    document = window.document
    node = inner(document.tree, 1)
    click(qtbot, window, node)
    made = document.candidates[0].split
    document.hand.split_by(node, made)
    rest(qtbot, window)
    tree = document.tree
    click(qtbot, window, node)
    click(qtbot, window, node)
    assert document.tree is tree


def test_the_key_ends_it(qtbot, window):
    full = window.document.tree
    QTest.keyClick(window.canvas, Qt.Key.Key_X, Qt.KeyboardModifier.ShiftModifier)
    assert not window.actions_made.made["click_cut"].isChecked()
    click(qtbot, window, inner(full, 1))
    assert window.document.tree is full
    assert isinstance(full, engine.Tree)


def of_chart(qtbot, window):
    """The tree that the chart puts onto the canvas by a click, neither the whole one nor a leaf."""
    document = window.document
    document.cutback.open("cost_complexity")
    rest(qtbot, window)
    steps = document.cutback.sequence.steps
    document.cutback.show(next(i for i, step in enumerate(steps) if i and step.leaves > 3))
    rest(qtbot, window)
    return document.tree


def lowest(tree):
    """An inner node with nothing but leaves below it."""
    inner_nodes = [i for i in range(tree.n_nodes) if tree.n_branches[i]]
    return next(int(tree.ids[i]) for i in inner_nodes if tree.end[i] - i == 1 + tree.n_branches[i])


def test_a_cut_leaves_the_step_of_the_chart_as_it_is(qtbot, window):
    document = window.document
    pruned = of_chart(qtbot, window)
    steps = [step.text for step in document.history.steps]
    node = lowest(pruned)
    click(qtbot, window, node)
    below = int(pruned.n_branches[pruned.position(node)])
    assert document.tree.n_leaves == pruned.n_leaves - below + 1
    assert [step.text for step in document.history.steps[:-1]] == steps
    assert document.history.steps[-1].text.startswith(f"Delete {below} leaves")
    document.undo()
    rest(qtbot, window)
    assert document.tree is pruned


def test_what_comes_back_is_what_stood_there_in_the_tree_of_the_chart(qtbot, window):
    document = window.document
    pruned = of_chart(qtbot, window)
    for node in (lowest(pruned), inner(pruned, 1)):
        click(qtbot, window, node)
    click(qtbot, window, inner(pruned, 1))
    assert document.tree is pruned
    click(qtbot, window, 0)
    click(qtbot, window, 0)
    assert document.tree is pruned


def test_a_step_of_many_clicks_says_how_many_leaves_there_are(qtbot, window):
    document, full = window.document, window.document.tree
    click(qtbot, window, inner(full, 2))
    click(qtbot, window, next(int(n) for n in document.tree.ids if n == lowest(document.tree)))
    assert document.history.steps[-1].text == f"Cut by clicks to {document.tree.n_leaves} leaves"


def test_the_clicked_node_stays_under_the_mouse(qtbot, window):
    document, canvas = window.document, window.canvas
    node = inner(document.tree, 1)
    before, size = canvas.node_rect(node).center(), canvas.size()
    anchor = canvas.port.anchor(canvas.port.position_of(node))
    for _ in range(4):
        QTest.mouseClick(canvas, LEFT, pos=before.toPoint())
        rest(qtbot, window)
        messages.error("A message comes.")  # no part of it is a window, which would take the keys
        QTest.qWait(20)
        assert canvas.node_under(before) == node
        assert (canvas.port.anchor(canvas.port.position_of(node)) - anchor).manhattanLength() < 0.01
    assert canvas.size() == size
    QTest.mouseClick(canvas, LEFT, pos=before.toPoint())
    rest(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not document.click_cut.on and canvas.port.follows


def test_its_hint_goes_with_it(qtbot, window):
    assert any("Click a node" in text for text in window.bar.texts)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.bar.texts


def test_escape_ends_it_while_methods_are_compared(qtbot, window):
    window.show_panel("pruning")
    window.document.cutback.open("reduced_error")
    qtbot.waitUntil(lambda: not window.document.jobs.working and not window.document.edits.running, timeout=60_000)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.document.click_cut.on
