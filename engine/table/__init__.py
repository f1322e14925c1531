"""A table: typed columns, the role of each, the target, and which rows train.

Importing this package loads nothing: words of values and limits of bins are needed before pandas is.
"""
