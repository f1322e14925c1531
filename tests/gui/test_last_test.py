"""The rows kept for the last test: told on request, with how often they were looked at."""

from PySide6.QtWidgets import QApplication

import engine
from gui import messages
from gui.model.document import Document
from gui.settings import Settings
from gui.window.window import Window
from tests.gui.asked import press, when_asked
from tests.gui.tables import flower_table


def shown(qtbot, window):
    qtbot.waitUntil(lambda: not window.document.jobs.busy, timeout=60_000)
    QApplication.processEvents()
    return window.bar.texts


def test_the_menu_tells_the_error_and_counts_the_looks(qtbot):
    window = Window(Document(), Settings())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    table = flower_table().with_partition(validation=0.2, test=0.2)
    window.document.set_table(table, engine.grow(table, max_depth=2))
    fit = engine.assess(table, window.document.tree, "test")
    asked = when_asked(press("Cancel"), "ask_open_test")
    window.actions_made.made["test"].trigger()
    assert asked[0].text() == f"Look at the {fit.n} test rows now?"
    assert shown(qtbot, window) == [] and not window.document.test_opened
    when_asked(press("Look at the test rows"), "ask_open_test")
    window.actions_made.made["test"].trigger()
    qtbot.waitUntil(lambda: len(window.bar.texts) == 1, timeout=60_000)
    said = shown(qtbot, window)[0]
    assert said.startswith(
        f"On the {fit.n} test rows this tree of 4 leaves errs in {100 * fit.error:.1f} % (95 % interval"
    )
    assert said.endswith("Do not choose a tree by this figure, or it is no longer a test.")
    window.actions_made.made["test"].trigger()
    qtbot.waitUntil(lambda: any("Looked at 2 times now." in text for text in window.bar.texts), timeout=60_000)
    assert window.document.settings()["test_looks"] == 2
    assert window.document.modified, "a look is something to save"
    window.document.hand.collapse(0)
    qtbot.waitUntil(lambda: window.document.tree.n_leaves == 1, timeout=60_000)
    assert not [text for text in window.bar.texts if "test rows" in text], "it was said of another tree"
    window.document.history.stack.setClean()
    window.close()


def test_rows_that_were_seen_before_they_were_kept_are_no_honest_test(qtbot, flowers):
    """Kept after the file was opened; and the same after an undo brought them back for a while."""
    window = Window(Document(), Settings())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    document = window.document
    document.set_table(flowers)
    shown(qtbot, window)
    document.table_edits.set_partition(validation=0.2, test=0.3, seed=1)
    shown(qtbot, window)
    kept = document.table.sealed
    document.undo()
    shown(qtbot, window)
    document.history.stack.redo()
    shown(qtbot, window)
    assert (document.table.sealed == kept).all() and document.settings()["test_seen"]
    said: list[str] = []

    def answer(box):
        said.append(box.informativeText())
        press("Look at the test rows")(box)

    asked = when_asked(answer, "ask_open_test")
    window.actions_made.made["test"].trigger()
    qtbot.waitUntil(lambda: len(window.bar.texts) == 1, timeout=60_000)
    assert asked and said[0].startswith("These rows were seen before they were kept for the test")
    assert "It is no honest figure" in shown(qtbot, window)[0]
    document.history.stack.setClean()
    window.close()


def test_it_is_not_offered_without_test_rows(qtbot, flowers):
    window = Window(Document(), Settings())
    qtbot.addWidget(window)
    window.document.set_table(flowers)
    assert not window.actions_made.made["test"].isEnabled()
    assert not messages.door.take()
    window.close()
