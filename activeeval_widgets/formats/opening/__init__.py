"""Read files of each format into a table."""
