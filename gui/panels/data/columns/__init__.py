"""The columns of the table: roles, kinds, what they hold."""
