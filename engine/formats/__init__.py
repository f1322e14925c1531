"""A writer for each format that a tree can be exported to, and the readers. Pictures are drawn by the window.

A new format is one module with a function `write`, which gives the file in pieces, and one line here. Importing this
package loads none of them: menus and the command line list the suffixes.
"""

from engine.runtime.sentences import marked

WRITERS = {".json": "tree_json", ".txt": "rules_text", ".j48": "j48", ".rpart": "rpart"}  # the module of each suffix
PRINTOUTS = {"j48": "J48", "rpart": "rpart"}  # modules with `lines`, and the programs that print a tree so
PROJECT = ".espalier"  # a table with its tree and settings, see `engine.project`
PICTURES = {
    ".png": marked("PNG picture"), ".svg": marked("SVG drawing"), ".pdf": marked("PDF"),
    ".html": marked("Page for browsers"),
}  # fmt: skip
