"""The search options: every one of them in a sentence; what is changed here holds at once."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from typing import Any, Self

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDoubleValidator, QFont, QKeyEvent, QPaintEvent, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QTableWidget, QWidget

import engine
from engine.criteria import CRITERIA
from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr
from engine.search.choices import GROUPS, OPTIONS, Choice, Option
from engine.search.options import Search, idle, looks_at_rows, refusal
from engine.tree.leaves import LONGEST_CURRENCY
from gui import theme
from gui.model.document import Document
from gui.model.search import searching
from gui.widgets import labels, verbatim
from gui.widgets.building import below, empty_page, fill, named, picture_button, put_pages, tool_button, yielding
from gui.widgets.fields import ENTER, ChoiceBox, FindField, FlagBox, NumberBox
from gui.widgets.labels import PartsLabel
from gui.widgets.tables import aligned
from gui.wording import phrases

PRIOR_HELP = marked(
    "A class left empty weighs as much as its share of the training rows. Where all are filled in, any unit will do: 1 "
    "and 3 mean the same as 0.25 and 0.75."
)
PROFIT_HELP = marked("What a row of each class earns where it is acted on, and where it is not. Left empty: 0.")
COST_HELP = marked("Rows are the true classes, columns the predicted ones. A mistake left empty costs 1.")
ACTING, NOT_ACTING = 0, 1  # the columns of profits
MOST_ROWS = 12  # of a table of classes without scrolling
NARROWEST, WIDEST = 380, 720  # pixels of its dialog
ROLL = 20  # pixels for the bar that scrolls its rows
UNBOUND = 16_777_215  # pixels, Qt's word for no largest width
LABELS = 112  # pixels for the names of the options
NARROW = 250  # below this width labels stand above their controls
BACK = 22  # for the button that brings a default back
TYPED = ("priors", "costs", "threshold", "profits")


@dataclass(frozen=True)
class Setting:
    """The search options as they are set for one table."""

    task: str = "classes"  # of the target, as the next ones
    classes: tuple[str, ...] = ()
    columns: frozenset[str] = frozenset()  # the kinds of the features
    search: dict[str, Any] = field(default_factory=dict)  # the options that differ from the defaults
    counted: bool = False  # whether rows are only counted
    is_sampled: bool = False  # whether they have sampling weights

    @classmethod
    def of(cls, table: "engine.Table", search: dict[str, Any]) -> Self:
        return cls(table.task, table.classes, frozenset(table.columns[i].kind for i in table.features), search,
                   table.counter is not None, table.is_sampled)  # fmt: skip

    def value(self, name: str) -> Any:
        return getattr(Search.make(self.task, **self.search), name)

    def refused(self, name: str, value: Any) -> str:
        """Why an option cannot have this value beside the others; empty when it can."""
        reason, more, _ = phrases.plain(refusal(self.task, self.search, **{name: value})).partition("; choose one of ")
        changed = {**self.search, name: value}
        if not reason and self.counted and name in looks_at_rows(Search.make(self.task, **changed), self.is_sampled):
            return tr("It looks at single rows, which are only counted here.")
        return f"{reason}." if more else reason  # what can be chosen is in sight

    def with_(self, **change: Any) -> Self:
        """The same with some options changed; None brings a default back. InputError when it cannot be."""
        chosen = {name: value for name, value in {**self.search, **change}.items() if value is not None}
        if self.task == "classes":
            Search.make(self.task, **chosen).leaf_rule.check(self.classes)
        return replace(self, search=searching.own_options(chosen, self.task))

    def unusable(self, option: Option) -> str:
        """Why an option has no effect, whatever is chosen; empty when it may have one."""
        why = idle(self.task, self.search, option.name, self.columns)
        refusals = [self.refused(option.name, value) for value in self._others(option)]
        return why if why or not refusals or not all(refusals) else refusals[0]

    def choices(self, option: Option) -> list[Choice]:
        """The choices to be listed: not those of a target of the other kind, unless that leaves one alone."""
        every = option.name != "criterion"
        return [choice for choice in option.choices if every or CRITERIA[choice.name].task == self.task]

    def _others(self, option: Option) -> list[Any]:
        """Values that an option might be changed to; none for numbers, whose limits are in the control."""
        if option.kind == "choice":
            return [choice.name for choice in option.choices if choice.name != str(self.value(option.name))]
        if option.kind == "flag":
            return [not self.value(option.name)]
        first, second = (*self.classes, "a", "b")[:2]
        examples: dict[str, list[Any]] = {"priors": [{first: 1.0}], "costs": [{(first, second): 1.0}]}
        examples |= {"profits": [{first: 1.0}], "word": ["EUR"], "threshold": [(first, 0.5)]}
        return examples.get(option.kind, [])


def value_words(option: Option, value: Any) -> str:
    """A value in a word or two: "Entropy", "no limit", "0.05"."""
    if option.kind == "choice":
        return next(choice.label for choice in option.choices if choice.name == str(value))
    if option.kind == "flag":
        return tr("on") if value else tr("off")
    if option.kind in TYPED:
        return entries_text(option, value) or option.none
    if option.kind == "word":
        return value or option.none
    return option.none if value is None else f"{value:g}"


def entries_text(option: Option, value: Any) -> str:
    """What is kept by class, as it is typed."""
    return phrases.class_text((value,) if option.kind == "threshold" and value else value or ())


def rich(option: Option, value: Any) -> str:
    """What is chosen, as rich text: the sentence, the formula in italics, the example in the second colour."""
    said: Choice | Option = next((choice for choice in option.choices if choice.name == str(value)), option)
    lines = [escape(said.sentence)]
    if said.formula:
        formula = re.sub(r"_(\w)\b", r"<sub>\1</sub>", escape(said.formula))
        lines.append("<i>" + re.sub(r"\^\(([^)]*)\)", r"<sup>\1</sup>", formula) + "</i>")
    if said.example:
        lines.append(coloured(said.example, theme.current().secondary.name()))
    return "".join(f'<p style="margin:{3 if i else 0}px 0 0 0">{line}</p>' for i, line in enumerate(lines))


def coloured(text: str, ink: str) -> str:
    return f'<span style="color:{ink}">{escape(text)}</span>'


class ClassesBox(QWidget):
    """Numbers by class, as text "fraud=0.01, fine=0.99" or in a table."""

    chosen = Signal(object)  # the text, or None where it is empty

    def __init__(self, option: Option) -> None:
        super().__init__()
        self._option, self._setting = option, Setting()
        self._text = self._refused = ""
        example = tr("For example: {example}", example=option.example)
        self.line = yielding(Line(placeholderText=option.none))
        named(self.line, f"search_{option.name}_text", option.label, f"{option.sentence}\n{example}",
              editingFinished=self._commit)  # fmt: skip
        tip = tr("{option} as a table", option=option.label)
        self.table = tool_button(f"search_{option.name}_table", "…", tip, tip, autoRaise=False, clicked=self._open)
        self.table.setVisible(option.kind != "threshold")  # which is one number
        self.setFocusProxy(self.line)
        fill(QHBoxLayout(self), (self.line, 1), self.table)

    def show_setting(self, setting: Setting) -> None:
        self._setting = setting
        self.refuse("")
        self._text = entries_text(self._option, setting.value(self._option.name))
        self.line.setText(self._text)
        self.line.setCursorPosition(0)

    def refuse(self, text: str) -> None:
        """Keeps what was typed and cannot be used, and marks it; an empty text takes the mark away."""
        self._refused = text
        palette, now = self.palette(), theme.current()
        if text:
            self.line.setText(text)
            palette.setColor(palette.ColorRole.Base, theme.mix(now.card, now.error, 0.18))
        self.line.setPalette(palette)

    def settle(self) -> None:
        """Takes what is typed; what was refused is refused again."""
        if self._refused or self.line.text().strip() != self._text:
            self.chosen.emit(self.line.text().strip() or None)

    def _commit(self) -> None:
        if self.line.text().strip() != self._refused or not self._refused:
            self.settle()

    def _open(self) -> None:
        dialog = ClassesDialog(self._option, self._setting.classes, self._setting.value(self._option.name), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.chosen.emit(dialog.entries() or None))
        dialog.open()


class WordBox(QWidget):
    """A word, perhaps none."""

    chosen = Signal(object)  # the text, or None where it is empty

    def __init__(self, option: Option) -> None:
        super().__init__()
        self._option, self._text = option, ""
        self.line = yielding(Line(placeholderText=option.none, maxLength=LONGEST_CURRENCY))
        named(self.line, f"search_{option.name}_text", option.label, option.sentence, editingFinished=self.settle)
        self.setFocusProxy(self.line)
        fill(QHBoxLayout(self), (self.line, 1))

    def show_setting(self, setting: Setting) -> None:
        self._text = str(setting.value(self._option.name))
        self.line.setText(self._text)

    def settle(self) -> None:
        """Takes what is typed."""
        if self.line.text().strip() != self._text:
            self.chosen.emit(self.line.text().strip() or None)


class Line(QLineEdit):
    """A line in which Enter ends what is typed, not the dialog around it."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in ENTER:
            event.accept()


