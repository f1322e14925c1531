"""The document: verbs become named undo steps, queries follow the selection, stale results never arrive."""

import threading

import numpy as np
import pandas as pd
import pytest

import engine
from gui.document import Document
from gui.editing.edits import next_leaf, survivor
from gui.search.ranking import Kept
from gui.tasks import file_tasks, hand_tasks, split_tasks, tree_tasks
from gui.wording import hand_phrases
from tests.gui.conftest import flower_table


def rest(qtbot, document):
    """Waits until nothing runs and everything has arrived."""
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)


@pytest.fixture
def opened(qtbot, document, flowers):
    """A document with the flowers."""
    document.set_table(flowers)
    rest(qtbot, document)
    return document


@pytest.fixture
def exclusive(qtbot, document, xor):
    """A document with the four rows of exclusive or."""
    document.set_table(xor)
    rest(qtbot, document)
    return document


def by_column(document, column):
    return next(candidate for candidate in document.candidates if candidate.column == column)


def accept(qtbot, document, column):
    document.accept(by_column(document, column))
    rest(qtbot, document)


def texts(document):
    return [step.text for step in document.steps]


# -- opening


def test_an_empty_document(document):
    assert document.table is document.tree is document.state is document.assignment is None
    assert (document.candidates, document.steps, document.name, document.modified) == ([], [], "", False)
    for verb in (
        document.tree_edits.split_best_anywhere,
        document.tree_edits.grow_all,
        document.cutback.prune,
        document.undo,
        document.redo,
    ):
        verb()
    assert document.tree is None and not document.jobs.busy


def test_opening_selects_the_root_and_ranks_its_splits(opened, flowers):
    assert opened.table is flowers
    assert (opened.tree.n_leaves, opened.selected, opened.name) == (1, 0, "flowers")
    assert {candidate.column for candidate in opened.candidates} == {"length", "width", "soil"}
    assert opened.candidate is opened.candidates[0]
    assert opened.curve.column == opened.candidates[0].column
    assert opened.assignment.rows.size == flowers.n_rows
    assert texts(opened) == ["Open “flowers”"]
    assert not opened.modified


def test_another_table_starts_anew(qtbot, opened, xor):
    accept(qtbot, opened, "length")
    heard = []
    opened.treeChanged.connect(lambda before, after: heard.append((before.n_leaves, after.n_leaves)))
    opened.set_table(xor)
    rest(qtbot, opened)
    assert heard == [(2, 1)]
    assert texts(opened) == ["Open “xor”"]
    assert not opened.modified and not opened.undo_stack.canUndo()
    assert {candidate.column for candidate in opened.candidates} == {"x", "z"}


def test_closing_puts_everything_away(qtbot, opened):
    opened.close()
    rest(qtbot, opened)
    assert opened.tree is None and opened.candidates == [] and opened.steps == []


# -- looking


def test_candidates_follow_the_selection(qtbot, opened):
    accept(qtbot, opened, "length")
    root = opened.tree.ids[0]
    opened.select(int(root))
    assert opened.selected == root
    rest(qtbot, opened)
    assert opened.candidate.column == "length"  # the split that the root has
    opened.select(99)
    assert opened.selected == root


def test_only_the_last_of_many_selections_is_answered(qtbot, opened, monkeypatch):
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    asked, gate = [], threading.Event()
    search = split_tasks.candidates

    def slow(state, node, options, progress, found):
        asked.append(node)
        gate.wait(5)
        return search(state, node, options, progress)

    monkeypatch.setattr(split_tasks, "candidates", slow)
    opened.set_criterion("entropy")
    qtbot.waitUntil(lambda: len(asked) == 1)
    ids = [int(node) for node in opened.tree.ids]
    others = [node for node in ids if node != opened.selected]
    for node in [*others, *others]:
        opened.select(node)
    changes = []
    opened.candidatesChanged.connect(lambda: changes.append(opened.candidates))
    gate.set()
    rest(qtbot, opened)
    assert len(asked) == 2 and asked[1] == opened.selected
    assert [found is not None for found in changes] == [True]


def test_known_candidates_come_back_at_once(qtbot, opened):
    first = opened.candidates
    accept(qtbot, opened, "length")
    opened.undo()
    assert opened.candidates is first
    assert opened.selected == 0
    opened.set_criterion("entropy")
    assert opened.candidates is None
    rest(qtbot, opened)
    opened.set_criterion("gini")
    assert opened.candidates is first


