"""Writes the model files beside it and what their programs predict; needs the libraries that it imports.

    python -m tests.data.foreign.make

`rows.json` has the rows that were predicted: values at each threshold, one float beside it on both sides, and missing
ones; `expected.json` the raw score of each tree of each model on them, as its own program says it.
"""

import json
from pathlib import Path

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import pypmml
import treelite
import xgboost
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import FloatTensorType
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.data.foreign.values import beside

HERE = Path(__file__).parent
TOWNS = ["Bonn", "Hof", "Ulm", "Köln"]


def training(seed: int, letters: str = "all") -> tuple[pd.DataFrame, np.ndarray]:
    rng, n = np.random.default_rng(seed), 600
    towns = TOWNS if letters == "all" else TOWNS[:3]
    frame = pd.DataFrame({
        "body mass": rng.normal(size=n), "count": rng.integers(-3, 4, n).astype(float),
        "town": pd.Categorical(rng.choice(towns, n), categories=towns), "wet": rng.random(n) < 0.5,
    })  # fmt: skip
    frame.loc[rng.random(n) < 0.1, "body mass"] = np.nan
    frame.loc[rng.random(n) < 0.1, "town"] = None
    y = (frame["body mass"].fillna(1) > 0.2).astype(int) + (frame["count"] > 0) + (frame["town"] == "Ulm")
    return frame, (y + (rng.random(n) < 0.1)).clip(0, 2).to_numpy()


def nasty(thresholds: dict[str, list[float]], towns: list[str], seed: int = 0) -> pd.DataFrame:
    """Rows of values around the thresholds, and of others."""
    rng, n = np.random.default_rng(seed), 3000
    values = {
        name: np.array([*(one for t in cuts for one in beside(t)), np.nan, 1e9, -1e9, 2.5])
        for name, cuts in thresholds.items()
    }
    return pd.DataFrame({
        "body mass": rng.choice(values["body mass"], n), "count": rng.choice(values["count"], n),
        "town": pd.Categorical(rng.choice([*towns, None], n), categories=towns), "wet": rng.random(n) < 0.5,
    })  # fmt: skip


