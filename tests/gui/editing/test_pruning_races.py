"""Pruning while something else goes on: options that change meanwhile, Stop, words that are being typed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider

import engine
from gui.bars.job_status import JobStatus
from gui.editing.pruning_choices import FRONT, Point
from gui.tasks import pruning_tasks
from tests.gui.conftest import flower_table
from tests.gui.editing.test_pruning_choices import chosen, click, open_panel, settle
from tests.gui.test_races import Gate

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, document, flowers):
    made = open_panel(qtbot, document, flowers)
    QTest.mouseClick(made.compute, LEFT)
    settle(qtbot, document)
    return made


@pytest.fixture
def status(qtbot, document):
    made = JobStatus(document.jobs)
    qtbot.addWidget(made)
    return made


def choose(panel, method):
    row = panel.method.findData(method)
    panel.method.setCurrentIndex(row)
    panel.method.activated.emit(row)
    if not panel.options.isChecked():
        QTest.mouseClick(panel.options, LEFT)


def until_stopped(monkeypatch, only=""):
    """Prunings, or those by one method, wait for Stop."""
    real = pruning_tasks.pruning

    def waits(state, method, keep, options, progress):
        while only in ("", method) and not progress.stopped:
            QTest.qSleep(1)
        return real(state, method, keep, options, progress)

    monkeypatch.setattr(pruning_tasks, "pruning", waits)


def stop(qtbot, status):
    qtbot.waitUntil(lambda: status.isVisible(), timeout=10_000)
    QTest.mouseClick(status.stop, LEFT)


def expected(document, method, **options):
    base = document.cutback.base
    made = engine.prune(base.table, base.tree, method, **options)
    return made.steps[made.chosen].leaves


@pytest.mark.parametrize("undone", [False, True])
def test_an_option_that_changes_behind_an_edit_gets_its_own_trees(qtbot, panel, document, monkeypatch, undone):
    click(panel, Point("mdl", document.cutback.choices.found["mdl"].chosen))
    settle(qtbot, document)
    choose(panel, "kearns_mansour")
    settle(qtbot, document)
    slider = panel.form.controls["factor"].findChild(QSlider)
    slider.setFocus()
    gate = Gate(monkeypatch, pruning_tasks, "pruning")
    QTest.keyClick(slider, Qt.Key.Key_Home)
    qtbot.waitUntil(gate.reached.is_set, timeout=30_000)
    click(panel, Point("reduced_error", document.cutback.choices.found["reduced_error"].chosen))
    assert document.editing
    QTest.keyClick(slider, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: document.cutback.options["kearns_mansour"]["factor"] > 1.0, timeout=5_000)
    if undone:
        document.undo()
    gate.open.set()
    settle(qtbot, document)
    most = document.cutback.options["kearns_mansour"]["factor"]
    assert expected(document, "kearns_mansour", factor=0.0) != expected(document, "kearns_mansour", factor=most)
    assert chosen(document, "kearns_mansour").leaves == expected(document, "kearns_mansour", factor=most)


@pytest.mark.parametrize(
    ("method", "option", "value"), [("pessimistic", "confidence", 0.1), ("generic", "estimate", "pessimistic")]
)
def test_a_pruning_that_was_stopped_is_no_answer(
    qtbot, panel, document, status, monkeypatch, posted, method, option, value
):
    """The tree on the canvas stays, nobody claims that the whole tree is best, and asked again it is computed."""
    document.cutback.prune("cost_complexity")
    document.cutback.tell(method, option, value)
    settle(qtbot, document)
    before = document.tree
    posted()
    with monkeypatch.context() as patched:
        until_stopped(patched, method)
        document.cutback.choices.forget(method)
        document.cutback.prune(method)
        stop(qtbot, status)
        settle(qtbot, document)
    assert posted() == ["info: The pruning was stopped: this is the tree as it was."]
    assert document.tree is before
    document.cutback.prune(method)
    settle(qtbot, document)
    assert document.tree.n_leaves == chosen(document, method).leaves < document.cutback.base.tree.n_leaves


def test_folds_that_were_stopped_in_the_background_are_dealt_anew_when_asked_for(
    qtbot, document, status, monkeypatch, posted
):
    table = flower_table()
    open_panel(qtbot, document, table)
    with monkeypatch.context() as patched:
        until_stopped(patched, "cost_complexity")
        document.cutback.open("pessimistic")
        qtbot.waitUntil(lambda: document.cutback.choices is not None, timeout=10_000)
        qtbot.waitUntil(lambda: document.cutback.choices.pending[:1] == ["cost_complexity"], timeout=60_000)
        stop(qtbot, status)
        settle(qtbot, document)
    assert "stopped" in document.cutback.choices.found["cost_complexity"].remark
    document.cutback.prune("cost_complexity")
    settle(qtbot, document)
    assert document.tree.n_leaves == expected(document, "cost_complexity") < document.cutback.base.tree.n_leaves


@pytest.mark.parametrize(
    ("method", "option", "typed", "told"),
    [("by_rule", "min_leaf", "40, 20", (40, 20)), ("generic", "delta", "0.3", 0.3)],
)
def test_what_is_being_typed_stays_while_the_methods_answer(
    qtbot, document, flowers, monkeypatch, method, option, typed, told
):
    panel = open_panel(qtbot, document, flowers)
    real, gate = pruning_tasks.pruning, Gate(monkeypatch, pruning_tasks, "pruning")
    held = pruning_tasks.pruning
    monkeypatch.setattr(
        pruning_tasks, "pruning", lambda *asked, **how: (held if asked[1] == FRONT else real)(*asked, **how)
    )
    QTest.mouseClick(panel.compute, LEFT)
    qtbot.waitUntil(gate.reached.is_set, timeout=60_000)
    choose(panel, method)
    qtbot.waitUntil(lambda: document.cutback.method == method and panel.form.isVisible(), timeout=10_000)
    control = panel.form.controls[option]
    line = getattr(control, "number", control)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, typed)
    gate.open.set()
    settle(qtbot, document)
    assert line.text() == typed
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.cutback.options[method].get(option) == told, timeout=5_000)
    settle(qtbot, document)
