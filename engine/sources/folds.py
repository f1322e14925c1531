"""A source whose rows are divided otherwise: folds, each of which is left out once, for pruning by cross-validation;
and test rows that judge. Nothing is copied.

The folds of a table in memory are those of `engine.table.folds`. Else a row's fold is told by a hash: of its key where
a key decides about the parts, or of its number in the order of the data.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.sources.coded import Coded
from engine.sources.parts import N_PARTS, Parts
from engine.sources.source import Source, with_counts
from engine.table.folds import held_out
from engine.table.partition import TEST, TRAIN, UNUSED, VALIDATION, key_hash, row_hash

PARTS = {TRAIN: TRAIN, VALIDATION: UNUSED, TEST: VALIDATION, UNUSED: UNUSED}
TESTED = np.array([PARTS[part] for part in range(N_PARTS)], np.uint8)  # where test rows judge


@dataclass(frozen=True, eq=False)
class FoldByNumber(Parts):
    """Of the training rows of some parts those of one fold validate, the others train; other rows are left out.

    Attributes:
        whole: the parts. fold, n: which of how many. seed: of the hashes.
    """

    whole: Parts = Parts()  # noqa: RUF009  (immutable)
    fold: int = 0
    n: int = 2
    seed: int = 0

    def of(self, target: NDArray[np.uint32], codes: NDArray[np.uint32] | None, first: int) -> NDArray[np.uint8]:
        """See `Parts.of`."""
        trains = self.whole.of(target, codes, first) == TRAIN
        out = row_hash(target.size, self.seed, first) % np.uint64(self.n) == self.fold
        return np.where(trains, np.where(out, VALIDATION, TRAIN), UNUSED).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class TestRows(Parts):
    """The test rows of some parts validate, and those that validated are left out.

    Attributes:
        whole: the parts.
    """

    whole: Parts = Parts()  # noqa: RUF009  (immutable)

    def of(self, target: NDArray[np.uint32], codes: NDArray[np.uint32] | None, first: int) -> NDArray[np.uint8]:
        """See `Parts.of`."""
        return TESTED[self.whole.of(target, codes, first)]


def tested(source: Any, progress: Progress) -> Source:
    """The source whose test rows validate, while its validation rows are left out; counted in one scan.

    Raises:
        Stopped: the progress was stopped. InputError: the data cannot be read.
    """
    if isinstance(source, Coded):
        part = source.table.part
        return Coded(held_out(source.table, part == TRAIN, part == TEST), source.threads)
    parts = TestRows(source.parts.place, TESTED[source.parts.of_code], whole=source.parts)
    return _divided(source, parts, {"tested": True}, progress)


def fold_of(source: Any, fold: int, n: int, seed: int, progress: Progress) -> Source:
    """The source whose rows of one of n folds validate, while its other training rows train; counted in one scan.

    Raises:
        InputError: the rows have no numbers, and no key. Stopped: the progress was stopped.
    """
    if isinstance(source, Coded):
        of_row = source.dealt(n, seed)
        return Coded(held_out(source.table, (of_row >= 0) & (of_row != fold), of_row == fold), source.threads)
    if source.has_order:
        parts: Parts = FoldByNumber(
            source.parts.place, source.parts.of_code, whole=source.parts, fold=fold, n=n, seed=seed
        )
    else:
        parts = _by_key(source, fold, n, seed)
    return _divided(source, parts, {"fold": [fold, n, seed]}, progress)


def _divided(source: Any, parts: Parts, said: dict[str, Any], progress: Progress) -> Source:
    """The source with other parts; `said`: as `Table.partition` has them."""
    head = source.head
    both = replace(head)  # counted as if rows validated, which is not known yet
    both.__dict__.update({**head.__dict__, "n_validation": 1})
    target = head.index(str(head.target))
    counted = replace(source, head=both, parts=parts).tally([()], [target], np.zeros(1), progress)[0][0]
    counts = np.zeros((N_PARTS, head.target_column.n_values + 1), np.int64)
    counts[TRAIN, counted.codes], counts[VALIDATION, counted.codes] = counted.rows_train, counted.rows_validation
    told = with_counts(replace(head, partition=said), counts, head.origin)
    return replace(source, head=told, parts=parts)  # type: ignore[no-any-return]


def _by_key(source: Any, fold: int, n: int, seed: int) -> Parts:
    """The same by the values of the key."""
    place, whole = source.parts.place, source.parts
    if place is None or "column" in source.head.partition:
        raise InputError(tr(
            "Rows of {table} have no order by which they could be dealt out to folds: open them with a key, or prune "
            "by validation rows.", table=source.head.name))  # fmt: skip
    out = np.append(False, key_hash(source.head.columns[place], seed) % np.uint64(n) == fold)
    of_code = np.where(whole.of_code == TRAIN, np.where(out, VALIDATION, TRAIN), UNUSED)
    return Parts(place, of_code.astype(np.uint8))
