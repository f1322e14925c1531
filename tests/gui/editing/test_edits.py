"""Edits become named undo steps; those that are stale never arrive; validation rows wear out."""

import threading

import engine
from gui.model import tree_tasks
from gui.model.editing import hand_edits
from gui.model.editing.edits import next_leaf, survivor
from gui.wording import hand_phrases
from tests.gui.acting import accept, by_column, rest, texts
from tests.gui.tables import flower_table

# -- edits


def test_a_split_by_hand(qtbot, opened):
    accept(qtbot, opened, "length")
    tree = opened.tree
    assert tree.n_leaves == 2 and bool(tree.by_hand[0])
    assert texts(opened)[1].startswith("Split the root by “length ≤ ")
    assert texts(opened)[1].endswith("” (by hand)")
    step = opened.history.steps[1]
    assert step.leaves == 2
    assert step.train_error == tree.error("train") and step.validation_error == tree.error("validation")
    assert opened.modified and opened.history.stack.undoText() == step.text


def test_the_costliest_new_leaf_is_selected(qtbot, opened):
    accept(qtbot, opened, "length")
    tree = opened.tree
    costs = {int(tree.ids[i]): tree.costs()[i] for i in tree.leaves}
    assert opened.selected == max(costs, key=costs.get)


def test_undo_and_redo(qtbot, opened):
    before = opened.tree
    accept(qtbot, opened, "length")
    after = opened.tree
    opened.undo()
    assert opened.tree is before and not opened.modified and opened.history.stack.index() == 0
    opened.history.stack.redo()
    assert opened.tree is after and opened.history.stack.index() == 1
    assert texts(opened) == ["Open “flowers”", opened.history.stack.undoText()]


def test_exclusive_or_by_hand(qtbot, exclusive):
    """root -> x -> z on both sides: the first split gains nothing, the tree is right at the end"""
    document = exclusive
    assert by_column(document, "x").gain == 0
    accept(qtbot, document, "x")
    left, right = (int(document.tree.ids[i]) for i in document.tree.leaves)
    for leaf in (left, right):
        document.select(leaf)
        rest(qtbot, document)
        accept(qtbot, document, "z")
    assert document.tree.n_leaves == 4 and document.tree.error() == 0
    assert [step.train_error for step in document.history.steps] == [0.5, 0.5, 0.25, 0.0]


def test_a_root_whose_best_split_gains_too_little_is_told_with_both_figures(qtbot, exclusive, posted):
    exclusive.set_search(min_gain=0.01)
    rest(qtbot, exclusive)
    exclusive.tree_edits.grow_all()
    rest(qtbot, exclusive)
    assert exclusive.tree.n_leaves == 1
    assert posted() == ["info: No split: the best gain, 0, is below Minimum gain 0.01."]


def test_a_column_without_a_split_is_not_accepted(qtbot, exclusive, posted):
    accept(qtbot, exclusive, "x")
    rest(qtbot, exclusive)
    assert by_column(exclusive, "x").split is None
    exclusive.accept(by_column(exclusive, "x"))
    assert len(posted()) == 1
    assert exclusive.tree.n_leaves == 2


def test_an_inner_node_is_not_split_again(qtbot, opened):
    accept(qtbot, opened, "length")
    opened.hand.split_by(0, engine.Split("width", "threshold", (5.0,)))
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 2


def test_a_split_that_does_not_fit_is_refused_in_words(qtbot, opened, posted):
    opened.hand.split_by(0, engine.Split("soil", "threshold", (5.0,)))
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 1 and len(posted()) == 1
    assert not opened.edits.running


def test_split_best_anywhere(qtbot, opened):
    opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 2 and not opened.tree.by_hand.any()
    assert texts(opened)[1].startswith("Split the root by “length ≤ ") and texts(opened)[1].endswith("(best anywhere)")
    assert opened.edits.validation_trees == 1  # it shows a validation figure that was not there before


def test_presses_in_a_row_all_count(qtbot, opened):
    for _ in range(4):
        opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    assert [step.leaves for step in opened.history.steps] == [1, 2, 3, 4, 5]


def test_split_best_anywhere_with_many_branches(qtbot, document):
    frame = flower_table().to_frame()
    frame["length"] = frame["width"] = 1.0
    document.set_table(engine.Table.from_frame(frame, target="kind"))
    rest(qtbot, document)
    document.set_search(nominal="multiway")
    document.tree_edits.split_best_anywhere()
    rest(qtbot, document)
    assert document.tree.n_leaves == 3


def test_split_best_anywhere_takes_the_best_of_many_branches(qtbot, opened):
    opened.set_search(nominal="multiway")
    opened.hand.split_by(0, engine.Split("width", "threshold", (0.2,)))
    rest(qtbot, opened)
    node = int(opened.tree.ids[2])
    opened.select(node)
    rest(qtbot, opened)
    best = opened.candidates[0]
    opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    assert opened.tree.split_at(opened.tree.position(node)) == best.split
    assert int((opened.tree.n_branches > 0).sum()) == 2


def test_split_best_here(qtbot, opened):
    accept(qtbot, opened, "length")
    leaf = opened.selected
    best = opened.candidates[0]
    opened.tree_edits.split_best_here()
    rest(qtbot, opened)
    assert opened.tree.split_at(opened.tree.position(leaf)) == best.split
    where = hand_phrases.place(opened.tree, leaf)
    assert texts(opened)[-1].startswith(f"Split {where} by “{best.column} ")
    assert texts(opened)[-1].endswith("(best here)")


