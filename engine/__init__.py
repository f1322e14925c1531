"""Espalier's engine: tables, splits, trees. It knows no window.

    table = engine.read_table("credit.csv", target="class")
    tree = engine.grow(table, max_depth=6)
    cut = engine.prune(table, tree, method="cost_complexity")

Importing this package costs nothing: each name loads its module when it is first used.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.runtime.version import VERSION

__version__ = VERSION

# The stub beside this file says where each name lives (SPEC 1 of Scientific Python): said once, for types, too.
_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_HOME = {name.name: part.module for part in _STUB.body if isinstance(part, ast.ImportFrom) for name in part.names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(f"engine.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
