"""The panels “This node” and below it “Split” and “Why”; what they share about room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontMetrics

USUAL = 14  # pixels of a line of letters at a text size of 100 %


def grown(pixels: float, metrics: QFontMetrics) -> int:
    """Pixels that go with the letters: as many more as these are larger than usual."""
    return round(pixels * max(metrics.height() / USUAL, 1.0))


def whole_parts(parts: Sequence[str], joint: str, room: int, metrics: QFontMetrics) -> str:
    """As many parts of a line as fit, each whole: half a number would be another one."""
    text, n = joint.join(parts), len(parts)
    while n > 1 and metrics.horizontalAdvance(text) > room:
        n -= 1
        text = joint.join(parts[:n]) + " …"
    return text
