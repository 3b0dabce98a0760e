"""Instrumental distributions from predictions and a measure, and draws from them."""
