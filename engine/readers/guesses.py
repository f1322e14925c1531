"""Which column is probably the target, and which ones only number the rows."""

import re

import pandas as pd

TARGETS = (
    "target", "class", "label", "y", "outcome", "churn", "default", "survived", "diagnosis", "species", "response",
    "status", "result", "success", "approved", "fraud", "attrition", "subscribed", "play", "price",
)  # fmt: skip
IDENTIFIER = re.compile(
    r"(?i:ids?|.*[ _.\-]ids?|id[ _.\-].*|row ?names?|row ?(?:id|number|index)|index|unnamed.*|uuid|guid)|.*[a-z]I[dD]"
)
COUNTER = re.compile(r"(?i:x|no\.?|nr\.?|#|key|row|obs|observation|case|\.\.\.1|column 1)")
MOST_CLASSES = 20


def guess_roles(frame: pd.DataFrame, kinds: dict[str, str]) -> dict[str, str]:
    """ "ignore" for columns that number the rows: all values distinct, and named like an identifier.

    A name that could be a measurement ("x", "no") counts only for a first column that runs 0, 1, 2, … or
    1, 2, 3, ….
    """
    roles = {}
    for i, name in enumerate(frame.columns):
        if len(frame) < 2 or kinds[name] not in ("integer", "nominal"):
            continue
        cells = frame[name]
        counts = i == 0 and COUNTER.fullmatch(name) is not None and _runs(cells)
        if counts or (IDENTIFIER.fullmatch(name) and cells.notna().all() and cells.is_unique):
            roles[name] = "ignore"
    return roles


def _runs(cells: pd.Series) -> bool:
    numbers = pd.to_numeric(cells, errors="coerce")
    first = numbers.iloc[0]
    return first in (0, 1) and bool((numbers.diff().iloc[1:] == 1).all())


def guess_target(frame: pd.DataFrame, kinds: dict[str, str], roles: dict[str, str]) -> str | None:
    """A column named like an outcome; else the last one with 2 to 20 levels; else the last one."""
    usable = [name for name in frame.columns if roles.get(name, "feature") == "feature"]
    if not usable:
        return None
    place = {"x", "y", "z"} <= {name.casefold() for name in frame.columns}  # then "y" is a place, not an outcome
    for wanted in TARGETS:
        for name in usable:
            if wanted == "y" and place:
                continue
            if re.sub(r"[\W_]+", "", name.casefold()) == wanted and frame[name].nunique() != 1:
                return name
    for name in reversed(usable):
        if kinds[name] in ("nominal", "boolean", "ordered") and 2 <= frame[name].nunique() <= MOST_CLASSES:
            return name
    return usable[-1]
