"""A table that is only counted gives the candidates, curves, edits, prunings and figures of the same rows in memory."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import engine
from engine.criteria import CRITERIA
from engine.pruning import why_not
from engine.pruning.cost_complexity import with_validation_se
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.sources.coded import Coded
from engine.sources.counted import CountedTable
from engine.table.partition import VALIDATION
from tests.effort import examples
from tests.engine.sources.test_growing import CASES, fitting, frames, has_several, in_memory
from tests.same_trees import assert_same

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it

FEW = examples(12, 5)


def both(seed, n, lacking, task):
    """The rows in memory, and the same counted; None where the target has one value."""
    table, _ = in_memory(frames(seed, n, lacking, task))
    table = table.with_partition(validation=0.3 if seed % 3 and n > 8 else 0.0, seed=seed)
    return (table, CountedTable.of(Coded(table))) if has_several(table) else None


def close(found, expected):
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(expected, float), rtol=1e-9, atol=1e-9)


def assert_same_candidate(found, expected):
    assert (found.column, found.split, found.rows, found.missing, found.reason) == (
        expected.column, expected.split, expected.rows, expected.missing, expected.reason
    )  # fmt: skip
    if expected.split is None:
        return
    close(found.gain, expected.gain)
    close(found.train, expected.train)
    close(found.validation, expected.validation)
    close(np.nan_to_num(found.validation_gain), np.nan_to_num(expected.validation_gain))
    assert found.scores.keys() == expected.scores.keys()
    for name in [name for name in expected.scores if not CRITERIA[name].by_evidence]:  # these deal rows out anew
        close(found.scores[name], expected.scores[name])


@FEW
@CASES
def test_candidates_and_curves_are_those_of_memory(seed, n, lacking, task, options):
    made = both(seed, n, lacking, task)
    if made is None or fitting(made[0], options) is None:
        return
    table, counted = made
    options = {name: value for name, value in options.items() if name != "preset"}
    tree = engine.grow(table, max_depth=2)
    same = tree.with_counts(counted)
    for node in tree.ids.tolist():
        if not tree.rows_train[tree.position(node)]:
            continue
        try:
            found = engine.candidates(counted, same, node, **options)
        except InputError as error:
            assert "rows themselves" in str(error)
            return
        expected = engine.candidates(table, tree, node, **options)
        for one, other in zip(found, expected, strict=True):
            assert_same_candidate(one, other)
        name = expected[0].column
        curve, other = (engine.gain_curve(of, by, node, name, **options) for of, by in ((counted, same), (table, tree)))
        close(curve.gains, other.gains)
        assert curve.best == other.best and curve.cuts.tolist() == other.cuts.tolist()
        if expected[0].split is not None:
            by_hand = engine.weigh(counted, same, node, expected[0].split, **options)
            assert_same_candidate(by_hand, engine.weigh(table, tree, node, expected[0].split, **options))


@FEW
@CASES
def test_edits_prunings_and_figures_are_those_of_memory(seed, n, lacking, task, options):
    made = both(seed, n, lacking, task)
    if made is None:
        return
    table, counted = made
    tree, same = engine.grow(table, max_depth=3), engine.grow(counted, max_depth=3)
    assert_same(same, tree)
    assert same.columns == tree.columns
    inner = [int(node) for node in tree.ids[tree.n_branches > 0]]
    for node in inner[:2]:
        for split in [one.split for one in engine.candidates(table, tree, node) if one.split is not None][:2]:
            assert_same(same.replace_split(counted, node, split), tree.replace_split(table, node, split))
        assert_same(same.collapse(node), tree.collapse(node))
    if inner:
        below = engine.grow(counted, tree=same.collapse(inner[-1]), node=inner[-1], max_depth=5)
        assert_same(below, engine.grow(table, tree=tree.collapse(inner[-1]), node=inner[-1], max_depth=5))
    for method in ("pessimistic", "mdl", "reduced_error", "cost_complexity"):
        if why_not(method, table) or (method == "cost_complexity" and not table.n_validation):
            continue
        how = {"raising": False} if method == "pessimistic" else {}
        found, expected = (engine.prune(of, by, method=method, **how) for of, by in ((counted, same), (table, tree)))
        assert [step.leaves for step in found.steps] == [step.leaves for step in expected.steps]
        assert_same(found.tree(found.chosen), expected.tree(expected.chosen))
    for part in ("train", "validation")[: 1 + bool(table.n_validation)]:
        fit, other = engine.assess(counted, same, part), engine.assess(table, tree, part)
        close(fit.error, other.error)
        if task == "classes":
            np.testing.assert_array_equal(fit.confusion, other.confusion)
    pd.testing.assert_frame_equal(engine.leaf_report(counted, same), engine.leaf_report(table, tree))


@FEW
@CASES
def test_folds_of_a_table_of_codes_are_those_of_memory(seed, n, lacking, task, options):
    made = both(seed, n, lacking, task)
    if made is None:
        return
    how = {"folds": 2 + seed % 4, "repeats": 1 + seed % 2, "standard_errors": float(seed % 3), "judge": "folds"}
    how["measure"] = "impurity" if seed % 5 == 0 else "risk"
    found, expected = (engine.prune(of, engine.grow(of, max_depth=4), seed=seed, **how) for of in made[::-1])
    for name in ("leaves", "train_error", "validation_error", "alpha", "cv_error", "cv_se"):
        close(*([getattr(step, name) for step in of.steps] for of in (found, expected)))
    close([found.chosen, found.least, found.optimism], [expected.chosen, expected.least, expected.optimism])
    assert_same(found.tree(found.chosen), expected.tree(expected.chosen))


@FEW
@CASES
def test_splits_that_no_longer_divide_training_rows_are_left_out_as_in_memory(seed, n, lacking, task, options):
    made = both(seed, n, lacking, task)
    if made is None:
        return
    trees = [engine.grow(of, max_depth=4) for of in made]
    inner = [int(node) for node in trees[0].ids[trees[0].n_branches > 0]]
    for node in inner[:3]:
        for other in inner[:4]:  # one that stands below, or itself above: some of their branches get no rows
            split = trees[0].split_at(trees[0].position(other))
            kept, same = (tree.replace_split(of, node, split, "keep") for of, tree in zip(made, trees, strict=True))
            assert_same(same, kept)
            leaf = int(trees[0].ids[trees[0].leaves[0]])
            pasted, same = (tree.paste(of, leaf, tree.subtree(node)) for of, tree in zip(made, trees, strict=True))
            assert_same(same, pasted)
            assert same.marks == pasted.marks


@FEW
@CASES
def test_standard_errors_of_validation_rows_are_those_of_memory(seed, n, lacking, task, options):
    made = both(seed, n, lacking, task)
    if made is None or not made[0].n_validation:
        return
    prunings = [engine.prune(of, engine.grow(of, max_depth=4), standard_errors=1.0) for of in made]
    expected, found = (with_validation_se(*of) for of in zip(made, prunings, strict=True))
    assert found.chosen == expected.chosen
    close([step.validation_se for step in found.steps], [step.validation_se for step in expected.steps])
    assert not np.isnan(found.steps[0].validation_se)


@pytest.mark.parametrize("way", ["codes", "parquet", "sqlite"])
def test_powers_of_what_is_beyond_a_number_are_summed_by_leaf(tmp_path, way):
    frame = frames(5, 400, True, "number").drop(columns=["day", "odd", "flag"])
    frame["id"] = np.arange(400)
    frame.to_parquet(tmp_path / "rows.parquet")
    with sqlite3.connect(tmp_path / "rows.db") as connection:
        frame.to_sql("t", connection, index=False)
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "number"}).with_roles({"id": "group"})
    table = table.with_partition(validation=0.3)
    places = {"parquet": tmp_path / "rows.parquet", "sqlite": f"sqlite:///{tmp_path}/rows.db::t"}
    if way == "codes":
        counted = CountedTable.of(Coded(table))
    else:
        pytest.importorskip("ibis")
        counted = engine.read_counts(places[way], target="y", validation=0.3, key="id")
    tree = engine.grow(counted, max_depth=3)
    around, at = np.linspace(-1.0, 2.0, tree.n_leaves), tree.apply(table)
    found = counted.counter.moments(tree, around, 4)
    for j, leaf in enumerate(tree.leaves.tolist()):
        y = table.y[(at == tree.ids[leaf]) & (table.part == VALIDATION)] - around[j]
        close(found[:, j], [(y**k).sum() for k in range(5)])


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("way", ["codes", "parquet", "keyed", "sqlite"])
def test_test_rows_judge_as_in_memory(tmp_path, way, task):
    frame = frames(6, 400, True, task).drop(columns=["day", "odd", "flag"])
    frame["id"] = np.arange(400) // 2
    frame.to_parquet(tmp_path / "rows.parquet")
    with sqlite3.connect(tmp_path / "rows.db") as connection:
        frame.to_sql("t", connection, index=False)
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "number"} if task == "number" else {})
    table = table.with_roles({"id": "group"} if way in ("keyed", "sqlite") else {})
    table = table.with_partition(validation=0.2, test=0.3)
    if way == "codes":
        counted = CountedTable.of(Coded(table))
    else:
        pytest.importorskip("duckdb" if way != "sqlite" else "ibis")
        place = f"sqlite:///{tmp_path}/rows.db::t" if way == "sqlite" else tmp_path / "rows.parquet"
        key = None if way == "parquet" else "id"
        counted = engine.read_counts(place, target="y", validation=0.2, test=0.3, key=key)
        counted = counted.with_roles({"id": "ignore"}) if key is None else counted
        table = table if key is not None else table.with_roles({"id": "ignore"})
    trees = [engine.grow(of, max_depth=3) for of in (table, counted)]
    for node in (0, int(trees[0].ids[1])):
        expected, found = (
            engine.assess(of, tree, "test", node) for of, tree in zip((table, counted), trees, strict=True)
        )
        assert (found.part, found.n) == ("test", expected.n)
        for name in ("error", "auc", "log_loss", "brier") if task == "classes" else ("mse", "r2"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name), nan_ok=True), name
        np.testing.assert_array_equal(found.confusion, expected.confusion)
    assert engine.assess(counted, trees[1]).n == table.n_validation


@pytest.mark.parametrize("way", ["parquet", "sqlite"])
def test_every_training_row_of_a_source_is_left_out_once(tmp_path, way):
    pytest.importorskip("duckdb")
    frame = frames(4, 400, False, "classes").drop(columns=["day", "odd", "flag"])
    frame["id"] = np.arange(400)
    address, key = tmp_path / "rows.parquet", None
    if way == "parquet":
        frame.to_parquet(address)
    else:
        pytest.importorskip("ibis")
        with sqlite3.connect(tmp_path / "rows.db") as connection:
            frame.to_sql("t", connection, index=False)
        address, key = f"sqlite:///{tmp_path}/rows.db::t", "id"
    how = {"validation": 0.25, "test": 0.1, "key": key} if key else {"validation": 0.25, "test": 0.1}
    counted = engine.read_counts(address, target="y", **how)
    folds = [counted.counter.fold(counted, k, 4, 7, Progress()) for k in range(4)]
    assert {fold.n_train + fold.n_validation for fold in folds} == {counted.n_train}
    assert sum(fold.n_validation for fold in folds) == counted.n_train
    held = [set(fold.counter.source.rows((), 1000, 0).column("id").numbers.tolist()) for fold in folds]
    assert all(rows == held[0] for rows in held)
    pruning = engine.prune(counted, engine.grow(counted, max_depth=2), judge="folds", folds=4, seed=7)
    assert all(0 <= step.cv_error <= 1 for step in pruning.steps)


def test_a_database_without_a_key_has_no_folds(tmp_path):
    pytest.importorskip("ibis")
    with sqlite3.connect(tmp_path / "rows.db") as connection:
        frames(4, 200, False, "classes")[["number", "whole", "y"]].to_sql("t", connection, index=False)
    counted = engine.read_counts(f"sqlite:///{tmp_path}/rows.db::t", target="y")
    with pytest.raises(InputError, match="open them with a key, or prune by validation rows"):
        engine.prune(counted, engine.grow(counted, max_depth=3))


def test_scored_rows_are_compared_with_the_training_rows_as_in_memory(tmp_path):
    table, _ = in_memory(frames(3, 300, True, "classes").drop(columns="odd"))
    counted, tree = CountedTable.of(Coded(table)), engine.grow(table, max_depth=3)
    frames(8, 200, True, "classes").to_csv(tmp_path / "new.csv", index=False)
    found, expected = (
        engine.score(tree, tmp_path / "new.csv", tmp_path / "scored.csv", training=t) for t in (counted, table)
    )
    assert repr(found.columns) == repr(expected.columns)
    assert found.knows_training and found.notes == expected.notes


def few_rows(tmp_path):
    """A Parquet file whose column “x” lacks values, and tells most."""
    random = np.random.default_rng(0)
    x, z = random.normal(size=3000).round(2), random.integers(0, 5, 3000)
    frame = pd.DataFrame({"z": z, "y": np.where(x + 0.3 * z + random.normal(size=3000) > 0.5, "a", "b")})
    frame["x"] = np.where(random.random(3000) < 0.3, np.nan, x)
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path)
    return path


@pytest.mark.parametrize("opened", ["feature", "ignore"])
def test_columns_that_become_features_again_still_lack_values(opened, tmp_path):
    path, roles = few_rows(tmp_path), {"x": opened}
    table, counted = (
        read(path, target="y", roles=roles).with_roles({"x": "ignore"}).with_roles({"x": "feature"})
        for read in (engine.read_table, engine.read_counts)
    )
    assert counted.lacking == {table.index("x")} == table.lacking
    tree = engine.grow(table, max_depth=2, missing="branch")
    found = engine.candidates(counted, tree.with_counts(counted), 0, missing="branch")
    for one, expected in zip(found, engine.candidates(table, tree, 0, missing="branch"), strict=True):
        assert_same_candidate(one, expected)
    with pytest.raises(InputError, match="rows themselves"):
        engine.grow(counted, missing="fractional")


def test_folds_and_drawn_rows_have_the_roles_of_the_table():
    table, counted = both(4, 300, False, "classes")
    drawn = counted.seen(50)
    without = counted.with_roles({"number": "ignore"})
    assert drawn.roles["number"] == "feature"
    assert without.seen(50).roles == without.roles
    assert counted.seen(50).roles == counted.roles
    assert without.counter.fold(without, 0, 3, 0, Progress()).features == without.features
    alone = table.with_roles({"number": "ignore"})
    steps = [
        engine.prune(one, engine.grow(one, max_depth=4), "cost_complexity", folds=3).steps for one in (alone, without)
    ]
    close([step.cv_error for step in steps[1]], [step.cv_error for step in steps[0]])


def test_folds_grow_once_for_all_trees_that_are_grown_alike(monkeypatch):
    _, counted = both(4, 300, False, "classes")
    tree, scans, tally = engine.grow(counted, max_depth=5), [], Coded.tally
    monkeypatch.setattr(Coded, "tally", lambda *asked: scans.append(asked) or tally(*asked))

    def errors(tree, folds=3):
        scans.clear()
        return [
            step.cv_error for step in engine.prune(counted, tree, "cost_complexity", judge="folds", folds=folds).steps
        ], len(scans)

    expected, many = errors(tree)
    again, few = errors(tree)
    assert again == expected and few <= many - 3 * 4
    leaf = int(tree.ids[tree.n_branches > 0][-1])
    edited = tree.collapse(leaf)
    assert errors(edited)[1] <= few  # by the same options
    others = engine.grow(counted, max_depth=2)
    shallow, scanned = errors(others)
    assert scanned > few and shallow != expected[: len(shallow)]
    again = CountedTable.of(Coded(counted.counter.source.table))
    fresh = engine.prune(again, others, "cost_complexity", judge="folds", folds=3)
    assert shallow == [step.cv_error for step in fresh.steps]
    assert errors(tree, folds=4)[1] > few


def test_folds_are_counted_while_the_whole_table_is(tmp_path):
    counted = engine.read_counts(few_rows(tmp_path), target="y")
    expected = engine.grow(counted, max_depth=3)
    with ThreadPoolExecutor(2) as pool:
        folds = [pool.submit(counted.counter.fold, counted, k % 3, 3, 0, Progress()) for k in range(12)]
        for _ in range(6):
            assert_same(engine.grow(counted, max_depth=3), expected)
        assert {fold.result().n_train + fold.result().n_validation for fold in folds} == {3000}
