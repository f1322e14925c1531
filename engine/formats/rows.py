"""Tables of rows as files, in pieces: CSV, workbooks and Parquet, in memory that does not grow with the rows.

Nothing is a formula there. A workbook holds what looks like one as text. A CSV file cannot say so: `without_formulas`
writes an apostrophe before it, as spreadsheets do themselves.
"""

import csv
import io
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

FORMULA = r"^[=+\-@\t\r]"
NUMBER = r"^[+-]?(?:[0-9.,]+(?:[eE][+-]?[0-9]+)?%?)?$"
MOST_ROWS, MOST_COLUMNS, LONGEST_CELL = 2**20, 2**14, 2**15 - 1  # of a sheet of Excel
ROWS_AT_ONCE = 2**14  # whose cells are Python's texts for a moment
PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?")
MOST_DIGITS = 15  # more are no longer the same number in a workbook
NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHEET = f'{XML}<worksheet xmlns="{SHEETS}"><sheetData>'
SHEET_END = "</sheetData></worksheet>"


class Pieces(io.RawIOBase):
    """What a library writes into it, to be taken out piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, data: Any) -> int:
        """Keeps the bytes until they are taken."""
        self._written.append(bytes(data))
        self._size += len(self._written[-1])
        return len(self._written[-1])

    def tell(self) -> int:
        """How many bytes were written."""
        return self._size

    def take(self) -> bytes:
        """What was written since the last call."""
        taken, self._written = b"".join(self._written), []
        return taken


def csv_pieces(tables: Iterator[Any], delimiter: str, decimal: str) -> Iterator[bytes]:
    """Comma-separated values in UTF-8, with a header, from Arrow tables of the same columns.

    Args:
        delimiter: between cells. decimal: the decimal mark of the columns of floats; texts stay as they are.
    """
    for number, table in enumerate(tables):
        if not number:
            header = io.StringIO(newline="")
            csv.writer(header, delimiter=delimiter, lineterminator="\n").writerow(table.column_names)
            yield header.getvalue().encode()
        columns = [written(cells, decimal) for cells in table.itercolumns()]
        plain = pa.table(columns, [str(i) for i in range(len(columns))])  # two columns may have one name for Arrow
        sink = io.BytesIO()
        pa_csv.write_csv(plain, sink, pa_csv.WriteOptions(include_header=False, delimiter=delimiter))
        yield sink.getvalue()


def written(cells: Any, decimal: str = ".") -> Any:
    """A column as CSV holds it: numbers and truths as they are, all else as texts."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return written(cells.cast(kind.value_type), decimal)
    if pa.types.is_floating(kind) and decimal != ".":
        return pc.replace_substring(pc.cast(cells, pa.large_string()), ".", decimal)
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return cells
    try:
        return pc.cast(cells, pa.large_string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return pa.array([None if value is None else str(value) for value in cells.to_pylist()], pa.large_string())


def without_formulas(cells: Any) -> tuple[Any, int]:
    """A column of texts, or of a dictionary of them, with an apostrophe before each that a spreadsheet would calculate,
    and how many these are."""
    is_coded = pa.types.is_dictionary(cells.type)
    texts = cells.dictionary if is_coded else cells
    begins = pc.match_substring_regex(texts, FORMULA)
    if not pc.any(begins).as_py():
        return cells, 0
    formula = pc.fill_null(pc.and_not(begins, pc.match_substring_regex(texts, NUMBER)), False)
    texts = pc.if_else(formula, pc.binary_join_element_wise("'", texts, ""), texts)
    if is_coded:
        formula, texts = pc.take(formula, cells.indices), pa.DictionaryArray.from_arrays(cells.indices, texts)
    return texts, pc.sum(formula).as_py() or 0


def writable(names: Sequence[str], columns: list[Any], suffix: str, left_out: dict[str, str]) -> tuple[Any, int]:
    """Columns as an Arrow table for a file with this suffix, and before how many cells an apostrophe was written;
    `left_out` gets a sentence for each that has to stay away."""
    fitting, cells, n_formulas = [], [], 0
    for name, own in zip(names, columns, strict=True):
        if suffix != ".parquet" and _is_no_text(own.type):
            left_out[name] = tr("“{name}” holds nested or binary values and was left out.", name=name)
            continue
        if suffix == ".csv":
            name = without_formulas(pa.array([name]))[0][0].as_py()
            kind = own.type.value_type if pa.types.is_dictionary(own.type) else own.type
            if pa.types.is_string(kind) or pa.types.is_large_string(kind):
                own, n = without_formulas(own)
                n_formulas += n
        fitting.append(name)
        cells.append(own)
    return pa.table(cells, fitting), n_formulas


def _is_no_text(kind: Any) -> bool:
    """Whether a column can be written to Parquet only."""
    return bool(pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
                or pa.types.is_fixed_size_binary(kind))  # fmt: skip


def parquet_pieces(tables: Iterator[Any], _delimiter: str, _decimal: str) -> Iterator[bytes]:
    """A Parquet file; the types of the columns are those of the first table."""
    sink, writer = Pieces(), None
    for table in tables:
        writer = writer or pa_parquet.ParquetWriter(sink, table.schema)
        writer.write_table(table)
        yield sink.take()
    if writer is not None:
        writer.close()
    yield sink.take()


def xlsx_pieces(tables: Iterator[Any], _delimiter: str, decimal: str) -> Iterator[bytes]:
    """A workbook with one sheet. Texts that are plain numbers with this decimal mark become numbers.

    Raises:
        InputError: there are more rows, columns or letters in a cell than a sheet holds.
    """
    sink, n_rows = Pieces(), 1
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as book:
        for name, part in parts_of_book(("rows",)).items():
            book.writestr(name, part)
        with book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(SHEET.encode())
            for table in tables:
                if n_rows == 1:
                    sheet.write(_row(map(text_cell, table.column_names)))
                n_rows += table.num_rows
                check_sheet(n_rows, table.num_columns)
                for batch in table.to_batches(ROWS_AT_ONCE):
                    columns = [_cells(column, decimal) for column in batch.columns]
                    sheet.write(b"".join(_row(row) for row in zip(*columns, strict=True)))
                    yield sink.take()
            sheet.write(SHEET_END.encode())
    yield sink.take()


def parts_of_book(sheets: Sequence[str], styles: str = "") -> dict[str, str]:
    """The files of a workbook but its sheets, which are `xl/worksheets/sheet1.xml` and so on; `styles`: what is between
    the tags of its style sheet, if it has one."""
    numbers = range(1, len(sheets) + 1)
    kinds = [("worksheet", f"worksheets/sheet{k}.xml", "worksheet") for k in numbers]
    kinds += [("styles", "styles.xml", "styles")] if styles else []
    types = [f'<Override PartName="/xl/{path}" ContentType="{TYPES}.{kind}+xml"/>' for kind, path, _ in kinds]
    links = [f'<Relationship Id="rId{k}" Target="{path}" Type="{RELATIONS}/{kind}"/>'
             for k, (_, path, kind) in enumerate(kinds, 1)]  # fmt: skip
    named = [f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"/>' for k, name in zip(numbers, sheets, strict=True)]
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{TYPES}.sheet.main+xml"/>{"".join(types)}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Target="xl/workbook.xml" Type="{RELATIONS}/officeDocument"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{RELATIONS}"><sheets>{"".join(named)}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(links)}'
        "</Relationships>",
    }  # fmt: skip
    if styles:
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{SHEETS}">{styles}</styleSheet>'
    return {name: XML + part for name, part in parts.items()}


