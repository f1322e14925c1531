"""Export: a tree goes out as JSON and comes back the same; what is no tree is refused in one sentence."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats import FORMATS, tree_json
from engine.formats.files import export, read_tree, tree_to_text, write_tree
from engine.formats.tree_json import SCHEMA, from_document
from engine.runtime.errors import InputError
from engine.splits import Literal, Split
from engine.table.table import Table
from engine.tree.counting import filled
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree
from tests.conftest import ROOT


def mixed(task="classes", n=200):
    """Every kind of column, missing values, infinities, and weights that are no whole numbers."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n) < 0.1, np.inf, rng.normal(size=n)),
            "day": pd.Timestamp("2021-03-04") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
            "kind": pd.Categorical(rng.choice(["ä", "b “c”", "d,e"], n), categories=["ä", "b “c”", "d,e", "f"]),
            "wet": rng.random(n) < 0.5,
            "w": rng.random(n) + 0.1,
        }
    )
    frame.loc[::7, "kind"] = None
    frame["t"] = rng.normal(size=n) if task == "number" else rng.choice(["no", "yes"], n)
    return Table.from_frame(frame, target="t", weights="w").with_partition(validation=0.3)


def planted(table):
    day = float(table.column("day").values[300 % table.column("day").n_values])
    tree = Tree.root(table)
    tree = tree.split(table, 0, Split("size", "threshold", (-0.1, 0.3, np.inf), missing=3, unseen=1))
    groups = (("ä",), ("b “c”", "f"), ("d,e",))
    tree = tree.split(table, 1, Split("kind", "groups", groups=groups, missing=2, unseen=1), by_hand=False)
    tree = tree.split(table, 2, Split("day", "threshold", (day,), missing=1))
    tree = tree.split(table, 6, Split("wet", "groups", groups=(("False",), ("True",))))
    tree = tree.split(table, 3, Split("size", "threshold", (0.1 + 0.2,)))
    return replace(tree.collapse(3), options={"criterion": "gini", "max_depth": None, "min_gain": 0.1})


def assert_same(tree, other):
    for name in tree.nodes._fields:
        if name != "payload_start":  # collapsed splits leave gaps in the payload, which are not written
            expected, found = getattr(tree.nodes, name), getattr(other.nodes, name)
            assert found.dtype == expected.dtype
            assert np.array_equal(expected, found, equal_nan=expected.dtype.kind == "f"), name
    assert [tree.split_at(i) for i in range(tree.n_nodes)] == [other.split_at(i) for i in range(tree.n_nodes)]
    for name in ("task", "target", "classes", "columns", "origin", "next_id", "options", "leaf_rule", "bin_edges"):
        assert getattr(tree, name) == getattr(other, name), name


def document_of(tree):
    return json.loads(tree_to_text(tree))


# -- there and back


@pytest.mark.parametrize("task", ["classes", "number"])
def test_a_tree_comes_back_the_same(tmp_path, task):
    table = mixed(task)
    tree = planted(table)
    write_tree(tree, tmp_path / "tree.json")
    back = read_tree(tmp_path / "tree.json")
    assert_same(tree, back)
    assert_same(tree.with_counts(table), back.with_counts(table))


@pytest.mark.parametrize("task", ["classes", "number"])
def test_the_file_fits_the_schema_and_is_strict_json(task):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)

    def refuse(constant):
        raise AssertionError(constant)

    document = json.loads(tree_to_text(planted(mixed(task))), parse_constant=refuse)
    jsonschema.validate(document, schema)
    assert document["nodes"][0]["split"]["thresholds"][-1] == "Infinity"
    described = schema["$defs"]["node"]["properties"]
    assert {key for node in document["nodes"] for key in node} <= described.keys()
    assert document.keys() <= schema["properties"].keys()
    splits = [node["split"] for node in document["nodes"] if node["split"]]
    assert {key for split in splits for key in split} <= schema["$defs"]["split"]["properties"].keys()


