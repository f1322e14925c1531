"""The kernels without the compiler: the same figures, and no index or unsigned sum that goes astray unseen."""

import os
import subprocess
import sys

from tests.conftest import ROOT


def small_round(**variables: str) -> str:
    """What `tests.engine.small_round` prints in a process of its own."""
    command = [sys.executable, "-W", "error", "-m", "tests.engine.small_round"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_plain_python_finds_what_the_compiled_kernels_find():
    plain, compiled = small_round(NUMBA_DISABLE_JIT="1"), small_round()
    assert len(plain) > 1000
    assert plain == compiled
