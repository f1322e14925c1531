"""The beginning of a report: what the tree says, how often it is wrong, and what people decided, in a few sentences."""

from collections.abc import Iterator
from typing import Any

from engine.assessment.selection import unchosen_parts
from engine.reporting import words
from engine.runtime.sentences import tr
from engine.tree.tree import Tree

MOST_NAMED = 3  # columns that matter most
MOST_CLASSES = 5  # that are named
LONGEST = 120  # letters of a rule that is told here
FEWEST = 10  # training rows of a leaf whose share is told here


def summary(found: dict[str, Any], tree: Tree) -> Iterator[str]:
    """Its sentences, a paragraph for each. `found`: see `figures`."""
    yield _what(found, tree)
    if tree.n_leaves > 1 and (said := " ".join(_extremes(found["leaves"], found["tree"]["focus"]))):
        yield said
    yield " ".join(_errors(found, tree))
    if tree.leaf_rule.profits:
        yield " ".join(_profit(found, tree))
    if said := " ".join(_by_hand(found["tree"], tree)):
        yield said


def _what(found: dict[str, Any], tree: Tree) -> str:
    if tree.n_leaves == 1:
        answer = tree.classes[tree.labels[0]] if tree.task == "classes" else words.number(float(tree.predictions[0]))
        return tr("The tree asks nothing: it predicts {answer} for every row.", answer=answer)
    target = tree.target
    if tree.task == "classes":
        known = [one["name"] for one in found["table"]["target"]["classes"]]
        target = f"{target} ({', '.join(known[:MOST_CLASSES])}{', …' if len(known) > MOST_CLASSES else ''})"
    used = [row for row in found["importance"] if row["splits"]]
    used.sort(key=lambda row: -(row["impurity_share"] or 0.0))
    told = {"target": target, "used": words.count(len(used)),
            "names": ", ".join(row["column"] for row in used[:MOST_NAMED]),
            "all": words.count(sum(column["role"] == "feature" for column in found["table"]["columns"]))}  # fmt: skip
    if len(used) <= MOST_NAMED:
        return tr("The tree predicts {target} by {used} of {all} columns: {names}.", **told)
    return tr("The tree predicts {target} by {used} of {all} columns, most of all by {names}.", **told)


def _extremes(leaves: list[dict[str, Any]], focus: str | None) -> Iterator[str]:
    """The leaves of the largest and the smallest number, or share of the focus class among those with enough rows for
    one, with what validation rows say of them. Of long ways to them the section of the leaves tells."""
    if focus is None:
        first, last = leaves[0], leaves[-1]
        most, least = (
            {"node": leaf["node"], "rule": leaf["rule"], "number": words.number(leaf["prediction"])}
            for leaf in (first, last)
        )
        yield (
            tr("It predicts most, {number}, where {rule}.", **most)
            if len(first["rule"]) <= LONGEST
            else tr("It predicts most, {number}, in leaf #{node}.", **most)
        )
        yield (
            tr("It predicts least, {number}, where {rule}.", **least)
            if len(last["rule"]) <= LONGEST
            else tr("It predicts least, {number}, in leaf #{node}.", **least)
        )
        return
    share, large = f"share: {focus}", [leaf for leaf in leaves if leaf["rows"] >= FEWEST]
    if len(large) < 2:
        return
    large.sort(key=lambda leaf: -(leaf[share] or 0.0))  # priors and smoothing may order probabilities otherwise
    first, last = large[0], large[-1]
    most, least = (
        {"name": focus, "node": leaf["node"], "rule": leaf["rule"], "share": words.share(leaf[share]),
         "n": words.count(leaf["rows"])} for leaf in (first, last)
    )  # fmt: skip
    yield (
        tr("“{name}” is most frequent where {rule}: {share} of {n} training rows.", **most)
        if len(first["rule"]) <= LONGEST
        else tr("“{name}” is most frequent in leaf #{node}: {share} of {n} training rows.", **most)
    )
    yield (
        tr("It is least frequent where {rule}: {share} of {n} training rows.", **least)
        if len(last["rule"]) <= LONGEST
        else tr("It is least frequent in leaf #{node}: {share} of {n} training rows.", **least)
    )
    extremes = {"leaves": words.count(len(large)), "few": words.count(FEWEST)}
    yield (
        tr("These are the extremes of its {leaves} leaves, and training rows exaggerate them.", **extremes)
        if len(large) == len(leaves)
        else tr("These are the extremes of its {leaves} leaves with at least {few} training rows, and these rows "
                "exaggerate them.", **extremes)
    )  # fmt: skip
    if first.get("validation_rows") and last.get("validation_rows"):
        of = f"validation_{share}"
        yield tr("Of the validation rows there it is {most} of {n}, and {least} of {m}.", most=words.share(first[of]),
                 n=words.count(first["validation_rows"]), least=words.share(last[of]),
                 m=words.count(last["validation_rows"]))  # fmt: skip


