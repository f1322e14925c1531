"""Unsaved work survives a crash, and leaves nothing behind otherwise."""

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from gui.files.autosave import Autosave, left_behind
from gui.model import file_tasks
from gui.model.document import Document
from tests.gui.acting import accept, open_file, rest
from tests.gui.tables import flower_table

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(home):
    return home / "autosave"


@pytest.fixture
def opened(qtbot, document, tmp_path):
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    open_file(document, path, target="kind")
    rest(qtbot, document)
    return document


@pytest.fixture
def autosave(opened, folder):
    return Autosave(opened, folder, seconds=0)


def wait_for_copy(qtbot, document, autosave):
    qtbot.waitUntil(autosave.copy_path.with_suffix(".json").exists)
    rest(qtbot, document)


def test_nothing_is_written_without_an_edit(qtbot, opened, autosave, folder):
    opened.set_search(criterion="entropy")
    rest(qtbot, opened)
    assert not folder.exists()


def test_search_options_of_a_saved_project_are_copied(qtbot, opened, autosave, tmp_path):
    opened.storage.save(tmp_path / "mine.espalier")
    rest(qtbot, opened)
    opened.set_search(min_leaf=7)
    wait_for_copy(qtbot, opened, autosave)
    other = Document()
    other.storage.load(autosave.copy_path)
    rest(qtbot, other)
    assert other.search == {"min_leaf": 7}


def test_an_edit_is_copied(qtbot, opened, autosave):
    accept(qtbot, opened, "length")
    wait_for_copy(qtbot, opened, autosave)
    other = Document()
    other.storage.load(autosave.copy_path)
    rest(qtbot, other)
    assert other.tree.n_leaves == 2
    about = json.loads(autosave.copy_path.with_suffix(".json").read_text(encoding="utf-8"))
    assert about["name"] == "flowers"
    assert opened.modified  # a copy is no save


def test_edits_in_a_row_are_written_once(qtbot, opened, folder, monkeypatch):
    autosave = Autosave(opened, folder, seconds=0.2)
    written = []
    monkeypatch.setattr(Autosave, "write", lambda self: written.append(opened.tree.n_leaves))
    autosave._timer.timeout.disconnect()
    autosave._timer.timeout.connect(autosave.write)
    for _ in range(3):
        opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    qtbot.waitUntil(lambda: bool(written))
    assert written == [4]


def test_who_never_rests_gets_a_copy_all_the_same(qtbot, opened, folder, monkeypatch):
    monkeypatch.setattr("gui.files.autosave.LONGEST_WAIT", 0.3)
    for _ in range(2):
        opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    autosave = Autosave(opened, folder, seconds=0)
    autosave._timer.setInterval(600_000)  # the rest that does not come
    edited = 0
    while not autosave.copy_path.exists() and edited < 100:
        (opened.history.stack.redo if edited % 2 else opened.undo)()
        edited += 1
        qtbot.wait(40)
    assert edited > 1 and autosave.copy_path.exists()
    rest(qtbot, opened)


def test_the_longest_wait_is_no_shorter_than_the_chosen_rest(opened, folder):
    assert Autosave(opened, folder, seconds=3)._latest.interval() == 15_000
    assert Autosave(opened, folder, seconds=60)._latest.interval() == 60_000


@pytest.fixture
def slow(monkeypatch):
    """Writing waits for a gate. Gives (sizes of the trees that were begun, the gate)."""
    begun, gate, saved = [], threading.Event(), file_tasks.saved

    def wait(path, state, settings, progress):
        begun.append(state.tree.n_leaves)
        gate.wait(5)
        return saved(path, state, settings, progress)

    monkeypatch.setattr(file_tasks, "saved", wait)
    yield begun, gate
    gate.set()


def test_a_copy_that_is_being_written_is_finished_before_the_next(qtbot, opened, folder, slow):
    begun, gate = slow
    autosave = Autosave(opened, folder, seconds=600)
    for _ in range(2):
        opened.tree_edits.split_best_anywhere()
    rest(qtbot, opened)
    autosave.write()
    qtbot.waitUntil(lambda: begun == [3])
    opened.undo()
    first = autosave._writing
    autosave.write()
    assert not first.dropped and not first.progress.stopped
    gate.set()
    rest(qtbot, opened)
    assert begun == [3, 2]
    assert autosave.copy_path.exists() and not autosave._latest.isActive()


def test_a_copy_that_was_stopped_with_other_work_is_written_again(qtbot, opened, folder, slow):
    begun, gate = slow
    autosave = Autosave(opened, folder, seconds=600)
    accept(qtbot, opened, "length")
    autosave.write()
    qtbot.waitUntil(lambda: begun == [2])
    opened.jobs.stop()
    gate.set()
    rest(qtbot, opened)
    assert begun == [2, 2]
    assert autosave.copy_path.with_suffix(".json").exists()


def test_a_copy_given_up_late_leaves_the_lock_of_the_next(qtbot, opened, folder, slow):
    begun, gate = slow
    autosave = Autosave(opened, folder, seconds=600)
    accept(qtbot, opened, "length")
    autosave.write()
    qtbot.waitUntil(lambda: begun == [2])
    opened.undo()  # given up while it is written
    opened.history.stack.redo()  # and there is work to keep again
    gate.set()
    rest(qtbot, opened)
    assert [path.suffix for path in folder.iterdir()] == [".lock"]


@pytest.mark.parametrize("end", ["undo", "save", "discard"])
def test_the_copy_goes_when_it_is_not_needed_any_more(qtbot, opened, autosave, folder, tmp_path, end):
    accept(qtbot, opened, "length")
    wait_for_copy(qtbot, opened, autosave)
    if end == "undo":
        opened.undo()
    elif end == "save":
        opened.storage.save(tmp_path / "mine.espalier")
        rest(qtbot, opened)
    else:
        autosave.forget()
    rest(qtbot, opened)
    assert list(folder.iterdir()) == []


