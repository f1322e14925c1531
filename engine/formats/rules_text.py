"""A tree as its rules in words."""

from collections.abc import Iterator

from engine.runtime.errors import printable
from engine.tree.rules import bracketed, rules
from engine.tree.tree import Tree


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces: for each class a line with its name and one for each way to it; a line for each number; then
    the notes that people wrote, each below the conditions of its node."""
    for rule in rules(tree):
        if rule.value is None:
            yield printable(f"{tree.target} = {rule.label}:") + "\n    "
            yield "\n    OR ".join(map(printable, rule.parts)) + "\n"
        else:
            yield printable(rule.text) + "\n"
    yield from _notes(tree)


def _notes(tree: Tree) -> Iterator[str]:
    notes = {tree.position(node): mark.note for node, mark in tree.marks.items() if mark.note.strip()}
    if notes:
        yield "\nNotes:\n"
    for i in sorted(notes):
        where = " AND ".join(map(bracketed, tree.rule(int(tree.ids[i])))) or "all rows"
        yield f"    {printable(where)}:\n"
        yield from (f"        {printable(line)}\n" for line in notes[i].splitlines())
