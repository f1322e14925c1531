"""The dialog between a file and a table: what was guessed, what it looks like, and what the tree shall predict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from engine.runtime.progress import Progress
from gui.dialogs import reading
from gui.dialogs.import_layout import OPEN, ImportLayout
from gui.model import file_tasks
from gui.model.import_choice import ImportChoice, classes_seen, missing_step, predicts_classes, propose_shares
from gui.widgets import verbatim

if TYPE_CHECKING:
    from engine.readers import Preview
    from gui.model.file_tasks import Opened
    from gui.model.jobs import Jobs

NOTES_SHOWN = 3
OPENING = "Opening…"


class ImportDialog(ImportLayout):
    """Shows a preview, lets a person correct every guess, and ends with the table that was read so.

    Corrections of the reading are previewed again through `jobs`; without `jobs` they are made at once. The whole
    table is read before the dialog closes: when it cannot be used, the sentence stands beside the corrections.
    Opening takes what stands in the form: it waits for a preview that is still to come, and goes on by itself.

    Attributes:
        opened: what was read; None until the dialog is accepted.
    """

    def __init__(
        self,
        preview: Preview,
        jobs: Jobs | None = None,
        parent: QWidget | None = None,
        *,
        text: str | None = None,
    ) -> None:
        """Shows the preview of a file, or of a pasted `text`."""
        super().__init__(parent)
        self._jobs = jobs
        self._text = text
        self._preview = preview
        self._corrections: dict[str, Any] = {}
        self._reading = False
        self._failed = False
        self._came_from: QWidget | None = None  # what had the keyboard when the opening began
        self._opening = False  # also while opening waits for `_reading`
        self._own_shares = False
        self._guessed: dict[str, str] = {}  # the roles that were proposed last
        self.opened: Opened | None = None
        self._form.corrected.connect(self._on_corrected)
        self._form.typingChanged.connect(self._refresh_buttons)
        self._goal.targetChosen.connect(self._model.set_target)
        self._shares.changed.connect(self._on_shares_changed)
        self._model.target = preview.target
        self._show(preview)
        self._model.kindChosen.connect(self._on_kind_chosen)
        self._model.rolesChanged.connect(self._on_roles_changed)
        if jobs is not None:
            jobs.progressed.connect(self._on_progress)
        self.fit_screen()

    @property
    def choice(self) -> ImportChoice:
        """What was decided. Only meaningful while `hindrance` is empty."""
        model, column = self._model, self._partition_column
        return ImportChoice(
            path="" if self._text is not None else str(self._preview.path),
            text=self._text,
            options=self._preview.options,
            target=model.target or "",
            roles={name: role for name, role in model.roles.items() if name != model.target},
            focus=self._goal.focus,
            validation=0.0 if column else self._shares.validation,
            test=0.0 if column else self._shares.test,
            seed=self._shares.seed,
            partition_column=column,
        )

    @property
    def hindrance(self) -> str:
        """Why the table cannot be opened yet, in words; empty when it can."""
        if self._reading or (self._form.typing and not self._opening):
            return "Reading the first rows again…"
        if self._opening:
            return "Opening the table…"
        if self._failed:
            return "Correct the reading first."
        if not self._preview.head:
            return "There are no rows to open: add some to the table, or correct how it is read."
        return missing_step(self._model.target, self._model.roles, self._model.kinds)

    @property
    def _partition_column(self) -> str | None:
        roles, target = self._model.roles, self._model.target
        return next((name for name, role in roles.items() if role == "partition" and name != target), None)

    # -- putting things up

    def _show(self, preview: Preview) -> None:
        self._preview = preview
        names, kinds = list(preview.names), preview.kinds
        if self._model.target not in names:
            self._model.target = preview.target if preview.target in names else None
        self._propose_roles(preview)
        self._model.show(names, kinds, reading.cells_of(preview))
        self._title.setText(reading.title_of(preview))
        self._title.setToolTip(verbatim.tip(reading.title_of(preview)))
        self._subtitle.setText(reading.subtitle_of(preview))
        self._form.show_options(preview.options, preview.format, preview.sheets)
        self._reading_box.setVisible(preview.format != "parquet")
        self._show_notes(preview.notes)
        self._goal.show_columns(names, kinds, self._model.target)
        self._on_roles_changed()

    def _propose_roles(self, preview: Preview) -> None:
        """Gives each column the role that is guessed for it now, unless a person gave it another."""
        roles, guessed = self._model.roles, {name: preview.roles.get(name, "feature") for name in preview.names}
        for name, role in guessed.items():
            if name != self._model.target and roles.get(name) in (None, self._guessed.get(name)):
                roles[name] = role
        self._guessed.update(guessed)

    def _show_notes(self, notes: Any) -> None:
        notes = list(notes)
        more = f"\n… and {len(notes) - NOTES_SHOWN} more." if len(notes) > NOTES_SHOWN else ""
        self._notes.say("\n".join(notes[:NOTES_SHOWN]) + more)
        self._notes.setToolTip(verbatim.tip("\n".join(notes) if more else ""))

    def _on_roles_changed(self) -> None:
        model = self._model
        self._forget_refusal()
        self._goal.show_columns(model.names, model.kinds, model.target)
        self._goal.show_classes(model.target, self._classes_of_target())
        self._propose()
        self._refresh_buttons()

    def _classes_of_target(self) -> list[str] | None:
        if self._model.target is None:
            return None
        kind = self._model.kinds[self._model.target]
        seen = classes_seen(self._model.column_texts(self._model.target), kind)
        classes = predicts_classes(kind, len(seen))
        return seen if classes else None

    def _propose(self) -> None:
        """Proposes shares unless a person has chosen their own, or a column divides the rows."""
        column = self._partition_column
        self._shares.setEnabled(column is None)
        shares = propose_shares(self._preview.n_rows, reading.estimated_rows(self._preview))
        if column is not None:
            self._shares.explain(f"The column “{column}” says which rows train, validate and test.")
        elif not self._own_shares:
            self._shares.propose(shares)
        else:
            self._shares.explain(shares.why)

    def _refresh_buttons(self) -> None:
        hindrance = self.hindrance
        waits = self._reading or self._form.typing  # opening would wait for the new preview
        self._open.setEnabled(not self._opening and (waits or not hindrance))
        self._open.setToolTip(verbatim.tip(hindrance))
        self._reason.setText(hindrance)

    # -- corrections

    def _on_corrected(self, field: str, value: Any) -> None:
        self._corrections[field] = value
        self._read_again()

    def _on_kind_chosen(self, name: str, kind: str) -> None:
        kinds = self._corrections.get("kinds", self._preview.options.kinds)
        self._on_corrected("kinds", {**kinds, name: kind})

    def _read_again(self) -> None:
        self._reading, self._failed = True, False
        self._refresh_buttons()
        preview, corrections, text = self._preview, dict(self._corrections), self._text
        if self._jobs is not None:
            self._jobs.run(
                "Reading the first rows",
                lambda progress: reading.inspect_again(preview, corrections, text),
                done=self._on_preview,
                failed=self._on_failed,
                key="import-preview",
                quiet=True,
            )
            return
        try:
            found = reading.inspect_again(preview, corrections, text)
        except (ValueError, OSError) as error:
            self._on_failed(error)
        else:
            self._on_preview(found)

    def _on_preview(self, preview: Preview) -> None:
        self._reading = False
        self._error.say("")
        self._show(preview)
        if self._opening:
            self._set_opening(False)
            if not self.hindrance:
                self._read_whole()

    def _on_failed(self, error: Exception) -> None:
        self._reading, self._failed = False, True
        self._error.say(reading.sentence(error), "error")
        self._set_opening(False)

    # -- the whole table

    def _read_whole(self) -> None:
        self._set_opening(True)
        if self._jobs is not None:
            self._jobs.run(
                f"Opening {reading.title_of(self._preview)}",
                file_tasks.imported,
                self.choice,
                done=self._on_opened,
                failed=self._on_refused,
                key="import-open",
            )
            return
        try:
            opened = file_tasks.imported(self.choice, Progress())
        except (ValueError, OSError) as error:
            self._on_refused(error)
        else:
            self._on_opened(opened)

    def _on_opened(self, opened: Opened) -> None:
        self.opened = opened
        super().accept()

    def _on_refused(self, error: Exception) -> None:
        self._set_opening(False)
        self._error.say(reading.sentence(error), "error")
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
        self._open.setText(OPENING if on else OPEN)
        self._corrigible.setEnabled(not on)
        self._table.setEnabled(not on)
        self._refresh_buttons()
        if back and self._came_from is not None:
            self._came_from.setFocus()

    def _forget_refusal(self) -> None:
        """Takes the sentence away that a correction may have answered; one about the reading stays."""
        if not self._failed:
            self._error.say("")

    # -- the window

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
        if self._jobs is not None:
            for key in ("import-preview", "import-open"):
                self._jobs.drop(key)
        super().done(result)

    def _on_shares_changed(self) -> None:
        self._own_shares = True
        self._forget_refusal()
