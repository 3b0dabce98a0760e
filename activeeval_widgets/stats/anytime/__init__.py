"""Confidence sequences and tests that are valid at every number of draws at once."""
