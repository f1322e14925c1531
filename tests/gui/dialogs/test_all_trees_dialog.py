"""The dialog of all trees: by mouse and keys, its figures, its stop, and the one undo step it makes."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QSpinBox, QTableView
from pytestqt.qtbot import QtBot

import engine
from engine.learning_theory.all_trees import AllTrees
from engine.learning_theory.extent import extent
from engine.runtime.progress import Progress
from gui.dialogs.all_trees import AllTreesDialog, duration_words, size_words, verdict
from gui.model.document import Document
from gui.settings import Settings
from gui.widgets.labels import Notice
from gui.window.window import Window
from gui.wording import words

LEFT = Qt.MouseButton.LeftButton


def opened(qtbot: QtBot, document: Document, table: engine.Table) -> AllTreesDialog:
    document.set_table(table)
    dialog = AllTreesDialog(document)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def button(dialog: AllTreesDialog, name: str) -> QPushButton:
    found = dialog.findChild(QPushButton, f"all_trees_{name}")
    assert found is not None
    return found


def label(dialog: AllTreesDialog, name: str) -> str:
    found = dialog.findChild(QLabel, f"all_trees_{name}")
    assert found is not None
    return found.text()


def results(dialog: AllTreesDialog) -> list[list[str]]:
    table = dialog.findChild(QTableView, "all_trees_results")
    assert table is not None
    return [[str(table.model().index(row, column).data()) for column in (1, 2, 3)] for row in range(2)]


def wide() -> engine.Table:
    """Rows of which all trees of depth 2 take some seconds."""
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.random((3000, 9)), columns=[f"x{i}" for i in range(9)])
    frame["y"] = random.choice(["u", "v"], 3000)
    return engine.Table.from_frame(frame, target="y")


def test_the_best_tree_is_found_compared_and_taken(qtbot: QtBot, document: Document, flowers: engine.Table) -> None:
    dialog = opened(qtbot, document, flowers)
    search, take = button(dialog, "search"), button(dialog, "take")
    assert not take.isEnabled()
    assert results(dialog) == [["–"] * 3] * 2
    qtbot.waitUntil(search.isEnabled)
    assert label(dialog, "size") == size_words(extent(flowers, 2))
    qtbot.mouseClick(search, LEFT)
    qtbot.waitUntil(take.isEnabled, timeout=60_000)
    found = engine.all_trees(flowers, 2)
    assert results(dialog)[1][0] == str(found.tree.n_leaves)
    assert results(dialog)[1][1] == f"{100 * found.error:.1f} %"
    assert results(dialog)[1][2] == f"{100 * found.tree.error('validation'):.1f} %"
    assert results(dialog)[0][1] == f"{100 * found.greedy.error():.1f} %"
    assert label(dialog, "verdict") == words.unbroken(verdict(found))
    qtbot.mouseClick(take, LEFT)
    qtbot.waitUntil(lambda: len(document.history.steps) == 2)
    assert not dialog.isVisible()
    assert document.history.steps[1].text == "Best of all trees, depth 2"
    assert document.tree is not None
    assert document.tree.error() == found.error
    assert document.edits.validation_trees <= 1  # it was chosen by its training error
    document.undo()
    assert document.tree.n_leaves == 1


def test_it_works_by_keys_alone(qtbot: QtBot, document: Document, xor: engine.Table) -> None:
    dialog = opened(qtbot, document, xor)
    depth = dialog.findChild(QSpinBox, "all_trees_depth")
    assert depth is not None
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.keyClick(depth, Qt.Key.Key_Up)
    assert depth.value() == 3
    assert not button(dialog, "search").isEnabled()
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    assert "depth 3" in label(dialog, "size")
    qtbot.keyClick(depth, Qt.Key.Key_Return)
    qtbot.waitUntil(button(dialog, "take").isEnabled)
    assert results(dialog)[1] == ["4", "0.0 %", "–"]
    qtbot.keyClick(button(dialog, "take"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(document.history.steps) == 2)
    assert document.history.steps[1].text == "Best of all trees, depth 3"


def test_another_depth_forgets_what_was_found(qtbot: QtBot, document: Document, xor: engine.Table) -> None:
    dialog = opened(qtbot, document, xor)
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.mouseClick(button(dialog, "search"), LEFT)
    qtbot.waitUntil(button(dialog, "take").isEnabled)
    depth = dialog.findChild(QSpinBox, "all_trees_depth")
    assert depth is not None
    qtbot.keyClick(depth, Qt.Key.Key_Down)
    assert not button(dialog, "take").isEnabled()
    assert results(dialog) == [["–"] * 3] * 2
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert len(document.history.steps) == 1


def test_a_stop_shows_the_best_so_far_and_the_window_stays_awake(qtbot: QtBot, document: Document) -> None:
    dialog = opened(qtbot, document, wide())
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.mouseClick(button(dialog, "search"), LEFT)
    bar = dialog.findChild(QProgressBar, "all_trees_progress")
    assert bar is not None
    qtbot.waitUntil(lambda: bar.value() > 0, timeout=60_000)
    assert not button(dialog, "search").isEnabled()
    qtbot.mouseClick(button(dialog, "stop"), LEFT)
    qtbot.waitUntil(button(dialog, "take").isEnabled, timeout=2_000)
    assert label(dialog, "verdict").startswith("Stopped: this is the best tree so far.")
    assert bar.value() < 1000


def test_the_progress_of_other_work_moves_no_bar(qtbot: QtBot, document: Document, flowers: engine.Table) -> None:
    dialog = opened(qtbot, document, flowers)
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.waitUntil(lambda: not document.jobs.busy)
    bar = dialog.findChild(QProgressBar, "all_trees_progress")
    assert bar is not None
    go_on, told = threading.Event(), []
    document.jobs.progressed.connect(lambda share, text: told.append(share))

    def other(progress: Progress) -> None:
        progress.report(0.9, "nearly there")
        go_on.wait(30)

    document.jobs.run("Something else", other)
    qtbot.mouseClick(button(dialog, "search"), LEFT)
    qtbot.waitUntil(lambda: bool(told))
    assert bar.value() == 0
    go_on.set()
    qtbot.waitUntil(button(dialog, "take").isEnabled, timeout=60_000)


def test_a_tree_over_a_table_that_has_changed_is_not_taken(
    qtbot: QtBot, document: Document, flowers: engine.Table, posted: Callable[[], list[str]]
) -> None:
    dialog = opened(qtbot, document, flowers)
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.mouseClick(button(dialog, "search"), LEFT)
    qtbot.waitUntil(button(dialog, "take").isEnabled, timeout=60_000)
    document.table_edits.set_target("soil")
    qtbot.waitUntil(lambda: not document.jobs.busy)
    qtbot.mouseClick(button(dialog, "take"), LEFT)
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert document.tree is not None and document.tree.n_leaves == 1
    assert any(text.startswith("warning: The table has changed in the meantime") for text in posted())


def test_closing_drops_a_running_search(qtbot: QtBot, document: Document) -> None:
    dialog = opened(qtbot, document, wide())
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    qtbot.mouseClick(button(dialog, "search"), LEFT)
    qtbot.mouseClick(button(dialog, "close"), LEFT)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=2_000)
    assert len(document.history.steps) == 1


def test_what_takes_too_long_cannot_be_started_and_says_why(qtbot: QtBot, document: Document) -> None:
    dialog = opened(qtbot, document, wide())
    depth = dialog.findChild(QSpinBox, "all_trees_depth")
    notice = dialog.findChild(Notice, "all_trees_error")
    assert depth is not None
    assert notice is not None
    depth.setValue(4)
    qtbot.waitUntil(notice.isVisible)
    assert "choose a smaller depth" in notice.text
    assert not button(dialog, "search").isEnabled()
    depth.setValue(1)
    qtbot.waitUntil(button(dialog, "search").isEnabled)
    assert not notice.isVisible()


def test_everything_has_a_name_to_be_read_out(qtbot: QtBot, document: Document, xor: engine.Table) -> None:
    dialog = opened(qtbot, document, xor)
    for kind in (QSpinBox, QTableView, QProgressBar):
        assert all(
            widget.accessibleName()
            for widget in dialog.findChildren(kind, options=Qt.FindChildOption.FindDirectChildrenOnly)
        )


def test_the_menu_opens_it(qtbot: QtBot, flowers: engine.Table) -> None:
    window = Window(Document(), Settings())
    qtbot.addWidget(window, before_close_func=lambda w: w.document.shutdown())
    window.show()
    action = window.actions_made.made["all_trees"]
    assert not action.isEnabled()
    window.document.set_table(flowers)
    action.trigger()
    dialog = window.findChild(AllTreesDialog, "all_trees_dialog")
    assert dialog is not None
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    window.hide()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "less than a second"), (5.4, "up to 5 seconds"), (1.2, "up to 2 seconds"), (600, "about 10 minutes"),
     (8000, "about 2 hours"), (3e5, "about 3 days"), (1e12, "about 31,688 years"), (1e18, "about 3.2·10¹⁰ years")],
)  # fmt: skip
def test_durations_in_words(seconds: float, text: str) -> None:
    assert duration_words(seconds) == text


def test_the_verdict_says_what_is_seen(flowers: engine.Table) -> None:
    def said(best: engine.Tree, grown: engine.Tree, complete: bool = True) -> str:
        return verdict(AllTrees(best, best.error(), grown, 1, 1, complete))

    small, large = engine.grow(flowers, max_depth=1), engine.grow(flowers)
    assert "errs as little" in said(small, small)
    assert "leaves more" not in said(small, small)
    assert said(large, small).startswith("Growing misses a tree that errs less on the training rows: 0.0 % instead of")
    worse = large.error("validation") > small.error("validation")
    assert ("it has learned what is chance" in said(large, small)) is worse
    assert said(small, small, False).startswith("Stopped")
