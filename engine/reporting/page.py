"""A report as one page of HTML, see `engine.reporting.html`."""

from collections.abc import Iterator
from itertools import starmap
from typing import Any

from engine.reporting import html
from engine.runtime.sentences import marked, tr
from engine.search.choices import OPTIONS
from engine.search.options import Search
from engine.table.words import kind_word
from engine.tree.tree import Tree

MOST_LEAVES, MOST_RULES, MOST_COLUMNS, MOST_CLASSES = 200, 200, 200, 30
PARTS = {"train": marked("Training"), "validation": marked("Validation"), "test": marked("Test")}
FIGURES = {  # of the assessment, in their order; whether they are shares
    "accuracy": (marked("Accuracy"), True), "balanced_accuracy": (marked("Balanced accuracy"), True),
    "kappa": (marked("Cohen’s κ"), False), "matthews": (marked("Matthews correlation"), False),
    "auc": (marked("AUC"), False), "brier": (marked("Brier score"), False), "log_loss": (marked("Log-loss"), False),
    "mean_loss": (marked("Mean loss"), False), "mean_profit": (marked("Profit per row"), False),
    "rmse": (marked("RMSE"), False),
    "mae": (marked("Mean absolute error"), False), "r2": (marked("R²"), False),
}  # fmt: skip
ROLES = {
    "target": marked("target"), "feature": marked("feature"), "ignore": marked("ignored"), "weight": marked("weights"),
    "frequency": marked("frequencies"), "partition": marked("partition"), "group": marked("groups"),
    "key": marked("key"),
}  # fmt: skip


def page(found: dict[str, Any], tree: Tree, picture: str, levels: int) -> Iterator[str]:
    """The file in pieces. `found`: see `figures`. `picture`: an address for an image of the first `levels` levels of
    the tree; empty for none."""
    title = tr("{table}: {target}", table=found["table"]["name"], target=tree.target)
    return html.page(title, _body(found, tree, picture, levels))


def _body(found: dict[str, Any], tree: Tree, picture: str, levels: int) -> Iterator[str]:
    tested = any(part["part"] == "test" for part in found["assessment"])
    day = found["made_at"][:16].replace("T", " ")
    what = tr("A decision tree with {leaves} leaves and depth {depth}, reported on {day}.",
              leaves=html.count(tree.n_leaves), depth=tree.depth, day=day)  # fmt: skip
    yield html.paragraph(what, "quiet")
    if picture:
        yield html.image(tr("The tree"), picture)
        if levels < tree.depth:
            part = tr("The picture shows {shown} of {depth} levels; what is below is drawn as leaves.", shown=levels,
                      depth=tree.depth)  # fmt: skip
            yield html.paragraph(part, "quiet")
    yield from _data(found["table"], tested, found["tree"]["test_looks"])
    yield from _made(found["tree"])
    yield from _assessment(found)
    yield from _importance(found["importance"])
    yield from _leaves(found)
    yield from _rules(found["rules"], tree)


def _data(table: dict[str, Any], tested: bool, looks: int) -> Iterator[str]:
    yield html.heading(tr("The data"))
    parts = table["parts"]
    told = {"table": table["name"], "rows": html.count(table["rows"])}
    told |= {part: html.count(parts[part]) for part in ("train", "validation", "test")}
    yield html.paragraph(
        tr("{table} has {rows} rows: {train} train, {validation} validate, {test} tested the tree (looked at {looks} "
           "times).", **told, looks=html.count(max(looks, 1)))
        if tested
        else tr("{table} has {rows} rows: {train} train, {validation} validate, {test} are kept for the last test.",
                **told)
    )  # fmt: skip
    for note in table["notes"]:
        yield html.paragraph(note, "quiet")
    if classes := table["target"].get("classes"):
        known = [part for part in ("train", "validation") if parts[part]]
        rows = [[one["name"], *(html.count_and_share(one[part], parts[part]) for part in known)] for one in classes]
        yield from html.table([tr("Class"), *(tr(PARTS[part]) for part in known)], rows, MOST_CLASSES, words=1)
    rows = []
    for column in table["columns"]:
        values = ", ".join(column.get("levels", []))
        values += " …" if column["distinct"] > len(column.get("levels", [])) and values else ""
        if "lowest" in column:
            values = tr("{low} to {high}", low=column["lowest"], high=column["highest"])
        role = ROLES.get(column["role"], column["role"])
        rows.append([column["name"], kind_word(column["kind"]), tr(role), values, html.count(column["distinct"]),
                     html.count(column["missing"])])  # fmt: skip
    if parts["test"]:
        yield html.paragraph(tr("Values are counted without the test rows."), "quiet")
    head = [tr("Column"), tr("Type"), tr("Role"), tr("Values"), tr("Distinct"), tr("Missing")]
    yield from html.table(head, rows, MOST_COLUMNS, words=4)


