"""The printout "rpart": what rpart 4.1.19 prints of its trees (tests/data/rpart_print.R), and what it cannot print."""

import json

import numpy as np
import pandas as pd
import pytest

import engine
from engine.formats.files import open_tree
from engine.formats.foreign import Wish, fitted
from engine.formats.rpart import EQUAL, r_format
from engine.tree.differences import differences
from engine.tree.leaves import LeafRule
from engine.tree.nodes import columns_of
from tests import effort
from tests.engine.command.running import run
from tests.hostile.mutation import mutated
from tests.rpart import FOLDER

CASES = json.loads((FOLDER / "rpart_print.json").read_text())


GROWN = json.loads((FOLDER / "rpart_grown.json").read_text())
FORMATTED = json.loads((FOLDER / "r_format.json").read_text())


def table_of(case):
    frame = pd.read_csv(FOLDER / case["file"])
    kinds = {case["target"]: "number"} if "deviance" in case["printed"][2] else {}
    return engine.Table.from_frame(frame[[*case["columns"], case["target"]]], target=case["target"], kinds=kinds)


def replayed(case):
    """The printed tree: its splits, in order, on its table."""
    table = table_of(case)
    tree, waiting = engine.Tree.root(table), [0]
    for node in case["tree"]:
        at = waiting.pop()
        if node == "leaf":
            continue
        column, first, second = node
        if isinstance(first, list):
            split, flipped = engine.Split(column, "groups", groups=(tuple(first), tuple(second))), False
        else:
            split, flipped = engine.Split(column, "threshold", (float(np.nextafter(first, -np.inf)),)), not second
        tree = tree.split(table, at, split)
        branches = [int(tree.ids[i]) for i in tree.children(tree.position(at))]
        waiting += branches if flipped else branches[::-1]
    assert not waiting
    if table.task == "number":
        return tree
    rule = LeafRule(costs=tuple(map(tuple, case["costs"])), priors=tuple(map(tuple, case["priors"])))
    return tree.with_leaf_rule(table, rule)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_it_is_what_rpart_prints(case):
    check(replayed(case), case)


def check(tree, case):
    """The lines are those of rpart; a remark may follow."""
    lines = engine.printout(tree, "rpart").splitlines()
    assert lines[: len(case["printed"])] == case["printed"]
    assert lines[len(case["printed"]) :] in ([], ["", EQUAL])


@pytest.mark.parametrize("case", GROWN, ids=[case["name"] for case in GROWN])
def test_the_preset_rpart_is_printed_as_rpart_prints_its_own_tree(case):
    """Missing values go by surrogates: the rows of every node are those of rpart."""
    check(engine.grow(table_of(case), preset="rpart"), case)


@pytest.mark.parametrize("case", FORMATTED, ids=[str(case["values"]) for case in FORMATTED])
def test_numbers_are_written_as_r_writes_them(case):
    assert r_format(case["values"]) == case["plain"]
    assert r_format(case["values"], 7) == case["seven"]


@pytest.fixture
def table():
    frame = pd.DataFrame({"size": [1, 2, 3, 4] * 5, "width": [0.5, 1.5, 2.5, 3.5] * 5,
                          "town": ["Ulm", "Bonn", "Kiel", "Ulm"] * 5, "y": ["a", "b", "b", "a"] * 5})  # fmt: skip
    return engine.Table.from_frame(frame, target="y", kinds={"size": "integer"})


def test_a_split_into_more_than_two_branches_is_refused(table):
    tree = engine.grow(table, nominal="multiway").collapse(0)
    tree = tree.split(table, 0, engine.Split("town", "groups", groups=(("Ulm",), ("Bonn",), ("Kiel",))))
    with pytest.raises(engine.InputError, match="the split of town at node 0 has 3 branches"):
        engine.printout(tree, "rpart")
    assert engine.printout(tree, "j48").splitlines()[3] == "town = Ulm: a (10.0)"


