"""What is asked before something is done: about unsaved work, splits made by hand, another target, a note,
the label of a leaf, how many rows a branch needs to be shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs.labels import Notice, answers, quiet
from gui.model.view_state.folding import summary
from gui.picture.folds import Folds, folded_of
from gui.widgets import verbatim
from gui.wording import hand_phrases, phrases, words

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


class NoteDialog(QDialog):
    """Asks for the note of a node; an empty one erases it.

    Attributes:
        text: what is written.
    """

    def __init__(self, where: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("note_dialog")
        self.setWindowTitle(verbatim.window_title(f"Note on {where}"))
        self.field = QPlainTextEdit(text, objectName="note_field")
        self.field.setAccessibleName("Note")
        self.field.setTabChangesFocus(True)
        self.field.selectAll()
        buttons, _ = answers(self, "&Write it", "note_accept")
        layout = QVBoxLayout(self)
        for widget in (self.field, quiet("Ctrl+Enter writes it; an empty note is erased."), buttons):
            layout.addWidget(widget)
        self.field.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(440, 240)

    @property
    def text(self) -> str:
        return self.field.toPlainText().strip()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.accept()
        else:
            super().keyPressEvent(event)


class NumberDialog(QDialog):
    """Asks what number a leaf is to say.

    Attributes:
        value: the number; None for what was counted.
    """

    def __init__(self, where: str, target: str, counted: float, value: float | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName("number_dialog")
        self.setWindowTitle(verbatim.window_title(f"What {where} says"))
        said = quiet(f"Counted was {words.value(counted)} for “{target}”. Leave the field empty to say that again.")
        self.field = QLineEdit("" if value is None else f"{value:.12g}", objectName="number_field")
        self.field.setPlaceholderText(f"{counted:.6g}")
        self.field.setAccessibleName(f"What the leaf says of {target}")
        self.field.selectAll()
        self.notice = Notice()
        buttons, self.go_on = answers(self, "&Say it", "number_accept")
        layout = QVBoxLayout(self)
        for widget in (said, self.field, self.notice, buttons):
            layout.addWidget(widget)
        self.field.textChanged.connect(self._refresh)
        self.field.setFocus()
        self._refresh()

    @property
    def value(self) -> float | None:
        text = self.field.text().strip()
        return float(text.replace(words.MINUS, "-").replace(",", "")) if text else None

    def _refresh(self) -> None:
        try:
            value = self.value
            fault = "" if value is None or math.isfinite(value) else "It has to be a finite number."
        except ValueError:
            fault = f"“{self.field.text().strip()}” is no number: write one like 12.5."
        self.notice.say(fault, "error")
        self.go_on.setEnabled(not fault)


USUAL = 0.01  # of the rows: where the dialog begins


class FoldDialog(QDialog):
    """Asks for the least number of training rows of a node whose branches are shown.

    Attributes:
        least_rows: that number.
    """

    def __init__(self, tree: Tree, least_rows: int, parent: QWidget | None = None) -> None:
        """`least_rows`: what was chosen last; 0 for nothing."""
        super().__init__(parent)
        self.setObjectName("fold_dialog")
        self.setWindowTitle("Fold branches")
        self._tree = tree
        rows = int(tree.rows_train[0])
        self.field = QSpinBox(objectName="fold_rows", minimum=1, maximum=max(rows, 1), accelerated=True)
        self.field.setGroupSeparatorShown(True)
        self.field.setAccessibleName("Fold the branches of nodes with fewer training rows than")
        self.field.setValue(least_rows or max(round(USUAL * rows), 2))
        self.field.selectAll()
        label = verbatim.label("&Fold the branches of nodes with fewer training rows than")
        label.setBuddy(self.field)
        line = QHBoxLayout()
        line.addWidget(label)
        line.addWidget(self.field)
        self._outcome = quiet()
        self._outcome.setObjectName("fold_outcome")
        buttons, _ = answers(self, "&Fold them", "fold_accept")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(12)
        layout.addLayout(line)
        layout.addWidget(self._outcome)
        layout.addWidget(quiet("The tree stays as it is: only the picture hides what is below them."))
        layout.addWidget(buttons)
        self.field.valueChanged.connect(self._refresh)
        self._refresh()

    @property
    def least_rows(self) -> int:
        return self.field.value()

    def _refresh(self) -> None:
        now = folded_of(self._tree, Folds(least_rows=self.least_rows))
        said = summary(self._tree, now) if now is not None else "all leaves shown: nothing would be folded"
        self._outcome.setText(f"{said[0].upper()}{said[1:]}")
