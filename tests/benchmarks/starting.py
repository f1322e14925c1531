"""What a start costs: compiling all kernels, loading them, and the window beside a bare one with the same imports.

Every figure is of a fresh process.
"""

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from tests.benchmarks import ROOT

WARM_UP = """
import json, time
begin = time.perf_counter()
import engine
from gui.picture import levels
engine.warm_up()
levels.warm_up()
print(json.dumps([time.perf_counter() - begin, time.process_time()]))
"""
STARTS = 5


def compiling() -> dict[str, Any]:
    """Seconds of all kernels: compiled into an empty folder, and loaded from it."""
    seconds: dict[str, list[float]] = {}
    cpu: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        for step in ("compile", "load", "load", "load"):
            done = subprocess.run(
                [sys.executable, "-c", WARM_UP], cwd=ROOT, env={**os.environ, "NUMBA_CACHE_DIR": folder}, check=True,
                capture_output=True, text=True,
            )  # fmt: skip
            wall, own = json.loads(done.stdout.splitlines()[-1])
            seconds.setdefault(step, []).append(wall)
            cpu.setdefault(step, []).append(own)
    return {"seconds": seconds, "cpu": cpu}


def window() -> dict[str, Any]:
    """Seconds from the start of the process until the window is painted, and of a bare one with the same imports."""
    from tests.benchmarks.window import BARE, OURS, start

    cases = {"window": OURS, "bare": BARE.format(imports=start(OURS)[2])}
    seconds: dict[str, list[float]] = {case: [] for case in cases}
    cpu: dict[str, list[float]] = {case: [] for case in cases}
    for _ in range(STARTS):
        for case, code in cases.items():
            wall, own, _imports = start(code)
            seconds[case].append(wall)
            cpu[case].append(own)
    return {"seconds": seconds, "cpu": cpu}
