"""Finding, filtering and ranking on the canvas as a person does it: by mouse and keys, looking at what is drawn."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from gui import theme
from gui.canvas.overlays import leaf_cards
from gui.canvas.overlays.overview import IcicleStrip
from gui.canvas.view import TreeView
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.view_state import finding
from gui.picture import legend
from gui.picture.leaves import LeafFilter
from gui.settings import Settings
from gui.window.window import Window
from tests.gui.asked import give_up
from tests.gui.canvas.trees import by_age, five_nodes, people

LEFT, SHIFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


pytestmark = pytest.mark.usefixtures("system_again")


@pytest.fixture
def table():
    return people()


@pytest.fixture
def tree(table):
    """Ids: 0 age ≤ 42.5, 1 city, 3 age ≤ 30 (city = Amsterdam), 4 other cities, 2 age > 42.5; 5 and 6 below 3."""
    return five_nodes(table).split(table, 3, by_age(30.0))


@pytest.fixture
def document(table, tree, nothing_left):
    made = Document()
    made.set_table(table, tree)
    return made


@pytest.fixture(params=["cards", "streams"])
def view(request, qtbot, document):
    document.look.set(kind=request.param)
    made = TreeView(document)
    qtbot.addWidget(made)
    made.resize(1100, 800)
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


@pytest.fixture
def window(qtbot, table, tree):
    document = Document()
    made = Window(document, Settings())
    qtbot.addWidget(made, before_close_func=give_up)
    made.resize(1500, 950)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    document.set_table(table, tree)
    made.canvas.setFocus()
    qtbot.waitUntil(lambda: document.candidates is not None)
    return made


def bar_of(view):
    view.corner.open("finding")
    return view.corner.cards["finding"]


def type_into(field, text):
    field.clear()
    QTest.keyClicks(field, text)


def pixels(view, node, grow=4):
    """The colours around the box of a node, where rings are drawn."""
    image = view.grab().toImage()
    box = view.node_rect(node).adjusted(-grow, -grow, grow, grow).toRect()
    edge = [QPoint(x, y) for x in range(box.left(), box.right()) for y in (box.top(), box.bottom())]
    edge += [QPoint(x, y) for y in range(box.top(), box.bottom()) for x in (box.left(), box.right())]
    return [image.pixelColor(point) for point in edge if image.rect().contains(point)]


def is_ringed(view, node):
    """Whether the accent colour is seen around a node that is not selected."""
    accent = theme.current().accent

    def near(colour: QColor) -> bool:
        parts = ((colour.red(), accent.red()), (colour.green(), accent.green()), (colour.blue(), accent.blue()))
        return all(abs(a - b) < 40 for a, b in parts)

    return any(sum(map(near, pixels(view, node, grow))) > 12 for grow in (2, 3, 4, 5))


def contrast(view, node):
    """How far the colours inside a node's box lie apart: faded nodes are pale."""
    image = view.grab(view.node_rect(node).toRect()).toImage()
    light = [image.pixelColor(x, y).lightness() for x in range(0, image.width(), 2) for y in range(image.height())]
    return max(light) - min(light)


# -- finding


def test_what_is_typed_is_ringed_and_counted(view, document):
    bar = bar_of(view)
    type_into(bar.field, "age")
    assert bar.count.text() == "1 of 2"  # the root is selected, and is one of them
    document.select(4)
    assert bar.count.text() == "2 found"
    assert is_ringed(view, 3) and not is_ringed(view, 1)
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert not is_ringed(view, 3)


