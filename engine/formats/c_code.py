"""A tree as a file of C99 without dependencies: as branches, or where compilers would take minutes for these, as an
array that a loop walks."""

import math
import struct
from collections.abc import Iterator

from engine.formats.coding import Language, check_texts, headline, lines
from engine.formats.decisions import Decision, decisions
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
MOST_BRANCHED = 1000  # leaves; optimising the branches of 5,000 takes a compiler half a minute
TESTS = ("<=", ">", "missing", "present", "no text", "text", "in", "not in")
ARRAY = """
/* A test: what it asks (0 "<=", 1 ">", 2 is missing, 3 is not; of texts 4 is missing, 5 is not, 6 is among some names,
   7 is none of them), of which column, the names from which on and how many, the tests that follow if it holds and if
   not (below 0: leaves), the threshold. */
struct test { int asks; int column; int first; int names; int yes; int no; double threshold; };
"""
WALK = """
static int holds(const struct test *test, const double *numbers, const char *const *texts)
{
    int k, found = 0;
    switch (test->asks) {
    case 0: return numbers[test->column] <= test->threshold;
    case 1: return numbers[test->column] > test->threshold;
    case 2: return isnan(numbers[test->column]);
    case 3: return !isnan(numbers[test->column]);
    case 4: return texts[test->column] == NULL;
    case 5: return texts[test->column] != NULL;
    }
    for (k = 0; k < test->names && !found; k++) found = is(texts[test->column], NAMES[test->first + k]);
    return test->asks == 6 ? found : texts[test->column] != NULL && !found;
}
"""
SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+*/()[]{}<>=.,:;!#$%&'@^|~")


def write(tree: Tree, written: str = "") -> Iterator[str]:
    """The file in pieces: `tree_leaf`, `tree_predict`, and `tree_probabilities` of classes.

    Args:
        written: "branches" or "array"; empty: by the number of leaves.

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
    by_array = written == "array" or (not written and tree.n_leaves > MOST_BRANCHED)
    yield IS if by_array or any(not _is_number(tree, place) for place in names) else ""
    yield from _array(tree, names) if by_array else _branches(tree, names)
    yield "\n/* The number of the leaf that a row reaches. */\n"
    yield "int tree_leaf(const struct row *row) { return LEAVES[find(row)]; }\n\n/* The prediction. */\n"
    if is_classes:
        yield "const char *tree_predict(const struct row *row) { return CLASSES[LABELS[find(row)]]; }\n"
        yield "\n/* The probability of each class, in the order of CLASSES. */\n"
        yield "const double *tree_probabilities(const struct row *row) { return PROBABILITIES[find(row)]; }\n"
    else:
        yield "double tree_predict(const struct row *row) { return PREDICTIONS[find(row)]; }\n"


def _branches(tree: Tree, names: dict[int, str]) -> Iterator[str]:
    """What finds a row's leaf: the tree as if and else."""
    functions, language = [], _language(tree, names)
    for k, steps in pieces_of_code(tree):
        functions.append(f"part_{k}")
        yield f"\nstatic int part_{k}(const struct row *row)\n{{\n"
        yield from (f"{line}\n" for line in lines(tree, steps, language))
        yield "}\n" if names else "    (void)row;\n}\n"
    yield f"\nstatic int (*const PARTS[])(const struct row *) = {{{', '.join(functions)}}};\n"
    yield "\nstatic int find(const struct row *row)\n{\n    int found = part_0(row);\n"
    yield "    while (found < 0) found = PARTS[-found](row);\n    return found;\n}\n"


def _array(tree: Tree, names: dict[int, str]) -> Iterator[str]:
    """The same as a list of tests, and the loop that walks it."""
    found, begin = decisions(tree)
    kinds = [[name for place, name in names.items() if _is_number(tree, place) == is_number]
             for is_number in (True, False)]  # fmt: skip
    column_of = {place: kinds[not _is_number(tree, place)].index(name) for place, name in names.items()}
    first_of, listed = dict[tuple[str, ...], int](), list[str]()
    rows = []
    for one in found:
        asks, threshold, levels = _test(tree, one)
        if levels and levels not in first_of:
            first_of[levels] = len(listed)
            listed += levels
        rows.append(f"    {{{asks}, {column_of[one.asked.place]}, {first_of.get(levels, 0)}, {len(levels)}, {one.yes}, "
                    f"{one.no}, {_number(threshold)}}},\n")  # fmt: skip
    yield ARRAY
    yield "\nstatic const struct test TESTS[] = {\n"
    yield from rows or ["    {0, 0, 0, 0, 0, 0, 0.0},\n"]
    yield "};\n\nstatic const char *const NAMES[] = {\n"
    yield from (f"    {_text(level)},\n" for level in listed or [""])
    yield f"}};\n{WALK}"
    numbers, texts = (", ".join(f"row->{name}" for name in kind) for kind in kinds)
    yield "\nstatic int find(const struct row *row)\n{\n"
    yield f"    const double numbers[] = {{{numbers or '0.0'}}};\n"
    yield f"    const char *const texts[] = {{{texts or 'NULL'}}};\n    int at = {begin};\n"
    yield "" if names else "    (void)row;\n"
    yield "    while (at >= 0) at = holds(&TESTS[at], numbers, texts) ? TESTS[at].yes : TESTS[at].no;\n"
    yield "    return -1 - at;\n}\n"


def _test(tree: Tree, one: Decision) -> tuple[int, float, tuple[str, ...]]:
    """What a test asks, its threshold, and its names."""
    asked = one.asked
    if isinstance(asked.value, float):
        return TESTS.index(asked.test), asked.value, ()
    if not _is_number(tree, asked.place):
        return TESTS.index({"missing": "no text", "present": "text"}.get(asked.test, asked.test)), 0.0, asked.value
    if asked.test in ("missing", "present"):
        return TESTS.index(asked.test), 0.0, ()
    wanted = [truth for truth in BOOLEAN_LEVELS if (truth in asked.value) == (asked.test == "in")]
    if len(wanted) == 1:
        return TESTS.index(">" if wanted == ["True"] else "<="), 0.5, ()
    return (TESTS.index("present"), 0.0, ()) if wanted else (TESTS.index(">"), math.inf, ())


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


def run(text: str, tree: Tree, table: Table, written: str = "") -> Answers:
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
