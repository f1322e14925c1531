"""The words on every drawn edge, compared with the rows that go there: cards, streams, SVG, and the page for browsers.

The judge reads the drawn words as a person would, by grammar, and looks at raw values: it knows neither codes nor the
splits' own words. Rows whose value is missing can only be judged by words that speak of missing values.
"""

import json
import re

import numpy as np
import pandas as pd
import pytest
import shiboken6
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSizeF
from PySide6.QtQml import QJSEngine

import engine
from engine.splits import Literal, Split, Surrogate
from gui import theme
from gui.picture.camera import Camera
from gui.picture.cards.painter import CUT_ROOM
from gui.picture.cards.visible_cards import LEAST_PIXELS
from gui.picture.kinds import KINDS, STREAMS, kind_of
from gui.picture.nodes.letters import NAME, PIXELS, PLAIN, Letters
from gui.picture.paper.picture import planned_drawing, write_picture, write_scene
from gui.picture.paper.sheet import Wish
from gui.picture.paper.web_page import SCRIPTS, VIEWER, page_data
from gui.picture.streams.frame import StreamFrame
from tests.effort import examples
from tests.gui.canvas.trees import drawn_texts, texts_of

TOWNS = ("Aachen", "Bremen", "Chemnitz", "Dresden", "Erfurt", "Fulda", "Bad Neuenahr-Ahrweiler an der Ahr")
NOON = 43_200.0
SIZE = (4_000.0, 3_000.0)


def seconds(text):
    return pd.Timestamp(text).timestamp()


def frame_of_people(n=240):
    """People with a column of every kind; half of them have holes."""
    rng = np.random.default_rng(4)
    start = pd.Timestamp("2020-01-01")
    frame = pd.DataFrame({
        "age": rng.integers(18, 80, n).astype(float),
        "dose": rng.integers(1, 1_000, n) / 100.0,
        "income": rng.integers(-500, 90_000, n) * 1.0,
        "day": start + pd.to_timedelta(rng.integers(0, 400, n), "D"),
        "seen": start + pd.to_timedelta(rng.integers(0, 40_000, n), "min"),
        "town": rng.choice(TOWNS, n),
        "blood": rng.choice(["0", "A", "AB", "B"], n),
        "smokes": rng.random(n) < 0.4,
        "size": pd.Categorical(rng.choice(["small", "middle", "large"], n), ["small", "middle", "large"], ordered=True),
    })  # fmt: skip
    for name in ("age", "day", "town"):
        frame.loc[rng.random(n) < 0.1, name] = None
    frame["well"] = rng.choice(["no", "yes"], n)
    return frame


FRAME = frame_of_people()


@pytest.fixture(scope="module")
def table():
    return engine.Table.from_frame(FRAME, target="well", name="people")


def by(column, *cuts, **how):
    return Split(column, "threshold", thresholds=cuts, **how)


def levels(column, *groups, **how):
    return Split(column, "groups", groups=groups, **how)


def some_of(m, *literals):
    return Split(literals[0].column, "m_of_n", m=m, literals=literals)


OLD, TOWN = Literal("age", ">", 60.5), Literal("town", "==", "Fulda")
RICH, CLEAN, EARLY = Literal("income", ">", 40_000.5), Literal("smokes", "!=", "True"), Literal("day", "<=", 0.0)
EARLY = EARLY._replace(value=seconds("2020-06-01") + NOON)
SPLITS = {
    "a threshold, missing below": by("age", 42.5),
    "a threshold, missing above": by("age", 42.5, missing=1),
    "a threshold, missing apart": by("age", 42.5, missing=2),
    "present or missing": by("age", np.inf, missing=1),
    "several cuts": by("income", -0.5, 12_345.5, 60_000.5),
    "several cuts, missing in the midst": by("age", 30.5, 50.5, missing=1),
    "several cuts, missing apart": by("age", 30.5, 50.5, missing=3),
    "hundredths": by("dose", 0.015, 5.055),
    "days": by("day", seconds("2020-05-03") + NOON, missing=1),
    "days, several cuts": by("day", *(seconds(day) + NOON for day in ("2020-02-28", "2020-12-31")), missing=3),
    "hours": by("seen", seconds("2020-01-15 12:30:30")),
    "two groups": levels("town", TOWNS[:2], TOWNS[2:], missing=1),
    "many levels each": levels("town", TOWNS[::2][:4], TOWNS[1::2], unseen=1),
    "a branch for each level": levels("blood", ("0",), ("A",), ("AB",), ("B",)),
    "a branch for each level and for missing": levels("town", *((town,) for town in TOWNS), (), missing=7),
    "one level against the rest": levels("town", TOWNS[-1:], TOWNS[:-1], missing=1, unseen=1),
    "one level against any other": levels("blood", ("AB",), (), unseen=1),
    "three groups": levels("town", TOWNS[:1], TOWNS[1:4], TOWNS[4:], missing=2),
    "true or false": levels("smokes", ("False",), ("True",)),
    "levels in order": levels("size", ("small", "middle"), ("large",)),
    "two of three": some_of(2, OLD, TOWN, RICH),
    "any of three": some_of(1, RICH, CLEAN, EARLY),
    "all of two": some_of(2, RICH, CLEAN),
    "one condition": some_of(1, TOWN),
    "three of five": some_of(3, OLD, TOWN, RICH, CLEAN, EARLY),
    "surrogates": by("age", 42.5, surrogates=(Surrogate(by("income", 30_000.5)), Surrogate(by("dose", 2.505), True))),
    "surrogates of groups": levels("town", TOWNS[:3], TOWNS[3:], surrogates=(Surrogate(by("age", 40.5), True),)),
}


