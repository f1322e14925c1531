"""Colours and letters."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontInfo, QPalette, QRawFont
from PySide6.QtWidgets import QCheckBox, QListWidget, QListWidgetItem

from gui import theme
from gui.widgets.tables import TickCells

BOTH = pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])


pytestmark = pytest.mark.usefixtures("system_again")


@BOTH
def test_text_reads_well_on_every_ground(look):
    for ground in (look.canvas, look.card, look.window, look.button):
        assert theme.contrast(look.text, ground) >= 7
        assert theme.contrast(look.secondary, ground) >= 4.5
    assert theme.contrast(look.accent_text, look.accent) >= 4.5
    assert theme.contrast(look.error, look.window) >= 4.5
    assert theme.contrast(look.warning, look.window) >= 4.5


@BOTH
def test_letters_on_tiles_read_well_at_every_rate(look):
    for root_rate in (0.05, 0.18, 0.5, 0.9):
        for hundredth in range(101):
            fill = look.diverging(hundredth / 100, root_rate)
            assert theme.contrast(theme.ink(fill), fill) >= 4.2


@BOTH
def test_the_scale_is_neutral_at_the_root_rate_and_full_far_away(look):
    assert look.diverging(0.18, 0.18) == look.neutral
    assert look.diverging(0.18, 0.18, ribbon=True) == look.ribbon
    assert look.diverging(0.9, 0.18) == look.positive
    assert look.diverging(0.0, 0.5) == look.negative
    assert look.scale(float("nan")) == look.neutral
    assert look.scale(0.5) not in (look.neutral, look.positive)


@BOTH
def test_classes_are_told_apart(look):
    colours = [look.class_colour(k).name() for k in range(14)]
    assert len(set(colours)) == 14
    assert look.class_colour(14).name() == colours[0]
    assert look.class_colour(1, 2) == look.positive
    assert look.class_colour(1, 2, focus=0) == look.negative


@BOTH
def test_the_palette_carries_the_theme(look):
    made = theme.palette(look)
    assert made.color(QPalette.ColorRole.Window) == look.window
    assert made.color(QPalette.ColorRole.Base) == look.card
    assert made.color(QPalette.ColorRole.Highlight) == look.accent
    disabled = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert theme.contrast(disabled, look.window) < theme.contrast(look.text, look.window)


def test_mixing_goes_from_one_colour_to_the_other():
    black, white = QColor("black"), QColor("white")
    assert theme.mix(black, white, 0.0) == black
    assert theme.mix(black, white, 1.0) == white
    assert theme.mix(black, white, 0.5).red() in (127, 128)


def test_the_watcher_tells_once_for_each_change(qapp, qtbot):
    theme.apply(qapp)
    heard = []
    theme.watcher().changed.connect(lambda: heard.append(theme.current().name))
    start = theme.current()
    other = theme.DARK if start is theme.LIGHT else theme.LIGHT
    theme.set_mode(other.name)
    theme.set_mode(other.name)
    theme.set_mode("system")
    assert heard == [other.name, start.name]


def test_a_change_reaches_the_palette_of_the_application(qapp):
    theme.apply(qapp)
    theme.set_mode("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.DARK.window
    theme.set_mode("light")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.LIGHT.window


def test_in_the_dark_a_box_that_is_not_ticked_can_be_seen(qtbot, qapp):
    """In a form and in a list: it stands out from the ground, and its tick from it."""
    theme.apply(qapp)
    theme.set_mode("dark")
    look, box, rows = theme.DARK, QCheckBox(), QListWidget()
    rows.setItemDelegate(TickCells(rows))
    QListWidgetItem("a condition", rows).setCheckState(Qt.CheckState.Unchecked)
    for widget, ground in ((box, look.window), (rows, look.card)):
        qtbot.addWidget(widget)
        widget.resize(60, 60)
        widget.show()
        qtbot.waitExposed(widget)
        picture = widget.grab(QRect(3, 3, 12, 54)).toImage()
        inks = {picture.pixelColor(x, y).rgb() for x in range(picture.width()) for y in range(picture.height())}
        assert max(theme.contrast(QColor(ink), ground) for ink in inks) >= 2.8
    assert theme.contrast(look.text.darker(120), look.box) >= 2.9


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="sepia"):
        theme.set_mode("sepia")


def test_the_bundled_letters_are_used_and_licensed(qapp):
    assert theme.family() == theme.FAMILY
    for bold in (False, True):
        assert QFontInfo(theme.font(12, bold=bold)).family() == theme.FAMILY
        assert QFontInfo(theme.font(12, bold=bold)).bold() == bold
    assert "SIL Open Font License" in (theme.FONTS / "LICENSE.txt").read_text(encoding="utf-8")


def test_letters_have_the_asked_height_whatever_the_device(qapp):
    for dpi in (72.0, 96.0, 300.0):
        assert theme.font(12, dpi=dpi).pointSizeF() * dpi / 72 == pytest.approx(12, rel=0.01)


@pytest.mark.parametrize("bold", [False, True])
def test_every_letter_on_the_canvas_is_in_the_font(qapp, bold):
    raw = QRawFont.fromFont(theme.font(12, bold=bold))
    absent = [letter for letter in "≤>−–…·∞%{}“”ÄÖÜßéñ" if not raw.glyphIndexesForString(letter)[0]]
    assert not absent
