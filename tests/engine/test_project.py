"""Projects: what is saved comes back; what changed in between is told, never guessed."""

import json
import os
import re
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from engine import project
from engine.readers import read_example, read_table, read_text
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.splits import Literal, Split
from engine.table.table import Table
from engine.tree.counting import filled
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree


def frame(n=120, seed=0):
    rng = np.random.default_rng(seed)
    made = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, n), unit="D"),
            "town": rng.choice(["Ulm", "Bonn", "Köln"], n),
            "zip": rng.choice([10, 20, 30], n),
            "income": rng.normal(1000, 10, n).round(2),
            "weight": rng.random(n).round(3) + 0.5,
        }
    )
    made["paid"] = np.where((made.age > 40) ^ (made.town == "Ulm"), "yes", "no")
    return made


def decided(path, target="paid"):
    """A table with everything decided that a project keeps."""
    table = read_table(path, target=target).with_kind("zip", "nominal")
    table = table.with_roles({"weight": "weight", "income": "ignore" if target == "paid" else "feature"})
    return table.with_partition(validation=0.25, test=0.1, seed=7)


def planted(table):
    tree = Tree.root(table).split(table, 0, Split("age", "threshold", (40.5,)))
    tree = tree.split(table, 1, Split("town", "groups", groups=(("Ulm",), ("Bonn", "Köln"))), by_hand=False)
    return tree.split(table, 2, Split("zip", "groups", groups=(("10",), ("20",), ("30",))))


