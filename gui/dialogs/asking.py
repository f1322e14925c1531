"""The questions that stop a person: losing unsaved work, pruning splits made by hand, another split above branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget

from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.tree.tree import Tree

Button = QMessageBox.StandardButton
Role = QMessageBox.ButtonRole


def ask_save_changes(parent: QWidget, name: str) -> str:
    """ "save", "discard" or "cancel"."""
    box = _box(parent, "save_changes", f"Save the changes to “{name}”?", "They are lost otherwise.")
    box.setStandardButtons(Button.Save | Button.Discard | Button.Cancel)
    box.setDefaultButton(Button.Save)
    box.setEscapeButton(Button.Cancel)
    _without_pictures(box)
    answer = box.exec()
    box.deleteLater()
    return {Button.Save: "save", Button.Discard: "discard"}.get(Button(answer), "cancel")


def ask_keep_by_hand(parent: QWidget, n_splits: int) -> bool | None:
    """True to keep the splits made by hand, False to prune them too, None to leave the tree as it is."""
    splits = "1 split that was" if n_splits == 1 else f"{n_splits} splits that were"
    box = _box(
        parent,
        "keep_by_hand",
        f"This pruning takes away {splits} made by hand.",
        "You can change the answer later: Keep hand-made splits, in the Pruning panel.",
    )
    keep = box.addButton("&Keep hand-made splits", Role.AcceptRole)
    prune = box.addButton("&Prune hand-made splits too", Role.DestructiveRole)
    return _answer(box, {keep: True, prune: False})


def ask_anew(parent: QWidget, question: str, tree: Tree) -> bool:
    """Whether the tree may go because something else is predicted from now on."""
    kind = "categories" if tree.task == "classes" else "a number"
    box = _box(
        parent,
        "ask_anew",
        question,
        f"The tree of {phrases.leaves(tree.n_leaves)} predicts “{tree.target}” as {kind}. It is discarded, and a new "
        "tree starts as a single leaf. Undo brings it back.",
    )
    anew = box.addButton("&Start a new tree", Role.AcceptRole)
    return _answer(box, {anew: True}) is True


def ask_below(parent: QWidget, tree: Tree, node: int, by: str) -> str | None:
    """What becomes of the branches below a node whose split is replaced: "drop", "keep", "regrow"; None: nothing.

    Args:
        by: the split that replaces it, in words.
    """
    i = tree.position(node)
    n_leaves = int(np.count_nonzero(tree.n_branches[i : tree.end[i]] == 0))
    box = _box(
        parent,
        "ask_below",
        f"{hand_phrases.split_anew(tree, node, by)}: what becomes of the {phrases.leaves(n_leaves)} below?",
        "Keep: the splits below stay wherever they still divide the rows that reach them.\n"
        "Regrow: the new branches grow by the search settings.\n"
        "Drop: the new branches are leaves.",
    )
    keep = box.addButton("&Keep", Role.AcceptRole)
    regrow = box.addButton("&Regrow", Role.AcceptRole)
    drop = box.addButton("&Drop", Role.DestructiveRole)
    return _answer(box, {keep: "keep", regrow: "regrow", drop: "drop"})


def _answer(box: QMessageBox, meaning: dict[QPushButton, Any]) -> Any:
    """What the button means that is pressed; None for Cancel, which is added. Enter presses the first."""
    box.setDefaultButton(next(iter(meaning)))
    box.setEscapeButton(box.addButton(Button.Cancel))
    _without_pictures(box)
    box.exec()
    answer = meaning.get(box.clickedButton())
    box.deleteLater()
    return answer


def _without_pictures(box: QMessageBox) -> None:
    """As in all other dialogs; the style has some for a few buttons only."""
    for button in box.buttons():
        button.setIcon(QIcon())


def _box(parent: QWidget, name: str, question: str, explanation: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setObjectName(name)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Espalier")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText(" ")  # makes its label, which Qt before 6.11 leaves to guess a format
    box.findChild(QLabel, "qt_msgbox_informativelabel").setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(explanation)
    return box
