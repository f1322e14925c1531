"""This node: what it is, its candidates, the split that is looked at, and why."""
