"""What the candidates panel shows beside the ranking: figures to choose, further optima, two measures, the plot, and
rows that come while the search goes on."""

import threading

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QToolTip

import engine
from gui import theme
from gui.model import tree_tasks
from gui.model.search import further
from gui.panels.this_node import words as say
from gui.panels.this_node.candidates import figures, model
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.candidates.view import LINE_HEIGHT, ROW_HEIGHT
from gui.settings import Settings
from gui.wording import words
from tests.gui.panels.ranked import candidate, cell, column, double_click, middle, settle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, document):
    made = CandidatesPanel(document)
    made.remember(Settings())
    qtbot.addWidget(made)
    made.resize(390, 560)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def filled(qtbot, document, panel, flowers):
    document.set_table(flowers)
    settle(qtbot, document)
    return panel


def twins():
    """A column, its mimic, and noise; "waves" goes up and down, so that it has several good cuts."""
    random = np.random.default_rng(2)
    n = 600
    x = random.random(n).round(3)
    y = (x > 0.5) ^ (random.random(n) < 0.1)
    frame = pd.DataFrame(
        {
            "leader": x,
            "mimic": (x * 10 + random.normal(0, 0.05, n)).round(3),
            "waves": np.where(y, random.choice([1.0, 5.0, 9.0], n), random.choice([3.0, 7.0], n))
            + random.normal(0, 1.1, n).round(2),
            "noise": random.random(n).round(3),
            "y": np.where(y, "yes", "no"),
        }
    )
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.4)


def choose(panel, *names):
    """Opens the menu of the header and clicks entries; "beside:…" stands in the menu of comparisons."""
    header = panel.view.header()
    for name in names:
        at = QPoint(20, header.height() // 2)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, header.viewport().mapToGlobal(at))
        QApplication.sendEvent(header.viewport(), event)
        menu = panel.figures.menu
        assert menu.isVisible()
        if name.startswith("beside:"):
            below = next(action.menu() for action in menu.actions() if action.menu() is not None)
            menu.setActiveAction(below.menuAction())
            QTest.keyClick(menu, Qt.Key.Key_Right)
            wanted = name.removeprefix("beside:")
            action = next(a for a in below.actions() if wanted in (a.text(), a.objectName().removeprefix("figure_")))
            QTest.mouseClick(below, LEFT, pos=below.actionGeometry(action).center())
        else:
            action = next(a for a in menu.actions() if a.objectName() == f"figure_{name}")
            QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
            assert menu.isVisible(), "the next figure is chosen without opening it again"
        menu.close()


def shown(panel):
    """The headers that are in the list, from left to right."""
    sections = range(len(model.HEADERS))
    return [model.HEADERS[section] for section in sections if not panel.view.isColumnHidden(section)]


def test_the_model_keeps_its_promises(qapp):
    rows, order = model.CandidateModel(), model.CandidateOrder()
    order.setSourceModel(rows)
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(rows, fatal), QAbstractItemModelTester(order, fatal)]
    first, second = candidate(gain=0.5), candidate(gain=0.2)
    rows.show([first], {}, complete=False)
    rows.append([second, candidate(reason="one value only")])
    rows.show([first, second], {}, criterion="gini")
    rows.learn(further.OPTIMA, {"age": (candidate(gain=0.3), candidate(gain=0.1))})
    rows.learn(further.AHEAD, {"age": 0.7})
    rows.learn(further.AGREEMENT, {"age": 1.0})
    rows.compare(model.LOGWORTH)
    order.sort(model.GAIN, Qt.SortOrder.AscendingOrder)
    rows.set_stale(True)
    assert rows.rowCount(rows.index(0, 0)) == 2
    rows.show([], {})
    del testers


@pytest.mark.parametrize("width", [320, 390, 460, 700])
def test_figures_without_room_stand_below_and_the_list_never_scrolls_sideways(qtbot, filled, document, width):
    filled.resize(width, 560)
    choose(filled, "logworth", "branches", "balance", "missing")
    view = filled.view
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(0, 0)).height() >= ROW_HEIGHT)
    assert view.horizontalScrollBar().maximum() == 0
    first = view.model().index(0, 0)
    below = view.line_below(first)
    for section in filled._sections():
        header, text = figures.HEADERS[section], cell(filled, 0, section)
        assert (header in shown(filled)) != (f"{header} {text}" in below)
    assert below.startswith("LogWorth ") if width == 390 else not below if width == 700 else below
    second = ROW_HEIGHT + LINE_HEIGHT
    qtbot.waitUntil(lambda: view.visualRect(first).height() == (second if below else ROW_HEIGHT))


