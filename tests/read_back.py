"""Reads back what is exported for people and cannot be run: it says what the tree says, whatever its names are."""

import csv
import io
import json
import re
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.formats.files import content_of
from engine.formats.j48 import NUMBERS, is_one_cut, six_places
from engine.formats.rows_to_check import rows_to_check, tree_place
from engine.formats.tree_json import split_in
from engine.runtime.errors import printable
from engine.splits.binding import branch_of_rows
from engine.tree.arrays import collapse
from engine.tree.assignment import leaves_of_rows
from engine.tree.rules import Levels, bracketed


def paths(tree):
    return {path.node: path for rule in engine.rules(tree) for path in rule.paths}


def prediction(tree, node):
    i = tree.position(node)
    return float(tree.predictions[i]) if tree.task == "number" else tree.classes[tree.labels[i]]


def rules_json(tree):
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

    check_tests(tree, found["rules"])


def check_tests(tree, rules):
    """Each of many hard rows passes all tests of the leaf that it reaches, and of no other one."""
    rows = rows_to_check(tree, None, 500)
    leaf = tree.ids[leaves_of_rows(rows, tree)]
    for rule in rules:
        passed = np.ones(rows.n_rows, dtype=bool)
        for test in rule["tests"]:
            passed &= passes(test, tree, rows)
        np.testing.assert_array_equal(passed, leaf == rule["leaf"])


def passes(test, tree, rows):
    """bool[n]: the rows that pass a test, by what the format says of it."""
    if "split" in test:
        return branch_of_rows(split_in(test["split"]), rows, np.arange(rows.n_rows)) == test["branch"]
    known, column = tree.columns[tree_place(tree, test["column"])], rows.column(test["column"])
    assert test["kind"] == known.kind
    missing = column.codes == 0
    if "levels" in test:
        levels = np.array([None, *column.levels], dtype=object)[column.codes]
        named = np.isin(levels, np.array(test["levels"], dtype=object))
        inside = named | (test["others"] & ~np.isin(levels, np.array(known.levels, dtype=object)))
    else:
        above, up_to = (None if end is None else float(end) for end in (test["above"], test["up_to"]))
        inside = (above is None) | (column.numbers > (0 if above is None else above))
        inside &= (up_to is None) | (column.numbers <= (0 if up_to is None else up_to))
    return np.where(missing, test["missing"], inside)


def check_words(tree):
    """What the rules say of one column's levels is what their tests ask, also where they name what is not allowed."""
    forms = set()
    for path in paths(tree).values():
        for limit in path.limits:
            if not isinstance(limit, Levels) or not limit.words:
                continue
            column, words = limit.column, limit.words
            missing = words.removesuffix(f" OR {column.name} missing").removesuffix(" or missing")
            is_missing, words = missing != words, missing
            allowed, refused = set(), words.startswith("NOT ")
            words = words.removeprefix("NOT ")
            said = words.removeprefix(f"{column.name} ")
            if words == column.name:
                allowed = {"True"}
            elif said.startswith("in {"):
                allowed = set(said.removeprefix("in {").removesuffix("}").split(", "))
            elif said.startswith("= "):
                allowed = {said.removeprefix("= ")}
            elif said == "missing":
                is_missing = True
            elif said == "present":
                allowed = set(column.levels)
            else:
                assert said == "any other" or not limit.possible, said
            allowed = set(column.levels) - allowed if refused else allowed
            assert allowed == limit.allowed and (not refused or limit.others or column.kind == "boolean")
            assert is_missing == (limit.missing and column.missing)
            forms.add((refused, said.split(" ")[0], is_missing))
    return forms


def rules_csv(tree):
    rows = list(csv.DictReader(io.StringIO(content_of(tree, "rules-csv"))))
    known = paths(tree)
    assert len(rows) == tree.n_leaves
    assert all(row.get("costs", "").count(" costs ") == len(tree.leaf_rule.costs) for row in rows)
    for row in rows:
        path = known[int(row["leaf"])]
        assert row["rule"] == printable(" AND ".join(map(bracketed, path.conditions)))
        assert int(row["rows"]) == path.rows_train
        wanted = prediction(tree, path.node)
        assert row["prediction"] == wanted or float(row["prediction"]) == wanted
        shares = [float(share) for name, share in row.items() if name.startswith("probability of ")]
        assert shares == (tree.probabilities[tree.position(path.node)].tolist() if tree.classes else [])


