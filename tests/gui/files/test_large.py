"""Tables that do not fit, from a folder to a tree: as codes on the disk or a sample, interrupted and opened again."""

import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QRadioButton, QSpinBox

import engine
from engine.runtime.progress import Progress
from engine.table.partition import TEST, TRAIN, VALIDATION
from gui.dialogs.import_dialog import ImportDialog
from gui.model import file_tasks
from gui.panels.data import search_settings
from tests.gui.acting import do, put_up, rest
from tests.gui.asked import press, when_asked
from tests.gui.dialogs.at_once import AtOnce
from tests.gui.dialogs.test_import_dialog import press_header, press_menu

pytest.importorskip("duckdb")
from engine.readers import stored  # needs DuckDB

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of 1,000 rows in four Parquet files, whose codes are written in chunks beside it."""
    monkeypatch.setattr(stored, "ROWS", 100)
    monkeypatch.setattr(stored, "default_store", lambda path: tmp_path / "codes")
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=1000), "g": random.choice(list("abc"), 1000)})
    frame["y"] = np.where(frame["x"] + (frame["g"] == "a") > random.normal(size=1000), "yes", "no")
    (tmp_path / "sales").mkdir()
    for i in range(4):
        frame[250 * i : 250 * (i + 1)].to_parquet(tmp_path / "sales" / f"{i}.parquet")
    return tmp_path / "sales"


def open_as(qtbot, way, rows=None):
    """Chooses how the rows are held, and opens the table."""

    def act(dialog):
        button = dialog.findChild(QPushButton, "open_table_button")
        qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=60_000)
        dialog.findChild(QRadioButton, f"hold_{way}").click()
        if rows is not None:
            dialog.findChild(QSpinBox, "sampled_rows").setValue(rows)
        qtbot.mouseClick(button, LEFT)

    return act


def test_a_folder_is_opened_as_codes_and_its_project_again(qtbot, window, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    asked = when_asked(open_as(qtbot, "codes"), "import_dialog")
    do(window, "open_folder")
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert asked
    table = window.document.table
    assert (table.name, table.target, table.n_rows, table.source["kind"]) == ("sales", "y", 1000, "codes")
    assert window.settings.recent == [str(folder)]
    do(window, "go")
    rest(qtbot, window)
    tree = window.document.tree
    wanted = engine.read_table(folder, "y").with_partition(**table.partition)
    assert tree.n_leaves > 1
    np.testing.assert_array_equal(engine.recount(tree, wanted)[0].train, tree.train)
    window.document.storage.save(tmp_path / "sales.espalier")
    rest(qtbot, window)
    window.opening.open(tmp_path / "sales.espalier")
    qtbot.waitUntil(lambda: window.document.table is not table, timeout=60_000)
    rest(qtbot, window)
    assert window.document.table.source == table.source
    assert window.document.tree.n_leaves == tree.n_leaves


def test_what_was_stopped_in_the_middle_goes_on_there(qtbot, window, folder, monkeypatch):
    reached, released, starts = threading.Event(), threading.Event(), []
    note, write = stored.Filling._note, stored.Filling._write

    def wait_there(self, done):
        note(self, done)
        if done == 300:
            reached.set()
            released.wait(60)

    def begin(self, done, progress):
        starts.append(done)
        write(self, done, progress)

    monkeypatch.setattr(stored.Filling, "_note", wait_there)
    monkeypatch.setattr(stored.Filling, "_write", begin)

    def stop(dialog):
        open_as(qtbot, "codes")(dialog)
        qtbot.waitUntil(reached.is_set, timeout=60_000)
        press("Cancel")(dialog)
        released.set()

    asked = when_asked(stop, "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: bool(asked) and reached.is_set(), timeout=60_000)
    rest(qtbot, window)
    assert window.document.table is None
    monkeypatch.setattr(stored.Filling, "_note", note)
    asked = when_asked(open_as(qtbot, "codes"), "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert starts == [0, 300]


def test_a_sample_is_opened(qtbot, window, folder):
    asked = when_asked(open_as(qtbot, "sample", 1000), "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert asked
    assert (window.document.table.source["kind"], window.document.table.source["rows"]) == ("sample", 1000)


def test_a_folder_is_dropped_onto_the_window(qtbot, window, folder):
    asked, data = when_asked(open_as(qtbot, "codes"), "import_dialog"), QMimeData()
    data.setUrls([QUrl.fromLocalFile(f"{folder}/")])
    action, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, data, LEFT, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), action, data, LEFT, keys))
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert asked and window.document.table.n_rows == 1000
    assert window.settings.recent == [str(folder)]


def test_the_dialog_says_what_each_way_takes_and_proposes_one(folder):
    preview, room = engine.inspect(folder), engine.room_for(folder)
    dialog = ImportDialog(preview, AtOnce(), room=room)
    shown = {label.objectName(): label.text() for label in dialog._holding.findChildren(type(dialog._reason))}
    assert dialog.choice.held == room.proposed == "memory"
    assert "of memory" in shown["hold_sample_said"]
    assert "later at once" in shown["hold_codes_said"]
    assert not dialog._holding_box.isHidden()
    dialog.done(0)
    large = replace(room, n_rows=10**9, memory=10**14, codes=10**10, free_disk=10**12)
    dialog = ImportDialog(preview, AtOnce(), room=large)
    assert dialog.choice.held == "codes"
    assert not dialog.findChild(QRadioButton, "hold_memory").isEnabled()
    dialog.done(0)
    dialog = ImportDialog(preview, AtOnce())
    assert dialog._holding_box.isHidden()
    assert dialog.choice.held == "memory"
    dialog.done(0)


def test_what_a_key_decides_is_said_where_it_is_chosen(qtbot, folder, tmp_path):
    """As the rows are held: in memory it decides the test rows, counted rows are kept together by it."""
    for path in folder.iterdir():
        pd.read_parquet(path).assign(k=lambda frame: np.arange(len(frame)) // 5).to_parquet(path)
    dialog = ImportDialog(engine.inspect(folder), AtOnce(), room=engine.room_for(folder))
    put_up(qtbot, dialog, 1100, 700)
    press_header(dialog, qtbot, "k", 2)
    press_menu(qtbot, "key")
    why, validation = dialog.findChild(QLabel, "shares_why"), dialog.findChild(QSpinBox, "validation_share")
    assert "“k” are all test rows or none. Validation rows are drawn one by one." in why.text()
    qtbot.mouseClick(dialog.findChild(QRadioButton, "hold_counts"), LEFT)
    assert "“k” are in the same part, validation rows too" in why.text()
    choice = dialog.choice
    for held, together in (("memory", False), ("counts", True)):
        table = file_tasks.imported(replace(choice, held=held), Progress())[0].table
        whole = engine.read_table(folder, "y", roles=choice.roles)
        parted = whole.with_roles({"k": table.roles["k"]}).with_partition(validation=0.2, test=0.2)
        assert (table.n_train, table.n_validation, table.n_test) == (parted.n_train, parted.n_validation, parted.n_test)
        keys = whole.column("k").numbers
        assert (not set(keys[parted.part == VALIDATION]) & set(keys[parted.part == TRAIN])) == together
        assert not set(keys[parted.part == TEST]) & set(keys[parted.part != TEST])
    for share in (validation, dialog.findChild(QSpinBox, "test_share")):
        share.setValue(0)
    assert "“k”" not in why.text(), "nothing is divided"
    dialog.done(0)


def test_rows_that_are_only_counted_are_split_grown_pruned_judged_and_saved(qtbot, window, folder, tmp_path):
    asked = when_asked(open_as(qtbot, "counts"), "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert asked
    table, document = window.document.table, window.document
    memory = engine.read_table(folder, "y").with_partition(validation=0.2, test=0.2, seed=0)
    assert (table.counter is None, table.n_train, table.n_validation) == (False, memory.n_train, memory.n_validation)
    best = engine.candidates(memory, engine.Tree.root(memory))[0]
    assert (document.candidates[0].split, document.candidates[0].rows) == (best.split, best.rows)
    do(window, "split_here")
    rest(qtbot, window)
    assert document.tree.split_at(0) == best.split
    do(window, "go")
    rest(qtbot, window)
    grown = document.tree
    np.testing.assert_array_equal(engine.recount(grown, memory)[0].train, grown.train)
    np.testing.assert_array_equal(engine.recount(grown, memory)[0].validation, grown.validation)
    do(window, "prune")
    rest(qtbot, window)
    assert document.tree.n_leaves < grown.n_leaves
    fit = engine.assess(memory, engine.recount(document.tree, memory)[0], "test")
    when_asked(press("Look at the test rows"), "ask_open_test")
    do(window, "test")
    rest(qtbot, window)
    said = f"On the {fit.n:,} test rows this tree of {document.tree.n_leaves} leaves errs in {100 * fit.error:.1f} %"
    assert any(text.startswith(said) for text in window.bar.texts)
    document.select(0)
    for name in ("figures", "curves", "leaves", "importance", "rules", "node", "rows", "theory", "split_editor", "why"):
        window.show_panel(name)
        rest(qtbot, window)
    assert not [text for text in window.bar.texts if "rows themselves" in text]
    window.show_panel("rows")
    rest(qtbot, window)
    assert window.panels["rows"].model.rowCount() == 200
    assert not window.panels["rows"].condition.isEnabled()
    window.show_panel("plane")
    rest(qtbot, window)
    assert window.findChild(QLabel, "plane_panel_counted").isVisible()
    assert not window.panels["plane"].isVisible()
    engine.export(document.tree, tmp_path / "tree.sql", dialect="duckdb")
    tree = document.tree
    document.storage.save(tmp_path / "sales.espalier")
    rest(qtbot, window)
    window.opening.open(tmp_path / "sales.espalier")
    qtbot.waitUntil(lambda: window.document.table is not table, timeout=60_000)
    rest(qtbot, window)
    assert window.document.table.source == table.source
    np.testing.assert_array_equal(window.document.tree.validation, tree.validation)


def test_options_that_look_at_rows_are_grey_where_these_are_only_counted(qtbot, window, folder):
    when_asked(open_as(qtbot, "counts"), "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    setting = search_settings.Setting.of(window.document.table, window.document.search)
    assert "single rows" in setting.refused("lookahead", 2)
    assert "single rows" in setting.refused("missing", "surrogate")
    assert not setting.refused("criterion", "entropy")
    for name in ("all_trees", "partition"):
        assert not window.actions_made.made[name].isEnabled()
    assert window.actions_made.made["score"].isEnabled()
    assert window.document.search["max_depth"] == 6


def test_rows_that_are_only_counted_have_weights(qtbot, window, folder):
    for part in folder.iterdir():
        frame = pd.read_parquet(part)
        frame.assign(w=np.arange(len(frame)) % 3).to_parquet(part)

    def act(dialog):
        qtbot.waitUntil(dialog.findChild(QPushButton, "open_table_button").isEnabled, timeout=60_000)
        press_header(dialog, qtbot, "w", 2)
        press_menu(qtbot, "weight")
        open_as(qtbot, "counts")(dialog)

    asked = when_asked(act, "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert asked
    memory = engine.read_table(folder, "y", roles={"w": "weight"}).with_partition(validation=0.2, test=0.2, seed=0)
    do(window, "go")
    rest(qtbot, window)
    tree = window.document.tree
    assert tree.n_leaves > 1
    np.testing.assert_array_equal(engine.recount(tree, memory)[0].train, tree.train)
    setting = search_settings.Setting.of(window.document.table, window.document.search)
    assert "single rows" in setting.refused("significance", 0.05)
    assert not setting.refused("criterion", "entropy")
