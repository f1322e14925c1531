"""A PostgreSQL server of our own, on which tests run what is exported for it: in a folder of its own, without TCP."""

import atexit
import csv
import io
import os
import shutil
import subprocess
import tempfile
from functools import cache
from glob import glob
from pathlib import Path
from typing import Any

from engine.formats.questions import columns_used
from engine.formats.rows_to_check import Answers, moment, plain_cells
from engine.formats.sql import NO_JIT, Spelling
from engine.table.table import Table
from engine.tree.tree import Tree

INITDB = os.path.realpath(shutil.which("initdb") or max(glob("/usr/lib/postgresql/*/bin/initdb"), default=""))  # Debian
TYPES = {"date": "timestamp", "boolean": "boolean", "nominal": "text", "ordered": "text"}
ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})  # of COPY's text format


def _command(program: str, *words: str) -> list[str]:
    """PostgreSQL refuses to run as root."""
    own = [str(Path(INITDB).with_name(program)), *words]
    return ["runuser", "-u", "postgres", "--", *own] if os.getuid() == 0 else own


def _done(command: list[str], given: str = "") -> str:
    done = subprocess.run(command, input=given.encode(), capture_output=True, timeout=600, cwd="/")
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-2000:])
    return done.stdout.decode()


@cache
def _server() -> str:
    """The folder of its socket; it runs until this process ends."""
    folder = tempfile.mkdtemp(prefix="espalier-postgres-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    data, log = f"{folder}/data", f"{folder}/log"
    _done(_command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"))
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    _done(_command("pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start"))
    atexit.register(_done, _command("pg_ctl", "-D", data, "-m", "immediate", "stop"))
    return folder


def _asked(script: str) -> str:
    return _done(
        _command("psql", "-X", "-q", "-A", "-t", "-h", _server(), "-U", "postgres", "-v", "ON_ERROR_STOP=1"), script
    )


def run(text: str, tree: Tree, table: Table, dialect: str) -> Answers:
    """What the server answers for the rows of a table."""
    spell = Spelling(tree, dialect)
    columns = [tree.columns[place] for place in columns_used(tree)]
    declared = [f"{spell.name(column.name)} {TYPES.get(column.kind, 'double precision')}" for column in columns]
    cells = [*plain_cells(tree, table, lambda seconds: moment(seconds).isoformat(" ")), range(table.n_rows)]
    given = "".join("\t".join(map(_cell, row)) + "\n" for row in zip(*cells, strict=True))
    made = (
        f"CREATE TEMP TABLE rows ({', '.join([*declared, 'row_number integer'])});\nCOPY rows FROM STDIN;\n{given}\\.\n"
    )
    made = f"{NO_JIT}\n{made}" if NO_JIT in text else made  # as the file says
    answer = f"COPY (SELECT * FROM (\n{text}) AS t ORDER BY t.row_number) TO STDOUT WITH (FORMAT csv);\n"
    found = [_answer(tree, row) for row in csv.reader(io.StringIO(_asked(made + answer), newline=""))]
    return Answers.of(tree, f"PostgreSQL {_asked('SHOW server_version').split()[0]}", found)


def _cell(cell: Any) -> str:
    return "\\N" if cell is None else str(cell).translate(ESCAPES)


def _answer(tree: Tree, row: list[str]) -> tuple[int | str | float | list[float], ...]:
    if tree.task == "number":
        return int(row[-2]), float(row[-1])
    n = len(row) - len(tree.classes)
    return int(row[n - 2]), row[n - 1], [float(share) for share in row[n:]]
