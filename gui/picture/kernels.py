"""Kernels of the layout: where the nodes of a tree stand in a tidy drawing, in time linear in the nodes.

Positions are those of preorder: the first child of `i` is `i + 1`, the next one starts at the `end` of the one before.

The two sides of a drawn subtree are kept level by level from its top, in one row of places for all subtrees. The sides
of the tallest child stand where those of its parent go on, so it takes its siblings in by overwriting the uppermost of
its own, and every merge costs the height of the smaller one.

        0             height   2 0 1 0 0
       / \\            slot     0 3 1 2 4        0, 2 and 3 share the places 0 to 2; 1 and 4 have one each
      1   2
         / \\
        3   4

Below: the shape of a tree sorted by level, without what is folded away, and how tight it stands. None of these kernels
calls another one: while they are not compiled, they are run as they stand, see `levels.run`. At the end, streams filled
pixel by pixel: Qt draws them until that is compiled.
"""

import numpy as np

from engine.runtime.compiler import jit, jit_part

LEVEL, TOGETHER = 0.2, 8  # an edge that rises fewer pixels within a column, or within so many, is taken for level


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
    half: float64[n], of the room each node needs on its level; height, tallest, slot: of `find_slots`."""
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


@jit
def sort_by_level(level, n_branches):
    """A tree by level, from left to right: every level is a slice, and so are the children of every node. level,
    n_branches: int64[n], in preorder. Returns (int64[levels + 1] where each level begins and the last one ends,
    int64[n] the position of each node by level, int64[n] where each position stands among these; by level, int64[n] the
    place of each node's parent (the root's own is 0), int64[n + 1] that of its first child, and int64[n] how many
    children it has)."""
    n, deepest = level.size, np.int64(0)
    for i in range(n):
        deepest = max(deepest, level[i])
    start, free = np.zeros(deepest + 2, np.int64), np.zeros(deepest + 1, np.int64)
    for i in range(n):
        start[level[i] + 1] += 1
    for k in range(deepest + 1):
        start[k + 1] += start[k]
        free[k] = start[k]
    order, place, branches = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        p = free[level[i]]
        free[level[i]] += 1
        order[p], place[i], branches[p] = i, p, n_branches[i]
    above, child = np.zeros(n, np.int64), np.empty(n + 1, np.int64)
    child[0] = 1
    for p in range(n):
        child[p + 1] = child[p] + branches[p]
        for k in range(child[p], child[p + 1]):
            above[k] = p
    return start, order, place, above, child, branches


@jit
def fold_away(parent, end, level, n_branches, closed):
    """The nodes that are shown where the branches below some nodes, `closed` as bool[n], are folded away; all others
    int64[n]. Returns (int64[m] the nodes that are shown, int64[n] the place of each among them: of a hidden one that of
    the folded node above it, parent, end, level and n_branches of the nodes that are shown, int64[m])."""
    n, count, i = end.size, 0, 0
    at = np.empty(n, np.int64)
    while i < n:
        after = end[i] if closed[i] else i + 1
        for k in range(i, after):
            at[k] = count
        i, count = after, count + 1
    shown, above, stop = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    depth, branches = np.empty(count, np.int64), np.empty(count, np.int64)
    i = 0
    for k in range(count):
        shown[k], depth[k], branches[k] = i, level[i], 0 if closed[i] else n_branches[i]
        above[k] = at[parent[i]] if i else -1
        stop[k] = at[end[i] - 1] + 1
        i = end[i] if closed[i] else i + 1
    return shown, at, above, stop, depth, branches


@jit
def find_room(level, centres, widths, across, gap, deepest):
    """(float64[n], float64[deepest + 1]): how many times wider than needed the place of each node is, and the tightest
    one on each level or above, in a drawing from 0 to `across`: its borders count as neighbours, so that what is drawn
    larger stays inside. level: int64[n]; centres, widths: float64[n]; gap: what is needed between two neighbours."""
    n = level.size
    room, tightest, before = np.empty(n), np.full(deepest + 1, np.inf), np.full(deepest + 1, -1)
    for i in range(n):
        room[i] = min(centres[i], across - centres[i]) / (widths[i] / 2)
        k = before[level[i]]
        if k >= 0:
            apart = (centres[i] - centres[k]) / ((widths[i] + widths[k]) / 2 + gap)
            room[i], room[k] = min(room[i], apart), min(room[k], apart)
            tightest[level[i]] = min(tightest[level[i]], apart)
        tightest[level[i]] = min(tightest[level[i]], room[i])
        before[level[i]] = i
    for k in range(deepest):
        tightest[k + 1] = min(tightest[k + 1], tightest[k])
    return room, tightest


@jit
def join_bars(parent, level, centres, heights, deepest):
    """Where the streams between bars begin, and which bars stand beside each other in a column. parent, level:
    int64[n]; centres, heights: float64[n]. Returns (float64[n] the middle of each stream at its parent's bar, the
    streams of a bar one below the other; float64[n] twice, how far the bars above and below are, from middle to middle;
    int64[n] twice, which they are: where there is none, the node itself and an endless distance)."""
    n = parent.size
    begins, free, last = np.empty(n), np.empty(n), np.full(deepest + 1, -1)
    before, after, above, below = np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        free[i] = centres[i] - heights[i] / 2
        begins[i] = centres[i] if i == 0 else free[parent[i]] + heights[i] / 2
        free[max(parent[i], 0)] += heights[i] if i else 0.0
        before[i], after[i], above[i], below[i] = np.inf, np.inf, i, i
        k = last[level[i]]
        if k >= 0:
            above[i], below[k] = k, i
            before[i] = after[k] = centres[i] - centres[k]
        last[level[i]] = i
    return begins, before, after, above, below


@jit_part
def below(y, low, high):
    """How much of a column of pixels above a height lies below an edge that goes from `low` to `high` within it."""
    past = max(y - low, 0.0)
    return past * past / (2 * (high - low)) if y < high else y - (low + high) / 2


@jit_part
def bent(down, part):
    """How far down a curve is at a part of its way across, both from 0 to 1; straight between the places of `down`."""
    at = min(max(part, 0.0), 1.0) * (down.size - 1)
    step = min(np.int64(at), down.size - 2)
    return down[step] + (at - step) * (down[step + 1] - down[step])


@jit
def fill_bands(pixels, lines, heights, colours, down, least):
    """Fills bands, each over those before it. Within a column of pixels their edges are straight, so how much of each
    they cover is known exactly; columns where they are nearly level are filled together. pixels: uint32[rows, columns],
    0xAARRGGBB, premultiplied, written. lines: float64[n, 4], x, y, x, y, the middles of the ends, the left one first;
    heights: float64[n], in pixels from edge to edge, straight across no fewer than `least`; colours: uint32[n],
    0xffRRGGBB. down: float64[m + 1], how far down a band is at k / m of the way to its right end, from 0 to 1."""
    rows, columns = np.float64(pixels.shape[0]), np.float64(pixels.shape[1])
    for k in range(heights.size):
        x, across, fall = lines[k, 0], lines[k, 2] - lines[k, 0], lines[k, 3] - lines[k, 1]
        first, stop, colour = np.int64(max(x, 0.0)), np.int64(np.ceil(min(lines[k, 2], columns))), np.int64(colours[k])
        there = lines[k, 1] + fall * bent(down, (first - x) / across)
        while first < stop:
            here, after = there, min(first + TOGETHER, stop)
            there = lines[k, 1] + fall * bent(down, (after - x) / across)
            if abs(there - here) >= LEVEL:
                after = first + 1
                there = lines[k, 1] + fall * bent(down, (after - x) / across)
            low, high, half = min(here, there), max(here, there), max(heights[k], least) / 2
            level = high - low < LEVEL
            if level:
                low = high = (low + high) / 2
            else:
                half = max(half, least * np.sqrt(1 + (high - low) ** 2) / 2)
            top, bottom = high - half, low + half
            for row in range(np.int64(max(low - half, 0.0)), np.int64(np.ceil(min(high + half, rows)))):
                share = min(row + 1.0, bottom) - max(np.float64(row), top)
                if share < 1.0 and not level:
                    share = below(row + 1 + half, low, high) - below(row + half, low, high)
                    share += below(row - half, low, high) - below(row + 1 - half, low, high)
                if share >= 1.0:
                    for column in range(first, after):
                        pixels[row, column] = colour
                    continue
                over = np.int64(share * 256 + 0.5)
                odd, even = ((colour >> 8) & 0xFF00FF) * over, (colour & 0xFF00FF) * over
                for column in range(first, after):
                    under = np.int64(pixels[row, column])
                    high_pair = ((under >> 8) & 0xFF00FF) * (256 - over) + odd
                    low_pair = (under & 0xFF00FF) * (256 - over) + even
                    pixels[row, column] = (high_pair & 0xFF00FF00) | ((low_pair >> 8) & 0xFF00FF)
            first = after
