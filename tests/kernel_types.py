"""What numba makes of the kernels: the types of everything that they compute, without compiling anything."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any

from numba.core import compiler, ssa, typed_passes, types
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.typing import signature

from engine.runtime.compiler import Kernel
from tests.conftest import ROOT

Signature = tuple[Any, ...]


def kernels() -> dict[str, Any]:
    """Every kernel, by the name of its file and its own: all functions of these files are."""
    found = {}
    for module in modules():
        for value in vars(import_module(module)).values():
            if is_kernel(value) and function_of(value).__module__ == module:
                name = name_of(function_of(value))
                assert found.setdefault(name, value) is value, f"two kernels are called {name}"
    enclosed = list(found.items())
    for name, value in enclosed:  # what kernels are put together of has no name in a module
        for cell in getattr(function_of(value), "__closure__", None) or ():
            if is_kernel(cell.cell_contents) and cell.cell_contents not in found.values():
                found[f"{name} {len(found)}"] = cell.cell_contents
                enclosed.append((name, cell.cell_contents))
    return found


def compiled() -> dict[str, CPUDispatcher]:
    """What Python calls of them, by the same names."""
    return {name: kernel.compiled for name, kernel in kernels().items() if hasattr(kernel, "compiled")}


def is_kernel(value: Any) -> bool:
    """Whether it is a function or what the compiler makes of one, but no value to pass (see `jit_apart`)."""
    private = isinstance(value, FunctionType) and value.__name__ == "_chosen"  # it makes kernels
    return isinstance(value, (FunctionType, CPUDispatcher, Kernel)) and not hasattr(value, "signature") and not private


def function_of(kernel: Any) -> Any:
    """The Python function."""
    return getattr(kernel, "py_func", kernel)


def modules() -> list[str]:
    """The full names of all files of kernels."""
    paths = sorted(
        (*ROOT.glob("engine/*/kernels/*.py"), *ROOT.glob("engine/*/kernels.py"), *ROOT.glob("gui/picture/kernels/*.py"))
    )
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
    callees: list[tuple[Kernel, Signature]] = field(default_factory=list)
    returns: Any = None


def look_inside(kernel: Any, passed: Signature) -> Inside:
    """Infers the types of a kernel, as numba does before it compiles."""
    return _look_inside(function_of(kernel), passed)


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
                callee = (
                    called.dispatcher if isinstance(called, types.Dispatcher) else getattr(called, "typing_key", None)
                )
                if is_kernel(callee) and is_ours(function_of(callee)):
                    assert not expression.kws, f"{name_of(function)} is compiled once more for what it calls by keyword"
                    found.callees.append((callee, told.args))
    return found


def is_ours(function: Any) -> bool:
    """Whether a function is one of the program's or of its tests, and no part of numba, numpy or the policy."""
    of_program = function.__module__.partition(".")[0] in ("engine", "gui", "tests")
    return of_program and function.__module__ != "engine.runtime.compiler"


@contextmanager
def types_alone() -> Iterator[None]:
    """Lets numba ask what a kernel returns to another kernel without compiling it: inferring its types is enough.

    What is made up so is taken back at the end, or a later compilation would take it for code.
    """
    made: list[tuple[CPUDispatcher, Signature]] = []
    compile_truly = CPUDispatcher.compile

    def infer(kernel: CPUDispatcher, sig: Any) -> Any:
        if not is_ours(kernel.py_func):
            return compile_truly(kernel, sig)
        passed = tuple(normalize_signature(sig)[0])
        if passed not in kernel.overloads:
            returns = look_inside(kernel, passed).returns
            told = SimpleNamespace(signature=signature(returns, *passed), objectmode=False, entry_point=None)
            kernel.overloads[passed] = told
            made.append((kernel, passed))

    CPUDispatcher.compile = infer
    try:
        yield
    finally:
        CPUDispatcher.compile = compile_truly
        for kernel, passed in made:
            del kernel.overloads[passed]


def apart() -> dict[str, list[Signature]]:
    """The functions that kernels call as values, with their only signature: no call names them."""
    return {
        name_of(value.py_func): [value.signature.args]
        for module in modules()
        for value in vars(import_module(module)).values()
        if hasattr(value, "signature") and hasattr(value, "py_func")
    }


def reachable(roots: dict[str, list[Signature]]) -> Iterator[tuple[str, Signature, Inside]]:
    """(kernel, signature, what stands in it) of the roots and of all that they call, in any way, each once."""
    known, roots = kernels(), {**roots, **apart()}
    names = {id(getattr(kernel, "inner", kernel)): name for name, kernel in known.items()}
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