class ClassesDialog(QDialog):
    """A weight for every class, a cost for every mistake, or what acting on each class earns; what is left empty is as
    usual."""

    def __init__(
        self, option: Option, classes: tuple[str, ...], entries: tuple[tuple[Any, ...], ...], parent: QWidget
    ) -> None:
        super().__init__(parent)
        named(self, f"{option.name}_dialog").setWindowTitle(option.label)
        self._square, self._paid = option.kind == "costs", option.kind == "profits"
        # by row the class that is true, by column its weight, the class that is predicted, or acting and not acting
        ways: tuple[Any, ...] = classes if self._square else (ACTING, NOT_ACTING) if self._paid else ()
        self._keys: list[list[tuple[Any, ...]]]
        self._keys = [[(true, way) for way in ways] if ways else [(true,)] for true in classes]
        given = {entry[:-1]: entry[-1] for entry in entries}
        if self._paid:
            given = {(name, k): amount for name, *both in entries for k, amount in enumerate(both)}
        self.grid = self._make_grid(classes, given)
        buttons, _ = labels.answers(self, tr("&Use them"), f"{option.name}_use")
        help = COST_HELP if self._square else PROFIT_HELP if self._paid else PRIOR_HELP
        layout = labels.stack(self, labels.quiet(option.sentence), (self.grid, 1), labels.quiet(tr(help)), buttons,
                              spacing=12)  # fmt: skip
        self.setMinimumWidth(NARROWEST)
        self.grid.resizeColumnsToContents()
        columns = self.grid.verticalHeader().sizeHint().width() + self.grid.horizontalHeader().length()
        sides = layout.contentsMargins()
        whole = columns + 2 * self.grid.frameWidth() + sides.left() + sides.right() + ROLL
        self.resize(min(WIDEST, whole), self.sizeHint().height())

    def _make_grid(self, classes: tuple[str, ...], given: dict[tuple[Any, ...], float]) -> QTableWidget:
        spoken = tr("Cost by true and predicted class") if self._square else tr("Weight by class")
        spoken = tr("Profit by class") if self._paid else spoken
        titles = [tr("predicted {name}", name=name) for name in classes] if self._square else [tr("Weight")]
        titles = [tr("Act"), tr("Do not act")] if self._paid else titles
        grid = named(QTableWidget(len(classes), len(titles)), "classes_grid", spoken)
        grid.setVerticalHeaderLabels(classes)
        grid.setHorizontalHeaderLabels(titles)
        grid.setItemDelegate(Numbers(grid, -1e12 if self._paid else 0.0))
        grid.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)
        for i, row in enumerate(self._keys):
            for k, key in enumerate(row):
                item = QtWidgets.QTableWidgetItem(f"{given[key]:g}" if key in given else "")
                item.setTextAlignment(aligned(words=False))
                if self._square and i == k:
                    item.setText("0")
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                grid.setItem(i, k, item)
        header = grid.horizontalHeader()
        modes = QtWidgets.QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.Stretch if self._paid else modes.ResizeToContents)
        header.setStretchLastSection(not self._square)
        rows = min(len(classes), MOST_ROWS) * grid.verticalHeader().defaultSectionSize()
        grid.setMinimumHeight(rows + header.sizeHint().height() + 4)
        return grid

    def accept(self) -> None:
        self.grid.setCurrentIndex(QModelIndex())  # what is just being typed counts
        super().accept()

    def entries(self) -> tuple[tuple[Any, ...], ...]:
        cells = [(key, self.grid.item(i, k)) for i, row in enumerate(self._keys) for k, key in enumerate(row)]
        asked = [(key, cell.text()) for key, cell in cells if cell is not None and cell.flags() and cell.text().strip()]
        if self._paid:
            amounts = {key: float(text) for key, text in asked}
            names = dict.fromkeys(name for name, _ in amounts)
            return tuple((name, *(amounts.get((name, k), 0.0) for k in (ACTING, NOT_ACTING))) for name in names)
        return tuple((*key, float(text)) for key, text in asked)


