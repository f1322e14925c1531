#!/usr/bin/env python3
"""Starts Espalier: the window, or with --no-window the same work on the command line."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (said here because nothing below would even be read)
    sys.exit("Espalier needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])  # noqa: UP031

import argparse
import ctypes
import gc
import inspect
import io
import os
import re
import shutil
import textwrap
from pathlib import Path
from typing import NoReturn

SYSTEM_LIBRARIES = (
    "apt-get install --no-install-recommends libegl1 libgl1 libglib2.0-0 libx11-6 libxkbcommon0 libxkbcommon-x11-0 "
    "libfontconfig1 libfreetype6 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-util1 libxcb-xkb1 libgomp1 fonts-dejavu-core"
)
PICTURES = (".png", ".svg", ".pdf", ".html")
UNUSABLE = 2


def parser() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    words = argparse.ArgumentParser(
        prog="main.py",
        usage="main.py [FILE] [--target COLUMN] [--no-window] [options]",
        description="Espalier: grow decision trees by hand, let the engine grow them, cut them back.",
        epilog="example: main.py credit.csv --target class --no-window --criterion entropy --validation 0.3 "
        "--prune reduced-error --export tree.svg",
        formatter_class=Paragraphs,
        add_help=False,
    )
    words.add_argument("-h", "--help", action="help", help="show these words and exit")
    words.error = lambda message: words.exit(UNUSABLE, f"{message}; --help lists all options\n")  # type: ignore
    words.add_argument("file", nargs="?", help="a table (.csv .tsv .xlsx .parquet …), a project, or example:NAME")
    words.add_argument("--target", metavar="COLUMN", help="the column to predict")
    words.add_argument("--weights", metavar="COLUMN", help="the column of row weights")
    words.add_argument("--ignore", metavar="COLUMN", action="append", default=[], help="a column not to split on")
    words.add_argument(
        "--feature",
        metavar="COLUMN",
        action="append",
        default=[],
        help="a column to split on even if it names the rows",
    )
    words.add_argument("--sheet", help="which sheet of a workbook; the first by default")
    words.add_argument("--no-window", action="store_true", help="do the work here and print what came out")
    words.add_argument("--install-desktop", action="store_true", help="write a desktop entry that starts the window")
    words.add_argument("--self-test", action="store_true", help="open the window, draw once, close it, exit")
    add_reading(words)
    add_growing(words)

    add_afterwards(words)
    return words


class Paragraphs(argparse.HelpFormatter):
    """Keeps the lines of a help text apart and wraps each; what follows a name and a tab stands beside the name."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=min(110, shutil.get_terminal_size().columns - 2))

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = []
        for line in text.splitlines():
            name, tab, sentence = line.partition("\t")
            room = max(20, width - HANGING) if tab else width
            wrapped = textwrap.wrap(sentence or name, room) or [""]
            if tab and len(name) >= HANGING:
                lines.append(name)
                name = ""
            first = f"{name:<{HANGING}}" if tab else ""
            lines += [(first if i == 0 else " " * len(first)) + part for i, part in enumerate(wrapped)]
        return lines


def add_afterwards(words: argparse.ArgumentParser) -> None:
    """What is done with a tree that was grown."""
    from engine.export import WRITERS
    from engine.pruning import METHODS, OPTIONS, Options

    after = words.add_argument_group("afterwards, with --no-window")
    methods = [f"{typed(name)}\t{method.explanation}" for name, method in METHODS.items()]
    after.add_argument("--prune", metavar="METHOD", help=helped("Cuts the tree back.", *methods))
    kinds = f"{' '.join(WRITERS)}, a picture {' '.join(PICTURES[:-1])}, or a page for browsers {PICTURES[-1]}"
    after.add_argument(
        "--code",
        action="store_true",
        help="Prints the tree in the prefix-free code of the notes, block by block: a split, a class, or the end.",
    )
    after.add_argument(
        "--export",
        metavar="FILE",
        action="append",
        default=[],
        help=f"Writes the tree: {kinds}; .txt has its rules in words.",
    )
    pruning = words.add_argument_group("pruning, with --prune; each is of the methods that it names")
    for name in pruning_names():
        methods = [typed(key) for key, method in METHODS.items() if name in method.options]
        add_option(pruning, OPTIONS[name], getattr(Options, name), f"--prune-{typed(name)}", f"prune_{name}", methods)


