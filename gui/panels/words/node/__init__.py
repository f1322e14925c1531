"""What stands in the selected node."""
