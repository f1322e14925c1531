"""Pruning as the document sees it."""

import pytest

import engine
from tests.gui.acting import rest, texts
from tests.gui.conftest import flower_table


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
    assert grown.cutback.step == grown.cutback.sequence.chosen
    assert texts(grown)[-1] == f"Prune to {chosen.leaves} leaves (reduced error)"
    grown.undo()
    assert grown.tree.n_leaves == leaves and grown.cutback.step == 0


def test_cost_complexity_without_validation_rows(qtbot, document):
    document.set_table(flower_table())
    document.tree_edits.grow_all()
    document.cutback.prune()
    rest(qtbot, document)
    assert document.cutback.method == "cost_complexity"
    assert document.tree.n_leaves == document.cutback.sequence.steps[document.cutback.sequence.chosen].leaves
    assert len(document.steps) == (3 if document.cutback.sequence.chosen else 2)


def test_clicks_along_the_chart_are_one_step(qtbot, grown):
    full = grown.tree
    grown.cutback.open("cost_complexity")
    rest(qtbot, grown)
    last = len(grown.cutback.sequence.steps) - 1
    for index in (last, 1, last):
        grown.cutback.show(index)
        rest(qtbot, grown)
        assert grown.tree.n_leaves == grown.cutback.sequence.steps[index].leaves
    assert grown.undo_stack.count() == 2
    grown.cutback.show(0)
    rest(qtbot, grown)
    assert grown.tree is full
    assert grown.undo_stack.count() == 1  # back at the beginning: nothing happened


def test_no_click_swallows_the_step_of_the_prune_button(qtbot, grown):
    full = grown.tree
    grown.cutback.prune("cost_complexity")
    rest(qtbot, grown)
    pruned, last = grown.tree, len(grown.cutback.sequence.steps) - 1
    assert 1 < grown.cutback.sequence.chosen < last
    for index in (last, 1, last):
        grown.cutback.show(index)
        rest(qtbot, grown)
    assert grown.undo_stack.count() == 3  # grown, pruned, and all clicks together
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
    assert grown.undo_stack.count() == 3
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
    assert grown.undo_stack.count() == 3


def test_another_edit_makes_the_prunings_stale(qtbot, grown):
    grown.cutback.open()
    rest(qtbot, grown)
    grown.hand.collapse(int(grown.tree.ids[1]) if grown.tree.n_branches[1] else 0)
    rest(qtbot, grown)
    assert grown.cutback.sequence is None and grown.cutback.step is None


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
    assert grown.cutback.sequence is made and grown.cutback.step == 0


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
    assert told is None or told.steps == fresh.steps


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
        assert opened.tree is full and opened.undo_stack.count() == 2
        return
    assert opened.undo_stack.count() == 3
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
