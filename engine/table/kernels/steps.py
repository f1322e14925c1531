"""Values that are whole numbers of a decimal step: years, counts, prices in cents.

    values   12.05   nan   -0.5   12.05      step 1/100
    steps    1205    nan   -50    1205       rint(value * 100), and steps / 100 is the value again, to the bit
    key      1256    0     1      1256       1 + steps above the least; 0 = missing

As floating-point numbers they use all of their bits; as steps few, and a sort takes few passes. A number written
with two decimals is the one nearest to steps / 100, and division rounds to the nearest: so nothing is lost where every
value comes back, which `come_back` sees. One reading, no branch but between blocks.
"""

import numpy as np

from engine.runtime.compiler import jit

BLOCK = 4096  # values between two looks whether all have come back


@jit
def come_back(values, scale):
    """Whether every value, float64[n], is a whole number of steps, of which `scale` make 1, or missing."""
    for start in range(0, values.size, BLOCK):
        lost = 0
        for row in range(start, min(start + BLOCK, values.size)):
            value = values[row]
            lost += np.int64((np.rint(value * scale) / scale != value) & (value == value))
        if lost > 0:
            return False
    return True


@jit
def keys_of_steps(values, scale, least, keys):
    """Writes a key for each row, uint32[n]: 1 + its steps above the least, or 0 where it is missing."""
    for row in range(values.size):
        value = values[row]
        is_missing = value != value
        above = 0.0 if is_missing else np.rint(value * scale) - least
        keys[row] = np.uint32(0) if is_missing else np.uint32(np.int64(above) + np.int64(1))
