"""Everything that a report says, as plain figures: lists, texts and numbers that JSON holds."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.metadata import version
from math import isfinite
from platform import platform, python_version
from typing import Any

import numpy as np

from engine.assessment import Fit, assess
from engine.assessment.importance import importance
from engine.assessment.leaf_report import leaf_report
from engine.assessment.selection import unchosen_parts
from engine.criteria import CRITERIA
from engine.pruning.result import Pruning
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.version import VERSION as PROGRAM
from engine.table.partition import TEST, TRAIN, VALIDATION
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.assignment import Assignment
from engine.tree.rules import rules
from engine.tree.tree import Tree

FORMAT, VERSION = "espalier-report", 1
PARTS = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
MOST_LEVELS = 12  # of a column that are named
PERMUTATIONS = 20
ESTIMATES = ("balanced_accuracy", "kappa", "matthews")
OF_CLASS = ("precision", "recall", "f1")
PLAIN = ("log_loss", "brier")
OF_STEP = ("leaves", "train_error", "validation_error", "alpha", "cv_error", "cv_se")
LIBRARIES = ("numpy", "pandas", "numba", "scipy", "pyarrow")
OF_NUMBERS = ("mse", "rmse", "mae", "r2")


def figures(
    table: Table, tree: Tree, test: bool, focus: str | None, made: Sequence[str], pruning: Pruning | None,
    compared: int, looks: int, seed: int, assignment: Assignment | None, progress: Progress,
) -> dict[str, Any]:  # fmt: skip
    """The whole report; see `engine.report` for what it is made of. What is not known is None."""
    progress.report(0.0, tr("Assessing"))
    held = {"train": table.n_train, "validation": table.n_validation, "test": table.n_test}
    parts = [part for part, n in held.items() if n and (part != "test" or test)]
    if pruning is not None and pruning.by_validation:
        compared = max(compared, len(pruning.steps))
    sure = unchosen_parts(tree, compared)
    sealed = frozenset[str]() if "test" in parts else table.sealed_classes
    usual = tree.classes[int(tree.train[0].argmax())] if tree.task == "classes" else ""
    fits = [assess(table, tree, part, assignment=assignment) for part in parts]
    assessed = [_of_fit(fit, usual, fit.part in sure, sealed) for fit in fits]
    progress.report(0.2, tr("Listing the leaves"))
    focus = (focus or rarest(tree)) if tree.task == "classes" else None
    leaves = leaf_report(table, tree, focus=focus, assignment=assignment)
    times = PERMUTATIONS if table.counter is None else 0
    weighed = importance(
        table, tree, permutations=times, seed=seed, assignment=assignment, progress=progress.part(0.3, 1.0)
    )
    return _plain({
        "format": FORMAT,
        "version": VERSION,
        "made_at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "table": _of_table(table, tree, sealed),
        "tree": {
            "leaves": tree.n_leaves, "depth": tree.depth, "splits": tree.n_nodes - tree.n_leaves,
            "splits_by_hand": int(tree.by_hand[tree.n_branches > 0].sum()), "options": tree.options,
            "leaf_rule": {name: value for name, value in vars(tree.leaf_rule).items() if value not in ("", ())},
            "focus": focus, "most_frequent": usual, "made": list(made), "trees_compared_by_validation": compared,
            "test_looks": looks,
        },
        "by_hand": list(_decided(tree, sealed)),
        "pruning": None if pruning is None else {
            "method": pruning.method, "chosen": pruning.chosen, "remark": pruning.remark,
            "steps": [{name: getattr(step, name) for name in OF_STEP} for step in pruning.steps],
        },
        "assessment": assessed,
        "importance": weighed.reset_index().to_dict("records"),
        "leaves": leaves.to_dict("records"),
        "rules": [{"predicts": rule.label if rule.value is None else rule.value, "ways": list(rule.parts),
                   "conditions": [list(path.conditions) for path in rule.paths if path.possible]}
                  for rule in rules(tree) if rule.label not in sealed],
        "versions": {"Espalier": PROGRAM, "Python": python_version(),
                     **{name: version(name) for name in LIBRARIES}, "Platform": platform()},
    })  # fmt: skip


def rarest(tree: Tree) -> str:
    """The class with the fewest training rows, of equal ones the last: what people usually look for."""
    counts = np.where(tree.train[0] > 0, tree.train[0], np.inf)
    return tree.classes[counts.size - 1 - int(np.argmin(counts[::-1]))]


def _decided(tree: Tree, sealed: frozenset[str]) -> Iterator[dict[str, Any]]:
    """What a person decided at each node, in preorder: its split, what is written on it, and the note."""
    for i in np.flatnonzero((tree.by_hand & (tree.n_branches > 0)) | np.isin(tree.ids, list(tree.marks))).tolist():
        node, said = int(tree.ids[i]), list[str]()
        mark = tree.mark(node)
        if tree.n_branches[i] and tree.by_hand[i]:
            said.append(tr("Split by hand: {question}", question=tree.sentence(tree.children(i)[0])))
        said += [tr("Pinned: growing and pruning leave it as it is")] * mark.pinned
        said += [tr("Locked: nothing changes at or below it")] * mark.locked
        if mark.label is not None and mark.label not in sealed and not mark.label_by_pruning:
            label = mark.label if isinstance(mark.label, str) else number_words(mark.label)
            said.append(tr("Predicts by hand: {label}", label=label))
        if mark.excluded:
            said.append(tr("Columns excluded from here on: {columns}", columns=", ".join(mark.excluded)))
        if mark.criterion:
            said.append(tr("Searched from here on by: {criterion}", criterion=tr(CRITERIA[mark.criterion].label)))
        if said or mark.note:
            yield {"node": node, "way": tree.rule(node), "decided": said, "note": mark.note}


def _of_table(table: Table, tree: Tree, sealed: frozenset[str]) -> dict[str, Any]:
    """The facts of a table without the rows that are kept for the test, and without `sealed` classes. Where rows are
    only counted, of all values that the table has."""
    rows, by_rows = table.unsealed, table.counter is None
    target: dict[str, Any] = {"name": table.target, "task": table.task}
    if table.task == "classes":
        counts = {"train": tree.train[0], "validation": tree.validation[0]}
        if by_rows:  # which a tree knows by their weight
            counts = {part: np.bincount(table.y[table.rows(number)], minlength=len(table.classes))
                      for part, number in PARTS.items() if part != "test"}  # fmt: skip
        target["classes"] = [
            {"name": name, **{part: int(of_part[k]) for part, of_part in counts.items()}}
            for k, name in enumerate(table.classes)
            if name not in sealed
        ]
    columns = []
    for column in table.columns:
        n_missing, seen = column.n_missing, np.arange(column.n_values)
        if by_rows:
            codes = column.codes[rows]
            n_missing, seen = int(np.count_nonzero(codes == 0)), np.unique(codes[codes > 0]).astype(np.int64) - 1
        facts: dict[str, Any] = {
            "name": column.name, "kind": column.kind,
            "role": "target" if column.name == table.target else table.roles.get(column.name, "feature"),
            "missing": n_missing, "distinct": int(seen.size),
        }  # fmt: skip
        if column.is_numeric and seen.size:
            facts |= {"lowest": column.text(int(seen[0])), "highest": column.text(int(seen[-1]))}
        elif not column.is_numeric:
            facts["levels"] = [column.levels[place] for place in seen[:MOST_LEVELS].tolist()]
        columns.append(facts)
    parts = {"train": table.n_train, "validation": table.n_validation, "test": table.n_test}
    return {
        "name": table.name, "path": table.source.get("path"), "rows": table.n_rows, "parts": parts, "target": target,
        "columns": columns, "notes": list(table.notes),
    }  # fmt: skip


def _of_fit(fit: Fit, usual: str, sure: bool, sealed: frozenset[str]) -> dict[str, Any]:
    """What is known of one part of the rows, without `sealed` classes; intervals where they are `sure` to hold.
    `usual`: the most frequent class of the training rows, which a tree of one leaf says."""

    def estimate(value: float, low: float, high: float) -> tuple[float, float | None, float | None]:
        return (value, low, high) if sure else (value, None, None)

    found: dict[str, Any] = {"part": fit.part, "rows": fit.n, "weight": fit.weight, "error": fit.error}
    if not fit.classes:
        return found | {name: getattr(fit, name) for name in OF_NUMBERS}
    found |= {"accuracy": estimate(fit.accuracy, *fit.interval), "mean_loss": fit.loss, "mean_profit": fit.mean_profit}
    found["accuracy_without_tree"] = 1.0 - fit.error_of_always(usual)
    found |= {name: estimate(*getattr(fit, name)) for name in ESTIMATES}
    found |= {name: getattr(fit, name) for name in PLAIN}
    found["auc"] = estimate(fit.auc, *fit.auc_interval)
    known = [k for k, label in enumerate(fit.classes) if label not in sealed]
    figures_of = {name: [estimate(*one) for one in getattr(fit, name).tolist()] for name in OF_CLASS}
    found["classes"] = [
        {"name": fit.classes[k], **{name: figures_of[name][k] for name in OF_CLASS},
         "auc": estimate(fit.ranking(fit.classes[k]).auc, *fit.ranking(fit.classes[k]).auc_interval)}
        for k in known
    ]  # fmt: skip
    return found | {"confusion": fit.confusion[np.ix_(known, known)].tolist()}


def _plain(value: Any) -> Any:
    """The same for JSON: numbers of Python, None for those that are not finite."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
