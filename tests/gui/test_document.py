"""The document from the beginning to the end, and what its history keeps."""

from gui.model.document import Document
from tests.gui.acting import accept, rest, texts

# -- opening


def test_an_empty_document(document):
    assert document.table is document.tree is document.state is None
    assert (document.candidates, document.history.steps, document.name, document.modified) == ([], [], "", False)
    for verb in (
        document.tree_edits.split_best_anywhere,
        document.tree_edits.grow_all,
        document.cutback.prune,
        document.undo,
        document.history.stack.redo,
    ):
        verb()
    assert document.tree is None and not document.jobs.busy


def test_opening_selects_the_root_and_ranks_its_splits(opened, flowers):
    assert opened.table is flowers
    assert (opened.tree.n_leaves, opened.selected, opened.name) == (1, 0, "flowers")
    assert {candidate.column for candidate in opened.candidates} == {"length", "width", "soil"}
    assert opened.candidate is opened.candidates[0]
    assert opened.curve.column == opened.candidates[0].column
    assert opened.state.assignment.rows.size == flowers.n_rows
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
    assert not opened.modified and not opened.history.stack.canUndo()
    assert {candidate.column for candidate in opened.candidates} == {"x", "z"}


def test_closing_puts_everything_away(qtbot, opened):
    opened.start(None)
    rest(qtbot, opened)
    assert opened.tree is None and opened.candidates == [] and opened.history.steps == []


# -- memory


def test_old_states_forget_their_rows(qtbot, opened):
    for _ in range(6):
        accept(qtbot, opened, "length")
        opened.undo()
        rest(qtbot, opened)
        accept(qtbot, opened, "width")
        opened.undo()
        rest(qtbot, opened)
    assert opened.state.assignment is not None
    document = opened
    for _ in range(12):
        document.tree_edits.split_best_anywhere()
    rest(qtbot, document)
    known = [command.after.assignment is not None for command in document.history.commands]
    assert known[-1] and not known[0]
    document.history.go_to(1)
    rest(qtbot, document)
    assert document.state.assignment.start.size == document.tree.n_nodes


def test_the_undo_stack_is_limited(qtbot, flowers):
    document = Document(undo_limit=3)
    document.set_table(flowers)
    for _ in range(5):
        document.tree_edits.split_best_anywhere()
    rest(qtbot, document)
    assert [step.leaves for step in document.history.steps] == [3, 4, 5, 6]
    document.history.go_to(0)
    assert document.tree.n_leaves == 3 and not document.history.can_undo


def test_steps_beyond_the_budget_cannot_be_undone(qtbot, opened, monkeypatch):
    monkeypatch.setattr("gui.model.history.BYTES_KEPT", 1)
    opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    tree = opened.tree
    assert not opened.history.can_undo
    opened.undo()
    opened.history.stack.undo()
    assert opened.tree is tree
    assert [step.leaves for step in opened.history.steps] == [1, 2]
