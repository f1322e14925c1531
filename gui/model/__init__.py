"""The document: its state, edits and undo, the search in use, what is found, followed, compared; background work."""
