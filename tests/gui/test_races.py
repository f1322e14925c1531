"""What arrives late must not be taken for what is on the screen now."""

import threading

import pytest

import engine
from engine import project
from gui.model import file_tasks, tree_tasks
from tests.gui.acting import Gate, rest
from tests.gui.tables import flower_table


@pytest.fixture
def opened(qtbot, document, tmp_path):
    """A document with the flowers, read from a file so that it can be saved."""
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    document.set_table(engine.read_table(path, target="kind").with_partition(validation=0.25))
    rest(qtbot, document)
    return document


def test_stop_while_a_growth_waits_for_a_search_leaves_the_document_editable(qtbot, opened, monkeypatch):
    gate = Gate(monkeypatch, tree_tasks, "candidates")
    opened.set_search(criterion="entropy")
    assert gate.reached.wait(30)
    opened.tree_edits.grow_level()
    opened.jobs.stop()
    gate.open.set()
    rest(qtbot, opened)
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    assert opened.tree.n_leaves > 1


def test_a_save_that_ends_after_another_edit_does_not_call_it_saved(qtbot, opened, monkeypatch, tmp_path):
    opened.tree_edits.grow_level()
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    opened.cutback.prune("cost_complexity")
    rest(qtbot, opened)
    opened.cutback.show(1)
    rest(qtbot, opened)
    opened.cutback.show(2)
    rest(qtbot, opened)
    gate = Gate(monkeypatch, file_tasks, "saved")
    opened.storage.save(tmp_path / "flowers.espalier")
    assert gate.reached.wait(30)
    opened.cutback.show(1)  # clicks in the chart are one step: the index of the history stays the same
    threading.Timer(0.2, gate.open.set).start()
    rest(qtbot, opened)
    assert opened.modified
    again = project.load(tmp_path / "flowers.espalier")
    assert again.tree.n_leaves != opened.tree.n_leaves


def test_a_save_that_ends_after_a_new_table_leaves_it_without_a_file(qtbot, opened, monkeypatch, tmp_path):
    opened.tree_edits.grow_level()
    rest(qtbot, opened)
    gate = Gate(monkeypatch, file_tasks, "saved")
    opened.storage.save(tmp_path / "first.espalier")
    assert gate.reached.wait(30)
    opened.set_table(flower_table(), name="second")
    gate.open.set()
    rest(qtbot, opened)
    assert opened.path is None
    assert opened.name == "second"


def test_many_splits_taken_back_are_one_sentence_that_goes_with_undo(qtbot, opened, posted):
    opened.tree_edits.grow_all()
    rest(qtbot, opened)
    posted()
    opened.table_edits.set_kind("length", "nominal")
    rest(qtbot, opened)
    (said,) = posted()
    assert "was taken back" in said
    assert "undo brings them back" in said


@pytest.fixture
def numbers(qtbot, document):
    """A document with a numeric target."""
    document.set_table(flower_table().with_target("length"))
    rest(qtbot, document)
    return document


def test_a_stop_that_forgets_what_leaves_were_to_say_brings_the_option_back(qtbot, numbers, monkeypatch):
    gate = Gate(monkeypatch, tree_tasks, "grown")
    numbers.set_search(min_rows=1_000)
    numbers.tree_edits.grow_all()
    assert gate.reached.wait(30)
    numbers.jobs.stop()
    numbers.set_search(summary="median")
    gate.open.set()
    rest(qtbot, numbers)
    assert numbers.search.get("summary", "mean") == numbers.tree.leaf_rule.summary.replace("mode", "mean")


def test_an_option_that_is_set_while_leaves_change_does_not_take_their_change_back(qtbot, numbers, monkeypatch):
    growth, change = Gate(monkeypatch, tree_tasks, "grown"), Gate(monkeypatch, tree_tasks, "said_by")
    numbers.tree_edits.grow_level()
    assert growth.reached.wait(30)
    numbers.set_search(summary="median")
    growth.open.set()
    qtbot.waitUntil(change.reached.is_set)
    numbers.set_search(min_rows=7)
    change.open.set()
    rest(qtbot, numbers)
    assert numbers.tree.predicts_median
    assert numbers.search == {"min_rows": 7, "summary": "median"}


def test_a_growth_by_options_that_do_not_fit_the_target_any_more_is_refused(qtbot, opened, posted):
    opened.table_edits.set_target("length")
    rest(qtbot, opened)
    opened.tree_edits.grow_with({"criterion": "entropy"}, keep=True)
    rest(qtbot, opened)
    assert opened.search == {} and opened.tree.n_leaves == 1
    assert any("entropy" in text for text in posted())


def test_a_preset_is_named_only_while_its_options_hold(qtbot, opened):
    opened.set_preset("id3")
    opened.table_edits.set_target("length")
    rest(qtbot, opened)
    opened.table_edits.set_target("soil")
    rest(qtbot, opened)
    assert (opened.preset, opened.search) == ("", {"nominal": "multiway", "significance_test": "single"})
    opened.undo()
    opened.undo()
    assert (opened.preset, opened.criterion) == ("id3", "entropy")