@pytest.fixture(params=SPLITS)
def tree(request, table):
    """dose ≤ 8 → [the split → [its first branch by income]], so that no edge of interest is at the root alone."""
    grown = engine.Tree.root(table).split(table, 0, by("dose", 8.005))
    grown = grown.split(table, int(grown.ids[1]), SPLITS[request.param])
    return grown.split(table, int(grown.ids[2]), by("income", 20_000.5, 50_000.5))


# -- the judge


def number(words):
    return float(words.replace(",", "").replace("−", "-"))


def quantity(words, values):
    """What stands in the words as a cut, and the values, in comparable units."""
    if not pd.api.types.is_datetime64_any_dtype(values):
        return number(words), values
    day = re.fullmatch(r"\d{4}-\d\d-\d\d", words) is not None
    return pd.Timestamp(words), values.dt.floor("D") if day else values


def named(words, column):
    """bool[n]: the rows with a level that is drawn so, shortened or not; no two levels may be shortened alike."""
    values = FRAME[column].astype(object).map(lambda level: level if level is None else str(level))
    head, cut, tail = words.partition("…")
    if not cut:
        assert (values == words).any(), f"{column} has no “{words}”"
        return values == words
    found = {level for level in values.dropna() if level.startswith(head) and level.endswith(tail)}
    assert len(found) == 1, f"“{words}” might be {found}"
    return values.isin(found)


def condition(words):
    """bool[n]: a condition with a column in it, such as "age > 60.5"; of missing values it is never true."""
    column, test, value = re.fullmatch(r"(\w+) ([≤>=≠]) (.+)", words).groups()
    there = FRAME[column].notna()
    if test in "=≠":
        return there & (named(value, column) if test == "=" else ~named(value, column))
    cut, values = quantity(value, FRAME[column])
    return there & (values <= cut if test == "≤" else values > cut)


QUANTITIES = {
    r"any of": lambda m, n, k: k >= 1, r"none of": lambda m, n, k: k == 0, r"all of": lambda m, n, k: k == n,
    r"not all of": lambda m, n, k: k < n, r"at least (\d+) of": lambda m, n, k: k >= m,
    r"≥ (\d+) of": lambda m, n, k: k >= m,
    r"fewer than (\d+) of": lambda m, n, k: k < m, r"< (\d+) of": lambda m, n, k: k < m,
}  # fmt: skip


def judged_several(words, split):
    """bool[n]: several conditions, in braces or counted; those that are only counted are the split's."""
    for pattern, holds in QUANTITIES.items():
        found = re.fullmatch(rf"{pattern} (\{{(?P<list>.*)\}}|(?P<n>\d+))", words)
        if found is None:
            continue
        if found["list"] is not None:
            conditions = [condition(part) for part in found["list"].split(", ")]
        else:
            conditions = [_literal(literal) for literal in split.literals]
            assert int(found["n"]) == len(conditions)
        m = int(found[1]) if "(" in pattern else 0
        return holds(m, len(conditions), sum(each.astype(int) for each in conditions))
    raise AssertionError(f"“{words}” says nothing of several conditions")


def _literal(literal):
    """bool[n]: a condition that is not written out."""
    values = FRAME[literal.column]
    if literal.test in ("==", "!="):
        same = values.astype(object).map(str) == literal.value
        return values.notna() & (same if literal.test == "==" else ~same)
    if pd.api.types.is_datetime64_any_dtype(values):
        values = (values - pd.Timestamp(0)).dt.total_seconds()
    return values.notna() & (values <= literal.value if literal.test == "<=" else values > literal.value)


