"""Everything with a pixel. Imports the engine, never the other way round."""
