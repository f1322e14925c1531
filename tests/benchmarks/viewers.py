"""`python -m tests.benchmarks.viewers`: Espalier's canvas beside other viewers of trees, on the same trees.

Cards and streams, Orange's Tree Viewer, scikit-learn's plot_tree and dtreeviz show trees of 99, 999 and 9,999 nodes,
each in a process of its own, in pictures of 1600 × 1000 pixels without a display:

* building: from the fitted tree to the first painted picture, in a viewer that has shown a tree of 3 nodes before;
* whole: one repaint of the fitted picture, nothing kept of the last one;
* near: the same at the zoom at which all words can be read, the median of nine places in the tree;
* memory: what the process holds afterwards beyond what it held before, unshared; less than 1 MB is not told apart.

Orange needs another binding of Qt than ours, so peers may stand in an environment of their own:
`python -m venv peers && peers/bin/pip install -e '.[viewers]'`, then `--python peers/bin/python`. dtreeviz also needs
Graphviz's program `dot`. What is missing is said.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks import ROOT
from tests.benchmarks.measuring import Others

SIZES = (99, 999, 9_999)
TITLES = {
    "cards": "Espalier, cards", "streams": "Espalier, streams", "orange": "Orange's Tree Viewer",
    "plot_tree": "plot_tree", "dtreeviz": "dtreeviz",
}  # fmt: skip
OURS = ("cards", "streams")
STEPS = {"build": "building", "whole": "whole", "near": "near", "memory": "memory"}
NEVER = {
    ("plot_tree", "near"): "its letters follow no zoom", ("dtreeviz", "whole"): "a file, painted by others",
    ("dtreeviz", "near"): "a file, painted by others",
}  # fmt: skip
LARGE, AIM = 999, 10.0  # from so many nodes on so many times ahead
LIMIT = 120.0
BUSY = 0.5  # processors; beyond that seconds of processors are printed, too
LEAST_BYTES = 2**20  # less finds room in what was free before


class Found:
    """What one process has told.

    Attributes:
        steps: by name, what `viewer_child` tells.
        late: the step that took longer than the limit; empty when none did.
        failed: what its process said last when it fell over; else empty.
    """

    def __init__(self) -> None:
        self.steps: dict[str, dict[str, Any]] = {}
        self.late = self.failed = ""

    def figure(self, step: str, kind: str) -> float | None:
        """Seconds, or bytes of memory; None when it is not known."""
        told = self.steps.get(step, {})
        found = told.get("uss") if step == "memory" else told.get(kind)
        return None if found is None else max(float(found), LEAST_BYTES if step == "memory" else 1e-6)


def shown(name: str, nodes: int, python: str, limit: float) -> Found:
    """One viewer and one tree, no step for longer than the limit."""
    found = Found()
    with tempfile.TemporaryFile("w+") as told, tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(
            [python, "-m", "tests.benchmarks.viewer_child", name, str(nodes)], cwd=ROOT, stdout=told, stderr=said,
            env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}, start_new_session=True,
        )  # fmt: skip
        last = time.monotonic()
        while child.poll() is None and not found.late:
            time.sleep(0.1)
            before = len(found.steps)
            _read(told, found)
            if len(found.steps) > before:
                last = time.monotonic()
            elif "ready" in found.steps and time.monotonic() - last > limit:
                found.late = next(step for step in STEPS if step not in found.steps)
                _end(child)
        code = child.wait()
        _read(told, found)
        said.seek(0)
        if code and not found.late:
            found.failed = (said.read().strip().splitlines() or [f"exit code {code}"])[-1]
    return found


def _read(told: Any, found: Found) -> None:
    told.seek(0)
    whole = told.read()
    for line in whole[: whole.rfind("\n") + 1].splitlines():
        if line.startswith('{"step"'):
            step = json.loads(line)
            found.steps[step["step"]] = step


def _end(child: subprocess.Popen[str]) -> None:
    """Ends a process of ours, and those that it has begun where the system can tell them."""
    if hasattr(os, "killpg"):
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()


def cell(found: Found, name: str, step: str, ours: Found, kind: str, limit: float) -> str:
    """A figure and how many times Espalier's it is."""
    own = ours.figure(step, kind)
    if (name, step) in NEVER:
        return "–"
    if "missing" in found.steps:
        return "missing"
    value = found.figure(step, kind)
    if value is None and found.late and list(STEPS).index(step) >= list(STEPS).index(found.late):
        ratio = f" (> {limit / own:,.0f} ×)" if own and step == found.late else ""
        return f"> {limit:.0f} s{ratio}" if step == found.late else "not reached"
    if value is None:
        return "failed" if found.failed else "not known"
    text = _megabytes(value) if step == "memory" else _seconds(value)
    more = "> " if step == "memory" and own == LEAST_BYTES else ""
    return text if name in OURS or not own or text == "< 1 MB" else f"{text} ({more}{value / own:,.1f} ×)"


