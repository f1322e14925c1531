"""A small reader of data steps, by the language reference of SAS 9.4 ("Expressions", "Constants", "Missing Values"). It
knows IF and DO, assignments, comparisons, IN, MISSING and INPUT with HEX16, and has never met SAS.

A missing number is less than any other; texts are compared as if the shorter one were filled with blanks, and a blank
one is missing; NOT before an operand binds strongest, then come +, comparisons, AND, OR.
"""

import re
import struct
from collections.abc import Callable
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.formats.questions import columns_used
from engine.formats.rows_to_check import Answers, plain_cells
from engine.formats.sas import since_1960
from engine.table.table import Table
from engine.tree.tree import Tree

TOKEN = re.compile(
    r"(?P<gap>\s+|/\*.*?\*/)|(?P<text>'(?:[^']|'')*')(?P<kind>dt|n|x)?"
    r"|(?P<number>[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?)|(?P<word>[a-z_][a-z0-9_.]*)|(?P<sign><=|>=|[-+=<>(),;&%$])",
    re.DOTALL | re.IGNORECASE,
)
Row = dict[str, Any]
Asked = Callable[[Row], Any]


def _tokens(text: str) -> list[tuple[str, Any]]:
    found, at = list[tuple[str, Any]](), 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at : at + 80]
        at = match.end()
        if match["text"] is not None:
            said, kind = match["text"][1:-1].replace("''", "'"), (match["kind"] or "").lower()
            values = {
                "": lambda said: ("value", said),
                "n": lambda said: ("name", said.lower()),
                "x": lambda said: ("value", bytes.fromhex(said).decode()),
                "dt": lambda said: ("value", (_moment(said) - datetime(1960, 1, 1)).total_seconds()),
            }
            found.append(values[kind](said))
        elif match["number"]:
            found.append(("value", float(match["number"])))
        elif match["word"] or match["sign"]:
            found.append(("word", (match["word"] or match["sign"]).lower()))
    return [*found, ("word", "")]


def _moment(said: str) -> datetime:
    return datetime.strptime(said.title(), "%d%b%Y:%H:%M:%S")


