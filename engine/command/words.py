"""What is printed of a table, of trees and of their errors."""

import engine
from engine.command.arguments import say
from engine.pruning.result import Step


def introduce(table: engine.Table) -> None:
    """Prints what was read."""
    classes = "1 class" if len(table.classes) == 1 else f"{len(table.classes)} classes"
    target = classes if table.task == "classes" else "a number"
    features = "1 feature" if len(table.features) == 1 else f"{len(table.features)} features"
    say(
        f"{table.name}: {table.n_rows:,} rows, {features}, target {table.target} ({target}); "
        f"{table.n_train:,} rows train, {table.n_validation:,} validate, {table.n_test:,} are kept for the test"
    )
    for note in table.notes:
        say(f"note    {note}")


def describe(name: str, tree: engine.Tree) -> str:
    """One line of leaves, depth and errors."""
    errors = []
    for part, word in (("train", "training"), ("validation", "validation")):
        error = tree.error(part)
        if error == error:
            errors.append(f"{word} {error_words(error, tree)}{loss_words(tree.loss(part), tree)}{earned(tree, part)}")
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{name:<7} {leaves} · depth {tree.depth} · {' · '.join(errors)}"


def earned(tree: engine.Tree, part: str) -> str:
    """What a row of a part earns on average, behind an error; empty without profits."""
    if not tree.leaf_rule.profits:
        return ""
    return f", profit per row {tree.profit(part):.5g} {tree.leaf_rule.currency}".rstrip()


def error_words(error: float, tree: engine.Tree) -> str:
    """An error by its name: a share of the rows, or the mean of squares or of absolute values."""
    if tree.task == "classes":
        return f"error {100 * error:.1f} %"
    return f"mean {'absolute' if tree.predicts_median else 'squared'} error {error:.5g}"


def bare_error_words(error: float, tree: engine.Tree) -> str:
    """An error, a loss where mistakes are weighed, or a difference of them, without its name."""
    return f"{100 * error:.1f} %" if tree.task == "classes" and not loss_words(0.0, tree) else f"{error:.5g}"


def loss_words(loss: float, tree: engine.Tree) -> str:
    """The mean loss behind an error; empty where it is the error."""
    return f" (mean loss {loss:.5g})" if tree.leaf_rule.weighs_mistakes else ""


def judged_words(step: Step, tree: engine.Tree) -> str:
    """What the folds said of a step of a pruning; empty where they were not asked."""
    return (
        f" · cross-validated {spread_words(step.cv_error, step.cv_se, tree)}" if step.cv_error == step.cv_error else ""
    )


def spread_words(error: float, standard_error: float, tree: engine.Tree) -> str:
    """An error on rows that were set aside, with its standard error: a mean loss where mistakes are weighed."""
    if loss_words(0.0, tree):
        return f"mean loss {error:.5g} ± {standard_error:.2g}"
    spread = f"{100 * standard_error:.1f} %" if tree.task == "classes" else f"{standard_error:.2g}"
    return f"{error_words(error, tree)} ± {spread}"
