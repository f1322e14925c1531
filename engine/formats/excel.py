"""A tree as a workbook of formulas: rows are pasted into its first sheet, and stand there with their leaf, what it
predicts, and the probabilities.

The leaf is found by nested IFs. What is longer than a formula may be stands in further columns at the right. What a
leaf predicts is looked up in the second sheet, where the leaves are listed with their rules.

An empty cell is missing; so is all but a number where the tree asks for one. `<=` of spreadsheets compares 15 digits;
GESTEP(c, x), which is 1 where x is c at most, all of them. `=` takes "a" for "A" and an empty cell for 0; EXACT and the
tests of what a cell holds do not. The formulas know no function that is younger than Excel 2007.
"""

import io
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isinf
from pathlib import Path
from typing import Any, NamedTuple

from python_calamine import CalamineWorkbook

from engine.formats.coding import Language, check_texts, finite, headline, spelled
from engine.formats.programs import found_program, output_of
from engine.formats.questions import Asker, Compare, columns_used
from engine.formats.rows import (
    LONGEST_CELL,
    SHEET_END,
    SHEETS,
    XML,
    Pieces,
    check_sheet,
    in_xml,
    parts_of_book,
    text_cell,
)  # fmt: skip
from engine.formats.rows_to_check import LARGEST, Answers, plain_cells
from engine.formats.rules_table import records
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.query import last_microsecond
from engine.tree.rules import bracketed
from engine.tree.tree import Tree

ROWS = 1000  # with formulas
FIRST_SHEET = "xl/worksheets/sheet1.xml"
LONGEST, DEEPEST, LONGEST_TEXT = (
    8192,
    64,
    255,
)  # of a formula: its letters, functions within functions, a text in quotes
INSIDE = 6  # functions within functions that a condition has
SAVED_ROWS, SAVED_COLUMNS = 2**16 - 1, 2**8  # that LibreOffice saves with all digits: of .xls, for all else has 15
MOST_COLUMNS = 300  # of formulas
EPOCH = 25569  # the day 1970-01-01: of serial numbers that begin in 1900
STYLES = """<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>
<numFmt numFmtId="165" formatCode=";;;"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>
</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>
</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/>
<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/>
</cellXfs><dxfs count="1"><dxf><numFmt numFmtId="165" formatCode=";;;"/></dxf></dxfs>"""
TEXT, DATE, BOLD = 1, 2, 3  # of these styles
TOP = (
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView>'
    "</sheetViews>"
)
PLAIN = re.compile(r"[ -^`-~\u00a1-\u167f\u2010-\u2027\u3001-\ud7ff]+")  # letters that stand in quotes as they are


class Formula(NamedTuple):
    """What gives a leaf's number, and how many IFs are within one another there."""

    text: str
    depth: int = 0


def write(tree: Tree, rows: int = ROWS) -> Iterator[bytes]:
    """The workbook in pieces. `rows`: how many of its rows have formulas.

    Raises:
        InputError: the tree is too large for formulas, or asks for an infinite number.
    """
    check_texts(tree, "Excel")
    places = columns_used(tree)
    names = ["leaf", "prediction", *(f"probability of {name}" for name in tree.classes)]
    answers = len(places)  # the column of the first answer, from 0
    main = _formulas(tree, places, answers + len(names))
    check_sheet(rows + 1, answers + len(names) + len(main) - 1)
    looked_up = [_looked_up(tree, answers, k) for k in range(1, len(names))]
    formulas = [main[0], *looked_up, *main[1:]]
    sink = Pieces()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as book:
        for name, part in parts_of_book(("rows", "leaves", "about"), STYLES).items():
            book.writestr(name, part)
        with book.open(FIRST_SHEET, "w", force_zip64=True) as sheet:
            helpers = [f"step {k}" for k in range(1, len(main))]
            sheet.write(_head(tree, places, [*names, *helpers]).encode())
            for row in range(2, rows + 2):
                sheet.write(_row(formulas, answers, row, rows + 1).encode())
                yield sink.take()
            sheet.write(f"</sheetData>{_hidden(answers, len(formulas), rows)}</worksheet>".encode())
        book.writestr("xl/worksheets/sheet2.xml", _leaves(tree, names))
        book.writestr("xl/worksheets/sheet3.xml", _about(tree))
    yield sink.take()


