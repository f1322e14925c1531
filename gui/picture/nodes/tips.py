"""A node in words: for tooltips and for screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.sentences import tr
from engine.table.words import levels_words
from gui.picture.emphasis import Way
from gui.picture.nodes.figures import PARTS, deviations, disagreeing, disagreement, mean_costs, rates, shares, stats_of
from gui.wording import hand_phrases, words

MOST_CLASSES = 10
MOST_CONDITIONS = 40  # of a rule; the first ones of a longer one are counted
LONGEST_RULE = 400  # letters of one condition; of the rest of a long list of levels there is the number


def tip(
    tree: engine.Tree, i: int, colour: str = "", way: Way | None = None, returned: NDArray[np.float64] | None = None
) -> str:
    """The node at position i as rich text, with what its colour says, what the row that is followed has, and in which
    share of samples its split returned."""
    rule = _rule(tree, i)
    conditions = [escape(part) for part in rule]
    conditions[1:] = [tr("and {condition}", condition=condition) for condition in conditions[1:]]
    way_there, had, split = "<br>".join(conditions), had_words(way, int(tree.ids[i])), tree.split_at(i)
    everywhere = tr("All rows")
    lines = [f"<b>{way_there or everywhere}</b>", *[escape(had)] * bool(had)]
    if split is not None:
        title, n = escape(tree.title(i)), split.n_branches
        by_hand = tr("Split by hand by {column} into {n} branches", column=title, n=n)
        lines.append(by_hand if tree.by_hand[i] else tr("Split by {column} into {n} branches", column=title, n=n))
        if returned is not None:
            share = words.percent(float(returned[i]), 0)
            lines.append(tr("In {share} of the samples a split by the same column stands here", share=share))
    lines.append(_rows(tree, i))
    if tree.task == "classes":
        lines.append(tr("Predicts {answer}", answer=escape(tree.classes[int(tree.labels[i])])))
    lines += [escape(tr("Colour: {what}", what=colour))] * bool(colour)
    lines += [escape(sentence).replace("\n", "<br>") for sentence in hand_phrases.sentences(tree, i)]
    lines += [escape(_disagreement(tree, i))] * bool(disagreeing(tree)[i])
    table = _classes(tree, i) if tree.task == "classes" else _means(tree, i)
    return words.unbroken("<br>".join(lines) + table)


def had_words(way: Way | None, node: int) -> str:
    """What the row that is followed has above a node, “Row 48: age = 42”, or “New row: age = 42”; empty where it
    does not come."""
    if way is None or node not in way.nodes[1:]:
        return ""
    said = [way.words.get(above, "") for above in way.nodes[1 : way.nodes.index(node) + 1]]
    values = ", ".join(dict.fromkeys(filter(None, said)))
    if way.row < 0:
        return tr("New row: {values}", values=values)
    return tr("Row {number}: {values}", number=words.count(way.row + 1), values=values)


def spoken(tree: engine.Tree, i: int) -> str:
    where, node = tr(" and ").join(_rule(tree, i)) or tr("all rows"), int(tree.ids[i])
    rows, split = _counted(int(tree.rows_train[i])), tree.split_at(i)
    if split is not None:
        said = tr("Node {node}: {where}. {rows}; split by {column}.",
                  node=node, where=where, rows=rows, column=tree.title(i))  # fmt: skip
    else:
        said = tr("Node {node}: {where}. {rows}; leaf, predicts {answer}.",
                  node=node, where=where, rows=rows, answer=_answer(tree, i))  # fmt: skip
    return " ".join([said, *hand_phrases.sentences(tree, i)])


def _counted(n: int) -> str:
    return tr("1 training row") if n == 1 else tr("{n} training rows", n=words.count(n))


def _answer(tree: engine.Tree, i: int) -> str:
    if tree.task == "number":
        return words.value(float(tree.predictions[i]))
    label = int(tree.labels[i])
    return f"{tree.classes[label]} ({words.percent(float(tree.probabilities[i, label]))})"


def _rule(tree: engine.Tree, i: int) -> list[str]:
    """The conditions that lead to a node; long lists of levels end, and many conditions begin, with their number."""
    found, at, above = tree.rule(int(tree.ids[i]), MOST_CONDITIONS), i, int(tree.parent[i])
    for k in reversed(range(len(found))):
        split = tree.split_at(above)
        if split is not None and split.kind == "groups":
            found[k] = _short(found[k], split.groups[int(tree.branch[at])])
        at, above = above, int(tree.parent[above])
    before = int(tree.level[i]) - len(found)
    return [tr("{n} conditions higher up", n=words.count(before)), *found] if before else found


def _short(text: str, levels: Sequence[str]) -> str:
    """A condition with as many of its levels as have room, and the number of the others; what follows them stays."""
    whole = f"{{{levels_words(levels)}}}"
    before, found, after = text.partition(whole)
    if len(text) <= LONGEST_RULE or not found:
        return text
    n = max(sum(end <= LONGEST_RULE for end in accumulate(len(levels_words([level])) + 2 for level in levels)), 1)
    if n == len(levels):
        return text
    some = tr("{levels} and {n} more", levels=levels_words(levels[:n]), n=words.count(len(levels) - n))
    return f"{before}{{{some}}}{after}"


def _rows(tree: engine.Tree, i: int) -> str:
    share = tree.rows_train[i] / max(int(tree.rows_train[0]), 1)
    text = tr("{rows} ({share} of all)", rows=_counted(int(tree.rows_train[i])), share=words.percent(float(share)))
    if not tree.rows_validation[0]:
        return text
    n = int(tree.rows_validation[i])
    held_out = tr("1 validation row") if n == 1 else tr("{n} validation rows", n=words.count(n))
    return f"{text}, {held_out}"


def _disagreement(tree: engine.Tree, i: int) -> str:
    found = disagreement(tree)
    level = words.percent(engine.assessment.disagreement.LEVEL, 0)
    p, n = float(found.adjusted[i]), int(np.isfinite(found.p).sum())
    sure = f"p = {words.gain(p)}" if p >= 1e-4 else "p < 0.0001"
    of_all = {"sure": sure, "n": words.count(n), "level": level}
    if tree.task == "number":
        one, other = (words.value(float(rates(tree, 0, stats_of(tree, part))[i])) for part in PARTS)
        return tr("Training and validation rows disagree: the means are {one} and {other}; t test, {sure} after "
                  "adjusting for {n} nodes (Holm). By chance alone any node of a tree is marked in {level} of trees; "
                  "training rows that chose the splits look better than others, too.",
                  one=one, other=other, **of_all)  # fmt: skip
    label = int(found.label[i])
    one, other = (words.percent(float(shares(stats_of(tree, part)[i : i + 1])[0, label])) for part in PARTS)
    name = tree.classes[label]
    return tr("Training and validation rows disagree: {name} are {one} and {other}; exact test, {sure} after adjusting "
              "for {n} nodes (Holm). By chance alone any node of a tree is marked in {level} of trees; training rows "
              "that chose the splits look better than others, too.",
              name=name, one=one, other=other, **of_all)  # fmt: skip


def _table(head: list[str], rows: list[list[str]]) -> str:
    def row(cells: list[str], tag: str) -> str:
        first = f"<{tag} align='left'>{escape(cells[0])}&nbsp;&nbsp;</{tag}>"
        rest = "".join(f"<{tag} align='right'>&nbsp;&nbsp;{escape(cell)}</{tag}>" for cell in cells[1:])
        return f"<tr>{first}{rest}</tr>"

    return f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def _classes(tree: engine.Tree, i: int) -> str:
    validated = bool(tree.rows_validation[0])
    head = ["", tr("training"), "", *([tr("validation"), ""] if validated else [])]
    parts = (tree.train[i], tree.validation[i])[: 1 + validated]
    most = np.argsort(-tree.train[i], kind="stable")[:MOST_CLASSES].tolist()
    rows = [[tree.classes[k], *(cell for counts in parts for cell in _share(counts, k))] for k in most]
    hidden = len(tree.classes) - len(rows)
    if hidden > 0:
        rows.append([tr("and {n} more", n=hidden), *([""] * (len(head) - 1))])
    return _table(head, rows)


def _share(counts: np.ndarray, k: int) -> list[str]:
    share = float(shares(counts[None])[0, k])
    return [words.count(float(counts[k])), words.percent(share)]


def _means(tree: engine.Tree, i: int) -> str:
    parts = [(tr("training"), tree.train), (tr("validation"), tree.validation)][: 1 + bool(tree.rows_validation[0])]
    mean = [words.value(float(rates(tree, 0, stats[i : i + 1])[0])) for _, stats in parts]
    spread = [words.value(float(deviations(stats[i : i + 1])[0])) for _, stats in parts]
    rows = [[tr("mean"), *mean], [tr("standard deviation"), *spread]]
    if tree.predicts_median:
        errors = [words.value(float(mean_costs(tree, part)[i])) for part in ("train", "validation")]
        rows.insert(0, [tr("median"), words.value(float(tree.medians[i])), *([words.NOTHING] * (len(parts) - 1))])
        rows.insert(1, [tr("mean absolute error"), *errors[: len(parts)]])
    return _table(["", *(name for name, _ in parts)], rows)