def test_m_of_n_and_missing_branches_are_saved_and_taken_back_with_a_reason(tmp_path):
    data = tmp_path / "customers.csv"
    frame().to_csv(data, index=False)
    table = decided(data)
    literals = (Literal("age", ">", 40.5), Literal("town", "==", "Ulm"), Literal("zip", "!=", "10"))
    tree = Tree.root(table).split(table, 0, Split("age", "m_of_n", m=2, literals=literals))
    tree = tree.split(table, 1, Split("age", "threshold", (50.0,), missing=2))
    project.save(tmp_path / "study.espalier", table, tree, {})
    back = project.load(tmp_path / "study.espalier")
    assert back.problems == []
    assert [back.tree.split_at(i) for i in range(tree.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]
    np.testing.assert_array_equal(back.tree.rows_train, tree.rows_train)
    frame().drop(columns="zip").to_csv(data, index=False)
    back = project.load(tmp_path / "study.espalier")
    assert back.tree.n_leaves == 1
    assert any("at least 2 of {age > 40.5, town = Ulm, zip ≠ 10}” was taken back" in text for text in back.problems)


@pytest.fixture
def saved(tmp_path):
    """A project beside its data, as (path of the project, path of the data, table, tree)."""
    folder = tmp_path / "work"
    folder.mkdir()
    data = folder / "customers.csv"
    frame().to_csv(data, index=False)
    table = decided(data)
    tree = planted(table)
    project.save(folder / "study.espalier", table, tree, {"criterion": "gini", "zoom": [1, 2.5]})
    return folder / "study.espalier", data, table, tree


def assert_same(found, table, tree):
    assert found.problems == []
    assert found.table.source == table.source
    assert_same_but_source(found, table, tree)


def assert_same_but_source(found, table, tree):
    for name in ("name", "target", "roles", "partition", "n_rows", "task", "classes"):
        assert getattr(found.table, name) == getattr(table, name), name
    assert np.array_equal(found.table.part, table.part)
    for column, expected in zip(found.table.columns, table.columns, strict=True):
        assert (column.name, column.kind) == (expected.name, expected.kind)
        assert np.array_equal(column.codes, expected.codes)
        assert np.array_equal(column.values, expected.values)
    for name in tree.nodes._fields:
        assert np.array_equal(getattr(found.tree.nodes, name), getattr(tree.nodes, name), equal_nan=True)
    for name in ("task", "target", "classes", "columns", "origin", "next_id", "options", "leaf_rule", "bin_edges"):
        assert getattr(found.tree, name) == getattr(tree, name), name


@pytest.mark.parametrize("target", ["paid", "income"])
def test_a_project_comes_back_the_same(tmp_path, target):
    data = tmp_path / "customers.csv"
    frame().to_csv(data, index=False)
    table = decided(data, target)
    tree = planted(table)
    path = tmp_path / "study.espalier"
    project.save(path, table, tree, {"focus": 1})
    found = project.load(path)
    assert_same(found, table, tree)
    assert found.settings == {"focus": 1}
    text = path.read_text()
    project.save(path, found.table, found.tree, found.settings)
    assert path.read_text() == text


def test_medians_and_histograms_come_back(tmp_path):
    data = tmp_path / "customers.csv"
    frame().to_csv(data, index=False)
    table = decided(data, "income")
    tree = planted(table).with_leaf_rule(table, LeafRule("median"))
    tree = filled(replace(tree, bin_edges=table.bin_edges(4)), table)
    project.save(tmp_path / "study.espalier", table, tree, {})
    found = project.load(tmp_path / "study.espalier")
    assert_same(found, table, tree)
    assert not np.isnan(found.tree.nodes.median).any()


def test_a_partition_by_column_comes_back(tmp_path):
    data = tmp_path / "customers.csv"
    frame().assign(fold=["train", "test", "valid"] * 40).to_csv(data, index=False)
    table = read_table(data, target="paid").with_partition(column="fold")
    project.save(tmp_path / "p.espalier", table, planted_by_age(table), {})
    found = project.load(tmp_path / "p.espalier")
    assert found.problems == []
    assert found.table.partition == {"column": "fold"}
    assert np.array_equal(found.table.part, table.part)


def planted_by_age(table):
    return Tree.root(table).split(table, 0, Split("age", "threshold", (40.5,)))


def test_pasted_tables_are_stored_with_the_project(tmp_path):
    table = read_text("a;b\n1;x\n2;y\n3;x\n4;y\n", target="b")
    tree = Tree.root(table).split(table, 0, Split("a", "threshold", (2.5,)))
    project.save(tmp_path / "p.espalier", table, tree, {})
    assert_same(project.load(tmp_path / "p.espalier"), table, tree)


def test_examples_are_found_again(tmp_path):
    table = read_example("penguins").with_partition(validation=0.3)
    tree = Tree.root(table)
    project.save(tmp_path / "p.espalier", table, tree, {})
    assert_same(project.load(tmp_path / "p.espalier"), table, tree)


# -- data that moved or changed


def test_a_moved_folder_keeps_working(saved):
    path, _, table, tree = saved
    moved = path.parent.with_name("elsewhere")
    shutil.move(path.parent, moved)
    found = project.load(moved / path.name)
    assert found.problems == []
    assert found.table.source["path"] == str(moved / "customers.csv")
    assert_same_but_source(found, table, tree)


def test_a_project_moved_alone_finds_its_data(saved, tmp_path):
    path, _, table, tree = saved
    alone = tmp_path / "desk" / "study.espalier"
    alone.parent.mkdir()
    shutil.move(path, alone)
    (alone.parent / "customers.csv").write_text("age,paid\n1,no\n2,yes\n")  # of the same name, but another one
    assert_same(project.load(alone), table, tree)


def test_missing_data_can_be_linked_again(saved, tmp_path):
    path, data, _, tree = saved
    away = tmp_path / "archive.csv"
    shutil.move(data, away)
    with pytest.raises(project.MissingData, match=r"“study\.espalier” is not at “.*customers\.csv”: choose") as caught:
        project.load(path)
    assert caught.value.path == data
    found = project.load(path, data=away)
    assert found.problems == []
    assert found.table.source["path"] == str(away)
    assert found.table.name == "archive"
    assert np.array_equal(found.tree.train, tree.train)
    with pytest.raises(project.MissingData):
        project.load(path, data=tmp_path / "gone.csv")


def test_changed_data_is_told_and_counted(saved):
    path, data, _, _ = saved
    frame(n=200, seed=1).to_csv(data, index=False)
    found = project.load(path)
    assert found.problems == ["“customers.csv” has changed since the project was saved: the tree was counted again."]
    assert found.tree.n_leaves == 5
    assert found.tree.rows_train[0] == found.table.n_train
    assert found.tree.rows_train[0] + found.tree.rows_validation[0] + found.table.n_test == 200


def test_splits_that_no_longer_bind_become_leaves(saved):
    path, data, _, _ = saved
    frame().drop(columns=["town"]).to_csv(data, index=False)
    found = project.load(path)
    assert found.tree.n_leaves == 4
    assert found.tree.n_branches[found.tree.position(1)] == 0
    about = [problem for problem in found.problems if "town" in problem]
    assert about[0] == "Column “town” is no longer in customers."
    assert "taken back" in about[1]


def test_a_column_of_another_kind_takes_its_splits_along(saved):
    path, data, _, _ = saved
    frame().assign(age=lambda f: "a" + f.age.astype(str)).to_csv(data, index=False)
    found = project.load(path)
    assert found.tree.n_leaves == 1
    assert found.table.column("age").kind == "nominal"
    assert len(found.problems) >= 3


def test_a_partition_that_no_longer_works_is_told(tmp_path):
    data = tmp_path / "customers.csv"
    made = frame().assign(fold=["train", "test", "valid"] * 40)
    made.to_csv(data, index=False)
    table = read_table(data, target="paid").with_partition(column="fold")
    project.save(tmp_path / "p.espalier", table, planted_by_age(table), {})
    made.assign(fold="somewhere").to_csv(data, index=False)
    found = project.load(tmp_path / "p.espalier")
    assert found.table.n_train == 120
    assert any("all rows train" in problem for problem in found.problems)


def test_a_target_that_is_gone_is_refused(saved):
    path, data, _, _ = saved
    frame().drop(columns=["paid"]).to_csv(data, index=False)
    with pytest.raises(InputError, match="“paid”"):
        project.load(path)


# -- what is refused


def test_a_table_from_memory_cannot_be_saved(tmp_path):
    table = Table.from_frame(frame(), target="paid")
    with pytest.raises(InputError, match=r"“table” was made in memory.*write it to a file and open that"):
        project.save(tmp_path / "p.espalier", table, Tree.root(table), {})
    assert os.listdir(tmp_path) == []


def test_a_fault_while_saving_keeps_the_old_project(saved):
    path, _, table, tree = saved
    before = path.read_bytes()
    with pytest.raises(TypeError):
        project.save(path, table, tree, {"odd": object()})
    with pytest.raises(InputError, match="cannot be written"):
        project.save(path.parent / "gone" / "p.espalier", table, tree, {})
    assert path.read_bytes() == before
    assert sorted(os.listdir(path.parent)) == ["customers.csv", "study.espalier"]


@pytest.mark.parametrize("key", project.PARTS)
@pytest.mark.parametrize("value", [None, [], 3])
def test_a_damaged_project_says_what_is_wrong(saved, key, value):
    path, *_ = saved
    document = json.loads(path.read_text())
    document[key] = value
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=f"study.espalier” is a damaged project: “{key}” is missing"):
        project.load(path)


