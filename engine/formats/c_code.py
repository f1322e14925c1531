"""A tree as a file of C99 without dependencies."""

import math
import struct
from collections.abc import Iterator

from engine.formats.coding import Language, check_texts, headline, lines
from engine.formats.programs import found_program, output_of
from engine.formats.questions import Compare, columns_used, pieces_of_code, variables
from engine.formats.rows_to_check import Answers, plain_cells
from engine.runtime.errors import printable
from engine.table.column import BOOLEAN_LEVELS, NUMERIC
from engine.table.table import Table
from engine.tree.tree import Tree

HEAD = """
#include <math.h>
#include <stddef.h>
#include <string.h>

/* One row. A number that is missing is NAN, a text NULL; dates are seconds since 1970, UTC; truth values 1, 0 or NAN;
   texts are UTF-8. */
"""
IS = """
static int is(const char *text, const char *level) { return text != NULL && strcmp(text, level) == 0; }
"""
SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+*/()[]{}<>=.,:;!#$%&'@^|~")


def write(tree: Tree) -> Iterator[str]:
    """The file in pieces: `tree_leaf`, `tree_predict`, and `tree_probabilities` of classes.

    Raises:
        InputError: a level or a class holds the letter 0, at which texts end in C.
    """
    check_texts(tree, "C")
    names, is_classes, leaves = variables(tree), tree.task == "classes", tree.leaves
    yield f"/* {headline(tree)} */\n{HEAD}struct row {{\n"
    for place, name in names.items():
        column = tree.columns[place]
        kind = "double " if _is_number(tree, place) else "const char *"
        yield f"    {kind}{name}; /* {printable(column.name).replace('*/', '* /')} */\n"
    yield "};\n" if names else "    char unused;\n};\n"
    yield f"\nstatic const int LEAVES[] = {{{', '.join(map(str, tree.ids[leaves].tolist()))}}};\n"
    if is_classes:
        yield f"static const char *const CLASSES[] = {{{', '.join(map(_text, tree.classes))}}};\n"
        yield f"static const int LABELS[] = {{{', '.join(map(str, tree.labels[leaves].tolist()))}}};\n"
        yield f"static const double PROBABILITIES[][{len(tree.classes)}] = {{\n"
        for shares in tree.probabilities[leaves].tolist():
            yield f"    {{{', '.join(map(_number, shares))}}},\n"
        yield "};\n"
    else:
        yield f"static const double PREDICTIONS[] = {{{', '.join(map(_number, tree.predictions[leaves].tolist()))}}};\n"
    yield IS if any(not _is_number(tree, place) for place in names) else ""
    functions, language = [], _language(tree, names)
    for k, steps in pieces_of_code(tree):
        functions.append(f"part_{k}")
        yield f"\nstatic int part_{k}(const struct row *row)\n{{\n"
        yield from (f"{line}\n" for line in lines(tree, steps, language))
        yield "}\n" if names else "    (void)row;\n}\n"
    yield f"\nstatic int (*const PARTS[])(const struct row *) = {{{', '.join(functions)}}};\n"
    yield "\nstatic int find(const struct row *row)\n{\n    int found = part_0(row);\n"
    yield "    while (found < 0) found = PARTS[-found](row);\n    return found;\n}\n"
    yield "\n/* The number of the leaf that a row reaches. */\n"
    yield "int tree_leaf(const struct row *row) { return LEAVES[find(row)]; }\n\n/* The prediction. */\n"
    if is_classes:
        yield "const char *tree_predict(const struct row *row) { return CLASSES[LABELS[find(row)]]; }\n"
        yield "\n/* The probability of each class, in the order of CLASSES. */\n"
        yield "const double *tree_probabilities(const struct row *row) { return PROBABILITIES[find(row)]; }\n"
    else:
        yield "double tree_predict(const struct row *row) { return PREDICTIONS[find(row)]; }\n"


def _is_number(tree: Tree, place: int) -> bool:
    return tree.columns[place].kind in (*NUMERIC, "boolean")


