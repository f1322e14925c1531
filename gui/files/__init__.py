"""From files to the document, and back."""
