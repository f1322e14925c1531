"""A tree on a slide of PowerPoint, as shapes that can be moved and written on: a box for each node, a connector for
each branch with its condition."""

from io import BytesIO
from pathlib import Path
from typing import Any

from engine.reporting import words
from engine.reporting.docx import FONT, text
from engine.runtime.errors import InputError
from engine.runtime.files import write_whole
from engine.runtime.sentences import tr
from engine.tree.tree import Tree

MOST_NODES = 60
WIDTH, HEIGHT = 13.333, 7.5  # inches of a slide of 16 : 9; of a larger tree it is larger, in the same proportion
LARGEST = 50.0  # inches: PowerPoint has slides of 56 at most
BOX = (1.72, 0.62)  # inches of a node
GAPS = (0.22, 0.62)  # beside a node and below it, where the condition stands
MARGIN, TITLE = 0.4, 0.9
POINTS, SMALL = 10, 9  # of letters
FILL, INK, LINE = ("F4F6F9", "1D2026", "8A909C")
COLOURS = ("0072B2", "E69F00", "009E73", "CC79A7", "56B4E9", "D55E00", "F0E442", "999999")  # Okabe and Ito
DARK_ON = ("E69F00", "56B4E9", "F0E442", "999999")  # colours on which dark letters read better


def check_pptx() -> None:
    """InputError where the library is not installed; it says how to get it."""
    try:
        import pptx  # noqa: F401  (late: an extra, and slow to load)
    except ModuleNotFoundError as problem:
        raise InputError(tr(
            "Slides need the package python-pptx: {command}", command="pip install 'espalier[exports]'"
        )) from problem  # fmt: skip


def write_slide(tree: Tree, title: str, path: Path) -> None:
    """Writes a tree as the shapes of one slide.

    Raises:
        InputError: it has more than `MOST_NODES` nodes, python-pptx is not installed, or the file cannot be written.
    """
    if tree.n_nodes > MOST_NODES:
        raise InputError(tr(
            "A slide holds {most} nodes, and this tree has {n}: prune it or fold it first, or export a picture.",
            most=MOST_NODES, n=f"{tree.n_nodes:,}"))  # fmt: skip
    check_pptx()
    import pptx
    from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
    from pptx.util import Inches, Pt

    centres = _centres(tree)
    across = max(x for x, _ in centres) + BOX[0] / 2
    down = max(y for _, y in centres) + BOX[1] / 2
    scale = max(1.0, (across + 2 * MARGIN) / WIDTH, (down + TITLE + MARGIN) / HEIGHT)
    smaller = min(1.0, LARGEST / (WIDTH * scale))
    width, height = WIDTH * scale * smaller, HEIGHT * scale * smaller
    left, top = (width / smaller - across) / 2, TITLE

    def place(inches: float) -> Any:
        return Inches(inches * smaller)

    show = pptx.Presentation()
    show.slide_width, show.slide_height = Inches(width), Inches(height)
    page = show.slides.add_slide(show.slide_layouts[6])  # an empty one
    heading = page.shapes.add_textbox(place(MARGIN), place(0.2), Inches(width) - place(2 * MARGIN), place(0.5))
    _write(heading, [title], 20 * smaller, INK, bold=True)
    boxes = []
    for i, (x, y) in enumerate(centres):
        corner = place(left + x - BOX[0] / 2), place(top + y - BOX[1] / 2)
        box = page.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, *corner, place(BOX[0]), place(BOX[1]))
        colour = (
            COLOURS[int(tree.labels[i]) % len(COLOURS)] if tree.task == "classes" and not tree.n_branches[i] else FILL
        )
        ink = INK if colour == FILL or colour in DARK_ON else "FFFFFF"
        _paint(box, colour)
        box.name = text(tr("Node {node}", node=int(tree.ids[i])))
        _write(box, _said(tree, i), POINTS * smaller, ink)
        boxes.append(box)
    for i in range(1, tree.n_nodes):
        parent = int(tree.parent[i])
        line = page.shapes.add_connector(MSO_CONNECTOR.ELBOW, 0, 0, 0, 0)
        line.begin_connect(boxes[parent], 2)  # below, as the sides of a box are numbered from the top, leftwards
        line.end_connect(boxes[i], 0)
        line.line.color.rgb, line.line.width, line.shadow.inherit = _rgb(LINE), Pt(1), False
        x, y = centres[i]
        label = page.shapes.add_textbox(place(left + x - BOX[0] / 2 - GAPS[0] / 2), place(top + y - BOX[1] / 2 - 0.27),
                                        place(BOX[0] + GAPS[0]), place(0.25))  # fmt: skip
        _write(label, [tree.branch_words(i)], SMALL * smaller, INK)
        label.fill.solid()  # the connector ends behind it
        label.fill.fore_color.rgb = _rgb("FFFFFF")
    file = BytesIO()
    show.save(file)
    write_whole(path, [file.getvalue()])


def _centres(tree: Tree) -> list[tuple[float, float]]:
    """Where the middle of each node is, in inches: leaves side by side, splits above the middle of their branches."""
    x, leaves = [0.0] * tree.n_nodes, 0
    for i in range(tree.n_nodes):
        if not tree.n_branches[i]:
            x[i], leaves = BOX[0] / 2 + leaves * (BOX[0] + GAPS[0]), leaves + 1
    for i in reversed(range(tree.n_nodes)):
        if children := tree.children(i):
            x[i] = (x[children[0]] + x[children[-1]]) / 2
    return [(x[i], BOX[1] / 2 + int(tree.level[i]) * (BOX[1] + GAPS[1])) for i in range(tree.n_nodes)]


def _said(tree: Tree, i: int) -> list[str]:
    """A node in two lines: its question or its answer; its rows."""
    n = int(tree.rows_train[i])
    rows = tr("1 row") if n == 1 else tr("{n} rows", n=words.count(n))
    if tree.task == "number":
        answer, more = words.number(float(tree.predictions[i])), ""
    else:
        answer = tree.classes[tree.labels[i]]
        weight = float(tree.train[i].sum())
        more = words.share(float(tree.train[i][tree.labels[i]]) / weight) + " · " if weight > 0 else ""
    if tree.n_branches[i]:
        return [tree.title(i), f"{more}{answer} · {rows}"]
    return [answer, f"{more}{rows}"]


def _rgb(colour: str) -> Any:
    from pptx.dml.color import RGBColor

    make: Any = RGBColor
    return make.from_string(colour)


def _paint(box: Any, colour: str) -> None:
    from pptx.util import Pt

    box.fill.solid()
    box.fill.fore_color.rgb = _rgb(colour)
    box.line.color.rgb, box.line.width = _rgb(LINE), Pt(0.75)
    box.shadow.inherit = False


def _write(shape: Any, lines: list[str], points: float, colour: str, bold: bool = False) -> None:
    """Puts lines into a shape, the first one bold where there are more."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Pt

    frame = shape.text_frame
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = Pt(2)
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    for k, line in enumerate(lines):
        paragraph = frame.paragraphs[0] if k == 0 else frame.add_paragraph()
        paragraph.alignment = PP_ALIGN.CENTER
        run = paragraph.add_run()
        run.text = text(line)
        run.font.name, run.font.size = FONT, Pt(points if k == 0 else 0.9 * points)
        run.font.bold = bold or (k == 0 and len(lines) > 1)
        run.font.color.rgb = _rgb(colour)
