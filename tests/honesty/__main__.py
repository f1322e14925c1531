"""`python -m tests.honesty`: every simulation of this folder, one after the other; `--quick` on a tenth of the tables.

What each is about stands in its own file. The usual sizes take about an hour of two processors.
"""

import argparse
import subprocess
import sys

SIMULATIONS = {  # by file the argument that says how many tables or trees, and the usual number
    "validation_gain": ("--tables", 300), "selection": ("--tables", 400), "noise_trees": ("--trees", 400),
    "root_columns": ("--tables", 2000), "power": ("--tables", 500), "best_leaves": ("--trees", 400),
    "disagreement": ("--trees", 2000), "probabilities": ("--tables", 40), "drift": ("--tables", 400),
    "auc_difference": ("--tables", 1000),
}  # fmt: skip


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.honesty")
    words.add_argument("--quick", action="store_true", help="a tenth of the tables")
    quick, failed = words.parse_args().quick, 0
    for name, (argument, number) in SIMULATIONS.items():
        print(f"\n== {name}", flush=True)
        said = [argument, str(number // 10 if quick else number)]
        failed += subprocess.run([sys.executable, "-m", f"tests.honesty.{name}", *said], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
