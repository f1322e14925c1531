"""Which rows train, which validate, which are kept for the last test.

Membership comes from a hash of the row number and a seed, stratified by class: no generator whose state
matters, and the same on every machine. The shares are exact in every class, to a whole row: they are cut from
the order of the hashes. Rows added at the end find their places in that order, so a few others change parts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import Column

TRAIN, VALIDATION, TEST, UNUSED = 0, 1, 2, 3

_WORDS = {
    "train": TRAIN, "training": TRAIN, "learn": TRAIN, "0": TRAIN,
    "validation": VALIDATION, "valid": VALIDATION, "validate": VALIDATION, "val": VALIDATION, "1": VALIDATION,
    "test": TEST, "testing": TEST, "holdout": TEST, "2": TEST,
}  # fmt: skip


def row_hash(n_rows: int, seed: int) -> NDArray[np.uint64]:
    """uint64[n_rows]: a hash of each row number and the seed (the finalizer of SplitMix64, Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        key = np.arange(n_rows, dtype=np.uint64) + np.uint64(seed % 2**32 + 1) * np.uint64(0x9E3779B97F4A7C15)
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


def further_seed(seed: int, i: int) -> int:
    """A seed for the i-th of many draws, counted from 0; the first one has the seed itself."""
    return seed if i == 0 else int(row_hash(i + 1, seed)[i] % 2**32)


def by_share(
    strata: NDArray[Any], usable: NDArray[np.bool_], validation: float, test: float, seed: int
) -> NDArray[np.uint8]:
    """uint8[n_rows]: the part of each row.

    Args:
        strata: integer[n_rows], the class of each row (all equal for a numeric target).
        usable: bool[n_rows]; the others are UNUSED.
        validation, test: shares of the usable rows of each stratum, rounded to whole rows.

    Raises:
        InputError: the two shares leave no rows for training.
    """
    for name, share in (("validation", validation), ("test", test)):
        if not 0 <= share < 1:
            raise InputError(
                tr("The {name} share cannot be {share:g}; it is a fraction from 0 to below 1.", name=name, share=share)
            )
    if validation + test >= 1:
        raise InputError(tr(
            "Validation {validation:g} and test {test:g} leave no rows for training: their sum must be below 1.",
            validation=validation, test=test))  # fmt: skip
    part = np.full(strata.size, UNUSED, dtype=np.uint8)
    rows = np.flatnonzero(usable)
    part[rows] = TRAIN
    if not (validation or test):
        return part
    hashed = row_hash(strata.size, seed)
    order = np.argsort(strata[rows], kind="stable")
    stops = np.cumsum(np.bincount(strata[rows]))[:-1]
    for inside in np.split(rows[order], stops):
        n_test, n_validation = round(inside.size * test), round(inside.size * validation)
        _cut_off(part, inside, hashed, TEST, n_test)
        _cut_off(part, inside[part[inside] == TRAIN], hashed, VALIDATION, n_validation)
    return part


def _cut_off(part: NDArray[np.uint8], rows: NDArray[Any], hashed: NDArray[np.uint64], into: int, n: int) -> None:
    """Puts the n of these rows with the smallest hashes into a part; no two hashes are equal, so nothing is sorted."""
    if n:
        keys = hashed[rows]
        part[rows[keys <= np.partition(keys, n - 1)[n - 1]]] = into


def by_column(column: Column, usable: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """uint8[n_rows]: the part that a column of words (train, validation, test) or of 0, 1, 2 names.

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
    part = np.array(meaning, dtype=np.uint8)[column.codes]
    part[~usable] = UNUSED
    return part
