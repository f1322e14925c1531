"""Asks the reference programs everything anew: `python -m tests.data.references`, with Debian's weka, r-cran-rpart and
r-cran-partykit. What they said before stands beside this file, and is what the tests compare with.
"""

import subprocess
from pathlib import Path

from tests import ctree
from tests.data import rpart_surrogates
from tests.data.j48 import close, make

HERE = Path(__file__).parent


def main() -> None:
    """Writes all files."""
    for script in ("rpart.R", "rpart_costs.R", "rpart_print.R"):
        subprocess.run(["Rscript", str(HERE / script), str(HERE)], check=True)
    for program in (rpart_surrogates, ctree, make, close):
        program.main()


if __name__ == "__main__":
    main()