def test_splitting_another_leaf_leaves_the_ranking_alone(qtbot, opened, monkeypatch):
    accept(qtbot, opened, "length")
    leaf, other = (int(opened.tree.ids[i]) for i in opened.tree.leaves)
    opened.select(leaf)
    rest(qtbot, opened)
    known = opened.candidates
    opened.hand.split_by(other, engine.Split("width", "threshold", (5.0,)))
    rest(qtbot, opened)
    opened.select(leaf)
    assert opened.candidates is known


def test_the_criterion_changes_the_ranking_and_not_the_tree(qtbot, opened):
    heard = []
    opened.searchChanged.connect(lambda: heard.append(opened.criterion))
    opened.set_criterion("entropy")
    rest(qtbot, opened)
    assert heard == ["entropy"] and opened.search == {"criterion": "entropy"}
    assert not opened.modified
    best = opened.candidates[0]
    assert best.gain == pytest.approx(best.scores["entropy"])


def test_options_that_cannot_be_used_are_refused(opened, posted):
    opened.set_search(min_leaf=0)
    opened.set_criterion("squared_error")
    opened.set_criterion("magic")
    said = posted()
    assert len(said) == 3 and all(text.startswith("error: ") for text in said)
    assert opened.search == {}


def test_options_that_do_not_fit_another_target_go_and_come_back_with_undo(qtbot, opened):
    chosen = {"criterion": "entropy", "numeric": "boundary_cuts", "buckets": 7, "min_leaf": 3}
    opened.set_search(**chosen)
    opened.set_search(priors="rose=0.5", costs="rose:iris=4", smoothing="laplace")
    rest(qtbot, opened)
    before = opened.search
    opened.table_edits.set_target("width")
    rest(qtbot, opened)
    assert opened.search == {"buckets": 7, "min_leaf": 3}
    assert opened.candidates and opened.candidates_error == ""
    opened.undo()
    assert opened.search == before and set(before) == {*chosen, "priors", "costs", "smoothing"}
    opened.redo()
    assert opened.search == {"buckets": 7, "min_leaf": 3}
    rest(qtbot, opened)


def test_priors_of_other_classes_do_not_outlive_their_target(qtbot, opened):
    opened.set_search(priors={"rose": 1.0, "iris": 2.0})
    rest(qtbot, opened)
    opened.table_edits.set_target("soil")
    rest(qtbot, opened)
    assert opened.search == {} and opened.tree.leaf_rule.priors == ()
    assert opened.candidates


def test_what_leaves_say_is_a_step_and_undo_brings_options_and_tree_into_agreement(qtbot, opened):
    opened.tree_edits.grow_level()
    opened.set_search(smoothing="m_estimate", smoothing_m=5.0)
    rest(qtbot, opened)
    assert texts(opened)[-1] == "Probabilities by m-estimate, m = 5"
    assert opened.tree.leaf_rule.smoothing_m == 5.0 and opened.search == {"smoothing": "m_estimate", "smoothing_m": 5.0}
    opened.undo()
    assert opened.search == {} and opened.tree.leaf_rule.smoothing == "none"
    opened.redo()
    assert opened.search == {"smoothing": "m_estimate", "smoothing_m": 5.0}
    accept(qtbot, opened, "width") if opened.candidates else None
    assert opened.tree.leaf_rule.smoothing == "m_estimate"
    opened.reset_search()
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.smoothing == "none" and texts(opened)[-1] == "Probabilities as counted"


