"""`python -m tests.house`: how large and how tangled the engine and the window are, read from their source.

Every figure is found with `ast`; nothing of the program is run. What a figure counts is said at the function that
counts it. `--list` names each place behind the figures; `--compile` measures the compiler, which takes minutes.
"""

import argparse
import ast
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Each chapter of the engine may import itself and those before it; the last one, the package's public names, too.
ORDER = (
    "runtime", "table", "readers", "splits", "criteria", "tree", "search", "significance", "ranking", "growing",
    "learning_theory", "pruning", "guarantees", "replaying", "assessment", "resampling", "sources", "formats",
    "scoring", "project", "reporting", "scripting", "warming", "command",
)  # fmt: skip
# And each room of the window itself and those before it; panels never each other.
ROOMS = (
    "garbage", "language", "theme", "icons", "messages", "settings", "wording", "widgets", "picture",
    "qt_loading", "model", "canvas", "panels", "dialogs", "crash", "verbs", "files", "help", "window", "desktop",
    "application",
)  # fmt: skip

# each makes a kernel, wherever it is imported from
DECORATORS = {"jit", "jit_long", "jit_inside", "jit_part", "jit_within", "jit_apart"}

CRITERIA = (
    "gini", "entropy", "gain_ratio", "error", "sqrt", "logworth", "association",
    "squared_error", "absolute_error", "binned_gini", "binned_error", "f_logworth", "number_association",
)  # fmt: skip
ALSO_OTHER_THINGS = {"error", "sqrt", "logworth"}  # a rate, a root and a figure, too: criteria only as a text

ENTRIES = ("grow", "candidates", "search_node")  # below these a search is walked through

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Place:
    """Something found in the source: the file below the root, the line, and what it is."""

    path: Path
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}  {self.what}"


@dataclass(frozen=True)
class Import:
    """One imported name: the place of the statement, the module it leads to, and in what it is wrapped.

    Attributes:
        target: the module that is imported, or that the name is imported from.
        alias, name: what it is called here, and there; the name is empty where the module itself is imported.
        in_function: whether it runs only when a function is called. for_types: whether only a type checker reads it.
    """

    place: Place
    target: str
    alias: str
    name: str
    in_function: bool
    for_types: bool


