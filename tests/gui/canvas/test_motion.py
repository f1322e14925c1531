"""The short way of the camera: what is painted meanwhile, and what ends it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle

from gui.canvas import motion
from gui.canvas.motion import between
from gui.picture.camera import Camera, Spacing
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, empty_place, shown, wheel
from tests.gui.canvas.trees import Shown, by_age, by_city, five_nodes, people, random_tree

SCALES = st.floats(0.001, 8.0)
PLACES = st.floats(-1e6, 1e6)


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is told the time."""
    time = [100.0]
    monkeypatch.setattr(motion, "DURATION", 0.2)
    monkeypatch.setattr(motion, "now", lambda: time[0])
    monkeypatch.setattr(motion, "reduced", lambda: False)
    monkeypatch.setattr(motion, "SLOW", 10.0)  # this machine may be busy
    return time


@pytest.fixture
def painted(monkeypatch):
    """The cameras that pictures were painted with."""
    found = []
    from gui.canvas import view as views

    paint = views.TreeView.paintEvent

    def note(self, event):
        found.append(self.motion.shown(self.port.camera))
        paint(self, event)

    monkeypatch.setattr(views.TreeView, "paintEvent", note)
    return found


def make(qtbot, kind="cards", n=301):
    document = Shown(None, random_tree(n=n, lean=0.3, seed=4))
    document.look.set(kind=kind)
    view = shown(qtbot, document)
    view.grab()
    return view, document


# -- on the way


@given(SCALES, SCALES, PLACES, SCALES, SCALES, PLACES, st.floats(0.0, 1.0), st.floats(0.05, 3.0), st.floats(0.05, 3.0))
def test_what_stands_at_both_ends_where_it_was_stays_there_on_the_way(s, t, x, u, v, y, share, zoom, later):
    start = Camera(x, y, zoom, Spacing(full_x=s / zoom, full_y=t / zoom, tight_x=0.0, tight_y=0.0))
    goal = Camera(0.0, 0.0, later, Spacing(full_x=u / later, full_y=v / later, tight_x=0.0, tight_y=0.0))
    at = start.seen(300.0, 200.0)
    goal = goal.moved(300.0 - at[0] * goal.sx, 200.0 - at[1] * goal.sy)
    there = between(start, goal, share)
    size = max(1.0, abs(start.x), abs(start.y), abs(goal.x), abs(goal.y))
    assert there.x + at[0] * there.sx == pytest.approx(300.0, abs=1e-6 * size)
    assert there.y + at[1] * there.sy == pytest.approx(200.0, abs=1e-6 * size)
    for a, b, c in ((start.sx, there.sx, goal.sx), (start.sy, there.sy, goal.sy), (zoom, there.zoom, later)):
        assert math.log(b) == pytest.approx((1 - share) * math.log(a) + share * math.log(c), abs=1e-6)


def test_both_ends_are_the_cameras_themselves():
    start, goal = Camera(5.0, 6.0, 0.5), Camera(-400.0, 6.0, 0.5)
    for share, camera in ((0.0, start), (1.0, goal), (0.5, Camera(-197.5, 6.0, 0.5))):
        found = between(start, goal, share)
        assert (found.x, found.y, found.zoom, found.sx, found.sy) == pytest.approx(
            (camera.x, camera.y, camera.zoom, camera.sx, camera.sy)
        )


@pytest.mark.parametrize("kind", ["cards", "streams"])
def test_fitting_leads_there_by_and_by(qtbot, clock, painted, kind):
    view, _ = make(qtbot, kind)
    view.port.zoom(4.0, QPointF(300, 300))
    near = view.port.camera
    view.fit()
    fit = view.port.camera
    seen = []
    for clock[0] in (100.0, 100.05, 100.1, 100.19, 100.21):
        view.grab()
        seen.append(painted[-1].sx)
    assert seen[0] == pytest.approx(near.sx) and seen[-1] == fit.sx
    assert seen == sorted(seen, reverse=True) and len(set(seen)) == 5
    assert view.port.camera == fit  # whoever asks is told the goal, all along


