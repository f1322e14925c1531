"""A criterion that is registered goes everywhere, as the built-in ones do; where it cannot, it fails loudly."""

import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest

import engine
from engine.criteria import GINI, register
from engine.criteria.criterion import ROWS
from tests.conftest import ROOT

TESTS = "tests/engine"
TWINS = (  # tests of the built-in criteria against their slow twins, run with the new one instead
    "with_cubic.py",
    "test_naive_tree.py::test_the_engine_grows_the_tree_of_the_twin[classes-cubic]",
    "test_lookahead.py::test_every_column_is_judged_as_by_brute_force",
    "test_scores.py::test_a_score_is_the_gain_of_its_cut",
    "test_scores.py::test_a_node_is_split_as_by_the_plain_search",
    "test_wide.py::test_a_tree_of_large_nodes_is_that_of_small_ones[classes-cubic]",
    "test_wide.py::test_candidates_of_large_nodes_are_those_of_the_tally[classes-cubic]",
    "test_growth.py::test_every_size_is_what_growing_to_that_size_makes",
    "test_growth.py::test_alpha_is_the_drop_that_is_taken_back",
)


def test_one_that_no_file_knows_goes_through_everything():
    asked = [sys.executable, *["-m", "pytest", "-q", "-n", "0", "-x", "-p", "tests.engine.cubic"]]
    done = subprocess.run([*asked, *(f"{TESTS}/{name}" for name in TWINS)], cwd=ROOT, capture_output=True, text=True)
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
