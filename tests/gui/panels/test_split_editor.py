"""The split editor: its bars as arrays, and what the panel draws of them."""

import math
import re
from datetime import UTC, datetime
from itertools import combinations

import numpy as np
import pandas as pd
import pyqtgraph as pg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.panels.this_node.split.bars import level_bars, mean_places, value_bars
from gui.panels.this_node.split.cuts import cut_words
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.split.readings import GAIN
from gui.picture import legend
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import Letters
from gui.widgets import plotting
from gui.widgets.scales import DateAxis, LogAxis, Scale
from gui.wording import words
from tests.gui.panels.splitting import legend_words, look_at, settle
from tests.gui.tables import flower_table


@pytest.fixture
def editor(qtbot: QtBot, document: Document) -> SplitEditor:
    made = SplitEditor(document)
    qtbot.addWidget(made)
    made.resize(480, 360)
    made.show()
    qtbot.waitExposed(made)
    return made


def curve(values=(), train=(), *, levels=(), kind="", missing=None, cuts=(), gains=()) -> engine.Curve:
    train = np.asarray(train, dtype=np.float64)
    width = train.shape[1]
    none = np.zeros(width)
    return engine.Curve(
        column="x", kind=kind or ("nominal" if levels else "number"), values=np.asarray(values, dtype=np.float64),
        levels=tuple(levels), train=train, validation=np.zeros_like(train),
        missing_train=none if missing is None else np.asarray(missing, dtype=np.float64), missing_validation=none,
        cuts=np.asarray(cuts, dtype=np.float64), gains=np.asarray(gains, dtype=np.float64),
        validation_gains=np.full(len(cuts), np.nan), boundary=np.ones(len(cuts), dtype=bool), best=0, missing=0,
    )  # fmt: skip


def drawn(editor: SplitEditor, kind: type) -> list:
    return [item for item in editor.plot.getPlotItem().items if isinstance(item, kind)]


@given(
    st.lists(st.floats(-1e6, 1e6) | st.sampled_from([-math.inf, math.inf]), min_size=1, max_size=200, unique=True),
    st.integers(0, 2**32 - 1),
)
def test_every_row_stands_in_one_bar(values: list[float], seed: int) -> None:
    random = np.random.default_rng(seed)
    train = random.integers(0, 5, (len(values), 3)).astype(float)
    missing = random.integers(0, 5, 3).astype(float)
    bars = value_bars(curve(sorted(values), train, missing=missing), by_class=True)
    assert np.allclose(bars.heights.sum(axis=0), train.sum(axis=0) + missing)
    assert bars.has_missing == (missing.sum() > 0)
    assert np.all(bars.right > bars.left)


def test_bars_are_counted_like_numpy_does() -> None:
    values = np.sort(np.random.default_rng(0).normal(size=500))
    train = np.ones((500, 1))
    bars = value_bars(curve(values, train), by_class=True)
    assert bars.heights[:, 0].tolist() == np.histogram(values, bins=40)[0].tolist()


def test_few_whole_numbers_have_a_bar_each() -> None:
    bars = value_bars(curve([2007, 2008, 2010], [[1.0, 2.0]] * 3), by_class=True)
    assert bars.centres.tolist() == [2007, 2008, 2009, 2010]
    assert bars.totals.tolist() == [3, 3, 0, 3]


def test_means_of_a_numeric_target_are_shifted_back() -> None:
    bars = value_bars(curve([1.0, 2.0], [[2.0, 4.0, 9.0], [0.0, 0.0, 0.0]]), by_class=False, origin=100.0)
    assert bars.heights[:, 0].tolist() == [2, 0]
    assert bars.means[0] == 102
    assert math.isnan(bars.means[1])


