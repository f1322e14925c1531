"""What the colours mean: a mode is one line in `modes`, its measure one function in `measures`."""
