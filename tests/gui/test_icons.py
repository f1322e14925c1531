"""Icons load, take the ink they are given, and follow the theme."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction, QColor, QIcon
from pytestqt.qtbot import QtBot

from gui import icons, theme

EXPECTED = (
    "branch", "boolean", "category", "close", "date", "error", "example", "espalier", "export", "feature",
    "filter", "fit", "go", "grow-level", "hand", "help", "ignore", "info", "integer", "leaf", "lock", "number", "open",
    "ordered", "partition", "paste", "prune", "recent", "redo", "save", "search", "split", "star", "stop",
    "table", "target", "undo", "warning", "weight", "zoom-in", "zoom-out",
)  # fmt: skip


@pytest.fixture
def mode(qtbot: QtBot) -> Iterator[None]:
    """Puts the theme back afterwards."""
    before = theme.watcher().mode
    yield
    theme.set_mode(before)


def inks(picture: QIcon, mode: QIcon.Mode = QIcon.Mode.Normal) -> list[QColor]:
    """The colours of the pixels that were painted."""
    image = picture.pixmap(32, 32, mode).toImage()
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return [pixel for pixel in pixels if pixel.alpha() > 60]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_icon_that_the_window_needs_is_there(qtbot: QtBot, name: str) -> None:
    assert (icons.FOLDER / f"{name}.svg").is_file()
    assert len(inks(icons.icon(name))) > 20


def test_an_icon_takes_the_ink_it_is_given(qtbot: QtBot) -> None:
    solid = [ink for ink in inks(icons.icon("stop", "#D55E00")) if ink.alpha() == 255]
    assert solid and {ink.name() for ink in solid} == {"#d55e00"}


def test_a_disabled_icon_is_fainter(qtbot: QtBot) -> None:
    picture = icons.icon("save")
    strong = max(ink.alpha() for ink in inks(picture))
    faint = max(ink.alpha() for ink in inks(picture, QIcon.Mode.Disabled))
    assert faint < strong / 2


def test_a_picture_has_the_density_of_the_screen(qtbot: QtBot) -> None:
    picture = icons.pixmap("leaf", 20, 2.0)
    assert picture.width() == 40
    assert picture.devicePixelRatio() == 2.0


def test_the_mark_keeps_its_own_colours(qtbot: QtBot) -> None:
    assert len({ink.name() for ink in inks(icons.app_icon())}) > 3


def test_an_action_changes_its_ink_with_the_theme(mode: None, qtbot: QtBot) -> None:
    theme.set_mode("light")
    action = QAction()
    icons.put(action, "open")
    dark_on_light = max(ink.lightness() for ink in inks(action.icon()))
    theme.set_mode("dark")
    assert min(ink.lightness() for ink in inks(action.icon())) > dark_on_light


def test_an_icon_that_is_gone_is_a_slip_of_ours(qtbot: QtBot) -> None:
    with pytest.raises(KeyError, match="there is no icon “spoon”"):
        icons.icon("spoon")
