"""Forecasts of how many labels are needed."""
