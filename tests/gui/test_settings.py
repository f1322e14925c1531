"""What is remembered, and what happens to values that cannot be used."""

import errno
import json
import os

import pytest
from PySide6.QtCore import QByteArray, QSettings

from gui import settings
from gui.settings import RECENT_KEPT, SETTINGS, Settings


class Runs:
    """What leaves a mark when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (os.mkdir, (str(self.mark),))


def test_defaults(home):
    remembered = Settings()
    assert remembered.path == home / "settings.json"
    assert {name: remembered.value(name) for name in SETTINGS} == {name: s.default for name, s in SETTINGS.items()}


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", "dark"), ("undo_limit", 7), ("autosave", False), ("recent", ["/a", "/b"]), ("recent", ["/only"]),
     ("recent", []), ("geometry", QByteArray(b"\x00\x01")), ("last_folder", "/ä, b")],
)  # fmt: skip
def test_values_come_back(name, value):
    first = Settings()
    first.set(name, value)
    again = Settings()
    assert again.value(name) == value
    assert type(again.value(name)) is type(value)
    assert again.repaired == []


@pytest.mark.parametrize(("name", "value"), [("theme", "pink"), ("undo_limit", 0), ("undo_limit", "many")])
def test_what_is_not_allowed_is_not_stored(name, value):
    with pytest.raises(ValueError, match=name):
        Settings().set(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", "pink"), ("undo_limit", "7"), ("undo_limit", -3), ("undo_limit", True), ("undo_limit", 10**400),
     ("undo_limit", 1e3), ("autosave", 1), ("geometry", "big"), ("geometry", [1, 2]), ("recent", "/a"),
     ("recent", ["/a", 3]), ("recent", None), ("theme", {}), ("geometry", f"{'0' * 64} AAAA"), ("places", 3)],
)  # fmt: skip
def test_an_unusable_value_is_repaired_and_told(home, name, value):
    (home / "settings.json").write_text(json.dumps({name: value, "last_folder": "/kept", "of a later version": 1}))
    remembered = Settings()
    assert remembered.value(name) == SETTINGS[name].default
    assert remembered.value("last_folder") == "/kept"
    assert len(remembered.repaired) == 1 and f"“{name}”" in remembered.repaired[0]
    assert Settings().repaired == []


def test_a_file_that_is_no_settings_file_does_no_harm(home):
    for content in (b"", b"\x00\xff\x00garbage\xfe", b"[General]\ntheme=dark", b"[1]", b"[" * 10**5, b'{"theme": '):
        (home / "settings.json").write_bytes(content)
        remembered = Settings()
        assert remembered.value("theme") == "system"
        assert len(remembered.repaired) == 1 and "settings.json" in remembered.repaired[0]
        assert Settings().repaired == []


def test_damaged_bytes_never_reach_qt(home):
    Settings().set("geometry", QByteArray(b"what Qt made"))
    path = home / "settings.json"
    stored = path.read_text()
    assert Settings().value("geometry") == QByteArray(b"what Qt made")
    for at in range(stored.index(": ") + 3, stored.rindex('"')):
        path.write_text(stored[:at] + ("A" if stored[at] != "A" else "B") + stored[at + 1 :])
        assert Settings().value("geometry") in (QByteArray(), b"what Qt made")  # the last letter holds bits of no byte


def test_settings_run_nothing(home):
    """Qt's own settings would: PySide unpickles an object that stands in them."""
    evil = QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat)
    evil.setValue("theme", Runs(home / "ran"))
    evil.sync()
    content = (home / "settings.ini").read_bytes()
    (home / "settings.json").write_bytes(content)
    Settings()
    assert b"PyObjectWrapper" in content and not (home / "ran").exists()


def test_a_folder_that_cannot_be_written_keeps_nothing_but_works(home, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    remembered = Settings()
    with monkeypatch.context() as broken:
        broken.setattr("os.replace", refuse)
        remembered.set("theme", "dark")
        remembered.set("undo_limit", 7)
        assert (remembered.value("theme"), remembered.value("undo_limit")) == ("dark", 7)
    remembered.set("autosave", False)
    assert (again := Settings()).value("theme") == "dark" and again.value("undo_limit") == 7


def test_two_windows_do_not_take_each_others_settings_back(home):
    one, other = Settings(), Settings()
    one.set("theme", "dark")
    other.set("undo_limit", 7)
    again = Settings()
    assert (again.value("theme"), again.value("undo_limit")) == ("dark", 7)


def test_a_recent_file_whose_name_is_no_text_comes_back(home):
    Settings().add_recent(os.fsdecode(b"/data/K\xf6ln.csv"))
    assert os.fsencode(Settings().recent[0]) == b"/data/K\xf6ln.csv"


def test_recent_files_newest_first_without_doubles(tmp_path):
    remembered = Settings()
    for i in range(RECENT_KEPT + 3):
        remembered.add_recent(tmp_path / f"{i}.csv")
    remembered.add_recent(tmp_path / "7.csv")
    assert len(remembered.recent) == RECENT_KEPT
    assert remembered.recent[0] == str(tmp_path / "7.csv")
    assert remembered.recent.count(str(tmp_path / "7.csv")) == 1
    remembered.remove_recent(tmp_path / "7.csv")
    assert remembered.recent[0] == str(tmp_path / f"{RECENT_KEPT + 2}.csv")


def test_changes_are_told_once(qtbot):
    remembered = Settings()
    heard = []
    remembered.changed.connect(heard.append)
    remembered.set("theme", "dark")
    remembered.set("theme", "dark")
    assert heard == ["theme"]


def test_folders_without_a_home_of_their_own(monkeypatch):
    monkeypatch.delenv("ESPALIER_HOME")
    folders = {settings.folder("config"), settings.folder("data"), settings.log_path().parent}
    assert all("espalier" in str(folder).lower() for folder in folders)


@pytest.mark.parametrize("damaged", ["{", '{"theme": "pink"}', None])
def test_a_file_damaged_while_the_program_runs_resets_nothing(home, damaged):
    remembered = Settings()
    remembered.set("theme", "dark")
    remembered.path.unlink() if damaged is None else remembered.path.write_text(damaged)
    remembered.set("undo_limit", 7)
    assert (remembered.value("theme"), remembered.value("undo_limit")) == ("dark", 7)
    again = Settings()
    assert (again.value("theme"), again.value("undo_limit"), again.repaired) == ("dark", 7, [])
