"""In little room and with large letters: numbers stay whole, rows and headers are read, and a wide place is used."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QToolTip
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.panels.this_node.candidates import figures, view
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.split.readings import BELOW_BEST, P, SplitFigures, SplitTitle, brief_p_words, p_words
from gui.panels.this_node.why.panel import WhyPanel
from tests.gui.acting import put_up
from tests.gui.panels.ranked import cell, settle


@pytest.fixture
def document() -> Document:
    return Document()


@pytest.fixture
def large_letters():
    theme.set_text_size(200)
    yield
    theme.set_text_size(100)


def loans(validation: float = 0.3) -> engine.Table:
    random = np.random.default_rng(0)
    n = 3000
    duration = random.normal(size=n) / 1000
    frame = pd.DataFrame(
        {
            "duration of the loan": duration, "income per year": duration + random.normal(size=n) / 1000,
            "installment rate in percent": random.integers(1, 5, n),
        }
    )  # fmt: skip
    frame["state"] = np.where(duration > 4e-5, "good", "bad")
    table = engine.Table.from_frame(frame, target="state")
    return table.with_partition(validation=validation, seed=1) if validation else table


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> CandidatesPanel:
    panel = CandidatesPanel(document)
    put_up(qtbot, panel, 380, 300)
    document.set_table(loans())
    settle(qtbot, document)
    return panel


def a_draft(logworth: float, below: float = 0.902, gain: float = 0.2931):
    weighed = SimpleNamespace(
        split=object(), gain=gain, validation_gain=gain, logworth=logworth, scores={"gini": gain}
    )  # fmt: skip
    return SimpleNamespace(weighed=weighed, below_best=below)


def whole(label: QLabel) -> bool:
    return label.fontMetrics().horizontalAdvance(label.text()) <= label.width()


def test_a_tiny_p_value_is_said_in_less_room_and_never_cut() -> None:
    assert p_words(4871.676) == "2.109·10⁻⁴⁸⁷²"
    assert brief_p_words(4871.676) == "< 10⁻⁴⁸⁷¹"
    assert brief_p_words(12.3) == p_words(12.3)
    assert brief_p_words(math.nan) == "–"


@pytest.mark.parametrize("width", [220, 260, 300, 330, 360, 400, 600])
@pytest.mark.parametrize("logworth", [0.5, 48.2, 4871.676])
def test_no_figure_of_a_split_is_cut(qtbot: QtBot, width: int, logworth: float) -> None:
    shown = SplitFigures()
    put_up(qtbot, shown, width, 80)
    shown.show_draft(a_draft(logworth, gain=2.215e-5), "{share} below the best cut")
    qtbot.wait(10)
    labels = [label for label in shown.labels if label.isVisible()]
    assert len(labels) >= 4
    assert all(map(whole, labels))
    if shown.labels[P].isVisible():
        assert shown.labels[P].text() in (p_words(logworth), brief_p_words(logworth))
    assert shown.labels[P].toolTip().startswith(p_words(logworth))


def test_below_best_says_of_what(qtbot: QtBot) -> None:
    shown = SplitFigures()
    put_up(qtbot, shown, 400, 80)
    shown.show_draft(a_draft(3.0), "{share} below the best cut")
    assert shown.labels[BELOW_BEST].text() == "90.2 %"
    assert shown.labels[BELOW_BEST].toolTip().startswith("90.2 % below the best cut\n")


@pytest.mark.parametrize("room", [100, 120, 170, 300])
def test_a_title_keeps_its_number(qtbot: QtBot, room: int) -> None:
    title = SplitTitle()
    qtbot.addWidget(title)
    title.show_parts("duration of the loan", "≤ 4.17178e-05")
    shown = title.shortened(title.fontMetrics(), room)
    assert shown.endswith("≤ 4.17178e-05")
    assert all(title.fontMetrics().horizontalAdvance(line) <= room for line in shown.split("\n"))


@pytest.mark.parametrize("room", range(110, 250, 10))
def test_a_name_keeps_eight_letters_beside_its_groups_or_a_line(qtbot: QtBot, room: int) -> None:
    title = SplitTitle()
    qtbot.addWidget(title)
    title.show_parts("owner home", "{False} | {True}")
    name = title.shortened(title.fontMetrics(), room).replace("\n", " ").removesuffix(" {False} | {True}")
    assert len(name) >= 8


@pytest.mark.parametrize("width", [260, 700])
def test_the_editor_shows_its_whole_name_and_leaves_room_beside_the_scroll_bar(
    qtbot: QtBot, document: Document, width: int
) -> None:
    editor = SplitEditor(document)
    put_up(qtbot, editor, width, 200)
    document.set_table(loans())
    settle(qtbot, document)
    qtbot.waitUntil(lambda: editor.split.isVisible() and document.curve is not None)
    title, bar = editor.title, editor.findChild(QScrollArea).verticalScrollBar()
    assert title.shortened(title.fontMetrics(), title.width()).startswith("duration of the loan")
    assert (title.geometry().bottom() < editor.split.geometry().top()) == (width == 260)
    assert bar.isVisible()
    for part in (editor.split, editor.plot, editor.branches):
        right = part.mapToGlobal(QPoint(part.width(), 0)).x()
        assert right + 8 == bar.mapToGlobal(QPoint(0, 0)).x(), part.objectName()


def test_rows_and_headers_are_read_with_large_letters(qtbot: QtBot, large_letters, panel: CandidatesPanel) -> None:
    panel.resize(460, panel.minimumSizeHint().height())
    qtbot.wait(20)
    rows = panel.view
    first = rows.visualRect(rows.model().index(0, 0))
    assert first.height() >= rows.fontMetrics().height() + 4
    assert rows.viewport().height() >= 2 * rows.row_height
    header, metrics = rows.header(), rows.fontMetrics()
    for section in range(header.count()):
        if not header.isSectionHidden(section):
            text = rows.model().headerData(section, header.orientation())
            assert metrics.horizontalAdvance(text) <= header.sectionSize(section)


@pytest.mark.parametrize("width", [320, 380, 460])
def test_a_cut_is_rounded_before_it_is_cut_off(qtbot: QtBot, panel: CandidatesPanel, width: int) -> None:
    panel.resize(width, 400)
    qtbot.wait(10)
    rows = panel.view
    for row in range(rows.model().rowCount()):
        index = rows.model().index(row, figures.SPLIT)
        split, text = index.data(view.model.CANDIDATE).split, index.data()
        shown = view.rounded(split, text)
        assert rows.fontMetrics().horizontalAdvance(shown) + 6 <= rows.columnWidth(figures.SPLIT)


@pytest.mark.parametrize("width", [384, 420])
def test_a_name_of_sixteen_letters_is_read_beside_its_cut(qtbot: QtBot, document: Document, width: int) -> None:
    panel, random = CandidatesPanel(document), np.random.default_rng(0)
    put_up(qtbot, panel, width, 300)
    frame = pd.DataFrame({"Report delay day": random.integers(0, 90, 3000), "Costs of repairs": random.random(3000)})
    frame["day"] = pd.Timestamp("2022-01-01") + pd.to_timedelta(random.integers(0, 900, 3000), "D")
    frame["state"] = np.where(frame["Report delay day"] + 9 * random.normal(size=3000) > 31, "good", "bad")
    document.set_table(engine.Table.from_frame(frame, target="state").with_partition(validation=0.3, seed=1))
    settle(qtbot, document)
    qtbot.wait(10)
    rows = panel.view
    for row in range(rows.model().rowCount()):
        name, split = (rows.model().index(row, section) for section in (figures.COLUMN, figures.SPLIT))
        advance = rows.fontMetrics().horizontalAdvance
        assert advance(name.data()) + 2 * view.TEXT_MARGIN <= rows.parted(name) - rows.visualRect(name).left() + 1
        shown = view.rounded(split.data(view.model.CANDIDATE).split, split.data())
        assert advance(shown) + 2 * view.TEXT_MARGIN <= rows.visualRect(split).right() - rows.parted(name)


def test_a_figure_of_which_nothing_is_known_gives_its_room_to_names(
    qtbot: QtBot, document: Document, panel: CandidatesPanel
) -> None:
    assert not panel.view.isColumnHidden(figures.VALIDATION) or figures.VALIDATION in panel.view.below
    names = panel.view.columnWidth(figures.COLUMN)
    document.set_table(loans(validation=0))
    settle(qtbot, document)
    qtbot.wait(10)
    assert panel.view.isColumnHidden(figures.VALIDATION) and figures.VALIDATION not in panel.view.below
    assert panel.view.columnWidth(figures.COLUMN) >= names


def test_a_wide_place_is_used_and_shows_percent_of_the_best(qtbot: QtBot, panel: CandidatesPanel) -> None:
    panel.resize(1200, 600)
    qtbot.wait(10)
    assert panel.view.header().length() >= 0.95 * panel.view.viewport().width()
    assert not panel.view.isColumnHidden(figures.OF_BEST)
    gains = [one.gain for one in panel.view.source.usable]
    assert cell(panel, 0, figures.OF_BEST) == "100.0 %"
    assert cell(panel, 1, figures.OF_BEST) == f"{100 * gains[1] / gains[0]:.1f} %"
    assert f"{100 * gains[1] / gains[0]:.1f} % of the best" in panel.view.source.explanation(
        panel.view.source.usable[1]
    )


def test_a_tooltip_stands_beside_its_row(qtbot: QtBot, monkeypatch, panel: CandidatesPanel) -> None:
    told: list[QPoint] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, *more: told.append(at))
    rows = panel.view
    panel.move(400, 100)
    place = rows.visualRect(rows.model().index(1, 0))
    at = place.center()
    QApplication.sendEvent(rows.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, rows.viewport().mapToGlobal(at)))
    row = rows.viewport().mapToGlobal(place.topLeft())
    assert told and told[0].x() < row.x() and abs(told[0].y() - row.y()) <= place.height()


def test_no_criterion_sees_the_first_split_of_xor(qtbot: QtBot, document: Document) -> None:
    why = WhyPanel(document)
    put_up(qtbot, why, 380, 400)
    frame = pd.DataFrame({"x1": [0, 0, 1, 1] * 25, "x2": [0, 1, 0, 1] * 25, "y": ["no", "yes", "yes", "no"] * 25})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    settle(qtbot, document)
    qtbot.waitUntil(lambda: "No criterion sees a gain: both branches keep 50 % “yes”." in why.text.toPlainText())
