"""The panel “Why”: the arithmetic of the split that is looked at, the figure of its impurities, the rankings by every
criterion, and a game of guessing."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

import engine
from gui import theme
from gui.document import Document
from gui.panels import why_words
from gui.panels.why_drawing import Drawing
from gui.panels.why_guess import GuessPage
from gui.panels.why_rankings import RankingsChart
from gui.panels.why_sweep import why_still

VIEWS = {"sum": "Sum", "figure": "Figure", "rankings": "Rankings"}
TWO, THREE = 640, 1240  # pixels of width from which on so many views stand side by side
ROOMY = 600  # pixels, from which on buttons have all their words
EMPTY = "Choose a candidate: the arithmetic of its gain will stand here, with its own counts."


class WhyPanel(QWidget):
    """Explains the candidate that the document looks at, or the split that is being made of it by hand."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("why_panel")
        self._document = document
        self._swept: engine.Candidate | None = None
        self._view = "sum"
        self._shown: engine.Candidate | None = None  # what stands there now
        self._plain = ""
        self._build()
        self._later = QTimer(self, singleShot=True, interval=0)  # several signals tell of the same change
        self._later.timeout.connect(self._refresh)
        for changed in (
            document.tableChanged, document.treeChanged, document.selectionChanged, document.focusChanged,
            document.candidatesChanged, document.candidateChanged, document.curveChanged, document.searchChanged,
            document.guessingChanged,
        ):  # fmt: skip
            changed.connect(self._on_changed)
        document.candidateChanged.connect(self._on_candidate_changed)
        document.draftChanged.connect(self._on_draft)
        document.rankings.changed.connect(self._show_rankings)
        theme.watcher().changed.connect(self._on_theme_changed)
        document.destroyed.connect(self._later.stop)
        self._refresh()

    # -- building

    def _build(self) -> None:
        self.tabs: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        for name, text in VIEWS.items():
            tab = QToolButton(text=text, objectName=f"why_{name}_tab", checkable=True, autoRaise=True)
            tab.clicked.connect(lambda _=False, name=name: self._take_view(name))
            group.addButton(tab)
            self.tabs[name] = tab
        self.tabs["sum"].setChecked(True)
        self.criterion = QComboBox(objectName="why_criterion")
        self.criterion.setAccessibleName("Criterion of the arithmetic")
        self.criterion.setToolTip("By which criterion the split is worked out")
        self.criterion.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.criterion.setMaximumWidth(190)
        self.criterion.activated.connect(lambda _: self._refresh())
        self.play = QPushButton(objectName="why_play", flat=True)
        self.play.clicked.connect(self._on_play)
        self.copy = QPushButton("Copy", objectName="why_copy", flat=True)
        self.copy.setToolTip("Copies the arithmetic as text (Ctrl+C)")
        self.copy.clicked.connect(self._on_copy)
        self.guess = QPushButton(objectName="why_guess", flat=True)
        self.guess.setToolTip("Hides ranking and gains until you have guessed which column splits best, and where")
        self.guess.clicked.connect(self._document.guess.begin)
        self.text = QTextBrowser(objectName="why_text")
        self.text.setAccessibleName("Arithmetic of the split")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # lines wrap
        self.text.document().setDocumentMargin(4)
        self.drawing = Drawing()
        self.figure, self.sweep, self.sentence = self.drawing.figure, self.drawing.sweep, self.drawing.sentence
        self.sweep.moved.connect(self._on_swept)
        self.sweep.ended.connect(self._say_play)
        self.rankings = RankingsChart()
        self.rankings.picked.connect(self._on_picked)
        self.verdict = QLabel(objectName="why_verdict", wordWrap=True)
        self.empty = QLabel(objectName="why_empty", wordWrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.game = GuessPage(self._document)
        self._lay_out()
        copying = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copying.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copying.activated.connect(self._on_copy)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setSpacing(4)
        for tab in self.tabs.values():
            header.addWidget(tab)
        header.addSpacing(4)
        header.addWidget(self.criterion, 1)
        header.addStretch(1)
        for button in (self.play, self.copy, self.guess):
            header.addWidget(button)
        self.views = {"sum": self.text, "figure": self.drawing, "rankings": self.rankings}
        side_by_side = QSplitter(Qt.Orientation.Horizontal, objectName="why_views")
        for view in self.views.values():
            side_by_side.addWidget(view)
        side_by_side.setChildrenCollapsible(False)
        side_by_side.setSizes([1000, 1000, 1000])
        self.pages = QStackedWidget()
        for page in (side_by_side, self.empty, self.game):
            self.pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 0)
        layout.setSpacing(4)
        layout.addLayout(header)
        layout.addWidget(self.verdict)
        layout.addWidget(self.pages, 1)

    # -- which views there are

    def _take_view(self, name: str) -> None:
        self._view = name
        self._place_views()

    def _place_views(self) -> None:
        """As many views side by side as have room; buttons for the others."""
        room = self.width()
        several = "sum" if room >= TWO else ""
        shown = {self._view}
        if room >= THREE:
            shown = set(VIEWS)
        elif several and self._view != "rankings":
            shown = {"sum", "figure"}
        for name, view in self.views.items():
            view.setVisible(name in shown)
        ready = self.pages.currentIndex() == 0
        for name, tab in self.tabs.items():
            tab.setVisible(ready and room < THREE and not (name == "figure" and several))
            tab.setChecked(name == self._view or (name == "sum" and several != "" and self._view == "figure"))
        self.tabs["sum"].setText("Sum and figure" if several else VIEWS["sum"])
        own = shown != {"rankings"} and ready
        for each in (self.criterion, self.copy, self.play):
            each.setVisible(own)
        self.guess.setText("Guess the next split" if room >= ROOMY else "Guess")
        self._say_play()
        self._document.rankings.want(self.isVisible() and ready and "rankings" in shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_views()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.sweep.put_away()
        self._document.rankings.want(False)

    # -- what is shown

    def _on_changed(self, *_: object) -> None:
        self._later.start()

    def _on_candidate_changed(self, *_: object) -> None:
        self.sweep.put_away()

    def _on_draft(self, *_: object) -> None:
        """At the speed of a hand."""
        if self.isVisible():
            self.sweep.put_away()
            self._show_split()

    def _on_theme_changed(self) -> None:
        self.sweep.put_away()
        self.figure.forget()
        self._refresh()

    def _refresh(self) -> None:
        """Everything, unless nobody looks."""
        if not self.isVisible():
            return
        document = self._document
        reason = why_empty(document)
        playing = document.guessing
        self.pages.setCurrentIndex(2 if playing else 1 if reason else 0)
        self.empty.setText(reason)
        self.game.refresh(no_guess(document) if playing else "")
        guess = document.guess
        self.verdict.setText(f"{guess.verdict}  {guess.score.words()}".strip() if guess.verdict else "")
        self.verdict.setVisible(bool(guess.verdict) and not playing)
        self.guess.setVisible(not playing)
        self.guess.setEnabled(not no_guess(document))
        self._fill_criteria()
        self._place_views()
        self._show_split()
        self._show_rankings()

    def _subject(self) -> engine.Candidate | None:
        """What is explained: where the sweep is, what the hand makes, or what was found."""
        document = self._document
        found = self._swept or document.draft or document.candidate
        if found is None or found.split is None or document.tree is None:
            return None
        return why_words.fit_for_arithmetic(found, document.tree.task, document.curve)

    def _fill_criteria(self) -> None:
        """The criteria that this candidate can be worked out by; another search begins with its own."""
        from engine.arithmetic import criteria_of

        found, document = self._subject(), self._document
        names = criteria_of(found) if found is not None else []
        if document.tree is not None and document.tree.task == "classes" and found is not None:
            names = [one.name for one in engine.criteria_for("classes")]
        known = [self.criterion.itemData(i) for i in range(self.criterion.count())]
        if known == names and self._own == document.rankings.own:
            return
        self._own = document.rankings.own
        self.criterion.clear()
        for name in names:
            self.criterion.addItem(engine.CRITERIA[name].label, name)
        self.criterion.setCurrentIndex(max(0, self.criterion.findData(self._own)))

    _own = ""  # the criterion of the search that the list was filled for

    def _show_split(self) -> None:
        found, tree, table = self._subject(), self._document.tree, self._document.table
        criterion = self.criterion.currentData()
        if found is None or tree is None or table is None or criterion is None or self._document.guessing:
            self._plain = ""
            self.text.clear()
            return
        kinds = {column.name: column.kind for column in table.columns}
        worked, colours = engine.arithmetic(found, criterion), theme.current()
        heading = why_words.title(found, kinds)
        at = self.text.verticalScrollBar().value()
        said = why_words.lines(found, worked, kinds)
        formula = f"{worked.label}: {worked.formula}"
        self.text.setHtml(why_words.html(heading, formula, said, colours.secondary.name(), colours.border.name()))
        self.text.verticalScrollBar().setValue(at)
        self._plain = "\n".join([heading, *worked.lines()])
        self._shown = found
        self.drawing.show_split(found, criterion, tree, self._document.focus_class)

    def _show_rankings(self) -> None:
        rankings, found = self._document.rankings, self._document.draft or self._document.candidate
        self.rankings.show_rankings(rankings.criteria, rankings.found)
        self.rankings.choose(found.column if found is not None else "")

    # -- what a person does

    def _on_picked(self, column: str) -> None:
        for found in self._document.candidates or ():
            if found.column == column:
                self._document.select_candidate(found)

    def _on_copy(self) -> None:
        """What is marked in the text, else all of it."""
        marked = self.text.textCursor().selectedText().replace("\u2029", "\n").replace("\u2060", "")
        if marked and self.text.hasFocus():
            QGuiApplication.clipboard().setText(marked)
        elif self._plain:
            QGuiApplication.clipboard().setText(self._plain)

    def _on_play(self) -> None:
        curve = self._document.curve
        if self.sweep.running:
            self.sweep.stop()
        elif curve is not None and not why_still(self._document.candidate, curve):
            self.sentence.hide()
            self.sweep.start(curve, engine.CRITERIA[self._document.rankings.own].label)
            self._say_play()

    def _on_swept(self, found: engine.Candidate | None) -> None:
        self._swept = found
        self._show_split()

    def _say_play(self) -> None:
        why_not = why_still(self._document.candidate, self._document.curve)
        self.play.setText("■ Stop" if self.sweep.running else "▶ Sweep" if self.width() >= ROOMY else "▶")
        self.play.setEnabled(not why_not)
        self.play.setToolTip(why_not or "Moves the threshold from left to right and draws its gain; Esc stops it")
        self.play.setAccessibleName("Stop the sweep" if self.sweep.running else "Sweep the threshold")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.sweep.isHidden():
            self.sweep.put_away()
            self.drawing.place_sentence()
        else:
            super().keyPressEvent(event)


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


def why_empty(document: Document) -> str:
    """Why there is no arithmetic, and what to do; empty when there is."""
    if document.table is None or document.tree is None:
        return "Open a table: the arithmetic of the split that you look at will stand here."
    found = document.draft or document.candidate
    if found is None and document.candidates is None:
        return "Searching for the best split of every column…"
    if found is None:
        return EMPTY
    return f"“{found.column}” cannot split this leaf: {found.reason}." if found.split is None else ""