@pytest.mark.parametrize("width", [320, 380, 390, 400])
def test_a_bar_is_drawn_in_little_width(qtbot, filled, width):
    filled.resize(width, 560)
    view = filled.view
    room = view.visualRect(view.model().index(1, model.GAIN)).adjusted(8, 0, -filled.view.bars.beside, 0)
    assert room.width() >= 12
    ink = theme.current().training
    qtbot.waitUntil(lambda: view.viewport().grab().toImage().pixelColor(room.left() + 1, room.center().y() - 2) == ink)


def test_figures_are_chosen_in_the_menu_of_the_header_and_remembered(qtbot, filled, document):
    filled.resize(900, 560)
    assert shown(filled) == ["Column", "Split", "Gain", "Of best", "Validation"]
    choose(filled, "logworth", "balance", "missing", "entropy", "validation")
    assert shown(filled) == ["Column", "Split", "Gain", "Of best", "LogWorth", "Smallest", "Missing", "Entropy"]
    best = document.candidates[0]
    assert cell(filled, 0, figures.BALANCE) == f"{100 * min(best.rows) / sum(best.rows):.1f} %"
    assert cell(filled, 0, figures.SECTIONS["entropy"]) == f"{best.scores['entropy']:.4f}"
    soil = column(filled, model.COLUMN).index("soil")
    assert cell(filled, soil, figures.MISSING) == str(document.candidates[soil].missing) != "0"
    again = CandidatesPanel(document)
    qtbot.addWidget(again)
    again.resize(900, 560)
    again.remember(Settings())
    assert shown(again) == shown(filled)


def test_the_keys_show_where_they_are(qtbot, filled):
    with qtbot.waitActive(filled):
        filled.activateWindow()
    filled.view.setFocus()
    assert filled.show_figures.isFlat()
    filled.show_figures.setFocus(Qt.FocusReason.TabFocusReason)
    assert not filled.show_figures.isFlat()
    qtbot.keyClick(filled.show_figures, Qt.Key.Key_Tab)
    assert filled.show_figures.isFlat()


def test_the_menu_offers_what_makes_sense_for_the_target(filled, document):
    filled.figures.menu.aboutToShow.emit()
    names = [action.objectName().removeprefix("figure_") for action in filled.figures.menu.actions()]
    assert "gini" not in names  # it stands in "Gain"
    assert {"entropy", "gain_ratio", "error", "sqrt"} <= set(names)
    assert "squared_error" not in names


def test_a_mimic_shows_as_redundant(qtbot, panel, document):
    document.set_table(twins())
    settle(qtbot, document)
    assert all(cell(panel, row, figures.AGREEMENT) in ("leads", "–") for row in range(4))
    choose(panel, "agreement", "next")
    qtbot.waitUntil(lambda: not document.jobs.busy)
    names = column(panel, model.COLUMN)
    assert set(names[:2]) == {"leader", "mimic"}
    assert [cell(panel, row, figures.AGREEMENT)[:2] for row in (0, 1)] == ["le", "≈ "]
    assert "≈" not in cell(panel, names.index("noise"), figures.AGREEMENT)
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=middle(panel, 1))
    assert "a mimic, one of the two is redundant" in panel.remark.text()
    assert panel.remark.isVisible()
    gains = [one.gain for one in document.candidates]
    assert cell(panel, 0, figures.TO_NEXT) == f"{gains[0] / gains[1]:.2f} ×"
    assert cell(panel, len(gains) - 1, figures.TO_NEXT) == "–"


def test_agreement_is_worked_out_only_where_it_is_shown(qtbot, filled, document):
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert document.ranking.further.of(further.AGREEMENT) == {}
    choose(filled, "agreement")
    qtbot.waitUntil(lambda: len(document.ranking.further.of(further.AGREEMENT)) == 3)


def test_further_optima_unfold_and_one_is_accepted(qtbot, panel, document):
    document.set_table(twins())
    settle(qtbot, document)
    row = column(panel, model.COLUMN).index("waves")
    above = panel.view.model().index(row, 0)
    assert panel.view.model().rowCount(above) > 0
    assert not panel.view.isExpanded(above)
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=middle(panel, row))
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Right)
    assert panel.view.isExpanded(above)
    below = panel.view.model().index(0, 0, above)
    assert below.data() == "2nd best"
    place = panel.view.visualRect(below)
    assert 0 < place.top() < panel.view.viewport().height()
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    further_one = below.data(model.CANDIDATE)
    assert document.preview is further_one is document.candidate
    assert further_one.gain <= above.data(model.CANDIDATE).gain
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    assert document.tree.split_at(0) == further_one.split


