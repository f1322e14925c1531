"""Measurements, run by hand: `python -m tests.benchmarks`. No test depends on a time.

data       the arrays, made from fixed seeds
peers      the other learners and their settings
cells      what is measured: one cell for each row, tree and learner
running    the cells, one after the other
child      one cell in a process of its own, on two processors
measuring  times, memory, and what a tree does to the rows
theirs     the peers' cells: growing, reading a file
ours       Espalier's own cells: growing, candidates, options, folds, files, threads
ties       whether the trees part from scikit-learn's at ties only
starting   compiling and loading; the window (window.py, which runs alone as well)
cache      the results, kept outside the checkout
viewers    the canvas beside other viewers of trees (viewer_trees, viewer_child, viewers_ours, viewers_theirs)
report     tables for the terminal and for FIGURES.md
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent  # of the checkout
