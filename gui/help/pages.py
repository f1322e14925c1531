"""The handbook as text: which pages there are, which page is about what, and what is found in them. No Qt.

A page is a file of Markdown in `resources/help`. `index.md` is the table of contents: the window reads its chapters and
pages from there. A place on a page is named as in links: "prune#reduced-error" is the heading “Reduced error” of the
page `prune.md`."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / "resources" / "help"
CONTENTS = "index"
# The page of every panel, by its name in `gui.window.places`, and of the two other places that can have the keys. A new
# panel is one line here, and a page that `index.md` lists.
OF_PLACES = {
    "start_page": "opening",
    "canvas": "canvas",
    "columns": "data",
    "search": "search-options",
    "candidates": "this-node",
    "split_editor": "split",
    "why": "why",
    "pruning": "prune",
    "figures": "judge#figures",
    "curves": "judge#curves",
    "leaves": "judge#leaves",
    "importance": "judge#importance",
    "profile": "judge#profile",
    "judge": "judge#resampling",
    "what_if": "judge#what-if",
    "plane": "plane",
    "rules": "words#rules",
    "outline": "words#outline",
    "node": "words#node",
    "rows": "words#rows",
    "theory": "words#theory",
    "printout": "words#printout",
    "replay": "replay",
    "history": "history#steps",
    "comparison": "history#compare",
}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)")
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
SHOWN = 90  # letters of a passage in which something was found


@dataclass(frozen=True)
class Section:
    """What stands below one heading, up to the next one."""

    page: str
    title: str  # of the page
    heading: str
    text: str  # as a person reads it, in one line

    @property
    def place(self) -> str:
        return self.page if self.heading == self.title else f"{self.page}#{anchor(self.heading)}"


def anchor(heading: str) -> str:
    """What links call a heading: “m-of-n: several columns” is "m-of-n-several-columns"."""
    return re.sub(r"\W+", "-", heading.lower()).strip("-")


@cache
def markdown(page: str) -> str:
    return (FOLDER / f"{page}.md").read_text("utf-8")


def plain(text: str) -> str:
    """Markdown as it is read, in one line: links by their words, without pictures and marks."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"[*`|]+|^[#>-]+ |^-+$", " ", LINK.sub(r"\1", text), flags=re.MULTILINE)
    return " ".join(text.split())


@cache
def chapters() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The contents: each chapter with its pages, a title and a name for each."""
    parts = re.split(r"^## (.+)$", markdown(CONTENTS), flags=re.MULTILINE)[1:]
    return tuple(
        (chapter, tuple((title, link.removesuffix(".md")) for title, link in LINK.findall(body)))
        for chapter, body in zip(parts[::2], parts[1::2], strict=True)
    )


@cache
def sections() -> tuple[Section, ...]:
    """Everything that the pages say, in the order of the contents."""
    found = []
    for page in dict.fromkeys(page for _, listed in chapters() for _, page in listed):
        parts = HEADING.split(markdown(page))[1:]  # marks, heading, text, marks …
        found += [Section(page, parts[1], heading, plain(text))
                  for heading, text in zip(parts[1::3], parts[2::3], strict=True)]  # fmt: skip
    return tuple(found)


def find(asked: str) -> list[tuple[Section, str]]:
    """The sections that hold all of the words asked for, each with the passage around the first one: those that have
    them in the heading come first."""
    words = asked.lower().split()
    ranked: list[tuple[int, Section, str]] = []
    for section in sections() if words else ():
        heading, text = section.heading.lower(), section.text.lower()
        if all(word in heading or word in text or word in section.title.lower() for word in words):
            at = max(min((text.find(word) for word in words if word in text), default=0) - SHOWN // 3, 0)
            at = section.text.find(" ", at) + 1 if at else 0  # a whole word
            passage = section.text[at : at + SHOWN]
            rank = -sum(word in heading for word in words)
            ranked.append((rank, section, f"{'… ' * (at > 0)}{passage}{' …' * (at + SHOWN < len(section.text))}"))
    ranked.sort(key=lambda each: each[0])
    return [(section, passage) for _, section, passage in ranked]
