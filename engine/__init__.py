"""Espalier's engine: tables, splits, trees. It knows no window.

    table = engine.read_table("credit.csv", target="class")
    tree = engine.grow(table, max_depth=6)
    cut = engine.prune(table, tree, method="cost_complexity")

Importing this package costs nothing: each name brings its room along when it is first used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_ROOMS = {
    "errors": ("InputError",),
    "progress": ("Progress",),
    "criteria": ("CRITERIA", "criteria_for", "impurity"),
    "choices": ("OPTIONS",),
    "options": ("PRESETS", "Search", "refusal"),
    "leaves": ("LeafRule",),
    "column": ("Column",),
    "table": ("TEST", "TRAIN", "UNUSED", "VALIDATION", "Table"),
    "readers": (
        "ReadOptions",
        "inspect",
        "inspect_text",
        "list_examples",
        "read_example",
        "read_table",
        "read_text",
    ),
    "splits": ("Literal", "Split", "Surrogate", "bind", "branch_of_rows"),
    "marks": ("Mark",),
    "tree": ("Tree", "recount"),
    "assignment": ("Assignment", "assign"),
    "tally": ("Tally", "tally"),
    "m_of_n": ("Climb", "m_of_n"),
    "candidates": ("Candidate", "Curve", "candidates", "gain_curve", "weigh"),
    "agreement": ("agreement",),
    "second_level": ("second_level",),
    "survival": ("noise_of_gain",),
    "arithmetic": ("Arithmetic", "arithmetic", "curves_over_q", "scaled_impurity"),
    "induction": ("grow",),
    "pruning": ("METHODS", "Pruning", "grow_while_improving", "prune"),
    "all_trees": ("AllTrees", "all_trees"),
    "assessment": ("Fit", "assess"),
    "comparison": ("Comparison", "compare"),
    "rules": ("ClassRule", "Path", "rules"),
    "query": ("query",),
    "conditions": ("rows_where",),
    "export": ("export", "read_tree", "tree_from_text", "tree_to_text", "write_tree"),
    "warm": ("warm_up",),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(f"engine.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """Keeps a room from hiding the function of the same name: `engine.candidates` is the function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in _HOME):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
