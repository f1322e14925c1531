"""The compiler's policy: how functions of arrays are compiled and kept. Only files named `kernels` import it.

One policy for all kernels: compiled lazily, cached on disk, without the interpreter's lock, and with
numpy's rules for division. Options travel as integer codes, never as functions: a compiled function
passed as an argument would be compiled anew at every start.

What is compiled is kept on disk (`disk_cache`). A caller holds the code of what it calls, so all files depend on all
kernels: they lie in a folder whose name is a digest of every kernel's source and of numba's version (`caches`).
"""

import hashlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numba

from engine.runtime.cache_folder import ENDING, also, choose, remove_unused
from engine.runtime.disk_cache import DiskCache

PROGRAM = Path(__file__).resolve().parents[2]
SOURCES = ("engine/*/kernels/*.py", "engine/criteria/*.py", "engine/runtime/*.py", "gui/picture/kernels/*.py")


def cache_name() -> str:
    """The name of the cache folder: a digest of every kernel's source and of the compiler's version."""
    digest = hashlib.sha256()
    for source in sorted(file for pattern in SOURCES for file in PROGRAM.glob(pattern)):
        digest.update(source.relative_to(PROGRAM).as_posix().encode() + source.read_bytes())
    digest.update("".join((importlib.metadata.version("numba"), sys.version, *also)).encode())
    return "kernels-" + digest.hexdigest()[:16]


VERSION = cache_name()
FOLDER = choose(VERSION)  # None: nothing can be written anywhere
if FOLDER is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(FOLDER)  # processes that this one starts use the same


def compiled_before() -> bool:
    """Whether the cache holds kernels of this version, so that the first search does not wait for the compiler."""
    return FOLDER is not None and any(FOLDER.glob(f"*{ENDING}"))


def remove_old_caches() -> None:
    """Removes what other versions compiled and nobody has used for long; never raises, leaves a chosen folder alone."""
    if FOLDER is not None and FOLDER.name == VERSION:
        remove_unused(FOLDER)


POLICY: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def jit(function: Callable[..., Any]) -> Any:
    """Compiles a kernel by the policy above."""
    return _kernel(function, POLICY)


def jit_part(function: Callable[..., Any]) -> Any:
    """The same for a kernel that one other kernel calls: it becomes a part of that one before anything is compiled.

    Numba optimises a kernel by itself and once more inside each that calls it: a layer costs all that lies below it.
    """
    return _kernel(function, {**POLICY, "inline": "always"})


def jit_bare(function: Callable[..., Any]) -> Any:
    """The same for a kernel that makes no arrays: its callers keep them alive, so it need not count references.

    Counting takes two locked instructions for each array and call, which is more than a small node costs. The option
    is numba's own, `_nrt`; without it the kernel would be slower and nothing else.
    """
    return _kernel(function, {**POLICY, "_nrt": False})


def shared(kernel: Any) -> Any:
    """The kernel, compiled once for Python and for other kernels: for one that both call with the same types."""
    kernel.inside = kernel
    return kernel


def keep_on_disk(compiles: Any, function: Callable[..., Any]) -> None:
    """Has a function's compiled code kept for later starts; `compiles` is numba's object that compiles it."""
    if (
        FOLDER is not None and function.__closure__ is None
    ):  # what it would be enclosed in may differ from start to start
        compiles._cache = DiskCache(function, FOLDER, VERSION)  # where numba puts its own for `cache=True`


def _kernel(function: Callable[..., Any], policy: dict[str, Any]) -> Any:
    """A kernel, compiled for Python and for other kernels apart, each when the first such call comes.

    What only kernels call needs no code that takes Python's objects apart, and no file of its own on disk, for it
    is a part of its callers' files: that was a tenth of all compiling.
    """
    kernel: Any = numba.njit(function, **policy)
    if not hasattr(kernel, "get_call_template"):  # with NUMBA_DISABLE_JIT=1 it is the plain function
        return kernel
    keep_on_disk(kernel, function)
    within: dict[str, Any] = {**policy, "no_cpython_wrapper": True}
    kernel.inside = numba.njit(function, **within)
    typed, found, plain = type(kernel).get_call_template, type(kernel).get_overload, numba.types.unliteral

    def typed_as_numbers(args: Sequence[Any], kws: dict[str, Any]) -> Any:
        """Takes constants for what they are, numbers.

        Left alone, numba compiles a kernel once more for every constant that another kernel passes it: `gain(0, x)`
        beside `gain(code, x)` is a second signature, and so is all that `gain` calls in turn; that was a fifth of all
        compiling.
        """
        return typed(kernel.inside, tuple(map(plain, args)), {name: plain(kind) for name, kind in kws.items()})

    kernel.get_call_template, kernel.get_overload = typed_as_numbers, lambda signature: found(kernel.inside, signature)
    return kernel
