"""Trees as code: each format is run on rows of the table and on rows that are made to find mistakes, and answers as the
tree does.
"""

import datetime
import html
import io
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.formats import FORMATS, SAY_ALL, excel, programs, sql
from engine.formats.decisions import decisions
from engine.formats.files import approximated, approximations, content_of
from engine.formats.programs import output_of
from engine.formats.questions import columns_used
from engine.formats.rows_to_check import plain_cells, rows_to_check
from engine.tree.assignment import leaves_of_rows
from tests import effort, sas
from tests.effort import examples, some
from tests.exports import RUN, Run, chain, mixed_table, mixed_tree

SEEDS = st.integers(0, 2**32 - 1)


def here(run):
    """Skips where the program that runs the format is absent."""
    program = run.program
    if program is not None and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


@pytest.mark.parametrize("run", RUN, ids=str)
def test_exported_code_answers_as_the_tree(run):
    here(run)

    @examples(300, 8 if run.program != "soffice" else 3, deadline=None)  # which takes seconds to start
    @given(seed=SEEDS, task=st.sampled_from(["classes", "number"]), n_splits=st.integers(0, 12))
    def check(seed, task, n_splits):
        table = mixed_table(seed, task)
        tree = mixed_tree(table, seed, n_splits)
        checked = run.check(tree, rows_to_check(tree, table, 400, seed))
        assert checked.n_rows >= table.n_rows
        assert checked.n_agreeing == checked.n_rows, checked.rows.to_frame().iloc[checked.differing[:3]]

    check()


@pytest.mark.parametrize("run", RUN, ids=str)
def test_a_check_finds_a_threshold_that_is_one_float_off(run):
    here(run)
    table = mixed_table(1)
    tree, moved = (
        engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (cut,), missing=1))
        for cut in (0.5, np.nextafter(0.5, 1))
    )
    rows = rows_to_check(tree, table, 400)
    assert not run.check(tree, rows).differing.size
    found = run.check(tree, rows, run.content(moved)).differing
    assert found.size and set(rows.column("size").numbers[found]) == {np.nextafter(0.5, 1)}


@pytest.mark.parametrize("run", RUN, ids=str)
def test_a_tree_of_one_leaf(run):
    here(run)
    table = mixed_table(2)
    tree = engine.Tree.root(table)
    checked = run.check(tree, rows_to_check(tree, table, 10))
    assert checked.n_rows == table.n_rows + 10 and not checked.differing.size


@pytest.mark.parametrize(
    ("run", "depth"),
    [(run, k) for run in RUN for k in (30, 700) if effort.full or k == 700 or run.most_depth < 700],  # or it says less
    ids=str,
)
def test_deep_trees_are_written_or_refused(run, depth):
    here(run)
    tree, table = chain(depth)
    assert tree.depth == depth
    try:
        checked = run.check(tree, rows_to_check(tree, table, 50))
    except engine.InputError as error:
        assert run.most_depth < depth and f"{depth:,} levels deep" in str(error)
    else:
        assert depth <= run.most_depth and checked.n_agreeing == checked.n_rows


def test_a_program_that_takes_too_long_is_a_refusal(monkeypatch):
    monkeypatch.setattr(programs, "LONGEST", 0.2)
    with pytest.raises(engine.InputError, match="sleep needs more than 0 minutes for this tree, so it was not checked"):
        programs.output_of({}, ["sleep", "5"])


# -- what hard rows hold


def test_hard_rows_hold_each_threshold_and_its_neighbours_missing_and_unseen():
    table = mixed_table(3)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.1,)))
    tree = tree.split(table, 1, engine.Split("it's", "groups", groups=(("Ulm",), ("12",)), unseen=1))
    rows = engine.hard_rows(tree, table)
    assert rows.n_rows > 1000 and set(rows.names) == {"size", "it's"}
    sizes, towns = rows.column("size"), rows.column("it's")
    assert {0.1, np.nextafter(0.1, 1), np.nextafter(0.1, -1), np.inf, -np.inf} <= set(sizes.values.tolist())
    assert sizes.n_missing and towns.n_missing
    assert {"'); DROP TABLE rows; --", '"', "\U0001f333", "", "NULL", "Ulm ", "uLM"} <= set(towns.levels)
    assert engine.hard_rows(tree, table).to_frame().equals(rows.to_frame())


