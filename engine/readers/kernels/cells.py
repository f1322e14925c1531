"""The cells of a delimited text, read row by row as numbers, or marked where they begin and end.

    text      1 2 . 5 , " r e d " \\n - 3 e 2 , b l u e \\n …
    columns   number    text
    numbers   12.5  -300.0  …               by column: the rows of one stand side by side
    begins    6     17      …               of the cells of text, which are copied out when they are known
    facts     what a column held: fractions, missing values, or something that is no plain number

A number is read in the pass that looks for the end of its cell, digit by digit, and nothing is copied on the way. Most
numbers have few enough digits that one multiplication or division by a power of ten rounds as it should (W. D.
Clinger, "How to read floating point numbers accurately", 1990). Longer ones are multiplied in twice the digits, and
where even those leave open to which side it is to be rounded (A. Ziv's test, 1991), the cell counts as odd, and
somebody else reads the column. So what is read here is always the nearest number.
"""

import numpy as np

from engine.runtime.compiler import jit

NUMBER, TEXT, SKIPPED = 0, 1, 2  # what to do with a column
ODD, FRACTION, MISSING, PRESENT = 1, 2, 4, 8  # facts about a column of numbers
RAGGED, UNCLEAR = -1, -2  # a row that does not fit; a text that is cut into cells in another way
ONE = np.uint64(1)
REACH = 270  # the largest power of ten that is looked up
DIGITS = 18  # so many always fit into an int64
NEWLINE, RETURN, QUOTE, PLUS, MINUS, ZERO, LARGE_E, SMALL_E = 10, 13, 34, 43, 45, 48, 69, 101
HALVES = 2.0**27 + 1.0  # parts a number into two of half its digits (T. J. Dekker, 1971)


@jit
def long_number(mantissa, exponent, powers):
    """The number nearest to mantissa · 10^exponent, or NaN where twice the digits do not tell.

    Args:
        mantissa: int64, 1 or more; exponent: from -REACH to REACH - DIGITS; powers: see `read_rows`.
    """
    high = np.float64(mantissa)
    low = np.float64(mantissa - np.int64(high))
    power, rest = powers[exponent + REACH, 0], powers[exponent + REACH, 1]
    product = high * power
    part = HALVES * high
    high_1 = part - (part - high)
    high_2 = high - high_1
    part = HALVES * power
    power_1 = part - (part - power)
    power_2 = power - power_1
    lost = high_2 * power_2 - (((product - high_1 * power_1) - high_2 * power_1) - high_1 * power_2)
    beyond = lost + (high * rest + low * power)
    total = product + beyond
    beyond = beyond - (total - product)
    doubt = total * 2.0**-98
    return total if total + (beyond + doubt) == total and total + (beyond - doubt) == total else np.nan


@jit
def is_token(text, begin, end, tokens, lengths):
    """Whether text[begin:end] is one of the tokens; see `read_rows`."""
    for k in range(lengths.size):
        if lengths[k] == end - begin:
            same = True
            for j in range(lengths[k]):
                same &= tokens[k, j] == text[begin + j]
            if same:
                return True
    return False


