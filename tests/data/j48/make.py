"""Made-up tables, and what Weka's J48 prints about them: `python -m tests.data.j48.make`, with Java and Weka 3.6.14.

Each table is printed unpruned once for each least number of rows in a leaf (-U -M), and pruned with several confidences
(-C), with and without subtree raising (-S). The tables are made up here; `iris` is scikit-learn's.

    java -cp /usr/share/java/weka.jar weka.classifiers.trees.J48 -t TABLE.arff -no-cv -M 2 -C 0.25 -S

`whole.txt` is all that J48 prints of its tree of the irises; `numbers.json` says how Weka writes numbers, [the number,
as a threshold, as a count], by jshell.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

HERE = Path(__file__).parent
WEKA = "/usr/share/java/weka.jar"
CONFIDENCES = (0.05, 0.25, 0.5)


def nominal() -> pd.DataFrame:
    """Columns of three to six levels, three classes, a tenth of them wrong."""
    random = np.random.default_rng(1)
    n = 500
    levels = {"shape": "abcdef", "hue": "klm", "size": "rstu", "place": "wxyz", "noise": "ghijn"}
    frame = pd.DataFrame({name: random.choice(list(every), n) for name, every in levels.items()})
    score = (frame["shape"] < "c") * 2 + (frame["hue"] == "l") * (frame["size"] > "r") + (frame["place"] == "z")
    frame["y"] = np.array(list("pqv"))[np.clip(score, 0, 2)]
    frame.loc[random.random(n) < 0.12, "y"] = "p"
    return frame


def numeric() -> pd.DataFrame:
    """Columns of numbers with two decimals, two classes, a fifth of them drawn anew."""
    random = np.random.default_rng(2)
    n = 700
    frame = pd.DataFrame(random.normal(5, 2, (n, 5)).round(2), columns=list("abcde"))
    frame["y"] = np.where((frame["a"] - 5) * (frame["b"] - 5) + 0.5 * frame["c"] > 2, "no", "yes")
    anew = random.random(n) < 0.2
    frame.loc[anew, "y"] = random.choice(["no", "yes"], anew.sum())
    return frame


def mixed() -> pd.DataFrame:
    """Numbers and levels, four classes of which one is rare."""
    random = np.random.default_rng(3)
    n = 900
    frame = pd.DataFrame(random.uniform(0, 9, (n, 3)).round(1), columns=["u", "v", "w"])
    frame["kind"] = random.choice(list("abcde"), n)
    frame["flag"] = random.choice(["off", "on"], n, p=[0.8, 0.2])
    way = np.where(frame["kind"] < "c", frame["u"] > frame["v"], frame["w"] > 4)
    frame["y"] = np.where(way, np.where(frame["flag"] == "on", "k", "m"), np.where(frame["u"] > 8.2, "s", "t"))
    anew = random.random(n) < 0.3
    frame.loc[anew, "y"] = random.choice(list("kmst"), anew.sum())
    return frame


def flags() -> pd.DataFrame:
    """An exclusive or, before which J48 asks columns in vain: branches are raised."""
    random = np.random.default_rng(4)
    n = 400
    frame = pd.DataFrame({name: random.choice(["n", "y"] if name < "g" else ["n", "o", "y"], n) for name in "abcdefg"})
    odd = (frame["a"] == "y") ^ (frame["b"] == "y") ^ ((frame["c"] == "y") & (frame["g"] != "o"))
    frame["y"] = np.where(odd ^ (random.random(n) < 0.15), "in", "out")
    return frame


def iris() -> pd.DataFrame:
    """Fisher's flowers."""
    found = load_iris(as_frame=True)
    frame = found.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_"))
    return frame.assign(y=np.array(found.target_names)[found.target])


TABLES = {"nominal": nominal, "numeric": numeric, "mixed": mixed, "flags": flags, "iris": iris}


def arff(frame: pd.DataFrame) -> str:
    """The table as Weka reads it; levels and classes in ascending order."""
    kinds = {
        name: "numeric" if frame[name].dtype.kind == "f" else "{" + ",".join(sorted(frame[name].unique())) + "}"
        for name in frame
    }
    head = ["@relation made", *(f"@attribute {name} {kind}" for name, kind in kinds.items()), "@data"]
    return "\n".join([*head, *(",".join(map(str, row)) for row in frame.itertuples(index=False))]) + "\n"


def whole(file: Path, options: str) -> str:
    """All that J48 prints of its tree."""
    command = ["java", "-cp", WEKA, "weka.classifiers.trees.J48", "-t", str(file), "-no-cv", *options.split()]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return said[said.index("J48 ") :].partition("\nTime taken")[0].rstrip("\n") + "\n"


def printed(file: Path, options: str) -> str:
    """The tree that J48 prints."""
    return whole(file, options).split("------------------\n")[1].split("Number of Leaves")[0].strip()


def numbers() -> list[list[Any]]:
    """How Weka writes numbers: [the number, as a threshold, as a count]."""
    random = np.random.default_rng(5)
    values = [0.0, 0.05, -0.05, 1e-6, 4.9e-7, 5e-7, -5e-7, 2.5, -2.5, 1234567.891, 0.1 + 0.2, 12.345, 1e7, 9999999.999,
              12345678.9, 9.2e12, 9.3e12, 1e18, 9.999e21, -1e20, 123456789012345680.0, 1e100]  # fmt: skip
    values += (random.normal(size=60) * 10 ** random.uniform(-6, 9, 60)).round(9).tolist()
    said = 'weka.core.Utils.doubleToString({0}, 6) + " " + weka.core.Utils.roundDouble({0}, 2)'
    lines = [f"System.out.println({said.format(repr(value))});" for value in values]
    command = ["jshell", "--class-path", WEKA, "-s", "-"]
    out = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True).stdout.split()
    return [[value, *out[2 * k : 2 * k + 2]] for k, value in enumerate(values)]


def main() -> None:
    """Writes a table and a text for each of `TABLES`."""
    for name, make in TABLES.items():
        frame = make()
        if name != "iris":
            frame.to_csv(HERE / f"{name}.csv", index=False)
        asked = [
            f"-M {least} {more}"
            for least in (1, 2)
            for more in ("-U", *(f"-C {c}{raising}" for c in CONFIDENCES for raising in ("", " -S")))
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "table.arff"
            file.write_text(arff(frame))
            texts = [f"# J48 {options}\n{printed(file, options)}\n" for options in asked]
            if name == "iris":
                (HERE / "whole.txt").write_text(whole(file, "-M 2 -C 0.25"))
        (HERE / f"{name}.txt").write_text("\n".join(texts))
    rows = ",\n".join(map(json.dumps, numbers()))
    (HERE / "numbers.json").write_text(f"[{rows}]\n")


if __name__ == "__main__":
    main()
