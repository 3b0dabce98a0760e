"""The session's result, at its end or on request."""
