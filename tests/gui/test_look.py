"""What the canvas shows beyond the tree: told once, and a taste is kept."""

from gui.model.document import Document
from gui.settings import Settings


def test_what_changes_is_told_once(document: Document) -> None:
    told: list[frozenset[str]] = []
    document.look.changed.connect(told.append)
    document.look.set(colour_by="class", part="validation")
    document.look.set(colour_by="class")
    assert told == [frozenset({"colour_by", "part"})]


def test_another_table_begins_with_training_rows(document: Document, xor) -> None:
    document.set_table(xor)
    document.look.set(part="validation", colour_by="class")
    document.set_table(xor)
    assert (document.look.part, document.look.colour_by) == ("train", "class")


def test_tastes_are_kept_and_the_rest_is_not(document: Document, tmp_path) -> None:
    path = tmp_path / "settings.json"
    settings = Settings(path)
    document.look.remember(settings)
    document.look.set(colour_by="class", lines=("rows",), part="validation")
    again = Document()
    again.look.remember(Settings(path))
    assert (again.look.colour_by, again.look.lines, again.look.part) == ("class", ("rows",), "train")
