#!/usr/bin/env python3
"""Starts Espalier: the window, or with --no-window the same work on the command line."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (said here because nothing below would even be read)
    sys.exit("Espalier needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])  # noqa: UP031

import gc
import io
import os

from gui.qt_loading import check_display, draw, load_qt, printed


def put_into_menu() -> int:
    """Writes the desktop entry, or says why it cannot."""
    from engine.command.arguments import UNUSABLE
    from engine.runtime.errors import InputError
    from gui.desktop import install_desktop

    try:
        print(f"wrote {install_desktop()}")
    except InputError as problem:
        print(problem, file=sys.stderr)
        return UNUSABLE
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; returns its exit code."""
    from engine.command.arguments import check, parser, refuse
    from engine.runtime.errors import InputError

    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show “≤” gets a question mark, no traceback
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    said = parser().parse_args(arguments)
    try:
        check(said)
        if said.no_window or said.score is not None:
            from engine.command.job import without_window  # loads what a window does without for now

            without_window(said, draw, printed)
            sys.stdout.flush()  # here, where a reader that went away is no surprise
            return 0
    except InputError as problem:
        return refuse(said, problem)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read the figures has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if said.install_desktop:
        return put_into_menu()
    # What a window imports and builds is no garbage, and looking for some meanwhile is a twentieth of the start. Once
    # the window is there, `gui.garbage` does the collecting.
    gc.disable()
    try:
        load_qt()
        check_display()
        from gui.application import run

        return run(said.file, said.target, smoke=said.self_test)
    finally:
        gc.enable()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ModuleNotFoundError as problem:
        if problem.name in ("engine", "gui"):
            raise
        sys.exit(
            f"Espalier needs the Python package “{problem.name}”. This sets everything up:\n"
            f"  python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/python main.py"
        )
