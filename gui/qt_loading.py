"""Loading Qt, or ending with what is missing: a display, or libraries of the system; a picture without a display."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

SYSTEM_LIBRARIES = (
    "apt-get install --no-install-recommends libegl1 libgl1 libglib2.0-0 libx11-6 libxkbcommon0 libxkbcommon-x11-0 "
    "libfontconfig1 libfreetype6 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-util1 libxcb-xkb1 libgomp1 fonts-dejavu-core"
)


def load_qt() -> None:
    """Imports Qt, or ends with a sentence that says what is missing."""
    try:
        import PySide6.QtSvg  # here, where what is missing can be said
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as problem:
        if "PySide6" in str(problem) and "No module named" in str(problem):
            raise
        leave(str(problem))


def draw(tree: Any, path: str, focus: str | None = None) -> None:
    """Writes the picture of a tree without a display, as the command line wants it; the suffix says which kind.
    `focus`: on white, for a report that is about this class; "" of numbers."""
    with _drawing():
        from gui.picture.paper.picture import write_for_report, write_picture  # late: it needs Qt, too

        write_picture(tree, path) if focus is None else write_for_report(tree, path, focus)


def printed(text: str, path: str) -> None:
    """Writes a page of HTML as .pdf, or an SVG as .png, without a display."""
    with _drawing():
        from gui.picture.paper.printed import write_printed  # late: it needs Qt, too

        write_printed(text, path)


@contextmanager
def _drawing() -> Iterator[None]:
    """An application without a display, as long as something is drawn."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    load_qt()
    from PySide6.QtWidgets import QApplication  # late: only now it is known that Qt can be loaded

    application = QApplication.instance() or QApplication(["espalier"])
    assert application is not None
    yield


def check_display() -> None:
    """Ends with a sentence where Qt would abort: without a display, or without the libraries that reach it."""
    if sys.platform != "linux" or "QT_QPA_PLATFORM" in os.environ or "WAYLAND_DISPLAY" in os.environ:
        return
    if not os.environ.get("DISPLAY"):
        sys.exit(
            "There is no display for the window. Without one, main.py FILE --target COLUMN --no-window does the work."
        )
    import PySide6  # a plain start without a display needs none of it

    try:
        ctypes.CDLL(str(Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
    except OSError as problem:
        leave(str(problem))


def leave(problem: str) -> NoReturn:
    """Ends because a system library is missing, and says how to get it."""
    sys.exit(f"Qt cannot start: {problem}.\nOn Debian or Ubuntu this installs what it needs:\n  {SYSTEM_LIBRARIES}")
