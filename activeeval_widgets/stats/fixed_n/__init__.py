"""Estimates, intervals and tests for one number of draws fixed in advance."""
