"""Which rows train, which validate, which are kept for the last test.

Membership comes from a hash of the row number and a seed, stratified by class: no generator whose state
matters, and the same on every machine. The shares are exact in every class, to a whole row: they are cut from
the order of the hashes. Rows added at the end find their places in that order, so a few others change parts.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.column import Column
from engine.errors import InputError

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


def check_shares(validation: float, test: float) -> None:
    """Raises InputError unless the two shares leave some rows for training."""
    for name, share in (("validation", validation), ("test", test)):
        if not 0 <= share < 1:
            raise InputError(f"The {name} share cannot be {share:g}; it is a fraction from 0 to below 1.")
    if validation + test >= 1:
        raise InputError(
            f"Validation {validation:g} and test {test:g} leave no rows for training: their sum must be below 1."
        )


def by_share(
    strata: NDArray[Any], usable: NDArray[np.bool_], validation: float, test: float, seed: int
) -> NDArray[np.uint8]:
    """uint8[n_rows]: the part of each row.

    Args:
        strata: integer[n_rows], the class of each row (all equal for a numeric target).
        usable: bool[n_rows]; the others are UNUSED.
        validation, test: shares of the usable rows of each stratum, rounded to whole rows.
    """
    check_shares(validation, test)
    part = np.where(usable, np.uint8(TRAIN), np.uint8(UNUSED))
    if validation == 0 == test:
        return part
    rows = np.flatnonzero(usable)
    order = rows[np.argsort(strata[rows], kind="stable")]
    sorted_strata, hashes = strata[order], row_hash(strata.size, seed)[order]
    changes = np.flatnonzero(sorted_strata[1:] != sorted_strata[:-1]) + 1
    for start, stop in pairwise([0, *changes.tolist(), rows.size]):
        n_test = round((stop - start) * test)
        n_validation = round((stop - start) * validation)
        members, within = order[start:stop], hashes[start:stop]
        part[members[_are_least(within, n_test + n_validation)]] = VALIDATION
        part[members[_are_least(within, n_test)]] = TEST
    return part


def _are_least(hashes: NDArray[np.uint64], n: int) -> NDArray[np.bool_]:
    """Which are the n least; no two rows have the same hash, so those below the next one, which takes no sorting."""
    if n == hashes.size:
        return np.ones(n, dtype=bool)
    least: NDArray[np.bool_] = hashes < np.partition(hashes, n)[n]
    return least


def by_column(column: Column, usable: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """uint8[n_rows]: the part that a column of words (train, validation, test) or of 0, 1, 2 names.

    Raises:
        InputError: a value names no part.
    """
    meaning = [UNUSED]
    for i in range(column.n_values):
        word = column.text(i).strip().lower()
        if word not in _WORDS:
            raise InputError(
                f"“{column.text(i)}” in column “{column.name}” names no part; "
                "use train, validation and test, or 0, 1 and 2."
            )
        meaning.append(_WORDS[word])
    part = np.array(meaning, dtype=np.uint8)[column.codes]
    part[~usable] = UNUSED
    return part
