"""Wins in bootstrap samples: the figure of the candidates, its words, and the samples' cuts below the gain curve."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QToolTip
from pytestqt.qtbot import QtBot

import engine
from engine.resampling.stability import Wins
from gui.model.document import Document
from gui.model.search import further
from gui.panels.this_node import words as say
from gui.panels.this_node.candidates import figures, model
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.split.editor import SplitEditor
from tests.gui.acting import put_up
from tests.gui.panels.ranked import cell, column, middle
from tests.gui.panels.splitting import legend_words, look_at, settle, spot

LEFT = Qt.MouseButton.LeftButton
SAMPLES = 200


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> CandidatesPanel:
    made = CandidatesPanel(document)
    put_up(qtbot, made, 480, 560)
    return made


@pytest.fixture
def editor(qtbot: QtBot, document: Document) -> SplitEditor:
    made = SplitEditor(document)
    put_up(qtbot, made, 460, 460)
    return made


def rivals(n: int = 240) -> engine.Table:
    """Two columns that are about as good as each other, levels, and noise."""
    random = np.random.default_rng(5)
    truth = random.random(n)
    frame = pd.DataFrame(
        {
            "one": (truth + random.normal(0, 0.25, n)).round(3),
            "two": (truth + random.normal(0, 0.25, n)).round(2),
            "town": random.choice(["a", "b", "c"], n),
            "noise": random.random(n).round(3),
            "y": np.where(truth > 0.5, "yes", "no"),
        }
    )
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.3, seed=2)


def click_wins(panel: CandidatesPanel) -> None:
    """Opens Figures and clicks “Wins in bootstrap samples”."""
    QTest.mouseClick(panel.show_figures, LEFT)
    menu = panel.figures.menu
    wins = next(action for action in menu.actions() if action.text() == "Wins in bootstrap samples")
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(wins).center())
    menu.close()


@pytest.fixture(autouse=True)
def menus_do_not_block(monkeypatch: pytest.MonkeyPatch, panel: CandidatesPanel) -> None:
    """A button's menu has an event loop of its own, in which no test goes on: it pops up instead."""
    panel.show_figures.setMenu(None)
    panel.show_figures.clicked.connect(lambda: panel.figures.menu.popup(panel.mapToGlobal(QPoint(0, 0))))


def shares(panel: CandidatesPanel) -> dict[str, str]:
    names = column(panel, model.COLUMN)
    return {name: cell(panel, row, figures.WINS) for row, name in enumerate(names)}


def said_by_engine(document: Document, node: int) -> dict[str, str]:
    level = int(document.tree.level[document.tree.position(node)])
    found = engine.stability(document.table, document.tree, node, samples=SAMPLES, max_depth=level + 1)
    return {name: f"{100 * share:.1f} %" for name, share in zip(found.columns, found.wins, strict=True)}


def test_wins_are_those_of_the_engine_at_every_node(qtbot: QtBot, document: Document, panel: CandidatesPanel) -> None:
    document.set_table(rivals())
    settle(qtbot, document)
    assert panel.view.isColumnHidden(figures.WINS) and document.ranking.further.of(further.WINS) == {}
    click_wins(panel)
    settle(qtbot, document)
    assert not panel.view.isColumnHidden(figures.WINS)
    root = shares(panel)
    assert root == said_by_engine(document, 0)
    document.accept(document.candidates[0])
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert document.ranking.further.of(further.WINS) == {}  # what is known of the root is not shown at its branch
    settle(qtbot, document)
    assert document.selected != 0
    assert shares(panel) == said_by_engine(document, document.selected) != root
    click_wins(panel)
    assert panel.view.isColumnHidden(figures.WINS) and document.ranking.further.of(further.WINS) == {}
    assert "bootstrap" not in panel.compared.text()