class Program:
    """A data step that answers a row."""

    def __init__(self, text: str) -> None:
        self._tokens, self._at = _tokens(text), 0
        self.dropped = list[str]()
        self.lengths = dict[str, int]()
        while self._next() != ("word", "data"):
            pass
        self._rest()
        self._steps = self._statements(("run",))

    def answer(self, row: Row) -> Row:
        """The row with what the step assigns."""
        row = dict(row)
        for step in self._steps:
            step(row)
        return {name: value for name, value in row.items() if name not in self.dropped}

    def _next(self) -> tuple[str, Any]:
        self._at += 1
        return self._tokens[self._at - 1]

    def _is(self, *words: str) -> bool:
        """Whether these words come, which are then gone."""
        if self._tokens[self._at : self._at + len(words)] == [("word", word) for word in words]:
            self._at += len(words)
            return True
        return False

    def _want(self, *words: str) -> None:
        assert self._is(*words), (words, self._tokens[self._at : self._at + 10])

    def _rest(self) -> list[tuple[str, Any]]:
        start = self._at
        while self._next() != ("word", ";"):
            assert self._at < len(self._tokens)
        return self._tokens[start : self._at - 1]

    def _statements(self, ends: tuple[str, ...]) -> list[Asked]:
        steps = list[Asked]()
        while not any(self._is(end, ";") for end in ends):
            if self._is("set") or self._is("label"):
                self._rest()
            elif self._is("length"):
                (_, name), sign, (_, size) = self._rest()
                assert sign == ("word", "$")
                self.lengths[name] = int(size)
            elif self._is("drop"):
                self.dropped += [name for _, name in self._rest()]
            elif self._is("if"):
                steps.append(self._branches())
            else:
                steps.append(self._assignment())
        return steps

    def _branches(self) -> Asked:
        condition = self._either()
        self._want("then", "do", ";")
        yes, no = self._statements(("end",)), list[Asked]()
        if self._is("else", "if"):
            no = [self._branches()]
        elif self._is("else"):
            self._want("do", ";")
            no = self._statements(("end",))

        def step(row: Row) -> None:
            for one in yes if condition(row) else no:
                one(row)

        return step

    def _assignment(self) -> Asked:
        (_, name), value = self._next(), None
        self._want("=")
        value = self._either()
        self._want(";")

        def step(row: Row) -> None:
            found = value(row)
            row[name] = found.encode()[: self.lengths[name]].decode() if isinstance(found, str) else found

        return step

    def _either(self) -> Asked:
        parts = [self._both()]
        while self._is("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda row: any(part(row) for part in parts)

    def _both(self) -> Asked:
        parts = [self._comparison()]
        while self._is("and"):
            parts.append(self._comparison())
        return parts[0] if len(parts) == 1 else lambda row: all(part(row) for part in parts)

    def _comparison(self) -> Asked:
        one = self._sum()
        if self._is("not", "in"):
            listed = self._listed()
            return lambda row: not any(_order(one(row), other(row)) == 0 for other in listed)
        if self._is("in"):
            listed = self._listed()
            return lambda row: any(_order(one(row), other(row)) == 0 for other in listed)
        for sign, holds in (("=", (0,)), ("ne", (-1, 1)), ("<=", (-1, 0)), (">=", (0, 1)), (">", (1,)), ("<", (-1,))):
            if self._is(sign):
                other = self._sum()
                return lambda row: _order(one(row), other(row)) in holds
        return one

    def _listed(self) -> list[Asked]:
        self._want("(")
        found = [self._sum()]
        while self._is(","):
            found.append(self._sum())
        self._want(")")
        return found

    def _sum(self) -> Asked:
        parts = [self._operand()]
        while self._is("+"):
            parts.append(self._operand())
        return parts[0] if len(parts) == 1 else lambda row: sum(float(part(row)) for part in parts)

    def _operand(self) -> Asked:
        if self._is("not"):
            one = self._operand()
            return lambda row: not one(row)
        if self._is("-"):
            one = self._operand()
            return lambda row: -one(row)
        if self._is("("):
            one = self._either()
            self._want(")")
            return one
        if self._is("missing"):
            (one,) = self._listed()
            return lambda row: one(row) is None or (isinstance(one(row), str) and not one(row).strip(" "))
        if self._is("input", "("):
            _, bits = self._next()
            self._want(",", "hex16.", ")")
            (number,) = struct.unpack(">d", bytes.fromhex(bits))
            return lambda row: number
        kind, said = self._next()
        assert kind in ("value", "name") or re.fullmatch(r"[a-z_][a-z0-9_]*", said), (kind, said)
        return (lambda row: said) if kind == "value" else (lambda row: row[said])


def _order(one: Any, other: Any) -> int:
    """-1, 0 or 1: the first is less, equal, more."""
    if isinstance(one, str) or isinstance(other, str):
        assert isinstance(one, str) and isinstance(other, str), "a number is compared with a text"
        one, other = one.rstrip(" "), other.rstrip(" ")
    elif one is None or other is None:
        return (one is not None) - (other is not None)
    return (one > other) - (one < other)


def run(text: str, tree: Tree, table: Table) -> Answers:
    """What this reader answers for the rows of a table."""
    program, places = Program(text), columns_used(tree)
    cells = plain_cells(tree, table, since_1960, lambda level: float(level == "True"))
    texts = [tree.columns[place].kind in ("nominal", "ordered") for place in places]
    names = [tree.columns[place].name.lower() for place in places]
    found = []
    for row in zip(*cells, strict=True) if cells else [()] * table.n_rows:
        given = {name: "" if cell is None and is_text else cell
                 for name, cell, is_text in zip(names, row, texts, strict=True)}  # fmt: skip
        said = program.answer(given)
        answers = [value for name, value in said.items() if name not in given]
        assert len(answers) == 2 + len(tree.classes)
        found.append((int(answers[0]), answers[1], answers[2:]))
    return Answers.of(tree, "a reader of the tests", found)


def same(rows: Table) -> NDArray[np.bool_]:
    """bool[n]: where no number is infinite, and no text is blank or ends with a blank, which SAS takes for others."""
    frame = rows.to_frame()
    fits = np.ones(rows.n_rows, dtype=bool)
    for name, column in zip(rows.names, rows.columns, strict=True):
        if column.kind == "number":
            fits &= ~np.isinf(column.numbers)
        elif column.kind in ("nominal", "ordered"):
            fits &= ~frame[name].astype(str).str.endswith(" ").to_numpy() & (frame[name] != "").to_numpy()
    return fits
