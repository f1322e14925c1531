"""The slow twins of partial dependence and of the nearest change: every value is put into every row, and predicted."""

import itertools

import numpy as np
import pandas as pd


def answers(tree, frame: pd.DataFrame) -> np.ndarray:
    """float[n, K]: the probabilities of the classes; of numbers the prediction."""
    return tree.predict_proba(frame) if tree.task == "classes" else np.asarray(tree.predict(frame))[:, None]


def dependence(
    tree, frame: pd.DataFrame, weights: np.ndarray, given: dict[str, object]
) -> tuple[np.ndarray, np.ndarray]:
    """(float[K] the mean, float[n, K] of each row) by Friedman (2001), equation 53: all rows get the same values."""
    changed = frame.copy()
    for name, value in given.items():
        dtype = changed[name].dtype
        changed[name] = pd.Series([value] * len(frame), index=frame.index, dtype=dtype)
    each = answers(tree, changed)
    return np.average(each, axis=0, weights=weights), each


def spread(values: pd.Series) -> float:
    """The lower median of the distances from the lower median; the range where that is 0, 1 of a constant."""
    numbers = sorted(values.dropna())
    middle = numbers[(len(numbers) - 1) // 2]
    apart = sorted(abs(value - middle) for value in numbers)
    return apart[(len(apart) - 1) // 2] or numbers[-1] - numbers[0] or 1.0


def nearest(tree, frame: pd.DataFrame, row: pd.Series, differs, locked=()) -> tuple[int, float] | None:
    """(how many columns, the distance) of the nearest row of values that occur in the frame and that `differs`."""
    offered = []
    for name in frame.columns:
        own, numeric = row[name], pd.api.types.is_numeric_dtype(frame[name])
        scale = spread(frame[name]) if numeric else 1.0
        choices = [(own, 0, 0.0)]
        for value in () if name in locked else frame[name].dropna().unique():
            if value != own:
                choices.append((value, 1, abs(value - own) / scale if numeric and not pd.isna(own) else 1.0))
        offered.append(choices)
    every = list(itertools.product(*offered))
    rows = pd.DataFrame([[value for value, _, _ in one] for one in every], columns=frame.columns)
    rows = rows.astype(frame.dtypes.to_dict())
    costs = [(sum(n for _, n, _ in one), sum(far for _, _, far in one)) for one in every]
    return min((cost for cost, yes in zip(costs, differs(rows), strict=True) if yes), default=None)