@given(st.lists(st.lists(st.floats(-1e3, 1e3), max_size=6), min_size=1, max_size=60), st.integers(1, 9))
def test_means_and_spreads_are_numpys_and_have_room(targets: list[list[float]], bins: int) -> None:
    """Of the rows of each level and of each bin of values; every spread is in the picture, around its mean."""
    rows = [np.array(y) for y in [[*targets[0], 1.0], *targets[1:]]]
    train = [[y.size, y.sum(), ((y - y.mean()) ** 2).sum() if y.size else 0.0] for y in rows]
    values = np.arange(len(rows)) + 0.5
    levels = level_bars(curve(train=train, levels=[str(i) for i in range(len(rows))]), False, 0, None, origin=5.0)
    binned = value_bars(curve(values, train), False, 5.0, bins)
    last = float(values[-1])
    of_bins = [
        np.concatenate(
            [np.empty(0), *(y for y, at in zip(rows, values, strict=True) if left <= at < right or at == right == last)]
        )
        for left, right in zip(binned.left, binned.right, strict=True)
    ]
    for bars, each in ((levels, [rows[int(label)] for label in levels.labels]), (binned, of_bins)):
        some = np.array([y.size > 0 for y in each])
        assert np.array_equal(np.isfinite(bars.spreads), some)
        each = [y for y in each if y.size]
        assert np.allclose(bars.means[some], [y.mean() + 5.0 for y in each])
        assert np.allclose(bars.spreads[some], [y.std() for y in each], atol=1e-4)
        heights, ends = mean_places(bars, 10.0)
        assert np.all((ends[some] > 0.499) & (ends[some] < 9.501))
        assert np.allclose(ends[some].mean(axis=1), heights[some])


def test_levels_stand_by_rising_rate_and_know_their_branch() -> None:
    split = engine.Split("x", "groups", groups=(("b",), ("a",)), missing=1)
    train = [[1.0, 3.0], [4.0, 0.0], [0.0, 0.0]]
    bars = level_bars(curve(train=train, levels="abc", missing=[2.0, 0.0]), True, 1, split)
    assert bars.labels == ("b", "a", "missing")
    assert bars.branches.tolist() == [0, 1, 1]
    assert bars.omitted == 1


def test_ordered_levels_keep_their_order_and_their_places() -> None:
    train = [[1.0, 3.0], [0.0, 0.0], [4.0, 0.0]]
    bars = level_bars(curve(train=train, levels=("low", "middle", "high"), kind="ordered"), True, 1, None)
    assert bars.labels == ("low", "middle", "high")
    assert bars.centres.tolist() == [0, 1, 2]


@given(st.integers(1, 20_000), st.integers(0, 2**32 - 1))
def test_decimation_keeps_the_peaks(n: int, seed: int) -> None:
    x, y = np.arange(float(n)), np.random.default_rng(seed).normal(size=n)
    few_x, few_y = plotting.decimate(x, y)
    assert len(few_x) <= max(plotting.MOST_POINTS, 1)
    assert few_y.max() == y.max()
    assert few_y.min() == y.min()
    assert np.all(np.diff(few_x) > 0)