def _formulas(tree: Tree, places: Sequence[int], first: int) -> list[str]:
    """The formula of the leaf in row 2, and those in the columns from `first` on that it refers to."""
    asker, language = Asker(tree), _language(tree, {place: f"${_letters(k)}2" for k, place in enumerate(places)})
    further: list[str] = []

    def elsewhere(formula: Formula) -> Formula:
        further.append(formula.text)
        if len(further) > MOST_COLUMNS:
            raise InputError(tr(
                "The tree has {leaves:,} leaves, too many for formulas: with {letters:,} letters at most in each, it "
                "needs more than {most:,} of them in a row. Prune it, or export another format.",
                leaves=tree.n_leaves, letters=LONGEST, most=MOST_COLUMNS))  # fmt: skip
        return Formula(f"${_letters(first + len(further) - 1)}2")

    def chosen(condition: str, yes: Formula, no: Formula, i: int) -> Formula:
        while True:
            longer = max((one for one in (yes, no) if one.depth), key=lambda one: len(one.text), default=None)
            text, depth = f"IF({condition},{yes.text},{no.text})", 1 + max(yes.depth, no.depth)
            if len(text) < LONGEST and depth < DEEPEST - INSIDE:
                return Formula(text, depth)
            if longer is None:
                raise InputError(tr(
                    "Node {node} names too many levels for a formula, which has {letters:,} letters at most: split it "
                    "otherwise, or export another format.", node=int(tree.ids[i]), letters=LONGEST))  # fmt: skip
            if yes is longer:
                yes = elsewhere(yes)
            else:
                no = elsewhere(no)

    found = dict[int, Formula]()
    for i in reversed(range(tree.n_nodes)):
        if not tree.n_branches[i]:
            found[i] = Formula(str(int(tree.ids[i])))
            continue
        question, children = asker.question(i), tree.children(i)
        branches = [found.pop(children[branch]) for branch in question.order]
        formula = branches.pop()
        for condition, branch in zip(reversed(question.conditions), reversed(branches), strict=True):
            formula = chosen(spelled(condition, language), branch, formula, i)
        found[i] = formula
    return [found[0].text, *further]


def _language(tree: Tree, cells: dict[int, str]) -> Language:
    def compare(test: Compare) -> str:
        cell, column = cells[test.place], tree.columns[test.place]
        if isinstance(test.value, float):
            cut = finite(test.value, column.name, "Excel")
            cut = serial(cut) if column.kind == "date" else cut
            reached = f"GESTEP({_number(cut)},N({cell}))"
            return f"ISNUMBER({cell})*{reached if test.test == '<=' else f'(1-{reached})'}"
        if test.test in ("missing", "present"):
            there = f"ISNUMBER({cell})" if column.kind in NUMERIC else f"NOT(ISBLANK({cell}))"
            return there if test.test == "present" else f"(1-{there})"
        if column.kind == "boolean":
            named = [f"({cell}={truth.upper()})" for truth in ("True", "False") if truth in test.value]
        else:
            named = [f"EXACT({cell},{_quoted(level)})" for level in test.value]
        guarded = f"NOT(ISBLANK({cell}))*" if column.kind == "boolean" or "" in test.value else ""
        if test.test == "in":
            return f"{guarded}({'+'.join(named) or '0'})" if guarded or len(named) > 1 else named[0]
        return "*".join([f"NOT(ISBLANK({cell}))", *(f"(1-{one})" for one in named)])

    def count(texts: list[str]) -> str:
        return "+".join(f"SIGN({text})" for text in texts)

    return Language(compare, "*", "+", "0", "", "", "", "", "", str, count)


def serial(seconds: float) -> float:
    """A date in days as workbooks count them, rounded once."""
    return float(Fraction(last_microsecond(seconds), 86_400_000_000) + EPOCH)


def _number(value: float) -> str:
    """A number in a formula, which reads 15 digits of it: one with more as a sum."""
    said = f"{value:.15g}"
    if isinf(float(said)):  # rounded up beyond the largest number
        said = f"{value * (1 - 1e-14):.15g}"
    rest = value - float(said)
    return (f"({said}{rest:+.15g})" if rest else said).upper()


