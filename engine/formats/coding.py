"""Questions as lines of code: what languages with if and else have in common."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isinf

from engine.formats.questions import AtLeast, Compare, Condition, Step
from engine.runtime.errors import InputError, one_line, printable
from engine.runtime.sentences import tr
from engine.runtime.version import VERSION
from engine.table.words import exact_date
from engine.tree.tree import Tree


@dataclass(frozen=True)
class Language:
    """How a language says conditions, branches and where a row goes.

    Attributes:
        compare: one comparison.
        both, either: what stands between conditions that all have to hold, or of which one has to.
        never: what is false.
        count: how many of some conditions hold, as a number; None: they are added up as `(a) + (b)`.
        opening, further: the line of the first and of each further condition. otherwise, closing: the line before the
            last branch, and the one behind it; the latter may be empty.
        comment: what a remark at the end of a line begins with; empty: there are none.
        target: where a row goes: the line for a leaf's number, or for minus the number of another piece of code.
    """

    compare: Callable[[Compare], str]
    both: str
    either: str
    never: str
    opening: str
    further: str
    otherwise: str
    closing: str
    comment: str
    target: Callable[[int], str]
    count: Callable[[list[str]], str] | None = None


def spelled(condition: Condition, language: Language) -> str:
    """A condition in a language."""
    if isinstance(condition, Compare):
        return language.compare(condition)
    if not condition.parts:
        return language.never
    texts = [spelled(part, language) for part in condition.parts]
    if condition.least in (1, len(texts)):
        joint = language.either if condition.least == 1 else language.both
        bracketed = (
            f"({text})" if isinstance(part, AtLeast) else text
            for text, part in zip(texts, condition.parts, strict=True)
        )
        return joint.join(bracketed)
    total = language.count(texts) if language.count is not None else " + ".join(f"({text})" for text in texts)
    return f"{total} >= {condition.least}"


def lines(tree: Tree, steps: Iterable[Step], language: Language, indent: int = 1) -> Iterator[str]:
    """The lines of a piece of code, indented by so many steps of four spaces."""
    for step in steps:
        margin = "    " * (step.level + indent)
        if step.does in ("if", "elif"):
            assert step.condition is not None
            form = language.opening if step.does == "if" else language.further
            yield margin + form.format(spelled(step.condition, language)) + _remark(tree, step.condition, language)
        elif step.does in ("else", "end"):
            line = language.otherwise if step.does == "else" else language.closing
            if line:
                yield margin + line
        else:
            yield margin + language.target(step.at if step.does == "leaf" else -step.at)


def _remark(tree: Tree, condition: Condition, language: Language) -> str:
    """The dates of a line, which stand there in seconds."""
    asked = condition.parts if isinstance(condition, AtLeast) else (condition,)
    dates = [
        exact_date(part.value)
        for part in asked
        if isinstance(part, Compare) and isinstance(part.value, float) and tree.columns[part.place].kind == "date"
    ]
    return f"  {language.comment} {', '.join(dates)}" if dates and language.comment else ""


def headline(tree: Tree) -> str:
    """What the file is, in one line that no comment can be left by."""
    target = printable(tree.target).replace("*/", "* /").replace("\\", "/")
    leaves = f"{tree.n_leaves:,} leaves" if tree.n_leaves != 1 else "1 leaf"
    return f"Predicts {target}: a decision tree of {leaves}, made by Espalier {VERSION}."


def quoted(text: str) -> str:
    """A text in double quotes for JavaScript: other than plain letters are \\uXXXX, beyond 65,535 as two of them."""
    return json.dumps(text)


def number(value: float, infinity: str) -> str:
    """A number in the fewest digits that give it back exactly; `infinity`: how the language calls ∞."""
    if isinf(value):
        return infinity if value > 0 else f"-{infinity}"
    return repr(float(value))


def finite(value: float, column: str, language: str) -> float:
    """The threshold; InputError where it is infinite, in a language that has no such numbers."""
    if isinf(value):
        raise InputError(tr(
            "{language} knows no infinite numbers, but the tree asks for one in “{column}”: split it otherwise, or "
            "export another format.", language=language, column=one_line(column)))  # fmt: skip
    return value


def check_texts(tree: Tree, language: str) -> None:
    """InputError where a name or a level holds the letter 0, at which texts end in this language."""
    for column in tree.columns:
        for text in (column.name, *column.levels):
            _check_text(text, language)
    for text in tree.classes:
        _check_text(text, language)


def _check_text(text: str, language: str) -> None:
    if "\0" in text:
        raise InputError(tr(
            "{language} cannot say “{text}”, which holds the character number 0: rename it.", language=language,
            text=one_line(text)))  # fmt: skip
