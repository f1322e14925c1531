"""The panel “Why”: the arithmetic of the split, the figure of its impurities, rankings by every criterion, a game."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QPaintEvent, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QMenu,
    QTextBrowser,
    QWidget,
)

import engine
from engine.criteria import task_of
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model.document import Document
from gui.panels.this_node.why import words as why_words
from gui.panels.this_node.why.figure import Drawing, why_still
from gui.panels.this_node.why.rankings import RankingsChart
from gui.widgets import building, verbatim
from gui.widgets.building import Reaction, entry, fill, flat_button, later, named, open_menu, split, tool_button
from gui.widgets.buttons import Button
from gui.widgets.labels import grown, say, stack
from gui.widgets.tables import bold

VIEWS = {"sum": marked("Sum"), "figure": marked("Figure"), "rankings": marked("Rankings")}
TWO, THREE = 640, 1440  # pixels of width from which on two or three views stand side by side
ROOMY, WITH_COPY = 600, 500  # pixels: buttons have all their words; in a narrower panel Ctrl+C copies
BROAD = 330  # pixels of the sum, from which on the working stands beside the result
LEAST_WIDTH, LEAST_HEIGHT = 280, 110  # pixels
SOON = 20  # milliseconds: the split editor is painted first, not in the same turn of the event loop
SEARCH_WAITS = 100  # milliseconds until it is said that a search goes on; most are done by then
TEXT_WAITS = 40  # milliseconds from one text to the next while the figure follows the hand


class WhyPanel(QWidget):
    """Explains the candidate that the document looks at, or the split that is being made of it by hand."""

    figureAsked = Signal(object)  # the figure is to be written. arg: the plot
    sharesAsked = Signal(object)  # any p, q and r are to be tried. arg: the `Geometry` to begin with, or None

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("why_panel")
        self._document = document
        self._swept: engine.Candidate | None = None
        self._plain, self._missed = "", False  # all of it as text; whether something changed while nobody could see it
        self._build()
        self._later = later(self, lambda: self._refresh(at_once=False))  # several signals tell of the same change
        self._text_later = later(self, self._write, TEXT_WAITS)
        for changed in (
            document.tableChanged, document.treeChanged, document.selectionChanged, document.focusChanged,
            document.ranking.changed, document.ranking.candidateChanged, document.ranking.curveChanged,
            document.searchChanged, document.guess.changed,
        ):  # fmt: skip
            changed.connect(self._on_changed)
        document.ranking.candidateChanged.connect(self.sweep.dismiss)
        document.draftChanged.connect(self._on_draft)
        document.rankings.changed.connect(self._show_rankings)
        theme.watcher().changed.connect(self._on_theme_changed)
        for timer in (self._later, self._text_later):
            document.destroyed.connect(timer.stop)  # it may go first
        Reaction(self, self._place_views, QEvent.Type.Resize)
        Reaction(self, self._refresh, QEvent.Type.Show)
        self._refresh()

    def _build(self) -> None:
        head = self.head = WhyHead()
        self.tabs, self.criterion, self.guess = head.tabs, head.criterion, head.guess
        self.play, self.copy = head.play, head.copy
        head.viewChosen.connect(self._place_views)
        head.criterion.activated.connect(lambda _: self._refresh())
        head.play.clicked.connect(self._on_play)
        head.copy.clicked.connect(self._on_copy)
        head.guess.clicked.connect(self._document.guess.begin)
        head.more.clicked.connect(self._on_more)
        self.text = named(QTextBrowser(openLinks=False), "why_text", tr("Arithmetic of the split"))
        self.text.setFrameShape(self.text.Shape.NoFrame)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # lines wrap
        self.text.document().setDocumentMargin(4)
        self.drawing = Drawing()
        self.figure, self.sweep, self.sentence = self.drawing.figure, self.drawing.sweep, self.drawing.sentence
        self.sweep.moved.connect(self._on_swept)
        self.sweep.ended.connect(self._say_play)
        self.rankings = RankingsChart()
        self.rankings.picked.connect(self._on_picked)
        self.verdict = verbatim.label(objectName="why_verdict", wordWrap=True)
        self.empty = building.empty_page(name="why_empty")
        self.game = GuessPage(self._document)
        anywhere = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence.StandardKey.Copy, self, self._on_copy).setContext(anywhere)
        self.views = {"sum": self.text, "figure": self.drawing, "rankings": self.rankings}
        views = named(split(Qt.Orientation.Horizontal, *self.views.values()), "why_views")
        views.setSizes([1150, 1000, 1050])  # shares, which Qt scales
        self.pages = building.stacked(views, self.empty, self.game)
        layout = stack(self, self.head, self.verdict, (self.pages, 1), spacing=4, margins=(8, 6, 8, 0))
        layout.setSizeConstraint(layout.SizeConstraint.SetNoConstraint)

    def _place_views(self) -> None:
        ready = self.pages.currentIndex() == 0
        shown = self.head.place(self.width(), ready)
        for name, view in self.views.items():
            view.setVisible(name in shown)
        self._say_play()
        self._missed = self._missed or not self._seen
        self._document.rankings.want(not self._missed and ready and "rankings" in shown)

    def minimumSizeHint(self) -> QSize:
        """Smaller than what stands there now: with less room there are fewer views."""
        return QSize(LEAST_WIDTH, LEAST_HEIGHT)

    @property
    def _seen(self) -> bool:
        """Whether anybody can look: behind another panel Qt calls this one visible all the same."""
        return not self.visibleRegion().isEmpty()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._missed:  # it comes into sight
            self._later.start(SOON)
        super().paintEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.sweep.dismiss()
        self._document.rankings.want(False)

    def _on_changed(self, *_: object) -> None:
        self._later.start(SEARCH_WAITS if self._document.candidates is None else SOON)

    def _on_draft(self, *_: object) -> None:
        """At the speed of a hand; when there is no hand any more, what it held may be gone, too."""
        if self._document.draft is None:
            self._later.start(SOON)
        elif self._seen:
            self.sweep.dismiss()
            self._show_split(at_once=False)

    def _on_theme_changed(self) -> None:
        self.sweep.dismiss()
        self.figure.forget()
        self._refresh()

    def _refresh(self, at_once: bool = True) -> None:
        """Everything, unless nobody looks; the text now, or in a later turn of the event loop."""
        self._missed = not self._seen
        if self._missed:
            self._document.rankings.want(False)
            return
        if not at_once:
            self.figure.paint_later()
        document, guess, playing = self._document, self._document.guess, self._document.guessing
        reason = why_empty(document)
        self.pages.setCurrentIndex(2 if playing else 1 if reason else 0)
        self.empty.setText(reason)
        self.game.refresh(no_guess(document) if playing else "")
        self.verdict.setText(f"{guess.verdict}  {guess.score.words()}".strip() if guess.verdict else "")
        self.verdict.setVisible(bool(guess.verdict) and not playing)
        self.guess.setVisible(not playing)
        self.head.say_guess(no_guess(document))
        self._fill_criteria()
        self._place_views()
        self._show_split(at_once)
        self._show_rankings()

    def _subject(self) -> engine.Candidate | None:
        """What is explained: where the sweep is, what the hand makes, or what was found."""
        document = self._document
        found = self._swept or document.draft or document.candidate
        if found is None or found.split is None or document.tree is None:
            return None
        return why_words.fit_for_arithmetic(found, document.tree.task, document.curve)

    def _fill_criteria(self) -> None:
        found, document = self._subject(), self._document
        if found is None or document.tree is None:
            return  # and the compiler need not be loaded for an empty window
        from engine.ranking.arithmetic import criteria_of  # it loads the compiler

        by_class = document.tree.task == "classes"
        names = [one.name for one in engine.criteria_for("classes")] if by_class else criteria_of(found)
        self.head.fill_criteria(names, document.criterion_here)

    def _criterion(self, found: engine.Candidate | None) -> str | None:
        """The criterion that is chosen; None while the list is still that of another target."""
        name = self.criterion.currentData()
        offered = engine.criteria_for(task_of(found.scores)) if found is not None else []
        return name if name in [one.name for one in offered] else None

    def _show_split(self, at_once: bool = True) -> None:
        """The figure now, and the text now or within some frames, which takes longer."""
        found, table, tree = self._subject(), self._document.table, self._document.tree
        criterion, hidden = self._criterion(found), self._document.guessing
        if found is not None and table is not None and tree is not None and criterion is not None and not hidden:
            self.drawing.show_split(found, criterion, tree, self._document.focus_class, table.is_sampled)
        if at_once:
            self._write()
        elif not self._text_later.isActive():
            self._text_later.start()

    def _write(self) -> None:
        self._text_later.stop()
        found, table, tree = self._subject(), self._document.table, self._document.tree
        criterion = self._criterion(found)
        if found is None or table is None or tree is None or criterion is None or self._document.guessing:
            self._plain = ""
            self.text.clear()
            return
        kinds, worked, colours = table.kinds, engine.arithmetic(found, criterion), theme.current()
        heading, said = why_words.title(found, kinds), why_words.lines(found, worked, kinds, table.is_sampled)
        self._plain = "\n".join([why_words.title(found, kinds, whole=True), *worked.lines()])
        at = self.text.verticalScrollBar().value()
        remark = why_words.unseen_by_all(found, tree, self._document.focus_class) if self.drawing.isHidden() else ""
        narrow = self.text.width() < grown(BROAD, self.text.fontMetrics())
        inks = {"quiet": colours.secondary.name(), "border": colours.border.name()}
        formula = f"{tr(worked.label)}: {worked.formula}"
        self.text.setHtml(why_words.html(heading, formula, said, remark, **inks, narrow=narrow))
        self.text.verticalScrollBar().setValue(at)

    def _show_rankings(self) -> None:
        rankings, found = self._document.rankings, self._document.draft or self._document.candidate
        self.rankings.show_rankings(rankings.criteria, rankings.found)
        self.rankings.choose(found.column if found is not None else "")

    def _on_picked(self, column: str) -> None:
        for found in self._document.candidates or ():
            if found.column == column:
                self._document.ranking.choose(found)

    def _on_copy(self) -> None:
        marked = self.text.textCursor().selectedText().replace("\u2029", "\n")
        text = marked if marked and self.text.hasFocus() else self._plain
        if text:
            QApplication.clipboard().setText(text)

    def _on_more(self) -> None:
        shown = self.figure.shown if self.figure.isVisible() else None
        by_shares = shown if shown is not None and not shown.over_means and len(shown.branches) == 2 else None
        menu = named(QMenu(self), "why_menu")
        entry(menu, tr("&Export the figure…"), lambda: self.figureAsked.emit(self.figure), name="why_export")
        menu.actions()[0].setEnabled(shown is not None)
        entry(menu, tr("Try any &p, q and r…"), lambda: self.sharesAsked.emit(by_shares), name="why_shares")
        open_menu(menu, self.head.more.mapToGlobal(QPoint(0, self.head.more.height())))

    def _on_play(self) -> None:
        curve = self._document.curve
        if self.sweep.running:
            self.sweep.stop()
        elif curve is not None and not why_still(self._document.candidate, curve):
            self.sentence.hide()
            self.sweep.start(curve, tr(engine.CRITERIA[self._document.criterion_here].label))
            self._say_play()

    def _on_swept(self, found: engine.Candidate | None) -> None:
        self._swept = found
        self._show_split(at_once=found is None or self.text.isVisible())  # the sum says what the sweep's words say
        self._document.sweptChanged.emit(found)

    def _say_play(self) -> None:
        self.head.say_play(self.sweep.running, why_still(self._document.candidate, self._document.curve))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.sweep.isHidden():
            self.sweep.dismiss()
            self.drawing.place_sentence()
        else:
            super().keyPressEvent(event)


class WhyHead(QWidget):
    viewChosen = Signal()  # another view was chosen

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("why_head")
        self.view, self._placed = "sum", False  # the view that was chosen last
        self._own = ""  # the criterion of the search that the list was filled for
        self.tabs = {name: tool_button(f"why_{name}_tab", tr(text), checkable=True) for name, text in VIEWS.items()}
        group = QButtonGroup(self)
        for name, tab in self.tabs.items():
            tab.clicked.connect(lambda _=False, name=name: self._choose(name))
            group.addButton(tab)
        self.tabs["sum"].setChecked(True)
        tip = tr("By which criterion the split is worked out")
        self.criterion = building.yielding(named(QComboBox(), "why_criterion", tr("Criterion of the arithmetic"), tip))
        self.criterion.setMinimumWidth(80)
        self.criterion.setMaximumWidth(grown(190, self.fontMetrics()))
        self.play = tool_button("why_play")
        self.copy = tool_button("why_copy", tr("Copy"), tip=tr("Copies the arithmetic as text (Ctrl+C)"))
        self.guess = tool_button("why_guess")
        spoken = tr("More: the figure as a file, or with other numbers")
        self.more = tool_button("why_more", "⋯", spoken, spoken)
        self.say_guess("")
        self._first, self._second = fill(QHBoxLayout(), *self.tabs.values(), 0), fill(QHBoxLayout())
        stack(self, self._first, self._second, spacing=4, margins=(0, 0, 0, 0))

    def place(self, room: int, ready: bool) -> set[str]:
        """Shows the buttons that are needed in `room` pixels, where there is a split to look at if `ready`; answers the
        views that stand side by side there."""
        several = TWO <= room < THREE
        side_by_side = {"sum", "figure"} if several and self.view != "rankings" else {self.view}
        shown = set(VIEWS) if room >= THREE else side_by_side
        for name, tab in self.tabs.items():
            tab.setVisible(ready and room < THREE and not (name == "figure" and several))
            tab.setChecked(name == self.view or (name == "sum" and several and self.view == "figure"))
        self.tabs["sum"].setText(tr("Sum and figure") if several else tr(VIEWS["sum"]))
        own = shown != {"rankings"} and ready
        for each in (self.criterion, self.play):
            each.setVisible(own)
        self.copy.setVisible(own and room >= WITH_COPY)
        self.guess.setText(tr("Guess the next split") if room >= ROOMY else tr("Guess"))
        buttons = (*self.tabs.values(), self.play, self.copy, self.guess, self.more)
        hints = sum(each.sizeHint().width() for each in buttons if not each.isHidden())
        two = hints + (self.criterion.minimumWidth() + 60) * own > room
        if two != (self._second.count() > 0) or not self._placed:
            self._placed = True
            line = self._second if two else self._first  # which takes them from the other one
            line.addWidget(self.criterion, 1)
            for each in (self.play, self.copy, self.guess, self.more):
                line.addWidget(each)
        return shown

    def say_play(self, running: bool, why_not: str) -> None:
        usual = tr("▶ Sweep") if self.width() >= grown(ROOMY, self.fontMetrics()) else "▶"
        self.play.setText(tr("■ Stop") if running else usual)
        moves = tr("Moves the threshold from left to right and draws its gain; Esc stops it")
        building.refuse(self.play, why_not, moves)
        self.play.setAccessibleName(tr("Stop the sweep") if running else tr("Sweep the threshold"))

    def say_guess(self, why_not: str) -> None:
        usual = tr("Hides ranking and gains until you have guessed which column splits best, and where")
        building.refuse(self.guess, why_not, usual)

    def fill_criteria(self, names: list[str], own: str) -> None:
        """Offers criteria; where they are others, or the search has another one, the search's own is chosen."""
        if [self.criterion.itemData(i) for i in range(self.criterion.count())] == names and self._own == own:
            return
        self._own = own
        self.criterion.clear()
        for name in names:
            self.criterion.addItem(tr(engine.CRITERIA[name].label), name)
        self.criterion.setCurrentIndex(max(0, self.criterion.findData(own)))

    def _choose(self, name: str) -> None:
        self.view = name
        self.viewChosen.emit()


