"""The option `cp` beside the trees that rpart 4.1.19 grows (tests/data/rpart.R): a split that pays exactly cp goes.

The rule is `complexity <= alpha` in rpart's partition.c, of doubles; here what is equal but for rounding is equal.
rpart finds the complexities in its one pass (see test_pruning_rpart.py), so in two of the cases it drops splits that
the definition keeps.
"""

import json

import numpy as np
import pandas as pd
import pytest

import engine
from engine.growing import worth_keeping
from tests.rpart import FOLDER, in_one_pass, replayed

CASES = {case["name"]: case for case in json.loads((FOLDER / "rpart_cp.json").read_text())}
PRICES = [(name, cp) for name, case in CASES.items() for cp in case["cp"]]
OF_ITS_PASS = {("loans", 0.0025), ("stagec", 0.1)}


def table_of(case):
    frame = pd.read_csv(FOLDER / case["file"])
    return engine.Table.from_frame(frame[[*case["columns"], case["target"]]], target=case["target"])


def splits_of(tree):
    return [tree.split_at(i) for i in range(tree.n_nodes)]


@pytest.mark.parametrize(("name", "cp"), PRICES)
def test_of_the_full_tree_of_rpart_the_splits_stay_that_rpart_grows(name, cp):
    case = CASES[name]
    table = table_of(case)
    full = replayed(case, table, case["full"])
    expected = replayed(case, table, case["trees"][case["cp"].index(cp)])
    assert np.count_nonzero(in_one_pass(full) > cp * full.collapse(0).loss() + 1e-12) == expected.n_leaves - 1
    kept = worth_keeping(full, engine.Tree.root(table), cp)
    assert (splits_of(kept) == splits_of(expected)) == ((name, cp) not in OF_ITS_PASS)


@pytest.mark.parametrize("cp", [0.02, 0.01, 0.005])
def test_the_preset_grows_as_many_leaves(cp):
    case = CASES["loans"]
    expected = case["trees"][case["cp"].index(cp)].count("leaf")
    assert engine.grow(table_of(case), preset="rpart", cp=cp).n_leaves == expected


@pytest.mark.parametrize("how", [{}, {"missing": "surrogate"}])
@pytest.mark.parametrize(("cp", "leaves"), [(0.49, 3), (0.5, 1), (0.51, 1)])
def test_a_split_that_pays_exactly_cp_goes(how, cp, leaves):
    assert engine.grow(table_of(CASES["tie"]), cp=cp, **how).n_leaves == leaves


def test_rounding_keeps_no_split_that_pays_exactly_cp():
    """The split saves one of so many errors: one error ÷ errors and cp · errors are rounded to either side."""
    for errors in range(2, 50):
        frame = {"x": [0] * (4 * errors) + [1], "y": ["a"] * (3 * errors + 1) + ["b"] * errors}
        table = engine.Table.from_frame(pd.DataFrame(frame), target="y")
        assert engine.grow(table, cp=1 / errors).n_leaves == 1, errors
        assert engine.grow(table, cp=1 / errors - 1e-9).n_leaves == 2, errors
