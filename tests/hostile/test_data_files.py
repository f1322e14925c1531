"""Damaged files of data: each is a table or a sentence, for the preview and for reading itself."""

import io
import os
import struct
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

import engine
from engine.readers import chunks
from gui.dialogs.table_preview import cells_of, estimated_rows, subtitle_of
from tests.hostile.mutation import mutated, mutated_zip, zipped
from tests.hostile.runner import RESULT, SENTENCE, Case, check
from tests.hostile.spreadsheets import ods_cell, ods_of

FEW, MANY = 6, 530  # damaged files of each seed, in every run and with --full


def frame() -> pd.DataFrame:
    """Every kind of column, with missing values."""
    rng = np.random.default_rng(0)
    n = 60
    return pd.DataFrame(
        {
            "number": rng.normal(size=n).round(3),
            "integer": rng.integers(0, 100, n),
            "text": rng.choice(["red", "grün", "sky blue", '5"', "a,b"], n),
            "level": pd.Categorical(rng.choice(["low", "high"], n), categories=["low", "middle", "high"]),
            "date": pd.Timestamp("2024-02-28") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "truth": rng.random(n) < 0.5,
            "gone": np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 5, n)),
            "class": rng.choice(["yes", "no"], n),
        }
    )


def xlsx(table: pd.DataFrame) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(table.columns))
    for row in table.astype(object).itertuples(index=False):
        sheet.append([None if pd.isna(cell) else cell for cell in row])
    room = io.BytesIO()
    book.save(room)
    return room.getvalue()


def ods(table: pd.DataFrame) -> bytes:
    rows = [table.columns, *table.astype(object).itertuples(index=False)]
    return ods_of("".join(f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows))


def parquet(table: pd.DataFrame, **how: object) -> bytes:
    room = io.BytesIO()
    pa.parquet.write_table(pa.Table.from_pandas(table), room, **how)
    return room.getvalue()


def feather(table: pd.DataFrame, **how: object) -> bytes:
    room = io.BytesIO()
    pa.feather.write_feather(table, room, **how)
    return room.getvalue()


SEEDS = {
    "comma.csv": lambda: frame().to_csv(index=False).encode(),
    "tab.tsv": lambda: frame().to_csv(index=False, sep="\t").encode(),
    "space.txt": lambda: frame()[["number", "integer", "class"]].to_csv(index=False, sep=" ").encode(),
    "semicolon16.csv": lambda: frame().to_csv(index=False, sep=";", decimal=",").encode("utf-16"),
    "large.csv": lambda: pd.concat([frame()] * 500).to_csv(index=False).encode(),
    "book.xlsx": lambda: xlsx(frame()),
    "book.ods": lambda: ods(frame()),
    "plain.parquet": lambda: parquet(frame(), compression="none", use_dictionary=False),
    "usual.parquet": lambda: parquet(frame(), row_group_size=25),
    "paged.parquet": lambda: parquet(frame(), compression="zstd", data_page_version="2.0", data_page_size=64),
    "plain.feather": lambda: feather(frame(), compression="uncompressed", chunksize=25),
    "usual.feather": lambda: feather(frame(), compression="lz4"),
    "packed.feather": lambda: feather(frame(), compression="zstd"),
    "first.feather": lambda: feather(frame().drop(columns="truth"), version=1),
}
SCORED = [name for name in SEEDS if name != "space.txt"]  # which lacks some columns
PARTS = {"book.xlsx": xlsx, "book.ods": ods}
seed_of = cache(lambda name: SEEDS[name]())