def _number(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else "INFINITY" if value > 0 else "-INFINITY"


def _text(text: str) -> str:
    """A text in quotes: what is no plain letter in octal, for that ends after three digits."""
    return '"' + "".join(chr(byte) if chr(byte) in SAFE else f"\\{byte:03o}" for byte in text.encode()) + '"'


def _language(tree: Tree, names: dict[int, str]) -> Language:
    def compare(test: Compare) -> str:
        name, kind = f"row->{names[test.place]}", tree.columns[test.place].kind
        if isinstance(test.value, float):
            return f"{name} {test.test} {_number(test.value)}"
        if test.test in ("missing", "present"):
            negation = "" if test.test == "missing" else "!"
            return f"{negation}isnan({name})" if _is_number(tree, test.place) else f"{name} {negation or '='}= NULL"
        if kind == "boolean":
            wanted = [k for k, truth in enumerate(BOOLEAN_LEVELS) if (truth in test.value) == (test.test == "in")]
            return f"({' || '.join(f'{name} == {k}' for k in wanted)})" if wanted else "0"
        asked = " || ".join(f"is({name}, {_text(level)})" for level in test.value)
        asked = asked if len(test.value) == 1 else f"({asked})"
        return asked if test.test == "in" else f"({name} != NULL && !{asked})"

    return Language(compare, " && ", " || ", "0", "if ({}) {{", "}} else if ({}) {{", "} else {", "}", "//",
                    lambda at: f"return {at};")  # fmt: skip


ASKING = """
#include <stdio.h>
#include <stdlib.h>

static const char *next_text(FILE *file)
{
    int size;
    char *text;
    if (fread(&size, sizeof size, 1, file) != 1) exit(1);
    if (size < 0) return NULL;
    text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) exit(1);
    return text;
}

static double next_number(FILE *file)
{
    double value;
    if (fread(&value, sizeof value, 1, file) != 1) exit(1);
    return value;
}

int main(void)
{
    FILE *file = fopen("given", "rb");
    for (long i = 0; i < N_ROWS; i++) {
        struct row row = {0};
FIELDS
        printf("%d ANSWER
    }
    return 0;
}
"""


def run(text: str, tree: Tree, table: Table) -> Answers:
    """What the compiled file answers for the rows of a table; InputError where no compiler is installed."""
    compiler = found_program("cc", "gcc", "clang")
    names, n_classes = variables(tree), len(tree.classes)
    numeric = [_is_number(tree, place) for place in columns_used(tree)]
    fields = "".join(f"        row.{name} = next_{'number' if is_number else 'text'}(file);\n"
                     for name, is_number in zip(names.values(), numeric, strict=True))  # fmt: skip
    answer = '%a\\n", tree_leaf(&row), tree_predict(&row));'
    if n_classes:
        answer = ('%d", tree_leaf(&row), LABELS[find(&row)]);\n'
                  f"        for (int k = 0; k < {n_classes}; k++) printf(\" %a\", tree_probabilities(&row)[k]);\n"
                  '        printf("\\n");\n        (void)tree_predict(&row);')  # fmt: skip
    asking = ASKING.replace("N_ROWS", str(table.n_rows)).replace("FIELDS\n", fields).replace("ANSWER", answer)
    cells = plain_cells(tree, table, float, lambda level: float(level == "True"))
    given = b"".join(_given(cell, is_number) for row in zip(*cells, strict=True)
                     for cell, is_number in zip(row, numeric, strict=True))  # fmt: skip
    build = [compiler, "-std=c99", "-Wall", "-Wextra", "-Wno-parentheses", "-o", "run", "tree.c", "-lm"]
    printed = output_of({"tree.c": text + asking, "given": given}, build, ["./run"]).decode().splitlines()
    version = output_of({}, [compiler, "--version"]).decode().splitlines()[0]
    return Answers.of(tree, version, [_answer(tree, line.split()) for line in printed])


def _given(cell: float | str | None, is_number: bool) -> bytes:
    if is_number:
        return struct.pack("d", math.nan if cell is None else cell)
    text = None if cell is None else str(cell).encode()
    return struct.pack("i", -1) if text is None else struct.pack("i", len(text)) + text


def _answer(tree: Tree, words: list[str]) -> tuple[int | str | float | list[float], ...]:
    if tree.task == "number":
        return int(words[0]), float.fromhex(words[1])
    return int(words[0]), tree.classes[int(words[1])], [float.fromhex(word) for word in words[2:]]
