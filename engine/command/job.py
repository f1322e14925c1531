"""The work without a window: reads, grows, prunes, prints, exports; or scores a file by a tree that there is."""

import argparse
import inspect
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import engine
from engine import project
from engine.command.arguments import (
    READING,
    dashed,
    in_typed_words,
    pruning_options,
    read_options,
    say,
    search_names,
    search_options,
    spoken,
    typed,
    undashed,
)
from engine.command.judging import check_judging, judge
from engine.command.scoring import score_rows
from engine.command.words import bare_error_words, describe, error_words, introduce, judged_words, loss_words
from engine.formats import PICTURES, PROJECT, USUAL, sql, tree_json
from engine.learning_theory.tree_code import told
from engine.pruning import chosen_by_validation
from engine.reporting import SECTIONS
from engine.reporting.figures import rarest
from engine.reporting.writing import Printer, checked_report
from engine.runtime.files import checked_target, write_whole
from engine.runtime.progress import Progress, on_compiling
from engine.sources.opening import kind_of, look

SILENT = 20.0  # seconds after which a long call says how far it is
FORMAT_OPTIONS = ("dialect", "approximate")  # of the command line, see `engine.export`


def without_window(said: argparse.Namespace, draw: Callable[..., None], printer: Printer) -> None:
    """Reads, grows, prunes, prints, exports.

    Args:
        draw: writes a picture of a tree to a path, by its `focus` one for a report that is about this class; the engine
            itself knows of no pictures.
        printer: prints the pages of a report, see `engine.report`.
    """
    on_compiling.append(_note_once)
    try:
        _run(said, draw, printer)
    finally:
        _silence()


def _run(said: argparse.Namespace, draw: Callable[..., None], printer: Printer) -> None:
    if said.score is not None:
        return score_rows(said)
    check_judging(said)
    if said.partition and (said.validation or said.test):
        raise engine.InputError("--partition says where each row belongs: leave out --validation and --test.")
    known = (*USUAL, *PICTURES)
    options = {name: getattr(said, name) for name in FORMAT_OPTIONS if getattr(said, name)}
    if (options or said.format) and not said.export:
        names = "--as, --dialect and --approximate"
        raise engine.InputError(f"{names} are about a file that is written: name it by --export.")
    for path in map(Path, said.export):
        if said.format is None and path.suffix.lower() not in known:
            raise engine.InputError(f"“{path}” names no known format; export to one of {' '.join(known)}.")
        checked_target(path)
    for path in said.report:
        checked_report(path)
    sections, introduction = report_choices(said)
    if said.script and not said.script.lower().endswith(".py"):
        raise engine.InputError(f"“{said.script}” names no script: end it with .py.")
    written = [*said.export, *said.report, *([said.script] if said.script else [])]
    for path in map(Path, written):
        if not os.path.isdir(path.parent):
            raise engine.InputError(f"“{path}” cannot be written: there is no folder “{path.parent}”.")
    table, tree, settings = read(said)
    looks, compared = (_whole(settings.get(name)) for name in ("test_looks", "validation_trees"))
    if said.look_at_test and not table.n_test:
        raise engine.InputError(f"No rows of {table.name} are kept for the test: add, for example, --test 0.2.")
    introduce(table)
    if tree is None:
        tree = plant(table, said)
    else:
        say(describe("saved", tree))
        if choice := project.saved_choice(settings):
            say_choice(choice["trees"], choice["error"], choice["interval"], tree)
    pruning = None
    if said.prune:
        tree, compared, pruning = cut_back(table, tree, said, compared)
    if tree.divides_rows:
        say("note    rows without a value count in parts, in each leaf that has one; their mean is predicted")
    if said.look_at_test:
        looks += 1
        look_at_test(table, tree, said, looks)
    judge(table, tree, said)
    if said.code:
        for line in told(table, tree).splitlines():
            say(f"code    {line}")
    if said.print:
        print(engine.printout(tree, said.print), end="")
    write(tree, said.export, draw, compared, looks, said.format, options, table)
    focus = _focus(tree, settings)
    for path in said.report:
        engine.report(table, tree, path, focus=focus or None, sections=sections, introduction=introduction,
                      test=said.look_at_test,
                      made=made(said, settings), pruning=pruning, compared=compared, looks=looks,
                      draw=partial(draw, focus=focus),
                      printer=printer, seed=said.seed)  # fmt: skip
        say(f"wrote   {path}")
    if said.script:
        write_whole(said.script, [engine.script(table, tree, steps_of(said, pruning))])
        say(f"wrote   {said.script}")


