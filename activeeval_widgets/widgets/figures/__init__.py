"""The plots as bqplot figures."""
