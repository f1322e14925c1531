"""The panel Importance: the ways side by side, what runs on request, and the splits on the canvas."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy

import engine
from gui.model.document import Document
from gui.panels.judge.importance import BAR, PERMUTATIONS, SURE, ImportancePanel
from gui.wording import words
from tests.gui.acting import put_up, rest

LEFT = Qt.MouseButton.LeftButton


def table_of(task: str, validation: float = 0.3) -> engine.Table:
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=400).round(2) for name in "abc"})
    signal = frame.a + np.sign(frame.b) + random.normal(size=400)
    frame["t"] = signal if task == "number" else np.where(signal > 0, "yes", "no")
    return engine.Table.from_frame(frame, target="t").with_partition(validation=validation)


@pytest.fixture(params=["classes", "number"])
def panel(request, qtbot, document: Document) -> ImportancePanel:
    made = ImportancePanel(document)
    put_up(qtbot, made, 700, 300)
    table = table_of(request.param)
    document.set_table(table, engine.grow(table, max_leaves=8, order="best_first"))
    rest(qtbot, document)
    return made


def cells(panel: ImportancePanel, title: str) -> list[str]:
    section = titles(panel).index(title)
    return [panel.model.index(row, section).data() for row in range(panel.model.rowCount())]


def titles(panel: ImportancePanel) -> list[str]:
    return [column.title for column in panel.model.columns]


def loss_words(panel: ImportancePanel):
    return words.percent if panel._document.tree.task == "classes" else words.value


def test_at_first_the_splits_tell(panel: ImportancePanel, document: Document) -> None:
    found = engine.importance(document.table, document.tree, permutations=0)
    assert titles(panel) == ["Column", "Splits", "Impurity"]
    assert cells(panel, "Column") == list(found.index)
    assert cells(panel, "Impurity") == [words.gain(x) for x in found.impurity]
    assert cells(panel, "Splits") == [str(n) for n in found.splits]
    bars = [panel.model.index(row, 2).data(BAR) for row in range(panel.model.rowCount())]
    assert bars == pytest.approx(list(found.impurity / found.impurity.max()))
    assert "many values" in panel.said.text()


def test_permutations_come_on_request_and_belong_to_their_tree(qtbot, panel, document: Document) -> None:
    qtbot.mouseClick(panel.permute, LEFT)
    rest(qtbot, document)
    found, form = engine.importance(document.table, document.tree, permutations=PERMUTATIONS), loss_words(panel)
    assert cells(panel, "Column") == list(found.index)
    expected = [f"{form(x)} ± {form(s)}" for x, s in zip(found.permutation, found.permutation_sd, strict=True)]
    assert cells(panel, "Permutation") == expected
    document.hand.collapse(int(document.tree.ids[1]))
    rest(qtbot, document)
    assert "Permutation" not in titles(panel)


def test_the_tree_is_grown_without_each_column_by_the_search_options(qtbot, panel, document: Document) -> None:
    document.set_search(max_depth=2)
    rest(qtbot, document)
    qtbot.mouseClick(panel.drop, LEFT)
    rest(qtbot, document)
    found, form = engine.importance_by_dropping(document.table, max_depth=2), loss_words(panel)
    shown = dict(zip(cells(panel, "Column"), cells(panel, "Grown without"), strict=True))
    for name, row in found.iterrows():
        assert shown[name] == f"{form(row.dropped)} ± {form(SURE * row.dropped_se)}"
    document.hand.collapse(int(document.tree.ids[1]))  # about the options, not about the tree
    rest(qtbot, document)
    assert "Grown without" in titles(panel)
    document.set_search(max_depth=3)
    rest(qtbot, document)
    assert "Grown without" not in titles(panel)


def test_a_click_selects_the_splits_of_a_column(qtbot, panel, document: Document) -> None:
    index = panel.model.index(1, 0)
    name, tree = index.data(), document.tree
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=panel.view.visualRect(index).center())
    splits = [tree.split_at(i) for i in range(tree.n_nodes)]
    asked = {int(tree.ids[i]) for i, split in enumerate(splits) if split is not None and split.column == name}
    assert set(document.several.nodes) == asked
    level = {node: int(tree.level[tree.position(node)]) for node in asked}
    assert level[document.selected] == min(level.values())


def test_without_validation_rows_nothing_is_permuted(qtbot, document: Document) -> None:
    panel = ImportancePanel(document)
    put_up(qtbot, panel, 700, 300)
    table = table_of("classes", validation=0.0)
    document.set_table(table, engine.grow(table, max_leaves=5, order="best_first"))
    rest(qtbot, document)
    assert not panel.permute.isEnabled() and panel.drop.isEnabled()
    qtbot.mouseClick(panel.drop, LEFT)
    rest(qtbot, document)
    assert "Grown without" in titles(panel)


def test_figures_are_exported_and_nothing_is_computed_while_hidden(qtbot, panel, document: Document) -> None:
    asked = QSignalSpy(document.exportAsked)
    qtbot.mouseClick(panel.export, LEFT)
    frame = asked.at(0)[0](engine.Progress())
    assert list(frame.column) == cells(panel, "Column") and "impurity_share" in frame
    panel.hide()
    before = panel._frames
    document.hand.collapse(int(document.tree.ids[1]))
    rest(qtbot, document)
    assert panel._frames is before
