"""Where things stand in a drawing, at scale 1: numbers only, no Qt."""
