"""The comparison of two trees, chosen from the list by the keys; its words, its colours, and what ends it."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

import engine
from gui.canvas.view import TreeView
from gui.model.document import Document
from gui.model.view_state import comparing
from gui.panels.history import comparison as comparison_words
from gui.panels.history.comparison import FILE, ComparisonPanel
from gui.wording import words
from tests.gui.acting import Gate


def table_of(task="classes", validation=0.4):
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=400) for name in "abcd"})
    signal = frame.a + np.sign(frame.b) + random.normal(size=400)
    frame["t"] = signal if task == "number" else np.where(signal > 0, "yes", "no")
    return engine.Table.from_frame(frame, target="t").with_partition(validation=validation)


@pytest.fixture(params=["classes", "number"])
def panel(request, qtbot, document: Document) -> ComparisonPanel:
    """The panel after two splits and a growth."""
    made = ComparisonPanel(document)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    qtbot.waitExposed(made)
    document.set_table(table_of(request.param))
    for cut in (0.0, 0.5):
        document.hand.split_by(document.tree.ids[document.tree.leaves[-1]], engine.Split("a", "threshold", (cut,)))
        qtbot.waitUntil(lambda: not document.jobs.busy)
    document.tree_edits.grow_all()
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    return made


def choose(qtbot, panel: ComparisonPanel, row: int) -> None:
    """Walks down the list by the keys."""
    panel.other.setFocus()
    qtbot.keyClick(panel.other, Qt.Key.Key_Home)
    for _ in range(row):
        qtbot.keyClick(panel.other, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: not panel._document.jobs.busy, timeout=60_000)


def cells(panel: ComparisonPanel, row: int) -> list[str]:
    return [panel.model.index(row, k).data() for k in range(3)]


def test_the_trees_of_the_history_are_offered(panel: ComparisonPanel) -> None:
    texts = [panel.other.itemText(i) for i in range(panel.other.count())]
    assert texts[0] == "Nothing" and texts[-1] == FILE
    assert [text.split(":")[0] for text in texts[1:-1]] == ["2", "1", "0"]
    assert "a ≤ 0.5" in texts[1] and texts[1].endswith("3 leaves")
    assert panel.empty.isVisible() and not panel.table.isVisible()


def test_both_trees_stand_side_by_side(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 1)
    other = document.history.states[2].tree
    assert cells(panel, 0) == ["Leaves", str(document.tree.n_leaves), "3"]
    found = engine.compare(document.table, document.tree, other)
    assert panel.sentences.text() == "\n\n".join(comparison_words.sentences(found, document.edits.validation_trees))
    assert f"predict {found.differ} (" in panel.sentences.text()
    if document.tree.task == "classes":
        assert "McNemar" in panel.sentences.text()
        assert cells(panel, 3)[1].startswith(f"{100 * document.tree.error('validation'):.1f} %")


def test_rows_that_chose_a_tree_are_no_proof_for_it(qtbot, panel: ComparisonPanel, document: Document) -> None:
    """The 8 and the 77 leaves of a noisy table differ "significantly" on the rows that pruned one of them."""
    document.cutback.prune("reduced_error")
    qtbot.waitUntil(lambda: not document.jobs.busy and not document.edits.running, timeout=60_000)
    choose(qtbot, panel, 1)
    qtbot.waitUntil(lambda: document.comparing.results["validation"].fresh, timeout=60_000)
    whole, chosen = document.history.states[-2].tree, document.tree
    found = engine.compare(document.table, chosen, whole)
    fresh = engine.compare(document.table, chosen, whole, choices=(document.cutback.choice_of(document.state), None))
    assert abs(fresh.difference) < abs(found.difference) and fresh.p_value > found.p_value
    assert "judged by that fifth" in panel.sentences.text()
    figures = [cells(panel, row) for row in range(panel.model.rowCount())]
    assert not any("(" in cell for row in figures for cell in row[1:])  # no interval of rows that chose
    assert comparison_words.sentences(found, 30)[-1].startswith("30 trees were compared by the validation rows")
    assert "compared" not in comparison_words.sentences(found)[-1]


def test_what_methods_chose_is_offered_without_a_step_of_its_own(
    qtbot, panel: ComparisonPanel, document: Document
) -> None:
    document.cutback.prune("cost_complexity")
    qtbot.waitUntil(lambda: not document.jobs.busy and not document.edits.running, timeout=60_000)
    document.cutback.open("reduced_error")
    qtbot.waitUntil(lambda: not document.jobs.busy and not document.edits.running, timeout=60_000)
    steps, shown = len(document.history.steps), document.tree
    texts = [panel.other.itemText(i) for i in range(panel.other.count())]
    row = next(i for i, text in enumerate(texts) if text.startswith("Reduced error"))
    assert any(text.startswith("Chart: ") for text in texts)
    choose(qtbot, panel, row)
    found = document.cutback.choices.found["reduced_error"]
    assert cells(panel, 0) == ["Leaves", str(shown.n_leaves), str(found.steps[found.chosen].leaves)]
    assert panel.other.currentText() == texts[row] == document.comparing.name
    assert len(document.history.steps) == steps and document.tree is shown


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.063, -0.007, "0.7 to 6.3 pp less"),
        (0.007, 0.063, "0.7 to 6.3 pp more"),
        (-0.012, 0.03, "1.2 pp less to 3.0 pp more"),
        (0.0, 0.03, "0.0 to 3.0 pp more"),
        (-0.03, 0.0, "0.0 to 3.0 pp less"),
    ],
)
def test_the_interval_goes_on_in_the_words_of_the_difference(low: float, high: float, said: str) -> None:
    assert comparison_words._interval(low, high, points=True) == said
    assert " pp" not in comparison_words._interval(low, high, points=False)


def test_the_text_can_be_copied(qtbot, panel: ComparisonPanel) -> None:
    choose(qtbot, panel, 1)
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert "Leaves\t" in text and "validation rows the trees predict" in text


def test_undo_compares_anew(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 2)
    document.undo()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert cells(panel, 0) == ["Leaves", "3", "2"]


def test_who_comes_back_while_trees_are_compared_reads_nothing_about_the_others(
    qtbot, panel: ComparisonPanel, document: Document, monkeypatch
) -> None:
    choose(qtbot, panel, 2)
    before = [cells(panel, row) for row in range(panel.model.rowCount())]
    gate = Gate(monkeypatch, comparing, "compared")
    document.undo()
    assert gate.reached.wait(30) and panel.empty.isVisible()
    document.history.stack.redo()
    gate.open.set()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert [cells(panel, row) for row in range(panel.model.rowCount())] == before


def test_an_error_goes_with_the_tree_that_it_is_about(
    qtbot, panel: ComparisonPanel, document: Document, monkeypatch
) -> None:
    def fails(*args: object, **how: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(comparing, "compared", fails)
        choose(qtbot, panel, 2)
    assert "not enough memory" in panel.empty.text()
    document.undo()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert document.comparing.error == "" and panel.table.isVisible()


def test_the_tree_itself_differs_nowhere(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 1)
    document.undo()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert "predict none differently" in panel.sentences.text()


def test_nothing_ends_it(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 1)
    choose(qtbot, panel, 0)
    assert document.comparing.other is None and panel.empty.isVisible()


def test_another_target_ends_it(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 1)
    document.table_edits.set_target("b")
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert document.comparing.other is None and panel.empty.isVisible()


def test_the_canvas_is_coloured_where_they_differ(qtbot, panel: ComparisonPanel, document: Document) -> None:
    canvas = TreeView(document)
    qtbot.addWidget(canvas)
    canvas.resize(900, 500)
    canvas.show()
    qtbot.waitExposed(canvas)
    usual = canvas.grab().toImage()
    choose(qtbot, panel, 1)
    qtbot.mouseClick(panel.colour, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.colour.height() // 2))
    assert canvas.scene.differs
    shares = document.comparing.shares
    same = np.flatnonzero(shares == 0)
    assert (same.size > 0) == (document.table.task == "classes")
    most = int(np.nanargmax(shares))
    colours = canvas.scene.colours
    assert colours.ribbon(most) != canvas.scene.theme.ribbon
    assert all(colours.ribbon(int(i)) == canvas.scene.theme.ribbon for i in same)
    assert canvas.grab().toImage() != usual
    choose(qtbot, panel, 0)
    assert not canvas.scene.differs


@pytest.mark.parametrize("meanwhile", ["edit", "nothing", "another"])
def test_a_file_that_is_being_read_outlasts_an_edit_but_no_other_choice(
    qtbot, panel: ComparisonPanel, document: Document, tmp_path, monkeypatch, meanwhile: str
) -> None:
    engine.write_tree(document.history.states[1].tree, tmp_path / "two.json")
    if meanwhile == "edit":
        choose(qtbot, panel, 1)
    gate = Gate(monkeypatch, comparing, "read")
    document.comparing.with_file(tmp_path / "two.json")
    assert gate.reached.wait(30)
    if meanwhile == "edit":
        document.undo()
    else:
        panel.other.setFocus()
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Up)[: 1 + (meanwhile == "nothing")]:
            qtbot.keyClick(panel.other, key)
    gate.open.set()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    name = {"edit": "two.json", "nothing": "", "another": panel.other.itemText(1)}[meanwhile]
    assert document.comparing.name == name


def test_figures_are_whole_and_sentences_within_reach_beside_a_tree(qtbot, panel: ComparisonPanel) -> None:
    choose(qtbot, panel, 1)
    panel.resize(645, 190)  # what a window of 1280 × 720 has for it
    qtbot.wait(1)
    for row in range(panel.model.rowCount()):
        for column in range(3):
            index = panel.model.index(row, column)
            assert panel.table.sizeHintForIndex(index).width() <= panel.table.visualRect(index).width() + 1, (
                index.data()
            )
    bar = panel.said.verticalScrollBar()
    assert bar.maximum() + panel.said.viewport().height() >= panel.sentences.heightForWidth(panel.sentences.width())


def test_a_tree_from_a_file(qtbot, panel: ComparisonPanel, document: Document, tmp_path, posted) -> None:
    engine.write_tree(document.history.states[1].tree, tmp_path / "two.json")
    document.comparing.with_file(tmp_path / "two.json")
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert cells(panel, 0)[2] == "2"
    assert panel.other.currentText() == "two.json"
    posted()
    document.comparing.with_file(tmp_path / "none.json")
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert "none.json" in posted()[0]
    assert panel.table.isVisible() and panel.other.currentText() == "two.json"


def test_probabilities_are_compared_too(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 1)
    rows = {cells(panel, row)[0]: cells(panel, row)[1:] for row in range(panel.model.rowCount())}
    if document.table.task == "number":
        assert not any("AUC" in name for name in rows) and "AUC" not in panel.sentences.text()
        return
    found = document.comparing.results["validation"]
    label = document.tree.classes[document.focus_class]
    assert rows[f"Validation AUC of {label}"] == [words.value(each) for each in (found.auc.first, found.auc.second)]
    assert rows["Validation log loss"] == [words.value(fit.log_loss) for fit in found.fits]
    assert rows["Validation Brier score"] == [words.value(fit.brier) for fit in found.fits]
    assert rows["Validation miscalibration"] == [words.value(fit.murphy.reliability) for fit in found.fits]
    assert f"The AUC of {label} of the tree on the canvas is" in panel.sentences.text()
    assert "DeLong's test: p = " in panel.sentences.text()
    document.set_focus(1 - document.focus_class)
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert f"The AUC of {document.tree.classes[document.focus_class]} of" in panel.sentences.text()


def test_rows_that_chose_a_tree_test_no_area(qtbot, panel: ComparisonPanel, document: Document) -> None:
    document.cutback.prune("reduced_error")
    qtbot.waitUntil(lambda: not document.jobs.busy and not document.edits.running, timeout=60_000)
    choose(qtbot, panel, 1)
    qtbot.waitUntil(lambda: document.comparing.results["validation"].fresh, timeout=60_000)
    if document.table.task == "classes":
        assert "this interval does not know that" in panel.sentences.text()
    assert "DeLong" not in panel.sentences.text()


def test_a_click_follows_the_rows_that_move(qtbot, panel: ComparisonPanel, document: Document) -> None:
    choose(qtbot, panel, 1)
    qtbot.mouseClick(panel.moving, Qt.MouseButton.LeftButton)
    assert panel.moved.isVisible() and not panel.table.isVisible()
    found, other = document.comparing.results["validation"].moves, document.comparing.other
    said = [panel.moves.index(1, column).data() for column in range(5)]
    assert said[0] == words.count(found.rows[1]) and said[3] == f"#{found.second[1]} → #{found.first[1]}"
    if document.table.task == "number":
        leaves = other.tree.position(found.second[1]), document.tree.position(found.first[1])
        predictions = other.tree.predictions[leaves[0]], document.tree.predictions[leaves[1]]
        assert said[1:3] == [words.value(each) for each in predictions]
    qtbot.mouseClick(panel.moved.viewport(), Qt.MouseButton.LeftButton,
                     pos=panel.moved.visualRect(panel.moves.index(1, 0)).center())  # fmt: skip
    qtbot.waitUntil(lambda: document.following.chosen is not None and not document.jobs.busy)
    rows = document.following.chosen.rows
    assert rows.size == found.rows[1] and (document.table.part[rows] == engine.VALIDATION).all()
    for state, leaf in ((document.state, found.first[1]), (other, found.second[1])):
        assert (state.tree.ids[state.tree.apply(document.table)[rows]] == leaf).all()
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().startswith("Rows\t")
