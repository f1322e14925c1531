"""Plots as all panels have them: their letters are those of the window."""

import pyqtgraph
import pytest
from PySide6.QtGui import QGuiApplication

from gui import theme
from gui.widgets import plotting
from tests.gui.acting import put_up


@pytest.fixture
def plot(qtbot):
    made = pyqtgraph.PlotWidget()
    plotting.set_up(made, "plot", "A plot")
    plotting.name_axis(made.getAxis("left"), "gain")
    made.plot([0, 1, 2], [0.1, 0.3, 0.2])
    put_up(qtbot, made, 400, 300)
    yield made
    theme.set_text_size(100)


def letters(plot: pyqtgraph.PlotWidget) -> set[float]:
    axes = [plot.getAxis(side) for side in ("left", "bottom")]
    return {axis.style["tickFont"].pointSizeF() for axis in axes} | {axes[0].label.font().pointSizeF()}


def test_axes_have_the_letters_of_the_window(qtbot, plot):
    usual = QGuiApplication.font().pointSizeF()
    assert letters(plot) == {usual}
    width = plot.getAxis("left").width()
    theme.set_text_size(200)  # of View ▸ Text size, and of presenting
    qtbot.waitUntil(lambda: letters(plot) == {2 * usual})
    qtbot.waitUntil(lambda: plot.getAxis("left").width() > 1.4 * width)
    theme.set_text_size(100)
    qtbot.waitUntil(lambda: letters(plot) == {usual})


def test_names_in_a_plot_keep_up_with_the_letters_of_the_window(qtbot, plot):
    usual, names = QGuiApplication.font().pointSizeF(), [pyqtgraph.TextItem("best"), pyqtgraph.TextItem("cut")]
    strong = names[1].textItem.font()
    strong.setBold(True)
    names[1].setFont(strong)
    for name in names:
        plot.addItem(name)
    theme.set_text_size(200)
    qtbot.waitUntil(lambda: {name.textItem.font().pointSizeF() for name in names} == {2 * usual})
    assert [name.textItem.font().bold() for name in names] == [False, True]
    theme.set_text_size(100)
    qtbot.waitUntil(lambda: {name.textItem.font().pointSizeF() for name in names} == {usual})
