"""The panels “This node” and below it “Split” and “Why”."""
