"""What the canvas shows, chosen by mouse and keys, and seen in what is drawn."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QSlider, QToolTip

import engine
from engine.assessment.disagreement import LEVEL
from gui import theme
from gui.canvas.overlays.picture_controls import FoldBar
from gui.model.document import Document
from gui.picture import legend
from gui.picture.cards import scene as places
from gui.picture.cards.painter import paint
from gui.picture.cards.scene import Scene
from gui.picture.colours import ENDS, MODES, ONE, Colouring
from gui.picture.kinds import prepare
from gui.picture.levels import layout
from gui.picture.nodes import tips
from gui.picture.nodes.cards import LINES
from gui.picture.nodes.figures import disagreeing, disagreement, held_out_errors
from gui.picture.nodes.letters import Letters
from gui.settings import Settings
from gui.verbs.declared import EVERY
from gui.window.window import Window
from gui.wording import hand_phrases, words
from tests.gui.acting import fill
from tests.gui.canvas.trees import drawn_texts, people, random_tree

NONE, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def make(qtbot, kept_window) -> Callable[[engine.Table], Window]:
    """Shows the window with a table in it, grown to a few leaves."""

    def make(table: engine.Table, leaves: int = 5) -> Window:
        return fill(qtbot, kept_window, table, engine.grow(table, max_leaves=leaves), size=(1400, 1000))

    return make


def texts(window: Window) -> list[str]:
    """All that stands on the canvas, at the size at which it is shown."""
    view = window.canvas
    scene, camera = view.scene, view.port.camera
    size = view.width(), view.height()
    return [text for *_, text in drawn_texts(lambda p: paint(p, scene, camera, *size), *size)]


def in_legend(window: Window) -> list[str]:
    return [text for *_, text in drawn_texts(lambda p: legend.paint(p, window.canvas.scene, 0, 0, 3_000))]


def colours(window: Window, node: int) -> set[str]:
    """What a card is painted with, as it is seen."""
    image: QImage = window.canvas.grab().toImage()
    box = window.canvas.node_rect(node).toRect()
    inside = [(x, y) for x in range(box.left(), box.right(), 2) for y in range(box.top(), box.bottom())]
    return {image.pixelColor(x, y).name() for x, y in inside if image.rect().contains(x, y)}


def open_menu(window: Window, name: str) -> QMenu:
    """Opens View, goes to one of its menus by the arrow keys, and into it."""
    bar = window.menuBar()
    view = next(action for action in bar.actions() if action.text() == "&View")
    QTest.mouseClick(bar, LEFT, NONE, bar.actionGeometry(view).center())
    menu: QMenu = view.menu()
    wanted = window.findChild(QMenu, name)
    while menu.activeAction() is not wanted.menuAction():
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Right)
    assert wanted.isVisible()
    return wanted


def choose(window: Window, name: str, text: str) -> None:
    """Clicks an entry of one of View's menus."""
    menu = open_menu(window, name)
    action = next(action for action in menu.actions() if action.text().replace("&", "").startswith(text))
    QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(action).center())
    for shown in window.findChildren(QMenu):
        shown.close()


# -- colours


@pytest.mark.parametrize("target", ["buys", "city", "income"])
def test_every_way_of_colouring_says_what_it_is_and_stands_on_the_cards(make, target) -> None:
    window = make(people(target=target))
    document, tree = window.document, window.document.tree
    seen = set()
    for mode in MODES.values():
        if mode.refusal(tree):
            continue
        choose(window, "colours_menu", mode.text.replace("&", ""))
        scene = window.canvas.scene
        assert document.look.colour_by == mode.name == scene.colours.mode.name
        said = mode.words(scene.colours.subject)
        assert all(part in in_legend(window) for part in (said.before, said.after, said.note) if part)
        shown = texts(window)
        for i in range(tree.n_nodes):
            figure = mode.says(scene.colours.subject, i)
            assert not figure or figure in shown, (mode.name, figure)
        seen.add(tuple(scene.colours.ribbon(int(i)).name() for i in tree.leaves))
    assert len(seen) > 3  # they are really others


