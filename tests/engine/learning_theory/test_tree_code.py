"""The prefix-free code of the notes: by hand, and there and back again."""

import math
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.growing import grow
from engine.learning_theory.bounds import count_tests, description_bound
from engine.learning_theory.tree_code import decode, encode
from engine.runtime.errors import InputError
from engine.splits import Split
from engine.table.table import Table
from engine.tree.tree import Tree
from tests.effort import examples
from tests.frames import frames
from tests.marked import table_and_tree


def binary(d=3):
    """All rows of d binary columns."""
    rows = list(product("ab", repeat=d))
    frame = pd.DataFrame(rows, columns=[f"x{i}" for i in range(d)])
    return Table.from_frame(frame.assign(y=np.where(frame.x0 == frame.x1, "no", "yes")), target="y")


def test_the_code_of_the_notes_by_hand():
    table = binary()
    tree = Tree.root(table).split(table, 0, Split("x0", "groups", groups=(("a",), ("b",))))
    right = int(tree.ids[2])
    tree = tree.split(table, right, Split("x1", "groups", groups=(("a",), ("b",))))
    code = encode(table, tree)
    # d + 3 = 6 symbols, three bits each: x0, x1, x2, no, yes, end
    assert [block.bits for block in code.blocks] == ["000", "011", "001", "100", "011", "101"]
    assert [block.words for block in code.blocks] == [
        "split: x0 = a", "leaf: no", "split: x1 = a", "leaf: yes", "leaf: no", "end",
    ]  # fmt: skip
    assert [block.node for block in code.blocks] == [*tree.ids.tolist(), None]
    assert code.bits == "000011001100011101"
    assert not code.wide
    assert code.ideal == pytest.approx(6 * math.log2(6))
    again = decode(table, code.bits)
    assert again.n_branches.tolist() == tree.n_branches.tolist()
    assert [again.rule(i) for i in range(5)] == [tree.rule(node) for node in tree.ids.tolist()]


@given(st.integers(0, 10**6), st.integers(0, 6))
def test_over_binary_columns_it_has_the_length_that_the_bound_counts(seed, n_splits):
    table, random = binary(4), np.random.default_rng(seed)
    tree = Tree.root(table)
    for _ in range(n_splits):
        side = [("a",), ("b",)][:: random.choice([-1, 1])]
        split = Split(f"x{random.integers(4)}", "groups", groups=tuple(side))
        tree = tree.split(table, int(tree.ids[random.choice(tree.leaves)]), split)
    code = encode(table, tree)
    assert code.ideal == pytest.approx((tree.n_nodes + 1) * math.log2(4 + 2 + 1))  # n + 1 blocks, as in the notes
    assert len(code.bits) == 3 * (tree.n_nodes + 1)
    by_code = tree.error() + math.sqrt((code.ideal + math.log(2 / 0.05)) / (2 * 16))
    assert count_tests(table) == 4
    assert description_bound(tree.error(), 16, tree.n_nodes, 4, 0.05) == pytest.approx(by_code)


@examples(500)
@given(frames(task="classes"), st.integers(0, 10**6), st.integers(0, 7))
def test_there_and_back_again(frame, seed, n_splits):
    """Splits of every kind, by columns of every kind, sensible or not."""
    table, tree = table_and_tree(frame, seed, n_splits)
    code = encode(table, tree)
    again = decode(table, code.bits, code.wide)
    assert again.n_nodes == tree.n_nodes == len(code.blocks) - 1
    assert sorted(again.level.tolist()) == sorted(tree.level.tolist())
    assert encode(table, again).bits == code.bits
    said = [one.predict(frame).tolist() for one in (tree, again)]
    assert said[0] == said[1]
    in_order = [tree.position(block.node) for block in code.blocks[:-1]]
    assert again.n_branches.tolist() == tree.n_branches[in_order].tolist()
    assert again.rows_train.tolist() == tree.rows_train[in_order].tolist()
    assert code.ideal <= len(code.bits) + 1e-9


@given(frames(task="classes"), st.sampled_from(["groups", "multiway", "one_vs_rest"]))
def test_grown_trees_come_back(frame, nominal):
    table = Table.from_frame(frame, target="y", weights="w" if "w" in frame else None)
    tree = grow(table, nominal=nominal, max_depth=3)
    code = encode(table, tree)
    again = decode(table, code.bits, code.wide)
    assert again.predict(frame).tolist() == tree.predict(frame).tolist()
    assert again.n_leaves == tree.n_leaves
    if nominal == "groups" and not frame.isna().any(axis=None):
        assert not code.wide


