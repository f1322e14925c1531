"""The one error that is written for a person."""

from engine.runtime.text import readable


class InputError(ValueError):
    """Something that a person gave cannot be used.

    The text is one sentence that names the value and the remedy; the window and the command line show it
    as it is. Every other exception that leaves the engine is a fault of the program.
    """

    def __init__(self, text: str) -> None:
        super().__init__(readable(text))
