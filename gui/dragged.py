"""What is dragged from one part of the window to another: a column, by its name."""

from PySide6.QtCore import QMimeData

COLUMN = "application/x-espalier-column"


def column_data(name: str) -> QMimeData:
    """What carries a column that is dragged."""
    data = QMimeData()
    data.setData(COLUMN, name.encode())
    return data


def dragged_column(data: QMimeData | None) -> str:
    """The name of the column that is dragged; empty when it is something else."""
    return bytes(data.data(COLUMN).data()).decode(errors="replace") if data and data.hasFormat(COLUMN) else ""
