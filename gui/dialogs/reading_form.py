"""How a text file or a workbook is read: the guesses of the reader, each of them correctable."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from gui.dialogs.labels import form

if TYPE_CHECKING:
    from engine.readers import ReadOptions

DELIMITERS = {",": "Comma  ,", ";": "Semicolon  ;", "\t": "Tab", "|": "Bar  |", " ": "Space"}
DECIMALS = {".": "Point  1.5", ",": "Comma  1,5"}
ENCODINGS = {"utf-8": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows (cp1252)", "latin-1": "Latin-1"}
TYPING_PAUSE = 400  # milliseconds without a key before what was typed is taken
TEXT_ROWS = ("delimiter", "decimal", "encoding", "header", "missing")


class ReadingForm(QWidget):
    """Shows `ReadOptions` and tells what a person changes.

    Signals:
        corrected: args: name of the field of `ReadOptions`, its new value
        typingChanged: `typing` is another one
    """

    corrected = Signal(str, object)
    typingChanged = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = form(self)
        self._fields: dict[str, QWidget] = {}
        self._choice("sheet", "S&heet")
        self._choice("delimiter", "&Delimiter")
        self._choice("decimal", "D&ecimal mark")
        self._choice("encoding", "E&ncoding")
        self._header = QCheckBox("First &row holds the names")
        self._header.toggled.connect(lambda on: self.corrected.emit("header", on))
        self._add("header", "", self._header)
        self._missing = QLineEdit()
        self._missing.setPlaceholderText("only empty cells")
        self._missing.setToolTip("Words that stand for a missing value, separated by commas. Empty cells always do.")
        self._missing.textEdited.connect(self._on_typed)
        self._missing.editingFinished.connect(self.apply)
        self._taken_missing: tuple[str, ...] = ()
        self._add("missing", "&Missing values", self._missing)
        self._pause = QTimer(self, interval=TYPING_PAUSE, singleShot=True)
        self._pause.timeout.connect(self.apply)

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

    def show_options(self, options: "ReadOptions", format: str, sheets: Sequence[str]) -> None:
        """Puts the options of a preview up; `format` is the preview's."""
        self._fill("sheet", {sheet: sheet for sheet in sheets}, options.sheet)
        self._fill("delimiter", DELIMITERS, options.delimiter)
        self._fill("decimal", DECIMALS, options.decimal)
        self._fill("encoding", ENCODINGS, options.encoding)
        with QSignalBlocker(self._header):
            self._header.setChecked(bool(options.header))
        shown = ", ".join(word for word in options.missing or () if word)
        self._taken_missing = words_in(shown)
        if not self._missing.hasFocus():
            self._missing.setText(shown)
            self._missing.setCursorPosition(0)
        for row in TEXT_ROWS:
            shown = format == "csv" or (format == "excel" and row in ("header", "missing"))
            self._form.setRowVisible(self._fields[row], shown)
        self._form.setRowVisible(self._fields["sheet"], len(sheets) > 0)

    def _choice(self, name: str, label: str) -> None:
        box = QComboBox()
        box.setMinimumContentsLength(8)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(lambda i: self.corrected.emit(name, box.itemData(i)))
        self._add(name, label, box)

    def _add(self, name: str, label: str, field: QWidget) -> None:
        field.setObjectName(f"{name}_field")
        field.setAccessibleName((label or "First row holds the names").replace("&", ""))
        self._fields[name] = field
        if label:
            self._form.addRow(label, field)
        else:
            self._form.addRow(field)

    def _fill(self, name: str, choices: dict[str, str], chosen: str | None) -> None:
        """Lists the choices, with the chosen one even where it is a rare one."""
        box: Any = self._fields[name]
        listed = dict(choices)
        if chosen is not None:
            listed.setdefault(chosen, chosen)
        with QSignalBlocker(box):
            box.clear()
            for value, text in listed.items():
                box.addItem(text, value)
            box.setCurrentIndex(box.findData(chosen))

    def _on_typed(self) -> None:
        self._pause.start()
        self.typingChanged.emit()


def words_in(text: str) -> tuple[str, ...]:
    """The different words between the commas, in their order."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
