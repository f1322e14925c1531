"""Where the nodes of a tree stand: a tidy drawing on levels, for cards of different widths.

Numbers in, numbers out: no Qt. The drawing is that of E. M. Reingold and J. S. Tilford, "Tidier drawings of trees"
(1981): a parent stands over the middle of its outer children, and subtrees side by side are as near to each other as
the gap lets them. With more than two branches the middle ones stand half-way between packed to the left and packed to
the right (both keep every distance, so their mean does), which makes a mirrored tree the mirrored drawing.

Who pushes whom: two nodes side by side on a level belong to two branches of the node at which their ways up meet,
and only such neighbours can touch.

        P             u and v are neighbours; going up they meet at P as branches A and B, so
       / \\            place(B) − place(A) ≥ half(u) + gap + half(v) + (u as seen from A) − (v as seen from B),
      A   B           and the largest of these over all pairs that meet at P is how far apart A and B stand.
     /   / \\
    u   v   w         So all pairs climb, one level at a time, carrying that sum along: the branches of the level
                      they climb from have been placed just then.

A pair climbs no higher than the smaller of the two subtrees is tall, so in all that is a few steps for each node,
made for a whole row at once: about 0.1 µs a node, where walking from node to node takes 3 µs in Python. Where it
would not be few, in trees of long thin branches, the walk is taken (`gui.canvas.geometry.contours`), which is linear
whatever comes.
"""

import numpy as np
from numpy.typing import NDArray

from gui.canvas.geometry.contours import centres_by_node, extents_by_node
from gui.canvas.geometry.levels import Levels

MOST_STEPS = 12  # of pairs for each node; beyond that the walk is quicker
THIN = 8  # nodes on the usual level; with fewer the walk is quicker, too


def layout(levels: Levels, widths: NDArray, gap: float = 12.0) -> NDArray[np.float64]:
    """Centres of all nodes.

    Args:
        levels: the tree.
        widths: float[n], in preorder: the room each node needs on its level.
        gap: least distance between neighbours on a level.

    Returns:
        float64[n], in preorder; the leftmost edge of the drawing is 0.
    """
    half = np.asarray(widths, dtype=float) / 2
    offsets = None if is_thin(levels) else offsets_by_level(levels, half[levels.order], gap)
    if offsets is None:
        centres = centres_by_node(levels.parent, levels.end, levels.n_branches, half, gap)
    else:
        for level in range(1, levels.depth + 1):
            low, high = levels.start[level : level + 2].tolist()
            offsets[low:high] += offsets.take(levels.above[low:high])
        centres = offsets[levels.place]
    return centres - float(np.min(centres - half))


def is_thin(levels: Levels) -> bool:
    """Whether a row of this tree is usually too short to be worth doing at once."""
    return levels.n < THIN * levels.depth


def offsets_by_level(levels: Levels, half: NDArray, gap: float) -> NDArray[np.float64] | None:
    """float64[n], by level: the distance of every node from its parent's centre; None when it would take too long.

    Args:
        half: float64[n], by level: half of the room each node needs.
    """
    above, start, steps = levels.above, levels.start, 0
    offsets, places = np.zeros(levels.n), np.zeros(levels.n)
    near = half[:-1] + half[1:] + gap  # between each node and the next, if that is on the same level
    branch = np.arange(levels.n) - levels.child[above]
    # The first and the second branch of a node are a pair that has met already.
    second = np.flatnonzero(branch[1:] == 1)
    places[second + 1] = near[second]
    climbing = np.setdiff1d(np.flatnonzero(branch[1:] != 1), start[1:-1] - 1, assume_unique=True)
    begin = np.searchsorted(climbing, start)
    left = right = np.zeros(0, dtype=np.intp)
    apart = np.zeros(0)
    for level in range(levels.depth, 0, -1):
        new = climbing[begin[level] : begin[level + 1]]
        left, right = np.concatenate((left, new)), np.concatenate((right, new + 1))
        apart = np.concatenate((apart, near.take(new)))
        steps += left.size
        if steps > MOST_STEPS * levels.n:
            return None
        left_up, right_up = above.take(left), above.take(right)
        met = left_up == right_up
        meeting, parting = np.flatnonzero(met), np.flatnonzero(~met)
        _push(places, left.take(meeting), right.take(meeting), apart.take(meeting), branch, levels)
        _centre(offsets, places, level, levels)
        left, right, apart = left.take(parting), right.take(parting), apart.take(parting)
        apart += offsets.take(left)
        apart -= offsets.take(right)
        left, right = left_up.take(parting), right_up.take(parting)
    return offsets


def _push(places: NDArray, left: NDArray, right: NDArray, apart: NDArray, branch: NDArray, levels: Levels) -> None:
    """Places the branches of one level, counted from the first branch of each parent, which stands at 0.

    Args:
        places: float64[n], is changed; of second branches it holds how far their neighbours push them already.
        left, right, apart: the pairs of branches that push each other, and how far.
        branch: int[n], the number of each branch.
    """
    if not right.size:
        return
    rank = branch.take(right)
    if rank.max() == 1:
        np.maximum.at(places, right, apart)
        return
    # More than two branches: from left to right each as far left as all before it allow, and from the right likewise.
    for pairs in _groups(rank):
        np.maximum.at(places, right[pairs], places.take(left[pairs]) + apart[pairs])
    far = np.flatnonzero((rank > 1) & (branch.take(left) > 0))
    left, right, apart = left[far], right[far], apart[far]
    from_right = np.zeros(places.size if far.size else 0)
    for pairs in reversed(_groups(branch.take(left))):
        np.maximum.at(from_right, left[pairs], from_right.take(right[pairs]) + apart[pairs])
    middle = np.unique(left)
    last = levels.child[levels.above[middle] + 1] - 1
    places[middle] = (places[middle] - from_right[middle] + places[last]) / 2


def _groups(keys: NDArray) -> list[NDArray]:
    """The places of equal keys, in ascending order of the keys."""
    order = np.argsort(keys, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(keys[order])) + 1) if keys.size else []


def _centre(offsets: NDArray, places: NDArray, level: int, levels: Levels) -> None:
    """Puts the parents of a level over the middle between their first and their last branch."""
    top, low, high = levels.start[level - 1 : level + 2].tolist()
    count = levels.branches[top:low]
    last = levels.child[top + 1 : low + 1][count > 0] - 1
    offsets[low:high] = places[low:high] - np.repeat(places.take(last) / 2, count[count > 0])


def extents(levels: Levels, centres: NDArray, widths: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """The box of every subtree: leftmost and rightmost edge (float64[n]) and deepest level (int64[n]), in preorder."""
    half = np.asarray(widths, dtype=float) / 2
    if is_thin(levels):
        return extents_by_node(levels.parent, levels.level, centres - half, centres + half)
    left, right = (centres - half)[levels.order], (centres + half)[levels.order]
    deepest = np.repeat(np.arange(levels.depth + 1), np.diff(levels.start))
    for level in range(levels.depth, 0, -1):
        top, low, high = levels.start[level - 1 : level + 2].tolist()
        inner = np.flatnonzero(levels.branches[top:low]) + top
        begin = levels.child.take(inner) - low
        for edges, least in ((left, np.minimum), (right, np.maximum), (deepest, np.maximum)):
            edges[inner] = least(edges[inner], least.reduceat(edges[low:high], begin))
    return left[levels.place], right[levels.place], deepest[levels.place]