def told(task):
    """A planted tree whose leaves say something else than usual, with histograms for a number."""
    table = mixed(task)
    tree = planted(table).with_counts(table)
    if task == "number":
        tree = tree.with_leaf_rule(table, LeafRule("median"))
        return filled(replace(tree, bin_edges=table.bin_edges(3)), table)
    yes, no = tree.classes
    rule = LeafRule("mode", "m_estimate", 0.1, ((yes, 0.3), (no, 1.0)), ((yes, no, 5.0),))
    return tree.with_leaf_rule(table, rule)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_what_leaves_say_comes_back(tmp_path, task):
    tree = told(task)
    write_tree(tree, tmp_path / "tree.json")
    back = read_tree(tmp_path / "tree.json")
    assert_same(tree, back)
    assert back.leaf_rule != LeafRule()
    assert_same(tree, back.with_counts(mixed(task)))
    document = document_of(tree)
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert document["version"] == 1
    if task == "number":
        assert not np.isnan(back.nodes.histogram).any()
        np.testing.assert_array_equal(back.predictions, tree.medians)


@pytest.mark.parametrize(
    ("task", "change", "fault"),
    [
        ("number", lambda d: d["nodes"][1].pop("median"), "its leaves predict medians, but node"),
        ("number", lambda d: d["nodes"][1].update(histogram=[1.0]), "“histogram” of node . is no list of 3 finite"),
        ("classes", lambda d: d["leaf_rule"].update(priors=[["maybe", 1.0]]), "its leaf rule .* no class “maybe”"),
        ("classes", lambda d: d["leaf_rule"].update(summary="loud"), "leaf_rule / summary"),
        ("classes", lambda d: d["leaf_rule"].update(costs=[["yes", "yes", 1.0]]), "its leaf rule cannot be used"),
    ],
)
def test_leaves_that_cannot_say_that_are_refused(task, change, fault):
    document = document_of(told(task))
    change(document)
    with pytest.raises(InputError, match=fault):
        from_document(document)


@given(st.floats(allow_nan=False), st.floats(min_value=0, allow_nan=False, allow_infinity=False))
def test_numbers_come_back_to_the_last_bit(threshold, weight):
    tree = planted(mixed())
    tree.nodes.threshold[0] = min(threshold, -0.2)
    tree.nodes.train[0, 0] = weight
    back = from_document(document_of(tree))
    assert back.nodes.threshold[0] == tree.nodes.threshold[0]
    assert back.nodes.train[0, 0] == weight


def test_nodes_may_stand_in_any_order():
    tree = planted(mixed())
    document = document_of(tree)
    document["nodes"].reverse()
    assert_same(tree, from_document(document))


def test_a_deep_tree_meets_no_limit(tmp_path):
    table = Table.from_frame(pd.DataFrame({"a": np.arange(50.0), "t": ["x", "y"] * 25}), target="t")
    document = document_of(Tree.root(table).split(table, 0, Split("a", "threshold", (0.5,))))
    root, left, right = document["nodes"]
    nodes = []
    for level in range(10_000):
        nodes.append(
            {**root, "id": 2 * level, "parent": 2 * level - 2 if level else None, "branch": 1 if level else None}
        )
        nodes.append({**left, "id": 2 * level + 1, "parent": 2 * level, "branch": 0})
    nodes.append({**right, "id": 20_000, "parent": 19_998, "branch": 1})
    tree = from_document({**document, "nodes": nodes})
    assert tree.depth == 10_000
    write_tree(tree, tmp_path / "deep.json")
    assert_same(tree, read_tree(tmp_path / "deep.json"))


def test_counting_on_a_table_without_the_column_names_it():
    table = mixed()
    other = Table.from_frame(table.to_frame().drop(columns=["day"]), target="t")
    back = from_document(document_of(planted(table)))
    with pytest.raises(InputError, match="“day”"):
        back.with_counts(other)