def judged(words, split, branch):
    """(bool[n]: whether the words are true of a row, bool[n]: whether they tell it)."""
    every = pd.Series(True, FRAME.index)
    if split.kind == "m_of_n":
        if len(split.literals) > 1:
            return judged_several(words, split), every
        return ~condition(words[4:]) if words.startswith("not ") else condition(words), every
    values = FRAME[split.column]
    missing = values.isna()
    if words in ("missing", "present"):
        return missing == (words == "missing"), every
    if words == "any other":
        others = {level for k, group in enumerate(split.groups) if k != branch for level in group}
        return ~values.astype(object).map(str).isin(others), ~missing
    return judged_alone(words, split, branch), ~missing


def judged_alone(words, split, branch):
    """bool[n]: one column's values or levels."""
    values = FRAME[split.column]
    if found := re.fullmatch(r"([≤>]) (.+)", words):
        cut, compared = quantity(found[2], values)
        return compared <= cut if found[1] == "≤" else compared > cut
    if found := re.fullmatch(r"in \((.+), (.+)\]", words):
        (low, compared), (high, _) = quantity(found[1], values), quantity(found[2], values)
        return (compared > low) & (compared <= high)
    if found := re.fullmatch(r"= (.+)", words):
        return named(found[1], split.column)
    if found := re.fullmatch(r"in (\d+) of (\d+)(?:: (.+?) ?…)?", words):  # which others is told by the tip
        group = split.groups[branch]
        assert (int(found[1]), int(found[2])) == (len(group), sum(map(len, split.groups)))
        assert any(level.startswith((found[3] or "").strip()) for level in group)
        return values.isin(group)
    found = re.fullmatch(r"in \{(.+)\}", words)
    assert found, f"“{words}” is no condition that a person knows"
    return sum((named(part, split.column) for part in found[1].split(", ")), pd.Series(False, FRAME.index))


def branches(tree, table):
    """bool[n_nodes, n]: which rows stand in which node."""
    leaf = tree.apply(table)
    return np.array([(leaf >= i) & (leaf < tree.end[i]) for i in range(tree.n_nodes)])


def check(tree, table, drawn, *, every):
    """The drawn words are true of all rows that go there, and of none that take another branch of the same node.

    Args:
        drawn: {position: words on the edge into it}; without any an edge is not checked.
        every: whether all edges have to have words.
    """
    inside = branches(tree, table)
    for i in range(1, tree.n_nodes):
        parent, words = int(tree.parent[i]), drawn.get(i, "")
        if not words:
            assert not every, f"no words on the edge into node {i}, {tree.sentence(i)}"
            continue
        true, told = judged(words, tree.split_at(parent), int(tree.branch[i]))
        wrong = np.flatnonzero(inside[parent] & told.to_numpy() & (true.to_numpy(bool) != inside[i]))
        assert not wrong.size, f"“{words}” is wrong of rows {wrong[:5]}, {tree.split_at(parent)}"
    for parent in np.flatnonzero(tree.n_branches):
        said = [drawn[k] for k in tree.children(int(parent)) if drawn.get(k)]
        assert len(set(said)) == len(said), f"two branches read the same: {said}"


# -- what is drawn


def on_cards(texts, frame, n):
    """{position: words} from (x, y, text) of all texts: those in the middle above a card."""
    found, letters = {}, frame.scene.cards.letters
    for i in range(1, n):
        scale, box = max(frame.scale(i), LEAST_PIXELS / PIXELS[NAME]), frame.box(i)
        for x, y, text in texts:
            middle = x + letters.width(text) * scale / 2
            if abs(middle - box.center().x()) < 3 and box.top() - 24 * scale < y < box.top():
                assert i not in found, f"“{found[i]}” and “{text}” stand above the same card"
                found[i] = text
    return found


def on_streams(texts, frame, n):
    """{position: words}: those that end at a bar. Where columns are narrow, names lie over their bars: none of them."""
    found, named = {}, [spot.box.adjusted(-1, -1, 1, 1) for spot in frame.overview.values()]
    cuts = {frame.scene.cards.cut(i, CUT_ROOM, PLAIN) for i in frame.scene.leading()}  # beside the splits themselves
    texts = [text for text in texts if text[2] not in cuts and not any(box.contains(*text[:2]) for box in named)]
    for i in range(1, n):
        bar = frame.bar_box(i)
        here = [
            (bar.left() - x, text)
            for x, y, text in texts
            if bar.left() - frame.pitch + frame.bar < x < bar.left() and bar.top() - 8 < y < bar.bottom() + 8
            and x + frame.scene.cards.letters.width(text) * frame.words > bar.left() - 14 * frame.words
        ]  # fmt: skip
        if here:
            found[i] = min(here)[1]
    return found


