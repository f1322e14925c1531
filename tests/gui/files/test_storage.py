"""Tables, projects and trees come into the document, and what is unsaved is known."""

import threading
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import engine
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.editing import hand_edits
from tests.gui.acting import accept, open_file, rest, texts
from tests.gui.tables import flower_table


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    return path


def test_a_file_without_questions(qtbot, document, file):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    assert document.name == "flowers" and document.table.target == "kind"
    assert document.table.n_validation == 36  # 30 % of 120, as the dialog proposes


def test_a_file_that_vanished(qtbot, opened, tmp_path, posted):
    tree = opened.tree
    open_file(opened, tmp_path / "gone.csv", target="kind")
    rest(qtbot, opened)
    assert opened.tree is tree
    assert len(posted()) == 1


def test_save_and_load(qtbot, document, file, tmp_path, posted):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    document.set_search(criterion="entropy")
    document.set_focus(2)
    rest(qtbot, document)
    document.tree_edits.go()
    rest(qtbot, document)
    trees = len(document.cutback.sequence.steps) + 1  # and the one that is made by hand
    document.undo()
    accept(qtbot, document, "length")
    path, done, told = tmp_path / "mine.espalier", [], []
    document.told.connect(told.append)
    document.storage.save(path, lambda: done.append(True))
    assert document.modified
    rest(qtbot, document)
    assert done == [True] and not document.modified and told == ["Saved mine.espalier"]
    assert (document.path, document.name) == (path, "mine")

    posted()
    other = Document()
    open_file(other, path)
    rest(qtbot, other)
    assert (other.path, other.name, other.modified) == (path, "mine", False)
    assert (other.criterion, other.focus_class, other.edits.validation_trees) == ("entropy", 2, trees)
    assert other.tree.split_at(0) == document.tree.split_at(0) and bool(other.tree.by_hand[0])
    assert other.history.steps[0].text == "Open “mine”"
    assert posted() == []


def test_search_options_are_something_to_save(qtbot, document, file, tmp_path):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    document.set_search(min_leaf=3)
    assert not document.modified  # there is no project that has them otherwise
    document.storage.save(tmp_path / "mine.espalier")
    rest(qtbot, document)
    heard: list[bool] = []
    document.modifiedChanged.connect(heard.append)
    document.set_search(min_leaf=7)
    document.set_search(min_leaf=8)
    assert document.modified and heard == [True] and not document.history.can_undo
    document.set_search(min_leaf=3)
    assert heard == [True, False]
    document.set_preset("id3")
    document.storage.save(document.path)
    rest(qtbot, document)
    assert heard == [True, False, True, False] and not document.modified
    document.storage.load(tmp_path / "mine.espalier")
    rest(qtbot, document)
    assert document.preset == "id3" and not document.modified


def test_options_set_while_a_project_is_written_are_not_in_it(qtbot, document, file, tmp_path):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    document.storage.save(tmp_path / "mine.espalier")
    document.set_search(min_leaf=7)
    rest(qtbot, document)
    assert document.modified


def test_an_edit_during_a_save_stays_unsaved(qtbot, document, file, tmp_path, monkeypatch):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    accept(qtbot, document, "length")
    document.storage.save(tmp_path / "mine.espalier")
    document.undo()
    rest(qtbot, document)
    assert document.tree.n_leaves == 1
    assert document.modified


def test_a_save_that_fails_keeps_the_changes_unsaved(qtbot, document, file, tmp_path, posted):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    accept(qtbot, document, "length")
    document.storage.save(tmp_path / "no such folder" / "mine.espalier")
    rest(qtbot, document)
    assert document.modified and document.path is None
    assert len(posted()) == 1


def test_a_project_of_before_says_how_often_validation_rows_were_used(qtbot, document, file, tmp_path):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    path = tmp_path / "mine.espalier"
    engine_project().save(path, document.table, document.tree, {"validation_uses": 7})
    document.storage.load(path)
    rest(qtbot, document)
    assert document.edits.validation_trees == 7


def test_settings_of_a_project_that_cannot_be_used(qtbot, document, file, tmp_path, posted):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    path = tmp_path / "mine.espalier"
    broken = {"search": {"criterion": "magic"}, "focus": {"kind": "x"}, "validation_trees": "many", "preset": 7}
    engine_project().save(path, document.table, document.tree, broken)
    document.storage.load(path)
    rest(qtbot, document)
    assert (document.search, document.preset, document.edits.validation_trees) == ({}, "", 0)
    assert ["magic" in text for text in posted()] == [True]


def engine_project():
    from engine import project

    return project


def test_changes_made_while_a_file_was_read_are_not_lost(qtbot, document, file, posted):
    open_file(document, file, target="kind")
    rest(qtbot, document)
    reading = threading.Event()
    fresh = file_tasks.opened(file, {"target": "kind"}, engine.Progress())

    def slow(progress):
        reading.wait(5)
        return fresh

    document.storage.read("Opening another", slow)
    document.history.push(document.state, hand_edits.split_leaf(
        document.state, 0, engine.Split("width", "threshold", (5.0,)), engine.Progress()), "meanwhile")  # fmt: skip
    kept = document.tree
    reading.set()
    rest(qtbot, document)
    assert document.tree is kept
    assert "changed in the meantime" in posted()[0]


def test_a_tree_from_a_file(qtbot, opened, tmp_path, posted):
    accept(qtbot, opened, "length")
    path = tmp_path / "tree.json"
    engine.write_tree(opened.tree, path)
    opened.undo()
    open_file(opened, path)
    rest(qtbot, opened)
    assert opened.tree.n_leaves == 2 and texts(opened)[-1] == "Open tree “tree.json”"


