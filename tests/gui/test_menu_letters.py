"""The underlined letters of menus: in no menu do two entries share one, so that a letter acts at once."""

import re
from collections import Counter

import pytest
from PySide6.QtWidgets import QMenu

from gui.settings import Settings
from gui.window import Window


@pytest.fixture
def menus(qtbot, document, flowers):
    window = Window(document, Settings())
    qtbot.addWidget(window)
    document.set_table(flowers)
    return [action.menu() for action in window.menuBar().actions()]


def letters(menu: QMenu) -> Counter[str]:
    found = (re.search("&([^&])", action.text()) for action in menu.actions() if not action.isSeparator())
    return Counter(one[1].lower() for one in found if one)


def inside(menu: QMenu) -> list[QMenu]:
    return [menu, *(one for action in menu.actions() if action.menu() for one in inside(action.menu()))]


def test_no_letter_stands_for_two_entries_of_a_menu(menus):
    assert len(menus) >= 5
    twice = {
        below.title(): [letter for letter, n in letters(below).items() if n > 1]
        for menu in menus
        for below in inside(menu)
    }
    assert {title: shared for title, shared in twice.items() if shared} == {}


def test_every_entry_of_the_tree_menu_has_a_letter(menus):
    tree = next(menu for menu in menus if menu.title() == "&Tree")
    assert [action.text() for action in tree.actions() if not action.isSeparator() and "&" not in action.text()] == []
