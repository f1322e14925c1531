"""The tests that a criterion goes through which no file of the program knows, in a process where it is registered.

Its kernels are not those of other processes, and compiling them takes a minute and a half. So a usual run takes the
kernels as plain Python, with small tables; with `--full` they are compiled, beside the usual ones if the cache is
empty, see `tests/conftest.py`.
"""

import sys

TWINS = (  # tests of the built-in criteria against their slow twins, run with the new one instead
    "with_cubic.py",
    "growing/test_naive_tree.py::test_the_engine_grows_the_tree_of_the_twin[classes-cubic]",
    "search/test_lookahead.py::test_every_column_is_judged_as_by_brute_force",
    "growing/test_scores.py::test_a_score_is_the_gain_of_its_cut",
    "growing/test_scores.py::test_a_node_is_split_as_by_the_plain_search",
    "search/test_wide.py::test_a_tree_of_large_nodes_is_that_of_small_ones[classes-cubic]",
    "search/test_wide.py::test_candidates_of_large_nodes_are_those_of_the_tally[classes-cubic]",
    "pruning/test_growth.py::test_every_size_is_what_growing_to_that_size_makes",
    "pruning/test_growth.py::test_alpha_is_the_drop_that_is_taken_back",
)
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-x", "-p", "tests.engine.cubic"]
COMMAND = [*PYTEST, *(f"tests/engine/{name}" for name in TWINS)]
AS_PYTHON = [*PYTEST, "tests/engine/with_cubic.py"]  # with NUMBA_DISABLE_JIT=1
