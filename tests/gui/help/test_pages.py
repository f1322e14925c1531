"""The pages of the handbook: all are there, all are listed, no link is dead, and nothing lacks its section."""

import re

import pytest

from engine.criteria import CRITERIA
from engine.pruning import METHODS
from engine.search.choices import OPTIONS
from engine.search.presets import PRESETS
from gui.help import pages
from gui.verbs.declared import VERBS
from gui.window.places import PLACES

FILES = sorted(path.stem for path in pages.FOLDER.glob("*.md"))
LISTED = [page for _, listed in pages.chapters() for _, page in listed]
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


def headings(page: str) -> list[str]:
    return [heading for _, heading in pages.HEADING.findall(pages.markdown(page))]


def test_every_page_is_in_the_contents_once():
    assert sorted([*LISTED, pages.CONTENTS]) == FILES


def test_the_contents_call_pages_by_their_titles():
    for _, listed in pages.chapters():
        for title, page in listed:
            assert headings(page)[0] == title


def test_every_panel_has_a_page():
    panels = {name for _, inside in PLACES.values() for name in inside}
    assert set(pages.OF_PLACES) == panels | {"canvas", "start_page"}
    for place in pages.OF_PLACES.values():
        page, _, anchor = place.partition("#")
        assert page in LISTED
        assert not anchor or anchor in map(pages.anchor, headings(page))


@pytest.mark.parametrize("page", FILES)
def test_no_link_is_dead(page):
    for _, link in pages.LINK.findall(pages.markdown(page)):
        target, _, anchor = link.partition("#")
        other = target.removesuffix(".md") or page
        assert target.endswith(".md") or not target, link
        assert other in FILES, link
        assert not anchor or anchor in map(pages.anchor, headings(other)), link


@pytest.mark.parametrize("page", FILES)
def test_pages_load_nothing_from_elsewhere_and_name_their_figures(page):
    assert "://" not in pages.markdown(page)
    for words, figure in PICTURE.findall(pages.markdown(page)):
        assert words and (pages.FOLDER / figure).is_file(), figure


def test_every_figure_is_used():
    used = {figure for page in FILES for _, figure in PICTURE.findall(pages.markdown(page))}
    assert {f"figures/{path.name}" for path in (pages.FOLDER / "figures").iterdir()} == used


@pytest.mark.parametrize("page", FILES)
def test_headings_of_a_page_are_told_apart_by_links(page):
    anchors = [*map(pages.anchor, headings(page))]
    assert len(anchors) == len(set(anchors))


def test_every_algorithm_has_its_section():
    assert headings("pruning-methods")[1:] == [vars(method)["label"] for method in METHODS.values()]
    assert set(PRESETS) <= {heading.lower() for heading in headings("presets")}
    of_criteria = pages.markdown("criteria")
    for criterion in map(vars, CRITERIA.values()):
        assert criterion["label"].lower().split(" of ")[0].replace("–mansour √", "") in of_criteria.lower()
    options = pages.markdown("search-options")
    assert [name for name in OPTIONS if f"`{name}`" not in options] == []


def test_what_the_pages_say_of_keys_is_true():
    """The keys of the table are those of verbs; F1 opens the handbook."""
    from gui.verbs.actions import keys_of

    taken = {key.toString() for verb in VERBS.values() for key in keys_of(verb)}
    rows = re.findall(r"^\| ([^|]+) \|", pages.markdown("keys"), flags=re.MULTILINE)[2:]
    asked = [key for row in rows for key in re.split(r", (?=\S)", row.replace("Ctrl+,", "Ctrl+comma"))]
    assert [key for key in asked if key.replace("comma", ",") not in taken | {"Ctrl+S", "Ctrl+Z", "Ctrl+Y"}] == []


# -- search


def test_search_finds_sections_by_all_words_headings_first():
    found = pages.find("reduced error")
    assert found[0][0].place == "pruning-methods#reduced-error"
    assert all("reduced" in f"{s.title} {s.heading} {s.text}".lower() for s, _ in found)
    assert pages.find("") == [] and pages.find("zebrafish") == []


def test_a_passage_shows_the_word_that_was_found_and_no_marks():
    section, passage = pages.find("elomaa")[0]
    assert section.place == "pruning-methods#reduced-error" or section.page == "sources"
    assert "elomaa" in passage.lower()
    assert not any(mark in s.text for s in pages.sections() for mark in ("](", "**", "```"))
