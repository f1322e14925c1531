"""The tree in words: the lecture's example, every wording by hand, and that each row meets its leaf's path only."""

import operator
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import Literal
from engine.tree.nodes import TreeColumn
from engine.tree.rules import Interval, Levels, Verbatim, leaf_texts, rules
from tests.effort import examples
from tests.frames import frames, random_tree, table_of

SEEDS = st.integers(0, 2**32 - 1)


def test_the_cats_of_the_lecture():
    cats = engine.read_example("cats")
    found = {rule.label: rule for rule in rules(engine.grow(cats, criterion="entropy"))}
    assert found["True"].text == "(owner home AND kitten) OR (NOT owner home AND NOT kitten)"
    assert found["False"].text == "(NOT owner home AND kitten) OR (owner home AND NOT kitten)"


# -- each row meets the path of its leaf, and no other


def meets(limit, row):
    """Whether a row (None for a missing value) is within a limit, by the limit's sets, not by its words."""
    if isinstance(limit, Verbatim):
        return branch_of(limit.split, row) == limit.branch
    value = row[limit.column.name]
    if value is None:
        return limit.missing
    if isinstance(limit, Interval):
        return (limit.low is None or limit.low < value) and value <= limit.high
    return value in limit.allowed if value in limit.column.levels else limit.others


HOLDS = {"<=": operator.le, ">": operator.gt, "==": operator.eq, "!=": operator.ne}


def branch_of(split, row):
    """The branch that a row takes."""
    if split.kind == "m_of_n":
        asked = [(row[one.column], one) for one in split.literals]
        return 0 if sum(v is not None and HOLDS[one.test](v, one.value) for v, one in asked) >= split.m else 1
    value = row[split.column]
    if value is None:
        return split.missing
    if split.kind == "threshold":
        return sum(value > cut for cut in split.thresholds)
    return next((b for b, group in enumerate(split.groups) if value in group), split.unseen)


def walked(tree, row):
    """The id of the leaf that a row reaches, from split to split."""
    i = 0
    while tree.n_branches[i]:
        i = tree.children(i)[branch_of(tree.split_at(i), row)]
    return int(tree.ids[i])


def rows_of(table):
    for r in range(table.n_rows):
        codes = {c.name: int(c.codes[r]) for c in table.columns}
        yield {c.name: c.values[codes[c.name] - 1] if codes[c.name] else None for c in table.columns}


def strangers(table):
    """Rows of values that the table does not have."""
    for sign in (-1, 1):
        yield {c.name: None if c.kind == "boolean" else sign * np.inf if c.is_numeric else "new" for c in table.columns}


@examples(60)
@given(frames(), SEEDS, st.integers(0, 12))
def test_every_row_meets_the_path_of_its_leaf_only(frame, seed, n_splits):
    table = table_of(frame)
    tree = random_tree(table, seed, n_splits)
    paths = [path for rule in rules(tree) for path in rule.paths]
    assert sorted(path.node for path in paths) == sorted(tree.ids[tree.leaves].tolist())
    for row in [*rows_of(table), *strangers(table)]:
        met = [p.node for p in paths if all(meets(limit, row) for limit in p.limits)]
        assert met == [walked(tree, row)]
    told = {path.node: path.text for path in paths}
    assert leaf_texts(tree) == [told[node] for node in tree.ids[tree.leaves]]
    assert leaf_texts(tree, tree.leaves[::2]) == leaf_texts(tree)[::2]
    for path in paths:
        i = tree.position(path.node)
        assert (path.rows_train, path.rows_validation) == (tree.rows_train[i], tree.rows_validation[i])
        if not path.possible:
            assert path.rows_train == path.rows_validation == 0
            assert all("is left" in words for words in path.conditions)


