"""A tree as a module of JavaScript, for browsers and Node.js."""

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any

from engine.formats.coding import Language, headline, lines, number, quoted
from engine.formats.programs import found_program, output_of
from engine.formats.questions import Compare, columns_used, pieces_of_code, variables
from engine.formats.rows_to_check import Answers, plain_cells
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.tree import Tree

HELPERS = """
/** The prediction for one row: an object by column names, which has every column that the tree asks. null, undefined
    and NaN are missing, an empty text too where a number is asked; dates are Date, or seconds since 1970, UTC. */
function predict(row) { return find(row)[1]; }

/** The number of the leaf that a row reaches. */
function leaf(row) { return find(row)[0]; }

function cell(row, name) {
    if (!(name in row)) throw new Error(`The row has no column "${name}"; give null where its value is missing.`);
    return row[name];
}
function toNumber(row, name, wanted = "a number") {
    const value = cell(row, name), isText = typeof value === "string";
    if (value === null || value === undefined || (isText && value.trim() === "")) return NaN;
    if (isText && value !== "NaN" && Number.isNaN(Number(value)))
        throw new TypeError(`The column "${name}" holds the text "${value}": give ${wanted}.`);
    return Number(value);
}
function toDate(row, name) {
    const value = cell(row, name);
    return value instanceof Date ? value.getTime() / 1000 : toNumber(row, name, "a Date, or seconds since 1970, UTC");
}
function toText(row, name) {
    const value = cell(row, name);
    if (value === null || value === undefined || value !== value) return null;
    return value === true ? "True" : value === false ? "False" : String(value);
}
"""
PROBABILITIES = """
/** The probability of each class, in the order of CLASSES. */
function predictProba(row) { return find(row)[2]; }
"""
READERS = {"date": "toDate", "boolean": "toText", "nominal": "toText", "ordered": "toText"}


def write(tree: Tree) -> Iterator[str]:
    """The module in pieces: `predict(row)`, `leaf(row)`, and `predictProba(row)` of classes."""
    names, is_classes = variables(tree), tree.task == "classes"
    yield f'"use strict";\n// {headline(tree)}\n\nconst TARGET = {quoted(tree.target)};\n'
    if is_classes:
        yield f"const CLASSES = [{', '.join(map(quoted, tree.classes))}];\n"
    yield f"// the leaf's number, the prediction{', the probabilities of the classes' if is_classes else ''}\n"
    yield "const LEAVES = [\n"
    for i in tree.leaves.tolist():
        if is_classes:
            shares = ", ".join(_number(share) for share in tree.probabilities[i].tolist())
            yield f"    [{int(tree.ids[i])}, {quoted(tree.classes[tree.labels[i]])}, [{shares}]],\n"
        else:
            yield f"    [{int(tree.ids[i])}, {_number(float(tree.predictions[i]))}],\n"
    yield "];\n" + HELPERS
    yield PROBABILITIES if is_classes else ""
    given, functions = ", ".join(names.values()), []
    for k, steps in pieces_of_code(tree):
        functions.append(f"part{k}")
        yield f"\nfunction part{k}({given}) {{\n"
        yield from (f"{line}\n" for line in lines(tree, steps, _language(tree, names)))
        yield "}\n"
    yield f"\nconst PARTS = [{', '.join(functions)}];\n\nfunction find(row) {{\n"
    for place, name in names.items():
        column = tree.columns[place]
        yield f"    const {name} = {READERS.get(column.kind, 'toNumber')}(row, {quoted(column.name)});\n"
    yield f"    let found = part0({given});\n    while (found < 0) found = PARTS[-found]({given});\n"
    yield "    return LEAVES[found];\n}\n\n"
    given_out = "TARGET, predict, leaf" + (", predictProba, CLASSES" if is_classes else "")
    yield f'if (typeof module !== "undefined") module.exports = {{ {given_out} }};\n'


def _number(value: float) -> str:
    return number(value, "Infinity")


def _language(tree: Tree, names: dict[int, str]) -> Language:
    def compare(test: Compare) -> str:
        name, is_number = names[test.place], tree.columns[test.place].kind in NUMERIC
        if isinstance(test.value, float):
            return f"{name} {test.test} {_number(test.value)}"
        listed = f"[{', '.join(map(quoted, test.value))}].includes({name})"
        one = quoted(test.value[0]) if len(test.value) == 1 else ""
        return {
            "in": f"{name} === {one}" if one else listed,
            "not in": f"({name} !== null && {f'{name} !== {one}' if one else f'!{listed}'})",
            "missing": f"Number.isNaN({name})" if is_number else f"{name} === null",
            "present": f"!Number.isNaN({name})" if is_number else f"{name} !== null",
        }[test.test]  # fmt: skip

    return Language(compare, " && ", " || ", "false", "if ({}) {{", "}} else if ({}) {{", "} else {", "}", "//",
                    lambda at: f"return {at};")  # fmt: skip


ASKING = """
const { readFileSync } = require("fs");
const given = JSON.parse(readFileSync("given.json", "utf8"));
for (let i = 0; i < given.n; i++) {
    const row = Object.fromEntries(given.names.map((name, k) => {
        const cell = given.columns[k][i];
        return [name, cell === "Infinity" || cell === "-Infinity" ? Number(cell) : cell && cell.text !== undefined
            ? cell.text : cell];
    }));
    console.log(JSON.stringify(find(row)));
}
"""


def run(text: str, tree: Tree, table: Table) -> Answers:
    """What Node.js answers for the rows of a table; InputError where it is not installed."""
    node = found_program("node")
    cells = plain_cells(tree, table, float)
    columns = [[_given(cell) for cell in column] for column in cells]
    given = {"names": [tree.columns[place].name for place in columns_used(tree)], "columns": columns, "n": table.n_rows}
    files = {"tree.js": text + ASKING, "given.json": json.dumps(given)}
    answers = [json.loads(line) for line in output_of(files, [node, "tree.js"]).splitlines()]
    version = output_of({}, [node, "--version"]).decode().strip().removeprefix("v")
    return Answers.of(tree, f"Node.js {version}", answers)


def _given(cell: Any) -> Any:
    """A cell for JSON, which knows no infinite numbers."""
    if isinstance(cell, float):
        return cell if isfinite(cell) else number(cell, "Infinity")
    return {"text": cell} if isinstance(cell, str) else cell
