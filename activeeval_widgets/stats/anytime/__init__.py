"""What may be watched: intervals and tests that hold at every number of draws at once."""
