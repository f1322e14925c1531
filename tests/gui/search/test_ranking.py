"""What is looked at: candidates and curves follow the selection, search options are followed by both."""

import threading

import numpy as np
import pandas as pd
import pytest

import engine
from gui.model import tree_tasks
from gui.model.search.further import Kept
from tests.gui.acting import accept, by_column, rest, texts


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
    search = tree_tasks.candidates

    def slow(state, node, options, progress, found):
        asked.append(node)
        gate.wait(5)
        return search(state, node, options, progress)

    monkeypatch.setattr(tree_tasks, "candidates", slow)
    opened.set_search(criterion="entropy")
    qtbot.waitUntil(lambda: len(asked) == 1)
    ids = [int(node) for node in opened.tree.ids]
    others = [node for node in ids if node != opened.selected]
    for node in [*others, *others]:
        opened.select(node)
    changes = []
    opened.ranking.changed.connect(lambda: changes.append(opened.candidates))
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
    opened.set_search(criterion="entropy")
    assert opened.candidates is None
    rest(qtbot, opened)
    opened.set_search(criterion="gini")
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
    opened.set_search(criterion="entropy")
    rest(qtbot, opened)
    assert heard == ["entropy"] and opened.search == {"criterion": "entropy"}
    assert not opened.modified
    best = opened.candidates[0]
    assert best.gain == pytest.approx(best.scores["entropy"])


def test_options_that_cannot_be_used_are_refused(opened, posted):
    opened.set_search(min_leaf=0)
    opened.set_search(criterion="squared_error")
    opened.set_search(criterion="magic")
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
    opened.history.stack.redo()
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
    opened.history.stack.redo()
    assert opened.search == {"smoothing": "m_estimate", "smoothing_m": 5.0}
    accept(qtbot, opened, "width") if opened.candidates else None
    assert opened.tree.leaf_rule.smoothing == "m_estimate"
    opened.take_search({})
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.smoothing == "none" and texts(opened)[-1] == "Probabilities as counted"


def test_the_absolute_error_makes_leaves_say_medians(qtbot, opened):
    opened.table_edits.set_target("width")
    rest(qtbot, opened)
    opened.set_search(criterion="absolute_error")
    rest(qtbot, opened)
    assert opened.search == {"criterion": "absolute_error"}
    assert opened.tree.leaf_rule.summary == "median" and texts(opened)[-1] == "Leaves predict the median"
    opened.set_search(summary="mean")
    rest(qtbot, opened)
    assert opened.search == {"criterion": "absolute_error", "summary": "mean"}
    opened.set_search(criterion="squared_error")
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
    opened.storage.save(tmp_path / "mine.espalier")
    rest(qtbot, opened)
    opened.storage.load(tmp_path / "mine.espalier")
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
    assert opened.candidate is best and opened.ranking.curve_error == ""
    assert (opened.curve is None) == (best.split.kind == "m_of_n")
    opened.accept(best)
    rest(qtbot, opened)
    opened.select(0)
    rest(qtbot, opened)
    made = opened.candidate
    assert made.split == best.split and made.gain == pytest.approx(best.gain)
    assert made.rows == best.rows and opened.ranking.curve_error == ""


def test_presets_and_single_options(qtbot, opened):
    opened.set_preset("id3")
    assert (opened.preset, opened.criterion, opened.search["nominal"]) == ("id3", "entropy", "multiway")
    opened.set_search(nominal=None)
    assert (opened.preset, opened.search) == ("", {"criterion": "entropy", "significance_test": "single"})
    opened.set_preset("cart")
    assert opened.search == {}


def test_a_failed_search_says_why(qtbot, opened, monkeypatch):
    def refuse(*args, **kwargs):
        raise engine.InputError("The column melted.")

    monkeypatch.setattr(tree_tasks, "candidates", refuse)
    opened.set_search(criterion="entropy")
    rest(qtbot, opened)
    assert (opened.candidates, opened.candidates_error) == ([], "The column melted.")


def test_a_crash_while_searching_leaves_the_document_as_it_was(qtbot, opened, monkeypatch):
    tree = opened.tree
    monkeypatch.setattr(tree_tasks, "candidates", lambda *args, **kwargs: 1 / 0)
    with qtbot.captureExceptions() as caught:
        opened.set_search(criterion="entropy")
        rest(qtbot, opened)
    assert len(caught) == 1
    assert opened.tree is tree and "log" in opened.candidates_error
    monkeypatch.undo()
    opened.set_search(criterion="error")
    rest(qtbot, opened)
    assert len(opened.candidates) == 3


def test_a_curve_is_drawn_for_the_chosen_candidate(qtbot, opened):
    candidate = by_column(opened, "soil")
    heard = []
    opened.ranking.candidateChanged.connect(heard.append)
    opened.ranking.choose(candidate)
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
    opened.ranking.choose(best)  # it may be looked at, and the node's own split again
    rest(qtbot, opened)
    assert opened.candidate is best and opened.curve.column == best.column
    opened.ranking.choose(None)
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
    opened.ranking.choose(by_column(opened, "soil"))
    rest(qtbot, opened)
    opened.history.stack.redo()
    assert opened.candidate is made and opened.curve.column == "width"


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "error", "sqrt"])
def test_a_split_that_was_made_gains_what_its_candidate_promised(qtbot, opened, criterion):
    opened.set_search(criterion=criterion)
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
    monkeypatch.setattr(tree_tasks, "curve", refuse)
    opened.select(0)
    rest(qtbot, opened)
    assert (opened.candidate, opened.curve, opened.ranking.curve_error) == (None, None, "The column melted.")


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


def test_kept_answers_stay_within_their_budget():
    kept = Kept(entries=3, n_bytes=100)
    for key in "abcd":
        kept.keep(key, key.upper(), 10)
    assert [kept.find(key) for key in "abcd"] == [None, "B", "C", "D"]
    kept.find("b")
    kept.keep("e", "E", 85)  # the two used longest ago give way
    assert [kept.find(key) for key in "bcde"] == ["B", None, None, "E"]
    kept.keep("f", "F", 101)  # larger than all there is room for
    assert all(kept.find(key) is None for key in "abcdef")
