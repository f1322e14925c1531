"""What can be written on the command line, from what the engine says about its options, and what of it is refused."""

import argparse
import re
import shutil
import sys
import textwrap
from pathlib import Path
from typing import Any

from engine.formats import FORMATS, PICTURES, PRINTOUTS, PROJECT, USUAL
from engine.pruning import METHODS, Options
from engine.pruning import OPTIONS as PRUNING_OPTIONS
from engine.readers.options import MISSING, ReadOptions
from engine.reporting import SECTIONS
from engine.runtime.errors import LONE_SURROGATE, InputError, printable
from engine.search.choices import GROUPS, OPTIONS, SPOKEN
from engine.search.options import CHOICES, Search
from engine.search.presets import PRESETS

READING = ("delimiter", "decimal", "encoding", "missing", "kind")  # how a file is read
UNUSABLE = 2  # the exit code
METAVARS = {
    "priors": "CLASS=WEIGHT,…", "costs": "TRUE:SAID=COST,…", "profits": "CLASS=PROFIT,…", "word": "WORD",
    "threshold": "CLASS=PROBABILITY",
}  # fmt: skip
HANGING = 16  # letters of a choice's name in the help


PATHS = ("file", "export", "report", "introduction", "script", "score")

# -- what the options of the engine are called here


def typed(name: str) -> str:
    """A name of the engine or of an argument as it is typed, without what stands before it."""
    return name.replace("_", "-")


def undashed(value: str) -> str:
    """A choice as the engine writes it: “one-vs-rest” is one_vs_rest."""
    return value.replace("-", "_")


def spoken(name: str) -> str:
    """What an option of the search is called among the arguments."""
    return SPOKEN.get(name, name)


def dashed(name: str) -> str:
    """An option of the search as it is typed, without the dashes before it."""
    return typed(spoken(name))


def search_names() -> tuple[str, ...]:
    """The options of the search that can be said here."""
    return (*OPTIONS, "locked", "threads")


def pruning_names() -> tuple[str, ...]:
    """The options of pruning that some method listens to."""
    heard = {name for method in METHODS.values() for name in method.options}
    return tuple(name for name in PRUNING_OPTIONS if name in heard)


def in_typed_words(sentence: str) -> str:
    """A sentence about an option of pruning, with the option as it is written here."""
    for name in pruning_names():
        sentence = re.sub(rf"(?<![-\w“]){name}(?= cannot | needs )", f"--prune-{typed(name)}", sentence)
    return sentence


# -- the arguments


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
    words.add_argument(
        "file", nargs="?", help="a table (.csv .tsv .xlsx .parquet …, a folder of Parquet files, a DuckDB file), a "
        "project, or example:NAME",
    )  # fmt: skip
    words.add_argument("--target", metavar="COLUMN", help="the column to predict")
    words.add_argument("--weights", metavar="COLUMN", help="the column of sampling weights")
    words.add_argument("--frequencies", metavar="COLUMN", help="the column that says for how many rows each stands")
    words.add_argument("--ignore", metavar="COLUMN", action="append", default=[], help="a column not to split on")
    words.add_argument(
        "--feature",
        metavar="COLUMN",
        action="append",
        default=[],
        help="a column to split on even if it names the rows",
    )
    words.add_argument("--sheet", help="which sheet of a workbook, or table of a database; the first by default")
    words.add_argument("--no-window", action="store_true", help="do the work here and print what came out")
    words.add_argument("--install-desktop", action="store_true", help="write a desktop entry that starts the window")
    words.add_argument("--self-test", action="store_true", help="open the window, draw once, close it, exit")
    add_reading(words)
    add_growing(words)
    add_judging(words)
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
    parts.add_argument(
        "--codes", metavar="FOLDER", nargs="?", const="", help="hold the rows as codes in files, for tables that do "
        "not fit in memory; without FOLDER in the user's cache",
    )  # fmt: skip
    parts.add_argument("--counts", action="store_true", help="leave the rows where they are and count them there, for "
                       "files and tables of databases: URL::TABLE")  # fmt: skip
    parts.add_argument("--sample", metavar="ROWS", type=int, help="use so many rows, drawn by --seed")
    parts.add_argument("--validation", type=float, default=0.0, metavar="SHARE", help="share kept for validation")
    parts.add_argument("--test", type=float, default=0.0, metavar="SHARE", help="share kept for the last test")
    parts.add_argument(
        "--look-at-test",
        action="store_true",
        help="print the error on the test rows; a project and tree.json keep how often",
    )
    parts.add_argument(
        "--key", metavar="COLUMN", help="the column that names each row: the same key is a test row in every file"
    )
    parts.add_argument(
        "--group", metavar="COLUMN", help="rows of one value here belong together: test rows and folds do not part them"
    )
    parts.add_argument("--partition", metavar="COLUMN", help="a column that says train, validation or test")
    parts.add_argument("--seed", type=int, default=0, help="for all that is random (default 0)")


