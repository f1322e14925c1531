"""`python -m tests.benchmarks [--long]`."""

import argparse

from tests.benchmarks import growth

parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measures growing beside scikit-learn.")
parser.add_argument("--long", action="store_true", help="also a full tree on 1,000,000 rows")
growth.report(growth.CASES + (growth.LONG_CASES if parser.parse_args().long else ()))
