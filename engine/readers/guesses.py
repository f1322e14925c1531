"""Which column is probably the target, and which ones only number or name the rows."""

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
OWN_FROM = 20  # fewer texts may all differ by chance, and a small table is looked at by eye
OWN_SHARE = 0.95  # of the texts present are distinct: a customer number, a name, a remark


def guess_roles(frame: pd.DataFrame, kinds: dict[str, str]) -> dict[str, str]:
    """ "ignore" for columns that number the rows (all values distinct, and named like an identifier) or name them.

    A name that could be a measurement ("x", "no") counts only for a first column that runs 0, 1, 2, … or
    1, 2, 3, …. Texts that are nearly all distinct name the rows whatever the column is called: a split on them
    learns the rows by heart.
    """
    names = list(frame.columns)
    reasons = {name: why_not(name, frame[name], kinds[name], first=name == names[0]) for name in names}
    return {name: "ignore" for name, reason in reasons.items() if reason}


def why_not(name: str, cells: pd.Series, kind: str, *, first: bool) -> str:
    """Why a column is no feature, as a sentence; empty when it may be one.

    Args:
        first: it is the first column of its table.
    """
    if _numbers_rows(name, cells, kind, first):
        return f"“{name}” only numbers the rows and is ignored; change its role to use it."
    if not _names_rows(cells, kind):
        return ""
    rows = "every row" if cells.notna().all() and cells.is_unique else "nearly every row"
    return f"“{name}” has a value of its own in {rows} and is ignored; make it a feature if it tells something."


def _numbers_rows(name: str, cells: pd.Series, kind: str, first: bool) -> bool:
    if len(cells) < 2 or kind not in ("integer", "nominal"):
        return False
    counts = first and COUNTER.fullmatch(name) is not None and _runs(cells)
    return counts or bool(IDENTIFIER.fullmatch(name) and cells.notna().all() and cells.is_unique)


def _names_rows(cells: pd.Series, kind: str) -> bool:
    if kind != "nominal":
        return False
    n_present = int(cells.notna().sum())
    enough = OWN_SHARE * n_present
    if n_present < OWN_FROM or (isinstance(cells.dtype, pd.CategoricalDtype) and len(cells.cat.categories) < enough):
        return False  # so few levels that they need no counting
    return bool(cells.nunique() >= enough)


def _runs(cells: pd.Series) -> bool:
    if isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype("str")
    numbers = pd.to_numeric(cells, errors="coerce")
    first = numbers.iloc[0]
    return first in (0, 1) and bool((numbers.diff().iloc[1:] == 1).all())


def guess_target(frame: pd.DataFrame, kinds: dict[str, str], roles: dict[str, str]) -> str | None:
    """A column named like an outcome; else the last one with 2 to 20 levels; else the last one. Never a date."""
    usable = [name for name in frame.columns if roles.get(name, "feature") == "feature" and kinds[name] != "date"]
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
