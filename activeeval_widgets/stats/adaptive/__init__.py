"""Draws without replacement from distributions that adapt to the labels, and estimates from them."""
