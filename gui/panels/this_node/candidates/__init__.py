"""The candidates of the selected node, best first."""