def steps_of(said: argparse.Namespace, pruning: engine.Pruning | None) -> list[engine.ScriptStep] | None:
    """What was done here to a single leaf, for a script; None of a project, whose tree brings no steps."""
    if said.file.lower().endswith(PROJECT) or said.all_trees is not None:
        return None
    options = {"preset": said.preset} if said.preset else {}
    steps = [engine.ScriptStep("grow", (), {**options, "seed": said.seed, **search_options(said)})]
    if pruning is not None:
        steps.append(engine.ScriptStep("prune", (pruning.method,), {"seed": said.seed, **pruning_options(said)}))
    return steps


def _focus(tree: engine.Tree, settings: dict[str, Any]) -> str:
    """The class that a report is about: that of the project, else the rarest; empty of numbers."""
    chosen = settings.get("focus")
    k = chosen.get(tree.target, -1) if isinstance(chosen, dict) else -1
    if isinstance(k, int) and 0 <= k < len(tree.classes):
        return tree.classes[k]
    return rarest(tree) if tree.classes else ""


def report_choices(said: argparse.Namespace) -> tuple[list[str] | None, str]:
    """The sections of the report, None for all, and the words at its beginning."""
    if not said.report and (said.report_sections or said.introduction):
        name = "report-sections" if said.report_sections else "introduction"
        raise engine.InputError(f"--{name} is about a report: add, for example, --report report.html.")
    names = [undashed(name.strip()) for name in said.report_sections.split(",")] if said.report_sections else None
    odd = [name for name in names or () if name not in SECTIONS]
    if odd:
        known = ", ".join(map(typed, SECTIONS))
        raise engine.InputError(f"--report-sections: there is no section “{typed(odd[0])}”; choose among {known}.")
    if said.introduction is None:
        return names, ""
    try:
        return names, Path(said.introduction).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise engine.InputError(f"“{said.introduction}” cannot be read: {why}.") from problem


def made(said: argparse.Namespace, settings: dict[str, Any]) -> list[str]:
    """How the tree was made, as far as the command line knows it: by what was said here, or in a project."""
    steps = [f"Preset {said.preset or settings.get('preset')}"] if said.preset or settings.get("preset") else []
    steps += [f"Best of all trees of depth {said.all_trees}"] if said.all_trees is not None else []
    if said.prune:
        pruned = [f"--prune-{typed(name)} {value}" for name, value in pruning_options(said).items()]
        steps.append(" ".join([f"Pruned by {said.prune}", *pruned]))
    return steps


def read(said: argparse.Namespace) -> tuple[engine.Table, engine.Tree | None, dict[str, Any]]:
    """The table that was named, with its target, roles and parts; of a project the tree, else None, and settings."""
    if said.file.lower().endswith(PROJECT):
        return read_project(said)
    roles = dict.fromkeys(said.feature, "feature") | dict.fromkeys(said.ignore, "ignore")
    roles |= {column: role for role in ("key", "group") if (column := getattr(said, role)) is not None}
    if said.file.startswith("example:"):
        table = engine.read_example(said.file.removeprefix("example:"))
        table = table.with_target(said.target) if said.target else table
        roles |= {said.weights: "weight"} if said.weights else {}
        roles |= {said.frequencies: "frequency"} if said.frequencies else {}
        table = table.with_roles(roles) if roles else table
    else:
        if said.target is None:
            names = ", ".join(look(said.file, read_options(said)).names[:20])
            raise engine.InputError(f"No target is named: add --target COLUMN; the columns are {names}.")
        table = _table(said, roles)
        if table.counter is not None:  # its parts are chosen as it is opened
            return table, None, {}
    if said.partition:
        return table.with_partition(column=said.partition), None, {}
    return table.with_partition(validation=said.validation, test=said.test, seed=said.seed), None, {}


