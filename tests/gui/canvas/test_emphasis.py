"""What stands out: how several reasons are joined, and what of it is seen in both kinds of picture."""

import numpy as np
import pytest
from PySide6.QtCore import QSizeF

from gui import theme
from gui.canvas import scene_controller
from gui.canvas.scene_controller import Source, emphasis_of
from gui.canvas.view import TreeView
from gui.picture.camera import Camera
from gui.picture.colours import FADED, faded_theme
from gui.picture.emphasis import Emphasis, joined
from gui.picture.kinds import KINDS
from gui.picture.nodes.letters import Letters, told
from tests.effort import pairs
from tests.gui.canvas.images import SIZE, image_of, n_of, pixels
from tests.gui.canvas.trees import Shown, drawn_texts, five_nodes, people, random_tree

LOOKS = pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
BOTH = pytest.mark.parametrize("kind", sorted(KINDS))
AT_EVERY_SIZE = pytest.mark.parametrize(
    ("kind", "look", "n"), pairs(sorted(KINDS), [theme.LIGHT, theme.DARK], [5, 601, 20_001])
)


def scene_of(tree, kind, look=theme.LIGHT, **stands_out):
    scene = KINDS[kind].scene(tree, 1, look, Letters())
    if stands_out:
        scene.emphasis = Emphasis(**stands_out)
    return scene


def words_of(scene, kind, camera=None):
    texts = drawn_texts(lambda painter: KINDS[kind].paint(painter, scene, camera or scene.fitted(*SIZE), *SIZE))
    return [text for _, _, text in texts]


def only(n, *lit):
    found = np.zeros(n, bool)
    found[list(lit)] = True
    return found


def naive_faded_below(lit, end):
    """Twin of `are_faded_below`: no node of the branch is lit."""
    return np.array([not lit[i : end[i]].any() for i in range(len(lit))])


def test_a_branch_is_faded_when_none_of_its_nodes_is_lit():
    tree = random_tree(301)
    lit = np.random.default_rng(1).random(tree.n_nodes) < 0.05
    every = np.arange(tree.n_nodes)
    found = Emphasis(lit)
    assert np.array_equal(found.are_faded_below(every, tree.end), naive_faded_below(lit, tree.end))
    assert np.array_equal(found.are_faded(every), ~lit)
    ringed = np.flatnonzero(lit)[::-1]
    assert np.array_equal(Emphasis(ringed=ringed).are_ringed(every), lit)
    assert np.array_equal(Emphasis(ringed=ringed).are_ringed_below(every, tree.end), ~naive_faded_below(lit, tree.end))
    assert not Emphasis().are_ringed(every).any()
    assert not Emphasis().are_faded(every).any() and not Emphasis().are_faded_below(every, tree.end).any()


def test_several_reasons_are_joined():
    assert joined([]) is None
    alone = Emphasis(only(4, 1))
    assert joined([alone]) is alone
    first = Emphasis(only(4, 1, 2), np.array([2, 3]), {1: "age = 42", 2: "a"}, np.array([1.0, 0.5, 0.0, 0.0]))
    second = Emphasis(only(4, 2, 3), np.array([0, 3]), {2: "b"}, np.array([1.0, 0.2, 0.3, 0.0]))
    both = joined([first, second, Emphasis()])
    assert both.lit.tolist() == [False, False, True, False]
    assert both.ringed.tolist() == [0, 2, 3]
    assert both.words == {1: "age = 42", 2: "b"}
    assert both.shares.tolist() == [1.0, 0.5, 0.3, 0.0]


@BOTH
@LOOKS
def test_nothing_is_faded_without_a_reason(qapp, kind, look):
    tree = random_tree(59)
    plain = image_of(scene_of(tree, kind, look), kind)
    same = image_of(scene_of(tree, kind, look, lit=np.ones(tree.n_nodes, bool)), kind)
    assert (pixels(plain) == pixels(same)).all()


@AT_EVERY_SIZE
def test_what_is_not_lit_fades(qapp, kind, look, n):
    tree = random_tree(n, lean=0.1)
    canvas = np.array(look.canvas.getRgb()[:3])
    plain = np.abs(pixels(image_of(scene_of(tree, kind, look), kind)) - canvas).sum()
    faded = np.abs(pixels(image_of(scene_of(tree, kind, look, lit=only(tree.n_nodes, 0)), kind)) - canvas).sum()
    assert faded < 0.55 * plain


