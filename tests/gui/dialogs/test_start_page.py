"""The start page: every way in is a signal, by mouse and by keyboard."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from engine.readers import SUFFIXES
from gui.dialogs.start_page import KNOWN, DropArea, StartPage, shipped_examples
from gui.wording.recent import home_shortened, recent
from tests.conftest import ROOT

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[StartPage]:
    page = StartPage()
    page.set_examples(shipped_examples())
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    qtbot.waitExposed(page)
    yield page
    page.hide()


def part(page: QWidget, name: str) -> QAbstractButton:
    found = page.findChild(QAbstractButton, name)
    assert found is not None, name
    return found


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("open_button", "openRequested"),
        ("drop_area", "openRequested"),
        ("paste_button", "pasteRequested"),
        ("open_folder_button", "folderRequested"),
        ("open_database_button", "databaseRequested"),
    ],
)
def test_a_press_asks_for_a_table(page: StartPage, qtbot: QtBot, name: str, signal: str) -> None:
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.mouseClick(part(page, name), LEFT)
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.keyClick(part(page, name), Qt.Key.Key_Space)
    part(page, name).setFocus()
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.keyClick(part(page, name), Qt.Key.Key_Return)


def test_the_keyboard_begins_at_open_and_reaches_everything(page: StartPage, qtbot: QtBot) -> None:
    part(page, "open_button").setFocus()
    reached = []
    for _ in range(7):
        reached.append(page.focusWidget().objectName())
        qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
    assert reached == [
        "open_button",
        "open_folder_button",
        "open_database_button",
        "paste_button",
        "help_button",
        "drop_area",
        "example_penguins",
    ]


def test_every_example_is_a_card_that_says_its_size(page: StartPage, qtbot: QtBot) -> None:
    for example in shipped_examples():
        card = part(page, f"example_{example.id}")
        assert example.title in card.accessibleName()
        with qtbot.waitSignal(page.exampleRequested) as asked:
            qtbot.mouseClick(card, LEFT)
        assert asked.args == [example.id]


def test_the_sizes_of_the_examples_are_counted() -> None:
    sizes = {example.id: (example.rows, example.columns) for example in shipped_examples()}
    assert sizes["xor"] == (4, 3)
    assert sizes["penguins"] == (344, 8)


def test_a_recent_file_is_opened_again_and_a_lost_one_is_greyed(page: StartPage, qtbot: QtBot, tmp_path: Path) -> None:
    here, gone = tmp_path / "here.csv", tmp_path / "gone.csv"
    here.write_text("a,b\n1,2\n")
    page.set_recent([str(here), str(gone)])
    with qtbot.waitSignal(page.recentRequested) as asked:
        qtbot.mouseClick(part(page, "recent_0"), LEFT)
    assert asked.args == [str(here)]
    assert part(page, "recent_0").toolTip() == str(here)
    lost = part(page, "recent_1")
    assert not lost.isEnabled()
    assert "no longer there" in lost.toolTip()


def test_a_table_of_a_database_is_listed_by_its_name(page: StartPage, qtbot: QtBot, tmp_path: Path) -> None:
    here, server = tmp_path / "bank.db", "postgres://anna@host:5432/bank::own.loans"
    here.touch()
    addresses = [server, f"sqlite://{here.as_posix()}::loans", f"duckdb://{tmp_path.as_posix()}/gone.duckdb::loans"]
    page.set_recent(addresses)
    rows = [part(page, f"recent_{i}") for i in range(3)]
    assert [row.text() for row in rows] == ["own.loans", "loans", "loans"]
    assert [row.toolTip() for row in rows[:2]] == addresses[:2]
    assert [row.isEnabled() for row in rows] == [True, True, False]
    with qtbot.waitSignal(page.recentRequested) as asked:
        qtbot.mouseClick(rows[0], LEFT)
    assert asked.args == [server]
    assert recent(server).place == "postgres://anna@host:5432/bank" and recent(addresses[1]).place == str(here)


def test_at_most_ten_recent_files_are_listed(page: StartPage, tmp_path: Path) -> None:
    page.set_recent([str(tmp_path / f"{i}.csv") for i in range(14)])
    assert part(page, "recent_9") is not None
    assert page.findChild(QAbstractButton, "recent_10") is None


def test_a_dropped_file_is_passed_on(page: StartPage, qtbot: QtBot, tmp_path: Path) -> None:
    area = part(page, "drop_area")
    assert isinstance(area, DropArea)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "table.csv"))])
    enter = QDragEnterEvent(area.rect().center(), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    area.dragEnterEvent(enter)
    assert enter.isAccepted()
    drop = QDropEvent(
        QPointF(area.rect().center()), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier
    )
    with qtbot.waitSignal(page.pathDropped) as dropped:
        area.dropEvent(drop)
    assert dropped.args == [str(tmp_path / "table.csv")]


def test_the_drop_area_names_every_format(page: StartPage) -> None:
    area = part(page, "drop_area")
    assert isinstance(area, DropArea)
    names = {".csv": "CSV", ".tsv": "TSV", ".xlsx": "Excel", ".ods": "OpenDocument", ".parquet": "Parquet",
             ".feather": "Feather"}  # fmt: skip
    assert names.keys() <= set(SUFFIXES)
    assert all(name in KNOWN for name in names.values())
    assert area.accessibleDescription() == KNOWN
    area.resize(area.minimumSizeHint())
    room = area.words_rect().toRect()
    assert area.rect().contains(room)
    flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
    assert room.height() >= area.fontMetrics().boundingRect(room, flags, KNOWN).height()


def test_projects_and_tables_look_different_among_the_recent_files(page: StartPage, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.csv", "two.espalier", "three.parquet")]
    for file in files:
        file.touch()
    page.set_recent(map(str, files))
    rows = [part(page, f"recent_{i}") for i in range(3)]
    table, project, other = (row.grab(QRect(0, 0, 36, row.height())).toImage() for row in rows)
    assert table == other != project


def test_dragged_text_is_no_file(page: StartPage) -> None:
    area = part(page, "drop_area")
    data = QMimeData()
    data.setText("hello")
    enter = QDragEnterEvent(area.rect().center(), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    enter.setAccepted(False)
    area.dragEnterEvent(enter)
    assert not enter.isAccepted()


def test_a_narrow_page_puts_the_cards_below_each_other(page: StartPage, qtbot: QtBot) -> None:
    def columns() -> int:
        return len({card.x() for card in page._cards})

    qtbot.waitUntil(lambda: columns() == 3)
    page.resize(560, 700)
    qtbot.waitUntil(lambda: columns() == 2)
    qtbot.waitUntil(lambda: all(card.height() >= card.heightForWidth(card.width()) for card in page._cards))


def test_every_button_says_what_it_is(page: StartPage) -> None:
    for button in page.findChildren(QAbstractButton):
        spoken = button.accessibleName() or (button.text() if isinstance(button, QPushButton) else "")
        assert spoken, button


def test_folders_below_home_are_written_short() -> None:
    assert home_shortened(Path.home() / "data") == str(Path("~") / "data")
    assert home_shortened(Path("/nowhere/else")) == str(Path("/nowhere/else"))


def test_the_start_page_needs_neither_pandas_nor_numba() -> None:
    code = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from gui.dialogs.start_page import StartPage; page = StartPage();"
        "from gui.dialogs.start_page import shipped_examples; page.set_examples(shipped_examples());"
        "print([name for name in ('pandas', 'numba', 'pyarrow') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
