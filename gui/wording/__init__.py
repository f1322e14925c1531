"""What a person reads: numbers, steps, refusals."""
