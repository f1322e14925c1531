"""Which rows train, which validate, which are kept for the last test.

Membership comes from hashes with a seed: no generator whose state matters, and the same on every machine.

Test rows are those whose key has a hash below the share: nothing else decides, so they stay test rows whatever becomes
of the target, the weights, the other parts and the other rows. A key is the value of a column, or the row number.

Validation rows are a share of the others, exact in every class to a whole row: they are cut from the order of the
hashes of the row numbers. Rows added at the end find their places in that order, so a few others change parts.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import Column

TRAIN, VALIDATION, TEST, UNUSED = 0, 1, 2, 3

EXACT = 2.0**53  # whole numbers below it are exact

_WORDS = {
    "train": TRAIN, "training": TRAIN, "learn": TRAIN, "0": TRAIN,
    "validation": VALIDATION, "valid": VALIDATION, "validate": VALIDATION, "val": VALIDATION, "1": VALIDATION,
    "test": TEST, "testing": TEST, "holdout": TEST, "2": TEST,
}  # fmt: skip


def row_hash(n_rows: int, seed: int, first: int = 0) -> NDArray[np.uint64]:
    """uint64[n_rows]: a hash of each row number, from the first one on, and the seed."""
    return _mixed(np.arange(first, first + n_rows, dtype=np.uint64), seed)


def key_hash(key: Column, seed: int) -> NDArray[np.uint64]:
    """uint64[n_values]: a hash of each value, as text, and the seed; other values have no say in it."""
    return _mixed(pd.util.hash_array(_texts(key), categorize=False), seed)


def limit_of(share: float) -> np.uint64:
    """Below which hash lies a share of all hashes."""
    return np.uint64(min(int(share * 2.0**64), 2**64 - 1))


def _mixed(keys: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """uint64[n]: keys and a seed mixed by the finalizer of SplitMix64 (Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        key = keys + np.uint64(seed % 2**32 + 1) * np.uint64(0x9E3779B97F4A7C15)
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


def chosen_by_key(
    n_rows: int, share: float, seed: int, key: Column | None, numbers: NDArray[np.int64] | None = None
) -> NDArray[np.bool_]:
    """bool[n_rows]: the rows whose hash is below a share of all hashes.

    Args:
        key: rows with one value here are chosen together; a row without a value goes by its number, as all do without
            such a column.
        numbers: int64[n_rows], of the rows, where they are not all rows of a table.
    """
    hashed = row_hash(n_rows, seed) if numbers is None else _mixed(numbers.astype(np.uint64), seed)
    if key is not None:
        hashed = np.where(key.codes > 0, np.concatenate((hashed[:1], key_hash(key, seed)))[key.codes], hashed)
    return hashed < limit_of(share)


def further_seed(seed: int, i: int) -> int:
    """A seed for the i-th of many draws, counted from 0; the first one has the seed itself."""
    return seed if i == 0 else int(row_hash(i + 1, seed)[i] % 2**32)


def _texts(key: Column) -> NDArray[Any]:
    """object[n_values]: the values as text, so that 12 is the same among numbers, whole ones and levels."""
    if not key.is_numeric or key.kind == "date" or not key.n_values:
        return np.array([key.text(i) for i in range(key.n_values)], dtype=object)
    whole = (key.values == np.rint(key.values)) & (np.abs(key.values) < EXACT)
    texts = np.where(whole, key.values, 0).astype(np.int64).astype(str).astype(object)
    for i in np.flatnonzero(~whole).tolist():
        texts[i] = key.text(i)
    return texts


def check_shares(validation: float, test: float) -> None:
    """Raises InputError when a share is no share, or the two leave no rows for training."""
    for name, share in (("validation", validation), ("test", test)):
        if not 0 <= share < 1:
            raise InputError(
                tr("The {name} share cannot be {share:g}; it is a fraction from 0 to below 1.", name=name, share=share)
            )
    if validation + test >= 1:
        raise InputError(tr(
            "Validation {validation:g} and test {test:g} leave no rows for training: their sum must be below 1.",
            validation=validation, test=test))  # fmt: skip


def share_of_others(validation: float, n_test: int, n_others: int) -> float:
    """The share of validation rows among those that are not kept for the test, from that among all."""
    return validation * (1 + n_test / max(n_others, 1))


def n_held(size: int, share: float) -> int:
    """How many rows of a class validate, by their share."""
    return min(round(size * share), size)


def by_share(
    strata: NDArray[Any], part: NDArray[np.uint8], validation: float, seed: int, group: Column | None = None
) -> None:
    """Makes validation rows of training rows, as many in every class to a whole row. The classes of test rows have no
    say in it.

    Args:
        strata: integer[n_rows], the class of each row (all equal for a numeric target).
        part: uint8[n_rows], the part of each row.
        validation: the share, below 1, of all rows that train or test.
        group: rows with one value here are not parted; then there are about as many of each class.
    """
    rows = np.flatnonzero(part == TRAIN)
    share = share_of_others(validation, int(np.count_nonzero(part == TEST)), rows.size)
    if group is not None:
        part[(part == TRAIN) & chosen_by_key(part.size, share, further_seed(seed, 1), group)] = VALIDATION
        return
    hashed = row_hash(strata.size, seed)
    order = np.argsort(strata[rows], kind="stable")
    stops = np.cumsum(np.bincount(strata[rows]))[:-1]
    for inside in np.split(rows[order], stops):
        n = n_held(inside.size, share)
        if n:  # no two hashes are equal, so nothing is sorted
            keys = hashed[inside]
            part[inside[keys <= np.partition(keys, n - 1)[n - 1]]] = VALIDATION


def by_column(column: Column, usable: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """uint8[n_rows]: the part that a column names, see `parts_of_values`."""
    part = parts_of_values(column)[column.codes]
    part[~usable] = UNUSED
    return part


def parts_of_values(column: Column) -> NDArray[np.uint8]:
    """uint8[n_values + 1]: the part that each code of a column of words (train, validation, test) or of 0, 1, 2 names;
    none is UNUSED.

    Raises:
        InputError: a value names no part.
    """
    meaning = [UNUSED]
    for i in range(column.n_values):
        word = column.text(i).strip().lower()
        if word not in _WORDS:
            raise InputError(tr(
                "“{value}” in column “{column}” names no part; use train, validation and test, or 0, 1 and 2.",
                value=column.text(i), column=column.name))  # fmt: skip
        meaning.append(_WORDS[word])
    return np.array(meaning, dtype=np.uint8)
