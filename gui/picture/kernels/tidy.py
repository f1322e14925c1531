"""Where the nodes of a tree stand in a tidy drawing, in time linear in the nodes, whatever the shape of the tree.

Positions are those of preorder: the first child of `i` is `i + 1`, the next one starts at the `end` of the one before.

The two sides of a drawn subtree are kept level by level from its top, in one row of places for all subtrees. The sides
of the tallest child stand where those of its parent go on, so it takes its siblings in by overwriting the uppermost of
its own, and every merge costs the height of the smaller one.

        0             height   2 0 1 0 0
       / \\            slot     0 3 1 2 4        0, 2 and 3 share the places 0 to 2; 1 and 4 have one each
      1   2
         / \\
        3   4

None of these kernels calls another one: while they are not compiled, they are run as they stand, see `picture.tidy`.
"""

import numpy as np

from engine.runtime.compiler import jit


@jit
def find_slots(parent, height, tallest, slot):
    """Writes how many levels are below each node, its tallest child (the first of them, the node itself if it has
    none), and where its sides begin; all int64[n]."""
    n = parent.size
    for node in range(n):
        height[node], tallest[node] = 0, node
    for node in range(n - 1, 0, -1):
        above = parent[node]
        if height[node] + 1 >= height[above]:
            height[above], tallest[above] = height[node] + 1, node
    slot[0], free = 0, height[0] + 1
    for node in range(1, n):
        above = parent[node]
        if tallest[above] == node:
            slot[node] = slot[above] + 1
        else:
            slot[node] = free
            free += height[node] + 1


@jit
def push_apart(end, half, gap, height, tallest, slot, offset):
    """Writes how far each node stands from its parent's centre, `offset`, float64[n]; the root's is left as it is.

    Args:
        half: float64[n], of the room each node needs on its level.
        height, tallest, slot: of `find_slots`.
    """
    n = end.size
    left, right, front, shift = np.empty(n), np.empty(n), np.empty(n), np.zeros(n)  # sides stand at `left + shift`
    children = np.empty(n, np.int64)
    for node in range(n - 1, -1, -1):
        if tallest[node] == node:
            left[slot[node]], right[slot[node]] = -half[node], half[node]
            continue
        count, middle, common, child = 0, 0, 0, node + 1
        while child < end[node]:
            if child == tallest[node]:
                middle = count
            else:
                common = max(common, height[child] + 1)
            children[count] = child
            count += 1
            child = end[child]
        # Each as far left as all before it allow; of three and more from the right likewise, and the mean of both.
        for way in range(2 if count > 2 else 1):
            total, reach, sign = offset[children[count - 1]], 0, 1.0 - 2.0 * way
            behind, ahead = (left, right) if way == 0 else (right, left)
            for k in range(count):
                child = children[k if way == 0 else count - 1 - k]
                # Below the second tallest subtree nothing can touch: only so many levels are compared.
                at, levels, place = slot[child], min(common, height[child] + 1), 0.0 if k == 0 else -np.inf
                for depth in range(min(reach, levels)):
                    place = max(place, front[depth] - sign * (behind[at + depth] + shift[child]) + gap)
                if k < count - 1:
                    for depth in range(levels):
                        front[depth] = sign * (ahead[at + depth] + shift[child]) + place
                    reach = max(reach, levels)
                offset[child] = place if way == 0 else (offset[child] + total - place) / 2
        centre = (offset[children[0]] + offset[children[count - 1]]) / 2
        for k in range(count):
            offset[children[k]] -= centre
        child = tallest[node]
        shift[node] = shift[child] + offset[child]
        below = slot[node] + 1
        for side, first, last, step in ((left, middle - 1, -1, -1), (right, middle + 1, count, 1)):
            for k in range(first, last, step):
                child = children[k]
                change = shift[child] + offset[child] - shift[node]
                for depth in range(height[child] + 1):
                    side[below + depth] = side[slot[child] + depth] + change
        left[slot[node]], right[slot[node]] = -half[node] - shift[node], half[node] - shift[node]


@jit
def place(parent, half, offset, x, left, right):
    """Writes the centres of all nodes and the sides of every subtree, all float64[n]; the leftmost one is 0."""
    n, lowest = parent.size, -half[0]
    x[0] = 0.0
    for node in range(1, n):
        x[node] = x[parent[node]] + offset[node]
        lowest = min(lowest, x[node] - half[node])
    for node in range(n):
        x[node] -= lowest
        left[node], right[node] = x[node] - half[node], x[node] + half[node]
    for node in range(n - 1, 0, -1):
        above = parent[node]
        left[above], right[above] = min(left[above], left[node]), max(right[above], right[node])
