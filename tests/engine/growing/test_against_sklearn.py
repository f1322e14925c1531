"""scikit-learn as the judge: its trees are met node by node, up to exact ties.

Of equally good splits scikit-learn takes one by its seed, or by the rounding of its sums. So where two trees part, both
splits are weighed again in exact fractions and have to be equal. Another criterion is judged by its line in `JUDGED`.
"""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from tests import naive_tree
from tests.effort import examples, pairs

JUDGED = [("classes", "gini"), ("classes", "entropy"), ("number", "squared_error"), ("number", "absolute_error")]
every_criterion = pytest.mark.parametrize(("task", "criterion"), JUDGED)

WORDS = {"min_rows": "min_samples_split", "min_leaf": "min_samples_leaf", "max_leaves": "max_leaf_nodes"}


class Judged:
    """The same rows as both programs take them: whole numbers, so that float32 holds them and no two are too close."""

    def __init__(self, task, *, n, d=4, seed=0, values=None, weighted=False, gaps=0.0, n_classes=3):
        random = np.random.default_rng(seed)
        draw = (lambda: random.permutation(n)) if values is None else (lambda: random.integers(0, values, n))
        self.x = np.stack([draw() for _ in range(d)], axis=1).astype(float)
        spread = self.x.max() + 1.0
        score = self.x[:, 0] + np.abs(2 * self.x[:, 1] - spread) + spread / 3 * random.normal(size=n)
        self.x[random.random(self.x.shape) < gaps] = np.nan
        ranks = np.argsort(np.argsort(score))
        self.y = ranks * n_classes // n if task == "classes" else np.round(100 * score / spread)
        self.w = random.integers(0, 4, n) if weighted else np.ones(n, int)
        self.w[np.unique(self.y, return_index=True)[1]] = 1  # so that no class is without weight
        self.task, self.seed, self.n_classes = task, seed, n_classes if task == "classes" else None

    def table(self):
        frame = pd.DataFrame(self.x, columns=[f"x{j}" for j in range(self.x.shape[1])])
        frame = frame.assign(y=self.y, w=self.w)
        kinds = {**dict.fromkeys(frame.columns, "number"), "y": "nominal" if self.task == "classes" else "number"}
        return engine.Table.from_frame(frame, target="y", kinds=kinds, weights="w")

    def judge(self, criterion, **options):
        """scikit-learn's tree by our words."""
        said = {WORDS.get(name, name): value for name, value in options.items() if name != "order"}
        kind = DecisionTreeClassifier if self.task == "classes" else DecisionTreeRegressor
        return kind(criterion=criterion, random_state=self.seed, **said).fit(
            self.x.astype(np.float32), self.y, sample_weight=self.w
        )

    def left_of_judge(self, tree, k, rows):
        """bool[rows]: what scikit-learn's node k sends to the left."""
        values = self.x[rows, tree.feature[k]]
        return np.where(np.isnan(values), tree.missing_go_to_left[k] == 1, values <= tree.threshold[k])

    def left_of(self, split, rows):
        values = self.x[rows, int(split.column[1:])]
        return np.where(np.isnan(values), split.missing == 0, values <= split.thresholds[0])

    def merit(self, criterion, rows, left):
        pairs = [[(self.y[r].item(), self.w[r].item()) for r in part] for part in (rows[left], rows[~left])]
        return naive_tree.merit(criterion, pairs, self.n_classes)[0]

    def weighty(self):
        return np.flatnonzero(self.w > 0)


def same_or_tied(judged, criterion, rows, split, tree, k):
    """ "same": column and rows; "tied": another split of exactly the same gain; fails for anything else.

    The judge refuses a split that gains nothing when its rounding makes that less than nothing.
    """
    if tree.feature[k] < 0:
        assert judged.merit(criterion, rows, judged.left_of(split, rows)) == 0
        return "tied"
    ours, theirs = judged.left_of(split, rows), judged.left_of_judge(tree, k, rows)
    if split.column == f"x{tree.feature[k]}" and (ours == theirs).all():
        assert split.thresholds[0] == pytest.approx(tree.threshold[k], rel=1e-9)
        return "same"
    gains = judged.merit(criterion, rows, ours), judged.merit(criterion, rows, theirs)
    assert abs(gains[0] - gains[1]) <= (1e-12 if criterion == "entropy" else 0)
    return "tied"


def walk_together(judged, criterion, tree, judge):
    """How many nodes are the same, how many end at a tie; below a tie both look at other rows."""
    count, stack = Counter(), [(0, 0, judged.weighty())]
    while stack:
        i, k, rows = stack.pop()
        split = tree.split_at(i)
        assert tree.rows_train[i] == rows.size == judge.n_node_samples[k]
        if split is None:
            assert judge.feature[k] < 0
            count["leaf"] += 1
            continue
        found = same_or_tied(judged, criterion, rows, split, judge, k)
        count[found] += 1
        if found == "same":
            left, (first, second) = judged.left_of(split, rows), tree.children(i)
            stack += [(first, judge.children_left[k], rows[left]), (second, judge.children_right[k], rows[~left])]
    return count


LIMITS = [({"max_depth": 3}, 7), ({"max_depth": 7}, 50), ({}, 125), ({"min_leaf": 9, "min_rows": 30}, 30)]