def _quoted(text: str) -> str:
    """A text in a formula; what is no plain letter by its number, and not too much in one pair of quotes."""
    parts: list[str] = []
    for one in re.findall(f"{PLAIN.pattern}|.", text, re.DOTALL):
        if PLAIN.match(one):
            size = LONGEST_TEXT // 2  # a quote counts twice
            parts += ['"{}"'.format(one[k : k + size].replace('"', '""')) for k in range(0, len(one), size)]
        elif ord(one) < 32:
            parts.append(f"CHAR({ord(one)})")
        else:
            parts.append(f'"{one}"')
    return "&".join(parts) or '""'


def _letters(column: int) -> str:
    """What a column is called, from 0: A, …, Z, AA."""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(65 + column % 26)


def _looked_up(tree: Tree, answers: int, column: int) -> str:
    """The formula for what the leaf in the column `answers` says in a column of the list of leaves."""
    letters, last = _letters(column), tree.n_leaves + 1
    found = f"INDEX(leaves!${letters}$2:${letters}${last},MATCH(${_letters(answers)}2,leaves!$A$2:$A${last},0))"
    return f'{found}&""' if tree.classes and column == 1 else found  # an empty cell would be 0


def _head(tree: Tree, places: Sequence[int], names: Sequence[str]) -> str:
    """The sheet up to its first row."""
    styles = {"date": DATE, "nominal": TEXT, "ordered": TEXT}
    kinds = [styles.get(tree.columns[place].kind, 0) for place in places]
    columns = "".join(f'<col min="{k}" max="{k}" width="16" customWidth="1" style="{style}"/>'
                      for k, style in enumerate(kinds, 1))  # fmt: skip
    header = "".join(map(_bold, [*(tree.columns[place].name for place in places), *names]))
    return f'{XML}<worksheet xmlns="{SHEETS}">{TOP}{f"<cols>{columns}</cols>" if places else ""}<sheetData>' + (
        f"<row>{header}</row>"
    )


def _bold(text: str) -> str:
    return text_cell(text).replace("<c", f'<c s="{BOLD}"', 1)


def _row(formulas: Sequence[str], first: int, row: int, last: int) -> str:
    """One row of formulas. Those about the sheet itself are said once: the others refer to them."""
    cells = []
    for k, formula in enumerate(formulas):
        letters = _letters(first + k)
        if formula.startswith("INDEX(leaves!"):
            said = f"<f>{in_xml(formula.replace('2,leaves', f'{row},leaves'))}</f>"
        elif row == 2:
            said = f'<f t="shared" ref="{letters}2:{letters}{last}" si="{k}">{in_xml(formula)}</f>'
        else:
            said = f'<f t="shared" si="{k}"/>'
        cells.append(f'<c r="{letters}{row}">{said}</c>')
    return f'<row r="{row}">{"".join(cells)}</row>'


def _hidden(answers: int, n: int, rows: int) -> str:
    """That formulas show nothing beside an empty row."""
    if not answers:
        return ""
    area = f"{_letters(answers)}2:{_letters(answers + n - 1)}{rows + 1}"
    asked = f"COUNTA($A2:${_letters(answers - 1)}2)=0"
    return (
        f'<conditionalFormatting sqref="{area}"><cfRule type="expression" dxfId="0" priority="1"><formula>{asked}'
        "</formula></cfRule></conditionalFormatting>"
    )


def _leaves(tree: Tree, names: Sequence[str]) -> str:
    """The sheet of what the leaves say."""
    lines = [f'{XML}<worksheet xmlns="{SHEETS}">{TOP}<sheetData>']
    lines.append(f"<row>{''.join(map(_bold, [*names, 'rows', 'rule']))}</row>")
    for record in records(tree):
        rule = " AND ".join(map(bracketed, record["conditions"]))
        said = [record["leaf"], record["prediction"], *record.get("probabilities", {}).values(), record["rows"]]
        rule = rule if len(rule) <= LONGEST_CELL else f"{rule[: LONGEST_CELL - 1]}…"
        lines.append(f"<row>{''.join(map(_cell, said))}{text_cell(rule)}</row>")
    return "".join([*lines, SHEET_END])


def _cell(value: Any) -> str:
    return text_cell(value) if isinstance(value, str) else f"<c><v>{value!r}</v></c>"


