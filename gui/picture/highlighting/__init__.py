"""What stands out of a tree: found, filtered, ranked, selected together, followed."""