def _errors(found: dict[str, Any], tree: Tree) -> Iterator[str]:
    """Of the rows that had least to do with the tree: test rows, else validation rows, else training rows."""
    part, compared = found["assessment"][-1], found["tree"]["trees_compared_by_validation"]
    looks, unchosen = found["tree"]["test_looks"], part["part"] in unchosen_parts(tree, compared)
    told: dict[str, Any] = {"n": words.count(part["rows"]), "looks": words.count(looks)}
    if tree.task == "classes":
        middle, low, high = part["accuracy"]
        told["error"] = words.share(None if middle is None else 1.0 - middle)
        if low is not None and middle is not None:
            told["error"] = tr("{error} of them (95 % interval {low} to {high})", error=told["error"],
                               low=words.share(1.0 - high), high=words.share(1.0 - low))  # fmt: skip
        else:
            told["error"] = tr("{error} of them", error=told["error"])
        match part["part"]:
            case "test" if looks > 1:
                yield tr("On the {n} test rows, which were looked at {looks} times, it is wrong for {error}; a tree "
                         "that was chosen since the first look has no honest figure.", **told)  # fmt: skip
            case "test":
                yield tr("On the {n} test rows, which had no part in making the tree, it is wrong for {error}.", **told)
            case "validation" if not unchosen and compared <= 1:
                yield tr("On the {n} validation rows it is wrong for {error}; the threshold may have been set by their "
                         "curve, so this may be too good.", **told)  # fmt: skip
            case "validation" if not unchosen:
                yield tr("On the {n} validation rows it is wrong for {error}; they chose it among {trees} trees, so "
                         "this is somewhat too good.", **told, trees=words.count(compared))  # fmt: skip
            case "validation":
                yield tr("On the {n} validation rows, which did not make the tree, it is wrong for {error}.", **told)
            case _:
                yield tr("There are training rows alone, which made the tree: it is wrong for {error}, which is too "
                         "good. Its error on other rows is not known.", **told)  # fmt: skip
        without = part["accuracy_without_tree"]
        yield tr("Always predicting “{name}” is wrong for {share}.", name=found["tree"]["most_frequent"],
                 share=words.share(1.0 - without))  # fmt: skip
        if middle is not None and middle <= without and tree.n_leaves > 1:
            yield tr("So by the number of errors alone, the tree is of no use.")
        if {"priors", "costs"} & found["tree"]["leaf_rule"].keys():
            yield tr("By its costs and priors, a row costs {loss} on average.", loss=words.number(part["mean_loss"]))
        return
    told |= {"error": words.number(part["mae"]), "r2": words.number(part["r2"])}
    match part["part"]:
        case "test" if looks > 1:
            yield tr("On the {n} test rows, which were looked at {looks} times, its predictions are off by {error} on "
                     "average. R² is {r2}; 1 would be perfect. A tree that was chosen since the first look has no "
                     "honest figure.", **told)  # fmt: skip
        case "test":
            yield tr("On the {n} test rows, which had no part in making the tree, its predictions are off by {error} "
                     "on average. R² is {r2}; 1 would be perfect.", **told)  # fmt: skip
        case "validation":
            yield tr("On the {n} validation rows its predictions are off by {error} on average. R² is {r2}; 1 would be "
                     "perfect.", **told)  # fmt: skip
            if compared > 1:
                yield tr(
                    "They chose the tree among {trees}, so this is somewhat too good.", trees=words.count(compared)
                )
        case _:
            yield tr("There are training rows alone, which made the tree: its predictions are off by {error} on "
                     "average, which is too good. Its error on other rows is not known.", **told)  # fmt: skip


def _profit(found: dict[str, Any], tree: Tree) -> Iterator[str]:
    """What a row earns by the tree, and if all or none were acted on."""
    part, rule = found["assessment"][-1], found["tree"]["leaf_rule"]
    currency = rule.get("currency", "")
    counts = {one["name"]: sum(row) for one, row in zip(part["classes"], part["confusion"], strict=True)}
    total = sum(counts.values())

    def money(amount: float | None) -> str:
        return f"{words.number(amount)} {currency}".rstrip()

    if part["mean_profit"] is None or not total:
        return
    acting, otherwise = (
        sum(counts.get(name, 0.0) * amounts[k] for name, *amounts in rule["profits"]) / total for k in (0, 1)
    )
    acts = sum(bool(leaf["act"]) for leaf in found["leaves"])
    yield tr("The tree says to act on the rows of {acts} of {leaves} leaves: a row then earns {profit} on average.",
             acts=words.count(acts), leaves=words.count(tree.n_leaves), profit=money(part["mean_profit"]))  # fmt: skip
    yield tr("Acting on every row would earn {all}, on none {none}.", all=money(acting), none=money(otherwise))


def _by_hand(told: dict[str, Any], tree: Tree) -> Iterator[str]:
    labels = sum(mark.label is not None and not mark.label_by_pruning for mark in tree.marks.values())
    if told["splits_by_hand"]:
        yield tr("{n} of {splits} splits were made by hand.", n=words.count(told["splits_by_hand"]),
                 splits=words.count(told["splits"]))  # fmt: skip
    if labels:
        yield tr("Nodes with a prediction that was set by hand: {n}.", n=words.count(labels))
