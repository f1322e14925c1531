"""What is remembered, and what happens to values that cannot be used."""

import pytest
from PySide6.QtCore import QByteArray

from gui import settings
from gui.settings import RECENT_KEPT, SETTINGS, Settings


def test_defaults(home):
    remembered = Settings()
    assert remembered.path == home / "settings.ini"
    assert {name: remembered.value(name) for name in SETTINGS} == {name: s.default for name, s in SETTINGS.items()}


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", "dark"), ("undo_limit", 7), ("autosave", False), ("recent", ["/a", "/b"]), ("recent", ["/only"]),
     ("recent", []), ("geometry", QByteArray(b"\x00\x01")), ("last_folder", "/ä, b")],
)  # fmt: skip
def test_values_come_back(name, value):
    first = Settings()
    first.set(name, value)
    first.sync()
    again = Settings()
    assert again.value(name) == value
    assert type(again.value(name)) is type(value)
    assert again.repaired == []


@pytest.mark.parametrize(("name", "value"), [("theme", "pink"), ("undo_limit", 0), ("undo_limit", "many")])
def test_what_is_not_allowed_is_not_stored(name, value):
    with pytest.raises(ValueError, match=name):
        Settings().set(name, value)


@pytest.mark.parametrize(
    ("line", "name"),
    [("theme=pink", "theme"), ("undo_limit=many", "undo_limit"), ("undo_limit=-3", "undo_limit"),
     ("autosave=perhaps", "autosave"), ("geometry=big", "geometry")],
)  # fmt: skip
def test_an_unusable_value_is_repaired_and_told(home, line, name):
    (home / "settings.ini").write_text(f"[General]\n{line}\nlast_folder=/kept\n", encoding="utf-8")
    remembered = Settings()
    assert remembered.value(name) == SETTINGS[name].default
    assert remembered.value("last_folder") == "/kept"
    assert len(remembered.repaired) == 1 and f"“{name}”" in remembered.repaired[0]
    remembered.sync()
    assert Settings().repaired == []


def test_a_file_that_is_no_settings_file_does_no_harm(home):
    (home / "settings.ini").write_bytes(b"\x00\xff\x00garbage\xfe")
    assert Settings().value("theme") == "system"


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


def test_reset_keeps_the_recent_files():
    remembered = Settings()
    remembered.set("theme", "dark")
    remembered.add_recent("/x.csv")
    remembered.reset()
    assert remembered.value("theme") == "system"
    assert len(remembered.recent) == 1


def test_folders_without_a_home_of_their_own(monkeypatch):
    monkeypatch.delenv("ESPALIER_HOME")
    folders = {settings.config_folder(), settings.data_folder(), settings.log_path().parent}
    assert all("espalier" in str(folder).lower() for folder in folders)
