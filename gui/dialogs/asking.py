"""What is asked before something is done: about unsaved work, splits made by hand, another target, a note, the label
of a leaf, how many rows a branch needs to be shown; and one or several of a list."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QMessageBox, QSpinBox, QTreeWidgetItem, QWidget

import engine
from engine.runtime.sentences import tr
from gui.model.view_state.folding import summary
from gui.picture.folds import Folds, folded_of
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import ENTER
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack
from gui.widgets.tables import TickCells, aligned
from gui.wording import hand_phrases, phrases, words

MOST_DIFFERENCES = 8  # that a question lists
Button = QMessageBox.StandardButton
Role = QMessageBox.ButtonRole


def ask_save_changes(parent: QWidget, name: str) -> str:
    """ "save", "discard" or "cancel"."""
    question, said = tr("Save the changes to “{name}”?", name=name), tr("They are lost otherwise.")
    answers = (Button.Save, "save"), (Button.Discard, "discard")
    return str(_answer(parent, "save_changes", question, said, *answers) or "cancel")


def ask_keep_by_hand(parent: QWidget, n_splits: int) -> bool | None:
    """True to keep the splits made by hand, False to prune them too, None to leave the tree as it is."""
    several = tr("This pruning takes away {n} splits that were made by hand.", n=words.count(n_splits))
    question = tr("This pruning takes away 1 split that was made by hand.") if n_splits == 1 else several
    said = tr("You can change the answer later: Keep hand-made splits, in the Prune panel.")
    keep = tr("&Keep hand-made splits"), Role.AcceptRole, True
    prune = tr("&Prune hand-made splits too"), Role.DestructiveRole, False
    return _answer(parent, "keep_by_hand", question, said, keep, prune)


def ask_anew(parent: QWidget, question: str, tree: "engine.Tree") -> bool:
    """Whether the tree may go because something else is predicted from now on."""
    what = {"leaves": phrases.leaves(tree.n_leaves), "target": tree.target}
    classes = tr("The tree of {leaves} predicts “{target}” as categories. It is discarded, and a new tree starts as a "
                 "single leaf. Undo brings it back.", **what)  # fmt: skip
    number = tr("The tree of {leaves} predicts “{target}” as a number. It is discarded, and a new tree starts as a "
                "single leaf. Undo brings it back.", **what)  # fmt: skip
    start = tr("&Start a new tree"), Role.AcceptRole, True
    return _answer(parent, "ask_anew", question, classes if tree.task == "classes" else number, start) is True


def ask_other_table(parent: QWidget, name: str, differences: Sequence[str]) -> bool:
    """Whether a tree is to be shown on a table that differs from its own."""
    question = tr("“{name}” was made on another table. Open it all the same?", name=name)
    more = len(differences) - MOST_DIFFERENCES
    said = [f"• {each}" for each in differences[:MOST_DIFFERENCES]]
    said += [tr("… and {n} more differences.", n=words.count(more))] if more > 0 else []
    said.append(tr("Its figures are counted on this table. No file is changed until you save."))
    return _answer(parent, "ask_other_table", question, "\n".join(said), (tr("&Open"), Role.AcceptRole, True)) is True


def ask_open_test(parent: QWidget, n_rows: int, seen: bool) -> bool:
    question = tr("Look at the {n} test rows now?", n=words.count(n_rows))
    said = tr("No panel, count or message has told of these rows since the file was opened, so their error is an "
              "honest figure for the tree on the screen. Once you have seen it, a tree that you choose or change "
              "afterwards has no honest figure. This cannot be undone: the project keeps how often you "
              "looked.")  # fmt: skip
    if seen:
        said = tr("These rows were seen before they were kept for the test: panels showed them, and trees may have "
                  "been grown on them. Their error is no honest figure. For one, open the file again and keep test "
                  "rows from the start.")  # fmt: skip
    look = tr("&Look at the test rows"), Role.AcceptRole, True
    return _answer(parent, "ask_open_test", question, said, look, enter=False) is True


def ask_below(parent: QWidget, tree: "engine.Tree", node: int, by: str) -> str | None:
    """What becomes of the branches below a node whose split is replaced: "drop", "keep", "regrow"; None: nothing. `by`
    is the split that replaces it, in words."""
    i = tree.position(node)
    leaves = phrases.leaves(int(np.count_nonzero(tree.n_branches[i : tree.end[i]] == 0)))
    what = hand_phrases.split_anew(tree, node, by)
    said = (tr("Keep: the splits below stay wherever they still divide the rows that reach them."),
            tr("Regrow: the new branches grow by the search options."),
            tr("Drop: the new branches are leaves."))  # fmt: skip
    question = tr("{split}: what becomes of the {leaves} below?", split=what, leaves=leaves)
    keep, regrow = (tr("&Keep"), Role.AcceptRole, "keep"), (tr("&Regrow"), Role.AcceptRole, "regrow")
    drop = tr("&Drop"), Role.DestructiveRole, "drop"
    return _answer(parent, "ask_below", question, "\n".join(said), keep, regrow, drop)


def _answer(
    parent: QWidget, name: str, question: str, explanation: str, *answers: tuple[Any, ...], enter: bool = True
) -> Any:  # fmt: skip
    """What the button means that is pressed; None for Cancel, which is added. Enter presses the first, or Cancel unless
    `enter`. `answers`: for each button what Qt adds it by, and what it means."""
    box = named(QMessageBox(parent, icon=QMessageBox.Icon.Question, textFormat=Qt.TextFormat.PlainText), name)
    box.setWindowTitle("Espalier")
    box.setText(question)
    box.setInformativeText(" ")  # makes its label, which Qt before 6.11 leaves to guess a format
    label: Any = box.findChild(QLabel, "qt_msgbox_informativelabel")
    label.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(explanation)
    meaning: dict[Any, Any] = {box.addButton(*button): answer for *button, answer in answers}
    cancel = box.addButton(Button.Cancel)
    box.setDefaultButton(next(iter(meaning)) if enter else cancel)
    box.setEscapeButton(cancel)
    for button in box.buttons():  # as in all other dialogs; the style has pictures for a few buttons only
        button.setIcon(QIcon())
    box.exec()
    box.deleteLater()
    return meaning.get(box.clickedButton())


class NoteDialog(QDialog):
    """Asks for the note of a node, its `text`; an empty one erases it."""

    def __init__(self, where: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "note_dialog").setWindowTitle(verbatim.window_title(tr("Note on {node}", node=where)))
        self.field = named(QtWidgets.QPlainTextEdit(text, tabChangesFocus=True), "note_field", tr("Note"))
        self.field.selectAll()
        buttons, _ = answers(self, tr("&Write it"), "note_accept")
        said = quiet(tr("Ctrl+Enter writes it; an empty note is erased."))
        stack(self, (self.field, 1), said, buttons, margins=(12, 12, 12, 12))
        self.field.setFocus()

    def sizeHint(self) -> QSize:
        return on_screen(self, 440, 240)

    @property
    def text(self) -> str:
        return self.field.toPlainText().strip()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.accept()
        else:
            super().keyPressEvent(event)


class NumberDialog(QDialog):
    """Asks what number a leaf is to predict, its `value`; None for what was counted."""

    def __init__(self, where: str, target: str, counted: float, value: float | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        named(self, "number_dialog").setWindowTitle(verbatim.window_title(tr("What {node} predicts", node=where)))
        known = words.value(counted)
        said = tr("Counted: {value} for “{target}”. Leave the field empty to predict that again.", value=known,
                  target=target)  # fmt: skip
        field = QLineEdit("" if value is None else f"{value:.12g}", placeholderText=f"{counted:.6g}")
        self.field = named(field, "number_field", tr("What the leaf predicts of {target}", target=target))
        self.field.selectAll()
        self.notice = Notice()
        buttons, self.go_on = answers(self, tr("&Set it"), "number_accept")
        stack(self, quiet(said), self.field, self.notice, buttons, margins=(12, 12, 12, 12))
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
            fault = "" if value is None or math.isfinite(value) else tr("It has to be a finite number.")
        except ValueError:
            fault = tr("“{text}” is no number: write one like 12.5.", text=self.field.text().strip())
        self.notice.say(fault, "error")
        self.go_on.setEnabled(not fault)


USUAL = 0.01  # of the rows: where the dialog begins


class FoldDialog(QDialog):
    """Asks for the least number of training rows of a node whose branches are shown, in the `field`. `least_rows` is
    what was chosen last; 0 for nothing."""

    def __init__(self, tree: "engine.Tree", least_rows: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "fold_dialog").setWindowTitle(tr("Fold branches"))
        self._tree = tree
        rows = int(tree.rows_train[0])
        spoken = tr("Fold the branches of nodes with fewer training rows than")
        self.field = named(QSpinBox(minimum=1, maximum=max(rows, 1)), "fold_rows", spoken, accelerated=True,
                           showGroupSeparator=True)  # fmt: skip
        self.field.setValue(least_rows or max(round(USUAL * rows), 2))
        self.field.selectAll()
        label = verbatim.label(tr("&Fold the branches of nodes with fewer training rows than"), wordWrap=True)
        label.setBuddy(self.field)
        self._outcome = quiet("", "fold_outcome")
        buttons, _ = answers(self, tr("&Fold them"), "fold_accept")
        line = fill(QHBoxLayout(), (label, 1), self.field, spacing=8)
        said = quiet(tr("The tree stays as it is: only the picture hides what is below them."))
        stack(self, line, self._outcome, said, buttons, spacing=12)
        self.setMinimumWidth(420)
        self.field.valueChanged.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        now = folded_of(self._tree, Folds(least_rows=self.field.value()))
        self._outcome.setText(summary(self._tree, now) if now else tr("All leaves shown: nothing would be folded"))


class WhichTreeDialog(QDialog):
    """Asks which tree of a file with several to open, its `number`, counted from 0 as in the file."""

    def __init__(self, name: str, n: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "which_tree_dialog").setWindowTitle(verbatim.window_title(tr("Open a tree of “{name}”", name=name)))
        self.field = named(QSpinBox(minimum=0, maximum=n - 1), "which_tree", tr("Tree"), accelerated=True)
        self.field.selectAll()
        label = verbatim.label(tr("&Tree, from 0 to {last}", last=words.count(n - 1)), wordWrap=True)
        label.setBuddy(self.field)
        buttons, _ = answers(self, tr("&Open"), "which_tree_accept")
        line = fill(QHBoxLayout(), (label, 1), self.field, spacing=8)
        said = quiet(tr("The file holds {n} trees, which predict together. One tree is opened; a note on its root says "
                        "what its leaves mean.", n=words.count(n)))  # fmt: skip
        stack(self, line, said, buttons, spacing=12)
        self.setMinimumWidth(420)

    @property
    def number(self) -> int:
        return self.field.value()


def ask_which_tree(parent: QWidget, name: str, n: int) -> int | None:
    """Which tree of a file to open, from 0; None for none."""
    dialog = WhichTreeDialog(name, n, parent)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return dialog.number if accepted else None


# -- one or several of a list


SEARCHED = 7  # choices from which there is a search box
ROW_HEIGHT, MOST_SHOWN = 26, 14
BESIDE = 40  # a text: its check box and margins
KEY = Qt.ItemDataRole.UserRole
TICKED, NOT_TICKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


@dataclass(frozen=True)
class Choice:
    """One line of the list."""

    key: Hashable  # what is answered
    text: str  # on the left
    note: str = ""  # on the right
    reason: str = ""  # why it cannot be chosen; it is greyed then, and the reason stands on the right


class PickDialog(QDialog):
    """Asks for one of some choices, or for any number of them, which are `picked`."""

    def __init__(self, parent: QWidget | None, title: str, explanation: str, choices: Sequence[Choice], *, accept: str,
                 chosen: Any = None, several: bool = False) -> None:  # fmt: skip
        super().__init__(parent)
        named(self, "pick_dialog", title).setWindowTitle("Espalier")  # in the frame a long question would be cut
        self._several, self._items = several, list[QTreeWidgetItem]()
        said = quiet(explanation)
        said.setVisible(bool(explanation))
        hint = tr("Find… Enter ticks what is found") if several else tr("Find…")
        field = QLineEdit(placeholderText=hint, clearButtonEnabled=True)
        self.search = named(field, "pick_search", tr("Find in the list"), textChanged=self._filter)
        self.search.setVisible(len(choices) >= SEARCHED)
        self.search.installEventFilter(self)
        tree = QtWidgets.QTreeWidget(columnCount=2)
        self.list = named(tree, "pick_list", title, rootIsDecorated=False, uniformRowHeights=True, headerHidden=True)
        self.list.setItemDelegate(TickCells(self.list))
        for choice in choices:
            item = QTreeWidgetItem([choice.text, choice.reason or choice.note])
            item.setData(0, KEY, choice.key)
            item.setSizeHint(0, QSize(0, max(ROW_HEIGHT, self.fontMetrics().height() + 8)))
            item.setTextAlignment(1, aligned(words=False))
            item.setToolTip(0, verbatim.tip(choice.text))
            item.setToolTip(1, verbatim.tip(choice.reason))
            if several:
                item.setCheckState(0, TICKED if choice.key in (chosen or ()) else NOT_TICKED)
            item.setDisabled(bool(choice.reason))
            self._items.append(item)
        self.list.addTopLevelItems(self._items)
        self.list.currentItemChanged.connect(self._refresh)
        self.list.itemActivated.connect(self._on_activated)
        buttons, self.go_on = answers(self, accept, "pick_accept")
        question = verbatim.label(title, wordWrap=True, objectName="pick_question")
        stack(self, question, said, self.search, (self.list, 1), buttons, margins=(12, 12, 12, 12))
        if first := self._choosable():
            self.list.setCurrentItem(next((item for item in first if item.data(0, KEY) == chosen), first[0]))
        (self.search if len(choices) >= SEARCHED else self.list).setFocus()
        self._refresh()

    def sizeHint(self) -> QSize:
        rows = min(self.list.topLevelItemCount(), MOST_SHOWN)
        return on_screen(self, 420, 144 + rows * ROW_HEIGHT + (0 if self.search.isHidden() else 40))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts have the room that they need, but leave some to long reasons."""
        super().resizeEvent(event)
        wanted = self.list.fontMetrics().horizontalAdvance
        longest = max((wanted(item.text(0)) for item in self._items), default=0) + BESIDE
        self.list.setColumnWidth(0, min(longest, round(0.6 * self.list.viewport().width())))

    @property
    def picked(self) -> Any:
        """The key that was chosen, None for none; of several a tuple, in the order of the list."""
        if self._several:
            ticked = (item for item in self._items if item.checkState(0) == TICKED and not item.isDisabled())
            return tuple(item.data(0, KEY) for item in ticked)
        item = self.list.currentItem()
        return item.data(0, KEY) if item is not None and not item.isHidden() and not item.isDisabled() else None

    def _choosable(self) -> list[QTreeWidgetItem]:
        return [item for item in self._items if not item.isHidden() and not item.isDisabled()]

    def _filter(self, text: str) -> None:
        """Shows what contains the text; what begins with it becomes current."""
        wanted = text.casefold()
        for item in self._items:
            item.setHidden(wanted not in item.text(0).casefold())
        shown = self._choosable()
        begins = [item for item in shown if item.text(0).casefold().startswith(wanted)]
        self.list.setCurrentItem(next(iter(begins or shown), None))  # type: ignore[arg-type]  # None is allowed
        self._refresh()

    def _refresh(self) -> None:
        self.go_on.setEnabled(self._several or self.picked is not None)

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        if self._several:
            self._flip(item)
        elif not item.isDisabled():
            self.accept()

    def _flip(self, item: QTreeWidgetItem) -> None:
        if not item.isDisabled():
            item.setCheckState(0, NOT_TICKED if item.checkState(0) == TICKED else TICKED)

    def _ticks(self, key: int) -> bool:
        """Whether a key in the search field ticks the current line: Enter after something was typed, which is then
        done with; the space bar before."""
        typed, item = bool(self.search.text()), self.list.currentItem()
        if key not in ENTER if typed else key != Qt.Key.Key_Space:
            return False
        if item is not None and not item.isHidden():
            self._flip(item)
            self.search.clear()
            self.list.setCurrentItem(item)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys walk through the list while one types."""
        walking = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in walking:
                self.list.event(event)
                return True
            if self._several:
                return self._ticks(event.key())
        return bool(super().eventFilter(watched, event))
