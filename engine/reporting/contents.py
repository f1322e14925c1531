"""What the sections of a report say, from its figures."""

from collections.abc import Iterator
from itertools import starmap
from typing import Any

from engine.pruning import METHODS
from engine.reporting import SECTIONS, words
from engine.reporting.chart import pruning_chart
from engine.reporting.description import Block, Drawing, Heading, Listed, Paragraph, Report, Rows, Section, shown
from engine.reporting.summary import summary
from engine.runtime.sentences import marked, tr
from engine.search.choices import OPTIONS
from engine.search.options import Search
from engine.table.words import kind_word
from engine.tree.rules import bracketed
from engine.tree.tree import Tree

MOST_LEAVES, MOST_RULES, MOST_COLUMNS, MOST_CLASSES, MOST_DECIDED = 200, 200, 200, 30, 200
ERRORS = {
    "train_error": marked("Training error"),
    "validation_error": marked("Validation error"),
    "cv_error": marked("Cross-validated error"),
}
PARTS = {"train": marked("Training"), "validation": marked("Validation"), "test": marked("Test")}
FIGURES = {  # of the assessment, in their order; whether they are shares
    "accuracy": (marked("Accuracy"), True), "balanced_accuracy": (marked("Balanced accuracy"), True),
    "kappa": (marked("Cohen’s κ"), False), "matthews": (marked("Matthews correlation"), False),
    "auc": (marked("AUC"), False), "brier": (marked("Brier score"), False), "log_loss": (marked("Log-loss"), False),
    "mean_loss": (marked("Mean loss"), False), "mean_profit": (marked("Profit per row"), False),
    "rmse": (marked("RMSE"), False),
    "mae": (marked("Mean absolute error"), False), "r2": (marked("R²"), False),
}  # fmt: skip
TERMS = {  # what a reader need not know of them
    "balanced_accuracy": marked("Balanced accuracy is the mean share of each class’s rows that are predicted right."),
    "kappa": marked("Cohen’s κ and the Matthews correlation are 1 for no error, and 0 for guesses by chance."),
    "auc": marked("AUC is the probability that of two rows of different classes the tree ranks the right one higher: "
                  "0.5 is chance, 1 is perfect."),
    "brier": marked("The Brier score is the squared error of the probabilities, summed over the classes, in the mean "
                    "of the rows: 0 is perfect, 2 the worst. Log-loss punishes probabilities that are sure and "
                    "wrong; less is better."),
    "rmse": marked("RMSE is the root of the mean squared error, in the unit of the target."),
    "r2": marked("R² is 1 for no error, and 0 where always predicting the mean would do as well."),
}  # fmt: skip
ROLES = {
    "target": marked("target"), "feature": marked("feature"), "ignore": marked("ignored"), "weight": marked("weights"),
    "frequency": marked("frequencies"), "partition": marked("partition"), "group": marked("groups"),
    "key": marked("key"),
}  # fmt: skip


def contents(found: dict[str, Any], tree: Tree, picture: bytes, levels: int) -> Report:
    """The whole report.

    Args:
        found: see `figures`.
        picture: the first `levels` levels of the tree as SVG; empty for none.
    """
    tested = any(part["part"] == "test" for part in found["assessment"])
    day = found["made_at"][:16].replace("T", " ")
    about = tr("{table}, {rows} rows · {leaves} leaves, depth {depth} · {day} · Espalier {version}",
               table=found["table"]["name"], rows=words.count(found["table"]["rows"]),
               leaves=words.count(tree.n_leaves), depth=tree.depth, day=day,
               version=found["versions"]["Espalier"])  # fmt: skip
    blocks = {
        "summary": map(Paragraph, summary(found, tree)),
        "tree": _picture(tree, picture, levels),
        "data": _data(found["table"], tested, found["tree"]["test_looks"]),
        "made": _made(found["tree"]), "by_hand": _by_hand(found["by_hand"]),
        "pruning": _pruning(found["pruning"], tree), "assessment": _assessment(found),
        "importance": _importance(found["importance"]), "leaves": _leaves(found, tree),
        "rules": _rules(found["rules"], tree), "versions": _versions(found),
    }  # fmt: skip
    said = [Section(name, tr(title), list(blocks[name])) for name, title in SECTIONS.items()]
    return Report(title_of(found["table"]["name"], tree), about, [section for section in said if section.blocks], found)


