"""Measuring and shortening text, every string once: names are shortened, numbers never, lists become a count."""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintDevice, QPaintEngine, QPainter, QStaticText

import engine
from gui import theme

NAME, PLAIN, SMALL = "name", "plain", "small"  # the three kinds of text on cards
MOST_TOLD, LEAST_TOLD = 190.0, 40.0  # pixels for words that stand out on an edge, and for the name in them
STEPS = 40.0  # sizes of letters between nothing and the natural one
FEW_LETTERS = 7  # of a shortened text, the dots included
SAMPLE = "valid 1234567890 %"
MOST_SET, MOST_SIZES = 800, 48  # texts of one size that are kept ready, and sizes
CAPITALS = 0.72  # capitals and digits are so much of the size of letters high
PIXELS = {NAME: 12.0, PLAIN: 11.0, SMALL: 10.0}
ENDS = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft
LEAST_LETTERS = 2  # of a name that is shortened; fewer would say nothing
LEAST_LABEL = 44.0  # names on edges are not shortened to less
MOST_KEPT = 20_000  # shorter words that are kept for the next picture


class Typeset:
    """Texts in one font, with their letters in place the second time: painting them takes half the time, setting
    longer."""

    def __init__(self) -> None:
        self._texts: dict[str, QStaticText | None] = {}

    def again(self, text: str) -> QStaticText | None:
        """The text, if it has been asked for before."""
        found = self._texts.get(text)
        if found is None:
            if text in self._texts:
                found = QStaticText(text)
                found.setTextFormat(Qt.TextFormat.PlainText)
                found.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            elif len(self._texts) >= MOST_SET:
                self._texts.clear()
            self._texts[text] = found
        return found


@dataclass(frozen=True, eq=False)
class Letter:
    """Letters of one kind and size on a device."""

    font: QFont
    half: float  # pixels that half of a text is wide on the device, for each pixel that it measures at scale 1
    drop: float  # pixels from the middle of a line down to its base line
    ascent: float  # pixels from there up to the upper side of a text that is set
    typeset: Typeset  # texts that are kept ready


class Texts:
    """What a painter writes in one picture: texts of one kind and colour together, for changing these takes long."""

    def __init__(self, painter: QPainter) -> None:
        self._painter, engine = painter, painter.paintEngine()
        # Where pixels are smaller, texts that are set stand a fraction of one away from those that are not.
        sets = engine is not None and engine.type() == QPaintEngine.Type.Raster
        self._sets = sets and painter.deviceTransform().m11() == 1.0
        self._waiting: dict[tuple[Letter, int], list[tuple[str, float, float]]] = defaultdict(list)

    def add(self, text: str, letter: Letter, x: float, y: float, colour: int) -> None:
        """Text from a point at its left end, at half of its height; 0xffRRGGBB."""
        self._waiting[letter, colour].append((text, x, y + letter.drop))

    def write(self) -> None:
        """Writes all texts so far."""
        painter = self._painter
        for (letter, colour), texts in self._waiting.items():
            painter.setFont(letter.font)
            painter.setPen(QColor(colour))
            for text, x, y in texts:
                ready = letter.typeset.again(text) if self._sets else None
                if ready is None:
                    painter.drawText(QPointF(x, y), text)
                else:
                    painter.drawStaticText(QPointF(x, y - letter.ascent), ready)
        self._waiting.clear()


class Letters:
    """Text sizes in pixels at scale 1; the font has no hinting, so widths grow in proportion."""

    def __init__(self) -> None:
        # 20 times the size: widths come out to a twentieth of a pixel even where advances are rounded.
        self._metrics = {k: QFontMetricsF(theme.font(20 * size, bold=k == NAME)) for k, size in PIXELS.items()}
        self._widths: dict[tuple[str, str], float] = {}
        self._short: dict[tuple[str, str, int], str] = {}
        self._sized: dict[tuple[float, ...], dict[str, Letter]] = {}

    def width(self, text: str, kind: str = PLAIN) -> float:
        """How wide a text is in pixels at scale 1."""
        width = self._widths.get((text, kind))
        if width is None:
            width = self._widths[text, kind] = self._metrics[kind].horizontalAdvance(text) / 20
        return width

    def sized(self, scale: float, dpi: float, device: QPaintDevice) -> dict[str, Letter]:
        """The letters of each kind at a scale, on a device with so many dots per inch; kept with the texts in them."""
        key = scale, dpi, device.devType(), device.logicalDpiY(), device.devicePixelRatio()
        if key not in self._sized:
            if len(self._sized) >= MOST_SIZES:
                del self._sized[next(iter(self._sized))]
            found = self._sized[key] = {}
            for kind, font in fonts(scale, dpi).items():
                metrics, drop = QFontMetricsF(font, device), CAPITALS / 2 * PIXELS[kind] * scale
                half = metrics.horizontalAdvance(SAMPLE) / self.width(SAMPLE, kind) / 2
                found[kind] = Letter(font, half, drop, metrics.ascent(), Typeset())
        return self._sized[key]

    def told_apart(self, name: str, names: tuple[str, ...], room: float, kind: str = PLAIN) -> str:
        """One of several names in so much room: first without the words that all of them share at their end or their
        beginning, "used" of "used car" and "new car", then shortened where the fewest others read the same."""
        if self.width(name, kind) <= room:
            return name
        short, others = apart(name, names), tuple(apart(other, names) for other in names)
        if self.width(short, kind) <= room:
            return short
        metrics, most = self._metrics[kind], 20.0 * int(room)
        ways = [self.elided(short, room, kind), *(metrics.elidedText(short, way, most) for way in ENDS)]

        def n_alike(way: str) -> int:
            head, _, tail = way.partition("…")
            return sum(other.startswith(head) and other.endswith(tail) for other in others)

        return min(ways, key=n_alike)

    def elided(self, text: str, room: float, kind: str = PLAIN) -> str:
        """The text, shortened where it is wider than `room` (pixels at scale 1): in the middle, or at its end if few
        are left."""
        if self.width(text, kind) <= room:
            return text
        key = (text, kind, int(room))
        short = self._short.get(key)
        if short is None:
            metrics, whole, most = self._metrics[kind], text.removesuffix(" …"), 20.0 * int(room)
            if whole == text:
                made = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, most)
                if len(made) <= FEW_LETTERS:
                    made = metrics.elidedText(text, Qt.TextElideMode.ElideRight, most)
            else:
                made = metrics.elidedText(whole, Qt.TextElideMode.ElideRight, most - metrics.horizontalAdvance("…"))
                made = f"{made.removesuffix('…').rstrip()}…"
            short = self._short[key] = made if len(made) > 1 else ""
        return short

    def whole(self, forms: tuple[str, ...], room: float, kind: str = PLAIN) -> str:
        """The first of several forms that fits as it is; else nothing: half of a figure would be another figure."""
        return next((form for form in forms if self.width(form, kind) <= room), "")