@examples(40)
@given(frames(task="classes"), SEEDS, st.integers(0, 8))
def test_words_are_said_of_limits_that_say_something_only(frame, seed, n_splits):
    """A limit without words is met by every value; one with words refuses a value that a row may have."""
    table = table_of(frame)
    for rule in rules(random_tree(table, seed, n_splits)):
        for path in rule.paths:
            for limit in path.limits:
                if isinstance(limit, Verbatim):
                    continue
                column = limit.column
                values = [*column.levels, "new"] if column.levels else [-np.inf, limit.low or 0.0, np.inf, 1e9, -1e9]
                values = [v for v in values if not (column.kind == "boolean" and v == "new")]
                refused = [value for value in [*values, None] if not meets(limit, {column.name: value})]
                assert bool(limit.words) == bool(refused)


def test_rules_hold_the_figures_of_their_leaves():
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"x": random.normal(size=90), "w": random.integers(1, 4, 90)})
    frame["y"] = np.where(random.random(90) < 0.5 + 0.4 * (frame.x > 0), "b", "a")
    table = engine.Table.from_frame(frame, target="y", weights="w").with_partition(validation=0.4, seed=0)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (0.0,)))
    fit = {part: engine.assess(table, tree, part).error for part in ("train", "validation")}
    for part, at in (("train", 0), ("validation", 1)):
        weights = tree.weight(part)
        wrong = 0.0
        for rule in rules(tree):
            for path in rule.paths:
                wrong += weights[tree.position(path.node)] * (path.error_train, path.error_validation)[at]
        assert wrong / weights[0] == pytest.approx(fit[part])


# -- the words


AGE = TreeColumn("age", "number", (), True)
WHOLE = TreeColumn("age", "number", (), False)
COLOUR = TreeColumn("colour", "nominal", ("red", "green", "blue", "grey"), True)
TOWN = TreeColumn("town", "nominal", tuple("abcde"), False)
HOME = TreeColumn("owner home", "boolean", ("False", "True"), True)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Interval(AGE), ""),
        (Interval(AGE, 20.0, 40.0, False), "20 < age ≤ 40"),
        (Interval(AGE, 20.0, 40.0, True), "20 < age ≤ 40 or missing"),
        (Interval(WHOLE, 20.0, 40.0, True), "20 < age ≤ 40"),
        (Interval(AGE, None, 40.0, False), "age ≤ 40"),
        (Interval(AGE, -20.5, np.inf, False), "age > −20.5"),
        (Interval(AGE, None, np.inf, False), "age present"),
        (Interval(AGE, np.inf, np.inf, True), "age missing"),
        (Interval(AGE, 3.0, 3.0, False), "no value of age is left"),
        (Interval(AGE, 1.0, 1.0 + 1e-9, False), "1 < age ≤ 1.000000001"),
        (Levels(COLOUR, frozenset(COLOUR.levels)), ""),
        (Levels(COLOUR, frozenset(COLOUR.levels), True, False), "colour present"),
        (Levels(COLOUR, frozenset(["red"]), False, False), "colour = red"),
        (Levels(COLOUR, frozenset(["green", "red"]), True, False), "colour in {red, green}"),
        (Levels(COLOUR, frozenset(["green", "red"]), False, True), "colour in {red, green} or missing"),
        (Levels(COLOUR, frozenset(["green", "blue", "grey"]), True, False), "NOT colour = red"),
        (Levels(COLOUR, frozenset(["green", "blue", "grey"]), False, False), "colour in {green, blue, grey}"),
        (Levels(TOWN, frozenset("cde"), True, False), "town in {c, d, e}"),
        (Levels(TOWN, frozenset("bcde"), True, False), "NOT town = a"),
        (Levels(COLOUR, frozenset(), True, False), "colour any other"),
        (Levels(COLOUR, frozenset(), False, True), "colour missing"),
        (Levels(COLOUR, frozenset(), False, False), "no value of colour is left"),
        (Levels(HOME, frozenset(["True"]), True, False), "owner home"),
        (Levels(HOME, frozenset(["False"]), False, False), "NOT owner home"),
        (Levels(HOME, frozenset(["False"]), False, True), "NOT owner home OR owner home missing"),
        (Levels(HOME, frozenset(["False", "True"]), False, False), "owner home present"),
    ],
)
def test_a_limit_in_words(limit, words):
    assert limit.words == words