def rules_text(tree):
    """Each rule, way by way; below each its leaf with rows and errors."""
    head, *lines = content_of(tree, "text").split("\n\n")[:2]
    assert f"Training rows: {tree.rows_train[0]:,}. Validation rows: {tree.rows_validation[0]:,}." in head
    assert head.count(" costs ") == len(tree.leaf_rule.costs)
    at = iter(lines[0].removesuffix("\n").split("\n"))
    for rule in engine.rules(tree):
        parts, margin = rule.parts, "    "
        if rule.value is None:
            assert next(at) == printable(f"{tree.target} = {rule.label}:")
        else:
            parts, margin = [rule.text], ""
        possible = [path for path in rule.paths if path.possible]
        for k, part in enumerate(parts):
            assert next(at) == f"{margin}{'OR ' if k else ''}{printable(part)}"
            if possible:
                found = re.fullmatch(FIGURES, next(at))
                path = possible[k] if len(parts) == len(possible) else known_by_leaf(possible, int(found["leaf"]))
                assert (int(found["leaf"]), int(found["rows"])) == (path.node, path.rows_train)
                assert (found["error"] is None) == (path.rows_train == 0 or np.isnan(path.error_train))
                if found["share"] is not None:
                    assert float(found["share"]) == pytest.approx(100 * path.error_train, abs=0.051)
                assert found["seen"] is None or int(found["seen"]) == path.rows_validation
    assert next(at, None) is None


FIGURES = (
    r"        Leaf (?P<leaf>\d+)\. Training rows: (?P<rows>\d+)(?P<error>, error (?:(?P<share>[\d.]+) %|.+?))?"
    r"\.(?: Validation rows: (?P<seen>\d+), error .+\.)?"
)


def known_by_leaf(possible, leaf):
    return next(path for path in possible if path.node == leaf)


def markdown(tree):
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


def dot(tree):
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


def mermaid(tree):
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


def tree_json(tree):
    text = content_of(tree, "json")
    assert engine.tree_to_text(engine.tree_from_text(text)) == text


def printout(tree, program):
    """Of splits as the program has them, the file says what their tree says, to the digits that are printed."""
    tree = collapse(tree, [i for i in np.flatnonzero(tree.n_branches) if side(tree, i, 0, program) is None])
    with tempfile.TemporaryDirectory() as folder:
        engine.export(tree, Path(folder, "tree.txt"), program)
        again = engine.read_tree(Path(folder, "tree.txt"), target=tree.target)
    assert said(again, program) == said(tree, program)


def said(tree, program):
    """Of each leaf the way there, its rows, and what it predicts."""
    found = []
    for leaf in tree.leaves:
        way, i = [], leaf
        while i:
            way.append(side(tree, tree.parent[i], tree.branch[i], program))
            i = tree.parent[i]
        label = f"{tree.predictions[leaf]:.7g}" if tree.task == "number" else tree.classes[tree.labels[leaf]]
        found.append((way, int(tree.rows_train[leaf]), label))
    return sorted(found, key=repr)


def side(tree, i, branch, program):
    """A branch as the program prints it, in values; None where it has no such split."""
    split = tree.split_at(i)
    name = printable(split.column)
    if is_one_cut(split) and tree.kinds[split.column] in NUMBERS:
        cut = split.thresholds[0]
        return name, int(branch), six_places(cut) if program == "j48" else f"{cut:.7g}"
    groups = [{printable(level) for level in group} for group in split.groups]
    if split.kind != "groups" or any("," in level for group in groups for level in group):
        return None
    if program == "rpart":
        return (name, sorted(groups[branch])) if len(groups) == 2 and all(groups) else None
    if all(len(group) == 1 for group in groups):
        return name, sorted(groups[branch])
    if len(groups) == 2 and 1 in map(len, groups):
        (one,) = next(group for group in groups if len(group) == 1)
        return name, one, len(groups[branch]) == 1
    return None


READERS = {
    "json": tree_json, "text": rules_text, "rules-json": rules_json, "rules-csv": rules_csv, "markdown": markdown,
    "dot": dot, "mermaid": mermaid,
    "j48": partial(printout, program="j48"), "rpart": partial(printout, program="rpart"),
}  # fmt: skip
