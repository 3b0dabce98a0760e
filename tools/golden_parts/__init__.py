"""The parts of `tools/goldens.py`: sessions, pages, and files of sessions."""
