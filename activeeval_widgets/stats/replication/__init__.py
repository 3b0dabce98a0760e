"""Repeated simulations of an evaluation on a fully labeled pool."""
