"""The printout "rpart": what rpart 4.1.19 prints of its trees (tests/data/rpart_print.R), and what it cannot print."""

import json

import numpy as np
import pandas as pd
import pytest

import engine
from engine.formats.rpart import EQUAL, r_format
from engine.tree.leaves import LeafRule
from tests.engine.command.running import run
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
