"""Databases that Ibis knows grow the trees of memory; what goes wrong is a sentence, and nobody reads a password."""

import sqlite3
import sys
import tempfile
import traceback
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import engine
from engine import project
from engine.readers.options import ReadOptions
from engine.readers.types import with_dates
from engine.readers.values import Values
from engine.runtime import addresses
from engine.runtime.addresses import without_password
from engine.runtime.errors import InputError, PasswordRefused
from engine.runtime.progress import Progress
from engine.sources.opening import KINDS
from engine.splits import bind
from tests import postgres
from tests.effort import crossed, examples
from tests.engine.sources.test_growing import CASES, OPTIONS, assert_grows, frames, has_several, in_memory
from tests.same_trees import assert_same

ibis, duckdb = pytest.importorskip("ibis"), pytest.importorskip("duckdb")
from engine.sources import databases  # noqa: E402  # needs Ibis
from engine.sources.databases import Database  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),  # Ibis asks pandas for it
]


def in_sqlite(frame, folder):
    """The address of the rows in a new file of SQLite."""
    path = Path(folder) / "rows.db"
    with sqlite3.connect(path) as connection:
        frame.to_sql("t", connection, index=False)
    connection.close()
    return f"sqlite:///{path}::t"


def plain(frame):
    """Columns that every database has types for."""
    day = frame["day"].dt.strftime("on %Y-%m-%d")  # a level: texts that are dates alone become dates
    return frame.assign(flag=frame["flag"].map({True: 1.0, False: 0.0}), day=day)


@examples(10, 4)
@CASES
def test_sqlite_grows_the_tree_of_memory(seed, n, lacking, task, options):
    frame = plain(frames(seed, n, lacking, task))
    table, kinds = in_memory(frame)
    if has_several(table):
        with tempfile.TemporaryDirectory() as folder:
            source = engine.open_source(in_sqlite(frame, folder), target="y", kinds=kinds)
            assert_grows(source, table, {**options, "max_depth": 3})


