"""The lines of figures around the canvas: toolbar, messages, status bar."""