def test_the_absolute_error_makes_leaves_say_medians(qtbot, opened):
    opened.table_edits.set_target("width")
    rest(qtbot, opened)
    opened.set_criterion("absolute_error")
    rest(qtbot, opened)
    assert opened.search == {"criterion": "absolute_error"}
    assert opened.tree.leaf_rule.summary == "median" and texts(opened)[-1] == "Leaves say the median"
    opened.set_search(summary="mean")
    rest(qtbot, opened)
    assert opened.search == {"criterion": "absolute_error", "summary": "mean"}
    opened.set_criterion("squared_error")
    rest(qtbot, opened)
    assert opened.search == {} and opened.tree.leaf_rule.summary == "mean"


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("kind", {"numeric": "bucket_branches", "buckets": 5}),
        ("kind", {"nominal": "multiway"}),
        ("kind", {"missing": "branch"}),
        ("kind", {"criterion": "gain_ratio", "nominal": "multiway"}),
        ("width", {"criterion": "absolute_error", "numeric": "bucket_branches"}),
        ("width", {"criterion": "binned_gini", "bins": 4, "nominal": "multiway"}),
    ],
)
def test_splitting_best_anywhere_splits_one_leaf_however_many_branches(qtbot, opened, target, options):
    opened.table_edits.set_target(target)
    rest(qtbot, opened)
    opened.set_search(**options)
    rest(qtbot, opened)
    for n_splits in (1, 2, 3):
        before = opened.tree
        leaves = [i for i in before.leaves if before.rows_train[i] > 1]
        opened.tree_edits.split_best_anywhere()
        rest(qtbot, opened)
        assert np.count_nonzero(opened.tree.n_branches) == n_splits
    gains = []
    for i in leaves:
        found = engine.candidates(opened.table, before, int(before.ids[i]), **options)
        gains += [(found[0].gain * before.weight("train")[i], i) for _ in [0] if found and found[0].split]
    changed = [i for i in leaves if opened.tree.n_branches[opened.tree.position(int(before.ids[i]))]]
    assert len(changed) == 1
    if options.get("criterion") != "gain_ratio":
        assert dict((i, g) for g, i in gains)[changed[0]] == pytest.approx(max(gains)[0])


def test_options_with_classes_survive_a_project_file(qtbot, opened, tmp_path):
    opened.set_search(priors={"rose": 0.25, "iris": 0.5}, costs=[("rose", "iris", 4.0)], min_leaf=2)
    rest(qtbot, opened)
    kept = opened.search
    opened.save(tmp_path / "mine.espalier")
    rest(qtbot, opened)
    opened.load(tmp_path / "mine.espalier")
    rest(qtbot, opened)
    assert opened.search == kept and opened.candidates
    assert opened.tree.leaf_rule.costs == (("rose", "iris", 4.0),)
    opened.set_search(min_leaf=3)  # the options are still such that answers can be kept by them
    rest(qtbot, opened)
    assert opened.candidates


@pytest.mark.parametrize(
    ("target", "options"),
    [("kind", {"m_of_n": True}), ("kind", {"lookahead": 2}), ("width", {"criterion": "absolute_error"})],
)
def test_splits_of_every_kind_are_looked_at_before_and_after_they_are_made(qtbot, opened, target, options):
    opened.table_edits.set_target(target)
    rest(qtbot, opened)
    opened.set_search(**options)
    rest(qtbot, opened)
    best = opened.candidates[0]
    assert opened.candidate is best and opened.curve_error == ""
    assert (opened.curve is None) == (best.split.kind == "m_of_n")
    opened.accept(best)
    rest(qtbot, opened)
    opened.select(0)
    rest(qtbot, opened)
    made = opened.candidate
    assert made.split == best.split and made.gain == pytest.approx(best.gain)
    assert made.rows == best.rows and opened.curve_error == ""


def test_presets_and_single_options(qtbot, opened):
    opened.set_preset("id3")
    assert (opened.preset, opened.criterion, opened.search["nominal"]) == ("id3", "entropy", "multiway")
    opened.set_search(nominal=None)
    assert (opened.preset, opened.search) == ("", {"criterion": "entropy"})
    opened.set_preset("cart")
    assert opened.search == {}


def test_a_failed_search_says_why(qtbot, opened, monkeypatch):
    def refuse(*args, **kwargs):
        raise engine.InputError("The column melted.")

    monkeypatch.setattr(split_tasks, "candidates", refuse)
    opened.set_criterion("entropy")
    rest(qtbot, opened)
    assert (opened.candidates, opened.candidates_error) == ([], "The column melted.")


def test_a_crash_while_searching_leaves_the_document_as_it_was(qtbot, opened, monkeypatch):
    tree = opened.tree
    monkeypatch.setattr(split_tasks, "candidates", lambda *args, **kwargs: 1 / 0)
    with qtbot.captureExceptions() as caught:
        opened.set_criterion("entropy")
        rest(qtbot, opened)
    assert len(caught) == 1
    assert opened.tree is tree and "log" in opened.candidates_error
    monkeypatch.undo()
    opened.set_criterion("error")
    rest(qtbot, opened)
    assert len(opened.candidates) == 3


