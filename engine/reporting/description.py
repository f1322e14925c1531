"""What a report consists of, whatever it is written as: sections of paragraphs, lists, tables and drawings.

A writer of a format (`html`, `docx`) knows these few blocks and nothing of trees. All texts are plain: a writer escapes
them by the rules of its format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.reporting import SECTIONS, words
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

LINE, APART = 104, 2  # letters of a table that a page has room for side by side; between two columns
HEAVIER = 1.2  # letters of a head are so much wider
NARROW = "iljtf.,:;'|()[] "
SHORT, LONGEST = 21, 30  # letters: a title is not wrapped for less; a word may be broken from here on


class Paragraph(NamedTuple):
    """Sentences. `kind`: "", "quiet" for what explains, "warn" for what limits the figures, "caption" of a picture."""

    text: str
    kind: str = ""


class Heading(NamedTuple):
    """A heading within a section."""

    text: str


class Listed(NamedTuple):
    """Lines, with numbers where their order matters."""

    lines: Sequence[str]
    numbered: bool = True


class Rows(NamedTuple):
    """A table of texts.

    Attributes:
        columns: how many of its first columns are words, which stand at the left; the others are figures.
        below: what stands below each row, as wide as the table; empty for nothing.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    columns: int = 1
    below: Sequence[str] = ()

    @property
    def widths(self) -> list[float]:
        """The share of the page that each column takes, by its words: no word is broken and no figure wrapped where
        there is room for it, and a table of few short figures is narrower than the page."""
        least, wished = [], []
        for k, title in enumerate(self.head):
            of_title, cells = (HEAVIER * max(map(_letters, title.split()), default=0.0)), [row[k] for row in self.rows]
            whole = max(map(_letters, cells), default=0.0)
            word = (
                max((_letters(each) for cell in cells for each in cell.split()), default=0)
                if k < self.columns
                else whole
            )
            least.append(max(of_title, min(word, LONGEST)) + APART)
            wished.append(max(of_title, min(HEAVIER * _letters(title), SHORT), whole) + APART)
        line = float(LINE if self.below or sum(wished) > LINE else sum(wished))
        more = [wish - need for wish, need in zip(wished, least, strict=True)]
        spare = max(line - sum(least), 0.0) / (sum(more) or 1.0)
        given = [need + spare * one for need, one in zip(least, more, strict=True)]
        return [one * min(line, LINE) / LINE / sum(given) for one in given]


class Drawing(NamedTuple):
    """A picture as SVG. `name`: for those who do not see it; `caption`: stands below it."""

    name: str
    svg: bytes
    caption: str = ""


def _letters(text: str) -> float:
    """How many usual letters it is as wide as."""
    return len(text) - 0.3 * sum(text.count(one) for one in NARROW)


def shown(
    head: Sequence[str], rows: Sequence[Sequence[str]], most: int, columns: int = 1, of: int = 0,
    below: Sequence[str] = (),
) -> Iterator["Block"]:  # fmt: skip
    """A table of the first rows; of more than `most` it is said how many there are. `columns`: that are words, see
    `Rows`. `of`: how many rows there are in all, where not all are given."""
    yield Rows(head, rows[:most], columns, below[:most])
    if (total := max(len(rows), of)) > most:
        yield Paragraph(words.first_of(most, total), "quiet")


Block = Paragraph | Heading | Listed | Rows | Drawing


class Section(NamedTuple):
    """A part that can be left out. `name`: of `engine.reporting.SECTIONS`, or "introduction"."""

    name: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, eq=False)
class Report:
    """A report before it is written.

    Attributes:
        title: what it is about.
        about: one line below the title: what the tree is, and the day.
        sections: those that have something to say, in their order.
        found: the same as plain figures, see `engine.reporting.figures`.
    """

    title: str
    about: str
    sections: Sequence[Section]
    found: dict[str, Any]

    def only(self, names: Sequence[str] | None = None, introduction: str = "") -> "Report":
        """The report with these sections alone, None for all, and with words of one's own at the beginning; an empty
        line parts their paragraphs. InputError: there is no such section."""
        for name in names or ():
            if name not in SECTIONS:
                known = ", ".join(SECTIONS)
                raise InputError(tr("A report has no section “{name}”; it has {known}.", name=name, known=known))
        chosen = [one for one in self.sections if names is None or one.name in names]
        if paragraphs := [Paragraph(part.strip()) for part in introduction.split("\n\n") if part.strip()]:
            chosen.insert(0, Section("introduction", tr("Introduction"), paragraphs))
        return replace(self, sections=chosen)