class Numbers(QtWidgets.QStyledItemDelegate):
    """Lets nothing be typed but numbers of at least so much."""

    def __init__(self, parent: QWidget, least: float) -> None:
        super().__init__(parent)
        self._least = least

    def createEditor(self, parent: QWidget, option: QtWidgets.QStyleOptionViewItem, index: Any) -> QWidget:
        line = QLineEdit(parent, alignment=Qt.AlignmentFlag.AlignRight)
        check = QDoubleValidator(self._least, 1e12, 9, line)
        check.setNotation(QDoubleValidator.Notation.StandardNotation)
        check.setLocale(check.locale().c())
        line.setValidator(check)
        return line


CONTROLS: dict[str, Callable[[Option], Any]] = {  # each has `show_setting` and `chosen`
    "choice": ChoiceBox, "whole": NumberBox, "number": NumberBox, "flag": FlagBox, "word": WordBox,
    **dict.fromkeys(TYPED, ClassesBox),
}  # fmt: skip


@lru_cache(1_000)
def _height(text: str, width: int, letters: str) -> float:
    """How high rich text is at a width, both in pixels; `letters`: its font, as Qt writes it."""
    font = QFont()
    font.fromString(letters)
    page = QTextDocument(documentMargin=0.0, defaultFont=font)
    page.setHtml(text)
    page.setTextWidth(width)
    return page.size().height()