def test_ordered_levels_are_cut():
    frame = pd.DataFrame({"size": list("smlx") * 3, "y": ["a", "b", "b", "a"] * 3})
    table = Table.from_frame(frame, target="y", kinds={"size": ["s", "m", "l", "x"]})
    cut = Tree.root(table).split(table, 0, Split("size", "groups", groups=(("s", "m"), ("l", "x"))))
    code = encode(table, cut)
    assert not code.wide
    assert code.blocks[0].ideal == pytest.approx(math.log2(4) + math.log2(3))
    assert decode(table, code.bits).split_at(0).groups == (("s", "m"), ("l", "x"))
    apart = Tree.root(table).split(table, 0, Split("size", "groups", groups=(("s", "x"), ("m", "l"))))
    code = encode(table, apart)
    assert code.wide
    assert decode(table, code.bits, True).split_at(0).groups == (("s", "x"), ("m", "l"))


def test_no_code_is_the_beginning_of_another():
    table, words = binary(2), set()
    splits = [Split(name, "groups", groups=(("a",), ("b",))) for name in ("x0", "x1")]
    trees = [Tree.root(table)]
    for _ in range(2):
        trees += [t.split(table, int(t.ids[leaf]), s) for t in trees for leaf in t.leaves for s in splits]
    words = sorted({encode(table, tree).bits for tree in trees})
    assert len(words) > 10
    assert not any(later.startswith(word) for word, later in pairwise(words))
    assert sum(2.0 ** -len(word) for word in words) <= 1


def test_a_label_by_hand_is_told():
    table = binary()
    tree = Tree.root(table).split(table, 0, Split("x0", "groups", groups=(("a",), ("b",))))
    tree = tree.with_mark(int(tree.ids[1]), label="yes")
    again = decode(table, encode(table, tree).bits)
    assert again.labels[again.leaves].tolist() == tree.labels[tree.leaves].tolist()
    assert again.mark(1).label == "yes"


@pytest.mark.parametrize(
    ("bits", "says"),
    [
        ("", "ends after 0 bits"),
        ("00", "in the midst of a tree"),
        ("0120", "not of “2”"),
        ("111", "choice 7 of 6"),
        ("101", "before all branches are told"),
        ("011011101", "the tree is complete"),
        ("0111010", "and 1 bit follows"),
    ],
)
def test_what_is_no_code_is_told(bits, says):
    with pytest.raises(InputError, match=says):
        decode(binary(), bits)


def test_numeric_targets_have_no_code():
    table = Table.from_frame(pd.DataFrame({"x": range(30), "y": range(30)}), target="y")
    with pytest.raises(InputError, match="“y” is numeric"):
        encode(table, Tree.root(table))
    with pytest.raises(InputError, match="“y” is numeric"):
        decode(table, "0")


def decodes(table, bits, wide):
    """The tree of any digits; None where they are none of a tree, which a sentence says."""
    try:
        tree = decode(table, bits, wide)
    except InputError as problem:
        assert str(problem).endswith(".")
        return None
    assert decode(table, encode(table, tree).bits, encode(table, tree).wide).n_nodes == tree.n_nodes
    return tree


def everything():
    """A table with columns of every kind, one of them without any value, one with a single level."""
    frame = pd.DataFrame(
        {
            "number": [1.0, 2, 3, np.nan, 5, 6],
            "level": pd.Categorical(list("abcaab")),
            "ordered": pd.Categorical(list("xyzxyz"), ordered=True),
            "empty": np.full(6, np.nan),
            "none": pd.Categorical([None] * 6, categories=[]),
            "one": pd.Categorical(["only"] * 6),
            "y": list("uvuvuv"),
        }
    )
    return Table.from_frame(frame, target="y")


EVERYTHING = everything()


@examples(500)
@given(st.text("01", max_size=120), st.booleans())
def test_any_digits_are_a_tree_or_a_sentence(bits, wide):
    decodes(EVERYTHING, bits, wide)


@given(frames(task="classes"), st.integers(0, 10**6), st.integers(0, 7), st.data())
def test_damaged_codes_are_a_tree_or_a_sentence(frame, seed, n_splits, data):
    table, tree = table_and_tree(frame, seed, n_splits)
    code = encode(table, tree)
    bits = list(code.bits)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(bits) - 1))
        bits[at] = data.draw(st.sampled_from(["0", "1", "", "01", "000000", "111111"]))
    decodes(table, "".join(bits), code.wide or data.draw(st.booleans()))


def test_a_condition_on_a_level_that_is_told_twice_is_refused():
    penguins = engine.read_example("penguins")
    for digits in ("0101101000011100100010010100", "0101101000011100100010010100" + "0" * 40):
        with pytest.raises(InputError):
            decode(penguins, digits, wide=True)


def test_counts_beyond_the_code_are_refused_at_once():
    table = EVERYTHING
    d, k = len(table.features), 2
    width = (d + k).bit_length()
    for symbol in range(d):
        for form in range(6):
            for further in (20, 60, 5000):
                head = format(symbol, f"0{width}b") + format(form, "03b")
                assert decodes(table, head + "0" * further + "1" * (further + 50), True) is None
