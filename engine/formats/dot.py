"""A tree as a graph in the language of Graphviz: https://graphviz.org/doc/info/lang.html."""

from collections.abc import Iterator

from engine.formats.coding import headline
from engine.formats.graphs import node_lines
from engine.runtime.errors import printable
from engine.tree.tree import Tree

ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;", "\n": "\\n"})
LONGEST = 3000  # letters between two quotes: Graphviz reads no more than 16,384 bytes


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
    """Lines in quotes, in which a backslash begins what Graphviz fills in, and "&" a character by its name."""
    text = "\n".join(map(printable, lines))
    pieces = (text[k : k + LONGEST].translate(ESCAPES) for k in range(0, len(text) or 1, LONGEST))
    return " + ".join(f'"{piece}"' for piece in pieces)
