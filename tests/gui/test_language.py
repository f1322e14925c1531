"""The language of the window: chosen in its menu, spoken from the next start on."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QGroupBox,
    QLabel,
    QMenu,
    QPushButton,
    QTabBar,
    QToolButton,
    QToolTip,
    QWidget,
)

from engine.runtime.sentences import speak, tr
from gui import language, theme
from gui.settings import Settings
from gui.widgets.buttons import Button, ToolButton, fitting
from gui.window.places import PLACES
from tests.gui.acting import do, fill, make_window, rest
from tests.gui.asked import when_asked
from tests.gui.tables import flower_table


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    made = language.use(qapp, "de")
    yield
    for translator in made:
        QCoreApplication.removeTranslator(translator)
    speak()
    QLocale.setDefault(before)


def choose(window, code: str) -> None:
    """Clicks an entry of View ▸ Language."""
    menu = window.findChild(QMenu, "language_menu")
    menu.popup(window.rect().center())
    entry = next(action for action in menu.actions() if action.objectName() == f"language_{code}")
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())


def test_languages_stand_by_their_own_names(window):
    entries = window.findChild(QMenu, "language_menu").actions()
    assert [entry.text().replace("&", "") for entry in entries] == ["As the system", "English", "Deutsch"]
    assert [entry.isChecked() for entry in entries] == [True, False, False]


def test_another_language_is_spoken_after_the_next_start(qtbot, monkeypatch, window):
    started = []
    monkeypatch.setattr(language, "restart", lambda *arguments: started.append(arguments))
    fill(qtbot, window, flower_table())
    choose(window, "de")
    assert window.settings.value("language") == Settings().value("language") == "de"
    assert window.bar.texts == ["Espalier speaks Deutsch after the next start."]
    answer = next(each for each in window.bar.findChildren(QPushButton) if each.text() == "Restart now")
    do(window, "split_anywhere")
    rest(qtbot, window)
    when_asked(lambda dialog: dialog.reject(), "save_changes")
    QTest.mouseClick(answer, Qt.MouseButton.LeftButton)
    assert started == [] and window.isVisible() and window.document.tree.n_leaves == 2


def test_restarting_opens_the_same_project(qtbot, monkeypatch, tmp_path, window):
    started = []
    monkeypatch.setattr(language, "restart", lambda *arguments: started.append(arguments))
    fill(qtbot, window, flower_table())
    window.opening.example("cats")
    rest(qtbot, window)
    do(window, "split_anywhere")
    rest(qtbot, window)
    path = tmp_path / "mine.espalier"
    window.document.storage.save(path)
    rest(qtbot, window)
    assert not window.unsaved, window.bar.texts
    choose(window, "de")
    answer = next(each for each in window.bar.findChildren(QPushButton) if each.text() == "Restart now")
    QTest.mouseClick(answer, Qt.MouseButton.LeftButton)
    assert started == [(str(path),)] and not window.isVisible()


@pytest.mark.parametrize(
    ("system", "choice", "code"),
    [(["de-AT", "en-US"], "system", "de"), (["fr-FR", "de-DE"], "system", "de"), (["fr-FR"], "system", "en"),
     (["de-DE"], "en", "en"), (["en-GB"], "de", "de"), ([], "of a later version", "en")],
)  # fmt: skip
def test_the_system_says_which_language(monkeypatch, system, choice, code):
    class Locale:
        @staticmethod
        def system():
            return Locale()

        def uiLanguages(self):
            return system

    monkeypatch.setattr(language, "QLocale", Locale)
    assert language.code_of(choice) == code


def test_without_a_catalogue_everything_is_english(qapp):
    assert language.use(qapp, "en") == [] and tr("{n} leaves", n="2") == "2 leaves"


def test_a_window_in_german(qtbot, german):
    window = make_window(qtbot, flower_table())
    tops = [action.text().replace("&", "") for action in window.menuBar().actions()]
    assert tops[0] == "Datei" and not {"File", "Edit", "View", "Tree", "Data", "Help"} & set(tops)
    for name in ("split_anywhere", "grow_all", "prune", "undo", "redo", "next_colours"):
        do(window, name)
        rest(qtbot, window)
    assert window.document.tree.n_leaves >= 2
    for top in window.menuBar().actions():
        letters = [each.text().split("&")[1][0].lower() for each in top.menu().actions() if "&" in each.text()]
        assert len(letters) == len(set(letters)), (top.text(), letters)


def letters(window) -> list[str]:
    """The letters that Alt reaches at once: of the menu bar, of buttons, tabs and labels that are in sight."""
    texts = [action.text() for action in window.menuBar().actions()]
    for part in window.findChildren(QWidget):
        if part.isVisible() and isinstance(part, QAbstractButton | QGroupBox):
            texts.append(part.title() if isinstance(part, QGroupBox) else part.text())
        elif part.isVisible() and isinstance(part, QLabel) and part.buddy() is not None:
            texts.append(part.text())
        elif part.isVisible() and isinstance(part, QTabBar):
            texts += [part.tabText(i) for i in range(part.count())]
    return sorted(key for text in texts if (key := QKeySequence.mnemonic(text).toString()))


def twice(window) -> set[str]:
    found = letters(window)
    return {letter for letter in found if found.count(letter) > 1}


def test_no_two_of_a_place_have_one_letter(qtbot, window):
    """The start page beside the menus, then each panel, alone with the whole middle and beside the tree."""
    assert len(letters(window)) >= 10 and not twice(window)
    fill(qtbot, window, flower_table())
    do(window, "split_anywhere")
    rest(qtbot, window)
    for place in PLACES.values():
        for name in place[1]:
            window.places.show_panel(name)
            rest(qtbot, window)
            assert not twice(window), name


def test_numbers_keep_their_point(qapp, german):
    assert QLocale().decimalPoint() == "."


def cut(window) -> list[str]:
    """The words of buttons in sight that do not fit into these, and do not show that by an ellipsis."""
    found = []
    for part in window.findChildren(QPushButton) + window.findChildren(QToolButton):
        whole = part.sizeHint().width() <= part.width()
        if part.isVisible() and part.text() and not whole and not isinstance(part, Button | ToolButton):
            found.append(f"{part.objectName()}: {part.text()}")
    return found


def test_large_german_words_have_room_in_a_small_window_or_are_shortened(qtbot, german):
    window = make_window(qtbot, flower_table().with_partition(validation=0.3))
    size = next(action for action in window.findChildren(QAction) if action.objectName() == "text_size_200")
    try:
        size.trigger()
        do(window, "split_anywhere")
        rest(qtbot, window)
        window.resize(1000, 700)
        for place in PLACES.values():
            for name in place[1]:
                window.places.show_panel(name)
                rest(qtbot, window)
                assert window.width() == 1000, name
                assert cut(window) == [], name
        panel = window.panels["figures"]
        window.places.show_panel("figures")
        rest(qtbot, window)
        assert panel.cross.text() == "Teile (Kreuzvalidierung)" and panel.cross.isVisible()
        shown = fitting(panel.cross)
        assert shown.startswith("Tei") and shown.endswith("…")
        where = panel.cross.rect().center()
        QApplication.sendEvent(panel.cross, QHelpEvent(QEvent.Type.ToolTip, where, panel.cross.mapToGlobal(where)))
        assert QToolTip.text().startswith("Teile (Kreuzvalidierung)")
    finally:
        QToolTip.hideText()
        theme.set_text_size(100)
