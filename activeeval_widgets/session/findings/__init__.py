"""What the labels of a session say: estimates, intervals, goals. Findings never change the log."""
