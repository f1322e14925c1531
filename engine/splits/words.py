"""A split in words: what it asks, and how each branch reads."""

from collections.abc import Mapping

import numpy as np

from engine.splits.split import Split, literal_words
from engine.table.words import levels_words, value_words

MOST_LEVELS_SHOWN = 3
MOST_LITERALS_SHOWN = 3
MOST_SURROGATES_SHOWN = 2
Kinds = str | Mapping[str, str]  # the kind of the split's column, or the kinds of columns by name


def branch_words(split: Split, branch: int, kinds: Kinds) -> str:
    """How a branch reads beside the column's name: "≤ 42.5", "> 42.5", "= Biscoe", "in {Dream, Torgersen}".

    That of an m-of-n split is a whole condition: "at least 2 of {fever = yes, age > 60, cough = yes}"; of more
    literals how many are asked: "at least 5 of 16".

    Args:
        kinds: the column's kind, for dates and booleans; or the kinds of all columns by name.
    """
    if split.kind == "m_of_n":
        return _literals(split, branch, kinds, MOST_LITERALS_SHOWN)
    if split.kind == "threshold":
        return _interval(split, branch, _kind_of(split.column, split, kinds))
    group = split.groups[branch]
    if not group:
        return "missing" if split.missing == branch and not split.surrogates else "any other"
    if len(group) == 1:
        return f"= {group[0]}"
    if len(group) <= MOST_LEVELS_SHOWN:
        return f"in {{{levels_words(group)}}}"
    return f"in {len(group)} of {sum(map(len, split.groups))}: {group[0]} …"


def _kind_of(column: str, split: Split, kinds: Kinds) -> str:
    if isinstance(kinds, str):
        return kinds if column == split.column else "number"
    return kinds.get(column, "number")


def _interval(split: Split, branch: int, kind: str) -> str:
    cuts = [value_words(threshold, kind) for threshold in split.thresholds]
    if split.has_missing_branch and branch == split.missing:
        return "missing"
    if split.thresholds == (np.inf,) and not split.has_missing_branch:
        return "present" if branch == 0 else "missing"
    if branch == 0:
        return f"≤ {cuts[0]}"
    if branch == len(cuts):
        return f"> {cuts[-1]}"
    return f"in ({cuts[branch - 1]}, {cuts[branch]}]"


def _literals(split: Split, branch: int, kinds: Kinds, most: float) -> str:
    """A branch of an m-of-n split; of more than `most` literals their number."""
    n = len(split.literals)
    if n > most:
        return f"{_quantity(split, branch)} {n}"
    words = [literal_words(literal, _kind_of(literal.column, split, kinds)) for literal in split.literals]
    if n == 1:
        return words[0] if branch == 0 else f"not {words[0]}"
    return f"{_quantity(split, branch)} {{{', '.join(words)}}}"


def _quantity(split: Split, branch: int) -> str:
    if split.m == 1:
        return "any of" if branch == 0 else "none of"
    if split.m == len(split.literals):
        return "all of" if branch == 0 else "not all of"
    return f"at least {split.m} of" if branch == 0 else f"fewer than {split.m} of"


def title(split: Split) -> str:
    """What a split asks, in a few words: the column's name; of several literals "at least 2 of 3 conditions"."""
    n = len(split.literals)
    return split.column if n < 2 else f"{_quantity(split, 0)} {n} conditions"


def sentence(split: Split, branch: int, kinds: Kinds) -> str:
    """A branch as a condition: "age ≤ 42.5", "at least 5 of 16 conditions"."""
    words = branch_words(split, branch, kinds)
    if split.kind == "m_of_n":
        return words if len(split.literals) <= MOST_LITERALS_SHOWN else f"{words} conditions"
    return f"{split.column} {words}"


def full_words(split: Split, branch: int, kinds: Kinds, lacking: bool = True) -> str:
    """A branch as a condition with all of its levels or literals; for tooltips and rules.

    Args:
        kinds: as for `branch_words`.
        lacking: whether the column is missing in some rows, so that the words include where they go. Of many
            surrogates the first are named.
    """
    if split.kind == "m_of_n":
        return _literals(split, branch, kinds, np.inf)
    if split.kind == "groups" and len(split.groups[branch]) > MOST_LEVELS_SHOWN:
        text = f"{split.column} in {{{levels_words(split.groups[branch])}}}"
    else:
        text = sentence(split, branch, kinds)
    if split.surrogates:
        return f"{text} (where missing: {_surrogate_words(split, branch, kinds)})" if lacking else text
    stands_for_missing = text.endswith((" missing", " present"))
    names_missing = lacking and split.missing == branch and not stands_for_missing
    return f"{text} or missing" if names_missing else text


def _surrogate_words(split: Split, branch: int, kinds: Kinds) -> str:
    """What decides where the column is missing: "income ≤ 20, else town = Ulm, else never"."""
    shown = split.surrogates[:MOST_SURROGATES_SHOWN]
    words = [sentence(surrogate.split, branch ^ surrogate.flipped, kinds) for surrogate in shown]
    last = "…" if len(shown) < len(split.surrogates) else "always" if split.missing == branch else "never"
    return ", else ".join([*words, last])
