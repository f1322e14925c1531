"""One process with Java in it that answers for many trees: starting it takes longer than all the rows of one."""

import atexit
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from engine.formats import pmml
from engine.formats.rows_to_check import Answers
from engine.table.table import Table
from engine.tree.tree import Tree

WORKER = """
import contextlib, os, sys

asking = sys.argv[1]
for folder in sys.stdin:
    os.chdir(folder.rstrip("\\n"))
    with open("said", "w", encoding="utf-8") as said, contextlib.redirect_stdout(said):
        exec(asking, {})
    print("done", flush=True)
"""


@cache
def _worker() -> "subprocess.Popen[str]":
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, pmml.ASKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(worker.kill)
    return worker


def run(content: str, tree: Tree, table: Table) -> Answers:
    """As `engine.formats.pmml.run`.

    Raises:
        RuntimeError: the document is wrong; what Java said stands on the screen.
    """
    version, worker = pmml.evaluator(), _worker()
    assert worker.stdin is not None and worker.stdout is not None
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        for name, text in pmml.asked(content, tree, table).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        print(folder, file=worker.stdin, flush=True)
        if worker.stdout.readline() != "done\n":
            _worker.cache_clear()
            raise RuntimeError("The process that runs PMML ended.")
        return pmml.answered(Path(folder, "said").read_bytes(), tree, version)
