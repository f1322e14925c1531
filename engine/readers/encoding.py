"""From bytes to UTF-8: byte order marks, and files that are older than UTF-8."""

import codecs

import pyarrow as pa

from engine.readers.files import signature
from engine.runtime.errors import InputError

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b"))


def as_utf8(data: bytes, encoding: str | None, label: str, *, cut: bool = False) -> tuple[bytes, str, list[str]]:
    """The text as UTF-8 without byte order mark, the encoding it was in, and notes.

    Without a byte order mark and if it is not valid UTF-8, it is Windows-1252, the usual heir of Latin-1.

    Args:
        encoding: what a person chose, or None.
        cut: the data are the beginning of a longer file; a half character at the end is left out.

    Raises:
        InputError: the bytes are no text, or there is no such encoding.
    """
    _refuse_other_files(data, label)
    utf8 = whole_characters(data) if cut else data
    marked = next((name for mark, name in BOMS if data.startswith(mark)), None)
    chosen = encoding or marked or ("utf-8" if is_utf8(utf8) else "cp1252")
    try:
        codec = codecs.lookup(chosen).name
    except (LookupError, ValueError) as error:
        raise InputError(f"There is no encoding “{chosen}”: use utf-8, utf-16 or cp1252.") from error
    notes = []
    if codec in ("utf-8", "utf-8-sig") and not is_utf8(utf8):
        chosen = codec = "cp1252"
        notes.append("The text is not valid UTF-8: it was read as Windows-1252 (cp1252).")
    if codec in ("utf-8", "utf-8-sig"):
        text = utf8.removeprefix(codecs.BOM_UTF8)
    else:
        text, damaged = _recoded(data, chosen, label, cut)
        if damaged:
            notes.append(f"Some bytes are no {chosen} text and were replaced: choose another encoding.")
    if b"\0" in text or _mostly_control(text[:4096]):
        raise InputError(f"{label} holds binary data, not a table of text: save it as CSV, Excel or Parquet.")
    return text, chosen, notes


def _refuse_other_files(data: bytes, label: str) -> None:
    found = signature(data)
    if found:
        raise InputError(f"{label} is {found}, not a table of text: choose a CSV file, or give it its true suffix.")


def _recoded(data: bytes, encoding: str, label: str, cut: bool) -> tuple[bytes, bool]:
    for attempt in (encoding, "latin-1") if encoding == "cp1252" else (encoding,):
        try:
            decoder = codecs.getincrementaldecoder(attempt)("strict")
            return decoder.decode(data, final=not cut).removeprefix("\ufeff").encode(), False
        except (UnicodeError, ValueError):
            continue
        except (LookupError, TypeError, AttributeError, AssertionError) as error:
            raise InputError(f"“{encoding}” is no encoding of text: use utf-8, utf-16 or cp1252.") from error
        except Exception as error:  # codecs that pack or encrypt raise errors of their own
            raise InputError(f"{label} cannot be read as “{encoding}”: use utf-8, utf-16 or cp1252.") from error
    try:
        text = data.decode(encoding, errors="replace").removeprefix("\ufeff")
        return text.encode("utf-8", errors="replace"), True
    except Exception as error:
        raise InputError(f"{label} cannot be read as “{encoding}”: use utf-8, utf-16 or cp1252.") from error


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


def whole_characters(data: bytes) -> bytes:
    """Without the first bytes of a character whose last ones were cut off."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return data[:-back] if needed > back else data
        if byte < 0x80:
            return data
    return data


def _mostly_control(start: bytes) -> bool:
    n_control = len(start) - len(start.translate(None, CONTROL))
    return n_control * 20 > len(start)
