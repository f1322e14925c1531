"""Workbooks: sheets, dates, numbers stored as text, merged headings, and workbooks that cannot be opened."""

import datetime
import io
import struct
import zipfile

import openpyxl
import pandas as pd
import pytest

from engine.readers import ReadOptions, inspect, read_source, read_table
from engine.runtime.errors import InputError
from tests.read_frames import read_frame


def workbook(path, *, merged=(), **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    book.save(path)
    return path


def refusal(call, *args, **kwargs) -> str:
    with pytest.raises(InputError) as caught:
        call(*args, **kwargs)
    assert str(caught.value).endswith(".")
    return str(caught.value)


PEOPLE = [
    ["age", "since", "paid", "code", "member"],
    [31, datetime.date(2020, 1, 31), 1.5, "007", True],
    [42, datetime.datetime(2021, 2, 1, 10, 30), None, "042", False],
    [25, datetime.date(2022, 3, 1), 2.25, "100", True],
]


def test_each_cell_keeps_its_meaning(tmp_path):
    path = workbook(tmp_path / "people.xlsx", People=PEOPLE)
    preview = inspect(path)
    assert preview.format == "excel" and preview.sheets == ("People",) and preview.n_rows == 3
    assert preview.head[0] == ("31", "2020-01-31", "1.5", "007", "true")
    frame, kinds, notes = read_frame(path)
    assert kinds == preview.kinds == dict(age="integer", since="date", paid="number", code="nominal", member="boolean")
    assert notes == ()
    assert frame["since"].tolist() == [pd.Timestamp(row[1]) for row in PEOPLE[1:]]
    assert frame["paid"].isna().tolist() == [False, True, False]


def test_a_sheet_can_be_chosen(tmp_path):
    path = workbook(tmp_path / "b.xlsx", Notes=[], People=PEOPLE, Pets=[["name", "legs"], ["Rex", 4]])
    assert inspect(path).options.sheet == "People"
    assert inspect(path).sheets == ("Notes", "People", "Pets")
    assert inspect(path, ReadOptions(sheet="Pets")).names == ("name", "legs")
    table = read_table(path, sheet="Pets")
    assert table.names == ["name", "legs"]
    assert read_source(table.source).names == ["name", "legs"]
    sentence = refusal(read_table, path, sheet="Cars")
    assert "“Cars”" in sentence and "Notes, People, Pets" in sentence


def test_an_empty_sheet_is_shown_so_that_another_can_be_chosen(tmp_path):
    path = workbook(tmp_path / "b.xlsx", Notes=[], People=PEOPLE)
    preview = inspect(path, ReadOptions(sheet="Notes"))
    assert preview.names == () and preview.head == () and preview.target is None
    assert preview.sheets == ("Notes", "People") and "empty" in preview.notes[0]
    assert "“Notes”" in refusal(read_table, path, sheet="Notes")


def test_a_workbook_without_anything_is_refused(tmp_path):
    path = workbook(tmp_path / "b.xlsx", One=[], Two=[[None, None]])
    for call in (inspect, read_table):
        assert "nothing in its sheets" in refusal(call, path)


def test_a_header_alone_and_one_column(tmp_path):
    header = workbook(tmp_path / "h.xlsx", S=[["a", "b"]])
    assert inspect(header).n_rows == 0
    assert "no rows" in refusal(read_table, header)
    assert "one column" in refusal(read_table, workbook(tmp_path / "c.xlsx", S=[["a"], [1], [2]]))


def test_numbers_stored_as_text_are_numbers(tmp_path):
    frame, kinds, _ = read_frame(workbook(tmp_path / "t.xlsx", S=[["a", "b"], ["1.5", "1,5"], [2, "2,5"], ["NA", "x"]]))
    assert kinds == {"a": "number", "b": "nominal"} and frame["a"].tolist()[:2] == [1.5, 2]
    frame, kinds, _ = read_frame(workbook(tmp_path / "u.xlsx", S=[["a", "b"], [0.5, "1,5"], [2.25, "2,5"]]))
    assert kinds == {"a": "number", "b": "number"} and frame["b"].tolist() == [1.5, 2.5]


def test_a_table_may_stand_anywhere_with_blank_rows(tmp_path):
    rows = [[None] * 3, [None, "a", "b"], [None, 1, "x"], [None] * 3, [None, 2, "y"]]
    frame, _, notes = read_frame(workbook(tmp_path / "t.xlsx", S=rows))
    assert frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}
    assert notes == ("1 empty row was left out.",)


