"""What the options of the engine are called on the command line."""

import re

from engine.pruning import METHODS
from engine.pruning import OPTIONS as PRUNING_OPTIONS
from engine.search.choices import OPTIONS, SPOKEN


def typed(name: str) -> str:
    """A method or an option of pruning as it is typed, without what stands before it."""
    return name.replace("_", "-")


def undashed(value: str) -> str:
    """A choice as the engine writes it: “one-vs-rest” is one_vs_rest."""
    return value.replace("-", "_")


def spoken(name: str) -> str:
    """What an option of the search is called among the arguments."""
    return SPOKEN.get(name, name)


def dashed(name: str) -> str:
    """An option of the search as it is typed, without the dashes before it."""
    return spoken(name).replace("_", "-")


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
