"""What all tests share: no display, no traces in the person's folders, quick and repeatable examples."""

import os
import tempfile
from pathlib import Path

# Before Qt or numba are imported. Kernels are cached between runs beside the other caches of this checkout's user.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[variable] = tempfile.mkdtemp(prefix="espalier-test-")

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

import engine  # noqa: E402
import engine.runtime.compiler  # noqa: E402  (says where kernels are cached, before a test imports numba)
from gui.picture import warming  # noqa: E402

settings.register_profile(
    "suite", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="also what takes long: ten thousand damaged files, not hundreds"
    )


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether this run may take long."""
    return bool(pytestconfig.getoption("full"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """With an empty cache the kernels are compiled once, before the processes that share the tests begin."""
    engine.warm_up()
    warming.warm_up()