@BOTH
def test_faded_nodes_keep_their_words(qapp, kind):
    tree = five_nodes(people(validation=0))
    lit, every = (scene_of(tree, kind, lit=only(5, *some)) for some in ((0, 4), range(5)))
    for zoom in (0.4, 0.5, 0.6, 1.0):
        camera = Camera(x=40.0, y=40.0, zoom=zoom)
        assert any(text.startswith("city") for text in words_of(lit, kind, camera))  # node 1, faded
        assert sorted(words_of(lit, kind, camera)) == sorted(words_of(every, kind, camera))


def test_very_low_cards_that_are_faded_say_nothing(qapp):
    lit = scene_of(five_nodes(people(validation=0)), "cards", lit=only(5, 0, 4))
    low = Camera(x=40.0, y=40.0, zoom=0.25)
    assert not any("city" in text for text in words_of(lit, "cards", low))
    assert "age ≤ 42.5" in words_of(lit, "cards", low)  # the root, lit


@BOTH
def test_words_on_edges_are_replaced(qapp, kind):
    tree = five_nodes(people())
    branch = tree.branch_words(1)
    assert branch in words_of(scene_of(tree, kind), kind)
    said = words_of(scene_of(tree, kind, words={1: "age = 42"}), kind)
    assert "age = 42" in said and branch not in said


def test_words_that_stand_out_keep_their_value(qapp):
    letters = Letters()
    assert told(letters, "age = 42") == "age = 42"
    long = told(letters, f"{'a column that nobody wanted to abbreviate ' * 3}= 1,234,567.89")
    assert long.endswith(" = 1,234,567.89") and "…" in long
    assert told(letters, "a column = 1,234,567.89", 50.0) == "= 1,234,567.89"


@AT_EVERY_SIZE
def test_rings_and_shares_have_the_accent_colour(qapp, kind, look, n):
    tree = random_tree(n, lean=0.1)
    badges = n_of(image_of(scene_of(tree, kind, look), kind), look.accent)
    ringed = n_of(image_of(scene_of(tree, kind, look, ringed=np.array([0, tree.n_nodes - 1])), kind), look.accent)
    shares = np.full(tree.n_nodes, 0.5)
    half = n_of(image_of(scene_of(tree, kind, look, shares=shares), kind), look.accent)
    whole = n_of(image_of(scene_of(tree, kind, look, shares=2 * shares), kind), look.accent)
    assert badges + 20 < ringed < half < whole


def test_a_faded_theme_lies_near_its_canvas():
    for look in (theme.LIGHT, theme.DARK):
        faded = faded_theme(look)
        assert faded.canvas == look.canvas and faded.dark == look.dark
        assert faded.text == theme.mix(look.text, look.canvas, FADED)


def test_the_canvas_repaints_without_a_new_layout(qtbot, monkeypatch):
    """A source that lights the selected node alone."""
    seen = []

    def selected(document, tree):
        seen.append(document.selected)
        return Emphasis(only(tree.n_nodes, tree.position(document.selected)))

    monkeypatch.setattr(scene_controller, "SOURCES", (Source(frozenset({"icicle"}), selected),))
    document = Shown(people(), five_nodes(people()))
    view = TreeView(document)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    qtbot.waitExposed(view)
    scene = view.port.scene
    before = view.grab().toImage()
    document.select(2)
    document.look.set(icicle=not document.look.icicle)
    assert view.port.scene is scene and np.flatnonzero(scene.emphasis.lit).tolist() == [document.tree.position(2)]
    assert view.grab().toImage() != before
    n = len(seen)
    document.look.set(pointed=1)
    assert len(seen) == n  # which does not change it
    document.look.set(icicle=not document.look.icicle)
    assert len(seen) == n + 1
    document.show_tree(document.tree.collapse(1))
    assert view.port.scene.emphasis.lit.size == 3
    assert emphasis_of(document, document.tree).lit.size == 3


def test_without_sources_nothing_stands_out():
    document = Shown(people(), five_nodes(people()))
    assert emphasis_of(document, document.tree) is None


@BOTH
def test_a_node_of_a_collapsed_tree_is_found(qapp, kind):
    """What is drawn may be a part of the document's tree: positions are those of what is drawn."""
    scene = scene_of(five_nodes(people()), kind, ringed=np.array([4]))
    box = KINDS[kind].frame(scene, scene.fitted(*SIZE), QSizeF(*SIZE)).box(4)
    ring = pixels(image_of(scene, kind)) == theme.LIGHT.accent.getRgb()[:3]
    rows, columns = np.nonzero(ring.all(axis=2))
    assert abs(columns.mean() - box.center().x()) < 0.6 * box.width() + 10
    assert rows.size
