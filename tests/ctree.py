"""`python -m tests.ctree`: asks partykit's ctree about 20 tables, and writes what it says into tests/data/ctree.json.

The tables are made here, so that a test needs no R: numbers with ties, levels, missing values; targets of two and three
classes and numbers; every third table has frequencies.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from tests.conftest import ROOT

FOUND = ROOT / "tests" / "data" / "ctree.json"
SCRIPT = ROOT / "tests" / "data" / "ctree.R"
TABLES = 20


def table(i: int) -> pd.DataFrame:
    """One of the tables: the target is `y`, frequencies `w`."""
    random = np.random.default_rng(1000 + i)
    n = int(random.integers(80, 240))
    frame = pd.DataFrame({
        "number": random.normal(size=n), "rounded": random.normal(size=n).round(1),
        "gaps": np.where(random.random(n) < 0.15, np.nan, random.normal(size=n)),
        "skewed": random.lognormal(size=n), "level": random.choice(list("pqrs"), n, p=[0.5, 0.3, 0.15, 0.05]),
        "two": random.choice(["no", "yes"], n),
    })  # fmt: skip
    score = 0.25 * frame.number + 0.5 * (frame.level == "q") + 0.2 * frame.skewed + random.normal(size=n)
    if i % 3 == 0:
        frame["y"] = score
    else:
        frame["y"] = np.where(score > 0.5, "high", np.where((score < -0.4) & (i % 3 == 2), "low", "middle"))
    return frame.assign(w=random.integers(1, 4, n)) if i % 3 == 1 else frame


def asked(frames: list[pd.DataFrame]) -> list[dict]:
    """What ctree says of the roots of tables."""
    with tempfile.TemporaryDirectory() as folder:
        for i, frame in enumerate(frames):
            frame.to_csv(Path(folder) / f"{i:05}.csv", index=False)
        said = subprocess.run(["Rscript", str(SCRIPT), folder], capture_output=True, text=True, check=True)
    return json.loads(said.stdout)


def main() -> None:
    """Writes the file."""
    FOUND.write_text(json.dumps(asked([table(i) for i in range(TABLES)]), indent=1) + "\n")


if __name__ == "__main__":
    main()
