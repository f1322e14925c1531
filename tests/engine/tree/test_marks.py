"""Marks: what is written on nodes, what it forbids, what leaves say by hand, and that files keep it."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.formats.tree_json import _validator
from engine.growing import replace_and_grow
from engine.tree.leaves import LeafRule
from engine.tree.marks import fitting
from tests import marked
from tests.effort import examples
from tests.frames import frames, random_split

SEEDS = st.integers(0, 10**6)


@pytest.fixture
def table():
    frame = pd.DataFrame({"age": [1, 2, 3, 4, 5, 6], "town": list("ababab"), "y": list("uuvvuv")})
    return engine.Table.from_frame(frame, target="y")


@pytest.fixture
def tree(table):
    tree = engine.Tree.root(table).split(table, 0, engine.Split("age", "threshold", (3.5,)))
    return tree.split(table, 2, engine.Split("town", "groups", groups=(("a",), ("b",))))


def test_a_mark_is_written_read_and_wiped(tree):
    marked_tree = tree.with_mark(1, note="check with Ada", pinned=True).with_mark(1, label="v")
    assert marked_tree.mark(1) == engine.Mark(note="check with Ada", pinned=True, label="v")
    assert tree.marks == {} and tree.mark(1) == engine.Mark()
    assert marked_tree.with_mark(1, note="", pinned=False, label=None).marks == {}
    with pytest.raises(engine.InputError, match="The tree has no node 9"):
        tree.mark(9)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"colour": "red"},
            "A mark has no “colour”; it has note, pinned, locked, label, label_by_pruning, excluded, criterion.",
        ),
        ({"note": 3}, "The note of node 1 cannot be 3; it is a text."),
        ({"pinned": 1}, "Node 1 is pinned or locked or not, True or False, not 1."),
        ({"label": "x"}, "Node 1 cannot predict “x”; the classes are u, v."),
        ({"label": 3.0}, "Node 1 cannot predict “3.0”; the classes are u, v."),
        ({"excluded": ["height"]}, "“height” is no feature of this tree, so node 1 cannot exclude it."),
        ({"excluded": 7}, "What node 1 excludes cannot be 7; it is a list of column names."),
        ({"criterion": "ginny"}, "There is no criterion “ginny”; choose one of gini, entropy"),
        ({"criterion": "squared_error"}, "“squared_error” is not defined for a class target"),
    ],
)
def test_what_cannot_be_written_says_why(tree, changes, sentence):
    with pytest.raises(engine.InputError, match=sentence):
        tree.with_mark(1, **changes)


@pytest.mark.parametrize("label", ["many", True, float("nan"), float("inf"), 1e140])
def test_a_numeric_target_says_finite_numbers(label):
    frame = pd.DataFrame({"x": np.arange(30), "y": np.arange(30) + 0.5})
    tree = engine.Tree.root(engine.Table.from_frame(frame, target="y"))
    with pytest.raises(
        engine.InputError, match=r"Node 0 cannot predict “.*”; “y” is numeric, so it predicts a number below"
    ):
        tree.with_mark(0, label=label)


def test_a_lock_forbids_every_edit_at_and_below_it_and_says_which_one(table, tree):
    locked = tree.with_mark(2, locked=True)
    cut = engine.Split("age", "threshold", (4.5,))
    root = engine.Split("age", "threshold", (2.5,))
    at, below, above = (
        "Node 2 is locked: unlock it first.",
        "Node 3 stands below node 2, which is locked: unlock node 2 first.",
        "Node 2 below node 0 is locked: unlock node 2 first.",
    )
    part = tree.subtree(2)
    for edit, sentence in (
        (lambda: locked.split(table, 3, cut), below),
        (lambda: locked.paste(table, 3, part), below),
        (lambda: locked.graft({3: engine.Tree.root(table)}), below),
        (lambda: locked.merge(table, 3, 4), below),
        (lambda: locked.with_mark(3, label="v"), below),
        (lambda: locked.with_mark(3, pinned=True), below),
        (lambda: locked.collapse(2), at),
        (lambda: locked.replace_split(table, 2, cut), at),
        (lambda: locked.with_mark(2, excluded=["age"]), at),
        (lambda: locked.collapse(0), above),
        (lambda: locked.replace_split(table, 0, root, "keep"), above),
    ):
        with pytest.raises(engine.InputError) as raised:
            edit()
        assert str(raised.value) == sentence
    assert [locked.locked_by(node) for node in (0, 1, 2, 3)] == [None, None, 2, 2]
    assert locked.with_mark(3, note="a note may be written").mark(3).note
    assert locked.with_mark(2, locked=False).split(table, 3, cut).n_leaves == 4
    assert locked.split(table, 1, root).n_leaves == 4  # elsewhere


def test_what_nodes_leave_out_and_by_what_they_are_searched_is_heard_below(table, tree):
    tree = tree.with_mark(0, excluded=["town"], criterion="entropy").with_mark(2, excluded=["age", "town"])
    assert tree.excluded_at(1) == {"town": 0}
    assert tree.excluded_at(3) == {"town": 2, "age": 2}
    assert tree.criterion_at(4) == "entropy"
    assert tree.with_mark(2, criterion="gini").criterion_at(4) == "gini"
    assert engine.Tree.root(table).criterion_at(0) == ""


@given(frames(), SEEDS, st.integers(0, 6))
def test_what_is_heard_at_every_node_is_what_is_written_at_and_above_it(frame, seed, n_splits):
    from engine.tree.marks import left_alone, search_ways, splits_kept

    _, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed)
    which, ways = search_ways(tree)
    for i, node in enumerate(tree.ids.tolist()):
        assert ways[which[i]].excluded == marked.excluded(tree, i) == set(tree.excluded_at(node))
        assert ways[which[i]].criterion == marked.criterion(tree, i, "") == tree.criterion_at(node)
        assert left_alone(tree)[i] == marked.left_alone(tree, i)
    assert frozenset(np.flatnonzero(splits_kept(tree)).tolist()) == marked.kept_splits(tree)


# -- what leaves say by hand


@examples(60)
@given(frames(), SEEDS, st.integers(0, 5), st.booleans())
def test_labels_by_hand_are_predicted_and_paid_for(frame, seed, n_splits, median):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    if tree.task == "number" and median:
        tree = tree.with_leaf_rule(table, LeafRule("median"))
    random = np.random.default_rng(seed)
    bare = tree
    for i in random.permutation(tree.n_nodes)[:3].tolist():
        label = str(random.choice(tree.classes)) if tree.task == "classes" else float(random.normal(10, 3))
        tree = tree.with_mark(int(tree.ids[i]), label=label, table=table)
    at = engine.assign(table, tree)
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    said = np.array(tree.classes, dtype=object)[tree.labels] if tree.task == "classes" else tree.predictions
    for i, node in enumerate(tree.ids.tolist()):
        mark, expected = tree.mark(node), said[i]
        if mark.label is not None:
            assert expected == mark.label
        elif tree.loss_weight()[i] > 0:
            own = np.array(bare.classes, dtype=object)[bare.labels] if tree.task == "classes" else bare.predictions
            assert expected == own[i]
        elif i:
            assert expected == said[tree.parent[i]]
        for part, code in (("train", engine.TRAIN), ("validation", engine.VALIDATION)):
            rows = at.rows_of(i)
            rows = rows[table.part[rows] == code]
            if tree.task == "classes":
                wrong = weights[rows][np.array(tree.classes, dtype=object)[table.y[rows]] != expected].sum()
                assert tree.wrong(part)[i] == pytest.approx(wrong)
                assert tree.costs(part)[i] == pytest.approx(wrong)
            else:
                off = np.abs(table.y[rows] + table.origin - expected)
                paid = weights[rows] @ (off if tree.predicts_median else off**2)
                assert tree.costs(part)[i] == pytest.approx(float(paid), rel=1e-9, abs=1e-9)
    assert tree.predict(frame).tolist() == said[tree.apply(table)].tolist()
    np.testing.assert_array_equal(tree.probabilities, bare.probabilities) if tree.task == "classes" else None
    counted = tree.with_counts(table)
    assert counted.marks == tree.marks
    for part in ("train", "validation"):
        assert counted.error(part) == pytest.approx(tree.error(part), nan_ok=True)
        assert engine.assess(table, tree, part).error == pytest.approx(tree.error(part), nan_ok=True)
    for node in list(tree.marks):
        tree = tree.with_mark(node, label=None, table=table)
    for part in ("train", "validation"):
        np.testing.assert_allclose(tree.costs(part), bare.costs(part))


def test_rules_and_files_say_what_a_person_wrote(tmp_path, table, tree):
    said = tree.with_mark(1, label="v", note="Ada says so\nsince May").with_mark(3, label="u", note=" ")
    assert [path.node for path in engine.rules(said)[1].paths] == [1, 4]
    engine.export(said, tmp_path / "tree.txt")
    text = (tmp_path / "tree.txt").read_text()
    ways = [line for line in text.splitlines() if " Leaf " not in line]
    assert "\n".join(ways[ways.index("y = v:") :]).startswith(
        "y = v:\n    age ≤ 3.5\n    OR (age > 3.5 AND town = b)\n"
    )
    assert text.endswith("\nNotes:\n    age ≤ 3.5:\n        Ada says so\n        since May\n")
    nodes = {node["id"]: node for node in json.loads(engine.tree_to_text(said))["nodes"]}
    assert nodes[1]["label"] == "v"
    assert nodes[1]["mark"] == {"note": "Ada says so\nsince May", "label": "v"}
    assert "mark" not in nodes[0]
    assert said.predict(pd.DataFrame({"age": [1.0, 9.0], "town": ["a", "b"]})).tolist() == ["v", "v"]


def test_a_number_by_hand_needs_the_rows_where_leaves_say_medians():
    frame = pd.DataFrame({"x": np.arange(30), "y": np.arange(30) ** 2 + 0.5})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, max_depth=2).with_leaf_rule(table, LeafRule("median"))
    node = int(tree.ids[tree.leaves[0]])
    with pytest.raises(engine.InputError, match=r"This tree predicts medians, .*: give the table, too."):
        tree.with_mark(node, label=3.0)
    assert tree.with_mark(node, note="fine").marks
    by_mean = tree.with_leaf_rule(table, LeafRule("mean")).with_mark(node, label=3.0)
    i = tree.position(node)
    rows = engine.assign(table, tree).rows_of(i)
    again = by_mean.with_leaf_rule(table, LeafRule("median"))
    assert again.costs()[i] == pytest.approx(np.abs(frame.y[rows] - 3.0).sum())
    assert again.means[i] == pytest.approx(frame.y[rows].mean())


def test_labels_and_criteria_that_a_target_does_not_know_are_taken_back_with_a_reason(table, tree):
    tree = tree.with_mark(1, label="v", note="stays").with_mark(2, criterion="gini")
    other = table.with_target("town")
    kept, problems = fitting(tree.collapse(2), other)
    assert kept.mark(1) == engine.Mark(note="stays")
    assert kept.mark(2) == engine.Mark(criterion="gini")
    assert problems == ["The label “v” of node 1 was taken back: “town” never is that."]
    numbers = engine.Table.from_frame(
        pd.DataFrame({"age": [1, 4, 5], "town": list("aab"), "y": [0.5, 1.5, 2.5]}), target="y"
    )
    kept, problems = fitting(tree, numbers)
    assert kept.marks == {1: engine.Mark(note="stays")}
    assert problems[1] == "The criterion gini of node 2 was taken back: the target is another one."


# -- files


@examples(40)
@given(frames(), SEEDS, st.integers(0, 6))
def test_marks_come_back_from_json(frame, seed, n_splits):
    _, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed)
    text = engine.tree_to_text(tree)
    assert not list(_validator()[0].iter_errors(json.loads(text)))
    again = engine.tree_from_text(text)
    assert again.marks == tree.marks
    assert engine.tree_to_text(again) == text
    plain = json.loads(text)
    assert all(node["mark"] != {} for node in plain["nodes"] if "mark" in node)


def test_a_project_keeps_marks(tmp_path):
    from engine import project

    table = engine.read_example("cats")
    tree = engine.grow(table)
    tree = tree.with_mark(0, note="the first question", locked=True, excluded=[tree.columns[0].name])
    project.save(tmp_path / "cats.espalier", table, tree, {})
    loaded = project.load(tmp_path / "cats.espalier")
    assert loaded.problems == []
    assert loaded.tree.marks == tree.marks


@pytest.mark.parametrize(
    ("mark", "fault"),
    [
        ({"label": "x"}, "the mark of node 0 cannot be used: Node 0 cannot predict “x”; the classes are"),
        ({"criterion": "ginny"}, "the mark of node 0 cannot be used: There is no criterion “ginny”"),
        ({"excluded": [3]}, "3 is not of type 'string'"),
        ({"pinned": "yes"}, "'yes' is not of type 'boolean'"),
        ([], r"\[\] is not of type 'object'"),
    ],
)
def test_broken_marks_are_refused(tree, mark, fault):
    document = json.loads(engine.tree_to_text(tree))
    document["nodes"][0]["mark"] = mark
    with pytest.raises(engine.InputError, match=f"“The text” is no Espalier tree that can be read: .*{fault}"):
        engine.tree_from_text(json.dumps(document))


@pytest.mark.parametrize("mark", [{"excluded": [3]}, {"pinned": "yes"}, {"label": True}, [], {"note": None}])
def test_broken_marks_that_the_schema_skips_are_refused_all_the_same(tree, mark, monkeypatch):
    from engine.formats import tree_json

    monkeypatch.setattr(tree_json, "_check_schema", lambda document: None)
    document = json.loads(engine.tree_to_text(tree))
    document["nodes"][0]["mark"] = mark
    with pytest.raises(engine.InputError, match=r"the mark of node 0 cannot be (read|used)"):
        engine.tree_from_text(json.dumps(document))


def test_a_text_that_is_no_tree_says_so():
    for text, sentence in (
        ("", "“The clipboard” is empty."),
        ("Hello", "“The clipboard” is no tree file: it is not JSON."),
        ("[1]", "“The clipboard” is JSON, but no Espalier tree."),
    ):
        with pytest.raises(engine.InputError, match=sentence):
            engine.tree_from_text(text, "The clipboard")


def test_a_column_left_out_may_stop_being_a_feature_and_the_file_is_read_all_the_same(table, tree):
    tree = tree.collapse(2).with_mark(2, excluded=["town"])
    without = tree.with_counts(table.with_roles({"town": "ignore"}))
    assert engine.tree_from_text(engine.tree_to_text(without)).mark(2).excluded == ("town",)
    assert without.with_mark(2, excluded=["town", "age"]).mark(2).excluded == ("town", "age")


def test_a_column_left_out_may_weigh_or_divide_the_rows_later():
    frame = pd.DataFrame({"x": np.arange(12), "w": np.arange(12) % 3 + 1.0, "p": ["train"] * 9 + ["validation"] * 3})
    frame["y"] = list("uvuvvuvuuvuv")
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).with_mark(0, excluded=["w", "p"])
    later = table.with_roles({"w": "weight"}).with_partition(column="p")
    grown = engine.grow(later, tree=tree)
    plain = engine.grow(later)
    assert [grown.split_at(i) for i in range(grown.n_nodes)] == [plain.split_at(i) for i in range(plain.n_nodes)]
    np.testing.assert_array_equal(grown.train, plain.train)
    assert [c.column for c in engine.candidates(later, grown)] == ["x"]


def test_a_grafted_tree_brings_its_marks_along(table, tree):
    part = engine.Tree.root(table).split(table, 0, engine.Split("age", "threshold", (2.5,)))
    part = part.with_mark(0, note="top").with_mark(2, pinned=True)
    grafted = engine.Tree.root(table).graft({0: part})
    assert dict(grafted.marks) == {0: engine.Mark(note="top"), 2: engine.Mark(pinned=True)}
    own = engine.Tree.root(table).with_mark(0, note="own").graft({0: part})
    assert dict(own.marks) == {0: engine.Mark(note="own"), 2: engine.Mark(pinned=True)}


@given(frames(), SEEDS, st.integers(1, 5))
def test_marks_live_as_long_as_their_nodes(frame, seed, n_splits):
    """Random edits of every kind; the marks that are left are those of the nodes that are left, and copies."""
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("note", "pinned", "excluded", "criterion"))
    random = np.random.default_rng(seed)
    for _ in range(4):
        before, node = tree, int(random.choice(tree.ids))
        i, copies = tree.position(node), {}
        kind = random.choice(["split", "collapse", "drop", "keep", "regrow", "merge", "paste", "grow"])
        if kind == "split" and not tree.n_branches[i]:
            tree = tree.split(table, node, random_split(table, random))
        elif kind == "collapse":
            tree = tree.collapse(node)
        elif kind in ("drop", "keep") and tree.n_branches[i]:
            tree = tree.replace_split(table, node, random_split(table, random), str(kind))
        elif kind == "regrow" and tree.n_branches[i]:
            more = {"max_depth": int(tree.level[i]) + 2}
            tree = replace_and_grow(table, tree, node, random_split(table, random), **more)
        elif kind == "merge" and tree.n_branches[i] > 1 and not tree.n_branches[tree.children(i)[:2]].any():
            tree = tree.merge(table, *(int(tree.ids[k]) for k in tree.children(i)[:2]))
        elif kind == "paste" and not tree.n_branches[i]:
            part = tree.subtree(int(random.choice(tree.ids)))
            tree = tree.paste(table, node, part)
            copies = {k: tree.marks[k] for k in tree.marks if k not in before or k == node}
            assert set(copies.values()) <= set(part.marks.values()) | set(before.marks.values())
        elif kind == "grow":
            tree = engine.grow(table, tree=tree, node=node, levels=1)
        assert dict(tree.marks) == {k: m for k, m in before.marks.items() if k in tree} | copies
        assert replace(tree).marks == tree.marks
