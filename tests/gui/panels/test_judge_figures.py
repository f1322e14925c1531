"""The panel Figures, through mouse and keys: matrices and figures against what the engine says of each part."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.judge.figures import FiguresPanel
from gui.wording import words
from tests.gui.acting import put_up, rest

LEFT = Qt.MouseButton.LeftButton


def table_of(classes: int = 2, test: float = 0.2) -> engine.Table:
    """500 rows; with no class a number is to be predicted."""
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"x": random.normal(size=500), "z": random.normal(size=500)})
    signal = frame.x + frame.z / 2 + random.normal(0, 0.7, 500)
    if classes:
        names = np.array([f"c{k:02}" for k in range(classes)] if classes > 2 else ["no", "yes"])
        signal = names[(signal.rank(pct=True) * classes).clip(0, classes - 1).astype(int)]
    frame["y"] = signal
    return engine.Table.from_frame(frame, "y").with_partition(validation=0.3, test=test)


def show(qtbot: QtBot, document: Document, table: engine.Table, **search: object) -> engine.Tree:
    tree = engine.grow(table, max_depth=3, min_leaf=10, **search)
    document.set_table(table, tree)
    rest(qtbot, document)
    return tree


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> FiguresPanel:
    made = FiguresPanel(document)
    put_up(qtbot, made, 1200, 600)
    return made


def figures(panel: FiguresPanel) -> dict[str, dict[str, str]]:
    """What is read: {figure: {column: text}}."""
    model, head = panel.model, Qt.Orientation.Horizontal
    titles = [model.headerData(k, head) for k in range(model.columnCount())]
    rows = ([model.index(row, k).data() for k in range(len(titles))] for row in range(model.rowCount()))
    return {row[0]: dict(zip(titles[1:], row[1:], strict=True)) for row in rows}


def cells(panel: FiguresPanel, part: str) -> list[list[str]]:
    model = panel.matrices[part].model
    return [[model.index(i, k).data() for k in range(model.columnCount())] for i in range(model.rowCount())]


def click(qtbot: QtBot, panel: FiguresPanel, part: str, row: int, column: int) -> None:
    view = panel.matrices[part].table
    at = view.visualRect(view.model().index(row, column)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=at)


def choose(qtbot: QtBot, box, data: object) -> None:
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findData(data)):
        qtbot.keyClick(box, Qt.Key.Key_Down)


def test_parts_stand_side_by_side_and_say_what_the_engine_says(qtbot, document, panel):
    assert panel.empty.isVisible() and panel.empty.text().startswith("Open a table")
    table = table_of()
    tree = show(qtbot, document, table)
    said = figures(panel)
    for part, title in (("train", "Training"), ("validation", "Validation")):
        fit = engine.assess(table, tree, part)
        assert cells(panel, part) == [[words.count(one) for one in row] for row in fit.confusion]
        ranking, k = fit.ranking("yes"), 1
        for name, value in (
            ("Accuracy", words.percent(fit.accuracy)), ("Balanced accuracy", words.percent(fit.balanced_accuracy[0])),
            ("Precision of yes", words.percent(fit.precision[k, 0])), ("Cohen's κ", words.value(fit.kappa[0])),
            ("AUC of yes", words.value(ranking.auc)), ("Brier: resolution", words.value(fit.murphy.resolution)),
            ("Matthews correlation", words.value(fit.matthews.value)), ("Log loss", words.value(fit.log_loss)),
        ):  # fmt: skip
            assert said[name][title].split(" (")[0] == value, name
    assert "Test" not in said["Rows"] and "Mean cost" not in said and "Precision of no" not in said
    low, high = engine.assess(table, tree).interval
    interval = f"{words.percent(low).removesuffix(' %')} to {words.percent(high)}"
    assert said["Accuracy"]["Validation"].endswith(f"({interval})") and "(" not in said["Accuracy"]["Training"]
    qtbot.mouseClick(panel.every, LEFT, pos=QPoint(8, panel.every.height() // 2))
    assert {"Precision of no", "Precision of yes"} <= {*figures(panel)}


def test_cells_say_shares_and_are_followed(qtbot, document, panel):
    table = table_of()
    tree = show(qtbot, document, table)
    fit = engine.assess(table, tree)
    choose(qtbot, panel.cells, "true")
    assert cells(panel, "validation")[0] == [words.rate(one) for one in fit.confusion[0] / fit.confusion[0].sum()]
    choose(qtbot, panel.cells, "predicted")
    assert cells(panel, "validation")[1][0] == words.rate(fit.confusion[1, 0] / fit.confusion[:, 0].sum())
    click(qtbot, panel, "validation", 1, 0)
    rest(qtbot, document)
    leaf = tree.apply(table)
    wanted = (table.part == engine.VALIDATION) & (table.y == 1) & (tree.labels[leaf] == 0)
    assert document.following.chosen.rows.tolist() == np.flatnonzero(wanted).tolist()
    assert document.following.chosen.words == "validation rows of yes, predicted no"


def test_test_rows_come_when_they_are_opened(qtbot, document, panel):
    tree = show(qtbot, document, table_of())
    document.following.follow_cell("test", "yes", "no")
    rest(qtbot, document)
    assert document.following.chosen is None and "Test" not in figures(panel)["Rows"]
    document.look_at_test()
    rest(qtbot, document)
    fit = engine.assess(document.table, tree, "test")
    assert figures(panel)["Rows"]["Test"] == words.count(fit.n)
    assert cells(panel, "test") == [[words.count(one) for one in row] for row in fit.confusion]


def test_a_branch_follows_the_selection(qtbot, document, panel):
    table = table_of()
    tree = show(qtbot, document, table)
    choose(qtbot, panel.branch, True)
    for node in (int(tree.ids[1]), int(tree.ids[tree.leaves[-1]])):
        document.select(node)
        rest(qtbot, document)
        assert figures(panel)["Rows"]["Training"] == words.count(tree.rows_train[tree.position(node)])
    choose(qtbot, panel.branch, False)
    rest(qtbot, document)
    assert figures(panel)["Rows"]["Training"] == words.count(table.n_train)


def test_nothing_is_judged_while_nobody_looks(qtbot, document, panel):
    panel.hide()
    show(qtbot, document, table_of())
    assert not document.assessing.fits
    panel.show()
    rest(qtbot, document)
    assert document.assessing.fits and figures(panel)


def test_costs_are_a_mean_cost_and_never_percent(qtbot, document, panel):
    tree = show(qtbot, document, table_of(), costs={("yes", "no"): 5.0})
    fit = engine.assess(document.table, tree)
    assert figures(panel)["Mean cost"]["Validation"] == words.value(fit.loss)


def test_numbers_have_their_own_figures(qtbot, document, panel):
    tree = show(qtbot, document, table_of(0))
    fit, said = engine.assess(document.table, tree), figures(panel)
    assert said["R²"]["Validation"] == words.value(fit.r2)
    assert said["Mean absolute error"]["Validation"] == words.value(fit.mae)
    assert said["Residuals, 95 % below"]["Validation"] == words.value(fit.residual_quantiles[4])
    assert not panel.beside.isVisible()


def test_many_classes_scroll_and_one_part_is_chosen_in_little_room(qtbot, document, panel):
    show(qtbot, document, table_of(32, 0.0))
    assert panel.part.isVisible() and [part for part in panel.matrices if panel.matrices[part].isVisible()] == [
        "validation"
    ]
    assert panel.matrices["validation"].table.horizontalScrollBar().maximum() > 0
    choose(qtbot, panel.part, "train")
    assert panel.matrices["train"].isVisible() and not panel.matrices["validation"].isVisible()


def test_it_is_copied_as_text(qtbot, document, panel):
    show(qtbot, document, table_of())
    qtbot.mouseClick(panel.copy, LEFT)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Measure\tTraining\tValidation\n") and "\nValidation\tno\tyes\nno\t" in text


@pytest.mark.parametrize("classes", [2, 0])
def test_folds_have_all_figures_too(qtbot, document, panel, classes):
    table = table_of(classes).with_partition(validation=0.0, test=0.0)
    show(qtbot, document, table)
    assert "Folds" not in figures(panel)["Rows"] and panel.cross.isVisible()
    qtbot.mouseClick(panel.cross, LEFT)
    rest(qtbot, document)
    recipe = document.judging.recipe(document.judging.usual)
    fit, said = engine.cross_validate(table, recipe).fit, figures(panel)
    assert not panel.cross.isVisible()
    if not classes:
        assert said["R²"]["Folds"] == words.value(fit.r2)
        assert said["Residuals, 95 % below"]["Folds"] == words.value(float(fit.residual_quantiles[-1]))
        return
    assert cells(panel, "folds") == [[words.count(one) for one in row] for row in fit.confusion]
    assert said["AUC of yes"]["Folds"] == words.value(fit.ranking("yes").auc)  # without an interval: trees share rows
    assert said["Error"]["Folds"].startswith(f"{words.percent(fit.error)} ±")
    assert (
        panel.said.text().count("Folds (Growing by Gini; 10 folds): each row is judged by a tree that was made without")
        == 1
    )
    usual = table.classes[int(engine.Tree.root(table).labels[0])]
    assert said[f"Error of always “{usual}”"]["Training"] == words.percent(engine.Tree.root(table).error("train"))
    click(qtbot, panel, "folds", 0, 1)  # these rows stand in other trees
    rest(qtbot, document)
    assert document.following.chosen is None
    document.judging.found.clear()
    document.judging.changed.emit()
    assert "Folds" not in figures(panel)["Rows"] and panel.cross.isVisible()


def test_a_tree_made_by_hand_is_judged_by_its_own_splits(qtbot, document, panel):
    show(qtbot, document, table_of())
    document.hand.split_by(document.tree.ids[document.tree.leaves[0]], engine.Split("x", "threshold", (-2.0,)))
    rest(qtbot, document)
    qtbot.mouseClick(panel.cross, LEFT)
    rest(qtbot, document)
    assert document.judging.found[-1].recipe.tree is document.tree
    assert "These splits were chosen with all training rows" in panel.said.text()