def test_test_rows_are_not_compared():
    table = mixed_table(4).with_partition(validation=0.2, test=0.3)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.1,)))
    checked = engine.check_export(tree, table, "python", hard=10)
    assert table.n_test > 20
    kept = table.column("size").numbers[table.part != engine.TEST]
    np.testing.assert_array_equal(checked.rows.column("size").numbers[: kept.size], kept)
    assert checked.n_rows <= kept.size + 10


# -- Python


def module_of(tree, format):
    module = {}
    exec(content_of(tree, format), module)
    return module


def test_the_python_module_takes_mappings_and_keywords():
    table = mixed_table(5)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.1,), missing=1))
    module = module_of(tree, "python")
    left, right = (tree.classes[tree.labels[i]] for i in (1, 2))
    assert module["predict"]({"size": 0.1}) == module["predict"](size=0.1) == left
    assert module["predict"]({"size": None}) == module["predict"]() == module["predict"](size=float("nan")) == right
    assert module["predict_proba"](size=0) == dict(zip(tree.classes, tree.probabilities[1].tolist(), strict=True))
    assert module["leaf"](size=3) == tree.ids[2]
    assert not {"numpy", "pandas", "engine"} & set(module)


def test_both_modules_take_numbers_as_levels_and_dates_of_several_kinds():
    table = mixed_table(6)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("it's", "groups", groups=(("12",), ("Ulm",)), unseen=1))
    cut = 1_600_000_000.25
    tree = tree.split(table, 2, engine.Split('day "x"', "threshold", (cut,)))
    vectorised, plain = module_of(tree, "pandas"), module_of(tree, "python")
    zone = datetime.timezone(datetime.timedelta(hours=5))
    moment = datetime.datetime.fromtimestamp(cut, datetime.UTC)
    days = (moment, moment.astimezone(zone), datetime.date(2020, 1, 1), moment + datetime.timedelta(microseconds=1))
    for town, day in [(12, None), (12.0, None), *(("Ulm", day) for day in days)]:
        frame = pd.DataFrame({"it's": [town], 'day "x"': [day]})
        wanted = int(tree.ids[engine.tree.assignment.leaves_of_frame(tree, frame)[0]])
        assert plain["leaf"]({"it's": town, 'day "x"': day}) == vectorised["leaf"](frame)[0] == wanted


@pytest.fixture(scope="module")
def day_tree():
    """Claims of an amount above 5 on days from 2020 on are "late"; the columns need more than a simple name."""
    days = pd.date_range("2019-12-22", periods=20, freq="D")
    frame = pd.DataFrame({"Amount €": np.arange(20) % 10 + 0.5, "Accident date": days, "y": ["soon", "late"] * 10})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("Amount €", "threshold", (5.0,)))
    cut = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC).timestamp() - 0.5
    return tree.split(table, 2, engine.Split("Accident date", "threshold", (cut,)))


CLAIMS = "Accident date,Amount €\n2020-01-02,7.5\n2019-12-31,7.5\n2020-01-02,3\n,\n"


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_r_reads_a_file_as_its_head_says_and_stops_otherwise(tmp_path, day_tree, locale):
    if shutil.which("Rscript") is None:
        pytest.skip("Rscript is not installed")
    engine.export(day_tree, tmp_path / "tree.r")
    (tmp_path / "rows.csv").write_text(CLAIMS, encoding="utf-8")
    head = re.findall(r"^#   (.*)", (tmp_path / "tree.r").read_text("utf-8"), re.MULTILINE)
    assert head[0].startswith("rows <- read.csv(")

    def said_by(*lines):
        (tmp_path / "ask.r").write_text("\n".join(['source("tree.r", encoding = "UTF-8")', *lines]), encoding="utf-8")
        return subprocess.run(["Rscript", "--vanilla", "ask.r"], cwd=tmp_path, capture_output=True,
                              env={**os.environ, "LC_ALL": locale})  # fmt: skip

    asked = "cat(tree_leaf(rows))"
    dated = [head[1].replace("day", "Accident date"), head[2].replace("moment", "Accident date")]
    expected = ids_of(day_tree, ["2020-01-02", "2019-12-31", "2020-01-02", None], [7.5, 7.5, 3, None])
    for line in dated:
        assert said_by(head[0], line, asked).stdout.decode().split() == expected
    for fault, lines in [
        ("no column", ['rows <- read.csv("rows.csv")', asked]),
        ("make them dates with as.Date", [head[0], asked]),
        ("must be numeric", [head[0], dated[0], 'rows[[2]] <- factor(c("7,5", "8", "9", NA))', asked]),
    ]:
        done = said_by(*lines)
        assert done.returncode and fault in done.stderr.decode() and not done.stdout


