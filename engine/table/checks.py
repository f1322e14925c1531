"""What a table has to be: one target that can be told apart, weights that weigh, rows that train."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr
from engine.table.column import Column

WEIGHING = ("weight", "frequency")
ROLES = ("feature", "ignore", *WEIGHING, "partition", "group", "key")
MOST_CLASSES = 1000  # with more, counting a node by class takes seconds, and no person reads the tree
MOST_TARGET = 1e140  # the squared sum over a hundred billion rows of such values is still finite
WEIGHTS = 1e-100, 1e100  # the least and the most: squares of their sums are neither 0 nor infinite

TAKEN = {
    "weight": marked("“{name}” is the target and cannot be the weight too: choose another column."),
    "frequency": marked("“{name}” is the target and cannot be the frequency too: choose another column."),
    "partition": marked("“{name}” is the target and cannot divide the rows too: choose another column."),
}
NO_NUMBERS = {
    "weight": marked("Column “{column}” cannot be the weight: its values are not numbers."),
    "frequency": marked("Column “{column}” cannot be the frequency: its values are not numbers."),
}
NEGATIVE = {
    "weight": marked("Row {row} has the weight {number:g} in column “{column}”: weights are finite and not negative."),
    "frequency": marked(
        "Row {row} has the frequency {number:g} in column “{column}”: frequencies are finite and not negative."
    ),
}
NEGATIVE_SOMEWHERE = {  # where rows have no numbers
    "weight": marked("A row has the weight {number:g} in column “{column}”: weights are finite and not negative."),
    "frequency": marked(
        "A row has the frequency {number:g} in column “{column}”: frequencies are finite and not negative."
    ),
}


def check_roles(roles: Mapping[str, str], target: str | None) -> None:
    """Raises InputError when there is no such role, or the target is to weigh or to divide the rows as well."""
    for name, role in roles.items():
        if role not in ROLES:
            raise InputError(tr(
                "“{role}” is no role for column “{name}”; choose one of {roles}.", role=role, name=name,
                roles=", ".join(ROLES)))  # fmt: skip
    other = roles.get(target, "") if target else ""
    if other in TAKEN:
        raise InputError(tr(TAKEN[other], name=target))


def check_weights(columns: Sequence[Column], roles: Mapping[str, str]) -> None:
    """Raises InputError when more than one column is to weigh the rows, or the values of the one do not weigh; a column
    may come without its rows."""
    if len(columns) > 1:
        raise InputError(tr(
            "Two columns hold weights, “{one}” and “{other}”: choose one.", one=columns[0].name, other=columns[1].name,
        ))  # fmt: skip
    if not columns:
        return
    column, role = columns[0], roles[columns[0].name]
    if not column.is_numeric:
        raise InputError(tr(NO_NUMBERS[role], column=column.name))
    if column.n_values and (column.values[0] < 0 or np.isinf(column.values[-1])):
        rows = np.flatnonzero((column.numbers < 0) | np.isinf(column.numbers))
        if not rows.size:
            odd = column.values[0] if column.values[0] < 0 else column.values[-1]
            raise InputError(tr(NEGATIVE_SOMEWHERE[role], number=odd, column=column.name))
        raise InputError(tr(NEGATIVE[role], row=int(rows[0]) + 1, number=column.numbers[rows[0]], column=column.name))
    fractions = column.values[column.values % 1 != 0]
    if role == "frequency" and fractions.size:
        odd = float(fractions[0])
        rows = np.flatnonzero(column.numbers == odd)
        if not rows.size:
            raise InputError(tr(
                "A row has the frequency {odd:g} in column “{column}”, but frequencies are whole numbers: for "
                "weights that are not, choose the role weight.", odd=odd, column=column.name))  # fmt: skip
        raise InputError(tr(
            "Row {row} has the frequency {odd:g} in column “{column}”, but frequencies are whole numbers: for "
            "weights that are not, choose the role weight.", row=int(rows[0]) + 1, odd=odd, column=column.name,
        ))  # fmt: skip
    some = column.values[column.values > 0]
    if some.size and not WEIGHTS[0] <= some[0] <= some[-1] <= WEIGHTS[1]:
        odd = float(some[0] if some[0] < WEIGHTS[0] else some[-1])
        raise InputError(tr(
            "Column “{column}” holds the weight {odd:g}, but weights are 0 or from 1e-100 to 1e100: multiply or "
            "divide all of them by a power of ten, which changes no tree.", column=column.name, odd=odd))  # fmt: skip


def check_target(column: Column, as_classes: bool, n_features: int) -> None:
    """Raises InputError when a column cannot be predicted, or nothing is left to split on."""
    if column.n_present == 0:
        raise InputError(tr("The target “{name}” is missing in every row: choose another target.", name=column.name))
    if column.kind == "date":
        raise InputError(tr(
            "The target “{column}” is a date, which no tree predicts: choose another target, or make it ordered, so "
            "that each date is a class.", column=column.name))  # fmt: skip
    if not n_features:
        raise InputError(tr(
            "No column is left to split on beside the target “{column}”: make at least one a feature.",
            column=column.name))  # fmt: skip
    n_rows = column.codes.size - column.n_missing
    if as_classes and column.n_present == n_rows and n_rows > 2:
        raise InputError(tr(
            "Every row has a value of its own in the target “{column}” ({rows} rows, {rows} classes): choose "
            "another target.", column=column.name, rows=n_rows))  # fmt: skip
    if as_classes and column.n_values > MOST_CLASSES:
        raise InputError(tr(
            "The target “{column}” has {classes:,} classes; a tree can tell apart at most {most:,}: choose another "
            "target, or make it a number.", column=column.name, classes=column.n_values, most=MOST_CLASSES,
        ))  # fmt: skip


def check_numbers(target: Column, weights: NDArray[np.float64] | None) -> None:
    """Raises InputError when sums of a numeric target's squares are not finite."""
    largest = float(np.abs(target.values[[0, -1]]).max())
    if np.isinf(largest):
        raise InputError(tr(
            "The target “{target}” holds infinite values, whose mean means nothing: remove those rows.",
            target=target.name))  # fmt: skip
    if largest >= MOST_TARGET:
        raise InputError(tr(
            "The target “{target}” holds values beyond 1e140, whose squares add up to infinity: divide it by a "
            "power of ten.", target=target.name))  # fmt: skip
    heaviest = 1.0 if weights is None else float(weights.max())
    if largest * math.sqrt(heaviest) >= MOST_TARGET:
        raise InputError(tr(
            "The squares of the target “{target}”, with weights up to {heaviest:g}, add up to infinity: divide the "
            "weights by a power of ten, which changes no tree.", target=target.name, heaviest=heaviest))  # fmt: skip
