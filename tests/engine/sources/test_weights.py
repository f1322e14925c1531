"""Rows with weights that are counted where they are give what the same rows give in memory: bit for bit where weights
are whole numbers, for then no order of adding them up matters."""

import pickle
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.pruning import why_not
from engine.pruning.cost_complexity import with_validation_se
from engine.readers.values import Values
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.sources import coded, growing
from engine.sources.coded import Coded
from engine.sources.counted import CountedTable
from engine.sources.parts import Division
from engine.sources.source import head_of
from engine.sources.spark import Distributed, Reading, _count, _pack
from engine.sources.summing import Targets
from tests.effort import examples
from tests.engine.sources.test_counted import assert_same_candidate, close
from tests.engine.sources.test_growing import OPTIONS, fitting, frames, has_several
from tests.engine.sources.test_zooming import tiny
from tests.same_trees import assert_same

duckdb = pytest.importorskip("duckdb")
ibis = pytest.importorskip("ibis")
from tests.engine.sources.test_databases import in_sqlite, plain  # noqa: E402  # needs both

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it

PARTS = {"validation": 0.3, "test": 0.1, "key": "id"}
KINDS = ("memory", "codes", "duckdb", "sqlite")
CASES = given(
    st.integers(0, 10**6), st.sampled_from([60, 300]), st.booleans(), st.sampled_from(["classes", "number"]),
    st.sampled_from(["weight", "frequency"]), st.sampled_from(KINDS), st.sampled_from(OPTIONS),
)  # fmt: skip


def weighed(seed, n, lacking, task, whole=True):
    """Rows of which some weigh nothing and some have no weight, and a key of their own for each."""
    frame, random = plain(frames(seed, n, lacking, task)), np.random.default_rng(seed)
    frame["w"] = random.integers(0, 6, n).astype(float) if whole else random.exponential(size=n).round(3)
    frame.loc[random.random(n) < 0.1, "w"] = np.nan
    return frame.assign(id=np.arange(n))


def both(frame, role, kind, folder):
    """The rows in memory, and the same counted where they are; None where no two targets train."""
    kinds = {"y": "number"} if frame["y"].dtype.kind == "f" else {}
    table = engine.Table.from_frame(frame, target="y", kinds=kinds, roles={"w": role, "id": "group"})
    try:
        table = table.with_partition(PARTS["validation"], PARTS["test"])
    except InputError as error:
        assert "No row is left" in str(error)
        return None
    if not has_several(table):
        return None
    if kind == "memory":
        return table, CountedTable.of(Coded(table))
    path = Path(folder) / "rows.parquet"
    frame.to_parquet(path, row_group_size=40)
    how = {"target": "y", "kinds": kinds, "roles": {"w": role}, **PARTS}
    if kind == "codes":
        return table, CountedTable.of(Coded(engine.open_source(path, store=Path(folder) / "codes", **how)))
    address = in_sqlite(frame, folder) if kind == "sqlite" else path
    return table, CountedTable.of(engine.open_source(address, memory=0, **how))


def counted_options(table, options):
    """Options that counts answer, beside one that bounds the work."""
    counts = options.get("preset") != "c4.5" and fitting(table, options) is not None
    return {**options, "max_depth": 3} if counts else {"max_depth": 3}


def assert_equal_counts(found, expected):
    assert_same(found, expected)
    if expected.task == "classes":
        np.testing.assert_array_equal(found.train, expected.train)
        np.testing.assert_array_equal(found.validation, expected.validation)


@examples(24, 6)
@CASES
def test_trees_prunings_and_figures_are_those_of_memory(seed, n, lacking, task, role, kind, options):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded, "CHUNK", 50)
        patch.setattr("engine.sources.duck.ROWS", 64)
        made = both(weighed(seed, n, lacking, task), role, kind, folder)
        if made is None:
            return
        table, counted = made
        for fact in ("n_train", "n_validation", "n_test", "n_counted", "sealed_classes", "only_value"):
            assert getattr(counted, fact) == getattr(table, fact), fact
        assert counted.origin == pytest.approx(table.origin, rel=1e-12, abs=1e-12)
        if task == "classes":
            assert counted.class_weights.tolist() == table.class_weights.tolist()
        options = counted_options(table, options)
        tree, same = engine.grow(table, **options), engine.grow(counted, **options)
        assert_equal_counts(same, tree)
        assert_equal_counts(same.with_counts(counted), tree)
        close(*(engine.count_effective_rows(*of) for of in ((counted, same), (table, tree))))
        pd.testing.assert_frame_equal(engine.leaf_report(counted, same), engine.leaf_report(table, tree))
        for part in ("train", "validation", "test"):
            found, expected = engine.assess(counted, same, part), engine.assess(table, tree, part)
            assert (found.n, found.weight) == (expected.n, pytest.approx(expected.weight))
            for name in ("error", "auc", "log_loss", "interval") if task == "classes" else ("mse", "r2"):
                close(np.nan_to_num(getattr(found, name)), np.nan_to_num(getattr(expected, name)))
        for method in ("mdl", "reduced_error", "cost_complexity", "srm"):
            if why_not(method, table) or not table.n_validation:
                continue
            found, expected = (engine.prune(of, by, method=method) for of, by in ((counted, same), (table, tree)))
            assert [step.leaves for step in found.steps] == [step.leaves for step in expected.steps]
            assert_same(found.tree(found.chosen), expected.tree(expected.chosen))
            if method == "cost_complexity":
                steps = with_validation_se(counted, found).steps, with_validation_se(table, expected).steps
                close(*([step.validation_se for step in of] for of in steps))


