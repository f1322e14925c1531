"""The distinct values of a column as a database has them, and the codes of values that arrive from there."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from engine.readers.kernels import fill_slots, look_up
from engine.readers.options import ReadOptions
from engine.readers.parquet import plain_column
from engine.readers.raw import Raw, among, text_array
from engine.readers.types import column_of, typed_column
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import Column, arranged, with_order

FEW = 16  # levels whose places a database looks up itself, which costs less than handing out texts

Slots = tuple[int, NDArray[np.int64], NDArray[np.uint32]]  # see `engine.readers.kernels.look_up`


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of a column as its database has them.

    Attributes:
        raw: those values in Arrow, without NULL and NaN.
        column: what becomes of them: its codes are those of `raw`.
        lacks: whether some row has none, or one that is missing when it is read. notes: announcements in words.
    """

    raw: Any
    column: Column
    lacks: bool
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, name: str, found: Any, options: ReadOptions = ReadOptions(), *, typed: bool = True, levels: Any = None,  # noqa: B008  (a constant)
    ) -> "Values":  # fmt: skip
        """From distinct values in Arrow, NULL and NaN among them: they become what they would in a file that is read
        whole; typed: whether they are not texts of which the types are to be found;
        levels: those that are declared, as a dictionary of Arrow."""
        found = found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
        found = found.dictionary_decode() if pa.types.is_dictionary(found.type) else found
        missing = pc.is_null(found, nan_is_null=True)
        raw = found.filter(pc.invert(missing))
        if pa.types.is_floating(raw.type):  # -0 is 0
            raw = pc.unique(pc.add(raw, pa.scalar(0.0, raw.type)))
        cells = raw if levels is None else among(raw, levels)
        plain, notes = plain_column(pa.chunked_array([cells]), name) if typed else (text_array(raw), [])
        read = typed_column(Raw(name, (name,), [plain], options, typed=typed), name, plain, distinct=True)
        column = column_of(name, read)
        if name in options.orders:
            column = with_order(column, arranged(column.levels, options.orders[name]))
        return cls(raw, column, bool(pc.any(missing).as_py() or np.any(column.codes == 0)), (*notes, *read.notes))

    @cached_property
    def ends(self) -> tuple[int, int] | None:
        """The places of the least and of the largest of the raw values that have a code, if the codes have their order
        and all values between them; None if not."""
        if pa.types.is_string(self.raw.type) or pa.types.is_large_string(self.raw.type):
            return None  # of which databases have orders of their own
        places = pc.sort_indices(self.raw).to_numpy()
        codes = self.column.codes[places].astype(np.int64)
        coded = np.flatnonzero(codes)
        if not coded.size or (np.diff(codes[coded[0] : coded[-1] + 1]) < 0).any():
            return None
        return int(places[coded[0]]), int(places[coded[-1]])

    @property
    def are_few(self) -> bool:
        """Whether a database finds the places of its values itself, see `codes_of_places`."""
        return 0 < len(self.raw) <= FEW and (pa.types.is_string(self.raw.type) or self.raw.type == pa.bool_())

    def codes(self, values: Any) -> NDArray[np.uint32]:
        """uint32[n]: the codes of values of an Arrow array; 0 is missing.

        Raises:
            InputError: a value is not among those described.
        """
        if values.type != self.raw.type:
            try:
                values = values.cast(self.raw.type)
            except pa.ArrowException as error:
                raise self._changed from error
        missing = pc.is_null(values, nan_is_null=True).to_numpy(zero_copy_only=False)
        known, found = values.filter(pa.array(~missing)) if missing.any() else values, np.zeros(len(values), np.uint32)
        keys, own = _keys(known), np.empty(len(known), np.uint32)
        if keys is None:
            places = pc.index_in(known, value_set=self.raw)
            n_lost = places.null_count
            own[:] = np.append(self.column.codes, 0)[pc.fill_null(places, -1).to_numpy()]
        else:
            n_lost = look_up(keys, *self._slots, own)
        if n_lost:
            raise self._changed
        found[~missing] = own
        return found

    def codes_of_places(self, places: Any) -> NDArray[np.uint32]:
        """uint32[n]: the codes of places in `raw` from 1 on, uint8; the place behind the last is missing.

        Raises:
            InputError: a value is not among those described, and its place is NULL.
        """
        if places.null_count:
            raise self._changed
        return np.concatenate(([0], self.column.codes, [0])).astype(np.uint32)[places.to_numpy()]

    @cached_property
    def _slots(self) -> Slots:
        """Where values of a fixed width are found; 0 is there twice, for -0 is 0."""
        keys, codes = _keys(self.raw), self.column.codes.astype(np.uint32)
        assert keys is not None
        if pa.types.is_floating(self.raw.type):
            negative = _keys(pa.array([-0.0], self.raw.type))
            assert negative is not None
            keys, codes = np.append(keys, negative), np.append(codes, codes[keys == 0] if 0 in keys else 0)
        bits = max(int(keys.size).bit_length() + 1, 4)
        slots: Slots = 64 - bits, np.zeros(1 << bits, np.int64), np.zeros(1 << bits, np.uint32)
        fill_slots(keys, codes, *slots)
        return slots

    @property
    def _changed(self) -> InputError:
        return InputError(tr(
            "Column “{name}” has values that it did not have when it was described: the data were changed "
            "meanwhile. Open them again.", name=self.column.name))  # fmt: skip


def _keys(values: Any) -> NDArray[np.int64] | None:
    """The bits of an Arrow array of numbers or times as whole numbers; None where values have no such width."""
    kind = values.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_temporal(kind)):
        return None
    if kind.bit_width > 64:
        return None
    width = kind.bit_width // 8
    if not len(values):
        return np.zeros(0, np.int64)
    own = np.frombuffer(values.buffers()[1], f"i{width}", len(values), values.offset * width)
    return own.astype(np.int64, copy=False)
