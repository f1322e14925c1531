"""Which nodes are meant by what somebody types into the find bar. A column means the nodes that split by it; a level or
other words of a condition mean the nodes that the condition leads to; a class means the leaves that say it; words of a
note mean its node; "#12", or "12" where there is such a node, means its number. Conditions joined by "and" mean the
nodes at which all of them hold, the last one just so. Words mean what begins with them and, only where there is
nothing, what holds them anywhere. Conditions are searched in the words of `engine.splits.full_words`, all levels named,
without what surrogates say, made for the whole tree at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.sentences import tr
from engine.table.words import levels_words, value_words
from gui.picture.tree_cache import kept
from gui.wording import words

THRESHOLD, GROUPS, M_OF_N = 1, 2, 3  # kinds of splits as in `engine.tree.nodes`, which brings the compiler along
STRETCH = 2000  # lines that are put into typed words at once: Python's lock is held meanwhile
BY_NUMBERS = (1, 4)  # thresholds, without and with surrogates
MOST_TYPED = 40  # letters of what was typed
MOST_COLUMNS_NAMED = MOST_CUTS_NAMED = 5
OPERATOR = re.compile(r"\s*(<=|>=|!=|==|<|>|=)\s*")
COMPARED = re.compile(r"(.+?) (<=|>|=|!=) (.+)")
MEANT = {"<": "<=", ">=": ">", "==": "="}  # conditions have no others
NUMBER = re.compile(r"#?\s*(\d{1,18})")
JOINED = " and "
BRACKETED = re.compile(r"^\((.* or missing)\)$")  # as in a path that was copied


class Lines(NamedTuple):
    """The conditions of a tree as one text."""

    text: bytes  # a line for each node, the root's is empty; as `words.typed` writes them, in UTF-8
    starts: NDArray[np.int64]  # int64[n_nodes], where in it the line of each position begins

    def holding(self, part: str, *, anywhere: bool = False) -> NDArray[np.int64]:
        """The positions of the nodes whose line holds these words, in preorder; see `hits`."""
        found = hits(self.text, part, anywhere=anywhere)
        return np.unique(np.searchsorted(self.starts, np.array(found, dtype=np.int64), side="right") - 1)


def hits(text: bytes, part: str, *, anywhere: bool) -> list[int]:
    """Where words stand in a text: at the beginning of a word of it ("age" is not in "Copenhagen"), or anywhere."""
    wanted, at, found = part.encode(errors="replace"), -1, []
    inside = not anywhere and part[:1].isalnum()
    while wanted and (at := text.find(wanted, at + 1)) >= 0:
        # Letters beyond ASCII have several bytes, all of them above 127.
        if not inside or at == 0 or not (text[at - 1 : at].isalnum() or text[at - 1] > 127):
            found.append(at)
    return found


@kept
def lines_of(tree: engine.Tree) -> Lines:
    found = conditions(tree)
    pieces = []
    for start in range(0, len(found), STRETCH):
        stretch = found[start : start + STRETCH]
        joined = "\n".join(stretch)
        if joined.count("\n") != len(stretch) - 1:  # in the name of a level
            joined = "\n".join(" ".join(line.splitlines()) for line in stretch)
        pieces.append(words.typed(joined).encode(errors="replace"))
    text = b"\n".join(pieces)
    ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))
    return Lines(text, np.concatenate(([0], ends + 1)).astype(np.int64))


def conditions(tree: engine.Tree) -> list[str]:
    """The condition that leads to the node at each position; empty for the root."""
    found = [""] * tree.n_nodes
    first, order = children(tree)
    plain = _by_one_threshold(tree, first, order, found)
    grouped = _by_groups(tree, first, order, found)
    others = np.flatnonzero((tree.n_branches > 0) & ~plain & ~grouped)
    if others.size:
        from engine.tree.nodes import unpack_split  # late: it brings the compiler along

        for i in others.tolist():
            split = unpack_split(tree.columns, tree.nodes, tree.payload, i)  # not `split_at`, which would keep them all
            lacking = tree.columns[int(tree.nodes.column[i])].missing and not split.surrogates
            for branch in range(split.n_branches):
                found[order[first[i] + branch]] = engine.splits.full_words(split, branch, tree.kinds, lacking)
    return found


def children(tree: engine.Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(int64[n_nodes], int64[n_nodes − 1]): the child of node i by branch b stands at `order[first[i] + b]`."""
    first = np.cumsum(tree.n_branches, dtype=np.int64) - tree.n_branches
    return first, np.argsort(tree.parent[1:], kind="stable") + 1


