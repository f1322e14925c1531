"""The rules panel: classes with their ways in words, in step with the document in both directions."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.panels.words import rules
from gui.panels.words import rules as rules_model
from gui.panels.words.rules import RulesModel, RulesPanel
from gui.wording import words
from tests.frames import random_tree


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> RulesPanel:
    made = RulesPanel(document)
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def planted(document: Document, panel: RulesPanel, flowers: engine.Table) -> RulesPanel:
    document.set_table(flowers, three_leaves(flowers))
    return panel


def three_leaves(flowers: engine.Table) -> engine.Tree:
    """Leaf 1: length ≤ 6; leaves 3 and 4: the others by soil."""
    tree = engine.Tree.root(flowers).split(flowers, 0, engine.Split("length", "threshold", (6.0,)))
    return tree.split(flowers, 2, engine.Split("soil", "groups", groups=(("clay",), ("sand", "loam"))))


def picture(panel: RulesPanel, parent: QModelIndex | None = None) -> dict[str, list[str]]:
    """The ways below every heading, as shown."""
    model = panel.view.model()
    found = {}
    for k in range(model.rowCount()):
        top = model.index(k, 0)
        found[top.data()] = [model.index(row, 0, top).data() for row in range(model.rowCount(top))]
    return found


def click(qtbot: QtBot, panel: RulesPanel, index: QModelIndex) -> None:
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=panel.view.visualRect(index).center())


@pytest.mark.parametrize("seed", range(3))
def test_it_is_a_correct_item_model(flowers: engine.Table, qtmodeltester: ModelTester, seed: int) -> None:
    model = RulesModel()
    qtmodeltester.check(model)
    model.show(random_tree(flowers, seed, 4 * seed), 0)
    qtmodeltester.check(model)
    model.show(None, 0)


def test_without_a_table_the_panel_says_what_will_stand_there(panel: RulesPanel) -> None:
    assert panel.pages.currentWidget() is panel.empty


def test_every_class_has_its_ways_and_their_figures(planted: RulesPanel, document: Document) -> None:
    tree = document.tree
    seen = picture(planted)
    assert len(seen) == 3
    for rule, heading in zip(engine.rules(tree), seen, strict=True):
        assert heading.startswith(f"kind = “{rule.label}” · {len(rule.paths) or 'never'}")
        for path, text in zip(rule.paths, seen[heading], strict=True):
            i, index = tree.position(path.node), planted.model.index_of(path.node)
            cells = [index.siblingAtColumn(c).data() for c in range(5)]
            assert cells[0] == text
            assert all(condition in text for condition in rules.conditions(path))
            assert [cells[1], cells[3]] == [words.count(tree.rows_train[i]), words.count(tree.rows_validation[i])]
            right = [1 - tree.wrong(part)[i] / tree.weight(part)[i] for part in ("train", "validation")]
            assert [cells[2], cells[4]] == [words.percent(share) for share in right]
            assert index.data(Qt.ItemDataRole.ToolTipRole) == "\n".join(rules.conditions(path))
    top = planted.view.model().index(0, 0)
    colour = theme.current().class_colour(0, 3, document.focus_class)
    assert top.data(Qt.ItemDataRole.DecorationRole) == colour
    rows = [int(planted.model.index(k, rules_model.TRAINING_ROWS).data()) for k in range(3)]
    assert sum(rows) == tree.rows_train[0]


def test_a_click_selects_the_leaf(qtbot: QtBot, planted: RulesPanel, document: Document) -> None:
    for node in (4, 1, 3):
        click(qtbot, planted, planted.model.index_of(node))
        assert document.selected == node
    heading = planted.model.index_of(1).parent()
    click(qtbot, planted, heading)
    assert document.selected == 3, "a heading selects no leaf"
    qtbot.keyClick(planted.view, Qt.Key.Key_Down)
    assert document.selected == planted.model.node_at(planted.model.index(0, 0, heading)) != 3


def test_a_selection_elsewhere_is_marked(planted: RulesPanel, document: Document) -> None:
    document.select(4)
    assert planted.view.currentIndex() == planted.model.index_of(4)
    document.select(2)
    assert not planted.view.currentIndex().isValid(), "an inner node has no row"
    assert not planted.view.selectionModel().hasSelection()
    assert document.selected == 2


def test_what_is_selected_is_copied_or_all(qtbot: QtBot, planted: RulesPanel, document: Document) -> None:
    def copied() -> list[str]:
        qtbot.mouseClick(planted.copy, Qt.MouseButton.LeftButton)
        return QGuiApplication.clipboard().text().splitlines()

    ways = {1: "length ≤ 6", 3: "length > 6 AND (soil = “clay” or missing)", 4: "length > 6 AND soil in {"}
    said = {node: document.tree.classes[int(document.tree.labels[document.tree.position(node)])] for node in ways}
    document.select(0)
    assert len(copied()) == 3, "nothing is selected: every class"
    assert copied() == planted.model.text.splitlines()
    for node, way in ways.items():
        document.select(node)
        [line] = copied()
        assert line.startswith(f"kind = “{said[node]}”: {way}"), "one leaf, not its class"
    other = planted.model.index_of(1)
    qtbot.mouseClick(
        planted.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier,
        planted.view.visualRect(other).center(),
    )  # fmt: skip
    assert len(copied()) == 2
    click(qtbot, planted, planted.model.index(0, 0))
    qtbot.keyClick(planted.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == planted.model.text.splitlines()[0]


def test_a_rule_names_levels_as_the_canvas_does(qtbot: QtBot, panel: RulesPanel, document: Document) -> None:
    """Those that go this way, never those that do not."""
    values = ["low", "medium", "high", None] * 10
    frame = pd.DataFrame({"satisfaction": values, "y": ["a" if value == "low" else "b" for value in values]})
    table = engine.Table.from_frame(frame, target="y")
    split = engine.Split("satisfaction", "groups", groups=(("high", "medium"), ("low",)))
    document.set_table(table, engine.Tree.root(table).split(table, 0, split))
    ways = [way for below in picture(panel).values() for way in below]
    assert sorted(ways) == ["satisfaction = “low”", "satisfaction in {“high”, “medium”} or missing"]


def test_the_filter_keeps_the_rules_that_hold_its_words(qtbot: QtBot, planted: RulesPanel, document: Document) -> None:
    document.select(1)
    qtbot.keyClicks(planted.filter, "CLAY")
    ways = [way for below in picture(planted).values() for way in below]
    assert ways and all("clay" in way for way in ways)
    assert document.selected == 1, "filtering selects nothing"
    whole = engine.rules(document.tree)
    heading = planted.model.index(0, 0)
    click(qtbot, planted, heading)
    qtbot.mouseClick(planted.copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied in planted.model.text.splitlines() and len(whole) == 3, "a filtered rule would be no rule"
    planted.filter.setText("kind = rose")
    assert [heading.split(" · ")[0] for heading in picture(planted)] == ["kind = “rose”"]
    colour = theme.current().class_colour(document.tree.classes.index("rose"), 3, document.focus_class)
    assert planted.model.index(0, 0).data(Qt.ItemDataRole.DecorationRole) == colour
    planted.filter.clear()
    assert sum(map(len, picture(planted).values())) == 3
    assert planted.view.currentIndex() == planted.model.index_of(1)


def test_the_filter_finds_what_the_canvas_says(qtbot: QtBot, planted: RulesPanel, document: Document) -> None:
    document.set_table(
        document.table, document.tree.split(document.table, 3, engine.Split("length", "threshold", (8.0,)))
    )
    assert any("6 < length ≤ 8" in way for below in picture(planted).values() for way in below)
    for typed in ("length > 6", "6 < length <= 8", "length <= 8 "):
        planted.filter.clear()
        qtbot.keyClicks(planted.filter, typed)
        ways = [way for below in picture(planted).values() for way in below]
        assert any("6 < length ≤ 8" in way for way in ways), typed
        assert not planted.nothing.isVisible()


def test_an_empty_result_says_so(qtbot: QtBot, planted: RulesPanel) -> None:
    qtbot.keyClicks(planted.filter, "tulip")
    assert planted.nothing.isVisible() and not planted.view.isVisible()
    assert planted.nothing.text() == "No rule contains “tulip”."
    planted.filter.clear()
    assert planted.view.isVisible() and not planted.nothing.isVisible()


def test_an_edit_is_followed(qtbot: QtBot, planted: RulesPanel, document: Document) -> None:
    document.hand.collapse(0)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 1)
    assert sorted(way for below in picture(planted).values() for way in below) == ["always"]
    assert sum("never" in heading for heading in picture(planted)) == 2
    document.undo()
    assert sum(map(len, picture(planted).values())) == 3
    document.start(None)
    assert planted.pages.currentWidget() is planted.empty


def test_a_numeric_target_has_a_row_for_each_leaf(qtbot: QtBot, panel: RulesPanel, document: Document) -> None:
    frame = pd.DataFrame({"x": range(40), "y": [1000.5 + 2 * i for i in range(40)]})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (19.5,)))
    document.set_table(table, tree)
    assert list(picture(panel)) == [rule.text for rule in engine.rules(tree)]
    click(qtbot, panel, panel.model.index_of(2))
    assert document.selected == 2
    cells = [panel.model.index_of(2).siblingAtColumn(c).data() for c in range(1, 5)]
    assert cells == ["20", words.value(np.var(frame.y[20:])), "0", words.NOTHING]
    assert panel.model.headerData(2, Qt.Orientation.Horizontal) == "Error"
    hidden = [panel.view.isColumnHidden(section) for section in range(5)]
    assert hidden == [False, False, False, True, True], "without validation rows there is nothing to say of them"


def test_out_of_sight_nothing_is_made(
    qtbot: QtBot, document: Document, flowers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[engine.Tree] = []
    plain = engine.rules
    monkeypatch.setattr(engine, "rules", lambda tree, most=None: made.append(tree) or plain(tree, most))
    panel = RulesPanel(document)
    qtbot.addWidget(panel)
    document.set_table(flowers, three_leaves(flowers))
    assert not made
    panel.show()
    qtbot.waitExposed(panel)
    assert made == [document.tree]
    panel.hide()
    document.select(4)
    assert panel.model.node_at(panel.view.currentIndex()) is None, "rows are not measured out of sight"
    panel.show()
    assert panel.model.node_at(panel.view.currentIndex()) == 4
    document.select(3)
    assert panel.model.node_at(panel.view.currentIndex()) == 3
    assert len(made) <= 2


def test_of_a_large_tree_the_largest_leaves_are_listed(
    panel: RulesPanel, document: Document, flowers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_model, "MOST", 20)
    tree = random_tree(flowers, 5, 200)
    document.set_table(flowers, tree)
    assert sum(map(len, picture(panel).values())) == 20
    assert panel.more.text() == f"{tree.n_leaves - 20} leaves with the fewest training rows are not listed."
    listed = [way for rule in engine.rules(tree, most=20) for way in rule.paths]
    assert sum(way.rows_train for way in listed) == np.sort(tree.rows_train[tree.leaves])[-20:].sum()
    unlisted = set(tree.ids[tree.leaves].tolist()) - {way.node for way in listed}
    document.select(listed[0].node)
    document.select(min(unlisted))
    assert not panel.view.currentIndex().isValid(), "a leaf that is not listed has no row to mark"


def test_many_rules_are_made_in_the_worker(
    qtbot: QtBot, panel: RulesPanel, document: Document, flowers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "AT_ONCE", 20)
    document.set_table(flowers, three_leaves(flowers))
    small = picture(panel)
    tree, meanwhile = random_tree(flowers, 5, 200), []
    document.treeChanged.connect(lambda before, after: meanwhile.append(picture(panel)))
    document.tree_edits.take_tree(tree, "Another tree")
    qtbot.waitUntil(lambda: document.tree is tree)
    assert meanwhile == [small], "the former rules stay until the new ones are there"
    qtbot.waitUntil(lambda: panel.model.tree is tree)
    assert sum(map(len, picture(panel).values())) == tree.n_leaves
    document.undo()
    assert picture(panel) == small


def test_rules_for_a_tree_that_is_gone_never_arrive(
    qtbot: QtBot, panel: RulesPanel, document: Document, flowers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "AT_ONCE", 20)
    document.set_table(flowers, random_tree(flowers, 5, 200))
    document.set_table(flowers, three_leaves(flowers))
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert panel.model.tree is document.tree


def test_a_far_rule_is_found_without_measuring_all_before_it(
    qtbot: QtBot, panel: RulesPanel, document: Document, flowers: engine.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = random_tree(flowers, 5, 400)
    document.set_table(flowers, tree)
    qtbot.waitUntil(lambda: panel.model.tree is tree)
    measured = []
    measure = rules._Wrapped.sizeHint
    monkeypatch.setattr(rules._Wrapped, "sizeHint", lambda *args: measured.append(1) or measure(*args))
    top = panel.model.index(panel.model.rowCount() - 1, 0)
    last = panel.model.node_at(panel.model.index(panel.model.rowCount(top) - 1, 0, top))
    document.select(last)
    assert panel.view.viewport().rect().contains(panel.view.visualRect(panel.view.currentIndex()).center())
    assert panel.model.node_at(panel.view.currentIndex()) == last
    assert len(measured) < tree.n_leaves / 2


def test_long_rules_wrap(qtbot: QtBot, planted: RulesPanel) -> None:
    def heights() -> list[int]:
        return [planted.view.visualRect(planted.model.index_of(node)).height() for node in (1, 4)]

    planted.resize(420, 400)
    qtbot.waitUntil(lambda: heights()[1] > heights()[0] >= 20)
    planted.resize(1400, 400)
    qtbot.waitUntil(lambda: heights()[0] == heights()[1] >= 20)


def test_in_a_narrow_panel_each_figure_still_stands_beside_its_rows(planted: RulesPanel) -> None:
    planted.resize(330, 300)
    shown = [section for section in range(5) if not planted.view.isColumnHidden(section)]
    assert shown == [rules.RULE, rules.VALIDATION_ROWS, rules.VALIDATION]
    planted.resize(900, 300)
    assert not any(planted.view.isColumnHidden(section) for section in range(5))