@pytest.mark.parametrize(
    ("judge", "weighted", "gaps", "limits"), pairs(JUDGED, (False, True), (0.0, 0.15), LIMITS), ids=str
)
def test_the_same_tree(judge, weighted, gaps, limits):
    (task, criterion), (options, least) = judge, limits
    judged = Judged(task, n=900, d=5, seed=2, weighted=weighted, gaps=gaps)
    tree = engine.grow(judged.table(), criterion=criterion, **options)
    judge = judged.judge(criterion, **options)
    count = walk_together(judged, criterion, tree, judge.tree_)
    assert count["same"] >= least
    assert count["same"] > 1.5 * count["tied"]
    if count["tied"] == 0:
        assert (tree.n_leaves, tree.depth) == (judge.get_n_leaves(), judge.get_depth())


SMALL = st.fixed_dictionaries(
    {},
    optional={"min_rows": st.integers(2, 9), "min_leaf": st.integers(1, 5), "max_depth": st.integers(1, 6)},
)


@examples(120)
@every_criterion
@given(
    seed=st.integers(0, 10**6), n=st.integers(8, 60), values=st.sampled_from([None, 3, 12]), weighted=st.booleans(),
    gaps=st.sampled_from([0.0, 0.3]), options=SMALL,
)  # fmt: skip
def test_every_node_of_the_judge_is_a_best_split_of_ours(task, criterion, seed, n, values, weighted, gaps, options):
    """Its choices are forced on our tree, so that none of its nodes goes unjudged; ours ends where it does."""
    judged = Judged(task, n=n, d=3, seed=seed, values=values, weighted=weighted, gaps=gaps)
    table, judge = judged.table(), judged.judge(criterion, **options).tree_
    tree, stack = engine.Tree.root(table), [(0, 0, 0, judged.weighty())]
    while stack:
        node, k, depth, rows = stack.pop()
        best = engine.candidates(table, tree, node, criterion=criterion, min_leaf=options.get("min_leaf", 1))[0]
        if judge.feature[k] < 0:
            closed = rows.size < max(options.get("min_rows", 2), 2 * options.get("min_leaf", 1))
            pure = len(set(judged.y[rows])) == 1
            if not (closed or pure or depth == options.get("max_depth") or best.split is None):
                same_or_tied(judged, criterion, rows, best.split, judge, k)
            continue
        same_or_tied(judged, criterion, rows, best.split, judge, k)
        left = judged.left_of_judge(judge, k, rows)
        missing = int(not judge.missing_go_to_left[k])
        split = engine.Split(f"x{judge.feature[k]}", "threshold", (float(judge.threshold[k]),), missing=missing)
        tree = tree.split(table, node, split)
        first, second = (int(tree.ids[child]) for child in tree.children(tree.position(node)))
        stack += [(first, judge.children_left[k], depth + 1, rows[left])]
        stack += [(second, judge.children_right[k], depth + 1, rows[~left])]


@every_criterion
@pytest.mark.parametrize("weighted", [False, True])
def test_best_first_as_with_max_leaf_nodes(task, criterion, weighted):
    """The sequence of steps: after each the impurity that is left is the same, and at the end the whole tree."""
    judged = Judged(task, n=1200, seed=5, weighted=weighted)
    table, total = judged.table(), judged.w.sum()
    for leaves in (2, 3, 4, 5, 8, 13, 21, 34):
        tree = engine.grow(table, criterion=criterion, order="best_first", max_leaves=leaves)
        judge = judged.judge(criterion, max_leaves=leaves).tree_
        ours, theirs = left_over(tree, criterion), left_over_of_judge(judge)
        assert ours / total == pytest.approx(theirs / total, rel=1e-9)
        assert walk_together(judged, criterion, tree, judge) == {"same": leaves - 1, "leaf": leaves}


def left_over(tree, criterion):
    """Σ weight · impurity of the leaves."""
    if criterion == "absolute_error":
        return tree.loss() * tree.weight("train")[0]
    if tree.task == "number":
        return tree.train[tree.leaves, 2].sum()
    return sum(engine.impurity(criterion, stat) * stat.sum() for stat in tree.train[tree.leaves])


def left_over_of_judge(judge):
    leaves = judge.feature < 0
    return (judge.weighted_n_node_samples * judge.impurity)[leaves].sum()


@every_criterion
def test_it_says_what_the_judge_says(task, criterion):
    """Of new rows too, where no node is a tie: every threshold and every label or mean is the same."""
    judged, new = (Judged(task, n=1200, seed=seed) for seed in (5, 6))
    tree = engine.grow(judged.table(), criterion=criterion, max_depth=4)
    judge = judged.judge(criterion, max_depth=4)
    frame = pd.DataFrame(new.x, columns=[f"x{j}" for j in range(new.x.shape[1])])
    assert walk_together(judged, criterion, tree, judge.tree_)["tied"] == 0
    if task == "classes":
        assert tree.predict(frame).tolist() == [str(label) for label in judge.predict(new.x.astype(np.float32))]
        np.testing.assert_allclose(tree.predict_proba(frame), judge.predict_proba(new.x.astype(np.float32)), atol=1e-12)
    else:
        np.testing.assert_allclose(tree.predict(frame), judge.predict(new.x.astype(np.float32)), rtol=1e-9)
