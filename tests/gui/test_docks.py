"""The panels in windows of other sizes, and what stays in view there."""

import pytest
from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QApplication, QWidget

from gui import docks
from gui.document import Document
from gui.settings import Settings
from gui.widgets.parts_label import PartsLabel
from gui.window import Window
from tests.gui.asked import give_up

SMALL = (922, 497)  # of a screen with 960 × 540 logical pixels


@pytest.fixture
def make(qtbot, home, flowers):
    def make(size, show_table=True):
        window = Window(Document(), Settings())
        qtbot.addWidget(window, before_close_func=give_up)
        window.resize(*size)
        window.show()
        qtbot.waitExposed(window)
        if show_table:
            window.document.set_table(flowers)
            qtbot.waitUntil(lambda: not window.document.jobs.busy, timeout=60_000)
            settle(qtbot)
        return window

    return make


def settle(qtbot):
    qtbot.wait(20)
    QApplication.processEvents()


@pytest.mark.parametrize("size", [SMALL, (1280, 740), (1600, 1000)])
def test_the_canvas_gets_its_due_at_every_size(make, size):
    window = make(size)
    assert window.size().toTuple() == size
    assert not docks.crowded(window.canvas.size(), window.size())
    for name in ("columns", "candidates", "split_editor", "pruning"):
        assert window.docks[name].isVisible()


def test_panels_behind_others_do_nothing_until_they_are_seen(qtbot, make):
    window = make((1280, 740))
    document, settings, why = window.document, window.docks["search"].widget(), window.docks["why"].widget()
    document.set_criterion("entropy")
    qtbot.waitUntil(lambda: not document.jobs.busy and document.candidate is not None, timeout=60_000)
    settle(qtbot)
    assert not settings.form.rows["criterion"].back.isVisibleTo(settings)
    assert why.text.toPlainText() == ""
    window.docks["search"].raise_()
    window.docks["why"].raise_()
    qtbot.waitUntil(lambda: settings.form.rows["criterion"].back.isVisibleTo(settings))
    qtbot.waitUntil(lambda: why.text.toPlainText() != "")


@pytest.mark.parametrize("kind", ["groups", "m_of_n"])
def test_every_kind_of_split_fits_a_small_window(qtbot, make, kind):
    window = make(SMALL)
    document = window.document
    document.set_search(m_of_n=True)
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    document.select_candidate(next(one for one in document.candidates if one.split and one.split.kind == kind))
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    settle(qtbot)
    assert window.size().toTuple() == SMALL
    assert not docks.crowded(window.canvas.size(), window.size())


def test_a_layout_of_a_large_window_is_made_anew_in_a_small_one(qtbot, make):
    first = make((1600, 1000))
    first.resizeDocks([first.docks["pruning"]], [420], docks.Qt.Orientation.Vertical)
    first.docks["history"].hide()
    settle(qtbot)
    first.close()
    geometry = Settings().value("geometry")
    assert docks.saved_size(geometry) == QSize(1600, 1000)
    second = make((1100, 640))
    assert not docks.crowded(second.canvas.size(), second.size())
    assert not second.docks["history"].isVisible()


def test_a_layout_is_kept_in_a_window_of_its_size(qtbot, make):
    first = make((1500, 900))
    first.resizeDocks([first.docks["pruning"]], [480], docks.Qt.Orientation.Vertical)
    settle(qtbot)
    height = first.docks["pruning"].height()
    assert height > 400
    first.close()
    second = make((1500, 900))
    assert abs(second.docks["pruning"].height() - height) < 12


def test_a_window_that_shrinks_leaves_the_canvas_its_due(qtbot, make):
    window = make((1600, 1000))
    window.resize(1000, 560)
    settle(qtbot)
    assert window.width() == 1000
    qtbot.waitUntil(lambda: not docks.crowded(window.canvas.size(), window.size()))


def test_what_is_no_geometry_has_no_size():
    assert not docks.saved_size(QByteArray()).isValid()
    assert not docks.saved_size(QByteArray(b"nonsense that is long enough to be read")).isValid()


def test_the_size_of_a_saved_geometry(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(431, 217)
    assert docks.saved_size(widget.saveGeometry()) == QSize(431, 217)


@pytest.mark.parametrize(("size", "narrow"), [(SMALL, True), ((1600, 1000), False)])
def test_the_fit_is_always_in_view(qtbot, make, size, narrow):
    window = make(size)
    strip, other = (window.fit_below, window.fit_strip) if narrow else (window.fit_strip, window.fit_below)
    assert strip.isVisible() and not other.isVisible()
    assert strip.text().startswith("1 leaf")
    assert strip.width() >= strip.sizeHint().width(), "a figure that is cut would be another figure"
    assert strip.mapTo(window, strip.rect().bottomRight()).x() <= window.width()
    window.resize(1600 if narrow else SMALL[0], size[1])
    settle(qtbot)
    assert other.isVisible() and not strip.isVisible()


def test_a_line_leaves_whole_parts_out(qtbot):
    label = PartsLabel(" and ")
    qtbot.addWidget(label)
    label.setText("age ≤ 42.5 and city = Berlin and income > 30000")
    width = label.fontMetrics().horizontalAdvance
    for room, shown in (
        (width(label.text()), label.text()),
        (width(label.text()) - 1, "age ≤ 42.5 and city = Berlin …"),
        (width("age ≤ 42.5 …"), "age ≤ 42.5 …"),
        (width("age ≤ 42.5 …") - 1, ""),
    ):
        label.resize(room, 20)
        assert label.shown() == shown
    assert label.minimumSizeHint().width() == 0