def ids_of(tree, days, amounts):
    frame = pd.DataFrame({"Accident date": pd.to_datetime(pd.Series(days)), "Amount €": amounts})
    return [str(tree.ids[i]) for i in engine.tree.assignment.leaves_of_frame(tree, frame)]


def test_javascript_refuses_an_absent_column_and_texts_that_are_no_numbers(day_tree):
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    rows = ['{"Accident date": new Date("2020-01-02"), "Amount €": "7.5"}', '{"Accident date": null, "Amount €": ""}',
            '{"Accident date": new Date("2020-01-02")}', '{"Accident date": "2020-01-02", "Amount €": 7.5}',
            '{"Accident date": null, "Amount €": "7,5"}']  # fmt: skip
    asking = "".join(f"try {{ console.log(leaf({row})) }} catch (e) {{ console.log(e.message) }}\n" for row in rows)
    said = output_of({"ask.js": content_of(day_tree, "javascript") + asking}, ["node", "ask.js"]).decode().splitlines()
    assert said[:2] == ids_of(day_tree, ["2020-01-02", None], [7.5, None])
    assert said[2] == 'The row has no column "Amount €"; give null where its value is missing.'
    assert said[3].endswith(
        'column "Accident date" holds the text "2020-01-02": give a Date, or seconds since 1970, UTC.'
    )
    assert said[4] == 'The column "Amount €" holds the text "7,5": give a number.'


def test_python_reads_text_dates_and_names_a_column_that_it_cannot_read(day_tree):
    module, vectorised = module_of(day_tree, "python"), module_of(day_tree, "pandas")
    days, amounts = ["2020-01-02", "2019-12-31T23:59:59", "2019-12-31"], [7.5, 7.5, 3.0]
    expected = ids_of(day_tree, [datetime.datetime.fromisoformat(day) for day in days], amounts)
    frame = pd.DataFrame({"Accident date": days, "Amount €": amounts})
    assert [str(module["leaf"](row)) for row in frame.to_dict("records")] == expected
    assert vectorised["leaf"](frame).astype(str).tolist() == expected
    for row, fault in [
        ({"Accident date": "02.01.2020", "Amount €": 7.5}, "'Accident date' holds no date: give a datetime.date"),
        ({"Accident date": 1_577_923_200, "Amount €": 7.5}, "'Accident date' holds no date: give a datetime.date"),
        ({"Amount €": "7,5"}, "'Amount €' holds '7,5': give a number"),
    ]:
        with pytest.raises(TypeError, match=fault):
            module["leaf"](row)
    with pytest.raises(KeyError, match="Amount €"):
        vectorised["leaf"](frame[["Accident date"]])
    with pytest.raises(ValueError, match="02/01/2020"):
        vectorised["leaf"](frame.assign(**{"Accident date": "02/01/2020"}))
    with pytest.raises(TypeError, match="'Accident date' holds numbers: give dates"):
        vectorised["leaf"](frame.assign(**{"Accident date": 1_577_923_200}))


# -- SQL


