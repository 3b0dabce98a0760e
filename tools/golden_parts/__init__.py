"""What `tools/goldens.py` writes: sessions, pages, and files of sessions."""
