"""What each cut between two cells of neighbouring values is worth, and a ceiling for the cuts inside a cell.

    cells       | 40 30 | 25 35 | 10 50 | ...    the target in each: a bin of values, or a single one
    score            s1      s2      s3          of the cut after each cell, with the missing rows on the better side
    ceiling       c1      c2      c3             no cut inside the cell scores more; -1 for none

Scores and ceilings are weight times gain. For Gini and the squared error the gain is a sum over classes (or of the one
number) of d² / (w_L · w_R), d = s_L - w_L · s / w, where s sums the class or the target. Inside a cell of weight m, d
lies off the straight line between its values at the ends by at most √(m V) / 2, V being the cell's own Σ(y - mean)²
(Cauchy and Schwarz), and by at most m p (1 - p) for a class. Where the cell is all that stands on its side, w_L runs
from 0 on, and the quotient is bounded as a whole.

The other criteria are differences of impurities, concave in the counts on the left: least at a corner of what the cell
allows. For two classes, and for errors, the corners are tried. For more, weight times impurity never grows when rows
are taken away, so the branches without the cell's rows bound those with any part of it. For the entropy Pearson's χ²
is another bound (a sum of the same quotients, see `criteria.kernels.entropy_ceiling`), about half of which is enough
where no class is much rarer in a branch than at the node, see `divergence_share`; the smaller counts.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.criteria.criterion import BREAKS_TIES, BY_CONTRAST, BY_DIVERGENCE, OF_COUNTS, OF_SUMS
from engine.criteria.kernels import BITS, gini_gain, impurity, mixed, rest, take_away, weight
from engine.runtime.compiler import jit, jit_inside
from engine.search.kernels.branches import is_enough, may_part

SLACK = 1e-9  # relative; what rounding may do to scores and ceilings is far below
NEAR_HALF = 0.55  # up to this `divergence_share` χ² bounds the entropy so well that corners need no logarithms
LEFT_OUT = 1e-10  # share of the weight; what `rest` leaves out lowers an entropy by no more
TIE_SLACK = 1e-8  # absolute, of scores whose fraction is half the Gini gain


class Cells(NamedTuple):
    """Cells of one column at a node in ascending order; line 0 is the missing rows.

    stat: float64[·, S]; sizes: int64[·], rows; ends: int64[·], the largest code that may stand in each;
    score, ceiling: float64[·]; is_open: uint8[·]; node, left, right, before: float64[S].
    """

    stat: np.ndarray
    sizes: np.ndarray
    ends: np.ndarray
    score: np.ndarray
    ceiling: np.ndarray
    is_open: np.ndarray
    node: np.ndarray
    left: np.ndarray
    right: np.ndarray
    before: np.ndarray


@jit_inside
def make_cells(most, n_stats):
    """Room for up to `most` cells."""
    return Cells(
        np.empty((most, n_stats)),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most),
        np.empty(most),
        np.empty(most, np.uint8),
        np.empty(n_stats),
        np.empty(n_stats),
        np.empty(n_stats),
        np.empty(n_stats),
    )


@jit_inside
def part_ceiling(d, d_after, part, share, off, apart, apart_after, m, rest):
    """The largest d² / (w_L · w_R) of any cut inside a cell, for one class or number.

    Args:
        d, d_after: its d left and right of the cell; part: its sum in the cell, share: its mean in the node;
        off: what it may lie off the line between, times 2; apart, apart_after: w_L · w_R there, 0 at the ends of the
            node; m: the weight of the cell; rest: that of all others.
    """
    if apart > 0.0 and apart_after > 0.0:
        return (max(abs(d), abs(d_after)) + 0.5 * off) ** 2 / min(apart, apart_after)
    if not rest > 0.0:
        return math.inf
    # a part of weight a has |d| ≤ √a (√m |mean of the cell - mean| + √V), and w_L · w_R ≥ a · rest
    root = math.sqrt(m)
    return (abs(part / m - share) * root + off / root) ** 2 / rest


@jit_inside
def class_off(part, m, between):
    """What the weight of a class may lie off the line inside a cell, times 2, see `part_ceiling`."""
    apart = max(part * (m - part), 0.0)
    return 2.0 * apart / m if between else math.sqrt(apart)


@jit_inside
def divergence_share(ratio):
    """The largest share that Σ p ln(p/q) can have of Σ (p - q)²/q where every p/q is at least this ratio.

    Both are sums of q times a function of t = p/q, t ln t - t + 1 and (t - 1)², whose quotient falls with t: from 1 at
    t = 0 to ½ at t = 1.
    """
    off = min(ratio, 1.0) - 1.0
    if off > -1e-3:
        return 0.5 - off / 6.0 + off * off / 12.0 - off * off * off / 20.0 + 1e-12
    return ((1.0 + off) * math.log(1.0 + off) - off) / (off * off) if off > -1.0 else 1.0


@jit_inside
def most_saved(before, stat, b, node):
    """The most errors that a cut inside cell b may save: all rows of one class in the cell go left, all of another
    right. before: float64[K], of the rows left of the cell.

    What is not left of the cell is a plain difference: `rest` would leave out up to 10⁻¹² of a class, which may be all
    that a cut saves where weights are that far apart.
    """
    largest, most = 0.0, 0.0
    for c in range(node.shape[0]):
        largest = max(largest, node[c])
        for other in range(node.shape[0]):
            if other != c:
                most = max(most, before[c] + stat[b, c] + max(node[other] - before[other], 0.0))
    return max(most - largest, 0.0)


@jit_inside
def least_mixed(code, before, stat, b, node, side):
    """The least weight times impurity of both sides of a cut inside cell b, for two classes; side: float64[2], room.

    It is concave in what goes left, so it is least where all rows of one class in the cell do, and none of the other;
    or at an end of the cell.
    """
    least = math.inf
    for corner in range(4):
        a = before[0] + (stat[b, 0] if corner & 1 else 0.0)
        z = before[1] + (stat[b, 1] if corner & 2 else 0.0)
        side[0], side[1] = a, z
        both = mixed(code, side)
        side[0], side[1] = rest(node[0], a), rest(node[1], z)
        least = min(least, both + mixed(code, side))
    return least


@jit_inside
def judge_pair(cells, n_cells, moved, n_rows, min_leaf, number, inside):
    """Two classes under Gini, and the squared error: two running sums."""
    stat, sizes, node = cells.stat, cells.sizes, cells.node
    total, whole = (node[0] if number else node[0] + node[1]), node[1]
    mean, factor = whole / total, (total if number else 2.0 * total)
    n, w, s = 0, 0.0, 0.0
    if moved:
        n, s = sizes[0], stat[0, 1]
        w = stat[0, 0] if number else stat[0, 0] + stat[0, 1]
    d, apart = (s * total - w * whole) / total, w * (total - w)
    for b in range(1, n_cells):
        size = sizes[b]
        if size == 0:
            continue
        part, m = stat[b, 1], (stat[b, 0] if number else stat[b, 0] + stat[b, 1])
        after = w + m
        d_after, apart_after = ((s + part) * total - after * whole) / total, after * (total - after)
        if inside and size > 1 and is_enough(n + size - 1, min_leaf) and is_enough(n_rows - n - 1, min_leaf):
            if number:
                off = math.sqrt(max(m * stat[b, 2] - part * part, 0.0) + 1e-12 * m * stat[b, 2])
            else:
                off = class_off(part, m, apart > 0.0 and apart_after > 0.0)
            top = part_ceiling(d, d_after, part, mean, off, apart, apart_after, m, total - m)
            cells.ceiling[b] = max(cells.ceiling[b], top * factor * (1.0 + SLACK))
        n, w, s, d, apart = n + size, after, s + part, d_after, apart_after
        if may_part(n, n_rows, min_leaf):
            cells.score[b] = max(cells.score[b], d * d / apart * factor if apart > 0.0 else 0.0)


@jit_inside
def squares_apart(left, part, node, total):
    """Weight times `engine.criteria.kernels.gini_gain` of a branch of weight `part`, of more than two classes."""
    apart, squares = part * (total - part), 0.0
    for c in range(node.shape[0]):
        d = left[c] - part * node[c] / total
        squares += d * d
    return squares * total / apart if apart > 0.0 else 0.0


@jit_inside
def judge_classes(cells, n_cells, moved, n_rows, min_leaf, code, inside, whole):
    """Any number of classes and any criterion for them; whole: whether each row counts once."""
    stat, sizes, node, left, right, before = (
        cells.stat, cells.sizes, cells.node, cells.left, cells.right, cells.before,
    )  # fmt: skip
    width, total, value = node.shape[0], weight(OF_COUNTS, node), impurity(code, node)
    by_contrast, breaks_ties, by_share = code & BY_CONTRAST != 0, code & BREAKS_TIES != 0, code & BY_DIVERGENCE != 0
    n, w = np.int64(sizes[0]) if moved else np.int64(0), 0.0
    for c in range(width):
        left[c] = stat[0, c] if moved else 0.0
        w += left[c]
    by_sums, before_mixed = by_contrast or breaks_ties, 0.0 if by_contrast else mixed(code, left)
    for b in range(1, n_cells):
        size = sizes[b]
        if size == 0:
            continue
        m = float(size) if whole else 0.0
        for c in range(width):
            before[c] = left[c]
            left[c] += stat[b, c]
            m += 0.0 if whole else stat[b, c]
        after = w + m
        left_mixed, right_mixed = 0.0, 0.0
        if not by_contrast:
            take_away(node, left, right)
            left_mixed, right_mixed = mixed(code, left), mixed(code, right)
        if inside and size > 1 and is_enough(n + size - 1, min_leaf) and is_enough(n_rows - n - 1, min_leaf):
            top, apart, apart_after, ratio = 0.0, w * (total - w), after * (total - after), 1.0
            for c in range(width if by_sums or by_share else 0):
                if node[c] > 0.0:
                    share, part = node[c] / total, stat[b, c]
                    off = class_off(part, m, apart > 0.0 and apart_after > 0.0)
                    d, d_after = before[c] - w * share, left[c] - after * share
                    one = part_ceiling(d, d_after, part, share, off, apart, apart_after, m, total - m)
                    top += one / node[c] if by_share else one
                    ratio = min(ratio, before[c] / (after * share), (node[c] - left[c]) / (max(total - w, m) * share))
            if by_contrast:
                top *= total
            elif breaks_ties:
                top = most_saved(before, stat, b, node) + (min(0.5, 0.5 * top) if whole else 0.0)
            else:
                mixed_least, most = before_mixed + right_mixed, divergence_share(ratio) if by_share else 1.0
                if width == 2 and most > NEAR_HALF:
                    mixed_least = least_mixed(code, before, stat, b, node, right)
                apart_ceiling = value * total - mixed_least
                if by_share:
                    top = min(apart_ceiling, BITS * most * total * total * top + (0.0 if whole else LEFT_OUT * total))
                else:
                    top = apart_ceiling
            cells.ceiling[b] = max(cells.ceiling[b], top * (1.0 + SLACK) + SLACK)
        n, w, before_mixed = n + size, after, left_mixed
        if may_part(n, n_rows, min_leaf):
            if by_contrast:
                score = squares_apart(left, after, node, total)
            else:
                score = max(value * total - left_mixed - right_mixed, 0.0)
                if breaks_ties and whole:
                    score = np.rint(score) + 0.5 * gini_gain(left, node)
            cells.score[b] = max(cells.score[b], score)


@jit
def judge(cells, n_cells, min_leaf, code, inside, whole):
    """Writes score and, if `inside`, ceiling of every cell; returns the best of each."""
    node, width = cells.node, cells.node.shape[0]
    n_rows, n_missing = 0, cells.sizes[0]
    for c in range(width):
        node[c] = 0.0
    for b in range(n_cells):
        cells.score[b], cells.ceiling[b] = -1.0, -1.0
        n_rows += cells.sizes[b]
        for c in range(width):
            node[c] += cells.stat[b, c]
    pair = code & BY_CONTRAST != 0 and (code & OF_SUMS != 0 or width == 2)
    for turn in range(2 if n_missing > 0 else 1):
        if pair:
            judge_pair(cells, n_cells, turn, n_rows, min_leaf, code & OF_SUMS != 0, inside)
        else:
            judge_classes(cells, n_cells, turn, n_rows, min_leaf, code, inside, whole)
    best, top = -1.0, -1.0
    for b in range(1, n_cells):
        best, top = max(best, cells.score[b]), max(top, cells.ceiling[b])
    return best, top
