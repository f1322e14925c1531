"""Which rows train, validate and test: shares, or a column that says so, with the counts that come of it."""

from typing import Any

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QComboBox, QDialog, QRadioButton, QSizePolicy, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.dialogs.table_preview import sentence
from gui.model.file_tasks import propose_shares
from gui.model.jobs import Jobs
from gui.widgets import verbatim
from gui.widgets.building import form, named, refuse
from gui.widgets.fields import WholeBox
from gui.widgets.labels import Notice, answers, quiet, say, stack
from gui.widgets.tables import aligned
from gui.wording import words

LEAST_TRAINING = 10  # percent


class SharesBar(QWidget):
    """One bar in three parts: training, validation, test."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._parts = (1.0, 0.0, 0.0)
        theme.watcher().changed.connect(self.update)

    def show_parts(self, training: int, validation: int, test: int) -> None:
        self._parts = training / 100, validation / 100, test / 100
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setClipPath(outline)
        left = 0.0
        for part, colour in zip(self._parts, (current.training, current.validation, current.border), strict=True):
            width = part * self.width()
            painter.fillRect(QRectF(left, 0, width - (part < 1), self.height()), colour)
            left += width
        painter.end()


class SharesForm(QWidget):
    """Percentages of validation and test rows and the seed of the division; training is the rest."""

    changed = Signal()  # a share or the seed is another one

    def __init__(self) -> None:
        super().__init__()
        self._keeps_test = False
        self._validation = self._spin("validation_share", tr("Validation rows in percent"), " %")
        self._test = self._spin("test_share", tr("Test rows in percent"), " %")
        self._seed = self._spin("seed", tr("Seed of the division into parts"), "")
        self._seed.setRange(0, 2**31 - 1)
        self._seed.setToolTip(tr("The same seed divides the same rows in the same way."))
        self._training = verbatim.label(alignment=aligned(words=False))
        self._training.setContentsMargins(0, 0, 8, 0)
        self._bar, self._why, rows = SharesBar(), quiet("", "shares_why"), QWidget()
        fields = form(rows)
        for text, field in ((tr("Training"), self._training), (tr("&Validation"), self._validation),
                            (tr("Te&st"), self._test), (tr("Seed"), self._seed)):  # fmt: skip
            fields.addRow(text, field)
        stack(self, self._bar, rows, self._why, margins=(0, 0, 0, 0))
        self._refresh()

    @property
    def shares(self) -> dict[str, Any]:
        """ "validation" and "test", 0 to 1, and the "seed"; without "test" where the test rows stay as they are."""
        validation, test = self._validation.value() / 100, self._test.value() / 100
        chosen = {"validation": validation, "test": test, "seed": self._seed.value()}
        return chosen if not self._keeps_test else {name: chosen[name] for name in ("validation", "seed")}

    def keep_test(self) -> None:
        self._keeps_test = True
        refuse(self._test, tr("Test rows stay test rows: to choose others, open the file again."))

    def set_shares(self, validation: float, test: float, seed: int | None = None) -> None:
        """Puts shares (0 to 1) and a seed, or the present one, up without telling anybody."""
        with QSignalBlocker(self):
            for box, share in ((self._validation, validation), (self._test, test)):
                box.setMaximum(100)
                box.setValue(round(100 * share))
            if seed is not None:
                self._seed.setValue(seed)
        self._refresh()

    def explain(self, why: str) -> None:
        say(self._why, why)

    def _spin(self, name: str, accessible: str, suffix: str) -> WholeBox:
        box = named(WholeBox(suffix=suffix, singleStep=5 if suffix else 1), name, accessible,
                    alignment=Qt.AlignmentFlag.AlignRight, valueChanged=self._refresh)  # fmt: skip
        box.valueChanged.connect(self.changed)
        return box

    def _refresh(self) -> None:
        """Keeps at least a tenth of the rows for training, and shows what is left for it."""
        most = 100 - LEAST_TRAINING
        self._validation.setMaximum(most - self._test.value())
        self._test.setMaximum(most - self._validation.value())
        training = 100 - self._validation.value() - self._test.value()
        self._training.setText(f"{training} %")
        self._bar.show_parts(training, self._validation.value(), self._test.value())


MOST_WORDS = 12  # different values; a column with more does not name parts


class PartitionDialog(QDialog):
    """Divides the rows of a table, but for its test rows; `choice` goes to `TableEdits.set_partition` as it is."""

    def __init__(self, table: "engine.Table", jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self._jobs = table, jobs
        self.counts: tuple[int, int, int] | None = None  # rows that would train, validate and test, where known
        named(self, "partition_dialog").setWindowTitle(tr("Divide the rows"))
        self._by_shares = named(QRadioButton(tr("By &shares, at random, the same in every class")), "by_shares")
        self._by_column = named(QRadioButton(tr("As a &column says")), "by_column")
        self._shares = SharesForm()
        self._columns = named(QComboBox(), "partition_column", tr("Column that names the parts"))
        self._columns.addItems(parting_columns(table))
        if not self._columns.count():
            refuse(self._by_column, tr("No column has the few values that would name the parts."))
        self._result = quiet("", "partition_result")
        self._result.setMinimumHeight(3 * self.fontMetrics().height())
        self._result.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._error = Notice("partition_error")
        buttons, self._divide = answers(self, tr("&Divide"), "divide_button")
        shares, columns = QWidget(), QWidget()  # under the texts of the buttons above them
        stack(shares, self._shares, margins=(24, 0, 0, 0))
        stack(columns, self._columns, margins=(24, 0, 0, 0))
        parts = (self._by_shares, shares, 8, self._by_column, columns, 8, self._error, self._result, 0, buttons)
        stack(self, *parts)
        self.setMinimumWidth(416)
        column, proposal = table.partition.get("column"), propose_shares(table.n_rows)
        (self._by_shares if column is None else self._by_column).setChecked(True)
        if column is not None:
            self._columns.setCurrentText(column)
        kept = table.n_test / max(table.n_train + table.n_validation + table.n_test, 1)
        present = {"validation": proposal.validation, "seed": 0, **table.partition}
        self._shares.set_shares(present["validation"], kept or proposal.test, present["seed"])
        if kept:
            self._shares.keep_test()
        n, stay = words.count(table.n_test), marked("The {n} test rows stay as they are; the others are divided again.")
        self._shares.explain(tr(stay, n=n) if kept else proposal.why)
        for changed in (self._by_column.toggled, self._columns.currentIndexChanged, self._shares.changed):
            changed.connect(self._on_changed)
        self.finished.connect(lambda: jobs.drop("partition-preview"))
        self._on_changed()

    @property
    def choice(self) -> dict[str, Any]:
        """What `Table.with_partition` is to be given."""
        by_column = self._by_column.isChecked()
        return {"column": self._columns.currentText()} if by_column else self._shares.shares

    def _on_changed(self) -> None:
        by_column = self._by_column.isChecked()
        self._columns.setEnabled(by_column)
        self._shares.setEnabled(not by_column)
        self._show_counts(None)
        done, failed, key = self._show_counts, self._on_failed, "partition-preview"
        asked = self._table, self.choice
        self._jobs.run(tr("Counting the parts"), counted, *asked, done=done, failed=failed, key=key, quiet=True)

    def _show_counts(self, counts: tuple[int, int, int] | None) -> None:
        self.counts = counts
        self._error.say("")
        self._result.show()
        text = tr("Counting…")
        if counts is not None:
            said = dict(zip(("train", "validation", "test"), map(words.count, counts), strict=True))
            text = tr("{train} rows train, {validation} validate, {test} are kept for the test.", **said)
        self._result.setText(text)
        self._divide.setEnabled(counts is not None)

    def _on_failed(self, error: Exception) -> None:
        self._show_counts(None)
        self._result.hide()
        self._error.say(sentence(error), "error")


def parting_columns(table: "engine.Table") -> list[str]:
    """Columns with few enough values to name parts; the target is none of them."""
    few = [column for column in table.columns if 0 < column.n_values <= MOST_WORDS and column.kind != "date"]
    return [column.name for column in few if column.name != table.target]


def counted(table: "engine.Table", how: dict[str, Any], progress: Progress) -> tuple[int, int, int]:
    """Rows that train, validate and test under a partition; InputError when it is impossible. For the worker."""
    divided = table.with_partition(**how)
    return divided.n_train, divided.n_validation, divided.n_test