def test_a_curve_is_drawn_for_the_chosen_candidate(qtbot, opened):
    candidate = by_column(opened, "soil")
    heard = []
    opened.candidateChanged.connect(heard.append)
    opened.select_candidate(candidate)
    assert heard == [candidate] and opened.curve is None
    rest(qtbot, opened)
    assert opened.curve.column == "soil" and opened.curve.levels == ("clay", "loam", "sand")


def test_a_node_that_is_split_is_looked_at_by_its_own_split(qtbot, opened):
    best = opened.candidates[0]
    mine = engine.Split("width", "threshold", (4.8,))
    opened.hand.split_by(0, mine)
    rest(qtbot, opened)
    opened.select(0)
    rest(qtbot, opened)
    opened.select_candidate(best)  # it may be looked at, and the node's own split again
    rest(qtbot, opened)
    assert opened.candidate is best and opened.curve.column == best.column
    opened.select_candidate(None)
    rest(qtbot, opened)
    made, tree = opened.candidate, opened.tree
    assert made.split == mine and opened.curve.column == "width"
    assert made.rows == tuple(int(tree.rows_train[i]) for i in tree.children(0)) and made.missing == 0
    i = int(abs(opened.curve.cuts - 4.8).argmin())
    same = np.searchsorted(opened.curve.values, [opened.curve.cuts[i], 4.8], side="right")
    assert same[0] == same[1], "the cut beside 4.8 parts the rows as 4.8 does"
    assert made.gain == pytest.approx(opened.curve.gains[i])
    assert made.validation_gain == pytest.approx(opened.curve.validation_gains[i])
    opened.undo()
    rest(qtbot, opened)
    assert opened.candidate is opened.candidates[0]
    opened.select_candidate(by_column(opened, "soil"))
    rest(qtbot, opened)
    opened.redo()
    assert opened.candidate is made and opened.curve.column == "width"


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "error", "sqrt"])
def test_a_split_that_was_made_gains_what_its_candidate_promised(qtbot, opened, criterion):
    opened.set_criterion(criterion)
    rest(qtbot, opened)
    for column in ("length", "soil"):
        promised = by_column(opened, column)
        accept(qtbot, opened, column)
        opened.select(0)
        rest(qtbot, opened)
        made = opened.candidate
        assert made is not promised and made.split == promised.split
        assert (made.gain, made.validation_gain) == pytest.approx((promised.gain, promised.validation_gain), abs=1e-12)
        assert (made.rows, made.missing) == (promised.rows, promised.missing)
        opened.undo()
        rest(qtbot, opened)


def test_the_curve_of_a_split_that_cannot_be_drawn_says_why(qtbot, opened, monkeypatch):
    def refuse(*args, **kwargs):
        raise engine.InputError("The column melted.")

    accept(qtbot, opened, "length")
    monkeypatch.setattr(split_tasks, "curve", refuse)
    opened.select(0)
    rest(qtbot, opened)
    assert (opened.candidate, opened.curve, opened.curve_error) == (None, None, "The column melted.")


def test_the_preview_goes_with_the_selection(qtbot, opened):
    heard = []
    opened.previewChanged.connect(heard.append)
    candidate = opened.candidates[0]
    opened.set_preview(candidate)
    opened.set_preview(candidate)
    accept(qtbot, opened, "length")
    assert heard == [candidate, None]


def test_focus(opened):
    assert opened.focus_class == int(opened.tree.train[0].argmax()), "of several the most frequent"
    first = (opened.focus_class + 1) % 3
    heard = []
    opened.focusChanged.connect(lambda: heard.append(opened.focus_class))
    opened.set_focus(first)
    opened.set_focus(first)
    opened.set_focus(3)
    assert heard == [first] and not opened.modified


def test_the_class_in_focus_stays_when_another_one_leads(qtbot, document):
    frame = pd.DataFrame({"x": range(90), "kind": ["a"] * 20 + ["b"] * 30 + ["c"] * 40})
    frame["part"] = ["train"] * 60 + ["validation"] * 30
    document.set_table(engine.Table.from_frame(frame, target="kind"))
    rest(qtbot, document)
    assert document.tree.classes[document.focus_class] == "c"
    document.table_edits.set_partition(column="part")
    rest(qtbot, document)
    assert document.tree.classes[document.focus_class] == "c"


def test_the_second_of_two_classes_is_in_focus(exclusive):
    assert exclusive.table.classes == ("no", "yes")
    assert exclusive.focus_class == 1


# -- edits