def mixed_m_of_n(table):
    """A tree of m-of-n splits and of missing values with a branch of their own."""
    day = float(table.column("day").values[5])
    literals = (
        Literal("size", ">", 0.1 + 0.2), Literal("kind", "!=", "b “c”"), Literal("day", "<=", day),
        Literal("size", "<=", np.inf), Literal("wet", "==", "True"), Literal("kind", "==", "f"),
    )  # fmt: skip
    tree = Tree.root(table).split(table, 0, Split("size", "m_of_n", m=3, literals=literals))
    tree = tree.split(table, 1, Split("size", "threshold", (-0.1, 0.3), missing=3, unseen=1))
    tree = tree.split(table, 2, Split("day", "threshold", (day,), missing=2))
    return tree.split(table, 3, Split("wet", "m_of_n", m=1, literals=literals[4:5]), by_hand=False)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_splits_of_several_literals_and_missing_branches_come_back_the_same(tmp_path, task):
    table = mixed(task)
    tree = mixed_m_of_n(table)
    write_tree(tree, tmp_path / "tree.json")
    back = read_tree(tmp_path / "tree.json")
    assert_same(tree, back)
    assert_same(tree.with_counts(table), back.with_counts(table))
    document = document_of(tree)
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert document["version"] == 1
    assert document["nodes"][0]["split"]["literals"][3] == {"column": "size", "test": "<=", "value": "Infinity"}


# -- by suffix


def test_export_goes_by_suffix(tmp_path):
    tree = planted(mixed())
    export(tree, tmp_path / "tree.JSON")
    assert_same(tree, read_tree(tmp_path / "tree.JSON"))
    with pytest.raises(
        InputError, match=r"“tree\.doc” cannot be exported: “\.doc” is none of \.c, \.csv, \.dot, \.j48, \.js, \.json"
    ):
        export(tree, tmp_path / "tree.doc")
    assert os.listdir(tmp_path) == ["tree.JSON"]


# -- whole or not at all


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    tree = planted(mixed())
    with pytest.raises(InputError, match=r"missing.tree\.json” cannot be written \(no such file"):
        write_tree(tree, tmp_path / "missing" / "tree.json")
    with pytest.raises(InputError, match="is a folder"):
        write_tree(tree, tmp_path)
    with pytest.raises(InputError, match="The file has no name"):
        write_tree(tree, "")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(InputError, match=r"cannot be written \(permission denied\): choose another place"):
        write_tree(tree, tmp_path / "tree.json")
    assert os.listdir(tmp_path) == []


