"""The texts of one picture of streams, written together: a change of letters or of colour for each text costs time."""

from collections import defaultdict

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFontMetricsF, QPaintEngine, QPainter

from gui.picture.nodes.letters import PIXELS, Letters, fonts

BASE = 0.36  # capitals and digits are 0.72 of the size high: half of that below the middle is their base line


class Texts:
    """What a painter writes."""

    def __init__(self, painter: QPainter, letters: Letters, size: float, scale: float, dpi: float) -> None:
        """
        Args:
            size: of the letters; 1 is natural.
            scale: of the picture; letters go in steps and are no larger.
        """
        self._painter = painter
        self._fonts = fonts(size, dpi)
        self._drops = {kind: BASE * pixels * scale for kind, pixels in PIXELS.items()}
        # Where pixels are smaller, texts that are set stand a fraction of one away from those that are not.
        engine = painter.paintEngine()
        sets = engine is not None and engine.type() == QPaintEngine.Type.Raster
        self._sets = {}
        if sets and painter.deviceTransform().m11() == 1.0:
            device = painter.device()
            for kind, font in self._fonts.items():
                self._sets[kind] = letters.typeset(kind, size, dpi), QFontMetricsF(font, device).ascent()
        self._waiting: dict[tuple[str, int], list[tuple[str, float, float]]] = defaultdict(list)

    def add(self, text: str, kind: str, x: float, y: float, colour: int) -> None:
        """Text from a point at its left end, at half of its height; 0xffRRGGBB."""
        self._waiting[kind, colour].append((text, x, y + self._drops[kind]))

    def write(self) -> None:
        """Writes all texts so far."""
        painter = self._painter
        for (kind, colour), texts in self._waiting.items():
            painter.setFont(self._fonts[kind])
            painter.setPen(QColor(colour))
            typeset, ascent = self._sets.get(kind, (None, 0.0))
            for text, x, y in texts:
                ready = typeset.again(text) if typeset is not None else None
                if ready is None:
                    painter.drawText(QPointF(x, y), text)
                else:
                    painter.drawStaticText(QPointF(x, y - ascent), ready)
        self._waiting.clear()