def test_a_split_by_hand(qtbot, opened):
    accept(qtbot, opened, "length")
    tree = opened.tree
    assert tree.n_leaves == 2 and bool(tree.by_hand[0])
    assert texts(opened)[1].startswith("Split the root by “length ≤ ")
    assert texts(opened)[1].endswith("” (by hand)")
    step = opened.steps[1]
    assert step.leaves == 2
    assert step.train_error == tree.error("train") and step.validation_error == tree.error("validation")
    assert opened.modified and opened.undo_stack.undoText() == step.text


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
    assert opened.tree is before and not opened.modified and opened.step_index == 0
    opened.redo()
    assert opened.tree is after and opened.step_index == 1
    assert texts(opened) == ["Open “flowers”", opened.undo_stack.undoText()]


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
    assert [step.train_error for step in document.steps] == [0.5, 0.5, 0.25, 0.0]


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
    assert not opened.editing


def test_split_best_anywhere(qtbot, opened):
    opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 2 and not opened.tree.by_hand.any()
    assert texts(opened)[1].startswith("Split the root by “length ≤ ") and texts(opened)[1].endswith("(best anywhere)")
    assert opened.validation_uses == 0


def test_presses_in_a_row_all_count(qtbot, opened):
    for _ in range(4):
        opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    assert [step.leaves for step in opened.steps] == [1, 2, 3, 4, 5]


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
    assert len(opened.steps) == 2
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
    assert len(opened.steps) == 3


def test_stop_keeps_the_valid_tree(qtbot, opened, monkeypatch):
    growing = threading.Event()

    def stoppable(state, options, progress, **how):
        growing.set()
        while not progress.stopped:
            threading.Event().wait(0.001)
        return hand_tasks.split(state, 0, engine.Split("width", "threshold", (5.0,)), progress)

    monkeypatch.setattr(tree_tasks, "grown", stoppable)
    opened.tree_edits.grow_all()
    opened.tree_edits.grow_level()  # waits, and is given up by the stop
    assert growing.wait(5) and opened.editing
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
        return hand_tasks.collapsed(state, 0, progress)

    monkeypatch.setattr(tree_tasks, "grown", slow)
    opened.tree_edits.grow_all()
    assert growing.wait(5)
    opened.undo()
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 1 and opened.step_index == 0 and opened.undo_stack.count() == 1
    assert not opened.editing


def test_a_crash_in_an_edit_leaves_the_tree_alone(qtbot, opened, monkeypatch):
    tree = opened.tree
    monkeypatch.setattr(tree_tasks, "grown", lambda *args, **kwargs: 1 / 0)
    with qtbot.captureExceptions() as caught:
        opened.tree_edits.grow_all()
        rest(qtbot, opened)
    assert len(caught) == 1 and opened.tree is tree and not opened.editing
    monkeypatch.undo()
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    assert opened.tree.depth == 1


# -- validation rows wear out


def test_validation_uses(qtbot, opened):
    accept(qtbot, opened, "length")
    assert opened.validation_uses == 1
    opened.undo()
    opened.redo()
    assert opened.validation_uses == 1
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    opened.cutback.open()
    rest(qtbot, opened)
    assert opened.validation_uses == 1
    opened.cutback.show(len(opened.cutback.sequence.steps) - 1)
    rest(qtbot, opened)
    assert opened.validation_uses == 2


def test_without_validation_rows_nothing_is_used(qtbot, exclusive):
    accept(qtbot, exclusive, "x")
    assert exclusive.validation_uses == 0


# -- pruning


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


# -- the table


def test_a_role_is_a_step_and_recounts_the_tree(qtbot, opened, posted):
    accept(qtbot, opened, "length")
    tree = opened.tree
    opened.table_edits.set_role("length", "ignore")
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 1
    assert texts(opened)[-1] == "Set role of “length” to ignore"
    assert {candidate.column for candidate in opened.candidates} == {"width", "soil"}
    assert any("length ≤" in text for text in posted())
    heard = []
    opened.tableChanged.connect(lambda: heard.append(opened.table.roles["length"]))
    opened.undo()
    assert opened.tree is tree and heard == ["feature"]


def test_the_same_role_is_no_step(opened):
    opened.table_edits.set_role("length", "feature")
    assert len(opened.steps) == 1 and not opened.jobs.busy


