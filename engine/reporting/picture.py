"""A picture of a tree within a page: drawn by who can draw, held by its address."""

import base64
import tempfile
from collections.abc import Callable
from pathlib import Path

from engine.tree.tree import Tree


def address(tree: Tree, draw: Callable[[Tree, str], None]) -> str:
    """The address of an image that holds the picture. draw: writes one of a tree to a path that ends in .svg."""
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        path = Path(folder) / "tree.svg"
        draw(tree, str(path))
        return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()
