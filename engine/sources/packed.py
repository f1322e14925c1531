"""Columns of some rows as bytes, in which Spark keeps them: distinct values, and of each row the place of its own.

Where most rows have a value of their own, the values stay as they are: places would only add to their bytes.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.readers.values import Values
from engine.table.encode import code_type

BYTES = 1 << 24  # of Arrow, from which on rows are packed: 100,000 rows of 20 numbers
VALUES = 1 << 17  # distinct ones that are sent at once


def portions(batches: Iterable[Any]) -> Iterator[Any]:
    """The same rows as tables of Arrow that are large enough to be packed."""
    some = list[Any]()
    for batch in batches:
        some.append(batch)
        if sum(one.nbytes for one in some) >= BYTES:
            yield pa.Table.from_batches(some)
            some = []
    if some:
        yield pa.Table.from_batches(some)


def packed(column: Any) -> bytes:
    """An array of Arrow as bytes."""
    coded = column.dictionary_encode("encode")
    n = len(coded.dictionary)
    if n > len(column) // 2:
        return _written(column)
    places = coded.indices.cast(pa.from_numpy_dtype(code_type(n)))
    return _written(pa.DictionaryArray.from_arrays(places, coded.dictionary))


def unpacked(found: bytes) -> Any:
    """The array, of a dictionary of Arrow where values have places; of bytes of Python, which lie where kernels ask for
    numbers to lie."""
    return pa.ipc.open_stream(found).read_next_batch().column(0)


def values_of(column: Any) -> Any:
    """The values of an unpacked array, each of them at least once."""
    return column.dictionary if pa.types.is_dictionary(column.type) else column


def codes_of(column: Any, values: Values, rows: NDArray[np.uint32] | None = None) -> NDArray[np.uint32]:
    """uint32[n]: the codes of an unpacked array, or of these rows of it.

    Raises:
        InputError: a value is not among those described.
    """
    if not pa.types.is_dictionary(column.type):
        return values.codes(column if rows is None else column.take(pa.array(rows)))
    places = column.indices.to_numpy()
    places = places if rows is None else places.take(rows, mode="clip")  # which has numpy check nothing
    return values.codes(column.dictionary).take(places, mode="clip")


class Distinct:
    """The distinct values of a column, whose parts are merged as they come."""

    def __init__(self) -> None:
        self._merged, self._new, self._n_new = list[Any](), list[Any](), 0

    def add(self, values: Any) -> None:
        """Adds an array; all are of one type."""
        self._new.append(values)
        self._n_new += len(values)
        if self._n_new >= max(VALUES, sum(map(len, self._merged))):  # so each value is merged a few times at most
            self._merged, self._new, self._n_new = [self.values], [], 0

    @property
    def values(self) -> Any:
        """An array of those that were added, each once."""
        return pa.concat_arrays([*self._merged, *self._new] or [pa.nulls(0)]).unique()

    def packed(self) -> Iterator[bytes]:
        """The same, some of them at a time."""
        values = self.values
        for start in range(0, len(values), VALUES):
            yield _written(values.slice(start, VALUES))


def _written(array: Any) -> bytes:
    batch, out = pa.record_batch([array], names=["values"]), pa.BufferOutputStream()
    with pa.ipc.new_stream(out, batch.schema) as stream:
        stream.write_batch(batch)
    written: bytes = out.getvalue().to_pybytes()
    return written