class Said(QLabel):
    """What is chosen in a sentence: as high as the other choices' sentences, so that nothing below it moves."""

    MOST_SPARE = 5  # lines that may stay empty for that

    def __init__(self) -> None:
        top_left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText, alignment=top_left)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self._others: Sequence[str] = ()

    def say(self, text: str, others: Sequence[str] = ()) -> None:
        self._others = others
        self.setText(text)
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        own, letters = super().heightForWidth(width), self.font().toString()
        now = _height(self.text(), width, letters)
        taller = max([_height(text, width, letters) - now for text in self._others], default=0.0)
        return own + round(taller) if 0 < taller <= self.MOST_SPARE * self.fontMetrics().height() else own


class OptionRow(QWidget):
    """One option: its name, its control, the way back to its default, and what is chosen in a sentence."""

    chosen = Signal(str, object)  # the option's name and its value; None brings the default back

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.setObjectName(f"search_row_{option.name}")
        self.option = option
        self.reason = ""  # why it has no effect at present; empty when it has
        self._setting = Setting()
        self.label = verbatim.label(option.label, objectName=f"search_label_{option.name}", wordWrap=True)
        typed = tr("Library: {name}; command line: {typed}", name=option.name, typed=option.typed)
        self.label.setToolTip(verbatim.tip(f"{option.sentence}\n{typed}"))
        self.control = named(CONTROLS[option.kind](option), f"search_{option.name}", option.label)
        self.control.chosen.connect(lambda value: self.chosen.emit(option.name, value))
        self.label.setBuddy(self.control)
        self.back = picture_button(f"search_{option.name}_default", "", "undo", iconSize=QSize(14, 14),
                                   clicked=self._on_back)  # fmt: skip
        self.back.setFixedSize(BACK, BACK)
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        self.said = named(Said(), f"search_said_{option.name}")
        self._grid = QGridLayout(self)
        self._grid.setSpacing(4)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._narrow: bool | None = None
        self.lay_out(narrow=False)

    def _on_back(self) -> None:
        self.control.setFocus()  # before the button hides, and the keyboard goes on to something else
        self.chosen.emit(self.option.name, None)

    def lay_out(self, narrow: bool) -> None:
        narrow = narrow or self.option.kind in TYPED
        wide = round(LABELS * labels.enlarged(self))
        self.label.setMinimumWidth(0 if narrow else wide)
        self.label.setMaximumWidth(UNBOUND if narrow else wide)
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self._grid.addWidget(self.label, 0, 0)  # which takes each from where it was
        self._grid.addWidget(self.control, *((1, 0, 1, 3) if narrow else (0, 1)))
        self._grid.addWidget(self.back, 0, 2)
        self._grid.addWidget(self.said, 2, 0, 1, 3 if narrow else 2)

    def show_setting(self, setting: Setting) -> None:
        self._setting = setting
        option, changed = self.option, self.option.name in setting.search
        self.reason = setting.unusable(option)
        self.control.show_setting(setting)
        self.control.setEnabled(not self.reason)
        self.label.setEnabled(not self.reason)
        font = self.label.font()
        font.setBold(changed)
        self.label.setFont(font)
        self.back.setVisible(changed)
        usual = value_words(option, searching.usual_value(option.name, setting.search, setting.task))
        self.back.setToolTip(verbatim.tip(tr("Reset to the default: {value}", value=usual)))
        self.back.setAccessibleName(tr("Reset {option} to the default: {value}", option=option.label, value=usual))
        self.say()

    def say(self) -> None:
        if self.reason:
            self.said.say(coloured(self.reason, theme.current().secondary.name()))
        else:
            others = [rich(self.option, choice.name) for choice in self._setting.choices(self.option)]
            self.said.say(rich(self.option, self._setting.value(self.option.name)), others)
        for widget in (self.control, self.said):
            widget.setToolTip(verbatim.tip(self.reason))
        spoken = self.control.line if isinstance(self.control, (ClassesBox, WordBox)) else self.control
        spoken.setAccessibleDescription(self.reason or self.option.sentence)

    def refuse(self, text: str, reason: str) -> None:
        """Keeps what was typed, marked, with the reason why it cannot be used; `show_setting` takes it away."""
        assert isinstance(self.control, ClassesBox)
        self.control.refuse(text)
        self.said.say(coloured(reason, theme.current().error.name()))
        self.control.line.setAccessibleDescription(reason)

    def matches(self, words: str) -> bool:
        said: list[Choice | Option] = [self.option, *self.option.choices]
        texts = [text for each in said for text in (each.name, each.label, each.sentence)]
        return any(words.casefold() in text.casefold() for text in texts)


