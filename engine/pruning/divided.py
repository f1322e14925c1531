"""C4.5's pruning of trees whose splits divide rows, of which several leaves have a part.

What `engine.pruning.raising` decides with whole rows is decided here node by node, by the same rule: a row that comes
along with a raised branch may stand in several leaves of it, and how it is divided there is said anew by all rows that
the branch then has, as in Weka's J48.
"""

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels import COLLAPSED, KEPT, ROUNDING, SLACK, upper_limit
from engine.pruning.options import Options
from engine.pruning.raising import left_with
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.assignment import Held, assign, divide
from engine.tree.tree import Tree

SAME = 1e-6  # weights of branches that differ by less are equal, as in J48

Floats = NDArray[np.float64]


class Node:
    """A node as it is by now.

    Attributes:
        split_of: the position in the full tree of the node whose split it has; place: of the one whose id it has;
            bearer: of the one whose mark it has. hand: the class that a person wrote, or −1.
        held: its training rows, and which part of each stands there. counts: float64[K], what these weigh.
        value: the sum of what its leaves are expected to err.
    """

    def __init__(self, position: int, hand: int) -> None:
        self.split_of = self.place = self.bearer = position
        self.hand = hand
        self.children: list[Node] = []
        self.held: Held = (np.zeros(0, np.uint32), None)
        self.counts, self.value = np.zeros(0), 0.0

    def preorder(self) -> Iterator["Node"]:
        """It and all nodes below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Cutting:
    """What is cut.

    Attributes:
        verdict: float64[3, n_nodes]: what is expected of each split as a leaf, with its branches, and with the largest
            of them in its place; NaN where it was not asked.
    """

    def __init__(self, table: Table, tree: Tree, options: Options) -> None:
        self.table, self.tree, self.options = table, tree, options
        self.deviate = NormalDist().inv_cdf(1.0 - options.confidence)
        self.factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
        self.verdict = np.full((3, tree.n_nodes), np.nan)
        by_hand = tree.labels_by_hand
        self.nodes = [Node(i, by_hand.get(i, -1)) for i in range(tree.n_nodes)]
        for i in range(1, tree.n_nodes):
            self.nodes[tree.parent[i]].children.append(self.nodes[i])
        self.marked = {tree.position(node) for node in tree.marks}
        at = options.assignment or assign(table, tree)
        rows, share = at.held(0)
        here = table.part[rows] == TRAIN
        self.fill(self.nodes[0], (rows[here], None if share is None else share[here]))

    def expected(self, counts: Floats, hand: int) -> float:
        """What a leaf with such counts is expected to err."""
        now = counts * self.factors
        tree, total = self.tree, float(now.sum())
        label = hand if hand >= 0 else int(tree.leaf_rule.labels_of(tree.classes, tree.train[0], counts[None])[0])
        return float(upper_limit(total, total - float(now[label]), self.options.confidence, self.deviate))

    def down(self, top: Node, held: Held) -> Iterator[tuple[Node, Held]]:
        """All nodes of a branch in preorder, with the part of some rows that comes there."""
        waiting = [(top, held)]
        while waiting:
            node, (rows, share) = waiting.pop()
            yield node, (rows, share)
            if node.children:
                split = self.tree.split_at(node.split_of)
                assert split is not None
                rows, share, bounds = divide(self.table, split, rows, share)
                for child, a, b in reversed(list(zip(node.children, bounds[:-1], bounds[1:], strict=True))):
                    waiting.append((child, (rows[a:b], None if share is None else share[a:b])))

    def count(self, held: Held) -> Floats:
        """float64[K]: what rows weigh by class."""
        rows, share = held
        weights = np.ones(rows.size) if self.table.weights is None else self.table.weights[rows]
        weights = weights if share is None else weights * share
        return np.bincount(self.table.y[rows], weights, len(self.tree.classes)).astype(np.float64)

    def fill(self, top: Node, held: Held) -> None:
        """Gives a branch other rows."""
        below = list(self.down(top, held))
        for node, here in below:
            node.held, node.counts = here, self.count(here)
        for node, _ in reversed(below):
            self.value(node)

    def value(self, node: Node) -> None:
        """Adds up what is expected of its leaves."""
        leaf = not node.children
        node.value = self.expected(node.counts, node.hand) if leaf else sum(child.value for child in node.children)

    def raised(self, node: Node, child: Node) -> float:
        """What is expected with a branch in the place of the node."""
        leaves = ((one, self.count(held)) for one, held in self.down(child, node.held) if not one.children)
        own = node.hand if node.place in self.marked else child.hand
        return sum(self.expected(counts, own if one is child else one.hand) for one, counts in leaves)

    def decide(self, node: Node, fate: int) -> bool:
        """Makes it a leaf, or puts its largest branch in its place, if that is better; whether it did the latter."""
        self.value(node)
        as_leaf, as_it_is, raised = self.expected(node.counts, node.hand), node.value, np.inf
        largest = node.children[0]
        for child in node.children:
            largest = child if child.counts.sum() >= largest.counts.sum() - SAME else largest
        if fate == 0 and self.options.raising:
            raised = self.raised(node, largest)
        self.verdict[:, node.split_of] = as_leaf, as_it_is, raised if np.isfinite(raised) else np.nan
        slack = SLACK + ROUNDING
        if fate == COLLAPSED or (as_leaf <= as_it_is + slack and as_leaf <= raised + slack):
            node.children, node.value = [], as_leaf
        elif raised <= as_it_is + slack:
            node.split_of, node.children = largest.split_of, largest.children
            if node.bearer not in self.marked:
                node.bearer, node.hand = largest.bearer, largest.hand
            self.fill(node, node.held)
            return True
        return False

    def cut(self, fate: NDArray[np.int64], progress: Progress) -> None:
        """Decides what becomes of every split, each after those below it; fate: int64[n], KEPT, COLLAPSED or 0."""
        waiting, n = [(self.nodes[0], False)], 0
        while waiting and not progress.stopped:
            node, is_due = waiting.pop()
            if not node.children:
                continue
            if not is_due:
                waiting += [(node, True), *((child, False) for child in node.children)]
                continue
            n += 1
            progress.report(min(n / max(self.tree.n_leaves - 1, 1), 1.0), tr("Pruning"))
            here = int(fate[node.split_of])
            if here == KEPT:
                self.value(node)
            elif self.decide(node, here):
                waiting.append((node, False))

    def left(self) -> Tree:
        """The tree as it is by now."""
        left = list(self.nodes[0].preorder())
        split_of, place, bearer = (
            np.array([getattr(n, name) for n in left]) for name in ("split_of", "place", "bearer")
        )
        return left_with(self.table, self.tree, split_of, np.array([not n.children for n in left]), place, bearer)
