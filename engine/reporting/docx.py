"""A report as a Word document, with python-docx: headings, lists and tables are those of Word, so that others can go on
writing. Texts are handed to the library as text, which writes them as text."""

import re
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from engine.reporting.description import Block, Drawing, Heading, Listed, Paragraph, Report, Rows
from engine.runtime.errors import InputError, printable
from engine.runtime.files import write_whole
from engine.runtime.sentences import tr

WIDTH_CM, TALLEST_CM = 18.2, 21.0  # of a picture on A4 within these margins
MARGIN_CM = 1.4
SMALL, QUIET, WARNING = 8.5, (0x5B, 0x61, 0x6E), (0x8A, 0x52, 0x00)  # points; colours
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_docx() -> None:
    """InputError where the library is not installed; it says how to get it."""
    try:
        import docx  # noqa: F401  (late: an extra, and slow to load)
    except ModuleNotFoundError as problem:
        raise InputError(tr(
            "Word documents need the package python-docx: {command}", command="pip install 'espalier[exports]'"
        )) from problem  # fmt: skip


def write_docx(described: Report, path: Path, printer: Callable[[str, str], None] | None) -> None:
    """Writes it; without a `printer`, which makes pictures of drawings, these are left out with a word about it."""
    check_docx()
    import docx
    from docx.shared import Cm, Pt

    document = docx.Document()
    document.core_properties.title = document.core_properties.subject = text(described.title)[:255]
    document.core_properties.author = "Espalier"
    page = document.sections[0]
    page.page_width, page.page_height = Cm(21.0), Cm(29.7)
    page.left_margin = page.right_margin = Cm(MARGIN_CM)
    document.styles["Normal"].font.size = Pt(10)
    document.add_heading(text(described.title), 0)
    _paragraph(document, Paragraph(described.about, "quiet"))
    for section in described.sections:
        document.add_heading(text(section.title), 1)
        for block in section.blocks:
            _add(document, block, printer)
    file = BytesIO()
    document.save(file)
    write_whole(path, [file.getvalue()])


def text(said: str) -> str:
    """What is said, with letters alone that XML can hold."""
    return NOT_XML.sub("�", printable(said))


def _add(document: Any, block: Block, printer: Callable[[str, str], None] | None) -> None:
    match block:
        case Paragraph():
            _paragraph(document, block)
        case Heading(said):
            document.add_heading(text(said), 2)
        case Listed(lines, numbered):
            for k, line in enumerate(lines):  # numbers are written: those of Word would go on from list to list
                if numbered:
                    document.add_paragraph(text(f"{k + 1}. {line}"), style="List")
                else:
                    document.add_paragraph(text(line), style="List Bullet")
        case Rows():
            _table(document, block)
        case Drawing():
            _picture(document, block, printer)


def _paragraph(document: Any, said: Paragraph) -> None:
    from docx.shared import RGBColor

    run = document.add_paragraph().add_run(text(said.text))
    if said.kind:
        run.font.color.rgb = RGBColor(*(QUIET if said.kind == "quiet" else WARNING))


def _table(document: Any, block: Rows) -> None:
    """The head is repeated on every page; figures stand at the right."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    table = document.add_table(rows=0, cols=len(block.head), style="Light List")

    def add(cells: Any, head: bool = False) -> Any:
        row = table.add_row()
        for k, (cell, said) in enumerate(zip(row.cells, cells, strict=True)):
            paragraph = cell.paragraphs[0]
            run = paragraph.add_run(text(said))
            run.font.size, run.font.bold = Pt(SMALL), head
            paragraph.paragraph_format.space_after = Pt(0)
            if k >= block.columns:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        return row

    add(block.head, head=True)._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    for k, cells in enumerate(block.rows):
        add(cells)
        if block.below:
            row = table.add_row()
            whole = row.cells[0].merge(row.cells[-1]).paragraphs[0]
            whole.add_run(text(block.below[k])).font.size = Pt(SMALL)
            whole.paragraph_format.space_after = Pt(0)
    document.add_paragraph()


def _picture(document: Any, block: Drawing, printer: Callable[[str, str], None] | None) -> None:
    from docx.shared import Cm

    if printer is None:
        return _paragraph(document, Paragraph(tr("{what}: no picture, as nothing here can draw it.", what=block.name),
                                              "quiet"))  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        path = Path(folder) / "picture.png"
        printer(block.svg.decode(), str(path))
        shape = document.add_picture(str(path))
    scale = min(1.0, Cm(WIDTH_CM) / shape.width, Cm(TALLEST_CM) / shape.height)
    shape.width, shape.height = int(shape.width * scale), int(shape.height * scale)
    shape._inline.docPr.set("descr", text(block.name))
