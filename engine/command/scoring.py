"""Scoring a file on the command line, and what is printed of it."""

import argparse

import engine
from engine import project
from engine.command.arguments import read_options, say
from engine.formats import PROJECT
from engine.scoring import STABLE

MOST_NOTES = 5


def score_rows(said: argparse.Namespace) -> None:
    """Scores the file, writes the export if one is named, and prints the report."""
    training = None
    if said.file.lower().endswith(PROJECT):
        tree, training = _of_project(said.file)
    else:
        tree = engine.read_tree(said.file)
    target = said.export[0] if said.export else None
    found = engine.score(tree, said.score, target, options=read_options(said), training=training)
    for line in report(found, tree):
        say(line)
    if target:
        say(f"wrote   {target}")


def _of_project(path: str) -> tuple[engine.Tree, engine.Table | None]:
    """The tree as it was saved, and its table where that is what it was."""
    tree = project.load_tree(path)
    try:
        found = project.load(path)
    except project.MissingData as problem:
        say(f"note    {problem}")
        return tree, None
    if found.problems:
        for sentence in found.problems:
            say(f"note    {sentence}")
        say("note    the saved tree is used, and nothing is compared with the changed table")
        return tree, None
    return tree, found.table


def report(found: engine.Scored, tree: engine.Tree) -> list[str]:
    """The findings in plain sentences."""
    rows = "1 row" if found.n_rows == 1 else f"{found.n_rows:,} rows"
    lines = [f"scored  {rows} by a tree for {tree.target} with {tree.n_leaves:,} leaves"]
    lines += [f"column  {column.name}: {words}" for column in found.columns if (words := _column_words(column, found))]
    if len(lines) == 1:
        lines.append("columns every value is of a kind, level and range that the tree knows")
    if found.drift is not None:
        lines.append(f"leaves  {_drift_words(found.drift)}")
        lines += _moved(found)
    if not found.knows_training:
        lines.append(
            "note    a tree without its table knows no ranges and no distributions of its columns: name the project "
            "instead of the tree to compare these, too"
        )
    lines += [f"note    {note}" for note in found.notes[:MOST_NOTES]]
    if len(found.notes) > MOST_NOTES:
        lines.append(f"note    {len(found.notes) - MOST_NOTES:,} more notes like these")
    if found.added:
        lines.append(f"added   {', '.join(found.added)}")
    return lines


def _column_words(column: engine.ColumnFindings, found: engine.Scored) -> str:
    """What is to be said of a column; empty where nothing is."""
    if column.is_absent:
        return "not in the file; no split needs it"
    parts = []
    example = f", first “{column.example}”" if column.example else ""
    for n, words in (
        (column.missing, "missing"),
        (column.unknown, f"of a level that the tree does not know{example}"),
        (column.unreadable, f"not readable as {column.kind}{example}, taken for missing"),
        (column.outside or 0, "outside of the training range"),
    ):
        if n:
            parts.append(f"{n:,} ({100 * n / found.n_rows:.1f} %) {words}")
    if column.drift is not None and column.drift.psi >= STABLE and column.drift.size != "chance":
        parts.append(_drift_words(column.drift))
    if parts and not column.is_asked:
        parts.append("no split asks it")
    return "; ".join(parts)


def _drift_words(drift: engine.Drift) -> str:
    if drift.size == "untested":
        return f"PSI {drift.psi:.3f} against the training rows, without a test"
    figures = f"PSI {drift.psi:.3f}, chi-square p {drift.p:.2g}"
    if drift.size == "chance":
        return f"no drift beyond chance ({figures})"
    if drift.size == "small":
        return f"a drift that is too small to matter ({figures})"
    return f"a {drift.size} drift from the training rows ({figures})"


def _moved(found: engine.Scored) -> list[str]:
    """The leaf whose share changed most, where there is a drift to speak of."""
    if found.drift is None or found.drift.size not in ("moderate", "large"):
        return []
    now = found.counts / found.n_rows
    i = int(abs(now - found.shares).argmax())
    return [
        f"leaves  leaf {found.leaves[i]} has {100 * now[i]:.1f} % of the rows; it had {100 * found.shares[i]:.1f} % in "
        "training"
    ]
