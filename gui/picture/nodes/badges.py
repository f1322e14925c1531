"""The badges at a card's corner, discs with a small drawing each from the right to the left. Where they have no room
the last one shows dots. On cards too small for drawings one disc says that there is something; on boxes there is
none."""

from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

from gui.theme import Theme
from gui.wording import hand_phrases

RADIUS = 7.0
PITCH = 1.75  # radii from one badge to the next
MORE = "more"


def paint(painter: QPainter, theme: Theme, box: QRectF, names: tuple[str, ...], zoom: float, full: bool) -> None:
    """Paints the badges of a card of this size, 1 is natural; `full`: whether there is room for drawings."""
    radius = RADIUS * max(zoom, 0.6)
    x, y = box.right() - radius * 0.6, box.y() - radius * 0.15  # letters begin close below
    for name in shown(names, box.width(), radius) if full else names[:1]:
        _disc(painter, theme, name, QPointF(x, y), radius, full)
        x -= PITCH * radius


def shown(names: tuple[str, ...], width: float, radius: float) -> tuple[str, ...]:
    """The badges that have room above a card of this width; dots stand for those that have not."""
    room = max(int((width + radius * 0.6) / (PITCH * radius)), 1)
    return names if len(names) <= room else (*names[: room - 1], MORE)


def _disc(painter: QPainter, theme: Theme, name: str, middle: QPointF, radius: float, full: bool) -> None:
    strong = name in (hand_phrases.BY_HAND, hand_phrases.LOCKED, hand_phrases.DISAGREES)
    fill, ink = colours(theme, name)
    if not full and not strong:  # an empty disc would look like something to press
        fill, radius = theme.secondary, 0.7 * radius
    painter.setPen(QPen(theme.canvas if strong or not full else theme.secondary, 1.5 if strong else 1.0))
    painter.setBrush(fill)
    painter.drawEllipse(middle, radius, radius)
    if full:
        place = QTransform.fromTranslate(middle.x(), middle.y()).scale(radius, radius)
        painter.fillPath(place.map(drawing(name)), ink)


def colours(theme: Theme, name: str) -> tuple[QColor, QColor]:
    by_hand, locked = (theme.accent, theme.accent_text), (theme.text, theme.card)
    strong = {
        hand_phrases.DISAGREES: (theme.warning, theme.card),
        hand_phrases.BY_HAND: by_hand,
        hand_phrases.LOCKED: locked,
    }
    return strong.get(name, (theme.card, theme.text))


@cache
def drawing(name: str) -> QPainterPath:
    """The drawing of a badge, inside a disc of radius 1 around (0, 0); to be filled."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    if name == hand_phrases.BY_HAND:  # a pen
        _polygon(path, (-0.55, 0.55), (-0.42, 0.12), (0.24, -0.54), (0.54, -0.24), (-0.12, 0.42))
    elif name == hand_phrases.PINNED:  # a drawing pin
        _polygon(path, (-0.2, -0.45), (0.2, -0.45), (0.28, 0.02), (-0.28, 0.02))
        for box in ((-0.34, -0.6, 0.68, 0.16), (-0.46, 0.0, 0.92, 0.16), (-0.08, 0.14, 0.16, 0.5)):
            path.addRect(*box)
    elif name == hand_phrases.LOCKED:  # a padlock
        path.addRoundedRect(QRectF(-0.46, -0.08, 0.92, 0.62), 0.1, 0.1)
        path.addPath(_outlined(QRectF(-0.27, -0.58, 0.54, 0.7), 0.17))
    elif name == hand_phrases.NOTE:  # lines of text
        for y, width in ((-0.42, 1.0), (-0.08, 1.0), (0.26, 0.62)):
            path.addRect(-0.5, y, width, 0.16)
    elif name == hand_phrases.LABEL:  # a flag
        path.addRect(-0.4, -0.58, 0.15, 1.16)
        _polygon(path, (-0.3, -0.58), (0.55, -0.26), (-0.3, 0.1))
    elif name == hand_phrases.EXCLUDED:  # no entry
        path.addRoundedRect(QRectF(-0.52, -0.14, 1.04, 0.28), 0.08, 0.08)
    elif name == hand_phrases.DISAGREES:  # an exclamation mark
        path.addRoundedRect(QRectF(-0.13, -0.6, 0.26, 0.74), 0.12, 0.12)
        path.addEllipse(QPointF(0.0, 0.45), 0.16, 0.16)
    elif name == hand_phrases.CRITERION:  # the curve of an impurity
        path.addPath(_outlined(QRectF(-0.5, -0.42, 1.0, 1.5), 0.16))
        path.addRect(-0.58, 0.36, 1.16, 0.14)
    else:
        for x in (-0.4, 0.0, 0.4):
            path.addEllipse(QPointF(x, 0.0), 0.13, 0.13)
    return path


def _polygon(path: QPainterPath, *corners: tuple[float, float]) -> None:
    path.addPolygon([QPointF(*corner) for corner in corners])
    path.closeSubpath()


def _outlined(box: QRectF, thick: float) -> QPainterPath:
    """The upper half of an ellipse as a band."""
    band = QPainterPath()
    band.arcMoveTo(box, 0)
    band.arcTo(box, 0, 180)
    band.arcTo(box.adjusted(thick, thick, -thick, -thick), 180, -180)
    band.closeSubpath()
    return band
