"""Every verb has its words, its key and its place."""

import pytest

import engine
from gui.bars.fit_strip import fit_words
from gui.verbs.actions import keys_of
from gui.verbs.declared import VERBS
from gui.verbs.menus import MENUS, SUBMENUS


def test_every_action_explains_itself(window):
    for name in VERBS:
        action = window.actions_made[name]
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
    ("uses", "words"),
    [(0, "(not used yet)"), (1, "(used once)"), (23, "(used 23 times)"), (1200, "(used 1,200 times)")],
)
def test_the_fit_strip_says_how_worn_the_validation_rows_are(flowers, uses, words):
    tree = engine.Tree.root(flowers)
    assert fit_words(tree, uses) == f"1 leaf · depth 0 · error: train 66.7 %, valid 66.7 % {words}"
