"""Where numbers of a delimited text are written as codes: "007" would be 7, and the zeros lost.

    text    7 , " 0 0 7 " , 0 . 5 \\n 0 1 , …
    column  0 | 1         | 2      | 0   | …
    flags   1   1           0              a cell of columns 0 and 1 begins with 0 and another digit

One walk over the bytes, cell by cell and without copying one. It knows the quotation marks of CSV as Arrow's parser
does: they count only at the beginning of a cell, and two of them inside are one.
"""

from engine.kernels import jit

QUOTE, NEWLINE, RETURN, SPACE, TAB = 34, 10, 13, 32, 9
PLUS, MINUS, ZERO, NINE, SMALL_X, LARGE_X = 43, 45, 48, 57, 120, 88


@jit
def find_padded(text, delimiter, flags):
    """Sets flags[column] where a cell begins with 0 and a digit or an x, perhaps behind spaces and a sign.

    Args:
        text: uint8[n], the rows of values; delimiter: its code; flags: uint8[columns], zeroed. Cells beyond the last
        column count for it.
    """
    n = text.size
    column = 0
    begin = 0
    while begin < n:
        at = begin
        end = begin
        if text[begin] == QUOTE:
            at = begin + 1
            end = at
            while end < n:
                if text[end] == QUOTE:
                    if end + 1 >= n or text[end + 1] != QUOTE:
                        break
                    end += 1
                end += 1
            end += 1
        while at < n and (text[at] == SPACE or text[at] == TAB) and text[at] != delimiter:
            at += 1
        if at < n and (text[at] == PLUS or text[at] == MINUS):
            at += 1
        if at + 1 < n and text[at] == ZERO:
            following = text[at + 1]
            if ZERO <= following <= NINE or following in (SMALL_X, LARGE_X):
                flags[column] = 1
        while end < n and text[end] != delimiter and text[end] != NEWLINE and text[end] != RETURN:
            end += 1
        column = min(column + 1, flags.size - 1) if end < n and text[end] == delimiter else 0
        begin = end + 1
