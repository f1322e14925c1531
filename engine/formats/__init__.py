"""A writer for each format that a tree can be exported to, and the readers. Pictures are drawn by the window.

A new format is one module with a function `write(tree, **options)`, which gives the file in pieces, and one line here;
where what it writes can be run, the module's `run(text, tree, table, **options)` does so, for `engine.check_export`;
where it says trees down to some level only, `deepest(**options)` gives that. A `write` with an argument `table` gets
the table that the tree is of, if there is one.
Importing this package loads none of them: menus and the command line list the names and suffixes.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.runtime.sentences import marked


class Format(NamedTuple):
    """A format: the suffix of its files, the module that writes it, what people call it, and its options, each with
    what may be chosen, the usual first."""

    suffix: str
    module: str
    words: str
    options: Mapping[str, tuple[str, ...]] = MappingProxyType({})


FORMATS = {  # by name, as `export` and the command line take it; of one suffix the first is the usual one
    "json": Format(".json", "tree_json", marked("Tree as JSON")),
    "text": Format(".txt", "rules_text", marked("Rules as text")),
    "j48": Format(".j48", "j48", marked("Text as J48 prints it")),
    "rpart": Format(".rpart", "rpart", marked("Text as rpart prints it")),
    "sql": Format(".sql", "sql", marked("SQL query"), MappingProxyType({
        "dialect": ("duckdb", "postgres", "sqlite", "snowflake", "bigquery", "tsql", "mysql", "oracle", "spark",
                    "databricks", "redshift", "clickhouse", "trino"),
        "what": ("query", "prediction", "leaf"),
    })),
    "python": Format(".py", "python_code", marked("Python module")),
    "pandas": Format(".py", "pandas_code", marked("Python module for pandas")),
    "javascript": Format(".js", "javascript", marked("JavaScript")),
    "c": Format(".c", "c_code", marked("C99")),
    "r": Format(".r", "r_code", marked("R")),
    "sas": Format(".sas", "sas", marked("SAS data step")),
    "excel": Format(".xlsx", "excel", marked("Excel workbook with formulas")),
    "onnx": Format(".onnx", "onnx", marked("ONNX model")),
    "dot": Format(".dot", "dot", marked("Graph for Graphviz (DOT)")),
    "mermaid": Format(".mmd", "mermaid", marked("Flowchart for Mermaid")),
    "markdown": Format(".md", "rules_markdown", marked("Rules as Markdown")),
    "rules-csv": Format(".csv", "rules_csv", marked("Rules as CSV")),
    "rules-json": Format(".json", "rules_json", marked("Rules as JSON")),
    "pmml": Format(".pmml", "pmml", marked("PMML document")),
    "sklearn": Format(".skops", "skops", marked("scikit-learn pipeline (skops)")),
}  # fmt: skip
SAY_ALL = frozenset({"json", "text", "j48", "rpart", "dot", "mermaid", "markdown", "rules-csv", "rules-json"})
# … of which none needs to approximate a tree: what divides rows stands in them
USUAL: dict[str, str] = {}  # the format that each suffix names
for _name, _format in FORMATS.items():
    USUAL.setdefault(_format.suffix, _name)
PRINTOUTS = {"j48": "J48", "rpart": "rpart"}  # modules with `lines`, and the programs that print a tree so
PROJECT = ".espalier"  # a table with its tree and settings, see `engine.project`
PICTURES = {
    ".png": marked("PNG picture"), ".svg": marked("SVG drawing"), ".pdf": marked("PDF"),
    ".html": marked("Page for browsers"),
}  # fmt: skip
