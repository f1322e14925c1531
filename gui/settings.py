"""What the program remembers between two starts, declared as data; stored as JSON in one file.

The file is not Qt's QSettings: that makes objects of what it reads, and PySide unpickles some, which runs anything.

`ESPALIER_HOME` moves everything that the program writes for itself (settings, autosaved copies, log) into one
folder: for a portable installation, and for tests."""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import platformdirs
from PySide6.QtCore import QByteArray, QObject, Signal

from engine.formats import FORMATS, PICTURES
from engine.runtime.addresses import URL
from engine.runtime.errors import InputError, one_line
from engine.runtime.files import read_json, remove_drafts, write_whole
from engine.runtime.sentences import marked, tr
from gui.language import LANGUAGES, SYSTEM

RECENT_KEPT = 10


@dataclass(frozen=True)
class Setting:
    """One thing that is remembered."""

    name: str  # its key in the file
    kind: type  # int, bool, str, list (of strings) or QByteArray
    default: Any  # its value when nothing usable is stored
    choices: tuple[str, ...] = ()  # the only values allowed, if there are any
    low: int = 0  # of a number
    high: int = 2**31 - 1


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("theme", str, "system", ("system", "light", "dark")),
        Setting("language", str, SYSTEM, (SYSTEM, *LANGUAGES)),
        Setting("text_size", int, 100, low=80, high=200),  # of words, in percent of the usual one
        Setting("recent", list, []),  # files, folders, addresses of tables without passwords, the newest first
        Setting("last_folder", str, ""),  # of the file opened last
        Setting("export_folder", str, ""),  # of the picture or tree written last
        Setting("picture", str, ""),  # how a picture was exported last
        Setting("picture_kind", str, ".png", tuple(PICTURES)),
        Setting("export_format", str, "sql", tuple(FORMATS)),
        Setting("picture_heading", list, ["title"]),  # what stood above it: title, figures
        Setting("report_left_out", list, []),  # sections of a report that were not wanted the last time
        Setting("undo_limit", int, 200, low=1, high=10_000),  # steps
        Setting("autosave", bool, True),
        Setting("autosave_seconds", int, 3, high=600),  # of rest after an edit, before a copy is written
        Setting("candidate_figures", list, ["gain", "validation"]),
        Setting("candidate_beside", str, ""),  # the measure beside the criterion among the candidates
        Setting("canvas_icicle", bool, False),
        Setting("canvas_minimap", bool, True),
        Setting("canvas_motion", bool, True),
        Setting("canvas_kind", str, "cards", ("cards", "streams")),
        Setting("canvas_colour_by", str, ""),  # empty: as fits the target
        Setting("canvas_lines", list, ["split", "rows", "validation", "profit", "bar", "badges"]),
        Setting("geometry", QByteArray, QByteArray()),  # size and place of the window
        Setting("places", str, ""),  # how the panels are arranged
    )
}


class Settings(QObject):
    """Reads and writes `SETTINGS`. A stored value that cannot be used is replaced by its default; `repaired` has a
    sentence for each of them."""

    changed = Signal(str)  # the name of the setting

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path if path is not None else folder("config") / "settings.json"
        remove_drafts(self.path.parent)
        self._values, self.repaired = _stored(self.path)
        self._unwritten: dict[str, Any] = {}  # None: the default
        if self.repaired:
            self._write()

    def value(self, name: str) -> Any:
        return self._values.get(name, SETTINGS[name].default)

    def set(self, name: str, value: Any) -> None:
        """Stores a value; a ValueError names one that is not allowed."""
        if not _fits(SETTINGS[name], value):
            raise ValueError(f"{name} cannot be {value!r}")
        if value != self.value(name):
            self._write(**{name: value})
            self.changed.emit(name)

    def forget(self, name: str) -> None:
        """Goes back to the default."""
        self._write(**{name: None})
        self.changed.emit(name)

    def _write(self, **changed: Any) -> None:
        """Writes changed values, None for the default, beside what other windows have written meanwhile.

        What cannot be written is remembered as long as the program runs."""
        self._unwritten |= changed
        values = _stored(self.path, self._values)[0] | self._unwritten
        self._values = {name: value for name, value in values.items() if value is not None}
        plain = {name: _to_json(value) for name, value in self._values.items()}
        with contextlib.suppress(InputError, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, [json.dumps(plain, indent=1)])
            self._unwritten = {}

    @property
    def recent(self) -> list[str]:
        """What was opened last, the newest first; what is gone is listed too."""
        return list(self.value("recent"))

    def add_recent(self, path: str | Path) -> None:
        """Puts a file, a folder, or the address of a table first; that has no password."""
        text = path if isinstance(path, str) and URL.match(path) else str(Path(path).absolute())
        self.set("recent", [text, *(other for other in self.recent if other != text)][:RECENT_KEPT])

    def remove_recent(self, path: str | Path) -> None:
        self.set("recent", [other for other in self.recent if other != str(path)])


def _stored(path: Path, known: Mapping[str, Any] = MappingProxyType({})) -> tuple[dict[str, Any], list[str]]:
    """The values in a file that can be used, and a sentence for each that cannot. The values `known` before stand in
    for those that cannot be read, and for a file that is gone."""
    if not os.path.exists(path):
        return dict(known), []
    try:
        plain = read_json(path, marked("settings"))
    except InputError as problem:
        return dict(known), [tr("The settings cannot be read, so all of them are reset: {problem}", problem=problem)]
    values, repaired = {}, []
    for name, setting in SETTINGS.items():
        value = _from_json(setting, plain.get(name))
        if _fits(setting, value):
            values[name] = value
        elif name in plain:
            repaired.append(
                tr("The setting “{name}” was damaged; it is reset.", name=name) if setting.kind is QByteArray
                else tr("The setting “{name}” was “{value}”, which cannot be used; it is reset.", name=name,
                        value=one_line(plain[name]))
            )  # fmt: skip
            if name in known:
                values[name] = known[name]
    return values, repaired


def _fits(setting: Setting, value: Any) -> bool:
    if type(value) is not setting.kind:
        return False
    if isinstance(value, int):
        return setting.low <= value <= setting.high
    if isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return not setting.choices or value in setting.choices


def _to_json(value: Any) -> Any:
    """Bytes as text behind a checksum: Qt believes what it is handed, and ends the program over damaged ones."""
    return f"{_checksum(value)} {bytes(value.toBase64().data()).decode()}" if isinstance(value, QByteArray) else value


def _from_json(setting: Setting, plain: Any) -> Any:
    """The value again; what cannot be one is handed on as it is."""
    if setting.kind is not QByteArray or not isinstance(plain, str):
        return plain
    checksum, _, text = plain.partition(" ")
    value = QByteArray.fromBase64(text.encode("ascii", "replace"))
    return value if checksum == _checksum(value) else plain


def _checksum(value: QByteArray) -> str:
    return hashlib.sha256(value.data()).hexdigest()


def folder(kind: str) -> Path:
    """Where the settings ("config"), autosaved copies ("data") and logs ("log") are."""
    home = os.environ.get("ESPALIER_HOME")
    return Path(home or getattr(platformdirs, f"user_{kind}_dir")("espalier", appauthor=False))


def log_path() -> Path:
    return folder("log") / "espalier.log"
