"""A report as a Word document, with python-docx: headings, lists and tables are those of Word, so that others can go on
writing. Texts are handed to the library as text, which writes them as text."""

import re
import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from engine.reporting.description import Block, Drawing, Heading, Listed, Paragraph, Report, Rows
from engine.runtime.errors import printable
from engine.runtime.files import write_whole
from engine.runtime.libraries import library
from engine.runtime.sentences import tr

WIDTH_CM, TALLEST_CM = 18.2, 15.5  # of a picture on A4 within these margins; one as tall stands below a summary
MARGIN_CM = 1.4
SMALL, QUIET, WARNING = 8.5, (0x5B, 0x61, 0x6E), (0x8A, 0x52, 0x00)  # points; colours
RULE, INK = "D5D8DE", (0x1D, 0x20, 0x26)  # colours of lines and of headings
FONT, SHORT = "Arial", 12  # rows of a table that stays on one page
STYLES = (  # points: of letters, and of the space above and below
    ("Normal", 10, 0, 5), ("Title", 20, 0, 4), ("Heading 1", 14, 16, 4), ("Heading 2", 11, 10, 3), ("Footer", 8, 0, 0),
    ("List", 10, 0, 2), ("List Bullet", 10, 0, 2),
)  # fmt: skip
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_docx() -> None:
    """InputError where the library is not installed; it says how to get it."""
    library("docx", "exports")


def write_docx(described: Report, path: Path, printer: Callable[[str, str], None] | None) -> None:
    """Writes it; without a `printer`, which makes pictures of drawings, these are left out with a word about it."""
    document = library("docx", "exports").Document()
    document.core_properties.title = document.core_properties.subject = text(described.title)[:255]
    document.core_properties.author = "Espalier"
    _styled(document)
    document.add_heading(text(described.title), 0)
    _paragraph(document, Paragraph(described.about, "quiet"))
    for section in described.sections:
        document.add_heading(text(section.title), 1)
        for block, holds in zip(section.blocks, _holding(section.blocks), strict=True):
            _add(document, block, printer, holds)
    file = BytesIO()
    document.save(file)
    write_whole(path, [file.getvalue()])


def _holding(blocks: Sequence[Block]) -> list[bool]:
    """Which paragraphs stay on the page of what comes after them: all that explain a table or a picture."""
    holding, after = list[bool](), False
    for block in reversed(blocks):
        holding.append(after and isinstance(block, Paragraph))
        after = holding[-1] or isinstance(block, Rows | Drawing)
    return holding[::-1]


