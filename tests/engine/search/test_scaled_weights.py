"""Weights say how much a row counts beside the others: all of them times the same number change nothing."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import engine
from engine.pruning import METHODS
from engine.search.choices import OPTIONS
from engine.search.presets import PRESETS
from engine.search.surrogates import find_surrogates
from engine.search.tally import NodeRows
from engine.splits import Split
from tests.effort import examples

FACTORS = [0.1, 3.0, 1e-3, 7.3, 1e3, 1 / 3]


def names(option, task="classes"):
    from engine.criteria import criteria_for

    if option == "criterion":
        return [one.name for one in criteria_for(task)]
    return [choice.name for choice in OPTIONS[option].choices]


@st.composite
def tables(draw):
    """(a frame whose weights and values make many ties, its task)."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, task = draw(st.integers(8, 30)), draw(st.sampled_from(["classes", "classes", "number"]))
    frame = pd.DataFrame({"x": random.integers(0, 6, n).astype(float), "z": random.integers(0, 4, n).astype(float)})
    frame["k"], frame["g"] = random.choice(list("abcde"), n), random.choice(list("pqr"), n)
    for column in ("x", "k", "g"):
        frame.loc[random.random(n) < 0.2, column] = None
    frame["w"] = random.integers(1, 4, n).astype(float)
    y = random.integers(0, draw(st.integers(2, 3)), n)
    frame["y"] = y.astype(float) if task == "number" else [f"c{k}" for k in y]
    return frame, task


def both(frame, factor, **how):
    """The table, and the one with all weights times the factor."""
    kinds = {"x": "number", "z": "number", "y": "number" if frame["y"].dtype == float else "nominal"}
    scaled = frame.assign(w=frame["w"] * factor)
    made = [engine.Table.from_frame(one, target="y", weights="w", kinds=kinds) for one in (frame, scaled)]
    return [one.with_partition(**how) if how else one for one in made]


def shape(tree):
    splits = [tree.split_at(i) for i in range(tree.n_nodes)]
    said = tree.labels.tolist() if tree.task == "classes" else np.round(tree.means, 9).tolist()
    return splits, said, tree.rows_train.tolist()


@st.composite
def searches(draw, task):
    """Options of a search, all of them at once."""
    options = {"criterion": draw(st.sampled_from(names("criterion", task)))}
    for option in ("numeric", "nominal", "missing", "order"):
        options[option] = draw(st.sampled_from(names(option)))
    if task == "number" and options["numeric"] == "boundary_cuts":
        options["numeric"] = "cuts"
    options |= {"buckets": draw(st.integers(2, 4)), "pool": draw(st.sampled_from([0, 3]))}
    options |= {"min_leaf": draw(st.integers(1, 3)), "max_depth": 3, "bins": 2}
    options["max_leaves"] = draw(st.sampled_from([None, 4]))
    options["significance"] = draw(st.sampled_from([None, None, 0.05]))
    further = draw(st.sampled_from(["", "", "m_of_n", "lookahead"]))
    tested = engine.CRITERIA[options["criterion"]].by_evidence and further == "lookahead"  # a p-value is of one split
    if further and options["criterion"] != "absolute_error" and not tested:
        options[further] = 2 if further == "lookahead" else True
    if further == "lookahead":
        options |= {"missing": "direction"}
    return options


@examples(120)
@given(tables(), st.sampled_from(FACTORS), st.data())
def test_the_tree_is_the_same(made, factor, data):
    frame, task = made
    options = data.draw(searches(task))
    plain, scaled = both(frame, factor)
    assert shape(engine.grow(plain, **options)) == shape(engine.grow(scaled, **options))