def pruning_names() -> tuple[str, ...]:
    """The options of pruning that some method listens to."""
    from engine.pruning import METHODS, OPTIONS

    heard = {name for method in METHODS.values() for name in method.options}
    return tuple(name for name in OPTIONS if name in heard)


def helped(*lines: str) -> str:
    """A help text of several lines, as argparse wants it."""
    return "\n".join(line for line in lines if line).replace("%", "%%")


def add_reading(words: argparse.ArgumentParser) -> None:
    """How a file is read, and which rows train."""
    reading = words.add_argument_group("reading, with --no-window; what is not said is guessed")
    reading.add_argument("--delimiter", metavar="CHARACTER", help="between cells: , ; | or a tab")
    reading.add_argument("--decimal", choices=(".", ","), metavar="MARK", help="the decimal mark: . or ,")
    reading.add_argument("--encoding", metavar="NAME", help="of a text file, such as utf-8 or cp1252")
    reading.add_argument(
        "--missing", metavar="TOKEN", action="append", default=[], help="one more token for a missing value"
    )
    reading.add_argument(
        "--kind",
        metavar="COLUMN=KIND",
        action="append",
        default=[],
        help="number, integer, date, boolean, nominal or ordered; or levels in their order: size=small<middle<large",
    )

    parts = words.add_argument_group("rows, with --no-window")
    parts.add_argument("--validation", type=float, default=0.0, metavar="SHARE", help="share kept for validation")
    parts.add_argument("--test", type=float, default=0.0, metavar="SHARE", help="share kept for the last test")
    parts.add_argument("--partition", metavar="COLUMN", help="a column that says train, validation or test")
    parts.add_argument("--seed", type=int, default=0, help="for all that is random (default 0)")


def add_growing(words: argparse.ArgumentParser) -> None:
    """The options of the search, by group, from what the engine says about them."""
    from engine.choices import GROUPS, OPTIONS
    from engine.options import PRESETS, Search

    search = words.add_argument_group("growing, with --no-window")
    search.add_argument("--preset", choices=PRESETS, help="A named set of options (default cart).")
    search.add_argument(
        "--all-trees",
        type=int,
        metavar="DEPTH",
        help="Tries all trees of at most this depth for the least training error, instead of growing one; for small "
        "tables.",
    )
    search.add_argument(
        "--locked", metavar="COLUMN", action="append", help="A column that no split may use; may be said several times."
    )
    search.add_argument("--threads", type=int, metavar="N", help="Threads that count (default all cores).")
    for name in GROUPS:
        group = words.add_argument_group(f"growing: {name.lower()}")
        for option in OPTIONS.values():
            if option.group == name:
                usual = getattr(Search, option.name)
                add_option(group, option, usual, f"--{dashed(option.name)}", spoken(option.name))


def add_option(group, option, usual, flag: str, dest: str, methods=()) -> None:  # type: ignore[no-untyped-def]  # argparse's group has no public name
    """One option of the search or of pruning: its sentence, its formula, and a line for each choice.

    methods: the pruning methods that listen to it.
    """
    sentence = f"{', '.join(methods)}: {option.sentence}" if methods else option.sentence
    said = f"(default {option.none if usual in (None, ()) else format(usual, 'g')})" if option.kind != "choice" else ""
    how = {"help": helped(f"{sentence} {said}", option.formula, option.example)}
    if option.kind == "choice":
        default = "" if option.name in ("criterion", "summary") else f" (default {usual})"  # those follow the target
        lines = [f"{choice.name}\t{choice.sentence}" for choice in option.choices]
        how |= {"metavar": "NAME", "type": undashed, "choices": [choice.name for choice in option.choices]}
        how["help"] = helped(f"{sentence}{default}", *lines)
    elif option.kind == "flag" and usual:
        how |= {"action": argparse.BooleanOptionalAction, "help": helped(f"{sentence} (default yes)", option.formula)}
    elif option.kind == "flag":
        how |= {"action": "store_const", "const": True, "help": helped(sentence, option.formula)}
    elif option.kind in ("whole", "number"):
        how |= {"type": int if option.kind == "whole" else float, "metavar": "N"}
    elif option.kind == "wholes":
        how |= {"type": wholes, "metavar": "N,…"}
    else:
        how["metavar"] = "CLASS=WEIGHT,…" if option.kind == "priors" else "TRUE:SAID=COST,…"
    group.add_argument(flag, dest=dest, **how)


