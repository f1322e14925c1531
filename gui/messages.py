"""The one door for messages to a person: `error`, `warning`, `info` from anywhere, shown in the window's bar."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QMetaMethod, QObject, Signal

from engine.runtime.errors import readable
from engine.runtime.sentences import tr

log = logging.getLogger("espalier")
CACHED = 100  # messages kept while no window listens


@dataclass(frozen=True)
class Message:
    """What is said, how grave it is, and what can be done about it: pairs of a button's text and its call."""

    level: str
    text: str
    actions: tuple[tuple[str, Callable[[], None]], ...] = field(default=(), compare=False)
    # What it is true of, and goes with: "step", "document", or "program", which stays whatever is opened.
    about: str = field(default="document", compare=False)


class Door(QObject):
    """Passes messages to the window, and keeps them as long as there is none."""

    posted = Signal(object)  # the Message
    withdrawn = Signal(object)  # a Message that is not true any more

    def __init__(self) -> None:
        super().__init__()
        self._cached: list[Message] = []

    def listen(self, slot: Callable[[Message], None]) -> None:
        """Sends messages to `slot` from now on, the cached ones first."""
        self.posted.connect(slot)
        for message in self.take():
            slot(message)

    def take(self) -> list[Message]:
        cached, self._cached = self._cached, []
        return cached

    def post(self, message: Message) -> None:
        """Shows or caches a message; the same sentence twice in the cache is kept once."""
        message = replace(message, text=readable(message.text))
        log.info("%s: %s", message.level, message.text)
        if self.isSignalConnected(QMetaMethod.fromSignal(self.posted)):
            self.posted.emit(message)
        elif message not in self._cached:
            self._cached = [*self._cached[1 - CACHED :], message]


door = Door()


def error(text: str) -> None:
    """Something that was asked for did not happen."""
    door.post(Message("error", text))


def warning(text: str) -> None:
    """Something happened that should be known."""
    door.post(Message("warning", text))


def info(text: str) -> Message:
    """Something worth a glance; it goes away by itself."""
    said = Message("info", text)
    door.post(said)
    return said


def withdraw(said: Message) -> None:
    """Takes a message away that is not true any more; nothing where it is gone."""
    door.withdrawn.emit(said)


def close() -> None:
    """What a button calls that takes its message away and does nothing else."""


def tell(text: str) -> None:
    """An answer that a person asked for: it stays until it is closed."""
    door.post(Message("info", text, ((tr("Close"), close),), about="step"))


def of_step(text: str) -> None:
    """A warning about the step that was just made; it goes with the next one, or with undo."""
    door.post(Message("warning", text, about="step"))


def of_program(text: str) -> None:
    """A warning about the program itself, which no opened table makes untrue."""
    door.post(Message("warning", text, about="program"))


def offer(text: str, *actions: tuple[str, Callable[[], None]]) -> None:
    """A question that can wait: one button per (text, call); pressing one takes the message away."""
    door.post(Message("warning", text, actions))