def _by_one_threshold(tree: engine.Tree, first: NDArray, order: NDArray, found: list[str]) -> NDArray:
    """Fills in the children of the splits at one finite threshold; bool[n_nodes]: which these are."""
    nodes, finite = tree.nodes, np.isfinite(tree.nodes.threshold)
    plain = (nodes.kind == THRESHOLD) & (nodes.payload_size == 0) & (nodes.n_branches == 2) & finite
    plain &= nodes.missing >= 0  # else rows are divided, which takes more words
    at = np.flatnonzero(plain)
    names, kinds = [column.name for column in tree.columns], [column.kind_in_words for column in tree.columns]
    lacks = [column.missing for column in tree.columns]
    below, above = order[first[at]].tolist(), order[first[at] + 1].tolist()
    asked = zip(nodes.column[at].tolist(), nodes.threshold[at].tolist(), nodes.missing[at].tolist(), strict=True)
    for (column, threshold, missing), *both in zip(asked, below, above, strict=True):
        name, value = names[column], value_words(threshold, kinds[column])
        for branch, sign in enumerate("≤>"):
            found[both[branch]] = f"{name} {sign} {value}{' or missing' * (lacks[column] and missing == branch)}"
    return plain


def _by_groups(tree: engine.Tree, first: NDArray[np.int64], order: NDArray[np.int64], found: list[str]) -> NDArray:
    """Fills in the children of the splits by levels; bool[n_nodes]: which these are."""
    nodes, grouped = tree.nodes, (tree.nodes.kind == GROUPS) & (tree.nodes.missing >= 0)
    at = np.flatnonzero(grouped)
    if not at.size:
        return grouped
    from engine.tree.nodes import entries  # late: it brings the compiler along

    node, place = entries(nodes, at, 2)
    level, branch = tree.payload[place].astype(np.int64), tree.payload[place + 1].astype(np.int64)
    child = order[first[node] + branch]
    sorting = np.argsort(child, kind="stable")  # levels keep their order
    levels = [column.levels for column in tree.columns]
    named = [levels[c][k] for c, k in zip(nodes.column[node[sorting]].tolist(), level[sorting].tolist(), strict=True)]
    count = nodes.n_branches[at]
    parents = np.repeat(at, count)
    branches = np.arange(parents.size) - np.repeat(np.cumsum(count) - count, count)
    below = order[first[parents] + branches]
    starts, stops = (np.searchsorted(child[sorting], below, side).tolist() for side in ("left", "right"))
    takes_missing = (nodes.missing[parents] == branches).tolist()
    of = nodes.column[parents].tolist()
    for i, column, start, stop, missing in zip(below.tolist(), of, starts, stops, takes_missing, strict=True):
        found[i] = _group_words(tree.columns[column].name, named[start:stop], missing, tree.columns[column].missing)
    return grouped


