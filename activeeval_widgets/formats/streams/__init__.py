"""Data sets larger than memory, of which only what is asked for is read."""
