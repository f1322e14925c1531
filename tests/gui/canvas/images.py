"""Scenes as images, and their pixels counted."""

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter

from gui.picture.kinds import KINDS

SIZE = (1_600.0, 940.0)


def image_of(scene, kind, camera=None, size=SIZE):
    image = QImage(int(size[0]), int(size[1]), QImage.Format.Format_RGB32)
    image.fill(scene.theme.canvas)
    painter = QPainter(image)
    KINDS[kind].paint(painter, scene, camera or scene.fitted(*size), *size)
    painter.end()
    return image


def pixels(image):
    """int64[height, width, 3]."""
    data = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return data[:, :, 2::-1].astype(np.int64)


def n_of(image, colour):
    """How many pixels have just this colour."""
    return int((pixels(image) == QColor(colour).getRgb()[:3]).all(axis=2).sum())
