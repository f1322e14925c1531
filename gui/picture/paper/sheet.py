"""A tree on paper: a heading, the drawing, the legend, and where each of them stands."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

import engine
from engine.runtime.sentences import tr
from gui import theme as themes
from gui.picture import fold_marks, legend
from gui.picture.camera import Camera, Spacing
from gui.picture.kinds import kind_of
from gui.picture.nodes.cards import MOST_MEASURED
from gui.picture.nodes.letters import NAME, PIXELS, PLAIN, Letters, fonts
from gui.picture.picture_model import PictureModel
from gui.wording import words

MARGIN = 32.0
TITLE = 4 / 3  # the size of the title's letters, of that of names on cards
TITLE_LINE, FIGURES_LINE, ABOVE = 26.0, 18.0, 16.0
KEY_LINE, KEY_APART = 15.0, 12.0  # pixels of a line of the key, and above it
KEY_SHARE = 0.35  # of the height of a page that the key takes at most
APART = " · "  # between figures, where a line may end
PAPERS = {**themes.THEMES, "white": replace(themes.LIGHT, name="white", canvas=themes.LIGHT.card)}


@dataclass(frozen=True)
class Wish:
    """How a picture is to look."""

    theme: str = "light"  # "light", "white" (the same on white paper) or "dark"
    legend: bool = True  # whether the line below says what the colours mean
    title: str = ""  # title, figures: what stands above; nothing where they are empty
    figures: str = ""
    scale: float = 2.0  # pixels of a PNG for each pixel of the screen
    box: tuple[int, int] | None = None  # pixels into which a PNG or an SVG is fitted; None for what the tree needs
    page: str = ""  # the paper of a PDF, of `pages.PAGES`; empty for one page as large as the tree
    split: bool = False  # whether it is split over as many pages as it needs
    cards: float = 1.0  # the size of the cards on split pages; 1 is natural
    folded: bool = False  # whether branches that are folded on the canvas are folded in the picture, too

    def to_text(self) -> str:
        """All of it but the words, to be kept until the next time."""
        return json.dumps({k: v for k, v in asdict(self).items() if k not in ("title", "figures")})

    @classmethod
    def from_text(cls, text: str) -> Self:
        """What `to_text` wrote, as far as it can be used."""
        try:
            kept = json.loads(text)
        except ValueError:
            return cls()
        usual = cls()
        given: dict[str, Any] = {}
        for each in fields(cls) if isinstance(kept, dict) else ():
            value, like = kept.get(each.name), getattr(usual, each.name)
            if each.name == "box" and isinstance(value, list) and [type(v) for v in value] == [int, int]:
                given["box"] = tuple(value)
            elif isinstance(like, float) and type(value) in (int, float):
                given[each.name] = float(value)
            elif like is not None and type(value) is type(like):
                given[each.name] = value
        return cls(**given) if given.get("theme", "light") in PAPERS else cls()


@dataclass(frozen=True)
class View:
    """What a screen of some size shows."""

    camera: Camera
    width: float
    height: float


@dataclass(frozen=True)
class Key:
    """What stands below a drawing, in columns."""

    lines: list[str] = field(default_factory=list)  # of text, column by column
    numbers: Mapping[int, int] = field(default_factory=dict)  # of conditions, by the nodes that they lead to
    rows: int = 1  # lines in a column
    column: float = 0.0  # pixels from one column to the next
    height: float = 0.0  # pixels


NO_KEY = Key()


@dataclass(frozen=True)
class Sheet:
    """Paper with a tree on it, in pixels."""

    scene: PictureModel
    camera: Camera
    width: float
    height: float
    wish: Wish
    head: float = 0.0  # the height of what stands above the drawing
    top: int = 0  # the position of the branch's node; 0 for the whole tree
    cut: bool = False  # whether the drawing may reach into heading and legend, which then cover it
    key: Key = NO_KEY  # what is written out below the drawing
    roomy: bool = False  # whether it is as large as words need

    def draw(self, painter: QPainter, dpi: float, part: QRectF | None = None) -> None:
        """Draws it, or the part of it that a page shows, with its corner at the painter's origin."""
        self.scene.paper, self.scene.roomy, self.scene.cards.keyed = True, self.roomy, self.key.numbers
        shown = part if part is not None else QRectF(0, 0, self.width, self.height)
        x, y, canvas = -shown.x(), -shown.y(), self.scene.theme.canvas
        painter.fillRect(QRectF(0, 0, shown.width(), shown.height()), canvas)
        camera = self.camera.moved(x, y)
        kind, size = kind_of(self.scene), QSizeF(shown.width(), shown.height())
        kind.paint(painter, self.scene, camera, size.width(), size.height(), dpi=dpi, top=self.top)
        if self.scene.folded is not None:
            placed, sides = kind.frame(self.scene, camera, size), (size.width(), size.height())
            marks = fold_marks.marks_of(placed, sides, top=self.top)
            fold_marks.paint(painter, placed, marks, sides, dpi, self.top)
        foot = legend.HEIGHT + 4 if self.wish.legend else 0.0
        if self.cut:
            painter.fillRect(QRectF(x, y, self.width, self.head), canvas)
            painter.fillRect(QRectF(x, y + self.height - foot, self.width, foot), canvas)
            for at, there in ((self.head, self.head), (self.height - foot, foot)):
                if there:
                    painter.fillRect(QRectF(x, y + at, self.width, 1), self.scene.theme.border)
        self._head(painter, x, y, dpi)
        self._key(painter, x + MARGIN, y + self.height - foot - self.key.height + KEY_LINE, dpi)
        if self.wish.legend:
            room = self.width - 2 * MARGIN + 32
            legend.paint(painter, self.scene, x + MARGIN - 16, y + self.height - foot, room, dpi)

    def _head(self, painter: QPainter, x: float, y: float, dpi: float) -> None:
        letters, look, at = self.scene.cards.letters, self.scene.theme, y + ABOVE
        room = self.width - 2 * MARGIN
        if self.wish.title:
            painter.setFont(fonts(TITLE, dpi)[NAME])
            painter.setPen(look.text)
            title = letters.elided(self.wish.title, room / TITLE, NAME)
            painter.drawText(QPointF(x + MARGIN, at + PIXELS[NAME] * TITLE), title)
            at += TITLE_LINE
        painter.setFont(fonts(1.0, dpi)[PLAIN])
        painter.setPen(look.secondary)
        for line in _small_lines(self.scene, self.wish, self.top, room):
            painter.drawText(QPointF(x + MARGIN, at + PIXELS[PLAIN]), letters.elided(line, room))
            at += FIGURES_LINE

    def _key(self, painter: QPainter, x: float, y: float, dpi: float) -> None:
        painter.setFont(fonts(1.0, dpi)[PLAIN])
        painter.setPen(self.scene.theme.text)
        for k, line in enumerate(self.key.lines):
            column, row = divmod(k, self.key.rows)
            painter.drawText(QPointF(x + column * self.key.column, y + KEY_LINE * row), line)