def wholes(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not whole numbers with commas between them, as 50,20") from None


def typed(name: str) -> str:
    """A method or an option of pruning as it is typed, without what stands before it."""
    return name.replace("_", "-")


def undashed(value: str) -> str:
    """A choice as the engine writes it: “one-vs-rest” is one_vs_rest."""
    return value.replace("-", "_")


READING = ("delimiter", "decimal", "encoding", "missing", "kind")
HANGING = 16  # letters of a choice's name in the help


def spoken(name: str) -> str:
    """What an option of the search is called among the arguments."""
    from engine.choices import SPOKEN

    return SPOKEN.get(name, name)


def dashed(name: str) -> str:
    """An option of the search as it is typed, without the dashes before it."""
    return spoken(name).replace("_", "-")


def search_names() -> tuple[str, ...]:
    """The options of the search that can be said here."""
    from engine.choices import OPTIONS

    return (*OPTIONS, "locked", "threads")


def search_options(said: argparse.Namespace) -> dict[str, object]:
    """The options of the search that were given."""
    given = {name: getattr(said, spoken(name)) for name in search_names()}
    return {name: value for name, value in given.items() if value is not None}


def read_options(said: argparse.Namespace):  # type: ignore[no-untyped-def]  # engine is imported on use
    """How the file is to be read."""
    import engine
    from engine.readers.options import MISSING

    kinds: dict[str, str | tuple[str, ...]] = {}
    for pair in said.kind:
        column, _, kind = pair.rpartition("=")
        if not column:
            raise engine.InputError(f"“{pair}” names no column and kind: write --kind COLUMN=KIND.")
        kinds[column] = tuple(level.strip() for level in kind.split("<")) if "<" in kind else kind
    return engine.ReadOptions(
        delimiter="\t" if said.delimiter in ("tab", "\\t") else said.delimiter,
        decimal=said.decimal,
        encoding=said.encoding,
        missing=(*MISSING, *said.missing),
        sheet=said.sheet,
        kinds=kinds,
    )


def check(said: argparse.Namespace) -> None:
    """Raises InputError when what was said does not go together."""
    from engine.errors import InputError
    from engine.options import CHOICES

    everything = vars(parser().parse_args([]))
    for_both = {"file", "target", "no_window", "install_desktop", "self_test"}
    idle = [name for name, usual in everything.items() if name not in for_both and getattr(said, name) != usual]
    if idle and not said.no_window:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in idle)
        raise InputError(f"{names}: this works with --no-window only; in the window, choose it there.")
    if said.no_window and said.file is None:
        raise InputError("Name the file to read: main.py FILE --target COLUMN --no-window.")
    places = [token for token in said.missing if undashed(token) in CHOICES["missing"]]
    if places:
        raise InputError(
            "--missing names a token that stands for a missing value, such as “?”; to say where rows go whose value is "
            f"missing, write --missing-values {places[0]}."
        )
    if said.file is not None and said.file.startswith("example:"):
        odd = [name for name in ("sheet", *READING) if getattr(said, name)]
        if odd:
            raise InputError(f"An example is read as it is: leave --{odd[0]} out.")
    check_pruning(said)
    if said.target in said.ignore and said.target is not None:
        raise InputError(f"“{said.target}” is named as the target and as ignored: choose one.")


