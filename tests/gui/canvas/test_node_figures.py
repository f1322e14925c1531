"""The figures behind colours and cards, against slow twins; the shades made of them."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import criteria
from engine.criteria import CRITERIA, impurity
from gui import theme
from gui.picture import colours as measures
from gui.picture.colours import ENDS, MODES, STEPS, Colouring, Subject, shades
from gui.picture.nodes import figures
from gui.picture.nodes.cards import HEIGHTS, SHORTENED, TIGHT, Cards, Row, fitting
from gui.picture.nodes.letters import LEAST_LABEL, NAME, PLAIN, SMALL, Letters, edge_words
from gui.picture.picture_options import PictureOptions
from tests.effort import examples
from tests.gui.canvas.trees import five_nodes, people, random_tree

MEASURES = ("gini", "entropy", "error", "sqrt")


@pytest.mark.parametrize("name", MEASURES)
@given(counts=st.lists(st.integers(0, 60), min_size=2, max_size=6).filter(any))
@examples(30)
def test_impurities_are_the_engines(name, counts) -> None:
    found = criteria.impurities(name, np.array([counts], float))[0]
    assert found == pytest.approx(impurity(name, counts), abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_is_less_pure_than_equal_shares(name) -> None:
    rng = np.random.default_rng(1)
    for k in (2, 3, 16):
        worst = criteria.impurities(name, np.ones((1, k)))[0]
        assert (criteria.impurities(name, rng.random((200, k))) <= worst + 1e-12).all()


def test_without_rows_there_is_no_figure() -> None:
    assert math.isnan(criteria.impurities("gini", np.zeros((1, 3)))[0])
    assert np.isnan(figures.shares(np.zeros((2, 3)))).all()


@given(seed=st.integers(0, 200))
@examples(20)
def test_columns_and_lifts_node_by_node(seed) -> None:
    tree = random_tree(n=41, seed=seed)
    found, lift = (
        figures.split_columns(tree),
        measures.lifts(Subject(tree, 1, "train", np.zeros(0)), figures.said(tree, 1)),
    )
    rows: dict[int, int] = {}
    for i in range(tree.n_nodes):
        above = i if tree.n_branches[i] else int(tree.parent[i])
        assert found[i] == (tree.nodes.column[above] if above >= 0 else -1)
        if tree.n_branches[i]:
            rows[int(found[i])] = rows.get(int(found[i]), 0) + int(tree.rows_train[i])
        if tree.train[i].sum() > 0:
            share, usual = (tree.train[k, 1] / tree.train[k].sum() for k in (i, 0))
            assert lift[i] == pytest.approx(share / usual)
    assert figures.ranked_columns(tree).tolist() == sorted(rows, key=lambda column: (-rows[column], column))


@given(pole=st.integers(0, 40), distance=st.floats(-1.5, 1.5))
def test_a_shade_holds_pole_and_strength(pole, distance) -> None:
    found, step = divmod(int(shades(pole, np.array([distance]))[0]), STEPS + 1)
    assert found == pole
    assert step / STEPS == pytest.approx(min(abs(distance), 1.0) ** 0.75, abs=0.51 / STEPS)
    assert int(shades(pole, np.array([np.nan]))[0]) == pole * (STEPS + 1)


@pytest.mark.parametrize("mode", [mode for mode in MODES.values() if mode.poles == ENDS])
@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
def test_between_two_ends_the_root_is_grey(qapp, mode, look) -> None:
    colours = Colouring(random_tree(n=31), 1, look, PictureOptions(colour_by=mode.name))
    assert colours.ribbon(0) == look.ribbon


@pytest.mark.parametrize("mode", [mode for mode in MODES.values() if mode.of_stats is not None])
def test_statistics_are_coloured_as_the_nodes_that_have_them(qapp, mode) -> None:
    tree = random_tree(n=31, classes=("a", "b", "c"))
    colours = Colouring(tree, 1, theme.LIGHT, PictureOptions(colour_by=mode.name))
    filled = tree.train.sum(axis=1) > 0
    assert (colours.shades(tree.train, tree.labels)[filled] == colours.shade[filled]).all()


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
@pytest.mark.parametrize("name", list(MODES))
def test_words_on_tiles_can_be_read_in_every_colour(qapp, name, look) -> None:
    colours = Colouring(random_tree(n=301), 1, look, PictureOptions(colour_by=name))
    for shade in np.unique(colours.shade).tolist():
        fill = colours.tile_of(shade)
        assert theme.contrast(fill, theme.ink(fill)) >= 4.2


@given(room=st.floats(5, 120), scale=st.floats(0.5, 1.2))
def test_smaller_cards_show_the_first_lines_that_fit(room, scale) -> None:
    rows = [Row(kind, 0.0, lambda i: ("",)) for kind in (NAME, PLAIN, SMALL, SMALL)]
    shown = fitting(rows, 0.0, room, scale)
    high = [TIGHT * HEIGHTS[row.kind] * scale for row in rows]
    n = max([1, *(k for k in range(1, 5) if sum(high[:k]) <= room)])
    assert [replace(row, middle=0.0) for row in shown] == rows[:n]
    middles = [row.middle for row in shown]
    assert middles == sorted(middles)
    if sum(high[:n]) <= room:
        assert middles[0] >= high[0] / 2 - 1e-9 and middles[-1] <= room - high[n - 1] / 2 + 1e-9


def test_a_leaf_of_two_classes_has_room_for_what_it_predicts(qapp) -> None:
    letters, tree = Letters(), random_tree(n=31, classes=("no", "certainly"))
    cards = Cards(tree, 1, letters, PictureOptions(lines=("split",)))
    for leaf in tree.leaves.tolist():
        says = cards.titles(leaf)[0]
        assert says.startswith("predicts ") and letters.width(says, NAME) < cards.widths[leaf]


def test_names_on_edges_give_way_and_numbers_do_not(qapp) -> None:
    letters = Letters()
    cards = Cards(five_nodes(people()), 1, letters)
    tree: engine.Tree = cards.tree
    number, names = 1, next(i for i in range(tree.n_nodes) if cards.label(i).startswith("in 3 of 4: "))
    assert cards.label_within(number, letters.width(cards.label(number)) - 1) == ""
    room = letters.width(cards.label(names)) - 10
    shorter = cards.label_within(names, room)
    assert re.fullmatch(r"in 3 of 4: B[a-z]*…", shorter) and letters.width(shorter) <= room
    assert cards.label_within(names, letters.width("in 3 of 4: ")) == "in 3 of 4"
    assert cards.label_within(names, LEAST_LABEL - 1) == ""
    assert cards.label_within(0, 500.0) == ""


def test_a_class_of_fourteen_letters_is_whole_beside_its_rate(qapp) -> None:
    cards = Cards(random_tree(n=31, classes=("no", "non-responders")), 1, Letters())
    for i in range(cards.tree.n_nodes):
        assert " non-responders · " in cards.details(i)[0]
        assert "…" not in cards.titles(i)[0] or cards.is_inner(i)


@pytest.mark.parametrize("classes", [("no", "yes"), ("Adelie", "Chinstrap", "Gentoo")])
def test_names_are_as_wide_as_their_letters(qapp, classes) -> None:
    cards = Cards(random_tree(n=60, classes=classes, branches=3), 0, Letters())
    for i in range(cards.tree.n_nodes):
        says_name = cards.is_inner(i) or cards.stacked
        assert cards.name_widths[i] == (cards.letters.width(cards.title(i), NAME) if says_name else 0.0)
        needed = min(cards.name_widths[i], SHORTENED)
        assert cards.name_room[i] == needed
    numbers = Cards(random_tree(n=60, task="number"), 0, Letters())
    for i in numbers.tree.leaves:
        assert numbers.name_room[i] == numbers.letters.width(numbers.titles(i)[-1], NAME)


def test_a_count_alone_stands_only_where_no_other_branch_has_as_many(qapp) -> None:
    letters, levels = Letters(), ("Aachen", "Bremen", "Chemnitz", "Dresden", "Erfurt", "Fulda")
    for cut, wanted in ((2, "in 2 of 6"), (3, "")):
        split = engine.Split("town", "groups", groups=(levels[:cut], levels[cut:]))
        text = f"in {{{', '.join(levels[:cut])}}}"
        assert edge_words(text, split, letters, letters.width("in 2 of 6: ")) == wanted


def test_cards_show_what_the_criterion_says_and_of_an_unknown_one_the_usual(monkeypatch):
    table = engine.read_example("penguins")
    tree = engine.grow(table, max_depth=1)
    monkeypatch.setitem(CRITERIA, "odd", replace(CRITERIA["gini"], name="odd", impurity=lambda _, total: total))
    name = figures.impurity_name(replace(tree, options={**tree.options, "criterion": "odd"}))
    assert criteria.impurities(name, tree.train).tolist() == tree.train.sum(axis=1).tolist()
    assert figures.impurity_name(replace(tree, options={"criterion": "from a file"})) == "gini"
