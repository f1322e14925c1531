"""From cells of text to typed columns: which tokens are missing, and what the others are."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.readers.notations import (
    FIRST,
    any_no_number,
    are_iso_dates,
    is_code,
    parse_dates,
    parse_numbers,
    plain_numbers,
    whole,
)  # fmt: skip
from engine.readers.options import ReadOptions
from engine.readers.raw import Raw, level_array, text_array
from engine.runtime.errors import InputError, readable
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.runtime.threads import Workers
from engine.table.column import TRUTH, YES_OR_NO, Column, column_from_series, level_column, numeric_column

Finished = TypeVar("Finished")
MANY_ROWS = 20_000
WEAK = ("?", "-", ".")  # missing only beside values that hold a letter or a digit
SPELLED = "none"  # often a level: missing in text only when spelled as the token is
COUNTED = "[0-9∞]|(?i:inf)"  # stands in every number and every date
MOST_ODD = 2  # so few texts among numbers or dates probably stand for a missing value …
FEWEST_PLAIN = 3  # … beside at least so many that are a number or a date
MOSTLY = 0.95  # such a share of the cells tells what a column was meant to be


@dataclass(frozen=True, eq=False)
class Typed:
    """A column ready for a data frame.

    Attributes:
        series: float64, int64, bool, boolean, datetime64[us], or Categorical (of text: its levels sorted).
        kind: "number", "integer", "date", "boolean", "nominal" or "ordered".
        notes: announcements in words.
        declared: the source names the levels, of which some may have no row.
    """

    series: pd.Series
    kind: str
    notes: tuple[str, ...] = ()
    declared: bool = False


def guess_column(cells: Any, name: str, decimal: str, missing: tuple[str, ...]) -> Typed:
    """The kind that all cells of a column agree on.

    Numbers, dates, or true/false where every value present is one; otherwise nominal, the text unchanged.

    Args:
        cells: texts without nulls, in one array or chunks; see `Raw`.
    """
    written = plain_column_of_numbers(cells, decimal, missing)
    if written is not None:
        return numeric(*written)
    coded = _coded(cells, missing)
    texts = coded.dictionary
    numbers = plain_numbers(texts, decimal) if len(texts) else None
    if numbers is not None:
        return numeric(pc.take(numbers, coded.indices), pc.take(texts, coded.indices))
    levels = _without_weak(texts, missing)
    quantities = _without_none(levels, missing, any_spelling=True)
    notes: list[str] = []
    # one look spares columns of words the dozen that tell numbers and dates apart
    is_counted = pc.any(pc.match_substring_regex(quantities, COUNTED)).as_py()
    for attempt in (_all_numbers, _all_dates, _all_truth) if is_counted else (_all_truth,):
        found = attempt(quantities, name, decimal, notes)
        if found is not None:
            return typed_values(pc.take(found, coded.indices), tuple(notes))
    series = level_series(_without_none(levels, missing), coded.indices)
    if not is_counted:
        return Typed(series, "nominal", tuple(notes))
    hints = _nearly(quantities, name, decimal) or _other_mark(quantities, coded.indices, name, decimal)
    return Typed(series, "nominal", (*notes, *hints))


def plain_column_of_numbers(cells: Any, decimal: str, missing: tuple[str, ...]) -> tuple[Any, Any] | None:
    """The numbers and their texts (null: missing) of cells that are all plainly written numbers or missing; else None.
    Far quicker than looking at the levels where most numbers differ; the first cells tell most columns."""
    if pa.types.is_dictionary(cells.type):
        return None
    first = cells[:FIRST]
    is_padded = not pc.utf8_trim_whitespace(first).equals(first)
    may_be_token = any(any(map(str.isdigit, token)) for token in missing)
    for part in (first, cells):
        texts = pc.utf8_trim_whitespace(part) if is_padded else part
        numbers = None if may_be_token else plain_numbers(texts, decimal)
        if numbers is None:
            texts = _without_tokens(texts, missing)
            numbers = plain_numbers(texts, decimal)
        if numbers is None:
            return None
    return (numbers, texts) if texts.null_count < len(texts) else None


def force_column(
    cells: Any, name: str, kind: str, decimal: str, missing: tuple[str, ...], *, distinct: bool = False
) -> Typed:
    """The cells as the kind that a person chose; what cannot be read so is missing, and a note gives the number.

    Args:
        distinct: each cell stands for all rows with its value.
    """
    coded = _coded(cells, missing)
    levels = _without_weak(coded.dictionary, missing)
    if kind in ("nominal", "ordered"):
        series = level_series(_without_none(levels, missing), coded.indices)
        return Typed(_in_order(series), kind, declared=True) if kind == "ordered" else Typed(series, kind)
    levels = _without_none(levels, missing, any_spelling=True)
    notes: list[str] = []
    if kind == "boolean":
        read = mapped(levels, YES_OR_NO)
    elif kind == "date":
        read, is_ambiguous = parse_dates(levels)
        if is_ambiguous:
            notes.append(
                tr("“{name}” was read with the day before the month: the other order would fit as well.", name=name)
            )
    else:
        read, remark = parse_numbers(levels, decimal)
        notes += [tr(remark, name=name)] if remark else []
    typed = typed_values(pc.take(read, coded.indices))
    notes += _unread(levels, read, coded.indices, name, kind, distinct)
    if kind == "integer" and typed.kind == "number" and typed.series.notna().any():
        notes.append(tr("“{name}” holds numbers that are not whole: it stays a number.", name=name))
        kind = "number"
    return Typed(typed.series, kind, tuple(notes))


def numeric(numbers: Any, texts: Any = None) -> Typed:
    """A column of numbers: "integer" when all of them are whole.

    Args:
        numbers: float64 or integer array, null or NaN for missing.
        texts: what they were written as; integers beyond 2⁵³ are then read without rounding.
    """
    if not whole(numbers):
        return Typed(_floats(numbers), "number")
    if not numbers.null_count:
        try:
            exact = numbers if texts is None else texts
            return Typed(pd.Series(pc.cast(exact, pa.int64()).to_numpy(zero_copy_only=False)), "integer")
        except pa.ArrowInvalid:  # "1.0" or "1e3", an infinite value, or beyond int64
            pass
    return Typed(_floats(numbers), "integer")


def _floats(numbers: Any) -> pd.Series:
    return pd.Series(pc.cast(numbers, pa.float64(), safe=False).to_numpy(zero_copy_only=False))


def typed_values(values: Any, notes: tuple[str, ...] = ()) -> Typed:
    if pa.types.is_timestamp(values.type):
        return Typed(pd.Series(values.to_numpy(zero_copy_only=False)), "date", notes)
    if pa.types.is_boolean(values.type):
        truth = values.to_pylist() if values.null_count else values.to_numpy(zero_copy_only=False)
        return Typed(pd.Series(truth, dtype="boolean" if values.null_count else bool), "boolean", notes)
    typed = numeric(values)
    return Typed(typed.series, typed.kind, notes)


def level_series(levels: Any, indices: Any) -> pd.Series:
    """Texts as a Categorical from distinct levels (null: missing) and the place of each row's level (null: missing)."""
    present = levels.drop_null()
    order = pc.sort_indices(present)  # by bytes, which for UTF-8 is the order of Python's texts
    rank = np.empty(len(present), dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(present))
    code = np.full(len(levels) + 1, -1, dtype=np.int64)  # the last one for rows without a level: place -1
    code[np.flatnonzero(pc.is_valid(levels).to_numpy(zero_copy_only=False))] = rank
    places = pc.fill_null(indices, -1).to_numpy(zero_copy_only=False)
    dtype = pd.CategoricalDtype(pd.Index(pc.take(present, order).to_pandas(), dtype="str"))
    return pd.Series(pd.Categorical.from_codes(code[places], dtype=dtype))


