"""The rules of a tree as records: what leads to each leaf, what it predicts, and how well that holds."""

from collections.abc import Iterator
from datetime import date
from math import isnan
from typing import Any

from engine.runtime.sentences import tr
from engine.runtime.version import VERSION
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.rules import ClassRule, Path, rules
from engine.tree.tree import Tree


def about(tree: Tree, table: Table | None = None) -> dict[str, Any]:
    """What the rules are of: the target, how many leaves, what mistakes cost, who wrote it and when, and from which
    table, if that is known."""
    rule = tree.leaf_rule.known_to(tree.classes)
    said = {"target": tree.target, "leaves": tree.n_leaves, "rows": int(tree.rows_train[0]),
            "validation_rows": int(tree.rows_validation[0])}  # fmt: skip
    for name in ("costs", "priors", "threshold", "profits"):
        if found := getattr(rule, name):
            said[name] = [list(entry) if isinstance(entry, tuple) else entry for entry in found]
    if table is not None:
        said["table"] = source_of(table)
    return said | {"written_by": f"Espalier {VERSION}", "date": date.today().isoformat()}


def sentences(tree: Tree, table: Table | None = None) -> list[str]:
    """The same in words: figures in the first sentence, then the table, if that is known, and what mistakes cost."""
    known = about(tree, table)
    said = [tr("Leaves: {leaves:,}. Training rows: {rows:,}. Validation rows: {validation:,}. {program}, {date}.",
               leaves=known["leaves"], rows=known["rows"], validation=known["validation_rows"],
               program=known["written_by"], date=known["date"])]  # fmt: skip
    if "table" in known:
        said.append(tr("Made of the table {table}.", table=known["table"]))
    return said + mistakes(known)


def mistakes(known: dict[str, Any]) -> list[str]:
    """What each mistake costs by `about`, in sentences; none where all cost the same."""
    return [
        tr("A row of {true} that is predicted as {predicted} costs {cost}.", true=true, predicted=predicted,
           cost=number_words(cost))
        for true, predicted, cost in known.get("costs", [])
    ]  # fmt: skip


def error_in_words(tree: Tree, error: float) -> str:
    """An error of a record: a share, or of a number as it is; empty without rows."""
    if isnan(error):
        return ""
    return f"{100 * error:.1f} %" if tree.task == "classes" else number_words(error)


def source_of(table: Table) -> str:
    """Where a table came from: the file as it was opened, else its name."""
    return str(table.source.get("path") or table.name)


def records(tree: Tree) -> Iterator[dict[str, Any]]:
    """A record for each leaf, by what it predicts, those of most training rows first."""
    for rule in rules(tree):
        for path in rule.paths:
            yield record(tree, rule, path)


def record(tree: Tree, rule: ClassRule, path: Path) -> dict[str, Any]:
    """What the way to one leaf says. An error is a share of weight, or of a number as in `Tree.costs`; None without
    rows."""
    found: dict[str, Any] = {
        "leaf": path.node, "conditions": list(path.conditions),
        "prediction": rule.label if rule.value is None else rule.value,
        "rows": path.rows_train, "error": _known(path.error_train),
        "validation_rows": path.rows_validation, "validation_error": _known(path.error_validation),
    }  # fmt: skip
    if tree.task == "classes":
        shares = tree.probabilities[tree.position(path.node)].tolist()
        found["probabilities"] = dict(zip(tree.classes, shares, strict=True))
    return found


def _known(error: float) -> float | None:
    return None if isnan(error) else error
