"""Simulations of noise, of which it is known what an honest figure is: `python -m tests.honesty.<name>` prints each."""