@dataclass(frozen=True, eq=False)
class Module:
    """One file of Python and what it imports."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def chapter(self) -> str:
        """The folder below the package that it lies in, or its own name; empty for the package itself."""
        return f"{self.name}..".split(".")[1]

    def at(self, node: ast.AST, what: str) -> Place:
        return Place(self.path, getattr(node, "lineno", 1), what)

    @cached_property
    def imports(self) -> list[Import]:
        found: list[Import] = []
        package = self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

        def visit(node: ast.AST, in_function: bool, for_types: bool) -> None:
            if isinstance(node, ast.Import):
                for one in node.names:
                    place = self.at(node, f"import {one.name}")
                    found.append(Import(place, one.name, one.asname or one.name, "", in_function, for_types))
            elif isinstance(node, ast.ImportFrom):
                base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
                target = ".".join(part for part in (base, node.module) if part)
                for one in node.names:
                    place = self.at(node, f"from {target} import {one.name}")
                    found.append(Import(place, target, one.asname or one.name, one.name, in_function, for_types))
            in_function = in_function or isinstance(node, FUNCTIONS)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                for inner in node.body:
                    visit(inner, in_function, True)
                for inner in node.orelse:
                    visit(inner, in_function, for_types)
            else:
                for child in ast.iter_child_nodes(node):
                    visit(child, in_function, for_types)

        visit(self.tree, False, False)
        return found


class House:
    """The modules of one package, by name.

    Args:
        package: a folder below the root. order: of its chapters, each of which may import those before it.
    """

    def __init__(self, package: str, order: tuple[str, ...] = ()) -> None:
        self.folder, self.order = ROOT / package, order
        self.modules: dict[str, Module] = {}
        for path in sorted(self.folder.rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text("utf-8")
            self.modules[name] = Module(name, path, text, ast.parse(text))

    def leads_to(self, one: Import) -> str | None:
        """The module of this package that an import leads to: the one named, if the name is a module itself."""
        inside = f"{one.target}.{one.name}"
        return inside if inside in self.modules else one.target if one.target in self.modules else None

    # -- size

    def size(self) -> tuple[int, int, int]:
        """Lines and files of Python, and what `ls` shows of the folder (without what Python keeps compiled)."""
        entries = [path for path in self.folder.iterdir() if path.name != "__pycache__" and path.name[0] != "."]
        lines = sum(module.text.count("\n") for module in self.modules.values())
        return lines, len(self.modules), len(entries)

    def kernels(self) -> list[tuple[int, Place]]:
        """Functions with one of the compiler policy's decorators, and of how many parameters, the most first."""
        found = []
        for module in self.modules.values():
            for node in ast.walk(module.tree):
                if isinstance(node, FUNCTIONS) and is_kernel(module, node):
                    n = len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
                    found.append((n, module.at(node, f"{node.name}: {n} parameters")))
        return sorted(found, key=lambda each: (-each[0], str(each[1])))

    # -- imports

    def circles(self) -> list[list[str]]:
        """Groups of modules each of which reaches all others by imports (for types, and in functions, too).

        A package's own file counts only where it is named: that importing `a.b` also runs `a` is left out.
        """
        edges: dict[str, list[str]] = {}
        for name, module in self.modules.items():
            reached = {self.leads_to(one) for one in module.imports}
            edges[name] = sorted(other for other in reached if other is not None and other != name)
        return sorted((each for each in knots(edges) if len(each) > 1), key=lambda each: (-len(each), each))

    def for_types(self) -> list[Place]:
        """Statements under TYPE_CHECKING that import from this package, in however many blocks and files."""
        return unique(
            one.place for module in self.modules.values() for one in module.imports
            if one.for_types and self.leads_to(one) is not None
        )  # fmt: skip

    def in_functions(self) -> list[Place]:
        """Statements inside functions that import anything, of this package or not, and do not say why so late: in a
        comment behind them, or above them or the import before them."""
        found = []
        for module in self.modules.values():
            lines = module.text.splitlines()
            for one in unique(one.place for one in module.imports if one.in_function):
                above = one.line - 2
                while lines[above].lstrip().startswith(("import ", "from ")) and "#" not in lines[above]:
                    above -= 1
                if "#" not in lines[one.line - 1] and "#" not in lines[above]:
                    found.append(one)
        return found

    def upward(self) -> list[Place]:
        """Imports from a later chapter, or of the whole package from inside it; for types and in functions, too."""
        rank = {name: place for place, name in enumerate(self.order)}
        found = []
        for module in self.modules.values():
            for one in module.imports:
                to = self.leads_to(one)
                if to is None or module.chapter not in rank:
                    continue
                chapter = self.modules[to].chapter
                if (
                    rank.get(chapter, -1 if chapter or module.chapter == self.order[-1] else len(rank))
                    > rank[module.chapter]
                ):
                    found.append(one.place)
        return unique(found)

    def without_chapter(self) -> list[str]:
        """Modules in no chapter of the order, of which nobody can say whether they import upwards."""
        return [name for name, module in self.modules.items() if module.chapter and module.chapter not in self.order]

    # -- decisions

    def naming_criteria(self) -> list[Place]:
        """One place for each name of a criterion in each file outside the chapter of criteria.

        A name counts as a whole text ("gini"), as an identifier (gini) and as an imported code (GINI); a word that has
        other meanings (error, sqrt) only as a text, so an "error" that is a key of a report counts, too.
        """
        codes = {name.upper() for name in CRITERIA}
        found: dict[tuple[Path, str], Place] = {}
        for module in self.modules.values():
            if module.chapter == "criteria":
                continue
            known = {one.alias for one in module.imports if one.name in codes}
            for node in ast.walk(module.tree):
                word = named(node)
                if isinstance(node, ast.Constant):
                    hit = word in CRITERIA
                elif isinstance(node, ast.Attribute) and word in codes:
                    hit = True
                else:
                    hit = word in known or (word in CRITERIA and word not in ALSO_OTHER_THINGS)
                if hit:
                    found.setdefault((module.path, word), module.at(node, word))
        return list(found.values())

    def comparisons(self, name: str) -> list[Place]:
        """Comparisons in which a variable or attribute of this name takes part, by itself or within a term."""
        found = []
        for module in self.modules.values():
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Compare) and any(
                    named(each) == name for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute)
                ):
                    found.append(module.at(node, ast.unparse(node)))
        return found

    # -- walks

    @cached_property
    def functions(self) -> dict[tuple[str, str], tuple[Module, ast.AST]]:
        """The functions of each module by (module, name); a method is called Class.name."""
        found: dict[tuple[str, str], tuple[Module, ast.AST]] = {}
        for module in self.modules.values():
            for node in module.tree.body:
                if isinstance(node, FUNCTIONS):
                    found[module.name, node.name] = module, node
                elif isinstance(node, ast.ClassDef):
                    for inner in node.body:
                        if isinstance(inner, FUNCTIONS):
                            found[module.name, f"{node.name}.{inner.name}"] = module, inner
        return found

    def resolved(self, module: str, name: str) -> tuple[str, str] | None:
        """Where the function that is called `name` in a module is defined; of a class, what makes its objects."""
        for _ in range(len(self.modules)):  # a name may be handed on from file to file
            for place in ((module, name), (module, f"{name}.__init__"), (module, f"{name}.__post_init__")):
                if place in self.functions:
                    return place
            one = next((each for each in self.modules[module].imports if each.alias == name and each.name), None)
            if one is None or one.target not in self.modules:
                return None
            module, name = one.target, one.name
        return None

    def called(self, place: tuple[str, str]) -> set[tuple[str, str]]:
        """The functions of this package that a function calls, or hands on by name to what it calls; no kernels.

        An attribute leads to a method where the object is `self`, to a function where it is a module, and else to the
        only method of that name in the package; where there are several, or where a text or a collection has one of
        that name, to none. Properties are not followed.
        """
        module, node = self.functions[place]
        found: set[tuple[str, str] | None] = set()
        for call in ast.walk(node):
            if not isinstance(call, ast.Call):
                continue
            for each in (call.func, *call.args, *(one.value for one in call.keywords)):
                if isinstance(each, ast.Name):
                    found.add(self.resolved(module.name, each.id))
                elif isinstance(each, ast.Attribute) and each is call.func:
                    found.add(self._attribute(place, each))
        return {each for each in found if each is not None and each != place and not is_kernel(*self.functions[each])}

    def _attribute(self, place: tuple[str, str], node: ast.Attribute) -> tuple[str, str] | None:
        module, owner = place[0], place[1].rpartition(".")[0]
        if isinstance(node.value, ast.Name):
            if node.value.id in ("self", "cls") and (module, f"{owner}.{node.attr}") in self.functions:
                return module, f"{owner}.{node.attr}"
            for one in self.modules[module].imports:
                target = self.leads_to(one)
                if one.alias == node.value.id and target is not None and (target, node.attr) in self.functions:
                    return target, node.attr
                if one.alias == node.value.id and not one.name and target is None:
                    return None  # of another package, as np.floor
        if any(hasattr(kind, node.attr) for kind in (str, list, dict, set)):
            return None
        same = self._methods.get(node.attr, [])
        return same[0] if len(same) == 1 else None

    @cached_property
    def _methods(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for place in self.functions:
            if "." in place[1]:
                found.setdefault(place[1].rpartition(".")[2], []).append(place)
        return found

    def walk(self, entry: str) -> tuple[int, int, int, list[Place]]:
        """What a reader walks through below a function of a module, methods and helpers included, kernels left out.

        This reads the source: a call counts whether or not a given search would come by it.

        Returns:
            The calls (pairs of a function and one that it calls), the files that the reached functions lie in, and
            their `return` statements; and where the reached functions are. Zeros if there is no such function.
        """
        waiting = [place for place in self.functions if place[1] == entry and not is_kernel(*self.functions[place])]
        reached, calls = set(waiting), 0
        while waiting:
            for other in sorted(self.called(waiting.pop())):
                calls += 1
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        found = [(self.functions[each], each[1]) for each in sorted(reached)]
        returns = sum(isinstance(each, ast.Return) for (_, node), _ in found for each in ast.walk(node))
        return calls, len({m.path for (m, _), _ in found}), returns, [m.at(node, name) for (m, node), name in found]


def is_kernel(module: Module, node: ast.AST) -> bool:
    """Whether a function of a module has one of the compiler policy's decorators."""
    known = {one.alias for one in module.imports if one.name in DECORATORS}
    return isinstance(node, FUNCTIONS) and any(last_name(each) in known for each in node.decorator_list)


def last_name(node: ast.AST) -> str:
    """What a decorator is called: `jit` of `jit`, `kernels.jit` and `jit(inline=True)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return named(node)


def named(node: ast.AST) -> str:
    """The word that a node of the syntax is: a name, an attribute, a parameter, a keyword, a text; else nothing."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return str(getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None) or "")


def unique(places: Iterator[Place] | list[Place]) -> list[Place]:
    """One place for each line, in order."""
    return list({(place.path, place.line): place for place in places}.values())


def knots(edges: dict[str, list[str]]) -> list[list[str]]:
    """The strongly connected components of a graph (Tarjan 1972), each sorted."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in edges[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            cut = stack.index(name)
            found.append(sorted(stack[cut:]))
            del stack[cut:]

    for name in edges:
        if name not in index:
            visit(name)
    return found


# -- the compiler


def seconds_of(arguments: list[str]) -> float:
    """Seconds of all processors that a fresh Python takes, with nothing compiled before."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    with tempfile.TemporaryDirectory(prefix="espalier-house-") as folder:
        variables = {**os.environ, "NUMBA_CACHE_DIR": folder, "QT_QPA_PLATFORM": "offscreen"}
        before = spent()
        subprocess.run(
            [sys.executable, *(word.replace("FOLDER", folder) for word in arguments)],
            cwd=ROOT, env=variables, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return spent() - before


def compiling() -> Iterator[tuple[str, str]]:
    yield "CPU of compiling everything, s", f"{seconds_of(['-c', 'import engine; engine.warm_up()']):.0f}"
    job = "main.py example:penguins --no-window --target species --export FOLDER/tree.json"
    yield "CPU of the first job on 344 penguins, s", f"{seconds_of(job.split()):.0f}"


# -- the table


def measures() -> Iterator[tuple[str, str, list[object]]]:
    """What is measured, the figures, and the places behind them."""
    engine, picture, window = House("engine", ORDER), House("gui/picture"), House("gui", ROOMS)
    yield from arrangement(engine)
    yield from arrangement(window)
    for house in (engine, picture):
        kernels = house.kernels()
        most = kernels[0][0] if kernels else 0
        where = f"kernels in {house.folder.relative_to(ROOT)}/, parameters of the longest"
        yield where, f"{len(kernels)} · {most}", [p for _, p in kernels[:20]]
    named = engine.naming_criteria()
    yield "files outside criteria/ that name a criterion", str(len({place.path for place in named})), list(named)
    compared = engine.comparisons("min_leaf")
    files = len({place.path for place in compared})
    yield "comparisons with min_leaf, files", f"{len(compared)} · {files}", list(compared)
    for entry in ENTRIES:
        *counts, places = engine.walk(entry)
        yield f"walk below {entry}: calls, files, returns", " · ".join(map(str, counts)), list(places)


def arrangement(house: House) -> Iterator[tuple[str, str, list[object]]]:
    """The size of a package, and which way its imports run."""
    name = house.folder.name
    yield f"lines of {name}/, files, entries of ls", " · ".join(f"{n:,}" for n in house.size()), []
    circles = house.circles()
    sizes = f" ({', '.join(str(len(each)) for each in circles)} modules)" if circles else ""
    yield f"circles of imports in {name}/", f"{len(circles)}{sizes}", [" ".join(each) for each in circles]
    for what, places in (
        ("imports for types only", house.for_types()),
        ("imports upwards", house.upward()),
        ("modules in no chapter", house.without_chapter()),
        ("imports in functions without a reason", house.in_functions()),
    ):
        yield f"{what} in {name}/", str(len(places)), list(places)


words = argparse.ArgumentParser(prog="python -m tests.house", description=(__doc__ or "").partition("\n")[0])
words.add_argument("--list", action="store_true", help="name the places behind the figures, too")
words.add_argument("--compile", action="store_true", help="measure the compiler with an empty cache instead: minutes")


def main(arguments: list[str] | None = None) -> int:
    chosen = words.parse_args(arguments)
    if chosen.compile:
        for what, figure in compiling():
            print(f"{what:<50} {figure}", flush=True)
        return 0
    for what, figure, places in measures():
        print(f"{what:<50} {figure}")
        if chosen.list:
            print(*(f"    {place}" for place in places), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
