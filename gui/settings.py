"""What the program remembers between two starts, declared as data; stored by QSettings in one file.

`ESPALIER_HOME` moves everything that the program writes for itself (settings, autosaved copies, log) into one
folder: for a portable installation, and for tests.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

RECENT_KEPT = 10


@dataclass(frozen=True)
class Setting:
    """One thing that is remembered.

    Attributes:
        name: its key in the file.
        kind: int, bool, str, list (of strings) or QByteArray.
        default: its value when nothing usable is stored.
        meaning: one sentence for people.
        choices: the only values allowed, if there are any.
        low, high: the range of a number.
    """

    name: str
    kind: type
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 2**31 - 1


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("theme", str, "system", "Light, dark, or as the system says.", choices=("system", "light", "dark")),
        Setting("recent", list, [], "Files opened last, the newest first."),
        Setting("last_folder", str, "", "Where the last file was opened."),
        Setting("export_folder", str, "", "Where the last picture or tree was written."),
        Setting("picture", str, "", "How a picture was taken away last."),
        Setting("picture_kind", str, ".png", "As what it was.", choices=(".png", ".svg", ".pdf", ".html")),
        Setting("picture_heading", list, ["title"], "What stood above it: title, figures."),
        Setting("undo_limit", int, 200, "How many steps can be undone.", low=1, high=10_000),
        Setting("autosave", bool, True, "Keep a copy of unsaved work for the next start after a crash."),
        Setting("autosave_seconds", int, 3, "Seconds of rest after an edit before a copy is written.", high=600),
        Setting("candidate_figures", list, ["gain", "validation"], "Which figures the candidates show."),
        Setting("candidate_beside", str, "", "Which measure stands beside the criterion among the candidates."),
        Setting("canvas_icicle", bool, False, "Show the whole tree as an icicle below the canvas."),
        Setting("canvas_minimap", bool, True, "Show a minimap while only a part of the tree is in view."),
        Setting("canvas_motion", bool, True, "Move the canvas smoothly to where it is sent."),
        Setting("canvas_kind", str, "cards", "How the tree is drawn.", choices=("cards", "streams")),
        Setting("canvas_colour_by", str, "", "What the colours of the canvas say; empty: as fits the target."),
        Setting("canvas_lines", list, ["split", "rows", "validation", "bar", "badges"], "Which lines the cards show."),
        Setting("geometry", QByteArray, QByteArray(), "Size and place of the window."),
        Setting("layout", QByteArray, QByteArray(), "Where the panels are."),
    )
}


class Settings(QObject):
    """Reads and writes `SETTINGS`. A stored value that cannot be used is replaced by its default and told.

    Attributes:
        repaired: a sentence for each value that had to be replaced.

    Signals:
        changed: arg: the name of the setting
    """

    changed = Signal(str)

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path if path is not None else config_folder() / "settings.ini"
        self._store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self.repaired: list[str] = []
        self._repair()

    def value(self, name: str) -> Any:
        """The stored value, or the default."""
        setting = SETTINGS[name]
        if not self._store.contains(name):
            return setting.default
        found = _read(setting, self._store.value(name))
        return setting.default if found is None else found

    def set(self, name: str, value: Any) -> None:
        """Stores a value; a ValueError names one that is not allowed."""
        setting = SETTINGS[name]
        if _read(setting, value) is None:
            raise ValueError(f"{name} cannot be {value!r}")
        if value != self.value(name):
            self._store.setValue(name, value)
            self.changed.emit(name)

    def reset(self) -> None:
        """Back to the defaults; the recent files stay."""
        for name in SETTINGS:
            if name != "recent":
                self._store.remove(name)
                self.changed.emit(name)

    def sync(self) -> None:
        """Writes what is not written yet."""
        self._store.sync()

    # -- recent files

    @property
    def recent(self) -> list[str]:
        """The files opened last, the newest first; those that are gone are listed too."""
        return list(self.value("recent"))

    def add_recent(self, path: str | Path) -> None:
        """Puts a file in front."""
        text = str(Path(path).absolute())
        self.set("recent", [text, *(other for other in self.recent if other != text)][:RECENT_KEPT])

    def remove_recent(self, path: str | Path) -> None:
        """Takes a file off the list."""
        self.set("recent", [other for other in self.recent if other != str(path)])

    def _repair(self) -> None:
        for name, setting in SETTINGS.items():
            if self._store.contains(name) and _read(setting, self._store.value(name)) is None:
                shown = str(self._store.value(name))[:40]
                self.repaired.append(f"The setting “{name}” was “{shown}”, which cannot be used; it is reset.")
                self._store.remove(name)


def _read(setting: Setting, stored: Any) -> Any:
    """The stored value as the setting's kind; None when it cannot be used. An ini file knows only texts."""
    if setting.kind is bool:
        return {"true": True, "false": False}.get(str(stored).lower())
    if setting.kind is int:
        try:
            number = int(stored)
        except (TypeError, ValueError):
            return None
        return number if setting.low <= number <= setting.high else None
    if setting.kind is list:
        items = [stored] if isinstance(stored, str) and stored else stored or []
        return [str(item) for item in items] if isinstance(items, list) else None
    if setting.kind is str:
        fits = isinstance(stored, str) and (not setting.choices or stored in setting.choices)
        return stored if fits else None
    return stored if isinstance(stored, QByteArray) else None


# -- folders


def _folder(kind: str) -> Path:
    home = os.environ.get("ESPALIER_HOME")
    if home:
        return Path(home)
    return Path(getattr(platformdirs, f"user_{kind}_dir")("espalier", appauthor=False))


def config_folder() -> Path:
    """Where the settings are."""
    return _folder("config")


def data_folder() -> Path:
    """Where autosaved copies are."""
    return _folder("data")


def log_path() -> Path:
    """The log file."""
    return _folder("log") / "espalier.log"
