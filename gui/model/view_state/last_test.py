"""The rows that were kept for the last test: the error on them is told on request, and every look is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui import messages
from gui.model.history import State
from gui.model.host import Host
from gui.wording import phrases

if TYPE_CHECKING:
    from engine.assessment import Fit

KEY = "test"  # of the job


class LastTest:
    """Looks at the test rows.

    Attributes:
        looks: how often the error on them was told.
    """

    def __init__(self, document: Host) -> None:
        self._document = document
        self.looks = 0

    @property
    def seen(self) -> bool:
        """Whether somebody was told the error on the test rows."""
        return self.looks > 0

    def begin(self, looks: int) -> None:
        """Starts anew, with a table whose test rows were looked at so often."""
        self._document.jobs.drop(KEY)
        self.looks = looks

    def look(self) -> None:
        """Tells the error on the test rows, and how often it was told."""
        state = self._document.state
        if state is None or state.table.n_test == 0:
            return

        def done(fit: Fit) -> None:
            self.looks += 1
            messages.tell(phrases.tested(fit, state.tree, self.looks))

        self._document.jobs.run(tr("Looking at the test rows"), tested, state, done=done, key=KEY)


# -- in the worker, without Qt


def tested(state: State, progress: Progress) -> Fit:
    """How the tree does on the test rows."""
    return engine.assess(state.table, state.tree, "test", assignment=state.assigned())