@pytest.mark.parametrize("seed", some(range(6), 2))
def test_sql_of_every_dialect_is_read_again_by_its_parser(seed):
    sqlglot = pytest.importorskip("sqlglot")
    table = mixed_table(seed, n=60)
    tree = mixed_tree(table, seed, 5)
    for dialect in ("duckdb", "postgres", "sqlite", "snowflake", "bigquery", "tsql", "mysql", "spark", "clickhouse",
                    "redshift", "trino", "databricks"):  # fmt: skip
        for what in ("query", "prediction", "leaf"):
            parsed = sqlglot.parse_one(content_of(tree, "sql", dialect=dialect, what=what), dialect=dialect)
            texts = {found.this for found in parsed.find_all(sqlglot.exp.Literal) if found.is_string}
            texts |= {found.this for found in parsed.find_all(sqlglot.exp.National)}
            asked = {level for i in np.flatnonzero(tree.n_branches) for level in levels_of(tree.split_at(i))}
            assert asked & {"x\\", "O'Hara", "'); DROP TABLE rows; --"} <= texts, dialect


def levels_of(split):
    """The levels of a split that its code names."""
    yield from (level for b, group in enumerate(split.groups) if b != split.unseen for level in group)
    yield from (literal.value for literal in split.literals if not literal.by_order)


def test_a_level_that_is_a_command_stays_a_level(tmp_path):
    table = mixed_table(7)
    command = "'); DROP TABLE rows; --"
    tree = engine.Tree.root(table).split(
        table, 0, engine.Split("it's", "groups", groups=((command,), ("Ulm",)), unseen=1)
    )
    engine.export(tree, tmp_path / "tree.sql", dialect="sqlite")
    with sqlite3.connect(":memory:") as database:
        database.execute('CREATE TABLE rows ("it\'s" TEXT)')
        database.execute("INSERT INTO rows VALUES (?), ('Ulm')", (command,))
        found = database.execute((tmp_path / "tree.sql").read_text(encoding="utf-8")).fetchall()
        assert [row[1] for row in found] == tree.ids[1:].tolist()
        assert database.execute("SELECT count(*) FROM rows").fetchone() == (2,)
    database.close()


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize(("source", "asked"), [
    ("own.loans", '"own"."loans"'), ('"a.b"', '"a.b"'), ("scored 1", '"scored 1"'),
    ("""x"; DROP TABLE y; --""", '"x""; DROP TABLE y; --"'), ("main.rows", '"main"."rows"'),
])  # fmt: skip
def test_sql_asks_the_table_that_is_named(source, asked, dialect):
    pytest.importorskip("duckdb")
    table, tree = mixed_table(9), mixed_tree(mixed_table(9), 9)
    assert f"\nFROM {asked} AS t\n" in content_of(tree, "sql", dialect=dialect, source=source)
    checked = engine.check_export(tree, table, "sql", dialect=dialect, source=source, hard=50)
    assert checked.n_agreeing == checked.n_rows > 50


@pytest.mark.parametrize(("source", "home"), [
    ({"address": "sqlite:////tmp/bank.db::loans"}, ("sqlite", "loans")),
    ({"address": "postgresql://anna@host:5432/bank::own.loans"}, ("postgres", "own.loans")),
    ({"address": "mssql://host/bank::loans"}, ("tsql", "loans")), ({"address": "spark:/rows"}, ()),
    ({"path": "/tmp/bank.duckdb", "options": {"sheet": "own.loans"}}, ("duckdb", "own.loans")),
    ({"path": "/tmp/bank.xlsx", "options": {"sheet": "loans"}}, ()), ({"path": "/tmp/rows"}, ()), ({}, ()),
])  # fmt: skip
def test_the_database_that_rows_came_from(source, home):
    table = replace(mixed_table(9), source=source)
    assert sql.home_of(table) == dict(zip(("dialect", "source"), home, strict=False))


def test_an_expression_stands_in_a_query():
    duckdb = pytest.importorskip("duckdb")
    table = mixed_table(8)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.5,), missing=1))
    prediction = content_of(tree, "sql", what="prediction").split("\n", 1)[1]
    leaf = content_of(tree, "sql", what="leaf").split("\n", 1)[1]
    query = f"SELECT {prediction}, {leaf} FROM (VALUES (0.5), (0.6), (NULL)) AS given(size)"
    with duckdb.connect(":memory:") as database:
        wanted = [(tree.classes[tree.labels[i]], int(tree.ids[i])) for i in (1, 2, 2)]
        assert database.execute(query).fetchall() == wanted


