"""What the window says of a tree that was chosen by the validation figures of several."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from engine.project import saved_choice
from tests.gui.acting import SIZE, accept, open_file, rest
from tests.gui.editing.test_go import noisy

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot, kept_window):
    kept_window.resize(*SIZE)
    kept_window.show()
    qtbot.waitExposed(kept_window)
    kept_window.document.set_table(noisy())
    rest(qtbot, kept_window)
    return kept_window


def press(qtbot, window, key, modifier=Qt.KeyboardModifier.NoModifier):
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, key, modifier)
    rest(qtbot, window)


def noisy_frame():
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=600) for name in "abcd"})
    frame["t"] = np.where(frame.a + np.sign(frame.b) + random.normal(size=600) > 0, "yes", "no")
    return frame


def honest(window):
    """What the strip says of rows that did not choose, as a share; None where it says nothing."""
    text = window.fit_strip.text()
    return float(text.split("; ")[1].split(" %")[0]) / 100 if "did not choose" in text else None


def split_by_hand(qtbot, window, *columns):
    for column in columns:
        accept(qtbot, window.document, column)


def by_go(qtbot, window, *criteria):
    """Go by several criteria, each from the root; the last tree stays. Returns the tree and its own choice of each."""
    document, made = window.document, []
    for criterion in criteria:
        if document.tree.n_leaves > 1:
            press(qtbot, window, Qt.Key.Key_Z, CTRL)
        document.set_search(criterion=criterion)
        press(qtbot, window, Qt.Key.Key_G)
        made.append((document.tree, engine.cross_fitted(document.table, document.cutback.sequence)))
    return made


def ranked(table):
    """Two criteria whose trees err differently on the validation rows, the worse one first."""
    errors = {}
    for criterion in ("gini", "error", "sqrt"):
        steps = engine.grow_while_improving(table, criterion=criterion).steps
        errors[criterion] = min(step.validation_error for step in steps)
    worst, *_, best = sorted(errors, key=errors.__getitem__, reverse=True)
    assert errors[worst] > errors[best]
    return worst, best


def test_the_better_of_two_settings_is_judged_by_rows_that_chose_neither(qtbot, window):
    worst, best = ranked(window.document.table)
    (_, one), (second, other) = by_go(qtbot, window, worst, best)
    both = engine.best_of([one, other], shares=True)
    assert window.document.tree is second and both.error != other.error
    assert honest(window) == pytest.approx(both.error, abs=5.1e-4)
    assert f"among {one.trees + other.trees}," in window.fit_strip.toolTip()
    assert f"({window.document.edits.validation_trees} trees compared; " in window.fit_strip.text()


def test_of_the_worse_one_nothing_is_said(qtbot, window):
    worst, best = ranked(window.document.table)
    by_go(qtbot, window, best, worst)
    assert honest(window) is None and "did not choose" not in window.fit_strip.toolTip()


def test_pruning_what_was_grown_whole_has_the_figure_of_the_chart(qtbot, window):
    document = window.document
    press(qtbot, window, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    assert honest(window) is None
    document.cutback.prune("reduced_error")
    rest(qtbot, window)
    choice = engine.cross_fitted(document.table, document.cutback.sequence)
    assert honest(window) == pytest.approx(choice.error, abs=5.1e-4)
    assert f"among {choice.trees}," in window.fit_strip.toolTip()


def test_nothing_is_said_of_what_was_split_by_hand(qtbot, window):
    """Who looks, keeps and goes on has chosen at every step."""
    split_by_hand(qtbot, window, "a", "b", "c")
    assert honest(window) is None and "trees compared" in window.fit_strip.text()
    window.document.cutback.keep_by_hand(True)
    window.document.cutback.prune("reduced_error")
    rest(qtbot, window)
    assert honest(window) is None


def test_nor_of_what_was_made_out_of_a_chosen_tree_by_hand(qtbot, window):
    by_go(qtbot, window, "gini")
    go = window.document.tree
    assert honest(window) is not None
    leaf = next(int(go.ids[k]) for k in go.leaves if go.rows_train[k] > 20)
    window.document.select(leaf)
    rest(qtbot, window)
    window.document.accept(next(one for one in window.document.candidates if one.split is not None))
    rest(qtbot, window)
    assert window.document.tree is not go and honest(window) is None
    press(qtbot, window, Qt.Key.Key_Z, CTRL)  # the tree before was compared with that one
    assert window.document.tree is go and honest(window) is None


def test_a_mark_changes_nothing(qtbot, window):
    by_go(qtbot, window, "gini")
    before, said = window.document.tree, window.fit_strip.text()
    window.document.select(0)
    press(qtbot, window, Qt.Key.Key_K)
    assert window.document.tree is not before and window.fit_strip.text() == said and honest(window) is not None


def test_profits_change_nothing_of_it(qtbot, window):
    by_go(qtbot, window, *ranked(window.document.table))
    before = honest(window)
    first, second = window.document.tree.classes
    window.document.set_search(profits=((first, 5.0, 0.0), (second, -3.0, 0.0)))
    rest(qtbot, window)
    assert window.document.tree.leaf_rule.profits and honest(window) == before is not None


def test_a_project_that_was_saved_before_the_figure_was_known_is_to_be_saved_again(qtbot, window, tmp_path):
    data = tmp_path / "flowers.csv"
    noisy_frame().to_csv(data, index=False)
    open_file(window.document, data, target="t")
    rest(qtbot, window)
    document = window.document
    document.tree_edits.go()
    document.storage.save(tmp_path / "flowers.espalier")
    rest(qtbot, window)
    assert honest(window) is not None and document.modified
    document.storage.save(tmp_path / "flowers.espalier")
    rest(qtbot, window)
    assert not document.modified


def test_a_project_keeps_what_the_choice_cost(qtbot, window, tmp_path):
    data, project, document = tmp_path / "flowers.csv", tmp_path / "flowers.espalier", window.document
    frame = noisy_frame()
    frame.to_csv(data, index=False)
    open_file(document, data, target="t")
    rest(qtbot, window)
    press(qtbot, window, Qt.Key.Key_G)
    said, trees = window.fit_strip.text(), document.edits.validation_trees
    assert honest(window) is not None
    document.storage.save(project)
    rest(qtbot, window)
    document.start(None)
    open_file(document, project)
    rest(qtbot, window)
    assert window.fit_strip.text() == said and "chose this tree among" in window.fit_strip.toolTip()
    press(qtbot, window, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert document.edits.validation_trees > trees and honest(window) is None  # more were compared since
    changed = frame.assign(t=frame.t.replace({"yes": "no", "no": "yes"}).where(frame.index % 3 == 0, frame.t))
    changed.to_csv(data, index=False)
    document.start(None)
    open_file(document, project)
    rest(qtbot, window)
    assert document.tree is not None and honest(window) is None  # it was about other rows


@pytest.mark.parametrize(
    "odd", [None, 3, [], {"trees": 3}, {"trees": 3, "shown": 0.1, "error": "0.2", "interval": [0, 1]},
            {"trees": 3, "shown": 0.1, "error": 0.2, "interval": [0]},
            {"trees": 3, "shown": 0.1, "error": float("nan"), "interval": [0, 1]},
            {"trees": 2.5, "shown": 0.1, "error": 0.2, "interval": [0, 1]},
            {"trees": 10**400, "shown": 0.1, "error": 0.2, "interval": [0, 1]}],
)  # fmt: skip
def test_an_odd_choice_in_a_project_is_none(odd):
    assert saved_choice({"choice": odd}) == {}
