"""The draws of a session: their probabilities, and the order of questions."""
