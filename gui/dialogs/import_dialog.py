"""The dialog between a file and a table: what was guessed, what it looks like, and what the tree shall predict."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QDialog, QHBoxLayout, QLabel, QLineEdit, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import icons
from gui.dialogs import table_preview
from gui.dialogs.first_answers import Answering
from gui.dialogs.holding_form import HoldingForm
from gui.dialogs.partition_dialog import SharesForm
from gui.model import file_tasks
from gui.model.jobs import Jobs
from gui.panels.data.order_dialog import OrderDialog
from gui.widgets import verbatim
from gui.widgets.building import fill, form, later, named, scrolling
from gui.widgets.columns import KINDS
from gui.widgets.fields import refill
from gui.widgets.labels import AROUND, Notice, answers, on_screen, quiet, section, stack, title

LATER = marked("Choose later")
KEY = marked("Rows with the same “{key}” are all test rows or none. Validation rows are drawn one by one.")
COUNTED_KEY = marked("Rows with the same “{key}” are in the same part, validation rows too: where rows are counted, a "
                     "key is a group.")  # fmt: skip


def choice_box(name: str = "", spoken: str = "", placeholder: str = "") -> QComboBox:
    """A list of choices that does not widen with them."""
    narrow = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    box = QComboBox(minimumContentsLength=8, maxVisibleItems=20, sizeAdjustPolicy=narrow, placeholderText=placeholder)
    return named(box, name, spoken)


class GoalForm(QWidget):
    """The target and the focus class."""

    def __init__(self) -> None:
        super().__init__()
        self.target = choice_box("target_field", tr("Column to predict"), tr("Choose…"))
        self._focus = choice_box("focus_field", tr("Class in focus"))
        self._focus.setToolTip(tr("The tree is coloured by the rate of this class. It can be changed at any time."))
        self._what = quiet("", "goal_explained")
        fields = QWidget()
        self._form = form(fields)
        self._form.addRow(tr("&Target"), self.target)
        self._form.addRow(tr("&Focus on"), self._focus)
        stack(self, fields, self._what, margins=(0, 0, 0, 0))
        self._seen: tuple[str, Sequence[str]] = ("", ())

    @property
    def focus(self) -> str | None:
        """The class in focus; None leaves it to the table once it is read."""
        return self._focus.currentData() if self._form.isRowVisible(self._focus) else None

    def show_goal(self, kinds: Mapping[str, str], target: str | None, seen: Sequence[str] | None) -> None:
        """Lists the columns, with their kinds, and the classes seen in the first rows: None when the target is a
        number, or none is chosen."""
        refill(self.target, {name: name for name in kinds}, target)
        for i, kind in enumerate(kinds.values()):
            self.target.setItemIcon(i, icons.icon(KINDS[kind].icon))
        self._form.setRowVisible(self._focus, seen is not None)
        if target is None:
            self._what.setText(tr("The tree will predict this column from the others."))
        elif seen is None:
            self._what.setText(tr("A number: each leaf predicts a mean."))
        else:
            self._what.setText(tr("Classes seen in the first rows; there may be more."))
            before, self._seen = self._seen, (target, seen)
            if before != self._seen:
                keep = self._focus.currentData() if before[0] == target else None
                chosen = keep if keep in seen else file_tasks.guess_focus(seen)
                refill(self._focus, {None: tr(LATER), **{name: name for name in seen}}, chosen)


DELIMITERS = {
    ",": marked("Comma  ,"), ";": marked("Semicolon  ;"), "\t": marked("Tab"), "|": marked("Bar  |"),
    " ": marked("Space"),
}  # fmt: skip
DECIMALS = {".": marked("Point  1.5"), ",": marked("Comma  1,5")}
ENCODINGS = {"utf-8": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows (cp1252)", "latin-1": "Latin-1"}
TYPING_PAUSE = 400  # milliseconds without a key before what was typed is taken


class ReadingForm(QWidget):
    """Shows `ReadOptions` and tells what a person changes."""

    corrected = Signal(str, object)  # name of the field of `ReadOptions`, its new value
    typingChanged = Signal()  # `typing` is another one

    def __init__(self) -> None:
        super().__init__()
        self._form = form(self)
        self._boxes: dict[str, QComboBox] = {}
        for name, label, spoken in (
            ("sheet", tr("S&heet"), tr("Sheet")), ("delimiter", tr("&Delimiter"), tr("Delimiter")),
            ("decimal", tr("D&ecimal mark"), tr("Decimal mark")), ("encoding", tr("E&ncoding"), tr("Encoding")),
        ):  # fmt: skip
            box = self._boxes[name] = choice_box(f"{name}_field", spoken)
            box.activated.connect(lambda i, name=name, box=box: self.corrected.emit(name, box.itemData(i)))
            self._form.addRow(label, box)
        spoken = tr("First row holds the names")
        self._header = named(QCheckBox(tr("First &row holds the names")), "header_field", spoken,
                             toggled=lambda on: self.corrected.emit("header", on))  # fmt: skip
        self._form.addRow(self._header)
        tip = tr("Words that stand for a missing value, separated by commas. Empty cells always do.")
        self._missing = QLineEdit(placeholderText=tr("only empty cells"))
        named(self._missing, "missing_field", tr("Missing values"), tip, textEdited=self._on_typed,
              editingFinished=self.apply)  # fmt: skip
        self._taken_missing: tuple[str, ...] = ()
        self._form.addRow(tr("&Missing values"), self._missing)
        self._pause = later(self, self.apply, TYPING_PAUSE)

    @property
    def typing(self) -> bool:
        """Whether something was typed that has not been told yet."""
        return self._pause.isActive()

    def apply(self) -> None:
        """Tells at once what was typed, without waiting for the typing to end."""
        self._pause.stop()
        words = words_in(self._missing.text())
        if words != self._taken_missing:
            self._taken_missing = words
            self.corrected.emit("missing", ("", *words))
        self.typingChanged.emit()

    def show_options(self, preview: "engine.Preview") -> None:
        options, sheets = preview.options, preview.sheets
        offered: dict[str, dict[str, str]] = {
            "sheet": {sheet: sheet for sheet in sheets}, "encoding": ENCODINGS, "delimiter": DELIMITERS,
            "decimal": DECIMALS,
        }  # fmt: skip
        for name, choices in offered.items():
            listed = {value: tr(text) if name in ("delimiter", "decimal") else text for value, text in choices.items()}
            if (chosen := getattr(options, name)) is not None:  # perhaps a rare one
                listed.setdefault(chosen, chosen)
            refill(self._boxes[name], listed, chosen)
            there = len(sheets) > 0 if name == "sheet" else preview.format == "csv"
            self._form.setRowVisible(self._boxes[name], there)
        sheet = tr("Ta&ble") if preview.format == "duckdb" else tr("S&heet")
        cast(QLabel, self._form.labelForField(self._boxes["sheet"])).setText(sheet)
        with QSignalBlocker(self._header):
            self._header.setChecked(bool(options.header))
        shown = ", ".join(word for word in options.missing or () if word)
        self._taken_missing = words_in(shown)
        if not self._missing.hasFocus():
            self._missing.setText(shown)
            self._missing.setCursorPosition(0)
        for field in (self._header, self._missing):
            self._form.setRowVisible(field, preview.format in ("csv", "excel"))

    def _on_typed(self) -> None:
        self._pause.start()
        self.typingChanged.emit()


def words_in(text: str) -> tuple[str, ...]:
    """The different words between the commas, in their order."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


