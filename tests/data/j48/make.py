"""Tables, and what Weka's J48 and Id3 print about them: `python -m tests.data.j48.make`, with Java and Weka 3.6.14.

The tables of `MANY` are printed unpruned once for each least number of rows in a leaf (-U -M), and pruned with several
confidences (-C), with and without subtree raising (-S); those of `TABLES` with fewer options, and those of `BY_LEVELS`
by Id3, too. Made-up tables are written beside the texts; `iris`, `wine` and `cancer` are scikit-learn's, the others
stand among the examples of the program and the data of these tests. In `GAPS` values are missing: in `vote` (members of
the Congress, 1984) and `labor` (contracts in Canada, 1988), both of the UCI Machine Learning Repository, CC BY 4.0, as
Weka ships them, and in tables of the above some of whose values were taken away.

    java -cp /usr/share/java/weka.jar weka.classifiers.trees.J48 -t TABLE.arff -no-cv -M 2 -C 0.25 -S

`whole.txt` is all that J48 prints of its tree of the irises; `numbers.json` says how Weka writes numbers, [the number,
as a threshold, as a count], by jshell.
"""

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "resources" / "examples"
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


def shops() -> pd.DataFrame:
    """A column of nearly as many levels as rows, which the guard of the gain ratio leaves out of its average."""
    random = np.random.default_rng(5)
    n = 120
    frame = pd.DataFrame({"shop": [f"s{k:02}" for k in random.integers(0, 45, n)]})
    frame["town"] = random.choice(list("nsw"), n)
    frame["sales"] = random.integers(1, 90, n).astype(float)
    frame["staff"] = random.integers(1, 9, n).astype(float)
    frame["y"] = np.where((frame["sales"] > 40) ^ (frame["town"] == "s") ^ (random.random(n) < 0.2), "open", "shut")
    return frame


def seven() -> pd.DataFrame:
    """Whole numbers with many ties, seven classes."""
    random = np.random.default_rng(6)
    n = 1000
    frame = pd.DataFrame(random.integers(0, 30, (n, 5)).astype(float), columns=list("abcde"))
    score = (frame["a"] + frame["b"] / 2 + random.normal(0, 4, n)) // 7
    frame["y"] = np.array(list("pqrstuv"))[np.clip(score, 0, 6).astype(int)]
    return frame


def pair() -> pd.DataFrame:
    """So many rows that 25 of them are enough beside a cut."""
    random = np.random.default_rng(7)
    n = 1500
    frame = pd.DataFrame(random.gamma(2, 10, (n, 4)).round(), columns=list("abcd"))
    chance = 1 / (1 + np.exp(-(frame["a"] - frame["b"]) / 8))
    frame["y"] = np.where(random.random(n) < chance, "yes", "no")
    return frame


def declared() -> pd.DataFrame:
    """Levels in no order of letters, some of which no row has: their branches are empty."""
    random = np.random.default_rng(8)
    n = 300
    sizes, hues = ["tiny", "small", "middle", "large", "vast", "unheard"], ["red", "none", "blue", "grey"]
    frame = pd.DataFrame({"size": random.choice(sizes[:5], n), "hue": random.choice(hues[::2], n)})
    frame["age"] = random.integers(18, 80, n).astype(float)
    late = (frame["size"] < "n") ^ (frame["hue"] == "red") & (frame["age"] > 50)
    frame["y"] = np.where(late ^ (random.random(n) < 0.1), "late", "early")
    return frame.astype({"size": pd.CategoricalDtype(sizes), "hue": pd.CategoricalDtype(hues)})


def rare() -> pd.DataFrame:
    """Levels of which most have a row or two: two branches of the least number of rows are enough."""
    random = np.random.default_rng(9)
    n = 240
    share = 0.5 ** np.arange(1, 9)
    frame = pd.DataFrame({c: random.choice(list("abcdefgh"), n, p=share / share.sum()) for c in ("u", "v", "w")})
    frame["x"] = random.normal(0, 1, n).round(1)
    hit = (frame["u"] < "c") & (frame["x"] > 0) | (frame["v"] == "b")
    frame["y"] = np.where(hit ^ (random.random(n) < 0.1), "in", "out")
    return frame


def noise() -> pd.DataFrame:
    """Nothing to be learnt."""
    random = np.random.default_rng(10)
    n = 200
    frame = pd.DataFrame(random.normal(0, 1, (n, 3)).round(2), columns=list("abc"))
    frame["k"] = random.choice(list("xyz"), n)
    frame["y"] = random.choice(["no", "yes"], n)
    return frame


def _sklearn(load: Callable[..., Any]) -> pd.DataFrame:
    """A table of scikit-learn's."""
    found = load(as_frame=True)
    frame = found.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_").replace("/", "_"))
    return frame.assign(y=np.array(found.target_names)[found.target])


def iris() -> pd.DataFrame:
    """Fisher's flowers."""
    return _sklearn(load_iris)


def wine() -> pd.DataFrame:
    """Three growers of wine."""
    return _sklearn(load_wine)


def cancer() -> pd.DataFrame:
    """Breast cancer in Wisconsin."""
    return _sklearn(load_breast_cancer)


def _file(path: Path, target: str, numbers: bool = True) -> pd.DataFrame:
    """A table in a file; numbers: else every column has levels."""
    frame = pd.read_csv(path, dtype=None if numbers else str)
    levels = {name: str for name in frame if frame[name].dtype == bool}
    whole = {name: float for name in frame if frame[name].dtype.kind == "i"}
    y = frame.pop(target).astype(str)
    return frame.astype({name: kind for name, kind in (levels | whole).items() if name != target}).assign(y=y)


def weather() -> pd.DataFrame:
    """Quinlan's Saturday mornings."""
    return _file(EXAMPLES / "weather.csv", "play", numbers=False)


