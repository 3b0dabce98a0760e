"""Models' predictions for the pool."""
