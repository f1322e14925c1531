"""A table of a database is opened with mouse and keys: the tree is that of memory, and no password is written down."""

import sqlite3
import threading
from dataclasses import replace
from urllib.parse import quote, urlsplit

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLabel, QLineEdit, QPushButton, QSpinBox

import engine
from engine import project
from gui.dialogs.table_preview import PreviewTable
from gui.panels.this_node.candidates.view import CandidateView
from gui.widgets.labels import Notice
from tests.gui.acting import do, press_menu, rest, type_path
from tests.gui.asked import press, when_asked
from tests.gui.tables import flower_table
from tests.same_trees import assert_same

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
from engine.sources import databases  # needs Ibis

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it
LEFT = Qt.MouseButton.LeftButton
SECRET = "s3cret"


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"client": np.arange(600) // 2, "x": random.integers(0, 40, 600).astype(float)})
    frame["g"] = random.choice(list("abc"), 600)
    frame["y"] = np.where(frame["x"] / 40 + (frame["g"] == "a") > random.normal(0.7, 0.5, 600), "yes", "no")
    return frame


@pytest.fixture
def place(tmp_path, frame):
    path = tmp_path / "bank.db"
    with sqlite3.connect(path) as connection:
        frame.to_sql("loans", connection, index=False)
        frame.head(3).to_sql("other", connection, index=False)
    connection.close()
    return path


@pytest.fixture
def served(place, monkeypatch):
    """The address of a server that wants a password, behind which the file stands; the last address that it got."""
    got, connected = [], databases._connected

    def serve(url):
        got.append(url)
        return connected(f"sqlite:///{place}")

    monkeypatch.setattr(databases, "_connected", serve)
    return f"postgres://anna:{SECRET}@host/bank?token={SECRET}", got


def pick(qtbot, dialog, name, text):
    """Chooses an entry of a list by its first letters, once it is there."""
    box = dialog.findChild(QComboBox, name)
    qtbot.waitUntil(lambda: box.isEnabled() and box.findText(text) >= 0, timeout=20_000)
    box.setFocus()
    qtbot.keyClicks(box, text)
    assert box.currentText() == text


def type_address(qtbot, dialog, address):
    field = dialog.findChild(QLineEdit, "database_address")
    field.selectAll()
    qtbot.keyClicks(field, address)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def said(qtbot, dialog):
    error = dialog.findChild(Notice, "database_error")
    qtbot.waitUntil(error.isVisible, timeout=60_000)
    return error.text


def choose_by_key(qtbot, rows, column, key, name):
    """Chooses from the menu of a column, which the key opens."""
    rows.selectColumn(rows.model().names.index(column))
    rows.setFocus()
    qtbot.keyClick(rows, key)
    press_menu(qtbot, name)


def choosing(qtbot, address, key=None, weights=None):
    """Types the address, chooses table, target, key and weights, and opens."""

    def act(dialog):
        type_address(qtbot, dialog, address)
        pick(qtbot, dialog, "database_table", "loans")
        pick(qtbot, dialog, "database_target", "y")
        assert not dialog.findChild(QSpinBox, "validation_share").isEnabled()
        if key is not None:
            pick(qtbot, dialog, "database_key", key)
            assert dialog.findChild(QSpinBox, "validation_share").value() == 20
        if weights is not None:
            choose_by_key(qtbot, dialog.findChild(PreviewTable), weights, Qt.Key.Key_F3, "weight")
        button = dialog.findChild(QPushButton, "open_database_button")
        qtbot.waitUntil(button.isEnabled)
        qtbot.mouseClick(button, LEFT)
        error = dialog.findChild(Notice, "database_error")
        qtbot.waitUntil(lambda: error.isVisible() or not dialog.isVisible(), timeout=60_000)
        assert not error.text

    return act