def test_it_comes_to_its_end_by_itself(qtbot, monkeypatch):
    monkeypatch.setattr(motion, "DURATION", 0.05)
    monkeypatch.setattr(motion, "reduced", lambda: False)
    monkeypatch.setattr(motion, "SLOW", 10.0)
    view, _ = make(qtbot)
    view.zoom_in()
    assert view.motion.start is not None
    qtbot.waitUntil(lambda: view.motion.start is None)


@pytest.mark.parametrize(
    "act",
    [
        lambda view: QTest.keyClick(view, Qt.Key.Key_Y),
        lambda view: QTest.mouseClick(view, LEFT, NONE, empty_place(view)),
        lambda view: wheel(view, QPoint(200, 200), dy=30),
        lambda view: wheel(view, QPoint(200, 200), dy=120, modifiers=CONTROL),
    ],
)
def test_whatever_a_person_does_ends_it_at_its_goal(qtbot, clock, act):
    view, _ = make(qtbot)
    view.fit()
    view.zoom_in()
    assert view.motion.start is not None
    act(view)
    assert view.motion.start is None


def test_keys_typed_quickly_are_all_heard(qtbot, clock, painted):
    view, _ = make(qtbot)
    fit = view.port.camera.zoom
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.port.camera.zoom == pytest.approx(fit * 1.25**3)
    clock[0] += 0.3
    view.grab()
    assert painted[-1].zoom == view.port.camera.zoom


# -- after an edit


def test_a_fitted_tree_glides_to_its_new_fit_from_where_its_node_was(qtbot, clock, painted):
    table = people()
    document = Shown(table, five_nodes(table))
    view = shown(qtbot, document)
    view.grab()
    document.select(2)
    before = view.node_rect(2)
    document.show_tree(document.tree.split(table, 2, by_city()))
    view.grab()
    first = view.port.kind.frame(view.port.scene, painted[-1], view.port.size).box(document.tree.position(2))
    assert (first.center().x(), first.top()) == pytest.approx((before.center().x(), before.top()))
    clock[0] += 0.3
    view.grab()
    assert painted[-1] == view.port.camera == view.port.scene.fitted(900, 700 - 30)


def test_another_table_is_there_at_once(qtbot, clock):
    document = Shown(people(), five_nodes(people()))
    view = shown(qtbot, document)
    view.grab()
    other = people(n=300)
    document.table = other
    document.show_tree(five_nodes(other).split(other, 2, by_age(60)))
    assert view.motion.start is None


def test_a_turned_tree_is_there_at_once(qtbot, clock):
    view, document = make(qtbot)
    document.look.set(kind="streams")
    assert view.motion.start is None


# -- never


def test_it_can_be_switched_off(qtbot, clock):
    view, document = make(qtbot)
    document.look.set(motion=False)
    view.zoom_in()
    assert view.motion.start is None


def test_a_system_with_less_motion_is_heard(qtbot, clock, monkeypatch):
    view, _ = make(qtbot)
    monkeypatch.undo()
    monkeypatch.setattr(motion, "DURATION", 0.2)
    style = QApplication.style()
    usual = style.styleHint
    asked = []

    def hint(which, *args):
        asked.append(which)
        return 0 if which == QStyle.StyleHint.SH_Widget_Animation_Duration else usual(which, *args)

    monkeypatch.setattr(motion.QApplication, "style", lambda: type("Calm", (), {"styleHint": staticmethod(hint)}))
    assert motion.reduced() and asked
    view.zoom_in()
    assert view.motion.start is None


def test_where_pictures_take_long_there_is_none(qtbot, clock):
    view, _ = make(qtbot)
    view.zoom_in()
    view.motion.painted(11.0)
    assert view.motion.start is None
    view.zoom_in()
    assert view.motion.start is None
    view.motion.painted(0.001)
    view.zoom_in()
    assert view.motion.start is not None
