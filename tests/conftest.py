"""What all tests share: no display, no traces in the person's folders, quick and repeatable examples."""

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs

# Before Qt or numba are imported. Kernels are cached between runs beside the other caches of this checkout's user.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[variable] = tempfile.mkdtemp(prefix="espalier-test-")
if sys.dont_write_bytecode:  # or hundreds of files are compiled again in each process, so they lie beside the kernels
    sys.dont_write_bytecode, sys.pycache_prefix = False, platformdirs.user_cache_dir("espalier-tests", appauthor=False)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

import engine  # noqa: E402
import engine.runtime.compiler  # noqa: E402  (says where kernels are cached, before a test imports numba)
from engine.table import encode  # noqa: E402
from gui.picture import levels  # noqa: E402
from tests import effort  # noqa: E402
from tests.engine import added  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full",
        action="store_true",
        help="everything: all random examples, all of large grids, slow tests, ten thousand damaged files",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before the files of tests are read: how many examples each of them tries."""
    effort.full = bool(config.getoption("full"))
    settings.register_profile(
        "suite",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=effort.count(100),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("suite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is slow, unless everything is asked for."""
    if not effort.full:
        slow = [item for item in items if item.get_closest_marker("slow") is not None]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: no collection of garbage looks at it again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown() -> None:
    """Collects garbage where tests of the window have turned that off: in this thread, where Qt's objects live."""
    if not gc.isenabled():
        from gui.garbage import collect_due  # those have loaded Qt; the others need not

        collect_due()


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether this run may take long."""
    return bool(pytestconfig.getoption("full"))


@pytest.fixture(scope="session", autouse=True)
def _kernels_for_small_tables() -> None:
    """Small tables take the ways of large ones here, compiled; `test_first_answers` tests their own."""
    encode.FEW, engine.runtime.compiler.PATIENCE = 0, 0.0


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """With an empty cache the kernels are compiled once, before the processes that share the tests begin.

    With `--full` a second processor compiles those of the criterion that no file knows meanwhile: they lie in a folder
    of their own.
    A cache that is not empty is not asked for them: that would be the whole test of that criterion, once more.
    """
    with contextlib.ExitStack() as beside:
        if effort.full and not engine.runtime.compiler.compiled_before():
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            beside.enter_context(subprocess.Popen(added.COMMAND, cwd=ROOT, **quiet))
        engine.warm_up()
        levels.warm_up()
        engine.runtime.compiler.keep_compiled()
