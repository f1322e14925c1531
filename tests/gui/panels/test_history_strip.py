"""The history strip: a click or a key on the plot goes to a step; what was taken back is pale."""

import math

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.history import steps as history
from gui.panels.history.steps import HistoryPanel


@pytest.fixture
def panel(qtbot: QtBot, document: Document, flowers: engine.Table) -> HistoryPanel:
    """The panel after two splits by hand."""
    made = HistoryPanel(document)
    qtbot.addWidget(made)
    made.resize(900, 260)
    made.show()
    qtbot.waitExposed(made)
    document.set_table(flowers)
    for leaves, node, cut in ((2, 0, 6.0), (3, 1, 4.0)):
        document.hand.split_by(node, engine.Split("length", "threshold", (cut,)))
        qtbot.waitUntil(lambda leaves=leaves: document.tree.n_leaves == leaves and not document.edits.running)
    qtbot.wait(1)  # the axes are laid out by the event loop
    return made


def place(panel: HistoryPanel, step: int) -> QPoint:
    """Where a step's training error stands."""
    where = panel.strip.getViewBox().mapViewToScene(QPointF(step, panel.strip._errors[0, step]))
    return panel.strip.mapFromScene(where)


def test_a_click_on_the_strip_goes_to_a_step(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    viewport = panel.strip.viewport()
    for step in (0, 2, 1):
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place(panel, step))
        assert document.history.stack.index() == step
        assert document.tree.n_leaves == step + 1


def test_the_keys_walk(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    for key, step in ((Qt.Key.Key_Left, 1), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_End, 2)):
        qtbot.keyClick(panel.strip, key)
        assert document.history.stack.index() == step


def test_the_errors_after_every_step_are_drawn(panel: HistoryPanel, document: Document) -> None:
    lines = [item.getData()[1] for item in panel.strip.plotItem.curves]
    drawn = {round(float(y), 9) for line in lines for y in line if math.isfinite(y)}
    assert {round(step.train_error, 9) for step in document.history.steps} <= drawn
    assert {
        round(step.validation_error, 9) for step in document.history.steps if math.isfinite(step.validation_error)
    } <= drawn


def test_hovering_says_what_the_step_did(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    qtbot.mouseMove(panel.strip.viewport(), place(panel, 1))
    qtbot.waitUntil(lambda: "length ≤ 6" in panel.strip.toolTip())
    assert "2 leaves" in panel.strip.toolTip()


def test_steps_of_another_target_leave_a_gap(qtbot: QtBot, panel: HistoryPanel, document: Document) -> None:
    numeric = next(column.name for column in document.table.columns if column.kind == "number")
    document.table_edits.set_target(numeric)
    qtbot.waitUntil(lambda: not document.jobs.busy and document.table.target == numeric)
    assert [math.isnan(error) for error in panel.strip._errors[0]] == [True, True, True, False]
    assert not panel.strip.getAxis("left").by_share


def test_the_lines_are_told_apart_in_words(panel: HistoryPanel, document: Document) -> None:
    assert "training" in panel.key.text() and "validation" in panel.key.text() and panel.key.isVisible()
    assert history.key_words(validated=False).count("━━") == 0
