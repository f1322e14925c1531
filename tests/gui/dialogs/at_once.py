"""What stands in for the worker where a test is not about waiting."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.runtime.progress import Progress


class AtOnce(QObject):
    """Jobs that are done before the call returns."""

    progressed = Signal(float, str)

    def run(
        self, text: str, work: Callable[..., Any], *asked: Any, done: Callable[[Any], None],
        failed: Callable[[Exception], None], key: str, quiet: bool = False,
    ) -> None:  # fmt: skip
        try:
            found = work(*asked, progress=Progress())
        except (ValueError, OSError) as error:
            failed(error)
        else:
            done(found)

    def drop(self, key: str) -> None:
        """Nothing is ever under way."""
