"""The page of the game: a column is chosen, a cut is set in the split editor, and then the ranking is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.model.document import Document
from gui.widgets import verbatim

ASK = "Which column would you split this leaf by?"
THEN = {
    "": "Ranking and gains are hidden until you have guessed.",
    "cut": "Now put the cut where you want it, in the editor on the right, and say so.",
    "levels": "The editor shows the groups of its levels. Is that your guess?",
}


class GuessPage(QWidget):
    """Asks, and takes the guess."""

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="why_guess_page")
        self._document = document
        self.ask = verbatim.label(ASK, objectName="why_guess_ask")
        font = self.ask.font()
        font.setBold(True)
        self.ask.setFont(font)
        self.column = QComboBox(objectName="why_guess_column")
        self.column.setAccessibleName(ASK)
        self.column.setMinimumWidth(160)
        self.column.activated.connect(self._on_chosen)
        self.then = verbatim.label(objectName="why_guess_then", wordWrap=True)
        self.settle = QPushButton("That is my guess", objectName="why_guess_settle")
        self.settle.clicked.connect(document.guess.settle)
        self.give_up = QPushButton("Show the ranking", objectName="why_guess_give_up", flat=True)
        self.give_up.clicked.connect(document.guess.give_up)
        self.score = verbatim.label(objectName="why_guess_score", wordWrap=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for each in (self.column, self.settle, self.give_up):
            buttons.addWidget(each)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addStretch(1)
        for each in (self.ask, buttons, self.then, self.score):
            layout.addLayout(each) if isinstance(each, QHBoxLayout) else layout.addWidget(each)
        layout.addStretch(2)

    def refresh(self, reason: str) -> None:
        """Shows what may be guessed, and how far the guess is; `reason`: why there is nothing to guess."""
        guess, document = self._document.guess, self._document
        names = [] if reason else guess.columns()
        if [self.column.itemText(i) for i in range(1, self.column.count())] != names:
            self.column.clear()
            self.column.addItems(["Choose a column…", *names])
        self.column.setCurrentIndex(max(0, self.column.findText(guess.column, Qt.MatchFlag.MatchFixedString)))
        self.column.setEnabled(bool(names))
        shown = document.candidate is not None and document.candidate.column == guess.column
        self.settle.setEnabled(bool(guess.column) and shown)
        kind = ""
        if guess.column and shown and document.candidate is not None and document.candidate.split is not None:
            kind = "cut" if document.candidate.split.kind == "threshold" else "levels"
        waiting = "Looking at the columns…" if document.candidates is None else THEN[kind]
        self.then.setText(reason or waiting)
        self.score.setText(guess.score.words())
        self.score.setVisible(bool(self.score.text()))

    def _on_chosen(self, index: int) -> None:
        if index > 0:
            self._document.guess.take_column(self.column.itemText(index))


def no_guess(document: Document) -> str:
    """Why there is nothing to guess at the selected node; empty where there is."""
    tree = document.tree
    if tree is None or document.table is None:
        return "Open a table first."
    if tree.n_branches[tree.position(document.selected)] > 0:
        return "This node is split already: select a leaf to guess its split."
    if document.candidates is not None and not any(found.split is not None for found in document.candidates):
        return "No column can split this leaf: select another one."
    return ""
