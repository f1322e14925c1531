"""The slow twin of the preset "c4.5" without missing values, written from Quinlan (1993, chapters 2 and 4; 1996)."""

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

CLOSE = 1e-9


class Node(NamedTuple):
    """column, threshold: of the split; None for a leaf, and for one by level. below: its branches. wrong: as a leaf."""

    column: str | None
    threshold: float | None
    below: tuple["Node", ...]
    wrong: int


def bits(counts) -> float:
    """The entropy of some counts times their sum."""
    n = sum(counts)
    return -math.fsum(c * math.log2(c / n) for c in counts if c)


def gain(branches, n: int) -> float:
    """Σ bits saved per row; branches: lists of labels."""
    whole = [label for branch in branches for label in branch]
    return (bits(Counter(whole).values()) - math.fsum(bits(Counter(b).values()) for b in branches)) / n


def best_of_numbers(values, labels, least, n_classes, apart=0.0):
    """(gain less the penalty, ratio, lower and upper value beside the cut), or None.

    apart: there is no cut between neighbours that are no further from each other.
    """
    n, tenth = len(values), Fraction(len(values), 10 * n_classes)
    least = max(least, min(tenth, 25))
    here, allowed, best = sorted(set(values)), 0, None
    for low, high in pairwise(here):
        left = [label for value, label in zip(values, labels, strict=True) if value <= low]
        right = [label for value, label in zip(values, labels, strict=True) if value > low]
        if min(len(left), len(right)) < least or not low + apart < high:
            continue
        allowed += 1
        saved = gain([left, right], n)
        if best is None or saved > best[0] + CLOSE:
            best = saved, bits([len(left), len(right)]) / n, (low, high)
    if best is None or best[0] - math.log2(allowed) / n <= 1e-6:
        return None
    net = best[0] - math.log2(allowed) / n
    return net, net / best[1], best[2]


def best_of_levels(values, labels, least, levels):
    """(gain, ratio, None), or None."""
    branches = [[one for value, one in zip(values, labels, strict=True) if value == level] for level in levels]
    if sum(len(branch) >= least for branch in branches) < 2:
        return None
    saved, size = gain(branches, len(values)), bits([len(b) for b in branches]) / len(values)
    return saved, saved / size if size else 0.0, None


def grow(frame: pd.DataFrame, least: int, part: pd.DataFrame | None = None, apart: float = 0.0) -> Node:
    """The tree; the target is "y", floats are numbers, categories have their declared levels. apart: see
    `best_of_numbers`."""
    part = frame if part is None else part
    labels, n_classes = list(part["y"]), len(set(frame["y"]))
    counted = Counter(labels)
    leaf = Node(None, None, (), len(labels) - max(counted.values(), default=0))
    if len(labels) < 2 * least or len(counted) < 2:
        return leaf
    found, crowded = {}, set()
    for name in frame.columns.drop("y"):
        column, values = frame[name], list(part[name])
        if column.dtype.kind == "f":
            one = best_of_numbers(values, labels, least, n_classes, apart)
        else:
            one = best_of_levels(values, labels, least, column.cat.categories)
            if len(column.cat.categories) >= 0.3 * len(frame):
                crowded.add(name)
        if one is not None:
            found[name] = one
    counting = [name for name in found if name not in crowded] or list(found)
    if not counting:
        return leaf
    bar = math.fsum(found[name][0] for name in counting) / len(counting) - 1e-3
    top = max(one[1] for one in found.values() if one[0] >= bar)
    chosen = next(name for name, one in found.items() if one[0] >= bar and one[1] >= top - 1e-12)
    if found[chosen][0] < 1e-6:
        return leaf
    beside, column = found[chosen][2], part[chosen]
    if beside is None:
        threshold, parts = None, [part[column == level] for level in frame[chosen].cat.categories]
    else:
        middle = (Fraction(str(beside[0])) + Fraction(str(beside[1]))) / 2
        threshold = max(value for value in frame[chosen] if Fraction(str(value)) <= middle)
        parts = [part[column <= threshold], part[column > threshold]]
    below = tuple(grow(frame, least, some, apart) for some in parts)
    return leaf._replace(column=chosen, threshold=threshold, below=below)


def errors(node: Node) -> int:
    """The training rows that its leaves label wrongly."""
    return sum(map(errors, node.below)) if node.below else node.wrong


def collapsed(node: Node) -> Node:
    """From the top: a split that saves no error goes, with all below it."""
    if not node.below or errors(node) >= node.wrong:
        return Node(None, None, (), node.wrong)
    return node._replace(below=tuple(map(collapsed, node.below)))
