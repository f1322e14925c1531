"""What a person meets before there is a tree: the start page, and the dialogs that make a table."""