def _in_order(texts: pd.Series) -> pd.Series:
    """Ordered levels, in the order of their numbers if all are numbers, else of their texts."""
    levels = texts.cat.categories
    numbers = pd.to_numeric(pd.Series(levels, dtype="str"), errors="coerce")
    if len(levels) and numbers.notna().all():
        levels = levels[numbers.argsort(kind="stable")]
    return texts.cat.reorder_categories(levels, ordered=True)


def _coded(cells: Any, missing: tuple[str, ...]) -> Any:
    """The levels of texts as a dictionary without tokens for missing: rows with one are null."""
    if not pa.types.is_dictionary(cells.type):
        cells = level_array(cells.dictionary_encode())
    levels = _without_tokens(cells.dictionary, missing)
    if not levels.null_count:
        return cells
    valid = pc.is_valid(levels).to_numpy(zero_copy_only=False)
    place = pa.array(np.cumsum(valid) - 1, pa.int32(), mask=~valid)
    return pa.DictionaryArray.from_arrays(pc.take(place, cells.indices), levels.drop_null())


def _without_tokens(cells: Any, missing: tuple[str, ...]) -> Any:
    """Null for the empty cell and for every token, in small or capital letters, but those that need a second look:
    "Na" is sodium."""
    found = pc.is_in(cells, value_set=pa.array(token_forms(missing), cells.type))
    return pc.if_else(found, pa.scalar(None, cells.type), cells)


