"""The search settings: every option of the search in a sentence; what is changed here holds at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.runtime.errors import InputError
from engine.search.choices import GROUPS, OPTIONS, Option
from gui import icons, theme
from gui.model.document import Document
from gui.panels.data.class_figures import ClassesBox
from gui.panels.data.option_words import Setting, rich, summary, value_words
from gui.widgets import pages, verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import FindField
from gui.widgets.option_controls import ChoiceBox, FlagBox, NumberBox
from gui.wording import phrases

UNBOUND = 16_777_215  # pixels, Qt's word for no largest width
LABELS = 112  # pixels for the names of the options
NARROW = 250  # below this width labels stand above their controls
BACK = 22  # for the button that brings a default back
TYPED = ("priors", "costs")
CONTROLS: dict[str, Callable[[Option], Any]] = {  # each has `show_setting` and `chosen`
    "choice": ChoiceBox, "whole": NumberBox, "number": NumberBox, "flag": FlagBox, "priors": ClassesBox,
    "costs": ClassesBox,
}  # fmt: skip


class Said(QLabel):
    """What is chosen in a sentence: as high as the other choices' sentences, so that nothing below it moves."""

    MOST_SPARE = 5  # lines that may stay empty for that

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self._others: list[str] = []
        self._heights: dict[tuple[str, int, str], float] = {}

    def say(self, text: str, others: Sequence[str] = ()) -> None:
        """Says one text; `others` may stand in its place."""
        self._others = list(others)
        self.setText(text)
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        own, spare = super().heightForWidth(width), self.MOST_SPARE * self.fontMetrics().height()
        now = self._height(self.text(), width)
        taller = max([self._height(text, width) - now for text in self._others], default=0.0)
        return own + round(taller) if 0 < taller <= spare else own

    def _height(self, text: str, width: int) -> float:
        key = self.font().key(), width, text
        if key not in self._heights:
            page = QTextDocument(documentMargin=0.0)
            page.setDefaultFont(self.font())
            page.setHtml(text)
            page.setTextWidth(width)
            self._heights = {**self._heights, key: page.size().height()} if len(self._heights) < 100 else {}
            return page.size().height()
        return self._heights[key]


class OptionRow(QWidget):
    """One option: its name, its control, the way back to its default, and what is chosen in a sentence.

    Attributes:
        reason: why it has no effect at present; empty when it has.

    Signals:
        chosen: args: the option's name and its value; None brings the default back
    """

    chosen = Signal(str, object)

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"search_row_{option.name}")
        self.option = option
        self.reason = ""
        self._setting = Setting()
        self.label = verbatim.label(option.label, objectName=f"search_label_{option.name}", wordWrap=True)
        self.label.setToolTip(verbatim.tip(f"{option.sentence}\nLibrary: {option.name}; command line: {option.typed}"))
        self.control = CONTROLS[option.kind](option)
        self.control.setObjectName(f"search_{option.name}")
        self.control.setAccessibleName(option.label)
        self.control.chosen.connect(lambda value: self.chosen.emit(option.name, value))
        self.label.setBuddy(self.control)
        self.back = named(QToolButton(autoRaise=True), f"search_{option.name}_default")
        icons.put(self.back, "undo")
        self.back.setIconSize(QSize(14, 14))
        self.back.setFixedSize(BACK, BACK)
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        self.back.clicked.connect(self._on_back)
        self.said = named(Said(), f"search_said_{option.name}")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._narrow: bool | None = None
        self.lay_out(narrow=False)

    def _on_back(self) -> None:
        self.control.setFocus()  # before the button hides, and the keyboard goes on to something else
        self.chosen.emit(self.option.name, None)

    def lay_out(self, narrow: bool) -> None:
        """The control stands beside the label, or below it where there is little room or much to be typed."""
        narrow = narrow or self.option.kind in TYPED
        if narrow == self._narrow:
            return
        self._narrow = narrow
        grid = self._grid
        for widget in (self.label, self.control, self.back, self.said):
            grid.removeWidget(widget)
        self.label.setMinimumWidth(0 if narrow else LABELS)
        self.label.setMaximumWidth(UNBOUND if narrow else LABELS)
        grid.addWidget(self.label, 0, 0)
        grid.addWidget(self.control, *((1, 0, 1, 3) if narrow else (0, 1)))
        grid.addWidget(self.back, 0, 2)
        grid.addWidget(self.said, 2, 0, 1, 3 if narrow else 2)

    def show_setting(self, setting: Setting) -> None:
        """Shows what holds, and greys itself where it has no effect."""
        self._setting = setting
        option, changed = self.option, self.option.name in setting.search
        self.reason = setting.unusable(option)
        self.control.show_setting(setting)
        self.control.setEnabled(not self.reason)
        self.label.setEnabled(not self.reason)
        font = QFont(self.label.font())
        font.setBold(changed)
        self.label.setFont(font)
        self.back.setVisible(changed)
        usual = value_words(option, setting.usual(option.name))
        self.back.setToolTip(verbatim.tip(f"Reset to the default: {usual}"))
        self.back.setAccessibleName(f"Reset {option.label} to the default: {usual}")
        self.say()

    def say(self) -> None:
        """The sentence below the control, in the colours of the theme."""
        value = self._setting.value(self.option.name)
        if self.reason:
            self.said.say(f'<span style="color:{theme.current().secondary.name()}">{self.reason}</span>')
        else:
            listed = self._setting.choices(self.option)
            self.said.say(rich(self.option, value), [rich(self.option, choice.name) for choice in listed])
        for widget in (self.control, self.said):
            widget.setToolTip(verbatim.tip(self.reason))
        spoken = self.control.line if isinstance(self.control, ClassesBox) else self.control
        spoken.setAccessibleDescription(self.reason or self.option.sentence)

    def refuse(self, text: str, reason: str) -> None:
        """Keeps what was typed, marked, with the reason why it cannot be used; `show_setting` takes it away."""
        assert isinstance(self.control, ClassesBox)
        self.control.refuse(text)
        self.said.say(f'<span style="color:{theme.current().error.name()}">{escape(reason)}</span>')
        self.control.line.setAccessibleDescription(reason)

    def matches(self, words: str) -> bool:
        """Whether the option is about what was typed."""
        option = self.option
        texts = [option.name, option.label, option.sentence]
        texts += [text for choice in option.choices for text in (choice.name, choice.label, choice.sentence)]
        return any(words.casefold() in text.casefold() for text in texts)


