"""What the split editor asks of the one who edits a kind of split."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

import engine
from engine.runtime.sentences import marked
from gui.panels.this_node.split.controls import PendingEdit
from gui.panels.this_node.split.draft import Draft
from gui.panels.this_node.split.plot import SplitPlot
from gui.panels.this_node.words import capital, split_words

D = TypeVar("D", bound=Draft)


class SplitKind(QObject, Generic[D]):
    """Edits splits of one kind on the plot of the editor. A new kind is a subclass, which `SplitEditor` chooses."""

    drafted = Signal(object)  # a person changed the split: the new draft
    refused = Signal(str)  # what a person did cannot be done: why, in a sentence; empty when that is settled
    said = Signal(str)  # what goes on while the mouse does something; empty when it is over
    read_as = Signal(str)  # the kind as which the column is to be read for this split
    controls: QWidget | None = None  # below the plot
    body: QWidget | None = None  # in the place of the plot
    field: PendingEdit | None = None  # where something may be typed that does not count yet
    best = marked("Best cut")  # on the button that brings the optimum back
    below_best = marked("{share} below the best cut")

    def __init__(self, plot: SplitPlot) -> None:
        super().__init__(plot)
        self.plot = plot
        self._draft: D | None = None
        self._editable = True

    def _take(self, verb: Callable[[D], D], refusal: str = "") -> None:
        if self._draft is None or not self._editable:
            return
        draft = verb(self._draft)
        if draft is not self._draft:
            self.drafted.emit(draft)
        elif refusal:
            self.refused.emit(refusal)

    def begin(self, found: engine.Candidate, curve: engine.Curve | None, by_class: bool) -> D | None:
        """The draft of what was found; None if there is no split to begin with."""
        raise NotImplementedError

    def draw(self, draft: D, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        """Draws everything onto the cleared plot."""
        raise NotImplementedError

    def show_draft(self, draft: D) -> None:
        """Shows another split of the same curve; called at every move of the mouse."""
        raise NotImplementedError

    def title(self, draft: D) -> str:
        return split_words(draft.split, draft.curve.kind_in_words, most=3)

    def show_swept(self, found: engine.Candidate | None) -> None:
        """Where the threshold is that the sweep moves, or once more what is made; nothing where nothing shows it."""

    def at(self, x: float) -> str:
        """What stands at a place of the horizontal axis, in words."""
        return ""

    def remark(self, draft: D) -> str:
        """What has to be said of a split, beside its figures; empty for nothing."""
        reason = draft.weighed.reason if draft.weighed is not None else ""
        return f"{capital(reason)}." if reason else ""

    def note(self) -> str:
        """What has to be said of the picture, beside the colours; empty for nothing."""
        return ""

    def waits(self, draft: D) -> bool:
        """Whether the worker is still finding out what the split is worth."""
        return False

    def leave(self) -> None:
        """Something else is looked at."""
        self._let_go()
        self._draft = None

    def _let_go(self) -> None:
        """What is dragged, typed or still found out here was meant for the split before."""

    def settle(self) -> bool:
        if self.field is None:
            return True
        self.field.settle()
        return not self.field.pending

    def withdraw(self) -> bool:
        if self.field is None or not self.field.pending:
            return False
        self.field.discard()
        self.refused.emit("")
        return True
