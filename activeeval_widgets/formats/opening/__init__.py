"""How files of each format become a table."""