def _table(said: argparse.Namespace, roles: dict[str, str]) -> engine.Table:
    """The table of a file, a folder or a database, held as it was said."""
    uses = ((said.weights, "weight"), (said.frequencies, "frequency"))
    roles = {**roles, **{column: role for column, role in uses if column is not None}}
    how: dict[str, Any] = {"target": said.target, "roles": roles, "options": read_options(said)}
    if said.counts:
        if said.partition:
            how["roles"] = {**roles, said.partition: "partition"}
        guessed = {} if kind_of(said.file).file == "spark" else look(said.file, how["options"]).roles
        how["roles"] = {**{name: role for name, role in guessed.items() if name != said.target}, **how["roles"]}
        how |= {"validation": said.validation, "test": said.test, "seed": said.seed}
        return engine.read_counts(said.file, progress=heard("counting"), **how)
    if said.codes is not None:
        return engine.read_codes(said.file, said.codes or None, **how)
    if said.sample is not None:
        return engine.read_sample(said.file, said.sample, said.seed, **how)
    return engine.read_table(said.file, progress=heard("reading"), **how)


def read_project(said: argparse.Namespace) -> tuple[engine.Table, engine.Tree | None, dict[str, Any]]:
    """A saved table and its tree, as they are, and what else the project keeps."""
    kept = (
        "weights", "frequencies", "ignore", "feature", "key", "group", "sheet", "codes", "sample", "counts", *READING,
        "validation", "test", "partition", "preset", "all_trees", *map(spoken, search_names()), "target",
    )  # fmt: skip
    changed = [name for name in kept if getattr(said, name) not in (None, [], 0.0, False)]
    if changed:
        names = ", ".join(f"--{typed(name)}" for name in changed)
        raise engine.InputError(f"{names}: a project brings its own table and tree; it can be pruned and exported.")
    found = project.load(said.file)
    for problem in found.problems:
        say(f"note    {problem}")
    return found.table, found.tree, found.settings


def _whole(found: Any) -> int:
    return found if isinstance(found, int) and found > 0 else 0


def plant(table: engine.Table, said: argparse.Namespace) -> engine.Tree:
    """The tree of a table, grown or found among all trees; says which it is."""
    options = search_options(said)
    if said.all_trees is None:
        tree = engine.grow(table, preset=said.preset, seed=said.seed, progress=heard("growing"), **options)
        say(describe("grown", tree))
        return tree
    given = {**options, "preset": said.preset} if said.preset else options
    find: Callable[..., engine.AllTrees] = engine.all_trees  # type: ignore[assignment]  # mypy sees the room of this name
    odd = sorted(given.keys() - inspect.signature(find).parameters.keys())
    if odd:
        raise engine.InputError(f"--{dashed(odd[0])} is about growing; leave it out with --all-trees.")
    found = find(table, depth=said.all_trees, **options)
    say(describe("greedy", found.greedy))
    say(describe("best", found.tree))
    say(f"note    the best of {found.n_trees:,} trees of at most depth {said.all_trees} by their training error")
    return found.tree


