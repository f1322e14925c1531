"""What the window says of a tree that its user chose by the validation figures of several."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from engine.assessment.selection import losses_of
from gui.model.file_tasks import usable_choice
from tests.gui.acting import SIZE, accept, open_file, rest
from tests.gui.editing.test_go import noisy


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


def honest(window):
    """What the strip says of rows that did not choose, as a share; None where it says nothing."""
    text = window.fit_strip.text()
    return float(text.split("; ")[1].split(" %")[0]) / 100 if "did not choose" in text else None


def by_hand(qtbot, window):
    """Three trees over the same table; returns them."""
    document, trees = window.document, []
    for column in ("a", "b", "c"):
        accept(qtbot, document, column)
        trees.append(document.tree)
    return trees


def expected(table, trees):
    rows = table.rows(engine.VALIDATION)
    return engine.best_of([losses_of(table, tree, rows)[0] for tree in trees], shares=True)


def test_the_best_of_trees_made_by_hand_is_judged_by_rows_that_did_not_choose_it(qtbot, window):
    trees = by_hand(qtbot, window)
    errors = [tree.error("validation") for tree in trees]
    best = max(i for i, error in enumerate(errors) if error == min(errors))
    choice = expected(window.document.table, trees)
    for _ in range(2 - best):
        press(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.tree is trees[best]
    assert honest(window) == pytest.approx(choice.error, abs=5e-4) and choice.error >= min(errors)
    assert "chose this tree among 3" in window.fit_strip.toolTip()


def test_of_a_tree_that_is_not_the_best_nothing_is_said(qtbot, window):
    trees = by_hand(qtbot, window)
    errors = [tree.error("validation") for tree in trees]
    for tree in reversed(trees):
        if errors[trees.index(tree)] > min(errors):
            assert window.document.tree is tree and honest(window) is None
            break
        press(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    else:
        raise AssertionError("all trees err alike")


def test_the_first_tree_was_compared_with_none(qtbot, window):
    accept(qtbot, window.document, "a")
    assert honest(window) is None and "not used yet" in window.fit_strip.text()


def test_growing_by_two_settings_counts_the_trees_of_both(qtbot, window):
    document, made = window.document, []
    for criterion in ("gini", "error"):
        document.set_search(criterion=criterion)
        press(qtbot, window, Qt.Key.Key_G)
        pruning = document.cutback.sequence
        made.append((document.tree, engine.cross_fitted(document.table, pruning), len(pruning.steps)))
        press(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [choice.trees for _, choice, _ in made] == [n for *_, n in made] and document.tree.n_leaves == 1
    press(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    (first, one, n), (second, other, m) = made
    assert document.tree is second
    both = engine.best_of([one, other], shares=True)
    if second.error("validation") <= first.error("validation"):
        assert honest(window) == pytest.approx(both.error, abs=5e-4)
        assert f"among {n + m}" in window.fit_strip.toolTip()
    else:
        assert honest(window) == pytest.approx(other.error, abs=5e-4)


def test_a_project_keeps_what_the_choice_cost(qtbot, window, tmp_path):
    data, project = tmp_path / "flowers.csv", tmp_path / "flowers.espalier"
    random = np.random.default_rng(4)
    frame = pd.DataFrame({name: random.normal(size=600) for name in "abcd"})
    frame["t"] = np.where(frame.a + np.sign(frame.b) + random.normal(size=600) > 0, "yes", "no")
    frame.to_csv(data, index=False)
    open_file(window.document, data, target="t")
    rest(qtbot, window)
    press(qtbot, window, Qt.Key.Key_G)
    said = window.fit_strip.text()
    assert honest(window) is not None
    window.document.storage.save(project)
    rest(qtbot, window)
    window.document.start(None)
    open_file(window.document, project)
    rest(qtbot, window)
    assert window.fit_strip.text() == said and "chose this tree among" in window.fit_strip.toolTip()
    changed = frame.assign(t=frame.t.replace({"yes": "no", "no": "yes"}).where(frame.index % 3 == 0, frame.t))
    changed.to_csv(data, index=False)
    window.document.start(None)
    open_file(window.document, project)
    rest(qtbot, window)
    assert window.document.tree is not None and honest(window) is None  # it was about other rows


@pytest.mark.parametrize(
    "odd", [None, 3, [], {"trees": 3}, {"trees": 3, "shown": 0.1, "error": "0.2", "interval": [0, 1]},
            {"trees": 3, "shown": 0.1, "error": 0.2, "interval": [0]}],
)  # fmt: skip
def test_an_odd_choice_in_a_project_is_none(odd):
    assert usable_choice(odd) == {}