def look_and_read(data: bytes, suffix: str) -> str:
    """What the import dialog does with a file, and what follows when it is accepted."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"table{suffix}")
        path.write_bytes(data)
        preview = engine.inspect(path)
        shown = repr((cells_of(preview), subtitle_of(preview), estimated_rows(preview), preview.notes))
        table = engine.read_table(path, target=preview.target)
    told = [*table.names, *table.notes, *(level for column in table.columns for level in column.levels)]
    "\n".join((shown, *told)).encode()  # whatever is read can be written
    return f"{table.n_rows} rows, {len(table.columns)} columns"


def open_damaged(name: str, seed: int) -> str:
    return look_and_read(mutated(seed_of(name), seed), Path(name).suffix)


def open_damaged_inside(name: str, seed: int) -> str:
    """A workbook whose zip is whole, but not one of its parts."""
    return look_and_read(mutated_zip(seed_of(name), seed), Path(name).suffix)


def paste_damaged(seed: int) -> str:
    text = mutated(seed_of("tab.tsv"), seed).decode("utf-8", errors="surrogateescape")
    preview = engine.inspect_text(text)
    cells_of(preview)
    table = engine.read_text(text, target=preview.target)
    return f"{table.n_rows} rows, {len(table.columns)} columns"


@cache
def tree_that_asks_everything() -> engine.Tree:
    table = engine.Table.from_frame(frame(), target="class")
    return engine.grow(table)


def score_damaged(name: str, seed: int | None) -> str:
    """The rows of a file by a tree, in chunks of a few rows; what is written is whole."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = Path(folder, f"new{Path(name).suffix}"), Path(folder, "scored.parquet")
        data = seed_of(name) if seed is None else mutated(seed_of(name), seed)
        path.write_bytes(data)
        chunks.BLOCK, chunks.ROWS = len(data) // 4 + 1, 10
        try:
            found = engine.score(tree_that_asks_everything(), path, target)
        except engine.InputError:
            assert os.listdir(folder) == [path.name]
            raise
        assert pa.parquet.read_metadata(target).num_rows == found.n_rows
    return f"{found.n_rows} rows, {sum(column.unreadable for column in found.columns)} cells unreadable"


def open_whole() -> list[str]:
    return [look_and_read(seed_of(name), Path(name).suffix) for name in SEEDS]


def score_whole() -> list[str]:
    return [score_damaged(name, None) for name in SCORED]


def test_damaged_files_are_scored_or_a_sentence(full):
    cases = [Case(score_damaged, (name, seed)) for name in SCORED for seed in range(MANY if full else FEW)]
    found = check(cases, Case(score_whole))
    assert found[RESULT] > len(cases) / 5 and found[SENTENCE] > len(cases) / 5


def test_damaged_files_are_tables_or_sentences(full):
    n = MANY if full else FEW
    cases = [Case(open_damaged, (name, seed)) for name in SEEDS for seed in range(n)]
    cases += [Case(open_damaged_inside, (name, seed)) for name in PARTS for seed in range(2 * n)]
    cases += [Case(paste_damaged, (seed,)) for seed in range(n)]
    found = check(cases, Case(open_whole))
    assert found[RESULT] > len(cases) / 5 and found[SENTENCE] > len(cases) / 5


def open_wide() -> str:
    """So many columns that whatever looks at all of them for each of them takes a minute."""
    return look_and_read(parquet(pd.DataFrame(np.eye(3, 6000)[:, ::-1]).rename(columns=str)), ".parquet")


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
FIRST, LAST = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>1</v></c></row>', 'r="XFD1048576"'
FAR = f'{FIRST}<row r="1048576"><c {LAST}><v>1</v></c></row>'


def sheet_of(rows: str) -> bytes:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'.encode()


def book_of(sheet: bytes, place: str = "xl/s.xml", book: bytes | None = None, **more: bytes) -> bytes:
    """A workbook of one sheet, which stands where no program writes it."""

    def link(kind: str, target: str) -> bytes:
        return (
            f'<Relationships xmlns="{LINKS}"><Relationship Id="r" Type="{DOCUMENT}/{kind}" Target="{target}"/>'
            "</Relationships>"
        ).encode()

    named = f'<workbook xmlns="{MAIN}" xmlns:r="{DOCUMENT}"><sheets><sheet name="S" sheetId="1" r:id="r"/></sheets>'
    kind = "xml" if book is None else "bin"
    target = place.removeprefix("xl/") if place.startswith("xl/") else f"/{place}"
    parts = {
        "[Content_Types].xml": b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": link("officeDocument", f"xl/workbook.{kind}"),
        f"xl/workbook.{kind}": f"{named}</workbook>".encode() if book is None else book,
        f"xl/_rels/workbook.{kind}.rels": link("worksheet", target),
        place: sheet,
    }
    return zipped({**parts, **more})


def open_in_disguise(how: str) -> str:
    """A cell so far away that its rectangle takes 400 GB, written so that a look at the bytes may not see it."""
    last = LAST.replace('"', "'")
    wide = FIRST + '<row r="20000"><c r="XFD20000"><v>1</v></c></row>'
    books = {
        "comment": lambda: book_of(sheet_of(f'{FIRST}<row r="2"><c {last}><!-- r="A1" --><v>1</v></c></row>')),
        "attribute": lambda: book_of(sheet_of(f'{FIRST}<row r="2"><c x=\' r="A1" \' {last}><v>1</v></c></row>')),
        "beginning": lambda: b"JUNK" + book_of(sheet_of(FAR)),
        "place": lambda: book_of(sheet_of(FAR), "content.xml"),
        "many": lambda: book_of(sheet_of(f"{wide}<!--{'<v>' * 20_000_000}-->")),
        "plain": lambda: book_of(sheet_of(FAR)),
    }
    return look_and_read(books[how](), ".xlsx")


