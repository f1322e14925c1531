"""How splits are searched, when growing stops, and what leaves say."""
