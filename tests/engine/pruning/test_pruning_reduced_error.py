"""Reduced-error pruning: the worked example of the notes, and what it tells of every node.

That it is the bottom-up rule and the smallest of the most accurate prunings: see test_pruning.
"""

import numpy as np
import pandas as pd

from engine.growing import grow
from engine.pruning.result import prune
from engine.splits import Split
from engine.table.table import Table
from engine.tree.tree import Tree
from tests import naive_pruning as naive
from tests.engine.pruning.small_trees import children_of, noisy

# (X1, X3, X4, X6, label, rows of S1, rows of S2). At X4 they are those of the lecture notes (12.2.1), which end there:
# in S2 two rows reach the left leaf, both of class 1, and three the right one, two of class 1 and one of class 0; in S1
# three rows of X4 are of class 1 and one of class 0. The figures 12.5 and 12.6 are not in the text; the other rows are
# such that X6 and X3 are pruned as the text says, X3 only with the counts that are changed by the cut at X4.
ROWS = [
    (1, 1, 0, 0, 1, 3, 2),
    (1, 1, 1, 0, 1, 0, 2),
    (1, 1, 1, 0, 0, 1, 1),
    (1, 0, 0, 0, 0, 1, 1),
    (1, 0, 0, 0, 1, 0, 1),
    (0, 0, 0, 0, 0, 3, 2),
    (0, 0, 0, 1, 1, 1, 0),
    (0, 0, 0, 1, 0, 0, 1),
]


def example():
    """The table, and the tree of figure 12.5: X1 above X6 and X3, X4 on the right below X3."""
    lines = []
    for *values, label, n_train, n_validation in ROWS:
        lines += [(*values, label, "train")] * n_train + [(*values, label, "validation")] * n_validation
    frame = pd.DataFrame(lines, columns=["X1", "X3", "X4", "X6", "label", "part"])
    frame["label"] = frame["label"].astype(str)
    table = Table.from_frame(frame, target="label").with_partition(column="part")
    tree, at = Tree.root(table), {}
    for column, above, branch in (("X1", "", 0), ("X6", "X1", 0), ("X3", "X1", 1), ("X4", "X3", 1)):
        node = int(tree.ids[tree.children(tree.position(at[above]))[branch]]) if above else 0
        tree = tree.split(table, node, Split(column, "threshold", (0.5,)))
        at[column] = node
    return table, tree, at


def test_the_worked_example_of_the_notes():
    table, tree, at = example()
    errors, said = tree.costs("validation"), tree.labels
    x4 = tree.position(at["X4"])
    left, right = tree.children(x4)
    assert tree.rows_validation[[x4, left, right]].tolist() == [5, 2, 3]
    assert tree.validation[left].tolist() == [0, 2]
    assert tree.validation[right].tolist() == [1, 2]
    assert [tree.classes[said[i]] for i in (left, right)] == ["1", "0"]
    assert tree.train[x4].tolist() == [1, 3]
    assert errors[left] + errors[right] == 2  # “the subtree error is therefore 2”
    assert (errors[x4], tree.classes[said[x4]]) == (1, "1")  # “the error of X4 as a pruned leaf is 1”
    pruning = prune(table, tree, "reduced_error")
    chosen = pruning.tree(pruning.chosen)
    assert chosen.ids[chosen.n_branches > 0].tolist() == [at["X1"]]  # X4, X6 and X3 are leaves
    said = [pruning.verdicts.words(tree.position(at[name])) for name in ("X4", "X3", "X6", "X1")]
    assert said == [
        "Errors among the validation rows: 1 as a leaf, 2 with its branches.",
        "Errors among the validation rows: 2 as a leaf, 2 with its branches.",  # 3 before X4 was pruned; ties go
        "Errors among the validation rows: 0 as a leaf, 1 with its branches.",
        "Errors among the validation rows: 5 as a leaf, 2 with its branches.",
    ]


def test_verdicts_are_what_the_bottom_up_rule_compares():
    for task in ("classes", "number"):
        table = noisy(n=300, task=task).with_partition(validation=0.4)
        tree = grow(table, min_leaf=10)
        pruning = prune(table, tree, "reduced_error")
        children, cost = children_of(tree), tree.costs("validation").tolist()
        for v in np.flatnonzero(tree.n_branches):
            stay = sum(naive.reduced_error(children, cost, child)[0] for child in children[v])
            assert np.isclose(pruning.verdicts.branch[v], stay)
            assert np.isclose(pruning.verdicts.leaf[v], cost[v])
    assert prune(table, tree, "reduced_error").verdicts.words(0).startswith("Sum of squared errors among the ")
