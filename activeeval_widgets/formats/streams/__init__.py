"""Data sets larger than memory, of which only requested rows are read."""