def test_the_triangle_unfolds_too(qtbot, panel, document):
    document.set_table(twins())
    settle(qtbot, document)
    row = column(panel, model.COLUMN).index("waves")
    above = panel.view.model().index(row, 0)
    place = panel.view.visualRect(above)
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=QPoint(place.left() - 8, place.center().y()))
    assert panel.view.isExpanded(above)


def test_in_a_large_node_a_column_unfolds_once_it_is_looked_at(qtbot, panel, document, monkeypatch):
    monkeypatch.setattr(further, "FEW", 0)
    document.set_table(twins())
    settle(qtbot, document)
    row = column(panel, model.COLUMN).index("waves")
    rows = panel.view.model()
    assert rows.rowCount(rows.index(row, 0)) == 0
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=middle(panel, row))
    qtbot.waitUntil(lambda: rows.rowCount(rows.index(row, 0)) > 0)
    assert panel.view.currentIndex().row() == row


def test_two_measures_stand_side_by_side_and_their_winners_are_marked(qtbot, filled, document):
    assert not filled.compared.isVisible()
    choose(filled, "beside:gain_ratio")
    section = figures.SECTIONS["gain_ratio"]
    assert "Ratio" in shown(filled)
    ratios = [one.scores["gain_ratio"] for one in document.candidates]
    assert [cell(filled, row, section).startswith("★") for row in range(3)] == [r == max(ratios) for r in ratios]
    assert [cell(filled, row, model.GAIN).startswith("★") for row in range(3)] == [True, False, False]
    names = [one.column for one in document.candidates]
    other = names[ratios.index(max(ratios))]
    expected = (
        f"Gini and Gain ratio agree on {other}."
        if other == names[0]
        else f"They disagree: Gini prefers {names[0]}, Gain ratio prefers {other}."
    )
    assert filled.compared.isVisible() and filled.compared.text() == expected
    choose(filled, "beside:Nothing")
    assert not filled.compared.isVisible()
    assert not any("★" in text for text in column(filled, model.GAIN))


def test_the_plot_names_previews_and_chooses(qtbot, filled, document):
    plot = filled.plot
    assert plot.isVisible() and plot.height() == 56
    best = document.candidates[0]
    assert plot.place(0).y() < plot.place(2).y()  # the more it gains, the higher it stands
    qtbot.mouseMove(plot, plot.place(1).toPoint())
    qtbot.waitUntil(lambda: document.preview is document.candidates[1])
    assert document.candidates[1].column in plot.caption()
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert document.preview is None and "1." not in plot.caption()
    assert document.candidate is best
    qtbot.mouseClick(plot, LEFT, pos=plot.place(2).toPoint())
    assert document.candidate is document.candidates[2] is document.preview
    assert filled.view.currentIndex().row() == 2
    at = plot.rect().center()
    QApplication.sendEvent(plot, QHelpEvent(QEvent.Type.ToolTip, at, plot.mapToGlobal(at)))
    assert plot.words() in QToolTip.text()
    QToolTip.hideText()


def test_a_place_far_from_all_dots_is_no_rank(filled):
    assert filled.plot.rank_at(QPointF(filled.plot.width() - 1, 30)) == -1


@pytest.mark.parametrize(
    ("gains", "brief", "words"),
    [
        ([0.30, 0.10, 0.05], "3.00 × the next", "A cliff: a gains 3.00 times as much as the next."),
        ([0.30, 0.29, 0.28], "3 nearly equal", "A plateau: a, b, c gain nearly the same (within 10 %)."),
        ([0.30, 0.25, 0.05], "1.20 × the next", "A slope: a gains 1.20 times as much as the next, b."),
        ([0.30, 0.0, 0.0], "only one gains", "A cliff: only a gains."),
        ([0.0, 0.0, 0.0], "", "No split gains yet"),
    ],
)
def test_cliffs_and_plateaus_in_words(gains, brief, words):
    assert say.brief_landscape(gains) == brief
    assert say.landscape("abc", gains).startswith(words)


