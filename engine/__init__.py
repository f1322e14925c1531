"""Espalier's engine: tables, splits, trees. It knows no window.

    table = engine.read_table("credit.csv", target="class")
    tree = engine.grow(table, max_depth=6)
    cut = engine.prune(table, tree, method="cost_complexity")

Importing this package costs nothing: each name loads its module when it is first used.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_MODULES = {
    "runtime.errors": ("InputError",),
    "runtime.progress": ("Progress",),
    "criteria": ("CRITERIA", "criteria_for", "curves_over_q", "impurity", "scaled_impurity"),
    "search.choices": ("OPTIONS",),
    "search.options": ("PRESETS", "Search", "refusal"),
    "tree.leaves": ("LeafRule",),
    "table.column": ("Column",),
    "table.partition": ("TEST", "TRAIN", "UNUSED", "VALIDATION"),
    "table.table": ("Table",),
    "readers": ("ReadOptions", "inspect", "inspect_text", "list_examples", "read_example", "read_table", "read_text"),
    "splits": ("Literal", "Split", "Surrogate", "agreement", "bind", "branch_of_rows"),
    "tree.arrays": ("Mark",),
    "tree.tree": ("Tree",),
    "tree.counting": ("recount",),
    "tree.assignment": ("Assignment", "assign"),
    "search.tally": ("Tally", "tally"),
    "ranking.candidates": (
        "Candidate",
        "Climb",
        "Curve",
        "candidates",
        "gain_curve",
        "m_of_n",
        "weigh",
        "second_level",
    ),
    "criteria.losses": ("noise_of_gain",),
    "ranking.arithmetic": ("Arithmetic", "arithmetic"),
    "growing": ("grow",),
    "pruning": ("METHODS",),
    "pruning.result": ("Pruning", "prune"),
    "pruning.growth": ("grow_while_improving",),
    "theory.all_trees": ("AllTrees", "all_trees"),
    "assessment": ("Fit", "assess"),
    "assessment.comparison": ("Comparison", "compare"),
    "assessment.disagreement": ("Disagreement", "compare_parts"),
    "assessment.effective_rows": ("count_effective_rows",),
    "assessment.leaf_bounds": ("bound_means", "bound_rates"),
    "assessment.selection": ("Choice", "best_of", "cross_fitted"),
    "resampling.recipe": ("Recipe",),
    "resampling.cross_validation": ("CrossValidation", "cross_validate"),
    "resampling.samples": ("Bootstrap", "bootstrap"),
    "resampling.stability": ("Stability", "stability"),
    "resampling.forest": ("Forest", "forest"),
    "tree.rules": ("ClassRule", "Path", "rules"),
    "tree.query": ("query",),
    "splits.conditions": ("rows_where",),
    "formats.files": ("export", "read_tree", "tree_from_text", "tree_to_text", "write_tree"),
    "warming": ("warm_up",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(f"engine.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
