"""What a table has to be: one target that can be told apart, weights that weigh, rows that train."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.table.column import Column

WEIGHING = ("weight", "frequency")
ROLES = ("feature", "ignore", *WEIGHING, "partition", "group")
MOST_CLASSES = 1000  # with more, counting a node by class takes seconds, and no person reads the tree
MOST_TARGET = 1e140  # the squared sum over a hundred billion rows of such values is still finite
WEIGHTS = 1e-100, 1e100  # the least and the most: squares of their sums are neither 0 nor infinite


def check_roles(roles: Mapping[str, str], target: str | None) -> None:
    """Raises InputError when there is no such role, or the target is to weigh or to divide the rows as well."""
    for name, role in roles.items():
        if role not in ROLES:
            raise InputError(f"“{role}” is no role for column “{name}”; choose one of {', '.join(ROLES)}.")
    other = {"weight": "be the weight", "frequency": "be the frequency", "partition": "divide the rows"}.get(
        roles.get(target, "") if target else ""
    )
    if other is not None:
        raise InputError(f"“{target}” is the target and cannot {other} too: choose another column.")


def check_weights(columns: Sequence[Column], roles: Mapping[str, str]) -> None:
    """Raises InputError when more than one column is to weigh the rows, or the values of the one do not weigh."""
    if len(columns) > 1:
        raise InputError(f"Two columns hold weights, “{columns[0].name}” and “{columns[1].name}”: choose one.")
    if not columns:
        return
    column, role = columns[0], roles[columns[0].name]
    if not column.is_numeric:
        raise InputError(f"Column “{column.name}” cannot be the {role}: its values are not numbers.")
    if column.n_values and (column.values[0] < 0 or np.isinf(column.values[-1])):
        row = int(np.flatnonzero((column.numbers < 0) | np.isinf(column.numbers))[0])
        raise InputError(
            f"Row {row + 1} has the {role} {column.numbers[row]:g} in column “{column.name}”: "
            f"{'weights' if role == 'weight' else 'frequencies'} are finite and not negative."
        )
    fractions = column.values[column.values % 1 != 0]
    if role == "frequency" and fractions.size:
        odd = float(fractions[0])
        row = int(np.flatnonzero(column.numbers == odd)[0])
        raise InputError(
            f"Row {row + 1} has the frequency {odd:g} in column “{column.name}”, but frequencies are whole numbers: "
            "for weights that are not, choose the role weight."
        )
    some = column.values[column.values > 0]
    if some.size and not WEIGHTS[0] <= some[0] <= some[-1] <= WEIGHTS[1]:
        odd = float(some[0] if some[0] < WEIGHTS[0] else some[-1])
        raise InputError(
            f"Column “{column.name}” holds the weight {odd:g}, but weights are 0 or from 1e-100 to 1e100: multiply or "
            "divide all of them by a power of ten, which changes no tree."
        )


def check_target(column: Column, as_classes: bool, n_features: int) -> None:
    """Raises InputError when a column cannot be predicted, or nothing is left to split on."""
    if column.n_present == 0:
        raise InputError(f"The target “{column.name}” is missing in every row: choose another target.")
    if column.n_present == 1:
        value = column.text(int(column.codes.max()) - 1)
        raise InputError(
            f"The target “{column.name}” is “{value}” in every row, so there is nothing to tell apart: "
            "choose another target."
        )
    if column.kind == "date":
        raise InputError(
            f"The target “{column.name}” is a date, which no tree predicts: choose another target, or make it "
            "ordered, so that each date is a class."
        )
    if not n_features:
        raise InputError(
            f"No column is left to split on beside the target “{column.name}”: make at least one a feature."
        )
    n_rows = column.codes.size - column.n_missing
    if as_classes and column.n_present == n_rows and n_rows > 2:
        raise InputError(
            f"Every row has a value of its own in the target “{column.name}” ({n_rows} rows, {n_rows} classes): "
            "choose another target."
        )
    if as_classes and column.n_values > MOST_CLASSES:
        raise InputError(
            f"The target “{column.name}” has {column.n_values:,} classes; a tree can tell apart at most "
            f"{MOST_CLASSES:,}: choose another target, or make it a number."
        )


def check_numbers(target: Column, weights: NDArray[np.float64] | None) -> None:
    """Raises InputError when sums of a numeric target's squares are not finite."""
    largest = float(np.abs(target.values[[0, -1]]).max())
    if np.isinf(largest):
        raise InputError(
            f"The target “{target.name}” holds infinite values, whose mean means nothing: remove those rows."
        )
    if largest >= MOST_TARGET:
        raise InputError(
            f"The target “{target.name}” holds values beyond 1e140, whose squares add up to infinity: "
            "divide it by a power of ten."
        )
    heaviest = 1.0 if weights is None else float(weights.max())
    if largest * math.sqrt(heaviest) >= MOST_TARGET:
        raise InputError(
            f"The squares of the target “{target.name}”, with weights up to {heaviest:g}, add up to infinity: divide "
            "the weights by a power of ten, which changes no tree."
        )
