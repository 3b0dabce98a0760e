"""What takes longer than a lesson may, one simulation a module: see `tools/simulate_lessons.py`."""
