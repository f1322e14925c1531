"""A tree as a flowchart of Mermaid, which pages of GitHub and GitLab draw: https://mermaid.js.org/syntax/flowchart.html."""

from collections.abc import Iterator

from engine.formats.coding import headline
from engine.formats.graphs import node_lines
from engine.runtime.errors import InputError, printable
from engine.runtime.sentences import tr
from engine.tree.tree import Tree

MOST_EDGES = 500  # that Mermaid draws, unless a page allows more
PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,≤>=≠−∞")


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces: a box for each node by its number, and an edge for each branch with what it asks.

    Raises:
        InputError: it has more branches than Mermaid draws.
    """
    if tree.n_nodes - 1 > MOST_EDGES:
        raise InputError(tr(
            "The tree has {n:,} branches, but Mermaid draws {most} at most: prune it, or export DOT.",
            n=tree.n_nodes - 1, most=MOST_EDGES))  # fmt: skip
    yield f"%% {headline(tree).replace('{', '(').replace('}', ')')}\nflowchart TD\n"
    for i in range(tree.n_nodes):
        said = "<br>".join(map(_escaped, node_lines(tree, i)))
        shape = f'["{said}"]' if tree.n_branches[i] else f'(["{said}"])'
        yield f"    n{int(tree.ids[i])}{shape}\n"
        if i:
            above = int(tree.ids[tree.parent[i]])
            yield f'    n{above} -->|"{_escaped(tree.branch_words(i))}"| n{int(tree.ids[i])}\n'


def _escaped(text: str) -> str:
    """A text for quotes: what is no plain letter by its number, so that it is neither markup nor an end."""
    return "".join(letter if letter in PLAIN else f"#{ord(letter)};" for letter in printable(text))
