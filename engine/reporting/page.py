"""A report as one page of HTML: it loads nothing, runs nothing, and prints on A4.

Whatever comes from a file (names, levels, notes) is text there: every cell goes through `escape`, and the picture is an
image, in which no script would run either.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import starmap
from typing import Any

from engine.runtime.errors import printable
from engine.runtime.sentences import marked, tr
from engine.search.choices import OPTIONS
from engine.search.options import Search
from engine.table.words import kind_word, number_words
from engine.tree.tree import Tree

MOST_LEAVES, MOST_RULES, MOST_COLUMNS, MOST_CLASSES = 200, 200, 200, 30
NOTHING = "–"
STYLE = """
@page { size: A4; margin: 16mm 14mm; }
body { font: 10pt/1.4 "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; color: #1d2026; background: #fff;
  max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 18pt; line-height: 1.2; margin: 0 0 2mm; } h2 { font-size: 13pt; margin: 8mm 0 2mm; }
h3 { font-size: 10.5pt; margin: 4mm 0 1mm; } h1, h2, h3 { break-after: avoid; overflow-wrap: anywhere; }
p { margin: 0 0 2mm; } .quiet { color: #5b616e; } .warn { border-left: 3px solid #b26a00; padding-left: 3mm; }
img { max-width: 100%; max-height: 230mm; display: block; margin: 2mm auto; }
table { border-collapse: collapse; width: 100%; margin: 1mm 0 3mm; font-size: 8.5pt; }
thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 1mm 1.6mm; border-bottom: .2mm solid #d5d8de;
  overflow-wrap: anywhere; } th { font-weight: 600; overflow-wrap: break-word; }
