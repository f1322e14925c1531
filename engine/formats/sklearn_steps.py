"""What the features of a fitted pipeline of scikit-learn are, as functions of the columns that it is given.

Known are steps that look at each column by itself, and whose answer is known for every value: what is passed through
or dropped, the levels of OrdinalEncoder and OneHotEncoder, SimpleImputer. The encoders themselves are asked for the
code of each level."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr


@dataclass(frozen=True)
class Feature:
    """What a tree is asked about: a column as it is given, or the codes of its levels.

    Attributes:
        column: its place among those that the pipeline is given.
        codes: of each level; None for the column as it is.
        is_truth: whether the levels are truth values.
        filled: what stands for a missing value; None: nothing does, and of codes the missing value has none.
        unseen: the code of other levels; None where the encoder stops at one.
    """

    column: int
    codes: Mapping[Any, float] | None = field(default=None, hash=False)
    is_truth: bool = False
    filled: Any = None
    unseen: float | None = None


def features_of(step: Any, given: Sequence[Feature]) -> list[Feature]:
    """The features that a fitted step makes of those that it is given.

    Raises:
        InputError: in lower case: splits of the columns cannot say what the step does.
    """
    kind = type(step).__name__
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return list(given)
    if kind == "FunctionTransformer" and step.func is None:
        return list(given)
    if kind in STEPS:
        return STEPS[kind](step, given)
    raise InputError(tr(
        "splits of the columns cannot say what its {kind} does: take over trees behind {known} only, or one that is "
        "fitted to the columns themselves", kind=one_line(kind), known=", ".join(STEPS)))  # fmt: skip


def _pipeline(step: Any, given: Sequence[Feature]) -> list[Feature]:
    for _, inner in step.steps:
        given = features_of(inner, given)
    return list(given)


def _by_columns(step: Any, given: Sequence[Feature]) -> list[Feature]:
    """ColumnTransformer: steps beside each other, for some columns each."""
    if step.transformer_weights:
        raise InputError(tr("its ColumnTransformer has weights: fit it without"))
    names, found = list(getattr(step, "feature_names_in_", [])), []
    for _, inner, columns in step.transformers_:
        if not (isinstance(inner, str) and inner == "drop"):
            found += features_of(inner, [given[place] for place in _places(columns, names, len(given))])
    return found


def _places(columns: Any, names: list[str], n: int) -> Sequence[int]:
    """The places of columns that are given by names, places, a mask, or from the first to the last."""
    if isinstance(columns, slice):
        start, stop = columns.start, columns.stop
        start = names.index(start) if isinstance(start, str) else start
        return range(n)[start : names.index(stop) + 1 if isinstance(stop, str) else stop : columns.step]
    listed = np.ravel(columns)
    if listed.dtype.kind == "b":
        return np.flatnonzero(listed).tolist()
    return [names.index(one) if isinstance(one, str) else range(n)[int(one)] for one in listed.tolist()]


def _is_missing(value: Any) -> bool:
    """None, NaN, or that of pandas."""
    return value is None or (not isinstance(value, str) and str(value) in ("nan", "<NA>"))


def _imputed(step: Any, given: Sequence[Feature]) -> list[Feature]:
    """SimpleImputer: one value stands for the missing ones of a column."""
    if step.add_indicator or len(step.statistics_) != len(given):
        raise InputError(tr("its SimpleImputer adds columns, or drops some without values: fit it without"))
    found = []
    for feature, value in zip(given, step.statistics_.tolist(), strict=True):
        if not _is_missing(step.missing_values) or feature.codes is not None or _is_missing(value):
            raise InputError(tr("its SimpleImputer fills in what is no missing value of a column: fit it without"))
        found.append(feature if feature.filled is not None else replace(feature, filled=value))
    return found


def _ordinal(step: Any, given: Sequence[Feature]) -> list[Feature]:
    return _encoded(step, given, [1] * len(given))


def _one_hot(step: Any, given: Sequence[Feature]) -> list[Feature]:
    rare = getattr(step, "infrequent_categories_", [None] * len(given))
    dropped = [None] * len(given) if step.drop_idx_ is None else step.drop_idx_
    widths = [
        len(known) - (out is not None) - (0 if few is None else len(few) - 1)
        for known, out, few in zip(step.categories_, dropped, rare, strict=True)
    ]
    return _encoded(step, given, widths)


def _encoded(step: Any, given: Sequence[Feature], widths: Sequence[int]) -> list[Feature]:
    """What an encoder makes of each column: so many features of codes, one after the other."""
    usual, found, first = [known[0] for known in step.categories_], list[Feature](), 0
    for place, (feature, known, width) in enumerate(zip(given, step.categories_, widths, strict=True)):
        levels = [level for level in known.tolist() if not _is_missing(level)]
        is_truth = bool(levels) and all(isinstance(level, bool) for level in levels)
        if feature.codes is not None or not (is_truth or all(isinstance(level, str) for level in levels)):
            raise InputError(tr(
                "its {kind} encodes what is neither texts nor truth values: give it texts, or the tree the numbers "
                "themselves", kind=type(step).__name__))  # fmt: skip
        ask = _asking(step, usual, place, slice(first, first + width))
        codes = {level: ask(level) for level in levels}
        other = "?"
        while other in codes:
            other += "?"
        unseen = None if is_truth else ask(other)
        missing = ask(None if None in known.tolist() else np.nan) if feature.filled is None else None
        if feature.filled is not None:
            missing = codes.get(feature.filled, unseen)
        for k in range(width):
            found.append(Feature(
                feature.column, {str(level): code[k] for level, code in codes.items() if code is not None}, is_truth,
                None if missing is None or np.isnan(missing[k]) else float(missing[k]),
                None if unseen is None else float(unseen[k]),
            ))  # fmt: skip
        first += width
    return found


def _asking(step: Any, usual: list[Any], place: int, out: slice) -> Callable[[Any], NDArray[np.float64] | None]:
    """What an encoder answers for a value of one column; None where it stops at it."""

    def ask(value: Any) -> NDArray[np.float64] | None:
        row = np.array([[*usual[:place], value, *usual[place + 1 :]]], dtype=object)
        with warnings.catch_warnings():  # of a table without names, and of categories that it does not know
            warnings.simplefilter("ignore")
            try:
                made = step.transform(row)
            except ValueError:
                return None
        made = made if isinstance(made, np.ndarray) else made.toarray() if hasattr(made, "toarray") else made.to_numpy()
        return np.asarray(made, dtype=np.float64)[0, out]

    return ask


STEPS: dict[str, Callable[[Any, Sequence[Feature]], list[Feature]]] = {
    "Pipeline": _pipeline, "ColumnTransformer": _by_columns, "SimpleImputer": _imputed,
    "OrdinalEncoder": _ordinal, "OneHotEncoder": _one_hot,
}  # fmt: skip