def test_grow_level_branch_and_all(qtbot, opened):
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    assert opened.tree.depth == 1
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    assert opened.tree.depth == 2
    node = int(opened.tree.ids[1])
    opened.tree_edits.grow_branch(node)
    rest(qtbot, opened)
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    said = texts(opened)
    assert said[1] == "Grow one level to 2 leaves"
    assert said[3].startswith("Grow branch “") and said[4] == f"Grow to {opened.tree.n_leaves} leaves"
    assert opened.tree.error() == 0


def test_nothing_left_to_split(qtbot, opened, posted):
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    posted()
    opened.tree_edits.split_best_anywhere()
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    assert len(opened.history.steps) == 2
    assert set(posted()) == {"info: " + said for said in [
        "Nothing to split: every leaf is pure, or the search options allow no further split."]}  # fmt: skip


def test_collapse(qtbot, opened):
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    leaves = opened.tree.n_leaves
    deepest = int(opened.tree.ids[opened.tree.leaves[0]])
    opened.select(deepest)
    opened.hand.collapse(0)
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 1 and opened.selected == 0
    assert texts(opened)[-1].startswith(f"Delete {leaves} leaves below ")
    opened.hand.collapse(0)
    assert len(opened.history.steps) == 3


def test_stop_keeps_the_valid_tree(qtbot, opened, monkeypatch):
    growing = threading.Event()

    def stoppable(state, options, progress, **how):
        growing.set()
        while not progress.stopped:
            threading.Event().wait(0.001)
        return hand_edits.split_leaf(state, 0, engine.Split("width", "threshold", (5.0,)), progress)

    monkeypatch.setattr(tree_tasks, "grown", stoppable)
    opened.tree_edits.grow_all()
    opened.tree_edits.grow_level()  # waits, and is given up by the stop
    assert growing.wait(5) and opened.edits.running
    opened.jobs.stop()
    rest(qtbot, opened)
    assert texts(opened) == ["Open “flowers”", "Grow to 2 leaves (stopped)"]


def test_an_undo_meanwhile_makes_the_result_stale(qtbot, opened, monkeypatch):
    accept(qtbot, opened, "length")
    growing = threading.Event()

    def slow(state, options, progress, **how):
        growing.set()
        while not progress.stopped:
            threading.Event().wait(0.001)
        return hand_edits.collapsed(state, 0, progress)

    monkeypatch.setattr(tree_tasks, "grown", slow)
    opened.tree_edits.grow_all()
    assert growing.wait(5)
    opened.undo()
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 1 and opened.history.stack.index() == 0 and opened.history.stack.count() == 1
    assert not opened.edits.running


def test_a_crash_in_an_edit_leaves_the_tree_alone(qtbot, opened, monkeypatch):
    tree = opened.tree
    monkeypatch.setattr(tree_tasks, "grown", lambda *args, **kwargs: 1 / 0)
    with qtbot.captureExceptions() as caught:
        opened.tree_edits.grow_all()
        rest(qtbot, opened)
    assert len(caught) == 1 and opened.tree is tree and not opened.edits.running
    monkeypatch.undo()
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    assert opened.tree.depth == 1


# -- validation rows wear out


def test_every_tree_whose_validation_figure_was_compared_counts(qtbot, opened):
    accept(qtbot, opened, "length")
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    opened.cutback.open()
    rest(qtbot, opened)
    assert opened.edits.validation_trees == 2  # nothing was chosen in the chart
    for show_last in (True, False):
        opened.cutback.show(len(opened.cutback.sequence.steps) - 1 if show_last else 0)
        rest(qtbot, opened)
        trees = 2 + len(opened.cutback.sequence.steps)  # the hand-made split is kept by now
        assert opened.edits.validation_trees == trees  # of one chart once
    opened.undo()
    opened.history.stack.redo()
    assert opened.edits.validation_trees == trees


def test_without_validation_rows_nothing_is_compared(qtbot, exclusive):
    accept(qtbot, exclusive, "x")
    assert exclusive.edits.validation_trees == 0


# -- small rules


def test_survivor():
    table = flower_table()
    root = engine.Tree.root(table)
    one = root.split(table, 0, engine.Split("width", "threshold", (5.0,)))
    left = int(one.ids[1])
    two = one.split(table, left, engine.Split("width", "threshold", (2.0,)))
    deep = int(two.ids[2])
    assert [survivor(node, two, tree) for node, tree in ((deep, two), (deep, one), (deep, root), (7, one))] == [
        deep, left, 0, 0,
    ]  # fmt: skip


def test_the_next_leaf_is_a_new_one_then_any_that_is_impure_then_none(xor):
    before = engine.Tree.root(xor).split(xor, 0, engine.Split("x", "threshold", (0.5,)))
    left, right = (int(before.ids[i]) for i in before.children(0))
    half = before.split(xor, left, engine.Split("z", "threshold", (0.5,)))
    whole = half.split(xor, right, engine.Split("z", "threshold", (0.5,)))
    assert next_leaf(engine.Tree.root(xor), before) == left
    assert next_leaf(before, half) == right
    assert next_leaf(half, whole) is None