class GuessPage(QWidget):
    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("why_guess_page")
        self._document = document
        self.ask = verbatim.label(tr("Which column would you split this leaf by?"), objectName="why_guess_ask")
        self.ask.setFont(bold())
        self.column = named(QComboBox(), "why_guess_column", self.ask.text(), activated=self._on_chosen)
        self.column.setMinimumWidth(160)
        self.then = verbatim.label(objectName="why_guess_then", wordWrap=True)
        self.settle = named(Button(tr("That is my guess")), "why_guess_settle", clicked=document.guess.settle)
        self.give_up = flat_button("why_guess_give_up", tr("Show the ranking"), clicked=document.guess.give_up)
        self.score = verbatim.label(objectName="why_guess_score", wordWrap=True)
        buttons = fill(QHBoxLayout(), self.column, self.settle, self.give_up, 0, spacing=8)
        stack(self, 0, self.ask, buttons, self.then, self.score, margins=(8, 8, 8, 8)).addStretch(2)

    def refresh(self, reason: str) -> None:
        guess, document = self._document.guess, self._document
        names = [] if reason else guess.columns()
        if [self.column.itemText(i) for i in range(1, self.column.count())] != names:
            self.column.clear()
            self.column.addItems([tr("Choose a column…"), *names])
        self.column.setCurrentIndex(max(0, self.column.findText(guess.column, Qt.MatchFlag.MatchFixedString)))
        self.column.setEnabled(bool(names))
        shown = document.candidate is not None and document.candidate.column == guess.column
        self.settle.setEnabled(bool(guess.column) and shown)
        then = tr("Ranking and gains are hidden until you have guessed.")
        split = document.candidate.split if guess.column and shown and document.candidate is not None else None
        if split is not None and split.kind == "threshold":
            then = tr("Now set the cut in the editor on the right, then confirm your guess.")
        elif split is not None:
            then = tr("The editor shows the groups of its levels. Is that your guess?")
        self.then.setText(reason or (tr("Searching the columns…") if document.candidates is None else then))
        say(self.score, guess.score.words())

    def _on_chosen(self, index: int) -> None:
        if index > 0:
            self._document.guess.take_column(self.column.itemText(index))


def no_guess(document: Document) -> str:
    """Why there is nothing to guess at the selected node; empty where there is."""
    tree = document.tree
    if tree is None or document.table is None:
        return tr("Open a table first.")
    if tree.n_branches[tree.position(document.selected)] > 0:
        return tr("This node is split already: select a leaf to guess its split.")
    if document.candidates is not None and not any(found.split is not None for found in document.candidates):
        return tr("No column can split this leaf: select another one.")
    return ""


def why_empty(document: Document) -> str:
    """Why there is no arithmetic, and what to do; empty when there is."""
    if document.table is None or document.tree is None:
        return tr("Open a table: the arithmetic of the chosen split will be shown here.")
    found = document.draft or document.candidate
    if found is None and document.candidates is None:
        return tr("Searching for the best split of every column…")
    if found is None:
        return tr("Choose a candidate: the arithmetic of its gain, with its own counts, will be shown here.")
    if found.split is not None:
        return ""
    return tr("“{column}” cannot split this leaf: {reason}.", column=found.column, reason=found.reason)