def check_pruning(said: argparse.Namespace) -> None:
    """Raises InputError for a method that there is not or that lacks the rows to choose by, and for what it may not be
    told."""
    from engine.errors import InputError
    from engine.pruning import METHODS, Options

    given = pruning_options(said)
    if not said.prune:
        if given:
            raise InputError(f"--prune-{typed(next(iter(given)))} is about pruning: add --prune METHOD.")
        return
    method = METHODS.get(undashed(said.prune))
    if method is None:
        raise InputError(f"There is no pruning method “{said.prune}”; choose one of {', '.join(map(typed, METHODS))}.")
    for name in given:
        if name not in method.options:
            known = ", ".join(f"--prune-{typed(one)}" for one in method.options)
            takes = f"it takes {known}" if known else "it takes none"
            raise InputError(f"--prune-{typed(name)} is no option of --prune {said.prune}; {takes}.")
    try:
        told = Options().told(given, method.options, method.label)
    except InputError as problem:
        raise InputError(in_typed_words(str(problem))) from problem
    held_back = said.validation or said.partition or str(said.file).lower().endswith(".espalier")
    if held_back:
        return
    if method.needs_validation:
        raise InputError(f"--prune {said.prune} chooses by validation rows: add, for example, --validation 0.3.")
    if given.get("judge") == "validation" or "min_validation_gain" in given:
        name = "judge" if "judge" in given else "min_validation_gain"
        raise InputError(f"--prune-{typed(name)} looks at validation rows: add, for example, --validation 0.3.")
    if "estimate" in method.options and told.estimate == "validation":
        raise InputError(
            f"--prune {said.prune} compares trees by validation rows: add, for example, --validation 0.3, or another "
            "--prune-estimate."
        )


def pruning_options(said: argparse.Namespace) -> dict[str, object]:
    """The options of pruning that were given."""
    given = {name: getattr(said, f"prune_{name}") for name in pruning_names()}
    return {name: value for name, value in given.items() if value is not None}


def in_typed_words(sentence: str) -> str:
    """A sentence about an option of pruning, with the option as it is written here."""
    for name in pruning_names():
        sentence = re.sub(rf"(?<![-\w“]){name}(?= cannot | needs )", f"--prune-{typed(name)}", sentence)
    return sentence


def read(said: argparse.Namespace):  # type: ignore[no-untyped-def]  # engine is imported on use
    """The table that was named, with its target, roles and parts; and the tree of a project, else None."""
    import engine

    if said.file.lower().endswith(".espalier"):
        return read_project(said)
    roles = dict.fromkeys(said.feature, "feature") | dict.fromkeys(said.ignore, "ignore")
    if said.file.startswith("example:"):
        table = engine.read_example(said.file.removeprefix("example:"))
        table = table.with_target(said.target) if said.target else table
        roles |= {said.weights: "weight"} if said.weights else {}
        table = table.with_roles(roles) if roles else table
    else:
        if said.target is None:
            names = ", ".join(engine.inspect(said.file, read_options(said)).names[:20])
            raise engine.InputError(f"No target is named: add --target COLUMN; the columns are {names}.")
        table = engine.read_table(
            said.file, target=said.target, weights=said.weights, roles=roles or None, options=read_options(said)
        )
    if said.partition:
        return table.with_partition(column=said.partition), None
    return table.with_partition(validation=said.validation, test=said.test, seed=said.seed), None


def read_project(said: argparse.Namespace):  # type: ignore[no-untyped-def]
    """A saved table and its tree, as they are."""
    import engine
    from engine import project

    kept = (
        "weights",
        "ignore",
        "feature",
        "sheet",
        *READING,
        "validation",
        "test",
        "partition",
        "preset",
        "all_trees",
        *map(spoken, search_names()),
        "target",
    )
    changed = [name for name in kept if getattr(said, name) not in (None, [], 0.0)]
    if changed:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in changed)
        raise engine.InputError(f"{names}: a project brings its own table and tree; it can be pruned and exported.")
    found = project.load(said.file)
    for problem in found.problems:
        print(f"note    {problem}")
    return found.table, found.tree


