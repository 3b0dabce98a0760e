"""The commands. Each module here has one, `command`; what is slow to import is imported when it runs."""
