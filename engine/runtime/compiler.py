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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache, partial, update_wrapper
from pathlib import Path
from threading import Lock
from time import perf_counter
from types import CellType, FunctionType
from typing import Any
from weakref import WeakSet

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, is_jitted, models, overload, register_jitable, register_model, typeof_impl

from engine.runtime.kernel_cache import Files, also, choose, remove_unused, temporary
from engine.runtime.progress import compiling, is_compiling

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


PATIENCE = 1.0  # seconds that a kernel may run as plain Python before it is compiled, which takes about as long
SMALL = 50_000  # numbers in the arrays of a call up to which it does

_as_python: ContextVar[bool] = ContextVar("as_python", default=False)  # a kernel runs so, and with it all that it calls
_at_once: ContextVar[Callable[[], object] | None] = ContextVar("at_once", default=None)  # see `compile_at_once`


@contextmanager
def compile_at_once(wait: Callable[[], object] = lambda: None) -> Iterator[None]:
    """No kernel runs as plain Python meanwhile, so that all that are called are compiled.

    wait: called before each of them, to let go first what is more urgent.
    """
    before = _at_once.set(wait)
    try:
        yield
    finally:
        _at_once.reset(before)


def is_ready(kernel: Any) -> bool:
    """Whether a kernel was compiled, now or at an earlier start, so that a call does not wait for the compiler."""
    if not hasattr(kernel, "compiled") or kernel.signatures:
        return True  # without a compiler all are ready
    if kernel.kept is None:
        kernel.kept = _is_kept(kernel)
    return bool(kernel.kept)


