"""Replay: how the tree grew or was cut back, step by step."""
