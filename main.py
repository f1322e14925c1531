#!/usr/bin/env python3
"""Starts Espalier: the window, or with --no-window the same work on the command line."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (said here because nothing below would even be read)
    sys.exit("Espalier needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])  # noqa: UP031

import argparse
import os
from pathlib import Path

SYSTEM_LIBRARIES = (
    "apt-get install --no-install-recommends libegl1 libgl1 libglib2.0-0 libx11-6 libxkbcommon0 libxkbcommon-x11-0 "
    "libfontconfig1 libfreetype6 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-util1 libxcb-xkb1 libgomp1 fonts-dejavu-core"
)
PICTURES = (".png", ".svg", ".pdf")
UNUSABLE = 2


def parser() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    from engine.criteria import CRITERIA
    from engine.options import CHOICES, PRESETS

    words = argparse.ArgumentParser(
        prog="main.py", description="Espalier: grow decision trees by hand, let the engine grow them, cut them back."
    )
    words.add_argument("file", nargs="?", help="a table (.csv .tsv .xlsx .parquet …), a project, or example:NAME")
    words.add_argument("--target", metavar="COLUMN", help="the column to predict")
    words.add_argument("--weights", metavar="COLUMN", help="the column of row weights")
    words.add_argument("--ignore", metavar="COLUMN", action="append", default=[], help="a column not to split on")
    words.add_argument("--sheet", help="which sheet of a workbook; the first by default")
    words.add_argument("--no-window", action="store_true", help="do the work here and print what came out")
    words.add_argument("--install-desktop", action="store_true", help="write a desktop entry that starts the window")
    words.add_argument("--self-test", action="store_true", help="open the window, draw once, close it, exit")

    parts = words.add_argument_group("rows")
    parts.add_argument("--validation", type=float, default=0.0, metavar="SHARE", help="share kept for validation")
    parts.add_argument("--test", type=float, default=0.0, metavar="SHARE", help="share kept for the last test")
    parts.add_argument("--partition", metavar="COLUMN", help="a column that says train, validation or test")
    parts.add_argument("--seed", type=int, default=0, help="for all that is random (default 0)")

    search = words.add_argument_group("growing")
    search.add_argument("--preset", choices=PRESETS, help="a named set of options (default cart)")
    search.add_argument("--criterion", choices=CRITERIA, help="what makes a split good")
    search.add_argument("--nominal", choices=CHOICES["nominal"], help="how levels are split")
    search.add_argument("--order", choices=CHOICES["order"], help="which leaf is split next, with --max-leaves")
    for name, kind, text in (
        ("min-rows", int, "a node of fewer training rows stays a leaf"),
        ("min-leaf", int, "training rows that every branch keeps"),
        ("min-gain", float, "impurity that a split has to gain"),
        ("max-depth", int, "edges from the root to the deepest leaf"),
        ("max-leaves", int, "leaves of the whole tree"),
        ("threads", int, "threads that count; all cores by default"),
    ):
        search.add_argument(f"--{name}", type=kind, metavar="N", help=text)

    after = words.add_argument_group("afterwards")
    after.add_argument("--prune", metavar="METHOD", help="cost-complexity or reduced-error")
    after.add_argument(
        "--export",
        metavar="FILE",
        action="append",
        default=[],
        help="write the tree: .json, or a picture .png .svg .pdf",
    )
    return words


def search_options(said: argparse.Namespace) -> dict[str, object]:
    """The options of the search that were given."""
    names = ("criterion", "nominal", "order", "min_rows", "min_leaf", "min_gain", "max_depth", "max_leaves", "threads")
    return {name: getattr(said, name) for name in names if getattr(said, name) is not None}


def read(said: argparse.Namespace):  # type: ignore[no-untyped-def]  # engine is imported on use
    """The table that was named, with its target, roles and parts."""
    import engine

    roles = dict.fromkeys(said.ignore, "ignore")
    if said.file.startswith("example:"):
        table = engine.read_example(said.file.removeprefix("example:"))
        table = table.with_roles(roles) if roles else table
        table = table.with_target(said.target) if said.target else table
    else:
        if said.target is None:
            raise engine.InputError("No target is named: add --target COLUMN.")
        table = engine.read_table(
            said.file, target=said.target, weights=said.weights, roles=roles or None, sheet=said.sheet
        )
    if said.partition:
        return table.with_partition(column=said.partition)
    return table.with_partition(validation=said.validation, test=said.test, seed=said.seed)


def describe(name: str, tree) -> str:  # type: ignore[no-untyped-def]
    """One line of leaves, depth and errors."""
    errors = []
    for part, word in (("train", "training"), ("validation", "validation")):
        error = tree.error(part)
        if error == error:
            figure = f"{error:.1%}".replace("%", " %") if tree.task == "classes" else f"{error:.5g}"
            errors.append(f"{word} error {figure}" if tree.task == "classes" else f"{word} mean squared error {figure}")
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{name:<7} {leaves} · depth {tree.depth} · {' · '.join(errors)}"


def write(tree, paths: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Writes every export, or none: what this call made is removed again when a later one fails."""
    import engine

    made = []
    try:
        for path in paths:
            if not Path(path).exists():
                made.append(Path(path))
            if Path(path).suffix.lower() in PICTURES:
                draw(tree, path)
            else:
                engine.export(tree, path)
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise
    for path in paths:
        print(f"wrote   {path}")