@pytest.mark.parametrize(
    ("key", "verb", "weights"), [(None, "go", None), ("client", "grow_all", None), ("client", "grow_all", "x")]
)
def test_a_table_is_opened_and_its_project_again(qtbot, window, frame, served, tmp_path, key, verb, weights):
    address, got = served
    asked = when_asked(choosing(qtbot, address, key, weights), "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    assert asked
    table = window.document.table
    assert (table.name, table.target, table.source["address"]) == ("loans", "y", "postgres://anna@host/bank::loans")
    assert set(got) == {address}
    do(window, verb)
    rest(qtbot, window)
    wanted = engine.Table.from_frame(frame, "y", weights, {key: "group"} if key else None)
    wanted = wanted.with_partition(validation=0.2, test=0.2) if key else wanted
    assert (table.n_validation > 0) == (key is not None)
    assert_same(window.document.tree, engine.grow(wanted, max_depth=6))
    is_deep = window.document.tree.depth == 6
    assert is_deep == (weights is None) == any("stops at depth 6" in text for text in window.bar.texts)
    window.document.storage.save(tmp_path / "bank.espalier")
    rest(qtbot, window)
    assert window.settings.recent == ["postgres://anna@host/bank::loans"]
    written = (tmp_path / "bank.espalier").read_text() + window.settings.path.read_text()
    assert SECRET not in written + window.windowTitle()
    before = len(got)
    window.opening.open(tmp_path / "bank.espalier")
    rest(qtbot, window)
    assert any("only if you trust the project" in text for text in window.bar.texts) and len(got) == before
    press("Connect")(window.bar)
    qtbot.waitUntil(lambda: window.document.table is not table, timeout=60_000)
    rest(qtbot, window)
    assert window.document.table.source == table.source
    assert got[-1] == "postgres://anna@host/bank"
    assert window.document.tree.n_leaves > 1


def test_what_goes_wrong_is_a_sentence_and_what_was_typed_stays(qtbot, window, place, tmp_path):
    def act(dialog):
        field = dialog.findChild(QLineEdit, "database_address")
        for address, why in (
            (f"sqlite:///{tmp_path}/{SECRET}.db", "no such file"), (SECRET, "no file, and no URL"),
            (f"nosuch://anna:{SECRET}@host/bank", "cannot be reached"),
        ):  # fmt: skip
            type_address(qtbot, dialog, address)
            text = said(qtbot, dialog)
            assert why in text and SECRET not in text
            assert field.text() == address
        assert not (tmp_path / f"{SECRET}.db").exists(), "a file that is not there is not made"
        type_address(qtbot, dialog, str(place))  # a file by its path alone
        pick(qtbot, dialog, "database_table", "loans")
        target = dialog.findChild(QComboBox, "database_target")
        qtbot.waitUntil(lambda: target.currentText() == "y", timeout=20_000)  # as the import dialog guesses it
        assert dialog.findChild(QPushButton, "open_database_button").isEnabled()
        press("Cancel")(dialog)

    asked = when_asked(act, "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    assert asked
    assert window.document.table is None


def open_it(qtbot, dialog):
    """Opens the table once that is offered, and waits until the dialog is gone."""
    button = dialog.findChild(QPushButton, "open_database_button")
    qtbot.waitUntil(button.isEnabled, timeout=60_000)
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=60_000)


def test_a_file_is_found_by_browsing_and_opened_again_from_the_recent_ones(qtbot, window, place):
    def browse(dialog):
        chosen = when_asked(type_path(place), QFileDialog)
        qtbot.mouseClick(dialog.findChild(QPushButton, "browse_button"), LEFT)
        assert chosen and dialog.findChild(QLineEdit, "database_address").text() == str(place)
        assert not dialog.findChild(QLineEdit, "database_password").isVisible()
        pick(qtbot, dialog, "database_table", "loans")
        open_it(qtbot, dialog)

    when_asked(browse, "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    table, address = window.document.table, f"sqlite://{place.as_posix()}::loans"
    assert (table.name, table.target) == ("loans", "y")
    assert window.settings.recent == [address]

    def again(dialog):
        assert dialog.findChild(QLineEdit, "database_address").text() == address.removesuffix("::loans")
        box = dialog.findChild(QComboBox, "database_table")
        qtbot.waitUntil(lambda: box.currentText() == "loans", timeout=60_000)
        open_it(qtbot, dialog)

    for from_menu in (True, False):
        window.document.start(None)
        asked = when_asked(again, "database_dialog")
        if from_menu:
            window.menus.recent.aboutToShow.emit()
            window.menus.recent.actions()[0].trigger()
        else:
            qtbot.mouseClick(window.start_page.findChild(QAbstractButton, "recent_0"), LEFT)
        rest(qtbot, window)
        assert asked and window.document.table.name == "loans"


@pytest.fixture
def guarded(place, monkeypatch):
    """The address of a server without the password that it wants, as PostgreSQL and its driver do."""
    connected = databases._connected

    def serve(url):
        given = urlsplit(url).password
        if given != quote(SECRET, safe=""):
            wrong = 'connection failed: FATAL: password authentication failed for user "anna"'
            raise OSError("connection failed: fe_sendauth: no password supplied" if given is None else wrong)
        return connected(f"sqlite:///{place}")

    monkeypatch.setattr(databases, "_connected", serve)
    return "postgres://anna@host/bank"


def type_password(qtbot, field, text):
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, text)
    assert len(field.displayText()) == len(text) and text not in field.displayText()
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_password_is_typed_in_hidden_letters_and_kept_nowhere(qtbot, window, guarded, tmp_path):
    """In the dialog, from the recent ones and for a project."""

    def typing(address):
        def act(dialog):
            field = dialog.findChild(QLineEdit, "database_password")
            if address:
                type_address(qtbot, dialog, address)
                assert said(qtbot, dialog) == "The database wants a password: type it below the address."
            assert field.isVisible()
            type_password(qtbot, field, "wrong")
            assert "refuses this user or this password" in said(qtbot, dialog)
            type_password(qtbot, field, SECRET)
            box = dialog.findChild(QComboBox, "database_table")
            if address:
                pick(qtbot, dialog, "database_table", "loans")
            qtbot.waitUntil(lambda: box.currentText() == "loans", timeout=60_000)
            open_it(qtbot, dialog)

        return act

    when_asked(typing(guarded), "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    assert window.document.table.source["address"] == f"{guarded}::loans" == window.settings.recent[0]
    window.document.start(None)
    when_asked(typing(""), "database_dialog")
    qtbot.mouseClick(window.start_page.findChild(QAbstractButton, "recent_0"), LEFT)
    rest(qtbot, window)
    table = window.document.table
    window.document.storage.save(tmp_path / "bank.espalier")
    rest(qtbot, window)

    def first(dialog):
        shown.append(dialog.findChild(Notice, "password_error").text)
        second.extend([when_asked(right, "password_dialog")])
        type_password(qtbot, dialog.findChild(QLineEdit, "password_field"), "wrong")

    def right(dialog):
        shown.append(dialog.findChild(Notice, "password_error").text)
        type_password(qtbot, dialog.findChild(QLineEdit, "password_field"), SECRET)

    shown, second = [], []
    window.opening.open(tmp_path / "bank.espalier")
    rest(qtbot, window)
    asked = when_asked(first, "password_dialog")
    press("Connect")(window.bar)
    qtbot.waitUntil(lambda: window.document.table is not table, timeout=60_000)
    rest(qtbot, window)
    assert asked and second[0] and shown[0] == "" and "password authentication failed" in shown[1]
    assert window.document.table.source == table.source
    assert window.settings.recent[0] == str(tmp_path / "bank.espalier")
    window.document.storage.save(tmp_path / "bank.espalier")
    rest(qtbot, window)
    written = (tmp_path / "bank.espalier").read_text() + window.settings.path.read_text()
    assert SECRET not in written and quote(SECRET, safe="") not in written


def test_who_gives_no_password_is_told_why_nothing_is_opened(qtbot, window, guarded, tmp_path):
    source = {"kind": "counts", "address": f"{guarded}::loans", "options": {}}
    table = replace(flower_table(), source=source)
    project.save(tmp_path / "bank.espalier", table, engine.Tree.root(table), {})
    window.opening.open(tmp_path / "bank.espalier")
    rest(qtbot, window)
    asked = when_asked(press("Cancel"), "password_dialog")
    press("Connect")(window.bar)
    qtbot.waitUntil(lambda: bool(asked) and any("refuses this user" in text for text in window.bar.texts))
    rest(qtbot, window)
    assert window.document.table is None


def test_a_refusal_goes_once_it_is_answered(qtbot, window, place, frame):
    """A key without a value in every row is none; the sentence stays no longer than the key."""
    frame.loc[3, "client"] = None
    with sqlite3.connect(place) as connection:
        frame.to_sql("lacking", connection, index=False)
    connection.close()

    def act(dialog):
        type_address(qtbot, dialog, str(place))
        pick(qtbot, dialog, "database_table", "lacking")
        pick(qtbot, dialog, "database_key", "client")
        button = dialog.findChild(QPushButton, "open_database_button")
        qtbot.waitUntil(button.isEnabled, timeout=60_000)
        qtbot.mouseClick(button, LEFT)
        assert "Some rows have no value in “client”" in said(qtbot, dialog)
        box = dialog.findChild(QComboBox, "database_key")
        box.setFocus()
        qtbot.keyClick(box, Qt.Key.Key_Home)
        assert box.currentText() == "none: all rows train"
        assert not dialog.findChild(Notice, "database_error").isVisible()
        open_it(qtbot, dialog)

    when_asked(act, "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    assert window.document.table.name == "lacking"


@pytest.mark.parametrize("key", [None, "client"])
def test_first_answers_come_while_rows_are_counted(qtbot, window, place, monkeypatch, key):
    counting, read, some = threading.Event(), engine.read_counts, engine.read_some

    def wait(*args, **how):
        counting.wait(60)
        return read(*args, **how)

    monkeypatch.setattr(engine, "read_counts", wait)
    monkeypatch.setattr(engine, "read_some", lambda *args, **how: some(*args, n=300, **how))
    opened, seen = choosing(qtbot, f"sqlite:///{place}", key), []

    def look():
        view = window.findChild(CandidateView, "first_answers")
        if view is None or not view.isVisible():
            return QTimer.singleShot(20, look)
        seen.append([view.model().index(row, 0).data() for row in range(2)])
        seen.append(window.findChild(QLabel, "first_answers_from").text())
        counting.set()

    when_asked(lambda dialog: (look(), opened(dialog)), "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    assert set(seen[0]) == {"x", "g"} and "of the first rows, which need not be like the others." in seen[1]
    (said,) = (text for text in window.bar.texts if "first answers" in text)
    assert said.startswith(f"All {window.document.table.n_train} {'training ' if key else ''}rows are counted.")


def test_types_and_roles_are_chosen_before_a_database_is_opened(qtbot, window, place):
    """Days that are texts come as dates; sizes are put in order, and a column says which rows train."""
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(600) % 50, unit="D")
    parts = np.where(np.arange(600) % 3 > 0, "train", "valid")
    with sqlite3.connect(place) as connection:
        own = {"day": days.strftime("%Y-%m-%d"), "size": np.array(["low", "mid", "top"])[np.arange(600) % 3]}
        pd.DataFrame(own | {"part": parts, "y": np.where(days.day > 15, "yes", "no")}).to_sql("dated", connection)
    connection.close()
    shown = {}

    def order(dialog):
        assert dialog.list.item(0).text() == "low"
        dialog.list.setFocus()
        dialog.list.setCurrentRow(2)
        for _ in range(2):
            qtbot.mouseClick(dialog.up, LEFT)
        press("OK")(dialog)

    def act(dialog):
        type_address(qtbot, dialog, str(place))
        pick(qtbot, dialog, "database_table", "dated")
        pick(qtbot, dialog, "database_target", "y")
        rows, open_it = dialog.findChild(PreviewTable), dialog.findChild(QPushButton, "open_database_button")
        qtbot.waitUntil(open_it.isEnabled)
        shown.update(rows.model().kinds, roles=dict(rows.model().roles))
        choose_by_key(qtbot, rows, "part", Qt.Key.Key_F3, "partition")
        assert not dialog.findChild(QSpinBox, "validation_share").isEnabled()
        asked = when_asked(order, "order_dialog")
        choose_by_key(qtbot, rows, "size", Qt.Key.Key_F2, "ordered")
        qtbot.waitUntil(lambda: bool(asked) and open_it.isEnabled() and rows.model().kinds["size"] == "ordered")
        qtbot.mouseClick(open_it, LEFT)
        qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=60_000)

    when_asked(act, "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    table = window.document.table
    assert (shown["day"], shown["size"], shown["roles"]["index"]) == ("date", "nominal", "ignore")
    assert (table.column("day").kind, table.column("size").levels) == ("date", ("top", "low", "mid"))
    assert (table.roles["index"], table.n_train, table.n_validation) == ("ignore", 400, 200)


def test_a_small_table_has_no_first_answers(qtbot, window, place):
    when_asked(choosing(qtbot, f"sqlite:///{place}"), "database_dialog")
    do(window, "open_database")
    rest(qtbot, window)
    assert window.document.table.n_train == 600
    assert not [text for text in window.bar.texts if "first answers" in text]
