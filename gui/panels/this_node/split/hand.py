"""What the plot of a split asks of whoever changes the split by mouse and keys."""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent


class Hand(Protocol):
    """What mouse and keys do on the plot; each method answers whether the event is dealt with.

    Attributes:
        KEYS: those that do something, whatever the window's shortcuts are.
    """

    KEYS: tuple[Qt.Key, ...]

    def press(self, event: QMouseEvent) -> bool: ...
    def move(self, event: QMouseEvent) -> bool: ...
    def release(self, event: QMouseEvent) -> bool: ...
    def double(self, event: QMouseEvent) -> bool: ...
    def key(self, event: QKeyEvent) -> bool: ...
