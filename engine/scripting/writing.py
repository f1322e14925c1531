"""A script that makes a tree again: how its file is read, what was decided about its columns and rows, and each step,
in public names alone. The steps are done once before they are handed out; where they do not give the tree, the script
says its splits one by one instead, which always do."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

import numpy as np

from engine.formats.files import read_tree
from engine.growing import grow
from engine.pruning.growth import grow_while_improving
from engine.pruning.result import Pruning, prune
from engine.readers.options import ReadOptions
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.version import VERSION
from engine.scripting import ScriptStep
from engine.sources.opening import how_counted
from engine.splits import Literal
from engine.table.table import Table
from engine.tree.counting import recount
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree

MOST_SPLITS = 2000  # that are said one by one: each sends its rows down once
WIDTH = 116
OF_TABLE = {"split", "replace_split", "merge", "paste", "replace_with_branch", "with_leaf_rule"}  # of a tree's edits
OF_SEVERAL: dict[str, Callable[..., Pruning]] = {"prune": prune, "grow_while_improving": grow_while_improving}
IDLE = ("threads",)  # options that change no tree


def script(
    table: Table, tree: Tree, steps: Sequence[ScriptStep] | None = None, progress: Progress | None = None
) -> str:
    """A Python script that makes a tree from the file of its table.

    Args:
        table: where the tree was grown; its `source` says how it is read again.
        tree: what the script has to make.
        steps: what was done to a single leaf in turn; None where that is not known.
        progress: is given how far the trial run is; a stop leaves the splits one by one.

    Raises:
        InputError: the table was made in memory, or the steps do not make the tree and it has more than `MOST_SPLITS`
            splits.
    """
    lines = [f"# Makes a tree with {tree.n_leaves:,} leaves for {code(tree.target)}, as Espalier {VERSION} had it.",
             "import engine", "", *_reading(table), ""]  # fmt: skip
    if steps is not None and _makes(table, tree, steps, progress or Progress()):
        lines += ["tree = engine.Tree.root(table)", *(line for one in steps for line in _said(one))]
    else:
        why = "unknown: its splits follow" if steps is None else "not to be repeated by a script, so its splits follow"
        lines += [f"# How this tree came about is {why} one by one.", *_one_by_one(tree)]
    return "\n".join([*lines, "", 'print(tree.n_leaves, "leaves, training error", tree.error("train"))', ""])


# -- the steps, done


def _makes(table: Table, tree: Tree, steps: Sequence[ScriptStep], progress: Progress) -> bool:
    """Whether the steps lead from a single leaf to this tree."""
    made = Tree.root(table)
    for k, step in enumerate(steps):
        try:
            made = _done(step, table, made, progress.part(k / len(steps), (k + 1) / len(steps)))
        except (InputError, IndexError):
            return False
        if progress.stopped:
            return False
    return same_tree(made, tree)


def _done(step: ScriptStep, table: Table, tree: Tree, progress: Progress) -> Tree:
    options = _without_idle(step.options)
    if step.verb == "grow":
        return grow(table, tree=tree, progress=progress, **options)
    if step.verb in OF_SEVERAL:
        index = options.pop("step", None)
        pruning = OF_SEVERAL[step.verb](table, tree, *step.given, progress=progress, **options)
        return pruning.tree(pruning.chosen if index is None else index)
    if step.verb == "read_tree":
        return recount(read_tree(*step.given), table)[0]
    given = step.given
    if step.verb == "with_mark":
        options["table"] = table
    if step.verb == "paste":
        given = (given[0], tree.subtree(given[1]))
    edit = getattr(tree, step.verb)
    made: Tree = edit(table, *given, **options) if step.verb in OF_TABLE else edit(*given, **options)
    return made


def _without_idle(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in IDLE}


def same_tree(one: Tree, other: Tree) -> bool:
    """Whether two trees ask the same, predict the same and have the same marks, whatever the ids of their nodes are."""
    if one.n_nodes != other.n_nodes or one.classes != other.classes or one.leaf_rule != other.leaf_rule:
        return False
    if not all(one.split_at(i) == other.split_at(i) for i in range(one.n_nodes)):
        return False
    marks = all(one.mark(int(a)) == other.mark(int(b)) for a, b in zip(one.ids, other.ids, strict=True))
    hands = np.array_equal(one.by_hand[one.n_branches > 0], other.by_hand[other.n_branches > 0])
    says = np.array_equal(one.labels, other.labels) if one.task == "classes" else True
    return marks and hands and says


# -- in the words of Python


def _reading(table: Table) -> Iterator[str]:
    """How the table comes about, in the order in which a project does the same."""
    source = table.source
    how = [f"options={code(ReadOptions.from_dict(source['options']))}"] if source.get("options") else []
    match source.get("kind"):
        case "file":
            yield from _wrapped("table = ", "engine.read_table", [code(source["path"]), *how])
        case "codes":
            yield from _wrapped("table = ", "engine.read_codes", [code(source["path"]), *how])
        case "counts" if address := source.get("path", source.get("address")):
            how += _named(how_counted(table))
            yield from _wrapped("table = ", "engine.read_counts", [code(address), *how])
            return
        case "sample":
            drawn = [code(source["path"]), code(source["rows"]), f"seed={code(source['seed'])}"]
            yield from _wrapped("table = ", "engine.read_sample", [*drawn, *how])
        case "text":
            yield from _wrapped("table = ", "engine.read_text", [code(source["text"]), *how])
        case "example":
            yield from _wrapped("table = ", "engine.read_example", [code(source["id"])])
        case _:
            raise InputError(tr(
                "“{table}” was made in memory, so a script could not read it: write it to a file and open that.",
                table=table.name))  # fmt: skip
    kinds = [f"{code(column.name)}: {code(column.kind)}" for column in table.columns]
    yield from _wrapped("kinds = ", "", kinds, "{}")
    yield "for name, kind in kinds.items():"
    yield "    if table.column(name).kind != kind:"
    yield "        table = table.with_kind(name, kind)"
    for column in table.columns:
        if column.kind == "ordered" or (column.kind == "nominal" and list(column.levels) != sorted(column.levels)):
            yield from _wrapped("table = ", "table.with_order", [code(column.name), code(tuple(column.levels))])
    yield f"table = table.with_target({code(table.target)})"
    yield from _wrapped("table = ", "table.with_partition", _named(table.partition))
    if table.roles:
        yield from _wrapped("roles = ", "", [f"{code(name)}: {code(role)}" for name, role in table.roles.items()], "{}")
        yield "table = table.with_roles(roles)"


def _said(step: ScriptStep) -> Iterator[str]:
    """The line of a step."""
    given, options = [code(one) for one in step.given], _without_idle(step.options)
    if step.verb == "grow":
        yield from _wrapped("tree = ", "engine.grow", ["table", "tree=tree", *_named(options)])
    elif step.verb in OF_SEVERAL:
        index = options.pop("step", None)
        yield from _wrapped("pruning = ", f"engine.{step.verb}", ["table", "tree", *given, *_named(options)])
        yield f"tree = pruning.tree({'pruning.chosen' if index is None else index})"
    elif step.verb == "read_tree":
        yield f"tree, _ = engine.recount(engine.read_tree({given[0]}), table)"
    else:
        if step.verb == "paste":
            given[1] = f"tree.subtree({given[1]})"
        table = ["table"] if step.verb in OF_TABLE else []
        more = ["table=table"] if step.verb == "with_mark" and "label" in options else []
        yield from _wrapped("tree = ", f"tree.{step.verb}", [*table, *given, *_named(options), *more])


def _one_by_one(tree: Tree) -> Iterator[str]:
    """The splits of a tree in preorder, with the ids that they give their branches, then its marks."""
    if (n := int((tree.n_branches > 0).sum())) > MOST_SPLITS:
        raise InputError(tr(
            "The history does not say how this tree of {n} splits came about, and a script says at most {most} one by "
            "one: export it as JSON, and read that with engine.read_tree.", n=f"{n:,}", most=f"{MOST_SPLITS:,}",
        ))  # fmt: skip
    ids, fresh = {0: 0}, 1
    yield "tree = engine.Tree.root(table)"
    if tree.leaf_rule != LeafRule(summary="mode" if tree.task == "classes" else "mean"):
        yield from _said(ScriptStep("with_leaf_rule", (tree.leaf_rule,)))
    for i in range(tree.n_nodes):
        if (split := tree.split_at(i)) is not None:
            by_hand = {} if tree.by_hand[i] else {"by_hand": False}
            yield from _said(ScriptStep("split", (ids[i], split), by_hand))
            for child in tree.children(i):
                ids[child], fresh = fresh, fresh + 1
    for i in reversed(range(tree.n_nodes)):  # below a lock nothing more can be written
        if changes := tree.mark(int(tree.ids[i])).to_dict():
            yield from _said(ScriptStep("with_mark", (ids[i],), changes))


def _named(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={code(value)}" for name, value in options.items()]


def _wrapped(before: str, name: str, arguments: Sequence[str], brackets: str = "()") -> Iterator[str]:
    """A call, or a display, on one line or on several that are not too long."""
    whole = f"{before}{name}{brackets[0]}{', '.join(arguments)}{brackets[1]}"
    if len(whole) <= WIDTH:
        yield whole
        return
    yield f"{before}{name}{brackets[0]}"
    line = ""
    for argument in arguments:
        if line and len(line) + len(argument) + 6 > WIDTH:
            yield f"    {line}"
            line = ""
        line = f"{line} {argument},".lstrip()
    yield f"    {line}"
    yield brackets[1]


def code_call(name: str, given: Sequence[Any], options: Mapping[str, Any]) -> str:
    """A call on one line."""
    return f"{name}({', '.join([*map(code, given), *_named(options)])})"


def _usual(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()


def code(value: Any) -> str:
    """A value as Python reads it: texts, numbers, tuples, mappings, splits, rules of leaves. A text is a literal
    whatever stands in it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, Literal):
        return code_call("engine.Literal", tuple(value), {})
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: getattr(value, one.name) for one in fields(value) if getattr(value, one.name) != _usual(one)}
        return code_call(f"engine.{type(value).__name__}", [], told)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{code(name)}: {code(one)}" for name, one in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(code, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(code, value)) + "]"
    return repr(value)
