"""Long names of columns in little room: shortened so that no two of them read the same, if that can be."""

from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

WAYS = (Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft)
CUT = "…"
MOST = 4_096  # shortened names that are kept


def telling(name: str, names: tuple[str, ...], room: int, metrics: QFontMetrics) -> str:
    """The name, or what of it fits into `room` pixels: in the way that the fewest other names would read too.

    Args:
        names: all of them, `name` perhaps among them.
    """
    if metrics.horizontalAdvance(name) <= room:
        return name
    return _chosen(name, names, tuple(metrics.elidedText(name, way, room) for way in WAYS))


@lru_cache(MOST)
def _chosen(name: str, names: tuple[str, ...], ways: tuple[str, ...]) -> str:
    return min(ways, key=lambda short: readings(short, names, name))


def readings(short: str, names: Iterable[str], name: str = "") -> int:
    """How many names other than `name` a shortened one could stand for."""
    head, cut, tail = short.partition(CUT)
    if not cut:
        return sum(other == short != name for other in names)
    least = len(head) + len(tail)
    return sum(
        other != name and len(other) > least and other.startswith(head) and other.endswith(tail) for other in names
    )
