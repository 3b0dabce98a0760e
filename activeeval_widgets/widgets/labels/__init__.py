"""The labels that can be given, and their keys."""