def test_the_columns_of_answers_have_names_of_their_own():
    frame = pd.DataFrame({"leaf": [1.0, 2, 3, 4], "prediction": [1.0, 1, 2, 2], "y": list("aabb")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("leaf", "threshold", (2.5,)))
    tree = tree.split(table, 1, engine.Split("prediction", "threshold", (1.5,)))
    checked = engine.check_export(tree, table, "sql", dialect="sqlite", hard=50)
    assert checked.n_agreeing == checked.n_rows


def test_a_large_query_for_postgresql_says_that_it_is_not_to_be_compiled():
    assert "SET jit = off;" in content_of(chain(1100)[0], "sql", dialect="postgres").split("\n")[1]
    assert "jit" not in content_of(chain(900)[0], "sql", dialect="postgres")
    assert "jit" not in content_of(chain(1100)[0], "sql")


# -- C


@examples(200)
@given(seed=SEEDS, n_splits=st.integers(0, 12))
def test_the_list_of_decisions_leads_each_row_to_its_leaf(seed, n_splits):
    table = mixed_table(seed)
    tree = mixed_tree(table, seed, n_splits)
    rows = rows_to_check(tree, table, 200, seed)
    found, begin = decisions(tree)
    assert all(target < k for k, one in enumerate(found) for target in (one.yes, one.no))  # so no row goes in a circle
    leaf = leaves_of_rows(rows, tree)
    for row, cells in enumerate(zip(*plain_cells(tree, rows, float, str), strict=True)):
        cell, at = dict(zip(columns_used(tree), cells, strict=True)), begin
        while at >= 0:
            at = found[at].yes if holds(found[at].asked, cell[found[at].asked.place]) else found[at].no
        assert tree.leaves[-1 - at] == leaf[row]


def holds(asked, cell):
    """A comparison as the docstring of `Compare` has it."""
    if asked.test in ("missing", "present"):
        return (cell is None) == (asked.test == "missing")
    if cell is None:
        return False
    if asked.test in ("in", "not in"):
        return (cell in asked.value) == (asked.test == "in")
    return cell <= asked.value if asked.test == "<=" else cell > asked.value


@pytest.mark.parametrize(("depth", "is_array"), [(900, False), (1100, True)])
def test_c_is_an_array_where_a_compiler_would_take_long_for_branches(depth, is_array):
    tree, _ = chain(depth)
    assert ("struct test TESTS[]" in content_of(tree, "c")) == is_array
    assert "struct test TESTS[]" in content_of(tree, "c", written="array")
    assert "struct test TESTS[]" not in content_of(tree, "c", written="branches")


# -- Excel


def formulas_of(tree, **options):
    """The sheets as text, and the formulas of its second row by column."""
    with zipfile.ZipFile(io.BytesIO(content_of(tree, "excel", **options))) as book:
        sheets = [book.read(f"xl/worksheets/sheet{k}.xml").decode() for k in (1, 2, 3)]
    cells = re.findall(r'<c r="([A-Z]+)2"><f[^>]*>(.*?)</f>', sheets[0], re.DOTALL)
    return sheets, {letters: html.unescape(formula) for letters, formula in cells}


@pytest.mark.parametrize("tree", [chain(700)[0], *(mixed_tree(mixed_table(k), k, 60) for k in range(3))])
def test_no_formula_is_beyond_the_limits_of_excel(tree):
    _, formulas = formulas_of(tree)
    for formula in formulas.values():
        assert len(formula) < 8192
        plain = re.sub(r'"(?:[^"]|"")*"', '""', formula)
        depths = np.cumsum([(sign == "(") - (sign == ")") for sign in plain])
        assert depths[-1] == 0 and depths.max() <= 64
        assert set(re.findall(r"[A-Z.]+(?=\()", plain)) <= {
            *("IF", "ISNUMBER", "GESTEP", "N", "NOT", "ISBLANK", "EXACT", "SIGN", "CHAR", "INDEX", "MATCH"),
        }
        for digits in re.findall(r"[0-9.]+(?=E|\b)", plain):
            assert len(digits.replace(".", "").strip("0")) <= 15


def test_levels_of_any_length_and_kind_are_asked_exactly():
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    names = ["a", "A", "=1+1", "x" * 300, '"' * 300, "_x0041_", "TRUE", "12", "1,5", "2020-01-01", "ä", "a ", "\x01",
             "{1}", "#N/A", "'a", "*", "?", "~", "<&>"]  # fmt: skip
    frame = pd.DataFrame({"=cmd|' /C calc'!A0": names * 2, "y": [str(k) for k in range(len(names))] * 2})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    for name in names:
        groups = ((name,), tuple(other for other in names if other != name))
        split = engine.Split("=cmd|' /C calc'!A0", "groups", groups=groups, unseen=1)
        tree = tree.split(table, int(tree.ids[tree.leaves[-1]]), split)
    checked = engine.check_export(tree, table, "excel", hard=300)
    assert tree.n_leaves == len(names) + 1 and checked.n_agreeing == checked.n_rows == 340
    sheets, formulas = formulas_of(tree)
    assert not any("cmd" in formula for formula in formulas.values()) and "cmd" in sheets[0]
    assert all(len(text) < 255 for text in re.findall(r'"((?:[^"]|"")*)"', formulas["B"]))


@pytest.mark.parametrize("value", [sys.float_info.max, -sys.float_info.max, 1.797693134862315e308, 0.1, 1 / 3])
def test_a_number_in_a_formula_comes_back_exactly_and_is_never_infinite(value):
    parts = [float(part) for part in re.findall(r"[+-]?[0-9.]+(?:E[+-]?\d+)?", excel._number(value).strip("()"))]
    assert np.isfinite(parts).all() and sum(parts) == value


def test_a_workbook_has_as_many_rows_of_formulas_as_are_asked_for():
    table = mixed_table(14)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.1,)))
    sheets, _ = formulas_of(tree, rows=7)
    assert sheets[0].count("<row") == 8 and "B2:B8" in sheets[0] and "MATCH($B8,leaves!" in sheets[0]