def error_words(error: float, tree) -> str:  # type: ignore[no-untyped-def]
    """An error by its name: a share of the rows, or the mean of squares or of absolute values."""
    if tree.task == "classes":
        return f"error {100 * error:.1f} %"
    return f"mean {'absolute' if tree.says_median else 'squared'} error {error:.5g}"


def loss_words(loss: float, tree) -> str:  # type: ignore[no-untyped-def]
    """The mean loss behind an error; empty where it is the error."""
    return f" (mean loss {loss:.5g})" if tree.leaf_rule.priors or tree.leaf_rule.costs else ""


def judged_words(step, tree) -> str:  # type: ignore[no-untyped-def]
    """What the folds said of a step of a pruning, with its standard error; empty where they were not asked."""
    if step.cv_error != step.cv_error:
        return ""
    if loss_words(0.0, tree):
        return f" · cross-validated mean loss {step.cv_error:.5g} ± {step.cv_se:.2g}"
    spread = f"{100 * step.cv_se:.1f} %" if tree.task == "classes" else f"{step.cv_se:.2g}"
    return f" · cross-validated {error_words(step.cv_error, tree)} ± {spread}"


def describe(name: str, tree) -> str:  # type: ignore[no-untyped-def]
    """One line of leaves, depth and errors."""
    errors = []
    for part, word in (("train", "training"), ("validation", "validation")):
        error = tree.error(part)
        if error == error:
            errors.append(f"{word} {error_words(error, tree)}{loss_words(tree.loss(part), tree)}")
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{name:<7} {leaves} · depth {tree.depth} · {' · '.join(errors)}"