def token_forms(missing: tuple[str, ...]) -> list[str]:
    """The empty cell and the ways to write the tokens that need no second look."""
    tokens = [token.strip() for token in missing if token not in WEAK and token.lower() != SPELLED]
    forms = {"", *tokens, *(t.lower() for t in tokens), *(t.upper() for t in tokens)}
    forms |= {token.capitalize() for token in tokens if len(token) > 2}
    return sorted(forms)


def _without_weak(levels: Any, missing: tuple[str, ...]) -> Any:
    """Null for "?", "-" and "." where they clearly stand for no value: every other text has a letter or digit."""
    chosen = pa.array([token for token in WEAK if token in missing], pa.large_string())
    weak = pc.is_in(levels, value_set=chosen)
    if not pc.any(weak).as_py():
        return levels
    others = levels.filter(pc.invert(weak))
    has_content = pc.match_substring_regex(others, r"[\pL\pN]")
    if (len(others) == 0 and len(levels) > 1) or not pc.all(has_content, min_count=0).as_py():
        return levels
    return pc.if_else(weak, pa.scalar(None, pa.large_string()), levels)


def _without_none(levels: Any, missing: tuple[str, ...], *, any_spelling: bool = False) -> Any:
    spelled = [token for token in missing if token.lower() == SPELLED]
    texts = pc.utf8_lower(levels) if any_spelling else levels
    chosen = pa.array([SPELLED] if any_spelling and spelled else spelled, pa.large_string())
    return pc.if_else(pc.is_in(texts, value_set=chosen), pa.scalar(None, pa.large_string()), levels)


def _all_numbers(levels: Any, name: str, decimal: str, notes: list[str]) -> Any | None:
    if any_no_number(levels[:FIRST]) or is_code(levels):
        return None
    read, remark = parse_numbers(levels, decimal)
    if not _complete(levels, read):
        return None
    notes += [tr(remark, name=name)] if remark else []
    return read


def _all_dates(levels: Any, name: str, _decimal: str, notes: list[str]) -> Any | None:
    dates, is_ambiguous = parse_dates(levels)
    if not _complete(levels, dates):
        return None
    if is_ambiguous:
        notes.append(
            tr("“{name}” could be day/month or month/day: it stays text until you choose “date” for it.", name=name)
        )
        return None
    return dates


def _all_truth(levels: Any, _name: str, _decimal: str, _notes: list[str]) -> Any | None:
    read = mapped(levels, TRUTH)
    return read if _complete(levels, read) else None


def _nearly(levels: Any, name: str, decimal: str) -> list[str]:
    """A hint where all texts but one or two are numbers or dates: those are probably a missing code. Only a text
    without any digit can be one: "3+" and "<5" are values."""
    unlike = pc.invert(pc.match_substring_regex(levels, "[0-9]"))
    if not 1 <= (pc.sum(unlike).as_py() or 0) <= 2 * MOST_ODD:  # the quick look that most columns of text end with
        return []
    odd = pc.and_(pc.fill_null(unlike, False), pc.is_null(parse_numbers(levels, decimal)[0]))  # "inf" is a number
    tokens = levels.filter(odd).to_pylist()
    others = pc.if_else(odd, pa.scalar(None, pa.large_string()), levels)
    if not 1 <= len(tokens) <= MOST_ODD or len(others) - others.null_count < FEWEST_PLAIN:
        return []
    for attempt in (_all_numbers, _all_dates):
        remarks: list[str] = []  # one about days and months means that they are dates as well
        if attempt(others, name, decimal, remarks) is not None or remarks:
            return [_but_for(name, [token[:40] for token in tokens], attempt is _all_dates)]
    return []


def _but_for(name: str, tokens: list[str], is_date: bool) -> str:
    said = {"name": name, "one": tokens[0], "other": tokens[-1]}
    if is_date:
        one = tr("“{name}” looks like a date except for “{one}”: add it to the missing values to read it so.", **said)
        two = tr("“{name}” looks like a date except for “{one}” and “{other}”: add them to the missing values to read "
                 "it so.", **said)  # fmt: skip
    else:
        one = tr("“{name}” looks like a number except for “{one}”: add it to the missing values to read it so.", **said)
        two = tr("“{name}” looks like a number except for “{one}” and “{other}”: add them to the missing values to "
                 "read it so.", **said)  # fmt: skip
    return one if len(tokens) == 1 else two


