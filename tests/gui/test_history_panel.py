"""The history panel: what every step did, and the way back to it."""

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.document import Document
from gui.history import HistoryStep
from gui.panels import history
from gui.panels.history import HistoryModel, HistoryPanel, change_words


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
        document.split_by(node, engine.Split("length", "threshold", (cut,)))
        qtbot.waitUntil(lambda leaves=leaves: document.tree.n_leaves == leaves and not document.editing)
    return made


def cell(panel: HistoryPanel, row: int, section: int) -> str:
    return panel.model.index(row, section).data()


def middle(panel: HistoryPanel, row: int) -> QPoint:
    return panel.view.visualRect(panel.model.index(row, 0)).center()


def test_every_step_is_listed_with_its_figures(panel: HistoryPanel, document: Document) -> None:
    assert panel.model.rowCount() == 3
    assert [cell(panel, row, history.LEAVES) for row in range(3)] == ["1", "2", "3"]
    assert "length ≤ 6" in cell(panel, 1, history.TEXT)
    steps = document.steps
    assert cell(panel, 2, history.TRAINING) == f"{100 * steps[2].train_error:.1f} %"
    assert cell(panel, 0, history.TRAINING_CHANGE) == ""


def test_the_present_step_is_marked(panel: HistoryPanel) -> None:
    assert [cell(panel, row, history.TEXT).startswith("▸") for row in range(3)] == [False, False, True]
    assert panel.view.currentIndex().row() == 2
    assert panel.model.index(2, 0).data(Qt.ItemDataRole.FontRole).bold()


def test_a_click_goes_back_and_enter_forward_again(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, 0))
    assert document.tree.n_leaves == 1
    assert document.step_index == 0
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


def test_changes_carry_a_sign_and_a_colour(qapp: object) -> None:
    model = HistoryModel()
    steps = [
        HistoryStep("Open", 1, 0.5, 0.4),
        HistoryStep("Split", 2, 0.3, 0.45),
        HistoryStep("Split", 3, 0.3, math.nan),
    ]
    model.show(steps, 2, True)
    better, worse = model.index(1, history.TRAINING_CHANGE), model.index(1, history.VALIDATION_CHANGE)
    assert (better.data(), worse.data()) == ("−20.0 %", "+5.0 %")
    assert better.data(Qt.ItemDataRole.ForegroundRole) != worse.data(Qt.ItemDataRole.ForegroundRole)
    assert model.index(2, history.TRAINING_CHANGE).data() == "±0"
    assert model.index(2, history.VALIDATION_CHANGE).data() == ""
    assert "current step 2" in model.index(2, history.TEXT).data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.mark.parametrize(
    ("change", "by_share", "expected"),
    [(0.0123, True, "+1.2 %"), (-0.0001, True, "±0"), (-3.5, False, "−3.5"), (0.0, False, "±0"), (math.nan, True, "")],
)
def test_changes_in_words(change: float, by_share: bool, expected: str) -> None:
    assert change_words(change, by_share) == expected
