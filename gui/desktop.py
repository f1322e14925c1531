"""Puts the program into the desktop's menu: a desktop entry and an icon in the user's own folders (Linux)."""

import os
import sys
from pathlib import Path

from engine.runtime.errors import InputError
from engine.runtime.files import write_whole
from engine.runtime.sentences import tr

APP_ID = "io.github.espalier.Espalier"
ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "resources" / "desktop" / f"{APP_ID}.desktop"
ICON = ROOT / "resources" / "icons" / "espalier.svg"
MIME = ROOT / "resources" / "desktop" / f"{APP_ID}.xml"


def install_desktop(data_home: Path | None = None) -> Path:
    """Writes the desktop entry, its icon and the type of project files; returns the entry's path. `data_home` is the
    user's data folder, by default $XDG_DATA_HOME or ~/.local/share. InputError: this is no desktop with such entries,
    or the folder cannot be written."""
    if data_home is None and sys.platform in ("win32", "darwin"):
        raise InputError(tr("Desktop entries exist on Linux only: on this system, make a shortcut to main.py."))
    home = data_home or Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    entry = home / "applications" / f"{APP_ID}.desktop"
    icon, mime = home / f"icons/hicolor/scalable/apps/{APP_ID}.svg", home / f"mime/packages/{APP_ID}.xml"
    try:
        command = f"{quoted(sys.executable)} {quoted(str(ROOT / 'main.py'))}"  # absolute: it works from every folder
        text = TEMPLATE.read_text(encoding="utf-8").replace("@EXEC@", command).replace("@ICON@", _escaped(str(ICON)))
        for path, content in ((icon, ICON.read_bytes()), (mime, MIME.read_bytes()), (entry, text)):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, [content])
        entry.chmod(0o755)
    except OSError as error:
        said = tr("The desktop entry cannot be written to “{path}”: {problem}.", path=entry, problem=error.strerror)
        raise InputError(said) from error
    return entry


def quoted(argument: str) -> str:
    """An argument as the Desktop Entry Specification wants it: quoted, with its four characters escaped twice.

    The first escape is the quoting rule of Exec, the second the general one for strings, which doubles every
    backslash; "%" begins a field code and is doubled too."""
    for special in ("\\", '"', "`", "$"):
        argument = argument.replace(special, "\\" + special)
    return '"' + _escaped(argument).replace("%", "%%") + '"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