def _styled(document: Any) -> None:
    """A4, one font throughout, dark headings, and the number of each page at its foot."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH  # late, here and below: an extra, and slow to load
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt, RGBColor

    page = document.sections[0]
    page.page_width, page.page_height = Cm(21.0), Cm(29.7)
    page.left_margin = page.right_margin = Cm(MARGIN_CM)
    page.top_margin = page.bottom_margin = Cm(2.0)
    for name, points, before, after in STYLES:
        style = document.styles[name]
        style.font.name, style.font.size = FONT, Pt(points)
        fonts = style.element.rPr.rFonts
        for kind in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):  # those of the template go before names
            fonts.attrib.pop(qn(f"w:{kind}"), None)
        style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(after)
        style.paragraph_format.line_spacing = 1.1
        if name not in ("Normal", "Footer"):
            style.font.color.rgb = RGBColor(*INK)
    for line in document.styles["Title"].element.findall(f".//{qn('w:pBdr')}"):
        line.getparent().remove(line)
    foot = page.footer.paragraphs[0]
    foot.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for k, field in enumerate(("PAGE", "NUMPAGES")):
        run = foot.add_run(" / " if k else "")
        for element in (_element("w:fldChar", fldCharType="begin"), _element("w:instrText", f" {field} "),
                        _element("w:fldChar", fldCharType="end")):  # fmt: skip
            run._r.append(element)


def _element(name: str, said: str = "", **attributes: object) -> Any:
    """An element of WordprocessingML that the library has no words for."""
    from docx.oxml import OxmlElement  # late, as above
    from docx.oxml.ns import qn

    made = OxmlElement(name)
    made.text = said or None
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), str(value))
    return made


def text(said: str) -> str:
    """What is said, with letters alone that XML can hold."""
    return NOT_XML.sub("�", printable(said))


def _add(document: Any, block: Block, printer: Callable[[str, str], None] | None, holds: bool) -> None:
    """`holds`: it stays on the page of what comes after it."""
    match block:
        case Paragraph():
            _paragraph(document, block, holds)
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


def _paragraph(document: Any, said: Paragraph, holds: bool = False) -> None:
    from docx.shared import Pt, RGBColor  # late, as above

    made = document.add_paragraph()
    made.paragraph_format.keep_with_next = holds
    run = made.add_run(text(said.text))
    if said.kind:
        run.font.color.rgb = RGBColor(*(WARNING if said.kind == "warn" else QUIET))
    if said.kind == "caption":
        run.font.size = Pt(SMALL)


def _table(document: Any, block: Rows) -> None:
    """The head is repeated on every page, no row is parted, and short tables stay whole; figures stand at the right."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH  # late, as above
    from docx.shared import Cm, Pt

    table = document.add_table(rows=0, cols=len(block.head))
    table.autofit = False
    lines = _element("w:tblBorders")
    for side in ("top", "bottom", "insideH"):
        lines.append(_element(f"w:{side}", val="single", sz=4, space=0, color=RULE))
    margins = _element("w:tblCellMar")
    for side, twentieths in (("left", 0), ("right", 120)):
        margins.append(_element(f"w:{side}", w=twentieths, type="dxa"))
    table._tbl.tblPr.extend((lines, margins))
    widths = [Cm(share * WIDTH_CM) for share in block.widths]
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    whole = len(block.rows) <= SHORT

    def add(cells: Any, head: bool = False, holds: bool = False) -> Any:
        row = table.add_row()
        row._tr.get_or_add_trPr().append(_element("w:cantSplit"))
        for k, (cell, said) in enumerate(zip(row.cells, cells, strict=True)):
            cell.width = widths[k]
            paragraph = cell.paragraphs[0]
            run = paragraph.add_run(text(said))
            run.font.size, run.font.bold = Pt(SMALL), head
            paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(1)
            paragraph.paragraph_format.keep_with_next = holds
            if k >= block.columns:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        return row

    add(block.head, head=True, holds=True)._tr.get_or_add_trPr().append(_element("w:tblHeader"))
    for k, cells in enumerate(block.rows):
        holds = whole and k + 1 < len(block.rows)
        row = add(cells, holds=holds or bool(block.below))
        if block.below:
            for cell in row.cells:  # it belongs to the row below it
                cell._tc.get_or_add_tcPr().append(_borders())
            row = table.add_row()
            row._tr.get_or_add_trPr().append(_element("w:cantSplit"))
            below = row.cells[0].merge(row.cells[-1]).paragraphs[0]
            below.add_run(text(block.below[k])).font.size = Pt(SMALL)
            below.paragraph_format.space_after, below.paragraph_format.keep_with_next = Pt(2), holds
    document.add_paragraph().paragraph_format.space_after = Pt(0)


def _borders() -> Any:
    """Of a cell without a line below it."""
    made = _element("w:tcBorders")
    made.append(_element("w:bottom", val="nil"))
    return made


def _picture(document: Any, block: Drawing, printer: Callable[[str, str], None] | None) -> None:
    from docx.shared import Cm  # late, as above

    if printer is None:
        return _paragraph(document, Paragraph(tr("{what}: no picture, as nothing here can draw it.", what=block.name),
                                              "quiet"))  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        path = Path(folder) / "picture.png"
        printer(block.svg.decode(), str(path))
        shape = document.add_picture(str(path))
        document.paragraphs[-1].paragraph_format.keep_with_next = bool(block.caption)
    scale = min(1.0, Cm(WIDTH_CM) / shape.width, Cm(TALLEST_CM) / shape.height)
    shape.width, shape.height = int(shape.width * scale), int(shape.height * scale)
    shape._inline.docPr.set("descr", text(block.name))
    if block.caption:
        _paragraph(document, Paragraph(block.caption, "caption"))
