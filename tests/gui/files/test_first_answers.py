"""While a large table is read, the dialog shows the best splits among some of its rows; then the window says what has
changed."""

import threading
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QRadioButton

import engine
from engine.runtime.errors import InputError
from gui.dialogs import import_dialog
from gui.model import first_answers
from gui.panels.this_node.candidates.view import CandidateView
from gui.widgets.labels import Notice
from tests.gui.acting import rest
from tests.gui.asked import when_asked

pytest.importorskip("duckdb")
from engine.readers import stored  # needs DuckDB

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of 4,000 rows, which count as many."""
    monkeypatch.setattr(import_dialog, "ANSWERED_FROM", 4000)
    monkeypatch.setattr(stored, "default_store", lambda path: tmp_path / "codes")
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=4000), "g": random.choice(list("abc"), 4000)})
    frame["noise"] = random.normal(size=4000)
    frame["y"] = np.where(frame["x"] + (frame["g"] == "a") > random.normal(size=4000), "yes", "no")
    (tmp_path / "sales").mkdir()
    for i in range(4):
        frame[1000 * i : 1000 * (i + 1)].to_parquet(tmp_path / "sales" / f"{i}.parquet")
    return tmp_path / "sales"


@pytest.fixture
def held(monkeypatch):
    """Reading all rows waits until this is set."""
    released = threading.Event()
    reading = {name: getattr(engine, name) for name in ("read_codes", "read_counts", "read_table")}

    def wait_before(name):
        def read(*args, progress, **how):
            while not released.wait(0.01):
                if progress.stopped:
                    raise InputError("stopped")
            return reading[name](*args, progress=progress, **how)

        return read

    for name in reading:
        monkeypatch.setattr(engine, name, wait_before(name))
    yield released
    released.set()


def press_open(qtbot, dialog, way):
    button = dialog.findChild(QPushButton, "open_table_button")
    qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=60_000)
    dialog.findChild(QRadioButton, f"hold_{way}").click()
    qtbot.mouseClick(button, LEFT)


def shown(dialog):
    """What stands in the list, row by row."""
    view = dialog.findChild(CandidateView, "first_answers")
    model = view.model()
    return (
        [[model.index(row, k).data() for k in range(3)] for row in range(model.rowCount())] if view.isVisible() else []
    )


@contextmanager
def opening(qtbot, window, folder, act):
    asked = when_asked(act, "import_dialog")
    window.opening.open(folder)
    qtbot.waitUntil(lambda: bool(asked), timeout=60_000)
    yield
    rest(qtbot, window)


@pytest.mark.parametrize("way", ["codes", "counts", "memory"])
def test_first_answers_come_while_rows_are_read_and_then_what_changed(qtbot, window, folder, held, way):
    seen = []

    def act(dialog):
        press_open(qtbot, dialog, way)
        qtbot.waitUntil(lambda: bool(shown(dialog)), timeout=60_000)
        seen.extend(shown(dialog))
        seen.append(dialog.findChild(QLabel, "first_answers_from").text())
        seen.append(dialog.findChild(QLabel, "import_reason").text())
        held.set()

    with opening(qtbot, window, folder, act):
        qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    *rows, source, reason = seen
    exact = engine.candidates(window.document.table, engine.Tree.root(window.document.table))
    assert [row[0] for row in rows][:2] == ["x", "g"] and rows[0][1].startswith("≤ ") and float(rows[0][2]) > 0.05
    assert source.startswith("From ") and "of 4 places, which is no random sample of all rows." in source
    assert reason.startswith("Opening the table…")
    (said,) = (text for text in window.bar.texts if "first answers" in text)
    assert said.startswith(f"All {window.document.table.n_train:,} training rows are counted. The 3 best columns are")
    assert (
        f"“x” {engine.splits.branch_words(exact[0].split, 0, 'number')[:4]}" in said or "best cut of “x” moved" in said
    )


def test_cancel_stops_at_once(qtbot, window, folder, held):
    def act(dialog):
        press_open(qtbot, dialog, "codes")
        qtbot.waitUntil(lambda: bool(shown(dialog)), timeout=60_000)
        cancel = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel)
        qtbot.mouseClick(cancel, LEFT)
        assert not dialog.isVisible()

    with opening(qtbot, window, folder, act):
        pass
    assert window.document.table is None and not [text for text in window.bar.texts if "first answers" in text]


def test_what_goes_wrong_with_some_rows_stops_nothing(qtbot, window, folder, monkeypatch):
    def fail(*args, **how):
        raise InputError("The target has one class.")

    monkeypatch.setattr(engine, "read_some", fail)
    with opening(qtbot, window, folder, lambda dialog: press_open(qtbot, dialog, "codes")):
        qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert window.document.table.n_rows == 4000
    assert not [text for text in window.bar.texts if "one class" in text or "first answers" in text]


def test_a_refusal_brings_the_preview_back(qtbot, window, folder, monkeypatch):
    reached, seen = threading.Event(), []

    def refuse(*args, **how):
        reached.wait(60)
        raise InputError("The disk has no room.")

    monkeypatch.setattr(engine, "read_codes", refuse)

    def act(dialog):
        press_open(qtbot, dialog, "codes")
        qtbot.waitUntil(lambda: bool(shown(dialog)), timeout=60_000)
        reached.set()
        error = dialog.findChild(Notice, "import_error")
        qtbot.waitUntil(error.isVisible, timeout=60_000)
        seen.append((error.text, shown(dialog), dialog.findChild(QPushButton, "open_table_button").isEnabled()))
        dialog.reject()

    with opening(qtbot, window, folder, act):
        pass
    assert seen == [("The disk has no room.", [], True)]


def test_a_small_table_and_a_sample_have_none(qtbot, window, folder, monkeypatch):
    monkeypatch.setattr(engine, "read_some", lambda *args, **how: pytest.fail("some rows were read"))
    monkeypatch.setattr(import_dialog, "ANSWERED_FROM", 4001)
    with opening(qtbot, window, folder, lambda dialog: press_open(qtbot, dialog, "codes")):
        qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    monkeypatch.setattr(import_dialog, "ANSWERED_FROM", 1)
    table = window.document.table
    with opening(qtbot, window, folder, lambda dialog: press_open(qtbot, dialog, "sample")):
        qtbot.waitUntil(lambda: window.document.table is not table, timeout=60_000)
    assert not [text for text in window.bar.texts if "first answers" in text]


def test_no_sentence_where_other_options_are_in_use_by_then(qtbot, window, folder, held, monkeypatch):
    def act(dialog):
        press_open(qtbot, dialog, "codes")
        qtbot.waitUntil(lambda: bool(shown(dialog)), timeout=60_000)
        held.set()

    compare = first_answers.compare_later

    def with_others(document, ranking, first):
        compare(document, ranking, first)
        document.set_search(criterion="entropy")

    monkeypatch.setattr("gui.model.file_tasks.compare_later", with_others)
    with opening(qtbot, window, folder, act):
        qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert window.document.candidates and not [text for text in window.bar.texts if "first answers" in text]