def test_wins_come_in_slices_and_go_on_where_they_ended(
    qtbot: QtBot, document: Document, panel: CandidatesPanel
) -> None:
    document.set_table(rivals())
    settle(qtbot, document)
    seen: list[int] = []

    def look(what: str, answers: dict[str, Wins]) -> None:
        if what == further.WINS and answers:
            seen.append(next(iter(answers.values())).samples)
            assert sum(one.won for one in answers.values()) == seen[-1]
            assert f" of {seen[-1]} bootstrap samples" in panel.compared.text()

    document.ranking.further.changed.connect(look)
    click_wins(panel)
    qtbot.waitUntil(lambda: len(seen) == 2, timeout=60_000)
    click_wins(panel)
    assert not any(job.key == further.WINS and not job.dropped for job in document.jobs._open)
    settle(qtbot, document)
    assert seen == [25, 50]
    click_wins(panel)
    settle(qtbot, document)
    assert seen[2:] == list(range(50, SAMPLES + 1, 25))


def test_another_criterion_has_other_wins(qtbot: QtBot, document: Document, panel: CandidatesPanel) -> None:
    document.set_table(rivals())
    settle(qtbot, document)
    click_wins(panel)
    settle(qtbot, document)
    document.set_search(**{**document.search, "criterion": "error", "min_leaf": 40})
    assert document.ranking.further.of(further.WINS) == {}
    settle(qtbot, document)
    level = {"samples": SAMPLES, "max_depth": 1, "criterion": "error", "min_leaf": 40}
    found = engine.stability(document.table, document.tree, 0, **level)
    assert {one: float(text.split()[0]) for one, text in shares(panel).items()} == pytest.approx(
        dict(zip(found.columns, 100 * found.wins, strict=True)), abs=0.05
    )


def test_the_sentence_names_the_two_that_win_most(qtbot: QtBot, document: Document, panel: CandidatesPanel) -> None:
    document.set_table(rivals())
    settle(qtbot, document)
    click_wins(panel)
    settle(qtbot, document)
    found = engine.stability(document.table, document.tree, 0, samples=SAMPLES, max_depth=1)
    (most, first), (next_most, second) = sorted(
        ((round(SAMPLES * share), name) for name, share in zip(found.columns, found.wins, strict=True)), reverse=True
    )[:2]
    assert panel.compared.isVisible()
    assert panel.compared.text() == f"{first} wins in {most} of 200 bootstrap samples, {second} in {next_most}."
    panel.view.setFocus()
    row = column(panel, model.COLUMN).index(first)
    event = QHelpEvent(QEvent.Type.ToolTip, middle(panel, row), panel.view.viewport().mapToGlobal(middle(panel, row)))
    QApplication.sendEvent(panel.view.viewport(), event)
    assert f"Wins in {most} of 200" in QToolTip.text().replace("\n", " ")


def test_in_little_height_the_sentence_takes_no_row_of_the_list(
    qtbot: QtBot, document: Document, panel: CandidatesPanel
) -> None:
    document.set_table(rivals())
    settle(qtbot, document)
    click_wins(panel)
    settle(qtbot, document)
    panel.resize(300, 240)
    assert not panel.compared.isVisible()
    panel.resize(480, 240)
    assert panel.compared.isVisible() and panel.compared.height() < 2 * panel.compared.fontMetrics().height()


def test_a_leader_that_wins_in_less_than_half_says_so() -> None:
    some = Wins(90, 200, np.zeros(0))
    assert "less than half: another column is nearly as good" in say.wins_of(some, leads=True)
    assert say.wins_of(some, leads=False) == "Wins in 90 of 200 bootstrap samples."
    assert say.wins_of(Wins(100, 200, np.zeros(0)), leads=True) == "Wins in 100 of 200 bootstrap samples."
    assert say.wins({"a": Wins(25, 25, np.zeros(0)), "b": Wins(0, 25, np.zeros(0))}) == (
        "a wins in 25 of 25 bootstrap samples."
    )
    assert say.wins({"a": Wins(0, 25, np.zeros(0))}) == say.wins({}) == ""