def title_of(table: str, tree: Tree) -> str:
    """What a report or a slide is about."""
    return tr("Decision tree for “{target}” on {table}", table=table, target=tree.target)


def _picture(tree: Tree, picture: bytes, levels: int) -> Iterator[Block]:
    if picture:
        yield Drawing(tr("The tree"), picture, tr(
            "Each node says how many of the training rows reach it; the wider a branch, the more of them take it.",
        ))  # fmt: skip
        if levels < tree.depth:
            part = tr("The picture shows {shown} of {depth} levels; what is below is drawn as leaves.", shown=levels,
                      depth=tree.depth)  # fmt: skip
            yield Paragraph(part, "quiet")


def _data(table: dict[str, Any], tested: bool, looks: int) -> Iterator[Block]:
    parts = table["parts"]
    told = {"table": table["name"], "rows": words.count(table["rows"])}
    told |= {part: words.count(parts[part]) for part in ("train", "validation", "test")}
    yield Paragraph(_parts(told, parts, tested, looks))
    for note in table["notes"]:
        yield Paragraph(note, "quiet")
    if classes := table["target"].get("classes"):
        known = [part for part in ("train", "validation") if parts[part]]
        rows = [[one["name"], *(words.count_and_share(one[part], parts[part]) for part in known)] for one in classes]
        yield from shown([tr("Class"), *(tr(PARTS[part]) for part in known)], rows, MOST_CLASSES)
    rows = []
    for column in table["columns"]:
        values = ", ".join(column.get("levels", []))
        values += " …" if column["distinct"] > len(column.get("levels", [])) and values else ""
        if "lowest" in column:
            values = tr("{low} to {high}", low=column["lowest"], high=column["highest"])
        role = ROLES.get(column["role"], column["role"])
        rows.append([column["name"], kind_word(column["kind"]), tr(role), values, words.count(column["distinct"]),
                     words.count(column["missing"])])  # fmt: skip
    if parts["test"]:
        yield Paragraph(tr("Values are counted without the test rows."), "quiet")
    head = [tr("Column"), tr("Type"), tr("Role"), tr("Values"), tr("Distinct"), tr("Missing")]
    yield from shown(head, rows, MOST_COLUMNS, columns=4)


def _parts(told: dict[str, str], parts: dict[str, int], tested: bool, looks: int) -> str:
    """What the rows are for."""
    if not parts["validation"] and not parts["test"]:
        return tr("{table} has {rows} rows, which all train the tree.", **told)
    if not parts["test"]:
        return tr("{table} has {rows} rows: {train} train the tree, {validation} validate it.", **told)
    if not tested:
        return tr("{table} has {rows} rows: {train} train the tree, {validation} validate it, {test} are kept for the "
                  "last test.", **told)  # fmt: skip
    if looks <= 1:
        return tr("{table} has {rows} rows: {train} train the tree, {validation} validate it, {test} tested it once.",
                  **told)  # fmt: skip
    return tr("{table} has {rows} rows: {train} train the tree, {validation} validate it, {test} tested it {looks} "
              "times.", **told, looks=words.count(looks))  # fmt: skip


