"""Roles, kinds, target and partition are steps, too."""

import pytest

from tests.gui.acting import accept, rest, texts


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
    assert len(opened.history.steps) == 1 and not opened.jobs.busy


def test_a_role_that_cannot_be_is_refused(qtbot, opened, posted):
    opened.table_edits.set_role("soil", "weight")
    rest(qtbot, opened)
    assert len(opened.history.steps) == 1
    assert posted()[0].startswith("error: Column “soil”")


def test_another_target_starts_the_tree_anew(qtbot, opened):
    opened.set_search(criterion="entropy")
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
    assert texts(opened)[-1] == "Set type of “width” to category"


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