def write(tree, paths: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Writes every export, or none: all are made beside their places before the first is put there."""
    import engine

    drafts: list[tuple[Path, Path]] = []
    try:
        for path in map(Path, paths):
            draft = path.with_name(f".{len(drafts)}-{os.getpid()}{path.suffix}")
            drafts.append((draft, path))
            draw(tree, str(draft)) if path.suffix.lower() in PICTURES else engine.export(tree, draft)
        for draft, path in drafts:
            draft.replace(path)
    except OSError as problem:
        raise engine.InputError(f"“{problem.filename}” cannot be written: {problem.strerror}.") from problem
    finally:
        for draft, _ in drafts:
            draft.unlink(missing_ok=True)
    for path in paths:
        print(f"wrote   {path}")


def draw(tree, path: str) -> None:  # type: ignore[no-untyped-def]
    """Writes a picture; Qt draws it without a display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    load_qt()
    from PySide6.QtWidgets import QApplication

    from gui.canvas.paper.picture import write_picture

    application = QApplication.instance() or QApplication(["espalier"])
    assert application is not None
    write_picture(tree, path)


def without_window(said: argparse.Namespace) -> None:
    """Reads, grows, prunes, prints, exports."""
    import engine
    from engine.export import WRITERS
    from engine.kernels import compiled_before

    known = (*WRITERS, *PICTURES)
    for path in map(Path, said.export):
        if path.suffix.lower() not in known:
            raise engine.InputError(f"“{path}” names no known format; export to one of {' '.join(known)}.")
        if not path.parent.is_dir():
            raise engine.InputError(f"“{path}” cannot be written: there is no folder “{path.parent}”.")
    if not compiled_before():  # asked before reading, which compiles as well
        print("note    the first start compiles the search: about a minute, once", file=sys.stderr)
    table, tree = read(said)
    introduce(table)
    if tree is None:
        tree = plant(table, said)
    else:
        print(describe("saved", tree))
    if said.prune:
        tree = cut_back(table, tree, said)
    if table.n_test:
        fit = engine.assess(table, tree, "test")
        print(
            f"test    {error_words(fit.error, tree)}{loss_words(fit.loss, tree)} on {fit.n:,} rows that chose nothing"
        )
    if said.code:
        from engine.tree_code import told

        print("\n".join(f"code    {line}" for line in told(table, tree).splitlines()))
    write(tree, said.export)


def cut_back(table, tree, said: argparse.Namespace):  # type: ignore[no-untyped-def]
    """The tree that pruning recommends; says which it is, and what there is to know about the choice."""
    import engine

    try:
        pruning = engine.prune(table, tree, undashed(said.prune), seed=said.seed, **pruning_options(said))
    except engine.InputError as problem:
        raise engine.InputError(in_typed_words(str(problem))) from problem
    chosen = pruning.tree(pruning.chosen)
    print(describe("pruned", chosen) + judged_words(pruning.steps[pruning.chosen], chosen))
    if pruning.least not in (None, pruning.chosen):
        print(describe("least", pruning.tree(pruning.least)) + judged_words(pruning.steps[pruning.least], chosen))
    if pruning.remark:
        print(f"note    {pruning.remark}")
    return chosen


def plant(table, said: argparse.Namespace):  # type: ignore[no-untyped-def]
    """The tree of a table, grown or found among all trees; says which it is."""
    import engine

    options = search_options(said)
    if said.all_trees is None:
        tree = engine.grow(table, preset=said.preset, seed=said.seed, **options)
        print(describe("grown", tree))
        return tree
    given = {**options, "preset": said.preset} if said.preset else options
    odd = sorted(given.keys() - inspect.signature(engine.all_trees).parameters.keys())
    if odd:
        raise engine.InputError(f"--{dashed(odd[0])} is about growing; leave it out with --all-trees.")
    found = engine.all_trees(table, depth=said.all_trees, **options)
    print(describe("greedy", found.greedy))
    print(describe("best", found.tree))
    print(f"note    the best of {found.n_trees:,} trees of at most depth {said.all_trees} by their training error")
    return found.tree


def introduce(table) -> None:  # type: ignore[no-untyped-def]
    """Prints what was read."""
    target = f"{len(table.classes)} classes" if table.task == "classes" else "a number"
    features = "1 feature" if len(table.features) == 1 else f"{len(table.features)} features"
    print(
        f"{table.name}: {table.n_rows:,} rows, {features}, target {table.target} ({target}); "
        f"{table.n_train:,} rows train, {table.n_validation:,} validate, {table.n_test:,} wait for the test"
    )
    for note in table.notes:
        print(f"note    {note}")


def refuse(said: argparse.Namespace, problem: Exception) -> int:
    """Says in one sentence what cannot be used, with the file and with options as they are written here."""
    text = str(problem)
    for name in search_names():
        where = r"\b" if "_" in name else "(?= cannot be | is about )"  # the others are plain words, too
        text = re.sub(rf"(?<![-\w“]){name}{where}", f"--{dashed(name)}", text)
    if said.all_trees is not None:
        text = re.sub(r"^depth(?= cannot be )", "--all-trees", text)
    place = "" if said.file is None or Path(said.file).name in text else f"{said.file}: "
    print(f"{place}{text}", file=sys.stderr)
    return UNUSABLE


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
        leave(str(problem))


def check_display() -> None:
    """Ends with a sentence where Qt would abort: without a display, or without the libraries that reach it."""
    if sys.platform != "linux" or "QT_QPA_PLATFORM" in os.environ or "WAYLAND_DISPLAY" in os.environ:
        return
    if not os.environ.get("DISPLAY"):
        sys.exit(
            "There is no display for the window. Without one, main.py FILE --target COLUMN --no-window does the work."
        )
    import PySide6

    try:
        ctypes.CDLL(str(Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
    except OSError as problem:
        leave(str(problem))


def leave(problem: str) -> NoReturn:
    """Ends because a system library is missing, and says how to get it."""
    sys.exit(f"Qt cannot start: {problem}.\nOn Debian or Ubuntu this installs what it needs:\n  {SYSTEM_LIBRARIES}")


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; returns its exit code."""
    from engine.errors import InputError

    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show “≤” gets a question mark, no traceback
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    said = parser().parse_args(arguments)
    try:
        check(said)
        if said.no_window:
            without_window(said)
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
