"""The window of the handbook: F1, contents, search, links, back; and how it looks."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui import theme
from gui.help import pages
from gui.help.reader import PLACE, Handbook
from gui.settings import Settings
from gui.window.window import Window
from tests.gui.acting import do, put_up

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def book(qtbot, home) -> Handbook:
    made = Handbook(Settings())
    put_up(qtbot, made, 1000, 700)
    made.open(pages.CONTENTS)
    QApplication.processEvents()
    return made


def hold(qtbot, window: Window, widget: QWidget) -> None:
    """Gives the keys to a part of the window."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    widget.setFocus()
    assert widget.hasFocus()


def press_f1(window: Window) -> Handbook:
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_F1)
    assert window.handbook is not None
    return window.handbook


def heading_in_sight(book: Handbook) -> str:
    """The topmost heading that is in view."""
    cursor = book.page.cursorForPosition(QPoint(30, 12))
    block = cursor.block()
    while block.isValid() and not block.blockFormat().headingLevel():
        block = block.next()
    return block.text()


def click_link(book: Handbook, words: str) -> None:
    """Clicks on the first link that reads so."""
    page = book.page
    cursor = page.document().find(words)
    while not cursor.isNull() and not cursor.charFormat().isAnchor():
        cursor = page.document().find(words, cursor)
    middle = QTextCursor(cursor)
    middle.setPosition((cursor.selectionStart() + cursor.selectionEnd()) // 2)
    page.setTextCursor(middle)
    page.ensureCursorVisible()
    QTest.mouseClick(page.viewport(), LEFT, pos=page.cursorRect(middle).center())


@pytest.mark.parametrize(("panel", "title"), [("columns", "Data"), ("pruning", "Prune"), ("judge", "Judge"),
                                              ("rows", "Words"), ("candidates", "This node")])  # fmt: skip
def test_f1_opens_the_page_of_the_panel_that_has_the_focus(qtbot, full, panel, title):
    shown = full.show_panel(panel)
    hold(qtbot, full, next(
        child for child in [shown, *shown.findChildren(QWidget)]
        if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
    ))  # fmt: skip
    book = press_f1(full)
    qtbot.waitExposed(book)
    assert book.isVisible() and not book.isModal()
    assert book.page.document().begin().text() == title
    assert book.contents.currentItem().text(0) == title
    book.close()


def test_f1_on_the_canvas_and_on_the_start_page(qtbot, kept_window, flowers):
    kept_window.show()
    qtbot.waitExposed(kept_window)
    hold(qtbot, kept_window, kept_window.start_page.findChild(QWidget, "open_button"))
    assert press_f1(kept_window).place == "opening"
    kept_window.document.set_table(flowers)
    hold(qtbot, kept_window, kept_window.canvas)
    assert press_f1(kept_window).place == "canvas"
    kept_window.handbook.close()


def test_the_handbook_goes_with_its_window(qtbot, window):
    do(window, "handbook")
    book = window.handbook
    qtbot.waitExposed(book)
    window.close()
    assert not book.isVisible()


def test_contents_links_and_the_way_back(book):
    item = book.contents.findItems("Prune", Qt.MatchFlag.MatchRecursive)[0]
    QTest.mouseClick(book.contents.viewport(), LEFT, pos=book.contents.visualItemRect(item).center())
    assert book.page.document().begin().text() == "Prune" and not book.forward.isEnabled()
    click_link(book, "method")
    assert book.page.document().begin().text() == "Pruning methods"
    QTest.mouseClick(book.back, LEFT)
    assert book.page.document().begin().text() == "Prune"
    QTest.keyClick(book, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert book.page.document().begin().text() == "Pruning methods" and not book.forward.isEnabled()


def test_a_link_to_a_heading_shows_that_heading(book):
    book.go("pruning-methods#reduced-error")
    assert heading_in_sight(book) == "Reduced error"


def test_search_lists_sections_opens_one_and_lights_the_words(book):
    QTest.keyClick(book, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(book.search, "reduced harm")
    assert book.hits.isVisible() and not book.contents.isVisible()
    assert "Pruning methods" in book.hits.item(0).text()
    QTest.keyClick(book.search, Qt.Key.Key_Return)
    assert book.place == book.hits.item(0).data(PLACE)
    lit = {each.cursor.selectedText().lower() for each in book.page.extraSelections()}
    assert lit == {"reduced", "harm"}
    QTest.keyClick(book, Qt.Key.Key_Escape)
    assert book.contents.isVisible() and book.isVisible()
    QTest.keyClick(book, Qt.Key.Key_Escape)
    assert not book.isVisible()


def test_nothing_found_is_said(book):
    QTest.keyClicks(book.search, "zebrafish")
    assert book.hits.item(0).text() == "Nothing was found."
    QTest.keyClick(book.search, Qt.Key.Key_Return)
    assert book.place == pages.CONTENTS


def test_only_figures_of_the_handbook_are_loaded(book, tmp_path):
    image = QTextDocument.ResourceType.ImageResource.value
    assert not book.page.loadResource(image, QUrl("figures/prune.png")).isNull()
    for foreign in (
        "../pictures/window.png",
        "file:///etc/hostname",
        str(tmp_path / "a.png"),
        "https://example.org/a.png",
    ):
        found = book.page.loadResource(image, QUrl(foreign))
        assert found is None or found.isNull(), foreign


def test_figures_are_no_wider_than_the_page(book, qtbot):
    book.resize(620, 700)
    book.go("prune")
    qtbot.wait(150)
    assert book.page.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_links_are_read_on_their_ground(book, mode, system_again):
    theme.set_mode(mode)
    QApplication.processEvents()
    now = theme.current()
    link = book.page.document().find("Canvas")
    picture = book.page.grab().toImage()
    assert theme.contrast(picture.pixelColor(3, 3), now.text) > 7
    book.go("prune")
    link = next(cursor for cursor in [book.page.document().find("method")] if not cursor.isNull())
    while not link.charFormat().isAnchor():
        link = book.page.document().find("method", link)
    assert theme.contrast(picture.pixelColor(3, 3), link.charFormat().foreground().color()) > 4.5


def test_letters_follow_the_text_size(book, qapp):
    book.go("data")
    before = book.page.document().size().height()
    theme.set_text_size(150)
    try:
        QApplication.processEvents()
        assert book.page.document().size().height() > 1.3 * before
    finally:
        theme.set_text_size(100)


@pytest.mark.parametrize("page", [page for _, listed in pages.chapters() for _, page in listed])
def test_every_page_fits_its_width_and_shows_no_marks(book, page):
    book.go(page)
    text = book.page.toPlainText()
    assert "](" not in text and "**" not in text and "```" not in text
    assert book.page.horizontalScrollBar().maximum() == 0
