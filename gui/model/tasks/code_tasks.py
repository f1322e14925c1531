"""What the worker does for the tree in bits; plain functions of the engine's tables and trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.theory.tree_code import TreeCode
    from engine.tree.tree import Tree
    from gui.model.history import State


def encoded(state: State, progress: Progress) -> TreeCode:
    """The code of the tree on the screen."""
    from engine.theory.tree_code import encode

    return encode(state.table, state.tree)


def decoded(state: State, bits: str, wide: bool, progress: Progress) -> Tree:
    """The tree that a code describes.

    Raises:
        InputError: the bits are no code of a tree, and of one only.
    """
    from engine.theory.tree_code import decode

    return decode(state.table, bits, wide)
