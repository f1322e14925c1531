"""From floating-point values to keys of 32 bits that order them, and back.

    values    7.5  nan  2.0  7.5     (a column, row by row)
    keys      3    0    1    3       (0 = missing; `groups` and `counted` make ranks of them)

The bits of a float without its sign, its size, order like its absolute value. So the values lie on a line of whole
numbers, of which only the stretches in use are numbered: negative values by falling size, zero, positive ones by
rising size; bits at the low end that are 0 in all sizes are dropped. Whole numbers, values that were float32 and
values of like size take few bits in this way, hence few passes. `survey` finds the stretches without a branch.

    place   0 … n_negative - 1 | n_negative | n_negative + 1 …
    value   negative           | zero       | positive

Where a place takes more than 32 bits, the key is its high part, and `settle` sorts the runs of equal keys by the low
part, which is seldom more than a look: among random values hardly two share their first 32 bits.
"""

import numpy as np

from engine.runtime.compiler import jit
from engine.table.kernels.radix import FEW, KEY, ROW, insert_each, radix_sort

SINGLES, DOUBLES, STEPS = 0, 1, 2  # what keys stand for: places of float32 or of float64, or steps


@jit
def survey(bits, magnitude, infinity, facts):
    """What stretches of the line the values of a column take.

    All is reckoned in the width of the values, twice as many at a time where they are float32.

    Args:
        bits: int32 or int64 [n], the values' bits; the next two are of the same type.
        magnitude: the mask of all bits but the sign. infinity: the bits of infinity; sizes beyond are those of NaN.
        facts: int64[5], written: all sizes or-ed; the largest and the smallest size of the negative values; the same
            of the positive ones. A largest size of 0: there are none.
    """
    whole = bits.dtype.type
    zero, one = whole(0), whole(1)
    flip = whole(~magnitude)  # the sign; with it flipped, numbers compare as if they had none
    every, least, most = zero, zero, zero
    negative = magnitude  # smallest size less 1, flipped; less 1 so that zero is beyond all others
    positive = magnitude
    for row in range(bits.size):
        word = bits[row]
        word = zero if whole(word & magnitude) > infinity else word
        size = whole(word & magnitude)
        every = whole(every | size)
        signed = whole(~size) if word < zero else size  # the size, or of a negative value -1 - size
        least = signed if signed < least else least
        most = signed if signed > most else most
        below = whole(whole(signed - one) ^ flip)
        positive = below if below < positive else positive
        below = whole(whole(~signed - one) ^ flip)
        negative = below if below < negative else negative
    facts[0] = every
    facts[1] = np.int64(-1) - least if least < zero else np.int64(0)
    facts[2] = whole(whole(negative ^ flip) + one)
    facts[3] = most
    facts[4] = whole(whole(positive ^ flip) + one)


@jit
def place_of(word, magnitude, dropped, line):
    """A value's place on the line, as an uint64; see `keys_of_values`."""
    size = word & magnitude
    short = size >> dropped
    place = line[0] - short if word < 0 else line[2] + short
    return np.uint64(line[1] if size == 0 else place)


@jit
def bits_at(place, magnitude, dropped, line):
    """The bits of the value at a place, an int64; the other way round as `place_of`."""
    zero = np.uint64(line[1])
    is_negative = place < zero
    size = (line[0] - np.int64(place) if is_negative else np.int64(place) - line[2]) << dropped
    word = size | ~magnitude if is_negative else size
    return np.int64(0) if place == zero else word


@jit
def keys_of_values(bits, magnitude, infinity, dropped, line, n_low, keys):
    """Writes a key for each row: 1 + the high part of the value's place, or 0 where it is missing.

    Args:
        bits: int32 or int64 [n], the values' bits. magnitude, infinity: as for `survey`, int64.
        dropped: how many low bits of the sizes are 0.
        line: (int64, int64, int64): a negative value of size s is at line[0] - s, zero at line[1], a positive value
            at line[2] + s; modulo 2**64.
        n_low: how many bits of the place are its low part, at most 32.
        keys: uint32[n], written.
    """
    cut = np.uint64(n_low)
    for row in range(bits.size):
        word = np.int64(bits[row])
        key = (place_of(word, magnitude, dropped, line) >> cut) + np.uint64(1)
        keys[row] = np.uint32(0) if (word & magnitude) > infinity else np.uint32(key)


@jit
def value_at(place, meaning, magnitude, dropped, line, step):
    """The value at a place, a float64.

    Args:
        place: uint64. meaning: SINGLES, DOUBLES or STEPS. magnitude, dropped, line: as for `keys_of_values`.
        step: (float64, float64): the least number of steps, and how many make 1; see `steps`.
    """
    if meaning == STEPS:
        return (np.float64(place) + step[0]) / step[1]
    word = bits_at(place, magnitude, dropped, line)
    return np.float64(np.int32(word).view(np.float32)) if meaning == SINGLES else np.int64(word).view(np.float64)


@jit
def values_at(places, meaning, magnitude, dropped, line, step, out):
    """Writes the values, float64[n], at places, uint64[n]; see `value_at`."""
    for i in range(places.size):
        out[i] = value_at(places[i], meaning, magnitude, dropped, line, step)


@jit
def run_from(items, start, n):
    """Where the first run of equal keys above 0 among sorted items, from `start` on, begins; n if there is none."""
    while start < n - 1 and (items[start] >> KEY != items[start + 1] >> KEY or items[start] <= ROW):
        start += 1
    return start if start < n - 1 else n


@jit
def settle(items, n, low, n_low, spare):
    """Sorts every run of equal keys above 0 by the low parts, stable.

    Args:
        items: uint64[at least n], sorted by key. low: uint32[n], the low parts, for each item where its row part says.
        n_low: how many bits they have. spare: uint64[at least n], overwritten.
    """
    other = spare[:0]
    start = run_from(items, 0, n)
    while start < n:
        key = items[start] >> KEY
        end = start
        falls = False
        last = np.uint64(0)
        while end < n and items[end] >> KEY == key:
            at = items[end] & ROW
            part = np.uint64(low[at])
            falls |= part < last
            last = part
            spare[end - start] = (part << KEY) | at
            end += 1
        length = end - start
        if falls and length <= FEW:
            insert_each(spare, length)
            for i in range(length):
                items[start + i] = (key << KEY) | (spare[i] & ROW)
        elif falls:
            if length > other.size:
                other = np.empty(2 * length, dtype=np.uint64)
            run = radix_sort(spare, other, length, n_low)
            for i in range(length):
                items[start + i] = (key << KEY) | (run[i] & ROW)
        start = run_from(items, end, n)


@jit
def any_fraction(values):
    """Whether one of the values, float64[n], is finite and not whole; looks no further than the first such."""
    found, i = False, 0
    while i < values.size and not found:
        found = values[i] != np.floor(values[i]) and np.isfinite(values[i])
        i += 1
    return found