@examples(60)
@given(tables(), st.sampled_from(FACTORS), st.data())
def test_the_candidates_are_the_same(made, factor, data):
    frame, task = made
    options = data.draw(searches(task)) | {"alternatives": 2}
    for name in ("order", "max_depth", "max_leaves", "significance"):
        options.pop(name)
    plain, scaled = both(frame, factor, validation=0.3)
    one, other = (engine.candidates(table, engine.Tree.root(table), **options) for table in (plain, scaled))
    for first, second in zip(one, other, strict=True):
        assert (first.column, first.split, first.rows, first.reason) == (
            second.column, second.split, second.rows, second.reason,
        )  # fmt: skip
        if first.split is not None:
            figures = ("gain", "validation_gain", "logworth", "ahead")
            assert [getattr(first, name) for name in figures] == pytest.approx(
                [getattr(second, name) for name in figures], rel=1e-6, abs=1e-9, nan_ok=True
            )
        assert [each.split for each in first.alternatives] == [each.split for each in second.alternatives]


@pytest.mark.parametrize("preset", PRESETS)
@examples(10)
@given(made=tables(), factor=st.sampled_from(FACTORS))
def test_the_tree_of_a_preset_is_the_same(preset, made, factor):
    frame, task = made
    assume(task == "classes" or "criterion" not in PRESETS[preset].options)
    plain, scaled = both(frame, factor)
    assert shape(engine.grow(plain, preset=preset)) == shape(engine.grow(scaled, preset=preset))


@pytest.mark.parametrize("method", [name for name in METHODS if name != "pessimistic"])  # there weights count rows
@examples(12)
@given(made=tables(), factor=st.sampled_from(FACTORS))
def test_what_is_pruned_is_the_same(method, made, factor):
    frame, _ = made
    plain, scaled = both(frame, factor, validation=0.3, seed=1)
    cuts = []
    for table in (plain, scaled):
        try:
            cut = engine.prune(table, engine.grow(table), method=method)
        except engine.InputError as error:
            cuts.append(str(error))
            continue
        cuts.append((cut.chosen, [step.leaves for step in cut.steps], shape(cut.tree(cut.chosen))))
    assert cuts[0] == cuts[1]


@pytest.mark.parametrize("factor", [1.0, *FACTORS])
def test_a_level_whose_rows_go_both_ways_by_equal_weight_goes_the_usual_way(factor):
    """3 against 1 + 2, and .3 against .1 + .2, which is a little more."""
    frame = pd.DataFrame({
        "x": [0.0, 1, 1, 0, 0, 0, 1, 1, 1, 1], "k": list("aaabbbcccc"), "y": list("uvuvuvuvuv"),
        "w": np.array([3.0, 1, 2, 1, 1, 1, 1, 1, 1, 1]) * factor,
    })  # fmt: skip
    table = engine.Table.from_frame(frame, target="y", weights="w", kinds={"x": "number"})
    split = Split("x", "threshold", (0.5,), missing=0)
    (surrogate,) = find_surrogates(NodeRows.of(table, np.arange(10)), split)
    assert surrogate.split.groups == (("b",), ("a", "c"))


@examples(40)
@given(made=tables(), factor=st.sampled_from(FACTORS), seed=st.integers(0, 3))
def test_growing_ends_at_the_same_tree(made, factor, seed):
    frame, _ = made
    found = [engine.grow_while_improving(table) for table in both(frame, factor, validation=0.3, seed=seed)]
    assert (found[0].chosen, len(found[0].steps)) == (found[1].chosen, len(found[1].steps))


@pytest.mark.parametrize("factor", [1.0, *FACTORS])
def test_a_split_that_helps_the_validation_rows_by_rounding_alone_does_not_help(factor):
    frame = pd.DataFrame({
        "x": [2, 0, 1, 3, 5, 2, 3, 1], "y": ["c0", "c0", "c1", "c0", "c0", "c1", "c0", "c1"],
        "w": np.array([1.0, 3, 1, 1, 3, 1, 3, 1]) * factor,
        "p": ["validation", "train", "validation", "validation", "train", "train", "train", "train"],
    })  # fmt: skip
    table = engine.Table.from_frame(frame, target="y", weights="w", kinds={"x": "number"}).with_partition(column="p")
    found = engine.grow_while_improving(table)
    assert found.tree(found.chosen).n_leaves == 1