@pytest.mark.parametrize("rule", [{}, {"costs": (("no", "yes", 9.0),)}, {"priors": (("yes", 0.9), ("no", 0.1))}])
@pytest.mark.parametrize("focus", [0, 1])
def test_the_colour_of_a_leaf_says_its_rate_whatever_it_predicts(rule, focus) -> None:
    """80 % are yes; a leaf with 60 % predicts yes, and is nearer to no than all rows are."""
    rows = [("a", "yes", 60), ("a", "no", 40), ("b", "yes", 100), ("c", "no", 5), ("c", "yes", 45)]
    frame = pd.DataFrame([row[:2] for row in rows for _ in range(row[2])], columns=["x", "y"])
    table = engine.Table.from_frame(frame, target="y")
    split = engine.Split("x", "groups", groups=(("a",), ("b",), ("c",)))
    tree = engine.Tree.root(table).split(table, 0, split).with_leaf_rule(table, engine.LeafRule(**rule))
    tree = tree.with_mark(2, label="no")
    colouring = Colouring(tree, focus, theme.LIGHT)
    poles = {k: colouring.pole(1 if k == focus else 0) for k in (0, 1)}

    def like(colour: QColor, k: int) -> float:
        return sum((a - b) ** 2 for a, b in zip(colour.getRgb(), poles[k].getRgb(), strict=True))

    for i, more in zip(tree.leaves.tolist(), (0, 1, 1), strict=True):
        assert like(colouring.ribbon(i), more) < like(theme.LIGHT.ribbon, more), (i, tree.classes[more])
    ghosts = colouring.shades(tree.train[tree.leaves], tree.labels[tree.leaves])
    assert [colouring.tile_of(int(shade)) for shade in ghosts] == [colouring.ribbon(i) for i in tree.leaves.tolist()]


def test_the_key_goes_on_to_the_next_and_comes_around(make) -> None:
    window = make(people())
    document, tree = window.document, window.document.tree
    usable = [mode.name for mode in MODES.values() if not mode.refusal(tree)]
    window.canvas.setFocus()
    found = []
    for _ in usable:
        QTest.keyClick(window.canvas, Qt.Key.Key_H)
        found.append(window.canvas.scene.colours.mode.name)
    assert found == [*usable[1:], usable[0]]
    assert "average" in window.statusBar().currentMessage()
    assert document.look.colour_by == "rate"


def test_what_cannot_colour_this_tree_is_grey_and_says_why(make) -> None:
    window = make(people(target="income", validation=0))
    menu = open_menu(window, "colours_menu")
    found = dict(zip(EVERY, menu.actions(), strict=True))
    assert [name for name, action in found.items() if not action.isEnabled()] == [
        "class", "lift", "error", "difference",
    ]  # fmt: skip
    assert "Partition" in found["error"].toolTip() and "Comparison" in found["difference"].toolTip()
    assert [name for name, action in found.items() if action.isChecked()] == ["rate"]
    for shown in window.findChildren(QMenu):
        shown.close()


def test_a_taste_that_does_not_fit_gives_way_to_the_usual(make) -> None:
    window = make(people(target="income"))
    window.document.look.set(colour_by="class")
    assert window.canvas.scene.colours.mode.name == "rate"


def test_the_difference_to_another_tree_is_one_of_the_colours(make, qtbot) -> None:
    window = make(people())
    document = window.document
    document.comparing.with_state(document.state, "itself")
    qtbot.waitUntil(lambda: bool(document.comparing.results), timeout=60_000)
    choose(window, "colours_menu", "Difference")
    assert window.canvas.scene.differs and "differs 0 %" in texts(window)
    choose(window, "colours_menu", "Class")
    assert not document.comparing.coloured and window.canvas.scene.colours.mode.name == "class"


def test_a_card_wears_its_colour_where_its_bar_does_not_show_it(make) -> None:
    window = make(people())
    before = colours(window, 0)
    choose(window, "colours_menu", "Validation error")
    wanted = window.canvas.scene.colours.ribbon(0).name()
    assert wanted in colours(window, 0) and wanted not in before


def test_the_focus_class_is_kept_through_all_colours(make) -> None:
    window = make(people(target="city"))
    window.document.set_focus(2)
    choose(window, "colours_menu", "Lift")
    assert f"lift of {window.document.tree.classes[2]}: ¼ or less" in in_legend(window)


def test_a_tooltip_says_what_the_colour_says(make) -> None:
    window = make(people())
    choose(window, "colours_menu", "Lift")
    place = window.canvas.node_rect(0).center().toPoint()
    QApplication.sendEvent(window.canvas, QHelpEvent(QEvent.Type.ToolTip, place, window.canvas.mapToGlobal(place)))
    assert "Colour: lift 1.00" in QToolTip.text()
    QToolTip.hideText()


# -- what cards show


