"""The rows of the selected nodes."""