def test_a_merged_heading_names_its_columns(tmp_path):
    path = workbook(tmp_path / "m.xlsx", merged=["B1:C1"], S=[["who", "score", None], ["x", 1, 2], ["y", 3, 4]])
    frame, _, notes = read_frame(path)
    assert list(frame) == ["who", "score", "score (2)"]
    assert any("“score”" in note for note in notes)


def test_headings_may_be_numbers_or_missing(tmp_path):
    path = workbook(tmp_path / "m.xlsx", S=[["who", 2019, None, None], ["x", 1, 2, None], ["y", 3, 4, None]])
    preview = inspect(path)
    assert preview.names == ("who", "2019", "column 3")
    assert inspect(path, ReadOptions(header=False)).names == ("column 1", "column 2", "column 3")


def test_errors_in_cells_are_missing(tmp_path):
    path = workbook(tmp_path / "e.xlsx", S=[["a", "b"], [1, "#DIV/0!"], [2, "#N/A"], [3, 7]])
    frame, kinds, _ = read_frame(path)
    assert kinds["b"] == "integer" and frame["b"].isna().tolist() == [True, True, False]


def test_large_sheets_are_only_looked_into(tmp_path):
    path = workbook(tmp_path / "l.xlsx", S=[["a", "b"], *([i, "x"] for i in range(6000))])
    assert inspect(path).n_rows == 6000 and len(inspect(path).head) == 100
    assert len(read_frame(path)[0]) == 6000


def ods(rows) -> bytes:
    """The smallest OpenDocument sheet."""
    lines = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
            if isinstance(cell, float | int)
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body>'
        f'<office:spreadsheet><table:table table:name="S">{lines}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("content.xml", content)
        file.writestr("META-INF/manifest.xml", "<manifest/>")
    return packed.getvalue()


def test_open_document_sheets_are_read(tmp_path):
    path = tmp_path / "o.ods"
    path.write_bytes(ods([["a", "b"], [1, "x"], [2.5, "y"]]))
    frame, _, _ = read_frame(path)
    assert frame.to_dict("list") == {"a": [1, 2.5], "b": ["x", "y"]}


def protected() -> bytes:
    """A compound file that says it holds an encrypted package, as Excel writes with a password."""
    end, free, fat = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0)
    head += struct.pack("<109I", 0, *[free] * 108)

    def entry(name: str, kind: int, child: int, right: int) -> bytes:
        text = name.encode("utf-16-le")
        fields = struct.pack("<64sHBBIII", text, len(text) + 2, kind, 1, free, right, child)
        return fields + bytes(36) + struct.pack("<IQ", end, 0)

    directory = entry("Root Entry", 5, 1, free) + entry("EncryptedPackage", 2, free, 2)
    directory += entry("EncryptionInfo", 2, free, free) + entry("", 0, free, free)
    return head + struct.pack("<128I", fat, end, *[free] * 126) + directory


def test_a_password_is_recognised(tmp_path):
    assert len(protected()) == 512 * 3
    for name in ("p.xlsx", "p.xls"):
        (tmp_path / name).write_bytes(protected())
        for call in (inspect, read_table):
            assert "password" in refusal(call, tmp_path / name)


@pytest.mark.parametrize(
    "data", [b"", b"a,b\n1,2\n", b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)]
)
@pytest.mark.parametrize("suffix", ["xlsx", "xls", "ods", "xlsb", "xlsm"])
def test_broken_workbooks_are_refused(tmp_path, data, suffix):
    path = tmp_path / f"b.{suffix}"
    path.write_bytes(data)
    assert f"b.{suffix}" in refusal(inspect, path)


def test_a_workbook_cut_short_or_damaged_is_refused_or_read(tmp_path):
    whole = workbook(tmp_path / "w.xlsx", S=PEOPLE).read_bytes()
    path = tmp_path / "damaged.xlsx"
    for cut in range(0, len(whole), len(whole) // 12):
        path.write_bytes(whole[:cut])
        assert "damaged.xlsx" in refusal(read_frame, path)
    for place in range(0, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            read_frame(path)
        except InputError as error:
            assert "damaged.xlsx" in str(error)
