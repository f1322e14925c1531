"""The arithmetic behind a split."""
