"""What pictures of all kinds have below their words: shapes in pixels on a screen, by Qt's painter elsewhere."""
