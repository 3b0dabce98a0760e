"""What the labels say: the estimate, plots, progress, the goal."""
