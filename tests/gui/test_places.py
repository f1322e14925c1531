"""The places of the window: what is open when, in windows of every size, and that it is remembered."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTabBar, QToolButton

from gui.model.document import Document
from gui.settings import Settings
from gui.verbs.declared import toggle
from gui.widgets.labels import PartsLabel
from gui.window import places
from gui.window.places import LEAST_TREE, Arranged, drawers
from gui.window.window import Window
from tests.gui.acting import fill
from tests.gui.asked import give_up

SMALL = (922, 497)  # of a screen with 960 × 540 logical pixels
SIZES = [SMALL, (1280, 740), (1600, 1000)]
LEFT = Qt.MouseButton.LeftButton


def texts_at(window, percent):
    """Chooses a size of text as a person does."""
    actions = {action.objectName(): action for action in window.findChildren(QAction)}
    actions[f"text_size_{percent}"].trigger()
    QApplication.processEvents()


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


@pytest.fixture
def sized(qtbot, kept_window, flowers):
    """The window of the module in a size, with the flowers in it, as a new one is."""

    def sized(size):
        fill(qtbot, kept_window, flowers, size=size)
        settle(qtbot)
        return kept_window

    return sized


def settle(qtbot):
    qtbot.wait(20)
    QApplication.processEvents()


def crowded(window):
    """Whether the tree has less than its due."""
    canvas = window.canvas
    return canvas.width() < LEAST_TREE * window.width() - 12 or canvas.height() < LEAST_TREE * window.height() - 12


def press(window, name):
    """Presses a button of the places."""
    QTest.mouseClick(window.findChild(QToolButton, name), LEFT)
    QApplication.processEvents()


def in_sight(window):
    return {name for name, panel in window.panels.items() if panel.isVisible()}


def drag(splitter, by):
    """Drags the line between two places by some pixels."""
    handle = splitter.handle(1)
    at = handle.rect().center()
    QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(handle, at + by)
    QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, at + by)


def test_a_window_begins_with_the_tree_the_data_and_what_the_next_step_needs(make):
    window = make((1280, 740))
    assert in_sight(window) == {"columns", "candidates", "split_editor"}
    assert window.canvas.width() > 0.45 * 1280 and window.canvas.height() > 0.7 * 740


@pytest.mark.parametrize("size", SIZES)
def test_the_tree_gets_its_due_at_every_size(sized, size):
    window = sized(size)
    for drawer in ("", *drawers()):  # each in place of the one before
        if drawer:
            press(window, f"open_{drawer}")
        assert window.size().toTuple() == size, drawer
        assert window.canvas.width() >= LEAST_TREE * size[0] - 12, drawer
        assert window.canvas.height() >= 0.3 * size[1] - 12, drawer
        assert window.panels["candidates"].isVisible(), drawer


def test_a_drawer_opens_by_its_button_and_closes_by_the_same(sized):
    window = sized((1280, 740))
    before = in_sight(window)
    for name in drawers():
        press(window, f"open_{name}")
        assert [drawer for drawer in drawers() if window.places.places[drawer].isVisible()] == [name]
    press(window, f"open_{name}")
    assert in_sight(window) == before


def test_any_place_takes_the_whole_middle_and_comes_back(sized):
    window = sized((1280, 740))
    for name in ("data", "node", "split", *drawers()):
        if name in drawers():
            press(window, f"open_{name}")
        before = in_sight(window)
        button = "enlarge_open" if name in drawers() else f"enlarge_{name}"
        press(window, button)
        place = window.places.places[name]
        assert place.isVisible() and not window.canvas.isVisible(), name
        assert place.width() > 0.5 * 1280 and place.height() > 0.7 * 740, name
        if name == "data":
            assert place.width() > 0.6 * 1280, "its own place gives the middle its room"
        assert in_sight(window) == before, f"{name}: nothing else goes"
        press(window, button)
        assert window.canvas.isVisible() and in_sight(window) == before, name
        press(window, button)
        QTest.keyClick(place, Qt.Key.Key_Escape)
        assert window.canvas.isVisible() and in_sight(window) == before, name


def test_what_is_asked_for_comes_into_sight_wherever_it_stands(sized):
    window = sized((1280, 740))
    window.places.enlarge("data")
    for name in window.panels:
        window.show_panel(name)
        assert window.panels[name].isVisible(), name
    window.places.show_side("node", on=False)
    window.show_panel("why")
    assert window.panels["why"].isVisible()


def test_no_word_of_a_place_is_cut(sized):
    window = sized(SMALL)
    for place in window.places.places.values():
        tabs: QTabBar = place.tabs
        for i in range(tabs.count()):
            assert tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)) < tabs.tabRect(i).width()


def test_where_tabs_have_no_room_a_list_stands_in_their_place(qtbot, sized):
    window = sized((1280, 720))
    window.show_panel("rules")
    place = window.places.places["words"]
    assert place.tabs.isVisible() and not place.list.isVisible()
    texts_at(window, 200)
    settle(qtbot)
    assert place.list.isVisible() and not place.tabs.isVisible()
    assert not any(button.isVisible() for button in place.tabs.findChildren(QToolButton))  # arrows that scroll
    place.list.setFocus()
    QTest.keyClick(place.list, Qt.Key.Key_Down)
    assert window.panels["outline"].isVisible() and place.list.currentText() == "Outline"
    window.show_panel("theory")
    assert place.list.currentText() == "Theory"
    texts_at(window, 100)
    settle(qtbot)
    assert place.tabs.isVisible() and place.tabs.tabText(place.tabs.currentIndex()) == "Theory"


def test_panels_behind_others_do_nothing_until_they_are_seen(qtbot, make):
    window = make((1280, 740))
    document, settings, why = window.document, window.panels["search"], window.panels["why"]
    document.set_search(criterion="entropy")
    qtbot.waitUntil(lambda: not document.jobs.busy and document.candidate is not None, timeout=60_000)
    settle(qtbot)
    assert not settings.form.rows["criterion"].back.isVisibleTo(settings)
    assert why.text.toPlainText() == ""
    window.show_panel("search")
    window.show_panel("why")
    qtbot.waitUntil(lambda: settings.form.rows["criterion"].back.isVisibleTo(settings))
    qtbot.waitUntil(lambda: why.text.toPlainText() != "")


@pytest.mark.parametrize("kind", ["groups", "m_of_n"])
def test_every_kind_of_split_fits_a_small_window(qtbot, sized, kind):
    window = sized(SMALL)
    document = window.document
    document.set_search(m_of_n=True)
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    document.ranking.choose(next(one for one in document.candidates if one.split and one.split.kind == kind))
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    settle(qtbot)
    assert window.size().toTuple() == SMALL
    assert not crowded(window)


def test_sizes_of_a_person_come_back_with_the_room(qtbot, sized):
    window = sized((1500, 900))
    drag(window.places.sides, QPoint(60, 0))
    width = window.panels["columns"].width()
    assert width > 330
    window.resize(1000, 560)
    settle(qtbot)
    assert window.panels["columns"].width() < width and not crowded(window)
    window.resize(1500, 900)
    settle(qtbot)
    assert window.panels["columns"].width() == width


def test_what_a_person_arranged_is_there_at_the_next_start(qtbot, make):
    first = make((1500, 900))
    press(first, "open_words")
    drag(first.places.middle, QPoint(0, -70))
    first.places.show_side("data", on=False)
    settle(qtbot)
    height = first.places.drawer.height()
    first.close()
    second = make((1500, 900))
    assert second.places.places["words"].isVisible() and not second.panels["columns"].isVisible()
    assert abs(second.places.drawer.height() - height) < 4
    second.places.arrange()
    assert in_sight(second) == {"columns", "candidates", "split_editor"}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"x"', "{}", '{"sizes": 3, "hidden": [], "open": ""}', "[" * 100_000,
     '{"sizes": {"data": "wide"}, "hidden": [], "open": "prune"}',
     '{"sizes": {"data": 1e400}, "hidden": [], "open": ""}',
     '{"sizes": {}, "hidden": ["all"], "open": "nowhere"}'],
)  # fmt: skip
def test_what_cannot_be_read_is_arranged_as_at_first(text):
    read = Arranged.read(text)
    assert read.open == "" and read.hidden == []
    assert read.size("data", 1000, 1.0) == Arranged({}, []).size("data", 1000, 1.0)


def test_what_is_written_is_read():
    arranged = Arranged({"data": 217, "drawer": 300}, ["node"], "plane")
    assert Arranged.read(arranged.write()) == arranged
    assert json.loads(arranged.write())["open"] == "plane"


@pytest.mark.parametrize("size", [-5, 0, 10**30])
def test_no_size_hides_a_place_or_the_tree(size):
    read = Arranged.read(json.dumps({"sizes": {"data": size}, "hidden": [], "open": ""}))
    assert 100 < read.size("data", 1000, 1.0) <= 600


@pytest.mark.parametrize(("size", "narrow"), [(SMALL, True), ((1600, 1000), False)])
def test_the_fit_is_always_in_view(qtbot, sized, size, narrow):
    window = sized(size)
    strip, other = (window.fit_below, window.fit_strip) if narrow else (window.fit_strip, window.fit_below)
    assert strip.isVisible() and not other.isVisible()
    assert strip.text().startswith("1 leaf")
    assert strip.width() >= strip.sizeHint().width(), "a figure that is cut would be another figure"
    assert strip.mapTo(window, strip.rect().bottomRight()).x() <= window.width()
    window.resize(1600 if narrow else SMALL[0], size[1])
    settle(qtbot)
    assert other.isVisible() and not strip.isVisible()


def test_a_job_beside_a_long_fit_does_not_widen_a_small_window(qtbot, sized):
    window = sized(SMALL)
    fit = "12 leaves · depth 5 · error: train 8.8 %, valid 12.6 %"
    window.fit_below.setText(f"{fit} (112 trees compared; 14.1 % on rows that did not choose)")
    window.statusBar().showMessage("Go to 12 leaves: training error 25.0 % → 8.8 %, validation error 25.0 % → 12.6 %")
    settle(qtbot)
    assert window.fit_below.shown() == window.fit_below.text()
    assert window.statusBar().said().startswith("Go to 12 leaves") and window.statusBar().said().endswith("…")
    window.job_status.text.setText("Growing…")
    window.job_status.show()
    settle(qtbot)
    assert window.size().toTuple() == SMALL
    assert window.fit_below.shown() == f"{fit} …"
    window.statusBar().clearMessage()
    window.job_status.hide()


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


def test_larger_words_make_the_places_wider_and_all_that_is_said_larger(qtbot, sized):
    """View ▸ Text size: panels, cards and the places that nobody has sized; 100 % is as before."""

    def figures() -> tuple[int, int, float]:
        label = window.panels["columns"].fontMetrics().height()
        return label, window.places.homes["node"].width(), window.canvas.node_rect(0).height()

    window = sized((1500, 900))
    window.canvas.actual_size()
    before = figures()
    texts_at(window, 150)
    window.canvas.actual_size()
    after = figures()
    assert after[0] >= 1.4 * before[0] and after[1] > before[1]
    assert after[2] == pytest.approx(1.5 * before[2])
    texts_at(window, 100)
    window.canvas.actual_size()
    assert figures() == before


def test_one_line_adds_a_place_with_its_button_its_menu_entry_and_the_whole_middle(make, monkeypatch):
    """As *Judge* will, which comes later."""
    monkeypatch.setitem(places.PLACES, "judge", ("Judge", {"judge": ("", lambda document: QLabel("no verdict yet"))}))
    window = make((1280, 740))
    assert "judge" in drawers() and not window.panels["judge"].isVisible()
    press(window, "open_judge")
    assert window.panels["judge"].isVisible() and window.findChild(QToolButton, "open_judge").text() == "Judge"
    press(window, "enlarge_open")
    assert window.panels["judge"].height() > 0.6 * 740 and not window.canvas.isVisible()
    press(window, "enlarge_open")
    next(action for action in window.places.toggles.values() if action.text() == "Judge").trigger()
    assert not window.panels["judge"].isVisible() and window.canvas.isVisible()
    assert Arranged.read('{"sizes": {}, "hidden": [], "open": "judge"}').open == "judge"


def test_a_window_made_larger_gives_its_places_the_room_of_a_large_one(qtbot, make):
    def sizes(window):
        return {name: home.size() for name, home in window.places.homes.items() if home.isVisible()}

    window = make(SMALL)
    press(window, "open_plane")
    window.resize(1600, 1000)
    settle(qtbot)
    large = make((1600, 1000))
    press(large, "open_plane")
    assert sizes(window) == sizes(large)


def test_the_fit_comes_back_to_the_toolbar_with_the_usual_text_size(qtbot, sized):
    window = sized((1400, 900))
    assert window.fit_strip.isVisible()
    texts_at(window, 200)
    settle(qtbot)
    assert window.fit_below.isVisible() and not window.fit_strip.isVisible()
    texts_at(window, 100)
    settle(qtbot)
    assert window.fit_strip.isVisible() and not window.fit_below.isVisible()


def test_the_levels_below_the_tree_have_the_letters_of_the_window(qtbot, sized):
    window = sized((1400, 900))
    window.document.tree_edits.grow_all()
    qtbot.waitUntil(lambda: not window.document.jobs.busy, timeout=60_000)
    said = window.canvas.findChild(QLabel, "fold_levels_said")
    usual = said.fontMetrics().height()
    texts_at(window, 200)
    assert said.fontMetrics().height() > 1.5 * usual
    texts_at(window, 100)
    window.places.enlarge("node")  # what is presented then has larger letters, and so has the whole window
    toggle(window, "presenting")
    qtbot.waitUntil(window.isFullScreen)
    toggle(window, "presenting")
    qtbot.waitUntil(lambda: not window.isFullScreen())
    settle(qtbot)
    window.places.enlarge("")
    assert said.fontMetrics().height() == usual == window.fontMetrics().height()