@pytest.fixture
def people():
    frame = pd.DataFrame(
        {
            "age": [10, 25, 35, 50, 60, 30, None, 28],
            "colour": ["red", "red", "blue", "green", "blue", "green", "red", "blue"],
            "y": ["n", "p", "p", "n", "n", "n", "n", "p"],
        }
    )
    return engine.Table.from_frame(frame, target="y")


def by_hand(table):
    """age ≤ 40 (missing: above); then age > 20; then colour = green against the rest."""
    tree = engine.Tree.root(table).split(table, 0, engine.Split("age", "threshold", (40.0,), missing=1))
    tree = tree.split(table, 1, engine.Split("age", "threshold", (20.0,)))
    return tree.split(table, 4, engine.Split("colour", "groups", groups=(("green",), ("red", "blue")), unseen=1))


def test_conditions_on_one_column_are_merged(people):
    n, p = rules(by_hand(people))
    assert (n.label, p.label) == ("n", "p")
    assert p.text == "20 < age ≤ 40 AND NOT colour = green"
    assert n.text == "(age > 40 or missing) OR age ≤ 20 OR (20 < age ≤ 40 AND colour = green)"
    assert [path.conditions for path in p.paths] == [("20 < age ≤ 40", "NOT colour = green")]
    assert p.paths[0].rows_train == 3


def test_a_missing_value_within_a_conjunction_is_in_brackets(people):
    tree = engine.Tree.root(people).split(people, 0, engine.Split("age", "threshold", (40.0,), missing=1))
    tree = tree.split(people, 2, engine.Split("colour", "groups", groups=(("blue",), ("red", "green")), unseen=0))
    texts = [path for rule in rules(tree) for path in rule.parts]
    assert "((age > 40 or missing) AND colour in {green, red})" in texts
    assert "((age > 40 or missing) AND colour = blue)" in texts


def test_a_single_leaf_says_always_and_the_other_class_never(people):
    n, p = rules(engine.Tree.root(people))
    assert (n.text, p.text) == ("always", "never")
    assert n.paths[0].conditions == () and p.paths == ()


def test_splits_that_contradict_each_other_lead_nowhere(people):
    tree = engine.Tree.root(people).split(people, 0, engine.Split("age", "threshold", (40.0,)))
    tree = tree.split(people, 2, engine.Split("age", "threshold", (20.0,), missing=1))
    n, p = rules(tree)
    impossible = [path for rule in (n, p) for path in rule.paths if not path.possible]
    assert [path.conditions for path in impossible] == [("no value of age is left",)]
    assert "left" not in n.text + p.text
    assert leaf_texts(tree) == ["(age ≤ 40 or missing)", "no value of age is left", "age > 40"]


def test_a_branch_of_missing_values_is_called_so(people):
    tree = engine.Tree.root(people).split(people, 0, engine.Split("age", "threshold", (30.0, np.inf), missing=2))
    assert {path.conditions for rule in rules(tree) for path in rule.paths} == {
        ("age ≤ 30",),
        ("age > 30",),
        ("age missing",),
    }


def test_thresholds_may_leave_missing_values_a_branch_of_their_own(people):
    tree = engine.Tree.root(people).split(people, 0, engine.Split("age", "threshold", (30.0,), missing=2))
    tree = tree.split(people, 3, engine.Split("age", "threshold", (20.0,), missing=1))
    found = {path.node: path for rule in rules(tree) for path in rule.paths}
    assert [found[node].conditions for node in (1, 2, 5)] == [("age ≤ 30",), ("age > 30",), ("age missing",)]
    assert not found[4].possible