@given(st.integers(1, 60), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_the_extremes_of_each_run_pass_over_gaps(n: int, length: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    runs = random.integers(0, 5, (n, length)).astype(float)
    runs[random.random(runs.shape) < 0.3] = np.nan
    found = runs.ravel()[plotting._extremes(runs)]
    for row, low, high in zip(runs, found[:n], found[n:], strict=True):
        known = row[~np.isnan(row)]
        assert not known.size or (low, high) == (known.min(), known.max())


@given(st.integers(1, 300), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_bars_hold_what_stands_between_their_edges(n: int, bins: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = np.unique(random.normal(size=n))
    train = random.integers(0, 5, (len(values), 2)).astype(float)
    bars = value_bars(curve(values, train), by_class=True, bins=bins)
    last = len(bars.left) - 1
    for place, (left, right, height) in enumerate(zip(bars.left, bars.right, bars.heights, strict=True)):
        held = (values >= left) & (values < right if place < last else values <= math.inf)
        assert height.tolist() == train[held].sum(axis=0).tolist()


def test_what_is_drawn_is_painted_a_turn_later(qtbot: QtBot) -> None:
    plot = plotting.UnhurriedPlot()
    plotting.set_up(plot, "plot", "a plot")
    qtbot.addWidget(plot)
    plot.resize(200, 150)
    plot.show()
    qtbot.waitExposed(plot)
    plot.paint_later()
    blank = plot.grab().toImage()
    assert {blank.pixel(x, 140) for x in range(5, 195)} == {blank.pixel(5, 140)}
    qtbot.waitUntil(lambda: not plot._soon.isActive())
    ticks = plot.grab().toImage()
    assert len({ticks.pixel(x, 140) for x in range(5, 195)}) > 1


def test_without_a_table_the_editor_says_what_will_stand_there(editor: SplitEditor) -> None:
    assert editor.pages.currentWidget() is editor.empty
    assert "Open a table" in editor.empty.text()


def test_the_best_split_is_drawn_with_its_cut(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    look_at(qtbot, document, "length")
    threshold = document.candidate.split.thresholds[0]
    assert editor.title.text().startswith("length ≤ ")
    assert editor.figures.labels[GAIN].text() == words.gain(document.candidate.gain)
    assert [line.value() for line in drawn(editor, pg.InfiniteLine)] == [threshold]
    assert len(drawn(editor, pg.BarGraphItem)) == 3
    assert len(editor.plot.gains.addedItems) == 2
    assert [branch.rows for branch in editor.branches.branches] == [words.count(n) for n in document.candidate.rows]


def test_levels_are_drawn_with_their_branches(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    look_at(qtbot, document, "soil")
    assert editor.plot.getAxis("bottom").labels[-1] == "missing"
    assert set(editor.plot.getAxis("bottom").labels) == {"clay", "loam", "sand", "missing"}
    assert not editor.plot.getAxis("right").isVisible()
    assert "{" in editor.title.text()


def test_hovering_reads_off_the_cut_below_the_mouse(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    look_at(qtbot, document, "length")
    before = editor.readout.text()
    place = editor.plot.mapFromScene(editor.plot.getViewBox().sceneBoundingRect().center())
    qtbot.mouseMove(editor.plot.viewport(), place)
    qtbot.waitUntil(lambda: editor.readout.text() != before)
    assert editor.readout.text().startswith("length ≤ ")


def test_what_is_read_off_moves_nothing(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    look_at(qtbot, document, "length")
    inside, height = editor.pages.currentWidget(), editor.plot.height()
    assert editor.readout.isHidden() and not inside.verticalScrollBar().isVisible()
    place = editor.plot.mapFromScene(editor.plot.getViewBox().sceneBoundingRect().center())
    for x in (-20, 0):  # wherever the mouse stood before
        qtbot.mouseMove(editor.plot.viewport(), place + QPoint(x, 0))
    qtbot.waitUntil(editor.readout.isVisible)
    qtbot.wait(50)  # the layout follows
    assert editor.plot.height() == pytest.approx(height, abs=4)
    assert not inside.verticalScrollBar().isVisible()


def test_a_date_has_a_date_axis(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    days = pd.date_range("2024-01-01", periods=40, freq="D")
    frame = pd.DataFrame({"day": days, "x": range(40), "y": ["a"] * 17 + ["b"] * 23})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    look_at(qtbot, document, "day")
    assert isinstance(editor.plot.getAxis("bottom"), DateAxis)
    assert "day ≤ 2024-01-17" in editor.title.text()
    look_at(qtbot, document, "x")
    assert not isinstance(editor.plot.getAxis("bottom"), DateAxis)


def test_a_numeric_target_shows_means(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    frame = pd.DataFrame(
        {"x": [float(i % 13) for i in range(60)], "y": [1000.5 + 3 * (i % 13) + i % 2 for i in range(60)]}
    )
    document.set_table(engine.Table.from_frame(frame, target="y"))
    look_at(qtbot, document, "x")
    assert "mean ± SD of y" in legend_words(editor)
    assert 1000 < editor.plot.bars.means.min() < editor.plot.bars.means.max() < 1100


def test_another_theme_recolours(qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table) -> None:
    document.set_table(flowers)
    look_at(qtbot, document, "length")
    try:
        theme.set_mode("dark")
        assert editor.plot.backgroundBrush().color() == QColor(theme.DARK.card)
    finally:
        theme.set_mode("light")
    assert editor.plot.backgroundBrush().color() == QColor(theme.LIGHT.card)
    theme.set_mode("system")


def cuts(editor: SplitEditor) -> list[float]:
    return [line.value() for line in drawn(editor, pg.InfiniteLine)] if editor.pages.currentIndex() == 0 else []


def split_root(qtbot: QtBot, document: Document, column: str, cut: float) -> None:
    """Splits the root, and selects it."""
    leaves = document.tree.n_leaves
    document.hand.split_by(0, engine.Split(column, "threshold", (cut,)))
    qtbot.waitUntil(lambda: document.tree.n_leaves > leaves and not document.edits.running)
    document.select(0)
    settle(qtbot, document)


def test_a_node_that_is_split_shows_its_split(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    settle(qtbot, document)
    split_root(qtbot, document, "width", 4.8)
    assert editor.title.text() == "width ≤ 4.8"
    assert editor.figures.labels[GAIN].text().startswith("0.")
    assert cuts(editor) == [4.8]
    assert [branch.rows for branch in editor.branches.branches] == [words.count(n) for n in document.candidate.rows]


def test_undo_and_redo_never_leave_a_chart_of_another_split(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    settle(qtbot, document)
    split_root(qtbot, document, "width", 4.8)
    document.undo()
    settle(qtbot, document)
    look_at(qtbot, document, "soil")
    assert editor.title.text().startswith("soil ")
    document.history.stack.redo()
    settle(qtbot, document)
    assert editor.title.text().startswith("width ≤ 4.8") and cuts(editor) == [4.8]
    document.undo()
    settle(qtbot, document)
    assert editor.title.text().startswith(document.candidates[0].column)
    split_root(qtbot, document, "length", 6.0)
    assert editor.title.text() == "length ≤ 6" and cuts(editor) == [6.0]


def test_another_theme_shows_the_same(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    settle(qtbot, document)
    split_root(qtbot, document, "width", 4.8)
    before = (editor.pages.currentIndex(), editor.title.text(), cuts(editor))
    try:
        theme.set_mode("dark")
        assert (editor.pages.currentIndex(), editor.title.text(), cuts(editor)) == before
    finally:
        theme.set_mode("system")


def test_while_the_split_of_a_node_is_drawn_the_old_chart_is_gone(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    document.set_table(flowers)
    look_at(qtbot, document, "length")
    document.hand.split_by(0, engine.Split("width", "threshold", (4.8,)))
    heard = []
    document.treeChanged.connect(lambda: heard.append((editor.pages.currentWidget(), editor.empty.text())))
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert heard == [(editor.empty, "Drawing “width”…")]
    settle(qtbot, document)


def test_a_million_cuts_become_few_points(qtbot: QtBot, editor: SplitEditor, document: Document) -> None:
    frame = pd.DataFrame({"x": range(8), "y": list("aabbabab")})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    settle(qtbot, document)
    n = 1_000_000
    values = np.arange(float(n))
    gains = np.sin(values / n * 3.0)
    editor.plot.wipe()
    editor.plot.draw_gains(curve(values, np.ones((n, 2)), cuts=values[:-1] + 0.5, gains=gains[:-1]))
    assert [len(item.xData) <= plotting.MOST_POINTS for item in editor.plot.gains.addedItems] == [True]


def test_the_cut_nearest_to_the_mouse_is_read() -> None:
    numbers = curve([1, 2, 3], [[1.0, 1.0]] * 3, cuts=[1.5, 2.5], gains=[0.1, 0.2])
    assert cut_words(numbers, 1.9) == "x ≤ 1.5: gain 0.1000"
    assert cut_words(numbers, 2.1) == "x ≤ 2.5: gain 0.2000"
    assert cut_words(numbers, -9) == "x ≤ 1.5: gain 0.1000"
    assert cut_words(numbers, 99) == "x ≤ 2.5: gain 0.2000"


@pytest.mark.parametrize(("missing", "height"), [(900, 200), (900, 480), (5, 200)])
def test_the_name_of_the_missing_rows_is_never_cut(
    qtbot: QtBot, editor: SplitEditor, missing: int, height: int
) -> None:
    plot = editor.plot
    plot.setParent(None)
    plot.resize(420, height)
    plot.show()
    rows = np.tile([[3.0, 1.0]], (30, 1))
    tree = engine.Tree.root(flower_table())
    shown = curve(np.arange(30.0), rows, missing=[float(missing), 0.0], cuts=[3.5], gains=[0.1])
    plot.draw_values(shown, None, tree, 0)
    qtbot.wait(1)
    label, box = plot._missing, plot.getViewBox().sceneBoundingRect()
    place = label.mapRectToScene(label.boundingRect())
    assert box.top() <= place.top()
    assert place.bottom() <= box.bottom() + 2
    plot.close()


def test_the_conditions_of_a_split_that_is_made_are_shown(
    qtbot: QtBot, editor: SplitEditor, document: Document
) -> None:
    document.set_table(flower_table())
    settle(qtbot, document)
    document.set_search(m_of_n=True)
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    counted = next(found for found in document.candidates if found.split and found.split.kind == "m_of_n")
    document.make_split(counted.split)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2, timeout=60_000)
    document.select(0)
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    assert not editor.plot.isVisible() and editor.split.text() == "Replace"
    rows = editor.literals_kind.body.literals
    shown = [rows.item(i) for i in range(rows.count()) if rows.item(i).checkState() == Qt.CheckState.Checked]
    assert len(shown) == len(counted.split.literals)
    for item, literal in zip(shown, counted.split.literals, strict=True):
        assert engine.splits.literal_words(literal) in item.text()


@pytest.mark.parametrize(("buckets", "named"), [(3, True), (9, True), (60, False)])
def test_every_cut_of_several_is_drawn(
    qtbot: QtBot, editor: SplitEditor, document: Document, buckets: int, named: bool
) -> None:
    document.set_table(flower_table())
    settle(qtbot, document)
    document.set_search(numeric="bucket_branches", buckets=buckets)
    look_at(qtbot, document, "length")
    cuts = document.candidate.split.thresholds
    lines = [line for line in drawn(editor, pg.InfiniteLine) if line.value() in cuts]
    assert len(lines) == len(cuts) > 0.8 * (buckets - 1)  # ties make fewer buckets
    assert all(hasattr(line, "label") == named for line in lines)
    assert "gain of a single cut" in legend_words(editor)
    shown = [line.label.sceneBoundingRect() for line in lines if named and line.label.isVisible()]
    assert bool(shown) == named
    assert not any(one.intersects(other) for one, other in combinations(shown, 2))
    assert len(editor.branches.branches) == len(cuts) + 1


def test_the_values_of_cuts_that_are_near_do_not_cover_each_other(
    qtbot: QtBot, editor: SplitEditor, document: Document, flowers: engine.Table
) -> None:
    split = engine.Split("length", "threshold", (6.0, 6.5, 7.0))
    document.set_table(flowers, engine.Tree.root(flowers).split(flowers, 0, split))
    settle(qtbot, document)
    editor.resize(300, 360)
    labels = [line.label for line in drawn(editor, pg.InfiniteLine) if getattr(line, "label", None) is not None]
    assert [label.toPlainText() for label in labels] == ["6", "6.5", "7"]
    qtbot.wait(1)  # the plot lays itself out
    boxes = [label.mapRectToScene(label.boundingRect()) for label in labels if label.isVisible()]
    assert len(boxes) == 3
    assert not any(a.intersects(b) for k, a in enumerate(boxes) for b in boxes[:k])


@given(
    st.lists(st.integers(1, 4000), min_size=2, max_size=120, unique=True),
    st.floats(0, 0.999),
    st.floats(0.001, 1),
    st.sampled_from(["number", "integer"]),
    st.booleans(),
)
def test_a_part_of_the_axis_has_finer_bars_that_count_the_same(
    values: list[int], start: float, width: float, kind: str, log: bool
) -> None:
    at = np.array(sorted(values), dtype=float)
    shown, scale = curve(at, np.ones((len(at), 1)), kind=kind), Scale(log)
    whole = value_bars(shown, True, scale=scale)
    assert whole.totals.sum() == len(at)
    low = whole.left[0] + start * (whole.right[-1] - whole.left[0])
    seen = (low, low + width * (whole.right[-1] - whole.left[0]))
    part = value_bars(shown, True, scale=scale, seen=seen)
    assert part.left[0] <= max(seen[0], whole.left[0]) + 1e-6
    assert part.right[-1] >= min(seen[1], whole.right[-1]) - 1e-6
    assert np.all(np.diff(part.left) > 0)
    assert part.right[0] - part.left[0] <= (whole.right[0] - whole.left[0]) * (1 + 1e-9)
    last = part.right[-1] >= whole.right[-1]  # its upper end belongs to it
    for left, right, n in zip(part.left, part.right, part.totals, strict=True):
        low, high = scale.value(left), scale.value(right)
        inside = (at >= low) & ((at < high) | (last & (right == part.right[-1])))
        first = (at < low) & (left <= whole.left[0])  # rounding of the logarithm
        assert n == (inside | first).sum()


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.0, 6.0, ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"]),
        (-2.0, 1.0, ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"]),
        (math.log10(39), math.log10(91), ["40", "50", "60", "70", "80", "90"]),
    ],
)
def test_the_words_of_a_log_axis(qapp: object, low: float, high: float, words: list[str]) -> None:
    axis = LogAxis("bottom")
    marks = [mark for _, level in axis.tickValues(low, high, 420) for mark in level]
    assert axis.tickStrings(marks, 1.0, 1.0) == words


@pytest.mark.parametrize(
    ("first", "last", "some"),
    [
        ("2010-03-01", "2019-03-01", "2013"),
        ("2013-01-01", "2013-12-31", "2013-07"),
        ("2013-07-01", "2013-07-20", "2013-07-08"),
        ("2013-07-01T06:00", "2013-07-01T18:00", "12:00"),
        ("2013-07-01T20:00", "2013-07-02T08:00", "07-02 00:00"),
        ("2013-07-01T20:00:00", "2013-07-01T20:00:40", "20:00:30"),
    ],
)
def test_the_words_of_a_date_axis(qapp: object, first: str, last: str, some: str) -> None:
    axis = DateAxis("bottom")
    low, high = (datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() for text in (first, last))
    marks = [mark for _, level in axis.tickValues(low, high, 420) for mark in level]
    texts = axis.tickStrings(marks, 1.0, 1.0)
    assert some in texts
    assert len(set(texts)) == len(texts) > 1
    assert plotting.apart(axis, marks, texts, 420 / (high - low))


def test_many_classes_are_named_as_below_the_tree_the_most_frequent_first(
    qtbot: QtBot, editor: SplitEditor, document: Document
) -> None:
    kinds = [name for k, name in enumerate("abcdefghij", start=1) for _ in range(k)]
    document.set_table(engine.Table.from_frame(pd.DataFrame({"x": range(55), "y": kinds}), target="y"))
    look_at(qtbot, document, "x")
    named = re.findall("■ ([a-z])", legend_words(editor))
    assert named == list("jihgfedcba")[: len(named)] and len(named) > 3
    assert document.tree.classes[document.focus_class] == "j"
    below = [item.text for item in legend.items(Scene(document.tree, document.focus_class, theme.current(), Letters()))]
    assert [text for text in below if len(text) == 1] == list("jihgfedc")


def test_many_classes_have_no_more_legend_than_there_is_room(
    qtbot: QtBot, editor: SplitEditor, document: Document
) -> None:
    names = [f"a rather long name of class number {k}" for k in range(30)]
    frame = pd.DataFrame({"x": range(300), "y": [names[i // 10] for i in range(300)]})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    look_at(qtbot, document, "x")
    for width in (320, 700):
        editor.resize(width, 360)
        qtbot.waitUntil(lambda width=width: editor.width() == width)
        text = legend_words(editor)
        assert re.search("… and [0-9]+ more$", text)
        assert editor.legend.fontMetrics().horizontalAdvance(text) <= editor.legend.width()
