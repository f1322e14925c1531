"""The panel Replay, through mouse and keys: what stands on the canvas and in the panel at each step."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import engine
from gui.canvas.overlays.picture_controls import FollowChips
from gui.panels.replay.panel import ReplayPanel
from gui.window.window import Window
from tests.gui.acting import fill, rest

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, kept_window: Window) -> Window:
    """A window with penguins, a tree of one split, and the panel open below it."""
    table = engine.read_example("penguins").with_partition(validation=0.3, seed=0)
    fill(qtbot, kept_window, table, engine.grow(table, max_depth=1))
    qtbot.mouseClick(kept_window.places.buttons["replay"], LEFT)
    panel_of(kept_window).what.setCurrentIndex(0)  # whatever the test before chose
    kept_window.document.set_search(max_depth=2)
    rest(qtbot, kept_window)
    return kept_window


def panel_of(window: Window) -> ReplayPanel:
    panel: ReplayPanel = window.panels["replay"]
    return panel


def start(qtbot: QtBot, window: Window) -> ReplayPanel:
    panel = panel_of(window)
    qtbot.mouseClick(panel.begin, LEFT)
    rest(qtbot, window)
    return panel


def press(qtbot: QtBot, window: Window, name: str) -> None:
    qtbot.mouseClick(panel_of(window).buttons[name], LEFT)
    rest(qtbot, window)


def said(window: Window, part: str = "said") -> str:
    label = panel_of(window).findChild(QLabel, f"replay_{part}")
    assert label.isVisible()
    return label.text()


def shown(window: Window) -> engine.Tree:
    assert window.canvas.scene is not None
    return window.canvas.scene.tree


def test_it_says_how_to_begin(window: Window) -> None:
    panel = panel_of(window)
    assert panel.empty.isVisible() and "press Start" in panel.empty.text()
    assert panel.begin.text() == "Start"
    assert shown(window) is window.document.tree


def test_a_tree_grows_on_the_canvas_step_by_step(qtbot: QtBot, window: Window) -> None:
    panel, own = start(qtbot, window), window.document.tree
    assert panel.count.text() == "1 of 11"
    assert shown(window).n_leaves == 1
    assert panel.code.lines[panel.code.lit].strip() == "S ← the split of D of most gain"
    assert "flipper_length_mm ≤ 207.5" in said(window) and "0.3372" in said(window)
    assert "bill_length_mm ≤ 42.3" in said(window, "figures")
    press(qtbot, window, "forward")
    assert shown(window).n_leaves == 2
    assert "241 training rows go into 2 branches" in said(window)
    press(qtbot, window, "last")
    assert panel.count.text() == "11 of 11"
    assert shown(window).n_leaves == 4
    assert not panel.buttons["forward"].isEnabled() and panel.buttons["back"].isEnabled()
    press(qtbot, window, "back")
    assert "Maximum depth is 2" in said(window)
    assert not panel.figures.isVisible()
    press(qtbot, window, "first")
    assert shown(window).n_leaves == 1 and not panel.buttons["back"].isEnabled()
    assert window.document.tree is own


def test_the_own_tree_comes_back(qtbot: QtBot, window: Window) -> None:
    panel = start(qtbot, window)
    assert panel.begin.text() == "End"
    qtbot.mouseClick(panel.begin, LEFT)
    assert shown(window) is window.document.tree
    assert panel.begin.text() == "Start"
    start(qtbot, window)
    qtbot.mouseClick(window.places.buttons["replay"], LEFT)  # closes the panel
    assert shown(window) is window.document.tree
    qtbot.mouseClick(window.places.buttons["replay"], LEFT)
    rest(qtbot, window)
    assert shown(window) is not window.document.tree  # it goes on where it was
    window.document.hand.collapse(0)
    rest(qtbot, window)
    assert shown(window) is window.document.tree
    assert panel.empty.isVisible()


def test_the_keys_walk_in_the_panel_and_on_the_canvas(qtbot: QtBot, window: Window) -> None:
    panel = start(qtbot, window)
    for widget in (panel, window.canvas):
        widget.setFocus()
        qtbot.keyClick(widget, Key.Key_Home)
        for key, expected in ((Key.Key_Right, 1), (Key.Key_Right, 2), (Key.Key_Left, 1), (Key.Key_End, 10)):
            qtbot.keyClick(widget, key)
            rest(qtbot, window)
            assert window.document.replaying.shown_at == expected


def test_the_slider_goes_to_any_step(qtbot: QtBot, window: Window) -> None:
    panel = start(qtbot, window)
    panel.slider.setFocus()
    qtbot.keyClick(panel.slider, Key.Key_PageUp)
    rest(qtbot, window)
    assert panel.count.text() == "11 of 11"
    qtbot.keyClick(panel.slider, Key.Key_Left)
    rest(qtbot, window)
    assert panel.count.text() == "10 of 11"


def test_it_plays_to_the_end_and_pauses(qtbot: QtBot, window: Window) -> None:
    panel, replaying = start(qtbot, window), window.document.replaying
    panel.speed.setFocus()
    qtbot.keyClick(panel.speed, Key.Key_End)
    assert replaying.seconds == 0.2
    panel.setFocus()
    qtbot.keyClick(panel, Key.Key_Space)
    assert replaying.playing and panel.buttons["play"].toolTip().startswith("Pause")
    qtbot.waitUntil(lambda: replaying.shown_at >= 2, timeout=20_000)
    qtbot.keyClick(panel, Key.Key_Space)
    rest(qtbot, window)
    assert not replaying.playing
    press(qtbot, window, "play")
    qtbot.waitUntil(lambda: not replaying.playing, timeout=20_000)
    assert replaying.shown_at == 10


def test_the_node_of_the_step_stands_out_and_a_click_leads_to_its_step(qtbot: QtBot, window: Window) -> None:
    start(qtbot, window)
    press(qtbot, window, "forward")
    canvas = window.canvas
    assert canvas.selected == 0
    child = int(shown(window).ids[1])
    qtbot.mouseClick(canvas, LEFT, pos=canvas.node_rect(child).center().toPoint())
    rest(qtbot, window)
    assert canvas.selected == child == window.document.replaying.node
    assert window.document.selected == 0  # the own selection is what it was
    assert "bill_length_mm ≤ 44.65" in said(window)


def test_a_chip_says_whose_tree_it_is_and_ends_the_replay(qtbot: QtBot, window: Window) -> None:
    start(qtbot, window)
    chip = window.canvas.findChild(FollowChips).replay
    assert chip.isVisible() and "step 1 of 11 · your own tree stays as it is" in chip.text
    qtbot.mouseClick(chip.close_button, LEFT)
    assert not chip.isVisible()
    assert shown(window) is window.document.tree


def test_other_options_end_it(qtbot: QtBot, window: Window) -> None:
    start(qtbot, window)
    window.document.set_search(order="best_first")
    rest(qtbot, window)
    assert shown(window) is window.document.tree
    panel = start(qtbot, window)
    assert "until no leaf is open" in panel.code.lines[-1]
    press(qtbot, window, "forward")
    assert "only open leaf" in said(window)


def test_a_presentation_shows_tree_and_steps(qtbot: QtBot, window: Window) -> None:
    panel = start(qtbot, window)
    usual = panel.code.font().pointSizeF()
    window.document.look.set(presenting=True)
    rest(qtbot, window)
    assert panel.isVisible() and window.canvas.isVisible()
    assert not window.places.strip.isVisible() and not window.places.right.isVisible()
    assert window.places.drawer.height() > 0.4 * window.places.height()
    assert panel.code.font().pointSizeF() > usual
    qtbot.keyClick(window.canvas, Key.Key_Right)
    rest(qtbot, window)
    assert shown(window).n_leaves == 2
    window.document.look.set(presenting=False)
    assert window.places.strip.isVisible()


def test_nothing_is_folded_or_edited_on_the_borrowed_canvas(qtbot: QtBot, window: Window) -> None:
    start(qtbot, window)
    press(qtbot, window, "last")
    canvas, own = window.canvas, window.document.tree
    qtbot.mouseDClick(canvas, LEFT, pos=canvas.node_rect(0).center().toPoint())
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(5, canvas.height() // 2))
    rest(qtbot, window)
    assert window.document.tree is own and not window.document.look.folds


@pytest.mark.parametrize("size", [(1280, 720), (922, 497)])
@pytest.mark.parametrize("percent", [100, 200])
def test_nothing_is_cut_off_in_a_small_window(
    qtbot: QtBot, window: Window, size: tuple[int, int], percent: int
) -> None:
    window.resize(*size)
    window.settings.set("text_size", percent)
    panel = start(qtbot, window)
    for button in (*panel.buttons.values(), panel.begin, panel.count):
        assert button.isVisible()
        assert panel.rect().contains(button.geometry().translated(button.parentWidget().mapTo(panel, QPoint(0, 0))))


def choose(qtbot: QtBot, window: Window, what: str) -> None:
    """Walks down the list by the keys, to the entry of this name."""
    box = panel_of(window).what
    box.setFocus()
    qtbot.keyClick(box, Key.Key_Home)
    while box.currentData() != what:
        before = box.currentData()
        qtbot.keyClick(box, Key.Key_Down)
        assert box.currentData() != before, f"{what} cannot be chosen"
    rest(qtbot, window)


def test_a_tree_is_cut_back_step_by_step(qtbot: QtBot, window: Window) -> None:
    table = window.document.table
    assert table is not None
    fill(qtbot, window, table, engine.grow(table))
    choose(qtbot, window, "reduced_error")
    panel, tree = start(qtbot, window), window.document.tree
    assert tree is not None
    assert shown(window) is tree or shown(window).n_leaves == tree.n_leaves
    assert panel.code.lines[0] == "for each split v of T, branches first:"
    assert "The node becomes a leaf. Errors among the validation rows: 0 as a leaf, 0 with its branches." in said(
        window
    )
    assert "as a leaf" in said(window, "figures")
    press(qtbot, window, "forward")
    assert shown(window).n_leaves == tree.n_leaves - 1
    press(qtbot, window, "last")
    pruning = engine.prune(table, tree, "reduced_error")
    assert shown(window).n_leaves == pruning.steps[pruning.chosen].leaves
    assert window.document.tree is tree


def test_another_method_takes_the_place_of_the_one_that_runs(qtbot: QtBot, window: Window) -> None:
    table = window.document.table
    assert table is not None
    fill(qtbot, window, table, engine.grow(table))
    choose(qtbot, window, "cost_complexity")
    panel = start(qtbot, window)
    assert "g(t)" in " ".join(panel.code.lines)
    scene = window.canvas.scene
    assert scene is not None and scene.emphasis is not None
    assert any("· g = " in text for text in scene.emphasis.words.values())  # beside the branches of the tree
    choose(qtbot, window, "generic")
    assert "T′ ← the tree of least f among" in panel.code.lines[panel.code.lit]
    for choice in ("a leaf “Adelie”", "a leaf “Gentoo”", "its branch", "as it is"):
        assert choice in said(window, "figures")
    choose(qtbot, window, "growing")
    assert shown(window).n_leaves == 1


def test_where_there_is_room_every_line_of_the_code_is_whole(qtbot: QtBot, window: Window) -> None:
    window.resize(1800, 900)
    panel = start(qtbot, window)
    for method in ("reduced_error", "srm"):
        panel.what.setCurrentIndex(panel.what.findData(method))
        panel.what.activated.emit(panel.what.currentIndex())
        rest(qtbot, window)
        assert panel.code.width() >= panel.code.room(panel.code.font())[0]


def test_what_cannot_be_replayed_says_why(qtbot: QtBot, window: Window) -> None:
    window.document.hand.collapse(0)
    rest(qtbot, window)
    box = panel_of(window).what
    row = box.findData("reduced_error")
    assert not box.is_usable(row) and "single leaf" in box.itemData(row, Qt.ItemDataRole.ToolTipRole)
    assert box.is_usable(box.findData("growing"))


def test_what_goes_wrong_is_said(qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.replaying.word_for_word.MOST_SPLITS", 0)
    choose(qtbot, window, "generic")
    panel = start(qtbot, window)
    assert panel.empty.isVisible() and "at most 0 splits" in panel.empty.text()
    assert panel.begin.text() == "Start"


def test_nobody_else_hears_of_nodes_of_the_borrowed_canvas(qtbot: QtBot, window: Window) -> None:
    start(qtbot, window)
    press(qtbot, window, "last")
    canvas, tree = window.canvas, shown(window)
    foreign = next(node for node in tree.ids.tolist() if node not in window.document.tree)
    qtbot.mouseMove(canvas, canvas.node_rect(foreign).center().toPoint())
    assert canvas.hovered == canvas.port.position_of(foreign)
    assert window.document.look.pointed == -1
    qtbot.keyClick(canvas, Key.Key_Return)
    rest(qtbot, window)
    assert shown(window) is tree
