"""The node panel: the selected node in words and figures."""

from dataclasses import replace

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.words.node import LENGTH, NodePanel
from gui.wording import words


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> NodePanel:
    made = NodePanel(document)
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def planted(document: Document, panel: NodePanel, flowers: engine.Table) -> NodePanel:
    tree = engine.Tree.root(flowers).split(flowers, 0, engine.Split("length", "threshold", (6.0,)))
    tree = tree.split(flowers, 2, engine.Split("soil", "groups", groups=(("clay",), ("sand", "loam"))))
    document.set_table(flowers, tree)
    return panel


def rows(panel: NodePanel) -> list[list[str]]:
    model = panel.model
    return [[model.index(r, c).data() for c in range(model.columnCount())] for r in range(model.rowCount())]


def test_without_a_table_the_panel_says_what_will_stand_there(panel: NodePanel) -> None:
    assert panel.pages.currentWidget() is panel.empty


def test_the_root_has_no_rule_to_copy(planted: NodePanel, document: Document) -> None:
    assert planted.title.text() == "Root, split by length (by hand)"
    assert not planted.copy.isEnabled()
    assert planted.rows.text() == "90 training rows · 30 validation rows"
    assert "With its branches" in planted.outcome.text()


def test_a_selected_leaf_is_described(planted: NodePanel, document: Document) -> None:
    document.select(4)
    tree = document.tree
    i = tree.position(4)
    assert planted.title.text() == "Leaf 4 at depth 2"
    assert planted.rule.text().splitlines() == tree.rule(4)
    assert planted.rule.text().splitlines()[1].startswith("soil in {sand, loam}")
    assert f"{tree.rows_train[i]} training rows" in planted.rows.text()
    assert planted.outcome.text().startswith(f"Predicts {tree.classes[tree.labels[i]]}. Error as a leaf: ")
    assert "With its branches" not in planted.outcome.text()


def test_the_class_table_counts_both_parts(planted: NodePanel, document: Document) -> None:
    document.select(1)
    tree = document.tree
    i = tree.position(1)
    for k, (name, n_train, share, n_validation, _) in enumerate(rows(planted)):
        assert name == tree.classes[k]
        assert n_train == words.count(tree.train[i, k])
        assert share == words.percent(tree.train[i, k] / tree.train[i].sum())
        assert n_validation == words.count(tree.validation[i, k])
    bold = [r for r in range(3) if planted.model.index(r, 0).data(Qt.ItemDataRole.FontRole)]
    assert bold == [tree.labels[i]]


def test_the_rule_is_copied(qtbot: QtBot, planted: NodePanel, document: Document) -> None:
    document.select(3)
    qtbot.mouseClick(planted.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == " and ".join(document.tree.rule(3))


def test_an_edit_is_followed(qtbot: QtBot, planted: NodePanel, document: Document) -> None:
    document.hand.collapse(0)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 1)
    assert planted.title.text() == "Root"


def test_a_numeric_target_has_mean_and_deviation(panel: NodePanel, document: Document) -> None:
    frame = pd.DataFrame({"x": range(40), "y": [1000.5 + 2 * i for i in range(40)]})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    table = dict((row[0], row[1:]) for row in rows(panel))
    assert table["Mean"] == [words.value(frame["y"].mean()), words.NOTHING]
    assert table["Standard deviation"][0] == words.value(frame["y"].std(ddof=0))
    assert "Predicts 1,040" in panel.outcome.text()
    assert panel.drawn.isHidden(), "a number is not drawn"


def with_rule(planted: NodePanel, document: Document, **rule: object) -> engine.Tree:
    tree = replace(document.tree, leaf_rule=engine.LeafRule(**rule))
    document.set_table(document.table, tree)
    return document.tree


def test_beside_the_error_stands_that_of_a_drawn_label(planted: NodePanel, document: Document) -> None:
    document.select(1)
    shares = document.tree.train[1] / document.tree.train[1].sum()
    seen = document.tree.validation[1] / document.tree.validation[1].sum()
    expected = [words.percent(1 - float(shares @ of)) for of in (shares, seen)]
    assert (
        planted.drawn.text() == f"Expected error of a label drawn at random from the class shares (Gini): "
        f"{expected[0]} training, {expected[1]} validation."
    )
    assert not planted.drawn.isHidden()
    assert "stochastic rule" in planted.drawn.toolTip()


