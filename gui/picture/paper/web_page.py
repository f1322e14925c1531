"""A tree as one page for browsers, which asks no network for anything: `resources/viewer/page.html` with the scripts
beside it and the tree as JSON inside. What cards say, how wide they are and which colours they have is decided here;
`layout.js` finds places anew whenever a branch is folded."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QPainterPath

from engine.runtime.errors import printable
from engine.runtime.files import to_json
from engine.runtime.sentences import tr
from gui.picture import legend
from gui.picture.cards.scene import GAP, WIDEST_EDGE, Scene
from gui.picture.nodes import badges
from gui.picture.nodes.cards import EDGE_HEIGHT, HEIGHTS, TIGHT, Row
from gui.picture.nodes.letters import LEAST_LABEL, NAME, PIXELS, counted_words
from gui.picture.paper.sheet import Wish
from gui.picture.picture_model import PictureModel
from gui.theme import DARK, LIGHT, ink
from gui.wording import hand_phrases, words

VIEWER = Path(__file__).resolve().parents[3] / "resources" / "viewer"
SCRIPTS = ("layout.js", "frame.js", "paint.js", "bars.js", "boxes.js", "tip.js", "main.js")
SAMPLE = "late_payments ≤ 1,234.5 · 18.6k"  # by which the page compares a browser's letters with ours
COLOURS = ("canvas", "card", "border", "text", "secondary", "neutral", "accent", "window")


def web_page(scene: PictureModel, wish: Wish, top: int = 0) -> str:
    """The page of the branch below the node at position `top`. It begins light or dark and can be switched."""
    data = page_data(scene, wish, top)
    # "<" would end the script that holds the tree; the two other characters once ended lines in scripts.
    text = to_json(data, separators=(",", ":")).replace("<", "\\u003c")
    script = "\n".join((VIEWER / name).read_text("utf-8") for name in SCRIPTS)
    parts = {"title": escape(printable(data["title"])), "theme": data["theme"], "data": text, "script": script}
    page = (VIEWER / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def page_data(scene: PictureModel, wish: Wish, top: int = 0) -> dict[str, Any]:
    """What the page knows of a tree; a list has an entry for each node, in preorder. Texts are numbers of `texts`."""
    tree, cards = scene.tree, scene.cards
    rows = slice(top, int(tree.end[top]))
    texts = _Texts()
    both = {look.name: Scene(tree, scene.focus, look, cards.letters, scene.options) for look in (LIGHT, DARK)}
    flow = tree.rows_validation if cards.part == "validation" else tree.rows_train
    parent = tree.parent[rows] - top
    parent[0] = -1
    nodes = range(rows.start, rows.stop)
    marks = ((i - top, list(scene.badges(i)), hand_phrases.sentences(tree, i)) for i in nodes)
    return {
        "format": "espalier-page",
        "version": 1,
        "title": wish.title or tr("Decision tree: {target}", target=tree.target),
        "figures": wish.figures,
        "theme": "dark" if wish.theme == "dark" else "light",
        "task": tree.task,
        "target": tree.target,
        "classes": list(tree.classes),
        "median": tree.predicts_median,
        "sizes": {
            "card": cards.card_height, "tile": cards.tile_height, "pitch": cards.card_height + EDGE_HEIGHT,
            "gap": GAP, "edge": WIDEST_EDGE, "label": LEAST_LABEL,
        },
        "sample": [SAMPLE, cards.letters.width(SAMPLE, NAME)],
        "stacked": cards.stacked,
        "barred": cards.barred,
        "striped": scene.colours.striped,
        "lines": {"card": _lines(cards.inner_rows), "tile": _lines(cards.leaf_rows)},
        "tick": None if cards.stacked else 0.5 if tree.task == "number" else round(float(scene.bar_ends[0, 0]), 4),
        "rows": tree.rows_train[rows].tolist(),
        "rowsOfAll": int(tree.rows_train[0]),
        "flow": flow[rows].tolist(),
        "flowOfAll": int(flow[0]),
        "validationRows": tree.rows_validation[rows].tolist() if tree.rows_validation[0] else None,
        "id": tree.ids[rows].tolist(),
        "parent": parent.tolist(),
        **_words(scene, nodes, texts),
        "split": [texts[tree.title(i)] for i in nodes],
        "rule": [texts["" if i == 0 else tree.rule(int(tree.ids[i]), 1)[-1]] for i in nodes],
        "start": tree.rule(int(tree.ids[top])),
        "folded": np.flatnonzero(scene.folded.closed[rows]).tolist() if scene.folded is not None else [],
        "marks": {i: {"badges": names, "said": said} for i, names, said in marks if names or said},
        "badges": _badges(scene, nodes),
        "bar": _bars(scene, rows),
        "boxes": _boxes(scene, nodes),
        **_counts(scene, rows),
        # each node's place among the colours of `_look`
        "shade": np.unique(scene.colours.shade, return_inverse=True)[1][rows].tolist(),
        "looks": {name: _look(each, wish.legend) for name, each in both.items()},
        "texts": list(texts),
    }  # fmt: skip


def _words(scene: PictureModel, nodes: range, texts: _Texts) -> dict[str, list[Any]]:
    cards, top = scene.cards, nodes.start
    above = [scene.tree.split_at(int(scene.tree.parent[i])) if i > top else None for i in nodes]
    splits = list(zip(nodes, above, strict=True))
    said = [(cards.title(i),) if not cards.is_inner(i) else () for i in nodes]
    briefs = [cards.briefs(i) if cards.says_figure(i) else title for i, title in zip(nodes, said, strict=True)]
    return {
        "width": np.round(cards.widths[top : nodes.stop], 1).tolist(),
        "room": np.round(cards.room[top : nodes.stop], 1).tolist(),
        "nameRoom": np.round(cards.name_room[top : nodes.stop], 1).tolist(),
        "words": [[[texts[form] for form in row.forms(i)] for row in cards.rows(i)] for i in nodes],
        "name": [texts[cards.titles(i)[0]] for i in nodes],
        "briefs": [[texts[form] for form in forms] for forms in briefs],
        "counted": [int(cards.says_figure(i)) for i in nodes],
        "edge": [texts["" if i == top else cards.label(i)] for i in nodes],
        "elides": [int(split is not None and split.kind != "threshold" and not split.literals) for split in above],
        "edgeCount": [texts[counted_words(scene.tree.branch_words(i), split) if split else ""] for i, split in splits],
        "colour": [texts[scene.colours.says(i)] for i in nodes],
    }


def _lines(rows: list[Row]) -> list[dict[str, Any]]:
    return [
        {"size": PIXELS[row.kind], "bold": row.kind == NAME, "middle": row.middle, "high": TIGHT * HEIGHTS[row.kind],
         "titles": row.titles}
        for row in rows
    ]  # fmt: skip


class _Texts(dict[str, int]):
    """Texts, each of them once, and the numbers that elsewhere stand for them."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


