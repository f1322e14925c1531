"""The candidates panel in the tests: candidates made by hand, and what its rows say."""

import math

import numpy as np
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.panels.this_node.candidates.panel import CandidatesPanel


def settle(qtbot: QtBot, document: Document) -> None:
    qtbot.waitUntil(lambda: not document.jobs.busy and document.candidates is not None, timeout=60_000)


def cell(panel: CandidatesPanel, row: int, section: int) -> str:
    return str(panel.view.model().index(row, section).data() or "")


def column(panel: CandidatesPanel, section: int) -> list[str]:
    return [cell(panel, row, section) for row in range(panel.view.model().rowCount())]


def middle(panel: CandidatesPanel, row: int) -> QPoint:
    return panel.view.visualRect(panel.view.model().index(row, 0)).center()


def double_click(qtbot: QtBot, panel: CandidatesPanel, row: int) -> None:
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, row))
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, row))


def candidate(split: engine.Split | None = None, *, gain: float = 0.25, unseen: float = math.nan, reason: str = ""):
    split = split or (None if reason else engine.Split("age", "threshold", (42.5,)))
    stats = (np.array([3.0, 1.0]), np.array([1.0, 3.0]))
    return engine.Candidate(
        column="age", split=split, gain=gain, scores={}, logworth=1.5, validation_gain=unseen, train=stats,
        validation=stats, rows=(4, 4), missing=0, reason=reason,
    )  # fmt: skip
