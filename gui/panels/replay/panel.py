"""The panel Replay: growing or pruning step by step. The canvas shows the tree of the step; here stand the pseudo-code
with its line lit, what was compared, and the formula with its numbers."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from engine.pruning import METHODS, why_not
from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.model.document import Document
from gui.model.editing.pruning_choices import NO_RULE, lacks_rule
from gui.model.replaying import GROWING, KEYS
from gui.panels.replay.code import PseudoCode
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, claims, empty_page, fill, named, picture_button, scrolling, stacked
from gui.widgets.buttons import Button
from gui.widgets.fields import SENTENCE, ExplainedList, refill, short_list
from gui.widgets.labels import quiet, scaled
from gui.wording import words

if TYPE_CHECKING:  # it brings the compiler
    from engine.replaying.record import Account

SPEEDS = (8.0, 4.0, 2.0, 1.0, 0.5, 0.2)  # seconds that a step stays
# Lines of text: in a narrower panel only the lit line of the code, two rows of buttons; in a wider one three columns.
SLIM, NARROW, WIDE = 24, 44, 56
SAID, FIGURES = 11, 8  # how columns share the room
LISTING = 0.45  # of the width that the pseudo-code takes at most
HIGH, ACROSS, MOST = 12.0, 56.0, 2.4  # lines that usual letters need down and across, and how much larger they get
BEGIN = marked(
    "Choose what to see again, and press Start: the tree on the canvas then grows, or is cut back, one step at a time. "
    "Your own tree stays as it is."
)
FIRST = marked("Open a table: how a tree grows on it is shown here step by step.")
SINGLE = marked("The tree is a single leaf: there is nothing to cut back. Press Go first.")
GROWS = marked("Grows a tree on the training rows by the search options, from a single leaf.")


class ReplayPanel(QWidget):
    """Chooses what is replayed, walks through its steps, and says what each of them compares."""

    handOutAsked = Signal()  # the step that is shown is wanted as a page

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("replay_panel")
        self._document, self._replaying = document, document.replaying
        self._build()
        self._replaying.changed.connect(self._refresh)
        for signal in (document.tableChanged, document.treeChanged, document.pruningChanged):
            signal.connect(self._offer)
        theme.watcher().changed.connect(self._refresh)
        Reaction(self, lambda: self._replaying.watch(True), QEvent.Type.Show)
        Reaction(self, self._arrange, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._offer()

    def _build(self) -> None:
        replaying = self._replaying
        self.what = ExplainedList(12)
        named(self.what, "replay_what", tr("What is replayed"), activated=lambda: self._begin(again=False))
        self.begin = named(Button(), "replay_begin", clicked=lambda: self._begin(again=True))
        self.buttons = {
            name: picture_button(f"replay_{name}", said, name, clicked=act)
            for name, said, act in (
                ("first", tr("First step (Home)"), lambda: replaying.go_by(-replaying.n_steps)),
                ("back", tr("One step back (Left)"), lambda: replaying.go_by(-1)),
                ("play", tr("Play (Space)"), lambda: replaying.play(not replaying.playing)),
                ("forward", tr("One step forward (Right)"), lambda: replaying.go_by(1)),
                ("last", tr("Last step (End)"), lambda: replaying.go_by(replaying.n_steps)),
            )
        }
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "replay_slider", tr("Step"), pageStep=10)
        self.slider.valueChanged.connect(self._on_slid)
        self.count = verbatim.label(objectName="replay_count")
        self.speed = short_list("replay_speed", tr("Speed"), tr("How long a step stays while it plays"), letters=4)
        speeds = {seconds: tr("{n} s", n=words.value(seconds)) for seconds in SPEEDS}
        refill(self.speed, speeds, replaying.seconds)
        self.speed.activated.connect(self._on_speed)
        chosen = fill(QHBoxLayout(), (self.what, 1), self.begin, spacing=8)
        self._transport = QWidget()
        tip = tr("Writes this step as a page to hand out: the tree, what was compared, the sum and the algorithm")
        self.hand_out = picture_button("replay_hand_out", tip, "export", clicked=self.handOutAsked)
        parts: tuple[Any, ...] = (*self.buttons.values(), (self.slider, 1), self.count, self.speed, self.hand_out)
        fill(QHBoxLayout(self._transport), *parts, spacing=2)
        self._controls = fill(
            QBoxLayout(QBoxLayout.Direction.LeftToRight), (chosen, 2), (self._transport, 5), spacing=12
        )
        self.code = PseudoCode("replay_code", tr("The algorithm"))
        self.said, self.figures = _rich("replay_said"), _rich("replay_figures")
        self.note = quiet(name="replay_note")
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        told = QWidget()
        fill(self._columns, (self.said, SAID), (self.figures, FIGURES), spacing=20)
        fill(QVBoxLayout(told), self._columns, 0, spacing=8)
        self._body = QWidget()
        self._listing = scrolling(below(self.code, 0))
        fill(QHBoxLayout(self._body), self._listing, (scrolling(told), 1), spacing=16)
        self.empty = empty_page(name="replay_empty")
        self.pages = stacked(self.empty, self._body)
        fill(QVBoxLayout(self), self._controls, (self.pages, 1), spacing=8, margins=(8, 6, 8, 4))

    # -- what is asked

    def _offer(self) -> None:
        """Lists what can be replayed of this table and tree."""
        chosen = self.what.currentData() or GROWING
        with QSignalBlocker(self.what):
            self.what.clear()
            self.what.offer(tr("Growing"), GROWING, tr(GROWS))
            table, tree = self._document.table, self._document.tree
            single = tr(SINGLE) if tree is not None and tree.n_leaves == 1 else ""
            for name, method in METHODS.items():
                why = single or (why_not(name, table) if table is not None else "")
                why = why or (tr(NO_RULE) if lacks_rule(name, self._document.cutback.options) else "")
                label = tr("Pruning: {method}", method=method.label)
                self.what.offer(label, name, why or method.explanation, usable=not why)
            row = self.what.findData(chosen)
            self.what.setCurrentIndex(row if row >= 0 and self.what.is_usable(row) else 0)
        self._refresh()

    def _begin(self, again: bool) -> None:
        """Starts what is chosen, or ends what runs; another choice takes the place of a replay that runs."""
        if again and self._replaying.what:
            self._replaying.end()
        elif again or self._replaying.what:
            self._replaying.start(self.what.currentData())

    def _on_slid(self, step: int) -> None:
        if step != self._replaying.at:
            self._replaying.play(False)
            self._replaying.go(step)

    def _on_speed(self) -> None:
        self._replaying.seconds = float(self.speed.currentData())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._replaying.watch(False)

    def event(self, event: QEvent) -> bool:
        return claims(event, *KEYS, when=lambda: self._replaying.replay is not None) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._replaying.replay is None or event.modifiers() or not self._replaying.walk(event.key()):
            super().keyPressEvent(event)

    # -- what is shown

    def _refresh(self) -> None:
        replaying, there = self._replaying, self._document.tree is not None
        replay, running = replaying.replay, bool(replaying.what)
        if running and self.what.currentData() != replaying.what:
            self.what.setCurrentIndex(self.what.findData(replaying.what))
        self.what.setEnabled(there)
        self.what.setToolTip(verbatim.tip(str(self.what.currentData(SENTENCE) or "")))
        self.begin.setEnabled(there)
        self.begin.setText(tr("End") if running else tr("Start"))
        tip = tr("Ends the replay: your own tree is on the canvas again")
        self.begin.setToolTip(verbatim.tip(tip if running else tr("Shows the first step on the canvas")))
        self._transport.setVisible(replay is not None)
        waiting = tr("Preparing the replay…") if running else tr(BEGIN)
        self.empty.setText(replaying.error or (waiting if there else tr(FIRST)))
        self.pages.setCurrentIndex(1 if replay is not None else 0)
        if replay is None or replaying.seen is None:
            return
        at, last = replaying.shown_at, replaying.n_steps - 1
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, last)
            self.slider.setValue(at)
        every = words.count(last + 1)
        self.count.setText(tr("{n} of {all}", n=words.count(at + 1), all=every))
        widest = self.count.fontMetrics().horizontalAdvance(tr("{n} of {all}", n=every, all=every))
        self.count.setMinimumWidth(widest)  # or the slider would jump
        for name in ("first", "back"):
            self.buttons[name].setEnabled(at > 0)
        for name in ("forward", "last"):
            self.buttons[name].setEnabled(at < last)
        play = self.buttons["play"]
        icons.put(play, "pause" if replaying.playing else "play")
        play.setToolTip(verbatim.tip(tr("Pause (Space)") if replaying.playing else tr("Play (Space)")))
        self.code.show_lines(list(replay.lines), replay.steps[at].line)
        self._listing.ensureVisible(0, round(self.code.middle()), 0, self.code.fontMetrics().height())
        account = replaying.seen[1]
        self.figures.setText(figures_html(account) if account.figures else "")
        self.figures.setVisible(bool(account.figures))
        self._arrange()

    def _arrange(self) -> None:
        """Letters as large as the room allows; columns side by side where they fit."""
        line = self.fontMetrics().height()
        wide, high = self.width() / line, self.pages.height() / line
        way = QBoxLayout.Direction
        self._controls.setDirection(way.TopToBottom if wide < NARROW else way.LeftToRight)
        scale = min(max(min(high / HIGH, wide / ACROSS), 1.0), MOST)
        for widget in (self.code, self.said, self.figures):
            widget.setFont(scaled(self.font(), scale))
        slim, seen = wide < SLIM, self._replaying.seen
        self._listing.setHidden(slim)
        if seen is not None:
            self.said.setText(said_html(seen[1], self.code.lines[self.code.lit].strip() if slim else ""))
        needed = self.code.room(self.code.font())[0] + self.code.fontMetrics().averageCharWidth()
        self._listing.setFixedWidth(round(min(needed, LISTING * self.width())))
        self._columns.setDirection(way.LeftToRight if wide / scale >= WIDE else way.TopToBottom)


def said_html(account: Account, line: str) -> str:
    """The sentence, and below it the formula, then the formula with its numbers; `line`: of code, to stand above."""
    code = f'<p style="margin:0; color:{theme.current().accent.name()}">{escape(line)}</p>' if line else ""
    formula = "".join(f'<p style="margin:3px 0 0 0">{escape(line)}</p>' for line in account.formula)
    return f'{code}<p style="margin:0"><b>{escape(account.sentence)}</b></p>{formula}'


def figures_html(account: Account) -> str:
    """What was compared as a table, the line that was taken in the accent colour."""
    look = theme.current()
    lines = [_row([f'<span style="color:{look.secondary.name()}">{escape(title)}</span>' for title in account.titles])]
    for k, cells in enumerate(account.figures):
        texts = [escape(cell) for cell in cells]
        if k == account.chosen:
            texts = [f'<b><span style="color:{look.accent.name()}">{text}</span></b>' for text in texts]
        lines.append(_row(texts))
    return f'<table cellspacing="0" cellpadding="0">{"".join(lines)}</table>'


def _row(texts: list[str]) -> str:
    first, *others = texts
    cell = 'style="padding: 1px 14px 1px 0"'
    right = "".join(f'<td {cell} align="right">{text}</td>' for text in others)
    return f"<tr><td {cell}>{first}</td>{right}</tr>"


def _rich(name: str) -> QLabel:
    selectable = Qt.TextInteractionFlag.TextSelectableByMouse
    made = verbatim.label(objectName=name, wordWrap=True, textInteractionFlags=selectable)
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return made