def draw(tree, path: str) -> None:  # type: ignore[no-untyped-def]
    """Writes a picture; Qt draws it without a display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    load_qt()
    from PySide6.QtWidgets import QApplication

    from gui.canvas.picture import write_picture

    application = QApplication.instance() or QApplication(["espalier"])
    assert application is not None
    write_picture(tree, path)


def without_window(said: argparse.Namespace) -> None:
    """Reads, grows, prunes, prints, exports."""
    import engine
    from engine.export import WRITERS

    if said.file is None:
        raise engine.InputError("Name the file to read: main.py FILE --target COLUMN --no-window.")
    known = (*WRITERS, *PICTURES)
    for path in said.export:
        if Path(path).suffix.lower() not in known:
            raise engine.InputError(f"“{path}” names no known format; export to one of {' '.join(known)}.")
    method = said.prune.replace("-", "_") if said.prune else None
    if method and method not in engine.METHODS:
        names = ", ".join(name.replace("_", "-") for name in engine.METHODS)
        raise engine.InputError(f"There is no pruning method “{said.prune}”; choose one of {names}.")
    table = read(said)
    target = f"{len(table.classes)} classes" if table.task == "classes" else "a number"
    print(
        f"{table.name}: {table.n_rows:,} rows, {len(table.features)} features, target {table.target} ({target}); "
        f"{table.n_train:,} rows train, {table.n_validation:,} validate, {table.n_test:,} wait for the test"
    )
    for note in table.notes:
        print(f"note    {note}")
    tree = engine.grow(table, preset=said.preset, seed=said.seed, **search_options(said))
    print(describe("grown", tree))
    if method:
        pruning = engine.prune(table, tree, method=method, seed=said.seed)
        tree = pruning.tree(pruning.chosen)
        print(describe("pruned", tree))
    write(tree, said.export)


def put_into_menu() -> int:
    """Writes the desktop entry, or says why it cannot."""
    from engine.errors import InputError
    from gui.desktop import install_desktop

    try:
        print(f"wrote {install_desktop()}")
    except InputError as problem:
        print(problem, file=sys.stderr)
        return UNUSABLE
    return 0


def load_qt() -> None:
    """Imports Qt, or ends with a sentence that says what is missing."""
    try:
        import PySide6.QtSvg
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as problem:
        if "PySide6" in str(problem) and "No module named" in str(problem):
            raise
        sys.exit(f"Qt cannot start: {problem}.\nOn Debian or Ubuntu this installs what it needs:\n  {SYSTEM_LIBRARIES}")


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; returns its exit code."""
    said = parser().parse_args(arguments)
    if said.no_window:
        from engine.errors import InputError

        try:
            without_window(said)
        except InputError as problem:
            place = "" if said.file is None or Path(said.file).name in str(problem) else f"{said.file}: "
            print(f"{place}{problem}", file=sys.stderr)
            return UNUSABLE
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return 130
        return 0
    if said.install_desktop:
        return put_into_menu()
    load_qt()
    from gui.application import run

    return run(said.file, said.target, smoke=said.self_test)


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
