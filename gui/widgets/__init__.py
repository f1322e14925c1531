"""Small parts that several panels and dialogs are built of."""
