"""Reports of a session: text, tables and plots."""
