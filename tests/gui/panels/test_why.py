"""The panel “Why”: its figures are those that a person gets by hand from the counts."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import engine
from engine.criteria import drawn_criteria
from engine.table.words import value_words
from gui.model.document import Document
from gui.panels.this_node import words as candidate_words
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.why import figure as why_figure
from gui.panels.this_node.why import words as why_words
from gui.panels.this_node.why.figure import Figure, Geometry, geometry
from gui.panels.this_node.why.panel import WhyPanel
from gui.wording import words
from tests.gui.acting import put_up
from tests.gui.panels.splitting import drag, look_at, numbers_table, settle, spot

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> WhyPanel:
    made = WhyPanel(document)
    put_up(qtbot, made, 780, 300)
    return made


def show(qtbot: QtBot, panel: WhyPanel, table: engine.Table, column: str = "") -> None:
    document = panel._document
    document.set_table(table)
    settle(qtbot, document)
    if column:
        look_at(qtbot, document, column)
    qtbot.waitUntil(lambda: panel.text.toPlainText() != "" and not panel._later.isActive())
    qtbot.waitUntil(lambda: not panel._text_later.isActive())


def rows_of(panel: WhyPanel) -> dict[str, list[str]]:
    """The table as it stands there: by the name at the left, all the cells of the row."""
    cursor = panel.text.document().rootFrame()
    table = next(frame for frame in cursor.childFrames())
    found = {}
    for row in range(table.rows()):
        cells = []
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            block, texts = cell.begin(), []
            while block != cell.end():
                texts.append(block.currentBlock().text())
                block += 1
            cells.append(" ".join(texts))
        found[cells[0]] = cells[1:]
    return found


def choose_criterion(qtbot: QtBot, panel: WhyPanel, label: str) -> None:
    panel.criterion.setFocus()
    qtbot.keyClick(panel.criterion, Qt.Key.Key_Home)
    while panel.criterion.currentText() != label:
        before = panel.criterion.currentIndex()
        qtbot.keyClick(panel.criterion, Qt.Key.Key_Down)
        assert panel.criterion.currentIndex() > before
    panel.criterion.activated.emit(panel.criterion.currentIndex())


# -- the arithmetic


def test_the_purity_example_is_worked_out_as_in_the_notes(qtbot: QtBot, panel: WhyPanel) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    half, p, r = Fraction(1, 2), Fraction(3, 5), Fraction(1)
    gini = {q: 1 - q**2 - (1 - q) ** 2 for q in (Fraction(4, 5), p, r)}
    mean = half * gini[p] + half * gini[r]
    said = rows_of(panel)
    assert said["node"] == ["10", "1 − (2/10)² − (8/10)²", words.gain(float(gini[Fraction(4, 5)]))]
    assert said["= no"] == ["5", "1 − (2/5)² − (3/5)²", words.gain(float(gini[p]))]
    assert said["= yes"] == ["5", "1 − (5/5)²", "0"]
    assert said["branches"][-1] == words.gain(float(mean)) == "0.2400"
    assert said["drop"][-1] == words.gain(float(gini[Fraction(4, 5)] - mean)) == "0.08000"
    assert said["split info"][-1] == "1.000"
    # X² = Σ (observed − expected)² ÷ expected with 4 and 1 expected in each half
    chi = sum(Fraction((seen - due) ** 2, due) for seen, due in ((3, 4), (2, 1), (5, 4), (0, 1)))
    assert said["test: X²"][-1] == words.gain(float(chi)) == "2.500"
    assert said["p"][-1] == f"{math.erfc(math.sqrt(float(chi) / 2)):.4g}"


def test_the_penalty_of_a_cut_stands_between_its_gain_and_its_ratio(qtbot: QtBot, panel: WhyPanel) -> None:
    frame = pd.DataFrame({"x": [float(i) for i in range(16)], "y": ["u"] * 8 + ["v"] * 8})
    show(qtbot, panel, engine.Table.from_frame(frame, target="y"))
    panel._document.set_preset("c4.5")
    settle(qtbot, panel._document)
    look_at(qtbot, panel._document, "x")
    qtbot.waitUntil(lambda: "less penalty" in panel.text.toPlainText())
    said, price = rows_of(panel), math.log2(13) / 16  # of 15 cuts 13 leave two rows on either side
    assert said["drop"][-1] == "1.000" and said["split info"][-1] == "1.000"
    assert said["less penalty"][-2:] == [f"1.000 − {words.gain(price)}, log₂ of the cuts ÷ rows", words.gain(1 - price)]
    assert said["gain ratio"][-2:] == [f"{words.gain(1 - price)} ÷ 1.000", words.gain(1 - price)]


def test_no_criterion_sees_the_first_split_of_exclusive_or(qtbot: QtBot, panel: WhyPanel, xor: engine.Table) -> None:
    show(qtbot, panel, xor, "x")
    for criterion in ("Gini", "Training error", "Entropy"):
        choose_criterion(qtbot, panel, criterion)
        assert panel.sentence.text().startswith("No criterion sees a gain: both branches keep 50 % “yes”.")
    three = pd.DataFrame({"x": [0, 0, 0, 1, 1, 1], "y": list("abcabc")})
    show(qtbot, panel, engine.Table.from_frame(three, target="y"), "x")
    said = "No criterion sees a gain: both branches keep the class shares of the node."
    assert panel.sentence.text().startswith(said)


def test_the_training_error_sees_nothing_in_the_purity_example(qtbot: QtBot, panel: WhyPanel) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    text = panel.sentence.text()
    assert panel.sentence.isVisible()
    assert "sees nothing: 0.8 → 0.6 / 1 lie on one side of ½" in text
    assert "(2 wrong rows before, 2 + 0 after)" in text
    assert "Gini falls by 0.08000" in text
    choose_criterion(qtbot, panel, "Training error")
    assert rows_of(panel)["drop"][-1] == "0"
    shown = panel.figure.shown
    assert shown is not None and shown.drop == 0
    assert shown.mean == pytest.approx(shown.node.y)


@pytest.mark.parametrize(
    ("label", "drop"), [("Gini", 0.08), ("Entropy", 0.236453), ("Training error", 0.0), ("Kearns–Mansour √", 0.155051)]
)
def test_every_criterion_has_its_drop(qtbot: QtBot, panel: WhyPanel, label: str, drop: float) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    choose_criterion(qtbot, panel, label)
    assert float(rows_of(panel)["drop"][-1]) == pytest.approx(drop, abs=5e-5)
    shown = panel.figure.shown
    assert shown is not None and shown.drop == pytest.approx(drop, abs=1e-6)
    strong = [name for name, curve in panel.figure._curves.items() if curve.opts["pen"].widthF() > 2]
    assert strong == [shown.chosen] and set(panel.figure._names) == set(drawn_criteria())


def test_the_cats_are_worked_out_in_bits(qtbot: QtBot, panel: WhyPanel) -> None:
    table = engine.read_example("cats")
    found = engine.candidates(table, engine.Tree.root(table), 0, criterion="entropy")[0]
    show(qtbot, panel, table, found.column)
    choose_criterion(qtbot, panel, "Entropy")

    def bits(counts: list[int]) -> float:
        return -sum(Fraction(c, sum(counts)) * math.log2(Fraction(c, sum(counts))) for c in counts if c)

    column, target = (table.column(name).codes.tolist() for name in (found.column, table.target))
    counts = {code: [sum(t == k and c == code for c, t in zip(column, target, strict=True)) for k in set(target)]
              for code in set(column)}  # fmt: skip
    whole = [sum(each) for each in zip(*counts.values(), strict=True)]
    inside = sum(Fraction(sum(each), sum(whole)) * bits(each) for each in counts.values())
    said = rows_of(panel)
    assert said["node"][-1] == words.gain(float(bits(whole)))
    assert said["drop"][-1] == words.gain(float(bits(whole) - inside))
    assert said["gain ratio"][1].startswith(f"{said['drop'][-1]} ÷ ")


def test_the_arithmetic_is_copied_by_button_and_by_key(qtbot: QtBot, panel: WhyPanel) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    qtbot.mouseClick(panel.copy, LEFT)
    copied = clipboard.text()
    assert copied.splitlines()[0] == "h = no"
    assert "drop = 0.32 − 0.24 = 0.08" in copied.splitlines()
    clipboard.clear()
    panel.text.setFocus()
    qtbot.keyClick(panel.text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == copied


def test_a_node_that_is_split_shows_its_own_split(qtbot: QtBot, panel: WhyPanel, document: Document) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    document.accept(document.candidate)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2 and not document.jobs.busy)
    document.select(0)
    settle(qtbot, document)
    qtbot.waitUntil(lambda: "h = no" in panel.text.toPlainText())
    qtbot.waitUntil(lambda: not panel.guess.isEnabled())
    qtbot.waitUntil(lambda: not panel._text_later.isActive())
    assert rows_of(panel)["drop"][-1] == "0.08000"


# -- the figure


def ends(panel: WhyPanel) -> list[tuple[float, float]]:
    x, y = panel.figure.chord.getData()
    return list(zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True))


def test_the_chord_joins_the_branches_and_its_depth_is_the_drop(qtbot: QtBot, panel: WhyPanel) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    assert [point.x for point in panel.figure.shown.branches] == [0.6, 1.0]
    assert ends(panel)[0] == pytest.approx((0.6, 0.48)) and ends(panel)[2] == pytest.approx((1.0, 0.0))
    x, y = panel.figure.segment.getData()
    assert list(x) == [0.8, 0.8]
    assert y[0] - y[1] == pytest.approx(float(Fraction(8, 100)))
    assert panel.figure.drop.toPlainText() == "drop 0.08000"


def test_a_dragged_cut_moves_the_chord_at_once(qtbot: QtBot, panel: WhyPanel, document: Document) -> None:
    editor = SplitEditor(document)
    qtbot.addWidget(editor)
    editor.resize(420, 420)
    editor.show()
    qtbot.waitExposed(editor)
    table = numbers_table(missing=False)
    show(qtbot, panel, table, "age")
    before = ends(panel)
    drag(editor, spot(editor, editor.draft.cuts[0]), spot(editor, 30.0), drop=False)
    assert editor.draft.edited
    after = ends(panel)  # without any wait: the figure does not lag behind the hand
    assert after != before
    rows = np.flatnonzero(table.part == engine.TRAIN)
    branch = engine.splits.branch_of_rows(editor.draft.split, table, rows)
    focus = table.columns[table.index("state")].codes[rows] == document.focus_class + 1
    assert [after[0][0], after[2][0]] == pytest.approx([focus[branch == b].mean() for b in range(2)])
    _, y = panel.figure.segment.getData()
    assert y[0] - y[1] == pytest.approx(document.draft.gain)
    qtbot.waitUntil(lambda: rows_of(panel)["drop"][-1] == words.gain(document.draft.gain))
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: ends(panel) == before)


def two_classes(counts: list[list[int]]) -> tuple[engine.Candidate, engine.Tree, engine.Table]:
    """A split whose branches have these counts of the classes."""
    n = len(counts[0])
    rows = [(f"b{b}", f"c{k}") for b, each in enumerate(counts) for k, many in enumerate(each) for _ in range(many)]
    frame = pd.DataFrame(rows, columns=["part", "y"])
    frame["y"] = pd.Categorical(frame["y"], [f"c{k}" for k in range(n)])
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    levels = table.column("part").levels
    split = engine.Split("part", "groups", groups=tuple((level,) for level in levels))
    return engine.weigh(table, tree, 0, split), tree, table


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "sqrt"])
@given(data=st.data())
def test_of_two_classes_the_depth_of_the_chord_is_the_gain(criterion: str, data: st.DataObject) -> None:
    branches = data.draw(st.integers(2, 4))
    counts = data.draw(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2).filter(any), min_size=branches,
                                max_size=branches))  # fmt: skip
    assume(all(sum(each[k] for each in counts) for k in (0, 1)))
    found, tree, _ = two_classes(counts)
    shown = geometry(found, criterion, tree, 1)
    assert isinstance(shown, Geometry)
    assert shown.drop == pytest.approx(found.scores[criterion], abs=1e-12)
    assert [point.x for point in shown.branches] == pytest.approx([each[1] / sum(each) for each in counts])


def test_of_three_classes_the_figure_says_which_question_it_asks(qtbot: QtBot, panel: WhyPanel) -> None:
    table = engine.read_example("penguins")
    show(qtbot, panel, table)
    shown = panel.figure.shown
    assert f"only for “{table.classes[panel._document.focus_class]}” against the rest" in shown.remark
    assert shown.remark in panel.sentence.text()
    name = table.classes[panel._document.focus_class]
    assert panel.figure.drop.toPlainText() == f"drop {words.gain(shown.drop)} for “{name}” alone"
    assert "Entropy" not in shown.remark
    choose_criterion(qtbot, panel, "Entropy")
    assert "half its bits" in panel.figure.shown.remark


def test_the_names_of_a_rare_class_do_not_cover_each_other(qtbot: QtBot, panel: WhyPanel) -> None:
    where = ["in"] * 722 + ["out"] * 1298
    rare = np.zeros(2020, dtype=int)
    rare[:8], rare[722:825] = 1, 1
    frame = pd.DataFrame({"where": where, "y": np.where(rare == 1, "a", np.where(np.arange(2020) % 3 == 0, "b", "c"))})
    show(qtbot, panel, engine.Table.from_frame(frame, target="y"))
    figure = panel.figure
    texts = [each for each in (*figure.labels, figure.drop) if each.isVisible()]
    assert len(texts) == 4
    for one, other in combinations(map(figure._room, texts), 2):
        both = one.intersected(other)
        assert both.width() * both.height() < 8


def test_of_numbers_the_parabola_is_exact(qtbot: QtBot, panel: WhyPanel) -> None:
    random = np.random.default_rng(4)
    x = random.random(80)
    frame = pd.DataFrame({"x": x, "y": 1000.0 + 3 * (x > 0.4) + random.normal(size=80)})
    table = engine.Table.from_frame(frame, target="y")
    show(qtbot, panel, table)
    found, shown = panel._document.candidate, panel.figure.shown
    side = x <= found.split.thresholds[0]
    means = [frame.y[side].mean(), frame.y[~side].mean()]
    assert [point.x for point in shown.branches] == pytest.approx(means)
    assert shown.node.x == pytest.approx(frame.y.mean())
    assert shown.drop == pytest.approx(found.gain) and shown.drop == pytest.approx(
        frame.y.var(ddof=0) - side.mean() * frame.y[side].var(ddof=0) - (~side).mean() * frame.y[~side].var(ddof=0)
    )
    assert "Each branch stands at its mean" in panel.sentence.text()


def test_by_the_absolute_error_it_says_why_there_is_no_figure(
    qtbot: QtBot, panel: WhyPanel, document: Document
) -> None:
    frame = pd.DataFrame({"x": range(20), "y": [float(i * i % 37) + 0.5 * i for i in range(20)]})
    show(qtbot, panel, engine.Table.from_frame(frame, target="y"))
    document.set_search(criterion="absolute_error")
    qtbot.waitUntil(lambda: panel.criterion.currentText() == "Absolute error" and not document.jobs.busy)
    qtbot.waitUntil(lambda: panel.drawing.no_figure.isVisible())
    assert "no function of a node's mean" in panel.drawing.no_figure.text()
    assert not panel.figure.isVisible()
    qtbot.waitUntil(lambda: not panel._text_later.isActive())
    assert rows_of(panel)["gain"][-1] == words.gain(document.candidate.gain)


# -- the sweep


def test_the_sweep_draws_the_curve_from_left_to_right(
    qtbot: QtBot, panel: WhyPanel, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(qtbot, panel, numbers_table(), "age")
    chord = ends(panel)
    seen: list[tuple[float, int]] = []
    panel.sweep.moved.connect(
        lambda found: found and seen.append((found.split.thresholds[0], len(panel.sweep.drawn.getData()[0])))
    )
    monkeypatch.setattr(why_figure, "SECONDS", 0.3)
    qtbot.mouseClick(panel.play, LEFT)
    assert panel.sweep.isVisible() and panel.play.text() == "■ Stop"
    assert ends(panel) != chord
    with qtbot.waitSignal(panel.sweep.ended, timeout=20_000):
        pass
    cuts = [cut for cut, _ in seen]
    assert cuts == sorted(cuts) and cuts[0] == document.curve.cuts[0] and cuts[-1] == document.curve.cuts[-1]
    assert [n for _, n in seen] == sorted(n for _, n in seen)
    assert ends(panel) == chord  # back at what was looked at
    assert panel.sweep.isVisible() and panel.play.text().startswith("▶")
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.sweep.isVisible() and panel.sentence.isVisible()


def test_the_sum_and_the_cut_in_the_editor_move_with_the_sweep(
    qtbot: QtBot, panel: WhyPanel, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = SplitEditor(document)
    qtbot.addWidget(editor)
    editor.resize(600, 480)
    editor.show()
    panel.resize(1200, 300)
    show(qtbot, panel, numbers_table(), "age")
    (best,) = (line.value() for line in editor.plot.cuts.lines)
    seen: list[tuple[float, float]] = []

    def look(found: engine.Candidate | None) -> None:
        if found is not None:
            (cut,) = found.split.thresholds
            assert panel.text.toPlainText().startswith(f"age ≤ {value_words(cut, 'integer')}")
            seen.append((cut, editor.plot.cuts.lines[0].value()))

    document.sweptChanged.connect(look)
    monkeypatch.setattr(why_figure, "SECONDS", 0.3)
    qtbot.mouseClick(panel.play, LEFT)
    with qtbot.waitSignal(panel.sweep.ended, timeout=20_000):
        pass
    assert len(seen) > 1 and all(cut == line for cut, line in seen)
    assert [line.value() for line in editor.plot.cuts.lines] == [best]
    assert not editor.draft.edited


def test_the_sweep_can_be_stopped(qtbot: QtBot, panel: WhyPanel) -> None:
    show(qtbot, panel, numbers_table(), "age")
    qtbot.mouseClick(panel.play, LEFT)
    assert panel.sweep.running
    qtbot.mouseClick(panel.play, LEFT)
    assert not panel.sweep.running
    qtbot.mouseClick(panel.play, LEFT)
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.sweep.running and not panel.sweep.isVisible()


def test_where_the_system_wants_no_motion_the_curve_is_there_at_once(
    qtbot: QtBot, panel: WhyPanel, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(qtbot, panel, numbers_table(), "age")
    monkeypatch.setattr(why_figure.motion, "reduced", lambda: True)
    qtbot.mouseClick(panel.play, LEFT)
    assert not panel.sweep.running
    x, _ = panel.sweep.drawn.getData()
    assert (x[0], x[-1]) == (document.curve.cuts[0], document.curve.cuts[-1])


def test_ordered_levels_are_swept_along_their_order(
    qtbot: QtBot, panel: WhyPanel, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = ["tiny", "small", "medium", "large", "huge"]
    random = np.random.default_rng(2)
    size = random.integers(0, 4, 60)  # nothing is huge
    frame = pd.DataFrame(
        {
            "size": pd.Categorical.from_codes(size, sizes, ordered=True),
            "y": np.where(size + random.random(60) > 2, "a", "b"),
        }
    )
    show(qtbot, panel, engine.Table.from_frame(frame, target="y"), "size")
    monkeypatch.setattr(why_figure, "SECONDS", 0.1)
    seen: dict[str, float] = {}
    panel.sweep.moved.connect(lambda found: found and seen.update({found.split.groups[0][-1]: found.gain}))
    qtbot.mouseClick(panel.play, LEFT)
    with qtbot.waitSignal(panel.sweep.ended, timeout=20_000):
        pass
    gains = dict(zip(document.curve.cuts.tolist(), document.curve.gains.tolist(), strict=True))
    assert {level: pytest.approx(gains[sizes.index(level) + 0.5]) for level in seen} == seen
    assert "small" in seen or "tiny" in seen


def test_levels_without_an_order_have_no_sweep(qtbot: QtBot, panel: WhyPanel) -> None:
    show(qtbot, panel, engine.read_example("purity"))
    assert not panel.play.isEnabled()
    assert "no order" in panel.play.toolTip()


# -- the rankings


def ranked(qtbot: QtBot, panel: WhyPanel, table: engine.Table) -> list[str]:
    show(qtbot, panel, table)
    qtbot.mouseClick(panel.tabs["rankings"], LEFT)
    criteria = [one.name for one in engine.criteria_for(table.task)]
    qtbot.waitUntil(lambda: set(panel.rankings.places) == set(criteria), timeout=60_000)
    return criteria


def test_every_criterion_ranks_the_columns(qtbot: QtBot, panel: WhyPanel, flowers: engine.Table) -> None:
    criteria, tree = ranked(qtbot, panel, flowers), engine.Tree.root(flowers)
    assert panel.rankings.criteria[0] == "gini"
    for name in criteria:
        found = [one for one in engine.candidates(flowers, tree, 0, criterion=name) if one.split is not None]
        shown = sorted(panel.rankings.places[name].items(), key=lambda item: item[1].rank)
        assert [column for column, _ in shown] == [one.column for one in found]
        gains = [one.scores[name] if name in ("gain_ratio", "logworth", "association") else one.gain for one in found]
        assert [place.gain for _, place in shown] == pytest.approx(gains, abs=1e-11)
    for column in panel.rankings.columns:
        heights = [point.y() for point in panel.rankings.path(column)]
        ranks = [panel.rankings.places[name][column].rank for name in panel.rankings.criteria]
        assert heights == [panel.rankings.row_y(rank) for rank in ranks]


def test_a_line_is_named_on_hover_and_chosen_by_a_click(qtbot: QtBot, panel: WhyPanel, flowers: engine.Table) -> None:
    ranked(qtbot, panel, flowers)
    chart, document = panel.rankings, panel._document
    assert chart.chosen == document.candidate.column
    other = next(column for column in chart.columns if column != chart.chosen)
    left, right = chart.path(other)[:2]
    port = chart.viewport()
    qtbot.mouseMove(port, QPoint(5, 5))
    qtbot.mouseMove(port, ((left + right) / 2).toPoint())
    qtbot.waitUntil(lambda: chart.hovered == other)
    assert chart.described(other).splitlines()[0] == other and "Gini: rank" in chart.described(other)
    qtbot.mouseClick(port, LEFT, pos=left.toPoint())
    assert document.candidate.column == other
    qtbot.waitUntil(lambda: chart.chosen == other)
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Up)
    assert chart.columns.index(document.candidate.column) == max(0, chart.columns.index(other) - 1)


def test_names_at_the_side_are_clicked_too(qtbot: QtBot, panel: WhyPanel, flowers: engine.Table) -> None:
    ranked(qtbot, panel, flowers)
    chart = panel.rankings
    last = chart.columns[-1]
    qtbot.mouseClick(chart.viewport(), LEFT, pos=QPoint(40, round(chart.row_y(len(chart.columns) - 1))))
    assert panel._document.candidate.column == last


def test_rankings_are_only_computed_while_somebody_looks(qtbot: QtBot, panel: WhyPanel, flowers: engine.Table) -> None:
    show(qtbot, panel, flowers)
    assert panel._document.rankings.found == {}
    ranked(qtbot, panel, flowers)
    panel.hide()
    panel._document.set_search(criterion="entropy")
    settle(qtbot, panel._document)
    assert set(panel._document.rankings.found) != {"entropy"}
    panel.show()
    qtbot.waitUntil(lambda: panel.rankings.criteria[0] == "entropy" and len(panel.rankings.places) == 6, timeout=60_000)


# -- the game


def test_a_guess_hides_what_is_best_and_is_judged(
    qtbot: QtBot, panel: WhyPanel, document: Document, flowers: engine.Table
) -> None:
    editor, ranking = SplitEditor(document), CandidatesPanel(document)
    for each in (editor, ranking):
        qtbot.addWidget(each)
        each.resize(420, 420)
        each.show()
        qtbot.waitExposed(each)
    show(qtbot, panel, flowers)
    best = document.candidates[0]
    qtbot.mouseClick(panel.guess, LEFT)
    assert document.guessing
    qtbot.waitUntil(lambda: panel.game.isVisible())
    assert not ranking.view.isVisible() and "Guess first" in ranking.empty.text()
    assert "Guess first" in editor.empty.text() and editor.empty.isVisible()
    assert not panel.text.isVisible() and not panel.game.settle.isEnabled()
    other = next(one for one in document.candidates[1:] if one.split is not None and one.split.kind == "threshold")
    box = panel.game.column
    assert [box.itemText(i) for i in range(1, box.count())] == [name for name in flowers.names if name != "kind"]
    box.setFocus()
    while box.currentText() != other.column:
        qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: editor.draft is not None and editor.draft.split.column == other.column)
    assert not editor.figures.isVisible() and not editor.best.isVisible() and not editor.split.isEnabled()
    assert not editor.plot.getAxis("right").isVisible() and not editor.plot.gains.addedItems
    drag(editor, spot(editor, editor.draft.cuts[0]), spot(editor, editor.draft.cuts[0] + 1.5))
    made = document.draft
    assert made is not None and document.guessing
    qtbot.waitUntil(lambda: panel.game.settle.isEnabled())
    qtbot.mouseClick(panel.game.settle, LEFT)
    assert not document.guessing
    usable = [one.column for one in document.candidates if one.split is not None]
    qtbot.waitUntil(lambda: panel.verdict.isVisible())
    said = panel.verdict.text()
    assert f"Your split gains {words.gain(made.gain)}" in said and words.gain(best.gain) in said
    assert f": {words.percent(made.gain / best.gain)};" in said
    assert f"rank {usable.index(other.column) + 1} of {len(usable)}" in said and "1 guess:" in said
    assert ranking.view.isVisible() and editor.figures.isVisible() and editor.plot.getAxis("right").isVisible()
    assert editor.draft.split.column == other.column  # the guess stays, to be compared


def test_a_guess_can_be_given_up(qtbot: QtBot, panel: WhyPanel, document: Document, flowers: engine.Table) -> None:
    show(qtbot, panel, flowers)
    best = document.candidate
    qtbot.mouseClick(panel.guess, LEFT)
    assert document.candidate is None
    qtbot.waitUntil(lambda: panel.game.isVisible())
    qtbot.mouseClick(panel.game.give_up, LEFT)
    assert not document.guessing and document.candidate is best
    assert document.guess.score.guesses == 0
    qtbot.waitUntil(lambda: "drop" in panel.text.toPlainText())


def test_another_leaf_is_guessed_without_a_hint(
    qtbot: QtBot, panel: WhyPanel, document: Document, flowers: engine.Table
) -> None:
    show(qtbot, panel, flowers)
    document.accept(document.candidate)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2 and not document.jobs.busy)
    qtbot.waitUntil(lambda: panel.guess.isEnabled() and panel.guess.isVisible())
    qtbot.mouseClick(panel.guess, LEFT)
    other = next(int(node) for node in document.tree.ids if node not in (0, document.selected))
    document.select(other)
    qtbot.waitUntil(lambda: bool(document.candidates) and not document.jobs.busy)
    assert document.candidate is None and document.guessing


# -- room


@pytest.mark.parametrize("size", [(440, 150), (780, 290), (1500, 380)])
def test_nothing_is_cut_off(qtbot: QtBot, panel: WhyPanel, flowers: engine.Table, size: tuple[int, int]) -> None:
    show(qtbot, panel, flowers)
    panel.resize(*size)
    qtbot.waitUntil(lambda: panel.size().toTuple() == size)
    buttons = [panel.play, panel.copy, panel.guess, *panel.tabs.values()]

    def whole() -> bool:
        there = [button for button in buttons if button.isVisible()]
        inside = all(button.x() >= 0 and button.geometry().right() < panel.width() for button in there)
        return inside and all(button.width() >= button.sizeHint().width() for button in there)

    qtbot.waitUntil(whole)
    assert panel.criterion.width() >= 80
    if panel.sentence.isVisible():
        assert panel.sentence.height() >= panel.sentence.heightForWidth(panel.sentence.width())
    else:
        assert panel.figure.toolTip() == panel.sentence.text()


def test_a_long_sum_is_left_out_by_whole_numbers() -> None:
    found, *_ = two_classes([[5, 3], [1, 9]])
    worked = engine.arithmetic(found, "gini")
    many = replace(worked.node, terms="1 − " + " − ".join(f"(1{k:02},456/{k:02}1,234)²" for k in range(20)))
    said = why_words.lines(found, replace(worked, node=many), {"part": "nominal"})[0].working
    assert " … " in said and len(said) <= why_words.MOST_TERMS + 1
    assert set(said.split()) - {"…"} <= set(many.terms.split())


def test_many_conditions_are_counted_in_the_heading() -> None:
    found, *_ = two_classes([[5, 3], [1, 9]])
    tests = tuple(engine.Literal(f"a column with a long name {i}", "<=", float(i)) for i in range(9))
    few, many = (replace(found, split=engine.Split(tests[0].column, "m_of_n", literals=tests[:n], m=2)) for n in (3, 9))
    assert why_words.title(few, {}).startswith("at least 2 of {a column with a long name 0 ≤ 0,")
    assert why_words.title(many, {}) == "at least 2 of 9 conditions"
    assert "name 8 ≤ 8" in why_words.title(many, {}, whole=True)


def test_many_branches_are_told_in_one_sum() -> None:
    found, tree, table = two_classes([[i, 9 - i] for i in range(8)])
    worked = engine.arithmetic(found, "gini")
    said = {line.name: line for line in why_words.lines(found, worked, {"part": "nominal"})}
    assert said["branches"].working == "Σ share · impurity over 8 branches"
    assert re.search(r"→ 0 / 0\.111 / 0\.222 / 0\.333 …", why_words.sentence(found, "gini", tree, 0))
    assert float(said["drop"].result) == pytest.approx(found.gain, rel=1e-3)
    assert table.n_rows == 72


def test_large_figures_of_the_test_are_grouped_by_thousands() -> None:
    frame = pd.DataFrame(
        {"x": np.arange(20_000.0), "y": np.arange(20_000.0) + np.where(np.arange(20_000) > 9999, 1e5, 0)}
    )
    table = engine.Table.from_frame(frame, target="y")
    found = engine.candidates(table, engine.Tree.root(table))[0]
    assert found.split is not None and found.logworth > 1000
    said = {
        line.name: line for line in why_words.lines(found, engine.arithmetic(found, "squared_error"), {"x": "number"})
    }
    assert said["test: F"].working == "1 and 19,998 degrees of freedom, 20,000 rows"
    assert said["LogWorth"].result == f"{found.logworth:,.2f}"
    assert candidate_words.number(found.logworth, 2) == said["LogWorth"].result


def test_a_class_that_the_node_lacks_is_not_asked_for() -> None:
    found, tree, _ = two_classes([[0, 4, 1], [0, 0, 3]])
    shown = geometry(found, "gini", tree, 0)
    assert shown.axis == "share of “c1”" and "only for “c1” against the rest" in shown.remark
    assert [shown.node.x, *(one.x for one in shown.branches)] == [0.5, 0.8, 0.0]
    assert geometry(found, "gini", tree, 2).axis == "share of “c2”"


def test_points_that_are_one_have_one_name(qtbot: QtBot) -> None:
    figure = Figure()
    qtbot.addWidget(figure)
    figure.resize(400, 300)
    figure.show()
    for counts, said in (([[2, 2], [1, 1]], ["q = p = r 0.5"]), ([[3, 1], [1, 3]], ["q 0.5", "p 0.25", "r 0.75"])):
        found, tree, _ = two_classes(counts)
        figure.show_geometry(geometry(found, "gini", tree, 1))
        assert [label.toPlainText() for label in figure.labels if label.isVisible()] == said


def test_the_criteria_of_another_target_are_not_used_on_a_new_table(
    qtbot: QtBot, panel: WhyPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand may be quicker than the list of criteria, which is filled a little later."""
    show(qtbot, panel, engine.read_example("purity"))
    document = panel._document
    monkeypatch.setattr("gui.panels.this_node.why.panel.SOON", 10_000)
    monkeypatch.setattr("gui.panels.this_node.why.panel.SEARCH_WAITS", 10_000)
    frame = pd.DataFrame({"age": range(40), "height": [i + 0.5 for i in range(40)]})
    document.set_table(engine.Table.from_frame(frame, target="height"))
    settle(qtbot, document)
    assert panel.criterion.currentData() == "gini" and document.candidate is not None
    document.set_draft(replace(document.candidate))
    qtbot.waitUntil(lambda: not panel._text_later.isActive())  # an exception in a slot fails the test
    assert panel.text.toPlainText() == ""
    panel._later.start(0)
    qtbot.waitUntil(lambda: panel.text.toPlainText() != "")
    assert panel.criterion.currentData() in [one.name for one in engine.criteria_for(document.table.task)]