def test_a_tree_needs_a_table(document, tmp_path, posted):
    open_file(document, tmp_path / "tree.json")
    assert "open the table that it belongs to first" in posted()[0]


def saved_tree(tmp_path, frame, target, split):
    """A tree of one split over a data frame, as a file."""
    table = engine.Table.from_frame(frame, target=target)
    engine.write_tree(engine.Tree.root(table).split(table, 0, split), tmp_path / "tree.json")
    return tmp_path / "tree.json"


FRAME = pd.DataFrame({"x": range(20), "c": ["p", "q"] * 10, "y": ["a"] * 8 + ["b"] * 12, "z": ["u", "v"] * 10})
CUT = engine.Split("x", "threshold", (7.5,))


@pytest.mark.parametrize(
    ("frame", "target", "said"),
    [
        (FRAME.drop(columns="y"), "z", ("“y”", "“z”", "no column “y”")),
        (FRAME.assign(y=np.arange(20) / 7), "y", ("predicts categories", "“y” has numbers")),
        (FRAME.drop(columns="x"), "y", ("No split of “tree.json” fits", "x ≤ 7.5")),
        (FRAME.assign(x=["p", "q"] * 10), "y", ("No split of “tree.json” fits", "x ≤ 7.5")),
    ],
    ids=["target not there", "number for classes", "no column", "another kind"],
)
def test_a_tree_that_predicts_something_else_or_fits_nowhere_is_not_shown(
    qtbot, document, tmp_path, posted, frame, target, said
):
    path = saved_tree(tmp_path, FRAME, "y", CUT)
    document.set_table(engine.Table.from_frame(frame, target=target))
    rest(qtbot, document)
    before = document.tree
    open_file(document, path)
    rest(qtbot, document)
    [sentence] = posted()
    assert sentence.startswith("error: ") and all(word in sentence for word in said)
    assert document.tree is before and document.history.stack.count() == 0


def test_a_tree_that_knew_other_classes_is_counted_again_and_that_is_said(qtbot, document, tmp_path, posted):
    path = saved_tree(tmp_path, FRAME, "y", CUT)
    document.set_table(engine.Table.from_frame(FRAME.assign(y=["no"] * 8 + ["yes"] * 12), target="y"))
    open_file(document, path)
    rest(qtbot, document)
    [sentence] = posted()
    assert all(word in sentence for word in ("“a”, “b”", "“no”, “yes”", "counted again"))
    assert document.tree.n_leaves == 2 and document.tree.classes == ("no", "yes")


@pytest.fixture
def asked(document):
    """What was asked before another table's tree was shown, and what to answer; the tree that was shown meanwhile."""
    said = SimpleNamespace(answer=True, questions=[], shown=None)

    def ask(name, differences):
        said.questions.append((name, *differences))
        said.shown = document.tree
        return said.answer

    document.table_edits.ask_other_table = document.storage.ask_other_table = ask
    return said


def test_a_tree_of_another_target_asks_first_and_makes_it_the_target(qtbot, document, tmp_path, posted, asked):
    path = saved_tree(tmp_path, FRAME, "y", CUT)
    document.set_table(engine.Table.from_frame(FRAME, target="z", name="new"))
    before, asked.answer = document.tree, False
    open_file(document, path)
    rest(qtbot, document)
    said = "The tree predicts “y”, the present one “z”: “y” becomes the target of new."
    assert asked.questions == [("tree.json", said)] and document.tree is before and document.table.target == "z"
    asked.answer = True
    open_file(document, path)
    rest(qtbot, document)
    assert asked.shown is before and document.table.target == "y" and document.tree.n_leaves == 2
    document.undo()
    assert document.table.target == "z" and document.tree.n_leaves == 1 and posted() == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"x": np.arange(100) / 100}, ["One split no longer divides the rows: for all 100 of them, “x ≤ 7.5”."]),
        ({"y": ["no", "yes"] * 50}, ["The tree was grown for the classes “a”, “b” of “y”; this table has “no”, “yes”"]),
        ({}, []),
    ],
    ids=["units", "classes", "nothing"],
)
def test_what_a_table_means_otherwise_is_said_before_a_tree_is_shown(qtbot, document, tmp_path, asked, changed, said):
    frame = pd.concat([FRAME] * 5, ignore_index=True)
    path = saved_tree(tmp_path, frame, "y", CUT)
    document.set_table(engine.Table.from_frame(frame.assign(**changed), target="y"))
    before = document.tree
    open_file(document, path)
    rest(qtbot, document)
    assert [sentence for question in asked.questions for sentence in question[1:]] == said or (
        len(asked.questions) == 1 and asked.questions[0][1].startswith(said[0])
    )
    assert asked.shown is (before if said else None) and document.tree.n_leaves == 2


def test_a_project_whose_table_changed_asks_before_it_is_shown(qtbot, document, tmp_path, posted, asked):
    data, path = tmp_path / "data.csv", tmp_path / "mine.espalier"
    FRAME.to_csv(data, index=False)
    table = engine.read_table(data, target="y", roles={"x": "feature"})
    tree = engine.Tree.root(table).split(table, 0, CUT)
    tree = tree.split(table, int(tree.ids[1]), engine.Split("c", "groups", groups=(("p",), ("q",))))
    engine.project.save(path, table, tree, {})
    FRAME.drop(columns="c").to_csv(data, index=False)
    asked.answer = False
    open_file(document, path)
    rest(qtbot, document)
    assert document.table is None and posted() == []
    [(name, sentence)] = asked.questions
    assert name == "mine.espalier" and "no column “c”" in sentence and "1 split on it becomes a leaf." in sentence
    asked.answer = True
    open_file(document, path)
    rest(qtbot, document)
    assert document.tree.n_leaves == 2 and any("was taken back" in sentence for sentence in posted())
