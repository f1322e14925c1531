"""Hostile names and levels in what leaves the program without a window: queries, rules, pictures, pages, JSON,
projects, the report. A planted command never runs, nothing of a name becomes markup, and a query selects exactly its
rows or is refused in a sentence.
"""

import contextlib
import csv
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pypdfium2
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import engine
from engine import project
from engine.command.job import describe, introduce
from engine.runtime.errors import readable
from gui.panels.this_node.why import words as why_words
from gui.picture.paper.picture import write_picture
from gui.picture.paper.sheet import Wish
from main import main
from tests.effort import examples

COMMANDS = (
    "@marker()",
    "@pd.io.common.os.system('touch ran')",
    "__import__('os').system('touch ran')",
    "marker()",
    "<script>marker()</script>",
    "<img src=x onerror=marker()>",
    "[f() for f in [marker]]",
)
SIGNS = (
    *"`'\"\\#@&<>(){}[]=+-%$;:,.|~!?^*/ \t\n\r\x00\x07\x1b\x7f\x85\xa0",
    *("\u2028", "\u202e", "\u200d", "\ufeff", "\ufffe", "\ud800", "\udfff", "·", "½", "²", "µ", "μ", "ﬁ"),
    *("é", "e\u0301"),
)  # fmt: skip
WORDS = (
    *("index", "columns", "level_0", "ilevel_0", "inf", "nan", "True", "None", "and", "or", "not in", "x", "a b"),
    *("__pd_eval_local_", "BACKTICK_QUOTED_STRING_", "_HASH_", "_column0", "{0.__class__}", "{:c}", "%s", "{{data}}"),
    *("</script>", "<!--", "-->", "]]>", "<?", "&lt;", "&#x1b;", "</title>", "</text>"),
    *("1e5", "' '", '" "', "``", "' + ", " or "),
    *("') or ", "' + str(", ") + '", "\x1b[2J", "\x1b]0;owned\x07", "=cmd|' /C calc'!A0", "javascript:marker()", "[*]"),
)  # fmt: skip
NASTY = (
    "index` + @pd.io.common.os.system('touch ran') + `index",
    "` + @marker() + `",
    "a` or @marker() or `a",
    '" + str(marker()) + "',
    "' + str(marker()) + '",
    'a" f"b',
    "{__import__('os').system('touch ran')}",
    "x\\' or @marker() or '",
    "x\n@marker()",
    "x # @marker()",
    "µ",
    "a`b",
    "</title></script><script>marker()</script>",
    '"><img src=x onerror=marker()>',
    "\x1b]0;owned\x07\x1b[2J\nnote    all is well",
    "long " * 2_000,
)
TEXTS = st.one_of(
    st.sampled_from(NASTY),
    st.lists(st.sampled_from((*COMMANDS, *SIGNS, *WORDS)) | st.characters(), min_size=1, max_size=6).map("".join),
).map(readable)  # as a table holds them
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # all but the end of a line
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
RAN: list[str] = []
MARKED = ("marker", "touch", "onerror")  # words of the planted commands


def marker(*_):
    """What no name and no level may call."""
    RAN.append("ran")


@pytest.fixture(autouse=True)
def nothing_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    RAN.clear()
    yield
    assert not RAN
    assert not (tmp_path / "ran").exists()


def hostile_frame(names, levels):
    """Twelve rows of numbers, levels (some missing) and two classes, under three names."""
    said = [None, *(levels[i % len(levels)] for i in range(11))]
    frame = pd.DataFrame(
        {
            0: [1.0, 5.0, 2.0, None, 3.0, 4.0, 1.0, 2.0, 5.0, 3.0, 4.0, 2.0],
            1: pd.Series(said, dtype=object),
            2: pd.Series([("no", f"yes {levels[0]}")[i in (1, 3, 5, 8)] for i in range(12)], dtype=object),
        }
    )
    frame.columns = pd.Index(names, dtype=object)
    return frame


def hostile_tree(frame, levels):
    """A table and a tree that names every column and every level; the fifth split is m-of-n."""
    number, said, target = frame.columns
    table = engine.Table.from_frame(frame, target=target, kinds={number: "number", said: "nominal"})
    groups = engine.Split(said, "groups", groups=(tuple(levels[:1]), tuple(levels[1:])), missing=1, unseen=1)
    literals = (*(engine.Literal(said, "!=", level) for level in levels), engine.Literal(number, ">", 3.5))
    tree = engine.Tree.root(table).split(table, 0, engine.Split(number, "threshold", (2.5,), missing=1))
    tree = tree.split(table, 1, groups)
    return table, tree.split(table, 2, engine.Split(said, "m_of_n", m=2, literals=literals))