def strip_bars(editor: SplitEditor) -> list[tuple[float, float]]:
    """(place, height) of each bar below 0, from left to right; the height as a share of the highest."""
    low = editor.plot.getViewBox().viewRange()[1][0]
    lines = [item.getData() for item in editor.plot.getPlotItem().curves if item.opts.get("connect") == "pairs"]
    found = [(x[::2], y[1::2] - y[::2]) for x, y in lines if len(y) and y.min() == pytest.approx(low)]
    return [(float(x), float(y / found[0][1].max())) for x, y in zip(*found[0], strict=True)] if found else []


def test_the_cuts_of_the_samples_stand_below_the_bars(
    qtbot: QtBot, document: Document, panel: CandidatesPanel, editor: SplitEditor
) -> None:
    document.set_table(rivals())
    look_at(qtbot, document, "two")
    assert strip_bars(editor) == [] and "samples" not in legend_words(editor)
    assert editor.plot.getViewBox().viewRange()[1][0] == 0
    click_wins(panel)
    settle(qtbot, document)
    cuts = engine.stability(document.table, document.tree, 0, samples=SAMPLES, max_depth=1).cuts("two")
    bars = strip_bars(editor)
    low, high = editor.plot.whole
    assert all(np.abs(cuts - place).min() < (high - low) / 60 for place, _ in bars)
    tallest = max(bars, key=lambda bar: bar[1])[0]
    near = np.abs(cuts[:, None] - cuts) < (high - low) / 50
    assert near.sum(axis=0)[np.abs(cuts - tallest).argmin()] >= np.median(near.sum(axis=0))
    assert "cuts of samples" in legend_words(editor)
    first, last = np.quantile(cuts, (0.25, 0.75), method="inverted_cdf")
    told = f"Cuts of the {round(cuts.size)} of 200 bootstrap samples won by this column: half of them between "
    assert editor.legend.toolTip().startswith(told)
    assert f"{first:.4g} and {last:.4g}."[:5] in editor.legend.toolTip()
    QToolTip.hideText()
    where = spot(editor, float(np.median(cuts)), 0.04)
    event = QHelpEvent(QEvent.Type.ToolTip, where, editor.plot.viewport().mapToGlobal(where))
    QApplication.sendEvent(editor.plot.viewport(), event)
    assert QToolTip.text().startswith(told)
    look_at(qtbot, document, "town")
    assert strip_bars(editor) == [] and "samples" not in legend_words(editor)
    look_at(qtbot, document, "two")
    np.testing.assert_allclose(strip_bars(editor), bars)
    click_wins(panel)
    assert strip_bars(editor) == [] and "samples" not in legend_words(editor)
    assert editor.plot.getViewBox().viewRange()[1][0] == 0


def test_zooming_shows_the_cuts_there_more_finely(
    qtbot: QtBot, document: Document, panel: CandidatesPanel, editor: SplitEditor
) -> None:
    document.set_table(rivals())
    look_at(qtbot, document, "one")
    click_wins(panel)
    settle(qtbot, document)
    cuts = engine.stability(document.table, document.tree, 0, samples=SAMPLES, max_depth=1).cuts("one")
    middle_cut = float(np.median(cuts))
    editor.plot.setXRange(middle_cut - 0.01, middle_cut + 0.01, padding=0)
    qtbot.waitUntil(lambda: all(abs(place - middle_cut) <= 0.01 for place, _ in strip_bars(editor)))
    inside = np.unique(cuts[np.abs(cuts - middle_cut) <= 0.01])
    assert [place for place, _ in strip_bars(editor)] == pytest.approx(list(inside), abs=2e-4)


def test_a_longer_legend_brings_no_scroll_bar(qtbot: QtBot, document: Document, panel: CandidatesPanel) -> None:
    editor = SplitEditor(document)
    put_up(qtbot, editor, 374, 300)
    document.set_table(engine.read_example("concrete"))
    look_at(qtbot, document, "age")
    click_wins(panel)
    settle(qtbot, document)
    assert "cuts of samples" in legend_words(editor)
    assert not editor.findChild(QScrollArea).verticalScrollBar().isVisible()
