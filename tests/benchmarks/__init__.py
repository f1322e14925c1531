"""Measurements, run by hand: `python -m tests.benchmarks`. No test depends on them."""
