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
        part: Callable[[list[Any]], None] | None = None,
    ) -> None:  # fmt: skip
        more = {} if part is None else {"found": lambda item: part([item])}
        try:
            found = work(*asked, progress=Progress(), **more)
        except (ValueError, OSError) as error:
            failed(error)
        else:
            done(found)

    def drop(self, key: str) -> None:
        """Nothing is ever under way."""