def test_lines_are_chosen_and_the_cards_take_their_size(make) -> None:
    window = make(people())
    scene = window.canvas.scene
    high = scene.cards.card_height
    choose(window, "lines_menu", "Impurity")
    assert any(text.startswith("Gini 0.") for text in texts(window))
    assert window.canvas.scene.cards.card_height > high
    choose(window, "lines_menu", "Node number")
    assert "node 0" in texts(window)
    choose(window, "lines_menu", "Share of all rows")
    assert "100 % of all rows" in texts(window)
    for name in ("Validation", "Impurity", "Node number", "Share of all rows", "Bar"):
        choose(window, "lines_menu", name)
    shown = texts(window)
    assert not any(text.startswith(("valid", "Gini", "node")) for text in shown)
    assert window.canvas.scene.cards.card_height < high
    choose(window, "lines_menu", "Reset")
    assert window.canvas.scene.cards.card_height == high
    assert Settings(window.settings.path).value("canvas_lines") == list(window.document.look.lines)


def test_the_menu_ticks_what_is_shown_and_keeps_the_order(make) -> None:
    window = make(people())
    choose(window, "lines_menu", "Node number")
    menu = open_menu(window, "lines_menu")
    ticked = [action.data() for action in menu.actions() if action.isChecked()]
    assert ticked == [name for name in LINES if name in window.document.look.lines]
    assert "number" in ticked and "share" not in ticked
    for shown in window.findChildren(QMenu):
        shown.close()


def test_without_any_line_a_card_is_still_there(make) -> None:
    window = make(people())
    window.document.look.set(lines=())
    assert window.canvas.scene.cards.card_height > 0
    window.canvas.grab()
    assert window.canvas.node_under(window.canvas.node_rect(0).center()) == 0


def test_without_badges_there_are_none(make, qtbot) -> None:
    window = make(people())
    window.document.hand.toggle(0, "pinned")
    qtbot.waitUntil(lambda: bool(window.document.tree.marks), timeout=60_000)
    assert window.canvas.scene.badges(0) == (hand_phrases.PINNED,)
    choose(window, "lines_menu", "Badges")
    assert window.canvas.scene.badges(0) == ()


# -- validation rows


def test_validation_rows_flow_by_a_key(make) -> None:
    window = make(people(n=2_000, validation=0.4))
    tree = window.document.tree
    usual, rows = window.canvas.grab().toImage(), words.compact_count(int(tree.rows_validation[0]))
    assert not any(f" · {rows} rows" in text for text in texts(window))
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_V)
    scene, shown = window.canvas.scene, texts(window)
    assert window.canvas.grab().toImage() != usual
    assert any(f" · {rows} rows" in text for text in shown)
    assert any(text.startswith("train ") for text in shown) and not any(text.startswith("valid") for text in shown)
    share = tree.rows_validation[1] / tree.rows_validation[0]
    assert scene.ribbons[1] / scene.ribbons[0] == pytest.approx(share)
    counts = tree.validation[0]
    assert scene.bar_ends[0, 0] == pytest.approx(counts[0] / counts.sum())
    assert window.actions_made.made["flow_validation"].isChecked()
    QTest.keyClick(window.canvas, Qt.Key.Key_V)
    assert window.canvas.grab().toImage() == usual


def test_without_validation_rows_it_says_why_it_cannot(make) -> None:
    window = make(people(validation=0))
    action = window.actions_made.made["flow_validation"]
    assert not action.isEnabled() and "Partition" in action.toolTip()


def disagreeing_table() -> engine.Table:
    """Rows whose training part follows x, while the validation part does the opposite above 50."""
    import pandas as pd

    x = np.arange(400) % 100
    part = np.where(np.arange(400) < 200, "train", "validation")
    y = np.where((x > 50) ^ ((part == "validation") & (x > 50)), "yes", "no")
    frame = pd.DataFrame({"x": x, "part": part, "y": y})
    return engine.Table.from_frame(frame, target="y", name="odd").with_partition(column="part")


def test_nodes_where_the_parts_disagree_stand_out_and_say_why(make) -> None:
    window = make(disagreeing_table(), leaves=2)
    tree = window.document.tree
    odd = [i for i in range(tree.n_nodes) if disagreeing(tree)[i]]
    assert odd and (disagreement(tree).adjusted[odd] < LEVEL).all()
    QTest.keyClick(window.canvas, Qt.Key.Key_V)
    scene = window.canvas.scene
    assert [hand_phrases.DISAGREES in scene.badges(i) for i in range(tree.n_nodes)] == disagreeing(tree).tolist()
    image = window.canvas.grab().toImage()
    for i in range(tree.n_nodes):
        corner = window.canvas.node_rect(int(tree.ids[i])).topRight().toPoint()
        around = [corner + QPoint(x, y) for x in range(-14, 8) for y in range(-8, 9)]
        warned = any(image.pixelColor(point) == scene.theme.warning for point in around)
        assert warned == bool(disagreeing(tree)[i]), i
    assert any(text.startswith(f"unlike the training rows: {len(odd)} of") for text in in_legend(window))
    place = window.canvas.node_rect(int(tree.ids[odd[-1]])).center().toPoint()
    QApplication.sendEvent(window.canvas, QHelpEvent(QEvent.Type.ToolTip, place, window.canvas.mapToGlobal(place)))
    assert "Training and validation rows disagree" in QToolTip.text() and "exact test" in QToolTip.text()
    QToolTip.hideText()


