"""What the window says of a split with surrogates: its own column, and in full where rows without the value go."""

from html import escape

import pytest

import engine
from gui import theme
from gui.panels.this_node.words import split_words, where_missing
from gui.panels.words.node import title
from gui.panels.words.rules import RulesModel
from gui.picture.cards.ghosts import Ghosts
from gui.picture.cards.scene import Scene
from gui.picture.nodes import tips
from gui.picture.nodes.cards import Cards
from gui.picture.nodes.letters import Letters
from gui.wording import hand_phrases
from tests.frames import with_gaps


@pytest.fixture(scope="module")
def table():
    return engine.Table.from_frame(with_gaps(), target="y").with_partition(validation=0.3)


@pytest.fixture
def tree(table):
    return engine.grow(table, missing="surrogate", max_depth=3)


def test_the_canvas_names_the_column_and_its_tips_the_surrogates(qapp, tree):
    split, cards = tree.split_at(0), Cards(tree, 0, Letters())
    assert split.surrogates
    assert cards.title(0) == split.column
    assert "where missing" not in cards.label(1)
    assert escape(f"(where missing: {split.surrogates[0].split.column} ") in tips.tip(tree, 1)
    assert tips.spoken(tree, 0).endswith(f"split by {split.column}.")


def test_panels_say_where_missing_rows_go(qapp, table, tree):
    split = tree.split_at(0)
    assert title(tree, 0) == f"Root, split by {split.column}"
    assert "where missing" not in split_words(split, tree.kinds)
    by = ", ".join(surrogate.split.column for surrogate in split.surrogates)
    assert where_missing(split) == f"by {by}, else into branch {split.missing + 1}"
    assert hand_phrases.split_by_hand(tree, 0, split, table).startswith(f"Split the root by “{split.column} ")


def test_a_candidate_with_surrogates_is_previewed(qapp, table, tree):
    found = engine.candidates(table, tree, missing="surrogate")[0]
    ghosts = Ghosts(Scene(tree.collapse(0), 1, theme.LIGHT, Letters()), found)
    assert len(ghosts.branches) == 2


def test_rules_of_it_are_shown(qapp, tree):
    model = RulesModel()
    model.show(tree, 0)
    assert model.rowCount() > 0