def open_binary() -> str:
    """The same in the binary form of Excel's workbooks."""

    def record(kind: int, data: bytes = b"") -> bytes:
        assert len(data) < 128
        return (bytes([kind]) if kind < 128 else bytes([kind, 1])) + bytes([len(data)]) + data

    def text(said: str) -> bytes:
        return struct.pack("<I", len(said)) + said.encode("utf-16-le")

    def row(number: int, column: int) -> bytes:
        return record(0, struct.pack("<I13x", number)) + record(2, struct.pack("<III", column, 0, 6))

    sheets = record(0x8F) + record(0x9C, struct.pack("<II", 0, 1) + text("r") + text("S")) + record(0x90)
    book = record(0x83) + sheets + record(0x9D, bytes(26)) + record(0x84)
    size = record(0x94, struct.pack("<IIII", 0, 2**20 - 1, 0, 2**14 - 1))
    cells = record(0x91) + row(0, 0) + row(2**20 - 1, 2**14 - 1) + record(0x92)
    sheet = record(0x81) + size + cells + record(0x82)
    return look_and_read(book_of(sheet, "xl/worksheets/sheet1.bin", book), ".xlsb")


def open_with_more(how: str) -> str:
    """A small table beside parts that are no sheet of the workbook."""
    small = sheet_of(
        FIRST + '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>3</v></c></row><row r="3"><c r="B3"><v>4</v></c></row>'
    )
    parts = {
        "picture": lambda: {"xl/media/image1.bmp": b"BM" + b"\xff" * 3_000_000},
        "unused": lambda: {f"xl/worksheets/s{i}.xml": sheet_of("<c r='A1'><v/></c>" * 3_500_000) for i in range(3)},
    }
    return look_and_read(book_of(small, **parts[how]()), ".xlsx")


def open_one_long_level() -> str:
    """A text of a megabyte in 2,500 rows, which Parquet writes once."""
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(2500, np.int32)), pa.array(["x" * 2**20]))
    room = io.BytesIO()
    schema = pa.schema({"a": texts.type, "y": pa.int64()})
    rows = pa.table([texts, pa.array(np.arange(2500) % 2)], schema)
    pa.parquet.write_table(rows, room, compression="zstd", store_schema=False)  # as a plain text, it says
    return look_and_read(room.getvalue(), ".parquet")


def open_without_end() -> str:
    """Rows of nothing, which take no byte."""
    nothing = pa.Array.from_buffers(pa.null(), 2**40, [None])
    rows = pa.record_batch({"a": nothing, "b": nothing})
    room = io.BytesIO()
    with pa.ipc.new_file(room, rows.schema, options=pa.ipc.IpcWriteOptions(allow_64bit=True)) as file:
        file.write_batch(rows)
    return look_and_read(room.getvalue(), ".feather")


def open_text(*parts: tuple[bytes, int]) -> str:
    """Bytes, each of them so many times."""
    return look_and_read(b"".join(piece * times for piece, times in parts), ".csv")


def test_files_that_ask_for_much_are_answered_soon():
    text = [
        ((b"a", 20_000_000),),
        ((b"x,y\n1,", 1), (b"a", 20_000_000), (b"\n2,b\n", 1)),
        ((b"1,", 10_000_000),),
        ((b"c,", 10**6), (b"c\n", 1), (b"1,", 10**6), (b"1\n", 1)),
        ((b'x,y\n1,"a\n', 1), (b"2,b\n", 2_000_000)),
        ((b"x y\n1", 1), (b" ", 20_000_000), (b"2\n", 1)),
        ((b"x,y\n1,2\n", 1), (b"1,2,", 5_000_000)),
        ((b"\x1f\x8b\x08", 1), (b"\0", 100)),
    ]
    cases = [
        Case(open_wide),
        *(Case(open_in_disguise, (how,)) for how in ("comment", "attribute", "beginning", "place", "many", "plain")),
        Case(open_binary),
        Case(open_without_end),
        *(Case(open_text, each) for each in text),
    ]
    check(cases, Case(open_whole), seconds=25)


def test_what_only_looks_large_is_read():
    cases = [*(Case(open_with_more, (how,)) for how in ("picture", "unused")), Case(open_one_long_level)]
    assert check(cases, Case(open_whole))[RESULT] == len(cases)
