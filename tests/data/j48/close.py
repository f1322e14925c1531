"""Tables whose values lie close together, and what Weka's J48 prints of them: `python -m tests.data.j48.close`.

The values are multiples of 0.000004, so that many neighbours are nearer to each other than the 0.00001 within which J48
takes two values for one; the same table in thousandths of that unit has none.
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from tests.data.j48.make import arff, printed

FILE = Path(__file__).with_suffix(".txt")
SEEDS, UNITS = range(40), {"units": 1_000_000, "thousandths": 1_000}
STEP = 4  # millionths of a unit: Weka prints six decimals, and compares thresholds to within one millionth


def table(seed: int, unit: int) -> pd.DataFrame:
    """Three numbers and a level; 100 rows of two or three classes. unit: so many millionths or thousandths it has."""
    random, n = np.random.default_rng(seed), 100
    steps = random.normal(0, 300 * (1 + seed % 3), (n, 3)).round()
    frame = pd.DataFrame(steps * STEP / unit, columns=["a", "b", "c"]).assign(k=random.choice(list("pqr"), n))
    score = steps[:, 0] + np.abs(steps[:, 1]) + random.normal(0, 300, n)
    return frame.assign(y=np.array(list("uvw"))[np.digitize(score, [100, 600][: 1 + seed % 2])])


def main() -> None:
    """Writes the file."""
    with tempfile.TemporaryDirectory() as folder:
        file, texts = Path(folder) / "close.arff", []
        for seed in SEEDS:
            for name, unit in UNITS.items():
                file.write_text(arff(table(seed, unit)))
                texts.append(f"# {seed} {name}\n{printed(file, '-U -M 2')}\n")
    FILE.write_text("\n".join(texts))


if __name__ == "__main__":
    main()
