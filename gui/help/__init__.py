"""The handbook: its pages, the window that shows them, and the tour for newcomers."""
