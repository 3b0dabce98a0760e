"""Draws without replacement from distributions that learn from the labels."""
