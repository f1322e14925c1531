"""The impurity of any p, q and r: sliders and fields, the drops by every criterion, and the figure as a file."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu

from gui.dialogs.shares_dialog import SharesDialog
from gui.panels.this_node.why.figure import of_shares
from gui.widgets import figure_files
from tests import naive
from tests.gui.acting import do, rest, type_path
from tests.gui.asked import when_asked

LEFT = Qt.MouseButton.LeftButton
CRITERIA = ("gini", "entropy", "sqrt", "error")


@pytest.fixture
def dialog(qtbot):
    made = SharesDialog()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def retype(dialog, name, text):
    field = dialog.fields[name]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Tab)


def cells(dialog):
    rows = range(dialog.model.rowCount())
    return {dialog.model.index(k, 0).data(): [dialog.model.index(k, c).data() for c in range(1, 6)] for k in rows}


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_drop_is_that_of_rows_with_these_shares(criterion):
    """Against counts of whole rows: 1000 in the node."""
    for first, second, ones, others in itertools.product((200, 500), (300, 500), (0, 37, 100), (100, 250)):
        n = first + second
        p, r, q = ones / first, others / second, (ones + others) / n
        shown = of_shares(criterion, p, q, r)
        node, left, right = ([ones + others, n - ones - others], [ones, first - ones], [others, second - others])
        below = (first * naive.impurity(criterion, left) + second * naive.impurity(criterion, right)) / n
        assert shown.drop == pytest.approx(max(naive.impurity(criterion, node) - below, 0), abs=1e-12)
        assert (shown.node.y - shown.mean) / shown.scale == pytest.approx(shown.drop, abs=1e-12)
        if p != r:
            assert [point.share for point in shown.branches] == pytest.approx([first / n, second / n])


def test_a_field_and_its_slider_say_the_same_and_the_table_has_every_criterion(dialog):
    retype(dialog, "p", "0.1")
    retype(dialog, "r", "0.7")
    assert dialog.sliders["p"].value() == 100 and dialog.sentence.text().startswith("33.3\u00a0% of the rows")
    found = cells(dialog)
    assert found["Gini"] == ["0.5000", "0.1800", "0.4200", "0.3400", "0.1600"]
    assert found["Entropy"][0] == "1.000" and found["Error"][-1] == "0.2667"
    dialog.sliders["q"].setFocus()
    QTest.keyClick(dialog.sliders["q"], Qt.Key.Key_End)
    assert dialog.fields["q"].value() == 0.7  # no more than r
    assert cells(dialog)["Gini"][-1] == "0"


def test_q_gives_way_to_p_and_r(dialog):
    retype(dialog, "p", "0.6")
    assert dialog.fields["q"].value() == 0.6
    retype(dialog, "r", "0.3")
    assert dialog.fields["q"].value() == 0.6 and dialog.fields["p"].value() == 0.6
    retype(dialog, "p", "0.3")
    assert dialog.fields["q"].value() == 0.3 and dialog.figure.shown.drop == 0


def test_a_row_of_the_table_chooses_the_curve_and_the_axis_has_its_unit(dialog):
    place = [dialog.model.index(k, 0).data() for k in range(dialog.model.rowCount())].index("Entropy")
    QTest.mouseClick(dialog.table.viewport(), LEFT, pos=dialog.table.visualRect(dialog.model.index(place, 0)).center())
    assert dialog.figure.shown.chosen == "entropy"
    axis = dialog.figure.getAxis("left")
    assert [text for _, text in axis._tickLevels[0]] == ["1.000", "0.614", "0.000"]
    assert axis.labelText == "impurity in bits"


@pytest.mark.parametrize("suffix", figure_files.SUFFIXES)
def test_the_figure_is_written(dialog, suffix, tmp_path):
    content = figure_files.drawn(dialog.figure, suffix)
    if suffix == ".png":
        image = QImage.fromData(content)
        assert image.width() == 3 * dialog.figure.viewport().width()
        pixels = np.array(image.convertToFormat(QImage.Format.Format_RGB32).constBits()).reshape(image.height(), -1)
        assert len(np.unique(pixels)) > 2
    elif suffix == ".svg":
        assert QSvgRenderer(content).isValid() and b"share of one class" in content and b"<image" not in content
    else:
        assert content.startswith(b"%PDF")


def test_it_opens_without_a_table_and_its_figure_is_exported(qtbot, window, tmp_path):
    do(window, "shares")
    dialog = window.findChild(SharesDialog)
    chosen = when_asked(type_path(tmp_path / "impurity"), QFileDialog)
    qtbot.mouseClick(dialog.findChild(object, "shares_export"), LEFT)
    rest(qtbot, window)
    assert chosen and (tmp_path / "impurity.svg").read_bytes().startswith(b"<?xml")
    dialog.close()


def test_why_exports_its_figure_and_goes_on_with_its_shares(qtbot, full, tmp_path):
    why = full.show_panel("why")
    rest(qtbot, full)
    qtbot.mouseClick(why.head.tabs["figure"], LEFT)
    qtbot.waitUntil(lambda: why.figure.shown is not None)
    shown = why.figure.shown
    qtbot.mouseClick(why.head.more, LEFT)
    menu = next(each for each in why.findChildren(QMenu) if each.isVisible())
    chosen = when_asked(type_path(tmp_path / "why.png"), QFileDialog)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[0]).center())
    rest(qtbot, full)
    assert chosen and (tmp_path / "why.png").exists()
    qtbot.mouseClick(why.head.more, LEFT)
    menu = next(each for each in why.findChildren(QMenu) if each.isVisible())
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[1]).center())
    dialog = full.findChild(SharesDialog)
    assert dialog.figure.shown.drop == pytest.approx(shown.drop)
    assert [point.x for point in dialog.figure.shown.branches] == pytest.approx([point.x for point in shown.branches])
    dialog.close()


def test_the_axis_of_why_says_node_and_chord(qtbot, full):
    why = full.show_panel("why")
    rest(qtbot, full)
    full.resize(1280, 900)
    full.places.enlarge("split")
    qtbot.mouseClick(why.head.tabs["figure"], LEFT)
    qtbot.waitUntil(lambda: why.figure.shown is not None)
    shown, (marks, _) = why.figure.shown, why.figure.getAxis("left")._tickLevels
    said = {height: f"{height / shown.scale:.3f}" for height in (shown.node.y, shown.mean, 0.0)}
    assert len(marks) >= 2 and dict(marks).items() <= said.items()  # as far as they have room
