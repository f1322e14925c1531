"""What the worker reads and writes: tables, projects, trees, pictures. No Qt in here, but for the picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.search.options import PRESETS
from gui.model import tree_tasks
from gui.model.history import State
from gui.model.import_choice import ImportChoice, propose_shares
from gui.model.search import searching
from gui.wording import phrases

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from engine.readers import Preview
    from engine.table.table import Table
    from gui.picture.paper.sheet import View, Wish
    from gui.picture.picture_model import PictureModel
    from gui.picture.picture_options import PictureOptions


def look(path: Path, progress: Progress) -> Preview:
    """A first look at a file."""
    progress.report(0.0, "Reading the first rows")
    return engine.inspect(path)


@dataclass(frozen=True)
class Opened:
    """A state to start with, and the class to look at first (None: the usual one)."""

    state: State
    focus: int | None = None


def opened(path: Path, options: dict[str, Any], progress: Progress) -> Opened:
    """Reads a table without asking: the target is guessed unless it is named, rows are held out as proposed."""
    chosen = dict(options)
    if chosen.get("target") is None:
        chosen["target"] = engine.inspect(path).target
    table = engine.read_table(path, **chosen, progress=progress)
    return Opened(_planted(table, propose_shares(table.n_rows), progress))


def imported(choice: ImportChoice, progress: Progress) -> Opened:
    """Reads a table as it was decided in the dialog."""
    how: dict[str, Any] = {"options": choice.options, "target": choice.target, "roles": choice.roles}
    if choice.text is not None:
        table = engine.read_text(choice.text, **how, progress=progress)
    else:
        table = engine.read_table(choice.path, **how, progress=progress)
    if choice.partition_column is not None:
        state = _counted(table.with_partition(column=choice.partition_column), progress)
    else:
        state = _planted(table, choice, progress)
    return Opened(state, _place(choice.focus, state.table))


def example(name: str, progress: Progress) -> Opened:
    """Opens one of the shipped examples, rows held out as proposed."""
    progress.report(0.0, "Reading")
    listed = {example.id: example.focus for example in engine.list_examples()}
    table = engine.read_example(name)
    return Opened(_planted(table, propose_shares(table.n_rows), progress), _place(listed[name], table))


def _planted(table: Table, shares: Any, progress: Progress) -> State:
    """A leaf over a table whose rows are divided as `shares` says (validation, test, perhaps seed)."""
    if shares.validation or shares.test:
        seed = getattr(shares, "seed", 0)
        table = table.with_partition(validation=shares.validation, test=shares.test, seed=seed)
    return _counted(table, progress)


def _counted(table: Table, progress: Progress) -> State:
    progress.report(0.95, "Counting the classes")
    return tree_tasks.first_state(table)


def _place(name: str | None, table: Table) -> int | None:
    return table.classes.index(name) if name in table.classes else None


def read_tree(state: State, path: Path, progress: Progress) -> tuple[State, tuple[str, ...], str]:
    """A tree from a JSON file, counted on the present table; the last answer says what else is different there.

    Raises:
        InputError: it cannot be read, predicts another target, or nothing of it fits the table.
    """
    tree = engine.read_tree(path)
    after, lost = tree_tasks.counted_on(state.table, tree, state.picture)
    if tree.n_leaves > 1 and after.tree.n_leaves == 1:
        asked = tree.sentence(tree.children(0)[0])
        raise InputError(
            f"No split of “{path.name}” fits {state.table.name}: the root is split by “{asked}”, and the table has no "
            "such feature."
        )
    return after, lost, phrases.other_classes(tree, after.tree)


def loaded(
    path: Path, data: Path | None, picture: PictureOptions, progress: Progress
) -> tuple[State, dict[str, Any], tuple[str, ...]]:
    """Reads a project: its state, its settings, and what did not fit any more."""
    from engine import project

    found = project.load(path, data, progress=progress)
    problems = list(found.problems)
    settings = usable_settings(found.settings, found.table, problems)
    return tree_tasks.first_state(found.table, found.tree, picture), settings, tuple(problems)


def usable_settings(settings: dict[str, Any], table: Table, problems: list[str]) -> dict[str, Any]:
    """The settings of a project file without what cannot be used; what was lost is told in `problems`."""
    search, focus, uses, looks = (settings.get(key) for key in ("search", "focus", "validation_uses", "test_looks"))
    search = search if isinstance(search, dict) else {}
    refusal = searching.refusal_of(search, table)
    if refusal:
        problems.append(f"The search options of this project cannot be used, so the defaults are used: {refusal}")
    return {
        "search": {} if refusal else searching.own_options(search, table.task),
        "preset": settings.get("preset") if settings.get("preset") in PRESETS and not refusal else "",
        "focus": {k: v for k, v in focus.items() if isinstance(v, int) and v >= 0} if isinstance(focus, dict) else {},
        "validation_uses": uses if isinstance(uses, int) and uses >= 0 else 0,
        "test_looks": looks if isinstance(looks, int) and looks >= 0 else 0,
    }


def saved(path: Path, state: State, settings: dict[str, Any], progress: Progress) -> Path:
    """Writes the project; the file is either the new one or the old one, never half of it."""
    from engine import project

    progress.report(0.0, f"Writing {path.name}")
    project.save(path, state.table, state.tree, settings)
    return path


def drawn(path: Path, scene: PictureModel, wish: Wish, top: int, view: View | None, progress: Progress) -> Path:
    """Draws a tree into a file."""
    from gui.picture.paper.picture import write_scene

    progress.report(0.0, f"Drawing {path.name}")
    write_scene(scene, path, wish, top, view)
    return path


def imaged(scene: PictureModel, wish: Wish, top: int, view: View | None, small: bool, progress: Progress) -> QImage:
    """Draws a tree for the clipboard; no larger than is handy if `small`."""
    from gui.picture.paper.picture import handy, image_of

    progress.report(0.0, "Drawing the picture")
    return image_of(scene, handy(scene, wish) if small else wish, top, view)


def exported(path: Path, state: State, progress: Progress) -> Path:
    """Writes the tree alone, in the format that the suffix names."""
    engine.export(state.tree, path)
    return path
