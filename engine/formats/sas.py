"""A tree as a data step of SAS. SAS itself has never run it: tests read it by the rules of its documentation.

A missing number is less than any other, so `<=` asks first whether there is one. A text is filled with blanks: an empty
one is missing, and blanks at its end mean nothing. In single quotes `%` and `&` call no macro.
"""

import struct
from collections.abc import Callable, Iterator
from datetime import timedelta
from fractions import Fraction

from engine.formats.coding import Language, check_texts, finite, headline, lines
from engine.formats.questions import Compare, columns_used, pieces_of_code
from engine.formats.rows_to_check import EPOCH
from engine.runtime.errors import InputError, one_line, printable
from engine.runtime.sentences import tr
from engine.table.column import NUMERIC
from engine.table.words import exact_date
from engine.tree.query import last_microsecond
from engine.tree.tree import Tree

LONGEST_NAME, LONGEST_TEXT = 32, 32_767  # bytes
FIRST_YEAR = 1582  # of the calendar of SAS
SINCE_1960 = 315_619_200  # seconds until 1970
SMALLEST = 2.3e-308  # smaller numbers cannot be written in digits
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
LISTED = 1000  # letters of levels in a line
HEAD = """
/* Dates are datetime values: seconds since 1960, UTC. Truth values are 1 or 0. Run it in a session with UTF-8. */
%let rows = work.rows;      /* the rows that are asked about */
%let scored = work.scored;  /* the same with their leaf and prediction */
options validvarname=any;
data &scored;
    set &rows;
"""


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces.

    Raises:
        InputError: SAS cannot say a name, a level or a threshold of the tree.
    """
    check_texts(tree, "SAS")
    _check_levels(tree)
    names = {place: _name(tree.columns[place].name) for place in columns_used(tree)}
    taken = {name.lower() for name in (tree.target, *(column.name for column in tree.columns))}
    if len({tree.columns[place].name.lower() for place in names}) < len(names):
        raise InputError(tr("For SAS capital letters are no other ones, so two columns have one name: rename one."))

    def free(name: str) -> str:
        while name in taken:
            name += "_"
        return name

    leaf, prediction, part = map(free, ("leaf", "prediction", "part_of_tree"))
    shares = [free(f"probability_{k}") for k in range(1, len(tree.classes) + 1)]
    yield f"/* {headline(tree)} */\n{HEAD}"
    if tree.classes:
        yield f"    length {prediction} $ {max(len(name.encode()) for name in tree.classes) or 1};\n"
        yield from (f"    label {share} = {_text(f'Probability of {printable(name)[:60]}')};\n"
                    for share, name in zip(shares, tree.classes, strict=True))  # fmt: skip

    leaves = tree.leaves.tolist()

    def target(at: int) -> str:
        if at < 0:
            return f"{part} = {-at};"
        i = leaves[at]
        if not tree.classes:
            return f"{leaf} = {int(tree.ids[i])}; {prediction} = {_number(float(tree.predictions[i]))};"
        said = [
            f"{name} = {_number(share)};" for name, share in zip(shares, tree.probabilities[i].tolist(), strict=True)
        ]
        return " ".join([f"{leaf} = {int(tree.ids[i])}; {prediction} = {_text(tree.classes[tree.labels[i]])};", *said])

    language = Language(_comparing(tree, names), " and ", " or ", "0", "if {} then do;", "end; else if {} then do;",
                        "end; else do;", "end;", "", target)  # fmt: skip
    yield f"    {part} = 0;\n"
    for k, steps in pieces_of_code(tree):
        yield f"    if {part} = {k} then do;\n" if k else ""
        yield from (f"{line}\n" for line in lines(tree, steps, language, 2 if k else 1))
        yield "    end;\n" if k else ""
    yield f"    drop {part};\nrun;\n"


def _comparing(tree: Tree, names: dict[int, str]) -> Callable[[Compare], str]:
    """How comparisons of these columns are said."""

    def compare(test: Compare) -> str:
        name, column = names[test.place], tree.columns[test.place]
        if isinstance(test.value, float):
            cut = finite(test.value, column.name, "SAS")
            said = _date(cut) if column.kind == "date" else _number(cut)
            return f"{name} > {said}" if test.test == ">" else f"not missing({name}) and {name} <= {said}"
        if test.test in ("missing", "present"):
            return f"missing({name})" if test.test == "missing" else f"not missing({name})"
        if column.kind == "boolean":
            listed = [{"True": "1", "False": "0"}[level] for level in test.value]
        else:
            if not all(level.strip(" ") for level in test.value):
                raise InputError(tr(
                    "For SAS an empty text is missing, so it cannot be a level of “{column}”: rename that level.",
                    column=one_line(column.name)))  # fmt: skip
            listed = list(map(_text, test.value))
        between = ", " if sum(map(len, listed)) < LISTED else ",\n"
        one = len(listed) == 1
        if test.test == "in":
            return f"{name} = {listed[0]}" if one else f"{name} in ({between.join(listed)})"
        other = f"{name} ne {listed[0]}" if one else f"{name} not in ({between.join(listed)})"
        return f"not missing({name}) and {other}"

    return compare


def _check_levels(tree: Tree) -> None:
    """InputError where levels that the tree knows would be one for SAS, or none."""
    for place in columns_used(tree):
        column = tree.columns[place]
        if column.kind in NUMERIC:
            continue
        seen = dict[str, str]()
        for level in column.levels:
            if seen.setdefault(level.rstrip(" "), level) != level:
                raise InputError(tr(
                    "For SAS blanks at the end of a text mean nothing, but “{column}” has levels that differ by them: "
                    "rename “{level}”.", column=one_line(column.name), level=one_line(level)))  # fmt: skip


def _name(name: str) -> str:
    """The name of a column as a name literal."""
    if len(name.encode()) > LONGEST_NAME or printable(name) != name or not name.strip():
        raise InputError(tr(
            "“{name}” is no name for SAS, which wants {most} bytes at most and letters that can be printed: rename the "
            "column.", name=one_line(name), most=LONGEST_NAME))  # fmt: skip
    return "'{}'n".format(name.replace("'", "''"))


def _text(text: str) -> str:
    """A text in single quotes; by the numbers of its bytes where that cannot be."""
    if len(text.encode()) > LONGEST_TEXT:
        raise InputError(tr(
            "A text of SAS has {most:,} bytes at most, but “{text}” is longer: rename it.", text=one_line(text),
            most=LONGEST_TEXT))  # fmt: skip
    return f"'{text.encode().hex()}'x" if printable(text) != text else "'{}'".format(text.replace("'", "''"))


def _number(value: float, remark: str = "") -> str:
    """A number that comes back exactly: one of many digits by its bits. `remark`: what it means."""
    said = repr(float(value)).removesuffix(".0")
    digits = said.lower().partition("e")[0].strip("-0.").replace(".", "")
    if len(digits) > 15 or 0 < abs(value) < SMALLEST:
        said, remark = f"input('{struct.pack('>d', value).hex().upper()}', hex16.)", remark or said
    return f"{said} /* {remark} */" if remark else said


def since_1960(seconds: float) -> float:
    """A date as SAS counts it, rounded once."""
    return float(Fraction(last_microsecond(seconds), 1_000_000) + SINCE_1960)


def _date(seconds: float) -> str:
    """A date in seconds, as a literal of its own where it is a whole second."""
    k = last_microsecond(seconds)
    day = EPOCH + timedelta(microseconds=k)
    if k % 1_000_000 == 0 and day.year >= FIRST_YEAR:
        return f"'{day.day:02}{MONTHS[day.month - 1]}{day.year:04}:{day:%H:%M:%S}'dt"
    return _number(since_1960(seconds), exact_date(seconds))
