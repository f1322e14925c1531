"""The compiler's policy: how functions of arrays are compiled and kept. Only files named `kernels` import it.

One policy for all kernels: compiled lazily, cached on disk, without the interpreter's lock, and with
numpy's rules for division. Options travel as integer codes, never as functions: a compiled function
passed as an argument would be compiled anew at every start.

A caller holds the code of what it calls, so all files depend on all kernels: they lie in a folder whose name is a
digest of every kernel's source and of numba's version, and are checked at start (`kernel_cache`).
"""

import atexit
import hashlib
import importlib.metadata
import os
import sys
from collections.abc import Callable
from functools import cache, partial, wraps
from pathlib import Path
from threading import Lock
from typing import Any

import numba
from numba.extending import intrinsic, overload, register_jitable

from engine.runtime.kernel_cache import Files, also, choose, remove_unused, temporary

PROGRAM = Path(__file__).resolve().parents[2]
SOURCES = (
    "engine/*/kernels/*.py",
    "engine/*/kernels.py",
    "engine/criteria/*.py",
    "engine/runtime/*.py",
    "gui/picture/kernels/*.py",
)


def cache_name() -> str:
    """The name of the cache folder: a digest of every kernel's source and of the compiler's version."""
    digest = hashlib.sha256()
    for source in sorted(file for pattern in SOURCES for file in PROGRAM.glob(pattern)):
        digest.update(source.relative_to(PROGRAM).as_posix().encode() + source.read_bytes())
    digest.update("".join((importlib.metadata.version("numba"), sys.version, *also)).encode())
    return "kernels-" + digest.hexdigest()[:16]


VERSION = cache_name()
_chosen = choose(VERSION)  # None: nothing can be written anywhere
FILES = None if _chosen is None else Files(_chosen, partial(temporary, VERSION))
FOLDER = None if FILES is None else FILES.folder
if FILES is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(FILES.store.parent)  # processes that this one starts use the same
    atexit.register(FILES.seal)
numba.config.reload_config()  # type: ignore[attr-defined]  # or the first compilation does, and undoes the next line
numba.config.CACHE_DIR = "" if FOLDER is None else str(FOLDER)  # type: ignore[attr-defined]


def keep_compiled() -> None:
    """Has later starts believe what was compiled so far; at the end of the process that happens by itself."""
    if FILES is not None:
        FILES.seal()


def compiled_before() -> bool:
    """Whether the cache holds kernels of this version."""
    return FOLDER is not None and any(FOLDER.glob("*/*.nbc"))


def is_ready(kernel: Any) -> bool:
    """Whether a kernel was compiled, now or at an earlier start, so that a call does not wait for the compiler."""
    if not hasattr(kernel, "compiled") or kernel.signatures:
        return True  # without a compiler all are ready
    name = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}-*.nbc"
    return FOLDER is not None and any(FOLDER.glob(f"*/{name}"))


def remove_old_caches() -> None:
    """Removes what other versions compiled and nobody has used for long; never raises."""
    if FILES is not None:
        remove_unused(FILES.store)


RULES: dict[str, Any] = {"error_model": "numpy"}
POLICY: dict[str, Any] = {"nogil": True, **RULES}


def jit(function: Callable[..., Any]) -> Any:
    """Compiles a kernel by the policy above: for Python and for other kernels apart, each when the first call comes.

    What other kernels call is an overload of the function that Python calls, so a constant is a number like others:
    of a plain dispatcher numba makes `gain(0, x)` beside `gain(code, x)`, and all that `gain` calls in turn, once more,
    which was a fifth of all compiling. And what only kernels call needs no code that takes Python's objects apart,
    and no file of its own on disk, for it is a part of its callers' files.
    """
    compiled: Any = numba.njit(function, cache=FOLDER is not None, **POLICY)
    if compiled is function:  # with NUMBA_DISABLE_JIT=1
        return function

    @wraps(function)
    def kernel(*arguments: Any) -> Any:
        try:
            return kernel.compiled(*arguments)  # type: ignore[attr-defined]
        except OSError:  # kernels raise none: numba cannot read or write its files (a full disk, say), so do without
            take(numba.njit(function, **POLICY))
            return kernel.compiled(*arguments)  # type: ignore[attr-defined]

    def take(dispatcher: Any) -> None:
        kernel.compiled, kernel.py_func, kernel.signatures = dispatcher, function, dispatcher.overloads  # type: ignore[attr-defined]

    take(compiled)
    overload(kernel, jit_options=POLICY, strict=False)(lambda *_, **__: function)  # type: ignore[arg-type]
    return kernel


def bare(array: Any) -> Any:
    """The array itself; in a kernel the same memory with no references to count, for arrays that live long enough.

    Whoever is passed an array counts a reference to it, two locked instructions for each array and call, which is more
    than a small node costs: growing took 1.2 to 1.4 times as long. So a kernel that calls others for every node hands
    on bare arrays. Its caller has to keep the arrays alive, as Python does with arguments. What numba cannot tell at
    once to be bare it still asks about at each call, so what is called for each node is either a part (`jit_part`), or
    calls no others with arrays.

    Args:
        array: contiguous; others are refused when the kernel is compiled.
    """
    return array


@intrinsic
def _pointer(context: Any, place: Any) -> Any:
    """The pointer in `array.ctypes`, as a C function would get it."""
    to = numba.types.CPointer(place.dtype)

    def convert(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return target.cast(builder, arguments[0], place, to)

    return to(place), convert


def _bare(array: Any) -> Any:
    return numba.carray(_pointer(array.ctypes), array.shape)  # type: ignore[attr-defined,call-arg]


overload(bare, jit_options=POLICY, inline="always", strict=False)(  # type: ignore[arg-type]
    lambda array: _bare if array.layout == "C" else None
)


def jit_part(function: Callable[..., Any]) -> Any:
    """The same for a kernel that one other kernel calls: it becomes a part of that one before anything is compiled.

    Numba optimises a kernel by itself and once more inside each that calls it: a layer costs all that lies below it.
    """
    return numba.njit(function, inline="always", **POLICY)


def jit_within(function: Callable[..., Any]) -> Any:
    """Python runs the function as it is, and kernels call it compiled: for one that only chooses among kernels.

    Then Python waits for the kernels that are chosen, and not for all that might be.
    """
    return register_jitable(**POLICY)(function)


def jit_apart(signature: Any) -> Callable[[Callable[..., Any]], Callable[[], Any]]:
    """Makes of a function one that gives a value to pass to kernels, which call it; compiled when first asked for.

        a call by name     grow ── search     numba copies the code of `search` into `grow` and optimises it there
                           look ── search     again; and once more in each kernel that calls `grow`
        a call of a value  grow ──┐
                                  ├── search  ten nanoseconds for each call, and nothing is known of what is called
                           look ──┘

    This is for large kernels that are called from several places and work long beside a call. They must not raise:
    what is raised in them is printed, and the caller goes on. So where every index is checked the call is by name.

    Args:
        signature: numba's, of numbers and arrays.
    """

    def decorate(function: Callable[..., Any]) -> Callable[[], Any]:
        one_at_a_time = Lock()

        @cache
        def make() -> Any:
            if numba.config.DISABLE_JIT or numba.config.BOUNDSCHECK:  # type: ignore[attr-defined]
                return numba.njit(function, **POLICY)
            try:
                return numba.cfunc(signature, cache=FOLDER is not None, **RULES)(function)
            except OSError:
                return numba.cfunc(signature, **RULES)(function)

        def value() -> Any:
            with one_at_a_time:
                return make()

        value.py_func, value.signature = function, signature  # type: ignore[attr-defined]
        return value

    return decorate
