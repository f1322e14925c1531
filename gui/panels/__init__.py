"""The panels around the canvas. Each listens to the document and calls the document; they never know each other."""
