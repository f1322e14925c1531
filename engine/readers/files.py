"""Getting at a file: its bytes, its fingerprint, what it really is, whether it is too large, its text as UTF-8, and one
sentence when that fails."""

import codecs
import glob
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr

FORMATS = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".tab", ".dat", ".data"), "csv"),
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), "excel"),
    **dict.fromkeys((".parquet", ".pq", ".feather", ".arrow"), "parquet"),
    ".arff": "arff",
    **dict.fromkeys((".duckdb", ".ddb", ".db"), "duckdb"),
}
SUFFIXES = tuple(FORMATS)
TYPED = ("parquet", "arff", "folder", "duckdb", "database")  # which declare what their columns are
PARQUET = (".parquet", ".pq")  # the files of a folder that is a table

MOST_ROWS = 2**32 - 2  # the order of a column's rows is uint32
MOST_COLUMNS = 2**16  # a preview takes 0.5 ms for one of numbers, 1.5 ms of words, 3 ms of dates
CELL_BYTES = 8
REMEDY = marked("close other programs, or open a part of the rows or columns")
PRINTED = 2**20  # bytes that the fingerprint looks at
PICKLES = (".pkl", ".pickle", ".p", ".joblib")
PACKED = (".zip", ".gz", ".bz2", ".xz", ".zst", ".7z", ".tar")
DATABASES = (".sqlite", ".sqlite3")
A_DATABASE = marked("{file} is a database: choose one of its tables by “Open database…” in the menu File.")
SIGNATURES = (
    (b"\x89PNG", marked("a PNG picture")),
    (b"\xff\xd8\xff", marked("a JPEG picture")),
    (b"GIF8", marked("a GIF picture")),
    (b"%PDF-", marked("a PDF document")),
    (b"PAR1", marked("a Parquet file")),
    (b"ARROW1", marked("a Feather file")),
    (b"FEA1", marked("a Feather file")),
    (b"PK\x03\x04", marked("a packed file or a workbook")),
    (b"\x1f\x8b", marked("a packed file")),
    (b"BZh", marked("a packed file")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", marked("an old workbook or document")),
    (b"SQLite format 3", marked("a database")),
    (b"\x7fELF", marked("a program")),
)
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
SOMETHING = re.compile(rb"[^ \t\r\n\f\v\x1a]")
CUT_OFF = re.compile(rb"(?:[\xc0-\xff]|[\xe0-\xff][\x80-\xbf]|[\xf0-\xff][\x80-\xbf]{2})\Z")  # of a character
CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b"))


def known_format(path: Path) -> str:
    """ "csv", "excel", "parquet", "arff" or "duckdb" by the suffix, "folder" of a folder or a glob; InputError names
    the suffixes that can be read."""
    if is_many(path):
        return "folder"
    suffix = path.suffix.lower()
    if suffix in FORMATS:
        return FORMATS[suffix]
    if suffix in PICKLES:
        raise InputError(
            tr("{file} is a pickle, which could run a program when opened: save it as CSV or Parquet.", file=path.name)
        )
    if suffix in PACKED:
        raise InputError(tr("{file} is packed: unpack it first and open the table inside.", file=path.name))
    if suffix in DATABASES:
        raise InputError(tr(A_DATABASE, file=path.name))
    if not suffix:
        raise InputError(tr(
            "{file} cannot be opened, as files without a suffix are not known: save it as .csv, .xlsx or .parquet.",
            file=path.name))  # fmt: skip
    raise InputError(tr(
        "{file} cannot be opened, as “{suffix}” files are not known: save it as .csv, .xlsx or .parquet.",
        file=path.name, suffix=suffix))  # fmt: skip


def is_many(path: Path) -> bool:
    """Whether a path is a folder, or a glob that no file is called by: a table in several Parquet files."""
    return os.path.isdir(path) or (glob.has_magic(str(path)) and not os.path.exists(path))


def files_of(path: Path) -> list[Path]:
    """The files of a table, in the order of their names: those of a folder and its folders, those that fit a glob, or
    the one file itself."""
    if os.path.isdir(path):
        return sorted(file for file in path.rglob("*") if file.suffix.lower() in PARQUET and file.is_file())
    if is_many(path):
        return sorted(Path(file) for file in glob.glob(str(path), recursive=True) if Path(file).is_file())
    return [path] if os.path.exists(path) else []


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether a path names a table that can be looked for: a file, a folder, or a glob that some file fits."""
    return os.path.isfile(path) or bool(files_of(Path(path)))


def checked_path(path: str | os.PathLike[str], *, many: bool = False) -> Path:
    """The absolute path of a regular file, or, if `many`, of a folder or a glob with files of a table; InputError when
    there is none."""
    if not os.fspath(path):
        raise InputError(tr("No file is named: choose one."))
    try:
        found = Path(os.path.abspath(path))
        if many and is_many(found):
            return _checked_files(found)
        if found.is_dir():
            raise InputError(tr("{file} is a folder: choose a file in it.", file=found.name or found))
        if not found.exists():
            raise InputError(
                tr("{file} is not there: it may have been moved or deleted; choose it again.", file=found.name)
            )
        if not found.is_file():
            raise InputError(tr("{file} is not a regular file: save the table to a file first.", file=found.name))
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            tr("{path!r} cannot be opened ({reason}): choose another file.", path=str(path), reason=_reason(error))
        ) from error
    return found


def _checked_files(path: Path) -> Path:
    """A folder or a glob that names Parquet files and nothing else."""
    files = files_of(path)
    if not files and path.is_dir():
        raise InputError(tr(
            "{folder} holds no Parquet files: choose a folder of .parquet files.", folder=path.name or str(path),
        ))  # fmt: skip
    if not files:
        raise InputError(tr("No file is called {glob}: check the folder and the pattern.", glob=str(path)))
    odd = next((file for file in files if file.suffix.lower() not in PARQUET), None)
    if odd is not None:
        raise InputError(tr(
            "{file} is no Parquet file: several files are one table only where all of them are.", file=odd.name,
        ))  # fmt: skip
    return path


def file_bytes(path: Path, limit: int = -1) -> bytes:
    """The first `limit` bytes, or all; InputError when they cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(limit)
    except FileNotFoundError as error:
        raise InputError(
            tr("{file} is not there: it may have been moved or deleted; choose it again.", file=path.name)
        ) from error
    except PermissionError as error:
        raise InputError(tr("{file} may not be read: ask for permission to read it.", file=path.name)) from error
    except OSError as error:
        raise InputError(tr(
            "{file} cannot be read ({reason}): copy it elsewhere and try again.", file=path.name, reason=_reason(error),
        )) from error  # fmt: skip


def size_of(path: Path) -> int:
    """The size in bytes, of all files of a table."""
    try:
        return sum(file.stat().st_size for file in files_of(path)) if is_many(path) else path.stat().st_size
    except OSError as error:
        raise InputError(
            tr("{file} cannot be read ({reason}): choose it again.", file=path.name, reason=_reason(error))
        ) from error


def fingerprint(path: Path) -> str:
    """sha256 of the first MiB and the size: enough to notice that a file is another one, cheap on a large one. Of a
    folder, a glob or a database, which changes in its middle, names, sizes and times of the files."""
    if is_many(path) or FORMATS.get(path.suffix.lower()) == "duckdb":
        return hashlib.sha256(repr(stamp(path)).encode()).hexdigest()
    digest = hashlib.sha256(file_bytes(path, PRINTED))
    digest.update(str(size_of(path)).encode())
    return digest.hexdigest()


def stamp(path: Path) -> list[tuple[str, int, int]]:
    """What tells whether the files of a table were changed: their names, sizes and times; the folder may move."""
    top = path if path.is_dir() else path.parent
    found = [(os.path.relpath(file, top), file.stat()) for file in files_of(path)]
    return [(name, facts.st_size, facts.st_mtime_ns) for name, facts in found]


@contextmanager
def enough_memory(label: str) -> Iterator[None]:
    """Whoever reads something called `label` runs out of memory with a sentence."""
    try:
        yield
    except MemoryError as error:  # Arrow's is one, too
        raise InputError(
            tr("There is not enough memory to read {label}: {remedy}.", label=label, remedy=tr(REMEDY))
        ) from error


def check_size(label: str, n_rows: int, n_columns: int) -> None:
    """InputError when a file declares more rows and columns than can be held."""
    if n_rows > MOST_ROWS:
        raise InputError(tr(
            "{label} has {rows:,} rows, more than the {most:,} of a table: open a part of it.", label=label,
            rows=n_rows, most=MOST_ROWS))  # fmt: skip
    check_columns(label, n_columns)
    needed, free = CELL_BYTES * n_rows * n_columns, free_bytes()
    if free is not None and needed > free:
        raise InputError(tr(
            "{label} has {rows:,} rows of {columns:,} columns, which take {size:,.1f} GB, but {free:,.1f} GB are "
            "free: {remedy}.", label=label, rows=n_rows, columns=n_columns, size=needed / 2**30, free=free / 2**30,
            remedy=tr(REMEDY)))  # fmt: skip


def check_columns(label: str, n_columns: int) -> None:
    """InputError when there are more columns than a preview looks at in some minutes."""
    if n_columns > MOST_COLUMNS:
        raise InputError(tr(
            "{label} has {columns:,} columns, more than the {most:,} of a table: open a part of them, or check what "
            "separates the cells and the lines.", label=label, columns=n_columns, most=MOST_COLUMNS))  # fmt: skip


def free_bytes() -> int | None:
    """The memory that is left; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _reason(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".").lower()


# -- text as UTF-8: byte order marks, and files that are older than UTF-8


def as_utf8(data: bytes, encoding: str | None, label: str, *, cut: bool = False) -> tuple[bytes, str, list[str]]:
    """The text as UTF-8 without byte order mark, the encoding it was in, and notes.

    Without a byte order mark and if it is not valid UTF-8, it is Windows-1252, the usual heir of Latin-1.

    Args:
        encoding: what a person chose, or None.
        cut: the data are the beginning of a longer file; a half character at the end is left out.

    Raises:
        InputError: the bytes are no text, or an empty one, or there is no such encoding.
    """
    is_pickle = data[:1] == b"\x80" and data[1:2] in b"\x02\x03\x04\x05" and data.rstrip(b"\0")[-1:] == b"."
    other = next((words for start, words in SIGNATURES if data.startswith(start)), "")
    other = tr("a pickle") if is_pickle else tr(other)
    if other:
        raise InputError(tr(
            "{label} is {kind}, not a table of text: choose a CSV file, or give it its true suffix.", label=label,
            kind=other))  # fmt: skip
    lost = CUT_OFF.search(data[-3:]) if cut else None
    utf8 = data[: -len(lost[0])] if lost else data
    by_mark = next((name for mark, name in BOMS if data.startswith(mark)), None)
    chosen = encoding or by_mark or ("utf-8" if is_utf8(utf8) else "cp1252")
    try:
        codec = codecs.lookup(chosen).name
    except (LookupError, ValueError) as error:
        raise InputError(tr("There is no encoding “{name}”: use utf-8, utf-16 or cp1252.", name=chosen)) from error
    notes = []
    if codec in ("utf-8", "utf-8-sig") and not is_utf8(utf8):
        chosen = codec = "cp1252"
        notes.append(tr("The text is not valid UTF-8: it was read as Windows-1252 (cp1252)."))
    if codec in ("utf-8", "utf-8-sig"):
        text = utf8.removeprefix(codecs.BOM_UTF8)
    else:
        text, damaged = _recoded(data, chosen, label, cut)
        if damaged:
            notes.append(
                tr("Some bytes are no {encoding} text and were replaced: choose another encoding.", encoding=chosen)
            )
    start = text[:4096]
    n_control = len(start) - len(start.translate(None, CONTROL))
    if b"\0" in text or n_control * 20 > len(start):
        raise InputError(
            tr("{label} holds binary data, not a table of text: save it as CSV, Excel or Parquet.", label=label)
        )
    if not SOMETHING.search(text):
        raise InputError(tr("{label} is empty: choose a table with a header and rows.", label=label))
    return text, chosen, notes


def _recoded(data: bytes, encoding: str, label: str, cut: bool) -> tuple[bytes, bool]:
    for attempt in (encoding, "latin-1") if encoding == "cp1252" else (encoding,):
        try:
            decoder = codecs.getincrementaldecoder(attempt)("strict")
            return decoder.decode(data, final=not cut).removeprefix("\ufeff").encode(), False
        except (UnicodeError, ValueError):
            continue
        except (LookupError, TypeError, AttributeError, AssertionError) as error:
            raise InputError(
                tr("“{encoding}” is no encoding of text: use utf-8, utf-16 or cp1252.", encoding=encoding)
            ) from error
        except Exception as error:  # codecs that pack or encrypt raise errors of their own
            raise InputError(tr(
                "{label} cannot be read as “{encoding}”: use utf-8, utf-16 or cp1252.", label=label, encoding=encoding,
            )) from error  # fmt: skip
    try:
        text = data.decode(encoding, errors="replace").removeprefix("\ufeff")
        return text.encode("utf-8", errors="replace"), True
    except Exception as error:
        raise InputError(
            tr("{label} cannot be read as “{encoding}”: use utf-8, utf-16 or cp1252.", label=label, encoding=encoding)
        ) from error


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8."""
    if data.isascii():
        return True
    try:
        # Arrow checks in place; bytes.decode would make a copy four times as large.
        pa.array([data], pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:
        return False
    return True