@examples(24, 6)
@CASES
def test_candidates_and_curves_are_those_of_memory(seed, n, lacking, task, role, kind, options):
    with tempfile.TemporaryDirectory() as folder:
        made = both(weighed(seed, n, lacking, task), role, kind, folder)
        if made is None:
            return
        table, counted = made
        options = {name: value for name, value in counted_options(table, options).items() if name != "preset"}
        tree = engine.grow(table, max_depth=1)
        same = tree.with_counts(counted)
        for node in tree.ids[tree.rows_train > 0].tolist():
            found, expected = (engine.candidates(*of, node, **options) for of in ((counted, same), (table, tree)))
            for one, other in zip(found, expected, strict=True):
                assert_same_candidate(one, other)
                if other.split is not None and role == "frequency":
                    assert one.evidence.rows == other.evidence.rows
                    close(one.evidence.log_p, other.evidence.log_p)
                elif other.split is not None:  # tests deal out rows with their weights
                    assert np.isnan(one.logworth) and one.evidence is None
            name = expected[0].column
            curve, other = (engine.gain_curve(*of, node, name, **options) for of in ((counted, same), (table, tree)))
            close(curve.gains, other.gains)
            assert curve.best == other.best and curve.cuts.tolist() == other.cuts.tolist()


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_are_no_whole_numbers_grow_the_same_tree(tmp_path, kind, task):
    table, counted = both(weighed(3, 300, True, task, whole=False), "weight", kind, tmp_path)
    assert_same(engine.grow(counted, max_depth=5), engine.grow(table, max_depth=5))


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("whole", [True, False])
def test_zooming_finds_the_cut_of_memory(monkeypatch, tmp_path, task, whole):
    frame = weighed(7, 400, True, task, whole)
    frame["noise"] = np.random.default_rng(0).normal(size=400)
    for kind in ("memory", "duckdb"):
        table, counted = both(frame, "weight", kind, tmp_path)
        expected = engine.grow(table, min_leaf=5)
        with monkeypatch.context() as patch:
            tiny(patch, 16, 500)
            assert_same(engine.grow(counted, min_leaf=5), expected)


@pytest.mark.parametrize("role", ["weight", "frequency"])
@pytest.mark.parametrize("task", ["classes", "number"])
def test_folds_are_those_of_memory(tmp_path, task, role):
    made = both(weighed(5, 300, False, task), role, "memory", tmp_path)
    prunings = [engine.prune(of, engine.grow(of, max_depth=4), judge="folds", folds=4, seed=1) for of in made]
    close(*([step.cv_error for step in pruning.steps] for pruning in prunings))
    assert prunings[0].chosen == prunings[1].chosen


def test_the_largest_branch_is_counted_and_not_what_others_leave(monkeypatch, tmp_path):
    """Sums that are rounded do not subtract."""
    table, counted = both(weighed(3, 300, False, "classes", whole=False), "weight", "memory", tmp_path)
    monkeypatch.setattr(growing, "left_of", None)
    assert engine.grow(counted).n_leaves == engine.grow(table).n_leaves > 2


def test_tests_of_frequencies_are_those_of_memory_and_those_of_weights_are_refused(tmp_path):
    frame = weighed(3, 300, False, "classes")
    how = {"significance": 0.01, "significance_test": "single"}
    table, counted = both(frame, "frequency", "memory", tmp_path)
    assert_same(engine.grow(counted, **how), engine.grow(table, **how))
    _, counted = both(frame, "weight", "memory", tmp_path)
    for options, words in ((how, "significance “0.01”"), ({"criterion": "logworth"}, "criterion “logworth”")):
        with pytest.raises(InputError, match=f"{words} needs the rows themselves"):
            engine.grow(counted, **options)


