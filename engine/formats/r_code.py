"""A tree as functions of R that send a whole data frame down it at once, as `pandas_code` does.

R reads long decimal fractions with a second rounding: numbers that are not short in binary are hexadecimal, with the
decimal in a remark.
"""

from collections.abc import Iterator

import numpy as np

from engine.formats.coding import Language, check_texts, headline, number, spelled
from engine.formats.programs import found_program, output_of
from engine.formats.questions import Asker, AtLeast, Compare, Condition, columns_used, variables
from engine.formats.rows_to_check import Answers
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.table.words import exact_date
from engine.tree.tree import Tree

NODES = 500  # in one function
HELPERS = r"""
# Rows of a CSV file, with the names of its columns as they are, and each date as one:
#   rows <- read.csv("rows.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8")
#   rows[["day"]] <- as.Date(rows[["day"]])                          # days
#   rows[["moment"]] <- as.POSIXct(rows[["moment"]], tz = "UTC")     # moments

# The prediction for each row of a data frame; NA is missing.
tree_predict <- function(rows) PREDICTIONS[tree_find(rows)]

# The number of the leaf that each row reaches.
tree_leaf <- function(rows) LEAVES[tree_find(rows)]

tree_column <- function(rows, name) {
  if (!name %in% names(rows)) {
    stop("There is no column \"", name, "\": read.csv keeps its name with check.names = FALSE.", call. = FALSE)
  }
  rows[[name]]
}

tree_refuse <- function(cells, name, remedy) {
  if ((is.character(cells) || is.factor(cells)) && any(!is.na(cells))) {
    said <- as.character(cells)[!is.na(cells)][1]
    stop("The column \"", name, "\" holds texts, first \"", said, "\": ", remedy, call. = FALSE)
  }
}

tree_number <- function(rows, name) {
  cells <- tree_column(rows, name)
  tree_refuse(cells, name, "it must be numeric, and NA where a value is missing.")
  as.numeric(cells)
}

# Seconds since 1970, UTC.
tree_date <- function(rows, name) {
  cells <- tree_column(rows, name)
  tree_refuse(cells, name, "make them dates with as.Date, or as.POSIXct with tz = \"UTC\".")
  if (inherits(cells, "Date")) return(as.numeric(cells) * 86400)
  as.numeric(if (inherits(cells, "POSIXlt")) as.POSIXct(cells) else cells)
}

tree_text <- function(rows, name) {
  cells <- tree_column(rows, name)
  if (is.logical(cells)) ifelse(cells, "True", "False") else enc2utf8(as.character(cells))
}
"""
PROBABILITIES = """
# A row for each row, a column for each class: its probability.
tree_probabilities <- function(rows) {
  shares <- PROBABILITIES[tree_find(rows), , drop = FALSE]
  colnames(shares) <- CLASSES
  shares
}
"""
READERS = {"date": "tree_date", "boolean": "tree_text", "nominal": "tree_text", "ordered": "tree_text"}


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces: `tree_predict(rows)`, `tree_leaf(rows)`, and `tree_probabilities(rows)` of classes.

    Raises:
        InputError: a name or a level holds the letter 0, which no text of R can hold.
    """
    check_texts(tree, "R")
    names, is_classes, leaves = variables(tree), tree.task == "classes", tree.leaves
    yield f"# {headline(tree)}\n\nLEAVES <- {_vector(map(str, tree.ids[leaves].tolist()))}\n"
    if is_classes:
        yield f"CLASSES <- {_vector(map(_text, tree.classes))}\n"
        yield f"PREDICTIONS <- CLASSES[{_vector(str(label + 1) for label in tree.labels[leaves].tolist())}]\n"
        shares = _vector(map(_number, tree.probabilities[leaves].ravel().tolist()))
        yield f"PROBABILITIES <- matrix({shares}, ncol = {len(tree.classes)}, byrow = TRUE)\n"
    else:
        yield f"PREDICTIONS <- {_vector(map(_number, tree.predictions[leaves].tolist()))}\n"
    yield HELPERS
    yield PROBABILITIES if is_classes else ""
    n_parts = 0
    for line in _parts(tree, names):
        n_parts += line.startswith("\ntree_part_")
        yield line
    yield "\ntree_find <- function(rows) {\n  jit <- compiler::enableJIT(0)  # compiling takes longer than it saves\n"
    yield "  on.exit(compiler::enableJIT(jit))\n  x <- new.env()\n"
    for place, name in names.items():
        column = tree.columns[place]
        yield f"  x${name} <- {READERS.get(column.kind, 'tree_number')}(rows, {_text(column.name)})\n"
    yield f"  x${'leaf_1' if tree.n_nodes == 1 else 'node_0'} <- seq_len(nrow(rows))\n"
    yield from (f"  tree_part_{k}(x)\n" for k in range(n_parts))
    yield "  found <- integer(nrow(rows))\n"
    yield '  for (k in seq_along(LEAVES)) found[x[[paste0("leaf_", k)]]] <- k\n  found\n}\n'


def _parts(tree: Tree, names: dict[int, str]) -> Iterator[str]:
    """The functions that divide the rows: those that wait at each node, by its place, and those of each leaf are
    variables, for a list of them would be copied at each change."""
    asker, language = Asker(tree), _language(tree, names)
    leaf_of = {leaf: k + 1 for k, leaf in enumerate(tree.leaves.tolist())}
    inner = np.flatnonzero(tree.n_branches).tolist()
    for k, i in enumerate(inner):
        if k % NODES == 0:
            yield f"\ntree_part_{k // NODES} <- function(x) {{\n"
        question, children = asker.question(i), tree.children(i)
        yield f"  at <- x$node_{i}\n"
        for branch, condition in zip(question.order, [*question.conditions, None], strict=True):
            child = children[branch]
            if condition is not None:
                yield f"  meets <- ({spelled(condition, language)}) %in% TRUE{_remark(tree, condition)}\n"
            gone = "at" if condition is None else "at[meets]"
            goal = f"x$leaf_{leaf_of[child]} <- {gone}" if child in leaf_of else f"x$node_{child} <- {gone}"
            yield f"  {goal}\n" if condition is None else f"  {goal}\n  at <- at[!meets]\n"
        if k % NODES == NODES - 1 or k == len(inner) - 1:
            yield "  invisible()\n}\n"


def _vector(texts: Iterator[str] | map) -> str:
    return f"c({', '.join(texts)})"


def _number(value: float) -> str:
    if not np.isfinite(value):
        return number(value, "Inf")
    return repr(float(value)) if (value * 1024).is_integer() and abs(value) < 1e12 else float(value).hex()


def _text(text: str) -> str:
    """A text in quotes, all but plain letters by their numbers."""
    plain = (chr(k) if 32 <= k < 127 and chr(k) not in '"\\' else f"\\u{{{k:04x}}}" if k < 2**16 else f"\\U{{{k:08x}}}"
             for k in map(ord, text))  # fmt: skip
    return f'"{"".join(plain)}"'


def _remark(tree: Tree, condition: Condition) -> str:
    """The thresholds of a line that stand there in seconds or hexadecimal."""
    asked = condition.parts if isinstance(condition, AtLeast) else (condition,)
    said = [
        exact_date(one.value) if tree.columns[one.place].kind == "date" else repr(one.value)
        for one in asked
        if isinstance(one, Compare) and isinstance(one.value, float)
        and (tree.columns[one.place].kind == "date" or _number(one.value) != repr(one.value))
    ]  # fmt: skip
    return f"  # {', '.join(said)}" if said else ""


def _language(tree: Tree, names: dict[int, str]) -> Language:
    def compare(test: Compare) -> str:
        name = f"x${names[test.place]}[at]"
        if isinstance(test.value, float):
            return f"{name} {test.test} {_number(test.value)}"
        listed = f"{name} %in% {_vector(map(_text, test.value))}"
        return {"in": listed, "not in": f"(!is.na({name}) & !({listed}))", "missing": f"is.na({name})",
                "present": f"!is.na({name})"}[test.test]  # fmt: skip

    def count(texts: list[str]) -> str:
        return " + ".join(f"(({text}) %in% TRUE)" for text in texts)

    return Language(compare, " & ", " | ", "rep(FALSE, length(at))", "", "", "", "", "", str, count)


def run(text: str, tree: Tree, table: Table) -> Answers:
    """What R answers for the rows of a table; InputError where it is not installed."""
    program = found_program("Rscript")
    made = [f"given <- data.frame(row.names = seq_len({table.n_rows}))"]
    codes = []
    for place in columns_used(tree):
        column = table.column(tree.columns[place].name)
        values = column.values.tolist()
        if column.kind in NUMERIC:
            spelled_values = ["NA_real_", *(_number(float(value)) for value in values)]
        elif column.kind == "boolean":
            spelled_values = ["NA", "FALSE", "TRUE"]
        else:
            spelled_values = ["NA_character_", *map(_text, values)]
        codes.append(" ".join(str(code + 1) for code in column.codes.tolist()))
        made.append(
            f"given[[{_text(column.name)}]] <- {_vector(iter(spelled_values))}[scan(codes, nlines = 1, quiet = TRUE)]"
        )
    said = "cat(sprintf('%d %a', tree_leaf(given), tree_predict(given)), sep = '\\n')"
    if tree.task == "classes":
        shares = "matrix(sprintf('%a', tree_probabilities(given)), nrow = nrow(given))"
        columns = f"tree_leaf(given), match(tree_predict(given), CLASSES), apply({shares}, 1, paste, collapse = ' ')"
        said = f"cat(paste({columns}), sep = '\\n')"
    asking = "\n".join(['source("tree.r", encoding = "UTF-8")', 'codes <- file("codes", "r")', *made, said, ""])
    files = {"tree.r": text, "ask.r": asking, "codes": "\n".join(codes) + "\n"}
    printed = output_of(files, [program, "--vanilla", "ask.r"]).decode().splitlines()
    version = output_of({}, [program, "--vanilla", "-e", "cat(as.character(getRversion()))"]).decode()
    return Answers.of(tree, f"R {version}", [_answer(tree, line.split()) for line in printed])


def _answer(tree: Tree, words: list[str]) -> tuple[int | str | float | list[float], ...]:
    if tree.task == "number":
        return int(words[0]), float.fromhex(words[1])
    return int(words[0]), tree.classes[int(words[1]) - 1], [float.fromhex(word) for word in words[2:]]
