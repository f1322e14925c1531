"""Other viewers of trees, as `viewer_trees.Viewer` describes them. Espalier is not imported."""

import os
import shutil
import tempfile
from pathlib import Path

from tests.benchmarks.viewer_trees import CLASSES, NAMES, SIDES, TARGET, Fitted

DPI = 100


class Orange:
    """Orange's Tree Viewer with its own scene and items; the same viewport grabbed as ours."""

    package = "Orange3"
    repaints = True, True

    def begin(self) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from AnyQt.QtWidgets import QApplication
        from Orange.widgets.visualize.owtreeviewer import OWTreeGraph

        self._application = QApplication.instance() or QApplication(["viewers"])
        self._widget = OWTreeGraph()
        self._view = self._widget.scene_view
        self._view.setFixedSize(*SIDES)
        self._widget.show()

    def take(self, tree: Fitted) -> None:
        from Orange.classification.tree import SklTreeClassifier
        from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

        domain = Domain([ContinuousVariable(name) for name in NAMES], DiscreteVariable(TARGET, CLASSES))
        self._model = SklTreeClassifier(tree.model)
        self._model.domain, self._model.instances = domain, Table.from_numpy(domain, tree.x, tree.y)

    def build(self) -> None:
        self._widget.ctree(self._model)
        self._application.processEvents()
        self.repaint()

    def fit(self) -> None:
        from AnyQt.QtCore import Qt

        self._view.fitInView(self._widget.scene.itemsBoundingRect(), Qt.KeepAspectRatio)

    def look_at(self, place: int) -> None:
        stack = [self._widget.root_node]
        for _ in range(place):
            node = stack.pop()
            stack += [edge.node2 for edge in node.graph_edges() if edge.node1 is node][::-1]
        self._view.resetTransform()
        self._view.centerOn(stack[-1])

    def repaint(self) -> None:
        self._view.viewport().grab()


class PlotTree:
    """scikit-learn's plot_tree on matplotlib's own canvas. Its letters do not follow a zoom, so it has none."""

    package = "matplotlib"
    repaints = True, False

    def begin(self) -> None:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot
        import sklearn.tree

        self._pyplot, self._plot = matplotlib.pyplot, sklearn.tree.plot_tree

    def take(self, tree: Fitted) -> None:
        self._tree = tree.model

    def build(self) -> None:
        self._pyplot.close("all")
        self._figure, axes = self._pyplot.subplots(figsize=(SIDES[0] / DPI, SIDES[1] / DPI), dpi=DPI)
        self._plot(self._tree, feature_names=list(NAMES), class_names=list(CLASSES), filled=True, ax=axes)
        self.repaint()

    def fit(self) -> None:
        """It is."""

    def repaint(self) -> None:
        self._figure.canvas.draw()


class Dtreeviz:
    """dtreeviz's picture, an SVG that Graphviz lays out. It is a file: what shows it paints it, not dtreeviz."""

    package = "dtreeviz"
    repaints = False, False

    def begin(self) -> None:
        import dtreeviz
        import matplotlib

        matplotlib.use("Agg")
        if shutil.which("dot") is None:
            raise ImportError("Graphviz's program dot is not installed")
        self._model = dtreeviz.model
        self._folder = tempfile.TemporaryDirectory(prefix="espalier-benchmark-")

    def take(self, tree: Fitted) -> None:
        self._tree = tree

    def build(self) -> None:
        names = {"feature_names": list(NAMES), "target_name": TARGET, "class_names": dict(enumerate(CLASSES))}
        model = self._model(self._tree.model, self._tree.x, self._tree.y, **names)
        self._view = model.view()
        path = Path(self._folder.name) / "tree.svg"
        self._view.save(str(path))
        assert path.stat().st_size > 0