def scene_of(kind, tree):
    return KINDS[kind].scene(tree, 1, theme.LIGHT, Letters())


def words_on(scene, texts, camera, size):
    frame = kind_of(scene).frame(scene, camera, QSizeF(*size))
    return (on_streams if isinstance(frame, StreamFrame) else on_cards)(texts, frame, scene.tree.n_nodes)


@pytest.mark.parametrize("zoom", [1.0, 1.7])
def test_words_on_the_edges_of_cards_are_true_of_the_rows_that_go_there(qapp, tree, table, zoom):
    scene = scene_of("cards", tree)
    camera = Camera(x=40.0, y=40.0).zoomed(zoom, 0, 0)
    texts = drawn_texts(lambda p: KINDS["cards"].paint(p, scene, camera, *SIZE))
    check(tree, table, words_on(scene, texts, camera, SIZE), every=True)


def test_words_on_streams_are_true_of_the_rows_that_go_there(qapp, tree, table):
    scene = scene_of("streams", tree)
    camera = scene.fitted(*SIZE)
    texts = drawn_texts(lambda p: STREAMS.paint(p, scene, camera, *SIZE))
    check(tree, table, words_on(scene, texts, camera, SIZE), every=True)


def told_on_paper(tree, tmp_path):
    """The texts of a picture for paper, and the lines of its key that tell of missing values, without their numbers."""
    path = tmp_path / "tree.svg"
    write_picture(tree, path)
    texts = [text for *_, text in texts_of(path.read_text(encoding="utf-8"))]
    return texts, [re.sub(r"^\[\d+\] ", "", text) for text in texts]


def test_paper_says_where_the_rows_with_missing_values_go(qapp, tree, table, tmp_path):
    texts, lines = told_on_paper(tree, tmp_path)
    inside = branches(tree, table)
    for i in range(1, tree.n_nodes):
        parent = int(tree.parent[i])
        split = tree.split_at(parent)
        says = tree.sentence(i).removeprefix(f"{split.column} ")
        if split.kind == "m_of_n" or says in ("missing", "present"):
            continue  # a condition of a missing value does not hold
        lacking = FRAME[split.column].isna().to_numpy()
        begins = engine.splits.full_words(split, int(tree.branch[i]), tree.kinds, lacking=False)
        told = " ".join(lines)  # a long one is broken
        if split.surrogates:
            assert f"{begins} (where missing: " in told
        elif (inside[parent] & lacking).any():
            assert (f"{begins} or missing" in told) == (inside[i] & lacking).any(), texts


def test_paper_says_below_which_node_a_cut_sends_missing_values_elsewhere(qapp, table, tmp_path):
    tree = engine.Tree.root(table).split(table, 0, by("dose", 5.005))
    for node, missing in zip(tree.ids[1:].tolist(), (0, 1), strict=True):
        tree = tree.split(table, node, by("age", 42.5, missing=missing))
    _, lines = told_on_paper(tree, tmp_path)
    assert {"age ≤ 42.5 or missing (dose ≤ 5.005)", "age > 42.5 or missing (dose > 5.005)"} <= set(lines)


@given(room=st.floats(20, 220))
@examples(60)
def test_how_many_levels_there_are_is_never_shortened(qapp, table, room):
    """First the words are made for usual room, then for less: a second gap might be in it."""
    split = levels("town", (TOWNS[-1], *TOWNS[1:4]), (TOWNS[0], *TOWNS[4:6]))
    cards = scene_of("cards", engine.Tree.root(table).split(table, 0, split)).cards
    words = cards.label_within(1, room)
    assert cards.letters.width(words) <= room
    assert not words or words == "in 4 of 7" or re.fullmatch(r"in 4 of 7: [^…]+ ?…", words)


def test_names_on_edges_have_more_letters_where_there_is_more_room(qapp, table):
    split = levels("town", (TOWNS[-1],), TOWNS[:-1])
    cards = scene_of("cards", engine.Tree.root(table).split(table, 0, split)).cards
    assert "…" in cards.label(1)
    assert cards.label_within(1, 400.0) == f"= {TOWNS[-1]}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [320, 700])
