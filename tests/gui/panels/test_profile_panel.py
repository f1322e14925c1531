"""The panel Profile: what is compared, its order and figures, the larger picture, and what cannot be compared."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

import engine
from gui import theme
from gui.model.document import Document
from gui.model.history import State
from gui.panels.judge.profile import CONDITION, NAME, PARENT, PICTURE, SIBLING, VALIDATION, ProfilePanel, profiled
from gui.wording import words
from tests.gui.acting import put_up, rest


def table_of(test: float = 0.0) -> engine.Table:
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=600).round(2) for name in "abc"})
    frame["city"] = random.choice(["Ulm", "Bonn", "Kiel"], 600)
    frame["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 300, 600), "D")
    frame["t"] = np.where(frame.a + np.sign(frame.b) + random.normal(size=600) > 0, "yes", "no")
    return engine.Table.from_frame(frame, target="t").with_partition(validation=0.3, test=test)


@pytest.fixture
def panel(qtbot, document: Document) -> ProfilePanel:
    made = ProfilePanel(document)
    put_up(qtbot, made, 800, 300)
    table = table_of()
    document.set_table(table, engine.grow(table, max_leaves=6, order="best_first"))
    rest(qtbot, document)
    return made


def choose(qtbot, panel: ProfilePanel, kind: str) -> None:
    panel.against.setFocus()
    qtbot.keyClick(panel.against, Qt.Key.Key_Home)
    for _ in range(panel.against.findData(kind)):
        qtbot.keyClick(panel.against, Qt.Key.Key_Down)
    rest(qtbot, panel._document)


def cells(panel: ProfilePanel, section: int) -> list[str]:
    return [panel.model.index(row, section).data() for row in range(panel.model.rowCount())]


def test_the_selected_nodes_are_compared_with_all_other_rows(qtbot, panel: ProfilePanel, document: Document) -> None:
    leaves = document.tree.ids[document.tree.leaves].tolist()
    for nodes in ((leaves[1],), (leaves[1], leaves[3])):
        document.several.choose(nodes)
        rest(qtbot, document)
        found = engine.profile(document.table, document.tree, nodes)
        assert cells(panel, NAME) == list(found.index) and cells(panel, CONDITION) == list(found.condition)
        assert cells(panel, 2) == [words.percent(n) for n in found.difference]
        assert cells(panel, 3) == [words.percent(n) for n in found.validation_difference]
    assert panel.said.text().startswith("2 nodes: ") and panel.said.text().endswith(" rows")


@pytest.mark.parametrize("kind", [SIBLING, PARENT, VALIDATION])
def test_other_rows_are_compared_with_on_request(qtbot, panel: ProfilePanel, document: Document, kind: str) -> None:
    tree = document.tree
    leaf = int(tree.ids[tree.leaves[2]])
    document.select(leaf)
    choose(qtbot, panel, kind)
    against = int(tree.ids[tree.parent[tree.position(leaf)]]) if kind == PARENT else kind
    found = engine.profile(document.table, tree, leaf, against)
    assert cells(panel, NAME) == list(found.index) and cells(panel, 2) == [words.percent(n) for n in found.difference]
    assert ("Validation" in [column.title for column in panel.model.columns]) == (kind != VALIDATION)
    assert ("validation rows" if kind == VALIDATION else "these nodes") in panel.legend.text().replace("&nbsp;", " ")


def test_a_click_shows_a_column_larger(qtbot, panel: ProfilePanel, document: Document) -> None:
    document.select(int(document.tree.ids[document.tree.leaves[0]]))
    rest(qtbot, document)
    row = cells(panel, NAME).index("city")
    index = panel.model.index(row, PICTURE)
    panel.view.scrollTo(index)
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=panel.view.visualRect(index).center())
    assert "Bonn: " in panel.picture.accessibleDescription()
    ink = theme.current().training.rgb()
    shown = panel.picture.grab().toImage()
    assert any(shown.pixel(x, y) == ink for x in range(0, shown.width(), 3) for y in range(0, shown.height(), 3))
    small = panel.view.viewport().grab(panel.view.visualRect(index)).toImage()
    assert any(small.pixel(x, y) == ink for x in range(small.width()) for y in range(small.height()))
    document.select(int(document.tree.ids[document.tree.leaves[2]]))  # the column stays
    rest(qtbot, document)
    assert panel.model.record(panel.view.currentIndex().row()).column.name == "city"


def test_bars_are_shares_and_dates_stay_dates(panel: ProfilePanel, document: Document) -> None:
    leaf = int(document.tree.ids[document.tree.leaves[0]])
    for line in profiled(document.state, (leaf,), "rest", engine.Progress()).lines:
        assert line.bars.sum(axis=0) == pytest.approx([1, 1])
        if line.column.name == "day":
            assert all(name.startswith("2020-") for name in line.names)


def test_of_the_root_nothing_is_compared_but_validation_rows(qtbot, panel: ProfilePanel, document: Document) -> None:
    assert panel.nothing.text() == "There is nothing to compare with: select one or more nodes below the root."
    choose(qtbot, panel, PARENT)
    assert panel.nothing.isVisible() and panel.nothing.text() == "The root has no parent: select another node."
    choose(qtbot, panel, VALIDATION)
    assert panel.view.isVisible() and panel.model.rowCount() == 6 and "for validation against" in panel.said.text()


def test_values_of_test_rows_stay_unknown() -> None:
    table = table_of(test=0.3)
    tree = engine.grow(table, max_leaves=3, order="best_first")
    found = profiled(State(table, tree), (1,), "rest", engine.Progress())
    seen = table.column("a").numbers[table.rows(0)]
    line = next(line for line in found.lines if line.column.name == "a")
    assert (line.column.values.min(), line.column.values.max()) == (seen.min(), seen.max())


def test_it_copies(qtbot, panel: ProfilePanel, document: Document) -> None:
    document.select(int(document.tree.ids[document.tree.leaves[0]]))
    rest(qtbot, document)
    panel.view.clearSelection()
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Column\tValues\tDifference\tValidation\tCondition\t") and len(lines) == 7
