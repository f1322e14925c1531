"""Pruning while something else goes on: options that change meanwhile, Stop, words that are being typed."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider

import engine
from gui.model import tree_tasks
from gui.model.editing import pruning_choices
from gui.model.editing.pruning_choices import FRONT, Point
from gui.panels.prune import hover
from gui.window.bars import JobStatus
from tests.gui.acting import Gate
from tests.gui.editing.choosing import chosen, click, open_panel, settle
from tests.gui.tables import flower_table

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
    real = pruning_choices.pruning

    def waits(state, method, keep, options, progress):
        while only in ("", method) and not progress.stopped:
            QTest.qSleep(1)
        return real(state, method, keep, options, progress)

    monkeypatch.setattr(pruning_choices, "pruning", waits)


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
    gate = Gate(monkeypatch, pruning_choices, "pruning")
    QTest.keyClick(slider, Qt.Key.Key_Home)
    qtbot.waitUntil(gate.reached.is_set, timeout=30_000)
    click(panel, Point("reduced_error", document.cutback.choices.found["reduced_error"].chosen))
    assert document.edits.running
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
        qtbot.waitUntil(lambda: list(document.cutback.choices.pending)[:1] == ["cost_complexity"], timeout=60_000)
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
    real, gate = pruning_choices.pruning, Gate(monkeypatch, pruning_choices, "pruning")
    held = pruning_choices.pruning
    monkeypatch.setattr(
        pruning_choices, "pruning", lambda *asked, **how: (held if asked[1] == FRONT else real)(*asked, **how)
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


def test_an_outline_is_of_the_trees_that_there_are_now(qtbot, panel, document, monkeypatch):
    choices, base, thumbnail = document.cutback.choices, document.cutback.base, panel.hover.thumbnail
    old = choices.found["pessimistic"]
    new = engine.prune(base.table, base.tree, "pessimistic", confidence=0.001)
    assert old.chosen == new.chosen
    leaves = {name: made.steps[made.chosen].leaves for name, made in (("old", old), ("new", new))}
    assert leaves["old"] != leaves["new"]
    shown, show = [], thumbnail.show_tree

    def show_tree(found, *how):
        shown.append(None if found is None else int(found.leaf.sum()))
        show(found, *how)

    monkeypatch.setattr(thumbnail, "show_tree", show_tree)
    monkeypatch.setattr(panel.chart, "underMouse", lambda: True)  # no pointer stands anywhere on a display that is none
    monkeypatch.setattr(hover, "is_quick", lambda pruning: False)
    gate = Gate(monkeypatch, hover, "outline")
    panel.chart.hovered.emit(Point("pessimistic", old.chosen))
    qtbot.waitUntil(gate.reached.is_set, timeout=30_000)
    choices.learn("pessimistic", new)
    gate.open.set()
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=30_000)
    assert shown[-1] == leaves["new"] and leaves["old"] not in shown
    choices.learn("pessimistic", old)
    document.pruningChanged.emit()
    assert shown[-1] != leaves["new"]
    qtbot.waitUntil(lambda: shown[-1] == leaves["old"], timeout=30_000)
    assert f"{leaves['old']} leaves" in " ".join(thumbnail.lines)


def held_edit(qtbot, document, monkeypatch):
    """A growth that waits for its gate, after a step that can be taken back."""
    document.hand.collapse(int(document.tree.ids[document.tree.leaves[0] - 1]))
    qtbot.waitUntil(lambda: not document.edits.running, timeout=30_000)
    gate = Gate(monkeypatch, tree_tasks, "grown")
    document.tree_edits.grow_level()
    qtbot.waitUntil(gate.reached.is_set, timeout=30_000)
    return gate


def test_the_chart_that_was_asked_for_behind_an_edit_is_of_the_tree_that_an_undo_brings_back(
    qtbot, document, flowers, monkeypatch
):
    panel = open_panel(qtbot, document, flowers)
    before = document.tree
    gate = held_edit(qtbot, document, monkeypatch)
    QTest.mouseClick(panel.compute, LEFT)
    assert document.cutback.choices is None
    document.undo()
    gate.open.set()
    settle(qtbot, document)
    assert document.tree is before
    assert document.cutback.base.tree is before and chosen(document, "reduced_error").leaves < before.n_leaves
    assert panel.pages.currentIndex() == 0 and panel.chart.isVisible()


def test_stop_gives_up_the_chart_that_waits_behind_an_edit_too(qtbot, document, flowers, status, monkeypatch):
    panel = open_panel(qtbot, document, flowers)
    gate = held_edit(qtbot, document, monkeypatch)
    QTest.mouseClick(panel.compute, LEFT)
    stop(qtbot, status)
    gate.open.set()
    qtbot.waitUntil(lambda: not document.jobs.busy and not document.edits.running, timeout=30_000)
    assert document.cutback.choices is None and not document.cutback.compared


def test_a_pruning_that_was_to_be_stopped_before_it_began_is_whole(qtbot, panel, document, status):
    """It knows no half: the step is not said to have been stopped."""
    free, begun = threading.Event(), threading.Event()

    def busy(progress):
        begun.set()
        assert free.wait(30)

    document.jobs.run("Something else", busy)
    qtbot.waitUntil(begun.is_set, timeout=30_000)
    point = Point("mdl", document.cutback.choices.found["mdl"].chosen)
    click(panel, point)
    stop(qtbot, status)
    free.set()
    settle(qtbot, document)
    assert document.tree.n_leaves == chosen(document, "mdl").leaves
    said = document.history.steps[-1].text
    assert said.startswith("Prune to ") and "stopped" not in said