def main() -> None:
    expected = {}
    rows_of = {}

    def keep(name: str, rows: pd.DataFrame, scores: list[np.ndarray]) -> None:
        plain = {
            column: [None if pd.isna(v) else v if isinstance(v, str | bool) else float(v) for v in rows[column]]
            for column in rows
        }
        rows_of[name] = plain
        expected[name] = [[float(v) for v in score] for score in scores]

    frame, y = training(0)
    for name, more in (("plain", {}), ("zero", {"zero_as_missing": True}), ("none", {"use_missing": False})):
        model = lightgbm.LGBMRegressor(n_estimators=3, num_leaves=8, verbose=-1, min_child_samples=5, n_jobs=1, **more)
        booster = model.fit(frame, y).booster_
        booster.save_model(HERE / f"lightgbm_{name}.txt")
        table = booster.trees_to_dataframe()
        cuts = {c: [] for c in ("body mass", "count")}
        for feature, threshold in zip(table["split_feature"], table["threshold"], strict=True):
            plain = str(feature).replace("_", " ")
            if plain in cuts and "|" not in str(threshold):
                cuts[plain].append(float(threshold))
        rows = nasty(cuts, TOWNS)[:400]
        scores = [booster.predict(rows, raw_score=True, start_iteration=k, num_iteration=1) for k in range(3)]
        keep(f"lightgbm_{name}.txt", rows, scores)

    for name, more in (("binary", {}), ("sigmoid", {"sigmoid": 2.5})):
        model = lightgbm.LGBMClassifier(n_estimators=1, num_leaves=8, verbose=-1, min_child_samples=5, n_jobs=1, **more)
        booster = model.fit(frame, y > 0).booster_
        booster.save_model(HERE / f"lightgbm_{name}.txt")
        rows = nasty({"body mass": [0.1], "count": [-1.0, 1.0]}, TOWNS)[:400]
        keep(f"lightgbm_{name}.txt", rows, [booster.predict(rows)])

    frame, y = training(1, "ASCII")
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=3, enable_categorical=True, base_score=0.3, n_jobs=1)
    model.fit(frame, y > 0)
    for suffix in ("json", "ubj"):
        model.save_model(HERE / f"xgboost_binary.{suffix}")
    rows = nasty({"body mass": [0.1], "count": [-1.0, 1.0]}, TOWNS[:3])[:400]
    keep("xgboost_binary.json", rows, [model.predict_proba(rows)[:, 1]])

    model = xgboost.XGBRegressor(n_estimators=3, max_depth=3, enable_categorical=True, base_score=0.0, n_jobs=1)
    model.fit(frame, y)
    for suffix in ("json", "ubj"):
        model.save_model(HERE / f"xgboost.{suffix}")
    trees = json.loads((HERE / "xgboost.json").read_text())["learner"]["gradient_booster"]["model"]["trees"]
    cuts = {"body mass": [], "count": []}
    for tree in trees:
        for left, place, cut in zip(
            tree["left_children"], tree["split_indices"], tree["split_conditions"], strict=True
        ):
            if left >= 0 and place < 2:
                cuts[["body mass", "count"][place]].append(cut)
    rows = nasty(cuts, TOWNS[:3])[:400]
    scores = [model.predict(rows, output_margin=True, iteration_range=(k, k + 1)) for k in range(3)]
    keep("xgboost.json", rows, scores)

    numbers = frame[["body mass", "count"]].fillna(0)
    forest = RandomForestClassifier(2, max_depth=3, random_state=0).fit(numbers, y)
    model = treelite.sklearn.import_model(forest)
    (HERE / "treelite.json").write_text(model.dump_as_json())
    cuts = {"body mass": [], "count": []}
    for one in forest.estimators_:
        for place, cut in zip(one.tree_.feature, one.tree_.threshold, strict=True):
            if place >= 0:
                cuts[["body mass", "count"][place]].append(float(cut))
    rows = nasty(cuts, TOWNS)[["body mass", "count"]][:400].fillna(0)
    scores = treelite.gtil.predict_per_tree(model, rows.to_numpy())
    keep("treelite.json", rows, [scores[:, k].reshape(len(rows), -1)[:, 1] for k in range(2)])

    for name, one, shares in (
        ("onnx_classes.onnx", DecisionTreeClassifier(max_depth=4).fit(numbers, y), True),
        ("onnx_number.onnx", DecisionTreeRegressor(max_depth=4).fit(numbers, y + numbers["count"]), False),
    ):
        kind = [("X", FloatTensorType([None, 2]))]
        options = {id(one): {"zipmap": False}} if shares else None
        content = convert_sklearn(one, initial_types=kind, options=options).SerializeToString()
        (HERE / name).write_bytes(content)
        cuts = {"body mass": [], "count": []}
        for place, cut in zip(one.tree_.feature, one.tree_.threshold, strict=True):
            if place >= 0:
                cuts[["body mass", "count"][place]].append(float(cut))
        rows = nasty(cuts, TOWNS)[["body mass", "count"]][:400].fillna(0)
        session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
        found = session.run(None, {"X": rows.to_numpy(dtype=np.float32)})
        keep(name, rows, [found[1][:, 1] if shares else found[0][:, 0]])

    rows = nasty({"body mass": [0.1], "count": [-1.0, 1.0]}, TOWNS)[["body mass", "count", "town"]][:400]
    model = pypmml.Model.fromString((HERE / "pmml_classes.pmml").read_text(encoding="utf-8"))
    said = [
        model.predict({name: value for name, value in row.items() if not pd.isna(value)})
        for row in rows.astype({"town": object}).to_dict("records")
    ]
    keep("pmml_classes.pmml", rows, [np.array([one["p"] for one in said])])

    (HERE / "rows.json").write_text(json.dumps(rows_of))
    (HERE / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()