def test_a_running_program_is_not_taken_for_a_crashed_one(qtbot, opened, autosave, folder):
    accept(qtbot, opened, "length")
    wait_for_copy(qtbot, opened, autosave)
    assert left_behind(folder) == []


def test_a_folder_that_cannot_be_written_is_told_once(qtbot, opened, home, posted):
    (home / "file").write_text("")
    Autosave(opened, home / "file" / "autosave", seconds=0)
    for column in ("length", "width"):
        accept(qtbot, opened, column)
        opened.undo()
        rest(qtbot, opened)
    said = posted()
    assert len(said) == 1 and said[0].startswith("warning: No copy")


CRASHING = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
import engine
from gui.files.autosave import Autosave
from gui.model import file_tasks
from gui.model.document import Document
application = QApplication([])
document = Document()
autosave = Autosave(document, Path(sys.argv[1]), seconds=0)
document.storage.read("Opening", file_tasks.opened, Path(sys.argv[2]), {"target": "kind"})
document.tableChanged.connect(lambda: document.hand.split_by(0, engine.Split("length", "threshold", (5.0,))))
def look():
    if autosave.copy_path.with_suffix(".json").exists() and not document.jobs.busy:
        os._exit(9)
document.jobs.idle.connect(look)
application.exec()
"""


@pytest.fixture(scope="module")
def left(tmp_path_factory):
    """The folder of copies that a program left which ended in the middle of its work."""
    place = tmp_path_factory.mktemp("crashed")
    folder, path = place / "autosave", place / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    done = subprocess.run(
        [sys.executable, "-c", CRASHING, folder, path], cwd=ROOT, env=os.environ, capture_output=True, timeout=60
    )
    assert done.returncode == 9, done.stderr
    return folder


@pytest.fixture
def crashed(folder, left):
    """The copy in it, in the folder of this test: each of them does something else with it."""
    shutil.copytree(left, folder, dirs_exist_ok=True)
    return left_behind(folder)


def test_the_copy_of_a_crashed_program_is_found(qtbot, crashed, folder):
    assert [(copy.name, copy.original) for copy in crashed] == [("flowers", None)]
    assert ":" in crashed[0].time_words
    assert [copy.path for copy in left_behind(folder)] == [crashed[0].path]  # it stays until it is answered
    crashed[0].remove()
    assert list(folder.iterdir()) == []


def test_a_recovered_copy_has_to_be_saved(qtbot, document, crashed, folder):
    copy = crashed[0]
    autosave = Autosave(document, folder, seconds=0)
    document.storage.load(copy.path, copy_of=(copy.original, copy.name))
    autosave.adopted = copy
    rest(qtbot, document)
    assert document.tree.n_leaves == 2 and document.modified
    assert (document.path, document.name) == (None, "flowers")
    wait_for_copy(qtbot, document, autosave)
    assert not copy.path.exists()
    assert autosave.copy_path.exists()


def test_a_copy_whose_description_is_damaged_is_still_offered(crashed, folder):
    crashed[0].path.with_suffix(".json").write_text("{", encoding="utf-8")
    assert [copy.name for copy in left_behind(folder)] == ["unsaved work"]


def test_no_folder_no_copies(folder):
    assert left_behind(folder) == []


def test_a_document_whose_name_is_no_text_is_copied_shown_and_saved(qtbot, make, tmp_path, folder):
    path = tmp_path / os.fsdecode(b"K\xf6ln.csv")
    flower_table().to_frame().to_csv(path, index=False)
    window = make()
    open_file(window.document, path, target="kind")
    rest(qtbot, window.document)
    assert window.windowTitle() == "K\N{REPLACEMENT CHARACTER}ln[*] — Espalier"
    autosave = Autosave(window.document, folder, seconds=0)
    accept(qtbot, window.document, "length")
    wait_for_copy(qtbot, window.document, autosave)
    saved = tmp_path / os.fsdecode(b"K\xf6ln.espalier")
    window.files._save(saved, None)
    rest(qtbot, window.document)
    assert saved.exists() and not window.document.modified
    assert window.settings.recent[0] == str(saved)
    row = window.start_page.findChild(QWidget, "recent_0")
    assert row.isEnabled() and row.text() == "K\N{REPLACEMENT CHARACTER}ln.espalier"
    with qtbot.waitSignal(window.start_page.recentRequested) as asked:
        row.click()
    assert asked.args == [str(saved)]
    rest(qtbot, window.document)
    autosave.forget()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[" * 10**5, b"[]", b'{"name": 3, "original": [], "saved": "x"}', b'{"name": "", "saved": 1e308}',
     b'{"name": "\\udcf6", "original": "\\u0000", "saved": -1}', b'{"saved": 1' + b"0" * 400 + b"}"],
)  # fmt: skip
def test_a_damaged_description_does_not_stop_the_start(folder, content):
    folder.mkdir(parents=True)
    copy = folder / "0123456789ab.espalier"
    copy.write_bytes(b"{}")
    copy.with_suffix(".json").write_bytes(content)
    (found,) = left_behind(folder)
    assert found.name and found.time_words
    found.remove()
    assert not list(folder.iterdir())


def test_what_killed_programs_left_without_a_copy_goes(folder):
    folder.mkdir(parents=True)
    for name in ("0123456789ab.lock", "0123456789ab.json", ".espalier-0123456789abcdef.tmp"):
        (folder / name).touch()
    os.utime(folder / "0123456789ab.lock", (0, 0))
    assert left_behind(folder) == []
    assert not list(folder.iterdir())
