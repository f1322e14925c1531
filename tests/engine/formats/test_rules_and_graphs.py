"""Rules and graphs for people and other programs: read back, they say what the tree says, whatever its names are."""

import csv
import io
import json
import re
import shutil
import subprocess
from datetime import date
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import engine
from engine.formats.files import content_of
from engine.formats.rows_to_check import TEXTS
from tests import read_back
from tests.exports import chain, mixed_table, mixed_tree
from tests.frames import random_one
from tests.hostile.test_names import NASTY

SEEDS = range(6)


def tree_of(seed):
    table = mixed_table(seed, ("classes", "number")[seed % 2]).with_partition(validation=0.3)
    return mixed_tree(table, seed, 8)


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_json_are_those_of_the_leaves(seed):
    read_back.rules_json(tree_of(seed))


def test_levels_in_words_are_those_of_the_tests():
    """Also of splits by groups alone, as they are said by the levels that are not allowed."""
    forms = set()
    for seed in range(30):
        table = mixed_table(seed, ("classes", "number")[seed % 2])
        tree, random = engine.Tree.root(table), np.random.default_rng(seed)
        for _ in range(5):
            split = random_one(table, random, table.column(("it's", "ordered\\", "wet")[random.integers(3)]))
            tree = tree.split(table, int(tree.ids[random.choice(tree.leaves)]), split)
        forms |= read_back.check_words(tree)
    assert {
        (True, "in", True),
        (True, "in", False),
        (True, "=", True),
        (False, "in", True),
        (False, "any", False),
    } <= forms


def test_a_report_says_each_rule_as_its_ways_joined_by_or(tmp_path):
    table = mixed_table(1).with_partition(validation=0.3)
    tree = mixed_tree(table, 1)
    engine.report(table, tree, tmp_path / "report.json")
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["rules"]
    for rule, said in zip(engine.rules(tree), found, strict=True):
        assert " OR ".join(said["ways"]) == rule.text
        assert said["conditions"] == [list(path.conditions) for path in rule.paths if path.possible]


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_text_are_those_of_the_leaves_with_their_figures(seed):
    read_back.rules_text(tree_of(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_csv_say_the_same(seed):
    read_back.rules_csv(tree_of(seed))


def test_rules_say_of_which_table_they_are_and_when_they_were_made(tmp_path):
    (tmp_path / "my_rows.csv").write_text("a,y\n1,no\n2,no\n3,yes\n4,yes\n", encoding="utf-8")
    table = engine.read_table(tmp_path / "my_rows.csv", target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (2.5,)))
    source, today = table.source["path"], date.today().isoformat()
    assert source.endswith("my_rows.csv")
    for name, suffix in (("rules-json", "json"), ("rules-csv", "csv"), ("markdown", "md")):
        engine.export(tree, tmp_path / f"rules.{suffix}", name, table=table)
        assert "my_rows" not in content_of(tree, name)
    about = json.loads((tmp_path / "rules.json").read_text(encoding="utf-8"))["about"]
    assert (about["table"], about["date"]) == (source, today)
    with (tmp_path / "rules.csv").open(encoding="utf-8", newline="") as file:
        assert {(row["table"], row["date"]) for row in csv.DictReader(file)} == {(source, today)}
    text = (tmp_path / "rules.md").read_text(encoding="utf-8")
    assert today in text and f"Made of the table {source}." in re.sub(r"\\(.)", r"\1", text)


def test_no_rule_is_a_formula():
    table = engine.Table.from_frame(
        engine.Table.to_frame(mixed_table(0)).rename(columns={"size": "=cmd|' /C calc'!A0"}), target="target ✓"
    )
    tree = engine.Tree.root(table).split(table, 0, engine.Split("=cmd|' /C calc'!A0", "threshold", (0.5,)))
    rows = list(csv.DictReader(io.StringIO(content_of(tree, "rules-csv"))))
    assert sorted(row["rule"][:5] for row in rows) == ["'=cmd", "(=cmd"]


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_markdown_are_a_table_in_which_nothing_is_markup(seed):
    read_back.markdown(tree_of(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_dot_has_each_node_and_edge(seed):
    read_back.dot(tree_of(seed))


def drawn(tree):
    """What Graphviz draws: the words of each node and edge."""
    if shutil.which("dot") is None:
        pytest.skip("dot is not installed")
    made = subprocess.run(["dot", "-Tsvg"], input=content_of(tree, "dot").encode(), capture_output=True, check=True)
    assert not made.stderr
    svg, found = "{http://www.w3.org/2000/svg}", {"node": {}, "edge": {}}
    for group in ElementTree.fromstring(made.stdout).iter(f"{svg}g"):
        if group.get("class") in found:
            title = tuple(map(int, group.find(f"{svg}title").text.split("->")))
            said = "\n".join(line.text or "" for line in group.iter(f"{svg}text"))
            found[group.get("class")][title] = said
    return {node: said for (node,), said in found["node"].items()}, found["edge"]


@pytest.mark.parametrize("seed", SEEDS)
def test_graphviz_draws_each_node_and_edge(seed):
    tree = tree_of(seed)
    read_back.check_graph(tree, *drawn(tree), spaced)


@pytest.mark.parametrize(
    "word", [*TEXTS, *NASTY, "&lt;", "&#65;", "&amp;amp;", "\\N", "\\G \\l", "<b>x</b>", " a ", "a  b"]
)
def test_graphviz_draws_every_name_as_it_is(word):
    word = word.replace("\0", "")[:4000] or "empty"  # Graphviz draws no edge longer than 65,535 points
    frame = pd.DataFrame({word: [1.0, 2, 3, 4], "a": [word, "x", word, "x"], "y": [word, word, "z", "z"]})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split(table.names[0], "threshold", (2.5,)))
    levels = table.column("a").levels
    tree = tree.split(table, 1, engine.Split("a", "groups", groups=((levels[0],), (levels[1],)), unseen=1))
    read_back.check_graph(tree, *drawn(tree), spaced)


def spaced(text):
    """Spaces of any kind are one: Graphviz writes some as such that do not break."""
    return re.sub(r"\s", " ", text)


@pytest.mark.parametrize("seed", SEEDS)
def test_mermaid_has_each_node_and_edge(seed):
    read_back.mermaid(tree_of(seed))


def test_what_mermaid_would_not_draw_is_refused():
    tree, _ = chain(251)
    with pytest.raises(engine.InputError, match="The tree has 502 branches, but Mermaid draws 500 at most"):
        content_of(tree, "mermaid")
    assert content_of(tree, "dot").count(" -> ") == 502