class Summary(QLabel):
    """One line at the right, shortened at its end where there is no room for it."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme.current().accent)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


class Section(QWidget):
    """One group of options under a heading that opens and closes it, and says what in it is no default."""

    def __init__(self, group: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.group, place = group, GROUPS.index(group)
        self.setObjectName(f"search_section_{place}")
        self.rows = [OptionRow(option) for option in OPTIONS.values() if option.group == group]
        self.opened = False
        self.heading = named(QToolButton(), f"search_heading_{place}")
        self.heading.setText(group)
        self.heading.setAutoRaise(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        font = QFont(self.heading.font())
        font.setWeight(QFont.Weight.DemiBold)
        self.heading.setFont(font)
        self.heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.summary = named(Summary(), f"search_summary_{place}")
        self.body = QWidget()
        self.heading.clicked.connect(lambda: self.open(self.body.isHidden()))
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(10, 6, 0, 12)
        inner.setSpacing(14)
        for row in self.rows:
            inner.addWidget(row)
        top = fill(QHBoxLayout(), self.heading, (self.summary, 1), spacing=8)
        fill(QVBoxLayout(self), top, self.body, spacing=0)
        self.open(False)

    def open(self, opened: bool) -> None:
        """Shows the options of the group, or its heading only."""
        self.opened = opened
        self._unfold(opened)

    def _unfold(self, opened: bool) -> None:
        self.heading.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self.heading.setToolTip(verbatim.tip(f"{'Closes' if opened else 'Opens'} “{self.group}”"))
        self.body.setVisible(opened)

    def show_setting(self, setting: Setting) -> None:
        """Shows what holds."""
        for row in self.rows:
            row.show_setting(setting)
        text = summary(self.group, setting)
        self.summary.setText(text)
        self.summary.setToolTip(verbatim.tip(text))

    def filter(self, words: str) -> bool:
        """Shows the options that are about what was typed; whether there is one."""
        found = [row.matches(words) for row in self.rows]
        for row, match in zip(self.rows, found, strict=True):
            row.setVisible(match)
        self.setVisible(any(found))
        self._unfold(any(found) if words else self.opened)
        return any(found)


class Page(QWidget):
    """What is scrolled: as high as its text is at the width that there is."""

    def minimumSizeHint(self) -> QSize:
        frame = self.parentWidget()
        return QSize(0, self.heightForWidth(frame.width())) if frame is not None else super().minimumSizeHint()


class SearchForm(QScrollArea):
    """All options by group.

    Signals:
        chosen: args: the option's name and its value; None brings the default back
    """

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search_form")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard goes through what is in it
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sections = [Section(group) for group in GROUPS]
        self.rows = {row.option.name: row for section in self.sections for row in section.rows}
        self.nothing = verbatim.label("No matching options.", objectName="search_nothing")
        self.nothing.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()
        inside = Page()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 4, 0)
        layout.setSpacing(2)
        for section in self.sections:
            layout.addWidget(section)
        layout.addWidget(self.nothing)
        layout.addStretch(1)
        self.setWidget(inside)
        for row in self.rows.values():
            row.chosen.connect(self.chosen)
        self.sections[0].open(True)
        theme.watcher().changed.connect(self._on_theme_changed)

    def show_setting(self, setting: Setting) -> None:
        """Shows what holds."""
        for section in self.sections:
            section.show_setting(setting)

    def refuse(self, name: str, value: Any, reason: str) -> bool:
        """Keeps what was typed where it cannot be used, and says why there; False for options that are not typed."""
        if OPTIONS[name].kind not in TYPED or not isinstance(value, str):
            return False
        self.rows[name].refuse(value, reason)
        return True

    def settle(self) -> None:
        """Takes what is typed and not entered yet: a key or a tool that acts on it leaves the keyboard where it is."""
        for row in self.rows.values():
            if isinstance(row.control, (NumberBox, ClassesBox)):
                row.control.settle()

    def filter(self, words: str) -> None:
        """Shows the options that are about what was typed; all of them when nothing is."""
        found = [section.filter(words.strip()) for section in self.sections]
        self.nothing.setVisible(not any(found))

    def resizeEvent(self, event: QResizeEvent) -> None:
        for row in self.rows.values():
            row.lay_out(narrow=self.viewport().width() < NARROW)
        super().resizeEvent(event)

    def _on_theme_changed(self) -> None:
        for row in self.rows.values():
            row.say()


class SearchSettings(QWidget):
    """Shows the document's search options and changes them."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search_settings")
        self._document = document
        self._missed = False  # whether something changed while nobody could see it
        self._build()
        document.tableChanged.connect(self._on_changed)
        document.searchChanged.connect(self._on_changed)
        self._refresh()

    def _build(self) -> None:
        self.search = FindField("search_settings_find", "Find an option…", "Find a search option")
        self.defaults = named(
            QPushButton("All defaults"), "search_settings_defaults", tip="Resets all options to their defaults"
        )
        self.defaults.clicked.connect(self._on_defaults)
        self.setFocusProxy(self.search)
        self.form = SearchForm()
        self.form.chosen.connect(self._on_chosen)
        self.search.textChanged.connect(self.form.filter)
        top = fill(QHBoxLayout(), (self.search, 1), self.defaults, spacing=8)
        self.filled = QWidget()
        fill(QVBoxLayout(self.filled), top, (self.form, 1), spacing=8)
        self.empty = pages.empty("Open a table: how its splits are searched will be set here.")
        self.empty.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.pages = pages.put(self, self.filled, self.empty, (8, 8, 4, 8))

    def _on_changed(self) -> None:
        self._missed = self.visibleRegion().isEmpty()  # behind another panel Qt calls it visible all the same
        if not self._missed:
            self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """It comes into sight."""
        if self._missed:
            QTimer.singleShot(0, self, self._refresh)
        super().paintEvent(event)

    def _refresh(self) -> None:
        self._missed = False
        table = self._document.table
        self.pages.setCurrentWidget(self.empty if table is None else self.filled)
        if table is not None:
            self.form.show_setting(Setting.of(table, self._document.search))
            self.defaults.setEnabled(bool(self._document.search))

    def _on_defaults(self) -> None:
        self.search.setFocus()  # before the button greys, and the keyboard goes on to something else
        self._document.reset_search()

    def settle(self) -> None:
        """Takes what is typed and not entered yet."""
        self.form.settle()

    def _on_chosen(self, name: str, value: Any) -> None:
        table = self._document.table
        if table is None:
            return
        try:
            Setting.of(table, self._document.search).with_(**{name: value})
        except InputError as error:
            if self.form.refuse(name, value, phrases.plain(str(error))):
                return
        self._document.set_search(**{name: value})
        self._refresh()  # what was refused goes back to what holds

    def sizeHint(self) -> QSize:
        return QSize(368, 480)