def test_a_tree_that_formulas_cannot_say_is_refused(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(excel, "MOST_COLUMNS", 30)
        with pytest.raises(engine.InputError, match=r"4,001 leaves, too many for formulas: with 8,192 .* than 30 "):
            content_of(chain(4_000)[0], "excel")
    table = mixed_table(15)
    split = engine.Split("size", "threshold", (-np.inf,))
    with pytest.raises(engine.InputError, match="Excel knows no infinite numbers, but the tree asks for one in “size”"):
        content_of(engine.Tree.root(table).split(table, 0, split), "excel")
    names = [f"level number {k}" for k in range(1000)]
    table = engine.Table.from_frame(pd.DataFrame({"a": names, "y": list("ab") * 500}), target="y")
    split = engine.Split("a", "groups", groups=(tuple(names[::2]), tuple(names[1::2])), unseen=1)
    with pytest.raises(engine.InputError, match="Node 0 names too many levels for a formula"):
        content_of(engine.Tree.root(table).split(table, 0, split), "excel")


# -- SAS, which is not here: a reader of the tests stands for it


def without_empty(table):
    """The table whose empty level has a name: a text of SAS that is blank is missing."""
    frame = table.to_frame()
    frame["it's"] = frame["it's"].cat.rename_categories({"": " empty"})
    return engine.Table.from_frame(frame, target=table.target)


@examples(300, 12, deadline=None)
@given(seed=SEEDS, task=st.sampled_from(["classes", "number"]), n_splits=st.integers(0, 12))
def test_a_data_step_reads_as_the_tree(seed, task, n_splits):
    table = without_empty(mixed_table(seed, task))
    tree = mixed_tree(table, seed, n_splits)
    rows, run = rows_to_check(tree, table, 400, seed), Run("sas", runs=sas.run)
    fits, checked = sas.same(rows), run.check(tree, rows)
    assert fits.mean() > 0.5 and not fits[checked.differing].any()


def test_a_deep_data_step_reads_as_the_tree():
    tree, table = chain(700)
    assert not Run("sas", runs=sas.run).check(tree, table).differing.size


def test_a_data_step_is_exact_and_nothing_in_it_is_a_macro():
    frame = pd.DataFrame({"%let a": [1.0, 2, 3, 4], "it's": ["&b", "%c", "a\nb", "x;"], "y": list("aabb")})
    table = engine.Table.from_frame(frame, target="y")
    cut = float(np.nextafter(0.3, 1))
    tree = engine.Tree.root(table).split(table, 0, engine.Split("%let a", "threshold", (cut,), missing=1))
    groups = (("&b", "a\nb"), ("%c", "x;"))
    tree = tree.split(table, 2, engine.Split("it's", "groups", groups=groups, unseen=1))
    text = content_of(tree, "sas")
    assert f"'%let a'n <= input('{struct.pack('>d', cut).hex().upper()}', hex16.) /* {cut!r} */" in text
    assert "'it''s'n in ('&b', '610a62'x)" in text
    assert not set(re.findall(r"[%&]\w+", re.sub(r"'(?:[^']|'')*'", "", text))) - {"%let", "&rows", "&scored"}


def test_a_data_step_overwrites_no_column_that_the_tree_knows():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "Prediction": [1.0, 1, 2, 2], "leaf": [5, 6, 7, 8], "y": list("aabb")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (2.5,)))
    text = content_of(tree, "sas")
    assert "length prediction_ $ 1;" in text and "leaf_ = 1; prediction_ = 'a';" in text
    table = engine.Table.from_frame(frame.rename(columns={"y": "leaf_"}), target="leaf_")
    text = content_of(engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (2.5,))), "sas")
    assert "leaf__ = 1; prediction_ = 'a';" in text


