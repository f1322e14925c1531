"""The import dialog: guesses shown, corrected by mouse and keys, previewed again, and turned into a choice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSpinBox,
)
from pytestqt.qtbot import QtBot

import engine
from gui.dialogs import table_preview
from gui.dialogs.import_dialog import LATER, TYPING_PAUSE, ImportDialog
from gui.dialogs.table_preview import PreviewHeader, PreviewTable
from gui.model.file_tasks import classes_seen, guess_focus, missing_step, predicts_classes, propose_shares
from gui.model.jobs import Jobs
from gui.panels.data.order_dialog import OrderDialog
from gui.widgets.labels import Notice
from tests.gui.dialogs.at_once import AtOnce

# A menu wants the keyboard for itself; the offscreen platform has only one window that could have it.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")

LEFT = Qt.MouseButton.LeftButton
Open = Callable[..., ImportDialog]


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Open:
    """Writes a text to a file and opens the dialog on it."""

    def open_it(text: str, name: str = "table.csv", jobs: Jobs | AtOnce | None = None) -> ImportDialog:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        dialog = ImportDialog(engine.inspect(path), jobs or AtOnce())
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitExposed(dialog)
        return dialog

    return open_it


def credit(n_rows: int = 60) -> str:
    """Rows with a semicolon, a decimal comma and a target with two classes, the rarer one “bad”."""
    lines = ["age;amount;since;fold;risk"]
    for i in range(n_rows):
        risk = "bad" if i % 4 == 0 else "good"
        lines.append(f"{20 + i % 50};{i % 7},5;2024-01-{1 + i % 28:02d};{'train' if i % 2 else 'test'};{risk}")
    return "\n".join(lines)


def press_menu(qtbot: QtBot, key: str) -> None:
    """Chooses an entry of the menu that is open."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.objectName() == key)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)


def press_header(dialog: ImportDialog, qtbot: QtBot, name: str, line: int) -> None:
    """Presses the kind (1) or the role (2) of a column in the header."""
    table = dialog.findChild(PreviewTable)
    assert table is not None
    header = table.horizontalHeader()
    assert isinstance(header, PreviewHeader)
    column = [table.model().headerData(i, Qt.Orientation.Horizontal) for i in range(header.count())].index(name)
    table.scrollTo(table.model().index(0, column))
    point: QPoint = header.line_rect(column, line).center()
    qtbot.mousePress(header.viewport(), LEFT, pos=point)
    qtbot.mouseRelease(header.viewport(), LEFT, pos=point)


def pick(box: QComboBox, qtbot: QtBot, text: str) -> None:
    """Chooses an entry with the arrow keys."""
    box.setFocus()
    step = Qt.Key.Key_Down if box.findText(text) > box.currentIndex() else Qt.Key.Key_Up
    assert box.findText(text) >= 0, [box.itemText(i) for i in range(box.count())]
    for _ in range(abs(box.findText(text) - box.currentIndex())):
        qtbot.keyClick(box, step)
    assert box.currentText() == text


def child(dialog: QDialog, kind: type[Any], name: str) -> Any:
    found = dialog.findChild(kind, name)
    assert found is not None, name
    return found


def open_button(dialog: ImportDialog) -> QPushButton:
    return child(dialog, QPushButton, "open_table_button")


# -- the guesses


def test_the_guesses_are_shown_and_chosen(opened: Open) -> None:
    choice = (dialog := opened(credit())).choice
    assert (choice.options.delimiter, choice.options.decimal) == (";", ",")
    assert (choice.target, choice.focus) == ("risk", "bad")
    assert (choice.validation, choice.test) == (0.3, 0.0)
    assert choice.roles == dict.fromkeys(("age", "amount", "since", "fold"), "feature")
    assert "separated by semicolons" in "".join(label.text() for label in dialog.findChildren(QLabel))
    assert open_button(dialog).isEnabled()


def test_enter_opens_the_table(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    with qtbot.waitSignal(dialog.accepted):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)


