"""Pictures in programs other than Qt: an SVG and a PDF look as the PNG does, and their text is text."""

import re
from collections import Counter

import numpy as np
import pypdfium2
import pytest
import resvg_py
from PySide6.QtGui import QImage

from gui import theme
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import Letters
from gui.picture.paper.picture import MOST_PAGES, page_name, tiling, write_scene
from gui.picture.paper.sheet import PAPERS, View, Wish
from tests.effort import crossed
from tests.gui.canvas.trees import five_nodes, people, random_tree, texts_of

CLOSE = 2.0  # of 255, on average: the renderers smooth edges and letters in their own way; at most 1.5 was seen
TREES = {
    "five": lambda: five_nodes(people()),
    "classes": lambda: random_tree(n=61, classes=("one", "two", "three", "four"), branches=3),
    "number": lambda: random_tree(n=59, task="number"),
    "large": lambda: random_tree(n=1_001),
}
WORDS = {"title": "Who buys — and why?", "figures": "3 leaves · depth 2 · error: train 8.8 %, valid 12.6 %"}


def pixels(image):
    """uint8[height, width, 3]: red, green, blue."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.asarray(image.constBits()).reshape(image.height(), image.width(), 4)[..., 2::-1].copy()


def of_svg(path):
    drawn = resvg_py.svg_to_bytes(svg_path=str(path), font_dirs=[str(theme.FONTS)], skip_system_fonts=True)
    return pixels(QImage.fromData(bytes(drawn)))


def of_pdf(path, page=0, scale=1.0):
    with pypdfium2.PdfDocument(str(path)) as pdf:
        found = np.array(pdf[page].render(scale=scale, rev_byteorder=True).to_numpy()[..., :3])
    return found


def difference(first, second):
    """The mean absolute difference of two pictures whose sides differ by a pixel at most."""
    assert np.abs(np.subtract(first.shape, second.shape)).max() <= 1
    height, width = (min(a, b) for a, b in zip(first.shape[:2], second.shape[:2], strict=True))
    return np.abs(first[:height, :width].astype(float) - second[:height, :width]).mean()


@pytest.fixture
def draw(qapp, tmp_path):
    def draw(tree, suffix, wish=None, look="light", **what):
        wish = wish or Wish(scale=1.0, theme=look, **WORDS)
        path = tmp_path / f"tree{suffix}"
        focus = 1 if len(tree.classes) == 2 else 0
        write_scene(Scene(tree, focus, PAPERS[look], Letters()), path, wish, **what)
        return path

    return draw


@pytest.mark.parametrize(("name", "look"), crossed(TREES, PAPERS))
def test_svg_and_pdf_look_as_the_png(draw, name, look):
    tree = TREES[name]()
    # The large tree is drawn smaller as PNG, whose area is limited: the others are as large as it needs.
    wish = Wish(box=(1600, 1000), theme=look, **WORDS) if name == "large" else None
    png = pixels(QImage(str(draw(tree, ".png", wish, look))))
    assert png.std() > 5
    assert difference(of_svg(draw(tree, ".svg", wish, look)), png) < CLOSE
    if wish is None:
        assert difference(of_pdf(draw(tree, ".pdf", look=look), scale=96 / 72), png) < CLOSE


def test_another_picture_is_not_close(draw):
    """The judge judges: a tree with other colours is further off than any renderer."""
    tree = TREES["classes"]()
    other = random_tree(n=61, classes=("one", "two", "three", "four"), branches=3, seed=1)
    wish = Wish(box=(900, 600))
    first, second = (pixels(QImage(str(draw(each, ".png", wish)))) for each in (tree, other))
    assert difference(first, second) > 2 * CLOSE


def test_what_a_view_cuts_off_is_cut_off_everywhere(draw):
    """At 100 %: between whole sizes of letters Qt's own pixels have the next whole one, an SVG says the fraction."""
    tree = random_tree(n=59)
    fitted = Scene(tree, 1, theme.LIGHT, Letters()).fitted(900, 600)
    view = View(fitted.zoomed(1 / fitted.zoom, 300, 300), 900, 600)
    png = pixels(QImage(str(draw(tree, ".png", view=view))))
    assert difference(of_svg(draw(tree, ".svg", view=view)), png) < CLOSE
    assert difference(of_pdf(draw(tree, ".pdf", view=view), scale=96 / 72), png) < CLOSE
    # Nothing of the drawing stands in the rim of heading and legend.
    canvas = np.array(theme.LIGHT.canvas.getRgb()[:3])
    assert (png[:10] == canvas).all() and (png[-3:] == canvas).all()