def _made(tree: dict[str, Any]) -> Iterator[Block]:
    by_hand, splits = tree["splits_by_hand"], tree["splits"]
    yield Paragraph(tr("{n} of {splits} splits were made by hand.", n=words.count(by_hand), splits=words.count(splits)))
    usual = {name: getattr(Search, name) for name in tree["options"] if hasattr(Search, name)}
    rule = tree["leaf_rule"]
    own = {name: value for name, value in tree["options"].items()
           if value and value != usual.get(name) and name not in rule}  # fmt: skip
    if own:
        yield Paragraph(tr("Search options: {options}.", options="; ".join(starmap(_option, own.items()))))
    if said := " ".join(_of_rule(rule)):
        yield Paragraph(said)
    if tree["made"]:
        yield Listed(tree["made"])


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
        yield tr("The prior of “{name}” is {weight}.", name=name, weight=words.number(weight))
    for true, said, cost in rule.get("costs", ()):
        yield tr(
            "A row of “{true}” that is called “{said}” costs {cost}.", true=true, said=said, cost=words.number(cost)
        )
    smoothing = rule.get("smoothing", "none")
    if smoothing != "none":
        way = next(choice.label for choice in OPTIONS["smoothing"].choices if choice.name == smoothing)
        m = f", m = {words.number(rule['smoothing_m'])}" if smoothing != "laplace" else ""
        yield tr("{option}: {way}.", option=OPTIONS["smoothing"].label, way=f"{way}{m}")
    if threshold := rule.get("threshold"):
        yield tr("“{name}” is predicted from a probability of {share} on.", name=threshold[0],
                 share=words.share(threshold[1]))  # fmt: skip
    for name, acting, otherwise in rule.get("profits", ()):
        act, leave = (f"{words.number(amount)} {currency}".rstrip() for amount in (acting, otherwise))
        yield tr("Acting on a row of “{name}” earns {act}, not acting {leave}.", name=name, act=act, leave=leave)


def _by_hand(decided: list[dict[str, Any]]) -> Iterator[Block]:
    """Every node that somebody decided something about: what, where, and the note that says why."""
    if not decided:
        return
    rows = [
        [f"#{one['node']}", *(said or words.NOTHING for said in ("; ".join(one["decided"]), _one_line(one["note"])))]
        for one in decided
    ]
    ways = [" AND ".join(one["way"]) or tr("at the root") for one in decided[:MOST_DECIDED]]
    yield from shown([tr("Node"), tr("Decision"), tr("Why, by its note")], rows, MOST_DECIDED, columns=3, below=ways)


def _one_line(note: str) -> str:
    return " ".join(note.split())


def _pruning(pruned: dict[str, Any] | None, tree: Tree) -> Iterator[Block]:
    """The errors over the number of leaves, and the steps that matter: the first, the chosen, the best, the last."""
    if pruned is None:
        return
    steps, chosen = pruned["steps"], pruned["chosen"]
    yield Paragraph(tr(
        "Method: {method}. It made {n} trees; this report is about the one with {leaves} leaves.",
        method=METHODS[pruned["method"]].label, n=words.count(len(steps)),
        leaves=words.count(steps[chosen]["leaves"])))  # fmt: skip
    if pruned["remark"]:
        yield Paragraph(pruned["remark"], "warn")
    say = words.share if tree.task == "classes" and not tree.leaf_rule.weighs_mistakes else words.number
    if len(steps) > 1:
        yield Drawing(tr("Error by number of leaves"), pruning_chart(steps, chosen, say is words.share), tr(
            "The error of each of these trees by its number of leaves. The dotted line is the tree of this report.",
        ))  # fmt: skip
    known = [(name, title) for name, title in ERRORS.items() if any(step[name] is not None for step in steps)]
    said = {0: tr("Before pruning"), len(steps) - 1: tr("The smallest tree"), chosen: tr("This tree")}
    rows = [
        [said[k], words.count(steps[k]["leaves"]), *(say(steps[k][name]) for name, _ in known)] for k in sorted(said)
    ]
    yield Rows([tr("Tree"), tr("Leaves"), *(tr(title) for _, title in known)], rows)


def _versions(found: dict[str, Any]) -> Iterator[Block]:
    """By what it was made: who wants to make it again needs the same."""
    rows = [[tr("Report made on"), found["made_at"].replace("T", " ")]]
    rows += [[name, version] for name, version in found["versions"].items()]
    rows += [[tr("File"), found["table"]["path"]]] if found["table"]["path"] else []
    yield Rows([tr("What"), tr("Version")], rows, columns=2)