@pytest.mark.parametrize(("column", "cut", "met"), [("size", 2.5, False), ("size", 2.0, True), ("width", 2.0, True)])
def test_it_says_where_a_value_would_go_that_is_equal_to_a_cut(table, column, cut, met):
    tree = engine.Tree.root(table).split(table, 0, engine.Split(column, "threshold", (cut,)))
    assert (EQUAL in engine.printout(tree, "rpart")) is met


def test_splits_that_rpart_does_not_have_stand_in_words(table):
    literals = (engine.Literal("size", ">", 1.5), engine.Literal("town", "==", "Ulm"))
    tree = engine.Tree.root(table).split(table, 0, engine.Split("size", "m_of_n", m=2, literals=literals))
    assert "all of {size > 1.5, town = Ulm} 5 " in engine.printout(tree, "rpart")
    assert "\nall of {size > 1.5, town = Ulm}: a (5.0)\n" in engine.printout(tree, "j48")


def test_the_command_line_prints_and_writes_it(capsys, tmp_path):
    asked = ["--target", "Kyphosis", "--no-window", "--preset", "rpart", "--print", "rpart"]
    code, out, _ = run(capsys, FOLDER / "kyphosis.csv", *asked, "--export", tmp_path / "tree.rpart")
    case = GROWN[0]
    assert code == 0 and "\n".join(case["printed"]) in out
    assert (tmp_path / "tree.rpart").read_text("utf-8") in out


def test_other_programs_are_refused(table):
    with pytest.raises(engine.InputError, match="No printout is called “c5”; choose one of j48, rpart"):
        engine.printout(engine.Tree.root(table), "c5")


EVERY = [*CASES, *GROWN]
OF_ONE_WEIGHT = [
    case for case in EVERY if "loss" in case["printed"][2] and not case.get("costs") and not case.get("priors")
]


def read_of(tmp_path, lines, **names):
    """The tree of printed lines, as they stand in a file between others."""
    path = tmp_path / "tree.txt"
    path.write_bytes("\r\n".join(["> print(fit)", *lines, "> q()", ""]).encode())
    return engine.read_tree(path, **names)


def tree_of(case):
    return replayed(case) if "tree" in case else engine.grow(table_of(case), preset="rpart")


@pytest.mark.parametrize("case", EVERY, ids=[case["name"] for case in EVERY])
def test_what_rpart_printed_predicts_as_its_tree(tmp_path, case):
    grown = tree_of(case)
    tree = read_of(tmp_path, case["printed"], target=grown.target)
    assert (tree.task, tree.n_leaves, tree.rows_train[0]) == (grown.task, grown.n_leaves, grown.rows_train[0])
    rows = pd.read_csv(FOLDER / case["file"]).dropna(subset=case["columns"])
    if tree.task == "number":
        np.testing.assert_allclose(tree.predict(rows), grown.predict(rows), rtol=1e-6)
        np.testing.assert_allclose(tree.costs()[0], grown.costs()[0], rtol=1e-5)
    else:
        assert list(tree.predict(rows)) == list(grown.predict(rows))
        shares = grown.predict_proba(rows)
        np.testing.assert_allclose(tree.predict_proba(rows), shares, atol=1e-6 if len(tree.classes) < 5 else 0.006)
    assert "surrogates are not printed" in tree.mark(0).note


@pytest.mark.parametrize("case", OF_ONE_WEIGHT, ids=[case["name"] for case in OF_ONE_WEIGHT])
def test_what_was_read_is_printed_the_same_again(tmp_path, case):
    tree = read_of(tmp_path, case["printed"])
    check(tree, case)
    engine.export(tree, tmp_path / "again.rpart")
    again = engine.read_tree(tmp_path / "again.rpart")
    rows = pd.read_csv(FOLDER / case["file"])
    np.testing.assert_array_equal(again.predict_proba(rows), tree.predict_proba(rows))


def test_classes_have_the_names_that_are_given(tmp_path):
    tree = read_of(tmp_path, CASES[0]["printed"], classes=["absent", "present"])
    assert tree.classes == ("absent", "present") and tree.rows_train[0] == 81 and tree.train[0].tolist() == [64, 17]


