"""What the colours mean, in a line below the tree, or in two where it is narrow."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

import engine
from engine.runtime.sentences import tr
from gui.picture.colours import CLASSES, COLUMNS, COLUMNS_TOLD, ENDS
from gui.picture.nodes.figures import disagreement, ranked_columns
from gui.picture.nodes.letters import PIXELS, PLAIN, fonts
from gui.picture.picture_model import PictureModel
from gui.picture.plane_regions import letter
from gui.picture.shapes import paint_overlay_plate
from gui.theme import ink
from gui.wording import words
from gui.wording.phrases import acting, class_text, threshold_words

HEIGHT, LINE = 30.0, 18.0  # of a legend in one line, and of the second one, which stands above it
LEFT = 10.0  # where it begins on a screen
STRIP = 13  # patches in the diverging strip
PATCH = 7.0
SPACE = 6.0
LONGEST_NAME, SHORT_NAME = 220.0, 110.0  # of a class or a column, where there is room and where not
MOST_BRIEFS = 2  # shorter forms of a piece
MOST_NAMED = 8  # classes that stand in their own order; of more, those with most weight at the root come first


@dataclass(frozen=True)
class Item:
    """A piece of the legend: words, a patch of one colour, a strip of many, or the badge."""

    text: str = ""
    colours: tuple[QColor, ...] = ()
    round: bool = False
    apart: bool = False  # more space before it
    briefs: tuple[str, ...] = ()  # the words where there is less room, and where there is still less
    aside: bool = False  # explains further: the first to go where there is no room
    named: int = 0  # classes or columns that it stands for
    letter: str = ""  # in the patch of a colour that several classes have

    def width(self, scene: PictureModel) -> float:
        if self.text:
            return scene.cards.letters.width(self.text)
        return 10.0 if len(self.colours) == 1 else PATCH * len(self.colours)


def naming_order(tree: "engine.Tree") -> list[int]:
    """int[n_classes]: the classes as legends name them."""
    n = len(tree.classes)
    return list(range(n)) if n <= MOST_NAMED else np.argsort(-tree.train[0], kind="stable").tolist()


def items(scene: PictureModel) -> list[Item]:
    found = _colour_items(scene)
    if scene.note:
        found.append(Item(tr(scene.note), apart=True, aside=True))
    rule = scene.spoken.leaf_rule  # priors may take the place of costs
    if rule.weighs_mistakes and rule.threshold is None:
        text = ", ".join(class_text(entries) for entries in (rule.costs, rule.priors) if entries)
        costs, brief = scene.cards.letters.elided(text, 220.0), tr("leaves predict the class of least expected cost")
        said = tr("leaves predict the class of least expected cost ({costs})", costs=costs)
        found.append(Item(said, apart=True, briefs=(brief,)))
    if rule.threshold is not None:
        name, least = rule.threshold
        found.append(Item(threshold_words(scene.cards.letters.elided(name, 220.0), least), apart=True))
    if rule.profits:
        found.append(Item(acting(scene.spoken), apart=True))
    if scene.tree.by_hand.any():
        disc = Item(colours=(scene.theme.accent,), round=True, apart=True)
        found += [disc, Item(tr("split by hand"), briefs=(tr("by hand"),))]
    if scene.warned is not None:
        n, tested = int(scene.warned.sum()), int(np.isfinite(disagreement(scene.tree).p).sum())
        figures = {"n": n, "tested": tested, "level": words.percent(engine.assessment.disagreement.LEVEL, 0)}
        text = tr(
            "unlike the training rows: {n} of {tested} nodes (by chance alone: any in {level} of trees)", **figures
        )
        briefs = tr("unlike training: {n} of {tested}", n=n, tested=tested), tr("unlike training: {n}", n=n)
        found += [Item(colours=(scene.theme.warning,), round=True, apart=True), Item(text, briefs=briefs)]
    return found


def _colour_items(scene: PictureModel) -> list[Item]:
    mode, letters = scene.colours.mode, scene.cards.letters
    said = mode.words(scene.colours.subject)
    found = [Item(said.before, briefs=(said.brief,) * bool(said.brief))] if said.before else []
    if mode.poles in (CLASSES, COLUMNS):
        found += _patches(scene, mode.poles)
    else:
        low = -1.0 if mode.poles == ENDS else 0.0
        strip = [scene.theme.scale(low + (1.0 - low) * k / (STRIP - 1), ribbon=True) for k in range(STRIP)]
        found.append(Item(colours=tuple(strip)))
    if said.after:
        found.append(Item(letters.elided(said.after, 260.0), briefs=(said.brief_after,) * bool(said.brief_after)))
    if said.note:
        apart, briefs = mode.poles in (CLASSES, COLUMNS), (said.brief_note,) * bool(said.brief_note)
        found.append(Item(said.note, apart=apart, briefs=briefs, aside=True))
    return found


def _patches(scene: PictureModel, poles: str) -> list[Item]:
    tree, colours, letters = scene.tree, scene.colours, scene.cards.letters
    if poles == CLASSES:
        named = [(k, tree.classes[k]) for k in naming_order(tree)[:MOST_NAMED]]
        others = len(tree.classes) - len(named)
    else:
        ranked = ranked_columns(tree)
        named = [(k, tree.columns[int(column)].name) for k, column in enumerate(ranked[:COLUMNS_TOLD])]
        others = len(ranked) - len(named)
    found: list[Item] = []
    of_colour: dict[int, list[int]] = {}
    for k in range(len(tree.classes) if poles == CLASSES else 0):
        of_colour.setdefault(colours.pole(k).rgb(), []).append(k)
    several = [classes for classes in of_colour.values() if len(classes) > 1]
    alike = {k: letter(rank) for classes in several for rank, k in enumerate(classes)}
    for k, name in named:
        text, brief = (letters.elided(name, room) for room in (LONGEST_NAME, SHORT_NAME))
        patch = Item(colours=(colours.pole(k),), apart=bool(found), letter=alike.get(k, ""))
        found += [patch, Item(text, briefs=(brief,), named=1)]
    if alike:
        found.append(Item(tr("letters: classes of one colour"), apart=True, aside=True))
    if others > 0:
        found += [Item(colours=(colours.pole(COLUMNS_TOLD),), apart=True)] * (poles == COLUMNS)
        found.append(Item(tr("and {n} more", n=others), apart=poles == CLASSES, named=others))
    return found


def width(scene: PictureModel, shown: list[Item]) -> float:
    return sum(item.width(scene) + SPACE * (3 if item.apart else 1) for item in shown)


def least_width(scene: PictureModel) -> float:
    """How wide the whole legend is in two lines."""
    groups = [width(scene, group) for group in _groups(items(scene))]
    return min(max(sum(groups[:k]), sum(groups[k:])) for k in range(1, len(groups) + 1)) if groups else 0.0


def _groups(shown: list[Item]) -> list[list[Item]]:
    found: list[list[Item]] = []
    for item in shown:
        if item.apart or item.aside or not found:
            found.append([])
        found[-1].append(item)
    return found


def _lines(scene: PictureModel, shown: list[Item], room: float) -> list[list[Item]]:
    lines: list[list[Item]] = [[]]
    for group in _groups(shown):
        if lines[-1] and width(scene, lines[-1] + group) > room:
            lines.append([])
        lines[-1] += group
    return lines


def fitted(scene: PictureModel, room: float) -> list[list[Item]]:
    """As much of the legend as has room, in one line or in two: first words get shorter, then there is a second line,
    then what only explains further goes, then pieces from the end, and what has room after all comes back. A strip
    keeps the words on both sides."""
    whole = dict(enumerate(items(scene)))

    def fits(pieces: dict[int, Item], most: int = 2) -> bool:
        lines = _lines(scene, list(pieces.values()), room)
        return len(lines) <= most and all(width(scene, line) <= room for line in lines)

    shown = _shortened(whole, lambda pieces: fits(pieces, 1))
    if fits(shown, 1):
        return [list(shown.values())]
    shown = _shortened(whole, fits)
    for k in [k for k, item in whole.items() if item.aside][::-1]:
        if not fits(shown):
            del shown[k]
    strip = next((k for k, item in whole.items() if len(item.colours) > 1), -1)
    shown = _cut(whole, shown, strip, fits)
    over = width(scene, list(shown.values())) - room
    if strip > 0 and over > 0 and not fits(shown):
        left = scene.cards.letters.elided(shown[0].text, max(shown[0].width(scene) - over, 0.0))
        shown[0] = replace(shown[0], text=left)
    last = max(shown, default=0)
    for k, item in whole.items():
        more = dict(sorted({**shown, k: item}.items()))
        counts = k in shown and shown[k].named > 1  # says how many names have no room, in the place of another piece
        if (k in shown or item.aside) and (k < last or last == max(whole)) and not counts and fits(more):
            shown = more
    return _lines(scene, [item for item in shown.values() if item.text or item.colours], room)


Pieces = dict[int, Item]  # of a legend, by their places in the whole


def _shortened(whole: Pieces, fits: Callable[[Pieces], bool]) -> Pieces:
    shown = dict(whole)
    for step in range(MOST_BRIEFS):
        for k, item in [*whole.items()][::-1]:
            if len(item.briefs) > step and not fits(shown):
                shown[k] = replace(item, text=item.briefs[step])
    return shown


def _cut(whole: Pieces, shown: Pieces, strip: int, fits: Callable[[Pieces], bool]) -> Pieces:
    """The pieces without those at the end that have no room; of names that go, how many, in their place."""
    kept = dict(shown)
    while True:
        missing = sum(item.named for k, item in whole.items() if k not in kept)
        found = dict(kept)
        if missing:
            found[max(kept) + 1] = Item(tr("and {n} more", n=missing), apart=True, named=missing)
        if fits(found) or len(kept) <= max(strip + 2, 1):
            return found if fits(found) else kept
        kept.popitem()
        while len(kept) > strip + 2 and kept and not kept[max(kept)].text:  # a patch without its words
            kept.popitem()


def box(scene: PictureModel, x: float, y: float) -> QRectF:
    """What the legend that was fitted last covers, the upper left corner of its last line at a point."""
    lines = scene.legend[1]
    total, above = max((width(scene, line) for line in lines), default=0.0), LINE * max(len(lines) - 1, 0)
    return QRectF(x, y - above, total + 14, HEIGHT - 6 + above)


def paint(
    painter: QPainter, scene: PictureModel, x: float, y: float, room: float, dpi: float = 96.0, *, edged: bool = False
) -> None:
    """Paints as much as fits into `room`, the upper left corner of its last line at a point; edged on the screen."""
    font = fonts(1.0, dpi)[PLAIN]
    if scene.legend[0] != room:  # it is painted often, and hardly ever in another room
        scene.legend = room, fitted(scene, room - 16)
    plate = box(scene, x, y)
    paint_overlay_plate(painter, plate, scene.theme, edged=edged)
    for n, line in enumerate(scene.legend[1]):
        at, middle = x + 8, plate.top() + LINE * n + (HEIGHT - 6) / 2
        for k, item in enumerate(line):
            at += SPACE * 2 if item.apart and k else 0
            _paint_item(painter, scene, item, at, middle, font)
            at += item.width(scene) + SPACE


def _paint_item(painter: QPainter, scene: PictureModel, item: Item, x: float, y: float, font: QFont) -> None:
    if item.text:
        painter.setFont(font)
        painter.setPen(scene.theme.secondary)
        painter.drawText(QPointF(x, y + 0.36 * PIXELS[PLAIN]), item.text)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    if len(item.colours) > 1:
        for k, colour in enumerate(item.colours):
            painter.fillRect(QRectF(x + PATCH * k, y - 4, PATCH, 8), colour)
        return
    painter.setBrush(item.colours[0])
    if item.round:
        painter.drawEllipse(QPointF(x + 5, y), 4.5, 4.5)
    else:
        side = 14 if item.letter else 10
        box = QRectF(x + 5 - side / 2, y - side / 2, side, side)
        painter.drawRoundedRect(box, 2, 2)
        painter.setFont(font)
        painter.setPen(ink(item.colours[0]))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, item.letter)
