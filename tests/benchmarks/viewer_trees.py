"""The trees that every viewer shows, and what a viewer is to a process that measures it. Imports no viewer.

Fitted anew in each process, by scikit-learn from one seed: a digest of the arrays tells whether they are the same.
"""

import hashlib
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

ROWS, COLUMNS = 60_000, 10
NAMES = tuple(f"x{k}" for k in range(COLUMNS))
CLASSES = ("first", "second", "third")
TARGET = "outcome"
TINY = 3  # nodes of the tree that loads a viewer's libraries, fonts and window
SIDES = 1600, 1000  # pixels of the picture
PLACES = 9  # nodes that are looked at from near, evenly spread over the tree in preorder


class Fitted(NamedTuple):
    """A tree of scikit-learn and the data that it was fitted to: float32[rows, columns] and int64[rows]."""

    model: Any
    x: NDArray[np.float32]
    y: NDArray[np.int64]

    @property
    def preorder(self) -> NDArray[np.int64]:
        """int64[n_nodes]: scikit-learn's numbers of the nodes, a parent before its left and that before its right."""
        tree, found, stack = self.model.tree_, [], [0]
        while stack:
            node = stack.pop()
            found.append(node)
            if tree.children_left[node] >= 0:
                stack += [int(tree.children_right[node]), int(tree.children_left[node])]
        return np.array(found)

    @property
    def places(self) -> list[int]:
        """Nodes to look at from near, by their places in preorder."""
        return sorted({int(i) for i in np.linspace(0, self.model.tree_.node_count - 1, PLACES)})

    @property
    def digest(self) -> str:
        """Equal for equal trees."""
        tree = self.model.tree_
        arrays = (tree.children_left, tree.children_right, tree.feature, tree.threshold, tree.n_node_samples)
        return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def fitted(nodes: int) -> Fitted:
    """The best tree of so many nodes (an odd number), grown best first; two columns and noise decide on the class."""
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    y = np.digitize(x[:, 0] + 0.5 * x[:, 1] + rng.normal(size=ROWS), (-0.5, 0.5)).astype(np.int64)
    model = DecisionTreeClassifier(max_leaf_nodes=(nodes + 1) // 2, random_state=0).fit(x, y)
    return Fitted(model, x, y)


class Viewer(Protocol):
    """A viewer of trees. `fit`, `look_at` and `repaint` are asked only of those that have them.

    Attributes:
        package: what has to be installed; its version stands in the report.
        repaints: whether it paints the whole tree again without building it again, and whether a part from near.
    """

    package: str
    repaints: tuple[bool, bool]

    def begin(self) -> None:
        """Loads what it needs. ImportError: something is not installed."""

    def take(self, tree: Fitted) -> None:
        """Makes of the fitted tree what its own learner would have made: the form that a person has at hand."""

    def build(self) -> None:
        """From that tree to the first painted picture."""

    def fit(self) -> None:
        """Looks at the whole tree, without painting."""

    def look_at(self, place: int) -> None:
        """Looks at a node, by its place in preorder, at the zoom at which all words can be read, without painting."""

    def repaint(self) -> None:
        """Paints what is looked at anew."""
