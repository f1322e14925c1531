"""History: the steps, and two trees compared."""