def cut_back(
    table: engine.Table, tree: engine.Tree, said: argparse.Namespace, compared: int
) -> tuple[engine.Tree, int, engine.Pruning]:
    """The tree that pruning recommends, how many trees validation rows compared in all, and the pruning; says which
    tree it is, and what there is to know about the choice. `compared`: how many trees they compared before."""
    method, options = undashed(said.prune), pruning_options(said)
    try:
        pruning = engine.prune(table, tree, method, seed=said.seed, progress=heard("pruning"), **options)
    except engine.InputError as problem:
        raise engine.InputError(in_typed_words(str(problem))) from problem
    chosen = pruning.tree(pruning.chosen)
    say(describe("pruned", chosen) + judged_words(pruning.steps[pruning.chosen], chosen))
    if pruning.least not in (None, pruning.chosen):
        say(describe("least", pruning.tree(pruning.least)) + judged_words(pruning.steps[pruning.least], chosen))
    if chosen.n_leaves == 1 < tree.n_leaves and chosen.task == "classes" and not chosen.leaf_rule.weighs_mistakes:
        said_everywhere = chosen.classes[int(chosen.labels[0])]
        say(f"note    no split is left, so every row is predicted “{said_everywhere}”: "
            "add --costs, --priors or --profits, or leave out --prune")  # fmt: skip
    if pruning.remark:
        say(f"note    {pruning.remark}")
    if table.n_validation and chosen_by_validation(method, options):
        if table.counter is not None:  # single rows would say how much too good that is
            n = len(pruning.steps)
            say(f"note    chosen among {n} trees by validation rows, so their error is a little too good")
            return chosen, compared + n, pruning
        choice = engine.cross_fitted(table, pruning, seed=said.seed, progress=heard("judging the choice"), **options)
        if choice.error == choice.error and not compared:  # of one row, or after other comparisons, nothing is known
            say_choice(choice.trees, choice.error, choice.interval, chosen)
        return chosen, compared + choice.trees, pruning
    if pruning.optimism == pruning.optimism:
        points = bare_error_words(pruning.optimism, chosen).replace(" %", " points")
        say(f"note    the cross-validated error is too good by about {points}, because it chose the tree")
    return chosen, compared, pruning


def heard(what: str) -> Progress:
    """The progress of a call, which says how far that is whenever it was silent for long."""
    last = time.monotonic()

    def report(done: float, text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= SILENT:
            last = time.monotonic()
            say(f"note    {what}, {100 * done:.0f} % done", to_errors=True)

    return Progress(report)


def say_choice(trees: int, error: float, interval: tuple[float, float], tree: engine.Tree) -> None:
    figure, low, high = (bare_error_words(one, tree) for one in (error, *interval))
    judged = f"{figure} ({low} to {high}) on rows that did not choose"
    among = "1 tree" if trees == 1 else f"{trees:,} trees"
    say(f"note    chosen among {among} by validation rows: {judged}")


def look_at_test(table: engine.Table, tree: engine.Tree, said: argparse.Namespace, looks: int) -> None:
    """Prints the error on the test rows and how often it was told; a project keeps that."""
    fit = engine.assess(table, tree, "test")
    say(f"test    {error_words(fit.error, tree)}{loss_words(fit.loss, tree)} on {fit.n:,} rows that chose nothing")
    if looks > 1:
        say(f"note    looked at {looks:,} times now: a tree that was chosen since the first has no honest figure")
    if said.file.lower().endswith(PROJECT):
        project.keep_test_looks(said.file, looks)


def write(
    tree: engine.Tree, paths: list[str], draw: Callable[..., None], compared: int, looks: int,
    form: str | None, options: dict[str, Any], table: engine.Table | None = None,
) -> None:  # fmt: skip
    """Writes the exports; all are made before the first is put into its place. `compared`, `looks`: among how many
    trees validation rows chose, and how often the test rows were looked at, which tree.json keeps. `form`: the format
    of all of them; None: that of their suffixes. `options`: of the format. `table`: that the tree
    is of."""
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        made = [Path(folder) / f"{i}{Path(path).suffix}" for i, path in enumerate(paths)]
        try:
            for draft in made:
                suffix = draft.suffix.lower()
                if form is None and suffix in PICTURES:
                    draw(tree, str(draft))
                elif (USUAL[suffix] if form is None else form) == "json":
                    draft.write_text("".join(tree_json.write(tree, compared, looks)), encoding="utf-8")
                else:
                    home = sql.home_of(table) if table is not None and (form or USUAL[suffix]) == "sql" else {}
                    engine.export(tree, draft, form, table=table, **{**home, **options})
        except OSError as problem:
            raise engine.InputError(f"“{problem.filename}” cannot be written: {problem.strerror}.") from problem
        for draft, path in zip(made, paths, strict=True):
            with draft.open("rb") as file:
                write_whole(path, file)
    for written in paths:
        say(f"wrote   {written}")


def _note_once() -> None:
    """Says why the first large job takes longer than the next."""
    _silence()
    say("note    compiling what this needs, once: up to a minute", to_errors=True)


def _silence() -> None:
    if _note_once in on_compiling:
        on_compiling.remove(_note_once)