def _made(tree: dict[str, Any]) -> Iterator[str]:
    yield html.heading(tr("How the tree was made"))
    by_hand, splits = tree["splits_by_hand"], tree["splits"]
    yield html.paragraph(
        tr("{n} of {splits} splits were made by hand.", n=html.count(by_hand), splits=html.count(splits))
    )
    usual = {name: getattr(Search, name) for name in tree["options"] if hasattr(Search, name)}
    rule = tree["leaf_rule"]
    own = {name: value for name, value in tree["options"].items()
           if value and value != usual.get(name) and name not in rule}  # fmt: skip
    if own:
        yield html.paragraph(tr("Search options: {options}.", options="; ".join(starmap(_option, own.items()))))
    if said := " ".join(_of_rule(rule)):
        yield html.paragraph(said)
    if tree["made"]:
        yield html.listed(tree["made"])


def _option(name: str, value: Any) -> str:
    """ "Maximum depth: 4", "Missing values: Surrogates"; what is on or off by its label alone."""
    option = OPTIONS.get(name)
    if option is None or isinstance(value, list | tuple | dict):
        return f"{name}: {value}"
    labels = {choice.name: choice.label for choice in option.choices}
    return option.label if value is True else f"{option.label}: {labels.get(value, value)}"


def _of_rule(rule: dict[str, Any]) -> Iterator[str]:
    """What the leaves say beside the majority or the mean, a sentence for each."""
    currency = rule.get("currency", "")
    if rule.get("summary") == "median":
        yield tr("Leaves predict the median.")
    for name, weight in rule.get("priors", ()):
        yield tr("The prior of “{name}” is {weight}.", name=name, weight=html.number(weight))
    for true, said, cost in rule.get("costs", ()):
        yield tr(
            "A row of “{true}” that is called “{said}” costs {cost}.", true=true, said=said, cost=html.number(cost)
        )
    smoothing = rule.get("smoothing", "none")
    if smoothing != "none":
        way = next(choice.label for choice in OPTIONS["smoothing"].choices if choice.name == smoothing)
        m = f", m = {html.number(rule['smoothing_m'])}" if smoothing != "laplace" else ""
        yield tr("{option}: {way}.", option=OPTIONS["smoothing"].label, way=f"{way}{m}")
    if threshold := rule.get("threshold"):
        yield tr("“{name}” is predicted from a probability of {share} on.", name=threshold[0],
                 share=html.share(threshold[1]))  # fmt: skip
    for name, acting, otherwise in rule.get("profits", ()):
        act, leave = (f"{html.number(amount)} {currency}".rstrip() for amount in (acting, otherwise))
        yield tr("Acting on a row of “{name}” earns {act}, not acting {leave}.", name=name, act=act, leave=leave)


def _assessment(found: dict[str, Any]) -> Iterator[str]:
    parts, tree = found["assessment"], found["tree"]
    yield html.heading(tr("How good it is"))
    yield html.paragraph(tr(
        "Training rows chose the splits, so their figures are too good. Intervals (95 %) take rows for independent; "
        "rows that chose the tree have none."), "warn")  # fmt: skip
    if tree["trees_compared_by_validation"] > 1:
        yield html.paragraph(tr(
            "Validation rows compared {n} trees and chose among them: their figures are somewhat too good.",
            n=html.count(tree["trees_compared_by_validation"])), "warn")  # fmt: skip
    if any(part["part"] == "test" for part in parts) and tree["test_looks"] > 1:
        yield html.paragraph(tr(
            "The test rows were looked at {n} times: a tree that was chosen since the first has no honest figure.",
            n=html.count(tree["test_looks"])), "warn")  # fmt: skip
    rows = [[tr("Rows"), *(html.count(part["rows"]) for part in parts)]]
    if usual := tree["most_frequent"]:
        without = [html.share(part["accuracy_without_tree"]) for part in parts]
        rows.append([tr("Accuracy of always “{name}”", name=usual), *without])
    for name, (label, is_share) in FIGURES.items():
        known = [part.get(name) for part in parts]
        if name == "mean_loss" and not {"priors", "costs"} & tree["leaf_rule"].keys():
            continue
        if any(value is not None and value != [None] * 3 for value in known):
            unit = tree["leaf_rule"].get("currency", "") if name == "mean_profit" else ""
            texts = (f"{html.figure(value, is_share)} {unit}".rstrip() for value in known)
            rows.append([tr(label), *texts])
    yield from html.table([tr("Measure"), *(tr(PARTS[part["part"]]) for part in parts)], rows, len(rows), words=1)
    for part in parts:
        if "confusion" not in part:
            continue
        names = [one["name"] for one in part["classes"]]
        title = tr("{part} rows by class", part=tr(PARTS[part["part"]]))
        yield f"<h3>{html.text(title)}</h3>\n"
        rows = [[one["name"], *(html.figure(one[name], True) for name in ("precision", "recall", "f1")),
                 html.figure(one["auc"], False)] for one in part["classes"]]  # fmt: skip
        yield from html.table(
            [tr("Class"), tr("Precision"), tr("Recall"), "F1", tr("AUC")], rows, MOST_CLASSES, words=1
        )
        if len(names) <= MOST_CLASSES:
            head = [tr("Actual"), *(tr("predicted {name}", name=name) for name in names)]
            rows = [[name, *map(html.count, of_row)] for name, of_row in zip(names, part["confusion"], strict=True)]
            yield from html.table(head, rows, MOST_CLASSES, words=1)


