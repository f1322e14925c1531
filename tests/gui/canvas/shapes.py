"""Shapes of trees, and where their nodes stand by the definition of a tidy drawing."""

import numpy as np
from hypothesis import strategies as st

GAP = 12.0


def arrays(shape):
    """Preorder arrays of a tree given as (width, [children])."""
    parent, end, branches, widths, level = [], [], [], [], []
    stack = [(shape, -1, 0)]
    while stack:
        item, up, depth = stack.pop()
        if item is None:
            end[up] = len(parent)
            continue
        here = len(parent)
        width, children = item
        parent.append(up)
        end.append(0)
        branches.append(len(children))
        widths.append(width)
        level.append(depth)
        stack.append((None, here, 0))
        stack.extend((child, here, depth + 1) for child in reversed(children))
    made = [np.array(v) for v in (parent, end, branches, widths, level)]
    made[3] = made[3].astype(float)
    return made


def mirrored(shape):
    return (shape[0], [mirrored(child) for child in reversed(shape[1])])


WIDTHS = st.integers(1, 40).map(lambda w: 8.0 * w)


SHAPES = st.recursive(
    st.tuples(WIDTHS, st.just([])),
    lambda inner: st.tuples(WIDTHS, st.lists(inner, min_size=1, max_size=5)),
    max_leaves=40,
)


def children_of(parent, i):
    return np.flatnonzero(parent == i)


def tidy(shape, gap=GAP):
    """The drawing from its definition, one subtree at a time: {level: (left, right)} edges and centres in preorder."""

    def pack(drawn):
        places = [0.0]
        for k in range(1, len(drawn)):
            edges = [
                places[a] + max(drawn[a][0][d][1] - drawn[k][0][d][0] for d in drawn[a][0] if d in drawn[k][0]) + gap
                for a in range(k)
            ]
            places.append(max(edges))
        return places

    def flipped(drawn):
        return [({d: (-right, -left) for d, (left, right) in sides.items()}, x) for sides, x in reversed(drawn)]

    def draw(shape):
        width, children = shape
        drawn = [draw(child) for child in children]
        sides, centres = {0: (-width / 2, width / 2)}, [0.0]
        if drawn:
            from_left, from_right = pack(drawn), [-place for place in reversed(pack(flipped(drawn)))]
            shift = from_left[-1] - from_right[-1]
            places = [(a + b + shift) / 2 for a, b in zip(from_left, from_right, strict=True)]
            middle = (places[0] + places[-1]) / 2
            for place, (below, x) in zip(places, drawn, strict=True):
                centres += [place - middle + v for v in x]
                for d, (left, right) in below.items():
                    left, right = left + place - middle, right + place - middle
                    before = sides.get(d + 1, (left, right))
                    sides[d + 1] = min(before[0], left), max(before[1], right)
        return sides, centres

    sides, centres = draw(shape)
    return np.array(centres) - min(left for left, _ in sides.values())