def add_growing(words: argparse.ArgumentParser) -> None:
    """The options of the search, by group, from what the engine says about them."""
    search = words.add_argument_group("growing, with --no-window")
    presets = [f"{preset.name}\t{preset.sentences}" for preset in PRESETS.values()]
    about = helped("A named set of options (default cart); single options override it.", *presets)
    search.add_argument("--preset", choices=PRESETS, help=about)
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


def folds(text: str) -> str:
    """A number of folds, or "each"."""
    if text != "each" and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}” is no number of folds, as 10, and not “each”")
    return text


def add_judging(words: argparse.ArgumentParser) -> None:
    """What other samples of the same rows say of the tree."""
    judging = words.add_argument_group("judging by other samples of the training rows, with --no-window")
    judging.add_argument(
        "--cross-validate",
        type=folds,
        metavar="FOLDS",
        help="print the cross-validated error of "
        "growing and pruning as said, of a project's tree that of its splits: a number of folds, or "
        "“each” for one of every row; --group keeps rows together",
    )
    judging.add_argument("--repeats", type=int, metavar="N", help="deal the rows out so often")
    judging.add_argument(
        "--time", metavar="COLUMN", help="folds in the order of this column, each judged by the rows before it"
    )
    judging.add_argument(
        "--stability",
        type=int,
        metavar="SAMPLES",
        help="print how often the splits return in trees of bootstrap samples",
    )
    judging.add_argument("--forest", type=int, metavar="TREES", help="print the out-of-bag error of a random forest: "
                         "what one tree costs")  # fmt: skip


def add_afterwards(words: argparse.ArgumentParser) -> None:
    """What is done with a tree that was grown."""
    after = words.add_argument_group("afterwards, with --no-window")
    methods = [f"{typed(name)}\t{method.explanation}" for name, method in METHODS.items()]
    after.add_argument("--prune", metavar="METHOD", help=helped("Cuts the tree back.", *methods))
    *pictures, page = PICTURES
    kinds = f"{' '.join(USUAL)}, a picture {' '.join(pictures)}, or a page for browsers {page}"
    after.add_argument(
        "--code",
        action="store_true",
        help="Prints the tree in the prefix-free code of the notes, block by block: a split, a class, or the end.",
    )
    after.add_argument(
        "--print",
        choices=PRINTOUTS,
        help="Prints the tree as another program prints trees: Weka's J48 or R's rpart.",
    )
    after.add_argument(
        "--export",
        metavar="FILE",
        action="append",
        default=[],
        help=f"Writes the tree: {kinds}; .txt has its rules in words, .j48 and .rpart what these programs print.",
    )
    after.add_argument(
        "--as",
        dest="format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"Writes what --export names in this format, whatever its suffix: {', '.join(FORMATS)}.",
    )
    after.add_argument(
        "--approximate",
        action="store_true",
        help="Sends rows that C4.5 divides among branches into the largest of them, where code cannot divide a row, "
        "and cuts the tree back to the levels that a format takes.",
    )
    after.add_argument(
        "--dialect",
        help="The dialect of a database in which SQL is written, as sqlglot calls it: duckdb, postgres, sqlite, "
        "snowflake, bigquery, tsql, mysql, oracle, spark …",
    )
    after.add_argument(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        help="Writes a report for those who have to trust the tree: .html is a page to read and print, .pdf the same "
        "on paper, .docx a document for Word, .pptx a slide of the tree, .json has the figures, .csv the leaves. Test "
        "rows are in it with --look-at-test only.",
    )
    after.add_argument(
        "--report-sections",
        metavar="NAME,…",
        help=f"What is in the report, instead of all: {', '.join(map(typed, SECTIONS))}.",
    )
    after.add_argument("--introduction", metavar="FILE", help="A text file with the words that open the report.")
    after.add_argument(
        "--script", metavar="FILE", help="Writes a Python script that reads the table and makes this tree again (.py)."
    )
    after.add_argument(
        "--score",
        metavar="ROWS",
        help="Predicts the rows of this file by the tree in FILE, a tree.json or a project, and prints in what they "
        "differ from the training rows; --export writes them with leaf, rule, prediction and probabilities "
        "(.csv .xlsx .parquet). Needs no --no-window.",
    )
    pruning = words.add_argument_group("pruning, with --prune; each is of the methods that it names")
    for name in pruning_names():
        methods = [typed(key) for key, method in METHODS.items() if name in method.options]
        add_option(
            pruning, PRUNING_OPTIONS[name], getattr(Options, name), f"--prune-{typed(name)}", f"prune_{name}", methods
        )


def add_option(group, option, usual, flag: str, dest: str, methods=()) -> None:  # type: ignore[no-untyped-def]  # argparse's group has no public name
    """One option of the search or of pruning: its sentence, its formula, and a line for each choice.

    methods: the pruning methods that listen to it.
    """
    sentence = f"{', '.join(methods)}: {option.sentence}" if methods else option.sentence
    said = (
        f"(default {option.none if usual in (None, (), '') else format(usual, 'g')})" if option.kind != "choice" else ""
    )
    how: dict[str, Any] = {"help": helped(f"{sentence} {said}", option.formula, option.example)}
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
        how["metavar"] = METAVARS[option.kind]
    group.add_argument(flag, dest=dest, **how)