def _assessment(found: dict[str, Any]) -> Iterator[Block]:
    parts, tree = found["assessment"], found["tree"]
    yield Paragraph(tr(
        "Training rows chose the splits, so their figures are too good. Intervals (95 %) take rows for independent; "
        "rows that chose the tree have none."), "warn")  # fmt: skip
    if tree["trees_compared_by_validation"] > 1:
        yield Paragraph(tr(
            "Validation rows compared {n} trees and chose among them: their figures are somewhat too good.",
            n=words.count(tree["trees_compared_by_validation"])), "warn")  # fmt: skip
    elif tree["leaf_rule"].get("threshold") and any(part["part"] == "validation" for part in parts):
        yield Paragraph(tr(
            "The threshold may have been set by the curve of the validation rows: their figures may be too good."),
            "warn")  # fmt: skip
    if any(part["part"] == "test" for part in parts) and tree["test_looks"] > 1:
        yield Paragraph(tr(
            "The test rows were looked at {n} times: a tree that was chosen since the first has no honest figure.",
            n=words.count(tree["test_looks"])), "warn")  # fmt: skip
    rows = [[tr("Rows"), *(words.count(part["rows"]) for part in parts)]]
    is_sampled = any(column["role"] == "weight" for column in found["table"]["columns"])
    if is_sampled:
        rows.append([tr("Weight"), *(words.count(part["weight"]) for part in parts)])
    if usual := tree["most_frequent"]:
        without = [words.share(part["accuracy_without_tree"]) for part in parts]
        rows.append([tr("Accuracy of always “{name}”", name=usual), *without])
    for name, (label, is_share) in FIGURES.items():
        known = [part.get(name) for part in parts]
        if name == "mean_loss" and not {"priors", "costs"} & tree["leaf_rule"].keys():
            continue
        if any(value is not None and value != [None] * 3 for value in known):
            unit = tree["leaf_rule"].get("currency", "") if name == "mean_profit" else ""
            texts = (f"{words.figure(value, is_share)} {unit}".rstrip() for value in known)
            rows.append([tr(label), *texts])
    yield Rows([tr("Measure"), *(tr(PARTS[part["part"]]) for part in parts)], rows)
    said = {row[0] for row in rows}
    if terms := [tr(TERMS[name]) for name, (label, _) in FIGURES.items() if name in TERMS and tr(label) in said]:
        yield Paragraph(" ".join(terms), "quiet")
    for part in parts:
        if "confusion" not in part:
            continue
        names = [one["name"] for one in part["classes"]]
        title = tr("{part} rows by class", part=tr(PARTS[part["part"]]))
        yield Heading(title)
        rows = [[one["name"], *(words.figure(one[name], True) for name in ("precision", "recall", "f1")),
                 words.figure(one["auc"], False)] for one in part["classes"]]  # fmt: skip
        yield from shown([tr("Class"), tr("Precision"), tr("Recall"), "F1", tr("AUC")], rows, MOST_CLASSES)
        if len(names) <= MOST_CLASSES:
            head = [tr("Actual"), *(tr("predicted {name}", name=name) for name in names)]
            rows = [[name, *map(words.count, of_row)] for name, of_row in zip(names, part["confusion"], strict=True)]
            name = tr(PARTS[part["part"]])
            yield Heading(
                tr("{part} weight by actual and predicted class", part=name) if is_sampled else
                tr("{part} rows by actual and predicted class", part=name)
            )  # fmt: skip
            yield Rows(head, rows)


def _importance(rows: list[dict[str, Any]]) -> Iterator[Block]:
    if not rows:
        return
    yield Paragraph(tr(
        "Impurity: the share of all gain of the splits that a column has; columns of many values seem more important "
        "than they are. Permutation: by how much the loss of the validation rows grows where the column is shuffled."),
        "quiet")  # fmt: skip
    made = []
    for row in rows:
        shuffled = words.number(row["permutation"])
        if row["permutation"] is not None and row["permutation_sd"] is not None:
            shuffled += f" ± {words.number(row['permutation_sd'])}"
        made.append([row["column"], words.count(row["splits"]), words.share(row["impurity_share"]), shuffled])
    yield from shown([tr("Column"), tr("Splits"), tr("Impurity"), tr("Permutation")], made, MOST_COLUMNS)


