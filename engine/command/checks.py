"""What was said: whether it goes together, the options among it, and how a refusal reads."""

import argparse
import re
from pathlib import Path

from engine.command.arguments import (
    READING,
    UNUSABLE,
    dashed,
    in_typed_words,
    parser,
    pruning_names,
    search_names,
    spoken,
    typed,
    undashed,
)  # fmt: skip
from engine.command.report import say
from engine.pruning import METHODS, Options
from engine.runtime.errors import LONE_SURROGATE, InputError
from engine.search.options import CHOICES

PATHS = ("file", "export")


def check(said: argparse.Namespace) -> None:
    """Raises InputError when what was said does not go together."""
    everything = vars(parser().parse_args([]))
    for_both = {"file", "target", "no_window", "install_desktop", "self_test"}
    idle = [name for name, usual in everything.items() if name not in for_both and getattr(said, name) != usual]
    if idle and not said.no_window:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in idle)
        raise InputError(f"{names}: this works with --no-window only; in the window, choose it there.")
    for name, value in vars(said).items():
        texts = value if isinstance(value, list) else [value]
        odd = [text for text in texts if isinstance(text, str) and LONE_SURROGATE.search(text)]
        if odd and name not in PATHS:  # the names of files may be any bytes
            raise InputError(f"--{name.replace('_', '-')} “{odd[0]}” is not UTF-8: type it again.")
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


def search_options(said: argparse.Namespace) -> dict[str, object]:
    """The options of the search that were given."""
    given = {name: getattr(said, spoken(name)) for name in search_names()}
    return {name: value for name, value in given.items() if value is not None}


def pruning_options(said: argparse.Namespace) -> dict[str, object]:
    """The options of pruning that were given."""
    given = {name: getattr(said, f"prune_{name}") for name in pruning_names()}
    return {name: value for name, value in given.items() if value is not None}


def refuse(said: argparse.Namespace, problem: Exception) -> int:
    """Says in one sentence what cannot be used, with the file and with options as they are written here."""
    text = str(problem)
    for name in search_names():
        where = r"\b" if "_" in name else "(?= cannot be | is about )"  # the others are plain words, too
        text = re.sub(rf"(?<![-\w“]){name}{where}", f"--{dashed(name)}", text)
    if said.all_trees is not None:
        text = re.sub(r"^depth(?= cannot be )", "--all-trees", text)
    place = "" if said.file is None or Path(said.file).name in text else f"{said.file}: "
    say(f"{place}{text}", to_errors=True)
    return UNUSABLE