def _is_kept(function: Any) -> bool:
    """Whether the cache has what was compiled of a function."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}-*.nbc"
    return FOLDER is not None and any(FOLDER.glob(f"*/{name}"))


def may_wait(kernel: Any, size: int, times: float = 1.0) -> bool:
    """Whether a call had better run as plain Python: it is small, and the kernel would have to be compiled for it.

    times: how many times as long as other kernels this one takes to compile, and so may run as plain Python before.
    """
    if size > SMALL or is_ready(kernel) or _at_once.get() is not None:
        return False
    return kernel.spent < times * PATIENCE or is_compiling()  # the compiler makes one kernel at a time


def as_python(kernel: Any, *arguments: Any) -> Any:
    """A call of a kernel, and of all that it calls, as plain Python. It answers the same.

    The last digits of logarithms and of powers may differ, as Python, numpy and the compiler each have their own.
    """
    before, begin = _as_python.set(True), perf_counter()
    try:
        with np.errstate(all="ignore"):  # as compiled
            return _plain(kernel.py_func)(*arguments)
    finally:
        _as_python.reset(before)
        kernel.spent += perf_counter() - begin


@cache
def _plain(function: Any) -> Any:
    """A function of kernels in which the parts that it calls are plain Python, too (see `jit_part`)."""

    def part(value: Any) -> Any:
        if is_jitted(value):
            return _plain(value.py_func)
        return _plain(value) if _is_ours(value) else value

    names = [name for name in function.__code__.co_names if name in function.__globals__]
    found = {name: part(function.__globals__[name]) for name in names}
    cells = tuple(CellType(part(cell.cell_contents)) for cell in function.__closure__ or ())
    within = {**function.__globals__, **found}
    return FunctionType(function.__code__, within, function.__name__, function.__defaults__, cells)


def _is_ours(value: Any) -> bool:
    """Whether a value is a function of kernels that Python runs as it is, see `jit_within`."""
    return isinstance(value, FunctionType) and not hasattr(value, "compiled") and ".kernels" in value.__module__


def _size(arguments: tuple[Any, ...]) -> int:
    """How many numbers the arrays of a call hold."""
    size = 0
    for one in arguments:
        size += one.size if isinstance(one, np.ndarray) else _size(one) if isinstance(one, tuple) else 0
    return size


def remove_old_caches() -> None:
    """Removes what other versions compiled and nobody has used for long; never raises."""
    if FILES is not None:
        remove_unused(FILES.store)


RULES: dict[str, Any] = {"error_model": "numpy"}
POLICY: dict[str, Any] = {"nogil": True, **RULES}
INSIDE: dict[str, Any] = {"no_cpython_wrapper": True, **POLICY}


class Kernel:
    """A function of arrays, compiled for each signature when the first call comes, and kept on disk.

    Attributes:
        py_func: the function itself.
        compiled: numba's dispatcher for Python. inner: the one for other kernels.
        kept: whether a file in the cache holds it; None: nobody has looked. spent: seconds that it ran as plain Python.
    """

    def __init__(self, function: Callable[..., Any], patient: bool, inside: bool) -> None:
        update_wrapper(self, function)
        self.py_func, self.patient, self.inside = function, patient, inside
        self.kept: bool | None = None
        self.spent = 0.0
        self.make(on_disk=FOLDER is not None)
        _kernels.add(self)

    def make(self, on_disk: bool) -> None:
        """Forgets what was compiled."""
        self.compiled: Any = numba.njit(self.py_func, cache=on_disk, **POLICY)
        self.inner: Any = numba.njit(self.py_func, **INSIDE) if self.inside else self.compiled

    @property
    def signatures(self) -> Any:
        """The signatures that Python may call without waiting."""
        return self.compiled.overloads

    def __call__(self, *arguments: Any) -> Any:
        """A call from Python: compiled, or as plain Python where that is the quicker answer."""
        if _as_python.get():
            return _plain(self.py_func)(*arguments)
        if is_ready(self):
            return self._call(arguments)
        if self.patient and may_wait(self, _size(arguments)):
            return as_python(self, *arguments)
        wait = _at_once.get()
        if wait is not None:
            wait()
        with compiling(self.py_func.__name__):
            return self._call(arguments)

    def _call(self, arguments: tuple[Any, ...]) -> Any:
        try:
            return self.compiled(*arguments)
        except OSError:  # kernels raise none: numba cannot read or write its files (a full disk, say), so do without
            for kernel in tuple(_kernels):  # and for all that this one calls
                kernel.make(on_disk=False)
            return self.compiled(*arguments)


_kernels: WeakSet[Kernel] = WeakSet()


class _KernelType(types.Dispatcher):  # type: ignore[misc]
    """What a kernel is to numba: a compiled function, for which a constant is a number like others.

    Of a plain dispatcher numba makes `gain(0, x)` beside `gain(code, x)`, and all that `gain` calls in turn, once more,
    which was a fifth of all compiling.
    """

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        by_name = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_type(context, tuple(map(types.unliteral, args)), by_name)


register_model(_KernelType)(models.OpaqueModel)
typeof_impl.register(Kernel)(lambda kernel, context: _KernelType(kernel.inner))


def jit(function: Callable[..., Any], *, patient: bool = True, inside: bool = False) -> Any:
    """Compiles a kernel by the policy above: one dispatcher serves Python and the kernels that call it.

    Until a kernel is compiled, small calls run as plain Python (`may_wait`): at a first start the splits of a table of
    300 rows are there in half a second instead of twelve. After a second of that it is compiled after all.
    """
    return function if numba.config.DISABLE_JIT else Kernel(function, patient, inside)  # type: ignore[attr-defined]


def jit_long(function: Callable[..., Any]) -> Any:
    """The same for a kernel whose arrays do not tell how long it takes, as it draws or tries all: always compiled."""
    return jit(function, patient=False)


def jit_inside(function: Callable[..., Any]) -> Any:
    """The same for a kernel that only other kernels call.

    So it needs no code that takes Python's objects apart, which for a tuple of twenty arrays is more than a small
    kernel itself, and no file of its own on disk, for it is a part of its callers' files.
    """
    return jit(function, inside=True)


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
    to = types.CPointer(place.dtype)

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
            with nullcontext() if _is_kept(function) else compiling(function.__name__):
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
