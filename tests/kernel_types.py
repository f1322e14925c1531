"""What numba makes of the kernels: the types of everything that they compute, without compiling anything."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from numba.core import compiler, ssa, typed_passes, types
from numba.core.registry import CPUDispatcher, cpu_target

import engine.kernels
from engine.kernels.by_address import Addressed

Signature = tuple[Any, ...]


def kernels() -> dict[str, CPUDispatcher]:
    """Every kernel, by the name of its room and its own."""
    found = {}
    for room in iter_modules(engine.kernels.__path__):
        for value in vars(import_module(f"engine.kernels.{room.name}")).values():
            if isinstance(value, CPUDispatcher) and value.py_func.__module__ == f"engine.kernels.{room.name}":
                found[f"{room.name}.{value.py_func.__name__}"] = value
    return found


@dataclass
class Inside:
    """What stands in one kernel for one signature.

    Attributes:
        sums: (line, operator, types of both sides, type of the result) of all that is computed from two integers.
        callees: the kernels that it calls, with the types that it passes them.
    """

    sums: list[tuple[int, str, tuple[Any, Any], Any]] = field(default_factory=list)
    callees: list[tuple[CPUDispatcher, Signature]] = field(default_factory=list)


def look_inside(kernel: CPUDispatcher, signature: Signature) -> Inside:
    """Infers the types of a kernel, as numba does before it compiles."""
    body = ssa.reconstruct_ssa(compiler.run_frontend(kernel.py_func))
    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    inferred = typed_passes.type_inference_stage(typing, target, body, signature, None)
    found = Inside()
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


def addressed() -> dict[str, list[Signature]]:
    """The kernels that others call by their address, with their only signature: no call names them."""
    found = {}
    for room in iter_modules(engine.kernels.__path__):
        for value in vars(import_module(f"engine.kernels.{room.name}")).values():
            if isinstance(value, Addressed):
                kernel = value.kernel.py_func
                found[f"{kernel.__module__.removeprefix('engine.kernels.')}.{kernel.__name__}"] = [value.signature.args]
    return found


def reachable(roots: dict[str, list[Signature]]) -> Iterator[tuple[str, Signature, Inside]]:
    """(kernel, signature, what stands in it) of the roots and of all that they call, by name or address, each once."""
    known, roots = kernels(), {**roots, **addressed()}
    names = {id(kernel): name for name, kernel in known.items()}
    todo = [(name, signature) for name, signatures in roots.items() for signature in signatures]
    seen = set(todo)
    while todo:
        name, signature = todo.pop()
        inside = look_inside(known[name], signature)
        yield name, signature, inside
        for callee, types_passed in inside.callees:
            following = (names[id(callee)], tuple(map(types.unliteral, types_passed)))
            if following not in seen:
                seen.add(following)
                todo.append(following)
