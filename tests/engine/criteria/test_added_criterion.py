"""A criterion that is registered goes everywhere, as the built-in ones do; where it cannot, it fails loudly."""

import os
import subprocess
from dataclasses import replace

import pandas as pd
import pytest

import engine
from engine.criteria import GINI, register
from engine.criteria.criterion import ROWS
from tests.conftest import ROOT
from tests.engine.added import AS_PYTHON, COMMAND


def test_one_that_no_file_knows_goes_through_everything(full):
    command, more = (COMMAND, {}) if full else (AS_PYTHON, {"NUMBA_DISABLE_JIT": "1"})
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **more}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_it_has_to_come_before_the_kernels_and_under_a_name_of_its_own():
    engine.Table.from_frame(pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), target="y")
    with pytest.raises(RuntimeError, match="before the first table"):
        register(replace(GINI, name="late"))
    with pytest.raises(ValueError, match="already"):
        register(GINI)
    with pytest.raises(ValueError, match="not concave"):
        register(replace(GINI, name="purity", impurity=lambda stat, total: (stat[0] ** 2 + stat[1] ** 2) / total**2))
    with pytest.raises(ValueError, match="counts"):
        register(replace(GINI, name="rows", statistic=ROWS))
