"""Pages of paper: nothing that belongs together is parted, and a table goes on below its head."""

import pypdfium2
import pytest

from engine.reporting import html
from engine.reporting.description import Drawing, Heading, Listed, Paragraph, Report, Rows, Section
from gui.picture.paper.printed import Strip, paged, write_printed


def test_a_page_takes_what_fits_and_what_holds_goes_along():
    strips = [Strip(0, 40), Strip(40, 80, holds=True), Strip(80, 130), Strip(130, 160)]
    assert [(page.top, page.bottom) for page in paged(strips, 100)] == [(0, 40), (40, 130), (130, 160)]


def test_what_is_higher_than_a_page_is_cut_and_nothing_is_lost():
    strips = [Strip(0, 10), Strip(10, 260), Strip(260, 300)]
    assert [(page.top, page.bottom) for page in paged(strips, 100)] == [
        (0, 10),
        (10, 110),
        (110, 210),
        (210, 260),
        (260, 300),
    ]
    chained = [Strip(10 * k, 10 * k + 10, holds=True) for k in range(30)]
    pages = list(paged(chained, 100))
    assert [page.top for page in pages] == [0, 100, 200] and pages[-1].bottom == 300


def test_a_head_takes_room_of_the_pages_that_begin_with_it():
    strips = [
        Strip(0, 20, holds=True),
        *(Strip(20 * k, 20 * k + 20, head=(0, 20) if k > 1 else (0, 0)) for k in range(1, 9)),
    ]
    pages = list(paged(strips, 100))
    assert [(page.top, page.bottom, page.head) for page in pages] == [(0, 100, (0.0, 0.0)), (100, 180, (0, 20))]


def test_a_section_that_would_only_begin_at_the_foot_begins_the_next_page():
    strips = [Strip(0, 80), Strip(80, 85, holds=True, section=True), Strip(85, 95), Strip(95, 120), Strip(120, 130)]
    assert [(page.top, page.bottom) for page in paged(strips, 100)] == [(0, 80), (80, 130)]
    assert [page.bottom for page in paged(strips[:3], 100)] == [95]  # all of it has room
    early = [Strip(0, 40), Strip(40, 45, holds=True, section=True), Strip(45, 95), Strip(95, 120)]
    assert [page.bottom for page in paged(early, 100)] == [95, 120]


@pytest.mark.parametrize(("lines", "n_pages"), [(2, 1), (10, 1), (20, 1), (38, 2)])
def test_a_picture_is_drawn_smaller_where_its_page_has_room_for_most_of_it(qapp, tmp_path, lines, n_pages):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"><rect width="600" height="900"/></svg>'
    blocks = Listed([f"line {k}" for k in range(lines)]), Drawing("It", svg.encode(), "The caption.")
    write_printed("".join(html.report(Report("A title", "about", [Section("data", "Data", blocks)], {}))),
                  str(tmp_path / "page.pdf"))  # fmt: skip
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as pdf:
        assert len(pdf) == n_pages
        assert "Thecaption." in "".join(pdf[n_pages - 1].get_textpage().get_text_range().split())
        (image,) = (one for one in pdf[n_pages - 1].get_objects() if one.type == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE)
        left, bottom, right, top = image.get_bounds()
        assert (top - bottom) / (right - left) == pytest.approx(900 / 600, rel=0.01)


@pytest.fixture
def pages(qapp, tmp_path):
    """The texts of the pages of blocks as they are printed, without spaces, for a reader may see more of them."""

    def printed(*blocks):
        write_printed("".join(html.report(Report("A title", "about", [Section("data", "Data", blocks)], {}))),
                      str(tmp_path / "page.pdf"))  # fmt: skip
        with pypdfium2.PdfDocument(tmp_path / "page.pdf") as pdf:
            return ["".join(page.get_textpage().get_text_range().split()) for page in pdf]

    return printed


def test_every_page_of_a_long_table_has_its_head_and_its_number(pages):
    texts = pages(Rows(["Column", "Rows"], [[f"c{k:03}", f"{k}"] for k in range(200)]))
    assert len(texts) > 2 and all("Column" in text for text in texts)
    assert all(f"{k + 1}/{len(texts)}" in text and "Atitle" in text for k, text in enumerate(texts))
    whole = "".join(texts)
    assert all(whole.count(f"c{k:03}") == 1 for k in range(200))


def test_what_stands_below_a_row_is_on_its_page(pages):
    n = 120
    below = [f"below{k:03} " + "and more words " * (k % 9) for k in range(n)]
    texts = pages(Rows(["Leaf", "Rows"], [[f"leaf{k:03}", "1"] for k in range(n)], below=below))
    assert len(texts) > 2
    for k in range(n):
        assert sum(f"leaf{k:03}" in text for text in texts) == 1
        assert [f"leaf{k:03}" in text for text in texts] == [f"below{k:03}" in text for text in texts]


@pytest.mark.parametrize("lines", range(30, 46))
def test_a_heading_and_what_explains_a_table_stay_with_it(pages, lines):
    short = Rows(["Class", "Rows"], [["yes", "1"], ["no", "2"]])
    explained = [Heading("The heading"), Paragraph("Explained.", "warn"), Paragraph("And more.", "quiet"), short]
    texts = pages(Listed([f"line {k}" for k in range(lines)]), *explained)
    said = ("Theheading", "Explained.", "Andmore.", "Class", "yes", "no2")
    found = [[word in text for text in texts] for word in said]
    assert all(one == found[0] and sum(one) == 1 for one in found)


def test_a_page_alone_has_no_number(pages):
    (text,) = pages(Paragraph("All there is."))
    assert "Allthereis." in text and "1/1" not in text
