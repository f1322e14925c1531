"""The target of all rows of a table in the order of one column, and the best cut of that column from it.

    order     5 0 3 | 1 6 4 | 2 7      rows by ascending code, missing ones first, made once for each column
    labels    0 1 1 | 0 0 2 | 1 0      what each of them adds to: a class, a class on unseen rows, or nothing
    blocks    ends 0 3 6 8             slices of about `most` rows that part where the value changes
    stat      1 2 | 2 0 | 1 1          the classes counted in each; block 0 is the missing rows

    is_open         1                  where the ceiling of the cuts inside comes near the best score
    runs      1 2 | 1 0 : 1 0 | 1 1    an open block a few rows at a time, then, where that may hold it, value by value

To read a table row by row and count it by code is to write all over the table of counts. Here a column is read in its
own order: the rows are looked up once, one byte each, and from then on every block is a sequence of bytes. Counting
it writes nowhere but in a register. What stays for the next question, another criterion or another limit, is the
counts of the blocks, and the codes of the few rows in blocks that are opened.

Bytes: c for a training row of class c, K + c for a validation row where there are any, the number after these for rows
that do neither.
"""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit, shared

FIELDS = 7  # counts of a byte each in one number
FULL = 255  # what such a count can hold
FEW = 8  # rows that are judged together before each value is


class Blocks(NamedTuple):
    """The blocks of a column.

    labels: uint8[n_rows], by order; ends: int64[B], positions in it; single: bool[B], whether a block holds one value;
    stat: float64[B, K], the classes of the training rows; sizes: int64[B], how many those are; unseen: float64[B, K],
    the same of the validation rows, or float64[0, K].
    """

    labels: np.ndarray
    ends: np.ndarray
    single: np.ndarray
    stat: np.ndarray
    sizes: np.ndarray
    unseen: np.ndarray


@shared
@jit
def first_beyond(codes, order, limit, low, high):
    """The first position from `low` on with a code above `limit`; `high` if there is none before it."""
    while low < high:
        middle = (low + high) // 2
        if np.int64(codes[order[middle]]) <= limit:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def end_blocks(codes, order, n_missing, most, ends, single):
    """Writes where blocks end; returns how many there are. One has up to `most` rows or a single value.

    ends, single: room for 2 · n_rows / most + 3, since of two neighbouring blocks one alone may be short.
    """
    ends[0], single[0] = n_missing, True
    low, n = n_missing, 1
    while low < order.size:
        high = min(low + most, order.size)
        first, last = np.int64(codes[order[low]]), np.int64(codes[order[high - 1]])
        if high < order.size and np.int64(codes[order[high]]) == last:
            if first == last:
                high = first_beyond(codes, order, last, high, order.size)
            else:
                high = first_beyond(codes, order, last - 1, low, high)
                last = np.int64(codes[order[high - 1]])
        ends[n], single[n] = high, first == last
        low, n = high, n + 1
    return n


@jit
def count_bytes(labels, low, high, counts):
    """How often each byte stands in a slice; counts: int64[number of bytes], written.

    Few bytes are counted in one number, a field of it for each: adding 1 at a place in memory would wait for the last
    such addition to the same place.
    """
    for c in range(counts.size):
        counts[c] = 0
    if counts.size > FIELDS:
        for k in range(low, high):
            counts[labels[k]] += 1
        return
    while low < high:
        stop = min(low + FULL, high)
        fields = 0
        for k in range(low, stop):
            fields += 1 << (np.int64(labels[k]) << 3)
        for c in range(counts.size):
            counts[c] += (fields >> (c << 3)) & FULL
        low = stop


@jit
def count_blocks(order, packed, blocks):
    """Looks up the bytes of all rows, uint8[n_rows] `packed`, and counts them by block: all but `ends` and `single`."""
    labels, ends, stat, unseen = blocks.labels, blocks.ends, blocks.stat, blocks.unseen
    width, n_parts = stat.shape[1], 2 if unseen.shape[0] else 1
    counts = np.empty(n_parts * width + 1, np.int64)
    low = 0
    for b in range(ends.size):
        for k in range(low, ends[b]):
            labels[k] = packed[order[k]]
        count_bytes(labels, low, ends[b], counts)
        n = 0
        for c in range(width):
            stat[b, c] = counts[c]
            n += counts[c]
            if n_parts == 2:
                unseen[b, c] = counts[width + c]
        blocks.sizes[b] = n
        low = ends[b]


@jit
def add_line(stat, sizes, i, other, other_sizes, k):
    """Adds cell k of others to cell i."""
    sizes[i] += other_sizes[k]
    for c in range(stat.shape[1]):
        stat[i, c] += other[k, c]


@jit
def open_blocks(blocks, ceiling, floor, is_open):
    """Marks the blocks inside which a cut may score at least `floor`, bool[B]; returns how many rows stand in them."""
    ends, single = blocks.ends, blocks.single
    n = 0
    for b in range(ends.size):
        is_open[b] = ceiling[b] >= floor and not single[b]
        n += ends[b] - ends[b - 1] if is_open[b] else 0
    return n


@jit
def read_open(codes, order, ends, is_open, found):
    """Writes the codes of the rows in open blocks, int64[·], one block after the other."""
    n = 0
    for b in range(1, ends.size):
        if is_open[b]:
            for k in range(ends[b - 1], ends[b]):
                found[n] = codes[order[k]]
                n += 1


