"""Rules and graphs for people and other programs: read back, they say what the tree says, whatever its names are."""

import csv
import io
import json
import re
import shutil
import subprocess
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import engine
from engine.formats.files import content_of
from engine.formats.rows_to_check import TEXTS
from engine.runtime.errors import printable
from engine.tree.rules import bracketed
from tests.exports import chain, mixed_table, mixed_tree
from tests.hostile.test_names import NASTY

SEEDS = range(6)


def tree_of(seed):
    table = mixed_table(seed, ("classes", "number")[seed % 2]).with_partition(validation=0.3)
    return mixed_tree(table, seed, 8)


def paths(tree):
    return {path.node: path for rule in engine.rules(tree) for path in rule.paths}


def prediction(tree, node):
    i = tree.position(node)
    return float(tree.predictions[i]) if tree.task == "number" else tree.classes[tree.labels[i]]


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_json_are_those_of_the_leaves(seed):
    tree = tree_of(seed)
    found = json.loads(content_of(tree, "rules-json"))
    about, known = found["about"], paths(tree)
    assert about["target"] == tree.target and about["rows"] == tree.rows_train[0] and about["date"]
    assert about["validation_rows"] == tree.rows_validation[0] > 0
    assert about.get("costs", []) == [list(entry) for entry in tree.leaf_rule.costs]
    assert sorted(rule["leaf"] for rule in found["rules"]) == sorted(tree.ids[tree.leaves].tolist())
    for rule in found["rules"]:
        path, i = known[rule["leaf"]], tree.position(rule["leaf"])
        assert tuple(rule["conditions"]) == path.conditions and rule["prediction"] == prediction(tree, rule["leaf"])
        assert (rule["rows"], rule["validation_rows"]) == (path.rows_train, path.rows_validation)
        for error, wanted in ((rule["error"], path.error_train), (rule["validation_error"], path.error_validation)):
            assert error == wanted or (error is None and np.isnan(wanted))
        assert list(rule.get("probabilities", {}).values()) == (tree.probabilities[i].tolist() if tree.classes else [])


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_csv_say_the_same(seed):
    tree = tree_of(seed)
    rows = list(csv.DictReader(io.StringIO(content_of(tree, "rules-csv"))))
    known = paths(tree)
    assert len(rows) == tree.n_leaves
    for row in rows:
        path = known[int(row["leaf"])]
        assert row["rule"] == printable(" AND ".join(map(bracketed, path.conditions)))
        assert int(row["rows"]) == path.rows_train
        wanted = prediction(tree, path.node)
        assert row["prediction"] == wanted or float(row["prediction"]) == wanted
        shares = [float(share) for name, share in row.items() if name.startswith("probability of ")]
        assert shares == (tree.probabilities[tree.position(path.node)].tolist() if tree.classes else [])


def test_no_rule_is_a_formula():
    table = engine.Table.from_frame(
        engine.Table.to_frame(mixed_table(0)).rename(columns={"size": "=cmd|' /C calc'!A0"}), target="target ✓"
    )
    tree = engine.Tree.root(table).split(table, 0, engine.Split("=cmd|' /C calc'!A0", "threshold", (0.5,)))
    rows = list(csv.DictReader(io.StringIO(content_of(tree, "rules-csv"))))
    assert sorted(row["rule"][:5] for row in rows) == ["'=cmd", "(=cmd"]


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_as_markdown_are_a_table_in_which_nothing_is_markup(seed):
    tree = tree_of(seed)
    text = content_of(tree, "markdown")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(lines) == tree.n_leaves + 2 and text.startswith("# Rules for target ✓\n")
    known = paths(tree)
    for line in lines[2:]:
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")  # inside of a cell a bar has a backslash
        assert len(cells) == 7
        path = known[int(cells[0])]
        rule = printable(" AND ".join(map(bracketed, path.conditions))) or "always"
        assert re.sub(r"\\(.)", r"\1", cells[1]) == rule
        assert int(cells[3].replace(",", "")) == path.rows_train
        assert not re.search(r"(?<!\\)[*_`<\[]", cells[1].replace("\\\\", ""))


@pytest.mark.parametrize("seed", SEEDS)
def test_dot_has_each_node_and_edge(seed):
    tree = tree_of(seed)
    string = r'"((?:[^"\\\n]|\\.)*)"'
    *lines, end = content_of(tree, "dot").splitlines()[3:]
    assert end == "}"
    nodes, edges = {}, {}
    for line in lines:
        found = re.fullmatch(rf"    (\d+)(?: -> (\d+))? \[label={string}\]", line)
        assert found, line
        label = re.sub(r"\\(.)", lambda one: "\n" if one[1] == "n" else one[1], found[3]).replace("&amp;", "&")
        if found[2] is None:
            nodes[int(found[1])] = label
        else:
            edges[int(found[1]), int(found[2])] = label
    check_graph(tree, nodes, edges)


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
    check_graph(tree, *drawn(tree), spaced)


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
    check_graph(tree, *drawn(tree), spaced)


def spaced(text):
    """Spaces of any kind are one: Graphviz writes some as such that do not break."""
    return re.sub(r"\s", " ", text)


@pytest.mark.parametrize("seed", SEEDS)
def test_mermaid_has_each_node_and_edge(seed):
    tree = tree_of(seed)
    nodes, edges = {}, {}
    for line in content_of(tree, "mermaid").splitlines()[2:]:
        node = re.fullmatch(r'    n(\d+)(?:\["([^"]*)"\]|\(\["([^"]*)"\]\))', line)
        edge = re.fullmatch(r'    n(\d+) -->\|"([^"]*)"\| n(\d+)', line)
        assert node or edge, line
        if node:
            nodes[int(node[1])] = plain((node[2] or node[3]).replace("<br>", "\n"))
        else:
            edges[int(edge[1]), int(edge[3])] = plain(edge[2])
    check_graph(tree, nodes, edges)


def plain(text):
    assert not set("`<{[(|\\") & set(text.replace("<br>", ""))
    return re.sub(r"#(\d+);", lambda one: chr(int(one[1])), text)


def check_graph(tree, nodes, edges, read=str):
    """`read`: what may differ in a text is the same in what it answers."""
    assert sorted(nodes) == sorted(tree.ids.tolist()) and len(edges) == tree.n_nodes - 1
    for i in range(tree.n_nodes):
        node, n = int(tree.ids[i]), tree.rows_train[i]
        said, rows = map(read, nodes[node].split("\n"))
        assert rows == ("1 row" if n == 1 else f"{n:,} rows")
        if tree.n_branches[i]:
            assert said == read(printable(tree.title(i)))
        elif tree.classes:
            assert said == read(printable(tree.classes[tree.labels[i]]))
        if i:
            assert read(edges[int(tree.ids[tree.parent[i]]), node]) == read(printable(tree.branch_words(i)))


def test_what_mermaid_would_not_draw_is_refused():
    tree, _ = chain(251)
    with pytest.raises(engine.InputError, match="The tree has 502 branches, but Mermaid draws 500 at most"):
        content_of(tree, "mermaid")
    assert content_of(tree, "dot").count(" -> ") == 502
