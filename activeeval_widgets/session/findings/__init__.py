"""What a log says: estimates, intervals, goals. Nothing here changes it."""
