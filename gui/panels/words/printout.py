"""The printout: the tree as J48 or rpart prints it, line by line in step with the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QTextEdit, QWidget

import engine
from engine.formats import PRINTOUTS
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui import theme
from gui.model.document import Document
from gui.model.jobs import words_for
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages
from gui.widgets.buttons import Button
from gui.widgets.fields import refill, short_list
from gui.wording import words

if TYPE_CHECKING:  # brings the compiler
    from engine.formats.printouts import Line

KEY = "printout"
MOST = 5_000  # lines in sight: setting so many takes some hundredths of a second


class Asked(NamedTuple):
    """What is printed, and by which program."""

    tree: engine.Tree
    program: str


class PrintoutPanel(QWidget):
    """Shows the document's tree as another program prints it; a click on a line selects its node."""

    exportAsked = Signal(str)  # the printout is to be written. arg: the program whose it is

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("printout_panel")
        self._document = document
        self._asked: Asked | None = None  # what is shown, or will be
        self._lines: list[Line] = []
        self._build()
        document.treeChanged.connect(self._ask)
        document.tableChanged.connect(self._ask)
        document.selectionChanged.connect(self._follow)
        theme.watcher().changed.connect(self._follow)
        self.text.cursorPositionChanged.connect(self._on_moved)
        Reaction(self, self._ask, QEvent.Type.Show)
        Reaction(self, self._choose_letters, QEvent.Type.FontChange)
        self._ask()

    def _build(self) -> None:
        self.program = short_list("printout_program", tr("Program"), tr("The program whose printout is shown"))
        refill(self.program, PRINTOUTS, next(iter(PRINTOUTS)))
        self.program.activated.connect(self._ask)
        self.more = verbatim.label(objectName="printout_more", wordWrap=True)
        tip = tr("Copies the lines that are selected; all where none is selected")
        self.copy = named(Button(tr("&Copy")), "printout_copy", tip=tip, clicked=self._on_copy)
        tip = tr("Writes the printout into a text file")
        self.export = named(Button(tr("E&xport…")), "printout_export", tip=tip,
                            clicked=lambda: self.exportAsked.emit(self.program.currentData()))  # fmt: skip
        self.text = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        named(self.text, "printout_text", tr("Printout of the tree"), frameShape=QPlainTextEdit.Shape.NoFrame)
        keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keys)
        self._choose_letters()
        self.nothing = empty_page(name="printout_nothing")
        self.nothing.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.empty = empty_page(tr("Open a table: its tree will stand here as other programs print trees."))
        controls = fill(QHBoxLayout(), self.program, (self.more, 1), self.copy, self.export, spacing=8)
        self.pages = put_pages(self, below(controls, (self.text, 1), (self.nothing, 1), spacing=8), self.empty)

    def _choose_letters(self) -> None:
        letters = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        letters.setPointSizeF(self.font().pointSizeF())
        self.text.setFont(letters)

    def _ask(self) -> None:
        """Has the lines made, while somebody can see them."""
        tree = self._document.tree
        self.pages.setCurrentIndex(0 if tree is not None else 1)
        if tree is None or not self.isVisible():
            return
        asked = Asked(tree, self.program.currentData())
        if asked == self._asked:
            return self._follow()
        self._asked = asked
        self._document.jobs.run(
            tr("Printing the tree"), listed, *asked, done=lambda lines: self._show(asked, lines),
            failed=lambda error: self._show(asked, [], words_for(error)), key=KEY, quiet=True,
        )  # fmt: skip

    def _show(self, asked: Asked, lines: list[Line], refusal: str = "") -> None:
        if asked != self._asked:
            return
        self._lines = lines
        with QSignalBlocker(self.text):
            self.text.setPlainText("\n".join(line.text for line in lines[:MOST]))
        self.text.setVisible(not refusal)
        self.nothing.setText(refusal)
        self.nothing.setVisible(bool(refusal))
        for button in (self.copy, self.export):
            button.setEnabled(not refusal)
        cut = tr("The first {n} lines; Copy and Export take all.", n=words.count(MOST))
        self.more.setText(cut if len(lines) > MOST else "")
        self._follow()

    def _follow(self) -> None:
        """Lights the line of the selected node, and scrolls to it."""
        if self._asked is None or not self.isVisible() or self._asked.tree is not self._document.tree:
            return
        place = next((k for k, line in enumerate(self._lines[:MOST]) if line.node == self._document.selected), None)
        if place is None:
            return self.text.setExtraSelections([])
        cursor = self.text.textCursor()
        if cursor.blockNumber() != place:
            cursor = QTextCursor(self.text.document().findBlockByNumber(place))
            with QSignalBlocker(self.text):
                self.text.setTextCursor(cursor)
        cursor.clearSelection()
        now, look = theme.current(), QTextCharFormat()
        look.setBackground(theme.mix(now.accent, now.card, 0.25))
        look.setProperty(QTextFormat.Property.FullWidthSelection, True)
        lit = QTextEdit.ExtraSelection()
        lit.cursor, lit.format = cursor, look  # type: ignore[attr-defined]
        self.text.setExtraSelections([lit])

    def _on_moved(self) -> None:
        cursor, tree = self.text.textCursor(), self._document.tree
        place = cursor.blockNumber()
        node = self._lines[place].node if place < len(self._lines) and not cursor.hasSelection() else None
        if node is not None and self._asked is not None and self._asked.tree is tree:
            self._document.select(node)

    def _on_copy(self) -> None:
        cursor = self.text.textCursor()
        chosen = cursor.selectedText().replace("\u2029", "\n")  # Qt's sign between paragraphs
        clipboard = QGuiApplication.clipboard()
        if chosen or self._asked is None:
            clipboard.setText(chosen)
        elif len(self._lines) <= MOST:
            clipboard.setText("".join(f"{line.text}\n" for line in self._lines))
        else:
            text = tr("Printing the tree")
            self._document.jobs.run(text, whole, *self._asked, done=clipboard.setText, key=f"whole {KEY}")


def listed(tree: engine.Tree, program: str, progress: Progress) -> list[Line]:
    """The first lines of the printout, and one more; called in the worker."""
    from engine.formats.printouts import printed  # late: it brings the compiler

    return printed(tree, program, MOST + 1)


def whole(tree: engine.Tree, program: str, progress: Progress) -> str:
    """All of the printout; called in the worker."""
    return engine.printout(tree, program)