td { min-width: 12mm; } .n { text-align: right; font-variant-numeric: tabular-nums; min-width: 0; }
td.n { white-space: nowrap; }
ol, ul { margin: 0 0 2mm; padding-left: 6mm; } li { overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""
SECURITY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
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
    yield f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{_text(title)}</title>\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{SECURITY}">\n<style>{STYLE}</style>\n</head>\n<body>\n'
    yield f"<h1>{_text(title)}</h1>\n"
    day = found["made_at"][:16].replace("T", " ")
    what = tr("A decision tree with {leaves} leaves and depth {depth}, reported on {day}.",
              leaves=_count(tree.n_leaves), depth=tree.depth, day=day)  # fmt: skip
    yield _paragraph(what, "quiet")
    if picture:
        named = tr("The tree")
        yield f'<img alt="{_text(named)}" src="{picture}">\n'
        if levels < tree.depth:
            part = tr("The picture shows {shown} of {depth} levels; what is below is drawn as leaves.", shown=levels,
                      depth=tree.depth)  # fmt: skip
            yield _paragraph(part, "quiet")
    yield from _data(found["table"])
    yield from _made(found["tree"])
    yield from _assessment(found)
    yield from _importance(found["importance"])
    yield from _leaves(found)
    yield from _rules(found["rules"], tree)
    yield "</body>\n</html>\n"


def _data(table: dict[str, Any]) -> Iterator[str]:
    yield _heading(tr("The data"))
    parts = table["parts"]
    yield _paragraph(tr(
        "{table} has {rows} rows: {train} train, {validation} validate, {test} are kept for the last test.",
        table=table["name"], rows=_count(table["rows"]), train=_count(parts["train"]),
        validation=_count(parts["validation"]), test=_count(parts["test"])))  # fmt: skip
    for note in table["notes"]:
        yield _paragraph(note, "quiet")
    if classes := table["target"].get("classes"):
        known = [part for part in ("train", "validation") if parts[part]]
        rows = [[one["name"], *(_count_and_share(one[part], parts[part]) for part in known)] for one in classes]
        yield from _table([tr("Class"), *(tr(PARTS[part]) for part in known)], rows, MOST_CLASSES, words=1)
    rows = []
    for column in table["columns"]:
        values = ", ".join(column.get("levels", []))
        values += " …" if column["distinct"] > len(column.get("levels", [])) and values else ""
        if "lowest" in column:
            values = tr("{low} to {high}", low=column["lowest"], high=column["highest"])
        role = ROLES.get(column["role"], column["role"])
        rows.append([column["name"], kind_word(column["kind"]), tr(role), values, _count(column["distinct"]),
                     _count(column["missing"])])  # fmt: skip
    if parts["test"]:
        yield _paragraph(tr("Values are counted without the rows that are kept for the test."), "quiet")
    head = [tr("Column"), tr("Type"), tr("Role"), tr("Values"), tr("Distinct"), tr("Missing")]
    yield from _table(head, rows, MOST_COLUMNS, words=4)


def _made(tree: dict[str, Any]) -> Iterator[str]:
    yield _heading(tr("How the tree was made"))
    by_hand, splits = tree["splits_by_hand"], tree["splits"]
    yield _paragraph(tr("{n} of {splits} splits were made by hand.", n=_count(by_hand), splits=_count(splits)))
    usual = {name: getattr(Search, name) for name in tree["options"] if hasattr(Search, name)}
    rule = tree["leaf_rule"]
    own = {name: value for name, value in tree["options"].items()
           if value and value != usual.get(name) and name not in rule}  # fmt: skip
    if own:
        yield _paragraph(tr("Search options: {options}.", options="; ".join(starmap(_option, own.items()))))
    if said := " ".join(_of_rule(rule)):
        yield _paragraph(said)
    if tree["made"]:
        yield "<ol>\n" + "".join(f"<li>{_text(step)}</li>\n" for step in tree["made"]) + "</ol>\n"


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
        yield tr("The prior of “{name}” is {weight}.", name=name, weight=_number(weight))
    for true, said, cost in rule.get("costs", ()):
        yield tr("A row of “{true}” that is called “{said}” costs {cost}.", true=true, said=said, cost=_number(cost))
    smoothing = rule.get("smoothing", "none")
    if smoothing != "none":
        way = next(choice.label for choice in OPTIONS["smoothing"].choices if choice.name == smoothing)
        m = f", m = {_number(rule['smoothing_m'])}" if smoothing != "laplace" else ""
        yield tr("{option}: {way}.", option=OPTIONS["smoothing"].label, way=f"{way}{m}")
    if threshold := rule.get("threshold"):
        yield tr("“{name}” is predicted from a probability of {share} on.", name=threshold[0],
                 share=_share(threshold[1]))  # fmt: skip
    for name, acting, otherwise in rule.get("profits", ()):
        act, leave = (f"{_number(amount)} {currency}".rstrip() for amount in (acting, otherwise))
        yield tr("Acting on a row of “{name}” earns {act}, not acting {leave}.", name=name, act=act, leave=leave)


def _assessment(found: dict[str, Any]) -> Iterator[str]:
    parts, tree = found["assessment"], found["tree"]
    yield _heading(tr("How good it is"))
    yield _paragraph(tr(
        "Training rows chose the splits, so their figures are too good. Intervals (95 %) take rows for independent; "
        "rows that chose the tree have none."), "warn")  # fmt: skip
    if tree["trees_compared_by_validation"] > 1:
        yield _paragraph(tr(
            "Validation rows compared {n} trees and chose among them: their figures are somewhat too good.",
            n=_count(tree["trees_compared_by_validation"])), "warn")  # fmt: skip
    if any(part["part"] == "test" for part in parts) and tree["test_looks"] > 1:
        yield _paragraph(tr(
            "The test rows were looked at {n} times: a tree that was chosen since the first has no honest figure.",
            n=_count(tree["test_looks"])), "warn")  # fmt: skip
    rows = [[tr("Rows"), *(_count(part["rows"]) for part in parts)]]
    for name, (label, is_share) in FIGURES.items():
        known = [part.get(name) for part in parts]
        if name == "mean_loss" and not {"priors", "costs"} & tree["leaf_rule"].keys():
            continue
        if any(value is not None and value != [None] * 3 for value in known):
            rows.append([tr(label), *(_figure(value, is_share) for value in known)])
    yield from _table([tr("Measure"), *(tr(PARTS[part["part"]]) for part in parts)], rows, len(rows), words=1)
    for part in parts:
        if "confusion" not in part:
            continue
        names = [one["name"] for one in part["classes"]]
        title = tr("{part} rows by class", part=tr(PARTS[part["part"]]))
        yield f"<h3>{_text(title)}</h3>\n"
        rows = [[one["name"], *(_figure(one[name], True) for name in ("precision", "recall", "f1")),
                 _figure(one["auc"], False)] for one in part["classes"]]  # fmt: skip
        yield from _table([tr("Class"), tr("Precision"), tr("Recall"), "F1", tr("AUC")], rows, MOST_CLASSES, words=1)
        if len(names) <= MOST_CLASSES:
            head = [tr("Actual"), *(tr("predicted {name}", name=name) for name in names)]
            rows = [[name, *map(_count, of_row)] for name, of_row in zip(names, part["confusion"], strict=True)]
            yield from _table(head, rows, MOST_CLASSES, words=1)


def _importance(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield _heading(tr("What matters"))
    yield _paragraph(tr(
        "Impurity: the share of all gain of the splits that a column has; columns of many values seem more important "
        "than they are. Permutation: by how much the loss of the validation rows grows where the column is shuffled."),
        "quiet")  # fmt: skip
    made = []
    for row in rows:
        shuffled = _number(row["permutation"])
        if row["permutation"] is not None and row["permutation_sd"] is not None:
            shuffled += f" ± {_number(row['permutation_sd'])}"
        made.append([row["column"], _count(row["splits"]), _share(row["impurity_share"]), shuffled])
    yield from _table([tr("Column"), tr("Splits"), tr("Impurity"), tr("Permutation")], made, MOST_COLUMNS, words=1)


def _leaves(found: dict[str, Any]) -> Iterator[str]:
    leaves, focus = found["leaves"], found["tree"]["focus"]
    yield _heading(tr("The leaves"))
    if focus is not None:
        yield _paragraph(tr("Sorted by the probability of “{name}”.", name=focus), "quiet")
    columns: list[tuple[str, str, Any]] = [(tr("Rows"), "rows", _count), (tr("Share"), "share", _share)]
    if focus is not None:
        columns += [(tr("P({name})", name=focus), "probability", _share), (tr("Index"), "index", _number)]
        columns.append((tr("Validation rows"), "validation_rows", _count))
        columns.append((tr("{name}, validation", name=focus), f"validation_share: {focus}", _share))
    else:
        columns += [(tr("Deviation"), "sd", _number), (tr("Validation rows"), "validation_rows", _count)]
        columns.append((tr("Mean, validation"), "validation_mean", _number))
    columns.append((tr("p, adjusted"), "p_adjusted", _number))
    columns += [(tr("Act"), "act", _yes), (tr("Profit per row"), "profit", _number)]
    columns = [each for each in columns if leaves and each[1] in leaves[0]]
    rows = []
    for leaf in leaves[:MOST_LEAVES]:
        said = leaf["prediction"] if isinstance(leaf["prediction"], str) else _number(leaf["prediction"])
        rows.append(
            [leaf["rule"] or tr("always"), said, f"#{leaf['node']}", *(do(leaf[name]) for _, name, do in columns)]
        )
    head = [tr("Rule"), tr("Predicts"), tr("Leaf"), *(title for title, _, _ in columns)]
    yield from _table(head, rows, MOST_LEAVES, words=2, of=len(leaves))


def _rules(found: list[dict[str, Any]], tree: Tree) -> Iterator[str]:
    yield _heading(tr("The rules"))
    left, total = MOST_RULES, sum(len(rule["ways"]) for rule in found)
    for rule in found:
        says = rule["predicts"] if isinstance(rule["predicts"], str) else _number(rule["predicts"])
        if ways := rule["ways"][:left]:
            left -= len(ways)
            yield f"<h3>{_text(tree.target or '')} = {_text(says)}</h3>\n<ul>\n"
            yield "".join(f"<li>{_text(way)}</li>\n" for way in ways) + "</ul>\n"
    if total > MOST_RULES:
        yield _more(MOST_RULES, total)


# -- parts of a page


def _text(text: object) -> str:
    return escape(printable(str(text)))


def _heading(text: str) -> str:
    return f"<h2>{_text(text)}</h2>\n"


def _paragraph(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{_text(text)}</p>\n' if kind else f"<p>{_text(text)}</p>\n"


def _table(head: Sequence[str], rows: Sequence[Iterable[str]], most: int, words: int, of: int = 0) -> Iterator[str]:
    """A table; the first `words` columns stand at the left. `of`: how many rows there are in all."""
    kinds = ["" if k < words else ' class="n"' for k in range(len(head))]
    titles = "".join(f"<th{kind}>{_text(cell)}</th>" for kind, cell in zip(kinds, head, strict=True))
    yield f"<table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n"
    for row in rows[:most]:
        cells = "".join(f"<td{kind}>{_text(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        yield f"<tr>{cells}</tr>\n"
    yield "</tbody>\n</table>\n"
    if max(len(rows), of) > most:
        yield _more(most, max(len(rows), of))


def _more(shown: int, total: int) -> str:
    return _paragraph(tr("The first {shown} of {total} are shown.", shown=_count(shown), total=_count(total)), "quiet")


def _count(number: float | None) -> str:
    if number is None:
        return NOTHING
    return f"{round(number):,}" if abs(number - round(number)) < 1e-9 * max(1.0, abs(number)) else f"{number:,.1f}"


def _share(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"


def _yes(said: bool | None) -> str:
    return NOTHING if said is None else tr("yes") if said else tr("no")


def _number(number: float | None) -> str:
    return NOTHING if number is None else number_words(number, 4)


def _figure(value: Any, is_share: bool) -> str:
    """A figure, with its interval where it has one."""
    say = _share if is_share else _number
    if not isinstance(value, list):
        return say(value)
    middle, low, high = value
    if low is None or middle is None:
        return say(middle)
    return f"{say(middle)} ({say(low).removesuffix(' %')}–{say(high)})"


def _count_and_share(n: int, of: int) -> str:
    return f"{_count(n)} · {_share(n / of)}"