def test_enter_walks_through_what_was_found_and_around(view, document):
    bar = bar_of(view)
    type_into(bar.field, "city")
    type_into(bar.field, "age")
    walked = []
    for modifiers in (Qt.KeyboardModifier.NoModifier,) * 3 + (SHIFT,) * 2:
        QTest.keyClick(bar.field, Key.Key_Return, modifiers)
        walked.append((document.selected, bar.count.text()))
    assert walked == [(3, "2 of 2"), (0, "1 of 2"), (3, "2 of 2"), (0, "1 of 2"), (3, "2 of 2")]
    QTest.keyClick(bar.field, Key.Key_Down)
    assert document.selected == 0
    QTest.keyClick(bar.field, Key.Key_Up)
    assert document.selected == 3
    QTest.mouseClick(bar.next, LEFT)
    assert document.selected == 0
    QTest.mouseClick(bar.before, LEFT)
    assert document.selected == 3
    assert bar.field.hasFocus()


def test_walking_goes_on_from_the_selected_node(view, document):
    bar = bar_of(view)
    type_into(bar.field, "age")
    document.select(1)
    QTest.keyClick(bar.field, Key.Key_Return)
    assert document.selected == 3
    document.select(4)
    QTest.keyClick(bar.field, Key.Key_Return, SHIFT)
    assert document.selected == 3


def test_walking_brings_what_is_out_of_view_into_view(view, document):
    view.fit()
    for _ in range(14):
        view.zoom_in()
    bar = bar_of(view)
    for node in (5, 2):
        type_into(bar.field, f"#{node}")
        QTest.keyClick(bar.field, Key.Key_Return)
        assert document.selected == node
        box = view.node_rect(node)
        assert view.rect().intersects(box.toRect())
        assert not box.intersects(bar.geometry())  # nor is it below the bar
    view.port.pan(3_000, 3_000)
    QTest.keyClick(bar.field, Key.Key_Return)  # it is selected already, and comes into view again
    assert view.rect().intersects(view.node_rect(2).toRect())


def test_what_is_typed_is_seen_as_a_whole_while_there_is_room(view, qtbot):
    bar = bar_of(view)
    before = bar.width()
    typed = "length of stay > 10.05 and triage = yellow"
    type_into(bar.field, typed)
    need = bar.field.fontMetrics().horizontalAdvance(typed)
    qtbot.waitUntil(lambda: bar.field.width() > need + 30)
    assert bar.width() > before and view.rect().contains(bar.geometry())
    type_into(bar.field, 9 * typed)
    qtbot.waitUntil(lambda: bar.width() > view.width() / 2)
    assert view.rect().contains(bar.geometry())


def test_what_finds_nothing_is_said_in_words(view):
    bar = bar_of(view)
    type_into(bar.field, "Rome")
    assert bar.said.isVisible() and bar.said.text() == "Nothing in the tree reads “Rome”. It splits by age, city."
    assert bar.count.text() == "" and not bar.next.isEnabled()
    QTest.keyClick(bar.field, Key.Key_Return)
    bar.field.clear()
    assert not bar.said.isVisible() and bar.count.text() == ""


def test_the_bar_asks_for_what_was_typed_last_and_typing_replaces_it(view):
    bar = bar_of(view)
    type_into(bar.field, "age")
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert view.hasFocus() and not bar.isVisible()
    view.corner.open("finding")
    assert bar.field.text() == "age" and bar.count.text() == "1 of 2"
    QTest.keyClicks(bar.field, "city")
    assert bar.field.text() == "city"


def test_an_edit_of_the_tree_is_searched_anew(qtbot, view, document):
    bar = bar_of(view)
    type_into(bar.field, "age")
    document.select(1)
    assert bar.count.text() == "2 found"
    document.hand.collapse(1)
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2)
    assert bar.count.text() == "1 found"
    document.undo()
    assert bar.count.text() == "2 found" and is_ringed(view, 3)


def test_another_table_begins_without_a_search(view, document):
    type_into(bar_of(view).field, "age")
    document.set_table(people(target="city"))
    assert not view.corner.cards["finding"].isVisible() and document.look.query == ""