PRINTED = """n= 60

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 60 29 soon (0.48333333 0.51666667)
  2) Place=Lyon,Lyon, East,Ulm 30 1 late (0.96666667 0.03333333) *
  3) Place=Bonn, Old Town 30 2 soon (0.06666667 0.93333333)
    6) Accident date< 19934 10 1 late (0.90000000 0.10000000) *
    7) Accident date>=19934 20 0 soon (0.00000000 1.00000000) *
"""


def claims(levels, unit="D"):
    days = pd.date_range("2024-07-10", periods=60, freq=unit)
    frame = pd.DataFrame({"Place": (levels * 60)[:60], "Accident date": days, "y": ["late", "soon"] * 30})
    return engine.Table.from_frame(frame, target="y")


def read_on(table, path, text):
    path.write_text(text)
    return fitted(open_tree(path, Wish(columns=columns_of(table)))[0], table)


def test_a_table_tells_levels_with_commas_apart_and_says_that_days_are_dates(tmp_path):
    table = claims(["Lyon", "Lyon, East", "Ulm", "Bonn", " Old Town"])
    tree, said = read_on(table, tmp_path / "tree.txt", PRINTED)
    counted, lost = engine.recount(tree, table)
    assert not said and not lost and not differences(tree, counted, table)
    assert counted.split_at(0).groups == (("Lyon", "Lyon, East", "Ulm"), ("Bonn", " Old Town"))
    days = table.to_frame()["Accident date"][table.to_frame()["Place"].isin(["Bonn", " Old Town"])]
    goes_on = counted.position(int(counted.ids[counted.children(0)[1]]))
    before, after = counted.rows_train[counted.children(goes_on)]
    assert (before, after) == ((days < "2024-07-30").sum(), (days >= "2024-07-30").sum()) and before
    assert "2024-07-29" in tree.sentence(tree.children(goes_on)[0])


def test_moments_are_printed_in_seconds(tmp_path):
    table = claims(["Lyon", "Lyon, East", "Ulm", "Bonn", " Old Town"], "h")
    tree, _ = read_on(table, tmp_path / "tree.txt", PRINTED.replace("19934", "1722297600"))
    assert tree.split_at(2).thresholds == (np.nextafter(1_722_297_600.0, 0),) and tree.kinds["Accident date"] == "date"


def test_levels_that_a_printout_leaves_open_are_refused(tmp_path):
    table = claims(["Ulm", "Ulm, Old Town", " Old Town", "Bonn"])
    with pytest.raises(engine.InputError, match="“Ulm, Old Town” may be several lists of categories of “Place”"):
        read_on(table, tmp_path / "tree.txt", PRINTED.replace("Lyon,Lyon, East,Ulm", "Ulm, Old Town"))


@pytest.mark.parametrize(("before", "after", "fault"), [
    ("  2) Start>=8.5", "  2) Start>=9.5", "not two sides of one number"),
    ("  3) Start< 8.5", "  4) Start< 8.5", "node 4 is printed twice"),
    ("  3) Start< 8.5", "  9) Start< 8.5", "node 6 is printed twice, or before its parent"),
    ("62  6 absent", "62  6", "is no node of rpart"),
    ("  2) Start>=8.5", "  2) all of {Start > 8.5}", "and its sibling are no split of rpart"),
    ("1) root", "5) root", "node 5 is printed twice, or before its parent"),
    ("(0.79012346 0.20987654)", "(0.79012346)", "not equally many probabilities"),
])  # fmt: skip
def test_what_is_no_printed_tree_is_refused(tmp_path, before, after, fault):
    text = "\n".join(CASES[1]["printed"])
    assert before in text
    with pytest.raises(engine.InputError, match=fault):
        read_of(tmp_path, text.replace(before, after, 1).split("\n"))


@pytest.mark.parametrize("case", [CASES[1], CASES[-1], GROWN[1]], ids=lambda case: case["name"])
def test_a_damaged_printout_is_refused_in_a_sentence_or_read(tmp_path, case):
    data, path = "\n".join(case["printed"]).encode(), tmp_path / "tree.rpart"
    for seed in range(effort.count(1000)):
        path.write_bytes(mutated(data, seed))
        try:
            engine.read_tree(path)
        except engine.InputError as error:
            assert len(str(error)) > 20