def _megabytes(value: float) -> str:
    return f"{value / 2**20:,.1f} MB" if value > LEAST_BYTES else "< 1 MB"


def _seconds(value: float) -> str:
    return f"{value:,.1f} s" if value >= 9.95 else f"{value:.2f} s" if value >= 0.995 else f"{1000 * value:,.1f} ms"


def table(results: dict[str, Found], nodes: int, kind: str, limit: float) -> list[str]:
    """The lines of one size; ratios are those to Espalier's cards."""
    rows = [[f"{nodes:,} nodes", *STEPS.values()]]
    rows += [
        [TITLES[name], *(cell(found, name, step, results["cards"], kind, limit) for step in STEPS)]
        for name, found in results.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def behind(results: dict[str, Found], nodes: int, kind: str) -> list[str]:
    """Where a peer is not as far behind as it should be, of both of our pictures."""
    found = []
    for ours in (name for name in OURS if name in results):
        for name, peer in results.items():
            for step, words in STEPS.items():
                own, value = results[ours].figure(step, kind), peer.figure(step, kind)
                aim = AIM if nodes >= LARGE else 1.0
                unknown = step == "memory" and value == LEAST_BYTES  # as small as ours, or smaller
                if name not in OURS and own and value and value < aim * own and not unknown:
                    found.append(f"{nodes:,} nodes, {words}: {TITLES[name]} takes {value / own:.1f} × {TITLES[ours]}, "
                                 f"not {aim:.0f} ×")  # fmt: skip
    return found


def notes(results: dict[str, Found], nodes: int) -> list[str]:
    """What is missing, what fell over, and whether all trees were the same."""
    said = [f"{TITLES[name]} is left out: {found.steps['missing']['what']}."
            for name, found in results.items() if "missing" in found.steps]  # fmt: skip
    said += [f"{TITLES[name]}, {nodes:,} nodes, failed: {found.failed}"
             for name, found in results.items() if found.failed]  # fmt: skip
    digests = {found.steps["ready"]["digest"] for found in results.values() if "ready" in found.steps}
    return [*said, f"The trees of {nodes:,} nodes are not the same: no ratio is one."] if len(digests) > 1 else said


def report(names: list[str], sizes: list[int], python: str, limit: float, kind: str) -> None:
    """Measures and prints."""
    told: list[str] = []
    missed: list[str] = []
    for nodes in sizes:
        results, others = {}, Others()
        for name in names:
            print(f"{TITLES[name]}, {nodes:,} nodes", file=sys.stderr, flush=True)
            results[name] = shown(name, nodes, sys.executable if name in OURS else python, limit)
        print("\n".join(table(results, nodes, kind, limit)))
        busy = others.busy() or 0.0
        if busy > BUSY and kind == "wall":
            print(f"Other programs kept {busy:.1f} processors busy; in seconds of processors:")
            print("\n".join(table(results, nodes, "cpu", limit)))
        print(flush=True)
        told += notes(results, nodes)
        missed += behind(results, nodes, kind)
    versions = [f"{TITLES[name]} {found.steps['begun']['version']}".strip()
                for name, found in results.items() if "begun" in found.steps and name not in OURS]  # fmt: skip
    print(f"In brackets: how many times Espalier's cards. {', '.join(versions)}. – : {_reasons()}.")
    print("\n".join(dict.fromkeys(told)))
    print("Not met:\n  " + "\n  ".join(missed) if missed else "All aims are met.")


def _reasons() -> str:
    reasons: dict[str, str] = {TITLES[name]: why for (name, _), why in NEVER.items()}
    return "; ".join(f"{name}: {why}" for name, why in reasons.items())


def main(arguments: list[str] | None = None) -> None:
    """Reads what is asked."""
    words = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.viewers", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    words.add_argument("--python", default=sys.executable, help="the Python that has the peers")
    words.add_argument("--only", nargs="+", choices=list(TITLES), default=list(TITLES), help="some of the viewers")
    words.add_argument("--nodes", nargs="+", type=int, default=list(SIZES), metavar="N", help="odd numbers")
    words.add_argument("--limit", type=float, default=LIMIT, help="seconds that a step may take")
    words.add_argument(
        "--cpu", action="store_true", help="only seconds of processors, which a busy machine spoils less"
    )
    said = words.parse_args(arguments)
    names = list(dict.fromkeys(["cards", *said.only]))
    # Not resolved: the Python of an environment is a link, and by its own name it finds its packages.
    python = os.path.abspath(said.python) if Path(said.python).exists() else said.python
    report(names, said.nodes, python, said.limit, "cpu" if said.cpu else "wall")


if __name__ == "__main__":
    main()
