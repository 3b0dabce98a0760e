"""What a session found, as text, tables and plots that can be kept."""
