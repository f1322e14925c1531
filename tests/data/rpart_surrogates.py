"""Made-up tables with gaps, and in which node of rpart's tree each of their rows ends: rpart_surrogates.json.

    python -m tests.data.rpart_surrogates, with R and rpart 4.1.19

The trees are grown with rpart's own options but for cp = -1, which takes no split back. Nodes have rpart's numbers: the
branches of node k are 2k and 2k + 1.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

FILE = Path(__file__).with_suffix(".json")
CODE = """
library(rpart)
for (file in commandArgs(TRUE)) {
  fit <- rpart(y ~ ., read.csv(file, stringsAsFactors = TRUE), control = rpart.control(xval = 0, cp = -1))
  cat(rownames(fit$frame)[fit$where], "\\n")
}
"""
LACKING = {"one": "a", "two": "ab", "all": "abcd"}


def table(which: str, seed: int) -> pd.DataFrame:
    """Four numbers that go together, in odd tables levels, too; a fifth of the values of some columns is missing."""
    random, n = np.random.default_rng(seed), 300
    one = random.normal(size=n)
    frame = pd.DataFrame(
        {c: (one + random.normal(0, s, n)).round(2) for c, s in zip("abcd", (0.4, 0.7, 1.1, 2.0), strict=True)}
    )
    if seed % 2:
        frame["k"] = pd.cut(one + random.normal(0, 0.5, n), [-9, -1, 0, 1, 9], labels=list("pqrs")).astype(str)
    y = np.where(frame["a"] + frame["b"] / 2 + random.normal(0, 0.8, n) > 0, "u", "v")
    for column in LACKING[which]:
        frame.loc[random.random(n) < 0.2, column] = np.nan
    return frame.assign(y=y)[frame.notna().any(axis=1)].reset_index(drop=True)  # rpart leaves out rows without any


TABLES = [(which, seed) for which in LACKING for seed in range(20)]


def main() -> None:
    """Writes the file."""
    with tempfile.TemporaryDirectory() as folder:
        code, files = Path(folder) / "grow.R", []
        code.write_text(CODE)
        for which, seed in TABLES:
            files.append(str(Path(folder) / f"{which}{seed}.csv"))
            table(which, seed).to_csv(files[-1], index=False)
        said = subprocess.run(["Rscript", code, *files], capture_output=True, text=True, check=True).stdout
    found = [[int(node) for node in line.split()] for line in said.strip().split("\n")]
    lines = [f'"{which}{seed}": {json.dumps(rows)}' for (which, seed), rows in zip(TABLES, found, strict=True)]
    FILE.write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    main()
