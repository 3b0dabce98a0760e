"""What a model says about the pool."""
