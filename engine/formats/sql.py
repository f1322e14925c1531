"""A tree as a query of SQL: a CASE for the leaf of each row, and what that leaf predicts.

Names, texts and dates are spelled by sqlglot, in any of its dialects. NULL is missing. A CASE within a CASE is as deep
as the tree, and databases refuse deep ones: below `LEVELS` levels a further CASE follows in a select of its own.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.formats.coding import Language, check_texts, headline, lines
from engine.formats.questions import Compare, columns_used, parts, pieces_of_code
from engine.formats.rows_to_check import EPOCH, Answers, moment, plain_cells
from engine.readers import files
from engine.runtime.addresses import names_of, place_and_table
from engine.runtime.errors import InputError, one_line
from engine.runtime.libraries import library
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.query import last_microsecond
from engine.tree.tree import Tree

LEVELS = {"tsql": 9, "fabric": 9, "sqlite": 12}  # of a CASE: SQL Server allows ten, SQLite had a stack of 100 words
USUAL_LEVELS = 20
MOST_SELECTS = 500  # one after the other
WITHOUT_TRUTH = ("tsql", "fabric", "oracle", "sqlite")  # truth values are 1 and 0 there
INLINES = ("sqlite", "postgres")  # unless told not to, these put a select into each place that mentions its column
NO_JIT = "SET jit = off;"  # PostgreSQL compiles large queries: that of 100,000 leaves for more than ten minutes
MOST_COMPILED = 1000  # leaves
LISTED = 16  # leaves in one CASE of what they predict; more are found by halving
STRICT = ("duckdb", "postgres")  # which do not compare texts with dates; others do, and may lose parts of a second
PADDED = "0000-00-00 00:00:00.000000"  # SQLite keeps dates as texts, which are compared in full length
RUN = ("duckdb", "sqlite")
DIALECTS = {"postgresql": "postgres", "mssql": "tsql", "md": "duckdb", "motherduck": "duckdb"}  # by schemes


def deepest(dialect: str = "duckdb", source: str = "rows", what: str = "query") -> int:
    """The level down to which a tree can be said."""
    return LEVELS.get(dialect, USUAL_LEVELS) * (MOST_SELECTS if what == "query" else 1)


def write(tree: Tree, dialect: str = "duckdb", source: str = "rows", what: str = "query") -> Iterator[str]:
    """The file in pieces.

    Args:
        dialect: a dialect of sqlglot.
        source: the table that is asked: NAME or SCHEMA.NAME, as behind the “::” of an address.
        what: "query": a SELECT of all columns, the leaf, the prediction and of classes their probabilities;
            "prediction" or "leaf": only an expression for it, to be put into a query.
    """
    spell = Spelling(tree, dialect)
    if what not in ("query", "prediction", "leaf"):
        raise InputError(tr("“{what}” cannot be exported; choose query, prediction or leaf.", what=one_line(what)))
    levels = LEVELS.get(dialect, USUAL_LEVELS)
    depth, limit = _n_selects(tree, levels), deepest(dialect, source, what)
    if tree.depth > limit:
        raise InputError(tr(
            "The tree is {depth:,} levels deep, but databases refuse conditions nested deeper than {limit:,} levels: "
            "prune it, approximate it, or export Python.", depth=tree.depth, limit=limit))  # fmt: skip
    yield f"-- {headline(tree)}\n"
    if dialect == "postgres" and tree.n_leaves > MOST_COMPILED:
        yield f"-- {NO_JIT} -- before it, or PostgreSQL takes minutes to compile what it answers in seconds\n"
    if what != "query":
        yield from (f"{line}\n" for line in _expression(tree, spell, levels, what == "leaf"))
        return
    as_t = " AS t" if spell.says_as else " t"
    before, kept = spell.table(source), "MATERIALIZED " if dialect in INLINES else ""
    scored = "scored_" if names_of(source)[-1].lower().startswith("scored ") else "scored"  # else it would ask itself
    for k, stage in enumerate(_stages(tree, spell, levels), 1):
        found, place = (spell.leaf if k == depth else spell.name(f"step {k}")), spell.name(f"{scored} {k}")
        yield f"{'WITH' if k == 1 else ','} {place} AS {kept}(\nSELECT t.*, {stage} AS {found}\nFROM {before}{as_t}\n)"
        before = place
    yield "\nSELECT t.*"
    for name, values in _answers(tree, spell):
        yield f",\n{_lookup(values, spell.leaf)} AS {name}"
    yield f"\nFROM {before}{as_t}\n"


def home_of(table: Table) -> dict[str, str]:
    """The dialect of the database that the rows came from, and their table there as `source`: options of `write`; empty
    of rows that came from none."""
    address, path, options = (table.source.get(name) for name in ("address", "path", "options"))
    if isinstance(address, str) and (found := place_and_table(address))[1]:
        scheme = found[0].partition("://")[0].lower()
        return {"dialect": DIALECTS.get(scheme, scheme), "source": found[1]}
    sheet = options.get("sheet") if isinstance(options, dict) else None
    is_duckdb = isinstance(path, str) and files.FORMATS.get(Path(path).suffix.lower()) == "duckdb"
    return {"dialect": "duckdb", "source": sheet} if is_duckdb and isinstance(sheet, str) else {}


class Spelling:
    """How a dialect spells names and values."""

    def __init__(self, tree: Tree, dialect: str) -> None:
        check_texts(tree, "SQL")
        library("sqlglot", "exports")
        self._exp = import_module("sqlglot.expressions")
        known = import_module("sqlglot.dialects.dialect").Dialect
        self.dialect, self._tree = dialect, tree
        if dialect not in known.classes or not dialect:
            raise InputError(tr(
                "sqlglot knows no dialect “{dialect}”; it knows {known}.", dialect=one_line(dialect),
                known=", ".join(sorted(filter(None, known.classes)))))  # fmt: skip
        self.says_as = dialect != "oracle"
        if dialect == "oracle" and any("" in column.levels for column in tree.columns):
            raise InputError(tr("For Oracle an empty text is missing, so it cannot be a level: rename that level."))
        self._taken = {column.name.lower() for column in tree.columns}
        self.leaf = self.free_name("leaf")
        self._columns = {place: self.name(tree.columns[place].name) for place in columns_used(tree)}
        self.language = Language(self.compare, " AND ", " OR ", "1 = 0", "CASE WHEN {} THEN", "WHEN {} THEN", "ELSE",
                                 "END", "", str, self._count)  # fmt: skip

    def free_name(self, name: str) -> str:
        """The name of a column of answers, which no column of the tree has."""
        while name.lower() in self._taken:
            name += "_"
        return self.name(name)

    def name(self, name: str) -> str:
        """A name in quotes."""
        return str(self._exp.to_identifier(name, quoted=True).sql(dialect=self.dialect))

    def table(self, source: str) -> str:
        """The table of an address, each of its names in quotes."""
        return ".".join(map(self.name, names_of(source)))

    def text(self, text: str) -> str:
        """A text in quotes."""
        literal = self._exp.Literal.string(text)
        if self.dialect in ("tsql", "fabric") and not text.isascii():
            literal = self._exp.National(this=text)
        return str(literal.sql(dialect=self.dialect))

    def number(self, value: float) -> str:
        """A float64 that comes back exactly: longer ones as floats, for a decimal number would be rounded twice."""
        text = repr(float(value))
        if text in ("inf", "-inf"):
            return str(self._exp.cast(self._exp.Literal.string(f"{text}inity"), "double").sql(dialect=self.dialect))
        if text.endswith(".0") and abs(value) < 2.0**53:
            return text[:-2]
        return text if "e" in text or len(text.strip("-0.")) <= 15 else f"{text}e0"

    def compare(self, test: Compare) -> str:
        """One comparison; NULL, which counts as false, where the value is missing."""
        column, name = self._tree.columns[test.place], self._columns[test.place]
        if isinstance(test.value, tuple):
            return self._named(name, test.test, test.value, column.kind == "boolean")
        if column.kind == "date":
            return self._dated(name, test.test, test.value)
        if test.value == float("-inf"):  # no dialect says it as another one does
            return f"{name} {'<' if test.test == '<=' else '>='} -1.7976931348623157e308"
        return f"{name} {test.test} {self.number(test.value)}"

    def _named(self, name: str, test: str, levels: tuple[str, ...], is_boolean: bool) -> str:
        if test in ("missing", "present"):
            return f"{name} IS NULL" if test == "missing" else f"{name} IS NOT NULL"
        if is_boolean:
            wanted = [truth for truth in ("True", "False") if (truth in levels) == (test == "in")]
            if len(wanted) != 1:
                return f"{name} IS NOT NULL" if wanted else "1 = 0"
            truths = (
                {"True": "1", "False": "0"} if self.dialect in WITHOUT_TRUTH else {"True": "TRUE", "False": "FALSE"}
            )
            return f"{name} = {truths[wanted[0]]}"
        if len(levels) == 1:
            return f"{name} {'=' if test == 'in' else '<>'} {self.text(levels[0])}"
        return f"{name} {test.upper()} ({', '.join(map(self.text, levels))})"

    def _dated(self, name: str, test: str, seconds: float) -> str:
        said = (EPOCH + timedelta(microseconds=last_microsecond(seconds))).isoformat(" ", "microseconds")
        if self.dialect == "sqlite":
            return f"{name} || substr('{PADDED}', length({name}) + 1) {test} '{said}'"
        if self.dialect == "oracle":
            return f"{name} {test} TIMESTAMP '{said}'"
        if self.dialect in STRICT:
            name = f"CAST({name} AS TIMESTAMP)"
        cast = self._exp.cast(self._exp.Literal.string(said), "timestamp")
        return f"{name} {test} {cast.sql(dialect=self.dialect)}"

    def _count(self, texts: list[str]) -> str:
        return " + ".join(f"CASE WHEN {text} THEN 1 ELSE 0 END" for text in texts)


def _n_selects(tree: Tree, levels: int) -> int:
    return max(tree.depth - 1, 0) // levels + 1


def _stages(tree: Tree, spell: Spelling, levels: int) -> list[str]:
    """Of each select, the inner one first, the CASE for the leaf's id, or for minus the number of a further piece."""
    ids = tree.ids[tree.leaves].tolist()
    language = replace(spell.language, target=lambda at: str(ids[at]) if at >= 0 else str(at))
    stage_of = (tree.level[parts(tree, levels)] // levels).tolist()
    found: list[list[str]] = [[] for _ in range(_n_selects(tree, levels))]
    for k, steps in pieces_of_code(tree, levels):
        text = "\n".join(lines(tree, steps, language)).strip()
        found[stage_of[k]].append(text if k == 0 else f"WHEN {-k} THEN {text}")
    stages = [found[0][0]]
    for k, cases in enumerate(found[1:], 1):
        before = spell.name(f"step {k}")
        stages.append(f"CASE {before}\n" + "\n".join(cases) + f"\nELSE {before} END" if cases else before)
    return stages


def _expression(tree: Tree, spell: Spelling, levels: int, leaf: bool) -> Iterator[str]:
    """One CASE for the prediction, or the leaf."""
    said = _predictions(tree, spell) if not leaf else [str(node) for node in tree.ids[tree.leaves].tolist()]
    language = replace(spell.language, target=lambda at: said[at])
    for _, steps in pieces_of_code(tree, levels):
        yield from lines(tree, steps, language, 0)


def _predictions(tree: Tree, spell: Spelling) -> list[str]:
    if tree.task == "number":
        return [spell.number(value) for value in tree.predictions[tree.leaves].tolist()]
    classes = [spell.text(name) for name in tree.classes]
    return [classes[label] for label in tree.labels[tree.leaves].tolist()]


def _answers(tree: Tree, spell: Spelling) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """The name of each column of answers, and what it is for each leaf's id, by ascending id."""
    ids = tree.ids[tree.leaves].tolist()
    yield spell.free_name("prediction"), sorted(zip(ids, _predictions(tree, spell), strict=True))
    shares = tree.probabilities[tree.leaves] if tree.task == "classes" else None
    for k, name in enumerate(tree.classes):
        assert shares is not None
        said = [spell.number(share) for share in shares[:, k].tolist()]
        yield spell.free_name(f"probability {k + 1}: {name}"[:60]), sorted(zip(ids, said, strict=True))


def _lookup(values: list[tuple[int, str]], leaf: str, indent: str = "") -> str:
    """The CASE that finds a leaf's answer: by halving where there are many."""
    if len({text for _, text in values}) == 1:
        return f"{indent}{values[0][1]}"
    if len(values) > LISTED:
        half = len(values) // 2
        below, above = (_lookup(side, leaf, f"{indent}  ") for side in (values[:half], values[half:]))
        return f"{indent}CASE WHEN {leaf} < {values[half][0]} THEN\n{below}\n{indent}ELSE\n{above}\n{indent}END"
    by_text: dict[str, list[int]] = {}
    for node, text in values:
        by_text.setdefault(text, []).append(node)
    *cases, (last, _) = by_text.items()
    return f"{indent}CASE {' '.join(_when(leaf, nodes, text) for text, nodes in cases)} ELSE {last} END"


def _when(leaf: str, nodes: list[int], text: str) -> str:
    asked = f"= {nodes[0]}" if len(nodes) == 1 else f"IN ({', '.join(map(str, nodes))})"
    return f"WHEN {leaf} {asked} THEN {text}"


def run(
    text: str, tree: Tree, table: Table, dialect: str = "duckdb", source: str = "rows", what: str = "query"
) -> Answers:
    """What DuckDB or SQLite answers for the rows of a table."""
    *schema, _ = names_of(source)
    if dialect not in RUN or what != "query" or len(schema) > 1:
        raise InputError(tr("Only whole queries for DuckDB and SQLite can be run here, so this was not checked."))
    spell = Spelling(tree, dialect)
    columns = [tree.columns[place] for place in columns_used(tree)]
    kinds = {"date": "TIMESTAMP", "boolean": "BOOLEAN", "nominal": "VARCHAR", "ordered": "VARCHAR"}
    declared = [f"{spell.name(column.name)} {kinds.get(column.kind, 'DOUBLE')}" for column in columns]
    number = next(name for name in ("row_number", "espalier_row") if name not in {column.name for column in columns})
    made = f"CREATE TABLE {spell.table(source)} ({', '.join([*declared, f'{number} INTEGER'])})"
    if dialect == "sqlite":
        made = made.replace(" TIMESTAMP", " TEXT")
        cells = [*plain_cells(tree, table, _iso), range(table.n_rows)]
        with closing(sqlite3.connect(":memory:")) as database:
            if schema and schema[0].lower() not in ("main", "temp"):
                database.execute(f"ATTACH ':memory:' AS {spell.name(schema[0])}")
            database.execute(made)
            marks = ", ".join("?" * len(cells))
            database.executemany(f"INSERT INTO {spell.table(source)} VALUES ({marks})", zip(*cells, strict=True))
            found = database.execute(_numbered(text, number)).fetchall()
        return Answers.of(tree, f"SQLite {sqlite3.sqlite_version}", _rows(found, len(tree.classes)))
    duckdb, arrow = library("duckdb", "exports"), import_module("pyarrow")
    types = {"date": arrow.timestamp("us"), "boolean": arrow.bool_(), "nominal": arrow.string(),
             "ordered": arrow.string()}  # fmt: skip
    arrays = [arrow.array(cells, types.get(column.kind, arrow.float64()))
              for cells, column in zip(plain_cells(tree, table), columns, strict=True)]  # fmt: skip
    given = arrow.table([*arrays, arrow.array(range(table.n_rows), arrow.int32())],
                        [*(f"c{k}" for k in range(len(columns))), "n"])  # fmt: skip
    with closing(duckdb.connect(":memory:")) as database:
        if schema:
            database.execute(f"CREATE SCHEMA IF NOT EXISTS {spell.name(schema[0])}")
        database.execute(made)
        database.register("given", given)
        database.execute(f"INSERT INTO {spell.table(source)} SELECT * FROM given")
        found = database.execute(_numbered(text, number)).fetchall()
    return Answers.of(tree, f"DuckDB {duckdb.__version__}", _rows(found, len(tree.classes)))


def _numbered(text: str, number: str) -> str:
    return f"SELECT * FROM (\n{text}) AS t ORDER BY t.{number}"


def _rows(found: list[tuple[Any, ...]], n_classes: int) -> list[tuple[Any, ...]]:
    """(leaf, prediction, probabilities) of each row."""
    n = (len(found[0]) if found else 0) - n_classes
    return [(row[n - 2], row[n - 1], row[n:]) for row in found]


def _iso(seconds: float) -> str:
    return moment(seconds).isoformat(" ", "microseconds")
