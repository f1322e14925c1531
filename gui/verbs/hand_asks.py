"""What verbs ask and show: before an edit by hand by which column, with which sibling, what a leaf is to say; how to
grow, which rows are kept; what the program is."""

from typing import Any, cast

from PySide6.QtWidgets import QDialog, QWidget

import engine
from engine.criteria import CRITERIA, criteria_for
from engine.runtime.sentences import tr
from gui import messages
from gui.dialogs.asking import Choice, FoldDialog, NoteDialog, NumberDialog, PickDialog, ask_open_test
from gui.dialogs.code_dialog import CodeDialog
from gui.dialogs.grow_dialog import GrowDialog
from gui.dialogs.help_dialogs import AboutDialog, ShortcutsDialog
from gui.dialogs.partition_dialog import PartitionDialog
from gui.dialogs.shares_dialog import SharesDialog
from gui.model.editing.edits import is_leaf
from gui.model.editing.hand_edits import partners
from gui.model.view_state import folding
from gui.panels.this_node.why.figure import Geometry
from gui.verbs.actions import shortcut_list
from gui.verbs.declared import Window
from gui.wording import hand_phrases, phrases, words

COUNTED = ""  # the key of "what was counted" and of "as elsewhere" in lists


class HandAsks:
    """The dialogs of the verbs of one window; those of edits by hand are about the node that is selected when they
    open."""

    def __init__(self, window: Window) -> None:
        self._window, self._document = window, window.document
        self._parent = cast(QWidget, window)

    def chosen(self, dialog: QDialog) -> bool:
        """Whether the dialog was accepted, and is still about this tree: a file may have been opened meanwhile. It
        goes when the window goes, or here."""
        beginning = self._document.beginning
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        if accepted and self._document.beginning is not beginning:
            messages.warning(tr(hand_phrases.OTHER_TREE))
            return False
        return accepted

    @property
    def _here(self) -> "tuple[engine.Table, engine.Tree, int]":
        """The table, the tree and the selected node: without a table all these verbs are refused."""
        state = self._document.state
        assert state is not None
        return state.table, state.tree, self._document.selected

    def split_by_column(self) -> None:
        """Asks for a column, and splits the selected node by its best split."""
        document, (table, tree, node) = self._document, self._here
        where = hand_phrases.place(tree, node)
        leaf = is_leaf(tree, node)
        anew = "" if leaf else hand_phrases.split_anew(tree, node, tr("that of"))
        title, accept = (tr("Split {node} by", node=where), tr("&Split")) if leaf else (anew, tr("&Replace"))
        names, reasons = features(table), refusals(tree, node, document.hand.locked_columns)
        known = {candidate.column: candidate for candidate in document.candidates or ()}
        choices = []  # by what they gain as far as that is known, else as they stand in the table
        for name in (*(name for name in known if name in names), *(name for name in names if name not in known)):
            candidate = known.get(name)
            reason = reasons.get(name) or (candidate.reason if candidate is not None and not candidate.split else "")
            note = tr("gain {gain}", gain=words.gain(candidate.gain)) if candidate is not None else ""
            choices.append(Choice(name, name, note, reason))
        said = tr("The best split of the column is made.")
        dialog = PickDialog(self._parent, title, said, choices, accept=accept)
        if self.chosen(dialog):
            document.hand.split_by_column(node, dialog.picked)

    def replace_split(self) -> None:
        """Replaces the selected node's split by the one in the split editor, by the candidate that is looked at, or
        by the best split of a column that is asked for."""
        document, editor = self._document, self._window.panels["split_editor"]
        if not editor.settle():
            self._window.show_panel("split_editor")  # there it says what cannot be read
            return
        draft, candidate = editor.draft, document.candidate
        drafted = draft.split if draft is not None and draft.edited else None
        split = drafted or (candidate.split if candidate is not None else None)
        if split is None or split == document.split_here:
            self.split_by_column()
        else:
            document.hand.replace_split(document.selected, split)

    def merge(self) -> None:
        """Merges the selected leaf with the only leaf that it can be merged with, or asks with which."""
        _, tree, node = self._here
        found = partners(tree, node)
        if not found:
            messages.info(tr(hand_phrases.NO_PARTNER))
        elif len(found) == 1:
            self._document.hand.merge(node, found[0])
        else:
            choices = [
                Choice(each, tree.branch_words(i), phrases.counted_rows(int(tree.rows_train[i])))
                for each, i in zip(found, map(tree.position, found), strict=True)
            ]
            title = tr("Merge {node} with", node=hand_phrases.place(tree, node))
            dialog = PickDialog(self._parent, title, "", choices, accept=tr("&Merge"))
            if self.chosen(dialog):
                self._document.hand.merge(node, dialog.picked)

    def note(self) -> None:
        _, tree, node = self._here
        dialog = NoteDialog(hand_phrases.place(tree, node), tree.mark(node).note, self._parent)
        if self.chosen(dialog):
            self._document.hand.mark(node, note=dialog.text)

    def label(self) -> None:
        table, tree, node = self._here
        where, said, i = hand_phrases.place(tree, node), tree.mark(node).label, tree.position(node)
        counted = hand_phrases.counted(tree, i)
        if tree.task == "number":
            assert not isinstance(said, str), "the label of a numeric target is a number"
            dialog: Any = NumberDialog(where, tree.target, float(counted), said, self._parent)
        else:
            stats = zip(tree.classes, tree.train[i].tolist(), strict=True)
            choices = [Choice(COUNTED, tr("What was counted"), str(counted))]
            choices += [Choice(name, name, phrases.weighed_rows(n, table.is_sampled)) for name, n in stats]
            title = tr("What {node} predicts", node=where)
            dialog = PickDialog(self._parent, title, "", choices, accept=tr("&Set label"), chosen=said or COUNTED)
        if self.chosen(dialog):
            label = dialog.value if tree.task == "number" else dialog.picked or None
            self._document.hand.mark(node, label=label)

    def exclude(self) -> None:
        table, tree, node = self._here
        own = tree.mark(node).excluded
        reasons = {name: tr("excluded at {node}", node=hand_phrases.place(tree, by))
                   for name, by in tree.excluded_at(node).items() if by != node and name not in own}  # fmt: skip
        choices = [Choice(name, name, reason=reasons.get(name, "")) for name in features(table)]
        title = tr("Columns excluded below {node}", node=hand_phrases.place(tree, node))
        said = tr("The search does not use ticked columns at this node and below it.")
        dialog = PickDialog(self._parent, title, said, choices, accept=tr("&Exclude"), chosen=own, several=True)
        if self.chosen(dialog):
            gone = tuple(name for name in own if name not in features(table))  # no features now, perhaps again later
            self._document.hand.mark(node, excluded=(*gone, *dialog.picked))

    def criterion(self) -> None:
        _, tree, node = self._here
        choices = [Choice(COUNTED, tr("As elsewhere"), CRITERIA[self._document.criterion].label)]
        choices += [Choice(one.name, one.label) for one in criteria_for(tree.task)]
        title, own = tr("Criterion at and below {node}", node=hand_phrases.place(tree, node)), tree.mark(node).criterion
        dialog = PickDialog(self._parent, title, "", choices, accept=tr("&Set criterion"), chosen=own or COUNTED)
        if self.chosen(dialog):
            self._document.hand.mark(node, criterion=dialog.picked)

    def fold_small(self) -> None:
        dialog = FoldDialog(self._here[1], self._document.look.folds.least_rows, self._parent)
        if self.chosen(dialog):
            folding.fold_small(self._document, dialog.field.value())

    def lock_columns(self) -> None:
        table = self._here[0]
        title, said = tr("Locked columns"), tr("No search uses ticked columns; existing splits stay.")
        choices, own = [Choice(name, name) for name in features(table)], self._document.hand.locked_columns
        dialog = PickDialog(self._parent, title, said, choices, accept=tr("&Lock"), chosen=own, several=True)
        if self.chosen(dialog):
            gone = tuple(name for name in own if name not in features(table))
            self._document.hand.lock_columns((*gone, *dialog.picked))

    def partition(self) -> None:
        dialog = PartitionDialog(self._here[0], self._document.jobs, self._parent)
        if self.chosen(dialog):
            self._document.table_edits.set_partition(**dialog.choice)

    def test(self) -> None:
        document = self._document
        if document.test_opened or ask_open_test(self._parent, self._here[0].n_test, document.test_seen):
            document.look_at_test()

    def growth(self) -> None:
        if (state := self._document.state) is None:
            return
        dialog = GrowDialog(state, self._document.selected, self._document.search, self._parent)
        if self.chosen(dialog):
            search, keep = dialog.setting.search, dialog.keep.isChecked()
            grow = self._document.tree_edits.grow_with
            grow(search, dialog.node, dialog.steps, anew=dialog.anew, keep=keep)

    def all_trees(self) -> None:
        from gui.dialogs.all_trees import AllTreesDialog  # brings the compiler along, which an empty window need not

        AllTreesDialog(self._document, self._parent).open()

    def code(self) -> None:
        CodeDialog(self._document, self._parent).open()

    def shares(self, shown: Geometry | None = None) -> None:
        """The impurity figure with any p, q and r; `shown`: the one to begin with."""
        dialog = SharesDialog(shown, self._parent)
        dialog.figureAsked.connect(lambda plot: self._window.files.export_figure(plot))
        dialog.show()

    def shortcuts(self) -> None:
        ShortcutsDialog(shortcut_list(), self._parent).open()

    def about(self) -> None:
        AboutDialog(self._parent).open()


def features(table: "engine.Table") -> list[str]:
    return [table.columns[place].name for place in table.features]


def refusals(tree: "engine.Tree", node: int, locked: tuple[str, ...]) -> dict[str, str]:
    by = tree.excluded_at(node)
    found = {name: tr("left out below {node}", node=hand_phrases.place(tree, above)) for name, above in by.items()}
    return found | dict.fromkeys(locked, tr("locked"))
