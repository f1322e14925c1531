"""Pruning as the document sees it."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt

import engine
from gui.model.editing.pruning_choices import ON_CANVAS
from tests.gui.acting import rest, texts
from tests.gui.asked import press, when_asked
from tests.gui.tables import flower_table


@pytest.fixture
def grown(qtbot, opened):
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    return opened


def test_prune_puts_the_chosen_tree_onto_the_canvas(qtbot, grown):
    leaves = grown.tree.n_leaves
    grown.cutback.prune()
    rest(qtbot, grown)
    chosen = grown.cutback.sequence.steps[grown.cutback.sequence.chosen]
    assert grown.cutback.method == "reduced_error"
    assert grown.tree.n_leaves == chosen.leaves < leaves
    assert grown.cutback.point == (grown.cutback.method, grown.cutback.sequence.chosen)
    assert texts(grown)[-1] == f"Prune to {chosen.leaves} leaves (reduced error)"
    grown.undo()
    assert grown.tree.n_leaves == leaves and grown.cutback.point.step == 0


def test_labels_that_pruning_chose_are_told_as_such_and_taken_back_by_undo(qtbot, make):
    frame = pd.DataFrame({"x": [0] * 4 + [1] * 4 + [0, 0, 1, 1], "y": list("aaaabbbb" + "bbaa")})
    table = engine.Table.from_frame(frame, target="y").divided(np.array([0] * 8 + [1] * 4, np.uint8))
    window = make()
    document = window.document
    document.set_table(table)
    document.tree_edits.grow_all()
    rest(qtbot, window)
    grown = document.tree
    document.cutback.prune("generic")
    rest(qtbot, window)
    assert document.tree.predict(frame).tolist() == ["b"] * 4 + ["a"] * 4 + ["b", "b", "a", "a"]
    leaf = next(int(node) for node in document.tree.ids[1:] if document.tree.labels[document.tree.position(node)] == 1)
    document.select(leaf)
    rest(qtbot, window)
    panel = window.panels["node"]
    assert "Predicts b" in panel.outcome.text()
    assert "Pruning chose the label b; the counts predict a." in panel.marks.text()
    assert "Pruning chose the label b; the counts predict a." in window.canvas.accessibleDescription()
    document.undo()
    assert document.tree is grown and not grown.marks


def test_cost_complexity_without_validation_rows(qtbot, document):
    document.set_table(flower_table())
    document.tree_edits.grow_all()
    document.cutback.prune()
    rest(qtbot, document)
    assert document.cutback.method == "cost_complexity"
    assert document.tree.n_leaves == document.cutback.sequence.steps[document.cutback.sequence.chosen].leaves
    assert len(document.history.steps) == (3 if document.cutback.sequence.chosen else 2)


def test_clicks_along_the_chart_are_one_step(qtbot, grown):
    full = grown.tree
    grown.cutback.open("cost_complexity")
    rest(qtbot, grown)
    last = len(grown.cutback.sequence.steps) - 1
    for index in (last, 1, last):
        grown.cutback.show(index)
        rest(qtbot, grown)
        assert grown.tree.n_leaves == grown.cutback.sequence.steps[index].leaves
    assert grown.history.stack.count() == 2
    grown.cutback.show(0)
    rest(qtbot, grown)
    assert grown.tree is full
    assert grown.history.stack.count() == 1  # back at the beginning: nothing happened


def test_no_click_swallows_the_step_of_the_prune_button(qtbot, grown):
    full = grown.tree
    grown.cutback.prune("cost_complexity")
    rest(qtbot, grown)
    pruned, last = grown.tree, len(grown.cutback.sequence.steps) - 1
    assert 1 < grown.cutback.sequence.chosen < last
    for index in (last, 1, last):
        grown.cutback.show(index)
        rest(qtbot, grown)
    assert grown.history.stack.count() == 3  # grown, pruned, and all clicks together
    grown.undo()
    assert grown.tree is pruned
    grown.undo()
    assert grown.tree is full


def test_the_prune_button_does_not_continue_clicks(qtbot, grown):
    grown.cutback.open("cost_complexity")
    rest(qtbot, grown)
    grown.cutback.show(len(grown.cutback.sequence.steps) - 1)
    rest(qtbot, grown)
    clicked = grown.tree
    grown.cutback.prune("cost_complexity")
    rest(qtbot, grown)
    assert grown.history.stack.count() == 3
    grown.undo()
    assert grown.tree is clicked


def test_another_method_prunes_the_same_tree(qtbot, grown):
    full = grown.tree.n_leaves
    grown.cutback.prune("reduced_error")
    rest(qtbot, grown)
    grown.cutback.open("cost_complexity")
    rest(qtbot, grown)
    assert grown.cutback.sequence.steps[0].leaves == full
    grown.cutback.show(1)
    rest(qtbot, grown)
    assert grown.history.stack.count() == 3


def test_another_edit_makes_the_prunings_stale(qtbot, grown):
    grown.cutback.open()
    rest(qtbot, grown)
    grown.hand.collapse(int(grown.tree.ids[1]) if grown.tree.n_branches[1] else 0)
    rest(qtbot, grown)
    assert grown.cutback.sequence is None and grown.cutback.point is None


def test_undo_to_the_same_tree_brings_its_chart_back(qtbot, grown):
    grown.cutback.prune("reduced_error")
    rest(qtbot, grown)
    made, point, pruned = grown.cutback.sequence, grown.cutback.point, grown.tree
    grown.hand.collapse(0)
    rest(qtbot, grown)
    assert grown.cutback.sequence is None and grown.cutback.choices is None
    grown.undo()
    rest(qtbot, grown)
    assert grown.tree is pruned and grown.cutback.sequence is made and grown.cutback.point == point
    grown.undo()
    assert grown.cutback.sequence is made and grown.cutback.point.step == 0


def test_a_chart_comes_back_without_what_was_told_otherwise_since(qtbot, grown):
    grown.cutback.open("pessimistic")
    rest(qtbot, grown)
    grown.hand.collapse(int(grown.tree.ids[grown.tree.n_branches > 0][-1]))
    rest(qtbot, grown)
    grown.cutback.tell("pessimistic", "confidence", 0.01)
    grown.undo()
    rest(qtbot, grown)
    assert grown.cutback.compared
    told = grown.cutback.sequence
    grown.cutback.open("pessimistic")
    rest(qtbot, grown)
    fresh = engine.prune(grown.table, grown.tree, "pessimistic", confidence=0.01)
    assert grown.cutback.sequence.steps == fresh.steps
    assert told.steps == fresh.steps


def test_a_method_that_cannot_work_says_why(qtbot, document, posted):
    document.set_table(flower_table())
    document.tree_edits.grow_all()
    document.cutback.open("reduced_error")
    rest(qtbot, document)
    assert document.cutback.sequence is None and document.cutback.error


def by_hand_then_grown(qtbot, document):
    """A silly split by hand at the root, the rest by the engine."""
    document.hand.split_by(0, engine.Split("width", "threshold", (0.2,)))
    document.tree_edits.grow_all()
    rest(qtbot, document)


@pytest.mark.parametrize(("answer", "kept"), [(True, True), (False, False), (None, True)])
def test_hand_made_splits_are_asked_about_once(qtbot, opened, answer, kept):
    asked = []
    opened.cutback.ask_keep_by_hand = lambda n_splits: asked.append(n_splits) or answer
    by_hand_then_grown(qtbot, opened)
    full = opened.tree
    opened.cutback.open("cost_complexity")
    rest(qtbot, opened)
    assert asked == []
    opened.cutback.show(len(opened.cutback.sequence.steps) - 1)
    rest(qtbot, opened)
    assert asked == [1]
    assert bool(opened.tree.n_branches[0]) is kept
    if answer is None:
        assert opened.tree is full and opened.history.stack.count() == 2
        return
    assert opened.history.stack.count() == 3
    opened.undo()
    opened.cutback.show(len(opened.cutback.sequence.steps) - 1)
    rest(qtbot, opened)
    assert asked == [1]
    assert bool(opened.tree.n_branches[0]) is kept


def test_the_answer_is_forgotten_with_the_table(qtbot, opened, flowers):
    asked = []
    opened.cutback.ask_keep_by_hand = lambda n_splits: asked.append(n_splits) or False
    for _ in range(2):
        by_hand_then_grown(qtbot, opened)
        opened.cutback.open("cost_complexity")
        rest(qtbot, opened)
        opened.cutback.show(len(opened.cutback.sequence.steps) - 1)
        rest(qtbot, opened)
        opened.set_table(flowers)
        rest(qtbot, opened)
    assert asked == [1, 1]


def test_the_answer_about_hand_made_splits_is_seen_named_and_changed(qtbot, window, flowers):
    document = window.document
    document.set_table(flowers)
    document.hand.split_by(0, engine.Split("width", "threshold", (1.0,)))
    rest(qtbot, window)
    document.hand.split_by(document.selected, engine.Split("width", "threshold", (2.0,)))
    rest(qtbot, window)
    whole = document.tree
    assert whole.n_leaves == 3
    seen = when_asked(press("Keep hand-made splits"), "keep_by_hand")
    window.prune("reduced_error")
    rest(qtbot, window)
    panel = window.panels["pruning"]
    assert seen and document.tree is whole
    assert panel.keep.isVisible() and panel.keep.isChecked()
    [said] = [text for text in window.bar.texts if "Nothing to prune" in text]
    assert "2 hand-made splits" in said and "untick Keep hand-made splits" in said
    assert {step.leaves for found in document.cutback.choices.found.values() for step in found.steps} == {3}
    qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
    rest(qtbot, window)
    assert not panel.keep.isChecked() and len(document.cutback.sequence.steps) > 1
    window.prune("reduced_error")  # nothing is asked any more
    rest(qtbot, window)
    assert document.tree.n_leaves == 1
    qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
    rest(qtbot, window)
    window.prune("reduced_error")
    rest(qtbot, window)
    assert document.tree.n_leaves == 3
    document.set_table(flowers)
    rest(qtbot, window)
    assert not document.cutback.answer


def by_hand_in_the_panel(qtbot, window, flowers):
    """A tree with a hand-made split that every pruning takes away, its chart and its box; the window and the panel."""
    document = window.document
    document.set_table(flowers)
    by_hand_then_grown(qtbot, document)
    window.show_panel("pruning")
    document.cutback.open("reduced_error")
    rest(qtbot, window)
    return document, window.panels["pruning"]


def test_a_click_on_keep_or_on_an_option_does_not_lose_the_prune(qtbot, window, flowers):
    document, panel = by_hand_in_the_panel(qtbot, window, flowers)
    full = document.tree.n_leaves
    document.cutback.prune("pessimistic")
    qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
    rest(qtbot, window)
    expected = engine.prune(document.table, document.cutback.base.tree, "pessimistic", keep_by_hand=True)
    assert document.tree.n_leaves == expected.steps[expected.chosen].leaves < full
    document.undo()
    rest(qtbot, window)
    document.cutback.tell("pessimistic", "confidence", 0.3)
    rest(qtbot, window)
    document.cutback.prune("pessimistic")
    document.cutback.tell("pessimistic", "confidence", 0.01)
    rest(qtbot, window)
    base = document.cutback.base.tree
    expected = engine.prune(document.table, base, "pessimistic", keep_by_hand=True, confidence=0.01)
    assert document.tree.n_leaves == expected.steps[expected.chosen].leaves < full


def test_a_click_on_keep_while_the_tree_is_made_does_not_lose_the_prune(qtbot, window, flowers):
    document, panel = by_hand_in_the_panel(qtbot, window, flowers)
    full = document.tree.n_leaves
    document.cutback.prune("reduced_error")  # its trees are known: the chosen one is being made
    assert document.edits.running
    qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
    rest(qtbot, window)
    assert document.tree.n_branches[0] and document.tree.n_leaves < full


def test_who_only_looks_does_not_show_what_was_pruned_before(qtbot, grown):
    grown.cutback.prune("pessimistic")
    rest(qtbot, grown)
    grown.undo()
    grown.cutback.tell("pessimistic", "confidence", 0.01)
    rest(qtbot, grown)
    assert grown.tree is grown.cutback.base.tree


def test_the_same_pruning_again_is_no_step_and_compares_nothing(qtbot, window, flowers):
    document, panel = by_hand_in_the_panel(qtbot, window, flowers)
    qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
    document.cutback.prune("reduced_error")
    rest(qtbot, window)
    tree, trees, history = document.tree, document.edits.validation_trees, texts(document)
    assert "reduced error" in history[-1]
    for _ in range(2):
        qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
        rest(qtbot, window)
    document.cutback.prune("reduced_error")
    rest(qtbot, window)
    assert document.tree is tree and document.edits.validation_trees == trees and texts(document) == history
    assert ON_CANVAS in window.bar.texts
    assert document.cutback.point == (document.cutback.method, document.cutback.sequence.chosen)
    assert document.cutback.point.step > 0
    document.undo()
    document.cutback.prune("reduced_error")
    rest(qtbot, window)
    assert document.tree is tree and texts(document) == history


def test_keep_is_undecided_until_somebody_decides(qtbot, window, flowers):
    document, panel = by_hand_in_the_panel(qtbot, window, flowers)
    assert panel.keep.checkState() == Qt.CheckState.PartiallyChecked and "asked" in panel.keep.toolTip()
    full = document.tree
    when_asked(press("Cancel"), "keep_by_hand")
    document.cutback.show(len(document.cutback.sequence.steps) - 1)
    rest(qtbot, window)
    assert document.tree is full and panel.keep.checkState() == Qt.CheckState.PartiallyChecked
    for state in (Qt.CheckState.Checked, Qt.CheckState.Unchecked, Qt.CheckState.Checked):
        qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton)
        rest(qtbot, window)
        assert panel.keep.checkState() == state and "asked" not in panel.keep.toolTip()
    by_hand_in_the_panel(qtbot, window, flowers)
    assert panel.keep.checkState() == Qt.CheckState.PartiallyChecked
