"""What the worker does: plain functions of states, tables and trees. No Qt in here, but for pictures."""
