"""The options of a search for splits: one immutable record, checked once at the border."""

import math
from dataclasses import asdict, dataclass, fields
from numbers import Integral, Real
from typing import Any

from engine.criteria import DEFAULT, find_criterion
from engine.errors import InputError

CHOICES = {
    "numeric": ("cuts",),
    "nominal": ("groups", "multiway"),
    "order": ("depth_first", "best_first", "level"),
    "missing": ("direction",),
}

PRESETS: dict[str, dict[str, Any]] = {
    "cart": {},
    "id3": {"criterion": "entropy", "nominal": "multiway"},
    "kearns_mansour": {"criterion": "sqrt", "order": "best_first"},
}

_LEAST = {"min_rows": 2, "min_leaf": 1, "min_gain": 0.0, "max_depth": 0, "max_leaves": 1, "threads": 1}
_MOST = 2**31 - 1  # more rows, leaves or levels than a table can have: larger limits mean the same


@dataclass(frozen=True)
class Search:
    """How splits are searched and when growing stops.

    Attributes:
        criterion: a name of `engine.criteria.CRITERIA`.
        numeric: "cuts", binary cuts between any two adjacent values.
        nominal: "groups", the best two groups of levels; "multiway", one branch per declared level.
        order: which leaf is split next; matters together with `max_leaves` only.
        min_rows: a node of fewer training rows stays a leaf.
        min_leaf: every branch that a cut makes keeps at least this many training rows.
        min_gain: a split has to gain at least this much impurity per unit of weight; 0 admits "no gain yet".
        max_depth: edges from the root to the deepest leaf; None for no limit.
        max_leaves: leaves of the whole tree; None for no limit.
        missing: "direction", missing values go into the branch that gains most, learned for each split.
        seed: for whatever is random.
        threads: how many threads may count; None for all cores.
    """

    criterion: str = "gini"
    numeric: str = "cuts"
    nominal: str = "groups"
    order: str = "depth_first"
    min_rows: int = 2
    min_leaf: int = 1
    min_gain: float = 0.0
    max_depth: int | None = None
    max_leaves: int | None = None
    missing: str = "direction"
    seed: int = 0
    threads: int | None = None

    @classmethod
    def make(cls, task: str, preset: str | None = None, **options: Any) -> "Search":
        """Checks options and fills in the defaults for a target of this task.

        Raises:
            InputError: an unknown option or preset, or a value that cannot be used; the text says what can.
        """
        known = {field.name for field in fields(cls)}
        for name in options:
            if name not in known:
                raise InputError(f"There is no option “{name}”; the options are {', '.join(sorted(known))}.")
        if preset is not None and preset not in PRESETS:
            raise InputError(f"There is no preset “{preset}”; choose one of {', '.join(PRESETS)}.")
        chosen = {**PRESETS[preset or "cart"], **options}
        if task == "number" and "criterion" not in options:
            chosen.pop("criterion", None)
        if chosen.get("criterion") is None:
            chosen["criterion"] = DEFAULT[task]
        find_criterion(chosen["criterion"], task)
        for name, values in CHOICES.items():
            if name in chosen and chosen[name] not in values:
                raise InputError(f"{name} cannot be “{chosen[name]}”; choose one of {', '.join(values)}.")
        for name in chosen.keys() & {*_LEAST, "seed"}:
            if chosen[name] is not None or getattr(cls, name) is not None:  # None is "no limit" where it is the default
                chosen[name] = _number(name, chosen[name])
        return cls(**chosen)

    def to_dict(self) -> dict[str, Any]:
        """The options as plain values, fit for JSON and for `make(task, **options)`."""
        return asdict(self)


def _number(name: str, value: Any) -> float:
    """The value as a number of Python, whoever's it was; limits beyond the size of any table are cut back."""
    whole, least = name != "min_gain", _LEAST.get(name)
    if not (_is_whole(value) if whole else _is_finite(value)) or (least is not None and value < least):
        kind = "a whole number" if whole else "a number"
        bound = "" if least is None else f" of at least {least:g}"
        raise InputError(f"{name} cannot be {value}; it is {kind}{bound}.")
    if not whole:
        return float(value)
    return int(value) if least is None else min(int(value), _MOST)


def _is_whole(value: Any) -> bool:
    if isinstance(value, Integral):  # a bool is one to Python
        return not isinstance(value, bool)
    return _is_finite(value) and value == int(value)


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer that no float can hold
        return False
