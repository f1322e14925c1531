"""The partition dialog: shares or a column, with the counts that come of it."""

import pandas as pd
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QRadioButton, QSpinBox
from pytestqt.qtbot import QtBot

import engine
from gui.dialogs.partition_dialog import PartitionDialog, SharesForm, parting_columns
from gui.model.jobs import Jobs
from gui.widgets.labels import Notice
from tests.gui.dialogs.at_once import AtOnce

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def table() -> engine.Table:
    """100 rows; “fold” names the parts, “soil” does not."""
    frame = pd.DataFrame(
        {
            "x": range(100),
            "fold": (["train"] * 6 + ["valid"] * 3 + ["test"]) * 10,
            "soil": ["clay", "sand"] * 50,
            "y": ["no", "yes", "yes", "no"] * 25,
        }
    )
    return engine.Table.from_frame(frame, target="y")


@pytest.fixture
def dialog(qtbot: QtBot, table: engine.Table) -> PartitionDialog:
    dialog = PartitionDialog(table, AtOnce())
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def result(dialog: PartitionDialog) -> str:
    label = dialog.findChild(QLabel, "partition_result")
    assert label is not None
    return label.text()


def spin(dialog: PartitionDialog, qtbot: QtBot, name: str, value: int) -> None:
    box = dialog.findChild(QSpinBox, name)
    assert box is not None
    box.selectAll()
    qtbot.keyClicks(box, str(value))
    qtbot.keyClick(box, Qt.Key.Key_Tab)


def by_column(dialog: PartitionDialog, qtbot: QtBot, name: str) -> None:
    button, box = dialog.findChild(QRadioButton, "by_column"), dialog.findChild(QComboBox, "partition_column")
    assert button is not None
    assert box is not None
    qtbot.mouseClick(button, LEFT, pos=QPoint(8, button.height() // 2))
    assert button.isChecked()
    while box.currentText() != name:
        qtbot.keyClick(box, Qt.Key.Key_Down if box.findText(name) > box.currentIndex() else Qt.Key.Key_Up)


def test_the_proposal_is_shown_with_its_counts(dialog: PartitionDialog) -> None:
    assert dialog.choice == {"validation": 0.3, "test": 0.0, "seed": 0}
    assert dialog.counts is not None
    assert sum(dialog.counts) == 100
    assert result(dialog).startswith("70 rows train, 30 validate, 0 are kept")


def test_shares_are_counted_as_they_are_typed(dialog: PartitionDialog, qtbot: QtBot, table: engine.Table) -> None:
    spin(dialog, qtbot, "validation_share", 20)
    spin(dialog, qtbot, "test_share", 10)
    spin(dialog, qtbot, "seed", 7)
    assert dialog.choice == {"validation": 0.2, "test": 0.1, "seed": 7}
    divided = table.with_partition(**dialog.choice)
    assert dialog.counts == (divided.n_train, divided.n_validation, divided.n_test)


def test_the_wheel_changes_no_share_in_passing(dialog: PartitionDialog) -> None:
    box = dialog.findChild(QSpinBox, "validation_share")
    assert box is not None and box.isVisible()
    before = box.value()
    box.setFocus()
    place = box.rect().center()
    turn = QWheelEvent(QPointF(place), QPointF(box.mapToGlobal(place)), QPoint(), QPoint(0, -120),
                       Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
                       False)  # fmt: skip
    QApplication.sendEvent(box, turn)
    assert box.value() == before > 0


def test_a_column_says_the_parts(dialog: PartitionDialog, qtbot: QtBot) -> None:
    by_column(dialog, qtbot, "fold")
    assert dialog.choice == {"column": "fold"}
    assert dialog.counts == (60, 30, 10)


def test_a_column_of_other_words_is_refused_in_its_place(dialog: PartitionDialog, qtbot: QtBot) -> None:
    by_column(dialog, qtbot, "soil")
    error, divide = dialog.findChild(Notice, "partition_error"), dialog.findChild(QPushButton, "divide_button")
    assert error is not None
    assert divide is not None
    assert error.isVisible()
    assert "“clay” in column “soil” names no part" in error.text
    assert not divide.isEnabled()
    by_column(dialog, qtbot, "fold")
    assert not error.isVisible()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(divide, LEFT)


def test_the_present_partition_is_the_start(qtbot: QtBot, table: engine.Table) -> None:
    shares = PartitionDialog(table.with_partition(0.25, 0.25, seed=3), AtOnce())
    qtbot.addWidget(shares)
    assert shares.choice == {"validation": 0.25, "seed": 3}, "test rows stay as they are"
    assert not shares.findChild(QSpinBox, "test_share").isEnabled()
    assert "test rows stay as they are" in shares.findChild(QLabel, "shares_why").text()
    column = PartitionDialog(table.with_partition(column="fold"), AtOnce())
    qtbot.addWidget(column)
    assert column.choice == {"column": "fold"}


def test_counting_happens_in_the_background(qtbot: QtBot, table: engine.Table) -> None:
    dialog = PartitionDialog(table, Jobs())
    qtbot.addWidget(dialog)
    assert dialog.counts is None
    qtbot.waitUntil(lambda: dialog.counts is not None)
    dialog.reject()


def test_only_columns_with_few_values_can_name_parts(table: engine.Table) -> None:
    assert parting_columns(table) == ["fold", "soil"]


def test_a_form_that_is_disabled_keeps_its_shares(qtbot: QtBot) -> None:
    form = SharesForm()
    qtbot.addWidget(form)
    form.set_shares(0.2, 0.3, seed=1)
    form.setEnabled(False)  # as a dialog is that was accepted
    assert form.shares == {"validation": 0.2, "test": 0.3, "seed": 1}
    form.keep_test()
    assert form.shares == {"validation": 0.2, "seed": 1}