def _other_mark(levels: Any, indices: Any, name: str, decimal: str) -> list[str]:
    """A hint where nearly all cells are numbers with the other decimal mark, and most of them show it. Where every
    mark may as well stand between thousands, it is no decimal mark for certain."""
    other = "." if decimal == "," else ","
    texts = levels[:FIRST]
    with_other = pc.match_substring(texts, other)
    grouped = pc.match_substring_regex(texts, rf"^[+-]?[1-9][0-9]{{0,2}}(?:{re.escape(other)}[0-9]{{3}})+$")
    if not pc.any(pc.and_not(with_other, grouped)).as_py() or is_code(texts):
        return []
    fits = pc.is_valid(parse_numbers(texts, other)[0]).to_numpy(zero_copy_only=False)
    rows = np.bincount(indices.drop_null().to_numpy(), minlength=len(levels))[:FIRST]
    n_cells = rows[pc.is_valid(texts).to_numpy(zero_copy_only=False)].sum()
    shown = rows[fits & pc.fill_null(with_other, False).to_numpy(zero_copy_only=False)].sum()
    if rows[fits].sum() < max(MOSTLY * n_cells, FEWEST_PLAIN) or 2 * shown < n_cells:
        return []
    if other == ".":
        hint = tr(
            "“{name}” looks like a number with a decimal point, but “,” is the decimal mark: choose “.” to read it so.",
            name=name,
        )
    else:
        hint = tr(
            "“{name}” looks like a number with a decimal comma, but “.” is the decimal mark: choose “,” to read it so.",
            name=name,
        )
    return [hint]


def mapped(levels: Any, meaning: Mapping[str, bool]) -> Any:
    place = pc.index_in(pc.utf8_lower(levels), value_set=pa.array(list(meaning), pa.large_string()))
    return pc.take(pa.array(list(meaning.values())), place)


def _complete(levels: Any, read: Any) -> bool:
    return bool(read.null_count == levels.null_count and levels.null_count < len(levels))


READ_AS = {"boolean": marked("true or false"), "date": marked("a date"), "number": marked("a number")}


def _unread(levels: Any, read: Any, indices: Any, name: str, kind: str, distinct: bool) -> list[str]:
    lost = pc.and_(pc.is_null(read), pc.is_valid(levels))
    n_cells = pc.sum(pc.take(lost, indices)).as_py() or 0
    if not n_cells:
        return []
    first = levels.filter(lost)[0].as_py()
    kind_read = READ_AS.get(kind, READ_AS["number"])
    said = {"name": name, "what": tr(kind_read), "first": first[:40]}
    if distinct and n_cells == 1:
        return [tr("In “{name}” “{first}” cannot be read as {what} and counts as missing.", **said)]
    if distinct:
        return [tr(
            "In “{name}” {n:,} different texts cannot be read as {what} and count as missing, first “{first}”.",
            n=n_cells, **said)]  # fmt: skip
    if n_cells == 1:
        return [tr("In “{name}” 1 cell cannot be read as {what} and counts as missing, first “{first}”.", **said)]
    return [tr(
        "In “{name}” {n:,} cells cannot be read as {what} and count as missing, first “{first}”.", n=n_cells, **said,
    )]  # fmt: skip


# -- columns whose type their file declares


def declared_column(cells: Any, *, coded: bool = False) -> Typed:
    """The column of an array that `plain_column` gave.

    Args:
        coded: a dictionary is only how the texts are held, and it declares no levels without a row.
    """
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return _texts(cells) if coded else _levels(cells)
    if _is_text(kind) or pa.types.is_null(kind):
        return _texts(pc.cast(cells, pa.large_string()))
    if pa.types.is_date32(kind):
        cells = pc.cast(cells, pa.timestamp("us"))
    elif pa.types.is_decimal(kind) or pa.types.is_floating(kind):
        cells = pc.cast(cells, pa.float64(), safe=False)
    return typed_values(cells)


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def as_text(cells: Any) -> Any:
    """The values of an array that `plain_column` gave, as they are written: texts, or a dictionary of their levels."""
    if pa.types.is_dictionary(cells.type):
        return level_array(pa.chunked_array([cells]))
    return text_array(cells)


