"""`python -m tests.honesty.power`: how often is an effect found at the root, beside ctree of R's partykit?

Tables of five numbers that know nothing of each other; the target depends on the first one, or on none. A split of the
root counts where the adjusted p-value of its column, times five, is at most 5 %: the preset `ctree`. The figures of R,
with its own defaults (a quadratic statistic of the values themselves, Bonferroni), are there where `Rscript` and
partykit are installed; both see the same tables.

    linear     y = 0.35 · x₁ + normal noise, 100 rows
    one cut    y = 0.6 where x₁ is in its upper fifth, + normal noise, 100 rows
    t₃         y = 0.35 · x₁ + noise of Student's t with 3 degrees, 100 rows
    classes    the chance of “yes” is the logistic function of 0.8 · x₁, 100 rows
    noise      y has nothing to do with any column
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import engine
from tests.conftest import ROOT

DESIGNS = ("linear", "one cut", "t3", "classes", "noise")
COLUMNS = [f"x{i}" for i in range(1, 6)]


def drawn(design: str, seed: int, n: int = 100) -> pd.DataFrame:
    """A table of a design."""
    random = np.random.default_rng([seed, DESIGNS.index(design)])
    frame = pd.DataFrame(random.normal(size=(n, 5)), columns=COLUMNS)
    first = frame.x1.to_numpy()
    noise = random.standard_t(3, n) if design == "t3" else random.normal(size=n)
    if design == "classes":
        return frame.assign(y=np.where(random.random(n) < 1 / (1 + np.exp(-0.8 * first)), "yes", "no"))
    effect = {"linear": 0.35 * first, "t3": 0.35 * first, "one cut": 0.6 * (first > np.quantile(first, 0.8))}
    return frame.assign(y=effect.get(design, 0.0) + noise)


def found_here(frame: pd.DataFrame, criterion: str | None = None) -> str:
    """The column that the preset `ctree` splits the root by, or the criterion instead; empty where it stays a leaf."""
    table, own = engine.Table.from_frame(frame, target="y"), {} if criterion is None else {"criterion": criterion}
    tree = engine.grow(table, preset="ctree", max_depth=1, **own)
    split = tree.split_at(0)
    return split.column if split is not None else ""


def found_by_r(frames: list[pd.DataFrame]) -> list[str] | None:
    """The same of partykit's ctree, with its own limits of rows, which are those above; None where it is not there."""
    script = ROOT / "tests" / "data" / "ctree.R"
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for i, frame in enumerate(frames):
            frame.to_csv(Path(folder) / f"{i:05}.csv", index=False)
        done = subprocess.run(["Rscript", str(script), folder], capture_output=True, text=True, check=False)
    return [one["column"] for one in json.loads(done.stdout)] if done.returncode == 0 else None


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("--tables", type=int, default=500)
    tables = words.parse_args().tables
    print(f"share of {tables} tables whose root is split (by x1), at 5 % for the whole root")
    print(f"{'':10}{'LogWorth':>18}{'preset ctree':>18}{'partykit':>18}{'same column':>14}")
    for design in DESIGNS:
        frames = [drawn(design, seed) for seed in range(tables)]
        ours, theirs = [found_here(frame) for frame in frames], found_by_r(frames)
        logworth = "logworth" if design == "classes" else "f_logworth"
        cells = [shares([found_here(frame, logworth) for frame in frames]), shares(ours)]
        cells.append(shares(theirs) if theirs else "not installed")
        both = [a == b for a, b in zip(ours, theirs, strict=True) if a and b] if theirs else []
        print(f"{design:10}" + "".join(f"{cell:>18}" for cell in cells) + (f"{np.mean(both):>14.0%}" if both else ""))


def shares(found: list[str]) -> str:
    return f"{np.mean([bool(name) for name in found]):.3f} ({np.mean([name == 'x1' for name in found]):.3f})"


if __name__ == "__main__":
    main()