def cats() -> pd.DataFrame:
    """Kittens and homes, of the notes."""
    frame = _file(EXAMPLES / "cats.csv", "success", numbers=False)
    return frame.rename(columns=lambda name: name.replace(" ", "_"))


def xor() -> pd.DataFrame:
    """Two columns of which neither gains anything alone."""
    return _file(EXAMPLES / "xor.csv", "y", numbers=False)


def quadrants() -> pd.DataFrame:
    """Points of the plane, of the notes."""
    return _file(EXAMPLES / "quadrants.csv", "y")


def penguins() -> pd.DataFrame:
    """The penguins of which everything is known."""
    return _file(EXAMPLES / "penguins.csv", "species").dropna()


def kyphosis() -> pd.DataFrame:
    """81 operations, of rpart."""
    return _file(HERE.parent / "kyphosis.csv", "Kyphosis")


def loans() -> pd.DataFrame:
    """1,000 made-up loans."""
    return _file(HERE.parent / "loans.csv", "repaid")


MANY = {"nominal": nominal, "numeric": numeric, "mixed": mixed, "flags": flags, "iris": iris}
MADE = {"shops": shops, "seven": seven, "pair": pair, "declared": declared, "rare": rare, "noise": noise}
TABLES = MANY | MADE | {
    "wine": wine, "cancer": cancer, "weather": weather, "cats": cats, "xor": xor, "quadrants": quadrants,
    "penguins": penguins, "kyphosis": kyphosis, "loans": loans,
}  # fmt: skip


def with_gaps(name: str, share: float) -> Callable[[], pd.DataFrame]:
    """A table of the above without this share of its values."""

    def made() -> pd.DataFrame:
        frame, random = TABLES[name](), np.random.default_rng(11)
        for column in frame.columns.drop("y"):
            frame[column] = frame[column].mask(random.random(len(frame)) < share)
        return frame

    return made


def birds() -> pd.DataFrame:
    """All penguins."""
    return _file(EXAMPLES / "penguins.csv", "species")


GAPS = {"birds": birds} | {
    f"{name}_{percent}": with_gaps(name, percent / 100)
    for name in ("nominal", "numeric", "mixed", "flags", "iris", "shops", "seven", "pair", "declared", "rare", "loans")
    for percent in (2, 15)
}
WITH_GAPS = ("-M 2 -U", "-M 5 -U", "-M 2 -C 0.25", "-M 5 -C 0.25", "-M 5 -C 0.5 -S")
SHIPPED = ("vote", "labor")
BY_LEVELS = ("nominal", "flags", "weather", "cats", "xor")


def arff(frame: pd.DataFrame) -> str:
    """The table as Weka reads it; levels as they are declared, or in ascending order."""
    head = ["@relation made", *(f"@attribute {name} {_kind(frame[name])}" for name in frame), "@data"]
    rows = frame.astype(object).where(frame.notna(), "?")
    return "\n".join([*head, *(",".join(map(str, row)) for row in rows.itertuples(index=False))]) + "\n"


def whole(file: Path, options: str, learner: str = "J48") -> str:
    """All that a learner prints of its tree."""
    command = ["java", "-cp", WEKA, f"weka.classifiers.trees.{learner}", "-t", str(file), "-no-cv", *options.split()]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    heading = "Id3\n\n" if learner == "Id3" else "J48 "
    return said[said.index(heading) :].partition("\nTime taken")[0].rstrip("\n") + "\n"


def printed(file: Path, options: str) -> str:
    """The tree that J48 prints."""
    return whole(file, options).split("------------------\n")[1].split("Number of Leaves")[0].strip()


def _kind(column: pd.Series) -> str:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "{" + ",".join(column.cat.categories) + "}"
    return "numeric" if column.dtype.kind == "f" else "{" + ",".join(sorted(column.dropna().unique())) + "}"


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


def asked(name: str) -> list[str]:
    """The options that J48 is run with on a table."""
    if name not in MANY:
        return [f"-M {least} {more}" for least in (2, 5) for more in ("-U", "-C 0.25")]
    pruned = [f"-C {c}{raising}" for c in CONFIDENCES for raising in ("", " -S")]
    return [f"-M {least} {more}" for least in (1, 2) for more in ("-U", *pruned)]


def main() -> None:
    """Writes a text for each of `TABLES`, and those of them that are made up."""
    for name in (*GAPS, *SHIPPED):
        file = HERE / f"{name}.arff"
        if name in GAPS:
            file.write_text(arff(GAPS[name]()))
        texts = [f"# J48 {option}\n{printed(file, option)}\n" for option in WITH_GAPS]
        (HERE / f"{name}.txt").write_text("\n".join(texts))
    for name, make in TABLES.items():
        frame = make()
        if name in MANY and name != "iris":
            frame.to_csv(HERE / f"{name}.csv", index=False)
        with tempfile.TemporaryDirectory() as folder:
            file = (HERE if name in MADE else Path(folder)) / f"{name}.arff"
            file.write_text(arff(frame))
            texts = [f"# J48 {options}\n{printed(file, options)}\n" for options in asked(name)]
            if name == "iris":
                (HERE / "whole.txt").write_text(whole(file, "-M 2 -C 0.25"))
            if name in BY_LEVELS:
                tree = whole(file, "", "Id3").split("Id3\n\n", 1)[1]
                (HERE / f"{name}.id3.txt").write_text(tree.strip() + "\n")
        (HERE / f"{name}.txt").write_text("\n".join(texts))
    rows = ",\n".join(map(json.dumps, numbers()))
    (HERE / "numbers.json").write_text(f"[{rows}]\n")


if __name__ == "__main__":
    main()
