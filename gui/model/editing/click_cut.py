"""Cutting back by clicks: a click on a node makes it a leaf, another one brings back what stood below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.runtime.sentences import tr
from gui import messages
from gui.model.editing import hand_tasks
from gui.model.editing.cutback import Cutback
from gui.model.editing.edits import Edits
from gui.model.history import State
from gui.model.host import Host
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.tree.tree import Tree


class ClickCut(QObject):
    """Whether clicks cut, and the tree that they bring back.

    That tree is the one on the canvas when the first click came. Its own leaves get back what a pruning took there,
    where it was cut out of the tree of the chart. Clicks in a row are one undo step, which begins at that tree: the
    step before, whatever it was, stays as it is.

    Attributes:
        on: whether a click on a node cuts.

    Signals:
        changed: `on` is another.
    """

    changed = Signal()

    def __init__(self, document: Host, edits: Edits, cutback: Cutback) -> None:
        super().__init__(document)
        self._document, self._edits, self._cutback = document, edits, cutback
        self.on = False
        self._began: State | None = None  # the tree on the canvas when the first click came
        self._made: State | None = None  # what the last click made of it
        self._row = object()  # the clicks in a row; another one for every row
        self._told: messages.Message | None = None
        document.tableChanged.connect(self._on_table_changed)

    def toggle(self, keys: str) -> None:
        """Begins or ends it; `keys`: what ends it again."""
        self.on = not self.on and self._document.tree is not None
        self._forget()
        if self.on:
            self._told = messages.info(
                tr(
                    "Click a node to make it a leaf, and again to bring back what stood below it. {keys} ends this.",
                    keys=keys,
                )
            )
        self.changed.emit()

    def stop(self) -> None:
        """Stops what somebody waits for; while nobody does, it ends the cutting."""
        if self.on and not self._document.jobs.working:
            self.toggle("")
        else:
            self._cutback.stop()

    def _on_table_changed(self) -> None:
        self._forget(hint=self._document.tree is None)
        if self.on and self._document.tree is None:
            self.on = False
            self.changed.emit()

    def _forget(self, hint: bool = True) -> None:
        self._began = self._made = None
        if hint and self._told is not None:
            messages.withdraw(self._told)
            self._told = None

    def made(self, tree: Tree | None) -> bool:
        """Whether this tree is what the last click made, so that it stands where the mouse is."""
        return self.on and self._made is not None and self._made.tree is tree

    def click(self, node: int) -> None:
        """Makes a leaf of a node, or brings back what stood below it."""
        self._edits.enqueue(lambda state: self._begin(state, node))

    def _begin(self, state: State, node: int) -> None:
        if node not in state.tree:
            return
        if self._began is None or (state is not self._began and state is not self._made):
            self._began, self._made, self._row = state, None, object()
        began, full = self._began, self._full(self._began)
        cut, at_first = (hand_tasks.cuts_between(full.tree, each.tree) for each in (state, began))
        if state.tree.n_branches[state.tree.position(node)]:
            cut, text = cut | {node}, phrases.collapse(state.tree, node, hand_phrases.place(state.tree, node))
        elif full.tree.n_branches[full.tree.position(node)]:
            known = began if node in began.tree and began.tree.n_branches[began.tree.position(node)] else full
            place = known.tree.position(node)
            below = known.tree.ids[place : known.tree.end[place]].tolist() if known is began else ()
            cut = (cut - {node}) | (at_first & frozenset(below))
            text = phrases.brought_back(known.tree, node, hand_phrases.place(known.tree, node))
        else:
            messages.info(tr("Nothing stands below this node, so there is nothing to cut."))
            return

        def agreed(after: State) -> State:
            self._made = began if hand_tasks.cuts_between(full.tree, after.tree) == at_first else after
            self._cutback.know(self._made)
            return self._made

        self._edits.run(
            text, hand_tasks.cut_out, full, cut, node, unpack=agreed, merge=self._row,
            naming=lambda before, after: self._named(began, after, text),
        )  # fmt: skip

    def _named(self, began: State, after: Tree, text: str) -> str:
        """The name of the step that all clicks in a row are: what the only one did, or how many leaves there are."""
        cut, back = hand_tasks.cuts_between(began.tree, after), hand_tasks.cuts_between(after, began.tree)
        if len(cut) + len(back) != 1:
            return phrases.cut_by_clicks(after.n_leaves) if cut or back else text
        node = next(iter(cut or back))
        tree, words = (began.tree, phrases.collapse) if cut else (after, phrases.brought_back)
        return words(tree, node, hand_phrases.place(tree, node))

    def _full(self, began: State) -> State:
        """The tree of the chart if this one was cut out of it; else this one itself."""
        base = self._cutback.base
        known = base is not None and base.table is began.table and hand_tasks.is_cut_out(began.tree, base.tree)
        return base if known and base is not None else began