def refusal(path, content):
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        project.load(path)
    return str(caught.value)


def test_files_that_are_no_projects(saved):
    path, *_ = saved
    text = path.read_text()
    assert "is cut off" in refusal(path, text[: len(text) // 2])
    assert "is JSON, but no Espalier project" in refusal(path, '{"format": "espalier-tree", "version": 1}')
    assert "newer Espalier (version 2)" in refusal(path, text.replace('"version": 1', '"version": 2', 1))
    leaf = next(line for line in text.splitlines() if '"id": 5' in line)
    assert "of its tree, node 2 has 2 of the 3 branches" in refusal(path, text.replace(leaf + "\n", ""))
    assert "is no project file: it is not JSON" in refusal(path, "age,paid\n1,no\n")


def test_progress_is_told(saved):
    path, *_ = saved
    told = []
    project.load(path, progress=Progress(lambda done, text: told.append(done)))
    assert told == sorted(told) and told[-1] == 0.9


@pytest.mark.parametrize("value", [float("nan"), [1, float("inf")], {"a": -float("inf")}])
def test_a_setting_that_is_no_finite_number_is_refused(saved, value):
    path, _, table, tree = saved
    before = path.read_bytes()
    with pytest.raises(InputError, match="“settings” of the project holds a number that is not finite"):
        project.save(path, table, tree, {"a": 1, "z": value})
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("part", "name", "value", "says"),
    [
        ("source", "path", 3, "the path of its data is no text"),
        ("source", "path", ["x"], "the path of its data is no text"),
        ("source", "relative", {}, "the path of its data is no text"),
        ("source", "path", "a\0b", "is not at"),
        ("source", "path", "n" * 5000, "is not at “n{199}…”"),
        ("source", "kind", [], "It is not known where the table is"),
        ("options", "names", False, "The column names must be a list of texts"),
        ("options", "names", 0, "The column names must be a list of texts"),
        ("partition", "seed", 10**400, ""),
        ("partition", "validation", "half", ""),
        ("partition", "validation", 1e308, ""),
        ("roles", "age", [], ""),
        ("roles", "age", {"a": 1}, ""),
        ("kinds", "age", [], ""),
        ("kinds", "age", None, ""),
    ],
)
def test_what_cannot_be_used_in_a_project_is_a_sentence(saved, part, name, value, says):
    path, *_ = saved
    document = json.loads(path.read_text())
    place = document["source"]["options"] if part == "options" else document[part]
    place[name] = value
    if part == "source":
        document["source"].pop("relative" if name == "path" else "", None)
    path.write_text(json.dumps(document))
    try:
        found = project.load(path)
    except InputError as problem:
        assert re.search(says, str(problem)) and str(problem).endswith(".")
    else:
        assert found.problems and not says


def test_a_path_that_is_no_text_is_saved_and_found_again(tmp_path):
    data = tmp_path / os.fsdecode(b"K\xf6ln.csv")
    frame().to_csv(data, index=False)
    table = decided(data)
    path = tmp_path / os.fsdecode(b"K\xf6ln.espalier")
    project.save(path, table, planted(table), {"note": "\udcf6"})
    found = project.load(path)
    assert found.problems == [] and found.settings == {"note": "\udcf6"}
    assert os.fsencode(found.table.source["path"]) == os.fsencode(data)
    path.read_text(encoding="utf-8")


def test_a_project_from_before_says_that_test_rows_are_chosen_in_another_way(tmp_path):
    table = read_example("penguins").with_partition(validation=0.2, test=0.2)
    path = tmp_path / "p.espalier"
    project.save(path, table, Tree.root(table), {})
    document = json.loads(path.read_text())
    document["partition"] = {"validation": 0.2, "test": 0.2, "seed": 0}
    path.write_text(json.dumps(document))
    assert any("Test rows are chosen in another way" in problem for problem in project.load(path).problems)