def test_far_away_they_are_dots(make) -> None:
    window = make(disagreeing_table(), leaves=2)
    QTest.keyClick(window.canvas, Qt.Key.Key_V)
    for _ in range(12):
        QTest.keyClick(window.canvas, Qt.Key.Key_Minus)
    image, warning = window.canvas.grab().toImage(), window.canvas.scene.theme.warning
    high = range(image.height() - int(legend.HEIGHT))
    assert any(image.pixelColor(x, y) == warning for x in range(image.width()) for y in high)


# -- numbers


def test_cards_of_numbers_show_box_plots_once_they_are_known(make, qtbot) -> None:
    window = make(people(target="income"))
    tree, scene = window.document.tree, window.canvas.scene
    qtbot.waitUntil(lambda: scene.box_plot(0) is not None, timeout=60_000)
    table, at = window.document.table, window.document.state.assigned()
    rows = at.rows_of(0)
    y = np.sort(table.y[rows[table.part[rows] == 0]] + table.origin)
    assert scene.box_plot(0)[2] == pytest.approx(y[int(np.ceil(0.5 * y.size)) - 1])
    before = window.canvas.grab().toImage()
    QTest.keyClick(window.canvas, Qt.Key.Key_V)
    scene = window.canvas.scene
    qtbot.waitUntil(lambda: scene.box_plot(0) is not None, timeout=60_000)
    assert window.canvas.grab().toImage() != before
    assert "t test" in tips._disagreement(tree, 0)


def test_the_error_as_a_leaf_is_that_of_the_validation_rows(make) -> None:
    tree = make(people()).document.tree
    label = tree.labels[0]
    assert held_out_errors(tree)[0] == pytest.approx(1 - tree.validation[0, label] / tree.validation[0].sum())


def test_a_large_tree_is_prepared_as_it_will_be_shown(document: Document, monkeypatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(places, "layout", lambda *args: made.append("layout") or layout(*args))
    measured: list[str] = []
    impurity = MODES["impurity"]
    counted = replace(impurity, shades=lambda subject: measured.append("shades") or impurity.shades(subject))
    monkeypatch.setitem(MODES, "impurity", counted)
    document.look.set(colour_by="impurity", lines=("split", "rows"), part="validation")
    tree = random_tree(n=3_001)
    options = document.look.picture_options()
    prepare(tree, options)
    Scene(tree, 1, theme.DARK, Letters(), options)
    assert made == ["layout"] and measured == ["shades"]


# -- the legend and the slider of levels in little room


def foot(window: Window) -> list[str]:
    """The words of the legend as it is on the canvas, beside what else is there."""
    view = window.canvas
    bar = view.findChild(FoldBar)
    room = view.width() - 20 - (bar.width() + 10) * bar.isVisible()
    drawn = drawn_texts(lambda p: legend.paint(p, view.scene, 10, 0, room))
    assert all(x + view.stage.letters.width(text) <= 10 + room for x, _, text in drawn)
    return [text for *_, text in drawn]


@pytest.mark.parametrize("target", ["buys", "city", "income"])
def test_validation_rows_leave_the_slider_and_the_discs_are_explained(make, target) -> None:
    window = make(people(target=target), leaves=6)
    window.resize(1600 if target == "city" else 1300, 800)
    slider = window.canvas.findChild(QSlider, "fold_levels")
    assert slider.isVisible()
    QTest.keyClick(window.canvas, Qt.Key.Key_V)
    assert slider.isVisible()
    assert any(text.startswith("unlike ") for text in foot(window))


@pytest.mark.parametrize("kind", ["cards", "streams"])
@pytest.mark.parametrize("target", ["buys", "income"])
def test_a_narrow_legend_keeps_both_ends_of_its_colours(make, target, kind) -> None:
    window = make(people(target=target), leaves=6)
    window.resize(1000, 700)
    window.document.look.set(kind=kind)
    for mode in MODES.values():
        if mode.poles not in (ENDS, ONE) or mode.refusal(window.document.tree):
            continue
        window.document.look.set(colour_by=mode.name)
        said = mode.words(window.canvas.scene.colours.subject)
        assert window.canvas.findChild(QSlider, "fold_levels").isVisible()
        texts = foot(window)
        assert texts[0] in (said.before, said.brief) and texts[1] in (said.after, said.brief_after), texts