def test_sqlite_grows_a_tree_of_many_levels(tmp_path):
    n = 80
    x = np.arange(n, dtype=float)  # each level cuts one row off at one end
    y = np.where(np.arange(n) % 2, 1.0, -1.0) * 3.0 ** np.arange(n)
    frame = pd.DataFrame({"x": x, "path_number": np.where(x % 3, "a", "b"), "y": y})
    tree = engine.grow(engine.Table.from_frame(frame, target="y"), max_depth=38)
    assert tree.depth > 36
    found = engine.grow_source(engine.open_source(in_sqlite(frame, tmp_path), target="y"), max_depth=38)
    assert [found.split_at(i) for i in range(found.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]
    np.testing.assert_array_equal(found.rows_train, tree.rows_train)  # sums of such numbers are rounding alone


@examples(10)
@CASES
def test_polars_grows_the_tree_of_memory(seed, n, lacking, task, options):
    polars = pytest.importorskip("polars")
    frame = frames(seed, n, lacking, task)
    table, kinds = in_memory(frame)
    if has_several(table):
        source = engine.open_source(polars.from_pandas(frame, nan_to_null=False), target="y", kinds=kinds)
        assert_grows(source, table, {**options, "max_depth": 3})


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # Ibis asks DuckDB in its old way
@pytest.mark.parametrize(("task", "rows_of_group"), crossed(("classes", "number"), (40, 400)))
def test_nan_in_parquet_is_missing_for_duckdb_by_ibis(task, rows_of_group, tmp_path):
    frame = frames(6, 400, True, task)
    frame["number"] = frame["number"].where(np.arange(400) % 5 > 0, np.nan)
    if task == "number":
        frame["y"] = frame["y"].where(np.arange(400) % 7 > 0, np.nan)
    columns = {name: pa.array(frame[name], from_pandas=frame[name].dtype.kind != "f") for name in frame}
    parquet.write_table(pa.table(columns), tmp_path / "rows.parquet", row_group_size=rows_of_group)
    table, kinds = in_memory(frame)
    rows = ibis.duckdb.connect().read_parquet(tmp_path / "rows.parquet")
    source = engine.open_source(rows, target="y", kinds=kinds)
    assert source.head.n_train == int(frame["y"].notna().sum())
    for options in OPTIONS[:4]:
        assert_grows(source, table, {**options, "max_depth": 3})


def whole_numbers(folder):
    """2^53 … 2^53 + 5 in SQLite: floats hold every second one."""
    path, n = folder / "wide.db", np.arange(60) % 6
    frame = pd.DataFrame({"v": 2**53 + n, "w": np.arange(60) % 7, "y": np.where(n > 1, "a", "b")})
    frame.loc[::11, "y"] = "c"
    with sqlite3.connect(path) as connection:
        frame.to_sql("t", connection, index=False)
    connection.close()
    return frame, f"sqlite:///{path}::t"


def in_duckdb(values, kind, folder):
    """Values of one column and classes that it nearly tells, as a frame of pandas and in DuckDB."""
    n = np.arange(60) % len(values)
    table = pa.table({"v": pa.array([values[i] for i in n], kind), "w": np.arange(60) % 7,
                      "y": (n > len(values) // 2) ^ (np.arange(60) % 11 == 0)})  # fmt: skip
    parquet.write_table(table, folder / "rows.parquet")
    return table.to_pandas(), ibis.duckdb.connect().read_parquet(folder / "rows.parquet")


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
@pytest.mark.parametrize("which", ["sqlite", "unsigned", "nanoseconds"])
def test_values_that_become_one_when_they_are_read_stay_together(which, tmp_path):
    if which == "sqlite":
        frame, rows = whole_numbers(tmp_path)
    elif which == "unsigned":
        frame, rows = in_duckdb([2**63 + 1000 * k for k in range(9)], pa.uint64(), tmp_path)
    else:
        ticks = [1_577_836_800_000_000_000 + 700 * k for k in range(9)]
        frame, rows = in_duckdb(ticks, pa.timestamp("ns"), tmp_path)
        frame["v"] = frame["v"].astype("datetime64[us]")
    table, kinds = in_memory(frame)
    for options in ({"max_depth": 3, "min_gain": 0.0}, {"max_depth": 3, "criterion": "entropy"}):
        assert_grows(engine.open_source(rows, target="y", kinds=kinds), table, options)


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
@pytest.mark.parametrize("lost", [(-(10**17), 10**18), (10**18,)])
def test_times_beyond_the_calendar_are_missing(lost, tmp_path):
    frame, rows = in_duckdb([*(86_400_000_000 * k for k in range(4)), *lost], pa.timestamp("us"), tmp_path)
    frame["v"] = frame["v"].where(frame["v"].dt.year.between(1, 9999)).astype("datetime64[us]")
    table, kinds = in_memory(frame)
    source = engine.open_source(rows, target="y", kinds=kinds)
    assert source.lacking == {"v"}
    for options in ({"max_depth": 2}, {"max_depth": 3, "missing": "branch"}):
        assert_grows(source, table, options)


def test_texts_that_are_no_numbers_are_missing_and_still_the_same_data():
    values = Values.of("v", pa.array(["10", "9", "x", None]), ReadOptions(kinds={"v": "number"}))
    assert values.lacks and values.codes(pa.array(["x", None, "9"])).tolist() == [0, 0, 1]
    with pytest.raises(InputError, match="did not have"):
        values.codes(pa.array(["x", None, "8"]))


@pytest.fixture
def address(tmp_path):
    """Of 400 rows in SQLite."""
    return in_sqlite(plain(frames(3, 400, True, "classes")), tmp_path)


def test_a_database_that_goes_away_is_said_and_used_again_afterwards(address, tmp_path):
    source, path = engine.open_source(address, target="y"), tmp_path / "rows.db"
    before = engine.grow_source(source, max_depth=2)
    with sqlite3.connect(path) as connection:
        connection.execute("alter table t rename to elsewhere")
    with pytest.raises(InputError, match="can no longer be read: no such table"):
        engine.grow_source(source, max_depth=2)
    with sqlite3.connect(path) as connection:
        connection.execute("alter table elsewhere rename to t")
        connection.execute("update t set whole = 77 where rowid = 200")
    with pytest.raises(InputError, match="Column “whole” has values that it did not have"):
        engine.grow_source(source, max_depth=2)
    with sqlite3.connect(path) as connection:
        connection.execute("update t set whole = (select whole from t where rowid = 1) where rowid = 200")
    assert engine.grow_source(source, max_depth=2).n_nodes == before.n_nodes


def test_a_query_is_cancelled_and_the_source_goes_on(address):
    source, progress, heard = engine.open_source(address, target="y"), Progress(), []
    progress = Progress(lambda *_: heard.append(1) or (len(heard) == 2 and progress.stop()))
    with pytest.raises(engine.Stopped):
        source.tally([()], [0, 1, 2], np.zeros(1), progress)
    assert len(heard) == 2
    assert source.tally([()], [0], np.zeros(1), Progress())[0][0].n_train == source.head.n_train


def test_a_long_query_ends_when_it_is_stopped(tmp_path):
    connection = ibis.sqlite.connect(tmp_path / "n.db")
    connection.raw_sql("create table n as with recursive n(i) as (select 1 union all select i + 1 from n limit 3000) "
                       "select i from n").close()  # fmt: skip
    numbers, progress = connection.table("n"), Progress()
    slow = (
        numbers.cross_join(numbers.view(), rname="b{name}")
        .cross_join(numbers.view(), rname="c{name}")
        .count()
        .as_table()
    )

    class Clock(Progress):
        """Is stopped by its second question."""

        asked = 0

        @property
        def stopped(self):
            Clock.asked += 1
            return Clock.asked > 1

    with pytest.raises(engine.Stopped):
        Database(numbers, "n").ask(slow, Clock())
    assert Database(numbers, "n").ask(numbers.count().as_table(), progress).num_rows == 1


def test_addresses_that_lead_nowhere_are_said(address, tmp_path):
    with pytest.raises(InputError, match="ends with “::”"):
        engine.open_source(address.rpartition("::")[0], target="y")
    with pytest.raises(InputError, match=r"no table “\w*tt” in the database; it has t\."):
        engine.open_source(address + "t", target="y")
    with pytest.raises(InputError, match="no column “z” in t"):
        engine.open_source(address, target="z")
    with pytest.raises(InputError, match="cannot be reached"):
        engine.open_source("nosuchdatabase://host/x::t", target="y")


def test_no_error_and_no_name_holds_a_password():
    pytest.importorskip("psycopg")
    address = "postgres://anna:s3%26cret@no-such-host.invalid/bank?token=abcdef::loans"
    with pytest.raises(InputError) as caught:
        engine.open_source(address, target="y")
    told = "".join(traceback.format_exception(caught.value))
    assert "There is no server of this name" in told
    for secret in ("s3%26cret", "s3&cret", "abcdef"):
        assert secret not in told.replace(address, "")


@pytest.mark.parametrize("address", [
    "postgres://bob:s3cret#9@localhost/db::t", "postgres://bob:s3cret/9@localhost/db::t",
    "postgres://bob:s3cret?9@localhost/db::t", "postgres://S3CRET#@localhost/db::t", "postgres://bob:a::s3cret@host/db",
    "postgres://host/db?password=s3cret::t", "nosuch://bob:s3cret@host::t", "postgres://[s3cret@host::t",
    "md:my_db?motherduck_token=s3cret::t", "postgres:/bob:s3cret@host::t", "bob:s3cret@host::t",
])  # fmt: skip
@pytest.mark.parametrize("how", [{}, {"sample": 5}, {"store": "codes"}])
def test_no_piece_of_a_password_is_told(address, how, tmp_path, monkeypatch):
    pytest.importorskip("psycopg")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        engine.open_source(address, target="y", **how)
    told = "".join(traceback.format_exception(caught.value)).replace(address, "")
    assert "s3cret" not in told.lower()


@pytest.mark.parametrize(("address", "kept"), [
    ("postgres://anna:s3%26cret@host:5432/bank?token=abc::loans", "postgres://anna@host:5432/bank::loans"),
    ("postgres://anna:s3cret@host/bank?sslmode=require&connect_timeout=5::t",
     "postgres://anna@host/bank?sslmode=require&connect_timeout=5::t"),
    ("postgres://anna@host/bank?password=abc&sslmode=require::t", "postgres://anna@host/bank?sslmode=require::t"),
    ("postgres:///bank?host=%2Frun%2Fpg&sslpassword=abc;user=anna&sslkey=/k.pem::own.t",
     "postgres:///bank?host=%2Frun%2Fpg&user=anna&sslkey=/k.pem::own.t"),
    ("mysql://h/b?pass%77ord=abc&Pwd=x&api_key=y&access-token=z&abc&charset=utf8::t", "mysql://h/b?charset=utf8::t"),
    ("odbc://h/b?dsn=Server%3Dx%3BPWD%3Dabc&proxy=http://u:abc@p&app=a::t", "odbc://h/b?app=a::t"),
    ('postgres://anna:abc@host/bank?password=abc::"a::b"."c.d"', 'postgres://anna@host/bank::"a::b"."c.d"'),
    ("postgres://anna@host/bank::own.loans", "postgres://anna@host/bank::own.loans"),
    ('postgres://host:5432/db::"a@b"', 'postgres://host:5432/db::"a@b"'),
    ('postgres://anna:abc@host:5432/db::own."a@b@c"', 'postgres://anna@host:5432/db::own."a@b@c"'),
    ('postgres://bob:x/y::"a@host/db"', "postgres://bob"), ("postgres://bob:x/y::a@host", "postgres://bob"),
    ("postgres://:s3cret@host/bank::t", "postgres://@host/bank::t"),
    ("duckdb://md:bank?motherduck_token=abc::t", "duckdb://md:bank::t"),
    ("sqlite:////tmp/a@b/rows.db::t", "sqlite:////tmp/a@b/rows.db::t"), ("/tmp/*.parquet", "/tmp/*.parquet"),
])  # fmt: skip
def test_an_address_is_kept_without_its_password(address, kept):
    assert without_password(address) == kept
    assert without_password(kept) == kept


@pytest.mark.parametrize(("address", "place", "names"), [
    (r"C:\data\x.db::table", r"C:\data\x.db", ("table",)), ("sqlite:///C:/x.db::t", "sqlite:///C:/x.db", ("t",)),
    ("x.duckdb", "x.duckdb", ()), ('u://h/d::"my.table"', "u://h/d", ("my.table",)),
    ('u://h/d::own."my.table"', "u://h/d", ("own", "my.table")),
    ('u://h/d::"a.b"."c""d::e"', "u://h/d", ("a.b", 'c"d::e')),
    ("u://bob:a::b@h/d::t", "u://bob:a::b@h/d", ("t",)), ('u://h/d::a"b', "u://h/d", ('a"b',)),
    ('u://h/d::"a', "u://h/d", ('"a',)), ("u://h/d::", "u://h/d", ()), ("u://h/d::a:b", "u://h/d", ("a:b",)),
])  # fmt: skip
def test_an_address_names_a_place_and_a_table(address, place, names):
    found, table = addresses.place_and_table(address)
    assert (found, addresses.names_of(table) if table else ()) == (place, names)


@given(st.lists(st.text('a.":;@ 雪', min_size=1), min_size=1, max_size=2))
def test_every_table_can_be_named(names):
    table = addresses.table_of(*names)
    assert addresses.names_of(table) == tuple(names)
    assert addresses.place_and_table(f"sqlite:///x.db::{table}") == ("sqlite:///x.db", table)


@given(st.text('a@/:?#%+ "é', max_size=8), st.sampled_from(["anna@", "anna:old@", ""]))
def test_a_password_that_is_given_apart_may_have_any_sign(password, user):
    found = urlsplit(addresses.with_password(f"postgres://{user}host:5432/bank?sslmode=require", password))
    assert (unquote(found.password), found.username) == (password, user[:4])
    assert (found.hostname, found.port, found.path, found.query) == ("host", 5432, "/bank", "sslmode=require")


def test_a_table_with_the_sign_of_a_user_hides_no_names():
    """Else the host and the database were taken for a password, and the reason was told without them."""
    secrets = databases._secrets('postgres://anna:s3cret@host:5432/bank::"a@b"')
    with pytest.raises(InputError) as caught, databases._in_words(databases.UNREACHED, secrets):
        raise OSError("s3cret: no bank at host:5432")
    assert str(caught.value).endswith("…: no bank at host:5432")


@pytest.mark.parametrize("port", ["s3cret", "70000", "54 32"])
def test_a_port_that_is_none_is_said_in_words_of_our_own(port):
    pytest.importorskip("psycopg")
    with pytest.raises(InputError) as caught:
        databases.tables_of(f"postgres://anna:{port}/bank")
    assert str(caught.value).startswith("The port in the address is no whole number up to 65535: correct it,")
    assert port not in str(caught.value)


def test_what_a_database_needs_is_installed_by_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "MySQLdb", None)
    with pytest.raises(InputError) as caught:
        databases.tables_of("mysql://anna:s3cret@host/bank")
    assert str(caught.value) == (
        "This needs the library ibis-framework[mysql], which is not installed: run pip install 'ibis-framework[mysql]'."
    )


@pytest.mark.parametrize(("address", "kind"), [
    (r"C:\data\x.db::table", "duck"), ("C:/data/*.parquet", "duck"), (Path("x.csv"), "duck"), ("spark:/x", "spark"),
    ("sqlite:///C:/x.db::t", "databases"), (object(), "databases"),
])  # fmt: skip
def test_an_address_is_of_one_kind(address, kind):
    assert next(one.file for one in KINDS if one.knows(address)) == kind


def test_the_drive_of_windows_stands_in_a_url():
    assert addresses.url_of_file("sqlite", "C:/data/x.db") == "sqlite:///C:/data/x.db"
    assert addresses.file_of("sqlite:///C:/data/x.db") == "C:/data/x.db"
    assert addresses.url_of_file("duckdb", "/data/x.db") == "duckdb:///data/x.db"
    assert addresses.file_of("duckdb:///data/x.db") == "/data/x.db"
    assert addresses.file_of("sqlite://x.db") == "x.db"


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_tables_with_dots_and_quotes_in_their_names_are_opened_as_they_are_listed(tmp_path, kind):
    path, sql = tmp_path / f"rows.{kind}", "create table \"{}\" as select 1 as x, 'a' as y union all select 2, 'b'"
    with (sqlite3.connect if kind == "sqlite" else duckdb.connect)(str(path)) as connection:
        for name in ("my.table", 'a""b', "c::d", "e.f.g"):
            connection.execute(sql.format(name))
        if kind == "duckdb":
            connection.execute('create schema "s.1"; create table "s.1"."t.2" as select 1 as x, \'a\' as y')
    connection.close()
    url = databases.url_of(str(path))
    tables = databases.tables_of(url)
    assert {addresses.names_of(table)[-1] for table in tables} == {"my.table", 'a"b', "c::d", "e.f.g"} | (
        {"t.2"} if kind == "duckdb" else set()
    )
    for table in tables:
        assert databases.look(f"{url}::{table}", ReadOptions(), Progress()).names == ("x", "y")
        if kind == "duckdb":  # by itself, too
            assert engine.open_source(f"{path}::{table}", target="y").head.names == ["x", "y"]
            assert engine.read_table(path, sheet=table, target="y", roles={"x": "feature"}).names == ["x", "y"]


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_tables_are_listed_as_they_are_opened(tmp_path):
    path = tmp_path / "rows.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table t as select 1 as x")
        connection.execute("create schema own; create table own.u as select 2 as y, 3 as z")
    url = databases.url_of(str(path))
    assert url == f"duckdb://{path}"
    assert databases.tables_of(url) == ("t", "own.u")
    assert databases.look(f"{url}::own.u", engine.ReadOptions(), Progress()).kinds.keys() == {"y", "z"}
    with pytest.raises(InputError, match="no such file"):
        databases.tables_of(f"sqlite:///{tmp_path}/none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_project_finds_the_table_of_a_database_again(tmp_path):
    address = in_sqlite(plain(frames(3, 60, True, "classes")), tmp_path)
    table = engine.read_counts(address, target="y")
    project.save(tmp_path / "p.espalier", table, engine.grow(table, max_depth=2), {})
    again = project.load(tmp_path / "p.espalier")
    assert again.table.source["address"] == address and not again.problems
    Path(tmp_path / "rows.db").unlink()
    with pytest.raises(InputError, match="no such file"):
        project.load(tmp_path / "p.espalier")


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_a_file_of_duckdb_is_opened_twice(tmp_path):
    path, frame = tmp_path / "rows.duckdb", plain(frames(3, 60, True, "classes"))
    with duckdb.connect(str(path)) as connection:
        connection.register("rows", frame)
        connection.execute("create table t as select * from rows")
    by_ibis = engine.open_source(f"duckdb://{path}::t", target="y")
    itself = engine.open_source(f"{path}::t", target="y", memory=0)
    assert by_ibis.head.n_train == itself.head.n_train
    assert_same(engine.grow_source(by_ibis, max_depth=2), engine.grow_source(itself, max_depth=2))


def test_what_is_shown_of_a_source_is_the_name_of_its_table(address, tmp_path):
    source = engine.open_source(address, target="y")
    assert source.head.name == "t"
    assert str(tmp_path) not in repr(source) and "rows.db" not in repr(engine.grow_source(source, max_depth=1))


def test_rows_of_a_node_are_its_own(address):
    source = engine.open_source(address, target="y")
    path = ((engine.grow_source(source, max_depth=1).split_at(0), 1),)
    n = source.tally([path], [0], np.zeros(1), Progress())[0][0].n_train
    shown = source.rows(path, 10**6, 3)
    assert (shown.n_rows, shown.names) == (n, source.head.names)
    assert set(bind(path[0][0], shown).branches(shown.column(path[0][0].column).codes).tolist()) == {1}
    few = source.rows(path, 5, 3)
    assert few.n_rows == 5
    for column, again in zip(few.columns, source.rows(path, 5, 3).columns, strict=True):
        np.testing.assert_array_equal(column.codes, again.codes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("task", ["classes", "number"])
def test_postgres_grows_the_tree_of_memory(seed, task, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    if not postgres.INITDB:
        pytest.skip("PostgreSQL is not installed")
    frame = frames(seed, 300, True, task)
    frame["number"] = frame["number"].where(np.arange(300) % 7 > 0, np.nan)
    url = f"postgres://postgres:pass%20word@/postgres?host={quote(postgres._server(), safe='')}"
    types = ("double precision", "bigint", "timestamp", "boolean", "text", "double precision")
    name, types = f"t{seed}{task}", (*types, "text" if task == "classes" else "double precision")
    words = [
        psycopg.sql.SQL("{} " + kind).format(psycopg.sql.Identifier(c)) for c, kind in zip(frame, types, strict=True)
    ]
    with psycopg.connect(f"host={postgres._server()} user=postgres") as connection:
        connection.execute(psycopg.sql.SQL("create table {} ({})").format(
            psycopg.sql.Identifier(name), psycopg.sql.SQL(", ").join(words)))  # fmt: skip
        with connection.cursor().copy(f"copy {name} from stdin") as copy:
            for row in frame.astype(object).to_numpy().tolist():
                lacks = [
                    value is None or (kind == "text" and value != value) for kind, value in zip(types, row, strict=True)
                ]
                copy.write_row([None if none else value for value, none in zip(row, lacks, strict=True)])
    table, kinds = in_memory(frame)
    source = engine.open_source(f"{url}::{name}", target="y", kinds=kinds)
    for options in OPTIONS:
        assert_grows(source, table, {**options, "max_depth": 3})
    how = {"kinds": kinds, "key": "whole"}
    divided = table.with_roles({"whole": "group"}).with_partition(0.3, 0.2)
    by_key = engine.open_source(f"{url}::{name}", target="y", validation=0.3, test=0.2, **how)
    assert by_key.head.n_validation == divided.n_validation > 0
    assert_grows(by_key, divided, {"max_depth": 3})
    monkeypatch.setattr(databases, "MOST_CONSTANTS", 2)  # the others go there as a table
    assert_grows(by_key, divided, {"max_depth": 3})
    source.database.rows.get_backend().con.close()  # the connection drops
    assert_same(engine.grow_source(source, max_depth=2), engine.grow(table, max_depth=2))


def dated(folder):
    """400 rows in SQLite whose days and times are texts, one declared as a date, one spoiled by a single text."""
    random, path = np.random.default_rng(5), Path(folder) / "dated.db"
    days = pd.Timestamp("2019-12-20") + pd.to_timedelta(random.integers(0, 40, 400), unit="D")
    frame = pd.DataFrame({"day": days.strftime("%Y-%m-%d"), "time": days.strftime("%Y-%m-%d 10:00:00")})
    frame["declared"] = frame["spoiled"] = frame["day"].where(np.arange(400) % 9 > 0, "")
    frame.loc[7, "spoiled"] = "2019-02-30"
    frame["code"] = [f"{i:03}" for i in random.integers(0, 12, 400)]
    frame["y"] = np.where((days > pd.Timestamp("2020-01-03")) ^ (np.arange(400) % 11 == 0), "late", "early")
    with sqlite3.connect(path) as connection:
        frame.to_sql("t", connection, index=False, dtype={"declared": "DATE"})
        connection.execute("alter table t add column picture blob")
    connection.close()
    return frame, f"sqlite:///{path}::t"


def kinds_of(table):
    return {column.name: column.kind for column in table.columns}


def test_texts_that_are_all_dates_are_dates_and_kinds_are_as_chosen(tmp_path):
    frame, address = dated(tmp_path)
    found = databases.look(address, ReadOptions(kinds={"code": "number"}), Progress())
    assert found.kinds == {"day": "date", "time": "date", "declared": "date", "spoiled": "nominal", "code": "number",
                           "y": "nominal"}  # fmt: skip
    assert found.head[1][0] == frame["day"][1] and found.notes == (
        "“picture” holds nested or binary values and was left out.",
    )
    kinds = {"spoiled": "date", "code": ["011", *(f"{i:03}" for i in range(11))], "time": "nominal"}
    table = engine.read_counts(address, target="y", kinds=kinds)
    wanted = dict.fromkeys(("day", "declared", "spoiled"), "date") | {"code": "ordered"}
    assert kinds_of(table) == wanted | {"time": "nominal", "y": "nominal"}
    assert table.column("code").levels[0] == "011"
    assert "In “spoiled” “2019-02-30” cannot be read as a date and counts as missing." in table.notes
    again = engine.read_counts(address, target="y", options=ReadOptions.from_dict(table.source["options"]))
    assert kinds_of(again) == kinds_of(table)
    day = {"day": pd.to_datetime(frame["day"]), "y": frame["y"]}
    memory = engine.Table.from_frame(pd.DataFrame(day), target="y")
    ignored = dict.fromkeys(("time", "declared", "spoiled", "code"), "ignore")
    counted = engine.read_counts(address, target="y", roles=ignored)
    assert_same(engine.grow(counted, max_depth=3), engine.grow(memory, max_depth=3))


@pytest.mark.parametrize(("texts", "are"), [
    (["2024-01-31", "2024-01-31 10:00:00", "", "2024-02-29T08:15"], True), (["2024-01-31", "2023-02-29"], False),
    (["2024-01-31", "31.01.2024"], False), (["", ""], False), (["20240131"], False), ([], False),
])  # fmt: skip
def test_only_days_that_there_are_make_dates(texts, are):
    found = with_dates(ReadOptions(), pa.table({"day": pa.array(texts, pa.string())}))
    assert (found.kind_of("day") == "date") is are
    assert with_dates(ReadOptions(kinds={"day": "nominal"}), pa.table({"day": texts})).kind_of("day") == "nominal"


def test_a_project_keeps_the_kinds_of_a_database(tmp_path):
    _, address = dated(tmp_path)
    kinds = {"day": "nominal", "code": ["011", *map("{:03}".format, range(11))]}
    table = engine.read_counts(address, target="y", kinds=kinds)
    project.save(tmp_path / "own.espalier", table, engine.Tree.root(table), {})
    again = project.load(tmp_path / "own.espalier").table
    assert kinds_of(again) == kinds_of(table) and again.column("code").levels == table.column("code").levels


@given(st.lists(st.sampled_from(["zq", *"@:/#?&=;%. "]), max_size=8), st.sampled_from(["", ":5432"]))
def test_no_part_of_an_unescaped_password_is_kept_or_told(signs, port):
    address = f"postgres://bob:zq{''.join(signs)}zq@host{port}/bank::loans"
    assert "zq" not in without_password(address)
    assert "zq" not in without_password(without_password(address))
    secrets = databases._secrets(address)
    for sign in "@:/#?&=;":
        for piece in (*address.split(sign), *address.removesuffix("::loans").rpartition("@")[0].split(sign)):
            with (
                pytest.raises(InputError, match=r"cannot be reached|driver says") as caught,
                databases._in_words(databases.UNREACHED, secrets),
            ):
                raise OSError(f"no host “{piece}”")
            assert "zq" not in str(caught.value)


def test_a_short_piece_of_a_password_is_not_found_within_words():
    secrets = databases._secrets("postgres://bob:se@cret@host/bank::loans")
    with pytest.raises(InputError) as caught, databases._in_words(databases.UNREACHED, secrets):
        raise OSError("the server did not respond; se@cret, “se” and “cret” neither")
    assert str(caught.value).endswith("the server did not respond; …@…, “…” and “…” neither")


@pytest.mark.parametrize(("words", "said"), [
    ("[Errno -2] Name or service not known", "no server of this name"),
    ('connection to server at "1.2.3.4", port 5432 failed: Connection refused Is the server running?', "at this port"),
    ("connection timeout expired", "in time"), ('FATAL: database "bank" does not exist', "no such database"),
    ('FATAL: password authentication failed for user "bob"', "refuses this user or this password"),
    ('FATAL: role "bob" does not exist', "refuses this user or this password"),
    ("connection failed: fe_sendauth: no password supplied", "refuses this user or this password"),
    ('FATAL: no pg_hba.conf entry for host "1.2.3.4", user "bob"', "refuses this user or this password"),
    ("(1045, \"Access denied for user 'bob'@'host'\")", "refuses this user or this password"),
    ("(1049, \"Unknown database 'bank'\")", "no such database"),
    ("(2002, \"Can't connect to server on '127.0.0.1' (115)\")", "at this port"),
    ("(2003, \"Can't connect to MySQL server on '10.0.0.1:3306' (111)\")", "at this port"),
    ("(2005, \"Unknown server host 'nosuch' (-2)\")", "no server of this name"),
    ('FATAL: database "refused" does not exist', "no such database"),
    ("(1049, \"Unknown database 'timeout'\")", "no such database"),
    ("authentication method 10 not supported", "cannot be reached: authentication"),
    ("something else", "cannot be reached: something else"),
])  # fmt: skip
def test_why_a_database_is_not_reached_is_said_in_words_of_our_own(words, said):
    with pytest.raises(InputError, match=said) as caught, databases._in_words(databases.UNREACHED, ("bob",)):
        raise OSError(words)
    assert str(caught.value).endswith(words.replace("bob", "…"))
    wants_password = "refuses" in said and "role" not in words and "pg_hba" not in words
    assert isinstance(caught.value, PasswordRefused) == wants_password
