"""How instances look."""
