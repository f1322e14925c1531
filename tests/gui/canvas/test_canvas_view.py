"""The canvas as a widget: mouse, wheel and keys, and what the document changes."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QToolTip

import engine
from gui import messages, theme
from gui.canvas.view import EMPTY
from gui.model.document import Document
from gui.picture import kinds
from gui.picture.cards import scene as places
from gui.picture.cards.ghosts import second_level
from gui.picture.levels import layout
from gui.picture.nodes.cards import MOST_MEASURED
from gui.picture.picture_options import PictureOptions
from tests.gui.acting import rest
from tests.gui.canvas.hands import CONTROL, LEFT, MIDDLE, NONE, SHIFT, drag, empty_place, middle, move, shown, wheel
from tests.gui.canvas.trees import Shown, by_age, by_city, drawn_texts, five_nodes, people, random_tree

pytestmark = pytest.mark.usefixtures("system_again")


@pytest.fixture
def table():
    return people()


@pytest.fixture
def document(table):
    return Shown(table, five_nodes(table))


@pytest.fixture
def view(qtbot, document):
    return shown(qtbot, document)


def test_a_drawing_whose_button_was_let_go_elsewhere_is_not_moved(qtbot):
    """A dialog that opened meanwhile got the release: the mouse comes back without a button."""
    view = shown(qtbot, Shown(None, random_tree()))
    start = empty_place(view)
    QTest.mousePress(view, LEFT, NONE, start)
    move(view, start + QPoint(10, 10), LEFT)
    before = view.port.camera
    move(view, start + QPoint(60, 60), Qt.MouseButton.NoButton)
    assert view.port.camera == before
    assert view.cursor().shape() != Qt.CursorShape.ClosedHandCursor


# -- without a tree


def test_without_a_tree_it_says_what_will_stand_here(qtbot):
    view = shown(qtbot, Shown())
    assert view.accessibleDescription() == EMPTY
    image = view.grab().toImage()
    blank = theme.current().canvas
    assert any(image.pixelColor(x, image.height() // 2) != blank for x in range(image.width()))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Plus, Qt.Key.Key_Home):
        QTest.keyClick(view, key)
    QTest.mouseClick(view, LEFT, NONE, QPoint(200, 200))
    wheel(view, QPoint(200, 200), dy=120)
    view.fit()
    view.actual_size()
    assert view.node_under(QPointF(200, 200)) == -1


def test_it_can_be_found(view):
    assert view.objectName() == "treeCanvas"
    assert view.accessibleName() == "Decision tree"
    assert view.focusPolicy() == Qt.FocusPolicy.StrongFocus


# -- selecting


def test_a_click_selects_the_card_under_it(view, document):
    for node in (1, 3, 2, 0):
        QTest.mouseClick(view, LEFT, NONE, middle(view, node))
        assert document.selected == node


def test_a_click_on_the_empty_canvas_keeps_the_selection(view, document):
    document.select(3)
    QTest.mouseClick(view, LEFT, NONE, empty_place(view))
    assert document.selected == 3


def test_the_selection_is_described_for_screen_readers(view, document):
    document.select(1)
    said = view.accessibleDescription()
    assert "age ≤ 42.5" in said
    assert "split by city" in said
    document.select(2)
    assert "leaf, predicts yes" in view.accessibleDescription()


def test_selecting_elsewhere_brings_the_node_into_view(view, document):
    wheel(view, QPoint(10, 10), dy=-6_000)
    assert not QRect(view.rect()).contains(middle(view, 0))
    document.select(0)
    assert view.rect().contains(view.node_rect(0).toRect())


@pytest.mark.parametrize(
    ("start", "key", "end"),
    [
        (0, Qt.Key.Key_Down, 1),
        (1, Qt.Key.Key_Up, 0),
        (1, Qt.Key.Key_Right, 2),
        (2, Qt.Key.Key_Left, 1),
        (1, Qt.Key.Key_Left, 1),
        (2, Qt.Key.Key_Down, 2),
        (4, Qt.Key.Key_Left, 3),
        (4, Qt.Key.Key_Home, 0),
        (0, Qt.Key.Key_Up, 0),
    ],
)
def test_arrows_walk_through_the_tree(view, document, start, key, end):
    document.select(start)
    QTest.keyClick(view, key)
    assert document.selected == end


def test_enter_and_double_click_act(qtbot, view, document):
    document.select(2)
    with qtbot.waitSignal(view.activated) as heard:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert heard.args == [2]
    with qtbot.waitSignal(view.activated) as heard:
        QTest.mouseDClick(view, LEFT, NONE, middle(view, 3))
    assert heard.args == [3]
    assert document.selected == 3


def test_a_double_click_beside_the_cards_looks_closer_and_acts_on_no_node(qtbot, view, document):
    document.select(3)
    zoom = view.port.camera.zoom
    with qtbot.assertNotEmitted(view.activated):
        QTest.mouseDClick(view, LEFT, NONE, empty_place(view))
    assert view.port.camera.zoom > zoom
    assert document.selected == 3


def test_the_context_menu_is_asked_for_the_node_under_the_pointer(qtbot, view, document):
    point = middle(view, 3)
    with qtbot.waitSignal(view.contextMenuRequested) as heard:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.mapToGlobal(point))
        QApplication.sendEvent(view, event)
    assert heard.args == [3, view.mapToGlobal(point)]
    assert document.selected == 3


def test_the_menu_key_asks_for_the_selected_node(qtbot, view, document):
    document.select(2)
    with qtbot.waitSignal(view.contextMenuRequested) as heard:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), view.mapToGlobal(QPoint(1, 1)))
        QApplication.sendEvent(view, event)
    assert heard.args[0] == 2
    assert view.mapFromGlobal(heard.args[1]) == middle(view, 2)


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_S, Qt.Key.Key_Escape])
def test_other_keys_are_left_to_the_window(view, key):
    event = QKeyEvent(QEvent.Type.KeyPress, key, NONE)
    QApplication.sendEvent(view, event)
    assert not event.isAccepted()


# -- looking around


def test_control_and_wheel_zoom_at_the_pointer(view):
    point = middle(view, 3)
    for dy in (-120, -240, 120):
        before, place = view.port.camera.zoom, view.node_rect(3).center()
        wheel(view, point, dy=dy, modifiers=CONTROL)
        assert (view.port.camera.zoom > before) == (dy > 0)
        top = view.node_rect(3)
        assert top.center().x() == pytest.approx(place.x(), abs=1.0)
        assert top.top() <= point.y() <= top.bottom() + 30


def test_the_wheel_scrolls_and_shift_makes_it_sideways(view):
    start = view.node_rect(0).center()
    wheel(view, QPoint(5, 5), dy=-30)
    assert view.node_rect(0).center() - start == QPointF(0, -30)
    wheel(view, QPoint(5, 5), dy=-40, modifiers=SHIFT)
    assert view.node_rect(0).center() - start == QPointF(-40, -30)
    assert view.port.camera.zoom == 1.0


@pytest.mark.parametrize("button", [LEFT, MIDDLE])
def test_dragging_the_empty_canvas_pans(view, document, button):
    document.select(2)
    start = view.node_rect(0).center()
    place = empty_place(view)
    drag(view, button, place, place + QPoint(60, 35))
    assert view.node_rect(0).center() - start == QPointF(60, 35)
    assert document.selected == 2


def test_the_middle_button_pans_on_a_card_too(view, document):
    document.select(2)
    start = view.node_rect(0).center()
    drag(view, MIDDLE, middle(view, 0), middle(view, 0) + QPoint(-20, 30))
    assert view.node_rect(0).center() - start == QPointF(-20, 30)
    assert document.selected == 2


def test_space_and_drag_pans_on_a_card(view, document):
    document.select(2)
    start = view.node_rect(0).center()
    QTest.keyPress(view, Qt.Key.Key_Space)
    drag(view, LEFT, middle(view, 0), middle(view, 0) + QPoint(24, 10))
    QTest.keyRelease(view, Qt.Key.Key_Space)
    assert view.node_rect(0).center() - start == QPointF(24, 10)
    assert document.selected == 2
    QTest.mouseClick(view, LEFT, NONE, middle(view, 0))
    assert document.selected == 0


def test_the_drawing_cannot_be_lost(view):
    for _ in range(40):
        wheel(view, QPoint(5, 5), dx=900, dy=900)
    assert view.node_rect(1).left() < view.width() / 2 + 200
    assert view.node_rect(0).top() == view.height() / 2
    for _ in range(40):
        wheel(view, QPoint(5, 5), dx=-900, dy=-900)
    assert view.node_rect(0).right() > 0


def test_zoom_keys_fit_and_actual_size(qtbot, table):
    document = Shown(table, random_tree(n=301))
    view = shown(qtbot, document)
    fit = view.port.camera.zoom
    assert fit < 0.5
    QTest.keyClick(view, Qt.Key.Key_1, CONTROL)
    assert view.port.camera.zoom == pytest.approx(1.0)
    assert view.rect().intersects(view.node_rect(0).toRect())
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.port.camera.zoom > 1.0
    QTest.keyClick(view, Qt.Key.Key_Minus)
    QTest.keyClick(view, Qt.Key.Key_Minus, CONTROL)
    assert view.port.camera.zoom < 1.0
    QTest.keyClick(view, Qt.Key.Key_0, CONTROL)
    assert view.port.camera.zoom == pytest.approx(fit)
    for _ in range(60):
        view.zoom_in()
    assert view.port.camera.zoom <= 3.0
    for _ in range(120):
        view.zoom_out()
    assert 0 < view.port.camera.zoom < fit


def test_a_fitted_tree_stays_fitted_when_the_window_changes(qtbot, table):
    view = shown(qtbot, Shown(table, random_tree(n=99)))
    small = view.port.camera.zoom
    view.resize(1_500, 1_000)
    assert view.port.camera.zoom > small
    view.zoom_in()
    chosen = view.port.camera.zoom
    view.resize(800, 600)
    assert view.port.camera.zoom == chosen


# -- pointing


def test_hovering_marks_the_path_and_leaving_takes_the_mark_away(view):
    plain = view.grab().toImage()
    move(view, middle(view, 3))
    assert view.grab().toImage() != plain
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert view.grab().toImage() == plain


def tooltip(view, point):
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, point, view.mapToGlobal(point)))
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def test_the_tooltip_tells_rule_rows_and_shares(view, document):
    tree = document.tree
    text = tooltip(view, middle(view, 4))
    for condition in tree.rule(4):
        assert condition.replace(">", "&gt;") in text
    i = tree.position(4)
    assert f"{tree.rows_train[i]:,} training rows" in text
    assert f"{tree.rows_validation[i]:,} validation rows" in text
    for k, name in enumerate(tree.classes):
        assert name in text
        assert f"{100 * tree.train[i, k] / tree.train[i].sum():.1f}\u00a0%" in text


def test_tooltips_of_numbers_and_of_strange_names(qtbot):
    table = people(target="income")
    view = shown(qtbot, Shown(table, five_nodes(table)))
    text = tooltip(view, middle(view, 0))
    assert "All rows" in text
    assert "standard deviation" in text
    from gui.picture.nodes.tips import tip

    odd = random_tree(n=3, classes=("<b>a", "b & c"))
    assert "&lt;b&gt;a" in tip(odd, 0)
    assert "b &amp; c" in tip(odd, 1)


# -- edits


def all_in_view(view, document):
    return all(view.rect().contains(view.node_rect(int(node)).toRect()) for node in document.tree.ids)


def test_a_fitted_tree_stays_fitted_through_selecting_splitting_and_undoing(view, document, table):
    first = document.tree
    for node in (2, 3, 4, 2, 0):
        document.select(node)
        if node:
            document.show_tree(document.tree.split(table, node, by_age(20 + 5 * node)) if node != 2 else first)
        kept = {int(i): view.node_rect(int(i)) for i in document.tree.ids}
        assert all_in_view(view, document)
        view.fit()
        assert {int(i): view.node_rect(int(i)) for i in document.tree.ids} == kept
    document.show_tree(first)
    assert all_in_view(view, document)


def test_split_by_split_a_fitted_tree_does_not_run_out_of_view(view, document, table):
    for cut in (25, 30, 35, 38, 40, 41):
        leaf = int(document.tree.ids[-1])
        document.select(leaf)
        document.show_tree(document.tree.split(table, leaf, by_age(cut + 20)))
        assert all_in_view(view, document)


def test_after_own_zooming_fit_makes_it_stay_fitted_again(view, document, table):
    view.zoom_in()
    view.fit()
    document.show_tree(document.tree.split(table, 2, by_city()))
    fitted = view.node_rect(0)
    view.fit()
    assert view.node_rect(0) == fitted


def test_after_a_split_the_selected_node_stays_where_it_was(view, document, table):
    view.zoom_in()
    for node, split in ((2, by_city()), (3, by_age(30)), (4, by_age(25))):
        document.select(node)
        before = view.node_rect(node)
        document.show_tree(document.tree.split(table, node, split))
        after = view.node_rect(node)
        assert after.center().x() == pytest.approx(before.center().x(), abs=0.01)
        assert after.top() == pytest.approx(before.top(), abs=0.01)
        assert not view.node_rect(int(document.tree.ids[-1])).isEmpty()


def test_after_a_collapse_the_node_stays_too(view, document):
    view.zoom_in()
    document.select(1)
    before = view.node_rect(1)
    document.show_tree(document.tree.collapse(1))
    assert view.node_rect(1).top() == pytest.approx(before.top(), abs=0.01)
    assert view.node_rect(1).center().x() == pytest.approx(before.center().x(), abs=0.01)
    assert view.node_rect(3).isEmpty()


def test_a_tree_that_grew_by_many_splits_is_fitted_again(view, document, table):
    document.show_tree(five_nodes(table).split(table, 2, by_city()).split(table, 3, by_age(30)))
    for node in document.tree.ids:
        assert view.rect().contains(view.node_rect(int(node)).toRect())


def test_but_not_when_the_person_has_chosen_a_zoom(view, document, table):
    view.zoom_in()
    chosen = view.port.camera.zoom
    before = view.node_rect(0).top()
    document.show_tree(five_nodes(table).split(table, 2, by_city()).split(table, 3, by_age(30)))
    assert view.port.camera.zoom == chosen
    assert view.node_rect(0).top() == pytest.approx(before, abs=0.01)


def test_another_table_is_fitted(view, document):
    view.zoom_in()
    view.zoom_in()
    other = people(target="city")
    document.show_tree(five_nodes(other), other)
    assert view.port.camera.zoom == 1.0
    for node in document.tree.ids:
        assert view.rect().contains(view.node_rect(int(node)).toRect())


def test_closing_the_table_empties_the_canvas(view, document):
    document.table = None
    document.show_tree(None)
    assert view.accessibleDescription() == EMPTY
    assert view.node_under(QPointF(view.rect().center())) == -1
    view.grab()


def test_another_focus_class_changes_the_colours_and_nothing_else(view, document):
    before, place = view.grab().toImage(), view.node_rect(3)
    document.focus_class = 0
    document.focusChanged.emit()
    assert view.grab().toImage() != before
    assert view.node_rect(3).center().x() == pytest.approx(place.center().x(), abs=3)


def test_the_theme_is_followed(view):
    for mode in ("dark", "light"):
        theme.set_mode(mode)
        corner = view.grab().toImage().pixelColor(2, 2)
        assert corner == theme.THEMES[mode].canvas


def test_a_preview_shows_ghosts_below_the_selected_leaf(view, document, table):
    document.select(2)
    plain = view.grab().toImage()
    found = engine.candidates(table, document.tree, 2)
    candidate = next(c for c in found if c.split is not None)
    places = {node: view.node_rect(node) for node in range(5)}
    document.set_preview(candidate)
    ghostly = view.grab().toImage()
    assert ghostly != plain
    assert {node: view.node_rect(node) for node in range(5)} == places
    below = view.node_rect(2).toRect().translated(0, 60)
    assert ghostly.copy(below) != plain.copy(below)
    document.set_preview(None)
    assert view.grab().toImage() == plain


def test_what_a_second_level_adds_fills_in_below_the_ghosts(view, document, table):
    document.select(2)
    candidate = next(c for c in engine.candidates(table, document.tree, 2) if c.split is not None)
    document.set_preview(candidate)
    before = view.grab().toImage()
    document.ranking.further.tell({"another column": 1.0})
    assert view.grab().toImage() == before
    document.ranking.further.tell({candidate.column: candidate.gain + 0.03125})
    assert "a second level adds 0.03125" in [
        text for _, _, text in drawn_texts(lambda painter: view.render(painter, QPoint()))
    ]
    document.set_preview(None)
    document.set_preview(candidate)  # and stands there at once when it is known
    assert "a second level adds 0.03125" in [
        text for _, _, text in drawn_texts(lambda painter: view.render(painter, QPoint()))
    ]


def test_the_words_of_a_second_level():
    assert second_level(0.03125) == "a second level adds 0.03125"
    assert second_level(0.0) == second_level(1e-17) == second_level(-1e-17) == "a second level adds nothing"


def test_a_candidate_without_split_shows_nothing(view, document):
    plain = view.grab().toImage()
    nothing = engine.Candidate("age", None, float("nan"), {}, 0.0, float("nan"), (), (), (), 0, "one value only")
    document.set_preview(nothing)
    assert view.grab().toImage() == plain


def test_the_keyboard_ring_shows_who_has_the_focus(qtbot, view):
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    focused = view.grab().toImage()
    view.clearFocus()
    assert view.grab().toImage() != focused


@pytest.mark.parametrize("n", [59, 3_001])
def test_a_tree_is_laid_out_once(qtbot, monkeypatch, n):
    """Another selection, zoom, theme or class in focus moves nothing; another tree does."""
    laid_out = []
    monkeypatch.setattr(places, "layout", lambda *args: laid_out.append(1) or layout(*args))
    tree = random_tree(n, classes=("no", "yes"), seed=2)
    document = Shown(None, tree)
    view = shown(qtbot, document)
    assert len(laid_out) == 1
    before = view.scene.x
    document.select(int(tree.ids[-1]))
    view.actual_size()
    view.grab()
    theme.set_mode("dark")
    view.fit()
    view.grab()
    if n > MOST_MEASURED:  # in a smaller one cards are as wide as the figures of the class
        document.focus_class = 0
        document.focusChanged.emit()
    assert len(laid_out) == 1
    assert view.scene.x is before
    document.show_tree(random_tree(n, seed=3))
    assert len(laid_out) == 2


def test_a_large_tree_is_laid_out_before_it_is_shown(qtbot, monkeypatch):
    tree = random_tree(3_001, seed=2)
    kinds.prepare(tree, PictureOptions())
    monkeypatch.setattr(places, "layout", None)
    view = shown(qtbot, Shown(None, tree))
    assert not view.node_rect(0).isEmpty()


def test_a_large_tree_is_painted_at_every_zoom(qtbot, table):
    document = Shown(table, random_tree(n=4_001))
    view = shown(qtbot, document)
    pictures = []
    for zoom in (view.port.camera.zoom / 3, view.port.camera.zoom, 0.1, 0.4, 0.7, 1.0, 2.5):
        view.zoom_by(zoom / view.port.camera.zoom, QPointF(450, 60))
        pictures.append(view.grab().toImage())
    assert all(a != b for a, b in pairwise(pictures))


def test_the_real_document_and_the_canvas_agree(qtbot, table):
    document = Document()
    view = shown(qtbot, document)
    document.set_table(table)
    assert not view.node_rect(0).isEmpty()
    QTest.mouseClick(view, LEFT, NONE, middle(view, 0))
    qtbot.waitUntil(lambda: document.candidates is not None, timeout=60_000)
    document.hand.split_by(0, by_age(42.5))
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2, timeout=60_000)
    QTest.mouseClick(view, LEFT, NONE, middle(view, int(document.tree.ids[1])))
    assert document.selected == int(document.tree.ids[1])
    document.undo()
    assert document.tree.n_leaves == 1
    assert view.node_rect(0).center().x() > 0


@pytest.mark.parametrize("kind", ["cards", "streams"])
@pytest.mark.parametrize("n", [59, 601])
def test_the_button_in_the_corner_covers_no_node_of_a_fitted_staircase(qtbot, table, kind, n):
    document = Shown(table, random_tree(n=n, lean=1.0, seed=1))
    document.look.set(kind=kind)
    view = shown(qtbot, document)
    button = QRectF(view.findChild(QToolButton, "kind_button").geometry())
    for i in range(document.tree.n_nodes):
        box = view.node_rect(int(document.tree.ids[i]))
        assert not box.intersects(button)
        assert QRectF(view.rect()).contains(box)


def framed(canvas):
    """Whether the canvas shows that the keys are the tree's: a frame in the accent colour all around it."""
    image, ratio = canvas.grab().toImage(), canvas.devicePixelRatioF()
    ends = [(1, canvas.height() // 3), (canvas.width() - 2, canvas.height() // 3), (canvas.width() // 3, 1),
            (canvas.width() // 3, canvas.height() - 2)]  # fmt: skip
    colours = {image.pixelColor(round(x * ratio), round(y * ratio)).name() for x, y in ends}
    return colours == {theme.current().accent.name()}


def test_the_keys_are_those_of_the_tree_while_a_frame_says_so(qtbot, full):
    canvas, document = full.canvas, full.document
    QTest.mouseClick(canvas, LEFT, NONE, empty_place(canvas))
    assert canvas.hasFocus() and framed(canvas)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_S)
    rest(qtbot, full)
    assert document.tree.n_leaves == 2
    elsewhere = [full.toolbar, full.statusBar(), full.places.strip, full.bar, full.panels["columns"],
                 full.panels["candidates"], full.places.places["data"], full.places.places["node"]]  # fmt: skip
    messages.warning("Something that should be known.")
    for widget in elsewhere:
        canvas.setFocus()
        QTest.mouseClick(widget, LEFT, NONE, QPoint(widget.width() - 3, widget.height() // 2))
        if QApplication.focusWidget() is canvas:
            assert framed(canvas), widget.objectName()
            continue  # a button, which leaves the keys where they are, and the frame says it
        assert not framed(canvas), widget.objectName()
        for key in "mskglpuh":
            QTest.keyClick(QApplication.focusWidget() or full, key)
        rest(qtbot, full)
        assert document.tree.n_leaves == 2, widget.objectName()


def test_in_the_find_bar_the_keys_are_not_those_of_the_tree(qtbot, full):
    full.canvas.corner.open("finding")
    assert not framed(full.canvas)
    QTest.keyClick(QApplication.focusWidget(), "s")
    assert full.document.look.query == "s" and full.document.tree.n_leaves == 1
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert full.canvas.hasFocus() and framed(full.canvas)
