"""A tidy drawing node by node: what `layout` does by level, for trees whose levels are nearly empty.

Plain lists instead of arrays. Positions are those of preorder: the first child of `i` is `i + 1`, the next one starts
at the `end` of the one before.

Contours are kept as flat lists from the deepest level up, so that a taller subtree takes a smaller one in by
overwriting its topmost entries. Every merge costs the height of the smaller one: linear in all.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass(slots=True)
class _Outline:
    """Both sides of a drawn subtree, deepest level first; an entry stands at `entry + shift`."""

    left: list[float]
    right: list[float]
    left_shift: float = 0.0
    right_shift: float = 0.0
    height: int = field(init=False)

    def __post_init__(self) -> None:
        self.height = len(self.left)

    def tops(self, levels: int) -> tuple[list[float], list[float]]:
        """Left and right side of the uppermost levels, top first."""
        first, dx, dy = -1 - levels, self.left_shift, self.right_shift
        return [v + dx for v in self.left[:first:-1]], [v + dy for v in self.right[:first:-1]]


def centres_by_node(
    parent: np.ndarray, end: np.ndarray, n_branches: np.ndarray, half: np.ndarray, gap: float
) -> np.ndarray:
    """float64[n]: the centres of all nodes, the root's is 0; `half` of the room each needs, float64[n]."""
    offsets = _offsets(end.tolist(), n_branches.tolist(), half.tolist(), gap)
    above = parent.tolist()
    for node in range(1, len(above)):
        offsets[node] += offsets[above[node]]
    return np.array(offsets)


def _offsets(end: list[int], n_branches: list[int], half: list[float], gap: float) -> list[float]:
    """Distance of every node from its parent's centre."""
    offsets = [0.0] * len(end)
    outlines: list[_Outline | None] = [None] * len(end)
    for node in range(len(end) - 1, -1, -1):
        if n_branches[node] == 0:
            outlines[node] = _Outline([-half[node]], [half[node]])
            continue
        children, child = [], node + 1
        for _ in range(n_branches[node]):
            children.append(child)
            child = end[child]
        drawn = [outlines[c] for c in children]
        places = _pack(drawn, gap)
        middle = (places[0] + places[-1]) / 2
        for child, place, outline in zip(children, places, drawn, strict=True):
            offsets[child] = place - middle
            outline.left_shift += place - middle
            outline.right_shift += place - middle
            outlines[child] = None
        merged = _merge(drawn)
        merged.left.append(-half[node] - merged.left_shift)
        merged.right.append(half[node] - merged.right_shift)
        merged.height += 1
        outlines[node] = merged
    return offsets


def _pack(drawn: list[_Outline], gap: float) -> list[float]:
    """Centres of neighbouring subtrees, as near to each other as the gap lets them."""
    if len(drawn) == 1:
        return [0.0]
    # Below the second tallest subtree nothing can touch: only so many levels are compared.
    common = sorted(outline.height for outline in drawn)[-2]
    tops = [outline.tops(min(common, outline.height)) for outline in drawn]
    from_left = _push(tops, gap)
    if len(drawn) == 2:
        return from_left
    mirrored = [([-v for v in right], [-v for v in left]) for left, right in reversed(tops)]
    from_right = [-place for place in reversed(_push(mirrored, gap))]
    shift = from_left[-1] - from_right[-1]
    return [(a + b + shift) / 2 for a, b in zip(from_left, from_right, strict=True)]


def _push(tops: list[tuple[list[float], list[float]]], gap: float) -> list[float]:
    """Places subtrees from left to right, each as far left as all before it allow."""
    front = list(tops[0][1])
    places = [0.0]
    for left, right in tops[1:]:
        place = max(map(float.__sub__, front, left)) + gap
        places.append(place)
        front[: len(right)] = [v + place for v in right]
    return places


def _merge(drawn: list[_Outline]) -> _Outline:
    """One outline around several; the tallest takes the others in."""
    tallest = max(range(len(drawn)), key=lambda k: drawn[k].height)
    whole = drawn[tallest]
    for outline in reversed(drawn[:tallest]):
        change = outline.left_shift - whole.left_shift
        whole.left[-outline.height :] = [v + change for v in outline.left]
    for outline in drawn[tallest + 1 :]:
        change = outline.right_shift - whole.right_shift
        whole.right[-outline.height :] = [v + change for v in outline.right]
    return whole


def extents_by_node(
    parent: np.ndarray, level: np.ndarray, left: np.ndarray, right: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The box of every subtree, as `gui.canvas.geometry.layout.extents` gives it, from the edges of every node."""
    lefts, rights, deepest, above = left.tolist(), right.tolist(), np.asarray(level).tolist(), parent.tolist()
    for node in range(len(above) - 1, 0, -1):
        up = above[node]
        lefts[up] = min(lefts[node], lefts[up])
        rights[up] = max(rights[node], rights[up])
        deepest[up] = max(deepest[node], deepest[up])
    return np.array(lefts), np.array(rights), np.array(deepest)
