"""The guided tour: it asks, waits for the person's own act, tells what came of it, and can be left at any time."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from gui.help.tour import STEPS
from gui.window.places import PLACES
from gui.window.window import Window
from tests.gui.acting import SIZE, do, rest
from tests.gui.panels.ranked import double_click, middle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def touring(qtbot, kept_window) -> Window:
    kept_window.resize(*SIZE)
    kept_window.show()
    qtbot.waitExposed(kept_window)
    do(kept_window, "tour")
    assert kept_window.tour.isVisible()
    yield kept_window
    kept_window.tour.end()


def told(qtbot, window: Window, step: int) -> None:
    """Waits until the tour has seen that a step is done."""
    tour = window.tour
    qtbot.waitUntil(lambda: tour.text.text() == STEPS[step].tells, timeout=60_000)
    assert tour.next.text() in ("Next", "Finish")


def place_pointed_at(window: Window) -> QRect:
    pointer = window.findChild(QWidget, "tour_pointer")
    return pointer.geometry() if pointer.isVisible() else QRect()


def surrounds(window: Window, widget: QWidget) -> bool:
    seen = widget.visibleRegion().boundingRect()
    inner = QRect(widget.mapTo(window, seen.topLeft()), seen.size())
    return seen.isValid() and place_pointed_at(window).contains(inner)


def click_next(window: Window) -> None:
    QTest.mouseClick(window.tour.next, LEFT)


def test_the_whole_tour_by_a_persons_acts(qtbot, touring):
    window, tour = touring, touring.tour
    card = window.start_page.findChild(QWidget, "example_penguins")
    assert tour.text.text() == STEPS[0].asks and tour.next.text() == "Skip"
    qtbot.waitUntil(lambda: surrounds(window, card))
    QTest.mouseClick(card, LEFT)
    told(qtbot, window, 0)
    assert not place_pointed_at(window).isValid()
    rest(qtbot, window)
    click_next(window)

    candidates = window.panels["candidates"]
    assert tour.text.text() == STEPS[1].asks and surrounds(window, candidates)
    QTest.mouseMove(candidates.view.viewport(), middle(candidates, 1))
    QTest.mouseClick(candidates.view.viewport(), LEFT, pos=middle(candidates, 1))
    told(qtbot, window, 1)
    click_next(window)

    double_click(qtbot, candidates, 0)
    told(qtbot, window, 2)
    assert window.document.tree.n_leaves == 2
    rest(qtbot, window)
    click_next(window)

    assert surrounds(window, window.toolbar.widgetForAction(window.actions_made.made["go"]))
    window.actions_made.made["go"].trigger()
    told(qtbot, window, 3)
    click_next(window)

    window.actions_made.made["prune"].trigger()
    told(qtbot, window, 4)
    rest(qtbot, window)
    click_next(window)

    QTest.mouseClick(window.places.buttons["judge"], LEFT)
    tabs = window.places.places["judge"].tabs
    word = [*PLACES["judge"][1]].index("judge")
    qtbot.waitUntil(lambda: surrounds(window, tabs))
    QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(word).center())
    qtbot.waitUntil(lambda: surrounds(window, window.panels["judge"]))
    QTest.mouseClick(window.panels["judge"].run, LEFT)
    told(qtbot, window, 5)
    assert tour.next.text() == "Finish"
    click_next(window)
    assert not tour.isVisible() and not place_pointed_at(window).isValid()
    rest(qtbot, window)


def test_a_step_that_is_not_done_waits_and_can_be_skipped(qtbot, touring):
    qtbot.wait(400)
    assert touring.tour.text.text() == STEPS[0].asks
    click_next(touring)
    assert touring.tour.count.text() == "2 of 6"


def test_it_can_be_left_and_begun_again(touring):
    click_next(touring)
    QTest.mouseClick(touring.tour.leave, LEFT)
    assert not touring.tour.isVisible()
    do(touring, "tour")
    assert touring.tour.isVisible() and touring.tour.count.text() == "1 of 6"


def test_the_frame_lets_the_mouse_through(touring):
    pointer = touring.findChild(QWidget, "tour_pointer")
    assert pointer.isVisible() and pointer.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)


@pytest.mark.parametrize("percent", [100, 200])
def test_it_fits_a_small_window(qtbot, touring, percent):
    actions = {action.objectName(): action for action in touring.findChildren(QAction)}
    touring.resize(922, 497)
    actions[f"text_size_{percent}"].trigger()
    tour = touring.tour
    qtbot.waitUntil(lambda: tour.text.height() >= tour.text.heightForWidth(tour.text.width()))
    assert tour.height() < touring.height() / 3 and touring.width() <= 1280


def test_unsaved_work_is_asked_about_first(qtbot, full, monkeypatch):
    asked = []
    monkeypatch.setattr(full, "when_safe", asked.append)
    do(full, "tour")
    assert len(asked) == 1 and not full.tour.isVisible() and full.document.table is not None
