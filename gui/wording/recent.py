"""What was opened before, as lists show it: a file, a folder, or a table of a database."""

import os
from dataclasses import dataclass
from pathlib import Path

from engine.runtime.addresses import URL, file_of, is_file, names_of, place_and_table
from engine.runtime.errors import readable


@dataclass(frozen=True)
class Recent:
    """One of these.

    Attributes:
        name: of the file, the folder or the table. place: the folder, the file or the database that it is in.
        is_there: whether it can be opened; nobody asks a server.
    """

    name: str
    place: str
    is_there: bool


def recent(address: str) -> Recent:
    """What a path, or the URL of a database with "::" and a table, stands for."""
    if not URL.match(address):
        path = Path(address)
        return Recent(readable(path.name), readable(home_shortened(path.parent)), os.path.exists(address))
    url, table = place_and_table(address)
    name = ".".join(names_of(table)) or url  # where a password that was not escaped has left no more
    if is_file(url):
        file = Path(file_of(url))
        return Recent(readable(name), readable(home_shortened(file)), os.path.exists(file))
    return Recent(readable(name), readable(url), True)


def home_shortened(folder: Path) -> str:
    """The folder as people write it: “~” for the home folder."""
    home = Path.home()
    return str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
