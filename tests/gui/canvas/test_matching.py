"""What a query in the find bar means, against the plain way of asking every node."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import Literal, Split, Surrogate, full_words
from engine.tree.tree import Tree
from gui.picture import matching
from gui.picture.matching import at_or_below, children, conditions, find, lines_of
from gui.wording import words
from tests.gui.canvas.trees import by_age, five_nodes, people, random_tree


@pytest.fixture(scope="module")
def table():
    return people()


@pytest.fixture(scope="module")
def tree(table):
    """Positions: 0 age ≤ 42.5, 1 city, 2 = Amsterdam, 3 the other cities, 4 age > 42.5."""
    return five_nodes(table)


@pytest.fixture(scope="module")
def every_kind():
    """A tree with every kind of split, over columns with missing values and a level with a line break."""
    n = 240
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": np.where(np.arange(n) % 9 == 0, np.nan, rng.integers(0, 80, n)),
            "town": rng.choice(["Ulm", "Bad\nEms", "Trinidad and Tobago", "<25", "Oslo"], n),
            "opened": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 400, n), "D"),
            "y": rng.choice(["no", "yes"], n),
        }
    )
    table = engine.Table.from_frame(frame, target="y", name="kinds")
    levels = tuple(next(column for column in table.columns if column.name == "town").levels)
    tree = engine.Tree.root(table)
    for split in (
        Split("age", "threshold", thresholds=(20.0, 40.5), missing=3),
        Split("town", "groups", groups=(levels[:1], levels[1:3], levels[3:])),
        Split("opened", "threshold", thresholds=(1_590_000_000.0,)),
        Split("age", "threshold", thresholds=(33.5,), missing=1),
        Split("town", "m_of_n", m=1, literals=(Literal("town", "==", "Ulm"), Literal("age", ">", 60.0))),
    ):
        leaf = int(tree.ids[tree.leaves[np.argmax(tree.rows_train[tree.leaves])]])
        tree = tree.split(table, leaf, split)
    return tree


def slow_conditions(tree):
    found = [""]
    for i in range(1, tree.n_nodes):
        split = tree.split_at(int(tree.parent[i]))
        lacking = next(column.missing for column in tree.columns if column.name == split.column)
        found.append(full_words(split, int(tree.branch[i]), tree.kinds, lacking and not split.surrogates))
    return found


def test_the_conditions_are_the_words_of_the_rules(every_kind, tree):
    for one in (every_kind, tree, random_tree(199), random_tree(80, branches=4), random_tree(1)):
        assert conditions(one) == slow_conditions(one)


def test_what_surrogates_say_is_left_out(table):
    by_income = Surrogate(Split("income", "threshold", thresholds=(30_000.0,)))
    split = Split("age", "threshold", thresholds=(42.5,), surrogates=(by_income,))
    tree = engine.Tree.root(table).split(table, 0, split)
    assert conditions(tree) == ["", "age ≤ 42.5", "age > 42.5"]
    assert find(tree, "age").positions.tolist() == [0]


def test_each_child_is_found_by_its_branch(every_kind):
    first, order = children(every_kind)
    for i in range(every_kind.n_nodes):
        below = [int(order[first[i] + b]) for b in range(every_kind.n_branches[i])]
        assert below == every_kind.children(i)


@given(st.integers(0, 10_000), st.sampled_from(["age", "≤", "1", "late", "opened", " 2", "0", "zz", "number"]))
def test_lines_that_hold_words_are_those_that_a_loop_finds(seed, part):
    tree = random_tree(61, branches=2 + seed % 3, seed=seed, lean=0.3)
    typed = words.typed(part)
    lines = [words.typed(line) for line in slow_conditions(tree)]
    assert lines_of(tree).holding(typed, anywhere=True).tolist() == [i for i, t in enumerate(lines) if typed in t]
    begins = re.compile((r"(?<![^\W_])" if typed[0].isalnum() else "") + re.escape(typed))
    assert lines_of(tree).holding(typed).tolist() == [i for i, line in enumerate(lines) if begins.search(line)]


def test_a_level_with_a_line_break_is_one_line(every_kind):
    assert lines_of(every_kind).starts.size == every_kind.n_nodes
    assert find(every_kind, "bad ems").positions.size


@pytest.mark.parametrize(
    ("query", "positions"),
    [
        ("age", [0]),  # the node that splits by it, not its children, whose words begin with the name
        ("AGE", [0]),
        ("city", [1]),
        ("ity", [1]),  # begins nothing, so that it may stand anywhere
        ("penhag", [3]),
        ("amsterdam", [2]),
        ("Berl", [3]),  # one of several levels
        ("age <= 42.5", [1]),
        ("age<=42", [1]),
        ("age < 42.5", [1]),
        ("age ≤ 42.5", [1]),
        ("> 42", [4]),
        ("city = Berlin", [3]),  # among others
        ("city = Rome", []),
        ("age <= 42.5 and city = Amsterdam", [2]),
        ("age > 42.5 and city = Amsterdam", []),
        ("age <= 42.5 and nothing", []),
        ("buys = yes", [4]),
        ("yes", [4]),
        ("#0", [0]),
        ("# 4", [3]),  # numbers are those of nodes, which stay; places in the tree are others
        ("3", [2]),
        ("  ", []),
        ("", []),
    ],
)
def test_what_a_query_means(tree, query, positions):
    assert [int(i) for i in find(tree, query).positions] == positions
    assert tree.classes == ("no", "yes")


def test_words_of_a_note_find_its_node(tree):
    assert find(tree.with_mark(2, note="Ask the branch office"), "BRANCH OFF").positions.tolist() == [4]


def test_conditions_hold_together_where_the_last_of_them_begins_to(table):
    tree = five_nodes(table).split(table, 3, by_age(30.0))
    assert find(tree, "age <= 42.5 and age <= 30").positions.tolist() == [3]


def test_a_level_may_have_signs_and_words_of_the_query_in_its_name(every_kind):
    towns = [i for i, line in enumerate(conditions(every_kind)) if "Trinidad and Tobago" in line]
    assert find(every_kind, "Trinidad and Tobago").positions.tolist() == towns
    assert set(find(every_kind, "<25").positions) == {i for i, t in enumerate(conditions(every_kind)) if "<25" in t}
    assert find(every_kind, "town = Oslo").positions.size


def test_a_split_of_several_conditions_is_found_by_each_of_its_columns(every_kind):
    several = int(np.flatnonzero(every_kind.nodes.kind == 3)[0])
    assert several in find(every_kind, "town").positions
    assert several in find(every_kind, "age").positions


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("77", "The tree has no node 77: its nodes have numbers from 0 to 4."),
        ("#77", "The tree has no node 77: its nodes have numbers from 0 to 4."),
        ("#twelve", "“#twelve” is no number of a node: write digits behind #, as in #12."),
        ("Rome", "Nothing in the tree reads “Rome”. It splits by age, city."),
        ("income", "No node splits by “income”. It splits by age, city."),
        ("age > 99", "Nothing in the tree reads “age > 99”. “age” is cut at 42.5."),
    ],
)
def test_what_finds_nothing_says_why(tree, query, said):
    assert find(tree, query).why_none == said


def test_a_tree_without_splits_says_what_to_do(table):
    assert find(engine.Tree.root(table), "age").why_none.endswith(
        "The tree has no splits yet: split the root first (S)."
    )


def test_long_words_are_not_repeated_in_full(tree):
    assert "…" in find(tree, "x" * 300).why_none


def test_a_number_that_no_node_has_is_looked_for_in_the_rules(table):
    assert find(Tree.root(table).split(table, 0, by_age(42.5)), "42").positions.tolist() == [1, 2]


@given(st.integers(0, 1_000), st.lists(st.integers(0, 60), max_size=8))
def test_at_or_below_is_what_walking_up_finds(seed, nodes):
    tree = random_tree(61, seed=seed, lean=0.4)
    at = np.unique(np.array([i for i in nodes if i < tree.n_nodes], dtype=np.int64))

    def walks(i):
        while i >= 0:
            if i in at:
                return True
            i = int(tree.parent[i])
        return False

    assert at_or_below(tree, at).tolist() == [walks(i) for i in range(tree.n_nodes)]


def test_what_is_found_says_which_tree_it_is_about(tree):
    assert find(tree, "age").tree is tree and isinstance(find(tree, ""), matching.Found)
