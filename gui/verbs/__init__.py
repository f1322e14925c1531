"""What a person can do in the window, and why not."""
