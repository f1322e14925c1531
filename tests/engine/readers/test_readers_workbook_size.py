"""Workbooks that are small files and large tables end the process that reads them, not the program."""

import io
import marshal
import os
import re
import subprocess
import threading
import zipfile

import openpyxl
import pytest

from engine.readers import apart, child, excel, inspect
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from tests.hostile.mutation import zipped
from tests.hostile.spreadsheets import ods_cell, ods_of
from tests.read_frames import read_frame

SHEET = "xl/worksheets/sheet1.xml"
ROW = "".join(map(ods_cell, ("a", 1.0)))


def xlsx(fill) -> bytes:
    book = openpyxl.Workbook()
    for row in (("n", "c"), (1, "a"), (2, "b"), (3, "b")):
        book.active.append(row)
    fill(book.active)
    room = io.BytesIO()
    book.save(room)
    return room.getvalue()


def with_part(data: bytes, name: str, change) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = {each: packed.read(each) for each in packed.namelist()}
    return zipped({**parts, name: change(parts.get(name, b""))})


def refusal(tmp_path, data: bytes, suffix="xlsx", call=None) -> str:
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(data)
    said = set()
    for each in (call,) if call else (inspect, read_frame):
        with pytest.raises(InputError) as caught:
            each(path)
        said.add(re.sub(r"[\d.]+ GB", "so many GB", str(caught.value)))
    assert len(said) == 1
    return said.pop()


def n_rows(tmp_path, data: bytes, suffix="xlsx") -> int:
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(data)
    assert inspect(path).n_rows == len(read_frame(path)[0])
    return len(read_frame(path)[0])


@pytest.fixture
def sleeping(tmp_path, monkeypatch) -> list[int]:
    """A child that never answers; the numbers of the processes that were started."""
    (tmp_path / "child.py").write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(child, "__file__", str(tmp_path / "child.py"))
    started = list[int]()

    class Noted(subprocess.Popen):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            started.append(self.pid)

    monkeypatch.setattr(apart.subprocess, "Popen", Noted)
    return started


def are_gone(processes: list[int]) -> bool:
    for number in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
    return bool(processes)


def test_a_cell_far_away_is_refused(tmp_path):
    said = refusal(tmp_path, xlsx(lambda sheet: sheet.__setitem__("XFD1048576", "x")))
    assert said.startswith("t.xlsx asks for more than so many GB of memory: clear the cells that are far away")
    said = refusal(tmp_path, xlsx(lambda sheet: sheet.__setitem__("XFD400", "x")))
    assert said.startswith("t.xlsx has 9 cells with a value on a sheet of 400 rows and 16,384 columns: clear the cells")


def test_what_is_empty_or_near_is_no_harm(tmp_path):
    def style(sheet):
        sheet["XFD1048576"].number_format = "0.00"

    assert n_rows(tmp_path, xlsx(style)) == 3
    (tmp_path / "t.xlsx").write_bytes(xlsx(lambda sheet: sheet.__setitem__("A20000", 7)))
    assert len(read_frame(tmp_path / "t.xlsx")[0]) == 4


def test_a_preview_of_long_texts_shows_fewer_rows(tmp_path):
    cell = ods_cell("x" * 2**20)
    rows = f"<table:table-row>{ROW}</table:table-row>"
    rows += f'<table:table-row table:number-rows-repeated="100">{cell}{ods_cell(1.0)}</table:table-row>'
    path = tmp_path / "t.ods"
    path.write_bytes(ods_of(rows))
    preview = inspect(path)
    assert preview.n_rows == 100 and 10 < len(preview.head) < 64


def test_more_letters_than_a_workbook_may_have(tmp_path, monkeypatch):
    path = tmp_path / "t.xlsx"
    path.write_bytes(xlsx(lambda _: None))
    assert "rows" in child.workbook(str(path), None, None)
    monkeypatch.setattr(child, "MOST_BYTES", 10)
    answer = child.workbook(str(path), None, None)
    assert answer["fault"] == "long"
    monkeypatch.setattr(excel, "read_apart", lambda *_, **__: marshal.dumps(answer))
    assert "more than 1,073,741,824 bytes in its cells" in refusal(tmp_path, path.read_bytes())


def test_a_picture_in_a_workbook_is_no_harm(tmp_path):
    data = with_part(xlsx(lambda _: None), "xl/media/image1.bmp", lambda _: b"BM" + b"\xff" * 3_000_000)
    assert n_rows(tmp_path, data) == 3


def test_a_workbook_that_takes_too_long_is_refused(tmp_path, monkeypatch, sleeping):
    monkeypatch.setattr(apart, "LOOKING", 0.5)
    said = refusal(tmp_path, xlsx(lambda _: None), call=inspect)
    assert said == "t.xlsx takes more than 0.5 seconds to read: save only the table as .csv."
    assert are_gone(sleeping)


def test_reading_can_be_stopped(tmp_path, sleeping):
    progress = Progress()
    threading.Timer(0.3, progress.stop).start()
    said = refusal(tmp_path, xlsx(lambda _: None), call=lambda path: read_frame(path, progress=progress))
    assert said == "Reading t.xlsx was stopped."
    assert are_gone(sleeping)


def test_rows_and_cells_that_open_document_repeats(tmp_path):
    def row(cells, times):
        return f'<table:table-row table:number-rows-repeated="{times}">{cells}</table:table-row>'

    head = row("".join(map(ods_cell, ("c", "n"))), 1)
    nothing = '<table:table-cell table:number-columns-repeated="16384"/>'
    wide = ods_cell(1.0).replace("office:value=", 'table:number-columns-repeated="16384" office:value=')
    assert n_rows(tmp_path, ods_of(head + row(ROW, 3) + row(nothing, 1048572)), "ods") == 3
    assert n_rows(tmp_path, ods_of(head + row(ROW, 1000)), "ods") == 1000
    said = refusal(tmp_path, ods_of(head + row(wide, 400)), "ods")
    assert "has 6,553,602 cells in " in said and "which no table has" in said
    assert refusal(tmp_path, ods_of(head + row(wide, 10**12)), "ods").startswith("t.ods ")


def test_a_sheet_cut_short_is_refused(tmp_path):
    assert "is broken" in refusal(tmp_path, with_part(xlsx(lambda _: None), SHEET, lambda xml: xml[:-200]))


def test_other_parts_may_be_no_xml(tmp_path):
    data = with_part(xlsx(lambda _: None), "docProps/core.xml", lambda xml: b"<br>" + xml)
    assert n_rows(tmp_path, data) == 3
