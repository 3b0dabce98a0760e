"""The same evaluation many times over, on a fully labeled pool."""
