"""What the session found, at its end or when asked for."""