def test_the_choice_can_be_read(opened: Open) -> None:
    choice = opened(credit()).choice
    table = engine.read_table(choice.path, target=choice.target, roles=choice.roles, options=choice.options)
    assert table.n_rows == 60
    assert table.column("amount").kind == "number"


# -- corrections


def test_another_delimiter_is_previewed_at_once(opened: Open, qtbot: QtBot) -> None:
    dialog = opened("a,b;y\n1,2;no\n3,4;yes\n")
    pick(child(dialog, QComboBox, "delimiter_field"), qtbot, "Comma  ,")
    table = dialog.findChild(PreviewTable)
    assert table is not None
    names = [table.model().headerData(i, Qt.Orientation.Horizontal) for i in range(table.model().columnCount())]
    assert names == ["a", "b;y"]


def test_the_first_row_can_be_made_a_row_like_others(opened: Open, qtbot: QtBot) -> None:
    dialog = opened("a,y\n1,no\n2,yes\n3,yes\n")
    qtbot.mouseClick(child(dialog, QCheckBox, "header_field"), LEFT, pos=QPoint(8, 8))
    table = dialog.findChild(PreviewTable)
    assert table is not None
    assert table.model().rowCount() == 4
    assert dialog.choice.options.header is False


def test_missing_tokens_are_taken_when_the_typing_ends(opened: Open, qtbot: QtBot) -> None:
    dialog = opened("a,y\n1,no\nunknown,yes\n3,yes\n2,no\n")
    field = child(dialog, QLineEdit, "missing_field")
    qtbot.mouseClick(field, LEFT)
    field.selectAll()
    qtbot.keyClicks(field, "unknown, n.a.")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert dialog.isVisible(), "Enter ends the typing, not the dialog"
    assert dialog.choice.options.missing == ("", "unknown", "n.a.")
    table = dialog.findChild(PreviewTable)
    assert table is not None
    assert table.model().index(1, 0).data() == "–"