def test_a_large_tree_is_searched_in_the_worker(qtbot, view, document, monkeypatch):
    monkeypatch.setattr(finding, "AT_ONCE", 2)
    bar = bar_of(view)
    type_into(bar.field, "age")
    assert bar.count.text() == "Looking …"
    QTest.keyClick(bar.field, Key.Key_Return)  # before the answer is there
    QTest.keyClick(bar.field, Key.Key_Return)
    qtbot.waitUntil(lambda: document.look.found is not None)
    assert document.selected == 3 and bar.count.text() == "2 of 2"
    type_into(bar.field, "Rome")
    qtbot.waitUntil(lambda: bar.said.isVisible())


def test_an_answer_to_what_is_typed_no_longer_does_not_arrive(qtbot, view, document, monkeypatch):
    monkeypatch.setattr(finding, "AT_ONCE", 2)
    bar = bar_of(view)
    type_into(bar.field, "age")
    bar.field.clear()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert document.look.found is None and bar.count.text() == ""
    type_into(bar.field, "city")
    bar.cross.click()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert document.look.found is None


def test_enter_on_what_is_typed_no_longer_walks_nowhere(qtbot, view, document, monkeypatch):
    monkeypatch.setattr(finding, "AT_ONCE", 2)
    bar = bar_of(view)
    type_into(bar.field, "cit")
    QTest.keyClick(bar.field, Key.Key_Return)
    QTest.keyClick(bar.field, Key.Key_Y)
    qtbot.waitUntil(lambda: document.look.found is not None)
    assert document.selected == 0 and bar.count.text() == "1 found"


def test_what_lies_below_a_card_is_not_pointed_at(view, document):
    bar = bar_of(view)
    document.look.set(pointed=2)
    QApplication.sendEvent(bar, QEnterEvent(QPointF(3, 3), QPointF(3, 3), QPointF(bar.mapToGlobal(QPoint(3, 3)))))
    assert document.look.pointed == -1


def test_the_mouse_does_not_reach_through_the_bar(view, document):
    bar = bar_of(view)
    view.port.pan(bar.geometry().center().x() - view.node_rect(0).center().x(), 0)
    view.port.pan(0, bar.geometry().center().y() - view.node_rect(0).center().y())
    document.select(2)
    QTest.mouseClick(bar, LEFT, pos=QPoint(3, 3))
    assert document.selected == 2


def test_esc_on_the_canvas_closes_the_bar(view, document):
    bar = bar_of(view)
    view.setFocus()
    QTest.keyClick(view, Key.Key_Escape)
    assert not bar.isVisible() and not document.look.finding


