"""The window of the handbook: contents and search at the left, a page at the right. It is not modal, and stays where it
is while somebody works; what it shows lies in `resources/help`, and nothing is loaded from anywhere else."""

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.runtime.sentences import tr
from gui import icons, language, theme
from gui.help import pages
from gui.settings import Settings
from gui.widgets.building import below, fill, later, named, side_by_side, stacked, tool_button
from gui.widgets.labels import enlarged, quiet, say, scaled

SIZE = QSize(1000, 720)  # pixels, with letters of the usual size
PLACE = Qt.ItemDataRole.UserRole
FIGURE_SCALE = 2.0  # pixels of a figure for each pixel of the page
PAGE_MARGIN = 24
LINE_HEIGHT = 125  # percent
MOST_HITS = 200


class Page(QTextBrowser):
    """One page, with its figures as wide as there is room."""

    def __init__(self) -> None:
        super().__init__(openLinks=False)
        named(self, "help_page", tr("Page of the handbook"))
        self.setFrameShape(self.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # or figures are measured without it
        self.document().setDocumentMargin(PAGE_MARGIN)
        self.page = ""
        self._fit = later(self, lambda: self.load(self.page), 100)

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """A figure of the handbook; nothing else is ever loaded."""
        path = (pages.FOLDER / QUrl(url).path()).resolve()
        if kind != QTextDocument.ResourceType.ImageResource.value or not path.is_relative_to(pages.FOLDER):
            return None
        image = QImage(str(path))
        room = int((self.viewport().width() - 2 * PAGE_MARGIN) * FIGURE_SCALE)
        if image.width() > room > 0:
            image = image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(FIGURE_SCALE)
        return image

    def load(self, page: str) -> None:
        """Shows a page in the colours that hold now; of the page that is shown already the same part."""
        at = self.verticalScrollBar().value() if page == self.page else 0
        self.page = page
        if page:
            self.document().clear()  # forgets figures of another width
            self.setMarkdown(pages.markdown(page))
            self._set_lines()
            self._draw_tables()
            self.verticalScrollBar().setValue(at)

    def _set_lines(self) -> None:
        """Air between lines and above headings; lines of code wrap where they have no room."""
        airy, heading = QTextBlockFormat(), QTextBlockFormat()
        airy.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        airy.setNonBreakableLines(False)
        heading.setTopMargin(self.fontMetrics().height())
        heading.setBottomMargin(self.fontMetrics().height() / 3)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(airy)
        block = self.document().begin().next()
        while block.isValid():
            if block.blockFormat().headingLevel():
                QTextCursor(block).mergeBlockFormat(heading)
            block = block.next()

    def _draw_tables(self) -> None:
        line = theme.current().border
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format().toTableFormat()
                look.setBorderCollapse(True)
                look.setBorder(1)
                look.setBorderBrush(line)
                look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                look.setCellPadding(4)
                look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
                frame.setFormat(look)

    def heading(self, anchor: str) -> QTextBlock | None:
        """The heading that links call so."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and pages.anchor(block.text()) == anchor:
                return block
            block = block.next()
        return None

    def scroll_to(self, anchor: str) -> None:
        block = self.heading(anchor) if anchor else None
        top = self.document().documentLayout().blockBoundingRect(block).top() - 8 if block is not None else 0
        self.verticalScrollBar().setValue(int(top))

    def mark(self, words: list[str]) -> None:
        """Lights these words wherever they stand on the page."""
        look = QTextCharFormat()
        ground = QColor(theme.current().accent)
        ground.setAlpha(70)
        look.setBackground(ground)
        found = []
        for word in words:
            cursor = self.document().find(word)
            while not cursor.isNull():
                lit = QTextEdit.ExtraSelection()
                lit.cursor, lit.format = QTextCursor(cursor), look  # type: ignore[attr-defined]
                found.append(lit)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(found)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit.start()


class Handbook(QWidget):
    """Shows the pages of the handbook: by the contents, by search, by links, and back."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.place = ""  # what is shown, as links name it
        self._past: list[tuple[str, int]] = []  # places that were left, each with how far it was scrolled
        self._future: list[tuple[str, int]] = []
        self._chapters: list[QTreeWidgetItem] = []
        self._pages: dict[str, QTreeWidgetItem] = {}
        named(self, "handbook").setWindowTitle(tr("Handbook — Espalier"))
        self.setWindowIcon(icons.app_icon())
        self.page = Page()
        self.page.anchorClicked.connect(lambda url: self.go(self._target(url)))
        self.search = named(QLineEdit(clearButtonEnabled=True), "help_search", tr("Search the handbook"))
        self.search.setPlaceholderText(tr("Search the handbook"))
        self.contents = self._make_contents()
        self.hits = named(QListWidget(), "help_hits", tr("What was found"), wordWrap=True)
        self.hits.setFrameShape(self.hits.Shape.NoFrame)
        self._lists = stacked(self.contents, self.hits)
        self.back = tool_button("help_back", spoken=tr("Back"), tip=tr("Back (Alt+Left)"), clicked=self.go_back)
        self.forward = tool_button("help_forward", spoken=tr("Forward"), tip=tr("Forward (Alt+Right)"),
                                   clicked=self.go_forward)  # fmt: skip
        self.back.setArrowType(Qt.ArrowType.LeftArrow)
        self.forward.setArrowType(Qt.ArrowType.RightArrow)
        self._english = quiet(name="help_english")
        head = fill(QHBoxLayout(), self.back, self.forward, (self.search, 1), margins=(8, 8, 8, 4))
        left = below(head, (self._lists, 1), self._english)
        fill(QVBoxLayout(self), side_by_side((left, 300, 0), (self.page, 700, 1)), spacing=0)
        self.search.textChanged.connect(self._on_search)
        self.search.returnPressed.connect(lambda: self._open_hit(self.hits.currentItem()))
        self.contents.itemClicked.connect(lambda item: self.go(item.data(0, PLACE)))
        self.contents.itemActivated.connect(lambda item: self.go(item.data(0, PLACE)))
        self.hits.itemClicked.connect(self._open_hit)
        self.hits.itemActivated.connect(self._open_hit)
        for key, do in ((QKeySequence.StandardKey.Find, self._ask), (QKeySequence("Alt+Left"), self.go_back),
                        (QKeySequence("Alt+Right"), self.go_forward), (QKeySequence("Esc"), self._leave),
                        (QKeySequence.StandardKey.Close, self.close)):  # fmt: skip
            QShortcut(key, self, do)
        theme.watcher().changed.connect(self._on_look_changed)
        self._on_look_changed()
        self.resize((SIZE * enlarged(self)).boundedTo(self.screen().availableGeometry().size() * 0.9))

    def _make_contents(self) -> QTreeWidget:
        contents = named(QTreeWidget(), "help_contents", tr("Contents"), headerHidden=True, rootIsDecorated=False)
        contents.setFrameShape(contents.Shape.NoFrame)
        for chapter, listed in pages.chapters():
            above = QTreeWidgetItem(contents, [chapter])
            above.setData(0, PLACE, pages.CONTENTS)
            self._chapters.append(above)
            for title, page in listed:
                self._pages[page] = QTreeWidgetItem(above, [title])
                self._pages[page].setData(0, PLACE, page)
        contents.expandAll()
        contents.setItemsExpandable(False)
        return contents

    def open(self, place: str) -> None:
        """Shows a place, and brings the window to the front."""
        code = language.code_of(self._settings.value("language"))
        say(self._english, tr("The handbook is in English.") if code != language.ENGLISH else "")
        self.show()
        self.raise_()
        self.activateWindow()
        self.page.setFocus()
        if place != self.place:
            self.go(place)

    def go(self, place: str) -> None:
        """Goes to a page, or to a heading on it."""
        if self.place:
            self._past.append((self.place, self.page.verticalScrollBar().value()))
        self._future.clear()
        self._show(place)

    def go_back(self) -> None:
        self._step(self._past, self._future)

    def go_forward(self) -> None:
        self._step(self._future, self._past)

    def _step(self, to: list[tuple[str, int]], behind: list[tuple[str, int]]) -> None:
        if to:
            behind.append((self.place, self.page.verticalScrollBar().value()))
            place, at = to.pop()
            self._show(place)
            self.page.verticalScrollBar().setValue(at)

    def _show(self, place: str) -> None:
        page, _, heading = place.partition("#")
        self.place = place
        if page != self.page.page:
            self.page.load(page)
        self.page.scroll_to(heading)
        self.page.mark([])
        self.back.setEnabled(bool(self._past))
        self.forward.setEnabled(bool(self._future))
        self.contents.setCurrentItem(self._pages.get(page, self._chapters[0]))

    def _target(self, url: QUrl) -> str:
        """The place that a link of this page leads to."""
        page = url.path().removesuffix(".md") or self.page.page
        return f"{page}#{url.fragment()}" if url.hasFragment() else page

    def _on_search(self, asked: str) -> None:
        self.hits.clear()
        for section, passage in pages.find(asked)[:MOST_HITS]:
            where = section.title if section.heading == section.title else f"{section.title} ▸ {section.heading}"
            item = QListWidgetItem(f"{where}\n{passage}", self.hits)
            item.setData(PLACE, section.place)
        if self.hits.count():
            self.hits.setCurrentRow(0)
        elif asked.strip():
            QListWidgetItem(tr("Nothing was found."), self.hits).setFlags(Qt.ItemFlag.NoItemFlags)
        self._lists.setCurrentWidget(self.hits if asked.strip() else self.contents)

    def _open_hit(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(PLACE):
            self.go(item.data(PLACE))
            self.page.mark(self.search.text().split())

    def _ask(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _leave(self) -> None:
        """Esc ends a search first, then closes the window."""
        if self.search.text():
            self.search.clear()
        else:
            self.close()

    def _on_look_changed(self) -> None:
        for chapter in self._chapters:
            chapter.setFont(0, scaled(self.font(), 1.0, QFont.Weight.DemiBold))
        self.page.load(self.page.page)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._on_look_changed()
