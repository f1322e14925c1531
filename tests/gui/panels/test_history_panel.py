"""The history panel: what every step did, and the way back to it."""

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.model.history import HistoryStep
from gui.panels.history import steps as history
from gui.panels.history.steps import HistoryModel, HistoryPanel, change_words


@pytest.fixture
def panel(qtbot: QtBot, document: Document, flowers: engine.Table) -> HistoryPanel:
    """The panel after two splits by hand."""
    made = HistoryPanel(document)
    qtbot.addWidget(made)
    made.resize(720, 300)
    made.show()
    qtbot.waitExposed(made)
    assert made.pages.currentWidget() is made.empty
    document.set_table(flowers)
    for leaves, node, cut in ((2, 0, 6.0), (3, 1, 4.0)):
        document.hand.split_by(node, engine.Split("length", "threshold", (cut,)))
        qtbot.waitUntil(lambda leaves=leaves: document.tree.n_leaves == leaves and not document.edits.running)
    return made


def cell(panel: HistoryPanel, row: int, section: int) -> str:
    return panel.model.index(row, section).data()


def middle(panel: HistoryPanel, row: int) -> QPoint:
    return panel.view.visualRect(panel.model.index(row, 0)).center()


def test_every_step_is_listed_with_its_figures(panel: HistoryPanel, document: Document) -> None:
    assert panel.model.rowCount() == 3
    assert [cell(panel, row, history.LEAVES) for row in range(3)] == ["1", "2", "3"]
    assert "length ≤ 6" in cell(panel, 1, history.TEXT)
    steps = document.history.steps
    tips = [panel.model.index(row, history.TEXT).data(Qt.ItemDataRole.ToolTipRole) for row in range(3)]
    assert tips == [step.text for step in steps], "in little room the end is cut"
    assert cell(panel, 2, history.TRAINING) == f"{100 * steps[2].train_error:.1f} %"
    assert cell(panel, 0, history.TRAINING_CHANGE) == ""


def test_the_present_step_is_marked(panel: HistoryPanel) -> None:
    assert [cell(panel, row, history.TEXT).startswith("▸") for row in range(3)] == [False, False, True]
    assert panel.view.currentIndex().row() == 2
    assert panel.model.index(2, 0).data(Qt.ItemDataRole.FontRole).bold()


def test_a_click_goes_back_and_enter_forward_again(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, 0))
    assert document.tree.n_leaves == 1
    assert document.history.stack.index() == 0
    assert panel.model.rowCount() == 3
    later = panel.model.index(2, 0).data(Qt.ItemDataRole.ForegroundRole)
    assert later == QColor(theme.current().secondary)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert document.tree.n_leaves == 3


def test_undo_moves_the_mark(panel: HistoryPanel, document: Document) -> None:
    document.undo()
    assert cell(panel, 1, history.TEXT).startswith("▸")


def said(
    text: str, leaves: int, train: float, validation: float, task: str = "classes", target: str = "kind"
) -> HistoryStep:
    return HistoryStep(text, leaves, train, validation, task, target)


def texts(model: HistoryModel, section: int) -> list[str]:
    return [model.index(row, section).data() for row in range(model.rowCount())]


def header(model: HistoryModel, section: int) -> str:
    return model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)


def test_every_step_is_told_in_the_figures_of_its_own_target(qapp: object) -> None:
    model = HistoryModel()
    steps = [
        said("Open", 1, 0.5, 0.4),
        said("Set target", 1, 48.25, 50.5, "number", "width"),
        said("Split", 2, 36.0, 50.5, "number", "width"),
        said("Set target", 1, 0.25, math.nan, "classes", "soil"),
        said("Set target", 1, 0.5, 0.5),
    ]
    model.show(steps, 4)
    assert texts(model, history.TRAINING) == ["50.0 %", "MSE 48.25", "MSE 36", "25.0 %", "50.0 %"]
    assert texts(model, history.VALIDATION) == ["40.0 %", "MSE 50.5", "MSE 50.5", "–", "50.0 %"]
    assert texts(model, history.TRAINING_CHANGE) == ["", "", "−12.25", "", ""]
    assert texts(model, history.VALIDATION_CHANGE) == ["", "", "±0", "", ""]
    colours = [model.index(row, history.TRAINING_CHANGE).data(Qt.ItemDataRole.ForegroundRole) for row in range(5)]
    assert [colour is not None for colour in colours] == [False, False, True, False, False]