def test_sas_is_not_run():
    with pytest.raises(engine.InputError, match="SAS data step cannot be run here, so it was not checked"):
        engine.check_export(engine.Tree.root(mixed_table(16)), None, "sas")


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ({"a": ["", "b"]}, "For SAS an empty text is missing, so it cannot be a level of “a”"),
        ({"a": ["b ", "b"]}, "blanks at the end of a text mean nothing, but “a” has levels that differ by them"),
        ({"n" * 33: ["b", "c"]}, "is no name for SAS, which wants 32 bytes at most"),
        ({"a\nb": ["b", "c"]}, "is no name for SAS"),
        ({"a": ["b" * 40_000, "c"]}, "A text of SAS has 32,767 bytes at most"),
        ({"a": ["b", "c"], "A": ["b", "c"]}, "two columns have one name"),
    ],
)
def test_what_sas_cannot_say_is_refused(frame, said):
    levels = {name: tuple(column) for name, column in frame.items()}
    frame = pd.DataFrame({**{name: pd.Categorical(column) for name, column in frame.items()}, "y": ["u", "v"]})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table)
    for k, (name, (first, other)) in enumerate(levels.items()):
        split = engine.Split(name, "groups", groups=((first,), (other,)), unseen=1)
        tree = tree.split(table, 2 * k, split)
    with pytest.raises(engine.InputError, match=said):
        content_of(tree, "sas")


# -- refusals


def test_sql_of_a_tree_that_databases_would_refuse_is_refused():
    tree, _ = chain(5000)
    with pytest.raises(engine.InputError, match=r"5,000 levels deep.* deeper than 4,500 levels: prune it"):
        content_of(tree, "sql", dialect="tsql")
    with pytest.raises(engine.InputError, match=r"5,000 levels deep.* deeper than 20 levels: prune it"):
        content_of(tree, "sql", what="prediction")


@pytest.mark.parametrize(
    ("format", "options", "said"),
    [
        ("cobol", {}, "There is no format “cobol”; choose one of json, "),
        ("sql", {"dialect": "klingon"}, "sqlglot knows no dialect “klingon”; it knows .*duckdb"),
        ("sql", {"dialekt": "duckdb"}, "SQL query has no option “dialekt”; it has dialect, source, what"),
        ("python", {"dialect": "duckdb"}, "Python module has no option “dialect”"),
        ("sql", {"what": "everything"}, "“everything” cannot be exported; choose query, prediction or leaf"),
    ],
)
def test_what_there_is_not_is_refused(tmp_path, format, options, said):
    table = mixed_table(9)
    with pytest.raises(engine.InputError, match=said):
        engine.export(engine.Tree.root(table), tmp_path / "tree.x", format, **options)
    assert not list(tmp_path.iterdir())


