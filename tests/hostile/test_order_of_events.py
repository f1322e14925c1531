"""Tables, targets, kinds, parts and trees change in any order while panels look at nodes, cuts, axes and charts."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

import engine
from gui.model.document import Document
from gui.model.plane_tasks import LEAVES
from gui.panels.prune.drawing import offered
from gui.window.window import Window
from tests.gui.acting import rest
from tests.gui.conftest import at_once, compiled, home, make, nothing_left, window  # noqa: F401

PANELS = ("split_editor", "plane", "pruning", "candidates", "columns", "history", "node")
KINDS = ["number", "nominal", "ordered", "integer"]
STEPS = 40


def tables() -> list[engine.Table]:
    """Classes and numbers to predict, the same names of columns with other kinds, and values at the ends of floats."""
    random = np.random.default_rng(7)
    n = 120
    x = random.normal(size=n)
    frame = pd.DataFrame({"x": x, "w": random.uniform(1, 1e6, n), "level": random.choice(["p", "q", "r"], n)})
    frame["y"] = np.where(x + random.normal(size=n) > 0, "yes", "no")
    other = pd.DataFrame({"x": random.choice(["1", "2", "3"], n), "w": random.normal(size=n), "y": 100 * x})
    ends = pd.DataFrame({"x": np.resize([-1.7e308, 0.0, 1.7e308, np.inf, -np.inf, np.nan], n), "w": np.full(n, 5e-324)})
    ends["y"] = random.choice(["a", "b"], n)
    made = [engine.Table.from_frame(each, target="y", name=name) for name, each in (("a", frame), ("b", other))]
    far = pd.DataFrame({"x": x, "w": 10.0 ** np.resize([-300, 0, 300], n), "y": np.resize([-1e150, 1.0, 1e150], n)})
    made.append(engine.Table.from_frame(far, target="y", name="far"))
    return [*(table.with_partition(validation=0.3) for table in made), engine.Table.from_frame(ends, target="y")]


def act(window: Window, random: np.random.Generator, kinds: list[engine.Table]) -> None:  # noqa: F811
    """Something that a person may do now; what is refused is refused in words."""
    document: Document = window.document
    table, tree = document.table, document.tree
    plane, editor = window.panels["plane"], window.panels["split_editor"]

    def column() -> str:
        return str(random.choice(table.names))

    def node() -> int:
        return int(random.choice(tree.ids))

    def point(plot: object) -> None:
        room = plot.sceneBoundingRect()
        where = QPointF(random.uniform(0, room.width()), random.uniform(0, room.height()))
        plot.scene().sigMouseMoved.emit(where)

    def choose_axis() -> None:
        box = (plane.across, plane.up)[random.integers(2)]
        if box.count():  # else nobody has seen the plane yet, and there is nothing to choose
            box.setCurrentIndex(int(random.integers(box.count())))
            box.activated.emit(box.currentIndex())

    def candidate() -> None:
        if document.candidates:
            document.ranking.choose(document.candidates[random.integers(len(document.candidates))])

    acts = (
        lambda: document.select(node()), lambda: document.select(node()), lambda: document.tree_edits.grow_level(),
        lambda: document.tree_edits.split_best_here(), lambda: document.table_edits.set_target(column()),
        lambda: document.table_edits.set_kind(column(), str(random.choice(KINDS))),
        lambda: document.table_edits.set_role(column(), str(random.choice(["feature", "ignore", "weight"]))),
        lambda: document.table_edits.set_partition(validation=float(random.choice([0.0, 0.3])), seed=3),
        lambda: document.set_table(kinds[random.integers(len(kinds))]), document.undo,
        document.history.stack.redo, candidate,
        lambda: document.cutback.prune(), lambda: document.cutback.keep_by_hand(bool(random.integers(2))),
        choose_axis, lambda: plane.log_across.toggle(), lambda: plane.log_up.toggle(),
        lambda: editor.cuts_kind.controls.log.toggle(), lambda: point(plane.plot), lambda: point(editor.plot),
        lambda: window.show_panel(str(random.choice(PANELS))), lambda: document.hand.collapse(node()),
    )  # fmt: skip
    acts[random.integers(len(acts))]()


def plane_is_of_the_present(window: Window) -> None:  # noqa: F811
    """The picture, the axes and the lists are those of the table and the tree."""
    document, plane = window.document, window.panels["plane"]
    picture, table = plane._picture, document.table
    listed = {box.itemData(i) for box in (plane.across, plane.up) for i in range(box.count())}
    assert listed <= {*table.names, LEAVES, ""}
    if picture is not None:
        assert picture.table is table and picture.tree is document.tree and picture.asked.node in document.tree
        assert picture.asked.across in {*table.names, LEAVES} and picture.asked.up in table.names


def chart_is_of_the_present(window: Window) -> None:  # noqa: F811
    """The chart is of trees of this target, measured by a metric that it has; none without trees."""
    document, panel = window.document, window.panels["pruning"]
    base, metrics = document.cutback.base, offered(document.tree)
    assert [panel.measure.itemData(i) for i in range(panel.measure.count())] == metrics
    assert panel.measure.currentData() in metrics
    assert (panel._drawing is not None) <= (base is not None)
    if base is not None:
        assert base.table is document.table and base.tree.target == document.table.target


def split_is_of_the_present(window: Window) -> None:  # noqa: F811
    """The curve is of the candidate's column, and that is a feature of the table."""
    document, editor = window.document, window.panels["split_editor"]
    assert document.selected in document.tree
    if editor.draft is not None:
        assert editor.draft.curve.column == editor.draft.found.column == editor._looked_at()[1].column
        assert editor.draft.found.column in document.table.names
    if editor.plot._tree is not None:
        assert editor.plot._tree.target == document.table.target
    if editor.plot._curve is not None:
        assert editor.plot._curve.column in document.table.names


SHOWN = {"plane": plane_is_of_the_present, "pruning": chart_is_of_the_present, "split_editor": split_is_of_the_present}


@pytest.mark.parametrize("seed", range(4))
def test_nothing_stale_is_drawn_or_asked(
    qtbot: QtBot,
    window: Window,  # noqa: F811
    seed: int,
    full: bool,
) -> None:
    kinds, document = tables(), window.document
    document.table_edits.ask_anew = lambda question, tree: True
    document.cutback.ask_keep_by_hand = lambda n_splits: True
    for each in range(25 if full else 1):
        random = np.random.default_rng([seed, each])
        document.set_table(kinds[random.integers(len(kinds))])
        rest(qtbot, window)
        for _ in range(STEPS):
            act(window, random, kinds)
            if random.random() < 0.4:
                rest(qtbot, window)
            elif random.random() < 0.5:
                qtbot.wait(int(random.integers(5)))
        rest(qtbot, window)
        assert document.tree.target == document.table.target
        for name in ("plane", "pruning", "split_editor"):
            window.show_panel(name)
            rest(qtbot, window)
            SHOWN[name](window)
