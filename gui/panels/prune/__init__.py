"""Size against error, and the prunings of every method."""
