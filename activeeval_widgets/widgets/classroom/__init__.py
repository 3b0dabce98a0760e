"""A class: students who label a session each, and the wall that shows all of their intervals."""