def test_a_role_that_cannot_be_is_refused(qtbot, opened, posted):
    opened.table_edits.set_role("soil", "weight")
    rest(qtbot, opened)
    assert len(opened.steps) == 1
    assert posted()[0].startswith("error: Column “soil”")


def test_another_target_starts_the_tree_anew(qtbot, opened):
    opened.set_criterion("entropy")
    rest(qtbot, opened)
    accept(qtbot, opened, "length")
    opened.table_edits.set_target("width")
    rest(qtbot, opened)
    assert (opened.table.task, opened.tree.n_leaves, opened.criterion) == ("number", 1, "squared_error")
    opened.undo()
    rest(qtbot, opened)
    assert (opened.table.task, opened.tree.n_leaves, opened.criterion) == ("classes", 2, "entropy")


def test_another_kind(qtbot, opened):
    opened.table_edits.set_kind("width", "nominal")
    rest(qtbot, opened)
    assert opened.table.column("width").kind == "nominal"
    assert texts(opened)[-1] == "Set type of “width” to nominal"


def test_another_partition(qtbot, opened, posted):
    opened.table_edits.set_partition(validation=0.5, test=0.0, seed=3)
    rest(qtbot, opened)
    assert opened.table.n_validation == pytest.approx(60, abs=2)
    assert texts(opened)[-1] == "Divide rows: 50 % validation, 0 % test"
    assert posted() == []
    accept(qtbot, opened, "length")
    opened.table_edits.set_partition(validation=0.25)
    rest(qtbot, opened)
    assert "chosen on other rows" in posted()[0]


# -- memory


def test_old_states_forget_their_rows(qtbot, opened):
    for _ in range(6):
        accept(qtbot, opened, "length")
        opened.undo()
        rest(qtbot, opened)
        accept(qtbot, opened, "width")
        opened.undo()
        rest(qtbot, opened)
    assert opened.assignment is not None
    document = opened
    for _ in range(12):
        document.tree_edits.split_best_anywhere()
    rest(qtbot, document)
    known = [command.after.assignment is not None for command in document.history.commands]
    assert known[-1] and not known[0]
    document.go_to_step(1)
    rest(qtbot, document)
    assert document.assignment.start.size == document.tree.n_nodes


def test_the_undo_stack_is_limited(qtbot, flowers):
    document = Document(undo_limit=3)
    document.set_table(flowers)
    for _ in range(5):
        document.tree_edits.split_best_anywhere()
    rest(qtbot, document)
    assert [step.leaves for step in document.steps] == [3, 4, 5, 6]
    document.go_to_step(0)
    assert document.tree.n_leaves == 3 and not document.can_undo


def test_steps_beyond_the_budget_cannot_be_undone(qtbot, opened, monkeypatch):
    monkeypatch.setattr("gui.history.BYTES_KEPT", 1)
    opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    tree = opened.tree
    assert not opened.can_undo
    opened.undo()
    opened.undo_stack.undo()
    assert opened.tree is tree
    assert [step.leaves for step in opened.steps] == [1, 2]


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


# -- files


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    return path


def test_a_file_without_questions(qtbot, document, file):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    assert document.name == "flowers" and document.table.target == "kind"
    assert document.table.n_validation == 36  # 30 % of 120, as the dialog proposes


def test_a_file_that_vanished(qtbot, opened, tmp_path, posted):
    tree = opened.tree
    opened.open_file(tmp_path / "gone.csv", target="kind")
    rest(qtbot, opened)
    assert opened.tree is tree
    assert len(posted()) == 1


def test_save_and_load(qtbot, document, file, tmp_path, posted):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    document.set_criterion("entropy")
    document.set_focus(2)
    rest(qtbot, document)
    accept(qtbot, document, "length")
    path, done = tmp_path / "mine.espalier", []
    document.save(path, lambda: done.append(True))
    assert document.modified
    rest(qtbot, document)
    assert done == [True] and not document.modified
    assert (document.path, document.name) == (path, "mine")

    other = Document()
    other.open_file(path)
    rest(qtbot, other)
    assert (other.path, other.name, other.modified) == (path, "mine", False)
    assert (other.criterion, other.focus_class, other.validation_uses) == ("entropy", 2, 1)
    assert other.tree.split_at(0) == document.tree.split_at(0) and bool(other.tree.by_hand[0])
    assert other.steps[0].text == "Open “mine”"
    assert posted() == []


