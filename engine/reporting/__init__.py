"""A report of a tree for those who have to trust it: as a page to print, for Word, as figures, or as the table of its
leaves; a node or a step on a page; the tree on a slide. Here is what menus and the command line offer; the rest brings
the compiler."""

from engine.runtime.sentences import marked

REPORTS = (".html", ".pdf", ".docx", ".pptx", ".json", ".csv")
SECTIONS = {  # their names for calls and the command line, and their titles; in this order
    "summary": marked("Summary"), "tree": marked("The tree"), "data": marked("The data"),
    "made": marked("How the tree was made"), "by_hand": marked("What was decided by hand, and why"),
    "pruning": marked("How it was pruned"),
    "assessment": marked("How good it is"), "importance": marked("What matters"), "leaves": marked("The leaves"),
    "rules": marked("The rules"), "versions": marked("Versions"),
}  # fmt: skip