@pytest.mark.parametrize("page", ["A4", "A3", "Letter", "slide"])
@pytest.mark.parametrize("name", TREES)
def test_a_tree_fitted_to_a_page_stays_inside(draw, name, page):
    path = draw(TREES[name](), ".pdf", Wish(page=page, **WORDS))
    found = of_pdf(path)
    ratio = max(found.shape[:2]) / min(found.shape[:2])
    assert ratio == pytest.approx({"slide": 16 / 9, "Letter": 11 / 8.5}.get(page, 2**0.5), abs=0.01)
    canvas = np.array(theme.LIGHT.canvas.getRgb()[:3])
    rims = (found[:6], found[-3:], found[:, :6], found[:, -6:])
    assert all((np.abs(rim.astype(int) - canvas) <= 1).all() for rim in rims)
    assert found.std() > 3


def test_the_words_of_a_pdf_can_be_searched(draw):
    tree = TREES["five"]()
    with pypdfium2.PdfDocument(str(draw(tree, ".pdf", Wish(page="A4", **WORDS)))) as pdf:
        text = pdf[0].get_textpage().get_text_range()
    assert [
        word for word in ("age", "city", "≤ 42.5", "> 42.5", "valid 25 %", WORDS["title"]) if word not in text
    ] == []


def test_pages_pasted_together_are_the_picture(draw):
    """Each page is put where its neighbour's dashed line says: what comes of it is the picture of one page."""
    tree = random_tree(n=59)
    wish = Wish(page="A4", split=True, scale=1.0, **WORDS)
    path, png = draw(tree, ".pdf", wish), pixels(QImage(str(draw(tree, ".png"))))
    tiles = tiling(Scene(tree, 1, theme.LIGHT, Letters()), wish)
    assert tiles.rows * tiles.columns > 2
    width, height = round(tiles.sheet.width), round(tiles.sheet.height)
    pasted = np.zeros((height + 1_200, width + 1_200, 3), dtype=np.uint8)
    edge = round((tiles.page.width() - tiles.inside.width()) / 2)
    with pypdfium2.PdfDocument(str(path)) as pdf:
        assert len(pdf) == tiles.rows * tiles.columns
        for k in range(len(pdf)):
            row, column = divmod(k, tiles.columns)
            drawn = np.array(pdf[k].render(scale=96 / 72, rev_byteorder=True).to_numpy()[..., :3])
            inside = drawn[edge + 1 : -edge - 1, edge + 1 : -edge - 1]
            part = tiles.part(row, column)
            y, x = round(part.y()) + 1, round(part.x()) + 1
            pasted[y : y + inside.shape[0], x : x + inside.shape[1]] = inside
            text = pdf[k].get_textpage().get_text_range()
            assert page_name(row, column) in text
            if column + 1 < tiles.columns:
                assert f"{page_name(row, column + 1)} is pasted on" in text
    assert difference(pasted[1:height, 1:width], png[1:height, 1:width]) < CLOSE


def test_pages_are_named_as_a_spreadsheet_names_its_cells():
    firsts = " ".join(page_name(row, 0) for row in (0, 25, 26, 51, 52, 701, 702))
    assert firsts == "A1 Z1 AA1 AZ1 BA1 ZZ1 AAA1"
    assert page_name(2, 11) == "C12"


def test_too_many_pages_are_refused_in_one_sentence(qapp):
    scene = Scene(random_tree(n=20_001), 1, theme.LIGHT, Letters())
    with pytest.raises(ValueError, match=rf"pages of A4: .* up to {MOST_PAGES} are written"):
        tiling(scene, Wish(page="A4", split=True))


def test_a_branch_has_the_words_and_the_colours_that_it_has_in_the_whole_tree(draw):
    tree = random_tree(n=59)
    bare = Wish(legend=False)
    whole, branch = (draw(tree, ".svg", bare, top=top).read_text("utf-8") for top in (0, tree.children(0)[0]))
    colours = re.compile(r'fill="(#[0-9a-f]{6})"')
    words = [[text for *_, text in texts_of(svg)] for svg in (whole, branch)]
    assert 5 < len(set(colours.findall(branch))) < len(set(colours.findall(whole)))
    assert set(colours.findall(branch)) < set(colours.findall(whole))
    assert not Counter(words[1]) - Counter(words[0])
