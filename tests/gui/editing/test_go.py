"""Go: growing while validation rows gain by it, by its key and its button, and what there is to look at then."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from tests.gui.acting import SIZE, rest


@pytest.fixture
def window(qtbot, kept_window):
    kept_window.resize(*SIZE)
    kept_window.show()
    qtbot.waitExposed(kept_window)
    return kept_window


def noisy(validation=0.4):
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=400) for name in "abcd"})
    frame["t"] = np.where(frame.a + np.sign(frame.b) + random.normal(size=400) > 0, "yes", "no")
    return engine.Table.from_frame(frame, target="t").with_partition(validation=validation)


def go(qtbot, window):
    QTest.mouseClick(window.toolbar.widgetForAction(window.actions_made.made["go"]), Qt.MouseButton.LeftButton)
    rest(qtbot, window)


def test_go_stops_where_validation_rows_gain_no_more(qtbot, window):
    table = noisy()
    document = window.document
    document.set_table(table)
    rest(qtbot, window)
    go(qtbot, window)
    expected = engine.grow_while_improving(table)
    best = expected.steps[expected.chosen]
    assert document.tree.n_leaves == best.leaves > 1
    assert any("None of the next 10 splits" in text and str(best.leaves) in text for text in window.bar.texts)
    assert document.edits.validation_trees == len(expected.steps)
    assert document.history.stack.undoText() == f"Go to {best.leaves} leaves"
    QTest.keyClick(window.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.tree.n_leaves == 1


def test_of_a_rare_class_it_says_what_helps(qtbot, window):
    random = np.random.default_rng(1)
    frame = pd.DataFrame({name: random.normal(size=800) for name in "ab"})
    frame["t"] = np.where(random.random(800) < 0.03 + 0.06 * (frame.a > 0), "late", "no")
    window.document.set_table(engine.Table.from_frame(frame, target="t").with_partition(validation=0.3))
    rest(qtbot, window)
    go(qtbot, window)
    tree = window.document.tree
    assert tree.n_leaves == 1
    share = f"{100 * tree.train[0][0] / tree.train[0].sum():.1f} %"
    assert any(f"“late” is rare ({share})" in text for text in window.bar.texts)


def test_where_every_leaf_predicts_the_same_it_says_so_and_what_helps(qtbot, window):
    """After a split by hand the tree has leaves, but nothing that it predicts has changed."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame({name: random.normal(size=800) for name in "ab"})
    frame["t"] = np.where(random.random(800) < 0.09 + 0.08 * (frame.a > 0), "yes", "no")
    window.document.set_table(engine.Table.from_frame(frame, target="t").with_partition(validation=0.3))
    rest(qtbot, window)
    window.document.tree_edits.split_best_here()
    rest(qtbot, window)
    go(qtbot, window)
    assert window.document.tree.n_leaves == 2
    assert any("Every leaf predicts “no”" in text and "costs" in text for text in window.bar.texts)


def test_a_price_of_leaves_ends_no_step_before_what_grows_below_was_seen(qtbot, window):
    """Of an exclusive or the first split lowers no error, so rpart's cp would take it back at once."""
    frame = pd.DataFrame({"a": [0, 0, 1, 1] * 12, "b": [0, 1, 0, 1] * 12}).assign(t=list("uvvu") * 12)
    document, table = window.document, engine.Table.from_frame(frame, target="t").with_partition(validation=0.4)
    document.set_table(table)
    document.set_search(cp=0.01)
    rest(qtbot, window)
    go(qtbot, window)
    assert document.tree.n_leaves == 4
    document.undo()
    for key, leaves in ((Qt.Key.Key_S, 2), (Qt.Key.Key_L, 4)):
        QTest.keyClick(window.canvas, key)
        rest(qtbot, window)
        assert document.tree.n_leaves == leaves


def test_what_was_tried_stands_in_the_chart(qtbot, window):
    window.document.set_table(noisy())
    rest(qtbot, window)
    go(qtbot, window)
    cutback = window.document.cutback
    best = window.document.tree.n_leaves
    assert cutback.sequence.steps[0].leaves == best + 10
    assert cutback.point == (cutback.method, cutback.sequence.chosen) == (cutback.method, 10)
    window.show_panel("pruning")
    panel = window.panels["pruning"]
    qtbot.keyClick(panel.chart, Qt.Key.Key_End)
    rest(qtbot, window)
    assert window.document.tree.n_leaves == best + 10
    assert panel.compute.isVisible() and panel.compute.text() == "All methods"  # they have not been asked yet
    qtbot.mouseClick(panel.compute, Qt.MouseButton.LeftButton)
    rest(qtbot, window)
    assert not panel.compute.isVisible() and len(panel._drawing.markers) > 1


