"""What other samples of the same rows say of a tree, for the command line: folds, bootstrap samples, a forest."""

import argparse
from typing import Any

import numpy as np

import engine
from engine.command.arguments import pruning_options, say, search_options, typed, undashed
from engine.command.words import error_words, spread_words

MOST_NAMED = 4  # columns that win a sample


def judge(table: engine.Table, tree: engine.Tree, said: argparse.Namespace) -> None:
    """Prints what was asked for of resampling.

    Args:
        tree: of a project its structure is judged, its leaves counted again; else the options that grew and pruned it.
    """
    if said.cross_validate is not None:
        say(_of_folds(table, tree, said))
    if said.stability is not None:
        for line in _of_samples(table, tree, said):
            say(line)
    if said.forest is not None:
        say(_of_forest(table, said))


def check_judging(said: argparse.Namespace) -> None:
    """Raises InputError where an option of resampling has nothing to be about."""
    if said.all_trees is not None and (said.cross_validate is not None or said.stability is not None):
        raise engine.InputError("--all-trees: folds and samples would take it as often again; leave one of them out.")
    if said.cross_validate is None:
        alone = [name for name in ("repeats", "time") if getattr(said, name) is not None]
        if alone:
            raise engine.InputError(f"--{typed(alone[0])} is about folds: add, for example, --cross-validate 10.")


def _recipe(table: engine.Table, tree: engine.Tree, said: argparse.Namespace) -> engine.Recipe:
    if said.target is None and not said.file.startswith("example:"):  # a project brings a tree of its own
        return engine.Recipe(tree=tree)
    search = {"preset": said.preset, "seed": said.seed, **search_options(said)}
    method = undashed(said.prune) if said.prune else None
    pruning, share = (pruning_options(said), _set_aside(table)) if method else ({}, 0.0)
    return engine.Recipe(search=search, prune=method, pruning=pruning, validation=share)


def _set_aside(table: engine.Table) -> float:
    """The share of rows that a pruning chooses by: that of the validation rows among those that train or validate."""
    return table.n_validation / (table.n_train + table.n_validation)


def _of_folds(table: engine.Table, tree: engine.Tree, said: argparse.Namespace) -> str:
    recipe = _recipe(table, tree, said)
    folds = "each" if said.cross_validate == "each" else int(said.cross_validate)
    found = engine.cross_validate(
        table, recipe, folds=folds, repeats=said.repeats or 1, group=said.group if said.time is None else None,
        time=said.time, seed=said.seed,
    )  # fmt: skip
    how = "every row left out" if folds == "each" else f"{folds} folds"
    how += f", {said.repeats} times" if (said.repeats or 1) > 1 else ""
    what = "of this structure" if recipe.tree is not None else "of growing" + (" and pruning" if recipe.prune else "")
    low, high = float(np.nanmin(found.leaves)), float(np.nanmax(found.leaves))
    leaves = f"{low:,.0f} leaves" if low == high else f"{low:,.0f} to {high:,.0f} leaves"
    leaves = "1 leaf" if low == high == 1 else leaves
    return f"folds   {how}: {spread_words(found.mean, found.standard_error, tree)} {what} ({leaves})"


def _of_samples(table: engine.Table, tree: engine.Tree, said: argparse.Namespace) -> list[str]:
    pruning: dict[str, Any] = {}
    if said.prune:
        pruning = {"prune": undashed(said.prune), "pruning": pruning_options(said), "validation": _set_aside(table)}
    found = engine.stability(table, tree, samples=said.stability, seed=said.seed, **pruning)
    best = [i for i in np.argsort(-found.wins, kind="stable").tolist() if found.wins[i] > 0][:MOST_NAMED]
    wins = ", ".join(f"{found.columns[i]} {100 * found.wins[i]:.0f} %" for i in best) or "none"
    kept = found.returned[~np.isnan(found.returned)]
    changed = (
        f"{100 * found.changed.mean():.1f} % of the rows get another class" if table.task == "classes"
        else f"predictions change by {found.changed.mean():.5g} on average"
    )  # fmt: skip
    if not kept.size:
        return [f"samples the root in {said.stability:,} bootstrap samples: {wins}"]
    return [
        f"samples the root in {said.stability:,} bootstrap samples: {wins}",
        f"samples {(kept >= 0.5).sum():,} of {kept.size:,} splits return in at least half of them; {changed}",
    ]


def _of_forest(table: engine.Table, said: argparse.Namespace) -> str:
    found = engine.forest(table, trees=said.forest, seed=said.seed)
    return f"forest  {len(found.trees):,} trees: out-of-bag {error_words(found.out_of_bag_error, found.trees[0])}"
