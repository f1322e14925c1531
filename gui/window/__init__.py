"""The main window: where everything is; the toolbar, the fit of the tree, the messages, the status bar."""
