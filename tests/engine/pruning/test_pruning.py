"""Pruning: the kernel against exact arithmetic, the methods against their definitions and scikit-learn."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

from engine.growing import grow
from engine.pruning import METHODS, chosen_by_validation
from engine.pruning.cost_complexity import NO_FOLD, SOME_FOLDS, folds_of, representative_alphas, with_validation_se
from engine.pruning.options import Options
from engine.pruning.result import Pruning, prune
from engine.pruning.sequence import Step, smallest_best
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.splits import Split
from engine.table.partition import further_seed
from engine.table.table import Table
from engine.tree.kernels.structure import weakest_links
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree
from tests import naive_pruning as naive
from tests.conftest import ROOT
from tests.engine.pruning.small_trees import arrays, children_of, costed, halved, noisy, staircase, with_ancestors

SEQUENCES = ("cost_complexity", "reduced_error", "greedy_validation", "growth")  # methods whose steps end at the root

# -- the kernel, on shapes and costs that no table would give


def kernel(children, cost, locked=frozenset()):
    parent, n_branches = arrays(children)
    is_locked = np.isin(np.arange(len(children)), list(locked))
    return weakest_links(np.array(cost, float), parent, n_branches, is_locked)


def shown(children, alpha_of, alpha):
    """The leaves once everything with a link of at most alpha is gone."""
    parent, _ = arrays(children)
    gone = alpha_of <= alpha
    return frozenset(v for v in range(len(children)) if gone[v] and (v == 0 or not gone[parent[v]]))


@given(costed())
def test_links_are_those_of_the_books_procedure(tree):
    children, cost = tree
    path = naive.breiman(children, cost)
    alpha_of = kernel(children, cost)
    found = np.unique(alpha_of[np.isfinite(alpha_of)])
    assert np.allclose(found, [float(alpha) for alpha, _ in path[1:]], rtol=1e-13, atol=0)
    for alpha, (_, leaves) in zip(found, path[1:], strict=True):
        assert shown(children, alpha_of, alpha) == leaves


@given(costed(), st.fractions(-4, 4, max_denominator=7))
def test_links_give_the_smallest_of_the_cheapest_prunings_at_every_price(tree, alpha):
    children, cost = tree
    near = kernel(children, cost)
    # a link that equals alpha in exact arithmetic may be a rounding away from it
    near = np.where(np.isfinite(near) & np.isclose(near, float(alpha), rtol=1e-12, atol=0), float(alpha), near)
    assert shown(children, near, float(alpha)) == naive.cheapest(children, cost, alpha)


@given(costed())
def test_the_point_at_zero_is_reduced_error_pruning(tree):
    children, cost = tree
    errors, leaves = naive.reduced_error(children, cost)
    assert shown(children, kernel(children, cost), 0.0) == leaves
    assert errors == min(naive.charge(pruned, cost, Fraction(0)) for pruned in naive.prunings(children))


@given(costed(), st.data())
def test_locked_splits_and_those_above_them_stay(tree, data):
    children, cost = tree
    splits = [v for v, below in enumerate(children) if below]
    locked = with_ancestors(children, data.draw(st.sets(st.sampled_from(splits)) if splits else st.just(set())))
    alpha_of = kernel(children, cost, locked)
    assert all(np.isposinf(alpha_of[v]) for v in locked)
    for alpha in (-1.5, 0.0, 2.25):
        assert shown(children, alpha_of, alpha) == naive.cheapest(children, cost, Fraction(alpha), locked)


def test_rounding_does_not_part_a_tie():
    # 0.1 + 0.2 > 0.3 in floating point: the split seems to cost more than the leaf, but is a tie
    assert kernel([[1, 2], [], []], [0.3, 0.1, 0.2])[0] == 0.0


def test_a_staircase_of_any_depth_has_its_links():
    depth = 20_000
    parent, n_branches = staircase(depth)
    cost = np.zeros(2 * depth + 1)
    cost[0::2] = np.arange(depth, -1, -1.0) ** 2  # the deeper the cheaper, and each step gains less
    alpha = weakest_links(cost, parent, n_branches, np.zeros(len(cost), bool))
    steps = alpha[0:-1:2]
    assert np.array_equal(steps, 2 * np.arange(depth, 0, -1.0) - 1)


# -- real tables


@pytest.mark.parametrize("task", ["classes", "number"])
def test_steps_tell_the_errors_of_their_trees(task):
    table = noisy(task=task).with_partition(validation=0.4)
    tree = halved(table, ["a", "b"], 5)
    for method in SEQUENCES:
        cut = prune(table, tree, method)
        assert [step.leaves for step in cut.steps] == sorted({step.leaves for step in cut.steps}, reverse=True)
        assert (cut.steps[0].leaves, cut.steps[-1].leaves) == (32, 1)
        for i, step in enumerate(cut.steps):
            pruned = cut.tree(i)
            assert step.leaves == pruned.n_leaves
            assert step.train_error == pytest.approx(pruned.error("train"), rel=1e-9)
            assert step.validation_error == pytest.approx(pruned.error("validation"), rel=1e-9)
            assert np.isnan(step.cv_error)


def test_cost_complexity_prices_are_at_least_zero_and_rise():
    table = noisy()
    cut = prune(table.with_partition(validation=0.4), halved(table, ["a", "b"], 5))
    alphas = np.array([step.alpha for step in cut.steps])
    assert alphas[0] == 0.0
    assert np.all(alphas >= 0) and np.all(np.diff(alphas[1:]) > 0)


@given(st.integers(0, 10**6), st.integers(2, 40), st.sampled_from(["classes", "number"]))
def test_reduced_error_is_the_classic_bottom_up_rule(seed, n_validation, task):
    """Small tables, few validation rows: empty nodes and ties everywhere."""
    rng = np.random.default_rng(seed)
    n = 60
    target = rng.integers(0, 3, n)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "t": target, "w": rng.integers(1, 4, n)})
    frame["fold"] = np.where(np.arange(n) < n - n_validation, "train", "validation")
    frame.loc[:2, "t"] = [0, 1, 2]
    kind = "number" if task == "number" else "nominal"
    table = Table.from_frame(frame, target="t", weights="w", kinds={"t": kind}).with_partition(column="fold")
    tree = halved(table, ["a", "b"], 4)
    cost = [Fraction(c).limit_denominator(10**9) for c in tree.costs("validation").tolist()]
    cut = prune(table, tree, "reduced_error")
    _, leaves = naive.reduced_error(children_of(tree), cost)
    chosen = cut.tree(cut.chosen)
    assert set(chosen.ids[chosen.leaves].tolist()) == {int(tree.ids[v]) for v in leaves}
    assert cut.steps[cut.chosen].alpha <= 0
    assert all(step.alpha > 0 for step in cut.steps[cut.chosen + 1 :])


def test_reduced_error_needs_validation_rows():
    table = noisy()
    with pytest.raises(InputError, match=r"(?i)needs validation rows: set some rows aside"):
        prune(table, halved(table, ["a"], 2), "reduced_error")


def test_hand_made_splits_stay_when_asked():
    table = noisy().with_partition(validation=0.4)
    tree = halved(table, ["b", "a"], 4)
    kept = tree.position(5)
    by_hand = np.arange(tree.n_nodes) == kept
    tree = replace(tree, nodes=tree.nodes._replace(by_hand=by_hand))
    above = sum(bool(tree.end[i] > kept) for i in range(kept))
    for method in SEQUENCES:
        smallest = prune(table, tree, method, keep_by_hand=True).tree(-1)
        assert smallest.n_branches[smallest.position(5)] == 2
        assert smallest.n_leaves == above + 2
        assert prune(table, tree, method).tree(-1).n_leaves == 1


def test_a_single_leaf_is_its_own_sequence():
    table = noisy().with_partition(validation=0.4)
    for method in METHODS:
        cut = prune(table, Tree.root(table), method)
        assert [step.leaves for step in cut.steps] == [1]
        assert cut.chosen == 0
        assert cut.tree(0).n_nodes == 1


def test_multiway_splits_are_one_link():
    table = noisy()
    tree = Tree.root(table).split(table, 0, Split("c", "groups", groups=(("x",), ("y",), ("z",))))
    cut = prune(table.with_partition(validation=0.4), tree)
    assert [step.leaves for step in cut.steps] == [3, 1]
    rise = cut.steps[1].train_error - cut.steps[0].train_error
    assert cut.steps[1].alpha == pytest.approx(rise / 2)


def test_a_tree_is_counted_again_on_another_partition():
    table = noisy()
    tree = halved(table, ["a"], 3)
    cut = prune(table.with_partition(validation=0.4), tree, "reduced_error")
    assert cut.full.rows_validation[0] == 160


def test_unusable_requests_say_what_can_be_asked():
    table = noisy()
    tree = Tree.root(table)
    with pytest.raises(InputError, match="“magic”; choose one of cost_complexity, reduced_error"):
        prune(table, tree, "magic")
    with pytest.raises(InputError, match="1 folds are too few"):
        prune(table, tree, folds=1)
    for folds in ("3", None, 2.5, [0.5] * table.n_rows):
        with pytest.raises(InputError, match=r"folds cannot be .*; give a whole number, or one for each row"):
            prune(table, tree, folds=folds)
    with pytest.raises(IndexError):
        prune(table.with_partition(validation=0.4), tree).tree(1)


def test_fewer_leaves_win_a_tie_of_errors():
    assert smallest_best(np.array([0.2, 0.1, 0.1 + 1e-17, 0.3])) == 2
    assert smallest_best(np.array([np.nan, np.nan])) == 0


@pytest.mark.parametrize("seed", range(3))
def test_path_of_scikit_learn_is_reproduced(seed):
    """Its path is by impurity, which for squared error is the risk."""
    rng = np.random.default_rng(seed)
    rows, y = rng.normal(size=(300, 4)).astype(np.float32), rng.normal(size=300)
    model = DecisionTreeRegressor(random_state=0, max_depth=7).fit(rows, y)
    path = model.cost_complexity_pruning_path(rows, y)
    table = Table.from_frame(pd.DataFrame(rows, columns=list("abcd")).assign(t=y), target="t")
    tree = grow(table, max_depth=7)
    assert tree.n_leaves == model.get_n_leaves()
    steps = prune(table, tree, folds=2).steps
    assert np.allclose([step.alpha for step in steps], path.ccp_alphas, rtol=1e-9, atol=1e-15)
    assert np.allclose([step.train_error for step in steps], path.impurities, rtol=1e-9)


@pytest.mark.parametrize("method", SEQUENCES)
def test_a_fully_grown_tree_is_cut_to_what_holds(method):
    table = noisy(n=600).with_partition(validation=0.4)
    tree = grow(table)
    cut = prune(table, tree, method)
    chosen = cut.tree(cut.chosen)
    assert tree.error("train") == 0.0
    assert chosen.n_leaves < tree.n_leaves / 5
    assert chosen.error("validation") < tree.error("validation") - 0.02


# -- cross-validation


def test_folds_are_even_and_stratified():
    table = noisy(n=203).with_partition(test=0.2)
    [fold] = folds_of(table, Options(folds=5, seed=3))
    train = table.rows(0)
    assert np.array_equal(np.flatnonzero(fold >= 0), train)
    assert np.ptp(np.bincount(fold[train])) <= 1
    for k in range(len(table.classes)):
        assert np.ptp(np.bincount(fold[train][table.y[train] == k], minlength=5)) <= 1
    assert not np.array_equal(fold, folds_of(table, Options(folds=5, seed=4))[0])


def test_prices_between_the_steps():
    nan = float("nan")
    steps = [Step(5, nan, nan, 0.0), Step(3, nan, nan, 0.01), Step(1, nan, nan, 0.04)]
    assert np.allclose(representative_alphas(steps), [0.0, 0.02, np.inf])
    idle = [Step(5, nan, nan, 0.0), Step(3, nan, nan, 0.0), Step(2, nan, nan, 0.04)]
    assert np.allclose(representative_alphas(idle), [-1.0, 0.0, 0.04])


@pytest.mark.parametrize("task", ["classes", "number"])
def test_cross_validation_chooses_without_validation_rows(task):
    table = noisy(task=task)
    tree = grow(table, min_leaf=2)
    cut = prune(table, tree, folds=5)
    errors = np.array([step.cv_error for step in cut.steps])
    assert np.isfinite(errors).all()
    assert all(step.cv_se > 0 for step in cut.steps)
    assert cut.chosen == smallest_best(errors)
    assert 1 < cut.steps[cut.chosen].leaves < tree.n_leaves / 3  # the data has a few steps and much noise
    assert prune(table, tree, folds=5).steps == cut.steps
    # the root alone is as wrong as guessing without any column
    root = Tree.root(table)
    assert errors[-1] == pytest.approx(root.error("train"), rel=0.05)


@pytest.mark.parametrize("weights", [None, "w"])
def test_cross_validation_is_what_its_definition_says(weights):
    """Each fold by hand: rows divided, tree grown, pruned to the price, judged."""
    rng = np.random.default_rng(1)
    made = noisy(n=150).to_frame().assign(w=rng.integers(1, 4, 150))
    table = Table.from_frame(made, target="t", weights=weights, roles={"w": "ignore"})
    tree = grow(table, max_depth=4)
    steps = prune(table, tree, folds=4, seed=9).steps
    [fold], prices = folds_of(table, Options(folds=4, seed=9)), representative_alphas(steps)
    wrong, total, counted = np.zeros((4, len(steps))), np.zeros(4), np.zeros(4)
    for k in range(4):
        roles = {"w": "weight" if weights else "ignore", "part": "partition"}
        frame = made.assign(part=np.where(fold == k, "validation", "train"))
        divided = Table.from_frame(frame, target="t", roles=roles).with_partition(column="part")
        cut = prune(divided, grow(divided, max_depth=4))
        held = np.flatnonzero(fold == k)
        w = made.w.to_numpy()[held] if weights else np.ones(len(held))
        total[k], counted[k] = w.sum(), len(held)
        for i, price in enumerate(prices):
            reached = 0 if price < 0 else max(j for j, step in enumerate(cut.steps) if step.alpha <= price)
            wrong[k, i] = w @ (cut.tree(reached).predict(made.iloc[held]) != made.t.to_numpy()[held])
    assert np.allclose([step.cv_error for step in steps], wrong.sum(axis=0) / total.sum())
    share = wrong.sum(axis=0) / total.sum()  # of rows that are wrong or right
    assert np.allclose([step.cv_se for step in steps], np.sqrt(share * (1 - share) / counted.sum()))


def test_repeats_are_the_mean_of_their_deals_and_make_no_new_rows():
    table = noisy(n=150)
    tree = grow(table, max_depth=4)
    steps = prune(table, tree, folds=4, seed=9, repeats=3).steps
    alone = [prune(table, tree, folds=4, seed=further_seed(9, i)).steps for i in range(3)]
    mean = np.mean([[step.cv_error for step in each] for each in alone], axis=0)
    assert np.allclose([step.cv_error for step in steps], mean)
    assert np.allclose([step.cv_se for step in steps], np.sqrt(mean * (1 - mean) / 150))
    with pytest.raises(InputError, match="repeats cannot be 0"):
        prune(table, tree, repeats=0)


@pytest.mark.parametrize("method", ["cost_complexity", "greedy_validation"])
@pytest.mark.parametrize("target", ["t", "x"])
def test_the_standard_error_of_a_validation_error_is_that_of_its_rows(method, target):
    """Row by row, with weights."""
    made = noisy(n=150).to_frame()
    made = made.assign(w=np.random.default_rng(2).integers(1, 4, 150), x=made.iloc[:, 0].astype(float) + 0.5)
    table = Table.from_frame(made, target=target, weights="w").with_partition(validation=0.4)
    if METHODS[method].classes_only and table.task == "number":
        return
    cut = prune(table, grow(table, max_depth=4), method)
    assert all(np.isnan(step.validation_se) for step in cut.steps)
    found = with_validation_se(table, cut)
    held = table.rows(1)
    weight = table.weights[held]
    for i, step in enumerate(found.steps):
        said, is_so = cut.tree(i).predict(made.iloc[held]), made[target].to_numpy()[held]
        loss = (said != is_so).astype(float) if table.task == "classes" else (said - is_so) ** 2
        variance = np.average(loss**2, weights=weight) - np.average(loss, weights=weight) ** 2
        assert step.validation_se == pytest.approx(np.sqrt(max(variance, 0) / held.size), abs=1e-9)
    assert [step[:-1] for step in found.steps] == [step[:-1] for step in cut.steps]


def test_a_stop_keeps_the_sequence():
    table = noisy()
    tree = grow(table)
    progress = Progress()
    progress.stop()
    for cut in (prune(table, tree, progress=progress), prune(table, tree, "srm", judge="folds", progress=progress)):
        assert isinstance(cut, Pruning)
        assert cut.steps[-1].leaves == 1
        assert np.isnan(cut.steps[0].cv_error)
        assert (cut.chosen, cut.least, cut.remark) == (0, None, NO_FOLD)


def test_a_stop_between_folds_keeps_the_finished_ones():
    table = noisy()
    tree = grow(table)
    progress = Progress(lambda done, text: progress.stop() if text.startswith("Fold 3") else None)
    cut = prune(table, tree, folds=5, progress=progress)
    errors = [step.cv_error for step in cut.steps]
    assert np.isfinite(errors).all()
    assert cut.least == cut.chosen
    assert cut.remark == SOME_FOLDS
    assert errors != [step.cv_error for step in prune(table, tree, folds=5).steps]


def test_the_names_of_the_methods_cost_no_compiler():
    """Menus list them while the window comes up."""
    code = "import sys, engine.pruning; sys.exit(bool({'numba', 'pandas'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_cross_validation_says_that_it_regrew_splits_made_by_hand():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=120), "b": random.normal(size=120)})
    frame["y"] = np.where(frame.a + random.normal(size=120) > 0, "p", "q")
    table = Table.from_frame(frame, target="y")
    by_hand = Tree.root(table).split(table, 0, Split("b", "threshold", (0.0,)))
    assert "hand-made splits themselves were not cross-validated" in prune(table, by_hand, folds=3).remark
    assert prune(table, by_hand.collapse(0), folds=3).remark == ""
    assert prune(table, grow(table, max_depth=2), folds=3).remark == ""
    validated = table.with_partition(validation=0.3)  # these rows judge the splits themselves
    assert prune(validated, by_hand).remark == ""
    progress = Progress()
    progress.stop()
    assert prune(table, by_hand, folds=3, progress=progress).remark == NO_FOLD


def test_folds_err_as_the_leaves_do_whatever_the_tree_was_grown_with():
    table = noisy(3)
    rule = {"costs": (("no", "yes", 5.0),), "priors": (("no", 0.2), ("yes", 0.8))}
    grown = grow(table, min_leaf=5, **rule)
    changed = grow(table, min_leaf=5).with_leaf_rule(table, LeafRule(**rule))
    assert prune(table, changed, folds=4).steps == prune(table, grown, folds=4).steps


def test_folds_that_weigh_nothing_are_left_out():
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"a": random.normal(size=40), "y": random.choice(["u", "v"], 40), "w": 0.0})
    frame.loc[:2, "w"], frame.loc[:2, "y"] = 1.0, ["u", "v", "u"]
    table = Table.from_frame(frame, target="y", weights="w")
    steps = prune(table, grow(table), folds=10).steps
    assert all(np.isfinite(step.cv_error) for step in steps)


def test_without_a_fold_that_weighs_anything_nothing_is_judged():
    frame = pd.DataFrame({"a": [1, 2, 3, 4, 5, 6], "y": list("uvuvvw")})
    table = Table.from_frame(frame, target="y")
    tree = grow(table, priors={"u": 0, "v": 0, "w": 1})
    assert prune(table, tree, folds=2).chosen >= 0


# -- which methods look at validation rows

TOLD = [(name, {}) for name in METHODS if name != "by_rule"] + [
    ("cost_complexity", {"judge": "folds"}),
    ("srm", {"judge": "validation"}),
    ("srm", {"judge": "folds"}),
    ("srm", {"judge": "validation", "max_errors": 60}),
    ("generic", {"estimate": "mdl_bound"}),
    ("generic", {"estimate": "pessimistic"}),
    ("by_rule", {"min_leaf": (10,)}),
    ("by_rule", {"min_leaf": (10,), "min_validation_gain": 0.0}),
]


@pytest.mark.parametrize(("method", "options"), TOLD)
def test_the_methods_that_are_said_to_look_at_validation_rows_do_and_no_others(method, options):
    random = np.random.default_rng(5)
    n = 240
    frame = pd.DataFrame({name: random.integers(0, 12, n) for name in "abc"})
    frame["y"] = np.where(frame.a + random.normal(0, 3, n) > 6, "yes", "no")
    held = np.flatnonzero(random.random(n) < 0.4)
    part = np.where(np.isin(np.arange(n), held), "validation", "train")
    tree = grow(Table.from_frame(frame.assign(part=part), target="y").with_partition(column="part"), max_depth=5)
    chosen = set()
    for seed in range(6):  # the same training rows, other answers of the validation rows
        other = frame.copy()
        other.loc[held, "y"] = np.random.default_rng(seed).choice(["yes", "no"], len(held))
        told = Table.from_frame(other.assign(part=part), target="y").with_partition(column="part")
        found = prune(told, tree, method, **options)
        best = found.tree(found.chosen)
        chosen.add(tuple(best.ids[best.n_branches > 0].tolist()))
    assert (len(chosen) > 1) is chosen_by_validation(method, options)