def _labelled(tree: Tree, node: int) -> bool:
    """Whether a person set what a leaf predicts."""
    mark = tree.mark(node)
    return mark.label is not None and not mark.label_by_pruning


def _leaves(found: dict[str, Any], tree: Tree) -> Iterator[Block]:
    leaves, focus = found["leaves"], found["tree"]["focus"]
    if focus is not None:
        yield Paragraph(tr(
            "Sorted by the probability of “{name}”, P({name}). The index says how many times as frequent it is there "
            "as among all training rows.", name=focus), "quiet")  # fmt: skip
    if leaves and "p_adjusted" in leaves[0]:
        yield Paragraph(tr(
            "p, adjusted: how probable it is that training and validation rows of a leaf differ so much by chance; "
            "below 0.05 the leaf does not hold what it promises."), "quiet")  # fmt: skip
    if leaves and "act" in leaves[0]:
        yield Paragraph(
            tr("Act: whether acting on the rows of a leaf earns more than not acting, whatever the leaf predicts."),
            "quiet",
        )
    columns: list[tuple[str, str, Any]] = [(tr("Rows"), "rows", words.count), (tr("Share"), "share", words.share)]
    if focus is not None:
        columns += [(tr("P({name})", name=focus), "probability", words.share), (tr("Index"), "index", words.number)]
        columns.append((tr("Rows, validation"), "validation_rows", words.count))
        columns.append((tr("{name}, validation", name=focus), f"validation_share: {focus}", words.share))
    else:
        columns += [(tr("Deviation"), "sd", words.number), (tr("Rows, validation"), "validation_rows", words.count)]
        columns.append((tr("Mean, validation"), "validation_mean", words.number))
    columns.append((tr("p, adjusted"), "p_adjusted", words.number))
    columns += [(tr("Act"), "act", words.yes), (tr("Profit per row"), "profit", words.number)]
    columns = [each for each in columns if leaves and each[1] in leaves[0]]
    rows, rules = [], [leaf["rule"] or tr("always") for leaf in leaves[:MOST_LEAVES]]
    for leaf in leaves[:MOST_LEAVES]:
        said = leaf["prediction"] if isinstance(leaf["prediction"], str) else words.number(leaf["prediction"])
        if _labelled(tree, leaf["node"]):
            said = tr("{prediction} (by hand)", prediction=said)
        rows.append([f"#{leaf['node']}", said, *(do(leaf[name]) for _, name, do in columns)])
    head = [tr("Leaf"), tr("Predicts"), *(title for title, _, _ in columns)]
    yield from shown(head, rows, MOST_LEAVES, columns=2, of=len(leaves), below=rules)


def _rules(found: list[dict[str, Any]], tree: Tree) -> Iterator[Block]:
    left, total = MOST_RULES, sum(len(rule["ways"]) for rule in found)
    ways_of = [[" AND ".join(map(bracketed, way)) for way in rule["conditions"] if way] or rule["ways"]
               for rule in found]  # fmt: skip
    if tree.task == "number":  # each has a leaf of its own
        said = (
            (words.number(rule["predicts"]), way) for rule, ways in zip(found, ways_of, strict=True) for way in ways
        )
        lines = [f"{tree.target} = {number}: {way}" for number, way in said]
        yield Listed(lines[:MOST_RULES], numbered=False)
        found, ways_of = [], []
    for rule, every in zip(found, ways_of, strict=True):
        if ways := every[:left]:
            left -= len(ways)
            yield Heading(f"{tree.target} = {rule['predicts']}")
            yield Listed(ways, numbered=False)
    if total > MOST_RULES:
        yield Paragraph(words.first_of(MOST_RULES, total), "quiet")
