"""How a file is read: every choice that a person can correct, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.runtime.errors import LONE_SURROGATE, InputError
from engine.runtime.sentences import tr

KINDS = ("number", "integer", "date", "boolean", "nominal", "ordered")
DELIMITERS = (",", ";", "\t", "|", " ")
MISSING = ("", "NA", "N/A", "NaN", "null", "None", "#N/A", "?", "-", ".")


@dataclass(frozen=True)
class ReadOptions:
    """Choices of a reader; None means "look at the file and guess".

    Attributes:
        delimiter: one character between cells; " " stands for any run of spaces.
        decimal: "." or ",".
        encoding: a name Python knows, such as "utf-8", "utf-16" or "cp1252".
        header: whether the first row holds the names.
        missing: tokens that stand for a missing value, besides the empty cell. "?", "-" and "." count only
            in a column whose other values hold a letter or a digit; "None" keeps its spelling in text.
        sheet: the sheet of a workbook.
        kinds: the kind of a column, by its name, where the guess is not wanted; or its levels in their order, as in
            {"size": ["small", "middle", "large"]}, which makes it ordered.
        names: other names for all columns, in order.
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing: tuple[str, ...] = MISSING
    sheet: str | None = None
    kinds: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuses what no file could be read with; InputError names it."""
        for choice in ("delimiter", "decimal", "encoding", "sheet"):
            if not isinstance(getattr(self, choice), str | None):
                raise InputError(tr("The {option} “{value}” must be text.", option=choice, value=getattr(self, choice)))
            _check_letters(choice, getattr(self, choice) or "")
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n\0'):
            raise InputError(
                tr("“{delimiter}” cannot separate cells: give one character, such as , or ;.", delimiter=self.delimiter)
            )
        if self.delimiter is not None and not self.delimiter.isascii():
            raise InputError(tr("“{sign}” cannot separate cells: give an ASCII character.", sign=self.delimiter))
        if self.decimal not in (None, ".", ","):
            raise InputError(tr("“{decimal}” is no decimal mark: choose . or ,.", decimal=self.decimal))
        if self.header not in (None, True, False):
            raise InputError(
                tr("“{header}” does not say whether there is a header: give true or false.", header=self.header)
            )
        _check_texts(tr("missing tokens"), self.missing)
        _check_texts(tr("column names"), () if self.names is None else self.names)
        if not isinstance(self.kinds, Mapping):
            raise InputError(tr("The kinds of columns must be given by column name."))
        for name, kind in self.kinds.items():
            _check_kind(name, kind)

    def kind_of(self, name: str) -> str | None:
        """The kind that a column is to have; None where it is to be guessed."""
        kind = self.kinds.get(name)
        return kind if kind is None or isinstance(kind, str) else "ordered"

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The levels in their order, of the columns for which it is given."""
        return {name: tuple(levels) for name, levels in self.kinds.items() if not isinstance(levels, str)}

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        kinds = {name: kind if isinstance(kind, str) else list(kind) for name, kind in self.kinds.items()}
        return {**asdict(self), "missing": list(self.missing), "kinds": kinds} | {
            "names": None if self.names is None else list(self.names)
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ReadOptions":
        """Options from what `to_dict` gave; what is not named is guessed, what is unknown is an InputError."""
        if not isinstance(values, Mapping):
            raise InputError(tr("The read options must be given by name."))
        unknown = [name for name in values if name not in cls.__dataclass_fields__]
        if unknown:
            raise InputError(tr("There is no read option “{option}”.", option=unknown[0]))
        chosen = dict(values)
        for name in ("missing", "names"):
            if isinstance(chosen.get(name), list):
                chosen[name] = tuple(chosen[name])
        return cls(**chosen)


def _check_kind(name: str, kind: Any) -> None:
    _check_letters("column", name)
    if not isinstance(kind, str):
        _check_texts(tr("levels of “{name}”", name=name), tuple(kind) if isinstance(kind, list) else kind)
    elif kind not in KINDS:
        raise InputError(tr(
            "There is no column kind “{kind}” (“{name}”): choose one of {kinds}.", kind=kind, name=name,
            kinds=", ".join(KINDS)))  # fmt: skip


def _check_texts(what: str, texts: Any) -> None:
    if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
        raise InputError(tr("The {what} must be a list of texts.", what=what))
    for text in texts:
        _check_letters(what, text)


def _check_letters(what: str, text: str) -> None:
    if LONE_SURROGATE.search(text):
        raise InputError(tr("The {what} “{value}” cannot be written in UTF-8: type it again.", what=what, value=text))
