"""The panel Judge, through mouse and keys; its figures are those of the engine."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import engine
from gui.model import judging
from gui.model.document import Document
from gui.panels.judge import findings
from gui.panels.judge.findings import ERROR, HOW, LEAVES, RANGE, WHAT
from gui.panels.judge.resampling import ResamplingPanel
from gui.picture.nodes import tips
from gui.window.window import Window
from gui.wording import words
from tests.gui.acting import fill, put_up, rest

LEFT = Qt.MouseButton.LeftButton


def noisy(task: str = "classes", validation: float = 0.0, **roles: str) -> engine.Table:
    random = np.random.default_rng(7)
    frame = pd.DataFrame({name: random.normal(size=240).round(2) for name in "abcd"})
    signal = frame.a + np.sign(frame.b) + random.normal(size=240)
    frame["g"] = np.where(np.arange(240) % 12 < 6, "g", "h") + np.char.mod("%d", np.arange(240) % 12)
    frame["t"] = signal if task == "number" else np.where(signal > 0, "yes", "no")
    table = engine.Table.from_frame(frame, target="t", roles={"g": "ignore", **roles})
    return table.with_partition(validation=validation) if validation else table


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> ResamplingPanel:
    made = ResamplingPanel(document)
    put_up(qtbot, made, 1000, 320)
    return made


def choose(qtbot: QtBot, box, data: object) -> None:
    """Walks down a list by the keys, past what cannot be chosen."""
    every = [box.itemData(row) for row in range(box.count())]
    wanted = next(row for row, each in enumerate(every) if data in (each, each[0]))
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(sum(box.model().item(row).isEnabled() for row in range(wanted))):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentIndex() == wanted


def run(qtbot: QtBot, panel: ResamplingPanel, what: str, how: str, number: int = 0) -> None:
    """Chooses, types a number, and presses the button."""
    choose(qtbot, panel.how, how)
    if panel.what.isEnabled():
        choose(qtbot, panel.what, what)
    if number:
        panel.number.setFocus()
        panel.number.selectAll()
        qtbot.keyClicks(panel.number, str(number))
    qtbot.mouseClick(panel.run, LEFT)
    rest(qtbot, panel._document)


def show(qtbot: QtBot, document: Document, table: engine.Table, **how) -> engine.Tree:
    document.set_table(table, engine.grow(table, **how))
    rest(qtbot, document)
    return document.tree


def cells(panel: ResamplingPanel, row: int) -> list[str]:
    return [panel.model.index(row, k).data() for k in (WHAT, HOW, ERROR, RANGE, LEAVES)]


@pytest.mark.parametrize("task", ["classes", "number"])
def test_folds_tell_what_the_same_way_of_growing_makes_elsewhere(qtbot, document, panel, task):
    assert panel.empty.isVisible()
    tree = show(qtbot, document, noisy(task))
    assert panel.said.text() == findings.PURPOSE and not panel.empty.isVisible()
    run(qtbot, panel, judging.GROWN, judging.FOLDS, 5)
    found = engine.cross_validate(document.table, {}, folds=5)
    unit = "" if task == "classes" else " MSE"
    text = words.percent if task == "classes" else words.value
    assert cells(panel, 0)[:3] == ["The tree on the canvas", "the rows that made it", text(tree.error("train")) + unit]
    low, high = found.leaves.min(), found.leaves.max()
    leaves = f"{low}–{high}" if low < high else f"{low}"
    by = "Gini" if task == "classes" else "squared error"
    assert cells(panel, 1) == [
        f"Growing by {by}", "5 folds", text(found.mean) + unit, f"± {text(found.standard_error)}", leaves,
    ]  # fmt: skip
    assert text(found.mean) in panel.said.text() and "not seen" in panel.said.text()


def test_a_pruning_is_part_of_what_is_judged(qtbot, document, panel):
    """It has its own validation rows then, as many as the table sets aside."""
    show(qtbot, document, noisy(validation=0.25))
    assert panel.what.currentData() == judging.GROWN
    document.cutback.ask_keep_by_hand = lambda n_splits: False
    document.cutback.prune("reduced_error")
    rest(qtbot, document)
    assert document.cutback.point.step and panel.what.currentText() == "Growing and pruning: reduced error"
    table = document.table
    share = table.n_validation / (table.n_train + table.n_validation)
    recipe = engine.Recipe(search={}, prune="reduced_error", validation=share)
    run(qtbot, panel, judging.PRUNED, judging.FOLDS)
    assert cells(panel, 2)[ERROR] == words.percent(engine.cross_validate(table, recipe).mean)
    run(qtbot, panel, judging.PRUNED, judging.BOOTSTRAP, 20)
    assert cells(panel, 2)[ERROR] == words.percent(engine.bootstrap(table, recipe, samples=20).mean)


def test_splits_that_stay_are_said_to_be_chosen_by_the_same_rows(qtbot, document, panel):
    tree = show(qtbot, document, noisy(), max_depth=3)
    run(qtbot, panel, judging.STRUCTURE, judging.FOLDS)
    assert cells(panel, 1)[:3] == [
        f"The splits of the tree of {tree.n_leaves} leaves", "10 folds",
        words.percent(engine.cross_validate(document.table, tree).mean),
    ]  # fmt: skip
    assert "took part in choosing its splits" in panel.said.text()
    node = int(tree.ids[1])
    document.select(node)
    rest(qtbot, document)
    run(qtbot, panel, judging.SPLIT, judging.SUBSAMPLE, 20)
    split = document.candidate.split if document.candidate is not None else document.split_here
    found = engine.bootstrap(document.table, engine.Recipe(split=split, at=(tree, node)), samples=20, rows="subsample")
    assert cells(panel, 1)[:3] == [
        f"Split by “{split.column}” at node {node}",
        "20 subsamples",
        words.percent(found.mean),
    ]
    low, high = np.quantile(found.errors, (0.025, 0.975))
    assert cells(panel, 1)[RANGE] == f"{words.percent(low)} to {words.percent(high)}"


def test_one_tree_has_a_price(qtbot, document, panel):
    show(qtbot, document, noisy())
    run(qtbot, panel, judging.GROWN, judging.FOLDS)
    run(qtbot, panel, judging.GROWN, judging.FOREST, 30)
    assert not panel.what.isEnabled()
    found, single = engine.forest(document.table, trees=30), engine.cross_validate(document.table, {})
    assert cells(panel, 1)[1:4] == ["random forest, 30 trees", words.percent(found.out_of_bag_error), ""]
    more = words.percent(single.mean - found.out_of_bag_error).removesuffix(" %")
    assert f"A single tree (growing by Gini) has {more} pp more error than the forest of 30 trees." in panel.said.text()
    run(qtbot, panel, judging.GROWN, judging.BAGGED, 30)
    bagged = engine.forest(document.table, trees=30, columns=None)
    assert cells(panel, 1)[1:3] == ["30 bagged trees", words.percent(bagged.out_of_bag_error)]


def test_groups_and_time_are_offered_where_columns_have_them(qtbot, document, panel):
    show(qtbot, document, noisy(g="group"))
    offered = [panel.how.itemData(row) for row in range(panel.how.count())]
    assert (judging.BY_GROUP, "g") in offered and (judging.IN_TIME, "a") in offered
    run(qtbot, panel, judging.GROWN, judging.BY_GROUP, 4)
    assert cells(panel, 1)[ERROR] == words.percent(engine.cross_validate(document.table, {}, folds=4, group="g").mean)
    run(qtbot, panel, judging.GROWN, judging.IN_TIME, 4)
    assert cells(panel, 1)[1:3] == [
        "4 folds in the order of “a”", words.percent(engine.cross_validate(document.table, {}, folds=4, time="a").mean),
    ]  # fmt: skip
    assert not panel.repeats.isVisible()
    choose(qtbot, panel.how, judging.EACH_ROW)
    assert not panel.number.isVisible()


def test_repeats_deal_the_rows_out_again(qtbot, document, panel):
    show(qtbot, document, noisy())
    panel.repeats.setFocus()
    qtbot.keyClick(panel.repeats, Qt.Key.Key_Up)
    run(qtbot, panel, judging.GROWN, judging.FOLDS, 5)
    found = engine.cross_validate(document.table, {}, folds=5, repeats=2)
    assert cells(panel, 1)[1:4] == [
        "5 folds, 2 times", words.percent(found.mean), f"± {words.percent(found.standard_error)}",
    ]  # fmt: skip


def test_what_cannot_be_is_said_and_leaves_no_line(qtbot, document, panel, posted):
    show(qtbot, document, noisy())
    run(qtbot, panel, judging.GROWN, judging.FOLDS, 900)
    assert any("too many" in text for text in posted())
    assert panel.model.rowCount() == 1 and panel.run.isEnabled()


def test_a_stop_keeps_what_is_finished(qtbot, document, panel):
    show(qtbot, document, noisy())
    choose(qtbot, panel.how, judging.BOOTSTRAP)
    panel.number.selectAll()
    qtbot.keyClicks(panel.number, "9999")
    seen = []
    document.jobs.progressed.connect(lambda fraction, text: seen.append(fraction))
    qtbot.mouseClick(panel.run, LEFT)
    assert not panel.run.isEnabled()
    qtbot.waitUntil(lambda: any(fraction > 0 for fraction in seen), timeout=60_000)
    document.jobs.stop()
    rest(qtbot, document)
    found = document.judging.found[-1]
    assert 0 < found.n < 9999 and panel.run.isEnabled()
    assert cells(panel, 1)[HOW] == f"9,999 bootstrap samples, stopped after {words.count(found.n)}"


def test_what_was_about_other_options_says_so_and_goes_with_the_table(qtbot, document, panel):
    show(qtbot, document, noisy())
    run(qtbot, panel, judging.GROWN, judging.FOLDS)
    tip = panel.model.index(1, WHAT).data(Qt.ItemDataRole.ToolTipRole)
    assert panel.model.record(1).present and findings.OTHER not in tip
    document.set_search(max_depth=2)
    rest(qtbot, document)
    tip = panel.model.index(1, WHAT).data(Qt.ItemDataRole.ToolTipRole)
    assert not panel.model.record(1).present and findings.OTHER in tip
    run(qtbot, panel, judging.GROWN, judging.FOLDS)
    assert cells(panel, 1)[ERROR] == words.percent(engine.cross_validate(document.table, {"max_depth": 2}).mean)
    qtbot.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().count("\n") == 1 + panel.model.rowCount()
    document.set_table(noisy("number"))
    rest(qtbot, document)
    assert not document.judging.found and panel.model.rowCount() == 1


def test_little_room_is_for_the_errors(qtbot, document, panel):
    show(qtbot, document, noisy())
    line = panel.fontMetrics().height()
    assert not panel.table.isColumnHidden(LEAVES) and panel.said.text() == findings.PURPOSE
    panel.resize(24 * line, 12 * line)
    assert panel.table.isColumnHidden(LEAVES) and panel.table.isColumnHidden(RANGE)
    assert panel.said.text().endswith("…") and findings.PURPOSE in panel.said.toolTip().replace("&nbsp;", " ")
    for part in (panel.what, panel.how, panel.run, panel.table):
        assert panel.rect().contains(part.mapTo(panel, part.rect().bottomRight()))


def test_the_tree_shows_which_splits_return_until_it_changes(qtbot: QtBot, kept_window: Window):
    window = fill(qtbot, kept_window, noisy())
    document, places = window.document, window.places
    document.take_search({"max_depth": 3})
    document.tree_edits.grow_all()
    rest(qtbot, window)
    qtbot.mouseClick(places.buttons["judge"], LEFT)
    window.show_panel("judge")
    panel, tree = places.panels["judge"], document.tree
    assert not panel.show_returned.isVisible()
    run(qtbot, panel, judging.GROWN, judging.BOOTSTRAP, 25)
    found = engine.stability(document.table, tree, samples=25, preset="cart", max_depth=3)
    inner = tree.n_branches > 0
    k, n = int((found.returned[inner] >= 0.5).sum()), int(inner.sum())
    assert f"Of the tree's {n} splits, {k} return in at least half of the samples" in panel.said.text()
    assert f"{words.percent(found.changed.mean())} of the rows get another class" in panel.said.text()
    share = f"{100 * found.returned[0]:.0f} %"

    def scene():
        return window.canvas.port.scene

    said = f"returns in {share}"
    assert [said] not in [list(forms) for forms in scene().cards.texts(0)]
    assert f"In {share} of the samples" in tips.tip(tree, 0, returned=scene().options.returned).replace("\xa0", " ")
    qtbot.mouseClick(panel.show_returned, LEFT)
    assert [said] in [list(forms) for forms in scene().cards.texts(0)]
    document.hand.collapse(int(tree.ids[1]))
    rest(qtbot, window)
    assert scene().options.returned is None and not panel.show_returned.isVisible()
    document.undo()
    rest(qtbot, window)
    np.testing.assert_allclose(scene().options.returned, found.returned)


def test_the_pruning_chart_has_the_forest_as_a_line(qtbot: QtBot, kept_window: Window):
    window = fill(qtbot, kept_window, noisy())
    document, places = window.document, window.places
    document.tree_edits.grow_all()
    rest(qtbot, window)
    qtbot.mouseClick(places.buttons["judge"], LEFT)
    window.show_panel("judge")
    run(qtbot, places.panels["judge"], judging.GROWN, judging.FOREST, 30)
    qtbot.mouseClick(places.buttons["prune"], LEFT)
    pruning = places.panels["pruning"]
    qtbot.mouseClick(pruning.compute, LEFT)
    rest(qtbot, window)
    error = engine.forest(document.table, trees=30).out_of_bag_error
    assert pruning._drawing.forest == ("random forest, 30 trees", pytest.approx(error))
    assert f"random forest, 30 trees: {words.percent(error)}".replace(" ", "") in pruning.legend.text().replace(
        "&nbsp;", ""
    ).replace(" ", "")
    low, high = pruning.chart.getViewBox().viewRange()[1]
    assert low < error < high
    choose(qtbot, pruning.measure, "log_loss")
    rest(qtbot, window)
    assert pruning._drawing.forest is None, "an error is no log loss"