def _importance(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield html.heading(tr("What matters"))
    yield html.paragraph(tr(
        "Impurity: the share of all gain of the splits that a column has; columns of many values seem more important "
        "than they are. Permutation: by how much the loss of the validation rows grows where the column is shuffled."),
        "quiet")  # fmt: skip
    made = []
    for row in rows:
        shuffled = html.number(row["permutation"])
        if row["permutation"] is not None and row["permutation_sd"] is not None:
            shuffled += f" ± {html.number(row['permutation_sd'])}"
        made.append([row["column"], html.count(row["splits"]), html.share(row["impurity_share"]), shuffled])
    yield from html.table([tr("Column"), tr("Splits"), tr("Impurity"), tr("Permutation")], made, MOST_COLUMNS, words=1)


def _leaves(found: dict[str, Any]) -> Iterator[str]:
    leaves, focus = found["leaves"], found["tree"]["focus"]
    yield html.heading(tr("The leaves"))
    if focus is not None:
        yield html.paragraph(tr(
            "Sorted by the probability of “{name}”. The index says how many times as frequent it is there as among all "
            "training rows.", name=focus), "quiet")  # fmt: skip
    columns: list[tuple[str, str, Any]] = [(tr("Rows"), "rows", html.count), (tr("Share"), "share", html.share)]
    if focus is not None:
        columns += [(tr("P({name})", name=focus), "probability", html.share), (tr("Index"), "index", html.number)]
        columns.append((tr("Validation rows"), "validation_rows", html.count))
        columns.append((tr("{name}, validation", name=focus), f"validation_share: {focus}", html.share))
    else:
        columns += [(tr("Deviation"), "sd", html.number), (tr("Validation rows"), "validation_rows", html.count)]
        columns.append((tr("Mean, validation"), "validation_mean", html.number))
    columns.append((tr("p, adjusted"), "p_adjusted", html.number))
    columns += [(tr("Act"), "act", html.yes), (tr("Profit per row"), "profit", html.number)]
    columns = [each for each in columns if leaves and each[1] in leaves[0]]
    rows, rules = [], [leaf["rule"] or tr("always") for leaf in leaves[:MOST_LEAVES]]
    for leaf in leaves[:MOST_LEAVES]:
        said = leaf["prediction"] if isinstance(leaf["prediction"], str) else html.number(leaf["prediction"])
        rows.append([f"#{leaf['node']}", said, *(do(leaf[name]) for _, name, do in columns)])
    head = [tr("Leaf"), tr("Predicts"), *(title for title, _, _ in columns)]
    yield from html.table(head, rows, MOST_LEAVES, words=2, of=len(leaves), below=rules)


def _rules(found: list[dict[str, Any]], tree: Tree) -> Iterator[str]:
    yield html.heading(tr("The rules"))
    left, total = MOST_RULES, sum(len(rule["ways"]) for rule in found)
    for rule in found:
        says = rule["predicts"] if isinstance(rule["predicts"], str) else html.number(rule["predicts"])
        if ways := rule["ways"][:left]:
            left -= len(ways)
            yield f"<h3>{html.text(tree.target or '')} = {html.text(says)}</h3>\n<ul>\n"
            yield "".join(f"<li>{html.text(way)}</li>\n" for way in ways) + "</ul>\n"
    if total > MOST_RULES:
        yield html.more(MOST_RULES, total)
