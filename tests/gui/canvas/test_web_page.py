"""The page for browsers: its tree against ours, and its script in the engine that Qt brings along."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from gui import theme
from gui.picture.cards.scene import GAP, Scene
from gui.picture.levels import Levels
from gui.picture.levels import layout as layout_here
from gui.picture.nodes.letters import Letters
from gui.picture.paper.picture import write_picture, write_scene
from gui.picture.paper.sheet import Wish
from gui.picture.paper.web_page import page_data
from gui.picture.picture_options import PictureOptions
from gui.wording import words
from tests.effort import examples
from tests.gui.canvas.trees import agrees, five_nodes, people, random_tree
from tests.gui.canvas.web_pages import BEGIN, data_of

TREES = {
    "five": lambda: five_nodes(people()),
    "unvalidated": lambda: five_nodes(people(validation=0.0)),
    "classes": lambda: random_tree(n=121, classes=("one", "two", "</script>", "four"), branches=3),
    "number": lambda: random_tree(n=59, task="number"),
    "leaf": lambda: five_nodes(people()).collapse(0),
    "stairs": lambda: random_tree(n=601, lean=1.0),
}


@pytest.fixture
def page_of(qapp, tmp_path):
    def page_of(tree, wish=None):
        path = tmp_path / "tree.html"
        write_picture(tree, path, wish)
        return path.read_text("utf-8")

    return page_of


# -- what the page holds


@pytest.mark.parametrize("name", TREES)
def test_the_page_holds_the_tree(page_of, name):
    tree = TREES[name]()
    data = data_of(page_of(tree))
    text = data["texts"].__getitem__
    assert data["id"] == tree.ids.tolist()
    assert data["parent"] == tree.parent.tolist()
    assert data["rows"] == tree.rows_train.tolist()
    assert [text(k) for k in data["rule"]] == ["", *(tree.rule(node, 1)[-1] for node in tree.ids[1:].tolist())]
    assert [text(k) for k in data["split"]] == [tree.title(i) for i in range(tree.n_nodes)]
    for i in range(1, tree.n_nodes):
        assert agrees(text(data["edge"][i]), tree.branch_words(i), tree, i)
    if tree.task == "classes":
        assert data["train"] == tree.train.ravel().tolist()
        assert data["label"] == tree.labels.tolist()
    else:
        assert data["answer"] == [words.value(float(answer)) for answer in tree.predictions]
    assert (data["validationRows"] is None) == (tree.rows_validation[0] == 0)
    hand = {int(i) for i, mark in data["marks"].items() if "by_hand" in mark["badges"]}
    assert hand == set(np.flatnonzero(tree.by_hand).tolist())


@pytest.mark.parametrize("name", TREES)
def test_its_cards_say_what_ours_say(page_of, name):
    tree = TREES[name]()
    data, scene = data_of(page_of(tree)), Scene(tree, 1 if len(tree.classes) == 2 else 0, theme.LIGHT, Letters())
    cards, text = scene.cards, data["texts"].__getitem__
    for i in range(tree.n_nodes):
        assert text(data["name"][i]) == cards.titles(i)[0]
        assert [tuple(map(text, forms)) for forms in data["words"][i]] == cards.texts(i)
        assert data["width"][i] == pytest.approx(cards.widths[i], abs=0.06)
        assert data["looks"]["light"]["ribbons"][data["shade"][i]] == scene.colours.ribbon(i).name()
    assert data["looks"]["dark"]["canvas"] == theme.DARK.canvas.name()


@pytest.mark.parametrize("colour_by", ["impurity", "error", "column"])
@pytest.mark.parametrize("name", ["five", "classes", "number"])
def test_it_shows_what_the_canvas_was_told_to_show(qapp, script, name, colour_by):
    tree = TREES[name]()
    shown = PictureOptions(
        colour_by, ("split", "rows", "share", "validation", "impurity", "number", "bar"), "validation"
    )
    scene = Scene(tree, 1 if len(tree.classes) == 2 else 0, theme.LIGHT, Letters(), shown)
    data = page_data(scene, Wish())
    text = data["texts"].__getitem__
    for i in range(tree.n_nodes):
        assert [tuple(map(text, forms)) for forms in data["words"][i]] == scene.cards.texts(i)
        assert data["looks"]["light"]["ribbons"][data["shade"][i]] == scene.colours.ribbon(i).name()
        assert text(data["colour"][i]) == scene.colours.says(i)
    assert data["flow"] == tree.rows_validation.tolist()
    assert data["striped"]
    drawn = script(f"{BEGIN}{FAKE}{PAINT}", data)
    assert {call[0] for call in drawn} > {"fillText", "fillRect", "bezierCurveTo"}


def test_a_branch_alone_begins_with_its_rule(qapp, tmp_path):
    tree = random_tree(n=59)
    top = tree.children(0)[1]
    path = tmp_path / "branch.html"
    write_scene(Scene(tree, 1, theme.LIGHT, Letters()), path, Wish(), top=top)
    data = data_of(path.read_text("utf-8"))
    assert data["id"] == tree.ids[top : tree.end[top]].tolist()
    assert data["parent"][0] == -1 and min(data["parent"][1:]) == 0
    assert data["start"] == tree.rule(int(tree.ids[top]))
    assert data["rowsOfAll"] == tree.rows_train[0]


def test_no_word_of_a_table_is_read_as_a_part_of_the_page(page_of):
    page = page_of(TREES["classes"](), Wish(title="</title><script>alert(1)</script> {{data}}"))
    assert page.count("</script>") == 2
    assert "alert(1)</script>" not in page
    assert data_of(page)["classes"][2] == "</script>"
    assert data_of(page)["title"].endswith("{{data}}")


def test_the_page_asks_no_network_for_anything(page_of):
    page = page_of(TREES["five"]())
    shell = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    assert "default-src 'none'" in shell
    assert not re.findall(r"https?:|//[a-z]|\bsrc=|\bhref=|@import|url\(|fetch\(|XMLHttp|import\(", shell)


# -- what its script does


def check_places(tree, found):
    """Nothing overlaps, the order is kept, parents stand in the middle above their children."""
    x, room, shown = np.array(found["x"]), np.array(tree["room"]), found["shown"]
    assert x[shown[0]] - room[shown[0]] / 2 >= -1e-6
    for row in found["rows"]:
        for left, right in pairwise(row):
            assert x[right] - x[left] >= (room[left] + room[right]) / 2 + tree["sizes"]["gap"] - 1e-6
    below = {}
    for i in shown[1:]:
        below.setdefault(tree["parent"][i], []).append(i)
    for i, children in below.items():
        assert x[i] == pytest.approx((x[children[0]] + x[children[-1]]) / 2)


PLACES = "const p = layout(tree); return JSON.stringify({x: Array.from(p.x), shown: p.shown, rows: p.rows});"


@pytest.mark.parametrize("name", TREES)
def test_places_are_ours(page_of, script, name):
    tree = TREES[name]()
    data = data_of(page_of(tree))
    found = script(BEGIN + PLACES, data)
    check_places(data, found)
    assert found["shown"] == list(range(tree.n_nodes))
    if name in ("five", "unvalidated", "number", "leaf", "stairs"):  # two branches at a time: there is one tidy way
        levels = Levels(tree.parent, tree.end, tree.n_branches, tree.level)
        assert found["x"] == pytest.approx(layout_here(levels, np.array(data["room"]), GAP).centres, abs=1e-6)


shapes = st.lists(st.integers(0, 200), min_size=0, max_size=80)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(picks=shapes, rooms=st.lists(st.floats(20, 200), min_size=1, max_size=20), folds=st.sets(st.integers(0, 80)))
def test_nothing_overlaps_whatever_is_folded(script, picks, rooms, folds):
    children = {0: []}
    for k, pick in enumerate(picks, 1):
        children[pick % k].append(k)
        children[k] = []
    parent, stack = [], [(0, -1)]
    while stack:
        node, above = stack.pop()
        stack += [(child, len(parent)) for child in reversed(children[node])]
        parent.append(above)
    data = {"parent": parent, "room": [rooms[i % len(rooms)] for i in range(len(parent))], "sizes": {"gap": 14}}
    fold = f"for (const i of {sorted(folds)}) if (i < tree.n && tree.inner[i]) tree.folded[i] = 1;"
    found = script(BEGIN + fold + PLACES, data)
    check_places(data, found)
    hidden = set()
    for i, above in enumerate(parent):
        if above >= 0 and (above in hidden or (above in folds and above < len(parent))):
            hidden.add(i)
    assert found["shown"] == [i for i in range(len(parent)) if i not in hidden]


def test_levels_fold_and_opening_a_node_opens_what_hides_it(page_of, script):
    tree = random_tree(n=59)
    data = data_of(page_of(tree))
    shown = script(BEGIN + "foldAt(tree, 2); return JSON.stringify(shownNodes(tree));", data)
    assert shown == np.flatnonzero(tree.level <= 2).tolist()
    deep = int(np.argmax(tree.level))
    found = script(BEGIN + f"foldAt(tree, 1); unfoldTo(tree, {deep}); return JSON.stringify(shownNodes(tree));", data)
    assert deep in found


def test_what_is_drawn_can_be_pointed_at(page_of, script):
    tree = random_tree(n=301)
    program = """
    const places = layout(tree), camera = zoomed(fitted(tree, places, 1400, 800), 2, 700, 300);
    const frame = makeFrame(tree, places, camera), shown = seen(frame, 1400, 800);
    return JSON.stringify(shown.named.map(function (i) {
      const box = boxOf(frame, i);
      return [i, nodeAt(frame, box.x + box.w / 2, box.y + box.h / 2)];
    }));"""
    found = script(BEGIN + program, data_of(page_of(tree)))
    assert len(found) > 5
    assert all(drawn == hit for drawn, hit in found)


def test_a_fitted_tree_is_in_view_and_all_of_it_is_drawn(page_of, script):
    tree = random_tree(n=2_001)
    program = """
    const places = layout(tree), frame = makeFrame(tree, places, fitted(tree, places, 1400, 800));
    const shown = seen(frame, 1400, 800), all = shown.named.concat(shown.boxed);
    const boxes = all.map(function (i) { return boxOf(frame, i); });
    const covered = shown.blocks.reduce(function (sum, i) { return sum + tree.end[i] - i; }, all.length);
    return JSON.stringify([covered, Math.min.apply(null, boxes.map(function (b) { return b.x; })),
      Math.max.apply(null, boxes.map(function (b) { return b.x + b.w; })),
      Math.max.apply(null, boxes.map(function (b) { return b.y + b.h; }))]);"""
    covered, left, right, bottom = script(BEGIN + program, data_of(page_of(tree)))
    assert covered == tree.n_nodes
    assert left >= 0 and right <= 1400 and bottom <= 800


@pytest.mark.parametrize(
    ("key", "where"), [("ArrowUp", 0), ("ArrowDown", 2), ("ArrowRight", 4), ("ArrowLeft", 1), ("Home", 0)]
)
def test_keys_walk(page_of, script, key, where):
    data = data_of(page_of(TREES["five"]()))  # 0 -> (1 -> (2, 3), 4)
    assert script(BEGIN + f'return JSON.stringify(stepFrom(tree, layout(tree), 1, "{key}"));', data) == where


def test_the_tip_tells_the_rule_the_rows_and_the_classes(page_of, script):
    tree = TREES["five"]()
    data = data_of(page_of(tree))
    tip = script(BEGIN + "return JSON.stringify(tipOf(tree, 2));", data)
    assert tip["heading"] == tree.rule(int(tree.ids[2]))
    assert tip["lines"][0].startswith(f"{tree.rows_train[2]} training rows (")
    assert tip["table"][0] == ["", "training", "", "validation", ""]
    k = int(np.argmax(tree.train[2]))
    share = words.percent(float(tree.train[2][k] / tree.train[2].sum()))
    assert tip["table"][1][:3] == [tree.classes[k], words.count(float(tree.train[2][k])), share]
    assert script(BEGIN + "return JSON.stringify(tipOf(tree, 0).heading);", data) == ["All rows"]


FAKE = """
const drawn = [];
const ctx = new Proxy({}, {
  get: function (kept, name) {
    if (name === "measureText") return function (text) { return {width: 60 * text.length}; };
    if (name in kept) return kept[name];
    return function () { drawn.push([name].concat(Array.from(arguments))); };
  },
  set: function (kept, name, value) { kept[name] = value; return true; }
});
data.ribbon = data.rows.map(function () { return 3; });
data.leavesAt = data.rows.map(function () { return 0; });
"""
PAINT = """
compareLetters(ctx, data.sample);
const places = layout(tree), frame = makeFrame(tree, places, fitted(tree, places, 9000, 9000));
const look = Object.assign({name: "light"}, data.looks.light);
new Painter(ctx, frame, look, {hovered: Math.min(1, tree.n - 1), selected: 0, focused: true}).paint(9000, 9000);
return JSON.stringify(drawn);
"""


@pytest.mark.parametrize("name", TREES)
def test_every_word_of_a_small_tree_is_drawn(page_of, script, name):
    """With a canvas that only notes what it is told to draw."""
    tree = TREES[name]()
    if tree.n_nodes > 100:
        tree = tree.collapse(*(int(tree.ids[i]) for i in np.flatnonzero((tree.level == 2) & (tree.n_branches > 0))))
    data = data_of(page_of(tree))
    texts = [call[1] for call in script(f"{BEGIN}{FAKE}{PAINT}", data) if call[0] == "fillText"]
    wanted = [data["texts"][k] for key in ("name", "edge") for k in data[key]]
    missing = [text for text in wanted if text and text not in texts and not any("…" in t for t in texts)]
    assert not missing