def is_unicode(names):
    """Whether pandas can evaluate anything over a frame with such columns: lone surrogates are no Unicode."""
    return not re.search("[\ud800-\udfff]", "".join(names))


def check_query(names, levels):
    """Counts the nodes whose query is not refused."""
    frame = hostile_frame(names, levels)
    table, tree = hostile_tree(frame, levels)
    assigned, said = engine.assign(table, tree), 0
    for node in tree.ids[1:].tolist():
        rows = sorted(assigned.rows_of(tree.position(node)).tolist())
        try:
            text = engine.query(tree, node)
        except engine.InputError as error:
            assert "copy the path as text" in str(error)
            assert not STEERING.search(str(error))
            continue
        said += 1
        assert text.isprintable()
        for ordered in (frame, frame.iloc[:, ::-1]) if is_unicode(names) else ():
            assert sorted(ordered.query(text).index.tolist()) == rows, text
        assert np.flatnonzero(engine.rows_where(table, text)).tolist() == rows, text
        for pasted in (f'"{text}"', f'r"{text}"', f'"""{text}"""'):
            with contextlib.suppress(SyntaxError):  # where a name has a quotation mark
                assert eval(pasted) == text
    assert not RAN
    return said


def test_queries():
    """Checked by pandas itself, in this test: the program never asks it."""
    counted = []

    @examples(1500, usual=50, suppress_health_check=CHECKS)
    @given(st.lists(TEXTS, min_size=3, max_size=3, unique=True), st.lists(TEXTS, min_size=2, max_size=3, unique=True))
    def check(names, levels):
        counted.append(check_query(names, levels))

    check()
    assert sum(map(bool, counted)) > len(counted) / 10  # or nothing has been checked


@pytest.mark.parametrize("name", NASTY)
def test_queries_of_the_worst(name):
    check_query([name, "said", "y"], ["a", "b"])
    check_query(["number", name, "y"], ["a", "b"])
    check_query(["number", "said", name], ["a", "b"])
    assert check_query(["number", "said", "y"], [name, "b"]) > 0
    assert check_query(["number", "home town", "y"], ["a", name]) > 0


def test_rules_and_the_report_are_lines_of_their_own(tmp_path, capsys):
    @examples(600, usual=20, suppress_health_check=CHECKS)
    @given(st.lists(TEXTS, min_size=3, max_size=3, unique=True), st.lists(TEXTS, min_size=2, max_size=3, unique=True))
    def check(names, levels):
        table, tree = hostile_tree(hostile_frame(names, levels), levels)
        tree = tree.with_mark(0, note="\x1b[2Jseen\nby me")
        engine.export(tree, tmp_path / "rules.txt")
        text = (tmp_path / "rules.txt").read_bytes().decode()
        rules = engine.rules(tree)
        assert len(text.splitlines()) == sum(1 + len(rule.parts) for rule in rules) + tree.n_leaves + 7
        introduce(table)
        assert describe("grown", tree).isprintable()
        printed = capsys.readouterr().out
        assert len(printed.splitlines()) == 1 + len(table.notes)
        assert not STEERING.search(text + printed)

    check()


