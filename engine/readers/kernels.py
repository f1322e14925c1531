"""Where values of a fixed width are found: a table of slots, looked through from the slot that their bits name."""

import numpy as np

from engine.runtime.compiler import jit


@jit
def fill_slots(keys, places, shift, slots, found):
    """Puts each key, int64[n], with its place, uint32[n], into empty slots: int64[2^(64 - shift)], of which at least a
    half stay empty; found: uint32 of the same size, the place and 1, 0 where a slot is empty."""
    last = slots.size - 1
    for i in range(keys.size):
        slot = slot_of(keys[i], shift, last)
        while found[slot] != 0:
            slot = (slot + 1) & last
        slots[slot] = keys[i]
        found[slot] = places[i] + np.uint32(1)


@jit
def look_up(keys, shift, slots, found, places):
    """Writes the place of each key, 0 for those that are in no slot; returns how many those are."""
    last, n_lost = slots.size - 1, 0
    for i in range(keys.size):
        slot = slot_of(keys[i], shift, last)
        while slots[slot] != keys[i] and found[slot] != 0:
            slot = (slot + 1) & last
        if found[slot] == 0:
            n_lost += 1
            places[i] = 0
        else:
            places[i] = np.int64(found[slot]) - 1
    return n_lost


@jit
def slot_of(key, shift, last):
    """The first slot of a key: the highest bits of its product with 2⁶⁴ over the golden ratio (Knuth, TAOCP 3, 6.4),
    which as a signed number is that minus 2⁶⁴. last: the number of slots minus 1, bit by bit."""
    return (np.int64(key) * np.int64(-7046029254386353131) >> np.int64(shift)) & last
