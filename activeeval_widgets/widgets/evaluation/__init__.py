"""Results from the labels so far: the estimate, plots, progress, the goal."""
