"""Damage to bytes, repeatable by a seed: what disks, networks, editors and attackers do to files."""

import io
import random
import re
import struct
import zipfile

HOW_MANY = (1, 1, 1, 2, 4)  # changes
LONGEST_RUN = 64  # bytes that one change touches, most of the time
NUMBER = re.compile(rb"\d+")
EXTREME_NUMBERS = (
    b"-1",
    b"0",
    b"99",
    b"65536",
    b"1048577",
    b"2147483648",
    b"18446744073709551616",
    b"1e999",
    b"9" * 400,
)
EXTREME_INTEGERS = (0, -1, 1, 2**7, 2**15, 2**31 - 1, -(2**31), 2**40, 2**62, 2**63 - 1, -(2**63))


def mutated(data: bytes, seed: int, other: bytes = b"") -> bytes:
    """The bytes with one to four changes, mostly one; `other` is a second file from which pieces may be taken."""
    rng = random.Random(seed)
    found = bytearray(data)
    for _ in range(rng.choice(HOW_MANY)):
        rng.choice(CHANGES)(rng, found, other or data)
    return bytes(found)


def mutated_zip(data: bytes, seed: int) -> bytes:
    """A zip file, one of whose parts is changed, or missing, before it is packed again: workbooks."""
    rng = random.Random(seed)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    chosen, other = rng.choice(list(parts)), rng.choice(list(parts))
    if rng.random() < 0.05:
        del parts[chosen]
    else:
        parts[chosen] = mutated(parts[chosen], rng.getrandbits(32), parts[other])
    return zipped(parts)


def zipped(parts: dict[str, bytes]) -> bytes:
    """A zip file of these parts."""
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    return room.getvalue()


def _place(rng: random.Random, data: bytes | bytearray) -> tuple[int, int]:
    """The beginning and the end of a run of bytes."""
    begin = rng.randint(0, len(data))
    longest = LONGEST_RUN if rng.random() < 0.8 else len(data)
    return begin, min(len(data), begin + rng.randint(1, max(1, longest)))


def _flip(rng: random.Random, data: bytearray, _: bytes) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _noise(rng: random.Random, data: bytearray, _: bytes) -> None:
    begin, end = _place(rng, data)
    data[begin:end] = rng.randbytes(end - begin)


def _cut(rng: random.Random, data: bytearray, _: bytes) -> None:
    begin, end = _place(rng, data)
    del data[begin:end]


def _cut_short(rng: random.Random, data: bytearray, _: bytes) -> None:
    del data[rng.randint(0, len(data)) :]


def _insert(rng: random.Random, data: bytearray, _: bytes) -> None:
    begin, _end = _place(rng, data)
    data[begin:begin] = rng.randbytes(rng.randint(1, LONGEST_RUN))


def _duplicate(rng: random.Random, data: bytearray, _: bytes) -> None:
    begin, end = _place(rng, data)
    data[begin:begin] = data[begin:end] * rng.choice((1, 1, 2, 50))


def _zeros(rng: random.Random, data: bytearray, _: bytes) -> None:
    begin, end = _place(rng, data)
    data[begin:end] = bytes(end - begin)


def _splice(rng: random.Random, data: bytearray, other: bytes) -> None:
    begin, end = _place(rng, data)
    first, last = _place(rng, other)
    data[begin:end] = other[first:last]


def _extreme_integer(rng: random.Random, data: bytearray, _: bytes) -> None:
    """An integer of one of the sizes in which formats keep lengths, at a place where they keep them."""
    size, letter = rng.choice(((1, "B"), (2, "H"), (4, "I"), (8, "Q")))
    if len(data) >= size:
        begin = rng.randrange(len(data) // size) * size
        data[begin : begin + size] = struct.pack(f"<{letter}", rng.choice(EXTREME_INTEGERS) % 2 ** (8 * size))


def _extreme_number(rng: random.Random, data: bytearray, _: bytes) -> None:
    """A number in words, as in XML, JSON and CSV."""
    found = NUMBER.search(data, rng.randint(0, len(data))) or NUMBER.search(data)
    if found:
        data[found.start() : found.end()] = rng.choice(EXTREME_NUMBERS)


CHANGES = (
    _flip, _flip, _noise, _cut, _cut_short, _insert, _duplicate, _zeros, _splice, _extreme_integer, _extreme_number,
)  # fmt: skip