def test_a_format_that_nothing_runs_is_not_checked():
    table = mixed_table(10)
    with pytest.raises(engine.InputError, match="Rules as text cannot be run here, so it was not checked"):
        engine.check_export(engine.Tree.root(table), table, "text")


def test_a_library_that_is_absent_is_said_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(engine.InputError, match=r"needs the library sqlglot.*pip install 'espalier\[exports\]'"):
        content_of(engine.Tree.root(mixed_table(11)), "sql")


def test_the_suffix_names_the_format_and_a_name_overrules_it(tmp_path):
    table = mixed_table(12)
    tree = engine.Tree.root(table)
    engine.export(tree, tmp_path / "a.py")
    engine.export(tree, tmp_path / "b.py", "pandas")
    engine.export(tree, tmp_path / "c.anything", "json")
    assert "import pandas" not in (tmp_path / "a.py").read_text()
    assert "import pandas" in (tmp_path / "b.py").read_text()
    assert json.loads((tmp_path / "c.anything").read_text())["format"] == "espalier-tree"
    assert FORMATS["python"].suffix == ".py"


# -- rows that the tree divides


def divided_tree():
    table = mixed_table(13)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "threshold", (0.1,), missing=-1))
    groups = (("Ulm", "12"), ("x\\",), ("O'Hara",))
    return tree.split(table, 1, engine.Split("it's", "groups", groups=groups, missing=-1)), table


@pytest.mark.parametrize("format", ["python", "pandas", "sql", "c", "javascript", "r"])
def test_divided_rows_are_refused(format):
    tree, _ = divided_tree()
    with pytest.raises(engine.InputError, match=r"Node 0 divides rows without a value of “size” among .* approximate"):
        content_of(tree, format)


@pytest.mark.parametrize(
    ("format", "options", "levels"), [("sql", {"dialect": "sqlite"}, 6000), ("onnx", {}, 1000), ("pmml", {}, 200)]
)
def test_too_deep_trees_are_cut_back_on_request_and_counted(format, options, levels):
    run = next(run for run in RUN if run.format == format and run.options == options)
    here(run)
    tree, table = chain(levels + 30)
    assert approximations(tree, format, **options) == (False, levels)
    with pytest.raises(engine.InputError, match=r"levels deep.* approximate it"):
        content_of(tree, format, **options)
    cut = approximated(tree, format, **options)
    assert cut.depth == levels and approximated(cut, format, **options) is cut
    if format == "sql":  # 500 selects take SQLite minutes
        return
    checked = engine.check_export(tree, table, format, hard=20, approximate=True, **options)
    assert checked.n_agreeing == checked.n_rows
    lost = ~np.isin(tree.ids[leaves_of_rows(checked.rows, tree)], cut.ids)
    assert checked.changed == np.count_nonzero(lost) >= 30


@pytest.mark.parametrize("format", sorted(SAY_ALL))
def test_formats_that_say_the_whole_tree_do_not_approximate_it(format):
    tree, _ = divided_tree()
    assert approximations(tree, format) == (False, None)
    if format != "rpart":
        assert content_of(tree, format, approximate=True) == content_of(tree, format)


def test_divided_rows_are_approximated_on_request_and_counted(tmp_path):
    tree, table = divided_tree()
    checked = engine.check_export(tree, table, "python", hard=300, approximate=True)
    frame = checked.rows.to_frame()
    lacking = frame["size"].isna() | frame["it's"].isna()
    assert not checked.differing.size and 0 < checked.changed <= lacking.sum()
    engine.export(tree, tmp_path / "a.py", approximate=True)
    module = {}
    exec((tmp_path / "a.py").read_text(encoding="utf-8"), module)
    largest = tree.children(0)[int(tree.weight()[tree.children(0)].argmax())]
    assert module["leaf"]({"size": None, "it's": "Ulm"}) in tree.ids[largest : tree.end[largest]]