def test_an_unexpected_fault_while_writing_keeps_the_old_file(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text("old")
    tree = replace(planted(mixed()), options={"odd": object()})
    with pytest.raises(TypeError):
        write_tree(tree, path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["tree.json"]


def test_a_link_stays_a_link_and_rights_stay(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_tree(planted(mixed()), link)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert read_tree(real).n_leaves == 8


# -- what is refused


def refusal(path: Path, content: str | bytes | None = None) -> str:
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as caught:
        read_tree(path)
    sentence = str(caught.value)
    assert path.name in sentence
    assert sentence.endswith(".") and "\n" not in sentence and not sentence.endswith("..")
    return sentence


def test_files_that_are_no_trees(tmp_path):
    path = tmp_path / "odd.json"
    text = tree_to_text(planted(mixed()))
    for cut in (1, 40, len(text) // 2, len(text) - 3, text.index('"by_hand"') + 13):
        assert "is cut off" in refusal(path, text[:cut])
    assert "is empty" in refusal(path, "  \n")
    assert "it is not JSON" in refusal(path, "a,b\n1,2\n")
    assert "it is not JSON" in refusal(path, '{"format": NaN}')
    assert "it is not JSON" in refusal(path, "[" * 100_000)
    assert "no text in UTF-8" in refusal(path, b"\x89PNG\r\n\xff")
    for other in ("[1, 2]", "{}", '{"format": "espalier-tree"}', '{"format": "espalier-project", "version": 1}'):
        assert "is JSON, but no Espalier tree" in refusal(path, other)
    newer = '{"format": "espalier-tree", "version": 2, "nodes": "of a new kind"}'
    assert "was written by a newer Espalier (version 2); this one reads version 1: update" in refusal(path, newer)
    assert "version 0" in refusal(path, '{"format": "espalier-tree", "version": 0}')
    assert "There is no file" in refusal(tmp_path / "gone.json")
    assert "is a folder" in refusal(tmp_path)
    with pytest.raises(InputError, match="No file is named: choose a tree file"):
        read_tree("")


def test_a_byte_order_mark_is_no_fault(tmp_path):
    path = tmp_path / "marked.json"
    tree = planted(mixed())
    path.write_bytes(b"\xef\xbb\xbf" + tree_to_text(tree).encode())
    assert_same(tree, read_tree(path))


def nodes_by_id(document):
    return {node["id"]: node for node in document["nodes"]}


def change(**values):
    return lambda document: document.update(values)


def change_node(node, **values):
    return lambda document: nodes_by_id(document)[node].update(values)


def change_split(node, **values):
    return lambda document: nodes_by_id(document)[node]["split"].update(values)


def circle(document):
    """Two inner nodes, each below the other."""
    first, second = (dict(nodes_by_id(document)[2]) for _ in range(2))
    leaves = [dict(nodes_by_id(document)[4]) for _ in range(2)]
    first.update(id=90, parent=91, branch=0)
    second.update(id=91, parent=90, branch=0)
    leaves[0].update(id=92, parent=90, branch=1)
    leaves[1].update(id=93, parent=91, branch=1)
    document["nodes"] += [first, second, *leaves]


FAULTS = {
    "a field is missing": (lambda d: d.pop("target"), "'target' is a required property"),
    "a field of a node is missing": (lambda d: nodes_by_id(d)[2].pop("train"), "at node / 2, 'train' is a required"),
    "task unknown": (change(task="ranking"), "at task, 'ranking' is not one of"),
    "no classes": (change(classes=[]), "classes"),
    "a class twice": (change(classes=["no", "no"]), "names the class “no” twice"),
    "a column twice": (lambda d: d["columns"].append(d["columns"][0]), "names the column “size” twice"),
    "nodes no list": (change(nodes={}), "nodes"),
    "no nodes": (change(nodes=[]), "nodes"),
    "parent missing": (change_node(4, parent=77), "node 4 hangs below node 77, which is not there"),
    "two roots": (change_node(4, parent=None), "node 4 has no parent"),
    "root has a parent": (change_node(0, parent=1, branch=0), "its root, node 0, has a parent"),
    "an id twice": (change_node(4, id=2), "it has two nodes 2"),
    "a branch twice": (change_node(1, branch=1), "has the branch 1 of node 0, which is taken"),
    "a branch too many": (change_node(4, branch=9), "node 0 has 4 of the 4 branches"),
    "branches below a leaf": (change_node(2, split=None), "node 2 has 2 of the 0 branches"),
    "a branch too few": (lambda d: d["nodes"].pop(), "branches that its split makes"),
    "a circle": (circle, "node 90 cannot be reached from the root: its parents go in a circle"),
    "statistics too short": (change_node(4, train=[1.0]), "“train” of node 4 is no list of 2 finite numbers"),
    "a count beyond floats": (change_node(4, train=[1.0, 10**400]), "“train” of node 4"),
    "unknown column": (change_split(2, column="date"), "in node 2, the split names the column “date”"),
    "wrong kind of column": (
        change_split(2, column="kind"),
        "in node 2, a split by threshold does not fit the category column “kind”",
    ),
    "unknown level": (change_split(1, groups=[["ä"], ["zz"], ["d,e"]]), "in node 1, “kind” has no level “zz”"),
    "falling thresholds": (change_split(0, thresholds=[3, 2, 1]), "in node 0, A split of “size” needs ascending"),
    "missing beyond the branches": (change_split(2, missing=3), "in node 2"),
    "no parts": (lambda d: nodes_by_id(d)[2]["split"].pop("thresholds"), "node / 2 / split"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_tree_is_refused(tmp_path, fault):
    spoil, words = FAULTS[fault]
    document = document_of(planted(mixed()))
    spoil(document)
    assert words in refusal(tmp_path / "broken.json", json.dumps(document))


def change_literal(place, **values):
    return lambda document: nodes_by_id(document)[0]["split"]["literals"][place].update(values)


LITERAL_FAULTS = {
    "m too large": (change_split(0, m=7), "in node 0, At least 7 of 6 literals cannot hold"),
    "m no number": (change_split(0, m=1.5), "at node / 0 / split / m, 1.5 is not of type 'integer'"),
    "m below one": (change_split(0, m=0), "at node / 0 / split / m, 0 is less than the minimum"),
    "no m": (lambda d: nodes_by_id(d)[0]["split"].pop("m"), "at node / 0 / split, 'm' is a required property"),
    "no literals": (change_split(0, literals=[]), "node / 0 / split / literals"),
    "unknown test": (change_literal(0, test="<"), "'<' is not one of"),
    "unknown column": (change_literal(1, column="date"), "in node 0, the split names the column “date”"),
    "unknown first column": (change_split(0, column="date"), "in node 0, The column of an m-of-n split is that of"),
    "unknown level": (change_literal(1, value="zz"), "in node 0, “kind” has no level “zz”"),
    "a level of a number": (change_literal(2, test="==", value="3"), "by levels does not fit the date column “day”"),
    "a threshold of levels": (
        change_literal(1, test=">", value=3),
        "by the order of numbers does not fit the category column “kind”",
    ),
    "a word for a number": (change_literal(0, value="big"), "in node 0, The test > of “size” needs a number"),
    "a number for a word": (change_literal(1, value=3), "in node 0, The test != of “kind” needs the name of a level"),
    "a literal twice": (change_literal(3, test=">", value=0.1 + 0.2), "in node 0, An m-of-n split cannot ask"),
    "a literal of nothing": (lambda d: nodes_by_id(d)[0]["split"]["literals"].append({}), "is a required property"),
    "a branch too many": (change_split(2, missing=1), "node 2 has 3 of the 2 branches"),
}


@pytest.mark.parametrize("fault", LITERAL_FAULTS)
def test_a_broken_m_of_n_split_is_refused(tmp_path, fault):
    spoil, words = LITERAL_FAULTS[fault]
    document = document_of(mixed_m_of_n(mixed()))
    spoil(document)
    assert words in refusal(tmp_path / "broken.json", json.dumps(document))


KEYS = ("train", "validation", "rows_train", "rows_validation", "split", "parent", "branch", "id")
ODD = ("odd", [], {}, -1.5, [None])
ODD_PARTS = (None, [[]], {}, "odd", ["odd", "odd"])
ASKED = {"column": "size", "test": "<=", "value": 0.5}
COUNT = {"column": "size", "kind": "m_of_n", "m": 1, "literals": [ASKED]}
CUT = {"column": "size", "kind": "threshold", "missing": 0, "unseen": 0}


@pytest.mark.parametrize(
    "fault",
    [
        *({key: value} for key in KEYS for value in ODD),
        *({"split": {**CUT, key: value}} for key in ("thresholds", "groups") for value in ODD_PARTS),
        *({"split": {**CUT, "thresholds": [0.5], key: value}} for key in CUT for value in ([], {}, "odd", 7)),
        *({"split": {**COUNT, key: value}} for key in COUNT for value in ([], {}, "odd", 7, [[]], [{}], None)),
        *(
            {"split": {**COUNT, "literals": [{**ASKED, key: value}]}}
            for key in ASKED
            for value in ([], {}, "odd", None)
        ),
    ],
    ids=str,
)
def test_nodes_that_the_schema_skips_are_checked_all_the_same(fault, monkeypatch):
    monkeypatch.setattr(tree_json, "SAMPLE", 10)
    table = mixed()
    document = document_of(Tree.root(table).split(table, 0, Split("size", "threshold", (0.5,))))
    root, left, right = document["nodes"]
    n = 20
    nodes = [root]
    for level in range(n):
        nodes.append({**left, "id": 2 * level + 1, "parent": 2 * level, "branch": 0})
        inner = root if level < n - 1 else right
        nodes.append({**inner, "id": 2 * level + 2, "parent": 2 * level, "branch": 1})
    document["nodes"] = nodes
    assert from_document(document).n_leaves == n + 1
    skipped = 3  # every fifth is looked at
    nodes[skipped] = {**nodes[skipped], **fault}
    with pytest.raises(InputError):
        from_document(document)


def test_the_names_of_the_formats_cost_no_compiler():
    """Menus list them while the window comes up."""
    code = "import sys, engine.formats; sys.exit(bool({'numba', 'pandas'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


# -- what no file can hold


def test_a_name_as_long_as_the_folder_takes_is_written(tmp_path):
    path = tmp_path / ("n" * 250 + ".json")
    write_tree(planted(mixed()), path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    with pytest.raises(InputError, match="cannot be written"):
        write_tree(planted(mixed()), tmp_path / ("n" * 300))
    assert len(list(tmp_path.iterdir())) == 1


def test_an_infinite_figure_is_refused_in_a_sentence(tmp_path):
    tree = Tree.root(mixed("number"))
    broken = replace(tree, nodes=tree.nodes._replace(train=np.array([[1.0, 0.0, np.inf]])))
    with pytest.raises(InputError, match="holds figures beyond 1e308, which JSON cannot hold"):
        write_tree(broken, tmp_path / "tree.json")
    assert not list(tmp_path.iterdir())


def test_moments_as_classes_and_levels_come_back(tmp_path):
    when = pd.to_datetime(["2024-01-01", "2024-01-01 00:00:00.25", "2024-01-01 00:00:00.5"], format="ISO8601").repeat(4)
    frame = pd.DataFrame({"when": when, "then": when, "t": list("ab") * 6})
    table = Table.from_frame(frame, target="then", kinds={"when": "nominal", "then": "nominal"})
    levels = table.column("when").levels
    tree = Tree.root(table).split(table, 0, Split("when", "groups", groups=(levels[:1], levels[1:])))
    write_tree(tree, tmp_path / "tree.json")
    assert_same(tree, read_tree(tmp_path / "tree.json"))


NOT_FINITE = {
    "smoothing_m": ('"smoothing_m": 3.0', '"smoothing_m": 1e999'),
    "origin": ('"origin": ', '"origin": 1e999, "was": '),
    "origin as a whole number": ('"origin": ', f'"origin": {10**400}, "was": '),
    "bin_edges": ('"bin_edges": [', '"bin_edges": [-1e999, '),
    "bin_edges that descend": ('"bin_edges": [', '"bin_edges": [1e300, '),
    "next_id": ('"next_id": ', '"next_id": 1e300, "was": '),
    "a prior": ('"priors": []', f'"priors": [["u", {10**400}]]'),
}


@pytest.mark.parametrize("what", NOT_FINITE)
def test_numbers_that_the_schema_takes_and_no_float_holds(what, tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "y": list("uvuv"), "n": [1.5, 2.5, 4.0, 5.0]})
    rule = LeafRule(smoothing="m_estimate", smoothing_m=3.0)
    classes = Table.from_frame(frame, target="y", roles={"a": "feature"})
    number = classes.with_target("n")
    trees = [Tree.root(classes).with_leaf_rule(classes, rule), Tree.root(number).with_bins(number, 2)]
    old, new = NOT_FINITE[what]
    text = next(text for text in (tree_to_text(tree) for tree in trees) if old in text)
    path = tmp_path / "tree.json"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match="no Espalier tree that can be read"):
        read_tree(path)


def test_bins_belong_to_a_number(tmp_path):
    table = Table.from_frame(pd.DataFrame({"a": [1, 2, 3], "y": list("uvu")}), target="y")
    document = json.loads(tree_to_text(Tree.root(table)))
    with pytest.raises(InputError, match="has bin_edges, but predicts classes"):
        from_document({**document, "bin_edges": [1.0]})


def test_every_node_is_written_as_json_writes_it():
    """The lines are put together by hand."""
    for table in (mixed(), mixed("number").with_partition(validation=0.3)):
        lines = tree_to_text(planted(table)).split('"nodes": [\n')[1].split("\n  ]")[0].split(",\n")
        for line in lines:
            assert line == "    " + json.dumps(json.loads(line), ensure_ascii=False)


def test_the_table_of_the_readme_names_every_format():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("<!-- exports -->")[2].partition("<!-- /exports -->")[0]
    named = {line.split("|")[1].split()[0] for line in table.splitlines() if line.startswith("| ")}
    assert named - {"format", "---"} == set(FORMATS)