def helped(*lines: str) -> str:
    """A help text of several lines, as argparse wants it."""
    return "\n".join(line for line in lines if line).replace("%", "%%")


def wholes(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not whole numbers with commas between them, as 50,20") from None


# -- what cannot be used


def check(said: argparse.Namespace) -> None:
    """Raises InputError when what was said does not go together."""
    everything = vars(parser().parse_args([]))
    if said.score is not None:
        check_scoring(said, everything)
    for_both = {"file", "target", "no_window", "install_desktop", "self_test"}
    idle = [name for name, usual in everything.items() if name not in for_both and getattr(said, name) != usual]
    if idle and not said.no_window and said.score is None:
        names = ", ".join(f"--{typed(name)}" for name in idle)
        raise InputError(f"{names}: this works with --no-window only; in the window, choose it there.")
    for name, value in vars(said).items():
        texts = value if isinstance(value, list) else [value]
        odd = [text for text in texts if isinstance(text, str) and LONE_SURROGATE.search(text)]
        if odd and name not in PATHS:  # the names of files may be any bytes
            raise InputError(f"--{typed(name)} “{odd[0]}” is not UTF-8: type it again.")
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
        if said.codes is not None or said.sample is not None or said.counts:
            raise InputError("An example is small: leave --codes, --sample and --counts out.")
    if (said.codes is not None) + (said.sample is not None) + said.counts > 1:
        raise InputError("--codes holds all rows, --sample some of them and --counts none: choose one.")
    check_pruning(said)
    if said.target in said.ignore and said.target is not None:
        raise InputError(f"“{said.target}” is named as the target and as ignored: choose one.")


def check_scoring(said: argparse.Namespace, usual: dict[str, Any]) -> None:
    """Raises InputError where something was said that scoring does not take."""
    if said.file is None:
        raise InputError("Name the tree that predicts: main.py tree.json --score new.csv.")
    taken = {"file", "score", "export", "sheet", "no_window", *READING} - {"kind"}
    odd = [name for name, value in usual.items() if name not in taken and getattr(said, name) != value]
    if odd:
        names = ", ".join(f"--{typed(name)}" for name in odd)
        raise InputError(f"{names}: --score takes the tree as it is; leave this out.")
    if len(said.export) > 1:
        raise InputError(f"--score writes one file, not {len(said.export)}: name one --export.")


def check_pruning(said: argparse.Namespace) -> None:
    """Raises InputError for a method that there is not or that lacks the rows to choose by, and for what it may not be
    told."""
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
    held_back = said.validation or said.partition or str(said.file).lower().endswith(PROJECT)
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


def search_options(said: argparse.Namespace) -> dict[str, Any]:
    """The options of the search that were given."""
    given = {name: getattr(said, spoken(name)) for name in search_names()}
    return {name: value for name, value in given.items() if value is not None}


def pruning_options(said: argparse.Namespace) -> dict[str, Any]:
    """The options of pruning that were given."""
    given = {name: getattr(said, f"prune_{name}") for name in pruning_names()}
    return {name: value for name, value in given.items() if value is not None}


def read_options(said: argparse.Namespace) -> ReadOptions:
    """How the file is to be read."""
    kinds: dict[str, str | tuple[str, ...]] = {}
    for pair in said.kind:
        column, _, kind = pair.rpartition("=")
        if not column:
            raise InputError(f"“{pair}” names no column and kind: write --kind COLUMN=KIND.")
        kinds[column] = tuple(level.strip() for level in kind.split("<")) if "<" in kind else kind
    return ReadOptions(
        delimiter="\t" if said.delimiter in ("tab", "\\t") else said.delimiter, decimal=said.decimal,
        encoding=said.encoding, missing=(*MISSING, *said.missing), sheet=said.sheet, kinds=kinds,
    )  # fmt: skip


def say(line: str, to_errors: bool = False) -> None:
    """Prints a line; names and levels in it neither end it nor steer the terminal."""
    print(printable(line), file=sys.stderr if to_errors else sys.stdout, flush=True)  # a file or a pipe waits, too


def refuse(said: argparse.Namespace, problem: Exception) -> int:
    """Says in one sentence what cannot be used, with the file and with options as they are written here."""
    text = str(problem)
    for name in search_names():
        where = r"\b" if "_" in name else "(?= cannot be | is about )"  # the others are plain words, too
        text = re.sub(rf"(?<![-\w“]){name}{where}", f"--{dashed(name)}", text)
    if said.all_trees is not None:
        text = re.sub(r"^depth(?= cannot be )", "--all-trees", text)
    is_named = any(name is None or Path(name).name in text for name in (said.file, said.score or said.file))
    shown = "the database" if "://" in str(said.file) else said.file  # an address may hold a password
    place = "" if is_named else f"{shown}: "
    say(f"{place}{text}", to_errors=True)
    return UNUSABLE