def test_smoothed_leaves_show_their_probabilities(planted: NodePanel, document: Document) -> None:
    assert planted.model.columnCount() == 5
    tree = with_rule(planted, document, smoothing="laplace")
    document.select(3)
    i = tree.position(3)
    assert planted.model.headerData(5, Qt.Orientation.Horizontal) == "Probability"
    assert "smoothing" in planted.model.headerData(5, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    n = tree.train[i].sum()
    assert [row[5] for row in rows(planted)] == [words.percent((c + 1) / (n + 3)) for c in tree.train[i]]


def test_costs_are_shown_with_what_each_label_would_cost(planted: NodePanel, document: Document) -> None:
    tree = with_rule(planted, document, costs=(("iris", "lily", 50.0), ("iris", "rose", 50.0)))
    lily, iris = tree.classes.index("lily"), tree.classes.index("iris")
    counts = tree.train[0]
    assert planted.model.headerData(5, Qt.Orientation.Horizontal) == "Cost"
    column = [row[5] for row in rows(planted)]
    assert column[iris] == words.value((counts.sum() - counts[iris]) / counts.sum())
    rest = counts.sum() - counts[iris] - counts[lily]
    assert column[lily] == words.value((50 * counts[iris] + rest) / counts.sum())
    assert "Predicts iris. Error as a leaf: " in planted.outcome.text()
    error = 1 - counts[iris] / counts.sum()
    assert f"Error as a leaf: {words.percent(error)} training" in planted.outcome.text()
    assert f"Expected cost as a leaf: {words.value(error)} training" in planted.outcome.text()


def test_a_tree_with_bins_shows_how_the_target_lies_in_the_node(qtbot: QtBot, document: Document) -> None:
    frame = pd.DataFrame({"x": range(80), "y": [(i * i) % 97 + i for i in range(80)]})
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.25)
    document.set_table(table, engine.grow(table, criterion="binned_gini", bins=4, max_depth=2))
    panel = NodePanel(document)
    qtbot.addWidget(panel)
    panel.resize(700, 300)
    panel.show()
    qtbot.waitExposed(panel)
    tree = document.tree
    leaf = int(tree.leaves[1])
    for position in (0, leaf):
        document.select(int(tree.ids[position]))
        shares = tree.histogram_shares[position]
        bins = rows(panel)[3:]
        low, high = (words.value(edge) for edge in tree.bin_edges[:2])
        assert [row[0] for row in bins][:2] == [f"≤ {low}", f"{low} to {high}"]
        assert bins[-1][0] == f"> {words.value(tree.bin_edges[-1])}"
        assert [row[1] for row in bins] == [words.percent(share) for share in shares]
        lengths = [panel.model.index(3 + k, 1).data(LENGTH) for k in range(4)]
        assert lengths == pytest.approx(shares / shares.max())
    assert "of the training rows here" in panel.model.index(3, 0).data(Qt.ItemDataRole.ToolTipRole)
    fullest = panel.view.visualRect(panel.model.index(3 + int(shares.argmax()), 1))
    figures = panel.view.visualRect(panel.model.index(0, 1))
    picture = panel.view.viewport().grab().toImage()
    ground = picture.pixelColor(figures.left() + 6, figures.center().y())
    assert picture.pixelColor(fullest.left() + 6, fullest.center().y()) != ground
    document.set_table(table, engine.grow(table, max_depth=2))
    assert len(rows(panel)) == 3, "without bins there is nothing to show"


def test_pruning_by_kearns_and_mansour_says_what_was_compared(
    qtbot: QtBot, planted: NodePanel, document: Document
) -> None:
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    document.cutback.tell("kearns_mansour", "factor", 0.3)
    document.cutback.prune("kearns_mansour")
    qtbot.waitUntil(
        lambda: document.cutback.point is not None and not document.edits.running and not document.jobs.busy
    )
    found = document.cutback.sequence
    said = []
    for node in document.tree.ids.tolist():
        document.select(node)
        if document.cutback.why_cut(node):
            i, tree = found.full.position(node), document.tree
            leaf, branch, penalty = (
                of[i] for of in (found.verdicts.leaf, found.verdicts.branch, found.verdicts.allowance)
            )
            kept = bool(tree.n_branches[tree.position(node)])
            start, sign = ("Kept", ">") if kept else ("Cut", "≤")
            assert kept == (leaf > branch + penalty)
            said.append(f"{start}: leaf error {leaf:.3f} {sign} subtree error {branch:.3f} + penalty α {penalty:.3f}")
            assert planted.verdict.text() == said[-1]
    assert said
