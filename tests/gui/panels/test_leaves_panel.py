"""The panel Leaves: what is listed, its order, the selection both ways, the clipboard, and files."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

import engine
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.history import State
from gui.panels.judge.leaves import RULE, LeavesPanel
from gui.wording import words
from tests.gui.acting import put_up, rest


def table_of(task: str, weights: bool = False) -> engine.Table:
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=600).round(2) for name in "abc"})
    signal = frame.a + np.sign(frame.b) + random.normal(size=600)
    frame["t"] = signal if task == "number" else np.where(signal > 1, "yes", np.where(signal > 0, "maybe", "no"))
    frame["w"] = random.uniform(1, 3, 600)
    made = engine.Table.from_frame(frame, target="t", roles={"w": "weight" if weights else "ignore"})
    return made.with_partition(validation=0.3)


@pytest.fixture(params=["classes", "number"])
def panel(request, qtbot, document: Document) -> LeavesPanel:
    made = LeavesPanel(document)
    put_up(qtbot, made, 700, 300)
    table = table_of(request.param)
    document.set_table(table, engine.grow(table, max_leaves=12, order="best_first"))
    rest(qtbot, document)
    return made


def cells(panel: LeavesPanel, title: str) -> list[str]:
    titles = [panel.model.headerData(k, Qt.Orientation.Horizontal) for k in range(panel.model.columnCount())]
    section = titles.index(title)
    return [panel.model.index(row, section).data() for row in range(panel.model.rowCount())]


def report(panel: LeavesPanel, node: int = 0) -> pd.DataFrame:
    state, document = panel._document.state, panel._document
    name = state.tree.classes[document.focus_class] if state.tree.classes else None
    return engine.leaf_report(state.table, state.tree, node, name)


def click(qtbot, panel: LeavesPanel, row: int, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    index = panel.model.index(row, 2)
    panel.view.scrollTo(index)
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, modifier, panel.view.visualRect(index).center())


def test_every_figure_of_the_report_is_listed(panel: LeavesPanel) -> None:
    found = report(panel)
    assert cells(panel, "Leaf") == [f"#{node}" for node in found.node]
    assert cells(panel, "Rule") == list(found.rule)
    assert cells(panel, "Rows") == [words.count(n) for n in found.rows]
    assert cells(panel, "p") == [words.gain(p) for p in found.p_adjusted]
    if panel._document.tree.task == "number":
        assert cells(panel, "Mean") == [words.value(n) for n in found["mean"]]
        assert cells(panel, "Validation SD") == [words.value(n) for n in found.validation_sd]
    else:
        focus = panel._document.tree.classes[panel._document.focus_class]
        assert cells(panel, focus) == [words.percent(n) for n in found[f"share: {focus}"]]
        assert cells(panel, f"Validation {focus}") == [words.percent(n) for n in found[f"validation_share: {focus}"]]
        assert cells(panel, "Cumulative index") == [words.value(n) for n in found.cumulative_index]
        assert cells(panel, "Prediction") == list(found.prediction)
    told = {"rule", "node", "p", *(name for name in found if "count: " in name)}
    assert panel.model.columnCount() - 2 == len(set(found) - told)
    assert panel.said.text().startswith("12 leaves")


def test_another_class_in_focus_stands_first(qtbot, panel: LeavesPanel, document: Document) -> None:
    if document.tree.task == "number":
        return
    for k, name in enumerate(document.tree.classes):
        document.set_focus(k)
        rest(qtbot, document)
        assert panel.model.columns[4].title == name and f"“{name}” first" in panel.said.text()
        assert cells(panel, "Leaf") == [f"#{node}" for node in report(panel).node]


def test_titles_sort(qtbot, panel: LeavesPanel) -> None:
    head = panel.view.horizontalHeader()

    def press(section: int) -> None:
        at = QPoint(head.sectionViewportPosition(section) + 5, head.height() // 2)
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)

    press(2)
    n = [int(text.replace(",", "")) for text in cells(panel, "Rows")]
    assert n in (sorted(n), sorted(n, reverse=True))
    press(RULE)
    tree = panel._document.tree
    in_tree = [f"#{node}" for node in tree.ids[tree.leaves]]
    assert cells(panel, "Leaf") in (in_tree, in_tree[::-1])


def test_a_click_selects_the_leaf_and_ctrl_another(qtbot, panel: LeavesPanel, document: Document) -> None:
    nodes = report(panel).node.tolist()
    click(qtbot, panel, 1)
    assert document.selected == nodes[1] and document.several.nodes == (nodes[1],)
    click(qtbot, panel, 3, Qt.KeyboardModifier.ControlModifier)
    assert document.selected == nodes[3] and set(document.several.nodes) == {nodes[1], nodes[3]}
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert document.several.nodes == (nodes[4],)


def test_a_leaf_that_is_selected_elsewhere_is_selected_here(qtbot, panel: LeavesPanel, document: Document) -> None:
    nodes = report(panel).node.tolist()
    document.select(nodes[7])
    document.several.toggle(nodes[2])
    chosen = {panel.model.place(index.row()) for index in panel.view.selectionModel().selectedRows()}
    assert chosen == {7, 2} and panel.view.currentIndex().row() == 2
    document.select(0)
    assert not panel.view.selectionModel().hasSelection()
    rest(qtbot, document)


def test_a_branch_is_listed_alone(qtbot, panel: LeavesPanel, document: Document) -> None:
    tree = document.tree
    inner = next(int(tree.ids[i]) for i in range(1, tree.n_nodes) if tree.n_branches[i])
    panel.scope.setFocus()
    qtbot.keyClick(panel.scope, Qt.Key.Key_End)
    document.select(inner)
    rest(qtbot, document)
    nodes = report(panel, inner).node.tolist()
    assert cells(panel, "Leaf") == [f"#{node}" for node in nodes]
    assert f"{len(nodes)} leaves below “" in panel.said.text()
    click(qtbot, panel, 0)  # a leaf is a branch of one leaf; the list stays
    rest(qtbot, document)
    assert cells(panel, "Leaf") == [f"#{node}" for node in nodes] and document.selected == nodes[0]
    document.several.alone(inner)
    document.hand.collapse(inner)
    rest(qtbot, document)
    assert document.tree is not tree and panel.model.rowCount() == document.tree.n_leaves


def test_what_is_selected_is_copied_else_all(qtbot, panel: LeavesPanel) -> None:
    button = panel.findChild(QPushButton, "leaves_copy")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 13 and lines[0].startswith("Leaf\tRule\tRows\t")
    assert [line.split("\t")[1] for line in lines[1:]] == list(report(panel).rule)
    click(qtbot, panel, 2)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().splitlines()[1:] == lines[3:4]


def test_nothing_is_counted_while_it_is_hidden(qtbot, panel: LeavesPanel, document: Document) -> None:
    panel.hide()
    before = panel.model.listed
    document.tree_edits.grow_all()
    rest(qtbot, document)
    assert panel.model.listed is before
    panel.show()
    rest(qtbot, document)
    assert panel.model.rowCount() == document.tree.n_leaves > 12


def test_a_leaf_that_fails_on_validation_rows_is_marked(qtbot, document: Document) -> None:
    frame = pd.DataFrame({"x": [0, 1] * 400, "part": ["train"] * 400 + ["valid"] * 400})
    frame["t"] = np.where((frame.x == 1) ^ (frame.part == "valid"), "yes", "no")
    table = engine.Table.from_frame(frame, target="t", roles={"part": "partition"}).with_partition(column="part")
    panel = LeavesPanel(document)
    put_up(qtbot, panel, 700, 300)
    document.set_table(table, engine.grow(table))
    rest(qtbot, document)
    section = [column.title for column in panel.model.columns].index("p")
    inks = [panel.model.index(row, section).data(Qt.ItemDataRole.ForegroundRole) for row in range(2)]
    assert all(inks) and "2 differ on validation rows" in panel.said.text()
    assert panel.model.index(0, section).data(Qt.ItemDataRole.ToolTipRole).endswith("for this leaf alone")
    assert panel.model.index(0, 4).data(Qt.ItemDataRole.ToolTipRole) == "200 of 200 rows"


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_the_report_becomes_a_file(suffix: str, tmp_path: Path) -> None:
    table = table_of("classes", weights=True)
    tree = engine.grow(table, max_leaves=9, order="best_first")
    path = tmp_path / f"leaves{suffix}"
    make = partial(file_tasks.leaf_frame, State(table, tree), 0, 1)
    file_tasks.frame_exported(path, make, engine.Progress())
    read = {".csv": pd.read_csv, ".xlsx": partial(pd.read_excel, engine="openpyxl"), ".parquet": pd.read_parquet}[
        suffix
    ](path)
    expected = engine.leaf_report(table, tree, focus=tree.classes[1])
    pd.testing.assert_frame_equal(read, expected, check_dtype=False, rtol=1e-12)
