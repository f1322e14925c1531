"""A kernel that others call by its address, so that it is compiled once.

    a call by name        grow ── search     numba copies the code of `search` into `grow` and optimises it there again;
                          look ── search     and once more in each kernel that calls `grow`
    a call by address     grow ──┐
                                 ├── search  a few nanoseconds for each call, and nothing is known of what is called
                          look ──┘

The address is a number, another one in each process, so it is an argument: what is compiled does not depend on it and
can be cached. This is for large kernels that are called from several places and work long beside a call. They must not
raise: numba prints what a function called by its address raises, and goes on. So where every index is checked, or
nothing is compiled, the call is by name after all.
"""

from threading import Lock
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import config, types
from numba.core import sigutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from engine.runtime.compiler import POLICY, jit, keep_on_disk


class Addressed:
    """A kernel for numbers and arrays of one signature, compiled or loaded when its address is asked for.

    Attributes:
        kernel: the kernel, to be called by name. signature: in numba's types, returning numbers.
        call: inside a kernel, `call(address, (arguments, ...))`.
    """

    def __init__(self, kernel: Any, signature: Any) -> None:
        self.kernel, self.signature = kernel, signature
        self._by_name = bool(config.DISABLE_JIT or config.BOUNDSCHECK)  # type: ignore[attr-defined]
        self.call = _caller_by_name(kernel) if self._by_name else _caller(signature)
        self._lock = Lock()
        self._compiled: Any = None

    def address(self) -> int:
        """Where the compiled kernel stands in this process; any number if it is called by name."""
        if self._by_name:
            return 0
        with self._lock:
            if self._compiled is None:
                function, options = self.kernel.py_func, {"error_model": POLICY["error_model"]}
                compiled = CFunc(function, sigutils.normalize_signature(self.signature), {}, options)
                keep_on_disk(compiled, function)
                compiled.compile()
                self._compiled = compiled
        return int(self._compiled.address)


def _caller_by_name(kernel: Any) -> Any:
    @jit
    def call(_: int, arguments: tuple[Any, ...]) -> Any:
        return kernel(*arguments)

    return call


def _caller(signature: Any) -> Any:
    @intrinsic
    def call(typing: Any, address: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in signature.args]
            function = ir.FunctionType(context.get_value_type(signature.return_type), kinds)
            given = [builder.extract_value(values[1], i) for i in range(len(kinds))]
            return builder.call(builder.inttoptr(values[0], function.as_pointer()), given)

        return signature.return_type(types.int64, types.Tuple(signature.args)), generate

    return call
