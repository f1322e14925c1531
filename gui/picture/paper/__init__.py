"""The tree on paper: PNG, SVG, PDF, and one page for browsers."""