def _group_words(column: str, group: list[str], missing: bool, lacks: bool) -> str:
    if not group:
        return f"{column} {'missing' if missing else 'any other'}"
    text = f"{column} = {group[0]}" if len(group) == 1 else f"{column} in {{{levels_words(group)}}}"
    return f"{text} or missing" if missing and lacks else text


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found."""

    tree: engine.Tree  # the one that was searched
    positions: NDArray[np.int64]  # int64, ascending: the nodes that match
    why_none: str = ""  # in a sentence, why there are none; empty where there are, and where nothing was asked


class Asked(NamedTuple):
    """A query, or one of its conditions."""

    forms: tuple[str, ...]  # in small letters as it was typed, and with its operators as conditions have them
    anywhere: bool  # whether it may stand inside of words: only where it begins none

    @classmethod
    def of(cls, query: str, *, anywhere: bool = False) -> Asked:
        plain = " ".join(words.typed(query).split())
        spaced = OPERATOR.sub(lambda sign: f" {MEANT.get(sign[1], sign[1])} ", plain)
        return cls(tuple(dict.fromkeys(form for form in (plain, " ".join(spaced.split())) if form)), anywhere)

    def held_by(self, text: str) -> bool:
        plain = words.typed(text).encode(errors="replace")
        return any(hits(plain, form, anywhere=self.anywhere) for form in self.forms)

    def columns(self, tree: engine.Tree) -> NDArray[np.bool_]:
        return np.array([self.held_by(column.name) for column in tree.columns], dtype=bool)


def find(tree: engine.Tree, query: str, progress: engine.Progress | None = None) -> Found:
    asked = Asked.of(query)
    if not asked.forms:
        return Found(tree, np.zeros(0, dtype=np.int64))
    number = NUMBER.fullmatch(asked.forms[0])
    if number and int(number[1]) in tree:
        return Found(tree, np.array([tree.position(int(number[1]))]))
    for anywhere in (False, True):
        found = _matching(tree, asked._replace(anywhere=anywhere))
        parts = [BRACKETED.sub(r"\1", part) for part in asked.forms[0].split(JOINED) if part.strip()]
        if not found.size and len(parts) > 1:
            found = _all_of(tree, [Asked.of(part, anywhere=anywhere) for part in parts])
        if found.size:
            return Found(tree, found)
    return Found(tree, found, _why_none(tree, query.strip(), asked))


def at_or_below(tree: engine.Tree, at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[n_nodes]: which nodes stand in a subtree of one of these."""
    steps = np.bincount(at, minlength=tree.n_nodes + 1)
    return np.cumsum(steps - np.bincount(tree.end[at], minlength=tree.n_nodes + 1))[:-1] > 0


def _all_of(tree: engine.Tree, parts: list[Asked]) -> NDArray[np.int64]:
    """The nodes where conditions hold that were joined by "and", the last of them since just there."""
    each = [_led_to(tree, part) for part in parts]
    if not all(found.size for found in each):
        return np.zeros(0, dtype=np.int64)
    holds = np.logical_and.reduce([at_or_below(tree, found) for found in each])
    just = np.unique(np.concatenate(each))
    return just[holds[just]]


def _matching(tree: engine.Tree, asked: Asked) -> NDArray[np.int64]:
    splits = _splitting_by(tree, asked.columns(tree))
    below = _led_to(tree, asked)
    below = below[~splits[tree.parent[below]]]  # their words hold the name of the column, nothing more
    marks = tree.marks.items()
    noted = np.array([tree.position(i) for i, mark in marks if mark.note and asked.held_by(mark.note)], np.int64)
    return np.unique(np.concatenate((np.flatnonzero(splits), below, _saying(tree, asked), noted)))


def _led_to(tree: engine.Tree, asked: Asked) -> NDArray[np.int64]:
    """The positions of the nodes that a condition leads to; "city = Ulm" means groups with other levels, too."""
    lines = lines_of(tree)
    found = np.unique(np.concatenate([lines.holding(form, anywhere=asked.anywhere) for form in asked.forms]))
    column, sign, level = asked.forms[-1].partition(" = ")
    if not (sign and level and column):
        return found
    among = lines.holding(level, anywhere=asked.anywhere)
    above = tree.parent[among]
    named = Asked((column,), asked.anywhere).columns(tree)
    by_levels = ~np.isin(tree.nodes.kind[above], BY_NUMBERS) & named[tree.nodes.column[above]]
    return np.union1d(found, among[by_levels])


