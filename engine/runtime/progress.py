"""How a long call tells how far it is, and how it is asked to stop."""

from collections.abc import Callable

import numpy as np


class Progress:
    """Carries progress out of a long call and the wish to stop into it.

    One thread works and calls `report`; any thread may call `stop`. A function that was stopped
    returns what is valid so far, or raises nothing and returns early: its docstring says which.

    Attributes:
        flag: uint8[1], 1 once a stop was asked for; kernels poll it without holding the interpreter's lock.
    """

    def __init__(self, report: Callable[[float, str], None] | None = None) -> None:
        self._report = report
        self.flag = np.zeros(1, dtype=np.uint8)

    def report(self, fraction: float, text: str = "") -> None:
        """Tells that `fraction` (0 to 1) of the work is done and, in words, what is going on."""
        if self._report is not None:
            self._report(min(max(float(fraction), 0.0), 1.0), text)

    def stop(self) -> None:
        """Asks the call that holds this object to end early."""
        self.flag[0] = 1

    @property
    def stopped(self) -> bool:
        """Whether a stop was asked for."""
        return bool(self.flag[0])