def test_a_kind_is_chosen_in_the_header(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    press_header(dialog, qtbot, "age", 1)
    press_menu(qtbot, "nominal")
    assert dialog.choice.options.kinds == {"age": "nominal"}


def test_kinds_and_roles_are_reached_by_keyboard(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    table = dialog.findChild(PreviewTable)
    assert table is not None
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 1))
    for key, steps in ((Qt.Key.Key_F2, 0), (Qt.Key.Key_F3, 1)):
        qtbot.keyClick(table, key)
        qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        for _ in range(steps):
            qtbot.keyClick(menu, Qt.Key.Key_Down)
        qtbot.keyClick(menu, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
    assert dialog.choice.roles["amount"] == "ignore"


def test_the_target_can_be_chosen_in_the_header_and_on_the_left(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    press_header(dialog, qtbot, "age", 2)
    press_menu(qtbot, "target")
    assert child(dialog, QComboBox, "target_field").currentText() == "age"
    assert dialog.choice.roles["risk"] == "feature"
    assert dialog.choice.focus is None, "a number has no classes"
    pick(child(dialog, QComboBox, "target_field"), qtbot, "fold")
    assert dialog.choice.target == "fold"
    assert child(dialog, QComboBox, "focus_field").findText("train") > 0


def test_a_column_that_divides_the_rows_replaces_the_shares(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    press_header(dialog, qtbot, "fold", 2)
    press_menu(qtbot, "partition")
    choice = dialog.choice
    assert (choice.partition_column, choice.validation, choice.test) == ("fold", 0.0, 0.0)
    assert not child(dialog, QSpinBox, "validation_share").isEnabled()
    assert "“fold” says which rows train" in child(dialog, QLabel, "shares_why").text()


def test_only_one_column_can_be_the_weight(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    for name in ("age", "amount"):
        press_header(dialog, qtbot, name, 2)
        press_menu(qtbot, "weight")
    assert dialog.choice.roles["age"] == "feature"
    assert dialog.choice.roles["amount"] == "weight"


def test_own_shares_survive_another_preview(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    box = child(dialog, QSpinBox, "validation_share")
    box.selectAll()
    qtbot.keyClicks(box, "10")
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    pick(child(dialog, QComboBox, "encoding_field"), qtbot, "Latin-1")
    assert dialog.choice.validation == 0.1


def test_a_tenth_of_the_rows_always_trains(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    for name in ("validation_share", "test_share"):
        box = child(dialog, QSpinBox, name)
        box.selectAll()
        qtbot.keyClicks(box, "80")
        qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert dialog.choice.validation + dialog.choice.test <= 0.9


# -- what cannot be opened yet


def test_no_feature_no_table(opened: Open, qtbot: QtBot) -> None:
    dialog = opened("a,y\n1,no\n2,yes\n3,yes\n")
    press_header(dialog, qtbot, "a", 2)
    press_menu(qtbot, "ignore")
    assert not open_button(dialog).isEnabled()
    assert "at least one column a feature" in child(dialog, QLabel, "import_reason").text()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_an_error_of_the_reader_stands_in_the_dialog_until_it_is_mended(
    opened: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = opened(credit())
    (tmp_path / "table.csv").unlink()
    box = child(dialog, QComboBox, "decimal_field")
    pick(box, qtbot, "Point  1.5")
    error = child(dialog, Notice, "import_error")
    assert error.isVisible()
    assert "table.csv is not there" in error.text
    assert not open_button(dialog).isEnabled()
    (tmp_path / "table.csv").write_text(credit(), encoding="utf-8")
    pick(box, qtbot, "Comma  1,5")
    assert not error.isVisible()
    assert open_button(dialog).isEnabled()


def test_notes_of_the_reader_are_shown(opened: Open) -> None:
    dialog = opened("a,a,y\n1,2,no\n2,3,yes\n3,4,yes\n")
    notes = child(dialog, Notice, "import_notes")
    assert notes.isVisible()
    assert "2 columns are called “a”" in notes.text


def test_the_preview_is_read_again_in_the_background(opened: Open, qtbot: QtBot) -> None:
    jobs = Jobs()
    dialog = opened(credit(), jobs=jobs)
    pick(child(dialog, QComboBox, "delimiter_field"), qtbot, "Comma  ,")
    assert open_button(dialog).isEnabled(), "opening waits for it"
    assert "Reading" in child(dialog, QLabel, "import_reason").text()
    qtbot.waitUntil(lambda: dialog.choice.options.delimiter == ",")
    dialog.reject()


def test_a_table_without_rows_cannot_be_opened(opened: Open) -> None:
    dialog = opened("a,b,y\n")
    assert not open_button(dialog).isEnabled()
    assert "There are no rows to open" in child(dialog, QLabel, "import_reason").text()


DISTINCT = "a,b,target\n" + "".join(f"{i},{'uv'[i % 2]},n{i}\n" for i in range(12))


@pytest.mark.parametrize("in_worker", [False, True])
def test_a_table_that_is_refused_keeps_the_dialog_and_its_corrections(
    opened: Open, qtbot: QtBot, in_worker: bool
) -> None:
    dialog = opened(DISTINCT, jobs=Jobs() if in_worker else None)
    pick(child(dialog, QComboBox, "target_field"), qtbot, "target")
    press_header(dialog, qtbot, "a", 2)
    press_menu(qtbot, "ignore")
    error = child(dialog, Notice, "import_error")
    qtbot.mouseClick(open_button(dialog), LEFT)
    qtbot.waitUntil(error.isVisible, timeout=60_000)
    assert "Every row has a value of its own in the target “target”" in error.text
    assert dialog.isVisible() and dialog.opened is None and open_button(dialog).isEnabled()
    assert dialog.choice.roles == {"a": "ignore", "b": "feature"}
    pick(child(dialog, QComboBox, "target_field"), qtbot, "b")
    assert not error.isVisible(), "another target may be the answer"
    press_header(dialog, qtbot, "a", 2)
    press_menu(qtbot, "feature")
    with qtbot.waitSignal(dialog.accepted, timeout=60_000):
        qtbot.mouseClick(open_button(dialog), LEFT)
    assert dialog.opened is not None and dialog.opened[0].table.target == "b"


def test_ragged_rows_beyond_the_preview_are_told_in_the_dialog(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit() + "\n1;2,5;2024-01-01;train;good;too;many\n", jobs=Jobs())
    qtbot.mouseClick(open_button(dialog), LEFT)
    error = child(dialog, Notice, "import_error")
    qtbot.waitUntil(error.isVisible, timeout=60_000)
    assert "7 cells in line 62" in error.text
    assert dialog.isVisible()


def test_nothing_can_be_corrected_while_the_table_is_read(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit(), jobs=Jobs())
    target = child(dialog, QComboBox, "target_field")
    qtbot.mouseClick(open_button(dialog), LEFT)
    assert not target.isEnabled() and not open_button(dialog).isEnabled()
    assert "Opening the table" in child(dialog, QLabel, "import_reason").text()
    dialog.reject()
    assert dialog.opened is None


# -- what is typed and not told yet

UNTOLD = "a,y\n" + "".join(f"{'k.A.' if i == 7 else i},{'yes' if i % 3 else 'no'}\n" for i in range(40))


def type_missing(dialog: ImportDialog, qtbot: QtBot, text: str) -> QLineEdit:
    field: QLineEdit = child(dialog, QLineEdit, "missing_field")
    dialog.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClick(field, Qt.Key.Key_End)
    qtbot.keyClicks(field, text)
    return field


def press_open(dialog: ImportDialog, qtbot: QtBot, by: str) -> None:
    if by == "key":
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_O, Qt.KeyboardModifier.AltModifier)
    else:
        qtbot.mouseClick(open_button(dialog), LEFT)


@pytest.mark.parametrize("by", ["key", "mouse"])
@pytest.mark.parametrize("in_worker", [False, True])
def test_open_takes_what_was_typed_a_moment_ago(opened: Open, qtbot: QtBot, by: str, in_worker: bool) -> None:
    dialog = opened(UNTOLD, jobs=Jobs() if in_worker else None)
    assert "k.A." not in dialog.choice.options.missing
    type_missing(dialog, qtbot, ", k.A.")
    with qtbot.waitSignal(dialog.accepted, timeout=60_000):
        press_open(dialog, qtbot, by)
    assert "k.A." in dialog.choice.options.missing
    assert dialog.opened is not None
    assert dialog.opened[0].table.column("a").kind == "integer"


def test_open_says_that_it_waits_for_the_new_reading(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(UNTOLD, jobs=Jobs())
    type_missing(dialog, qtbot, ", k.A.")
    with qtbot.waitSignal(dialog.accepted, timeout=60_000):
        qtbot.mouseClick(open_button(dialog), LEFT)
        assert open_button(dialog).text() == "Opening…" and not open_button(dialog).isEnabled()
        assert "Reading the first rows" in child(dialog, QLabel, "import_reason").text()
        assert not child(dialog, QLineEdit, "missing_field").isEnabled()


@pytest.mark.parametrize("by", ["key", "mouse"])
def test_nothing_opens_when_the_awaited_reading_fails(opened: Open, qtbot: QtBot, tmp_path: Path, by: str) -> None:
    dialog = opened(UNTOLD, jobs=Jobs())
    (tmp_path / "table.csv").unlink()
    field = type_missing(dialog, qtbot, ", k.A.")
    press_open(dialog, qtbot, by)
    error = child(dialog, Notice, "import_error")
    qtbot.waitUntil(error.isVisible, timeout=60_000)
    assert "table.csv is not there" in error.text
    assert dialog.isVisible() and dialog.opened is None
    assert field.isEnabled() and not open_button(dialog).isEnabled()
    assert open_button(dialog).text() == "&Open table"
    (tmp_path / "table.csv").write_text(UNTOLD, encoding="utf-8")
    type_missing(dialog, qtbot, ", x")
    with qtbot.waitSignal(dialog.accepted, timeout=60_000):
        press_open(dialog, qtbot, by)


def test_the_preview_follows_the_typing(opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[dict[str, Any]] = []
    again = table_preview.inspect_again
    monkeypatch.setattr(table_preview, "inspect_again", lambda *args: (read.append(args[1]), again(*args))[1])
    dialog = opened(UNTOLD)
    field = type_missing(dialog, qtbot, ", k.A.")
    assert not read and open_button(dialog).isEnabled()
    qtbot.waitUntil(lambda: bool(read), timeout=20 * TYPING_PAUSE)
    assert len(read) == 1 and "k.A." in dialog.choice.options.missing
    assert field.hasFocus() and field.text().endswith(", k.A."), "the typing goes on"
    assert not dialog.hindrance


def test_a_cancelled_dialog_reads_nothing_more(opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = opened(UNTOLD)
    monkeypatch.setattr(table_preview, "inspect_again", lambda *args: pytest.fail("read again"))
    field = type_missing(dialog, qtbot, ", k.A.")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    qtbot.wait(TYPING_PAUSE + 100)


# -- small screens


def test_the_dialog_is_not_larger_than_its_screen(opened: Open) -> None:
    dialog = opened(credit())
    room = dialog.screen().availableGeometry()
    assert dialog.width() < room.width() and dialog.height() < room.height()


def test_a_small_dialog_keeps_its_buttons_and_scrolls_its_form(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit(), name="x" * 180 + ".csv")
    assert dialog.minimumWidth() <= 640 and dialog.minimumHeight() <= 400
    dialog.setMaximumSize(900, 480)
    dialog.resize(900, 480)
    qtbot.waitUntil(lambda: (dialog.width(), dialog.height()) == (900, 480))
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    for button in buttons.buttons():
        assert dialog.rect().contains(QRect(button.mapTo(dialog, QPoint(0, 0)), button.size())), button.text()
    area = next(a for a in dialog.findChildren(QScrollArea) if a.isAncestorOf(child(dialog, QSpinBox, "seed")))
    assert area.verticalScrollBar().maximum() > 0
    assert area.frameShape() == QScrollArea.Shape.NoFrame
    dialog.activateWindow()
    field = child(dialog, QLineEdit, "missing_field")
    assert field.visibleRegion().isEmpty()
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_M, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: field.hasFocus() and field.visibleRegion().boundingRect() == field.rect())


# -- roles that are guessed


def test_a_guessed_role_follows_the_corrections_but_a_chosen_one_stays(opened: Open, qtbot: QtBot) -> None:
    rows = [f"KD-{i:05},{'k.A.' if i == 7 else f'{i}.5'},{'ab'[i % 2]}" for i in range(40)]
    dialog = opened("\n".join(["Kundennummer,Ausgaben,y", *rows]))
    assert dialog.choice.roles == {"Kundennummer": "ignore", "Ausgaben": "ignore"}
    assert "“Ausgaben” looks like a number except for “k.A.”" in child(dialog, Notice, "import_notes").text
    press_header(dialog, qtbot, "Kundennummer", 2)
    press_menu(qtbot, "feature")
    field = child(dialog, QLineEdit, "missing_field")
    qtbot.mouseClick(field, LEFT)
    field.selectAll()
    qtbot.keyClicks(field, "k.A.")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert dialog.choice.roles == {"Kundennummer": "feature", "Ausgaben": "feature"}


# -- kinds of files


def test_typed_columns_need_no_reading(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    frame = engine.Table.from_frame(flowers(), target="kind").to_frame()
    frame.to_parquet(path)
    dialog = ImportDialog(engine.inspect(path), AtOnce())
    qtbot.addWidget(dialog)
    dialog.show()
    assert not child(dialog, QComboBox, "delimiter_field").isVisible()
    assert dialog.choice.target == "kind"


def test_a_sheet_is_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with pandas.ExcelWriter(path) as book:
        flowers().to_excel(book, sheet_name="first", index=False)
        pandas.DataFrame({"u": [1, 2, 3], "v": ["a", "b", "b"]}).to_excel(book, sheet_name="second", index=False)
    dialog = ImportDialog(engine.inspect(path), AtOnce())
    qtbot.addWidget(dialog)
    dialog.show()
    assert not child(dialog, QComboBox, "delimiter_field").isVisible()
    pick(child(dialog, QComboBox, "sheet_field"), qtbot, "second")
    assert dialog.choice.options.sheet == "second"
    assert set(dialog.choice.roles) | {dialog.choice.target} == {"u", "v"}


def test_a_pasted_table_has_a_text_and_no_path(qtbot: QtBot) -> None:
    text = "a\tb\ty\n1\t2\tno\n2\t1\tyes\n"
    dialog = ImportDialog(engine.inspect_text(text), AtOnce(), text=text)
    qtbot.addWidget(dialog)
    dialog.show()
    assert (dialog.choice.text, dialog.choice.path) == (text, "")
    pick(child(dialog, QComboBox, "delimiter_field"), qtbot, "Tab")
    assert dialog.choice.options.delimiter == "\t"


def flowers() -> "pandas.DataFrame":
    return pandas.DataFrame({"length": [1.5, 2.5, 3.5, 4.5] * 15, "kind": ["rose", "iris"] * 30})


# -- the proposals, without a window


@pytest.mark.parametrize(
    ("n_rows", "about", "shares"),
    [(49, None, (0, 0)), (50, None, (0.3, 0)), (999, None, (0.3, 0)), (1000, None, (0.2, 0.2)), (None, 40, (0, 0))],
)
def test_shares_are_proposed_by_size(n_rows: int | None, about: int | None, shares: tuple[float, float]) -> None:
    proposed = propose_shares(n_rows, about)
    assert (proposed.validation, proposed.test) == shares
    assert proposed.why


def test_an_uncounted_table_says_so() -> None:
    assert "not counted" in propose_shares(None).why
    assert propose_shares(None, 24_000).why.startswith("About 24,000 rows by the size of the file")


@pytest.mark.parametrize(
    ("texts", "kind", "focus"),
    [
        (["yes", "yes", "no"], "nominal", "yes"),
        (["good", "good", "bad"], "nominal", "bad"),
        (["0", "0", "1", "1", "1"], "integer", "1"),
        (["no", "no", "yes"], "boolean", "True"),
        (["a", "b", "c"], "nominal", None),
        (["a", "", "a"], "nominal", None),
    ],
)
def test_the_focus_is_the_class_that_means_yes_or_the_rarer_one(texts: list[str], kind: str, focus: str | None) -> None:
    assert guess_focus(classes_seen(texts, kind)) == focus


def test_the_focus_can_be_left_for_later(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(credit())
    pick(child(dialog, QComboBox, "focus_field"), qtbot, LATER)
    assert dialog.choice.focus is None


def test_what_makes_classes() -> None:
    assert predicts_classes("nominal", 4000)
    assert predicts_classes("integer", 20)
    assert not predicts_classes("integer", 21)
    assert not predicts_classes("number", 2)


def test_what_is_still_to_be_done() -> None:
    kinds = {"y": "nominal", "a": "number", "b": "number", "c": "number"}
    assert missing_step(None, {"a": "feature"}, kinds) == "Choose the column to predict."
    assert "feature" in missing_step("y", {"y": "feature", "a": "ignore"}, kinds)
    weights = {"a": "weight", "b": "weight", "c": "feature"}
    assert "Only one column can be the weight" in missing_step("y", weights, kinds)
    assert "keep one of them" in missing_step("y", {**weights, "b": "frequency"}, kinds)
    assert missing_step("y", {"y": "feature", "a": "feature"}, kinds) == ""
    assert "No tree predicts a date" in missing_step("y", {"y": "feature", "a": "feature"}, {**kinds, "y": "date"})


# -- an order is asked for at once


def graded(n_rows: int = 120) -> str:
    """“grade” has a level that the first hundred rows lack."""
    grades = ["fair", "good", "poor"] * n_rows
    rows = [f"{i % 7},{'awful' if i == n_rows - 1 else grades[i]},{'yes' if i % 3 else 'no'}" for i in range(n_rows)]
    return "\n".join(["x,grade,risk", *rows])


def order_asked(dialog: ImportDialog, qtbot: QtBot) -> OrderDialog:
    """The sheet that comes when a person makes “grade” ordered."""
    press_header(dialog, qtbot, "grade", 1)
    press_menu(qtbot, "ordered")
    qtbot.waitUntil(lambda: dialog.findChild(OrderDialog) is not None, timeout=20_000)
    found = dialog.findChild(OrderDialog)
    assert found is not None
    qtbot.waitUntil(found.isVisible)
    return found


def kind_in_header(dialog: ImportDialog, name: str) -> str:
    table = dialog.findChild(PreviewTable)
    assert table is not None
    texts = [
        str(table.model().headerData(i, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole))
        for i in range(table.model().columnCount())
    ]
    return next(text for text in texts if text.startswith(f"{name}, ")).split(", ")[1]


def test_ordered_asks_for_the_order_of_all_levels(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(graded())
    asked = order_asked(dialog, qtbot)
    assert asked.levels == ("awful", "fair", "good", "poor")
    asked.list.setCurrentRow(3)
    for _ in range(2):
        qtbot.mouseClick(child(asked, QPushButton, "order_up"), LEFT)
    qtbot.mouseClick(child(asked, QPushButton, "order_ok"), LEFT)
    qtbot.waitUntil(lambda: kind_in_header(dialog, "grade") == "ordered")
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(open_button(dialog), LEFT)
    assert dialog.opened is not None
    column = dialog.opened[0].table.column("grade")
    assert (column.kind, column.levels) == ("ordered", ("awful", "poor", "fair", "good"))


def test_who_cancels_the_order_keeps_the_kind(opened: Open, qtbot: QtBot) -> None:
    dialog = opened(graded())
    before = kind_in_header(dialog, "grade")
    asked = order_asked(dialog, qtbot)
    buttons = asked.findChild(QDialogButtonBox)
    assert buttons is not None
    qtbot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Cancel), LEFT)
    assert kind_in_header(dialog, "grade") == before == "category"
    assert "grade" not in dialog.choice.options.kinds


def test_an_order_can_be_changed_before_the_table_is_opened(opened: Open, qtbot: QtBot) -> None:
    jobs = Jobs()
    dialog = opened(graded(), jobs=jobs)
    for _ in range(2):
        asked = order_asked(dialog, qtbot)
        qtbot.mouseClick(child(asked, QPushButton, "order_reverse"), LEFT)
        qtbot.mouseClick(child(asked, QPushButton, "order_ok"), LEFT)
        qtbot.waitUntil(lambda: kind_in_header(dialog, "grade") == "ordered" and not jobs.busy)
        qtbot.waitUntil(lambda: dialog.findChild(OrderDialog) is None)
    assert dialog.choice.options.kinds["grade"] == ["awful", "fair", "good", "poor"]
    jobs.shutdown()


# -- the target that is guessed


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("a,kind,b\n1.5,u,3\n2.5,v,4\n3.5,u,5\n", "kind"),
        ("kind,a,group,b\nu,1.5,x,3\nv,2.5,y,4\nu,3.5,x,5\n", "group"),
        ("a,b,c\n1.5,3,7.5\n2.5,4,8.5\n3.5,5,1.5\n", "c"),
        ("churn,a,kind\n1,2.5,u\n0,3.5,v\n1,4.5,u\n", "churn"),
    ],
)
def test_the_target_is_the_categorical_column_else_the_last(opened: Open, text: str, target: str) -> None:
    assert opened(text).choice.target == target
