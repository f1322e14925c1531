"""Names of columns and levels inside a query: what pandas takes for them, and for nothing else.

Nothing is tried out, for a query is a program: names and levels are a stranger's. The rules below follow the source of
pandas 2.2 to 3.1 (`pandas/core/computation`: `parsing.py`, `ops.py`, `scope.py`). A name that one of them may read as
something else is refused; what one of them cannot read at all (2.2 no “x#y”) it refuses itself.

They hold as well where a person puts the query between double quotes, raw or not, in a program: nothing here ends such
a text, but for one quotation mark in a name, behind which the backtick is no Python.
"""

import re
import token
from collections.abc import Iterable, Sequence
from functools import lru_cache
from keyword import iskeyword
from sys import maxunicode
from unicodedata import normalize

from engine.runtime.errors import InputError, one_line

JOINING = {"and", "or", "not", "in"}  # a person may write them in capitals, so such a name stands in backticks
INFINITE = {"inf", "Inf"}  # which are numbers in a query
PREFIX = "BACKTICK_QUOTED_STRING_"  # of what pandas makes of a name in backticks
LOCAL = "__pd_eval_local_"  # what pandas makes of @, and takes out of any name
SIGNS = {sign: f"_{token.tok_name[kind]}_" for sign, kind in token.EXACT_TOKEN_TYPES.items()} | {
    " ": "_", "?": "_QUESTIONMARK_", "!": "_EXCLAMATIONMARK_", "$": "_DOLLARSIGN_", "€": "_EUROSIGN_",
    "°": "_DEGREESIGN_", "'": "_SINGLEQUOTE_", '"': "_DOUBLEQUOTE_", "#": "_HASH_",
}  # fmt: skip
ONE_QUOTE = re.compile(r"""[^'"]*|[\w ]*['"][\w ]*""")
BEYOND_TEXT = "'\"\\`"  # what ends a text, and what pandas 3 mistakes beside its end


@lru_cache(maxsize=4096)
def spelled(name: str) -> str:
    """A column's name as a query says it; InputError when pandas has no safe way to say it."""
    if not _is_sayable(name):
        raise InputError(
            f"A pandas query cannot name the column “{one_line(name)}”: rename it, or copy the path as text."
        )
    return name if _is_identifier(name) and name.lower() not in JOINING else f"`{name}`"


def quoted(level: str) -> str:
    """A level as text, without a quotation mark or a backslash inside: L'Aquila is 'L{:c}Aquila'.format(39)."""
    odd = [letter for letter in level if letter in BEYOND_TEXT or not letter.isprintable()]
    if not odd:
        return f"'{level}'"
    doubled = level.replace("{", "{{").replace("}", "}}")
    rare = set(odd)
    text = "".join("{:c}" if letter in rare else letter for letter in doubled)
    return f"'{text}'.format({', '.join(str(ord(letter)) for letter in odd)})"


def unquoted(text: str, codes: Sequence[int]) -> str | None:
    """What 'L{:c}Aquila'.format(39) says, as `quoted` writes it; None where codes and their places do not fit."""
    if text.replace("{{", "").count("{:c}") != len(codes) or not all(0 <= code <= maxunicode for code in codes):
        return None
    letters = map(chr, codes)
    return re.sub(r"\{\{|\}\}|\{:c\}", lambda found: next(letters) if found[0] == "{:c}" else found[0][0], text)


def look_for_twins(said: Iterable[str], names: Iterable[str]) -> None:
    """InputError where pandas would take another column of a frame for one that a query names: within backticks it
    knows “a b_c” and “a_b c” by one name.

    Args:
        said: the columns that the query names.
        names: all columns of the frame, as far as they are known.
    """
    names = dict.fromkeys(names)
    by_key: dict[str, set[str]] = {}
    for name in names:
        for key in _keys(name):
            by_key.setdefault(key, set()).add(name)
    cut_short = [name for name in names if not _is_whole(name)]
    for name in dict.fromkeys(said):
        same = {twin for key in _keys(name) for twin in by_key.get(key, ())}
        # Of a name with a backtick, a line break or a letter like “·” pandas may know the beginning only.
        same |= {twin for twin in cut_short if _written_out(twin).startswith(_written_out(name))}
        same.discard(name)
        if same:
            fault = f"A pandas query does not tell the columns “{one_line(name)}” and “{one_line(min(same))}” apart"
            raise InputError(f"{fault}: rename one of them, or copy the path as text.")


@lru_cache(maxsize=4096)
def _is_sayable(name: str) -> bool:
    key = _keys(name)[0]
    return (
        _is_whole(name)
        and normalize("NFKC", key) == key  # in which Python reads a query, but pandas no column of a frame
        and LOCAL not in key
        and name not in INFINITE
        and not name.startswith(PREFIX)
        and ONE_QUOTE.fullmatch(name) is not None
    )


def _is_whole(name: str) -> bool:
    """Whether every version of pandas reads a name to its end, or not at all."""
    key = _keys(name)[0]
    return bool(name) and key.isidentifier() and re.fullmatch(r"\w+", key) is not None


def _is_identifier(name: str) -> bool:
    """Whether pandas leaves a name as it is."""
    return name.isidentifier() and not iskeyword(name)


def _keys(name: str) -> tuple[str, str]:
    """What pandas 2 and pandas 3 call a column inside; the latter has another word for letters beyond ASCII."""
    if _is_identifier(name):
        return name, name
    return PREFIX + _written_out(name), PREFIX + _written_out("".join(map(_in_ascii, name)))


def _written_out(name: str) -> str:
    return "".join(SIGNS.get(letter, letter) for letter in name)


def _in_ascii(letter: str) -> str:
    if letter in "\\`":
        return "_BACKSLASH_" if letter == "\\" else "_BACKTICK__BACKTICK_"
    return letter.encode("ascii", "backslashreplace").decode().replace("\\", "_UNICODE_")
