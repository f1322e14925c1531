"""ARFF, the format of Weka: a header that declares every column, then rows, dense or sparse.

    @relation play
    @attribute outlook {sunny, overcast, 'light rain'}     the declared levels, in their order
    @attribute humidity numeric
    @data
    sunny, 85                                              % a comment
    {1 85}                                                 sparse: what is not named is 0, or the first level
    'light rain', ?, {2.5}                                 missing, and the weight of a row

Source: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from engine.readers.files import as_utf8, check_columns, file_bytes
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw, chosen_names
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr

QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
WITHOUT_COMMENT = re.compile(rf"(?:{QUOTED}|[^%'\"])*")
ATTRIBUTE = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{}}'\"]+)\s*(?:\{{(.*)\}}|([a-z]+)\s*(.*))\s*", re.IGNORECASE)
CELL = re.compile(rf"\s*({QUOTED}|[^,\t'\"]*?)\s*(?:[,\t]|$)")
SPARSE = re.compile(rf"\s*(\d+)\s+({QUOTED}|[^,\s'\"]+)\s*(?:,|$)")
WEIGHT = re.compile(r"(.*)[,\t]\s*\{([^{}]*)\}\s*")
ESCAPED = re.compile(r"\\(.)")
SPECIAL = re.compile(r"[%'\"{}\t]")  # a line without any of them is cut at its commas
NUMBERS, TEXT, DATE = ("numeric", "real", "integer"), "string", "date"
USUAL_DATE = "yyyy-MM-dd'T'HH:mm:ss"
DATE_PARTS = re.compile(r"yyyy|yy|MM|dd|HH|mm|ss|SSS|'[^']*'|[A-Za-z]+|.")
PYTHON = {"yyyy": "%Y", "yy": "%y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S", "SSS": "%f"}
AT_ONCE = 20_000  # rows
FAULTS = {
    "header": marked("{file}, line {line}: “{text}” declares no column: write @attribute, a name and a type."),
    "nothing": marked("{file} is no ARFF file, as it has no @attribute before its @data: choose another file."),
    "type": marked("{file}, line {line}: columns of type “{text}” cannot be read: leave the column out."),
    "cells": marked("{file}, line {line}: “{text}” does not fit the {n} columns of the header: correct the line."),
    "level": marked("{file}, line {line}: “{text}” is no declared level of “{column}”: add it to the header."),
    "number": marked("{file}, line {line}: “{text}” in “{column}” is no number: correct it, or write ? for missing."),
    "date": marked("{file}, line {line}: “{text}” in “{column}” is no date as declared: correct it, or write ?."),
}


@dataclass(frozen=True)
class Attribute:
    """A declared column.

    Attributes:
        kind: "nominal", "numeric", "string", or "date".
        levels: declared ones, of a nominal column.
        written: how dates are, as `strptime` takes it.
    """

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    written: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a file, to be blamed."""

    file: str
    number: int
    text: str

    def fault(self, what: str, text: str | None = None, **said: Any) -> InputError:
        shown = one_line(self.text if text is None else text)
        return InputError(tr(FAULTS[what], file=self.file, line=self.number, text=shown, **said))


def read_arff(path: Path, options: ReadOptions, *, limit: int | None = None, progress: Progress | None = None) -> Raw:
    """All rows, or the first `limit`. Weights of rows become a column of their own, and a note says so.

    Raises:
        InputError: a line of the header or of the data cannot be used, or a stop was asked for.
    """
    text, encoding, notes = as_utf8(file_bytes(path), options.encoding, path.name)
    lines = _lines(path.name, text.decode())
    attributes = _header(path.name, lines)
    check_columns(path.name, len(attributes))
    rows, chunks, weights = islice(_rows(lines, attributes), limit), [], list[float]()
    while some := list(islice(rows, AT_ONCE)):
        if progress is not None and progress.stopped:
            raise InputError(tr("Reading {file} was stopped.", file=path.name))
        cells = zip(*(row for _, row, _ in some), strict=True)
        blamed = [line for line, _, _ in some]
        chunks.append(
            [_typed(attribute, list(each), blamed) for attribute, each in zip(attributes, cells, strict=True)]
        )
        weights += [weight for _, _, weight in some]
    columns: list[Any] = [pa.chunked_array(list(parts)).combine_chunks() for parts in zip(*chunks, strict=True)]
    if not chunks:
        columns = [pa.array([], pa.large_string()) for _ in attributes]
    names, renamed = chosen_names(path.name, [attribute.name for attribute in attributes], options)
    notes += renamed
    if any(weight != 1.0 for weight in weights):
        free = next(name for name in ("weight", *map("weight ({})".format, range(2, 2**17))) if name not in names)
        names, columns = (*names, free), [*columns, pa.array(weights)]
        notes.append(tr("The rows carry weights: they are the column “{name}”; choose its role.", name=free))
    raw = Raw(path.name, names, columns, replace(options, encoding=encoding), tuple(notes), typed=True)
    return raw if limit is not None and raw.height == limit else replace(raw, n_rows=raw.height)


