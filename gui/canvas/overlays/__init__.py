"""Small things that lie on the canvas or beside it: bars, chips, legend, minimap, icicle."""
