"""What a piece of a text may hold, seen from its bytes alone, thirty or more of them in one step.

    bytes    … 1 , 0 . 5 \\n 0 1 " …
    zeros          x        x         a 0 at which a cell may begin, and something from 0 on behind it: only the second
    marks                       x     quotation marks: odd or even
    lines                 x           line ends

Every fact is one bit that all bytes are or-ed into, without a branch, and the bytes are in the cache when they are
looked at; so this costs less than copying them out of the file. It errs on one side only: what shows nothing here holds
nothing, and what shows something is looked at closely elsewhere.
"""

import numpy as np

from engine.kernels import jit

NEWLINE, RETURN, QUOTE, LAST_MARK, ZERO = 10, 13, 34, 45, 48
STRIDE = 128  # bytes whose line ends one byte can count


@jit
def glance(text, delimiter, facts):
    """Looks at the bytes from the third to the last but one, knowing their neighbours; of those behind only `facts[0]`.

    Args:
        text: uint8[n], n > 3. delimiter: uint8.
        facts: int64[6], written: all bytes from the fourth on or-ed; whether there is a NUL; a carriage return; a
            quotation mark; an odd number of those; a zero that may begin a cell with a digit behind it.
    """
    n = text.size - 3
    before, here, after = text[1 : n + 1], text[2 : n + 2], text[3 : n + 3]
    every, nul, back = np.int8(0), np.int8(0), np.int8(0)  # as wide as a byte, so that one step takes many
    quotes, odd, zeros = np.int8(0), np.int8(0), np.int8(0)
    for i in range(n):
        byte = here[i]
        is_quote = np.int8(byte == QUOTE)
        may_begin = np.int8(before[i] <= LAST_MARK) | np.int8(before[i] == delimiter)
        every = np.int8(every | np.int8(after[i]))
        nul = np.int8(nul | np.int8(byte == 0))
        back = np.int8(back | np.int8(byte == RETURN))
        quotes = np.int8(quotes | is_quote)
        odd = np.int8(odd ^ is_quote)
        zeros = np.int8(zeros | (np.int8(byte == ZERO) & may_begin & np.int8(after[i] >= ZERO)))
    facts[0] = np.int64(every) & 0xFF
    facts[1] = nul
    facts[2] = back
    facts[3] = quotes
    facts[4] = odd
    facts[5] = zeros


@jit
def count_lines(text):
    """How many line feeds there are in uint8[n]."""
    count = np.int64(0)
    whole = text.size // STRIDE
    for k in range(whole):
        stride = text[STRIDE * k : STRIDE * k + STRIDE]
        found = np.uint8(0)
        for i in range(STRIDE):
            found = np.uint8(np.int64(found) + np.int64(stride[i] == NEWLINE))
        count += np.int64(found)
    for i in range(STRIDE * whole, text.size):
        count += np.int64(text[i] == NEWLINE)
    return count


@jit
def largest_size(bits, magnitude, infinity, facts):
    """The largest size of numbers and how many are NaN, from their bits.

    Args:
        bits: int64[n], the bits of float64. magnitude: the mask of all bits but the sign. infinity: its bits.
        facts: int64[2], written: the bits of the largest size of those that are numbers; the number of NaN.
    """
    most = np.int64(0)
    lost = np.int64(0)
    for row in range(bits.size):
        size = bits[row] & magnitude
        is_lost = size > infinity
        lost += np.int64(is_lost)
        size = np.int64(0) if is_lost else size
        most = size if size > most else most
    facts[0] = most
    facts[1] = lost
