"""The whole tree on paper: PNG, SVG, PDF."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor, QImage

from engine.runtime.errors import InputError
from gui import theme
from gui.dialogs.picture_dialog import outcome
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import Letters
from gui.picture.paper.picture import MOST_AREA, MOST_PIXELS, POINTS, image_of, planned, write_picture, write_scene
from gui.picture.paper.sheet import Wish
from gui.picture.streams.frame import StreamFrame
from gui.picture.streams.ribbons import BAND, ends
from gui.picture.streams.scene import Streams
from tests.gui.canvas.trees import agrees, five_nodes, people, random_tree, texts_of

ROOT = Path(__file__).resolve().parents[3]
SUFFIXES = (".png", ".svg", ".pdf")


@pytest.fixture
def tree(qapp):
    return five_nodes(people())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_what_its_suffix_says(tree, tmp_path, suffix):
    path = tmp_path / f"tree{suffix.upper()}"
    write_picture(tree, path)
    head = path.read_bytes()[:200]
    assert {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF-"}[suffix] in head
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o044 or os.name == "nt"


def test_the_svg_has_real_text_and_pixels_for_a_size(tree, tmp_path):
    path = tmp_path / "tree.svg"
    write_picture(tree, path)
    svg = path.read_text(encoding="utf-8")
    texts = [text for *_, text in texts_of(svg)]
    for i in range(1, tree.n_nodes):
        listed = [text.partition("] ")[2] for text in texts if text.startswith("[")]  # in the key below
        assert any(agrees(text, tree.branch_words(i), tree, i) for text in texts) or tree.sentence(i) in listed
    assert {"age", "city", "split by hand"} <= set(texts)
    size = re.search(r'<svg width="(\d+)px" height="(\d+)px"\s+viewBox="0 0 (\d+) (\d+)"', svg)
    assert size is not None
    assert size[1] == size[3]
    assert size[2] == size[4]
    used = re.findall(r'font-family="([^"]*)"[^>]*>\s*<text', svg)
    assert used
    assert set(used) == {theme.FAMILY}


def test_the_svg_moves_and_blends_nothing(tree, tmp_path):
    """Other programs get transforms of pens, gradients and alpha wrong: none are used."""
    path = tmp_path / "tree.svg"
    write_picture(tree, path)
    svg = path.read_text(encoding="utf-8")
    assert set(re.findall(r'transform="([^"]*)"', svg)) == {"matrix(1,0,0,1,0,0)"}
    assert "Gradient" not in svg
    assert set(re.findall(r'(?:fill|stroke)-opacity="([^"]*)"', svg)) <= {"1"}


def test_the_pdf_embeds_its_letters_and_is_one_page(tree, tmp_path):
    path = tmp_path / "tree.pdf"
    write_picture(tree, path)
    data = path.read_bytes()
    assert re.search(rb"/BaseFont /[A-Z]*\+?LiberationSans", data)
    assert b"/Count 1" in data


def test_a_png_is_as_sharp_as_asked(tree, tmp_path):
    sizes = []
    for scale in (1.0, 2.0):
        path = tmp_path / f"{scale}.png"
        write_picture(tree, path, Wish(scale=scale))
        image = QImage(str(path))
        sizes.append((image.width(), image.height()))
    assert sizes[1] == pytest.approx((2 * sizes[0][0], 2 * sizes[0][1]), abs=2)


@pytest.mark.parametrize("name", theme.THEMES)
def test_the_theme_is_the_papers(tree, tmp_path, name):
    path = tmp_path / "tree.png"
    write_picture(tree, path, Wish(theme=name))
    assert QImage(str(path)).pixelColor(1, 1) == theme.THEMES[name].canvas


def test_the_focus_class_gives_the_colours(tree, tmp_path):
    images = []
    for focus in (0, 1, None):
        path = tmp_path / "tree.png"
        write_picture(tree, path, focus_class=focus)
        images.append(QImage(str(path)))
    assert images[0] != images[1]
    assert images[1] == images[2]


@pytest.mark.parametrize("target", ["buys", "city", "income"])
def test_nothing_is_cut_off(qapp, tmp_path, target):
    """A rim of plain canvas runs around every picture."""
    path = tmp_path / "tree.png"
    for tree in (five_nodes(people(target=target)), five_nodes(people(target=target)).collapse(0)):
        write_picture(tree, path, Wish(scale=1.0))
        image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.asarray(image.constBits()).reshape(image.height(), image.width(), 4)[..., 2::-1]
        canvas = QColor(theme.LIGHT.canvas).getRgb()[:3]
        plain = (pixels == canvas).all(axis=2)
        rim = 5
        assert plain[:rim].all()
        assert plain[-rim:].all()
        assert plain[:, :rim].all()
        assert plain[:, -rim:].all()
        assert not plain.all()


def test_large_trees_keep_within_what_the_formats_can(qapp, tmp_path):
    tree = random_tree(n=2_001)
    png, pdf = tmp_path / "tree.png", tmp_path / "tree.pdf"
    write_picture(tree, png)
    image = QImage(str(png))
    assert max(image.width(), image.height()) <= MOST_PIXELS
    assert MOST_AREA * 0.8 < image.width() * image.height() <= MOST_AREA
    write_picture(tree, pdf)
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\s*\]", pdf.read_bytes())
    assert box is not None
    assert max(map(float, box.groups())) <= POINTS


@pytest.mark.parametrize("make", [Scene, Streams])
def test_more_sharpness_is_the_same_picture_finer(qapp, make):
    """Where a PNG does not hold so many pixels it is as sharp as it can be, never a picture of less."""
    tree = random_tree(n=161)
    scene = make(tree, 1, theme.LIGHT, Letters())
    once, twice, most = (planned(scene, Wish(scale=scale)) for scale in (1.0, 2.0, 4.0))
    assert once.sheet.camera == twice.sheet.camera == most.sheet.camera and not most.squeezed
    assert once.sheet.width == most.sheet.width and once.sheet.height == most.sheet.height
    assert 2.0 < most.scale < 4.0 and most.width > twice.width
    assert most.width * most.height <= MOST_AREA and max(most.width, most.height) <= MOST_PIXELS
    told = outcome(scene, ".png", Wish(scale=4.0), 0, None)
    assert f"Image scale × {most.scale:.1f}, for a PNG holds 60 million" in told
    assert "Sharpness" not in outcome(scene, ".png", Wish(scale=2.0), 0, None)


def test_a_tree_that_no_png_holds_is_said_to_be_squeezed(qapp):
    scene = streams_of(random_tree(n=1_801))
    assert planned(scene, Wish()).squeezed
    assert outcome(scene, ".png", Wish(), 0, None).endswith("SVG and PDF keep it whole.")
    assert "SVG" not in outcome(scene, ".svg", Wish(), 0, None)


def test_a_branch_says_which_one_it_is(tree, tmp_path):
    scene, path = Scene(tree, 1, theme.LIGHT, Letters()), tmp_path / "tree.svg"
    top = next(i for i in range(tree.n_nodes - 1, 0, -1) if tree.n_branches[i])
    for wish, said in ((Wish(title="A title"), True), (Wish(), False)):
        write_scene(scene, path, wish, top)
        texts = [text for *_, text in texts_of(path.read_text(encoding="utf-8"))]
        assert (f"Branch below {tree.sentence(top)}" in texts) is said
    write_scene(scene, path, Wish(title="A title"))
    assert "Branch below" not in path.read_text(encoding="utf-8")


def streams_of(tree, look=theme.LIGHT):
    return Streams(tree, 1, look, Letters())


@pytest.mark.parametrize("shape", [{"n": 1_801}, {"n": 121, "lean": 1.0}])
def test_streams_are_drawn_to_the_far_end_of_large_paper(qapp, shape):
    """Every bar and every wide stream has its colour, however far down or to the right it is; words may lie above some
    places of a stream."""
    scene, wish = streams_of(random_tree(**shape)), Wish(scale=1.0)
    sheet, scale = (plan := planned(scene, wish)).sheet, plan.scale
    frame = StreamFrame(scene, sheet.camera, QSizeF(sheet.width, sheet.height))
    image, canvas = image_of(scene, wish), scene.theme.canvas
    nodes = np.arange(1, scene.tree.n_nodes)
    x0, y0, x1, y1 = ends(frame, nodes).T
    wide = frame.places.heights[nodes] * frame.sy > BAND  # thinner ones may be below words
    bars = np.column_stack((x1 + frame.bar / 2, y1))
    t = np.array((0.4, 0.5, 0.6))[:, None]  # along the curve, whose handles are level and half as long as it is wide
    early, late = (1 - t) ** 2 * (1 + 2 * t), t**2 * (3 - 2 * t)
    across = (1 - t) ** 3 * x0 + 3 * t * (1 - t) * (x0 + x1) / 2 + t**3 * x1
    streams = np.stack((across, early * y0 + late * y1), axis=-1)[:, wide]
    assert not frame.are_tiny(nodes).any() and bars.max() > 6_800

    def coloured(spots: np.ndarray) -> np.ndarray:
        places = (spots * scale).astype(int).reshape(-1, 2).tolist()
        return np.array([image.pixelColor(*at) != canvas for at in places]).reshape(spots.shape[:-1])

    assert coloured(bars).all()
    assert coloured(streams).any(axis=0).all()
    assert coloured(streams).mean() > 0.99


def test_streams_on_paper_are_curves_however_many_they_are(qapp, tmp_path):
    """The screen draws many thin ones as straight pieces, in a hurry."""
    scene, path = streams_of(random_tree(n=1_801)), tmp_path / "tree.svg"
    write_scene(scene, path, Wish())
    svg = path.read_text(encoding="utf-8")
    curves = re.findall(r'<path[^>]* d="M[-\d.]+,[-\d.]+ C[^"]*"', svg)
    assert len(curves) >= scene.tree.n_nodes - 1


def test_a_staircase_is_scaled_to_its_height(qapp, tmp_path):
    path = tmp_path / "stairs.png"
    write_picture(random_tree(n=601, lean=1.0), path)
    image = QImage(str(path))
    assert image.height() > 5_000
    assert image.width() * image.height() <= MOST_AREA


@pytest.mark.parametrize(
    ("name", "sentence"), [("tree.gif", "end it with .png, .svg, .pdf or .html"), ("tree", "end it with .png")]
)
def test_another_suffix_is_refused_in_one_sentence(tree, tmp_path, name, sentence):
    with pytest.raises(InputError, match=sentence):
        write_picture(tree, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(tree, tmp_path, suffix):
    target = tmp_path / "absent" / f"tree{suffix}"
    with pytest.raises(InputError, match="absent"):
        write_picture(tree, target)
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    with pytest.raises(InputError, match="folder"):
        write_picture(tree, folder)
    assert list(tmp_path.iterdir()) == [folder]
    assert not list(folder.iterdir())


def test_an_older_file_stays_whole_when_writing_fails(tree, tmp_path, monkeypatch):
    path = tmp_path / "tree.png"
    path.write_bytes(b"older")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="no space left"):
        write_picture(tree, path)
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_it_works_without_any_window(tmp_path):
    """As the command line does it: no application was made, and there is no display."""
    path = tmp_path / "tree.svg"
    program = (
        "import sys; from tests.gui.canvas.trees import agrees, five_nodes, people;"
        "from gui.picture.paper.picture import write_picture; write_picture(five_nodes(people(40)), sys.argv[1]);"
        "sys.exit('PySide6.QtWidgets' in sys.modules)"
    )
    surroundings = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size > 1_000


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".html"])
def test_a_pipe_is_not_replaced_by_a_picture(tree, tmp_path, suffix):
    path = tmp_path / f"pipe{suffix}"
    os.mkfifo(path)
    with pytest.raises(InputError, match="is a pipe, a socket or a device"):
        write_picture(tree, path)
    assert path.is_fifo() and len(list(tmp_path.iterdir())) == 1
