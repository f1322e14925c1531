"""The parts of a page of HTML: it loads nothing, runs nothing, and prints on A4.

Whatever comes from a file (names, levels, notes) is text there: every cell goes through `text`, and a picture is an
image, in which no script would run either.
"""

import base64
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from engine.reporting.description import Block, Drawing, Heading, Listed, Paragraph, Report, Rows
from engine.runtime.errors import printable
from engine.tree.tree import Tree

STYLE = """
@page { size: A4; margin: 16mm 14mm; }
body { font: 10pt/1.4 "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; color: #1d2026; background: #fff;
  max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 2mm; } h2 { font-size: 14pt; margin: 9mm 0 2mm; }
h3 { font-size: 10.5pt; margin: 5mm 0 1mm; } h1, h2, h3 { break-after: avoid; overflow-wrap: anywhere; }
p { margin: 0 0 2mm; overflow-wrap: anywhere; orphans: 3; widows: 3; } .quiet, .caption { color: #5b616e; }
.caption { font-size: 8.5pt; break-before: avoid; } .warn { border-left: 3px solid #b26a00; padding-left: 3mm; }
.quiet:has(+ table), .warn:has(+ table), .warn:has(+ .warn), p:has(> img) { break-after: avoid; }
img { max-width: 100%; max-height: 215mm; display: block; margin: 2mm 0; }
table { border-collapse: collapse; margin: 2mm 0 4mm; font-size: 8.5pt; }
thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 1mm 1.6mm 1mm 0; border-bottom: .2mm solid #d5d8de;
  overflow-wrap: anywhere; } th { font-weight: 600; overflow-wrap: break-word; border-bottom-color: #8a909c;
  vertical-align: bottom; }
.n { text-align: right; font-variant-numeric: tabular-nums; padding: 1mm 0 1mm 1.6mm; }
td.n { white-space: nowrap; } td.above { border-bottom: 0; padding-bottom: 0; } tr:has(> .above) { break-after: avoid; }
.below { color: #5b616e; } tr:nth-last-child(-n+2):not(:first-child) { break-before: avoid; }
pre { font: inherit; white-space: pre-wrap; margin: 0 0 2mm; }
ol, ul { margin: 0 0 2mm; padding-left: 6mm; } li { overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""
SECURITY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def page(title: str, body: Iterable[str]) -> Iterator[str]:
    """A whole page in pieces."""
    yield f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{text(title)}</title>\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{SECURITY}">\n<style>{STYLE}</style>\n</head>\n<body>\n'
    yield f"<h1>{text(title)}</h1>\n"
    yield from body
    yield "</body>\n</html>\n"


def report(described: Report) -> Iterator[str]:
    """A report as one page in pieces."""

    def body() -> Iterator[str]:
        yield paragraph(described.about, "quiet")
        for section in described.sections:
            yield heading(section.title)
            yield from written(section.blocks)

    return page(described.title, body())


def written(blocks: Iterable[Block]) -> Iterator[str]:
    """Blocks of a description in their order."""
    for block in blocks:
        match block:
            case Paragraph(said, kind):
                yield paragraph(said, kind)
            case Heading(said):
                yield f"<h3>{text(said)}</h3>\n"
            case Listed(lines, numbered):
                yield listed(lines, numbered)
            case Rows():
                yield from table(block)
            case Drawing(name, svg, caption):
                yield image(name, svg)
                if caption:
                    yield paragraph(caption, "caption")


def image(name: str, svg: bytes) -> str:
    """A picture by an address that holds it."""
    return f'<p><img alt="{text(name)}" src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"></p>\n'


def drawn(tree: Tree, draw: Callable[[Tree, str], None]) -> bytes:
    """A picture of a tree as SVG. draw: writes one to a path that ends in .svg."""
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        path = Path(folder) / "tree.svg"
        draw(tree, str(path))
        return path.read_bytes()


def text(said: object) -> str:
    """What is said, as text of a page."""
    return escape(printable(str(said)))


def heading(said: str) -> str:
    """The title of a part."""
    return f"<h2>{text(said)}</h2>\n"


def paragraph(said: str, kind: str = "") -> str:
    """A paragraph; `kind`: "quiet" or "warn"."""
    return f'<p class="{kind}">{text(said)}</p>\n' if kind else f"<p>{text(said)}</p>\n"


def listed(said: Iterable[str], numbered: bool = True) -> str:
    """Lines in their order."""
    kind = "ol" if numbered else "ul"
    return f"<{kind}>\n" + "".join(f"<li>{text(one)}</li>\n" for one in said) + f"</{kind}>\n"


def code(lines: Sequence[str], lit: int) -> str:
    """Pseudo-code, one line of it lit."""
    said = [f"<b>▸ {text(line)}</b>" if k == lit else f"  {text(line)}" for k, line in enumerate(lines)]
    return "<pre>" + "\n".join(said) + "</pre>\n"


def table(block: Rows) -> Iterator[str]:
    """A table, see `Rows`."""
    widths = block.widths
    kinds = ["" if k < block.columns else ' class="n"' for k in range(len(block.head))]
    titles = "".join(
        f'<th{kind} width="{100 * width / sum(widths):.1f}%">{text(cell)}</th>'
        for kind, cell, width in zip(kinds, block.head, widths, strict=True)
    )
    yield f'<table cellspacing="0" width="{100 * sum(widths):.1f}%">\n<thead><tr>{titles}</tr></thead>\n<tbody>\n'
    if block.below:
        kinds = [' class="above"' if k < block.columns else ' class="n above"' for k in range(len(block.head))]
    for k, row in enumerate(block.rows):
        cells = "".join(f"<td{kind}>{text(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        yield f"<tr>{cells}</tr>\n"
        if block.below:
            yield f'<tr><td class="below" colspan="{len(block.head)}">{text(block.below[k])}</td></tr>\n'
    yield "</tbody>\n</table>\n"
