"""What the command line prints of a table and of trees."""

from engine import Table, Tree
from engine.command.arguments import say
from engine.pruning.result import Step


def introduce(table: Table) -> None:
    """Prints what was read."""
    target = f"{len(table.classes)} classes" if table.task == "classes" else "a number"
    features = "1 feature" if len(table.features) == 1 else f"{len(table.features)} features"
    say(
        f"{table.name}: {table.n_rows:,} rows, {features}, target {table.target} ({target}); "
        f"{table.n_train:,} rows train, {table.n_validation:,} validate, {table.n_test:,} wait for the test"
    )
    for note in table.notes:
        say(f"note    {note}")


def describe(name: str, tree: Tree) -> str:
    """One line of leaves, depth and errors."""
    errors = []
    for part, word in (("train", "training"), ("validation", "validation")):
        error = tree.error(part)
        if error == error:
            errors.append(f"{word} {error_words(error, tree)}{loss_words(tree.loss(part), tree)}")
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{name:<7} {leaves} · depth {tree.depth} · {' · '.join(errors)}"


def error_words(error: float, tree: Tree) -> str:
    """An error by its name: a share of the rows, or the mean of squares or of absolute values."""
    if tree.task == "classes":
        return f"error {100 * error:.1f} %"
    return f"mean {'absolute' if tree.predicts_median else 'squared'} error {error:.5g}"


def loss_words(loss: float, tree: Tree) -> str:
    """The mean loss behind an error; empty where it is the error."""
    return f" (mean loss {loss:.5g})" if tree.leaf_rule.priors or tree.leaf_rule.costs else ""


def judged_words(step: Step, tree: Tree) -> str:
    """What the folds said of a step of a pruning, with its standard error; empty where they were not asked."""
    if step.cv_error != step.cv_error:
        return ""
    if loss_words(0.0, tree):
        return f" · cross-validated mean loss {step.cv_error:.5g} ± {step.cv_se:.2g}"
    spread = f"{100 * step.cv_se:.1f} %" if tree.task == "classes" else f"{step.cv_se:.2g}"
    return f" · cross-validated {error_words(step.cv_error, tree)} ± {spread}"