def _about(tree: Tree) -> str:
    """The sheet of what one has to know."""
    said = (
        headline(tree),
        tr("Paste rows into the columns at the left of the sheet “rows”. For more rows, fill the formulas down."),
        tr("An empty cell is missing. In a column of numbers or dates, so is a text."),
        tr("Levels are compared letter by letter: a capital letter is another one."),
        tr("GESTEP(c, x) is 1 where x is c at most, and 0 otherwise. Dates are compared as days since 1900."),
    )
    lines = "".join(f"<row>{text_cell(line)}</row>" for line in said)
    return f'{XML}<worksheet xmlns="{SHEETS}"><sheetData>{lines}{SHEET_END}'


def run(content: bytes, tree: Tree, table: Table, rows: int = ROWS) -> Answers:
    """What LibreOffice calculates where the rows of a table are pasted and the formulas are filled down beside them. An
    infinite number, which no cell holds, is pasted as the largest.

    Raises:
        InputError: LibreOffice is not installed, or does not save so many columns.
    """
    office, pasted = found_program("soffice", "libreoffice"), plain_cells(tree, table, serial)
    n, n_classes = len(pasted), len(tree.classes)
    if n + 2 + n_classes > SAVED_COLUMNS:
        raise InputError(tr(
            "LibreOffice saves {columns} columns with all digits, and this needs more of them, so it was not checked.",
            columns=SAVED_COLUMNS))  # fmt: skip
    texts = [[_pasted(cell) for cell in column] for column in pasted]
    lines = list(map("".join, zip(*texts, strict=True))) or [""] * table.n_rows
    found: list[tuple[Any, ...]] = []
    with tempfile.TemporaryDirectory(prefix="espalier-") as profile:
        command = [office, f"-env:UserInstallation={Path(profile).as_uri()}", "--headless"]
        version = output_of({}, [*command, "--version"]).decode().split()
        for start in range(0, len(lines), SAVED_ROWS):
            files = {"rows.xlsx": _filled(content, lines[start : start + SAVED_ROWS])}
            saved = output_of(files, [*command, "--convert-to", "xls:MS Excel 97", "rows.xlsx"], made="rows.xls")
            sheet = CalamineWorkbook.from_filelike(io.BytesIO(saved)).get_sheet_by_name("rows")
            rows_of_cells: list[list[Any]] = sheet.to_python(skip_empty_area=False)
            found += [(int(row[n]), row[n + 1], row[n + 2 : n + 2 + n_classes]) for row in rows_of_cells[1:]]
    return Answers.of(tree, " ".join(version[:2]), found)


def _pasted(cell: Any) -> str:
    if cell is None or cell == "":
        return "<c/>" if cell is None else '<c t="str"><f>""</f></c>'
    if isinstance(cell, bool):
        return f'<c t="b"><v>{cell:d}</v></c>'
    return text_cell(cell) if isinstance(cell, str) else f"<c><v>{min(max(cell, -LARGEST), LARGEST)!r}</v></c>"


def _filled(content: bytes, lines: Sequence[str]) -> bytes:
    """A workbook with these cells in the rows of its first sheet, and the formulas of the second row in all of them."""
    filled = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as book, zipfile.ZipFile(filled, "w") as other:
        for name in book.namelist():
            part = book.read(name)
            other.writestr(name, _filled_sheet(part.decode(), lines) if name == FIRST_SHEET else part)
    return filled.getvalue()


def _filled_sheet(sheet: str, lines: Sequence[str]) -> str:
    head, rest = sheet.split('<row r="2">', 1)
    cells = re.findall(r'<c r="([A-Z]+)2">(.*?)</c>', rest.split("</row>", 1)[0], re.DOTALL)
    filled = [head]
    for row, line in enumerate(lines, 2):
        said = []
        for letters, formula in cells:
            shared = re.match(r'<f t="shared" ref="[A-Z0-9:]+" (si="\d+")>', formula)
            if shared is None:
                here = formula.replace("2,leaves", f"{row},leaves")
            elif row == 2:
                area = f"{letters}2:{letters}{len(lines) + 1}"
                here = formula.replace(shared[0], f'<f t="shared" ref="{area}" {shared[1]}>', 1)
            else:
                here = f'<f t="shared" {shared[1]}/>'
            said.append(f'<c r="{letters}{row}">{here}</c>')
        filled.append(f'<row r="{row}">{line}{"".join(said)}</row>')
    return "".join([*filled, rest[rest.rindex("</sheetData>") :]])
