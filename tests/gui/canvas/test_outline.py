"""The outline: a correct item model, in step with the document in both directions."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.words import outline as outline_model
from gui.panels.words.outline import OutlineModel, OutlinePanel
from tests.frames import random_tree


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> OutlinePanel:
    made = OutlinePanel(document)
    qtbot.addWidget(made)
    made.resize(640, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def picture(model: OutlineModel, parent: QModelIndex | None = None, depth: int = 0) -> list[str]:
    """The rows below an index as indented text."""
    parent = parent if parent is not None else QModelIndex()
    lines = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        lines += ["  " * depth + index.data(), *picture(model, index, depth + 1)]
    return lines


@pytest.mark.parametrize("seed", range(4))
def test_it_is_a_correct_item_model(flowers: engine.Table, qtmodeltester: ModelTester, seed: int) -> None:
    model = OutlineModel()
    qtmodeltester.check(model)
    model.show(random_tree(flowers, seed, 3 * seed), 0)
    qtmodeltester.check(model)
    model.show(None, 0)


def test_it_reads_like_the_tree(flowers: engine.Table) -> None:
    tree = engine.Tree.root(flowers)
    tree = tree.split(flowers, 0, engine.Split("length", "threshold", (6.0,)))
    tree = tree.split(flowers, 2, engine.Split("soil", "groups", groups=(("clay",), ("sand", "loam"))))
    model = OutlineModel()
    model.show(tree, 0)
    assert picture(model) == [
        "All rows",
        "  length ≤ 6",
        "  length > 6",
        "    soil = clay",
        "    soil in {sand, loam}",
    ]
    assert model.index_of(2).row() == 1
    assert not model.index_of(99).isValid()


def test_rows_show_the_nodes_figures(flowers: engine.Table) -> None:
    tree = engine.Tree.root(flowers)
    model = OutlineModel()
    model.show(tree, 1)
    root = model.index(0, 0)
    texts = [model.index(0, section).data() for section in range(model.columnCount())]
    assert texts[outline_model.ROWS] == "90"
    assert texts[outline_model.LABEL] == tree.classes[int(tree.labels[0])]
    assert model.headerData(outline_model.RATE, Qt.Orientation.Horizontal) == tree.classes[1]
    assert texts[outline_model.RATE] == f"{100 * tree.probabilities[0, 1]:.1f} %"
    assert texts[outline_model.TRAINING] == f"{100 * tree.error('train'):.1f} %"
    assert texts[outline_model.VALIDATION] == f"{100 * tree.error('validation'):.1f} %"
    assert "90 rows" in root.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "leaf" in root.data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.mark.parametrize("part", ["train", "validation"])
def test_branch_errors_are_those_of_the_leaves_below(flowers: engine.Table, part: str) -> None:
    tree = random_tree(flowers, 3, 10)
    errors = outline_model.branch_errors(tree, part)
    assert errors[0] == pytest.approx(tree.error(part))
    costs, weight = tree.costs(part), tree.weight(part)
    for i in range(tree.n_nodes):
        leaves = [j for j in tree.leaves if i <= j < tree.end[i]]
        if weight[i] > 0:
            assert errors[i] == pytest.approx(sum(costs[j] for j in leaves) / weight[i])


def test_keys_select_in_the_document(
    qtbot: QtBot, panel: OutlinePanel, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers, random_tree(flowers, 1, 2))
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert document.selected == int(document.tree.ids[1])
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    assert document.selected == int(document.tree.ids[-1])
    qtbot.keyClick(panel.view, Qt.Key.Key_Home)
    assert document.selected == 0


def test_a_click_selects_in_the_document(
    qtbot: QtBot, panel: OutlinePanel, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers, random_tree(flowers, 1, 2))
    node = int(document.tree.ids[1])
    where = panel.view.visualRect(panel.model.index_of(node)).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert document.selected == node


def test_the_documents_selection_is_shown(panel: OutlinePanel, document: Document, flowers: engine.Table) -> None:
    document.set_table(flowers, random_tree(flowers, 2, 8))
    deepest = int(document.tree.ids[int(document.tree.level.argmax())])
    document.select(deepest)
    assert panel.model.node_at(panel.view.currentIndex()) == deepest
    assert panel.view.visualRect(panel.view.currentIndex()).isValid()


def test_folding_and_selection_survive_an_edit(
    qtbot: QtBot, panel: OutlinePanel, document: Document, flowers: engine.Table
) -> None:
    tree = engine.Tree.root(flowers)
    tree = tree.split(flowers, 0, engine.Split("length", "threshold", (6.0,)))
    tree = tree.split(flowers, 1, engine.Split("width", "threshold", (4.0,)))
    document.set_table(flowers, tree)
    panel.view.collapse(panel.model.index_of(1))
    document.select(2)
    document.hand.split_by(2, engine.Split("width", "threshold", (6.0,)))
    qtbot.waitUntil(lambda: document.tree.n_leaves == 4)
    document.select(2)
    assert not panel.view.isExpanded(panel.model.index_of(1))
    assert panel.view.isExpanded(panel.model.index_of(2)), "a new split unfolds"
    assert panel.model.node_at(panel.view.currentIndex()) == 2
    document.undo()
    assert panel.model.node_at(panel.view.currentIndex()) == document.selected
    assert panel.view.isExpanded(panel.model.index_of(0))


def test_without_a_table_the_panel_says_what_will_stand_there(panel: OutlinePanel, document: Document) -> None:
    assert panel.pages.currentWidget() is panel.empty
    assert panel.model.rowCount() == 0


def test_a_large_tree_is_asked_only_for_what_is_seen(
    qtbot: QtBot, document: Document, flowers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Asked(OutlineModel):  # a method of the model itself must not be replaced: Qt's side remembers where it was
        def data(self, index: QModelIndex, role: int = 0) -> object:
            asked.append(role)
            return super().data(index, role)

    monkeypatch.setattr("gui.panels.words.outline.OutlineModel", Asked)
    panel = OutlinePanel(document)
    qtbot.addWidget(panel)
    panel.resize(640, 400)
    panel.show()
    qtbot.waitExposed(panel)
    document.set_table(flowers, random_tree(flowers, 5, 300))
    panel.view.viewport().repaint()
    assert document.tree.n_nodes > 600
    texts = asked.count(Qt.ItemDataRole.DisplayRole)
    assert 0 < texts < 600