def test_several_columns_at_once_keep_the_words_of_their_split(people):
    literals = (Literal("age", ">", 27.0), Literal("colour", "==", "blue"), Literal("age", "<=", 40.0))
    tree = engine.Tree.root(people).split(people, 0, engine.Split("age", "m_of_n", m=2, literals=literals))
    tree = tree.split(people, 1, engine.Split("age", "threshold", (40.0,)))
    texts = [part for rule in rules(tree) for part in rule.parts]
    above, below = (tree.sentence(i) for i in tree.children(0))
    assert above in tree.rule(3)[0] and "colour = blue" in above
    assert below in texts
    assert f"({above} AND age > 40)" in texts and f"{above} AND (age ≤ 40 or missing)" in texts


def test_a_numeric_target_has_a_rule_for_each_leaf_by_its_number():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "y": [10.0, 15.0, -2.5, -1.5]})
    table = engine.Table.from_frame(frame, target="y")
    assert [rule.text for rule in rules(engine.Tree.root(table))] == ["Predict 5.25 always"]
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (2.5,)))
    assert [rule.text for rule in rules(tree)] == ["Predict −2 when x > 2.5", "Predict 12.5 when x ≤ 2.5"]
    assert [rule.value for rule in rules(tree)] == [-2.0, 12.5]
    median = engine.grow(table, criterion="absolute_error", max_depth=0)
    assert [rule.text for rule in rules(median)] == ["Predict 4.25 always"]


def test_of_many_leaves_those_with_most_rows_can_be_asked_for(people):
    tree = by_hand(people)
    n, p = rules(tree, most=2)
    assert p.text == "20 < age ≤ 40 AND NOT colour = green"
    assert n.text == "(age > 40 or missing) OR … (2 more leaves)"
    assert n.more == 2 and p.more == 0
    assert [rule.text for rule in rules(tree, most=4)] == [rule.text for rule in rules(tree)]


def test_a_staircase_meets_no_recursion_limit():
    n = 5_000
    table = engine.Table.from_frame(pd.DataFrame({"x": np.arange(n), "y": np.arange(n) % 2}), target="y")
    n_branches = np.array([2, 0] * (n - 1) + [0], dtype=np.int32)
    root = engine.Tree.root(table)
    nodes = root.nodes.take(np.zeros(n_branches.size, dtype=int))
    inner = n_branches > 0
    nodes = nodes._replace(
        ids=np.arange(n_branches.size), n_branches=n_branches, kind=inner.astype(np.int8),
        column=np.where(inner, 0, -1).astype(np.int32),
        threshold=np.where(inner, np.cumsum(inner) - 0.5, np.nan),
    )  # fmt: skip
    tree = replace(root, nodes=nodes, next_id=n_branches.size).with_counts(table)
    even, _ = rules(tree)
    assert len(even.paths) == n // 2
    assert even.paths[1].conditions == ("1.5 < x ≤ 2.5",)


def test_the_rules_are_exported_as_text(people, tmp_path):
    engine.export(by_hand(people), tmp_path / "tree.txt")
    head, said = (tmp_path / "tree.txt").read_text(encoding="utf-8").split("\n\n")
    assert head.startswith("Leaves: 4. Training rows: ")
    assert re.sub(r"Leaf \d+\. Training rows: \d+, error [\d.]+ %\.", "…", said) == (
        "y = n:\n"
        "    (age > 40 or missing)\n        …\n"
        "    OR age ≤ 20\n        …\n"
        "    OR (20 < age ≤ 40 AND colour = green)\n        …\n"
        "y = p:\n"
        "    20 < age ≤ 40 AND NOT colour = green\n        …\n"
    )


def test_halves_between_large_whole_numbers_are_written_in_full():
    frame = pd.DataFrame({"price": [1234567, 1234568, 1234569, 1234570], "y": list("uvuv")})
    tree = engine.grow(engine.Table.from_frame(frame, target="y"))
    said = {rule.label: rule.text for rule in engine.rules(tree)}
    assert said["u"] == "price ≤ 1,234,567.5 OR 1,234,568.5 < price ≤ 1,234,569.5"
