"""What the window says of a split that asks several columns: its conditions, never one column's name alone."""

from dataclasses import replace
from html import escape

import numpy as np
import pytest
from PySide6.QtCore import Qt

import engine
from gui import theme
from gui.panels.this_node.split.bars import level_bars
from gui.panels.this_node.words import split_words
from gui.panels.words.node import title
from gui.panels.words.outline import OutlineModel
from gui.picture.cards.ghosts import Ghosts
from gui.picture.cards.scene import Scene
from gui.picture.nodes import tips
from gui.picture.nodes.cards import MOST_MEASURED, TITLE_ROOM, Cards
from gui.picture.nodes.letters import NAME, Letters, edge_words
from gui.wording import hand_phrases
from tests.gui.canvas.trees import people, random_tree

ASKED = "at least 2 of 3 conditions"
FIRST = "at least 2 of {age > 40, city = Berlin, income ≤ 30,000}"


@pytest.fixture(scope="module")
def table():
    return people()


@pytest.fixture(scope="module")
def split():
    literals = (
        engine.Literal("age", ">", 40.0), engine.Literal("city", "==", "Berlin"), engine.Literal("income", "<=", 3e4),
    )  # fmt: skip
    return engine.Split("age", "m_of_n", m=2, literals=literals)


@pytest.fixture
def tree(table, split):
    return engine.Tree.root(table).split(table, 0, split)


@pytest.fixture
def candidate(table, tree, split):
    found = engine.candidates(table, tree)[0]
    branches = tuple(tree.train[i] for i in (1, 2))
    return replace(found, column="age", split=split, train=branches, validation=(), rows=(1, 2), missing=0)


def test_the_canvas_names_the_conditions(qapp, tree):
    cards = Cards(tree, 0, Letters())
    assert cards.title(0) == cards.letters.elided(ASKED, TITLE_ROOM, NAME)
    assert cards.label(1).startswith("at least")
    assert cards.label(2).startswith("fewer")
    assert escape(FIRST) in tips.tip(tree, 1)
    assert f"by hand by {ASKED} into 2 branches" in tips.tip(tree, 0)
    assert tips.spoken(tree, 0).endswith(f"split by {ASKED}.")


def test_edges_say_how_many_conditions_hold_and_tips_say_all(qapp, table):
    names = "age", "income"
    literals = tuple(engine.Literal(names[k % 2], ">", 1_000.25 * (k + 1)) for k in range(30))
    split = engine.Split("age", "m_of_n", m=5, literals=literals)
    tree = engine.Tree.root(table).split(table, 0, split)
    cards = Cards(tree, 0, Letters())
    assert [cards.label(i) for i in (1, 2)] == ["at least 5 of 30", "fewer than 5 of 30"]
    assert edge_words("fewer than 5 of {…}", split, cards.letters, 78.0) == "< 5 of 30"
    said = tips.tip(tree, 1)
    assert all(escape(engine.splits.literal_words(literal)) in said for literal in literals)
    model = OutlineModel()
    model.show(tree, 0)
    tip = model.index(0, 0, model.index(0, 0)).data(Qt.ItemDataRole.ToolTipRole)
    assert engine.splits.literal_words(literals[-1]) in tip.replace("\n", " ")
    assert max(map(len, tip.splitlines())) <= 100


def test_a_card_of_a_large_tree_has_room_for_them(qapp, table, split):
    large = random_tree(n=MOST_MEASURED + 2)
    rough = Cards(large, 0, Letters()).widths
    kind = large.nodes.kind.copy()
    kind[0] = 3
    assert Cards(replace(large, nodes=large.nodes._replace(kind=kind)), 0, Letters()).widths[0] >= max(
        rough[0], TITLE_ROOM
    )


def test_panels_and_history_name_the_conditions(table, tree, split):
    assert title(tree, 0) == f"Root, split by {ASKED} (by hand)"
    assert hand_phrases.split_by_hand(tree, 0, split, table) == f"Split the root by “{FIRST}” (by hand)"
    groups = engine.Split("colour", "groups", groups=(("red",), ("blue",), ("green",)))
    assert hand_phrases.split_by_hand(tree, 0, groups, table) == "Split the root by “colour” into 3 branches (by hand)"
    assert split_words(split, tree.kinds) == FIRST


def test_a_preview_shows_both_branches(qapp, tree, candidate):
    ghosts = Ghosts(Scene(tree.collapse(0), 1, theme.LIGHT, Letters()), candidate)
    assert ghosts.title == ghosts.letters.elided(ASKED, 200.0, NAME)
    assert [branch.label.split(" ")[0] for branch in ghosts.branches] == ["at", "fewer"]


def test_the_plot_of_a_column_with_levels_marks_no_branch(table, tree, split):
    curve = engine.gain_curve(table, tree, 0, "city")
    assert np.all(level_bars(curve, True, 0, split).branches == -1)
