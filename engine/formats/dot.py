"""A tree as a graph in the language of Graphviz: https://graphviz.org/doc/info/lang.html."""

from collections.abc import Iterator

from engine.formats.coding import headline
from engine.formats.graphs import node_lines
from engine.runtime.errors import printable
from engine.tree.tree import Tree


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces: a box for each node by its number, and an edge for each branch with what it asks."""
    yield f"// {headline(tree)}\ndigraph tree {{\n    node [shape=box, style=rounded]\n"
    for i in range(tree.n_nodes):
        yield f"    {int(tree.ids[i])} [label={_quoted(*node_lines(tree, i))}]\n"
        if i:
            above = int(tree.ids[tree.parent[i]])
            yield f"    {above} -> {int(tree.ids[i])} [label={_quoted(tree.branch_words(i))}]\n"
    yield "}\n"


def _quoted(*lines: str) -> str:
    """Lines in quotes, in which a backslash begins what Graphviz fills in."""
    said = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(said) + '"'