def _lines(file: str, text: str) -> Iterator[Line]:
    """The lines that say something, without comments."""
    for number, line in enumerate(text.splitlines(), 1):
        said = line if "%" not in line else WITHOUT_COMMENT.match(line)[0]  # type: ignore[index]  # it matches nothing, too
        if said.strip():
            yield Line(file, number, said.strip())


def _header(file: str, lines: Iterator[Line]) -> list[Attribute]:
    """The declared columns; the data come next."""
    found: list[Attribute] = []
    for line in lines:
        word = line.text.split(None, 1)[0].lower()
        if word == "@data":
            break
        if word != "@relation":
            found.append(_attribute(line))
    if not found:
        raise InputError(tr(FAULTS["nothing"], file=file))
    return found


def _attribute(line: Line) -> Attribute:
    match = ATTRIBUTE.fullmatch(line.text)
    if match is None:
        raise line.fault("header")
    name, levels, kind, written = _plain(match[1]), match[2], (match[3] or "").lower(), match[4] or ""
    if levels is not None:
        return Attribute(name, "nominal", tuple(dict.fromkeys(map(_plain, _cells(levels)))))
    if kind in NUMBERS:
        return Attribute(name, "numeric")
    if kind not in (TEXT, DATE):
        raise line.fault("type", kind)
    parts = DATE_PARTS.findall(_plain(written.strip()) or USUAL_DATE)
    return Attribute(name, kind, written="".join(PYTHON.get(part, part.strip("'")) for part in parts))


def _rows(lines: Iterator[Line], attributes: list[Attribute]) -> Iterator[tuple[Line, list[str | None], float]]:
    """(its line, a cell for each column, None for a missing one, the weight) of every row."""
    least = [attribute.levels[0] if attribute.levels else "0" for attribute in attributes]  # what sparse rows leave out
    for line in lines:
        text, weight = line.text, 1.0
        if not SPECIAL.search(text):
            cells = [None if cell == "?" else cell for cell in map(str.strip, text.split(","))]
        else:
            if weighed := WEIGHT.fullmatch(text):
                text, weight = weighed[1], _number(line, weighed[2], "weight")
            if text.startswith("{") and text.endswith("}"):
                cells = [None if attribute.kind in (TEXT, DATE) else cell
                         for cell, attribute in zip(least, attributes, strict=True)]  # fmt: skip
                for at, cell in _named(line, text[1:-1], len(attributes)):
                    cells[at] = None if cell == "?" else _plain(cell)
            else:
                cells = [None if cell == "?" else _plain(cell) for cell in _cells(text)]
        if len(cells) != len(attributes):
            raise line.fault("cells", n=len(attributes))
        yield line, cells, weight


def _cells(text: str) -> list[str]:
    """What stands between commas or tabs, as it is written; empty where a quotation mark stands alone."""
    found, at = list[str](), 0
    while match := CELL.match(text, at):
        found.append(match[1])
        if match.end() == len(text) and text[-1:] not in (",", "\t"):
            return found
        at = match.end()
    return []


def _named(line: Line, text: str, n: int) -> Iterator[tuple[int, str]]:
    """(column, cell) of what a sparse row names."""
    at = 0
    while text[at:].strip():
        match = SPARSE.match(text, at)
        if match is None or int(match[1]) >= n:
            raise line.fault("cells", n=n)
        yield int(match[1]), match[2]
        at = match.end()


def _plain(text: str) -> str:
    """Without its quotation marks."""
    return ESCAPED.sub(r"\1", text[1:-1]) if text[:1] in ("'", '"') else text


def _number(line: Line, text: str, column: str) -> float:
    try:
        return float(text.replace("_", "?"))  # Python's own, which allows it between digits
    except ValueError:
        raise line.fault("number", text, column=column) from None


def _typed(attribute: Attribute, cells: list[str | None], lines: list[Line]) -> Any:
    """Some cells of a column as its type."""
    if attribute.kind == "numeric":
        numbers = [np.nan if cell is None else _number(line, cell, attribute.name)
                   for cell, line in zip(cells, lines, strict=True)]  # fmt: skip
        return pa.array(numbers, pa.float64(), from_pandas=True)
    if attribute.kind == "nominal":
        place = {level: k for k, level in enumerate(attribute.levels)} | {None: None}
        for cell, line in zip(cells, lines, strict=True):
            if cell not in place:
                raise line.fault("level", cell, column=attribute.name)
        indices = pa.array([place[cell] for cell in cells], pa.int32())
        return pa.DictionaryArray.from_arrays(indices, pa.array(attribute.levels, pa.large_string()))
    if attribute.kind == DATE:
        dates = pd.to_datetime(pd.Series(cells, dtype="str"), format=attribute.written, errors="coerce")
        for k in np.flatnonzero(dates.isna()):
            if (cell := cells[int(k)]) is not None:
                raise lines[int(k)].fault("date", cell, column=attribute.name)
        return pa.array(dates, pa.timestamp("us"), from_pandas=True)
    return pa.array(cells, pa.large_string())