def test_search_options_are_something_to_save(qtbot, document, file, tmp_path):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    document.set_search(min_leaf=3)
    assert not document.modified  # there is no project that has them otherwise
    document.save(tmp_path / "mine.espalier")
    rest(qtbot, document)
    heard: list[bool] = []
    document.modifiedChanged.connect(heard.append)
    document.set_search(min_leaf=7)
    document.set_search(min_leaf=8)
    assert document.modified and heard == [True] and not document.can_undo
    document.set_search(min_leaf=3)
    assert heard == [True, False]
    document.set_preset("id3")
    document.save()
    rest(qtbot, document)
    assert heard == [True, False, True, False] and not document.modified
    document.load(tmp_path / "mine.espalier")
    rest(qtbot, document)
    assert document.preset == "id3" and not document.modified


def test_options_set_while_a_project_is_written_are_not_in_it(qtbot, document, file, tmp_path):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    document.save(tmp_path / "mine.espalier")
    document.set_search(min_leaf=7)
    rest(qtbot, document)
    assert document.modified


def test_an_edit_during_a_save_stays_unsaved(qtbot, document, file, tmp_path, monkeypatch):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    accept(qtbot, document, "length")
    document.save(tmp_path / "mine.espalier")
    document.undo()
    rest(qtbot, document)
    assert document.tree.n_leaves == 1
    assert document.modified


def test_a_save_that_fails_keeps_the_changes_unsaved(qtbot, document, file, tmp_path, posted):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    accept(qtbot, document, "length")
    document.save(tmp_path / "no such folder" / "mine.espalier")
    rest(qtbot, document)
    assert document.modified and document.path is None
    assert len(posted()) == 1


def test_settings_of_a_project_that_cannot_be_used(qtbot, document, file, tmp_path, posted):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    path = tmp_path / "mine.espalier"
    broken = {"search": {"criterion": "magic"}, "focus": {"kind": "x"}, "validation_uses": "many", "preset": 7}
    engine_project().save(path, document.table, document.tree, broken)
    document.load(path)
    rest(qtbot, document)
    assert (document.search, document.preset, document.validation_uses) == ({}, "", 0)
    assert ["magic" in text for text in posted()] == [True]


def engine_project():
    from engine import project

    return project


def test_changes_made_while_a_file_was_read_are_not_lost(qtbot, document, file, posted):
    document.open_file(file, target="kind")
    rest(qtbot, document)
    reading = threading.Event()
    fresh = file_tasks.opened(file, {"target": "kind"}, engine.Progress())

    def slow(progress):
        reading.wait(5)
        return fresh

    document.read("Opening another", slow)
    document.history.push(document.state, hand_tasks.split(
        document.state, 0, engine.Split("width", "threshold", (5.0,)), engine.Progress()), "meanwhile")  # fmt: skip
    kept = document.tree
    reading.set()
    rest(qtbot, document)
    assert document.tree is kept
    assert "changed meanwhile" in posted()[0]


def test_a_tree_from_a_file(qtbot, opened, tmp_path, posted):
    accept(qtbot, opened, "length")
    path = tmp_path / "tree.json"
    engine.write_tree(opened.tree, path)
    opened.undo()
    opened.open_file(path)
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 2 and texts(opened)[-1] == "Open tree “tree.json”"


def test_a_tree_needs_a_table(document, tmp_path, posted):
    document.open_file(tmp_path / "tree.json")
    assert "open the table first" in posted()[0]


def test_a_tree_of_another_table(qtbot, exclusive, flowers, tmp_path, posted):
    path = tmp_path / "tree.json"
    tree = engine.Tree.root(flowers).split(flowers, 0, engine.Split("width", "threshold", (5.0,)))
    engine.write_tree(tree, path)
    exclusive.open_file(path)
    rest(qtbot, exclusive)
    assert exclusive.tree.n_leaves == 1
    assert any("width" in text for text in posted())


# -- answers that are kept


def test_kept_answers_stay_within_their_budget():
    kept = Kept(entries=3, n_bytes=100)
    for key in "abcd":
        kept.keep(key, key.upper(), 10)
    assert [kept.find(key) for key in "abcd"] == [None, "B", "C", "D"]
    kept.find("b")
    kept.keep("e", "E", 85)  # the two used longest ago give way
    assert [kept.find(key) for key in "bcde"] == ["B", None, None, "E"]
    kept.keep("f", "F", 101)  # larger than all there is room for
    assert len(kept) == 0
