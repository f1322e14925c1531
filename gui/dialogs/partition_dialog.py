"""Which rows train, validate and test: shares, or a column that says so, with the counts that come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs import reading
from gui.dialogs.labels import Notice, answers, quiet
from gui.dialogs.shares_form import SharesForm
from gui.model.import_choice import propose_shares
from gui.wording import words

if TYPE_CHECKING:
    from engine.table.table import Table
    from gui.model.jobs import Jobs

MOST_WORDS = 12  # different values; a column with more does not name parts


class PartitionDialog(QDialog):
    """Divides the rows of a table anew; `choice` goes to `TableEdits.set_partition` as it is."""

    def __init__(self, table: Table, parent: QWidget | None = None, jobs: Jobs | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._jobs = jobs
        self._counts: tuple[int, int, int] | None = None
        self.setObjectName("partition_dialog")
        self.setWindowTitle("Divide the rows")
        self._build()
        self._start_from(table)
        self._on_changed()

    @property
    def choice(self) -> dict[str, Any]:
        """{"validation", "test", "seed"}, or {"column"}."""
        if self._by_column.isChecked():
            return {"column": self._columns.currentText()}
        return {"validation": self._shares.validation, "test": self._shares.test, "seed": self._shares.seed}

    @property
    def counts(self) -> tuple[int, int, int] | None:
        """Rows that would train, validate and test; None while unknown or impossible."""
        return self._counts

    def _start_from(self, table: Table) -> None:
        """Shows the present partition, or the proposal where there is none."""
        column = table.partition.get("column")
        self._by_column.setChecked(column is not None)
        self._by_shares.setChecked(column is None)
        if column is not None:
            self._columns.setCurrentText(column)
        proposal = propose_shares(table.n_rows)
        present = {"validation": proposal.validation, "test": proposal.test, "seed": 0, **table.partition}
        self._shares.set_shares(present["validation"], present["test"], present["seed"])
        self._shares.explain(proposal.why)

    def _on_changed(self) -> None:
        """Counts the rows of each part anew, in the background where there are `jobs`."""
        by_column = self._by_column.isChecked()
        self._columns.setEnabled(by_column)
        self._shares.setEnabled(not by_column)
        self._show_counts(None)
        table, how = self._table, self.choice
        if self._jobs is not None:
            self._jobs.run(
                "Counting the parts",
                lambda progress: counted(table, how),
                done=self._show_counts,
                failed=self._on_failed,
                key="partition-preview",
                quiet=True,
            )
            return
        try:
            self._show_counts(counted(table, how))
        except ValueError as error:
            self._on_failed(error)

    def _show_counts(self, counts: tuple[int, int, int] | None) -> None:
        self._counts = counts
        self._error.say("")
        self._result.show()
        if counts is None:
            self._result.setText("Counting…")
        else:
            train, validation, test = (words.count(count) for count in counts)
            self._result.setText(f"{train} rows train, {validation} validate, {test} are kept for the test.")
        self._divide.setEnabled(counts is not None)

    def _on_failed(self, error: Exception) -> None:
        self._counts = None
        self._result.hide()
        self._error.say(reading.sentence(error), "error")
        self._divide.setEnabled(False)

    def done(self, result: int) -> None:
        if self._jobs is not None:
            self._jobs.drop("partition-preview")
        super().done(result)

    def _build(self) -> None:
        self._by_shares = QRadioButton("By &shares, at random, the same in every class", objectName="by_shares")
        self._by_column = QRadioButton("As a &column says", objectName="by_column")
        group = QButtonGroup(self)
        group.addButton(self._by_shares)
        group.addButton(self._by_column)
        self._shares = SharesForm()
        self._columns = QComboBox(objectName="partition_column")
        self._columns.setAccessibleName("Column that names the parts")
        self._columns.addItems(parting_columns(self._table))
        if not self._columns.count():
            self._by_column.setEnabled(False)
            self._by_column.setToolTip("No column has the few values that would name the parts.")
        self._result = quiet()
        self._result.setObjectName("partition_result")
        self._result.setMinimumHeight(3 * self.fontMetrics().height())
        self._result.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._error = Notice()
        self._error.setObjectName("partition_error")
        buttons, self._divide = answers(self, "&Divide", "divide_button")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(self._by_shares)
        layout.addWidget(indented(self._shares))
        layout.addSpacing(8)
        layout.addWidget(self._by_column)
        layout.addWidget(indented(self._columns))
        layout.addSpacing(8)
        layout.addWidget(self._error)
        layout.addWidget(self._result)
        layout.addStretch(1)
        layout.addWidget(buttons)
        self.setMinimumWidth(416)
        self._by_column.toggled.connect(self._on_changed)
        self._columns.currentIndexChanged.connect(self._on_changed)
        self._shares.changed.connect(self._on_changed)


def indented(widget: QWidget) -> QWidget:
    """The same, moved under the text of the radio button above it."""
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(24, 0, 0, 0)
    layout.addWidget(widget)
    return box


def parting_columns(table: Table) -> list[str]:
    """Columns with few enough values to name parts; the target is none of them."""
    return [
        column.name
        for column in table.columns
        if column.name != table.target and 0 < column.n_values <= MOST_WORDS and column.kind != "date"
    ]


def counted(table: Table, how: dict[str, Any]) -> tuple[int, int, int]:
    """Rows that train, validate and test under a partition; InputError when it is impossible."""
    divided = table.with_partition(**how)
    return divided.n_train, divided.n_validation, divided.n_test