def test_in_the_dark_the_bar_is_dark(view):
    bar = bar_of(view)
    shown = []
    for mode in ("light", "dark"):
        theme.set_mode(mode)
        shown.append(bar.grab().toImage().pixelColor(bar.width() // 2, 3).lightness())
    assert shown[0] > 200 and shown[1] < 80


# -- the filter


def form_of(view):
    view.corner.open("filtering")
    return view.corner.cards["filtering"]


def test_what_does_not_pass_is_faded_and_the_form_says_how_many_pass(view, document, tree):
    form = form_of(view)
    before = contrast(view, 2)
    rows = int(tree.rows_train[tree.position(4)])
    assert rows > max(int(tree.rows_train[tree.position(node)]) for node in (5, 6))
    QTest.keyClicks(form.rows, str(rows))
    assert document.look.filter == LeafFilter(rows=rows)
    assert form.told.text().startswith("2 of 4 leaves")
    assert contrast(view, 2) == before and contrast(view, 5) < 0.7 * before
    assert is_lit(view, 1) and not is_lit(view, 3)  # the way to a leaf that passes
    QTest.mouseClick(form.none, LEFT)
    assert document.look.filter is None and is_lit(view, 3)
    assert form.told.text() == "All leaves stand out."


def is_lit(view, node):
    scene = view.port.scene
    return scene.emphasis is None or not scene.emphasis.faded(scene.tree.position(node))


def test_the_chip_says_what_is_filtered_and_its_cross_ends_it(view, document):
    form = form_of(view)
    QTest.keyClicks(form.rows, "50")
    QTest.keyClick(form.rows, Key.Key_Tab)
    QTest.keyClicks(form.confidence, "75")
    QTest.keyClick(form.confidence, Key.Key_Escape)
    chip = view.corner.cards["filter"]
    assert chip.isVisible() and not form.isVisible() and view.hasFocus()
    assert chip.text.text().startswith("≥ 50 rows, ≥ 75 % sure  ·  ") and chip.text.text().endswith("of 4 leaves")
    QTest.mouseClick(chip.text, LEFT)
    assert form.isVisible() and form.rows.value() == 50 and form.confidence.value() == 75.0
    QTest.mouseClick(form.cross, LEFT)
    QTest.mouseClick(chip.cross, LEFT)
    assert not chip.isVisible() and document.look.filter is None and is_lit(view, 5)


def test_the_share_of_the_rows_is_asked_instead_of_rows(view, document, tree):
    form = form_of(view)
    QTest.keyClicks(form.rows, "30")
    QTest.keyClick(form.unit, Key.Key_Down)
    form.unit.activated.emit(1)
    assert form.share.isVisible() and form.share.hasFocus()
    assert document.look.filter == LeafFilter(share=round(30 / int(tree.rows_train[0]), 4))
    QTest.keyClicks(form.share, "20")
    assert document.look.filter == LeafFilter(share=0.2)
    form.unit.activated.emit(0)
    assert document.look.filter == LeafFilter(rows=round(0.2 * int(tree.rows_train[0])))


def test_of_validation_rows_the_share_is_theirs(view, document, tree):
    form = form_of(view)
    document.look.set(part="validation")
    QTest.keyClicks(form.rows, "30")
    form.unit.setCurrentIndex(1)
    form.unit.activated.emit(1)
    assert document.look.filter == LeafFilter(share=round(30 / int(tree.rows_validation[0]), 4))
    form.unit.setCurrentIndex(0)
    form.unit.activated.emit(0)
    assert document.look.filter == LeafFilter(rows=30)


def test_few_of_very_many_rows_are_still_asked_for_as_a_share(view, document, monkeypatch):
    form = form_of(view)
    QTest.keyClicks(form.rows, "3")
    monkeypatch.setattr(leaf_cards, "rows_of", lambda tree, part: np.full(tree.n_nodes, 1_000_000))
    form.unit.setCurrentIndex(1)
    form.unit.activated.emit(1)
    assert document.look.filter == LeafFilter(share=leaf_cards.LEAST_SHARE) and form.share.value() == 0.01


def test_where_no_leaf_passes_the_form_says_what_to_do(view):
    form = form_of(view)
    QTest.keyClicks(form.rows, "99999")
    assert form.told.text() == "No leaf passes: ask for less." and not is_lit(view, 0)


def test_the_filter_asks_the_rows_that_flow(view, document):
    form = form_of(view)
    QTest.keyClicks(form.rows, "30")
    document.look.set(part="validation")
    assert "of the validation rows" in form.told.text()
    QTest.keyClick(form.rows, Key.Key_Escape)
    assert "≥ 30 validation rows" in view.corner.cards["filter"].text.text()


def test_numbers_have_a_spread(qtbot, nothing_left):
    table = people(target="income")
    document = Document()
    document.set_table(table, engine.Tree.root(table).split(table, 0, by_age(42.5)))
    view = TreeView(document)
    qtbot.addWidget(view)
    view.show()
    form = form_of(view)
    assert form.spread.isVisible() and not form.confidence.isVisible()
    assert form.bound.text() == "at most" and form.measure.text() == "standard deviation"
    QTest.keyClicks(form.spread, "1")
    assert form.told.text() == "No leaf passes: ask for less."
    QTest.keyClicks(form.spread, "00000")
    assert form.told.text() == "2 of 2 leaves, 100 % of the rows"


def test_the_icicle_is_faded_where_the_canvas_is(qtbot, view, document):
    document.look.set(icicle=True)
    strip = IcicleStrip(view)
    qtbot.addWidget(strip)
    strip.resize(900, strip.height())
    strip.show()

    def colours():
        return [strip.grab().toImage().pixelColor(strip.cell(node).center().toPoint()) for node in (2, 5)]

    before = colours()
    document.look.set(filter=LeafFilter(rows=100))
    view.grab()
    after = colours()
    assert after[0] == before[0] and after[1] != before[1]
    document.look.set(filter=None)
    view.grab()
    assert colours() == before


def test_what_is_folded_away_is_ringed_where_it_is_hidden_and_unfolds(view, document):
    view.handles.toggle(1)
    bar = bar_of(view)
    type_into(bar.field, "#5")
    assert bar.count.text() == "1 found" and is_ringed(view, 1)
    QTest.keyClick(bar.field, Key.Key_Return)
    assert document.selected == 5 and not view.node_rect(5).isEmpty()
    assert view.node_rect(5) != view.node_rect(1)


# -- what is ringed stands beside the cards


def covered(view, nodes):
    """Which of some nodes stand below a card."""
    cards = [QRectF(card.geometry()) for card in view.corner.cards.values() if card.isVisible()]
    return [node for node in nodes if any(view.node_rect(node).intersects(card) for card in cards)]


def test_a_fitted_tree_makes_way_for_the_list_that_rings_its_leaves(view, document, tree):
    view.resize(640, 440)
    before = view.port.camera
    best = list_of(view)
    leaves = [int(row[0][1:]) for row in rows_of(best.table)]
    place = QRectF(best.geometry())
    placed = view.port.placed(view.port.fitting())
    assert any(place.intersects(box) for box in (placed.box(int(i)) for i in tree.leaves))
    assert not covered(view, leaves) and view.port.fitted
    assert all(0 < view.node_rect(node).bottom() < view.height() - legend.HEIGHT for node in leaves)
    view.resize(660, 480)
    assert not covered(view, leaves) and view.port.fitted
    document.look.set(kind="streams" if document.look.kind == "cards" else "cards")
    assert not covered(view, leaves) and view.port.fitted
    document.look.set(kind="streams" if document.look.kind == "cards" else "cards")
    view.resize(640, 440)
    QTest.keyClick(best.table, Key.Key_Escape)
    assert view.port.camera == before


def test_a_tree_stays_where_it_is_while_nothing_is_ringed_or_somebody_looked_closer(view, document):
    before = view.port.camera
    bar = bar_of(view)
    type_into(bar.field, "zzz")
    assert view.port.camera == before
    QTest.keyClick(bar.field, Key.Key_Escape)
    view.zoom_in()
    before = view.port.camera
    list_of(view)
    assert view.port.camera == before and not view.port.fitted
    view.fit()
    assert not covered(view, document.tree.ids[document.tree.leaves].tolist())


def test_the_find_bar_covers_nothing_that_it_rings(qtbot, nothing_left):
    """Leaves of streams stand at the right, the uppermost below the bar."""
    table = people()
    document = Document()
    document.look.set(kind="streams")
    document.set_table(table, engine.grow(table, max_depth=4))
    view = TreeView(document)
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    bar = bar_of(view)
    type_into(bar.field, "yes")
    ringed = [int(i) for i in document.tree.ids[document.look.found.positions]]
    assert ringed and not covered(view, ringed)


# -- the best leaves


def list_of(view):
    view.corner.open_best()
    return view.corner.cards["best"]


def rows_of(table):
    model = table.model()
    return [[model.index(row, column).data() for column in range(4)] for row in range(model.rowCount())]


def test_the_best_leaves_are_listed_and_ringed(view, document, tree):
    best = list_of(view)
    assert best.choice.currentText() == "yes" and best.title.text() == "Best leaves for “buys” ="
    rows = rows_of(best.table)
    i = tree.position(2)
    share = tree.train[i, 1] / tree.train[i].sum()
    assert rows[0][:2] == ["#2", "age > 42.5"]
    assert rows[0][2] == f"{tree.rows_train[i]} · {100 * share:.1f} %"
    assert rows[0][3].startswith(f"{tree.rows_validation[i]} · ")
    assert len(rows) <= 4 and all(is_ringed(view, int(row[0][1:])) for row in rows)
    QTest.keyClick(best.table, Key.Key_Escape)
    assert not best.isVisible() and view.hasFocus() and not is_ringed(view, 2)


def test_arrows_clicks_and_enter_go_to_the_leaves(view, document):
    best = list_of(view)
    assert best.table.hasFocus()
    nodes = [int(row[0][1:]) for row in rows_of(best.table)]
    QTest.keyClick(best.table, Key.Key_Down)
    assert document.selected == nodes[0]
    QTest.keyClick(best.table, Key.Key_Down)
    assert document.selected == nodes[1]
    place = best.table.visualRect(best.table.model().index(0, 1)).center()
    QTest.mouseClick(best.table.viewport(), LEFT, pos=place)
    assert document.selected == nodes[0]
    document.select(0)
    assert not best.table.selectionModel().hasSelection()
    QTest.keyClick(best.table, Key.Key_Return)
    assert document.selected == nodes[0]
    view.port.pan(3_000, 3_000)
    QTest.keyClick(best.table, Key.Key_Return)
    assert view.rect().intersects(view.node_rect(nodes[0]).toRect())


def test_another_class_has_other_best_leaves(view, document):
    best = list_of(view)
    QTest.keyClick(best.choice, Key.Key_Up)
    assert best.choice.currentText() == "no" and document.look.best == "no"
    assert rows_of(best.table)[0][0] != "#2"


def test_while_a_filter_is_on_the_best_of_what_passes_are_listed(view, document):
    best = list_of(view)
    assert best.table.model().rowCount() == 2  # the others are below the rate of all rows
    document.look.set(filter=LeafFilter(rows=100))
    assert [row[0] for row in rows_of(best.table)] == ["#2"]


def test_numbers_have_highest_and_lowest_means(qtbot, nothing_left):
    table = people(target="income", validation=0)
    document = Document()
    document.set_table(table, engine.Tree.root(table).split(table, 0, by_age(42.5)))
    view = TreeView(document)
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    best = list_of(view)
    assert best.title.text() == "Leaves with the" and best.choice.currentText() == "highest means"
    assert [row[1] for row in rows_of(best.table)] == ["age > 42.5"]
    assert best.table.isColumnHidden(3)  # nothing validates
    QTest.keyClick(best.choice, Key.Key_Down)
    assert [row[1] for row in rows_of(best.table)] == ["age ≤ 42.5"]


def test_long_names_of_columns_are_shortened_in_the_list_and_whole_in_the_tooltip(qtbot, nothing_left):
    frame = pd.DataFrame({"a column with a name that is rather long": range(40), "y": ["no"] * 20 + ["yes"] * 20})
    table = engine.Table.from_frame(frame, target="y")
    document = Document()
    document.set_table(table, engine.grow(table))
    view = TreeView(document)
    qtbot.addWidget(view)
    view.show()
    best = list_of(view)
    rule = rows_of(best.table)[0][1]
    assert rule.endswith("> 19.5") and "…" in rule and len(rule) < 30
    tip = best.table.model().index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("a column with a name that is rather long > 19.5")


def test_the_list_says_which_rows_ranked_it(view, document, table):
    best = list_of(view)
    assert "validation rows" in best.said.text() and "95 % for all leaves" in best.said.text()
    tip = best.table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "validation rows; at least" in tip
    document.set_table(trained := table.with_partition(validation=0), five_nodes(trained))
    best = list_of(view)
    assert "chose these leaves" in best.said.text() and "95 %" not in best.said.text()
    tip = best.table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "training rows, which chose this leaf" in tip and "at least" not in tip


def test_a_tree_without_splits_has_no_best_leaf(qtbot, nothing_left):
    table = people()
    document = Document()
    document.set_table(table)
    view = TreeView(document)
    qtbot.addWidget(view)
    view.show()
    best = list_of(view)
    assert rows_of(best.table) == [] and best.said.text().startswith("No leaf has a higher rate")


# -- in the window


def test_ctrl_f_finds_from_anywhere_and_typing_edits_nothing(qtbot, window):
    document = window.document
    window.panels["candidates"].setFocus()
    QTest.keyClick(window, Key.Key_F, CONTROL)
    bar = window.canvas.corner.cards["finding"]
    assert bar.isVisible() and bar.field.hasFocus()
    n = document.tree.n_leaves
    QTest.keyClicks(bar.field, "gscsp")  # keys of verbs, elsewhere
    assert bar.field.text() == "gscsp" and document.tree.n_leaves == n and not document.edits.running
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert not bar.isVisible() and window.canvas.hasFocus()


def test_the_verbs_stand_in_the_view_menu_and_on_the_toolbar(window):
    view_menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&View")
    assert {"action_find", "action_filter", "action_best_leaves"} <= {a.objectName() for a in view_menu.actions()}
    button = window.toolbar.widgetForAction(window.actions_made.made["find"])
    QTest.mouseClick(button, LEFT)
    assert window.canvas.corner.cards["finding"].isVisible()


def test_the_keys_of_filter_and_best_leaves(window):
    QTest.keyClick(window.canvas, Key.Key_F, CONTROL | SHIFT)
    form = window.canvas.corner.cards["filtering"]
    assert form.isVisible() and form.rows.hasFocus()
    QTest.keyClick(form.rows, Key.Key_Escape)
    QTest.keyClick(window.canvas, Key.Key_L, CONTROL)
    assert window.canvas.corner.cards["best"].table.hasFocus()


def test_all_of_it_ends_with_the_table(window, table):
    document = window.document
    document.look.set(finding=True, query="age", filter=LeafFilter(rows=20), best="yes")
    cards = window.canvas.corner.cards
    assert all(cards[name].isVisible() for name in ("finding", "filter", "best"))
    document.set_table(people(target="city"))
    assert not any(card.isVisible() for card in cards.values())
    assert window.canvas.port.scene.emphasis is None


def test_cards_stand_one_below_the_other_inside_of_the_canvas(view, document):
    document.look.set(finding=True, query="Rome", filter=LeafFilter(rows=20), filtering=True, best="yes")
    for size in ((1100, 800), (420, 500)):
        view.resize(*size)
        boxes = [card.geometry() for card in view.corner.cards.values() if card.isVisible()]
        assert len(boxes) == 3  # the chip is silent while the form says the same
        for above, below in zip(sorted(boxes, key=lambda box: box.top()), sorted(boxes, key=lambda box: box.top())[1:],
                                strict=False):  # fmt: skip
            assert below.top() > above.bottom()
        assert all(box.left() >= 46 and box.right() < view.width() for box in boxes)
    assert np.isfinite(view.port.camera.zoom)


def test_a_list_of_best_leaves_keeps_no_tree_alive(view, document, table):
    view.corner.open_best()
    listed = view.corner.cards["best"]
    assert listed.table.model().rowCount() > 0
    document.look.set(best=None)
    made = engine.Tree.root(table).split(table, 0, by_age(50.0))
    before = document.tree
    document.start(tree_tasks.first_state(table, made))
    held = [each for each in vars(listed).values() if isinstance(each, tuple) and any(one is before for one in each)]
    assert not held
