"""What the boxes of a tree say where it is written as a graph."""

from engine.runtime.sentences import tr
from engine.table.words import number_words
from engine.tree.tree import Tree


def node_lines(tree: Tree, i: int) -> tuple[str, str]:
    """Of the node at position i what it asks, of a leaf what it predicts; and its training rows."""
    n = int(tree.rows_train[i])
    rows = tr("1 row") if n == 1 else tr("{n} rows", n=f"{n:,}")
    if tree.n_branches[i]:
        return tree.title(i), rows
    if tree.task == "number":
        return number_words(float(tree.predictions[i])), rows
    return tree.classes[tree.labels[i]], rows
