"""Looking at the beginning of a text table: what separates its cells, its decimal mark, whether it has a header."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.readers.options import DELIMITERS

LOOKED_AT = 200  # records that the guesses look at
DECIMAL_COMMA = re.compile(r"[+-]?(\d*|\d{1,3}(\.\d{3})+),\d+([eE][+-]?\d+)?")
DECIMAL_POINT = re.compile(r"[+-]?(\d*|\d{1,3}(,\d{3})+)\.\d+([eE][+-]?\d+)?")
GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
NUMBER = re.compile(r"[+-]?((\d+|\d{1,3}([.,]\d{3})+)([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")
HAS_DIGIT = re.compile(r"\d")
MOST_CODES = 2  # so many different words among numbers are taken for codes
YEAR = re.compile(r"(1[5-9]|20)\d\d")
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}.*|\d{1,2}([./])\d{1,2}\1\d{2,4}.*")
TRUTH = re.compile(r"true|false", re.IGNORECASE)
BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))+")
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?[;,\t]*(?:\r\n|\r|\n)', re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """How a text table is laid out.

    Attributes:
        header: the cells of the header, or empty texts when there is none; as many as columns.
        start: characters before the first row of values (blank lines, header).
        rows: the first records, as lists of cells.
    """

    delimiter: str
    decimal: str
    has_header: bool
    header: list[str]
    start: int
    rows: list[list[str]]


def layout(text: str, delimiter: str | None, decimal: str | None, header: bool | None, *, limit: int) -> Layout:
    """Guesses what is None from the beginning of a text, and gives the first `limit` records.

    The last record of a text that was cut must have been taken off. Source of the idea, that the right delimiter gives
    the most regular table: G. van den Burg, A. Nazábal, C. Sutton, "Wrangling messy CSV files", 2019.
    """
    start, named = _preamble(text)
    delimiter = delimiter or named or guess_delimiter(text[start:])
    found = list(records(text, delimiter, start, max(limit, LOOKED_AT) + 1))
    cells = [row for row, _ in found]
    has_header = guess_header(cells[:LOOKED_AT]) if header is None else header
    has_header = has_header and bool(cells)
    rows = cells[1:] if has_header else cells
    names = cells[0] if has_header else []
    return Layout(
        delimiter,
        decimal or guess_decimal(rows[:LOOKED_AT], delimiter),
        has_header,
        _fitted(names, rows[:LOOKED_AT], has_header),
        found[0][1] if has_header else start,
        rows[:limit],
    )


def records(text: str, delimiter: str, start: int = 0, limit: int | None = None) -> Iterator[tuple[list[str], int]]:
    """Records that are not blank, each with the number of characters up to its end."""
    consumed = start

    def lines() -> Iterator[str]:
        nonlocal consumed
        for line in io.StringIO(text[start:], newline=""):
            consumed += len(line)
            yield line

    given = 0
    try:
        for row in csv.reader(lines(), delimiter=delimiter):
            if not is_blank(row):
                yield row, consumed
                given += 1
            if given == limit:
                return
    except csv.Error:  # a cell of more than 131,072 characters: what came before is enough to look at
        return


def is_blank(row: list[str]) -> bool:
    """Whether a record comes from an empty line."""
    return not row or (len(row) == 1 and not row[0].strip())


def _preamble(text: str) -> tuple[int, str | None]:
    """Characters of leading blank lines and of Excel's `sep=;` line, and the delimiter that it names."""
    blank = BLANK_LINES.match(text)
    start = blank.end() if blank else 0
    named = SEPARATOR_LINE.match(text, start)
    return (named.end(), named[1]) if named and named[1] in DELIMITERS else (start, None)


def guess_delimiter(text: str) -> str:
    """The delimiter that gives the most regular table; "," when none gives two columns."""
    scores = {delimiter: _regularity(text, delimiter) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda delimiter: scores[delimiter])
    return best if scores[best] > 0 else ","


