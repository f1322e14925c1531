"""What a piece of a text may hold, seen from its bytes alone, thirty or more of them in one step.

    bytes    … 1 , 0 . 5 \\n " a …
    marks                    x     quotation marks: odd or even
    lines                x         line ends

Every fact is one bit that all bytes are or-ed into, without a branch, and the bytes are in the cache when they are
looked at; so this costs less than copying them out of the file.
"""

import numpy as np

from engine.runtime.compiler import jit

NEWLINE, QUOTE = 10, 34
STRIDE = 128  # bytes whose line ends one byte can count


@jit
def glance(text, facts):
    """Looks at uint8[n].

    Args:
        facts: int64[3], written: all bytes or-ed; whether there is a NUL; whether quotation marks are odd in number.
    """
    every, nul, odd = np.int8(0), np.int8(0), np.int8(0)  # as wide as a byte, so that one step takes many
    for i in range(text.size):
        byte = text[i]
        every = np.int8(every | np.int8(byte))
        nul = np.int8(nul | np.int8(byte == 0))
        odd = np.int8(odd ^ np.int8(byte == QUOTE))
    facts[0] = np.int64(every) & 0xFF
    facts[1] = nul
    facts[2] = odd


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
def last_line_end(text):
    """How many bytes of uint8[n] there are up to the last line feed outside of quotation marks; 0 without one."""
    odd = np.int8(0)
    for i in range(text.size):
        odd = np.int8(odd ^ np.int8(text[i] == QUOTE))
    inside = np.int64(odd)
    end = text.size
    while end > 0:
        byte = text[end - 1]
        if byte == NEWLINE and inside == 0:
            return end
        inside = 1 - inside if byte == QUOTE else inside
        end -= 1
    return end