def test_json_brings_every_letter_back():
    @examples(600, usual=20, suppress_health_check=CHECKS)
    @given(st.lists(TEXTS, min_size=3, max_size=3, unique=True), st.lists(TEXTS, min_size=2, max_size=3, unique=True))
    def check(names, levels):
        _, tree = hostile_tree(hostile_frame(names, levels), levels)
        text = engine.tree_to_text(tree)
        back = engine.tree_from_text(text)
        assert (back.columns, back.classes, back.target) == (tree.columns, tree.classes, tree.target)
        assert [back.split_at(i) for i in range(back.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]
        assert engine.tree_to_text(back) == text

    check()


# -- pictures and pages


class Tags(HTMLParser):
    """The tags of a page with their attributes, and what stands in its title and its data."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_comment(self, data):
        self.tags.append(("comment", data))

    def handle_data(self, data):
        last = self.tags[-1] if self.tags else ("", [])
        key = dict(last[1]).get("id") or last[0]
        self.texts[key] = self.texts.get(key, "") + data


def drawn(names, levels, tmp_path):
    """The paths of a tree drawn in every format of vectors, with a heading and a note."""
    _, tree = hostile_tree(hostile_frame(names, levels), levels)
    tree = tree.with_mark(1, note=levels[0])
    for suffix in ("svg", "html", "pdf"):
        write_picture(tree, tmp_path / f"tree.{suffix}", Wish(title=names[0], figures=names[1]))
    return tree


def elements(tmp_path):
    """Every kind of element of a drawing, and every attribute."""
    root = ElementTree.parse(tmp_path / "tree.svg").getroot()
    assert not any(word in value for each in root.iter() for value in each.attrib.values() for word in MARKED)
    return {each.tag for each in root.iter()} | {name for each in root.iter() for name in each.attrib}


def test_pictures_and_pages_hold_text_and_no_markup(qapp, tmp_path):
    drawn(["number", "said", "y"], ["a", "b"], tmp_path)
    known, usual = elements(tmp_path), Tags((tmp_path / "tree.html").read_text("utf-8")).tags

    @examples(250, usual=8, suppress_health_check=CHECKS)
    @given(st.lists(TEXTS, min_size=3, max_size=3, unique=True), st.lists(TEXTS, min_size=2, max_size=3, unique=True))
    def check(names, levels):
        tree = drawn(names, levels, tmp_path)
        assert elements(tmp_path) <= known
        page = Tags((tmp_path / "tree.html").read_bytes().decode())
        assert page.tags == usual
        data = json.loads(page.texts["data"])
        assert data["classes"] == [name.encode("utf-8", "replace").decode() for name in tree.classes]
        assert not STEERING.search(page.texts["title"].replace("\t", " "))
        assert len(pypdfium2.PdfDocument(tmp_path / "tree.pdf")) == 1

    check()


@pytest.mark.parametrize("letter", ["\x00", "\x01", "\x0b", "\x1b", "\ufffe", "\uffff"])
def test_a_drawing_with_a_letter_that_xml_does_not_know(qapp, tmp_path, letter):
    drawn([f"a{letter}b", "said", f"y{letter}"], [f"c{letter}d", "b"], tmp_path)
    texts = "".join(ElementTree.parse(tmp_path / "tree.svg").getroot().itertext())
    texts = texts.replace("\n", "")  # between letters of different fonts
    assert "a\ufffdb" in texts and "Decision tree: y\ufffd" in texts


@given(TEXTS, TEXTS)
@examples(100)
def test_the_arithmetic_is_text(name, working):
    lines = [why_words.Line(name, working, name, working)]
    for narrow in (False, True):
        made = why_words.html(name, working, lines, working, quiet="#000000", border="#111111", narrow=narrow)
        assert {tag for tag, _ in Tags(made).tags} <= {"b", "span", "table", "tr", "td"}


# -- files and the command line


def test_a_whole_job_and_a_project(qapp, tmp_path, capsys):
    """From a file whose header and cells are hostile to everything that the command line writes."""
    names = [name.replace("\0", "") for name in (*NASTY, *COMMANDS)]
    levels = [f"{word}{k}" for k, word in enumerate((*COMMANDS, *WORDS)) if word.isprintable()]
    with open(tmp_path / "data.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "y"])
        for i in range(60):
            cells = [levels[(i // 4 * (k + 1)) % 7 + k] for k in range(len(names))]
            writer.writerow([*cells, ("<b>no</b>", "\x1b[2Jyes")[i // 4 % 3 == 0]])
    paths = [str(tmp_path / f"tree.{suffix}") for suffix in ("svg", "html", "json", "txt", "pdf")]
    exports = [word for path in paths for word in ("--export", path)]
    assert main([str(tmp_path / "data.csv"), "--target", "y", "--no-window", *exports]) == 0
    printed = capsys.readouterr()
    assert not STEERING.search(printed.out + printed.err)
    assert main([str(tmp_path / "data.csv"), "--target", "\x1b[2J", "--no-window"]) != 0
    assert not STEERING.search(capsys.readouterr().err)

    tree = engine.read_tree(tmp_path / "tree.json")
    assert tree.n_leaves > 2
    table = engine.read_table(tmp_path / "data.csv", target="y")
    ElementTree.parse(tmp_path / "tree.svg")
    project.save(tmp_path / "it.espalier", table, tree, {"note": NASTY[0]})
    found = project.load(tmp_path / "it.espalier")
    assert found.problems == []
    assert found.table.names == table.names and found.tree.columns == tree.columns
    assert [column.levels for column in found.table.columns] == [column.levels for column in table.columns]
