"""The branches of the split that is being made, as ghosts on the canvas: at the speed of a hand, and its own only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    import engine
    from gui.model.document import Document

WAIT = 40  # milliseconds from one picture of the branches on the canvas to the next


class DraftGhosts(QObject):
    """Shows what `wanted` answers some moments after it was asked to; those of others stay.

    Args:
        wanted: the split whose branches are to be seen, weighed; None for none.

    Attributes:
        shown: what it has put onto the canvas last.
    """

    def __init__(self, document: Document, wanted: Callable[[], engine.Candidate | None], parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._wanted = document, wanted
        self.shown: engine.Candidate | None = None
        self._timer = QTimer(self, singleShot=True, interval=WAIT)
        self._timer.timeout.connect(self._show)
        document.destroyed.connect(self._timer.stop)  # it may go first

    def soon(self) -> None:
        """The split is another one."""
        if not self._timer.isActive():
            self._timer.start()

    def _show(self) -> None:
        found = self._wanted()
        if found is None:
            self.withdraw()
        elif found is not self.shown:
            self.shown = found
            self._document.set_preview(found)

    def withdraw(self) -> None:
        """Takes them off the canvas."""
        self._timer.stop()
        if self.shown is not None and self._document.preview is self.shown:
            self._document.set_preview(None)
        self.shown = None
