"""Which instances are drawn, in which order they are asked about, and with which probabilities."""