def test_going_on_from_the_best_changes_nothing(qtbot, window):
    window.document.set_table(noisy())
    rest(qtbot, window)
    go(qtbot, window)
    best, steps = window.document.tree, len(window.document.history.steps)
    go(qtbot, window)
    assert window.document.tree is best and len(window.document.history.steps) == steps
    assert any("stays as it is" in text for text in window.bar.texts)


def test_without_validation_rows_go_grows_all(qtbot, window):
    window.document.set_table(noisy(0.0))
    rest(qtbot, window)
    QTest.keyClick(window.canvas, Qt.Key.Key_G)
    rest(qtbot, window)
    assert window.document.tree.error() == 0


def test_all_is_grown_by_its_own_key(qtbot, window):
    window.document.set_table(noisy())
    rest(qtbot, window)
    QTest.keyClick(window.canvas, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    rest(qtbot, window)
    assert window.document.tree.error() == 0


def test_the_strip_and_the_chart_show_the_error_on_rows_that_did_not_choose(qtbot, window):
    document = window.document
    document.set_table(noisy())
    rest(qtbot, window)
    go(qtbot, window)
    assert document.tree.n_leaves > 1
    qtbot.waitUntil(lambda: document.choosing.choice is not None, timeout=60_000)
    choice, trees = document.choosing.choice, len(document.cutback.sequence.steps)
    expected = engine.cross_fitted(document.table, document.cutback.sequence)
    assert (choice.error, choice.trees) == (expected.error, trees)
    said = f"{100 * choice.error:.1f} % on rows that did not choose"
    assert window.fit_strip.text().endswith(f"({trees} trees compared; {said})")
    assert f"chose this tree among {trees}" in window.fit_strip.toolTip()
    window.show_panel("pruning")
    qtbot.waitUntil(lambda: said in window.panels["pruning"].readout.text(), timeout=60_000)
    document.undo()
    rest(qtbot, window)
    assert document.choosing.choice is None and "did not choose" not in window.fit_strip.text()


def test_go_that_ends_early_does_not_say_that_it_lacked_validation_rows(qtbot, window):
    frame = pd.DataFrame({"x": [i % 4 for i in range(80)], "y": ["a" if i % 4 < 2 else "b" for i in range(80)]})
    window.document.set_table(engine.Table.from_frame(frame, target="y").with_partition(validation=0.5))
    rest(qtbot, window)
    go(qtbot, window)
    window.show_panel("pruning")
    panel = window.panels["pruning"]
    compared = f"{len(window.document.cutback.sequence.steps)} trees compared"
    assert compared in panel.legend.text() + panel.legend.toolTip()
    assert window.document.cutback.sequence.remark and "no validation rows" not in panel.readout.text()


def test_pruning_after_go_prunes_the_tree_that_is_shown(qtbot, window):
    """Not the larger one that Go tried: no split comes back that was never on the canvas."""
    table = noisy()
    document = window.document
    document.set_table(table)
    rest(qtbot, window)
    go(qtbot, window)
    shown = document.tree
    document.cutback.prune("cost_complexity")
    rest(qtbot, window)
    assert document.cutback.base.tree is shown
    assert set(document.tree.ids.tolist()) <= set(shown.ids.tolist())
    expected = engine.prune(table, shown, "cost_complexity", keep_by_hand=True)
    assert document.tree.n_leaves == expected.steps[expected.chosen].leaves


def test_where_levels_of_single_rows_lead_go_names_them(qtbot, window):
    """A column with hardly more rows than levels gains most in training, and nothing elsewhere."""
    table = next(filter(in_vain, map(households, range(20))))
    document = window.document
    document.set_table(table)
    rest(qtbot, window)
    go(qtbot, window)
    assert any("The first one is by “household”, " in text and "make it a group" in text for text in window.bar.texts)


def households(seed):
    """Noise, with a column of 150 levels in 240 training rows."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"household": [f"h{k}" for k in random.integers(0, 150, 400)]})
    frame["y"] = random.choice(["no", "yes"], 400)
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.4)


def in_vain(table):
    """Whether no split helps the validation rows."""
    tried = engine.grow_while_improving(table)
    return tried.steps[tried.chosen].leaves == 1
