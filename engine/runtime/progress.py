"""How a long call tells how far it is, and how it is asked to stop; and whether somebody waits for the compiler."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

_compiled_now: list[str] = []
on_compiling: list[Callable[[], None]] = []  # called whenever a kernel begins to be compiled, in whatever thread


@contextmanager
def compiling(kernel: str) -> Iterator[None]:
    """A kernel is compiled meanwhile."""
    _compiled_now.append(kernel)
    for hear in tuple(on_compiling):
        hear()
    try:
        yield
    finally:
        _compiled_now.remove(kernel)


def is_compiling() -> bool:
    """Whether a kernel is compiled just now, by any thread: then a call that takes long may wait for that."""
    return bool(_compiled_now)


class Stopped(Exception):
    """Somebody asked to stop in the middle of a call whose result is worth nothing so far."""


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

    def part(self, begin: float, end: float) -> "Progress":
        """That of a part of the work, from the fraction `begin` to `end`; it stops when the whole does."""
        part = Progress(lambda done, text: self.report(begin + (end - begin) * done, text))
        part.flag = self.flag
        return part

    def stop(self) -> None:
        """Asks the call that holds this object to end early."""
        self.flag[0] = 1

    @property
    def stopped(self) -> bool:
        """Whether a stop was asked for."""
        return bool(self.flag[0])