class Section(QWidget):
    """One group of options under a heading that opens and closes it, and says what in it is no default."""

    def __init__(self, group: str) -> None:
        super().__init__()
        self.group, place = group, GROUPS.index(group)
        self.setObjectName(f"search_section_{place}")
        self.rows = [OptionRow(option) for option in OPTIONS.values() if option.group == group]
        self.heading = labels.folding_heading(f"search_heading_{place}", tr(group))
        self.heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.summary = PartsLabel(
            " · ", cuts=True, objectName=f"search_summary_{place}", alignment=aligned(words=False)
        )
        self.summary.setForegroundRole(self.palette().ColorRole.Link)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.body = below(*self.rows, spacing=14, margins=(10, 6, 0, 12))
        self.heading.clicked.connect(lambda: self.open(self.body.isHidden()))
        fill(
            QtWidgets.QVBoxLayout(self),
            fill(QHBoxLayout(), self.heading, (self.summary, 1), spacing=8),
            self.body,
            spacing=0,
        )
        self.open(False)

    def open(self, opened: bool) -> None:
        self.opened = opened
        self._unfold(opened)

    def _unfold(self, opened: bool) -> None:
        self.heading.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        group = tr(self.group)
        tip = tr("Closes “{group}”", group=group) if opened else tr("Opens “{group}”", group=group)
        self.heading.setToolTip(verbatim.tip(tip))
        self.body.setVisible(opened)

    def show_setting(self, setting: Setting) -> None:
        for row in self.rows:
            row.show_setting(setting)
        texts = []
        for option in (row.option for row in self.rows if row.option.name in setting.search):
            value = value_words(option, setting.value(option.name))
            texts.append(value if option.kind == "choice" else f"{option.label} {value}")
        self.summary.setText(" · ".join(texts))
        self.summary.setToolTip(verbatim.tip(self.summary.text()))

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