def key_of(scene: PictureModel, camera: Camera, size: tuple[float, float], top: int, most: float) -> Key:
    """What a picture has no room for, in so many pixels of height: shortened conditions, numbered, and the notes."""
    tree, letters, room = scene.tree, scene.cards.letters, size[0] - 2 * MARGIN
    nodes = scene.inside(np.arange(tree.n_nodes) if scene.folded is None else scene.folded.shown, top)
    numbers: dict[int, int] = {}
    lines: list[str] = []
    missing: list[int] = []  # nodes to which missing values go, which their edges do not say
    if tree.n_nodes <= MOST_MEASURED:
        frame = kind_of(scene).frame(scene, camera, QSizeF(*size))
        rooms = frame.edge_rooms(nodes[nodes > top]) if nodes.size > 1 else []
        for i, within in zip(nodes[nodes > top].tolist(), rooms, strict=True):
            split = tree.split_at(int(tree.parent[i]))
            assert split is not None
            drawn, whole = tree.sentence(i), tree.rule(int(tree.ids[i]), 1)[-1]
            shortened = drawn != engine.splits.full_words(split, int(tree.branch[i]), tree.kinds, lacking=False)
            if shortened or letters.width(tree.branch_words(i)) > within + 1 > 1:
                numbers[i] = len(numbers) + 1
                lines += _lines(f"[{numbers[i]}] {whole}", letters, room, " ")
            elif whole != drawn:
                missing.append(i)
    if missing:
        lines += [tr("Where missing values go:")]
        lines += [line for said in _missing(tree, missing) for line in _lines(said, letters, room, " ")]
    for node, mark in tree.marks.items():
        i = tree.position(node)
        if mark.note and top <= i < tree.end[top]:
            where, note = tree.sentence(i) or tr("all rows"), " ".join(mark.note.split())
            said = tr("Note on {place}: {note}", place=where, note=note)
            lines += _lines(said, letters, room, " ")
    column = max(map(letters.width, lines), default=0.0) + 24.0
    columns = max(int((room + 24.0) // column), 1)
    rows = -(-len(lines) // columns)
    if rows * KEY_LINE > most:
        rows = int(most // KEY_LINE)
        shown = lines[: max(rows * columns - 1, 0)]
        more = tr("… and {n} more lines: choose larger paper.", n=words.count(len(lines) - len(shown)))
        lines = [*shown, more][: rows * columns]
    return Key(lines, numbers, rows, column, rows * KEY_LINE + KEY_APART if lines else 0.0) if rows else NO_KEY


def _missing(tree: "engine.Tree", nodes: list[int]) -> list[str]:
    """The conditions on the edges into some nodes with the missing values that they hold for, each once. Where a cut
    sends missing values now here, now there, it is said below which node."""
    found: list[tuple[engine.Split, str, str]] = []
    branches: dict[engine.Split, set[int]] = {}
    for i in nodes:
        parent = int(tree.parent[i])
        split = tree.split_at(parent)
        assert split is not None
        cut = replace(split, missing=0, surrogates=())
        branches.setdefault(cut, set()).add(int(tree.branch[i]))
        found.append((cut, tree.rule(int(tree.ids[i]), 1)[-1], tree.sentence(parent) or tr("all rows")))
    several = {cut for cut, taken in branches.items() if len(taken) > 1}
    return list(dict.fromkeys(f"{said} ({place})" if cut in several else said for cut, said, place in found))


def _lines(text: str, letters: Letters, room: float, apart: str = APART) -> list[str]:
    """The text in lines, each as full as there is room: broken between figures, or words."""
    lines: list[str] = []
    for part in text.split(apart) if text else ():
        longer = f"{lines[-1]}{apart}{part}" if lines else part
        if lines and letters.width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _small_lines(scene: PictureModel, wish: Wish, top: int, room: float) -> list[str]:
    """What stands below the title: the figures, which are those of the whole tree, and the way to a branch."""
    letters, way = scene.cards.letters, ""
    if top and (wish.title or wish.figures):
        above = np.flatnonzero(scene.tree.end[: top + 1] > top)[1:].tolist()
        way = tr("Branch below {conditions}", conditions=APART.join(map(scene.tree.sentence, above)))
    return _lines(wish.figures, letters, room) + _lines(way, letters, room)


def _head_height(scene: PictureModel, wish: Wish, width: float, top: int = 0) -> float:
    lines = len(_small_lines(scene, wish, top, width - 2 * MARGIN))
    return ABOVE + TITLE_LINE * bool(wish.title) + FIGURES_LINE * lines if wish.title or lines else 0.0


def _needed(scene: PictureModel, wish: Wish) -> float:
    letters = scene.cards.letters
    parts = [letters.width(wish.title, NAME) * TITLE, letters.width(wish.figures)]
    return max(*parts, legend.width(scene, legend.items(scene)) if wish.legend else 0.0) + 2 * MARGIN


def natural(scene: PictureModel, wish: Wish, top: int = 0, longest: float = float("inf")) -> Sheet:
    """The sheet on which a branch has its natural size; a longer one than allowed shows less detail."""
    scene.cards.keyed, scene.roomy = {}, True  # no longer those of the picture before
    region = scene.region(top)
    spacing = Spacing(full_x=scene.paper_spread if region.width < longest / 1.3 else 1.0)
    drawn = region.words + (region.width - region.words) * spacing.full_x
    paper = max(drawn + 2 * MARGIN, min(_needed(scene, wish), longest))
    head = _head_height(scene, wish, paper, top)
    height = region.height + 2 * MARGIN + head + (legend.HEIGHT if wish.legend else 0.0)
    x, y = (paper - drawn) / 2 - region.left * spacing.full_x, MARGIN + head - region.upper
    camera = Camera(x, y, 1.0, spacing)
    key = key_of(scene, camera, (paper, height), top, longest) if max(paper, height) <= longest else NO_KEY
    height += key.height
    if max(paper, height) > longest:
        return fit(scene, wish, min(paper, longest), min(height, longest), top)
    return Sheet(scene, camera, float(round(paper)), float(round(height)), wish, head, top, key=key, roomy=True)


def fit(scene: PictureModel, wish: Wish, width: float, height: float, top: int = 0) -> Sheet:
    """A branch fitted into a sheet of this size, with as much detail as there is room for."""
    scene.cards.keyed, scene.roomy = {}, False
    region = scene.region(top)
    head = _head_height(scene, wish, width, top)
    room = height - head - (legend.HEIGHT if wish.legend else 0.0)
    key = NO_KEY
    for last in (False, False, True):  # a key takes room from the drawing, which may then need a longer one
        camera = region.fitted(width, room - key.height, MARGIN)
        camera = camera.moved(-region.left * camera.sx, head - region.upper * camera.sy)
        key = key if last else key_of(scene, camera, (width, room), top, KEY_SHARE * room)
    return Sheet(scene, camera, float(width), float(height), wish, head, top, key=key)


def sheet_of(scene: PictureModel, wish: Wish, top: int, view: View | None, longest: float = float("inf")) -> Sheet:
    """What a screen shows, with heading and legend around it, or without any view a branch in its natural size."""
    if view is None:
        return natural(scene, wish, top, longest)
    paper = max(view.width, _needed(scene, wish))
    head = _head_height(scene, wish, paper)
    height = head + view.height + (legend.HEIGHT + 4 if wish.legend else 0.0)
    camera = view.camera.moved((paper - view.width) / 2, head)
    return Sheet(scene, camera, float(round(paper)), float(round(height)), wish, head, cut=True)


def scaled_to(
    scene: PictureModel, wish: Wish, box: tuple[float, float], allowed: tuple[float, float], top: int, view: View | None
) -> tuple[float, Callable[[float], Sheet]]:
    """How many pixels of a box are best for one of the sheet, and what makes it for a scale, with less detail if need
    be."""
    sheet = sheet_of(scene, wish, top, view)
    ratios = box[0] / sheet.width, box[1] / sheet.height
    if view is None:
        best = min(max(min(ratios), allowed[0]), allowed[1])
        return best, lambda scale: fit(scene, wish, box[0] / scale, box[1] / scale, top)

    def centred(scale: float) -> Sheet:  # more of the tree is seen around the view
        width, height = box[0] / scale, box[1] / scale
        dx, dy = max((width - sheet.width) / 2, 0.0), max((height - sheet.height) / 2, 0.0)
        return replace(sheet, camera=sheet.camera.moved(dx, dy), width=float(width), height=float(height))

    return min(ratios), centred
