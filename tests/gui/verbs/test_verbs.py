"""Every verb has its words, its key and its place."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

import engine
from gui.model.editing.hand_edits import BRANCH
from gui.verbs.actions import Actions, keys_of
from gui.verbs.declared import VERBS
from gui.verbs.menus import MENUS, SUBMENUS
from gui.window.bars import fit_words
from tests.gui.acting import do, rest


def test_every_action_explains_itself(window):
    for name in VERBS:
        action = window.actions_made.made[name]
        assert action.objectName() == f"action_{name}"
        assert len(action.statusTip()) > 10 and action.toolTip().startswith(action.statusTip())


def test_no_key_is_taken_twice(window):
    keys = [each.toString() for verb in VERBS.values() for each in keys_of(verb)]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+O", "Ctrl+S", "Ctrl+Z", "Ctrl+Q", "Ctrl+W", "F1", "S", "G", "P", "Del"} <= set(keys)


def test_every_verb_is_in_one_menu(window):
    listed = [*MENUS.values(), *(inside for _, inside in SUBMENUS.values())]
    named = [name for names in listed for name in names if name and not name.endswith(">")]
    assert sorted(named) == sorted(VERBS)


def test_no_letter_is_marked_twice_in_a_menu(window):
    tops = [top.menu() for top in window.menuBar().actions()]
    for menu in [*tops, *(action.menu() for top in tops for action in top.actions() if action.menu())]:
        letters = [action.text().split("&")[1][0].lower() for action in menu.actions() if "&" in action.text()]
        assert len(letters) == len(set(letters)), (menu.title(), letters)


def test_every_entry_of_the_tree_menu_has_a_letter(window):
    tree = next(top.menu() for top in window.menuBar().actions() if top.text() == "&Tree")
    assert [action.text() for action in tree.actions() if action.text() and "&" not in action.text()] == []


@pytest.mark.parametrize(
    ("trees", "words"),
    [(0, "(not used yet)"), (1, "(not used yet)"), (23, "(23 trees compared)"), (1200, "(1,200 trees compared)")],
)
def test_the_fit_strip_says_how_worn_the_validation_rows_are(flowers, trees, words):
    tree = engine.Tree.root(flowers)
    assert fit_words(tree, trees) == f"1 leaf · depth 0 · error: train 66.7 %, valid 66.7 % {words}"


# -- keys


def test_typing_that_misses_a_field_does_nothing(qtbot, full):
    assert full.canvas.hasFocus(), "a table that was just opened is ready for the keys"
    panel = full.panels["candidates"]
    before = full.document.tree
    beside = full.statusBar().mapTo(full, QPoint(full.statusBar().width() // 2, 4))
    tabs = [tab for tab in full.findChildren(QTabBar) if tab.isVisible()]
    assert len(tabs) == 2
    missed = [
        (panel.headline, panel.headline.rect().center()),
        (full.places.places["node"], QPoint(40, 8)),  # its title
        *((tab, tab.tabRect(1).center()) for tab in tabs),
        *((tab, tab.tabRect(0).center()) for tab in tabs),
        (full.toolbar, full.fit_strip.geometry().center()),
        (full.toolbar, full.fit_strip.geometry().topLeft() - QPoint(30, -10)),
        (full.toolbar, QPoint(1, 1)),
        (full, beside),
    ]
    for widget, where in missed:
        full.canvas.setFocus()
        hit = widget.childAt(where) or widget
        qtbot.mouseClick(hit, Qt.MouseButton.LeftButton, pos=hit.mapFrom(widget, where))
        assert not full.canvas.hasFocus(), (hit, where)
        for letter in "SsLlgGpm.,":
            QTest.keyClicks(QApplication.focusWidget(), letter)
        rest(qtbot, full)
        assert full.document.tree is before, (hit, where)
    full.canvas.setFocus()
    qtbot.mouseClick(full.toolbar.widgetForAction(full.actions_made.made["fit"]), Qt.MouseButton.LeftButton)
    assert full.canvas.hasFocus(), "a verb of the toolbar leaves the keys to the tree"
    QTest.mouseClick(full.canvas, Qt.MouseButton.LeftButton, pos=full.canvas.node_rect(0).center().toPoint())
    QTest.keyClicks(QApplication.focusWidget(), "s")
    rest(qtbot, full)
    assert full.document.tree.n_leaves == 2


def test_the_key_of_a_greyed_verb_says_why(qtbot, full):
    full.canvas.setFocus()
    merge = full.actions_made.made["merge"]
    assert not merge.isEnabled(), "the only leaf has no partner"
    QTest.keyClick(full.canvas, Qt.Key.Key_M)
    assert full.statusBar().currentMessage() == merge.statusTip() == VERBS["merge"].refusal(full.document)


def test_a_letter_typed_in_an_open_menu_is_the_menus(qtbot, full):
    full.canvas.setFocus()
    before, file = full.document.tree, full.menuBar().actions()[0].menu()
    QTest.keyClick(full.windowHandle(), Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(file.isVisible)
    for letter in (Qt.Key.Key_L, Qt.Key.Key_G):
        QTest.keyClick(file.windowHandle(), letter)
    rest(qtbot, full)
    assert full.document.tree is before and file.isVisible()
    example = next(one.menu() for one in file.actions() if one.menu() is not None)
    QTest.keyClick(file.windowHandle(), Qt.Key.Key_E)  # a letter of the canvas, too, and of "Open &example"
    assert example.isVisible()
    file.close()


def test_no_key_that_types_is_one_of_the_whole_window(window):
    for name, verb in VERBS.items():
        typing = any(len(key.toString().removeprefix("Shift+")) == 1 for key in keys_of(verb))
        context = window.actions_made.made[name].shortcutContext()
        assert (context == Qt.ShortcutContext.WidgetShortcut) == (typing or verb.on_canvas or name == "prune_below")


# -- the mouse


class Watched(QMimeData):
    """A branch on the clipboard that counts how often it is read."""

    reads = 0

    def formats(self):
        return [BRANCH]

    def hasFormat(self, kind):
        return kind == BRANCH

    def retrieveData(self, kind, preferred):
        Watched.reads += 1
        return b"{}"


def test_hovering_asks_no_verb_and_reads_no_clipboard(qtbot, full, monkeypatch):
    do(full, "grow_all")
    rest(qtbot, full)
    asked = []
    apply = Actions._apply
    monkeypatch.setattr(Actions, "_apply", lambda self, name: (asked.append(name), apply(self, name)))
    QGuiApplication.clipboard().setMimeData(Watched())
    full.actions_made.refresh()
    assert asked and Watched.reads == 0, "whether a branch can be pasted is asked often, what it is only by pasting"
    asked.clear()
    tree, canvas = full.document.tree, full.canvas
    for node in tree.ids[:5].tolist():
        QTest.mouseMove(canvas, canvas.node_rect(node).center().toPoint())
        assert full.document.look.pointed == node
    assert asked == []
    QGuiApplication.clipboard().clear()
