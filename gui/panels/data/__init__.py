"""Data: the columns of the table, and the search options."""