def check_sheet(n_rows: int, n_columns: int) -> None:
    """Raises InputError where a sheet has no room for so many rows, the header among them, and columns."""
    if n_rows > MOST_ROWS or n_columns > MOST_COLUMNS:
        raise InputError(tr(
            "A workbook holds no more than {rows:,} rows and {columns:,} columns: write CSV or Parquet.",
            rows=MOST_ROWS - 1, columns=MOST_COLUMNS))  # fmt: skip


def _row(cells: Any) -> bytes:
    return f"<row>{''.join(cells)}</row>".encode()


def _cells(column: Any, decimal: str) -> list[str]:
    if pa.types.is_boolean(column.type):
        return ["<c/>" if value is None else f'<c t="b"><v>{value:d}</v></c>' for value in column.to_pylist()]
    plain = pc.cast(column, pa.large_string()) if pa.types.is_integer(column.type) else written(column)
    if pa.types.is_floating(plain.type):
        return ["<c/>" if value is None or value - value != 0 else f"<c><v>{value!r}</v></c>"
                for value in plain.to_pylist()]  # fmt: skip  # no workbook holds a number that is not finite
    coded = plain.dictionary_encode()
    of_level = [_of_text(text, decimal) for text in coded.dictionary.to_pylist()]
    return ["<c/>" if place is None else of_level[place] for place in coded.indices.to_pylist()]


def _of_text(text: str, decimal: str) -> str:
    number = text.replace(decimal, ".") if decimal != "." and "." not in text else text
    if PLAIN_NUMBER.fullmatch(number) and len(number.strip("-").replace(".", "").lstrip("0")) <= MOST_DIGITS:
        return f"<c><v>{number}</v></c>"
    return text_cell(text)


def text_cell(text: str) -> str:
    """A cell of a workbook with a text, which is never a formula; InputError where it is too long."""
    if not text:
        return "<c/>"
    if len(text) > LONGEST_CELL:
        raise InputError(tr(
            "A cell of a workbook holds no more than {most:,} letters, but “{start}…” is longer: write CSV or Parquet.",
            most=LONGEST_CELL, start=text[:40]))  # fmt: skip
    return f'<c t="inlineStr"><is><t xml:space="preserve">{in_xml(text)}</t></is></c>'


def in_xml(text: str) -> str:
    """A text as a workbook holds it."""
    return escape(NO_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", text))


ROW_WRITERS = {".csv": csv_pieces, ".xlsx": xlsx_pieces, ".parquet": parquet_pieces}


def checked_suffix(target: str | os.PathLike[str]) -> str:
    """The suffix of a file that rows can be written to; InputError where none can be."""
    suffix = Path(target).suffix.lower()
    if suffix not in ROW_WRITERS:
        raise InputError(tr(
            "“{name}” cannot be written: “{suffix}” is none of {known}.", name=Path(target).name, suffix=suffix,
            known=", ".join(ROW_WRITERS)))  # fmt: skip
    return suffix