LEFT_WIDTH = 296  # pixels at the usual size of letters
USUAL_SIZE, LEAST_SIZE = QSize(1120, 720), QSize(640, 400)
MOST_LEFT = 0.45  # of the screen's width
NOTES_SHOWN = 3
ANSWERED_FROM = 500_000  # rows: fewer are read in about a second
KEYS = ("import-preview", "import-levels", "import-open")  # of jobs


class ImportDialog(QDialog):
    """Shows a preview, lets a person correct every guess, and ends with the table that was read so.

    A heading above; the forms at the left, the preview at the right with what is wrong above it; buttons below.
    Corrections of the reading are previewed again through `jobs`. While a large table is read, first answers of some of
    its rows stand in the place of the preview. The whole table is read before the dialog closes:
    when it cannot be used, the sentence stands beside the corrections. Opening takes what stands in the form: it waits
    for a preview that is still to come, and goes on by itself. The preview is of a file, or of a pasted `text`."""

    def __init__(
        self, preview: "engine.Preview", jobs: Jobs, parent: QWidget | None = None, text: str | None = None,
        room: "engine.Room | None" = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._jobs, self._text, self._preview = jobs, text, preview
        self._corrections: dict[str, Any] = {}
        self._reading = self._failed = self._own_shares = False
        self._opening = False  # also while opening waits for `_reading`
        self._came_from: QWidget | None = None  # what had the keyboard when the opening began
        self._guessed: dict[str, str] = {}  # the roles that were proposed last
        self.opened: file_tasks.Opened | None = None  # what was read, once the dialog is accepted
        named(self, "import_dialog").setWindowTitle(tr("Open table"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._title, self._subtitle = title("", 1.4), quiet(wrap=False)
        policy = self.sizePolicy().Policy
        for line in (self._title, self._subtitle):  # a long name must not make the window wide
            line.setSizePolicy(policy.Ignored, policy.Fixed)
        self._model = table_preview.PreviewModel(self)
        self._table = table_preview.PreviewTable(self._model)
        self._error, self._notes = Notice("import_error"), Notice("import_notes")
        self._form, self._goal, self._shares, self._holding = ReadingForm(), GoalForm(), SharesForm(), HoldingForm()
        self._reason = quiet("", "import_reason")
        buttons, self._open = answers(self, tr("&Open table"), "open_table_button")
        self._open.setMinimumWidth(self._open.sizeHint().width())  # the same while it says that it works
        self._reading_box = section(tr("How it is read"), self._form)
        goal, shares = section(tr("What to predict"), self._goal), section(tr("Parts of the rows"), self._shares)
        self._holding_box = section(tr("How the rows are held"), self._holding)
        page = QWidget()
        stack(page, goal, self._holding_box, shares, self._reading_box, 0, spacing=24, margins=(0, 0, 8, 0))
        self._corrigible = scrolling(page)
        self._corrigible.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        width = min(on_screen(self, LEFT_WIDTH, 0).width(), round(MOST_LEFT * self.screen().size().width()))
        self._corrigible.setFixedWidth(width)
        heading, right = QWidget(), QWidget()
        stack(heading, self._title, self._subtitle, spacing=2, margins=(0, 0, 0, 0))
        stack(right, self._error, (self._table, 1), self._notes, margins=(0, 0, 0, 0))
        self.answering = Answering(right)
        middle = fill(QHBoxLayout(), self._corrigible, (self.answering, 1), spacing=24)
        bottom = fill(QHBoxLayout(), (self._reason, 1), buttons, spacing=16)
        stack(self, heading, (middle, 1), bottom, spacing=16)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._on_focus_changed)
        self._form.corrected.connect(self._on_corrected)
        self._form.typingChanged.connect(self._refresh_buttons)
        self._goal.target.textActivated.connect(self._model.set_target)
        self._shares.changed.connect(self._on_shares_changed)
        self._holding.changed.connect(self._explain_shares)
        self._model.target = preview.target
        self._show(preview)
        self._show_room(room)
        self._model.kindChosen.connect(self._on_kind_chosen)
        self._model.rolesChanged.connect(self._on_roles_changed)
        jobs.progressed.connect(self._on_progress)
        self.fit_screen()

    def sizeHint(self) -> QSize:
        return USUAL_SIZE

    def fit_screen(self) -> None:
        """Never larger than the screen; the form on the left and the table scroll when there is little room."""
        room = self.screen().availableGeometry().size() - AROUND
        self.setMinimumSize(LEAST_SIZE.boundedTo(room))
        self.resize((self.size() if self.testAttribute(Qt.WidgetAttribute.WA_Resized) else USUAL_SIZE).boundedTo(room))

    def showEvent(self, event: QShowEvent) -> None:
        if not event.spontaneous():
            self.fit_screen()
        super().showEvent(event)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """A field that is reached by its key comes into view."""
        if now is not None and self._corrigible.isAncestorOf(now):
            self._corrigible.ensureWidgetVisible(now, 0, 8)

    @property
    def choice(self) -> file_tasks.ImportChoice:
        """What was decided. Only meaningful while `hindrance` is empty."""
        model, parting = self._model, self._partition_column
        return file_tasks.ImportChoice(
            path="" if self._text is not None else str(self._preview.path), text=self._text,
            options=self._preview.options, target=model.target or "", focus=self._goal.focus,
            roles={name: role for name, role in model.roles.items() if name != model.target}, partition_column=parting,
            held=self._holding.held, sampled=self._holding.sampled,
            **self._shares.shares | ({"validation": 0.0, "test": 0.0} if parting else {}),
        )  # fmt: skip

    @property
    def hindrance(self) -> str:
        """Why the table cannot be opened yet, in words; empty when it can."""
        if self._reading or (self._form.typing and not self._opening):
            return tr("Reading the first rows again…")
        if self._opening:
            return tr("Opening the table…")
        if self._failed:
            return tr("Correct the reading first.")
        if not self._preview.head:
            return tr("There are no rows to open: add some to the table, or correct how it is read.")
        return file_tasks.missing_step(self._model.target, self._model.roles, self._model.kinds)

    @property
    def _partition_column(self) -> str | None:
        roles, target = self._model.roles, self._model.target
        return next((name for name, role in roles.items() if role == "partition" and name != target), None)

    def _show(self, preview: "engine.Preview") -> None:
        self._preview = preview
        model, names = self._model, list(preview.names)
        if model.target not in names:
            model.target = preview.target if preview.target in names else None
        # Each column gets the role that is guessed for it now, unless a person gave it another.
        guessed = {name: preview.roles.get(name, "feature") for name in names}
        for name, role in guessed.items():
            if name != model.target and model.roles.get(name) in (None, self._guessed.get(name)):
                model.roles[name] = role
        self._guessed.update(guessed)
        model.show(names, preview.kinds, table_preview.cells_of(preview))
        self._title.setText(table_preview.title_of(preview))
        self._title.setToolTip(verbatim.tip(table_preview.title_of(preview)))
        self._subtitle.setText(table_preview.subtitle_of(preview))
        self._form.show_options(preview)
        self._reading_box.setVisible(not preview.is_typed or len(preview.sheets) > 0)
        more = len(preview.notes) - NOTES_SHOWN
        last = [tr("… and {n} more.", n=more)] if more > 0 else []
        self._notes.say("\n".join([*preview.notes[:NOTES_SHOWN], *last]))
        self._notes.setToolTip(verbatim.tip("\n".join(preview.notes) if more > 0 else ""))
        self._on_roles_changed()

    def _on_roles_changed(self) -> None:
        model, target = self._model, self._model.target
        self._forget_refusal()
        kind = model.kinds[target] if target is not None else ""
        seen = file_tasks.classes_seen(model.cells[target], kind) if target is not None else []
        classes = file_tasks.predicts_classes(kind, len(seen))
        self._goal.show_goal({name: model.kinds[name] for name in model.names}, target, seen if classes else None)
        parting = self._partition_column
        self._shares.setEnabled(parting is None)
        if parting is None and not self._own_shares:  # else a person has chosen, or the column
            shares = self._proposed
            self._shares.set_shares(shares.validation, shares.test)
        self._explain_shares()
        self._refresh_buttons()

    @property
    def _proposed(self) -> file_tasks.Shares:
        return file_tasks.propose_shares(self._preview.n_rows, table_preview.estimated_rows(self._preview))

    def _explain_shares(self) -> None:
        """Why the rows are divided so, and what a key decides of that; it becomes a group where rows are counted."""
        parting, shares = self._partition_column, self._shares.shares
        by_column = tr("The column “{column}” says which rows train, validate and test.", column=parting or "")
        said = [self._proposed.why if parting is None else by_column]
        roles = {name: role for name, role in self._model.roles.items() if name != self._model.target}
        keys, is_counted = [name for name, role in roles.items() if role == "key"], self._holding.held == "counts"
        if keys and "group" not in roles.values() and (shares["validation"] or shares["test"]):
            said.append(tr(COUNTED_KEY, key=keys[-1]) if is_counted else tr(KEY, key=keys[0]))  # the one that decides
        self._shares.explain("\n".join(said))

    def _refresh_buttons(self) -> None:
        hindrance = self.hindrance
        waits = self._reading or self._form.typing  # opening would wait for the new preview
        self._open.setEnabled(not self._opening and (waits or not hindrance))
        self._open.setToolTip(verbatim.tip(hindrance))
        self._reason.setText(hindrance)

    def _on_corrected(self, field: str, value: Any) -> None:
        self._corrections[field] = value
        self._reading, self._failed = True, False
        self._refresh_buttons()
        preview, corrections, text = self._preview, dict(self._corrections), self._text

        def again(progress: Progress) -> tuple["engine.Preview", "engine.Room | None"]:
            found = table_preview.inspect_again(preview, corrections, text)
            return found, file_tasks.room_of(found)

        self._jobs.run(
            tr("Reading the first rows"), again, done=self._on_preview, failed=self._on_failed, key="import-preview",
            quiet=True,
        )  # fmt: skip

    def _on_kind_chosen(self, name: str, kind: str) -> None:
        """Who makes a column ordered is asked for the order at once, of all levels of the file."""
        if kind != "ordered":
            return self._set_kind(name, kind)
        before = self._kinds.get(name)  # an order that was chosen already
        kinds = {**self._kinds, name: kind if isinstance(before, str | None) else before}
        choice = replace(self.choice, options=replace(self._preview.options, kinds=kinds))
        self._jobs.run(
            tr("Reading the levels of “{column}”", column=name), lambda progress: levels_of(choice, name, progress),
            done=self._ask_order, failed=lambda error: self._error.say(table_preview.sentence(error), "error"),
            key="import-levels", quiet=True,
        )  # fmt: skip

    def _ask_order(self, levels: "engine.Column") -> None:
        if self._opening:
            return
        dialog = OrderDialog(levels, self)
        dialog.accepted.connect(lambda: self._set_kind(levels.name, list(dialog.levels)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @property
    def _kinds(self) -> dict[str, Any]:
        """The kinds that are chosen, or levels in their order."""
        return dict(self._corrections.get("kinds", self._preview.options.kinds))

    def _set_kind(self, name: str, kind: str | list[str]) -> None:
        self._on_corrected("kinds", {**self._kinds, name: kind})

    def _show_room(self, room: "engine.Room | None") -> None:
        self._room = room
        self._holding.show_room(room)
        self._holding_box.setVisible(room is not None)

    def _on_preview(self, found: tuple["engine.Preview", "engine.Room | None"]) -> None:
        self._reading = False
        self._error.say("")
        self._show(found[0])
        self._show_room(found[1])
        if self._opening:
            self._set_opening(False)
            if not self.hindrance:
                self._read_whole()

    def _on_failed(self, error: Exception) -> None:
        self._reading, self._failed = False, True
        self._error.say(table_preview.sentence(error), "error")
        self._set_opening(False)

    def _read_whole(self) -> None:
        self._set_opening(True)
        text = tr("Opening {name}", name=table_preview.title_of(self._preview))
        done, failed, choice = self._on_opened, self._on_refused, self.choice
        is_large = self._room is not None and self._room.n_rows >= ANSWERED_FROM and choice.held != "sample"
        part = self.answering.take if is_large else None
        self._jobs.run(text, file_tasks.imported, choice, done=done, failed=failed, part=part, key="import-open")

    def _on_opened(self, opened: file_tasks.Opened) -> None:
        self.opened = opened
        super().accept()

    def _on_refused(self, error: Exception) -> None:
        self.answering.ask()
        self._set_opening(False)
        self._error.say(table_preview.sentence(error), "error")
        self._open.setFocus()

    def _on_progress(self, fraction: float, _words: str) -> None:
        if self._opening and not self._reading:
            self._reason.setText(f"{self.hindrance} {fraction:.0%}")

    def _set_opening(self, on: bool) -> None:
        """Nothing can be corrected while the table is read: it would not be what is opened."""
        if on and not self._opening:
            self._came_from = self.focusWidget()
        back = self._opening and not on
        self._opening = on
        self._open.setText(tr("Opening…") if on else tr("&Open table"))
        self._corrigible.setEnabled(not on)
        self._table.setEnabled(not on)
        self._refresh_buttons()
        if back and self._came_from is not None:
            self._came_from.setFocus()

    def _forget_refusal(self) -> None:
        """Takes the sentence away that a correction may have answered; one about the reading stays."""
        if not self._failed:
            self._error.say("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a text field ends the typing there, not the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            return
        super().keyPressEvent(event)

    def accept(self) -> None:
        """Opens the table as the form says; a preview that is read just now is waited for."""
        if self._opening:
            return
        self._form.apply()
        if self._reading:
            self._set_opening(True)
        elif not self.hindrance:
            self._read_whole()

    def done(self, result: int) -> None:
        self._form.blockSignals(True)  # a field that loses the keyboard with the window has nothing more to say
        self._opening = False
        for key in KEYS:
            self._jobs.drop(key)
        super().done(result)

    def _on_shares_changed(self) -> None:
        self._own_shares = True
        self._forget_refusal()
        self._explain_shares()


def levels_of(choice: file_tasks.ImportChoice, name: str, progress: Progress) -> "engine.Column":
    """The levels of a column of the whole file or text. For the worker."""
    if choice.held != "memory":
        return engine.read_levels(choice.path, name, choice.options)
    read, source = (engine.read_table, choice.path) if choice.text is None else (engine.read_text, choice.text)
    return read(source, options=choice.options, progress=progress).column(name)
