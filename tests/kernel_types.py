"""What numba makes of the kernels: the types of everything that they compute, without compiling anything."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from numba.core import compiler, ssa, typed_passes, types
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing import signature

from engine.runtime.by_address import Addressed
from tests.conftest import ROOT

Signature = tuple[Any, ...]


def kernels() -> dict[str, CPUDispatcher]:
    """Every kernel, by the name of its file and its own."""
    found = {}
    for module in modules():
        for value in vars(import_module(module)).values():
            if isinstance(value, CPUDispatcher) and value.py_func.__module__ == module:
                name = name_of(value.py_func)
                assert name not in found, f"two kernels are called {name}"
                found[name] = value
    enclosed = list(found.items())
    for name, value in enclosed:  # what kernels are put together of has no name in a module
        for cell in value.py_func.__closure__ or ():
            if isinstance(cell.cell_contents, CPUDispatcher) and cell.cell_contents not in found.values():
                found[f"{name} {len(found)}"] = cell.cell_contents
                enclosed.append((name, cell.cell_contents))
    return found


def modules() -> list[str]:
    """The full names of all files of kernels."""
    paths = sorted((*ROOT.glob("engine/*/kernels/*.py"), *ROOT.glob("gui/picture/kernels/*.py")))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths if path.stem != "__init__"]


def name_of(function: Callable[..., Any]) -> str:
    """A kernel's name: that of its file and its own."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


@dataclass
class Inside:
    """What stands in one kernel for one signature.

    Attributes:
        sums: (line, operator, types of both sides, type of the result) of all that is computed from two integers.
        callees: the kernels that it calls, with the types that it passes them.
        returns: the type of what comes back.
    """

    sums: list[tuple[int, str, tuple[Any, Any], Any]] = field(default_factory=list)
    callees: list[tuple[CPUDispatcher, Signature]] = field(default_factory=list)
    returns: Any = None


def look_inside(kernel: CPUDispatcher, passed: Signature) -> Inside:
    """Infers the types of a kernel, as numba does before it compiles."""
    return _look_inside(kernel.py_func, passed)


@cache
def _look_inside(function: Callable[..., Any], passed: Signature) -> Inside:
    body = ssa.reconstruct_ssa(compiler.run_frontend(function))
    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    inferred = typed_passes.type_inference_stage(typing, target, body, passed, None)
    found = Inside(returns=inferred.return_type)
    for block in body.blocks.values():
        for expression in block.find_exprs():
            told = inferred.calltypes.get(expression)
            if expression.op in ("binop", "inplace_binop"):
                # As they come, not as the operator takes them: uint64 + int64 is computed as float64 + float64.
                sides = tuple(types.unliteral(inferred.typemap[side.name]) for side in (expression.lhs, expression.rhs))
                operator = expression.immutable_fn if expression.op == "inplace_binop" else expression.fn
                if all(isinstance(side, types.Integer) for side in sides):
                    found.sums.append((expression.loc.line, operator.__name__, sides, told.return_type))
            elif expression.op == "call":
                called = inferred.typemap[expression.func.name]
                if isinstance(called, types.Dispatcher):
                    found.callees.append((called.dispatcher, told.args))
    return found


@contextmanager
def types_alone(all_kernels: Iterable[CPUDispatcher]) -> Iterator[None]:
    """Lets numba ask what a kernel returns to another kernel without compiling it: inferring its types is enough.

    What is made up so is taken back at the end, or a later compilation would take it for code.
    """
    within = [kernel.inside for kernel in all_kernels]
    made = [(kernel, dict(kernel.overloads)) for kernel in within]

    def infer(kernel: CPUDispatcher, passed: Signature) -> None:
        if passed not in kernel.overloads:
            returns = look_inside(kernel, passed).returns
            kernel.overloads[passed] = SimpleNamespace(signature=signature(returns, *passed), objectmode=False)

    for kernel in within:
        kernel.compile = partial(infer, kernel)
    try:
        yield
    finally:
        for kernel, before in made:
            del kernel.compile
            kernel.overloads.clear()
            kernel.overloads.update(before)


def addressed() -> dict[str, list[Signature]]:
    """The kernels that others call by their address, with their only signature: no call names them."""
    found = {}
    for module in modules():
        for value in vars(import_module(module)).values():
            if isinstance(value, Addressed):
                found[name_of(value.kernel.py_func)] = [value.signature.args]
    return found


def reachable(roots: dict[str, list[Signature]]) -> Iterator[tuple[str, Signature, Inside]]:
    """(kernel, signature, what stands in it) of the roots and of all that they call, by name or address, each once."""
    known, roots = kernels(), {**roots, **addressed()}
    names = {id(kernel): name for name, kernel in known.items()}
    todo = [(name, passed) for name, signatures in roots.items() for passed in signatures]
    seen = set(todo)
    while todo:
        name, passed = todo.pop()
        inside = look_inside(known[name], passed)
        yield name, passed, inside
        for callee, types_passed in inside.callees:
            following = (names[id(callee)], tuple(map(types.unliteral, types_passed)))
            if following not in seen:
                seen.add(following)
                todo.append(following)