class SearchForm(QtWidgets.QScrollArea):
    """All options by group."""

    chosen = Signal(str, object)  # the option's name and its value; None brings the default back

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        off, none = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.FocusPolicy.NoFocus  # the keyboard goes through inside
        named(self, "search_form", frameShape=self.Shape.NoFrame, focusPolicy=none, horizontalScrollBarPolicy=off)
        self.sections = [Section(group) for group in GROUPS]
        self.rows = {row.option.name: row for section in self.sections for row in section.rows}
        self.nothing = labels.quiet(tr("No matching options."), "search_nothing")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()
        inside = Page()
        labels.stack(inside, *self.sections, self.nothing, 0, spacing=2, margins=(0, 0, 4, 0))
        self.setWidget(inside)
        for row in self.rows.values():
            row.chosen.connect(self.chosen)
            theme.watcher().changed.connect(row.say)
        self.sections[0].open(True)

    def show_setting(self, setting: Setting) -> None:
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
            if isinstance(row.control, (NumberBox, ClassesBox, WordBox)):
                row.control.settle()

    def filter(self, words: str) -> None:
        """Shows the options that are about what was typed; all of them when nothing is."""
        self.nothing.setVisible(not sum(section.filter(words.strip()) for section in self.sections))

    def resizeEvent(self, event: QResizeEvent) -> None:
        for row in self.rows.values():
            row.lay_out(narrow=self.viewport().width() < NARROW * labels.enlarged(self))
        super().resizeEvent(event)


class SearchSettings(QWidget):
    """Shows the document's search options and changes them."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("search_settings")
        self._document = document
        self._missed = False  # whether something changed while nobody could see it
        self.search = FindField("search_settings_find", tr("Find an option…"), tr("Find a search option"))
        tip = tr("Resets all options to their defaults")
        self.defaults = named(QtWidgets.QPushButton(tr("All defaults")), "search_settings_defaults", tip=tip,
                              clicked=self._on_defaults)  # fmt: skip
        self.setFocusProxy(self.search)
        self.form = SearchForm()
        self.form.chosen.connect(self._on_chosen)
        self.settle = self.form.settle
        self.search.textChanged.connect(self.form.filter)
        self.filled = below(fill(QHBoxLayout(), (self.search, 1), self.defaults, spacing=8), (self.form, 1), spacing=8)
        self.empty = empty_page(tr("Open a table: how its splits are searched will be set here."))
        self.empty.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.pages = put_pages(self, self.filled, self.empty, margins=(8, 8, 4, 8))
        document.tableChanged.connect(self._on_changed)
        document.searchChanged.connect(self._on_changed)
        self._refresh()

    def _on_changed(self) -> None:
        self._missed = self.visibleRegion().isEmpty()  # behind another panel Qt calls it visible all the same
        if not self._missed:
            self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
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
        self._document.take_search(searching.chosen_columns(self._document.search))

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
