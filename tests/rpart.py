"""What rpart 4.1.19 printed (tests/data/rpart.R): its trees replayed, and its prices as it finds them."""

from dataclasses import replace

import numpy as np

from engine.splits import Split
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "data"


COSTS = {"kyphosis with costs": (("absent", "present", 1.0), ("present", "absent", 3.0))}


NO_TIES = "stagec, a number, few splits"


CRITERION = {"stagec by entropy": "entropy", "stagec, a number": "squared_error", NO_TIES: "squared_error"}


def replayed(case, table, printed):
    """A tree from its splits in preorder: [column, cut, whether smaller values go left], or "leaf"."""
    tree, waiting = Tree.root(table), [0]
    for node in printed:
        at = waiting.pop()
        if node == "leaf":
            continue
        column, cut, left = node
        below = float(np.nextafter(cut, -np.inf))  # rpart asks whether a value is smaller, this program whether it is ≤
        tree = tree.split(table, at, Split(column, "threshold", (below,)))
        branches = [int(tree.ids[i]) for i in tree.children(tree.position(at))]
        waiting += branches[::-1] if left else branches
    assert not waiting
    grown = replace(tree, options={"criterion": CRITERION.get(case["name"], "gini"), "min_rows": case["minsplit"]})
    rule = LeafRule(costs=COSTS[case["name"]]) if case["name"] in COSTS else None
    return grown.with_leaf_rule(table, rule) if rule else grown


def in_one_pass(tree):
    """float64[n_nodes]: the prices as rpart finds them, see above; −∞ for leaves."""
    risk, price = tree.costs("train") / tree.loss_weight("train")[0], np.full(tree.n_nodes, -np.inf)

    def told(i):
        """(error, splits) of the branch at i as those above are told of it."""
        if tree.n_branches[i] == 0:
            return risk[i], 0
        children = tree.children(i)
        below = [told(child) for child in children]
        for weaker in sorted((0, 1), key=lambda b: price[children[b]]):
            worth = (risk[i] - sum(error for error, _ in below)) / (1 + sum(splits for _, splits in below))
            if worth > price[children[weaker]] + 1e-12:
                below[weaker] = (risk[children[weaker]], 0)
            else:
                break
        error, splits = sum(error for error, _ in below), 1 + sum(splits for _, splits in below)
        price[i] = (risk[i] - error) / splits
        return error, splits

    told(0)
    for i in range(1, tree.n_nodes):
        if tree.n_branches[i] > 0:
            price[i] = min(price[i], price[tree.parent[i]])
    return np.where(tree.n_branches > 0, np.maximum(price, 0.0), -np.inf)
