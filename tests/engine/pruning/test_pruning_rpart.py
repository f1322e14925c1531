"""The cp tables of rpart 4.1.19, its xerror and xstd, from trees replayed from what it printed (tests/data/rpart.R).

Replayed, because rpart takes another split where several gain the same; grown here where none do.

rpart finds the prices of all splits in one pass from the leaves up: the price of a node is computed for its branches as
they are at that price, and the nodes above are told of these branches, though the node may go with one of them at a
lower price, when more of it still stands. Where that happens, the cp of a line times its splits is not the error that
they save, and the weakest links of the definition are others (of 6 tables below 3 have such a line). So the tables are
compared as they stand with that pass, and with the weakest links where the pass finds them.
"""

import json

import numpy as np
import pandas as pd
import pytest

from engine.growing import grow
from engine.pruning.cost_complexity import errors_of, judged, prices_of, representative_alphas
from engine.pruning.result import prune
from engine.pruning.sequence import sequence
from engine.table.table import Table
from tests.rpart import COSTS, FOLDER, NO_TIES, in_one_pass, replayed

CASES = {case["name"]: case for case in json.loads((FOLDER / "rpart.json").read_text())}
SOUND = {"kyphosis", "stagec, a number", NO_TIES}
WITHOUT_COSTS = [name for name in CASES if name not in COSTS]  # rpart's held rows are charged with the costs transposed


def table_of(case):
    frame = pd.read_csv(FOLDER / ("stagec.csv" if "stagec" in case["name"] else "kyphosis.csv"))
    return Table.from_frame(frame[[*case["columns"], case["target"]]], target=case["target"])


def cp_table(case):
    """Of rpart: (cp, splits, error ÷ the root's, xerror, xstd), the full tree first."""
    return np.array(case["cptable"])[::-1].T


def is_sound(case):
    """Whether every line's cp times its splits is the error that they save."""
    cp, splits, error, _, _ = cp_table(case)
    return np.allclose(cp[1:] * -np.diff(splits), np.diff(error), rtol=1e-9)


def test_some_tables_of_rpart_are_sound_and_some_are_not():
    assert {name for name, case in CASES.items() if is_sound(case)} == SOUND


@pytest.mark.parametrize("name", CASES)
def test_the_cp_table_is_that_of_rpart(name):
    case = CASES[name]
    table = table_of(case)
    tree = replayed(case, table, case["tree"])
    cp, splits, error, _, _ = cp_table(case)
    root = tree.collapse(0).loss("train")
    assert root == pytest.approx(case["root_error"], rel=1e-12)
    found = [sequence(tree, in_one_pass(tree), 0.0)[0]]
    if is_sound(case):
        found.append(prune(table, tree, folds=2).steps)
    for steps in found:
        assert [step.leaves - 1 for step in steps] == splits.tolist()
        assert np.allclose([step.alpha / root for step in steps], cp, rtol=1e-9, atol=1e-15)
        assert np.allclose([step.train_error / root for step in steps], error, rtol=1e-9, atol=1e-15)


def folds_judged(case, table, steps, price):
    """(xerror, xstd) by the trees that rpart printed for the folds; price: (table, tree) → those of its splits."""
    fold, root, found = np.array(case["fold"]), steps[-1].train_error, []
    for k, printed in enumerate(case["folds"]):
        divided = table.divided((fold == k).astype(np.uint8))
        grown = replayed(case, divided, printed)
        found.append(judged(divided, grown, price(divided, grown), representative_alphas(steps)))
    errors, se = errors_of(found)
    return errors / root, se / root


@pytest.mark.parametrize("name", WITHOUT_COSTS)
def test_the_cross_validated_errors_and_their_spread_are_those_of_rpart(name):
    case = CASES[name]
    table = table_of(case)
    tree = replayed(case, table, case["tree"])
    _, _, _, xerror, xstd = cp_table(case)
    errors, se = folds_judged(
        case, table, sequence(tree, in_one_pass(tree), 0.0)[0], lambda _, grown: in_one_pass(grown)
    )
    assert np.allclose(errors, xerror, rtol=1e-9)
    assert np.allclose(se, xstd, rtol=1e-9)


@pytest.mark.parametrize("name", ["kyphosis", "stagec"])
def test_weakest_links_give_the_same_errors_where_no_fold_has_another_price(name):
    case = CASES[name]
    table = table_of(case)
    steps = prune(table, replayed(case, table, case["tree"]), folds=2).steps
    errors, se = folds_judged(case, table, steps, lambda divided, grown: prices_of(divided, grown, "risk"))
    _, _, _, xerror, xstd = cp_table(case)
    assert np.allclose(errors, xerror, rtol=1e-9)
    assert np.allclose(se, xstd, rtol=1e-9)


def test_given_folds_give_the_whole_table_where_no_splits_tie():
    case = CASES[NO_TIES]
    table = table_of(case)
    least = round(case["minsplit"] / 3)
    tree = grow(table, min_rows=case["minsplit"], min_leaf=least)
    assert {step.leaves - 1 for step in prune(table, tree, folds=2).steps} >= set(cp_table(case)[1].astype(int))
    for k in (0, 1):
        pruning = prune(table, tree, folds=np.array(case["fold"]), standard_errors=k)
        root = pruning.tree(-1).loss("train")
        worth = pruning.steps[-len(case["cptable"]) :]
        _, _, _, xerror, xstd = cp_table(case)
        assert np.allclose([step.cv_error / root for step in worth], xerror, rtol=1e-9)
        assert np.allclose([step.cv_se / root for step in worth], xstd, rtol=1e-9)
        within = xerror <= xerror.min() + k * xstd[np.argmin(xerror)]
        smallest = worth[np.flatnonzero(within)[-1]]
        assert pruning.steps[pruning.chosen] is smallest
        assert pruning.steps[pruning.least].cv_error / root == pytest.approx(xerror.min())