def _badges(scene: PictureModel, nodes: range) -> dict[str, dict[str, str]]:
    there = {name for i in nodes for name in scene.badges(i)} | {badges.MORE}
    found = {}
    for name in sorted(there):
        found[name] = {"path": _svg_path(badges.drawing(name))}
        for look in (LIGHT, DARK):
            fill, drawn = badges.colours(look, name)
            found[name][look.name] = f"{fill.name()} {drawn.name()}"
    return found


def _svg_path(path: QPainterPath) -> str:
    kind = QPainterPath.ElementType
    kinds = {kind.MoveToElement: "M", kind.LineToElement: "L", kind.CurveToElement: "C"}
    elements = map(path.elementAt, range(path.elementCount()))
    return "".join(f"{kinds.get(one.type, ' ')}{one.x:.3f} {one.y:.3f}" for one in elements)


def _bars(scene: PictureModel, rows: slice) -> list[float]:
    """What the bars show, the figures of all nodes in one list: of classes, where each but the last one ends, from 0 to
    1; of a number where what the node says stands, and one deviation below and above."""
    if scene.tree.task == "classes":
        return np.round(scene.bar_ends[rows, :-1], 4).ravel().tolist()
    said, spread = scene.cards.rate, scene.spread
    unit = 4 * float(spread[0]) or np.inf
    centre = 0.5 + (said[rows] - float(said[0])) / unit
    ends = np.column_stack((centre, centre - spread[rows] / unit, centre + spread[rows] / unit))
    return np.round(np.nan_to_num(ends, nan=0.5).clip(0, 1), 4).ravel().tolist()


def _boxes(scene: PictureModel, nodes: range) -> list[list[float] | None] | None:
    """Of a number, where in the bar 5, 25, 50, 75 and 95 % of the values end, as far as that is known."""
    if scene.tree.task == "classes":
        return None
    first, unit = float(scene.cards.rate[0]), 4 * float(scene.spread[0]) or np.inf
    found = [scene.box_plot(i) for i in nodes]
    return [None if five is None else np.round(0.5 + (five - first) / unit, 4).clip(0, 1).tolist() for five in found]


def _counts(scene: PictureModel, rows: slice) -> dict[str, Any]:
    """The table of the tooltip: how often each class is there, or what a node says and how far values lie from it."""
    tree = scene.tree
    if tree.task == "number":
        return {
            "answer": [words.value(float(value)) for value in tree.predictions[rows]],
            "spread": [words.value(float(value)) for value in scene.spread[rows]],
        }
    found = {"train": _plain(tree.train[rows]), "label": tree.labels[rows].tolist()}
    return {**found, "validation": _plain(tree.validation[rows])} if tree.rows_validation[0] else found


def _plain(counts: np.ndarray) -> list[float]:
    """Counts in one list, those that are whole without a decimal point."""
    return [int(c) if c == int(c) else round(c, 3) for c in counts.ravel().tolist()]


def _look(scene: PictureModel, with_legend: bool) -> dict[str, Any]:
    look, colours = scene.theme, scene.colours
    firsts = np.unique(colours.shade, return_index=True)[1].tolist()
    fills = [colours.ribbon(i) for i in firsts]
    order = scene.bar_order if scene.tree.task == "classes" else []
    classes = colours.class_colours()
    return {
        **{name: getattr(look, name).name() for name in COLOURS},
        "ribbons": [fill.name() for fill in fills],
        "ribbonInks": [ink(fill).name() for fill in fills],
        "classes": [classes[k].name() for k in order],
        "legend": _legend(scene) if with_legend else [],
    }


def _legend(scene: PictureModel) -> list[dict[str, Any]]:
    return [
        {"text": item.text, "colours": [colour.name() for colour in item.colours], "round": item.round,
         "apart": item.apart, "letter": item.letter}
        for item in legend.items(scene)
    ]  # fmt: skip