def test_scored_rows_are_compared_with_what_training_rows_stand_for(tmp_path):
    table, counted = both(weighed(3, 300, True, "classes").drop(columns="odd"), "frequency", "memory", tmp_path)
    tree = engine.grow(table, max_depth=3)
    weighed(8, 200, True, "classes").to_csv(tmp_path / "new.csv", index=False)
    found, expected = (
        engine.score(tree, tmp_path / "new.csv", tmp_path / "scored.csv", training=t) for t in (counted, table)
    )
    assert repr(found.columns) == repr(expected.columns)


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
@pytest.mark.parametrize(
    ("weights", "role", "words"),
    [
        ([1.0, -2.0], "weight", "A row has the weight -2 in column “w”: weights are finite and not negative"),
        ([1.0, np.inf], "frequency", "A row has the frequency inf in column “w”"),
        ([1.0, 0.5], "frequency", "A row has the frequency 0.5 in column “w”, but frequencies are whole numbers"),
        ([1.0, 1e200], "weight", r"holds the weight 1e\+200"),
        (["light", "heavy"], "weight", "Column “w” cannot be the weight: its values are not numbers"),
        ([0.0, np.nan], "weight", "No row is left for training"),
    ],
)
def test_weights_that_do_not_weigh_are_refused(tmp_path, kind, weights, role, words):
    frame = weighed(3, 60, False, "classes").assign(w=(weights * 30)[:60])
    frame.to_parquet(tmp_path / "rows.parquet")
    address = tmp_path / "rows.parquet" if kind == "duckdb" else in_sqlite(frame, tmp_path)
    with pytest.raises(InputError, match=words):
        engine.read_counts(address, target="y", roles={"w": role})


def test_a_database_adds_up_only_what_it_has_as_numbers(tmp_path):
    frame = weighed(3, 60, False, "classes")
    frame["w"] = frame["w"].fillna(1).astype(int).astype(str)
    options = engine.ReadOptions(kinds={"w": "number"})
    with pytest.raises(InputError, match="Column “w” cannot be the weight: its values are not numbers"):
        engine.read_counts(in_sqlite(frame, tmp_path), target="y", roles={"w": "weight"}, options=options)


class OnTwoExecutors(Distributed):
    """What Spark does with a data frame, which is one of Arrow here: two partitions are counted elsewhere."""

    def scan(self, summing, progress):
        reading = Reading.of(self, [*summing.places, *summing.further])
        sent, own = pickle.dumps((summing, reading)), self.frame.select([f"c{i}" for i in reading.values])
        for rows in (own[:150], own[150:]):
            for found in _count(*pickle.loads(sent), _pack("", iter(rows.to_batches()))):
                summing.merge(found.column(0)[0].as_py())


@pytest.mark.parametrize("task", ["classes", "number"])
def test_executors_add_weights_up(tmp_path, task):
    frame = weighed(3, 300, True, task)
    table, _ = both(frame, "weight", "memory", tmp_path)
    rows = pa.Table.from_pandas(frame, preserve_index=False)
    values = tuple(Values.of(name, rows[name].unique()) for name in rows.column_names)
    head = head_of([found.column for found in values], "y", "rows", {"w": "weight", "id": "group"})
    named = rows.rename_columns([f"c{i}" for i in range(len(values))])
    source = OnTwoExecutors(head, named, values, frozenset(found.column.name for found in values if found.lacks))

    def count(parts):
        targets = Targets(head)
        replace(source, parts=parts).scan(targets, Progress())
        return targets.found

    divided = Division(0.3, 0.1, key="id").of_source(head, source.lacking.__contains__, count)
    counted = CountedTable.of(replace(source, head=divided.told, parts=divided.parts))
    assert (counted.n_train, counted.n_validation) == (table.n_train, table.n_validation)
    tree, same = engine.grow(table, max_depth=3), engine.grow(counted, max_depth=3)
    assert_equal_counts(same, tree)
    close(*(engine.count_effective_rows(*of) for of in ((counted, same), (table, tree))))


def test_what_weighs_is_chosen_as_the_data_are_opened(tmp_path):
    table, counted = both(weighed(3, 60, False, "classes"), "weight", "memory", tmp_path)
    with pytest.raises(InputError, match="“w” cannot weigh the rows and decide about their parts"):
        engine.open_source(table, target="y", roles={"w": "weight"}, key="w", validation=0.3)
    for name, role in (("w", "feature"), ("whole", "weight")):
        with pytest.raises(InputError, match=f"“{name}” cannot be given the role {role} now"):
            counted.with_roles({name: role})
    assert counted.with_roles({"w": "weight", "whole": "ignore"}).roles["w"] == "weight"
