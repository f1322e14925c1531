"""How much a run of the tests does: what somebody who changes one thing waits for, or everything (`--full`).

`examples`, `some`, `pairs` and `crossed` are asked while the files of tests are read; `tests/conftest.py` has set
`full` before that.
"""

import itertools
from collections.abc import Collection, Iterable
from typing import Any

from hypothesis import settings

SHARE = 5  # one example of so many is tried in a usual run …
LEAST = 8  # … but not fewer than these, where a test asks for as many

full = False


def count(n: int) -> int:
    """How many of `n` random examples a run tries: all of them with `--full`."""
    return n if full else max(min(n, LEAST), n // SHARE)


def examples(n: int, usual: int = 0, **others: Any) -> settings:
    """Hypothesis's settings for a test that tries `n` examples with `--full`, and in a usual run `usual` or fewer."""
    return settings(max_examples=usual if usual and not full else count(n), **others)


def some(cases: Iterable[Any], usual: int) -> list[Any]:
    """Cases that ask the same of other data: all of them with `--full`, else so many, evenly spread."""
    listed = list(cases)
    step = 1.0 if full else max(1.0, len(listed) / usual)
    return [listed[int(i * step)] for i in range(int(len(listed) / step))]


def pairs(*lists: Collection[Any]) -> list[tuple[Any, ...]]:
    """Parameters in combination: all of them with `--full`, else some, in which every two values come together."""
    cells = list(itertools.product(*map(enumerate, lists)))
    together = [{((a, i), (b, j)) for (a, (i, _)), (b, (j, _)) in itertools.combinations(enumerate(cell), 2)}
                for cell in cells]  # fmt: skip
    missing, chosen = set().union(*together), set(range(len(cells)) if full else ())
    while missing and not full:
        best = max(range(len(cells)), key=lambda k: len(together[k] & missing))
        chosen.add(best)
        missing -= together[best]
    return [tuple(value for _, value in cells[k]) for k in sorted(chosen)]


def crossed(*lists: Collection[Any]) -> list[tuple[Any, ...]]:
    """Parameters in combination: all of them with `--full`, else each value once or more, in turn with the others."""
    if full:
        return list(itertools.product(*lists))
    listed = [list(values) for values in lists]
    return [tuple(values[i % len(values)] for values in listed) for i in range(max(map(len, listed)))]
