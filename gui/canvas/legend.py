"""What the colours mean, in one line below the tree."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gui import words
from gui.canvas.letters import PIXELS, PLAIN, fonts
from gui.canvas.scene import Drawn
from gui.phrases import class_text
from gui.theme import mix

HEIGHT = 30.0
MOST_CLASSES = 8
STRIP = 13  # patches in the diverging strip
PATCH = 7.0
SPACE = 6.0


@dataclass(frozen=True)
class Item:
    """A piece of the legend: words, a patch of one colour, a strip of many, or the badge."""

    text: str = ""
    colours: tuple[QColor, ...] = ()
    round: bool = False
    apart: bool = False  # more space before it

    def width(self, scene: Drawn) -> float:
        if self.text:
            return scene.cards.letters.width(self.text)
        return 10.0 if len(self.colours) == 1 else PATCH * len(self.colours)


def items(scene: Drawn) -> list[Item]:
    """The legend of a tree, from left to right."""
    ways = _differing_items if scene.differs else _class_items if scene.colours.by_class else _scale_items
    found = ways(scene)
    if scene.note:
        found.append(Item(scene.note, apart=True))
    if scene.tree.leaf_rule.costs or scene.tree.leaf_rule.priors:
        found.append(Item(f"leaves say the class of least expected cost{_costs(scene)}", apart=True))
    if scene.tree.by_hand.any():
        found += [Item(colours=(scene.theme.accent,), round=True, apart=True), Item("split by hand")]
    return found


def _class_items(scene: Drawn) -> list[Item]:
    classes, letters = scene.tree.classes, scene.cards.letters
    found = []
    colours = scene.colours.class_colours()
    for k in scene.colours.frequent(MOST_CLASSES):
        found += [Item(colours=(colours[k],), apart=bool(found)), Item(letters.elided(classes[k], 110.0))]
    if len(classes) > MOST_CLASSES:
        found.append(Item(f"and {len(classes) - MOST_CLASSES} more", apart=True))
    return [*found, Item("paler: nearer to its share in all rows", apart=True)]


def _differing_items(scene: Drawn) -> list[Item]:
    strip = tuple(scene.theme.scale(k / (STRIP - 1)) for k in range(STRIP))
    return [Item("rows that the other tree answers differently: none"), Item(colours=strip), Item("all")]


def _costs(scene: Drawn) -> str:
    """The costs, or the priors that take their place, as they are typed."""
    rule = scene.tree.leaf_rule
    text = ", ".join(class_text(entries) for entries in (rule.costs, rule.priors) if entries)
    return f" ({scene.cards.letters.elided(text, 220.0)})"


def _scale_items(scene: Drawn) -> list[Item]:
    tree, letters = scene.tree, scene.cards.letters
    strip = tuple(scene.theme.scale(2 * k / (STRIP - 1) - 1) for k in range(STRIP))
    if tree.task == "number":
        usual = words.value(float(tree.answers[0]))
        figure = "median" if tree.says_median else "mean"
        subject = letters.elided(tree.target, 150.0)
        return [
            Item(f"{figure} of {subject}: below"),
            Item(colours=strip),
            Item("above"),
            Item(f"middle: {usual}, as in all rows"),
        ]
    usual = words.rate(float(scene.cards.rate[0]))
    subject = letters.elided(tree.classes[scene.focus], 150.0) if tree.classes else ""
    return [
        Item(f"share of {subject}: less"),
        Item(colours=strip),
        Item("more"),
        Item(f"middle: {usual}, as in all rows"),
    ]


def width(scene: Drawn) -> float:
    """How wide the whole legend is."""
    return sum(item.width(scene) + SPACE * (3 if item.apart else 1) for item in items(scene))


def paint(painter: QPainter, scene: Drawn, x: float, y: float, room: float, dpi: float = 96.0) -> None:
    """Paints it with its upper left corner at a point; what does not fit into `room` is left out at the end."""
    letter = fonts(1.0, dpi)[PLAIN]
    shown = items(scene)
    while len(shown) > 1 and sum(i.width(scene) + SPACE * (3 if i.apart else 1) for i in shown) > room - 16:
        shown.pop()
        while shown and not shown[-1].text and len(shown[-1].colours) == 1:
            shown.pop()
    total = sum(i.width(scene) + SPACE * (3 if i.apart else 1) for i in shown)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mix(scene.theme.canvas, scene.theme.card, 0.5))
    painter.drawRoundedRect(QRectF(x, y, total + 14, HEIGHT - 6), 8, 8)
    at, middle = x + 8, y + (HEIGHT - 6) / 2
    for k, item in enumerate(shown):
        at += SPACE * 2 if item.apart and k else 0
        _paint_item(painter, scene, item, at, middle, letter)
        at += item.width(scene) + SPACE


def _paint_item(painter: QPainter, scene: Drawn, item: Item, x: float, y: float, letter: object) -> None:
    if item.text:
        painter.setFont(letter)
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
        painter.drawRoundedRect(QRectF(x, y - 5, 10, 10), 2, 2)
