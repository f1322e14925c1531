"""Libraries that only some work needs: they are loaded when it is done, and need not be installed for all else."""

from importlib import import_module
from types import ModuleType

from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr

NOT_INSTALLED = marked("This needs the library {name}, which is not installed: run {command}.")


def library(name: str, extra: str) -> ModuleType:
    """The library.

    Args:
        extra: the extra of this program that brings it along.

    Raises:
        InputError: it is not installed; the text says how to install it.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        command = f"pip install 'espalier[{extra}]'"
        raise InputError(tr(NOT_INSTALLED, name=name, command=command)) from error