def _splitting_by(tree: engine.Tree, columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[n_nodes]: the nodes whose split looks at one of these columns, itself or in one of its literals."""
    inner = tree.n_branches > 0
    if not columns.any():
        return np.zeros_like(inner)
    found = inner & columns[np.where(inner, tree.nodes.column, 0)]
    several = np.flatnonzero(tree.nodes.kind == M_OF_N)
    if several.size:
        from engine.tree.nodes import entries  # late: it brings the compiler along

        node, place = entries(tree.nodes, several, 3)
        found[node[columns[tree.payload[place].astype(np.int64)]]] = True
    return found


def _saying(tree: engine.Tree, asked: Asked) -> NDArray[np.int64]:
    """The leaves that say a class of this name, which may be written in full: "buys = yes"."""
    target = words.typed(tree.target)
    in_full = tuple(form for form in asked.forms if form.startswith(target))
    named = [(name, f"{target} = {words.typed(name)}") for name in tree.classes]
    meant = [asked.held_by(name) or any(map(full.startswith, in_full)) for name, full in named]
    if not any(meant):
        return np.zeros(0, dtype=np.int64)
    return tree.leaves[np.array(meant)[tree.labels[tree.leaves]]]


def _why_none(tree: engine.Tree, query: str, asked: Asked) -> str:
    number = NUMBER.fullmatch(asked.forms[0])
    if number:
        last, node = int(tree.ids.max()), int(number[1])
        return tr("The tree has no node {node}: its nodes have numbers from 0 to {last}.", node=node, last=last)
    typed = query if len(query) <= MOST_TYPED else f"{query[: MOST_TYPED - 1]}…"
    if query.startswith("#"):
        return tr("“{typed}” is no number of a node: write digits behind #, as in #12.", typed=typed)
    named = [column.name for column in tree.columns if asked._replace(anywhere=True).held_by(column.name)]
    if named:
        return tr("No node splits by “{column}”. {hint}", column=named[0], hint=_columns_used(tree))
    hint = _cuts(tree, asked) or _columns_used(tree)
    return tr("Nothing in the tree reads “{typed}”. {hint}", typed=typed, hint=hint)


def _cuts(tree: engine.Tree, asked: Asked) -> str:
    """Of a condition of a column that is cut: where it is, nearest to what was typed; empty of other words."""
    found = COMPARED.fullmatch(asked.forms[-1])
    if found is None:
        return ""
    nodes = tree.nodes
    for k, column in enumerate(tree.columns):
        if words.typed(column.name) != found[1]:
            continue
        cuts = np.unique(nodes.threshold[(nodes.kind == BY_NUMBERS[0]) & (nodes.column == k)])
        cuts = cuts[np.isfinite(cuts)]
        if cuts.size:
            near = _nearest(cuts, found[3], column.kind_in_words)
            more, named = cuts.size - len(near), ", ".join(near)
            if not more:
                return tr("“{column}” is cut at {cuts}.", column=column.name, cuts=named)
            return tr("“{column}” is cut at {cuts} and at {n} more.", column=column.name, cuts=named, n=more)
    return ""


def _nearest(cuts: NDArray[np.float64], typed: str, kind: str) -> list[str]:
    """Some of many cuts in words, in order: those around a number that was typed."""
    try:
        at = int(np.searchsorted(cuts, float(typed)))
    except ValueError:
        at = 0
    first = min(max(at - MOST_CUTS_NAMED // 2, 0), max(cuts.size - MOST_CUTS_NAMED, 0))
    return [value_words(float(cut), kind) for cut in cuts[first : first + MOST_CUTS_NAMED]]


def _columns_used(tree: engine.Tree) -> str:
    used = np.unique(tree.nodes.column[tree.n_branches > 0])
    if not used.size:
        return tr("The tree has no splits yet: split the root first (S).")
    columns = ", ".join(tree.columns[place].name for place in used[:MOST_COLUMNS_NAMED].tolist())
    more, some = used.size - MOST_COLUMNS_NAMED, tr("It splits by {columns}.", columns=columns)
    return tr("It splits by {columns} and {n} more.", columns=columns, n=more) if more > 0 else some