class Runs(NamedTuple):
    """Neighbouring values taken together, from line 1 on; line 0 is the missing rows.

    stat: float64[·, K]; sizes, ends: int64[·], training rows and the position after the last one; begin, first:
    int64[·], where the first one of a run inside an open block stands in the order and among the codes found; begin is
    -1 elsewhere.
    """

    stat: np.ndarray
    sizes: np.ndarray
    ends: np.ndarray
    begin: np.ndarray
    first: np.ndarray


@jit
def make_room(most, stat, sizes):
    """Room for so many runs; stat, sizes: of the cells they are made of, whose line 0 is copied."""
    runs = Runs(
        np.zeros((most + 2, stat.shape[1])), np.zeros(most + 2, np.int64), np.empty(most + 2, np.int64),
        np.empty(most + 2, np.int64), np.empty(most + 2, np.int64),
    )  # fmt: skip
    begin = runs.begin
    for i in range(begin.size):
        begin[i] = -1
    add_line(runs.stat, runs.sizes, 0, stat, sizes, 0)
    return runs


@jit
def add_values(runs, run, least, labels, low, high, found, n):
    """Adds the training rows at positions low..high - 1, ending a run where the value changes after `least` rows.

    found: int64[·], codes, from place n on of these rows. Returns the number of the run that is open at the end.
    """
    stat, sizes, ends, begin, first = runs.stat, runs.sizes, runs.ends, runs.begin, runs.first
    width = stat.shape[1]
    for k in range(low, high):
        if sizes[run] >= least and found[n] != found[n - 1]:
            ends[run] = k
            run += 1
        label = np.int64(labels[k])
        if label < width:
            if sizes[run] == 0:
                begin[run], first[run] = k, n
            stat[run, label] += 1.0
            sizes[run] += 1
        n += 1
    return end_run(runs, run, high)


@jit
def end_run(runs, run, at):
    """Ends a run at a position, unless it is empty; returns the number of the run that is open then."""
    runs.ends[run] = at
    return run + 1 if runs.sizes[run] > 0 else run


@jit
def coarse_runs(blocks, score, floor, is_open, found):
    """(runs, their number with line 0): closed blocks melt up to every cut of at least the score `floor`, open ones are
    divided where the value changes after FEW rows.

    score: float64[B], of the cut after each block; found: int64[·], the codes in open blocks.
    """
    block_stat, sizes, ends = blocks.stat, blocks.sizes, blocks.ends
    most = found.size // FEW
    for b in range(ends.size):
        most += 2 * np.int64(is_open[b]) + np.int64(score[b] >= floor)
    runs = make_room(most, block_stat, sizes)
    run, n, run_stat, run_sizes = 1, 0, runs.stat, runs.sizes
    for b in range(1, ends.size):
        if is_open[b]:
            run = end_run(runs, run, ends[b - 1])
            run = add_values(runs, run, FEW, blocks.labels, ends[b - 1], ends[b], found, n)
            n += ends[b] - ends[b - 1]
            continue
        add_line(run_stat, run_sizes, run, block_stat, sizes, b)
        if score[b] >= floor:
            run = end_run(runs, run, ends[b])
    return runs, end_run(runs, run, blocks.labels.size)


@jit
def fine_runs(labels, coarse, n_coarse, score, ceiling, floor, found):
    """The same once more, from runs that were judged to the single values in those that may hold the best cut.

    score, ceiling: float64[at least n_coarse].
    """
    stat, sizes, ends, begin, first = coarse.stat, coarse.sizes, coarse.ends, coarse.begin, coarse.first
    most = 0
    for i in range(1, n_coarse):
        if begin[i] >= 0 and ceiling[i] >= floor:
            most += ends[i] - begin[i] + 1
        else:
            most += np.int64(score[i] >= floor)
    runs = make_room(most, stat, sizes)
    run, run_stat, run_sizes = 1, runs.stat, runs.sizes
    for i in range(1, n_coarse):
        if begin[i] >= 0 and ceiling[i] >= floor:
            run = end_run(runs, run, ends[i - 1])
            run = add_values(runs, run, 1, labels, begin[i], ends[i], found, first[i])
            continue
        add_line(run_stat, run_sizes, run, stat, sizes, i)
        if score[i] >= floor:
            run = end_run(runs, run, ends[i])
    return runs, end_run(runs, run, labels.size)


@jit
def beside(labels, at, n_classes):
    """The positions of the last training row before a position and of the first one from it on, -1 for none."""
    low, high = at - 1, at
    while low >= 0 and np.int64(labels[low]) >= n_classes:
        low -= 1
    while high < labels.size and np.int64(labels[high]) >= n_classes:
        high += 1
    return low, (high if high < labels.size else -1)


@jit
def count_unseen(blocks, at, counted):
    """Counts the validation rows.

    counted: float64[3, K], written: those with a value before position `at`, with one from there on, and the missing.
    """
    ends, unseen, width = blocks.ends, blocks.unseen, counted.shape[1]
    counts = np.empty(2 * width + 1, np.int64)
    for c in range(width):
        counted[0, c], counted[1, c], counted[2, c] = 0.0, 0.0, unseen[0, c]
    for b in range(1, ends.size):
        low, high = ends[b - 1], ends[b]
        if low < at < high:
            count_bytes(blocks.labels, low, at, counts)
            for c in range(width):
                counted[0, c] += counts[width + c]
                counted[1, c] += unseen[b, c] - counts[width + c]
        else:
            side = np.int64(low >= at)
            for c in range(width):
                counted[side, c] += unseen[b, c]
