"""The canvas turned: the same mouse and keys as with cards, where the picture grows to the right."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QToolTip

import engine
from gui import theme
from gui.dialogs.picture_dialog import outcome
from gui.model.document import Document
from gui.picture.kinds import STREAMS
from gui.picture.nodes.letters import Letters
from gui.picture.paper.picture import write_scene
from gui.picture.paper.sheet import Wish
from gui.picture.streams.scene import Streams
from gui.settings import Settings
from tests.gui.canvas.hands import CONTROL, LEFT, NONE, drag, empty_place, middle, move, shown, wheel
from tests.gui.canvas.trees import Shown, by_age, drawn_texts, five_nodes, people, random_tree, texts_of


@pytest.fixture
def document():
    table = people()
    made = Shown(table, five_nodes(table))
    made.look.set(kind="streams")
    return made


@pytest.fixture
def view(qtbot, document):
    return shown(qtbot, document)


def button(view):
    return view.findChild(QToolButton, "kind_button")


def picture(view):
    return view.grab().toImage()


def test_a_tree_grows_to_the_right(view):
    root, child, grandchild, other = (view.node_rect(i).center() for i in (0, 1, 3, 2))
    assert root.x() < child.x() < grandchild.x()
    assert child.y() < other.y() and child.x() == pytest.approx(other.x(), abs=60)


def test_the_button_turns_the_tree_and_back(view, document):
    before = picture(view)
    for kind in ("cards", "streams"):
        QTest.mouseClick(button(view), LEFT)
        assert document.look.kind == kind
        assert picture(view) != before or kind == "streams"
        down = view.node_rect(1).top() > view.node_rect(0).bottom()
        assert down == (kind == "cards")
    assert picture(view) == before
    assert not button(view).hasFocus() and "(T)" in button(view).toolTip()


def test_without_a_tree_there_is_nothing_to_turn(qtbot):
    assert not button(shown(qtbot, Shown())).isVisible()


def test_another_kind_is_fitted_and_keeps_the_selection(view, document):
    document.select(3)
    wheel(view, QPoint(300, 300), dy=240, modifiers=CONTROL)
    QTest.mouseClick(button(view), LEFT)
    assert document.selected == 3
    assert all(view.rect().contains(view.node_rect(i).toRect()) for i in range(5))


@pytest.mark.parametrize(
    ("start", "key", "end"),
    [
        (0, Qt.Key.Key_Right, 1),
        (1, Qt.Key.Key_Left, 0),
        (1, Qt.Key.Key_Down, 2),
        (2, Qt.Key.Key_Up, 1),
        (1, Qt.Key.Key_Up, 1),
        (2, Qt.Key.Key_Right, 2),
        (4, Qt.Key.Key_Up, 3),
        (4, Qt.Key.Key_Home, 0),
        (0, Qt.Key.Key_Left, 0),
    ],
)
def test_arrows_follow_the_picture(view, document, start, key, end):
    document.select(start)
    QTest.keyClick(view, key)
    assert document.selected == end


def test_a_click_selects_by_bar_and_by_words(view, document):
    frame = view.port.placed()
    for i, node in enumerate(view.port.scene.tree.ids.tolist()):
        for place in (frame.bar_box(i).center(), frame.words_box(i).center()):
            document.select(0 if node else 1)
            QTest.mouseClick(view, LEFT, NONE, place.toPoint())
            assert document.selected == node


def test_dragging_a_stream_pans(view, document):
    frame = view.port.placed()
    bar = frame.bar_box(1)
    place = QPoint(int(bar.left() - frame.pitch / 2), int(bar.center().y()))
    assert view.node_under(QPointF(place)) == -1
    start = view.node_rect(0).center()
    drag(view, LEFT, place, place + QPoint(40, -25))
    assert view.node_rect(0).center() - start == QPointF(40, -25)


def test_the_wheel_zooms_at_the_pointer(view):
    bar = view.port.placed().bar_box(2)
    point = bar.topLeft().toPoint()
    for dy in (240, -120, 360):
        before = view.port.placed().bar_box(2).topLeft()
        wheel(view, point, dy=dy, modifiers=CONTROL)
        after = view.port.placed().bar_box(2).topLeft()
        assert (after - before).manhattanLength() < 3 * abs(dy) / 120 + 2


def test_selecting_elsewhere_brings_the_node_into_view(view, document):
    wheel(view, empty_place(view), dy=-6_000)
    wheel(view, empty_place(view), dx=-4_000)
    document.select(4)
    document.select(0)
    assert view.rect().intersects(view.node_rect(0).toRect())


def test_the_hovered_path_is_marked_from_the_root(view):
    before = picture(view)
    move(view, middle(view, 3))
    marked = picture(view)
    text = theme.current().text
    frame = view.port.placed()
    tree = view.port.scene.tree
    for node in (3, 1):
        bar = frame.bar_box(tree.position(node))
        column = range(int(bar.left()) - int(frame.pitch / 2), int(bar.left()) - 6)
        rows = range(int(bar.top()) - 40, int(bar.bottom()) + 40, 1)
        changed = [(x, y) for x in column[::8] for y in rows if before.pixelColor(x, y) != marked.pixelColor(x, y)]
        assert any(abs(marked.pixelColor(x, y).lightness() - text.lightness()) < 60 for x, y in changed)


def test_the_tooltip_is_that_of_cards(view):
    place = middle(view, 3)
    QApplication.sendEvent(view, QHelpEvent(QHelpEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    assert "city" in QToolTip.text() and "training rows" in QToolTip.text()
    QToolTip.hideText()


def test_badges_stand_on_the_cards(view):
    accent = theme.current().accent
    words = view.port.placed().words_box(0)
    image = picture(view)
    box = QRect(int(words.right()) - 14, int(words.top()) - 8, 20, 18)
    assert any(
        image.pixelColor(x, y) == accent for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom())
    )


def test_a_preview_stands_to_the_right_of_its_node(qtbot):
    table = people()
    document = Shown(table, engine.Tree.root(table).split(table, 0, by_age(42.5)))
    document.look.set(kind="streams")
    view = shown(qtbot, document, (1_300, 700))
    document.select(1)
    document.set_preview(next(c for c in engine.candidates(table, document.tree, 1) if c.column == "city"))
    ghosts, box, room = view.stage.ghosts, view.node_rect(1), view.rect().toRectF()
    plate, _ = ghosts.place(box, room)
    assert plate.left() > box.right()
    texts = [text for _, _, text in drawn_texts(lambda p: ghosts.paint(p, box, room))]
    assert "city" in texts


def test_an_edit_keeps_the_picture_and_the_selected_node_in_its_place(view, document):
    document.select(2)
    wheel(view, middle(view, 2), dy=480, modifiers=CONTROL)
    before = view.node_rect(2).center()
    document.show_tree(document.tree.split(document.table, 3, by_age(30)))
    assert isinstance(view.port.scene, Streams)
    assert (view.node_rect(2).center() - before).manhattanLength() < 2


def test_the_legend_says_what_the_height_is(view):
    from gui.picture import legend

    texts = [text for _, _, text in drawn_texts(lambda p: legend.paint(p, view.port.scene, 10, 10, 2_000))]
    assert "height: rows" in texts


def test_the_kind_is_remembered(qtbot, tmp_path):
    path = tmp_path / "settings.json"
    settings = Settings(path)
    document = Document()
    document.look.remember(settings)
    assert document.look.kind == "cards"
    document.look.set(kind="streams", icicle=True)
    again = Document()
    again.look.remember(Settings(path))
    assert (again.look.kind, again.look.icicle) == ("streams", True)


def test_a_large_tree_can_be_walked_and_zoomed(qtbot):
    document = Shown(people(), random_tree(n=20_001, lean=0.02))
    document.look.set(kind="streams")
    view = shown(qtbot, document)
    assert view.port.kind is STREAMS
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(view, key)
    assert document.selected > 0
    QTest.keyClick(view, Qt.Key.Key_1, CONTROL)
    assert view.port.camera.zoom == 1.0
    assert view.rect().intersects(view.node_rect(document.selected).toRect())
    assert view.node_under(view.node_rect(document.selected).center()) == document.selected
    QTest.keyClick(view, Qt.Key.Key_0, CONTROL)
    assert view.port.fitted


# -- on paper


def pictured(tmp_path, scene, name="tree.svg", **what):
    path = tmp_path / name
    write_scene(scene, path, Wish(title="A tree", scale=1.0), **what)
    return path


def test_the_whole_tree_is_written_as_streams(qapp, tmp_path):
    scene = Streams(five_nodes(people()), 1, theme.LIGHT, Letters())
    texts = [text for _, _, text in texts_of(pictured(tmp_path, scene).read_text("utf-8"))]
    assert {"A tree", "age", "city", "≤ 42.5", "> 42.5", "height: rows"} <= set(texts)
    for name in ("tree.png", "tree.pdf"):
        assert pictured(tmp_path, scene, name).stat().st_size > 2_000
    assert outcome(scene, ".png", Wish(), 0, None).endswith("every node has its words.")
    large = Streams(random_tree(n=20_001, lean=0.02), 1, theme.LIGHT, Letters())
    assert "nodes have room for words, the others are bars" in outcome(large, ".png", Wish(), 0, None)


def test_a_branch_alone_stands_on_its_paper(qapp, tmp_path):
    tree = five_nodes(people())
    scene = Streams(tree, 1, theme.LIGHT, Letters())
    found = texts_of(pictured(tmp_path, scene, top=1).read_text("utf-8"))
    texts = {text for _, _, text in found}
    assert "city" in texts and not {"age", "≤ 42.5", "> 42.5"} & texts
    whole = texts_of(pictured(tmp_path, scene).read_text("utf-8"))
    assert max(x for x, _, _ in found) < max(x for x, _, _ in whole)


def test_the_window_exports_the_kind_that_it_shows(view, document):
    assert isinstance(view.stage.scene_in(theme.DARK), Streams)
    document.look.set(kind="cards")
    assert not isinstance(view.stage.scene_in(theme.DARK), Streams)