# In one piece: divided into functions it took 4.5 times as long.
@jit
def read_rows(text, end, marks, kinds, places, tokens, lengths, may_be_token, powers, numbers, begins, ends, facts):
    """The number of rows in text[:end], which ends with a line, or RAGGED or UNCLEAR; blank lines are no rows.

    A number is plain without a plus sign, without marks between thousands and without leading zeros; white space
    around it does not count.

    Args:
        text: uint8[n]. Line feeds follow on the end: at least two.
        marks: uint8[3]: what stands between cells, what between whole and fraction, and what counts as white space.
        kinds: uint8[columns], NUMBER, TEXT or SKIPPED; places: int64[columns], rows of `numbers` and of `begins`.
        tokens: uint8[m, ·], what stands for a missing value besides nothing; lengths: int64[m], of each.
        may_be_token: whether one of them may be a number.
        powers: float64[2 · REACH + 1, 2]: powers of ten from -REACH on, and what float64 leaves of them.
        numbers: float64[·, rows], written; NaN for a missing or odd one.
        begins, ends: int32[·, rows], written: where the cells of text are, without quotation marks around them; an
            end is inverted when there are doubled quotation marks before it.
        facts: uint8[columns]: bits are set.
    """
    between, point, blank = marks[0], marks[1], marks[2]
    row = 0
    i = np.uint64(0)  # unsigned, so that no index has to be looked at for counting from behind
    stopper = np.uint64(end)
    while i < stopper:
        if text[i] == NEWLINE:
            i += ONE
            continue
        if text[i] == RETURN and text[i + ONE] == NEWLINE:
            i += ONE + ONE
            continue
        for column in range(kinds.size):
            if column > 0:
                if text[i] != between:
                    return RAGGED
                i += ONE
            start = i
            quoted = text[i] == QUOTE
            kind = kinds[column]
            is_read = False
            if kind == NUMBER:
                i += np.uint64(quoted)
                while text[i] == blank:
                    i += ONE
                is_negative = text[i] == MINUS
                i += np.uint64(is_negative)
                first = i
                mantissa = np.int64(0)
                digit = np.uint8(np.int64(text[i]) - ZERO)  # 10 or more for all but digits
                while digit <= 9:
                    mantissa = 10 * mantissa + np.int64(digit)
                    i += ONE
                    digit = np.uint8(np.int64(text[i]) - ZERO)
                n_whole = np.int64(i) - np.int64(first)
                n_digits = n_whole
                exponent = 0
                is_whole = True
                if text[i] == point:
                    is_whole = False
                    i += ONE
                    behind = i
                    digit = np.uint8(np.int64(text[i]) - ZERO)
                    while digit <= 9:
                        mantissa = 10 * mantissa + np.int64(digit)
                        i += ONE
                        digit = np.uint8(np.int64(text[i]) - ZERO)
                    exponent = np.int64(behind) - np.int64(i)
                    n_digits -= exponent
                    if n_digits > DIGITS:  # zeros before the first digit are no digits
                        at = first
                        while at < i and (text[at] == ZERO or text[at] == point):
                            n_digits -= text[at] == ZERO
                            at += ONE
                        n_digits = max(n_digits, 1)
                if n_digits > 0 and (text[i] == SMALL_E or text[i] == LARGE_E):
                    is_whole = False
                    i += ONE
                    is_small = text[i] == MINUS
                    i += np.uint64(is_small or text[i] == PLUS)
                    if np.uint8(np.int64(text[i]) - ZERO) > 9:
                        n_digits = 0
                    power = 0
                    while np.uint8(np.int64(text[i]) - ZERO) <= 9:
                        power = min(10 * power + np.int64(text[i]) - ZERO, 2 * REACH)
                        i += ONE
                    exponent += -power if is_small else power
                last = i
                while text[i] == blank:
                    i += ONE
                if quoted:
                    if text[i] != QUOTE:
                        n_digits = 0
                    i += ONE
                is_read = 0 < n_digits <= DIGITS and not (n_whole > 1 and text[first] == ZERO)
                is_read &= text[i] == between or text[i] == NEWLINE or text[i] == RETURN
                if is_read and may_be_token:
                    is_read = not is_token(text, np.int64(first) - is_negative, np.int64(last), tokens, lengths)
                value = np.nan
                if is_read:
                    if mantissa < 2**53 and -22 <= exponent <= 22:
                        value = np.float64(mantissa)
                        if exponent < 0:
                            value /= powers[REACH - exponent, 0]
                        else:
                            value *= powers[REACH + exponent, 0]
                    elif mantissa > 0 and -REACH <= exponent <= REACH - DIGITS and not is_whole:
                        value = long_number(mantissa, exponent, powers)
                    value = -value if is_negative else value
                    facts[column] |= (PRESENT if is_whole else PRESENT | FRACTION) if value == value else ODD
                numbers[places[column], row] = value
            if not is_read:
                is_doubled = False
                i = start + np.uint64(quoted)
                if quoted:
                    while i < stopper:
                        if text[i] == QUOTE:
                            if text[i + ONE] != QUOTE:
                                break
                            is_doubled = True
                            i += ONE
                        i += ONE
                else:
                    while text[i] != between and text[i] != NEWLINE and text[i] != RETURN:
                        i += ONE
                begin, stop = np.int64(start) + quoted, np.int64(i)
                i += np.uint64(quoted)
                if text[i] != between and text[i] != NEWLINE and (text[i] != RETURN or text[i + ONE] != NEWLINE):
                    return UNCLEAR
                if kind == TEXT:
                    begins[places[column], row] = begin
                    ends[places[column], row] = ~stop if is_doubled else stop
                elif kind == NUMBER:
                    while begin < stop and text[begin] == blank:
                        begin += 1
                    while begin < stop and text[stop - 1] == blank:
                        stop -= 1
                    is_missing = begin == stop or is_token(text, begin, stop, tokens, lengths)
                    facts[column] |= MISSING if is_missing else ODD
        if text[i] == RETURN:
            i += ONE
            if text[i] != NEWLINE:
                return UNCLEAR
        if text[i] != NEWLINE:
            return RAGGED
        i += ONE
        row += 1
    return row if i == stopper else UNCLEAR


@jit
def copy_cells(text, begins, ends, offsets, copied):
    """Copies cells one behind the other; of doubled quotation marks one.

    Args:
        text: uint8[n]; begins, ends: int32[rows], as `read_rows` wrote them.
        offsets: int32[rows + 1], written: where each begins among the copied. copied: uint8[n], written.
    """
    size = 0
    for row in range(begins.size):
        offsets[row] = size
        begin, end = np.int64(begins[row]), np.int64(ends[row])
        if end >= 0:
            for i in range(begin, end):
                copied[size] = text[i]
                size += 1
        else:
            i = begin
            while i < ~end:
                copied[size] = text[i]
                size += 1
                i += 2 if text[i] == QUOTE else 1
    offsets[begins.size] = size