def test_words_that_are_shortened_or_left_out_for_want_of_room_stay_true(qapp, tree, table, kind, width):
    scene = scene_of(kind, tree)
    size = (width, width * 0.7)
    camera = scene.fitted(*size)
    texts = drawn_texts(lambda p: KINDS[kind].paint(p, scene, camera, *size), *map(int, size))
    check(tree, table, words_on(scene, texts, camera, size), every=False)


@pytest.mark.parametrize("kind", KINDS)
def test_words_in_an_svg_are_true_of_the_rows_that_go_there(qapp, tmp_path, tree, table, kind):
    scene, wish = scene_of(kind, tree), Wish(title="A tree", figures="12 leaves")
    path = tmp_path / "tree.svg"
    write_scene(scene, path, wish)
    sheet = planned_drawing(scene, wish).sheet
    size = sheet.width, sheet.height
    texts = texts_of(path.read_text("utf-8"))
    drawn, key = words_on(scene, texts, sheet.camera, size), " ".join(sheet.key.lines)
    assert {line for line in sheet.key.lines} <= {text for *_, text in texts}
    for i, number in sheet.key.numbers.items():  # what has no room is written out below
        assert drawn[i].endswith(f"[{number}]") and f"[{number}] {tree.rule(int(tree.ids[i]), 1)[-1]}" in key
        drawn[i] = tree.branch_words(i)
    check(tree, table, drawn, every=True)


EDGES = """
const tree = makeTree(JSON.parse(data)); let drawn = [];
tree.data.ribbon = tree.data.rows.map(function () { return 3; });
tree.data.leavesAt = tree.data.rows.map(function () { return 0; });
const ctx = new Proxy({}, {
  get: function (kept, name) {
    if (name === "measureText") return function (text) { return {width: 6 * text.length}; };
    if (name in kept) return kept[name];
    return function () { if (name === "fillText") drawn.push(arguments[0]); };
  },
  set: function (kept, name, value) { kept[name] = value; return true; }
});
compareLetters(ctx, tree.data.sample);
const places = layout(tree), frame = makeFrame(tree, places, fitted(tree, places, 9000, 9000));
const look = Object.assign({name: "light"}, tree.data.looks.light), found = {};
const painter = new Painter(ctx, frame, look, {hovered: -1, selected: -1, focused: false});
painter.size = [9000, 9000];
for (let i = 1; i < tree.n; i++) { drawn = []; painter.edgeWords(i); if (drawn.length) found[i] = drawn.join("|"); }
return JSON.stringify(found);
"""


@pytest.fixture(scope="module")
def browser(qapp):
    """The page's own script."""
    script = QJSEngine()
    script.globalObject().setProperty("Path2D", script.evaluate("(function () {})"))
    assert not script.evaluate("\n".join((VIEWER / name).read_text("utf-8") for name in SCRIPTS)).isError()
    yield script
    shiboken6.delete(script)


def test_words_on_the_page_for_browsers_are_true_of_the_rows_that_go_there(browser, tree, table):
    data = json.dumps(page_data(scene_of("cards", tree), Wish()))
    found = browser.evaluate(f"(function (data) {{ {EDGES} }})").call([browser.toScriptValue(data)])
    assert not found.isError(), found.toString()
    drawn = {int(i): words for i, words in json.loads(found.toString()).items()}
    check(tree, table, drawn, every=False)
    assert len(drawn) > (tree.n_nodes - 1) / 2


def test_tips_say_where_missing_values_go(tree):
    """What the words on an edge have no room for."""
    split = tree.split_at(1)
    if split.column not in ("age", "town", "day") or split.kind == "m_of_n":
        return
    said = [tree.rule(int(tree.ids[k]))[-1] for k in tree.children(1)]
    if split.surrogates:
        assert all("(where missing: " in rule for rule in said)
    else:
        assert ["missing" in rule for rule in said] == [k == split.missing for k in range(split.n_branches)]


def test_the_judge_finds_the_words_of_another_branch(table):
    """It would not see a fault otherwise."""
    tree = engine.Tree.root(table).split(table, 0, by("age", 42.5)).split(table, 1, by("income", 20_000.5))
    right = {i: tree.branch_words(i) for i in range(1, tree.n_nodes)}
    check(tree, table, right, every=True)
    for i, words in right.items():
        for other in ("≤ 40", "> 20,000.5", "≤ 30,001.5", "in (1, 2]", "missing", words[::-1]):
            if other != words:
                with pytest.raises((AssertionError, ValueError)):
                    check(tree, table, {**right, i: other}, every=True)
