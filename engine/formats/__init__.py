"""A writer for each format that a tree can be exported to, and the readers. Pictures are drawn by the window.

A new format is one module with a function `write`, which gives the file in pieces, and one line here. Importing this
package loads none of them: menus and the command line list the suffixes.
"""

WRITERS = {".json": "tree_json", ".txt": "rules_text"}  # the module of each suffix