def test_a_gain_that_is_lost_is_coloured_and_said(qtbot, panel, document):
    random = np.random.default_rng(7)
    n = 3000
    level = random.choice([f"shop {i:03}" for i in range(600)], n)  # 600 levels learn the noise by heart
    x = random.random(n).round(2)
    y = np.where(random.random(n) < 0.3 + 0.4 * (x > 0.5), "yes", "no")
    frame = pd.DataFrame({"shop": level, "x": x, "y": y})
    document.set_table(engine.Table.from_frame(frame, target="y").with_partition(validation=0.4))
    settle(qtbot, document)
    row = column(panel, model.COLUMN).index("shop")
    index = panel.view.model().index(row, model.VALIDATION)
    assert index.data(Qt.ItemDataRole.ForegroundRole) == QColor(theme.current().warning)
    assert str(index.data(Qt.ItemDataRole.AccessibleTextRole)).endswith(", does not survive")
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=middle(panel, row))
    table, split = document.table, panel.view.source.candidates[row].split
    branch = engine.branch_of_rows(split, table, np.arange(n))
    first = pd.Series(y == table.classes[0]).groupby([table.part, branch]).mean()
    before, after = (
        " | ".join(words.percent(first[part, b]) for b in (0, 1)) for part in (engine.TRAIN, engine.VALIDATION)
    )
    assert panel.remark.isVisible()
    assert panel.remark.text() == f"Reversed on the 1,200 validation rows: {before} → {after}."
    other = panel.view.model().index(column(panel, model.COLUMN).index("x"), model.VALIDATION)
    assert other.data(Qt.ItemDataRole.ForegroundRole) is None


def test_a_second_level_fills_in_from_the_background(qtbot, panel, document, xor):
    document.set_table(xor)
    settle(qtbot, document)
    choose(panel, "ahead")
    qtbot.waitUntil(lambda: column(panel, model.AHEAD) == ["0.5000", "0.5000"])
    assert "one level below: 0.5000" in panel.view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_what_is_locked_stays_in_the_list_with_its_reason(qtbot, filled, document):
    document.set_search(locked=("width",))
    settle(qtbot, document)
    assert column(filled, model.COLUMN)[-1] == "width"
    assert cell(filled, 2, model.SPLIT) == "locked"
    double_click(qtbot, filled, 2)
    assert not document.edits.running


def test_first_rows_come_before_the_last_column_and_do_not_move(qtbot, panel, document, flowers, monkeypatch):
    search, go_on = tree_tasks.candidates, [threading.Event(), threading.Event()]

    def slow(state, node, options, progress, found):
        all_found = search(state, node, options, progress)
        for one, gate in zip(reversed(all_found), [*go_on, None], strict=True):  # the worst first
            found(one)
            while gate is not None and not gate.wait(0.01):
                progress.report(0.5)
        return all_found

    monkeypatch.setattr(tree_tasks, "candidates", slow)
    document.set_table(flowers)
    rows = panel.view.model()
    qtbot.waitUntil(lambda: rows.rowCount() == 1)
    assert document.candidates is None
    first = cell(panel, 0, model.COLUMN)
    assert panel.view.isVisible() and not panel.plot.isVisible()
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=middle(panel, 0))
    chosen = document.candidate
    assert chosen.column == first and document.preview is chosen
    go_on[0].set()
    qtbot.waitUntil(lambda: rows.rowCount() == 2)
    assert cell(panel, 0, model.COLUMN) == first
    go_on[1].set()
    settle(qtbot, document)
    assert column(panel, model.COLUMN) == [one.column for one in document.candidates]
    assert cell(panel, 2, model.COLUMN) == first
    assert document.candidate is chosen  # what was chosen meanwhile stays chosen
    assert panel.view.currentIndex().row() == 2
    assert panel.plot.isVisible()


def test_another_node_ends_what_is_found_out_about_the_last(qtbot, filled, document, monkeypatch):
    choose(filled, "agreement")
    qtbot.waitUntil(lambda: not document.jobs.busy)
    document.accept(document.candidates[0])
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    assert document.ranking.further.of(further.AGREEMENT) == {}
    settle(qtbot, document)
    usable = [one.column for one in document.candidates if one.split is not None]
    assert set(document.ranking.further.of(further.AGREEMENT)) == set(usable)


@pytest.mark.parametrize("width", [330, 390, 430])
def test_nothing_is_cut_off_at_the_usual_width(qtbot, panel, document, width):
    table = twins()
    document.set_table(table)
    settle(qtbot, document)
    panel.resize(width, 560)
    for section in (model.COLUMN, model.SPLIT, model.GAIN, model.VALIDATION):
        place = panel.view.visualRect(panel.view.model().index(0, section))
        assert place.right() <= panel.view.viewport().width()
        if section >= model.GAIN:
            texts = [cell(panel, row, section) for row in range(4)]
            widest = max(panel.view.fontMetrics().horizontalAdvance(text) for text in texts)
            assert widest + 6 <= place.width()