def _texts(cells: Any) -> Typed:
    """Texts, or a dictionary of them: its levels may be null, stand twice, or have no row."""
    if not pa.types.is_dictionary(cells.type):
        coded = cells.dictionary_encode()
        return Typed(level_series(coded.dictionary, coded.indices), "nominal")
    distinct = cells.dictionary.dictionary_encode()
    used = pc.take(distinct.indices, cells.indices).dictionary_encode()
    return Typed(level_series(pc.take(distinct.dictionary, used.dictionary), used.indices), "nominal")


def _levels(cells: Any) -> Typed:
    """Declared levels in their order. Where a name stands twice or is null, the order means nothing."""
    levels = cells.dictionary.to_pylist()
    if None in levels or len(set(levels)) < len(levels):
        return _texts(cells)
    ordered = bool(cells.type.ordered)
    codes = pc.fill_null(pc.cast(cells.indices, pa.int64()), -1).to_numpy(zero_copy_only=False)
    series = pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(levels, ordered=ordered)))
    return Typed(series, "ordered" if ordered else "nominal", declared=True)


def with_dates(options: ReadOptions, table: Any) -> ReadOptions:
    """The options by which columns of texts that are all dates in ISO form are dates, unless another kind is chosen: of
    databases that keep dates as texts.

    Args:
        table: of Arrow; the distinct values of its columns will do.
    """
    columns = zip(table.column_names, table.itercolumns(), strict=True)
    kept = {name: text_array(pc.unique(cells)) for name, cells in columns if _is_text(cells.type)}
    dates = [name for name, texts in kept.items() if name not in options.kinds and are_iso_dates(texts)]
    return replace(options, kinds={**options.kinds, **dict.fromkeys(dates, "date")}) if dates else options


# -- all columns of a file, on all processors


def column_of(name: str, typed: Typed) -> Column:
    """A column of the kind that was found or chosen for it."""
    series = typed.series
    if typed.kind in ("number", "integer"):
        return numeric_column(name, typed.kind, series.to_numpy(dtype=np.float64, na_value=np.nan))
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy().astype(np.int64)
        return level_column(name, typed.kind, codes, list(series.cat.categories), typed.declared)
    return column_from_series(name, series, typed.kind)


def read_columns(
    raw: Raw, finish: Callable[[int, Typed], Finished], progress: Progress | None = None
) -> tuple[list[Finished], tuple[str, ...]]:
    """What `finish` makes of every column, by its place and what it holds, and all notes.

    The columns are taken out of `raw` one by one, on all processors; the memory of each is free when it is finished.

    Raises:
        InputError: a stop was asked for; there is no half a table.
    """
    n_columns = len(raw.names)
    threads = None if raw.height >= MANY_ROWS else 1  # starting threads takes longer than reading a small table
    done = 0

    def one(i: int) -> tuple[Finished, tuple[str, ...]]:
        nonlocal done
        if progress is not None and progress.stopped:
            raise InputError(tr("Reading {label} was stopped.", label=raw.label))
        typed = typed_column(raw, raw.names[i], raw.take(i))
        finished = finish(i, typed), typed.notes
        done += 1
        return finished

    def tick() -> None:
        if progress is not None:
            progress.report(0.3 + 0.7 * done / n_columns, tr("Read {n} of {all} columns", n=done, all=n_columns))

    with Workers(threads) as workers:
        columns = workers.map(one, range(n_columns), tick)
    known = set(raw.names)
    unknown = [name for name in raw.options.kinds if name not in known]
    notes = [*raw.notes, *(note for _, found in columns for note in found)]
    notes += [tr("There is no column “{name}”: the kind chosen for it was left aside.", name=name) for name in unknown]
    return [column for column, _ in columns], tuple(map(readable, notes))


def typed_column(raw: Raw, name: str, cells: Any, *, distinct: bool = False) -> Typed:
    """A column of the kind that its file declares or that is chosen for it; distinct: see `force_column`."""
    options = raw.options
    kind, decimal = options.kind_of(name), options.decimal or "."
    if not raw.typed:
        if kind is not None:
            return force_column(cells, name, kind, decimal, options.missing, distinct=distinct)
        return guess_column(cells, name, decimal, options.missing)
    natural = declared_column(cells, coded=name in raw.coded)
    if kind in (None, natural.kind):
        return natural
    if kind == "ordered" and natural.declared:
        return Typed(natural.series.cat.as_ordered(), kind, declared=True)
    if kind == "number" and natural.kind == "integer":
        return Typed(natural.series, kind)
    return force_column(as_text(cells), name, kind, ".", ("",), distinct=distinct)
