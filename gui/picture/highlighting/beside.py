"""Where the values of a row that is followed stand when their edges have no room: beside the nodes of its way, over
what is faded there, but over nothing of the way and over no other words."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF

APART = 3.0  # pixels between a node and the words beside it

Beside = tuple[int, str, QRectF]  # the node, the words, the plate behind them


def beside_nodes(
    wanted: Sequence[int],
    box_of: Callable[[int], QRectF],
    plate_of: Callable[[int], tuple[str, float, float]],
    taken: Sequence[QRectF],
    size: tuple[float, float],
) -> list[Beside]:
    """The words of some nodes, each in the first free place to its right, to its left, above or below.

    Args:
        wanted: the positions of the nodes, the uppermost first.
        box_of: where a node is drawn.
        plate_of: its words, and how wide and how high the plate behind them is.
        taken: what may not be covered.
        size: of the view; nothing is cut off by its border.
    """
    found: list[Beside] = []
    view = QRectF(0, 0, *size)
    for i in wanted:
        box = box_of(i)
        text, width, height = plate_of(i)
        middle, left = box.center().y() - height / 2, box.center().x() - width / 2
        corners = (
            (box.right() + APART, middle),
            (box.left() - APART - width, middle),
            (left, box.top() - APART - height),
            (left, box.bottom() + APART),
        )
        plates = (QRectF(*corner, width, height) for corner in corners)
        others = [*taken, *(plate for *_, plate in found)]
        free = (p for p in plates if view.contains(p) and not any(p.intersects(other) for other in others))
        plate = next(free, None)
        if plate is not None and view.intersects(box):
            found.append((i, text, plate))
    return found
