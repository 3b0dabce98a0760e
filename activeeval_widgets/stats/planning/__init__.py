"""How many more labels are needed, and how many would have been."""
