"""Trees to be looked at: real ones split by hand, and random ones of any size."""

import re
from html import unescape
from types import SimpleNamespace

import numpy as np
import pandas as pd
from PySide6.QtCore import QBuffer, QByteArray, QObject, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

import engine
from engine.splits import Split
from engine.tree.nodes import Nodes, TreeColumn, unfilled
from engine.tree.tree import Tree
from gui.model.search.further import AHEAD
from gui.model.view_state.look import Look
from gui.model.view_state.several import Several

CITIES = ("Amsterdam", "Berlin", "Copenhagen", "Dublin")


def people(n=400, target="buys", validation=0.25, seed=0):
    """A table of people; `target` is "buys" (two classes), "city" (four) or "income" (a number)."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    city = rng.choice(CITIES, n, p=[0.4, 0.3, 0.2, 0.1])
    income = (20_000 + 400 * age + rng.normal(0, 4_000, n)).round(2)
    buys = np.where(rng.random(n) < 1 / (1 + np.exp((40 - age) / 8)), "yes", "no")
    frame = pd.DataFrame({"age": age, "city": city, "income": income, "buys": buys})
    table = engine.Table.from_frame(frame, target=target, name="people")
    return table.with_partition(validation=validation, seed=1) if validation else table


def by_age(cut):
    return Split("age", "threshold", thresholds=(float(cut),))


def by_city():
    return Split("city", "groups", groups=(CITIES[:1], CITIES[1:]))


def five_nodes(table):
    """root -> [age ≤ 42.5 -> [city = Amsterdam | others] | age > 42.5], all by hand."""
    tree = engine.Tree.root(table).split(table, 0, by_age(42.5))
    if table.target == "city":
        return tree.split(table, 1, Split("income", "threshold", thresholds=(33_000.0,)))
    return tree.split(table, 1, by_city())


def path(tree, i):
    """Positions from node i up to the root."""
    return [i, *path(tree, int(tree.parent[i]))] if i > 0 else [i]


def random_tree(n=59, task="classes", classes=("no", "yes"), branches=2, seed=0, validation=True, lean=0.5):
    """A tree of about n nodes with made-up counts that add up; `lean` 1 makes it a staircase."""
    rng = np.random.default_rng(seed)
    columns = (
        TreeColumn("late_payments", "integer", (), False),
        TreeColumn("a rather long name of a column that nobody wanted to abbreviate", "number", (), False),
        TreeColumn("opened", "date", (), False),
    )
    k = len(classes) if task == "classes" else 1
    parts = [{"s": rng.multinomial(24_000, rng.dirichlet(np.full(k, 3.0))).astype(float), "c": []}]
    leaves, made = [parts[0]], 1
    while made + branches <= n:
        place = len(leaves) - 1 if rng.random() < lean else int(rng.integers(len(leaves)))
        leaf = leaves.pop(place)
        rest = leaf["s"]
        for _ in range(branches - 1):
            part = np.floor(rest * rng.beta(1.5, 1.5, k))
            leaf["c"].append({"s": part, "c": []})
            rest = rest - part
        leaf["c"].append({"s": rest, "c": []})
        leaves += leaf["c"]
        made += branches
    order, stack = [], [parts[0]]
    while stack:
        part = stack.pop()
        order.append(part)
        stack += part["c"][::-1]
    return _bundle(order, task, classes, columns, branches, rng, validation)


def _bundle(order, task, classes, columns, branches, rng, validation):
    n = len(order)
    inner = np.array([len(part["c"]) for part in order], dtype=np.int32)
    counts = np.array([part["s"] for part in order])
    rows = counts.sum(axis=1).astype(np.int64)
    train = counts
    if task == "number":
        mean = rng.normal(0, 30, n) * (np.arange(n) > 0)
        train = np.column_stack((rows, rows * mean, rows * 900.0))
    held_out = train * 0.25 if validation else np.zeros_like(train)
    column = np.where(inner > 0, rng.integers(0, len(columns), n), -1).astype(np.int32)
    zero, far = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int64)
    cut = np.where(column == 2, 86_400.0 * rng.integers(10_000, 20_000, n), rng.normal(0, 1_000, n).round(3))
    cut = np.where(inner > 0, cut, np.nan)
    further = [cut[i] + 86_400.0 * step for i in np.flatnonzero(inner) for step in range(1, branches - 1)]
    size = np.where(inner > 0, branches - 2, 0).astype(np.int64)
    start = np.cumsum(size) - size
    kind = (inner > 0).astype(np.int8)
    by_hand = (inner > 0) & (rng.random(n) < 0.3)
    nodes = Nodes(
        far + np.arange(n), inner, kind, column, cut, zero, zero, start, size, by_hand,
        train, held_out, rows, (rows * 0.25 * validation).astype(np.int64), *unfilled(n),
    )  # fmt: skip
    names = tuple(classes) if task == "classes" else ()
    return Tree(task, "outcome", names, columns, nodes, np.array(further), origin=3_900.0, next_id=n)


class Unjudged(QObject):
    """No other samples were drawn."""

    changed = Signal()

    def returned(self, tree):
        return None


class Alone(QObject):
    """What a document compares its tree with: nothing."""

    changed = Signal()
    shares = None


class Unboxed(QObject):
    """Box plots that nobody finds."""

    changed = Signal()


class Uncut(QObject):
    """Clicks that only select."""

    changed = Signal()
    on = False

    def made(self, tree):
        return False


class Known(QObject):
    """What is found out about candidates, as far as it is told."""

    changed = Signal(str, dict)

    def __init__(self, parent):
        super().__init__(parent)
        self.ahead = {}

    def second_level_of(self, candidate):
        return self.ahead.get(candidate.column, candidate.ahead)

    def tell(self, ahead):
        self.ahead = ahead
        self.changed.emit(AHEAD, ahead)


class Unranked(QObject):
    """Candidates that nobody asks for."""

    changed = Signal()

    def __init__(self, parent):
        super().__init__(parent)
        self.further = Known(self)


class Untried(QObject):
    """A threshold that nobody moves."""

    changed, tried, tried_tree = Signal(), Signal(), None


class Unplayed(QObject):
    """No replay."""

    changed = Signal()
    tree, node, shown_at, n_steps = None, 0, 0, 0

    def end(self):
        pass


class Shown(QObject):
    """As much of a document as the canvas knows."""

    treeChanged = Signal(object, object)
    selectionChanged = Signal(int)
    previewChanged = Signal(object)
    focusChanged = Signal()
    tableChanged = Signal()
    told = Signal(str)

    def __init__(self, table=None, tree=None):
        super().__init__()
        self.table, self.tree = table, tree
        self.selected, self.preview, self.candidates = 0, None, None
        self.comparing = Alone(self)
        self.judging = Unjudged(self)
        self.assessing = Untried(self)
        self.replaying = Unplayed(self)
        self.click_cut = Uncut(self)
        self.look = Look(self)
        self.several = Several(self)
        self.following = SimpleNamespace(end_row=lambda: None, end_rows=lambda: None, on=False)
        self.box_plots = Unboxed(self)
        self.ranking = Unranked(self)
        self.focus_class = 1 if tree is not None and len(tree.classes) == 2 else 0

    def select(self, node):
        self.selected = node
        self.selectionChanged.emit(node)

    def show_tree(self, tree, table=None):
        before, self.tree = self.tree, tree
        if table is not None:
            self.table = table
            self.tableChanged.emit()
        self.treeChanged.emit(before, tree)

    def set_preview(self, candidate):
        self.preview = candidate
        self.previewChanged.emit(candidate)


def agrees(shown, whole, tree=None, i=0):
    """Whether words say what the whole ones say: the same, shortened in the middle (at the end where few letters are
    left), or, of the levels of a branch into position i of a tree, how many they are and the beginning of the first."""
    head, cut, tail = shown.partition("…")
    shortened = bool(cut and head and (tail or len(shown) <= 9) and whole.startswith(head) and whole.endswith(tail))
    if shown == whole or shortened:
        return True
    split = tree.split_at(int(tree.parent[i])) if i else None
    group = split.groups[int(tree.branch[i])] if split is not None and split.groups else ()
    counted = f"in {len(group)} of {sum(map(len, split.groups))}: {group[0]}" if group else ""
    return len(group) > 1 and bool(cut) and not tail and counted.startswith(head.rstrip()) and ": " in head


TEXT = re.compile(r'<text[^>]*\bx="([-\d.e]+)" y="([-\d.e]+)"[^>]*>(.*?)</text>', re.DOTALL)


def texts_of(svg):
    """(x, y, text) of every text in an SVG, in the order drawn."""
    return [(float(x), float(y), unescape(text).strip()) for x, y, text in TEXT.findall(svg)]


def drawn_texts(draw, width=4_000, height=3_000):
    """What `draw(painter)` writes: (x, y, text) of every text, x at its left end, y at its base line."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(96)
    generator.setSize(QSize(width, height))
    painter = QPainter(generator)
    draw(painter)
    painter.end()
    buffer.close()
    return texts_of(data.data().decode("utf-8"))
