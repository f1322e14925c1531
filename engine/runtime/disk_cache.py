"""What is compiled once for all starts: one file for each kernel and signature, read only if it is as it was written.

    32 bytes, the SHA-256 of the rest │ pickle of (what it was compiled for, what numba makes a kernel of again)

Numba's own cache unpickles whatever stands in its folder, which may run commands, and raises whatever goes wrong with
a file, so that an index left empty by a power cut, or a full disk, would end all growing for good. Here a file that is
not as it was written is thrown away and compiled again, and what cannot be written stays in memory.
"""

import contextlib
import hashlib
import os
import pickle
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from engine.runtime.cache_folder import ENDING, WRITING

DIGEST = hashlib.sha256().digest_size


class DiskCache(NullCache):
    """The files of one kernel, by numba's interface of a cache."""

    def __init__(self, function: Callable[..., Any], folder: Path, version: str) -> None:
        """Nothing is read or written yet.

        Args:
            function: the kernel's Python function.
            folder: where files are read and written; nobody else may write there.
            version: what else the compiled code depends on.
        """
        self._folder, self._version = folder, version
        self._name = f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for these types, or None: then numba compiles it."""
        target_context.refresh()
        compiled_for = self._compiled_for(sig, target_context)
        path = self._path(compiled_for)
        if not path.is_file():
            return None
        try:
            content = path.read_bytes()
            if hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
                raise ValueError("not as it was written")
            found, parts = pickle.loads(content[DIGEST:])
            return CompileResult._rebuild(target_context, *parts) if found == compiled_for else None
        except Exception:  # whatever is wrong with it, compiling is the remedy
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Writes the kernel that was compiled for these types, if that can be done."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        compiled_for = self._compiled_for(sig, data.target_context)
        content = dumps((compiled_for, data._reduce()))
        path = self._path(compiled_for)
        draft = path.with_name(f"{path.name}{WRITING}{secrets.token_hex(8)}")
        try:
            draft.write_bytes(hashlib.sha256(content).digest() + content)
            os.replace(draft, path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()

    def _compiled_for(self, sig: Any, target_context: Any) -> tuple[Any, ...]:
        return self._version, sig, target_context.codegen().magic_tuple()

    def _path(self, compiled_for: tuple[Any, ...]) -> Path:
        name = hashlib.sha256(repr(compiled_for).encode()).hexdigest()[:16]
        return self._folder / f"{self._name}.{name}{ENDING}"