def apart(name: str, names: tuple[str, ...]) -> str:
    """A name without the words that all names share at their end or, where there are none, at their beginning."""
    parts, every = name.split(" "), [other.split(" ") for other in names]
    least = min(map(len, every), default=0)
    behind = next((n for n in range(least, 0, -1) if len({tuple(other[-n:]) for other in every}) == 1), 0)
    before = next((n for n in range(least, 0, -1) if len({tuple(other[:n]) for other in every}) == 1), 0)
    if 0 < behind < least:  # else nothing would be left of one of them
        return " ".join(parts[:-behind])
    return " ".join(parts[before:]) if before < least else name


def told(letters: Letters, text: str, room: float = MOST_TOLD) -> str:
    """Words like “age = 42” in so much room: the name shortened, the value never, which stands alone if need be."""
    name, equals, value = text.rpartition(" = ")
    if letters.width(text) <= room or not equals:
        return letters.elided(text, room)
    left = room - letters.width(equals + value)
    return letters.elided(name, left) + equals + value if left >= LEAST_TOLD else f"= {value}"


def stepped(scale: float) -> float:
    """A scale that letters have at most at this one, in small steps: each size costs the drawing of every letter."""
    return float(np.floor(scale * STEPS + 1e-9) / STEPS)


@lru_cache(maxsize=256)
def fonts(scale: float, dpi: float = 96.0) -> dict[str, QFont]:
    """The three fonts at a scale, for a painter's device. Treat them as constants."""
    return {kind: theme.font(size * scale, bold=kind == NAME, dpi=dpi) for kind, size in PIXELS.items()}


def edge_words(text: str, split: "engine.Split", letters: Letters, room: float) -> str:
    """What `engine.splits.branch_words` says of a branch, in so much room: a long name shortened in the middle, of
    several names the number and the first, "in 3 of 7: Bremen …", or the number alone where no other branch has as
    many, and of several conditions how many of them hold, "at least 5 of 16": a list without its middle might be any
    list."""
    if split.kind == "threshold" or letters.width(text) <= room:
        return text
    if len(split.literals) > 1:
        quantity = f"{text.partition(' of ')[0]} of {len(split.literals)}"
        shortest = quantity.replace("at least", "≥").replace("fewer than", "<")
        return letters.whole((text, quantity, shortest), room) or shortest
    count, _, name = counted_words(text, split).partition(": ")
    if count:
        name, n = letters.elided(name, room - letters.width(f"{count}: ")), sum(map(len, split.groups))
        if len(name) > len("…"):
            return f"{count}: {name}"
        alone = [f"in {len(group)} of {n}" for group in split.groups].count(count) == 1  # else it might be another
        return count if alone and letters.width(count) <= room else ""
    equals, levels = "= " * text.startswith("= "), tuple(level for group in split.groups for level in group)
    found = equals + letters.told_apart(text.removeprefix(equals), levels, room - letters.width(equals))
    return found if len(found.removeprefix("=").strip(" …")) >= LEAST_LETTERS else ""


class ShortLabels(dict[tuple[int, int], str]):
    """The words on the edges of a tree in less room than they want, by node and room in whole pixels, made once from
    the whole text. Names are shortened; of thresholds and of several conditions nothing remains: half a number is
    another one."""

    def __init__(self, tree: "engine.Tree", letters: Letters, *, every: bool = False) -> None:
        """every: whether of several conditions and in very little room something remains, too."""
        super().__init__()
        self._tree, self._letters, self._every = tree, letters, every

    def __missing__(self, key: tuple[int, int]) -> str:
        i, room = key
        split = self._tree.split_at(int(self._tree.parent[i])) if i else None
        found = self._tree.branch_words(i) if split is not None else ""
        if split is not None and self._letters.width(found) > room:
            whole = split.kind == "threshold" or (not self._every and (split.literals or room < LEAST_LABEL))
            found = "" if whole else edge_words(found, split, self._letters, room)
            found = found if self._letters.width(found) <= room else ""
        if len(self) >= MOST_KEPT:
            self.clear()
        self[key] = found
        return found


def counted_words(text: str, split: "engine.Split") -> str:
    """Of a branch with several levels how many they are, and the first: "in 3 of 7: Bremen …"; of others empty."""
    if split.kind != "groups" or text.startswith("= "):
        return ""
    if not text.startswith("in {"):
        return text if text.startswith("in ") else ""
    group = next((group for group in split.groups if text == f"in {{{', '.join(group)}}}"), ())
    return f"in {len(group)} of {sum(map(len, split.groups))}: {group[0]} …" if group else ""
