"""Data sets larger than memory, of which only the requested rows are read."""
