"""How tables, projects and trees come into the document, what is decided before that, and how all of that, and pictures
too, is read and written in the worker."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.errors import InputError
from engine.runtime.files import write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.presets import PRESETS
from gui import messages
from gui.model import tree_tasks
from gui.model.editing.edits import Edits
from gui.model.first_answers import FirstAnswers, answering, compare_later
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import Job
from gui.model.search import searching
from gui.model.search.ranking import Ranking
from gui.picture.paper.sheet import View, Wish
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import PictureOptions
from gui.wording import hand_phrases, words

if TYPE_CHECKING:  # what is drawn alone, and what brings the compiler
    from PySide6.QtGui import QImage

    from engine.reporting.description import Report

HOLDOUT_FROM = 50
TEST_FROM = 1000
DEPTH = 6  # to which trees grow where rows are only counted, unless somebody says more
LARGE = 50_000_000  # bytes of a file from which on there is a choice how its rows are held
TRUE_WORDS = ("true", "yes", "y", "t", "1")
POSITIVE_WORDS = (*TRUE_WORDS, "positive", "pos", "ja", "oui", "sí", "wahr", "vrai")
HARD_ROWS, MOST_CHECKED = 2_000, 100_000  # of which an exported tree is checked: made for that, and of the table
READ_AND_DIVIDED = ("options", "target", "roles", "validation", "test", "seed")  # of a choice, as `engine.read_some`
CLASS_KINDS = ("nominal", "ordered", "boolean")
MOST_INTEGER_CLASSES = 20  # more distinct integers than this are a number to predict: see `engine.table.table`
Failed = Callable[[Exception], None]
Opened = tuple[State, str | None]  # a state to start with, and the class to look at first; None: the usual one
# Of a project: its state, settings, what does not fit, and what of that is to be told before it is shown.
Loaded = tuple[State, dict[str, Any], tuple[str, ...], list[str]]


class Storage:
    """The way from files and to files of one document."""

    def __init__(self, document: Host, edits: Edits, ranking: Ranking) -> None:
        self._document, self._edits, self._ranking = document, edits, ranking
        # Asked before a tree is shown on a table with other columns or classes. Gets the name of the file and what is
        # different, in sentences. The window puts its dialog here.
        self.ask_other_table: Callable[[str, Sequence[str]], bool] = lambda name, differences: True

    def read(self, text: str, function: Callable[..., Opened], *args: Any, first: FirstAnswers | None = None) -> Job:
        """Starts anew with what one of the functions below reads. `first`: what was told of some of its rows before."""

        def start(found: Opened) -> None:
            state, name = found
            settings: dict[str, Any] = {}
            if state.table.counter is not None:  # every level is a look at all rows
                settings["search"] = {"max_depth": DEPTH}
                messages.info(tr("Trees grow to depth {depth} unless Search options say more: each level is a look at "
                                 "all rows.", depth=DEPTH))  # fmt: skip
            focus = {state.tree.target: state.table.classes.index(name)} if name in state.table.classes else {}
            self._document.start(state, settings={"focus": focus, **settings})
            for note in state.table.notes:
                messages.info(note)
            if first is not None:
                compare_later(self._document, self._ranking, first)

        return self._open(text, function, *args, start=start)

    def load(
        self, path: Path, *, data: Path | str | None = None, copy_of: tuple[Path | None, str] | None = None,
        failed: Failed | None = None,
    ) -> Job:  # fmt: skip
        """Opens a project. `data`: where its table is now, if not where the project says. `copy_of`: (path, name) of
        the original of an autosaved copy, as which it is shown, unsaved. `failed` gets the error, not the messages."""

        def start(found: Loaded) -> None:
            state, settings, problems, differences = found
            if differences and not self.ask_other_table(path.name, differences):
                return
            original, name = copy_of or (path, path.stem)
            self._document.start(state, name=name, path=original, settings=settings, unsaved=copy_of is not None)
            for problem in problems:
                if problem not in differences:  # those are known
                    messages.warning(hand_phrases.in_places(problem, state.tree))

        where = path, data, self._document.look.picture_options()
        return self._open(tr("Opening {name}", name=path.name), loaded, *where, start=start, failed=failed)

    def save(self, path: Path, then: Callable[[], None] = lambda: None) -> None:
        """Writes the project once the edits that are on their way have arrived; `then` is called once it is written."""
        document, stack = self._document, self._document.history.stack

        def write() -> None:
            assert document.state is not None
            state, beginning, settings = document.state, document.beginning, document.settings()

            def done(written: Path) -> None:
                if document.beginning is not beginning:
                    return  # the file belongs to what was shown before
                document.set_path(written, settings)
                if document.test_looks > settings["test_looks"]:  # looked at meanwhile
                    self.keep_looks()
                # Edited meanwhile: no state on the stack is the written one for sure.
                same = document.state is state and document.introduction == settings.get("introduction", "")
                (stack.setClean if same else stack.resetClean)()
                document.told.emit(tr("Saved {name}", name=written.name))
                then()

            text = tr("Saving {name}", name=path.name)
            document.jobs.run(text, saved, path, state, settings, done=done, key="save")

        if document.state is not None:
            self._edits.afterwards(write)

    def keep_looks(self) -> None:
        """Writes into the project how often the test rows were looked at; without one there is something to save."""
        document = self._document
        if document.path is None:
            document.history.stack.resetClean()
        else:
            text = tr("Saving {name}", name=document.path.name)
            document.jobs.run(text, looked, document.path, document.test_looks, key="looks", quiet=True)

    def _open(
        self, text: str, function: Callable[..., Any], *args: Any, start: Callable[[Any], None],
        failed: Failed | None = None,
    ) -> Job:  # fmt: skip
        """Runs a reading function; edits that were made meanwhile are not thrown away without a question."""
        before, document = self._document.state, self._document

        def done(found: Any) -> None:
            if not self._edits.running and (document.state is before or not document.modified):
                start(found)
            else:
                said = tr("{work} is done, but “{name}” was changed in the meantime.", work=text, name=document.name)
                discard, keep = (tr("Discard changes"), lambda: start(found)), (tr("Keep changes"), lambda: None)
                messages.offer(said, discard, keep)

        return document.jobs.run(text, function, *args, done=done, failed=failed, key="open")


# -- what a person decides about a table before it is read, and what is proposed to them


@dataclass(frozen=True)
class ImportChoice:
    """Everything that is needed to read a table and to start a tree."""

    path: str  # the file; empty when the table was pasted or typed
    text: str | None  # the pasted table, or None
    options: engine.ReadOptions  # how to read it, with every correction
    target: str  # the column to predict
    roles: dict[str, str] = field(default_factory=dict)  # the role of every column but the target
    focus: str | None = None  # the class whose rate is coloured; None leaves it to the table once it is read
    validation: float = 0.0  # shares of the rows, 0 to 1; both are 0 with a partition column
    test: float = 0.0
    seed: int = 0  # of the division into parts
    partition_column: str | None = None  # the column that says where each row belongs, or None
    held: str = "memory"  # or "codes" (in files), "sample", "counts" (where they are)
    sampled: int = 0  # rows of a sample


@dataclass(frozen=True)
class Shares:
    """Proposed shares of validation and test rows, 0 to 1, and why."""

    validation: float
    test: float
    why: str


def propose_shares(n_rows: int | None, about: int | None = None) -> Shares:
    """The shares for a table of `n_rows`, or, where they are not counted yet, of `about` so many."""
    if (rows := n_rows if n_rows is not None else about) is None:
        return Shares(0.2, 0.2, tr("The rows are not counted yet. With fewer than 1,000, choose smaller shares."))
    n = words.count(rows)
    size = tr("{n} rows", n=n) if n_rows is not None else tr("About {n} rows by the size of the file", n=n)
    if rows < HOLDOUT_FROM:
        return Shares(0.0, 0.0, tr("{rows}: too few to hold any back. All of them train.", rows=size))
    if rows < TEST_FROM:
        why = tr("{rows}: enough to check each split on rows it has not seen, too few for a separate test.", rows=size)
        return Shares(0.3, 0.0, why)
    why = tr("{rows}: enough to choose splits on one part and to keep a last test for the end.", rows=size)
    return Shares(0.2, 0.2, why)


def predicts_classes(kind: str, distinct: int | None) -> bool:
    """Whether a target of this kind, with so many distinct values seen, makes classes rather than a number."""
    return kind in CLASS_KINDS or (kind == "integer" and (distinct is None or distinct <= MOST_INTEGER_CLASSES))


def classes_seen(texts: Iterable[str], kind: str) -> list[str]:
    """The classes among the texts of a target, most frequent first, ties in alphabetical order. They are named as the
    table will name them: “yes” in a boolean column is the class “True”, “1.0” among integers “1”."""

    def name(text: str) -> str:
        if kind == "boolean":
            return str(text.strip().lower() in TRUE_WORDS)
        with contextlib.suppress(ValueError, OverflowError):
            return str(int(float(text))) if kind == "integer" else text
        return text

    counts = Counter(name(text) for text in texts if text)
    return sorted(counts, key=lambda value: (-counts[value], value))


def guess_focus(seen: Sequence[str]) -> str | None:
    """Of two classes the one that means yes, else the rarer one; None of more or fewer. `seen`: see `classes_seen`."""
    if len(seen) != 2:
        return None
    said = [value for value in seen if value.strip().lower() in POSITIVE_WORDS]
    return said[0] if len(said) == 1 else seen[1]


def missing_step(target: str | None, roles: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """What is still to be done before the table can be opened, by the roles and kinds of all columns; else empty."""
    if not target:
        return tr("Choose the column to predict.")
    if kinds[target] == "date":
        return tr("No tree predicts a date: choose another column, or make this one ordered.")
    used = Counter(role for name, role in roles.items() if name != target)
    if not used["feature"]:
        return tr("Make at least one column a feature, so that there is something to split on.")
    for role in ("weight", "frequency", "partition"):
        if used[role] > 1:
            return tr("Only one column can be the {role}: {n} are chosen.", role=role, n=used[role])
    if used["weight"] and used["frequency"]:
        return tr("A column of weights and one of frequencies are chosen: keep one of them.")
    return ""


# -- in the worker, without Qt but for the picture


def look(path: Path, progress: Progress) -> tuple[engine.Preview, engine.Room | None]:
    """A first look at a file, and what it takes to hold its rows where there is a choice."""
    progress.report(0.0, tr("Reading the first rows"))
    preview = engine.inspect(path)
    return preview, room_of(preview)


def room_of(preview: engine.Preview) -> engine.Room | None:
    """What the rows take, in memory and otherwise; None of a small file and of one that can only be held in memory."""
    path, whole = preview.path, preview.format in ("folder", "duckdb")
    if path is None or not (whole or (preview.format in ("csv", "parquet") and path.stat().st_size >= LARGE)):
        return None
    try:
        return engine.room_for(path, preview.options)
    except InputError:  # another format inside, or DuckDB is not installed: memory holds it, or says that it cannot
        return None


def opened(path: Path, options: dict[str, Any], progress: Progress) -> Opened:
    """Reads a table without asking: the target is guessed unless it is named, rows are held out as proposed."""
    preview = engine.inspect(path)
    room, how = room_of(preview), {**options, "target": options.get("target") or preview.target, "progress": progress}
    held: dict[str, Callable[..., engine.Table]] = {
        "codes": engine.read_codes,
        "sample": engine.read_sample,
        "memory": engine.read_table,
    }
    table = held[room.proposed if room is not None else "memory"](path, **how)
    return _planted(table, propose_shares(table.n_rows), progress), None


def imported(
    choice: ImportChoice, progress: Progress, found: Callable[[FirstAnswers], object] | None = None
) -> Opened:  # fmt: skip
    """Reads a table as it was decided in the dialog; `found` gets first answers of some rows meanwhile."""
    said: dict[str, Any] = {name: getattr(choice, name) for name in READ_AND_DIVIDED}
    with answering(partial(engine.read_some, choice.path, **said), found):
        return _imported(choice, progress)


def _imported(choice: ImportChoice, progress: Progress) -> Opened:
    how: dict[str, Any] = {
        "options": choice.options, "target": choice.target, "roles": choice.roles, "progress": progress.part(0.0, 0.9)
    }  # fmt: skip
    if choice.text is not None:
        table = engine.read_text(choice.text, **how)
    elif choice.held == "codes":
        table = engine.read_codes(choice.path, **how)
    elif choice.held == "sample":
        table = engine.read_sample(choice.path, choice.sampled, choice.seed, **how)
    elif choice.held == "counts":
        shares: dict[str, Any] = {"validation": choice.validation, "test": choice.test, "seed": choice.seed}
        table = engine.read_counts(choice.path, **how, **shares)
        return tree_tasks.first_state(table), choice.focus
    else:
        table = engine.read_table(choice.path, **how)
    if choice.partition_column is not None:  # the shares are 0 then
        table = table.with_partition(column=choice.partition_column)
    return _planted(table, choice, progress), choice.focus


@dataclass(frozen=True)
class Place:
    """Where a database is: its URL, or the path of its file; and a password that is told to it alone."""

    address: str = field(repr=False)  # a password may stand in it, too
    password: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        from engine.sources import databases  # late: it brings Arrow

        return databases.url_of(self.address, self.password)


def tables_of(place: Place, progress: Progress) -> tuple[str, ...]:
    """The tables of a database."""
    from engine.sources import databases  # late: it brings Arrow

    progress.report(0.0, tr("Listing the tables"))
    return databases.tables_of(place.url, progress)


def look_into(place: Place, table: str, kinds: Mapping[str, Any], progress: Progress) -> engine.Preview:
    """The first rows of a table of a database, its columns being of the kinds that are chosen."""
    from engine.sources import databases  # late: it brings Arrow

    progress.report(0.0, tr("Reading the first rows"))
    return databases.look(f"{place.url}::{table}", engine.ReadOptions(kinds=kinds), progress)


def levels_of(place: Place, table: str, name: str, progress: Progress) -> engine.Column:
    """A column of a table of a database with all its levels."""
    from engine.sources import databases  # late: it brings Arrow

    options = engine.ReadOptions(kinds={name: "ordered"})
    return databases.levels_of(f"{place.url}::{table}", name, options, progress)


def from_database(
    place: Place, table: str, how: Mapping[str, Any], progress: Progress,
    found: Callable[[FirstAnswers], object] | None = None,
) -> Opened:  # fmt: skip
    """A table of a database, whose rows stay there; `how`: target, options and roles, perhaps key, validation, test and
    seed. `found` gets first answers of some rows before they are counted."""
    address = f"{place.url}::{table}"
    with answering(partial(engine.read_some, address, **how), found):
        state = tree_tasks.first_state(engine.read_counts(address, **how, progress=progress))
    order = np.argsort(-state.tree.train[0], kind="stable") if state.tree.classes else ()
    return state, guess_focus([state.tree.classes[k] for k in order])


def example(name: str, progress: Progress) -> Opened:
    """Opens one of the shipped examples, rows held out as proposed."""
    progress.report(0.0, tr("Reading"))
    focus, table = {one.id: one.focus for one in engine.list_examples()}[name], engine.read_example(name)
    return _planted(table, propose_shares(table.n_rows), progress), focus


def _planted(table: engine.Table, shares: Any, progress: Progress) -> State:
    """A leaf over a table whose rows are divided as `shares` says (validation, test, perhaps seed)."""
    if shares.validation or shares.test:
        seed = getattr(shares, "seed", 0)
        table = table.with_partition(validation=shares.validation, test=shares.test, seed=seed)
    progress.report(0.95, tr("Counting the classes"))
    return tree_tasks.first_state(table)


@dataclass(frozen=True, eq=False)
class TreeFile:
    """A tree from a JSON file, and what is to be known before it is put onto a table."""

    name: str  # of the file
    tree: engine.Tree
    compared: int  # among how many trees validation rows chose it
    target: str  # what the table has to predict instead of its target; empty where it predicts that
    differences: tuple[str, ...]  # of the table from the one that the tree was made on, and what is done, in sentences


def read_tree(state: State, path: Path, chosen: int | None, progress: Progress) -> TreeFile:
    """A tree from a file, compared with the present table; `chosen`: which one of several. InputError: it cannot be
    read, predicts what the table does not have, or no split fits the table."""
    from engine.formats.files import open_tree  # late: it brings the compiler
    from engine.formats.foreign import Wish, fitted
    from engine.tree.differences import differences
    from engine.tree.nodes import columns_of

    tree, found = open_tree(path, Wish(chosen, columns=columns_of(state.table)))
    table, target, said = state.table, "", list[str]()
    if found is None:  # of another program, which knows no target
        tree, said = fitted(tree, table)
    if tree.target != table.target and tree.target in table.names:
        target, other = tree.target, table.target
        table = table.with_target(target)
        said = [
            tr("The tree predicts “{target}”, the present one “{other}”: “{target}” becomes the target of {table}.",
               target=target, other=other, table=table.name)
        ]  # fmt: skip
    counted, _ = engine.recount(tree, table)
    if tree.n_leaves > 1 and counted.n_leaves == 1:
        raise InputError(tr(
            "No split of “{file}” fits {table}: the root is split by “{asked}”, and the table has no such feature.",
            file=path.name, table=table.name, asked=tree.sentence(tree.children(0)[0]),
        ))  # fmt: skip
    said += differences(tree, counted, table)
    return TreeFile(path.name, tree, trees_compared(found or {}), target, tuple(said))


def tree_taken(state: State, found: TreeFile, progress: Progress) -> tuple[State, tuple[str, ...], str, int]:
    """A tree from a file counted on the present table; what had to go, what else is different, and among how many trees
    validation rows chose it."""
    from engine.tree.differences import other_classes  # late: it brings the compiler

    table = state.table.with_target(found.target) if found.target else state.table
    after, lost = tree_tasks.counted_on(table, found.tree, state.picture)
    return after, lost, other_classes(found.tree, after.tree), found.compared


def loaded(path: Path, data: Path | str | None, picture: PictureOptions, progress: Progress) -> Loaded:
    """Reads a project: its state, its settings, and what did not fit any more."""
    from engine import project  # late: it brings the compiler

    found = project.load(path, data, progress=progress)
    settings = usable_settings(found.settings, found.table, problems := list(found.problems))
    state = tree_tasks.first_state(found.table, found.tree, picture)
    return state, settings, tuple(problems), found.differences


def usable_settings(settings: dict[str, Any], table: engine.Table, problems: list[str]) -> dict[str, Any]:
    """The settings of a project file without what cannot be used; what was lost is told in `problems`."""
    from engine.project import saved_choice  # late: it brings the compiler

    search, focus, looks = (settings.get(key) for key in ("search", "focus", "test_looks"))
    search = search if isinstance(search, dict) else {}
    if refusal := searching.refusal_of(search, table):
        problems.append(
            tr("The search options of this project cannot be used, so the defaults are used: {reason}", reason=refusal)
        )
    return {
        "search": {} if refusal else searching.own_options(search, table.task),
        "preset": settings.get("preset") if settings.get("preset") in PRESETS and not refusal else "",
        "focus": {k: v for k, v in focus.items() if isinstance(v, int) and v >= 0} if isinstance(focus, dict) else {},
        "validation_trees": trees_compared(settings),
        "test_looks": looks if isinstance(looks, int) and looks >= 0 else 0,
        "test_seen": settings.get("test_seen") is True,
        "introduction": settings["introduction"] if isinstance(settings.get("introduction"), str) else "",
        "choice": saved_choice(settings),
    }


def trees_compared(found: dict[str, Any]) -> int:
    """How many trees validation rows compared; older files say how often they chose, each time between two or more."""
    trees = found.get("validation_trees", found.get("validation_uses", 0))
    return trees if isinstance(trees, int) and trees >= 0 else 0


def saved(path: Path, state: State, settings: dict[str, Any], progress: Progress) -> Path:
    """Writes the project; the file is either the new one or the old one, never half of it."""
    from engine import project  # late: it brings the compiler

    progress.report(0.0, tr("Writing {name}", name=path.name))
    project.save(path, state.table, state.tree, settings)
    return path


def looked(path: Path, looks: int, progress: Progress) -> None:
    """Writes into a project how often its test rows were looked at; all else in it stays."""
    from engine import project  # late: it brings the compiler

    project.keep_test_looks(path, looks)


def drawn(scene: PictureModel, wish: Wish, top: int, view: View | None, path: Path, progress: Progress) -> Path:
    """Draws a tree into a file."""
    from gui.picture.paper.picture import write_scene  # late: it brings what draws

    progress.report(0.0, tr("Drawing {name}", name=path.name))
    write_scene(scene, path, wish, top, view)
    return path


def imaged(scene: PictureModel, wish: Wish, top: int, view: View | None, small: bool, progress: Progress) -> QImage:
    """Draws a tree for the clipboard; no larger than is handy if `small`."""
    from gui.picture.paper.picture import handy, image_of  # late: it brings what draws

    progress.report(0.0, tr("Drawing the picture"))
    return image_of(scene, handy(scene, wish) if small else wish, top, view)


def scored(
    source: Path, target: Path | None, state: State, progress: Progress
) -> tuple[engine.Scored, list[str]]:  # fmt: skip
    """Scores the rows of a file, and writes them where a target is named; with the rule of each leaf in words."""
    from engine.tree.rules import leaf_texts  # late: it brings the compiler

    return engine.score(state.tree, source, target, training=state.table, progress=progress), leaf_texts(state.tree)


def described(state: State, said: dict[str, Any], progress: Progress) -> Report:
    """A report of the tree before it is written; `said`: what else `engine.report` is told."""
    from engine.reporting.writing import describe  # late: these bring the compiler, and what draws
    from gui.picture.paper.picture import write_for_report

    draw = partial(write_for_report, focus=said["focus"] or "")
    how: dict[str, Any] = {"draw": draw, "assignment": state.assigned(), "progress": progress}
    return describe(state.table, state.tree, **how, **said)


def report_written(path: Path, state: State, report: Report, focus: str | None, progress: Progress) -> None:
    """Writes a report that was described; the table of the leaves and a slide have what they always have."""
    from engine.reporting.writing import write_report  # late: these bring the compiler, and what draws
    from gui.picture.paper.printed import write_printed

    if path.suffix.lower() in (".csv", ".pptx"):
        return engine.report(state.table, state.tree, path, focus=focus, assignment=state.assigned())
    write_report(report, path, write_printed)


def scripted(state: State, steps: list[engine.ScriptStep] | None, progress: Progress) -> str:
    """The script that makes the tree again; see `engine.script`."""
    return engine.script(state.table, state.tree, steps, progress)


def script_written(
    state: State, steps: list[engine.ScriptStep] | None, path: Path, progress: Progress
) -> None:  # fmt: skip
    """Writes the script that makes the tree again."""
    write_whole(path, [scripted(state, steps, progress)])


def handed_out(
    path: Path, state: State, node: int, prunings: list[engine.Pruning], search: dict[str, Any], progress: Progress
) -> None:
    """Writes a node with its sums as a page, or as a PDF. InputError: a stop was asked for."""
    from engine.reporting.hand_out import page  # late: these bring the compiler, and what draws
    from gui.picture.paper.picture import write_picture
    from gui.picture.paper.printed import write_pdf

    how: dict[str, Any] = {"prunings": prunings, "draw": write_picture, "assignment": state.assigned(),
                           "progress": progress, **search}  # fmt: skip
    if path.suffix.lower() == ".html":
        return engine.hand_out(state.table, state.tree, node, path, **how)
    write_pdf("".join(page(state.table, state.tree, node, **how)), path)


def step_handed_out(path: Path, table: engine.Table, replay: Any, step: int, what: str, progress: Progress) -> None:
    """Writes a step of a replay as a page, or as a PDF."""
    from engine.reporting.step import step_page  # late, as above
    from gui.picture.paper.picture import write_picture
    from gui.picture.paper.printed import write_pdf

    def draw(tree: engine.Tree, name: str, notes: Mapping[int, str]) -> None:
        write_picture(tree, name, notes=notes)

    how: dict[str, Any] = {"what": what, "draw": draw, "progress": progress}
    if path.suffix.lower() == ".html":
        return engine.hand_out_step(table, replay, step, path, **how)
    write_pdf("".join(step_page(table, replay, step, **how)), path)


def rows_written(
    path: Path, state: State, rows: NDArray[np.int64], leaf: NDArray[np.int64] | None, progress: Progress
) -> None:
    """Writes rows of the table with what the tree predicts of them."""
    engine.write_rows(state.table, state.tree, path, rows, leaf=leaf, progress=progress)


def exported(path: Path, state: State, validation_trees: int, test_looks: int, progress: Progress) -> None:
    """Writes the tree alone, in the format that the suffix names; JSON holds how worn its validation and test rows
    are, too."""
    from engine.formats.tree_json import write  # late: it brings the compiler

    if path.suffix.lower() == ".json":
        write_whole(path, write(state.tree, validation_trees, test_looks))
    else:
        engine.export(state.tree, path, table=state.table)


def code_of(state: State, format: str, approximate: bool, options: dict[str, str], progress: Progress) -> str | bytes:
    """The tree in a format, see `engine.export`."""
    from engine.formats.files import content_of  # late: it brings the compiler

    return content_of(state.tree, format, approximate=approximate, table=state.table, **options)


def code_checked(
    state: State, content: str | bytes, format: str, approximate: bool, options: dict[str, str], progress: Progress
) -> engine.Check:
    """What running an exported tree shows, on rows of the table and on those that are made to find mistakes."""
    from engine.formats.checking import check_content  # late: these bring the compiler
    from engine.formats.rows_to_check import rows_to_check

    rows = rows_to_check(state.tree, state.table, HARD_ROWS, most=MOST_CHECKED)
    return check_content(content, state.tree, rows, format, approximate=approximate, **options)


def kept(path: Path, content: bytes, progress: Progress) -> None:
    """Writes what is ready."""
    write_whole(path, [content])


def leaf_frame(state: State, node: int, focus: int, progress: Progress) -> Any:
    """The leaf report of the branch of a node; `focus`: a class, 0 for numbers."""
    name = state.tree.classes[focus] if state.tree.classes else None
    return engine.leaf_report(state.table, state.tree, node, name, assignment=state.assignment)


def frame_exported(path: Path, make: Callable[[Progress], Any], progress: Progress) -> None:
    """Writes a data frame of figures for a spreadsheet."""
    from engine.formats.frames import write_frame  # late: it brings pyarrow

    write_frame(make(progress), path)