def test_the_header_says_what_the_figures_are(qapp: object) -> None:
    model = HistoryModel()
    model.show([said("Open", 1, 0.5, 0.4)], 0)
    assert header(model, history.TRAINING) == "Training error"
    assert header(model, history.VALIDATION) == "Validation error"
    model.show([said("Open", 1, 2.5, 2.4, "number")], 0)
    assert header(model, history.TRAINING) == "Training MSE"
    assert header(model, history.VALIDATION) == "Validation MSE"
    assert texts(model, history.TRAINING) == ["2.5"]


def test_another_target_is_told_apart(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    document.table_edits.set_target("width")
    qtbot.waitUntil(lambda: document.table.target == "width" and not document.jobs.busy)
    assert (document.history.steps[0].task, document.history.steps[-1].task) == ("classes", "number")
    assert cell(panel, 2, history.TRAINING).endswith(" %")
    assert cell(panel, 3, history.TRAINING).startswith("MSE ")
    assert cell(panel, 3, history.TRAINING_CHANGE) == ""
    document.undo()
    assert cell(panel, 3, history.TRAINING).startswith("MSE ")


def test_points_are_those_of_the_exact_shares(qapp: object) -> None:
    """44.04 % - 9.15 % is 34.89 points, though the rounded shares differ by 34.8."""
    model = HistoryModel()
    model.show([said("Open", 1, 0.4404, 0.5), said("Split", 2, 0.0915, 0.5)], 1)
    assert texts(model, history.TRAINING) == ["44.0 %", "9.2 %"]
    assert texts(model, history.TRAINING_CHANGE) == ["", "−34.9 pp"]


def test_changes_carry_a_sign_and_a_colour(qapp: object) -> None:
    model = HistoryModel()
    steps = [
        said("Open", 1, 0.5, 0.4),
        said("Split", 2, 0.3, 0.45),
        said("Split", 3, 0.3, math.nan),
    ]
    model.show(steps, 2)
    better, worse = model.index(1, history.TRAINING_CHANGE), model.index(1, history.VALIDATION_CHANGE)
    assert (better.data(), worse.data()) == ("−20.0 pp", "+5.0 pp")
    assert better.data(Qt.ItemDataRole.ForegroundRole) != worse.data(Qt.ItemDataRole.ForegroundRole)
    assert model.index(2, history.TRAINING_CHANGE).data() == "±0"
    assert model.index(2, history.VALIDATION_CHANGE).data() == ""
    assert "current step 2" in model.index(2, history.TEXT).data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.mark.parametrize(
    ("change", "by_share", "expected"),
    [(0.0123, True, "+1.2 pp"), (-0.0001, True, "±0"), (-3.5, False, "−3.5"), (0.0, False, "±0"), (math.nan, True, "")],
)
def test_changes_in_words(change: float, by_share: bool, expected: str) -> None:
    assert change_words(change, by_share) == expected


def test_the_words_of_a_step_get_the_room_and_figures_keep_theirs(panel: HistoryPanel, document: Document) -> None:
    """Where there is little room figures are left out one after the other, and those that are left are whole."""
    view, left_out = panel.view, []
    longest = max(view.fontMetrics().horizontalAdvance(cell(panel, row, history.TEXT)) for row in range(3))
    for width in (1400, 900, 720, 480, 400):
        panel.resize(width, 300)
        QApplication.processEvents()
        shown = [section for section in range(1, 6) if not view.isColumnHidden(section)]
        left_out.append(5 - len(shown))
        assert all(view.columnWidth(section) >= view.sizeHintForColumn(section) for section in shown)
        assert sum(view.columnWidth(section) for section in (0, *shown)) <= view.viewport().width()
        room = view.columnWidth(history.TEXT)
        assert room >= min(longest, 20 * view.fontMetrics().averageCharWidth()) or not shown, width
    assert left_out == sorted(left_out) and left_out[0] == 0 and left_out[-1] >= 2
