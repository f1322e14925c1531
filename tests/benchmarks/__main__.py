"""`python -m tests.benchmarks`: measures what is not yet measured, and prints the table."""

import argparse
import sys
from pathlib import Path

from tests.benchmarks import report
from tests.benchmarks.cache import Cache, usual_path
from tests.benchmarks.cells import all_cells
from tests.benchmarks.running import Measurer, can_run

words = argparse.ArgumentParser(
    prog="python -m tests.benchmarks",
    description="Measures Espalier beside scikit-learn, LightGBM, XGBoost and obliquetree on the same arrays, with two "
    "threads, and prints medians and ratios. Every cell is kept when it is done: stop it, and start it again.",
)
words.add_argument("--only", metavar="WORD", action="append", default=[], help="only cells with this word (see --list)")
words.add_argument("--long", action="store_true", help="also 10,000,000 rows")
words.add_argument("--list", action="store_true", help="name the cells and which of them are measured already")
words.add_argument("--fresh", action="store_true", help="forget the chosen cells and measure them anew")
words.add_argument("--disturbed", action="store_true", help="measure cells anew while which others used the machine")
words.add_argument(
    "--markdown", action="store_true", help="print the tables of FIGURES.md from what is measured; measure nothing"
)
words.add_argument(
    "--cpu", action="store_true", help="print seconds of all processors, which a busy machine spoils less"
)
words.add_argument("--cache", metavar="FILE", type=Path, default=usual_path(), help="where results are kept")
words.add_argument("--limit", metavar="SECONDS", type=float, default=1800.0, help="the most that a cell may take")


def main(arguments: list[str] | None = None) -> int:
    chosen = words.parse_args(arguments)
    cache = Cache(chosen.cache)
    known = all_cells(chosen.long or chosen.markdown)
    cells = [cell for cell in known if all(word.lower() in cell.name.lower() for word in chosen.only)]
    if not cells:
        words.error("no cell has this word in its name: --list names them all")
    if chosen.list:
        for cell in cells:
            print("measured" if cache.get(cell) else "    –   ", cell.name)
        return 0
    if not chosen.markdown:
        if chosen.fresh:
            cache.forget(cells)
        measurer = Measurer(cache, chosen.limit, again=report.disturbed if chosen.disturbed else None)
        measurer.measure([cell for cell in cells if can_run(cell)])
    results = {cell: result for cell in known if (result := cache.get(cell)) is not None}
    if chosen.cpu:
        results = {
            cell: {**found, "seconds": found["cpu"]} if "cpu" in found else found for cell, found in results.items()
        }
    print(report.markdown(results) if chosen.markdown else report.text({c: results[c] for c in cells if c in results}))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped; what is measured is kept, and the same command goes on from there.")
    except BrokenPipeError:  # whoever reads the list has read enough
        sys.stderr.close()
