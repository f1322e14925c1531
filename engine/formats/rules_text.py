"""A tree as its rules in words."""

from collections.abc import Iterator
from itertools import zip_longest

from engine.formats.rules_table import error_in_words, sentences
from engine.runtime.errors import printable
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.rules import ClassRule, Path, bracketed, rules
from engine.tree.tree import Tree


def write(tree: Tree, table: Table | None = None) -> Iterator[str]:
    """The file in pieces: what the rules are of; for each class a line with its name and one for each way to it; a line
    for each number; below each way its leaf with rows and errors; then the notes that people wrote, each below the
    conditions of its node."""
    yield from (f"{printable(sentence)}\n" for sentence in sentences(tree, table))
    yield "\n"
    for rule in rules(tree):
        if rule.value is None:
            yield printable(f"{tree.target} = {rule.label}:") + "\n"
        joint = ""
        for part, path in zip_longest(rule.parts if rule.value is None else [rule.text], _said(rule)):
            yield f"    {joint}{printable(part)}\n" if rule.value is None else f"{printable(part)}\n"
            joint = "OR "
            if path is not None:
                yield f"        {_figures(tree, path)}\n"
    yield from _notes(tree)


def _said(rule: ClassRule) -> list[Path]:
    """The ways that a rule names: those that a row can take, or the one that all rows do."""
    possible = [path for path in rule.paths if path.possible]
    return [path for path in possible if not path.conditions][:1] or possible


def _figures(tree: Tree, path: Path) -> str:
    """The leaf of a way, its rows, and their error."""
    said = {"leaf": path.node, "rows": path.rows_train, "error": error_in_words(tree, path.error_train)}
    seen, missed = path.rows_validation, error_in_words(tree, path.error_validation)
    if not said["error"]:
        return tr("Leaf {leaf}. Training rows: {rows:,}.", **said)
    if not missed:
        return tr("Leaf {leaf}. Training rows: {rows:,}, error {error}.", **said)
    return tr("Leaf {leaf}. Training rows: {rows:,}, error {error}. Validation rows: {seen:,}, error {missed}.",
              seen=seen, missed=missed, **said)  # fmt: skip


def _notes(tree: Tree) -> Iterator[str]:
    notes = {tree.position(node): mark.note for node, mark in tree.marks.items() if mark.note.strip()}
    if notes:
        yield "\nNotes:\n"
    for i in sorted(notes):
        where = " AND ".join(map(bracketed, tree.rule(int(tree.ids[i])))) or "all rows"
        yield f"    {printable(where)}:\n"
        yield from (f"        {printable(line)}\n" for line in notes[i].splitlines())
