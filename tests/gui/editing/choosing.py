"""The pruning panel while its methods choose."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.panels.prune.panel import PruningPanel
from tests.frames import random_tree

SEED, SPLITS = 4, 14


def settle(qtbot, document):
    """Until every method has chosen and the canvas shows what was asked for."""
    qtbot.waitUntil(
        lambda: document.cutback.choices is not None and not document.cutback.choices.pending
        and not document.jobs.busy and not document.edits.running,
        timeout=120_000,
    )  # fmt: skip


def open_panel(qtbot, document, table, tree=None):
    made = PruningPanel(document)
    qtbot.addWidget(made)
    made.resize(1100, 420)
    made.show()
    qtbot.waitExposed(made)
    document.set_table(table, tree if tree is not None else random_tree(table, SEED, SPLITS))
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    document.cutback.tell("by_rule", "same_answer", True)  # without any rule it chooses nothing
    return made


def chosen(document, method):
    made = document.cutback.choices.found[method]
    return made.steps[made.chosen]


def click(panel, point):
    place = panel.chart.mapFromScene(panel.chart.place_of(point))
    QTest.mouseClick(panel.chart.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
