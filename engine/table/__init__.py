"""A table: typed columns, the role of each, the target, and which rows train."""

from engine.table.column import Column
from engine.table.partition import TEST, TRAIN, UNUSED, VALIDATION
from engine.table.table import Table

__all__ = ["TEST", "TRAIN", "UNUSED", "VALIDATION", "Column", "Table"]