def _regularity(text: str, delimiter: str) -> float:
    """From 0 to 1: the share of records of the usual width, times that of cells without another delimiter in them."""
    if delimiter not in text:
        return 0.0
    if delimiter == " ":
        text = single_spaces(text[: 2**16])
    rows = [row for row, _ in records(text, delimiter, 0, LOOKED_AT)]
    widths = Counter(len(row) for row in rows[1:] or rows)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
    if width < 2:
        return 0.0
    share = count / widths.total()
    if delimiter == " ":  # stands in texts and dates, too: only a table without exception counts
        share = 0.9 if share > 0.95 else 0.0
    cells = [cell for row in rows for cell in row]
    clean = sum(not _holds_other_delimiter(cell, delimiter) for cell in cells) / len(cells)
    off = abs(len(rows[0]) - width)  # one is row names, or a delimiter at the end
    return share * clean * (1.0 if off == 0 else 0.8 if off == 1 else 0.3)


def _holds_other_delimiter(cell: str, delimiter: str) -> bool:
    if any(other in cell for other in ";\t|" if other != delimiter):
        return True
    return delimiter != "," and re.search(r",\S", cell) is not None and not DECIMAL_COMMA.fullmatch(cell.strip())


def single_spaces(text: str) -> str:
    """Runs of spaces joined to one, none at the ends of lines: a table aligned by spaces becomes a delimited one."""
    return re.sub(r" *(\r\n|\r|\n|\Z) *", r"\1", re.sub(r"  +", " ", text)).lstrip(" ")


def guess_decimal(rows: list[list[str]], delimiter: str) -> str:
    """ "," when more columns are written with decimal commas than with decimal points.

    A word or two beside the numbers, such as "k.A.", are probably a code for missing: they do not spoil a column.
    """
    commas = points = 0
    for cells in _columns(rows):
        filled = [cell for cell in cells if cell]
        words = {cell for cell in filled if not HAS_DIGIT.search(cell)}
        if len(words) <= MOST_CODES:
            filled = [cell for cell in filled if cell not in words]
        with_comma = [cell for cell in filled if DECIMAL_COMMA.fullmatch(cell)]
        clear = any(not GROUPED.fullmatch(cell) for cell in with_comma) or (delimiter == ";" and with_comma)
        all_numbers = all(NUMBER.fullmatch(cell) for cell in filled)
        commas += bool(clear and all_numbers)
        points += bool(all_numbers and any(DECIMAL_POINT.fullmatch(cell) for cell in filled))
    return "," if commas > points else "."


def guess_header(rows: list[list[str]]) -> bool:
    """Whether the first record names the columns.

    Each column votes: yes when its values are numbers, dates or truths and the first cell is not; no when
    both are, or when the first cell comes again below. Undecided: a header if its cells are all different.
    """
    if not rows:
        return False
    head = [cell.strip() for cell in rows[0]]
    votes = sum(_vote(cell, below) for cell, below in zip(head, _columns(rows[1:]), strict=False))
    if votes:
        return votes > 0
    filled = [cell for cell in head if cell]
    plain = [cell for cell in filled if _is_plain(cell)]
    years = all(YEAR.fullmatch(cell) for cell in plain)
    return len(set(filled)) == len(filled) > len(plain) and years


def _vote(head: str, below: list[str]) -> int:
    filled = [cell for cell in below if cell]
    n_plain = sum(_is_plain(cell) for cell in filled)
    if n_plain and n_plain * 10 >= len(filled) * 9:
        if not _is_plain(head):
            return 1 if head else 0
        named_by_year = YEAR.fullmatch(head) and not any(YEAR.fullmatch(cell) for cell in filled)
        return 0 if named_by_year else -1
    return -1 if head and head in filled else 0


def _is_plain(cell: str) -> bool:
    return any(pattern.fullmatch(cell) for pattern in (NUMBER, DATE, TRUTH))


def _columns(rows: list[list[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    return [[row[i].strip() for row in rows if i < len(row)] for i in range(width)]


def _fitted(names: list[str], rows: list[list[str]], has_header: bool) -> list[str]:
    """The header with as many cells as there are columns: rows with one cell more have row names in front, as R writes
    them, or a delimiter too many behind."""
    widths = Counter(len(row) for row in rows)
    usual = max(widths.items(), key=lambda item: (item[1], item[0]))[0] if widths else len(names)
    if not has_header:
        return [""] * usual
    full = [row for row in rows if len(row) == len(names) + 1]
    if usual == len(names) + 1 and len(full) * 10 >= len(rows) * 9:
        return [*names, ""] if all(not row[-1].strip() for row in full) else ["", *names]
    if usual == len(names) - 1 and not names[-1].strip():
        return names[:-1]
    return names
